/* SPDX-License-Identifier: Apache-2.0 */
/* A graph of who waits for whom: how it is put together, and as text. */
#include "why_graph.h"

#include <stdarg.h>
#include <string.h>

#include "waits.h"

unsigned why_add_node(why_graph *g, why_node_kind kind, unsigned key, bool *is_new, const char *format, ...)
{
    for (unsigned i = 0; i < g->node_count; i++) {
        if (g->node[i].key == key && g->node[i].kind == kind) {
            *is_new = false;
            return i;
        }
    }
    *is_new = g->node_count < WHY_NODES;
    if (!*is_new) {
        return WHY_NODES;
    }
    why_node *made = &g->node[g->node_count];
    *made = (why_node){.kind = kind, .key = key};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(made->text, sizeof made->text, format, arguments);
    va_end(arguments);
    return (unsigned)g->node_count++;
}

void why_add_edge(why_graph *g, unsigned from, unsigned to, const char *text)
{
    for (size_t i = 0; i < g->edge_count; i++) {
        if (g->edge[i].from == from && g->edge[i].to == to) {
            return;
        }
    }
    if (from < g->node_count && to < g->node_count && g->edge_count < WHY_EDGES) {
        why_edge *made = &g->edge[g->edge_count++];
        *made = (why_edge){.from = from, .to = to};
        (void)snprintf(made->text, sizeof made->text, "%s", text);
    }
}

void why_add_event(why_graph *g, const char *format, ...)
{
    if (g->event_count == WHY_EVENTS) {
        return;
    }
    char *text = g->event[g->event_count];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof g->event[0], format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < g->event_count; i++) {
        if (strcmp(g->event[i], text) == 0) {
            return;
        }
    }
    g->event_count++;
}

static void print_candidates(FILE *to, const why_graph *g, unsigned thing_node)
{
    const char *between = "";
    for (size_t i = 0; i < g->edge_count; i++) {
        const why_edge *e = &g->edge[i];
        if (e->from == thing_node) {
            (void)fprintf(to, "%s", between);
            if (between[0] == '\0' && e->text[0] != '\0') {
                (void)fprintf(to, " --(%s)--> ", e->text);
            } else if (between[0] == '\0') {
                (void)fprintf(to, " --> ");
            }
            (void)fprintf(to, "[%s]", g->node[e->to].text);
            between = " or ";
        }
    }
}

void why_print_graph(FILE *to, const char *before, const why_graph *g)
{
    for (size_t i = 0; i < g->edge_count; i++) {
        const why_edge *e = &g->edge[i];
        if (g->node[e->from].kind <= WHY_THREAD) {
            (void)fprintf(to, "%s%s[%s] --(%s)--> (%s)", before, g->node[e->from].stuck ? "* " : "  ",
                          g->node[e->from].text, e->text, g->node[e->to].text);
            print_candidates(to, g, e->to);
            (void)fprintf(to, "\n");
        }
    }
    for (size_t i = 0; i < g->node_count; i++) {
        if (g->node[i].kind <= WHY_THREAD && !g->node[i].waits) {
            (void)fprintf(to, "%s  [%s] %s\n", before, g->node[i].text, g->node[i].state);
        }
    }
    for (size_t i = 0; i < g->event_count; i++) {
        (void)fprintf(to, "%s%s\n", before, g->event[i]);
    }
}

void why_print(FILE *to, const kerr_chip *chip, const place_source *places)
{
    (void)fprintf(to, "kerr: who waits for whom (* cannot go on)\n");
    waits_print(to, chip, NULL, places);
}
