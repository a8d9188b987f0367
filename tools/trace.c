/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions are shown as words: the disassembler will be the library's own, made from the table in isa/, and Debian
 * 12's capstone has no RISC-V. */
#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the coprocessor, a thread goes with its T core. */
static bool is_chosen(const trace *to, const kerr_trace_event *event)
{
    const unsigned core =
        event->kind == KERR_TRACE_TENSIX ? KERR_CORE_T0 + (unsigned)event->tensix->thread : (unsigned)event->core;
    return !to->has_filter || (tile_set_has(&to->tiles, event->at) && (to->cores >> core & 1) != 0);
}

static void print_event(trace *to, const kerr_trace_event *event)
{
    char place[TRACE_PLACE_SIZE];
    programs_describe(to->loaded, event->at, (int)event->core, event->pc, place, sizeof place);
    char *last = to->places[((size_t)event->at.y * KERR_GRID_X + event->at.x) * KERR_CORE_COUNT + event->core];
    const bool moved = strcmp(place, last) != 0;
    (void)fprintf(to->text_file, "%10" PRIu64 " %2u,%-2u %-2s %08" PRIx32 " %08" PRIx32 "%s%s\n", event->cycle,
                  event->at.x, event->at.y, kerr_core_name(event->core), event->pc, event->instruction,
                  moved ? "  " : "", moved ? place : "");
    if (moved) {
        memcpy(last, place, sizeof place);
    }
}

static void on_event(void *context, const kerr_trace_event *event)
{
    trace *to = context;
    if (to->profiled) {
        profile_event(&to->profile, event);
    }
    if (!is_chosen(to, event)) {
        return;
    }
    if (to->text_file != NULL && event->kind == KERR_TRACE_INSTRUCTION) {
        print_event(to, event);
    }
    if (to->file != NULL) {
        timeline_event(&to->line, event);
    }
}

static FILE *open_file(const char *path, tool_error *error)
{
    enum { BUFFER_BYTES = 1 << 20 };
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
    if (file == NULL) {
        (void)tool_fail(error, "%s: cannot write it: %s", path, strerror(errno));
    } else if (file != stdout) {
        (void)setvbuf(file, NULL, _IOFBF, BUFFER_BYTES);
    }
    return file;
}

static bool open_text(trace *to, tool_error *error)
{
    to->places = calloc((size_t)KERR_GRID_Y * KERR_GRID_X * KERR_CORE_COUNT, sizeof *to->places);
    if (to->places == NULL) {
        return tool_fail(error, "out of memory");
    }
    to->text_file = open_file(to->text_path, error);
    return to->text_file != NULL;
}

static const char *function_at(void *loaded, kerr_xy at, unsigned core, uint32_t pc)
{
    return programs_function(loaded, at, (int)core, pc);
}

static bool open_timeline(trace *to, tool_error *error)
{
    const bool to_stdout = strcmp(to->path, "-") == 0;
    if (to_stdout && to->text_path != NULL && strcmp(to->text_path, "-") == 0) {
        return tool_fail(error, "--trace and --trace-text cannot both go to standard output");
    }
    if (to_stdout && isatty(STDOUT_FILENO)) {
        return tool_fail(error, "--trace: the trace is binary and standard output is a terminal: give it a file");
    }
    FILE *file = open_file(to->path, error);
    if (file == NULL) {
        return false;
    }
    to->file = file;
    return timeline_begin(&to->line, file, function_at, to->loaded, true) || tool_fail(error, "out of memory");
}

bool trace_open(trace *to, kerr_chip *chip, programs *loaded, tool_error *error)
{
    to->chip = chip;
    to->loaded = loaded;
    if (!trace_is_wanted(to)) {
        return true;
    }
    if ((to->path != NULL && !open_timeline(to, error)) || (to->text_path != NULL && !open_text(to, error))) {
        return false;
    }
    uint32_t kinds = KERR_TRACE_INSTRUCTION;
    if (to->path != NULL || to->profiled) {
        kinds |= KERR_TRACE_STATE | KERR_TRACE_TENSIX;
    }
    if (to->profiled) {
        profile_begin(&to->profile, chip, loaded);
    }
    if (to->text_path == NULL) {
        kinds |= KERR_TRACE_PARKING;
    }
    const kerr_status status = kerr_set_trace_kinds(chip, kinds, on_event, to);
    return status == KERR_OK || tool_fail(error, "the trace cannot be switched on: %s", kerr_status_text(status));
}

static bool close_file(FILE **file, const char *path, bool ok, tool_error *error)
{
    if (fflush(*file) != 0 || ferror(*file)) {
        ok = false;
    }
    const int why = errno;
    if (*file != stdout && fclose(*file) != 0) {
        ok = false;
    }
    *file = NULL;
    return ok || tool_fail(error, "%s: cannot write it: %s", path, strerror(why != 0 ? why : errno));
}

bool trace_close(trace *to, tool_error *error)
{
    bool ok = true;
    uint64_t cycle = 0;
    if (to->chip != NULL) {
        (void)kerr_set_trace(to->chip, NULL, NULL);
        (void)kerr_cycle(to->chip, &cycle);
    }
    errno = 0;
    if (to->file != NULL) {
        const bool written = timeline_end(&to->line, cycle);
        ok = close_file(&to->file, to->path, written, error);
    }
    if (to->text_file != NULL && !close_file(&to->text_file, to->text_path, true, error)) {
        ok = false;
    }
    free(to->places);
    to->places = NULL;
    if (to->profile.chip != NULL && !profile_end(&to->profile)) {
        ok = tool_fail(error, "out of memory for the profile");
    }
    return ok;
}
