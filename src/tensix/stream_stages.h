/* SPDX-License-Identifier: Apache-2.0 */
/* Rows (stream.h): the stages before the gate.  Included by run.c alone. */
#ifndef KERR_TENSIX_STREAM_STAGES_H
#define KERR_TENSIX_STREAM_STAGES_H

#include "tensix/stream_source.h"

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
    if (passed == 0)
        return;
    t->gate_next = passes->at[passed - 1] + 1;
    t->passed_at = (uint8_t)((t->passed_at + passed) % GATE_FIFO_CAPACITY);
    t->passed[t->passed_at] = passed >= 2 ? passes->at[passed - 2] + 1 : newest;
    t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY] = t->gate_next;
}

/* A playback of a plan begins in cycle r, and so many of it come out. */
static inline void stream_follow_replay(struct tensix_thread *t, uint32_t word, uint64_t r, unsigned count)
{
    const unsigned played = plan_played_by(word);
    const bool ends = count >= played;
    t->spans.replay_begin = r;
    t->spans.replay_word = word;
    t->replay_index = (uint8_t)(bits(word, 23, 14) % REPLAY_ENTRIES + (ends ? played : count));
    t->replay_left = (uint8_t)(ends ? 0 : played - count);
    t->replay_mode = ends ? MODE_PASS : MODE_PLAY;
    t->replay_pc = t->mop.pc & ~(uint32_t)TENSIX_ENTRY_LAST;
}

/* The stages before the gate follow a MOP: as below, where the replay expander adds to what the other one gives out. */
static inline void stream_follow_mop(struct tensix_thread *t, unsigned emitted, unsigned passed,
                                     const struct stream_passes *passes)
{
    const struct expansion_plan *plan = &passes->plan;
    uint64_t r = t->replay_next - 1, m = t->mop_next - 1;
    uint64_t oldest = t->passed[t->passed_at], newest = t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY];
    unsigned taken_at = t->taken_at;
    for (unsigned k = 0; k < emitted; k++) {
        r = max64(r + 1, oldest);
        if (LIKELY(!(plan->continues >> k & 1))) {
            m = max64(m + 1, t->taken[taken_at]);
            r = max64(r, m + COST_TENSIX_REPLAY_STAGE);
            t->taken[taken_at] = r + 1;
            taken_at = (taken_at + 1) % REPLAY_FIFO_CAPACITY;
            if (UNLIKELY(plan->begins >> k & 1))
                stream_follow_replay(t, plan->replay[k], r, emitted - k);
        }
        if (UNLIKELY((plan->begins | plan->continues) >> k & 1) &&
            (k + 1 == plan->count || !(plan->continues >> k >> 1 & 1)))
            span_ends(t, t->spans.replay_word, t->spans.replay_begin, r + 1);
        if (k < passed) {
            oldest = newest;
            newest = passes->at[k] + 1;
        }
    }
    t->replay_next = r + 1;
    t->mop_next = m + 1;
    t->taken_at = (uint8_t)taken_at;
    plan_follow(t, plan, emitted);
    t->mop.after = false;
    if (passed != 0)
        t->gate_next = newest;
    t->passed_at = (uint8_t)((t->passed_at + passed) % GATE_FIFO_CAPACITY);
    t->passed[t->passed_at] = oldest;
    t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY] = newest;
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
    for (unsigned k = 0; k < emitted; k++) {
        r = max64(r + 1, oldest);
        m = max64(m + 1, t->taken[taken_at]);
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
    t->fifo_head = (uint8_t)((t->fifo_head + emitted) % TENSIX_FIFO_CAPACITY);
    t->fifo_count = (uint8_t)(t->fifo_count - emitted);
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
        if (source == STREAM_FIFO)
            m = max64(max64(t->mop_next + (t->mop.after ? COST_TENSIX_MOP_TRANSITION : 0), m),
                      stream_push(t, 0)->cycle + COST_TENSIX_MOP_STAGE);
        r = max64(r, m + COST_TENSIX_REPLAY_STAGE);
    }
    return r + COST_TENSIX_GATE_STAGE;
}

#endif
