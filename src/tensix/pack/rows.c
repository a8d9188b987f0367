/* SPDX-License-Identifier: Apache-2.0 */
/* The same stages as plain.c on whole rows, of one PACR or of several that follow each other, for what kernels do: all 16 columns,
 * nothing left out, nothing random.
 *
 * tests/unit/tensix/pack_rows_test.c compares the two on random state. */
#include "tensix/pack/pack.h"

#include "hooks/hooks.h"
#include "tensix/regs/dst.h"

enum { LOW_HALF = DST_LOW_HALF * DST_COLUMNS }; /* cells behind the high half of 32-bit data */

static inline const uint16_t *row_of_dst(const struct pack_job *job, unsigned row)
{
    static const uint16_t zero[DST_LOW_HALF + 1][DST_COLUMNS];
    const unsigned r = job->conversion.Read_32b_data ? dst_row32(job->access, row) : dst_row16(job->access, row);
    return LIKELY(dst_row_counts(job->files, job->access, r)) ? job->files->DstBits[r] : zero[0];
}

static inline void rows_of_dst(const struct pack_job *job, const struct pack_plan *plan, const uint16_t *cells[])
{
    const unsigned row = plan->row[0];
    if (LIKELY(plan->rows == 4 && row % 4 == 0 && plan->row[3] == row + 3)) { /* they stand together */
        const unsigned r = job->conversion.Read_32b_data ? dst_row32(job->access, row) : dst_row16(job->access, row);
        if (LIKELY((job->files->dst_row_undefined[r / 32] >> r % 32 & 0xF) == 0)) {
            for (unsigned k = 0; k < 4; k++)
                cells[k] = job->files->DstBits[r + k];
            return;
        }
    }
    for (unsigned k = 0; k < plan->rows; k++)
        cells[k] = row_of_dst(job, plan->row[k]);
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
        words[i] = mask >> i & 1 ? words[i] : job->modes->masked;
}

static void count_row(struct pack_job *job, const uint32_t words[ROW_DATUMS])
{
    for (unsigned i = 0; i < PACK_HISTOGRAM_COLUMNS; i++)
        pack_histogram(job, words[i]);
}

static void fetch_row(struct pack_job *job, const struct pack_plan *plan, unsigned k, uint32_t words[ROW_DATUMS])
{
    early_row(job, row_of_dst(job, plan->row[k]), words);
    if (plan->edge_mask[k] != 0xFFFF)
        mask_row(job, plan->edge_mask[k], words);
    if (job->modes->relu)
        for (unsigned i = 0; i < ROW_DATUMS; i++)
            words[i] = pack_relu(job, words[i]);
    if (k == 0)
        count_row(job, words);
    if (job->modes->threshold)
        for (unsigned i = 0; i < ROW_DATUMS; i++)
            words[i] = pack_threshold(job, words[i]);
}

/* ---- To bytes for L1, and exponents ---- */

/* Whether the conversions follow each other with nothing in between. */
static bool is_direct(const struct pack_job *job, const struct pack_plan plan[], unsigned n)
{
    bool whole = job->modes->way != PACK_WAY_NONE;
    for (unsigned i = 0; i < n; i++)
        whole = whole && plan[i].whole_rows;
    return whole;
}

static void convert_directly(struct pack_job *job, const struct pack_plan plan[], unsigned n, uint8_t *bytes,
                             uint8_t *exponents)
{
    const uint16_t *cells[PACK_INTERFACES * PACK_PLANS];
    unsigned rows = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint16_t **first = cells + rows;
        rows_of_dst(job, &plan[i], first);
        rows += plan[i].rows;
        if (UNLIKELY(job->statistics || pack_raises_max_exponent(job->packer, first[0]))) {
            uint32_t words[ROW_DATUMS];
            early_row(job, first[0], words);
            count_row(job, words);
        }
    }
    pack_way_rows((enum pack_way)job->modes->way, format_bits(job->conversion.LateToFormat), rows, bytes, exponents,
                  cells, LOW_HALF);
}

static void convert(struct pack_job *job, const struct pack_plan plan[], unsigned n, uint8_t *bytes, uint8_t *exponents)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < plan[i].rows; k++) {
            uint32_t words[ROW_DATUMS] = {0};
            if (job->source == PACK_FROM_DST)
                fetch_row(job, &plan[i], k, words);
            bytes += pack_row_late(job->conversion, bytes, exponents++, words);
        }
}

/* Where they can be put straight away; NULL: they cannot. */
static uint8_t *place_in_l1(const struct pack_job *job, unsigned size)
{
    const struct tensix_pack_stream *data = &job->packer->data;
    if (CHECKED(job->s->tile) || job->modes->accumulate || data->bits != 0 || size % PACK_UNIT_BYTES != 0 ||
        (uint64_t)data->address + size > job->s->tile->l1_size)
        return NULL;
    return job->s->tile->l1_unheeded(job->s->tile->owner, data->address, size);
}

void pack_rows(struct pack_job *job, const struct pack_plan plan[], unsigned n)
{
    struct tensix_packer *p = job->packer;
    uint8_t buffer[4 * ROW_DATUMS * PACK_INTERFACES * PACK_PLANS], exponents[PACK_INTERFACES * PACK_PLANS];
    unsigned rows = plan[0].rows;
    for (unsigned i = 1; i < n; i++)
        rows += plan[i].rows;
    const unsigned size = 2 * format_bits(job->conversion.LateToFormat) * rows;
    uint8_t *place = place_in_l1(job, size), *bytes = place != NULL ? place : buffer;
    if (is_direct(job, plan, n))
        convert_directly(job, plan, n, bytes, exponents);
    else
        convert(job, plan, n, bytes, exponents);
    p->datums += rows * ROW_DATUMS;
    if (place != NULL)
        p->data.address += size;
    else
        pack_put_bytes(job, &p->data, bytes, size);
    if (format_is_bfp(job->conversion.LateToFormat))
        pack_put_bytes(job, &p->exponents, exponents, rows);
}
