/* SPDX-License-Identifier: Apache-2.0 */
/* One thread = two = eight, by state hash at several cycles, for each workload and for a mix on many tiles. */
#include "../support/tap.h"
#include "../support/workload.h"

enum { CHECKPOINTS = 6, TILES = 42 };
/* Odd on purpose: ends of runs must not matter. */
static const uint64_t checkpoint[CHECKPOINTS] = {1, 1000, 2049, 5003, 12345, 30011};

static void hashes(uint32_t threads, int work, uint64_t hash[CHECKPOINTS])
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = threads;
    kerr_chip *chip = chip_new(&config);
    if (work == WORK_KINDS) {
        workload_start_mix(chip, TILES, 7);
    } else {
        for (uint32_t i = 0; i < 8; i++) {
            workload_start(chip, i * 17, (workload)work, i);
        }
    }
    for (unsigned i = 0; i < CHECKPOINTS; i++) {
        MUST(chip, kerr_run(chip, checkpoint[i] - (i ? checkpoint[i - 1] : 0)));
        hash[i] = chip_hash(chip);
    }
    kerr_destroy(chip);
}

int main(void)
{
    tap t = {0};
    for (int work = 0; work <= WORK_KINDS; work++) {
        uint64_t want[CHECKPOINTS], got[CHECKPOINTS];
        const char *name = work == WORK_KINDS ? "a mix of all" : workload_name((workload)work);
        hashes(1, work, want);
        for (uint32_t threads = 2; threads <= 8; threads *= 4) {
            hashes(threads, work, got);
            for (unsigned i = 0; i < CHECKPOINTS; i++) {
                tap_ok(&t, got[i] == want[i], "%s: %u threads = 1 at cycle %u", name, threads, (unsigned)checkpoint[i]);
            }
        }
    }
    return tap_end(&t);
}
