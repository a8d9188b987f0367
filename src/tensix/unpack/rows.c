/* SPDX-License-Identifier: Apache-2.0 */
/* The main unpack loop by rows of 16 datums, which are 16 datums in a row in L1 and, transposed or not, one row of the
 * output: rows that follow each other there, and in L1 but for gaps of the same length.  It does what plain.c does, for what kernels use.
 *
 * tests/unit/tensix/unpack_rows_test.c compares the two. */
#include "tensix/unpack/unpack.h"

#include "tensix/unpack/write.h"

#include "num/unpack_block.h"

#include <string.h>

/* How many rows of input follow each other in any case. */
static uint32_t width_of(const struct unpack_config *c)
{
    return c->UnpackRowWidth / ROW_DATUMS;
}
static uint32_t row_bytes_of(const struct unpack_config *c)
{
    return c->datum_bits * (uint32_t)ROW_DATUMS / BITS;
}
static bool has_exponents(const struct unpack_config *c)
{
    return c->bfp && !c->Force_shared_exp;
}

/* Nothing but the conversion on the way, no address that wraps. */
static bool is_plain(const struct unpack_plan *plan)
{
    const struct unpack_config *c = plan->c;
    return c->IsUncompressed && c->UpsampleZeroes == 0 && c->ColShift == 0 && c->fifo == 0 && !c->srcb_bcast &&
           !(c->UnpackToDst && c->SetOvrdWithAddr) && c->columns == UINT16_MAX &&
           (plan->OutAddr | plan->InputNumDatums) % ROW_DATUMS == 0 && plan->InAddr_Datums % BITS == 0;
}

/* All of it in L1. */
static bool is_there(const struct unpack_plan *plan, uint32_t rows, uint32_t size)
{
    const struct unpack_config *c = plan->c;
    const uint32_t width = width_of(c), stride = c->RowStride / BITS, bytes = row_bytes_of(c);
    const uint64_t from = plan->InAddr_Datums / BITS, exponents = plan->InAddr_Exponents / EXPONENT_SHARES;
    if (has_exponents(c) && (plan->InAddr_Exponents % EXPONENT_SHARES != 0 || exponents + rows > size))
        return false;
    return c->Tileize_mode
               ? rows % width == 0 && from + (uint64_t)(rows / width - 1) * stride + (uint64_t)width * bytes <= size
               : from + (uint64_t)rows * bytes <= size;
}

void unpack_plan_rows(struct unpack_plan *plan, uint32_t l1_size)
{
    const struct unpack_config *c = plan->c;
    const uint32_t rows = plan->InputNumDatums / ROW_DATUMS, row = plan->OutAddr / SRC_COLUMNS;
    uint32_t bad = UNPACK_NO_ROW;
    plan->by_rows = false;
    if (!is_plain(plan) || !is_there(plan, rows, l1_size) || !unpack_place(plan, row, &plan->place, &bad) ||
        bad != UNPACK_NO_ROW)
        return;
    plan->rows = rows;
    plan->by_rows = rows <= (c->UnpackToDst ? DST_ROWS : SRC_ROWS) - plan->place &&
                    (c->which == SRC_B || c->UnpackToDst || c->SetOvrdWithAddr ||
                     rows <= SRCA_SET_ROWS - (row - UNPACKER0_SKIPS)); /* of which the rest does not exist */
}

/* ---- Rows that follow each other in L1, but for `pair_gap` bytes behind each second one ---- */

static void to_src(const struct unpack_plan *plan, src_row *bank, uint32_t place, uint32_t rows, const uint8_t *datums,
                   const uint8_t *exponents, int32_t pair_gap)
{
    const struct unpack_config *c = plan->c;
    if (LIKELY(!c->Transpose && !c->AllDatumsAreZero)) {
        unpack_block_src(c->conversion, bank + place, rows, datums, exponents, has_exponents(c), pair_gap);
        return;
    }
    for (uint32_t i = 0; i < rows; i++, datums += (int32_t)row_bytes_of(c) + (i % 2 == 0 ? pair_gap : 0)) {
        const uint32_t row = place + i;
        src_row cells = {0}, *square = &bank[row - row % SRC_COLUMNS];
        if (!c->AllDatumsAreZero)
            unpack_row_src(c->conversion, cells, datums, exponents[has_exponents(c) ? i : 0]);
        for (unsigned k = 0; k < SRC_COLUMNS; k++)
            *(c->Transpose ? &square[k][row % SRC_COLUMNS] : &bank[row][k]) = cells[k];
    }
}

static void to_dst16(const struct unpack_plan *plan, struct tensix_files *files, uint32_t row, const uint8_t *datums,
                     uint8_t exponent)
{
    const struct unpack_config *c = plan->c;
    uint16_t *cells = dst_open16(files, c->dest_access, row);
    if (c->AllDatumsAreZero)
        memset(cells, 0, ROW_DATUMS * sizeof *cells);
    else
        unpack_row_dst16(c->conversion, cells, datums, exponent);
    if (c->dest_access & DST_ACCESS_HIGH_HALVES)
        memset(cells + DST_LOW_HALF * DST_COLUMNS, 0, ROW_DATUMS * sizeof *cells);
}

static void to_dst32(const struct unpack_plan *plan, struct tensix_files *files, uint32_t place, uint32_t rows,
                     const uint8_t *datums)
{
    static const uint8_t zeroes[DST_LOW_HALF * 4 * ROW_DATUMS];
    const uint32_t access = plan->c->dest_access;
    for (uint32_t i = 0, count; i < rows; i += count, datums += count * 4 * ROW_DATUMS) {
        const unsigned row = dst_row32(access, place + i);
        count = 1;
        if (access == 0) { /* up to eight stand together */
            const uint32_t together = DST_LOW_HALF - (place + i) % DST_LOW_HALF;
            count = together < rows - i ? together : rows - i;
        }
        unpack_block_dst32(files->DstBits + row, files->DstBits + row + DST_LOW_HALF, count,
                           plan->c->AllDatumsAreZero ? zeroes : datums);
        files->dst_row_undefined[row / 32] &= ~(((UINT32_C(1) << count) - 1) << row % 32);
    }
}

void unpack_rows(const struct unpack_plan *plan, const uint8_t *l1, struct tensix_files *files)
{
    const struct unpack_config *c = plan->c;
    const enum unpack_target target = unpack_target_of(c->conversion);
    const uint32_t width = width_of(c), bytes = row_bytes_of(c), stride = c->RowStride / BITS;
    const bool gaps = stride != width * bytes, pairs = gaps && width == 2 && target == UNPACK_TO_SRC;
    const uint32_t step = target == UNPACK_TO_DST16 ? 1 : gaps && !pairs ? width : plan->rows;
    const uint8_t *exponent = has_exponents(c) ? l1 + plan->InAddr_Exponents / EXPONENT_SHARES : &c->shared_exp;
    src_row *bank = src_bank(files, c->which, plan->bank);
    for (uint32_t i = 0; i < plan->rows; i += step, exponent += has_exponents(c) ? step : 0) {
        const uint8_t *datums = l1 + plan->InAddr_Datums / BITS + i / width * stride + i % width * bytes;
        if (target == UNPACK_TO_SRC)
            to_src(plan, bank, plan->place + i, step, datums, exponent, pairs ? (int32_t)(stride - width * bytes) : 0);
        else if (target == UNPACK_TO_DST16)
            to_dst16(plan, files, plan->place + i, datums, *exponent);
        else
            to_dst32(plan, files, plan->place + i, step, datums);
    }
}
