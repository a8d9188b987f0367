/* SPDX-License-Identifier: Apache-2.0 */
/* Element by element: manual WormholeB0 ELWADD (e70a5c18), ELWSUB, ELWMUL (545c98a3); the sums are those of
 * docs/matrix-arithmetic.md. */
#include "tensix/matrix/unit.h"

#include "tensix_units.h"

struct elements {
    enum matrix_elementwise op;
    uint32_t AddDst, BroadcastSrcBRow, BroadcastSrcBCol0, DstRow, AddrMod, FlipSrcA, FlipSrcB;
};

/* A card waits for a block of Dst that ELWADD without AddDst only writes, too (timing/tensix: ELWADD). */
static step_result elementwise(tensix_step *s, const struct elements *e)
{
    if (matrix_held(s) || src_matrix_waits(s, SRC_A) || src_matrix_waits(s, SRC_B))
        return STEP_STALLED;
    const uint32_t *config = step_config(s);
    struct matrix_mode mode;
    if (!matrix_mode_of(s, config, &mode))
        return STEP_FAULTED;
    struct matrix_place place = {.config = config,
                                 .access = dst_access(s, config),
                                 .row = matrix_dst_row(s, config, e->DstRow) & (DST_ROWS - MATRIX_ROWS),
                                 .a_row = s->t->rwc.src_a & 0x38,
                                 .b_row = s->t->rwc.src_b & (e->BroadcastSrcBRow ? 0x3F : 0x38)};
    place.block = matrix_block(&place, mode.dst32);
    if (matrix_waits_for_block(s, place.block))
        return STEP_STALLED;
    const struct matrix_elementwise_form form = {.op = e->op,
                                                 .b_step = !e->BroadcastSrcBRow,
                                                 .b_column_0 = e->BroadcastSrcBCol0,
                                                 .add_dst = e->op == MATRIX_MULTIPLY || e->AddDst};
    struct tensix_files *files = s->tile->files;
    uint16_t *rows[MATRIX_ROWS];
    matrix_tell(s, &place, mode.dst32, MATRIX_ROWS, e->BroadcastSrcBRow ? 1 : MATRIX_ROWS, MATRIX_ROWS, 1,
                form.add_dst ? CHECK_ATOMIC : CHECK_WRITE);
    matrix_open_rows(files, &place, mode.dst32, MATRIX_ROWS, 1, rows);
    matrix_elementwise(&mode, &form, matrix_source(files, s, SRC_A, place.a_row),
                       matrix_source(files, s, SRC_B, place.b_row), rows);
    matrix_close_rows(&place, mode.dst32, MATRIX_ROWS, rows);
    matrix_writes_block(s, place.block);
    matrix_used_srca_row(s->tx, place.a_row);
    matrix_ends(s, e->AddrMod, e->FlipSrcA, e->FlipSrcB);
    return STEP_RETIRED;
}

#define ELEMENTS(op, kind, add)                                                                                        \
    (struct elements)                                                                                                  \
    {                                                                                                                  \
        .op = kind, .AddDst = add, .BroadcastSrcBRow = (op)->BroadcastSrcBRow,                                         \
        .BroadcastSrcBCol0 = (op)->BroadcastSrcBCol0, .DstRow = (op)->DstRow, .AddrMod = (op)->AddrMod,                \
        .FlipSrcA = (op)->FlipSrcA, .FlipSrcB = (op)->FlipSrcB                                                         \
    }

step_result matrix_ELWADD(tensix_step *s, const struct op_ELWADD *op)
{
    return elementwise(s, &ELEMENTS(op, MATRIX_ADD, op->AddDst));
}

step_result matrix_ELWSUB(tensix_step *s, const struct op_ELWSUB *op)
{
    return elementwise(s, &ELEMENTS(op, MATRIX_SUBTRACT, op->AddDst));
}

/* dest_accum_en: it always adds to Dst. */
step_result matrix_ELWMUL(tensix_step *s, const struct op_ELWMUL *op)
{
    return elementwise(s, &ELEMENTS(op, MATRIX_MULTIPLY, true));
}
