/* SPDX-License-Identifier: Apache-2.0 */
/* The parameter block at KERR_PARAMS_BASE of a tile's L1: what the host tells the five kernels of the tile
 * before it starts them, and what they leave for it.  Plain C, read by both sides.
 *
 * The host may leave it zero; start-up code writes run[] only. */
#ifndef KERR_PARAMS_H
#define KERR_PARAMS_H

#include <stdint.h>

enum { KERR_PARAMS_ARGUMENTS = 12, KERR_PARAMS_CORES = 5 };

/* kerr_params.run[core].state */
enum {
    KERR_RUN_NONE = 0,
    KERR_RUN_STARTED = 1, /* start-up code is done, main runs */
    KERR_RUN_DONE = 2,    /* main has returned, result holds its value, all its stores have left */
};

typedef struct kerr_params {
    /* Written by the host. */
    uint32_t tile_x, tile_y;                  /* this tile, in NoC 0 coordinates */
    uint32_t tile_index, tile_count;          /* which of how many that share the work */
    uint32_t argument[KERR_PARAMS_ARGUMENTS]; /* what the kernel and its host program agree on */

    /* Written by the cores, in the order B T0 T1 T2 NC. */
    struct {
        uint32_t state;
        int32_t result;  /* what main returned */
        uint32_t cycles; /* mcycle and minstret when it did: from reset on */
        uint32_t instructions;
    } run[KERR_PARAMS_CORES];
} kerr_params;

_Static_assert(sizeof(kerr_params) == 144, "start-up code and hosts in other languages rely on the layout");

#endif /* KERR_PARAMS_H */
