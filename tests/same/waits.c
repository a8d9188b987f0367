/* SPDX-License-Identifier: Apache-2.0 */
/* Cores that count or wait for the clock are parked until a cycle that is computed: the state must be that of cores that
 * are not, at any cycle, also where the low half of the clock wraps. */
#include "../support/tap.h"
#include "../support/workload.h"

enum { COMPARISONS = 300, TILES = 6, DONE = 0x2000 };

static kerr_chip *make(bool no_parking, uint64_t first_cycle, uint64_t seed)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    config.no_parking = no_parking;
    kerr_chip *chip = chip_new(&config);
    MUST(chip, kerr_run(chip, first_cycle)); /* nothing to do: time jumps */
    for (uint32_t i = 0; i < TILES; i++) {
        workload_start(chip, i, WORK_WAITS, seed + i);
    }
    return chip;
}

static void compare(tap *t, uint64_t first_cycle, uint64_t seed)
{
    kerr_chip *parked = make(false, first_cycle, seed), *real = make(true, first_cycle, seed);
    test_random random = {.state = seed};
    unsigned same = 0, seen_parked = 0;
    for (unsigned i = 0; i < COMPARISONS; i++) {
        uint64_t step = 1 + (test_below(&random, 4) ? test_below(&random, 60) : test_below(&random, 1500));
        MUST(parked, kerr_run(parked, step));
        MUST(real, kerr_run(real, step));
        bool good = chip_hash(parked) == chip_hash(real);
        if (!good && same == i) {
            printf("# state first differs at cycle %" PRIu64 "\n", chip_cycle(real));
        }
        same += good;
        for (uint32_t core = 0; core < TILES * KERR_CORE_COUNT; core++) {
            kerr_core_info info;
            kerr_xy at = kerr_tensix_xy(core / KERR_CORE_COUNT);
            MUST(parked, kerr_core_query(parked, at, (kerr_core)(core % KERR_CORE_COUNT), &info));
            seen_parked += info.state == KERR_CORE_PARKED;
        }
    }
    tap_ok(t, same == COMPARISONS, "from cycle %#" PRIx64 " on, %u of %u random cycles agree", first_cycle, same,
           COMPARISONS);
    tap_ok(t, seen_parked > COMPARISONS, "cores were parked when looked at (%u times)", seen_parked);
    kerr_destroy(parked);
    kerr_destroy(real);
}

/* A wait of a million cycles is not idleness, and ends when it should. */
static void long_wait(tap *t)
{
    enum { MILLION = 1000000 };
    kerr_chip *chip = chip_new_one_thread();
    kerr_xy at = kerr_tensix_xy(0);
    rvasm *a = rva_new(0x10000);
    rva_li(a, S8, 0xffb121f0);
    rva_li(a, S9, MILLION);
    rva_li(a, S11, DONE);
    rva(a, rv_lw(S10, 0, S8));
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T3, 0, S8));
    rva(a, rv_sub(T4, T3, S10));
    rva(a, rv_bltu(T4, S9, rva_to(a, loop)));
    rva(a, rv_sw(T4, 0, S11));
    rva_end(a);
    chip_start(chip, at, KERR_CORE_B, a);
    free(a);
    kerr_core_info info;
    MUST(chip, kerr_run(chip, 10000));
    MUST(chip, kerr_core_query(chip, at, KERR_CORE_B, &info));
    tap_ok(t, info.state == KERR_CORE_PARKED, "a core that waits for the clock is parked");
    kerr_until idle = {.kind = KERR_UNTIL_IDLE};
    bool reached = false;
    MUST(chip, kerr_run_until(chip, &idle, MILLION / 2, &reached));
    tap_ok(t, !reached, "a chip with such a core is not idle");
    MUST(chip, kerr_run_until(chip, &idle, 2 * MILLION, &reached));
    uint32_t waited = chip_word(chip, at, DONE);
    tap_ok(t, reached && waited >= MILLION && waited < MILLION + 32, "until it is done (%u cycles)", waited);
    kerr_destroy(chip);
}

/* Two programs, on B and T0, from a cycle on; what B leaves at DONE, the same with and without parking. */
static uint32_t both_ways(tap *t, const rvasm *b, const rvasm *t0, uint64_t first_cycle, uint64_t cycles,
                          const char *what)
{
    uint64_t hash[2];
    uint32_t word[2];
    for (unsigned no_parking = 0; no_parking < 2; no_parking++) {
        kerr_config config;
        kerr_config_init(&config);
        config.threads = 1;
        config.no_parking = no_parking;
        kerr_chip *chip = chip_new(&config);
        MUST(chip, kerr_run(chip, first_cycle));
        chip_start(chip, kerr_tensix_xy(0), KERR_CORE_B, b);
        if (t0 != NULL) {
            chip_start(chip, kerr_tensix_xy(0), KERR_CORE_T0, t0);
        }
        MUST(chip, kerr_run(chip, cycles));
        hash[no_parking] = chip_hash(chip);
        word[no_parking] = chip_word(chip, kerr_tensix_xy(0), DONE);
        kerr_destroy(chip);
    }
    tap_ok(t, hash[0] == hash[1] && word[0] == word[1], "%s: parked or not (%#x, %#x)", what, word[0], word[1]);
    return word[0];
}

static rvasm *begin(uint32_t base)
{
    rvasm *a = rva_new(base);
    rva_li(a, S8, 0xffb121f0);
    rva_li(a, S11, DONE);
    return a;
}

/* A comparison with a sign turns where the clock passes 2^31. */
static void signed_wait(tap *t)
{
    rvasm *a = begin(0x10000);
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T3, 0, S8));
    rva(a, rv_bge(T3, X0, rva_to(a, loop)));
    rva(a, rv_sw(T3, 0, S11));
    rva_end(a);
    uint32_t left = both_ways(t, a, NULL, 0x7FFF0000, 0x18000, "until the clock is negative");
    tap_ok(t, left >= 0x80000000u && left < 0x80000020u, "it ends when the clock is (%#x)", left);
    free(a);
}

/* Another core samples the high half that this one polls. */
static void sampled_by_another(tap *t)
{
    rvasm *a = begin(0x10000), *other = begin(0x20000);
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T3, 8, S8));
    rva(a, rv_beq(T3, X0, rva_to(a, loop)));
    rva(a, rv_sw(T3, 0, S11));
    rva_end(a);
    rva_li(other, T0, 10000);
    loop = rva_here(other);
    rva(other, rv_addi(T0, T0, -1));
    rva(other, rv_bne(T0, X0, rva_to(other, loop)));
    rva(other, rv_lw(T3, 0, S8));
    rva_end(other);
    uint32_t seen = both_ways(t, a, other, UINT64_C(0x100000000) - 3000, 60000, "polls another's sample");
    tap_ok(t, seen == 1, "the sample is seen");
    free(a);
    free(other);
}

int main(void)
{
    tap t = {0};
    compare(&t, 0, 1);
    compare(&t, UINT64_C(0x100000000) - 50000, 100);
    compare(&t, UINT64_C(0x700000000) - 20000, 200);
    compare(&t, UINT64_C(0x7FFF8000), 300); /* where signed comparisons turn */
    long_wait(&t);
    signed_wait(&t);
    sampled_by_another(&t);
    return tap_end(&t);
}
