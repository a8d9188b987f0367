/* SPDX-License-Identifier: Apache-2.0 */
/* What the coprocessor tells a trace (kerr.h, kerr_trace_tensix).  Each function does nothing unless somebody listens: one
 * branch that is never taken.  Called by the front end and the dispatcher, not by instructions.
 *
 * Within a stage of a thread, and within a unit, records come in order of `begin`.  A stalled instruction may be told of
 * each time it is offered; the same reason again changes nothing. */
#ifndef KERR_TENSIX_TRACE_H
#define KERR_TENSIX_TRACE_H

#include "tile/tile.h"

static inline bool tensix_is_traced(const struct tile *tile)
{
    return __builtin_expect((tile->environment->trace_kinds & KERR_TRACE_TENSIX) != 0, 0);
}

/* trace.c */
void tensix_trace_emit(const struct tile *tile, const kerr_trace_tensix *record);

/* `core` (-1: the debug bus) has pushed a word that the FIFO took at `cycle`. */
static inline void tensix_trace_push(const struct tile *tile, unsigned thread, int core, uint32_t word, uint64_t cycle)
{
    if (tensix_is_traced(tile)) {
        tensix_trace_emit(tile, &(kerr_trace_tensix){.event = KERR_TENSIX_PUSH,
                                                     .thread = (uint8_t)thread,
                                                     .by = (int8_t)core,
                                                     .word = word,
                                                     .begin = cycle,
                                                     .end = cycle});
    }
}

/* A MOP is expanded from `begin` to `end`, KERR_TENSIX_OPEN if that is not known yet: then the same again with it. */
static inline void tensix_trace_mop(const struct tile *tile, unsigned thread, uint32_t word, unsigned instructions,
                                    uint64_t begin, uint64_t end)
{
    if (tensix_is_traced(tile)) {
        tensix_trace_emit(tile, &(kerr_trace_tensix){.event = KERR_TENSIX_MOP,
                                                     .thread = (uint8_t)thread,
                                                     .by = -1,
                                                     .word = word,
                                                     .detail = instructions,
                                                     .begin = begin,
                                                     .end = end});
    }
}

/* The same of a REPLAY, for what it records or plays back. */
static inline void tensix_trace_replay(const struct tile *tile, unsigned thread, uint32_t word, unsigned instructions,
                                       uint64_t begin, uint64_t end)
{
    if (tensix_is_traced(tile)) {
        tensix_trace_emit(tile, &(kerr_trace_tensix){.event = KERR_TENSIX_REPLAY,
                                                     .thread = (uint8_t)thread,
                                                     .by = -1,
                                                     .word = word,
                                                     .detail = instructions,
                                                     .begin = begin,
                                                     .end = end});
    }
}

/* `word` stands at the wait gate from `begin` on.  unit: KERR_UNIT_COUNT if it is none's; by: the thread in the way, or
 * -1.  Ends by itself: tensix_trace_issue, or another reason. */
static inline void tensix_trace_gate(const struct tile *tile, unsigned thread, unsigned unit, uint32_t word,
                                     kerr_tensix_reason reason, uint32_t detail, int by, uint64_t begin)
{
    if (tensix_is_traced(tile)) {
        tensix_trace_emit(tile, &(kerr_trace_tensix){.event = KERR_TENSIX_GATE,
                                                     .thread = (uint8_t)thread,
                                                     .unit = (uint8_t)unit,
                                                     .reason = (uint8_t)reason,
                                                     .by = (int8_t)by,
                                                     .word = word,
                                                     .detail = detail,
                                                     .begin = begin,
                                                     .end = KERR_TENSIX_OPEN});
    }
}

/* `unit` takes `word` at `begin` and works on it up to `end`: for its issue slot, not for its latency. */
static inline void tensix_trace_issue(const struct tile *tile, unsigned thread, unsigned unit, uint32_t word,
                                      uint64_t begin, uint64_t end)
{
    if (tensix_is_traced(tile)) {
        tensix_trace_emit(tile, &(kerr_trace_tensix){.event = KERR_TENSIX_ISSUE,
                                                     .thread = (uint8_t)thread,
                                                     .unit = (uint8_t)unit,
                                                     .by = -1,
                                                     .word = word,
                                                     .begin = begin,
                                                     .end = end});
    }
}

#endif
