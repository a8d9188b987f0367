/* SPDX-License-Identifier: Apache-2.0 */
/* What most tests do with a chip: load words, start a core, run, look.  A call that must not fail and does ends the
 * test with the call, the status and every fault of the chip. */
#ifndef KERR_TESTS_CHIP_H
#define KERR_TESTS_CHIP_H

#include "kerr.h"
#include "kerr_findings.h"
#include "rvasm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static inline void chip_print_faults(const kerr_chip *chip)
{
    uint32_t count = 0;
    if (!chip || kerr_fault_count(chip, &count) != KERR_OK) {
        return;
    }
    for (uint32_t i = 0; i < count && i < 8; i++) {
        kerr_fault fault;
        char line[512];
        if (kerr_fault_get(chip, i, &fault) == KERR_OK) {
            (void)kerr_fault_format(&fault, line, sizeof line);
            fprintf(stderr, "# fault %" PRIu32 ": %s\n", i, line);
        }
    }
}
static inline void chip_must(const kerr_chip *chip, kerr_status status, const char *call, const char *file, int line)
{
    if (status != KERR_OK) {
        fprintf(stderr, "# %s:%d: %s: %s\n", file, line, call, kerr_status_text(status));
        chip_print_faults(chip);
        printf("Bail out! %s: %s\n", call, kerr_status_text(status));
        exit(1);
    }
}
#define MUST(chip, call) chip_must(chip, call, #call, __FILE__, __LINE__)

static inline kerr_chip *chip_new(const kerr_config *config)
{
    kerr_chip *chip = NULL;
    kerr_config shaken;
    const char *seed = getenv("KERR_TEST_SHAKE"); /* every test that compares runs does so with shaken timing too */
    if (seed != NULL && config != NULL) {
        shaken = *config;
        shaken.shake = strtoull(seed, NULL, 0);
        config = &shaken;
    }
    MUST(NULL, kerr_create(config, &chip));
    return chip;
}
static inline kerr_chip *chip_new_one_thread(void)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    return chip_new(&config);
}
static inline uint32_t chip_word(const kerr_chip *chip, kerr_xy at, uint32_t address)
{
    uint32_t value = 0;
    MUST(chip, kerr_peek(chip, at, address, &value, 4));
    return value;
}
static inline void chip_set_word(kerr_chip *chip, kerr_xy at, uint32_t address, uint32_t value)
{
    MUST(chip, kerr_poke(chip, at, address, &value, 4));
}
static inline uint32_t chip_x(const kerr_chip *chip, kerr_xy at, kerr_core core, unsigned reg)
{
    uint32_t value = 0;
    MUST(chip, kerr_reg_get(chip, at, core, KERR_REG_X + reg, &value));
    return value;
}
static inline uint64_t chip_hash(const kerr_chip *chip)
{
    uint64_t hash = 0;
    MUST(chip, kerr_hash(chip, &hash));
    return hash;
}
static inline uint64_t chip_cycle(const kerr_chip *chip)
{
    uint64_t cycle = 0;
    MUST(chip, kerr_cycle(chip, &cycle));
    return cycle;
}
/* Puts a program into L1 and lets the core go at its first word. */
static inline void chip_start(kerr_chip *chip, kerr_xy at, kerr_core core, const rvasm *program)
{
    MUST(chip, kerr_poke(chip, at, program->base, program->word, program->count * 4));
    MUST(chip, kerr_core_start(chip, at, core, program->base));
}
/* Runs until a word of L1 equals value; ends the test if that takes more than max_cycles. */
static inline void chip_run_until_word(kerr_chip *chip, kerr_xy at, uint32_t address, uint32_t value,
                                       uint64_t max_cycles)
{
    kerr_until until = {.kind = KERR_UNTIL_WORD_EQ, .at = at, .address = address, .mask = UINT32_MAX, .value = value};
    bool reached = false;
    MUST(chip, kerr_run_until(chip, &until, max_cycles, &reached));
    if (!reached) {
        fprintf(stderr,
                "# tile (%u,%u): word %#" PRIx32 " is %#" PRIx32 ", not %#" PRIx32 ", after %" PRIu64 " cycles\n", at.x,
                at.y, address, chip_word(chip, at, address), value, max_cycles);
        for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
            kerr_core_info info;
            if (kerr_core_query(chip, at, (kerr_core)c, &info) == KERR_OK) {
                fprintf(stderr, "#   %s: state %d pc %#" PRIx32 "\n", kerr_core_name((kerr_core)c), (int)info.state,
                        info.pc);
            }
        }
        printf("Bail out! a program does not end\n");
        exit(1);
    }
}

/* A small generator for test inputs; the same numbers on every machine. */
typedef struct test_random {
    uint64_t state;
} test_random;
static inline uint64_t test_random64(test_random *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static inline uint32_t test_below(test_random *r, uint32_t n)
{
    return (uint32_t)(test_random64(r) >> 33) % n;
}

/* Those of `mask` that are fast mechanisms (kerr_config.without). */
static inline uint32_t test_mechanisms(uint32_t mask)
{
    uint32_t known = 0;
    kerr_fast fast;
    for (uint32_t i = 0; kerr_fast_at(i, &fast); i++)
        known |= mask & fast.bit;
    return known;
}

#endif
