/* SPDX-License-Identifier: Apache-2.0 */
/* What checks cost: the product of matmul-sdk (sdk/examples/matmul.c, 512 x 512 x 512 on 64 tiles), on one thread, without
 * checks, with those of memory, and with all.  Results must be equal, and the kernels, which are right, give no finding.
 *
 *   check_bench KERNELS          three times each in turn; the best counts, since other work only ever makes a run slower
 *   check_bench KERNELS --test   a smaller product on four tiles, once each: a finding or another result is an error
 *   check_bench KERNELS --off    once, without checks: for counting instructions (bench/hooks.py) */
#include "kerr.h"
#include "kerr_findings.h"

#include "matmul_chip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 3, SLICE = 2000, CYCLES_MAX = 20 * 1000 * 1000, OFF = 0, MEMORY, ALL, VARIANTS };
static const char *const names[VARIANTS] = {"check-off", "check-memory", "check-all"};
static const uint32_t checks[VARIANTS] = {0, KERR_CHECK_MEMORY, KERR_CHECK_ALL};
static const double limits[VARIANTS] = {1, 4, 10};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint32_t print_findings(const kerr_chip *chip)
{
    uint32_t count = 0;
    matmul_must(kerr_finding_count(chip, &count), "findings");
    for (uint32_t i = 0; i < count && i < 8; i++) {
        kerr_finding f;
        matmul_must(kerr_finding_get(chip, i, &f), "finding");
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
    matmul_must(kerr_create(&config, &chip), "create");
    matmul_must(kerr_set_checks(chip, checks[variant]), "checks");
    matmul_begin(chip, kernels, load);
    uint64_t cycles = 0;
    const double before = seconds();
    for (uint32_t done = 0; done < tiles && cycles < CYCLES_MAX; cycles += SLICE) {
        matmul_must(kerr_run(chip, SLICE), "run");
        while (done < tiles && matmul_is_done(chip, matmul_tile(load, done)))
            done++;
    }
    const double taken = seconds() - before;
    hash[0] = matmul_result(chip, load);
    matmul_must(kerr_hash(chip, &hash[1]), "hash");
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
        run(argv[1], &matmul_whole, OFF, hash, &findings);
        return 0;
    }
    double best[VARIANTS] = {0};
    uint64_t want[2] = {0};
    uint32_t found[VARIANTS] = {0};
    bool good = true;
    for (unsigned i = 0; i < VARIANTS * (is_test ? 1 : ROUNDS); i++) {
        const unsigned variant = i % VARIANTS;
        uint64_t hash[2];
        const double taken = run(argv[1], is_test ? &matmul_small : &matmul_whole, variant, hash, &found[variant]);
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
