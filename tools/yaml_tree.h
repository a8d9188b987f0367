/* SPDX-License-Identifier: Apache-2.0 */
/* A YAML document as a tree whose every node knows its line and column.  Built from libyaml's events rather than
 * with its own loader, because that one drops what a strict reader needs: it resolves aliases silently (a small
 * file can unfold into a huge one, or into itself) and keeps duplicate keys. */
#ifndef KERR_TOOLS_YAML_TREE_H
#define KERR_TOOLS_YAML_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "tool_error.h"

typedef enum yaml_kind { YAML_KIND_SCALAR, YAML_KIND_LIST, YAML_KIND_MAP } yaml_kind;

typedef struct yaml_node {
    yaml_kind kind;
    uint32_t line, column;          /* from 1 */
    char *text;                     /* of a scalar, else NULL */
    struct yaml_node *first, *last; /* children; of a map key, value, key, value ... */
    size_t count;                   /* of children */
    struct yaml_node *next;         /* sibling */
    struct yaml_node *made_before;  /* every node, for yaml_tree_free */
} yaml_node;

typedef struct yaml_tree {
    const char *name; /* of the file, for messages; the caller's */
    yaml_node *root;
    yaml_node *made_last;
} yaml_tree;

/* Refuses broken YAML, more than one document, anchors, aliases, tags, keys that are no scalars or come twice, NUL
 * characters, more than 256 keys in a map and more than 16 levels.  On false the tree is empty; it may be freed in any case. */
bool yaml_tree_read(yaml_tree *tree, const char *name, const char *data, size_t size, tool_error *error);
void yaml_tree_free(yaml_tree *tree);

__attribute__((format(printf, 4, 5))) void yaml_error_set(const yaml_tree *tree, const yaml_node *node,
                                                          tool_error *error, const char *format, ...);
/* "file:line:column: " and the sentence; false, as tool_fail is. */
#define yaml_fail(tree, node, error, ...) (yaml_error_set(tree, node, error, __VA_ARGS__), false)
/* The value of a key of a map, or NULL. */
const yaml_node *yaml_get(const yaml_node *map, const char *key);
const char *yaml_kind_name(yaml_kind kind);

#endif
