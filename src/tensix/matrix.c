/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Unit (FPU): manual WormholeB0 MatrixUnit and the pages of its instructions, in Blackhole's encodings. */
#include "tensix/files.h"
#include "tensix/regs/rwc.h"
#include "tensix/regs/src.h"

#include "cfg_fields.h"
#include "tensix_units.h"
#include "tile/blocks.h"

enum { SOFT_RESET_BIT = 10, SOFT_RESET_ZEROACC = 17 };

/* Manual SoftReset: instructions do not start while the unit is held in reset.  It leaves open whether they are discarded;
 * here they wait. */
static bool held(tensix_step *s)
{
    if (!soft_reset_bit(tile_devices_const(s->tile), SOFT_RESET_BIT))
        return false;
    s->again = UINT64_MAX; /* soft_reset.c says when */
    return true;
}

static void flip(tensix_step *s, uint32_t FlipSrcA, uint32_t FlipSrcB)
{
    if (FlipSrcA)
        src_matrix_flips(s, SRC_A);
    if (FlipSrcB)
        src_matrix_flips(s, SRC_B);
}

/* ---- ZEROACC ------------------------------------------------------------------------------------------------- */

enum { ZEROACC_MODE_ONE_ROW, ZEROACC_MODE_16_ROWS, ZEROACC_MODE_HALF_OF_DST, ZEROACC_MODE_ALL_OF_DST };
enum { FEATURE_DISABLE_DST_IS_32B = 11 };

static void set_rows_valid(struct tensix_files *files, unsigned first, unsigned count, bool valid)
{
    for (unsigned row = first; row < first + count; row++)
        dst_set_row_valid(files, row, valid);
}

static unsigned zeroacc_row(const tensix_step *s, uint32_t Imm10)
{
    const uint32_t *config = s->tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
    const unsigned row = (Imm10 + CFG_FIELD(s->t->config, DEST_TARGET_REG_CFG_MATH_Offset) + s->t->rwc.dst +
                          CFG_FIELD(config, DEST_REGW_BASE_Base)) &
                         (DST_ROWS - 1);
    const bool is_32b = CFG_FIELD(config, ALU_ACC_CTRL_Fp32_enabled) ||
                        CFG_FIELD(config, ALU_ACC_CTRL_INT8_math_enabled) ||
                        (debug_reg_peek(tile_devices_const(s->tile), RISCV_DEBUG_REG_DBG_FEATURE_DISABLE) >>
                             FEATURE_DISABLE_DST_IS_32B &
                         1);
    return is_32b ? dst_row32(config[DEST_ACCESS_CFG_remap_addrs_ADDR32], row) : row;
}

static void zeroacc_16_rows(struct tensix_files *files, const struct op_ZEROACC *op)
{
    const unsigned block = op->Imm10 & 0xFF;
    if (op->UseDst32b) {
        if (block < DST_ROWS / 32) {
            set_rows_valid(files, block * 32, 8, op->Revert);
            set_rows_valid(files, block * 32 + 16, 8, op->Revert);
        }
    } else if (block < DST_ROWS / 16) {
        set_rows_valid(files, block * 16, 16, op->Revert);
    }
}

/* Revert is undefined in the manual; it is an argument in assembly.yaml (clear_zero_flags), and kernels use it for a bug of
 * the chip, in which ZEROACC in the cycle of an unpack to Dst wins (llk_math_eltwise_unary_datacopy.h).
 * OPEN: DEST_ACCESS_CFG_zeroacc_absolute_tile_mode, which kernels leave zero; and whether one row of 16 bits is found by
 * Adj16, as Dst says of valid bits, or not, as ZEROACC has it. */
step_result matrix_ZEROACC(tensix_step *s, const struct op_ZEROACC *op)
{
    if (held(s))
        return STEP_STALLED;
    if (soft_reset_bit(tile_devices_const(s->tile), SOFT_RESET_ZEROACC))
        return STEP_RETIRED; /* discarded */
    if (op->clear_mode_hi) {
        tensix_fault(s, KERR_FAULT_UNKNOWN, "WormholeB0 TensixCoprocessor/ZEROACC",
                     "ZEROACC with mode %u: no document says what modes above 3 do", 4 + op->Mode);
        return STEP_FAULTED;
    }
    struct tensix_files *files = tile_tensix_files(s->tile);
    switch (op->Mode) {
    case ZEROACC_MODE_ONE_ROW: dst_set_row_valid(files, zeroacc_row(s, op->Imm10), op->Revert); break;
    case ZEROACC_MODE_16_ROWS: zeroacc_16_rows(files, op); break;
    case ZEROACC_MODE_HALF_OF_DST:
        set_rows_valid(files, op->Imm10 & 1 ? DST_ROWS / 2 : 0, DST_ROWS / 2, op->Revert);
        break;
    default: set_rows_valid(files, 0, DST_ROWS, op->Revert);
    }
    if (op->Mode == ZEROACC_MODE_ONE_ROW || op->Mode == ZEROACC_MODE_16_ROWS)
        rwc_apply_addr_mod(s->t, op->AddrMod);
    flip(s, op->FlipSrcA, op->FlipSrcB);
    return STEP_RETIRED;
}

/* ---- RWCs ---------------------------------------------------------------------------------------------------- */

/* Sp: assembly.yaml only, twelve bits of which the counter keeps ten. */
step_result matrix_SETRWC(tensix_step *s, const struct op_SETRWC *op)
{
    if (held(s))
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
    flip(s, op->FlipSrcA, op->FlipSrcB);
    return STEP_RETIRED;
}

step_result matrix_INCRWC(tensix_step *s, const struct op_INCRWC *op)
{
    if (held(s))
        return STEP_STALLED;
    struct tensix_rwc *rwc = &s->t->rwc;
    rwc->src_a = (uint8_t)(((op->SrcACr ? rwc->src_a_cr : rwc->src_a) + op->SrcAInc) & RWC_SRC_MASK);
    if (op->SrcACr)
        rwc->src_a_cr = rwc->src_a;
    rwc->src_b = (uint8_t)(((op->SrcBCr ? rwc->src_b_cr : rwc->src_b) + op->SrcBInc) & RWC_SRC_MASK);
    if (op->SrcBCr)
        rwc->src_b_cr = rwc->src_b;
    rwc->dst = (uint16_t)(((op->DstCr ? rwc->dst_cr : rwc->dst) + op->DstInc) & RWC_DST_MASK);
    if (op->DstCr)
        rwc->dst_cr = rwc->dst;
    return STEP_RETIRED;
}
