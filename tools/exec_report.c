/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exec_summary.h"
#include "html.h"
#include "progress.h"

enum {
    CELL = 26,      /* of the grid, in pixels */
    LINK_CELL = 44, /* of the NoC's */
    LINKS_SHOWN = 8,
    TICKS = 5, /* of an axis */
    CHART_AXIS = 18,
    CHART_WIDTH = 768, /* of a row over time */
    CHART_HEIGHT = 44,
    CHART_LEFT = 170,
    KERNELS = 200,
};

/* ---- Pieces ----------------------------------------------------------------------------------------------------- */

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static const char *kind_name(kerr_tile_kind kind)
{
    static const char *const names[] = {
        [KERR_TILE_NONE] = "router", [KERR_TILE_TENSIX] = "Tensix",     [KERR_TILE_ETH] = "Ethernet",
        [KERR_TILE_DRAM] = "DRAM",   [KERR_TILE_PCIE] = "PCIe",         [KERR_TILE_ARC] = "ARC",
        [KERR_TILE_L2CPU] = "L2CPU", [KERR_TILE_SECURITY] = "security",
    };
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

/* ---- The grid ----------------------------------------------------------------------------------------------------- */

static void put_axes(FILE *to, unsigned cell)
{
    for (unsigned x = 0; x < KERR_GRID_X; x++) {
        (void)fprintf(to, "<text x=\"%u\" y=\"10\" text-anchor=\"middle\">%u</text>", 18 + x * cell + cell / 2, x);
    }
    for (unsigned y = 0; y < KERR_GRID_Y; y++) {
        (void)fprintf(to, "<text x=\"12\" y=\"%u\" text-anchor=\"end\">%u</text>", 18 + y * cell + cell / 2 + 3, y);
    }
}

/* unit < 0: time in which the tile ran kernels, or was active; else in which that unit was busy.  The colour is the share of the time. */
static void put_map(FILE *to, const exec_totals *t, const char *title, int unit)
{
    const double time = (double)totals_time(t);
    (void)fprintf(to, "<div><h3>%s</h3>\n<svg width=\"%d\" height=\"%d\" role=\"img\" class=\"map\">", title,
                  20 + KERR_GRID_X * CELL, 20 + KERR_GRID_Y * CELL);
    put_axes(to, CELL);
    for (unsigned i = 0; i < KERR_STATS_NODES; i++) {
        const kerr_xy at = {(uint8_t)(i % KERR_GRID_X), (uint8_t)(i / KERR_GRID_X)};
        const kerr_stats_tile *tile = &t->tiles[i];
        const double part = share((double)(unit < 0 ? totals_tile_time(t, tile) : tile->busy[unit]), time);
        (void)fprintf(to, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"", 18 + at.x * CELL,
                      16 + at.y * CELL, CELL - 2, CELL - 2);
        html_colour(to, part);
        (void)fprintf(to, "\"%s><title>%s (%u,%u): %.2f %%, %" PRIu64 " instructions of its cores</title></rect>",
                      kerr_tile_kind_at(at) == KERR_TILE_TENSIX ? "" : " stroke=\"#c3cad3\"",
                      kind_name(kerr_tile_kind_at(at)), at.x, at.y, 100 * part, tile->instructions);
    }
    (void)fprintf(to, "</svg></div>\n");
}

static void put_maps(FILE *to, const exec_totals *t)
{
    (void)fprintf(to, "<h2>Tiles</h2>\n<p class=\"note\">Share of %s; grey is nothing at all.</p>\n",
                  t->kernel_cycles != 0 ? "the time in which kernels ran"
                                        : "all cycles, since tt-metal ran no kernels");
    html_colour_bar(to);
    (void)fprintf(to, "<div class=\"maps\">\n");
    put_map(to, t, t->kernel_cycles != 0 ? "Runs a kernel" : "Active", -1);
    for (int u = 0; u < KERR_UNIT_COUNT; u++) {
        const bool shown =
            u == KERR_UNIT_MATRIX || u == KERR_UNIT_VECTOR || u == KERR_UNIT_UNPACK || u == KERR_UNIT_PACK;
        if (shown && t->unit_busy[u] != 0) {
            put_map(to, t, kerr_tensix_unit_name((kerr_tensix_unit)u), u);
        }
    }
    (void)fprintf(to, "</div>\n");
}

/* ---- Over time ------------------------------------------------------------------------------------------------------ */

typedef double (*span_fn)(const exec_totals *t, unsigned span, int unit);

static double span_active(const exec_totals *t, unsigned span, int unit)
{
    (void)unit;
    return share((double)t->spans[span].active, (double)t->span_cycles);
}

static double span_kernel(const exec_totals *t, unsigned span, int unit)
{
    (void)unit;
    return share((double)t->spans[span].kernel, (double)t->span_cycles);
}

/* Of the time in which tiles were active. */
static double span_unit(const exec_totals *t, unsigned span, int unit)
{
    return share((double)t->spans[span].busy[unit], (double)t->spans[span].active);
}

static double span_flits(const exec_totals *t, unsigned span, int unit)
{
    (void)unit;
    return share((double)t->spans[span].flits, (double)t->span_cycles);
}

static unsigned spans_used(const exec_totals *t)
{
    const uint64_t used = t->longest_cycles / (t->span_cycles != 0 ? t->span_cycles : 1) + 1;
    return used < KERR_STATS_SPANS ? (unsigned)used : KERR_STATS_SPANS;
}

/* top: the value at the upper edge, which a value above it may raise. */
static void put_chart(FILE *to, const exec_totals *t, const char *name, span_fn value, int unit, double top,
                      const char *sign)
{
    const unsigned count = spans_used(t);
    double most = 0;
    for (unsigned i = 0; i < count; i++) {
        const double v = value(t, i, unit);
        most = v > most ? v : most;
    }
    top = most > top ? most : top;
    (void)fprintf(
        to, "<svg width=\"%d\" height=\"%d\" class=\"chart\"><text x=\"%d\" y=\"22\" text-anchor=\"end\">%s</text>",
        CHART_LEFT + CHART_WIDTH + 8, CHART_HEIGHT + 8, CHART_LEFT - 46, name);
    (void)fprintf(to, "<text x=\"%d\" y=\"36\" text-anchor=\"end\">most %.2f%s</text>", CHART_LEFT - 46, most, sign);
    (void)fprintf(
        to,
        "<text x=\"%d\" y=\"12\" text-anchor=\"end\">%.4g%s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>",
        CHART_LEFT - 4, top, sign, CHART_LEFT - 4, CHART_HEIGHT + 2);
    (void)fprintf(
        to, "<rect x=\"%d\" y=\"2\" width=\"%d\" height=\"%d\" fill=\"#f5f7f9\"/><path fill=\"#e3631c\" d=\"M%d %d",
        CHART_LEFT, CHART_WIDTH, CHART_HEIGHT, CHART_LEFT, CHART_HEIGHT + 2);
    const double width = (double)CHART_WIDTH / count;
    for (unsigned i = 0; i < count; i++) {
        const double y = CHART_HEIGHT + 2 - CHART_HEIGHT * share(value(t, i, unit), top);
        (void)fprintf(to, "L%.1f %.1fL%.1f %.1f", CHART_LEFT + i * width, y, CHART_LEFT + (i + 1) * width, y);
    }
    (void)fprintf(to, "L%d %dZ\"/></svg><br>\n", CHART_LEFT + CHART_WIDTH, CHART_HEIGHT + 2);
}

/* Of all charts above it. */
static void put_time_axis(FILE *to, const exec_totals *t)
{
    const uint64_t cycles = spans_used(t) * t->span_cycles;
    (void)fprintf(to, "<svg width=\"%d\" height=\"%d\" class=\"axis\">", CHART_LEFT + CHART_WIDTH + 8, CHART_AXIS + 14);
    for (unsigned i = 0; i <= TICKS; i++) {
        char when[32];
        const unsigned x = CHART_LEFT + i * CHART_WIDTH / TICKS;
        format_cycles_as_time(cycles * i / TICKS, when, sizeof when);
        (void)fprintf(to,
                      "<line x1=\"%u\" y1=\"0\" x2=\"%u\" y2=\"5\" stroke=\"#5a6675\"/><text x=\"%u\" y=\"16\" "
                      "text-anchor=\"%s\">%" PRIu64 "</text><text x=\"%u\" y=\"28\" text-anchor=\"%s\">%s</text>",
                      x, x, x, i == TICKS ? "end" : "middle", cycles * i / TICKS, x, i == TICKS ? "end" : "middle",
                      when);
    }
    (void)fprintf(to, "<text x=\"%d\" y=\"16\" text-anchor=\"end\">cycle</text></svg><br>\n", CHART_LEFT - 46);
}

static double percent_of_unit(const exec_totals *t, unsigned span, int unit)
{
    return 100 * span_unit(t, span, unit);
}

static void put_time(FILE *to, const exec_totals *t)
{
    char width[32];
    format_cycles_as_time(t->longest_cycles, width, sizeof width);
    (void)fprintf(to,
                  "<h2>Over time</h2>\n<p class=\"note\">Process %d, the one with most cycles: %" PRIu64
                  " cycles (%s) from left to right, %" PRIu64
                  " a step. Units: share of the time of active tiles.</p>\n",
                  t->longest_pid, t->longest_cycles, width, t->span_cycles);
    if (t->kernel_cycles != 0) {
        put_chart(to, t, "tiles that run kernels", span_kernel, 0, KERR_TENSIX_TILES, "");
    }
    put_chart(to, t, "tiles active", span_active, 0, KERR_TENSIX_TILES, "");
    for (int u = 0; u < KERR_UNIT_COUNT; u++) {
        if (t->unit_ops[u] != 0) {
            put_chart(to, t, kerr_tensix_unit_name((kerr_tensix_unit)u), percent_of_unit, u, 100, " %");
        }
    }
    put_chart(to, t, "NoC, flits a cycle", span_flits, 0, 1, "");
    put_time_axis(to, t);
}

/* ---- NoC ------------------------------------------------------------------------------------------------------------- */

typedef struct link_use {
    uint64_t flits;
    uint16_t node;
    uint8_t noc, link;
} link_use;

static const char *const link_names[] = {"along x", "along y", "to the tile"};

/* NoC 0 goes right and down, NoC 1 left and up: an arrow from the middle of a cell to the next one, and beside it a square, the way into the
 * tile.  The links that close the torus leave the picture. */
static void put_link(FILE *to, const exec_totals *t, unsigned noc, unsigned node, unsigned link)
{
    enum { WIDTH = 9, HEAD = 9, HALF = LINK_CELL / 2, LENGTH = LINK_CELL - 12 };
    const int x = 18 + (int)(node % KERR_GRID_X) * LINK_CELL + HALF,
              y = 16 + (int)(node / KERR_GRID_X) * LINK_CELL + HALF;
    const int way = noc == 0 ? 1 : -1;
    const uint64_t flits = t->link_flits[noc][node][link];
    const double part = share((double)flits, (double)totals_time(t));
    if (link == 2) {
        (void)fprintf(to, "<rect class=\"way\" x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"", x - 6, y - 6);
    } else { /* along x, then turned for y */
        (void)fprintf(to, "<polygon points=\"");
        const int along[7] = {8, LENGTH - HEAD, LENGTH - HEAD, LENGTH, LENGTH - HEAD, LENGTH - HEAD, 8};
        const int across[7] = {-WIDTH / 2, -WIDTH / 2, -WIDTH, 0, WIDTH, WIDTH / 2, WIDTH / 2};
        for (unsigned i = 0; i < 7; i++) {
            (void)fprintf(to, "%s%d,%d", i > 0 ? " " : "", x + (link == 0 ? way * along[i] : across[i]),
                          y + (link == 0 ? across[i] : way * along[i]));
        }
        (void)fprintf(to, "\" fill=\"");
    }
    html_colour(to, part);
    (void)fprintf(to, "\"><title>(%u,%u) %s: %" PRIu64 " flits, %.2f %%</title></%s>", node % KERR_GRID_X,
                  node / KERR_GRID_X, link_names[link], flits, 100 * part, link == 2 ? "rect" : "polygon");
}

static void put_busiest(FILE *to, const exec_totals *t)
{
    link_use busiest[LINKS_SHOWN + 1];
    size_t count = 0;
    for (unsigned i = 0; i < 2 * KERR_STATS_NODES * KERR_STATS_LINKS; i++) {
        const unsigned noc = i / (KERR_STATS_NODES * KERR_STATS_LINKS), node = i / KERR_STATS_LINKS % KERR_STATS_NODES;
        link_use use = {t->link_flits[noc][node][i % KERR_STATS_LINKS], (uint16_t)node, (uint8_t)noc,
                        (uint8_t)(i % KERR_STATS_LINKS)};
        size_t at = count;
        for (; at > 0 && busiest[at - 1].flits < use.flits; at--) {
            busiest[at] = busiest[at - 1];
        }
        if (use.flits != 0 && at < LINKS_SHOWN) {
            busiest[at] = use;
            count += count < LINKS_SHOWN;
        }
    }
    (void)fprintf(
        to,
        "<table class=\"links\"><tr><th>busiest links</th><th class=\"n\">flits</th><th class=\"n\">share</th></tr>\n");
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(
            to, "<tr><td>NoC %u, (%u,%u) %s</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.2f %%</td></tr>\n",
            busiest[i].noc, busiest[i].node % KERR_GRID_X, busiest[i].node / KERR_GRID_X, link_names[busiest[i].link],
            busiest[i].flits, 100 * share((double)busiest[i].flits, (double)totals_time(t)));
    }
    (void)fprintf(to, "</table>\n");
}

static void put_noc(FILE *to, const exec_totals *t)
{
    (void)fprintf(to,
                  "<h2>NoC</h2>\n<p class=\"note\">Flits over each link, one a cycle at most, as share of %s. Arrows "
                  "go to the next "
                  "router, squares are the ways into the tiles. Single flits that met nobody are not counted.</p>\n",
                  t->kernel_cycles != 0 ? "the time in which kernels ran" : "all cycles");
    html_colour_bar(to);
    put_busiest(to, t);
    (void)fprintf(to, "<div class=\"maps\">\n");
    for (unsigned noc = 0; noc < 2; noc++) {
        (void)fprintf(to, "<div><h3>NoC %u</h3><svg width=\"%d\" height=\"%d\" role=\"img\" class=\"noc\">", noc,
                      20 + KERR_GRID_X * LINK_CELL, 20 + KERR_GRID_Y * LINK_CELL);
        put_axes(to, LINK_CELL);
        for (unsigned i = 0; i < KERR_STATS_NODES; i++) {
            for (unsigned k = 0; k < KERR_STATS_LINKS; k++) {
                put_link(to, t, noc, i, k);
            }
        }
        (void)fprintf(to, "</svg></div>\n");
    }
    (void)fprintf(to, "</div>\n");
}

/* ---- Tables ----------------------------------------------------------------------------------------------------------- */

static void put_units(FILE *to, const exec_totals *t)
{
    uint64_t active = 0;
    for (unsigned i = 0; i < KERR_STATS_NODES; i++) {
        active += totals_tile_time(t, &t->tiles[i]);
    }
    (void)fprintf(
        to, "<h2>Units and stalls</h2>\n<div class=\"maps\"><table class=\"units\"><tr><th>unit</th><th class=\"n\">"
            "instructions</th><th class=\"n\">cycles</th><th class=\"n\">of the time of tiles</th></tr>\n");
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
        (void)fprintf(to,
                      "<tr><td>%s</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64
                      "</td><td class=\"n\">%.2f %%</td></tr>\n",
                      kerr_tensix_unit_name((kerr_tensix_unit)u), t->unit_ops[u], t->unit_busy[u],
                      100 * share((double)t->unit_busy[u], (double)active));
    }
    (void)fprintf(
        to,
        "</table>\n<table class=\"stalls\"><tr><th>cycles at wait gates</th><th class=\"n\">T0</th><th class=\"n\">T1"
        "</th><th class=\"n\">T2</th></tr>\n");
    for (unsigned r = 1; r < KERR_STALL_KINDS; r++) {
        if (t->stalled[0][r] + t->stalled[1][r] + t->stalled[2][r] != 0) {
            (void)fprintf(to, "<tr><td>");
            html_text(to, stall_name((kerr_stall)r));
            (void)fprintf(to,
                          "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64
                          "</td><td class=\"n\">%" PRIu64 "</td></tr>\n",
                          t->stalled[0][r], t->stalled[1][r], t->stalled[2][r]);
        }
    }
    (void)fprintf(to, "</table></div>\n");
}

static void put_kernels(FILE *to, exec_totals *t)
{
    (void)fprintf(to,
                  "<h2>Kernels</h2>\n<p class=\"note\">By %" PRIu64 " samples; cycles of all cores together, while %s"
                  " %zu ELF files were looked through.</p>\n<table class=\"kernels\"><tr><th>program</th><th>cores</th>"
                  "<th class=\"n\">tiles</th><th class=\"n\">cycles</th><th class=\"n\">share</th><th>what bounds "
                  "it</th><th>most often in</th></tr>\n",
                  t->samples,
                  t->kernel_cycles != 0 ? "they had a kernel to run; firmware that waits for work is left out."
                                        : "their tile was active.",
                  t->match != NULL ? code_match_files(t->match) : 0);
    for (size_t i = 0; i < t->kernel_count && i < KERNELS; i++) {
        const total_kernel *k = &t->kernels[i];
        char cores[32], place[512] = "", bound[160] = "";
        cores_format(k->cores, cores, sizeof cores);
        if (t->match != NULL) {
            code_match_describe(t->match, k->piece, k->hottest, place, sizeof place);
        }
        (void)totals_bound(k, bound, sizeof bound);
        (void)fprintf(to, "<tr><td><code>");
        html_text(to, k->program != NULL ? k->program : "not found in any ELF file");
        (void)fprintf(to,
                      "</code></td><td>%s</td><td class=\"n\">%u</td><td class=\"n\">%" PRIu64
                      "</td><td class=\"n\">%.1f %%</td><td>%s</td><td><code>",
                      cores, tiles_count(k->tiles), kernel_time(t, k),
                      100 * share((double)kernel_time(t, k), (double)t->kernel_sum), bound);
        html_text(to, place);
        (void)fprintf(to, "</code></td></tr>\n");
    }
    (void)fprintf(to, "</table>\n");
}

static void put_faults(FILE *to, exec_totals *t, const exec_posts *posts)
{
    (void)fprintf(to, "<h2>Faults</h2>\n<p%s>%" PRIu64 " fault%s</p>\n", t->fault_count > 0 ? " class=\"bad\"" : "",
                  t->fault_count, t->fault_count == 1 ? "" : "s");
    for (size_t i = 0; i < t->faults_kept; i++) {
        char place[512] = "";
        if (t->match != NULL && t->faults[i].piece != SIZE_MAX) {
            code_match_describe(t->match, t->faults[i].piece, t->faults[i].of.fault.pc, place, sizeof place);
        }
        (void)fprintf(to, "<pre class=\"fault\">");
        html_text(to, t->faults[i].of.line);
        if (place[0] != '\0') {
            (void)fprintf(to, "\nin ");
            html_text(to, place);
            (void)fprintf(to, " of ");
            html_text(to, code_match_program(t->match, t->faults[i].piece));
        }
        (void)fprintf(to, "</pre>\n");
    }
    for (unsigned i = 0; i < posts->count && i < POSTS_KEPT; i++) {
        if (posts->text[i] != NULL) {
            (void)fprintf(to, "<pre class=\"waits\">");
            html_text(to, posts->text[i]);
            (void)fprintf(to, "</pre>\n");
        }
    }
}

/* What bounds each kernel, and how much of all of it they are. */
static void put_first(FILE *to, const exec_totals *t)
{
    enum { FIRST = 5 };
    if (t->kernel_cycles == 0) {
        (void)fprintf(to, "<p class=\"first\">tt-metal ran no kernels on it: all percentages are of all cycles</p>\n");
        return;
    }
    (void)fprintf(
        to, "<p class=\"first\">Kernels ran %.1f %% of %" PRIu64 " cycles; all percentages are of this time</p>\n<ul>",
        100 * share((double)t->kernel_cycles, (double)t->cycles), t->cycles);
    for (size_t i = 0; i < t->kernel_count && i < FIRST; i++) {
        const total_kernel *k = &t->kernels[i];
        char cores[32], bound[160];
        cores_format(k->cores, cores, sizeof cores);
        if (totals_bound(k, bound, sizeof bound)) {
            (void)fprintf(to, "<li>%.1f %%: %s of <code>", 100 * share((double)k->kernel_cycles, (double)t->kernel_sum),
                          cores);
            html_text(to, k->program != NULL ? k->program : "a program of no ELF file that was found");
            (void)fprintf(to, "</code> %s</li>\n", bound);
        }
    }
    (void)fprintf(to, "</ul>\n");
}

static void put_summary(FILE *to, const char *program, const exec_totals *t)
{
    char simulated[32], speed[32];
    const double inside = (double)t->inside_ns / 1e9, open = (double)t->open_ns / 1e9;
    format_cycles_as_time(t->cycles, simulated, sizeof simulated);
    format_count(inside > 0 ? (double)t->cycles / inside : 0, speed, sizeof speed);
    (void)fprintf(to, "<h1>kerr exec <code>");
    html_text(to, program);
    (void)fprintf(to, "</code></h1>\n");
    put_first(to, t);
    (void)fprintf(to,
                  "<table class=\"summary\"><tr><th>cycles</th><td class=\"n\">%" PRIu64
                  "</td><td>%s at 1.35 GHz</td></tr>\n",
                  t->cycles, simulated);
    (void)fprintf(to, "<tr><th>chips</th><td class=\"n\">%u</td><td>of %u processes</td></tr>\n", t->chips,
                  t->processes);
    (void)fprintf(
        to,
        "<tr><th>real time</th><td class=\"n\">%.2f s</td><td>with a chip open; %.2f s (%.0f %%) in the simulator, "
        "%scycles/s there</td></tr>\n",
        open, inside, 100 * share(inside, open), speed);
    (void)fprintf(
        to,
        "<tr><th>calls</th><td class=\"n\">%" PRIu64 "</td><td>%" PRIu64 " clock, %" PRIu64 " read (%.1f MB), %" PRIu64
        " write (%.1f MB); by the card %.1f MB read, %.1f MB written</td></tr></table>\n",
        t->calls[KERR_CALL_CLOCK] + t->calls[KERR_CALL_READ] + t->calls[KERR_CALL_WRITE] + t->calls[KERR_CALL_CONFIG],
        t->calls[KERR_CALL_CLOCK], t->calls[KERR_CALL_READ], (double)t->read_bytes / 1e6, t->calls[KERR_CALL_WRITE],
        (double)t->written_bytes / 1e6, (double)t->dma_read_bytes / 1e6, (double)t->dma_written_bytes / 1e6);
}

bool exec_report_write(const char *path, const char *program, exec_totals *totals, const exec_posts *posts,
                       tool_error *error)
{
    FILE *to = fopen(path, "we");
    if (to == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    html_begin(to, "kerr exec");
    put_summary(to, program, totals);
    put_maps(to, totals);
    put_time(to, totals);
    put_noc(to, totals);
    put_units(to, totals);
    put_kernels(to, totals);
    put_faults(to, totals, posts);
    html_end(to, "docs/exec.md");
    const bool bad = ferror(to) != 0;
    return (fclose(to) == 0 && !bad) || tool_fail(error, "%s: cannot write it: %s", path, strerror(errno));
}
