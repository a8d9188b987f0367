/* SPDX-License-Identifier: Apache-2.0 */
/* gdb on a chip that a host program drives.  While gdb looks, the host's next call waits, or stands in the middle of one; `continue` lets
 * the host go on, whose calls then look for what gdb waits for (order.h).  There is no way back: what the host has done stays. */
#include "attach.h"

#include "connection.h"

#include "../gdb/gdb_packet.h"
#include "../gdb/gdb_session.h"

#include <stdlib.h>

enum { LOOK_MS = 5 }; /* for an interrupt */

typedef struct debugger {
    attach *a;
    kerr_chip *chip;
    const gdb_session *session;
    gdb_line line;
    bool holds; /* one of the door's holds is ours */
} debugger;

/* Around each packet. */
static bool begin(void *context)
{
    debugger *d = context;
    door_take_held(attach_door(d->a));
    if (d->holds && attach_chip(d->a) == d->chip) {
        return true;
    }
    door_give_held(attach_door(d->a));
    return false;
}

static void end(void *context)
{
    const debugger *d = context;
    door_give_held(attach_door(d->a));
}

/* The host goes on; true: what the order is for has come.  False: gdb wants it back, or the server closes. */
static bool wait_for_it(debugger *d)
{
    door *g = attach_door(d->a);
    for (;;) {
        if (door_wait(g, &attach_order_of(d->a)->done, LOOK_MS)) {
            return true;
        }
        if (atomic_load(&d->a->closing) || gdb_interrupt_waits(&d->line)) {
            return false;
        }
    }
}

static bool watches(const gdb_session *s)
{
    bool any = false;
    for (unsigned i = 0; i < GDB_POINTS_MAX; i++) {
        any = any || s->point[i].watched;
    }
    return any;
}

static gdb_result run(debugger *d, const gdb_thread *of, const kerr_stop *stops, size_t count, kerr_stop_hit *hit)
{
    door *g = attach_door(d->a);
    run_order *o = attach_order_of(d->a);
    order_arm(o, d->chip, of, watches(d->session), stops, count);
    door_let_go(g);
    door_give_held(g);
    const bool came = wait_for_it(d);
    gdb_result result = GDB_INTERRUPTED;
    if (came) {
        door_take_held(g); /* whoever stopped holds it for us */
    } else {
        door_take_and_hold(g);
        if (o->done && o->result != GDB_GONE) { /* it came just now */
            door_let_go(g);
        }
    }
    if (o->done) {
        result = o->result;
        *hit = o->hit;
    }
    d->holds = result != GDB_GONE || !came;
    order_disarm(o, result != GDB_GONE ? d->chip : NULL);
    o->done = false;
    return result;
}

static gdb_result go_on(void *context, const kerr_stop *stops, size_t count, kerr_stop_hit *hit)
{
    return run(context, NULL, stops, count, hit);
}

static gdb_result step(void *context, const gdb_thread *of, const kerr_stop *stops, size_t count, kerr_stop_hit *hit)
{
    return run(context, of, stops, count, hit);
}

/* Called by whoever writes, in the host's thread. */
static void watched(void *context, uint64_t cycle, int core)
{
    debugger *d = context;
    run_order *o = attach_order_of(d->a);
    (void)cycle;
    if (!o->watched) {
        o->watched = true;
        o->watched_by = core;
    }
}

static bool interrupted(void *context)
{
    debugger *d = context;
    return gdb_interrupt_waits(&d->line);
}

static const gdb_time host_time = {
    .begin = begin, .end = end, .go_on = go_on, .step = step, .watched = watched, .interrupted = interrupted};

void attach_gdb(attach *a, int fd, void *context)
{
    (void)context;
    debugger *d = calloc(1, sizeof *d);
    gdb_session *session = calloc(1, sizeof *session);
    door *g = attach_door(a);
    if (d == NULL || session == NULL) {
        free(d);
        free(session);
        door_let_go(g);
        return;
    }
    d->a = a;
    d->line.fd = fd;
    d->holds = true;
    d->session = session;
    door_take_held(g);
    d->chip = attach_chip(a);
    gdb_begin(session, d->chip, &host_time, d);
    door_give_held(g);
    gdb_serve(session, &d->line);
    door_take_held(g);
    session->gone = session->gone || !d->holds;
    gdb_end(session);
    door_give_held(g);
    if (d->holds) {
        door_let_go(g);
    }
    free(session);
    free(d);
}
