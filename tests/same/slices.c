/* SPDX-License-Identifier: Apache-2.0 */
/* run(a + b) = run(a), run(b): a run in one piece against runs cut at random, at common cycles. */
#include "../support/tap.h"
#include "../support/workload.h"

enum { TOTAL = 24000, STRIDE = 4000, SLICINGS = 4, TILES = 14 };

static void begin(kerr_chip *chip, int work)
{
    MUST(chip, kerr_reset(chip));
    if (work == WORK_KINDS) {
        workload_start_mix(chip, TILES, 3);
    } else {
        workload_start(chip, 11, (workload)work, 1);
    }
}

int main(void)
{
    tap t = {0};
    kerr_chip *chip = chip_new_one_thread();
    for (int work = 0; work <= WORK_KINDS; work++) {
        const char *name = work == WORK_KINDS ? "a mix of all" : workload_name((workload)work);
        uint64_t want[TOTAL / STRIDE];
        begin(chip, work);
        for (unsigned i = 0; i < TOTAL / STRIDE; i++) {
            MUST(chip, kerr_run(chip, STRIDE));
            want[i] = chip_hash(chip);
        }
        for (uint64_t slicing = 0; slicing < SLICINGS; slicing++) {
            test_random random = {.state = slicing * 1000 + (uint64_t)work};
            static const uint32_t longest[SLICINGS] = {1, 5, 60, 3000};
            begin(chip, work);
            bool good = true;
            for (unsigned i = 0; i < TOTAL / STRIDE; i++) {
                for (uint64_t left = STRIDE; left > 0;) {
                    uint64_t now = 1 + test_below(&random, longest[slicing]);
                    now = now < left ? now : left;
                    MUST(chip, kerr_run(chip, now));
                    left -= now;
                    if (test_below(&random, 16) == 0) {
                        MUST(chip, kerr_run(chip, 0));
                    }
                }
                if (good && chip_hash(chip) != want[i]) {
                    printf("# first differs at cycle %u\n", (i + 1) * STRIDE);
                    good = false;
                }
            }
            tap_ok(&t, good, "%s: slices of up to %u cycles", name, longest[slicing]);
        }
        /* Looking must not change anything either. */
        begin(chip, work);
        bool good = true;
        for (unsigned i = 0; i < TOTAL / STRIDE; i++) {
            for (unsigned k = 0; k < 8; k++) {
                MUST(chip, kerr_run(chip, STRIDE / 8));
                (void)chip_hash(chip);
                for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
                    kerr_core_info info;
                    MUST(chip, kerr_core_query(chip, kerr_tensix_xy(i), (kerr_core)c, &info));
                    (void)chip_x(chip, kerr_tensix_xy(11), (kerr_core)c, T0);
                }
                (void)chip_word(chip, kerr_tensix_xy(11), 0x4000);
            }
            good &= chip_hash(chip) == want[i];
        }
        tap_ok(&t, good, "%s: queries, peeks and hashes in between", name);
    }
    kerr_destroy(chip);
    return tap_end(&t);
}
