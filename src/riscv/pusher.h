/* SPDX-License-Identifier: Apache-2.0 */
/* RISCV Ti in a row of .ttinsn: what rv_drain and rv_run do with them, turn by turn, for a core that does nothing else.  As long as a
 * pusher is open it stands for the core's pc, cycle and store queue; rv_pusher_close puts them back as rv_drain and rv_run would have
 * left them, so that they can go on anywhere. */
#ifndef KERR_RISCV_PUSHER_H
#define KERR_RISCV_PUSHER_H

#include "riscv/core.h"

#include "base/bits.h"

typedef struct rv_push {
    uint64_t last;     /* as in store_entry */
    uint64_t earliest; /* it leaves the queue then, or a cycle behind the one before it */
    uint32_t word, pc;
} rv_push;

typedef struct rv_pusher {
    rv_core *core; /* NULL: it is closed */
    rv_bus *bus;
    uint64_t t;    /* of the core */
    uint64_t emit; /* count != 0: when the oldest push wants to leave the queue, or has wanted to */
    uint32_t pc;
    uint32_t executed; /* instructions since it was opened */
    uint32_t left;     /* pushes of the queue that have left it since then */
    uint8_t head, count;
    bool stuck;   /* as in store_queue */
    bool running; /* RV_RUNNING; else it waits for room in the queue */
    bool emptied; /* the queue was empty once */
    bool fuses;   /* those of one line go in one cycle (lsu_may_fuse) */
    bool reserved[2];
    rv_push queue[COST_STORE_QUEUE]; /* a ring */
    const uint8_t *code;             /* the line of the instruction cache that was executed last; NULL: none */
    uint32_t line, limit;            /* of L1 */
    uint32_t changes;                /* of the instruction cache, when these were found */
} rv_pusher;
_Static_assert((COST_STORE_QUEUE & (COST_STORE_QUEUE - 1)) == 0, "a ring");

/* False: the core does or may do anything else, or somebody is told of single instructions. */
bool rv_pusher_open(rv_pusher *p, rv_core *core, rv_bus *bus);
void rv_pusher_close(rv_pusher *p);
bool rv_pusher_find_line(rv_pusher *p);
unsigned rv_pusher_look_ahead(rv_pusher *p, uint64_t opcodes);

static inline rv_push *rv_pusher_at(rv_pusher *p, unsigned i)
{
    return &p->queue[(p->head + i) % COST_STORE_QUEUE];
}

/* The cycle in which it has something to do next; NEVER: it waits for room. */
static inline uint64_t rv_pusher_next(const rv_pusher *p)
{
    const uint64_t head = p->count != 0 && !p->stuck ? p->emit : UINT64_MAX;
    return min64(head, p->running ? p->t : UINT64_MAX);
}

/* The oldest push wants to leave the queue in `cycle`.  One that is stuck may have been offered in a later cycle than this: the core's turns
 * may have been had ahead of time. */
static inline bool rv_pusher_offers(const rv_pusher *p, uint64_t cycle)
{
    return p->count != 0 && p->emit <= cycle;
}

/* It has left (rv_drain, release_followers; attend: a core that waits for room in its queue goes on). */
static inline void rv_pusher_left(rv_pusher *p, uint64_t cycle)
{
    p->stuck = false;
    p->head = (uint8_t)((p->head + 1) % COST_STORE_QUEUE);
    p->left++;
    p->count--;
    p->emptied |= p->count == 0;
    p->emit = max64(p->queue[p->head].earliest, cycle + 1);
    if (!p->running) {
        p->running = true;
        p->t = max64(p->t, cycle);
    }
}

/* manual PushTensixInstruction: the pushed word is the one in memory rotated right by two bits.  False: the next instruction is none
 * of these, or not in the instruction cache. */
static inline bool rv_pusher_word(rv_pusher *p, uint32_t *word)
{
    const bool known =
        p->pc / COST_ICACHE_LINE_BYTES == p->line && p->code != NULL && p->changes == p->core->ic_changes;
    if (__builtin_expect(!known, 0) && !rv_pusher_find_line(p)) {
        return false;
    }
    const uint32_t in_memory = load32(p->code + p->pc % COST_ICACHE_LINE_BYTES);
    *word = in_memory >> 2 | in_memory << 30;
    return (in_memory & 3) != 3;
}

/* How many of the next instructions are pushes for sure, before the first with one of these opcodes. */
static inline unsigned rv_pusher_ahead(rv_pusher *p, uint64_t opcodes)
{
    const rv_bus *bus = p->bus;
    const bool known = p->pc - bus->row_of_pushes.from < bus->row_of_pushes.end - bus->row_of_pushes.from &&
                       bus->row_of_pushes.changes == p->core->ic_changes;
    return __builtin_expect(known, 1) ? (bus->row_of_pushes.end - p->pc) / 4 : rv_pusher_look_ahead(p, opcodes);
}

/* Whether one of these opcodes is among the pushes in the queue. */
static inline bool rv_pusher_holds(rv_pusher *p, uint64_t opcodes)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < p->count; i++) {
        const uint32_t opcode = rv_pusher_at(p, i)->word >> 24;
        any |= opcode < 64 ? opcodes >> opcode & 1 : 0;
    }
    return any != 0;
}

/* The instruction of `cycle` is done; the next one has the same cycle if it goes with it. */
static inline void rv_pusher_done(rv_pusher *p, uint64_t cycle)
{
    p->pc += 4;
    p->executed++;
    const uint32_t place = p->pc % COST_ICACHE_LINE_BYTES;
    const bool fuses = p->fuses && place != 0 && (p->code[place] & 3) != 3;
    p->t = cycle + !fuses;
}

/* The push that the core executes in `cycle` goes behind those in the queue.  False: there is no room for it yet, and the core waits. */
static inline bool rv_pusher_queues(rv_pusher *p, uint32_t word, uint64_t cycle)
{
    if (p->count == COST_STORE_QUEUE) {
        if (p->stuck)
            p->running = false;
        else
            p->t = max64(p->emit, cycle + 1);
        return false;
    }
    p->emit = p->count != 0 ? p->emit : cycle;
    *rv_pusher_at(p, p->count++) = (rv_push){cycle, cycle, word, p->pc};
    rv_pusher_done(p, cycle);
    return true;
}

#endif
