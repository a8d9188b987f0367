/* SPDX-License-Identifier: Apache-2.0 */
/* A TCP port of this machine for gdb, and what comes in there goes to the socket of a simulation and back.  The simulation itself has
 * no port: a port has no owner, so whoever connects is looked up here. */
#ifndef KERR_TOOLS_GDB_BRIDGE_H
#define KERR_TOOLS_GDB_BRIDGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "attach_client.h"
#include "tool_error.h"

/* On this machine only; the port that was given, or any.  The socket, or -1. */
int gdb_listen(uint16_t *port, tool_error *error);
/* The next connection of this user, or -1: there will be none.  Another user's is closed, and told of. */
int gdb_accept(int at);

/* Makes a connection to a simulation that of a debugger.  False: it refuses. */
bool gdb_bridge_begin(attach_client *client, tool_error *error);
/* Both ways until either ends. */
void gdb_bridge_carry(int gdb, int simulation);

/* In a process of its own, which ends with ours: debuggers go to the socket at `path`, or, if that is NULL, to the first whose name
 * begins with `prefix`, as soon as there is one.  0: it cannot be started. */
pid_t gdb_bridge_start(int at, const char *path, const char *prefix, tool_error *error);
void gdb_bridge_end(pid_t bridge);

#endif
