/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Unit (FPU): manual WormholeB0 MatrixUnit and the pages of its instructions, in Blackhole's encodings. */
#include "tensix_units.h"

#include "hooks/hooks.h"
#include "tensix/regs/matrix_unit.h"
#include "tensix/regs/rwc.h"

enum { SOFT_RESET_ZEROACC = 17 };

/* ---- ZEROACC ------------------------------------------------------------------------------------------------- */

enum { ZEROACC_MODE_ONE_ROW, ZEROACC_MODE_16_ROWS, ZEROACC_MODE_HALF_OF_DST, ZEROACC_MODE_ALL_OF_DST };

/* Rows that read as zero from now on have been written, as far as checks are concerned. */
static void set_rows(const tensix_step *s, struct tensix_files *files, unsigned first, unsigned count, bool valid)
{
    hook_dst_bits(s->tile, first, count, valid ? 0 : CHECK_WRITE);
    dst_set_rows_valid(files, first, count, valid);
}

/* One row, by its place in DstBits: the manual has Adj32 for a Dst of 32 bits, two cards take the row as it is.  They clear
 * eight rows, those of its aligned block, when AddrMod is odd.
 * OPEN: both measured with UseDst32b clear, the eight rows at row 0 only. */
static void zeroacc_one_row(const tensix_step *s, struct tensix_files *files, const struct op_ZEROACC *op)
{
    const unsigned row = matrix_dst_row(s, step_config(s), op->Imm10);
    if (op->AddrMod & 1) {
        set_rows(s, files, row & ~7u, 8, op->Revert);
    } else {
        hook_dst_bits(s->tile, row, 1, op->Revert ? 0 : CHECK_WRITE);
        dst_set_row_valid(files, row, op->Revert);
    }
}

/* Rows of Dst16b or Dst32b, wherever `access` puts them: kernels leave remap_addrs and swizzle_32b set for those that come
 * after them, which clear face by face what they multiply again (llk_math_eltwise_binary.h). */
static void set_block(const tensix_step *s, struct tensix_files *files, unsigned block, const struct op_ZEROACC *op)
{
    enum { TOGETHER = 4 }; /* rows of DstBits, see regs/dst.h */
    const uint32_t access = dst_access(s, step_config(s));
    for (unsigned row = block * 16; row < block * 16 + 16; row += TOGETHER) {
        const unsigned first = op->UseDst32b ? dst_row32(access, row) : dst_row16(access, row);
        hook_dst_bits(s->tile, first, TOGETHER, op->Revert ? 0 : CHECK_WRITE);
        for (unsigned i = 0; i < TOGETHER; i++)
            dst_set_row_valid(files, first + i, op->Revert);
    }
}

/* Unless DEST_ACCESS_CFG_zeroacc_absolute_tile_mode is set, Imm10 counts within the half of Dst that the thread is in by its
 * offset and counter (llk_math_common.h "auto-detect destination bank"): the manual has the absolute mode only. */
static void zeroacc_16_rows(const tensix_step *s, struct tensix_files *files, const struct op_ZEROACC *op)
{
    const uint32_t *config = step_config(s);
    const unsigned at = CFG_FIELD(s->t->config, DEST_TARGET_REG_CFG_MATH_Offset) + s->t->rwc.dst;
    const bool relative = !CFG_FIELD(config, DEST_ACCESS_CFG_zeroacc_absolute_tile_mode);
    unsigned block = op->Imm10 & 0xFF;
    if (op->UseDst32b) {
        if (relative && (at & (DST_ROWS / 2 | DST_ROWS / 4)))
            block += DST_ROWS / 64;
    } else if (relative && (at & DST_ROWS / 2)) {
        block += DST_ROWS / 32;
    }
    if (block < (op->UseDst32b ? DST_ROWS / 32 : DST_ROWS / 16))
        set_block(s, files, block, op);
}

/* Revert is undefined in the manual; it is an argument in assembly.yaml (clear_zero_flags), and kernels use it for a bug of
 * the chip, in which ZEROACC in the cycle of an unpack to Dst wins (llk_math_eltwise_unary_datacopy.h). */
step_result matrix_ZEROACC(tensix_step *s, const struct op_ZEROACC *op)
{
    if (matrix_held(s))
        return STEP_STALLED;
    if (tensix_soft_reset(s->tile, SOFT_RESET_ZEROACC))
        return STEP_RETIRED; /* discarded */
    if (op->clear_mode_hi) {
        tensix_fault(s, KERR_FAULT_UNKNOWN, "WormholeB0 TensixCoprocessor/ZEROACC",
                     "ZEROACC with mode %u: no document says what modes above 3 do", 4 + op->Mode);
        return STEP_FAULTED;
    }
    struct tensix_files *files = s->tile->files;
    switch (op->Mode) {
    case ZEROACC_MODE_ONE_ROW: zeroacc_one_row(s, files, op); break;
    case ZEROACC_MODE_16_ROWS: zeroacc_16_rows(s, files, op); break;
    case ZEROACC_MODE_HALF_OF_DST:
        set_rows(s, files, op->Imm10 & 1 ? DST_ROWS / 2 : 0, DST_ROWS / 2, op->Revert);
        break;
    default: set_rows(s, files, 0, DST_ROWS, op->Revert);
    }
    if (op->Mode == ZEROACC_MODE_ONE_ROW || op->Mode == ZEROACC_MODE_16_ROWS)
        rwc_apply_addr_mod(s->t, op->AddrMod);
    src_matrix_flips_if(s, op->FlipSrcA, op->FlipSrcB);
    return STEP_RETIRED;
}

/* ---- RWCs ---------------------------------------------------------------------------------------------------- */

/* Sp: assembly.yaml only, twelve bits of which the counter keeps ten. */
step_result matrix_SETRWC(tensix_step *s, const struct op_SETRWC *op)
{
    if (matrix_held(s))
        return STEP_STALLED;
    struct tensix_rwc *rwc = &s->t->rwc;
    if (op->SrcA)
        rwc->src_a = rwc->src_a_cr = (uint8_t)((op->SrcAVal + (op->SrcACr ? rwc->src_a_cr : 0u)) & RWC_SRC_MASK);
    if (op->SrcB)
        rwc->src_b = rwc->src_b_cr = (uint8_t)((op->SrcBVal + (op->SrcBCr ? rwc->src_b_cr : 0u)) & RWC_SRC_MASK);
    if (op->Dst || op->DstCtoCr) {
        const unsigned base = op->DstCtoCr ? rwc->dst : op->DstCr ? rwc->dst_cr : 0;
        rwc->dst = rwc->dst_cr = (uint16_t)((op->DstVal + base) & RWC_DST_MASK);
    }
    if (op->Fidelity)
        rwc->fidelity_phase = 0;
    if (op->Sp)
        rwc->sp = (uint16_t)((op->DstVal << 8 | op->SrcBVal << 4 | op->SrcAVal) & RWC_SP_MASK);
    src_matrix_flips_if(s, op->FlipSrcA, op->FlipSrcB);
    return STEP_RETIRED;
}

step_result matrix_INCRWC(tensix_step *s, const struct op_INCRWC *op)
{
    if (matrix_held(s))
        return STEP_STALLED;
    rwc_increment(&s->t->rwc, op);
    return STEP_RETIRED;
}
