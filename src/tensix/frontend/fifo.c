/* SPDX-License-Identifier: Apache-2.0 */
/* Pushes into a thread's front end, and what can be seen of it from outside.
 *
 * Manual BabyRISCV/PushTensixInstruction.  The first FIFO takes an instruction while no more than 28 of those that RISCV Ti
 * has pushed are in flight (Auto TTSync's tracking counts them until they have passed the wait gate), so that 29 is the
 * most, and 32 when a fused group of four comes at 28.  A card agrees: a pushing core gets 33 instructions ahead, 29 here
 * and the rest in its own store queue (docs/timing.md, q_loop_*). */
#include "tensix/counts.h"
#include "tensix/frontend/expand.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/plan.h"
#include "tensix/frontend/push.h"
#include "tensix/step.h"
#include "tensix/tensix.h"

#include "base/bits.h"

#include <string.h>

static bool expanders_swallow(struct tensix_thread *t, bool for_b);
static void wait_for_swallowed(struct tensix *tx, struct tensix_thread *t, uint64_t cycle);

/* Whether what expanders swallow makes room.  Asked once for as long as somebody waits: only the gate moves meanwhile. */
static bool has_room_after_all(struct tensix *tx, unsigned thread, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    if ((t->waiting & TENSIX_WAITS_PUSH) && (t->waiting & TENSIX_WAITS_GATE))
        return false;
    if (t->swallow_told && t->notify > cycle) { /* nothing is swallowed before that, whatever passes the gate */
        t->waiting |= TENSIX_WAITS_PUSH;
        return false;
    }
    if (!expanders_swallow(t, false)) {
        t->waiting |= TENSIX_WAITS_PUSH | TENSIX_WAITS_GATE;
        return false;
    }
    tensix_expand(tx, thread, cycle);
    if (push_has_room(t, cycle))
        return true;
    t->waiting |= TENSIX_WAITS_PUSH;
    if (expanders_swallow(t, false)) /* what there was may be gone */
        wait_for_swallowed(tx, t, cycle);
    return false;
}

bool tensix_push(struct tensix *tx, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    if (!push_has_room(t, cycle) && !has_room_after_all(tx, thread, cycle))
        return false;
    push_append(tx, t, word, pc, cycle);
    return true;
}

tensix_push_result tensix_push_replay(struct tensix *tx, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle,
                                      uint32_t *lost)
{
    struct tensix_thread *t = &tx->thread[thread];
    tensix_expand(tx, thread, cycle);
    if (t->replay_count == REPLAY_FIFO_CAPACITY) {
        tensix_wait(tx, thread, TENSIX_WAITS_B, cycle);
        return TENSIX_PUSH_FULL;
    }
    tensix_push_result result = TENSIX_PUSH_OK;
    if (mop_next_cycle(t) == cycle) {
        /* Both come to the multiplexer in this cycle: what RISCV Ti pushed is discarded. */
        struct tensix_entry e;
        if (mop_take(t, cycle, &e)) {
            *lost = e.word;
            if (e.pc & TENSIX_ENTRY_LAST)
                auto_forget(t, t->in_flight - 1u - t->fifo_count);
            entry_done(t, e.pc);
            result = TENSIX_PUSH_COLLISION;
        }
    }
    t->replay_fifo[(t->replay_head + t->replay_count++) % REPLAY_FIFO_CAPACITY] =
        (struct tensix_entry){cycle, word, (pc & ~3u) | TENSIX_ENTRY_BY_B};
    push_wake(tx, t, cycle + COST_TENSIX_REPLAY_STAGE + COST_TENSIX_GATE_STAGE);
    t->waiting &= (uint8_t)~TENSIX_WAITS_GATE;
    t->swallow_told = false;
    const unsigned others = t->waiting & ~(unsigned)TENSIX_WAITS_B;
    if (others)
        tensix_wait(tx, thread, others, cycle); /* this may end in an expander */
    return result;
}

void tensix_core_reset(struct tensix *tx, unsigned thread)
{
    struct tensix_thread *t = &tx->thread[thread];
    t->in_flight = (uint8_t)(t->in_flight - t->fifo_count);
    t->fifo_count = 0; /* the head stays: `tracked` goes by it */
    t->waiting &= TENSIX_WAITS_B;
    t->auto_load = 0;
    t->auto_until = 0;
}

static void expand(struct tensix_thread *t, uint64_t cycle)
{
    uint64_t when;
    do {
        /* The gate FIFO takes in what leaves the replay expander before this cycle ... */
        while (replay_emit(t, cycle - 1 + COST_TENSIX_GATE_STAGE, &when)) {}
        /* ... and the FIFO before it what leaves the MOP expander. */
        struct tensix_entry e;
        bool moved = false;
        while (mop_next_cycle(t) < cycle) {
            if (mop_take(t, mop_next_cycle(t), &e)) {
                t->replay_fifo[(t->replay_head + t->replay_count++) % REPLAY_FIFO_CAPACITY] = e;
                moved = true;
            }
        }
        if (!moved)
            return;
    } while (t->gate_count < GATE_FIFO_CAPACITY);
}

void tensix_expand(struct tensix *tx, unsigned thread, uint64_t cycle)
{
    expand(&tx->thread[thread], cycle);
}

/* MOPs that wait before the expander. */
static unsigned mops_waiting(const struct tensix_thread *t)
{
    unsigned count = 0;
    for (unsigned i = 0; i < t->fifo_count; i++)
        count += opcode_of(t->fifo[(t->fifo_head + i) % TENSIX_FIFO_CAPACITY].word) == OPCODE_MOP;
    return count;
}

/* When `left` instructions of a MOP may have left the expander: one in a cycle, each into its place of the FIFO behind it. */
static uint64_t mop_may_be_out(const struct tensix_thread *t, unsigned left)
{
    const unsigned places = REPLAY_FIFO_CAPACITY - t->replay_count, known = left < places ? left : places;
    uint64_t next = t->mop_next;
    for (unsigned i = 0; i < known; i++)
        next = max64(next, t->taken[(t->taken_at + t->replay_count + i) % REPLAY_FIFO_CAPACITY]) + 1;
    return next + left - known;
}

/* Whether what comes out of the MOP expander may end in the one behind it, in any number. */
static bool records(const struct tensix_thread *t)
{
    bool any = replay_records(t) || mop_records(t);
    for (unsigned i = 0; i < t->replay_count; i++)
        any |= ends_in_replay(t->replay_fifo[(t->replay_head + i) % REPLAY_FIFO_CAPACITY].word);
    for (unsigned i = 0; i < t->fifo_count; i++)
        any |= ends_in_replay(t->fifo[(t->fifo_head + i) % TENSIX_FIFO_CAPACITY].word);
    return any;
}

/* So many are still to come out of the MOP expander, at least. */
static unsigned mops_left(const struct tensix_thread *t, unsigned expanding)
{
    const unsigned mops = mops_waiting(t), follow = mop_follow(t);
    return expanding + (follow > mops ? follow : mops);
}

/* The first cycle in which the MOP expander may have no MOP left, if nothing passes the gate; 0: it has none as it stands.  NEVER: something
 * must pass first; *quiet: so many may pass before that is no longer so. */
static uint64_t mops_may_end(const struct tensix_thread *t, unsigned *quiet)
{
    const unsigned expanding = mop_left(t), left = mops_left(t, expanding),
                   all = left + t->replay_count + t->gate_count;
    *quiet = 0;
    if (left == 0)
        return 0;
    if (all > MOP_AHEAD && !records(t)) {
        /* One that passes makes room for two at most: for a word and a REPLAY behind it, which begins. */
        *quiet = (unsigned)min64((all - MOP_AHEAD - 1) / 2, MOP_ANNOUNCED - 1);
        return NEVER;
    }
    return mop_may_be_out(t, expanding) + left - expanding;
}

/* The first cycle in which it has none, where there are some and nothing is recorded: whatever passes the gate, it is neither earlier nor
 * later.  NEVER: something must pass first; *left: so many are still to come out then. */
static uint64_t mops_end(const struct tensix_thread *thread, unsigned *left)
{
    struct tensix_thread t = *thread; /* looking changes nothing */
    do {
        uint64_t when;
        if (replay_emit(&t, NEVER / 2, &when)) /* which may also take from the MOP expander */
            continue;
        const uint64_t next = mop_next_cycle(&t);
        if (next == NEVER) {
            *left = mop_left(&t) + mops_waiting(&t);
            return NEVER;
        }
        struct tensix_entry e;
        if (mop_take(&t, next, &e))
            t.replay_fifo[(t.replay_head + t.replay_count++) % REPLAY_FIFO_CAPACITY] = e;
    } while (t.mop.active || mops_waiting(&t) != 0);
    return t.mop_next; /* one behind the last one */
}

/* end: of mops_may_end. */
static bool mops_are_left(const struct tensix_thread *thread, uint64_t end, uint64_t cycle)
{
    if (end == 0 || end > cycle)
        return end != 0;
    struct tensix_thread t = *thread; /* looking changes nothing */
    expand(&t, cycle);
    return mop_left(&t) + mops_waiting(&t) != 0;
}

bool tensix_mop_busy(const struct tensix *tx, unsigned thread, uint64_t cycle)
{
    const struct tensix_thread *t = &tx->thread[thread];
    unsigned quiet;
    return mops_are_left(t, mops_may_end(t, &quiet), cycle);
}

bool tensix_has_room(const struct tensix *tx, unsigned thread, uint64_t cycle)
{
    struct tensix_thread t = tx->thread[thread];
    expand(&t, cycle);
    return push_has_room(&t, cycle);
}

unsigned tensix_replay_waiting(const struct tensix *tx, unsigned thread, uint64_t cycle)
{
    struct tensix_thread t = tx->thread[thread];
    expand(&t, cycle);
    return t.replay_count;
}

/* The cycle from which on nothing of this thread is in a unit. */
static uint64_t units_done(const struct tensix_thread *t)
{
    uint64_t done = t->loads_until;
    for (unsigned i = 0; i < TENSIX_UNITS; i++)
        done = max64(done, t->busy_until[i]);
    return done;
}

static bool front_end_empty(const struct tensix_thread *t)
{
    return t->in_flight == 0 && t->replay_count == 0 && t->gate_count == 0 && !t->mop.active && t->fifo_count == 0 &&
           t->replay_left == 0;
}

/* What is still before the gate may end in an expander by this cycle: then the answer does not depend on who has looked before. */
bool tensix_thread_idle(const struct tensix *tx, unsigned thread, uint64_t cycle)
{
    const struct tensix_thread *t = &tx->thread[thread];
    if (front_end_empty(t) || t->gate_count != 0 || units_done(t) > cycle)
        return front_end_empty(t) && units_done(t) <= cycle;
    struct tensix_thread expanded = *t; /* looking changes nothing */
    expand(&expanded, cycle);
    return front_end_empty(&expanded);
}

unsigned tensix_fifo(const struct tensix *tx, unsigned thread, uint64_t cycle, uint32_t *front)
{
    struct tensix_thread t = tx->thread[thread];
    expand(&t, cycle);
    *front = t.fifo_count != 0 ? t.fifo[t.fifo_head].word : 0;
    return t.fifo_count;
}

static void notify_at(struct tensix *tx, struct tensix_thread *t, uint64_t cycle)
{
    t->notify = t->notify != 0 ? min64(t->notify, cycle) : cycle;
    tx->due = tensix_due_at(min64(tensix_when(tx->due), cycle));
}

void tensix_notify(struct tensix *tx, unsigned thread, uint64_t cycle)
{
    notify_at(tx, &tx->thread[thread], cycle);
}

void tensix_push_turn(struct tensix *tx, unsigned thread, uint64_t cycle)
{
    tx->thread[thread].push_turn = cycle;
    tx->due = tensix_due_at(min64(tensix_when(tx->due), cycle));
}

/* Whether a push in the first FIFO ends in an expander.  Those that did not when it was looked through last still do not. */
static bool pushes_are_swallowed(struct tensix_thread *t)
{
    const unsigned count = t->unlooked < t->fifo_count ? t->unlooked : t->fifo_count;
    for (unsigned i = t->fifo_count - count; i < t->fifo_count; i++) {
        const uint32_t word = t->fifo[(t->fifo_head + i) % TENSIX_FIFO_CAPACITY].word;
        if (UNLIKELY(opcode_of(word) == OPCODE_MOP_CFG || ends_in_replay(word))) {
            t->unlooked = TENSIX_FIFO_CAPACITY;
            return true;
        }
    }
    t->unlooked = 0;
    return false;
}

/* Something may end in an expander, and not at the gate where those who wait are told. */
static bool expanders_swallow(struct tensix_thread *t, bool for_b)
{
    if (replay_records(t))
        return true;
    for (unsigned i = 0; i < t->replay_count; i++) {
        const uint32_t word = t->replay_fifo[(t->replay_head + i) % REPLAY_FIFO_CAPACITY].word;
        if (ends_in_replay(word) || (for_b && opcode_of(word) == OPCODE_REPLAY)) /* which makes room when it begins */
            return true;
    }
    return pushes_are_swallowed(t) || (mop_records(t) && (t->mop.active || mops_waiting(t) != 0));
}

bool tensix_may_swallow(struct tensix_thread *t)
{
    return expanders_swallow(t, false);
}

/* How many pass the gate up to the next one with which something that RISCV Ti has pushed is through; 0: not known. */
static unsigned words_ahead(const struct tensix_thread *t)
{
    if (t->gate_count != 0)
        return 0;
    if (replay_plays(t)) {
        const bool last = t->replay_count != 0 || (t->replay_pc & TENSIX_ENTRY_LAST);
        return t->replay_left + (last ? 0 : mop_words_ahead(t));
    }
    const uint32_t first = t->fifo_count != 0 ? t->fifo[t->fifo_head].word : 0;
    if (t->replay_count == 0 && (t->mop.active || opcode_of(first) == OPCODE_MOP))
        return mop_words_ahead(t);
    return t->replay_mode == MODE_PASS
               ? plan_played_by(t->replay_count != 0 ? t->replay_fifo[t->replay_head].word : first)
               : 0;
}

uint64_t tensix_room_holds(struct tensix *tx, unsigned thread, uint64_t now)
{
    struct tensix_thread *t = &tx->thread[thread];
    const unsigned ahead = words_ahead(t);
    if (ahead == 0)
        return 0;
    const uint64_t last = max64(now, t->gate_next) + ahead - 1;
    if (t->swallow_told && t->notify > now)
        return min64(last, t->notify - 1);
    return expanders_swallow(t, false) ? 0 : last;
}

/* How many cycles the replay expander takes at least for the k-th that comes in: what is recorded is not played. */
static unsigned cycles_in_replay(const struct tensix_thread *t, unsigned k, uint32_t word)
{
    const unsigned count = bits(word, 9, 4), recorded = replay_plays(t) ? 0 : t->replay_left;
    return opcode_of(word) == OPCODE_REPLAY && count - 1 < REPLAY_ENTRIES && k >= recorded ? count : 1;
}

/* The first cycle in which something may end in an expander, of a thread that is expanded up to `cycle` and where
 * something will: each stage moves one instruction a cycle, and what a REPLAY still plays comes first. */
static uint64_t may_swallow(const struct tensix_thread *t, uint64_t cycle)
{
    if (replay_records(t) || (mop_records(t) && (t->mop.active || mops_waiting(t) != 0)))
        return cycle + 1;
    unsigned ahead = replay_plays(t) ? t->replay_left : 0;
    for (unsigned i = 0; i < t->replay_count; i++) {
        const uint32_t word = t->replay_fifo[(t->replay_head + i) % REPLAY_FIFO_CAPACITY].word;
        if (ends_in_replay(word))
            return cycle + max64(ahead, 1);
        ahead += cycles_in_replay(t, i, word);
    }
    for (unsigned i = 0; i < t->fifo_count; i++) {
        const uint32_t word = t->fifo[(t->fifo_head + i) % TENSIX_FIFO_CAPACITY].word;
        if (opcode_of(word) == OPCODE_MOP_CFG)
            return cycle + max64(i, 1); /* in the first of the expanders */
        if (ends_in_replay(word))
            return cycle + max64(ahead, 1);
        ahead += cycles_in_replay(t, t->replay_count + i, word);
    }
    return cycle + 1;
}

/* Nothing moves in the expanders before something passes the gate: without room there a REPLAY does not even begin. */
static bool expanders_stand(const struct tensix_thread *t)
{
    return t->gate_count == GATE_FIFO_CAPACITY && !replay_records(t) && mop_next_cycle(t) == NEVER;
}

/* RISCV Ti waits for the end of MOPs; end, quiet: of mops_may_end. */
static void wait_for_mops(struct tensix *tx, struct tensix_thread *t, uint64_t cycle, uint64_t end, unsigned quiet)
{
    t->mop_quiet = (uint8_t)quiet;
    if (end == NEVER) /* somebody passes the gate before */
        return;
    if (end != 0 && !records(t) && !mop_empty_follows(t)) {
        unsigned left;
        end = mops_end(t, &left);
        if (end == NEVER) {
            t->mop_quiet = (uint8_t)min64((left - 1) / 2, MOP_ANNOUNCED - 1);
            return;
        }
        t->mop_quiet = MOP_ANNOUNCED;
    }
    notify_at(tx, t, max64(end, cycle + 1));
}

/* Something will end in an expander of a thread that is expanded up to `cycle`: somebody is told when. */
static void wait_for_swallowed(struct tensix *tx, struct tensix_thread *t, uint64_t cycle)
{
    if (expanders_stand(t))
        t->waiting |= TENSIX_WAITS_STANDS; /* a thread that waits for ever must not look for ever */
    else {
        notify_at(tx, t, may_swallow(t, cycle));
        t->swallow_told = true;
    }
}

void tensix_wait(struct tensix *tx, unsigned thread, unsigned what, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    unsigned quiet;
    t->waiting |= (uint8_t)what;
    if ((what & TENSIX_WAITS_DONE) && front_end_empty(t))
        notify_at(tx, t, max64(units_done(t), cycle + 1));
    if (what & TENSIX_WAITS_MOP) {
        const uint64_t end = mops_may_end(t, &quiet);
        wait_for_mops(tx, t, cycle, end, quiet);
    }
    /* Room for RISCV B comes when the replay expander moves one on, which is later than the pass that let it. */
    const bool for_b = what & TENSIX_WAITS_B, moves = for_b && t->gate_count < GATE_FIFO_CAPACITY;
    if (moves || ((what & (TENSIX_WAITS_PUSH | TENSIX_WAITS_AUTO | TENSIX_WAITS_B | TENSIX_WAITS_DONE)) &&
                  expanders_swallow(t, for_b))) {
        if (!for_b) {
            expand(t, cycle);
            wait_for_swallowed(tx, t, cycle);
        } else if (expanders_stand(t)) {
            t->waiting |= TENSIX_WAITS_STANDS;
        } else {
            notify_at(tx, t, cycle + 1);
        }
    }
}

bool tensix_mop_goes_on(struct tensix *tx, unsigned thread, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    if (t->mop_quiet != 0) {
        t->mop_quiet = (uint8_t)(t->mop_quiet - (t->mop_quiet != MOP_ANNOUNCED));
        return true;
    }
    unsigned quiet;
    const uint64_t end = mops_may_end(t, &quiet);
    const bool left = mops_are_left(t, end, cycle + 1);
    if (left)
        wait_for_mops(tx, t, cycle, end, quiet);
    return left;
}

void tensix_passed(struct tensix *tx, unsigned thread, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    if (front_end_empty(t))
        notify_at(tx, t, max64(units_done(t), cycle + 1));
}

void tensix_wait_config(struct tensix *tx, uint64_t cycle)
{
    if (tx->config_unit.tell == 0 || tx->config_unit.tell > cycle)
        tx->config_unit.tell = cycle;
    tx->due = tensix_due_at(min64(tensix_when(tx->due), cycle));
}

/* Where a FIFO begins in its ring, and what was there before, is nobody's business. */
static void straighten(struct tensix_entry *ring, uint8_t *head, unsigned count, unsigned capacity)
{
    struct tensix_entry copy[REPLAY_FIFO_CAPACITY];
    for (unsigned i = 0; i < capacity; i++)
        copy[i] = i < count ? ring[(*head + i) % capacity] : (struct tensix_entry){0};
    memcpy(ring, copy, capacity * sizeof *ring);
    *head = 0;
}

void tensix_make_real(const tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    tx->due = tx->events_due = tx->config_unit.tell = 0;
    tx->packer.modes = (struct tensix_pack_modes){.relu = 0};
    tx->without = 0;
    tx->yield = tx->traced = tx->shake.on =
        false; /* a store of a core may have set it outside of tensix_run, where it says nothing */
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        struct tensix_thread *t = &tx->thread[i];
        expand(t, cycle);
        auto_make_real(t, cycle);
        gate_settle(tile, tx, t, i, cycle);
        if (!(tx->latched >> i & 1))
            t->latch = (struct tensix_latch){0};
    }
    counts_make_real(tile, tx, cycle);
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        struct tensix_thread *t = &tx->thread[i];
        straighten(t->gate_fifo, &t->gate_head, t->gate_count, GATE_FIFO_CAPACITY);
        straighten(t->replay_fifo, &t->replay_head, t->replay_count, REPLAY_FIFO_CAPACITY);
        /* Who is told, and when: what he finds is elsewhere, and one who has stopped waiting may still be told. */
        t->due = t->notify = t->push_turn = 0;
        t->waiting = t->mop_quiet = 0;
        t->swallow_told = false;
        t->stall = TENSIX_STALL_NONE;
        t->spans = (struct tensix_spans){.count = 0};
        t->unlooked = t->fifo_count;
    }
}
