/* SPDX-License-Identifier: Apache-2.0 */
/* A row of instructions of one thread, the fast path beside comes_to_the_gate and go: while the replay expander plays, the MOP
 * expander is in its inner loop, or there are pushes, what comes next is known, and nobody is told when it has passed.  Each
 * passes one cycle behind the last, or three behind its push: the expanders, which are a stage or more ahead of the gate, never keep the second one of a row waiting.  So
 * units are handed their instructions first, and the stages before the gate follow in a loop of their own.  Cycles and state are
 * those of the plain path.  Included by run.c alone. */
#ifndef KERR_TENSIX_STREAM_H
#define KERR_TENSIX_STREAM_H

#include "tensix/frontend/push.h"
#include "tensix/issue.h"
#include "tensix/pack/row.h"
#include "tensix/unpack/row.h"
#include "tensix/vector/row.h"

enum { MOST_IN_A_ROW = 64 }; /* as many bits as tell who has waited */

/* The cycles in which the instructions of a row have passed the gate; of a playback the last three will do. */
struct stream_passes {
    uint64_t at[MOST_IN_A_ROW];
};

/* Where the words come from. */
typedef enum stream_source { STREAM_NONE, STREAM_PLAY, STREAM_LOOP, STREAM_FIFO, STREAM_REPLAY } stream_source;

/* What comes next out of an inner loop. */
static inline uint32_t stream_loop_word(const struct tensix_thread *t)
{
    const struct tensix_mop *mop = &t->mop;
    if (mop->position + 1u == mop->inner)
        return t->mop_cfg[mop->outer != 1 ? LOOP1_LAST : LOOP0_LAST];
    return t->mop_cfg[(mop->position & 1) && opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_NOP ? LOOP_OP1 : LOOP_OP];
}
/* How many a REPLAY plays back; 0: it is none, or does something else. */
static inline unsigned stream_played_by(uint32_t word)
{
    const unsigned count = bits(word, 9, 4);
    if (opcode_of(word) != OPCODE_REPLAY || (word & 1) || count > REPLAY_ENTRIES)
        return 0;
    return count % REPLAY_ENTRIES ? count % REPLAY_ENTRIES : REPLAY_ENTRIES;
}

/* What the thread could do in a row; *count: how many.  The last one of a push is left to the plain path: with it somebody may
 * be told.  So are the last ones of an expansion that RISCV Ti waits for: what is ahead of the gate need not be looked at. */
static inline stream_source stream_of(const struct tensix_thread *t, unsigned *count)
{
    if (t->gate_count != 0 || (t->waiting & TENSIX_WAITS_B) || t->auto_load != 0 || t->stall)
        return STREAM_NONE;
    const unsigned most = t->waiting != 0 ? mop_unannounced(t) : UINT32_MAX;
    if (most == 0)
        return STREAM_NONE;
    if (t->replay_mode == MODE_PLAY) {
        *count = t->replay_left - (t->replay_pc & TENSIX_ENTRY_LAST);
        return *count != 0 ? STREAM_PLAY : STREAM_NONE;
    }
    if (t->replay_mode != MODE_PASS || t->replay_count != 0)
        return STREAM_NONE;
    if (!t->mop.active) {
        *count = t->fifo_count;
        return *count > 1 && t->waiting == 0 ? STREAM_FIFO : STREAM_NONE;
    }
    if (!t->mop.template_1 || t->mop.step != STEP_LOOP)
        return STREAM_NONE;
    if (opcode_of(t->mop_cfg[LOOP_OP]) == OPCODE_REPLAY || opcode_of(t->mop_cfg[LOOP_OP1]) == OPCODE_REPLAY) {
        *count = most; /* playbacks, and one */
        return stream_played_by(stream_loop_word(t)) > 1 && most > 1 ? STREAM_REPLAY : STREAM_NONE;
    }
    *count = (unsigned)min64(t->mop.inner - t->mop.position - 1u, most);
    return *count != 0 ? STREAM_LOOP : STREAM_NONE;
}

/* Instructions have stood at the gate for `cycles` in all, because their unit was busy, and have passed, the last one in cycle
 * `until`. */
static inline void stream_waited(tensix_step *s, unsigned unit, uint64_t cycles, uint64_t until)
{
    struct tensix *tx = s->tx;
    s->t->stall_since = until;
    tx->stalled[s->thread][TENSIX_STALL_UNIT] += (uint32_t)cycles;
    tx->held[s->thread][unit] += (uint32_t)cycles;
    if (tx->stalled_threads == 0) {
        tx->any_stalled += (uint32_t)cycles;
        tx->any_since = until;
    }
}
/* One does so from s->cycle on, and passes then. */
static inline void stream_waits(tensix_step *s, unsigned unit, uint64_t cycles)
{
    stream_waited(s, unit, cycles, s->cycle + cycles);
    s->cycle += cycles;
}

static inline bool stream_takes(const struct tensix *tx, const struct tensix_dispatch *d, uint32_t word)
{
    return LIKELY(d->in_rows && !(d->unit == UNIT_CONFIG && tx->latched != 0)) &&
           (LIKELY((word & d->reserved) == 0) || tensix_reserved_set(word) == 0);
}

/* The k-th from now on; of pushes with its cycle. */
static inline uint32_t stream_word(const struct tensix_thread *t, stream_source source, unsigned k)
{
    if (source == STREAM_PLAY)
        return t->replay[(t->replay_index + k) % REPLAY_ENTRIES];
    if (source == STREAM_FIFO)
        return t->fifo[(t->fifo_head + k) % TENSIX_FIFO_CAPACITY].word;
    const bool second = ((t->mop.position + k) & 1) && opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_NOP;
    return t->mop_cfg[second ? LOOP_OP1 : LOOP_OP];
}
static inline const struct tensix_entry *stream_push(const struct tensix_thread *t, unsigned k)
{
    return &t->fifo[(t->fifo_head + k) % TENSIX_FIFO_CAPACITY];
}

/* Notes the passes of `count`, the k-th of a row being the first, from `cycle` on; bit i of `waited`: the i-th was held for a cycle
 * first. */
static inline void stream_note(struct stream_passes *passes, stream_source source, unsigned k, unsigned count,
                               uint64_t cycle, uint64_t waited)
{
    unsigned i = 0;
    if (source == STREAM_PLAY && count > 3) {
        i = count - 3;
        cycle += i + (unsigned)__builtin_popcountll(waited & ((UINT64_C(1) << i) - 1));
    }
    for (; i < count; i++) {
        cycle += waited >> i & 1;
        passes->at[k + i] = cycle++;
    }
}

/* What is next goes to the Vector Unit: with all that follows it there.  Returns how many it took. */
static inline unsigned stream_vector(tensix_step *s, stream_source source, unsigned k, unsigned count, uint64_t until,
                                     struct stream_passes *passes)
{
    const uint64_t begin = s->cycle;
    struct tensix_thread *t = s->t;
    struct vector_row row = {.words = t->replay, .first = t->replay_index + k, .mask = REPLAY_ENTRIES - 1};
    uint32_t pair[2];
    if (source == STREAM_LOOP) {
        pair[0] = stream_word(t, source, k);
        pair[1] = k + 1 < count ? stream_word(t, source, k + 1) : pair[0];
        row.words = pair, row.first = 0, row.mask = 1;
    }
    row.count = count - k;
    row.until = until;
    const unsigned taken = vector_run_row(s, &row);
    if (taken != 0) {
        stream_note(passes, source, k, taken, begin, row.waited);
        served(s->tx, UNIT_VECTOR, s->thread);
    }
    return taken;
}

/* The same for the packer. */
static inline unsigned stream_pack(tensix_step *s, stream_source source, unsigned k, unsigned count, uint64_t until,
                                   struct stream_passes *passes)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    struct pack_row row = {.words = t->replay, .first = t->replay_index + k, .mask = REPLAY_ENTRIES - 1};
    uint32_t pair[2];
    if (source == STREAM_LOOP) {
        pair[0] = stream_word(t, source, k);
        pair[1] = k + 1 < count ? stream_word(t, source, k + 1) : pair[0];
        row.words = pair, row.first = 0, row.mask = 1;
    }
    row.count = count - k;
    row.at = passes->at + k;
    /* What is due meanwhile comes first. */
    row.until = min64(until, tx->later_count != 0 ? tx->later[0].cycle : NEVER);
    row.until = min64(row.until, tx->vector_due != 0 ? tx->vector_due + 1 : NEVER);
    if (row.count < 2 || row.until <= s->cycle)
        return 0;
    const unsigned taken = pack_run_row(s, &row);
    if (taken == 0)
        return 0;
    if (row.waits != 0)
        stream_waited(s, UNIT_PACK, row.waits, row.waited_until);
    tx->unit_free[UNIT_PACK] = s->cycle + s->issue;
    t->busy_until[UNIT_PACK] = max64(t->busy_until[UNIT_PACK], s->cycle + s->latency);
    tx->issued[s->thread][UNIT_PACK] += taken;
    tx->ran[TENSIX_PACR] += taken;
    served(tx, UNIT_PACK, s->thread);
    s->cycle++;
    return taken;
}

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
        const uint32_t word = stream_word(t, source, k);
        const struct tensix_dispatch *d = &tensix_dispatch[word >> 24];
        const unsigned unit = d->unit;
        if (source == STREAM_FIFO) {
            s->pc = stream_push(t, k)->pc;
            s->cycle = max64(s->cycle, push_at_gate(stream_push(t, k)->cycle));
        }
        const uint64_t free = max64(s->cycle, tx->unit_free[unit]);
        if (UNLIKELY(free >= until) || !stream_takes(tx, d, word))
            break;
        if (free != s->cycle)
            stream_waits(s, unit, free - s->cycle);
        s->word = word;
        s->op = d->op;
        if (source != STREAM_FIFO && unit == UNIT_VECTOR && !CHECKED(s->tile)) {
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
        if (tx->later_count != 0 && tx->later[0].cycle <= s->cycle)
            tensix_settle(s->tile, tx, s->cycle);
        if (UNLIKELY(vector_is_late(tx, s->cycle)))
            vector_settle(s->tile, tx, s->cycle);
        k++;
        hook_unit_begins(s);
        *result = d->run(s);
        if (UNLIKELY(*result != STEP_RETIRED))
            break;
        hook_unit_done(s);
        if (unit != UNIT_MISC)
            tx->unit_free[unit] = s->cycle + s->issue;
        t->busy_until[unit] = max64(t->busy_until[unit], s->cycle + s->latency);
        tx->issued[s->thread][unit]++;
        tx->ran[d->op]++;
        if (d->port != PORT_NONE)
            served(tx, d->port, s->thread);
        passes->at[k - 1] = s->cycle++;
    } while (k != count && !(tx->yield | (tx->latched >> s->thread & 1) | (tx->due != 0)));
    return k;
}

/* The same of a playback: each stage takes one a cycle, or waits for the one behind it, and once it has waited it goes on as that one
 * does.  So the last ones say it all. */
static inline void stream_follow_play(struct tensix_thread *t, unsigned emitted, unsigned passed,
                                      const struct stream_passes *passes)
{
    _Static_assert(GATE_FIFO_CAPACITY == 2, "oldest and newest");
    const uint64_t oldest = t->passed[t->passed_at], newest = t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY];
    uint64_t r = max64(t->replay_next, oldest) + emitted - 1;
    if (emitted >= 2)
        r = max64(r, newest + emitted - 2);
    if (emitted >= 3) /* two places behind the gate: of those before the last one emitted, all have passed */
        r = max64(r, passes->at[emitted - 3] + 1);
    t->replay_next = r + 1;
    t->replay_index = (uint8_t)(t->replay_index + emitted);
    t->replay_left = (uint8_t)(t->replay_left - emitted);
    if (t->replay_left == 0) {
        t->replay_mode = MODE_PASS;
        span_ends(t, t->spans.replay_word, t->spans.replay_begin, r + 1);
    }
    if (passed == 0)
        return;
    t->gate_next = passes->at[passed - 1] + 1;
    t->passed_at = (uint8_t)((t->passed_at + passed) % GATE_FIFO_CAPACITY);
    t->passed[t->passed_at] = passed >= 2 ? passes->at[passed - 2] + 1 : newest;
    t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY] = t->gate_next;
}

/* The stages before the gate follow: `emitted` have left the expanders, of which `passed` have passed the gate. */
static inline void stream_follow(struct tensix_thread *t, stream_source source, unsigned emitted, unsigned passed,
                                 const struct stream_passes *passes)
{
    uint64_t r = t->replay_next - 1, m = t->mop_next - 1;
    if (source == STREAM_FIFO && t->mop.after)
        m += COST_TENSIX_MOP_TRANSITION;
    uint64_t oldest = t->passed[t->passed_at], newest = t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY];
    _Static_assert(GATE_FIFO_CAPACITY == 2, "oldest and newest");
    unsigned taken_at = t->taken_at;
    for (unsigned k = 0; k < emitted; k++) {
        r = max64(r + 1, oldest);
        m = max64(m + 1, t->taken[taken_at]);
        if (source == STREAM_FIFO)
            m = max64(m, stream_push(t, k)->cycle + COST_TENSIX_MOP_STAGE);
        r = max64(r, m + COST_TENSIX_REPLAY_STAGE);
        t->taken[taken_at] = r + 1;
        taken_at = (taken_at + 1) % REPLAY_FIFO_CAPACITY;
        if (k < passed) {
            oldest = newest;
            newest = passes->at[k] + 1;
        }
    }
    t->replay_next = r + 1;
    t->mop.after = false;
    t->mop_next = m + 1;
    t->taken_at = (uint8_t)taken_at;
    if (source == STREAM_LOOP)
        t->mop.position = (uint16_t)(t->mop.position + emitted);
    if (source == STREAM_FIFO) {
        t->fifo_head = (uint8_t)((t->fifo_head + emitted) % TENSIX_FIFO_CAPACITY);
        t->fifo_count = (uint8_t)(t->fifo_count - emitted);
        t->in_flight = (uint8_t)(t->in_flight - passed);
    }
    if (passed != 0)
        t->gate_next = newest;
    t->passed_at = (uint8_t)((t->passed_at + passed) % GATE_FIFO_CAPACITY);
    t->passed[t->passed_at] = oldest;
    t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY] = newest;
}

/* The cycle in which the next one is at the gate. */
static inline uint64_t stream_arrival(const struct tensix_thread *t, stream_source source)
{
    uint64_t r = max64(t->replay_next, t->passed[t->passed_at]);
    if (source != STREAM_PLAY) {
        uint64_t m = max64(t->mop_next, t->taken[t->taken_at]);
        if (source == STREAM_FIFO)
            m = max64(max64(t->mop_next + (t->mop.after ? COST_TENSIX_MOP_TRANSITION : 0), m),
                      stream_push(t, 0)->cycle + COST_TENSIX_MOP_STAGE);
        r = max64(r, m + COST_TENSIX_REPLAY_STAGE);
    }
    return r + COST_TENSIX_GATE_STAGE;
}

/* Passes what it can of `count` instructions in cycles before `until`.  False: there was nothing for it. */
static inline __attribute__((always_inline)) bool stream_row(tensix_step *s, stream_source source, unsigned count,
                                                             uint64_t until)
{
    struct tensix_thread *t = s->t;
    const uint32_t word = stream_word(t, source, 0);
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
    struct stream_passes passes;
    const unsigned emitted = stream_hand_out(s, source, (unsigned)min64(count, MOST_IN_A_ROW), until, &result, &passes);
    const unsigned passed = emitted - (result != STEP_RETIRED);
    if (source == STREAM_PLAY)
        stream_follow_play(t, emitted, passed, &passes);
    else
        stream_follow(t, source, emitted, passed, &passes);
    if (passed != 0)
        t->told = 0;
    if (UNLIKELY(result != STEP_RETIRED)) {
        s->came = t->replay_next - 1 + COST_TENSIX_GATE_STAGE;
        s->fresh = true;
        stays(s, result);
    } else {
        s->cycle = t->gate_next - 1; /* that of the last one */
        t->due = tensix_due_at(t->gate_next);
    }
    return true;
}

static __attribute__((noinline)) bool stream_play(tensix_step *s, unsigned count, uint64_t until)
{
    return stream_row(s, STREAM_PLAY, count, until);
}

/* When a playback begins that comes out of a loop next: the cycles in which it leaves both expanders. */
static inline uint64_t stream_replay_at(const struct tensix_thread *t, uint64_t *m)
{
    *m = max64(t->mop_next, t->taken[t->taken_at]);
    return max64(max64(t->replay_next, t->passed[t->passed_at]), *m + COST_TENSIX_REPLAY_STAGE);
}
/* It begins then (replay_take). */
static inline void stream_begin_replay(struct tensix_thread *t, uint32_t word, uint64_t m, uint64_t r)
{
    struct tensix_entry e;
    expand_mop(t, m, &e);
    t->taken[t->taken_at] = r + 1;
    t->taken_at = (uint8_t)((t->taken_at + 1u) % REPLAY_FIFO_CAPACITY);
    t->spans.replay_begin = r;
    t->spans.replay_word = word;
    t->replay_index = (uint8_t)(bits(word, 23, 14) % REPLAY_ENTRIES);
    t->replay_left = (uint8_t)stream_played_by(word);
    t->replay_mode = MODE_PLAY;
    t->replay_pc = e.pc;
    t->replay_next = r; /* in which the first one is given out too */
}

/* Whole playbacks of instructions of the Vector Unit, the first of which passes in cycle `gate`, up to the last but one of the loop.
 * False: there is none. */
static inline bool stream_playbacks(tensix_step *s, uint32_t word, unsigned most, uint64_t gate, uint64_t until)
{
    struct tensix_thread *t = s->t;
    const bool alternate = opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_NOP && t->mop_cfg[LOOP_OP1] != t->mop_cfg[LOOP_OP];
    struct vector_row row = {.words = t->replay,
                             .first = bits(word, 23, 14) % REPLAY_ENTRIES,
                             .mask = REPLAY_ENTRIES - 1,
                             .count = stream_played_by(word),
                             .times = (unsigned)min64(t->mop.inner - t->mop.position - 1u, most),
                             .until = until};
    if (alternate || row.times == 0)
        return false;
    s->cycle = gate;
    const unsigned times = vector_run_playbacks(s, &row);
    if (times == 0)
        return false;
    served(s->tx, UNIT_VECTOR, s->thread);
    for (unsigned i = 0; i < times; i++) {
        uint64_t m;
        const uint64_t r = stream_replay_at(t, &m);
        stream_begin_replay(t, word, m, r);
        struct stream_passes passes;
        stream_note(&passes, STREAM_PLAY, 0, row.count, i == 0 ? gate : t->gate_next,
                    row.waited | (i == 0 ? row.held : row.held_again));
        stream_follow_play(t, row.count, row.count, &passes);
    }
    t->told = 0;
    s->cycle = t->gate_next - 1;
    t->due = tensix_due_at(t->gate_next);
    return true;
}

/* A loop of playbacks: the next one begins, and what it plays is a row, if the first of it passes in time. */
static __attribute__((noinline)) bool stream_replay(tensix_step *s, unsigned most, uint64_t until)
{
    struct tensix_thread *t = s->t;
    const uint32_t word = stream_loop_word(t), first = t->replay[bits(word, 23, 14) % REPLAY_ENTRIES];
    const struct tensix_dispatch *d = &tensix_dispatch[first >> 24];
    uint64_t m;
    const uint64_t r = stream_replay_at(t, &m), gate = max64(r + COST_TENSIX_GATE_STAGE, t->gate_next);
    const uint64_t free = s->tx->unit_free[d->unit];
    if (max64(gate, free) >= until || !stream_takes(s->tx, d, first))
        return false;
    s->op = d->op;
    if (d->unit == UNIT_VECTOR && free <= gate && !CHECKED(s->tile) && stream_playbacks(s, word, most - 1, gate, until))
        return true;
    stream_begin_replay(t, word, m, r);
    return stream_play(s, t->replay_left - (t->replay_pc & TENSIX_ENTRY_LAST), until);
}

static __attribute__((noinline)) bool stream_pushed(tensix_step *s, unsigned count, uint64_t until)
{
    return stream_row(s, STREAM_FIFO, count, until);
}

static __attribute__((noinline)) bool stream_loop(tensix_step *s, unsigned count, uint64_t until)
{
    return stream_row(s, STREAM_LOOP, count, until);
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
    tx->stalled[s->thread][TENSIX_STALL_SCALAR] += (uint32_t)(to - from);
    tx->held[s->thread][unit] += (uint32_t)(to - from);
    s->t->stall_since = to;
    s->t->after_hold = false;
}

/* UNPACRs, each of which holds its thread and then waits for the unpacker. */
static __attribute__((noinline)) bool stream_unpack(tensix_step *s, stream_source source, unsigned count,
                                                    uint64_t until)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    const struct tensix_dispatch *d = &tensix_dispatch[OPCODE_UNPACR];
    const uint64_t arrival = stream_arrival(t, source), newest = t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY];
    uint64_t gate = max64(arrival, t->gate_next), from = t->after_hold ? min64(max64(arrival, newest), gate) : gate;
    struct stream_passes passes;
    struct unpack_row row[2]; /* by WhichUnpacker */
    unsigned k = 0;
    row[0].known = row[1].known = false;
    count = (unsigned)min64(count, MOST_IN_A_ROW);
    s->pc = (source == STREAM_PLAY ? t->replay_pc : t->mop.pc) & ~(uint32_t)TENSIX_ENTRY_LAST;
    s->op = d->op;
    s->unit = d->unit;
    do {
        s->word = stream_word(t, source, k);
        s->cycle = max64(gate, tx->unit_free[UNIT_UNPACK]);
        if (opcode_of(s->word) != OPCODE_UNPACR || (s->word & d->reserved) != 0 || s->cycle >= until)
            break;
        struct unpack_row *r = &row[s->word >> 23 & 1];
        s->cycle = unpack_row_when(s, r);
        if (s->cycle >= until)
            break;
        if (tx->later_count != 0 && tx->later[0].cycle <= s->cycle) {
            tensix_settle(s->tile, tx, s->cycle);
            row[0].known = row[1].known = false;
        }
        if (UNLIKELY(vector_is_late(tx, s->cycle)))
            vector_settle(s->tile, tx, s->cycle);
        if (!unpack_row_do(s, r))
            break;
        if (from != gate)
            stream_was_held(s, UNIT_UNPACK, from, gate);
        if (s->cycle != gate)
            stream_waited(s, UNIT_UNPACK, s->cycle - gate, s->cycle);
        tx->unit_free[UNIT_UNPACK] = s->cycle + s->issue;
        t->busy_until[UNIT_UNPACK] = max64(t->busy_until[UNIT_UNPACK], s->cycle + s->latency);
        passes.at[k++] = s->cycle;
        from = s->cycle + 1;
        gate = s->cycle + s->issue;
    } while (k != count && !(tx->yield | (tx->due != 0)));
    if (k == 0)
        return false;
    tx->issued[s->thread][UNIT_UNPACK] += k;
    tx->ran[TENSIX_UNPACR] += k;
    served(tx, UNIT_UNPACK, s->thread);
    if (source == STREAM_PLAY)
        stream_follow_play(t, k, k, &passes);
    else
        stream_follow(t, source, k, k, &passes);
    t->told = 0;
    s->cycle = passes.at[k - 1];
    t->gate_next = gate;
    t->after_hold = gate != s->cycle + 1;
    t->due = tensix_due_at(gate);
    return true;
}

/* True: something has passed. */
static inline bool stream(tensix_step *s, uint64_t until)
{
    unsigned count;
    const stream_source source = stream_of(s->t, &count);
    if ((source == STREAM_PLAY || source == STREAM_LOOP) && opcode_of(stream_word(s->t, source, 0)) == OPCODE_UNPACR)
        return !CHECKED(s->tile) && stream_unpack(s, source, count, until);
    if (s->t->after_hold)
        return false;
    switch (source) {
    case STREAM_PLAY: return stream_play(s, count, until);
    case STREAM_LOOP: return stream_loop(s, count, until);
    case STREAM_FIFO: return stream_pushed(s, count, until);
    case STREAM_REPLAY: return stream_replay(s, count, until);
    default: return false;
    }
}

#endif
