/* SPDX-License-Identifier: Apache-2.0 */
/* The large register files of the Tensix coprocessor: SrcA and SrcB, Dst, and what the Vector Unit has.
 *
 * Plain data without pointers and without padding: a snapshot is a copy.  Owned by struct tile.
 *
 * After power-on: Dst, SrcA and SrcB are zero and all rows of Dst are valid, which is a choice (manual Dst: its contents are unpredictable
 * then); the Vector Unit is as soft reset leaves it (manual SoftReset).  All of it is zero but for LReg 8 and 10 to 15. */
#ifndef KERR_TENSIX_FILES_H
#define KERR_TENSIX_FILES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DST_ROWS = 1024, /* as rows of 16-bit data; 512 of 32-bit data */
    DST_COLUMNS = 16,
    SRC_BANKS = 2,
    SRC_ROWS = 64,
    SRC_COLUMNS = 16,
    SRC_CELL_BITS = 19,
    LREGS = 17,    /* 16 is written and read by SFPLOADMACRO only */
    LREG_ZERO = 9, /* 0 in all lanes, always */
    LREG_ONE = 10, /* 1.0 */
    LANES = 32,
    LANE_COLUMNS = 8, /* lane i stands in row i / 8 and column i % 8 */
    FLAG_STACK_DEPTH = 8,
    LOAD_MACROS = 4,
};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

/* One entry of the flag stacks of all lanes: bit i belongs to lane i. */
struct flag_stack_entry {
    uint32_t LaneFlags, UseLaneFlagsForLaneEnable;
};

/* LoadMacroConfig of all lanes. */
struct load_macro_config {
    uint32_t InstructionTemplate[LOAD_MACROS][LANES];
    uint32_t Sequence[LOAD_MACROS][LANES];
    uint32_t Misc[LANES]; /* 12 bits */
};

/* What the MAD sub-unit wrote last (vector/hazard.c): its result counts from the second cycle after `cycle` on. */
struct vector_mad_write {
    uint64_t cycle;       /* in which the unit took the instruction, plus one; 0: never */
    uint32_t old[LANES];  /* what LReg[index[i]] of lane i held before, in `lanes` */
    uint8_t index[LANES]; /* the register that lane i wrote, in `lanes` */
    uint32_t lanes;
    uint32_t written; /* bit i: some lane wrote LReg[i] */
    uint32_t assumed; /* the same as the stalling logic has it */
    uint32_t reserved;
};

/* SFPLOADMACRO (vector/macro.c): what it schedules, and for when. */
enum { MACRO_SIMPLE, MACRO_MAD, MACRO_ROUND, MACRO_STORE, MACRO_UNITS, MACRO_DELAYS = 8 };
/* One instruction that waits for its cycle, in some columns of lanes. */
struct vector_scheduled {
    uint32_t word;        /* the instruction as it came from the template, SFPNOP if it is none of the sub-unit's */
    uint32_t macro, pc;   /* the SFPLOADMACRO, and where it was pushed */
    uint16_t Addr;        /* of SFPSTORE */
    uint8_t VB, VC, VD;   /* in place of its own */
    uint8_t Mod0;         /* the same, of SFPSTORE */
    uint8_t columns;      /* bit i: lanes of column i; 0: nothing is here */
    uint8_t thread;       /* that pushed it */
    uint8_t instructions; /* WaitForElapsedInstructions */
    uint8_t reserved[3];
};
/* The second cycle of an SFPSWAP: what is exchanged. */
struct vector_exchange {
    uint32_t lanes; /* 0: nothing */
    uint8_t VB, VC, VD;
    uint8_t reserved;
};
/* All sub-units go through one ring of delays.  When nothing waits all of it is zero. */
struct vector_macro {
    uint64_t when;                /* the cycle in which slot `at` executes; 0: none does before the next instruction */
    uint8_t at;                   /* delay d is slot (at + d) % MACRO_DELAYS */
    uint8_t waiting[MACRO_UNITS]; /* bit i: slot i has something */
    uint8_t instructions[MACRO_UNITS]; /* bit i: some of it waits for instructions */
    uint8_t exchanging;                /* how many of `exchange` there are */
    uint8_t pending;                   /* there is anything at all */
    uint8_t reserved[5];
    struct vector_exchange exchange[LANE_COLUMNS];
    struct vector_scheduled slot[MACRO_UNITS][MACRO_DELAYS][LANE_COLUMNS];
};

/* The Vector Unit: manual VectorUnit, LReg, SFPCONFIG. */
struct vector_files {
    uint32_t LReg[LREGS][LANES];
    uint32_t LaneConfig[LANES]; /* 18 bits, LANE_CONFIG_* */
    struct load_macro_config LoadMacroConfig;
    uint32_t prng[LANES];               /* State of AdvancePRNG */
    uint32_t LaneFlags;                 /* bit i belongs to lane i */
    uint32_t UseLaneFlagsForLaneEnable; /* the same */
    struct flag_stack_entry FlagStack[FLAG_STACK_DEPTH];
    uint8_t flag_stack_size[LANES]; /* lanes push and pop each for itself */
    struct vector_mad_write mad;
    uint64_t only_nop;        /* the cycle in which the unit takes nothing but SFPNOP; 0: none */
    uint32_t lane_config_any; /* derived: LaneConfig of all lanes, or-ed */
    uint32_t
        macros_differ; /* derived: bit 0, LoadMacroConfig is not the same in all columns; 4 + i, macro i is not plain */
    struct vector_macro macro;
};

struct tensix_files {
    /* Cells of 19 bits in the order that they have in hardware (manual WormholeB0 SrcASrcB): sign in bit 18, then the
     * mantissa, the exponent lowest.  The bits above are zero. */
    uint32_t SrcA[SRC_BANKS][SRC_ROWS][SRC_COLUMNS];
    uint32_t SrcB[SRC_BANKS][SRC_ROWS][SRC_COLUMNS];
    uint16_t DstBits[DST_ROWS][DST_COLUMNS];
    uint32_t dst_row_undefined[DST_ROWS / 32]; /* bit i % 32 of word i / 32: DstRowValid[i] is false */
    struct vector_files vector;
};

#pragma GCC diagnostic pop

/* Bits of LaneConfig (manual SFPCONFIG). */
enum {
    LANE_CONFIG_ENABLE_FP16A_INF = 1 << 0,
    LANE_CONFIG_DISABLE_BACKDOOR_LOAD = 1 << 1,
    LANE_CONFIG_ENABLE_DEST_INDEX = 1 << 2,
    LANE_CONFIG_CAPTURE_DEFAULT_DEST_INDEX = 1 << 3,
    LANE_CONFIG_BLOCK_DEST_WR_FROM_SFPU = 1 << 4,
    LANE_CONFIG_BLOCK_SFPU_RD_FROM_DEST = 1 << 5,
    LANE_CONFIG_DEST_RD_COL_EXCHANGE = 1 << 6,
    LANE_CONFIG_DEST_WR_COL_EXCHANGE = 1 << 7,
    LANE_CONFIG_EXCHANGE_SRCB_SRCC = 1 << 8,
    LANE_CONFIG_BLOCK_DEST_MOV_SHIFT = 9, /* 2 bits */
    LANE_CONFIG_ROW_MASK_SHIFT = 12,      /* 4 bits */
    LANE_CONFIG_MASK = (1 << 18) - 1,
    LOAD_MACRO_MISC_MASK = (1 << 12) - 1,
};

/* What they contain after power-on; the memory is zero. */
void tensix_files_power_on(struct tensix_files *files);
/* Soft reset of the Vector Unit ends. */
void vector_reset(struct vector_files *vector);
/* LReg 8 to 14 as reset leaves them, in all lanes. */
uint32_t vector_lreg_default(unsigned index);
/* Whether counts that came from outside stay within their arrays (restore). */
bool tensix_files_are_sane(const struct tensix_files *files);

#endif
