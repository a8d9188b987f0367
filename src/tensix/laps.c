/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/laps.h"

#include "tensix/schedule_image.h"

#include "tensix/frontend/frontend.h"
#include "tensix/tensix.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "tensix_isa.h"
#include "tile/devices.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct tensix_laps *tensix_laps_create(void)
{
    struct tensix_laps *laps = calloc(1, sizeof *laps);
    if (laps != NULL) {
        laps->backoff = 1;
        laps->usual = LAP_WORTH;
    }
    return laps;
}

void tensix_laps_destroy(struct tensix_laps *laps)
{
    free(laps);
}

/* ---- Cycles ------------------------------------------------------------------------------------------------- */

#define OF_THREAD(FIELD) (uint16_t) offsetof(struct tensix_thread, FIELD)
#define OF_ALL(FIELD) (uint16_t) offsetof(struct tensix, FIELD)

/* Where cycles are in struct tensix_thread, but for rings. */
static const uint16_t thread_cycle[] = {
    OF_THREAD(last_push),     OF_THREAD(mop_next),      OF_THREAD(replay_next),   OF_THREAD(gate_next),
    OF_THREAD(due),           OF_THREAD(stall_since),   OF_THREAD(auto_until),    OF_THREAD(notify),
    OF_THREAD(push_turn),     OF_THREAD(loads_until),   OF_THREAD(latch.since),   OF_THREAD(busy_until[0]),
    OF_THREAD(busy_until[1]), OF_THREAD(busy_until[2]), OF_THREAD(busy_until[3]), OF_THREAD(busy_until[4]),
    OF_THREAD(busy_until[5]), OF_THREAD(busy_until[6]), OF_THREAD(busy_until[7]), OF_THREAD(busy_until[8]),
    OF_THREAD(busy_until[9]),
};
/* ... and in what threads share. */
static const uint16_t shared_cycle[] = {
    OF_ALL(unit_free[0]),     OF_ALL(unit_free[1]), OF_ALL(unit_free[2]), OF_ALL(unit_free[3]),
    OF_ALL(unit_free[4]),     OF_ALL(unit_free[5]), OF_ALL(unit_free[6]), OF_ALL(unit_free[7]),
    OF_ALL(unit_free[8]),     OF_ALL(unit_free[9]), OF_ALL(any_since),    OF_ALL(config_unit.cycle),
    OF_ALL(config_unit.tell),
};
enum {
    THREAD_CYCLES = sizeof thread_cycle / sizeof thread_cycle[0],
    SHARED_CYCLES = sizeof shared_cycle / sizeof shared_cycle[0],
    STALL_SINCE = 5, /* of thread_cycle */
};
_Static_assert(TENSIX_UNITS == 10 && THREAD_CYCLES <= 60, "all units, a bit for each");

static uint64_t get(const void *base, unsigned offset)
{
    uint64_t cycle;
    memcpy(&cycle, (const uint8_t *)base + offset, sizeof cycle);
    return cycle;
}

static void set(void *base, unsigned offset, uint64_t cycle)
{
    memcpy((uint8_t *)base + offset, &cycle, sizeof cycle);
}

/* Bits of cycles that nobody looks at. */
static uint64_t idle_cycles(const struct tensix_thread *a, const struct tensix_thread *b)
{
    return (uint64_t)(a->stall == TENSIX_STALL_NONE && b->stall == TENSIX_STALL_NONE) << STALL_SINCE;
}

/* Whether each cycle has moved by a lap, or has stayed and is over, or is idle; bits of *moves: which have moved. */
static bool find_moves(const void *from, const void *to, const uint16_t *offset, unsigned count, uint64_t idle,
                       uint64_t begin, uint64_t cycles, uint64_t *moves)
{
    *moves = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t a = get(from, offset[i]), b = get(to, offset[i]);
        if (idle >> i & 1)
            continue;
        if (b - a == cycles)
            *moves |= UINT64_C(1) << i;
        else if (a != b || a > begin)
            return false;
    }
    return true;
}

/* Whether they are those of the lap `apart` cycles later. */
static bool cycles_are_same(const void *from, const void *now_is, const uint16_t *offset, unsigned count, uint64_t idle,
                            uint64_t begin, uint64_t now, uint64_t moves)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t a = get(from, offset[i]), b = get(now_is, offset[i]);
        if (idle >> i & 1)
            continue;
        if (moves >> i & 1 ? b - a != now - begin : a != b && !(a != 0 && b != 0 && b <= now))
            return false;
    }
    return true;
}

static void move(void *base, const uint16_t *offset, uint64_t later, uint64_t moves)
{
    for (uint64_t left = moves; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(left);
        set(base, offset[i], get(base, offset[i]) + later);
    }
}

/* ---- Rings -------------------------------------------------------------------------------------------------- */

/* Cycles in a ring from its oldest on are all `apart`. */
static bool ring_moves(const uint64_t *a, unsigned a_at, const uint64_t *b, unsigned b_at, unsigned n, uint64_t apart)
{
    for (unsigned i = 0; i < n; i++)
        if (b[(b_at + i) % n] - a[(a_at + i) % n] != apart)
            return false;
    return true;
}

static void ring_move(uint64_t *ring, uint8_t *at, unsigned n, unsigned turn, uint64_t later)
{
    uint64_t copy[REPLAY_FIFO_CAPACITY];
    for (unsigned i = 0; i < n; i++)
        copy[i] = ring[(*at + i) % n] + later;
    *at = (uint8_t)((*at + turn) % n);
    for (unsigned i = 0; i < n; i++)
        ring[(*at + i) % n] = copy[i];
}

/* The rings of a thread that nothing went through are over. */
static bool ring_rests(const uint64_t *a, unsigned a_at, const uint64_t *b, unsigned b_at, unsigned n, uint64_t begin)
{
    bool rests = a_at == b_at;
    for (unsigned i = 0; i < n; i++)
        rests &= a[i] == b[i] && a[i] <= begin;
    return rests;
}

/* ---- A thread's front end ----------------------------------------------------------------------------------- */

static bool is_same_entry(const struct tensix_entry *a, const struct tensix_entry *b, uint64_t apart)
{
    return b->cycle - a->cycle == apart && a->word == b->word && a->pc == b->pc;
}

static unsigned tail_of(const struct tensix_thread *t)
{
    return (t->fifo_head + t->fifo_count) % TENSIX_FIFO_CAPACITY;
}

/* What is in the FIFOs, and what the pushes in flight use. */
static bool fifos_are_same(const struct tensix_thread *a, const struct tensix_thread *b, uint64_t apart)
{
    if (a->fifo_count != b->fifo_count || a->in_flight != b->in_flight || a->gate_count != b->gate_count ||
        (a->replay_count | b->replay_count) != 0)
        return false;
    for (unsigned i = 0; i < a->fifo_count; i++)
        if (!is_same_entry(&a->fifo[(a->fifo_head + i) % TENSIX_FIFO_CAPACITY],
                           &b->fifo[(b->fifo_head + i) % TENSIX_FIFO_CAPACITY], apart))
            return false;
    for (unsigned i = 0; i < a->gate_count; i++)
        if (!is_same_entry(&a->gate_fifo[(a->gate_head + i) % GATE_FIFO_CAPACITY],
                           &b->gate_fifo[(b->gate_head + i) % GATE_FIFO_CAPACITY], apart))
            return false;
    for (unsigned i = 0; i < a->in_flight; i++)
        if (a->tracked[(tail_of(a) - 1 - i) % TENSIX_FIFO_CAPACITY] !=
            b->tracked[(tail_of(b) - 1 - i) % TENSIX_FIFO_CAPACITY])
            return false;
    return true;
}

/* What is not of the lap's making, or is looked at elsewhere, becomes that of `from`. */
static void forget_changes(struct tensix_thread *t, const struct tensix_thread *from)
{
    for (unsigned i = 0; i < THREAD_CYCLES; i++)
        set(t, thread_cycle[i], get(from, thread_cycle[i]));
    memcpy(t->fifo, from->fifo, sizeof t->fifo);
    memcpy(t->replay_fifo, from->replay_fifo, sizeof t->replay_fifo);
    memcpy(t->gate_fifo, from->gate_fifo, sizeof t->gate_fifo);
    memcpy(t->taken, from->taken, sizeof t->taken);
    memcpy(t->passed, from->passed, sizeof t->passed);
    memcpy(t->tracked, from->tracked, sizeof t->tracked);
    memcpy(t->gpr, from->gpr, sizeof t->gpr);
    memcpy(t->config, from->config, sizeof t->config);
    t->spans = from->spans;
    t->fifo_head = from->fifo_head;
    t->replay_head = from->replay_head;
    t->gate_head = from->gate_head;
    t->taken_at = from->taken_at;
    t->passed_at = from->passed_at;
    t->unlooked = from->unlooked;
}

/* One that does nothing in the whole lap. */
static bool rests(const struct tensix_thread *a, const struct tensix_thread *b)
{
    return a->fifo_head == b->fifo_head && a->fifo_count == b->fifo_count &&
           memcmp(a->fifo, b->fifo, sizeof a->fifo) == 0 &&
           memcmp(a->gate_fifo, b->gate_fifo, sizeof a->gate_fifo) == 0 && a->gate_head == b->gate_head &&
           memcmp(a->tracked, b->tracked, sizeof a->tracked) == 0;
}

static bool thread_goes_round(struct lap *lap, const struct tensix *tx, unsigned i)
{
    const struct tensix_thread *a = &lap->from.thread[i], *b = &tx->thread[i];
    const uint64_t cycles = lap->cycles;
    if (!find_moves(a, b, thread_cycle, THREAD_CYCLES, idle_cycles(a, b), lap->begin, cycles, &lap->thread_moves[i]))
        return false;
    const bool taken = ring_moves(a->taken, a->taken_at, b->taken, b->taken_at, REPLAY_FIFO_CAPACITY, cycles);
    const bool passed = ring_moves(a->passed, a->passed_at, b->passed, b->passed_at, GATE_FIFO_CAPACITY, cycles);
    lap->taken_moves[i] = (uint8_t)(taken ? 1 + (b->taken_at - a->taken_at + 8u) % REPLAY_FIFO_CAPACITY : 0);
    lap->passed_moves[i] = (uint8_t)(passed ? 1 + (b->passed_at - a->passed_at + 2u) % GATE_FIFO_CAPACITY : 0);
    if ((!taken && !ring_rests(a->taken, a->taken_at, b->taken, b->taken_at, REPLAY_FIFO_CAPACITY, lap->begin)) ||
        (!passed && !ring_rests(a->passed, a->passed_at, b->passed, b->passed_at, GATE_FIFO_CAPACITY, lap->begin)))
        return false;
    const unsigned pushes = lap->core[i].pushes;
    if (pushes == 0) /* it stands still */
        return !passed && !taken && rests(a, b);
    if (!passed || !fifos_are_same(a, b, cycles) ||
        (tail_of(b) - tail_of(a)) % TENSIX_FIFO_CAPACITY != pushes % TENSIX_FIFO_CAPACITY)
        return false;
    lap->pushed[i] = (uint8_t)min64(pushes, TENSIX_FIFO_CAPACITY);
    for (unsigned k = 0; k < lap->pushed[i]; k++) {
        const unsigned at = (tail_of(b) - 1 - k) % TENSIX_FIFO_CAPACITY;
        lap->push[i][k] = b->fifo[at];
        lap->push[i][k].cycle -= lap->begin;
        lap->tracked[i][k] = b->tracked[at];
    }
    return true;
}

/* ---- Making one --------------------------------------------------------------------------------------------- */

static bool count_gains(struct lap *lap, const struct tensix *tx)
{
    enum { COUNTERS = (offsetof(struct tensix, any_since) - offsetof(struct tensix, issued)) / 4 };
    const uint32_t *before = lap->from.issued[0], *now = tx->issued[0];
    lap->ran_counts = lap->counts = 0;
    for (unsigned i = 0; i < TENSIX_OPS; i++)
        if (tx->ran[i] != lap->from.ran[i] && lap->ran_counts < LAP_COUNTS)
            lap->ran[lap->ran_counts++] =
                (struct lap_count){.at = (uint16_t)i, .more = (uint32_t)(tx->ran[i] - lap->from.ran[i])};
    for (unsigned i = 0; i < COUNTERS; i++)
        if (now[i] != before[i] && lap->counts < LAP_COUNTS)
            lap->count[lap->counts++] = (struct lap_count){.at = (uint16_t)i, .more = now[i] - before[i]};
    lap->any_stalled = tx->any_stalled - lap->from.any_stalled;
    return lap->ran_counts < LAP_COUNTS && lap->counts < LAP_COUNTS;
}

static bool later_is_same(const struct tensix *a, const struct tensix *b, uint64_t apart)
{
    bool same = a->later_count == b->later_count;
    for (unsigned i = 0; same && i < a->later_count; i++)
        same = b->later[i].cycle - a->later[i].cycle == apart && a->later[i].mask == b->later[i].mask &&
               a->later[i].place == b->later[i].place && a->later[i].kind == b->later[i].kind;
    return same;
}

/* Whether the rest of the coprocessor is what it was. */
static bool rest_is_same(const struct lap *lap, const struct tensix *tx)
{
    struct tensix rest = *tx;
    const struct tensix *from = &lap->from;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        forget_changes(&rest.thread[i], &from->thread[i]);
        rest.thread[i].rwc = from->thread[i].rwc; /* lap_vector.c counts on */
    }
    for (unsigned i = 0; i < SHARED_CYCLES; i++)
        set(&rest, shared_cycle[i], get(from, shared_cycle[i]));
    memcpy(rest.config, from->config, sizeof rest.config);
    memcpy(rest.later, from->later, sizeof rest.later);
    memcpy(rest.ran, from->ran, sizeof rest.ran);
    memcpy(rest.issued, from->issued, offsetof(struct tensix, any_since) - offsetof(struct tensix, issued));
    rest.any_stalled = from->any_stalled;
    rest.data_cycles[1] = from->data_cycles[1];
    memcpy(rest.packer.acc_tile_size, from->packer.acc_tile_size, sizeof rest.packer.acc_tile_size);
    return memcmp(&rest, from, sizeof rest) == 0;
}

/* Data is a list, or it is in the end what it was. */
static bool data_goes_round(struct lap *lap, struct lap_steps *steps, const struct tile *tile, const struct tensix *tx)
{
    lap_packs_count(&lap->packs, &lap->from, tx);
    if (!lap->packs.data_must && lap_data_make(&lap->data, steps, &lap->from, tx, lap->begin, lap->cycles, lap->cycles))
        return true;
    if (lap->vector.parts != 0) /* what is packed would change */
        return false;
    lap->data.pieces = lap->data.used = lap->data.changed = 0;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        lap->data.bank[i] = (uint8_t)CFG_FIELD(tx->thread[i].config, CFG_STATE_ID_StateID);
    return lap_packs_end(&lap->packs, steps, tile, &lap->from, tx);
}

/* What the Vector Unit does goes by configuration, so nothing of the lap changes that. */
static bool vector_goes_round(struct lap *lap, const struct tensix_laps *laps, struct tile *tile,
                              const struct tensix *tx)
{
    const struct lap_vector_steps *steps = &laps->vector_steps;
    return lap_vector_end(&lap->vector, steps, tile, tx, lap->begin, lap->cycles) &&
           (lap->vector.parts == 0 || (laps->steps.count == 0 && tile_lap_most(tile, lap->core) >= LAP_VECTOR_WORTH));
}

static bool is_lap(struct lap *lap, struct tensix_laps *laps, struct tile *tile, const struct tensix *tx)
{
    bool good = tile_lap_ends(tile, lap->core, lap->cycles);
    for (unsigned i = 0; good && i < TENSIX_THREADS; i++)
        good = thread_goes_round(lap, tx, i);
    return good && find_moves(&lap->from, tx, shared_cycle, SHARED_CYCLES, 0, lap->begin, lap->cycles, &lap->moves) &&
           later_is_same(&lap->from, tx, lap->cycles) && rest_is_same(lap, tx) && count_gains(lap, tx) &&
           vector_goes_round(lap, laps, tile, tx) && data_goes_round(lap, &laps->steps, tile, tx);
}

static void begin(struct tensix_laps *laps, const struct tile *tile, const struct tensix *tx, uint32_t key,
                  uint64_t cycle)
{
    struct lap *lap = &laps->made;
    lap->key = key;
    lap->misses = 0;
    lap->begin = cycle;
    laps->steps.count = 0;
    lap_vector_begin(&lap->vector, &laps->vector_steps, tile);
    lap->from = *tx;
    tile_lap_begins(tile, lap->core, cycle);
    lap_packs_begin(&lap->packs);
    laps->recording = true;
    laps->tries = 0;
}

void laps_spoil(struct tensix_laps *laps)
{
    enum { BACKOFF_MOST = 4096 };
    laps->recording = false;
    laps->pause = laps->backoff;
    laps->backoff = laps->backoff < BACKOFF_MOST ? 2 * laps->backoff : BACKOFF_MOST;
}

void laps_step(struct tensix_laps *laps, uint32_t word, unsigned op, unsigned thread, uint64_t cycle, uint64_t there)
{
    const uint64_t begin = laps->made.begin;
    if (laps->steps.count == LAP_STEPS) {
        laps_spoil(laps);
        return;
    }
    laps->steps.step[laps->steps.count++] = (struct lap_step){.word = word,
                                                              .op = (uint8_t)op,
                                                              .thread = (uint8_t)thread,
                                                              .after = (uint32_t)(cycle - begin),
                                                              .there = (uint32_t)(there - begin)};
}

void laps_passed(struct tensix_laps *laps, const tensix_step *s)
{
    const schedule_class class = schedule_class_of(s->word, s->op);
    if (s->issue == TENSIX_HELD ||
        (class == CLASS_OTHER && !lap_packs_take(&laps->made.packs, s) && !lap_vector_passed(&laps->vector_steps, s)))
        laps_spoil(laps);
    else if (class == CLASS_DATA)
        laps_step(laps, s->word, s->op, s->thread, s->cycle,
                  s->unit == UNIT_SCALAR ? tensix_thread_free(s, true) : s->cycle + s->latency);
}

void laps_packed(const tensix_step *s, uint32_t access, const uint16_t *const cells[], unsigned rows, unsigned bytes)
{
    if (s->laps->recording)
        lap_packs_note(&s->laps->made.packs, s, access, cells, rows, s->tx->packer.data.address, bytes);
}

/* ---- Doing it again ----------------------------------------------------------------------------------------- */

static bool thread_is_same(const struct lap *lap, const struct tensix *tx, unsigned i, uint64_t now)
{
    const struct tensix_thread *a = &lap->from.thread[i], *b = &tx->thread[i];
    const uint64_t apart = now - lap->begin;
    const bool plain = a->replay_mode == b->replay_mode && a->replay_index == b->replay_index &&
                       a->replay_left == b->replay_left && a->waiting == b->waiting && a->stopped == b->stopped &&
                       a->stall == b->stall && a->bad == b->bad && a->told == b->told && a->replay_pc == b->replay_pc &&
                       a->after_hold == b->after_hold && a->mop_quiet == b->mop_quiet && a->auto_load == b->auto_load &&
                       a->auto_load_tail == b->auto_load_tail && a->auto_state == b->auto_state;
    if (!plain || memcmp(&a->mop, &b->mop, sizeof a->mop) != 0 ||
        !cycles_are_same(a, b, thread_cycle, THREAD_CYCLES, idle_cycles(a, b), lap->begin, now, lap->thread_moves[i]))
        return false;
    if (memcmp(a->mop_cfg, b->mop_cfg, sizeof a->mop_cfg) != 0 || memcmp(a->replay, b->replay, sizeof a->replay) != 0 ||
        memcmp(a->declared, b->declared, sizeof a->declared) != 0 || a->latch.opcode != b->latch.opcode ||
        a->latch.conditions != b->latch.conditions || a->latch.target != b->latch.target ||
        a->latch.blocks != b->latch.blocks || a->latch.semaphores != b->latch.semaphores ||
        a->latch.stream != b->latch.stream)
        return false;
    const bool taken = lap->taken_moves[i] != 0, passed = lap->passed_moves[i] != 0;
    if (passed && !ring_moves(a->passed, a->passed_at, b->passed, b->passed_at, GATE_FIFO_CAPACITY, apart))
        return false;
    if (taken && !ring_moves(a->taken, a->taken_at, b->taken, b->taken_at, REPLAY_FIFO_CAPACITY, apart))
        return false;
    if (!taken && passed) /* it plays, and nothing comes from before */
        return false;
    if (lap->core[i].pushes == 0)
        return a->fifo_count == b->fifo_count && a->gate_count == b->gate_count && a->in_flight == b->in_flight;
    return fifos_are_same(a, b, apart);
}

static bool shared_is_same(const struct lap *lap, const struct tensix *tx, uint64_t now)
{
    const struct tensix *from = &lap->from;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (CFG_FIELD(tx->thread[i].config, CFG_STATE_ID_StateID) != lap->data.bank[i])
            return false;
    return cycles_are_same(from, tx, shared_cycle, SHARED_CYCLES, 0, lap->begin, now, lap->moves) &&
           later_is_same(from, tx, now - lap->begin) && tx->latched == from->latched &&
           tx->stalled_threads == from->stalled_threads && tx->config_unit.inside == from->config_unit.inside &&
           tx->config_unit.entering == from->config_unit.entering && tx->events_due == from->events_due &&
           tx->vector_due == 0 && tx->scalar.count == 0 && tx->mover.queued == from->mover.queued &&
           memcmp(tx->turn, from->turn, sizeof tx->turn) == 0 &&
           memcmp(tx->semaphore, from->semaphore, sizeof tx->semaphore) == 0 &&
           memcmp(tx->mutex, from->mutex, sizeof tx->mutex) == 0;
}

static bool is_same(const struct lap *lap, struct tile *tile, const struct tensix *tx, uint64_t now)
{
    bool same = tile_lap_is_same(tile, lap->core, now) && shared_is_same(lap, tx, now) &&
                lap_vector_is_same(&lap->vector, tile, tx, lap->begin, now);
    for (unsigned i = 0; same && i < TENSIX_THREADS; i++)
        same = thread_is_same(lap, tx, i, now);
    return same && lap_packs_are_same(&lap->packs, tile, &lap->from, tx, now);
}

/* Up to where threads and cores have come already. */
static uint64_t furthest(const struct tile *tile, const struct tensix *tx, uint64_t cycle)
{
    uint64_t last = max64(cycle, tile_lap_furthest(tile));
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct tensix_thread *t = &tx->thread[i];
        last = max64(last, t->last_push);
        if (t->gate_next != NEVER)
            last = max64(last, t->gate_next);
    }
    return last;
}

/* The ring of the first FIFO: what was pushed last, whatever has become of it. */
static void repeat_pushes(const struct lap *lap, struct tensix_thread *t, unsigned i, uint64_t now, uint32_t laps)
{
    const unsigned n = lap->core[i].pushes, tail = tail_of(t) + n * laps;
    struct tensix_entry entry[TENSIX_FIFO_CAPACITY];
    uint16_t tracked[TENSIX_FIFO_CAPACITY];
    for (unsigned k = 0; k < TENSIX_FIFO_CAPACITY; k++) {
        const unsigned back = k / n, old = (tail_of(t) - 1 - (k - n * laps)) % TENSIX_FIFO_CAPACITY;
        if (back < laps) {
            entry[k] = lap->push[i][k % n];
            entry[k].cycle += now + (laps - 1 - back) * lap->cycles;
            tracked[k] = lap->tracked[i][k % n];
        } else {
            entry[k] = t->fifo[old];
            tracked[k] = t->tracked[old];
        }
    }
    for (unsigned k = 0; k < TENSIX_FIFO_CAPACITY; k++) {
        t->fifo[(tail - 1 - k) % TENSIX_FIFO_CAPACITY] = entry[k];
        t->tracked[(tail - 1 - k) % TENSIX_FIFO_CAPACITY] = tracked[k];
    }
    t->fifo_head = (uint8_t)((t->fifo_head + n * laps) % TENSIX_FIFO_CAPACITY);
    t->unlooked = (uint8_t)min64(t->unlooked + (uint64_t)n * laps, TENSIX_FIFO_CAPACITY);
}

static void repeat_thread(const struct lap *lap, struct tensix_thread *t, unsigned i, uint64_t now, uint32_t laps)
{
    const uint64_t later = laps * lap->cycles;
    move(t, thread_cycle, later, lap->thread_moves[i]);
    if (lap->taken_moves[i] != 0)
        ring_move(t->taken, &t->taken_at, REPLAY_FIFO_CAPACITY, laps * (lap->taken_moves[i] - 1u), later);
    if (lap->passed_moves[i] != 0)
        ring_move(t->passed, &t->passed_at, GATE_FIFO_CAPACITY, laps * (lap->passed_moves[i] - 1u), later);
    if (lap->core[i].pushes == 0)
        return;
    for (unsigned k = 0; k < t->gate_count; k++)
        t->gate_fifo[(t->gate_head + k) % GATE_FIFO_CAPACITY].cycle += later;
    repeat_pushes(lap, t, i, now, laps);
    t->spans.mop_begin += later;
    t->spans.replay_begin += later;
}

static void repeat(const struct lap *lap, struct tile *tile, struct tensix *tx, uint64_t now, uint32_t laps)
{
    const uint64_t later = laps * lap->cycles;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        repeat_thread(lap, &tx->thread[i], i, now, laps);
    move(tx, shared_cycle, later, lap->moves);
    for (unsigned i = 0; i < lap->ran_counts; i++)
        tx->ran[lap->ran[i].at] += (uint64_t)laps * lap->ran[i].more;
    uint32_t *counters = tx->issued[0];
    for (unsigned i = 0; i < lap->counts; i++)
        counters[lap->count[i].at] += laps * lap->count[i].more;
    tx->any_stalled += laps * lap->any_stalled;
    lap_data_repeat(&lap->data, tx, laps);
    lap_vector_repeat(&lap->vector, tile, tx, now, laps, lap->cycles);
    lap_packs_repeat(&lap->packs, tile, tx, laps);
    for (unsigned i = 0; i < tx->later_count; i++)
        tx->later[i].cycle += later;
    tile_lap_repeats(tile, lap->core, laps, lap->cycles);
}

/* A bit for each thread that passes instructions. */
static uint32_t threads_of(const struct lap *lap)
{
    return (uint32_t)(lap->passed_moves[0] != 0) | (uint32_t)(lap->passed_moves[1] != 0) << 1 |
           (uint32_t)(lap->passed_moves[2] != 0) << 2;
}

/* As many laps as there is time for.  Behind them nobody is past the next line of the stop grid, as ever (tile.h). */
static bool go_round(const struct lap *lap, struct tile *tile, struct tensix *tx, uint64_t cycle, uint64_t until)
{
    const uint64_t end = tile_lap_until(tile, lap->core, threads_of(lap), cycle, until);
    const uint64_t last = furthest(tile, tx, cycle);
    const uint64_t most = end > last + 1 ? (end - 1 - last) / lap->cycles : 0;
    uint32_t laps = (uint32_t)min64(most, tile_lap_most(tile, lap->core));
    while (laps != 0 && last + laps * lap->cycles >= until &&
           !tile_is_between_lines(cycle + laps * lap->cycles, last + laps * lap->cycles))
        laps--;
    if (laps != 0)
        repeat(lap, tile, tx, cycle, laps);
    if (laps != 0 && last + laps * lap->cycles >= until)
        tile_lapped_to(tile, cycle + laps * lap->cycles);
    return laps != 0;
}

/* ---- Looking ------------------------------------------------------------------------------------------------ */

static uint32_t mix(uint32_t hash, uint64_t value)
{
    const uint64_t h = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

/* What tells one moment of a lap from others.  Never 0. */
static uint32_t key_of(const struct tile *tile, const struct tensix *tx, uint64_t cycle)
{
    uint32_t key = tile_lap_key(tile, cycle);
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct tensix_thread *t = &tx->thread[i];
        key = mix(key, t->in_flight | (uint64_t)t->fifo_count << 8 | (uint64_t)t->replay_left << 16 |
                           (uint64_t)t->mop.position << 24 | (uint64_t)t->mop.outer << 40 | (uint64_t)t->stall << 56);
        if (t->due != 0)
            key = mix(key, (t->due - cycle) ^ (t->gate_next - cycle) << 16 ^ (t->last_push - cycle) << 32);
    }
    return key | 1;
}

/* The lap under this key, of which a loop within a loop has several; NULL: none is known. */
static struct lap *find(struct tensix_laps *laps, const struct tile *tile, uint32_t key)
{
    struct lap *set = &laps->lap[(key >> 8) % (LAPS / LAP_WAYS) * LAP_WAYS];
    for (unsigned i = 0; i < LAP_WAYS; i++)
        if (set[i].key == key && tile_lap_fits(tile, set[i].core))
            return &set[i];
    return NULL;
}

static struct lap *keep(struct tensix_laps *laps)
{
    struct lap *made = &laps->made, *set = &laps->lap[(made->key >> 8) % (LAPS / LAP_WAYS) * LAP_WAYS];
    struct lap *lap = &set[laps->next++ % LAP_WAYS];
    for (unsigned i = 0; i < LAP_WAYS; i++)
        if (set[i].key == 0)
            lap = &set[i];
    laps->known += lap->key == 0;
    lap_many_make(&made->data);
    *lap = *made;
    laps->recording = false;
    laps->backoff = 1;
    laps->usual = made->cycles;
    return lap;
}

/* One is being made: whether it is over. */
static bool look_for_end(struct tensix_laps *laps, struct tile *tile, struct tensix *tx, uint32_t key, uint64_t cycle,
                         uint64_t until)
{
    enum { TRIES = 24 };
    struct lap *made = &laps->made;
    if (key == made->key && tile_laps_may_be(tile)) {
        tensix_settle(tile, tx, cycle);
        made->cycles = cycle - made->begin;
        if (is_lap(made, laps, tile, tx))
            return go_round(keep(laps), tile, tx, cycle, until);
        laps->tries++;
    }
    if (cycle - made->begin > LAP_CYCLES || laps->tries > TRIES)
        laps_spoil(laps);
    return false;
}

bool laps_look(struct tensix_laps *laps, struct tile *tile, struct tensix *tx, uint64_t cycle, uint64_t until)
{
    enum { MISSES = 32 };
    const uint64_t end = tile_lap_furthest_end(tile, until);
    if (!laps->recording && (end < cycle + LAP_WORTH || (laps->known == 0 && laps->pause != 0))) {
        laps->pause -= laps->pause != 0;
        return false;
    }
    const uint32_t key = key_of(tile, tx, cycle);
    if (laps->recording)
        return look_for_end(laps, tile, tx, key, cycle, until);
    struct lap *lap = find(laps, tile, key);
    if (lap != NULL) {
        if (end <= furthest(tile, tx, cycle) + lap->cycles || !tile_laps_may_be(tile))
            return false;
        tensix_settle(tile, tx, cycle);
        if (is_same(lap, tile, tx, cycle)) {
            lap->misses = 0;
            return go_round(lap, tile, tx, cycle, until);
        }
        if (++lap->misses > MISSES) {
            lap->key = 0;
            laps->known--;
        }
        return false;
    }
    if (laps->pause != 0) {
        laps->pause--;
        return false;
    }
    uint32_t *seen = &laps->seen[(key >> 8) % LAPS_SEEN];
    if (*seen == key && until > cycle + laps->usual && tile_laps_may_be(tile)) {
        tensix_settle(tile, tx, cycle);
        begin(laps, tile, tx, key, cycle);
    }
    *seen = key;
    return false;
}
