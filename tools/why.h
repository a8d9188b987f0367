/* SPDX-License-Identifier: Apache-2.0 */
/* The wait-for graph of a Tensix tile: who waits for what, who could give it, and what can never come. */
#ifndef KERR_TOOLS_WHY_H
#define KERR_TOOLS_WHY_H

#include <stdio.h>

#include "findings.h"
#include "kerr_findings.h"

enum { WHY_NODES = 48, WHY_EDGES = 128, WHY_EVENTS = 16, WHY_TEXT = 200, WHY_STATE = 600, WHY_EVENT = 2400 };

typedef enum why_node_kind {
    WHY_CORE,
    WHY_THREAD,
    WHY_THING, /* what is waited for */
    WHY_NEVER, /* why nothing comes */
} why_node_kind;

typedef struct why_node {
    why_node_kind kind;
    bool waits; /* a core or thread that does */
    bool stuck; /* in a deadlock */
    unsigned key;
    char text[WHY_TEXT];   /* "RISCV T1", "semaphore 2 is 0 of 1" */
    char state[WHY_STATE]; /* of a core or thread: what it does, where */
} why_node;

typedef struct why_edge {
    unsigned from, to;
    char text[64];
} why_edge;

typedef struct why_graph {
    kerr_xy at;
    uint32_t like; /* further tiles that look the same */
    size_t node_count, edge_count, event_count;
    why_node node[WHY_NODES];
    why_edge edge[WHY_EDGES];
    char event[WHY_EVENTS][WHY_EVENT]; /* what can never come, and why */
} why_graph;

/* NoC requests of all Tensix tiles that have no answer yet. */
uint32_t why_under_way(const kerr_chip *chip);
/* False: nobody waits there for anything that another could give. */
bool why_look(why_graph *made, const kerr_chip *chip, kerr_xy at, const place_source *places, uint32_t under_way);
/* As text, each line behind `before`. */
void why_print_graph(FILE *to, const char *before, const why_graph *graph);
/* For Graphviz, and as a drawing: several graphs, one below the other. */
void why_dot(FILE *to, const why_graph *graphs, size_t count);
void why_svg(FILE *to, const why_graph *graphs, size_t count);

/* All of it, with the state of each tile (waits.h), under a heading. */
void why_print(FILE *to, const kerr_chip *chip, const place_source *places);

#endif
