/* SPDX-License-Identifier: Apache-2.0 */
/* Load/Store Unit, the general paths.  exec_ops.h has the short cuts for the common case beside them; both
 * give the same cycles (tests/same compares them).
 *
 * OPEN: contention of single loads.  The manual gives L1 loads "more in the case of access port conflicts or bank
 * conflicts" and no arbitration.  Here a load never finds the port taken by another core's single loads, only by streams
 * of loads (lsu_stream_hold), so that a polling core does not disturb its neighbours and may be parked exactly.  Would
 * settle it: single loads timed on a card while another core polls, by pairs of cores and by distance of the addresses;
 * rv_load_chase, the nearest that was measured, moves by 2 % at most with one to three cores. */
#include "riscv/lsu.h"

#include "base/random.h"
#include "base/shake.h"
#include "kerr.h"
#include "riscv/icache.h"

#include <stdio.h>

/* ---- Faults ------------------------------------------------------------------------------------ */

static lsu_result fault(rv_core *core, rv_bus *bus, const rv_decoded *op, uint32_t address, uint64_t now,
                        const char *text)
{
    rv_fault f = {.kind = KERR_FAULT_UNDEFINED,
                  .pc = core->pc,
                  .instruction = op->word,
                  .address = address,
                  .cycle = now,
                  .manual = "BlackholeA0/TensixTile/BabyRISCV/InstructionSet"};
    snprintf(f.text, sizeof f.text, "%s at address 0x%08x (%s)", text, address, rv_op_name((rv_op)op->code));
    core->state = RV_STOPPED;
    bus->fault(bus->owner, core->index, &f);
    return LSU_STATE;
}

/* ---- Store queue ------------------------------------------------------------------------------- */

static inline store_entry *entry_at(store_queue *q, uint32_t i)
{
    return &q->entry[(q->head + i) % STORE_RING];
}

static inline uint64_t visible_at(const store_entry *e)
{
    return e->device ? e->emit : e->emit + COST_STORE_VISIBLE + e->late;
}

/* What the queue holds comes out in its order: an entry that leaves at `emit` is there no earlier than the one in front of it,
 * which is there at `before`. */
static inline void keep_order(const rv_bus *bus, store_entry *e, uint64_t before)
{
    if (e->device) {
        /* OPEN: the manual lets a device see its write before L1 has an earlier one; we keep the order. */
        e->emit = max64(e->emit, before);
    } else if (UNLIKELY(bus->shake != NULL) && visible_at(e) < before) {
        e->late = (uint16_t)(e->late + (before - visible_at(e)));
    }
}

/* Gives entry i (the rear one: only that can be undetermined) its place in time.  It cannot merge any more and may
 * leave from cycle `eligible` on. */
static inline void determine_emit(rv_core *core, rv_bus *bus, uint32_t i, uint64_t eligible)
{
    store_queue *q = &core->stores;
    store_entry *e = entry_at(q, i);
    uint64_t start = eligible;
    if (i != 0) {
        start = max64(start, entry_at(q, i - 1)->emit + 1);
    }
    const uint64_t before = i != 0 ? visible_at(entry_at(q, i - 1)) : q->last_visible;
    if (e->device) {
        e->emit = start;
        if (i != 0) {
            keep_order(bus, e, before);
        }
        return;
    }
    uint64_t *free_16 = &bus->ports->store_free_16[lsu_port(core->index)];
    const uint64_t start_16 = max64(start * 16, *free_16);
    e->emit = (start_16 + 15) / 16;
    *free_16 = start_16 + (e->mask == 0xFFFF ? COST_STORE_FULL_16 : COST_STORE_NARROW_16);
    keep_order(bus, e, before);
}

/* The filter keeps the bits of what is gone until the queue is empty or somebody minds (refresh_filter). */
static inline void pop(store_queue *q)
{
    q->head = (q->head + 1) % STORE_RING;
    if (--q->count == 0) {
        q->filter = 0;
        q->watched = false;
        q->exact = false;
    }
}

static void refresh_filter(store_queue *q)
{
    q->filter = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        q->filter |= entry_at(q, i)->words;
    }
}

static void write_runs(const rv_core *core, rv_bus *bus, const store_entry *e, uint64_t now)
{
    for (unsigned i = 0; i < 16;) {
        if (!(e->mask >> i & 1)) {
            i++;
            continue;
        }
        unsigned end = i;
        while (end < 16 && (e->mask >> end & 1)) {
            end++;
        }
        bus->l1_write(bus->owner, core->index, e->line + i, e->data + i, end - i, now);
        i = end;
    }
}

/* What a store entry holds goes into L1. */
static inline void write_line(const rv_core *core, rv_bus *bus, const store_entry *e, uint64_t now)
{
    if (UNLIKELY(bus->line_flags[e->line >> LINE_SHIFT] != 0)) {
        write_runs(core, bus, e, now);
        return;
    }
    rv_touch(bus, e->line >> TOUCH_SHIFT);
    uint8_t *line = bus->l1 + e->line;
    unsigned word = (unsigned)__builtin_ctz(e->mask) & ~3u;
    for (unsigned left = (unsigned)e->mask >> word; left != 0; word += 4, left >>= 4) {
        if ((left & 15) == 15) {
            memcpy(line + word, e->data + word, 4);
            continue;
        }
        for (unsigned i = 0; i < 4; i++) {
            if (left >> i & 1) {
                line[word + i] = e->data[word + i];
            }
        }
    }
}

/* The stuck head goes out at cycle `at`: what has waited behind it cannot have left before. */
static void release_followers(rv_core *core, rv_bus *bus, uint64_t at, uint64_t now)
{
    store_queue *q = &core->stores;
    entry_at(q, 0)->emit = at;
    for (uint32_t i = 1; i < q->count; i++) {
        store_entry *e = entry_at(q, i);
        if (e->emit == NEVER) {
            if (e->last + core->merge_cycles < now) {
                determine_emit(core, bus, i, e->last + core->merge_cycles);
            }
            return;
        }
        e->emit = max64(e->emit, entry_at(q, i - 1)->emit + 1);
        keep_order(bus, e, visible_at(entry_at(q, i - 1)));
    }
}

void rv_drain(rv_core *core, rv_bus *bus, uint64_t now)
{
    store_queue *q = &core->stores;
    while (q->count != 0) {
        store_entry *e = entry_at(q, 0);
        if (e->emit == NEVER) {
            if (e->last + core->merge_cycles >= now) {
                break; /* a store of this very cycle may still merge */
            }
            determine_emit(core, bus, 0, e->last + core->merge_cycles);
        }
        if (visible_at(e) > now) {
            break;
        }
        if (e->device) {
            const uint64_t at = q->stuck ? now : e->emit;
            /* A fault names the store, not what the core does by now. */
            const uint32_t pc = core->pc;
            core->pc = e->pc;
            const bus_result r = bus->store(bus->owner, core->index, e->line, e->device, load32(e->data), at);
            if (core->state == RV_IN_RESET) {
                return; /* it was the core's own reset: the queue is gone */
            }
            core->pc = pc;
            if (r == BUS_WAIT) {
                q->stuck = true;
                break;
            }
            if (q->stuck) {
                release_followers(core, bus, at, now);
            }
            q->stuck = false;
        } else {
            write_line(core, bus, e, visible_at(e));
            if (UNLIKELY(bus->shake != NULL)) {
                q->last_visible = visible_at(e);
            }
        }
        pop(q);
    }
}

/* Entries that still occupy one of the four places at `now`. */
static uint32_t occupancy(store_queue *q, uint64_t now)
{
    if (q->stuck) {
        return q->count;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        n += entry_at(q, i)->emit > now;
    }
    return n;
}

/* Everything in the queue gets its place in time, as if another request came at `now`. */
static void determine_all(rv_core *core, rv_bus *bus, uint64_t now)
{
    store_queue *q = &core->stores;
    if (q->count != 0) {
        store_entry *rear = entry_at(q, q->count - 1);
        if (rear->emit == NEVER) {
            determine_emit(core, bus, q->count - 1, min64(max64(now, rear->last + 1), rear->last + core->merge_cycles));
        }
    }
}

/* 0, or the cycle until which a new entry must wait; it lies ahead, also in a queue that no core has made (a snapshot's). */
static uint64_t make_room(rv_core *core, rv_bus *bus, uint64_t now)
{
    store_queue *q = &core->stores;
    if (q->count == 0) {
        return 0;
    }
    determine_all(core, bus, now);
    if (entry_at(q, 0)->emit + COST_STORE_VISIBLE <= now) {
        rv_drain(core, bus, now);
    }
    if (q->stuck && q->count >= COST_STORE_QUEUE) {
        return NEVER;
    }
    if (occupancy(q, now) >= COST_STORE_QUEUE) {
        return max64(entry_at(q, q->count - COST_STORE_QUEUE)->emit, now + 1);
    }
    if (q->count == STORE_RING) {
        return max64(visible_at(entry_at(q, 0)), now + 1);
    }
    return 0;
}

uint64_t lsu_queue_l1(rv_core *core, rv_bus *bus, uint32_t address, unsigned size, const void *data, uint64_t now)
{
    store_queue *q = &core->stores;
    const uint32_t line = address & ~15u;
    const uint16_t mask = (uint16_t)(((1u << size) - 1) << (address & 15));
    const uint64_t words = UINT64_C(1) << lsu_filter_bit(address) | UINT64_C(1) << lsu_filter_bit(address + size - 1);
    if (q->count != 0 && !core->never_merges) {
        store_entry *rear = entry_at(q, q->count - 1);
        const uint32_t apart = address - rear->last_address + 4;
        if (rear->emit == NEVER && !rear->device && rear->line == line && apart <= 8 &&
            now <= rear->last + core->merge_cycles) {
            memcpy(rear->data + (address & 15), data, size);
            rear->mask |= mask;
            rear->words |= words;
            q->filter |= words;
            rear->last = now;
            rear->last_address = address;
            if (rear->mask == 0xFFFF) {
                determine_emit(core, bus, q->count - 1, now + 1);
            }
            return 0;
        }
    }
    const uint64_t wait = make_room(core, bus, now);
    if (wait != 0) {
        return wait;
    }
    store_entry *e = entry_at(q, q->count++);
    e->last = now;
    e->emit = NEVER;
    e->line = line;
    e->last_address = address;
    e->mask = mask;
    e->device = 0;
    e->late = 0;
    if (UNLIKELY(bus->shake != NULL)) {
        e->late = (uint16_t)shake_draw(bus->shake, SHAKE_STORE, bus->node, core->index, core->shaken_stores++);
    }
    memcpy(e->data + (address & 15), data, size);
    e->words = words;
    q->filter |= words;
    if (mask == 0xFFFF) {
        determine_emit(core, bus, q->count - 1, now + 1);
    }
    return 0;
}

static inline void l0_drop(rv_core *core, uint32_t address)
{
    uint32_t *tag = &core->l0.tag[address >> 4 & (L0_LINES - 1)];
    if (*tag == (address >> 4) + 1) {
        *tag = 0;
    }
}

/* For each width its own copy: this is where compiled kernels spend their time. */
static inline __attribute__((always_inline)) bool quick_store(rv_core *core, rv_bus *bus, uint32_t address,
                                                              unsigned size, uint32_t value, uint64_t now)
{
    store_queue *q = &core->stores;
    if (UNLIKELY(bus->line_flags[address >> LINE_SHIFT] != 0 || q->stuck)) {
        return false;
    }
    const uint64_t timer = core->merge_cycles;
    const uint32_t place = address & 15, line = address - place;
    const uint64_t word = UINT64_C(1) << lsu_filter_bit(address);
    const uint16_t mask = (uint16_t)(((1u << size) - 1) << place);
    uint32_t count = q->count;
    if (count != 0) {
        store_entry *rear = entry_at(q, count - 1);
        if (rear->emit == NEVER) {
            if (rear->line == line && address - rear->last_address + 4 <= 8 && now <= rear->last + timer &&
                !core->never_merges) {
                memcpy(rear->data + place, &value, size);
                rear->mask |= mask;
                rear->words |= word;
                rear->last = now;
                rear->last_address = address;
                if (rear->mask == 0xFFFF) {
                    determine_emit(core, bus, count - 1, now + 1);
                }
                goto done;
            }
            determine_emit(core, bus, count - 1, min64(max64(now, rear->last + 1), rear->last + timer));
        }
        for (const store_entry *head = entry_at(q, 0); !head->device && head->emit + COST_STORE_VISIBLE <= now;
             head = entry_at(q, 0)) {
            write_line(core, bus, head, head->emit + COST_STORE_VISIBLE);
            pop(q);
            if (--count == 0) {
                break;
            }
        }
        if (count >= COST_STORE_QUEUE) {
            return false; /* perhaps full */
        }
    }
    store_entry *e = entry_at(q, count);
    q->count = count + 1;
    e->last = now;
    e->emit = NEVER;
    e->words = word;
    e->line = line;
    e->last_address = address;
    e->mask = mask;
    e->device = 0;
    memcpy(e->data + place, &value, size);
done:
    q->filter |= word;
    core->side_effect = true;
    if (!(core->cfg0 & CFG0_DIS_LOW_CASH)) {
        l0_drop(core, address);
    }
    return true;
}

bool lsu_quick_store_4(rv_core *core, rv_bus *bus, uint32_t address, uint32_t value, uint64_t now)
{
    return quick_store(core, bus, address, 4, value, now);
}

bool lsu_quick_store_2(rv_core *core, rv_bus *bus, uint32_t address, uint32_t value, uint64_t now)
{
    return quick_store(core, bus, address, 2, value, now);
}

bool lsu_quick_store_1(rv_core *core, rv_bus *bus, uint32_t address, uint32_t value, uint64_t now)
{
    return quick_store(core, bus, address, 1, value, now);
}

static inline bool overlaps(const store_entry *e, uint32_t address, unsigned size)
{
    if (e->device) {
        return address < e->line + e->device && e->line < address + size;
    }
    return address - e->line < 16 && (e->mask >> (address & 15) & ((1u << size) - 1)) != 0;
}

bool lsu_conflicts(const rv_core *core, uint32_t address, unsigned size)
{
    const store_queue *q = &core->stores;
    for (uint32_t i = 0; i < q->count; i++) {
        if (overlaps(&q->entry[(q->head + i) % STORE_RING], address, size)) {
            return true;
        }
    }
    return false;
}

/* Bytes of L1 as this core's port will see them: what is in the queue goes first. */
static void read_through_queue(const rv_core *core, const rv_bus *bus, uint32_t address, unsigned size, uint8_t *out)
{
    memcpy(out, bus->l1 + address, size);
    const store_queue *q = &core->stores;
    for (uint32_t i = 0; i < q->count; i++) {
        const store_entry *e = &q->entry[(q->head + i) % STORE_RING];
        if (e->device) {
            continue;
        }
        for (unsigned b = 0; b < size; b++) {
            const uint32_t at = address + b - e->line;
            if (at < 16 && (e->mask >> at & 1)) {
                out[b] = e->data[at];
            }
        }
    }
}

void lsu_read_own(const rv_core *core, const rv_bus *bus, uint32_t address, unsigned size, void *data)
{
    read_through_queue(core, bus, address, size, data);
}

void lsu_write_own(rv_core *core, uint32_t address, unsigned size, const uint8_t *data)
{
    store_queue *q = &core->stores;
    for (uint32_t i = 0; i < q->count; i++) {
        store_entry *e = &q->entry[(q->head + i) % STORE_RING];
        for (unsigned b = 0; b < size && !e->device; b++) {
            const uint32_t at = address + b - e->line;
            if (at < 16 && (e->mask >> at & 1)) {
                e->data[at] = data[b];
            }
        }
    }
}

/* ---- L0 data cache ----------------------------------------------------------------------------- */

/* OPEN: which of the four lines an address goes to.  The manual gives the size only; direct mapped is our choice.  Would
 * settle it: on a card, loads from two to five lines in turn, by distance, timed for hits. */

/* "approximately 0.8%": one request in each 128, at a place drawn for each group of 128. */
enum { L0_FLUSH_GROUP = 128 };

static uint64_t flush_in_group(const rv_bus *bus, uint64_t group)
{
    uint64_t place = random_at(bus->seed, bus->seed_place, group);
    if (UNLIKELY(bus->shake != NULL)) {
        place += shake_draw(bus->shake, SHAKE_L0, bus->node, (unsigned)bus->seed_place & 7, group);
    }
    return group * L0_FLUSH_GROUP + place % L0_FLUSH_GROUP;
}

uint64_t rv_l0_flush_after(const rv_bus *bus, uint64_t request)
{
    const uint64_t here = flush_in_group(bus, request / L0_FLUSH_GROUP);
    return here >= request ? here : flush_in_group(bus, request / L0_FLUSH_GROUP + 1);
}

uint64_t rv_l0_flushes_before(const rv_bus *bus, uint64_t request)
{
    const uint64_t group = request / L0_FLUSH_GROUP;
    return group + (flush_in_group(bus, group) < request);
}

static void l0_flush(rv_core *core)
{
    memset(core->l0.tag, 0, sizeof core->l0.tag);
}

static void l0_count(rv_core *core, const rv_bus *bus)
{
    l0_cache *l0 = &core->l0;
    const uint64_t request = l0->requests++;
    if (request == l0->flush_at) {
        l0->flush_at = rv_l0_flush_after(bus, request + 1);
        if (!(core->cfg0 & CFG0_DIS_LOW_CACHE_PERIODIC_FLUSH)) {
            l0_flush(core);
        }
    }
}

/* ---- Loads --------------------------------------------------------------------------------------- */

/* It is done. */
static inline void tell(const rv_core *core, const rv_bus *bus, const rv_decoded *op, uint32_t address, unsigned size,
                        unsigned how, uint64_t now)
{
    if (UNLIKELY(bus->access != NULL)) {
        bus->access(bus->owner, core->index, op->word, address, size, how, now);
    }
}

uint64_t lsu_stream_hold(rv_core *core, rv_bus *bus, uint64_t now)
{
    uint64_t hold = lsu_slot_hold(core->kind);
    for (unsigned other = 0; other < KERR_CORE_COUNT; other++) {
        if (other != core->index && bus->ports->streaming_until[other] > now) {
            hold += lsu_port(other) == lsu_port(core->index) ? COST_L1_LOAD_SHARED_PORT_16 : COST_L1_LOAD_CONFLICT_16;
        }
    }
    bus->ports->streaming_until[core->index] = now + COST_LOAD_L1;
    core->streaming = true;
    return hold;
}

static uint32_t extend(uint32_t raw, unsigned size, bool sign)
{
    if (size == 4) {
        return raw;
    }
    return sign ? (uint32_t)sign_extend(raw, size * 8) : raw & ((1u << size * 8) - 1);
}

static void deliver(rv_core *core, unsigned rd, unsigned size, uint32_t value, uint64_t ready)
{
    if (rd < READY_F) {
        core->x[rd] = value;
    } else {
        /* A half is NaN-boxed (Zfh). */
        core->fp.f[rd - READY_F] = size == 2 ? value | 0xFFFF0000u : value;
    }
    lsu_settle(core, rd, ready);
}

static void long_load(rv_core *core, uint64_t done)
{
    core->long_left = COST_RETIRE_QUEUE - 1;
    core->long_done = done;
    memset(core->long_writers, 0, sizeof core->long_writers);
    core->long_last = X_SINK;
}

static lsu_result wait_for(rv_core *core, uint32_t address)
{
    core->state = RV_WAITING;
    core->wait_address = address;
    return LSU_STATE;
}

/* Delays a load until the stores it depends on have left the queue. */
static lsu_result await_stores(rv_core *core, rv_bus *bus, uint32_t address, unsigned size, bool all, uint64_t *now,
                               uint64_t shared_limit)
{
    store_queue *q = &core->stores;
    refresh_filter(q);
    if (q->count == 0) {
        return LSU_DONE;
    }
    if (*now >= shared_limit) {
        return LSU_SHARED; /* the port's order is decided in order of time */
    }
    bool hit = all;
    for (uint32_t i = 0; i < q->count && !hit; i++) {
        /* One that has left the queue is in front of the load already; behind a stuck head none has. */
        hit = (q->stuck || entry_at(q, i)->emit >= *now ||
               (entry_at(q, i)->late != 0 && visible_at(entry_at(q, i)) > *now)) &&
              overlaps(entry_at(q, i), address, size);
    }
    if (!hit) {
        return LSU_DONE;
    }
    if (q->stuck) {
        return wait_for(core, entry_at(q, 0)->line);
    }
    determine_all(core, bus, *now);
    for (uint32_t i = 0; i < q->count; i++) {
        if (all || overlaps(entry_at(q, i), address, size)) {
            *now = max64(*now, entry_at(q, i)->emit + 1);
            if (UNLIKELY(bus->shake != NULL) && entry_at(q, i)->late != 0) {
                /* Who reads back what he wrote knows that it is there.  Not so if it is in time: that it has left is known
                 * already or found out only here, and where it is known it holds up no load. */
                *now = max64(*now, visible_at(entry_at(q, i)));
            }
        }
    }
    return LSU_DONE;
}

/* Until the queue has emitted and all loads have answers. */
static lsu_result await_all(rv_core *core, rv_bus *bus, uint64_t *now, uint64_t shared_limit)
{
    if (*now >= shared_limit) {
        return LSU_SHARED;
    }
    if (core->stores.stuck) {
        return wait_for(core, entry_at(&core->stores, 0)->line);
    }
    determine_all(core, bus, *now);
    if (core->stores.count != 0) {
        const store_entry *rear = entry_at(&core->stores, core->stores.count - 1);
        *now = max64(*now, UNLIKELY(bus->shake != NULL) ? visible_at(rear) : rear->emit + 1);
    }
    if (core->settled == NEVER) {
        return wait_for(core, core->blocked.address);
    }
    *now = max64(*now, core->settled);
    return *now >= shared_limit ? LSU_SHARED : LSU_DONE;
}

/* The same for a load or store that pmacfg orders as if a fence were before it.  The instruction cache catches up with the access. */
static lsu_result await_order(rv_core *core, rv_bus *bus, uint64_t *now, uint64_t shared_limit)
{
    const lsu_result r = await_all(core, bus, now, shared_limit);
    if (r == LSU_DONE) {
        l0_flush(core);
    }
    return r;
}

static void record_watch(lsu_lap *lap, const rv_bus *bus, uint32_t address, unsigned size)
{
    for (uint32_t i = 0; i < lap->watches; i++) {
        if (lap->watch[i].address == address && lap->watch[i].size == size) {
            return;
        }
    }
    if (lap->watches == 8) {
        lap->spoiled = true;
        return;
    }
    lap->watch[lap->watches].address = address;
    lap->watch[lap->watches].size = size;
    if (address < bus->l1_size) {
        memcpy(&lap->watch[lap->watches].raw, bus->l1 + address, size);
    }
    lap->watches++;
}

static void note_clock(lsu_lap *lap, rv_steady steady, unsigned size)
{
    lap->clock = lap->clock || steady >= STEADY_CLOCK;
    lap->follows = steady == STEADY_CLOCK;
    lap->sampled = lap->sampled || steady == STEADY_CLOCK;
    lap->unknown = lap->unknown || (steady == STEADY_SAMPLE && !lap->sampled);
    lap->spoiled = lap->spoiled || (steady == STEADY_CLOCK && size != 4);
}

static lsu_result load_l1(rv_core *core, rv_bus *bus, lsu_lap *lap, const rv_decoded *op, uint32_t address,
                          unsigned size, bool sign, uint64_t *now, uint64_t shared_limit)
{
    uint8_t raw[16] = {0};
    const bool l0_on = !(core->cfg0 & CFG0_DIS_LOW_CASH);
    if (lap != NULL) {
        record_watch(lap, bus, address, size);
    }
    if (l0_on && core->l0.tag[address >> 4 & (L0_LINES - 1)] == (address >> 4) + 1) {
        memcpy(raw, core->l0.data[address >> 4 & (L0_LINES - 1)] + (address & 15), size);
        tell(core, bus, op, address, size, RV_LOADS | RV_FROM_L0, *now);
        l0_count(core, bus);
        core->shake_load = false; /* so that a loop that has been round once finds the same each time */
        deliver(core, op->rd, size, extend(load32(raw), size, sign), *now + COST_LOAD_L0_HIT);
        return LSU_DONE;
    }
    const lsu_result order =
        await_stores(core, bus, address, size, core->cfg0 & CFG0_DIS_LD_BUF_BYP, now, shared_limit);
    if (order != LSU_DONE) {
        return order;
    }
    uint64_t *slot = &core->load_slot_16[core->load_count % COST_L1_LOADS_IN_FLIGHT];
    *now = max64(*now, (*slot + 15) / 16);
    if (*now >= shared_limit) {
        return LSU_SHARED;
    }
    icache_catch_up(core, bus, *now);
    const bool stream = *slot + 32 > *now * 16;
    const uint64_t hold = stream ? lsu_stream_hold(core, bus, *now) : lsu_slot_hold(core->kind);
    /* A load that had to wait for the slot takes it over without losing the fraction. */
    *slot = (*slot + 15) / 16 == *now ? *slot + hold : *now * 16 + hold;
    core->load_count++;
    uint32_t found;
    if (UNLIKELY(bus->tag_search != NULL) && bus->tag_search(bus->owner, address, *now, &found)) {
        store32(raw, found);
        store32(raw + 4, 0);
        core->side_effect = true;
        if (l0_on) {
            memset(core->l0.data[address >> 4 & (L0_LINES - 1)], 0, 16);
            memcpy(core->l0.data[address >> 4 & (L0_LINES - 1)] + (address & 12), raw, 4);
            core->l0.tag[address >> 4 & (L0_LINES - 1)] = (address >> 4) + 1;
        }
    } else if (l0_on) {
        uint8_t *line = core->l0.data[address >> 4 & (L0_LINES - 1)];
        read_through_queue(core, bus, address & ~15u, 16, line);
        core->l0.tag[address >> 4 & (L0_LINES - 1)] = (address >> 4) + 1;
        memcpy(raw, line + (address & 15), size);
    } else {
        read_through_queue(core, bus, address, size, raw);
    }
    if (l0_on) {
        l0_count(core, bus);
    }
    tell(core, bus, op, address, size, RV_LOADS, *now);
    unsigned latency = COST_LOAD_L1;
    if (UNLIKELY(core->shake_load) && bus->shake != NULL) {
        core->shake_load = false;
        latency += shake_draw(bus->shake, SHAKE_LOAD, bus->node, core->index, core->shaken_loads++);
    }
    deliver(core, op->rd, size, extend(load32(raw), size, sign), *now + latency);
    if (latency > COST_RETIRE_QUEUE && latency > COST_LOAD_L1) {
        long_load(core, *now + latency);
        return LSU_CAREFUL;
    }
    return LSU_DONE;
}

/* A store to tile control that does not leave the queue waits for the cores to meet (tile/bus.c: must_meet), which is the
 * simulation's doing.  On the chip it has left, and what its core loads from there comes behind it. */
static bool waits_to_meet(store_queue *q, uint32_t address)
{
    enum { TILE_CONTROL = 0xFFB12, PAGE_SHIFT = 12 };
    return q->stuck && address >> PAGE_SHIFT == TILE_CONTROL && entry_at(q, 0)->line >> PAGE_SHIFT == TILE_CONTROL;
}

static lsu_result load_device(rv_core *core, rv_bus *bus, lsu_lap *lap, const rv_decoded *op, uint32_t address,
                              unsigned size, bool sign, uint64_t *now, uint64_t shared_limit)
{
    if (core->blocked.active) {
        /* OPEN: loads from different regions may overtake each other; here a later device load waits. */
        return wait_for(core, core->blocked.address);
    }
    if (core->stores.count != 0) {
        const lsu_result order =
            await_stores(core, bus, address, size, core->cfg0 & CFG0_DIS_LD_BUF_BYP, now, shared_limit);
        if (order != LSU_DONE) {
            return order;
        }
    }
    if (*now >= shared_limit) {
        return LSU_SHARED;
    }
    if (core->stores.count != 0 || core->ic_pending_count != 0) {
        rv_drain(core, bus, *now);
        icache_catch_up(core, bus, *now);
        if (core->stores.stuck) { /* only now: what should have left is still there */
            const bool all = (core->cfg0 & CFG0_DIS_LD_BUF_BYP) != 0 || waits_to_meet(&core->stores, address);
            const lsu_result order = await_stores(core, bus, address, size, all, now, shared_limit);
            if (order != LSU_DONE) {
                return order;
            }
        }
    }
    const rv_steady steady = bus->steady != NULL ? bus->steady(bus->owner, address) : STEADY_NOT;
    core->side_effect = core->side_effect || steady == STEADY_NOT;
    uint32_t value = UINT32_MAX;
    unsigned latency = 0;
    switch (bus->load(bus->owner, core->index, address, size, *now, &value, &latency)) {
    case BUS_OK:
        if (steady == STEADY_VALUE && lap == NULL && size == 4 && op->rd != op->rs1 &&
            rv_poll_begins(core, bus, op->rd, address, value, latency, *now)) {
            return LSU_STATE;
        }
        if (lap != NULL) {
            record_watch(lap, bus, address, size); /* who changes it cancels the lap: tile_device_changing */
            note_clock(lap, steady, size);
        }
        if (UNLIKELY(bus->shake != NULL) && steady == STEADY_NOT) {
            latency += shake_draw(bus->shake, SHAKE_DEVICE_LOAD, bus->node, core->index, core->shaken_device_loads++);
        }
        deliver(core, op->rd, size, extend(value, size, sign), *now + latency);
        if (latency > COST_RETIRE_QUEUE) {
            long_load(core, *now + latency);
        }
        return *bus->attention ? LSU_EVENT : latency > COST_RETIRE_QUEUE ? LSU_CAREFUL : LSU_DONE;
    case BUS_WAIT:
        core->blocked =
            (blocked_load){.active = true, .size = (uint8_t)size, .sign = sign, .rd = op->rd, .address = address};
        core->wait_address = address;
        lsu_settle(core, op->rd, NEVER);
        long_load(core, NEVER);
        return *bus->attention ? LSU_EVENT : LSU_CAREFUL;
    default:
        if (core->state == RV_RUNNING) {
            /* The policy said go on: what the device gave, or all ones if nothing answered. */
            deliver(core, op->rd, size, extend(value, size, sign), *now + COST_LOAD_TILE);
            return LSU_DONE;
        }
        return LSU_STATE;
    }
}

void rv_complete_blocked(rv_core *core, uint32_t value, uint64_t now)
{
    const blocked_load b = core->blocked;
    core->blocked.active = false;
    const uint64_t ready = now + COST_LOAD_FIFO;
    deliver(core, b.rd, b.size, extend(value, b.size, b.sign), ready);
    core->settled = 0;
    for (unsigned r = 0; r < READY_COUNT; r++) {
        core->settled = max64(core->settled, core->ready[r]);
    }
    core->long_done = ready;
    if (core->state == RV_WAITING) {
        core->state = RV_RUNNING;
        core->t = max64(core->t, now);
    }
}

lsu_result lsu_load(rv_core *core, rv_bus *bus, lsu_lap *lap, const rv_decoded *op, uint32_t address, unsigned size,
                    bool sign, uint64_t *now, uint64_t shared_limit)
{
    if (UNLIKELY((address & (size - 1)) != 0)) {
        /* OPEN: no document says what a misaligned load does on these cores. */
        return fault(core, bus, op, address, *now, "misaligned load");
    }
    if (UNLIKELY((core->pmacfg[0] | core->pmacfg[1]) & 1)) {
        const lsu_result r = await_order(core, bus, now, shared_limit);
        if (r != LSU_DONE) {
            return r;
        }
    }
    if (UNLIKELY(bus->watchpoint != NULL)) {
        bus->watchpoint(bus->owner, core->index, address, size, false, *now);
    }
    if (address - LOCAL_RAM_BASE < core->local_size) {
        if (*now < core->local_ready) {
            *now = core->local_ready;
            if (*now >= shared_limit) {
                return LSU_SHARED;
            }
        }
        uint8_t raw[4] = {0};
        memcpy(raw, core->local + (address - LOCAL_RAM_BASE), size);
        tell(core, bus, op, address, size, RV_LOADS, *now);
        deliver(core, op->rd, size, extend(load32(raw), size, sign), *now + COST_LOAD_LOCAL);
        return LSU_DONE;
    }
    if (address < bus->l1_size) {
        return load_l1(core, bus, lap, op, address, size, sign, now, shared_limit);
    }
    return load_device(core, bus, lap, op, address, size, sign, now, shared_limit);
}

#define INSTRN_BUF_BASE 0xFFE40000u /* manual PushTensixInstruction */

/* ---- Stores -------------------------------------------------------------------------------------- */

/* A push of RISCV Ti to its own thread: nothing that comes of it reaches back into the core. */
static bool is_push(const rv_core *core, const rv_bus *bus, uint32_t address, unsigned size)
{
    return address == INSTRN_BUF_BASE && size == 4 && bus->push != NULL && core->kind != KERR_CORE_B;
}

bool rv_only_pushes(const rv_core *core)
{
    const store_queue *q = &core->stores;
    for (uint32_t i = 0; i < q->count; i++) {
        const store_entry *e = &q->entry[(q->head + i) % STORE_RING];
        if (!e->device || e->line != INSTRN_BUF_BASE) {
            return false;
        }
    }
    return true;
}

static lsu_result store_device(rv_core *core, rv_bus *bus, uint32_t address, unsigned size, uint32_t value,
                               uint64_t *now, uint64_t shared_limit)
{
    if (address == INSTRN_BUF_BASE && core->stores.count == 0 && bus->push != NULL && bus->trace == NULL && size == 4) {
        uint64_t limit;
        const rv_decoded as_ttinsn = {.code = RV_TTINSN, .immediate = value};
        if (bus->push(bus->owner, core->index, &as_ttinsn, 1, false, now, &limit) != 0) {
            return limit < shared_limit ? LSU_EVENT : LSU_DONE; /* the coprocessor has something to do now */
        }
    }
    if (*now >= shared_limit) {
        bus->pushes = is_push(core, bus, address, size);
        if (!bus->pushes || *now >= bus->push_limit) {
            return LSU_SHARED;
        }
    }
    if (core->stores.count != 0) {
        rv_drain(core, bus, *now);
    }
    /* A push may come here or go by itself, which is no difference to the core. */
    const bool push = is_push(core, bus, address, size);
    const bool shaken = UNLIKELY(bus->shake != NULL) && !push;
    const unsigned delay =
        shaken ? shake_draw(bus->shake, SHAKE_DEVICE_STORE, bus->node, core->index, core->shaken_device_stores) : 0;
    if (core->stores.count == 0 && delay == 0) {
        if (!push) {
            icache_catch_up(core, bus, *now);
        }
        core->shaken_device_stores += shaken;
        bus->in_turn = true;
        const bus_result r = bus->store(bus->owner, core->index, address, size, value, *now);
        bus->in_turn = false;
        switch (r) {
        case BUS_QUIET: return LSU_DONE;
        case BUS_OK: return core->state == RV_RUNNING ? LSU_EVENT : LSU_CAREFUL;
        case BUS_FAULT: return core->state == RV_RUNNING ? LSU_EVENT : LSU_STATE;
        default: break; /* queue it */
        }
    }
    const uint64_t wait = make_room(core, bus, *now);
    if (wait == NEVER) {
        return wait_for(core, entry_at(&core->stores, 0)->line);
    }
    if (wait != 0) {
        *now = wait;
        return store_device(core, bus, address, size, value, now, shared_limit);
    }
    if (!push) {
        icache_catch_up(core, bus, *now);
    }
    store_queue *q = &core->stores;
    const bool known = q->watched && (q->exact || push); /* of those before it */
    store_entry *e = entry_at(q, q->count++);
    *e = (store_entry){.last = *now, .emit = NEVER, .line = address, .last_address = address, .device = (uint8_t)size};
    e->pc = core->pc;
    store32(e->data, value);
    determine_emit(core, bus, q->count - 1, *now + delay);
    core->shaken_device_stores += delay != 0;
    q->watched = true; /* the tile must look when it comes out */
    q->exact = q->exact || !push;
    return known ? LSU_DONE : LSU_EVENT;
}

/* What a misaligned store puts into L1: each byte lane gets the byte of the register that an aligned store would put
 * there, so nothing is shifted; bytes past the 16-byte line are lost.  Returns the number of bytes that are not.
 * From tt-exalens' test_l1_mem_access, which says what a card does; no document has it. */
static unsigned misaligned_lanes(uint32_t address, unsigned size, uint32_t value, uint32_t *lanes)
{
    const unsigned room = 16 - address % 16, kept = size < room ? size : room;
    *lanes = 0;
    for (unsigned i = 0; i < kept; i++) {
        *lanes |= (value >> 8 * ((address + i) & (size - 1)) & 0xFF) << 8 * i;
    }
    return kept;
}

lsu_result lsu_store(rv_core *core, rv_bus *bus, const rv_decoded *op, uint32_t address, unsigned size, uint32_t value,
                     uint64_t *now, uint64_t shared_limit)
{
    const bool misaligned = (address & (size - 1)) != 0;
    if (UNLIKELY(misaligned && address >= bus->l1_size)) {
        return fault(core, bus, op, address, *now, "misaligned store outside L1");
    }
    if (UNLIKELY((core->pmacfg[0] | core->pmacfg[1]) & 1)) {
        const lsu_result r = await_order(core, bus, now, shared_limit);
        if (r != LSU_DONE) {
            return r;
        }
    }
    if (UNLIKELY(bus->watchpoint != NULL)) {
        bus->watchpoint(bus->owner, core->index, address, size, true, *now);
    }
    core->side_effect = true;
    if (address - LOCAL_RAM_BASE < core->local_size) {
        if (*now < core->local_ready) {
            *now = core->local_ready;
            if (*now >= shared_limit) {
                return LSU_SHARED;
            }
        }
        tell(core, bus, op, address, size, RV_STORES, *now);
        memcpy(core->local + (address - LOCAL_RAM_BASE), &value, size);
        return LSU_DONE;
    }
    if (address >= bus->l1_size) {
        return store_device(core, bus, address, size, value, now, shared_limit);
    }
    if (*now >= shared_limit) {
        return LSU_SHARED;
    }
    uint32_t lanes = value;
    const unsigned bytes = UNLIKELY(misaligned) ? misaligned_lanes(address, size, value, &lanes) : size;
    const uint64_t wait = lsu_queue_l1(core, bus, address, bytes, &lanes, *now);
    if (wait == NEVER) {
        return wait_for(core, entry_at(&core->stores, 0)->line);
    }
    if (wait != 0) {
        *now = wait;
        return lsu_store(core, bus, op, address, size, value, now, shared_limit);
    }
    icache_catch_up(core, bus, *now);
    core->shake_load = bus->shake != NULL; /* here, not where it leaves the queue: that is found out at any time */
    tell(core, bus, op, address, bytes, RV_STORES, *now);
    l0_drop(core, address);
    const uint8_t flags = bus->line_flags[address >> LINE_SHIFT];
    if (flags & LINE_CODE) {
        core->stores.exact = true;
    }
    if (flags & LINE_WATCHED) {
        core->stores.watched = true;
        return LSU_EVENT;
    }
    return flags & LINE_CODE ? LSU_CAREFUL : LSU_DONE;
}

bool lsu_code_on_its_way(rv_core *core, uint32_t first, uint32_t end)
{
    for (uint32_t i = 0; i < core->stores.count; i++) {
        const store_entry *e = entry_at(&core->stores, i);
        if (!e->device && e->line < end && e->line + 16 > first) {
            return true;
        }
    }
    return false;
}

uint64_t lsu_earliest_visible(const rv_core *core)
{
    const store_queue *q = &core->stores;
    const store_entry *e = &q->entry[q->head];
    if (q->count == 0 || q->stuck) {
        return NEVER;
    }
    /* The rear entry goes when another request comes, at the latest when its time for merging is over. */
    return e->emit != NEVER
               ? visible_at(e)
               : min64(max64(core->t, e->last + 1), e->last + core->merge_cycles) + COST_STORE_VISIBLE + e->late;
}

static bool fuses_with_next(const rv_core *core)
{
    const uint32_t place = core->pc % COST_ICACHE_LINE_BYTES;
    if (place + 8 > COST_ICACHE_LINE_BYTES || !lsu_may_fuse(core)) {
        return false;
    }
    return (load32(icache_line(core, core->pc / COST_ICACHE_LINE_BYTES) + place + 4) & 3) != 3;
}

lsu_result lsu_push(rv_core *core, rv_bus *bus, const rv_decoded *op, unsigned most, unsigned *more, uint64_t *now,
                    uint64_t shared_limit)
{
    /* manual PushTensixInstruction: exactly an sw of the rotated word to INSTRN_BUF_BASE. */
    if (LIKELY(core->stores.count == 0 && bus->push != NULL && bus->watchpoint == NULL && bus->trace == NULL &&
               !((core->pmacfg[0] | core->pmacfg[1]) & 1))) {
        uint64_t limit;
        const unsigned pushed = bus->push(bus->owner, core->index, op, most, lsu_may_fuse(core), now, &limit);
        if (LIKELY(pushed != 0)) {
            core->side_effect = true;
            core->pc += 4 * (pushed - 1);
            *more = pushed - 1;
            if (fuses_with_next(core)) {
                --*now; /* the next one goes in the same cycle */
            }
            return limit < shared_limit ? LSU_EVENT : LSU_DONE; /* the coprocessor has something to do now */
        }
    }
    const bool fuses = fuses_with_next(core); /* before a store that comes out may drop the line */
    const lsu_result r = lsu_store(core, bus, op, INSTRN_BUF_BASE, 4, op->immediate, now, shared_limit);
    if (r != LSU_SHARED && r != LSU_STATE && fuses) {
        --*now; /* the next one goes in the same cycle */
    }
    return r;
}

/* ---- Atomics and fences ------------------------------------------------------------------------ */

/* And until what it emitted is in L1. */
static lsu_result await_l1(rv_core *core, rv_bus *bus, uint64_t *now, uint64_t shared_limit)
{
    const lsu_result r = await_all(core, bus, now, shared_limit);
    store_queue *q = &core->stores;
    if (r != LSU_DONE || q->count == 0) {
        return r;
    }
    *now = max64(*now, visible_at(entry_at(q, q->count - 1)));
    if (*now >= shared_limit) {
        return LSU_SHARED;
    }
    rv_drain(core, bus, *now);
    return LSU_DONE;
}

/* It is done: not while it waits, when it may be offered again and must find itself as it was. */
static void pass_fence(rv_core *core, rv_bus *bus, uint64_t now)
{
    icache_catch_up(core, bus, now);
    l0_flush(core);
}

lsu_result lsu_fence(rv_core *core, rv_bus *bus, uint64_t *now, uint64_t shared_limit)
{
    const lsu_result r = await_all(core, bus, now, shared_limit);
    if (r == LSU_DONE) {
        pass_fence(core, bus, *now);
    }
    return r;
}

static uint32_t atomic_result(unsigned code, uint32_t old, uint32_t operand)
{
    switch (code) {
    case RV_AMOADD_W: return old + operand;
    case RV_AMOSWAP_W: return operand;
    case RV_AMOXOR_W: return old ^ operand;
    case RV_AMOOR_W: return old | operand;
    case RV_AMOAND_W: return old & operand;
    case RV_AMOMIN_W: return (int32_t)old < (int32_t)operand ? old : operand;
    case RV_AMOMAX_W: return (int32_t)old > (int32_t)operand ? old : operand;
    case RV_AMOMINU_W: return old < operand ? old : operand;
    default: return old > operand ? old : operand;
    }
}

lsu_result lsu_atomic(rv_core *core, rv_bus *bus, const rv_decoded *op, uint64_t *now, uint64_t shared_limit)
{
    const uint32_t address = core->x[op->rs1];
    if ((address & 3) != 0) {
        return fault(core, bus, op, address, *now, "misaligned atomic");
    }
    if (address >= bus->l1_size) {
        return fault(core, bus, op, address, *now, "atomic outside L1 (Zaamo works on the tile's own L1 only)");
    }
    if (UNLIKELY(bus->watchpoint != NULL)) {
        bus->watchpoint(bus->owner, core->index, address, 4, true, *now);
    }
    /* Store queue empty, earlier loads answered, L0 flushed.  What this core wrote is in front of it in the port. */
    const lsu_result r = await_l1(core, bus, now, shared_limit);
    if (r != LSU_DONE) {
        return r;
    }
    pass_fence(core, bus, *now);
    core->side_effect = true;
    tell(core, bus, op, address, 4, RV_LOADS | RV_STORES, *now);
    const uint32_t old = load32(bus->l1 + address);
    const uint32_t value = atomic_result(op->code, old, core->x[op->rs2]);
    bool event = false;
    if (bus->line_flags[address >> LINE_SHIFT] == 0) {
        rv_touch(bus, address >> TOUCH_SHIFT);
        store32(bus->l1 + address, value);
    } else {
        bus->l1_write_in_turn(bus->owner, core->index, address, &value, 4, *now);
        event = true;
    }
    deliver(core, op->rd, 4, old, *now + COST_ATOMIC_L1);
    long_load(core, *now + COST_ATOMIC_L1);
    return event ? LSU_EVENT : LSU_CAREFUL;
}

/* ---- Vectors (RISCV T2) -------------------------------------------------------------------------- */

typedef struct vector_access {
    rv_core *core;
    rv_bus *bus;
    const rv_decoded *op;
    uint64_t issued, now, shared_limit, done;
    lsu_result result;
} vector_access;

static bool is_vector_device(const rv_bus *bus, uint32_t address)
{
    return address - bus->vector_first < bus->vector_bytes;
}

/* Where a vector access may go: L1 and local RAM, and devices that never make it wait, so that it either happens as a whole or
 * not at all.
 * OPEN: vector access to devices other than Dst is not described. */
static bool vector_place(vector_access *v, uint32_t address, unsigned size)
{
    if (address - LOCAL_RAM_BASE < v->core->local_size || (uint64_t)address + size <= v->bus->l1_size ||
        is_vector_device(v->bus, address)) {
        return true;
    }
    fault(v->core, v->bus, v->op, address, v->now, "vector access outside L1, local RAM and Dst");
    v->result = LSU_STATE;
    return false;
}

/* A piece of up to four bytes at a time.  False: the device has raised a fault, and the policy is not to go on. */
static bool device_load(vector_access *v, uint32_t address, unsigned size, void *data)
{
    unsigned latency = 0;
    for (unsigned at = 0; at < size; at += 4) {
        uint32_t value = 0;
        const unsigned piece = size - at < 4 ? size - at : 4;
        if (v->bus->load(v->bus->owner, v->core->index, address + at, piece, v->issued, &value, &latency) != BUS_OK &&
            v->core->state != RV_RUNNING) {
            v->result = LSU_STATE;
            return false;
        }
        memcpy((uint8_t *)data + at, &value, piece);
    }
    v->done = max64(v->done, v->now + latency);
    return true;
}

static bool device_store(vector_access *v, uint32_t address, unsigned size, const void *data)
{
    for (unsigned at = 0; at < size; at += 4) {
        uint32_t value = 0;
        const unsigned piece = size - at < 4 ? size - at : 4;
        memcpy(&value, (const uint8_t *)data + at, piece);
        if (v->bus->store(v->bus->owner, v->core->index, address + at, piece, value, v->issued) == BUS_FAULT &&
            v->core->state != RV_RUNNING) {
            v->result = LSU_STATE;
            return false;
        }
    }
    return true;
}

static bool vector_load(void *context, uint32_t address, unsigned size, void *data)
{
    vector_access *v = context;
    if (!vector_place(v, address, size)) {
        return false;
    }
    if (address - LOCAL_RAM_BASE < v->core->local_size) {
        tell(v->core, v->bus, v->op, address, size, RV_LOADS, v->issued);
        memcpy(data, v->core->local + (address - LOCAL_RAM_BASE), size);
        v->done = max64(v->done, v->now + COST_LOAD_LOCAL);
    } else if (is_vector_device(v->bus, address)) {
        if (!device_load(v, address, size, data)) {
            return false;
        }
    } else {
        tell(v->core, v->bus, v->op, address, size, RV_LOADS, v->issued);
        read_through_queue(v->core, v->bus, address, size, data);
        v->done = max64(v->done, v->now + COST_LOAD_L1);
    }
    v->now++;
    return true;
}

static bool vector_store(void *context, uint32_t address, unsigned size, const void *data)
{
    vector_access *v = context;
    if (!vector_place(v, address, size)) {
        return false;
    }
    if (address - LOCAL_RAM_BASE < v->core->local_size) {
        tell(v->core, v->bus, v->op, address, size, RV_STORES, v->issued);
        memcpy(v->core->local + (address - LOCAL_RAM_BASE), data, size);
    } else if (is_vector_device(v->bus, address)) {
        if (!device_store(v, address, size, data)) {
            return false;
        }
    } else {
        tell(v->core, v->bus, v->op, address, size, RV_STORES, v->issued);
        v->bus->l1_write_in_turn(v->bus->owner, v->core->index, address, data, size, v->issued);
        l0_drop(v->core, address);
    }
    v->now++;
    return true;
}

lsu_result lsu_vector(rv_core *core, rv_bus *bus, const rv_decoded *op, uint64_t *now, uint64_t shared_limit)
{
    const rv_vec_use use = rv_vec_inspect(op->word);
    if (core->settled == NEVER) {
        return wait_for(core, core->blocked.address);
    }
    /* "Vector instructions cannot perform any peeking": inputs come from the register file. */
    *now = max64(*now, core->settled);
    if (*now >= shared_limit) {
        return LSU_SHARED;
    }
    if (use.is_memory) {
        /* In order with everything before it, as the strongest reading of the manual. */
        const lsu_result r = await_l1(core, bus, now, shared_limit);
        if (r != LSU_DONE) {
            return r;
        }
        *now = max64(*now, core->local_ready);
        if (*now >= shared_limit) {
            return LSU_SHARED;
        }
        pass_fence(core, bus, *now);
    }
    vector_access v = {.core = core, .bus = bus, .op = op, .issued = *now, .now = *now, .shared_limit = shared_limit};
    const rv_vec_memory memory = {.context = &v, .load = vector_load, .store = vector_store};
    const unsigned micro_ops = rv_vec_micro_ops(&core->vec, op->word);
    uint32_t result = 0;
    const uint32_t x1 = core->x[bits(op->word, 19, 15)], x2 = core->x[bits(op->word, 24, 20)];
    core->side_effect = true;
    switch (rv_vec_execute(&core->vec, &core->fp, core->cfg0, op->word, x1, x2, &memory, &result)) {
    case RV_VEC_OK: break;
    case RV_VEC_UNDEFINED: {
        rv_fault f = {.kind = KERR_FAULT_UNDEFINED,
                      .pc = core->pc,
                      .instruction = op->word,
                      .cycle = *now,
                      .manual = "BlackholeA0/TensixTile/BabyRISCV/InstructionSet"};
        snprintf(f.text, sizeof f.text, "vector instruction 0x%08x is reserved with vtype 0x%x, vl %u", op->word,
                 core->vec.vtype, core->vec.vl);
        core->state = RV_STOPPED;
        bus->fault(bus->owner, core->index, &f);
        return LSU_STATE;
    }
    default: return LSU_STATE;
    }
    uint64_t done = max64(v.done, *now + micro_ops + 2); /* EX1, EX2, EX3 */
    if (use.writes_x && bits(op->word, 11, 7) != 0) {
        core->x[bits(op->word, 11, 7)] = result;
    }
    /* A consumer of the vector registers waits for `settled`, a scalar one for its register. */
    lsu_settle(core, X_SINK, done);
    if (use.writes_x) {
        lsu_settle(core, bits(op->word, 11, 7) != 0 ? bits(op->word, 11, 7) : X_SINK, done);
    }
    if (use.writes_f) {
        lsu_settle(core, READY_F + bits(op->word, 11, 7), done);
    }
    *now += micro_ops > 1 ? micro_ops - 1 : 0;
    return use.is_memory && use.is_store ? LSU_EVENT : LSU_CAREFUL;
}
