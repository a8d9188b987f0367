/* SPDX-License-Identifier: Apache-2.0 */
/* What the arithmetic instructions of the Matrix Unit have in common beyond regs/matrix_unit.h: how operands are read, when
 * a block of Dst can be read again, and how an instruction ends. */
#ifndef KERR_TENSIX_MATRIX_UNIT_H
#define KERR_TENSIX_MATRIX_UNIT_H

#include "tensix/matrix/kernel.h"
#include "tensix/regs/matrix_unit.h"
#include "tensix/regs/rwc.h"

/* Where an instruction works. */
struct matrix_place {
    const uint32_t *config;
    uint32_t access;       /* of Dst */
    unsigned row;          /* the first of Dst */
    unsigned a_row, b_row; /* the first of SrcA, of SrcB */
};

/* Formats and fidelity phase as manual MVMUL "Functional model" determines them.  False: a format without a meaning, and a
 * fault that says so. */
bool matrix_mode_of(tensix_step *s, const uint32_t *config, struct matrix_mode *mode);

/* Manual Dst, "Instruction scheduling": an aligned 8x16 block cannot be read for some cycles after an instruction that
 * writes it was issued.  `block` is the first row of DstBits over eight.  True: return STEP_STALLED. */
bool matrix_waits_for_block(tensix_step *s, unsigned block);
void matrix_writes_block(tensix_step *s, unsigned block);

/* Rows of Dst as kernel.h wants them: `count` of them, `step` apart, from place->row on, all within one block of eight.
 * Undefined ones become zero and valid. */
void matrix_open_rows(const tensix_step *s, const struct matrix_place *place, bool dst32, unsigned count, unsigned step,
                      uint16_t *rows[]);
/* Behind the arithmetic, with the same arguments. */
void matrix_close_rows(const struct matrix_place *place, bool dst32, unsigned count, uint16_t *const rows[]);

/* From a row on, of the bank of SrcA or SrcB that the Matrix Unit is at. */
static inline const uint32_t *matrix_source(const tensix_step *s, unsigned which, unsigned row)
{
    return src_matrix_rows(tile_tensix_files(s->tile), s->tx, which)[row];
}

/* Flips, row counters. */
static inline void matrix_ends(tensix_step *s, unsigned AddrMod, uint32_t FlipSrcA, uint32_t FlipSrcB)
{
    src_matrix_flips_if(s, FlipSrcA, FlipSrcB);
    rwc_apply_addr_mod(s->t, AddrMod);
}

#endif
