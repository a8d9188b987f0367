/* SPDX-License-Identifier: Apache-2.0 */
#include "waits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "chip_code.h"
#include "timeline.h"
#include "why.h"

enum {
    THREADS = 3,
    GROUPS_SHOWN = 12,
    TILES_NAMED = 8,
    CIRCULAR_BUFFERS = 64,
    TRANSACTION_IDS = 16,
};
/* Addresses as docs/noc-registers.md and docs/overlay-registers.md have them. */
#define NIU_BASE(noc) (0xFFB20000u + 0x10000u * (noc))
#define NIU_MST_REQS_OUTSTANDING_ID 0x240u
#define NOC_CMD_CTRL(initiator) (0x40u + 0x800u * (initiator))
#define STREAM_REGISTER(stream, index) (0xFFB40000u + 0x1000u * (stream) + 4u * (index))
/* What tt-metal keeps of circular buffer i in stream i (its stream_io_map.h). */
enum { TILES_ACKED = 8, TILES_RECEIVED = 10 };

typedef struct tile_text {
    kerr_xy at;
    char *text;
    char *key; /* what must be the same in tiles that are told of together: all but where in a loop a core stands */
    unsigned worth; /* being told of first */
} tile_text;
enum { WORTH_PARKED, WORTH_RUNNING, WORTH_WAITING, WORTH_STOPPED };

typedef struct tile_group {
    size_t first, size;
    unsigned worth;
} tile_group;

typedef struct waits {
    const kerr_chip *chip;
    const tile_set *wanted; /* NULL: all */
    const place_source *places;
    tile_text tiles[KERR_GRID_X * KERR_GRID_Y];
    size_t tile_count;
    FILE *key; /* of the tile that is looked at */
    char *now; /* its text so far */
    unsigned worth;
    why_graph graph;
    uint32_t under_way; /* NoC requests of the chip */
} waits;

/* ---- Source lines -------------------------------------------------------------------------------------------- */

/* ", in f() at file:line of program", if it is known. */
static void print_place(waits *w, FILE *to, kerr_xy at, int core, uint32_t pc)
{
    char text[400];
    kerr_place place = {.line = 0};
    w->places->fn(w->places->context, at, core, pc, &place);
    place_format(&place, true, text, sizeof text);
    if (text[0] != '\0') {
        (void)fprintf(to, ", in %s", text);
    }
}

/* ---- One tile ------------------------------------------------------------------------------------------------- */

static uint32_t peek_word(const waits *w, kerr_xy at, uint32_t address)
{
    uint32_t word = 0;
    return kerr_peek(w->chip, at, address, &word, sizeof word) == KERR_OK ? word : 0;
}

static void print_core(waits *w, FILE *to, kerr_xy at, kerr_tile_kind kind, kerr_core core)
{
    kerr_core_info info;
    kerr_core_end end = {.stand = KERR_STANDS_GOING_ON};
    if (kerr_core_query(w->chip, at, core, &info) != KERR_OK || info.state == KERR_CORE_IN_RESET) {
        return;
    }
    (void)kerr_core_end_query(w->chip, at, core, &end);
    char what[80] = "";
    const unsigned worth = info.state == KERR_CORE_STOPPED   ? WORTH_STOPPED
                           : info.state == KERR_CORE_WAITING ? WORTH_WAITING
                           : info.state == KERR_CORE_RUNNING ? WORTH_RUNNING
                                                             : WORTH_PARKED;
    const bool moves = worth == WORTH_RUNNING || info.state == KERR_CORE_PARKED;
    w->worth = worth > w->worth ? worth : w->worth;
    (void)kerr_address_format(kind, core, info.wait_address, info.wait_is_store, what, sizeof what);
    (void)fprintf(w->key, "%u %d %" PRIx32 " %" PRIx32 "\n", core, (int)info.state, info.wait_address,
                  moves ? 0 : info.pc);
    (void)fprintf(to, "    RISCV %-2s   ", kerr_core_name_of(kind, core));
    switch (info.state) {
    case KERR_CORE_WAITING: (void)fprintf(to, "waits%s %s", info.wait_is_store ? ", full:" : " for", what); break;
    case KERR_CORE_PARKED:
        if (end.stand == KERR_STANDS_ENDED) {
            (void)fprintf(to, "has ended");
        } else if (end.stand == KERR_STANDS_LOOPING) {
            (void)fprintf(to, "goes round a loop that reads nothing, and that its program does not name as an end");
        } else if (info.wait_address == 0) {
            (void)fprintf(to, "polls");
        } else {
            uint32_t word = 0;
            (void)fprintf(to, "%s %s", end.stand == KERR_STANDS_IDLE ? "idles and polls" : "polls", what);
            if (kerr_core_peek(w->chip, at, core, info.wait_address & ~3u, &word, sizeof word) == KERR_OK) {
                (void)fprintf(to, ", which is 0x%" PRIx32, word);
            }
        }
        break;
    case KERR_CORE_HALTED: (void)fprintf(to, "is halted"); break;
    case KERR_CORE_STOPPED: (void)fprintf(to, "was stopped by a fault"); break;
    default: (void)fprintf(to, "runs"); break;
    }
    (void)fprintf(to, "; pc 0x%05" PRIx32, info.pc);
    print_place(w, to, at, (int)core, info.pc);
    (void)fprintf(to, "\n");
}

static void print_thread(waits *w, FILE *to, kerr_xy at, unsigned thread)
{
    kerr_thread_info info;
    if (kerr_thread_query(w->chip, at, thread, &info) != KERR_OK || !info.waits) {
        return;
    }
    char reason[160], text[KERR_INSTRUCTION_TEXT_MAX];
    const kerr_trace_tensix record = {.event = KERR_TENSIX_GATE,
                                      .thread = (uint8_t)thread,
                                      .reason = info.reason,
                                      .by = info.by,
                                      .word = info.word,
                                      .detail = info.detail};
    timeline_reason(&record, reason, sizeof reason);
    w->worth = w->worth > WORTH_WAITING ? w->worth : WORTH_WAITING;
    (void)fprintf(w->key, "%u %" PRIx32 " %" PRIx32 " %s\n", thread, info.word, info.pc, reason);
    (void)kerr_disassemble_tensix(info.word, text, sizeof text);
    (void)fprintf(to,
                  "    Tensix T%u  %s waits since cycle %" PRIu64 ": %s; %u in flight; pushed by %s at pc 0x%05" PRIx32,
                  thread, text, info.since, reason, info.in_flight, info.pushed_by_b ? "B" : "its core", info.pc);
    print_place(w, to, at, (int)(info.pushed_by_b ? KERR_CORE_B : KERR_CORE_T0 + thread), info.pc);
    (void)fprintf(to, "\n");
}

static void print_sync(waits *w, FILE *to, kerr_xy at)
{
    static const char *const owner[2] = {"unpackers", "Matrix Unit"};
    kerr_sync_info sync;
    if (kerr_sync_query(w->chip, at, &sync) != KERR_OK) {
        return;
    }
    bool any = false;
    for (unsigned i = 0; i < 8; i++) {
        if (sync.semaphore[i].value != 0 || sync.semaphore[i].max != 0) {
            (void)fprintf(to, "%s %u: %u of %u", any ? "," : "    semaphores", i, sync.semaphore[i].value,
                          sync.semaphore[i].max);
            any = true;
        }
    }
    for (unsigned i = 0; i < 8; i++) {
        if (sync.mutex[i] >= 0) {
            (void)fprintf(to, "%s mutex %u held by T%d", any ? ";" : "   ", i, sync.mutex[i]);
            any = true;
        }
    }
    if (sync.matrix_owns[0][0] || sync.matrix_owns[0][1] || sync.matrix_owns[1][0] || sync.matrix_owns[1][1]) {
        (void)fprintf(to, "%s SrcA banks: %s, %s; SrcB banks: %s, %s", any ? ";" : "   ", owner[sync.matrix_owns[0][0]],
                      owner[sync.matrix_owns[0][1]], owner[sync.matrix_owns[1][0]], owner[sync.matrix_owns[1][1]]);
        any = true;
    }
    if (any) {
        (void)fprintf(to, "\n");
    }
}

static void print_circular_buffers(waits *w, FILE *to, kerr_xy at)
{
    bool any = false;
    for (unsigned i = 0; i < CIRCULAR_BUFFERS; i++) {
        const uint32_t received = peek_word(w, at, STREAM_REGISTER(i, TILES_RECEIVED)),
                       acked = peek_word(w, at, STREAM_REGISTER(i, TILES_ACKED));
        if (received != 0 || acked != 0) {
            (void)fprintf(to, "%s %u: %" PRIu32 " in, %" PRIu32 " out", any ? "," : "    circular buffers (tiles)", i,
                          received, acked);
            any = true;
        }
    }
    if (any) {
        (void)fprintf(to, "\n");
    }
}

static void print_noc(waits *w, FILE *to, kerr_xy at)
{
    for (unsigned noc = 0; noc < 2; noc++) {
        uint32_t sum = 0, busy = 0;
        for (unsigned i = 0; i < TRANSACTION_IDS; i++) {
            sum += peek_word(w, at, NIU_BASE(noc) + NIU_MST_REQS_OUTSTANDING_ID + 4 * i);
        }
        for (unsigned i = 0; i < 4; i++) {
            busy += peek_word(w, at, NIU_BASE(noc) + NOC_CMD_CTRL(i)) & 1;
        }
        if (sum != 0 || busy != 0) {
            (void)fprintf(to,
                          "    NoC %u      %" PRIu32 " requests without an answer, %" PRIu32 " that wait to be sent\n",
                          noc, sum, busy);
        }
    }
}

/* What they wait for, and what can never come. */
static void print_graph(waits *w, FILE *to, kerr_xy at)
{
    if (why_look(&w->graph, w->chip, at, w->places, w->under_way)) {
        why_print_graph(to, "    ", &w->graph);
    }
}

/* Everything else of a tile is the same in text and key. */
static void print_rest(waits *w, FILE *to, kerr_xy at)
{
    const long before = ftell(to);
    print_sync(w, to, at);
    print_circular_buffers(w, to, at);
    print_noc(w, to, at);
    print_graph(w, to, at);
    (void)fflush(to);
    (void)fprintf(w->key, "%s", before >= 0 && w->now != NULL ? w->now + before : "");
}

/* Nothing is filled in of a tile whose cores are all in reset, or without memory. */
static void look_at(waits *w, kerr_xy at, kerr_tile_kind kind, tile_text *made)
{
    size_t size = 0, key_size = 0;
    *made = (tile_text){.at = at};
    FILE *to = open_memstream(&w->now, &size);
    w->key = open_memstream(&made->key, &key_size);
    w->worth = 0;
    if (to != NULL && w->key != NULL) {
        for (uint32_t core = 0; core < kerr_tile_cores(kind); core++) {
            print_core(w, to, at, kind, (kerr_core)core);
        }
        if (kind == KERR_TILE_TENSIX && ftell(to) > 0) {
            for (unsigned thread = 0; thread < THREADS; thread++) {
                print_thread(w, to, at, thread);
            }
            print_rest(w, to, at);
        }
    }
    const bool bad = to == NULL || w->key == NULL || fclose(to) != 0 || fclose(w->key) != 0;
    made->text = w->now;
    made->worth = w->worth;
    w->now = NULL;
    if (bad || size == 0) {
        free(made->text);
        free(made->key);
        made->text = made->key = NULL;
    }
}

/* ---- All of them ---------------------------------------------------------------------------------------------- */

static void look_at_all(waits *w)
{
    for (uint8_t y = 0; y < KERR_GRID_Y; y++) {
        for (uint8_t x = 0; x < KERR_GRID_X; x++) {
            const kerr_xy at = {x, y};
            const kerr_tile_kind kind = kerr_tile_kind_at(at);
            if (kerr_tile_cores(kind) != 0 && kerr_tile_is_on(w->chip, at) &&
                (w->wanted == NULL || tile_set_has(w->wanted, at))) {
                tile_text *made = &w->tiles[w->tile_count];
                look_at(w, at, kind, made);
                w->tile_count += made->text != NULL;
            }
        }
    }
}

static bool is_same(const tile_text *a, const tile_text *b)
{
    return strcmp(a->key, b->key) == 0;
}

/* What stopped or waits comes first, then what is rare: others wait for it more often. */
static int by_worth(const void *a, const void *b)
{
    const tile_group *p = a, *q = b;
    if (p->worth != q->worth) {
        return p->worth > q->worth ? -1 : 1;
    }
    if (p->size != q->size) {
        return p->size < q->size ? -1 : 1;
    }
    return (p->first > q->first) - (p->first < q->first);
}

static void print_group(const waits *w, FILE *to, const tile_group *group)
{
    size_t named = 0;
    for (size_t k = group->first; k < w->tile_count; k++) {
        if (is_same(&w->tiles[k], &w->tiles[group->first]) && named++ < TILES_NAMED) {
            (void)fprintf(to, "%s (%u,%u)",
                          named > 1         ? ""
                          : group->size > 1 ? "  tiles"
                                            : "  tile",
                          w->tiles[k].at.x, w->tiles[k].at.y);
        }
    }
    if (group->size > TILES_NAMED) {
        (void)fprintf(to, " and %zu others", group->size - TILES_NAMED);
    }
    (void)fprintf(to, "\n%s", w->tiles[group->first].text);
}

static void print_groups(const waits *w, FILE *to)
{
    tile_group groups[KERR_GRID_X * KERR_GRID_Y];
    size_t count = 0;
    for (size_t i = 0; i < w->tile_count; i++) {
        size_t g = 0;
        while (g < count && !is_same(&w->tiles[groups[g].first], &w->tiles[i])) {
            g++;
        }
        if (g == count) {
            groups[count++] = (tile_group){.first = i, .worth = w->tiles[i].worth};
        }
        groups[g].size++;
    }
    qsort(groups, count, sizeof *groups, by_worth);
    for (size_t g = 0; g < count && g < GROUPS_SHOWN; g++) {
        print_group(w, to, &groups[g]);
    }
    if (count > GROUPS_SHOWN) {
        (void)fprintf(to, "  and %zu other kinds of tiles\n", count - GROUPS_SHOWN);
    }
}

void waits_print(FILE *to, const kerr_chip *chip, const tile_set *tiles, const place_source *places)
{
    waits *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return;
    }
    *w = (waits){.chip = chip, .wanted = tiles, .places = places, .under_way = why_under_way(chip)};
    look_at_all(w);
    print_groups(w, to);
    for (size_t i = 0; i < w->tile_count; i++) {
        free(w->tiles[i].text);
        free(w->tiles[i].key);
    }
    free(w);
}

void waits_collect(const kerr_chip *chip, const tile_set *tiles, const place_source *places)
{
    char *text = NULL;
    size_t size;
    FILE *nowhere = open_memstream(&text, &size);
    if (nowhere != NULL) {
        waits_print(nowhere, chip, tiles, places);
        (void)fclose(nowhere);
    }
    free(text);
}

void waits_print_searching(FILE *to, const kerr_chip *chip, const char *const *folders, size_t count, double seconds)
{
    chip_code *code = chip_code_new(chip);
    if (code == NULL) {
        return;
    }
    const place_source places = {.fn = chip_code_place, .context = code};
    waits_collect(chip, NULL, &places);
    chip_code_search(code, folders, count, seconds);
    waits_print(to, chip, NULL, &places);
    chip_code_free(code);
}
