/* SPDX-License-Identifier: Apache-2.0 */
/* What happens at the wait gates, counted for the performance counters (tile/perf_counters.c).
 *
 * Counts run from power-on and wrap; an instruction that stands at a gate is counted when it passes or when its reason
 * changes, and whoever asks gets what has come up since as well. */
#ifndef KERR_TENSIX_COUNTS_H
#define KERR_TENSIX_COUNTS_H

#include "tensix/step.h"

/* counts.c: brings the counts to s->cycle; the instruction at the gate is for `unit`. */
void counts_settle(struct tensix *tx, unsigned thread, unsigned unit, uint64_t cycle);
/* The instruction stays, from s->cycle on for this reason. */
void counts_stall(const tensix_step *s, unsigned reason);
void counts_end_stall(struct tensix *tx, unsigned thread, uint64_t cycle);

/* It passes. */
static inline void counts_pass(const tensix_step *s, unsigned unit)
{
    struct tensix_thread *t = s->t;
    if (__builtin_expect(t->stall != TENSIX_STALL_NONE || t->after_hold, 0)) {
        counts_settle(s->tx, s->thread, unit, s->cycle);
        counts_end_stall(s->tx, s->thread, s->cycle);
        t->stall = TENSIX_STALL_NONE;
    }
    s->tx->issued[s->thread][unit]++;
}

/* As seen at the start of `cycle`.  Cycles in which an instruction for the unit stood at the gate, with the one in which it
 * passed. */
uint32_t tensix_count_available(const struct tensix *tx, unsigned thread, unsigned unit, uint64_t cycle);
/* Cycles in which an instruction stood at the gate and did not pass. */
uint32_t tensix_count_stalled(const struct tensix *tx, unsigned thread, uint64_t cycle);
/* The same of at least one thread. */
uint32_t tensix_count_any_stalled(const struct tensix *tx, uint64_t cycle);
/* Instructions that passed. */
uint32_t tensix_count_issued(const struct tensix *tx, unsigned thread);
/* Cycles in which a latched wait instruction had this condition (TENSIX_WAIT_*) and it was not met. */
uint32_t tensix_count_waited(const struct tile *tile, const struct tensix *tx, unsigned thread, unsigned condition,
                             uint64_t cycle);
/* For tensix_make_real. */
void counts_make_real(const struct tile *tile, struct tensix *tx, uint64_t cycle);

#endif
