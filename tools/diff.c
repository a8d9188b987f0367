/* SPDX-License-Identifier: Apache-2.0 */
/* kerr diff: where two chips differ, and, if both are run on, since which cycle and by what instruction.
 *
 * What differs from the start (another input in memory) is not news: with --run the first difference is the first that the start
 * did not have.  Both chips run in slices; in the first slice with news the cycle is found by halves, which needs a way back:
 * past.h.  Of two folders (chip_series.h) the first pair with news is looked for, and both run from the pair before it. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "chip_compare.h"
#include "chip_file.h"
#include "chip_series.h"
#include "job.h"
#include "options.h"
#include "past.h"
#include "place.h"
#include "programs.h"
#include "progress.h"
#include "verbs.h"

enum { SHOWN = 10, SLICE = 4096 };

typedef struct wish {
    const char *path[2];
    uint64_t cycles;
    uint32_t shown;
    job names; /* programs, for source lines */
    programs loaded;
} wish;

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    wish *w = context;
    uint64_t number = 0;
    switch (id) {
    case OPTION_DIFF_RUN:
        return parse_count(value, INT64_MAX, &w->cycles, error) &&
               (w->cycles > 0 || tool_fail(error, "must be at least 1"));
    case OPTION_DIFF_PROGRAM: return job_add_program(&w->names, value, error);
    case OPTION_DIFF_SHOW:
        if (!parse_number(value, UINT32_MAX, &number, error)) {
            return false;
        }
        w->shown = (uint32_t)number;
        return number > 0 || tool_fail(error, "must be at least 1");
    default: break;
    }
    if (w->path[1] != NULL) {
        return tool_fail(error, "more than two chips");
    }
    w->path[w->path[0] != NULL] = value;
    return true;
}

/* ---- What is found ------------------------------------------------------------------------------------------ */

/* Where the cores of a tile that are not in reset stand, in both chips: the instruction before is theirs. */
static void print_who(wish *w, kerr_chip *const chip[2], kerr_xy at)
{
    for (uint32_t core = 0; core < kerr_tile_cores(kerr_tile_kind_at(at)); core++) {
        kerr_core_info info[2];
        if (kerr_core_query(chip[0], at, (kerr_core)core, &info[0]) != KERR_OK ||
            kerr_core_query(chip[1], at, (kerr_core)core, &info[1]) != KERR_OK ||
            (info[0].state == KERR_CORE_IN_RESET && info[1].state == KERR_CORE_IN_RESET)) {
            continue;
        }
        for (unsigned i = 0; i < 2 && (i == 0 || info[1].pc != info[0].pc); i++) {
            uint32_t word = 0;
            char text[KERR_INSTRUCTION_TEXT_MAX] = "", place[512] = "";
            if (kerr_peek(chip[i], at, info[i].pc, &word, sizeof word) == KERR_OK) {
                (void)kerr_disassemble_riscv(word, info[i].pc, text, sizeof text);
            }
            if (w->names.program_count != 0) {
                programs_describe(&w->loaded, at, (int)core, info[i].pc, place, sizeof place);
            }
            (void)printf("  %s is at pc 0x%05x%s: %s %s\n", kerr_core_name((kerr_core)core), info[i].pc,
                         info[0].pc == info[1].pc ? ""
                         : i == 0                 ? " in the first"
                                                  : " in the second",
                         text, place);
        }
    }
}

static int say(wish *w, kerr_chip *const chip[2], const collection *c, const char *where)
{
    (void)printf("%s\n", where);
    for (size_t i = 0; i < c->count && i < w->shown; i++) {
        difference_print(&c->item[i]);
    }
    if (c->count > w->shown) {
        (void)printf("  ... and more\n");
    }
    print_who(w, chip, c->item[0].at);
    return EXIT_FAULT;
}

/* ---- Two runs -------------------------------------------------------------------------------------------------- */

static bool step_both(past p[2], uint64_t cycle)
{
    const past_result a = past_go(&p[0], cycle), b = past_go(&p[1], cycle);
    return a == PAST_DONE && b == PAST_DONE;
}

static int run_both(wish *w, kerr_chip *const chip[2], collection *found, tool_error *error)
{
    past p[2];
    if (!past_begin(&p[0], chip[0], 0) || !past_begin(&p[1], chip[1], 0)) {
        (void)tool_fail(error, "out of memory");
        return verb_refuse(VERB_DIFF, error);
    }
    const uint64_t start = past_now(&p[0]);
    uint64_t low = start, high = start;
    bool both = past_now(&p[1]) == start;
    if (!both) {
        (void)tool_fail(error, "the chips are in different cycles: %" PRIu64 " and %" PRIu64, start, past_now(&p[1]));
    }
    progress line;
    progress_start(&line, false);
    int result = both ? EXIT_OK : EXIT_BAD_INPUT;
    while (both && low - start < w->cycles) {
        high = low + SLICE < start + w->cycles ? low + SLICE : start + w->cycles;
        both = step_both(p, high); /* a fault in one of them is a difference too */
        if (collection_news(chip, found) != 0) {
            while (high - low > 1) {
                const uint64_t middle = low + (high - low) / 2;
                (void)step_both(p, middle);
                *(collection_news(chip, found) != 0 ? &high : &low) = middle;
            }
            (void)step_both(p, high);
            (void)collection_news(chip, found);
            result = EXIT_FAULT;
            break;
        }
        low = high;
        progress_update(&line, chip[0]);
    }
    progress_end(&line);
    if (result == EXIT_BAD_INPUT) {
        result = verb_refuse(VERB_DIFF, error);
    } else if (result == EXIT_FAULT) {
        char where[96];
        (void)snprintf(where, sizeof where, "the first difference is there in cycle %" PRIu64 ":", high);
        result = say(w, chip, found, where);
    } else {
        (void)printf("no difference that the start did not have, up to cycle %" PRIu64 "%s\n", low,
                     both ? "" : ", where a fault stopped a chip");
    }
    past_end(&p[0]);
    past_end(&p[1]);
    return result;
}

static int refuse_or(bool good, int result, tool_error *error)
{
    return good ? result : verb_refuse(VERB_DIFF, error);
}

static void destroy_both(kerr_chip *chip[2])
{
    for (unsigned i = 0; i < 2; i++) {
        kerr_destroy(chip[i]);
        chip[i] = NULL;
    }
}

static int compare_chips(wish *w, tool_error *error)
{
    kerr_chip *chip[2] = {NULL, NULL};
    int result = EXIT_OK;
    collection old = {.most = SIZE_MAX}, found = {.most = (size_t)w->shown + 1, .except = &old};
    const bool good = chip_file_read(w->path[0], &chip[0], error) && chip_file_read(w->path[1], &chip[1], error);
    if (good && w->cycles != 0) {
        chip_compare(chip, collection_add, &old);
        result = run_both(w, chip, &found, error);
    } else if (good && collection_news(chip, &found) != 0) {
        result = say(w, chip, &found, "the chips differ:");
    } else if (good) {
        (void)printf("the chips are the same\n");
    }
    free(old.item);
    free(found.item);
    destroy_both(chip);
    return refuse_or(good, result, error);
}

/* ---- Two folders ----------------------------------------------------------------------------------------------- */

typedef struct folders {
    uint64_t *cycle[2];
    size_t count[2];
    uint64_t *both; /* cycles that there are in both */
    size_t pairs;
} folders;

static bool list_folders(const wish *w, folders *f, tool_error *error)
{
    for (unsigned i = 0; i < 2; i++) {
        if (!chip_series_list(w->path[i], &f->cycle[i], &f->count[i], error)) {
            return false;
        }
        if (f->count[i] == 0) {
            return tool_fail(error, "%s: has no saved chips (kerr run --save-every writes them)", w->path[i]);
        }
    }
    f->both = calloc(f->count[0], sizeof *f->both);
    if (f->both == NULL) {
        return tool_fail(error, "out of memory");
    }
    for (size_t a = 0, b = 0; a < f->count[0] && b < f->count[1];) {
        const uint64_t x = f->cycle[0][a], y = f->cycle[1][b];
        if (x == y) {
            f->both[f->pairs++] = x;
        }
        a += x <= y;
        b += y <= x;
    }
    return f->pairs != 0 || tool_fail(error, "%s and %s have no cycle in common", w->path[0], w->path[1]);
}

static bool read_pair(const wish *w, uint64_t cycle, kerr_chip *chip[2], tool_error *error)
{
    char path[PATH_MAX];
    destroy_both(chip);
    for (unsigned i = 0; i < 2; i++) {
        if (!chip_series_path(w->path[i], cycle, path, sizeof path)) {
            return tool_fail(error, "%s: the name is too long", w->path[i]);
        }
        if (!chip_file_read(path, &chip[i], error)) {
            return false;
        }
    }
    return true;
}

/* The first pair with news; f->pairs: none has.  The first of all says what is old. */
static bool first_pair(const wish *w, const folders *f, kerr_chip *chip[2], collection *old, collection *found,
                       size_t *which, tool_error *error)
{
    for (*which = 0; *which < f->pairs; ++*which) {
        if (!read_pair(w, f->both[*which], chip, error)) {
            return false;
        }
        uint64_t hash[2] = {0, 1};
        (void)kerr_hash(chip[0], &hash[0]);
        (void)kerr_hash(chip[1], &hash[1]);
        if (hash[0] == hash[1]) {
            continue;
        }
        if (*which == 0) {
            chip_compare(chip, collection_add, old);
        } else if (collection_news(chip, found) != 0) {
            return true;
        }
    }
    return true;
}

/* Both run by themselves from the pair before; what they do not come to that way, a host has done. */
static int pin_down(wish *w, const folders *f, size_t which, kerr_chip *chip[2], collection *found, tool_error *error)
{
    const uint64_t from = f->both[which - 1], to = f->both[which];
    (void)printf("equal up to cycle %" PRIu64 ", different in cycle %" PRIu64 "\n", from, to);
    w->cycles = to - from;
    if (!read_pair(w, from, chip, error)) {
        return verb_refuse(VERB_DIFF, error);
    }
    int result = run_both(w, chip, found, error);
    if (result == EXIT_OK) {
        if (!read_pair(w, to, chip, error)) {
            return verb_refuse(VERB_DIFF, error);
        }
        (void)collection_news(chip, found);
        result = say(w, chip, found, "so it is what a host has done between the two; in the later cycle:");
    }
    return result;
}

static int compare_folders(wish *w, tool_error *error)
{
    folders f = {.pairs = 0};
    kerr_chip *chip[2] = {NULL, NULL};
    collection old = {.most = SIZE_MAX}, found = {.most = (size_t)w->shown + 1, .except = &old};
    size_t which = 0;
    int result = EXIT_OK;
    const bool good = list_folders(w, &f, error) && first_pair(w, &f, chip, &old, &found, &which, error);
    if (good && old.count != 0) {
        (void)printf("in cycle %" PRIu64
                     ", the first of both, they differ in %zu places already: looked for is what is new\n",
                     f.both[0], old.count);
    }
    if (good && which < f.pairs) {
        result = pin_down(w, &f, which, chip, &found, error);
    } else if (good && w->cycles != 0) {
        result = run_both(w, chip, &found, error); /* on from the last pair, which is what chip has */
    } else if (good) {
        (void)printf("no difference that the start did not have in %zu pairs, up to cycle %" PRIu64 "\n", f.pairs,
                     f.both[f.pairs - 1]);
    }
    free(f.cycle[0]);
    free(f.cycle[1]);
    free(f.both);
    free(old.item);
    free(found.item);
    destroy_both(chip);
    return refuse_or(good, result, error);
}

static bool is_folder(const char *path)
{
    struct stat is;
    return stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

static int execute(wish *w, tool_error *error)
{
    const bool folder[2] = {is_folder(w->path[0]), is_folder(w->path[1])};
    if (folder[0] != folder[1]) {
        (void)tool_fail(error, "%s is a folder of chips and %s is not", w->path[!folder[0]], w->path[!folder[1]]);
        return verb_refuse(VERB_DIFF, error);
    }
    if (!programs_read(&w->loaded, &w->names, error)) {
        return verb_refuse(VERB_DIFF, error);
    }
    return folder[0] ? compare_folders(w, error) : compare_chips(w, error);
}

int diff_main(int count, char *const *arguments)
{
    wish w = {.shown = SHOWN};
    tool_error error;
    bool help = false;
    job_init(&w.names);
    int result;
    if (!options_parse(VERB_DIFF, count, arguments, take_argument, &w, &help, &error)) {
        result = verb_refuse(VERB_DIFF, &error);
    } else if (help) {
        options_help_verb(stdout, VERB_DIFF);
        result = EXIT_OK;
    } else if (w.path[1] == NULL) {
        (void)tool_fail(&error, "two chips are needed: kerr run --save FILE writes them");
        result = verb_refuse(VERB_DIFF, &error);
    } else {
        result = execute(&w, &error);
    }
    programs_free(&w.loaded);
    job_free(&w.names);
    return result;
}
