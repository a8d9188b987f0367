/* SPDX-License-Identifier: Apache-2.0 */
/* A row of instructions of one thread, the fast path beside comes_to_the_gate and go: while the replay expander plays, the MOP
 * expander is in its inner loop, or there are pushes, what comes next is known, and nobody is told when it has passed.  Each
 * passes one cycle behind the last, or three behind its push: the expanders, which are a stage or more ahead of the gate, never keep the second one of a row waiting.  So
 * units are handed their instructions first, and the stages before the gate follow in a loop of their own.  Cycles and state are
 * those of the plain path.  Included by run.c alone. */
#ifndef KERR_TENSIX_STREAM_H
#define KERR_TENSIX_STREAM_H

#include "tensix/stream_playbacks.h"
#include "tensix/stream_stages.h"
#include "tensix/stream_units.h"
#include "tensix/unpack/unpack.h"

/* Hands instructions to their units, one in each cycle from s->cycle on and before `until`, or later if it was pushed later or its
 * unit is busy, until one is not for this path or changes what the row goes by.  Returns how many left the expanders: the last one was taken
 * only if *result is STEP_RETIRED. */
static inline __attribute__((always_inline)) unsigned stream_hand_out(tensix_step *s, stream_source source,
                                                                      unsigned count, uint64_t until,
                                                                      step_result *result, struct stream_passes *passes)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    unsigned k = 0;
    do {
        const uint32_t word = stream_word(t, source, passes, k);
        const struct tensix_dispatch *d = &tensix_dispatch[word >> 24];
        const unsigned unit = d->unit;
        if (source == STREAM_FIFO)
            s->cycle = max64(s->cycle, passes->gate[k]);
        const uint64_t free = max64(s->cycle, tx->unit_free[unit]);
        if (UNLIKELY(free >= until) || !stream_takes(tx, d, word))
            break;
        if (free != s->cycle)
            stream_waits(s, unit, free - s->cycle);
        s->word = word;
        s->op = d->op;
        if (unit == UNIT_VECTOR && !CHECKED(s->tile)) {
            const unsigned taken = stream_vector(s, source, k, count, until, passes);
            k += taken;
            if (taken != 0)
                continue;
        }
        if (source != STREAM_FIFO && d->op == TENSIX_PACR && !CHECKED(s->tile)) {
            const unsigned taken = stream_pack(s, source, k, count, until, passes);
            k += taken;
            if (taken != 0)
                continue;
        }
        s->again = s->cycle + 1;
        s->unit = d->unit;
        s->issue = d->issue;
        s->latency = d->latency;
        if (source != STREAM_FIFO && unit == UNIT_MATRIX && !CHECKED(s->tile)) {
            const unsigned taken = stream_matrix(s, source, k, count, until, passes);
            k += taken;
            if (taken != 0)
                continue;
        }
        if (tx->later_count != 0 && tx->later[0].cycle <= s->cycle)
            tensix_settle(s->tile, tx, s->cycle);
        if (UNLIKELY(vector_is_late(tx, s->cycle)))
            vector_settle(s->tile, tx, s->cycle);
        if (source == STREAM_FIFO)
            s->pc = stream_push(t, k)->pc;
        k++;
        hook_unit_begins(s->tile, s);
        s->tile->singly++;
        *result = d->run(s);
        if (d->port != PORT_NONE)
            served(tx, d->port, s->thread);
        if (UNLIKELY(*result != STEP_RETIRED))
            break;
        hook_unit_done(s->tile, s);
        if (unit != UNIT_MISC)
            tx->unit_free[unit] = s->cycle + s->issue;
        t->busy_until[unit] = max64(t->busy_until[unit], s->cycle + s->latency);
        tx->issued[s->thread][unit]++;
        tx->ran[d->op]++;
        passes->at[k - 1] = s->cycle++;
    } while (k != count && !(tx->yield | (tx->latched >> s->thread & 1) | (tx->due != 0)));
    return k;
}

/* Passes what it can of `count` instructions in cycles before `until`.  False: there was nothing for it. */
static inline __attribute__((always_inline)) bool stream_row(tensix_step *s, stream_source source, unsigned count,
                                                             uint64_t until, struct stream_passes *passes)
{
    struct tensix_thread *t = s->t;
    const uint32_t word = stream_word(t, source, passes, 0);
    const struct tensix_dispatch *d = &tensix_dispatch[word >> 24];
    s->cycle = max64(stream_arrival(t, source), t->gate_next);
    const uint64_t from = max64(s->cycle, s->tx->unit_free[d->unit]);
    if (from >= until || !stream_takes(s->tx, d, word))
        return false;
    if (from != s->cycle)
        stream_waits(s, d->unit, from - s->cycle);
    if (source != STREAM_FIFO)
        s->pc = (source == STREAM_PLAY ? t->replay_pc : t->mop.pc) & ~(uint32_t)TENSIX_ENTRY_LAST;
    s->reason = TENSIX_STALL_UNIT;
    step_result result = STEP_RETIRED;
    const unsigned emitted = stream_hand_out(s, source, (unsigned)min64(count, MOST_IN_A_ROW), until, &result, passes);
    const unsigned passed = emitted - (result != STEP_RETIRED);
    stream_follow(t, source, emitted, passed, passes);
    const bool ended =
        source == STREAM_PLAY ? (t->replay_pc & TENSIX_ENTRY_LAST) != 0 : source == STREAM_MOP && !t->mop.active;
    const bool last = ended && t->replay_mode == MODE_PASS; /* of its push */
    if (last)
        s->pc = source == STREAM_PLAY ? t->replay_pc : t->mop.pc;
    if (passed != 0)
        t->told = 0;
    if (UNLIKELY(result != STEP_RETIRED)) {
        s->came = t->replay_next - 1 + COST_TENSIX_GATE_STAGE;
        s->fresh = true;
        stays(s, result);
    } else {
        s->cycle = t->gate_next - 1; /* that of the last one */
        t->due = tensix_due_at(t->gate_next);
        if (last) {
            entry_done(t, s->pc);
            if (t->waiting != 0)
                tell(s, s->pc);
        }
    }
    return true;
}

static __attribute__((noinline)) bool stream_play(tensix_step *s, unsigned count, uint64_t until)
{
    struct stream_passes passes;
    return stream_row(s, STREAM_PLAY, count, until, &passes);
}

/* A loop of playbacks: the next one begins, and what it plays is a row, if the first of it passes in time. */
static __attribute__((noinline)) bool stream_replay(tensix_step *s, uint64_t until)
{
    struct tensix_thread *t = s->t;
    const bool begins = !t->mop.active;
    const uint32_t word = begins ? t->mop_cfg[LOOP_OP] : stream_loop_word(t);
    const uint32_t first = t->replay[bits(word, 23, 14) % REPLAY_ENTRIES];
    const struct tensix_dispatch *d = &tensix_dispatch[first >> 24];
    uint64_t m;
    const uint64_t r = stream_replay_at(t, &m), gate = max64(r + COST_TENSIX_GATE_STAGE, t->gate_next);
    const uint64_t free = s->tx->unit_free[d->unit];
    if (max64(gate, free) >= until || !stream_takes(s->tx, d, first))
        return false;
    s->op = d->op;
    if (begins)
        return false;
    stream_begin_replay(t, word, m, r);
    return stream_play(s, t->replay_left - (t->replay_pc & TENSIX_ENTRY_LAST), until);
}

/* A playback that was pushed begins, if the first of it passes in time. */
static __attribute__((noinline)) bool stream_pushed_replay(tensix_step *s, uint64_t until)
{
    struct tensix_thread *t = s->t;
    const uint32_t word = t->fifo[t->fifo_head].word, first = t->replay[bits(word, 23, 14) % REPLAY_ENTRIES];
    const struct tensix_dispatch *d = &tensix_dispatch[first >> 24];
    uint64_t m;
    const uint64_t r = stream_replay_at(t, &m), gate = max64(r + COST_TENSIX_GATE_STAGE, t->gate_next);
    if (max64(gate, s->tx->unit_free[d->unit]) >= until || d->op == TENSIX_UNPACR || !stream_takes(s->tx, d, first))
        return false;
    stream_begin_replay(t, word, m, r);
    return stream_play(s, t->replay_left, until);
}

static __attribute__((noinline)) bool stream_pushed(tensix_step *s, unsigned count, uint64_t until)
{
    struct stream_passes passes;
    count = stream_gather(s->t, count, until, UINT32_MAX, &passes);
    return count != 0 && stream_row(s, STREAM_FIFO, count, until, &passes);
}

/* Up to `count` pushes for `units`, of a thread whose core is not told of them one by one, if there are `least`: how many have passed,
 * passes->at has when. */
static __attribute__((noinline)) unsigned stream_ahead(tensix_step *s, unsigned least, unsigned count, uint64_t until,
                                                       unsigned units, struct stream_passes *passes)
{
    struct tensix_thread *t = s->t;
    const unsigned in_flight = t->in_flight, waiting = t->waiting;
    unsigned most = 0, pushes = 0;
    t->waiting = 0; /* but for room, which the caller knows */
    if (stream_of(t, &most) == STREAM_FIFO && !t->after_hold && !(s->tx->latched >> s->thread & 1))
        pushes = stream_gather(t, (unsigned)min64(most, count), until, units, passes);
    const bool any = pushes >= least && stream_row(s, STREAM_FIFO, pushes, until, passes);
    t->waiting = (uint8_t)waiting;
    return any ? in_flight - t->in_flight : 0;
}

/* The instruction that passes or stalls in cycle `to` has stood at the gate since `from` because of the one before it
 * (counts_settle). */
static inline void stream_was_held(tensix_step *s, unsigned unit, uint64_t from, uint64_t to)
{
    struct tensix *tx = s->tx;
    if (tx->stalled_threads == 0 && from < to) {
        tx->any_stalled += (uint32_t)(to - min64(to, max64(from, tx->any_since)));
        tx->any_since = to;
    }
    counts_add(tx, s->thread, unit, TENSIX_STALL_SCALAR, (uint32_t)(to - from));
    s->t->stall_since = to;
    s->t->after_hold = false;
}

/* Address counters, which unpackers and packer go by and nobody else. */
static inline bool stream_counts(unsigned op)
{
    switch (op) {
    case TENSIX_SETADC:
    case TENSIX_SETADCXY:
    case TENSIX_SETADCZW:
    case TENSIX_SETADCXX:
    case TENSIX_INCADCXY:
    case TENSIX_INCADCZW:
    case TENSIX_ADDRCRXY:
    case TENSIX_ADDRCRZW: return true;
    default: return false;
    }
}

/* An UNPACR that could pass in cycle `gate`.  False: not before `until`, or it is not for this path. */
static inline bool stream_unpack_one(tensix_step *s, struct unpack_row row[2], uint64_t gate, uint64_t until)
{
    struct tensix *tx = s->tx;
    struct unpack_row *r = &row[s->word >> 23 & 1];
    s->cycle = max64(gate, tx->unit_free[UNIT_UNPACK]);
    if (s->cycle >= until)
        return false;
    s->cycle = unpack_row_when(s, r);
    if (s->cycle >= until)
        return false;
    if (tx->later_count != 0 && tx->later[0].cycle <= s->cycle) {
        tensix_settle(s->tile, tx, s->cycle);
        row[0].known = row[1].known = false;
    }
    if (UNLIKELY(vector_is_late(tx, s->cycle)))
        vector_settle(s->tile, tx, s->cycle);
    return unpack_row_do(s, r);
}

/* UNPACRs, each of which holds its thread and then waits for the unpacker, and what counts between them. */
static inline __attribute__((always_inline)) bool stream_unpack(tensix_step *s, stream_source source, unsigned count,
                                                                uint64_t until, struct stream_passes *passes)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    const uint64_t arrival = stream_arrival(t, source), newest = t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY];
    uint64_t gate = max64(arrival, t->gate_next), from = t->after_hold ? min64(max64(arrival, newest), gate) : gate;
    struct unpack_row row[2]; /* by WhichUnpacker */
    unsigned k = 0, unpacked = 0;
    row[0].known = row[1].known = false;
    count = (unsigned)min64(count, MOST_IN_A_ROW);
    s->pc = (source == STREAM_PLAY ? t->replay_pc : t->mop.pc) & ~(uint32_t)TENSIX_ENTRY_LAST;
    do {
        s->word = stream_word(t, source, passes, k);
        const struct tensix_dispatch *d = &tensix_dispatch[s->word >> 24];
        s->op = d->op;
        s->unit = d->unit;
        if (UNLIKELY((s->word & d->reserved) != 0))
            break;
        if (d->op == TENSIX_UNPACR) {
            if (!stream_unpack_one(s, row, gate, until))
                break;
            unpacked++;
            tx->unit_free[UNIT_UNPACK] = s->cycle + s->issue;
        } else {
            s->cycle = gate;
            if (gate >= until || !stream_counts(d->op))
                break;
            s->issue = d->issue;
            s->latency = d->latency;
            d->run(s);
            tx->issued[s->thread][UNIT_MISC]++;
            tx->ran[d->op]++;
        }
        if (from != gate)
            stream_was_held(s, d->unit, from, gate);
        if (s->cycle != gate)
            stream_waited(s, UNIT_UNPACK, s->cycle - gate, s->cycle);
        t->busy_until[d->unit] = max64(t->busy_until[d->unit], s->cycle + s->latency);
        passes->at[k++] = s->cycle;
        from = s->cycle + 1;
        gate = s->cycle + s->issue;
    } while (k != count && !(tx->yield | (tx->due != 0)));
    if (k == 0)
        return false;
    if (unpacked != 0) {
        tx->issued[s->thread][UNIT_UNPACK] += unpacked;
        tx->ran[TENSIX_UNPACR] += unpacked;
        served(tx, UNIT_UNPACK, s->thread);
    }
    stream_follow(t, source, k, k, passes);
    t->told = 0;
    s->cycle = passes->at[k - 1];
    t->gate_next = gate;
    t->after_hold = gate != s->cycle + 1;
    t->due = tensix_due_at(gate);
    return true;
}

static __attribute__((noinline)) bool stream_unpack_play(tensix_step *s, unsigned count, uint64_t until)
{
    struct stream_passes passes;
    return stream_unpack(s, STREAM_PLAY, count, until, &passes);
}

/* What comes out of a MOP; of one for the Matrix Unit also its playbacks. */
static __attribute__((noinline)) bool stream_mop(tensix_step *s, unsigned most, uint64_t until)
{
    struct tensix_thread *t = s->t;
    struct stream_passes passes;
    uint32_t first;
    if (max64(stream_arrival(t, STREAM_MOP), t->gate_next) >= until || !plan_first(t, &t->mop, &first))
        return false;
    const struct tensix_dispatch *d = &tensix_dispatch[first >> 24];
    if (d->op == TENSIX_UNPACR ? CHECKED(s->tile) : !stream_takes(s->tx, d, first))
        return false;
    const bool products = d->unit == UNIT_MATRIX, told = (t->waiting & ~(TENSIX_WAITS_PUSH | TENSIX_WAITS_GATE)) != 0;
    plan_make(t, most, !products ? PLAN_USUAL : told ? PLAN_PLAYBACKS : PLAN_ALL, &passes.plan);
    const unsigned count = passes.plan.count;
    if (count == 0)
        return false;
    const bool unpacks = opcode_of(first) == OPCODE_UNPACR ||
                         (!products && count > 1 && opcode_of(passes.plan.word[1]) == OPCODE_UNPACR);
    if (unpacks && !CHECKED(s->tile) && stream_unpack(s, STREAM_MOP, count, until, &passes))
        return true;
    return !t->after_hold && opcode_of(first) != OPCODE_UNPACR && stream_row(s, STREAM_MOP, count, until, &passes);
}

/* A MOP begins, with an instruction of the Matrix Unit that passes before `until`.  False: it is not so. */
static __attribute__((noinline)) bool stream_next_mop(tensix_step *s, uint64_t until)
{
    struct tensix_thread *t = s->t;
    const struct tensix_mop mop = mop_of_next(t);
    uint32_t first;
    if (!mop.active || t->after_hold || !plan_first(t, &mop, &first))
        return false;
    const struct tensix_dispatch *d = &tensix_dispatch[first >> 24];
    uint64_t m;
    const uint64_t r = stream_replay_at(t, &m), gate = max64(r + COST_TENSIX_GATE_STAGE, t->gate_next);
    if (d->unit != UNIT_MATRIX || max64(gate, s->tx->unit_free[UNIT_MATRIX]) >= until || !stream_takes(s->tx, d, first))
        return false;
    mop_begin(t, m);
    return stream_mop(s, UINT32_MAX, until);
}

/* True: something has passed. */
static inline bool stream(tensix_step *s, uint64_t until)
{
    unsigned count = 0;
    struct tensix_thread *t = s->t;
    const stream_source source = stream_of(t, &count);
    if (source != STREAM_NONE)
        mop_quiet_ends(t);
    if (source == STREAM_NEXT_MOP && stream_next_mop(s, until))
        return true;
    if (source == STREAM_MOP) {
        if (stream_mop(s, count, until))
            return true;
        const bool loops =
            t->mop.template_1 && t->mop.step == STEP_LOOP && stream_is_for_matrix(t, stream_loop_word(t));
        return loops && !t->after_hold && count > 1 && plan_played_by(stream_loop_word(t)) > 1 &&
               stream_replay(s, until);
    }
    if (source == STREAM_PLAY && opcode_of(t->replay[t->replay_index % REPLAY_ENTRIES]) == OPCODE_UNPACR) {
        count = t->replay_left - stream_ends_push(t);
        return count != 0 && !CHECKED(s->tile) && stream_unpack_play(s, count, until);
    }
    if (t->after_hold)
        return false;
    switch (source) {
    case STREAM_PLAY: return stream_play(s, count, until);
    case STREAM_FIFO: return stream_pushed(s, count, until);
    case STREAM_REPLAY: return stream_replay(s, until);
    case STREAM_PUSHED_REPLAY: return stream_pushed_replay(s, until);
    default: return false;
    }
}

#endif
