/* SPDX-License-Identifier: Apache-2.0 */
/* A baby RISC-V core (manual BlackholeA0/TensixTile/BabyRISCV).
 *
 * The core does not know it sits in a tile: it is handed an rv_bus.  Time: `t` is the cycle in which the
 * next instruction enters EX1.  One instruction enters EX1 per cycle; what delays it is the scoreboard
 * (ready[]), the store queue, the slots for loads in flight, a mispredicted branch, the instruction cache and
 * the retire-order queue.  Costs come from isa/costs.tbl. */
#ifndef KERR_RISCV_CORE_H
#define KERR_RISCV_CORE_H

#include "costs.h"
#include "riscv/fp.h"
#include "riscv/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NEVER UINT64_MAX
#define LOCAL_RAM_BASE 0xFFB00000u /* MEM_LOCAL_BASE */

enum {
    X_SINK = 32,  /* where writes to x0 go */
    READY_F = 33, /* index of f0 in ready[] */
    READY_COUNT = 65,
    STORE_RING = 8, /* entries queued (COST_STORE_QUEUE) or on their way to L1 */
    L0_LINES = 4,
    L0_LINE_BYTES = 16,
    PREDICTOR_ENTRIES = 512, /* estimate: the silicon zones need at least 65 branches at once */
    PREDICT_NOT_TAKEN = 0,
    PREDICT_TAKEN = 1,
    TARGET_ENTRIES = 64, /* estimate */
    LINE_SHIFT = 6,      /* granule of rv_bus.line_flags */
    IC_PENDING = 8,
    TOUCH_SHIFT = 12, /* granule of rv_bus.touched */
};

enum { LINE_CODE = 1, LINE_WATCHED = 2 }; /* rv_bus.line_flags */

/* cfg0, manual CSRs. */
enum {
    CFG0_DIS_LD_BUF_BYP = 1 << 0,
    CFG0_DIS_BP = 1 << 1,
    CFG0_DIS_LOW_CASH = 1 << 3,
    CFG0_PMC_CLR_ON_RD = 1 << 8,
    CFG0_SYNC_ALL_OPS = 1 << 9,
    CFG0_DIS_CSR_SYNC = 1 << 10,
    CFG0_DIS_ST_MERGE = 1 << 12,
    CFG0_ST_MERGE_TIMER_SHIFT = 13,
    CFG0_DIS_TRISC_CACHE = 1 << 18,
    CFG0_DIS_LOW_CACHE_PERIODIC_FLUSH = 1 << 24,
    CFG0_DIS_TT_STATUS_REG = 1 << 29,
};

/* Why a core does not run.  Order matters to nobody. */
typedef enum rv_state {
    RV_IN_RESET = 0,
    RV_RUNNING,
    RV_PARKED,
    RV_WAITING,
    RV_HALTED,
    RV_STOPPED,
} rv_state;

typedef struct store_entry {
    uint64_t last;  /* cycle of the latest store merged into it */
    uint64_t words; /* its bits of store_queue.filter */
    uint64_t emit;  /* cycle in which it leaves the queue; NEVER while it may still merge */
    uint32_t line;  /* L1: address of the 16-byte line; device: the address */
    uint32_t last_address;
    uint16_t mask;  /* L1: bytes present */
    uint8_t device; /* 0: L1, else size of a store to a device */
    uint8_t pad;
    uint16_t late; /* --shake: so many cycles longer on its way to L1 */
    uint8_t pad_to_data[2];
    uint8_t data[16];
    uint32_t pc; /* of a store to a device, for its fault */
    uint8_t pad_to_64[4];
} store_entry;
_Static_assert(sizeof(store_entry) == 64, "indexing is a shift");

/* The four-entry store queue (manual MemoryOrdering, "Mechanical description") plus writes under way. */
typedef struct store_queue {
    store_entry entry[STORE_RING];
    uint32_t head, count;
    bool watched;    /* an entry lies in a line somebody polls */
    bool exact;      /* an entry concerns cached code or a device: the core must stand at the cycle when it comes out */
    bool stuck;      /* the head is a device write that the device does not take yet */
    uint64_t filter; /* lsu_filter_bit of every word with a byte in the queue */
    uint64_t last_visible; /* --shake: when the latest one that is gone came to L1; none behind it comes earlier */
} store_queue;

/* A load whose answer is still awaited from a FIFO or a synchronisation device. */
typedef struct blocked_load {
    bool active;
    uint8_t size;
    uint8_t sign;
    uint8_t rd;
    uint32_t address;
} blocked_load;

typedef struct l0_cache {
    uint32_t tag[L0_LINES]; /* line address + 1, 0 = empty */
    uint8_t data[L0_LINES][L0_LINE_BYTES];
    uint64_t requests; /* event number for the periodic flush */
    uint64_t flush_at; /* number of the request that flushes next */
} l0_cache;

/* The lap of a parked polling loop: what one pass does, and when the first one not accounted for began. */
typedef struct parked_loop {
    uint64_t start;         /* cycle at which the next unaccounted lap starts */
    uint64_t until;         /* from here on the laps may be others; NEVER: they stay the same */
    uint32_t cycles;        /* per lap */
    uint32_t instructions;  /* per lap */
    uint32_t loads;         /* L1 loads per lap that took a slot */
    uint32_t l0_requests;   /* per lap; 0 or 1 */
    bool l0_always_misses;  /* the loop flushes the L0 data cache itself */
    uint32_t l0_miss_extra; /* additional cycles of a lap whose request misses */
    uint32_t gain[32];      /* what each register gains in a lap: it counts, or follows the clock */
    uint32_t watches;
    struct {
        uint32_t address, size;
    } watch[8];
    /* A poll: the word of a register is loaded into rd, `branch` goes back to the load.  The word may change while the
     * loop goes on (rv_poll_change): the load of the first lap gives `first`, those of later ones `value`. */
    bool poll;
    uint8_t rd;
    uint32_t branch, first, value;
} parked_loop;

typedef struct rv_core {
    uint32_t x[33];
    uint32_t pc;
    uint64_t
        t; /* cycle in which the instruction at pc enters EX1, if nothing delays it; of a parked core: park.until */
    uint64_t settled;                               /* max of ready[] */
    uint64_t ready[READY_COUNT];                    /* first cycle in which a consumer may enter EX1 */
    uint64_t load_slot_16[COST_L1_LOADS_IN_FLIGHT]; /* sixteenths: when the slot is free again */
    uint32_t load_count;                            /* L1 loads so far; low bits select the slot */
    uint32_t long_left;       /* instructions that may still enter behind a long load; see long_done */
    uint64_t long_done;       /* when the long load at the head of the retire queue is done; 0: none */
    uint8_t long_writers[33]; /* how many instructions behind the long load write each register */
    uint8_t long_last;        /* what the latest of them writes */
    uint64_t instret;
    uint64_t mcycle_offset; /* mcycle = cycle - this */
    uint64_t instret_offset;
    uint64_t local_ready; /* the local RAM clears itself until then */
    /* The jump to itself that the core came to last, when it issued for the first time and what had retired before: where
     * most programs end.  Tells and changes nothing, and is no part of the hash. */
    struct {
        uint64_t at; /* its pc + 1; 0: none since reset, an interrupt or a new pc */
        uint64_t cycle, instret;
    } end;
    uint8_t state;   /* rv_state */
    uint8_t kind;    /* what it can do: that of this kerr_core of a Tensix tile; E0, E1 and D are like B */
    uint8_t index;   /* in its tile */
    bool sequential; /* the previous instruction was the one before this in memory */
    bool in_interrupt;
    bool interrupt_line;
    bool streaming;       /* a load in the present lap was limited by the slots: not parkable */
    bool single_step;     /* halt after one instruction */
    bool slow_mode;       /* the debug interface's slow execution mode */
    bool never_merges;    /* derived from cfg0 and slow_mode */
    uint8_t merge_cycles; /* derived from them too: how long the rear store waits for another; 1: not at all */
    bool offered;         /* derived: the instruction at pc was tried and must not be announced again */
    bool side_effect;     /* anything but loads from L1 and local RAM since it was cleared */
    uint32_t interrupt_vector;
    uint32_t interrupt_return;
    uint32_t wait_address;
    uint32_t ic_changes; /* instruction cache fills and invalidations: part of block validity */
    uint32_t bp_changes;
    uint32_t local_size; /* bytes */
    blocked_load blocked;
    store_queue stores;
    l0_cache l0;
    parked_loop park;
    uint32_t ic_tag[COST_ICACHE_SETS][COST_ICACHE_WAYS]; /* line number + 1 */
    uint8_t ic_data[COST_ICACHE_SETS][COST_ICACHE_WAYS][COST_ICACHE_LINE_BYTES];
    uint8_t ic_victim[COST_ICACHE_SETS];
    uint32_t ic_pending_count; /* lines that others have written; they go at this core's next shared access */
    struct {
        uint32_t first, last; /* line numbers */
        uint64_t at;          /* cycle of the write */
    } ic_pending[IC_PENDING];
    uint8_t predictor[PREDICTOR_ENTRIES]; /* PREDICT_* */
    uint32_t target_pc[TARGET_ENTRIES], target[TARGET_ENTRIES];
    /* CSRs with storage */
    uint32_t cfg0, pmacfg[2], cfg1, hwa_mask, hwa_cfg, vgsrc;
    uint32_t mcountinhibit, mhpmevent[2];
    uint64_t mhpmcounter[2];
    uint32_t tt_status[10]; /* 0xbc0 .. 0xbc9 */
    uint32_t intp_restore_pc;
    /* --shake: events so far, which number the draws; the next load from L1 is one. */
    uint32_t shaken_stores, shaken_loads, shaken_device_stores, shaken_device_loads;
    bool shake_load;
    rv_fp fp;
    rv_vec vec;
    uint8_t local[8192];
} rv_core;

/* Shared by the cores of a tile: the L1 access ports. */
typedef struct rv_ports {
    uint64_t store_free_16[4];   /* per port, sixteenths */
    uint64_t streaming_until[8]; /* per core */
} rv_ports;

typedef enum bus_result {
    BUS_OK = 0,
    BUS_WAIT,
    BUS_FAULT,
    BUS_QUIET, /* stores: done, and nothing that anybody waits for has changed */
} bus_result;

typedef enum rv_steady {
    STEADY_NOT = 0,    /* a load has a side effect, or may give anything next time */
    STEADY_VALUE,      /* no side effect, and the same value until the tile wakes the core */
    STEADY_CLOCK,      /* the low half of the cycle of issue; otherwise the same until the tile wakes the core */
    STEADY_CLOCK_HIGH, /* the same of the high half */
    STEADY_SAMPLE,     /* the high half as it was at the tile's latest load of the low half */
} rv_steady;

struct rv_block;
struct rv_block_store;

/* One slot of a core's map from pc to block.  Derived, never saved. */
typedef struct rv_lookup {
    uint32_t pc;
    uint32_t generation;
    const struct rv_block *block;
} rv_lookup;
enum { LOOKUP_ENTRIES = 256 };

typedef struct rv_fault {
    int kind; /* kerr_fault_kind */
    uint32_t pc, instruction, address;
    uint64_t cycle;
    const char *manual;
    char text[160];
} rv_fault;

/* rv_bus.access: how. */
enum { RV_LOADS = 1, RV_STORES = 2, RV_FROM_L0 = 4 };

/* What the tile lends to a core for one run. */
struct rv_decoded;
typedef struct rv_bus {
    uint8_t *l1;
    uint32_t l1_size;
    uint32_t vector_first,
        vector_bytes; /* beside L1: devices that vector loads and stores reach too, in turn, without waiting */
    uint32_t max_block;
    uint8_t *line_flags; /* one byte per 64 bytes of L1 */
    uint8_t *touched;    /* one byte per 4 KiB of L1, see rv_touch */
    bool in_turn;        /* a store to a device is part of the core's present instruction, not of its queue */
    bool parks;          /* a poll may be parked as soon as it is seen to be one */
    bool never_parks;    /* every lap is run, for a trace of all of them */
    struct {
        uint32_t pc, address, value;
        uint64_t t;
    } poll; /* the last load from a device that was steady */
    rv_ports *ports;
    /* The line that the core executed last in short turns, and the block from its start on. */
    struct {
        const struct rv_block *block; /* NULL: none */
        uint32_t line, generation;
        uint32_t changes; /* of the core's instruction cache */
    } over;
    uint32_t missing; /* pc + 1 of the line of code that the last turn ended for want of; 0: none */
    /* Instructions that were last found to be pushes, by pc, and what comes behind them, which stays as long as the cache does. */
    struct {
        uint32_t from, end;
        uint32_t changes;
    } row_of_pushes;
    uint32_t *generation; /* of this core's lookups: bumped when code changed */
    rv_lookup *lookup;
    struct rv_block_store *blocks;
    void *owner;
    const bool *attention; /* set by a device access that other cores may be waiting for */
    bool polls;            /* a load from a device found what the one before it had found, at the same place in code */
    bool pushes;           /* the last access that was too early is a push */
    uint64_t push_limit;   /* pushes are in order before this cycle, whatever the limit of what is shared */
    uint64_t seed_place;   /* key of this core's randomness */
    uint64_t seed;
    const struct shake *shake; /* NULL: nothing is shaken */
    uint8_t node;              /* of the tile, for it */
    /* The tile's slow paths.  All cycles are cycles of this core's instruction. */
    bus_result (*load)(void *owner, unsigned core, uint32_t address, unsigned size, uint64_t now, uint32_t *value,
                       unsigned *latency);
    /* What parking may assume of loads from here.  NULL: nothing. */
    rv_steady (*steady)(void *owner, uint32_t address);
    bus_result (*store)(void *owner, unsigned core, uint32_t address, unsigned size, uint32_t value, uint64_t now);
    /* Tensix instructions of this core, pushed without waiting for their turn: the .ttinsn at `ops` and, as long as `most`
     * and the kind of instruction allow it, those behind it.  *now is the cycle of the first, and gets that of the last;
     * `fuses`: those of one line of the instruction cache go in one cycle.  *limit gets the cycle from which on the core must
     * wait its turn to touch what is shared.  Returns how many were taken.  NULL: none ever is. */
    unsigned (*push)(void *owner, unsigned core, const struct rv_decoded *ops, unsigned most, bool fuses, uint64_t *now,
                     uint64_t *limit);
    void (*l1_write)(void *owner, int core, uint32_t address, const void *data, unsigned size, uint64_t now);
    void (*l1_write_in_turn)(void *owner, int core, uint32_t address, const void *data, unsigned size, uint64_t now);
    bool (*tag_search)(void *owner, uint32_t address, uint64_t now, uint32_t *value);
    /* A handler was entered (true) or left by mret. */
    void (*interrupt)(void *owner, unsigned core, bool entered, uint64_t now);
    void (*ebreak)(void *owner, unsigned core, uint64_t now);
    void (*fault)(void *owner, unsigned core, const rv_fault *fault);
    /* A word to a register that only keeps it, and nobody waits for: true if it was one.  A short cut beside `store`. */
    bool (*keep)(void *owner, uint32_t address, uint32_t value);
    /* NULL unless somebody checks (check/hooks.h): loads, stores and atomics of L1 and the own local RAM, when they are done;
     * the entry into straight-line code. */
    void (*access)(void *owner, unsigned core, uint32_t instruction, uint32_t address, unsigned size, unsigned how,
                   uint64_t now);
    void (*enters)(void *owner, unsigned core, uint32_t pc, uint64_t now);
    /* NULL unless somebody listens. */
    void (*trace)(void *owner, unsigned core, uint32_t pc, uint32_t instruction, uint64_t now);
    void (*breakpoint)(void *owner, unsigned core, uint32_t pc, uint64_t now);
    void (*watchpoint)(void *owner, unsigned core, uint32_t address, unsigned size, bool is_store, uint64_t now);
} rv_bus;

/* With every write to this page of L1. */
static inline void rv_touch(const rv_bus *bus, uint32_t page)
{
    bus->touched[page] = 1;
}

typedef enum rv_exit {
    RV_EXIT_LIMIT,  /* t >= limit */
    RV_EXIT_SHARED, /* the next instruction touches something shared at t >= shared_limit */
    RV_EXIT_STATE,  /* the core is no longer RV_RUNNING */
    RV_EXIT_EVENT,  /* the tile should look: something another actor may see was done */
} rv_exit;

/* Runs a RV_RUNNING core: instructions that enter EX1 before `limit`, of those that touch L1 or devices only the ones before
 * `shared_limit` (<= limit). */
rv_exit rv_run(rv_core *core, rv_bus *bus, uint64_t limit, uint64_t shared_limit);

void rv_core_power_on(rv_core *core, unsigned kind, unsigned index);
/* Leaves reset at pc.  Registers are cleared, local RAM too unless it is kept (DISABLE_RESET). */
void rv_core_release(rv_core *core, uint32_t pc, bool keep_local, uint64_t cycle);

/* Store queue (lsu.c).  Applies what has become visible by `now`; next_visible is a lower bound. */
void rv_drain(rv_core *core, rv_bus *bus, uint64_t now);
/* Whether all that is in the queue are pushes to the coprocessor. */
bool rv_only_pushes(const rv_core *core);
static inline uint64_t rv_next_visible(const rv_core *core)
{
    const store_queue *q = &core->stores;
    if (q->count == 0 || q->stuck) {
        return UINT64_MAX;
    }
    const store_entry *e = &q->entry[q->head];
    if (e->emit == UINT64_MAX) {
        return e->last + core->merge_cycles + COST_STORE_VISIBLE + e->late;
    }
    return e->device ? e->emit : e->emit + COST_STORE_VISIBLE + e->late;
}
/* A waiting load whose device has something now. */
void rv_complete_blocked(rv_core *core, uint32_t value, uint64_t now);

/* Sets cfg0 and what follows from it. */
void rv_set_cfg0(rv_core *core, uint32_t value);
void rv_set_slow_mode(rv_core *core, bool on);
/* CSRs (csr.c).  False: no such CSR. */
bool rv_csr_read(const rv_core *core, uint32_t number, uint64_t now, uint32_t *value);
bool rv_csr_write(rv_core *core, uint32_t number, uint64_t now, uint32_t value);
/* What reading does besides (PmcClrOnRd). */
void rv_csr_read_effect(rv_core *core, uint32_t number);

/* Parking (park.c).  A probe watches one lap of a loop; it lives across runs and is derived state. */
typedef struct rv_probe rv_probe;
typedef enum rv_park_result {
    RV_PARK_GOING_ON, /* the shared limit or the limit cut the lap: call again */
    RV_PARK_NO,       /* not a loop that can be parked */
    RV_PARK_DONE,     /* the core is RV_PARKED; core->park says what it reads and until when, core->t too */
} rv_park_result;
enum { RV_PROBE_BYTES = 1536 }; /* room for one */
void rv_probe_cancel(rv_probe *probe);
/* Runs the core (for real) under watch. */
rv_park_result rv_park_step(rv_core *core, rv_bus *bus, rv_probe *probe, uint64_t limit, uint64_t shared_limit);
/* Makes cycle `now`, at most park.until, of a parked core real and lets it run.  Memory must still be as the loop
 * knows it. */
void rv_unpark(rv_core *core, rv_bus *bus, uint64_t now);
/* A load of a word from a device's steady register is about to give `value` at core->pc: true if the core has been found
 * in a poll and is parked instead, the load not done. */
bool rv_poll_begins(rv_core *core, rv_bus *bus, unsigned rd, uint32_t address, uint32_t value, unsigned latency,
                    uint64_t now);
/* What a parked core polls becomes `value` at cycle `now`.  False: that is not a poll, or it ends it; nothing done. */
bool rv_poll_change(rv_core *core, uint32_t value, uint64_t now);
/* True if the parked core reads any of these bytes of L1. */
bool rv_park_reads(const rv_core *core, uint32_t address, uint32_t size);

/* Instruction cache (icache.c). */
bool rv_icache_holds(const rv_core *core, uint32_t first_line, uint32_t last_line);
/* Lines first .. last are dropped now. */
void rv_icache_drop(rv_core *core, uint32_t first_line, uint32_t last_line);
/* ... at this core's first shared access at or after `at`: it may have run ahead of that cycle already. */
void rv_icache_drop_later(rv_core *core, uint32_t first_line, uint32_t last_line, uint64_t at);

#endif
