/* SPDX-License-Identifier: Apache-2.0 */
/* The live line of `kerr exec`: the last line of the terminal, which is taken out of what scrolls, so that the program's
 * output goes on above it as if the terminal had one line less. */
#ifndef KERR_TOOLS_EXEC_STATUS_H
#define KERR_TOOLS_EXEC_STATUS_H

#include "exec_page.h"

typedef struct exec_status {
    int terminal; /* -1: no line */
    bool set_up;
    int rows, columns;
    double last;
    uint64_t last_cycles;
    double cycles_per_second;
} exec_status;

/* wanted: and if standard error is a terminal. */
void exec_status_open(exec_status *status, bool wanted);
/* Called often. */
void exec_status_show(exec_status *status, const exec_live *live);
/* The terminal is as it was; the line comes back with the next exec_status_show. */
void exec_status_hide(exec_status *status);
void exec_status_close(exec_status *status);

#endif
