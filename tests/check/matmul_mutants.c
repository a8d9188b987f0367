/* SPDX-License-Identifier: Apache-2.0 */
/* The sdk's matmul without one of its instructions, with checks of synchronisation: found; and with all of them: nothing is.
 *
 *   matmul_mutants KERNELS */
#include "../support/check_pairs.h"

#include "../../bench/matmul_chip.h"

enum { MATMUL_CYCLES = 400 * 1000 };
static const matrix_load product = {.operation = MATMUL_MVMUL,
                                    .format = DATAPATH_BF16,
                                    .register_format = DATAPATH_BF16,
                                    .out = DATAPATH_BF16,
                                    .phases = 1,
                                    .flags = MATMUL_MULTICAST,
                                    .side = 8,
                                    .block = 2,
                                    .columns = 2};

/* The STALLWAIT or SEMWAIT that is taken out, of which core, and what comes of it. */
static const struct mutant {
    const char *what, *kind;
    kerr_core core;
    uint32_t word;
} mutants[] = {
    {"nothing is taken out", NULL, KERR_CORE_B, 0},
    {"the packer is not waited for before math may write Dst", "race-dst", KERR_CORE_T2,
     0xA2u << 24 | 2u << 15 | 1u << 3},
    {"math does not wait for a free half of Dst", "race-dst", KERR_CORE_T1, 0xA6u << 24 | 0x42u << 15 | 2u << 2 | 2},
    {"math tells of its half of Dst before the Matrix Unit is through", "race-dst", KERR_CORE_T1,
     0xA2u << 24 | 0x82u << 15 | 1u << 4},
    {"nobody sets up the semaphore between math and pack", "sem-unset", KERR_CORE_T1, 0xA3u << 24 | 2u << 20 | 1u << 3},
    {"unpackers do not wait for stores of addresses", "race-config", KERR_CORE_T0, 0xA2u << 24 | 8u << 15 | 1u << 10},
    {"the packer does not wait for stores of its configuration", "race-config", KERR_CORE_T2,
     0xA2u << 24 | 1u << 15 | 1u << 10},
};

/* In the tile's L1, where it has been loaded. */
static unsigned take_out(kerr_chip *chip, kerr_xy at, const struct mutant *m)
{
    enum { CODE_MAX = 0x4000 };
    static uint8_t code[CODE_MAX];
    const uint32_t old = tt_ttinsn(m->word), nop = tt_ttinsn(tt_nop()), base = matmul_code_base[m->core];
    unsigned count = 0;
    MUST(chip, kerr_peek(chip, at, base, code, sizeof code));
    for (uint32_t i = 0; m->word != 0 && i < sizeof code; i += 4) {
        if (memcmp(code + i, &old, 4) == 0) {
            MUST(chip, kerr_poke(chip, at, base + i, &nop, sizeof nop));
            count++;
        }
    }
    return count;
}

/* One run; *taken is how many instructions were taken out. */
static kerr_chip *run_product(const char *kernels, const struct mutant *m, uint64_t shake, unsigned *taken)
{
    kerr_chip *chip = chip_new_one_thread();
    const uint32_t tiles = product.columns * product.columns;
    *taken = 0;
    MUST(chip, kerr_set_shake(chip, shake, NULL, 0));
    MUST(chip, kerr_set_checks(chip, KERR_CHECK_SYNC));
    MUST(chip, kerr_set_policy(chip, KERR_FAULT_DEADLOCK, KERR_POLICY_GO_ON));
    matmul_begin(chip, kernels, &product);
    for (uint32_t i = 0; i < tiles; i++)
        *taken += take_out(chip, matmul_tile(&product, i), m);
    MUST(chip, kerr_run(chip, MATMUL_CYCLES));
    return chip;
}

static bool has_kind(const kerr_chip *chip, const char *kind)
{
    uint32_t count;
    MUST(chip, kerr_finding_count(chip, &count));
    for (uint32_t n = 0; n < count; n++) {
        kerr_finding f;
        MUST(chip, kerr_finding_get(chip, n, &f));
        if (strcmp(kerr_finding_name(f.kind), kind) == 0)
            return true;
    }
    return false;
}

/* One mistake is one finding of a tile, however many instructions meet; but for those who wait for good in the end. */
static bool is_told_once(const kerr_chip *chip)
{
    uint8_t found[KERR_GRID_Y][KERR_GRID_X] = {{0}};
    uint32_t count;
    bool once = true;
    MUST(chip, kerr_finding_count(chip, &count));
    for (uint32_t n = 0; n < count; n++) {
        kerr_finding f;
        MUST(chip, kerr_finding_get(chip, n, &f));
        if (f.kind == KERR_FAULT_DEADLOCK)
            continue;
        once = once && found[f.tile.y][f.tile.x]++ == 0;
        if (!once)
            describe(&f);
    }
    return once;
}

/* What orders two accesses by chance in one run (data that come late make math wait) does not in another: a race that the plain run
 * hides shows under shaken timing. */
static void run_mutant(tap *t, const char *kernels, const struct mutant *m)
{
    enum { SEEDS = 8 };
    bool good = m->kind == NULL, once = true;
    unsigned taken = 0;
    for (uint64_t shake = 0; shake < (m->kind == NULL ? 1 : SEEDS) && good == (m->kind == NULL); shake++) {
        kerr_chip *chip = run_product(kernels, m, shake, &taken);
        good = m->kind == NULL ? finds(chip, "", false, true) : has_kind(chip, m->kind);
        once = once && is_told_once(chip);
        kerr_destroy(chip);
    }
    tap_ok(t, (taken != 0) == (m->kind != NULL), "matmul, %s: the instruction is there", m->what);
    tap_ok(t, once, "matmul, %s: not told twice", m->what);
    tap_ok(t, good, "matmul, %s: %s", m->what, m->kind != NULL ? m->kind : "no finding");
}

int main(int argc, char **argv)
{
    tap t = {0};
    for (size_t i = 0; argc > 1 && i < sizeof mutants / sizeof *mutants; i++)
        run_mutant(&t, argv[1], &mutants[i]);
    return tap_end(&t);
}
