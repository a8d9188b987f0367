/* SPDX-License-Identifier: Apache-2.0 */
/* L1 with its watchers: polling cores, embedders, decoded code. */
#include "tile/parts.h"

#include "riscv/lsu.h"

static void announce(struct tile *tile, int core, uint32_t address, const void *data, uint32_t size, uint64_t cycle)
{
    for (unsigned i = 0; i < TILE_WATCHES; i++) {
        const tile_watch *w = &tile->watch[i];
        if (w->id != 0 && address < w->address + w->size && w->address < address + size) {
            kerr_watch_event event = {.cycle = cycle,
                                      .at = tile->at,
                                      .core = (int8_t)(core < 0 ? -1 : core),
                                      .address = address,
                                      .size = size};
            memcpy(&event.value, data, size < 8 ? size : 8);
            w->fn(w->context, &event);
        }
    }
}

static bool line_is_watched(const struct tile *tile, uint32_t line)
{
    const uint32_t address = line << LINE_SHIFT;
    for (unsigned i = 0; i < tile->cores; i++) {
        if (tile->core[i].state == RV_PARKED && rv_park_reads(&tile->core[i], address, 1 << LINE_SHIFT)) {
            return true;
        }
    }
    for (unsigned i = 0; i < TILE_WATCHES; i++) {
        const tile_watch *w = &tile->watch[i];
        if (w->id != 0 && address < w->address + w->size && w->address < address + (1 << LINE_SHIFT)) {
            return true;
        }
    }
    return false;
}

/* Instruction caches follow: the writer's own at once (it stands at this cycle, see rv_run), the others' when they next
 * come into order.  A debugger's poke comes between windows.  What comes over the NoC no cache notices, as on the chip
 * (tt-exalens' test_l1_mem_access rewrites the loop a core spins in, and the core must not see it before its reset). */
static void code_written(struct tile *tile, int core, uint32_t address, unsigned size, uint64_t cycle)
{
    const uint32_t first = address / COST_ICACHE_LINE_BYTES, last = (address + size - 1) / COST_ICACHE_LINE_BYTES;
    for (unsigned i = 0; i < tile->cores; i++) {
        if (!rv_icache_holds(&tile->core[i], first, last)) {
            continue;
        }
        if (core == BY_HOST || core == (int)i) {
            tile_core_wake(tile, i, cycle);
            rv_icache_drop(&tile->core[i], first, last);
            tile->generation[i]++;
        } else {
            tile_core_wake(tile, i, cycle);
            rv_icache_drop_later(&tile->core[i], first, last, cycle);
        }
    }
    for (uint32_t granule = address >> LINE_SHIFT; granule <= (address + size - 1) >> LINE_SHIFT; granule++) {
        const uint32_t line = (granule << LINE_SHIFT) / COST_ICACHE_LINE_BYTES;
        bool held = false;
        for (unsigned i = 0; i < tile->cores; i++) {
            held = held || rv_icache_holds(&tile->core[i], line, line + (1 << LINE_SHIFT) / COST_ICACHE_LINE_BYTES - 1);
        }
        if (!held) {
            tile->line_flags[granule] &= (uint8_t)~LINE_CODE;
        }
    }
}

/* Every write that may concern somebody: polling cores are brought to this cycle before the bytes change, decoded
 * cached code is dropped after. */
void l1_write(void *owner, int core, uint32_t address, const void *data, unsigned size, uint64_t cycle)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    const uint32_t first = address >> LINE_SHIFT, last = (address + size - 1) >> LINE_SHIFT;
    const uint8_t flags = flags_of_lines(tile, first, last);
    if (core == BY_HOST || core == BY_NOC) { /* cores have said so when they issued it, devices before they came here */
        hook_acts(tile, KERR_ACTOR_HOST, cycle);
        hook_l1(tile, address, size, CHECK_WRITE);
    }
    if (flags & LINE_WATCHED) {
        for (unsigned i = 0; i < tile->cores; i++) {
            if (tile->core[i].state == RV_PARKED && rv_park_reads(&tile->core[i], address, size)) {
                /* An access in a core's own turn comes after the turns of the cores before it; a store from a queue
                 * comes before them all. */
                tile_core_wake(tile, i, cycle + (tile->in_turn && (int)i < core));
            }
        }
        announce(tile, core, address, data, size, cycle);
        for (uint32_t line = first; line <= last; line++) {
            if (!line_is_watched(tile, line)) {
                tile->line_flags[line] &= (uint8_t)~LINE_WATCHED;
            }
        }
    }
    touch_pages(tile, address, size);
    memcpy(tile->l1 + address, data, size);
    if ((flags & LINE_CODE) && core != BY_NOC) {
        code_written(tile, core, address, size, cycle);
    }
}

void l1_write_in_turn(void *owner, int core, uint32_t address, const void *data, unsigned size, uint64_t cycle)
{
    struct tile *tile = owner;
    tile->in_turn = true;
    l1_write(owner, core, address, data, size, cycle);
    tile->in_turn = false;
}

bool tile_l1_write(struct tile *tile, uint32_t address, const void *data, unsigned size, uint64_t cycle)
{
    if (CHECKED(tile)) {
        const bool same = size <= CHECK_SAME_BYTES && memcmp(tile->l1 + address, data, size) == 0;
        hook_l1(tile, address, size, CHECK_WRITE | (same ? CHECK_SAME : 0));
    }
    if (LIKELY(flags_of_lines(tile, address >> LINE_SHIFT, (address + size - 1) >> LINE_SHIFT) == 0)) {
        touch_pages(tile, address, size);
        memcpy(tile->l1 + address, data, size);
        return false;
    }
    l1_write(tile, BY_DEVICE, address, data, size, cycle);
    return true;
}

uint8_t *tile_l1_unheeded(struct tile *tile, uint32_t address, unsigned size)
{
    if (flags_of_lines(tile, address >> LINE_SHIFT, (address + size - 1) >> LINE_SHIFT) != 0)
        return NULL;
    touch_pages(tile, address, size);
    return tile->l1 + address;
}
