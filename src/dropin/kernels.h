/* SPDX-License-Identifier: Apache-2.0 */
/* When the kernels of each launch began and ended, into the file that KERR_KERNELS names: a row of commas for each launch and
 * baby core.  Owned by watch.c.  It looks at one word of L1 on each Tensix tile, in which tt-metal's firmware tells the cores
 * to start and they tell that they are done; the chip runs as under any watch: on one thread, with the same results. */
#ifndef KERR_DROPIN_KERNELS_H
#define KERR_DROPIN_KERNELS_H

#include "dropin/places.h"

enum { KERNELS_OPEN = 4 }; /* launches that have not been told of */

typedef struct kernels {
    int file; /* of an open list */
    bool open;
    uint32_t chips;
    uint32_t *own;        /* a word that reads 0 in a forked child */
    uint32_t first, next; /* launches of this chip: not yet told of, not yet begun */
    struct kernels_launch {
        uint32_t running; /* tiles that have begun in it and not ended */
        struct kernels_span {
            uint64_t begin, end;
            uint32_t tiles; /* that have run to the end; 0: none */
        } span[KERR_CORE_COUNT];
    } launch[KERNELS_OPEN]; /* by number */
    struct kernels_tile {
        uint64_t begin[KERR_CORE_COUNT];
        uint32_t launch; /* 1 + that it runs or ran last; 0: none */
        uint8_t runs;    /* bit per core */
    } tile[PLACES];
} kernels;

bool kernels_open(kernels *k, const char *path);
void kernels_close(kernels *k);
void kernels_chip_begins(kernels *k, kerr_chip *chip);
void kernels_chip_ends(kernels *k);

#endif
