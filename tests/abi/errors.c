/* SPDX-License-Identifier: Apache-2.0 */
/* usage: errors LIBRARY
 * What a host can do wrong, and what a fault on the chip looks like from outside (docs/drop-in.md).  Kerr only: other
 * libraries of this ABI end the process. */
#include "rvasm.h"
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* stderr goes to a file of our own so that messages can be counted. */
static FILE *captured;
static int real_stderr;

static void capture(void)
{
    captured = tmpfile();
    real_stderr = dup(2);
    fflush(stderr);
    dup2(fileno(captured), 2);
}

static int messages(const char *what)
{
    fflush(stderr);
    fseek(captured, 0, SEEK_SET);
    char text[1024];
    int count = 0;
    while (fgets(text, sizeof text, captured) != NULL)
        count += strstr(text, what) != NULL;
    return count;
}

static bool all_ones(const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((const uint8_t *)data)[i] != 0xFF)
            return false;
    return true;
}

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads there give all ones and say so with text in it; writes there change nothing.  Both once. */
static void refused(struct tap *tap, struct simlib *sim, uint64_t physical, uint32_t size, const char *text,
                    const char *name)
{
    uint8_t data[64] = {0};
    int before = messages(text);
    sim->mem_rd(physical, data, size);
    bool ones = all_ones(data, size) && (size == sizeof data || data[size] == 0);
    int after_read = messages(text);
    sim->mem_wr(physical, data, size);
    sim->mem_rd(physical, data, size);
    sim->mem_wr(physical, data, size);
    int after = messages(text);
    bool once = after_read == before + 1 && after == before + 2 && messages("kerr: libttsim") > 0;
    if (!tap_ok(tap, ones && once, "%s: all ones, one message each for read and write", name))
        printf("# ones %d, messages %d %d %d\n", ones, before, after_read, after);
}

static void wrong_order(struct tap *tap, struct simlib *sim)
{
    uint32_t word = 0;
    sim->clock(10);
    sim->exit();
    sim->mem_rd(0, &word, 4);
    sim->mem_wr(0, &word, 4);
    tap_ok(tap, word == UINT32_MAX && sim->config_rd32(0, 0) == UINT32_MAX, "before init all reads give ones");
    for (int i = 0; i < 3; i++)
        sim->clock(10);
    tap_ok(tap, messages("before libttsim_init") == 5, "clock, exit, mem_rd, mem_wr, config_rd32: a message each");
    simlib_start(sim);
    simlib_write32(sim, 1, 2, 0x100, 0x1234);
    sim->init();
    tap_ok(tap, messages("called twice") == 1 && simlib_read32(sim, 1, 2, 0x100) == 0x1234,
           "a second init changes nothing");
    sim->set_dma(NULL, NULL);
    tap_ok(tap, messages("after libttsim_init") == 1, "callbacks come before init");
    sim->exit();
}

/* What the environment asks for cannot be had: there is no card, nothing is said but once, and another init may do better. */
static void no_card(struct tap *tap, struct simlib *sim)
{
    static const struct {
        const char *name, *value, *said;
    } wrong[] = {{"KERR_CHECK", "memroy", "KERR_CHECK: 'memroy' is no check"},
                 {"KERR_THREADS", "abc", "KERR_THREADS=abc: not a number from 1 to 64"},
                 {"KERR_TRHEADS", "2", "KERR_TRHEADS: there is no such variable; did you mean KERR_THREADS?"},
                 {"KERR_RECORD", "/nowhere/log", "KERR_RECORD=/nowhere/log: cannot be written"},
                 {"KERR_STATS", "/dev/null", "KERR_STATS=/dev/null: is not a statistics page"},
                 {"KERR_FINDINGS", "/nowhere/found", "KERR_FINDINGS=/nowhere/found: cannot be written"}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint32_t word = 0;
        const int before = messages("kerr:");
        setenv(wrong[i].name, wrong[i].value, 1);
        sim->init();
        sim->clock(10);
        sim->mem_rd(sim->bar0, &word, 4);
        sim->mem_wr(sim->bar0, &word, 4);
        const bool absent = word == UINT32_MAX && sim->config_rd32(0, 0) == UINT32_MAX;
        const bool told = messages(wrong[i].said) == 1 && messages("kerr:") == before + 1;
        sim->exit();
        unsetenv(wrong[i].name);
        sim->init();
        const bool again = sim->config_rd32(0, 0) == UINT32_C(0xB1401E52);
        sim->exit();
        tap_ok(tap, absent && told && again, "%s=%s: there is no card, and one when it is gone", wrong[i].name,
               wrong[i].value);
    }
}

static void bad_access(struct tap *tap, struct simlib *sim)
{
    simlib_start(sim);
    refused(tap, sim, 0x1000, 4, "not in one of the card's BARs", "an address outside the BARs");
    refused(tap, sim, sim->bar4 + (UINT64_C(32) << 30) - 4, 8, "not in one of the card's BARs",
            "across the end of BAR4");
    refused(tap, sim, sim->bar0 + 0x19400000, 4, "BAR0 offset 0x19400000", "BAR0 between windows and registers");
    refused(tap, sim, sim->bar0 + 0x1FE00000, 4, "BAR0 offset 0x1fe00000", "BAR0 where PCIe 1 has the ARC");
    refused(tap, sim, sim->bar2, 4, "BAR2 offset 0x0", "BAR2 where the DMA engines are");
    refused(tap, sim, sim->bar0 + SIM_TLB_CONFIG + 2, 4, "not whole words", "half a word of window configuration");
    sim->exit();
}

static void bad_window(struct tap *tap, struct simlib *sim)
{
    simlib_start(sim);
    refused(tap, sim, simlib_point(sim, 0, 1, 2, 0x1FFFFC), 8, "go past its end", "across two windows");
    refused(tap, sim, simlib_point(sim, 1, 17, 0, 0), 4, "no such tile", "a window on 17-0, where x is not translated");
    refused(tap, sim, simlib_point(sim, 203, 63, 1, 0), 4, "no such tile", "a window on 63-1");
    refused(tap, sim, simlib_point(sim, 2, 8, 1, 0), 4, "bare router 8-1", "a window on the router 8-1");
    struct sim_window linked = {.address = 0, .x_end = 1, .y_end = 2};
    simlib_configure(sim, 4, &linked);
    simlib_word(sim, SIM_TLB_CONFIG + 12 * 4 + 8, 1 << (72 - 64));
    refused(tap, sim, simlib_behind(sim, 4, 0), 4, "has linked set", "a window with linked set");
    simlib_word(sim, SIM_TLB_CONFIG + 12 * 4 + 8, 1 << (73 - 64) | 2 << (76 - 64));
    refused(tap, sim, simlib_behind(sim, 4, 0), 4, "virtual channel class 2",
            "a unicast window on the multicast channel");
    refused(tap, sim, simlib_point(sim, 3, 1, 2, 0x180000), 4, "in tile 1-2", "just past L1");
    refused(tap, sim, simlib_point(sim, 3, 1, 2, 0x17FFFC), 8, "at 0x17fffc", "half in L1, half past it");
    simlib_write32(sim, 1, 2, 0x17FFFC, 0x1234);
    sim->mem_wr(simlib_point(sim, 3, 1, 2, 0x17FFFC), "abcdefgh", 8);
    tap_ok(tap, simlib_read32(sim, 1, 2, 0x17FFFC) == 0x1234, "and the half in L1 is not written");

    struct sim_window w = {.address = 0, .x_start = 8, .y_start = 2, .x_end = 9, .y_end = 11, .mcast = true};
    uint32_t word = 0x55;
    simlib_configure(sim, 41, &w);
    sim->mem_rd(simlib_behind(sim, 41, 0), &word, 4);
    tap_ok(tap, word == UINT32_MAX && messages("set to multicast") == 1, "no reading through a multicast window");
    sim->mem_wr(simlib_behind(sim, 41, 0), &word, 4);
    tap_ok(tap, messages("no Tensix tile there") == 1, "a multicast to no Tensix tile");
    sim->exit();
}

static void bad_numbers(struct tap *tap, struct simlib *sim)
{
    simlib_start(sim);
    uint64_t physical = simlib_point(sim, 0, 1, 2, 0);
    uint32_t word = 0x1234;
    sim->mem_rd(physical, &word, 0);
    sim->mem_wr(physical, &word, 0);
    sim->mem_rd(physical, NULL, 4);
    tap_ok(tap, word == 0x1234 && messages("size 0") == 2 && messages("null pointer") == 1, "size 0 and null pointers");
    tap_ok(tap,
           sim->config_rd32(0, 2) == UINT32_MAX && sim->config_rd32(0, 4096) == UINT32_MAX &&
               messages("not that of a config word") == 2,
           "config offsets 2 and 4096");
    sim->exit();
}

static uint64_t wall_clock(struct simlib *sim)
{
    uint64_t low = simlib_read32(sim, 1, 2, 0xFFB121F0);
    return low | (uint64_t)simlib_read32(sim, 1, 2, 0xFFB121F8) << 32;
}

static void clock_counts(struct tap *tap, struct simlib *sim)
{
    simlib_start(sim);
    uint64_t start = wall_clock(sim);
    sim->clock(0);
    tap_ok(tap, wall_clock(sim) == start, "clock(0) does nothing");
    sim->clock(1);
    sim->clock(1);
    sim->clock(12345);
    tap_ok(tap, wall_clock(sim) == start + 12347, "clock(n) is n cycles");
    double seconds = now_seconds();
    sim->clock(UINT32_MAX);
    seconds = now_seconds() - seconds;
    tap_ok(tap, wall_clock(sim) == start + 12347 + UINT32_MAX, "clock(2^32-1) is as many cycles");
    tap_ok(tap, seconds < 0.1, "and no time on an idle chip (%.6f s)", seconds);
    sim->exit();
}

/* RISCV B of 1-2: a word, then an instruction that no document knows. */
static void start_illegal(struct simlib *sim)
{
    struct rv_program p = {.size_bytes = 0};
    rv_emit_li(&p, RV_A0, 0x3000);
    rv_emit(&p, rv_sw(RV_A0, 0, RV_A0));
    rv_emit(&p, 0xFFFFFFFF);
    rv_emit(&p, rv_sw(RV_A0, 4, RV_A0));
    rv_emit(&p, rv_jal(RV_ZERO, 0));
    simlib_write(sim, 1, 2, 0, p.word, p.size_bytes);
    simlib_write32(sim, 1, 2, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
}

static void stopping_fault(struct tap *tap, struct simlib *sim)
{
    setenv("KERR_ON_FAULT", "dead", 1);
    simlib_start(sim);
    start_illegal(sim);
    sim->clock(10000);
    tap_ok(tap, messages("the chip has stopped") == 1, "a stopping fault prints one message");
    tap_ok(tap, messages("1-2") + messages("(1,2)") > 0, "which names the tile");
    double seconds = now_seconds();
    for (int i = 0; i < 1000; i++)
        sim->clock(UINT32_MAX);
    seconds = now_seconds() - seconds;
    uint8_t data[64] = {0};
    sim->mem_rd(sim->bar0, data, sizeof data);
    bool ones = all_ones(data, sizeof data) && simlib_read32(sim, 5, 5, 0x3000) == UINT32_MAX;
    sim->mem_rd(sim->bar0 + SIM_TLB_CONFIG, data, 12);
    tap_ok(tap, ones && all_ones(data, 12), "after it every BAR read gives all ones");
    tap_ok(tap, seconds < 0.1, "and clock returns at once (%.6f s for 1000 calls)", seconds);
    tap_ok(tap, messages("the chip has stopped") == 1, "and nothing more is printed");
    sim->exit();
    simlib_start(sim);
    simlib_write32(sim, 1, 2, 0x3000, 7);
    sim->clock(100);
    tap_ok(tap, simlib_read32(sim, 1, 2, 0x3000) == 7, "exit and init bring the card back");
    sim->exit();

    pid_t child = fork();
    if (child == 0) {
        setenv("KERR_ON_FAULT", "exit", 1);
        simlib_start(sim);
        start_illegal(sim);
        sim->clock(10000);
        _exit(42);
    }
    int status = -1;
    waitpid(child, &status, 0);
    tap_ok(tap, WIFEXITED(status) && WEXITSTATUS(status) == 1, "KERR_ON_FAULT=exit ends the process with status 1");
    tap_ok(tap, messages("the chip has stopped") == 2, "and says why");

    setenv("KERR_ON_FAULT", "perhaps", 1);
    sim->init();
    tap_ok(tap, messages("KERR_ON_FAULT=perhaps") == 1 && sim->config_rd32(0, 0) == UINT32_MAX,
           "KERR_ON_FAULT=perhaps: there is no card");
    sim->exit();
    setenv("KERR_ON_FAULT", "card", 1);
    simlib_start(sim);
    simlib_write32(sim, 2, 2, 0x3000, 7);
    start_illegal(sim);
    sim->clock(10000);
    uint32_t beside = simlib_read32(sim, 2, 2, 0x3000);
    tap_ok(tap, beside == 7 && messages("the chip has stopped") == 2,
           "KERR_ON_FAULT=card: the rest of the card goes on");
    sim->exit();
    unsetenv("KERR_ON_FAULT");
}

/* A debugger that looks at what nobody has described, as tt-exalens' `pcnt read` does. */
static void only_reads(struct tap *tap, struct simlib *sim)
{
    enum { L1_GROUP = (int)0xFFB1211C, PACK_GROUP = (int)0xFFB12114, OVERLAY = (int)0xFFB40080 };
    simlib_start(sim);
    simlib_write32(sim, 1, 2, 0x3000, 7);
    uint32_t zero = 0;
    for (int i = 0; i < 3; i++) {
        zero |= simlib_read32(sim, 1, 2, (uint32_t)L1_GROUP) | simlib_read32(sim, 1, 2, (uint32_t)PACK_GROUP);
        (void)simlib_read32(sim, 1, 2, (uint32_t)OVERLAY);
        sim->tile_rd(8, 2, 0x1000, &(uint32_t){0}, 4); /* the security tile */
        sim->clock(10000);
    }
    tap_ok(tap, zero == 0, "a register that nobody describes reads as zero (0x%x)", zero);
    tap_ok(tap, messages("event 0 is not counted yet; a read stops nothing") == 1, "a note says why, once");
    tap_ok(tap, messages("no guide names event 0; a read stops nothing") == 1, "and of each");
    tap_ok(tap, messages("nothing is published but its NIU; a read stops nothing") == 1, "also of nodes without cores");
    tap_ok(tap, messages("the chip has stopped") == 2 && simlib_read32(sim, 1, 2, 0x3000) == 7, "the card goes on");
    sim->exit();
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    if (argc != 2)
        return 2;
    setenv("KERR_HOST_TIME", "0", 1);
    capture();
    /* A library of its own for each: it remembers what it has printed. */
    static void (*const groups[])(struct tap *, struct simlib *) = {
        wrong_order, no_card, bad_access, bad_window, bad_numbers, clock_counts, stopping_fault, only_reads};
    for (unsigned i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        struct simlib sim;
        if (!simlib_open(&sim, argv[1]))
            return 2;
        groups[i](&tap, &sim);
        dlclose(sim.handle);
    }
    fflush(stderr);
    dup2(real_stderr, 2);
    return tap_end(&tap);
}
