/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include <string.h>

enum { AT_A_TIME = 1024 }; /* cycles, between two looks at who else wants the chip */

static bool about_to(const kerr_chip *chip, const kerr_stop *stop, kerr_core_info *info)
{
    return stop->kind == KERR_STOP_PC && kerr_core_query(chip, stop->at, (kerr_core)stop->core, info) == KERR_OK &&
           info->pc == stop->address &&
           (info->state == KERR_CORE_RUNNING || info->state == KERR_CORE_PARKED || info->state == KERR_CORE_WAITING);
}

static uint64_t executed(const kerr_chip *chip, const gdb_thread *of)
{
    kerr_core_info info = {0};
    (void)kerr_core_query(chip, of->at, of->core, &info);
    return info.instructions;
}

void order_arm(run_order *o, kerr_chip *chip, const gdb_thread *of, bool watches, const kerr_stop *stops, size_t count)
{
    *o = (run_order){.armed = true, .steps = of != NULL, .watches = watches, .count = (uint32_t)count};
    memcpy(o->stops, stops, count * sizeof *stops);
    for (size_t i = 0; i < count; i++) {
        kerr_core_info info;
        o->passed[i] = about_to(chip, &stops[i], &info) ? info.instructions : UINT64_MAX;
    }
    if (of != NULL) {
        o->stepped = *of;
        o->executed = executed(chip, of);
    }
}

void order_disarm(run_order *o, kerr_chip *chip)
{
    o->armed = false;
    if (chip != NULL) {
        (void)kerr_set_stops(chip, NULL, 0);
    }
}

static void finish(run_order *o, gdb_result result, kerr_stop_hit hit)
{
    o->met = true;
    o->result = result;
    o->hit = hit;
}

static bool at_breakpoint(run_order *o, const kerr_chip *chip, uint64_t now)
{
    for (uint32_t i = 0; i < o->count; i++) {
        kerr_core_info info;
        if (about_to(chip, &o->stops[i], &info) && info.instructions != o->passed[i]) {
            finish(o, GDB_STOPPED, (kerr_stop_hit){.cycle = now, .index = i, .pc = info.pc});
            return true;
        }
    }
    return false;
}

/* After a cycle. */
static void look_back(run_order *o, kerr_chip *chip, uint64_t now)
{
    kerr_stop_hit first;
    (void)kerr_stops_hit(chip, &first, NULL);
    if (o->watched) {
        finish(o, GDB_STOPPED, (kerr_stop_hit){.cycle = now, .index = GDB_WATCHED, .pc = (uint32_t)o->watched_by});
    } else if (first.index != UINT32_MAX && o->stops[first.index].kind != KERR_STOP_PC) {
        finish(o, GDB_STOPPED, first);
    } else if (o->steps && executed(chip, &o->stepped) != o->executed) {
        finish(o, GDB_STOPPED, (kerr_stop_hit){.cycle = now, .index = GDB_STEPPED});
    } else if (first.index != UINT32_MAX) { /* the instruction that it began at has passed */
        (void)kerr_set_stops(chip, o->stops, o->count);
    }
}

bool order_is_exact(const run_order *o)
{
    return o->steps || o->watches || o->count != 0;
}

void order_note(run_order *o, kerr_status status)
{
    if (status != KERR_OK && !o->met) {
        finish(o, status == KERR_FAULTED ? GDB_FAULTED : GDB_BROKEN, (kerr_stop_hit){.index = 0});
    }
}

kerr_status order_run(run_order *o, kerr_chip *chip, uint64_t end)
{
    uint64_t now = 0;
    (void)kerr_cycle(chip, &now);
    kerr_status status = kerr_set_stops(chip, o->stops, o->count); /* a reset by the host has removed them */
    for (unsigned i = 0; i < AT_A_TIME && now < end && status == KERR_OK && !o->met; i++) {
        if (at_breakpoint(o, chip, now)) {
            break;
        }
        status = kerr_run(chip, 1);
        (void)kerr_cycle(chip, &now);
        if (status == KERR_OK) {
            look_back(o, chip, now);
        }
    }
    order_note(o, status);
    return status;
}
