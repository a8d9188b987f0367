/* SPDX-License-Identifier: Apache-2.0 */
/* kerr why: the wait-for graph of a saved chip, as text and drawn. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "chip_code.h"
#include "chip_file.h"
#include "output.h"
#include "place.h"
#include "verbs.h"
#include "waits.h"
#include "why.h"

enum { FOLDERS = 64, GRAPHS = 12, SEARCH_SECONDS = 10 };

typedef struct why_wish {
    const char *chip, *svg, *dot;
    const char *folders[FOLDERS];
    size_t folder_count;
    bool has_tiles;
    tile_set tiles;
} why_wish;

/* A file among thousands below --elf-dir may be anything; one that was named is a program. */
static bool is_program(const char *path, tool_error *error)
{
    char magic[4] = "";
    FILE *file = input_check(path, false, error) ? fopen(path, "rbe") : NULL;
    if (file == NULL) {
        return false;
    }
    const bool good =
        fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0;
    (void)fclose(file);
    return good || tool_fail(error, "%s: not an ELF file", path);
}

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    why_wish *w = context;
    switch (id) {
    case OPTION_WHY_ELF:
    case OPTION_WHY_ELF_DIR:
        if (w->folder_count == FOLDERS) {
            return tool_fail(error, ": more than %d", FOLDERS);
        }
        w->folders[w->folder_count++] = value;
        return id == OPTION_WHY_ELF_DIR ? input_check(value, true, error) : is_program(value, error);
    case OPTION_WHY_TILE: w->has_tiles = true; return parse_tiles(value, true, &w->tiles, error);
    case OPTION_WHY_SVG: w->svg = value; return true;
    case OPTION_WHY_DOT: w->dot = value; return true;
    default:
        if (w->chip != NULL) {
            return tool_fail(error, "one chip at a time: %s and %s", w->chip, value);
        }
        w->chip = value;
        return true;
    }
}

/* Those of tiles that differ, which are few. */
static size_t look(why_graph *graphs, const kerr_chip *chip, const why_wish *w, const place_source *places)
{
    const uint32_t under_way = why_under_way(chip);
    size_t count = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES && count < GRAPHS; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        if ((w->has_tiles && !tile_set_has(&w->tiles, at)) || !why_look(&graphs[count], chip, at, places, under_way)) {
            continue;
        }
        bool again = false;
        for (size_t k = 0; k < count && !again; k++) {
            why_graph there = graphs[k];
            there.at = at;
            there.like = 0;
            again = memcmp(&there, &graphs[count], sizeof there) == 0;
            graphs[k].like += again;
        }
        count += !again;
    }
    return count;
}

static bool write_file(const char *path, void (*fn)(FILE *, const why_graph *, size_t), const why_graph *graphs,
                       size_t count, tool_error *error)
{
    const bool here = strcmp(path, "-") == 0;
    FILE *to = here ? stdout : fopen(path, "w");
    if (to == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    fn(to, graphs, count);
    return (here ? fflush(to) : fclose(to)) == 0 || tool_fail(error, "%s: %s", path, strerror(errno));
}

static bool show(const why_wish *w, const kerr_chip *chip, tool_error *error)
{
    chip_code *code = chip_code_new(chip);
    why_graph *graphs = calloc(GRAPHS + 1, sizeof *graphs);
    if (code == NULL || graphs == NULL) {
        chip_code_free(code);
        free(graphs);
        return tool_fail(error, "out of memory");
    }
    const place_source places = {.fn = chip_code_place, .context = code};
    const tile_set *tiles = w->has_tiles ? &w->tiles : NULL;
    waits_collect(chip, tiles, &places);
    chip_code_search(code, w->folders, w->folder_count, SEARCH_SECONDS);
    (void)printf("kerr: who waits for whom (* cannot go on)\n");
    waits_print(stdout, chip, tiles, &places);
    const size_t count = look(graphs, chip, w, &places);
    (void)fflush(stdout);
    chip_code_tell_of_lines(code, stderr);
    const bool good = (w->svg == NULL || write_file(w->svg, why_svg, graphs, count, error)) &&
                      (w->dot == NULL || write_file(w->dot, why_dot, graphs, count, error));
    chip_code_free(code);
    free(graphs);
    return good;
}

int why_main(int count, char *const *arguments)
{
    why_wish wish = {.chip = NULL};
    tool_error error;
    bool help = false;
    kerr_chip *chip = NULL;
    if (!options_parse(VERB_WHY, count, arguments, take_argument, &wish, &help, &error)) {
        return verb_refuse(VERB_WHY, &error);
    }
    if (help) {
        options_help_verb(stdout, VERB_WHY);
        return EXIT_OK;
    }
    if (wish.chip == NULL) {
        tool_error_set(&error, "there is no chip to look at; see kerr why --help");
        return verb_refuse(VERB_WHY, &error);
    }
    const bool good = output_check("--svg", wish.svg, &error) && output_check("--dot", wish.dot, &error) &&
                      chip_file_read(wish.chip, &chip, &error) && show(&wish, chip, &error);
    kerr_destroy(chip);
    return good ? EXIT_OK : verb_refuse(VERB_WHY, &error);
}
