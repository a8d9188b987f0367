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
                     bool out_of_time, uint32_t *fail)
{
    program_places context = {.loaded = loaded};
    const place_source places = {.fn = programs_place, .context = &context};
    finding_list list;
    tool_error error;
    bool why = out_of_time, written = true;
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
    if (!quiet && why) {
        why_print(stderr, chip, &places);
    }
    *fail = findings_that_fail(&list);
    findings_free(&list);
    return written;
}

/* Cores of one kind that stand at the same place. */
typedef struct standing {
    kerr_core core;
    kerr_core_info info;
    tile_set tiles;
} standing;

enum { STANDINGS_MAX = 64, TILES_SHOWN = 6 };

static bool same_place(const standing *a, kerr_core core, const kerr_core_info *info)
{
    return a->core == core && a->info.state == info->state && a->info.pc == info->pc &&
           a->info.wait_address == info->wait_address;
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
    programs_describe(loaded, at, (int)shown->core, shown->info.pc, place, sizeof place);
    (void)fprintf(stderr, "kerr:   %-2s %-7s at 0x%08" PRIx32, kerr_core_name(shown->core),
                  core_state_name(shown->info.state), shown->info.pc);
    if (shown->info.state == KERR_CORE_WAITING) {
        (void)fprintf(stderr, " for 0x%08" PRIx32, shown->info.wait_address);
    }
    (void)fprintf(stderr, "%s%s, ", place[0] != '\0' ? " in " : "", place);
    print_tiles(&shown->tiles);
    (void)fprintf(stderr, "\n");
}

static void report_cores(const kerr_chip *chip, programs *loaded)
{
    standing found[STANDINGS_MAX];
    unsigned count = 0, left_out = 0;
    uint64_t instructions[KERR_CORE_COUNT] = {0}, total = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
            const kerr_core core = (kerr_core)c;
            kerr_core_info info;
            if (kerr_core_query(chip, at, core, &info) != KERR_OK) {
                continue;
            }
            instructions[c] += info.instructions;
            total += info.instructions;
            if (info.state == KERR_CORE_IN_RESET) {
                continue;
            }
            unsigned k = 0;
            while (k < count && !same_place(&found[k], core, &info)) {
                k++;
            }
            if (k == STANDINGS_MAX) {
                left_out++;
                continue;
            }
            if (k == count) {
                found[count++] = (standing){.core = core, .info = info};
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
    char simulated[32], speed[32];
    (void)kerr_cycle(chip, &cycles);
    format_cycles_as_time(cycles, simulated, sizeof simulated);
    format_count(seconds > 0 ? (double)cycles / seconds : 0, speed, sizeof speed);
    (void)fprintf(stderr, "kerr: %s after %" PRIu64 " cycles (%s at 1.35 GHz), %.2f s real, %scycles/s\n", how, cycles,
                  simulated, seconds, speed);
    report_cores(chip, loaded);
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

bool report_coverage(const kerr_chip *chip, const char *path, tool_error *error)
{
    const bool here = strcmp(path, "-") == 0;
    FILE *out = here ? stdout : fopen(path, "w");
    if (out == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    for (uint32_t op = 0; op < kerr_tensix_op_count(); op++) {
        if (strcmp(kerr_tensix_op_unit(op), "frontend") != 0) {
            (void)fprintf(out, "%-16s%-10s%" PRIu64 "\n", kerr_tensix_op_name(op), kerr_tensix_op_unit(op),
                          ran_in_all(chip, op));
        }
    }
    const bool bad = here ? fflush(out) != 0 : fclose(out) != 0;
    return !bad || tool_fail(error, "%s: %s", path, strerror(errno));
}
