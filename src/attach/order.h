/* SPDX-License-Identifier: Apache-2.0 */
/* What a debugger is waiting for on a chip that a host program drives.
 *
 * The host's calls run the chip, so they look for it: cycle by cycle, since nothing can be taken back that host memory may have
 * seen.  Before each cycle it is looked whether a core is about to execute an instruction with a breakpoint; a watched access is
 * found when its cycle is over.  Cycles are run one at a time only while an order is armed, and come out the same. */
#ifndef KERR_ATTACH_ORDER_H
#define KERR_ATTACH_ORDER_H

#include "../gdb/gdb_time.h"

typedef struct run_order {
    bool armed;
    bool met;  /* result and hit say how; the host's, while it is armed */
    bool done; /* the debugger is told: under the door's lock */
    bool steps;
    bool watches; /* a kerr_watch may call */
    gdb_thread stepped;
    uint64_t executed; /* by it, at the start */
    uint32_t count;
    kerr_stop stops[KERR_STOPS_MAX];
    uint64_t passed
        [KERR_STOPS_MAX]; /* a core that stood there at the start: what it had executed by then; else UINT64_MAX */
    bool watched;         /* a kerr_watch has called */
    int watched_by;
    gdb_result result;
    kerr_stop_hit hit;
} run_order;

/* of: NULL, or whose one instruction it is. */
void order_arm(run_order *o, kerr_chip *chip, const gdb_thread *of, bool watches, const kerr_stop *stops, size_t count);
void order_disarm(run_order *o, kerr_chip *chip);
/* Whether it takes a look at each cycle: else only a fault or an interrupt ends it. */
bool order_is_exact(const run_order *o);
/* After a run of others: a fault meets it. */
void order_note(run_order *o, kerr_status status);
/* Up to `end` or some cycles before. */
kerr_status order_run(run_order *o, kerr_chip *chip, uint64_t end);

#endif
