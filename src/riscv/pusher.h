/* SPDX-License-Identifier: Apache-2.0 */
/* RISCV Ti in a row of .ttinsn, one cycle after the other: what rv_drain and rv_run do with them in one of its turns, for a core
 * that does nothing else.  The core's state is the one that they would leave, after each step, so that they can go on anywhere. */
#ifndef KERR_RISCV_PUSHER_H
#define KERR_RISCV_PUSHER_H

#include "riscv/core.h"

#include "base/bits.h"

/* A core whose turns are had like this. */
typedef struct rv_pusher {
    rv_core *core;
    const uint8_t *code;  /* the line of the instruction cache that was executed last; NULL: none */
    uint32_t line, limit; /* of L1 */
    bool fuses;           /* those of one line go in one cycle (lsu_may_fuse) */
} rv_pusher;

/* pusher.c.  Nobody is told of single instructions, none takes longer than its cycle, and all that is in the queue are pushes. */
bool rv_pusher_may(const rv_core *core, const rv_bus *bus);
const uint8_t *rv_pusher_line(rv_pusher *p, uint32_t line);

static inline store_entry *rv_pusher_entry(rv_pusher *p, uint32_t i)
{
    store_queue *q = &p->core->stores;
    return &q->entry[(q->head + i) % STORE_RING];
}

/* The cycle in which it has something to do next; NEVER: it waits for room. */
static inline uint64_t rv_pusher_next(const rv_pusher *p)
{
    const rv_core *core = p->core;
    const store_queue *q = &core->stores;
    const uint64_t head = q->count != 0 && !q->stuck ? q->entry[q->head].emit : UINT64_MAX;
    return min64(head, core->state == RV_RUNNING ? core->t : UINT64_MAX);
}

/* The oldest push wants to leave the queue in `cycle`. */
static inline bool rv_pusher_offers(const rv_pusher *p, uint64_t cycle)
{
    const store_queue *q = &p->core->stores;
    return q->count != 0 && (q->stuck || q->entry[q->head].emit <= cycle);
}

/* It has left (rv_drain, release_followers; attend: a core that waits for room in its queue goes on). */
static inline void rv_pusher_left(rv_pusher *p, uint64_t cycle)
{
    rv_core *core = p->core;
    store_queue *q = &core->stores;
    if (q->stuck) {
        uint64_t emit = rv_pusher_entry(p, 0)->emit = cycle;
        for (uint32_t i = 1; i < q->count; i++) {
            store_entry *e = rv_pusher_entry(p, i);
            emit = e->emit = max64(e->emit, emit + 1);
        }
        q->stuck = false;
    }
    q->head = (q->head + 1) % STORE_RING;
    if (--q->count == 0) {
        q->filter = 0;
        q->watched = false;
        q->exact = false;
    }
    if (core->state == RV_WAITING) {
        core->state = RV_RUNNING;
        core->t = max64(core->t, cycle);
    }
}

/* manual PushTensixInstruction: the pushed word is the one in memory rotated right by two bits.  False: the next instruction is none
 * of these, or not in the instruction cache. */
static inline bool rv_pusher_word(rv_pusher *p, uint32_t *word)
{
    const uint32_t pc = p->core->pc, line = pc / COST_ICACHE_LINE_BYTES;
    if (__builtin_expect(line != p->line || p->code == NULL, 0)) {
        p->code = rv_pusher_line(p, line);
        p->line = line;
        if (p->code == NULL) {
            return false;
        }
    }
    const uint32_t in_memory = load32(p->code + pc % COST_ICACHE_LINE_BYTES);
    *word = in_memory >> 2 | in_memory << 30;
    return (in_memory & 3) != 3;
}

/* The instruction of `cycle` is done; the next one has the same cycle if it goes with it. */
static inline void rv_pusher_done(rv_pusher *p, uint64_t cycle)
{
    rv_core *core = p->core;
    core->pc += 4;
    core->instret++;
    const uint32_t place = core->pc % COST_ICACHE_LINE_BYTES;
    const bool fuses = p->fuses && place != 0 && (p->code[place] & 3) != 3;
    core->t = cycle + !fuses;
    core->sequential = true;
    core->side_effect = true;
}

/* The push that the core executes in `cycle` goes behind those in the queue.  False: there is no room for it yet, and the core waits. */
bool rv_pusher_queues(rv_pusher *p, uint32_t word, uint64_t cycle);

#endif
