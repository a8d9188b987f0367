/* SPDX-License-Identifier: Apache-2.0 */
/* Laps: what a tile does over and over while its T cores push the same instructions in a loop, done many times at once.
 *
 * While tensix_run goes on nobody but the coprocessor and the cores that push (tile/pusher.c) does anything.  What these do depends on
 * front ends, units, semaphores and mutexes (schedules.h), and on the place of each core in its loop, its scoreboard and
 * its store queue (riscv/lap.h), all relative to the cycle.  So if all of it is again as it was some cycles before, it will be
 * so again and again: a lap.  What a lap changes is cycles, which move on, counters, which gain the same each time, and data: GPRs
 * and configuration, computed anew from a list (lap_data.c).  Everything else must be, byte by byte, what it was.
 *
 * Like schedules a cache that a worker lends to its tiles. */
#ifndef KERR_TENSIX_LAPS_H
#define KERR_TENSIX_LAPS_H

#include "riscv/lap.h"
#include "tensix/lap_vector.h"
#include "tensix/step.h"

enum {
    LAPS = 256,
    LAP_WAYS = 4,
    LAPS_SEEN = 1024,
    LAP_CYCLES = 2048, /* of one, at most */
    LAP_STEPS = 1600,  /* instructions that change data, at most */
    LAP_PIECES = 512,  /* of what is left of them */
    LAP_WORDS = 320,   /* that they read or write */
    LAP_SLOTS = 64,    /* results under way at a time */
    LAP_COUNTS = 96,
    LAP_WORTH = 256,      /* so many cycles must be left at least */
    LAP_VECTOR_WORTH = 4, /* so many laps: what the inner of two loops does is less than a lap of the outer one */
};

/* lap_data.c: data as one row of words. */
enum {
    LAP_GPR = 0,                                                    /* + 64 * thread */
    LAP_CONFIG = TENSIX_THREADS * TENSIX_GPRS,                      /* + CFG_WORDS * bank */
    LAP_THREAD_CONFIG = LAP_CONFIG + 2 * CFG_WORDS,                 /* + THD_STATE_SIZE * thread */
    LAP_SLOT = LAP_THREAD_CONFIG + TENSIX_THREADS * THD_STATE_SIZE, /* under way */
    LAP_NEXT = LAP_SLOT + LAP_SLOTS,                                /* the same at the end of a lap */
    LAP_DATA = LAP_NEXT + LATER_CAPACITY,
};
typedef enum lap_kind {
    LAP_COPY,  /* result: left */
    LAP_BLEND, /* bits of x are those of left */
    LAP_MERGE, /* bits of x are y */
    LAP_ADD,
    LAP_ADD_TIMES, /* x times left to the result */
    LAP_ADD_CONST, /* left and x */
    LAP_SUB,
    LAP_MUL, /* of lower halves */
    LAP_MUL_CONST,
} lap_kind;
struct lap_piece {
    uint16_t result, left, right;
    uint16_t kind;
    uint32_t x, y;
};

/* An instruction that changes data; cycles less that of the beginning. */
struct lap_step {
    uint32_t word;
    uint32_t after, there;
    uint8_t thread, op;
    uint8_t reserved[2];
};

struct lap_steps {
    uint32_t count, pieces;
    struct lap_step step[LAP_STEPS];
    struct lap_piece piece[2 * LAP_STEPS + 4 * LATER_CAPACITY];
};

/* What is under way at one end, but for its values. */
struct lap_under_way {
    uint32_t count;
    uint32_t after[LATER_CAPACITY]; /* cycles less that of the beginning */
    uint32_t mask[LATER_CAPACITY];
    uint16_t place[LATER_CAPACITY];
    uint8_t kind[LATER_CAPACITY];
};

struct lap_data {
    uint32_t pieces, used, changed;
    uint8_t bank[TENSIX_THREADS];
    bool known;
    struct lap_under_way begin, end;
    struct lap_piece piece[LAP_PIECES];
    uint16_t use[LAP_WORDS], change[LAP_WORDS]; /* words that are read or written; written */
};

/* Takes the steps of `cycles` apart, with what is under way in the beginning.  False: not all of them are known. */
bool lap_data_make(struct lap_data *data, struct lap_steps *steps, const struct tensix *from, const struct tensix *to,
                   uint64_t begin, uint64_t cycles);
/* Does them so many times, where what is under way in the end is what was in the beginning. */
void lap_data_repeat(const struct lap_data *data, struct tensix *tx, uint32_t laps);
/* Does them once from `now` on, with what is under way in the end; false: what is under way now is not what was then. */
bool lap_data_follow(const struct lap_data *data, struct tensix *tx, uint64_t now);

struct lap_count {
    uint16_t at;
    uint16_t reserved;
    uint32_t more;
};

struct lap {
    uint32_t key; /* 0: none */
    uint32_t misses;
    uint64_t begin, cycles;
    struct tensix from;
    uint64_t moves;                        /* bit by cycle of what threads share (laps.c), */
    uint64_t thread_moves[TENSIX_THREADS]; /* ... and of each thread */
    uint8_t taken_moves[TENSIX_THREADS], passed_moves[TENSIX_THREADS]; /* how far their rings go in a lap */
    uint8_t pushed[TENSIX_THREADS];                                    /* of `push` */
    uint8_t reserved[7];
    struct tensix_entry push[TENSIX_THREADS]
                            [TENSIX_FIFO_CAPACITY]; /* the last ones of a lap, the very last one first */
    uint16_t tracked[TENSIX_THREADS][TENSIX_FIFO_CAPACITY];
    uint32_t any_stalled;
    uint32_t ran_counts, counts;
    struct lap_count ran[LAP_COUNTS], count[LAP_COUNTS];
    rv_lap core[TENSIX_THREADS];
    struct lap_data data;
    struct lap_vector vector;
};

struct tensix_laps {
    struct lap lap[LAPS];
    struct lap made; /* one that is being made */
    struct lap_steps steps;
    struct lap_vector_steps vector_steps;
    bool recording;
    uint32_t known, next;    /* laps; the way that is given up next */
    uint32_t tries;          /* ends of laps that were none */
    uint32_t pause, backoff; /* so many looks before another is begun */
    uint64_t usual;          /* cycles of one */
    uint32_t seen[LAPS_SEEN];
};

struct tensix_laps *tensix_laps_create(void); /* NULL: there is no memory */
void tensix_laps_destroy(struct tensix_laps *laps);

/* A core has pushed, and nothing has been done in `cycle` yet.  Does as many laps as there are before `until`.  True: some. */
bool laps_look(struct tensix_laps *laps, struct tile *tile, struct tensix *tx, uint64_t cycle, uint64_t until);
/* While one is made: a unit has taken an instruction; something else has happened, so that there is none. */
void laps_passed(struct tensix_laps *laps, const tensix_step *s);
void laps_step(struct tensix_laps *laps, uint32_t word, unsigned op, unsigned thread, uint64_t cycle, uint64_t there);
void laps_spoil(struct tensix_laps *laps);

#endif
