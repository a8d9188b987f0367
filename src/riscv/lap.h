/* SPDX-License-Identifier: Apache-2.0 */
/* A lap of a core that does nothing but push Tensix instructions in a loop: what it is at its beginning, relative to the cycle, and
 * what many such laps in a row make of the core (tensix/laps.h).
 *
 * What it executes are pushes, constants, loads that the L0 data cache answers, branches, and one register that counts from lap to lap
 * (lap_walk.c); loops within the lap count from constants.  So what the core does depends on nothing but its place, its
 * scoreboard and its store queue, until the counter is what a branch compares it with, or the cache flushes itself. */
#ifndef KERR_RISCV_LAP_H
#define KERR_RISCV_LAP_H

#include "riscv/core.h"

enum { RV_LAP_WORDS = 80, RV_LAP_TURNS = 4, RV_LAP_RANGES = 6 };

/* Branches that go the way they do as long as the counter is not `limit`: `count` of them in a lap, the first one when it has come to
 * `offset` from the beginning of the lap, the next ones `step` further each. */
struct rv_lap_turns {
    uint32_t offset, step, count, limit;
};

/* Code that is executed, from an address on. */
struct rv_lap_range {
    uint32_t head, words;
};

struct rv_lap {
    rv_core from; /* as it was at `begin` */
    uint64_t begin;
    uint64_t instructions;   /* in a lap */
    bool runs;               /* it has executed something */
    bool t_moves;            /* cycles that are later by a lap after each lap */
    uint8_t counter;         /* register */
    uint8_t l0_lines;        /* bit by line of the L0 data cache that is loaded from */
    uint32_t gain;           /* of the counter, in a lap */
    uint32_t loads;          /* in a lap */
    uint32_t bp_changes;     /* likewise */
    uint32_t touched;        /* bit by register that is read or written */
    uint32_t ranges;         /* of `range` */
    uint64_t branches[2];    /* bit by word, those of all ranges in a row: also jumps */
    uint64_t returns[2];     /* likewise: jumps to an address in a register */
    uint32_t turns;          /* of `turn` */
    uint32_t pushes;         /* in a lap */
    uint32_t head_moves;     /* of the store queue's ring, in a lap */
    uint64_t ready_moves[2]; /* bit by register: of ready[]; [1]: settled */
    struct rv_lap_turns turn[RV_LAP_TURNS];
    struct rv_lap_range range[RV_LAP_RANGES];
    uint32_t word[RV_LAP_WORDS];
};
typedef struct rv_lap rv_lap;

/* The core begins a lap at `now`. */
void rv_lap_begin(rv_lap *lap, const rv_core *core, uint64_t now);
/* The lap is over `cycles` later: whether the core is again as it was, but for the cycle and its counter. */
bool rv_lap_end(rv_lap *lap, const rv_core *core, uint64_t cycles);
/* Whether the core stands in the lap's code with the registers of its beginning, so that it is worth a closer look. */
bool rv_lap_fits(const rv_lap *lap, const rv_core *core);
/* Whether the core is at `now` as it was at the beginning of the lap. */
bool rv_lap_is_same(const rv_lap *lap, const rv_core *core, uint64_t now);
/* How many laps it goes on like this. */
uint32_t rv_lap_most(const rv_lap *lap, const rv_core *core);
/* So many laps, of so many cycles each, at once. */
void rv_lap_repeat(const rv_lap *lap, rv_core *core, uint32_t laps, uint64_t cycles);

/* lap_walk.c: goes through what the core has executed since the beginning of the lap.  False: not all of it is for laps. */
bool rv_lap_walk(rv_lap *lap, const rv_core *core);

#endif
