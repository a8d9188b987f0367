/* SPDX-License-Identifier: Apache-2.0 */
/* A little racy traffic on 1, 2 and 8 threads, small enough for the thread sanitizer. */
#include "../support/tap.h"
#include "../support/traffic.h"

enum { CYCLES = 2500, SEEDS = 2 };

static uint64_t hash_after(const traffic *plan, uint32_t threads)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = threads;
    kerr_chip *chip = chip_new(&config);
    traffic_start(plan, chip);
    MUST(chip, kerr_run(chip, CYCLES));
    uint64_t hash = chip_hash(chip);
    kerr_destroy(chip);
    return hash;
}

int main(void)
{
    tap t = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        traffic_options options = {.seed = seed, .tiles = 10, .phases = 2, .requests = 12, .racy = true};
        traffic *plan = traffic_new(&options);
        uint64_t want = hash_after(plan, 1);
        for (uint32_t threads = 2; threads <= 8; threads *= 4) {
            tap_ok(&t, hash_after(plan, threads) == want, "seed %u: %u threads change nothing", (unsigned)seed,
                   (unsigned)threads);
        }
        traffic_free(plan);
    }
    return tap_end(&t);
}
