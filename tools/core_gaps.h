/* SPDX-License-Identifier: Apache-2.0 */
/* Why a baby core issues nothing between two instructions, inferred from the two: what a trace of instructions tells does not say it.
 * Waits for devices and polls are told by the library (KERR_TRACE_STATE) and are no gaps. */
#ifndef KERR_TOOLS_CORE_GAPS_H
#define KERR_TOOLS_CORE_GAPS_H

#include <stddef.h>
#include <stdint.h>

#include "kerr.h"

enum { CORE_GAPS_STORES = 4, CORE_GAP_TEXT = 192 };

/* What an instruction waits for if it takes the register. */
typedef enum late_kind { LATE_NOT = 0, LATE_LOAD, LATE_MULTIPLY, LATE_DIVIDE, LATE_ATOMIC } late_kind;

typedef struct late_register {
    late_kind kind;
    uint32_t address;
} late_register;

/* All zero: nothing has happened yet. */
typedef struct core_gaps {
    bool has_issued;
    kerr_trace_event issued;           /* the latest instruction */
    uint64_t wait_end;                 /* of the last wait that the library told of */
    uint32_t load_address;             /* of the latest load */
    uint64_t stores[CORE_GAPS_STORES]; /* cycles of the latest ones */
    unsigned store_count;
    late_register late[64]; /* x, then f: not read since it was written */
} core_gaps;

typedef enum core_gap_kind { GAP_LOAD, GAP_ARITHMETIC, GAP_ATOMIC, GAP_STORES, GAP_FETCH, GAP_KINDS } core_gap_kind;
typedef struct core_gap {
    uint64_t since; /* up to the cycle of the instruction */
    uint32_t pc;    /* of the one that waits: this one for what it takes, or the one before it */
    uint32_t address;
    core_gap_kind kind;
    char text[CORE_GAP_TEXT]; /* "waits for load: L1" */
} core_gap;

/* The next instruction of the core.  True: there was a gap before it. */
bool core_gaps_issue(core_gaps *gaps, kerr_tile_kind tile, unsigned core, const kerr_trace_event *event, core_gap *gap);
/* An address in words; of L1 without the address, since there would be too many. */
void core_gaps_place(kerr_tile_kind tile, unsigned core, uint32_t address, bool is_store, char *text, size_t size);

#endif
