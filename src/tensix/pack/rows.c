/* SPDX-License-Identifier: Apache-2.0 */
/* The same stages as plain.c on whole rows, for what kernels do: all 16 columns, nothing left out, nothing random.
 *
 * tests/unit/tensix/pack_rows_test.c compares the two on random state. */
#include "tensix/pack/pack.h"

#include "tensix/regs/dst.h"

enum { LOW_HALF = DST_LOW_HALF * DST_COLUMNS }; /* cells behind the high half of 32-bit data */

bool pack_rows_can(const struct pack_job *job)
{
    const struct tensix_packer *p = job->packer;
    return job->source != PACK_FROM_L1 && job->rows <= PACK_INTERFACES && job->column == 0 &&
           job->count == ROW_DATUMS && job->plan->downsample == 0xFFFF && !job->plan->compress &&
           !job->plan->stochastic_early && !job->plan->stochastic_late && p->group_count == 0 &&
           p->data.bits % 8 == 0 && p->exponents.bits % 8 == 0 && !(job->row_pad_tail && p->datums % ROW_DATUMS != 0);
}

static const uint16_t *row_of_dst(const struct pack_job *job, unsigned row)
{
    static const uint16_t zero[DST_LOW_HALF + 1][DST_COLUMNS];
    const unsigned r = job->conversion.Read_32b_data ? dst_row32(job->access, row) : dst_row16(job->access, row);
    return LIKELY(dst_row_counts(job->files, job->access, r)) ? job->files->DstBits[r] : zero[0];
}

static void early_row(const struct pack_job *job, const uint16_t *cells, uint32_t words[ROW_DATUMS])
{
    if (job->conversion.Read_32b_data)
        pack_row_early_dst32(job->conversion, words, cells, cells + LOW_HALF);
    else
        pack_row_early_dst16(job->conversion, words, cells);
}

static void mask_row(const struct pack_job *job, unsigned mask, uint32_t words[ROW_DATUMS])
{
    for (unsigned i = 0; i < ROW_DATUMS; i++)
        words[i] = mask >> i & 1 ? words[i] : job->plan->masked;
}

static void count_row(struct pack_job *job, const uint32_t words[ROW_DATUMS])
{
    for (unsigned i = 0; i < PACK_HISTOGRAM_COLUMNS; i++)
        pack_histogram(job, words[i]);
}

static void fetch_row(struct pack_job *job, unsigned k, uint32_t words[ROW_DATUMS])
{
    early_row(job, row_of_dst(job, job->row[k]), words);
    if (job->edge_mask[k] != 0xFFFF)
        mask_row(job, job->edge_mask[k], words);
    if (job->plan->relu)
        for (unsigned i = 0; i < ROW_DATUMS; i++)
            words[i] = pack_relu(job, words[i]);
    if (k == 0)
        count_row(job, words);
    if (job->plan->threshold)
        for (unsigned i = 0; i < ROW_DATUMS; i++)
            words[i] = pack_threshold(job, words[i]);
}

/* Whether the conversions follow each other with nothing in between. */
static bool is_direct(const struct pack_job *job)
{
    return job->plan->way != PACK_WAY_NONE && job->source == PACK_FROM_DST && job->whole_rows && !job->plan->relu &&
           !job->plan->threshold;
}

static unsigned convert_directly(struct pack_job *job, uint8_t *bytes, uint8_t exponents[PACK_INTERFACES])
{
    const uint16_t *cells[PACK_INTERFACES];
    for (unsigned k = 0; k < job->rows; k++)
        cells[k] = row_of_dst(job, job->row[k]);
    if (UNLIKELY(job->statistics || pack_raises_max_exponent(job->packer, cells[0]))) {
        uint32_t words[ROW_DATUMS];
        early_row(job, cells[0], words);
        count_row(job, words);
    }
    return pack_way_rows((enum pack_way)job->plan->way, format_bits(job->conversion.LateToFormat), job->rows, bytes,
                         exponents, cells, LOW_HALF);
}

void pack_rows(struct pack_job *job)
{
    struct tensix_packer *p = job->packer;
    uint8_t bytes[4 * ROW_DATUMS * PACK_INTERFACES], exponents[PACK_INTERFACES];
    unsigned size = 0;
    if (is_direct(job)) {
        size = convert_directly(job, bytes, exponents);
    } else {
        for (unsigned k = 0; k < job->rows; k++) {
            uint32_t words[ROW_DATUMS] = {0};
            if (job->source == PACK_FROM_DST)
                fetch_row(job, k, words);
            size += pack_row_late(job->conversion, bytes + size, &exponents[k], words);
        }
    }
    p->datums += job->rows * ROW_DATUMS;
    pack_put_bytes(job, &p->data, bytes, size);
    if (format_is_bfp(job->conversion.LateToFormat))
        pack_put_bytes(job, &p->exponents, exponents, job->rows);
}
