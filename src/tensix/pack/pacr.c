/* SPDX-License-Identifier: Apache-2.0 */
/* PACR: manual PACR (f82128bb); fields that it leaves open by assembly.yaml. */
#include "tensix/pack/pack.h"

#include "tensix/matrix/unit.h"
#include "tensix/regs/dst.h"

#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "tensix_units.h"

#include <string.h>

enum { SOFT_RESET_PACKER = 2 };
enum { CONTEXT_RESET = 2 };

/* Manual SoftReset: they "will not start", and may be discarded or not; here they wait. */
bool pack_is_held(tensix_step *s)
{
    if (!tensix_soft_reset(s->tile, SOFT_RESET_PACKER))
        return false;
    s->again = UINT64_MAX; /* soft_reset.c says when */
    s->reason = TENSIX_STALL_RESET;
    return true;
}

/* For checks. */
static void tell(const struct pack_job *job, const struct pack_plan *plan)
{
    tensix_tile *tile = job->s->tile;
    if (job->source == PACK_FROM_L1)
        hook_l1(tile, plan->l1_source, 4 * ROW_DATUMS >> (job->conversion.LateFromFormat & 3 ? 1 : 0), CHECK_READ);
    for (unsigned k = 0; k < plan->rows && job->source == PACK_FROM_DST; k++)
        hook_dst(tile,
                 (struct check_rows){
                     .access = job->access, .row = plan->row[k], .rows = 1, .wide = job->conversion.Read_32b_data},
                 CHECK_READ);
}

/* Manual Dst, "Instruction scheduling": blocks that the Matrix Unit has just written. */
static bool waits_for_dst(const struct pack_job *job, const struct pack_plan *plan)
{
    if (LIKELY(job->s->cycle - job->s->tx->matrix.written >= COST_DST_BLOCK))
        return false;
    for (unsigned k = 0; k < plan->rows; k++) {
        const unsigned row =
            job->conversion.Read_32b_data ? dst_row32(job->access, plan->row[k]) : dst_row16(job->access, plan->row[k]);
        if (UNLIKELY(matrix_waits_for_block(job->s, row / 8)))
            return true;
    }
    return false;
}

/* So many bytes that are appended to a stream go to L1, what fills up the last unit included, and nobody heeds these lines. */
static bool is_unheeded(const struct pack_job *job, const struct tensix_pack_stream *stream, unsigned count)
{
    enum { LAST = PACK_UNIT_BYTES - 1 };
    const unsigned size = (stream->bits / 8u + count + LAST) & ~(unsigned)LAST;
    return (uint64_t)stream->address + size <= job->s->tile->l1_size &&
           job->s->tile->l1_unheeded(job->s->tile->owner, stream->address, size) != NULL;
}

bool pack_is_unheeded(struct pack_job *job, const struct pack_plan plan[], unsigned n)
{
    const struct tensix_packer *p = job->packer;
    unsigned rows = 0;
    if (plan[0].opens)
        pack_output_open(job, plan[0].place);
    for (unsigned i = 0; i < n; i++)
        rows += plan[i].rows;
    return is_unheeded(job, &p->data, 2 * format_bits(job->conversion.LateToFormat) * rows) &&
           (!(job->conversion.LateToFormat & OUT_HAS_EXPONENTS) || is_unheeded(job, &p->exponents, rows));
}

void pack_PACR_do(struct pack_job *job, const struct pack_plan plan[], unsigned n, bool plain)
{
    const struct pack_plan *end = &plan[n - 1];
    if (plan[0].opens)
        pack_output_open(job, plan[0].place);
    if (!plain && plan[0].by_rows)
        pack_rows(job, plan, n);
    else
        for (unsigned i = 0; i < n; i++)
            pack_plain(job, &plan[i]);
    if (job->modes->compress && !end->concat)
        pack_compress_row_end(job);
    if (end->last || end->flush)
        pack_output_close(job, end->last);
}

step_result pack_execute(tensix_step *s, const struct op_PACR *op, bool plain)
{
    struct tensix_packer *p = &s->tx->packer;
    struct pack_job job;
    struct pack_counters now;
    struct pack_plan plan;
    if (pack_is_held(s))
        return STEP_STALLED;
    if (op->CtxtCtrl == CONTEXT_RESET) {
        p->context = p->context_planes = 0;
        return STEP_RETIRED;
    }
    if (!pack_begin(&job, s, op))
        return STEP_FAULTED;
    pack_counters_now(&job, &now);
    if (!pack_PACR_plan(&job, op, &now, &plan))
        return STEP_FAULTED;
    if (job.source == PACK_FROM_DST && waits_for_dst(&job, &plan))
        return STEP_STALLED;
    if (CHECKED(s->tile))
        tell(&job, &plan);
    pack_PACR_do(&job, &plan, 1, plain);
    pack_behind(&job, &plan, 1);
    if (job.overrun &&
        tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixCoprocessor/Packers/OutputAddressGenerator",
                     "PACR to L1 address 0x%x (THCON_SEC0_REG1_L1_Dest_addr 0x%x): L1 ends at 0x%x",
                     job.overrun_address, CFG_FIELD(job.section, THCON_SEC0_REG1_L1_Dest_addr), s->tile->l1_size))
        return STEP_FAULTED;
    return STEP_RETIRED;
}

step_result pack_PACR(tensix_step *s, const struct op_PACR *op)
{
    return pack_execute(s, op, false);
}

/* ---- Soft reset ---- */

/* What PACR left for the next one is gone; counters of position and context, of which the page says nothing, stay. */
void pack_soft_reset(struct tensix_packer *packer)
{
    memset(packer->acc_tile_size, 0, sizeof packer->acc_tile_size);
    packer->last_tile_size = 0;
    packer->data = packer->exponents = packer->row_starts = (struct tensix_pack_stream){0};
    memset(packer->group, 0, sizeof packer->group);
    packer->group_count = 0;
    packer->datums = 0;
    packer->compression = (struct tensix_compression){0};
    packer->fifo_head = packer->fifo_count = 0;
}

/* ---- MetadataFIFO ---- */

const struct tensix_packed_tile *pack_fifo_peek(const struct tensix_packer *packer)
{
    return packer->fifo_count ? &packer->fifo[packer->fifo_head] : NULL;
}

void pack_fifo_pop(struct tensix_packer *packer)
{
    packer->fifo_head = (uint8_t)((packer->fifo_head + 1) % PACK_FIFO);
    packer->fifo_count--;
}

static bool stream_is_sane(const struct tensix_pack_stream *stream)
{
    return stream->bits < 8 * PACK_UNIT_BYTES;
}

bool pack_is_sane(const struct tensix_packer *p)
{
    return stream_is_sane(&p->data) && stream_is_sane(&p->exponents) && stream_is_sane(&p->row_starts) &&
           p->group_count < ROW_DATUMS && p->context < PACK_CONTEXTS && p->fifo_head < PACK_FIFO &&
           p->fifo_count <= PACK_FIFO && p->compression.block < 32;
}
