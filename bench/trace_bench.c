/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace costs when it is off, and when it is on: the integer program of rv-one on one core, its instructions a second
 * on a chip that never had a trace, on one whose trace was switched off again, and under one that counts events.
 *
 * The first two should be equal.  They are run in turns, and the best of each counts, since other work on the machine only
 * ever makes a run slower. */
#include "kerr.h"

#include "rv_load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 60000, ROUNDS = 7, CYCLES_MAX = 64 * 1000 * 1000, NEVER_ON = 0, OFF_AGAIN, ON, VARIANTS };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void must(kerr_status status)
{
    if (status != KERR_OK) {
        fprintf(stderr, "trace_bench: %s\n", kerr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

static void count(void *context, const kerr_trace_event *event)
{
    (void)event;
    ++*(uint64_t *)context;
}

/* Instructions a second. */
static double run(unsigned variant, uint64_t *events)
{
    const kerr_xy at = kerr_tensix_xy(0);
    const uint32_t all = KERR_TRACE_INSTRUCTION | KERR_TRACE_STATE | KERR_TRACE_TENSIX | KERR_TRACE_PARKING;
    struct rv_program program;
    struct rv_memory memory;
    kerr_chip *chip;
    must(kerr_create(NULL, &chip));
    rv_load_program(&program, true);
    rv_load_start(&memory, STEPS, 0);
    must(kerr_poke(chip, at, 0, program.word, program.size_bytes));
    must(kerr_poke(chip, at, RV_BUFFER, &memory, sizeof memory));
    if (variant != NEVER_ON) {
        must(kerr_set_trace_kinds(chip, all, count, events));
    }
    if (variant == OFF_AGAIN) {
        must(kerr_run(chip, 1));
        must(kerr_set_trace_kinds(chip, 0, NULL, NULL));
    }
    must(kerr_core_start(chip, at, KERR_CORE_B, 0));
    const kerr_until done = {
        .kind = KERR_UNTIL_WORD_NE, .at = at, .address = RV_BLOCK + 4 * BLOCK_DONE, .mask = UINT32_MAX, .value = 0};
    bool reached = false;
    const double before = seconds();
    must(kerr_run_until(chip, &done, CYCLES_MAX, &reached));
    const double taken = seconds() - before;
    if (!reached) {
        fprintf(stderr, "trace_bench: the program does not end\n");
        exit(EXIT_FAILURE);
    }
    kerr_destroy(chip);
    return (double)STEPS * RV_STEP_INSTRUCTIONS / taken;
}

int main(void)
{
    double best[VARIANTS] = {0};
    uint64_t events = 0;
    for (unsigned round = 0; round < ROUNDS * VARIANTS; round++) {
        const unsigned variant = round % VARIANTS;
        if (variant == ON && round >= 2 * VARIANTS) {
            continue; /* slow, and two are enough */
        }
        events = 0;
        const double speed = run(variant, &events);
        best[variant] = speed > best[variant] ? speed : best[variant];
    }
    printf("trace      never on %.1f Minstr/s, off %.1f Minstr/s (%.3f times), on %.1f Minstr/s\n",
           best[NEVER_ON] / 1e6, best[OFF_AGAIN] / 1e6, best[OFF_AGAIN] / best[NEVER_ON], best[ON] / 1e6);
    return EXIT_SUCCESS;
}
