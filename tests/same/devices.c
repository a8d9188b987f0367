/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes in which cores meet devices, one another or the host at an awkward cycle.  Window length, slices, parking and
 * block length must not matter, and what should happen must have happened.
 *
 *   devices [NAME]      all scenes that should pass, or those whose name begins so; says which configuration differs */
#include "../support/tap.h"
#include "../support/ttasm.h"
#include "../support/workload.h"

enum {
    CODE = 0x10000, /* + core * CODE_STEP */
    CODE_STEP = 0x8000,
    FLAG = 0x4000,
    SEEN = 0x4800, /* + core * 8: the value and the cycle that a poller found */
    QUEUE = 0x5000,
    TAGS = 0x8000,
    VALIDS = 0x8800,
    HANDLER = 0x3c000
};
#define LOCAL_RAM 0xffb00000u
#define DAISYCHAIN_TO_L1 0xffb12048u /* DBG_L1_MEM_REG0, then 1 and 2 */
#define DAISYCHAIN_SELECT 0xffb12054u
#define DBG_CNTL 0xffb12080u
#define SOFT_RESET 0xffb121b0u
#define WATCHDOG 0xffb121e0u
#define PIC 0xffb13000u
#define SW_INT(i) (PIC + 0x18 + (i)*4u)
#define PC_OF_T0 0xffb13140u
#define SLOW_B 0xffb14000u
#define SLOW_T0 0xffb18000u
#define NOTHING_HERE 0xffb1f000u
#define MAILBOX(core) (0xffec0000u + (core)*0x1000u)
#define STREAM(stream, index) (0xffb40000u + (stream)*0x1000u + (index)*4u)
#define NIU 0xffb20000u /* of NoC 0; + INITIATOR for the next request initiator */
#define CONFIG(word) (0xffef0000u + (word)*4u)
enum { ALL_IN_RESET = 0x47800, RESET_B = 0x800, RESET_T0 = 0x1000 };

static kerr_xy at; /* each argument of a scene plays in a tile of its own */

typedef struct variant {
    const char *name;
    uint32_t window_cycles, max_block, slice;
    bool no_parking;
} variant;
static const variant variants[] = {
    {"default", 0, 0, 0, false},
    {"windows of 1 cycle", 1, 0, 0, false},
    {"windows of 7 cycles", 7, 0, 0, false},
    {"blocks of 1 instruction", 0, 1, 0, false},
    {"random slices", 0, 0, 40, false},
    {"no parking", 0, 0, 0, true},
    {"no parking, windows of 1 cycle", 1, 0, 0, true},
};
enum { VARIANTS = sizeof variants / sizeof *variants, PHASES = 5 };

typedef struct scene {
    const char *name;
    void (*start)(kerr_chip *chip, unsigned arg);
    unsigned args;               /* it is played for 0 .. args - 1 at once */
    bool open;                   /* known to fail: only played when asked for by name */
    bool alone;                  /* or one after the other, the first phase longer by arg cycles */
    uint64_t cycles[PHASES + 1]; /* of each phase, up to the first 0 */
    unsigned parked;             /* cores that are parked after the last phase but one */
    void (*act)(kerr_chip *chip, unsigned arg, unsigned phase); /* the host, before each phase but the first */
    const char *what;                                           /* what good says */
    bool (*good)(kerr_chip *chip, unsigned arg);
} scene;

/* ---- Pieces of programs ---------------------------------------------------------------------------------------- */

static rvasm *program(kerr_core core)
{
    rvasm *a = rva_new(CODE + (uint32_t)core * CODE_STEP);
    rva_li(a, T0, CFG0_firmware);
    rva(a, rv_csrw(CSR_cfg0, T0));
    return a;
}
static void go(kerr_chip *chip, kerr_core core, rvasm *a)
{
    chip_start(chip, at, core, a);
    free(a);
}
static void put(kerr_chip *chip, rvasm *a)
{
    MUST(chip, kerr_poke(chip, at, a->base, a->word, a->count * 4));
    free(a);
}
static void delay(rvasm *a, uint32_t n)
{
    rva_li(a, T6, n);
    uint32_t loop = rva_here(a);
    rva(a, rv_addi(T6, T6, -1));
    rva(a, rv_bne(T6, X0, rva_to(a, loop)));
}
/* By single cycles: 4 arguments to an iteration of delay. */
static void fine_delay(rvasm *a, uint32_t n, unsigned arg)
{
    delay(a, n + arg / 4);
    for (unsigned i = 0; i < arg % 4; i++) {
        rva(a, rv_nop());
    }
}
/* Never parked: a0 counts. */
static void count(rvasm *a)
{
    uint32_t loop = rva_here(a);
    rva(a, rv_addi(A0, A0, 1));
    rva(a, rv_j(rva_to(a, loop)));
}
static void store(rvasm *a, uint32_t value, uint32_t address)
{
    rva_li(a, T1, value);
    rva_li(a, T2, address);
    rva(a, rv_sw(T1, 0, T2));
}
/* Polls a word until it is not zero, then writes value and cycle into SEEN and ends. */
static void poller(kerr_chip *chip, kerr_core core, uint32_t address)
{
    rvasm *a = program(core);
    rva_li(a, S2, address);
    rva_li(a, S3, SEEN + (uint32_t)core * 8);
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(A0, 0, S2));
    rva(a, rv_beq(A0, X0, rva_to(a, loop)));
    rva(a, rv_csrr(A1, CSR_mcycle));
    rva(a, rv_sw(A0, 0, S3));
    rva(a, rv_sw(A1, 4, S3));
    rva_end(a);
    go(chip, core, a);
}
static bool all_saw(kerr_chip *chip, unsigned cores, uint32_t value)
{
    bool good = true;
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        good &= !(cores >> c & 1) || chip_word(chip, at, SEEN + c * 8) == value;
    }
    return good;
}
static kerr_core_state state_of(const kerr_chip *chip, kerr_core core)
{
    kerr_core_info info;
    MUST(chip, kerr_core_query(chip, at, core, &info));
    return info.state;
}
static uint32_t pc_of(const kerr_chip *chip, kerr_core core)
{
    uint32_t pc = 0;
    MUST(chip, kerr_reg_get(chip, at, core, KERR_REG_PC, &pc));
    return pc;
}
/* A register of the debug interface. */
static void debug_register(kerr_chip *chip, kerr_core core, unsigned number, uint32_t value)
{
    const uint32_t words[2] = {0x80000000u | (uint32_t)core << 17 | 1u << 16 | number, 0};
    MUST(chip, kerr_write(chip, at, DBG_CNTL + 4, &value, 4));
    MUST(chip, kerr_write(chip, at, DBG_CNTL, &words[0], 4));
    MUST(chip, kerr_write(chip, at, DBG_CNTL, &words[1], 4));
}

/* ---- Interrupts ------------------------------------------------------------------------------------------------ */

static void watchdog(kerr_chip *chip, unsigned arg)
{
    rvasm *a = rva_new(HANDLER);
    rva(a, rv_csrr(A1, CSR_mcycle));
    rva(a, rv_addi(A2, A2, 1));
    store(a, 0, WATCHDOG + 4);
    rva(a, rv_mret());
    put(chip, a);
    a = program(KERR_CORE_B);
    store(a, HANDLER, PIC + 0x134);
    store(a, 1 << 3, PIC + 4);
    store(a, 300 + 700 * (arg / 12) + arg, WATCHDOG);
    store(a, 1, WATCHDOG + 4);
    if (arg % 3 == 0) {
        rva_end(a); /* parked when it comes */
    } else {
        count(a);
    }
    go(chip, KERR_CORE_B, a);
    if (arg % 3 == 2) {
        a = program(KERR_CORE_T0);
        count(a);
        go(chip, KERR_CORE_T0, a);
    }
}
static bool one_interrupt(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return chip_x(chip, at, KERR_CORE_B, A2) == 1;
}

/* NC is interrupted by B now and then; 0..19 a short loop that counts, 20..39 a long one, 40..59 one that is parked. */
static void interrupts(kerr_chip *chip, unsigned arg)
{
    rvasm *a = rva_new(HANDLER);
    rva(a, rv_csrr(A1, CSR_mcycle));
    rva(a, rv_add(A2, A2, A1));
    rva(a, rv_addi(A3, A3, 1));
    rva_li(a, S2, SW_INT(0));
    rva(a, rv_lw(X0, 0, S2));
    rva(a, rv_mret());
    put(chip, a);
    a = program(KERR_CORE_NC);
    store(a, HANDLER, PIC + 0xa8);
    store(a, 1, PIC + 0xc);
    uint32_t loop = rva_here(a);
    for (unsigned i = 0; i < (arg < 20 ? 1 : arg < 40 ? 60 : 0); i++) {
        rva(a, rv_addi(A0, A0, 1));
    }
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_NC, a);
    a = program(KERR_CORE_B);
    loop = rva_here(a);
    delay(a, (arg < 40 ? 150 : 600) + arg % 20);
    store(a, 1, SW_INT(0));
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_B, a);
}
static bool several_interrupts(kerr_chip *chip, unsigned arg)
{
    return chip_x(chip, at, KERR_CORE_NC, A3) > (arg < 40 ? 10 : 3);
}

/* ---- Device stores in the queue -------------------------------------------------------------------------------- */

/* An L1 store, then a device store behind it.  Odd: two rounds with a harmless address first, so that all is warm. */
static uint32_t queued_store(kerr_chip *chip, unsigned arg, uint32_t address, uint32_t value)
{
    bool warm = arg & 1;
    rvasm *a = program(KERR_CORE_B);
    rva_li(a, S2, QUEUE);
    rva_li(a, S3, warm ? QUEUE + 0x100 : address);
    rva_li(a, S4, address);
    rva_li(a, S5, 3);
    rva_li(a, T1, value);
    uint32_t top = rva_here(a);
    delay(a, 20 + arg / 2);
    rva(a, rv_sw(S2, 0, S2));
    uint32_t pc = rva_here(a);
    rva(a, rv_sw(T1, 0, S3));
    if (warm) {
        rva(a, rv_addi(S5, S5, -1));
        rva(a, rv_bne(S5, X0, 8));
        rva(a, rv_mv(S3, S4));
        rva(a, rv_j(rva_to(a, top)));
    }
    for (unsigned i = 0; i < 300; i++) {
        rva(a, rv_addi(A0, A0, 1));
    }
    count(a);
    go(chip, KERR_CORE_B, a);
    return pc;
}
static void queued_fault(kerr_chip *chip, unsigned arg)
{
    uint32_t pc = queued_store(chip, arg, arg & 2 ? 0x40000000 : NOTHING_HERE, 0);
    chip_set_word(chip, at, SEEN, pc);
    if (arg & 4) { /* another core goes on */
        rvasm *a = program(KERR_CORE_T1);
        count(a);
        go(chip, KERR_CORE_T1, a);
    }
}
static bool fault_is_of_the_store(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    uint32_t n = 0, of_the_store = 0, here = 0;
    MUST(chip, kerr_fault_count(chip, &n));
    for (uint32_t i = 0; i < n; i++) {
        kerr_fault fault;
        MUST(chip, kerr_fault_get(chip, i, &fault));
        bool in_tile = fault.tile.x == at.x && fault.tile.y == at.y;
        here += in_tile;
        of_the_store += in_tile && fault.pc == chip_word(chip, at, SEEN) && fault.core == KERR_CORE_B &&
                        fault.stopping && fault.instruction == rv_sw(T1, 0, S3);
    }
    return here == 1 && of_the_store == 1 && state_of(chip, KERR_CORE_B) == KERR_CORE_STOPPED &&
           chip_cycle(chip) == 4096;
}

static void self_reset(kerr_chip *chip, unsigned arg)
{
    (void)queued_store(chip, arg, SOFT_RESET, ALL_IN_RESET);
}
/* In the last phase the host starts T0: the tile is not stuck. */
static void start_t0(kerr_chip *chip, unsigned arg, unsigned phase)
{
    (void)arg, (void)phase;
    rvasm *a = program(KERR_CORE_T0);
    count(a);
    go(chip, KERR_CORE_T0, a);
}
static bool in_reset(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return state_of(chip, KERR_CORE_B) == KERR_CORE_IN_RESET && chip_word(chip, at, QUEUE) == QUEUE &&
           chip_x(chip, at, KERR_CORE_T0, A0) > 50;
}

/* ---- Mailboxes ------------------------------------------------------------------------------------------------- */

/* T0 writes a mailbox until it is full and once more, then a flag in L1; T1 takes one later.  Odd: the flag's writer
 * rests afterwards. */
static void stuck_mailbox(kerr_chip *chip, unsigned arg)
{
    rvasm *a = program(KERR_CORE_T0);
    rva_li(a, S2, MAILBOX(KERR_CORE_T1));
    rva_li(a, S3, FLAG);
    rva_li(a, T1, 7);
    delay(a, 50);
    for (unsigned i = 0; i < 5; i++) {
        rva(a, rv_sw(T1, 0, S2));
    }
    rva(a, rv_sw(T1, 0, S3));
    for (unsigned i = 0; i < 40; i++) {
        rva(a, rv_nop());
    }
    rva(a, rv_sw(T1, 0x100, S3));
    if (arg & 1) {
        rva_end(a);
    } else {
        count(a);
    }
    go(chip, KERR_CORE_T0, a);
    a = program(KERR_CORE_T1);
    rva_li(a, S2, MAILBOX(KERR_CORE_T0));
    fine_delay(a, 2500, arg / 2);
    rva(a, rv_lw(T1, 0, S2));
    rva(a, rv_add(T1, T1, T1));
    rva_end(a);
    go(chip, KERR_CORE_T1, a);
    poller(chip, KERR_CORE_T2, FLAG);
}
static void stuck_mailbox_two_flags(kerr_chip *chip, unsigned arg)
{
    stuck_mailbox(chip, arg);
    poller(chip, KERR_CORE_B, FLAG + 0x100);
}
/* The same, then a device that others poll: the store in L1 is there first, and whoever was parked finds the device at its cycle. */
static void stuck_mailbox_flag_and_stream(kerr_chip *chip, unsigned arg)
{
    rvasm *a = program(KERR_CORE_T0);
    rva_li(a, S2, MAILBOX(KERR_CORE_T1));
    rva_li(a, S3, FLAG);
    rva_li(a, S4, STREAM(5, 270));
    rva_li(a, T1, 7);
    rva_li(a, T2, 7 << 6);
    delay(a, 50);
    for (unsigned i = 0; i < 5; i++) {
        rva(a, rv_sw(T1, 0, S2));
    }
    rva(a, rv_sw(T1, 0, S3));
    rva(a, rv_sw(T2, 0, S4));
    count(a);
    go(chip, KERR_CORE_T0, a);
    a = program(KERR_CORE_T1);
    rva_li(a, S2, MAILBOX(KERR_CORE_T0));
    fine_delay(a, 2500, arg);
    rva(a, rv_lw(T1, 0, S2));
    rva(a, rv_add(T1, T1, T1));
    rva_end(a);
    go(chip, KERR_CORE_T1, a);
    poller(chip, KERR_CORE_T2, FLAG);
    poller(chip, KERR_CORE_B, STREAM(5, 297));
    poller(chip, KERR_CORE_NC, STREAM(5, 297));
}
static bool stuck_flag_and_stream_seen(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return all_saw(chip, 1 << KERR_CORE_T2 | 1 << KERR_CORE_B | 1 << KERR_CORE_NC, 7) &&
           chip_word(chip, at, SEEN + 4) > 5000;
}
static bool stuck_flag_seen(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return all_saw(chip, 1 << KERR_CORE_T2, 7) && chip_word(chip, at, SEEN + KERR_CORE_T2 * 8 + 4) > 5000;
}
static bool stuck_flags_seen(kerr_chip *chip, unsigned arg)
{
    return stuck_flag_seen(chip, arg) && all_saw(chip, 1 << KERR_CORE_B, 7) && chip_word(chip, at, SEEN + 4) > 5000;
}

/* T0 waits for a value with a queue full of stores for T1; T1 makes room, B brings the value. */
static void blocked_load_and_stores(kerr_chip *chip, unsigned arg)
{
    rvasm *a = program(KERR_CORE_T0);
    rva_li(a, S2, MAILBOX(KERR_CORE_T1));
    rva_li(a, S3, MAILBOX(KERR_CORE_B));
    rva_li(a, T1, 7);
    for (unsigned i = 0; i < 4; i++) {
        rva(a, rv_sw(T1, 0, S2));
    }
    delay(a, 100);
    rva(a, rv_lw(A1, 0, S3));
    for (unsigned i = 0; i < 5; i++) {
        rva(a, rv_sw(T1, 0, S2));
    }
    rva(a, rv_sw(T1, 0, S3));
    rva(a, rv_mv(A0, A1));
    count(a);
    go(chip, KERR_CORE_T0, a);
    a = program(KERR_CORE_T1);
    rva_li(a, S2, MAILBOX(KERR_CORE_T0));
    fine_delay(a, 500, arg);
    for (unsigned i = 0; i < 9; i++) {
        rva(a, rv_lw(T1, 0, S2));
        rva(a, rv_addi(A0, A0, 1));
    }
    count(a);
    go(chip, KERR_CORE_T1, a);
    a = program(KERR_CORE_B);
    rva_li(a, S2, MAILBOX(KERR_CORE_T0));
    rva(a, rv_lw(T1, 0, S2));
    rva(a, rv_add(A0, T1, T1));
    rva(a, rv_sw(T1, 0, S2));
    count(a);
    go(chip, KERR_CORE_B, a);
}
static bool none_waits(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    bool good = true;
    for (unsigned c = KERR_CORE_B; c <= KERR_CORE_T1; c++) {
        const kerr_core_state state = state_of(chip, (kerr_core)c);
        good &= state == KERR_CORE_RUNNING || state == KERR_CORE_PARKED;
    }
    return good;
}

/* Nothing ever comes: what stands before the first use is done, what stands behind is not. */
static void empty_mailbox(kerr_chip *chip, unsigned arg)
{
    rvasm *a = program(KERR_CORE_B);
    rva_li(a, S2, MAILBOX(KERR_CORE_B));
    rva_li(a, S3, FLAG);
    delay(a, 10 + arg);
    rva(a, rv_lw(T2, 0, S2));
    rva(a, rv_lw(A0, 0, S3));
    rva(a, rv_addi(A3, A0, 1));
    for (unsigned i = 0; i < 30; i++) {
        rva(a, rv_nop());
    }
    rva(a, rv_addi(A1, X0, 5));
    rva(a, rv_addi(A2, T2, 7));
    rva_end(a);
    go(chip, KERR_CORE_B, a);
}
static bool waits_without_the_sum(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return state_of(chip, KERR_CORE_B) == KERR_CORE_WAITING && chip_x(chip, at, KERR_CORE_B, A2) == 0;
}

/* ---- Polled words ---------------------------------------------------------------------------------------------- */

/* One core changes a word by amo; the four others poll it. */
static void polled_amo(kerr_chip *chip, unsigned arg)
{
    kerr_core writer = (kerr_core)(arg % KERR_CORE_COUNT);
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        if (c != writer) {
            poller(chip, (kerr_core)c, FLAG);
        }
    }
    rvasm *a = program(writer);
    rva_li(a, S2, FLAG);
    fine_delay(a, 900, arg / KERR_CORE_COUNT);
    rva_li(a, T1, 1);
    rva(a, rv_amoadd_w(T2, T1, S2));
    count(a);
    go(chip, writer, a);
}
static bool amo_seen(kerr_chip *chip, unsigned arg)
{
    return all_saw(chip, 0x1f & ~(1u << arg % KERR_CORE_COUNT), 1);
}

/* T2 writes 32 words at a stride in one instruction; the others poll some of them. */
static void polled_vector(kerr_chip *chip, unsigned arg)
{
    int32_t stride = arg & 1 ? 64 : 8;
    poller(chip, KERR_CORE_B, FLAG);
    poller(chip, KERR_CORE_T0, FLAG + (uint32_t)stride);
    poller(chip, KERR_CORE_T1, FLAG + 14 * (uint32_t)stride);
    poller(chip, KERR_CORE_NC, FLAG + 31 * (uint32_t)stride);
    rvasm *a = program(KERR_CORE_T2);
    rva_li(a, S2, FLAG);
    rva(a, rv_addi(S3, X0, stride));
    fine_delay(a, 900, arg / 2);
    rva(a, 0x013072d7);                                                      /* vsetvli t0, x0, e32, m8 */
    rva(a, 0x5e00b457);                                                      /* vmv.v.i v8, 1 */
    rva(a, 0x0a006027u | 8u << 7 | (uint32_t)S2 << 15 | (uint32_t)S3 << 20); /* vsse32.v v8, (s2), s3 */
    count(a);
    go(chip, KERR_CORE_T2, a);
}
static bool vector_seen(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return all_saw(chip, 0x1f & ~(1u << KERR_CORE_T2), 1);
}

/* B polls its local RAM; the host writes there through the slow path. */
static void polled_local(kerr_chip *chip, unsigned arg)
{
    rvasm *a = program(KERR_CORE_B);
    rva_li(a, S2, LOCAL_RAM);
    rva_li(a, S3, SEEN);
    fine_delay(a, 300, arg * 7);
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T1, 0, S2));
    rva(a, rv_nop());
    rva(a, rv_nop());
    rva(a, rv_nop());
    rva(a, rv_beq(T1, X0, rva_to(a, loop)));
    rva(a, rv_csrr(A1, CSR_mcycle));
    rva(a, rv_sw(T1, 0, S3));
    rva_end(a);
    go(chip, KERR_CORE_B, a);
}
static void poke_local(kerr_chip *chip, unsigned arg, unsigned phase)
{
    (void)arg, (void)phase;
    chip_set_word(chip, at, SLOW_B, 1);
}
static bool local_seen(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return all_saw(chip, 1 << KERR_CORE_B, 1);
}

/* B polls the first word of some tags; then T0 (even) or T2 (odd) turns its loads into searches. */
static const struct {
    unsigned word;
    uint32_t value;
} search[] = {{213, TAGS / 16 + 15},    {214, 5}, {215, 0}, {216, 2 | VALIDS / 16 << 2}, {217, VALIDS / 16}, {219, 0},
              {212, 1 | TAGS / 16 << 1}};
enum { SEARCH_WORDS = sizeof search / sizeof *search };
static void tag_search(kerr_chip *chip, unsigned arg)
{
    chip_set_word(chip, at, TAGS + 8, 5);
    chip_set_word(chip, at, VALIDS, 1 << 2);
    poller(chip, KERR_CORE_B, TAGS);
    kerr_core other = arg % 2 ? KERR_CORE_T2 : KERR_CORE_T0;
    rvasm *a = program(other);
    fine_delay(a, 2200, arg / 2);
    for (unsigned i = 0; i < SEARCH_WORDS; i++) {
        store(a, search[i].value, CONFIG(search[i].word));
    }
    count(a);
    go(chip, other, a);
}
static bool search_seen(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return all_saw(chip, 1 << KERR_CORE_B, 3);
}

/* ---- Debugger -------------------------------------------------------------------------------------------------- */

static uint32_t step_pc; /* of the load, by start */
static void stepping(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    chip_set_word(chip, at, FLAG, 9);
    rvasm *a = program(KERR_CORE_B);
    rva_li(a, S2, FLAG);
    rva(a, rv_ebreak());
    step_pc = rva_here(a);
    rva(a, rv_lw(T1, 0, S2));
    rva(a, rv_add(A0, A0, T1));
    rva(a, rv_addi(A0, A0, 5));
    count(a);
    go(chip, KERR_CORE_B, a);
}
/* Commands while the load is under way: it takes some eight cycles. */
static void step(kerr_chip *chip, unsigned arg, unsigned phase)
{
    (void)arg, (void)phase;
    for (unsigned i = 0; i < 2; i++) {
        debug_register(chip, KERR_CORE_B, 1, 2);
    }
}
static bool two_steps(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return state_of(chip, KERR_CORE_B) == KERR_CORE_HALTED && pc_of(chip, KERR_CORE_B) == step_pc + 8 &&
           chip_x(chip, at, KERR_CORE_B, A0) == 9;
}

static void loop_of_nops(kerr_chip *chip, unsigned arg)
{
    kerr_core core = (kerr_core)(arg % 4);
    rvasm *a = rva_new(CODE);
    for (unsigned i = 0; i < 3; i++) {
        rva(a, rv_nop());
    }
    rva(a, rv_j(-12));
    go(chip, core, a);
}
static void set_breakpoint(kerr_chip *chip, unsigned arg, unsigned phase)
{
    (void)phase;
    debug_register(chip, (kerr_core)(arg % 4), 10, CODE + 8);
    debug_register(chip, (kerr_core)(arg % 4), 5, 8);
}
static bool halted(kerr_chip *chip, unsigned arg)
{
    return state_of(chip, (kerr_core)(arg % 4)) == KERR_CORE_HALTED;
}

/* ---- Code ------------------------------------------------------------------------------------------------------ */

/* B stores into a line of .ttinsn while T0 runs it. */
static void stores_into_pushes(kerr_chip *chip, unsigned arg)
{
    enum { PUSH = 0x00000008 };
    rvasm *a = program(KERR_CORE_T0);
    delay(a, 40);
    rva_align(a, 16);
    uint32_t push = rva_here(a);
    for (unsigned i = 0; i < 4; i++) {
        rva(a, PUSH);
    }
    rva(a, rv_j(rva_to(a, push)));
    go(chip, KERR_CORE_T0, a);
    a = program(KERR_CORE_B);
    delay(a, 10 + arg);
    rva_li(a, T0, push);
    rva_li(a, T1, PUSH);
    for (int32_t i = 0; i < 30; i++) {
        rva(a, rv_sw(T1, i % 4 * 4, T0));
    }
    rva_end(a);
    go(chip, KERR_CORE_B, a);
}

/* An integer result of the FPU in the very next instruction. */
static void compare_and_use(kerr_chip *chip, unsigned arg)
{
    rvasm *a = program(KERR_CORE_B);
    rva_li(a, T1, 0x3f800000);
    rva(a, 0xf0000053u | (uint32_t)T1 << 15 | 1 << 7); /* fmv.w.x f1, t1 */
    delay(a, 4 + arg);
    uint32_t loop = rva_here(a);
    rva(a, 0xa0002053u | 1 << 15 | 1 << 20 | (uint32_t)A1 << 7); /* feq.s a1, f1, f1 */
    rva(a, rv_add(A0, A0, A1));
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_B, a);
}

/* ---- A core that could run ahead of the others is looked into ------------------------------------------------ */

/* T0 works on its registers and local RAM; B, after a while, does one thing. */
static rvasm *runs_ahead(kerr_chip *chip, unsigned arg)
{
    rvasm *a = program(KERR_CORE_T0);
    rva_li(a, S2, LOCAL_RAM);
    delay(a, 2100);
    uint32_t loop = rva_here(a);
    rva(a, rv_addi(A0, A0, 1));
    rva(a, rv_sw(A0, 0, S2));
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_T0, a);
    a = program(KERR_CORE_B);
    delay(a, 3000 + arg);
    return a;
}
static void ahead_of_reset(kerr_chip *chip, unsigned arg)
{
    rvasm *a = runs_ahead(chip, arg);
    rva_li(a, S2, SOFT_RESET);
    rva(a, rv_lw(T1, 0, S2));
    rva_li(a, T2, RESET_T0);
    rva(a, rv_or(T1, T1, T2));
    rva(a, rv_sw(T1, 0, S2));
    count(a);
    go(chip, KERR_CORE_B, a);
}
static void ahead_of_load(kerr_chip *chip, unsigned arg, uint32_t address)
{
    rvasm *a = runs_ahead(chip, arg);
    rva_li(a, S2, address);
    rva(a, rv_lw(S3, 0, S2));
    count(a);
    go(chip, KERR_CORE_B, a);
}
static void ahead_of_pc(kerr_chip *chip, unsigned arg)
{
    ahead_of_load(chip, arg, PC_OF_T0);
}
static void ahead_of_local(kerr_chip *chip, unsigned arg)
{
    ahead_of_load(chip, arg, SLOW_T0);
}
static void ahead_of_debugger(kerr_chip *chip, unsigned arg)
{
    rvasm *a = runs_ahead(chip, arg);
    store(a, 1, DBG_CNTL + 4);
    store(a, 0x80000000u | 1 << 17 | 1 << 16 | 1, DBG_CNTL);
    count(a);
    go(chip, KERR_CORE_B, a);
}
static void ahead_of_enable(kerr_chip *chip, unsigned arg)
{
    rvasm *a = rva_new(HANDLER);
    rva(a, rv_addi(A1, A1, 1));
    rva_li(a, S2, SW_INT(0));
    rva(a, rv_lw(X0, 0, S2));
    rva(a, rv_mret());
    put(chip, a);
    a = program(KERR_CORE_NC);
    count(a);
    go(chip, KERR_CORE_NC, a);
    a = program(KERR_CORE_B);
    delay(a, 200 + arg);
    store(a, HANDLER, PIC + 0xa8);
    store(a, 1, PIC + 0xc);
    store(a, 1, SW_INT(0));
    count(a);
    go(chip, KERR_CORE_B, a);
}

/* The debug daisychain samples by itself where a core stands: B 10 and 11, T0 12 and 13 (manual DebugDaisychain). */
enum { SAMPLES = 0x20000, SAMPLES_END = SAMPLES + 0x4000, SAMPLE_OF_T0 = 13, SAMPLE_EVERY = 37 };
enum { PREPARE = 0xf, SAMPLING = 1 << 12 | (SAMPLE_EVERY - 1) << 4 | 4 };
static void host_store(kerr_chip *chip, uint32_t address, uint32_t value)
{
    MUST(chip, kerr_write(chip, at, address, &value, sizeof value));
}
static void select_pc_of_t0(kerr_chip *chip)
{
    host_store(chip, DAISYCHAIN_SELECT, 1u << 29 | 7 << 16 | SAMPLE_OF_T0);
    host_store(chip, DAISYCHAIN_TO_L1 + 8, PREPARE);
    host_store(chip, DAISYCHAIN_TO_L1, SAMPLES / 16);
    host_store(chip, DAISYCHAIN_TO_L1 + 4, SAMPLES_END / 16);
}
/* Two loops of registers by turns; odd: with a push of the coprocessor in each. */
static rvasm *two_loops(unsigned arg)
{
    rvasm *a = program(KERR_CORE_T0);
    const uint32_t top = rva_here(a);
    for (unsigned i = 0; i < 2; i++) {
        rva_li(a, T6, 60 + 7 * arg + 10 * i);
        const uint32_t loop = rva_here(a);
        rva(a, rv_addi(A0, A0, 1));
        if (arg & 1) {
            rva(a, tt_ttinsn(0x02000000)); /* NOP */
        }
        rva(a, rv_addi(T6, T6, -1));
        rva(a, rv_bne(T6, X0, rva_to(a, loop)));
    }
    rva(a, rv_j(rva_to(a, top)));
    return a;
}
static void sampled(kerr_chip *chip, unsigned arg)
{
    go(chip, KERR_CORE_T0, two_loops(arg));
    select_pc_of_t0(chip);
}
static void sample(kerr_chip *chip, unsigned arg, unsigned phase)
{
    (void)arg, (void)phase;
    host_store(chip, DAISYCHAIN_TO_L1 + 8, SAMPLING);
}
/* B starts it, beside T0. */
static void sampled_by_b(kerr_chip *chip, unsigned arg)
{
    sampled(chip, arg);
    rvasm *a = program(KERR_CORE_B);
    delay(a, 300 + arg);
    store(a, SAMPLING, DAISYCHAIN_TO_L1 + 8);
    rva_end(a);
    go(chip, KERR_CORE_B, a);
}
/* The same before it lets T0 go. */
static void sampled_from_reset(kerr_chip *chip, unsigned arg)
{
    select_pc_of_t0(chip);
    rvasm *a = two_loops(arg);
    put(chip, a);
    host_store(chip, 0xffb12228u, CODE + KERR_CORE_T0 * CODE_STEP); /* TRISC0_RESET_PC */
    host_store(chip, 0xffb12234u, 1);                               /* TRISC_RESET_PC_OVERRIDE_EN */
    a = program(KERR_CORE_B);
    delay(a, 300 + arg);
    store(a, SAMPLING, DAISYCHAIN_TO_L1 + 8);
    store(a, ALL_IN_RESET & ~(uint32_t)(RESET_T0 | RESET_B), SOFT_RESET);
    rva_end(a);
    go(chip, KERR_CORE_B, a);
}
static bool samples_are_of_both_loops(kerr_chip *chip, unsigned arg)
{
    const uint32_t code = CODE + KERR_CORE_T0 * CODE_STEP;
    uint32_t low = UINT32_MAX, high = 0, count = 0;
    (void)arg;
    for (uint32_t i = SAMPLES; i < SAMPLES_END; i += 16) {
        const uint32_t pc = chip_word(chip, at, i + 4); /* the instruction that leaves the frontend */
        if (pc < code || pc >= code + 0x100) {
            continue;
        }
        low = pc < low ? pc : low;
        high = pc > high ? pc : high;
        count++;
    }
    return count >= 40 && low < high;
}

/* ---- Streams of the NoC overlay -------------------------------------------------------------------------------- */

/* B adds to a counter that three cores poll. */
static void stream_counter(kerr_chip *chip, unsigned arg)
{
    poller(chip, KERR_CORE_T0, STREAM(5, 297));
    poller(chip, KERR_CORE_T2, STREAM(5, 297));
    poller(chip, KERR_CORE_NC, STREAM(5, 297));
    rvasm *a = program(KERR_CORE_B);
    fine_delay(a, 300 + 100 * (arg / 12), arg);
    store(a, 7 << 6, STREAM(5, 270));
    rva_end(a);
    go(chip, KERR_CORE_B, a);
}
static bool counter_seen(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return all_saw(chip, 1 << KERR_CORE_T0 | 1 << KERR_CORE_T2 | 1 << KERR_CORE_NC, 7);
}

/* B lets a stream read its configuration from L1, which writes the register that T0 and T1 poll. */
static void stream_configuration(kerr_chip *chip, unsigned arg)
{
    const uint32_t words[2] = {0, 4u << 24 | 0x1234};
    MUST(chip, kerr_poke(chip, at, QUEUE, words, sizeof words));
    poller(chip, KERR_CORE_T0, STREAM(40, 4));
    poller(chip, KERR_CORE_T1, STREAM(40, 4));
    rvasm *a = program(KERR_CORE_B);
    store(a, QUEUE, STREAM(40, 31));
    store(a, 1u << 24, STREAM(40, 34));
    fine_delay(a, 300 + 100 * (arg / 12), arg);
    store(a, 1, STREAM(40, 2));
    rva_end(a);
    go(chip, KERR_CORE_B, a);
}
static bool configuration_seen(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return all_saw(chip, 1 << KERR_CORE_T0 | 1 << KERR_CORE_T1, 0x1234);
}

/* T0 counts up in a stream while B stores to an NIU. */
static void stream_beside_niu(kerr_chip *chip, unsigned arg)
{
    rvasm *a = program(KERR_CORE_T0);
    rva_li(a, T1, 1 << 6);
    rva_li(a, T2, STREAM(9, 270));
    rva_li(a, T6, 200);
    uint32_t loop = rva_here(a);
    rva(a, rv_sw(T1, 0, T2));
    rva(a, rv_addi(T6, T6, -1));
    rva(a, rv_bne(T6, X0, rva_to(a, loop)));
    rva_end(a);
    go(chip, KERR_CORE_T0, a);
    a = program(KERR_CORE_B);
    fine_delay(a, 20 * arg, arg);
    store(a, 0, 0xffb20044u);
    rva_end(a);
    go(chip, KERR_CORE_B, a);
}
static bool counted_once(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    return chip_word(chip, at, STREAM(9, 297)) == 200;
}

/* ---- The NoC --------------------------------------------------------------------------------------------------- */

enum {
    INITIATOR = 0x800,
    NOC_READS = 0x2090,
    NOC_WRITES = 0x2092, /* with acknowledgement */
    NOC_POSTED = 0x2082,
    NOC_SPREADS = 0x80b2, /* the same to a rectangle */
    NIU_CFG_0 = 0x100,
    NOC2AXI = 1 << 15,
    ROUTER_CFG_1 = 0x108,
    SLV_RD_RESP_SENT = 0x2c8,
    SLV_RD_REQ_RECEIVED = 0x2d4,
    MST_WR_ACK_RECEIVED = 0x204,
    SLV_NONPOSTED_WR_REQ_RECEIVED = 0x2e8,
    SLV_POSTED_WR_REQ_RECEIVED = 0x2ec,
    NOC_DATA = 0x6000, /* in L1 */
    NOC_TIMES = 0x7000
};

static uint32_t noc_name(kerr_xy place)
{
    return place.x | (uint32_t)place.y << 6;
}
/* All registers of an initiator but NOC_CMD_CTRL. */
static void request(rvasm *a, unsigned initiator, uint32_t ctrl, uint32_t from, uint32_t from_name, uint32_t to,
                    uint32_t to_name, uint32_t bytes)
{
    const uint32_t value[][2] = {{0x00, from},    {0x04, 0}, {0x08, from_name}, {0x0c, to},    {0x10, 0},
                                 {0x14, to_name}, {0x18, 0}, {0x1c, ctrl},      {0x20, bytes}, {0x24, 0}};
    rva_li(a, T2, NIU + initiator * INITIATOR);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        rva_li(a, T1, value[i][1]);
        rva(a, rv_sw(T1, (int32_t)value[i][0], T2));
    }
}
/* NOC_CMD_CTRL, when the initiator is free. */
static void send_request(rvasm *a, unsigned initiator)
{
    rva_li(a, T2, NIU + initiator * INITIATOR);
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T1, 0x40, T2));
    rva(a, rv_bne(T1, X0, rva_to(a, loop)));
    rva(a, rv_addi(T1, X0, 1));
    rva(a, rv_sw(T1, 0x40, T2));
}
/* The one core of a DRAM tile. */
static void go_drisc(kerr_chip *chip, kerr_xy tile, rvasm *a)
{
    const kerr_segment code = {a->base, (uint32_t)a->count * 4, (uint32_t)a->count * 4, a->word};
    MUST(chip, kerr_load(chip, tile, KERR_CORE_D, &code, 1));
    MUST(chip, kerr_core_start(chip, tile, KERR_CORE_D, a->base));
    free(a);
}

/* B's store to NOC_CMD_CTRL stands behind another in its queue, and B waits for a mailbox by the time it leaves: nobody has a turn
 * between it and the next packet that arrives. */
static void queued_request(kerr_chip *chip, unsigned arg)
{
    const uint32_t here = noc_name(at);
    rvasm *a = program(KERR_CORE_B);
    request(a, 0, NOC_WRITES, NOC_DATA, here, NOC_DATA + 64, here, 16);
    request(a, 1, NOC_WRITES, NOC_DATA, here, NOC_DATA + 128, here, 16);
    rva_li(a, S2, NOC_DATA + 256);
    rva_li(a, S3, NIU + INITIATOR + 0x40);
    rva_li(a, S4, MAILBOX(1));
    rva_li(a, T5, 1);
    send_request(a, 0);
    fine_delay(a, 1, arg);
    rva(a, rv_sw(T5, 0, S2));
    rva(a, rv_sw(T5, 0, S3));
    rva(a, rv_lw(A0, 0, S4));
    rva(a, rv_addi(A0, A0, 1));
    rva_end(a);
    go(chip, KERR_CORE_B, a);
}

/* DRISC takes its tile into stream mode and back while four tiles read and write what is L1 in the one and memory in the other, and
 * queue up for it. */
static void mode_of_a_bank(kerr_chip *chip, unsigned arg)
{
    const kerr_xy bank = kerr_dram_xy(arg / 4);
    rvasm *a = program(KERR_CORE_NC);
    request(a, 2, NOC_READS, 0x8000, noc_name(bank), 0x8000, noc_name(at), 0x1000);
    uint32_t loop = rva_here(a);
    send_request(a, 2);
    delay(a, 20);
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_NC, a);
    a = program(KERR_CORE_B);
    request(a, 0, NOC_POSTED, NOC_DATA, noc_name(at), NOC_DATA, noc_name(bank), 16);
    request(a, 1, NOC_READS, NOC_DATA, noc_name(bank), NOC_DATA + 256, noc_name(at), 64);
    rva_li(a, S2, NOC_DATA);
    loop = rva_here(a);
    rva(a, rv_addi(S4, S4, 1));
    rva(a, rv_sw(S4, 0, S2));
    rva(a, rv_lw(X0, 0, S2));
    send_request(a, 0);
    send_request(a, 1);
    delay(a, 5 + arg);
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_B, a);
    if (arg % 4 != 0) {
        return;
    }
    a = rva_new(0x1000);
    rva_li(a, S2, NIU + NIU_CFG_0);
    rva_li(a, S3, NOC2AXI);
    delay(a, 20);
    loop = rva_here(a);
    rva(a, rv_sw(X0, 0, S2));
    delay(a, 3 + arg);
    rva(a, rv_sw(S3, 0, S2));
    delay(a, 12 - arg);
    rva(a, rv_j(rva_to(a, loop)));
    go_drisc(chip, bank, a);
}

/* B leaves and joins the broadcasts of its column while another tile sends them to it and to one below. */
static void mask_of_broadcasts(kerr_chip *chip, unsigned arg)
{
    const kerr_xy below = {at.x, (uint8_t)(at.y + 1)}, sender = kerr_tensix_xy(70 + arg), here = at;
    rvasm *a = program(KERR_CORE_B);
    rva_li(a, S2, NIU + ROUTER_CFG_1);
    rva(a, rv_lw(S4, 0, S2));
    rva_li(a, S3, 1u << at.x);
    rva(a, rv_or(S3, S3, S4));
    fine_delay(a, 20, arg);
    uint32_t loop = rva_here(a);
    rva(a, rv_sw(S3, 0, S2));
    delay(a, 2 + arg % 5);
    rva(a, rv_sw(S4, 0, S2));
    delay(a, 3 + arg % 3);
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_B, a);
    at = sender;
    a = program(KERR_CORE_B);
    request(a, 0, NOC_SPREADS, NOC_DATA, 0, NOC_DATA, noc_name(below) | noc_name(here) << 12, 16);
    rva_li(a, T2, NIU);
    rva_li(a, S2, NOC_DATA);
    loop = rva_here(a);
    rva(a, rv_addi(S4, S4, 1));
    rva(a, rv_sw(S4, 0, S2));
    rva(a, rv_lw(X0, 0, S2));
    for (uint32_t i = 0; i < 3; i++) {
        send_request(a, 0);
        delay(a, 5 + 3 * i);
    }
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_B, a);
    at = here;
}

/* B writes to a bank and reads from it now and then. */
static void uses_bank(kerr_chip *chip, unsigned arg, kerr_xy bank)
{
    rvasm *a = program(KERR_CORE_B);
    request(a, 0, NOC_POSTED, NOC_DATA, noc_name(at), NOC_DATA, noc_name(bank), 16);
    request(a, 1, NOC_READS, NOC_DATA, noc_name(bank), NOC_DATA + 256, noc_name(at), 64);
    fine_delay(a, 100, arg);
    uint32_t loop = rva_here(a);
    send_request(a, 0);
    delay(a, 40);
    send_request(a, 1);
    delay(a, 90);
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_B, a);
}
/* DRISC polls a counter of requests to the bank and notes the cycle of each change, in turn by argument. */
static void bank_counters_polled(kerr_chip *chip, unsigned arg)
{
    static const uint32_t counter[] = {SLV_RD_RESP_SENT, SLV_RD_REQ_RECEIVED, SLV_POSTED_WR_REQ_RECEIVED};
    const kerr_xy bank = kerr_dram_xy(arg);
    rvasm *a = rva_new(0x1000);
    rva_li(a, S2, NIU + counter[arg % 3]);
    rva_li(a, S3, NOC_TIMES);
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(A0, 0, S2));
    rva(a, rv_beq(A0, S4, rva_to(a, loop)));
    rva(a, rv_csrr(A1, CSR_mcycle));
    rva(a, rv_addi(S4, A0, 0));
    rva(a, rv_sw(A1, 0, S3));
    rva(a, rv_addi(S3, S3, 4));
    rva(a, rv_j(rva_to(a, loop)));
    go_drisc(chip, bank, a);
    uses_bank(chip, arg, bank);
}
/* The second tile reads them over the NoC; DRISC is in reset. */
static void bank_counters_read(kerr_chip *chip, unsigned arg)
{
    const kerr_xy here = at, bank = kerr_dram_xy(arg);
    uses_bank(chip, arg, bank);
    at = kerr_tensix_xy(70 + arg);
    rvasm *a = program(KERR_CORE_B);
    request(a, 0, NOC_READS, NIU + SLV_RD_RESP_SENT + 4 * (arg % 2) * 3, noc_name(bank), NOC_DATA, noc_name(at), 4);
    request(a, 1, NOC_READS, NIU + SLV_POSTED_WR_REQ_RECEIVED, noc_name(bank), NOC_DATA + 16 + 12, noc_name(at), 4);
    uint32_t loop = rva_here(a);
    for (unsigned i = 0; i < 2; i++) {
        send_request(a, i);
        rva_li(a, S2, NIU + i * INITIATOR + 0xc);
        rva(a, rv_lw(T1, 0, S2));
        rva(a, rv_addi(T1, T1, 32));
        rva(a, rv_sw(T1, 0, S2));
        delay(a, 6);
    }
    rva(a, rv_j(rva_to(a, loop)));
    go(chip, KERR_CORE_B, a);
    at = here;
}
static bool times_noted(kerr_chip *chip, unsigned arg)
{
    uint32_t times[4];
    MUST(chip, kerr_core_peek(chip, kerr_dram_xy(arg), KERR_CORE_D, NOC_TIMES, times, sizeof times));
    return times[0] != 0 && times[1] > times[0] && times[2] > times[1] && times[3] > times[2];
}
static bool counters_seen(kerr_chip *chip, unsigned arg)
{
    const kerr_xy here = at;
    at = kerr_tensix_xy(70 + arg);
    bool rises = false;
    for (uint32_t i = 1; i < 32; i++) {
        rises |= chip_word(chip, at, NOC_DATA + 28 + 32 * (i - 1)) < chip_word(chip, at, NOC_DATA + 28 + 32 * i);
    }
    at = here;
    return rises;
}
/* Some came through and some did not. */
static bool some_missed(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    uint32_t here, below;
    MUST(chip, kerr_peek(chip, at, NIU + SLV_NONPOSTED_WR_REQ_RECEIVED, &here, 4));
    MUST(chip, kerr_peek(chip, (kerr_xy){at.x, (uint8_t)(at.y + 1)}, NIU + SLV_NONPOSTED_WR_REQ_RECEIVED, &below, 4));
    return here > 1 && below > here;
}
static bool some_in_l1(kerr_chip *chip, unsigned arg)
{
    uint32_t word;
    MUST(chip, kerr_core_peek(chip, kerr_dram_xy(arg / 4), KERR_CORE_D, NOC_DATA, &word, 4));
    return word != 0;
}
static bool request_sent(kerr_chip *chip, unsigned arg)
{
    (void)arg;
    uint32_t acknowledged;
    MUST(chip, kerr_peek(chip, at, NIU + MST_WR_ACK_RECEIVED, &acknowledged, 4));
    return acknowledged == 2;
}

/* ---- The scenes ------------------------------------------------------------------------------------------------ */

enum { B = 1 << KERR_CORE_B, T0_ = 1 << KERR_CORE_T0, T1_ = 1 << KERR_CORE_T1, T2_ = 1 << KERR_CORE_T2 };
static const scene scenes[] = {
    {.name = "watchdog interrupt",
     .start = watchdog,
     .args = 24,
     .cycles = {4096, 3000},
     .what = "the handler runs once",
     .good = one_interrupt},
    {.name = "interrupts of a core that may be parked",
     .start = interrupts,
     .args = 60,
     .cycles = {4096, 8000},
     .what = "the handler runs again and again",
     .good = several_interrupts},
    {.name = "counter of a stream that others poll",
     .start = stream_counter,
     .args = 24,
     .cycles = {1000, 3000},
     .what = "all pollers see it",
     .good = counter_seen},
    {.name = "stream that reads its configuration from L1",
     .start = stream_configuration,
     .args = 24,
     .cycles = {1000, 3000},
     .what = "the pollers of a register see it written",
     .good = configuration_seen},
    {.name = "stream beside stores to an NIU",
     .start = stream_beside_niu,
     .args = 24,
     .cycles = {3000},
     .what = "each addition counts once",
     .good = counted_once},
    {.name = "queued device store that faults",
     .start = queued_fault,
     .args = 16,
     .cycles = {6000},
     .what = "the fault is the store's, and the chip stops at its stop point",
     .good = fault_is_of_the_store},
    {.name = "self reset with a queued store",
     .start = self_reset,
     .args = 8,
     .cycles = {1500, 500},
     .act = start_t0,
     .what = "the core is in reset, the store before is done, others can be started",
     .good = in_reset},
    {.name = "stuck mailbox followed by a flag in L1",
     .start = stuck_mailbox,
     .args = 24,
     .cycles = {4000, 5000},
     .parked = T2_,
     .what = "the flag is seen once there is room",
     .good = stuck_flag_seen},
    {.name = "stuck mailbox followed by two flags in L1",
     .start = stuck_mailbox_two_flags,
     .args = 24,
     .cycles = {4000, 5000},
     .parked = T2_ | B,
     .what = "the flags are seen once there is room",
     .good = stuck_flags_seen},
    {.name = "stuck mailbox followed by a flag in L1 and a stream",
     .start = stuck_mailbox_flag_and_stream,
     .args = 24,
     .cycles = {4000, 5000},
     .parked = T2_ | B,
     .what = "flag and stream are seen once there is room",
     .good = stuck_flag_and_stream_seen},
    {.name = "blocked load with stuck stores",
     .start = blocked_load_and_stores,
     .args = 8,
     .cycles = {8000},
     .what = "all go on",
     .good = none_waits},
    {.name = "load from an empty mailbox",
     .start = empty_mailbox,
     .args = 4,
     .cycles = {2000},
     .what = "the core waits and has not used the value",
     .good = waits_without_the_sum},
    {.name = "amo on a polled word",
     .start = polled_amo,
     .args = 40,
     .cycles = {1700, 2300},
     .what = "the pollers see it",
     .good = amo_seen},
    {.name = "vector store on polled words",
     .start = polled_vector,
     .args = 24,
     .cycles = {1700, 2300},
     .parked = B | T0_ | T1_,
     .what = "the pollers see it",
     .good = vector_seen},
    {.name = "poke of polled local RAM",
     .start = polled_local,
     .args = 60,
     .cycles = {1500, 2000},
     .act = poke_local,
     .what = "the core sees it",
     .good = local_seen},
    {.name = "tag search switched on while B is parked",
     .start = tag_search,
     .args = 16,
     .cycles = {1000, 1000, 2000, 3000},
     .parked = B,
     .what = "the load becomes a search",
     .good = search_seen},
    {.name = "single step onto the user of a load 2 cycles old",
     .start = stepping,
     .args = 6,
     .alone = true,
     .cycles = {500, 2, 64},
     .act = step,
     .what = "the second step is over the user",
     .good = two_steps},
    {.name = "single step onto the user of a load 5 cycles old",
     .start = stepping,
     .args = 6,
     .alone = true,
     .cycles = {500, 5, 64},
     .act = step,
     .what = "the second step is over the user",
     .good = two_steps},
    {.name = "single step onto the user of a load 20 cycles old",
     .start = stepping,
     .args = 6,
     .alone = true,
     .cycles = {500, 20, 64},
     .act = step,
     .what = "the second step is over the user",
     .good = two_steps},
    {.name = "breakpoint set on a parked core",
     .start = loop_of_nops,
     .args = 12,
     .alone = true,
     .cycles = {5000, 2000},
     .act = set_breakpoint,
     .what = "the core halts",
     .good = halted},
    {.name = "stores into a line of pushes", .start = stores_into_pushes, .args = 60, .cycles = {1500}},
    {.name = "integer result of the FPU used at once", .start = compare_and_use, .args = 2, .cycles = {500}},
    {.name = "soft reset of a core by another", .start = ahead_of_reset, .args = 8, .cycles = {8192, 4096}},
    {.name = "snapshot of the pc of another core", .start = ahead_of_pc, .args = 8, .cycles = {8192, 4096}},
    {.name = "local RAM of another core by the slow path", .start = ahead_of_local, .args = 8, .cycles = {8192, 4096}},
    {.name = "core halted by another", .start = ahead_of_debugger, .args = 8, .cycles = {8192, 4096}},
    {.name = "pc of a core sampled by itself",
     .start = sampled,
     .args = 16,
     .cycles = {500, 3000},
     .act = sample,
     .what = "samples show both of its loops",
     .good = samples_are_of_both_loops},
    {.name = "pc of a core sampled by itself, at the word of another",
     .start = sampled_by_b,
     .args = 16,
     .cycles = {4096, 3000},
     .what = "samples show both of its loops",
     .good = samples_are_of_both_loops},
    {.name = "pc of a core sampled by itself, from its reset on",
     .start = sampled_from_reset,
     .args = 16,
     .cycles = {4096, 3000},
     .what = "samples show both of its loops",
     .good = samples_are_of_both_loops},
    {.name = "interrupt enabled by another core", .start = ahead_of_enable, .args = 8, .cycles = {4096, 3000}},
    {.name = "request in a queue when a packet comes",
     .start = queued_request,
     .args = 64,
     .cycles = {600, 2400},
     .what = "both requests are acknowledged",
     .good = request_sent},
    {.name = "mode of a DRAM tile changed under way",
     .start = mode_of_a_bank,
     .args = 12,
     .cycles = {1500, 2500},
     .what = "some writes come to L1",
     .good = some_in_l1},
    {.name = "broadcast mask changed under way",
     .start = mask_of_broadcasts,
     .args = 12,
     .cycles = {1500, 2500},
     .what = "some broadcasts are taken, some are not",
     .good = some_missed},
    {.name = "counters of a bank's requests that DRISC polls",
     .start = bank_counters_polled,
     .args = 24,
     .cycles = {1500, 2500},
     .what = "it notes when they move",
     .good = times_noted},
    {.name = "counters of a bank's requests read over the NoC",
     .start = bank_counters_read,
     .args = 24,
     .cycles = {1500, 1000},
     .what = "they are seen to move",
     .good = counters_seen},
};

/* ---- Playing --------------------------------------------------------------------------------------------------- */

static kerr_chip *make(const variant *v)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    config.window_cycles = v->window_cycles;
    config.max_block = v->max_block;
    config.no_parking = v->no_parking;
    return chip_new(&config);
}
/* A fault may stop the chip: that is a result as any other. */
static void run(kerr_chip *chip, const variant *v, uint64_t cycles)
{
    test_random random = {.state = cycles};
    while (cycles > 0) {
        uint64_t now = v->slice ? 1 + test_below(&random, v->slice) : cycles;
        now = now < cycles ? now : cycles;
        kerr_status status = kerr_run(chip, now);
        MUST(chip, status == KERR_FAULTED ? KERR_OK : status);
        cycles -= now;
    }
}
/* Arguments first .. end - 1.  The hash after each phase; whether the cores that should be parked are. */
static bool play(kerr_chip *chip, const variant *v, const scene *s, unsigned first, unsigned end, uint64_t hash[PHASES])
{
    bool parked = true;
    MUST(chip, kerr_reset(chip));
    for (unsigned arg = first; arg < end; arg++) {
        at = kerr_tensix_xy(arg);
        s->start(chip, arg);
    }
    for (unsigned phase = 0; phase < PHASES && s->cycles[phase] != 0; phase++) {
        for (unsigned arg = first; arg < end && phase > 0 && s->act; arg++) {
            at = kerr_tensix_xy(arg);
            s->act(chip, arg, phase);
        }
        run(chip, v, s->cycles[phase] + (phase == 0 && s->alone ? first : 0));
        hash[phase] = chip_hash(chip);
        bool last_but_one = phase + 1 < PHASES && s->cycles[phase + 1] != 0 && s->cycles[phase + 2] == 0;
        for (unsigned arg = first; arg < end && last_but_one; arg++) {
            at = kerr_tensix_xy(arg);
            for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
                if ((s->parked >> c & 1) && state_of(chip, (kerr_core)c) != KERR_CORE_PARKED) {
                    parked = false;
                }
            }
        }
    }
    return parked;
}
static void show(const kerr_chip *chip, const char *name)
{
    printf("#     %s, cycle %" PRIu64 ":", name, chip_cycle(chip));
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        kerr_core_info info;
        MUST(chip, kerr_core_query(chip, at, (kerr_core)c, &info));
        if (info.state != KERR_CORE_IN_RESET) {
            printf(" %s state %d pc %#x instructions %" PRIu64 " a0 %#x a1 %#x;", kerr_core_name((kerr_core)c),
                   (int)info.state, info.pc, info.instructions, chip_x(chip, at, (kerr_core)c, A0),
                   chip_x(chip, at, (kerr_core)c, A1));
        }
    }
    putchar('\n');
}
/* Whether a debugger sees a difference in the present tile; parked is as good as running. */
static bool differs(const kerr_chip *a, const kerr_chip *b)
{
    bool same = true;
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        kerr_core_info one, two;
        MUST(a, kerr_core_query(a, at, (kerr_core)c, &one));
        MUST(b, kerr_core_query(b, at, (kerr_core)c, &two));
        same &= one.pc == two.pc && one.instructions == two.instructions;
        for (unsigned x = 1; x < 32; x++) {
            same &= chip_x(a, at, (kerr_core)c, x) == chip_x(b, at, (kerr_core)c, x);
        }
    }
    return !same;
}
static void explain(const kerr_chip *reference, const kerr_chip *chip, const char *name, unsigned first, unsigned end)
{
    unsigned arg = first;
    for (at = kerr_tensix_xy(arg); arg + 1 < end && !differs(reference, chip); at = kerr_tensix_xy(arg)) {
        arg++;
    }
    printf("#   %s: argument %u differs%s\n", name, arg, differs(reference, chip) ? "" : ", not for a debugger");
    show(reference, variants[0].name);
    show(chip, name);
}

int main(int argc, char **argv)
{
    tap t = {0};
    const bool shaken =
        getenv("KERR_TEST_SHAKE") != NULL; /* what should happen may then take longer, and pollers move */
    kerr_chip *chip[VARIANTS];
    for (unsigned v = 0; v < VARIANTS; v++) {
        chip[v] = make(&variants[v]);
    }
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        const scene *s = &scenes[i];
        if (argc > 1 ? strncmp(s->name, argv[1], strlen(argv[1])) != 0 : s->open) {
            continue;
        }
        bool same = true, good = true, parked = true;
        for (unsigned first = 0, end; first < s->args; first = end) {
            uint64_t want[PHASES] = {0};
            end = s->alone ? first + 1 : s->args;
            parked &= play(chip[0], &variants[0], s, first, end, want);
            for (unsigned arg = first; arg < end && s->good && !shaken; arg++) {
                at = kerr_tensix_xy(arg);
                if (good && !s->good(chip[0], arg)) {
                    printf("#   argument %u: not so: %s\n", arg, s->what);
                    show(chip[0], variants[0].name);
                    good = false;
                }
            }
            for (unsigned v = 1; v < VARIANTS; v++) {
                uint64_t hash[PHASES] = {0};
                (void)play(chip[v], &variants[v], s, first, end, hash);
                if (memcmp(hash, want, sizeof hash) != 0) {
                    explain(chip[0], chip[v], variants[v].name, first, end);
                    same = false;
                }
            }
        }
        tap_ok(&t, same, "%s", s->name);
        if (s->good && !shaken) {
            tap_ok(&t, good, "%s: %s", s->name, s->what);
        }
        if (s->parked && !shaken) {
            tap_ok(&t, parked, "%s: pollers are parked", s->name);
        }
    }
    for (unsigned v = 0; v < VARIANTS; v++) {
        kerr_destroy(chip[v]);
    }
    return tap_end(&t);
}
