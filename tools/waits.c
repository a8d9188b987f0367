/* SPDX-License-Identifier: Apache-2.0 */
#include "waits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code_match.h"
#include "timeline.h"

enum {
    CODE_BYTES = 512, /* around a pc, to find its program by */
    PIECES = 512,
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

typedef struct known_code {
    uint32_t address;
    uint8_t bytes[CODE_BYTES];
    size_t piece;
} known_code;

typedef struct tile_text {
    kerr_xy at;
    kerr_tile_kind kind;
    char *text;
} tile_text;

typedef struct waits {
    const kerr_chip *chip;
    code_match *match;
    known_code *codes;
    size_t code_count;
    tile_text tiles[KERR_GRID_X * KERR_GRID_Y];
    size_t tile_count;
} waits;

/* ---- Source lines -------------------------------------------------------------------------------------------- */

static const known_code *code_at(waits *w, kerr_xy at, uint32_t pc)
{
    known_code code = {.address = pc > CODE_BYTES / 2 ? (pc & ~3u) - CODE_BYTES / 2 : 0};
    if (kerr_peek(w->chip, at, code.address, code.bytes, sizeof code.bytes) != KERR_OK) {
        return NULL;
    }
    for (size_t i = 0; i < w->code_count; i++) {
        const known_code *there = &w->codes[i];
        if (there->address == code.address && memcmp(there->bytes, code.bytes, sizeof code.bytes) == 0) {
            return there;
        }
    }
    if (w->code_count == PIECES || w->match == NULL) {
        return NULL;
    }
    code.piece = code_match_want(w->match, code.address, code.bytes, sizeof code.bytes);
    w->codes[w->code_count] = code;
    return &w->codes[w->code_count++];
}

/* " in f() at file:line of program", or the bare pc. */
static void print_place(waits *w, FILE *to, kerr_xy at, uint32_t pc)
{
    char place[400] = "";
    const known_code *code = code_at(w, at, pc);
    if (code != NULL) {
        code_match_describe(w->match, code->piece, pc, place, sizeof place);
    }
    if (place[0] != '\0') {
        (void)fprintf(to, ", in %s of %s", place, code_match_program(w->match, code->piece));
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
    if (kerr_core_query(w->chip, at, core, &info) != KERR_OK || info.state == KERR_CORE_IN_RESET) {
        return;
    }
    char what[80] = "";
    (void)kerr_address_format(kind, core, info.wait_address, info.wait_is_store, what, sizeof what);
    (void)fprintf(to, "    RISCV %-2s   ", kerr_core_name_of(kind, core));
    switch (info.state) {
    case KERR_CORE_WAITING: (void)fprintf(to, "waits%s %s", info.wait_is_store ? ", full:" : " for", what); break;
    case KERR_CORE_PARKED:
        if (info.wait_address == 0) {
            (void)fprintf(to, "polls, or has ended");
        } else {
            uint32_t word = 0;
            (void)fprintf(to, "polls %s", what);
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
    print_place(w, to, at, info.pc);
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
    (void)kerr_disassemble_tensix(info.word, text, sizeof text);
    (void)fprintf(to,
                  "    Tensix T%u  %s waits since cycle %" PRIu64 ": %s; %u in flight; pushed by %s at pc 0x%05" PRIx32,
                  thread, text, info.since, reason, info.in_flight, info.pushed_by_b ? "B" : "its core", info.pc);
    print_place(w, to, at, info.pc);
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

static char *text_of(waits *w, kerr_xy at, kerr_tile_kind kind)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) {
        return NULL;
    }
    for (uint32_t core = 0; core < kerr_tile_cores(kind); core++) {
        print_core(w, to, at, kind, (kerr_core)core);
    }
    if (kind == KERR_TILE_TENSIX && ftell(to) > 0) {
        for (unsigned thread = 0; thread < THREADS; thread++) {
            print_thread(w, to, at, thread);
        }
        print_sync(w, to, at);
        print_circular_buffers(w, to, at);
        print_noc(w, to, at);
    }
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- All of them ---------------------------------------------------------------------------------------------- */

static void look_at_all(waits *w, bool first)
{
    w->tile_count = 0;
    for (uint8_t y = 0; y < KERR_GRID_Y; y++) {
        for (uint8_t x = 0; x < KERR_GRID_X; x++) {
            const kerr_xy at = {x, y};
            const kerr_tile_kind kind = kerr_tile_kind_at(at);
            if (kerr_tile_cores(kind) == 0 || !kerr_tile_is_on(w->chip, at)) {
                continue;
            }
            char *text = text_of(w, at, kind);
            if (first || text == NULL || text[0] == '\0') {
                free(text); /* the first time it is only found out what code there is */
            } else {
                w->tiles[w->tile_count++] = (tile_text){at, kind, text};
            }
        }
    }
}

/* The same text together; who is alone first, since it is what others wait for more often. */
static void print_groups(waits *w, FILE *to)
{
    bool done[KERR_GRID_X * KERR_GRID_Y] = {false};
    unsigned shown = 0, groups = 0;
    for (size_t size = 1; size <= w->tile_count; size++) {
        for (size_t i = 0; i < w->tile_count; i++) {
            size_t same = 0, named = 0;
            for (size_t k = 0; k < w->tile_count; k++) {
                same += k >= i && !done[k] && strcmp(w->tiles[k].text, w->tiles[i].text) == 0;
            }
            if (done[i] || same != size) {
                continue;
            }
            groups++;
            for (size_t k = i; k < w->tile_count; k++) {
                if (done[k] || strcmp(w->tiles[k].text, w->tiles[i].text) != 0) {
                    continue;
                }
                done[k] = true;
                if (shown < GROUPS_SHOWN && named++ < TILES_NAMED) {
                    (void)fprintf(to, "%s (%u,%u)",
                                  named > 1  ? ""
                                  : same > 1 ? "  tiles"
                                             : "  tile",
                                  w->tiles[k].at.x, w->tiles[k].at.y);
                }
            }
            if (shown < GROUPS_SHOWN) {
                if (same > TILES_NAMED) {
                    (void)fprintf(to, " and %zu others", same - TILES_NAMED);
                }
                (void)fprintf(to, "\n%s", w->tiles[i].text);
                shown++;
            }
        }
    }
    if (groups > shown) {
        (void)fprintf(to, "  and %u other kinds of tiles\n", groups - shown);
    }
}

void waits_print(FILE *to, const kerr_chip *chip, const char *const *folders, size_t count, double seconds)
{
    waits *w = calloc(1, sizeof *w);
    known_code *codes = calloc(PIECES, sizeof *codes);
    if (w == NULL || codes == NULL) {
        free(w);
        free(codes);
        return;
    }
    *w = (waits){.chip = chip, .match = code_match_new(), .codes = codes};
    look_at_all(w, true);
    if (w->match != NULL) {
        code_match_search(w->match, folders, count, seconds);
    }
    look_at_all(w, false);
    print_groups(w, to);
    for (size_t i = 0; i < w->tile_count; i++) {
        free(w->tiles[i].text);
    }
    code_match_free(w->match);
    free(codes);
    free(w);
}
