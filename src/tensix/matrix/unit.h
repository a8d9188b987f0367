/* SPDX-License-Identifier: Apache-2.0 */
/* What the arithmetic instructions of the Matrix Unit have in common beyond regs/matrix_unit.h: how operands are read, when
 * a block of Dst can be read again, and how an instruction ends. */
#ifndef KERR_TENSIX_MATRIX_UNIT_H
#define KERR_TENSIX_MATRIX_UNIT_H

#include "hooks/hooks.h"
#include "tensix/matrix/kernel.h"
#include "tensix/regs/matrix_unit.h"
#include "tensix/regs/rwc.h"

/* Where an instruction works. */
struct matrix_place {
    const uint32_t *config;
    uint32_t access;       /* of Dst */
    unsigned row;          /* the first of Dst */
    unsigned block;        /* of eight rows of DstBits, the one that it is in */
    unsigned a_row, b_row; /* the first of SrcA, of SrcB */
};

/* A fault, and false. */
bool matrix_format_is_unknown(tensix_step *s, unsigned which, unsigned format);
static inline bool matrix_format_is_known(tensix_step *s, unsigned which, unsigned format)
{
    enum { CODE_12 = 12, CODE_13 = 13 };
    return LIKELY(format != CODE_12 && format != CODE_13) || matrix_format_is_unknown(s, which, format);
}

static inline enum matrix_style matrix_style_of(unsigned format)
{
    switch (src_style_of(format)) {
    case SRC_STYLE_TF32: return MATRIX_TF32;
    case SRC_STYLE_FP16: return MATRIX_FP16;
    default: return MATRIX_BF16;
    }
}

/* Formats and fidelity phase as manual MVMUL "Functional model" determines them.  OPEN: ALU_ROUNDING_MODE_Fpu_srnd_en, _GS_LF and
 * _Bfp8_HF are known by one line each, and have no effect (docs/errata-tensix.md).  False: a format without a meaning, and a
 * fault that says so. */
static inline bool matrix_mode_of(tensix_step *s, const uint32_t *config, struct matrix_mode *mode)
{
    *mode = (struct matrix_mode){.phase = (s->t->rwc.fidelity_phase + CFG_FIELD(s->t->config, FIDELITY_BASE_Phase)) & 3,
                                 .keep_zero_b = CFG_FIELD(config, ALU_ACC_CTRL_Zero_Flag_disabled_src)};
    if (UNLIKELY(CFG_FIELD(s->t->config, FP16A_FORCE_Enable))) {
        mode->a = mode->b = MATRIX_FP16;
        return true;
    }
    if (CFG_FIELD(config, ALU_ACC_CTRL_INT8_math_enabled)) {
        mode->a = mode->b = MATRIX_INT8;
        mode->dst32 = true;
        return true;
    }
    const unsigned a = src_format(s, config, SRC_A), b = src_format(s, config, SRC_B);
    if (!matrix_format_is_known(s, SRC_A, a))
        return false;
    mode->a = (uint8_t)matrix_style_of(a);
    mode->dst32 = CFG_FIELD(config, ALU_ACC_CTRL_Fp32_enabled);
    /* The manual reads SrcB as SrcA; in the reference simulator the low mantissa bits of SrcB count or not by its own
     * format (docs/matrix-arithmetic.md, section 1). */
    mode->b = mode->a;
    if (mode->a != MATRIX_FP16) {
        if (!matrix_format_is_known(s, SRC_B, b))
            return false;
        if (matrix_style_of(b) != MATRIX_FP16)
            mode->b = (uint8_t)matrix_style_of(b);
    }
    return true;
}

/* The first cycle from `cycle` on in which `block` can be read; the first two are those of struct tensix_matrix. */
static inline uint64_t matrix_block_free(uint64_t written, uint64_t blocks, unsigned block, uint64_t cycle)
{
    const uint64_t since = cycle - written;
    if (since >= COST_DST_BLOCK)
        return cycle;
    /* The lowest byte that is block + 1, of those that are not too old. */
    const uint64_t ones = UINT64_C(0x0101010101010101), other = blocks ^ ones * (block + 1);
    const uint64_t young = (UINT64_C(1) << 8 * (COST_DST_BLOCK - since)) - 1;
    const uint64_t same = (other - ones) & ~other & ones << 7 & young;
    if (LIKELY(same == 0))
        return cycle;
    return cycle + COST_DST_BLOCK - since - (unsigned)__builtin_ctzll(same) / 8;
}
_Static_assert(COST_DST_BLOCK < 8, "bytes of matrix.blocks");
static inline void matrix_block_written(uint64_t *written, uint64_t *blocks, unsigned block, uint64_t cycle)
{
    const uint64_t since = cycle - *written;
    *blocks = (since < 8 ? *blocks << 8 * since : 0) | (block + 1);
    *written = cycle;
}

/* Manual Dst, "Instruction scheduling": an aligned 8x16 block cannot be read for some cycles after an instruction that
 * writes it was issued.  `block` is the first row of DstBits over eight.  True: return STEP_STALLED. */
static inline bool matrix_waits_for_block(tensix_step *s, unsigned block)
{
    const uint64_t free = matrix_block_free(s->tx->matrix.written, s->tx->matrix.blocks, block, s->cycle);
    if (LIKELY(free == s->cycle))
        return false;
    s->again = free;
    s->reason = TENSIX_STALL_UNIT;
    return true;
}
static inline void matrix_writes_block(tensix_step *s, unsigned block)
{
    matrix_block_written(&s->tx->matrix.written, &s->tx->matrix.blocks, block, s->cycle);
}

/* Rows of Dst as kernel.h wants them: `count` of them, `step` apart, from place->row on, all within one block of eight.
 * Undefined ones become zero and valid. */
void matrix_open_other_rows(struct tensix_files *files, const struct matrix_place *place, bool dst32, unsigned count,
                            unsigned step, uint16_t *rows[]);
static inline void matrix_open_rows(struct tensix_files *files, const struct matrix_place *place, bool dst32,
                                    unsigned count, unsigned step, uint16_t *rows[])
{
    /* The usual case: rows that stand together, all of them valid. */
    const unsigned first = place->block * 8;
    const uint32_t wanted = (UINT32_C(1) << ((count - 1) * step + 1)) - 1;
    const uint32_t undefined = files->dst_row_undefined[first / 32] >> (first & 24);
    if (LIKELY(place->access == 0 && !(undefined & wanted << place->row % 8)))
        for (unsigned i = 0; i < count; i++)
            rows[i] = files->DstBits[first + place->row % 8 + i * step];
    else
        matrix_open_other_rows(files, place, dst32, count, step, rows);
}
/* Behind the arithmetic, with the same arguments. */
void matrix_close_other_rows(unsigned count, uint16_t *const rows[]);
static inline void matrix_close_rows(const struct matrix_place *place, bool dst32, unsigned count,
                                     uint16_t *const rows[])
{
    if (UNLIKELY(!dst32 && place->access & DST_ACCESS_HIGH_HALVES))
        matrix_close_other_rows(count, rows);
}

/* From a row on, of the bank of SrcA or SrcB that the Matrix Unit is at. */
static inline const uint32_t *matrix_source(struct tensix_files *files, const tensix_step *s, unsigned which,
                                            unsigned row)
{
    return src_matrix_rows(files, s->tx, which)[row];
}
static inline unsigned matrix_block(const struct matrix_place *place, bool dst32)
{
    return (dst32 ? dst_row32(place->access, place->row) : dst_row16(place->access, place->row)) / 8;
}

/* For checks: rows of the operands, and of Dst as `how` says (hooks/hooks.h). */
void matrix_tell_rows(const tensix_step *s, const struct matrix_place *place, bool dst32, unsigned a_rows,
                      unsigned b_rows, unsigned dst_rows, unsigned dst_step, unsigned how);
static inline void matrix_tell(const tensix_step *s, const struct matrix_place *place, bool dst32, unsigned a_rows,
                               unsigned b_rows, unsigned dst_rows, unsigned dst_step, unsigned how)
{
    if (CHECKED(s->tile))
        matrix_tell_rows(s, place, dst32, a_rows, b_rows, dst_rows, dst_step, how);
}

/* Flips, row counters. */
static inline void matrix_ends(tensix_step *s, unsigned AddrMod, uint32_t FlipSrcA, uint32_t FlipSrcB)
{
    src_matrix_flips_if(s, FlipSrcA, FlipSrcB);
    rwc_apply_addr_mod(s->t, AddrMod);
}

#endif
