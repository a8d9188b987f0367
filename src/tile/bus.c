/* SPDX-License-Identifier: Apache-2.0 */
/* The bus a core sees: devices, pushes, breakpoints, and who looks again when a device changed. */
#include "tile/parts.h"

#include "riscv/block.h"
#include "riscv/lsu.h"
#include "tensix/frontend/push.h"
#include "tensix/tensix.h"

/* The second mapping of the local RAMs, in Tensix tiles only (manual BabyRISCV/README "Local Data RAM"): 0xFFB14000 B, 16000 NC, then
 * T0, T1, T2 with 4 KiB each, twice.  NULL: not there. */
uint8_t *tile_slow_local(struct tile *tile, uint32_t address, size_t size, unsigned *core)
{
    const uint32_t offset = address - 0xFFB14000u;
    if (offset >= 0xA000 || tile->kind != KERR_TILE_TENSIX) {
        return NULL;
    }
    static const uint8_t owner[5] = {KERR_CORE_B, KERR_CORE_NC, KERR_CORE_T0, KERR_CORE_T1, KERR_CORE_T2};
    *core = owner[offset >> 13];
    rv_core *c = &tile->core[*core];
    const uint32_t place = offset & (c->local_size - 1);
    return size <= c->local_size - place ? c->local + place : NULL;
}

void *tile_local_at(struct tile *tile, unsigned core, uint32_t address, size_t size)
{
    rv_core *c = &tile->core[core];
    const uint32_t offset = address - LOCAL_RAM_BASE;
    if (offset < c->local_size) {
        return size <= c->local_size - offset ? c->local + offset : NULL;
    }
    unsigned owner;
    return tile_slow_local(tile, address, size, &owner);
}

static const char map_page[] = "BlackholeA0/TensixTile/BabyRISCV/README \"Memory map\"";

/* Devices through which a core sees or changes what another core is doing (first and last address). */
static bool shows_other_cores(uint32_t address)
{
    return (address >= 0xFFB12050u && address <= 0xFFB1205Fu) /* debug daisychain, configuration to be read */ ||
           (address >= 0xFFB12078u && address <= 0xFFB1207Bu) /* what was read of the configuration */ ||
           (address >= 0xFFB12080u && address <= 0xFFB1208Fu) /* debug interface */ ||
           address == 0xFFB121B0u /* soft reset */ ||
           (address >= 0xFFB13000u && address <= 0xFFB1DFFFu) /* PIC, pc snapshot, local RAMs */;
}

/* A store to what sends: a window that the tile has for itself ends before anybody can feel it. */
static void reaches_out(struct tile *tile, uint32_t address, uint64_t now)
{
    if (UNLIKELY(tile->alone) && devices_reach_out(&tile->dev, address) && !devices_is_quiet(address)) {
        tile->alone_end = min64(tile->alone_end, now + fabric_lookahead());
    }
}

/* True: the access must wait until no core is ahead of it. */
static bool must_meet(struct tile *tile, unsigned core, uint32_t address)
{
    if (tile->strict || !shows_other_cores(address)) {
        return false;
    }
    for (unsigned i = 0; i < tile->cores; i++) {
        if (i != core && tile->core[i].state != RV_IN_RESET) {
            tile->rendezvous = true;
            return true;
        }
    }
    return false;
}

bool tile_local_word(const struct tile *tile, uint32_t address, uint32_t *value)
{
    unsigned core;
    const uint8_t *local =
        tile_slow_local((struct tile *)(uintptr_t)tile, address, sizeof *value, &core); /* only read */
    if (local != NULL) {
        memcpy(value, local, sizeof *value);
    }
    return local != NULL;
}

bool tile_set_local_word(struct tile *tile, uint32_t address, uint32_t value, uint64_t cycle)
{
    unsigned core;
    uint8_t *local = tile_slow_local(tile, address, sizeof value, &core);
    if (local != NULL) {
        tile_core_wake(tile, core, cycle);
        hook_local(tile, core, local, sizeof value, CHECK_WRITE);
        memcpy(local, &value, sizeof value);
    }
    return local != NULL;
}

static bool is_held(const struct tile *tile)
{
    for (unsigned i = 0; i < tile->cores; i++) {
        if (tile->core[i].state != RV_IN_RESET) {
            return false;
        }
    }
    return true;
}

uint64_t tile_meeting(struct tile *tile, uint32_t address, uint64_t cycle)
{
    if (tile->strict || !shows_other_cores(address) || is_held(tile)) {
        return cycle;
    }
    tile->rendezvous = true;
    return (cycle / RENDEZVOUS_GRID + 1) * RENDEZVOUS_GRID;
}

uint64_t tile_unit_turn(struct tile *tile, uint32_t address, bool store, uint64_t cycle)
{
    if (store) {
        reaches_out(tile, address, cycle);
    }
    return tile_meeting(tile, address, cycle);
}

static bus_result load_device(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint64_t now,
                              uint32_t *value, unsigned *latency)
{
    unsigned local_core;
    if (is_niu(address) && size == 4 &&
        devices_is_parkable(&tile->dev, address)) { /* a short cut: reading changes nothing */
        attend(tile);
        if ((address & 0xFFFF) >= NIU_COUNTERS && (address & 0xFFFF) < NIU_COUNTERS_END) {
            tile_noc_catch_up(tile, now);
        }
        if (niu_reg_peek(&tile->dev.niu[address >> 16 & 1], address & 0xFFFF, value)) {
            *latency = COST_LOAD_TILE;
            return BUS_OK;
        }
    }
    if (must_meet(tile, core, address)) {
        return BUS_WAIT;
    }
    const uint8_t *local = tile_slow_local(tile, address, size, &local_core);
    if (local != NULL) {
        *value = 0;
        memcpy(value, local, size);
        *latency = COST_LOAD_LOCAL_SLOW;
        return BUS_OK;
    }
    *latency = devices_load_latency(address);
    attend(tile); /* to its own stores just drained, at their cycle */
    if (CHECKED(tile)) {
        hook_core_acts(tile, core, now); /* not those who were attended to */
    }
    switch (devices_read(tile, core, address, size, now, value)) {
    case DEV_OK: return BUS_OK;
    case DEV_WAIT: return BUS_WAIT;
    case DEV_NOTHING:
        *value = UINT32_MAX;
        tile_fault(tile, KERR_FAULT_UNDEFINED, core, address, now, map_page,
                   "load of %u byte%s from 0x%08x: nothing there for this core", size, size == 1 ? "" : "s", address);
        return BUS_FAULT;
    default: return BUS_FAULT;
    }
}

/* Cores that wait load the clock again and again: a short cut past all other devices.  Nobody's turn depends on it. */
static inline bool loads_clock(const struct tile *tile, uint32_t address, unsigned size)
{
    return (address == RISCV_DEBUG_REG_WALL_CLOCK_0 || address == RISCV_DEBUG_REG_WALL_CLOCK_1_AT) && size == 4 &&
           tile->kind == KERR_TILE_TENSIX && !tile->attention && !CHECKED(tile);
}

/* Whether a load from here, of an NIU or a stream, changes nothing at all unless it fails. */
static bool only_looks(const struct tile *tile, uint32_t address, uint64_t now)
{
    if (tile->attention || address < NIU_FIRST || address > NOC_OVERLAY_START_ADDR_LAST ||
        devices_is_parkable(&tile->dev, address) != STEADY_VALUE) {
        return false;
    }
    return !is_niu(address) || min64(noc_queue_next(&tile->port->acks), niu_next_event(&tile->dev)) > now;
}

static bus_result bus_load(void *owner, unsigned core, uint32_t address, unsigned size, uint64_t now, uint32_t *value,
                           unsigned *latency)
{
    struct tile *tile = owner;
    if (loads_clock(tile, address, size) && wall_clock_read(tile, core, address, now, value) == DEV_OK) {
        *latency = COST_LOAD_TILE;
        return BUS_OK;
    }
    const bool looks = !tile->disturbed && only_looks(tile, address, now);
    const bus_result result = load_device(tile, core, address, size, now, value, latency);
    tile->disturbed |= !looks || result != BUS_OK;
    if (CHECKED(tile) && result == BUS_OK) {
        hook_core_device(tile, core, address, size, *value, CHECK_READ, now);
    }
    return result;
}

static bool bus_keep(void *owner, uint32_t address, uint32_t value)
{
    struct tile *tile = owner;
    return is_niu(address) && !tile->attention && niu_store(&tile->dev.niu[address >> 16 & 1], address & 0xFFFF, value);
}

/* Pushes of RISCV Ti that need not wait their turn: those for which there is room whatever the coprocessor does in the
 * meantime. */
enum { INSTRN_BUF_CTRL0 = 0xA0 / 4 }; /* of debug_reg: RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0 */
static unsigned bus_push(void *owner, unsigned core, const rv_decoded *ops, unsigned most, bool fuses, uint64_t *now,
                         uint64_t *limit)
{
    struct tile *tile = owner;
    if (UNLIKELY(tile->dev.debug_reg[INSTRN_BUF_CTRL0] != 0 || tile->dev.tensix.traced)) {
        return 0; /* the debug bus may have the FIFO; somebody wants to be told */
    }
    struct tensix *tx = &tile_devices(tile)->tensix;
    struct tensix_thread *t = &tx->thread[core - KERR_CORE_T0];
    uint32_t pc = tile->core[core].pc;
    if (UNLIKELY(opcode_of(ops->immediate) == OPCODE_RESOURCEDECL)) {
        if (!push_has_room(t, *now)) {
            return 0;
        }
        push_append(tx, t, ops->immediate, pc, *now);
        hook_push(tile, core, core - KERR_CORE_T0, ops->immediate, pc, *now);
        *limit = max64(min64(tensix_next(tx), NEVER - 1), *now) + 1;
        return 1;
    }
    struct push_row row = push_begin(t, *now);
    while (row.count < most && ops[row.count].code == RV_TTINSN && push_takes(&row, ops[row.count].immediate)) {
        push_next(&row, ops[row.count].immediate, pc);
        hook_push(tile, core, core - KERR_CORE_T0, ops[row.count - 1].immediate, pc, row.cycle);
        pc += 4;
        row.cycle += !fuses || pc % COST_ICACHE_LINE_BYTES == 0;
    }
    if (row.count == 0) {
        return 0;
    }
    push_end(tx, &row, *now);
    *now = row.last;
    *limit = max64(min64(tensix_next(tx), NEVER - 1), *now) + 1;
    return row.count;
}

/* Before what the store does, of which the device may tell, and behind attend(), where others act; one that waits is told of
 * again. */
static inline void tell_store(const struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t value,
                              uint64_t now)
{
    if (CHECKED(tile)) {
        hook_core_device(tile, core, address, size, value, CHECK_WRITE, now);
    }
}

/* The same in turn, mostly because there was no room: a short cut to what bus_store would find. */
static bus_result store_push(struct tile *tile, unsigned core, uint32_t value, uint64_t now)
{
    attend(tile);
    tell_store(tile, core, INSTRN_BUF_BASE, 4, value, now);
    tile->storing = tile->bus[core].in_turn ? (uint8_t)core : 0;
    const dev_result result = devices_push_tensix(tile, core, core - KERR_CORE_T0, value, now);
    tile->storing = 0;
    return result == DEV_OK ? BUS_OK : result == DEV_WAIT ? BUS_WAIT : BUS_FAULT;
}

/* What the order of turns within a tile depends on, apart from the core whose turn it is. */
struct order {
    uint64_t timer, niu, unit;
    uint32_t cores;
};

static inline struct order order_of(const struct tile *tile)
{
    return (struct order){.timer = devices_next_timer(&tile->dev),
                          .niu = niu_next_event(&tile->dev),
                          .unit = tensix_next(&tile->dev.tensix),
                          .cores = (uint32_t)(tile->awake | tile->parked << 8 | tile->live << 16)};
}

/* Whether what this core waits for tells it when to look again. */
static bool is_told(const struct tile *tile, unsigned c)
{
    const rv_core *core = &tile->core[c];
    const store_entry *head = &core->stores.entry[core->stores.head];
    const bool pushes = head->line == INSTRN_BUF_BASE && tile->bus[c].push != NULL;
    return (!core->blocked.active || devices_tells(c, core->blocked.address)) && (!core->stores.stuck || pushes);
}

/* Nobody would take up anything if he was told that a device has changed (attend) by a store to `address`. */
static bool nobody_waits(const struct tile *tile, uint32_t address)
{
    bool waits = tile->breakpoints != 0 || tag_search_is_on(tile);
    for (unsigned left = tile->awake; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const rv_core *core = &tile->core[i];
        if (core->blocked.active | core->stores.stuck) {
            waits |= !devices_releases_nobody(address) || !is_told(tile, i);
        }
    }
    return !waits;
}

/* A core's store to a register of the coprocessor or of a stream is done.  True: it is of no consequence to the turns of
 * anybody, so the core may go on. */
static bool is_of_no_consequence(struct tile *tile, uint32_t address, const struct order *before)
{
    const struct order now = order_of(tile);
    if (before->timer != now.timer || before->niu != now.niu || before->unit != now.unit ||
        before->cores != now.cores || !nobody_waits(tile, address)) {
        return false;
    }
    tile->attention = false;
    tile->attention_of = 0;
    return true;
}

static bus_result store_device(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t value,
                               uint64_t now)
{
    unsigned local_core;
    if (address == INSTRN_BUF_BASE && size == 4 && tile->bus[core].push != NULL) {
        return store_push(tile, core, value, now);
    }
    if (size == 4 && bus_keep(tile, address, value)) {
        return BUS_QUIET;
    }
    reaches_out(tile, address, now);
    const bool niu = is_niu(address) && size == 4; /* a short cut */
    if (!niu && must_meet(tile, core, address)) {
        return BUS_WAIT;
    }
    uint8_t *local = niu ? NULL : tile_slow_local(tile, address, size, &local_core);
    if (local != NULL) {
        tile_core_wake(tile, local_core, now);
        tell_store(tile, core, address, size, value, now);
        hook_local(tile, local_core, local, size, CHECK_WRITE);
        memcpy(local, &value, size);
        return BUS_OK;
    }
    attend(tile);
    const bool plain = !niu && tile->bus[core].in_turn && devices_only_keeps(address);
    const struct order before = plain ? order_of(tile) : (struct order){0};
    tell_store(tile, core, address, size, value, now);
    tile->storing = tile->bus[core].in_turn ? (uint8_t)core : 0;
    if (tile->bus[core].in_turn) {
        tile->stored_by = (uint8_t)core;
        tile->stored_at = now;
    }
    const dev_result result =
        niu ? niu_write(tile, core, address, value, now) : devices_write(tile, core, address, size, value, now);
    tile->storing = 0;
    switch (result) {
    case DEV_OK:
        if (plain && is_of_no_consequence(tile, address, &before)) {
            return BUS_QUIET;
        }
        return devices_is_quiet(address) ? BUS_QUIET : BUS_OK;
    case DEV_WAIT: return BUS_WAIT;
    case DEV_NOTHING:
        tile_fault(tile, KERR_FAULT_UNDEFINED, core, address, now, map_page,
                   "store of %u byte%s to 0x%08x: nothing there for this core", size, size == 1 ? "" : "s", address);
        return BUS_FAULT;
    default: return BUS_FAULT;
    }
}

static bus_result bus_store(void *owner, unsigned core, uint32_t address, unsigned size, uint32_t value, uint64_t now)
{
    struct tile *tile = owner;
    const bool disturbed = tile->disturbed;
    const bus_result result = store_device(tile, core, address, size, value, now);
    tile->disturbed = disturbed || result != BUS_QUIET || is_niu(address);
    return result;
}

static void bus_access(void *owner, unsigned core, uint32_t instruction, uint32_t address, unsigned size, unsigned how,
                       uint64_t now)
{
    _Static_assert((int)RV_LOADS == (int)CHECK_READ && (int)RV_STORES == (int)CHECK_WRITE &&
                       (int)RV_FROM_L0 == (int)CHECK_FROM_L0,
                   "the same bits");
    const struct tile *tile = owner;
    hook_core_access(tile, core, instruction, address, size, how, now);
    if (how & CHECK_FROM_L0) {
        uint32_t was = 0, is = 0;
        memcpy(&was, lsu_l0_byte(&tile->core[core], address), size);
        lsu_read_own(&tile->core[core], &tile->bus[core], address, size, &is);
        if (was != is) {
            hook_stale_l0(tile, address, size, was, is);
        }
    }
}

static void bus_enters(void *owner, unsigned core, uint32_t pc, uint64_t now)
{
    const struct tile *tile = owner;
    hook_core_enters(tile, core, pc, now);
}

static rv_steady bus_steady(void *owner, uint32_t address)
{
    const struct tile *tile = owner;
    return devices_is_parkable(&tile->dev, address);
}

static void bus_interrupt(void *owner, unsigned core, bool entered, uint64_t now)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    if (entered) {
        devices_interrupt_entered(owner, core, now);
    } else {
        devices_interrupt_returned(owner, core, now);
    }
}

bool tile_bus_tag_search(void *owner, uint32_t address, uint64_t now, uint32_t *value)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    return tag_search_read(owner, address, now, value);
}

bool tile_core_load(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t *value, uint64_t cycle)
{
    *value = 0;
    if (address <= tile->l1_bytes - size) {
        lsu_read_own(&tile->core[core], &tile->bus[core], address, size, value);
        return true;
    }
    const void *local = tile_local_at(tile, core, address, size);
    if (local != NULL) {
        memcpy(value, local, size);
        return true;
    }
    return devices_read(tile, core, address, size, cycle, value) == DEV_OK;
}

/* Written, whosever local RAM it is. */
void tile_tell_local(const struct tile *tile, const uint8_t *local, size_t size)
{
    for (unsigned i = 0; i < tile->cores; i++) {
        if (local >= tile->core[i].local && local < tile->core[i].local + sizeof tile->core[i].local) {
            hook_local(tile, i, local, size, CHECK_WRITE);
        }
    }
}

bool tile_core_store(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t value, uint64_t cycle)
{
    if (address <= tile->l1_bytes - size) {
        l1_write(tile, (int)core, address, &value, size, cycle);
        return true;
    }
    void *local = tile_local_at(tile, core, address, size);
    if (local != NULL) {
        tile_tell_local(tile, local, size);
        memcpy(local, &value, size);
        return true;
    }
    reaches_out(tile, address, cycle);
    return devices_write(tile, core, address, size, value, cycle) == DEV_OK;
}

/* The instruction that hits a breakpoint or watchpoint finishes; the core halts before the next. */
static void bus_breakpoint(void *owner, unsigned core, uint32_t pc, uint64_t now)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    tile_stop_at_pc(tile, core, pc, now);
    if ((tile->breakpoints >> core & 1) && devices_breakpoint(tile, core, pc, now)) {
        tile->core[core].single_step = true;
    }
}

static void bus_watchpoint(void *owner, unsigned core, uint32_t address, unsigned size, bool is_store, uint64_t now)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    if (tile->core[core].offered) {
        return;
    }
    tile_stop_at_access(tile, core, address, size, is_store, now);
    if ((tile->breakpoints >> core & 1) && devices_watchpoint(tile, core, address, size, is_store, now)) {
        tile->core[core].single_step = true;
    }
}

static void bus_ebreak(void *owner, unsigned core, uint64_t now)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    devices_ebreak(owner, core, now);
}

void tile_core_set_breakpoints(struct tile *tile, unsigned core, bool any)
{
    if (any) {
        tile->breakpoints |= (uint8_t)(1u << core);
    } else {
        tile->breakpoints &= (uint8_t) ~(1u << core);
    }
    tile->bus[core].breakpoint = any || tile_stops_pc(tile, core) ? bus_breakpoint : NULL;
    tile->bus[core].watchpoint = any || tile_stops_access(tile, core) ? bus_watchpoint : NULL;
}

/* Waiting loads and held-up stores look again after a device changed. */
void tile_attend_now(struct tile *tile)
{
    if (tile->attending) {
        return;
    }
    tile->attending = true;
    while (tile->attention) {
        const unsigned cores = tile->attention_of;
        const uint64_t cycle = tile->attention_cycle;
        tile->attention = false;
        tile->attention_of = 0;
        /* A parked core waits for nothing that the devices give. */
        for (unsigned left = tile->breakpoints != 0 ? tile->live : tile->awake; left != 0; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            rv_core *core = &tile->core[i];
            if (core->state == RV_IN_RESET || core->state == RV_STOPPED) {
                continue;
            }
            if (tile->breakpoints >> i & 1) {
                tile_core_wake(tile, i, cycle);
            }
            if (!(cores >> i & 1)) {
                continue;
            }
            if (core->blocked.active | core->stores.stuck) {
                tile->stirred |= (uint8_t)(1u << i);
            }
            if (core->blocked.active) {
                uint32_t value = 0;
                unsigned latency;
                if (bus_load(tile, i, core->blocked.address, core->blocked.size, cycle, &value, &latency) == BUS_OK) {
                    rv_complete_blocked(core, value, cycle);
                }
            }
            if (core->stores.stuck) {
                const uint32_t count = core->stores.count;
                rv_drain(core, &tile->bus[i], cycle);
                if (core->stores.count < count && core->state == RV_WAITING) { /* it looks again by itself */
                    core->state = RV_RUNNING;
                    core->t = max64(core->t, cycle);
                }
            }
        }
    }
    tile->attending = false;
}

void tile_bus_create(struct tile *tile, unsigned i)
{
    tile->bus[i] = (rv_bus){
        .l1 = tile->l1,
        .l1_size = tile->l1_bytes,
        .vector_first = TENSIX_DST_START_ADDR,
        .vector_bytes = tile->kind == KERR_TILE_TENSIX ? TENSIX_DST_START_ADDR_LAST - TENSIX_DST_START_ADDR + 1 : 0,
        .max_block = tile->environment->max_block,
        .line_flags = tile->line_flags,
        .touched = tile->touched,
        .ports = &tile->ports,
        .generation = &tile->generation[i],
        .lookup = tile->lookup[i],
        .owner = tile,
        .attention = &tile->attention,
        .seed = tile->environment->seed,
        .seed_place = (uint64_t)tile->index << 32 | 0x4C300000u | i, /* "L0" of core i */
        .node = noc_node_at(tile->at.x, tile->at.y),
        .load = bus_load,
        .store = bus_store,
        .keep = bus_keep,
        .push = tile->kind == KERR_TILE_TENSIX && i >= KERR_CORE_T0 && i <= KERR_CORE_T2 ? bus_push : NULL,
        .l1_write = l1_write,
        .l1_write_in_turn = l1_write_in_turn,
        .steady = bus_steady,
        .parks = tile->environment->parking,
        .interrupt = bus_interrupt,
        .ebreak = bus_ebreak,
        .fault = tile_bus_fault,
    };
}

void tile_bus_note(struct tile *tile, struct rv_block_store *blocks)
{
    const bool traced = (tile->environment->trace_kinds & KERR_TRACE_INSTRUCTION) != 0;
    const bool checked = tile->lent.check != NULL;
    const bool trace_is_full =
        tile->environment->trace != NULL && (tile->environment->trace_kinds & KERR_TRACE_PARKING) == 0;
    for (unsigned i = 0; i < tile->cores; i++) {
        tile->bus[i].blocks = blocks;
        tile->bus[i].trace = traced ? tile_bus_trace : NULL;
        tile->bus[i].never_parks = trace_is_full;
        tile->bus[i].access = checked && hooks_of(tile->lent.check)->watches_cores ? bus_access : NULL;
        tile->bus[i].enters = checked ? bus_enters : NULL;
    }
}
