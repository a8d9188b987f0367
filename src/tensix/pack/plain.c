/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of the packer's pipeline, one datum after the other, in the order of the pages: manual WormholeB0 Packers/README.
 *
 * Edge masking, ReLU and the histogram look at datums from Dst only. */
#include "tensix/pack/pack.h"

#include "tensix/regs/dst.h"

static uint32_t dst_cell(const struct pack_job *job, unsigned row, unsigned column)
{
    if (job->conversion.Read_32b_data) {
        uint32_t cells[DST_COLUMNS];
        dst_read32(job->files, job->access, row, cells);
        return cells[column];
    }
    uint16_t cells[DST_COLUMNS];
    dst_read16(job->files, job->access, row, cells);
    return cells[column];
}

/* FetchFromDst of Packers/EdgeMasking, and what follows it. */
static uint32_t fetch_from_dst(struct pack_job *job, const struct pack_plan *plan, unsigned k, unsigned column)
{
    uint32_t word = job->modes->masked;
    if (plan->edge_mask[k] >> column & 1) {
        uint32_t cell = dst_cell(job, plan->row[k], column);
        if (job->modes->stochastic_early)
            cell = pack_dither(job, column, cell);
        word = pack_early(job->conversion, cell);
    }
    word = pack_relu(job, word);
    if (k == 0 && column < PACK_HISTOGRAM_COLUMNS)
        pack_histogram(job, word);
    return word;
}

static uint32_t fetch(struct pack_job *job, const struct pack_plan *plan, unsigned k, unsigned i)
{
    switch (job->source) {
    case PACK_FROM_DST: return fetch_from_dst(job, plan, k, plan->column + i);
    case PACK_FROM_L1: return pack_l1_datum(job, plan, i);
    default: return 0;
    }
}

static void emit(struct pack_job *job, uint32_t word)
{
    job->packer->datums++;
    if (job->modes->compress)
        pack_compress(job, word);
    else
        pack_assemble(job, word);
}

/* Downsampling and padding start anew with each row: as many datums come of each (PACR, "N * D datums"). */
void pack_plain(struct pack_job *job, const struct pack_plan *plan)
{
    for (unsigned k = 0; k < plan->rows; k++) {
        unsigned packed = 0;
        for (unsigned i = 0; i < plan->count; i++) {
            const uint32_t word = fetch(job, plan, k, i);
            if (job->modes->downsample >> i & 1) {
                emit(job, pack_threshold(job, word));
                packed++;
            }
        }
        for (; plan->row_pad && packed % ROW_DATUMS != 0; packed++)
            emit(job, 0);
    }
    while (plan->rows != 0 && plan->row_pad_tail && job->packer->datums % ROW_DATUMS != 0)
        emit(job, 0);
}
