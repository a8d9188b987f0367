/* SPDX-License-Identifier: Apache-2.0 */
/* The host writes to pages that cores are writing too, while a core sends packets now and then: the same state whatever the
 * length of windows. */
#include "../support/chip.h"
#include "../support/tap.h"
#include "noc_regs.h"

enum { CODE = 0x4000, PAGE = 0x8000, TARGET = 0x20000, TILES = 2, SLICE = 1500, SLICES = 40, SHORT_WINDOW = 8 };
#define NIU UINT32_C(0xFFB20000)

static void set_register(kerr_chip *chip, kerr_xy at, uint32_t offset, uint32_t value)
{
    MUST(chip, kerr_write(chip, at, NIU + offset, &value, sizeof value));
}

/* Counts in L1, and after every `count` steps sends 64 bytes to the other tile. */
static void start(kerr_chip *chip, kerr_xy at, kerr_xy to, uint32_t count)
{
    set_register(chip, at, NOC_TARG_ADDR_LO, PAGE);
    set_register(chip, at, NOC_TARG_ADDR_HI, at.x | (uint32_t)at.y << 6);
    set_register(chip, at, NOC_RET_ADDR_LO, TARGET);
    set_register(chip, at, NOC_RET_ADDR_HI, to.x | (uint32_t)to.y << 6);
    set_register(chip, at, NOC_CTRL, 2); /* a posted write */
    set_register(chip, at, NOC_AT_LEN_BE, 64);
    rvasm *a = rva_new(CODE);
    rva_li(a, S0, PAGE);
    rva_li(a, S1, NIU);
    rva_li(a, T2, 1);
    const uint32_t again = rva_here(a);
    rva_li(a, T0, count);
    const uint32_t step = rva_here(a);
    rva(a, rv_amoadd_w(T1, T2, S0)); /* past the L0 data cache */
    rva(a, rv_addi(T0, T0, -1));
    rva(a, rv_bne(T0, X0, rva_to(a, step)));
    rva(a, rv_sw(T2, NOC_CMD_CTRL, S1));
    rva(a, rv_j(rva_to(a, again)));
    chip_start(chip, at, KERR_CORE_B, a);
    free(a);
}

static void run(uint32_t window, uint64_t hash[SLICES])
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    config.window_cycles = window;
    kerr_chip *chip = chip_new(&config);
    for (uint32_t i = 0; i < TILES; i++) {
        start(chip, kerr_tensix_xy(i), kerr_tensix_xy(TILES - 1 - i), 500 + 301 * i);
    }
    for (uint32_t s = 0; s < SLICES; s++) {
        MUST(chip, kerr_run(chip, SLICE));
        for (uint32_t i = 0; i < TILES; i++) { /* the line after the counter's */
            MUST(chip, kerr_write(chip, kerr_tensix_xy(i), PAGE + 0x80, &s, sizeof s));
        }
        hash[s] = chip_hash(chip);
    }
    kerr_destroy(chip);
}

int main(void)
{
    tap t = {0};
    uint64_t want[SLICES], got[SLICES];
    run(SHORT_WINDOW, want);
    run(0, got);
    uint32_t same = 0;
    while (same < SLICES && got[same] == want[same]) {
        same++;
    }
    tap_ok(&t, same == SLICES, "host writes between long windows: %u of %d slices alike", (unsigned)same, SLICES);
    return tap_end(&t);
}
