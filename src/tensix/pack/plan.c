/* SPDX-License-Identifier: Apache-2.0 */
/* What a PACR will do (plan.h): manual PACR (f82128bb); fields that it leaves open by assembly.yaml. */
#include "tensix/pack/pack.h"

#include "base/bits.h"
#include "tensix/matrix/unit.h"

#include "cfg_fields.h"

enum { ADC_PACKER = ADC_SETS - 1, UNIT_BITS = 8 * PACK_UNIT_BYTES, YZ_MASK = 0x1FFF };
enum { CONTEXT_COUNTED = 1 };
enum { PAD_NEVER, PAD_ALWAYS, PAD_UNLESS_CONCAT, PAD_IF_LAST };

/* ---- Address counters ---- */

#define MOD(NAME) ((mod & ADDR_MOD_PACK_SEC0_##NAME##_MASK) >> ADDR_MOD_PACK_SEC0_##NAME##_SHAMT)

static inline void advance(struct tensix_adc_channel *adc, bool y_clear, bool y_cr, unsigned y, bool z_clear,
                           unsigned z)
{
    if (y_clear)
        adc->y = adc->y_cr = 0;
    else if (y_cr)
        adc->y = adc->y_cr = (adc->y_cr + y) & YZ_MASK;
    else
        adc->y = (adc->y + y) & YZ_MASK;
    if (z_clear)
        adc->z = adc->z_cr = 0;
    else
        adc->z = (adc->z + z) & YZ_MASK;
}

/* Channel 1: manual WormholeB0 Packers/OutputAddressGenerator. */
static void advance_both(struct tensix_adc_channel adc[2], uint16_t mod)
{
    advance(&adc[0], MOD(YsrcClear), MOD(YsrcCR), MOD(YsrcIncr), MOD(ZsrcClear), MOD(ZsrcIncr));
    advance(&adc[1], MOD(YdstClear), MOD(YdstCR), MOD(YdstIncr), MOD(ZdstClear), MOD(ZdstIncr));
}

#undef MOD

/* Rows further (TilePositionGenerator.Advance, for the 16 datums of each).  Transposed, Z steps first. */
static inline void advance_tile_position(const struct pack_job *job, struct pack_counters *now, unsigned rows)
{
    const unsigned reads = CFG_FIELD(job->config + job->context, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane);
    const bool transposed = CFG_FIELD(job->config + job->context, PACK_COUNTERS_SEC0_pack_yz_transposed);
    uint8_t *first = transposed ? &now->tile_plane : &now->tile_position;
    uint8_t *second = transposed ? &now->tile_position : &now->tile_plane;
    *first = (uint8_t)(*first + rows);
    if (*first == reads) {
        *first = 0;
        (*second)++;
    }
}

/* ---- Contexts ---- */

/* assembly.yaml, CtxtCtrl: the counted context steps behind the last PACR of a tile, or, with auto_ctxt_inc_xys_cnt, behind as
 * many planes. */
static void step_context(const struct pack_job *job, bool last, uint8_t plane_before, struct pack_counters *now)
{
    const unsigned planes = CFG_FIELD(job->config + job->context, PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt);
    now->context_planes = (uint8_t)(now->context_planes + (now->tile_plane != plane_before));
    if (planes ? now->context_planes < planes : !last)
        return;
    now->context = (uint8_t)((now->context + 1) % PACK_CONTEXTS);
    now->context_planes = 0;
}

/* ---- PACRs of a tile ----
 *
 * LLK, hal/cfg/pack.h: PACK_COUNTERS have the number of PACRs of a plane and of planes of a tile, for an "auto-generated last word bit";
 * cpack_common.h sets both to zero to "disable auto last generation".  So the PACR that completes the last plane has Last.
 * OPEN: what else ends a count.  Here Last does, and a Flush is no PACR of a plane.  With pack_xys_per_tile 0 no plane is the last. */

static bool counts_to_last(const struct pack_job *job, const struct op_PACR *op, const struct pack_counters *before)
{
    const uint32_t *counters = job->config + job->context;
    const unsigned packs = CFG_FIELD(counters, PACK_COUNTERS_SEC0_pack_per_xy_plane);
    const unsigned planes = CFG_FIELD(counters, PACK_COUNTERS_SEC0_pack_xys_per_tile);
    return UNLIKELY(packs != 0) && planes != 0 && !op->Flush && before->plane_packs + 1u >= packs &&
           before->tile_planes + 1u >= planes;
}

/* Nothing is counted while pack_per_xy_plane is 0. */
static void count_of_tile(const struct pack_job *job, const struct pack_plan *plan, struct pack_counters *now)
{
    const unsigned packs = CFG_FIELD(job->config + job->context, PACK_COUNTERS_SEC0_pack_per_xy_plane);
    if (LIKELY(packs == 0) || (plan->flush && !plan->last))
        return;
    now->plane_packs++;
    if (now->plane_packs >= packs || plan->last) {
        now->plane_packs = 0;
        now->tile_planes = (uint8_t)(plan->last ? 0 : now->tile_planes + 1);
    }
}

/* ---- Datums, and the cycles that they take ---- */

/* RowPadZero (assembly.yaml): bits 1:0 when, bit 2 each row or all that was packed. */
static void plan_padding(const struct op_PACR *op, struct pack_plan *plan)
{
    const unsigned when = op->RowPadZero & 3;
    const bool pad =
        when == PAD_ALWAYS || (when == PAD_UNLESS_CONCAT && !op->Concat) || (when == PAD_IF_LAST && plan->last);
    plan->row_pad = pad && !(op->RowPadZero & 4);
    plan->row_pad_tail = pad && (op->RowPadZero & 4);
}

/* As many come out of the stages, padding included and before compression. */
static uint32_t datums_of(const struct pack_job *job, const struct pack_plan *plan, uint32_t before)
{
    enum { TO_ROW = ROW_DATUMS - 1 };
    uint32_t each = plan->count;
    if (UNLIKELY(job->modes->downsample != 0xFFFF))
        each = (uint32_t)__builtin_popcount(job->modes->downsample & ((UINT32_C(1) << plan->count) - 1));
    if (plan->row_pad)
        each = (each + TO_ROW) & ~(uint32_t)TO_ROW;
    const uint32_t all = plan->rows * each;
    return plan->row_pad_tail && plan->rows != 0 ? all + (-(before + all) & TO_ROW) : all;
}

/* The bits of a stream go to L1 in units of 16 bytes, of which so many come; `waiting` are left. */
static uint32_t units_of(uint8_t *waiting, uint32_t bits, bool closes)
{
    const uint32_t all = *waiting + bits, left = all % UNIT_BITS;
    *waiting = (uint8_t)(closes ? 0 : left);
    return all / UNIT_BITS + (closes && left != 0);
}

/* The streams behind so many datums.  Gives the units of 16 bytes that go to L1.  As if nothing were compressed. */
static uint32_t fill_streams(const struct pack_job *job, uint32_t datums, bool closes, struct pack_counters *now)
{
    const unsigned to = job->conversion.LateToFormat;
    uint32_t groups = 0, left = now->group;
    if (format_is_bfp(to)) {
        groups = (left + datums) / ROW_DATUMS;
        left = (left + datums) % ROW_DATUMS;
        datums = groups * ROW_DATUMS;
    }
    if (closes && left != 0) { /* the missing ones are zero */
        datums += left;
        groups++;
        left = 0;
    }
    now->group = (uint8_t)left;
    return units_of(&now->data_bits, datums * format_bits(to), closes) +
           units_of(&now->exponent_bits, groups * 8, closes) + (closes && job->packer->row_starts.bits != 0);
}

/* As fast as L1 takes what comes of it, four rows a cycle at most.  With compression it is as if nothing were left out, and one more: a
 * card takes as long for 0 datums that are not zero as for 1024 (isa/costs.tbl). */
static uint32_t cycles_of(const struct pack_job *job, const struct pack_plan *plan, uint32_t datums, uint32_t units)
{
    if (job->modes->compress)
        units = (datums * format_bits(job->conversion.LateToFormat) + UNIT_BITS - 1) / UNIT_BITS;
    uint32_t cycles = (units + COST_PACK_WRITES - 1) / COST_PACK_WRITES * (job->modes->accumulate ? COST_PACK_ADD : 1);
    if (cycles < plan->rows / PACK_INTERFACES)
        cycles = plan->rows / PACK_INTERFACES;
    if (job->modes->compress)
        cycles += COST_PACK_COMPRESS;
    return cycles ? cycles : 1;
}

/* ---- The plan ---- */

/* All 16 columns, and streams that stand at whole bytes. */
static bool is_for_rows(const struct pack_job *job, const struct pack_plan *plan, const struct pack_counters *before)
{
    return job->source != PACK_FROM_L1 && plan->rows <= PACK_INTERFACES && plan->column == 0 &&
           plan->count == ROW_DATUMS && job->modes->whole && before->group == 0 && before->data_bits % 8 == 0 &&
           before->exponent_bits % 8 == 0 && !(plan->row_pad_tail && before->datums % ROW_DATUMS != 0);
}

bool pack_PACR_plan(struct pack_job *job, const struct op_PACR *op, const struct pack_counters *before,
                    struct pack_plan *plan)
{
    plan->last = op->Last || counts_to_last(job, op, before);
    plan->flush = op->Flush;
    plan->concat = op->Concat;
    plan->rows = plan->column = plan->count = 0;
    plan->whole_rows = false;
    plan_padding(op, plan);
    if (!pack_input(job, op, before, plan))
        return false;
    plan->by_rows = is_for_rows(job, plan, before);
    plan->opens = !before->open;
    if (plan->opens)
        plan->place = pack_place(job, &before->adc[1]);
    struct pack_counters *now = &plan->behind;
    *now = *before;
    count_of_tile(job, plan, now);
    const bool closes = plan->last || plan->flush;
    const uint32_t datums = datums_of(job, plan, before->datums);
    plan->cycles = cycles_of(job, plan, datums, fill_streams(job, datums, closes, now));
    now->datums = closes ? 0 : before->datums + datums;
    now->open = !closes;
    if (job->source == PACK_FROM_DST)
        advance_tile_position(job, now, plan->rows);
    advance_both(now->adc, job->s->t->config[ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32 + op->AddrMod]);
    if (op->CtxtCtrl == CONTEXT_COUNTED)
        step_context(job, plan->last, before->tile_plane, now);
    if (plan->last) /* the next PACR begins a tile (input.c) */
        now->tile_position = now->tile_plane = 0;
    return true;
}

void pack_counters_now(const struct pack_job *job, struct pack_counters *now)
{
    const struct tensix_packer *p = job->packer;
    const struct tensix_adc_channel *adc = job->s->tx->thread[job->thread_adc].adc[ADC_PACKER];
    *now = (struct pack_counters){.adc = {adc[0], adc[1]},
                                  .tile_position = p->tile_position,
                                  .tile_plane = p->tile_plane,
                                  .plane_packs = p->plane_packs,
                                  .tile_planes = p->tile_planes,
                                  .context = p->context,
                                  .context_planes = p->context_planes,
                                  .open = p->data.open &&
                                          (p->exponents.open || !(job->conversion.LateToFormat & OUT_HAS_EXPONENTS)) &&
                                          (p->row_starts.open || !job->modes->compress),
                                  .group = p->group_count,
                                  .data_bits = p->data.bits,
                                  .exponent_bits = p->exponents.bits,
                                  .datums = p->datums};
}

void pack_behind(struct pack_job *job, const struct pack_plan plan[], unsigned n)
{
    struct tensix *tx = job->s->tx;
    struct tensix_packer *p = job->packer;
    const struct pack_counters *now = &plan[n - 1].behind;
    struct tensix_adc_channel *adc = tx->thread[job->thread_adc].adc[ADC_PACKER];
    adc[0] = now->adc[0];
    adc[1] = now->adc[1];
    p->tile_position = now->tile_position;
    p->tile_plane = now->tile_plane;
    p->plane_packs = now->plane_packs;
    p->tile_planes = now->tile_planes;
    p->context = now->context;
    p->context_planes = now->context_planes;
    uint32_t cycles = 0;
    for (unsigned i = 0; i < n; i++)
        cycles += plan[i].cycles;
    tx->data_cycles[1] += cycles;
    if (job->source != PACK_FROM_DST)
        tx->not_of_dst += cycles;
    job->s->issue = plan[n - 1].cycles;
    job->s->latency = job->s->issue + COST_PACK_PIPELINE;
}

/* ---- Bursts ---- */

/* Fields that PACRs of a burst may have: no context, padding, override, ZeroWrite, CtxtCtrl or Flush. */
enum {
    BURST_FIELDS = 1 << 17 | 3 << 15 | 3 << 13 | 15 << 8 | 1 << 4 |
                   1 /* DstAccessMode AddrMod AddrCntContext ReadIntfSel Concat Last */
};

bool pack_begin_burst(struct pack_job *job, tensix_step *s, struct pack_counters *now)
{
    const struct op_PACR op = decode_PACR(s->word & ~(uint32_t)BURST_FIELDS);
    if (s->cycle - s->tx->matrix.written < COST_DST_BLOCK || pack_is_held(s))
        return false;
    s->ahead = true;
    const bool begun = pack_begin(job, s, &op) && job->source == PACK_FROM_DST;
    s->ahead = false;
    if (begun)
        pack_counters_now(job, now);
    return begun;
}

bool pack_plan_ahead(struct pack_job *job, uint32_t word, const struct pack_counters *before, struct pack_plan *plan)
{
    const struct op_PACR op = decode_PACR(word);
    if ((word & ~(uint32_t)BURST_FIELDS) != (uint32_t)OPCODE_PACR << 24)
        return false;
    job->s->ahead = true;
    const bool planned = pack_PACR_plan(job, &op, before, plan) && plan->by_rows;
    job->s->ahead = false;
    return planned;
}
