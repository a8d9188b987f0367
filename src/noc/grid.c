/* SPDX-License-Identifier: Apache-2.0 */
/* Where what is on the 17 x 12 grid, in NoC 0 coordinates (manual BlackholeA0/NoC/Coordinates; the product
 * descriptor of a chip with 140 Tensix tiles says the same), and which cores tiles have. */
#include "kerr.h"

#include <string.h>

kerr_tile_kind kerr_tile_kind_at(kerr_xy at)
{
    if (at.x >= KERR_GRID_X || at.y >= KERR_GRID_Y) {
        return KERR_TILE_NONE;
    }
    if (at.x == 0 || at.x == 9) {
        return KERR_TILE_DRAM; /* two columns of four banks: see chip_bank_index */
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

kerr_xy kerr_eth_xy(uint32_t i)
{
    return (kerr_xy){.x = kerr_tensix_xy(i % KERR_ETH_TILES).x, .y = 1};
}

kerr_xy kerr_dram_xy(uint32_t i)
{
    return (kerr_xy){.x = i < KERR_GRID_Y ? 0 : 9, .y = (uint8_t)(i % KERR_GRID_Y)};
}

uint32_t kerr_tile_cores(kerr_tile_kind kind)
{
    switch (kind) {
    case KERR_TILE_TENSIX: return KERR_CORE_COUNT;
    case KERR_TILE_ETH: return 2;
    case KERR_TILE_DRAM: return 1;
    default: return 0;
    }
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

const char *kerr_core_name_of(kerr_tile_kind kind, kerr_core core)
{
    if (kind == KERR_TILE_TENSIX || (unsigned)core >= kerr_tile_cores(kind)) {
        return kind == KERR_TILE_TENSIX ? kerr_core_name(core) : "?";
    }
    return kind == KERR_TILE_DRAM ? "D" : core == KERR_CORE_E0 ? "E0" : "E1";
}
