/* SPDX-License-Identifier: Apache-2.0 */
/* How time passes.
 *
 * All tiles run a window of cycles independently, then meet: the fabric hands over what they sent.  A window is at most
 * fabric_lookahead cycles, the time from a packet's first flit to its effect in the nearest other tile.  A tile with
 * nothing to do is not visited; if none has, time jumps.
 *
 * A tile that is the only one with work needs no window: it runs on, over lines of the stop grid too, up to where others could
 * feel what it sends. */
#include "chip/chip.h"

#include "base/bits.h"
#include "base/fast.h"
#include "base/pages.h"
#include "chip/noc.h"
#include "noc/niu.h"
#include "riscv/block.h"
#include "tensix/matrix/kernel.h"
#include "tile/deadlock.h"

#include <string.h>
#include <time.h>

/* The longest window of a tile that is alone. */
enum { ALONE_MOST = 1 << 16 };

uint32_t chip_default_window(void)
{
    return fabric_lookahead();
}

static uint64_t next_line(uint64_t cycle)
{
    return (cycle / STOP_GRID + 1) * STOP_GRID;
}

/* Whether the chip must know of what a tile has come to at a line of the stop grid. */
static bool stops_at(const struct tile *tile, uint64_t line)
{
    bool again;
    return tile->stopped_at != NEVER || (tile->kind == KERR_TILE_TENSIX && tile_has_new_deadlock(tile, line, &again));
}

static void run_some(kerr_chip *chip, uint32_t worker, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        tile_run(chip_tile(chip, chip->active[i]), &chip->worker[worker], chip->window_end, chip->run_end);
    }
}

static void run_tiles(void *context, uint32_t worker)
{
    enum { MOST = 8 }; /* taken at once */
    kerr_chip *chip = context;
    for (uint32_t k = 0; k < chip->workers; k++) {
        const uint32_t owner = (worker + k) % chip->workers;
        const uint32_t end = chip->share[owner].end;
        /* An atomic operation waits until all that was written before is in the cache, such as what packets brought: a few
         * tiles with each, and fewer as they become less. */
        for (;;) {
            const uint32_t next = __atomic_load_n(&chip->share[owner].next, __ATOMIC_RELAXED);
            if (next >= end) {
                break;
            }
            const uint32_t part = (end - next) / MOST, count = part < 1 ? 1 : part < MOST ? part : MOST;
            const uint32_t i = __atomic_fetch_add(&chip->share[owner].next, count, __ATOMIC_RELAXED);
            run_some(chip, worker, i, i + count < end ? i + count : end);
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

/* Most tiles of a chip have nothing to do: true if none of these DUE_STEP has. */
static inline bool rest(const uint64_t *due)
{
    _Static_assert(DUE_STEP == 8 && NEVER == UINT64_MAX, "all bits of all of them");
    return (due[0] & due[1] & due[2] & due[3] & due[4] & due[5] & due[6] & due[7]) == NEVER;
}

/* Tiles with something to do before `end`; *next is the first cycle with any work at all. */
static void collect_active(kerr_chip *chip, uint64_t end, uint64_t *next)
{
    uint32_t count = 0;
    uint64_t first = NEVER;
    for (uint32_t i = 0; i < CHIP_TILES; i += DUE_STEP) {
        const uint64_t *due = &chip->due[i];
        if (rest(due)) {
            continue;
        }
        for (uint32_t k = 0; k < DUE_STEP; k++) {
            chip->active[count] = (uint16_t)(i + k); /* counts if it is kept */
            count += due[k] < end;
            first = min64(first, due[k]);
        }
    }
    chip->active_count = count;
    *next = first;
}

void chip_forget_blocks(kerr_chip *chip)
{
    for (uint32_t i = 0; i < MAX_THREADS; i++) {
        if (chip->worker[i].blocks != NULL) {
            rv_block_store_clear(chip->worker[i].blocks);
        }
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        const uint64_t from = chip->due[i];
        if (chip->made[i] && chip_tile(chip, i)->bus[0].blocks != NULL) {
            tile_refresh(chip_tile(chip, i), chip->now);
            chip->due[i] = from;
        }
    }
}

static void tend_block_stores(kerr_chip *chip)
{
    for (uint32_t i = 0; i < MAX_THREADS && chip->worker[i].blocks != NULL; i++) {
        if (rv_block_store_is_filling_up(chip->worker[i].blocks)) {
            chip_forget_blocks(chip);
            return;
        }
    }
}

static bool prepare_workers(kerr_chip *chip, uint32_t workers)
{
    for (uint32_t i = 0; i < workers; i++) {
        if (chip->worker[i].matrix == NULL) {
            chip->worker[i].matrix = matrix_cache_create();
        }
        if (chip->worker[i].matrix != NULL && chip->worker[i].blocks == NULL) {
            chip->worker[i].blocks = rv_block_store_create();
        }
        if (chip->worker[i].blocks == NULL) {
            return i != 0; /* fewer workers will do */
        }
    }
    return true;
}

static void note_fault(kerr_chip *chip, uint32_t i)
{
    const uint64_t at = chip_tile(chip, i)->stopped_at;
    if (at != NEVER) {
        chip->stop_cycle = min64(chip->stop_cycle, next_line(at));
    }
}

static void look_for_faults(kerr_chip *chip)
{
    for (uint32_t i = 0; chip->stopping && i < chip->active_count; i++) {
        note_fault(chip, chip->active[i]);
    }
}

static void note_ran_one(kerr_chip *chip, uint32_t i)
{
    if (i < KERR_TENSIX_TILES) {
        chip->ran[i] = 1;
        chip->any_ran = true;
    }
}

static void note_ran(kerr_chip *chip)
{
    for (uint32_t i = 0; i < chip->active_count; i++) {
        note_ran_one(chip, chip->active[i]);
    }
}

/* At a multiple of STOP_GRID, which every run comes by, so that what is found does not depend on windows and calls.  After
 * a fault that stops the chip others wait for who stopped: that is not theirs. */
static void look_for_deadlocks(kerr_chip *chip)
{
    if (!chip->any_ran || chip->now % STOP_GRID != 0 || chip->stop_cycle != NEVER) {
        return;
    }
    chip->any_ran = false;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        if (chip->ran[i]) {
            chip->ran[i] = tile_look_for_deadlock(chip_tile(chip, i), chip->now);
            chip->any_ran = chip->any_ran || chip->ran[i];
            note_fault(chip, i);
        }
    }
}

/* How many workers are worth their barrier: in a short window a tile is visited for a microsecond or less. */
static uint32_t workers_for(const kerr_chip *chip)
{
    enum { SHORT_WINDOW = 64, TILES_EACH = 8 };
    const uint32_t most =
        chip->environment.trace != NULL || chip->watches != 0 || chip->environment.checks != 0 ? 1 : chip->threads;
    const bool is_short = chip->window_end - chip->now <= SHORT_WINDOW;
    const uint32_t useful = is_short ? (chip->active_count + TILES_EACH - 1) / TILES_EACH : chip->active_count;
    return most < useful ? most : useful;
}

/* Runs the tiles in chip->active up to chip->window_end. */
static bool run_window(kerr_chip *chip)
{
    if (chip->active_count == 0) {
        return true; /* packets on their way, and nobody else */
    }
    uint32_t workers = workers_for(chip);
    if (!prepare_workers(chip, workers)) {
        return false;
    }
    while (workers > 1 && chip->worker[workers - 1].blocks == NULL) {
        workers--;
    }
    if (workers > 1 && chip->pool.started == 0) {
        pages_populate(chip, sizeof *chip);
    }
    chip->environment.helped = chip->environment.helped || workers > 1;
    deal(chip, workers);
    if (workers == 1) {
        run_some(chip, 0, 0, chip->active_count);
    } else if (pool_run(&chip->pool, workers - 1, run_tiles, chip) + 1 < workers) {
        chip->threads = chip->pool.started + 1; /* the system gave fewer; the shares were still all worked off */
    }
    return true;
}

/* Nothing but this tile has anything to do before `end`, and nobody else need know where it is. */
static bool goes_on_alone(const kerr_chip *chip, const struct tile *tile, uint64_t end)
{
    return tile->port->outbox_count == 0 && chip_noc_next(chip) >= end && niu_next_event(&tile->dev) >= end &&
           tile_next_arrival(tile) >= end && !rv_block_store_is_filling_up(chip->worker[0].blocks);
}

/* The only tile with anything to do before chip->window_end runs as far as it likes; chip->window_end is where it ended. */
static bool run_alone(kerr_chip *chip)
{
    if (!prepare_workers(chip, 1)) {
        return false;
    }
    chip->workers = 1;
    struct tile *tile = chip_tile(chip, chip->active[0]);
    const uint64_t end = chip->window_end;
    for (uint64_t start = chip->now; start < end;) {
        const uint64_t to = min64(end, next_line(start));
        chip->window_end = tile_run_alone(tile, &chip->worker[0], start, to);
        if (chip->window_end < to || *tile->due >= end || !goes_on_alone(chip, tile, end) || stops_at(tile, to)) {
            break;
        }
        start = chip->window_end = to;
    }
    return true;
}

static bool may_run_alone(const kerr_chip *chip)
{
    return chip->window == 0 && chip->environment.trace == NULL && chip->watches == 0 &&
           chip->environment.checks == 0 && !chip->has_stops && !(chip->environment.without & FAST_ALONE);
}

/* Nothing but tiles has anything to do before `end`. */
static bool noc_rests(const kerr_chip *chip, uint64_t end)
{
    return chip_noc_next(chip) >= end && (chip->fabric.slow[0] | chip->fabric.slow[1]) == 0;
}

/* Whether the chip itself must come by the next line of the stop grid: tiles that have work look there for themselves. */
static bool line_is_due(const kerr_chip *chip)
{
    bool due = chip->stop_cycle != NEVER;
    for (uint32_t i = 0; chip->any_ran && i < KERR_TENSIX_TILES; i++) {
        due = due || (chip->ran[i] && chip->due[i] >= chip->window_end);
    }
    return due;
}

/* The tiles with something to do before chip->window_end, or chip->run_end if the window must end there. */
static void collect_far(kerr_chip *chip, uint64_t *next)
{
    collect_active(chip, chip->window_end, next);
    if (chip->window_end > chip->run_end && line_is_due(chip)) {
        chip->window_end = chip->run_end;
        collect_active(chip, chip->window_end, next);
    }
}

/* Whether at most one tile has anything to do before chip->window_end, which is far ahead if it can be. */
static bool find_alone(kerr_chip *chip, uint64_t *next)
{
    if (chip->far_end > chip->run_end && noc_rests(chip, chip->far_end)) {
        chip->window_end = chip->far_end;
        collect_far(chip, next);
        if (chip->active_count <= 1) {
            return true;
        }
    }
    if (!noc_rests(chip, chip->run_end)) {
        return false;
    }
    chip->window_end = chip->run_end;
    collect_active(chip, chip->window_end, next);
    return chip->active_count <= 1;
}

/* One window, from chip->now to chip->run_end or, of a tile that is alone, over lines of the stop grid to at most chip->far_end; or, if
 * there is nothing to do, time up to at most `end`. */
static kerr_status pass_window(kerr_chip *chip, uint64_t end)
{
    uint64_t next;
    const bool alone = may_run_alone(chip) && find_alone(chip, &next);
    if (!alone) {
        chip->window_end = min64(chip->run_end, chip->now + (chip->window != 0 ? chip->window : fabric_lookahead()));
        collect_active(chip, chip->window_end, &next);
    }
    next = min64(next, chip_noc_next(chip));
    if (chip->active_count == 0 && next >= chip->window_end) {
        /* Nobody has anything to do before. */
        chip->now = min64(chip->any_ran ? chip->run_end : end, min64(next, chip->stop_cycle));
        return KERR_OK;
    }
    look_for_faults(chip); /* packets may have raised some in tiles that had nothing to do */
    if (chip->now >= chip->stop_cycle) {
        return KERR_OK;
    }
    if (alone ? !run_alone(chip) : chip->active_count != 0 && !run_window(chip)) {
        return KERR_NO_MEMORY;
    }
    if (!alone || chip_tile(chip, chip->active[0])->port->outbox_count != 0 || chip_noc_next(chip) < chip->window_end) {
        chip_noc_exchange(chip, chip->window_end);
    }
    look_for_faults(chip);
    note_ran(chip);
    chip->now = chip->window_end;
    tend_block_stores(chip);
    return KERR_OK;
}

uint64_t chip_rests_until(const kerr_chip *chip)
{
    if (chip->stop_cycle != NEVER) {
        return chip->now;
    }
    uint64_t next = chip_noc_next(chip);
    if (chip->any_ran) {
        next = min64(next, next_line(chip->now) - 1); /* deadlocks are looked for */
    }
    for (uint32_t i = 0; i < CHIP_TILES; i += DUE_STEP) {
        for (uint32_t k = 0; !rest(&chip->due[i]) && k < DUE_STEP; k++) {
            next = min64(next, chip->due[i + k]);
        }
    }
    return next;
}

static uint64_t clock_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void chip_begin_slice(kerr_chip *chip)
{
    chip->was_cut = false;
    chip->cut_at = 0;
    if (chip->slice_ns != 0) {
        const uint64_t now = clock_ns();
        chip->cut_at = chip->slice_ns < NEVER - now ? now + chip->slice_ns : NEVER;
    }
}

/* A window takes microseconds, the look at the clock a small part of one. */
bool chip_slice_is_over(kerr_chip *chip)
{
    if (chip->cut_at != 0 && chip->stop_cycle == NEVER && clock_ns() >= chip->cut_at) {
        chip->was_cut = true;
    }
    return chip->was_cut;
}

kerr_status chip_run(kerr_chip *chip, uint64_t cycles)
{
    const uint64_t end = cycles > NEVER - 1 - chip->now ? NEVER - 1 : chip->now + cycles;
    if (cycles == 0) { /* else the first window looks */
        uint64_t next;
        collect_active(chip, chip->now + 1, &next);
        look_for_faults(chip); /* the host's accesses may have raised some */
    }
    while (chip->now < end) {
        if (chip->now >= chip->stop_cycle) {
            return KERR_FAULTED;
        }
        chip->run_end = min64(end, next_line(chip->now));
        chip->far_end = min64(end, chip->now + ALONE_MOST);
        const kerr_status status = pass_window(chip, end);
        if (status != KERR_OK) {
            return status;
        }
        look_for_deadlocks(chip);
        if (chip->now < end && chip_slice_is_over(chip)) {
            break;
        }
    }
    return chip->stop_cycle != NEVER ? KERR_FAULTED : KERR_OK;
}
