/* SPDX-License-Identifier: Apache-2.0 */
/* Trace events of the drop-in library in a file: what KERR_TRACE names, made by `kerr exec --trace`, to which each process with a
 * chip appends chunks of its own.  A chunk: a kerr_feed_chunk, then records, each a kerr_feed_record and, of some kinds, data. */
#ifndef KERR_FEED_H
#define KERR_FEED_H

#include "kerr.h"

enum { KERR_FEED_CHUNK = 1 << 16, KERR_FEED_CODE_BYTES = 256 };

typedef struct kerr_feed_chunk {
    uint32_t bytes; /* of records behind it */
    int32_t pid;
} kerr_feed_chunk;

typedef enum kerr_feed_kind {
    KERR_FEED_EVENT = 1, /* a kerr_trace_event; of one of the coprocessor a kerr_trace_tensix follows */
    KERR_FEED_CODE,      /* `address`, and KERR_FEED_CODE_BYTES that stand there: code number `number`, from 0 on */
    KERR_FEED_ENTER,     /* the core goes on in this code */
    KERR_FEED_CHIP,      /* a new chip begins; `number`: how many there were before it */
    KERR_FEED_END,       /* the chip ends at cycle `cycle` */
} kerr_feed_kind;

typedef struct kerr_feed_record {
    uint8_t kind; /* kerr_feed_kind */
    uint8_t core;
    kerr_xy at;
    uint32_t number;
    uint32_t address;
    uint32_t reserved;
    uint64_t cycle;
} kerr_feed_record;

#endif
