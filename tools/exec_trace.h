/* SPDX-License-Identifier: Apache-2.0 */
/* kerr exec --trace: the library's events (kerr_feed.h) become timelines for the Perfetto UI, one for each chip, when the program
 * is over: only then all programs of its kernels can be looked for at once. */
#ifndef KERR_TOOLS_EXEC_TRACE_H
#define KERR_TOOLS_EXEC_TRACE_H

#include "tool_error.h"

#include <stddef.h>

typedef struct exec_trace {
    int file; /* -1: none; it has no name */
    const char *path;
    char feed[64]; /* for KERR_TRACE */
} exec_trace;

/* path: of the first chip's timeline; those of others have .2, .3 and so on before their ending. */
bool exec_trace_open(exec_trace *made, const char *path, tool_error *error);
bool exec_trace_write(exec_trace *trace, const char *const *folders, size_t count, double seconds, tool_error *error);
void exec_trace_close(exec_trace *trace);

#endif
