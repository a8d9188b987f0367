/* SPDX-License-Identifier: Apache-2.0 */
/* Each check of synchronisation, on a program that has the bug and on one that has it mended: the first gives findings of its kind
 * alone, with both ends where there are two, the second gives none.  Then the sdk's matmul with one instruction taken out.
 *
 *   sync_pairs KERNELS */
#include "../support/check_programs.h"
#include "../support/tap.h"

#include "../../bench/matmul_chip.h"

#include <stddef.h>
#include <string.h>

enum { FLAG = 0x38000, CYCLES = 8000 };
#define STREAM 0xFFB45000u /* of circular buffer CB_ID */
#define PAGES_PUSHED (STREAM + 4 * 10)
#define PAGES_POPPED (STREAM + 4 * 8)

static void set_gpr(rvasm *a, unsigned gpr, uint32_t value)
{
    push(a, tt_setdmareg(2 * gpr, value & 0xFFFF));
    push(a, tt_setdmareg(2 * gpr + 1, value >> 16));
}

/* ---- L1 -------------------------------------------------------------------------------------------------------------------- */

static void two_cores(programs *p, bool mended)
{
    rvasm *b = begin(p, KERR_CORE_B), *t = begin(p, KERR_CORE_T0);
    store(b, DATA, 1);
    store(b, FLAG, 1);
    if (mended)
        wait_while(t, FLAG, 0);
    store(t, DATA, 2);
}

static void neighbours(programs *p, bool mended)
{
    rvasm *b = begin(p, KERR_CORE_B), *t = begin(p, KERR_CORE_T0);
    rva_li(b, T1, DATA);
    rva_li(t, T1, DATA);
    rva(b, rv_sh(X0, 0, T1));
    rva(t, rv_sh(X0, mended ? 2 : 0, T1)); /* halves of one word */
}

/* Told before it is there. */
static void flag_too_early(programs *p, bool mended)
{
    rvasm *b = begin(p, KERR_CORE_B), *t = begin(p, KERR_CORE_T0), *u = begin(p, KERR_CORE_T1);
    wait_while(t, FLAG, 0);
    wait_while(u, FLAG, 0); /* it is known for a flag by now */
    if (mended)
        store(b, DATA, 1);
    store(b, FLAG + 4, 0);
    wait_while(b, FLAG + 8, 1);
    store(b, FLAG, 1);
    if (!mended)
        store(b, DATA, 1);
    load(t, DATA);
}

/* A request of the Scalar Unit is under way while its core writes there. */
static void loadind(programs *p, bool mended)
{
    rvasm *t = begin(p, KERR_CORE_T0);
    set_gpr(t, 4, DATA / 16);
    set_gpr(t, 5, 0);
    push(t, tt_loadind(1, 2 * 5, 0, 6, 4));
    if (mended)
        load(t, DONE_CHECK);
    store(t, DATA, 1);
}

/* ---- Registers ------------------------------------------------------------------------------------------------------------- */

static void gpr(programs *p, bool mended)
{
    rvasm *t = begin(p, KERR_CORE_T0);
    set_gpr(t, 4, DATA / 16);
    set_gpr(t, 5, 0);
    push(t, tt_loadind(1, 2 * 5, 0, 6, 4));
    if (mended)
        push(t, tt_stallwait(TT_B5_THCON, TT_C0_THCON));
    push(t, tt_alu(TT_ADDDMAREG, 0, 0, 8, 6, 6));
}

/* The wait is there and blocks something else. */
static void wrong_block(programs *p, bool mended)
{
    rvasm *t = begin(p, KERR_CORE_T0);
    set_gpr(t, 4, DATA / 16);
    set_gpr(t, 5, 0);
    push(t, tt_loadind(1, 2 * 5, 0, 6, 4));
    push(t, tt_stallwait(mended ? TT_B5_THCON : TT_B7_CONFIG, TT_C0_THCON));
    for (unsigned i = 0; i < 40; i++)
        push(t, tt_dmanop()); /* in practice long enough */
    push(t, tt_alu(TT_ADDDMAREG, 0, 0, 8, 6, 6));
}

enum { HANDOVER = 1 << 3, SEED = 186 /* PRNG_SEED_Seed_Val */ };

/* The first of two threads has done `word`, the second does it next. */
static void one_behind_the_other(programs *p, bool mended, uint32_t first, uint32_t second)
{
    rvasm *a = begin(p, KERR_CORE_T1), *b = begin(p, KERR_CORE_T2);
    push(a, first);
    if (mended) {
        push(a, tt_stallwait(TT_B1_SYNC, 1 << 4 | 1 << 12));
        push(a, tt_sem(TT_SEMPOST, HANDOVER));
        push(b, tt_semwait(TT_BLOCK_ALL, HANDOVER, TT_SEM_WHILE_ZERO));
        push(b, tt_sem(TT_SEMGET, HANDOVER));
    }
    push(b, second);
}
static void config(programs *p, bool mended)
{
    one_behind_the_other(p, mended, tt_wrcfg(4, 0, SEED), tt_wrcfg(4, 0, SEED));
}
/* Fields of one word are no conflict. */
static void config_bits(programs *p, bool mended)
{
    one_behind_the_other(p, false, tt_rmwcib(0, 0x0F, 1, SEED), tt_rmwcib(0, mended ? 0xF0 : 0x3C, 0x10, SEED));
}
static void dst(programs *p, bool mended)
{
    const uint32_t zeroacc_all = 0x10u << 24 | 3u << 19;
    one_behind_the_other(p, mended, zeroacc_all, zeroacc_all);
}
static void src(programs *p, bool mended)
{
    const uint32_t zerosrc = 0x11u << 24 | 3;
    one_behind_the_other(p, mended, zerosrc, zerosrc);
}

/* ---- Semaphores and mutexes --------------------------------------------------------------------------------------------------- */

static void semaphore(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0), *b = begin(p, KERR_CORE_T1);
    push(a, tt_seminit(2, 0, HANDOVER));
    load(a, DONE_CHECK);
    store(a, FLAG, 1);
    if (mended)
        wait_while(b, FLAG, 0);
    push(b, tt_sem(TT_SEMPOST, HANDOVER));
}
static void overflow(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0);
    for (unsigned i = 0; i < (mended ? 15 : 16); i++)
        push(a, tt_sem(TT_SEMPOST, HANDOVER));
}
static void underflow(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0);
    if (mended)
        push(a, tt_sem(TT_SEMPOST, HANDOVER));
    push(a, tt_sem(TT_SEMGET, HANDOVER));
}
static void mutex(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0);
    push(a, tt_mutex(TT_ATGETM, 2));
    push(a, tt_nop());
    if (mended)
        push(a, tt_mutex(TT_ATRELM, 2));
}
static void circular_buffer(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    store(a, PAGES_PUSHED, 1);
    store(a, PAGES_POPPED, mended ? 1 : 2);
}
/* It has two pages. */
static void overfull(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    load(a, LAUNCH_CB_MASK);
    store(a, PAGES_PUSHED, 2);
    if (mended)
        store(a, PAGES_POPPED, 1);
    store(a, PAGES_PUSHED, 3);
}

/* ---- Kernels of tt-metal: firmware goes on behind them -------------------------------------------------------------------------- */

enum { SUBORDINATE_SYNC = 96 + 8, OF_NC = 0, OF_T0 = 1, GO = 0x80 };

/* RISCV B lets it go, and it begins when it sees that; behind what `a` does it says that it is done, and looks for more. */
static rvasm *kernel_begins(programs *p, kerr_core core, unsigned which)
{
    rvasm *b = begin(p, KERR_CORE_B), *a = begin(p, core);
    store_byte(b, SUBORDINATE_SYNC + which, GO);
    wait_while(a, SUBORDINATE_SYNC, 0);
    return a;
}
static void kernel_ends(rvasm *a, unsigned which)
{
    store_byte(a, SUBORDINATE_SYNC + which, 0);
    wait_while(a, SUBORDINATE_SYNC, 0);
}
static void kernel_mutex(programs *p, bool mended)
{
    rvasm *a = kernel_begins(p, KERR_CORE_T0, OF_T0);
    push(a, tt_mutex(TT_ATGETM, 2));
    if (mended)
        push(a, tt_mutex(TT_ATRELM, 2));
    load(a, DONE_CHECK);
    kernel_ends(a, OF_T0);
}

/* ---- NoC ------------------------------------------------------------------------------------------------------------------------ */

static void read_other(rvasm *a)
{
    request(a, READ, DATA + 0x1000, node(kerr_tensix_xy(1)), DATA, node(kerr_tensix_xy(0)), 256);
}

static void pending(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    read_other(a);
    if (mended)
        wait_while(a, NIU + READ_RESPONSES, 0);
}
static void kernel_pending(programs *p, bool mended)
{
    rvasm *a = kernel_begins(p, KERR_CORE_NC, OF_NC);
    read_other(a);
    if (mended)
        wait_while(a, NIU + READ_RESPONSES, 0);
    kernel_ends(a, OF_NC);
}
static void no_barrier(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    read_other(a);
    if (mended)
        wait_while(a, NIU + READ_RESPONSES, 0);
    load(a, DATA);
    wait_while(a, NIU + READ_RESPONSES, 0);
}
static void wrong_barrier(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    read_other(a);
    wait_while(a, NIU + (mended ? READ_RESPONSES : WRITE_ACKS), mended ? 0 : 1);
    load(a, DATA);
    wait_while(a, NIU + READ_RESPONSES, 0);
}
/* What an NIU still reads is given to somebody who writes it. */
static void source_given_away(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B), *t = begin(p, KERR_CORE_T0);
    request(a, WRITE, DATA, node(kerr_tensix_xy(0)), DATA + 0x2000, node(kerr_tensix_xy(1)), 4096);
    if (mended)
        wait_while(a, NIU + WRITE_ACKS, 0);
    store(a, FLAG, 1);
    wait_while(a, NIU + WRITE_ACKS, 0);
    wait_while(t, FLAG, 0);
    store(t, DATA + 4, 2);
}

/* ---- All ------------------------------------------------------------------------------------------------------------------------ */

static const struct pair {
    const char *kind, *what;
    void (*make)(programs *, bool mended);
    bool two_ends;
} pairs[] = {
    {"race-l1", "two cores write a word", two_cores, true},
    {"race-l1", "two cores write halves of a word", neighbours, true},
    {"race-l1", "a flag that is set before the data", flag_too_early, true},
    {"race-l1", "a store while LOADIND is under way", loadind, true},
    {"race-l1", "a load without a barrier", no_barrier, true},
    {"race-l1", "the source of a NoC write is given away", source_given_away, true},
    {"barrier-wrong", "a barrier of writes behind a read", wrong_barrier, true},
    {"noc-pending", "the end of a program", pending, false},
    {"noc-pending", "the end of a kernel", kernel_pending, false},
    {"race-gpr", "LOADIND without STALLWAIT", gpr, true},
    {"race-gpr", "STALLWAIT that blocks something else", wrong_block, true},
    {"race-config", "WRCFG of two threads", config, true},
    {"race-config", "RMWCIB of two threads", config_bits, true},
    {"race-dst", "ZEROACC of two threads", dst, true},
    {"race-src", "ZEROSRC of two threads", src, true},
    {"race-semaphore", "SEMINIT of another thread", semaphore, true},
    {"sem-overflow", "SEMPOST at 15", overflow, false},
    {"sem-underflow", "SEMGET at 0", underflow, false},
    {"mutex-held", "ATGETM without ATRELM", mutex, false},
    {"mutex-held", "the end of a kernel", kernel_mutex, false},
    {"cb-protocol", "more popped than pushed", circular_buffer, false},
    {"cb-protocol", "more pushed than it holds", overfull, false},
};

/* Of this kind alone, at least one if so wanted, and none otherwise. */
static bool finds(const kerr_chip *chip, const char *kind, bool wanted, bool two_ends)
{
    uint32_t count;
    MUST(chip, kerr_finding_count(chip, &count));
    bool good = (count != 0) == wanted;
    for (uint32_t n = 0; n < count; n++) {
        kerr_finding f;
        MUST(chip, kerr_finding_get(chip, n, &f));
        const bool right = strcmp(kerr_finding_name(f.kind), kind) == 0 && f.access.core >= 0 && f.access.pc != 0 &&
                           f.access.cycle != 0 && (f.other.actor != KERR_ACTOR_NONE) == two_ends &&
                           (!two_ends || (f.other.pc != 0 && f.other.cycle != 0));
        good = good && right;
        if (!right || !wanted)
            describe(&f);
    }
    return good;
}

static void run_pair(tap *t, const struct pair *pair, bool mended)
{
    programs p = {{NULL}};
    kerr_chip *chip = chip_new_one_thread();
    MUST(chip, kerr_set_checks(chip, KERR_CHECK_SYNC));
    tell_cb(chip, kerr_tensix_xy(0));
    pair->make(&p, mended);
    start_all(chip, kerr_tensix_xy(0), &p);
    MUST(chip, kerr_run(chip, CYCLES));
    tap_ok(t, finds(chip, pair->kind, !mended, pair->two_ends), "%s, %s: %s", pair->kind, pair->what,
           mended ? "mended, no finding" : "found");
    kerr_destroy(chip);
}

/* ---- The sdk's matmul without one of its instructions ---------------------------------------------------------------------------- */

enum { MATMUL_CYCLES = 400 * 1000 };
static const matrix_load product = {.operation = MATMUL_MVMUL,
                                    .format = DATAPATH_BF16,
                                    .register_format = DATAPATH_BF16,
                                    .out = DATAPATH_BF16,
                                    .phases = 1,
                                    .flags = MATMUL_MULTICAST,
                                    .side = 8,
                                    .block = 2,
                                    .columns = 2};

/* The STALLWAIT or SEMWAIT that is taken out, of which core, and what comes of it. */
static const struct mutant {
    const char *what, *kind;
    kerr_core core;
    uint32_t word;
} mutants[] = {
    {"nothing is taken out", NULL, KERR_CORE_B, 0},
    {"the packer is not waited for before math may write Dst", "race-dst", KERR_CORE_T2,
     0xA2u << 24 | 2u << 15 | 1u << 3},
    {"math does not wait for a free half of Dst", "race-dst", KERR_CORE_T1, 0xA6u << 24 | 0x42u << 15 | 2u << 2 | 2},
};

/* In the tile's L1, where it has been loaded. */
static unsigned take_out(kerr_chip *chip, kerr_xy at, const struct mutant *m)
{
    enum { CODE_MAX = 0x4000 };
    static uint8_t code[CODE_MAX];
    const uint32_t old = tt_ttinsn(m->word), nop = tt_ttinsn(tt_nop()), base = matmul_code_base[m->core];
    unsigned count = 0;
    MUST(chip, kerr_peek(chip, at, base, code, sizeof code));
    for (uint32_t i = 0; m->word != 0 && i < sizeof code; i += 4) {
        if (memcmp(code + i, &old, 4) == 0) {
            MUST(chip, kerr_poke(chip, at, base + i, &nop, sizeof nop));
            count++;
        }
    }
    return count;
}

/* One run; *taken is how many instructions were taken out. */
static kerr_chip *run_product(const char *kernels, const struct mutant *m, uint64_t shake, unsigned *taken)
{
    kerr_chip *chip = chip_new_one_thread();
    const uint32_t tiles = product.columns * product.columns;
    *taken = 0;
    MUST(chip, kerr_set_shake(chip, shake, NULL, 0));
    MUST(chip, kerr_set_checks(chip, KERR_CHECK_SYNC));
    matmul_begin(chip, kernels, &product);
    for (uint32_t i = 0; i < tiles; i++)
        *taken += take_out(chip, matmul_tile(&product, i), m);
    MUST(chip, kerr_run(chip, MATMUL_CYCLES));
    return chip;
}

static bool has_kind(const kerr_chip *chip, const char *kind)
{
    uint32_t count;
    MUST(chip, kerr_finding_count(chip, &count));
    for (uint32_t n = 0; n < count; n++) {
        kerr_finding f;
        MUST(chip, kerr_finding_get(chip, n, &f));
        if (strcmp(kerr_finding_name(f.kind), kind) == 0)
            return true;
    }
    return false;
}

/* What orders two accesses by chance in one run (data that come late make math wait) does not in another: a race that the plain run
 * hides shows under shaken timing. */
static void run_mutant(tap *t, const char *kernels, const struct mutant *m)
{
    enum { SEEDS = 8 };
    bool good = m->kind == NULL;
    unsigned taken = 0;
    for (uint64_t shake = 0; shake < (m->kind == NULL ? 1 : SEEDS) && good == (m->kind == NULL); shake++) {
        kerr_chip *chip = run_product(kernels, m, shake, &taken);
        good = m->kind == NULL ? finds(chip, "", false, true) : has_kind(chip, m->kind);
        kerr_destroy(chip);
    }
    tap_ok(t, (taken != 0) == (m->kind != NULL), "matmul, %s: the instruction is there", m->what);
    tap_ok(t, good, "matmul, %s: %s", m->what, m->kind != NULL ? m->kind : "no finding");
}

int main(int argc, char **argv)
{
    tap t = {0};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        run_pair(&t, &pairs[i], false);
        run_pair(&t, &pairs[i], true);
    }
    for (size_t i = 0; argc > 1 && i < sizeof mutants / sizeof *mutants; i++)
        run_mutant(&t, argv[1], &mutants[i]);
    return tap_end(&t);
}
