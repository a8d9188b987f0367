/* SPDX-License-Identifier: Apache-2.0 */
#include "riscv/pusher.h"

#include "riscv/icache.h"
#include "riscv/lsu.h"
#include "tile_regs.h"

static bool is_undisturbed(const rv_core *core, const rv_bus *bus)
{
    const bool watched = bus->trace != NULL || bus->breakpoint != NULL || bus->watchpoint != NULL ||
                         bus->enters != NULL || bus->shake != NULL || core->single_step;
    return !watched && bus->push != NULL && !core->interrupt_line && core->long_done == 0 && !core->blocked.active &&
           !(core->cfg0 & CFG0_SYNC_ALL_OPS) && !((core->pmacfg[0] | core->pmacfg[1]) & 1);
}

bool rv_pusher_open(rv_pusher *p, rv_core *core, rv_bus *bus)
{
    const store_queue *q = &core->stores;
    const bool waits = core->state == RV_WAITING && q->stuck;
    if (!(waits || core->state == RV_RUNNING) || q->count > COST_STORE_QUEUE || q->exact ||
        !is_undisturbed(core, bus) || !rv_only_pushes(core)) {
        return false;
    }
    *p = (rv_pusher){.core = core,
                     .bus = bus,
                     .t = core->t,
                     .pc = core->pc,
                     .count = (uint8_t)q->count,
                     .stuck = q->stuck,
                     .running = !waits,
                     .fuses = lsu_may_fuse(core),
                     .emit = q->entry[q->head % STORE_RING].emit,
                     .limit = bus->l1_size};
    for (unsigned i = 0; i < q->count; i++) {
        const store_entry *e = &q->entry[(q->head + i) % STORE_RING];
        p->queue[i] = (rv_push){e->last, e->emit, load32(e->data), e->pc};
    }
    return true;
}

void rv_pusher_close(rv_pusher *p)
{
    rv_core *core = p->core;
    store_queue *q = &core->stores;
    q->head = (q->head + p->left) % STORE_RING;
    q->count = p->count;
    q->stuck = p->stuck;
    q->watched = p->count != 0;
    q->filter = p->emptied ? 0 : q->filter;
    uint64_t emit = p->emit;
    for (unsigned i = 0; i < p->count; i++, emit++) {
        const rv_push *push = rv_pusher_at(p, i);
        emit = i != 0 ? max64(push->earliest, emit) : emit;
        store_entry *e = &q->entry[(q->head + i) % STORE_RING];
        *e = (store_entry){.last = push->last,
                           .emit = emit,
                           .line = INSTRN_BUF_BASE,
                           .last_address = INSTRN_BUF_BASE,
                           .device = 4,
                           .pc = push->pc};
        store32(e->data, push->word);
    }
    core->state = p->running ? RV_RUNNING : RV_WAITING;
    core->wait_address = p->running ? core->wait_address : INSTRN_BUF_BASE;
    core->t = p->t;
    core->pc = p->pc;
    core->instret += p->executed;
    core->sequential = core->sequential || p->executed != 0;
    core->side_effect = true;
    p->core = NULL;
}

bool rv_pusher_find_line(rv_pusher *p)
{
    p->line = p->pc / COST_ICACHE_LINE_BYTES;
    p->changes = p->core->ic_changes;
    const bool there = (p->pc & 3) == 0 && p->pc < p->limit && icache_has(p->core, p->line);
    p->code = there ? icache_line(p->core, p->line) : NULL;
    return there;
}

unsigned rv_pusher_look_ahead(rv_pusher *p, uint64_t opcodes)
{
    enum { MOST = 256 };
    rv_pusher ahead = *p;
    unsigned count = 0;
    for (uint32_t word; count < MOST && rv_pusher_word(&ahead, &word); count++, ahead.pc += 4) {
        if (word >> 24 < 64 && (opcodes >> (word >> 24) & 1)) {
            break;
        }
    }
    if (count == 0) { /* what is known of others stays */
        return 0;
    }
    p->bus->row_of_pushes.from = p->pc;
    p->bus->row_of_pushes.end = p->pc + 4 * count;
    p->bus->row_of_pushes.changes = p->core->ic_changes;
    return count;
}
