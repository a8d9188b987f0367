/* SPDX-License-Identifier: Apache-2.0 */
/* A tile with baby cores: the cores, its L1, the devices.  Tensix: five cores, 1.5 MiB; Ethernet: two, 512 KiB;
 * DRAM: one, 128 KiB (the bank behind it is not the tile's).  An island: it meets other tiles only through the NoC.
 * Owned by kerr_chip; one worker at a time runs it.
 *
 * Time within a tile: a core may run ahead of the others as long as it touches nothing that they can see or
 * change.  The first access of a core to the insides of another that is not in reset (its local RAM over the slow path,
 * pc, soft reset, debug interface, PIC) waits for the next multiple of RENDEZVOUS_GRID; from then on nobody in the
 * tile runs ahead.  A shared access at cycle c waits until every other running core has come to c (at equal cycles the
 * order of kerr_core decides) and until stores of others that become visible by c are in L1. */
#ifndef KERR_TILE_TILE_H
#define KERR_TILE_TILE_H

#include "base/shake.h"
#include "hooks/hooks.h"
#include "kerr.h"
#include "noc/fabric.h"
#include "riscv/core.h"
#include "tensix/files.h"
#include "tensix/vector/row.h"
#include "tile/devices.h"
#include "tile/dram_bank.h"
#include "tile/overlay.h"

enum { L1_BYTES = 1536 * 1024 /* the largest */, TILE_FAULTS = 256, TILE_WATCHES = 8 };

/* What all tiles of a chip share and never write while running. */
typedef struct tile_environment {
    uint64_t seed;
    uint32_t max_block;
    bool parking;
    uint32_t without; /* FAST_*: mechanisms that are off */
    bool helped;      /* derived: other threads than the caller's have run tiles, and page tables are dear to change */
    kerr_policy policy[KERR_FAULT_KINDS];
    kerr_trace_fn trace; /* NULL: nobody listens, and trace_kinds is 0 */
    void *trace_context;
    uint32_t trace_kinds; /* mask of kerr_trace_kind */
    uint32_t checks;      /* mask of kerr_check; 0: lent.check is NULL */
    struct shake shake;   /* seed 0: nothing is shaken */
} tile_environment;

/* An embedder's watch on writes to L1. */
typedef struct tile_watch {
    uint32_t id; /* 0 = free */
    uint32_t address, size;
    kerr_watch_fn fn;
    void *context;
} tile_watch;

/* What a worker lends to the tile that it runs. */
typedef struct tile_worker {
    struct rv_block_store *blocks;
    noc_store *packets;
    struct matrix_cache *matrix;
    struct vector_cache vector;
} tile_worker;

/* A debugger's stops in one tile (stops.c). */
enum { TILE_STOPS = 32 };
struct tile_stops {
    uint32_t count;
    struct {
        kerr_stop stop;
        uint32_t index; /* that the embedder knows it by */
    } list[TILE_STOPS];
    kerr_stop_hit first, last;
};

/* When each core has its next turn, NOBODY if it has none, and when its first store on the way to L1 is there. */
#define NOBODY (NEVER - 1)
struct turns {
    uint64_t t[KERR_CORE_COUNT], visible[KERR_CORE_COUNT];
};

struct tile {
    tensix_tile lent; /* never saved; first, so that check_of finds the checks */
    rv_core core[KERR_CORE_COUNT];
    rv_ports ports;
    struct devices dev;
    uint32_t fault_count;                     /* may exceed TILE_FAULTS: the first of them are kept */
    uint64_t stopped_at;                      /* cycle of the first stopping fault, NEVER if none */
    uint8_t touched[L1_BYTES >> TOUCH_SHIFT]; /* pages of L1 ever written; the others are zero */
    bool strict;                              /* no core runs ahead any more: one has looked into another */
    bool rendezvous;                        /* an access waits for the next multiple of RENDEZVOUS_GRID to make it so */
    uint8_t breakpoints;                    /* bit per core: the debug interface has breakpoints or watchpoints on */
    uint8_t deadlocked;                     /* deadlock.c: those who have been told to be, as long as they are */
    kerr_fault fault[TILE_FAULTS];          /* fault_list.h */
    overlay overlay;                        /* its pages stay untouched until a stream is used */
    union own_regs own;                     /* of an Ethernet or a DRAM tile; Tensix tiles do not touch it */
    _Alignas(64) struct tensix_files files; /* of a Tensix tile; its pages stay untouched until they are used */

    /* Derived or lent, never saved. */
    const tile_environment *environment;
    noc_port *port; /* where packets come in and go out */
    noc_store *packets;
    struct matrix_cache *matrix;
    kerr_xy at;
    kerr_tile_kind kind;
    uint32_t cores;         /* of core[] and all other arrays by core */
    uint32_t l1_bytes;      /* of l1 */
    struct dram_bank *bank; /* a DRAM tile's, shared with two others; else NULL */
    uint32_t index;
    uint8_t *l1;
    uint8_t *line_flags;
    /* Bit per core: not in reset; of these, parked; of these, all but those parked for good; with a probe begun. */
    uint8_t live, parked, awake, probing;
    uint8_t clocked;        /* bit per core: it was parked up to a cycle that it waited for */
    uint8_t polls_counters; /* of parked: from the first address to the last there are counters of an NIU */
    struct {
        uint32_t first, last;
    } polled[KERR_CORE_COUNT]; /* of a parked core: from the first address that it reads to the last */
    uint8_t pushing;           /* bit per core: it has turns where the coprocessor runs (pusher.c) */
    uint8_t stirred;           /* bit per core: somebody has changed it, and `turns` does not know yet */
    struct turns turns;        /* within tile_run */
    bool attention;            /* a device changed: waiting cores should look */
    uint8_t attention_of;      /* bit per core: which of them */
    uint64_t attention_cycle;
    uint64_t *due;            /* nothing to do before this cycle, packets included; NEVER: nothing at all */
    bool *stopping;           /* of all tiles: set by a fault that stops the chip */
    const noc_packet *served; /* tile_noc_serves */
    uint8_t host;             /* enum host_acts */
    bool attending;
    bool populated; /* files: every page is its own (base/pages.h) */
    bool disturbed; /* in the turn of a core: it may have changed more than itself */
    bool alone;     /* no other tile has anything to do in this window, so it may end where this one sends something */
    uint64_t alone_end;                    /* where that is, NEVER as long as it has sent nothing */
    uint64_t end, furthest;                /* of tile_run */
    uint8_t traced_state[KERR_CORE_COUNT]; /* rv_state that a trace was told last */
    uint8_t storing;                       /* the core whose store in its turn is being done, 0 if none */
    uint8_t stored_by;                     /* the core whose store in its turn was the last, 0 if none, and its cycle */
    uint64_t stored_at;
    bool in_units; /* the coprocessor does its work of a cycle, after the turns of the cores */
    bool in_turn;  /* l1_write is part of the core's present instruction, not of its store queue */
    uint64_t quiet_since[KERR_CORE_COUNT]; /* for parking: no side effect since */
    uint64_t next_try[KERR_CORE_COUNT];
    uint32_t backoff[KERR_CORE_COUNT];
    rv_bus bus[KERR_CORE_COUNT];
    uint32_t generation[KERR_CORE_COUNT];
    tile_watch watch[TILE_WATCHES];
    struct tile_stops stops;
    _Alignas(16) uint8_t probe_space[KERR_CORE_COUNT][RV_PROBE_BYTES];
    rv_lookup lookup[KERR_CORE_COUNT][LOOKUP_ENTRIES];
};

/* The first cycle in which something comes in over the NoC, NEVER if nothing is on its way here. */
static inline uint64_t tile_next_arrival(const struct tile *tile)
{
    const uint64_t packet = noc_queue_next(&tile->port->inbox), ack = noc_queue_next(&tile->port->acks);
    return packet < ack ? packet : ack;
}

/* pusher.c: the core, which has a push to do at its cycle, does it where the coprocessor runs, if that can be. */
void tile_pusher_begin(struct tile *tile, unsigned core);
static inline bool tile_is_pushing(const struct tile *tile, unsigned core)
{
    if (!(tile->pushing >> core & 1))
        return false;
    const uint64_t turn = tile->dev.tensix.thread[core - KERR_CORE_T0].push_turn;
    return turn != 0 && turn <= tile->core[core].t;
}

/* Whether no core runs ahead of the others: one has looked into another and may do so again, or the debug daisychain samples where
 * cores stand.  Nobody is ahead where that begins: the store that does it meets the others (tile_meeting), or the host did it between calls. */
static inline bool tile_is_in_order(const struct tile *tile)
{
    return tile->strict || tile->dev.daisychain.next_sample != 0;
}

static inline bool tag_search_is_on(const struct tile *tile)
{
    const struct tag_search *search = &tile->dev.tag_search;
    return search->search_enable || search->tag_inv_all || search->data_valid_chk;
}

/* What a tile of this kind has; 0 of a kind without cores. */
uint32_t tile_l1_bytes(kerr_tile_kind kind);
/* The memory is zero. l1 has tile_l1_bytes, line_flags one byte per 64 of them. */
void tile_create(struct tile *tile, const tile_environment *environment, uint32_t index, kerr_tile_kind kind,
                 kerr_xy at, uint8_t *l1, uint8_t *line_flags, struct dram_bank *bank, noc_port *port,
                 noc_store *packets, uint64_t *due, bool *stopping);
/* Runs everything with a cycle before `end`; cores may go on up to `limit` with what nobody else sees or changes.  Work
 * of earlier calls is done. */
void tile_run(struct tile *tile, tile_worker *worker, uint64_t end, uint64_t limit);
/* The same while nobody else has anything to do before `end`.  Returns where the window ends: earlier if the tile sent
 * something that others could feel from there on. */
uint64_t tile_run_alone(struct tile *tile, tile_worker *worker, uint64_t start, uint64_t end);
/* The environment's shaking is another one, or is the tile's from now on. */
void tile_note_shake(struct tile *tile);
/* stops.c: `stops` has changed; those before are forgotten.  At cycle `now`, between windows. */
void tile_note_stops(struct tile *tile, uint64_t now);
/* An instruction of a core, or one of its accesses. */
void tile_stop_at_pc(struct tile *tile, unsigned core, uint32_t pc, uint64_t cycle);
void tile_stop_at_access(struct tile *tile, unsigned core, uint32_t address, unsigned size, bool is_store,
                         uint64_t cycle);
/* Whether any stop of the core looks at its instructions; at its accesses. */
bool tile_stops_pc(const struct tile *tile, unsigned core);
bool tile_stops_access(const struct tile *tile, unsigned core);

/* The environment's trace is another one. */
void tile_note_trace(struct tile *tile);
/* After a restore, or when block stores were emptied: derived state is stale. */
void tile_refresh(struct tile *tile, uint64_t now);

/* The chip stops at the first stop point behind this cycle. */
void tile_stop(struct tile *tile, uint64_t cycle);

/* What a request over the NoC finds at an address of this tile. */
typedef enum tile_place { PLACE_NOTHING = 0, PLACE_L1, PLACE_BANK, PLACE_REGISTERS } tile_place;
/* All `size` bytes from `address` on; *local is the address within the place (registers: as the cores see them).
 * stream: a DRAM tile whose NIU is in stream mode (NIU_CFG_0 bit 15 is 0). */
tile_place tile_place_of(const struct tile *tile, uint64_t address, size_t size, bool stream, uint64_t *local);

/* Memory that the host finds at an address: *local is where in L1 or in the bank, *bytes how far it goes from there.
 * PLACE_NOTHING: no memory.  What registers and cores do may change the answer. */
tile_place tile_memory_at(const struct tile *tile, uint64_t address, uint64_t now, uint64_t *local, uint64_t *bytes);
/* As tile_write to L1 (all of it there, size not 0) where nobody polls or watches.  False: somebody does, nothing done. */
bool tile_write_unnoticed(struct tile *tile, uint32_t address, const void *data, unsigned size);

/* The host or NoC side, at cycle `now` with all earlier work done. */
bool tile_peek(const struct tile *tile, uint64_t address, void *data, size_t size, uint64_t now);
bool tile_poke(struct tile *tile, uint64_t address, const void *data, size_t size, uint64_t now);
/* Range check first, then word by word; false: not mapped, nothing done. */
bool tile_read(struct tile *tile, uint64_t address, void *data, size_t size, uint64_t now);
bool tile_write(struct tile *tile, uint64_t address, const void *data, size_t size, uint64_t now);
bool tile_core_peek(const struct tile *tile, unsigned core, uint32_t address, void *data, size_t size, uint64_t now);
bool tile_core_poke(struct tile *tile, unsigned core, uint32_t address, const void *data, size_t size, uint64_t now);

/* The core as it stands at `now`: itself, or, if it is parked, a copy made real in *copy. */
const rv_core *tile_core_view(const struct tile *tile, unsigned core, uint64_t now, rv_core *copy);
/* Wakes a parked core so that its registers may be written. */
void tile_core_wake(struct tile *tile, unsigned core, uint64_t now);

/* Whether counts and positions that came from outside stay within their arrays (restore). */
bool devices_are_sane(const struct devices *dev);

/* Whether any core runs (parked, waiting, halted and held ones do not). */
bool tile_is_idle(const struct tile *tile);

#endif
