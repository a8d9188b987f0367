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

#include "tensix/unpack/row.h"
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

/* Columns of the target that take what is written to them (manual SoftReset, "data soft reset"). */
static uint16_t writable_columns(const tensix_step *s, const struct unpack_config *c)
{
    const uint32_t reset = soft_reset(s);
    if (LIKELY(!(reset & RESET_OF_COLUMNS)))
        return UINT16_MAX;
    if (c->which == SRC_B)
        return reset & RESET_SRC_B ? 0 : UINT16_MAX;
    if (c->UnpackToDst || (reset & RESET_MATRIX))
        return reset & RESET_MATRIX ? 0 : UINT16_MAX;
    uint16_t columns = UINT16_MAX;
    for (unsigned i = 0; i < 4; i++)
        if (reset >> (RESET_SRC_A_COLUMNS + i) & 1)
            columns = (uint16_t)(columns & ~(15u << 4 * i));
    return columns;
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

static void hand_over(tensix_step *s, const struct op_UNPACR *op, const struct unpack_done *done, uint64_t there)
{
    const unsigned which = op->WhichUnpacker;
    struct tensix_src *src = &s->tx->src[which];
    const unsigned base = which ? CFG_FIELD(s->t->config, SRCB_SET_Base) : CFG_FIELD(s->t->config, SRCA_SET_Base);
    if (op->FlipSrc)
        src_unpacker_hands_over_at(s, which, done->OutDataFormat, there);
    else if (done->Unpack_Src_Reg_Set_Upd)
        src->unpacker_row[s->thread] = (uint8_t)((src->unpacker_row[s->thread] + 16 + (base << 4)) % SRC_ROWS);
}

static void take_over(const tensix_step *s, const struct op_UNPACR *op, const struct unpack_config *c,
                      struct unpack_job *job)
{
    *job = (struct unpack_job){
        .conversion = c->conversion,
        .which = c->which,
        .bank = s->tx->src[c->which].unpacker_bank,
        .SrcRow = s->tx->src[c->which].unpacker_row[s->thread],
        .IsUncompressed = c->IsUncompressed,
        .UnpackToDst = c->UnpackToDst,
        .Transpose = c->Haloize_mode && c->which == SRC_A && !c->UnpackToDst, /* unpacker 1 ignores it */
        .AllDatumsAreZero = op->AllDatumsAreZero,
        .SetOvrdWithAddr = c->SetOvrdWithAddr,
        .srcb_bcast = op->srcb_bcast,
        .Force_shared_exp = c->Force_shared_exp,
        .shared_exp = c->shared_exp,
        .UpsampleZeroes = (uint8_t)((1u << c->Upsample_rate) - 1),
        .UpsampleInterleave = c->Upsample_and_interleave,
        .ColShift = (uint8_t)(c->Tileize_mode || c->which == SRC_B ? 0 : c->Shift_amount >> (c->context & 3) * 4 & 15),
        .columns = writable_columns(s, c),
        .dest_access = dst_access(s, unpack_bank_of_config(s)),
    };
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
                     c->which, c->context, outcome->value, outcome->taken, s->tile->l1_size,
                     (unsigned long long)c->InAddr, c->which, c->context < 4 ? 3 : 4);
        return false;
    }
    return !tensix_fault(
        s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
        "unpacker %u, context %u: output row %u, but there are 16 (SRCA_SET_SetOvrdWithAddr is not set)", c->which,
        c->context, outcome->value);
}

/* The address takes its cycles, unless the instruction has had them while it waited for its bank. */
static uint64_t address_cycles(tensix_step *s, const struct unpack_done *done)
{
    const uint32_t cycles = COST_UNPACK_ADDRESS + done->address_cycles;
    s->issue = s->t->stall == TENSIX_STALL_SOURCE ? 1 : cycles;
    return s->t->stall == TENSIX_STALL_SOURCE ? 0 : cycles;
}

bool unpack_prepare(tensix_step *s, const struct op_UNPACR *op, struct unpack_config *c, struct unpack_job *job)
{
    if (!unpack_read_config(s, op, c)) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE, "unpacker %u: ContextADC is %u, and there are three threads",
                     c->which, c->adc);
        return false;
    }
    if (!unpack_check_formats(s, c))
        return false;
    take_over(s, op, c, job);
    return unpack_find_input(s, op, c, job) && unpack_find_output(s, c, job) && unpack_check(s, c, job);
}

/* Behind the last datum. */
static void finish(tensix_step *s, const struct op_UNPACR *op, const struct unpack_done *done)
{
    const uint64_t from = s->cycle + address_cycles(s, done);
    unpack_occupy(s, op->WhichUnpacker, from, done->cycles, done->narrow);
    if (!done->UnpackToDst)
        s->tx->src_written[op->WhichUnpacker][s->thread] += done->cycles;
    if (done->at.multi && op->UseContextCounter)
        next_context(s, op->WhichUnpacker, done->at.context);
    count_on(s, op, done->at.adc);
    hand_over(s, op, done, unpack_arrives(s, op->WhichUnpacker));
}

/* For checks: what is read, as far as it is known before. */
static void tell_input(const tensix_step *s, const struct unpack_job *job)
{
    const uint32_t datums = job->InputNumDatums, width = job->UnpackRowWidth, rows = (datums + width - 1) / width;
    const uint32_t size = s->tile->l1_size;
    const uint64_t from = job->InAddr_Datums / BITS, exponents = job->InAddr_Exponents / EXPONENT_SHARES;
    for (uint32_t i = 0; i < rows && job->IsUncompressed && !job->AllDatumsAreZero; i++) {
        const uint64_t at = unpack_wrap(job, from + i * job->RowStride / BITS, 1);
        const uint32_t bytes = ((i + 1 < rows ? width : datums - i * width) * job->datum_bits + BITS - 1) / BITS;
        if (at + bytes <= size)
            hook_l1(s->tile, at, bytes, CHECK_READ);
    }
    if (job->bfp && !job->Force_shared_exp && exponents + (datums + 15) / 16 <= size)
        hook_l1(s->tile, exponents, (datums + 15) / 16, CHECK_READ);
}

/* ... and so many datums that were written, of which compressed input does not tell before. */
static void tell_output(const tensix_step *s, const struct unpack_job *job, uint32_t written)
{
    const uint32_t first = job->OutAddr / SRC_COLUMNS;
    uint32_t bad = UNPACK_NO_ROW, place;
    for (uint32_t row = first; row < first + (written + SRC_COLUMNS - 1) / SRC_COLUMNS && row < first + DST_ROWS;
         row++) {
        if (!unpack_place(job, row, &place, &bad))
            continue;
        if (job->UnpackToDst)
            hook_dst(s->tile,
                     (struct check_rows){.access = job->dest_access,
                                         .row = (uint16_t)place,
                                         .rows = 1,
                                         .wide = unpack_target_of(job->conversion) == UNPACK_TO_DST32},
                     CHECK_WRITE);
        else
            hook_src(s->tile, job->which, job->bank, job->Transpose ? place & ~15u : place,
                     job->Transpose    ? SRC_COLUMNS
                     : job->srcb_bcast ? BROADCAST_ROWS
                                       : 1,
                     CHECK_WRITE);
    }
}

/* All that is not quick. */
static bool move(tensix_step *s, const struct op_UNPACR *op, struct unpack_done *done)
{
    struct unpack_config c;
    struct unpack_job job;
    if (!unpack_prepare(s, op, &c, &job))
        return false;
    struct tensix_files *files = s->tile->files;
    const uint8_t *l1 = s->tile->l1;
    const uint32_t size = s->tile->l1_size;
    if (CHECKED(s->tile))
        tell_input(s, &job);
    const struct unpack_outcome outcome =
        unpack_has_rows(&job) ? unpack_rows(&job, l1, size, files) : unpack_plain(&job, l1, size, files);
    if (CHECKED(s->tile))
        tell_output(s, &job, outcome.written);
    if (!outcome_is_fine(s, &c, &outcome))
        return false;
    const struct unpack_pace pace = unpack_pace_of(&c, &job);
    const uint32_t bits = job.datum_bits + (job.IsUncompressed ? 0 : 4u /* its count of zeroes */);
    *done = (struct unpack_done){.cycles = unpack_data_cycles(pace.log2, bits, outcome.taken, outcome.written),
                                 .at = {.context = c.context, .adc = c.adc, .multi = c.multi},
                                 .narrow = pace.narrow,
                                 .Unpack_Src_Reg_Set_Upd = c.Unpack_Src_Reg_Set_Upd,
                                 .UnpackToDst = c.UnpackToDst,
                                 .OutDataFormat = c.OutDataFormat,
                                 .address_cycles = (uint8_t)(job.row_starts * COST_UNPACK_ROW_START)};
    unpack_plan(s, &c, &job);
    return true;
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

step_result unpack_execute(tensix_step *s, const struct op_UNPACR *op, bool quick)
{
    struct unpack_done done;
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
    if (!(quick && unpack_quick(s, op, &done)) && !move(s, op, &done))
        return STEP_FAULTED;
    finish(s, op, &done);
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
    if ((!row->known && !unpack_look(s, &row->op, &row->look)) || !unpack_move(s, &row->look))
        return false;
    row->known = !(row->look.done.at.multi && row->op.UseContextCounter); /* which goes on */
    finish(s, &row->op, &row->look.done);
    return true;
}

step_result unpack_UNPACR(tensix_step *s, const struct op_UNPACR *op)
{
    return unpack_execute(s, op, true);
}
