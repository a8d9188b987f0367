/* SPDX-License-Identifier: Apache-2.0 */
/* Where what is on the 17 x 12 grid, in NoC 0 coordinates (manual BlackholeA0/NoC/Coordinates; the product
 * descriptor of a chip with 140 Tensix tiles says the same). */
#include "chip/chip.h"

#include <string.h>

kerr_tile_kind kerr_tile_kind_at(kerr_xy at)
{
    if (at.x >= KERR_GRID_X || at.y >= KERR_GRID_Y) {
        return KERR_TILE_NONE;
    }
    if (at.x == 0 || at.x == 9) {
        return KERR_TILE_DRAM; /* two columns, one bank for three neighbouring rows */
    }
    if (at.x == 8) {
        if (at.y == 0) {
            return KERR_TILE_ARC;
        }
        if (at.y == 2) {
            return KERR_TILE_SECURITY;
        }
        return at.y == 3 || at.y == 5 || at.y == 7 || at.y == 9 ? KERR_TILE_L2CPU : KERR_TILE_NONE;
    }
    if (at.y == 0) {
        return at.x == 2 || at.x == 11 ? KERR_TILE_PCIE : KERR_TILE_NONE;
    }
    return at.y == 1 ? KERR_TILE_ETH : KERR_TILE_TENSIX;
}

/* Columns 1..7 and 10..16, rows 2..11. */
kerr_xy kerr_tensix_xy(uint32_t i)
{
    const uint32_t column = i % 14;
    return (kerr_xy){.x = (uint8_t)(column < 7 ? column + 1 : column + 3), .y = (uint8_t)(2 + i / 14)};
}

int chip_tensix_index(kerr_xy at)
{
    if (kerr_tile_kind_at(at) != KERR_TILE_TENSIX) {
        return -1;
    }
    return (at.y - 2) * 14 + (at.x < 8 ? at.x - 1 : at.x - 3);
}

static const char *const core_name[KERR_CORE_COUNT][2] = {
    {"B", "BRISC"}, {"T0", "TRISC0"}, {"T1", "TRISC1"}, {"T2", "TRISC2"}, {"NC", "NCRISC"},
};

const char *kerr_core_name(kerr_core core)
{
    return (unsigned)core < KERR_CORE_COUNT ? core_name[core][0] : "?";
}

bool kerr_core_by_name(const char *name, kerr_core *core)
{
    for (unsigned i = 0; name != NULL && core != NULL && i < KERR_CORE_COUNT; i++) {
        if (strcmp(name, core_name[i][0]) == 0 || strcmp(name, core_name[i][1]) == 0) {
            *core = (kerr_core)i;
            return true;
        }
    }
    return false;
}
