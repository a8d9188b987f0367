/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants with coprocessors at work: random instruction streams on the three threads of some tiles
 * (tests/support/tensix_stream.h), looked at in the middle of everything.  Threads, window length, slices, parking, block
 * length, and saving and restoring must not matter, and in the end each stream must have the model's result.
 *
 *   streams [SEEDS [FIRST_SEED]] */
#include "../support/chip.h"
#include "../support/saved.h"
#include "../support/tap.h"
#include "../support/tensix_stream.h"

#include <string.h>

enum { CHECKPOINTS = 8, MOST_TILES = 5, END = 4000000 };
static const uint64_t checkpoint[CHECKPOINTS] = {97, 301, 640, 1113, 2050, 3407, 5003, 9001};

typedef struct variant {
    const char *name;
    uint32_t threads, window_cycles, max_block, slice;
    bool no_parking, saved;
    uint32_t trace; /* kerr_trace_kind */
} variant;

enum { TRACE_ALL = KERR_TRACE_INSTRUCTION | KERR_TRACE_STATE | KERR_TRACE_TENSIX };

static const variant variants[] = {
    {"2 threads", 2, 0, 0, 0, false, false, 0},
    {"windows of 1 cycle", 1, 1, 0, 0, false, false, 0},
    {"windows of 7 cycles", 2, 7, 0, 0, false, false, 0},
    {"windows of 43 cycles", 1, 43, 0, 0, false, false, 0},
    {"slices", 1, 0, 0, 60, false, false, 0},
    {"slices of 1 to 3 cycles", 1, 0, 0, 3, false, false, 0},
    {"no parking", 1, 0, 0, 0, true, false, 0},
    {"blocks of 1 instruction", 1, 0, 1, 0, false, false, 0},
    {"blocks of 1, no parking, windows of 1 cycle", 1, 1, 1, 0, true, false, 0},
    {"saving and restoring", 2, 0, 0, 0, false, true, 0},
    {"a trace", 2, 0, 0, 0, false, false, TRACE_ALL},
    {"a trace that lets cores park", 1, 0, 0, 60, false, false, TRACE_ALL | KERR_TRACE_PARKING},
    {"a trace of the coprocessor alone, restored", 1, 0, 0, 0, false, true, KERR_TRACE_TENSIX | KERR_TRACE_PARKING},
};

static void on_trace(void *context, const kerr_trace_event *event)
{
    (void)context, (void)event;
}

static kerr_chip *make(const variant *v)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = v ? v->threads : 1;
    config.window_cycles = v ? v->window_cycles : 0;
    config.max_block = v ? v->max_block : 0;
    config.no_parking = v && v->no_parking;
    kerr_chip *chip = chip_new(&config);
    if (v && v->trace != 0) {
        MUST(chip, kerr_set_trace_kinds(chip, v->trace, on_trace, NULL));
    }
    return chip;
}

static kerr_xy tile_of(unsigned i)
{
    return kerr_tensix_xy(i * 37 % 140);
}

static void start(kerr_chip *chip, stream *const *streams, unsigned count)
{
    static const uint8_t zeros[0x100];
    for (unsigned i = 0; i < count; i++) {
        kerr_xy at = tile_of(i);
        MUST(chip, kerr_poke(chip, at, STREAM_FLAGS, zeros, sizeof zeros));
        MUST(chip, kerr_poke(chip, at, STREAM_L1, stream_before(streams[i]), STREAM_L1_BYTES));
        for (unsigned core = 0; core < 4; core++) {
            const rvasm *code = stream_code(streams[i], core);
            if (code) {
                MUST(chip, kerr_poke(chip, at, code->base, code->word, (uint32_t)code->count * 4));
                MUST(chip, kerr_core_start(chip, at, (kerr_core)(KERR_CORE_B + core), code->base));
            }
        }
    }
}

static bool run(kerr_chip *chip, const variant *v, uint64_t cycles)
{
    test_random random = {.state = cycles};
    while (cycles > 0) {
        uint64_t now = v && v->slice ? 1 + test_below(&random, v->slice) : cycles;
        now = now < cycles ? now : cycles;
        if (kerr_run(chip, now) != KERR_OK) {
            chip_print_faults(chip);
            return false;
        }
        cycles -= now;
    }
    return true;
}

/* ---- Save and restore ---------------------------------------------------------------------- */

static kerr_chip *restored(kerr_chip *chip, const variant *v)
{
    saved_bytes b = {0};
    kerr_chip *other = make(v);
    MUST(chip, kerr_save(chip, saved_put, &b));
    MUST(other, kerr_restore(other, saved_get, &b));
    free(b.data);
    kerr_destroy(chip);
    return other;
}

/* ---- Comparing ----------------------------------------------------------------------------- */

/* Whether all streams have ended with the model's result; says what has not. */
static bool is_right(kerr_chip *chip, stream *const *streams, unsigned count)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        kerr_xy at = tile_of(i);
        if (chip_word(chip, at, STREAM_DONE) != STREAM_MARK) {
            printf("#   %u-%u does not end\n", at.x, at.y);
            wrong++;
            continue;
        }
        for (unsigned n = 0; n < stream_sections(streams[i]); n++) {
            const stream_section *section = stream_section_at(streams[i], n);
            for (unsigned k = 0; k < section->words; k++) {
                uint32_t is = chip_word(chip, at, section->address + 4 * k) & section->mask;
                if (is != (section->expected[k] & section->mask) && wrong++ < 5) {
                    char name[64];
                    stream_word_name(streams[i], n, k, name, sizeof name);
                    printf("#   %u-%u: %s is %#x, not %#x\n", at.x, at.y, name, is, section->expected[k]);
                }
            }
        }
    }
    return wrong == 0;
}

static bool hashes(stream *const *streams, unsigned count, const variant *v, uint64_t hash[CHECKPOINTS])
{
    kerr_chip *chip = make(v);
    bool right = true;
    start(chip, streams, count);
    for (unsigned i = 0; i < CHECKPOINTS; i++) {
        right = right && run(chip, v, checkpoint[i] - (i ? checkpoint[i - 1] : 0));
        if (v && v->saved && right) {
            chip = restored(chip, v);
        }
        hash[i] = chip_hash(chip);
    }
    right = right && run(chip, NULL, END) && is_right(chip, streams, count);
    kerr_destroy(chip);
    return right;
}

/* The first cycle at which it shows; at `known` it does. */
static void explain(stream *const *streams, unsigned count, const variant *v, uint64_t known)
{
    uint64_t equal = 0, different = known;
    kerr_chip *a = make(NULL), *b = make(v);
    while (different - equal > 1) {
        uint64_t middle = (equal + different) / 2;
        MUST(a, kerr_reset(a));
        MUST(b, kerr_reset(b));
        start(a, streams, count);
        start(b, streams, count);
        bool same = run(a, NULL, middle) == run(b, v, middle) && chip_hash(a) == chip_hash(b);
        *(same ? &equal : &different) = middle;
    }
    printf("#   from cycle %" PRIu64 " on\n", different);
    kerr_destroy(a);
    kerr_destroy(b);
}

int main(int argc, char **argv)
{
    tap t = {0};
    uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 3, first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        static const uint8_t riscvb[] = {0, 0, 7, 2};
        test_random random = {.state = seed};
        unsigned count = 1 + test_below(&random, MOST_TILES);
        stream *streams[MOST_TILES] = {NULL};
        uint64_t want[CHECKPOINTS], got[CHECKPOINTS];
        for (unsigned i = 0; i < count; i++) {
            stream_options options = {.seed = seed * MOST_TILES + i,
                                      .items = 20 + test_below(&random, 200),
                                      .riscvb = riscvb[test_below(&random, sizeof riscvb)]};
            streams[i] = stream_new(&options);
        }
        bool right = hashes(streams, count, NULL, want);
        tap_ok(&t, right, "seed %" PRIu64 ", %u tiles: all is as the model", seed, count);
        for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
            bool as_right = hashes(streams, count, &variants[i], got) == right;
            unsigned at = 0;
            while (at < CHECKPOINTS && got[at] == want[at]) {
                at++;
            }
            tap_ok(&t, as_right && at == CHECKPOINTS, "seed %" PRIu64 ", %u tiles: %s change nothing", seed, count,
                   variants[i].name);
            if (at < CHECKPOINTS) {
                printf("#   differs at cycle %" PRIu64 "\n", checkpoint[at]);
                explain(streams, count, &variants[i], checkpoint[at]);
            }
        }
        for (unsigned i = 0; i < count; i++) {
            stream_free(streams[i]);
        }
    }
    return tap_end(&t);
}
