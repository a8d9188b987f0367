/* SPDX-License-Identifier: Apache-2.0 */
/* Rows (stream.h): the stages before the gate.  Included by run.c alone. */
#ifndef KERR_TENSIX_STREAM_STAGES_H
#define KERR_TENSIX_STREAM_STAGES_H

#include "tensix/stream_source.h"

/* The gate itself: `passed` have, `newest` is when the last one before them did. */
static inline void stream_follow_gate(struct tensix_thread *t, unsigned passed, const struct stream_passes *passes,
                                      uint64_t newest)
{
    if (passed == 0)
        return;
    t->gate_next = passes->at[passed - 1] + 1;
    t->passed_at = (uint8_t)((t->passed_at + passed) % GATE_FIFO_CAPACITY);
    t->passed[t->passed_at] = passed >= 2 ? passes->at[passed - 2] + 1 : newest;
    t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY] = t->gate_next;
}

/* The stages before the gate follow a playback: each takes one a cycle, or waits for the one behind it, and once it has waited it
 * goes on as that one does.  So the last ones say it all. */
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
    stream_follow_gate(t, passed, passes, newest);
}

/* A playback of a plan begins in cycle r, and so many of it come out; last: it is the last word of its MOP. */
static inline void stream_follow_replay(struct tensix_thread *t, uint32_t word, uint64_t r, unsigned count, bool last)
{
    const unsigned played = plan_played_by(word);
    const bool ends = count >= played;
    t->spans.replay_begin = r;
    t->spans.replay_word = word;
    t->replay_index = (uint8_t)(bits(word, 23, 14) % REPLAY_ENTRIES + (ends ? played : count));
    t->replay_left = (uint8_t)(ends ? 0 : played - count);
    t->replay_mode = ends ? MODE_PASS : MODE_PLAY;
    t->replay_pc = last ? t->mop.pc : t->mop.pc & ~(uint32_t)TENSIX_ENTRY_LAST;
}

/* When the k-th of a row leaves the replay expander, the first one in r0: nothing but the gate keeps the others waiting.  newest: when
 * the last one before the row left the gate FIFO. */
static inline uint64_t stream_leaves(const struct stream_passes *passes, uint64_t r0, uint64_t newest, unsigned k)
{
    return k == 0 ? r0 : max64(r0 + k, k == 1 ? newest : passes->at[k - 2] + 1);
}

/* The playbacks of a plan. */
static inline void stream_follow_replays(struct tensix_thread *t, unsigned emitted, const struct stream_passes *passes,
                                         uint64_t r0, uint64_t newest)
{
    const uint64_t all = emitted < PLAN_MOST ? (UINT64_C(1) << emitted) - 1 : UINT64_MAX;
    for (uint64_t left = passes->plan.begins & all; left != 0; left &= left - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(left), end = k + plan_played_by(passes->plan.replay[k]);
        const bool last = !passes->plan.mop.active && end >= passes->plan.count;
        stream_follow_replay(t, passes->plan.replay[k], stream_leaves(passes, r0, newest, k), emitted - k, last);
        if (end <= emitted)
            span_ends(t, t->spans.replay_word, t->spans.replay_begin, stream_leaves(passes, r0, newest, end - 1) + 1);
    }
}

/* The MOP expander, and the FIFO behind it, which has eight places: `count` have left it, the rest is of playbacks. */
static inline void stream_follow_expander(struct tensix_thread *t, unsigned emitted, unsigned count,
                                          const struct stream_passes *passes, uint64_t r0, uint64_t newest)
{
    const unsigned at = t->taken_at, known = count < REPLAY_FIFO_CAPACITY ? count : REPLAY_FIFO_CAPACITY;
    uint64_t m = t->mop_next + count - 1;
    for (unsigned i = 0; i < known; i++)
        m = max64(m, t->taken[(at + i) % REPLAY_FIFO_CAPACITY] + count - 1 - i);
    unsigned k = emitted;
    for (unsigned i = 1; i <= known; i++) { /* from the last one back */
        do
            k--;
        while (passes->plan.continues >> k & 1);
        t->taken[(at + count - i) % REPLAY_FIFO_CAPACITY] = stream_leaves(passes, r0, newest, k) + 1;
    }
    if (count > REPLAY_FIFO_CAPACITY) {
        do
            k--;
        while (passes->plan.continues >> k & 1);
        m = max64(m, stream_leaves(passes, r0, newest, k) + 1); /* the last one has its place */
    }
    t->mop_next = m + 1;
    t->taken_at = (uint8_t)((at + count) % REPLAY_FIFO_CAPACITY);
}

/* The stages before the gate follow a MOP. */
static inline void stream_follow_mop(struct tensix_thread *t, unsigned emitted, unsigned passed,
                                     const struct stream_passes *passes)
{
    const struct expansion_plan *plan = &passes->plan;
    const uint64_t oldest = t->passed[t->passed_at], newest = t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY];
    const uint64_t m0 = max64(t->mop_next, t->taken[t->taken_at]);
    const uint64_t r0 = max64(max64(t->replay_next, oldest), m0 + COST_TENSIX_REPLAY_STAGE);
    unsigned count = emitted;
    if (UNLIKELY(plan->begins != 0)) {
        const uint64_t all = emitted < PLAN_MOST ? (UINT64_C(1) << emitted) - 1 : UINT64_MAX;
        count -= (unsigned)__builtin_popcountll(plan->continues & all);
        stream_follow_replays(t, emitted, passes, r0, newest);
    }
    stream_follow_expander(t, emitted, count, passes, r0, newest);
    t->replay_next = stream_leaves(passes, r0, newest, emitted - 1) + 1;
    plan_follow(t, plan, emitted);
    t->mop.after = !t->mop.active;
    if (t->mop.after)
        span_ends(t, t->spans.mop_word, t->spans.mop_begin, t->mop_next);
    stream_follow_gate(t, passed, passes, newest);
}

/* What comes out of the replay expander, the last one in cycle r, it also records (replay_take). */
static inline void stream_record(struct tensix_thread *t, unsigned emitted, uint64_t r)
{
    for (unsigned k = 0; k < emitted; k++)
        t->replay[t->replay_index++ % REPLAY_ENTRIES] = stream_push(t, k)->word;
    t->replay_left = (uint8_t)(t->replay_left - emitted);
    if (t->replay_left == 0) {
        t->replay_mode = MODE_PASS;
        span_ends(t, t->spans.replay_word, t->spans.replay_begin, r + 1);
    }
}

/* The stages before the gate follow pushes: `emitted` have left the expanders, of which `passed` have passed the gate. */
static inline void stream_follow_pushes(struct tensix_thread *t, unsigned emitted, unsigned passed,
                                        const struct stream_passes *passes)
{
    uint64_t r = t->replay_next - 1, m = t->mop_next - 1;
    if (t->mop.after)
        m += COST_TENSIX_MOP_TRANSITION;
    uint64_t oldest = t->passed[t->passed_at], newest = t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY];
    _Static_assert(GATE_FIFO_CAPACITY == 2, "oldest and newest");
    unsigned taken_at = t->taken_at;
    const unsigned queued = t->replay_count < emitted ? t->replay_count : emitted, fresh = emitted - queued;
    for (unsigned k = 0; k < emitted; k++) {
        r = max64(r + 1, oldest);
        uint64_t came = stream_push(t, k)->cycle;
        if (k >= queued)
            came = m = max64(max64(m + 1, t->taken[taken_at]), came + COST_TENSIX_MOP_STAGE);
        r = max64(r, came + COST_TENSIX_REPLAY_STAGE);
        t->taken[taken_at] = r + 1;
        taken_at = (taken_at + 1) % REPLAY_FIFO_CAPACITY;
        if (k < passed) {
            oldest = newest;
            newest = passes->at[k] + 1;
        }
    }
    t->replay_next = r + 1;
    if (t->replay_mode == MODE_LOAD_EXEC)
        stream_record(t, emitted, r);
    if (fresh != 0) {
        t->mop.after = false;
        t->mop_next = m + 1;
    }
    t->taken_at = (uint8_t)taken_at;
    t->replay_head = (uint8_t)((t->replay_head + queued) % REPLAY_FIFO_CAPACITY);
    t->replay_count = (uint8_t)(t->replay_count - queued);
    t->fifo_head = (uint8_t)((t->fifo_head + fresh) % TENSIX_FIFO_CAPACITY);
    t->fifo_count = (uint8_t)(t->fifo_count - fresh);
    t->in_flight = (uint8_t)(t->in_flight - passed);
    if (passed != 0)
        t->gate_next = newest;
    t->passed_at = (uint8_t)((t->passed_at + passed) % GATE_FIFO_CAPACITY);
    t->passed[t->passed_at] = oldest;
    t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY] = newest;
}

static inline void stream_follow(struct tensix_thread *t, stream_source source, unsigned emitted, unsigned passed,
                                 const struct stream_passes *passes)
{
    if (source == STREAM_PLAY)
        stream_follow_play(t, emitted, passed, passes);
    else if (source == STREAM_MOP)
        stream_follow_mop(t, emitted, passed, passes);
    else
        stream_follow_pushes(t, emitted, passed, passes);
}

/* The cycle in which the next one is at the gate. */
static inline uint64_t stream_arrival(const struct tensix_thread *t, stream_source source)
{
    uint64_t r = max64(t->replay_next, t->passed[t->passed_at]);
    if (source != STREAM_PLAY) {
        uint64_t m = max64(t->mop_next, t->taken[t->taken_at]);
        if (source == STREAM_FIFO && t->replay_count != 0)
            m = stream_push(t, 0)->cycle;
        else if (source == STREAM_FIFO)
            m = max64(max64(t->mop_next + (t->mop.after ? COST_TENSIX_MOP_TRANSITION : 0), m),
                      stream_push(t, 0)->cycle + COST_TENSIX_MOP_STAGE);
        r = max64(r, m + COST_TENSIX_REPLAY_STAGE);
    }
    return r + COST_TENSIX_GATE_STAGE;
}

#endif
