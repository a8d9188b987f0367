/* SPDX-License-Identifier: Apache-2.0 */
/* kerr shrink: its parts. */
#ifndef KERR_TOOLS_SHRINK_H
#define KERR_TOOLS_SHRINK_H

#include <stddef.h>
#include <stdint.h>

#include "kerr.h"
#include "programs.h"
#include "tool_error.h"

/* shrink_runs.c: a kerr run, again and again, each in a process of its own. */
typedef struct shrink_runs {
    char *const *arguments; /* of kerr run */
    int count;
    uint64_t seed;
    char folder[64]; /* for files of its own */
    int status;      /* what is right: how it ends, */
    char *output;    /* ... and what it prints */
    size_t size;
    unsigned runs;
} shrink_runs;

bool shrink_runs_open(shrink_runs *r, tool_error *error);
void shrink_runs_close(shrink_runs *r);
/* Without shaking: what is right.  expect: a file with the output instead, or NULL. */
bool shrink_runs_good(shrink_runs *r, const char *expect, tool_error *error);
/* With these delays of the seed alone; only NULL: with all.  log: "--shake-log" or "--access-log" and its file, or NULL. */
bool shrink_runs_try(shrink_runs *r, const kerr_shake_range *only, size_t count, const char *log, const char *file,
                     bool *fails, tool_error *error);
void shrink_runs_path(const shrink_runs *r, const char *name, char path[96]);

/* shrink_order.c: the first two accesses that changed their order between two access logs; prints them.  False: no file, or no
 * memory; *found: there is such a pair. */
bool shrink_order(const char *bad, const char *good, programs *loaded, bool *found, tool_error *error);

#endif
