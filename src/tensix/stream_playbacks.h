/* SPDX-License-Identifier: Apache-2.0 */
/* Rows (stream.h): when a playback begins.  Included by run.c alone. */
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

#endif
