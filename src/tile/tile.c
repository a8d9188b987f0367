/* SPDX-License-Identifier: Apache-2.0 */
/* One tile: what it owns, how it comes up and what follows from its state.  See tile.h for how time flows, devices.h for the
 * contract with the devices, parts.h for the other files of the tile. */
#include "tile/parts.h"

#include "base/pages.h"
#include "base/random.h"
#include "riscv/block.h"
#include "tensix/matrix/kernel.h"
#include "tensix/tensix.h"

uint64_t tile_random(const struct tile *tile, uint32_t unit, uint64_t n)
{
    return random_at(tile->environment->seed, (uint64_t)tile->index << 32 | unit, n);
}

const uint8_t *tile_l1(const struct tile *tile)
{
    return tile->l1;
}
uint32_t tile_l1_size(const struct tile *tile)
{
    return tile->l1_bytes;
}

struct devices *tile_devices(struct tile *tile)
{
    return &tile->dev;
}
const struct devices *tile_devices_const(const struct tile *tile)
{
    return &tile->dev;
}

struct tensix_files *tile_tensix_files(struct tile *tile)
{
    return &tile->files;
}
const struct tensix_files *tile_tensix_files_const(const struct tile *tile)
{
    return &tile->files;
}

/* Dst, SrcA, SrcB and LReg: the pages they are in become their own. */
static void populate_files(struct tile *tile)
{
    tile->populated = true;
    pages_populate(&tile->files, sizeof tile->files);
}

struct matrix_cache *tile_matrix_cache(struct tile *tile)
{
    const bool helped = tile->environment->helped;
    if (UNLIKELY(!tile->populated && helped)) { /* products read Dst before they write it */
        populate_files(tile);
    }
    if (UNLIKELY(!tile->matrix->populated && helped)) {
        matrix_cache_populate(tile->matrix);
    }
    return tile->matrix;
}

unsigned tile_shake(const struct tile *tile, unsigned site, unsigned sub, uint64_t number)
{
    return shake_draw(&tile->environment->shake, site, noc_node_at(tile->at.x, tile->at.y), sub, number);
}

tensix_tile *tile_lent(const struct tile *tile)
{
    return (tensix_tile *)(uintptr_t)&tile->lent; /* no part of its state */
}

overlay *tile_overlay(struct tile *tile)
{
    return &tile->overlay;
}
const overlay *tile_overlay_const(const struct tile *tile)
{
    return &tile->overlay;
}

union own_regs *tile_own(struct tile *tile)
{
    return &tile->own;
}
const union own_regs *tile_own_const(const struct tile *tile)
{
    return &tile->own;
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
    tile_lend(&tile->lent, tile);
    tile_note_trace(tile);
    for (unsigned i = 0; i < tile->cores; i++) {
        rv_core_power_on(&tile->core[i], kind == KERR_TILE_TENSIX ? i : KERR_CORE_B, i);
        tile->generation[i] = 1;
        tile->backoff[i] = BACKOFF_FIRST;
        tile_bus_create(tile, i);
    }
    tile_note_shake(tile);
}

/* What follows from the cores' state.  Flags are only added: one too many does no harm. */
static void derive(struct tile *tile, uint64_t now)
{
    tile_note_trace(tile);
    tile_note_shake(tile);
    for (unsigned i = 0; i < tile->cores; i++) {
        tile->live &= (uint8_t) ~(1u << i);
        tile->live |= (uint8_t)((tile->core[i].state != RV_IN_RESET) << i);
        tile_note_parked(tile, i);
        tile->generation[i]++;
        tile_core_set_breakpoints(tile, i, tile->breakpoints >> i & 1);
        tile_forget_probe(tile, i, now);
        const rv_core *core = &tile->core[i];
        for (uint32_t set = 0; set < COST_ICACHE_SETS && core->state != RV_IN_RESET; set++) {
            for (unsigned way = 0; way < COST_ICACHE_WAYS; way++) {
                if (core->ic_tag[set][way] != 0) {
                    tile->line_flags[(core->ic_tag[set][way] - 1) * COST_ICACHE_LINE_BYTES >> LINE_SHIFT] |= LINE_CODE;
                }
            }
        }
        if (core->state == RV_PARKED) {
            tile_flag_watches(tile, core);
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
