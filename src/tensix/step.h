/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction as a backend unit is handed it.
 *
 * For each instruction of isa/tensix.isa there is a function <unit>_<NAME>(tensix_step *, const struct op_<NAME> *).  It is
 * called in the cycle in which the unit takes the instruction, in order of cycles (run.c).  It finds the state as it is in that cycle; what it does later than that goes into tensix/later.h. */
#ifndef KERR_TENSIX_STEP_H
#define KERR_TENSIX_STEP_H

#include "kerr.h"

#include "costs.h"
#include "tensix/state.h"
#include "tensix/tile.h"

#include "riscv/pusher.h"

#include "tensix_opcodes.h"

typedef enum step_result {
    STEP_RETIRED = 0,
    STEP_STALLED, /* changed nothing: it is offered again at `again` or after the next change of what it waits for */
    STEP_FAULTED, /* tensix_fault was called and said: the thread stops here */
} step_result;

typedef struct tensix_step {
    tensix_tile *tile;
    struct tensix *tx;
    struct tensix_thread *t; /* of `thread` */
    uint64_t cycle;
    uint64_t again; /* STEP_STALLED: the cycle to look again in; UINT64_MAX: when something changes */
    uint32_t word;
    uint32_t pc; /* of the push it comes from */
    uint8_t thread;
    uint8_t unit;
    uint8_t reason; /* STEP_STALLED: TENSIX_STALL_* */
    uint8_t op;     /* enum tensix_op */
    uint32_t issue; /* cycles in which the unit takes no other instruction, this one included: preset from the table */
    uint32_t latency; /* cycles in which it is in the unit's pipeline: preset from the table */
    /* The engine's own. */
    uint64_t until;   /* of tensix_run */
    uint64_t came;    /* the first cycle at the gate */
    bool fresh;       /* it has come out of the expanders in this cycle and is not in the gate FIFO */
    bool beside;      /* thread and core have their turns in a loop of their own (run_beside) */
    bool closed;      /* its core is no pusher before it has had a turn of another kind */
    bool ahead;       /* a plan is tried: what would be a fault is none, and it does not go on */
    rv_pusher pusher; /* of RISCV Ti; `core` NULL: not looked at yet */
} tensix_step;

/* The thread has something in an unpacker from now on up to this cycle: conditions C1 and C2, and a performance counter. */
static inline void unpack_busy_until(tensix_step *s, unsigned which, uint64_t until)
{
    uint64_t *const busy = &s->t->unpacker_until[which];
    const uint64_t counted = *busy > s->cycle ? *busy : s->cycle;
    if (until <= counted)
        return;
    s->tx->unpack_busy[which][s->thread] += (uint32_t)(until - counted);
    *busy = until;
}

/* `issue` of an instruction of the Scalar Unit whose end is not known yet: it keeps unit and thread until tensix_release. */
#define TENSIX_HELD UINT32_MAX
void tensix_release(struct tensix *tx, unsigned thread, uint64_t cycle);

/* The first cycle in which the next instruction of the thread may pass its gate: manual WormholeB0 ScalarUnit, nothing of
 * the thread does until its instruction is done.  A card lets the next one pass in the last of these cycles.  Manual
 * WormholeB0 UNPACR_Regular "Performance": nothing does either while an unpacker finds its address. */
static inline uint64_t tensix_thread_free(const tensix_step *s, bool scalar)
{
    if (s->issue == TENSIX_HELD)
        return UINT64_MAX;
    if (s->word >> 24 == OPCODE_UNPACR)
        return s->cycle + s->issue;
    return s->cycle + (scalar && s->issue > COST_SCALAR_SHADOW ? s->issue - COST_SCALAR_SHADOW : 1);
}

/* Why an instruction waits at the gate. */
enum {
    TENSIX_STALL_NONE = 0,
    TENSIX_STALL_STALLWAIT, /* blocked by a latched wait instruction */
    TENSIX_STALL_SEMWAIT,
    TENSIX_STALL_STREAMWAIT,
    TENSIX_STALL_UNIT,    /* the unit is busy */
    TENSIX_STALL_THREADS, /* another thread goes first */
    TENSIX_STALL_SCALAR,  /* this thread's Scalar Unit instruction is not done */
    TENSIX_STALL_MUTEX,
    TENSIX_STALL_SOURCE, /* SrcA or SrcB is not handed over */
    TENSIX_STALL_AUTO,   /* Auto TTSync: a load of RISCV Ti comes first */
    TENSIX_STALL_MEMORY,
    TENSIX_STALL_MOVER,
    TENSIX_STALL_RESET, /* the unit is held in soft reset */
    TENSIX_STALL_COUNT
};

/* Conditions of latched wait instructions: those of STALLWAIT as C0 to C12, then those of SEMWAIT. */
enum { TENSIX_WAIT_SEM_ZERO = 13, TENSIX_WAIT_SEM_MAX = 14, TENSIX_WAIT_COUNT = 15 };

/* Records a fault of this instruction.  True: the thread must not go on (return STEP_FAULTED); false: the policy says to
 * go on with what the hardware is known to do. */
__attribute__((format(printf, 4, 5))) bool tensix_fault(tensix_step *s, kerr_fault_kind kind, const char *manual,
                                                        const char *text, ...);
/* The same where no continuation is known: always STEP_FAULTED. */
step_result tensix_unimplemented(tensix_step *s, unsigned op);
step_result tensix_unknown(tensix_step *s, unsigned op);
step_result tensix_illegal(tensix_step *s);

/* State that a latched wait instruction of any thread may look at is about to change in cycle s->cycle (visible to waits
 * from the next cycle on): call this first.  `what` is TENSIX_WATCH_*. */
void tensix_changing(const tensix_tile *tile, struct tensix *tx, unsigned what, uint64_t cycle);
enum {
    TENSIX_WATCH_SEMAPHORES = 1,
    TENSIX_WATCH_CONFIG_UNIT = 2,
    TENSIX_WATCH_MOVER = 4,
    TENSIX_WATCH_SOURCES = 8,
    TENSIX_WATCH_MUTEX = 16,
    TENSIX_WATCH_CORE = 32,
    TENSIX_WATCH_STREAM = 64
};

/* A wait instruction for the wait gate of its thread; `since` is filled in. */
void tensix_latch_wait(tensix_step *s, struct tensix_latch latch);
/* The thread should look at its gate in `cycle`. */
void tensix_look_at(struct tensix *tx, unsigned thread, uint64_t cycle);

#endif
