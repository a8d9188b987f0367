/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/schedules.h"

#include "tensix/config_pipe.h"
#include "tensix/frontend/expand.h"
#include "tensix/tensix.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "tensix_isa.h"
#include "tile/devices.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ASLEEP (UINT64_C(1) << 63) /* in place of a cycle: never */
/* `cycle` of struct schedule_thread. */
enum { DUE = 13, STALL_SINCE = 14 };
_Static_assert(offsetof(struct tensix_thread, due) == offsetof(struct tensix_thread, mop_next) + 8 * DUE &&
                   offsetof(struct tensix_thread, stall_since) ==
                       offsetof(struct tensix_thread, mop_next) + 8 * STALL_SINCE,
               "cycles in a row");
_Static_assert(offsetof(struct tensix_thread, replay) ==
                   offsetof(struct tensix_thread, mop_cfg) + 4 * (size_t)MOP_CFG_WORDS,
               "what is expanded in a row");
enum { COUNTERS = TENSIX_THREADS * (2 * TENSIX_UNITS + 2 * 16) };
_Static_assert(offsetof(struct tensix, any_since) == offsetof(struct tensix, issued) + 4 * (size_t)COUNTERS,
               "counters in a row");

struct tensix_schedules *tensix_schedules_create(void)
{
    return calloc(1, sizeof(struct tensix_schedules));
}

void tensix_schedules_destroy(struct tensix_schedules *schedules)
{
    free(schedules);
}

/* ---- Which instructions ------------------------------------------------------------------------------------- */

typedef enum schedule_class {
    CLASS_OTHER,   /* it does or waits for something that no schedule knows */
    CLASS_CONTROL, /* all that it changes is in the state of the schedule */
    CLASS_DATA,    /* its unit must do it again; how long that takes is in the word */
} schedule_class;

static schedule_class config_class(unsigned index, unsigned words)
{
    return index < words ? CLASS_DATA : CLASS_OTHER;
}

static schedule_class class_of(uint32_t word, unsigned op)
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

/* ---- The state ---------------------------------------------------------------------------------------------- */

static void thread_image(const struct tensix *tx, unsigned i, uint64_t now, struct schedule_thread *image)
{
    const struct tensix_thread *t = &tx->thread[i];
    memcpy(image->cycle, (const uint8_t *)t + offsetof(struct tensix_thread, mop_next), sizeof image->cycle);
    for (unsigned k = 0; k < SCHEDULE_CYCLES; k++)
        image->cycle[k] -= now;
    image->cycle[DUE] = t->due == 0 ? ASLEEP : t->due - now;
    if (t->stall == TENSIX_STALL_NONE)
        image->cycle[STALL_SINCE] = 0; /* nobody looks at it */
    for (unsigned k = 0; k < GATE_FIFO_CAPACITY; k++) {
        const struct tensix_entry *e = &t->gate_fifo[(t->gate_head + k) % GATE_FIFO_CAPACITY];
        const bool there = k < t->gate_count;
        image->gate_cycle[k] = there ? e->cycle - now : 0;
        image->gate_word[k] = there ? e->word : 0;
        image->gate_pc[k] = there ? e->pc : 0;
    }
    image->mop = t->mop;
    const bool latched = tx->latched >> i & 1;
    image->since = latched ? t->latch.since - now : 0;
    image->opcode = latched ? t->latch.opcode : 0;
    image->conditions = latched ? t->latch.conditions : 0;
    image->target = latched ? t->latch.target : 0;
    image->blocks = latched ? t->latch.blocks : 0;
    image->semaphores = latched ? t->latch.semaphores : 0;
    image->stream = latched ? t->latch.stream : 0;
    image->replay_pc = t->replay_pc;
    image->fifo_count = t->fifo_count;
    image->in_flight = t->in_flight;
    image->gate_head = t->gate_head;
    image->gate_count = t->gate_count;
    image->taken_at = t->taken_at;
    image->passed_at = t->passed_at;
    image->replay_mode = t->replay_mode;
    image->replay_index = t->replay_index;
    image->replay_left = t->replay_left;
    image->waiting = t->waiting;
    image->stall = t->stall;
    image->after_hold = t->after_hold;
    memset(image->reserved, 0, sizeof image->reserved);
}

static void shared_image(const struct tensix *tx, uint64_t now, struct schedule_shared *image)
{
    enum { LONG_AGO = 256 }; /* no instruction of a schedule holds its thread for that long */
    const struct tensix_config_unit pipe = config_pipe_at(tx->config_unit, now);
    image->any_since = (tx->any_since + LONG_AGO < now ? now - LONG_AGO : tx->any_since) - now;
    for (unsigned i = 0; i < TENSIX_UNITS; i++) {
        const uint64_t cycle = tx->unit_free[i];
        image->unit_free[i] = cycle == NEVER ? ASLEEP : cycle > now ? cycle - now : 0;
    }
    memcpy(image->turn, tx->turn, sizeof image->turn);
    memcpy(image->semaphore, tx->semaphore, sizeof image->semaphore);
    memcpy(image->mutex, tx->mutex, sizeof image->mutex);
    image->latched = tx->latched;
    image->stalled_threads = (uint8_t)tx->stalled_threads;
    image->inside = pipe.inside;
    image->entering = pipe.entering;
    memset(image->reserved, 0, sizeof image->reserved);
}

static const void *words_of(const struct tensix_thread *t)
{
    return t->mop_cfg;
}

/* A push as the MOP expander will find it: when it came makes no difference if the expander was busy still. */
static struct tensix_entry push_image(const struct tensix_thread *t, unsigned k, uint64_t now)
{
    struct tensix_entry e = t->fifo[(t->fifo_head + k) % TENSIX_FIFO_CAPACITY];
    e.cycle = e.cycle + COST_TENSIX_MOP_STAGE <= t->mop_next ? ASLEEP : e.cycle - now;
    return e;
}

/* ---- Whether it is the same --------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static uint64_t hash_of(const struct tensix *tx, uint64_t now)
{
    uint64_t hash = tx->latched, semaphores[2];
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct tensix_thread *t = &tx->thread[i];
        if (t->due == 0) {
            hash = mix(hash, t->latch.conditions);
            continue;
        }
        hash = mix(hash, (t->due - now) << 48 ^ (t->gate_next - now) << 32 ^ (t->replay_next - now) << 16 ^
                             (t->mop_next - now) ^ (uint64_t)t->taken_at << 56);
        hash = mix(hash, t->mop.position | (uint64_t)t->mop.outer << 16 | (uint64_t)t->replay_left << 32 |
                             (uint64_t)t->replay_index << 40 | (uint64_t)t->in_flight << 48 |
                             (uint64_t)t->gate_count << 56 | (uint64_t)t->passed_at << 58 |
                             (uint64_t)t->gate_head << 59 | (uint64_t)t->stall << 60);
    }
    memcpy(semaphores, tx->semaphore, sizeof semaphores);
    return mix(mix(hash, semaphores[0]), semaphores[1]);
}

static bool thread_is_fit(const struct tensix *tx, unsigned i)
{
    const struct tensix_thread *t = &tx->thread[i];
    if (t->due == 0) /* a wait for the Configuration Unit might end in between */
        return !(tx->latched >> i & 1) || t->latch.opcode == OPCODE_SEMWAIT || !(t->latch.conditions >> 12 & 1);
    const bool plain = t->replay_mode == MODE_PASS || t->replay_mode == MODE_PLAY;
    const bool waits = (t->waiting & ~(TENSIX_WAITS_PUSH | TENSIX_WAITS_GATE | TENSIX_WAITS_DONE)) != 0;
    return plain && !waits && (t->bad | t->auto_load | t->replay_count | t->told) == 0 && t->notify == 0 &&
           t->gate_next != NEVER && (!(tx->latched >> i & 1) || t->latch.opcode == OPCODE_SEMWAIT);
}

/* Whether a thread goes on in this cycle with an instruction that no schedule has, as far as that can be seen. */
static bool begins_otherwise(const struct tensix_thread *t, uint64_t cycle)
{
    uint32_t word;
    if (tensix_when(t->due) != cycle)
        return false;
    if (t->gate_count != 0)
        word = t->gate_fifo[t->gate_head].word;
    else if (t->replay_mode == MODE_PLAY)
        word = t->replay[t->replay_index % REPLAY_ENTRIES];
    else if (t->mop.active && t->mop.template_1 && t->mop.step == STEP_LOOP)
        word = t->mop_cfg[LOOP_OP];
    else
        return false;
    if (opcode_of(word) == OPCODE_REPLAY)
        word = t->replay[bits(word, 23, 14) % REPLAY_ENTRIES];
    return class_of(word, tensix_op_of[opcode_of(word)]) == CLASS_OTHER;
}

static bool is_fit(const struct tensix *tx, uint64_t cycle)
{
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (begins_otherwise(&tx->thread[i], cycle))
            return false;
    return !tx->traced && tx->vector_due == 0 && thread_is_fit(tx, 0) && thread_is_fit(tx, 1) && thread_is_fit(tx, 2);
}

static bool latch_is_same(const struct tensix *tx, unsigned i, const struct schedule_thread *was)
{
    const struct tensix_latch *latch = &tx->thread[i].latch;
    const bool latched = tx->latched >> i & 1;
    return latched ? latch->opcode == was->opcode && latch->conditions == was->conditions : was->opcode == 0;
}

static bool thread_is_same(const struct schedule *s, const struct tensix *tx, unsigned i, uint64_t now)
{
    const struct tensix_thread *t = &tx->thread[i];
    const struct schedule_thread *was = &s->from[i];
    if (s->asleep >> i & 1)
        return t->due == 0 && latch_is_same(tx, i, was) && t->stall == was->stall;
    if (t->fifo_count != was->fifo_count || t->mop.position != was->mop.position)
        return false;
    struct schedule_thread image;
    thread_image(tx, i, now, &image);
    if (memcmp(&image, was, sizeof image) != 0 || memcmp(words_of(t), s->words[i], sizeof s->words[i]) != 0)
        return false;
    for (unsigned k = 0; k < s->pushes[i]; k++) {
        const struct tensix_entry e = push_image(t, k, now);
        if (memcmp(&e, &s->push[i][k], sizeof e) != 0)
            return false;
    }
    return true;
}

static bool is_same(const struct schedule *s, const struct tile *tile, const struct tensix *tx, uint64_t now)
{
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (!thread_is_same(s, tx, i, now))
            return false;
    struct schedule_shared image;
    shared_image(tx, now, &image);
    return memcmp(&image, &s->begin, sizeof image) == 0 && !(s->changes_semaphores && tile_polls_semaphores(tile)) &&
           !(s->uses_scalar && devices_soft_reset(tile_devices_const(tile), 1u << 8 | 1u << 9));
}

enum { MISSES = 4 };

/* From one state a long schedule may be known and a brief one, for when there is not much time: bit 0 of the hash. */
#define BRIEF UINT64_C(1)

static struct schedule *place_of(struct tensix_schedules *schedules, uint64_t hash)
{
    return &schedules->schedule[(hash >> 8 ^ (hash & BRIEF)) % SCHEDULES];
}

/* Whether the schedule at its place is this one; *record: it should be made, or made anew. */
static bool is_known(struct schedule *s, uint64_t hash, const struct tile *tile, const struct tensix *tx,
                     uint64_t cycle, uint64_t until, uint64_t *record)
{
    if (s->state == SCHEDULE_KNOWN && cycle + s->cycles <= until) {
        if (is_same(s, tile, tx, cycle)) {
            s->misses = 0;
            return true;
        }
        if (++s->misses > MISSES) /* one that is never the same makes room for another */
            *record = hash;
    }
    if (s->state == SCHEDULE_SHORT && s->cycles != 0)
        *record = hash;
    return false;
}

const struct schedule *schedule_find(struct tensix_schedules *schedules, const struct tile *tile,
                                     const struct tensix *tx, uint64_t cycle, uint64_t until, uint64_t *record)
{
    *record = 0;
    if (!is_fit(tx, cycle))
        return NULL;
    const uint64_t hash = hash_of(tx, cycle) & ~BRIEF, brief = hash | BRIEF;
    struct schedule *s = place_of(schedules, hash);
    if (s->hash == hash && s->state != SCHEDULE_NONE) {
        if (is_known(s, hash, tile, tx, cycle, until, record))
            return s;
        if (s->state != SCHEDULE_KNOWN || cycle + s->cycles <= until)
            return NULL;
        s = place_of(schedules, brief);
        *record = brief;
        if (s->hash != brief || s->state == SCHEDULE_NONE)
            return NULL;
        *record = 0;
        return is_known(s, brief, tile, tx, cycle, until, record) ? s : NULL;
    }
    uint32_t *seen = &schedules->seen[(hash >> 8) % SCHEDULES_SEEN];
    *record = *seen == (uint32_t)(hash >> 32) ? hash : 0;
    *seen = (uint32_t)(hash >> 32);
    return NULL;
}

/* ---- Making one --------------------------------------------------------------------------------------------- */

void schedule_record(struct tensix_schedules *schedules, const struct tensix *tx, uint64_t cycle, uint64_t hash)
{
    struct schedule_recorder *r = &schedules->recorder;
    struct schedule *s = place_of(schedules, hash);
    const bool is_short = s->hash == hash && s->state == SCHEDULE_SHORT;
    r->schedule = s;
    r->begin = cycle;
    r->stop = is_short ? cycle + s->cycles : hash & BRIEF ? cycle + SCHEDULE_BRIEF : NEVER;
    r->passed = r->spoilt = 0;
    r->before = *tx;
    *s = (struct schedule){.hash = hash};
    shared_image(tx, cycle, &s->begin);
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        thread_image(tx, i, cycle, &s->from[i]);
        memcpy(s->words[i], words_of(&tx->thread[i]), sizeof s->words[i]);
    }
}

void schedule_spoil(struct schedule_recorder *r, uint64_t cycle)
{
    if (r->spoilt == 0)
        r->spoilt = 1 + (uint32_t)min64(cycle - r->begin, UINT16_MAX);
}

void schedule_offer(struct schedule_recorder *r, const tensix_step *s)
{
    if (class_of(s->word, s->op) == CLASS_OTHER)
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
    if (class_of(s->word, s->op) == CLASS_DATA)
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
    thread_image(tx, i, r->begin, &s->to[i]);
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
        s->push[i][k] = push_image(before, k, r->begin);
    /* One that waits for something which schedules do not know must stay asleep; nothing is recorded in between. */
    const bool waits_for_others = (r->before.latched >> i & 1) && before->latch.opcode != OPCODE_SEMWAIT;
    return pushes <= SCHEDULE_PUSHES && !waits_for_others && t->bad == 0 && t->replay_count == 0 && t->notify == 0 &&
           !t->stopped && t->told == 0 && memcmp(words_of(t), s->words[i], sizeof s->words[i]) == 0 &&
           memcmp(t->unpacker_until, before->unpacker_until, sizeof t->unpacker_until) == 0 &&
           t->loads_until == before->loads_until;
}

void schedule_finish(struct tensix_schedules *schedules, const struct tensix *tx)
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
    shared_image(tx, r->begin, &s->end);
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
    s->state = good ? SCHEDULE_KNOWN : SCHEDULE_SHORT;
    if (!good)
        s->cycles = 0;
}

/* ---- Doing it again ----------------------------------------------------------------------------------------- */

static void put_thread(struct tensix *tx, unsigned i, const struct schedule *s, uint64_t now)
{
    struct tensix_thread *t = &tx->thread[i];
    const struct schedule_thread *to = &s->to[i];
    uint64_t cycle[SCHEDULE_CYCLES];
    for (unsigned k = 0; k < SCHEDULE_CYCLES; k++)
        cycle[k] = to->cycle[k] + now;
    cycle[DUE] = to->cycle[DUE] == ASLEEP ? 0 : cycle[DUE];
    memcpy((uint8_t *)t + offsetof(struct tensix_thread, mop_next), cycle, sizeof cycle);
    for (unsigned k = 0; k < to->gate_count; k++)
        t->gate_fifo[(to->gate_head + k) % GATE_FIFO_CAPACITY] =
            (struct tensix_entry){to->gate_cycle[k] + now, to->gate_word[k], to->gate_pc[k]};
    t->mop = to->mop;
    t->latch = (struct tensix_latch){.since = to->opcode != 0 ? to->since + now : 0,
                                     .opcode = to->opcode,
                                     .conditions = to->conditions,
                                     .target = to->target,
                                     .blocks = to->blocks,
                                     .semaphores = to->semaphores,
                                     .stream = to->stream};
    t->replay_pc = to->replay_pc;
    t->fifo_head = (uint8_t)((t->fifo_head + (t->fifo_count - to->fifo_count)) % TENSIX_FIFO_CAPACITY);
    t->fifo_count = to->fifo_count;
    t->in_flight = to->in_flight;
    t->gate_head = to->gate_head;
    t->gate_count = to->gate_count;
    t->taken_at = to->taken_at;
    t->passed_at = to->passed_at;
    t->replay_mode = to->replay_mode;
    t->replay_index = to->replay_index;
    t->replay_left = to->replay_left;
    t->waiting = to->waiting;
    t->stall = to->stall;
    t->after_hold = to->after_hold;
    for (unsigned k = 0; k < TENSIX_UNITS; k++)
        if (s->busy_after[i][k] != 0)
            t->busy_until[k] = max64(t->busy_until[k], now + s->busy_after[i][k]);
    t->spans.mop_begin = s->mop_begin[i] + now;
    t->spans.mop_word = s->mop_word[i];
    t->spans.replay_begin = s->replay_begin[i] + now;
    t->spans.replay_word = s->replay_word[i];
}

void schedule_put(struct tensix *tx, const struct schedule *s, uint64_t now)
{
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (!(s->asleep >> i & 1))
            put_thread(tx, i, s, now);
    for (unsigned k = 0; k < TENSIX_UNITS; k++)
        if (s->free_after[k] != 0)
            tx->unit_free[k] = now + s->free_after[k];
    if (s->pipe_after != 0) {
        tx->config_unit.cycle = now + s->pipe_after - 1;
        tx->config_unit.inside = s->end.inside;
        tx->config_unit.entering = s->end.entering;
    }
    memcpy(tx->turn, s->end.turn, sizeof tx->turn);
    memcpy(tx->semaphore, s->end.semaphore, sizeof tx->semaphore);
    memcpy(tx->mutex, s->end.mutex, sizeof tx->mutex);
    tx->latched = s->end.latched;
    tx->stalled_threads = s->end.stalled_threads;
    if (s->any_changes)
        tx->any_since = s->end.any_since + now;
    tx->any_stalled += s->any_stalled;
    for (unsigned k = 0; k < s->ran_counts; k++)
        tx->ran[s->ran[k].at] += s->ran[k].more;
    uint32_t *counters = tx->issued[0];
    for (unsigned k = 0; k < s->counts; k++)
        counters[s->count[k].at] += s->count[k].more;
}
