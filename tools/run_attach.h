/* SPDX-License-Identifier: Apache-2.0 */
/* kerr run for those who come while it runs: a socket, and gdb, which has the chip for itself for as long as it stays. */
#ifndef KERR_TOOLS_RUN_ATTACH_H
#define KERR_TOOLS_RUN_ATTACH_H

#include "attach.h"
#include "tool_error.h"

typedef struct run_attach {
    bool wanted, hold;
    const char *path; /* or NULL */
    bool has_port;
    uint16_t port;
    attach *server; /* NULL: none */
    pid_t bridge;
} run_attach;

/* Says on standard error where it can be reached, unless quiet. */
bool run_attach_open(run_attach *r, kerr_chip *chip, bool quiet, tool_error *error);
/* Around all that touches the chip. */
void run_attach_enter(run_attach *r);
void run_attach_leave(run_attach *r);
/* The run is over.  With `hold` this waits until nobody looks any more. */
void run_attach_close(run_attach *r);

#endif
