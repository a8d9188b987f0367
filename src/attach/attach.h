/* SPDX-License-Identifier: Apache-2.0 */
/* A server for those who want to look at a chip while it runs: a Unix socket, a thread that waits at it, a thread for each
 * connection.  Owned by whoever runs the chip (dropin/libttsim.c, tools/run.c), called "the host" here.  Threads touch the chip only
 * while they have it (door.h); the host runs it, with its own callbacks, in its own thread.  docs/architecture.md. */
#ifndef KERR_ATTACH_ATTACH_H
#define KERR_ATTACH_ATTACH_H

#include "kerr.h"

#include "door.h"
#include "order.h"
#include "socket_place.h"

typedef struct attach attach;

/* Serves a debugger on a connection until that ends.  There is a chip, and it is held: that hold is the debugger's, to let go at last. */
typedef void (*attach_debug_fn)(attach *a, int fd, void *context);

typedef struct attach_setup {
    kerr_chip *chip;  /* the first; may be NULL */
    const char *path; /* NULL: where kerr top looks */
    bool waits;       /* the host's first call waits for a debugger, or for somebody to say CONTINUE */
    attach_debug_fn debug;
    void *debug_context;
} attach_setup;

/* NULL: it cannot be; why says so. */
attach *attach_open(const attach_setup *setup, char why[SOCKET_WHY]);
/* From outside the door.  In a forked child nothing is done. */
void attach_close(attach *a);
const char *attach_path(const attach *a);
/* From outside the door: until nobody is connected any more. */
void attach_linger(attach *a);

/* ---- For the host ------------------------------------------------------------------------------------------------ */

/* door_enter and door_leave go around its calls. */
door *attach_door(attach *a);
/* Within the door: this is the chip from now on; NULL: none.  Not for that of attach_setup. */
void attach_set_chip(attach *a, kerr_chip *chip);
/* As kerr_run, within the door: others have their turns in between, and a debugger may stop it in the middle. */
kerr_status attach_run(attach *a, uint64_t cycles);

/* Within the door: a debugger is there, and nobody is to lose patience. */
bool attach_is_debugged(const attach *a);

/* ---- For debuggers ------------------------------------------------------------------------------------------------- */

kerr_chip *attach_chip(const attach *a); /* while it is held */
run_order *attach_order_of(attach *a);
/* The chip is held: whoever waited for this may go. */
void attach_debugger_is_here(attach *a);
/* Of a host program, which goes on calling: attach_gdb.c. */
void attach_gdb(attach *a, int fd, void *context);

#endif
