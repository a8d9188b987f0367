/* SPDX-License-Identifier: Apache-2.0 */
/* What the three kernels, job.yaml and test.py agree on: C = A + B, TILES tiles of 32 x 32 datums of BF16.  A and B are in the L1 of tile
 * 2,2, and C goes there; tile 1,2 does the work. */
#ifndef TILES_H
#define TILES_H

#include "kerr_sdk.h"

enum { TILES = 8, TILE_BYTES = 2048 };
enum { FAR_X = 2, FAR_Y = 2, A_THERE = 0x20000, B_THERE = 0x30000, C_THERE = 0x40000 };
enum {
    CB_A = 0,
    CB_B = 1,
    CB_C = 16,
    PAGES = 2
}; /* circular buffers of tile 1,2, and the tiles that each of them holds */

#include "kerr_cb.h"

static void create_buffers(void)
{
    kerr_cb_create(CB_A, KERR_SHARED_BASE, PAGES);
    kerr_cb_create(CB_B, KERR_SHARED_BASE + PAGES * TILE_BYTES, PAGES);
    kerr_cb_create(CB_C, KERR_SHARED_BASE + 2 * PAGES * TILE_BYTES, PAGES);
}

#endif /* TILES_H */
