/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction cache of a baby core: two ways of 128 sets of 16 bytes, first in first out.
 *
 * Size and shape are derived from silicon (isa/costs.tbl); the manual has no Blackhole page.  The core executes
 * what is in here, and fetching a line is an access to L1 like any other, in order of time with the other cores.
 * The real cache does not notice writes at all (manual WormholeB0 InstructionCache: software invalidates it).  Ours
 * does not notice the host's (tests of tt-exalens rely on that), but those of cores and of packets, so
 * that rewritten code works without: a core's own store at the cycle when it becomes visible, another core's at
 * the next access to L1 or a device after that.  Neither depends on how far ahead of the others a core has run.
 * OPEN: stale lines as on a card; firmware and kernels invalidate, so none should see the difference. */
#include "riscv/icache.h"

#include "base/bits.h"
#include "riscv/block.h"

#include <string.h>

static int way_of(const rv_core *core, uint32_t line)
{
    const uint32_t set = line % COST_ICACHE_SETS;
    for (int way = 0; way < COST_ICACHE_WAYS; way++) {
        if (core->ic_tag[set][way] == line + 1) {
            return way;
        }
    }
    return -1;
}

bool icache_has(const rv_core *core, uint32_t line)
{
    return way_of(core, line) >= 0;
}

const uint8_t *icache_line(const rv_core *core, uint32_t line)
{
    return core->ic_data[line % COST_ICACHE_SETS][way_of(core, line)];
}

/* The blocks that were made of a line that goes. */
static void forget_blocks(rv_bus *bus, uint32_t line)
{
    const uint32_t begin = line * COST_ICACHE_LINE_BYTES / 4, end = begin + COST_ICACHE_LINE_BYTES / 4;
    for (uint32_t word = begin < BLOCK_MAX - 1 ? 0 : begin - (BLOCK_MAX - 1); word < end; word++) {
        rv_lookup *slot = &bus->lookup[word % LOOKUP_ENTRIES];
        if (slot->pc == word * 4 && slot->generation == *bus->generation && slot->block != NULL &&
            word + slot->block->count > begin) {
            slot->block = NULL;
        }
    }
}

void icache_fill(rv_core *core, rv_bus *bus, uint32_t line)
{
    const uint32_t set = line % COST_ICACHE_SETS;
    const unsigned way = core->ic_victim[set];
    if (core->ic_tag[set][way] != 0) {
        forget_blocks(bus, core->ic_tag[set][way] - 1);
    }
    core->ic_tag[set][way] = line + 1;
    memcpy(core->ic_data[set][way], bus->l1 + line * COST_ICACHE_LINE_BYTES, COST_ICACHE_LINE_BYTES);
    core->ic_victim[set] = (uint8_t)((way + 1) % COST_ICACHE_WAYS);
    core->ic_changes++;
    bus->line_flags[line * COST_ICACHE_LINE_BYTES >> LINE_SHIFT] |= LINE_CODE;
}

bool rv_icache_holds(const rv_core *core, uint32_t first_line, uint32_t last_line)
{
    for (uint32_t line = first_line; line <= last_line; line++) {
        if (icache_has(core, line)) {
            return true;
        }
    }
    return false;
}

void rv_icache_drop(rv_core *core, uint32_t first_line, uint32_t last_line)
{
    core->ic_changes++;
    if (last_line - first_line >= COST_ICACHE_SETS) {
        for (uint32_t set = 0; set < COST_ICACHE_SETS; set++) {
            for (unsigned way = 0; way < COST_ICACHE_WAYS; way++) {
                const uint32_t line = core->ic_tag[set][way] - 1;
                if (core->ic_tag[set][way] != 0 && line >= first_line && line <= last_line) {
                    core->ic_tag[set][way] = 0;
                }
            }
        }
        return;
    }
    for (uint32_t line = first_line; line <= last_line; line++) {
        const int way = way_of(core, line);
        if (way >= 0) {
            core->ic_tag[line % COST_ICACHE_SETS][way] = 0;
        }
    }
}

void rv_icache_drop_later(rv_core *core, uint32_t first_line, uint32_t last_line, uint64_t at)
{
    for (uint32_t i = 0; i < core->ic_pending_count; i++) {
        if (core->ic_pending[i].first <= first_line && core->ic_pending[i].last >= last_line) {
            return; /* dropped at the earlier cycle, fetched anew after both */
        }
    }
    if (core->ic_pending_count == IC_PENDING) {
        /* One wide range for all of them. */
        for (uint32_t i = 0; i < IC_PENDING; i++) {
            first_line = first_line < core->ic_pending[i].first ? first_line : core->ic_pending[i].first;
            last_line = last_line > core->ic_pending[i].last ? last_line : core->ic_pending[i].last;
        }
        at = core->ic_pending[0].at;
        core->ic_pending_count = 0;
    }
    core->ic_pending[core->ic_pending_count].first = first_line;
    core->ic_pending[core->ic_pending_count].last = last_line;
    core->ic_pending[core->ic_pending_count++].at = at;
}

void icache_drop_pending(rv_core *core, rv_bus *bus, uint64_t now)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < core->ic_pending_count; i++) {
        if (core->ic_pending[i].at <= now) {
            rv_icache_drop(core, core->ic_pending[i].first, core->ic_pending[i].last);
            ++*bus->generation;
        } else {
            core->ic_pending[kept++] = core->ic_pending[i];
        }
    }
    core->ic_pending_count = kept;
}
