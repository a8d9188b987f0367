/* SPDX-License-Identifier: Apache-2.0 */
/* What the coprocessor tells a trace (kerr.h, kerr_trace_tensix).  Each function does nothing unless somebody listens: one
 * branch that is never taken.  Called by the front end and the dispatcher (run.c), not by instructions.
 *
 * Within a stage of a thread, and within a unit, records come in order of `begin`.  A stalled instruction may be told of
 * each time it is offered; the same reason again changes nothing. */
#ifndef KERR_TENSIX_TRACE_H
#define KERR_TENSIX_TRACE_H

#include "tensix/step.h"

static inline bool tensix_is_traced(const struct tensix *tx)
{
    return __builtin_expect(tx->traced, 0);
}

/* trace.c: what is behind the branch. */
void tensix_tell_push(const tensix_tile *tile, unsigned thread, int core, uint32_t word, uint32_t pc, uint64_t cycle);
void tensix_tell_stall(const tensix_step *s, unsigned reason, int by);
void tensix_tell_issue(const tensix_step *s, unsigned unit);
void tensix_tell_release(const tensix_tile *tile, unsigned thread, uint64_t cycle);
void tensix_tell_expansions(const tensix_tile *tile, struct tensix_thread *t, unsigned thread);

/* `core` (-1: the debug bus) has pushed a word that the FIFO took at `cycle`. */
static inline void tensix_trace_push(const tensix_tile *tile, const struct tensix *tx, unsigned thread, int core,
                                     uint32_t word, uint32_t pc, uint64_t cycle)
{
    if (tensix_is_traced(tx))
        tensix_tell_push(tile, thread, core, word, pc, cycle);
}

/* What stands at the gate of a thread and why, as tensix_tell_stall would tell it; `last`: RISCV B pushed it.  False: nothing
 * does.  Of a copy made real. */
bool tensix_gate(const tensix_tile *tile, struct tensix *tx, unsigned thread, uint64_t cycle,
                 kerr_trace_tensix *record);

/* The instruction stays at the gate from s->cycle on, because of TENSIX_STALL_*; by: the thread in the way, -1 unknown. */
static inline void tensix_trace_stall(const tensix_step *s, unsigned reason, int by)
{
    if (tensix_is_traced(s->tx))
        tensix_tell_stall(s, reason, by);
}

/* The unit takes the instruction at s->cycle for s->issue cycles. */
static inline void tensix_trace_issue(const tensix_step *s, unsigned unit)
{
    if (tensix_is_traced(s->tx))
        tensix_tell_issue(s, unit);
}

/* The Scalar Unit is done at `cycle` with what it took for TENSIX_HELD. */
static inline void tensix_trace_release(const tensix_tile *tile, const struct tensix *tx, unsigned thread,
                                        uint64_t cycle)
{
    if (tensix_is_traced(tx))
        tensix_tell_release(tile, thread, cycle);
}

/* What the expanders of the thread have done since this was called last. */
static inline void tensix_trace_expansions(const tensix_step *s)
{
    if (tensix_is_traced(s->tx))
        tensix_tell_expansions(s->tile, s->t, s->thread);
}

/* A sub-unit of the Vector Unit executes `word` in `cycle`; detail: KERR_SUB_UNIT_*. */
void tensix_tell_sub_unit(const tensix_tile *tile, unsigned thread, uint32_t word, uint32_t pc, uint32_t detail,
                          uint64_t cycle);

#endif
