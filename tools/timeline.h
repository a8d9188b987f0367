/* SPDX-License-Identifier: Apache-2.0 */
/* From the library's trace events to tracks of a Perfetto trace: who did what when, and what it waited for.
 *
 * A tile is a process.  A baby core is a track: the function it is in, or halted, stopped, in reset; below that what holds
 * it up.  Waits for devices and parked polls are told by the library; of shorter gaps between two instructions the cause
 * is inferred here from the two.  The coprocessor has a track for each stage of each thread's front end and for each unit.
 * Arrows go from a push to where the word ends up, and from what was waited for to who waited. */
#ifndef KERR_TOOLS_TIMELINE_H
#define KERR_TOOLS_TIMELINE_H

#include <stdio.h>

#include "kerr.h"
#include "perfetto.h"

typedef struct tile_line tile_line;

/* The name of the function at pc, NULL if it has none.  No such function (NULL): none has a name. */
typedef const char *(*timeline_function_fn)(void *context, kerr_xy at, unsigned core, uint32_t pc);

typedef struct timeline {
    perfetto out;
    timeline_function_fn function;
    void *context;
    bool functions_stay; /* the function at a pc of a core is always the same: it is asked for once */
    tile_line *tiles[KERR_GRID_Y][KERR_GRID_X]; /* made when first seen */
    bool out_of_memory;
} timeline;

/* What an instruction at a wait gate waits for, in words. */
void timeline_reason(const kerr_trace_tensix *t, char *text, size_t size);

bool timeline_begin(timeline *line, FILE *file, timeline_function_fn function, void *context, bool functions_stay);
void timeline_event(timeline *line, const kerr_trace_event *event);
/* Ends what is still going on.  False: something was not written. */
bool timeline_end(timeline *line, uint64_t cycle);

#endif
