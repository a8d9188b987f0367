/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/schedule_image.h"

#include "tensix/config_pipe.h"
#include "tensix/frontend/expand.h"
#include "tensix/tensix.h"
#include "tensix/vector/code.h"

#include "base/bits.h"
#include "base/pages.h"
#include "cfg_fields.h"
#include "tensix_isa.h"
#include "tile/devices.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* `cycle` of struct schedule_thread. */
enum { DUE = 13, STALL_SINCE = 14 };
_Static_assert(offsetof(struct tensix_thread, due) == offsetof(struct tensix_thread, mop_next) + 8 * DUE &&
                   offsetof(struct tensix_thread, stall_since) ==
                       offsetof(struct tensix_thread, mop_next) + 8 * STALL_SINCE,
               "cycles in a row");
_Static_assert(offsetof(struct tensix_thread, replay) ==
                   offsetof(struct tensix_thread, mop_cfg) + 4 * (size_t)MOP_CFG_WORDS,
               "what is expanded in a row");
struct tensix_schedules *tensix_schedules_create(void)
{
    struct tensix_schedules *schedules = calloc(1, sizeof *schedules);
    if (schedules != NULL) {
        /* looked through before anything is entered */
        pages_populate(schedules->key, sizeof schedules->key + sizeof schedules->seen);
        schedules->codes = code_store_create();
        schedules->laps = tensix_laps_create();
    }
    return schedules;
}

void tensix_schedules_destroy(struct tensix_schedules *schedules)
{
    if (schedules != NULL) {
        code_store_destroy(schedules->codes);
        tensix_laps_destroy(schedules->laps);
    }
    free(schedules);
}

/* ---- The state ---------------------------------------------------------------------------------------------- */

void schedule_thread_image(const struct tensix *tx, unsigned i, uint64_t now, struct schedule_thread *image)
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

void schedule_shared_image(const struct tensix *tx, uint64_t now, struct schedule_shared *image)
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

const void *schedule_words(const struct tensix_thread *t)
{
    return t->mop_cfg;
}

struct tensix_entry schedule_push_image(const struct tensix_thread *t, unsigned k, uint64_t now)
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
    return plain && !waits && (t->bad | t->auto_load | t->replay_count | t->told) == 0 &&
           (t->notify | t->push_turn) == 0 && t->gate_next != NEVER &&
           (!(tx->latched >> i & 1) || t->latch.opcode == OPCODE_SEMWAIT);
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
    return schedule_class_of(word, tensix_op_of[opcode_of(word)]) == CLASS_OTHER;
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
    schedule_thread_image(tx, i, now, &image);
    if (memcmp(&image, was, sizeof image) != 0 || memcmp(schedule_words(t), s->words[i], sizeof s->words[i]) != 0)
        return false;
    for (unsigned k = 0; k < s->pushes[i]; k++) {
        const struct tensix_entry e = schedule_push_image(t, k, now);
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
    schedule_shared_image(tx, now, &image);
    return memcmp(&image, &s->begin, sizeof image) == 0 && !(s->changes_semaphores && tile_polls_semaphores(tile)) &&
           !(s->uses_scalar && devices_soft_reset(tile_devices_const(tile), 1u << 8 | 1u << 9));
}

enum { MISSES = 4 };

/* The first place of its set. */
static uint32_t place_of(uint64_t hash)
{
    return (uint32_t)(hash >> 8 ^ (hash & BRIEF)) % (SCHEDULES / SCHEDULE_WAYS) * SCHEDULE_WAYS;
}

struct schedule *schedule_enter(struct tensix_schedules *schedules, uint64_t hash)
{
    uint64_t *key = &schedules->key[place_of(hash)];
    unsigned way = schedules->next++ % SCHEDULE_WAYS;
    for (unsigned i = 0; i < SCHEDULE_WAYS; i++)
        if (key[i] == 0)
            way = i;
    for (unsigned i = 0; i < SCHEDULE_WAYS; i++)
        if (key[i] == hash)
            way = i;
    key[way] = hash;
    return &schedules->schedule[place_of(hash) + way];
}

struct schedule *schedule_under(struct tensix_schedules *schedules, uint64_t hash)
{
    const uint32_t place = place_of(hash);
    for (unsigned i = 0; i < SCHEDULE_WAYS; i++) {
        struct schedule *s = &schedules->schedule[place + i];
        if (schedules->key[place + i] == hash)
            return s->hash == hash && s->state != SCHEDULE_NONE ? s : NULL;
    }
    return NULL;
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

/* Whether this one was looked for before. */
static bool was_seen(struct tensix_schedules *schedules, uint64_t hash)
{
    uint32_t *seen = &schedules->seen[(hash >> 8) % SCHEDULES_SEEN];
    const bool before = *seen == (uint32_t)(hash >> 32);
    *seen = (uint32_t)(hash >> 32);
    return before;
}

/* There is less time than the schedule under `hash` takes: one that lasts just as long, or else a brief one. */
static const struct schedule *find_shorter(struct tensix_schedules *schedules, uint64_t hash, const struct tile *tile,
                                           const struct tensix *tx, uint64_t cycle, uint64_t until, uint64_t *record)
{
    const uint64_t brief = hash | BRIEF, rest = mix(hash, until - cycle) & ~BRIEF;
    struct schedule *s = schedule_under(schedules, rest);
    if (s != NULL && is_known(s, rest, tile, tx, cycle, until, record))
        return s;
    if (s == NULL && until > cycle + SCHEDULE_BRIEF && was_seen(schedules, rest))
        *record = rest;
    if (*record != 0)
        return NULL;
    s = schedule_under(schedules, brief);
    *record = s == NULL ? brief : 0;
    return s != NULL && is_known(s, brief, tile, tx, cycle, until, record) ? s : NULL;
}

const struct schedule *schedule_find(struct tensix_schedules *schedules, const struct tile *tile,
                                     const struct tensix *tx, uint64_t cycle, uint64_t until, uint64_t *record)
{
    *record = 0;
    if (!is_fit(tx, cycle))
        return NULL;
    const uint64_t hash = hash_of(tx, cycle) & ~BRIEF;
    struct schedule *s = schedule_under(schedules, hash);
    if (s == NULL) {
        *record = was_seen(schedules, hash) ? hash : 0;
        return NULL;
    }
    if (is_known(s, hash, tile, tx, cycle, until, record))
        return s;
    if (s->state != SCHEDULE_KNOWN || cycle + s->cycles <= until)
        return NULL;
    return find_shorter(schedules, hash, tile, tx, cycle, until, record);
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
