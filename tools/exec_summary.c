/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

enum { SHOWN_TILES = 5, SHOWN_STALLS = 6, SHOWN_KERNELS = 8, SHOWN_FAULTS = 20, SHOWN_UNITS = 5 };

typedef struct ranked {
    uint64_t value;
    unsigned index;
} ranked;

static int larger_first(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    if (p->value != q->value) {
        return p->value < q->value ? 1 : -1;
    }
    return (p->index > q->index) - (p->index < q->index);
}

static double share(uint64_t part, uint64_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0;
}

void cores_format(uint32_t cores, char *text, size_t size)
{
    static const kerr_tile_kind kinds[] = {KERR_TILE_TENSIX, KERR_TILE_ETH, KERR_TILE_DRAM};
    size_t used = 0;
    text[0] = '\0';
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (unsigned c = 0; c < kerr_tile_cores(kinds[k]); c++) {
            if ((cores & KERR_STATS_CORE(kinds[k], c)) != 0) {
                const int n = snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "",
                                       kerr_core_name_of(kinds[k], (kerr_core)c));
                used += n > 0 && (size_t)n < size - used ? (size_t)n : 0;
            }
        }
    }
}

uint32_t tiles_count(const uint64_t tiles[3])
{
    return (uint32_t)(__builtin_popcountll(tiles[0]) + __builtin_popcountll(tiles[1]) + __builtin_popcountll(tiles[2]));
}

static void print_time(FILE *to, const exec_totals *t)
{
    char simulated[32], speed[32];
    const double open = (double)t->open_ns / 1e9, inside = (double)t->inside_ns / 1e9;
    format_cycles_as_time(t->cycles, simulated, sizeof simulated);
    format_count(inside > 0 ? (double)t->cycles / inside : 0, speed, sizeof speed);
    (void)fprintf(to, "kerr: %" PRIu64 " cycles (%s at 1.35 GHz) on %u chip%s of %u process%s\n", t->cycles, simulated,
                  t->chips, t->chips == 1 ? "" : "s", t->processes, t->processes == 1 ? "" : "es");
    (void)fprintf(to,
                  "  host       %.2f s with a chip open, %.2f s (%.0f %%) of it in the simulator, %scycles/s there\n",
                  open, inside, share(t->inside_ns, t->open_ns), speed);
    (void)fprintf(to,
                  "  calls      %" PRIu64 " clock, %" PRIu64 " read (%.1f MB), %" PRIu64
                  " write (%.1f MB); the card read %.1f MB of host memory and wrote %.1f MB\n",
                  t->calls[KERR_CALL_CLOCK], t->calls[KERR_CALL_READ], (double)t->read_bytes / 1e6,
                  t->calls[KERR_CALL_WRITE], (double)t->written_bytes / 1e6, (double)t->dma_read_bytes / 1e6,
                  (double)t->dma_written_bytes / 1e6);
}

static void print_tiles(FILE *to, const exec_totals *t)
{
    ranked tiles[KERR_STATS_NODES];
    unsigned count = 0;
    for (unsigned i = 0; i < KERR_STATS_NODES; i++) {
        if (totals_tile_time(t, &t->tiles[i]) != 0) {
            tiles[count++] = (ranked){totals_tile_time(t, &t->tiles[i]), i};
        }
    }
    qsort(tiles, count, sizeof *tiles, larger_first);
    (void)fprintf(to, "  tiles      %u active", count);
    for (unsigned i = 0; i < count && i < SHOWN_TILES; i++) {
        (void)fprintf(to, "%s (%u,%u) %.1f %%", i == 0 ? "; busiest" : ",", tiles[i].index % KERR_GRID_X,
                      tiles[i].index / KERR_GRID_X, share(tiles[i].value, totals_time(t)));
    }
    (void)fprintf(to, "%s\n", count == 0 ? "" : t->kernel_cycles != 0 ? " of the time kernels ran" : " of all cycles");
}

static void print_units(FILE *to, const exec_totals *t)
{
    ranked units[KERR_UNIT_COUNT];
    uint64_t active = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < KERR_STATS_NODES; i++) {
        active += totals_tile_time(t, &t->tiles[i]);
    }
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
        if (t->unit_ops[u] != 0) {
            units[count++] = (ranked){t->unit_busy[u], u};
        }
    }
    if (count == 0) {
        return;
    }
    qsort(units, count, sizeof *units, larger_first);
    (void)fprintf(to, "  units      busy in %s:", t->kernel_cycles != 0 ? "tiles that ran kernels" : "active tiles");
    for (unsigned i = 0; i < count && i < SHOWN_UNITS; i++) {
        (void)fprintf(to, "%s %s %.1f %%", i == 0 ? "" : ",", kerr_tensix_unit_name((kerr_tensix_unit)units[i].index),
                      share(units[i].value, active));
    }
    (void)fprintf(to, "\n");
}

static void print_stalls(FILE *to, const exec_totals *t)
{
    ranked stalls[KERR_STALL_KINDS];
    uint64_t sum = 0;
    unsigned count = 0;
    for (unsigned r = 1; r < KERR_STALL_KINDS; r++) {
        const uint64_t cycles = t->stalled[0][r] + t->stalled[1][r] + t->stalled[2][r];
        if (cycles != 0) {
            stalls[count++] = (ranked){cycles, r};
            sum += cycles;
        }
    }
    if (count == 0) {
        return;
    }
    qsort(stalls, count, sizeof *stalls, larger_first);
    (void)fprintf(to, "  stalls     %" PRIu64 " cycles at wait gates:", sum);
    for (unsigned i = 0; i < count && i < SHOWN_STALLS; i++) {
        (void)fprintf(to, "%s %s %.1f %%", i == 0 ? "" : ",", stall_name((kerr_stall)stalls[i].index),
                      share(stalls[i].value, sum));
    }
    (void)fprintf(to, "\n");
}

static void print_kernels(FILE *to, exec_totals *t)
{
    if (t->kernel_cycles != 0) {
        (void)fprintf(to, "  kernels    ran %.1f %% of all cycles\n", share(t->kernel_cycles, t->cycles));
    }
    for (size_t i = 0; i < t->kernel_count && i < SHOWN_KERNELS; i++) {
        const total_kernel *k = &t->kernels[i];
        char cores[32], place[512] = "";
        cores_format(k->cores, cores, sizeof cores);
        if (t->match != NULL) {
            code_match_describe(t->match, k->piece, k->hottest, place, sizeof place);
        }
        (void)fprintf(to, "  %s %5.1f %% of core time, %s, %u tile%s: %s%s%s%s\n",
                      i == 0 && t->kernel_cycles == 0 ? "kernels   " : "          ",
                      share(kernel_time(t, k), t->kernel_sum), cores, tiles_count(k->tiles),
                      tiles_count(k->tiles) == 1 ? "" : "s",
                      k->program != NULL ? k->program : "code of no ELF file that was found",
                      place[0] != '\0' ? " (" : "", place, place[0] != '\0' ? ")" : "");
        if (totals_bound(k, place, sizeof place)) {
            (void)fprintf(to, "               %s\n", place);
        }
    }
}

static void print_faults(FILE *to, exec_totals *t)
{
    for (size_t i = 0; i < t->faults_kept && i < SHOWN_FAULTS; i++) {
        const total_fault *fault = &t->faults[i];
        char place[512] = "";
        (void)fprintf(to, "  fault      %s\n", fault->of.line);
        if (fault->piece != SIZE_MAX && t->match != NULL) {
            code_match_describe(t->match, fault->piece, fault->of.fault.pc, place, sizeof place);
        }
        if (place[0] != '\0') {
            (void)fprintf(to, "             in %s of %s\n", place, code_match_program(t->match, fault->piece));
        }
    }
    if (t->fault_count > SHOWN_FAULTS) {
        (void)fprintf(to, "  faults     %" PRIu64 " in all\n", t->fault_count);
    }
}

static void select_finding(void *totals, uint32_t index)
{
    ((exec_totals *)totals)->selected = index;
}

bool summary_findings(exec_totals *t, finding_list *list, place_source *places, tool_error *error)
{
    *list = (finding_list){.of = calloc(t->findings_kept + 1, sizeof *list->of)};
    *places = (place_source){.fn = totals_place, .context = t, .select = select_finding};
    if (list->of == NULL) {
        return tool_fail(error, "out of memory");
    }
    for (size_t i = 0; i < t->findings_kept; i++) {
        kerr_stats_finding *f = &t->findings[i].of;
        kerr_finding *made = &list->of[list->count++];
        *made = f->finding;
        made->kind =
            made->kind < kerr_finding_kinds() ? made->kind : KERR_FAULT_UNKNOWN; /* the page is the program's too */
        made->history_count = made->history_count <= KERR_HISTORY ? made->history_count : 0;
        made->field = f->field[0] != '\0' ? f->field : NULL;
        made->manual = f->manual[0] != '\0' ? f->manual : NULL;
    }
    list->dropped = (uint32_t)(t->finding_count - list->count);
    return true;
}

/* Faults have been told of. */
static void print_findings(FILE *to, exec_totals *t)
{
    finding_list list;
    place_source places;
    tool_error error;
    unsigned shown = 0;
    if (t->finding_count == 0 || !summary_findings(t, &list, &places, &error)) {
        return;
    }
    for (uint32_t i = 0; i < list.count; i++) {
        char text[1024];
        if (list.of[i].kind < KERR_FAULT_KINDS || shown++ >= SHOWN_FAULTS) {
            continue;
        }
        select_finding(t, i);
        (void)kerr_finding_format(&list.of[i], text, sizeof text);
        (void)fprintf(to, "  finding    %s\n", text);
        finding_details(to, "             ", &list.of[i], &places);
    }
    if (list.dropped > 0) {
        (void)fprintf(to, "  findings   there was no room for %u others\n", list.dropped);
    }
    findings_count(to, &list);
    findings_free(&list);
}

void summary_print(FILE *to, exec_totals *totals)
{
    if (totals->processes == 0) {
        (void)fprintf(to, "kerr: the program opened no chip\n");
        return;
    }
    print_time(to, totals);
    print_tiles(to, totals);
    print_units(to, totals);
    print_stalls(to, totals);
    print_kernels(to, totals);
    print_faults(to, totals);
    if (totals->hung > 0) {
        (void)fprintf(
            to,
            "  hung       %" PRIu64
            " tile%s when the program closed the chip: nothing could advance, and not every kernel was over\n",
            totals->hung, totals->hung == 1 ? "" : "s");
    }
    print_findings(to, totals);
}
