/* SPDX-License-Identifier: Apache-2.0 */
#include "show_macro.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

enum { CELL = 40, RUN_STEP = 1000, GIVE_UP = 10000000 };

typedef struct cell {
    char text[CELL];
    int row;        /* of Dst, -1: none */
    bool scheduled; /* by an SFPLOADMACRO */
} cell;

typedef struct schedule {
    kerr_xy at;
    uint32_t cycles;
    cell (*cells)[KERR_SUB_UNIT_COUNT]; /* by cycle from `first` on */
    uint64_t first;
    bool begun, done;
    int row; /* that was loaded last: of instructions that do not say theirs */
} schedule;

static const char *const units[KERR_SUB_UNIT_COUNT] = {"load", "simple", "MAD", "round", "store"};

/* ---- What the trace tells ------------------------------------------------------------------------------------- */

static void name_of(uint32_t word, char *name, size_t size)
{
    char text[256];
    if (!kerr_disassemble_tensix(word, text, sizeof text)) {
        (void)snprintf(name, size, "0x%08x", word);
        return;
    }
    (void)snprintf(name, size, "%.*s", (int)strcspn(text, " "), text);
}

static void listen(void *context, const kerr_trace_event *event)
{
    schedule *s = context;
    const kerr_trace_tensix *t = event->tensix;
    if (s->done || t == NULL || t->event != KERR_TENSIX_SUB_UNIT || event->at.x != s->at.x || event->at.y != s->at.y) {
        return;
    }
    char name[20];
    name_of(t->word, name, sizeof name);
    const unsigned unit = t->detail & KERR_SUB_UNIT_MASK, VD = t->detail >> KERR_SUB_UNIT_VD & 31;
    const int row = (int)(t->detail >> KERR_SUB_UNIT_ADDRESS) / 2;
    const bool scheduled = t->detail & KERR_SUB_UNIT_SCHEDULED, nop = strcmp(name, "SFPNOP") == 0;
    if (!s->begun) {
        s->begun = true;
        s->first = t->begin;
    }
    if (t->begin - s->first >= s->cycles) {
        s->done = true;
        return;
    }
    const bool moves = (unit == KERR_SUB_UNIT_LOAD && strncmp(name, "SFPLOADI", 8) != 0) || unit == KERR_SUB_UNIT_STORE;
    if (unit == KERR_SUB_UNIT_LOAD && moves && !nop) {
        s->row = row;
    }
    cell *c = &s->cells[t->begin - s->first][unit < KERR_SUB_UNIT_COUNT ? unit : 0];
    c->scheduled = scheduled;
    c->row = nop ? -1 : scheduled || moves ? row : s->row;
    if (nop) {
        (void)snprintf(c->text, sizeof c->text, "%s%s", scheduled ? "+" : "", name);
    } else if (t->detail & KERR_SUB_UNIT_DISCARDED) {
        (void)snprintf(c->text, sizeof c->text, "(%s)", name);
    } else {
        (void)snprintf(c->text, sizeof c->text, "%s%s L%u [%d]", scheduled ? "+" : "", name, VD, c->row);
    }
}

static bool run(kerr_chip *chip, schedule *s, tool_error *error)
{
    kerr_status status = kerr_set_trace_kinds(chip, KERR_TRACE_TENSIX | KERR_TRACE_PARKING, listen, s);
    uint64_t ran = 0, cycle = 0;
    for (; status == KERR_OK && !s->done && ran < GIVE_UP; ran += RUN_STEP) {
        status = kerr_run(chip, RUN_STEP);
        if (status == KERR_OK && s->begun) { /* the end of a kernel may be near: nothing more comes then */
            status = kerr_cycle(chip, &cycle);
            s->done = s->done || cycle > s->first + s->cycles + RUN_STEP;
        }
    }
    (void)kerr_set_trace(chip, NULL, NULL);
    if (status != KERR_OK && !s->begun) {
        return tool_fail(error, "the chip does not go on: %s", kerr_status_text(status));
    }
    return s->begun || tool_fail(error, "tile %u,%u executes no SFPLOADMACRO within %u million cycles", s->at.x,
                                 s->at.y, GIVE_UP / 1000000);
}

/* ---- As text ---------------------------------------------------------------------------------------------------- */

/* Cycles up to the last one in which anything is done. */
static uint32_t length(const schedule *s)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < s->cycles; i++) {
        for (unsigned u = 0; u < KERR_SUB_UNIT_COUNT; u++) {
            last = s->cells[i][u].text[0] != '\0' ? i + 1 : last;
        }
    }
    return last;
}

static void print(const schedule *s)
{
    int width[KERR_SUB_UNIT_COUNT];
    for (unsigned u = 0; u < KERR_SUB_UNIT_COUNT; u++) {
        width[u] = (int)strlen(units[u]);
        for (uint32_t i = 0; i < s->cycles; i++) {
            const int size = (int)strlen(s->cells[i][u].text);
            width[u] = size > width[u] ? size : width[u];
        }
    }
    (void)printf("tile %u,%u from cycle %llu on; + is scheduled, [row]\n", s->at.x, s->at.y,
                 (unsigned long long)s->first);
    (void)printf("%5s", "cycle");
    for (unsigned u = 0; u < KERR_SUB_UNIT_COUNT; u++) {
        (void)printf(" | %-*s", width[u], units[u]);
    }
    (void)printf("\n");
    for (uint32_t i = 0; i < length(s); i++) {
        (void)printf("%5u", i);
        for (unsigned u = 0; u < KERR_SUB_UNIT_COUNT; u++) {
            (void)printf(" | %-*s", width[u], s->cells[i][u].text);
        }
        (void)printf("\n");
    }
}

/* ---- As a picture -------------------------------------------------------------------------------------------------- */

enum { LEFT = 56, TOP = 44, COLUMN = 190, LINE = 20, HUES = 8 };

static void draw_cell(FILE *f, const cell *c, unsigned unit, uint32_t cycle)
{
    const unsigned x = LEFT + unit * COLUMN, y = TOP + cycle * LINE;
    if (c->row >= 0) {
        (void)fprintf(f,
                      "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"3\" fill=\"hsl(%u,70%%,%u%%)\" "
                      "stroke=\"#888\"/>\n",
                      x + 2, y + 1, COLUMN - 4, LINE - 2, (unsigned)c->row % HUES * 360 / HUES, c->scheduled ? 82 : 92);
    }
    (void)fprintf(f, "<text x=\"%u\" y=\"%u\">%s</text>\n", x + 8, y + 14, c->text);
}

static bool draw(const schedule *s, const char *path, tool_error *error)
{
    FILE *f = fopen(path, "w");
    if (f == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    const uint32_t lines = length(s);
    (void)fprintf(
        f,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" font-family=\"monospace\" "
        "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
        "<text x=\"8\" y=\"16\">tile %u,%u from cycle %llu on; + is scheduled, [row], a colour a row</text>\n",
        LEFT + KERR_SUB_UNIT_COUNT * COLUMN + 8, TOP + lines * LINE + 8, s->at.x, s->at.y,
        (unsigned long long)s->first);
    for (unsigned u = 0; u < KERR_SUB_UNIT_COUNT; u++) {
        (void)fprintf(f, "<text x=\"%u\" y=\"%u\" font-weight=\"bold\">%s</text>\n", LEFT + u * COLUMN + 8, TOP - 8,
                      units[u]);
    }
    for (uint32_t i = 0; i < lines; i++) {
        (void)fprintf(f, "<text x=\"8\" y=\"%u\">%u</text>\n", TOP + i * LINE + 14, i);
        for (unsigned u = 0; u < KERR_SUB_UNIT_COUNT; u++) {
            if (s->cells[i][u].text[0] != '\0') {
                draw_cell(f, &s->cells[i][u], u, i);
            }
        }
    }
    (void)fprintf(f, "</svg>\n");
    const bool failed = ferror(f) != 0;
    return (fclose(f) == 0 && !failed) || tool_fail(error, "%s: cannot be written to the end", path);
}

bool show_macro(kerr_chip *chip, const char *what, uint32_t cycles, tool_error *error)
{
    schedule s = {.cycles = cycles};
    char tile[64];
    tile_set set = {{0}};
    unsigned index = 0;
    const char *path = strchr(what, '=');
    (void)snprintf(tile, sizeof tile, "%.*s", (int)(path != NULL ? path - what : (long)strlen(what)), what);
    if (!parse_tiles(tile, true, &set, error)) {
        return false;
    }
    if (tile_set_count(&set) != 1 || !tile_set_next(&set, &index, &s.at)) {
        return tool_fail(error, "'%s' is more than one tile", tile);
    }
    s.cells = calloc(cycles, sizeof *s.cells);
    bool ok = s.cells != NULL || tool_fail(error, "out of memory");
    ok = ok && run(chip, &s, error);
    if (ok && path != NULL) {
        ok = draw(&s, path + 1, error);
    } else if (ok) {
        print(&s);
    }
    free(s.cells);
    return ok;
}
