/* SPDX-License-Identifier: Apache-2.0 */
/* Banks of SrcA and SrcB on their way from the unpackers to the Matrix Unit and back, while a core changes what is unpacked.
 * The state must be the same with cores parked or not, for all windows, and after a snapshot.
 *
 * T0 unpacks a tile of FP32 to SrcA, sixteen rows of BFP8 to SrcB or a cleared bank of it, T1 moves rows to Dst and gives both
 * banks back, T2 writes the tile in L1 over and over. */
#include "../support/chip.h"
#include "../support/saved.h"
#include "../support/tap.h"
#include "../support/ttasm.h"

enum { TILES = 2, COMPARISONS = 100, TILE_A = 0x8000, TILE_B = 0xC000, ROUNDS = 0x2000 };
#define PUSH 0xFFE40000u
#define CONFIG 0xFFEF0000u

static uint32_t unpacr(unsigned which)
{
    return 0x42000001u | which << 23 | 1u << 7 | 1u << 6; /* MultiContextMode, FlipSrc, Last */
}

static uint32_t move_rows(bool b, unsigned row)
{
    return (b ? 0x13000000u : 0x12000000u) | row << 17 | 1u << 13 | row; /* MOVB2D of 4, MOVA2D of 8 rows */
}

static rvasm *begin(uint32_t base)
{
    rvasm *a = rva_new(base);
    rva_li(a, T3, CFG0_firmware);
    rva(a, rv_csrrw(X0, CSR_cfg0, T3));
    rva_li(a, S1, PUSH);
    rva_li(a, S2, ROUNDS);
    rva_li(a, S0, 0);
    return a;
}

static void push(rvasm *a, uint32_t word)
{
    rva_li(a, T3, word);
    rva(a, rv_sw(T3, 0, S1));
}

/* A round is over: its number to L1, 4 bytes a thread; and again. */
static void again(rvasm *a, unsigned thread, uint32_t loop)
{
    rva(a, rv_addi(S0, S0, 1));
    rva(a, rv_sw(S0, (int)(4 * thread), S2));
    rva(a, rv_jal(X0, rva_to(a, loop)));
}

static rvasm *unpacking(void)
{
    rvasm *a = begin(0x10000);
    static const uint32_t config[][2] = {
        {64, 0 | 1 << 4},      {65, 1 | 4 << 16}, {72, 4 | 2 << 4}, {73, 0xF000F},
        {76, TILE_A / 16 - 1}, {84, 64},          {86, 256},        {112, 6 | 1 << 4 | 256 << 16},
        {113, 1 | 1 << 16},    {120, 6 | 2 << 4}, {121, 0xF000F},   {124, TILE_B / 16 - 1},
    };
    rva_li(a, S3, CONFIG);
    for (unsigned i = 0; i < sizeof config / sizeof *config; i++) {
        rva_li(a, T3, config[i][1]);
        rva(a, rv_sw(T3, (int)(4 * config[i][0]), S3));
    }
    push(a, 0xB2000000u | 5 << 16 | 4);            /* SETC16 SRCA_SET */
    push(a, 0x5E000000u | 1u << 21 | 1023u << 10); /* SETADCXX of unpacker 0 */
    push(a, 0x5E000000u | 1u << 22 | 255u << 10);  /* of unpacker 1 */
    push(a, 0xA2000000u | 8u << 15 | 1u << 10);    /* STALLWAIT until configuration is there */
    const uint32_t loop = rva_here(a);
    push(a, unpacr(0));
    push(a, unpacr(1));
    push(a, unpacr(0));
    push(a, 0x43800101u); /* UNPACR_NOP: SrcB cleared and handed over */
    again(a, 0, loop);
    return a;
}

static rvasm *moving(void)
{
    rvasm *a = begin(0x20000);
    const uint32_t loop = rva_here(a);
    for (unsigned row = 0; row < 64; row += 8)
        push(a, move_rows(false, row));
    for (unsigned row = 0; row < 16; row += 4)
        push(a, move_rows(true, row));
    push(a, tt_word(TT_SETRWC, 3u << 22)); /* both banks go back */
    again(a, 1, loop);
    return a;
}

static rvasm *writing(void)
{
    rvasm *a = begin(0x30000);
    rva_li(a, S3, TILE_A);
    rva_li(a, S4, TILE_B);
    const uint32_t loop = rva_here(a);
    rva(a, rv_slli(T4, S0, 16));
    rva(a, rv_sw(T4, 0, S3));
    rva(a, rv_sw(T4, 0x400, S3));
    rva(a, rv_sw(S0, 0x40, S4));
    again(a, 2, loop);
    return a;
}

static kerr_chip *make(bool no_parking, uint32_t window)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    config.no_parking = no_parking;
    config.window_cycles = window;
    kerr_chip *chip = chip_new(&config);
    for (uint32_t i = 0; i < TILES; i++) {
        rvasm *programs[] = {unpacking(), moving(), writing()};
        for (unsigned core = 0; core < 3; core++) {
            chip_start(chip, kerr_tensix_xy(i), (kerr_core)(KERR_CORE_T0 + core), programs[core]);
            free(programs[core]);
        }
        MUST(chip, kerr_run(chip, 37)); /* not in step */
    }
    return chip;
}

static void compare(tap *t, kerr_chip *one, kerr_chip *other, uint64_t seed, const char *what)
{
    test_random random = {.state = seed};
    unsigned same = 0;
    for (unsigned i = 0; i < COMPARISONS; i++) {
        const uint64_t step = 1 + (test_below(&random, 4) ? test_below(&random, 60) : test_below(&random, 1500));
        MUST(one, kerr_run(one, step));
        MUST(other, kerr_run(other, step));
        const bool good = chip_hash(one) == chip_hash(other);
        if (!good && same == i)
            printf("# state first differs at cycle %" PRIu64 "\n", chip_cycle(one));
        same += good;
    }
    tap_ok(t, same == COMPARISONS, "%s: %u of %u random cycles agree", what, same, COMPARISONS);
    for (uint32_t i = 0; i < TILES; i++) {
        const uint32_t unpacked = chip_word(one, kerr_tensix_xy(i), ROUNDS);
        const uint32_t moved = chip_word(one, kerr_tensix_xy(i), ROUNDS + 4);
        tap_ok(t, unpacked > 100 && moved > 200, "tile %u works: %u rounds unpacked, %u moved", i, unpacked, moved);
    }
    kerr_destroy(one);
    kerr_destroy(other);
}

int main(void)
{
    tap t = {0};
    compare(&t, make(false, 0), make(true, 0), 1, "parked or not");
    static const uint32_t windows[] = {1, 7, 25};
    for (unsigned i = 0; i < 3; i++)
        compare(&t, make(false, windows[i]), make(false, 0), 2 + i, "short windows or long");
    kerr_chip *straight = make(false, 0), *restored = make(true, 0);
    MUST(straight, kerr_run(straight, 5431));
    saved_bytes s = {0};
    MUST(straight, kerr_save(straight, saved_put, &s));
    MUST(restored, kerr_restore(restored, saved_get, &s));
    free(s.data);
    compare(&t, straight, restored, 9, "saved and restored");
    return tap_end(&t);
}
