/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix products: manual WormholeB0 MVMUL (e70a5c18), DOTPV, GAPOOL; the sums are those of docs/matrix-arithmetic.md. */
#include "tensix/matrix/unit.h"

#include "tensix_units.h"

/* A product of `rows` rows, or of row b of SrcB onto every second one of seven. */
struct product {
    unsigned rows;
    bool broadcast;
    uint32_t DstRow, AddrMod, FlipSrcA, FlipSrcB;
};

/* SrcARow is a multiple of eight, and 16 rows are read: from 56 on there are only eight. */
static bool rows_exist(tensix_step *s, unsigned a_row)
{
    if (LIKELY(a_row + 16 <= SRC_ROWS))
        return true;
    tensix_fault(s, KERR_FAULT_UNKNOWN, "WormholeB0 TensixCoprocessor/MVMUL",
                 "16 rows of SrcA from row %u on: there are %u, and no document says what comes behind them", a_row,
                 (unsigned)SRC_ROWS);
    return false;
}

static step_result multiply(tensix_step *s, const struct product *p)
{
    if (matrix_held(s) || src_matrix_waits(s, SRC_A) || src_matrix_waits(s, SRC_B))
        return STEP_STALLED;
    const uint32_t *config = step_config(s);
    struct matrix_mode mode;
    if (!matrix_mode_of(s, config, &mode))
        return STEP_FAULTED;
    struct matrix_place place = {.config = config,
                                 .access = dst_access(s, config),
                                 .row =
                                     matrix_dst_row(s, config, p->DstRow) & (DST_ROWS - (p->broadcast ? 7 : p->rows)),
                                 .a_row = s->t->rwc.src_a & 0x38,
                                 .b_row = s->t->rwc.src_b & (p->broadcast ? 0x3F : 0x38)};
    place.block = matrix_block(&place, mode.dst32);
    if (matrix_waits_for_block(s, place.block))
        return STEP_STALLED;
    if (!rows_exist(s, place.a_row))
        return STEP_FAULTED;
    const unsigned count = p->broadcast ? 4 : p->rows;
    struct tensix_files *files = s->tile->files;
    uint16_t *rows[MATRIX_ROWS];
    struct matrix_cache *cache = s->tile->matrix_cache(s->tile->owner);
    matrix_tell(s, &place, mode.dst32, 16, p->broadcast ? 1 : p->rows, count, p->broadcast ? 2 : 1, CHECK_ATOMIC);
    matrix_open_rows(files, &place, mode.dst32, count, p->broadcast ? 2 : 1, rows);
    matrix_multiply(&mode, matrix_source(files, s, SRC_A, place.a_row), matrix_source(files, s, SRC_B, place.b_row),
                    !p->broadcast, count, rows, &cache->a[s->tx->src[SRC_A].matrix_bank][place.a_row / 16],
                    &cache->b[s->tx->src[SRC_B].matrix_bank][place.b_row / 8]);
    matrix_close_rows(&place, mode.dst32, count, rows);
    matrix_writes_block(s, place.block);
    matrix_used_srca_row(s->tx, place.a_row);
    matrix_ends(s, p->AddrMod, p->FlipSrcA, p->FlipSrcB);
    return STEP_RETIRED;
}

step_result matrix_MVMUL(tensix_step *s, const struct op_MVMUL *op)
{
    const struct product p = {.rows = 8,
                              .broadcast = op->BroadcastSrcBRow,
                              .DstRow = op->DstRow,
                              .AddrMod = op->AddrMod,
                              .FlipSrcA = op->FlipSrcA,
                              .FlipSrcB = op->FlipSrcB};
    return multiply(s, &p);
}

/* dest_accum_en and instr_mod19 have no meaning in the manual: it is MVMUL without broadcast. */
step_result matrix_DOTPV(tensix_step *s, const struct op_DOTPV *op)
{
    const struct product p = {
        .rows = 8, .DstRow = op->DstRow, .AddrMod = op->AddrMod, .FlipSrcA = op->FlipSrcA, .FlipSrcB = op->FlipSrcB};
    return multiply(s, &p);
}

/* max_pool_index_en and instr_mod19 have no meaning in the manual. */
step_result matrix_GAPOOL(tensix_step *s, const struct op_GAPOOL *op)
{
    const struct product p = {
        .rows = 4, .DstRow = op->DstRow, .AddrMod = op->AddrMod, .FlipSrcA = op->FlipSrcA, .FlipSrcB = op->FlipSrcB};
    return multiply(s, &p);
}
