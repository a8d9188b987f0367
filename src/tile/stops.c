/* SPDX-License-Identifier: Apache-2.0 */
/* A debugger's stops (kerr.h): cores that come by are noted, nothing else. */
#include "base/bits.h"
#include "tile/tile.h"

static void note(struct tile *tile, uint32_t which, uint32_t pc, uint64_t cycle)
{
    struct tile_stops *s = &tile->stops;
    const kerr_stop_hit hit = {.cycle = cycle, .index = s->list[which].index, .pc = pc};
    if (cycle < s->first.cycle) { /* cores of a tile may run ahead of each other */
        s->first = hit;
    }
    if (s->last.index == UINT32_MAX || cycle >= s->last.cycle) {
        s->last = hit;
    }
}

void tile_stop_at_pc(struct tile *tile, unsigned core, uint32_t pc, uint64_t cycle)
{
    for (uint32_t i = 0; i < tile->stops.count; i++) {
        const kerr_stop *stop = &tile->stops.list[i].stop;
        if (stop->core == core &&
            (stop->kind == KERR_STOP_STEP || (stop->kind == KERR_STOP_PC && stop->address == pc))) {
            note(tile, i, pc, cycle);
        }
    }
}

void tile_stop_at_access(struct tile *tile, unsigned core, uint32_t address, unsigned size, bool is_store,
                         uint64_t cycle)
{
    for (uint32_t i = 0; i < tile->stops.count; i++) {
        const kerr_stop *stop = &tile->stops.list[i].stop;
        const bool wanted =
            stop->kind == KERR_STOP_ACCESS || stop->kind == (is_store ? KERR_STOP_WRITE : KERR_STOP_READ);
        if (stop->core == core && wanted && address - stop->address + (size - 1u) < stop->size + (size - 1u)) {
            note(tile, i, tile->core[core].pc, cycle);
        }
    }
}

static bool has(const struct tile *tile, unsigned core, bool access)
{
    for (uint32_t i = 0; i < tile->stops.count; i++) {
        const kerr_stop *stop = &tile->stops.list[i].stop;
        if (stop->core == core && (stop->kind >= KERR_STOP_READ) == access) {
            return true;
        }
    }
    return false;
}

bool tile_stops_pc(const struct tile *tile, unsigned core)
{
    return has(tile, core, false);
}

bool tile_stops_access(const struct tile *tile, unsigned core)
{
    return has(tile, core, true);
}

void tile_note_stops(struct tile *tile, uint64_t now)
{
    tile->stops.first = tile->stops.last = (kerr_stop_hit){.cycle = NEVER, .index = UINT32_MAX};
    for (unsigned i = 0; i < tile->cores; i++) {
        const bool had = tile->bus[i].breakpoint != NULL || tile->bus[i].watchpoint != NULL;
        tile_core_set_breakpoints(tile, i, tile->breakpoints >> i & 1);
        if (!had && (has(tile, i, false) || has(tile, i, true))) {
            tile_core_wake(tile, i, now); /* its laps were not looked at */
        }
    }
}
