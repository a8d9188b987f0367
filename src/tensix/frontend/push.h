/* SPDX-License-Identifier: Apache-2.0 */
/* A push by RISCV Ti into the first FIFO of its thread, in a header because the tile does it for each .ttinsn. */
#ifndef KERR_TENSIX_PUSH_H
#define KERR_TENSIX_PUSH_H

#include "tensix/frontend/frontend.h"

#include "base/bits.h"

/* A thread that had nothing to do has a look when what was pushed can be at its gate. */
static inline void push_wake(struct tensix *tx, struct tensix_thread *t, uint64_t cycle)
{
    if (t->gate_count != 0 || t->stopped)
        return; /* something stands at the gate already, and whoever holds it up wakes the thread */
    t->due = tensix_due_at(min64(tensix_when(t->due), cycle));
    tx->due = tensix_due_at(min64(tensix_when(tx->due), cycle));
}

static inline bool push_has_room(const struct tensix_thread *t, uint64_t cycle)
{
    const bool in_group = t->in_flight != 0 && t->last_push == cycle;
    return t->in_flight <= TENSIX_FIFO_ALMOST_FULL || (in_group && t->in_flight < TENSIX_FIFO_CAPACITY);
}

static inline void push_append(struct tensix *tx, struct tensix_thread *t, uint32_t word, uint32_t pc, uint64_t cycle)
{
    if (UNLIKELY(opcode_of(word) == OPCODE_RESOURCEDECL)) {
        auto_declare(t, word); /* it goes no further */
        return;
    }
    const unsigned at = (t->fifo_head + t->fifo_count++) % TENSIX_FIFO_CAPACITY;
    t->fifo[at] = (struct tensix_entry){cycle, word, (pc & ~3u) | TENSIX_ENTRY_LAST};
    auto_track(t, at, word);
    t->in_flight++;
    t->last_push = cycle;
    push_wake(tx, t, cycle + COST_TENSIX_MOP_STAGE + COST_TENSIX_REPLAY_STAGE + COST_TENSIX_GATE_STAGE);
}

/* A push of RISCV Ti out of turn.  False: cannot be known yet, it must wait its turn. */
static inline bool tensix_push_early(struct tensix *tx, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    if (!push_has_room(t, cycle))
        return false;
    push_append(tx, t, word, pc, cycle);
    return true;
}

#endif
