/* SPDX-License-Identifier: Apache-2.0 */
/* kerr state: every named register, field, buffer and queue of a tile of a saved chip, decoded. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip_file.h"
#include "options.h"
#include "place.h"
#include "state_list.h"
#include "verbs.h"

typedef struct wish {
    const char *chip_path, *other_path, *only;
    tile_set tiles;
    bool has_tiles, json, all;
    uint32_t what;
} wish;

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    wish *w = context;
    switch (id) {
    case OPTION_STATE_AGAINST: w->other_path = value; return true;
    case OPTION_STATE_ONLY: w->only = value; return true;
    case OPTION_STATE_JSON: w->json = true; return true;
    case OPTION_STATE_ALL: w->all = true; return true;
    case OPTION_STATE_FILES: w->what |= KERR_STATE_FILES; return true;
    default: break;
    }
    if (w->chip_path == NULL) {
        w->chip_path = value;
        return true;
    }
    tile_set more = {{0}};
    if (!parse_tiles(value, false, &more, error)) {
        return false;
    }
    for (unsigned i = 0; i < KERR_GRID_Y; i++) {
        w->tiles.row[i] |= more.row[i];
    }
    w->has_tiles = true;
    return true;
}

static bool is_wanted(const wish *w, const kerr_state_item *item)
{
    char whole[160];
    if (w->only == NULL) {
        return true;
    }
    (void)snprintf(whole, sizeof whole, "%s/%s", item->group, item->name);
    return fnmatch(w->only, whole, 0) == 0 || fnmatch(w->only, item->name, 0) == 0 ||
           fnmatch(w->only, item->group, 0) == 0;
}

/* Names have no quotes or backslashes. */
static bool has_wanted(const wish *w, const state_list *list)
{
    bool found = false;
    for (size_t i = 0; i < list->count && !found; i++) {
        found = is_wanted(w, &list->item[i]);
    }
    return found;
}

static void print_json(const wish *w, kerr_xy at, const state_list *list, const state_list *other, bool first)
{
    const char *group = NULL;
    size_t from = 0;
    bool comma = false;
    (void)printf("%s{\"tile\":[%u,%u]", first ? "" : ",\n", at.x, at.y);
    for (size_t i = 0; i < list->count; i++) {
        const kerr_state_item *item = &list->item[i];
        if (!is_wanted(w, item)) {
            continue;
        }
        if (group == NULL || strcmp(group, item->group) != 0) {
            (void)printf("%s,\n \"%s\":{", group == NULL ? "" : "}", item->group);
            comma = false;
        }
        group = item->group;
        (void)printf("%s\"%s\":%" PRIu64, comma ? "," : "", item->name, item->value);
        if (other != NULL) {
            const kerr_state_item *there = state_list_find(other, item, &from);
            if (there != NULL && there->value != item->value) {
                (void)printf(",\"%s (other)\":%" PRIu64, item->name, there->value);
            }
        }
        comma = true;
    }
    (void)printf("%s}", group == NULL ? "" : "}");
}

static void print_text(const wish *w, kerr_xy at, const state_list *list, const state_list *other)
{
    const char *group = "";
    size_t from = 0, different = 0;
    (void)printf("tile %u,%u\n", at.x, at.y);
    for (size_t i = 0; i < list->count; i++) {
        const kerr_state_item *item = &list->item[i];
        const kerr_state_item *there = other != NULL ? state_list_find(other, item, &from) : NULL;
        const bool differs = other != NULL && (there == NULL || there->value != item->value);
        different += differs;
        if (!is_wanted(w, item) || (!w->all && (other != NULL ? !differs : item->value == 0))) {
            continue;
        }
        char left[400], right[400] = "-";
        if (strcmp(group, item->group) != 0) {
            (void)printf("  %s\n", item->group);
            group = item->group;
        }
        state_value(item, left, sizeof left);
        if (other == NULL) {
            (void)printf("    %-44s %s\n", item->name, left);
            continue;
        }
        if (there != NULL) {
            state_value(there, right, sizeof right);
        }
        (void)printf("  %c %-44s %-24s %s\n", differs ? '*' : ' ', item->name, left, right);
    }
    if (other != NULL) {
        (void)printf("  %zu of %zu differ\n", different, list->count);
    }
}

static bool show(const wish *w, const kerr_chip *chip, const kerr_chip *other, tool_error *error)
{
    unsigned index = 0;
    kerr_xy at;
    bool good = true, first = true;
    while (good && tile_set_next(&w->tiles, &index, &at)) {
        state_list list = {0}, there = {0};
        good = state_list_read(&list, chip, at, w->what, error) &&
               (other == NULL || state_list_read(&there, other, at, w->what, error));
        if (good && first && !has_wanted(w, &list)) {
            good = tool_fail(error, "--only: nothing has a name like '%s'; kerr state --all shows them", w->only);
        }
        if (good && first && w->json) {
            (void)printf("[");
        }
        if (good && w->json) {
            print_json(w, at, &list, other != NULL ? &there : NULL, first);
        } else if (good) {
            print_text(w, at, &list, other != NULL ? &there : NULL);
        }
        first = false;
        state_list_free(&list);
        state_list_free(&there);
    }
    if (good && w->json) {
        (void)printf("]\n");
    }
    return good;
}

int state_main(int count, char *const *arguments)
{
    wish w = {.what = KERR_STATE_PLAIN};
    tool_error error;
    bool help = false;
    kerr_chip *chip = NULL, *other = NULL;
    bool good = options_parse(VERB_STATE, count, arguments, take_argument, &w, &help, &error);
    if (good && help) {
        options_help_verb(stdout, VERB_STATE);
        return EXIT_OK;
    }
    if (good && w.chip_path == NULL) {
        good = tool_fail(&error, "no chip to look at: kerr run --save FILE writes one");
    }
    if (good && !w.has_tiles) {
        tile_set_add(&w.tiles, kerr_tensix_xy(0));
    }
    good = good && chip_file_read(w.chip_path, &chip, &error) &&
           (w.other_path == NULL || chip_file_read(w.other_path, &other, &error)) && show(&w, chip, other, &error);
    kerr_destroy(chip);
    kerr_destroy(other);
    return good ? EXIT_OK : verb_refuse(VERB_STATE, &error);
}
