/* SPDX-License-Identifier: Apache-2.0 */
/* kerr exec for those who come while its program runs: the environment by which the drop-in opens its socket, and a port for gdb. */
#ifndef KERR_TOOLS_EXEC_ATTACH_H
#define KERR_TOOLS_EXEC_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tool_error.h"

typedef struct exec_attach_wish {
    const char *path; /* or NULL */
    bool off, has_port, quiet;
    uint16_t port;
} exec_attach_wish;

typedef struct exec_attach {
    pid_t bridge; /* 0: none */
    uint16_t port;
} exec_attach;

/* Sets KERR_ATTACH for the program.  False: gdb cannot come; without a socket the program runs all the same. */
bool exec_attach_open(exec_attach *made, const exec_attach_wish *wish, tool_error *error);
void exec_attach_close(exec_attach *old);

#endif
