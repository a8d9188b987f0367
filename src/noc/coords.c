/* SPDX-License-Identifier: Apache-2.0 */
/* Coordinate translation and identification of a NIU.
 *
 * Manual NoC/Coordinates "Translation Algorithm"; NoC/MemoryMap "NIU Identification Details". */
#include "noc/coords.h"

#include "noc/packet.h"
#include "noc_regs.h"

#include <stdbool.h>

enum { ENTRY_BITS = 5, ENTRIES_PER_WORD = 6, LOW = 31 };

static uint32_t config(const uint32_t *cfg, uint32_t offset)
{
    return cfg[(offset - NIU_CFG_0) / 4];
}

/* 32 entries of five bits, six to a word. */
static unsigned entry(const uint32_t *cfg, uint32_t table, unsigned i)
{
    return config(cfg, table + i / ENTRIES_PER_WORD * 4) >> i % ENTRIES_PER_WORD * ENTRY_BITS & LOW;
}

/* Columns whose y goes through the DRAM table: bit 10 is for x = 9, bit 11 for x = 0. */
static bool is_ddr_column(const uint32_t *cfg, unsigned x)
{
    uint32_t word = config(cfg, DDR_COORD_TRANSLATE_TABLE_5);
    return (x == 9 && word >> 10 & 1) || (x == 0 && word >> 11 & 1);
}

noc_raw_xy noc_translate(const uint32_t *cfg, unsigned x, unsigned y)
{
    unsigned x31 = x & LOW, y31 = y & LOW;
    noc_raw_xy to;
    if (config(cfg, DDR_COORD_TRANSLATE_COL_SWAP) >> y31 & 1 && is_ddr_column(cfg, x31 ^ 9))
        to.x = (uint8_t)(x31 ^ 9);
    else if (config(cfg, NOC_ID_TRANSLATE_ROW_MASK) >> y31 & 1)
        to.x = (uint8_t)x;
    else
        to.x = (uint8_t)entry(cfg, NOC_X_ID_TRANSLATE_TABLE_0, x31);
    if (is_ddr_column(cfg, x31))
        to.y = (uint8_t)entry(cfg, DDR_COORD_TRANSLATE_TABLE_0, y31);
    else if (config(cfg, NOC_ID_TRANSLATE_COL_MASK) >> x31 & 1)
        to.y = (uint8_t)y;
    else
        to.y = (uint8_t)entry(cfg, NOC_Y_ID_TRANSLATE_TABLE_0, y31);
    return to;
}

uint32_t noc_id_logical(unsigned noc, unsigned x, unsigned y)
{
    return noc_raw_x(noc, x) | noc_raw_y(noc, y) << 6;
}

/* Bit 28: unicast packets of NoC 0 move in x first.  OPEN: the dateline bits 26 and 27. */
uint32_t noc_node_id(unsigned noc, unsigned x, unsigned y)
{
    return noc_id_logical(noc, x, y) | (uint32_t)NOC_GRID_X << 12 | (uint32_t)NOC_GRID_Y << 19 |
           (noc == 0 ? 1u : 0u) << 28;
}

/* Three tiles of a column share a bank: rows 11, 0, 1; 2, 3, 10; 4, 8, 9; 5, 6, 7 (the vendor's driver has the list). */
static unsigned dram_group(unsigned x, unsigned y)
{
    static const uint8_t group[NOC_GRID_Y] = {0, 0, 1, 1, 2, 3, 3, 3, 2, 2, 1, 0};
    return group[y] + (x == 9 ? 4u : 0u);
}

/* Even numbers from the left, odd ones from the right (the vendor's driver numbers the links so). */
static unsigned ethernet_index(unsigned x)
{
    return x < 8 ? 2 * (x - 1) : 2 * (16 - x) + 1;
}

/* The manual has the ranges.  OPEN: the order of Tensix and L2CPU tiles within theirs, and the ids of empty tiles; we
 * count row by row, and give empty ones zero.  Would settle it: NOC_ENDPOINT_ID of every node of a card. */
uint32_t noc_endpoint_id(unsigned noc, unsigned x, unsigned y)
{
    uint32_t type, index = 0;
    switch (kerr_tile_kind_at((kerr_xy){.x = (uint8_t)x, .y = (uint8_t)y})) {
    case KERR_TILE_TENSIX:
        type = 0x0100;
        index = (y - 2) * 14 + (x < 8 ? x - 1 : x - 3);
        break;
    case KERR_TILE_ETH:
        type = 0x0200;
        index = ethernet_index(x);
        break;
    case KERR_TILE_PCIE:
        type = 0x0300;
        index = 2;
        break;
    case KERR_TILE_ARC: type = 0x0500; break;
    case KERR_TILE_DRAM:
        type = 0x0800;
        index = dram_group(x, y);
        break;
    case KERR_TILE_L2CPU:
        type = 0x0901;
        index = (y - 3) / 2;
        break;
    case KERR_TILE_SECURITY: type = 0x0A00; break;
    default: type = 0; break;
    }
    return index | type << 8 | noc << 24;
}
