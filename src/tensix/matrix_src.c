/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Unit (FPU): what works on SrcA and SrcB alone.  Manual WormholeB0 SHIFTXA (3f3e6e6a), SHIFTXB, TRNSPSRCB, ZEROSRC
 * (512b6bf1), CLEARDVALID (061b62d1), GATESRCRST, in Blackhole's encodings. */
#include "tensix_units.h"

#include "hooks/hooks.h"
#include "tensix/regs/matrix_unit.h"
#include "tensix/regs/rwc.h"
#include "tensix/unpack/unpack.h"

#define PAGE(name) "WormholeB0 TensixCoprocessor/" name

/* ---- Shifts --------------------------------------------------------------------------------------------------- */

enum { DIRECTION_RIGHT = 2, DIRECTION_LEFT = 3, SHIFTXA_ROWS = 16 };

/* Its input is where the last instruction that computed a row of SrcA had it ("a hardware bug"). */
step_result matrix_SHIFTXA(tensix_step *s, const struct op_SHIFTXA *op)
{
    if (matrix_held(s) || src_matrix_waits(s, SRC_A))
        return STEP_STALLED;
    if (op->Direction < DIRECTION_RIGHT || op->log2_amount2 != 0) {
        tensix_fault(s, KERR_FAULT_UNKNOWN, PAGE("SHIFTXA"),
                     "SHIFTXA with Direction %u and log2_amount2 %u: no document says what it does", op->Direction,
                     op->log2_amount2);
        return STEP_FAULTED;
    }
    src_row *rows = src_matrix_rows(s->tile->files, s->tx, SRC_A);
    src_row *in = rows + (s->tx->src[SRC_A].last_row & 0x30);
    const unsigned bank = s->tx->src[SRC_A].matrix_bank;
    hook_src(s->tile, SRC_A, bank, s->tx->src[SRC_A].last_row & 0x30, SHIFTXA_ROWS, CHECK_READ);
    hook_src(s->tile, SRC_A, bank, 0, SHIFTXA_ROWS, CHECK_WRITE);
    for (unsigned r = 0; r < SHIFTXA_ROWS; r++) {
        src_row shifted = {0};
        if (op->Direction == DIRECTION_RIGHT)
            memcpy(shifted + 1, in[r], sizeof shifted - sizeof *shifted);
        else
            memcpy(shifted, in[r] + 1, sizeof shifted - sizeof *shifted);
        memcpy(rows[r], shifted, sizeof shifted);
    }
    return STEP_RETIRED;
}

step_result matrix_SHIFTXB(tensix_step *s, const struct op_SHIFTXB *op)
{
    if (matrix_held(s) || src_matrix_waits(s, SRC_B))
        return STEP_STALLED;
    src_row *rows = src_matrix_rows(s->tile->files, s->tx, SRC_B);
    uint32_t *row = rows[(op->SrcRow + s->t->rwc.src_b) & (SRC_ROWS - 1)];
    const uint32_t first = row[0];
    hook_src(s->tile, SRC_B, s->tx->src[SRC_B].matrix_bank, (op->SrcRow + s->t->rwc.src_b) & (SRC_ROWS - 1), 1,
             CHECK_ATOMIC);
    memmove(row, row + 1, sizeof *rows - sizeof *row);
    row[SRC_COLUMNS - 1] = op->ShiftInZero ? 0 : first;
    rwc_apply_addr_mod(s->t, op->AddrMod);
    return STEP_RETIRED;
}

step_result matrix_TRNSPSRCB(tensix_step *s, const struct op_TRNSPSRCB *op)
{
    (void)op;
    enum { FIRST = 16, SIZE = 16 };
    if (matrix_held(s) || src_matrix_waits(s, SRC_B))
        return STEP_STALLED;
    src_row *rows = src_matrix_rows(s->tile->files, s->tx, SRC_B) + FIRST;
    hook_src(s->tile, SRC_B, s->tx->src[SRC_B].matrix_bank, FIRST, SIZE, CHECK_ATOMIC);
    for (unsigned i = 1; i < SIZE; i++) {
        for (unsigned j = 0; j < i; j++) {
            const uint32_t ij = rows[i][j];
            rows[i][j] = rows[j][i];
            rows[j][i] = ij;
        }
    }
    return STEP_RETIRED;
}

/* ---- ZEROSRC -------------------------------------------------------------------------------------------------- */

/* All rows of the banks that ZEROSRC means, for SrcA or SrcB.
 * OPEN: whether the implied format of a bank changes ("not characterized", says the page); it does not here. */
static void clear(const tensix_step *s, const struct op_ZEROSRC *op, unsigned which, uint32_t value)
{
    struct tensix_files *files = s->tile->files;
    const struct tensix_src *src = &s->tx->src[which];
    const unsigned one = op->SingleBankMatrixUnit ? src->matrix_bank : src->unpacker_bank;
    for (unsigned bank = 0; bank < SRC_BANKS; bank++) {
        if (!op->BothBanks && bank != one)
            continue;
        uint32_t *cell = src_bank(files, which, bank)[0];
        for (unsigned i = 0; i < SRC_ROWS * SRC_COLUMNS; i++)
            cell[i] = value;
        hook_src(s->tile, which, bank, 0, SRC_ROWS, CHECK_WRITE);
    }
}

step_result matrix_ZEROSRC(tensix_step *s, const struct op_ZEROSRC *op)
{
    if (matrix_held(s))
        return STEP_STALLED;
    if (op->SingleBankMatrixUnit || op->BothBanks)
        unpack_zerosrc(s, op->BothBanks);
    if (op->ClearSrcA)
        clear(s, op, SRC_A, op->NegativeInfSrcA ? (1u << SRC_CELL_BITS) - 1 : 0);
    if (op->ClearSrcB)
        clear(s, op, SRC_B, 0);
    return STEP_RETIRED;
}

/* ---- Whose the banks are -------------------------------------------------------------------------------------- */

/* Unlike other flips it does not ask CLR_DVALID_Src*_Disable. */
step_result matrix_CLEARDVALID(tensix_step *s, const struct op_CLEARDVALID *op)
{
    if (matrix_held(s))
        return STEP_STALLED;
    if (op->Reset) {
        if (tensix_fault(
                s, KERR_FAULT_UNPREDICTABLE, PAGE("CLEARDVALID"),
                "CLEARDVALID with Reset: banks that are on their way are dropped, which a kernel may hang from"))
            return STEP_FAULTED;
        src_reset(s, SRC_A);
        src_reset(s, SRC_B);
        return STEP_RETIRED;
    }
    if (op->FlipSrcA)
        src_matrix_gives_back(s, SRC_A, !op->KeepReadingSameSrc);
    if (op->FlipSrcB)
        src_matrix_gives_back(s, SRC_B, !op->KeepReadingSameSrc);
    return STEP_RETIRED;
}

/* What it invalidates, an operand cache behind SrcB, cannot be seen: cells are read where they are.  A card shows no
 * difference either. */
step_result matrix_GATESRCRST(tensix_step *s, const struct op_GATESRCRST *op)
{
    (void)op;
    return matrix_held(s) ? STEP_STALLED : STEP_RETIRED;
}
