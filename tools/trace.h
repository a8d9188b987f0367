/* SPDX-License-Identifier: Apache-2.0 */
/* The traces of a run: a timeline for the Perfetto UI, and instructions as text, one line each, with function and source
 * line where a core comes to a new one. */
#ifndef KERR_TOOLS_TRACE_H
#define KERR_TOOLS_TRACE_H

#include <stdio.h>

#include "kerr.h"
#include "place.h"
#include "profile.h"
#include "programs.h"
#include "timeline.h"
#include "tool_error.h"

enum { TRACE_PLACE_SIZE = 256 };

typedef struct trace {
    const char *path;      /* of the timeline; NULL: none; "-": standard output */
    const char *text_path; /* the same of the text */
    bool profiled;         /* into `profile`, too, which trace_close ends */
    profile profile;
    bool has_filter; /* of both files */
    tile_set tiles;
    core_set cores;
    kerr_chip *chip;
    FILE *file, *text_file; /* NULL: not open */
    timeline line;
    programs *loaded;
    char (*places)[TRACE_PLACE_SIZE]; /* last shown in the text, one for each core of the grid */
} trace;

static inline bool trace_is_wanted(const trace *of)
{
    return of->path != NULL || of->text_path != NULL || of->profiled;
}

bool trace_open(trace *to, kerr_chip *chip, programs *loaded, tool_error *error);
bool trace_close(trace *to, tool_error *error);

#endif
