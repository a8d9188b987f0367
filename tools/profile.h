/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time of a run went: cycles of baby cores and of what they push, by source line, and what bounds it.  Fed with the events of a
 * trace; profile_page.c writes it. */
#ifndef KERR_TOOLS_PROFILE_H
#define KERR_TOOLS_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "core_gaps.h"
#include "kerr.h"
#include "programs.h"
#include "tool_error.h"

enum { PROFILE_REASONS = 4, PROFILE_LAP = 24 };

/* What the cycles of a core were. */
typedef enum profile_kind {
    PROFILE_WORK, /* an instruction issues */
    PROFILE_LOAD = 1 + GAP_LOAD,
    PROFILE_ARITHMETIC = 1 + GAP_ARITHMETIC,
    PROFILE_ATOMIC = 1 + GAP_ATOMIC,
    PROFILE_STORES = 1 + GAP_STORES,
    PROFILE_FETCH = 1 + GAP_FETCH,
    PROFILE_DEVICE = 1 + GAP_KINDS, /* a mailbox, a semaphore, a FIFO that is full */
    PROFILE_POLL,
    PROFILE_KINDS
} profile_kind;

/* What was waited for, the most of it first when it is over; index into profile.texts. */
typedef struct profile_reason {
    uint32_t text;
    uint64_t cycles;
} profile_reason;

/* An instruction of a core of a tile, or a source line of a core wherever it ran. */
typedef struct profile_row {
    uint8_t x, y, core;
    bool taken, pushes, early; /* early: before main() */
    uint32_t pc;
    uint64_t instructions, cycles[PROFILE_KINDS];
    uint64_t issued, stalled; /* of the coprocessor: instructions that come of it, and their cycles at the wait gate */
    profile_reason reason[PROFILE_REASONS], gate[PROFILE_REASONS];
    char *place,
        *function; /* lines: "reader.c:14", and the function there, of several the one with most cycles; or NULL */
    uint64_t function_cycles;
} profile_row;

/* What one instruction of a lap had. */
typedef struct profile_step {
    uint32_t pc, text;
    profile_kind kind;
    uint64_t cycles;
} profile_step;

/* From a jump backwards to the next one. */
typedef struct profile_lap {
    uint32_t start, address; /* of its last load, of those that are not local RAM if there are any */
    uint32_t places;         /* a number that is another one if it loads from other places */
    unsigned loads, count;
    bool stored, too_long;
    profile_step step[PROFILE_LAP];
} profile_lap;

typedef struct profile_core {
    uint64_t first, main; /* cycles of the first instruction, if `seen`, and of the first one in main(), if `in_main` */
    bool seen, in_main, waits;
    profile_lap lap;
    uint32_t lap_before[2]; /* start and places of the one before, if it stored nothing */
    profile_kind kind;      /* of the wait */
    uint32_t text;
    core_gaps gaps;
} profile_core;

typedef struct profile_thread {
    bool open; /* an instruction stands at the gate, since and for */
    uint64_t since;
    uint32_t text;
    profile_reason pending[PROFILE_REASONS]; /* of the one that issues next */
} profile_thread;

typedef struct profile_tile {
    profile_core core[KERR_CORE_COUNT];
    profile_thread thread[3];
} profile_tile;

typedef struct profile {
    kerr_chip *chip;
    programs *loaded;
    profile_tile *tiles[KERR_GRID_Y][KERR_GRID_X]; /* made when first seen */
    profile_row *rows;                             /* a table by hash */
    size_t row_room, row_count;
    char **texts; /* by number; 0 is "" */
    uint32_t *text_places;
    size_t text_room, text_count;
    bool out_of_memory;
    /* profile_end: */
    uint64_t tile_cycles,
        longest; /* from the first instruction of a tile to the end of its last core: all together, the longest */
    unsigned tile_count;
    profile_row core[KERR_CORE_COUNT];
    uint64_t unit_busy[KERR_UNIT_COUNT], unit_taken[KERR_UNIT_COUNT];
    profile_row *lines; /* most cycles first */
    size_t line_count;
} profile;

void profile_begin(profile *p, kerr_chip *chip, programs *loaded);
void profile_event(profile *p, const kerr_trace_event *event);
/* The run is over: adds up.  False: there was no memory for it. */
bool profile_end(profile *p);
void profile_free(profile *p);

uint64_t profile_sum(const profile_row *row); /* cycles of all kinds */
const char *profile_kind_name(profile_kind kind);
/* The sentence that says what bounds the run. */
void profile_bound(const profile *p, char *text, size_t size);
/* As text, up to `most` lines of source. */
void profile_print(const profile *p, FILE *to, size_t most);
bool profile_page(const profile *p, const char *path, tool_error *error);

#endif
