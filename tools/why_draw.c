/* SPDX-License-Identifier: Apache-2.0 */
/* The wait-for graph as a file for Graphviz and as a drawing.  Three columns: who waits, what for, and who could give it or why
 * nobody does; an arrow that leads back to somebody who waits himself is what a deadlock looks like. */
#include <string.h>

#include "why.h"

enum { BOX_WIDTH = 330, BOX_HEIGHT = 44, GAP_X = 190, GAP_Y = 22, MARGIN = 30, TITLE = 34, CHARACTERS = 46 };

typedef struct spot {
    int column, x, y;
} spot;

static void put_escaped(FILE *to, const char *text, size_t most)
{
    for (size_t i = 0; text[i] != '\0' && i < most; i++) {
        switch (text[i]) {
        case '<': (void)fputs("&lt;", to); break;
        case '>': (void)fputs("&gt;", to); break;
        case '&': (void)fputs("&amp;", to); break;
        case '"': (void)fputs("&quot;", to); break;
        default:
            if ((unsigned char)text[i] >= ' ') {
                (void)fputc(text[i], to);
            }
        }
    }
    if (strlen(text) > most) {
        (void)fputs("...", to);
    }
}

static int column_of(const why_node *n)
{
    switch (n->kind) {
    case WHY_THING: return 1;
    case WHY_NEVER: return 2;
    default: return n->waits ? 0 : 2;
    }
}

/* Returns the height of the tallest column. */
static int lay_out(const why_graph *g, int top, spot spots[WHY_NODES])
{
    int used[3] = {0, 0, 0}, most = 0;
    for (size_t i = 0; i < g->node_count; i++) {
        const int column = column_of(&g->node[i]);
        spots[i] = (spot){column, MARGIN + column * (BOX_WIDTH + GAP_X), top + used[column] * (BOX_HEIGHT + GAP_Y)};
        used[column]++;
        most = used[column] > most ? used[column] : most;
    }
    return most * (BOX_HEIGHT + GAP_Y);
}

static void draw_node(FILE *to, const why_node *n, const spot *s)
{
    static const char *const fill[] = {"#dfe9f8", "#e4f3e1", "#fdf3d0", "#eeeeee"};
    (void)fprintf(to,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"%s\" "
                  "stroke-width=\"%d\"/>\n",
                  s->x, s->y, BOX_WIDTH, BOX_HEIGHT, n->kind == WHY_THING ? 20 : 4, fill[n->kind],
                  n->stuck ? "#c01818" : "#555555", n->stuck ? 2 : 1);
    (void)fprintf(to, "<text x=\"%d\" y=\"%d\">", s->x + 10, s->y + (n->state[0] != '\0' ? 18 : 27));
    put_escaped(to, n->text, CHARACTERS);
    (void)fprintf(to, "</text>\n");
    if (n->state[0] != '\0') {
        (void)fprintf(to, "<text class=\"s\" x=\"%d\" y=\"%d\"><title>", s->x + 10, s->y + 36);
        put_escaped(to, n->state, SIZE_MAX);
        (void)fprintf(to, "</title>");
        put_escaped(to, n->state, CHARACTERS + 6);
        (void)fprintf(to, "</text>\n");
    }
}

static void draw_edge(FILE *to, const why_edge *e, const spot *a, const spot *b)
{
    const bool back = b->column <= a->column;
    const int x1 = a->x + (back ? 0 : BOX_WIDTH), y1 = a->y + BOX_HEIGHT / 2;
    const int x2 = b->x + (back ? BOX_WIDTH : 0), y2 = b->y + BOX_HEIGHT / 2 + (back ? 10 : 0);
    const int bend = back ? -GAP_X / 2 : GAP_X / 2;
    (void)fprintf(to, "<path d=\"M%d,%d C%d,%d %d,%d %d,%d\" fill=\"none\" stroke=\"%s\" marker-end=\"url(#a)\"/>\n",
                  x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2, back ? "#c01818" : "#333333");
    (void)fprintf(to, "<text class=\"s\" text-anchor=\"middle\" x=\"%d\" y=\"%d\">", (x1 + x2) / 2, (y1 + y2) / 2 - 4);
    put_escaped(to, e->text, CHARACTERS);
    (void)fprintf(to, "</text>\n");
}

static int draw_graph(FILE *to, const why_graph *g, int top)
{
    spot spots[WHY_NODES];
    (void)fprintf(to, "<text class=\"t\" x=\"%d\" y=\"%d\">tile (%u,%u)</text>\n", MARGIN, top + 16, g->at.x, g->at.y);
    top += TITLE;
    top += lay_out(g, top, spots);
    for (size_t i = 0; i < g->edge_count; i++) {
        draw_edge(to, &g->edge[i], &spots[g->edge[i].from], &spots[g->edge[i].to]);
    }
    for (size_t i = 0; i < g->node_count; i++) {
        draw_node(to, &g->node[i], &spots[i]);
    }
    for (size_t i = 0; i < g->event_count; i++) {
        (void)fprintf(to, "<text class=\"n\" x=\"%d\" y=\"%d\">", MARGIN, top + 14);
        put_escaped(to, g->event[i], 170);
        (void)fprintf(to, "</text>\n");
        top += 20;
    }
    return top + MARGIN;
}

static int height_of(const why_graph *g)
{
    spot spots[WHY_NODES];
    return TITLE + lay_out(g, 0, spots) + 20 * (int)g->event_count + MARGIN;
}

void why_svg(FILE *to, const why_graph *graphs, size_t count)
{
    int height = MARGIN + 20, top = MARGIN;
    for (size_t i = 0; i < count; i++) {
        height += height_of(&graphs[i]);
    }
    (void)fprintf(
        to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
        "font-size=\"14\">\n"
        "<style>.s{font-size:11px;fill:#444}.t{font-size:17px;font-weight:bold}.n{font-size:12px;fill:#a01010}</"
        "style>\n"
        "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
        "orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        2 * MARGIN + 3 * BOX_WIDTH + 2 * GAP_X, height);
    for (size_t i = 0; i < count; i++) {
        top = draw_graph(to, &graphs[i], top);
    }
    if (count == 0) {
        (void)fprintf(to, "<text x=\"%d\" y=\"%d\">nobody waits for anybody</text>\n", MARGIN, MARGIN);
    }
    (void)fprintf(to, "</svg>\n");
}

static void put_quoted(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            (void)fputc('\\', to);
        }
        (void)fputc(*text, to);
    }
}

void why_dot(FILE *to, const why_graph *graphs, size_t count)
{
    static const char *const shape[] = {"box", "box", "ellipse", "plaintext"};
    (void)fprintf(to, "digraph why {\n  rankdir=LR;\n");
    for (size_t g = 0; g < count; g++) {
        (void)fprintf(to, "  subgraph cluster_%u_%u {\n    label=\"tile (%u,%u)\";\n", graphs[g].at.x, graphs[g].at.y,
                      graphs[g].at.x, graphs[g].at.y);
        for (size_t i = 0; i < graphs[g].node_count; i++) {
            const why_node *n = &graphs[g].node[i];
            (void)fprintf(to, "    n%zu_%zu [shape=%s%s, label=\"", g, i, shape[n->kind],
                          n->stuck ? ", color=red" : "");
            put_quoted(to, n->text);
            if (n->state[0] != '\0') {
                (void)fprintf(to, "\\n");
                put_quoted(to, n->state);
            }
            (void)fprintf(to, "\"];\n");
        }
        for (size_t i = 0; i < graphs[g].edge_count; i++) {
            const why_edge *e = &graphs[g].edge[i];
            (void)fprintf(to, "    n%zu_%u -> n%zu_%u [label=\"", g, e->from, g, e->to);
            put_quoted(to, e->text);
            (void)fprintf(to, "\"];\n");
        }
        (void)fprintf(to, "  }\n");
    }
    (void)fprintf(to, "}\n");
}
