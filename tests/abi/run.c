/* SPDX-License-Identifier: Apache-2.0 */
/* usage: run LIBRARY
 * A host loads programs, starts cores and watches memory.  Any library with the libttsim ABI. */
#include "rvasm.h"
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>

enum { RESULT = 0x30000, COUNT = 200, CLOCKS = 20000 };

/* Counts to COUNT in L1 at result, then writes tag beside it and stops in place.  A round takes longer than the store
 * queue waits for a store to merge with the next one: a tighter loop would show its last value only. */
static void count_program(struct rv_program *p, uint32_t result, uint32_t tag)
{
    p->size_bytes = 0;
    rv_emit_firmware_csr(p);
    rv_emit_li(p, RV_A0, result);
    rv_emit_li(p, RV_A1, COUNT);
    rv_emit_li(p, RV_A2, tag);
    rv_emit_li(p, RV_A3, 0);
    uint32_t top = p->size_bytes;
    rv_emit(p, rv_addi(RV_A3, RV_A3, 1));
    rv_emit(p, rv_sw(RV_A3, 0, RV_A0));
    for (int i = 0; i < 20; i++)
        rv_emit(p, rv_addi(RV_A4, RV_A4, 1));
    rv_emit(p, rv_bltu(RV_A3, RV_A1, rv_back(p, top)));
    rv_emit(p, rv_sw(RV_A2, 4, RV_A0));
    rv_emit(p, rv_jal(RV_ZERO, 0));
}

static bool counted(struct simlib *sim, unsigned x, unsigned y, uint32_t result, uint32_t tag)
{
    uint32_t words[2];
    simlib_read(sim, x, y, result, words, sizeof words);
    return words[0] == COUNT && words[1] == tag;
}

static void load(struct simlib *sim, unsigned x, unsigned y, uint32_t at, const struct rv_program *p)
{
    simlib_write(sim, x, y, at, p->word, p->size_bytes);
}

static void one_core(struct tap *tap, struct simlib *sim)
{
    struct rv_program p;
    count_program(&p, RESULT, 0xB0);
    load(sim, 1, 2, 0, &p);
    sim->clock(CLOCKS);
    tap_ok(tap, simlib_read32(sim, 1, 2, RESULT) == 0, "a core in reset does nothing");
    simlib_write32(sim, 1, 2, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
    tap_ok(tap, simlib_read32(sim, 1, 2, SIM_SOFT_RESET) == (SIM_RESET_ALL & ~sim_reset_bit[0]),
           "soft reset reads back");
    sim->clock(1000);
    uint32_t middle = simlib_read32(sim, 1, 2, RESULT);
    tap_ok(tap, middle > 0 && middle < COUNT, "RISCV B is on its way after 1000 clocks (%u of %d)", middle, COUNT);
    sim->clock(CLOCKS);
    tap_ok(tap, counted(sim, 1, 2, RESULT, 0xB0), "RISCV B of 1-2 has counted to %d", COUNT);

    simlib_write32(sim, 1, 2, SIM_SOFT_RESET, SIM_RESET_ALL);
    count_program(&p, RESULT + 0x100, 0xB1);
    load(sim, 1, 2, 0, &p);
    sim->clock(1);
    simlib_write32(sim, 1, 2, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
    sim->clock(CLOCKS);
    tap_ok(tap, counted(sim, 1, 2, RESULT + 0x100, 0xB1), "reset, new code, go: the new program runs");
    simlib_write32(sim, 1, 2, SIM_SOFT_RESET, SIM_RESET_ALL);
}

static void five_cores(struct tap *tap, struct simlib *sim)
{
    struct rv_program p;
    for (unsigned core = 0; core < 5; core++) {
        count_program(&p, RESULT + 0x100 * core, 0xC0 + core);
        load(sim, 7, 6, sim_reset_pc[core], &p);
    }
    simlib_write32(sim, 7, 6, SIM_SOFT_RESET, 0);
    sim->clock(CLOCKS);
    for (unsigned core = 0; core < 5; core++)
        tap_ok(tap, counted(sim, 7, 6, RESULT + 0x100 * core, 0xC0 + core), "core %u of 7-6 starts at 0x%x", core,
               sim_reset_pc[core]);

    /* Reset PC overrides: T0, T1, T2 and NC elsewhere; B has none. */
    static const uint32_t pc_register[5] = {0, 0xFFB12228, 0xFFB1222C, 0xFFB12230, 0xFFB12238};
    for (unsigned core = 1; core < 5; core++) {
        uint32_t pc = 0x40000 + 0x1000 * core;
        count_program(&p, RESULT + 0x100 * core, 0xD0 + core);
        load(sim, 10, 6, pc, &p);
        simlib_write32(sim, 10, 6, pc_register[core], pc);
    }
    simlib_write32(sim, 10, 6, 0xFFB12234, 7);
    simlib_write32(sim, 10, 6, 0xFFB1223C, 1);
    simlib_write32(sim, 10, 6, SIM_SOFT_RESET, sim_reset_bit[0]);
    sim->clock(CLOCKS);
    for (unsigned core = 1; core < 5; core++)
        tap_ok(tap, counted(sim, 10, 6, RESULT + 0x100 * core, 0xD0 + core),
               "core %u of 10-6 starts where its override says", core);
}

static void all_tiles(struct tap *tap, struct simlib *sim)
{
    struct rv_program p;
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        count_program(&p, RESULT + 0x800, 0xE000 + i);
        load(sim, sim_tensix_x(i), sim_tensix_y(i), 0, &p);
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), SIM_SOFT_RESET, SIM_RESET_ALL);
    }
    sim->clock(1);
    for (unsigned i = 0; i < SIM_TENSIX; i++)
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
    sim->clock(CLOCKS);
    unsigned right = 0;
    for (unsigned i = 0; i < SIM_TENSIX; i++)
        right += counted(sim, sim_tensix_x(i), sim_tensix_y(i), RESULT + 0x800, 0xE000 + i);
    tap_ok(tap, right == SIM_TENSIX, "RISCV B of all 140 tiles (%u right)", right);
}

/* The host writes a word that a core polls, and the core answers. */
static void mailbox(struct tap *tap, struct simlib *sim)
{
    struct rv_program p = {.size_bytes = 0};
    rv_emit_firmware_csr(&p);
    rv_emit_li(&p, RV_A0, RESULT);
    rv_emit_li(&p, RV_A2, 0);
    uint32_t top = p.size_bytes;
    rv_emit(&p, rv_lw(RV_A1, 0, RV_A0));
    rv_emit(&p, rv_beq(RV_A1, RV_A2, rv_back(&p, top)));
    rv_emit(&p, rv_addi(RV_A2, RV_A1, 0));
    rv_emit(&p, rv_slli(RV_A3, RV_A1, 1));
    rv_emit(&p, rv_sw(RV_A3, 16, RV_A0));
    rv_emit(&p, rv_jal(RV_ZERO, rv_back(&p, top)));
    simlib_write32(sim, 16, 2, SIM_SOFT_RESET, SIM_RESET_ALL);
    simlib_write32(sim, 16, 2, RESULT, 0);
    load(sim, 16, 2, 0, &p);
    sim->clock(1);
    simlib_write32(sim, 16, 2, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
    bool answered = true;
    for (uint32_t question = 1; question < 100; question++) {
        sim->clock(100 + question % 7);
        simlib_write32(sim, 16, 2, RESULT, question);
        sim->clock(200);
        answered = answered && simlib_read32(sim, 16, 2, RESULT + 16) == 2 * question;
    }
    tap_ok(tap, answered, "a polling core sees each of 99 words the host writes");
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    struct simlib sim;
    if (argc != 2 || !simlib_open(&sim, argv[1]))
        return 2;
    setenv("KERR_HOST_TIME", "0", 1);
    simlib_start(&sim);
    one_core(&tap, &sim);
    five_cores(&tap, &sim);
    all_tiles(&tap, &sim);
    mailbox(&tap, &sim);
    sim.exit();
    return tap_end(&tap);
}
