/* SPDX-License-Identifier: Apache-2.0 */
/* UNPACR: manual WormholeB0 UNPACR_Regular, UNPACR_IncrementContextCounter, UNPACR_FlushCache.
 *
 * All of the moving is done in the cycle in which the instruction passes its gate; what takes time is told by the cycle from
 * which on the Matrix Unit has the bank, and by that in which the unpacker is done (time.c).
 * Left out: the cache of row starts (four entries an unpacker), which no document models, so that flushing it changes nothing and each row
 * start costs the same (COST_UNPACK_ROW_START).  OPEN: what a program that does not flush reads once it has changed row starts in L1: a
 * card, with one compressed tile in place of another.
 * OPEN: how far an unpacker runs ahead of its data.  The page lets an UNPACR start whosever the bank is and wait midway; here
 * it waits at the gate, and one that has waited has found its address meanwhile.  The next one starts when the datums of
 * the one before are all but in.  A card with two UNPACR and a slow Matrix Unit would tell. */
#include "tensix_units.h" /* before the names of registers */

#include "tensix/unpack/unpack.h"

#include "tensix/unpack/write.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "tensix/regs/matrix_unit.h"

enum { RESET_UNPACKERS = 1u << 0 | 1u << 1 | 1u << 7 };

static uint32_t soft_reset(const tensix_step *s)
{
    return *s->tile->soft_reset;
}

/* Manual SoftReset: new instructions do not start while the unpackers are held; here they wait. */
bool unpack_held(tensix_step *s)
{
    if (LIKELY(!(soft_reset(s) & RESET_UNPACKERS)))
        return false;
    s->again = UINT64_MAX; /* soft_reset.c says when */
    s->reason = TENSIX_STALL_RESET;
    return true;
}

/* ---- Context counters ------------------------------------------------------------------------------------------ */

/* The counter goes on from `context`.  The last context is 2^Context_count - 1, or on Blackhole Context_count_non_log2, if that is
 * enabled (LLK hal/cfg: the counter wraps when it is equal to them). */
static void next_context(tensix_step *s, unsigned which, unsigned context)
{
    const uint32_t *section = unpack_bank_of_config(s) + 48 * which;
    const unsigned next = (context + 1) % UNPACK_CONTEXTS;
    const unsigned last = CFG_FIELD(section, THCON_SEC0_REG2_Context_count_non_log2_en)
                              ? CFG_FIELD(section, THCON_SEC0_REG2_Context_count_non_log2)
                              : (1u << CFG_FIELD(section, THCON_SEC0_REG2_Context_count)) - 1;
    s->tx->context_counter[which][s->thread] = (uint8_t)(next > last ? 0 : next);
}

/* SETC16 of UNPACK_MISC_CFG.  Manual BackendConfiguration "Special cases": writing the word sets the thread's counters back.  LLK
 * hal/cfg: CfgContextCntReset does when it is written as 1, CfgContextCntInc counts.  So a write that
 * asks for counting only does that.  OPEN: whether one that asks for neither leaves the counter alone: a card. */
void unpack_misc_cfg_written(tensix_step *s)
{
    const uint16_t *config = s->t->config;
    const bool reset[2] = {CFG_FIELD(config, UNPACK_MISC_CFG_CfgContextCntReset_0),
                           CFG_FIELD(config, UNPACK_MISC_CFG_CfgContextCntReset_1)};
    const bool counts[2] = {CFG_FIELD(config, UNPACK_MISC_CFG_CfgContextCntInc_0),
                            CFG_FIELD(config, UNPACK_MISC_CFG_CfgContextCntInc_1)};
    for (unsigned which = SRC_A; which <= SRC_B; which++) {
        if (counts[which] && !reset[which])
            next_context(s, which, s->tx->context_counter[which][s->thread]);
        else
            s->tx->context_counter[which][s->thread] = 0;
    }
}

static step_result increment_counter(tensix_step *s, const struct op_UNPACR *op)
{
    next_context(s, op->WhichUnpacker, s->tx->context_counter[op->WhichUnpacker][s->thread]);
    s->issue = s->latency = 1;
    return STEP_RETIRED;
}

/* ---- Regular ----------------------------------------------------------------------------------------------------- */

static inline void count_channels(struct tensix_adc_channel channel[2], const struct op_UNPACR *op)
{
    channel[0].y = (channel[0].y + op->Ch0YInc) & ADC_YZW_MASK;
    channel[0].z = (channel[0].z + op->Ch0ZInc) & ADC_YZW_MASK;
    channel[1].y = (channel[1].y + op->Ch1YInc) & ADC_YZW_MASK;
    channel[1].z = (channel[1].z + op->Ch1ZInc) & ADC_YZW_MASK;
}

/* Of this thread and of the one whose X and Y were used, once each. */
static inline void count_on(const tensix_step *s, const struct op_UNPACR *op, unsigned adc)
{
    count_channels(s->t->adc[op->WhichUnpacker], op);
    if (adc != s->thread)
        count_channels(s->tx->thread[adc].adc[op->WhichUnpacker], op);
}

static void hand_over(tensix_step *s, const struct op_UNPACR *op, const struct unpack_config *c, uint64_t there)
{
    struct tensix_src *src = &s->tx->src[c->which];
    const unsigned base = c->which ? CFG_FIELD(s->t->config, SRCB_SET_Base) : CFG_FIELD(s->t->config, SRCA_SET_Base);
    if (op->FlipSrc)
        src_unpacker_hands_over_at(s, c->which, c->OutDataFormat, there);
    else if (c->Unpack_Src_Reg_Set_Upd)
        src->unpacker_row[s->thread] = (uint8_t)((src->unpacker_row[s->thread] + 16 + (base << 4)) % SRC_ROWS);
}

/* False: it faulted, and the thread must not go on. */
static bool outcome_is_fine(tensix_step *s, const struct unpack_config *c, const struct unpack_outcome *outcome)
{
    if (LIKELY(outcome->problem == UNPACK_DONE))
        return true;
    if (outcome->problem == UNPACK_OUTSIDE_L1) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
                     "unpacker %u, context %u reads at 0x%x, behind datum %u: L1 ends at 0x%x (tile at 0x%llx by "
                     "THCON_SEC%u_REG%u_Base and REG7_Offset)",
                     c->which, c->at.context, outcome->value, outcome->taken, s->tile->l1_size,
                     (unsigned long long)c->InAddr, c->which, c->at.context < 4 ? 3 : 4);
        return false;
    }
    return !tensix_fault(
        s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
        "unpacker %u, context %u: output row %u, but there are 16 (SRCA_SET_SetOvrdWithAddr is not set)", c->which,
        c->at.context, outcome->value);
}

/* The address takes its cycles, unless the instruction has had them while it waited for its bank. */
static uint64_t address_cycles(tensix_step *s, const struct unpack_plan *plan)
{
    const uint32_t cycles = COST_UNPACK_ADDRESS + plan->row_starts * COST_UNPACK_ROW_START;
    s->issue = s->t->stall == TENSIX_STALL_SOURCE ? 1 : cycles;
    return s->t->stall == TENSIX_STALL_SOURCE ? 0 : cycles;
}

struct unpack_outcome unpack_UNPACR_do(struct unpack_plan *plan, const uint8_t *l1, uint32_t size,
                                       struct tensix_files *files, bool plain)
{
    if (LIKELY(plan->by_rows && !plain)) {
        unpack_rows(plan, l1, files);
        return (struct unpack_outcome){UNPACK_DONE, 0, plan->InputNumDatums, plan->InputNumDatums};
    }
    const struct unpack_outcome outcome = unpack_plain(plan, l1, size, files);
    if (!plan->c->IsUncompressed)
        unpack_plan_time(plan, outcome.taken, outcome.written);
    return outcome;
}

void unpack_behind(tensix_step *s, const struct op_UNPACR *op, const struct unpack_plan *plan)
{
    const struct unpack_config *c = plan->c;
    const uint64_t from = s->cycle + address_cycles(s, plan);
    unpack_occupy(s, c->which, from, plan->cycles, plan->narrow);
    if (!c->UnpackToDst)
        s->tx->src_written[c->which][s->thread] += plan->cycles;
    if (c->at.multi && op->UseContextCounter)
        next_context(s, c->which, c->at.context);
    count_on(s, op, c->at.adc);
    hand_over(s, op, c, unpack_arrives(s, c->which));
}

/* For checks: what is read, as far as it is known before. */
static void tell_input(const tensix_step *s, const struct unpack_plan *plan)
{
    const struct unpack_config *c = plan->c;
    const uint32_t datums = plan->InputNumDatums, width = c->UnpackRowWidth, rows = (datums + width - 1) / width;
    const uint32_t size = s->tile->l1_size;
    const uint64_t from = plan->InAddr_Datums / BITS, exponents = plan->InAddr_Exponents / EXPONENT_SHARES;
    for (uint32_t i = 0; i < rows && c->IsUncompressed && !c->AllDatumsAreZero; i++) {
        const uint64_t at = unpack_wrap(c, from + i * (uint64_t)c->RowStride / BITS, 1);
        const uint32_t bytes = ((i + 1 < rows ? width : datums - i * width) * c->datum_bits + BITS - 1) / BITS;
        if (at + bytes <= size)
            hook_l1(s->tile, at, bytes, CHECK_READ);
    }
    if (c->bfp && !c->Force_shared_exp && exponents + (datums + 15) / 16 <= size)
        hook_l1(s->tile, exponents, (datums + 15) / 16, CHECK_READ);
}

/* ... and so many datums that were written, of which compressed input does not tell before. */
static void tell_output(const tensix_step *s, const struct unpack_plan *plan, uint32_t written)
{
    const struct unpack_config *c = plan->c;
    const uint32_t first = plan->OutAddr / SRC_COLUMNS;
    uint32_t bad = UNPACK_NO_ROW, place;
    for (uint32_t row = first; row < first + (written + SRC_COLUMNS - 1) / SRC_COLUMNS && row < first + DST_ROWS;
         row++) {
        if (!unpack_place(plan, row, &place, &bad))
            continue;
        if (c->UnpackToDst)
            hook_dst(s->tile,
                     (struct check_rows){.access = c->dest_access,
                                         .row = (uint16_t)place,
                                         .rows = 1,
                                         .wide = unpack_target_of(c->conversion) == UNPACK_TO_DST32},
                     CHECK_WRITE);
        else
            hook_src(s->tile, c->which, plan->bank, c->Transpose ? place & ~15u : place,
                     c->Transpose    ? SRC_COLUMNS
                     : c->srcb_bcast ? BROADCAST_ROWS
                                     : 1,
                     CHECK_WRITE);
    }
}

/* What an unpacker still has to do: the next instruction may start while the last datums come in. */
static bool unpacker_is_busy(tensix_step *s, unsigned which)
{
    const uint64_t until = s->tx->unpacker[which].data_until;
    if (LIKELY(until <= s->cycle + COST_UNPACK_ADDRESS))
        return false;
    s->again = until - COST_UNPACK_ADDRESS;
    s->reason = TENSIX_STALL_UNIT;
    return true;
}

bool unpack_may_be_late(tensix_step *s)
{
    const struct op_UNPACR op = decode_UNPACR(s->word);
    return !op.CfgContextCntInc && !op.SearchCacheFlush && !unpack_held(s) && !unpacker_is_busy(s, op.WhichUnpacker) &&
           !src_unpacker_waits(s, op.WhichUnpacker);
}

step_result unpack_execute(tensix_step *s, const struct op_UNPACR *op, bool plain)
{
    struct unpack_config c;
    struct unpack_plan plan;
    if (unpack_held(s))
        return STEP_STALLED;
    if (op->CfgContextCntInc)
        return increment_counter(s, op);
    if (op->SearchCacheFlush) {
        s->issue = s->latency = 1;
        return STEP_RETIRED;
    }
    if (unpacker_is_busy(s, op->WhichUnpacker) || src_unpacker_waits(s, op->WhichUnpacker))
        return STEP_STALLED;
    if (!unpack_begin(s, op, &c) || !unpack_UNPACR_plan(s, &c, &plan))
        return STEP_FAULTED;
    if (CHECKED(s->tile))
        tell_input(s, &plan);
    const struct unpack_outcome outcome = unpack_UNPACR_do(&plan, s->tile->l1, s->tile->l1_size, s->tile->files, plain);
    if (CHECKED(s->tile))
        tell_output(s, &plan, outcome.written);
    if (!outcome_is_fine(s, &c, &outcome))
        return STEP_FAULTED;
    unpack_behind(s, op, &plan);
    return STEP_RETIRED;
}

/* ---- Several in a row ----------------------------------------------------------------------------------------------- */

uint64_t unpack_row_when(const tensix_step *s, struct unpack_row *row)
{
    if (!row->known || row->word != s->word) {
        row->known = false;
        row->word = s->word;
        row->op = decode_UNPACR(s->word);
        if (row->op.CfgContextCntInc | row->op.SearchCacheFlush || (soft_reset(s) & RESET_UNPACKERS))
            return UINT64_MAX;
    }
    const uint64_t until = s->tx->unpacker[row->op.WhichUnpacker].data_until;
    if (!src_unpacker_owns(s->tx, row->op.WhichUnpacker))
        return UINT64_MAX;
    return until > s->cycle + COST_UNPACK_ADDRESS ? until - COST_UNPACK_ADDRESS : s->cycle;
}

bool unpack_row_do(tensix_step *s, struct unpack_row *row)
{
    struct unpack_plan plan;
    s->ahead = true;
    const bool planned =
        (row->known || unpack_begin(s, &row->op, &row->c)) && unpack_UNPACR_plan(s, &row->c, &plan) && plan.by_rows;
    s->ahead = false;
    if (!planned)
        return false;
    unpack_rows(&plan, s->tile->l1, s->tile->files);
    row->known = !(row->c.at.multi && row->op.UseContextCounter); /* which goes on */
    unpack_behind(s, &row->op, &plan);
    return true;
}

step_result unpack_UNPACR(tensix_step *s, const struct op_UNPACR *op)
{
    return unpack_execute(s, op, false);
}
