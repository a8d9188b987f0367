/* SPDX-License-Identifier: Apache-2.0 */
/* Kerr: a Tenstorrent Blackhole in software.  The whole public API.
 *
 * A chip is an opaque handle; there is no global state, and several chips may live in one process.
 * Every call returns a kerr_status; nothing prints, nothing ends the process.  What a guest program
 * does wrong is a kerr_fault, kept as data; what the embedder does wrong is a status.
 *
 * Calls on one chip must not overlap in time.  Calls on different chips are independent.
 * Time is counted in AI-clock cycles (1.35 GHz) since the last reset of the chip.
 *
 * Two ways to look at a tile:
 *   peek / poke   what a debugger does: nothing else changes, no time passes, no FIFO is popped;
 *   read / write  what the hardware does when a request arrives over the NoC, side effects included.
 */
#ifndef KERR_H
#define KERR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KERR_VERSION_MAJOR 0
#define KERR_VERSION_MINOR 1
#define KERR_VERSION_PATCH 0

typedef struct kerr_chip kerr_chip;

typedef enum kerr_status {
    KERR_OK = 0,
    KERR_FAULTED,      /* a fault stopped the chip: see kerr_fault_get; memory stays readable */
    KERR_BAD_ARGUMENT, /* a null pointer, a number out of range */
    KERR_BAD_TILE,     /* no such tile, or not of the kind the call needs */
    KERR_BAD_ADDRESS,  /* the range is not (wholly) mapped in that tile */
    KERR_BAD_STATE,    /* the call does not fit now (for example from inside a hook) */
    KERR_BAD_SNAPSHOT, /* kerr_restore: not a snapshot, another version, or cut short */
    KERR_NO_MEMORY,
    KERR_IO,       /* the caller's write or read function said no */
    KERR_BAD_TEXT, /* kerr_assemble_tensix: the text is no instruction */
} kerr_status;

/* A short English sentence for a status; never NULL. */
const char *kerr_status_text(kerr_status status);
/* "0.1.0" */
const char *kerr_version(void);

/* ---- Tiles and cores -------------------------------------------------------------------- */

/* NoC 0 coordinates: x 0..16, y 0..11. */
typedef struct kerr_xy {
    uint8_t x, y;
} kerr_xy;

enum {
    KERR_GRID_X = 17,
    KERR_GRID_Y = 12,
    KERR_TENSIX_TILES = 140,
    KERR_ETH_TILES = 14,
    KERR_DRAM_TILES = 24,
    KERR_TILES = KERR_TENSIX_TILES + KERR_ETH_TILES + KERR_DRAM_TILES, /* with cores */
    KERR_DRAM_BANKS = 8
};

typedef enum kerr_tile_kind {
    KERR_TILE_NONE = 0, /* a router without an endpoint that we model */
    KERR_TILE_TENSIX,
    KERR_TILE_ETH,
    KERR_TILE_DRAM,
    KERR_TILE_PCIE,
    KERR_TILE_ARC,
    KERR_TILE_L2CPU,
    KERR_TILE_SECURITY,
} kerr_tile_kind;

kerr_tile_kind kerr_tile_kind_at(kerr_xy at);
/* The i-th Tensix tile, 0 <= i < KERR_TENSIX_TILES, row by row (y, then x). */
kerr_xy kerr_tensix_xy(uint32_t i);
/* The i-th Ethernet tile by x, 0 <= i < KERR_ETH_TILES; the i-th DRAM tile, column x = 0 first, by y. */
kerr_xy kerr_eth_xy(uint32_t i);
kerr_xy kerr_dram_xy(uint32_t i);
/* Baby cores in a tile of this kind: 5 Tensix, 2 Ethernet, 1 DRAM, else 0. */
uint32_t kerr_tile_cores(kerr_tile_kind kind);

/* What of a chip is switched off, as its fuses and the board's settings say.  A bit that is set is a tile that is off:
 * calls that name it return KERR_BAD_TILE, NoC requests to it are faults, translated coordinates go round it. */
typedef struct kerr_harvesting {
    uint16_t tensix_columns; /* bit i: column NoC 0 x = 1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10; at most 7 */
    uint16_t eth;            /* bit i: the Ethernet tile at that x */
    uint8_t dram;            /* bit i: bank i; at most one */
    uint8_t l2cpu;           /* bit i: 8-3, 8-9, 8-5, 8-7 */
    uint8_t pcie;            /* which PCI Express tile the host is on: 0 is 2-0, 1 is 11-0 */
    uint8_t reserved;
} kerr_harvesting;

typedef enum kerr_product {
    KERR_P150 = 0,    /* 140 Tensix tiles, 8 DRAM banks, 12 Ethernet tiles (not 5 and 8), host on 2-0 */
    KERR_P100,        /* 120 (not NoC 0 columns 15 and 16), 7 (not bank 7), none, host on 11-0 */
    KERR_UNHARVESTED, /* everything; translated coordinates reach 12 of the 14 Ethernet tiles, as on p150 */
} kerr_product;
/* KERR_BAD_ARGUMENT for an unknown product. */
kerr_status kerr_harvesting_of(kerr_product product, kerr_harvesting *harvesting);
/* "p150", "p100" or "full", then any of ",tensix=MASK" ",eth=MASK" ",dram=MASK" ",l2cpu=MASK" ",pcie=0|1". */
bool kerr_harvesting_by_name(const char *name, kerr_harvesting *harvesting);

/* The baby cores of a Tensix tile, then those of an Ethernet and a DRAM tile.  The order is also the order at equal
 * cycles. */
typedef enum kerr_core {
    KERR_CORE_B = 0, /* the firmware's BRISC */
    KERR_CORE_T0,    /* TRISC0 */
    KERR_CORE_T1,    /* TRISC1 */
    KERR_CORE_T2,    /* TRISC2 */
    KERR_CORE_NC,    /* NCRISC */
    KERR_CORE_COUNT,
    KERR_CORE_E0 = 0, /* ERISC0 */
    KERR_CORE_E1 = 1, /* ERISC1 */
    KERR_CORE_D = 0,  /* DRISC */
} kerr_core;

/* "B", "T0", ...; accepts the firmware's names too in kerr_core_by_name (returns false if unknown). */
const char *kerr_core_name(kerr_core core);
bool kerr_core_by_name(const char *name, kerr_core *core);
/* The same for a core of any tile: "E0", "E1", "D" too; "?" if that tile has none such. */
const char *kerr_core_name_of(kerr_tile_kind kind, kerr_core core);

/* ---- Faults ------------------------------------------------------------------------------ */

/* Raised today: all but TIMEOUT.  OPEN: nothing raises TIMEOUT yet.  HAZARD is ignored unless kerr_set_policy says
 * otherwise: the hardware goes on, with the old value.  It is raised by the Vector Unit's missed interlocks and by UNPACR_NOP
 * beside ZEROSRC.  DEADLOCK is raised within a Tensix tile, one for each Tensix thread and core that waits for good; it is looked for
 * whenever the cycle is a multiple of 4096, and `cycle` is the one before. */
typedef enum kerr_fault_kind {
    KERR_FAULT_UNDEFINED = 0, /* the documents call it undefined: the kernel's author must act */
    KERR_FAULT_UNPREDICTABLE, /* defined to have one of several outcomes */
    KERR_FAULT_UNIMPLEMENTED, /* Kerr does not model it yet */
    KERR_FAULT_UNKNOWN,       /* nobody has documented it */
    KERR_FAULT_HAZARD,        /* a race that the hardware does not protect */
    KERR_FAULT_DEADLOCK,      /* it waits for what only others who wait could give */
    KERR_FAULT_TIMEOUT,
    KERR_FAULT_INTERNAL, /* a bug of ours */
    KERR_FAULT_KINDS
} kerr_fault_kind;

typedef enum kerr_policy {
    KERR_POLICY_STOP = 0, /* record, freeze the core at once and the chip at its next stop point */
    KERR_POLICY_GO_ON,    /* record; the chip goes on, the core too if it is known how, else it stays stopped */
    KERR_POLICY_IGNORE,   /* as GO_ON without the record */
} kerr_policy;

/* The host did it.  What it only reads never stops the chip, whatever the policy: such a fault is a note, recorded once. */
enum kerr_asker { KERR_ASKER_HOST = 127, KERR_ASKER_HOST_READ = 126 };

typedef struct kerr_fault {
    kerr_fault_kind kind;
    bool stopping; /* this one stopped the chip */
    kerr_xy tile;
    int8_t core;    /* kerr_core, or -1: not from a baby core; of a Tensix instruction, who pushed it */
    uint8_t thread; /* 1 + Tensix thread if it is a Tensix instruction, else 0 */
    uint8_t
        asker : 7; /* if core < 0: 1 + kerr_core that asked for the NoC request to blame, or kerr_asker; 0: neither */
    uint8_t asker_noc : 1;
    kerr_xy asker_tile;
    uint32_t pc;          /* of the instruction, or of the push of a Tensix instruction; the asker's; else 0 */
    uint32_t instruction; /* its word, 0 if unknown */
    uint32_t address;     /* the memory address concerned, 0 if none */
    uint64_t cycle;
    const char *manual; /* the page that says so, or NULL */
    char text[160];     /* one sentence, with the offending values */
} kerr_fault;

const char *kerr_fault_kind_name(kerr_fault_kind kind);
/* Faults recorded since the last reset, in order of cycle, tile, core.  Kept are the first 256 of a tile and 4096 in all. */
kerr_status kerr_fault_count(const kerr_chip *chip, uint32_t *count);
kerr_status kerr_fault_get(const kerr_chip *chip, uint32_t index, kerr_fault *fault);
kerr_status kerr_set_policy(kerr_chip *chip, kerr_fault_kind kind, kerr_policy policy);
/* One line for people: tile, core, cycle, instruction, text, page.  Returns the length it would need. */
size_t kerr_fault_format(const kerr_fault *fault, char *buffer, size_t size);

/* ---- Life of a chip ---------------------------------------------------------------------- */

/* threads, window_cycles, max_block, no_parking and without change speed, never results. */
typedef struct kerr_config {
    uint32_t struct_size;   /* sizeof(kerr_config), set by kerr_config_init */
    uint32_t threads;       /* worker threads, up to 64; 0 = KERR_THREADS (1 to 64, else KERR_BAD_ARGUMENT) or what
                             * the machine offers, at most 8 */
    uint64_t seed;          /* of everything the hardware leaves to chance */
    uint32_t window_cycles; /* longest run between barriers; 0 = the longest allowed, more is refused */
    uint32_t max_block;     /* instructions decoded into one block, up to 64; 0 = default, 1 = the plain path */
    bool no_parking;        /* run every polling loop for real (for tests; slow) */
    bool reserved[3];
    uint32_t without; /* fast mechanisms that are off, besides those of KERR_FAST: bits of kerr_fast_at */
    kerr_policy policy[KERR_FAULT_KINDS]; /* kerr_config_init: STOP, but IGNORE for HAZARD */
    kerr_harvesting harvesting;           /* kerr_config_init: KERR_UNHARVESTED, all zero */
    uint64_t shake;                       /* seed of shaken timing, see kerr_set_shake; 0: none */
} kerr_config;

void kerr_config_init(kerr_config *config);
/* config may be NULL.  All cores are in reset, memory is zero but for what firmware of Ethernet tiles leaves there. */
kerr_status kerr_create(const kerr_config *config, kerr_chip **chip);
void kerr_destroy(kerr_chip *chip);
/* As after kerr_create; hooks, watches, policies and host memory stay. */
kerr_status kerr_reset(kerr_chip *chip);
/* How many worker threads it has. */
kerr_status kerr_threads(const kerr_chip *chip, uint32_t *threads);
/* Whether there is a tile (kerr_tile_kind_at) and it is not switched off. */
bool kerr_tile_is_on(const kerr_chip *chip, kerr_xy at);

/* ---- Memory ------------------------------------------------------------------------------ */

/* Addresses are the tile's, as the NoC sees them: L1 from 0, registers at 0xFFB1_0000 and up.  DRAM tiles: the bank from 0
 * (three tiles show the same one), the tile's own L1 at 0x20_0000_0000, registers at 0x100_FFB1_0000 and up.
 * KERR_BAD_ADDRESS leaves memory unchanged. */
kerr_status kerr_peek(const kerr_chip *chip, kerr_xy at, uint64_t address, void *data, size_t size);
kerr_status kerr_poke(kerr_chip *chip, kerr_xy at, uint64_t address, const void *data, size_t size);
/* As a request over the NoC would, at the present cycle.  Registers take 4-byte aligned words, one after the other: if
 * one raises a fault, those before it are done.  PCI Express, ARC, L2CPU and security tiles and bare routers answer too,
 * as NoC 0 sees them; a write to what is not modelled there is a fault and KERR_FAULTED (or lost, if the policy goes on).
 * A read never stops the chip: what is a fault gives zero, of a node without cores all ones, KERR_OK, and a note among
 * the faults (kerr_asker). */
kerr_status kerr_read(kerr_chip *chip, kerr_xy at, uint64_t address, void *data, size_t size);
kerr_status kerr_write(kerr_chip *chip, kerr_xy at, uint64_t address, const void *data, size_t size);
/* Memory as one core sees it (its local RAM at 0xFFB0_0000 included), without side effects. */
kerr_status kerr_core_peek(const kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t address, void *data,
                           size_t size);
kerr_status kerr_core_poke(kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t address, const void *data,
                           size_t size);

/* The bytes of memory themselves, to look at without a copy: from `address` (as for kerr_peek) to the end of the L1 or the DRAM
 * bank, *size of them.  The pointer stays good until kerr_destroy, and shows between calls what kerr_peek would.  Do not write there:
 * nobody would notice. */
kerr_status kerr_memory_view(const kerr_chip *chip, kerr_xy at, uint64_t address, const uint8_t **bytes,
                             uint64_t *size);

/* Host memory, which NoC requests to the PCI Express tile reach (through its outbound iATU).  The functions are called
 * on the thread that is inside a kerr_ call on this chip, between windows, and must not call back; NULL: none, and a
 * request that needs it is a fault. */
typedef void (*kerr_host_read_fn)(void *context, uint64_t address, void *data, size_t size);
typedef void (*kerr_host_write_fn)(void *context, uint64_t address, const void *data, size_t size);
kerr_status kerr_set_host_memory(kerr_chip *chip, kerr_host_read_fn read, kerr_host_write_fn write, void *context);

/* One piece of a program.  data may be NULL with file size 0 (zeroes). */
typedef struct kerr_segment {
    uint32_t address;
    uint32_t memory_size;
    uint32_t file_size;
    const void *data;
} kerr_segment;
/* All or nothing: checks every segment (mapped, not overlapping) before it writes the first. Addresses
 * are the core's own, so that .data may go to its local RAM.  Local RAM is cleared when a core leaves
 * reset, as on the chip: start-up code must copy what it wants there, or the core must already run. */
kerr_status kerr_load(kerr_chip *chip, kerr_xy at, kerr_core core, const kerr_segment *segments, size_t count);

/* ---- Cores ------------------------------------------------------------------------------- */

typedef enum kerr_core_state {
    KERR_CORE_IN_RESET = 0,
    KERR_CORE_RUNNING,
    KERR_CORE_PARKED,  /* runs, but only polls what does not change; or it counts or waits for the clock: when that is
                       * noticed depends on the calls */
    KERR_CORE_WAITING, /* a load or store waits for a FIFO or a synchronisation device */
    KERR_CORE_HALTED,  /* by the debug interface or ebreak */
    KERR_CORE_STOPPED, /* by a fault */
} kerr_core_state;

typedef struct kerr_core_info {
    kerr_core_state state;
    uint32_t pc;
    uint64_t cycles;       /* mcycle */
    uint64_t instructions; /* minstret */
    uint32_t
        wait_address; /* what a WAITING core waits for, or a PARKED one polls; of the latter 0 if that is no one place */
    bool wait_is_store;
    bool reserved[3];
} kerr_core_info;
kerr_status kerr_core_query(const kerr_chip *chip, kerr_xy at, kerr_core core, kerr_core_info *info);

/* Register numbers for get and set. */
enum {
    KERR_REG_X = 0,  /* + 0..31 */
    KERR_REG_F = 32, /* + 0..31 */
    KERR_REG_PC = 64,
    KERR_REG_CSR = 0x1000, /* + CSR number 0..0xFFF */
    KERR_REG_V = 0x2000,   /* + 4 * vector register + 32-bit word 0..3; T2 only */
};
kerr_status kerr_reg_get(const kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t reg, uint32_t *value);
kerr_status kerr_reg_set(kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t reg, uint32_t value);

/* Holds a core in reset, or lets it go at pc (this sets the reset PC override registers and the soft
 * reset bit, as a host would do through 0xFFB121B0).  RISCV B has no such register: its pc is set directly. */
kerr_status kerr_core_reset(kerr_chip *chip, kerr_xy at, kerr_core core, bool in_reset);
kerr_status kerr_core_start(kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t pc);

/* ---- Time -------------------------------------------------------------------------------- */

kerr_status kerr_cycle(const kerr_chip *chip, uint64_t *cycle);
/* Exactly n cycles, or fewer with KERR_FAULTED.  run(a), run(b) equals run(a + b).  Once a stopping fault is on record
 * calls return KERR_FAULTED; the chip still runs up to its stop point, which does not depend on the calls. */
kerr_status kerr_run(kerr_chip *chip, uint64_t cycles);

typedef enum kerr_until_kind {
    KERR_UNTIL_WORD_EQ = 0, /* (word at address & mask) == value */
    KERR_UNTIL_WORD_NE,
    KERR_UNTIL_CORE_STATE, /* core's state == value */
    KERR_UNTIL_IDLE,       /* nothing can advance by itself any more: kerr_end_query says finished, or hung */
} kerr_until_kind;

typedef struct kerr_until {
    kerr_until_kind kind;
    kerr_xy at;
    kerr_core core;
    uint32_t address, mask, value;
    uint32_t every; /* looked at whenever the cycle is a multiple of this; 0 = 1024 */
} kerr_until;
/* Runs until the condition holds, max_cycles have passed, or nothing can advance by itself any more, so that it would be waited for in
 * vain.  *reached: the condition holds.  A word of the host's or a register that only time changes is not waited for by then. */
kerr_status kerr_run_until(kerr_chip *chip, const kerr_until *until, uint64_t max_cycles, bool *reached);

/* For hosts that have to listen meanwhile: kerr_run and kerr_run_until come back early, with KERR_OK and *reached false, at the first
 * cycle between windows after so much time of the machine's clock; 0, as at first: they do not.  Called again with what is left of
 * their cycles they end as they would have ended in one call, run_until if `every` is the same.  Once a stopping fault is on record
 * nothing is cut, so that the stop point is reached.  No part of a snapshot; stays over kerr_reset. */
kerr_status kerr_set_slice(kerr_chip *chip, uint64_t nanoseconds);
/* From within a hook: the call that is running comes back as if its time were over now. */
kerr_status kerr_cut(kerr_chip *chip);
/* Whether the last kerr_run or kerr_run_until came back early for either. */
bool kerr_was_cut(const kerr_chip *chip);

/* ---- How it ends -------------------------------------------------------------------------- */

/* A program says where it may stay for good: at the end of main, or in a loop in which it waits for work.  Where it says so is told by
 * kerr_set_ends; of a core of which nothing is told a jump to itself is the end, for it reads nothing and nobody can end it. */

/* Instructions from `first` on, `size` bytes. */
typedef struct kerr_code {
    uint32_t first, size;
} kerr_code;
enum { KERR_ENDS_MAX = 32 };
/* Of this core, instead of those before; they stay over kerr_reset and kerr_restore, and are no part of a snapshot. */
kerr_status kerr_set_ends(kerr_chip *chip, kerr_xy at, kerr_core core, const kerr_code *ends, size_t count);

/* Where a core stands. */
typedef enum kerr_stand {
    KERR_STANDS_OFF = 0,  /* in reset */
    KERR_STANDS_GOING_ON, /* it does something, or time will let it: a loop that counts or reads the clock too */
    KERR_STANDS_ENDED,    /* at its end, a jump to itself */
    KERR_STANDS_IDLE,     /* in a loop of kerr_set_ends */
    KERR_STANDS_POLLING,  /* in a loop that ends only when something it reads changes */
    KERR_STANDS_WAITING,  /* a load or store waits for a FIFO or a synchronisation device */
    KERR_STANDS_LOOPING,  /* in a loop that reads nothing and that is no end of its program */
    KERR_STANDS_HALTED,   /* by the debug interface or ebreak */
    KERR_STANDS_STOPPED,  /* by a fault */
} kerr_stand;
/* "off", "going on", "ended", "idle", "polling", "waiting", "looping", "halted", "stopped" */
const char *kerr_stand_name(kerr_stand stand);

typedef struct kerr_core_end {
    kerr_stand stand;
    uint32_t pc;
    uint64_t cycle;        /* ENDED: in which it came to its end; else the present one */
    uint64_t instructions; /* minstret; ENDED: of the end loop none are counted */
} kerr_core_end;
kerr_status kerr_core_end_query(const kerr_chip *chip, kerr_xy at, kerr_core core, kerr_core_end *end);

typedef enum kerr_verdict {
    KERR_VERDICT_GOES_ON = 0, /* something can still advance by itself */
    KERR_VERDICT_FINISHED, /* every core that is not in reset is ENDED or IDLE, and nothing is left in coprocessors and NoC */
    KERR_VERDICT_HUNG,    /* nothing can advance, and a core or an instruction of a coprocessor is not finished */
    KERR_VERDICT_FAULTED, /* a fault or a finding stopped the chip */
} kerr_verdict;
/* "goes on", "finished", "hung", "faulted" */
const char *kerr_verdict_name(kerr_verdict verdict);

typedef struct kerr_end {
    kerr_verdict verdict;
    uint32_t cores;    /* not in reset */
    uint32_t finished; /* of these */
    uint32_t threads;  /* Tensix threads with an instruction that stands at the gate for good; HUNG */
    uint64_t cycle; /* FINISHED: in which the last core came to its end, if they have all ended; else the present one */
    uint64_t instructions; /* of all cores, as in kerr_core_end */
} kerr_end;
/* What is told is the same whoever watches: it does not depend on threads, windows, parking, traces, checks and how calls are cut.
 * A host can always write more: the verdict is about what happens if it does not. */
kerr_status kerr_end_query(const kerr_chip *chip, kerr_end *end);

/* Tensix tiles that hang, of a chip whose host is about to go: it writes no more, and what waits now waits for good.  A core that polls
 * memory or registers waits for its host, as firmware does that has no more work; but not one that tt-metal has told to run a kernel
 * (kerr_core_has_kernel).  0 if something can advance. */
kerr_status kerr_left_hanging(const kerr_chip *chip, uint32_t *tiles);

/* What a chip does that nobody touches, for those who wait for it and want to know whether it is in vain. */
enum { KERR_NOT_ALONE = 0xFFFF };
typedef struct kerr_rest {
    uint64_t until; /* nothing happens before this cycle */
    /* Tiles that have something to do within `cycles`, if that is one core in each, which gives neither its coprocessor nor the NoC
     * anything to do; KERR_NOT_ALONE: more goes on. */
    uint32_t alone;
    uint32_t reserved;
    uint64_t
        deeds; /* not KERR_NOT_ALONE: what was asked of the NoC and of coprocessors since power-on; as long as they are alone it stays */
} kerr_rest;
kerr_status kerr_rest_query(const kerr_chip *chip, uint64_t cycles, kerr_rest *rest);

/* ---- Snapshots --------------------------------------------------------------------------- */

/* The caller's stream.  Returns false to give up. */
typedef bool (*kerr_write_fn)(void *context, const void *data, size_t size);
typedef bool (*kerr_read_fn)(void *context, void *data, size_t size);
kerr_status kerr_save(const kerr_chip *chip, kerr_write_fn write, void *context);
/* The same without what is in DRAM: the banks of a chip that is restored from it are empty. */
kerr_status kerr_save_without_dram(const kerr_chip *chip, kerr_write_fn write, void *context);
/* Takes snapshots of builds with the same state layout; seed and harvesting come with them, policies, hooks,
 * watches and host memory stay.
 * On any status but KERR_OK the chip is unchanged, except that checks begin anew and no stops are set. */
kerr_status kerr_restore(kerr_chip *chip, kerr_read_fn read, void *context);
/* The same for a snapshot that is known to be good, as one of this very chip: quicker, since nothing is kept to go back to.  On any
 * other status but KERR_BAD_ARGUMENT and KERR_BAD_STATE the chip is as after kerr_reset. */
kerr_status kerr_rewind(kerr_chip *chip, kerr_read_fn read, void *context);
/* A hash over all state that can make a difference later, the present cycle and the recorded faults. */
kerr_status kerr_hash(const kerr_chip *chip, uint64_t *hash);

/* ---- Instructions as text ------------------------------------------------------------------ */

/* Long enough for every instruction. */
enum { KERR_INSTRUCTION_TEXT_MAX = 320 };
/* "STALLWAIT BlockMask=0x40, ConditionMask=2": a name and the fields that are not zero, as docs/isa.md has them; reserved
 * bits that are set as reserved=BITS.  False if the opcode does not exist; then ".word 0x...". */
bool kerr_disassemble_tensix(uint32_t word, char *buffer, size_t size);
/* An instruction of a baby core at pc, as objdump -M no-aliases spells it; .ttinsn WORD for one that pushes a Tensix
 * instruction.  False if no baby core has it; then ".word 0x...". */
bool kerr_disassemble_riscv(uint32_t instruction, uint32_t pc, char *buffer, size_t size);
/* Whether a baby core would push a Tensix instruction, and which (word may be NULL). */
bool kerr_is_ttinsn(uint32_t instruction, uint32_t *word);

typedef struct kerr_text_error {
    uint32_t column; /* from 1 */
    char text[160];
} kerr_text_error;
/* The inverse of kerr_disassemble_tensix.  Fields in any order, missing ones are zero; numbers decimal or 0x hexadecimal,
 * negative for signed fields; ".word NUMBER" for any word.  KERR_BAD_TEXT fills *error (which may be NULL). */
kerr_status kerr_assemble_tensix(const char *text, uint32_t *word, kerr_text_error *error);

/* The Tensix instructions, 0 <= op < count, in order of opcodes; NULL past the end. */
uint32_t kerr_tensix_op_count(void);
const char *kerr_tensix_op_name(uint32_t op);
/* "sync", "scalar", "config", "mover", "misc", "unpack", "matrix", "vector", "pack" or "frontend". */
const char *kerr_tensix_op_unit(uint32_t op);
/* How often the units of a tile have taken it since power-on; those of the front end come to no unit. */
kerr_status kerr_tensix_op_ran(const kerr_chip *chip, kerr_xy at, uint32_t op, uint64_t *times);

/* ---- Data registers of the Tensix coprocessor ----------------------------------------------- */

/* A register file and how its bits are read: those of a number stand in an order of their own there, and come out in that
 * of the format, in the low bits of each value. */
typedef enum kerr_data_file {
    KERR_SRCA, /* 128 rows, 64 a bank: sign, eight bits of exponent, ten of mantissa; FP16 uses five of exponent */
    KERR_SRCB,
    KERR_DST_BF16, /* 1024 rows of 16 bits */
    KERR_DST_FP16,
    KERR_DST_RAW16, /* as they stand: integers */
    KERR_DST_FP32,  /* 512 rows of 32 bits: FP32, and TF32 with zeros below */
    KERR_DST_RAW32, /* as they stand */
} kerr_data_file;
enum { KERR_DATA_COLUMNS = 16 };
/* One row, addressed as the Matrix Unit addresses it now (DEST_ACCESS_CFG of configuration bank 0); a row of Dst that is not
 * valid reads as zeros.  KERR_BAD_ADDRESS: no such row. */
kerr_status kerr_data_row(const kerr_chip *chip, kerr_xy at, kerr_data_file file, uint32_t row,
                          uint32_t values[KERR_DATA_COLUMNS]);

/* ---- State by name -------------------------------------------------------------------------- */

/* What an access goes to; address and size of kerr_access are bytes, rows, registers or words of it. */
typedef enum kerr_space {
    KERR_SPACE_L1 = 0,
    KERR_SPACE_DST,  /* rows of DstBits */
    KERR_SPACE_SRCA, /* rows, 64 a bank */
    KERR_SPACE_SRCB,
    KERR_SPACE_GPR,       /* 64 a thread */
    KERR_SPACE_CONFIG,    /* 256 a bank, then 256 of each thread's ThreadConfig */
    KERR_SPACE_SEMAPHORE, /* 0 to 7: posted, taken or set up; each a write */
    KERR_SPACES
} kerr_space;

typedef enum kerr_state_kind {
    KERR_STATE_NUMBER = 0,
    KERR_STATE_TENSIX, /* a Tensix instruction */
    KERR_STATE_CYCLE,
    KERR_STATE_ADDRESS,
} kerr_state_kind;
typedef struct kerr_state_item {
    const char *group; /* "core B", "Tensix T0", "Config 0", "NoC 1", ... */
    char name[80];     /* as the hardware's documents have it */
    uint64_t value;
    uint8_t bits; /* wide at most */
    uint8_t kind; /* kerr_state_kind */
    bool has_place;
    uint8_t space; /* has_place: kerr_space and address, as a trace tells of accesses to it */
    uint32_t address;
} kerr_state_item;
typedef void (*kerr_state_fn)(void *context, const kerr_state_item *item);
enum {
    KERR_STATE_PLAIN = 1, /* registers, configuration, queues, counters */
    KERR_STATE_FILES = 2, /* SrcA, SrcB, Dst and LRegs, cell by cell */
    KERR_STATE_ALL = 3,
};
/* Everything in a tile that has a name, always in the same order; L1 and local RAM are memory: kerr_peek, kerr_core_peek.  `what` is
 * a mask of KERR_STATE_*. */
kerr_status kerr_state_visit(const kerr_chip *chip, kerr_xy at, uint32_t what, kerr_state_fn fn, void *context);

/* ---- May still change: hooks -------------------------------------------------------------- */

/* A hook may look at its own tile and nothing else; calls that change the chip return KERR_BAD_STATE. */

/* What a trace tells, as bits of a mask. */
typedef enum kerr_trace_kind {
    KERR_TRACE_INSTRUCTION = 1, /* an instruction of a baby core issues */
    KERR_TRACE_STATE = 2,       /* a baby core's kerr_core_state is another one from this cycle on */
    KERR_TRACE_TENSIX = 4,      /* the coprocessor: see kerr_trace_tensix */
    /* Not a kind of event: cores that only poll are parked as they are without a trace, and their laps are left out. Then
     * what is told depends on how calls are cut, as KERR_CORE_PARKED does. */
    KERR_TRACE_PARKING = 8,
    KERR_TRACE_SHAKE = 16, /* a delay that shaken timing has drawn; one and the same may be told more than once */
    KERR_TRACE_ACCESS =
        32, /* somebody in a Tensix tile reads or writes something that others can: with KERR_CHECK_ACCESSES */
} kerr_trace_kind;

/* The backend units of a Tensix coprocessor. */
typedef enum kerr_tensix_unit {
    KERR_UNIT_SYNC = 0,
    KERR_UNIT_SCALAR,
    KERR_UNIT_CONFIG,
    KERR_UNIT_MOVER,
    KERR_UNIT_MISC,
    KERR_UNIT_UNPACK,
    KERR_UNIT_MATRIX,
    KERR_UNIT_VECTOR,
    KERR_UNIT_PACK,
    KERR_UNIT_COUNT
} kerr_tensix_unit;
/* "Sync Unit", "Scalar Unit (ThCon)", ... as the manual spells them; "?" if there is none such. */
const char *kerr_tensix_unit_name(kerr_tensix_unit unit);

typedef enum kerr_tensix_event {
    KERR_TENSIX_PUSH = 0, /* a core has pushed `word` into the thread's FIFO, B into that of the replay expander */
    KERR_TENSIX_MOP,      /* the MOP expander expands `word` */
    KERR_TENSIX_REPLAY,   /* the replay expander records or plays back for `word` */
    KERR_TENSIX_GATE,     /* `word` stands at the wait gate because of `reason` */
    KERR_TENSIX_ISSUE,    /* `unit` takes `word` at `begin` and works on it up to `end` */
    KERR_TENSIX_DONE,     /* `unit` is done with what it took of the thread at an open end */
    KERR_TENSIX_SUB_UNIT, /* a sub-unit of the Vector Unit executes `word`, which SFPLOADMACRO has scheduled or which comes
                           * beside or as such a one; `detail`: KERR_SUB_UNIT_* */
} kerr_tensix_event;
/* The sub-units of the Vector Unit, in the low bits of `detail`. */
typedef enum kerr_sub_unit {
    KERR_SUB_UNIT_LOAD = 0,
    KERR_SUB_UNIT_SIMPLE,
    KERR_SUB_UNIT_MAD,
    KERR_SUB_UNIT_ROUND,
    KERR_SUB_UNIT_STORE,
    KERR_SUB_UNIT_COUNT,
    KERR_SUB_UNIT_MASK = 7,
    KERR_SUB_UNIT_SCHEDULED = 1 << 3, /* by an SFPLOADMACRO; else a thread has issued it in this cycle */
    KERR_SUB_UNIT_DISCARDED = 1 << 4, /* it does nothing: the sub-unit belongs to a scheduled one */
    KERR_SUB_UNIT_VD = 8,             /* shift: the LReg that it writes or stores, five bits */
    KERR_SUB_UNIT_ADDRESS = 16,       /* shift: Addr in Dst of a load or store, of a scheduled one that of the load */
} kerr_sub_unit;

/* What an instruction of the coprocessor, or a stage of its front end, waits for. */
typedef enum kerr_tensix_reason {
    KERR_WAIT_NONE = 0,
    KERR_WAIT_STALLWAIT, /* a latched STALLWAIT; detail: bit i, condition Ci keeps it; 0: met, and lets go next cycle */
    KERR_WAIT_SEM_ZERO,  /* a latched SEMWAIT; detail: bit i, semaphore i is zero */
    KERR_WAIT_SEM_MAX,   /* the same; semaphore i is at its maximum */
    KERR_WAIT_STREAM,    /* a latched STREAMWAIT; detail: the stream */
    KERR_WAIT_MUTEX,     /* ATGETM; detail: the mutex, by: the thread that has it */
    KERR_WAIT_UNIT_BUSY, /* detail: the kerr_tensix_unit, by: the thread that uses it */
    KERR_WAIT_UNIT_STALLS, /* the unit has it offered and does not take it; detail: the kerr_tensix_unit */
    KERR_WAIT_SRCA,        /* the bank of SrcA belongs to the other side */
    KERR_WAIT_SRCB,
    KERR_WAIT_CORE,   /* an access of RISCV T comes first (Auto TTSync) */
    KERR_WAIT_MEMORY, /* what is on its way to or from memory */
    KERR_WAIT_RESET,  /* the unit is held in soft reset */
    KERR_WAIT_REASONS
} kerr_tensix_reason;

#define KERR_TENSIX_OPEN UINT64_MAX

/* One thing that a stage of a thread's front end, or a unit, does.  `end` is the first cycle in which it does not any more,
 * KERR_TENSIX_OPEN if that is not known yet.  What is open at the wait gate ends with the next GATE or ISSUE of the thread
 * (a GATE that says the same again changes nothing), what is open elsewhere with a record of the same event, thread and
 * begin, or when the next of its kind begins.  Of a push, end is begin. */
typedef struct kerr_trace_tensix {
    uint8_t event;  /* kerr_tensix_event */
    uint8_t thread; /* 0..2 */
    uint8_t unit;   /* kerr_tensix_unit; ISSUE, and GATE where it is known */
    uint8_t reason; /* kerr_tensix_reason */
    int8_t by; /* PUSH: the kerr_core, -1 not a baby core; else the thread that is in the way, -1 nobody or unknown */
    bool last; /* ISSUE: nothing more comes of the push */
    uint8_t reserved[2];
    uint32_t word;
    uint32_t pc;     /* PUSH, ISSUE: of the push */
    uint32_t detail; /* of reason */
    uint32_t reserved_2;
    uint64_t begin, end;
} kerr_trace_tensix;

/* What a thread of the coprocessor does now, without a trace. */
typedef struct kerr_thread_info {
    bool waits;        /* an instruction stands at the wait gate */
    uint8_t in_flight; /* instructions that RISCV Ti has pushed and that have not passed with all that comes of them */
    uint8_t reason;    /* kerr_tensix_reason: why it stands there; NONE: it just came */
    int8_t by;         /* the thread that is in the way, -1 nobody or unknown */
    bool pushed_by_b;  /* by RISCV B, else by the thread's own core */
    uint8_t reserved[3];
    uint32_t word, pc, detail; /* the instruction, its push, of reason */
    uint64_t since;
} kerr_thread_info;
kerr_status kerr_thread_query(const kerr_chip *chip, kerr_xy at, uint32_t thread, kerr_thread_info *info);

typedef struct kerr_sync_info {
    struct {
        uint8_t value, max;
    } semaphore[8];
    int8_t mutex[8];        /* the thread that holds it, -1 nobody */
    bool matrix_owns[2][2]; /* SrcA, SrcB; bank: it is the Matrix Unit's, not the unpackers' */
} kerr_sync_info;
kerr_status kerr_sync_query(const kerr_chip *chip, kerr_xy at, kerr_sync_info *info);

/* What the instruction at a wait gate waits for, as counters tell it apart. */
typedef enum kerr_stall {
    KERR_STALL_NONE = 0,
    KERR_STALL_STALLWAIT,
    KERR_STALL_SEMWAIT,
    KERR_STALL_STREAMWAIT,
    KERR_STALL_UNIT,    /* its unit is busy */
    KERR_STALL_THREADS, /* another thread goes first */
    KERR_STALL_SCALAR,  /* the thread's Scalar Unit instruction is not done */
    KERR_STALL_MUTEX,
    KERR_STALL_SOURCE, /* SrcA or SrcB is not handed over */
    KERR_STALL_AUTO,   /* Auto TTSync */
    KERR_STALL_MEMORY,
    KERR_STALL_MOVER,
    KERR_STALL_RESET,
    KERR_STALL_KINDS
} kerr_stall;

/* What a tile has done, as counters that only grow until its reset; two looks and the cycles between them give how busy it is. */
typedef struct kerr_activity {
    uint64_t instructions;                /* of its baby cores, without laps of polling loops that were left out */
    uint64_t unit_busy[KERR_UNIT_COUNT];  /* cycles in which a unit of the coprocessor was taken */
    uint64_t unit_taken[KERR_UNIT_COUNT]; /* instructions that it took */
    uint32_t stalled[3]; /* cycles in which an instruction of the thread stood at the wait gate; wraps */
    uint32_t cores;      /* baby cores of the tile */
    uint32_t stalled_by[3][KERR_STALL_KINDS]; /* the same by why */
    struct {
        uint64_t instructions;
        uint32_t pc; /* of a core that is parked somewhere in its loop */
        bool in_reset;
    } core[KERR_CORE_COUNT];
} kerr_activity;
kerr_status kerr_activity_query(const kerr_chip *chip, kerr_xy at, kerr_activity *activity);
/* For who samples a chip many times a second: before which cycle each tile has nothing to do, UINT64_MAX if it never has by itself.
 * Tensix tiles as kerr_tensix_xy counts, then those of kerr_eth_xy and of kerr_dram_xy. */
kerr_status kerr_due_query(const kerr_chip *chip, uint64_t due[KERR_TILES]);
/* Flits that have left each router of both NoCs since power-on: along x, along y, to its tile.  Single flits that meet nobody are left
 * out.  Nodes by y * KERR_GRID_X + x. */
enum { KERR_NOC_LINKS = 3 };
typedef struct kerr_noc_flits {
    uint64_t of[2][KERR_GRID_X * KERR_GRID_Y][KERR_NOC_LINKS];
} kerr_noc_flits;
kerr_status kerr_noc_flits_query(const kerr_chip *chip, kerr_noc_flits *flits);

/* How tt-metal's firmware tells cores of a Tensix tile to run kernels (tt_metal/hw/inc/hostdev/dev_msgs.h): a byte of L1 for each of NC,
 * T0, T1 and T2, written by RISCV B and, when its kernel is over, by the core. */
enum {
    KERR_SYNC_ADDRESS = 96 + 8, /* MEM_MAILBOX_BASE + offsetof(mailboxes_t, subordinate_sync) */
    KERR_SYNC_BYTES = 4,
    KERR_SYNC_DONE = 0,
    KERR_SYNC_LOAD = 1,
    KERR_SYNC_CLEAR = 3, /* RUN_SYNC_MSG_INIT_SYNC_REGISTERS */
    KERR_SYNC_GO = 0x80,
};
/* The firmware has told this core to run a kernel, and it is not over; B runs its own while one of the others does. */
bool kerr_core_has_kernel(const kerr_chip *chip, kerr_xy at, kerr_core core);

/* A draw of shaken timing: an event with a number, of a site (kerr_shake_site) in a tile.  `sub` tells apart those that count for
 * themselves: cores, threads, senders. */
typedef struct kerr_trace_shake {
    uint64_t number;
    uint32_t delay; /* cycles */
    uint16_t sub;
    uint8_t site;
    uint8_t reserved;
} kerr_trace_shake;

struct kerr_access; /* kerr_findings.h */

typedef struct kerr_trace_event {
    uint64_t cycle; /* TENSIX: begin */
    kerr_xy at;
    kerr_core core;           /* not of TENSIX */
    kerr_trace_kind kind;     /* one bit */
    uint32_t pc, instruction; /* INSTRUCTION */
    uint32_t address;         /* INSTRUCTION: that a load, store or atomic goes to, .ttinsn too; STATE: what a core that
                               * is WAITING waits for, or one that is PARKED polls, 0 if that is no one place */
    kerr_core_state state;    /* STATE */
    bool is_store;            /* address is stored to: INSTRUCTION, and STATE if WAITING */
    uint8_t space;            /* ACCESS: kerr_space */
    const kerr_trace_tensix *tensix;  /* TENSIX, else NULL; gone after the call */
    const kerr_trace_shake *shake;    /* SHAKE, else NULL; `cycle` is not set */
    const struct kerr_access *access; /* ACCESS, else NULL; `cycle` is that from which on others see it */
} kerr_trace_event;
typedef void (*kerr_trace_fn)(void *context, const kerr_trace_event *event);
/* Every instruction of every core as it issues; NULL switches off.  While on, the chip runs on the calling
 * thread and block by block of one instruction; results and cycles are the same. Order: by cycle within a tile. */
kerr_status kerr_set_trace(kerr_chip *chip, kerr_trace_fn fn, void *context);
/* The same with a choice of what is told: kinds is a mask of kerr_trace_kind.  Order: by cycle within a core, and by begin
 * within a stage of a Tensix thread and within a unit. */
kerr_status kerr_set_trace_kinds(kerr_chip *chip, uint32_t kinds, kerr_trace_fn fn, void *context);

/* ---- May still change: shaken timing --------------------------------------------------------- */

/* Where timing may be shaken (docs/shake.md); NULL past the last one. */
typedef struct kerr_shake_site_info {
    const char *name;
    const char *what;   /* is drawn */
    const char *sub;    /* what tells apart those of one tile */
    const char *manual; /* the page that allows it */
    const char *open;   /* what no document bounds, or "" */
    uint32_t largest;   /* delay in cycles */
    uint32_t reserved;
} kerr_shake_site_info;
const kerr_shake_site_info *kerr_shake_site(uint32_t site);

/* The draws of one site, tile and sub with numbers from first to last. */
typedef struct kerr_shake_range {
    uint64_t first, last;
    uint32_t largest; /* no delay of theirs is longer; 0: as drawn */
    uint16_t sub;
    uint8_t site;
    kerr_xy at;
    uint8_t reserved[7];
} kerr_shake_range;
/* From now on things take longer here and there, within what the hardware may do, as drawn from `seed`; 0 stops it.  The same seed
 * gives the same run on any number of threads and however calls are cut.  With `only`, all draws but these are none; at most 65536,
 * of which no two may have a draw in common (KERR_BAD_ARGUMENT).  NULL: all of them count.  Usually called once, before the first
 * cycle. */
kerr_status kerr_set_shake(kerr_chip *chip, uint64_t seed, const kerr_shake_range *only, size_t count);

/* What a core of such a tile finds at an address, in words: "mailbox from T1", "L1 0x00020000", a register by its name.
 * Returns the length it would need, as snprintf. */
size_t kerr_address_format(kerr_tile_kind kind, kerr_core core, uint32_t address, bool is_store, char *buffer,
                           size_t size);

/* What a debugger waits for.  A stop holds nothing up and changes nothing: the chip notes when it comes by.  A debugger that wants
 * to be in that very cycle goes back to a snapshot and runs up to it. */
typedef enum kerr_stop_kind {
    KERR_STOP_PC = 0, /* the core is about to execute the instruction at `address` */
    KERR_STOP_STEP,   /* ... any instruction */
    KERR_STOP_READ,   /* a load of the core reads one of `size` bytes from `address` on */
    KERR_STOP_WRITE,  /* a store or atomic of the core goes there */
    KERR_STOP_ACCESS, /* either */
} kerr_stop_kind;
typedef struct kerr_stop {
    kerr_xy at;
    uint8_t core; /* kerr_core */
    uint8_t kind; /* kerr_stop_kind */
    uint32_t address, size;
} kerr_stop;
typedef struct kerr_stop_hit {
    uint64_t cycle; /* in which the instruction issues */
    uint32_t index; /* of the stop, UINT32_MAX: there was none */
    uint32_t pc;    /* of the instruction */
} kerr_stop_hit;
enum { KERR_STOPS_MAX = 256 };
/* Instead of those before; none are left after kerr_reset and kerr_restore.  Cores with a stop run instruction by instruction. */
kerr_status kerr_set_stops(kerr_chip *chip, const kerr_stop *stops, size_t count);
/* The first and the last time that one was come by since they were set; either may be NULL. */
kerr_status kerr_stops_hit(const kerr_chip *chip, kerr_stop_hit *first, kerr_stop_hit *last);

enum { KERR_WATCH_WRITE = 1 };
typedef struct kerr_watch_event {
    uint64_t cycle;
    kerr_xy at;
    int8_t core; /* who, or -1: not a baby core */
    uint32_t address, size;
    uint64_t value;
} kerr_watch_event;
typedef void (*kerr_watch_fn)(void *context, const kerr_watch_event *event);
/* Calls fn when a write to [address, address + size) of L1 takes effect, before the bytes change.  While
 * a watch is set the chip runs on the calling thread.  A tile has room for eight watches (then KERR_BAD_STATE). */
kerr_status kerr_watch_add(kerr_chip *chip, kerr_xy at, uint32_t address, uint32_t size, kerr_watch_fn fn,
                           void *context, uint32_t *id);
kerr_status kerr_watch_remove(kerr_chip *chip, uint32_t id);

#ifdef __cplusplus
}
#endif
#endif /* KERR_H */
