/* SPDX-License-Identifier: Apache-2.0 */
/* Dst (manual BlackholeA0 Dst, 093af914): 1024 rows of 16 cells of 16 bits, Dst16b, or 512 rows of 32 bits, Dst32b, in the
 * same memory (DstBits, tensix/files.h).
 *
 * `access` is how rows are addressed: take it once per instruction (dst_access, regs/matrix_unit.h).  A row may be
 * undefined (DstRowValid is false, after ZEROACC); here it reads as zero, which is what packers and all of the Matrix Unit
 * but maxima find.  Whatever writes a row makes it valid.
 *
 * Rows of an aligned block of four stand together in DstBits, in both views and whatever `access` is; the low half of a row
 * of Dst32b stands eight rows below its high half. */
#ifndef KERR_TENSIX_REGS_DST_H
#define KERR_TENSIX_REGS_DST_H

#include "tensix/files.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "num/dst_cells.h"

#include <string.h>

enum { DST_LOW_HALF = 8 /* rows below the high half */ };

/* In `access`, with DEST_ACCESS_CFG_remap_addrs and _swizzle_32b: bit 11 of RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, with which
 * Dst16b is the high halves of Dst32b. */
#define DST_ACCESS_HIGH_HALVES (UINT32_C(1) << 31)
/* ALU_ACC_CTRL_Zero_Flag_disabled_dst, by LLK hal/cfg "disables zero flag reads": undefined rows are what they hold.
 * OPEN: which of those that read Dst heed it: here all instructions, by the configuration of their thread. */
#define DST_ACCESS_NO_ZERO_FLAGS (UINT32_C(1) << 30)

/* Adj16 and Adj32: where row `row` of Dst16b, of Dst32b (its high half), is in DstBits. */
static inline unsigned dst_adj16(uint32_t access, unsigned row)
{
    row &= DST_ROWS - 1;
    if (access & DEST_ACCESS_CFG_remap_addrs_MASK)
        row = (row & 0x3C7) ^ (row & 0x030) >> 1 ^ (row & 0x008) << 2;
    return row;
}
static inline unsigned dst_adj32(uint32_t access, unsigned row)
{
    row = dst_adj16(access, row);
    if (access & DEST_ACCESS_CFG_swizzle_32b_MASK)
        row = (row & 0x3F3) ^ (row & 0x018) >> 1 ^ (row & 0x004) << 1;
    return (row & 0x1F8) << 1 | (row & 0x207);
}
/* Where row `row` of Dst16b is: Adj16, or Adj32 with DST_ACCESS_HIGH_HALVES. */
static inline unsigned dst_row16(uint32_t access, unsigned row)
{
    return access & DST_ACCESS_HIGH_HALVES ? dst_adj32(access, row) : dst_adj16(access, row);
}
/* Where the high half of row `row` of Dst32b is. */
static inline unsigned dst_row32(uint32_t access, unsigned row)
{
    return dst_adj32(access, row);
}

/* ---- DstRowValid, by row of DstBits ---- */

static inline bool dst_row_valid(const struct tensix_files *files, unsigned row)
{
    return !(files->dst_row_undefined[row / 32] >> row % 32 & 1);
}
/* What is in it counts. */
static inline bool dst_row_counts(const struct tensix_files *files, uint32_t access, unsigned row)
{
    return dst_row_valid(files, row) || (access & DST_ACCESS_NO_ZERO_FLAGS) != 0;
}
static inline void dst_set_row_valid(struct tensix_files *files, unsigned row, bool valid)
{
    const uint32_t bit = UINT32_C(1) << row % 32;
    files->dst_row_undefined[row / 32] = (files->dst_row_undefined[row / 32] & ~bit) | (valid ? 0 : bit);
}
/* The same for `count` rows from `first` on, both multiples of 8. */
void dst_set_rows_valid(struct tensix_files *files, unsigned first, unsigned count, bool valid);

/* ---- A row, to be read and written in place ---- */

/* The row of DstBits that a row of Dst16b is: an undefined one becomes zero first, then it is valid. */
static inline uint16_t *dst_open16(struct tensix_files *files, uint32_t access, unsigned row)
{
    const unsigned r = dst_row16(access, row);
    if (UNLIKELY(!dst_row_valid(files, r))) {
        if (!(access & DST_ACCESS_NO_ZERO_FLAGS))
            memset(files->DstBits[r], 0, sizeof files->DstBits[r]);
        dst_set_row_valid(files, r, true);
    }
    return files->DstBits[r];
}
/* The high half of a row of Dst32b; the low half is at [DST_LOW_HALF * DST_COLUMNS]. */
static inline uint16_t *dst_open32(struct tensix_files *files, uint32_t access, unsigned row)
{
    const unsigned r = dst_row32(access, row);
    if (UNLIKELY(!dst_row_valid(files, r))) {
        if (!(access & DST_ACCESS_NO_ZERO_FLAGS)) {
            memset(files->DstBits[r], 0, sizeof files->DstBits[r]);
            memset(files->DstBits[r + DST_LOW_HALF], 0, sizeof files->DstBits[r]);
        }
        dst_set_row_valid(files, r, true);
    }
    return files->DstBits[r];
}

/* ---- A row as values ---- */

static inline void dst_read16(const struct tensix_files *files, uint32_t access, unsigned row,
                              uint16_t values[DST_COLUMNS])
{
    const unsigned r = dst_row16(access, row);
    if (LIKELY(dst_row_counts(files, access, r)))
        memcpy(values, files->DstBits[r], sizeof files->DstBits[r]);
    else
        memset(values, 0, sizeof files->DstBits[r]);
}
/* With DST_ACCESS_HIGH_HALVES the low half gets something that nobody can predict: zero here. */
static inline void dst_write16(struct tensix_files *files, uint32_t access, unsigned row,
                               const uint16_t values[DST_COLUMNS])
{
    const unsigned r = dst_row16(access, row);
    memcpy(files->DstBits[r], values, sizeof files->DstBits[r]);
    if (UNLIKELY((access & DST_ACCESS_HIGH_HALVES) != 0))
        memset(files->DstBits[r + DST_LOW_HALF], 0, sizeof files->DstBits[r]);
    dst_set_row_valid(files, r, true);
}
static inline void dst_read32(const struct tensix_files *files, uint32_t access, unsigned row,
                              uint32_t values[DST_COLUMNS])
{
    const unsigned r = dst_row32(access, row);
    const uint16_t *high = files->DstBits[r], *low = files->DstBits[r + DST_LOW_HALF];
    const uint32_t mask = dst_row_counts(files, access, r) ? UINT32_MAX : 0;
    for (unsigned i = 0; i < DST_COLUMNS; i++)
        values[i] = ((uint32_t)high[i] << 16 | low[i]) & mask;
}
static inline void dst_write32(struct tensix_files *files, uint32_t access, unsigned row,
                               const uint32_t values[DST_COLUMNS])
{
    const unsigned r = dst_row32(access, row);
    uint16_t *high = files->DstBits[r], *low = files->DstBits[r + DST_LOW_HALF];
    for (unsigned i = 0; i < DST_COLUMNS; i++) {
        high[i] = (uint16_t)(values[i] >> 16);
        low[i] = (uint16_t)values[i];
    }
    dst_set_row_valid(files, r, true);
}

/* ---- Order of bits (manual Dst "Data type bit layout", "Pseudocode helpers"): Dst has the mantissa before the exponent ---- */

static inline uint16_t dst_encode_bf16(uint16_t x)
{
    return dst16_from_bf16((struct bf16){x}).bits;
}
static inline uint16_t dst_decode_bf16(uint16_t x)
{
    return bf16_from_dst16((struct dst16_cell){x}).bits;
}
static inline uint16_t dst_encode_fp16(uint16_t x)
{
    return dst16_from_fp16((struct fp16){x}).bits;
}
static inline uint16_t dst_decode_fp16(uint16_t x)
{
    return fp16_from_dst16((struct dst16_cell){x}).bits;
}
/* FP32 and Integer "32": the high half is in the order of BF16. */
static inline uint32_t dst_encode_fp32(uint32_t x)
{
    return dst32_from_bits(x).bits;
}
static inline uint32_t dst_decode_fp32(uint32_t x)
{
    return bits_from_dst32((struct dst32_cell){x});
}

#endif
