/* SPDX-License-Identifier: Apache-2.0 */
/* What happens at the wait gates, counted for the performance counters (tile/perf_counters.c).
 *
 * Counts run from power-on and wrap; an instruction that stands at a gate is counted when it passes or when its reason
 * changes, and whoever asks gets what has come up since as well. */
#ifndef KERR_TENSIX_COUNTS_H
#define KERR_TENSIX_COUNTS_H

#include "tensix/step.h"

#include "tensix_isa.h"

/* counts.c: brings the counts to s->cycle; the instruction at the gate is for `unit`. */
void counts_settle(struct tensix *tx, unsigned thread, unsigned unit, uint64_t cycle);

/* What the units that compute would see of a wait, if they had instructions before them: for SrcA and SrcB, or for the unit. */
enum { MATH_HELD_SOURCE, MATH_HELD_UNIT, MATH_HELD_NOT };
static inline unsigned counts_math_held(unsigned unit, unsigned reason)
{
    if (unit != UNIT_MATRIX && unit != UNIT_VECTOR)
        return MATH_HELD_NOT;
    return reason == TENSIX_STALL_SOURCE                                 ? MATH_HELD_SOURCE
           : reason == TENSIX_STALL_UNIT || reason == TENSIX_STALL_RESET ? MATH_HELD_UNIT
                                                                         : MATH_HELD_NOT;
}
/* An instruction for `unit` has stood at its gate for so many cycles more. */
static inline void counts_add(struct tensix *tx, unsigned thread, unsigned unit, unsigned reason, uint32_t cycles)
{
    const unsigned math = counts_math_held(unit, reason);
    tx->stalled[thread][reason] += cycles;
    tx->held[thread][unit] += cycles;
    if (math != MATH_HELD_NOT)
        tx->math_held[thread][math] += cycles;
}

/* What has stood at the gate for a reason since it was last counted. */
static inline void counts_stood(const tensix_step *s)
{
    counts_add(s->tx, s->thread, s->unit, s->t->stall, (uint32_t)(s->cycle - s->t->stall_since));
}

/* The instruction, which is in the gate FIFO, stays from s->cycle on for this reason. */
static inline void counts_stall(const tensix_step *s, unsigned reason)
{
    struct tensix_thread *t = s->t;
    struct tensix *tx = s->tx;
    if (t->stall == reason)
        return;
    if (t->stall != TENSIX_STALL_NONE)
        counts_stood(s);
    else if (t->after_hold)
        counts_settle(tx, s->thread, s->unit, s->cycle);
    t->stall_since = s->cycle;
    t->stall = (uint8_t)reason;
    if (tx->stalled_threads == 0)
        tx->any_since = s->cycle;
    tx->stalled_threads |= 1u << s->thread;
}

/* It stands there no more, or for ever. */
static inline void counts_end(const tensix_step *s)
{
    struct tensix_thread *t = s->t;
    struct tensix *tx = s->tx;
    if (t->stall != TENSIX_STALL_NONE) {
        counts_stood(s);
        t->stall_since = s->cycle;
        t->stall = TENSIX_STALL_NONE;
        tx->stalled_threads &= ~(1u << s->thread);
        if (tx->stalled_threads == 0) {
            tx->any_stalled += (uint32_t)(s->cycle - tx->any_since);
            tx->any_since = s->cycle;
        }
    } else if (__builtin_expect(t->after_hold, 0)) {
        counts_settle(tx, s->thread, s->unit, s->cycle);
    }
}

/* It passes. */
static inline void counts_pass(const tensix_step *s)
{
    counts_end(s);
    s->tx->issued[s->thread][s->unit]++;
    s->tx->ran[s->op]++;
}

/* As seen at the start of `cycle`.  Cycles in which an instruction for the unit stood at the gate, with the one in which it
 * passed. */
uint32_t tensix_count_available(const struct tensix *tx, unsigned thread, unsigned unit, uint64_t cycle);
/* Cycles in which an instruction stood at the gate and did not pass. */
uint32_t tensix_count_stalled(const struct tensix *tx, unsigned thread, uint64_t cycle);
/* The same of at least one thread. */
uint32_t tensix_count_any_stalled(const struct tensix *tx, uint64_t cycle);
/* The same of instructions for the Matrix and the Vector Unit, of all threads, that nothing but MATH_HELD_* kept. */
uint32_t tensix_count_math_held(const struct tensix *tx, unsigned what, uint64_t cycle);
/* Instructions that passed. */
uint32_t tensix_count_issued(const struct tensix *tx, unsigned thread);
/* Cycles in which a latched wait instruction had this condition (TENSIX_WAIT_*) and it was not met. */
uint32_t tensix_count_waited(const tensix_tile *tile, const struct tensix *tx, unsigned thread, unsigned condition,
                             uint64_t cycle);
/* For tensix_make_real. */
void counts_make_real(const tensix_tile *tile, struct tensix *tx, uint64_t cycle);

#endif
