/* SPDX-License-Identifier: Apache-2.0 */
/* How time passes.
 *
 * All tiles run a window of cycles independently, then meet.  With the NoC a window is at most the time
 * from a core's request to its effect elsewhere (noc_window, from the cost table).  As long as no tile can send
 * anything, as now, islands cannot meet inside a call and the window may be as long as the stop grid allows.
 * A tile with nothing to do is not visited; if none has, time jumps. */
#include "chip/chip.h"

#include "base/bits.h"
#include "riscv/block.h"

#include <string.h>

/* The shortest way from one tile into another: issue, into the router, one hop, out, into memory. */
static uint32_t noc_window(void)
{
    return COST_NOC_ISSUE + COST_NOC_IN + COST_NOC_HOP + COST_NOC_OUT + COST_NOC_PICKUP;
}

/* No tile has a network interface yet (2 of 9), so nothing crosses: see above. */
static bool tiles_can_meet(void)
{
    return false;
}

uint32_t chip_default_window(void)
{
    return tiles_can_meet() ? noc_window() : STOP_GRID;
}

static void run_tiles(void *context, uint32_t worker)
{
    kerr_chip *chip = context;
    for (uint32_t k = 0; k < chip->workers; k++) {
        const uint32_t owner = (worker + k) % chip->workers;
        for (;;) {
            const uint32_t i = __atomic_fetch_add(&chip->share[owner].next, 1, __ATOMIC_RELAXED);
            if (i >= chip->share[owner].end) {
                break;
            }
            tile_run(&chip->tiles[chip->active[i]], chip->blocks[worker], chip->window_end);
        }
    }
}

/* Shares of the active tiles by place on the chip, so that a tile stays with its worker while others come and go. */
static void deal(kerr_chip *chip, uint32_t workers)
{
    uint32_t next = 0;
    chip->workers = workers;
    for (uint32_t w = 0; w < workers; w++) {
        const uint32_t end = chip->active_count * (w + 1) / workers;
        chip->share[w].next = next;
        chip->share[w].end = end;
        next = end;
    }
}

/* Tiles with something to do before `end`; *next is the first cycle with any work at all. */
static void collect_active(kerr_chip *chip, uint64_t end, uint64_t *next)
{
    chip->active_count = 0;
    *next = NEVER;
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        const uint64_t from = chip->tiles[i].active_from;
        if (from < end) {
            chip->active[chip->active_count++] = (uint16_t)i;
        }
        *next = min64(*next, from);
    }
}

void chip_forget_blocks(kerr_chip *chip)
{
    for (uint32_t i = 0; i < MAX_THREADS; i++) {
        if (chip->blocks[i] != NULL) {
            rv_block_store_clear(chip->blocks[i]);
        }
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        const uint64_t from = chip->tiles[i].active_from;
        if (chip->tiles[i].bus[0].blocks != NULL) {
            tile_refresh(&chip->tiles[i], chip->now);
            chip->tiles[i].active_from = from;
        }
    }
}

static void tend_block_stores(kerr_chip *chip)
{
    for (uint32_t i = 0; i < MAX_THREADS && chip->blocks[i] != NULL; i++) {
        if (rv_block_store_is_filling_up(chip->blocks[i])) {
            chip_forget_blocks(chip);
            return;
        }
    }
}

static bool prepare_workers(kerr_chip *chip, uint32_t workers)
{
    for (uint32_t i = 0; i < workers; i++) {
        if (chip->blocks[i] == NULL) {
            chip->blocks[i] = rv_block_store_create();
            if (chip->blocks[i] == NULL) {
                return i != 0; /* fewer workers will do */
            }
        }
    }
    return true;
}

static void note_fault(kerr_chip *chip, uint32_t i)
{
    const uint64_t at = chip->tiles[i].stopped_at;
    if (at != NEVER) {
        chip->stop_cycle = min64(chip->stop_cycle, (at / STOP_GRID + 1) * STOP_GRID);
    }
}

static void look_for_faults(kerr_chip *chip)
{
    for (uint32_t i = 0; i < chip->active_count; i++) {
        note_fault(chip, chip->active[i]);
    }
}

kerr_status chip_run(kerr_chip *chip, uint64_t cycles)
{
    const uint64_t end = cycles > NEVER - 1 - chip->now ? NEVER - 1 : chip->now + cycles;
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        note_fault(chip, i); /* the host's accesses may have raised some */
    }
    while (chip->now < end) {
        if (chip->now >= chip->stop_cycle) {
            return KERR_FAULTED;
        }
        /* Windows end on the stop grid at the latest. */
        const uint64_t grid = (chip->now / STOP_GRID + 1) * STOP_GRID;
        chip->window_end = min64(min64(end, grid), chip->now + chip->window);
        uint64_t next;
        collect_active(chip, chip->window_end, &next);
        if (chip->active_count == 0) {
            chip->now = min64(end, min64(next, chip->stop_cycle));
            continue;
        }
        uint32_t workers = chip->environment.trace != NULL || chip->watches != 0 ? 1 : chip->threads;
        workers = workers > chip->active_count ? chip->active_count : workers;
        if (!prepare_workers(chip, workers)) {
            return KERR_NO_MEMORY;
        }
        while (workers > 1 && chip->blocks[workers - 1] == NULL) {
            workers--;
        }
        deal(chip, workers);
        if (pool_run(&chip->pool, workers - 1, run_tiles, chip) + 1 < workers) {
            chip->threads = chip->pool.started + 1; /* the system gave fewer; the shares were still all worked off */
        }
        look_for_faults(chip);
        chip->now = chip->window_end;
        tend_block_stores(chip);
    }
    return chip->stop_cycle != NEVER ? KERR_FAULTED : KERR_OK;
}
