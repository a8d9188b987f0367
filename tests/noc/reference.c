/* SPDX-License-Identifier: Apache-2.0 */
/* Random traffic through another library with the libttsim ABI and through ours: memory, registers and the counters that
 * the other one has must be those of the plain model in both.  Each seed is a process of its own, since that ABI has one
 * chip a process and may end it.
 *
 *   reference SEEDS [FIRST_SEED]      REF in the environment: the library */
#include "../abi/simlib.h"
#include "../support/tap.h"
#include "../support/traffic.h"

#include <sys/wait.h>
#include <unistd.h>

enum { CLOCKS = 5000, ROUNDS = 400, SHOWN = 8 };
/* By number: those that the vendor's simulator has, besides the 16 from 16 on. */
static const uint8_t counters[] = {0, 1, 2, 7, 10, 11};

static kerr_xy seen_at(unsigned memory)
{
    traffic_place p = traffic_place_of(memory, 0);
    return (kerr_xy){(uint8_t)(p.name & 63), (uint8_t)(p.name >> 6)};
}

static void start(struct simlib *sim, const traffic *plan)
{
    for (unsigned m = 0; m < TRAFFIC_MEMORIES; m++) {
        if (traffic_before(plan, m)) {
            kerr_xy at = seen_at(m);
            simlib_write(sim, at.x, at.y, traffic_place_of(m, 0).base, traffic_before(plan, m), TRAFFIC_BYTES);
        }
    }
    for (unsigned i = 0; i < traffic_agents(plan); i++) {
        const traffic_agent *g = traffic_agent_at(plan, i);
        kerr_xy at = seen_at(g->memory);
        simlib_write(sim, at.x, at.y, g->code->base, g->code->word, (uint32_t)g->code->count * 4);
        if (g->core == KERR_CORE_NC) {
            simlib_write32(sim, at.x, at.y, 0xFFB12238, g->code->base);
            simlib_write32(sim, at.x, at.y, 0xFFB1223C, 1);
        }
    }
    for (unsigned i = 0; i < traffic_agents(plan); i++) {
        const traffic_agent *g = traffic_agent_at(plan, i);
        kerr_xy at = seen_at(g->memory);
        uint32_t held = simlib_read32(sim, at.x, at.y, SIM_SOFT_RESET);
        simlib_write32(sim, at.x, at.y, SIM_SOFT_RESET, held & ~sim_reset_bit[g->core]);
    }
}

static bool has_ended(struct simlib *sim, const traffic *plan)
{
    for (unsigned i = 0; i < traffic_agents(plan); i++) {
        const traffic_agent *g = traffic_agent_at(plan, i);
        kerr_xy at = seen_at(g->memory);
        if (simlib_read32(sim, at.x, at.y, traffic_done_address(g->core)) != TRAFFIC_DONE) {
            return false;
        }
    }
    return true;
}

static unsigned differences(struct simlib *sim, const traffic *plan)
{
    static uint8_t got[TRAFFIC_BYTES];
    unsigned wrong = 0;
    for (unsigned m = 0; m < TRAFFIC_MEMORIES; m++) {
        traffic_place p = traffic_place_of(m, 0);
        kerr_xy at = seen_at(m);
        const uint8_t *want = traffic_after(plan, m);
        if (!want) {
            continue;
        }
        simlib_read(sim, at.x, at.y, p.base, got, TRAFFIC_BYTES);
        for (unsigned i = 0; i < TRAFFIC_BYTES; i++) {
            if (got[i] != want[i]) {
                if (wrong++ < SHOWN) {
                    printf("# %u-%u: byte %#llx is %#x, not %#x\n", p.at.x, p.at.y, (unsigned long long)p.base + i,
                           got[i], want[i]);
                }
                break;
            }
        }
    }
    for (unsigned i = 0; i < traffic_agents(plan); i++) {
        kerr_xy at = traffic_place_of(traffic_agent_at(plan, i)->memory, 0).at;
        for (unsigned noc = 0; noc < 2; noc++) {
            for (unsigned k = 0; k < TRAFFIC_REGISTERS; k++) {
                uint32_t address, want = traffic_register(plan, at, noc, k, &address);
                uint32_t is = simlib_read32(sim, at.x, at.y, address);
                if (is != want && wrong++ < SHOWN) {
                    printf("# %u-%u: register %#x is %#x, not %#x\n", at.x, at.y, address, is, want);
                }
            }
            for (unsigned k = 0; k < sizeof counters + 16; k++) {
                unsigned c = k < sizeof counters ? counters[k] : 16 + k - (unsigned)sizeof counters;
                uint32_t is = simlib_read32(sim, at.x, at.y, 0xFFB20200 + noc * 0x10000 + c * 4);
                uint32_t want = traffic_counter(plan, at, noc, c);
                if (is != want && wrong++ < SHOWN) {
                    printf("# %u-%u NoC %u: counter %u, %s, is %u, not %u\n", at.x, at.y, noc, c,
                           traffic_counter_name(c), is, want);
                }
            }
        }
    }
    return wrong;
}

/* In a child. */
enum { SAME = 10, DIFFERENT, NO_END, NO_LIBRARY };
static int through(const char *library, const traffic *plan)
{
    struct simlib sim;
    if (!simlib_open(&sim, library)) {
        return NO_LIBRARY;
    }
    simlib_start(&sim);
    start(&sim, plan);
    for (unsigned i = 0; i < ROUNDS; i++) {
        sim.clock(CLOCKS);
        if (has_ended(&sim, plan)) {
            sim.clock(CLOCKS);
            unsigned wrong = differences(&sim, plan);
            sim.exit();
            return wrong ? DIFFERENT : SAME;
        }
    }
    return NO_END;
}

static int in_child(const char *library, const traffic *plan)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int result = through(library, plan);
        fflush(stdout);
        _exit(result);
    }
    return child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ? 0 : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    static const char *const results[] = {"the same", "differences", "does not end", "no library"};
    const char *library = getenv("REF");
    tap t = {0};
    if (!library || !*library) {
        printf("optional: REF is not set to another library with the libttsim ABI\n");
        return 77;
    }
    uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 10, first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    kerr_chip *chip = chip_new_one_thread();
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        test_random random = {.state = seed};
        traffic_options options = {.seed = seed,
                                   .tiles = 2 + test_below(&random, 12),
                                   .phases = 1 + test_below(&random, 4),
                                   .requests = 5 + test_below(&random, 40),
                                   .reference = true};
        traffic *plan = traffic_new(&options);
        MUST(chip, kerr_reset(chip));
        traffic_start(plan, chip);
        tap_ok(&t, traffic_run(plan, chip, 2000000) && traffic_compare(plan, chip) == 0,
               "seed %" PRIu64 ", %u cores: ours is as the model", seed, traffic_agents(plan));
        int result = in_child(library, plan);
        tap_ok(&t, result == SAME, "seed %" PRIu64 ": and so is REF (%s)", seed,
               result >= SAME && result <= NO_LIBRARY ? results[result - SAME] : "its process ended");
        traffic_free(plan);
    }
    kerr_destroy(chip);
    return tap_end(&t);
}
