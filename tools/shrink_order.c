/* SPDX-License-Identifier: Apache-2.0 */
/* kerr shrink: which two accesses have changed their order.
 *
 * Memory and registers are looked at in pieces: 16 bytes of L1, a row, a register.  An access to a piece has a name, who and
 * which instruction, and counts how often that was there before, so that it can be found in the other run.  What it depends on is
 * the write before it.  The first access of the bad run, by cycle, that has another write before it than in the good run is one end of
 * the pair; semaphores come last.  Loops that poll do so a different number of times in each run, and are left out. */
#include "shrink.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kerr_findings.h"

enum { PIECE_SHIFT = 4 };

typedef struct record {
    kerr_access access;
    kerr_xy at;
    uint8_t space;
} record;

typedef struct touch {
    uint64_t piece; /* tile, space, number */
    uint64_t name;  /* who, and which instruction */
    uint64_t cycle;
    uint32_t record, times; /* times: how often `name` has touched the piece before */
    uint32_t total;         /* ... and does in all */
    int64_t before;         /* touch: the write before it, -1 none */
    bool is_write;
} touch;

typedef struct access_log {
    record *records;
    touch *touches;
    size_t count, room, touch_count, touch_room;
} access_log;

static bool grow(void **array, size_t *room, size_t count, size_t size)
{
    if (count < *room) {
        return true;
    }
    const size_t larger = *room == 0 ? 4096 : *room * 2;
    void *moved = realloc(*array, larger * size);
    if (moved == NULL) {
        return false;
    }
    *array = moved;
    *room = larger;
    return true;
}

static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ b) * UINT64_C(0xBF58476D1CE4E5B9);
    return (z ^ z >> 29) * UINT64_C(0x94D049BB133111EB);
}

static uint64_t name_of(const kerr_access *a)
{
    const uint64_t who = (uint64_t)a->actor << 40 | (uint64_t)a->tile.x << 32 | (uint64_t)a->tile.y << 24 |
                         (uint64_t)(uint8_t)a->core << 16 | (uint64_t)a->thread << 8 | (uint64_t)a->noc << 4 |
                         a->is_write;
    return mixed(mixed(who, a->pc), a->instruction);
}

static bool add_touches(access_log *log, const record *r, uint32_t index)
{
    const unsigned shift = r->space == KERR_SPACE_L1 ? PIECE_SHIFT : 0;
    const uint64_t first = r->access.address >> shift,
                   last = (r->access.address + (r->access.size ? r->access.size - 1 : 0)) >> shift;
    for (uint64_t piece = first; piece <= last; piece++) {
        if (!grow((void **)&log->touches, &log->touch_room, log->touch_count, sizeof *log->touches)) {
            return false;
        }
        log->touches[log->touch_count++] =
            (touch){.piece = (uint64_t)r->at.x << 56 | (uint64_t)r->at.y << 48 | (uint64_t)r->space << 40 | piece,
                    .name = name_of(&r->access),
                    .cycle = r->access.cycle,
                    .record = index,
                    .is_write = r->access.is_write};
    }
    return true;
}

static bool read_line(FILE *from, record *r)
{
    unsigned x, y, space, actor, ax, ay, thread, unit, noc;
    int core;
    char how;
    kerr_access *a = &r->access;
    *r = (record){.space = 0};
    if (fscanf(from, "%" SCNu64 " %u %u %u %" SCNu32 " %" SCNu32 " %c %u %u %u %d %u %u %u %" SCNu32 " %" SCNu32 "\n",
               &a->cycle, &x, &y, &space, &a->address, &a->size, &how, &actor, &ax, &ay, &core, &thread, &unit, &noc,
               &a->pc, &a->instruction) != 16) {
        return false;
    }
    r->at = (kerr_xy){(uint8_t)x, (uint8_t)y};
    r->space = (uint8_t)space;
    a->actor = (uint8_t)actor;
    a->tile = (kerr_xy){(uint8_t)ax, (uint8_t)ay};
    a->core = (int8_t)core;
    a->thread = (uint8_t)thread;
    a->unit = (uint8_t)unit;
    a->noc = (uint8_t)noc;
    a->is_write = how == 'W';
    return true;
}

static int by_cycle(const void *left, const void *right)
{
    const touch *a = left, *b = right;
    if (a->piece != b->piece) {
        return a->piece < b->piece ? -1 : 1;
    }
    if (a->cycle != b->cycle) {
        return a->cycle < b->cycle ? -1 : 1;
    }
    return a->record < b->record ? -1 : a->record > b->record;
}

static int by_name(const void *left, const void *right)
{
    const touch *a = *(const touch *const *)left, *b = *(const touch *const *)right;
    if (a->piece != b->piece) {
        return a->piece < b->piece ? -1 : 1;
    }
    if (a->name != b->name) {
        return a->name < b->name ? -1 : 1;
    }
    if (a->cycle != b->cycle) {
        return a->cycle < b->cycle ? -1 : 1;
    }
    return a->record < b->record ? -1 : a->record > b->record;
}

static bool same_name(const touch *a, const touch *b)
{
    return a->piece == b->piece && a->name == b->name;
}

/* Sorts by piece and cycle, and says of each touch which write is before it and the how manieth of its name it is. */
static bool put_in_order(access_log *log)
{
    const size_t count = log->touch_count;
    qsort(log->touches, count, sizeof *log->touches, by_cycle);
    touch **names = malloc((count + 1) * sizeof *names);
    if (names == NULL) {
        return false;
    }
    int64_t write = -1;
    for (size_t i = 0; i < count; i++) {
        touch *t = &log->touches[i];
        if (i == 0 || log->touches[i - 1].piece != t->piece) {
            write = -1;
        }
        t->before = write;
        write = t->is_write ? (int64_t)i : write;
        names[i] = t;
    }
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && same_name(names[i], names[end]); end++) {
            names[end]->times = (uint32_t)(end - i);
        }
        for (size_t n = i; n < end; n++) {
            names[n]->total = (uint32_t)(end - i);
        }
    }
    free(names);
    return true;
}

static bool read_log(access_log *log, const char *path, tool_error *error)
{
    FILE *from = fopen(path, "re");
    record r;
    bool room = true;
    if (from == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    while (room && read_line(from, &r)) {
        room = grow((void **)&log->records, &log->room, log->count, sizeof *log->records);
        if (room) {
            log->records[log->count] = r;
            room = add_touches(log, &r, (uint32_t)log->count++);
        }
    }
    (void)fclose(from);
    return (room && put_in_order(log)) || tool_fail(error, "out of memory for the log of accesses");
}

static void free_log(access_log *log)
{
    free(log->records);
    free(log->touches);
}

/* ---- Comparing ---------------------------------------------------------------------------------------------------- */

/* Where the piece begins in a log, and where it ends. */
static void piece_of(const access_log *log, uint64_t piece, size_t *from, size_t *to)
{
    size_t low = 0, high = log->touch_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (log->touches[middle].piece < piece) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *from = *to = low;
    while (*to < log->touch_count && log->touches[*to].piece == piece) {
        ++*to;
    }
}

static const touch *find(const access_log *log, size_t from, size_t to, const touch *like)
{
    for (size_t i = from; i < to; i++) {
        if (log->touches[i].name == like->name && log->touches[i].times == like->times) {
            return &log->touches[i];
        }
    }
    return NULL;
}

static bool same_write(const access_log *a, const touch *x, const access_log *b, const touch *y)
{
    if (x->before < 0 || y->before < 0) {
        return x->before < 0 && y->before < 0;
    }
    const touch *p = &a->touches[x->before], *q = &b->touches[y->before];
    return p->name == q->name && p->times == q->times;
}

/* The other end: the write that was before it in the good run and is behind it in the bad one, or the other way round. */
static const touch *other_end(const access_log *bad, size_t from, size_t to, const touch *t, const access_log *good,
                              const touch *twin)
{
    if (twin->before >= 0) {
        const touch *w = find(bad, from, to, &good->touches[twin->before]);
        if (w != NULL && w > t) {
            return w;
        }
    }
    return t->before >= 0 ? &bad->touches[t->before] : NULL;
}

typedef struct pair {
    const touch *one, *two;
} pair;

static void compare_piece(const access_log *bad, size_t from, size_t to, const access_log *good, pair *first)
{
    size_t good_from, good_to;
    piece_of(good, bad->touches[from].piece, &good_from, &good_to);
    for (size_t i = from; i < to; i++) {
        const touch *t = &bad->touches[i];
        if (first->one != NULL && t->cycle >= first->one->cycle) {
            return;
        }
        const touch *twin = find(good, good_from, good_to, t);
        if (twin == NULL || twin->total != t->total || same_write(bad, t, good, twin)) {
            continue;
        }
        const touch *other = other_end(bad, from, to, t, good, twin);
        if (other != NULL && bad->records[other->record].access.actor != KERR_ACTOR_NONE) {
            *first = (pair){t, other};
            return;
        }
    }
}

static pair first_pair_of(const access_log *bad, const access_log *good, bool semaphores)
{
    pair first = {NULL, NULL};
    for (size_t from = 0, to; from < bad->touch_count; from = to) {
        for (to = from; to < bad->touch_count && bad->touches[to].piece == bad->touches[from].piece;) {
            to++;
        }
        if ((bad->records[bad->touches[from].record].space == KERR_SPACE_SEMAPHORE) == semaphores) {
            compare_piece(bad, from, to, good, &first);
        }
    }
    return first;
}

/* Posts and takes change their order in programs that are right too: they are named if nothing else is. */
static pair first_pair(const access_log *bad, const access_log *good)
{
    const pair first = first_pair_of(bad, good, false);
    return first.one != NULL ? first : first_pair_of(bad, good, true);
}

/* ---- Words -------------------------------------------------------------------------------------------------------- */

static void print_end(const record *r, programs *loaded)
{
    static const char *const spaces[KERR_SPACES] = {
        "L1", "Dst row", "SrcA row", "SrcB row", "GPR", "configuration word", "semaphore"};
    const kerr_access *a = &r->access;
    char text[KERR_INSTRUCTION_TEXT_MAX] = "", where[512] = "";
    printf("  cycle %-8" PRIu64, a->cycle);
    switch (a->actor) {
    case KERR_ACTOR_CORE:
        printf(" RISCV %s of %u,%u", kerr_core_name_of(KERR_TILE_TENSIX, (kerr_core)a->core), a->tile.x, a->tile.y);
        if (a->instruction != 0 && kerr_disassemble_riscv(a->instruction, a->pc, text, sizeof text)) {
            printf(": %s", text);
        }
        break;
    case KERR_ACTOR_THREAD:
        (void)kerr_disassemble_tensix(a->instruction, text, sizeof text);
        printf(" Tensix thread T%u of %u,%u: %s", a->thread, a->tile.x, a->tile.y, text);
        break;
    case KERR_ACTOR_NOC: printf(" NoC %u, asked for by %u,%u", a->noc, a->tile.x, a->tile.y); break;
    case KERR_ACTOR_HOST: printf(" the host"); break;
    default: printf(" a device"); break;
    }
    if (r->space == KERR_SPACE_L1) {
        printf("\n    %s L1 0x%05x, %u bytes, of tile %u,%u", a->is_write ? "writes" : "reads", a->address, a->size,
               r->at.x, r->at.y);
    } else {
        printf("\n    %s %s %u", a->is_write ? "writes" : "reads", spaces[r->space % KERR_SPACES],
               r->space == KERR_SPACE_GPR ? a->address % 64 : a->address);
    }
    if (a->core >= 0) {
        programs_describe(loaded, a->tile, a->core, a->pc, where, sizeof where);
        printf(", pc 0x%05x%s%s", a->pc, where[0] != '\0' ? " in " : "", where);
    }
    printf("\n");
}

bool shrink_order(const char *bad_path, const char *good_path, programs *loaded, bool *found, tool_error *error)
{
    access_log bad = {0}, good = {0};
    const bool read = read_log(&bad, bad_path, error) && read_log(&good, good_path, error);
    if (read) {
        const pair swapped = first_pair(&bad, &good);
        *found = swapped.one != NULL;
        if (*found) {
            const bool in_order = swapped.one < swapped.two;
            printf("what must swap: in this order it goes wrong, in the other it does not\n");
            print_end(&bad.records[(in_order ? swapped.one : swapped.two)->record], loaded);
            print_end(&bad.records[(in_order ? swapped.two : swapped.one)->record], loaded);
        }
    }
    free_log(&bad);
    free_log(&good);
    return read;
}
