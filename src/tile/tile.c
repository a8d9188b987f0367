/* SPDX-License-Identifier: Apache-2.0 */
/* The tile: order of events, L1 with its watchers, what the devices ask of the cores.  See tile.h for how time
 * flows, devices.h for the contract with the devices. */
#include "tile/tile.h"

#include "base/bits.h"
#include "base/fast.h"
#include "base/pages.h"
#include "base/random.h"
#include "check/hooks.h"
#include "noc/niu.h"
#include "riscv/block.h"
#include "riscv/lsu.h"
#include "tensix/frontend/push.h"
#include "tensix/matrix/kernel.h"
#include "tensix/step.h"
#include "tensix/tensix.h"
#include "tile/blocks.h"
#include "tile/deadlock.h"
#include "tile/fault_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A loop is worth a try at parking when it has done nothing visible for this long; a failed try doubles the
 * distance to the next. */
enum { QUIET_CYCLES = 72, BACKOFF_FIRST = 512, BACKOFF_LAST = 1 << 20 };

static rv_probe *probe_of(struct tile *tile, unsigned core)
{
    return (rv_probe *)(void *)tile->probe_space[core];
}

/* ---- Faults ----------------------------------------------------------------------------------------- */

void tile_stop(struct tile *tile, uint64_t cycle)
{
    if (cycle < tile->stopped_at) {
        tile->stopped_at = cycle;
        __atomic_store_n(tile->stopping, true, __ATOMIC_RELAXED);
        *tile->due = min64(*tile->due, cycle); /* the chip must look */
    }
}

/* The same is on record already, or there is no room for it: a debugger asks again and again. */
static bool is_noted(const struct tile *tile, const kerr_fault *fault)
{
    bool noted = tile->fault_count >= TILE_FAULTS;
    for (uint32_t i = 0; i < tile->fault_count && !noted; i++) {
        const kerr_fault *f = &tile->fault[i];
        noted = f->asker == fault->asker && f->kind == fault->kind && f->address == fault->address &&
                strcmp(f->text, fault->text) == 0;
    }
    return noted;
}

static bool record_fault(struct tile *tile, kerr_fault *fault)
{
    kerr_policy policy = tile->environment->policy[fault->kind];
    if (fault->asker == KERR_ASKER_HOST_READ) {
        policy = policy == KERR_POLICY_IGNORE || is_noted(tile, fault) ? KERR_POLICY_IGNORE : KERR_POLICY_GO_ON;
    }
    fault->tile = tile->at;
    fault->stopping = policy == KERR_POLICY_STOP;
    if (policy != KERR_POLICY_IGNORE) {
        tile_save_faults(tile);
        fault_list_put(tile->fault, &tile->fault_count, TILE_FAULTS, fault);
    }
    if (fault->stopping) {
        tile_stop(tile, fault->cycle);
    }
    return fault->stopping;
}

/* What the core cannot go on from: the policy may only leave the record out. */
static void bus_fault(void *owner, unsigned core, const rv_fault *f)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    kerr_fault fault = {.kind = (kerr_fault_kind)f->kind,
                        .core = (int8_t)core,
                        .pc = f->pc,
                        .instruction = f->instruction,
                        .address = f->address,
                        .cycle = f->cycle,
                        .manual = f->manual};
    memcpy(fault.text, f->text, sizeof fault.text);
    if (!record_fault(tile, &fault)) {
        /* No document gives the continuation: this core stays where it is, the others go on. */
        tile->core[core].state = RV_STOPPED;
    }
}

void tile_fault(struct tile *tile, kerr_fault_kind kind, unsigned client, uint32_t address, uint64_t cycle,
                const char *manual, const char *text, ...)
{
    kerr_fault fault = {.kind = kind,
                        .core = client < KERR_CORE_COUNT ? (int8_t)client : -1,
                        .address = address,
                        .cycle = cycle,
                        .manual = manual};
    if (client < KERR_CORE_COUNT) {
        const rv_core *core = &tile->core[client];
        fault.pc = core->pc;
        if (core->pc < tile->l1_bytes - 3) {
            fault.instruction = load32(tile->l1 + core->pc);
        }
    }
    if (tile->host == HOST_READS || (tile->host == HOST_WRITES && client == CLIENT_NOC)) {
        fault.asker = tile->host == HOST_READS ? KERR_ASKER_HOST_READ : KERR_ASKER_HOST;
        fault.core = -1; /* a debugger's load is not what the core does */
        fault.pc = fault.instruction = 0;
    } else if (client == CLIENT_NOC && tile->served != NULL && noc_has_asker(tile->served)) {
        const noc_node node = noc_asker_node(tile->served);
        fault.asker = (1u + tile->served->initiator_core) & 0x7Fu;
        fault.asker_noc = tile->served->noc & 1u;
        fault.asker_tile = (kerr_xy){(uint8_t)(node % NOC_GRID_X), (uint8_t)(node / NOC_GRID_X)};
        fault.pc = tile->served->initiator_pc;
    }
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(fault.text, sizeof fault.text, text, arguments);
    va_end(arguments);
    if (record_fault(tile, &fault) && fault.core >= 0) {
        tile->core[client].state = RV_STOPPED;
    }
}

bool tile_tensix_fault(struct tile *tile, kerr_fault_kind kind, unsigned thread, bool by_b, uint32_t pc, uint32_t word,
                       uint64_t cycle, const char *manual, const char *text)
{
    kerr_fault fault = {.kind = kind,
                        .core = (int8_t)(by_b ? KERR_CORE_B : KERR_CORE_T0 + thread),
                        .thread = (uint8_t)(thread + 1),
                        .pc = pc,
                        .instruction = word,
                        .cycle = cycle,
                        .manual = manual};
    snprintf(fault.text, sizeof fault.text, "%s", text);
    if (CHECKED(tile) && kind == KERR_FAULT_HAZARD && tile->environment->policy[kind] == KERR_POLICY_IGNORE) {
        check_hazard(tile->check, &fault); /* hardware goes on, and so does the chip */
        return false;
    }
    return record_fault(tile, &fault);
}

void tile_core_fault(struct tile *tile, kerr_fault_kind kind, unsigned core, uint32_t pc, uint32_t address,
                     uint64_t cycle, const char *text)
{
    kerr_fault fault = {.kind = kind,
                        .core = (int8_t)core,
                        .pc = pc,
                        .instruction = pc < tile->l1_bytes - 3 ? load32(tile->l1 + pc) : 0,
                        .address = address,
                        .cycle = cycle};
    snprintf(fault.text, sizeof fault.text, "%s", text);
    record_fault(tile, &fault);
}

uint64_t tile_random(const struct tile *tile, uint32_t unit, uint64_t n)
{
    return random_at(tile->environment->seed, (uint64_t)tile->index << 32 | unit, n);
}

/* ---- L1 ------------------------------------------------------------------------------------------------ */

/* Who writes L1, besides the cores. */
enum { BY_HOST = -1, BY_DEVICE = -2, BY_NOC = -3 };

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

/* Code changes, or lines of it are dropped, in this cycle.  A core that has fetched in a later one, out of turn, may have the
 * wrong bytes: what it did is taken back and done again in order. */
static void code_changes(struct tile *tile, uint64_t cycle)
{
    for (unsigned i = 0; tile->speculative && i < tile->cores; i++) {
        if (tile->bus[i].fetched_early >= cycle) {
            tile->undo_stop = min64(tile->undo_stop, cycle);
        }
    }
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

/* Of all lines from first to last. */
static uint8_t flags_of_lines(const struct tile *tile, uint32_t first, uint32_t last)
{
    const uint8_t *flags = &tile->line_flags[first];
    uint32_t count = last - first + 1;
    uint64_t all = 0;
    for (; count >= 32; count -= 32, flags += 32) {
        uint64_t eight[4];
        memcpy(eight, flags, sizeof eight);
        all |= eight[0] | eight[1] | eight[2] | eight[3];
    }
    for (; count >= 8; count -= 8, flags += 8) {
        uint64_t eight;
        memcpy(&eight, flags, sizeof eight);
        all |= eight;
    }
    all |= all >> 32;
    all |= all >> 16;
    all |= all >> 8;
    for (; count != 0; count--, flags++) {
        all |= *flags;
    }
    return (uint8_t)all;
}

static void touch_pages(struct tile *tile, uint32_t address, unsigned size)
{
    for (uint32_t page = address >> TOUCH_SHIFT; page <= (address + size - 1) >> TOUCH_SHIFT; page++) {
        rv_touch(&tile->bus[0], page);
    }
}

/* Every write that may concern somebody: polling cores are brought to this cycle before the bytes change, decoded
 * cached code is dropped after. */
static void l1_write(void *owner, int core, uint32_t address, const void *data, unsigned size, uint64_t cycle)
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
    if (flags & LINE_CODE) {
        code_changes(tile, cycle);
    }
    if ((flags & LINE_CODE) && core != BY_NOC) {
        code_written(tile, core, address, size, cycle);
    }
}

/* The first write to a page of L1, ever or in this window. */
static void touch(void *owner, uint32_t page)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    if (tile->speculative) {
        tile_save_page(tile, page);
    }
    tile->touched[page] = tile->bus[0].touch_mark;
}

static void l1_write_in_turn(void *owner, int core, uint32_t address, const void *data, unsigned size, uint64_t cycle)
{
    struct tile *tile = owner;
    tile->in_turn = true;
    l1_write(owner, core, address, data, size, cycle);
    tile->in_turn = false;
}

const uint8_t *tile_l1(const struct tile *tile)
{
    return tile->l1;
}
uint32_t tile_l1_size(const struct tile *tile)
{
    return tile->l1_bytes;
}

bool tile_l1_write(struct tile *tile, uint32_t address, const void *data, unsigned size, uint64_t cycle)
{
    if (CHECKED(tile)) {
        const bool same = size <= CHECK_SAME_BYTES && memcmp(tile->l1 + address, data, size) == 0;
        check_l1(tile->check, address, size, CHECK_WRITE | (same ? CHECK_SAME : 0));
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

/* ---- Cores, as the devices ask for them ------------------------------------------------------------------ */

struct devices *tile_devices(struct tile *tile)
{
    if (UNLIKELY(tile->speculative)) {
        tile_save_devices(tile);
    }
    return &tile->dev;
}
const struct devices *tile_devices_const(const struct tile *tile)
{
    return &tile->dev;
}

struct tensix_files *tile_tensix_files(struct tile *tile)
{
    if (UNLIKELY(tile->speculative)) {
        tile_save_files(tile);
    }
    return &tile->files;
}
struct vector_files *tile_vector_files(struct tile *tile)
{
    if (UNLIKELY(tile->speculative)) {
        tile_save_vector(tile);
    }
    return &tile->files.vector;
}
const struct tensix_files *tile_tensix_files_const(const struct tile *tile)
{
    return &tile->files;
}

struct matrix_cache *tile_matrix_cache(struct tile *tile)
{
    const bool helped = tile->environment->helped;
    if (UNLIKELY(!tile->populated && helped)) { /* products read Dst before they write it */
        tile_populate_files(tile);
    }
    if (UNLIKELY(!tile->matrix->populated && helped)) {
        matrix_cache_populate(tile->matrix);
    }
    return tile->matrix;
}

struct vector_cache *tile_vector_cache(struct tile *tile)
{
    return &tile->vector_cache;
}

unsigned tile_shake(const struct tile *tile, unsigned site, unsigned sub, uint64_t number)
{
    return shake_draw(&tile->environment->shake, site, noc_node_at(tile->at.x, tile->at.y), sub, number);
}

struct tensix_kept *tile_kept(const struct tile *tile)
{
    return tile->kept;
}

overlay *tile_overlay(struct tile *tile, unsigned stream)
{
    tile_save_stream(tile, stream);
    return &tile->overlay;
}
const overlay *tile_overlay_const(const struct tile *tile)
{
    return &tile->overlay;
}

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

static bool may_poll(const struct tile *tile, unsigned core, uint32_t first, uint32_t last)
{
    return tile->polled[core].first <= last && first <= tile->polled[core].last;
}

/* The registers of the two NIUs, which every tile has and every core reaches. */
#define NIU_FIRST 0xFFB20000u
#define NIU_BYTES 0x10000u
/* Offsets from the first counter, NIU_MST_ATOMIC_RESP_RECEIVED, up to the second initiator. */
enum { NIU_COUNTERS = 0x200, NIU_COUNTERS_END = 0x800 };
static inline bool is_niu(uint32_t address)
{
    return address >> 17 == NIU_FIRST >> 17;
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
        tensix_changing(tile, &tile_devices(tile)->tensix, TENSIX_WATCH_STREAM, cycle);
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
            tile_save_core(tile, i);
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

/* ---- Packets ----------------------------------------------------------------------------------------------- */

noc_packet *tile_noc_new(struct tile *tile, uint32_t bytes, packet_ref *ref)
{
    return noc_packet_new(tile->packets, bytes, ref);
}

noc_packet *tile_noc_packet(const struct tile *tile, packet_ref ref)
{
    return noc_packet_at(tile->packets, ref);
}

void tile_noc_release(struct tile *tile, packet_ref ref)
{
    noc_packet_release(tile->packets, ref);
}

void tile_noc_serves(struct tile *tile, const noc_packet *packet)
{
    tile->served = packet;
}

enum host_acts tile_host_acts(struct tile *tile, enum host_acts acts)
{
    const enum host_acts was = tile->host;
    tile->host = (uint8_t)acts;
    return was;
}

static void lost(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    const noc_packet *served = tile->served;
    tile->served = packet;
    tile_fault(tile, KERR_FAULT_INTERNAL, CLIENT_NOC, (uint32_t)packet->address, cycle, NULL,
               "too many NoC packets of this tile at once: one to 0x%llx is lost", (unsigned long long)packet->address);
    tile->served = served;
}

static bool put_outbox(struct tile *tile, noc_entry entry)
{
    noc_port *port = tile->port;
    if (port->outbox_count == NOC_OUTBOX_CAPACITY) {
        return false;
    }
    port->outbox[port->outbox_count++] = entry;
    return true;
}

/* A packet to the own tile does not leave the island: into the router and back. */
static void send_to_self(struct tile *tile, packet_ref ref, uint64_t cycle)
{
    noc_packet *packet = noc_packet_at(tile->packets, ref);
    const struct shake *shake = &tile->environment->shake;
    uint64_t effect = cycle + COST_NOC_IN + COST_NOC_OUT + noc_flits(packet) - 1 + noc_pickup(packet);
    if (UNLIKELY(shake->seed != 0)) {
        effect = noc_shaken(shake, packet, packet->source, effect);
    }
    const noc_entry entry = {.cycle = effect, .order = noc_order(packet), .ref = ref};
    if (!noc_queue_put(&tile->port->inbox, entry)) {
        lost(tile, packet, cycle);
        noc_packet_release(tile->packets, ref);
        return;
    }
    *tile->due = min64(*tile->due, effect);
    if (packet->op != NOC_WRITE || !(packet->flags & NOC_RESPONSE_WANTED)) {
        return;
    }
    noc_entry ack = noc_ack(packet, packet->source, effect);
    if (UNLIKELY(shake->seed != 0)) {
        ack.cycle = noc_shaken_ack(shake, packet, packet->source, ack.cycle);
    }
    /* The own one is later than the write itself: the tile is due before. */
    if (!(packet->return_to == packet->source ? noc_queue_put(&tile->port->acks, ack) : put_outbox(tile, ack))) {
        lost(tile, packet, cycle);
    }
}

void tile_noc_send(struct tile *tile, packet_ref ref, uint64_t cycle)
{
    noc_packet *packet = noc_packet_at(tile->packets, ref);
    packet->cycle = cycle;
    if (!(packet->flags & NOC_MULTICAST)) {
        if (packet->destination == packet->source && !noc_is_dma(packet)) {
            send_to_self(tile, ref, cycle);
            return;
        }
    } else if ((packet->flags & NOC_INCLUDE_SOURCE) && fabric_multicast_has(packet, packet->source) &&
               niu_takes_broadcasts(&tile->dev.niu[packet->noc])) {
        packet->holders = 2;
        send_to_self(tile, ref, cycle);
    }
    const noc_entry entry = {.cycle = cycle, .order = noc_order(packet), .ref = ref, .value = packet->destination};
    if (!put_outbox(tile, entry)) {
        lost(tile, packet, cycle);
        noc_packet_release(tile->packets, ref);
    }
}

/* Packets of others that have looked by then know nothing of it.  The first of a cycle says how it was before. */
void tile_noc_mode_changes(struct tile *tile, unsigned noc, unsigned was, uint64_t cycle)
{
    noc_port *port = tile->port;
    for (uint32_t i = port->change_count; i != 0 && port->change[i - 1].cycle == cycle; i--) {
        if (port->change[i - 1].noc == noc) {
            return;
        }
    }
    if (port->change_count == NOC_CHANGES) {
        tile_fault(tile, KERR_FAULT_INTERNAL, CLIENT_NOC, NIU_FIRST + noc * NIU_BYTES, cycle, NULL,
                   "NoC %u: its configuration changed too often in a window", noc);
        return;
    }
    port->change[port->change_count++] = (noc_change){.cycle = cycle, .noc = (uint8_t)noc, .was = (uint8_t)was};
}

/* After a core was parked, woken, put into reset or taken out of it. */
static void note_parked(struct tile *tile, unsigned core)
{
    const rv_core *c = &tile->core[core];
    const unsigned bit = tile->live & 1u << core;
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

/* Nobody would notice at once if a counter of an NIU moved. */
static inline bool counts_may_wait(const struct tile *tile)
{
    return (tile->probing | tile->polls_counters) == 0 &&
           (tile->dev.niu[0].cfg[NIU_CFG_RTZ] | tile->dev.niu[1].cfg[NIU_CFG_RTZ]) == 0;
}

void tile_noc_catch_up(struct tile *tile, uint64_t cycle)
{
    if (min64(noc_queue_next(&tile->port->acks), niu_next_event(&tile->dev)) > cycle) {
        return;
    }
    while (noc_queue_next(&tile->port->acks) <= cycle) {
        const noc_entry ack = noc_queue_take(&tile->port->acks);
        niu_acknowledged(tile, noc_order_noc(ack.order), ack.value, ack.cycle);
    }
    niu_catch_up(tile, cycle);
}

static void forget_probe(struct tile *tile, unsigned core, uint64_t cycle)
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
    tile_save_core(tile, core);
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
        note_parked(tile, core);
        forget_probe(tile, core, now);
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
        note_parked(tile, core);
        c->blocked.active = false;
        c->stores.count = 0; /* OPEN: whether stores in the queue still go out when reset is asserted */
        c->stores.stuck = false;
        c->stores.filter = 0;
        return;
    }
    tile_save_whole_core(tile, core);
    populate(tile, core, pc);
    rv_core_release(c, pc, !devices_clears_local_ram(&tile->dev, core), cycle);
    if (c->l0.requests == 0) {
        c->l0.flush_at = rv_l0_flush_after(&tile->bus[core], 0);
    }
    tile->live |= (uint8_t)(1u << core);
    note_parked(tile, core);
    tile->generation[core]++;
    forget_probe(tile, core, cycle);
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
    }
}

void tile_core_continue(struct tile *tile, unsigned core, uint64_t cycle)
{
    rv_core *c = &tile->core[core];
    if (c->state == RV_HALTED) {
        c->state = RV_RUNNING;
        c->single_step = false;
        c->t = max64(c->t, cycle);
        forget_probe(tile, core, cycle);
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

static void *local_at(struct tile *tile, unsigned core, uint32_t address, size_t size);
static inline void attend(struct tile *tile);

static bool reaches_out(struct tile *tile, uint32_t address, uint64_t now);
static bool takes_from_niu(struct tile *tile, uint32_t address, uint64_t now);

bool tile_core_load(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t *value, uint64_t cycle)
{
    *value = 0;
    if (address <= tile->l1_bytes - size) {
        lsu_read_own(&tile->core[core], &tile->bus[core], address, size, value);
        return true;
    }
    const void *local = local_at(tile, core, address, size);
    if (local != NULL) {
        memcpy(value, local, size);
        return true;
    }
    return takes_from_niu(tile, address, cycle) || devices_read(tile, core, address, size, cycle, value) == DEV_OK;
}

/* Written, whosever local RAM it is. */
static void tell_local(const struct tile *tile, const uint8_t *local, size_t size)
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
    void *local = local_at(tile, core, address, size);
    if (local != NULL) {
        for (unsigned i = 0; i < tile->cores; i++) {
            tile_save_whole_core(tile, i); /* whosever it is */
        }
        tell_local(tile, local, size);
        memcpy(local, &value, size);
        return true;
    }
    return reaches_out(tile, address, cycle) || devices_write(tile, core, address, size, value, cycle) == DEV_OK;
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

void tile_core_set_slow_mode(struct tile *tile, unsigned core, bool on, uint64_t cycle)
{
    if (tile->core[core].slow_mode != on) {
        tile_core_wake(tile, core, cycle);
        tile_save_core(tile, core);
        rv_set_slow_mode(&tile->core[core], on);
    }
}

void tile_invalidate_instruction_cache(struct tile *tile, unsigned core_mask, uint64_t cycle)
{
    hook_invalidates(tile, core_mask, cycle);
    code_changes(tile, cycle);
    for (unsigned i = 0; i < tile->cores; i++) {
        if (core_mask >> i & 1) {
            const uint32_t last = tile->l1_bytes / COST_ICACHE_LINE_BYTES - 1;
            if (tile->core[i].state == RV_IN_RESET || tile->core[i].state == RV_HALTED) {
                /* It has not run ahead.  OPEN: one that spins without touching L1 or a device never comes to it. */
                tile_save_core(tile, i);
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

/* ---- The bus a core sees ------------------------------------------------------------------------------------ */

/* The second mapping of the local RAMs, in Tensix tiles only (manual BabyRISCV/README "Local Data RAM"): 0xFFB14000 B, 16000 NC, then
 * T0, T1, T2 with 4 KiB each, twice.  NULL: not there. */
static uint8_t *slow_local(struct tile *tile, uint32_t address, size_t size, unsigned *core)
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

static void *local_at(struct tile *tile, unsigned core, uint32_t address, size_t size)
{
    rv_core *c = &tile->core[core];
    const uint32_t offset = address - LOCAL_RAM_BASE;
    if (offset < c->local_size) {
        return size <= c->local_size - offset ? c->local + offset : NULL;
    }
    unsigned owner;
    return slow_local(tile, address, size, &owner);
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

/* In a window that may be taken back nothing may leave the tile: it stops before the first store to what sends.  In one
 * that it has for itself, the window ends before anybody can feel it. */
static bool reaches_out(struct tile *tile, uint32_t address, uint64_t now)
{
    if (LIKELY(!tile->alone && !tile->speculative)) {
        return false;
    }
    if (tile->alone && devices_reach_out(&tile->dev, address) && !devices_is_quiet(address)) {
        tile->alone_end = min64(tile->alone_end, now + fabric_lookahead());
    }
    if (tile->speculative && devices_reach_out(&tile->dev, address)) {
        tile->undo_stop = min64(tile->undo_stop, now);
        return true;
    }
    return false;
}

/* Reading NIU_TRANS_COUNT_RTZ_NUM changes the NIU, which a window that may be taken back does not save. */
static bool takes_from_niu(struct tile *tile, uint32_t address, uint64_t now)
{
    if (tile->speculative && (address & 0xFFFEFFFCu) == 0xFFB20378u) {
        tile->undo_stop = min64(tile->undo_stop, now);
        return true;
    }
    return false;
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
    const uint8_t *local = slow_local((struct tile *)(uintptr_t)tile, address, sizeof *value, &core); /* only read */
    if (local != NULL) {
        memcpy(value, local, sizeof *value);
    }
    return local != NULL;
}

bool tile_set_local_word(struct tile *tile, uint32_t address, uint32_t value, uint64_t cycle)
{
    unsigned core;
    uint8_t *local = slow_local(tile, address, sizeof value, &core);
    if (local != NULL) {
        tile_core_wake(tile, core, cycle);
        tile_save_whole_core(tile, core);
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
    if (store ? reaches_out(tile, address, cycle) : takes_from_niu(tile, address, cycle)) {
        return NEVER;
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
    if (takes_from_niu(tile, address, now) || must_meet(tile, core, address)) {
        return BUS_WAIT;
    }
    const uint8_t *local = slow_local(tile, address, size, &local_core);
    if (local != NULL) {
        *value = 0;
        memcpy(value, local, size);
        *latency = COST_LOAD_LOCAL_SLOW;
        return BUS_OK;
    }
    *latency = devices_load_latency(address);
    attend(tile); /* to its own stores just drained, at their cycle */
    if (CHECKED(tile)) {
        check_core_acts(tile->check, core, now); /* not those who were attended to */
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
        check_core_device(tile->check, core, address, size, *value, CHECK_READ, now);
    }
    return result;
}

static bool bus_keep(void *owner, uint32_t address, uint32_t value)
{
    struct tile *tile = owner;
    return is_niu(address) && !tile->speculative && !tile->attention &&
           niu_store(&tile->dev.niu[address >> 16 & 1], address & 0xFFFF, value);
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
        check_core_device(tile->check, core, address, size, value, CHECK_WRITE, now);
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
    if (reaches_out(tile, address, now)) {
        return BUS_WAIT;
    }
    const bool niu = is_niu(address) && size == 4; /* a short cut */
    if (!niu && must_meet(tile, core, address)) {
        return BUS_WAIT;
    }
    uint8_t *local = niu ? NULL : slow_local(tile, address, size, &local_core);
    if (local != NULL) {
        tile_core_wake(tile, local_core, now);
        tile_save_whole_core(tile, local_core);
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
    check_core_access(tile->check, core, instruction, address, size, how, now);
    if (how & CHECK_FROM_L0) {
        uint32_t was = 0, is = 0;
        memcpy(&was, lsu_l0_byte(&tile->core[core], address), size);
        lsu_read_own(&tile->core[core], &tile->bus[core], address, size, &is);
        if (was != is) {
            check_stale_l0(tile->check, address, size, was, is);
        }
    }
}

static void bus_enters(void *owner, unsigned core, uint32_t pc, uint64_t now)
{
    const struct tile *tile = owner;
    check_core_enters(tile->check, core, pc, now);
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

static bool bus_tag_search(void *owner, uint32_t address, uint64_t now, uint32_t *value)
{
    struct tile *tile = owner;
    tile->disturbed = true;
    return tag_search_read(owner, address, now, value);
}

/* Where a load, store or atomic goes, or a push (which is a store to INSTRN_BUF_BASE); 0: it is something else. */
static uint32_t address_of(const rv_core *core, uint32_t word, bool *is_store)
{
    enum { LOAD = 0x03, LOAD_FP = 0x07, STORE = 0x23, STORE_FP = 0x27, AMO = 0x2F };
    const unsigned opcode = bits(word, 6, 0), width = bits(word, 14, 12);
    const bool is_vector = (opcode == LOAD_FP || opcode == STORE_FP) && (width == 0 || width > 4); /* without offset */
    const uint32_t base = core->x[bits(word, 19, 15)];
    const uint32_t load_offset = is_vector ? 0 : (uint32_t)sign_extend(bits(word, 31, 20), 12);
    const uint32_t store_offset =
        is_vector ? 0 : (uint32_t)sign_extend(bits(word, 31, 25) << 5 | bits(word, 11, 7), 12);
    *is_store = true;
    if ((word & 3) != 3) {
        return INSTRN_BUF_BASE;
    }
    switch (opcode) {
    case STORE:
    case STORE_FP: return base + store_offset;
    case AMO: return base;
    case LOAD:
    case LOAD_FP: *is_store = false; return base + load_offset;
    default: *is_store = false; return 0;
    }
}

static void bus_trace(void *owner, unsigned core, uint32_t pc, uint32_t instruction, uint64_t now)
{
    const struct tile *tile = owner;
    kerr_trace_event event = {.cycle = now,
                              .at = tile->at,
                              .core = (kerr_core)core,
                              .kind = KERR_TRACE_INSTRUCTION,
                              .pc = pc,
                              .instruction = instruction};
    event.address = address_of(&tile->core[core], instruction, &event.is_store);
    tile->environment->trace(tile->environment->trace_context, &event);
}

void tile_tensix_trace(const struct tile *tile, const kerr_trace_tensix *record)
{
    const kerr_trace_event event = {
        .cycle = record->begin, .at = tile->at, .kind = KERR_TRACE_TENSIX, .tensix = record};
    tile->environment->trace(tile->environment->trace_context, &event);
}

void tile_note_shake(struct tile *tile)
{
    const struct shake *shake = tile->environment->shake.seed != 0 ? &tile->environment->shake : NULL;
    if (tile->dev.tensix.shake.on != (shake != NULL)) {
        tile->dev.tensix.shake.on = shake != NULL;
    }
    if (tile->dev.tensix.without != tile->environment->without) {
        tile->dev.tensix.without = tile->environment->without;
    }
    for (unsigned i = 0; i < tile->cores; i++) {
        if (tile->bus[i].shake != shake) {
            tile->bus[i].shake = shake;
            for (unsigned n = 0; n < STORE_RING && shake == NULL; n++) {
                tile->core[i].stores.entry[n].late = 0;
            }
        }
    }
}

void tile_note_trace(struct tile *tile)
{
    const bool traced = (tile->environment->trace_kinds & KERR_TRACE_TENSIX) != 0;
    if (tile->dev.tensix.traced != traced) {
        tile->dev.tensix.traced = traced;
    }
}

uint32_t tile_l1_bytes(kerr_tile_kind kind)
{
    switch (kind) {
    case KERR_TILE_TENSIX: return L1_BYTES;
    case KERR_TILE_ETH: return 512 * 1024;
    case KERR_TILE_DRAM: return 128 * 1024;
    default: return 0;
    }
}

/* What the Ethernet tile's own firmware, which is closed, leaves in L1 for host software: the vendor's boot_results_t at
 * 0x7CC00.  Without a cable the port is down; then the vendor's host software takes the tile for an idle one.  OPEN: the
 * other fields after a failed training; they are zero. */
static void post_boot_results(struct tile *tile)
{
    enum { BOOT_RESULTS = 0x7CC00, PORT_STATUS = BOOT_RESULTS + 4, PORT_DOWN = 2 };
    store32(tile->l1 + PORT_STATUS, PORT_DOWN);
    tile->touched[PORT_STATUS >> TOUCH_SHIFT] = 1;
}

void tile_create(struct tile *tile, const tile_environment *environment, uint32_t index, kerr_tile_kind kind,
                 kerr_xy at, uint8_t *l1, uint8_t *line_flags, struct dram_bank *bank, noc_port *port,
                 noc_store *packets, uint64_t *due, bool *stopping)
{
    tile->due = due;
    tile->stopping = stopping;
    tile->port = port;
    tile->packets = packets;
    tile->kind = kind;
    tile->cores = kerr_tile_cores(kind);
    tile->l1_bytes = tile_l1_bytes(kind);
    tile->bank = bank;
    tile->environment = environment;
    tile->index = index;
    tile->at = at;
    tile->l1 = l1;
    tile->line_flags = line_flags;
    tile->stopped_at = NEVER;
    tile->alone_end = NEVER;
    tile->undo_from = NEVER;
    devices_set_kind(&tile->dev, kind);
    devices_set_position(&tile->dev, at.x, at.y);
    devices_reset(&tile->dev);
    devices_reset_own(&tile->own, kind);
    if (kind == KERR_TILE_ETH) {
        post_boot_results(tile);
    }
    if (kind == KERR_TILE_TENSIX) {
        tensix_files_power_on(&tile->files);
    }
    tile_note_trace(tile);
    for (unsigned i = 0; i < tile->cores; i++) {
        rv_core_power_on(&tile->core[i], kind == KERR_TILE_TENSIX ? i : KERR_CORE_B, i);
        tile->generation[i] = 1;
        tile->backoff[i] = BACKOFF_FIRST;
        tile->bus[i] = (rv_bus){
            .l1 = l1,
            .l1_size = tile->l1_bytes,
            .vector_first = TENSIX_DST_START_ADDR,
            .vector_bytes = kind == KERR_TILE_TENSIX ? TENSIX_DST_START_ADDR_LAST - TENSIX_DST_START_ADDR + 1 : 0,
            .max_block = environment->max_block,
            .line_flags = line_flags,
            .touched = tile->touched,
            .ports = &tile->ports,
            .generation = &tile->generation[i],
            .lookup = tile->lookup[i],
            .owner = tile,
            .attention = &tile->attention,
            .seed = environment->seed,
            .seed_place = (uint64_t)index << 32 | 0x4C300000u | i, /* "L0" of core i */
            .node = noc_node_at(at.x, at.y),
            .load = bus_load,
            .store = bus_store,
            .keep = bus_keep,
            .push = kind == KERR_TILE_TENSIX && i >= KERR_CORE_T0 && i <= KERR_CORE_T2 ? bus_push : NULL,
            .l1_write = l1_write,
            .l1_write_in_turn = l1_write_in_turn,
            .touch = touch,
            .touch_mark = 1,
            .steady = bus_steady,
            .parks = environment->parking,
            .interrupt = bus_interrupt,
            .ebreak = bus_ebreak,
            .fault = bus_fault,
        };
    }
    tile_note_shake(tile);
}

/* What a parked core polls in L1; registers announce their changes themselves (tile_device_changing). */
static void flag_watches(struct tile *tile, const rv_core *core)
{
    for (uint32_t w = 0; w < core->park.watches; w++) {
        if (core->park.watch[w].address < tile->l1_bytes) {
            tile->line_flags[core->park.watch[w].address >> LINE_SHIFT] |= LINE_WATCHED;
        }
    }
}

/* What follows from the cores' state.  Flags are only added: one too many does no harm. */
static void derive(struct tile *tile, uint64_t now)
{
    tile_note_trace(tile);
    tile_note_shake(tile);
    for (unsigned i = 0; i < tile->cores; i++) {
        tile->live &= (uint8_t) ~(1u << i);
        tile->live |= (uint8_t)((tile->core[i].state != RV_IN_RESET) << i);
        note_parked(tile, i);
        tile->generation[i]++;
        tile_core_set_breakpoints(tile, i, tile->breakpoints >> i & 1);
        forget_probe(tile, i, now);
        const rv_core *core = &tile->core[i];
        for (uint32_t set = 0; set < COST_ICACHE_SETS && core->state != RV_IN_RESET; set++) {
            for (unsigned way = 0; way < COST_ICACHE_WAYS; way++) {
                if (core->ic_tag[set][way] != 0) {
                    tile->line_flags[(core->ic_tag[set][way] - 1) * COST_ICACHE_LINE_BYTES >> LINE_SHIFT] |= LINE_CODE;
                }
            }
        }
        if (core->state == RV_PARKED) {
            flag_watches(tile, core);
        }
    }
}

void tile_refresh(struct tile *tile, uint64_t now)
{
    memset(tile->line_flags, 0, tile->l1_bytes >> LINE_SHIFT);
    tile->stored_by = 0;
    for (unsigned i = 0; i < tile->cores; i++) {
        memset(tile->lookup[i], 0, sizeof tile->lookup[i]);
    }
    derive(tile, now);
    for (unsigned i = 0; i < TILE_WATCHES; i++) {
        const tile_watch *w = &tile->watch[i];
        for (uint32_t a = w->address; w->id != 0 && a < w->address + w->size; a++) {
            tile->line_flags[a >> LINE_SHIFT] |= LINE_WATCHED;
        }
    }
    *tile->due = now;
    *tile->stopping = true;
}

void tile_went_back(struct tile *tile, uint64_t now)
{
    tile->stored_by = 0;
    derive(tile, now); /* blocks are found anew: the generations have changed.  There are no watches: may_go_far */
}

/* ---- Running --------------------------------------------------------------------------------------------------- */

/* Waiting loads and held-up stores look again after a device changed. */
static void attend_now(struct tile *tile)
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

static inline void attend(struct tile *tile)
{
    if (UNLIKELY(tile->attention)) {
        attend_now(tile);
    }
}

/* Whether a core has something to do at its cycle t: run, or, if it is parked for a time, look again. */
static bool has_turn(const rv_core *core)
{
    return core->state == RV_RUNNING || (core->state == RV_PARKED && core->t != NEVER);
}

bool tile_core_requests_tensix(const struct tile *tile, unsigned core)
{
    const rv_core *c = &tile->core[core];
    return (c->blocked.active && devices_is_tensix(c->blocked.address)) ||
           (c->stores.stuck && devices_is_tensix(c->stores.entry[c->stores.head].line)) ||
           tile->dev.tensix.shake.store[core - KERR_CORE_T0].due != 0;
}

/* The core with the smallest t below end, or KERR_CORE_COUNT. */
static unsigned next_core(const struct tile *tile, uint64_t end)
{
    unsigned best = KERR_CORE_COUNT;
    uint64_t when = end;
    for (unsigned left = tile->awake; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (has_turn(&tile->core[i]) && tile->core[i].t < when) {
            best = i;
            when = tile->core[i].t;
        }
    }
    return best;
}

/* When each core has its next turn, NOBODY if it has none, and when its first store on the way to L1 is there. */
#define NOBODY (NEVER - 1)
struct turns {
    uint64_t t[KERR_CORE_COUNT], visible[KERR_CORE_COUNT];
};

static inline void look_at_core(const struct tile *tile, unsigned i, struct turns *turns)
{
    const rv_core *core = &tile->core[i];
    turns->t[i] = has_turn(core) ? core->t : NOBODY;
    turns->visible[i] = rv_next_visible(core);
}

static inline void look_at_cores(const struct tile *tile, struct turns *turns)
{
#pragma GCC unroll 5
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        turns->t[i] = NOBODY;
        turns->visible[i] = NEVER;
    }
    for (unsigned left = tile->awake; left != 0; left &= left - 1) {
        look_at_core(tile, (unsigned)__builtin_ctz(left), turns);
    }
}

/* As next_core. */
static inline unsigned next_turn(const struct turns *turns, uint64_t end)
{
    unsigned best = KERR_CORE_COUNT;
    uint64_t when = end;
#pragma GCC unroll 5
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        best = turns->t[i] < when ? i : best;
        when = min64(when, turns->t[i]);
    }
    return best;
}

static inline uint64_t first_visible(const struct turns *turns)
{
    uint64_t first = NEVER;
#pragma GCC unroll 5
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        first = min64(first, turns->visible[i]);
    }
    return first;
}

/* A core that pushes has its turns where the coprocessor runs, up to the cycle in which another has one. */
static unsigned next_but_pushing(const struct tile *tile, const struct turns *turns, uint64_t end, unsigned best)
{
    if (best == KERR_CORE_COUNT || !tile_is_pushing(tile, best)) {
        return best;
    }
    unsigned other = KERR_CORE_COUNT;
    uint64_t when = end;
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        if (turns->t[i] < when && !tile_is_pushing(tile, i)) {
            other = i;
            when = turns->t[i];
        }
    }
    return turns->t[best] < when ? other : best;
}

static uint64_t next_event(const struct tile *tile);

/* Brings into L1 what has become visible by `now`, in order of time.  False: nothing has.  It stops where somebody has something to
 * do before the next one, because of those that came before: a core that was woken, an NIU with a request, the coprocessor. */
static bool drain(struct tile *tile, uint64_t now)
{
    for (bool any = false;; any = true) {
        unsigned first = KERR_CORE_COUNT;
        uint64_t when = now;
        for (unsigned left = tile->awake; left != 0; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            if (tile->core[i].stores.count != 0) {
                const uint64_t visible = rv_next_visible(&tile->core[i]);
                if (visible < when || (visible == when && first == KERR_CORE_COUNT)) {
                    when = visible;
                    first = i;
                }
            }
        }
        if (first == KERR_CORE_COUNT || when >= tile->alone_end || next_core(tile, when) != KERR_CORE_COUNT) {
            return any;
        }
        if (any && min64(next_event(tile), tensix_next(&tile->dev.tensix)) < when) {
            return true;
        }
        rv_drain(&tile->core[first], &tile->bus[first], when);
        attend(tile);
    }
}

/* The next packet or event of a device. */
static uint64_t next_event(const struct tile *tile)
{
    return min64(devices_next_event(&tile->dev), tile_next_arrival(tile));
}

/* The next event that somebody who runs could notice: what may wait does (tile_noc_catch_up). */
static uint64_t next_noticed(const struct tile *tile)
{
    if (!counts_may_wait(tile)) {
        return next_event(tile);
    }
    const struct niu *niu = tile->dev.niu;
    const uint64_t injection =
        (niu[0].outgoing | niu[1].outgoing) != 0 ? niu_next_but_counts(&tile->dev) : niu_next_event(&tile->dev);
    return min64(min64(devices_next_timer(&tile->dev), injection), noc_queue_next(&tile->port->inbox));
}

/* Up to where core c may touch what is shared. */
static uint64_t shared_limit(const struct tile *tile, unsigned c, const struct turns *turns, uint64_t event,
                             uint64_t end)
{
    const rv_core *core = &tile->core[c];
    const uint64_t next = core->t + 1;
    uint64_t limit = min64(end, max64(event, next)), visible = NEVER;
    limit = min64(limit, max64(min64(tensix_next(&tile->dev.tensix), NEVER - 1), core->t) + 1); /* cores come first */
#pragma GCC unroll 5
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        limit = min64(limit, i != c ? turns->t[i] + (c < i) : NEVER);
        visible = min64(visible, i != c ? turns->visible[i] : NEVER);
    }
    if (core->stores.watched) {
        /* Its next store may push the last one out of the queue. */
        visible = min64(visible, min64(rv_next_visible(core), core->t + COST_STORE_VISIBLE));
    }
    return min64(limit, max64(visible, next));
}

/* Runs the core under a probe: it may end up parked.  What it did may have changed the limits: look again. */
static void try_parking(struct tile *tile, unsigned c, uint64_t end, uint64_t shared)
{
    rv_core *core = &tile->core[c];
    tile->probing |= (uint8_t)(1u << c);
    const rv_park_result result = rv_park_step(core, &tile->bus[c], probe_of(tile, c), end, shared);
    if (result == RV_PARK_GOING_ON) {
        return;
    }
    tile->probing &= (uint8_t) ~(1u << c);
    switch (result) {
    case RV_PARK_DONE:
        flag_watches(tile, core);
        for (unsigned i = 0; i < tile->cores; i++) {
            /* What is on its way may be what this core waits for. */
            tile->core[i].stores.watched = tile->core[i].stores.watched || tile->core[i].stores.count != 0;
        }
        return;
    default:
        tile->clocked &= (uint8_t) ~(1u << c);
        tile->next_try[c] = core->t + tile->backoff[c];
        tile->backoff[c] = tile->backoff[c] < BACKOFF_LAST ? tile->backoff[c] * 2 : BACKOFF_LAST;
    }
}

/* Whether the PIC may interrupt this core. */
static bool may_be_interrupted(const struct tile *tile, unsigned c)
{
    const struct pic *pic = &tile->dev.pic;
    _Static_assert(PIC_CORES == 2, "none of them has any enabled: nobody is interrupted");
    if (LIKELY((pic->sw_int_en[0] | pic->sw_int_en[1] | pic->hw_int_en[0] | pic->hw_int_en[1]) == 0)) {
        return false;
    }
    const unsigned slot = devices_pic_slot(&tile->dev, c);
    return slot < PIC_CORES && (pic->sw_int_en[slot] | pic->hw_int_en[slot]) != 0;
}

/* Whether the core must be at the cycle in which its stores come out: a device write may fault or reset it, a write to L1 may be
 * watched.  A push does neither. */
static bool stores_reach_back(const rv_core *core)
{
    return core->stores.watched && (core->stores.exact || !rv_only_pushes(core));
}

/* A turn of core c in which it is watched: it may end up parked. */
static void run_watched(struct tile *tile, unsigned c, const struct turns *turns, uint64_t end, uint64_t furthest,
                        bool may_run_ahead)
{
    const rv_core *core = &tile->core[c];
    if (counts_may_wait(tile)) { /* a lap under watch may look at counters */
        tile_noc_catch_up(tile, core->t);
    }
    const uint64_t shared = shared_limit(tile, c, turns, next_event(tile), end);
    const bool ahead = may_run_ahead && !stores_reach_back(core);
    try_parking(tile, c, ahead ? furthest : min64(end, max64(shared, core->t + 1)), shared);
}

/* Where a turn ends at the latest that could go on up to `limit`: a core that waits for the clock again and again is watched
 * as soon as it may. */
static inline uint64_t turn_end(const struct tile *tile, unsigned c, uint64_t limit)
{
    const uint64_t quiet = tile->quiet_since[c] + QUIET_CYCLES;
    return UNLIKELY(tile->clocked >> c & 1) && tile->core[c].t < quiet ? min64(limit, quiet) : limit;
}

/* Turns of cores, first that of c, as long as each changes nothing but the core itself: then events, what the
 * coprocessor has to do and the turns of the others are still as they were. */
static void run_cores(struct tile *tile, unsigned c, struct turns *turns, uint64_t event, uint64_t end,
                      uint64_t furthest, bool one)
{
    const bool in_order = tile_is_in_order(tile) || tile->environment->trace != NULL || /* a trace is */
                          (tile->environment->without & FAST_AHEAD) != 0;
    const bool parking = tile->environment->parking;
    tile->bus[KERR_CORE_B].tag_search = tag_search_is_on(tile) ? bus_tag_search : NULL;
    tile->disturbed = false;
    for (;;) {
        rv_core *core = &tile->core[c];
        rv_bus *bus = &tile->bus[c];
        if (UNLIKELY(tile->speculative)) {
            tile_save_core(tile, c);
        }
        if (UNLIKELY(core->state == RV_PARKED)) {
            tile_core_wake(tile, c, core->t);
            return;
        }
        if (core->side_effect) {
            core->side_effect = false;
            tile->quiet_since[c] = core->t;
            tile->backoff[c] = BACKOFF_FIRST;
        }
        /* Interrupts must find the core at their cycle, a device write in the queue may fault or reset the core: then it
         * does not run ahead. */
        const bool may_run_ahead = !in_order && !may_be_interrupted(tile, c);
        rv_exit why = RV_EXIT_EVENT;
        if (UNLIKELY(parking && core->t >= tile->quiet_since[c] + QUIET_CYCLES && core->t >= tile->next_try[c])) {
            run_watched(tile, c, turns, end, furthest, may_run_ahead);
        } else {
            const bool ahead = may_run_ahead && !stores_reach_back(core);
            const uint64_t shared = shared_limit(tile, c, turns, event, end);
            bus->pushes = false;
            if (tile->speculative && ahead) { /* RISCV B empties the caches of the others when kernels start */
                bus->early_limit = c == KERR_CORE_B ? end : turns->t[KERR_CORE_B];
            }
            const uint64_t limit = ahead ? furthest : min64(end, max64(shared, core->t + 1));
            why = rv_run(core, bus, turn_end(tile, c, limit), shared);
            bus->early_limit = 0;
            if (why == RV_EXIT_SHARED && bus->pushes && ahead) {
                tile_pusher_begin(tile, c);
                one = true;
            }
        }
        if (why == RV_EXIT_EVENT || why == RV_EXIT_STATE || tile->disturbed || tile->attention || one) {
            if (core->state == RV_PARKED) {
                core->t = core->park.until;
                note_parked(tile, c);
            }
            attend(tile);
            return;
        }
        look_at_core(tile, c, turns);
        c = next_turn(turns, end);
        if (c == KERR_CORE_COUNT) {
            return;
        }
        const uint64_t now = turns->t[c];
        if (event <= now || tensix_next(&tile->dev.tensix) < now || first_visible(turns) <= now) {
            return;
        }
    }
}

/* When a packet takes effect: what it does to the insides of cores waits until no core is ahead of it, as must_meet has
 * it for cores.  The upper half of an address counts for nothing where registers of a DRAM tile are concerned. */
static uint64_t effect_of(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    const bool has_address = packet->op != NOC_HOLD && packet->op != NOC_WRITE_ACK;
    if (!has_address || (packet->address > UINT32_MAX && tile->kind != KERR_TILE_DRAM)) {
        return cycle;
    }
    return tile_meeting(tile, (uint32_t)packet->address, cycle);
}

/* Packets and devices at `cycle`, packets first. */
static void happen(struct tile *tile, uint64_t cycle)
{
    noc_queue *inbox = &tile->port->inbox, *acks = &tile->port->acks;
    if (min64(noc_queue_next(acks), niu_next_event(&tile->dev)) < cycle) { /* they waited */
        tile_noc_catch_up(tile, cycle - 1);
    }
    for (;;) {
        noc_queue *first = noc_queue_is_before(acks, inbox) ? acks : inbox;
        if (noc_queue_next(first) > cycle) {
            break;
        }
        noc_entry entry = noc_queue_take(first);
        if (entry.ref == NO_PACKET) {
            niu_acknowledged(tile, noc_order_noc(entry.order), entry.value, cycle);
            continue;
        }
        noc_packet *packet = noc_packet_at(tile->packets, entry.ref);
        if (noc_is_dma(packet)) {
            devices_dma_arrives(tile, packet, cycle);
            tile_noc_release(tile, entry.ref);
            continue;
        }
        entry.cycle = effect_of(tile, packet, cycle);
        if (entry.cycle > cycle) {
            noc_queue_put(inbox, entry);
            continue;
        }
        niu_deliver(tile, entry.ref, cycle); /* which holds it from now on */
    }
    if (devices_next_event(&tile->dev) <= cycle) {
        devices_event(tile, cycle);
    }
    attend(tile);
}

_Static_assert((int)RV_IN_RESET == (int)KERR_CORE_IN_RESET && (int)RV_RUNNING == (int)KERR_CORE_RUNNING &&
                   (int)RV_PARKED == (int)KERR_CORE_PARKED && (int)RV_WAITING == (int)KERR_CORE_WAITING &&
                   (int)RV_HALTED == (int)KERR_CORE_HALTED && (int)RV_STOPPED == (int)KERR_CORE_STOPPED,
               "trace_state takes one for the other");

/* Tells of core c that its state is another one.  What it stands at says when: a wait begins with the instruction that
 * waits, and ends where the core may go on; only a reset comes from outside, not before `done`. */
static void trace_state(struct tile *tile, unsigned c, uint64_t done)
{
    const rv_core *core = &tile->core[c];
    kerr_trace_event event = {.cycle = core->state == RV_IN_RESET ? max64(core->t, done) : core->t,
                              .at = tile->at,
                              .core = (kerr_core)c,
                              .kind = KERR_TRACE_STATE,
                              .pc = core->pc,
                              .state = (kerr_core_state)core->state};
    if (core->state == RV_WAITING) {
        event.address = core->wait_address;
        event.is_store = !(core->blocked.active && core->blocked.address == core->wait_address);
    }
    if (core->state == RV_PARKED) {
        event.cycle = core->park.start;
        event.address = core->park.watches == 1 ? core->park.watch[0].address : 0;
    }
    tile->traced_state[c] = core->state;
    tile->environment->trace(tile->environment->trace_context, &event);
}

static void trace_states(struct tile *tile, uint64_t done)
{
    for (unsigned c = 0; c < tile->cores; c++) {
        if (tile->core[c].state != tile->traced_state[c]) {
            trace_state(tile, c, done);
        }
    }
}

/* When the next store on its way to L1 is there. */
static uint64_t next_visible(const struct tile *tile)
{
    uint64_t next = NEVER;
    for (unsigned left = tile->awake; left != 0; left &= left - 1) {
        const rv_core *core = &tile->core[__builtin_ctz(left)];
        if (core->stores.count != 0 && !tile_is_pushing(tile, (unsigned)__builtin_ctz(left))) {
            next = min64(next, rv_next_visible(core));
        }
    }
    return next;
}

void tile_run(struct tile *tile, tile_worker *worker, uint64_t end, uint64_t furthest)
{
    const bool traced = (tile->environment->trace_kinds & KERR_TRACE_INSTRUCTION) != 0;
    const bool checked = tile->check != NULL;
    const bool states_traced = (tile->environment->trace_kinds & KERR_TRACE_STATE) != 0;
    const bool trace_is_full =
        tile->environment->trace != NULL && (tile->environment->trace_kinds & KERR_TRACE_PARKING) == 0;
    tile->packets = worker->packets;
    tile->kept = checked || tile->environment->shake.seed != 0 ? NULL : worker->kept;
    tile->matrix = worker->matrix;
    tile->furthest = furthest;
    tile->port->change_count = 0; /* what the host does counts from the first cycle on */
    tile->pushing = 0;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        tile->dev.tensix.thread[i].push_turn = 0;
    }
    const uint8_t touch_mark = tile->speculative ? 2 : 1;
    if (tile->bus[0].blocks != worker->blocks || tile->bus[0].touch_mark != touch_mark ||
        (tile->bus[0].trace != NULL) != traced || tile->bus[0].never_parks != trace_is_full ||
        (tile->bus[0].enters != NULL) != checked) {
        for (unsigned i = 0; i < tile->cores; i++) {
            tile->bus[i].blocks = worker->blocks;
            tile->bus[i].touch_mark = touch_mark;
            tile->bus[i].saves_line = tile->speculative ? tile_save_line : NULL;
            tile->bus[i].saves_local = tile->speculative ? tile_save_local : NULL;
            tile->bus[i].trace = traced ? bus_trace : NULL;
            tile->bus[i].never_parks = trace_is_full;
            tile->bus[i].access = checked && check_watches_cores(tile->check) ? bus_access : NULL;
            tile->bus[i].enters = checked ? bus_enters : NULL;
        }
    }
    attend(tile);
    uint64_t done = 0; /* cycle of the latest step */
    struct turns turns;
    for (;;) {
        if (tile->speculative && tile->undo_stop != NEVER) {
            return; /* all of it will be taken back */
        }
        end = tile->end = min64(end, tile->alone_end);
        look_at_cores(tile, &turns);
        unsigned c = next_turn(&turns, end);
        if (UNLIKELY(tile->pushing != 0)) {
            c = next_but_pushing(tile, &turns, end, c);
        }
        const uint64_t visible = first_visible(&turns);
        const uint64_t core_next = c < KERR_CORE_COUNT ? turns.t[c] : end;
        const uint64_t unit = tensix_next(&tile->dev.tensix);
        const bool units_first = unit < core_next; /* at equal cycles cores come first */
        const uint64_t now = units_first ? unit : c < KERR_CORE_COUNT ? core_next : end - 1;
        const uint64_t event = c < KERR_CORE_COUNT ? next_noticed(tile) : next_event(tile);
        if (UNLIKELY(states_traced)) {
            trace_states(tile, done);
        }
        if (event <= now) {
            if (visible <= event && drain(tile, event)) {
                continue; /* somebody may have something to do before it */
            }
            happen(tile, event);
            done = event;
            continue;
        }
        if (visible <= now && drain(tile, now)) {
            continue; /* somebody may have woken up, a device may have something to do */
        }
        if (units_first) {
            tile->in_units = true;
            tensix_run(tile, &tile_devices(tile)->tensix, min64(min64(core_next, event), next_visible(tile)));
            tile->in_units = false;
            attend(tile);
            done = now;
            continue;
        }
        if (c == KERR_CORE_COUNT) {
            break;
        }
        run_cores(tile, c, &turns, event, end, furthest, states_traced || tile->pushing != 0);
        done = now;
    }
    if (tile->rendezvous && end % RENDEZVOUS_GRID == 0) {
        tile->rendezvous = false;
        tile->strict = true;
        tile_devices_changed(tile, end);
    }
    /* When this tile next has something to do. */
    uint64_t next = min64(next_event(tile), tensix_next(&tile->dev.tensix));
    if (tile->rendezvous || tile->attention) {
        next = min64(next, end);
    }
    for (unsigned left = tile->awake; left != 0; left &= left - 1) {
        const rv_core *core = &tile->core[__builtin_ctz(left)];
        if (has_turn(core)) {
            next = min64(next, core->t);
        }
        if (core->stores.count != 0) {
            next = min64(next, rv_next_visible(core));
        }
    }
    *tile->due = next;
}

uint64_t tile_run_alone(struct tile *tile, tile_worker *worker, uint64_t start, uint64_t end)
{
    /* What its NIUs already have to do is not announced by a store. */
    const uint64_t event = min64(niu_next_event(&tile->dev), tile_next_arrival(tile));
    tile->alone = true;
    tile->alone_end = event < end ? max64(event, start) + fabric_lookahead() : NEVER;
    tile_run(tile, worker, end, end);
    end = min64(end, tile->alone_end);
    tile->alone = false;
    tile->alone_end = NEVER;
    return end;
}

bool tile_is_idle(const struct tile *tile)
{
    for (unsigned i = 0; i < tile->cores; i++) {
        if (has_turn(&tile->core[i])) {
            return false;
        }
    }
    return tensix_next(&tile->dev.tensix) == NEVER;
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

/* ---- The host's side ------------------------------------------------------------------------------------------- */

/* An address as the tile's cores see it. */
static bool in_l1(const struct tile *tile, uint64_t address, size_t size)
{
    return address < tile->l1_bytes && size <= tile->l1_bytes - address;
}

/* A DRAM tile in NoC2AXI mode, as it comes up: the bank from 0 on, L1 at DRAM_L1_BASE, registers from 0xFFB00000 on with
 * anything in the upper word (manual NoC/MemoryMap: 0x????_????_FFB2_0000), those of the DMA engine and the memory
 * controller with 0x100 there (the vendor's debugger).  So the registers hide the last megabytes of the bank, which may
 * be why the vendor counts 0xFF000000 bytes.  In stream mode L1 is at 0 and the bank cannot be reached (the vendor's
 * drisc_mode.h).  OPEN: 4 to 8 GiB, said to be "GDDR" too: nothing there; upper words other than 0 and 0x100 were never
 * seen in use. */
#define DRAM_REGISTERS 0xFFB00000u
static tile_place dram_place(const struct tile *tile, uint64_t address, size_t size, bool stream, uint64_t *local)
{
    const uint32_t low = (uint32_t)address, high = (uint32_t)(address >> 32);
    *local = low;
    if (low >= DRAM_REGISTERS && size <= 0xFFC00000u - low) {
        return low < 0xFFC00000u ? PLACE_REGISTERS : PLACE_NOTHING;
    }
    if (high == 0x100 && low >= 0xFC000000u && size <= DRAM_REGISTERS - low) {
        return PLACE_REGISTERS;
    }
    const uint64_t l1_base = stream ? 0 : DRAM_L1_BASE;
    if (address >= l1_base && in_l1(tile, address - l1_base, size)) {
        *local = address - l1_base;
        return PLACE_L1;
    }
    return !stream && high == 0 && size <= DRAM_REGISTERS && low <= DRAM_REGISTERS - size ? PLACE_BANK : PLACE_NOTHING;
}

tile_place tile_place_of(const struct tile *tile, uint64_t address, size_t size, bool stream, uint64_t *local)
{
    if (tile->kind == KERR_TILE_DRAM) {
        return dram_place(tile, address, size, stream, local);
    }
    *local = address;
    if (in_l1(tile, address, size)) {
        return PLACE_L1;
    }
    return address <= UINT32_MAX && size <= UINT32_MAX - address ? PLACE_REGISTERS : PLACE_NOTHING;
}

/* What the host finds there.  It comes over NoC 0. */
static tile_place host_place(const struct tile *tile, uint64_t address, size_t size, uint64_t now, uint64_t *local)
{
    enum { NOC2AXI = 1 << 15 }; /* NIU_CFG_0_AXI_SUBORDINATE_ENABLE */
    uint32_t cfg = NOC2AXI;
    const bool stream =
        tile->kind == KERR_TILE_DRAM && devices_peek(tile, CLIENT_NOC, 0xFFB20100u, &cfg, now) && (cfg & NOC2AXI) == 0;
    return tile_place_of(tile, address, size, stream, local);
}

tile_place tile_memory_at(const struct tile *tile, uint64_t address, uint64_t now, uint64_t *local, uint64_t *bytes)
{
    const tile_place place = host_place(tile, address, 1, now, local);
    if (place != PLACE_L1 && place != PLACE_BANK) {
        return PLACE_NOTHING;
    }
    *bytes = (place == PLACE_L1 ? tile->l1_bytes : DRAM_REGISTERS) - *local;
    return place;
}

bool tile_write_unnoticed(struct tile *tile, uint32_t address, const void *data, unsigned size)
{
    if (CHECKED(tile) ||
        (flags_of_lines(tile, address >> LINE_SHIFT, (address + size - 1) >> LINE_SHIFT) & LINE_WATCHED)) {
        return false;
    }
    tile_settle(tile);
    touch_pages(tile, address, size);
    if (size == 4) {
        memcpy(tile->l1 + address, data, 4);
    } else {
        memcpy(tile->l1 + address, data, size);
    }
    return true;
}

union own_regs *tile_own(struct tile *tile)
{
    return &tile->own;
}
const union own_regs *tile_own_const(const struct tile *tile)
{
    return &tile->own;
}

bool tile_peek(const struct tile *tile_const, uint64_t noc_address, void *data, size_t size, uint64_t now)
{
    uint64_t address;
    switch (host_place(tile_const, noc_address, size, now, &address)) {
    case PLACE_L1: memcpy(data, tile_const->l1 + address, size); return true;
    case PLACE_BANK: return dram_bank_read(tile_const->bank, address, data, size);
    case PLACE_REGISTERS: break;
    case PLACE_NOTHING: return false;
    }
    struct tile *tile = (struct tile *)(uintptr_t)tile_const; /* local_at hands out what it was given */
    unsigned core;
    const uint8_t *local = slow_local(tile, (uint32_t)address, size, &core);
    if (local != NULL) {
        memcpy(data, local, size);
        return true;
    }
    uint8_t *out = data;
    for (size_t i = 0; i < size;) {
        const uint32_t word_address = ((uint32_t)address + (uint32_t)i) & ~3u;
        const size_t skip = ((uint32_t)address + (uint32_t)i) & 3u;
        const size_t part = 4 - skip < size - i ? 4 - skip : size - i;
        uint32_t value;
        if (!devices_peek(tile_const, CLIENT_NOC, word_address, &value, now)) {
            return false;
        }
        memcpy(out + i, (const uint8_t *)&value + skip, part);
        i += part;
    }
    return true;
}

static bool mapped_words(const struct tile *tile, uint64_t address, size_t size, uint64_t now)
{
    if ((address & 3) != 0 || (size & 3) != 0 || size == 0) {
        return false;
    }
    for (size_t i = 0; i < size; i += 4) {
        uint32_t value;
        if (!devices_peek(tile, CLIENT_NOC, (uint32_t)address + (uint32_t)i, &value, now)) {
            return false;
        }
    }
    return true;
}

/* Memory of one kind or the other: true if it was that, *done says whether it worked. */
static bool poke_memory(struct tile *tile, tile_place place, uint64_t address, const void *data, size_t size,
                        uint64_t now, bool *done)
{
    unsigned core;
    uint8_t *local;
    *done = true;
    switch (place) {
    case PLACE_L1: l1_write(tile, BY_HOST, (uint32_t)address, data, (unsigned)size, now); return true;
    case PLACE_BANK: *done = dram_bank_write(tile->bank, address, data, size); return true;
    case PLACE_NOTHING: *done = false; return true;
    case PLACE_REGISTERS: break;
    }
    local = slow_local(tile, (uint32_t)address, size, &core);
    if (local == NULL) {
        return false;
    }
    tile_core_wake(tile, core, now);
    hook_local(tile, core, local, size, CHECK_WRITE);
    memcpy(local, data, size);
    return true;
}

bool tile_poke(struct tile *tile, uint64_t noc_address, const void *data, size_t size, uint64_t now)
{
    uint64_t address;
    bool done;
    const tile_place place = host_place(tile, noc_address, size, now, &address);
    tile_settle(tile);
    if (size == 0 || poke_memory(tile, place, address, data, size, now, &done)) {
        return size == 0 || done;
    }
    if (!mapped_words(tile, address, size, now)) {
        return false;
    }
    for (size_t i = 0; i < size; i += 4) {
        uint32_t value;
        memcpy(&value, (const uint8_t *)data + i, 4);
        devices_poke(tile, CLIENT_NOC, (uint32_t)address + (uint32_t)i, value, now);
    }
    return true;
}

bool tile_read(struct tile *tile, uint64_t noc_address, void *data, size_t size, uint64_t now)
{
    uint64_t address;
    unsigned core;
    if (host_place(tile, noc_address, size, now, &address) != PLACE_REGISTERS ||
        slow_local(tile, (uint32_t)address, size, &core) != NULL) {
        return tile_peek(tile, noc_address, data, size, now);
    }
    tile_settle(tile);
    if (!mapped_words(tile, address, size, now)) {
        return false;
    }
    bool done = true;
    tile_host_acts(tile, HOST_READS);
    for (size_t i = 0; i < size && done; i += 4) {
        uint32_t value = 0;
        const dev_result result = devices_read(tile, CLIENT_NOC, (uint32_t)address + (uint32_t)i, 4, now, &value);
        done = result == DEV_OK || result == DEV_FAULT;
        value = result == DEV_OK ? value : 0; /* of a fault a note says why */
        memcpy((uint8_t *)data + i, &value, 4);
    }
    tile_host_acts(tile, HOST_NOT);
    attend(tile);
    return done;
}

bool tile_write(struct tile *tile, uint64_t noc_address, const void *data, size_t size, uint64_t now)
{
    uint64_t address;
    bool done;
    const tile_place place = host_place(tile, noc_address, size, now, &address);
    tile_settle(tile);
    if (size != 0 && place == PLACE_L1) {
        l1_write(tile, BY_NOC, (uint32_t)address, data, (unsigned)size, now);
        return true;
    }
    if (size == 0 || poke_memory(tile, place, address, data, size, now, &done)) {
        return size == 0 || done;
    }
    if (!mapped_words(tile, address, size, now)) {
        return false;
    }
    dev_result result = DEV_OK;
    tile_host_acts(tile, HOST_WRITES);
    for (size_t i = 0; i < size && result == DEV_OK; i += 4) {
        uint32_t value;
        memcpy(&value, (const uint8_t *)data + i, 4);
        result = devices_write(tile, CLIENT_NOC, (uint32_t)address + (uint32_t)i, 4, value, now);
    }
    tile_host_acts(tile, HOST_NOT);
    if (result != DEV_OK) {
        return false;
    }
    *tile->due = min64(*tile->due, now);
    attend(tile);
    return true;
}

bool tile_core_peek(const struct tile *tile_const, unsigned core, uint32_t address, void *data, size_t size,
                    uint64_t now)
{
    struct tile *tile = (struct tile *)(uintptr_t)tile_const;
    const void *local = local_at(tile, core, address, size);
    if (local != NULL) {
        memcpy(data, local, size);
        return true;
    }
    if (in_l1(tile, address, size)) {
        rv_core copy; /* its own stores that have not come out yet are there for it */
        lsu_read_own(tile_core_view(tile, core, now, &copy), &tile->bus[core], address, (unsigned)size, data);
        return true;
    }
    uint32_t value;
    if ((address & 3) != 0 || size != 4 || !devices_peek(tile, core, address, &value, now)) {
        return false;
    }
    memcpy(data, &value, 4);
    return true;
}

bool tile_core_poke(struct tile *tile, unsigned core, uint32_t address, const void *data, size_t size, uint64_t now)
{
    void *local = local_at(tile, core, address, size);
    tile_settle(tile);
    if (local != NULL) {
        tile_core_wake(tile, core, now);
        if (CHECKED(tile)) {
            hook_acts(tile, KERR_ACTOR_HOST, now);
            tell_local(tile, local, size);
        }
        memcpy(local, data, size);
        return true;
    }
    if (in_l1(tile, address, size)) {
        if (size != 0) {
            l1_write(tile, BY_HOST, address, data, (unsigned)size, now);
            lsu_write_own(&tile->core[core], address, (unsigned)size, data);
        }
        return true;
    }
    uint32_t value;
    if ((address & 3) != 0 || size != 4) {
        return false;
    }
    memcpy(&value, data, 4);
    return devices_poke(tile, core, address, value, now);
}
