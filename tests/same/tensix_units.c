/* SPDX-License-Identifier: Apache-2.0 */
/* What units of the coprocessor do later, seen by cores: the Scalar Unit stores to L1 and to an NIU, ATCAS tries until a core
 * lets it, the mover copies.  The state must be the same with cores parked or not, for all windows, and after a snapshot. */
#include "../support/chip.h"
#include "../support/saved.h"
#include "../support/tap.h"
#include "../support/ttasm.h"

enum { TILES = 3, COMPARISONS = 120, GPR_BASE = 60, GPR_ONE = 12, GPR_VALUE = 9, GPR_ZERO = 2 };
enum {
    STORED = 0x2000,
    COUNTED = 0x2010,
    ACKNOWLEDGED = 0x2100,
    LOCK = 0x2200,
    SENT = 0x2400,
    MOVED = 0x3000,
    SEEN = 0x3100
};
#define PUSH 0xFFE40000u
#define TDMA 0xFFB11000u
#define NIU 0xFFB20000u
#define DONE_CHECK 0xFFE80004u
#define SEMAPHORE_3 0xFFE8002Cu

static rvasm *begin(uint32_t base)
{
    rvasm *a = rva_new(base);
    rva_li(a, T3, CFG0_firmware);
    rva(a, rv_csrrw(X0, CSR_cfg0, T3));
    rva_li(a, S1, PUSH);
    rva_li(a, S2, STORED);
    return a;
}

static void push(rvasm *a, uint32_t word)
{
    rva_li(a, T3, word);
    rva(a, rv_sw(T3, 0, S1));
}

static void set_gpr(rvasm *a, unsigned gpr, uint32_t value)
{
    push(a, tt_setdmareg(2 * gpr, value & 0xFFFF));
    push(a, tt_setdmareg(2 * gpr + 1, value >> 16));
}

/* Polls a word at an offset from STORED until it equals (or no longer equals) S0; it is in T4. */
static void poll(rvasm *a, int offset, bool equal)
{
    const uint32_t loop = rva_here(a);
    rva(a, rv_lw(T4, offset, S2));
    rva(a, equal ? rv_bne(T4, S0, rva_to(a, loop)) : rv_beq(T4, S0, rva_to(a, loop)));
}

/* T0: a number to L1, another tile's too, and a count; until RISCV B has answered. */
static rvasm *storing(void)
{
    rvasm *a = begin(0x10000);
    set_gpr(a, GPR_BASE, STORED / 16);
    set_gpr(a, GPR_ONE, 1);
    rva_li(a, S0, 0);
    rva_li(a, S3, tt_setdmareg(2 * GPR_VALUE, 0));
    const uint32_t loop = rva_here(a);
    rva(a, rv_addi(S0, S0, 1));
    rva(a, rv_slli(T3, S0, 8));
    rva(a, rv_add(T3, T3, S3));
    rva(a, rv_sw(T3, 0, S1));
    push(a, tt_storeind(1, 2 * GPR_ZERO, 0, GPR_VALUE, GPR_BASE));
    push(a, tt_flushdma(1));
    push(a, tt_reg_move(TT_STOREREG, GPR_ONE, NIU + 0x40));
    push(a, tt_setdmareg(2 * 10, 3));
    push(a, tt_alu(TT_ADDDMAREG, 1, 0, 11, 1, GPR_BASE));
    push(a, tt_atincget(31, 0, 10, 11));
    poll(a, ACKNOWLEDGED - STORED, true);
    rva(a, rv_jal(X0, rva_to(a, loop)));
    return a;
}

/* B: sends the mover and waits for it. */
static rvasm *answering(uint32_t neighbour)
{
    rvasm *a = begin(0x20000);
    rva_li(a, S4, TDMA);
    rva_li(a, S5, NIU);
    static const uint32_t niu[][2] = {{0x1C, 0x12}, {0x00, STORED}, {0x0C, SENT}, {0x10, 0}, {0x20, 16}};
    for (unsigned i = 0; i < 5; i++) {
        rva_li(a, T3, niu[i][1]);
        rva(a, rv_sw(T3, (int)niu[i][0], S5));
    }
    rva_li(a, T3, neighbour);
    rva(a, rv_sw(T3, 0x14, S5));
    rva_li(a, S0, 0);
    const uint32_t loop = rva_here(a);
    poll(a, 0, false);
    rva(a, rv_addi(S0, T4, 0));
    static const uint32_t move[] = {STORED / 16, MOVED / 16, 9, 3, 0x40};
    for (unsigned i = 0; i < 5; i++) {
        rva_li(a, T3, move[i]);
        rva(a, rv_sw(T3, (int)(4 * i), S4));
    }
    const uint32_t busy = rva_here(a);
    rva(a, rv_lw(T3, 0x14, S4));
    rva(a, rv_andi(T3, T3, 9));
    rva(a, rv_addi(T3, T3, -8));
    rva(a, rv_bne(T3, X0, rva_to(a, busy)));
    rva(a, rv_sw(S0, ACKNOWLEDGED - STORED, S2));
    rva(a, rv_jal(X0, rva_to(a, loop)));
    return a;
}

/* NC: sees what the mover brings. */
static rvasm *seeing(void)
{
    rvasm *a = begin(0x30000);
    rva_li(a, S0, 0);
    rva_li(a, S2, MOVED);
    const uint32_t loop = rva_here(a);
    poll(a, 0, false);
    rva(a, rv_addi(S0, T4, 0));
    rva(a, rv_sw(S0, SEEN - MOVED, S2));
    rva(a, rv_jal(X0, rva_to(a, loop)));
    return a;
}

/* T1: takes the lock again and again. */
static rvasm *locking(void)
{
    rvasm *a = begin(0x40000);
    rva_li(a, S6, DONE_CHECK);
    set_gpr(a, GPR_BASE, LOCK / 16);
    const uint32_t loop = rva_here(a);
    push(a, tt_atcas(1, 0, 0, GPR_BASE));
    push(a, tt_alu(TT_ADDDMAREG, 1, 0, 5, 1, 5));
    rva(a, rv_lw(T3, 0, S6));
    rva(a, rv_jal(X0, rva_to(a, loop)));
    return a;
}

/* T2: gives it back, some time later. */
static rvasm *unlocking(void)
{
    rvasm *a = begin(0x50000);
    rva_li(a, S0, 1);
    rva_li(a, S7, 5);
    const uint32_t loop = rva_here(a);
    poll(a, LOCK - STORED, true);
    rva(a, rv_addi(S7, S7, 7));
    rva(a, rv_andi(S7, S7, 63));
    rva(a, rv_addi(T3, S7, 0));
    const uint32_t later = rva_here(a);
    rva(a, rv_addi(T3, T3, -1));
    rva(a, rv_bge(T3, X0, rva_to(a, later)));
    rva(a, rv_sw(X0, LOCK - STORED, S2));
    rva(a, rv_jal(X0, rva_to(a, loop)));
    return a;
}

/* T0 posts a semaphore now and then, T2 polls it and gets it. */
static rvasm *posting(void)
{
    rvasm *a = begin(0x10000);
    rva_li(a, S3, tt_sem(TT_SEMPOST, 8));
    rva_li(a, S7, 5);
    push(a, tt_seminit(15, 0, 8));
    const uint32_t loop = rva_here(a);
    rva(a, rv_sw(S3, 0, S1));
    rva(a, rv_addi(S7, S7, 7));
    rva(a, rv_andi(S7, S7, 63));
    rva(a, rv_addi(T3, S7, 60));
    const uint32_t later = rva_here(a);
    rva(a, rv_addi(T3, T3, -1));
    rva(a, rv_bge(T3, X0, rva_to(a, later)));
    rva(a, rv_jal(X0, rva_to(a, loop)));
    return a;
}
static rvasm *getting(void)
{
    rvasm *a = begin(0x20000);
    rva_li(a, S3, SEMAPHORE_3);
    rva_li(a, S4, 1);
    rva_li(a, S0, 0);
    const uint32_t loop = rva_here(a);
    rva(a, rv_lw(T4, 0, S3));
    rva(a, rv_beq(T4, X0, rva_to(a, loop)));
    rva(a, rv_sw(S4, 0, S3));
    rva(a, rv_addi(S0, S0, 1));
    rva(a, rv_sw(S0, 0, S2));
    rva(a, rv_lw(T4, 0, S3));
    rva(a, rv_addi(T4, T4, 0));
    rva(a, rv_jal(X0, rva_to(a, loop)));
    return a;
}

static void semaphores(tap *t)
{
    kerr_chip *chip[2];
    for (unsigned i = 0; i < 2; i++) {
        kerr_config config;
        kerr_config_init(&config);
        config.threads = 1;
        config.no_parking = i;
        chip[i] = chip_new(&config);
        rvasm *post = posting(), *get_it = getting();
        chip_start(chip[i], kerr_tensix_xy(0), KERR_CORE_T0, post);
        chip_start(chip[i], kerr_tensix_xy(0), KERR_CORE_T2, get_it);
        free(post);
        free(get_it);
    }
    test_random random = {.state = 3};
    unsigned same = 0;
    for (unsigned i = 0; i < COMPARISONS; i++) {
        const uint64_t step = 1 + test_below(&random, 800);
        MUST(chip[0], kerr_run(chip[0], step));
        MUST(chip[1], kerr_run(chip[1], step));
        same += chip_hash(chip[0]) == chip_hash(chip[1]);
    }
    const uint32_t got = chip_word(chip[0], kerr_tensix_xy(0), STORED);
    tap_ok(t, same == COMPARISONS && got > COMPARISONS,
           "a semaphore polled: %u of %u random cycles agree, got %u times", same, COMPARISONS, got);
    kerr_destroy(chip[0]);
    kerr_destroy(chip[1]);
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
        const kerr_xy at = kerr_tensix_xy(i), next = kerr_tensix_xy((i + 1) % TILES);
        rvasm *programs[] = {answering((uint32_t)next.x | (uint32_t)next.y << 6), storing(), locking(), unlocking(),
                             seeing()};
        for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
            chip_start(chip, at, (kerr_core)core, programs[core]);
            free(programs[core]);
        }
        if (i == 1)
            MUST(chip, kerr_run(chip, 37)); /* not all in step */
    }
    return chip;
}

static void on_trace(void *context, const kerr_trace_event *event)
{
    ++((uint64_t *)context)[event->kind];
}

static kerr_chip *traced(kerr_chip *chip, uint32_t kinds, uint64_t *count)
{
    MUST(chip, kerr_set_trace_kinds(chip, kinds, on_trace, count));
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
        const kerr_xy at = kerr_tensix_xy(i);
        const uint32_t stored = chip_word(one, at, STORED), seen = chip_word(one, at, SEEN);
        const uint32_t counted = chip_word(one, at, COUNTED), sent = chip_word(one, at, SENT);
        if (stored < 50 || seen + 2 < stored || counted / 3 + 2 < stored || sent < 50)
            tap_ok(t, false, "tile %u works: %u stored, %u seen, %u counted, %u sent", i, stored, seen, counted / 3,
                   sent);
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
    const uint32_t kinds = KERR_TRACE_INSTRUCTION | KERR_TRACE_STATE | KERR_TRACE_TENSIX;
    uint64_t told[2][KERR_TRACE_TENSIX + 1] = {{0}};
    compare(&t, traced(make(false, 0), kinds, told[0]), make(false, 0), 6, "a trace");
    compare(&t, traced(make(false, 0), kinds | KERR_TRACE_PARKING, told[1]), make(false, 0), 6,
            "a trace that lets cores park");
    tap_ok(&t, told[0][KERR_TRACE_TENSIX] > 10000 && told[0][KERR_TRACE_TENSIX] == told[1][KERR_TRACE_TENSIX],
           "both tell the same of the coprocessor: %" PRIu64 " and %" PRIu64 " records", told[0][KERR_TRACE_TENSIX],
           told[1][KERR_TRACE_TENSIX]);
    tap_ok(&t, told[1][KERR_TRACE_INSTRUCTION] < told[0][KERR_TRACE_INSTRUCTION], "laps of parked cores are not told");
    semaphores(&t);
    return tap_end(&t);
}
