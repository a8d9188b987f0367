/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOADI, SFPLOAD (1392d237) and SFPSTORE (0f3f6b70).
 *
 * 32 lanes are the even or the odd columns of four rows of Dst that stand together in DstBits: lane i is row i / 8, column
 * 2 * (i % 8), plus one if odd.  A row that ZEROACC has made undefined reads as zero; what is stored makes it valid. */
#include "tensix/vector/lanes.h"

#include "base/bits.h"
#include "num/sfpu_cells.h"
#include "tensix/regs/dst.h"

enum { ROWS = LANES / LANE_COLUMNS };
_Static_assert(ROWS *DST_COLUMNS * 2 == LANES * 4, "four rows of Dst are as large as a register");

SIMD_CLONES void vector_loadi(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { FLOATB = 0, FLOATA = 1, USHORT = 2, SHORT = 4, UPPER = 8, LOWER = 10 };
    const uint32_t immediate = (uint32_t)o->imm & 0xFFFF;
    uint32_t value, keep = 0; /* bits of the old value */
    switch (o->mod) {
    case FLOATB: value = immediate << 16; break;
    case FLOATA: value = fp32_from_fp16_rebias((struct fp16){(uint16_t)immediate}).bits; break;
    case USHORT: value = immediate; break;
    case SHORT: value = (uint32_t)(int16_t)immediate; break;
    case UPPER: value = immediate << 16, keep = 0xFFFF; break;
    case LOWER: value = immediate, keep = 0xFFFF0000; break;
    default: return; /* undefined */
    }
    if (keep == 0)
        RESULT(value);
    else
        RESULT(value | (VD_[i] & keep));
}

/* ---- Dst ---------------------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) bool is_32b(unsigned Mod0, bool load)
{
    switch (Mod0) {
    case MOD0_FMT_FP32:
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_ALL:
    case MOD0_FMT_INT32_SM: return true;
    case MOD0_FMT_LO16:
    case MOD0_FMT_HI16: return !load;
    default: return false;
    }
}

bool vector_is_wide(unsigned Mod0, bool load)
{
    return is_32b(Mod0, load);
}

/* The first of the four rows in DstBits. */
static inline __attribute__((always_inline)) unsigned first_row(struct vector_dst at, bool wide)
{
    const unsigned row = at.Addr & ~3u & (DST_ROWS - 1);
    return wide ? dst_row32(at.access, row) : dst_row16(at.access, row);
}

bool vector_meet(const struct vector_files *v, const struct vector_operands *load, struct vector_dst from,
                 const struct vector_operands *store, struct vector_dst to)
{
    const bool wide_load = is_32b(load->mod, true), wide_store = is_32b(store->mod, false);
    const unsigned a = first_row(from, wide_load), b = first_row(to, wide_store);
    if (!(v->lane_config_any & (LANE_CONFIG_DEST_RD_COL_EXCHANGE | LANE_CONFIG_DEST_WR_COL_EXCHANGE)) &&
        ((from.Addr ^ to.Addr) & 2))
        return false; /* one has the even columns, the other the odd ones */
    return a == b || (wide_load && a + DST_LOW_HALF == b) ||
           ((wide_store || (to.access & DST_ACCESS_HIGH_HALVES)) && b + DST_LOW_HALF == a);
}

/* Lanes that take the odd columns. */
static inline __attribute__((always_inline)) uint32_t odd_columns(const struct vector_files *v, struct vector_dst at,
                                                                  uint32_t exchange)
{
    const uint32_t first = vector_lanes_with(v, exchange) & ((1u << LANE_COLUMNS) - 1);
    return at.Addr & 2 ? UINT32_MAX : first * 0x01010101u;
}

/* 16 bits of each lane from four rows. */
static inline void cells(const uint16_t rows[ROWS][DST_COLUMNS], uint32_t odd, uint32_t r[LANES])
{
    uint32_t pair[LANES];
    lanes_copy(pair, rows); /* a pair of columns for each lane, the even one low */
    if (odd == 0)
        LANEWISE(r, pair[i] & 0xFFFF);
    else if (odd == UINT32_MAX)
        LANEWISE(r, pair[i] >> 16);
    else
        LANEWISE(r, odd >> i & 1 ? pair[i] >> 16 : pair[i] & 0xFFFF);
}

static inline void put_cells(uint16_t rows[ROWS][DST_COLUMNS], uint32_t odd, uint32_t lanes, const uint32_t r[LANES])
{
    uint32_t pair[LANES], with[LANES];
    lanes_copy(pair, rows);
    if (odd == 0)
        LANEWISE(with, (pair[i] & 0xFFFF0000u) | (r[i] & 0xFFFF));
    else if (odd == UINT32_MAX)
        LANEWISE(with, (pair[i] & 0xFFFF) | r[i] << 16);
    else
        LANEWISE(with, odd >> i & 1 ? (pair[i] & 0xFFFF) | r[i] << 16 : (pair[i] & 0xFFFF0000u) | (r[i] & 0xFFFF));
    lanes_blend(pair, with, lanes);
    lanes_copy(rows, pair);
}

static inline __attribute__((always_inline)) bool all_valid(const struct tensix_files *files, unsigned first)
{
    return (files->dst_row_undefined[first / 32] >> first % 32 & 15) == 0; /* four rows are aligned */
}

static inline void load_cells(struct tensix_files *files, unsigned Mod0, uint32_t access, uint32_t access_row,
                              uint32_t odd, uint32_t r[LANES])
{
    cells((const uint16_t(*)[DST_COLUMNS])files->DstBits[access_row], odd, r);
    if (is_32b(Mod0, true)) {
        uint32_t low[LANES];
        cells((const uint16_t(*)[DST_COLUMNS])files->DstBits[access_row + DST_LOW_HALF], odd, low);
        LANEWISE(r, r[i] << 16 | low[i]);
    }
    if (LIKELY(all_valid(files, access_row)))
        return;
    for (unsigned i = 0; i < LANES; i++)
        r[i] = dst_row_counts(files, access, access_row + i / LANE_COLUMNS) ? r[i] : 0;
}

/* The same format for all lanes. */
static inline void convert_loaded(const struct vector_files *v, const struct vector_operands *o, uint32_t r[LANES])
{
    const uint32_t infinity = vector_lanes_with(v, LANE_CONFIG_ENABLE_FP16A_INF);
    const uint32_t *old = v->LReg[o->VD];
#define CELL ((struct dst16_cell){(uint16_t)r[i]})
    switch (o->mod) {
    case MOD0_FMT_FP16: LANEWISE(r, lreg_from_dst16_fp16(CELL, infinity >> i & 1)); break;
    case MOD0_FMT_BF16: LANEWISE(r, lreg_from_dst16_bf16(CELL)); break;
    case MOD0_FMT_FP32:
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_ALL:
    case MOD0_FMT_INT32_SM: LANEWISE(r, lreg_from_dst32((struct dst32_cell){r[i]})); break;
    case MOD0_FMT_INT8: LANEWISE(r, lreg_from_dst16_int8(CELL)); break;
    case MOD0_FMT_INT8_COMP: LANEWISE(r, lreg_from_dst16_int8_comp(CELL)); break;
    case MOD0_FMT_LO16_ONLY: LANEWISE(r, (old[i] & 0xFFFF0000u) | r[i]); break;
    case MOD0_FMT_HI16_ONLY: LANEWISE(r, r[i] << 16 | (old[i] & 0xFFFF)); break;
    case MOD0_FMT_INT16: LANEWISE(r, lreg_from_dst16_int16(CELL)); break;
    case MOD0_FMT_HI16: LANEWISE(r, r[i] << 16); break;
    case MOD0_FMT_ZERO: LANEWISE(r, 0); break;
    default: break; /* UINT16 and LO16: as they are */
    }
#undef CELL
}

SIMD_CLONES void vector_load(struct tensix_files *files, uint32_t lanes, const struct vector_operands *o,
                             struct vector_dst at)
{
    struct vector_files *v = &files->vector;
    if (o->VD >= 8)
        return;
    lanes &= ~vector_lanes_with(v, LANE_CONFIG_BLOCK_SFPU_RD_FROM_DEST);
    const uint32_t odd = odd_columns(v, at, LANE_CONFIG_DEST_RD_COL_EXCHANGE);
    uint32_t r[LANES];
    load_cells(files, o->mod, at.access, first_row(at, is_32b(o->mod, true)), odd, r);
    convert_loaded(v, o, r);
    lanes_put(v, lanes, o->VD, r);
    if (LIKELY(o->VD >= 4 || !(v->lane_config_any & LANE_CONFIG_CAPTURE_DEFAULT_DEST_INDEX)))
        return;
    const unsigned row = at.Addr & ~3u & (DST_ROWS - 1);
    LANEWISE(r, (row + i / LANE_COLUMNS) << 4 | (i % LANE_COLUMNS * 2 + (odd >> i & 1)));
    lanes &= vector_lanes_with(v, LANE_CONFIG_ENABLE_DEST_INDEX);
    lanes_put(v, lanes & vector_lanes_with(v, LANE_CONFIG_CAPTURE_DEFAULT_DEST_INDEX), o->VD + 4u, r);
}

static inline void convert_stored(const uint32_t x[LANES], unsigned Mod0, uint32_t r[LANES])
{
    switch (Mod0) {
    case MOD0_FMT_FP16: LANEWISE(r, dst16_from_lreg_fp16(x[i]).bits); break;
    case MOD0_FMT_BF16: LANEWISE(r, dst16_from_lreg_bf16(x[i]).bits); break;
    case MOD0_FMT_FP32: LANEWISE(r, dst32_from_lreg_fp32(x[i]).bits); break;
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_ALL:
    case MOD0_FMT_INT32_SM: LANEWISE(r, dst32_from_lreg_int32(x[i]).bits); break;
    case MOD0_FMT_INT8:
    case MOD0_FMT_INT8_COMP: LANEWISE(r, dst16_from_lreg_int8(x[i]).bits); break;
    case MOD0_FMT_HI16_ONLY: LANEWISE(r, x[i] >> 16); break;
    case MOD0_FMT_INT16: LANEWISE(r, dst16_from_lreg_int16(x[i]).bits); break;
    case MOD0_FMT_LO16: LANEWISE(r, dst32_from_lreg_lo16(x[i]).bits); break;
    case MOD0_FMT_HI16: LANEWISE(r, dst32_from_lreg_hi16(x[i]).bits); break;
    case MOD0_FMT_ZERO: LANEWISE(r, 0); break;
    default: LANEWISE(r, x[i] & 0xFFFF); /* UINT16, LO16_ONLY */
    }
}

/* Rows in which something is stored become valid; what else is in them is zero then. */
static void open_rows(struct tensix_files *files, uint32_t access, unsigned first, uint32_t lanes, bool wide)
{
    const bool zero = !(access & DST_ACCESS_NO_ZERO_FLAGS);
    for (unsigned row = first; row < first + ROWS; row++) {
        if (dst_row_valid(files, row) || (lanes >> (row - first) * LANE_COLUMNS & 0xFF) == 0)
            continue;
        if (zero)
            memset(files->DstBits[row], 0, sizeof files->DstBits[row]);
        if (zero && wide)
            memset(files->DstBits[row + DST_LOW_HALF], 0, sizeof files->DstBits[row]);
        dst_set_row_valid(files, row, true);
    }
}

SIMD_CLONES void vector_store(struct tensix_files *files, uint32_t lanes, const struct vector_operands *o,
                              struct vector_dst at)
{
    const struct vector_files *v = &files->vector;
    lanes &= ~vector_lanes_with(v, LANE_CONFIG_BLOCK_DEST_WR_FROM_SFPU);
    const bool wide = is_32b(o->mod, false);
    const unsigned first = first_row(at, wide);
    const uint32_t odd = odd_columns(v, at, LANE_CONFIG_DEST_WR_COL_EXCHANGE);
    uint32_t r[LANES], half[LANES];
    if (UNLIKELY(!all_valid(files, first)))
        open_rows(files, at.access, first, lanes, wide || (at.access & DST_ACCESS_HIGH_HALVES));
    convert_stored(v->LReg[o->VD], o->mod, r);
    if (wide) {
        put_cells((uint16_t(*)[DST_COLUMNS])files->DstBits[first + DST_LOW_HALF], odd, lanes, r);
        LANEWISE(half, r[i] >> 16);
        put_cells((uint16_t(*)[DST_COLUMNS])files->DstBits[first], odd, lanes, half);
        return;
    }
    put_cells((uint16_t(*)[DST_COLUMNS])files->DstBits[first], odd, lanes, r);
    if (UNLIKELY(at.access & DST_ACCESS_HIGH_HALVES)) { /* the manual calls the low half unpredictable then: zero */
        memset(half, 0, sizeof half);
        put_cells((uint16_t(*)[DST_COLUMNS])files->DstBits[first + DST_LOW_HALF], odd, lanes, half);
    }
}
