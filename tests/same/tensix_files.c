/* SPDX-License-Identifier: Apache-2.0 */
/* Register files of the coprocessor that instructions change all the time: the same state whether windows are short or long,
 * while a core sends packets, and with a save and a restore in between. */
#include "../support/chip.h"
#include "../support/tap.h"
#include "noc_regs.h"

enum { CODE_B = 0x4000, CODE_T = 0x6000, DATA = 0x8000, TARGET = 0x20000, TILES = 2, SLICE = 1500, SLICES = 40 };
enum { SHORT_WINDOW = 8, SNAPSHOT_ROOM = 64 << 20 };
#define NIU UINT32_C(0xFFB20000)
#define INSTRN_BUF UINT32_C(0xFFE40000)
#define DST UINT32_C(0xFFBD8000)
#define THREAD_CONFIG_0 UINT32_C(0xFFEF0A80) /* behind three times 224 words */
/* The steps of Dst rows of address modes 1 and 2. */
enum { ADDR_MOD_DST_1 = 29, ADDR_MOD_DST_2 = 30 };

static void set_register(kerr_chip *chip, kerr_xy at, uint32_t offset, uint32_t value)
{
    MUST(chip, kerr_write(chip, at, NIU + offset, &value, sizeof value));
}

/* RISCV B sends 64 bytes to the other tile each time it has counted to `count`. */
static void start_b(kerr_chip *chip, kerr_xy at, kerr_xy to, uint32_t count)
{
    set_register(chip, at, NOC_TARG_ADDR_LO, DATA);
    set_register(chip, at, NOC_TARG_ADDR_HI, at.x | (uint32_t)at.y << 6);
    set_register(chip, at, NOC_RET_ADDR_LO, TARGET);
    set_register(chip, at, NOC_RET_ADDR_HI, to.x | (uint32_t)to.y << 6);
    set_register(chip, at, NOC_CTRL, 2); /* a posted write */
    set_register(chip, at, NOC_AT_LEN_BE, 64);
    rvasm *a = rva_new(CODE_B);
    rva_li(a, S1, NIU);
    rva_li(a, T2, 1);
    const uint32_t again = rva_here(a);
    rva_li(a, T0, count);
    const uint32_t step = rva_here(a);
    rva(a, rv_addi(T0, T0, -1));
    rva(a, rv_bne(T0, X0, rva_to(a, step)));
    rva(a, rv_sw(T2, NOC_CMD_CTRL, S1));
    rva(a, rv_j(rva_to(a, again)));
    chip_start(chip, at, KERR_CORE_B, a);
    free(a);
}

/* RISCV T0 pushes an instruction of each kind again and again, SFPLOADI with a value that goes up, and stores to Dst.  Those
 * that turn something round show if one was executed twice. */
static void start_t(kerr_chip *chip, kerr_xy at)
{
    static const uint32_t words[] = {
        0x10000000 | 1 << 14,              /* ZEROACC of one row, address mode 1 */
        0x10000000 | 1 << 17 | 2 << 14,    /* the same with Revert, address mode 2 */
        0x91000000 | 4 << 4,               /* SFPCONFIG Sequence[0] from LReg[0] */
        0x91000000 | 1 << 8 | 15 << 4 | 7, /* SFPCONFIG: a bit of LaneConfig is turned round */
        0x8A000000 | 1,                    /* SFPENCC: flags are used or not in turn, and true */
        0x38000000 | 1 << 10 | 1 << 6,     /* INCRWC */
        0x52000000 | 7 << 21 | 1 << 6,     /* INCADCXY */
        0x57000003,                        /* SETDVALID: both banks to the Matrix Unit */
        0x0A002000,                        /* MOVD2B, four rows */
        0x18000000,                        /* SHIFTXB: row 0 is turned */
        0x0B022000 | 4 << 17,              /* MOVB2A, four rows */
        0x08000000 | 16 << 17 | 1,         /* MOVD2A */
        0x17000003,                        /* SHIFTXA */
        0x16000000,                        /* TRNSPSRCB */
        0x12002000 | 8 << 17 | 64,         /* MOVA2D, eight rows */
        0x13001000 | 128,                  /* MOVB2D, one row to eight */
        0x36C00000,                        /* CLEARDVALID: both banks back */
    };
    static const uint32_t steps[] = {7, 12};
    MUST(chip, kerr_core_poke(chip, at, KERR_CORE_B, THREAD_CONFIG_0 + 4 * ADDR_MOD_DST_1, &steps[0], 4));
    MUST(chip, kerr_core_poke(chip, at, KERR_CORE_B, THREAD_CONFIG_0 + 4 * ADDR_MOD_DST_2, &steps[1], 4));
    rvasm *a = rva_new(CODE_T);
    rva_li(a, S0, INSTRN_BUF);
    rva_li(a, S1, DST);
    rva_li(a, T0, 0x71020000); /* SFPLOADI LReg[0], unsigned */
    const uint32_t again = rva_here(a);
    rva(a, rv_addi(T0, T0, 1));
    rva(a, rv_sw(T0, 0, S0));
    rva(a, rv_lw(T1, 64, S1)); /* of Dst: an element goes on to the next one */
    rva(a, rv_sw(T1, 68, S1));
    rva(a, rv_sw(T0, 64, S1));
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        rva_li(a, T1, words[i]);
        rva(a, rv_sw(T1, 0, S0));
    }
    rva(a, rv_j(rva_to(a, again)));
    chip_start(chip, at, KERR_CORE_T0, a);
    free(a);
}

typedef struct snapshot {
    size_t size, at;
    uint8_t data[SNAPSHOT_ROOM];
} snapshot;

static bool put(void *context, const void *data, size_t size)
{
    snapshot *s = context;
    if (size > sizeof s->data - s->size) {
        return false;
    }
    memcpy(s->data + s->size, data, size);
    s->size += size;
    return true;
}

static bool get(void *context, void *data, size_t size)
{
    snapshot *s = context;
    if (size > s->size - s->at) {
        return false;
    }
    memcpy(data, s->data + s->at, size);
    s->at += size;
    return true;
}

static void run(uint32_t window, snapshot *saved, uint64_t hash[SLICES])
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    config.window_cycles = window;
    kerr_chip *chip = chip_new(&config);
    for (uint32_t i = 0; i < TILES; i++) {
        start_b(chip, kerr_tensix_xy(i), kerr_tensix_xy(TILES - 1 - i), 700 + 301 * i);
        start_t(chip, kerr_tensix_xy(i));
    }
    for (uint32_t s = 0; s < SLICES; s++) {
        MUST(chip, kerr_run(chip, SLICE));
        hash[s] = chip_hash(chip);
        if (saved != NULL && s % 10 == 5) {
            saved->size = saved->at = 0;
            MUST(chip, kerr_save(chip, put, saved));
            MUST(chip, kerr_run(chip, 777)); /* which is forgotten */
            MUST(chip, kerr_restore(chip, get, saved));
        }
    }
    kerr_destroy(chip);
}

static void compare(tap *t, const uint64_t want[SLICES], const uint64_t got[SLICES], const char *what)
{
    uint32_t same = 0;
    while (same < SLICES && got[same] == want[same]) {
        same++;
    }
    tap_ok(t, same == SLICES, "%s: %u of %d slices alike", what, (unsigned)same, SLICES);
}

int main(void)
{
    tap t = {0};
    uint64_t want[SLICES], got[SLICES];
    snapshot *saved = malloc(sizeof *saved);
    if (saved == NULL) {
        return 1;
    }
    run(SHORT_WINDOW, NULL, want);
    uint32_t different = 0;
    for (uint32_t s = 1; s < SLICES; s++) {
        different += want[s] != want[s - 1];
    }
    tap_ok(&t, different == SLICES - 1, "state changes from slice to slice");
    run(0, NULL, got);
    compare(&t, want, got, "long windows");
    run(0, saved, got);
    compare(&t, want, got, "save, something else, restore");
    free(saved);
    return tap_end(&t);
}
