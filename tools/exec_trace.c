/* SPDX-License-Identifier: Apache-2.0 */
/* The file is walked twice: for the code, then, chip by chip, for the events. */
#include "exec_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "code_match.h"
#include "kerr_feed.h"
#include "timeline.h"

enum { WORDS = KERR_FEED_CODE_BYTES / 4, PROCESSES = 4096, CHIPS = 256, PATH_BYTES = 4096 };

/* Code that a process told of. */
typedef struct fed_code {
    size_t piece;
    const char *name[WORDS];
    bool known[WORDS];
} fed_code;

typedef struct process {
    int32_t pid;
    fed_code *codes;
    uint32_t count, room;
    uint32_t chips;
} process;

typedef struct player {
    const uint8_t *data;
    size_t size;
    code_match *match;
    process *processes;
    size_t process_count;
    /* The chip whose timeline is made. */
    const process *of;
    timeline line;
    const fed_code *now[KERR_GRID_Y][KERR_GRID_X][KERR_CORE_COUNT]; /* code that each core is in */
    uint64_t last;                                                  /* cycle */
} player;

typedef struct cursor {
    const uint8_t *at, *end; /* of the chunk's records */
    int32_t pid;
    size_t next; /* chunk */
} cursor;

/* The next chunk.  False: there is none, or it is cut short. */
static bool next_chunk(const player *p, cursor *c)
{
    kerr_feed_chunk chunk;
    if (p->size - c->next < sizeof chunk) {
        return false;
    }
    memcpy(&chunk, p->data + c->next, sizeof chunk);
    if (chunk.bytes > p->size - c->next - sizeof chunk) {
        return false;
    }
    c->pid = chunk.pid;
    c->at = p->data + c->next + sizeof chunk;
    c->end = c->at + chunk.bytes;
    c->next += sizeof chunk + chunk.bytes;
    return true;
}

typedef struct fed {
    kerr_feed_record record;
    kerr_trace_event event;
    kerr_trace_tensix tensix;
    const uint8_t *code;
} fed;

static bool take_bytes(cursor *c, void *to, size_t size)
{
    if ((size_t)(c->end - c->at) < size) {
        return false;
    }
    memcpy(to, c->at, size);
    c->at += size;
    return true;
}

static bool next_record(cursor *c, fed *f)
{
    if (!take_bytes(c, &f->record, sizeof f->record)) {
        return false;
    }
    if (f->record.kind == KERR_FEED_CODE) {
        f->code = c->at;
        c->at += KERR_FEED_CODE_BYTES;
        return c->at <= c->end;
    }
    if (f->record.kind != KERR_FEED_EVENT) {
        return true;
    }
    if (!take_bytes(c, &f->event, sizeof f->event)) {
        return false;
    }
    const bool tensix = f->event.tensix != NULL;
    f->event.tensix = tensix ? &f->tensix : NULL;
    return (!tensix || take_bytes(c, &f->tensix, sizeof f->tensix)) && f->event.at.x < KERR_GRID_X &&
           f->event.at.y < KERR_GRID_Y && (unsigned)f->event.core < KERR_CORE_COUNT;
}

/* ---- Code ------------------------------------------------------------------------------------------------------- */

static process *process_of(player *p, int32_t pid)
{
    for (size_t i = 0; i < p->process_count; i++) {
        if (p->processes[i].pid == pid) {
            return &p->processes[i];
        }
    }
    if (p->process_count == PROCESSES) {
        return NULL;
    }
    p->processes[p->process_count] = (process){.pid = pid};
    return &p->processes[p->process_count++];
}

static bool add_code(player *p, process *of, const fed *f)
{
    if (f->record.number != of->count) {
        return true; /* not ours */
    }
    if (of->count == of->room) {
        const uint32_t room = of->room == 0 ? 64 : of->room * 2;
        fed_code *more = realloc(of->codes, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        of->codes = more;
        of->room = room;
    }
    of->codes[of->count++] =
        (fed_code){.piece = code_match_want(p->match, f->record.address, f->code, KERR_FEED_CODE_BYTES)};
    return true;
}

static bool collect_code(player *p)
{
    cursor c = {.next = 0};
    fed f;
    while (next_chunk(p, &c)) {
        process *of = process_of(p, c.pid);
        while (of != NULL && next_record(&c, &f)) {
            of->chips += f.record.kind == KERR_FEED_CHIP;
            if (f.record.kind == KERR_FEED_CODE && !add_code(p, of, &f)) {
                return false;
            }
        }
    }
    return true;
}

static const char *function_at(void *context, kerr_xy at, unsigned core, uint32_t pc)
{
    player *p = context;
    fed_code *code = (fed_code *)(uintptr_t)p->now[at.y][at.x][core];
    if (code == NULL) {
        return NULL;
    }
    const unsigned word = pc / 4 % WORDS;
    if (!code->known[word]) {
        code->known[word] = true;
        code->name[word] = code_match_function(p->match, code->piece, pc);
    }
    return code->name[word];
}

/* ---- Timelines ------------------------------------------------------------------------------------------------------ */

static void play_record(player *p, const fed *f)
{
    switch ((kerr_feed_kind)f->record.kind) {
    case KERR_FEED_ENTER:
        if (f->record.at.x < KERR_GRID_X && f->record.at.y < KERR_GRID_Y && f->record.core < KERR_CORE_COUNT) {
            p->now[f->record.at.y][f->record.at.x][f->record.core] =
                f->record.number < p->of->count ? &p->of->codes[f->record.number] : NULL;
        }
        break;
    case KERR_FEED_EVENT:
        p->last = f->event.cycle > p->last ? f->event.cycle : p->last;
        timeline_event(&p->line, &f->event);
        break;
    case KERR_FEED_END: p->last = f->record.cycle; break;
    case KERR_FEED_CODE:
    case KERR_FEED_CHIP: break;
    }
}

/* The chip's events: from its beginning to that of the process's next. */
static void play_chip(player *p, uint32_t chip)
{
    cursor c = {.next = 0};
    fed f;
    bool ours = false;
    while (next_chunk(p, &c)) {
        while (c.pid == p->of->pid && next_record(&c, &f)) {
            if (f.record.kind == KERR_FEED_CHIP) {
                ours = f.record.number == chip;
            }
            if (ours) {
                play_record(p, &f);
            }
        }
    }
}

static bool write_timeline(player *p, uint32_t chip, const char *path, tool_error *error)
{
    FILE *file = fopen(path, "wbe");
    if (file == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    memset(p->now, 0, sizeof p->now);
    p->last = 0;
    bool ok = timeline_begin(&p->line, file, function_at, p, false);
    if (ok) {
        play_chip(p, chip);
        ok = timeline_end(&p->line, p->last);
    }
    return (fclose(file) == 0 && ok) || tool_fail(error, "%s: cannot write it", path);
}

/* run.pftrace, run.2.pftrace, ... */
static void number_path(const char *path, unsigned number, char *text, size_t size)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (number == 1) {
        (void)snprintf(text, size, "%s", path);
    } else if (dot == NULL || (slash != NULL && dot < slash)) {
        (void)snprintf(text, size, "%s.%u", path, number);
    } else {
        (void)snprintf(text, size, "%.*s.%u%s", (int)(dot - path), path, number, dot);
    }
}

static bool write_all(player *p, const char *path, tool_error *error)
{
    unsigned number = 0;
    for (size_t i = 0; i < p->process_count; i++) {
        p->of = &p->processes[i];
        for (uint32_t chip = 0; chip < p->of->chips && number < CHIPS; chip++) {
            char own[PATH_BYTES];
            number_path(path, ++number, own, sizeof own);
            if (!write_timeline(p, chip, own, error)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- Life ------------------------------------------------------------------------------------------------------------ */

bool exec_trace_open(exec_trace *made, const char *path, tool_error *error)
{
    char copy[PATH_BYTES];
    (void)snprintf(copy, sizeof copy, "%s", path);
    made->path = path;
    made->file = open(dirname(copy), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (made->file < 0) {
        made->file = memfd_create("kerr-trace", MFD_CLOEXEC); /* a file system that has no such files */
    }
    if (made->file < 0) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    (void)snprintf(made->feed, sizeof made->feed, "/proc/%ld/fd/%d", (long)getpid(), made->file);
    return true;
}

void exec_trace_close(exec_trace *trace)
{
    if (trace->file >= 0) {
        (void)close(trace->file);
    }
    trace->file = -1;
}

bool exec_trace_write(exec_trace *trace, const char *const *folders, size_t count, double seconds, tool_error *error)
{
    struct stat about;
    player *p = calloc(1, sizeof *p);
    process *processes = calloc(PROCESSES, sizeof *processes);
    bool ok = p != NULL && processes != NULL && fstat(trace->file, &about) == 0;
    if (ok) {
        *p = (player){.size = (size_t)about.st_size, .match = code_match_new(), .processes = processes};
        void *data = p->size > 0 ? mmap(NULL, p->size, PROT_READ, MAP_SHARED, trace->file, 0) : NULL;
        p->data = data != MAP_FAILED ? data : NULL;
        p->size = p->data != NULL ? p->size : 0;
        ok = p->match != NULL && collect_code(p);
    }
    if (ok) {
        code_match_search(p->match, folders, count, seconds);
    }
    const bool written = ok && write_all(p, trace->path, error);
    if (!ok) {
        (void)tool_fail(error, "%s: out of memory", trace->path);
    }
    for (size_t i = 0; p != NULL && i < p->process_count; i++) {
        free(p->processes[i].codes);
    }
    if (p != NULL) {
        if (p->data != NULL) {
            (void)munmap((void *)(uintptr_t)p->data, p->size);
        }
        code_match_free(p->match);
    }
    free(processes);
    free(p);
    return written;
}
