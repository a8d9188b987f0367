/* SPDX-License-Identifier: Apache-2.0 */
/* Sends a chip's trace to the file that KERR_TRACE names (include/kerr_feed.h).  Owned by watch.c.  The chip runs as under any
 * trace: on one thread, with the same results. */
#ifndef KERR_DROPIN_FEED_H
#define KERR_DROPIN_FEED_H

#include "dropin/places.h"
#include "kerr_feed.h"

enum { FEED_CODES = 1 << 14 }; /* power of two */

typedef struct feed {
    int file; /* of an open feed */
    bool open;
    uint32_t chips;
    uint32_t *own; /* a word that reads 0 in a forked child */
    const kerr_chip *chip;
    uint32_t used;
    uint8_t *buffer; /* KERR_FEED_CHUNK */
    struct feed_code {
        uint64_t hash; /* 0: empty */
        uint32_t number;
        uint32_t reserved;
    } * codes; /* FEED_CODES */
    uint32_t code_count;
    uint32_t page[PLACES][KERR_CORE_COUNT]; /* 1 + that the core is in; 0: none yet */
} feed;

bool feed_open(feed *f, const char *path);
void feed_close(feed *f);
void feed_chip_begins(feed *f, kerr_chip *chip);
void feed_chip_ends(feed *f, const kerr_chip *chip);

#endif
