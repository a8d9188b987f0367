/* SPDX-License-Identifier: Apache-2.0 */
/* What the pages of the Matrix Unit's instructions have in common (manual WormholeB0 MatrixUnit): configuration, which row
 * of Dst, and how wide it is. */
#ifndef KERR_TENSIX_REGS_MATRIX_UNIT_H
#define KERR_TENSIX_REGS_MATRIX_UNIT_H

#include "num/formats.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/src.h"

#include "tensix_isa.h" /* before tile_regs.h */

/* Config[StateID]. */
static inline const uint32_t *step_config(const tensix_step *s)
{
    return s->tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
}

/* For `cycles` cycles after this one the unit takes nothing but what `only` says: manual MOVD2A, MOVB2A, MOVD2B. */
enum { MATRIX_ONLY_TO_SRCA = 1 /* MOVD2A and MOVB2A */, MATRIX_ONLY_MOVD2B };
static inline void matrix_accepts_only(const tensix_step *s, unsigned only, unsigned cycles)
{
    s->tx->matrix.only = (uint8_t)only;
    s->tx->matrix.only_before = s->cycle + 1 + cycles;
}
static inline bool matrix_accepts(const tensix_step *s)
{
    return s->tx->matrix.only == MATRIX_ONLY_MOVD2B ? s->op == TENSIX_MOVD2B
                                                    : s->op == TENSIX_MOVD2A || s->op == TENSIX_MOVB2A;
}

/* Every instruction of the unit asks this first: when true, return STEP_STALLED.
 * Manual SoftReset: instructions do not start while the unit is held in reset.  It leaves open whether they are discarded;
 * here they wait. */
static inline bool matrix_held(tensix_step *s)
{
    enum { SOFT_RESET_FPU_SFPU = 10 };
    if (UNLIKELY((*s->tile->soft_reset >> SOFT_RESET_FPU_SFPU & 1) != 0)) {
        s->again = UINT64_MAX; /* soft_reset.c says when */
        return true;
    }
    if (UNLIKELY(s->cycle < s->tx->matrix.only_before) && !matrix_accepts(s)) {
        struct tensix_matrix *m = &s->tx->matrix;
        const uint64_t counted = m->moved_until > s->cycle ? m->moved_until : s->cycle;
        m->moved += m->only_before > counted ? (uint32_t)(m->only_before - counted) : 0;
        m->moved_until = m->only_before;
        s->again = m->only_before;
        return true;
    }
    return false;
}

/* ---- Dst ----------------------------------------------------------------------------------------------------- */

/* For regs/dst.h; features: RISCV_DEBUG_REG_DBG_FEATURE_DISABLE. */
static inline uint32_t dst_access_of(uint32_t features, const uint32_t *config)
{
    enum { FEATURE_DISABLE_DST_IS_32B = 11 };
    return (config[DEST_ACCESS_CFG_remap_addrs_ADDR32] &
            (DEST_ACCESS_CFG_remap_addrs_MASK | DEST_ACCESS_CFG_swizzle_32b_MASK)) |
           (features >> FEATURE_DISABLE_DST_IS_32B & 1) << 31;
}
static inline uint32_t dst_access(const tensix_step *s, const uint32_t *config)
{
    const uint32_t no_zero_flags = CFG_FIELD(config, ALU_ACC_CTRL_Zero_Flag_disabled_dst);
    return dst_access_of(*s->tile->features, config) | (no_zero_flags ? DST_ACCESS_NO_ZERO_FLAGS : 0);
}
/* The row that an instruction with DstRow in its word means, before it is aligned to a block: ten bits. */
static inline unsigned matrix_dst_row(const tensix_step *s, const uint32_t *config, unsigned DstRow)
{
    return (DstRow + CFG_FIELD(s->t->config, DEST_TARGET_REG_CFG_MATH_Offset) + s->t->rwc.dst +
            CFG_FIELD(config, DEST_REGW_BASE_Base)) &
           (DST_ROWS - 1);
}
/* Whether Dst is Dst32b. */
static inline bool matrix_dst_is_32b(const uint32_t *config)
{
    return (config[ALU_ACC_CTRL_Fp32_enabled_ADDR32] &
            (ALU_ACC_CTRL_Fp32_enabled_MASK | ALU_ACC_CTRL_INT8_math_enabled_MASK)) != 0;
}
_Static_assert(ALU_ACC_CTRL_Fp32_enabled_ADDR32 == ALU_ACC_CTRL_INT8_math_enabled_ADDR32, "read as one");

/* Columns that LaneConfig.BLOCK_DEST_MOV keeps moves from writing, as bits. */
static inline uint32_t matrix_blocked_columns(const struct vector_files *vector)
{
    uint32_t blocked = 0;
    for (unsigned i = 0; i < DST_COLUMNS / 2; i++)
        blocked |= (vector->LaneConfig[i] >> LANE_CONFIG_BLOCK_DEST_MOV_SHIFT & 3) << 2 * i;
    return blocked;
}

/* SHIFTXA finds its input where the last instruction that computed a row of SrcA had it: those say so. */
static inline void matrix_used_srca_row(struct tensix *tx, unsigned row)
{
    tx->src[SRC_A].last_row = row & (SRC_ROWS - 1);
}

/* ---- Formats ---------------------------------------------------------------------------------------------------- */

/* How the Matrix Unit takes the cells of a format. */
enum src_style { SRC_STYLE_BF16, SRC_STYLE_FP16, SRC_STYLE_TF32 };
static inline enum src_style src_style_of(unsigned format)
{
    return format == FORMAT_TF32 ? SRC_STYLE_TF32 : format_has_8b_exponent(format) ? SRC_STYLE_BF16 : SRC_STYLE_FP16;
}

#endif
