/* SPDX-License-Identifier: Apache-2.0 */
/* Cores as the devices ask for them: woken, reset, halted, told that something changed. */
#include "tile/parts.h"

#include "base/pages.h"
#include "riscv/lsu.h"
#include "tensix/tensix.h"

static void look(struct tile *tile, unsigned cores, uint64_t cycle)
{
    tile->attention = true;
    tile->attention_of |= (uint8_t)cores;
    tile->attention_cycle = cycle;
    *tile->due = min64(*tile->due, cycle);
}

void tile_devices_changed(struct tile *tile, uint64_t cycle)
{
    look(tile, (1u << KERR_CORE_COUNT) - 1, cycle);
}

void tile_core_told(struct tile *tile, unsigned core, uint64_t cycle)
{
    look(tile, 1u << core, cycle);
}

void tile_has_event(struct tile *tile, uint64_t cycle)
{
    *tile->due = min64(*tile->due, cycle);
}

static void cancel_probes(struct tile *tile)
{
    for (unsigned left = tile->probing; left != 0; left &= left - 1) {
        rv_probe_cancel(probe_of(tile, (unsigned)__builtin_ctz(left)));
    }
    tile->probing = 0;
}

/* Whether core i has had its turn of the cycle in which something changes: before the core that stores, or has stored just then.  What a
 * device does in that very cycle is the store's doing; all else comes before the turns. */
static bool has_had_turn(const struct tile *tile, unsigned i, uint64_t cycle)
{
    return i < tile->storing || (cycle == tile->stored_at && i < tile->stored_by);
}

static void wake_pollers(struct tile *tile, uint32_t first, uint32_t last, uint64_t cycle)
{
    cancel_probes(tile);
    if (UNLIKELY(tile->dev.tensix.latched != 0 && !is_niu(last))) { /* of a stream, perhaps */
        tensix_changing(tile_lent(tile), &tile_devices(tile)->tensix, TENSIX_WATCH_STREAM, cycle);
    }
    for (unsigned left = tile->parked; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (may_poll(tile, i, first, last) && rv_park_reads(&tile->core[i], first, last - first + 1)) {
            tile_core_wake(tile, i, cycle + has_had_turn(tile, i, cycle));
        }
    }
}

void tile_device_changing(struct tile *tile, uint32_t first, uint32_t last, uint64_t cycle)
{
    if ((tile->probing | tile->parked) != 0 || tile->dev.tensix.latched != 0) {
        wake_pollers(tile, first, last, cycle);
    }
}

bool tile_device_is_watched(const struct tile *tile, uint32_t first, uint32_t last)
{
    bool watched = tile->probing != 0 || tile->dev.tensix.latched != 0;
    for (unsigned left = tile->parked; left != 0; left &= left - 1) {
        watched |= may_poll(tile, (unsigned)__builtin_ctz(left), first, last);
    }
    return watched;
}

static bool tell_pollers(struct tile *tile, uint32_t address, uint32_t value, uint64_t cycle)
{
    bool woke = false;
    cancel_probes(tile);
    for (unsigned left = tile->parked; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (may_poll(tile, i, address, address + 3) && rv_park_reads(&tile->core[i], address, 4)) {
            const uint64_t now = cycle + has_had_turn(tile, i, cycle);
            if (!rv_poll_change(&tile->core[i], value, now)) {
                tile_core_wake(tile, i, now);
                woke = true;
            }
        }
    }
    return woke;
}

void tile_tag_search_changes(struct tile *tile, uint64_t cycle)
{
    tile_core_wake(tile, KERR_CORE_B, cycle + (tile->in_units || has_had_turn(tile, KERR_CORE_B, cycle)));
}

bool tile_register_changes(struct tile *tile, uint32_t address, uint32_t value, uint64_t cycle)
{
    return (tile->probing | tile->parked) != 0 && tell_pollers(tile, address, value, cycle);
}

/* After a core was parked, woken, put into reset or taken out of it. */
void tile_note_parked(struct tile *tile, unsigned core)
{
    const rv_core *c = &tile->core[core];
    const unsigned bit = tile->live & 1u << core;
    tile->stirred |= (uint8_t)(1u << core);
    const bool parked = c->state == RV_PARKED;
    tile->parked = (uint8_t)((tile->parked & ~(1u << core)) | (parked ? bit : 0));
    tile->awake = (uint8_t)((tile->awake & ~(1u << core)) | (parked && c->t == NEVER ? 0 : bit));
    if (parked) {
        uint32_t first = UINT32_MAX, last = 0;
        for (uint32_t w = 0; w < c->park.watches; w++) {
            const uint32_t end = c->park.watch[w].address + c->park.watch[w].size - 1;
            first = c->park.watch[w].address < first ? c->park.watch[w].address : first;
            last = end > last ? end : last;
        }
        tile->polled[core].first = first;
        tile->polled[core].last = last;
    }
    bool counters = false;
    for (unsigned noc = 0; parked && noc < NOC_COUNT; noc++) {
        const uint32_t base = NIU_FIRST + noc * NIU_BYTES;
        counters |= may_poll(tile, core, base + NIU_COUNTERS, base + NIU_COUNTERS_END - 1);
    }
    tile->polls_counters = (uint8_t)((tile->polls_counters & ~(1u << core)) | (counters ? bit : 0));
}

void tile_forget_probe(struct tile *tile, unsigned core, uint64_t cycle)
{
    rv_probe_cancel(probe_of(tile, core));
    tile->quiet_since[core] = cycle;
    tile->next_try[core] = 0;
    tile->backoff[core] = BACKOFF_FIRST;
}

/* The laps before `now`, over a bus of their own: what waits in the tile for attention is not theirs to do. */
static void make_real(struct tile *tile, rv_core *core, rv_bus *bus, uint64_t now)
{
    static const bool nothing_waits = false;
    const bool attending = tile->attending;
    bus->attention = &nothing_waits;
    tile->attending = true;
    rv_unpark(core, bus, now);
    tile->attending = attending;
}

void tile_core_wake(struct tile *tile, unsigned core, uint64_t now)
{
    rv_probe_cancel(probe_of(tile, core)); /* what the lap in progress has seen may be about to change */
    if (tile->core[core].state == RV_PARKED) {
        rv_bus past = tile->bus[core]; /* what somebody listens for from now on is not asked about the laps before */
        past.breakpoint = NULL;
        past.watchpoint = NULL;
        past.trace = NULL;
        past.access = NULL; /* laps like those that were told of */
        past.enters = NULL;
        past.parks = false;
        if (tile->core[core].park.until != NEVER) {
            tile->clocked |= (uint8_t)(1u << core);
        }
        make_real(tile, &tile->core[core], &past, now);
        tile_note_parked(tile, core);
        tile_forget_probe(tile, core, now);
        *tile->due = min64(*tile->due, tile->core[core].t);
    }
}

/* What is read before it is written once this core runs. */
static void populate(struct tile *tile, unsigned core, uint32_t pc)
{
    if (!tile->environment->helped) {
        return;
    }
    pages_populate(&tile->core[core], sizeof tile->core[core]);
    pages_populate(tile->lookup[core], sizeof tile->lookup[core]);
    pages_populate(tile->overlay.mcast_space, sizeof tile->overlay.mcast_space);
    if (pc < tile->l1_bytes) {
        pages_populate(&tile->line_flags[pc >> LINE_SHIFT], 1);
    }
}

void tile_core_reset(struct tile *tile, unsigned core, bool in_reset, uint32_t pc, uint64_t cycle)
{
    rv_core *c = &tile->core[core];
    hook_core_reset(tile, core, in_reset, !devices_clears_local_ram(&tile->dev, core), cycle);
    if (in_reset) {
        tile_core_wake(tile, core, cycle);
        c->state = RV_IN_RESET;
        tile->live &= (uint8_t) ~(1u << core);
        tile_note_parked(tile, core);
        c->blocked.active = false;
        c->stores.count = 0; /* OPEN: whether stores in the queue still go out when reset is asserted */
        c->stores.stuck = false;
        c->stores.filter = 0;
        return;
    }
    populate(tile, core, pc);
    rv_core_release(c, pc, !devices_clears_local_ram(&tile->dev, core), cycle);
    if (c->l0.requests == 0) {
        c->l0.flush_at = rv_l0_flush_after(&tile->bus[core], 0);
    }
    tile->live |= (uint8_t)(1u << core);
    tile_note_parked(tile, core);
    tile->generation[core]++;
    tile_forget_probe(tile, core, cycle);
    *tile->due = min64(*tile->due, cycle);
}

void tile_core_interrupt(struct tile *tile, unsigned core, bool level, uint32_t vector_pc, uint64_t cycle)
{
    if (level) {
        tile_core_wake(tile, core, cycle);
        tile->core[core].interrupt_vector = vector_pc;
        *tile->due = min64(*tile->due, cycle);
    }
    tile->core[core].interrupt_line = level;
}

void tile_core_halt(struct tile *tile, unsigned core, uint64_t cycle)
{
    tile_core_wake(tile, core, cycle);
    if (tile->core[core].state == RV_RUNNING || tile->core[core].state == RV_WAITING) {
        tile->core[core].state = RV_HALTED;
        tile->stirred |= (uint8_t)(1u << core);
    }
}

void tile_core_continue(struct tile *tile, unsigned core, uint64_t cycle)
{
    rv_core *c = &tile->core[core];
    if (c->state == RV_HALTED) {
        c->state = RV_RUNNING;
        c->single_step = false;
        c->t = max64(c->t, cycle);
        tile->stirred |= (uint8_t)(1u << core);
        tile_forget_probe(tile, core, cycle);
        *tile->due = min64(*tile->due, c->t);
    }
}

void tile_core_step(struct tile *tile, unsigned core, uint64_t cycle)
{
    if (tile->core[core].state == RV_HALTED) {
        tile_core_continue(tile, core, cycle);
        tile->core[core].single_step = true;
    }
}

bool tile_core_is_halted(const struct tile *tile, unsigned core)
{
    return tile->core[core].state == RV_HALTED;
}

uint32_t tile_core_pc(const struct tile *tile, unsigned core, uint64_t cycle)
{
    rv_core copy;
    return tile_core_view(tile, core, cycle, &copy)->pc;
}

uint32_t tile_core_register(const struct tile *tile, unsigned core, unsigned reg)
{
    const rv_core *c = &tile->core[core];
    return reg < 32 ? c->x[reg] : reg == 32 ? c->pc : reg < 65 ? c->fp.f[reg - 33] : 0;
}

void tile_core_set_register(struct tile *tile, unsigned core, unsigned reg, uint32_t value)
{
    rv_core *c = &tile->core[core];
    if (reg > 0 && reg < 32) {
        c->x[reg] = value;
    } else if (reg == 32) {
        c->pc = value;
        c->end.at = 0;
        c->sequential = false;
    } else if (reg > 32 && reg < 65) {
        c->fp.f[reg - 33] = value;
    }
}

void tile_core_set_slow_mode(struct tile *tile, unsigned core, bool on, uint64_t cycle)
{
    if (tile->core[core].slow_mode != on) {
        tile_core_wake(tile, core, cycle);
        rv_set_slow_mode(&tile->core[core], on);
        tile->stirred |= (uint8_t)(1u << core);
    }
}

void tile_invalidate_instruction_cache(struct tile *tile, unsigned core_mask, uint64_t cycle)
{
    hook_invalidates(tile, core_mask, cycle);
    for (unsigned i = 0; i < tile->cores; i++) {
        if (core_mask >> i & 1) {
            const uint32_t last = tile->l1_bytes / COST_ICACHE_LINE_BYTES - 1;
            if (tile->core[i].state == RV_IN_RESET || tile->core[i].state == RV_HALTED) {
                /* It has not run ahead.  OPEN: one that spins without touching L1 or a device never comes to it. */
                rv_icache_drop(&tile->core[i], 0, last);
                tile->generation[i]++;
            } else {
                tile_core_wake(tile, i, cycle);
                rv_icache_drop_later(&tile->core[i], 0, last, cycle);
                tile->generation[i]++; /* if it asked itself: its next store is no longer a plain one */
            }
        }
    }
}

bool tile_core_requests_tensix(const struct tile *tile, unsigned core)
{
    const rv_core *c = &tile->core[core];
    return (c->blocked.active && devices_is_tensix(c->blocked.address)) ||
           (c->stores.stuck && devices_is_tensix(c->stores.entry[c->stores.head].line)) ||
           tile->dev.tensix.shake.store[core - KERR_CORE_T0].due != 0;
}

/* What a parked core polls in L1; registers announce their changes themselves (tile_device_changing). */
void tile_flag_watches(struct tile *tile, const rv_core *core)
{
    for (uint32_t w = 0; w < core->park.watches; w++) {
        if (core->park.watch[w].address < tile->l1_bytes) {
            tile->line_flags[core->park.watch[w].address >> LINE_SHIFT] |= LINE_WATCHED;
        }
    }
}

const rv_core *tile_core_view(const struct tile *tile_const, unsigned core, uint64_t now, rv_core *copy)
{
    const rv_core *c = &tile_const->core[core];
    if (c->state != RV_PARKED) {
        return c;
    }
    *copy = *c;
    /* Only loads from L1 and its own registers: the copy changes nothing but itself and derived lookups. */
    rv_bus bus = tile_const->bus[core];
    bus.trace = NULL;
    bus.access = NULL;
    bus.enters = NULL;
    bus.parks = false;
    make_real((struct tile *)(uintptr_t)tile_const, copy, &bus, now); /* leaves the tile as it is */
    return copy;
}
