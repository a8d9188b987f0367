/* SPDX-License-Identifier: Apache-2.0 */
/* Places on the grid, and the time, as the drop-in library's watchers need them. */
#ifndef KERR_DROPIN_PLACES_H
#define KERR_DROPIN_PLACES_H

#include "kerr.h"

enum { PLACES = KERR_GRID_X * KERR_GRID_Y };

static inline unsigned place_of(kerr_xy at)
{
    return at.y * (unsigned)KERR_GRID_X + at.x;
}

static inline uint64_t cycle_of(const kerr_chip *chip)
{
    uint64_t cycle = 0;
    (void)kerr_cycle(chip, &cycle);
    return cycle;
}

/* The tile of a number below KERR_TILES (kerr_due_query). */
static inline kerr_xy tile_at(uint32_t index)
{
    return index < KERR_TENSIX_TILES                    ? kerr_tensix_xy(index)
           : index < KERR_TENSIX_TILES + KERR_ETH_TILES ? kerr_eth_xy(index - KERR_TENSIX_TILES)
                                                        : kerr_dram_xy(index - KERR_TENSIX_TILES - KERR_ETH_TILES);
}

/* L1 as the cores of a tile address it, *size bytes from `address` on; NULL: it is not there. */
static inline const uint8_t *l1_at(const kerr_chip *chip, kerr_xy at, uint32_t address, uint64_t *size)
{
    const uint64_t of_dram = UINT64_C(0x2000000000); /* where others see the L1 of a DRAM tile */
    const uint8_t *bytes;
    const uint64_t seen = (kerr_tile_kind_at(at) == KERR_TILE_DRAM ? of_dram : 0) + address;
    return kerr_memory_view(chip, at, seen, &bytes, size) == KERR_OK ? bytes : NULL;
}

#endif
