/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/matrix/unit.h"

/* ---- Formats ------------------------------------------------------------------------------------------------- */

static enum matrix_style style_of(unsigned format)
{
    switch (src_style_of(format)) {
    case SRC_STYLE_TF32: return MATRIX_TF32;
    case SRC_STYLE_FP16: return MATRIX_FP16;
    default: return MATRIX_BF16;
    }
}

static bool format_is_known(tensix_step *s, unsigned which, unsigned format)
{
    enum { CODE_12 = 12, CODE_13 = 13 };
    if (LIKELY(format != CODE_12 && format != CODE_13))
        return true;
    tensix_fault(s, KERR_FAULT_UNKNOWN, "WormholeB0 TensixCoprocessor/MVMUL",
                 "%s format %u (%s): no document says what it is", which == SRC_A ? "SrcA" : "SrcB", format,
                 src_format_is_implied(s->t, which) ? "implied by what was unpacked" : "ALU_FORMAT_SPEC_REG");
    return false;
}

bool matrix_mode_of(tensix_step *s, const uint32_t *config, struct matrix_mode *mode)
{
    *mode = (struct matrix_mode){.phase = (s->t->rwc.fidelity_phase + CFG_FIELD(s->t->config, FIDELITY_BASE_Phase)) & 3,
                                 .keep_zero_b = CFG_FIELD(config, ALU_ACC_CTRL_Zero_Flag_disabled_src)};
    if (CFG_FIELD(s->t->config, FP16A_FORCE_Enable)) {
        mode->a = mode->b = MATRIX_FP16;
        return true;
    }
    if (CFG_FIELD(config, ALU_ACC_CTRL_INT8_math_enabled)) {
        mode->a = mode->b = MATRIX_INT8;
        mode->dst32 = true;
        return true;
    }
    const unsigned a = src_format(s, config, SRC_A), b = src_format(s, config, SRC_B);
    if (!format_is_known(s, SRC_A, a))
        return false;
    mode->a = (uint8_t)style_of(a);
    mode->dst32 = CFG_FIELD(config, ALU_ACC_CTRL_Fp32_enabled);
    /* The manual reads SrcB as SrcA; in the reference simulator the low mantissa bits of SrcB count or not by its own
     * format (docs/matrix-arithmetic.md, section 1). */
    mode->b = mode->a;
    if (mode->a != MATRIX_FP16) {
        if (!format_is_known(s, SRC_B, b))
            return false;
        if (style_of(b) != MATRIX_FP16)
            mode->b = (uint8_t)style_of(b);
    }
    return true;
}

/* ---- Rows of Dst --------------------------------------------------------------------------------------------- */

void matrix_open_other_rows(struct tensix_files *files, const struct matrix_place *place, bool dst32, unsigned count,
                            unsigned step, uint16_t *rows[])
{
    for (unsigned i = 0; i < count; i++)
        rows[i] = dst32 ? dst_open32(files, place->access, place->row + i * step)
                        : dst_open16(files, place->access, place->row + i * step);
}

void matrix_close_other_rows(unsigned count, uint16_t *const rows[])
{
    for (unsigned i = 0; i < count; i++) /* what nobody can predict (dst_write16) */
        memset(rows[i] + MATRIX_LOW_HALF, 0, sizeof(uint16_t[MATRIX_COLUMNS]));
}
