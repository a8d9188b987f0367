/* SPDX-License-Identifier: Apache-2.0 */
/* What is compared: the architecture's name, the grid, and every list of tiles with what kerr_tile_kind_at says of them.
 * A tile is written x-y there.  Keys that say nothing about the chip's shape (features, views, sizes of banks) are left
 * alone. */
#include "descriptor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file.h"
#include "kerr.h"
#include "place.h"
#include "yaml_tree.h"

enum { DESCRIPTOR_FILE_MAX = 1 << 20, SHOWN_MAX = 8 };

typedef struct comparison {
    const yaml_tree *tree;
    const kerr_chip *chip;
    FILE *to;
    bool fits;
} comparison;

/* The lists of a descriptor and the kind of tile each must hold. */
static const struct {
    const char *key;
    kerr_tile_kind kind;
    bool required;
} list_table[] = {
    {"functional_workers", KERR_TILE_TENSIX, true},
    {"harvested_workers", KERR_TILE_TENSIX, false},
    {"eth", KERR_TILE_ETH, false},
    {"dram", KERR_TILE_DRAM, false},
    {"pcie", KERR_TILE_PCIE, false},
    {"arc", KERR_TILE_ARC, false},
    {"l2cpu", KERR_TILE_L2CPU, false},
    {"security", KERR_TILE_SECURITY, false},
};

__attribute__((format(printf, 3, 4))) static void differ(comparison *c, const yaml_node *node, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)fprintf(c->to, "differs: %s:%u:%u: ", c->tree->name, node->line, node->column);
    (void)vfprintf(c->to, format, list);
    (void)fputc('\n', c->to);
    va_end(list);
    c->fits = false;
}

static void compare_arch(comparison *c, const yaml_node *root)
{
    const yaml_node *name = yaml_get(root, "arch_name");
    if (name == NULL) {
        differ(c, root, "there is no arch_name");
    } else if (name->kind != YAML_KIND_SCALAR || strcasecmp(name->text, "blackhole") != 0) {
        differ(c, name, "arch_name is %s, the chip is a Blackhole",
               name->kind == YAML_KIND_SCALAR ? name->text : "not a name");
    }
}

static void compare_number(comparison *c, const yaml_node *map, const char *key, uint64_t ours)
{
    const yaml_node *node = yaml_get(map, key);
    uint64_t value;
    tool_error ignored;
    if (node == NULL) {
        differ(c, map, "there is no %s; the chip has %" PRIu64, key, ours);
    } else if (node->kind != YAML_KIND_SCALAR || !parse_number(node->text, UINT64_MAX, &value, &ignored)) {
        differ(c, node, "%s is not a number", key);
    } else if (value != ours) {
        differ(c, node, "%s is %" PRIu64 ", the chip has %" PRIu64, key, value, ours);
    }
}

static void compare_grid(comparison *c, const yaml_node *root)
{
    const yaml_node *grid = yaml_get(root, "grid");
    if (grid == NULL || grid->kind != YAML_KIND_MAP) {
        differ(c, grid != NULL ? grid : root, "there is no grid with x_size and y_size");
        return;
    }
    compare_number(c, grid, "x_size", KERR_GRID_X);
    compare_number(c, grid, "y_size", KERR_GRID_Y);
}

/* "x-y"; false if it is not that. */
static bool parse_xy(const char *text, uint64_t *x, uint64_t *y)
{
    char first[8];
    tool_error ignored;
    const char *dash = strchr(text, '-');
    if (dash == NULL || (size_t)(dash - text) >= sizeof first) {
        return false;
    }
    memcpy(first, text, (size_t)(dash - text));
    first[dash - text] = '\0';
    return parse_number(first, UINT32_MAX, x, &ignored) && parse_number(dash + 1, UINT32_MAX, y, &ignored);
}

static void compare_tile(comparison *c, const yaml_node *node, const char *key, kerr_tile_kind kind, tile_set *seen)
{
    uint64_t x, y;
    if (!parse_xy(node->text, &x, &y)) {
        differ(c, node, "'%.32s' in %s is no tile (x-y)", node->text, key);
        return;
    }
    if (x >= KERR_GRID_X || y >= KERR_GRID_Y) {
        differ(c, node, "tile %s in %s is outside the chip", node->text, key);
        return;
    }
    const kerr_xy at = {(uint8_t)x, (uint8_t)y};
    const kerr_tile_kind ours = kerr_tile_kind_at(at);
    if (ours != kind) {
        differ(c, node, "tile %s is in %s, but on the chip its kind is %s", node->text, key, tile_kind_name(ours));
    } else if ((kind == KERR_TILE_TENSIX || kind == KERR_TILE_DRAM) && strcmp(key, "harvested_workers") != 0 &&
               !kerr_tile_is_on(c->chip, at)) {
        differ(c, node, "tile %s is in %s, but is switched off on the chip", node->text, key);
    } else if (tile_set_has(seen, at)) {
        differ(c, node, "tile %s is in %s a second time", node->text, key);
    }
    tile_set_add(seen, at);
}

/* The tiles of a list, which may be a list of lists (dram). */
static void compare_list(comparison *c, const yaml_node *list, const char *key, kerr_tile_kind kind, tile_set *seen)
{
    for (const yaml_node *item = list->first; item != NULL; item = item->next) {
        if (item->kind == YAML_KIND_SCALAR) {
            compare_tile(c, item, key, kind, seen);
        } else if (item->kind == YAML_KIND_LIST) {
            for (const yaml_node *inner = item->first; inner != NULL; inner = inner->next) {
                if (inner->kind == YAML_KIND_SCALAR) {
                    compare_tile(c, inner, key, kind, seen);
                } else {
                    differ(c, inner, "%s holds something that is no tile (x-y)", key);
                }
            }
        } else {
            differ(c, item, "%s holds something that is no tile (x-y)", key);
        }
    }
}

/* Tiles of a kind that the chip has and the descriptor does not name: host software will not use them. */
static void note_unnamed(const comparison *c, kerr_tile_kind kind, const tile_set *seen)
{
    unsigned count = 0;
    char shown[SHOWN_MAX * 6 + 1] = "";
    for (unsigned y = 0; y < KERR_GRID_Y; y++) {
        for (unsigned x = 0; x < KERR_GRID_X; x++) {
            const kerr_xy at = {(uint8_t)x, (uint8_t)y};
            if (kerr_tile_kind_at(at) == kind && kerr_tile_is_on(c->chip, at) && !tile_set_has(seen, at)) {
                const size_t used = strlen(shown);
                if (count < SHOWN_MAX) {
                    (void)snprintf(shown + used, sizeof shown - used, " %u-%u", x, y);
                }
                count++;
            }
        }
    }
    if (count > 0) {
        (void)fprintf(c->to, "note: %u %s %s of the chip not in the descriptor:%s%s\n", count, tile_kind_name(kind),
                      count == 1 ? "tile" : "tiles", shown, count > SHOWN_MAX ? " ..." : "");
    }
}

static void compare_lists(comparison *c, const yaml_node *root)
{
    tile_set seen[KERR_TILE_SECURITY + 1] = {{{0}}};
    bool named[KERR_TILE_SECURITY + 1] = {false};
    for (size_t i = 0; i < sizeof list_table / sizeof list_table[0]; i++) {
        const kerr_tile_kind kind = list_table[i].kind;
        const yaml_node *list = yaml_get(root, list_table[i].key);
        if (list != NULL && list->kind == YAML_KIND_LIST) {
            compare_list(c, list, list_table[i].key, kind, &seen[kind]);
            named[kind] = true;
        } else if (list != NULL && !(list->kind == YAML_KIND_SCALAR && list->text[0] == '\0')) {
            differ(c, list, "%s is not a list of tiles", list_table[i].key);
        } else if (list_table[i].required) {
            differ(c, root, "there is no list %s", list_table[i].key);
        }
    }
    for (unsigned kind = KERR_TILE_TENSIX; kind <= KERR_TILE_SECURITY; kind++) {
        if (named[kind]) {
            note_unnamed(c, (kerr_tile_kind)kind, &seen[kind]);
        }
    }
}

bool descriptor_compare(const char *path, const kerr_harvesting *shape, FILE *to, bool *fits, tool_error *error)
{
    char *data;
    size_t size;
    yaml_tree tree;
    if (!file_read(path, DESCRIPTOR_FILE_MAX, &data, &size, error)) {
        return false;
    }
    bool ok = yaml_tree_read(&tree, path, data, size, error);
    free(data);
    if (!ok) {
        return false;
    }
    kerr_config config;
    kerr_chip *chip = NULL;
    kerr_config_init(&config);
    config.harvesting = *shape;
    const kerr_status status = kerr_create(&config, &chip);
    if (status != KERR_OK) {
        ok = tool_fail(error, "no chip: %s", kerr_status_text(status));
    } else if (tree.root->kind != YAML_KIND_MAP) {
        ok = yaml_fail(&tree, tree.root, error, "a soc descriptor is a map, not %s", yaml_kind_name(tree.root->kind));
    } else {
        comparison c = {.tree = &tree, .chip = chip, .to = to, .fits = true};
        compare_arch(&c, tree.root);
        compare_grid(&c, tree.root);
        compare_lists(&c, tree.root);
        *fits = c.fits;
    }
    kerr_destroy(chip);
    yaml_tree_free(&tree);
    return ok;
}
