/* SPDX-License-Identifier: Apache-2.0 */
/* Where a datum of an output address stands: the end of the page's main loop, shared by plain.c, rows.c and checks. */
#ifndef KERR_TENSIX_UNPACK_WRITE_H
#define KERR_TENSIX_UNPACK_WRITE_H

#include "tensix/regs/dst.h"
#include "tensix/regs/src.h"
#include "tensix/unpack/unpack.h"

enum { UNPACK_NO_ROW = INT32_MAX };
enum { UNPACKER0_SKIPS = 4 };         /* rows: output address 64 is row 0 */
enum { BROADCAST_ROWS = 8 };          /* of srcb_bcast */
enum { DST_OVERRIDDEN_ROWS = 0x3CF }; /* what the page takes silicon for if SRCA_SET_SetOvrdWithAddr is set */
enum { SRCA_SET_ROWS = 16 };          /* without SRCA_SET_SetOvrdWithAddr */

/* The row for `row` = OutAddr / 16.  False: nothing is written.  *bad: the first row that the file does not have. */
static inline bool unpack_place(const struct unpack_plan *plan, uint32_t row, uint32_t *place, uint32_t *bad)
{
    if (plan->c->which == SRC_B) {
        *place = (row + plan->SrcRow) % SRC_ROWS; /* kernels count on: llk_unpack_AB_compressed_custom_mm.h */
        return true;
    }
    if (plan->c->UnpackToDst) {
        row = (row - UNPACKER0_SKIPS) % DST_ROWS;
        *place = plan->c->SetOvrdWithAddr ? row & DST_OVERRIDDEN_ROWS : row;
        return true;
    }
    if (row < UNPACKER0_SKIPS)
        return false;
    row -= UNPACKER0_SKIPS;
    if (!plan->c->SetOvrdWithAddr) {
        if (UNLIKELY(row >= SRCA_SET_ROWS) && *bad == UNPACK_NO_ROW)
            *bad = row & INT32_MAX;
        row += plan->SrcRow;
    }
    *place = row % SRC_ROWS;
    return true;
}

/* Where plain.c writes. */
struct unpack_writer {
    struct tensix_files *files;
    uint32_t address; /* in datums */
    uint32_t row;     /* the first that did not exist, or UNPACK_NO_ROW */
};

static inline void unpack_write_dst(const struct unpack_plan *plan, struct tensix_files *files, uint32_t row,
                                    unsigned column, uint32_t datum)
{
    if (unpack_target_of(plan->c->conversion) == UNPACK_TO_DST32) {
        uint16_t *high = dst_open32(files, plan->c->dest_access, row);
        high[column] = (uint16_t)(datum >> 16);
        high[DST_LOW_HALF * DST_COLUMNS + column] = (uint16_t)datum;
    } else {
        uint16_t *cells = dst_open16(files, plan->c->dest_access, row);
        cells[column] = (uint16_t)datum;
        if (plan->c->dest_access & DST_ACCESS_HIGH_HALVES) /* something that nobody can predict */
            cells[DST_LOW_HALF * DST_COLUMNS + column] = 0;
    }
}

static inline void unpack_write_datum(const struct unpack_plan *plan, struct unpack_writer *out, uint32_t datum)
{
    unsigned column = out->address % SRC_COLUMNS;
    uint32_t row;
    if (plan->c->which == SRC_A && !plan->c->UnpackToDst) {
        if (column < plan->c->ColShift)
            return;
        column -= plan->c->ColShift;
    }
    if (!unpack_place(plan, out->address / SRC_COLUMNS, &row, &out->row))
        return;
    if (plan->c->Transpose) {
        const unsigned low = row % SRC_COLUMNS;
        row = row - low + column;
        column = low;
    }
    if (!(plan->c->columns >> column & 1))
        return; /* held in soft reset */
    if (plan->c->UnpackToDst) {
        unpack_write_dst(plan, out->files, row, column, datum);
        return;
    }
    src_row *rows = src_bank(out->files, plan->c->which, plan->bank);
    for (unsigned i = 0; i < (plan->c->srcb_bcast ? BROADCAST_ROWS : 1); i++)
        rows[(row + i) % SRC_ROWS][column] = datum;
}

#endif
