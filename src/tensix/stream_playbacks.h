/* SPDX-License-Identifier: Apache-2.0 */
/* Rows (stream.h): loops of playbacks, of which the Vector Unit takes whole ones.  Included by run.c alone. */
#ifndef KERR_TENSIX_STREAM_PLAYBACKS_H
#define KERR_TENSIX_STREAM_PLAYBACKS_H

#include "tensix/stream_stages.h"
#include "tensix/stream_units.h"

/* When a playback begins that comes out of a loop next, or out of a MOP that is next: the cycles in which it leaves both
 * expanders. */
static inline uint64_t stream_replay_at(const struct tensix_thread *t, uint64_t *m)
{
    *m = LIKELY(t->mop.active) ? max64(t->mop_next, t->taken[t->taken_at]) : mop_next_cycle(t);
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
    t->replay_left = (uint8_t)plan_played_by(word);
    t->replay_mode = MODE_PLAY;
    t->replay_pc = e.pc;
    t->replay_next = r; /* in which the first one is given out too */
}

/* How many iterations the inner loop has of the MOP that is in the expander or comes next (begin_1 in mop_expander.c). */
static inline unsigned stream_inner(const struct tensix_thread *t)
{
    if (t->mop.active)
        return t->mop.inner;
    const uint32_t own = bits(t->fifo[t->fifo_head].word, 9, 0);
    return (own != 0 ? own : t->mop_cfg[INNER_COUNT] & 127) * (opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_NOP ? 2 : 1);
}

/* The stages before the gate follow so many playbacks, none of them the last one of its loop, whose first instruction has passed in
 * cycle `gate`: stream_begin_replay and stream_follow_play for each. */
static inline void stream_follow_playbacks(struct tensix_thread *t, uint32_t word, const struct vector_row *row,
                                           unsigned times, uint64_t gate)
{
    const unsigned count = row->count; /* at least 2 */
    const unsigned before =
        1 + (unsigned)(row->waited >> (count - 1) & 1); /* cycles from the last but one to the last one */
    const unsigned third = before + 1 + (unsigned)(row->waited >> (count - 2) & 1);
    uint64_t oldest = t->passed[t->passed_at], newest = t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY], begin = 0;
    uint64_t next = t->replay_next;
    struct tensix_entry e;
    for (unsigned i = 0; i < times; i++) {
        uint64_t m;
        t->replay_next = next;
        t->passed[t->passed_at] = oldest;
        begin = stream_replay_at(t, &m);
        if (UNLIKELY(!t->mop.active)) {
            mop_take(t, m, &e);
        } else {
            t->mop.position++;
            t->mop_next = m + 1;
        }
        t->taken[t->taken_at] = begin + 1;
        t->taken_at = (uint8_t)((t->taken_at + 1u) % REPLAY_FIFO_CAPACITY);
        const uint64_t last = gate + count - 1 + row->waits + (i == 0 ? row->held : row->held_again);
        uint64_t r = max64(begin + count - 1, newest + count - 2);
        if (count >= 3)
            r = max64(r, last - third + 1);
        next = r + 1;
        oldest = last - before + 1;
        newest = gate = last + 1;
        span_ends(t, word, begin, next);
    }
    t->mop.after = false;
    t->replay_next = next;
    t->replay_index = (uint8_t)(row->first + count);
    t->replay_pc = t->mop.pc & ~(uint32_t)TENSIX_ENTRY_LAST;
    t->spans.replay_begin = begin;
    t->spans.replay_word = word;
    t->gate_next = newest;
    t->passed_at = (uint8_t)((t->passed_at + times * count) % GATE_FIFO_CAPACITY);
    t->passed[t->passed_at] = oldest;
    t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY] = newest;
}

/* Whole playbacks of instructions of the Vector Unit, the first of which passes in cycle `gate`, up to the last but one of the loop.
 * False: there is none. */
static inline bool stream_playbacks(tensix_step *s, uint32_t word, unsigned most, uint64_t gate, uint64_t until)
{
    struct tensix_thread *t = s->t;
    const bool alternate = opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_NOP && t->mop_cfg[LOOP_OP1] != t->mop_cfg[LOOP_OP];
    const unsigned position = t->mop.active ? t->mop.position : 0;
    struct vector_row row = {.words = t->replay,
                             .first = bits(word, 23, 14) % REPLAY_ENTRIES,
                             .mask = REPLAY_ENTRIES - 1,
                             .count = plan_played_by(word),
                             .times = (unsigned)min64(stream_inner(t) - position - 1u, most),
                             .until = until};
    if (alternate || row.times == 0)
        return false;
    s->cycle = gate;
    const unsigned times = vector_run_playbacks(s, &row);
    if (times == 0)
        return false;
    served(s->tx, UNIT_VECTOR, s->thread);
    if (row.counted != 0)
        served(s->tx, UNIT_MATRIX, s->thread);
    stream_follow_playbacks(t, word, &row, times, gate);
    t->told = 0;
    s->cycle = t->gate_next - 1;
    t->due = tensix_due_at(t->gate_next);
    return true;
}

#endif
