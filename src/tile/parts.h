/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the tile have in common: tile.c (one tile, what it owns), run.c (order of events), bus.c (what a core
 * sees), cores.c, l1.c, packets.c, faults.c, trace.c, host_side.c.  Who has a tile includes tile.h and not this. */
#ifndef KERR_TILE_PARTS_H
#define KERR_TILE_PARTS_H

#include "tile/tile.h"

#include "base/bits.h"
#include "hooks/hooks.h"
#include "tile/blocks.h"
#include "tile/niu.h"

#include <string.h>

/* ---- l1.c ---- */

/* Who writes L1, besides the cores. */
enum { BY_HOST = -1, BY_DEVICE = -2, BY_NOC = -3 };

/* Of all lines from first to last. */
static inline uint8_t flags_of_lines(const struct tile *tile, uint32_t first, uint32_t last)
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

static inline void touch_pages(struct tile *tile, uint32_t address, unsigned size)
{
    for (uint32_t page = address >> TOUCH_SHIFT; page <= (address + size - 1) >> TOUCH_SHIFT; page++) {
        rv_touch(&tile->bus[0], page);
    }
}

/* Every write that may concern somebody: polling cores are brought to this cycle before the bytes change, decoded cached code is
 * dropped after.  core is one of them or BY_*. */
void l1_write(void *owner, int core, uint32_t address, const void *data, unsigned size, uint64_t cycle);
void l1_write_in_turn(void *owner, int core, uint32_t address, const void *data, unsigned size, uint64_t cycle);

/* ---- cores.c ---- */

/* A loop is worth a try at parking when it has done nothing visible for this long; a failed try doubles the
 * distance to the next. */
enum { QUIET_CYCLES = 72, BACKOFF_FIRST = 512, BACKOFF_LAST = 1 << 20 };

static inline rv_probe *probe_of(struct tile *tile, unsigned core)
{
    return (rv_probe *)(void *)tile->probe_space[core];
}

static inline bool may_poll(const struct tile *tile, unsigned core, uint32_t first, uint32_t last)
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

/* Whether a core has something to do at its cycle t: run, or, if it is parked for a time, look again. */
static inline bool has_turn(const rv_core *core)
{
    return core->state == RV_RUNNING || (core->state == RV_PARKED && core->t != NEVER);
}

/* After a core was parked, woken, put into reset or taken out of it. */
void tile_note_parked(struct tile *tile, unsigned core);
void tile_forget_probe(struct tile *tile, unsigned core, uint64_t cycle);
/* What a parked core polls in L1; registers announce their changes themselves (tile_device_changing). */
void tile_flag_watches(struct tile *tile, const rv_core *core);

/* ---- bus.c ---- */

/* What core i sees of the tile. */
void tile_bus_create(struct tile *tile, unsigned i);
/* Who listens is not as it was. */
void tile_bus_note(struct tile *tile, struct rv_block_store *blocks);
bool tile_bus_tag_search(void *owner, uint32_t address, uint64_t now, uint32_t *value);
/* Waiting loads and held-up stores look again after a device changed. */
void tile_attend_now(struct tile *tile);
static inline void attend(struct tile *tile)
{
    if (UNLIKELY(tile->attention)) {
        tile_attend_now(tile);
    }
}

/* A core's local RAM as the NoC and other cores find it, as it finds its own besides; NULL: not there. */
uint8_t *tile_slow_local(struct tile *tile, uint32_t address, size_t size, unsigned *core);
void *tile_local_at(struct tile *tile, unsigned core, uint32_t address, size_t size);
/* Written, whosever local RAM it is. */
void tile_tell_local(const struct tile *tile, const uint8_t *local, size_t size);

/* ---- faults.c, trace.c ---- */

/* What the core cannot go on from: the policy may only leave the record out. */
void tile_bus_fault(void *owner, unsigned core, const rv_fault *f);
void tile_bus_trace(void *owner, unsigned core, uint32_t pc, uint32_t instruction, uint64_t now);
/* Tells of cores whose state is another one, not before `done`. */
void tile_trace_states(struct tile *tile, uint64_t done);

#endif
