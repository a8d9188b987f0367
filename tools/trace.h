/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction trace of a run as text: one line an instruction, with function and source line where a core comes to
 * a new one. */
#ifndef KERR_TOOLS_TRACE_H
#define KERR_TOOLS_TRACE_H

#include <stdio.h>

#include "kerr.h"
#include "place.h"
#include "programs.h"
#include "tool_error.h"

enum { TRACE_PLACE_SIZE = 256 };

typedef struct trace {
    const char *path; /* NULL: no trace; "-": standard output */
    bool has_filter;
    tile_set tiles;
    core_set cores;
    FILE *file;
    programs *loaded;
    char (*places)[TRACE_PLACE_SIZE]; /* last shown, one for each core of the grid */
} trace;

bool trace_open(trace *to, kerr_chip *chip, programs *loaded, tool_error *error);
bool trace_close(trace *to, tool_error *error);

#endif
