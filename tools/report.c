/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "findings.h"
#include "progress.h"
#include "why.h"

bool report_findings(const kerr_chip *chip, programs *loaded, uint32_t most, const char *path, bool quiet,
                     report_waits waits, uint32_t *fail)
{
    program_places context = {.loaded = loaded};
    const place_source places = {.fn = programs_place, .context = &context};
    finding_list list;
    tool_error error;
    bool why = waits != REPORT_WAITS_AFTER_FAULTS, written = true;
    if (!findings_read(&list, chip, &error)) {
        (void)fprintf(stderr, "kerr run: %s\n", error.text);
    }
    findings_print(stderr, &list, most, &places);
    for (uint32_t i = 0; i < list.count; i++) {
        why = why || list.of[i].kind == KERR_FAULT_DEADLOCK || list.of[i].kind == KERR_FAULT_TIMEOUT;
    }
    if (path != NULL && *path != '\0' && !findings_write(path, &list, &places, &error)) {
        (void)fprintf(stderr, "kerr run: %s\n", error.text);
        written = false;
    }
    if (list.count > 0) {
        programs_tell_of_lines(loaded, stderr);
    }
    if (!quiet) {
        findings_count(stderr, &list);
    }
    if ((!quiet && why) || waits == REPORT_WAITS_ALWAYS) {
        why_print(stderr, chip, &places);
    }
    *fail = findings_that_fail(&list);
    findings_free(&list);
    return written;
}

/* Cores of one kind that stand at the same place. */
typedef struct standing {
    kerr_core core;
    kerr_core_end end;
    uint32_t waits_for; /* address, 0: nothing, or several */
    tile_set tiles;
} standing;

enum { STANDINGS_MAX = 64, TILES_SHOWN = 6 };

static bool same_place(const standing *a, const standing *b)
{
    return a->core == b->core && a->end.stand == b->end.stand && a->end.pc == b->end.pc && a->waits_for == b->waits_for;
}

static void print_tiles(const tile_set *tiles)
{
    const unsigned count = tile_set_count(tiles);
    unsigned index = 0, shown = 0;
    kerr_xy at;
    (void)fprintf(stderr, "%s", count == 1 ? "tile" : "tiles");
    while (shown < TILES_SHOWN && tile_set_next(tiles, &index, &at)) {
        (void)fprintf(stderr, " %u,%u", at.x, at.y);
        shown++;
    }
    if (count > shown) {
        (void)fprintf(stderr, " and %u more", count - shown);
    }
}

static void print_standing(const standing *shown, programs *loaded)
{
    char place[512];
    kerr_xy at = {0, 0};
    unsigned index = 0;
    (void)tile_set_next(&shown->tiles, &index, &at);
    programs_describe(loaded, at, (int)shown->core, shown->end.pc, place, sizeof place);
    (void)fprintf(stderr, "kerr:   %-2s %-8s at 0x%08" PRIx32, kerr_core_name(shown->core),
                  kerr_stand_name(shown->end.stand), shown->end.pc);
    if (shown->waits_for != 0) {
        (void)fprintf(stderr, " for 0x%08" PRIx32, shown->waits_for);
    }
    (void)fprintf(stderr, "%s%s, ", place[0] != '\0' ? " in " : "", place);
    print_tiles(&shown->tiles);
    (void)fprintf(stderr, "\n");
}

static bool look_at(const kerr_chip *chip, kerr_xy at, kerr_core core, standing *now)
{
    kerr_core_info info;
    *now = (standing){.core = core};
    if (kerr_core_end_query(chip, at, core, &now->end) != KERR_OK ||
        kerr_core_query(chip, at, core, &info) != KERR_OK) {
        return false;
    }
    now->waits_for =
        now->end.stand == KERR_STANDS_WAITING || now->end.stand == KERR_STANDS_POLLING ? info.wait_address : 0;
    return true;
}

static void report_cores(const kerr_chip *chip, programs *loaded)
{
    standing found[STANDINGS_MAX];
    unsigned count = 0, left_out = 0;
    uint64_t instructions[KERR_CORE_COUNT] = {0}, total = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
            standing now;
            if (!look_at(chip, at, (kerr_core)c, &now)) {
                continue;
            }
            instructions[c] += now.end.instructions;
            total += now.end.instructions;
            if (now.end.stand == KERR_STANDS_OFF) {
                continue;
            }
            unsigned k = 0;
            while (k < count && !same_place(&found[k], &now)) {
                k++;
            }
            if (k == STANDINGS_MAX) {
                left_out++;
                continue;
            }
            if (k == count) {
                found[count++] = now;
            }
            tile_set_add(&found[k].tiles, at);
        }
    }
    (void)fprintf(stderr, "kerr: instructions:");
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        if (instructions[c] > 0) {
            (void)fprintf(stderr, " %s %" PRIu64 ",", kerr_core_name((kerr_core)c), instructions[c]);
        }
    }
    (void)fprintf(stderr, " total %" PRIu64 "\n", total);
    for (unsigned k = 0; k < count; k++) {
        print_standing(&found[k], loaded);
    }
    if (left_out > 0) {
        (void)fprintf(stderr, "kerr:   and %u cores elsewhere\n", left_out);
    }
}

void report_summary(const kerr_chip *chip, programs *loaded, const char *how, double seconds)
{
    uint64_t cycles = 0;
    kerr_end end = {.cycle = 0};
    char simulated[32], speed[32];
    (void)kerr_cycle(chip, &cycles);
    (void)kerr_end_query(chip, &end);
    format_cycles_as_time(end.cycle, simulated, sizeof simulated);
    format_count(seconds > 0 ? (double)cycles / seconds : 0, speed, sizeof speed);
    (void)fprintf(stderr, "kerr: %s after %" PRIu64 " cycles (%s at 1.35 GHz), %.2f s real, %scycles/s\n", how,
                  end.cycle, simulated, seconds, speed);
    report_cores(chip, loaded);
}

static FILE *open_report(const char *path, tool_error *error)
{
    FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (out == NULL) {
        (void)tool_fail(error, "%s: %s", path, strerror(errno));
    }
    return out;
}

static bool close_report(FILE *out, const char *path, tool_error *error)
{
    const bool bad = out == stdout ? fflush(out) != 0 : fclose(out) != 0;
    return !bad || tool_fail(error, "%s: %s", path, strerror(errno));
}

bool report_verdict(const kerr_chip *chip, const char *verdict, int status, const char *path, tool_error *error)
{
    kerr_end end;
    FILE *out = open_report(path, error);
    if (out == NULL || kerr_end_query(chip, &end) != KERR_OK) {
        return false;
    }
    (void)fprintf(out,
                  "{\"verdict\": \"%s\", \"status\": %d, \"cycle\": %" PRIu64 ", \"instructions\": %" PRIu64
                  ", \"cores\": [",
                  verdict, status, end.cycle, end.instructions);
    const char *between = "";
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
            kerr_core_end of;
            if (kerr_core_end_query(chip, at, (kerr_core)core, &of) != KERR_OK || of.stand == KERR_STANDS_OFF) {
                continue;
            }
            (void)fprintf(out,
                          "%s\n  {\"tile\": [%u, %u], \"core\": \"%s\", \"stand\": \"%s\", \"pc\": %" PRIu32
                          ", \"cycle\": %" PRIu64 ", \"instructions\": %" PRIu64 "}",
                          between, at.x, at.y, kerr_core_name((kerr_core)core), kerr_stand_name(of.stand), of.pc,
                          of.cycle, of.instructions);
            between = ",";
        }
    }
    (void)fprintf(out, "]}\n");
    return close_report(out, path, error);
}

static uint64_t ran_in_all(const kerr_chip *chip, uint32_t op)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        uint64_t times;
        if (kerr_tensix_op_ran(chip, kerr_tensix_xy(i), op, &times) == KERR_OK) { /* not of one that is switched off */
            sum += times;
        }
    }
    return sum;
}

bool report_profile(const profile *of, const char *text_path, const char *page_path, tool_error *error)
{
    enum { LINES = 25 };
    if (text_path != NULL) {
        FILE *out = open_report(text_path, error);
        if (out == NULL) {
            return false;
        }
        profile_print(of, out, LINES);
        if (!close_report(out, text_path, error)) {
            return false;
        }
    }
    return page_path == NULL || profile_page(of, page_path, error);
}

bool report_coverage(const kerr_chip *chip, const char *path, tool_error *error)
{
    FILE *out = open_report(path, error);
    if (out == NULL) {
        return false;
    }
    for (uint32_t op = 0; op < kerr_tensix_op_count(); op++) {
        if (strcmp(kerr_tensix_op_unit(op), "frontend") != 0) {
            (void)fprintf(out, "%-16s%-10s%" PRIu64 "\n", kerr_tensix_op_name(op), kerr_tensix_op_unit(op),
                          ran_in_all(chip, op));
        }
    }
    return close_report(out, path, error);
}
