/* SPDX-License-Identifier: Apache-2.0 */
/* `monitor ...`: what gdb has no words for. */
#include "gdb_session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "monitor cycle              the present cycle\n"
    "monitor goto CYCLE         to that cycle, forward or back\n"
    "monitor threads            the three Tensix threads of this tile: what stands at their wait gates, and why\n"
    "monitor sync               its semaphores and mutexes, and whose the banks of SrcA and SrcB are\n"
    "monitor dst FIRST [ROWS [bf16|fp16|raw16|fp32|raw32]]    rows of Dst\n"
    "monitor srca|srcb FIRST [ROWS]                           rows of SrcA, SrcB\n"
    "monitor peek ADDRESS [WORDS]                             words as the NoC sees them: configuration, GPRs, "
    "registers\n"
    "monitor watch sem N | dst ROW | peek ADDRESS             runs until that changes\n"
    "monitor hash               of all state that can make a difference later\n"
    "monitor faults             what was found so far\n";

/* A line in words. */
enum { WORDS = 4, WORD_BYTES = 40, ROWS_MOST = 1024, ROW_MOST = 65535 };
#define GOTO_MOST UINT64_C(1000000000) /* cycles ahead, as kerr run goes without --cycles */
typedef struct words {
    char word[WORDS + 1][WORD_BYTES]; /* the last is there if there are too many */
    unsigned count;
} words;

static void cut(const char *line, words *w)
{
    *w = (words){.count = 0};
    for (line += strspn(line, " \t"); *line != '\0' && w->count <= WORDS; line += strspn(line, " \t")) {
        const size_t length = strcspn(line, " \t");
        snprintf(w->word[w->count++], WORD_BYTES, "%.*s", (int)(length < WORD_BYTES ? length : WORD_BYTES - 1), line);
        line += length;
    }
}

/* Decimal, or hexadecimal with 0x; what is none, or out of range, is told of. */
static bool number(const char *word, uint64_t low, uint64_t high, uint64_t *value, gdb_text *to)
{
    const bool hexadecimal = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    const char *digits = word + (hexadecimal ? 2 : 0);
    const size_t count = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
    errno = 0;
    *value = strtoull(digits, NULL, hexadecimal ? 16 : 10);
    if (count > 0 && digits[count] == '\0' && errno == 0 && *value >= low && *value <= high) {
        return true;
    }
    gdb_add(to, "'%s' is not a number from %" PRIu64 " to %" PRIu64 "\n", word, low, high);
    return false;
}

static void threads(gdb_session *s, gdb_text *to)
{
    for (uint32_t i = 0; i < 3; i++) {
        kerr_thread_info info;
        if (kerr_thread_query(s->chip, s->general.at, i, &info) != KERR_OK) {
            gdb_add(to, "this tile has no coprocessor\n");
            return;
        }
        if (!info.waits) {
            gdb_add(to, "T%u  nothing at the gate, %u in flight\n", i, info.in_flight);
            continue;
        }
        char text[KERR_INSTRUCTION_TEXT_MAX];
        (void)kerr_disassemble_tensix(info.word, text, sizeof text);
        gdb_add(
            to, "T%u  %s, since cycle %" PRIu64 ", reason %u detail 0x%x; pushed by %s at pc 0x%05x; %u in flight\n", i,
            text, info.since, info.reason, info.detail, info.pushed_by_b ? "B" : "its core", info.pc, info.in_flight);
    }
}

static void sync(gdb_session *s, gdb_text *to)
{
    static const char *const owner[] = {"unpackers", "Matrix Unit"};
    kerr_sync_info info;
    if (kerr_sync_query(s->chip, s->general.at, &info) != KERR_OK) {
        gdb_add(to, "this tile has no coprocessor\n");
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        gdb_add(to, "semaphore %u: %u of %u\n", i, info.semaphore[i].value, info.semaphore[i].max);
    }
    for (unsigned i = 0; i < 8; i++) {
        if (info.mutex[i] >= 0) {
            gdb_add(to, "mutex %u: held by thread %d\n", i, info.mutex[i]);
        }
    }
    gdb_add(to, "SrcA: %s, %s\nSrcB: %s, %s\n", owner[info.matrix_owns[0][0]], owner[info.matrix_owns[0][1]],
            owner[info.matrix_owns[1][0]], owner[info.matrix_owns[1][1]]);
}

static void rows(gdb_session *s, kerr_data_file file, unsigned first, unsigned count, gdb_text *to)
{
    for (unsigned row = first; row < first + count; row++) {
        uint32_t values[KERR_DATA_COLUMNS];
        if (kerr_data_row(s->chip, s->general.at, file, row, values) != KERR_OK) {
            gdb_add(to, "no row %u\n", row);
            return;
        }
        gdb_add(to, "%4u:", row);
        for (unsigned i = 0; i < KERR_DATA_COLUMNS; i++) {
            const uint32_t bits = file == KERR_DST_BF16 ? values[i] << 16 : values[i];
            float number;
            memcpy(&number, &bits, sizeof number);
            if (file == KERR_DST_BF16 || file == KERR_DST_FP32) {
                gdb_add(to, " %g", (double)number);
            } else {
                gdb_add(to, " %x", values[i]);
            }
        }
        gdb_add(to, "\n");
    }
}

static bool file_by_name(const char *name, kerr_data_file *file)
{
    static const char *const names[] = {"srca", "srcb", "bf16", "fp16", "raw16", "fp32", "raw32"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            *file = (kerr_data_file)i;
            return true;
        }
    }
    return false;
}

static void peek(gdb_session *s, uint64_t address, unsigned count, gdb_text *to)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t word = 0;
        if (kerr_peek(s->chip, s->general.at, address + 4 * (uint64_t)i, &word, sizeof word) != KERR_OK) {
            gdb_add(to, "nothing at 0x%" PRIx64 "\n", address + 4 * (uint64_t)i);
            return;
        }
        gdb_add(to, "0x%08" PRIx64 ": 0x%08x\n", address + 4 * (uint64_t)i, word);
    }
}

/* ---- Waiting for state that has no address of a core ---------------------------------------------------------- */

typedef struct place {
    enum { PLACE_SEMAPHORE, PLACE_DST, PLACE_WORD } kind;
    uint64_t number;
} place;

static bool look(const gdb_session *s, const place *at, uint32_t value[KERR_DATA_COLUMNS])
{
    memset(value, 0, sizeof(uint32_t) * KERR_DATA_COLUMNS);
    kerr_sync_info info;
    switch (at->kind) {
    case PLACE_SEMAPHORE:
        if (at->number > 7 || kerr_sync_query(s->chip, s->general.at, &info) != KERR_OK) {
            return false;
        }
        value[0] = info.semaphore[at->number].value;
        return true;
    case PLACE_DST:
        return kerr_data_row(s->chip, s->general.at, KERR_DST_RAW16, (uint32_t)at->number, value) == KERR_OK;
    default: return kerr_peek(s->chip, s->general.at, at->number, value, sizeof *value) == KERR_OK;
    }
}

static bool is_same(const gdb_session *s, const place *at, const uint32_t *value)
{
    uint32_t now[KERR_DATA_COLUMNS];
    return look(s, at, now) && memcmp(now, value, sizeof now) == 0;
}

/* Slices until it is another one at the end of one, then halves of that slice: the first cycle in which it is.  What comes and
 * goes within a slice is not seen. */
static void watch(gdb_session *s, const place *at, gdb_text *to)
{
    enum { SLICE = 64, MOST = 16 << 20 };
    uint32_t value[KERR_DATA_COLUMNS];
    if (!look(s, at, value)) {
        gdb_add(to, "there is no such thing here\n");
        return;
    }
    const uint64_t start = gdb_now(s);
    uint64_t low = start;
    for (;;) {
        const gdb_result how = s->time->go_to(s->time_context, low + SLICE);
        if (how != GDB_STOPPED || low - start > MOST || s->time->interrupted(s->time_context)) {
            gdb_add(to, "unchanged up to cycle %" PRIu64 "%s\n", gdb_now(s),
                    how == GDB_FAULTED ? ", where a fault stopped the chip" : "");
            return;
        }
        if (!is_same(s, at, value)) {
            break;
        }
        low += SLICE;
    }
    uint64_t high = low + SLICE; /* the same at low, another one at high */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (s->time->go_to(s->time_context, middle) != GDB_STOPPED) {
            break;
        }
        *(is_same(s, at, value) ? &low : &high) = middle;
    }
    (void)s->time->go_to(s->time_context, high);
    uint32_t now[KERR_DATA_COLUMNS];
    (void)look(s, at, now);
    gdb_add(to, "cycle %" PRIu64 ": from 0x%x to 0x%x\n", high, value[0], now[0]);
    gdb_add(to, "(flush register and frame caches: `maintenance flush register-cache`)\n");
}

static const char no_past[] = "not of a chip that a host program drives: its calls cannot be taken back\n";

static void on_watch(gdb_session *s, const words *w, gdb_text *to)
{
    static const char *const names[] = {[PLACE_SEMAPHORE] = "sem", [PLACE_DST] = "dst", [PLACE_WORD] = "peek"};
    place at = {.number = 0};
    unsigned kind = 0;
    if (s->time->go_to == NULL) {
        gdb_add(to, "%s", no_past);
        return;
    }
    while (kind < sizeof names / sizeof *names && strcmp(w->word[1], names[kind]) != 0) {
        kind++;
    }
    if (kind == sizeof names / sizeof *names || w->count != 3) {
        gdb_add(to, "%s", help);
    } else if (number(w->word[2], 0,
                      kind == PLACE_SEMAPHORE ? 7
                      : kind == PLACE_DST     ? ROW_MOST
                                              : UINT64_MAX,
                      &at.number, to)) {
        at.kind = kind;
        watch(s, &at, to);
    }
}

static void faults(gdb_session *s, gdb_text *to)
{
    uint32_t count = 0;
    kerr_fault fault;
    (void)kerr_fault_count(s->chip, &count);
    for (uint32_t i = 0; i < count && kerr_fault_get(s->chip, i, &fault) == KERR_OK; i++) {
        char line[512];
        kerr_fault_format(&fault, line, sizeof line);
        gdb_add(to, "%s\n", line);
    }
    if (count == 0) {
        gdb_add(to, "none\n");
    }
}

static void go_to(gdb_session *s, const char *word, gdb_text *to)
{
    uint64_t cycle = 0;
    if (s->time->go_to == NULL) {
        gdb_add(to, "%s", no_past);
        return;
    }
    if (!number(word, 0, gdb_now(s) + GOTO_MOST, &cycle, to)) {
        return;
    }
    const gdb_result how = s->time->go_to(s->time_context, cycle);
    gdb_add(to, "cycle %" PRIu64 "%s\n", gdb_now(s),
            how == GDB_FAULTED       ? ": a fault stopped the chip"
            : how == GDB_INTERRUPTED ? ": interrupted"
            : how != GDB_STOPPED     ? ": the chip does not run on"
                                     : "");
}

/* VERB FIRST [ROWS [FORMAT]] */
static void on_rows(gdb_session *s, const words *w, gdb_text *to)
{
    const bool dst = strcmp(w->word[0], "dst") == 0;
    uint64_t first = 0, count = 1;
    kerr_data_file file = KERR_DST_BF16;
    if (!file_by_name(dst ? w->count > 3 ? w->word[3] : "bf16" : w->word[0], &file) || (!dst && w->count > 3)) {
        gdb_add(to, "%s", help);
    } else if (number(w->word[1], 0, ROW_MOST, &first, to) &&
               (w->count < 3 || number(w->word[2], 1, ROWS_MOST, &count, to))) {
        rows(s, file, (unsigned)first, (unsigned)count, to);
    }
}

static void on_peek(gdb_session *s, const words *w, gdb_text *to)
{
    uint64_t address = 0, count = 1;
    if (number(w->word[1], 0, UINT64_MAX, &address, to) &&
        (w->count < 3 || number(w->word[2], 1, ROWS_MOST, &count, to))) {
        peek(s, address, (unsigned)count, to);
    }
}

static void hash(gdb_session *s, gdb_text *to)
{
    uint64_t value = 0;
    (void)kerr_hash(s->chip, &value);
    gdb_add(to, "hash %016" PRIx64 "\n", value);
}

static void cycle(gdb_session *s, gdb_text *to)
{
    gdb_add(to, "%" PRIu64 "\n", gdb_now(s));
}

void gdb_monitor(gdb_session *s, const char *line, gdb_text *to)
{
    static const struct {
        const char *verb;
        void (*fn)(gdb_session *s, gdb_text *to);
    } plain[] = {{"cycle", cycle}, {"hash", hash}, {"threads", threads}, {"sync", sync}, {"faults", faults}};
    words w;
    cut(line, &w);
    const char *verb = w.word[0];
    for (unsigned i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (strcmp(verb, plain[i].verb) == 0 && w.count == 1) {
            plain[i].fn(s, to);
            return;
        }
    }
    if (strcmp(verb, "goto") == 0 && w.count == 2) {
        go_to(s, w.word[1], to);
    } else if ((strcmp(verb, "dst") == 0 || strcmp(verb, "srca") == 0 || strcmp(verb, "srcb") == 0) && w.count >= 2 &&
               w.count <= WORDS) {
        on_rows(s, &w, to);
    } else if (strcmp(verb, "peek") == 0 && (w.count == 2 || w.count == 3)) {
        on_peek(s, &w, to);
    } else if (strcmp(verb, "watch") == 0) {
        on_watch(s, &w, to);
    } else {
        gdb_add(to, "%s", help);
    }
}
