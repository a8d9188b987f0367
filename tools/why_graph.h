/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes, edges and events of a graph of why.h while it is made; what there is no room for is left out. */
#ifndef KERR_TOOLS_WHY_GRAPH_H
#define KERR_TOOLS_WHY_GRAPH_H

#include "why.h"

/* The node of this kind and key, made if it is new; WHY_NODES: there is no room. */
__attribute__((format(printf, 5, 6))) unsigned why_add_node(why_graph *g, why_node_kind kind, unsigned key,
                                                            bool *is_new, const char *format, ...);
void why_add_edge(why_graph *g, unsigned from, unsigned to, const char *text);
__attribute__((format(printf, 2, 3))) void why_add_event(why_graph *g, const char *format, ...);

#endif
