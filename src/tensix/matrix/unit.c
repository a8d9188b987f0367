/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/matrix/unit.h"

/* ---- Formats ------------------------------------------------------------------------------------------------- */

bool matrix_format_is_unknown(tensix_step *s, unsigned which, unsigned format)
{
    tensix_fault(s, KERR_FAULT_UNKNOWN, "WormholeB0 TensixCoprocessor/MVMUL",
                 "%s format %u (%s): no document says what it is", which == SRC_A ? "SrcA" : "SrcB", format,
                 src_format_is_implied(s->t, which) ? "implied by what was unpacked" : "ALU_FORMAT_SPEC_REG");
    return false;
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

void matrix_tell_rows(const tensix_step *s, const struct matrix_place *place, bool dst32, unsigned a_rows,
                      unsigned b_rows, unsigned dst_rows, unsigned dst_step, unsigned how)
{
    hook_src(s->tile, SRC_A, s->tx->src[SRC_A].matrix_bank, place->a_row, a_rows, CHECK_READ);
    hook_src(s->tile, SRC_B, s->tx->src[SRC_B].matrix_bank, place->b_row, b_rows, CHECK_READ);
    const struct check_rows rows = {.access = place->access,
                                    .row = (uint16_t)place->row,
                                    .rows = (uint16_t)dst_rows,
                                    .step = (uint16_t)dst_step,
                                    .wide = dst32};
    hook_dst(s->tile, rows, how);
}
