/* SPDX-License-Identifier: Apache-2.0 */
/* The tiles with cores and the DRAM banks by number. */
#include "chip/chip.h"

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
