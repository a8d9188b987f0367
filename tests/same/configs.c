/* SPDX-License-Identifier: Apache-2.0 */
/* What a configuration may change is speed: any window length, any block length, parking or not, hooks or not give the
 * same state hash at every checkpoint, and the same watch events. */
#include "../support/tap.h"
#include "../support/workload.h"
#include "kerr_findings.h"

enum { CHECKPOINTS = 5, TILES = 14 };
static const uint64_t checkpoint[CHECKPOINTS] = {1, 777, 2500, 6007, 15001};

typedef struct variant {
    const char *name;
    uint32_t threads, window_cycles, max_block;
    bool no_parking, watch;
    uint32_t trace; /* kerr_trace_kind */
    uint32_t checks;
} variant;

static const variant variants[] = {
    {"windows of 1 cycle", 1, 1, 0, false, false, 0, 0},
    {"windows of 7 cycles", 1, 7, 0, false, false, 0, 0},
    {"windows of 7 cycles on 2 threads", 2, 7, 0, false, false, 0, 0},
    {"windows of 43 cycles", 1, 43, 0, false, false, 0, 0},
    {"blocks of 1 instruction", 1, 0, 1, false, false, 0, 0},
    {"blocks of 3 instructions", 1, 0, 3, false, false, 0, 0},
    {"no parking", 1, 0, 0, true, false, 0, 0},
    {"no parking, windows of 13 cycles, blocks of 1", 1, 13, 1, true, false, 0, 0},
    {"a trace hook", 1, 0, 0, false, false, KERR_TRACE_INSTRUCTION, 0},
    {"a trace hook that lets cores park", 1, 0, 0, false, false,
     KERR_TRACE_INSTRUCTION | KERR_TRACE_STATE | KERR_TRACE_TENSIX | KERR_TRACE_PARKING, 0},
    {"a trace hook for states alone", 1, 0, 0, false, false, KERR_TRACE_STATE, 0},
    {"a watch hook", 1, 0, 0, false, true, 0, 0},
    {"all checks", 1, 0, 0, false, false, 0, KERR_CHECK_ALL},
    {"all checks without parking", 1, 0, 0, true, false, 0, KERR_CHECK_ALL},
};

static void on_trace(void *context, const kerr_trace_event *event)
{
    uint64_t *sum = context;
    *sum += event->cycle ^ event->pc;
}
static void on_watch(void *context, const kerr_watch_event *event)
{
    uint64_t *sum = context;
    *sum = *sum * 31 + event->cycle + event->value;
}

static void hashes(const variant *v, int work, uint64_t hash[CHECKPOINTS])
{
    kerr_config config;
    uint64_t seen = 0;
    kerr_config_init(&config);
    config.threads = v ? v->threads : 1;
    config.window_cycles = v ? v->window_cycles : 0;
    config.max_block = v ? v->max_block : 0;
    config.no_parking = v && v->no_parking;
    kerr_chip *chip = chip_new(&config);
    if (work == WORK_KINDS) {
        workload_start_mix(chip, TILES, 99);
    } else {
        workload_start(chip, 3, (workload)work, 5);
        workload_start(chip, 77, (workload)work, 6);
    }
    if (v && v->trace != 0) {
        MUST(chip, kerr_set_trace_kinds(chip, v->trace, on_trace, &seen));
    }
    if (v) {
        MUST(chip, kerr_set_checks(chip, v->checks));
    }
    if (v && v->watch) {
        MUST(chip, kerr_watch_add(chip, kerr_tensix_xy(3), 0x4000, 0x2000, on_watch, &seen, &(uint32_t){0}));
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
        hashes(NULL, work, want);
        for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
            hashes(&variants[i], work, got);
            unsigned first = 0;
            while (first < CHECKPOINTS && got[first] == want[first]) {
                first++;
            }
            tap_ok(&t, first == CHECKPOINTS, "%s: %s changes nothing", name, variants[i].name);
            if (first < CHECKPOINTS) {
                printf("# first differs at cycle %u\n", (unsigned)checkpoint[first]);
            }
        }
    }
    return tap_end(&t);
}
