/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants over many seeds: all 140 tiles work, each with its own program; window length, slices, block length,
 * parking and threads must not matter.  On a difference it says which tile, from which cycle on, and what differs.
 *
 *   seeds [ROUNDS [FIRST_SEED]]      140 programs a round */
#include "../support/tap.h"
#include "../support/workload.h"

enum { CYCLES = 5500, TILES = KERR_TENSIX_TILES };

typedef struct variant {
    const char *name;
    uint32_t threads, window_cycles, max_block, slice;
    bool no_parking;
    bool plain; /* without any fast mechanism */
} variant;

static const variant variants[] = {
    {"windows of 7 cycles", 2, 7, 0, 0, false, false},      {"windows of 43 cycles", 2, 43, 0, 0, false, false},
    {"random slices", 2, 0, 0, 40, false, false},           {"blocks of 1 instruction", 2, 0, 1, 0, false, false},
    {"blocks of 5 instructions", 2, 0, 5, 0, false, false}, {"no parking", 2, 0, 0, 0, true, false},
    {"no fast mechanism", 2, 0, 0, 0, false, true},
};

static kerr_chip *make(const variant *v)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = v ? v->threads : 1;
    config.window_cycles = v ? v->window_cycles : 0;
    config.max_block = v ? v->max_block : 0;
    config.no_parking = v && v->no_parking;
    config.without = v && v->plain ? test_mechanisms(UINT32_MAX) : 0;
    return chip_new(&config);
}

static void run(kerr_chip *chip, const variant *v, uint64_t cycles)
{
    test_random random = {.state = cycles};
    while (cycles > 0) {
        uint64_t now = v && v->slice ? 1 + test_below(&random, v->slice) : cycles;
        now = now < cycles ? now : cycles;
        MUST(chip, kerr_run(chip, now));
        cycles -= now;
    }
}

/* What a debugger sees of a tile, first difference only. */
static bool tile_differs(const kerr_chip *a, const kerr_chip *b, uint32_t tile, bool say)
{
    kerr_xy at = kerr_tensix_xy(tile);
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        kerr_core_info one, two;
        MUST(a, kerr_core_query(a, at, (kerr_core)c, &one));
        MUST(b, kerr_core_query(b, at, (kerr_core)c, &two));
        if (one.pc != two.pc || one.instructions != two.instructions || one.cycles != two.cycles) {
            if (say) {
                printf("#   %s: pc %#x instructions %" PRIu64 ", instead of pc %#x instructions %" PRIu64 "\n",
                       kerr_core_name((kerr_core)c), two.pc, two.instructions, one.pc, one.instructions);
            }
            return true;
        }
        for (unsigned x = 1; x < 32; x++) {
            uint32_t want = chip_x(a, at, (kerr_core)c, x), got = chip_x(b, at, (kerr_core)c, x);
            if (want != got) {
                if (say) {
                    printf("#   %s: x%u is %#x instead of %#x\n", kerr_core_name((kerr_core)c), x, got, want);
                }
                return true;
            }
        }
    }
    uint8_t one[0x4000], two[0x4000];
    MUST(a, kerr_peek(a, at, 0x4000, one, sizeof one));
    MUST(b, kerr_peek(b, at, 0x4000, two, sizeof two));
    for (size_t i = 0; i < sizeof one; i++) {
        if (one[i] != two[i]) {
            if (say) {
                printf("#   L1 %#zx is %#x instead of %#x\n", i + 0x4000, two[i], one[i]);
            }
            return true;
        }
    }
    return false;
}

/* The first cycle at which one tile alone shows a difference. */
static void explain(const variant *v, uint32_t tile, workload work, uint64_t seed)
{
    uint64_t equal = 0, different = CYCLES + 1;
    kerr_chip *a = make(NULL), *b = make(v);
    while (different - equal > 1) {
        uint64_t middle = (equal + different) / 2;
        kerr_chip *both[2] = {a, b};
        for (unsigned i = 0; i < 2; i++) {
            MUST(both[i], kerr_reset(both[i]));
            workload_start(both[i], tile, work, seed);
            run(both[i], i ? v : NULL, middle);
        }
        if (tile_differs(a, b, tile, false)) {
            different = middle;
        } else {
            equal = middle;
        }
    }
    printf("#   %s, seed %" PRIu64 ", tile %u: from cycle %" PRIu64 " on\n", workload_name(work), seed, (unsigned)tile,
           different);
    if (different <= CYCLES) {
        MUST(a, kerr_reset(a));
        MUST(b, kerr_reset(b));
        workload_start(a, tile, work, seed);
        workload_start(b, tile, work, seed);
        run(a, NULL, different);
        run(b, v, different);
        tile_differs(a, b, tile, true);
    }
    kerr_destroy(a);
    kerr_destroy(b);
}

int main(int argc, char **argv)
{
    tap t = {0};
    uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 2;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    kerr_chip *reference = make(NULL);
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t seed = first + round * TILES;
        MUST(reference, kerr_reset(reference));
        workload_start_mix(reference, TILES, seed);
        run(reference, NULL, CYCLES);
        uint64_t want = chip_hash(reference);
        for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
            const variant *v = &variants[i];
            kerr_chip *chip = make(v);
            workload_start_mix(chip, TILES, seed);
            run(chip, v, CYCLES);
            bool good = chip_hash(chip) == want;
            tap_ok(&t, good, "%s change nothing, seeds %" PRIu64 " to %" PRIu64, v->name, seed, seed + TILES - 1);
            unsigned shown = 0;
            for (uint32_t tile = 0; tile < TILES && !good && shown < 4; tile++) {
                if (tile_differs(reference, chip, tile, false)) {
                    shown++;
                    explain(v, tile, (workload)(tile % WORK_KINDS), seed + tile);
                }
            }
            if (!good && shown == 0) {
                printf("#   nothing that a debugger sees\n");
            }
            kerr_destroy(chip);
        }
    }
    kerr_destroy(reference);
    return tap_end(&t);
}
