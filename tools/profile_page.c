/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as text and as a page for a browser. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "html.h"
#include "profile.h"

enum { PAGE_LINES = 400, BAR = 240 };
/* From here on somebody who is at work so much of the time bounds a run, and a wait for the NoC. */
static const double much = 0.6, much_noc = 0.4;

static double part_of(uint64_t part, uint64_t whole)
{
    return whole != 0 ? (double)part / (double)whole : 0;
}

static uint64_t waits_of(const profile_row *row)
{
    return row->cycles[PROFILE_DEVICE] + row->cycles[PROFILE_POLL];
}

static uint64_t work_of(const profile_row *row)
{
    return profile_sum(row) - waits_of(row);
}

static bool ran(const profile_row *row)
{
    return row->instructions != 0 || profile_sum(row) != 0;
}

static bool is_for_noc(const char *text)
{
    return strncmp(text, "NIU_", 4) == 0 || strncmp(text, "NOC_", 4) == 0;
}

typedef struct wait {
    unsigned core;
    const profile_reason *reason;
} wait;

/* The longest wait of a core, of those for the NoC or of all. */
static wait longest_wait(const profile *p, bool for_noc)
{
    wait found = {.reason = NULL};
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        for (unsigned i = 0; i < PROFILE_REASONS; i++) {
            const profile_reason *r = &p->core[c].reason[i];
            const bool better = r->cycles > 0 && waits_of(&p->core[c]) > 0 &&
                                (!for_noc || is_for_noc(p->texts[r->text])) &&
                                (found.reason == NULL || r->cycles > found.reason->cycles);
            found = better ? (wait){c, r} : found;
        }
    }
    return found;
}

void profile_bound(const profile *p, char *text, size_t size)
{
    char best[80] = "";
    double most = 0;
    bool is_unit = false;
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        const double share = part_of(work_of(&p->core[c]), p->tile_cycles);
        if (ran(&p->core[c]) && share > most) {
            most = share;
            (void)snprintf(best, sizeof best, "RISCV %s", kerr_core_name((kerr_core)c));
        }
    }
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
        const double share = part_of(p->unit_busy[u], p->tile_cycles);
        if (share > most) {
            most = share;
            is_unit = true;
            (void)snprintf(best, sizeof best, "the %s", kerr_tensix_unit_name((kerr_tensix_unit)u));
        }
    }
    const wait noc = longest_wait(p, true), any = longest_wait(p, false);
    if (p->tile_cycles == 0) {
        (void)snprintf(text, size, "nothing ran");
    } else if (most >= much) {
        (void)snprintf(text, size, "bound by %s, %s %.0f %% of the time", best, is_unit ? "busy" : "at work",
                       100 * most);
    } else if (noc.reason != NULL && part_of(noc.reason->cycles, p->tile_cycles) >= much_noc) {
        (void)snprintf(text, size,
                       "bound by the NoC: RISCV %s waits %.0f %% of the time for %.100s (%s is at work %.0f %%)",
                       kerr_core_name((kerr_core)noc.core), 100 * part_of(noc.reason->cycles, p->tile_cycles),
                       p->texts[noc.reason->text], best, 100 * most);
    } else {
        (void)snprintf(text, size, "bound by waits for each other: %s is at work most, %.0f %% of the time", best,
                       100 * most);
        if (any.reason != NULL) {
            const size_t used = strlen(text);
            (void)snprintf(text + used, size - used, "; the longest wait is RISCV %s's for %.100s, %.0f %%",
                           kerr_core_name((kerr_core)any.core), p->texts[any.reason->text],
                           100 * part_of(any.reason->cycles, p->tile_cycles));
        }
    }
}

/* What a line waits for most. */
static const char *most_for(const profile *p, const profile_row *row)
{
    const profile_reason *reason = row->reason[0].cycles >= row->gate[0].cycles ? &row->reason[0] : &row->gate[0];
    return reason->cycles > 0 ? p->texts[reason->text] : "";
}

/* ---- Text --------------------------------------------------------------------------------------------------------------- */

static void print_row(const profile *p, const profile_row *row, FILE *to)
{
    for (unsigned k = 0; k < PROFILE_KINDS; k++) {
        (void)fprintf(to, " %9.1f", 100 * part_of(row->cycles[k], p->tile_cycles));
    }
}

void profile_print(const profile *p, FILE *to, size_t most)
{
    char text[512];
    profile_bound(p, text, sizeof text);
    (void)fprintf(to, "%s\n%" PRIu64 " cycles on %u tile%s, from the first core in main() to the end of the last%s\n\n",
                  text, p->longest, p->tile_count, p->tile_count == 1 ? "" : "s",
                  p->tile_count > 1 ? " of a tile, the longest" : "");
    (void)fprintf(to, "%% of these cycles:%10s", "");
    for (unsigned k = 0; k < PROFILE_KINDS; k++) {
        (void)fprintf(to, " %9.9s", profile_kind_name((profile_kind)k));
    }
    (void)fprintf(to, " %12s\n", "instructions");
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        if (ran(&p->core[c])) {
            (void)fprintf(to, "  RISCV %-20s", kerr_core_name((kerr_core)c));
            print_row(p, &p->core[c], to);
            (void)fprintf(to, " %12" PRIu64 "\n", p->core[c].instructions);
        }
    }
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
        if (p->unit_taken[u] != 0) {
            (void)fprintf(to, "  %-26s %9.1f busy, %" PRIu64 " instructions\n",
                          kerr_tensix_unit_name((kerr_tensix_unit)u), 100 * part_of(p->unit_busy[u], p->tile_cycles),
                          p->unit_taken[u]);
        }
    }
    (void)fprintf(to, "\n   cycles     %%  core  instructions  at gates  where, and what it waits for most\n");
    for (size_t i = 0; i < p->line_count && i < most; i++) {
        const profile_row *row = &p->lines[i];
        const char *reason = most_for(p, row);
        (void)fprintf(to, "%9" PRIu64 " %5.1f  %-4s  %12" PRIu64 "  %8" PRIu64 "  %s%s%s%s%s%s%s\n", profile_sum(row),
                      100 * part_of(profile_sum(row), p->tile_cycles), kerr_core_name((kerr_core)row->core),
                      row->instructions, row->stalled, row->place, row->function != NULL ? " " : "",
                      row->function != NULL ? row->function : "", row->function != NULL ? "()" : "",
                      *reason != '\0' ? " [" : "", reason, *reason != '\0' ? "]" : "");
    }
    if (p->line_count > most) {
        (void)fprintf(to, "and %zu more lines; kerr run --report FILE.html has them\n", p->line_count - most);
    }
}

/* ---- A page ------------------------------------------------------------------------------------------------------------- */

static const char *const kind_colours[PROFILE_KINDS] = {
    [PROFILE_WORK] = "#2f7d4f",   [PROFILE_LOAD] = "#d9a520",   [PROFILE_ARITHMETIC] = "#b5651d",
    [PROFILE_ATOMIC] = "#8a5fb0", [PROFILE_STORES] = "#d0552f", [PROFILE_FETCH] = "#8fbf6a",
    [PROFILE_DEVICE] = "#4a78b5", [PROFILE_POLL] = "#bcd0e8",
};

/* What a row did, as a bar whose whole length is all of the time. */
static void put_bar(const profile *p, const profile_row *row, FILE *to)
{
    double at = 0;
    (void)fprintf(to,
                  "<svg width=\"%d\" height=\"12\" role=\"img\" class=\"row\"><rect width=\"%d\" height=\"12\" "
                  "fill=\"#eef1f4\"/>",
                  BAR, BAR);
    for (unsigned k = 0; k < PROFILE_KINDS; k++) {
        const double width = BAR * part_of(row->cycles[k], p->tile_cycles);
        if (row->cycles[k] > 0) {
            (void)fprintf(to,
                          "<rect x=\"%.2f\" width=\"%.2f\" height=\"12\" fill=\"%s\"><title>%s: %" PRIu64
                          " cycles, %.1f %%</title></rect>",
                          at, width, kind_colours[k], profile_kind_name((profile_kind)k), row->cycles[k],
                          100 * part_of(row->cycles[k], p->tile_cycles));
        }
        at += width;
    }
    (void)fputs("</svg>", to);
}

static void put_legend(FILE *to)
{
    static const char *const meaning[PROFILE_KINDS] = {
        [PROFILE_WORK] = "an instruction issues",
        [PROFILE_LOAD] = "waits for a load",
        [PROFILE_ARITHMETIC] = "multiplier, divider, CSR, vector",
        [PROFILE_ATOMIC] = "waits for an atomic",
        [PROFILE_STORES] = "store queue full, or emptied for a fence",
        [PROFILE_FETCH] = "fetch",
        [PROFILE_DEVICE] = "a device makes it wait: mailbox, FIFO, semaphore",
        [PROFILE_POLL] = "polls",
    };
    (void)fputs("<p class=\"note\">", to);
    for (unsigned k = 0; k < PROFILE_KINDS; k++) {
        (void)fprintf(to,
                      "<svg width=\"12\" height=\"12\" role=\"img\"><rect width=\"12\" height=\"12\" "
                      "fill=\"%s\"/></svg> %s &#160; ",
                      kind_colours[k], meaning[k]);
    }
    (void)fputs("</p>\n", to);
}

static void put_cores(const profile *p, FILE *to)
{
    (void)fputs("<h2>Cores and units</h2>\n", to);
    put_legend(to);
    (void)fputs(
        "<table class=\"cores\"><tr><th>core</th><th>all of the time is the whole bar</th><th class=\"n\">at work</th>"
        "<th class=\"n\">waits</th><th class=\"n\">instructions</th><th>waits most for</th></tr>\n",
        to);
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        const profile_row *row = &p->core[c];
        if (!ran(row)) {
            continue;
        }
        (void)fprintf(to, "<tr><td>RISCV %s</td><td>", kerr_core_name((kerr_core)c));
        put_bar(p, row, to);
        (void)fprintf(
            to, "</td><td class=\"n\">%.1f %%</td><td class=\"n\">%.1f %%</td><td class=\"n\">%" PRIu64 "</td><td>",
            100 * part_of(work_of(row), p->tile_cycles), 100 * part_of(waits_of(row), p->tile_cycles),
            row->instructions);
        html_text(to, row->reason[0].cycles > 0 ? p->texts[row->reason[0].text] : "");
        (void)fputs("</td></tr>\n", to);
    }
    (void)fputs("</table>\n<table class=\"units\"><tr><th>unit</th><th>busy</th><th class=\"n\">of the time</th><th "
                "class=\"n\">"
                "instructions</th></tr>\n",
                to);
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
        const double share = part_of(p->unit_busy[u], p->tile_cycles);
        if (p->unit_taken[u] != 0) {
            (void)fprintf(
                to,
                "<tr><td>%s</td><td><svg width=\"%d\" height=\"12\" role=\"img\"><rect width=\"%d\" height=\"12\" "
                "fill=\"#eef1f4\"/><rect width=\"%.2f\" height=\"12\" fill=\"%s\"/></svg></td><td class=\"n\">%.1f "
                "%%</td><td class=\"n\">%" PRIu64 "</td></tr>\n",
                kerr_tensix_unit_name((kerr_tensix_unit)u), BAR, BAR, BAR * (share < 1 ? share : 1),
                kind_colours[PROFILE_WORK], 100 * share, p->unit_taken[u]);
        }
    }
    (void)fputs("</table>\n", to);
}

static void put_reasons(const profile *p, const profile_reason *reason, FILE *to)
{
    for (unsigned i = 0; i < PROFILE_REASONS && reason[i].cycles > 0; i++) {
        (void)fprintf(to, "%s%" PRIu64 " ", i > 0 ? "<br>" : "", reason[i].cycles);
        html_text(to, p->texts[reason[i].text]);
    }
}

static void put_lines(const profile *p, FILE *to)
{
    (void)fprintf(
        to,
        "<h2>By source line</h2>\n<p class=\"note\">Cycles of cores, those with most first; of %zu lines up to "
        "%d. At "
        "gates: cycles in which Tensix instructions that come of this line stood at their thread's wait gate.</p>\n"
        "<table class=\"lines\"><tr><th>core</th><th>where</th><th class=\"n\">cycles</th><th>of all of the time</th>"
        "<th class=\"n\">instructions</th><th>waits for</th><th class=\"n\">Tensix</th><th class=\"n\">at gates</th>"
        "<th>for</th></tr>\n",
        p->line_count, PAGE_LINES);
    for (size_t i = 0; i < p->line_count && i < PAGE_LINES; i++) {
        const profile_row *row = &p->lines[i];
        (void)fprintf(to, "<tr><td>%s</td><td><code>", kerr_core_name((kerr_core)row->core));
        html_text(to, row->place);
        (void)fputs("</code>", to);
        if (row->function != NULL) {
            (void)fputs(" <span class=\"note\">", to);
            html_text(to, row->function);
            (void)fputs("()</span>", to);
        }
        (void)fprintf(to, "</td><td class=\"n\">%" PRIu64 "</td><td>", profile_sum(row));
        put_bar(p, row, to);
        (void)fprintf(to, "</td><td class=\"n\">%" PRIu64 "</td><td>", row->instructions);
        put_reasons(p, row->reason, to);
        (void)fprintf(to, "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td><td>", row->issued,
                      row->stalled);
        put_reasons(p, row->gate, to);
        (void)fputs("</td></tr>\n", to);
    }
    (void)fputs("</table>\n", to);
}

bool profile_page(const profile *p, const char *path, tool_error *error)
{
    char text[512];
    FILE *to = fopen(path, "we");
    if (to == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    profile_bound(p, text, sizeof text);
    html_begin(to, "kerr run");
    (void)fputs("<h1>kerr run</h1>\n<p class=\"first\">", to);
    html_text(to, text);
    (void)fprintf(to,
                  "</p>\n<p>%" PRIu64
                  " cycles on %u tile%s, from the first core in main() to the end of the last%s. All percentages are "
                  "of this time.</p>\n",
                  p->longest, p->tile_count, p->tile_count == 1 ? "" : "s",
                  p->tile_count > 1 ? " of a tile, the longest" : "");
    put_cores(p, to);
    put_lines(p, to);
    html_end(to, "docs/profile.md");
    const bool bad = ferror(to) != 0;
    return (fclose(to) == 0 && !bad) || tool_fail(error, "%s: cannot write it: %s", path, strerror(errno));
}
