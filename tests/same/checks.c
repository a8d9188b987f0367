/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs with all checks on: state and cycles are those of a chip without checks, and programs that are correct by
 * construction give no finding.  A chip has several of them at a time, each in a tile of its own; if something is wrong, each is run
 * once more alone.  Streams of the three Tensix threads (tests/support/tensix_stream.h) hand things on as the
 * manual wants it; RISC-V programs of all five cores have a buffer each, which is filled before.
 *
 *   checks [SEEDS [FIRST_SEED]] */
#include "../support/random_program.h"
#include "../support/tap.h"
#include "../support/tensix_stream.h"

#include "kerr_findings.h"

#include <string.h>

enum {
    STREAM_CYCLES = 60000,
    STREAM_RUNS = 8,
    BATCH = 16,
    CORE_CYCLES = 3000,
    BUFFER = 0x60000,
    CODE = 0x8000,
    CODE_BYTES = 0x8000
};

static void start_stream(kerr_chip *chip, kerr_xy at, const stream *s)
{
    static const uint8_t zeros[0x100];
    MUST(chip, kerr_poke(chip, at, STREAM_FLAGS, zeros, sizeof zeros));
    MUST(chip, kerr_poke(chip, at, STREAM_L1, stream_before(s), STREAM_L1_BYTES));
    for (unsigned core = 0; core < 4; core++) {
        const rvasm *code = stream_code(s, core);
        if (code != NULL)
            chip_start(chip, at, (kerr_core)(KERR_CORE_B + core), code);
    }
}

static void start_cores(kerr_chip *chip, kerr_xy at, uint64_t seed)
{
    uint8_t bytes[RANDOM_BUFFER_BYTES];
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        rvasm *a = rva_new(CODE + CODE_BYTES * core);
        random_program g = {.random = {.state = seed * KERR_CORE_COUNT + core}, .a = a};
        const uint32_t buffer = BUFFER + 2 * RANDOM_BUFFER_BYTES * core;
        for (unsigned i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)test_below(&g.random, 256);
        MUST(chip, kerr_poke(chip, at, buffer, bytes, sizeof bytes));
        random_registers(&g, buffer);
        random_body(&g, 40);
        rva(a, rv_j(0));
        chip_start(chip, at, (kerr_core)core, a);
        free(a);
    }
}

static bool has_ended(const kerr_chip *chip, kerr_xy at)
{
    return chip_word(chip, at, STREAM_DONE) == STREAM_MARK;
}

static unsigned findings(const kerr_chip *chip, bool tells)
{
    uint32_t count = 0;
    MUST(chip, kerr_finding_count(chip, &count));
    for (uint32_t i = 0; tells && i < count && i < 5; i++) {
        kerr_finding f;
        MUST(chip, kerr_finding_get(chip, i, &f));
        printf("#   %s: core %d thread %u pc 0x%x 0x%08x cycle %" PRIu64 ": %s\n", kerr_finding_name(f.kind),
               f.access.core, f.access.thread, f.access.pc, f.access.instruction, f.access.cycle, f.text);
    }
    return count;
}

/* Streams post and take semaphores at random, which is the one thing about them that is not correct. */
static void ignore_semaphores(kerr_chip *chip)
{
    static const char *const names[] = {"sem-overflow", "sem-underflow", "race-semaphore"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        kerr_finding_kind kind;
        if (kerr_finding_by_name(names[i], &kind))
            MUST(chip, kerr_set_finding_policy(chip, kind, KERR_POLICY_IGNORE));
    }
}

static stream *stream_of(uint64_t seed)
{
    static const uint8_t riscvb[] = {0, 0, 7, 2};
    test_random random = {.state = seed};
    const stream_options options = {
        .seed = seed, .items = 20 + test_below(&random, 100), .riscvb = riscvb[test_below(&random, sizeof riscvb)]};
    return seed % 2 == 0 ? stream_new(&options) : NULL;
}

/* Programs of `count` seeds, in as many tiles; the hash of the chip when those that are streams have ended, or 0. */
static uint64_t run(kerr_chip *chip, uint32_t checks, stream *const s[], uint64_t first, unsigned count)
{
    bool is_done = false;
    MUST(chip, kerr_reset(chip));
    MUST(chip, kerr_set_checks(chip, checks));
    for (unsigned i = 0; i < count; i++) {
        if (s[i] != NULL)
            start_stream(chip, kerr_tensix_xy(i), s[i]);
        else
            start_cores(chip, kerr_tensix_xy(i), first + i);
    }
    MUST(chip, kerr_run(chip, CORE_CYCLES));
    for (unsigned n = 0; n < STREAM_RUNS && !is_done; n++) { /* a few are long */
        is_done = true;
        for (unsigned i = 0; i < count && is_done; i++)
            is_done = s[i] == NULL || has_ended(chip, kerr_tensix_xy(i));
        if (!is_done)
            MUST(chip, kerr_run(chip, STREAM_CYCLES));
    }
    return is_done ? chip_hash(chip) : 0;
}

static bool is_good(kerr_chip *plain, kerr_chip *checked, uint64_t first, unsigned count, bool tells)
{
    stream *s[BATCH] = {NULL};
    for (unsigned i = 0; i < count; i++)
        s[i] = stream_of(first + i);
    const uint64_t want = run(plain, 0, s, first, count), hash = run(checked, KERR_CHECK_ALL, s, first, count);
    for (unsigned i = 0; i < count; i++)
        stream_free(s[i]);
    const bool good = want == hash && hash != 0 && findings(checked, tells) == 0;
    if (tells && !good)
        printf("#   %s\n", hash == 0 ? "does not end" : want == hash ? "the same state" : "another state");
    return good;
}

int main(int argc, char **argv)
{
    tap t = {0};
    const uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 20,
                   first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    kerr_chip *plain = chip_new_one_thread(), *checked = chip_new_one_thread();
    ignore_semaphores(checked);
    for (uint64_t seed = first; seed < first + seeds; seed += BATCH) {
        const unsigned count = (unsigned)(first + seeds - seed < BATCH ? first + seeds - seed : BATCH);
        const bool all = is_good(plain, checked, seed, count, false);
        bool none = true;
        for (unsigned i = 0; i < count; i++) {
            const bool good = all || is_good(plain, checked, seed + i, 1, true);
            none = none && good;
            tap_ok(&t, good, "seed %" PRIu64 ": the same state, no finding", seed + i);
        }
        if (!all && none)
            tap_ok(&t, false, "seeds from %" PRIu64 " on: each is right alone, and not with the others", seed);
    }
    kerr_destroy(plain);
    kerr_destroy(checked);
    return tap_end(&t);
}
