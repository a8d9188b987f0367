/* SPDX-License-Identifier: Apache-2.0 */
/* The watcher's side of the statistics page (kerr_stats.h).  It lives in memory alone and is reached as /proc/PID/fd/N, so that
 * nothing of it is left behind, however `kerr exec` or its program end. */
#ifndef KERR_TOOLS_EXEC_PAGE_H
#define KERR_TOOLS_EXEC_PAGE_H

#include "exec_totals.h"
#include "kerr_stats.h"
#include "tool_error.h"

typedef struct exec_page {
    int file;
    kerr_stats_page *page;
    char path[64];
} exec_page;

bool exec_page_open(exec_page *made, tool_error *error);
void exec_page_close(exec_page *page);

/* Records of processes that are over go into the totals, and are free again; `all`: those of all processes. */
void exec_page_collect(exec_page *page, exec_totals *totals, bool all);

/* Asks a process for its chip: the one that is in the page first. */
void exec_page_ask(exec_page *page);

/* What is going on now, with what is over. */
typedef struct exec_live {
    uint32_t processes; /* with a chip, now */
    uint64_t cycles, inside_ns, active_tiles, faults;
} exec_live;
void exec_page_look(const exec_page *page, const exec_totals *totals, exec_live *live);

#endif
