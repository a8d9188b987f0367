/* SPDX-License-Identifier: Apache-2.0 */
/* The whole chip: a cell for each tile, then units, waits and the last fault. */
#include "top_view.h"

#include <stdio.h>
#include <string.h>

enum { NOTHING_WAITS = 255, UNITS_A_LINE = 2, WAITS_SHOWN = 4 };

/* Two characters, and how they look. */
static const char *cell(const top_view *view, kerr_xy at, char text[16])
{
    static const char letters[] = "  EDPALS"; /* kerr_tile_kind */
    const kerr_attach_tile *tile = &view->now.tile[at.y][at.x];
    const kerr_tile_kind kind = kerr_tile_kind_at(at);
    if (!view->now.on[at.y][at.x]) {
        (void)snprintf(text, 16, " %c", letters[kind]);
        return TOP_DIM;
    }
    unsigned busiest = 0, running = 0, awake = 0;
    for (unsigned unit = 0; unit < KERR_UNIT_COUNT; unit++) {
        const unsigned busy = top_busy(view, at, unit);
        busiest = busy > busiest ? busy : busiest;
    }
    for (unsigned core = 0; core < tile->cores; core++) {
        running += tile->core_state[core] == KERR_CORE_RUNNING;
        awake += tile->core_state[core] != KERR_CORE_IN_RESET;
    }
    if (tile->faults != 0) {
        (void)snprintf(text, 16, "!!");
        return TOP_RED;
    }
    if (busiest != 0) {
        (void)snprintf(text, 16, "%02u", busiest < 100 ? busiest : 99);
        return busiest < 34 ? TOP_GREEN : busiest < 67 ? TOP_YELLOW : TOP_RED;
    }
    if (running != 0) {
        (void)snprintf(text, 16, "c%u", running);
        return TOP_GREEN;
    }
    (void)snprintf(text, 16, awake != 0 ? " -" : " .");
    return awake != 0 ? "" : TOP_DIM;
}

static void draw_cells(const top_view *view, top_frame *frame)
{
    frame_line(frame, TOP_DIM " y\\x");
    for (unsigned x = 0; x < KERR_GRID_X; x++) {
        frame_add(frame, " %2u ", x);
    }
    frame_add(frame, TOP_NORMAL);
    for (uint8_t y = 0; y < KERR_GRID_Y; y++) {
        frame_line(frame, TOP_DIM "  %2u" TOP_NORMAL, y);
        for (uint8_t x = 0; x < KERR_GRID_X; x++) {
            char text[16];
            const bool selected = view->selected.x == x && view->selected.y == y;
            const char *style = cell(view, (kerr_xy){x, y}, text);
            frame_add(frame, "%s%s%s%s%s" TOP_NORMAL, selected ? TOP_REVERSE "[" : " ", selected ? "" : style, text,
                      selected ? "]" : " ", selected ? TOP_NORMAL : "");
        }
    }
}

/* All units of one kind together, and in the tile where it is busiest. */
static void draw_units(const top_view *view, top_frame *frame)
{
    for (unsigned unit = 0; unit < KERR_UNIT_COUNT; unit++) {
        unsigned sum = 0, tiles = 0, most = 0;
        kerr_xy where = {0, 0};
        for (uint8_t y = 0; y < KERR_GRID_Y; y++) {
            for (uint8_t x = 0; x < KERR_GRID_X; x++) {
                const unsigned busy = view->now.on[y][x] ? top_busy(view, (kerr_xy){x, y}, unit) : 0;
                sum += busy;
                tiles += busy != 0;
                if (busy > most) {
                    most = busy;
                    where = (kerr_xy){x, y};
                }
            }
        }
        if (unit % UNITS_A_LINE == 0) {
            frame_line(frame, "%s", "");
        }
        char name[32], text[64] = "-";
        (void)snprintf(name, sizeof name, "%s", kerr_tensix_unit_name((kerr_tensix_unit)unit));
        name[strcspn(name, "(")] = '\0';
        if (tiles != 0) {
            (void)snprintf(text, sizeof text, "%u%% on %u, %u%% at %u,%u", sum / tiles, tiles, most, where.x, where.y);
        }
        frame_add(frame, "%-13.13s %-25s ", name, text);
    }
}

static void draw_waits(const top_view *view, top_frame *frame)
{
    unsigned count[KERR_WAIT_REASONS] = {0}, all = 0;
    for (unsigned y = 0; y < KERR_GRID_Y; y++) {
        for (unsigned x = 0; x < KERR_GRID_X; x++) {
            for (unsigned i = 0; i < 3 && view->now.on[y][x]; i++) {
                const unsigned reason = view->now.tile[y][x].waits[i];
                if (reason != NOTHING_WAITS && reason < KERR_WAIT_REASONS) {
                    count[reason]++;
                    all++;
                }
            }
        }
    }
    frame_line(frame, "threads at wait gates: %u", all);
    for (unsigned shown = 0; shown < WAITS_SHOWN; shown++) {
        unsigned most = 0;
        for (unsigned reason = 1; reason < KERR_WAIT_REASONS; reason++) {
            most = count[reason] > count[most] || (most == 0 && count[reason] != 0) ? reason : most;
        }
        if (most == 0 || count[most] == 0) {
            break;
        }
        frame_add(frame, "%s %u for %s", shown == 0 ? ":" : ",", count[most], top_wait_name(most));
        count[most] = 0;
    }
}

void top_draw_grid(const top_view *view, top_frame *frame)
{
    top_draw_head(view, frame);
    frame_line(frame, "%s", "");
    draw_cells(view, frame);
    draw_units(view, frame);
    draw_waits(view, frame);
    frame_line(frame, TOP_DIM "NN busiest unit %%  cN cores run  - polls or waits  . in reset  !! fault" TOP_NORMAL);
    frame_line(frame, TOP_REVERSE "arrows move  Enter opens %u,%u  p %s  q quits" TOP_NORMAL, view->selected.x,
               view->selected.y, view->paused ? "goes on" : "pauses");
}
