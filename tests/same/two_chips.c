/* SPDX-License-Identifier: Apache-2.0 */
/* Several chips in one process do not notice each other: calls interleaved, and calls from two host threads. */
#include "../support/tap.h"
#include "../support/workload.h"

#include <pthread.h>

enum { TILES = 14, STEPS = 20, STEP = 700 };

static kerr_chip *make(uint64_t seed)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 2;
    config.seed = seed;
    kerr_chip *chip = chip_new(&config);
    workload_start_mix(chip, TILES, seed);
    return chip;
}

static void alone(uint64_t seed, uint64_t hash[STEPS])
{
    kerr_chip *chip = make(seed);
    for (unsigned i = 0; i < STEPS; i++) {
        MUST(chip, kerr_run(chip, STEP));
        hash[i] = chip_hash(chip);
    }
    kerr_destroy(chip);
}

typedef struct job {
    uint64_t seed, hash[STEPS];
} job;
static void *run_job(void *context)
{
    job *j = context;
    alone(j->seed, j->hash);
    return NULL;
}

int main(void)
{
    tap t = {0};
    uint64_t want[2][STEPS];
    alone(1, want[0]);
    alone(2, want[1]);
    tap_ok(&t, memcmp(want[0], want[1], sizeof want[0]) != 0, "the hash tells two chips apart");

    kerr_chip *chip[2] = {make(1), make(2)};
    bool good[2] = {true, true};
    for (unsigned i = 0; i < STEPS; i++) {
        for (unsigned k = 0; k < 2; k++) {
            MUST(chip[k], kerr_run(chip[k], STEP));
            good[k] &= chip_hash(chip[k]) == want[k][i];
        }
    }
    tap_ok(&t, good[0] && good[1], "two chips with interleaved calls run as each alone");
    MUST(chip[0], kerr_reset(chip[0]));
    MUST(chip[1], kerr_run(chip[1], 1));
    kerr_destroy(chip[0]);
    MUST(chip[1], kerr_run(chip[1], STEP));
    kerr_destroy(chip[1]);

    job jobs[2] = {{.seed = 1}, {.seed = 2}};
    pthread_t thread[2];
    for (unsigned k = 0; k < 2; k++) {
        if (pthread_create(&thread[k], NULL, run_job, &jobs[k]) != 0) {
            return 1;
        }
    }
    for (unsigned k = 0; k < 2; k++) {
        pthread_join(thread[k], NULL);
        tap_ok(&t, memcmp(jobs[k].hash, want[k], sizeof want[k]) == 0, "chip %u on a host thread of its own", k);
    }

    kerr_chip *again = make(1);
    MUST(again, kerr_run(again, STEP));
    MUST(again, kerr_reset(again));
    workload_start_mix(again, TILES, 1);
    MUST(again, kerr_run(again, STEP));
    tap_ok(&t, chip_hash(again) == want[0][0], "a reset chip runs as a new one");
    kerr_destroy(again);
    return tap_end(&t);
}
