/* SPDX-License-Identifier: Apache-2.0 */
/* The main unpack loop by rows of 16 datums, which are 16 datums in a row in L1 and, transposed or not, one row of the
 * output.  It does what plain.c does, for what kernels use. */
#include "tensix/unpack/unpack.h"

#include "tensix/unpack/write.h"

#include <string.h>

bool unpack_has_rows(const struct unpack_job *job)
{
    return job->IsUncompressed && job->UpsampleZeroes == 0 && job->ColShift == 0 && !job->srcb_bcast &&
           job->columns == UINT16_MAX && job->OutAddr % SRC_COLUMNS == 0 && job->InAddr_Datums % BITS == 0 &&
           (!job->bfp || job->Force_shared_exp || job->InAddr_Exponents % EXPONENT_SHARES == 0);
}

/* SrcA or SrcB. */
static void write_src(const struct unpack_job *job, src_row *rows, uint32_t row, const uint8_t *datums,
                      uint8_t exponent, unsigned count)
{
    if (!job->Transpose && count == ROW_DATUMS) {
        if (job->AllDatumsAreZero)
            memset(rows[row], 0, sizeof rows[row]);
        else
            unpack_row_src(job->conversion, rows[row], datums, exponent);
        return;
    }
    src_row cells = {0};
    if (!job->AllDatumsAreZero)
        unpack_row_src(job->conversion, cells, datums, exponent);
    if (!job->Transpose) {
        memcpy(rows[row], cells, count * sizeof cells[0]);
        return;
    }
    src_row *square = &rows[row - row % SRC_COLUMNS];
    for (unsigned i = 0; i < count; i++)
        square[i][row % SRC_COLUMNS] = cells[i];
}

static void write_dst16(const struct unpack_job *job, struct tensix_files *files, uint32_t row, const uint8_t *datums,
                        uint8_t exponent, unsigned count)
{
    uint16_t *cells = dst_open16(files, job->dest_access, row), converted[ROW_DATUMS] = {0};
    if (!job->AllDatumsAreZero)
        unpack_row_dst16(job->conversion, converted, datums, exponent);
    memcpy(cells, converted, count * sizeof converted[0]);
    if (job->dest_access & DST_ACCESS_HIGH_HALVES)
        memset(cells + DST_LOW_HALF * DST_COLUMNS, 0, count * sizeof converted[0]);
}

static void write_dst32(const struct unpack_job *job, struct tensix_files *files, uint32_t row, const uint8_t *datums,
                        unsigned count)
{
    uint16_t *cells = dst_open32(files, job->dest_access, row), high[ROW_DATUMS] = {0}, low[ROW_DATUMS] = {0};
    if (!job->AllDatumsAreZero)
        unpack_row_dst32(high, low, datums);
    memcpy(cells, high, count * sizeof high[0]);
    memcpy(cells + DST_LOW_HALF * DST_COLUMNS, low, count * sizeof low[0]);
}

/* The next exponent, of all 16 datums. */
static bool next_exponent(const struct unpack_job *job, const uint8_t *l1, uint32_t size, uint64_t *at,
                          uint8_t *exponent)
{
    if (*at / EXPONENT_SHARES >= size)
        return false;
    *exponent = l1[*at / EXPONENT_SHARES];
    *at += EXPONENT_SHARES;
    if (*at % (16 * EXPONENT_SHARES) == 0)
        *at = unpack_wrap(job, *at, EXPONENT_SHARES);
    return true;
}

static struct unpack_outcome outside(uint64_t address, uint32_t written)
{
    return (struct unpack_outcome){UNPACK_OUTSIDE_L1, (uint32_t)(address > UINT32_MAX ? UINT32_MAX : address), written,
                                   written};
}

struct unpack_outcome unpack_rows(const struct unpack_job *job, const uint8_t *l1, uint32_t size,
                                  struct tensix_files *files)
{
    const unsigned row_bytes = job->datum_bits * ROW_DATUMS / BITS, width = job->UnpackRowWidth;
    const bool exponents = job->bfp && !job->Force_shared_exp;
    const enum unpack_target target = unpack_target_of(job->conversion);
    src_row *rows = src_bank(files, job->which, job->bank);
    uint64_t start = job->InAddr_Datums / BITS, at = start, exponent_at = job->InAddr_Exponents;
    uint8_t exponent = job->shared_exp;
    uint32_t bad = UNPACK_NO_ROW, row = job->OutAddr / SRC_COLUMNS;
    for (uint32_t i = 0; i < job->InputNumDatums; i += ROW_DATUMS, row++) {
        const unsigned left = job->InputNumDatums - i, count = left < ROW_DATUMS ? left : ROW_DATUMS;
        uint8_t last[ROW_DATUMS * 4];
        const uint8_t *datums = l1 + at;
        if (count < ROW_DATUMS) { /* not a byte more than it has */
            const unsigned bytes = (count * job->datum_bits + BITS - 1) / BITS;
            if (at + bytes > size)
                return outside(at, i);
            memset(last, 0, sizeof last);
            memcpy(last, l1 + at, bytes);
            datums = last;
        } else if (at + row_bytes > size) {
            return outside(at, i);
        }
        if (exponents && !next_exponent(job, l1, size, &exponent_at, &exponent))
            return outside(exponent_at / EXPONENT_SHARES, i);
        uint32_t place;
        if (unpack_place(job, row, &place, &bad)) {
            switch (target) {
            case UNPACK_TO_SRC: write_src(job, rows, place, datums, exponent, count); break;
            case UNPACK_TO_DST16: write_dst16(job, files, place, datums, exponent, count); break;
            default: write_dst32(job, files, place, datums, count);
            }
        }
        at += row_bytes;
        if ((i + ROW_DATUMS) % width == 0)
            start = at = unpack_wrap(job, (start + job->RowStride / BITS) * BITS, BITS) / BITS;
    }
    return (struct unpack_outcome){bad == UNPACK_NO_ROW ? UNPACK_DONE : UNPACK_ROW, bad, job->InputNumDatums,
                                   job->InputNumDatums};
}
