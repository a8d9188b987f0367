/* SPDX-License-Identifier: Apache-2.0 */
#include "riscv/pusher.h"

#include "riscv/icache.h"
#include "riscv/lsu.h"
#include "tile_regs.h"

bool rv_pusher_may(const rv_core *core, const rv_bus *bus)
{
    const bool watched = bus->trace != NULL || bus->breakpoint != NULL || bus->watchpoint != NULL ||
                         bus->enters != NULL || bus->shake != NULL || core->single_step;
    const bool waits = core->state == RV_WAITING && core->stores.stuck;
    return !watched && (core->state == RV_RUNNING || waits) && bus->push != NULL && !core->interrupt_line &&
           core->long_done == 0 && !core->blocked.active && !(core->cfg0 & CFG0_SYNC_ALL_OPS) &&
           !((core->pmacfg[0] | core->pmacfg[1]) & 1) && rv_only_pushes(core);
}

const uint8_t *rv_pusher_line(rv_pusher *p, uint32_t line)
{
    const bool there = (p->core->pc & 3) == 0 && p->core->pc < p->limit && icache_has(p->core, line);
    return there ? icache_line(p->core, line) : NULL;
}

bool rv_pusher_queues(rv_pusher *p, uint32_t word, uint64_t cycle)
{
    rv_core *core = p->core;
    store_queue *q = &core->stores;
    if (q->count >= COST_STORE_QUEUE) {
        if (q->stuck) {
            core->state = RV_WAITING;
            core->wait_address = INSTRN_BUF_BASE;
            return false;
        }
        const uint64_t room = rv_pusher_entry(p, q->count - COST_STORE_QUEUE)->emit;
        if (room > cycle) { /* what leaves the queue is in order */
            core->t = room;
            return false;
        }
    }
    const uint64_t behind = q->count != 0 ? rv_pusher_entry(p, q->count - 1)->emit + 1 : 0;
    *rv_pusher_entry(p, q->count) = (store_entry){.last = cycle,
                                                  .emit = max64(cycle, behind),
                                                  .line = INSTRN_BUF_BASE,
                                                  .last_address = INSTRN_BUF_BASE,
                                                  .device = 4,
                                                  .pc = core->pc};
    store32(rv_pusher_entry(p, q->count++)->data, word);
    q->watched = true;
    rv_pusher_done(p, cycle);
    return true;
}
