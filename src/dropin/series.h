/* SPDX-License-Identifier: Apache-2.0 */
/* The chip of a host program saved from time to time (KERR_SAVE_EVERY), as files that the kerr command reads (kerr_chip_file.h).
 * Owned by watch.h, which looks in here after every call. */
#ifndef KERR_DROPIN_SERIES_H
#define KERR_DROPIN_SERIES_H

#include "kerr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SERIES_MOST = 1024, SERIES_PATH = 4096 };

typedef struct series {
    uint64_t every; /* cycles; 0: there is none */
    uint64_t next;  /* cycle */
    uint32_t keep;
    uint32_t count;  /* files that are there */
    uint32_t chip;   /* from 1: which one of the process, of those that were saved */
    int32_t process; /* that writes to folder; 0: none does yet */
    bool failed;     /* told of */
    char given[SERIES_PATH];
    char folder[SERIES_PATH + 32];
    uint64_t kept[SERIES_MOST]; /* cycles */
} series;

/* Nothing is made before the first file. */
void series_open(series *s, const char *folder, uint64_t every, uint32_t keep);
/* Another chip, or the same from its beginning. */
void series_chip_begins(series *s);
/* After a call.  False, once: it is time and the file cannot be written; text says why. */
bool series_look(series *s, const kerr_chip *chip, char *text, size_t size);

#endif
