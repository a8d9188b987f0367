/* SPDX-License-Identifier: Apache-2.0 */
/* What kerr top shows: two looks at the grid and what happened between them. */
#ifndef KERR_TOOLS_TOP_VIEW_H
#define KERR_TOOLS_TOP_VIEW_H

#include "attach_client.h"
#include "top_screen.h"

/* One look. */
typedef struct top_look {
    kerr_attach_status status;
    bool on[KERR_GRID_Y][KERR_GRID_X];
    kerr_attach_tile tile[KERR_GRID_Y][KERR_GRID_X];
} top_look;

typedef struct top_view {
    attach_client client;
    top_look before, now;
    bool has_before;
    bool paused; /* by us */
    bool opened;
    kerr_xy selected;
    double speed; /* cycles in a second */
    char title[216];
} top_view;

/* Another look.  False: the simulation is gone, or does not understand. */
bool top_look_again(top_view *view, tool_error *error);
/* Cycles between the two looks, 0 if there is no telling. */
uint64_t top_cycles(const top_view *view);
/* Of a unit in a tile between the looks, in percent. */
unsigned top_busy(const top_view *view, kerr_xy at, unsigned unit);
bool top_is_active(const top_view *view, kerr_xy at);
const char *top_wait_name(unsigned reason);

/* The first two lines, of either picture. */
void top_draw_head(const top_view *view, top_frame *frame);
void top_draw_grid(const top_view *view, top_frame *frame);
/* Asks for what it needs. */
bool top_draw_tile(top_view *view, top_frame *frame, tool_error *error);

#endif
