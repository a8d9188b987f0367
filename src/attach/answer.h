/* SPDX-License-Identifier: Apache-2.0 */
/* Replies to requests that look at a chip (kerr_attach.h).  Knows no socket and no door: whoever calls has the chip to itself. */
#ifndef KERR_ATTACH_ANSWER_H
#define KERR_ATTACH_ANSWER_H

#include "kerr_attach.h"

/* Bytes that grow. */
typedef struct reply_bytes {
    uint8_t *data;
    size_t size, room;
    bool failed; /* no memory */
} reply_bytes;
void reply_add(reply_bytes *to, const void *data, size_t size);
void reply_text(reply_bytes *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What came of a connection so far as the beginning of a request: how many bytes it takes in all, 0 if more are needed to know.
 * *result is not OK if it cannot be one. */
size_t request_parse(const uint8_t *data, size_t size, kerr_attach_request *request, kerr_attach_result *result);

/* Fills in what the chip knows of; the rest of the status is the server's. */
void answer_status(const kerr_chip *chip, kerr_attach_status *status);
/* The payload of a reply, or the sentence that says why there is none.  chip may be NULL.  STATUS, GRID, READ, CORE, TILE, STATE,
 * FAULTS and HASH. */
kerr_attach_result answer_request(const kerr_chip *chip, const kerr_attach_request *request,
                                  const kerr_attach_status *status, reply_bytes *payload);

#endif
