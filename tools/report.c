/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "progress.h"

void report_faults(const kerr_chip *chip, programs *loaded, uint32_t max)
{
    uint32_t count = 0;
    (void)kerr_fault_count(chip, &count);
    for (uint32_t i = 0; i < count; i++) {
        kerr_fault fault;
        if (kerr_fault_get(chip, i, &fault) != KERR_OK) {
            break;
        }
        /* The one that stopped the chip is always shown. */
        if (i >= max && !fault.stopping) {
            continue;
        }
        char text[512], place[512] = "";
        (void)kerr_fault_format(&fault, text, sizeof text);
        if (fault.core >= 0) {
            programs_describe(loaded, fault.tile, fault.core, fault.pc, place, sizeof place);
        }
        (void)fprintf(stderr, "kerr: fault: %s\n", text);
        if (place[0] != '\0') {
            (void)fprintf(stderr, "kerr:   in %s\n", place);
        }
    }
    if (count > max) {
        (void)fprintf(stderr, "kerr: %" PRIu32 " faults in all; --faults %" PRIu32 " shows them\n", count, count);
    }
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
