/* SPDX-License-Identifier: Apache-2.0 */
/* How a schedule is made: instructions pass their gates as always (run.c), and what has become of the state is kept. */
#include "tensix/schedule_image.h"

#include "tensix/frontend/frontend.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "tensix_isa.h"

#include <stddef.h>
#include <string.h>

enum { COUNTERS = TENSIX_THREADS * (2 * TENSIX_UNITS + 2 * 16 + 2) };
_Static_assert((int)SCHEDULE_STEPS <= (int)LAP_STEPS, "one list for both");
_Static_assert(offsetof(struct tensix, any_since) == offsetof(struct tensix, issued) + 4 * (size_t)COUNTERS,
               "counters in a row");

/* ---- Which instructions ------------------------------------------------------------------------------------- */

static schedule_class config_class(unsigned index, unsigned words)
{
    return index < words ? CLASS_DATA : CLASS_OTHER;
}

schedule_class schedule_class_of(uint32_t word, unsigned op)
{
    if (tensix_reserved_set(word) != 0)
        return CLASS_OTHER;
    switch (op) {
    case TENSIX_NOP:
    case TENSIX_SEMINIT:
    case TENSIX_SEMPOST:
    case TENSIX_SEMGET: return CLASS_CONTROL;
    case TENSIX_SEMWAIT: return decode_SEMWAIT(word).ConditionMask != 0 ? CLASS_CONTROL : CLASS_OTHER;
    case TENSIX_DMANOP:
    case TENSIX_SETDMAREG:
    case TENSIX_ADDDMAREG:
    case TENSIX_SUBDMAREG:
    case TENSIX_MULDMAREG: return CLASS_DATA;
    case TENSIX_BITWOPDMAREG: return decode_BITWOPDMAREG(word).Mode < 3 ? CLASS_DATA : CLASS_OTHER;
    case TENSIX_SHIFTDMAREG: return decode_SHIFTDMAREG(word).Mode < 2 ? CLASS_DATA : CLASS_OTHER;
    case TENSIX_CMPDMAREG: return decode_CMPDMAREG(word).Mode < 3 ? CLASS_DATA : CLASS_OTHER;
    /* Writes to global words do something besides. */
    case TENSIX_WRCFG: return config_class(decode_WRCFG(word).CfgIndex, GLOBAL_CFGREG_BASE_ADDR32);
    case TENSIX_RDCFG: return config_class(decode_RDCFG(word).CfgIndex, CFG_WORDS);
    case TENSIX_RMWCIB0:
    case TENSIX_RMWCIB1:
    case TENSIX_RMWCIB2:
    case TENSIX_RMWCIB3: return config_class(decode_RMWCIB0(word).Index4, GLOBAL_CFGREG_BASE_ADDR32);
    case TENSIX_SETC16: return config_class(decode_SETC16(word).CfgIndex, THD_STATE_SIZE);
    case TENSIX_SETADC:
    case TENSIX_SETADCXY:
    case TENSIX_SETADCZW:
    case TENSIX_SETADCXX:
    case TENSIX_INCADCXY:
    case TENSIX_INCADCZW:
    case TENSIX_ADDRCRXY:
    case TENSIX_ADDRCRZW: return CLASS_DATA;
    default: return CLASS_OTHER;
    }
}

/* ---- Making one --------------------------------------------------------------------------------------------- */

void schedule_record(struct tensix_schedules *schedules, const struct tensix *tx, uint64_t cycle, uint64_t hash)
{
    struct schedule_recorder *r = &schedules->recorder;
    struct schedule *s = schedule_under(schedules, hash);
    const bool is_short = s != NULL && s->state == SCHEDULE_SHORT;
    const uint64_t stop = is_short ? cycle + s->cycles : hash & BRIEF ? cycle + SCHEDULE_BRIEF : NEVER;
    s = schedule_enter(schedules, hash);
    r->schedule = s;
    r->begin = cycle;
    r->stop = stop;
    r->passed = r->spoilt = 0;
    r->before = *tx;
    *s = (struct schedule){.hash = hash};
    schedule_shared_image(tx, cycle, &s->begin);
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        schedule_thread_image(tx, i, cycle, &s->from[i]);
        memcpy(s->words[i], schedule_words(&tx->thread[i]), sizeof s->words[i]);
    }
}

void schedule_spoil(struct schedule_recorder *r, uint64_t cycle)
{
    if (r->spoilt == 0)
        r->spoilt = 1 + (uint32_t)min64(cycle - r->begin, UINT16_MAX);
}

void schedule_offer(struct schedule_recorder *r, const tensix_step *s)
{
    if (schedule_class_of(s->word, s->op) == CLASS_OTHER)
        schedule_spoil(r, s->cycle);
}

void schedule_passed(struct schedule_recorder *r, const tensix_step *s)
{
    struct schedule *to = r->schedule;
    const uint64_t after = s->cycle - r->begin;
    if (after > UINT16_MAX / 2 || s->issue == TENSIX_HELD)
        schedule_spoil(r, s->cycle);
    if (r->spoilt != 0)
        return;
    if (schedule_class_of(s->word, s->op) == CLASS_DATA)
        to->step[to->steps++] = (struct schedule_step){
            .word = s->word,
            .after = (uint16_t)after,
            .there = (uint16_t)(s->unit == UNIT_SCALAR ? tensix_thread_free(s, true) - r->begin : after + s->latency),
            .thread = s->thread,
            .op = s->op};
    to->last = (uint32_t)after;
    to->uses_scalar |= s->unit == UNIT_SCALAR || s->unit == UNIT_CONFIG; /* some of its words belong to that */
    if (s->unit != UNIT_MISC)
        to->free_after[s->unit] = (uint32_t)(after + s->issue);
    uint32_t *busy = &to->busy_after[s->thread][s->unit];
    *busy = (uint32_t)max64(*busy, after + s->latency);
    if (++r->passed >= SCHEDULE_PASSED || to->steps > SCHEDULE_STEPS - TENSIX_THREADS)
        r->stop = min64(r->stop, s->cycle + 1);
}

/* What has changed in a row of counters.  False: too many. */
static bool diff32(const uint32_t *before, const uint32_t *now, unsigned n, struct schedule_count *count,
                   uint32_t *counts)
{
    for (unsigned i = 0; i < n; i++)
        if (now[i] != before[i]) {
            if (*counts == SCHEDULE_COUNTS)
                return false;
            count[(*counts)++] = (struct schedule_count){i, now[i] - before[i]};
        }
    return true;
}

static bool counts_changed(const struct tensix *before, const struct tensix *tx, struct schedule *s)
{
    uint32_t ran[2][TENSIX_OPS];
    for (unsigned i = 0; i < TENSIX_OPS; i++) {
        ran[0][i] = (uint32_t)before->ran[i];
        ran[1][i] = (uint32_t)tx->ran[i];
    }
    s->any_stalled = tx->any_stalled - before->any_stalled;
    s->any_changes = tx->any_since != before->any_since;
    return diff32(ran[0], ran[1], TENSIX_OPS, s->ran, &s->ran_counts) &&
           diff32(before->issued[0], tx->issued[0], COUNTERS, s->count, &s->counts);
}

static bool thread_changed(const struct schedule_recorder *r, const struct tensix *tx, unsigned i, struct schedule *s)
{
    const struct tensix_thread *before = &r->before.thread[i], *t = &tx->thread[i];
    const unsigned pushes = before->fifo_count - t->fifo_count;
    schedule_thread_image(tx, i, r->begin, &s->to[i]);
    if (before->due == 0 && memcmp(&s->from[i], &s->to[i], sizeof s->to[i]) == 0) {
        s->asleep |= (uint8_t)(1u << i);
        return true;
    }
    s->mop_begin[i] = t->spans.mop_begin - r->begin;
    s->mop_word[i] = t->spans.mop_word;
    s->replay_begin[i] = t->spans.replay_begin - r->begin;
    s->replay_word[i] = t->spans.replay_word;
    s->pushes[i] = (uint8_t)min64(pushes + 1u, before->fifo_count);
    for (unsigned k = 0; k < s->pushes[i] && k <= SCHEDULE_PUSHES; k++)
        s->push[i][k] = schedule_push_image(before, k, r->begin);
    /* One that waits for something which schedules do not know must stay asleep; nothing is recorded in between. */
    const bool waits_for_others = (r->before.latched >> i & 1) && before->latch.opcode != OPCODE_SEMWAIT;
    return pushes <= SCHEDULE_PUSHES && !waits_for_others && t->bad == 0 && t->replay_count == 0 &&
           (t->notify | t->push_turn) == 0 && !t->stopped && t->told == 0 &&
           memcmp(schedule_words(t), s->words[i], sizeof s->words[i]) == 0 &&
           memcmp(t->unpacker_until, before->unpacker_until, sizeof t->unpacker_until) == 0 &&
           t->loads_until == before->loads_until;
}

/* What its instructions do to data, in one list. */
static void make_list(const struct schedule_recorder *r, struct schedule *s, struct lap_steps *list,
                      const struct tensix *tx, uint64_t cycle)
{
    list->count = s->steps;
    for (unsigned k = 0; k < s->steps; k++) {
        const struct schedule_step *step = &s->step[k];
        list->step[k] = (struct lap_step){
            .word = step->word, .after = step->after, .there = step->there, .thread = step->thread, .op = step->op};
    }
    s->data.known =
        s->steps != 0 && lap_data_make(&s->data, list, &r->before, tx, r->begin, s->last, cycle - 1 - r->begin);
}

void schedule_finish(struct tensix_schedules *schedules, const struct tensix *tx, uint64_t cycle)
{
    struct schedule_recorder *r = &schedules->recorder;
    struct schedule *s = r->schedule;
    r->schedule = NULL;
    if (r->spoilt != 0) {
        /* Next time up to there, if that is worth it. */
        s->state = SCHEDULE_SHORT;
        s->cycles = r->passed >= SCHEDULE_WORTH ? r->spoilt - 1 : 0;
        return;
    }
    if (r->passed < SCHEDULE_WORTH) {
        s->state = SCHEDULE_SHORT;
        s->cycles = 0;
        return;
    }
    s->cycles = s->last + 1;
    s->yields = tx->yield;
    schedule_shared_image(tx, r->begin, &s->end);
    bool good = counts_changed(&r->before, tx, s);
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        good = thread_changed(r, tx, i, s) && good;
    s->changes_semaphores = memcmp(s->begin.semaphore, s->end.semaphore, sizeof s->end.semaphore) != 0;
    for (unsigned k = 0; k < s->ran_counts; k++)
        s->changes_semaphores |=
            s->ran[k].at == TENSIX_SEMPOST || s->ran[k].at == TENSIX_SEMGET || s->ran[k].at == TENSIX_SEMINIT;
    if (tx->config_unit.cycle >= r->begin) {
        s->pipe_after = 1 + (uint32_t)(tx->config_unit.cycle - r->begin);
        s->end.inside = tx->config_unit.inside;
        s->end.entering = tx->config_unit.entering;
    }
    schedule_take_apart(s);
    make_list(r, s, &schedules->list, tx, cycle);
    s->state = good ? SCHEDULE_KNOWN : SCHEDULE_SHORT;
    if (!good)
        s->cycles = 0;
}
