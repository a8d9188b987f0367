/* SPDX-License-Identifier: Apache-2.0 */
/* usage: basic LIBRARY
 * Config space and windows onto L1, with no core running.  Any library with the libttsim ABI. */
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>

static uint32_t pattern(unsigned x, unsigned y, uint32_t i)
{
    return UINT32_C(0x9E3779B9) * (i + 1) ^ x << 24 ^ y << 16;
}

static void config_space(struct tap *tap, struct simlib *sim)
{
    tap_ok(tap, sim->config_rd32(0, 0) == UINT32_C(0xB1401E52), "vendor 1e52, device b140");
    tap_ok(tap, (sim->config_rd32(0, 0x08) >> 16) == 0x1200, "class: processing accelerator");
    bool pairs = true;
    for (uint32_t offset = 0x10; offset <= 0x20; offset += 8)
        pairs = pairs && (sim->config_rd32(0, offset) & 7) == 4;
    tap_ok(tap, pairs, "BAR0, BAR2 and BAR4 are 64-bit memory");
    bool apart = sim->bar0 % (512u << 20) == 0 && sim->bar2 % (1u << 20) == 0 && sim->bar4 % (UINT64_C(32) << 30) == 0;
    tap_ok(tap, apart, "each BAR is aligned to its size");
    tap_ok(tap, sim->config_rd32(1 << 3, 0) == UINT32_MAX, "no device 1");

    uint32_t low = sim->config_rd32(0, 0x20), high = sim->config_rd32(0, 0x24);
    sim->config_wr32(0, 0x20, UINT32_MAX);
    sim->config_wr32(0, 0x24, UINT32_MAX);
    uint64_t mask = sim->config_rd32(0, 0x20) | (uint64_t)sim->config_rd32(0, 0x24) << 32;
    sim->config_wr32(0, 0x20, low);
    sim->config_wr32(0, 0x24, high);
    tap_ok(tap, ~(mask & ~UINT64_C(15)) + 1 == UINT64_C(32) << 30, "BAR4 sizes as 32 GiB");
    tap_ok(tap, simlib_bar(sim, 0x20) == sim->bar4, "and takes its address back");
}

static void windows(struct tap *tap, struct simlib *sim)
{
    bool zero = true, same = true;
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        uint32_t words[16], got[16];
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        simlib_read(sim, x, y, 0x1000, got, sizeof got);
        for (unsigned k = 0; k < 16; k++) {
            zero = zero && got[k] == 0;
            words[k] = pattern(x, y, k);
        }
        simlib_write(sim, x, y, 0x1000, words, sizeof words);
    }
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        uint32_t got[16];
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        simlib_read(sim, x, y, 0x1000, got, sizeof got);
        for (unsigned k = 0; k < 16; k++)
            same = same && got[k] == pattern(x, y, k);
    }
    tap_ok(tap, zero, "L1 of all 140 tiles is zero at first");
    tap_ok(tap, same, "140 tiles keep 140 patterns, through one window moved about");

    /* Every window, each on another tile, all configured before the first is used. */
    bool all = true;
    for (unsigned w = 0; w < SIM_WINDOWS; w++) {
        unsigned i = w % SIM_TENSIX;
        simlib_point(sim, w, sim_tensix_x(i), sim_tensix_y(i), 0x1000);
    }
    for (unsigned w = 0; w < SIM_WINDOWS; w++) {
        unsigned i = w % SIM_TENSIX;
        uint32_t value = 0;
        sim->mem_rd(simlib_behind(sim, w, 0x1004), &value, 4);
        all = all && value == pattern(sim_tensix_x(i), sim_tensix_y(i), 1);
    }
    tap_ok(tap, all, "202 windows of 2 MiB and 8 of 4 GiB at once");

    /* Byte lanes, odd sizes, the last byte of L1. */
    uint8_t bytes[7] = {1, 2, 3, 4, 5, 6, 7}, back[9] = {0};
    simlib_write(sim, 1, 2, 0x2000, "\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA", 9);
    simlib_write(sim, 1, 2, 0x2001, bytes, 7);
    simlib_read(sim, 1, 2, 0x2000, back, 9);
    tap_ok(tap, back[0] == 0xAA && memcmp(back + 1, bytes, 7) == 0 && back[8] == 0xAA, "7 bytes at an odd address");
    uint8_t last = 0x5A, last_back = 0;
    simlib_write(sim, 16, 11, SIM_L1_BYTES - 1, &last, 1);
    simlib_read(sim, 16, 11, SIM_L1_BYTES - 1, &last_back, 1);
    tap_ok(tap, last_back == 0x5A, "the last byte of L1");

    /* A whole L1 in one go through each size of window. */
    uint8_t *image = malloc(SIM_L1_BYTES), *got = malloc(SIM_L1_BYTES);
    for (uint32_t i = 0; i < SIM_L1_BYTES; i++)
        image[i] = (uint8_t)(pattern(7, 7, i >> 2) >> (i & 3) * 8);
    sim->mem_wr(simlib_point(sim, 3, 10, 5, 0), image, SIM_L1_BYTES);
    sim->mem_rd(simlib_point(sim, 205, 10, 5, 0), got, SIM_L1_BYTES);
    tap_ok(tap, memcmp(image, got, SIM_L1_BYTES) == 0, "1.5 MiB written through 2 MiB, read through 4 GiB");
    free(image);
    free(got);

    /* Registers through both sizes: the reset PC of T0 keeps what is written. */
    uint32_t pc = 0x12340, pc_back = 0;
    sim->mem_wr(simlib_point(sim, 9, 4, 4, 0xFFB12228), &pc, 4);
    sim->mem_rd(simlib_point(sim, 207, 4, 4, 0xFFB12228), &pc_back, 4);
    tap_ok(tap, pc_back == pc, "a register at 0xFFB12228 through both sizes of window");
    tap_ok(tap, simlib_read32(sim, 4, 4, SIM_SOFT_RESET) == SIM_RESET_ALL, "all five cores start in reset");
}

static void multicast(struct tap *tap, struct simlib *sim)
{
    struct sim_window w = {.address = 0x4000, .x_start = 2, .y_start = 3, .x_end = 11, .y_end = 4, .mcast = true};
    uint32_t value = 0xCAFE0001;
    for (unsigned i = 0; i < SIM_TENSIX; i++)
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), 0x4000, 0);
    simlib_configure(sim, 40, &w);
    sim->mem_wr(simlib_behind(sim, 40, 0x4000), &value, 4);
    bool exact = true;
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        bool inside = x >= 2 && x <= 11 && y >= 3 && y <= 4;
        exact = exact && simlib_read32(sim, x, y, 0x4000) == (inside ? value : 0);
    }
    tap_ok(tap, exact, "a multicast reaches the Tensix tiles of its rectangle and no others");
}

/* As on a card: tt-exalens' test_noc. */
static void nius(struct tap *tap, struct simlib *sim)
{
    enum { WRITES = 0x2E8, READS = 0x2D4, NODE_ID = 0x44 };
    const uint32_t noc0 = 0xFFB20000, noc1 = 0xFFB30000;
    uint32_t writes = simlib_read32(sim, 5, 5, noc0 + WRITES), reads = simlib_read32(sim, 5, 5, noc0 + READS);
    for (unsigned i = 0; i < 3; i++)
        simlib_write32(sim, 5, 5, 0x330, i);
    tap_ok(tap, simlib_read32(sim, 5, 5, noc0 + WRITES) - writes == 3, "a write through a window counts in the NIU");
    tap_ok(tap, simlib_read32(sim, 5, 5, noc0 + READS) - reads == 2, "and so does a read");
    tap_ok(tap, simlib_read32(sim, 5, 5, noc1 + WRITES) == 0, "on the NoC it came by");
    uint32_t id0 = simlib_read32(sim, 7, 1, noc0 + NODE_ID), id1 = simlib_read32(sim, 7, 1, noc1 + NODE_ID);
    tap_ok(tap, (id0 & 0xFFF) == (7 | 1 << 6) && (id1 & 0xFFF) == (9 | 10 << 6),
           "the NIUs of a harvested tile say where they are (%x, %x)", id0, id1);
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    struct simlib sim;
    if (argc != 2 || !simlib_open(&sim, argv[1]))
        return 2;
    setenv("KERR_HOST_TIME", "0", 1);
    simlib_start(&sim);
    config_space(&tap, &sim);
    windows(&tap, &sim);
    multicast(&tap, &sim);
    nius(&tap, &sim);
    sim.exit();
    return tap_end(&tap);
}
