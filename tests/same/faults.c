/* SPDX-License-Identifier: Apache-2.0 */
/* Faults come in the same order, at the same cycles and stop the chip at the same cycle, whatever the threads, windows
 * and slices; a chip that goes on after faults ends in the same state. */
#include "../support/tap.h"
#include "../support/workload.h"

enum { TILES = 30, CYCLES = 9000, MAX_FAULTS = 256 };

typedef struct outcome {
    uint32_t count;
    kerr_fault fault[MAX_FAULTS];
    uint64_t cycle, hash;
    kerr_status status;
} outcome;

static void run(uint32_t threads, uint32_t window, uint32_t slice, kerr_policy policy, outcome *o)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = threads;
    config.window_cycles = window;
    config.policy[KERR_FAULT_UNDEFINED] = policy;
    kerr_chip *chip = chip_new(&config);
    workload_start_faults(chip, TILES, 1234);
    workload_start(chip, TILES, WORK_RANDOM, 1);
    memset(o, 0, sizeof *o);
    /* A call that comes to its end before the chip has stopped says KERR_FAULTED as well: go on while time passes. */
    for (uint64_t before = UINT64_MAX; chip_cycle(chip) != before && chip_cycle(chip) < CYCLES;) {
        uint64_t left = CYCLES - chip_cycle(chip);
        before = chip_cycle(chip);
        o->status = kerr_run(chip, slice && slice < left ? slice : left);
    }
    o->cycle = chip_cycle(chip);
    o->hash = chip_hash(chip);
    MUST(chip, kerr_fault_count(chip, &o->count));
    for (uint32_t i = 0; i < o->count && i < MAX_FAULTS; i++) {
        MUST(chip, kerr_fault_get(chip, i, &o->fault[i]));
    }
    kerr_destroy(chip);
}

static bool same_fault(const kerr_fault *a, const kerr_fault *b)
{
    return a->kind == b->kind && a->tile.x == b->tile.x && a->tile.y == b->tile.y && a->core == b->core &&
           a->pc == b->pc && a->instruction == b->instruction && a->address == b->address && a->cycle == b->cycle &&
           a->stopping == b->stopping && strcmp(a->text, b->text) == 0;
}

static bool same(const outcome *a, const outcome *b)
{
    bool good = a->count == b->count && a->cycle == b->cycle && a->hash == b->hash && a->status == b->status;
    for (uint32_t i = 0; i < a->count && i < MAX_FAULTS && good; i++) {
        good = same_fault(&a->fault[i], &b->fault[i]);
    }
    if (!good) {
        printf("# %u faults, cycle %" PRIu64 ", hash %" PRIx64 ", status %d; want %u, %" PRIu64 ", %" PRIx64 ", %d\n",
               b->count, b->cycle, b->hash, (int)b->status, a->count, a->cycle, a->hash, (int)a->status);
    }
    return good;
}

int main(void)
{
    static outcome want, got;
    tap t = {0};
    static const struct {
        uint32_t threads, window, slice;
    } variants[] = {{2, 0, 0}, {8, 0, 0}, {1, 1, 0}, {1, 7, 0}, {2, 43, 0}, {1, 0, 1}, {2, 0, 37}};
    for (int p = 0; p < 2; p++) {
        kerr_policy policy = p ? KERR_POLICY_GO_ON : KERR_POLICY_STOP;
        run(1, 0, 0, policy, &want);
        tap_ok(&t, want.count > 0 && (p || want.status == KERR_FAULTED), "%s: there are faults (%u)",
               p ? "go on" : "stop", want.count);
        bool ordered = true;
        for (uint32_t i = 1; i < want.count && i < MAX_FAULTS; i++) {
            ordered &= want.fault[i - 1].cycle <= want.fault[i].cycle;
        }
        tap_ok(&t, ordered, "%s: they are in order of cycle", p ? "go on" : "stop");
        for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
            run(variants[i].threads, variants[i].window, variants[i].slice, policy, &got);
            tap_ok(&t, same(&want, &got), "%s: the same with %u threads, window %u, slices of %u", p ? "go on" : "stop",
                   variants[i].threads, variants[i].window, variants[i].slice);
        }
    }
    return tap_end(&t);
}
