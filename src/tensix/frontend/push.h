/* SPDX-License-Identifier: Apache-2.0 */
/* A push by RISCV Ti into the first FIFO of its thread, in a header because the tile does it for each .ttinsn. */
#ifndef KERR_TENSIX_PUSH_H
#define KERR_TENSIX_PUSH_H

#include "tensix/frontend/frontend.h"

#include "base/bits.h"
#include "tensix/tensix.h"

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

/* When what is pushed in `cycle` can be at the gate. */
static inline uint64_t push_at_gate(uint64_t cycle)
{
    return cycle + COST_TENSIX_MOP_STAGE + COST_TENSIX_REPLAY_STAGE + COST_TENSIX_GATE_STAGE;
}

/* A push behind a load of this core that waits: one that ends in an expander never comes to the gate, where the load would be
 * told.  So it is told here, and says anew what it waits for. */
static inline void push_tell(struct tensix *tx, struct tensix_thread *t, uint64_t cycle)
{
    if (UNLIKELY((t->waiting & (TENSIX_WAITS_DONE | TENSIX_WAITS_AUTO)) != 0) && tensix_may_swallow(t))
        tensix_notify(tx, (unsigned)(t - tx->thread), cycle + 1);
}

/* There is room, and the thread has other things to do before it comes to this one.  Not RESOURCEDECL. */
static inline void push_behind(struct tensix_thread *t, uint32_t word, uint32_t pc, uint64_t cycle)
{
    const unsigned at = (t->fifo_head + t->fifo_count++) % TENSIX_FIFO_CAPACITY;
    t->fifo[at] = (struct tensix_entry){cycle, word, (pc & ~3u) | TENSIX_ENTRY_LAST};
    auto_track(t, at, word);
    t->in_flight++;
    t->unlooked = (uint8_t)min64(t->unlooked + 1u, TENSIX_FIFO_CAPACITY);
    t->last_push = cycle;
}

static inline void push_append(struct tensix *tx, struct tensix_thread *t, uint32_t word, uint32_t pc, uint64_t cycle)
{
    if (UNLIKELY(opcode_of(word) == OPCODE_RESOURCEDECL)) {
        auto_declare(t, word); /* it goes no further */
        return;
    }
    push_behind(t, word, pc, cycle);
    push_wake(tx, t, push_at_gate(cycle));
    push_tell(tx, t, cycle);
}

/* A row of pushes, as many as there is room for whatever the coprocessor does in the meantime.  The caller gives the words
 * one by one: push_next(row) while push_takes(row, word), and push_end if there was any. */
struct push_row {
    struct tensix_thread *t;
    uint64_t cycle, last;
    unsigned at, count, in_flight;
};

static inline struct push_row push_begin(struct tensix_thread *t, uint64_t cycle)
{
    return (struct push_row){
        .t = t, .cycle = cycle, .last = t->last_push, .at = t->fifo_head + t->fifo_count, .in_flight = t->in_flight};
}

static inline bool push_takes(const struct push_row *row, uint32_t word)
{
    const bool room =
        row->in_flight <= TENSIX_FIFO_ALMOST_FULL || (row->last == row->cycle && row->in_flight < TENSIX_FIFO_CAPACITY);
    return room && LIKELY(opcode_of(word) != OPCODE_RESOURCEDECL);
}

static inline void push_next(struct push_row *row, uint32_t word, uint32_t pc)
{
    const unsigned at = row->at++ % TENSIX_FIFO_CAPACITY;
    row->t->fifo[at] = (struct tensix_entry){row->cycle, word, (pc & ~3u) | TENSIX_ENTRY_LAST};
    auto_track(row->t, at, word);
    row->last = row->cycle;
    row->in_flight++;
    row->count++;
}

static inline void push_end(struct tensix *tx, const struct push_row *row, uint64_t first)
{
    struct tensix_thread *t = row->t;
    t->fifo_count = (uint8_t)(t->fifo_count + row->count);
    t->in_flight = (uint8_t)row->in_flight;
    t->unlooked = (uint8_t)min64(t->unlooked + row->count, TENSIX_FIFO_CAPACITY);
    t->last_push = row->last;
    push_wake(tx, t, push_at_gate(first));
    push_tell(tx, t, first);
}

#endif
