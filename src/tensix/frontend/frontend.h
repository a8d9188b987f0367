/* SPDX-License-Identifier: Apache-2.0 */
/* Between the stages of a thread's front end (manual TensixCoprocessor/README "Frontend", PushTensixInstruction):
 *
 *   FIFO of 32 -> MOP expander -> (RISCV B) -> FIFO of 8 -> replay expander -> FIFO of 2 -> wait gate -> units
 *
 * Nothing is done cycle by cycle.  When the gate looks for its next instruction, the cycles in which it came through the
 * stages before are computed: each stage takes one a cycle and waits while the FIFO behind it is full.  Who looks between
 * the stages calls tensix_expand first, which brings them to where they stand in his cycle. */
#ifndef KERR_TENSIX_FRONTEND_H
#define KERR_TENSIX_FRONTEND_H

#include "costs.h"
#include "tensix/state.h"
#include "tensix/tile.h"

#include "tensix_opcodes.h"

#define NEVER UINT64_MAX

static inline unsigned opcode_of(uint32_t word)
{
    return word >> 24;
}

/* mop_expander.c: when the next instruction can leave the expander, NEVER as far as is known. */
uint64_t mop_next_cycle(const struct tensix_thread *t);
/* The expansion of the MOP that comes next, as it would begin. */
struct tensix_mop mop_of_next(const struct tensix_thread *t);
/* It begins, so that the first one may come out in that cycle. */
void mop_begin(struct tensix_thread *t, uint64_t cycle);
/* Does what the expander does in that cycle.  False: nothing left it. */
bool mop_take(struct tensix_thread *t, uint64_t cycle, struct tensix_entry *out);
/* What comes next out of an expansion that is active, which goes on, or is over, with it; cfg: of its thread. */
uint32_t mop_emit(struct tensix_mop *mop, const uint32_t cfg[MOP_CFG_WORDS]);

/* How many instructions at least are still to come out of the MOP that is being expanded; 0: there is none. */
unsigned mop_left(const struct tensix_thread *t);
/* How many at least come out of both expanders before the end of the MOP that is being expanded, or that is next; 0: none is. */
unsigned mop_words_ahead(const struct tensix_thread *t);
/* Whether a word of the MOP configuration is a REPLAY that records, so that the FIFO behind the expander may take in any
 * number. */
bool mop_records(const struct tensix_thread *t);
/* So many can be between MOP expander and gate at most: in the FIFOs, and a REPLAY that plays. */
enum { MOP_AHEAD = REPLAY_FIFO_CAPACITY + GATE_FIFO_CAPACITY + 1 };
/* How many come at least of the MOPs that wait before the expander, as it is configured now. */
unsigned mop_follow(const struct tensix_thread *t);
/* Whether nothing at all may come of one of them. */
bool mop_empty_follows(const struct tensix_thread *t);
/* How many may pass the gate before RISCV Ti, if it waits for the end of MOPs, could have anything to be told. */
unsigned mop_unannounced(const struct tensix_thread *t);
/* Some are about to pass that nobody counts. */
static inline void mop_quiet_ends(struct tensix_thread *t)
{
    if (t->mop_quiet != MOP_ANNOUNCED)
        t->mop_quiet = 0;
}

/* A REPLAY that records ends in its expander, and so does what it records. */
static inline bool ends_in_replay(uint32_t word)
{
    return opcode_of(word) == OPCODE_REPLAY && (word & 1);
}

/* replay.c: brings one more instruction into the gate FIFO, if it is there before the start of cycle `by`.  Otherwise
 * *when is the earliest cycle in which the next one can be there, NEVER as far as is known. */
bool replay_emit(struct tensix_thread *t, uint64_t by, uint64_t *when);
/* What comes into the expander in `cycle`; the gate FIFO has room. */
void replay_take(struct tensix_thread *t, uint64_t cycle, const struct tensix_entry *e);
/* Whether what comes into the expander is recorded and not handed on. */
bool replay_records(const struct tensix_thread *t);
/* Whether it gives out what it has recorded: replay_left more, before anything else comes in. */
bool replay_plays(const struct tensix_thread *t);

/* A push of RISCV Ti, or the last of what became of it, has passed or is gone. */
static inline void entry_done(struct tensix_thread *t, uint32_t pc)
{
    if (pc & TENSIX_ENTRY_LAST)
        t->in_flight--;
}

/* autosync.c.  Those in flight leave in order of their pushes, but for what an expander swallows: that is the one with
 * `older` others before it, and auto_forget comes before entry_done. */
void auto_forget(struct tensix_thread *t, unsigned older);
/* RESOURCEDECL. */
void auto_declare(struct tensix_thread *t, uint32_t word);

/* Asked while auto_load is not 0: whether the gate waits for a load of RISCV Ti. */
bool auto_holds(struct tensix_thread *t, uint64_t cycle);
/* Forgets what is not in flight any more. */
void auto_make_real(struct tensix_thread *t, uint64_t cycle);

enum { AUTO_STATE = 9 /* bit of tracked: CFG_STATE_ID_StateID */ };

/* A push that goes to place `at` of the FIFO: opcode and bit 23, which is WhichUnpacker, say what it uses. */
static inline void auto_track(struct tensix_thread *t, unsigned at, uint32_t word)
{
    t->tracked[at] = (uint16_t)(word >> 23 | t->auto_state);
    if (__builtin_expect(word >> 16 == OPCODE_SETC16 << 8 /* of CFG_STATE_ID */, 0))
        t->auto_state = (uint16_t)((word & 1) << AUTO_STATE);
}

/* For a trace: an expansion is over. */
static inline void span_ends(struct tensix_thread *t, uint32_t word, uint64_t begin, uint64_t end)
{
    t->spans.span[t->spans.count++ % TENSIX_SPANS] = (struct tensix_span){.begin = begin, .end = end, .word = word};
}

/* The conditions of a latched SEMWAIT that are not met. */
static inline unsigned gate_semaphores_keep(const struct tensix *tx, const struct tensix_latch *latch)
{
    unsigned keep = 0;
    for (unsigned left = latch->semaphores; left != 0; left &= left - 1) {
        const struct semaphore *semaphore = &tx->semaphore[__builtin_ctz(left)];
        keep |= (unsigned)(semaphore->value == 0) | (unsigned)(semaphore->value >= semaphore->max) << 1;
    }
    return keep & latch->conditions;
}

/* wait_gate.c: whether the latched wait instruction lets go: forgets it if its conditions were all met in a cycle before
 * `cycle`. */
void gate_settle(const tensix_tile *tile, struct tensix *tx, struct tensix_thread *t, unsigned thread, uint64_t cycle);
/* All conditions were met in cycle `met`. */
void gate_let_go(const tensix_tile *tile, struct tensix *tx, struct tensix_thread *t, unsigned thread, uint64_t met);
/* Counts a cycle in which C10 was looked at and not met; all others are counted when something changes. */
void gate_count_looked_at(const tensix_tile *tile, struct tensix *tx, unsigned thread);
/* The first cycle in which all conditions are met, if nothing changes but time; NEVER: something must change. */
uint64_t gate_time_met_at(const tensix_tile *tile, const struct tensix *tx, const struct tensix_thread *t,
                          unsigned thread);
static inline uint64_t gate_met_at(const tensix_tile *tile, const struct tensix *tx, const struct tensix_thread *t,
                                   unsigned thread)
{
    if (t->latch.opcode == OPCODE_SEMWAIT)
        return gate_semaphores_keep(tx, &t->latch) == 0 ? t->latch.since : NEVER;
    return gate_time_met_at(tile, tx, t, thread);
}
/* What keeps the latched instruction in `cycle`: conditions of STALLWAIT; of SEMWAIT semaphores that are zero, and from bit 8
 * on those that are at their maximum. */
uint32_t gate_keeps(const tensix_tile *tile, const struct tensix *tx, const struct tensix_thread *t, unsigned thread,
                    uint64_t cycle);

#endif
