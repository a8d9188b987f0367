/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar Unit (ThCon): STOREIND to SrcA and SrcB (manual WormholeB0 STOREIND_Src), four BF16 from two GPRs.
 *
 * The wait for the bank is at the gate, so that other threads have the unit meanwhile; the manual has the unit wait. */
#include "tensix/scalar.h"

#include "tensix/regs/src.h"

#define PAGE "WormholeB0 TensixCoprocessor/STOREIND_Src"

/* The low half of a GPR has sign, mantissa, exponent, the high half sign, exponent, mantissa. */
static uint32_t cell_from_low(uint32_t x)
{
    return (x & 0xFF00) << 3 | (x & 0xFF);
}
static uint32_t cell_from_high(uint32_t x)
{
    return (x >> 31) << 18 | (x >> 16 & 0x7F) << 11 | (x >> 23 & 0xFF);
}

/* The row of the bank, or -1 where there is none, which SrcA has four rows of. */
static int row_of(const tensix_step *s, unsigned which, unsigned row)
{
    const unsigned base = s->tx->src[which].unpacker_row[s->thread];
    if (which == SRC_B)
        return (int)(row + base);
    if (row < 4)
        return -1;
    return (int)(row - 4 + (CFG_FIELD(s->t->config, SRCA_SET_SetOvrdWithAddr) ? 0 : base));
}

static bool row_is_undefined(const tensix_step *s, unsigned which, unsigned row)
{
    if (which == SRC_B)
        return row >= 16;
    return row >= 4 && row - 4 >= (CFG_FIELD(s->t->config, SRCA_SET_SetOvrdWithAddr) ? 64u : 16u);
}

step_result scalar_store_src(tensix_step *s, const struct op_STOREIND *op)
{
    const unsigned which = op->StoreToSrcB ? SRC_B : SRC_A;
    if (src_unpacker_waits(s, which))
        return STEP_STALLED;
    const uint32_t address =
        (scalar_gpr(s, op->AddrReg) + (scalar_half(s, op->OffsetHalfReg) >> 4)) & 0xFFFFF; /* of four cells */
    const unsigned row = address >> 2;
    if (address > 0xFFFF || row_is_undefined(s, which, row)) {
        if (tensix_fault(s, KERR_FAULT_UNDEFINED, PAGE, "STOREIND to row %u of Src%c (SRCA_SET_SetOvrdWithAddr %u)",
                         row, which == SRC_A ? 'A' : 'B', CFG_FIELD(s->t->config, SRCA_SET_SetOvrdWithAddr)))
            return STEP_FAULTED;
        return STEP_RETIRED; /* and no document says where it goes */
    }
    const uint32_t low = scalar_gpr(s, op->DataReg & 0x3C), high = scalar_gpr(s, (op->DataReg & 0x3C) + 1);
    const uint32_t cells[4] = {cell_from_low(low), cell_from_high(low), cell_from_low(high), cell_from_high(high)};
    const int to = row_of(s, which, row);
    if (to >= 0) {
        src_row *rows = src_unpacker_rows(s->tile->files, s->tx, which);
        hook_src(s->tile, which, s->tx->src[which].unpacker_bank, (unsigned)to & (SRC_ROWS - 1), 1, CHECK_WRITE);
        for (unsigned i = 0; i < 4; i++)
            rows[to & (SRC_ROWS - 1)][(address & 3) * 4 + i] = cells[i];
    }
    return STEP_RETIRED;
}
