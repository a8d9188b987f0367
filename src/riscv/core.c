/* SPDX-License-Identifier: Apache-2.0 */
/* Power-on and reset of a baby core (manual BabyRISCV/README "Local Data RAM", CSRs "cfg0"). */
#include "riscv/core.h"

#include "kerr.h"

#include <string.h>

void rv_set_cfg0(rv_core *core, uint32_t value)
{
    const uint32_t timer = value >> CFG0_ST_MERGE_TIMER_SHIFT & 31;
    core->cfg0 = value;
    core->never_merges = (value & CFG0_DIS_ST_MERGE) || core->slow_mode;
    core->merge_cycles = core->never_merges || timer == 0 ? 1 : (uint8_t)timer;
    if (value & CFG0_DIS_LOW_CASH) {
        /* OPEN: whether lines survive while the cache is off; we drop them. */
        memset(core->l0.tag, 0, sizeof core->l0.tag);
    }
}

/* Of the slow mode's effects (manual WormholeB0 DebugInterface, "Slow execution mode") the one that others can see: the
 * store queue has one place, so each store is emitted before the next memory operation.  A store that waited for
 * company could not be; tt-exalens' test_halt_continue watches a loop of stores to one word. */
void rv_set_slow_mode(rv_core *core, bool on)
{
    core->slow_mode = on;
    rv_set_cfg0(core, core->cfg0);
}

void rv_core_power_on(rv_core *core, unsigned kind, unsigned index)
{
    /* The memory is fresh zeroes; touch little of it (140 tiles start in milliseconds). */
    core->kind = (uint8_t)kind;
    core->index = (uint8_t)index;
    core->state = RV_IN_RESET;
    core->local_size = kind == KERR_CORE_B || kind == KERR_CORE_NC ? 8192 : 4096;
    rv_set_cfg0(core, 16u << CFG0_ST_MERGE_TIMER_SHIFT);
    core->vec.vlenb = 16;
}

void rv_core_release(rv_core *core, uint32_t pc, bool keep_local, uint64_t cycle)
{
    const unsigned kind = core->kind, index = core->index;
    const uint64_t requests = core->l0.requests, flush_at = core->l0.flush_at;
    const bool interrupt_line = core->interrupt_line; /* the PIC's, not the core's */
    const bool slow_mode = core->slow_mode;           /* the debug interface's */
    const uint32_t interrupt_vector = core->interrupt_vector;
    memset(core, 0, offsetof(rv_core, local));
    if (!keep_local) {
        memset(core->local, 0, sizeof core->local);
    }
    rv_core_power_on(core, kind, index);
    /* The generator of cache flushes runs on: it is keyed by the number of the request. */
    core->l0.requests = requests;
    core->l0.flush_at = flush_at;
    core->interrupt_line = interrupt_line;
    core->interrupt_vector = interrupt_vector;
    rv_set_slow_mode(core, slow_mode);
    core->pc = pc;
    core->t = cycle;
    core->state = RV_RUNNING;
    core->mcycle_offset = cycle;
    core->local_ready = keep_local ? cycle : cycle + COST_LOCAL_RAM_CLEAR;
}
