/* SPDX-License-Identifier: Apache-2.0 */
/* The main unpack loop by rows of 16 datums, which are 16 datums in a row in L1 and, transposed or not, one row of the
 * output.  It does what plain.c does, for what kernels use. */
#include "tensix/unpack/unpack.h"

#include "tensix/unpack/write.h"

#include "num/unpack_block.h"

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
    if (!job->AllDatumsAreZero && count == ROW_DATUMS) {
        unpack_row_dst32(cells, cells + DST_LOW_HALF * DST_COLUMNS, datums);
        return;
    }
    if (!job->AllDatumsAreZero)
        unpack_row_dst32(high, low, datums);
    memcpy(cells, high, count * sizeof high[0]);
    memcpy(cells + DST_LOW_HALF * DST_COLUMNS, low, count * sizeof low[0]);
}

static void write_row(const struct unpack_job *job, struct tensix_files *files, uint32_t row, const uint8_t *datums,
                      uint8_t exponent, unsigned count)
{
    switch (unpack_target_of(job->conversion)) {
    case UNPACK_TO_SRC: write_src(job, src_bank(files, job->which, job->bank), row, datums, exponent, count); break;
    case UNPACK_TO_DST16: write_dst16(job, files, row, datums, exponent, count); break;
    default: write_dst32(job, files, row, datums, count);
    }
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

/* Where the datums come from and go to next. */
struct position {
    uint64_t start, at;   /* of the row of input, of the next 16 datums of it: bytes */
    uint64_t exponent_at; /* sixteenths of a byte */
    uint32_t row;         /* of output */
    uint32_t taken;       /* datums */
};

/* Rows of input follow each other without a gap. */
static bool is_contiguous(const struct unpack_job *job)
{
    return job->RowStride == (uint64_t)job->UnpackRowWidth * job->datum_bits;
}

static void go_on(const struct unpack_job *job, struct position *p)
{
    p->at += job->datum_bits * (uint32_t)ROW_DATUMS / BITS;
    p->taken += ROW_DATUMS;
    p->row++;
    if ((p->taken & (job->UnpackRowWidth - 1)) == 0) { /* 16 or 32 */
        const uint64_t next = is_contiguous(job) ? p->at : p->start + job->RowStride / BITS;
        p->start = p->at = unpack_wrap(job, next * BITS, BITS) / BITS;
    }
}

/* How many rows in a row can be converted in one go.  Zero: the next one needs a look of its own. */
static uint32_t run_length(const struct unpack_job *job, const struct position *p, uint32_t *place)
{
    uint32_t bad = UNPACK_NO_ROW, rows = (job->InputNumDatums - p->taken) / ROW_DATUMS;
    if (job->fifo != 0 || job->Transpose || job->AllDatumsAreZero || p->at != p->start ||
        !unpack_place(job, p->row, place, &bad) || bad != UNPACK_NO_ROW)
        return 0;
    if (job->UnpackToDst) {
        if (job->SetOvrdWithAddr || unpack_target_of(job->conversion) != UNPACK_TO_DST32)
            return 0;
        return rows < DST_ROWS - *place ? rows : DST_ROWS - *place;
    }
    const bool sixteen = job->which == SRC_A && !job->SetOvrdWithAddr; /* rows of which the rest does not exist */
    const uint32_t room = SRC_ROWS - *place, left = SRCA_SET_ROWS - (p->row - UNPACKER0_SKIPS);
    rows = rows < room ? rows : room;
    return sixteen && left < rows ? left : rows;
}

static bool has_exponents(const struct unpack_job *job)
{
    return job->bfp && !job->Force_shared_exp;
}

void unpack_convert_block(const struct unpack_block *block, struct tensix_files *files, uint32_t place, uint32_t rows,
                          const uint8_t *datums, const uint8_t *exponents)
{
    if (!block->conversion.UnpackToDst) {
        unpack_block_src(block->conversion, src_bank(files, block->which, block->bank) + place, rows, datums, exponents,
                         block->exponent_step, block->pair_gap);
        return;
    }
    for (uint32_t i = 0, count; i < rows; i += count, datums += count * 4 * ROW_DATUMS) {
        const unsigned row = dst_row32(block->dest_access, place + i);
        count = 1;
        if (block->dest_access == 0) { /* up to eight stand together */
            const uint32_t together = DST_LOW_HALF - (place + i) % DST_LOW_HALF;
            count = together < rows - i ? together : rows - i;
        }
        unpack_block_dst32(files->DstBits + row, files->DstBits + row + DST_LOW_HALF, count, datums);
        files->dst_row_undefined[row / 32] &= ~(((UINT32_C(1) << count) - 1) << row % 32);
    }
}

/* Rows that follow each other in the output: all at once if they do in L1, else one row of input after the other. */
static bool take_run(const struct unpack_job *job, struct position *p, const uint8_t *l1, uint32_t size,
                     struct tensix_files *files)
{
    const uint32_t row_bytes = job->datum_bits * (uint32_t)ROW_DATUMS / BITS, width = job->UnpackRowWidth / ROW_DATUMS;
    uint32_t place = 0, rows = run_length(job, p, &place);
    const bool exponents = has_exponents(job), gaps = !is_contiguous(job);
    if (gaps)
        rows &= ~(width - 1);
    if (rows == 0 || (exponents && p->exponent_at / EXPONENT_SHARES + rows > size))
        return false;
    const uint32_t step = gaps ? width : rows;
    const struct unpack_block block = {.conversion = job->conversion,
                                       .which = job->which,
                                       .bank = job->bank,
                                       .exponent_step = exponents,
                                       .dest_access = job->dest_access};
    const uint64_t stride = job->RowStride / BITS, last = p->at + (rows / step - 1) * stride;
    if (last + (uint64_t)step * row_bytes > size)
        return false;
    const uint8_t *exponent = exponents ? l1 + p->exponent_at / EXPONENT_SHARES : &job->shared_exp;
    const uint8_t *datums = l1 + p->at;
    for (uint32_t i = 0; i < rows; i += step, datums += stride)
        unpack_convert_block(&block, files, place + i, step, datums, exponent + (exponents ? i : 0));
    p->exponent_at += exponents ? (uint64_t)rows * EXPONENT_SHARES : 0;
    p->start = p->at = last + (gaps ? stride : (uint64_t)step * row_bytes);
    p->taken += rows * ROW_DATUMS;
    p->row += rows;
    return true;
}

/* One row, or what is left of the last. */
static bool take_row(const struct unpack_job *job, struct position *p, const uint8_t *l1, uint32_t size,
                     struct tensix_files *files, uint32_t *bad, uint64_t *outside)
{
    const uint32_t left = job->InputNumDatums - p->taken, count = left < ROW_DATUMS ? left : ROW_DATUMS;
    const uint32_t bytes = (count * job->datum_bits + BITS - 1) / BITS;
    uint8_t last[ROW_DATUMS * 4], exponent = job->shared_exp;
    const uint8_t *datums = l1 + p->at;
    *outside = p->at;
    if (p->at + bytes > size)
        return false;
    if (count < ROW_DATUMS) { /* not a byte more than it has */
        memset(last, 0, sizeof last);
        datums = memcpy(last, datums, bytes);
    }
    *outside = p->exponent_at / EXPONENT_SHARES;
    if (has_exponents(job) && !next_exponent(job, l1, size, &p->exponent_at, &exponent))
        return false;
    uint32_t place;
    if (unpack_place(job, p->row, &place, bad))
        write_row(job, files, place, datums, exponent, count);
    go_on(job, p);
    return true;
}

struct unpack_outcome unpack_rows(const struct unpack_job *job, const uint8_t *l1, uint32_t size,
                                  struct tensix_files *files)
{
    struct position p = {.start = job->InAddr_Datums / BITS,
                         .at = job->InAddr_Datums / BITS,
                         .exponent_at = job->InAddr_Exponents,
                         .row = job->OutAddr / SRC_COLUMNS};
    uint32_t bad = UNPACK_NO_ROW;
    uint64_t outside;
    while (p.taken < job->InputNumDatums)
        if (!take_run(job, &p, l1, size, files) && !take_row(job, &p, l1, size, files, &bad, &outside))
            return (struct unpack_outcome){UNPACK_OUTSIDE_L1, (uint32_t)(outside > UINT32_MAX ? UINT32_MAX : outside),
                                           p.taken, p.taken};
    return (struct unpack_outcome){bad == UNPACK_NO_ROW ? UNPACK_DONE : UNPACK_ROW, bad, job->InputNumDatums,
                                   job->InputNumDatums};
}
