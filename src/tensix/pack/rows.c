/* SPDX-License-Identifier: Apache-2.0 */
/* The same stages as plain.c on whole rows, for what kernels do: all 16 columns, nothing left out, nothing random.
 *
 * tests/unit/tensix/pack_rows_test.c compares the two on random state. */
#include "tensix/pack/pack.h"

#include "tensix/regs/dst.h"

#include <string.h>

bool pack_rows_can(const struct pack_job *job)
{
    const struct tensix_packer *p = job->packer;
    return job->source != PACK_FROM_L1 && job->rows <= PACK_INTERFACES && job->column == 0 &&
           job->count == ROW_DATUMS && job->downsample == 0xFFFF && !job->compress && !job->stochastic_early &&
           !job->stochastic_late && p->group_count == 0 && p->data.bits % 8 == 0 && p->exponents.bits % 8 == 0 &&
           !(job->row_pad_tail && p->datums % ROW_DATUMS != 0);
}

static void read_row(const struct pack_job *job, unsigned row, uint32_t words[ROW_DATUMS])
{
    if (job->conversion.Read_32b_data) {
        static const uint16_t zero[DST_COLUMNS];
        const unsigned r = dst_row32(job->access, row);
        const bool valid = dst_row_valid(job->files, r);
        pack_row_early_dst32(job->conversion, words, valid ? job->files->DstBits[r] : zero,
                             valid ? job->files->DstBits[r + DST_LOW_HALF] : zero);
        return;
    }
    uint16_t cells[DST_COLUMNS];
    dst_read16(job->files, job->access, row, cells);
    pack_row_early_dst16(job->conversion, words, cells);
}

static void mask_row(const struct pack_job *job, unsigned mask, uint32_t words[ROW_DATUMS])
{
    for (unsigned i = 0; i < ROW_DATUMS; i++)
        words[i] = mask >> i & 1 ? words[i] : job->masked;
}

static void fetch_row(struct pack_job *job, unsigned k, uint32_t words[ROW_DATUMS])
{
    read_row(job, job->row[k], words);
    if (job->edge_mask[k] != 0xFFFF)
        mask_row(job, job->edge_mask[k], words);
    if (job->relu)
        for (unsigned i = 0; i < ROW_DATUMS; i++)
            words[i] = pack_relu(job, words[i]);
    for (unsigned i = 0; k == 0 && i < PACK_HISTOGRAM_COLUMNS; i++)
        pack_histogram(job, words[i]);
    if (job->threshold)
        for (unsigned i = 0; i < ROW_DATUMS; i++)
            words[i] = pack_threshold(job, words[i]);
}

void pack_rows(struct pack_job *job)
{
    struct tensix_packer *p = job->packer;
    uint8_t bytes[4 * ROW_DATUMS * PACK_INTERFACES], exponents[PACK_INTERFACES];
    unsigned size = 0;
    for (unsigned k = 0; k < job->rows; k++) {
        uint32_t words[ROW_DATUMS] = {0};
        if (job->source == PACK_FROM_DST)
            fetch_row(job, k, words);
        size += pack_row_late(job->conversion, bytes + size, &exponents[k], words);
    }
    p->datums += job->rows * ROW_DATUMS;
    pack_put_bytes(job, &p->data, bytes, size);
    if (format_is_bfp(job->conversion.LateToFormat))
        pack_put_bytes(job, &p->exponents, exponents, job->rows);
}
