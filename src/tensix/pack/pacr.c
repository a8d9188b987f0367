/* SPDX-License-Identifier: Apache-2.0 */
/* PACR: manual PACR (f82128bb); fields that it leaves open by assembly.yaml. */
#include "tensix/pack/counters.h"
#include "tensix/pack/pack.h"

#include "tensix/matrix/unit.h"
#include "tensix/regs/dst.h"

#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "tensix_units.h"

#include <string.h>

enum { SOFT_RESET_PACKER = 2 };
enum { CONTEXT_COUNTED = 1, CONTEXT_RESET = 2 };

/* Manual SoftReset: they "will not start", and may be discarded or not; here they wait. */
bool pack_is_held(tensix_step *s)
{
    if (!tensix_soft_reset(s->tile, SOFT_RESET_PACKER))
        return false;
    s->again = UINT64_MAX; /* soft_reset.c says when */
    s->reason = TENSIX_STALL_RESET;
    return true;
}

/* assembly.yaml, CtxtCtrl: the counted context steps behind the last PACR of a tile, or, with auto_ctxt_inc_xys_cnt, behind as
 * many planes. */
static void step_context(struct pack_job *job, uint8_t plane_before)
{
    struct tensix_packer *p = job->packer;
    const unsigned planes = CFG_FIELD(job->config + job->context, PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt);
    p->context_planes = (uint8_t)(p->context_planes + (p->tile_plane != plane_before));
    if (planes ? p->context_planes < planes : !job->last)
        return;
    p->context = (uint8_t)((p->context + 1) % PACK_CONTEXTS);
    p->context_planes = 0;
}

/* ---- PACRs of a tile ----
 *
 * LLK, hal/cfg/pack.h: PACK_COUNTERS have the number of PACRs of a plane and of planes of a tile, for an "auto-generated last word bit";
 * cpack_common.h sets both to zero to "disable auto last generation".  So the PACR that completes the last plane has Last.
 * OPEN: what else ends a count.  Here Last does, and a Flush is no PACR of a plane.  With pack_xys_per_tile 0 no plane is the last. */

bool pack_counts_to_last(const struct pack_job *job, const struct op_PACR *op)
{
    const uint32_t *counters = job->config + job->context;
    const unsigned packs = CFG_FIELD(counters, PACK_COUNTERS_SEC0_pack_per_xy_plane);
    const unsigned planes = CFG_FIELD(counters, PACK_COUNTERS_SEC0_pack_xys_per_tile);
    return UNLIKELY(packs != 0) && planes != 0 && !op->Flush && job->packer->plane_packs + 1u >= packs &&
           job->packer->tile_planes + 1u >= planes;
}

/* Nothing is counted while pack_per_xy_plane is 0. */
void pack_count_of_tile(struct pack_job *job)
{
    struct tensix_packer *p = job->packer;
    const unsigned packs = CFG_FIELD(job->config + job->context, PACK_COUNTERS_SEC0_pack_per_xy_plane);
    if (LIKELY(packs == 0) || (job->flush && !job->last))
        return;
    p->plane_packs++;
    if (p->plane_packs >= packs || job->last) {
        p->plane_packs = 0;
        p->tile_planes = (uint8_t)(job->last ? 0 : p->tile_planes + 1);
    }
}

/* As fast as L1 takes what comes of it, four rows a cycle at most.  With compression it is as if nothing were left out, and one more: a
 * card takes as long for 0 datums that are not zero as for 1024 (isa/costs.tbl). */
static void charge(struct pack_job *job)
{
    enum { UNIT_BITS = 8 * PACK_UNIT_BYTES };
    uint32_t units = job->units;
    if (job->plan->compress)
        units = (job->packed * format_bits(job->conversion.LateToFormat) + UNIT_BITS - 1) / UNIT_BITS;
    uint32_t cycles = (units + COST_PACK_WRITES - 1) / COST_PACK_WRITES * (job->plan->accumulate ? COST_PACK_ADD : 1);
    if (cycles < job->rows / PACK_INTERFACES)
        cycles = job->rows / PACK_INTERFACES;
    if (job->plan->compress)
        cycles += COST_PACK_COMPRESS;
    job->s->issue = cycles ? cycles : 1;
    job->s->tx->data_cycles[1] += job->s->issue;
    if (job->source != PACK_FROM_DST)
        job->s->tx->not_of_dst += job->s->issue;
    job->s->latency = job->s->issue + COST_PACK_PIPELINE;
}

/* For checks. */
static void tell(const struct pack_job *job)
{
    tensix_tile *tile = job->s->tile;
    if (job->source == PACK_FROM_L1)
        hook_l1(tile, job->l1_source, 4 * ROW_DATUMS >> (job->conversion.LateFromFormat & 3 ? 1 : 0), CHECK_READ);
    for (unsigned k = 0; k < job->rows && job->source == PACK_FROM_DST; k++)
        hook_dst(
            tile,
            (struct check_rows){
                .access = job->access, .row = (uint16_t)job->row[k], .rows = 1, .wide = job->conversion.Read_32b_data},
            CHECK_READ);
}

static void do_datums(struct pack_job *job, bool plain)
{
    const uint32_t before = job->packer->datums;
    if (job->rows == 0)
        return;
    if (CHECKED(job->s->tile))
        tell(job);
    if (job->source == PACK_FROM_DST)
        pack_edge_masks(job);
    if (!plain && pack_rows_can(job))
        pack_rows(job);
    else
        pack_plain(job);
    job->packed = job->packer->datums - before;
    if (job->source == PACK_FROM_DST)
        pack_tile_position_advance(job);
}

/* Manual Dst, "Instruction scheduling": blocks that the Matrix Unit has just written. */
static bool waits_for_dst(struct pack_job *job)
{
    for (unsigned k = 0; k < job->rows; k++) {
        const unsigned row =
            job->conversion.Read_32b_data ? dst_row32(job->access, job->row[k]) : dst_row16(job->access, job->row[k]);
        if (UNLIKELY(matrix_waits_for_block(job->s, row / 8)))
            return true;
    }
    return false;
}

/* What the stages count up; they set all else that they use. */
static void start(struct pack_job *job, tensix_step *s)
{
    job->s = s;
    job->packer = &s->tx->packer;
    job->config = s->tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
    job->rows = job->column = job->count = 0;
    job->units = job->packed = 0;
    job->overrun = false;
    job->overrun_address = 0;
}

step_result pack_execute(tensix_step *s, const struct op_PACR *op, bool plain)
{
    struct tensix_packer *p = &s->tx->packer;
    struct pack_job job;
    if (pack_is_held(s))
        return STEP_STALLED;
    if (!plain && pack_quick(s, op))
        return STEP_RETIRED;
    start(&job, s);
    if (op->CtxtCtrl == CONTEXT_RESET) {
        p->context = p->context_planes = 0;
        return STEP_RETIRED;
    }
    if (!pack_decode(&job, op) || !pack_input(&job, op))
        return STEP_FAULTED;
    if (job.source == PACK_FROM_DST && waits_for_dst(&job))
        return STEP_STALLED;
    const uint8_t plane = p->tile_plane;
    pack_count_of_tile(&job);
    pack_output_open(&job);
    do_datums(&job, plain);
    if (job.plan->compress && !job.concat)
        pack_compress_row_end(&job);
    if (job.last || job.flush)
        pack_output_close(&job);
    struct tensix_adc_channel *adc = s->tx->thread[job.thread_adc].adc[ADC_SETS - 1];
    const uint16_t mod = s->t->config[ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32 + op->AddrMod];
    pack_advance_source(&adc[0], mod);
    pack_advance_destination(&adc[1], mod);
    if (op->CtxtCtrl == CONTEXT_COUNTED)
        step_context(&job, plane);
    if (job.last) /* the next PACR begins a tile (edge_mask.c) */
        p->tile_position = p->tile_plane = 0;
    charge(&job);
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
