/* SPDX-License-Identifier: Apache-2.0 */
/* What system firmware programs into NIUs and routers, from the shape of the chip (vendor code: tt-system-firmware
 * bh_arc/noc_init.c and harvesting.c).  Pages: NoC/Coordinates, NoC/MemoryMap.
 *
 * OPEN: the power-on values of the reserved bits of NIU_CFG_0 and ROUTER_CFG_0, which firmware keeps: zero here.  The
 * clock gating bits (bit 0 of both), a setting of the board, are left clear. */
#include "noc/tables.h"

#include <string.h>

enum { COLUMNS = 14, BANKS = 8, L2CPUS = 4, NAMES = 32, LOGICAL_Y_SHIFT = 6, MAX_COLUMNS_OFF = 7 };

/* In the order of the fuses, that is along the die: columns fold like the torus. */
static const uint8_t column_x[COLUMNS] = {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10};
static const uint8_t l2cpu_y[L2CPUS] = {3, 9, 5, 7};
/* Rows of bank i and bank i + 4; the first four are at x 0, the others at x 9. */
static const uint8_t bank_y[BANKS / 2][3] = {{0, 1, 11}, {2, 10, 3}, {9, 4, 8}, {5, 7, 6}};

static int column_of(unsigned x)
{
    for (int i = 0; i < COLUMNS; i++) {
        if (column_x[i] == x) {
            return i;
        }
    }
    return -1;
}

static unsigned bank_of(unsigned x, unsigned y)
{
    for (unsigned bank = 0; bank < BANKS / 2; bank++) {
        for (unsigned port = 0; port < 3; port++) {
            if (bank_y[bank][port] == y) {
                return bank + (x == 0 ? 0 : BANKS / 2);
            }
        }
    }
    return 0;
}

static unsigned count_bits(uint32_t mask)
{
    unsigned count = 0;
    for (; mask != 0; mask &= mask - 1) {
        count++;
    }
    return count;
}

bool noc_harvesting_is_sane(const kerr_harvesting *h)
{
    return h->tensix_columns >> COLUMNS == 0 && h->eth >> COLUMNS == 0 && h->l2cpu >> L2CPUS == 0 && h->pcie <= 1 &&
           count_bits(h->tensix_columns) <= MAX_COLUMNS_OFF && count_bits(h->dram) <= 1;
}

bool noc_is_off(const kerr_harvesting *h, noc_node node)
{
    const unsigned x = node % NOC_GRID_X, y = node / NOC_GRID_X;
    switch (kerr_tile_kind_at((kerr_xy){(uint8_t)x, (uint8_t)y})) {
    case KERR_TILE_TENSIX: return h->tensix_columns >> column_of(x) & 1;
    case KERR_TILE_ETH: return h->eth >> column_of(x) & 1;
    case KERR_TILE_DRAM: return h->dram >> bank_of(x, y) & 1;
    case KERR_TILE_L2CPU:
        for (unsigned i = 0; i < L2CPUS; i++) {
            if (l2cpu_y[i] == y) {
                return h->l2cpu >> i & 1;
            }
        }
        return false;
    default: return false;
    }
}

/* ---- Translation ---------------------------------------------------------------------------------------------- */

/* For NoC 0: what becomes of a coordinate in columns and rows where translation applies. */
typedef struct translation {
    uint8_t x[NAMES], y[NAMES];
} translation;

/* The two Ethernet tiles that get no translated name.  Firmware: the last one off of 4, 5, 6 and of 7, 8, 9; if none of
 * the three is off, the middle one, which it would have switched off.  Where two are off, these are the two that host
 * software leaves out, so they are here, even if firmware would never choose them. */
static uint32_t ethernet_without_name(const kerr_harvesting *h)
{
    if (count_bits(h->eth) == 2) {
        return h->eth;
    }
    uint32_t skip = 0;
    for (unsigned first = 4; first <= 7; first += 3) {
        unsigned which = first + 1;
        for (unsigned i = first; i < first + 3; i++) {
            if (h->eth >> i & 1) {
                which = i;
            }
        }
        skip |= UINT32_C(1) << which;
    }
    return skip;
}

/* Columns that are on come first, in rising order; those that are off go to the far end, in the order of the fuses. */
static void name_columns(const kerr_harvesting *h, translation *t)
{
    unsigned name = 1;
    for (unsigned x = 1; x < NOC_GRID_X; x++) {
        if (column_of(x) < 0 || (h->tensix_columns >> column_of(x) & 1)) {
            continue;
        }
        t->x[name] = (uint8_t)x;
        name = name == 7 ? 10 : name + 1;
    }
    name = NOC_GRID_X - 1;
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (h->tensix_columns >> i & 1) {
            t->x[name--] = column_x[i];
        }
    }
}

/* Banks at x 17 and 18, three rows each from 12 on.  A bank that is off is the last one of x 18. */
static void name_banks(const kerr_harvesting *h, translation *t)
{
    unsigned off = 0;
    while (off < BANKS && !(h->dram >> off & 1)) {
        off++;
    }
    const bool west_first = off >= BANKS / 2; /* none off included */
    t->x[17] = west_first ? 0 : 9;
    t->x[18] = west_first ? 9 : 0;
    const unsigned last = off < BANKS ? off % (BANKS / 2) : BANKS / 2 - 1;
    unsigned name = 12;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned bank = 0; bank < BANKS / 2; bank++) {
            if ((bank == last) == (pass == 1)) {
                memcpy(&t->y[name], bank_y[bank], 3);
                name += 3;
            }
        }
    }
}

static translation translation_for(const kerr_harvesting *h)
{
    translation t = {{0}, {0}};
    for (unsigned i = 0; i < NOC_GRID_X; i++) {
        t.x[i] = (uint8_t)i;
    }
    for (unsigned i = 0; i < NOC_GRID_Y; i++) {
        t.y[i] = (uint8_t)i;
    }
    name_columns(h, &t);
    name_banks(h, &t);
    t.x[19] = h->pcie ? 11 : 2;
    t.y[24] = 0;
    const uint32_t skip = ethernet_without_name(h);
    for (unsigned i = 0, name = 20; i < COLUMNS; i++) {
        if (!(skip >> i & 1)) {
            t.x[name++] = column_x[i];
        }
    }
    t.y[25] = 1;
    memcpy(&t.y[26], l2cpu_y, sizeof l2cpu_y);
    t.y[30] = 2;
    return t;
}

/* The name that a node goes by in NOC_ID_LOGICAL.  Each kind of tile has its box of names; outside of them a node goes
 * by its NoC 0 coordinates, on both NoCs. */
static uint32_t logical_name(const translation *t, unsigned x, unsigned y)
{
    static const struct {
        uint8_t kind, first_x, first_y, last_x, last_y;
    } box[] = {
        {KERR_TILE_TENSIX, 1, 2, 16, 11}, {KERR_TILE_DRAM, 17, 12, 18, 23}, {KERR_TILE_PCIE, 19, 24, 19, 24},
        {KERR_TILE_ETH, 20, 25, 31, 25},  {KERR_TILE_L2CPU, 8, 26, 8, 29},  {KERR_TILE_SECURITY, 8, 30, 8, 30},
    };
    const kerr_tile_kind kind = kerr_tile_kind_at((kerr_xy){(uint8_t)x, (uint8_t)y});
    for (size_t b = 0; b < sizeof box / sizeof *box; b++) {
        if (box[b].kind != kind) {
            continue;
        }
        for (unsigned name_x = box[b].first_x; name_x <= box[b].last_x; name_x++) {
            for (unsigned name_y = box[b].first_y; name_y <= box[b].last_y; name_y++) {
                if (t->x[name_x] == x && t->y[name_y] == y) {
                    return name_x | name_y << LOGICAL_Y_SHIFT;
                }
            }
        }
    }
    return x | y << LOGICAL_Y_SHIFT;
}

/* 32 entries of 5 bits, six to a word. */
static void pack(const uint8_t entry[NAMES], unsigned flip, uint32_t word[6])
{
    for (unsigned i = 0; i < NAMES; i++) {
        const uint32_t value = flip != 0 ? flip - entry[i] : entry[i];
        word[i / 6] |= value << (i % 6 * 5);
    }
}

/* Bits of the columns and rows in which no tile shall receive broadcasts, in raw coordinates of the NoC. */
static uint32_t opt_out_columns(const kerr_harvesting *h, unsigned noc)
{
    uint32_t mask = 0;
    for (unsigned x = 0; x < NOC_GRID_X; x++) {
        if (column_of(x) < 0 || (h->tensix_columns >> column_of(x) & 1)) {
            mask |= UINT32_C(1) << noc_raw_x(noc, x);
        }
    }
    return mask;
}

void noc_tables(const kerr_harvesting *h, noc_node node, unsigned noc, uint32_t cfg[NOC_CFG_WORDS])
{
    const unsigned x = node % NOC_GRID_X, y = node / NOC_GRID_X;
    const translation t = translation_for(h);
    memset(cfg, 0, NOC_CFG_WORDS * sizeof cfg[0]);
    cfg[NOC_CFG_NIU_CFG_0] = NIU_CFG_0_TILE_HEADER_STORE_OFF | NIU_CFG_0_NOC_ID_TRANSLATE_EN |
                             (noc_is_off(h, node) ? NIU_CFG_0_TILE_CLK_OFF : 0);
    if (kerr_tile_kind_at((kerr_xy){(uint8_t)x, (uint8_t)y}) == KERR_TILE_DRAM) {
        cfg[NOC_CFG_NIU_CFG_0] |= NIU_CFG_0_AXI_SLAVE_ENABLE; /* the bank is what a DRAM tile shows when it comes up */
    }
    cfg[NOC_CFG_ROUTER_CFG_0] = 0xF << 8; /* longest back-off */
    cfg[NOC_CFG_ROUTER_CFG_1] = opt_out_columns(h, noc);
    cfg[NOC_CFG_ROUTER_CFG_3] = UINT32_C(1) << noc_raw_y(noc, 0) | UINT32_C(1) << noc_raw_y(noc, 1);
    pack(t.x, noc ? NOC_GRID_X - 1 : 0, &cfg[NOC_CFG_NOC_X_ID_TRANSLATE_TABLE_0]);
    pack(t.y, noc ? NOC_GRID_Y - 1 : 0, &cfg[NOC_CFG_NOC_Y_ID_TRANSLATE_TABLE_0]);
    cfg[NOC_CFG_NOC_ID_LOGICAL] = logical_name(&t, x, y);
    cfg[NOC_CFG_NOC_ID_TRANSLATE_ROW_MASK] = 3; /* rows 0 and 1: x stays as it is */
}
