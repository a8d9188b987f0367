/* SPDX-License-Identifier: Apache-2.0 */
/* A lap of a core that does nothing but push Tensix instructions in a loop: what it is at its beginning, relative to the cycle, and
 * what many such laps in a row make of the core (tensix/laps.h).
 *
 * The loop is straight-line code with one branch, at its end: pushes, constants, and one register that counts.  So what the core does
 * depends on nothing but its place in the loop, its scoreboard and its store queue, until the counter is what the branch
 * compares it with. */
#ifndef KERR_RISCV_LAP_H
#define KERR_RISCV_LAP_H

#include "riscv/core.h"

enum { RV_LAP_WORDS = 80 };

struct rv_lap {
    rv_core from; /* as it was at `begin` */
    uint64_t begin;
    bool runs;               /* it has executed something */
    bool t_moves;            /* cycles that are later by a lap after each lap */
    uint8_t counter;         /* register */
    uint8_t limit;           /* ... that the branch compares it with */
    uint32_t step;           /* of the counter, each time round */
    uint32_t rounds;         /* in a lap */
    uint32_t head;           /* address of the loop */
    uint32_t words;          /* instructions of it, the last one is the branch */
    uint32_t count_at;       /* address of the one that counts */
    uint32_t pushes;         /* in a lap */
    uint32_t head_moves;     /* of the store queue's ring, in a lap */
    uint64_t ready_moves[2]; /* bit by register: of ready[]; [1]: settled */
    uint32_t word[RV_LAP_WORDS];
};
typedef struct rv_lap rv_lap;

/* The core begins a lap at `now`. */
void rv_lap_begin(rv_lap *lap, const rv_core *core, uint64_t now);
/* The lap is over `cycles` later: whether the core is again as it was, but for the cycle and its counter. */
bool rv_lap_end(rv_lap *lap, const rv_core *core, uint64_t cycles);
/* Whether the core is at `now` as it was at the beginning of the lap. */
bool rv_lap_is_same(const rv_lap *lap, const rv_core *core, uint64_t now);
/* How many laps it goes on like this. */
uint32_t rv_lap_most(const rv_lap *lap, const rv_core *core);
/* So many laps, of so many cycles each, at once. */
void rv_lap_repeat(const rv_lap *lap, rv_core *core, uint32_t laps, uint64_t cycles);

#endif
