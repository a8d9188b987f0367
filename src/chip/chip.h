/* SPDX-License-Identifier: Apache-2.0 */
/* The chip: tiles on a grid, time, workers.  kerr.h is the API over it (host/api.c). */
#ifndef KERR_CHIP_CHIP_H
#define KERR_CHIP_CHIP_H

#include "base/pool.h"
#include "check/check.h"
#include "chip/passive.h"
#include "kerr.h"
#include "tile/tile.h"

enum {
    /* A stopping fault freezes its core at once and the chip at the next multiple of this, so that where the chip stops
     * does not depend on windows, threads or how calls are sliced. */
    STOP_GRID = RENDEZVOUS_GRID,
    MAX_THREADS = 64,
    DUE_STEP = 8, /* looked at together */
    CHIP_TILES = KERR_TILES,
};

struct kerr_chip {
    uint64_t now;            /* all work before this cycle is done */
    uint64_t stop_cycle;     /* where a stopping fault freezes the chip, NEVER if there is none */
    struct tile *tile_space; /* CHIP_TILES, those of chip_tile_index; use chip_tile */
    noc_fabric fabric;
    struct dram_bank bank[KERR_DRAM_BANKS];
    uint64_t bank_busy_16[KERR_DRAM_BANKS]; /* sixteenths of a cycle: when it can take the next request */
    tile_environment environment;
    kerr_policy finding_policy[FINDING_KINDS]; /* of checks; of faults it is in `environment` */
    passive *passive;                          /* everything that has no cores */

    /* Not state. */
    uint32_t window; /* longest run between barriers; 0: the longest there is */
    uint32_t threads;
    bool running;     /* inside kerr_run: hooks must not call back */
    uint64_t changes; /* chip_may_change has been asked so often, and once at first */
    bool stopping;    /* some tile has a stopping fault, or may have: stopped_at is worth a look */
    uint32_t next_watch_id;
    uint32_t watches;            /* set; hooks are called on the calling thread only */
    kerr_host_read_fn host_read; /* NULL: no host memory */
    kerr_host_write_fn host_write;
    void *host_context;
    uint64_t host_writes; /* how often the chip has written there */
    uint8_t *l1;          /* all L1s, one mapping, in order of tiles */
    uint8_t *line_flags;
    bool has_stops;             /* some tile has: no tile runs alone over lines of the stop grid */
    struct check_chip *checks;  /* NULL: none are on */
    int16_t tile_of[NOC_NODES]; /* chip_tile_index by node */
    /* A tile that nobody has reached for is as power-on leaves it, and so not written down yet: most programs of one tile would
     * spend more on the other 177 than on what they do. */
    bool made[CHIP_TILES];
    uint64_t passive_due; /* the first request to something that is not a tile, NEVER if there is none */
    uint32_t active_count;
    uint16_t active[CHIP_TILES + 1]; /* one more for collect_active */
    /* Of each tile: nothing to do before.  Together, because every call and every window looks at all of them. */
    uint64_t due[(CHIP_TILES + DUE_STEP - 1) / DUE_STEP * DUE_STEP]; /* those behind the last tile: NEVER */
    /* Each worker has its share of active[], the same tiles every time, and helps the others when it is done. */
    struct {
        uint32_t next, end;
        uint8_t pad[56];
    } share[MAX_THREADS];
    /* Tensix tiles that have done something since the last multiple of STOP_GRID, where deadlocks are looked for. */
    uint8_t ran[KERR_TENSIX_TILES];
    bool any_ran;
    /* Where programs may stay for good (kerr_set_ends), and the tile that kept time from being over when that was looked at last. */
    struct {
        uint32_t count;
        kerr_code of[KERR_ENDS_MAX];
    } ends[CHIP_TILES][KERR_CORE_COUNT];
    uint32_t moved_last;
    /* kerr_set_slice: how long calls may take, when the present one is over (0: it is not cut), and whether the last was cut. */
    uint64_t slice_ns, cut_at;
    bool was_cut;
    uint32_t workers;
    uint64_t window_end;
    uint64_t run_end; /* cores may run ahead up to here: the end of the call or the next line of the stop grid */
    uint64_t
        far_end; /* the window of a tile that is alone may end behind that line if nothing comes of it: up to here */
    worker_pool pool;
    tile_worker worker[MAX_THREADS];
    noc_store stores[MAX_THREADS];
};

/* Whether a call may change the chip: not from within another one.  What others remember of a chip between calls (host/api_pci.c) holds
 * as long as nobody asks. */
static inline bool chip_may_change(kerr_chip *chip)
{
    chip->changes++;
    return !chip->running;
}

/* grid.c: where what is. */
/* The tiles with cores: Tensix as kerr_tensix_xy counts, then Ethernet by x, then DRAM by column and y. */
int chip_tile_index(kerr_xy at); /* -1: no cores there */
kerr_xy chip_tile_xy(uint32_t index);
/* Which bank a DRAM tile belongs to; -1: not a DRAM tile. */
int chip_bank_index(kerr_xy at);

/* chip.c: tiles are made when first asked for, by whoever may touch them just then. */
void chip_make_tile(const kerr_chip *chip, uint32_t index);
struct tile *chip_tiles(kerr_chip *chip); /* all of them, side by side */

static inline struct tile *chip_tile(const kerr_chip *chip, int64_t index) /* of chip_tile_index */
{
    if (!chip->made[index]) {
        chip_make_tile(chip, (uint32_t)index);
    }
    return &chip->tile_space[index];
}

/* schedule.c */
uint32_t chip_default_window(void);
kerr_status chip_run(kerr_chip *chip, uint64_t cycles);
/* A call begins that may be cut, and whether it is time to: results do not depend on it. */
void chip_begin_slice(kerr_chip *chip);
bool chip_slice_is_over(kerr_chip *chip);
/* Up to this cycle time can pass without anything happening; it holds until something else than chip_run changes the
 * chip.  Between windows only. */
uint64_t chip_rests_until(const kerr_chip *chip);
/* Empties the block stores of all workers and what tiles remember of them.  Between windows only. */
void chip_forget_blocks(kerr_chip *chip);

/* snapshot.c */
uint64_t chip_hash(const kerr_chip *chip);
/* banks: with what is in DRAM; without it those of a restored chip are empty. */
kerr_status chip_save(const kerr_chip *chip, bool banks, kerr_write_fn write, void *context);
/* keep: a stream that breaks off or is refused leaves the chip as it was, which takes a copy of it meanwhile; else as after reset. */
kerr_status chip_restore(kerr_chip *chip, bool keep, kerr_read_fn read, void *context);

/* host/api_shake.c: who is told of draws. */
void chip_trace_shake(kerr_chip *chip);

/* chip.c: the mappings as they are for a new chip. */
void chip_clear(kerr_chip *chip);
/* The same, but L1 of Tensix tiles keeps what is in it, though nothing there counts as touched: chip_restore overwrites it. */
void chip_clear_but_l1(kerr_chip *chip);

#endif
