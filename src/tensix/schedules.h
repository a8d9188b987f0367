/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules that come back: what the three threads do in a row of cycles, remembered, and done again without looking at gates.
 *
 * In which cycle an instruction of the Sync, Scalar (arithmetic), Configuration or Miscellaneous Unit passes its gate depends on the front
 * ends, the units, semaphores and mutexes, all taken relative to the cycle, and on no data.  A schedule is such a state, what
 * has become of it some cycles later, and the instructions that change data, in their order.  Where the same state comes
 * again, its instructions are handed to their units and the state behind them is put in place: what run.c would come to
 * look by look.  Kernels repeat themselves, and all tiles that run one share what a worker has seen.
 *
 * A cache that a worker lends to its tiles: no part of what the chip is, and it may be forgotten at any time. */
#ifndef KERR_TENSIX_SCHEDULES_H
#define KERR_TENSIX_SCHEDULES_H

#include "tensix/frontend/plan.h"
#include "tensix/laps.h"
#include "tensix/pack/loop.h"
#include "tensix/step.h"

enum {
    SCHEDULES = 512,
    SCHEDULE_WAYS = 4,
    SCHEDULES_SEEN = 2048,
    SCHEDULE_STEPS = 800,   /* instructions that change data, at most */
    SCHEDULE_APART = 192,   /* ... if they are to be taken apart one by one */
    SCHEDULE_PASSED = 1024, /* instructions that pass, at most */
    SCHEDULE_BRIEF = 24,    /* cycles of a brief one */
    SCHEDULE_WORTH = 8,     /* ... at least */
    SCHEDULE_PUSHES = 12,   /* that a thread takes out of its first FIFO, at most */
    SCHEDULE_CYCLES = 15,   /* of struct tensix_thread, from mop_next to stall_since */
    SCHEDULE_SLOTS = 32,    /* results of the Configuration Unit under way */
    SCHEDULE_HEAD = 8,      /* cycles: what was under way before is done by then */
    SCHEDULE_COUNTS = 40,   /* counters that change, at most */
    SCHEDULE_WORDS = MOP_CFG_WORDS + REPLAY_ENTRIES,
};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

/* What decides about a thread's way to the gate; cycles less the one in which the schedule begins. */
struct schedule_thread {
    uint64_t cycle[SCHEDULE_CYCLES];
    uint64_t since; /* of the latch */
    uint64_t gate_cycle[GATE_FIFO_CAPACITY];
    struct tensix_mop mop;
    uint32_t gate_word[GATE_FIFO_CAPACITY], gate_pc[GATE_FIFO_CAPACITY];
    uint32_t opcode, conditions, target; /* of the latch; zero: nothing is latched */
    uint16_t blocks;
    uint8_t semaphores, stream;
    uint32_t replay_pc;
    uint8_t fifo_count, in_flight, gate_head, gate_count, taken_at, passed_at;
    uint8_t replay_mode, replay_index, replay_left, waiting, stall;
    bool after_hold;
    uint8_t reserved[4];
};

/* The same of what the threads share. */
struct schedule_shared {
    uint64_t any_since;
    uint64_t unit_free[TENSIX_UNITS]; /* 0: it is */
    uint8_t turn[24];
    struct semaphore semaphore[SEMAPHORES];
    uint8_t mutex[MUTEXES];
    uint8_t latched, stalled_threads;
    uint8_t inside, entering; /* the Configuration Unit's pipeline */
    uint8_t reserved[7];
};

#pragma GCC diagnostic pop

/* An instruction that is handed to its unit again. */
struct schedule_step {
    uint32_t word;
    uint16_t after; /* cycles */
    uint16_t there; /* the same of its result */
    uint8_t thread, op;
    uint8_t reserved[2];
};

/* The same taken apart (schedule_data.c): what is read, what is written, in order of time. */
struct schedule_piece {
    uint32_t x, y;
    uint16_t after;
    uint8_t thread;
    uint8_t kind; /* SCHEDULE_DOES_* */
    uint8_t result, left, right, slot;
};
enum {
    SCHEDULE_DOES_RUN,      /* x: the word, for its unit */
    SCHEDULE_DOES_SET_HALF, /* x: the value */
    SCHEDULE_DOES_ADD,      /* ... of GPR left and GPR right, or the constant x */
    SCHEDULE_DOES_SUB,
    SCHEDULE_DOES_MUL,
    SCHEDULE_DOES_ADD_CONST,
    SCHEDULE_DOES_SUB_CONST,
    SCHEDULE_DOES_MUL_CONST,
    SCHEDULE_DOES_SETC16,    /* x: the value */
    SCHEDULE_DOES_RMWCIB,    /* x: mask, y: value */
    SCHEDULE_DOES_WRCFG,     /* GPR left into the slot */
    SCHEDULE_DOES_WRCFG_END, /* the slot into word `result` of the bank that was the thread's then */
    SCHEDULE_DOES_RDCFG,     /* word `left` into the slot */
    SCHEDULE_DOES_RDCFG_END, /* the slot into GPR result */
};

struct schedule_count {
    uint32_t at, more;
};

typedef enum schedule_state {
    SCHEDULE_NONE = 0,
    SCHEDULE_SHORT /* `cycles` are not to be passed */,
    SCHEDULE_KNOWN
} schedule_state;

struct schedule {
    uint64_t hash;
    uint32_t state;
    uint32_t cycles; /* that it takes: everything before them is done, and nothing behind */
    uint32_t last;   /* the last one in which something passes */
    uint32_t steps, pieces, ran_counts, counts;
    uint32_t any_stalled;
    uint32_t
        pipe_after; /* the Configuration Unit's pipeline, as it is in the end, is of so many cycles later; 0: of before */
    uint32_t misses;
    bool yields, changes_semaphores, uses_scalar, any_changes;
    uint8_t asleep; /* bit i: thread i has nothing to do with it */
    uint8_t pushes[TENSIX_THREADS];
    struct schedule_shared begin, end;
    struct schedule_thread from[TENSIX_THREADS], to[TENSIX_THREADS];
    uint32_t words[TENSIX_THREADS][SCHEDULE_WORDS];                              /* mop_cfg and replay */
    uint32_t free_after[TENSIX_UNITS], busy_after[TENSIX_THREADS][TENSIX_UNITS]; /* 0: not changed */
    uint64_t mop_begin[TENSIX_THREADS], replay_begin[TENSIX_THREADS];            /* for a trace that begins later */
    uint32_t mop_word[TENSIX_THREADS], replay_word[TENSIX_THREADS];
    struct tensix_entry push[TENSIX_THREADS][SCHEDULE_PUSHES + 1];
    struct schedule_count ran[SCHEDULE_COUNTS], count[SCHEDULE_COUNTS];
    struct schedule_step step[SCHEDULE_STEPS];
    struct schedule_piece piece[2 * SCHEDULE_APART];
    struct lap_data data; /* the same without cycles, if what is under way is what was then */
};

/* schedule_data.c: fills in the pieces. */
void schedule_take_apart(struct schedule *schedule);

/* One that is being made. */
struct schedule_recorder {
    struct schedule *schedule;
    struct tensix before;
    uint64_t begin;
    uint64_t stop; /* cycle */
    uint32_t passed;
    uint32_t spoilt; /* 1 + cycles after which something came that no schedule has; 0: nothing */
};

struct tensix_schedules {
    struct schedule schedule[SCHEDULES]; /* 15 MB, of which most programs need little */
    uint64_t key[SCHEDULES];             /* hash of what was ever entered there: others need not be looked at */
    uint32_t seen[SCHEDULES_SEEN];
    uint32_t next; /* the way that is given up next */
    struct schedule_recorder recorder;
    struct lap_steps list;    /* lap_data.c works on it */
    struct code_store *codes; /* vector/code.h; NULL: there is none */
    struct tensix_laps *laps; /* laps.h; NULL: there is no memory */
    /* Beside them, lent in the same way. */
    struct kept_iterations iterations;
    struct pack_loops pack_loops;
};

struct tensix_schedules *tensix_schedules_create(void); /* NULL: there is no memory */
void tensix_schedules_destroy(struct tensix_schedules *schedules);

/* Whether this is a good moment to look for a schedule: one that comes back whenever the same instructions do. */
static inline bool schedule_may_begin(const struct tensix *tx)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        sum += (unsigned)tx->thread[i].mop.position + tx->thread[i].replay_left + tx->thread[i].in_flight;
    return (sum & 7) == 0;
}

/* The schedule that begins in `cycle` and is over before `until`.  NULL: none is known; *record: what
 * schedule_record should make one under, 0: nothing. */
const struct schedule *schedule_find(struct tensix_schedules *schedules, const struct tile *tile,
                                     const struct tensix *tx, uint64_t cycle, uint64_t until, uint64_t *record);
/* Puts the state behind it in place, but for what its steps do. */
void schedule_put(struct tensix *tx, const struct schedule *schedule, uint64_t cycle);

/* What schedule_find asked for: from now on units are offered instructions. */
void schedule_record(struct tensix_schedules *schedules, const struct tensix *tx, uint64_t cycle, uint64_t hash);
/* A unit is offered the instruction of s; then it has taken it. */
void schedule_offer(struct schedule_recorder *recorder, const tensix_step *s);
void schedule_passed(struct schedule_recorder *recorder, const tensix_step *s);
/* Something happens in this cycle that no schedule has. */
void schedule_spoil(struct schedule_recorder *recorder, uint64_t cycle);
/* That was all of it, and nothing was looked at in `cycle` or later. */
void schedule_finish(struct tensix_schedules *schedules, const struct tensix *tx, uint64_t cycle);

#endif
