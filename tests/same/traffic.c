/* SPDX-License-Identifier: Apache-2.0 */
/* The invariants under traffic: cores that poll counters, NOC_CMD_CTRL and words that others write, requests of all kinds
 * that meet in the same bytes.  Threads, window length, slices, parking, block length, a save and restore or a fork with
 * packets under way must not matter.  On a difference it says which tile, from which cycle on, and what differs.
 *
 *   traffic [SEEDS [FIRST_SEED]] */
#include "../support/traffic.h"
#include "../support/saved.h"
#include "../support/tap.h"

#include <sys/wait.h>
#include <unistd.h>

enum { CHECKPOINTS = 6 };
static const uint64_t checkpoint[CHECKPOINTS] = {301, 1500, 4096, 7003, 12000, 20011};

typedef struct variant {
    const char *name;
    uint32_t threads, window_cycles, max_block, slice;
    bool no_parking, saved, forked;
    bool unseen; /* looked at only at the end: until then tiles are made when something reaches them */
} variant;

static const variant variants[] = {
    {"2 threads", 2, 0, 0, 0, false, false, false, false},
    {"8 threads", 8, 0, 0, 0, false, false, false, false},
    {"windows of 1 cycle", 1, 1, 0, 0, false, false, false, false},
    {"windows of 7 cycles", 2, 7, 0, 0, false, false, false, false},
    {"windows of 43 cycles", 1, 43, 0, 0, false, false, false, false},
    {"slices", 1, 0, 0, 60, false, false, false, false},
    {"slices of windows of 7 cycles on 8 threads", 8, 7, 0, 90, false, false, false, false},
    {"no parking", 1, 0, 0, 0, true, false, false, false},
    {"no parking, windows of 13 cycles", 1, 13, 0, 0, true, false, false, false},
    {"blocks of 1 instruction", 1, 0, 1, 0, false, false, false, false},
    {"blocks of 1, no parking, windows of 1 cycle", 1, 1, 1, 0, true, false, false, false},
    {"saving and restoring", 2, 0, 0, 0, false, true, false, false},
    {"forking", 2, 0, 0, 0, false, false, true, false},
    {"tiles nobody looks at", 1, 0, 0, 0, false, false, false, true},
    {"tiles nobody looks at on 2 threads", 2, 0, 0, 0, false, false, false, true},
};

static kerr_chip *make(const variant *v)
{
    kerr_config config;
    kerr_config_init(&config);
    for (unsigned i = 0; i < KERR_FAULT_KINDS; i++) {
        config.policy[i] = i == KERR_FAULT_INTERNAL ? KERR_POLICY_STOP : KERR_POLICY_GO_ON;
    }
    config.threads = v ? v->threads : 1;
    config.window_cycles = v ? v->window_cycles : 0;
    config.max_block = v ? v->max_block : 0;
    config.no_parking = v && v->no_parking;
    return chip_new(&config);
}

static void run(kerr_chip *chip, const variant *v, uint64_t cycles)
{
    test_random random = {.state = cycles};
    while (cycles > 0) {
        uint64_t now = v && v->slice ? 1 + test_below(&random, v->slice) : cycles;
        now = now < cycles ? now : cycles;
        MUST(chip, kerr_run(chip, now));
        cycles -= now;
    }
}

/* ---- Save and restore ------------------------------------------------------------------------------------- */

static kerr_chip *restored(kerr_chip *chip, const variant *v)
{
    saved_bytes s = {0};
    kerr_chip *other = make(v);
    MUST(chip, kerr_save(chip, saved_put, &s));
    MUST(other, kerr_restore(other, saved_get, &s));
    free(s.data);
    kerr_destroy(chip);
    return other;
}

/* ---- Comparing -------------------------------------------------------------------------------------------- */

static uint32_t hashes(const traffic *plan, const variant *v, uint64_t hash[CHECKPOINTS])
{
    kerr_chip *chip = make(v);
    traffic_start(plan, chip);
    for (unsigned i = 0; i < CHECKPOINTS; i++) {
        run(chip, v, checkpoint[i] - (i ? checkpoint[i - 1] : 0));
        if (v && v->saved) {
            chip = restored(chip, v);
        }
        if (!v || !v->unseen || i + 1 == CHECKPOINTS) {
            hash[i] = chip_hash(chip);
        }
        if (v && v->forked && i + 1 < CHECKPOINTS) {
            int channel[2], status = 0;
            pid_t child = pipe(channel) == 0 ? fork() : -1;
            if (child == 0) {
                run(chip, v, checkpoint[i + 1] - checkpoint[i]);
                uint64_t own = chip_hash(chip);
                _exit(write(channel[1], &own, sizeof own) == (ssize_t)sizeof own ? 0 : 1);
            }
            uint64_t of_child = 0;
            close(channel[1]);
            if (child < 0 || read(channel[0], &of_child, sizeof of_child) != (ssize_t)sizeof of_child) {
                printf("# no word from a child\n");
            }
            close(channel[0]);
            waitpid(child, &status, 0);
            run(chip, v, checkpoint[i + 1] - checkpoint[i]);
            hash[i + 1] = chip_hash(chip) == of_child ? of_child : ~of_child;
            i++;
        }
    }
    uint32_t faults = 0;
    MUST(chip, kerr_fault_count(chip, &faults));
    kerr_destroy(chip);
    return faults;
}

/* What a debugger sees of a tile, first difference only. */
static bool tile_differs(const traffic *plan, const kerr_chip *a, const kerr_chip *b)
{
    for (unsigned i = 0; i < traffic_agents(plan) * KERR_CORE_COUNT; i++) {
        kerr_core core = (kerr_core)(i % KERR_CORE_COUNT);
        kerr_xy at = traffic_place_of(traffic_agent_at(plan, i / KERR_CORE_COUNT)->memory, 0).at;
        kerr_core_info one, two;
        if (kerr_core_query(a, at, core, &one) != KERR_OK || kerr_core_query(b, at, core, &two) != KERR_OK) {
            continue; /* an Ethernet tile has two */
        }
        if (one.pc != two.pc || one.instructions != two.instructions || one.cycles != two.cycles) {
            printf("#   %u-%u core %d: pc %#x instructions %" PRIu64 ", instead of pc %#x instructions %" PRIu64 "\n",
                   at.x, at.y, (int)core, two.pc, two.instructions, one.pc, one.instructions);
            return true;
        }
        for (unsigned x = 1; x < 32; x++) {
            uint32_t want = chip_x(a, at, core, x), got = chip_x(b, at, core, x);
            if (want != got) {
                printf("#   %u-%u core %d: pc %#x, x%u is %#x instead of %#x\n", at.x, at.y, (int)core, one.pc, x, got,
                       want);
                return true;
            }
        }
    }
    for (unsigned m = 0; m < TRAFFIC_MEMORIES; m++) {
        static uint8_t one[TRAFFIC_BYTES + 0x2000], two[TRAFFIC_BYTES + 0x2000];
        traffic_place p = traffic_place_of(m, 0);
        MUST(a, kerr_peek(a, p.at, p.base - 0x2000, one, sizeof one));
        MUST(b, kerr_peek(b, p.at, p.base - 0x2000, two, sizeof two));
        for (unsigned i = 0; i < sizeof one; i++) {
            if (one[i] != two[i]) {
                printf("#   %u-%u: byte %#llx is %#x instead of %#x\n", p.at.x, p.at.y,
                       (unsigned long long)p.base - 0x2000 + i, two[i], one[i]);
                return true;
            }
        }
        uint64_t high = kerr_tile_kind_at(p.at) == KERR_TILE_DRAM ? UINT64_C(0x10000000000) : 0;
        for (unsigned c = 0; c < 2 * TRAFFIC_COUNTERS; c++) {
            uint32_t want, got;
            uint64_t address = 0xFFB20200 + c / TRAFFIC_COUNTERS * 0x10000 + c % TRAFFIC_COUNTERS * 4;
            MUST(a, kerr_peek(a, p.at, high + address, &want, 4));
            MUST(b, kerr_peek(b, p.at, high + address, &got, 4));
            if (want != got) {
                printf("#   %u-%u: NoC %u %s is %u instead of %u\n", p.at.x, p.at.y, c / TRAFFIC_COUNTERS,
                       traffic_counter_name(c % TRAFFIC_COUNTERS), got, want);
                return true;
            }
        }
    }
    return false;
}

/* The first cycle at which it shows; at `known` it does. */
static void explain(const traffic *plan, const variant *v, uint64_t known)
{
    uint64_t equal = 0, different = known;
    kerr_chip *a = make(NULL), *b = make(v);
    while (different - equal > 1) {
        uint64_t middle = (equal + different) / 2;
        MUST(a, kerr_reset(a));
        MUST(b, kerr_reset(b));
        traffic_start(plan, a);
        traffic_start(plan, b);
        run(a, NULL, middle);
        run(b, v, middle);
        if (chip_hash(a) != chip_hash(b)) {
            different = middle;
        } else {
            equal = middle;
        }
    }
    printf("#   from cycle %" PRIu64 " on\n", different);
    MUST(a, kerr_reset(a));
    MUST(b, kerr_reset(b));
    traffic_start(plan, a);
    traffic_start(plan, b);
    run(a, NULL, different);
    run(b, v, different);
    if (!tile_differs(plan, a, b)) {
        printf("#   in nothing that a debugger sees\n");
    }
    kerr_destroy(a);
    kerr_destroy(b);
}

int main(int argc, char **argv)
{
    tap t = {0};
    uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 3, first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        test_random random = {.state = seed};
        traffic_options options = {.seed = seed,
                                   .tiles = seed % 3 == 1 ? 1 : 2 + test_below(&random, 20), /* 1: tile_run_alone */
                                   .phases = 1 + test_below(&random, 5),
                                   .requests = 3 + test_below(&random, 20),
                                   .racy = true,
                                   .faulty = seed % 4 == 3};
        if (seed % 5 == 4) { /* links and queues full */
            options.tiles = 40;
            options.requests = 60;
            options.phases = 2;
        }
        traffic *plan = traffic_new(&options);
        uint64_t want[CHECKPOINTS], got[CHECKPOINTS];
        uint32_t faults = hashes(plan, NULL, want);
        /* A plan with wrong requests may come to none of them in this time. */
        tap_ok(&t, options.faulty || faults == 0, "seed %" PRIu64 ": %u faults", seed, (unsigned)faults);
        for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
            memcpy(got, want, sizeof got);
            got[CHECKPOINTS - 1] = 0;
            hashes(plan, &variants[i], got);
            unsigned at = 0;
            while (at < CHECKPOINTS && got[at] == want[at]) {
                at++;
            }
            tap_ok(&t, at == CHECKPOINTS, "seed %" PRIu64 ", %u cores: %s change nothing", seed, traffic_agents(plan),
                   variants[i].name);
            if (at < CHECKPOINTS) {
                printf("#   differs at cycle %" PRIu64 "\n", checkpoint[at]);
                explain(plan, &variants[i], checkpoint[at]);
            }
        }
        traffic_free(plan);
    }
    return tap_end(&t);
}
