/* SPDX-License-Identifier: Apache-2.0 */
/* usage: hosttime LIBRARY
 * How time passes for a host that does not clock enough (docs/drop-in.md, "Host time").  Kerr only. */
#include "rvasm.h"
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>

enum { READ_CYCLES = 1000, BOUND_CYCLES = 16 * READ_CYCLES, FLAG = 0x3000 };

/* The low half of the wall clock; the read itself costs READ_CYCLES first. */
static uint32_t wall_clock(struct simlib *sim)
{
    return simlib_read32(sim, 1, 2, 0xFFB121F0);
}

/* RISCV B of 2-2 waits for about n cycles, then sets a flag. */
static void start_waiter(struct simlib *sim, uint32_t loops)
{
    struct rv_program p = {.size_bytes = 0};
    rv_emit_firmware_csr(&p);
    rv_emit_li(&p, RV_A0, FLAG);
    rv_emit_li(&p, RV_A1, loops);
    rv_emit(&p, rv_addi(RV_A1, RV_A1, -1));
    rv_emit(&p, rv_bne(RV_A1, RV_ZERO, -4));
    rv_emit_li(&p, RV_A2, 1);
    rv_emit(&p, rv_sw(RV_A2, 0, RV_A0));
    rv_emit(&p, rv_jal(RV_ZERO, 0));
    simlib_write32(sim, 2, 2, FLAG, 0);
    simlib_write(sim, 2, 2, 0, p.word, p.size_bytes);
    simlib_write32(sim, 2, 2, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
}

static uint32_t run_host(struct simlib *sim, uint32_t *polls)
{
    simlib_start(sim);
    start_waiter(sim, 100000);
    *polls = 0;
    while (simlib_read32(sim, 2, 2, FLAG) != 1 && *polls < 100000) {
        sim->clock(1); /* tt-umd does, after every read */
        ++*polls;
    }
    uint32_t end = wall_clock(sim);
    sim->exit();
    return end;
}

static void on(struct tap *tap, struct simlib *sim)
{
    unsetenv("KERR_HOST_TIME");
    simlib_start(sim);
    uint32_t first = wall_clock(sim);
    tap_ok(tap, first >= READ_CYCLES && first < READ_CYCLES + 10, "a read is answered after 1000 cycles (%u)", first);
    sim->clock(5000);
    uint32_t second = wall_clock(sim);
    tap_ok(tap, second - first == 5000 + READ_CYCLES, "clock(5000) is exact, and the next read takes 1000 more");
    sim->clock(1);
    uint32_t third = wall_clock(sim);
    tap_ok(tap, third - second == 1 + READ_CYCLES, "one clock(1) is one cycle");
    for (int i = 0; i < 10; i++)
        sim->clock(1);
    uint32_t fourth = wall_clock(sim);
    tap_ok(tap, fourth - third == 1 + 9 * BOUND_CYCLES + READ_CYCLES, "each further clock(1) in a row runs on (%u)",
           fourth - third);
    uint32_t word = 0;
    simlib_write(sim, 3, 3, 0x100, &word, 4);
    tap_ok(tap, wall_clock(sim) - fourth == READ_CYCLES, "a write of memory takes no time");
    uint32_t before_register = wall_clock(sim);
    simlib_write32(sim, 3, 3, 0xFFB12084, 0);
    tap_ok(tap, wall_clock(sim) - before_register == 2 * READ_CYCLES, "a write of a register takes 1000 cycles");
    uint32_t before = wall_clock(sim);
    simlib_read32(sim, 3, 3, 0x100);
    uint32_t between = wall_clock(sim);
    simlib_read32(sim, 3, 3, 0x100);
    uint32_t after = wall_clock(sim);
    tap_ok(tap, between - before == 2 * READ_CYCLES && after - between == BOUND_CYCLES + READ_CYCLES,
           "the same answer twice is held back for 16000 cycles (%u, %u)", between - before, after - between);
    uint8_t large[4096];
    before = wall_clock(sim);
    simlib_read(sim, 3, 3, 0x1000, large, sizeof large);
    simlib_read(sim, 3, 3, 0x1000, large, sizeof large);
    tap_ok(tap, wall_clock(sim) - before == 3 * READ_CYCLES, "long reads are not polls");
    sim->exit();

    uint32_t polls, again;
    uint32_t end = run_host(sim, &polls);
    tap_ok(tap, polls < 40, "a wait of 200000 cycles takes %u polls", polls);
    tap_ok(tap, run_host(sim, &again) == end && again == polls, "and the same again on another run");
}

static void other_values(struct tap *tap, struct simlib *sim)
{
    setenv("KERR_HOST_TIME", "0", 1);
    simlib_start(sim);
    uint32_t first = wall_clock(sim), second = wall_clock(sim);
    sim->clock(1);
    sim->clock(1);
    uint32_t third = wall_clock(sim);
    tap_ok(tap, first == second && third == first + 2, "KERR_HOST_TIME=0: reads take no time, clock(1) is one cycle");
    sim->exit();
    setenv("KERR_HOST_TIME", "250", 1);
    simlib_start(sim);
    first = wall_clock(sim);
    second = wall_clock(sim);
    tap_ok(tap, second - first == 250, "KERR_HOST_TIME=250: a read takes 250 cycles");
    sim->exit();
}

/* ---- Two hosts as they are (a third: completion.c) ----------------------------------------------------------------------------- */

/* tt-exalens: "halt", then the status, once.  RISC_DBG_CNTL_0 and 1, RISC_DBG_STATUS_0 and 1. */
static void debugger_write(struct simlib *sim, unsigned index, uint32_t value)
{
    simlib_write32(sim, 2, 2, 0xFFB12084, value);
    simlib_write32(sim, 2, 2, 0xFFB12080, 0x80010000 + index);
    simlib_write32(sim, 2, 2, 0xFFB12080, 0);
}
static uint32_t debugger_read(struct simlib *sim, unsigned index)
{
    simlib_write32(sim, 2, 2, 0xFFB12080, 0x80000000 + index);
    simlib_write32(sim, 2, 2, 0xFFB12080, 0);
    return simlib_read32(sim, 2, 2, 0xFFB1208C);
}
static void debugger(struct tap *tap, struct simlib *sim)
{
    enum { STATUS = 0, COMMAND = 1 };
    simlib_start(sim);
    start_waiter(sim, 100000000);
    sim->clock(3000);
    uint32_t running = debugger_read(sim, STATUS) & 1;
    debugger_write(sim, COMMAND, 0x80000001);
    uint32_t halted = debugger_read(sim, STATUS) & 1;
    debugger_write(sim, COMMAND, 0x80000004);
    uint32_t continued = debugger_read(sim, STATUS) & 1;
    tap_ok(tap, !running && halted && !continued,
           "a debugger's halt and continue are seen by the one read behind each");
    sim->exit();
}

/* Between "continue" and the latched status are two writes; a loop of some hundred cycles must be over by then. */
static void continued(struct tap *tap, struct simlib *sim)
{
    enum { STATUS = 0, COMMAND = 1, HALTED_BY_EBREAK = 9 };
    struct rv_program p = {.size_bytes = 0};
    rv_emit(&p, 0x00100073); /* ebreak */
    rv_emit_li(&p, RV_A1, 64);
    rv_emit(&p, rv_addi(RV_A1, RV_A1, -1));
    rv_emit(&p, rv_bne(RV_A1, RV_ZERO, -4));
    rv_emit(&p, 0x00100073);
    rv_emit(&p, rv_jal(RV_ZERO, 0));
    simlib_start(sim);
    simlib_write(sim, 2, 2, 0, p.word, p.size_bytes);
    simlib_write32(sim, 2, 2, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
    uint32_t first = debugger_read(sim, STATUS);
    debugger_write(sim, COMMAND, 0x80000004);
    uint32_t second = debugger_read(sim, STATUS);
    tap_ok(tap, first == HALTED_BY_EBREAK && second == HALTED_BY_EBREAK,
           "a core that goes on to its next ebreak is halted when asked (%x, %x)", first, second);
    sim->exit();
}

/* Slow dispatch: a sweep over all tiles until each has set its flag. */
static uint32_t sweep(struct simlib *sim, uint32_t *laps)
{
    struct rv_program p = {.size_bytes = 0};
    rv_emit_firmware_csr(&p);
    rv_emit_li(&p, RV_A0, FLAG);
    rv_emit(&p, rv_lw(RV_A1, 4, RV_A0)); /* how long: other in each tile */
    rv_emit(&p, rv_addi(RV_A1, RV_A1, -1));
    rv_emit(&p, rv_bne(RV_A1, RV_ZERO, -4));
    rv_emit_li(&p, RV_A2, 1);
    rv_emit(&p, rv_sw(RV_A2, 0, RV_A0));
    rv_emit(&p, rv_jal(RV_ZERO, 0));
    simlib_start(sim);
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        simlib_write32(sim, x, y, FLAG, 0);
        simlib_write32(sim, x, y, FLAG + 4, 1000 + i * 50 % 7919 * 60);
        simlib_write(sim, x, y, 0, p.word, p.size_bytes);
        simlib_write32(sim, x, y, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
    }
    bool left = true;
    for (*laps = 0; left && *laps < 1000; ++*laps) {
        left = false;
        for (unsigned i = 0; i < SIM_TENSIX; i++) {
            left = simlib_read32(sim, sim_tensix_x(i), sim_tensix_y(i), FLAG) != 1 || left;
            sim->clock(1);
        }
    }
    uint32_t end = wall_clock(sim);
    sim->exit();
    return end;
}
static void dispatch(struct tap *tap, struct simlib *sim)
{
    uint32_t laps, again;
    uint32_t end = sweep(sim, &laps);
    tap_ok(tap, laps <= 3, "a sweep over 140 tiles that take up to a million cycles ends after %u laps", laps);
    tap_ok(tap, sweep(sim, &again) == end && again == laps, "and the same again on another run");
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    struct simlib sim;
    if (argc != 2 || !simlib_open(&sim, argv[1]))
        return 2;
    on(&tap, &sim);
    other_values(&tap, &sim);
    unsetenv("KERR_HOST_TIME");
    debugger(&tap, &sim);
    continued(&tap, &sim);
    dispatch(&tap, &sim);
    return tap_end(&tap);
}
