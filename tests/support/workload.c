/* SPDX-License-Identifier: Apache-2.0 */
#include "workload.h"

enum {
    CODE = 0x10000, /* + core * CODE_STEP */
    CODE_STEP = 0x8000,
    FLAG = 0x4000, /* the word that is polled */
    BESIDE = 0x4014,
    FLAG2 = 0x4080,
    SHARED = 0x4100, /* lines that everybody touches */
    LOCK = 0x4200,
    COUNTER = 0x4240,
    FUNCTION = 0x4400, /* code that B rewrites and NC calls */
    RECORD = 0x5000,   /* + core * 0x100: what the core saw */
    BUFFER = 0x6000,   /* + core * 0x400 */
    MAILBOX = (int)0xffec0000,
    WALL_CLOCK = (int)0xffb121f0,
    SW_INT = (int)0xffb13018, /* software interrupts: not enabled, so words that a load takes */
    SCRATCH = (int)0xffb12248 /* debug registers without a meaning */
};

/* Registers with one meaning in all programs: a pseudo-random state, the record and the data. */
enum { R_STATE = S3, R_RECORD = S4, R_DATA = S5, R_LAST = S6, R_SUM = S7 };

const char *workload_name(workload work)
{
    static const char *const names[WORK_KINDS] = {"random programs",
                                                  "polling",
                                                  "mailboxes",
                                                  "races",
                                                  "atomics",
                                                  "self-modifying code",
                                                  "clock loops",
                                                  "flags by amo and vector",
                                                  "full mailboxes",
                                                  "queued device writes",
                                                  "waits"};
    return names[work];
}

static rvasm *begin(kerr_core core, uint64_t seed, uint32_t cfg0)
{
    rvasm *a = rva_new(CODE + (uint32_t)core * CODE_STEP);
    rva_li(a, T0, cfg0);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, R_STATE, (uint32_t)seed * 2654435761u + (uint32_t)core * 977 + 1);
    rva_li(a, R_RECORD, RECORD + (uint32_t)core * 0x100);
    rva_li(a, R_DATA, FLAG);
    rva_li(a, R_LAST, 0);
    rva_li(a, R_SUM, 0);
    return a;
}

/* Steps R_STATE and spins 0 .. mask iterations. */
static void delay(rvasm *a, uint32_t mask)
{
    rva_li(a, T0, 1103515245);
    rva(a, rv_mul(R_STATE, R_STATE, T0));
    rva_li(a, T0, 12345);
    rva(a, rv_add(R_STATE, R_STATE, T0));
    rva(a, rv_srli(T0, R_STATE, 12));
    rva(a, rv_andi(T0, T0, (int32_t)mask));
    uint32_t loop = rva_here(a);
    rva(a, rv_addi(T0, T0, -1));
    rva(a, rv_bge(T0, X0, rva_to(a, loop)));
}

/* A value and the cycle, into the record; the place moves with the value so that history is kept. */
static void record(rvasm *a, unsigned value)
{
    rva(a, rv_andi(T0, value, 15));
    rva(a, rv_sh3add(T0, T0, R_RECORD));
    rva(a, rv_csrr(T1, CSR_mcycle));
    rva(a, rv_sw(value, 0, T0));
    rva(a, rv_sw(T1, 4, T0));
    rva(a, rv_add(R_SUM, R_SUM, T1));
    rva(a, rv_sw(R_SUM, 0x80, R_RECORD));
}

static void start(kerr_chip *chip, kerr_xy at, kerr_core core, rvasm *a)
{
    chip_start(chip, at, core, a);
    free(a);
}

/* ---- Random programs ----------------------------------------------------------------------- */

static rvasm *random_worker(kerr_core core, uint64_t seed)
{
    random_program g = {.random = {.state = seed ^ (uint64_t)core << 56}};
    g.a = begin(core, seed, test_below(&g.random, 2) ? CFG0_reset : CFG0_firmware);
    random_registers(&g, BUFFER + (uint32_t)core * 0x400);
    uint32_t loop = rva_here(g.a);
    random_body(&g, 30 + test_below(&g.random, 150));
    rva(g.a, rv_j(rva_to(g.a, loop)));
    return g.a;
}

/* ---- Polling ------------------------------------------------------------------------------- */

static rvasm *polling_writer(kerr_core core, uint64_t seed)
{
    rvasm *a = begin(core, seed, CFG0_firmware);
    uint32_t loop = rva_here(a);
    delay(a, 0x3ff);
    rva(a, rv_addi(R_LAST, R_LAST, 1));
    rva(a, rv_sw(R_LAST, 0, R_DATA));
    record(a, R_LAST);
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

static rvasm *poller(kerr_core core, uint64_t seed)
{
    bool cached = core == KERR_CORE_T0 || core == KERR_CORE_T1;
    rvasm *a = begin(core, seed, cached ? CFG0_reset : CFG0_firmware);
    uint32_t loop = rva_here(a);
    uint32_t poll = rva_here(a);
    if (core == KERR_CORE_T0) {
        rva(a, rv_fence());
    }
    if (core == KERR_CORE_NC) { /* two words, one of them by its bytes */
        rva(a, rv_lbu(T2, 0, R_DATA));
        rva(a, rv_lw(T3, FLAG2 - FLAG, R_DATA));
        rva(a, rv_add(T2, T2, T3));
    } else {
        rva(a, rv_lw(T2, 0, R_DATA));
    }
    rva(a, rv_beq(T2, R_LAST, rva_to(a, poll)));
    rva(a, rv_mv(R_LAST, T2));
    record(a, R_LAST);
    if (core == KERR_CORE_B) { /* every change of the flag moves the second word as well */
        rva(a, rv_slli(T2, R_LAST, 8));
        rva(a, rv_sw(T2, FLAG2 - FLAG, R_DATA));
        rva(a, rv_sw(T2, BESIDE - FLAG, R_DATA));
    }
    if (core == KERR_CORE_T1) { /* another line of the L0 data cache: a flush takes it, too */
        rva(a, rv_lw(T3, BESIDE - FLAG, R_DATA));
        rva(a, rv_add(R_SUM, R_SUM, T3));
    }
    delay(a, 7);
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* ---- Mailboxes ----------------------------------------------------------------------------- */

static rvasm *mailbox_stage(kerr_core core, uint64_t seed)
{
    static const unsigned next[4] = {1, 2, 3, 0}, previous[4] = {3, 0, 1, 2};
    rvasm *a = begin(core, seed, CFG0_firmware);
    rva_li(a, S8, (uint32_t)MAILBOX + next[core] * 0x1000);
    rva_li(a, S9, (uint32_t)MAILBOX + previous[core] * 0x1000);
    if (core == KERR_CORE_B) { /* three values go round */
        for (int32_t i = 0; i < 3; i++) {
            rva(a, rv_addi(T2, X0, 100 * i));
            rva(a, rv_sw(T2, 0, S8));
        }
    }
    uint32_t loop = rva_here(a);
    if (core == KERR_CORE_T1) { /* asks before it takes */
        uint32_t ask = rva_here(a);
        rva(a, rv_lw(T2, 4, S9));
        rva(a, rv_beq(T2, X0, rva_to(a, ask)));
    }
    rva(a, rv_lw(R_LAST, 0, S9));
    rva(a, rv_addi(R_LAST, R_LAST, 1));
    record(a, R_LAST);
    delay(a, core == KERR_CORE_T2 ? 0xff : 0x1f);
    rva(a, rv_sw(R_LAST, 0, S8));
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* ---- Races --------------------------------------------------------------------------------- */

static rvasm *racer(kerr_core core, uint64_t seed)
{
    test_random random = {.state = seed * 31 + (uint64_t)core};
    rvasm *a = begin(core, seed, core % 2 ? CFG0_reset : CFG0_firmware);
    rva_li(a, R_DATA, SHARED);
    uint32_t loop = rva_here(a);
    rva(a, rv_addi(R_LAST, R_LAST, 1));
    for (unsigned i = 0; i < 24; i++) {
        int32_t word = (int32_t)test_below(&random, 16) * 4;
        switch (test_below(&random, 8)) {
        case 0: rva(a, rv_sw(R_LAST, word, R_DATA)); break;
        case 1: rva(a, rv_sh(R_SUM, word + 2, R_DATA)); break;
        case 2: rva(a, rv_sb(R_LAST, word + (int32_t)test_below(&random, 4), R_DATA)); break;
        case 3: rva(a, rv_fence()); break;
        default:
            rva(a, rv_lw(T2, word, R_DATA));
            rva(a, rv_xor(R_SUM, R_SUM, T2));
            rva(a, rv_rori(R_SUM, R_SUM, 5));
        }
    }
    rva(a, rv_sw(R_SUM, 0x40, R_RECORD));
    delay(a, 15);
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* ---- Atomics ------------------------------------------------------------------------------- */

static rvasm *contender(kerr_core core, uint64_t seed)
{
    rvasm *a = begin(core, seed, CFG0_reset);
    rva_li(a, S8, LOCK);
    rva_li(a, S9, COUNTER);
    rva_li(a, S10, 1);
    uint32_t loop = rva_here(a);
    rva(a, rv_amoadd_w(T2, S10, S9));
    record(a, T2);
    uint32_t spin = rva_here(a);
    rva(a, rv_amoswap_w(T2, S10, S8));
    rva(a, rv_bne(T2, X0, rva_to(a, spin)));
    rva(a, rv_lw(T2, 32, S9));
    rva(a, rv_addi(T2, T2, 1));
    rva(a, rv_sw(T2, 32, S9));
    rva(a, rv_lw(T2, 32, S9)); /* the store has been processed before the lock is let go */
    rva(a, rv_add(T2, T2, X0));
    rva(a, rv_amoswap_w(X0, X0, S8));
    rva(a, rv_amomaxu_w(X0, T2, R_DATA));
    delay(a, 0x7f);
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* ---- Self-modifying code ------------------------------------------------------------------- */

/* B rewrites the first word of FUNCTION, NC calls it; T0 rewrites a word of its own loop; T1 and T2 look on. */
static rvasm *rewriter(kerr_core core, uint64_t seed)
{
    rvasm *a = begin(core, seed, CFG0_firmware);
    rva_li(a, S8, FUNCTION);
    uint32_t loop = rva_here(a);
    if (core == KERR_CORE_B || core == KERR_CORE_T0) {
        rva(a, rv_addi(R_LAST, R_LAST, 1));
        rva(a, rv_andi(T2, R_LAST, 0x3ff));
        rva(a, rv_slli(T2, T2, 20));
        rva_li(a, T3, rv_addi(A0, A0, 0));
        rva(a, rv_or(T2, T2, T3));
    }
    if (core == KERR_CORE_B) {
        rva(a, rv_sw(T2, 0, S8));
        delay(a, 0x1ff);
    } else if (core == KERR_CORE_T0) {
        size_t ahead = rva(a, rv_auipc(T4, 0));
        rva(a, rv_sw(T2, 0, T4)); /* offset filled in below */
        rva(a, rv_lw(T3, 0, T4));
        rva(a, rv_add(T3, T3, X0));
        delay(a, 0x1f);
        int32_t offset = (int32_t)((a->count - ahead) * 4);
        a->word[ahead + 1] = rv_sw(T2, offset, T4);
        a->word[ahead + 2] = rv_lw(T3, offset, T4);
        rva(a, rv_addi(A0, A0, 0)); /* the word that changes */
    } else {
        rva(a, rv_jalr(RA, 0, S8));
        delay(a, 0x3f);
    }
    rva(a, rv_addi(S9, S9, 1));
    rva(a, rv_sw(A0, 0x40, R_RECORD));
    record(a, S9);
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* ---- Clocks -------------------------------------------------------------------------------- */

static rvasm *clock_watcher(kerr_core core, uint64_t seed)
{
    rvasm *a = begin(core, seed, CFG0_firmware);
    rva_li(a, S8, (uint32_t)WALL_CLOCK);
    uint32_t loop = rva_here(a);
    delay(a, 0x1f);
    rva(a, rv_srli(S9, R_STATE, 8));
    rva(a, rv_andi(S9, S9, 0x3ff));
    bool wall = core == KERR_CORE_B || core == KERR_CORE_T1;
    uint32_t counter = core == KERR_CORE_NC ? CSR_minstret : CSR_mcycle;
    rva(a, wall ? rv_lw(T2, 0, S8) : rv_csrr(T2, counter));
    uint32_t wait = rva_here(a);
    rva(a, wall ? rv_lw(T3, 0, S8) : rv_csrr(T3, counter));
    rva(a, rv_sub(T4, T3, T2));
    rva(a, rv_bltu(T4, S9, rva_to(a, wait)));
    if (wall) {
        rva(a, rv_lw(T4, 8, S8)); /* the high half as it was when the low one was read */
        rva(a, rv_add(R_LAST, R_LAST, T4));
    }
    rva(a, rv_add(R_LAST, R_LAST, T3));
    record(a, R_LAST);
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* ---- Waits ---------------------------------------------------------------------------------------------------- */

enum { CLOCK_LOW = 0, CLOCK_HIGH = 4, CLOCK_SAMPLE = 8, DUMP_CMD = 12, DUMP_CNTL = 16 }; /* from WALL_CLOCK */

/* S9: how long.  The clock at the start is in S10, S11; where it was left goes into R_LAST. */
static void wait_clock_difference(rvasm *a)
{
    rva(a, rv_lw(S10, CLOCK_LOW, S8));
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T3, CLOCK_LOW, S8));
    rva(a, rv_sub(T4, T3, S10));
    rva(a, rv_bltu(T4, S9, rva_to(a, loop)));
    rva(a, rv_add(R_LAST, R_LAST, T3));
}

/* As the vendor's riscv_wait: 64 bits, up to an end. */
static void wait_clock_end(rvasm *a, int32_t high)
{
    rva(a, rv_lw(S10, CLOCK_LOW, S8));
    rva(a, rv_lw(S11, high, S8));
    rva(a, rv_add(S10, S10, S9));
    rva(a, rv_sltu(T3, S10, S9));
    rva(a, rv_add(S11, S11, T3));
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T3, CLOCK_LOW, S8));
    rva(a, rv_lw(T4, high, S8));
    rva(a, rv_bltu(T4, S11, rva_to(a, loop)));
    size_t out = rva_later(a, rv_bne(T4, S11, 0));
    rva(a, rv_bltu(T3, S10, rva_to(a, loop)));
    rva_land(a, out);
    rva(a, rv_add(R_LAST, R_LAST, T3));
    rva(a, rv_add(R_LAST, R_LAST, T4));
}

/* The difference in 64 bits. */
static void wait_clock_borrow(rvasm *a)
{
    rva(a, rv_lw(S10, CLOCK_LOW, S8));
    rva(a, rv_lw(S11, CLOCK_SAMPLE, S8));
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T3, CLOCK_LOW, S8));
    rva(a, rv_lw(T4, CLOCK_SAMPLE, S8));
    rva(a, rv_sltu(T5, T3, S10));
    rva(a, rv_sub(T3, T3, S10));
    rva(a, rv_sub(T4, T4, S11));
    rva(a, rv_sub(T4, T4, T5));
    size_t out = rva_later(a, rv_bne(T4, X0, 0));
    rva(a, rv_bgeu(S9, T3, rva_to(a, loop)));
    rva_land(a, out);
    rva(a, rv_add(R_LAST, R_LAST, T3));
}

/* For a word in L1 to change, but not longer than that. */
static void wait_flag(rvasm *a)
{
    rva(a, rv_lw(S10, CLOCK_LOW, S8));
    rva(a, rv_lw(S11, 0, R_DATA));
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T4, 0, R_DATA));
    size_t out = rva_later(a, rv_bne(T4, S11, 0));
    rva(a, rv_lw(T3, CLOCK_LOW, S8));
    rva(a, rv_sub(T5, S10, T3)); /* downwards */
    rva(a, rv_add(T5, T5, S9));
    rva(a, rv_bge(T5, X0, rva_to(a, loop)));
    rva_land(a, out);
    rva(a, rv_add(R_LAST, R_LAST, T4));
}

/* Two counters against each other. */
static void wait_count(rvasm *a, int32_t step)
{
    rva_li(a, S10, 0);
    rva(a, rv_add(S11, S9, S9));
    uint32_t loop = rva_here(a);
    rva(a, rv_addi(S10, S10, step));
    rva(a, rv_addi(S11, S11, -1));
    rva(a, rv_slt(T3, S10, S11));
    rva(a, rv_bne(T3, X0, rva_to(a, loop)));
    rva(a, rv_sltiu(T3, S10, 77));
    uint32_t down = rva_here(a);
    rva(a, rv_addi(S10, S10, -1));
    rva(a, rv_slti(T3, S10, 5));
    rva(a, rv_beq(T3, X0, rva_to(a, down)));
    rva(a, rv_add(R_LAST, R_LAST, S11));
}

static rvasm *waiter(kerr_core core, uint64_t seed)
{
    test_random random = {.state = seed * 5 + (uint64_t)core};
    rvasm *a = begin(core, seed, test_below(&random, 8) ? CFG0_firmware : CFG0_reset);
    rva_li(a, S8, (uint32_t)WALL_CLOCK);
    uint32_t loop = rva_here(a);
    for (unsigned i = 0; i < 8; i++) {
        delay(a, 0x1f);
        rva(a, rv_srli(S9, R_STATE, 8));
        rva_li(a, T0, test_below(&random, 3) ? 0xfff : 0x3fff);
        rva(a, rv_and(S9, S9, T0));
        switch (test_below(&random, 6)) {
        case 0: wait_clock_difference(a); break;
        case 1: wait_clock_end(a, CLOCK_SAMPLE); break;
        case 2: wait_clock_end(a, CLOCK_HIGH); break;
        case 3: wait_clock_borrow(a); break;
        case 4: wait_flag(a); break;
        default: wait_count(a, 1 + (int32_t)test_below(&random, 3)); break;
        }
        record(a, R_LAST);
    }
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* Changes the flag, and what a load of the clock does besides: streams of timestamps in reset or not. */
static rvasm *clock_setter(kerr_core core, uint64_t seed)
{
    test_random random = {.state = seed};
    rvasm *a = begin(core, seed, CFG0_firmware);
    rva_li(a, S8, (uint32_t)WALL_CLOCK);
    rva_li(a, S10, 0x80000000u);
    uint32_t loop = rva_here(a);
    for (unsigned i = 0; i < 8; i++) {
        delay(a, 0x3ff);
        delay(a, 0x3ff);
        switch (test_below(&random, 4)) {
        case 0: rva(a, rv_sw(R_STATE, 0, R_DATA)); break;
        case 1: rva(a, rv_sw(S10, DUMP_CNTL, S8)); break;
        default: rva(a, rv_sw(X0, DUMP_CNTL, S8)); break;
        }
        rva(a, rv_addi(T3, X0, 2));
        rva(a, rv_sw(T3, DUMP_CMD, S8)); /* one word of an event */
        record(a, R_STATE);
    }
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* ---- Flags by amo and vector stores -------------------------------------------------------------------------- */

static rvasm *flag_writer(kerr_core core, uint64_t seed)
{
    rvasm *a = begin(core, seed, seed & 1 ? CFG0_reset : CFG0_firmware);
    rva_li(a, S8, seed & 2 ? 8 : 64); /* the stride */
    rva_li(a, S9, 1);
    uint32_t loop = rva_here(a);
    delay(a, 0x1ff);
    rva(a, rv_addi(R_LAST, R_LAST, 1));
    if (core == KERR_CORE_T2) {
        rva(a, 0x013072d7);                                                /* vsetvli t0, x0, e32, m8 */
        rva(a, 0x5e004457u | (uint32_t)R_LAST << 15);                      /* vmv.v.x v8, r_last */
        rva(a, 0x0a006427u | (uint32_t)R_DATA << 15 | (uint32_t)S8 << 20); /* vsse32.v v8, (r_data), s8 */
        if (seed & 4) {
            rva(a, rv_sw(R_STATE, 0x20, R_DATA));
            rva(a, 0x02006427u | (uint32_t)R_DATA << 15); /* vse32.v v8, (r_data) */
        }
    } else {
        rva(a, rv_sh3add(T2, S9, R_DATA));
        rva(a, rv_amoadd_w(T3, S9, R_DATA));
        rva(a, rv_amoxor_w(T4, R_STATE, T2));
        rva(a, rv_add(R_SUM, R_SUM, T3));
        rva(a, rv_add(R_SUM, R_SUM, T4));
    }
    record(a, R_LAST);
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

static rvasm *flag_poller(kerr_core core, uint64_t seed)
{
    int32_t offset = core == KERR_CORE_T1 ? 31 * (seed & 2 ? 8 : 64) : core == KERR_CORE_T0 ? 8 : 0;
    rvasm *a = begin(core, seed, CFG0_firmware);
    uint32_t poll = rva_here(a);
    rva(a, rv_lw(T2, offset, R_DATA));
    rva(a, rv_beq(T2, R_LAST, rva_to(a, poll)));
    rva(a, rv_mv(R_LAST, T2));
    record(a, R_LAST);
    rva(a, rv_j(rva_to(a, poll)));
    return a;
}

/* ---- Full mailboxes ------------------------------------------------------------------------------------------ */

/* T0 sends a burst to T1, then two flags; the others poll them; T1 takes the burst in its own time. */
static rvasm *full_mailbox(kerr_core core, uint64_t seed)
{
    enum { BURST = 7 };
    rvasm *a = begin(core, seed, CFG0_firmware);
    rva_li(a, S8, (uint32_t)MAILBOX + (core == KERR_CORE_T0 ? 0x2000 : 0x1000));
    uint32_t loop = rva_here(a);
    switch (core) {
    case KERR_CORE_T0:
        rva(a, rv_addi(R_LAST, R_LAST, 1));
        for (unsigned i = 0; i < BURST; i++) {
            rva(a, rv_sw(R_LAST, 0, S8));
            if (i == seed % BURST) {
                rva(a, rv_sw(R_LAST, 0x40, R_RECORD));
            }
        }
        rva(a, rv_sw(R_LAST, 0, R_DATA));
        if (seed & 1) {
            delay(a, 0x1f);
        }
        rva(a, rv_sw(R_LAST, FLAG2 - FLAG, R_DATA));
        delay(a, seed & 2 ? 0x3ff : 0xff);
        break;
    case KERR_CORE_T1:
        for (unsigned i = 0; i < BURST; i++) {
            delay(a, i == 0 ? 0x3ff : 0x3f);
            rva(a, rv_lw(R_LAST, 0, S8));
            rva(a, rv_add(R_SUM, R_SUM, R_LAST));
        }
        break;
    default: {
        uint32_t poll = rva_here(a);
        bool second = core == KERR_CORE_B;
        rva(a, rv_lw(T2, second ? FLAG2 - FLAG : 0, R_DATA));
        if (core == KERR_CORE_NC) {
            rva(a, rv_lw(T3, FLAG2 - FLAG, R_DATA));
            rva(a, rv_add(T2, T2, T3));
        }
        rva(a, rv_beq(T2, R_LAST, rva_to(a, poll)));
        rva(a, rv_mv(R_LAST, T2));
    }
    }
    record(a, R_LAST);
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* ---- Queued device writes ------------------------------------------------------------------------------------ */

/* B and T0 write L1, then a device; T1, T2 and NC read the device or poll L1.  The debug registers are for all, a
 * software interrupt only for odd seeds (it makes the tile's cores wait for one another). */
static rvasm *device_writes(kerr_core core, uint64_t seed)
{
    rvasm *a = begin(core, seed, CFG0_firmware);
    rva_li(a, S8, (uint32_t)SCRATCH);
    rva_li(a, S9, seed & 1 ? (uint32_t)SW_INT + 12 : (uint32_t)SCRATCH);
    uint32_t loop = rva_here(a);
    if (core == KERR_CORE_B || core == KERR_CORE_T0) {
        rva(a, rv_addi(R_LAST, R_LAST, 1));
        rva(a, rv_sw(R_LAST, 0, R_DATA));
        rva(a, rv_sw(R_LAST, core == KERR_CORE_B ? 0x10 : 0x20, R_DATA));
        rva(a, rv_sw(R_LAST, 0, core == KERR_CORE_B ? S9 : S8));
        rva(a, rv_sw(R_STATE, 0x40, R_RECORD));
        rva(a, rv_sw(R_LAST, 0, S8));
        delay(a, core == KERR_CORE_B ? 0x1ff : 0x7f);
    } else if (core == KERR_CORE_T1) {
        rva(a, rv_lw(R_LAST, 0, S8));
        delay(a, 0x1f);
    } else {
        uint32_t poll = rva_here(a);
        rva(a, rv_lw(T2, 0x10, R_DATA));
        rva(a, rv_beq(T2, R_LAST, rva_to(a, poll)));
        rva(a, rv_mv(R_LAST, T2));
        rva(a, rv_lw(T2, 0, core == KERR_CORE_NC ? S9 : S8));
        rva(a, rv_add(R_SUM, R_SUM, T2));
    }
    record(a, R_LAST);
    rva(a, rv_j(rva_to(a, loop)));
    return a;
}

/* ---- Starting ------------------------------------------------------------------------------ */

void workload_start(kerr_chip *chip, uint32_t tile, workload work, uint64_t seed)
{
    kerr_xy at = kerr_tensix_xy(tile);
    if (work == WORK_SELF_MODIFYING) {
        chip_set_word(chip, at, FUNCTION, rv_addi(A0, A0, 1));
        chip_set_word(chip, at, FUNCTION + 4, rv_jalr(X0, 0, RA));
    }
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        kerr_core core = (kerr_core)c;
        rvasm *a = NULL;
        switch (work) {
        case WORK_RANDOM: a = random_worker(core, seed); break;
        case WORK_POLLING: a = core == KERR_CORE_T2 ? polling_writer(core, seed) : poller(core, seed); break;
        case WORK_MAILBOX: a = core == KERR_CORE_NC ? poller(core, seed) : mailbox_stage(core, seed); break;
        case WORK_RACES: a = racer(core, seed); break;
        case WORK_ATOMICS: a = contender(core, seed); break;
        case WORK_SELF_MODIFYING: a = rewriter(core, seed); break;
        case WORK_CLOCK: a = clock_watcher(core, seed); break;
        case WORK_FLAGS:
            a = core == KERR_CORE_T2 || core == KERR_CORE_NC ? flag_writer(core, seed) : flag_poller(core, seed);
            break;
        case WORK_FULL_MAILBOX: a = full_mailbox(core, seed); break;
        case WORK_DEVICE_WRITES: a = device_writes(core, seed); break;
        case WORK_WAITS: a = core == KERR_CORE_T2 ? clock_setter(core, seed) : waiter(core, seed); break;
        case WORK_KINDS: return;
        }
        start(chip, at, core, a);
    }
}

void workload_start_mix(kerr_chip *chip, uint32_t tiles, uint64_t seed)
{
    for (uint32_t i = 0; i < tiles; i++) {
        workload_start(chip, i, (workload)(i % WORK_KINDS), seed + i);
    }
}

void workload_start_faults(kerr_chip *chip, uint32_t tiles, uint64_t seed)
{
    test_random random = {.state = seed};
    for (uint32_t i = 0; i < tiles; i++) {
        for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
            rvasm *a = begin((kerr_core)c, test_random64(&random), CFG0_firmware);
            delay(a, 0x3ff);
            delay(a, 0x3ff);
            switch (test_below(&random, 4)) {
            case 0: rva(a, 0xffffffff); break;
            case 1:
                rva_li(a, T0, 0x40000000 + test_below(&random, 1024) * 4);
                rva(a, rv_lw(T1, 0, T0));
                break;
            case 2: rva(a, rv_sw(T1, 2, R_DATA)); break;
            default: rva(a, rv_csrr(T0, 0x7ff));
            }
            rva_end(a);
            start(chip, kerr_tensix_xy(i), (kerr_core)c, a);
        }
    }
}

void workload_start_idle(kerr_chip *chip, uint32_t tile)
{
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        rvasm *a = begin((kerr_core)c, 0, CFG0_firmware);
        uint32_t poll = rva_here(a);
        rva(a, rv_lw(T0, 0, R_DATA));
        rva(a, rv_beq(T0, X0, rva_to(a, poll)));
        rva_end(a);
        start(chip, kerr_tensix_xy(tile), (kerr_core)c, a);
    }
}
