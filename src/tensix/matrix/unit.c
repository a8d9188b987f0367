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

/* ---- Blocks of Dst in flight --------------------------------------------------------------------------------- */

bool matrix_waits_for_block(tensix_step *s, unsigned block)
{
    const uint64_t since = s->cycle - s->tx->matrix.written;
    if (since >= COST_DST_BLOCK)
        return false;
    for (unsigned age = (unsigned)since, i = 0; age < COST_DST_BLOCK; age++, i++) {
        if ((s->tx->matrix.blocks >> 8 * i & 0xFF) == block + 1) {
            s->again = s->cycle + COST_DST_BLOCK - age;
            s->reason = TENSIX_STALL_UNIT;
            return true;
        }
    }
    return false;
}

void matrix_writes_block(tensix_step *s, unsigned block)
{
    const uint64_t since = s->cycle - s->tx->matrix.written;
    s->tx->matrix.blocks = (since < 8 ? s->tx->matrix.blocks << 8 * since : 0) | (block + 1);
    s->tx->matrix.written = s->cycle;
}

/* ---- Rows of Dst --------------------------------------------------------------------------------------------- */

void matrix_open_rows(const tensix_step *s, const struct matrix_place *place, bool dst32, unsigned count, unsigned step,
                      uint16_t *rows[])
{
    struct tensix_files *files = tile_tensix_files(s->tile);
    const unsigned first = dst32 ? dst_row32(place->access, place->row) : dst_row16(place->access, place->row);
    /* The usual case: eight rows that stand together, all of them valid. */
    if (LIKELY(place->access == 0 && !(files->dst_row_undefined[first / 32] >> (first & 24) & 0xFF))) {
        for (unsigned i = 0; i < count; i++)
            rows[i] = files->DstBits[first + i * step];
        return;
    }
    for (unsigned i = 0; i < count; i++)
        rows[i] = dst32 ? dst_open32(files, place->access, place->row + i * step)
                        : dst_open16(files, place->access, place->row + i * step);
}

void matrix_close_rows(const struct matrix_place *place, bool dst32, unsigned count, uint16_t *const rows[])
{
    if (LIKELY(dst32 || !(place->access & DST_ACCESS_HIGH_HALVES)))
        return;
    for (unsigned i = 0; i < count; i++) /* what nobody can predict (dst_write16) */
        memset(rows[i] + MATRIX_LOW_HALF, 0, sizeof(uint16_t[MATRIX_COLUMNS]));
}
