/* SPDX-License-Identifier: Apache-2.0 */
/* Load/Store Unit of a baby core: store queue, slots for loads in flight, L0 data cache, local data RAM
 * (manual BabyRISCV/README "Load/Store Unit", "L0 Data Cache"; MemoryOrdering). */
#ifndef KERR_RISCV_LSU_H
#define KERR_RISCV_LSU_H

#include "base/bits.h"
#include "kerr.h"
#include "riscv/block.h"
#include "riscv/core.h"

typedef enum lsu_result {
    LSU_DONE = 0,
    LSU_SHARED,  /* not done: *now is at or past the shared limit */
    LSU_STATE,   /* not done: the core's state has changed (waiting, stopped) */
    LSU_CAREFUL, /* done, but what follows must look at every register */
    LSU_EVENT,   /* done, and the tile should look */
} lsu_result;

/* One lap of a loop, as rv_park_step records it. */
typedef struct lsu_lap {
    uint32_t watches;
    bool spoiled; /* too many places, or something that cannot be watched */
    bool clock;   /* it has loaded from the clock, any part of it */
    bool follows; /* the last load was one of its low half */
    bool sampled; /* such a load has been: then the high half's sample is known */
    bool unknown; /* it has loaded a sample that was not */
    struct {
        uint32_t address, size, raw; /* raw: what was there, as L1 has it */
    } watch[8];
} lsu_lap;

/* The general load and store.  *now is the cycle of issue; delays move it, also when the result is not DONE,
 * so that the same instruction may simply be offered again. */
lsu_result lsu_load(rv_core *core, rv_bus *bus, lsu_lap *lap, const rv_decoded *op, uint32_t address, unsigned size,
                    bool sign, uint64_t *now, uint64_t shared_limit);
lsu_result lsu_store(rv_core *core, rv_bus *bus, const rv_decoded *op, uint32_t address, unsigned size, uint32_t value,
                     uint64_t *now, uint64_t shared_limit);
/* Whether the instruction cache hands over .ttinsn together with the ones behind them: T cores only, unless DisTriscCache
 * is set.  OPEN: the manual says "up to four adjacent"; that they share a cache line is our reading. */
static inline bool lsu_may_fuse(const rv_core *core)
{
    return !(core->cfg0 & CFG0_DIS_TRISC_CACHE) && core->kind >= KERR_CORE_T0 && core->kind <= KERR_CORE_T2;
}
/* .ttinsn at `op`, and up to `most` with those that stand behind it; *more: how many of them. */
lsu_result lsu_push(rv_core *core, rv_bus *bus, const rv_decoded *op, unsigned most, unsigned *more, uint64_t *now,
                    uint64_t shared_limit);
lsu_result lsu_atomic(rv_core *core, rv_bus *bus, const rv_decoded *op, uint64_t *now, uint64_t shared_limit);
lsu_result lsu_fence(rv_core *core, rv_bus *bus, uint64_t *now, uint64_t shared_limit);
lsu_result lsu_vector(rv_core *core, rv_bus *bus, const rv_decoded *op, uint64_t *now, uint64_t shared_limit);

/* Bytes of L1 as this core will find them: with what is in its queue. */
void lsu_read_own(const rv_core *core, const rv_bus *bus, uint32_t address, unsigned size, void *data);
/* A debugger writes there too: what is in the queue is not to undo it. */
void lsu_write_own(rv_core *core, uint32_t address, unsigned size, const uint8_t *data);

/* Whether a store in the queue has any of these bytes (the filter says perhaps). */
bool lsu_conflicts(const rv_core *core, uint32_t address, unsigned size);

/* Whether a store in the queue concerns these bytes. */
bool lsu_code_on_its_way(rv_core *core, uint32_t first, uint32_t end);
/* No store of this core becomes visible before, whatever it does next. */
uint64_t lsu_earliest_visible(const rv_core *core);

/* The hold time of a slot when loads come in a stream (sixteenths). */
uint64_t lsu_stream_hold(rv_core *core, rv_bus *bus, uint64_t now);

/* The short cut for a plain store to L1: true if that was all there was to it. */
bool lsu_quick_store_4(rv_core *core, rv_bus *bus, uint32_t address, uint32_t value, uint64_t now);
bool lsu_quick_store_2(rv_core *core, rv_bus *bus, uint32_t address, uint32_t value, uint64_t now);
bool lsu_quick_store_1(rv_core *core, rv_bus *bus, uint32_t address, uint32_t value, uint64_t now);

/* Queues a store to L1 that lies within one 16-byte line.  Returns 0, or the cycle until which it must wait
 * because the queue is full. */
uint64_t lsu_queue_l1(rv_core *core, rv_bus *bus, uint32_t address, unsigned size, const void *data, uint64_t now);

/* The number of the first request at or after this one that flushes the L0 data cache, and how many flushed
 * before it: what a parked loop needs to advance in closed form. */
uint64_t rv_l0_flush_after(const rv_bus *bus, uint64_t request);
uint64_t rv_l0_flushes_before(const rv_bus *bus, uint64_t request);

static inline unsigned lsu_port(unsigned index)
{
    /* T1 and T2 share an access port (silicon: rv_store_spread with three threads takes twice as long on these
     * two).  OPEN: whether B and NC share one; a card with both storing would settle it.  The same for
     * E0 and E1, which get one each. */
    static const uint8_t port[8] = {0, 1, 2, 2, 3};
    return port[index];
}

static inline uint64_t lsu_slot_hold(unsigned kind)
{
    return kind == 0 /* B */ ? COST_L1_LOAD_HOLD_B_16 : COST_L1_LOAD_HOLD_16;
}

/* The bit of store_queue.filter for the word at an address; neighbouring buffers should not share bits. */
static inline unsigned lsu_filter_bit(uint32_t address)
{
    return (address >> 2 ^ address >> 8 ^ address >> 14) & 63;
}

static inline bool lsu_may_conflict(const rv_core *core, uint32_t address)
{
    return core->stores.filter >> lsu_filter_bit(address) & 1;
}

/* The L0 data cache has the line, and this request is not the one that flushes it. */
static inline bool lsu_hits_l0(const rv_core *core, uint32_t address)
{
    return core->l0.tag[address >> 4 & (L0_LINES - 1)] == (address >> 4) + 1 && core->l0.requests != core->l0.flush_at;
}

static inline const uint8_t *lsu_l0_byte(const rv_core *core, uint32_t address)
{
    return core->l0.data[address >> 4 & (L0_LINES - 1)] + (address & 15);
}

static inline void lsu_settle(rv_core *core, unsigned rd, uint64_t ready)
{
    core->ready[rd] = ready;
    core->settled = max64(core->settled, ready);
}

#endif
