/* SPDX-License-Identifier: Apache-2.0 */
/* The ten conversions of sdk/examples/typecast.c on a tile: results, and cycles per row while it goes on.
 *
 *   typecasts KERNELS [TABLE.md]     TAP on stdout; appends to the table if asked to; fails if a figure is another
 *
 * KERNELS is where typecast_T1.bin is.  The figure is the slope between many rows and twice as many, from the core's wall clock;
 * it must be that of the statement (tests/seeds.tbl, S003) exactly, and
 * without macros that of the instructions.  The bits are compared with the rules of
 * support/typecast_words.c for tiles of edges and random words; unit/tensix/typecast has the rest. */
#include "../support/chip.h"
#include "../support/saved.h"
#include "../support/tap.h"
#include "../support/typecast_words.h"

#include "../../sdk/examples/typecast_params.h"
#include "../../sdk/include/kerr_params.h"

#include <stddef.h>
#include <string.h>

enum { CODE = 0xA000, PARAMS = 0x18000, FROM = 0x20000, TO = 0x40000, TILES = 2, MANY = 64 };

static const unsigned stated[TYPECAST_WORDS_COUNT] = {3, 13, 11, 2, 3, 4, 3, 4, 1, 1};
/* Without macros each instruction is a cycle, and SFPSWAP, of which the fourth conversion has one, two (manual SFPSWAP). */
static const unsigned stalls_plain[TYPECAST_WORDS_COUNT] = {[3] = 1};
static const kerr_xy tile = {1, 2};

static uint8_t code[16384];
static uint32_t code_bytes;

static bool read_kernel(const char *directory)
{
    char path[512];
    snprintf(path, sizeof path, "%s/typecast_T1.bin", directory);
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return false;
    }
    code_bytes = (uint32_t)fread(code, 1, sizeof code, f);
    return fclose(f) == 0 && code_bytes != 0;
}

static uint32_t in[TILES * TYPECAST_DATUMS], out[TILES * TYPECAST_DATUMS];

static void load(kerr_chip *chip, kerr_params params)
{
    MUST(chip, kerr_reset(chip));
    MUST(chip, kerr_poke(chip, tile, FROM, in, sizeof in));
    MUST(chip, kerr_poke(chip, tile, CODE, code, code_bytes));
    MUST(chip, kerr_poke(chip, tile, PARAMS, &params, sizeof params));
    MUST(chip, kerr_core_start(chip, tile, KERR_CORE_T1, CODE));
}

/* What main returned. */
static uint32_t run(kerr_chip *chip, kerr_params params)
{
    load(chip, params);
    chip_run_until_word(chip, tile, PARAMS + (uint32_t)offsetof(kerr_params, run[2].state), KERR_RUN_DONE, 10000000);
    return chip_word(chip, tile, PARAMS + (uint32_t)offsetof(kerr_params, run[2].result));
}

static double cycles_per_row(kerr_chip *chip, unsigned kind, bool plain)
{
    kerr_params params = {.argument = {[TYPECAST_KIND] = kind,
                                       [TYPECAST_PLAIN] = plain,
                                       [TYPECAST_FROM] = FROM,
                                       [TYPECAST_TO] = TO,
                                       [TYPECAST_REPEAT] = MANY}};
    const uint32_t once = run(chip, params);
    params.argument[TYPECAST_REPEAT] = 2 * MANY;
    return (run(chip, params) - once) / (32.0 * MANY);
}

static bool bits_are_right(kerr_chip *chip, unsigned kind, bool plain)
{
    const bool halves = typecast_words_of(kind, plain).halves_in;
    test_random r = {kind};
    for (unsigned i = 0; i < TILES * TYPECAST_DATUMS; i++) {
        const uint32_t x = i < 1024 ? i << 22 : (uint32_t)test_random64(&r); /* exponents one by one, then anything */
        in[i] = halves ? x >> 16 : x;
    }
    run(chip, (kerr_params){.argument = {[TYPECAST_KIND] = kind,
                                         [TYPECAST_PLAIN] = plain,
                                         [TYPECAST_TILES] = TILES,
                                         [TYPECAST_FROM] = FROM,
                                         [TYPECAST_TO] = TO}});
    MUST(chip, kerr_peek(chip, tile, TO, out, sizeof out));
    for (unsigned i = 0; i < TILES * TYPECAST_DATUMS; i++)
        if (out[i] != typecast_expected(kind, in[i])) {
            printf("# datum %u: 0x%08x gives 0x%08x, must be 0x%08x\n", i, in[i], out[i],
                   typecast_expected(kind, in[i]));
            return false;
        }
    return true;
}

/* In the middle of it: run in one go, in pieces, and saved and restored on the way, the state is the same. */
static bool pieces_are_the_same(kerr_chip *chip, unsigned kind)
{
    enum { CYCLES = 12000, PIECE = 53 };
    uint64_t hash[3];
    for (unsigned way = 0; way < 3; way++) {
        load(chip,
             (kerr_params){
                 .argument = {
                     [TYPECAST_KIND] = kind, [TYPECAST_FROM] = FROM, [TYPECAST_TO] = TO, [TYPECAST_REPEAT] = 100000}});
        for (unsigned at = 0; at < CYCLES;) {
            const unsigned step = way == 0 ? CYCLES : at < CYCLES - 530 ? CYCLES - 530 - at : PIECE;
            MUST(chip, kerr_run(chip, step < CYCLES - at ? step : CYCLES - at));
            at += step;
            if (way == 2) {
                saved_bytes saved = {.data = NULL};
                MUST(chip, kerr_save(chip, saved_put, &saved));
                MUST(chip, kerr_reset(chip));
                MUST(chip, kerr_restore(chip, saved_get, &saved));
                free(saved.data);
            }
        }
        hash[way] = chip_hash(chip);
    }
    return hash[0] == hash[1] && hash[0] == hash[2];
}

static bool append_table(const char *path, double figure[TYPECAST_WORDS_COUNT][2])
{
    FILE *f = fopen(path, "a");
    if (!f) {
        perror(path);
        return false;
    }
    fprintf(
        f,
        "\n## Conversions by the Vector Unit (sdk/examples/typecast.c)\n\n"
        "Made by `make silicon`.  Cycles per row of 32 datums while it goes on, with SFPLOADMACRO where that helps.  "
        "Stated: by the\ndescription of these conversions that the Vector Unit was started from (S003 of "
        "tests/seeds.tbl).\n\n"
        "| conversion | stated | kerr | kerr, without macros | verdict |\n|---|--:|--:|--:|---|\n");
    for (unsigned i = 0; i < TYPECAST_WORDS_COUNT; i++)
        fprintf(f, "| %s | %u | %.2f | %.2f | %s |\n", typecast_words_of(i, false).name, stated[i], figure[i][0],
                figure[i][1], figure[i][0] == stated[i] ? "equal" : "**another**");
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3 || !read_kernel(argv[1])) {
        fprintf(stderr, "usage: typecasts KERNELS [TABLE.md]\n");
        return 2;
    }
    tap t = {0, 0};
    kerr_chip *chip = chip_new_one_thread();
    double figure[TYPECAST_WORDS_COUNT][2];
    for (unsigned kind = 0; kind < TYPECAST_WORDS_COUNT; kind++) {
        const char *name = typecast_words_of(kind, false).name;
        tap_ok(&t, bits_are_right(chip, kind, false), "%s: every bit", name);
        tap_ok(&t, bits_are_right(chip, kind, true), "%s: every bit without macros", name);
        tap_ok(&t, pieces_are_the_same(chip, kind), "%s: it does not matter how calls are cut", name);
        figure[kind][0] = cycles_per_row(chip, kind, false);
        figure[kind][1] = cycles_per_row(chip, kind, true);
        tap_ok(&t, figure[kind][0] == stated[kind], "%s: %u cycles a row (%.4f)", name, stated[kind], figure[kind][0]);
        const struct typecast_words plain = typecast_words_of(kind, true);
        const unsigned cycles = plain.block_words / plain.block_rows + stalls_plain[kind];
        tap_ok(&t, figure[kind][1] == cycles && plain.cycles == cycles, "%s: %u cycles a row without macros (%.4f)",
               name, cycles, figure[kind][1]);
    }
    kerr_destroy(chip);
    const bool written = argc < 3 || append_table(argv[2], figure);
    return tap_end(&t) || !written;
}
