/* SPDX-License-Identifier: Apache-2.0 */
#include "yaml_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEPTH_MAX = 16, KEYS_MAX = 256 };

typedef struct reader {
    yaml_tree *tree;
    yaml_parser_t parser;
    yaml_node *open[DEPTH_MAX];
    unsigned depth;
    tool_error *error;
} reader;

const char *yaml_kind_name(yaml_kind kind)
{
    return kind == YAML_KIND_SCALAR ? "a single value" : kind == YAML_KIND_LIST ? "a list" : "a map";
}

void yaml_error_set(const yaml_tree *tree, const yaml_node *node, tool_error *error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    tool_error_put_before(error, "%s:%u:%u", tree->name, node->line, node->column);
}

static bool fail_at_mark(const reader *r, yaml_mark_t mark, const char *text)
{
    return tool_fail(r->error, "%s:%zu:%zu: %s", r->tree->name, mark.line + 1, mark.column + 1, text);
}

static yaml_node *make_node(reader *r, yaml_kind kind, yaml_mark_t mark)
{
    yaml_node *node = calloc(1, sizeof *node);
    if (node == NULL) {
        (void)tool_fail(r->error, "%s: out of memory", r->tree->name);
        return NULL;
    }
    node->kind = kind;
    node->line = (uint32_t)mark.line + 1;
    node->column = (uint32_t)mark.column + 1;
    node->made_before = r->tree->made_last;
    r->tree->made_last = node;
    return node;
}

/* Hangs a node that has its text under the innermost open list or map. */
static bool attach_node(reader *r, yaml_node *node)
{
    if (r->depth == 0) {
        r->tree->root = node;
        return true;
    }
    yaml_node *parent = r->open[r->depth - 1];
    if (parent->kind == YAML_KIND_MAP && parent->count % 2 == 0) {
        if (node->kind != YAML_KIND_SCALAR) {
            return yaml_fail(r->tree, node, r->error, "a key must be a single word, not %s",
                             yaml_kind_name(node->kind));
        }
        if (parent->count >= 2 * KEYS_MAX) {
            return yaml_fail(r->tree, node, r->error, "a map has more than %d keys", KEYS_MAX);
        }
        for (const yaml_node *key = parent->first; key != NULL; key = key->next->next) {
            if (strcmp(key->text, node->text) == 0) {
                return yaml_fail(r->tree, node, r->error, "key '%s' is here a second time (first in line %u)",
                                 node->text, key->line);
            }
        }
    }
    if (parent->last != NULL) {
        parent->last->next = node;
    } else {
        parent->first = node;
    }
    parent->last = node;
    parent->count++;
    return true;
}

static bool open_node(reader *r, yaml_kind kind, const yaml_event_t *event)
{
    if (r->depth == DEPTH_MAX) {
        return fail_at_mark(r, event->start_mark, "nested too deeply");
    }
    yaml_node *node = make_node(r, kind, event->start_mark);
    if (node == NULL || !attach_node(r, node)) {
        return false;
    }
    r->open[r->depth++] = node;
    return true;
}

static bool take_scalar(reader *r, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    if (strlen(text) != event->data.scalar.length) {
        return fail_at_mark(r, event->start_mark, "a NUL character is not allowed here");
    }
    yaml_node *node = make_node(r, YAML_KIND_SCALAR, event->start_mark);
    if (node == NULL) {
        return false;
    }
    node->text = strdup(text);
    if (node->text == NULL) {
        return tool_fail(r->error, "%s: out of memory", r->tree->name);
    }
    return attach_node(r, node);
}

static bool has_anchor(const yaml_event_t *event)
{
    return (event->type == YAML_SCALAR_EVENT && event->data.scalar.anchor != NULL) ||
           (event->type == YAML_SEQUENCE_START_EVENT && event->data.sequence_start.anchor != NULL) ||
           (event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.anchor != NULL);
}

static bool has_tag(const yaml_event_t *event)
{
    return (event->type == YAML_SCALAR_EVENT && event->data.scalar.tag != NULL) ||
           (event->type == YAML_SEQUENCE_START_EVENT && event->data.sequence_start.tag != NULL) ||
           (event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.tag != NULL);
}

static bool take_event(reader *r, const yaml_event_t *event)
{
    if (has_anchor(event) || event->type == YAML_ALIAS_EVENT) {
        return fail_at_mark(r, event->start_mark, "anchors (&name) and aliases (*name) are not accepted; write it out");
    }
    if (has_tag(event)) {
        return fail_at_mark(r, event->start_mark, "tags (!name) are not accepted");
    }
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (r->tree->root != NULL) {
            return fail_at_mark(r, event->start_mark, "a second document begins here; only one is accepted");
        }
        return true;
    case YAML_SCALAR_EVENT: return take_scalar(r, event);
    case YAML_SEQUENCE_START_EVENT: return open_node(r, YAML_KIND_LIST, event);
    case YAML_MAPPING_START_EVENT: return open_node(r, YAML_KIND_MAP, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: r->depth--; return true;
    default: return true;
    }
}

static bool read_events(reader *r)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r->parser, &event)) {
            return tool_fail(r->error, "%s:%zu:%zu: not valid YAML: %s", r->tree->name, r->parser.problem_mark.line + 1,
                             r->parser.problem_mark.column + 1,
                             r->parser.problem != NULL ? r->parser.problem : "out of memory");
        }
        const bool over = event.type == YAML_STREAM_END_EVENT;
        const bool ok = take_event(r, &event);
        yaml_event_delete(&event);
        if (!ok || over) {
            return ok;
        }
    }
}

bool yaml_tree_read(yaml_tree *tree, const char *name, const char *data, size_t size, tool_error *error)
{
    *tree = (yaml_tree){.name = name};
    reader r = {.tree = tree, .error = error};
    if (!yaml_parser_initialize(&r.parser)) {
        return tool_fail(error, "%s: out of memory", name);
    }
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)data, size);
    bool ok = read_events(&r);
    yaml_parser_delete(&r.parser);
    if (ok && tree->root == NULL) {
        ok = tool_fail(error, "%s: is empty", name);
    }
    if (!ok) {
        yaml_tree_free(tree);
    }
    return ok;
}

void yaml_tree_free(yaml_tree *tree)
{
    while (tree->made_last != NULL) {
        yaml_node *node = tree->made_last;
        tree->made_last = node->made_before;
        free(node->text);
        free(node);
    }
    tree->root = NULL;
}

const yaml_node *yaml_get(const yaml_node *map, const char *key)
{
    if (map == NULL || map->kind != YAML_KIND_MAP) {
        return NULL;
    }
    for (const yaml_node *at = map->first; at != NULL; at = at->next->next) {
        if (strcmp(at->text, key) == 0) {
            return at->next;
        }
    }
    return NULL;
}
