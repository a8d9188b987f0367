/* SPDX-License-Identifier: Apache-2.0 */
/* Letting the chip go on, and what ends that. */
#include "gdb_session.h"

#include "kerr_findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SIGNAL_INT = 2, SIGNAL_ILL = 4, SIGNAL_TRAP = 5 };

/* ---- Breakpoints and watchpoints ---------------------------------------------------------------------------- */

static void watched(void *context, const kerr_watch_event *event)
{
    const gdb_session *s = context;
    s->time->watched(s->time_context, event->cycle, event->core);
}

static gdb_point *find_point(gdb_session *s, char type, kerr_xy at, uint32_t address, uint32_t size)
{
    for (unsigned i = 0; i < GDB_POINTS_MAX; i++) {
        gdb_point *p = &s->point[i];
        if (p->type == type && (type == 0 || (p->at.x == at.x && p->at.y == at.y && p->address == address &&
                                              (type < '2' || p->size == size)))) {
            return p;
        }
    }
    return NULL;
}

bool gdb_point_add(gdb_session *s, char type, uint32_t address, uint32_t size)
{
    if (find_point(s, type, s->general.at, address, size) != NULL) {
        return true;
    }
    gdb_point *p = find_point(s, 0, s->general.at, 0, 0);
    if (p == NULL || (type >= '2' && size == 0)) {
        return false;
    }
    gdb_point made = {.type = type, .at = s->general.at, .address = address, .size = size};
    if (type == '2') { /* anybody's write, if it is L1 */
        made.watched = kerr_watch_add(s->chip, made.at, address, size, watched, s, &made.watch) == KERR_OK;
    }
    *p = made;
    return true;
}

bool gdb_point_remove(gdb_session *s, char type, uint32_t address, uint32_t size)
{
    gdb_point *p = find_point(s, type, s->general.at, address, size);
    if (p == NULL) {
        return false;
    }
    if (p->watched) {
        (void)kerr_watch_remove(s->chip, p->watch);
    }
    *p = (gdb_point){0};
    return true;
}

/* The points as stops of each core that is concerned; a breakpoint is in all cores of its tile.  `only`: of this tile (0: of all). */
static size_t make_stops(const gdb_session *s, uint32_t only, kerr_stop *stops, uint8_t *of)
{
    static const uint8_t kinds[] = {KERR_STOP_PC, KERR_STOP_PC, KERR_STOP_WRITE, KERR_STOP_READ, KERR_STOP_ACCESS};
    size_t count = 0;
    for (unsigned i = 0; i < GDB_POINTS_MAX; i++) {
        const gdb_point *p = &s->point[i];
        const bool other = only != 0 && gdb_process(p->at) != only;
        const uint32_t cores = p->type == 0 || p->watched || other ? 0 : kerr_tile_cores(kerr_tile_kind_at(p->at));
        for (uint32_t core = 0; core < cores && count < KERR_STOPS_MAX - 1; core++) {
            stops[count] = (kerr_stop){.at = p->at,
                                       .core = (uint8_t)core,
                                       .kind = kinds[p->type - '0'],
                                       .address = p->address,
                                       .size = p->size};
            of[count++] = (uint8_t)i;
        }
    }
    return count;
}

/* ---- Stop replies ------------------------------------------------------------------------------------------ */

/* gdb waits for a thread of the tile that it has let go on (all of them, with `set schedule-multiple on`): a stop of another is none. */
static void show_only(gdb_session *s)
{
    gdb_thread at;
    bool begun = false;
    while (s->only != 0 && gdb_process(s->running.at) != s->only && gdb_next_thread(s->chip, &at, &begun)) {
        if (gdb_process(at.at) == s->only) {
            s->running = at;
        }
    }
}

static void say_stop(gdb_session *s, unsigned signal, const char *more)
{
    show_only(s);
    snprintf(s->stop, sizeof s->stop, "T%02xthread:p%" PRIx32 ".%x;%s", signal, gdb_process(s->running.at),
             (unsigned)s->running.core + 1, more);
    s->general = s->running;
    gdb_add_bytes(&s->reply, s->stop, strlen(s->stop));
}

/* A fault is told in words, and gdb is shown the core it belongs to. */
static void say_fault(gdb_session *s)
{
    uint32_t count = 0;
    kerr_fault fault;
    (void)kerr_fault_count(s->chip, &count);
    for (uint32_t i = 0; i < count && kerr_fault_get(s->chip, i, &fault) == KERR_OK; i++) {
        if (!fault.stopping) {
            continue;
        }
        char line[512];
        kerr_fault_format(&fault, line, sizeof line);
        gdb_add(&s->told, "kerr: %s\n", line);
        if (fault.core >= 0) {
            s->running = (gdb_thread){fault.tile, (kerr_core)fault.core};
        } else if (fault.asker != 0 && fault.asker < KERR_ASKER_HOST_READ) {
            s->running = (gdb_thread){fault.asker_tile, (kerr_core)(fault.asker - 1)};
        }
        break;
    }
    say_stop(s, SIGNAL_ILL, "");
}

static void say_hit(gdb_session *s, const kerr_stop *stops, const uint8_t *of, const kerr_stop_hit *hit)
{
    static const char *const words[] = {"swbreak:;", "hwbreak:;", "watch:", "rwatch:", "awatch:"};
    const gdb_point *p = NULL;
    if (hit->index == GDB_WATCHED) {
        for (unsigned i = 0; i < GDB_POINTS_MAX && p == NULL; i++) {
            p = s->point[i].watched ? &s->point[i] : NULL;
        }
        if (p != NULL && (int)hit->pc >= 0) {
            s->running = (gdb_thread){p->at, (kerr_core)hit->pc};
        }
    } else if (hit->index != GDB_STEPPED) {
        p = &s->point[of[hit->index]];
        s->running = (gdb_thread){stops[hit->index].at, (kerr_core)stops[hit->index].core};
    }
    char more[48] = "";
    if (p != NULL && p->type >= '2') {
        snprintf(more, sizeof more, "%s%" PRIx32 ";", words[p->type - '0'], p->address);
    } else if (p != NULL) {
        snprintf(more, sizeof more, "%s", words[p->type - '0']);
    }
    say_stop(s, SIGNAL_TRAP, more);
}

/* What was found on the way here, but for the fault that stopped the chip.  Who has gone back has it to come again. */
static void say_findings(gdb_session *s)
{
    uint32_t count = 0;
    kerr_finding finding;
    (void)kerr_finding_count(s->chip, &count);
    for (uint32_t i = s->findings; i < count && kerr_finding_get(s->chip, i, &finding) == KERR_OK; i++) {
        char line[512];
        if (!finding.stopping) {
            (void)kerr_finding_format(&finding, line, sizeof line);
            gdb_add(&s->told, "kerr: found: %s\n", line);
        }
    }
    s->findings = count;
}

/* Nothing can advance any more. */
static void say_end(gdb_session *s)
{
    kerr_end end = {.cycle = 0};
    (void)kerr_end_query(s->chip, &end);
    if (end.verdict == KERR_VERDICT_FINISHED) {
        gdb_add(&s->told, "kerr: finished after %" PRIu64 " cycles: every core that was started has ended or idles\n",
                end.cycle);
    } else {
        gdb_add(&s->told,
                "kerr: hung: nothing can advance, and not every core is finished (cycle %" PRIu64
                "); monitor threads and monitor sync say more\n",
                gdb_now(s));
    }
}

static void say_result(gdb_session *s, gdb_result how, const kerr_stop *stops, const uint8_t *of,
                       const kerr_stop_hit *hit)
{
    if (how != GDB_GONE) {
        say_findings(s);
    }
    switch (how) {
    case GDB_STOPPED: say_hit(s, stops, of, hit); return;
    case GDB_INTERRUPTED: say_stop(s, SIGNAL_INT, ""); return;
    case GDB_FAULTED: say_fault(s); return;
    case GDB_BEGIN: say_stop(s, SIGNAL_TRAP, "replaylog:begin;"); return;
    case GDB_IDLE:
        say_end(s);
        say_stop(s, SIGNAL_INT, "");
        return;
    case GDB_GONE:
        s->over = s->gone = true;
        gdb_add(&s->reply, "W00;process:%" PRIx32, gdb_process(s->running.at));
        return;
    case GDB_BROKEN: break;
    }
    gdb_add(&s->told, "kerr: the chip does not run on: out of memory\n");
    say_stop(s, SIGNAL_INT, "");
}

/* ---- Running ---------------------------------------------------------------------------------------------- */

static uint32_t pc_of(const gdb_session *s)
{
    uint32_t pc = 0;
    (void)kerr_reg_get(s->chip, s->running.at, s->running.core, KERR_REG_PC, &pc);
    return pc;
}

static void step(gdb_session *s, uint32_t from, uint32_t to)
{
    kerr_stop stops[KERR_STOPS_MAX];
    uint8_t of[KERR_STOPS_MAX];
    kerr_stop_hit hit;
    gdb_result how;
    const size_t count = make_stops(s, s->only, stops, of);
    do {
        how = s->time->step(s->time_context, &s->running, stops, count, &hit);
    } while (how == GDB_STOPPED && hit.index == GDB_STEPPED && pc_of(s) - from < to - from &&
             !s->time->interrupted(s->time_context));
    say_result(s, how, stops, of, &hit);
}

/* The process of all actions of a vCont; 0 if there are several, or an action is for all. */
static uint32_t process_of(const char *packet)
{
    uint32_t only = 0;
    for (const char *at = strchr(packet, ';'); at != NULL; at = strchr(at + 1, ';')) {
        const char *who = strchr(at, ':'), *next = strchr(at + 1, ';');
        unsigned process = 0;
        if (who == NULL || (next != NULL && who > next) || sscanf(who, ":p%x.", &process) != 1 ||
            (only != 0 && only != process)) {
            return 0;
        }
        only = process;
    }
    return only;
}

/* vCont;ACTION[:THREAD];...  One step decides; else all go on. */
void gdb_run(gdb_session *s, const char *packet)
{
    gdb_thread fresh;
    if (gdb_new_libraries(s, process_of(packet),
                          &fresh)) { /* before any time passes: gdb reads them, and lets it go on by itself */
        s->general = fresh;
        gdb_add(&s->reply, "T05thread:p%" PRIx32 ".%x;library:;", gdb_process(fresh.at), (unsigned)fresh.core + 1);
        return;
    }
    s->only = process_of(packet);
    for (const char *at = strchr(packet, ';'); at != NULL; at = strchr(at + 1, ';')) {
        const char action = at[1];
        if (action != 's' && action != 'S' && action != 'r') {
            continue;
        }
        unsigned process = 0, thread = 0;
        uint32_t from = 0, to = 0;
        if (action == 'r') {
            (void)sscanf(at + 2, "%" SCNx32 ",%" SCNx32, &from, &to);
        }
        const char *who = strchr(at + 1, ':');
        if (who != NULL && sscanf(who, ":p%x.%x", &process, &thread) == 2) {
            (void)gdb_thread_of(process, thread, &s->running);
        }
        step(s, from, to);
        return;
    }
    kerr_stop stops[KERR_STOPS_MAX];
    uint8_t of[KERR_STOPS_MAX];
    kerr_stop_hit hit;
    const size_t count = make_stops(s, s->only, stops, of);
    const gdb_result how = s->time->go_on(s->time_context, stops, count, &hit);
    say_result(s, how, stops, of, &hit);
}

void gdb_run_back(gdb_session *s, bool step_back)
{
    kerr_stop stops[KERR_STOPS_MAX];
    uint8_t of[KERR_STOPS_MAX];
    kerr_stop_hit hit;
    size_t count = 0;
    s->only = 0;
    if (s->time->back == NULL) {
        gdb_add(&s->reply, "E01");
        return;
    }
    if (step_back) {
        stops[count] = (kerr_stop){.at = s->running.at, .core = (uint8_t)s->running.core, .kind = KERR_STOP_STEP};
        of[count++] = 0;
    } else {
        count = make_stops(s, s->only, stops, of);
    }
    const gdb_result how = s->time->back(s->time_context, stops, count, &hit);
    if (step_back && hit.index == 0) {
        hit.index = GDB_STEPPED;
    }
    say_result(s, how, stops, of, &hit);
}
