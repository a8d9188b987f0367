/* SPDX-License-Identifier: Apache-2.0 */
/* kerr show: numbers in L1 and in the coprocessor's registers of a saved chip, as a picture or as text; with another chip
 * from before beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip_file.h"
#include "file.h"
#include "heat_map.h"
#include "options.h"
#include "place.h"
#include "show_macro.h"
#include "verbs.h"
#include "view.h"

enum { VIEWS_MAX = 64, PIXELS_DEFAULT = 10, PIXELS_MAX = 64, RAW_MAX = 256 << 20, FACE = 16, SRC_ROWS = 64 };

typedef struct show {
    const char *before_path, *raw_path, *chip_path, *macro;
    uint32_t cycles; /* of --macro */
    const char *texts[VIEWS_MAX];
    unsigned count;
    uint32_t pixels;
    double range;
    kerr_chip *chip, *before;
    view_bytes raw;
} show;

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    show *s = context;
    uint64_t number = 0;
    switch ((unsigned)id) {
    case OPTION_SHOW_BEFORE: s->before_path = value; return true;
    case OPTION_SHOW_MACRO: s->macro = value; return true;
    case OPTION_SHOW_CYCLES:
        if (!parse_number(value, SHOW_MACRO_MOST, &number, error) || number == 0) {
            return tool_fail(error, "from 1 to %d, not '%s'", SHOW_MACRO_MOST, value);
        }
        s->cycles = (uint32_t)number;
        return true;
    case OPTION_SHOW_RAW: s->raw_path = value; return true;
    case OPTION_SHOW_PIXELS:
        if (!parse_number(value, PIXELS_MAX, &number, error) || number == 0) {
            return tool_fail(error, "from 1 to %d, not '%s'", PIXELS_MAX, value);
        }
        s->pixels = (uint32_t)number;
        return true;
    case OPTION_SHOW_RANGE: {
        char *end = NULL;
        s->range = strtod(value, &end);
        return (end != value && *end == '\0' && s->range > 0 && isfinite(s->range)) ||
               tool_fail(error, "'%s' is not a number above zero", value);
    }
    default: break;
    }
    if (s->chip_path == NULL && s->raw_path == NULL && strchr(value, '@') == NULL) {
        s->chip_path = value;
        return true;
    }
    if (s->count == VIEWS_MAX) {
        return tool_fail(error, "more than %d things to show", VIEWS_MAX);
    }
    s->texts[s->count++] = value;
    return true;
}

static bool open_sources(show *s, tool_error *error)
{
    char *bytes = NULL;
    if (s->raw_path != NULL && (s->chip_path != NULL || s->before_path != NULL)) {
        return tool_fail(error, "--raw shows a file of bytes, not a chip: leave out %s",
                         s->chip_path != NULL ? s->chip_path : "--before");
    }
    if (s->raw_path == NULL && s->chip_path == NULL) {
        return tool_fail(error, "no chip to show: kerr run --save FILE writes one");
    }
    if (s->macro != NULL && (s->count != 0 || s->raw_path != NULL || s->before_path != NULL)) {
        return tool_fail(error, "--macro draws the schedule of a chip and nothing else");
    }
    if (s->count == 0 && s->macro == NULL) {
        return tool_fail(error, "nothing to show: TILE@PLACE:FORMAT[:SHAPE][=FILE.png], see kerr show --help");
    }
    if (s->raw_path != NULL) {
        s->raw.path = s->raw_path;
        if (!file_read(s->raw_path, RAW_MAX, &bytes, &s->raw.size, error)) {
            return false;
        }
        s->raw.bytes = (const uint8_t *)bytes;
        return true;
    }
    return chip_file_read(s->chip_path, &s->chip, error) &&
           (s->before_path == NULL || chip_file_read(s->before_path, &s->before, error));
}

static void print_table(const view *v, const double *numbers, const char *when)
{
    char text[40];
    size_t width = 0;
    for (uint32_t i = 0; i < v->rows * v->columns; i++) {
        number_print(v->format, numbers[i], text, sizeof text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    (void)printf("%s%s\n", v->text, when);
    for (uint32_t i = 0; i < v->rows * v->columns; i++) {
        number_print(v->format, numbers[i], text, sizeof text);
        (void)printf("%*s%s", (int)width, text, (i + 1) % v->columns == 0 ? "\n" : " ");
    }
}

static uint32_t count_different(const view *v, const double *a, const double *b)
{
    uint32_t different = 0;
    for (uint32_t i = 0; i < v->rows * v->columns; i++) {
        different += heat_map_differ(a[i], b[i]);
    }
    return different;
}

static bool draw(const show *s, const view *v, double *const *tables, unsigned count, tool_error *error)
{
    picture made = {0};
    const bool rows = v->place != VIEW_MEMORY && !v->tiled, src = v->place == VIEW_SRCA || v->place == VIEW_SRCB;
    const heat_map map = {.title = v->text,
                          .rows = v->rows,
                          .first_row = !rows ? 0
                                       : src ? v->from % SRC_ROWS
                                             : v->from,
                          .columns = v->columns,
                          .pixels = s->pixels,
                          .line = v->tiled || v->place != VIEW_MEMORY ? FACE : 0,
                          .range = s->range};
    const bool ok = heat_map_draw(&map, tables, count, &made, error) && png_write(v->to, &made, error);
    free(made.dots);
    return ok;
}

static bool show_one(const show *s, const char *text, tool_error *error)
{
    view v;
    char *copy = strdup(text);
    double *tables[2] = {NULL, NULL};
    bool ok = copy != NULL || tool_fail(error, "out of memory");
    ok = ok && view_parse(&v, copy, error);
    const unsigned count = s->before != NULL ? 2 : 1;
    for (unsigned i = 0; ok && i < count; i++) {
        const kerr_chip *chip = i + 1 == count ? s->chip : s->before;
        tables[i] = calloc((size_t)v.rows * v.columns, sizeof *tables[i]);
        ok = (tables[i] != NULL || tool_fail(error, "out of memory")) && view_read(&v, chip, &s->raw, tables[i], error);
    }
    if (ok && v.to != NULL) {
        ok = draw(s, &v, tables, count, error);
    } else if (ok) {
        for (unsigned i = 0; i < count; i++) {
            print_table(&v, tables[i], count == 1 ? "" : i == 0 ? ", before" : ", after");
        }
    }
    if (ok && count == 2) {
        const uint32_t different = count_different(&v, tables[0], tables[1]);
        (void)printf("%s: %u of %u differ\n", v.text, different, v.rows * v.columns);
    }
    free(tables[0]);
    free(tables[1]);
    free(copy);
    return ok;
}

int show_main(int count, char *const *arguments)
{
    show s = {.pixels = PIXELS_DEFAULT, .cycles = SHOW_MACRO_CYCLES};
    tool_error error;
    bool help = false;
    bool ok = options_parse(VERB_SHOW, count, arguments, take_argument, &s, &help, &error);
    if (ok && help) {
        options_help_verb(stdout, VERB_SHOW);
        return EXIT_OK;
    }
    ok = ok && open_sources(&s, &error);
    ok = ok && (s.macro == NULL || show_macro(s.chip, s.macro, s.cycles, &error));
    for (unsigned i = 0; ok && i < s.count; i++) {
        ok = show_one(&s, s.texts[i], &error);
    }
    kerr_destroy(s.chip);
    kerr_destroy(s.before);
    free((void *)(uintptr_t)s.raw.bytes);
    return ok ? EXIT_OK : verb_refuse(VERB_SHOW, &error);
}
