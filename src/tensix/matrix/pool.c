/* SPDX-License-Identifier: Apache-2.0 */
/* Maxima down the columns of SrcA (manual WormholeB0 GMPOOL, 545c98a3), and the instructions that are left of earlier
 * architectures (manual MatrixUnit, "Legacy instructions"). */
#include "tensix/matrix/maximum.h"
#include "tensix/matrix/maximum_rows.h"
#include "tensix/matrix/unit.h"

#include "tensix_units.h"

struct pool {
    bool ArgMax, zero_a;
    uint32_t DstRow, AddrMod, FlipSrcA, FlipSrcB;
};

/* Undefined rows read as all ones, minus infinity. */
static uint32_t read_cell(const struct tensix_files *files, uint32_t access, unsigned row, unsigned j, bool dst32)
{
    if (!dst_row_counts(files, access, row))
        return dst32 ? 0xFFFFFFFF : 0xFFFF0000;
    return (uint32_t)files->DstBits[row][j] << 16 | (dst32 ? files->DstBits[row + DST_LOW_HALF][j] : 0);
}

static void pool_rows(const tensix_step *s, const struct pool *p, const struct matrix_mode *m,
                      const struct matrix_place *place)
{
    struct tensix_files *files = s->tile->files;
    const uint32_t *a = matrix_source(files, s, SRC_A, place->a_row);
    const uint32_t *b = matrix_source(files, s, SRC_B, place->b_row);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned row =
            m->dst32 ? dst_row32(place->access, place->row + i) : dst_row16(place->access, place->row + i);
        uint32_t values[MATRIX_COLUMNS] = {0};
        for (unsigned j = 0; j < MATRIX_COLUMNS && (i == 0 || (p->ArgMax && m->dst32)); j++) {
            const uint32_t old = read_cell(files, place->access, row, j, m->dst32);
            values[j] = i != 0                   ? (old + 0x100) & 0xF00
                        : p->ArgMax || p->zero_a ? maximum_of_column(m, p->ArgMax, p->zero_a ? NULL : a + j, b, old)
                                                 : old;
        }
        if (i == 0 && !p->ArgMax && !p->zero_a)
            maximum_of_columns(m, a, b, values);
        if (m->dst32) {
            dst_write32(files, place->access, place->row + i, values);
        } else {
            uint16_t halves[MATRIX_COLUMNS];
            for (unsigned j = 0; j < MATRIX_COLUMNS; j++)
                halves[j] = (uint16_t)(values[j] >> 16);
            dst_write16(files, place->access, place->row + i, halves);
        }
    }
}

static step_result maxima(tensix_step *s, const struct pool *p)
{
    if (matrix_held(s) || src_matrix_waits(s, SRC_A) || src_matrix_waits(s, SRC_B))
        return STEP_STALLED;
    const uint32_t *config = step_config(s);
    struct matrix_mode mode;
    if (!matrix_mode_of(s, config, &mode))
        return STEP_FAULTED;
    struct matrix_place place = {.config = config,
                                 .access = dst_access(s, config),
                                 .row = matrix_dst_row(s, config, p->DstRow) & (DST_ROWS - 4),
                                 .a_row = s->t->rwc.src_a & 0x30,
                                 .b_row = s->t->rwc.src_b & 0x38};
    place.block = matrix_block(&place, mode.dst32);
    if (matrix_waits_for_block(s, place.block))
        return STEP_STALLED;
    matrix_tell(s, &place, mode.dst32, p->zero_a ? 0 : 16, 0, 1, 1, CHECK_READ);
    matrix_tell(s, &place, mode.dst32, 0, 0, 4, 1, CHECK_WRITE);
    pool_rows(s, p, &mode, &place);
    matrix_writes_block(s, place.block);
    matrix_used_srca_row(s->tx, place.a_row);
    matrix_ends(s, p->AddrMod, p->FlipSrcA, p->FlipSrcB);
    return STEP_RETIRED;
}

/* instr_mod19: the manual has a fixed one there, for both pools. */
step_result matrix_GMPOOL(tensix_step *s, const struct op_GMPOOL *op)
{
    const struct pool p = {.ArgMax = op->ArgMax,
                           .DstRow = op->DstRow,
                           .AddrMod = op->AddrMod,
                           .FlipSrcA = op->FlipSrcA,
                           .FlipSrcB = op->FlipSrcB};
    return maxima(s, &p);
}

/* ---- Legacy instructions ------------------------------------------------------------------------------------- */

/* "Dst += 0", and row counters.
 * OPEN: which rows of Dst, whether they flush denormals and make undefined rows zero there, and whether they wait for SrcA and
 * SrcB.  The manual (RWCs) has them as instructions that do nothing but apply AddrMod: here they do not touch Dst and do not
 * wait. */
static step_result adds_nothing(tensix_step *s, unsigned addr_mode, uint32_t clear_dvalid)
{
    if (matrix_held(s))
        return STEP_STALLED;
    matrix_used_srca_row(s->tx, s->t->rwc.src_a & 0x38);
    matrix_ends(s, addr_mode, clear_dvalid & 1, clear_dvalid & 2);
    return STEP_RETIRED;
}

step_result matrix_CONV3S1(tensix_step *s, const struct op_CONV3S1 *op)
{
    return adds_nothing(s, op->addr_mode, op->clear_dvalid);
}
step_result matrix_CONV3S2(tensix_step *s, const struct op_CONV3S2 *op)
{
    return adds_nothing(s, op->addr_mode, op->clear_dvalid);
}
step_result matrix_MFCONV3S1(tensix_step *s, const struct op_MFCONV3S1 *op)
{
    return adds_nothing(s, op->addr_mode, op->clear_dvalid);
}
step_result matrix_APOOL3S1(tensix_step *s, const struct op_APOOL3S1 *op)
{
    return adds_nothing(s, op->pool_addr_mode, op->clear_dvalid);
}
step_result matrix_APOOL3S2(tensix_step *s, const struct op_APOOL3S2 *op)
{
    return adds_nothing(s, op->pool_addr_mode, op->clear_dvalid);
}

/* "Something similar to what GMPOOL would do if SrcA was entirely zero": that, with all that GMPOOL waits for.  OPEN: what is
 * not the same. */
static step_result maxima_of_zero(tensix_step *s, unsigned addr_mode, uint32_t clear_dvalid, bool index_en,
                                  uint32_t DstRow)
{
    const struct pool p = {.ArgMax = index_en,
                           .zero_a = true,
                           .DstRow = DstRow,
                           .AddrMod = addr_mode,
                           .FlipSrcA = clear_dvalid & 1,
                           .FlipSrcB = clear_dvalid & 2};
    return maxima(s, &p);
}

step_result matrix_MPOOL3S1(tensix_step *s, const struct op_MPOOL3S1 *op)
{
    return maxima_of_zero(s, op->pool_addr_mode, op->clear_dvalid, op->index_en, op->dst);
}
step_result matrix_MPOOL3S2(tensix_step *s, const struct op_MPOOL3S2 *op)
{
    return maxima_of_zero(s, op->pool_addr_mode, op->clear_dvalid, op->index_en, op->dst);
}
