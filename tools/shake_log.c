/* SPDX-License-Identifier: Apache-2.0 */
#include "shake_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kerr_findings.h"
#include "shake_file.h"

static void note_draw(shake_log *log, kerr_xy at, const kerr_trace_shake *draw)
{
    if (log->count == log->room) {
        const size_t room = log->room == 0 ? 1024 : log->room * 2;
        kerr_shake_range *larger = realloc(log->draws, room * sizeof *larger);
        if (larger == NULL) {
            log->lost = true;
            return;
        }
        log->draws = larger;
        log->room = room;
    }
    log->draws[log->count++] = (kerr_shake_range){.first = draw->number,
                                                  .last = draw->number,
                                                  .largest = draw->delay,
                                                  .sub = draw->sub,
                                                  .site = draw->site,
                                                  .at = at};
}

/* One line: cycle, tile, space, address, size, R or W, actor, its tile, core, thread, unit, NoC, pc, instruction. */
static void note_access(FILE *to, const kerr_trace_event *event)
{
    const kerr_access *a = event->access;
    fprintf(to, "%" PRIu64 " %u %u %u %u %u %c %u %u %u %d %u %u %u %u %u\n", event->cycle, event->at.x, event->at.y,
            event->space, a->address, a->size, a->is_write ? 'W' : 'R', a->actor, a->tile.x, a->tile.y, a->core,
            a->thread, a->unit, a->noc, a->pc, a->instruction);
}

static void on_event(void *context, const kerr_trace_event *event)
{
    shake_log *log = context;
    if (event->kind == KERR_TRACE_SHAKE && log->draws_path != NULL) {
        note_draw(log, event->at, event->shake);
    } else if (event->kind == KERR_TRACE_ACCESS && log->accesses != NULL) {
        note_access(log->accesses, event);
    }
}

bool shake_log_open(shake_log *log, kerr_chip *chip, tool_error *error)
{
    if (log->access_path != NULL) {
        log->accesses = fopen(log->access_path, "we");
        if (log->accesses == NULL) {
            return tool_fail(error, "%s: %s", log->access_path, strerror(errno));
        }
        const kerr_status status = kerr_set_checks(chip, KERR_CHECK_ACCESSES);
        if (status != KERR_OK) {
            return tool_fail(error, "--access-log: %s", kerr_status_text(status));
        }
    }
    const kerr_status status = kerr_set_trace_kinds(
        chip, KERR_TRACE_PARKING | KERR_TRACE_SHAKE | (log->accesses != NULL ? (uint32_t)KERR_TRACE_ACCESS : 0),
        on_event, log);
    return status == KERR_OK || tool_fail(error, "--shake-log: %s", kerr_status_text(status));
}

static int by_place(const void *left, const void *right)
{
    const kerr_shake_range *a = left, *b = right;
    if (a->site != b->site) {
        return a->site < b->site ? -1 : 1;
    }
    const unsigned p = a->at.y * (unsigned)KERR_GRID_X + a->at.x, q = b->at.y * (unsigned)KERR_GRID_X + b->at.x;
    if (p != q) {
        return p < q ? -1 : 1;
    }
    if (a->sub != b->sub) {
        return a->sub < b->sub ? -1 : 1;
    }
    return a->first < b->first ? -1 : a->first > b->first;
}

/* One and the same draw may have been asked for more than once. */
static void leave_out_twins(shake_log *log)
{
    qsort(log->draws, log->count, sizeof *log->draws, by_place);
    size_t kept = 0;
    for (size_t i = 0; i < log->count; i++) {
        if (kept == 0 || by_place(&log->draws[kept - 1], &log->draws[i]) != 0) {
            log->draws[kept++] = log->draws[i];
        }
    }
    log->count = kept;
}

static bool close_file(FILE *file, const char *path, tool_error *error)
{
    const bool bad = ferror(file) != 0;
    return (fclose(file) == 0 && !bad) || tool_fail(error, "%s: %s", path, strerror(errno));
}

bool shake_log_close(shake_log *log, kerr_chip *chip, tool_error *error)
{
    bool good = true;
    if (chip != NULL) {
        (void)kerr_set_trace_kinds(chip, 0, NULL, NULL);
    }
    if (log->accesses != NULL) {
        good = close_file(log->accesses, log->access_path, error);
        log->accesses = NULL;
    }
    if (good && log->draws_path != NULL && chip != NULL) {
        FILE *file = fopen(log->draws_path, "we");
        leave_out_twins(log);
        if (file == NULL) {
            good = tool_fail(error, "%s: %s", log->draws_path, strerror(errno));
        } else {
            shake_file_print(file, log->draws, log->count);
            good = close_file(file, log->draws_path, error);
        }
    }
    good = good && (!log->lost || tool_fail(error, "%s: out of memory, delays are missing", log->draws_path));
    free(log->draws);
    log->draws = NULL;
    return good;
}
