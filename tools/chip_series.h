/* SPDX-License-Identifier: Apache-2.0 */
/* A chip saved every so many cycles while it runs: a folder of files that are named by their cycle.
 *
 * The folder stays bounded: the first one, from which all can be had again, and the latest.  A file is there whole or not at all.
 * A disk that is full ends no run. */
#ifndef KERR_TOOLS_CHIP_SERIES_H
#define KERR_TOOLS_CHIP_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "kerr.h"
#include "tool_error.h"

enum { CHIP_SERIES_KEEP = 16, CHIP_SERIES_MOST = 10000 };
#define CHIP_SERIES_FOLDER "kerr-chips"

typedef struct chip_series {
    uint64_t every;     /* cycles; 0: no series */
    const char *folder; /* NULL: CHIP_SERIES_FOLDER */
    uint32_t keep;      /* files; 0: CHIP_SERIES_KEEP */
    uint64_t next;      /* cycle */
    uint64_t *kept;     /* cycles of the files that are there */
    size_t count;
    uint64_t failures; /* files */
    bool told;
} chip_series;

/* Makes the folder, and removes what an earlier series left in it.  A folder that cannot be made or written is told of here: the run
 * goes on without. */
void chip_series_begin(chip_series *s, uint64_t cycle);
/* Where a run that is to end in `end` has to stop first. */
uint64_t chip_series_limit(const chip_series *s, uint64_t end);
/* Saves the chip if it is time. */
void chip_series_look(chip_series *s, const kerr_chip *chip);
void chip_series_end(chip_series *s);

/* The cycles of the files in a folder, in order.  The caller's to free. */
bool chip_series_list(const char *folder, uint64_t **cycles, size_t *count, tool_error *error);
/* The file of a cycle; false: the name is too long. */
bool chip_series_path(const char *folder, uint64_t cycle, char *path, size_t size);

#endif
