/* SPDX-License-Identifier: Apache-2.0 */
#include "top_view.h"

#include <stdio.h>
#include <string.h>

#include "progress.h"

bool top_look_again(top_view *view, tool_error *error)
{
    kerr_attach_grid head;
    top_look look = {.status = {0}};
    if (!attach_client_ask(&view->client, (kerr_attach_request){.verb = KERR_ATTACH_GRID}, error)) {
        if (view->client.result != KERR_ATTACH_NO_CHIP) {
            return false;
        }
        view->now = look; /* a host that has none at the moment */
        view->has_before = false;
        return true;
    }
    if (!attach_client_got(&view->client, sizeof head, error)) {
        return false;
    }
    memcpy(&head, view->client.payload, sizeof head);
    if (head.tile_bytes != sizeof(kerr_attach_tile) ||
        !attach_client_got(&view->client, sizeof head + (size_t)head.tiles * sizeof(kerr_attach_tile), error)) {
        return tool_fail(error, "%s: it is of another build of kerr", view->client.path);
    }
    look.status = head.status;
    for (uint32_t i = 0; i < head.tiles; i++) {
        kerr_attach_tile tile;
        memcpy(&tile, view->client.payload + sizeof head + (size_t)i * sizeof tile, sizeof tile);
        if (tile.y < KERR_GRID_Y && tile.x < KERR_GRID_X && tile.cores <= KERR_CORE_COUNT) {
            look.tile[tile.y][tile.x] = tile;
            look.on[tile.y][tile.x] = true;
        }
    }
    /* A pause keeps what went before it in sight; a new chip has nothing to do with the last one. */
    const bool same = view->now.status.has_chip && view->now.status.chips == look.status.chips &&
                      view->now.status.cycle <= look.status.cycle;
    if (same && look.status.cycle == view->now.status.cycle && view->has_before && look.status.paused) {
        view->speed = 0;
        view->now.status = look.status;
        return true;
    }
    view->before = view->now;
    view->has_before = same;
    view->now = look;
    const double seconds = (double)(look.status.ns - view->before.status.ns) / 1e9;
    view->speed = same && seconds > 0 ? (double)top_cycles(view) / seconds : 0;
    return true;
}

uint64_t top_cycles(const top_view *view)
{
    return view->has_before ? view->now.status.cycle - view->before.status.cycle : 0;
}

/* Counters fall at a reset. */
static uint64_t grown(uint64_t before, uint64_t now)
{
    return now >= before ? now - before : now;
}

unsigned top_busy(const top_view *view, kerr_xy at, unsigned unit)
{
    const uint64_t cycles = top_cycles(view);
    if (cycles == 0) {
        return 0;
    }
    const uint64_t busy =
        grown(view->before.tile[at.y][at.x].unit_busy[unit], view->now.tile[at.y][at.x].unit_busy[unit]);
    const uint64_t percent = (busy * 100 + cycles - 1) / cycles;
    return percent < 100 ? (unsigned)percent : 100;
}

bool top_is_active(const top_view *view, kerr_xy at)
{
    const kerr_attach_tile *before = &view->before.tile[at.y][at.x], *now = &view->now.tile[at.y][at.x];
    bool active = view->has_before && now->instructions != before->instructions;
    for (unsigned unit = 0; unit < KERR_UNIT_COUNT && view->has_before; unit++) {
        active = active || now->unit_taken[unit] != before->unit_taken[unit];
    }
    return active && top_cycles(view) != 0;
}

const char *top_wait_name(unsigned reason)
{
    static const char *const names[KERR_WAIT_REASONS] = {
        "just came",      "STALLWAIT",      "SEMWAIT, at zero",    "SEMWAIT, at maximum",
        "STREAMWAIT",     "a mutex",        "a unit that is busy", "a unit that stalls",
        "a bank of SrcA", "a bank of SrcB", "Auto TTSync",         "memory",
        "a unit in reset"};
    return reason < KERR_WAIT_REASONS ? names[reason] : "?";
}

void top_draw_head(const top_view *view, top_frame *frame)
{
    const kerr_attach_status *status = &view->now.status;
    char cycle[32], speed[32];
    unsigned active = 0, tiles = 0;
    for (uint8_t y = 0; y < KERR_GRID_Y; y++) {
        for (uint8_t x = 0; x < KERR_GRID_X; x++) {
            tiles += view->now.on[y][x];
            active += view->now.on[y][x] && top_is_active(view, (kerr_xy){x, y});
        }
    }
    format_count((double)status->cycle, cycle, sizeof cycle);
    format_count(view->speed, speed, sizeof speed);
    frame_line(frame, TOP_BOLD "kerr top" TOP_NORMAL "  %ld  %s", (long)view->client.hello.pid, view->title);
    if (!status->has_chip) {
        frame_line(frame, "no chip: the program has not made one yet, or is done with it");
        return;
    }
    frame_line(frame, "cycle %s  %scycles/s  %u of %u tiles active  %s%u faults" TOP_NORMAL "  ", cycle, speed, active,
               tiles, status->faults != 0 ? TOP_RED : "", status->faults);
    frame_add(frame, "%s",
              status->stopped    ? TOP_RED "stopped by a fault" TOP_NORMAL
              : status->over     ? TOP_YELLOW "the run is over" TOP_NORMAL
              : status->debugged ? TOP_YELLOW "in a debugger" TOP_NORMAL
              : status->paused   ? TOP_YELLOW "paused" TOP_NORMAL
                                 : "running");
}
