/* SPDX-License-Identifier: Apache-2.0 */
#include "riscv/push_row.h"

#include "base/bits.h"
#include "riscv/icache.h"
#include "riscv/lsu.h"
#include "tile_regs.h"

static uint32_t word_at(const rv_core *core, uint32_t pc)
{
    return load32(icache_line(core, pc / COST_ICACHE_LINE_BYTES) + pc % COST_ICACHE_LINE_BYTES);
}

/* manual PushTensixInstruction: the pushed word is the one in memory rotated right by two bits. */
static uint32_t pushed_by(uint32_t word)
{
    return word >> 2 | word << 30;
}

/* Pushes of which one leaves in each cycle from `cycle` on, or none at all.  If there is one, the next .ttinsn finds the queue empty and
 * goes with it. */
static bool queue_is_steady(const store_queue *q, uint64_t cycle)
{
    if (q->count == 1 || q->count > COST_STORE_QUEUE || q->stuck || q->exact)
        return false;
    for (uint32_t i = 0; i < q->count; i++) {
        const store_entry *e = &q->entry[(q->head + i) % STORE_RING];
        if (!e->device || e->line != INSTRN_BUF_BASE || e->emit != cycle + i)
            return false;
    }
    return true;
}

/* Nobody is told of single instructions, and none takes longer than its cycle. */
static bool is_undisturbed(const rv_core *core, const rv_bus *bus)
{
    const bool watched = bus->trace != NULL || bus->breakpoint != NULL || bus->watchpoint != NULL ||
                         bus->enters != NULL || bus->shake != NULL || core->single_step;
    return !watched && core->state == RV_RUNNING && bus->push != NULL && !core->interrupt_line &&
           core->long_done == 0 && !core->blocked.active && !(core->cfg0 & CFG0_SYNC_ALL_OPS) &&
           !((core->pmacfg[0] | core->pmacfg[1]) & 1) && !lsu_may_fuse(core);
}

unsigned rv_push_row_length(const rv_core *core, const rv_bus *bus, uint64_t cycle, unsigned most, unsigned ends)
{
    if (core->t != cycle || !is_undisturbed(core, bus) || !queue_is_steady(&core->stores, cycle) ||
        (core->pc & 3) != 0 || core->pc >= bus->l1_size - 4 * most)
        return 0;
    unsigned count = 0;
    for (uint32_t pc = core->pc; count < most; count++, pc += 4) {
        if ((count == 0 || pc % COST_ICACHE_LINE_BYTES == 0) && !icache_has(core, pc / COST_ICACHE_LINE_BYTES))
            break;
        const uint32_t word = word_at(core, pc);
        if ((word & 3) == 3 || pushed_by(word) >> 24 == ends)
            break;
    }
    return count;
}

void rv_push_row(rv_core *core, uint64_t cycle, unsigned count, rv_pushed *pushed)
{
    store_queue *q = &core->stores;
    for (unsigned i = 0; i < count; i++, cycle++, core->pc += 4) {
        const uint32_t word = pushed_by(word_at(core, core->pc));
        if (q->count == 0) {
            pushed[i] = (rv_pushed){word, core->pc};
            continue;
        }
        const store_entry *head = &q->entry[q->head];
        pushed[i] = (rv_pushed){load32(head->data), head->pc};
        store_entry *e = &q->entry[(q->head + q->count) % STORE_RING];
        q->head = (q->head + 1) % STORE_RING;
        *e = (store_entry){.last = cycle,
                           .emit = cycle + q->count,
                           .line = INSTRN_BUF_BASE,
                           .last_address = INSTRN_BUF_BASE,
                           .device = 4,
                           .pc = core->pc};
        store32(e->data, word);
    }
    core->t += count;
    core->instret += count;
    core->sequential = true;
    core->side_effect = true;
}
