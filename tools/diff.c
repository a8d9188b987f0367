/* SPDX-License-Identifier: Apache-2.0 */
/* kerr diff: where two chips differ, and, if both are run on, since which cycle and by what instruction.
 *
 * What differs from the start (another input in memory) is not news: with --run the first difference is the first that the start
 * did not have.  Both chips run in slices; in the first slice with news the cycle is found by halves, which needs a way back:
 * past.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip_file.h"
#include "job.h"
#include "options.h"
#include "past.h"
#include "place.h"
#include "programs.h"
#include "progress.h"
#include "state_list.h"
#include "verbs.h"

enum { SHOWN = 10, SLICE = 4096, L1_BYTES = 1536 * 1024, CHUNK = 4096 };

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
    case OPTION_DIFF_RUN: return parse_count(value, INT64_MAX, &w->cycles, error);
    case OPTION_DIFF_PROGRAM: return job_add_program(&w->names, value, error);
    case OPTION_DIFF_SHOW:
        if (!parse_number(value, UINT32_MAX, &number, error)) {
            return false;
        }
        w->shown = (uint32_t)number;
        return true;
    default: break;
    }
    if (w->path[1] != NULL) {
        return tool_fail(error, "more than two chips");
    }
    w->path[w->path[0] != NULL] = value;
    return true;
}

/* ---- One cycle ---------------------------------------------------------------------------------------------- */

/* A place that differs: a name of a tile's state, or an address of its L1. */
typedef struct difference {
    kerr_xy at;
    bool is_l1;
    uint32_t address;
    uint32_t bytes[2];
    kerr_state_item item[2];
} difference;

typedef bool (*difference_fn)(void *context, const difference *d); /* false: enough */

/* mcycle and what else says only that time passes. */
static bool is_time(const kerr_state_item *item)
{
    return strcmp(item->name, "mcycle") == 0 || strcmp(item->name, "minstret") == 0;
}

static bool compare_l1(kerr_chip *const chip[2], kerr_xy at, difference_fn fn, void *context)
{
    const uint8_t *bytes[2] = {NULL, NULL};
    uint64_t size[2];
    for (unsigned i = 0; i < 2; i++) {
        if (kerr_memory_view(chip[i], at, 0, &bytes[i], &size[i]) != KERR_OK) {
            return true;
        }
    }
    for (uint64_t chunk = 0; chunk < size[0] && chunk < size[1]; chunk += CHUNK) {
        if (memcmp(bytes[0] + chunk, bytes[1] + chunk, CHUNK) == 0) {
            continue;
        }
        for (uint32_t word = 0; word < CHUNK; word += 4) {
            difference d = {.at = at, .is_l1 = true, .address = (uint32_t)chunk + word};
            memcpy(&d.bytes[0], bytes[0] + chunk + word, 4);
            memcpy(&d.bytes[1], bytes[1] + chunk + word, 4);
            if (d.bytes[0] != d.bytes[1] && !fn(context, &d)) {
                return false;
            }
        }
    }
    return true;
}

static bool compare_state(kerr_chip *const chip[2], kerr_xy at, difference_fn fn, void *context)
{
    state_list list[2] = {{0}, {0}};
    tool_error ignored;
    bool more = true;
    size_t from = 0;
    if (state_list_read(&list[0], chip[0], at, KERR_STATE_ALL, &ignored) &&
        state_list_read(&list[1], chip[1], at, KERR_STATE_ALL, &ignored)) {
        for (size_t i = 0; i < list[0].count && more; i++) {
            const kerr_state_item *a = &list[0].item[i], *b = state_list_find(&list[1], a, &from);
            if (!is_time(a) && (b == NULL || b->value != a->value)) {
                difference d = {.at = at, .item = {*a, b != NULL ? *b : (kerr_state_item){.group = a->group}}};
                more = fn(context, &d);
            }
        }
    }
    state_list_free(&list[0]);
    state_list_free(&list[1]);
    return more;
}

/* Tiles that are still as after power-on are equal at a glance: nothing of them is touched. */
static bool is_asleep(const kerr_chip *chip, kerr_xy at)
{
    kerr_core_info info;
    for (uint32_t core = 0; core < kerr_tile_cores(kerr_tile_kind_at(at)); core++) {
        if (kerr_core_query(chip, at, (kerr_core)core, &info) == KERR_OK && info.state != KERR_CORE_IN_RESET) {
            return false;
        }
    }
    return true;
}

static void compare(kerr_chip *const chip[2], difference_fn fn, void *context)
{
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        if (!compare_l1(chip, at, fn, context)) {
            return;
        }
        if ((!is_asleep(chip[0], at) || !is_asleep(chip[1], at)) && !compare_state(chip, at, fn, context)) {
            return;
        }
    }
}

/* ---- Lists of differences -------------------------------------------------------------------------------------- */

typedef struct collection {
    difference *item;
    size_t count, room, most;
    const struct collection *except; /* what is in there is no news */
} collection;

static bool is_same_place(const difference *a, const difference *b)
{
    return a->at.x == b->at.x && a->at.y == b->at.y && a->is_l1 == b->is_l1 &&
           (a->is_l1
                ? a->address == b->address
                : strcmp(a->item[0].name, b->item[0].name) == 0 && strcmp(a->item[0].group, b->item[0].group) == 0);
}

static bool collect(void *context, const difference *d)
{
    collection *c = context;
    for (size_t i = 0; c->except != NULL && i < c->except->count; i++) {
        if (is_same_place(&c->except->item[i], d)) {
            return true;
        }
    }
    if (c->count == c->room) {
        const size_t room = c->room == 0 ? 64 : 2 * c->room;
        difference *grown = realloc(c->item, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        c->item = grown;
        c->room = room;
    }
    c->item[c->count++] = *d;
    return c->count < c->most;
}

static void print_difference(const difference *d)
{
    if (d->is_l1) {
        (void)printf("  tile %u,%u  L1 0x%05x: 0x%08x, 0x%08x\n", d->at.x, d->at.y, d->address, d->bytes[0],
                     d->bytes[1]);
        return;
    }
    char left[400], right[400];
    state_value(&d->item[0], left, sizeof left);
    state_value(&d->item[1], right, sizeof right);
    (void)printf("  tile %u,%u  %s: %s: %s, %s\n", d->at.x, d->at.y, d->item[0].group, d->item[0].name, left, right);
}

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
        print_difference(&c->item[i]);
    }
    if (c->count > w->shown) {
        (void)printf("  ... and more\n");
    }
    print_who(w, chip, c->item[0].at);
    return EXIT_FAULT;
}

/* ---- Two runs -------------------------------------------------------------------------------------------------- */

static size_t news(kerr_chip *const chip[2], collection *c)
{
    c->count = 0;
    compare(chip, collect, c);
    return c->count;
}

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
        if (news(chip, found) != 0) {
            while (high - low > 1) {
                const uint64_t middle = low + (high - low) / 2;
                (void)step_both(p, middle);
                *(news(chip, found) != 0 ? &high : &low) = middle;
            }
            (void)step_both(p, high);
            (void)news(chip, found);
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

static int execute(wish *w, tool_error *error)
{
    kerr_chip *chip[2] = {NULL, NULL};
    int result = EXIT_OK;
    if (!programs_read(&w->loaded, &w->names, error) || !chip_file_read(w->path[0], &chip[0], error) ||
        !chip_file_read(w->path[1], &chip[1], error)) {
        result = verb_refuse(VERB_DIFF, error);
    } else {
        collection old = {.most = SIZE_MAX}, found = {.most = (size_t)w->shown + 1, .except = &old};
        if (w->cycles != 0) {
            compare(chip, collect, &old);
            result = run_both(w, chip, &found, error);
        } else if (news(chip, &found) != 0) {
            result = say(w, chip, &found, "the chips differ:");
        } else {
            (void)printf("the chips are the same\n");
        }
        free(old.item);
        free(found.item);
    }
    kerr_destroy(chip[0]);
    kerr_destroy(chip[1]);
    return result;
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
