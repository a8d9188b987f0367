/* SPDX-License-Identifier: Apache-2.0 */
/* usage: windows LIBRARY
 * A library may remember where a window leads.  The same session twice, once as it is and once with a word of an unused
 * window and one of config space written before every access: all answers and the time at the end are the same.  In between change what windows
 * mean: their configuration, the card's addresses, translation, the mode of a DRAM tile, cores that run, poll or write. */
#include "rvasm.h"
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>

enum { STEPS = 6000, SPAN = 8192, X = 3, Y = 5, FLAG = 0x3000, ECHO = 0x3100, DRAM_X = 17, DRAM_Y = 14, UNUSED = 190 };
enum { TENSIX = 1, OTHER, REGISTERS, DRAM, DRAM_REGISTERS, DRAM_L1, MOVING, LARGE = SIM_WINDOWS_2M + 1 };
#define NIU_CFG_0 UINT64_C(0x1FD04100)
#define DRAM_NIU_CFG_0 UINT32_C(0xFFB20100)
#define DRAM_L1_BASE UINT64_C(0x2000000000)
#define WALL_CLOCK UINT32_C(0xFFB121F0)

struct session {
    struct simlib *sim;
    bool anew;
    uint64_t random, seen; /* seen: a hash of all answers */
};

static uint32_t below(struct session *s, uint32_t n)
{
    s->random = s->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(s->random >> 33) % n;
}

static void before_access(struct session *s)
{
    if (s->anew) {
        simlib_word(s->sim, SIM_TLB_CONFIG + 12 * UNUSED, 0);
        s->sim->config_wr32(0, 0x3C, 0xFF); /* the interrupt line, as it is */
    }
}

static void get(struct session *s, unsigned window, uint64_t address, uint32_t size)
{
    static uint8_t data[SPAN];
    memset(data, 0, sizeof data);
    before_access(s);
    s->sim->mem_rd(simlib_behind(s->sim, window, address), data, size);
    for (uint32_t i = 0; i < size; i++)
        s->seen = (s->seen ^ data[i]) * UINT64_C(0x100000001B3);
}

static void put(struct session *s, unsigned window, uint64_t address, const void *data, uint32_t size)
{
    before_access(s);
    s->sim->mem_wr(simlib_behind(s->sim, window, address), data, size);
}

static void put32(struct session *s, unsigned window, uint64_t address, uint32_t value)
{
    put(s, window, address, &value, 4);
}

/* Copies every new value of a word to another one; parks in between. */
static void start_echo(struct session *s)
{
    struct rv_program p = {.size_bytes = 0};
    rv_emit_firmware_csr(&p);
    rv_emit_li(&p, RV_A0, FLAG);
    rv_emit_li(&p, RV_A2, 0);
    rv_emit(&p, rv_lw(RV_A1, 0, RV_A0));
    rv_emit(&p, rv_beq(RV_A1, RV_A2, -4));
    rv_emit(&p, rv_addi(RV_A2, RV_A1, 0));
    rv_emit(&p, rv_sw(RV_A1, ECHO - FLAG, RV_A0));
    rv_emit(&p, rv_jal(RV_ZERO, -16));
    put(s, TENSIX, 0, p.word, p.size_bytes);
    put32(s, REGISTERS, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
}

static void one_of(struct session *s, unsigned *window, uint64_t *address, uint32_t *size)
{
    static const uint32_t sizes[] = {4, 4, 4, 64, 1, 7, 200, SPAN};
    static const struct {
        unsigned window;
        uint64_t base;
    } place[] = {{TENSIX, FLAG},   {TENSIX, ECHO},          {TENSIX, 0x10000}, {OTHER, 0x20000},
                 {DRAM, 0x40000},  {DRAM, 0x1FF000},        {LARGE, 0x40000},  {LARGE, 0x7FFFE0},
                 {MOVING, 0x8000}, {DRAM_L1, DRAM_L1_BASE}, {LARGE, 0x100},    {TENSIX, SIM_L1_BYTES - 64},
                 {DRAM, 0x100},    {LARGE, 0xFFAFFFC0}};
    uint32_t which = below(s, sizeof place / sizeof place[0]);
    *window = place[which].window;
    *address = place[which].base + below(s, 8) * 4;
    *size = sizes[below(s, sizeof sizes / sizeof sizes[0])];
    if (which < 2) { /* whole words, which cores see at once */
        *address = place[which].base;
        *size = 4;
    }
}

static void change(struct session *s)
{
    static const uint32_t word[] = {SIM_RESET_ALL, SIM_RESET_ALL & ~UINT32_C(0x800)};
    struct simlib *sim = s->sim;
    uint32_t value = 0;
    switch (below(s, 7)) {
    case 0: simlib_point(sim, MOVING, below(s, 3) + 1, below(s, 2) + 4, 0); break;
    case 1: simlib_point(sim, MOVING, DRAM_X, DRAM_Y, 0); break;
    case 2: /* the card's windows move, and back */
        sim->config_wr32(0, 0x24, (uint32_t)(sim->bar4 >> 32) ^ 0x100);
        get(s, LARGE, 0x40000, 4);
        sim->config_wr32(0, 0x24, (uint32_t)(sim->bar4 >> 32));
        break;
    case 3:
        sim->mem_rd(sim->bar0 + NIU_CFG_0, &value, 4);
        simlib_word(sim, NIU_CFG_0, value ^ 1 << 14); /* translation */
        get(s, DRAM, 0x40000, 64);
        put32(s, DRAM, 0x40000, below(s, 1000));
        get(s, OTHER, 0x20000, 4);
        simlib_word(sim, NIU_CFG_0, value);
        break;
    case 4: /* stream mode: L1 instead of the bank */
        put32(s, DRAM_REGISTERS, DRAM_NIU_CFG_0, below(s, 2) << 15);
        break;
    case 5: put32(s, REGISTERS, SIM_SOFT_RESET, word[below(s, 2)]); break;
    default: get(s, REGISTERS, WALL_CLOCK, 4); break;
    }
}

static uint64_t session(struct simlib *sim, uint64_t seed, bool anew)
{
    struct session s = {.sim = sim, .anew = anew, .random = seed};
    static uint8_t data[SPAN];
    simlib_start(sim);
    simlib_point(sim, TENSIX, X, Y, 0);
    simlib_point(sim, OTHER, X + 1, Y, 0);
    simlib_point(sim, MOVING, X + 1, Y, 0);
    simlib_point(sim, REGISTERS, X, Y, SIM_SOFT_RESET);
    simlib_point(sim, DRAM, DRAM_X, DRAM_Y, 0);
    simlib_point(sim, DRAM_REGISTERS, DRAM_X, DRAM_Y, DRAM_NIU_CFG_0);
    simlib_point(sim, DRAM_L1, DRAM_X, DRAM_Y, DRAM_L1_BASE);
    simlib_point(sim, LARGE, DRAM_X, DRAM_Y, 0);
    start_echo(&s);
    for (uint32_t step = 0; step < STEPS; step++) {
        unsigned window;
        uint64_t address;
        uint32_t size;
        one_of(&s, &window, &address, &size);
        switch (below(&s, 16)) {
        case 0: change(&s); break;
        case 1: sim->clock(1 + below(&s, 300)); break;
        case 2: sim->clock(1); break;
        case 3:
        case 4:
        case 5:
        case 6:
        case 7:
            for (uint32_t i = 0; i < size; i++)
                data[i] = (uint8_t)below(&s, 256);
            put(&s, window, address, data, size);
            break;
        default: get(&s, window, address, size); break;
        }
    }
    get(&s, REGISTERS, WALL_CLOCK, 4);
    sim->exit();
    return s.seen;
}

/* A core that polls L1 notices every write through a window that nobody has touched in between. */
static unsigned echoes(struct simlib *sim)
{
    struct session s = {.sim = sim};
    unsigned good = 0;
    simlib_start(sim);
    simlib_point(sim, TENSIX, X, Y, 0);
    simlib_point(sim, REGISTERS, X, Y, SIM_SOFT_RESET);
    start_echo(&s);
    for (uint32_t i = 1; i <= 100; i++) {
        uint32_t answer = 0;
        put32(&s, TENSIX, 0x10000, i);
        put32(&s, TENSIX, FLAG, i);
        sim->clock(1000);
        sim->mem_rd(simlib_behind(sim, TENSIX, ECHO), &answer, sizeof answer);
        good += answer == i;
    }
    sim->exit();
    return good;
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    struct simlib sim;
    if (argc != 2 || !simlib_open(&sim, argv[1])) {
        printf("usage: windows LIBRARY\n");
        return 1;
    }
    static const char *const host_time[] = {"1000", "0", "70"};
    for (unsigned i = 0; i < sizeof host_time / sizeof host_time[0]; i++) {
        setenv("KERR_HOST_TIME", host_time[i], 1);
        for (uint64_t seed = 1; seed <= 3; seed++)
            tap_ok(&tap, session(&sim, seed, false) == session(&sim, seed, true),
                   "host time %s, session %u: windows kept and windows set anew", host_time[i], (unsigned)seed);
    }
    unsigned good = echoes(&sim);
    tap_ok(&tap, good == 100, "a polling core has seen %u of 100 writes", good);
    return tap_end(&tap);
}
