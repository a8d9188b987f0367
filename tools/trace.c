/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions are shown as words: the disassembler will be the library's own, made from the table in isa/, and Debian
 * 12's capstone has no RISC-V. */
#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_event(void *context, const kerr_trace_event *event)
{
    trace *to = context;
    if (to->has_filter && !(tile_set_has(&to->tiles, event->at) && (to->cores >> event->core & 1) != 0)) {
        return;
    }
    char place[TRACE_PLACE_SIZE];
    programs_describe(to->loaded, event->at, (int)event->core, event->pc, place, sizeof place);
    char *last = to->places[((size_t)event->at.y * KERR_GRID_X + event->at.x) * KERR_CORE_COUNT + event->core];
    const bool moved = strcmp(place, last) != 0;
    (void)fprintf(to->file, "%10" PRIu64 " %2u,%-2u %-2s %08" PRIx32 " %08" PRIx32 "%s%s\n", event->cycle, event->at.x,
                  event->at.y, kerr_core_name(event->core), event->pc, event->instruction, moved ? "  " : "",
                  moved ? place : "");
    if (moved) {
        memcpy(last, place, sizeof place);
    }
}

bool trace_open(trace *to, kerr_chip *chip, programs *loaded, tool_error *error)
{
    if (to->path == NULL) {
        return true;
    }
    to->loaded = loaded;
    to->places = calloc((size_t)KERR_GRID_Y * KERR_GRID_X * KERR_CORE_COUNT, sizeof *to->places);
    if (to->places == NULL) {
        return tool_fail(error, "out of memory");
    }
    to->file = strcmp(to->path, "-") == 0 ? stdout : fopen(to->path, "we");
    if (to->file == NULL) {
        return tool_fail(error, "%s: cannot write it: %s", to->path, strerror(errno));
    }
    const kerr_status status = kerr_set_trace(chip, print_event, to);
    return status == KERR_OK || tool_fail(error, "the trace cannot be switched on: %s", kerr_status_text(status));
}

bool trace_close(trace *to, tool_error *error)
{
    bool ok = true;
    if (to->file != NULL) {
        ok = fflush(to->file) == 0 && !ferror(to->file);
        if (to->file != stdout && fclose(to->file) != 0) {
            ok = false;
        }
        if (!ok) {
            ok = tool_fail(error, "%s: cannot write it: %s", to->path, strerror(errno));
        }
    }
    free(to->places);
    to->places = NULL;
    to->file = NULL;
    return ok;
}
