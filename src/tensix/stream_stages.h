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

#endif
