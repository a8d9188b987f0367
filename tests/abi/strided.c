/* SPDX-License-Identifier: Apache-2.0 */
/* usage: strided LIBRARY
 * Multicast through windows in all its shapes (manual PCIExpressTile/HostToDeviceTLBs): NoC 1, across the seam of the
 * torus, keep and skip, exclusion.  Kerr only: ttsim has rectangles only. */
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>

#define NIU_1_CFG_0 UINT64_C(0x1FD14100) /* BAR0; bit 14: translation */

static uint32_t round_number;

/* Multicasts through the window and counts where the word arrived; expect says where it should. */
static bool arrives(struct simlib *sim, unsigned index, const struct sim_window *w, bool (*expect)(unsigned, unsigned))
{
    uint32_t word = ++round_number;
    simlib_configure(sim, index, w);
    sim->mem_wr(simlib_behind(sim, index, w->address), &word, 4);
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        if ((simlib_read32(sim, x, y, w->address) == word) != expect(x, y)) {
            printf("# %u-%u\n", x, y);
            return false;
        }
    }
    return true;
}

static void stride(struct simlib *sim, unsigned index, uint32_t word)
{
    simlib_word(sim, SIM_TLB_STRIDED + 4 * index, word);
}

static uint32_t keep_skip(uint32_t x_keep, uint32_t x_skip, uint32_t y_keep, uint32_t y_skip)
{
    return x_keep | x_skip << 2 | y_keep << 4 | y_skip << 6;
}

static bool everywhere(unsigned x, unsigned y)
{
    return x + y > 0;
}
static bool corner(unsigned x, unsigned y)
{
    return x >= 14 && y >= 10;
}
static bool seam(unsigned x, unsigned y)
{
    return (x >= 15 || x <= 2) && (y >= 11 || y <= 3);
}
static bool every_second(unsigned x, unsigned y)
{
    return x % 2 == 1 && y % 4 < 2 && y >= 4;
}
static bool without_quadrant(unsigned x, unsigned y)
{
    return !(x >= 10 && y <= 5);
}
static bool single(unsigned x, unsigned y)
{
    return x == 3 && y == 4;
}
static bool nowhere(unsigned x, unsigned y)
{
    return x + y == 0;
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    struct simlib sim;
    if (argc != 2 || !simlib_open(&sim, argv[1]))
        return 2;
    setenv("KERR_HOST_TIME", "0", 1);
    simlib_start(&sim);
    struct sim_window all = {.address = 0x5000, .x_start = 0, .y_start = 0, .x_end = 16, .y_end = 11, .mcast = true};
    tap_ok(&tap, arrives(&sim, 5, &all, everywhere), "the whole grid: 140 tiles");
    tap_ok(&tap, arrives(&sim, 205, &all, everywhere), "through a window of 4 GiB");
    simlib_word(&sim, NIU_1_CFG_0, 0); /* raw coordinates */
    struct sim_window noc1 = {.address = 0x5000, .x_end = 2, .y_end = 1, .noc1 = true, .mcast = true};
    tap_ok(&tap, arrives(&sim, 5, &noc1, corner), "on NoC 1, 0-0 to 2-1 is 16-11 to 14-10 on NoC 0");
    struct sim_window single1 = {.address = 0x5000, .x_end = 13, .y_end = 7, .noc1 = true};
    tap_ok(&tap, arrives(&sim, 6, &single1, single), "13-7 on NoC 1 is 3-4 on NoC 0");
    simlib_word(&sim, NIU_1_CFG_0, 1 << 14);
    single1.x_end = 3;
    single1.y_end = 4;
    tap_ok(&tap, arrives(&sim, 6, &single1, single), "with translation 3-4 is 3-4 on NoC 1 too");
    noc1 = (struct sim_window){
        .address = 0x5000, .x_start = 16, .y_start = 11, .x_end = 14, .y_end = 10, .noc1 = true, .mcast = true};
    tap_ok(&tap, arrives(&sim, 5, &noc1, corner), "and a multicast there goes from 16-11 to 14-10");
    struct sim_window wrap = {.address = 0x5000, .x_start = 15, .y_start = 11, .x_end = 2, .y_end = 3, .mcast = true};
    tap_ok(&tap, arrives(&sim, 5, &wrap, seam), "from 15-11 over the seam to 2-3");

    struct sim_window some = {.address = 0x5000, .x_start = 1, .y_start = 4, .x_end = 16, .y_end = 11, .mcast = true};
    /* x 1 3 5 7 11 13 15 (9 is DRAM), y 4 5 8 9 */
    stride(&sim, 7, keep_skip(1, 1, 2, 2) | 28u << 21);
    tap_ok(&tap, arrives(&sim, 7, &some, every_second), "keep 1 skip 1 in x, keep 2 skip 2 in y");
    stride(&sim, 7, keep_skip(1, 1, 2, 2) | 27u << 21);
    tap_ok(&tap, arrives(&sim, 7, &some, nowhere), "num_destinations_override of 27 for 28 tiles is refused");
    stride(&sim, 7, keep_skip(1, 1, 2, 2));
    tap_ok(&tap, arrives(&sim, 7, &some, nowhere), "and so is 0, which is for rectangles");
    /* x >= 10 and y <= 5 left out: 140 - 7 * 4 */
    stride(&sim, 8, 10u << 8 | 5u << 13 | 1u << 17 | 0u << 18 | 1u << 19 | 112u << 21);
    tap_ok(&tap, arrives(&sim, 8, &all, without_quadrant), "a quadrant left out");
    stride(&sim, 9, 3u << 2);
    tap_ok(&tap, arrives(&sim, 9, &all, everywhere), "keep 0 skip 3 is no pattern");
    uint32_t back = 0;
    sim.mem_rd(sim.bar0 + SIM_TLB_STRIDED + 4 * 8, &back, 4);
    tap_ok(&tap, back >> 21 == 112, "the strided words read back");
    sim.exit();
    return tap_end(&tap);
}
