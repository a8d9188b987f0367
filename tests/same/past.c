/* SPDX-License-Identifier: Apache-2.0 */
/* Time in both directions (tools/past.h): wherever one goes, the state is that of a straight run, however snapshots lie; and a step back
 * goes to the instruction before. */
#include "../../tools/past.h"
#include "../support/tap.h"
#include "../support/workload.h"

enum { TILES = 2, CYCLES = 40000, PLACES = 20, JUMPS = 10, STEPS = 3 };

static kerr_chip *make(void)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    kerr_chip *chip = chip_new(&config);
    workload_start_mix(chip, TILES, 3);
    return chip;
}

static void test_jumps(tap *t, uint64_t spacing, const uint64_t *cycle, const uint64_t *hash)
{
    test_random random = {.state = spacing + 5};
    kerr_chip *chip = make();
    past p;
    unsigned wrong = 0;
    size_t most = 0;
    if (!past_begin(&p, chip, spacing)) {
        abort();
    }
    for (unsigned i = 0; i < JUMPS; i++) {
        const uint32_t to = i == 0 ? PLACES - 1 : test_below(&random, PLACES);
        wrong += past_go(&p, cycle[to]) != PAST_DONE || chip_hash(chip) != hash[to];
        most = p.count > most ? p.count : most;
    }
    tap_ok(t, wrong == 0 && most < PAST_MOST,
           "%d jumps, snapshots every %u cycles (0: by the clock): the states of a straight run", JUMPS,
           (unsigned)spacing);
    tap_ok(t, past_go(&p, 0) == PAST_DONE && past_now(&p) == 0, "and back to where it began");
    past_end(&p);
    tap_ok(t, p.pages.in_use == 0, "no page is left");
    kerr_destroy(chip);
}

/* Steps back and forth over the same instructions of one core, far from the start. */
static void test_steps(tap *t, uint64_t spacing)
{
    const kerr_stop stop = {.at = kerr_tensix_xy(0), .core = KERR_CORE_T0, .kind = KERR_STOP_STEP};
    kerr_chip *chip = make();
    past p;
    kerr_stop_hit hit;
    uint64_t at[STEPS];
    bool good = past_begin(&p, chip, spacing) && past_go(&p, CYCLES) == PAST_DONE;
    for (unsigned i = 0; i < STEPS; i++) {
        const uint64_t before = past_now(&p);
        good = good && past_run_back(&p, &stop, 1, &hit) == PAST_DONE && hit.index == 0 && past_now(&p) < before;
        at[i] = past_now(&p);
    }
    for (unsigned i = STEPS - 1; i-- > 0;) {
        good = good && past_run(&p, &stop, 1, CYCLES, &hit) == PAST_DONE && past_now(&p) == at[i];
    }
    tap_ok(t, good, "steps back and forward meet the same instructions (every %u cycles)", (unsigned)spacing);
    past_end(&p);
    kerr_destroy(chip);
}

int main(void)
{
    tap t = {0};
    test_random random = {.state = 1};
    uint64_t cycle[PLACES], hash[PLACES];
    kerr_chip *straight = make();
    for (unsigned i = 0; i < PLACES; i++) {
        MUST(straight, kerr_run(straight, 1 + test_below(&random, 2 * CYCLES / PLACES)));
        cycle[i] = chip_cycle(straight);
        hash[i] = chip_hash(straight);
    }
    kerr_destroy(straight);
    test_jumps(&t, 0, cycle, hash);
    test_jumps(&t, 500, cycle, hash);
    test_steps(&t, 0);
    test_steps(&t, 3000);
    return tap_end(&t);
}
