/* SPDX-License-Identifier: Apache-2.0 */
#include "run_attach.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gdb_bridge.h"
#include "gdb_packet.h"
#include "gdb_past.h"
#include "gdb_session.h"

/* ---- gdb, with a chip that no host drives ---------------------------------------------------------------------------- */

typedef struct debugger {
    past past; /* first: the context of gdb_past_time */
    attach *server;
    gdb_line line;
    gdb_session session;
} debugger;

static bool begin(void *context)
{
    const debugger *d = context;
    door_take_held(attach_door(d->server));
    return true;
}

static void end(void *context)
{
    const debugger *d = context;
    door_give_held(attach_door(d->server));
}

/* In a long run of gdb's: others have a look. */
static bool interrupted(void *context)
{
    debugger *d = context;
    door_pass_held(attach_door(d->server));
    return gdb_interrupt_waits(&d->line);
}

static void debug(attach *server, int fd, void *context)
{
    (void)context;
    debugger *d = calloc(1, sizeof *d);
    if (d == NULL) {
        door_let_go(attach_door(server));
        return;
    }
    gdb_time time = gdb_past_time;
    time.begin = begin;
    time.end = end;
    d->server = server;
    d->line.fd = fd;
    door_take_held(attach_door(server));
    kerr_chip *chip = attach_chip(server);
    const bool good = chip != NULL && past_begin(&d->past, chip, 0);
    d->past.interrupted = interrupted;
    d->past.context = d;
    if (good) {
        gdb_begin(&d->session, chip, &time, d);
        door_give_held(attach_door(server));
        gdb_serve(&d->session, &d->line);
        door_take_held(attach_door(server));
        gdb_end(&d->session);
        past_end(&d->past);
    }
    door_give_held(attach_door(server));
    door_let_go(attach_door(server));
    free(d);
}

/* ---- The run ----------------------------------------------------------------------------------------------------------- */

bool run_attach_open(run_attach *r, kerr_chip *chip, bool quiet, tool_error *error)
{
    char why[SOCKET_WHY];
    if (!r->wanted && !r->has_port) {
        return true;
    }
    const int at = r->has_port ? gdb_listen(&r->port, error) : -1;
    if (r->has_port && at < 0) {
        return false;
    }
    /* Its process is made before there are threads here. */
    char prefix[32];
    (void)snprintf(prefix, sizeof prefix, "%ld.", (long)getpid());
    if (r->has_port && (r->bridge = gdb_bridge_start(at, r->path, prefix, error)) == 0) {
        return false;
    }
    const attach_setup setup = {.chip = chip, .path = r->path, .waits = r->hold || r->has_port, .debug = debug};
    r->server = attach_open(&setup, why);
    if (r->server == NULL) {
        return tool_fail(error, "--attach: %s", why);
    }
    if (r->has_port) {
        (void)fprintf(stderr,
                      "kerr run: waiting for a debugger: gdb-multiarch PROGRAM.elf -ex 'target extended-remote :%u'\n",
                      r->port);
    } else if (!quiet) {
        (void)fprintf(stderr, "kerr run: kerr top and kerr gdb --attach reach it at %s\n", attach_path(r->server));
    }
    return true;
}

void run_attach_enter(run_attach *r)
{
    if (r->server != NULL) {
        door_enter(attach_door(r->server));
    }
}

void run_attach_leave(run_attach *r)
{
    if (r->server != NULL) {
        door_leave(attach_door(r->server));
    }
}

void run_attach_close(run_attach *r)
{
    if (r->server != NULL && r->hold) {
        attach_linger(r->server);
    }
    gdb_bridge_end(r->bridge);
    attach_close(r->server);
    r->server = NULL;
    r->bridge = 0;
}
