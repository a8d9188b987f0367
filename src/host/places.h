/* SPDX-License-Identifier: Apache-2.0 */
/* Places on the grid as the drop-in library's watchers need them. */
#ifndef KERR_HOST_PLACES_H
#define KERR_HOST_PLACES_H

#include "kerr.h"

enum { PLACES = KERR_GRID_X * KERR_GRID_Y };

static inline unsigned place_of(kerr_xy at)
{
    return at.y * (unsigned)KERR_GRID_X + at.x;
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
