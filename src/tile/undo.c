/* SPDX-License-Identifier: Apache-2.0 */
/* A window that may be taken back.
 *
 * As long as nothing is on its way through the NoC all tiles may run far beyond what the NoC allows, on the assumption
 * that none of them sends anything.  A tile that wants to store to what sends (NIU, GDDR DMA) stops there
 * instead (undo_stop), and every tile that ran is taken back, to be run again up to where the packet could be felt.  Saved
 * is what changes, before it first does: pages of L1, cores, streams of the overlay, register files of the coprocessor, the
 * devices without NIUs (nobody writes those in such a window).
 *
 * Nothing was sent from windows that stand, so what was saved for one will do for those behind it: a tile goes back to the
 * start of the first of them (undo_from) and comes to the same state again.  That ends where anything else than such a
 * window changes the tile: tile_settle. */
#include "tile/tile.h"

#include "base/bits.h"
#include "base/pages.h"
#include "tile/niu.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { UNDO_PAGES = 1 << 16, PAGE = 1 << TOUCH_SHIFT };
/* All pages of all L1s: what one window can have changed.  What is saved already when it begins leaves room for that. */
enum {
    WINDOW_PAGES =
        (KERR_TENSIX_TILES * L1_BYTES + KERR_ETH_TILES * L1_BYTES / 3 + KERR_DRAM_TILES * L1_BYTES / 12) / PAGE,
    UNDO_PAGES_BEFORE = UNDO_PAGES - WINDOW_PAGES
};
_Static_assert(UNDO_PAGES_BEFORE > 1 << 13, "some windows of some pages each");
#define DEVICES_SAVED offsetof(struct devices, niu)

/* Of a core the lines of its instruction cache and its local RAM are saved piece by piece. */
enum { LINES = COST_ICACHE_SETS * COST_ICACHE_WAYS, PIECE = 128 };
_Static_assert(sizeof(((rv_core *)0)->local) == 64 * PIECE && LINES % 64 == 0, "a bit for each piece");
_Static_assert(offsetof(rv_core, ic_victim) == offsetof(rv_core, ic_data) + LINES * COST_ICACHE_LINE_BYTES &&
                   offsetof(rv_core, local) + 64 * PIECE == sizeof(rv_core),
               "nothing else between and behind");

typedef struct saved_tile {
    rv_core core[KERR_CORE_COUNT];
    uint64_t lines[KERR_CORE_COUNT][LINES / 64];
    uint64_t local[KERR_CORE_COUNT];
    rv_ports ports;
    uint8_t devices[DEVICES_SAVED];
    union own_regs own; /* of tiles that have any */
    struct tensix_files files;
    uint32_t fault_count;
    kerr_fault fault[TILE_FAULTS]; /* those that there were */
    uint64_t stopped_at, due, attention_cycle;
    bool strict, rendezvous, attention;
    uint8_t attention_of;
    uint8_t breakpoints;
    overlay overlay; /* what all streams share, and those of undo_streams */
} saved_tile;

/* A page of L1, and the one that the same tile saved before it, maybe with another worker. */
struct saved_page {
    struct saved_page *before;
    uint8_t *data;
    uint32_t number;
    uint8_t touched;
};

/* One for each worker: what the tiles that it ran have saved. */
struct tile_undo {
    uint32_t pages;
    struct saved_page saved[UNDO_PAGES];
    uint8_t page[UNDO_PAGES][PAGE];
};

size_t tile_undo_space(void)
{
    return sizeof(saved_tile);
}

static saved_tile *saved_of(struct tile *tile)
{
    return (saved_tile *)(void *)tile->undo_space;
}

struct tile_undo *tile_undo_create(void)
{
    void *memory = mmap(NULL, sizeof(struct tile_undo), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    madvise(memory, sizeof(struct tile_undo), MADV_NOHUGEPAGE);
    return memory;
}

void tile_undo_destroy(struct tile_undo *undo)
{
    if (undo != NULL) {
        munmap(undo, sizeof *undo);
    }
}

void tile_undo_clear(struct tile_undo *undo)
{
    undo->pages = 0;
}

bool tile_undo_fills_up(const struct tile_undo *undo)
{
    return undo->pages > UNDO_PAGES_BEFORE;
}

/* All of a core but the lines of its instruction cache and its local RAM. */
static void copy_core(rv_core *to, const rv_core *from)
{
    memcpy(to, from, offsetof(rv_core, ic_data));
    memcpy(to->ic_victim, from->ic_victim, offsetof(rv_core, local) - offsetof(rv_core, ic_victim));
}

void tile_save_core(struct tile *tile, unsigned core)
{
    if (tile->speculative && !(tile->undo_cores >> core & 1)) {
        saved_tile *saved = saved_of(tile);
        tile->undo_cores |= (uint8_t)(1u << core);
        copy_core(&saved->core[core], &tile->core[core]);
        memset(saved->lines[core], 0, sizeof saved->lines[core]);
        saved->local[core] = 0;
    }
}

void tile_save_line(void *owner, unsigned core, unsigned set, unsigned way)
{
    struct tile *tile = owner;
    tile_save_core(tile, core);
    saved_tile *saved = saved_of(tile);
    const unsigned line = set * COST_ICACHE_WAYS + way;
    if (!(saved->lines[core][line / 64] >> line % 64 & 1)) {
        saved->lines[core][line / 64] |= UINT64_C(1) << line % 64;
        memcpy(saved->core[core].ic_data[set][way], tile->core[core].ic_data[set][way], COST_ICACHE_LINE_BYTES);
    }
}

void tile_save_local(void *owner, unsigned core, uint32_t offset, unsigned size)
{
    struct tile *tile = owner;
    tile_save_core(tile, core);
    saved_tile *saved = saved_of(tile);
    for (uint32_t piece = offset / PIECE; piece <= (offset + size - 1) / PIECE; piece++) {
        if (!(saved->local[core] >> piece & 1)) {
            saved->local[core] |= UINT64_C(1) << piece;
            memcpy(saved->core[core].local + (size_t)piece * PIECE, tile->core[core].local + (size_t)piece * PIECE,
                   PIECE);
        }
    }
}

void tile_save_whole_core(struct tile *tile, unsigned core)
{
    if (tile->speculative) {
        for (unsigned line = 0; line < LINES; line++) {
            tile_save_line(tile, core, line / COST_ICACHE_WAYS, line % COST_ICACHE_WAYS);
        }
        tile_save_local(tile, core, 0, sizeof tile->core[core].local);
    }
}

static void take_core_back(rv_core *core, const saved_tile *saved, unsigned c)
{
    copy_core(core, &saved->core[c]);
    for (unsigned i = 0; i < LINES / 64; i++) {
        for (uint64_t left = saved->lines[c][i]; left != 0; left &= left - 1) {
            const unsigned line = i * 64 + (unsigned)__builtin_ctzll(left);
            const unsigned set = line / COST_ICACHE_WAYS, way = line % COST_ICACHE_WAYS;
            memcpy(core->ic_data[set][way], saved->core[c].ic_data[set][way], COST_ICACHE_LINE_BYTES);
        }
    }
    for (uint64_t left = saved->local[c]; left != 0; left &= left - 1) {
        const size_t from = (size_t)__builtin_ctzll(left) * PIECE;
        memcpy(core->local + from, saved->core[c].local + from, PIECE);
    }
}

void tile_save_devices(struct tile *tile)
{
    if (tile->speculative && !tile->undo_devices) {
        tile->undo_devices = true;
        memcpy(saved_of(tile)->devices, &tile->dev, DEVICES_SAVED);
    }
}

static size_t faults_kept(uint32_t count)
{
    return count < TILE_FAULTS ? count : TILE_FAULTS;
}

/* A fault may come before those that are there, in the place of one of them. */
void tile_save_faults(struct tile *tile)
{
    if (tile->speculative && !tile->undo_faults) {
        saved_tile *saved = saved_of(tile);
        tile->undo_faults = true;
        saved->fault_count = tile->fault_count;
        memcpy(saved->fault, tile->fault, faults_kept(tile->fault_count) * sizeof *tile->fault);
    }
}

void tile_populate_files(struct tile *tile)
{
    if (!tile->populated && tile->environment->helped) {
        tile->populated = true;
        pages_populate(&tile->files, sizeof tile->files);
        pages_populate(&tile->vector_cache, sizeof tile->vector_cache);
    }
}

void tile_save_files(struct tile *tile)
{
    if (tile->speculative && !tile->undo_files) {
        tile->undo_files = true;
        tile_populate_files(tile);
        memcpy(&saved_of(tile)->files, &tile->files, offsetof(struct tensix_files, vector));
    }
    tile_save_vector(tile);
}

void tile_save_vector(struct tile *tile)
{
    if (tile->speculative && !tile->undo_vector) {
        tile->undo_vector = true;
        saved_of(tile)->files.vector = tile->files.vector;
    }
}

void tile_save_stream(struct tile *tile, unsigned stream)
{
    if (!tile->speculative || (tile->undo_streams >> stream & 1)) {
        return;
    }
    overlay *saved = &saved_of(tile)->overlay;
    if (tile->undo_streams == 0) {
        memcpy(saved, &tile->overlay, offsetof(overlay, stream));
    }
    tile->undo_streams |= UINT64_C(1) << stream;
    saved->stream[stream] = tile->overlay.stream[stream];
}

void tile_save_page(struct tile *tile, uint32_t page)
{
    struct tile_undo *undo = tile->undo;
    struct saved_page *saved = &undo->saved[undo->pages];
    *saved = (struct saved_page){tile->undo_pages, undo->page[undo->pages], page, tile->touched[page]};
    uint8_t *const at = tile->l1 + (size_t)page * PAGE;
    if (!tile->touched[page]) {
        memset(at, 0, PAGE); /* it is; but written before it is read it gets a frame of its own at once: base/pages.h */
    }
    memcpy(saved->data, at, PAGE);
    undo->pages++;
    tile->undo_pages = saved;
}

/* From here on what changes is saved. */
static void begin(struct tile *tile, uint64_t start)
{
    saved_tile *saved = saved_of(tile);
    tile->undo_open = true;
    tile->undo_from = start;
    tile->undo_pages = NULL;
    tile->undo_cores = 0;
    tile->undo_streams = 0;
    saved->ports = tile->ports;
    tile->undo_devices = false;
    tile->undo_files = false;
    tile->undo_vector = false;
    if (tile->kind != KERR_TILE_TENSIX) {
        saved->own = tile->own;
    }
    tile->undo_faults = false;
    saved->stopped_at = tile->stopped_at;
    saved->due = *tile->due;
    saved->attention_cycle = tile->attention_cycle;
    saved->attention = tile->attention;
    saved->attention_of = tile->attention_of;
    saved->strict = tile->strict;
    saved->rendezvous = tile->rendezvous;
    saved->breakpoints = tile->breakpoints;
}

void tile_run_speculative(struct tile *tile, tile_worker *worker, uint64_t start, uint64_t end)
{
    if (!tile->undo_open) {
        begin(tile, start);
    }
    tile->undo = worker->undo;
    /* What the NIUs send or receive cannot be taken back. */
    const bool reaches_out = niu_next_event(&tile->dev) < end || tile_next_arrival(tile) < end;
    tile->undo_end = end;
    tile->undo_stop = reaches_out ? 0 : NEVER;
    tile->speculative = tile->lent.saves = true;
    for (unsigned i = 0; i < tile->cores; i++) {
        tile->bus[i].fetched_early = 0;
        /* Cores that run or wait change without further notice; the others are saved when somebody reaches for them. */
        if (tile->core[i].state != RV_IN_RESET && tile->core[i].state != RV_PARKED) {
            tile_save_core(tile, i);
        }
    }
    tile_run(tile, worker, end, end);
    tile->speculative = tile->lent.saves = false;
    for (unsigned i = 0; i < tile->cores; i++) {
        tile->bus[i].touch_mark = 1; /* what the host writes now is not saved for the next window */
        tile->bus[i].saves_line = NULL;
        tile->bus[i].saves_local = NULL;
    }
}

void tile_settle_now(struct tile *tile)
{
    tile->undo_open = false;
    tile->undo_from = NEVER;
    for (const struct saved_page *page = tile->undo_pages; page != NULL; page = page->before) {
        tile->touched[page->number] = 1;
    }
}

void tile_take_back(struct tile *tile)
{
    const saved_tile *saved = saved_of(tile);
    tile->undo_open = false;
    for (const struct saved_page *page = tile->undo_pages; page != NULL; page = page->before) {
        memcpy(tile->l1 + (size_t)page->number * PAGE, page->data, PAGE);
        tile->touched[page->number] = page->touched;
    }
    for (unsigned i = 0; i < tile->cores; i++) {
        if (tile->undo_cores >> i & 1) {
            take_core_back(&tile->core[i], saved, i);
        }
    }
    if (tile->undo_streams != 0) {
        memcpy(&tile->overlay, &saved->overlay, offsetof(overlay, stream));
    }
    for (unsigned i = 0; i < OVERLAY_STREAMS; i++) {
        if (tile->undo_streams >> i & 1) {
            tile->overlay.stream[i] = saved->overlay.stream[i];
        }
    }
    tile->ports = saved->ports;
    if (tile->undo_devices) {
        memcpy(&tile->dev, saved->devices, DEVICES_SAVED);
    }
    if (tile->undo_files) {
        memcpy(&tile->files, &saved->files, offsetof(struct tensix_files, vector));
    }
    if (tile->undo_vector) {
        tile->files.vector = saved->files.vector;
    }
    if (tile->kind != KERR_TILE_TENSIX) {
        tile->own = saved->own;
    }
    if (tile->undo_faults) {
        tile->fault_count = saved->fault_count;
        memcpy(tile->fault, saved->fault, faults_kept(saved->fault_count) * sizeof *tile->fault);
    }
    tile->stopped_at = saved->stopped_at;
    tile->strict = saved->strict;
    tile->rendezvous = saved->rendezvous;
    tile->breakpoints = saved->breakpoints;
    tile_went_back(tile, tile->undo_from);
    tile->attention = saved->attention;
    tile->attention_of = saved->attention_of;
    tile->attention_cycle = saved->attention_cycle;
    *tile->due = saved->due;
}
