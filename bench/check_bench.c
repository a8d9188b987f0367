/* SPDX-License-Identifier: Apache-2.0 */
/* What checks cost: the product of matmul-sdk (sdk/examples/matmul.c, 512 x 512 x 512 on 64 tiles), on one thread, without
 * checks, with those of memory, and with all.  Results must be equal, and the kernels, which are right, give no finding.
 *
 *   check_bench KERNELS          three times each in turn; the best counts, since other work only ever makes a run slower
 *   check_bench KERNELS --test   a smaller product on four tiles, once each: a finding or another result is an error
 *   check_bench KERNELS --off    once, without checks: for counting instructions (bench/hooks.py) */
#include "kerr.h"
#include "kerr_findings.h"

#include "matrix_load.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 3, SLICE = 2000, CYCLES_MAX = 20 * 1000 * 1000, OFF = 0, MEMORY, ALL, VARIANTS };
static const char *const names[VARIANTS] = {"check-off", "check-memory", "check-all"};
static const uint32_t checks[VARIANTS] = {0, KERR_CHECK_MEMORY, KERR_CHECK_ALL};
static const double limits[VARIANTS] = {1, 4, 10};
static const uint32_t code_base[KERR_CORE_COUNT] = {0x0, 0x6000, 0xA000, 0xE000, 0x12000}; /* as the sdk has them */

static const matrix_load whole = {.operation = MATMUL_MVMUL,
                                  .format = DATAPATH_BF16,
                                  .register_format = DATAPATH_BF16,
                                  .out = DATAPATH_BF16,
                                  .phases = 4,
                                  .flags = MATMUL_MULTICAST,
                                  .side = 16,
                                  .block = 2,
                                  .columns = 8};
static const matrix_load small = {.operation = MATMUL_MVMUL,
                                  .format = DATAPATH_BF16,
                                  .register_format = DATAPATH_BF16,
                                  .out = DATAPATH_BF16,
                                  .phases = 2,
                                  .flags = MATMUL_MULTICAST,
                                  .side = 4,
                                  .block = 2,
                                  .columns = 2};

static void must(kerr_status status, const char *what)
{
    if (status != KERR_OK) {
        fprintf(stderr, "check_bench: %s: %s\n", what, kerr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* NoC 0 coordinates of the bank that matmul.h names in translated ones. */
static kerr_xy bank_at(uint32_t bank)
{
    static const uint8_t row[MATMUL_BANKS / 2] = {0, 2, 9, 5};
    return (kerr_xy){bank < MATMUL_BANKS / 2 ? 0 : 9, row[bank % (MATMUL_BANKS / 2)]};
}

static void fill(kerr_chip *chip, const matrix_load *load, uint32_t seed, uint32_t base)
{
    static uint8_t bytes[MATRIX_MAX_BYTES];
    const uint32_t size = datapath_tile_bytes(load->format);
    matrix_load_input(load, seed, bytes);
    for (uint32_t i = 0; i < matrix_load_tiles(load); i++)
        must(kerr_poke(chip, bank_at(i % MATMUL_BANKS), base + i / MATMUL_BANKS * size, bytes + i * size, size),
             "poke");
}

static uint64_t result(const kerr_chip *chip, const matrix_load *load)
{
    const uint32_t size = datapath_tile_bytes(load->out);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < matrix_load_tiles(load); i++) {
        uint8_t tile[4096];
        must(kerr_peek(chip, bank_at(i % MATMUL_BANKS), MATRIX_C + i / MATMUL_BANKS * size, tile, size), "peek");
        hash = matrix_load_hash(hash, tile, size);
    }
    return hash;
}

static kerr_xy tile_at(const matrix_load *load, uint32_t i)
{
    return kerr_tensix_xy(i / load->columns * 14 + i % load->columns);
}

static void load_tile(kerr_chip *chip, const char *kernels, const matrix_load *load, uint32_t i)
{
    static uint8_t code[16384], zero[MATRIX_SHARED_BYTES];
    const kerr_xy at = tile_at(load, i), last = tile_at(load, load->columns * load->columns - 1);
    kerr_params params;
    matrix_load_params(load, 1, at.x, at.y, i, MATRIX_C, last.x, last.y, &params);
    must(kerr_poke(chip, at, MATRIX_PARAMS, &params, sizeof params), "poke");
    must(kerr_poke(chip, at, MATRIX_SHARED, zero, sizeof zero), "poke");
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/matmul_%s.bin", kernels, kerr_core_name((kerr_core)core));
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            perror(path);
            exit(EXIT_FAILURE);
        }
        const uint32_t size = (uint32_t)fread(code, 1, sizeof code, file);
        fclose(file);
        const kerr_segment segment = {.address = code_base[core], .memory_size = size, .file_size = size, .data = code};
        must(kerr_load(chip, at, (kerr_core)core, &segment, 1), "load");
    }
}

static bool is_done(const kerr_chip *chip, kerr_xy at)
{
    uint32_t state = 0;
    must(kerr_peek(chip, at, MATRIX_PARAMS + offsetof(kerr_params, run[KERR_CORE_NC].state), &state, sizeof state),
         "peek");
    return state == KERR_RUN_DONE;
}

static uint32_t print_findings(const kerr_chip *chip)
{
    uint32_t count = 0;
    must(kerr_finding_count(chip, &count), "findings");
    for (uint32_t i = 0; i < count && i < 8; i++) {
        kerr_finding f;
        must(kerr_finding_get(chip, i, &f), "finding");
        fprintf(stderr, "# tile (%u,%u) core %d pc 0x%x cycle %" PRIu64 ": %s: %s\n", f.tile.x, f.tile.y, f.access.core,
                f.access.pc, f.access.cycle, kerr_finding_name(f.kind), f.text);
    }
    return count;
}

/* Seconds; *hash: of C and of the chip; *findings: how many. */
static double run(const char *kernels, const matrix_load *load, unsigned variant, uint64_t hash[2], uint32_t *findings)
{
    const uint32_t tiles = load->columns * load->columns;
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    kerr_chip *chip;
    must(kerr_create(&config, &chip), "create");
    must(kerr_set_checks(chip, checks[variant]), "checks");
    fill(chip, load, 1, MATRIX_A);
    fill(chip, load, 2, MATRIX_B);
    for (uint32_t i = 0; i < tiles; i++)
        load_tile(chip, kernels, load, i);
    for (uint32_t i = 0; i < tiles; i++)
        for (unsigned core = 0; core < KERR_CORE_COUNT; core++)
            must(kerr_core_start(chip, tile_at(load, i), (kerr_core)core, code_base[core]), "start");
    uint64_t cycles = 0;
    const double before = seconds();
    for (uint32_t done = 0; done < tiles && cycles < CYCLES_MAX; cycles += SLICE) {
        must(kerr_run(chip, SLICE), "run");
        while (done < tiles && is_done(chip, tile_at(load, done)))
            done++;
    }
    const double taken = seconds() - before;
    hash[0] = result(chip, load);
    must(kerr_hash(chip, &hash[1]), "hash");
    *findings = print_findings(chip);
    kerr_destroy(chip);
    return taken;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: check_bench KERNELS [--test | --off]\n");
        return 2;
    }
    const bool is_off = argc > 2 && strcmp(argv[2], "--off") == 0, is_test = argc > 2 && !is_off;
    if (is_off) {
        uint64_t hash[2];
        uint32_t findings;
        run(argv[1], &whole, OFF, hash, &findings);
        return 0;
    }
    double best[VARIANTS] = {0};
    uint64_t want[2] = {0};
    uint32_t found[VARIANTS] = {0};
    bool good = true;
    for (unsigned i = 0; i < VARIANTS * (is_test ? 1 : ROUNDS); i++) {
        const unsigned variant = i % VARIANTS;
        uint64_t hash[2];
        const double taken = run(argv[1], is_test ? &small : &whole, variant, hash, &found[variant]);
        if (i == 0)
            memcpy(want, hash, sizeof want);
        const bool same = memcmp(want, hash, sizeof want) == 0;
        best[variant] = i < VARIANTS || taken < best[variant] ? taken : best[variant];
        good = good && same && found[variant] == 0;
        if (is_test)
            printf("%s %u - sdk matmul, %s: the same state, no finding\n",
                   same && found[variant] == 0 ? "ok" : "not ok", i + 1, names[variant]);
    }
    if (is_test) {
        printf("1..%d\n", (int)VARIANTS);
        return !good;
    }
    for (unsigned i = 0; i < VARIANTS; i++)
        printf("%-24s %8.2f s %8.2f times check-off (at most %.0f), %" PRIu32 " findings\n", names[i], best[i],
               best[i] / best[OFF], limits[i], found[i]);
    return !good;
}
