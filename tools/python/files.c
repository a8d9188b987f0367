/* SPDX-License-Identifier: Apache-2.0 */
#include "python/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "chip_file.h"
#include "timeline.h"
#include "tool_error.h"

struct kerr_files_trace {
    timeline line;
    FILE *file;
    uint64_t cycle; /* of the last event */
    uint64_t events;
    kerr_files_ask ask;
    void *context;
    char path[];
};

static bool told(bool good, const tool_error *error, char *text, size_t size)
{
    (void)snprintf(text, size, "%s", good ? "" : error->text);
    return good;
}

bool kerr_files_save(const char *path, const kerr_chip *chip, kerr_files_ask ask, void *context, char *text,
                     size_t size)
{
    tool_error error = {.text = ""};
    return told(chip_file_write_asking(path, chip, ask, context, &error), &error, text, size);
}

bool kerr_files_restore(const char *path, kerr_chip *chip, bool keep, kerr_files_ask ask, void *context, char *text,
                        size_t size)
{
    tool_error error = {.text = ""};
    return told(chip_file_restore(path, chip, keep, ask, context, &error), &error, text, size);
}

static void on_event(void *context, const kerr_trace_event *event)
{
    enum { ASK_EVENTS = 1 << 15 }; /* some milliseconds */
    kerr_files_trace *trace = context;
    if (++trace->events % ASK_EVENTS == 0) {
        (void)trace->ask(trace->context);
    }
    trace->cycle = event->cycle > trace->cycle ? event->cycle : trace->cycle;
    timeline_event(&trace->line, event);
}

kerr_files_trace *kerr_files_trace_begin(const char *path, kerr_chip *chip, kerr_files_function function,
                                         kerr_files_ask ask, void *context, char *text, size_t size)
{
    enum { BUFFER_BYTES = 1 << 20 };
    const uint32_t kinds = KERR_TRACE_INSTRUCTION | KERR_TRACE_STATE | KERR_TRACE_TENSIX | KERR_TRACE_PARKING;
    kerr_files_trace *trace = calloc(1, sizeof *trace + strlen(path) + 1);
    text[0] = '\0';
    if (trace == NULL) {
        (void)snprintf(text, size, "out of memory");
        return NULL;
    }
    memcpy(trace->path, path, strlen(path) + 1);
    trace->ask = ask;
    trace->context = context;
    trace->file = fopen(path, "we");
    if (trace->file == NULL) {
        (void)snprintf(text, size, "%s: cannot write it: %s", path, strerror(errno));
        free(trace);
        return NULL;
    }
    (void)setvbuf(trace->file, NULL, _IOFBF, BUFFER_BYTES);
    kerr_status status = timeline_begin(&trace->line, trace->file, function, context, true) ? KERR_OK : KERR_NO_MEMORY;
    status = status == KERR_OK ? kerr_set_trace_kinds(chip, kinds, on_event, trace) : status;
    if (status != KERR_OK) {
        (void)snprintf(text, size, "the trace cannot be switched on: %s", kerr_status_text(status));
        (void)timeline_end(&trace->line, 0);
        (void)fclose(trace->file);
        free(trace);
        return NULL;
    }
    return trace;
}

bool kerr_files_trace_end(kerr_files_trace *trace, kerr_chip *chip, char *text, size_t size)
{
    if (chip != NULL) {
        (void)kerr_set_trace(chip, NULL, NULL);
        (void)kerr_cycle(chip, &trace->cycle);
    }
    errno = 0;
    bool good = timeline_end(&trace->line, trace->cycle);
    good = fflush(trace->file) == 0 && !ferror(trace->file) && good;
    int why = errno;
    if (fclose(trace->file) != 0) {
        good = false;
        why = why != 0 ? why : errno;
    }
    (void)snprintf(text, size, "%s: cannot write it: %s", good ? "" : trace->path,
                   good ? "" : strerror(why != 0 ? why : EIO));
    free(trace);
    return good;
}
