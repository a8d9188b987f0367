/* SPDX-License-Identifier: Apache-2.0 */
/* kerr replay: makes the calls of a log (kerr_record.h) again, on the library that a host program would open, and compares what
 * comes of them.  The host's memory, as the card sees it, is what the log says that it was. */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exec_library.h"
#include "kerr_record.h"
#include "progress.h"
#include "verbs.h"

enum { ENTRY_MAX = 1 << 30, DIFFERENCES_SHOWN = 10 };

typedef struct abi {
    void (*init)(void);
    void (*exit)(void);
    void (*callbacks)(void (*)(uint64_t, void *, uint32_t), void (*)(uint64_t, const void *, uint32_t));
    uint32_t (*config_read)(uint32_t, uint32_t);
    void (*config_write)(uint32_t, uint32_t, uint32_t);
    void (*read)(uint64_t, void *, uint32_t);
    void (*write)(uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
    void (*tile_read)(uint32_t, uint32_t, uint64_t, void *, uint32_t);
    void (*tile_write)(uint32_t, uint32_t, uint64_t, const void *, uint32_t);
} abi;

/* A log that is read from front to back.  `entry` is the next one; kind 0: the end. */
typedef struct log_file {
    FILE *file;
    const char *path;
    kerr_record_entry entry;
    uint64_t number; /* of it, from 1 */
    uint8_t *data;   /* of the entry before it */
    size_t room;
    bool broken;
} log_file;

typedef struct replay {
    const char *library;
    const char *log;
    log_file in;
    abi abi;
    int own; /* what the library logs of the replay */
    uint64_t calls, differences, chips;
    uint64_t hung; /* tiles that hung when the program closed their chip */
} replay;

/* The callbacks of the ABI have no argument of their caller's. */
static replay *playing;

/* ---- The log --------------------------------------------------------------------------------------------------- */

static bool has_data(unsigned kind)
{
    return kind == KERR_LOG_INIT || kind == KERR_LOG_WRITE || kind == KERR_LOG_TILE_WRITE || kind == KERR_LOG_DMA_READ;
}

static void look_ahead(log_file *in)
{
    in->number++;
    if (fread(&in->entry, sizeof in->entry, 1, in->file) != 1) {
        in->entry.kind = 0;
        return;
    }
    in->broken = in->broken || in->entry.kind >= KERR_LOG_KINDS || in->entry.size > ENTRY_MAX;
    if (in->broken) {
        in->entry.kind = 0;
    }
}

/* The next entry, with its data.  False: the log ends, or breaks off within it. */
static bool take(log_file *in, kerr_record_entry *entry)
{
    *entry = in->entry;
    if (entry->kind == 0) {
        return false;
    }
    if (entry->size > in->room) {
        uint8_t *more = realloc(in->data, entry->size);
        if (more == NULL) {
            in->broken = true;
            return false;
        }
        in->data = more;
        in->room = entry->size;
    }
    if (has_data(entry->kind) && entry->size > 0 && fread(in->data, entry->size, 1, in->file) != 1) {
        in->entry.kind = 0;
        return false;
    }
    look_ahead(in);
    return true;
}

static bool open_log(log_file *in, const char *path, tool_error *error)
{
    kerr_record_header header;
    in->path = path;
    in->file = fopen(path, "rbe");
    if (in->file == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    if (fread(&header, sizeof header, 1, in->file) != 1 || memcmp(header.magic, "kerrlog\n", 8) != 0) {
        return tool_fail(error, "%s: is not a log of kerr exec --record", path);
    }
    if (header.version != KERR_RECORD_VERSION) {
        return tool_fail(error, "%s: has version %" PRIu32 ", and this command knows %d", path, header.version,
                         KERR_RECORD_VERSION);
    }
    look_ahead(in);
    return true;
}

/* ---- Comparing ----------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void differ(replay *r, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (r->differences++ < DIFFERENCES_SHOWN) {
        (void)fprintf(stderr, "kerr replay: entry %" PRIu64 ": %s\n", r->in.number - 1, text);
    }
}

/* Of a read: the log has a hash of what the host got, and the chip's cycle. */
static void compare_result(replay *r, const void *data, uint32_t size)
{
    kerr_record_entry entry;
    if (r->in.entry.kind != KERR_LOG_RESULT || !take(&r->in, &entry)) {
        return; /* the log breaks off here */
    }
    if (entry.value != kerr_record_hash(data, size)) {
        differ(r, "a read of %" PRIu32 " bytes gives something else than it did", size);
    }
}

static void card_reads(uint64_t address, void *data, uint32_t size)
{
    replay *r = playing;
    kerr_record_entry entry;
    memset(data, 0, size);
    if (r->in.entry.kind != KERR_LOG_DMA_READ || !take(&r->in, &entry) || entry.address != address ||
        entry.size != size) {
        differ(r, "the card reads %" PRIu32 " bytes of host memory at 0x%" PRIx64 ", and did not then", size, address);
        return;
    }
    memcpy(data, r->in.data, size);
}

static void card_writes(uint64_t address, const void *data, uint32_t size)
{
    replay *r = playing;
    kerr_record_entry entry;
    if (r->in.entry.kind != KERR_LOG_DMA_WRITE || !take(&r->in, &entry) || entry.address != address ||
        entry.size != size || entry.value != kerr_record_hash(data, size)) {
        differ(r, "the card writes %" PRIu32 " bytes to host memory at 0x%" PRIx64 ", and did not then", size, address);
    }
}

/* ---- Playing --------------------------------------------------------------------------------------------------------- */

static bool find(void *library, const char *name, void *function, tool_error *error)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL || tool_fail(error, "%s is not in the library", name);
}

static bool open_library(replay *r, tool_error *error)
{
    char path[EXEC_PATH];
    if (!exec_library_find(r->library, path, error)) {
        return false;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return tool_fail(error, "%s", dlerror());
    }
    abi *a = &r->abi;
    return find(library, "libttsim_init", &a->init, error) && find(library, "libttsim_exit", &a->exit, error) &&
           find(library, "libttsim_set_pci_dma_mem_callbacks", &a->callbacks, error) &&
           find(library, "libttsim_pci_config_rd32", &a->config_read, error) &&
           find(library, "libttsim_pci_config_wr32", &a->config_write, error) &&
           find(library, "libttsim_pci_mem_rd_bytes", &a->read, error) &&
           find(library, "libttsim_pci_mem_wr_bytes", &a->write, error) &&
           find(library, "libttsim_clock", &a->clock, error) &&
           find(library, "libttsim_tile_rd_bytes", &a->tile_read, error) &&
           find(library, "libttsim_tile_wr_bytes", &a->tile_write, error);
}

/* The environment of the host program, as far as it counts: a log, which may be anybody's, sets no other variable. */
static void set_variables(const char *lines, size_t size)
{
    static const char *const names[] = {"KERR_SEED",      "KERR_SHAKE",   "KERR_ON_FAULT", "KERR_HARVEST",
                                        "KERR_HOST_TIME", "KERR_HANG_MS", "KERR_DEAD_MS",  "KERR_POLICY"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        (void)unsetenv(names[i]);
    }
    char *text = size != 0 ? strndup(lines, size) : NULL, *rest = text;
    for (char *line = text != NULL ? strsep(&rest, "\n") : NULL; line != NULL; line = strsep(&rest, "\n")) {
        char *value = strchr(line, '=');
        bool counts = false;
        for (unsigned i = 0; value != NULL && i < sizeof names / sizeof *names; i++) {
            counts = counts || (strlen(names[i]) == (size_t)(value - line) &&
                                strncmp(line, names[i], (size_t)(value - line)) == 0);
        }
        if (counts) {
            *value = '\0';
            const bool ends = strcmp(line, "KERR_ON_FAULT") == 0 && strcmp(value + 1, "card") != 0;
            (void)setenv(line, ends ? "dead" : value + 1, 1); /* we stay to see the end */
        }
    }
    free(text);
}

static void play_init(replay *r, const kerr_record_entry *entry)
{
    set_variables((const char *)r->in.data, entry->size);
    if ((entry->address & 1) != 0) {
        r->abi.callbacks(card_reads, card_writes);
    } else {
        r->abi.callbacks(NULL, NULL);
    }
    r->chips++;
    r->abi.init();
}

static void play_read(replay *r, const kerr_record_entry *entry)
{
    uint8_t *data = malloc(entry->size > 0 ? entry->size : 1);
    if (data == NULL) {
        differ(r, "no memory for a read of %" PRIu32 " bytes", entry->size);
        return;
    }
    if (entry->kind == KERR_LOG_READ) {
        r->abi.read(entry->address, data, entry->size);
    } else {
        r->abi.tile_read(entry->x, entry->y, entry->address, data, entry->size);
    }
    if (entry->size != 0) {
        compare_result(r, data, entry->size);
    }
    free(data);
}

static void play(replay *r, const kerr_record_entry *entry)
{
    const uint32_t high = (uint32_t)(entry->address >> 32), low = (uint32_t)entry->address;
    r->calls++;
    switch ((kerr_record_kind)entry->kind) {
    case KERR_LOG_INIT: play_init(r, entry); break;
    case KERR_LOG_EXIT: r->abi.exit(); break;
    case KERR_LOG_CLOCK: r->abi.clock(low); break;
    case KERR_LOG_READ:
    case KERR_LOG_TILE_READ: play_read(r, entry); break;
    case KERR_LOG_WRITE:
    case KERR_LOG_TILE_WRITE: {
        /* The card may take data of the log meanwhile. */
        uint8_t *data = malloc(entry->size > 0 ? entry->size : 1);
        if (data != NULL) {
            memcpy(data, r->in.data, entry->size);
            if (entry->kind == KERR_LOG_WRITE) {
                r->abi.write(entry->address, data, entry->size);
            } else {
                r->abi.tile_write(entry->x, entry->y, entry->address, data, entry->size);
            }
        }
        free(data);
        break;
    }
    case KERR_LOG_CONFIG_READ: {
        const uint32_t value = r->abi.config_read(high, low);
        compare_result(r, &value, sizeof value);
        break;
    }
    case KERR_LOG_CONFIG_WRITE: r->abi.config_write(high, low, (uint32_t)entry->value); break;
    case KERR_LOG_DMA_READ:
    case KERR_LOG_DMA_WRITE:
    case KERR_LOG_RESULT:
    case KERR_LOG_HANG:
    case KERR_LOG_END:
    case KERR_LOG_KINDS: r->calls--; break; /* what comes of calls */
    }
}

/* ---- The end ----------------------------------------------------------------------------------------------------------- */

/* Cycle by cycle: the library has logged the replay, and both logs must be the same but for the environment in INIT. */
static bool compare_logs(replay *r, tool_error *error)
{
    char path[32];
    log_file then = {.file = NULL}, now = {.file = NULL};
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", r->own);
    bool ok = open_log(&then, r->log, error) && open_log(&now, path, error);
    kerr_record_entry a, b;
    uint64_t cycle = 0, hash = 0;
    bool ended = false;
    r->in.number = 1;
    while (ok && take(&then, &a) && take(&now, &b)) {
        r->in.number = then.number;
        const bool init = a.kind == KERR_LOG_INIT && b.kind == KERR_LOG_INIT;
        if (a.kind != b.kind || (!init && memcmp(&a, &b, sizeof a) != 0)) {
            if (a.kind == KERR_LOG_END && b.kind == KERR_LOG_END) {
                differ(r,
                       "the chip ends at cycle %" PRIu64 " with hash %016" PRIx64 ", and ended at %" PRIu64
                       " with %016" PRIx64,
                       b.address, b.value, a.address, a.value);
            } else if (a.kind == KERR_LOG_RESULT && b.kind == KERR_LOG_RESULT) {
                differ(r, "a read is answered at cycle %" PRIu64 ", and was at %" PRIu64, b.address, a.address);
            } else {
                differ(r, "the replay is at something else");
                break;
            }
        }
        if (b.kind == KERR_LOG_END) {
            ended = true;
            cycle = b.address;
            hash = b.value;
            r->hung += b.size;
        }
    }
    if (ok && ended) {
        (void)printf("the last chip ended at cycle %" PRIu64 " with hash %016" PRIx64 "\n", cycle, hash);
    } else if (ok) {
        (void)printf("the log ends, in a hang or because the program was killed, before the chip's end\n");
    }
    if (then.file != NULL) {
        (void)fclose(then.file);
    }
    if (now.file != NULL) {
        (void)fclose(now.file);
    }
    free(then.data);
    free(now.data);
    return ok;
}

static bool play_all(replay *r, tool_error *error)
{
    char path[32];
    r->own = memfd_create("kerr-replay", MFD_CLOEXEC);
    if (r->own < 0) {
        return tool_fail(error, "no memory for a log: %s", strerror(errno));
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", r->own);
    (void)setenv("KERR_RECORD", path, 1);
    if (!open_log(&r->in, r->log, error) || !open_library(r, error)) {
        return false;
    }
    const double begin = progress_now();
    kerr_record_entry entry;
    playing = r;
    while (take(&r->in, &entry) && entry.kind != KERR_LOG_HANG) {
        play(r, &entry);
    }
    if (r->in.broken) {
        return tool_fail(error, "%s: entry %" PRIu64 " is none", r->log, r->in.number);
    }
    (void)printf("%" PRIu64 " calls on %" PRIu64 " chip%s in %.2f s\n", r->calls, r->chips, r->chips == 1 ? "" : "s",
                 progress_now() - begin);
    return compare_logs(r, error);
}

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    replay *r = context;
    if (id == OPTION_REPLAY_LIBRARY) {
        r->library = value;
    } else if (r->log != NULL) {
        return tool_fail(error, "'%s' is too much: one log at a time", value);
    } else {
        r->log = value;
    }
    return true;
}

int replay_main(int count, char *const *arguments)
{
    replay r = {.log = NULL};
    tool_error error;
    bool help = false;
    if (!options_parse(VERB_REPLAY, count, arguments, take_argument, &r, &help, &error)) {
        return verb_refuse(VERB_REPLAY, &error);
    }
    if (help) {
        options_help_verb(stdout, VERB_REPLAY);
        return EXIT_OK;
    }
    if (r.log == NULL) {
        tool_error_set(&error, "there is no log to replay; see kerr replay --help");
        return verb_refuse(VERB_REPLAY, &error);
    }
    const bool ok = play_all(&r, &error);
    if (r.in.file != NULL) {
        (void)fclose(r.in.file);
    }
    free(r.in.data);
    if (!ok) {
        return verb_refuse(VERB_REPLAY, &error);
    }
    (void)printf("%s\n", r.differences == 0 ? "the same bits, the same cycles" : "NOT the same");
    if (r.hung > 0) {
        (void)printf("%" PRIu64 " tile%s hung when the program closed the chip\n", r.hung, r.hung == 1 ? "" : "s");
    }
    return r.differences != 0 ? EXIT_FAULT : r.hung > 0 ? EXIT_HUNG : EXIT_OK;
}
