/* SPDX-License-Identifier: Apache-2.0 */
/* One tile, decoded: its cores, its Tensix threads, what they share, its units. */
#include "top_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "place.h"
#include "timeline.h"

static void draw_core(const top_view *view, unsigned number, const kerr_attach_core *core, top_frame *frame)
{
    const kerr_xy at = view->selected;
    const kerr_tile_kind kind = kerr_tile_kind_at(at);
    char text[KERR_INSTRUCTION_TEXT_MAX] = "", place[96] = "";
    if (core->info.state != KERR_CORE_IN_RESET) {
        uint32_t word = 0;
        if (kerr_is_ttinsn(core->code[0], &word)) {
            (void)kerr_disassemble_tensix(word, text, sizeof text);
        } else {
            (void)kerr_disassemble_riscv(core->code[0], core->info.pc, text, sizeof text);
        }
    }
    if (core->info.wait_address != 0) {
        (void)kerr_address_format(kind, (kerr_core)number, core->info.wait_address, core->info.wait_is_store, place,
                                  sizeof place);
    }
    frame_line(frame, "  %-3s %-8s pc 0x%08" PRIx32 "  %-34.34s %s%s", kerr_core_name_of(kind, (kerr_core)number),
               core_state_name(core->info.state), core->info.pc, text, place[0] != '\0' ? "at " : "", place);
}

static bool draw_cores(top_view *view, top_frame *frame, tool_error *error)
{
    const kerr_xy at = view->selected;
    const unsigned cores = view->now.tile[at.y][at.x].cores;
    frame_line(frame, TOP_BOLD "cores" TOP_NORMAL);
    for (unsigned i = 0; i < cores; i++) {
        kerr_attach_core core;
        if (!attach_client_ask(
                &view->client,
                (kerr_attach_request){.verb = KERR_ATTACH_CORE, .x = at.x, .y = at.y, .core = (uint8_t)i}, error) ||
            !attach_client_got(&view->client, sizeof core, error)) {
            return false;
        }
        memcpy(&core, view->client.payload, sizeof core);
        draw_core(view, i, &core, frame);
    }
    return true;
}

static void draw_sync(const kerr_sync_info *sync, top_frame *frame)
{
    static const char *const owner[] = {"unpackers", "Matrix Unit"};
    frame_line(frame, TOP_BOLD "semaphores" TOP_NORMAL " ");
    for (unsigned i = 0; i < 8; i++) {
        frame_add(frame, " %u/%u", sync->semaphore[i].value, sync->semaphore[i].max);
    }
    frame_add(frame, "   " TOP_BOLD "mutexes" TOP_NORMAL);
    unsigned held = 0;
    for (unsigned i = 0; i < 8; i++) {
        if (sync->mutex[i] >= 0) {
            frame_add(frame, " %u by T%d", i, sync->mutex[i]);
            held++;
        }
    }
    frame_add(frame, "%s", held == 0 ? " free" : "");
    frame_line(frame,
               TOP_BOLD "SrcA" TOP_NORMAL "  bank 0 %s, bank 1 %s   " TOP_BOLD "SrcB" TOP_NORMAL
                        "  bank 0 %s, bank 1 %s",
               owner[sync->matrix_owns[0][0]], owner[sync->matrix_owns[0][1]], owner[sync->matrix_owns[1][0]],
               owner[sync->matrix_owns[1][1]]);
}

static bool draw_threads(top_view *view, top_frame *frame, tool_error *error)
{
    const kerr_xy at = view->selected;
    kerr_attach_threads threads;
    if (!attach_client_ask(&view->client, (kerr_attach_request){.verb = KERR_ATTACH_TILE, .x = at.x, .y = at.y},
                           error) ||
        !attach_client_got(&view->client, sizeof threads, error)) {
        return false;
    }
    memcpy(&threads, view->client.payload, sizeof threads);
    frame_line(frame, TOP_BOLD "Tensix threads" TOP_NORMAL);
    for (unsigned i = 0; i < 3; i++) {
        const kerr_thread_info *t = &threads.thread[i];
        char text[KERR_INSTRUCTION_TEXT_MAX] = "";
        if (!t->waits) {
            frame_line(frame, "  T%u  nothing at the wait gate, %u in flight", i, t->in_flight);
            continue;
        }
        const kerr_trace_tensix record = {.thread = (uint8_t)i, .reason = t->reason, .by = t->by, .detail = t->detail};
        char reason[160];
        timeline_reason(&record, reason, sizeof reason);
        (void)kerr_disassemble_tensix(t->word, text, sizeof text);
        frame_line(frame, "  T%u  %-40.40s since %" PRIu64 ": %s", i, text, t->since, reason);
    }
    draw_sync(&threads.sync, frame);
    return true;
}

static void draw_units(const top_view *view, top_frame *frame)
{
    static const char bar[] = "####################";
    const kerr_xy at = view->selected;
    const kerr_attach_tile *before = &view->before.tile[at.y][at.x], *now = &view->now.tile[at.y][at.x];
    frame_line(frame,
               TOP_BOLD "units" TOP_NORMAL TOP_DIM "  taken in the last %" PRIu64 " cycles, instructions" TOP_NORMAL,
               top_cycles(view));
    for (unsigned unit = 0; unit < KERR_UNIT_COUNT; unit++) {
        const unsigned busy = top_busy(view, at, unit);
        const uint64_t taken = view->has_before ? now->unit_taken[unit] - before->unit_taken[unit] : 0;
        frame_line(frame, "  %-22s %3u%% %s%-20.*s" TOP_NORMAL " %" PRIu64,
                   kerr_tensix_unit_name((kerr_tensix_unit)unit), busy, busy < 67 ? TOP_GREEN : TOP_RED,
                   (int)((busy + 4) / 5), bar, taken);
    }
}

bool top_draw_tile(top_view *view, top_frame *frame, tool_error *error)
{
    const kerr_xy at = view->selected;
    const kerr_attach_tile *tile = &view->now.tile[at.y][at.x];
    const kerr_tile_kind kind = kerr_tile_kind_at(at);
    top_draw_head(view, frame);
    frame_line(frame, TOP_BOLD "tile %u,%u" TOP_NORMAL "  %s%s", at.x, at.y, tile_kind_name(kind),
               tile->faults != 0 ? TOP_RED "  with faults" TOP_NORMAL : "");
    if (!view->now.on[at.y][at.x]) {
        frame_line(frame, "%s",
                   kind == KERR_TILE_TENSIX || kind == KERR_TILE_ETH || kind == KERR_TILE_DRAM
                       ? "switched off (--harvest)"
                       : "no baby cores here");
    } else {
        if (!draw_cores(view, frame, error)) {
            return false;
        }
        if (kind == KERR_TILE_TENSIX) {
            if (!draw_threads(view, frame, error)) {
                return false;
            }
            draw_units(view, frame);
        }
    }
    frame_line(frame, TOP_REVERSE "arrows: next tile  Esc back  p %s  q quits" TOP_NORMAL,
               view->paused ? "goes on" : "pauses");
    return true;
}
