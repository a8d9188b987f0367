/* SPDX-License-Identifier: Apache-2.0 */
/* Parking on = off, compared at a thousand random cycles of a mix in which most cores poll; and the registers that a
 * debugger sees in the middle of a parked lap. */
#include "../support/tap.h"
#include "../support/workload.h"

enum { COMPARISONS = 1000, TILES = 5 };

static kerr_chip *make(bool no_parking)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    config.no_parking = no_parking;
    kerr_chip *chip = chip_new(&config);
    workload_start(chip, 0, WORK_POLLING, 1);
    workload_start(chip, 1, WORK_POLLING, 2);
    workload_start(chip, 2, WORK_MAILBOX, 3);
    workload_start(chip, 3, WORK_ATOMICS, 4);
    workload_start_idle(chip, 4);
    return chip;
}

static bool registers_agree(const kerr_chip *a, const kerr_chip *b, uint64_t cycle)
{
    for (uint32_t i = 0; i < TILES; i++) {
        for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
            kerr_xy at = kerr_tensix_xy(i);
            kerr_core_info one, two;
            MUST(a, kerr_core_query(a, at, (kerr_core)c, &one));
            MUST(b, kerr_core_query(b, at, (kerr_core)c, &two));
            bool good = one.pc == two.pc && one.cycles == two.cycles && one.instructions == two.instructions;
            for (unsigned x = 0; x < 32 && good; x++) {
                good = chip_x(a, at, (kerr_core)c, x) == chip_x(b, at, (kerr_core)c, x);
            }
            if (!good) {
                printf("# cycle %" PRIu64 ", tile %u, %s: parked pc %#x cycles %" PRIu64 " instructions %" PRIu64
                       ", real pc %#x cycles %" PRIu64 " instructions %" PRIu64 "\n",
                       cycle, (unsigned)i, kerr_core_name((kerr_core)c), one.pc, one.cycles, one.instructions, two.pc,
                       two.cycles, two.instructions);
                return false;
            }
        }
    }
    return true;
}

int main(void)
{
    tap t = {0};
    kerr_chip *parked = make(false), *real = make(true);
    test_random random = {.state = 2024};
    uint64_t cycle = 0;
    unsigned same_hash = 0, same_registers = 0, seen_parked = 0;
    for (unsigned i = 0; i < COMPARISONS; i++) {
        uint64_t step = 1 + (test_below(&random, 4) ? test_below(&random, 40) : test_below(&random, 900));
        cycle += step;
        MUST(parked, kerr_run(parked, step));
        MUST(real, kerr_run(real, step));
        bool good = chip_hash(parked) == chip_hash(real);
        if (!good && same_hash == i) {
            printf("# state first differs at cycle %" PRIu64 "\n", cycle);
        }
        same_hash += good;
        same_registers += registers_agree(parked, real, cycle);
        for (uint32_t tile = 0; tile < TILES; tile++) {
            kerr_core_info info;
            MUST(parked, kerr_core_query(parked, kerr_tensix_xy(tile), KERR_CORE_B, &info));
            seen_parked += info.state == KERR_CORE_PARKED;
        }
    }
    tap_ok(&t, same_hash == COMPARISONS, "state hash, %u of %u random cycles agree", same_hash, COMPARISONS);
    tap_ok(&t, same_registers == COMPARISONS, "registers, %u of %u random cycles agree", same_registers, COMPARISONS);
    tap_ok(&t, seen_parked > COMPARISONS, "cores were parked when looked at (%u times)", seen_parked);

    /* A poke wakes pollers at the cycle at which the real loop sees the value. */
    bool woken = true;
    for (uint32_t i = 0; i < 50; i++) {
        uint64_t step = 1 + test_below(&random, 30);
        uint32_t value = i + 1;
        MUST(parked, kerr_poke(parked, kerr_tensix_xy(4), 0x4000, &value, 4));
        MUST(real, kerr_poke(real, kerr_tensix_xy(4), 0x4000, &value, 4));
        MUST(parked, kerr_run(parked, step));
        MUST(real, kerr_run(real, step));
        woken &= chip_hash(parked) == chip_hash(real) && registers_agree(parked, real, cycle);
        workload_start_idle(parked, 4);
        workload_start_idle(real, 4);
        value = 0;
        MUST(parked, kerr_poke(parked, kerr_tensix_xy(4), 0x4000, &value, 4));
        MUST(real, kerr_poke(real, kerr_tensix_xy(4), 0x4000, &value, 4));
        step = 3000 + test_below(&random, 100);
        MUST(parked, kerr_run(parked, step));
        MUST(real, kerr_run(real, step));
        woken &= chip_hash(parked) == chip_hash(real);
    }
    tap_ok(&t, woken, "a poke wakes parked cores as it would wake real ones");
    kerr_destroy(parked);
    kerr_destroy(real);
    return tap_end(&t);
}
