/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the log of ABI calls (include/kerr_record.h) for libttsim.c, which owns it. */
#ifndef KERR_DROPIN_RECORD_H
#define KERR_DROPIN_RECORD_H

#include "kerr_record.h"

#include <stdbool.h>
#include <stddef.h>

enum { RECORD_PIECE = 1 << 20, RECORD_PATH = 4096 };

typedef struct record {
    int file;       /* -1: none is written */
    uint32_t *own;  /* a word that reads 0 in a forked child */
    uint8_t *piece; /* RECORD_PIECE bytes of the file; NULL: it cannot be written any more */
    uint64_t at;    /* where in the file that is */
    size_t used;    /* of piece */
    char path[RECORD_PATH];
    char present[RECORD_PATH + 16]; /* of the file that is written now */
} record;

/* The first chip of the process: makes FILE, or FILE.PID if there is one that another process writes.  False: it cannot. */
bool record_open(record *r, const char *path);
/* Entries of a call or of what came of it; data may be NULL.  After a fork the child goes on in a file of its own, FILE.PID,
 * with everything up to the fork before it. */
void record_entry(record *r, const kerr_record_entry *entry, const void *data);
void record_close(record *r);

#endif
