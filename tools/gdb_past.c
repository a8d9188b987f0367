/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb_past.h"

#include "gdb_session.h"

enum { STEP_CYCLES = 256, IDLE_CYCLES = 16 << 20 };

_Static_assert(GDB_WATCHED == PAST_WATCH, "one is taken for the other");

static gdb_result as_result(past_result how)
{
    switch (how) {
    case PAST_DONE: return GDB_STOPPED;
    case PAST_INTERRUPTED: return GDB_INTERRUPTED;
    case PAST_FAULTED: return GDB_FAULTED;
    case PAST_BEGIN: return GDB_BEGIN;
    case PAST_LIMIT: return GDB_IDLE;
    case PAST_BROKEN: break;
    }
    return GDB_BROKEN;
}

static uint64_t executed(const past *p, const gdb_thread *of)
{
    kerr_core_info info = {0};
    (void)kerr_core_query(p->chip, of->at, of->core, &info);
    return info.instructions;
}

/* Until a stop.  A chip on which nothing runs is given some time, for it may wait for its clock, and then left. */
static gdb_result go_on(void *context, const kerr_stop *stops, size_t count, kerr_stop_hit *hit)
{
    past *p = context;
    for (;;) {
        const past_result how = past_run(p, stops, count, IDLE_CYCLES, hit);
        if (how != PAST_LIMIT || gdb_is_idle(p->chip)) {
            return as_result(how);
        }
    }
}

/* One instruction of the core, nearly always within a few cycles: those one by one, which needs no way back. */
static bool step_quickly(past *p, const gdb_thread *of, const kerr_stop *stops, size_t count, past_result *how,
                         kerr_stop_hit *hit)
{
    const uint64_t start = past_now(p), done = executed(p, of);
    *hit = (kerr_stop_hit){.index = GDB_STEPPED};
    for (unsigned i = 0; i < STEP_CYCLES; i++) {
        (void)kerr_set_stops(p->chip, stops, count);
        const kerr_status status = kerr_run(p->chip, 1);
        kerr_stop_hit first;
        (void)kerr_stops_hit(p->chip, &first, NULL);
        (void)kerr_set_stops(p->chip, NULL, 0);
        if (status != KERR_OK) {
            *how = status == KERR_FAULTED ? PAST_FAULTED : PAST_BROKEN;
            return true;
        }
        if (first.index != UINT32_MAX && first.cycle > start) {
            *hit = first;
            *how = past_go(p, first.cycle);
            return true;
        }
        if (executed(p, of) != done) {
            *how = PAST_DONE;
            return true;
        }
    }
    return false;
}

static gdb_result step(void *context, const gdb_thread *of, const kerr_stop *stops, size_t count, kerr_stop_hit *hit)
{
    past *p = context;
    kerr_stop with[KERR_STOPS_MAX];
    past_result how = PAST_DONE;
    if (step_quickly(p, of, stops, count, &how, hit)) {
        return as_result(how);
    }
    /* The step behind what gdb has set; of two in one cycle the first in the list counts. */
    const size_t all = count < KERR_STOPS_MAX ? count + 1 : count;
    for (size_t i = 0; i + 1 < all; i++) {
        with[i] = stops[i];
    }
    with[all - 1] = (kerr_stop){.at = of->at, .core = (uint8_t)of->core, .kind = KERR_STOP_STEP};
    const gdb_result result = go_on(p, with, all, hit);
    if (result == GDB_STOPPED && hit->index == all - 1) {
        hit->index = GDB_STEPPED;
    }
    return result;
}

static gdb_result back(void *context, const kerr_stop *stops, size_t count, kerr_stop_hit *hit)
{
    return as_result(past_run_back(context, stops, count, hit));
}

static gdb_result go_to(void *context, uint64_t cycle)
{
    return as_result(past_go(context, cycle));
}

static bool changed(void *context)
{
    return past_forget(context);
}

static void watched(void *context, uint64_t cycle, int core)
{
    past_note_watched(context, cycle, core);
}

static bool interrupted(void *context)
{
    const past *p = context;
    return p->interrupted != NULL && p->interrupted(p->context);
}

const gdb_time gdb_past_time = {.go_on = go_on,
                                .step = step,
                                .back = back,
                                .go_to = go_to,
                                .changed = changed,
                                .watched = watched,
                                .interrupted = interrupted};
