/* SPDX-License-Identifier: Apache-2.0 */
/* The wait-for graph as a file for Graphviz and as a drawing.  Three columns: who waits, what for, and who could give it or why
 * nobody does.  Arrows go from left to right only: who could give it and waits himself stands on the right again, with the number
 * under which he is found on the left.  A label stands over its arrow where it leaves the box; arrows bend behind the labels. */
#include <stdlib.h>
#include <string.h>

#include "svg_text.h"
#include "why.h"

enum {
    COLUMNS = 3,
    BOXES = 2 * WHY_NODES,
    MARGIN = 30,
    PAD = 10,
    GAP = 16,         /* between boxes of a column */
    BEND = 90,        /* the room for arrows to bend */
    LABEL_GAP = 6,    /* on both sides of an arrow's label */
    BOX_MOST = 320,   /* of a line in a box */
    LABEL_MOST = 140, /* of a line over an arrow */
    BIG = 17,
    NORMAL = 14,
    SMALL = 12,
};

typedef struct box {
    unsigned node;
    unsigned column;
    bool again; /* stands for one of the first column */
    unsigned arrows;
    int x, y, width, height;
    char label[WHY_TEXT]; /* of all arrows that leave it */
    char head[WHY_TEXT + 16], state[WHY_STATE];
} box;

typedef struct plan {
    const why_graph *graph;
    unsigned number[WHY_NODES]; /* of who waits, from 1 */
    size_t count;
    box box[BOXES];
    unsigned arrow[WHY_EDGES][2]; /* from and to which box */
    int left[COLUMNS], wide[COLUMNS], label[COLUMNS];
    int width, height;
} plan;

static unsigned column_of(const why_node *n)
{
    return n->kind == WHY_THING ? 1 : n->kind != WHY_NEVER && n->waits ? 0 : 2;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The box of a node, made if there is none yet. */
static unsigned box_of(plan *p, unsigned node, bool again)
{
    const why_node *n = &p->graph->node[node];
    for (unsigned i = 0; i < p->count; i++) {
        if (p->box[i].node == node && p->box[i].again == again) {
            return i;
        }
    }
    box *made = &p->box[p->count];
    made->node = node;
    made->again = again;
    made->column = again ? 2 : column_of(n);
    if (p->number[node] != 0 && !again) {
        (void)snprintf(made->head, sizeof made->head, "%u: %s", p->number[node], n->text);
    } else {
        (void)snprintf(made->head, sizeof made->head, "%s", n->text);
    }
    if (again) {
        (void)snprintf(made->state, sizeof made->state, "waits too: number %u on the left", p->number[node]);
    } else {
        (void)snprintf(made->state, sizeof made->state, "%s", n->state);
    }
    return (unsigned)p->count++;
}

static void add_label(box *b, const char *text)
{
    const size_t used = strlen(b->label);
    if (text[0] != '\0' && strstr(b->label, text) == NULL && used + strlen(text) + 3 < sizeof b->label) {
        (void)snprintf(b->label + used, sizeof b->label - used, "%s%s", used > 0 ? "; " : "", text);
    }
}

/* Boxes in the order of those that point to them. */
static void make_boxes(plan *p)
{
    const why_graph *g = p->graph;
    unsigned waiters = 0;
    for (unsigned i = 0; i < g->node_count; i++) {
        p->number[i] = column_of(&g->node[i]) == 0 ? ++waiters : 0;
    }
    for (unsigned column = 0; column < COLUMNS; column++) {
        for (unsigned i = 0; i < g->node_count; i++) {
            if (column_of(&g->node[i]) == column) {
                (void)box_of(p, i, false);
            }
        }
    }
    for (size_t i = 0; i < g->edge_count; i++) {
        const why_edge *e = &g->edge[i];
        const bool again = column_of(&g->node[e->from]) != 0 && column_of(&g->node[e->to]) == 0;
        p->arrow[i][0] = box_of(p, e->from, false);
        p->arrow[i][1] = box_of(p, e->to, again);
        add_label(&p->box[p->arrow[i][0]], e->text);
        p->box[p->arrow[i][1]].arrows++;
    }
}

/* A box is as large as its text, and so high that a label fits above its middle. */
static void measure(plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        box *b = &p->box[i];
        const svg_area head = svg_measure(b->head, NORMAL, BOX_MOST), state = svg_measure(b->state, SMALL, BOX_MOST),
                       label = svg_measure(b->label, SMALL, LABEL_MOST);
        b->width = larger(head.width, state.width) + 2 * PAD;
        b->height = larger(head.height + state.height + 2 * PAD, 2 * (label.height + LABEL_GAP));
        p->wide[b->column] = larger(p->wide[b->column], b->width);
        p->label[b->column] = larger(p->label[b->column], label.width);
    }
    for (unsigned c = 0, x = MARGIN; c < COLUMNS; c++) {
        p->left[c] = (int)x;
        x += (unsigned)(p->wide[c] + p->label[c] + 2 * LABEL_GAP + BEND);
    }
    p->width = p->left[COLUMNS - 1] + p->wide[COLUMNS - 1] + MARGIN;
}

/* The middle of those that point to a box; where nobody does, the top. */
static int wish_of(const plan *p, unsigned i)
{
    int sum = 0, count = 0;
    for (size_t e = 0; e < p->graph->edge_count; e++) {
        if (p->arrow[e][1] == i) {
            sum += p->box[p->arrow[e][0]].y + p->box[p->arrow[e][0]].height / 2;
            count++;
        }
    }
    return count != 0 ? sum / count : 0;
}

/* From left to right; in each column by where the arrows come from, none over another. */
static void place(plan *p)
{
    for (unsigned c = 0; c < COLUMNS; c++) {
        bool done[BOXES] = {false};
        int y = 0;
        for (;;) {
            unsigned next = BOXES;
            int best = 0;
            for (unsigned i = 0; i < p->count; i++) {
                const int wish = p->box[i].column == c && !done[i] ? wish_of(p, i) : 0;
                if (p->box[i].column == c && !done[i] && (next == BOXES || wish < best)) {
                    next = i;
                    best = wish;
                }
            }
            if (next == BOXES) {
                break;
            }
            box *b = &p->box[next];
            done[next] = true;
            b->x = p->left[c];
            b->width = p->wide[c];
            b->y = c == 1 ? larger(y, best - b->height / 2) : y;
            y = b->y + b->height + GAP;
        }
        p->height = larger(p->height, y);
    }
}

static void draw_box(FILE *to, const plan *p, const box *b, int top)
{
    static const char *const fill[] = {"#dfe9f8", "#e4f3e1", "#fdf3d0", "#eeeeee"};
    const why_node *n = &p->graph->node[b->node];
    (void)fprintf(to,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"%s\" "
                  "stroke-width=\"%d\"%s/>\n",
                  b->x, top + b->y, b->width, b->height, n->kind == WHY_THING ? 16 : 4, fill[n->kind],
                  n->stuck ? "#c01818" : "#555555", n->stuck ? 2 : 1, b->again ? " stroke-dasharray=\"6 3\"" : "");
    const int text = svg_measure(b->head, NORMAL, BOX_MOST).height + svg_measure(b->state, SMALL, BOX_MOST).height;
    const int y = top + b->y + (b->height - text) / 2;
    const int head = svg_put(to, "", b->head, NORMAL, BOX_MOST, b->x + PAD, y);
    (void)svg_put(to, "fill=\"#444\"", b->state, SMALL, BOX_MOST, b->x + PAD, y + head);
    if (b->label[0] != '\0') {
        const int middle = top + b->y + b->height / 2, above = svg_measure(b->label, SMALL, LABEL_MOST).height;
        (void)svg_put(to, "fill=\"#444\"", b->label, SMALL, LABEL_MOST, b->x + b->width + LABEL_GAP,
                      middle - above - LABEL_GAP / 2);
    }
}

/* Arrows that meet at a box end beside each other. */
static void draw_arrow(FILE *to, const plan *p, size_t edge, int top)
{
    const box *a = &p->box[p->arrow[edge][0]], *b = &p->box[p->arrow[edge][1]];
    int before = 0;
    for (size_t e = 0; e < p->graph->edge_count; e++) {
        const box *other = &p->box[p->arrow[e][0]];
        before += p->arrow[e][1] == p->arrow[edge][1] && (other->y < a->y || (other->y == a->y && e < edge));
    }
    const int x1 = a->x + a->width, y1 = top + a->y + a->height / 2, label = p->label[a->column] + 2 * LABEL_GAP;
    const int x2 = b->x, y2 = top + b->y + b->height * (before + 1) / ((int)b->arrows + 1);
    const bool stuck = p->graph->node[b->again ? b->node : a->node].stuck;
    (void)fprintf(to,
                  "<path d=\"M%d,%d H%d C%d,%d %d,%d %d,%d\" fill=\"none\" stroke=\"%s\" marker-end=\"url(#%s)\"/>\n",
                  x1, y1, x1 + label, x1 + label + BEND / 2, y1, x2 - BEND / 2, y2, x2, y2,
                  stuck ? "#c01818" : "#555555", stuck ? "r" : "a");
}

static void make_plan(plan *p, const why_graph *g)
{
    *p = (plan){.graph = g};
    make_boxes(p);
    measure(p);
    place(p);
}

/* Returns where the next begins. */
static int draw_graph(FILE *to, const plan *p, int top, int width)
{
    static const char *const over[COLUMNS] = {"who waits", "what for", "who could give it"};
    const why_graph *g = p->graph;
    char title[80];
    (void)snprintf(title, sizeof title, g->like == 0 ? "tile (%u,%u)" : "tile (%u,%u), and %u more like it", g->at.x,
                   g->at.y, g->like);
    top += svg_put(to, "font-weight=\"bold\"", title, BIG, width - 2 * MARGIN, MARGIN, top) + GAP / 2;
    for (unsigned c = 0; c < COLUMNS; c++) {
        (void)svg_put(to, "fill=\"#777\"", over[c], SMALL, BOX_MOST, p->left[c], top);
    }
    top += svg_measure(over[0], SMALL, BOX_MOST).height + GAP / 2;
    for (size_t i = 0; i < g->edge_count; i++) {
        draw_arrow(to, p, i, top);
    }
    for (size_t i = 0; i < p->count; i++) {
        draw_box(to, p, &p->box[i], top);
    }
    top += p->height;
    for (size_t i = 0; i < g->event_count; i++) {
        top += svg_put(to, "fill=\"#a01010\"", g->event[i], SMALL, width - 2 * MARGIN, MARGIN, top) + GAP / 4;
    }
    return top + MARGIN;
}

static int draw_all(FILE *to, const why_graph *graphs, size_t count, int width)
{
    int top = MARGIN;
    for (size_t i = 0; i < count; i++) {
        plan p;
        make_plan(&p, &graphs[i]);
        top = draw_graph(to, &p, top, width);
    }
    if (count == 0) {
        top += svg_put(to, "", "nobody waits for anybody", NORMAL, BOX_MOST, MARGIN, top) + MARGIN;
    }
    return top;
}

static int width_of_all(const why_graph *graphs, size_t count)
{
    int width = 2 * MARGIN + BOX_MOST;
    for (size_t i = 0; i < count; i++) {
        plan p;
        make_plan(&p, &graphs[i]);
        width = larger(width, p.width);
    }
    return width;
}

/* The picture's head says how high it is, which is known when it is drawn. */
void why_svg(FILE *to, const why_graph *graphs, size_t count)
{
    char *body = NULL;
    size_t size = 0;
    FILE *inner = open_memstream(&body, &size);
    const int width = width_of_all(graphs, count), height = inner != NULL ? draw_all(inner, graphs, count, width) : 0;
    if (inner == NULL || fclose(inner) != 0) {
        free(body);
        return;
    }
    (void)fprintf(to,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"%s\">\n<defs>",
                  width, height, SVG_FONTS);
    for (unsigned stuck = 0; stuck < 2; stuck++) {
        (void)fprintf(
            to,
            "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
            "orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"%s\"/></marker>",
            stuck ? "r" : "a", stuck ? "#c01818" : "#555555");
    }
    (void)fprintf(to, "</defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s</svg>\n", body);
    free(body);
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
