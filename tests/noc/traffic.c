/* SPDX-License-Identifier: Apache-2.0 */
/* Random traffic against the plain model (tests/support/traffic.h): memory, registers and every counter of every NIU.
 *
 *   traffic [SEEDS [FIRST_SEED]] */
#include "../support/traffic.h"
#include "../support/tap.h"

int main(int argc, char **argv)
{
    tap t = {0};
    uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 10, first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    unsigned total[64] = {0}, number;
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    kerr_chip *chip = chip_new(&config);
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        test_random random = {.state = seed};
        traffic_options options = {.seed = seed,
                                   .tiles = 2 + test_below(&random, 12),
                                   .phases = 1 + test_below(&random, 4),
                                   .requests = 5 + test_below(&random, 30)};
        traffic *plan = traffic_new(&options);
        MUST(chip, kerr_reset(chip));
        traffic_start(plan, chip);
        bool ended = traffic_run(plan, chip, 2000000);
        unsigned wrong = ended ? traffic_compare(plan, chip) : 0;
        tap_ok(&t, ended && wrong == 0, "seed %" PRIu64 ": %u cores, %u phases%s", seed, traffic_agents(plan),
               options.phases, ended ? "" : ": does not end");
        for (unsigned k = 0; traffic_kind(plan, k, &number); k++) {
            total[k] += number;
        }
        traffic_free(plan);
    }
    traffic *none = traffic_new(&(traffic_options){.phases = 0});
    for (unsigned k = 0; traffic_kind(none, k, &number); k++) {
        printf("# %u times %s\n", total[k], traffic_kind(none, k, &number));
        if (seeds >= 10) {
            tap_ok(&t, total[k] != 0, "%s", traffic_kind(none, k, &number));
        }
    }
    traffic_free(none);
    kerr_destroy(chip);
    return tap_end(&t);
}
