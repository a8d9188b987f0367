/* SPDX-License-Identifier: Apache-2.0 */
/* Rows (stream.h): where their words come from, in which cycles they pass.  Included by run.c alone. */
#ifndef KERR_TENSIX_STREAM_SOURCE_H
#define KERR_TENSIX_STREAM_SOURCE_H

#include "tensix/frontend/plan.h"
#include "tensix/frontend/push.h"
#include "tensix/issue.h"

enum { MOST_IN_A_ROW = 64 }; /* as many bits as tell who has waited */

/* The cycles in which the instructions of a row have passed the gate; of a playback the last three will do.  What they are, if they
 * come out of a MOP or were pushed; these: the cycle in which each can be at the gate, if that does not follow from the ones before it. */
struct stream_passes {
    uint64_t at[MOST_IN_A_ROW];
    struct expansion_plan plan;
    uint64_t gate[MOST_IN_A_ROW];
};

/* Where the words come from. */
typedef enum stream_source {
    STREAM_NONE,
    STREAM_PLAY,
    STREAM_MOP,
    STREAM_FIFO,
    STREAM_REPLAY,
    STREAM_PUSHED_REPLAY,
    STREAM_NEXT_MOP
} stream_source;

/* What comes next out of an inner loop. */
static inline uint32_t stream_loop_word(const struct tensix_thread *t)
{
    const struct tensix_mop *mop = &t->mop;
    if (mop->position + 1u == mop->inner)
        return t->mop_cfg[mop->outer != 1 ? LOOP1_LAST : LOOP0_LAST];
    return t->mop_cfg[(mop->position & 1) && opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_NOP ? LOOP_OP1 : LOOP_OP];
}
/* Whether what comes next is a MOP of template 1. */
static inline bool stream_is_mop(const struct tensix_thread *t)
{
    const uint32_t word = t->fifo[t->fifo_head].word;
    return t->fifo_count != 0 && opcode_of(word) == OPCODE_MOP && bits(word, 23, 23) != 0;
}
/* Whether what comes next is a MOP whose first words are playbacks, of which the first one is not the last. */
static inline bool stream_begins_with_playbacks(const struct tensix_thread *t)
{
    const uint32_t word = t->fifo[t->fifo_head].word;
    if (!stream_is_mop(t) || (t->waiting & TENSIX_WAITS_MOP) || opcode_of(t->mop_cfg[LOOP_OP]) != OPCODE_REPLAY)
        return false;
    const uint32_t inner = bits(word, 9, 0) != 0 ? bits(word, 9, 0) : t->mop_cfg[INNER_COUNT] & 127;
    const uint32_t outer = bits(word, 19, 10) != 0 ? bits(word, 19, 10) : t->mop_cfg[OUTER_COUNT] & 127;
    return inner > 1 && outer != 0 && opcode_of(t->mop_cfg[START_OP]) == OPCODE_NOP &&
           plan_played_by(t->mop_cfg[LOOP_OP]) > 1;
}

/* Whether a word, or what a playback begins with, is for the Matrix Unit. */
static inline bool stream_is_for_matrix(const struct tensix_thread *t, uint32_t word)
{
    if (opcode_of(word) == OPCODE_REPLAY)
        word = t->replay[bits(word, 23, 14) % REPLAY_ENTRIES];
    return tensix_dispatch[word >> 24].unit == UNIT_MATRIX;
}

/* Whether nobody waits for more than room in the FIFO, which one that is the last of its push makes. */
static inline bool stream_may_end(const struct tensix_thread *t)
{
    return (t->waiting & ~(unsigned)(TENSIX_WAITS_PUSH | TENSIX_WAITS_GATE)) == 0;
}

/* Whether a playback is a push of its own, or the end of one: somebody may wait for its last word. */
static inline unsigned stream_ends_push(const struct tensix_thread *t)
{
    return (t->replay_pc & (TENSIX_ENTRY_LAST | TENSIX_ENTRY_BY_B)) != 0;
}

/* Whether all that is before the replay expander was pushed by RISCV Ti, and no MOP is behind it. */
static inline bool stream_is_of_pushes(const struct tensix_thread *t)
{
    bool pushes = !t->mop.active;
    for (unsigned i = 0; i < t->replay_count; i++)
        pushes &= t->replay_fifo[(t->replay_head + i) % REPLAY_FIFO_CAPACITY].pc & TENSIX_ENTRY_LAST;
    return pushes;
}

/* What the thread could do in a row; *count: how many.  The last one of a push is left to the plain path if with it somebody may be told
 * who waits for something else than room.  So are the last ones of an expansion that RISCV Ti waits for: what is ahead of the gate need
 * not be looked at. */
static inline stream_source stream_of(const struct tensix_thread *t, unsigned *count)
{
    if (t->gate_count != 0 || (t->waiting & TENSIX_WAITS_B) || t->auto_load != 0 || t->stall)
        return STREAM_NONE;
    const unsigned most = t->waiting != 0 ? mop_unannounced(t) : UINT32_MAX;
    if (most == 0)
        return STREAM_NONE;
    if (t->replay_mode == MODE_PLAY) {
        *count = t->replay_left - (stream_may_end(t) ? 0 : stream_ends_push(t));
        return *count != 0 ? STREAM_PLAY : STREAM_NONE;
    }
    const bool records = t->replay_mode == MODE_LOAD_EXEC;
    if (t->replay_mode != MODE_PASS && !records)
        return STREAM_NONE;
    if (records || t->replay_count != 0) {
        const unsigned pushes = (unsigned)t->replay_count + t->fifo_count;
        *count = records && t->replay_left < pushes ? t->replay_left : pushes;
        return *count > 1 && t->waiting == 0 && stream_is_of_pushes(t) ? STREAM_FIFO : STREAM_NONE;
    }
    if (!t->mop.active) {
        *count = UINT32_MAX;
        if (stream_is_mop(t) && !(t->waiting & TENSIX_WAITS_MOP) && stream_is_for_matrix(t, t->mop_cfg[LOOP_OP]))
            return STREAM_NEXT_MOP;
        if (stream_begins_with_playbacks(t))
            return STREAM_REPLAY;
        if (t->fifo_count != 0 && plan_played_by(t->fifo[t->fifo_head].word) > 1 && stream_may_end(t))
            return STREAM_PUSHED_REPLAY;
        *count = t->fifo_count;
        return *count > 1 && t->waiting == 0 ? STREAM_FIFO : STREAM_NONE;
    }
    *count = most;
    if (!t->mop.template_1 || t->mop.step != STEP_LOOP ||
        (opcode_of(t->mop_cfg[LOOP_OP]) != OPCODE_REPLAY && opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_REPLAY))
        return STREAM_MOP;
    const uint32_t word = stream_loop_word(t);
    if (opcode_of(word) != OPCODE_REPLAY || stream_is_for_matrix(t, word))
        return STREAM_MOP;
    return plan_played_by(word) > 1 && most > 1 ? STREAM_REPLAY : STREAM_NONE; /* playbacks, and one */
}

/* Instructions have stood at the gate for `cycles` in all, because their unit was busy, and have passed, the last one in cycle
 * `until`. */
static inline void stream_waited(tensix_step *s, unsigned unit, uint64_t cycles, uint64_t until)
{
    struct tensix *tx = s->tx;
    s->t->stall_since = until;
    counts_add(tx, s->thread, unit, TENSIX_STALL_UNIT, (uint32_t)cycles);
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

/* The k-th push from now on: what has come through the MOP expander is first. */
static inline const struct tensix_entry *stream_push(const struct tensix_thread *t, unsigned k)
{
    if (k < t->replay_count)
        return &t->replay_fifo[(t->replay_head + k) % REPLAY_FIFO_CAPACITY];
    return &t->fifo[(t->fifo_head + k - t->replay_count) % TENSIX_FIFO_CAPACITY];
}
/* The k-th word from now on. */
static inline uint32_t stream_word(const struct tensix_thread *t, stream_source source,
                                   const struct stream_passes *passes, unsigned k)
{
    return source == STREAM_PLAY ? t->replay[(t->replay_index + k) % REPLAY_ENTRIES] : passes->plan.word[k];
}
/* When the next push can leave the MOP expander, if there are others behind it that have. */
static inline uint64_t stream_leaves_mop_expander(const struct tensix_thread *t)
{
    const uint64_t next = t->mop_next + (t->mop.after ? COST_TENSIX_MOP_TRANSITION : 0);
    return max64(next, t->taken[(t->taken_at + t->replay_count) % REPLAY_FIFO_CAPACITY]);
}
/* The pushes that could pass before `until`, `count` at most, up to the first for a unit that is not one of `units`: how many. */
static inline unsigned stream_gather(const struct tensix_thread *t, unsigned count, uint64_t until, unsigned units,
                                     struct stream_passes *passes)
{
    enum { REPLAY_TO_GATE = COST_TENSIX_REPLAY_STAGE + COST_TENSIX_GATE_STAGE };
    unsigned k = 0;
    for (; k < count && k < MOST_IN_A_ROW; k++) {
        const struct tensix_entry *e = stream_push(t, k);
        uint64_t gate = k < t->replay_count ? e->cycle + REPLAY_TO_GATE : push_at_gate(e->cycle);
        if (k == t->replay_count)
            gate = max64(gate, stream_leaves_mop_expander(t) + REPLAY_TO_GATE);
        if (gate >= until || !(units >> tensix_dispatch[e->word >> 24].unit & 1))
            break;
        passes->gate[k] = gate;
        passes->plan.word[k] = e->word;
    }
    return k;
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

#endif
