/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration words of an NIU (manual NoC/MemoryMap, "NIU and NoC router configuration", NIU_BASE + 0x100) as real
 * system firmware leaves them (manual NoC/Coordinates).  Pure
 * functions: what is switched off goes in, register words come out.  What they then do is noc/coords.c. */
#ifndef KERR_NOC_TABLES_H
#define KERR_NOC_TABLES_H

#include "kerr.h"
#include "noc/coords.h"
#include "noc/packet.h"

/* Words from NIU_BASE + 0x100 on. */
enum noc_cfg {
    NOC_CFG_NIU_CFG_0 = 0,
    NOC_CFG_ROUTER_CFG_0,
    NOC_CFG_ROUTER_CFG_1, /* broadcast opt-out by column */
    NOC_CFG_ROUTER_CFG_2,
    NOC_CFG_ROUTER_CFG_3, /* broadcast opt-out by row */
    NOC_CFG_ROUTER_CFG_4,
    NOC_CFG_NOC_X_ID_TRANSLATE_TABLE_0, /* six words */
    NOC_CFG_NOC_Y_ID_TRANSLATE_TABLE_0 = NOC_CFG_NOC_X_ID_TRANSLATE_TABLE_0 + 6,
    NOC_CFG_NOC_ID_LOGICAL = NOC_CFG_NOC_Y_ID_TRANSLATE_TABLE_0 + 6,
    NOC_CFG_MEMORY_SHUTDOWN_CONTROL,
    NOC_CFG_NOC_ID_TRANSLATE_COL_MASK,
    NOC_CFG_NOC_ID_TRANSLATE_ROW_MASK,
    NOC_CFG_DDR_COORD_TRANSLATE_TABLE_0, /* six words */
    NOC_CFG_DDR_COORD_TRANSLATE_COL_SWAP = NOC_CFG_DDR_COORD_TRANSLATE_TABLE_0 + 6,
    NOC_CFG_DEBUG_COUNTER_RESET,
    NOC_CFG_NIU_TRANS_COUNT_RTZ_CFG,
    NOC_CFG_NIU_TRANS_COUNT_RTZ_CLR,
    NOC_CFG_WORDS
};
_Static_assert(NOC_CFG_WORDS == 32, "NIU_BASE + 0x100 to 0x17F");

/* NIU_CFG_0 */
enum {
    NIU_CFG_0_TILE_CLK_OFF = 1 << 12,
    NIU_CFG_0_TILE_HEADER_STORE_OFF = 1 << 13,
    NIU_CFG_0_NOC_ID_TRANSLATE_EN = 1 << 14,
    NIU_CFG_0_AXI_SLAVE_ENABLE = 1 << 15,
};

/* Whether a shape is one that firmware can program: masks within the chip, at most 7 columns and one bank off. */
bool noc_harvesting_is_sane(const kerr_harvesting *harvesting);
/* Whether the tile at this node is switched off. */
bool noc_is_off(const kerr_harvesting *harvesting, noc_node node);

/* The words of one NIU after system firmware has run. */
void noc_tables(const kerr_harvesting *harvesting, noc_node node, unsigned noc, uint32_t cfg[NOC_CFG_WORDS]);

/* Raw coordinates of the same NoC for what software writes as (x, y): noc_translate if NIU_CFG_0 enables it. */
static inline noc_raw_xy noc_find(const uint32_t cfg[NOC_CFG_WORDS], unsigned x, unsigned y)
{
    if (cfg[NOC_CFG_NIU_CFG_0] & NIU_CFG_0_NOC_ID_TRANSLATE_EN) {
        return noc_translate(cfg, x, y);
    }
    return (noc_raw_xy){(uint8_t)x, (uint8_t)y};
}

#endif
