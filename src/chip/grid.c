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

int chip_tile_index(kerr_xy at)
{
    const int column = at.x < 8 ? at.x - 1 : at.x - 3; /* of Tensix and Ethernet */
    switch (kerr_tile_kind_at(at)) {
    case KERR_TILE_TENSIX: return (at.y - 2) * 14 + column;
    case KERR_TILE_ETH: return KERR_TENSIX_TILES + column;
    case KERR_TILE_DRAM: return KERR_TENSIX_TILES + KERR_ETH_TILES + (at.x == 0 ? 0 : KERR_GRID_Y) + at.y;
    default: return -1;
    }
}

kerr_xy kerr_eth_xy(uint32_t i)
{
    return (kerr_xy){.x = kerr_tensix_xy(i % KERR_ETH_TILES).x, .y = 1};
}

kerr_xy kerr_dram_xy(uint32_t i)
{
    return (kerr_xy){.x = i < KERR_GRID_Y ? 0 : 9, .y = (uint8_t)(i % KERR_GRID_Y)};
}

/* Channels as the vendor's soc descriptor and host library count them. */
int chip_bank_index(kerr_xy at)
{
    static const uint8_t bank_of_row[KERR_GRID_Y] = {0, 0, 1, 1, 2, 3, 3, 3, 2, 2, 1, 0};
    if (kerr_tile_kind_at(at) != KERR_TILE_DRAM) {
        return -1;
    }
    return bank_of_row[at.y] + (at.x == 0 ? 0 : KERR_DRAM_BANKS / 2);
}

kerr_xy chip_tile_xy(uint32_t index)
{
    if (index < KERR_TENSIX_TILES) {
        return kerr_tensix_xy(index);
    }
    index -= KERR_TENSIX_TILES;
    return index < KERR_ETH_TILES ? kerr_eth_xy(index) : kerr_dram_xy(index - KERR_ETH_TILES);
}

uint32_t kerr_tile_cores(kerr_tile_kind kind)
{
    return tile_cores(kind);
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
