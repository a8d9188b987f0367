/* SPDX-License-Identifier: Apache-2.0 */
/* A stream is made of items: a few steps of one thread that belong together (a MOP with its configuration, a turn under
 * a mutex, a load with its wait).  Each is tried on a copy of the model first and dropped if the model says no. */
#include "tensix_stream.h"

#include "chip.h"
#include "tensix_model.h"
#include "ttasm.h"

#include <string.h>

/* ---- What belongs to whom ------------------------------------------------------------------ */

/* GPRs of a thread.  0..55 are any item's. */
enum {
    POOL = 56,
    GPR_PASSED = 56, /* what came in under a semaphore or a mutex */
    GPR_SUM = 57,    /* of all that was handed over */
    GPR_ADDRESS = 60,
    GPR_OFFSETS = 61,
    GPR_SHARED = 62,
    GPR_ATOMIC = 63,
};

/* Configuration words that the vendor's simulator writes and reads back with all 32 bits.  Of each row, six words
 * belong to one thread and the last hands values to the next one. */
static const uint8_t config_words[STREAM_THREADS][7] = {
    {12, 13, 14, 15, 28, 56, 57},
    {59, 64, 65, 68, 69, 70, 72},
    {76, 77, 84, 86, 112, 113, 120},
};
enum {
    THREAD_CONFIG_AUTO = 56, /* TENSIX_TRISC_SYNC */
    CONFIG_MUTEX = 124,      /* changed under mutex 0, in bank 0 */
    CONFIG_BITS = 125,       /* by RMWCIB, each thread its own bits, in bank 0 */
    CONFIG_SEEN = STREAM_THREADS * 7 + 2,
    SEM_ENDED = 7 /* posted by the last instruction of each thread that RISCV B pushes */
};
/* SETC16: what the vendor's simulator takes, without the bank (0) and the reset of context counters (41). */
static const uint8_t thread_config_words[] = {1,  2,  3,  5,  7,  12, 13, 14, 15, 16, 17, 18, 19, 28, 29, 30, 31,
                                              32, 33, 34, 35, 37, 38, 39, 40, 47, 48, 49, 50, 51, 52, 53, 54};

typedef enum step_kind {
    STEP_TTINSN,    /* value: the word */
    STEP_STORE,     /* the same, by sw */
    STEP_MOP_WORD,  /* of the MOP Expander's configuration; index */
    STEP_MOP_WAIT,  /* until the MOP Expander is idle */
    STEP_DRAIN,     /* until the thread has nothing in flight */
    STEP_SEMAPHORE, /* the core posts (0) or gets (1); index */
    STEP_CONFIG,    /* the core writes a configuration word, after STEP_DRAIN; index from the start of bank 0 */
    STEP_GPR,       /* and a GPR */
    STEP_PAUSE,     /* the core does nothing for a while; value: turns */
} step_kind;
typedef struct step {
    uint8_t kind, thread;
    uint16_t index;
    uint32_t value;
} step;

enum { ITEM_STEPS = 256, SECTIONS = 9, SEEN_WORDS = 2304 };

struct stream {
    stream_options options;
    test_random random;
    unsigned role[STREAM_THREADS]; /* which row of config_words, which semaphores */
    tensix_model model, trial;
    step *steps;
    unsigned count, room;
    step item[ITEM_STEPS];
    unsigned item_steps;
    unsigned thread; /* of the item */
    bool fused;      /* .ttinsn in a row go together */
    bool automatic;  /* Auto TTSync is on */
    uint8_t before[STREAM_L1_BYTES];
    rvasm *code[4];
    stream_section sections[SECTIONS];
    unsigned section_count;
    uint32_t expected[SEEN_WORDS];
    unsigned expected_count;
};

static uint32_t below(stream *s, uint32_t n)
{
    return test_below(&s->random, n);
}
static uint32_t between(stream *s, uint32_t low, uint32_t high)
{
    return low + below(s, high - low + 1);
}
static bool one_in(stream *s, uint32_t n)
{
    return below(s, n) == 0;
}
static bool by_riscvb(const stream *s, unsigned thread)
{
    return s->options.riscvb >> thread & 1;
}
static bool full(const stream *s)
{
    return !s->options.reference;
}
/* Words with edges among them. */
static uint32_t any_word(stream *s)
{
    static const uint32_t edges[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0xffff, 0x10000, 31, 32, 63};
    return one_in(s, 4) ? edges[below(s, sizeof edges / sizeof *edges)] : (uint32_t)test_random64(&s->random);
}

/* ---- Steps of the item in the making ------------------------------------------------------- */

static void add(stream *s, step_kind kind, unsigned index, uint32_t value)
{
    if (s->item_steps < ITEM_STEPS) {
        s->item[s->item_steps++] =
            (step){.kind = (uint8_t)kind, .thread = (uint8_t)s->thread, .index = (uint16_t)index, .value = value};
    }
}
static void push(stream *s, uint32_t word)
{
    add(s, one_in(s, 4) ? STEP_STORE : STEP_TTINSN, 0, word);
}
static void set_gpr(stream *s, unsigned gpr, uint32_t value)
{
    push(s, tt_setdmareg(2 * gpr, value & 0xffff));
    push(s, tt_setdmareg(2 * gpr + 1, value >> 16));
}
static void nops(stream *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        push(s, one_in(s, 3) ? tt_dmanop() : tt_nop());
    }
}
/* Until what RDCFG read is there. */
static void after_rdcfg(stream *s)
{
    if (full(s) && one_in(s, 2)) {
        push(s, tt_stallwait(TT_BLOCK_ALL, TT_C12_CONFIG));
    } else {
        nops(s, 8);
    }
}
/* Until the thread's last configuration write is there for others. */
static void after_wrcfg(stream *s)
{
    if (full(s) && one_in(s, 2)) {
        push(s, tt_stallwait(TT_BLOCK_ALL, TT_C12_CONFIG));
    } else {
        nops(s, 4);
    }
}

/* ---- Instructions that stand alone --------------------------------------------------------- */

static unsigned pool(stream *s)
{
    return below(s, POOL);
}
static unsigned own_config(stream *s)
{
    if (full(s) && one_in(s, 3)) { /* the groups of four that hold none of the words above */
        for (;;) {
            unsigned word = 40 + below(s, 16) * 4 + below(s, 4), group = word / 4;
            bool free = word < 56 || (word >= 88 && word < 104);
            if (free && group % STREAM_THREADS == s->thread) {
                return word;
            }
        }
    }
    return config_words[s->role[s->thread]][below(s, 6)];
}
/* One of the semaphores that only this thread uses: 3, or 4, or 5 and 6. */
static unsigned own_semaphore(stream *s)
{
    unsigned role = s->role[s->thread];
    return role < 2 ? 3 + role : 5 + below(s, 2);
}

/* Mostly those that lose nothing: what a product or a comparison leaves would soon be zeros everywhere. */
static uint32_t alu(stream *s)
{
    static const enum tt_opcode opcodes[] = {TT_ADDDMAREG,   TT_ADDDMAREG, TT_ADDDMAREG,    TT_MULDMAREG,
                                             TT_SUBDMAREG,   TT_SUBDMAREG, TT_BITWOPDMAREG, TT_BITWOPDMAREG,
                                             TT_SHIFTDMAREG, TT_CMPDMAREG};
    enum tt_opcode opcode = opcodes[below(s, full(s) ? 10 : 4)];
    unsigned modes = opcode == TT_BITWOPDMAREG || opcode == TT_CMPDMAREG ? 3 : opcode == TT_SHIFTDMAREG ? 2 : 1;
    unsigned result = pool(s), right = pool(s), left = pool(s);
    unsigned constant = full(s) && one_in(s, 2);
    if (constant) {
        right = below(s, opcode == TT_SHIFTDMAREG ? 32 : 64);
    }
    return tt_alu(opcode, constant, below(s, modes), result, right, left);
}

static uint32_t counters(stream *s)
{
    static const enum tt_opcode pairs[] = {TT_SETADCXY, TT_SETADCZW, TT_INCADCXY,
                                           TT_INCADCZW, TT_ADDRCRXY, TT_ADDRCRZW};
    uint32_t units = between(s, 1, 7) << 21;
    switch (below(s, 5)) {
    case 0: return tt_word(TT_SETADC, units | below(s, 8) << 18 | below(s, 0x10000));
    case 1: return tt_word(TT_SETADCXX, units | below(s, 1024) << 10 | below(s, 1024));
    case 2: return tt_word(TT_INCRWC, (one_in(s, 2) ? 4u << 18 : 0) | below(s, 4096) << 6);
    case 3: return tt_word(TT_SETRWC, below(s, 4096) << 6 | below(s, 16));
    default: {
        enum tt_opcode opcode = pairs[below(s, 6)];
        bool mask = opcode != TT_INCADCXY && opcode != TT_INCADCZW;
        return tt_word(opcode, units | below(s, 4096) << 6 | (mask ? between(s, 1, 15) : 0));
    }
    }
}

static uint32_t stallwait(stream *s)
{
    static const uint8_t reference_conditions[] = {0, 1, 2, 3, 4, 10, 11};
    static const uint8_t all_conditions[] = {0, 1, 2, 3, 4, 10, 11, 5, 6, 9, 12}; /* 7 and 8 would wait for ever */
    uint32_t conditions = 0;
    for (unsigned i = between(s, 1, 4); i; i--) {
        conditions |= 1u << (full(s) ? all_conditions[below(s, sizeof all_conditions)]
                                     : reference_conditions[below(s, sizeof reference_conditions)]);
    }
    return tt_stallwait(one_in(s, 2) ? TT_BLOCK_ALL : between(s, 1, TT_BLOCK_ALL), conditions);
}

static uint32_t semaphore(stream *s)
{
    uint32_t mask = 1u << own_semaphore(s);
    if (full(s)) {
        mask |= one_in(s, 2) ? 1u << own_semaphore(s) : 0;
    }
    switch (below(s, 8)) {
    case 0: {
        unsigned max = between(s, 0, 15);
        return tt_seminit(max, full(s) ? below(s, 16) : between(s, 0, max), mask);
    }
    case 1:
    case 2:
    case 3: return tt_sem(TT_SEMPOST, mask);
    case 4:
    case 5: return tt_sem(TT_SEMGET, mask);
    default: return tt_semwait(below(s, 512), mask, full(s) ? between(s, 1, 3) : between(s, 1, 2));
    }
}

static uint32_t config(stream *s)
{
    unsigned index = own_config(s);
    switch (below(s, 5)) {
    case 0: return tt_wrcfg(pool(s), 0, index);
    case 1: { /* the group of four, if the thread has one */
        const bool row = config_words[s->role[s->thread]][0] == 12;
        if (full(s) && index >= 40 && (index < 56 || (index >= 88 && index < 104))) {
            return tt_wrcfg(pool(s), 1, index);
        }
        return !row ? tt_wrcfg(pool(s), 0, index) : tt_wrcfg(full(s) ? pool(s) : pool(s) & 60, 1, 12);
    }
    case 2: return tt_rdcfg(pool(s), index);
    case 3: return tt_rmwcib(below(s, 4), one_in(s, 3) ? 0xff : below(s, 256), below(s, 256), index);
    default: {
        unsigned scratch = one_in(s, 2) ? 3 : s->thread;
        if (full(s)) {
            return tt_cfgshiftmask(below(s, 2), below(s, 8), below(s, 32), below(s, 32), scratch, index);
        }
        return tt_cfgshiftmask(1, 3, 31, 0, scratch, index);
    }
    }
}

/* Any that a MOP or a replay buffer may hold too. */
static uint32_t simple(stream *s)
{
    switch (below(s, 16)) {
    case 0: return tt_nop();
    case 1: return tt_dmanop();
    case 2:
    case 3: return tt_setdmareg(2 * pool(s) + below(s, 2), any_word(s) & 0xffff);
    case 4:
    case 5: return config(s);
    case 6: return counters(s);
    case 7: return stallwait(s);
    case 8: return semaphore(s);
    case 9: return tt_setc16(thread_config_words[below(s, sizeof thread_config_words)], any_word(s) & 0xffff);
    default: return alu(s);
    }
}

/* ---- Items --------------------------------------------------------------------------------- */

static void item_simple(stream *s)
{
    for (unsigned n = between(s, 1, 4); n; n--) {
        push(s, simple(s));
    }
}

static void item_bank(stream *s)
{
    nops(s, 4);
    push(s, tt_setc16(0, full(s) && one_in(s, 2) ? below(s, 0x10000) : below(s, 2)));
    nops(s, s->automatic ? 4 : 0); /* none that depends on it in a fused group (manual SETC16) */
}

static void item_scratch(stream *s)
{
    push(s, tt_wrcfg(pool(s), 0, MODEL_SCRATCH + s->thread));
}

/* A REPLAY that plays what was recorded; the model says no if nothing was. */
static uint32_t playback(stream *s)
{
    unsigned count = one_in(s, 8) ? 32 : between(s, 1, 12);
    return tt_replay(below(s, 32), full(s) && count == 32 && one_in(s, 2) ? 0 : count, 0, 0);
}

static void item_record(stream *s)
{
    unsigned count = one_in(s, 6) ? 32 : between(s, 1, 16), start = below(s, 32), execute = below(s, 2);
    push(s, tt_replay(start, full(s) && count == 32 && one_in(s, 2) ? 0 : count, execute, 1));
    for (unsigned i = 0; i < count; i++) {
        push(s, simple(s));
    }
    for (unsigned n = between(s, 0, 3); n; n--) {
        push(s, tt_replay(start, count, 0, 0));
    }
}

static void item_playback(stream *s)
{
    push(s, playback(s));
}

/* Instructions for a MOP: mostly those whose order shows in the GPRs. */
static uint32_t mop_slot(stream *s)
{
    switch (below(s, 8)) {
    case 0: return full(s) ? tt_nop() | below(s, 256) : tt_nop(); /* a NOP is known by its opcode */
    case 1: return playback(s);
    case 2: return simple(s);
    default: return alu(s);
    }
}

static void mop_words(stream *s, const uint32_t *words)
{
    add(s, STEP_MOP_WAIT, 0, 0);
    for (unsigned i = 0; i < 9; i++) {
        add(s, STEP_MOP_WORD, i, words[i]);
    }
}

static void item_mop_0(stream *s)
{
    uint32_t words[9] = {0};
    for (unsigned i = 2; i < 9; i++) {
        words[i] = mop_slot(s);
    }
    words[0] = any_word(s);
    words[1] = full(s) ? any_word(s) : below(s, 4);
    mop_words(s, words);
    if (one_in(s, 2)) {
        push(s, tt_mop_cfg(any_word(s) & 0xffff));
    }
    for (unsigned n = between(s, 1, 3); n; n--) {
        push(s, tt_mop(0, full(s) && one_in(s, 8) ? below(s, 128) : below(s, 32), any_word(s) & 0xffff));
    }
}

static void item_mop_1(stream *s)
{
    static const uint8_t some[] = {1, 1, 1, 2, 2, 3, 4, 5, 7, 8, 16, 31, 32};
    uint32_t words[9] = {some[below(s, sizeof some)], some[below(s, sizeof some)]};
    for (unsigned i = 2; i < 9; i++) {
        words[i] = one_in(s, 3) ? tt_nop() : mop_slot(s);
    }
    uint32_t mop = tt_mop(1, 0, 0);
    if (!full(s)) {
        words[1] = one_in(s, 8) ? between(s, 1, 64) : words[1];
    } else {
        switch (below(s, 8)) {
        case 0: /* no turns at all */ words[below(s, 2)] = 0; break;
        case 1: /* the hardware's bug: one turn of nothing but an end */
            words[0] = 1;
            words[1] = 0;
            words[2] = tt_nop();
            break;
        case 2:
            mop = tt_mop_counts(one_in(s, 2) ? between(s, 1, 200) : 0, one_in(s, 2) ? between(s, 1, 200) : 0);
            break;
        case 3: words[below(s, 2)] = 127; break;
        default: break;
        }
        words[0] |= one_in(s, 2) ? any_word(s) & ~127u : 0;
        words[1] |= one_in(s, 2) ? any_word(s) & ~127u : 0;
    }
    mop_words(s, words);
    for (unsigned n = between(s, 1, 2); n; n--) {
        push(s, mop);
    }
}

static void count_word(void *context, uint32_t word)
{
    (void)word;
    ++*(unsigned *)context;
}
/* What a MOP makes goes into the replay buffer, all of it: one word more or less and the next is swallowed. */
static void item_record_mop(stream *s)
{
    plain_expander x = {.mop_cfg = {between(s, 1, 4), between(s, 1, 4)}};
    unsigned start = below(s, 32), length = 0;
    for (unsigned i = 2; i < 9; i++) {
        x.mop_cfg[i] = one_in(s, 2) ? tt_nop() : alu(s);
    }
    uint32_t mop = one_in(s, 2) ? tt_mop(1, 0, 0) : tt_mop(0, below(s, 6), below(s, 64));
    if (!(mop >> 23 & 1)) {
        x.mop_cfg[1] = below(s, 4);
    }
    plain_push(&x, mop, count_word, &length);
    if (length > 32) {
        return;
    }
    mop_words(s, x.mop_cfg);
    push(s, tt_replay(start, length, below(s, 2), 1));
    push(s, mop);
    push(s, alu(s));
    push(s, tt_replay(start, length, 0, 0));
}

static bool in_bank_0(const stream *s)
{
    return (s->model.thread_config[s->thread][0] & 1) == 0;
}

/* To the next thread, through its configuration word, one value at a time. */
static void item_produce(stream *s)
{
    unsigned role = s->role[s->thread], word = config_words[role][6];
    if (!in_bank_0(s)) {
        item_bank(s);
        return;
    }
    push(s, tt_semwait(TT_B7_CONFIG | below(s, 512), 1u << role, TT_SEM_WHILE_MAX));
    push(s, tt_wrcfg(pool(s), 0, word));
    if (one_in(s, 2)) {
        push(s, tt_rmwcib(below(s, 4), below(s, 256), below(s, 256), word));
    }
    after_wrcfg(s);
    push(s, tt_sem(TT_SEMPOST, 1u << role));
}
static void item_consume(stream *s)
{
    unsigned role = (s->role[s->thread] + 2) % 3, word = config_words[role][6];
    if (!in_bank_0(s)) {
        item_bank(s);
        return;
    }
    push(s, tt_semwait(TT_B7_CONFIG | below(s, 512), 1u << role, TT_SEM_WHILE_ZERO));
    push(s, tt_rdcfg(GPR_PASSED, word));
    after_rdcfg(s);
    push(s, tt_sem(TT_SEMGET, 1u << role));
    push(s, tt_alu(TT_ADDDMAREG, 0, 0, GPR_SUM, GPR_PASSED, GPR_SUM));
}

/* Adds to a word under a mutex, and leaves nothing of what it saw. */
static void item_mutex(stream *s)
{
    static const uint8_t mutexes[] = {0, 2, 3, 4};
    unsigned mutex = full(s) ? mutexes[below(s, 4)] : 0;
    if (!in_bank_0(s)) {
        item_bank(s);
        return;
    }
    if (mutex) { /* the word belongs to mutex 0: the others are only held */
        push(s, tt_mutex(TT_ATGETM, mutex));
        nops(s, below(s, 4));
        push(s, tt_mutex(TT_ATRELM, mutex));
        return;
    }
    push(s, tt_mutex(TT_ATGETM, mutex));
    push(s, tt_rdcfg(GPR_PASSED, CONFIG_MUTEX));
    after_rdcfg(s);
    push(s, tt_alu(TT_ADDDMAREG, 0, 0, GPR_PASSED, pool(s), GPR_PASSED));
    push(s, tt_wrcfg(GPR_PASSED, 0, CONFIG_MUTEX));
    after_wrcfg(s);
    push(s, tt_mutex(TT_ATRELM, mutex));
    set_gpr(s, GPR_PASSED, any_word(s));
}

static void item_bits(stream *s)
{
    if (!in_bank_0(s)) {
        item_bank(s);
        return;
    }
    unsigned byte = below(s, 4);
    uint32_t own = 0x49249249u << s->thread >> 8 * byte & 0xff;
    push(s, tt_rmwcib(byte, own & (below(s, 256) | below(s, 256)), below(s, 256), CONFIG_BITS));
}

/* The core itself: semaphores at any time, the rest while the thread has nothing in flight. */
static void item_core(stream *s)
{
    switch (below(s, 4)) {
    case 0:
        add(s, STEP_DRAIN, 0, 0);
        add(s, STEP_SEMAPHORE, own_semaphore(s), below(s, 2));
        break;
    case 1:
        add(s, STEP_DRAIN, 0, 0);
        add(s, STEP_GPR, pool(s), any_word(s));
        break;
    case 2:
        add(s, STEP_DRAIN, 0, 0);
        add(s, STEP_CONFIG, own_config(s) + (full(s) ? below(s, 3) * MODEL_CONFIG_WORDS : 0), any_word(s));
        break;
    default: add(s, STEP_DRAIN, 0, 0);
    }
}

/* Until what the scalar unit loads is there. */
static void after_load(stream *s)
{
    if (one_in(s, 3)) {
        push(s, tt_flushdma(below(s, 8) * 2 + 1));
    } else if (one_in(s, 4)) {
        push(s, tt_flushdma(0));
    } else {
        push(s, tt_stallwait(TT_B5_THCON | TT_B7_CONFIG | below(s, 512), TT_C0_THCON));
    }
}

static void item_indirect(stream *s)
{
    if (one_in(s, 2)) {
        set_gpr(s, GPR_ADDRESS, (STREAM_L1 + s->thread * STREAM_L1_THREAD_BYTES) / 16 + below(s, 8));
    }
    if (one_in(s, 2)) {
        push(s, tt_setdmareg(2 * GPR_OFFSETS + below(s, 2), below(s, STREAM_L1_THREAD_BYTES - 128)));
    }
    for (unsigned n = between(s, 1, 6); n; n--) {
        unsigned offset = 2 * GPR_OFFSETS + below(s, 2);
        if (one_in(s, 2)) {
            push(s, tt_loadind(below(s, 4), offset, below(s, 4), pool(s), GPR_ADDRESS));
            if (one_in(s, 2)) {
                after_load(s);
            }
        } else {
            push(s, tt_storeind(below(s, 4), offset, below(s, 4), pool(s), GPR_ADDRESS));
        }
    }
    after_load(s);
}

static void item_atomic(stream *s)
{
    unsigned address = GPR_ADDRESS, gpr = pool(s), at;
    set_gpr(s, address, (STREAM_L1 + s->thread * STREAM_L1_THREAD_BYTES) / 16 + below(s, 64));
    switch (below(s, 5)) {
    case 0:
        push(s, tt_atincget(one_in(s, 2) ? 31 : below(s, 32), below(s, 4), gpr, address));
        after_load(s);
        break;
    case 1: push(s, tt_atswap(below(s, 256), gpr, address)); break;
    case 2: { /* a FIFO of its own, then pushes and pops */
        unsigned width = between(s, 1, 8);
        at = below(s, 64);
        set_gpr(s, address, (STREAM_L1 + s->thread * STREAM_L1_THREAD_BYTES) / 16 + at);
        push(s, tt_alu(TT_SUBDMAREG, 0, 0, 0, 4, 4)); /* 0..3: Rd, Wr and what is not used */
        push(s, tt_setdmareg(0, below(s, 1u << width)));
        push(s, tt_setdmareg(1, 0));
        push(s, tt_alu(TT_ADDDMAREG, 1, 0, 1, 0, 0));
        push(s, tt_atswap(0xff, 0, address));
        for (unsigned n = between(s, 1, 6); n; n--) {
            push(s, tt_atincgetptr(one_in(s, 4), below(s, 3), width, below(s, 2), 4 + below(s, 50), address));
        }
        break;
    }
    case 3: /* compare and set */
        push(s, tt_setdmareg(0, between(s, 0, 15)));
        push(s, tt_setdmareg(1, 0));
        push(s, tt_atswap(0x03, 0, address));
        push(s, tt_atcas(between(s, 0, 15), s->item[s->item_steps - 3].value >> 8 & 15, 0, address));
        break;
    default: /* for all: only the sum can be known */
        at = below(s, 4);
        set_gpr(s, GPR_SHARED, (STREAM_L1 + STREAM_L1_SHARED) / 16 + at);
        set_gpr(s, GPR_ATOMIC, any_word(s));
        push(s, tt_atincget(at < 2 ? 31 : at == 2 ? 15 : 4, below(s, 4), GPR_ATOMIC, GPR_SHARED));
        after_load(s);
        set_gpr(s, GPR_ATOMIC, any_word(s));
    }
}

static void item_register(stream *s)
{
    for (unsigned n = between(s, 1, 3); n; n--) {
        bool load = one_in(s, 2);
        push(s, tt_reg_move(load ? TT_LOADREG : TT_STOREREG, pool(s),
                            model_register_address(s->thread, below(s, MODEL_REGISTERS))));
        if (load) {
            after_load(s);
        }
    }
}

/* Auto TTSync: what the core stores comes behind what it pushed before and before what it pushes then.  MOP and REPLAY
 * are left out, whose resources they would have to declare. */
static void item_automatic(stream *s)
{
    if (!s->automatic) {
        return;
    }
    add(s, STEP_DRAIN, 0, 0);
    for (unsigned n = between(s, 1, 3); n; n--) {
        unsigned word = own_config(s), gpr = pool(s);
        bool bank = s->model.thread_config[s->thread][0] & 1;
        if (one_in(s, 2)) {
            push(s, one_in(s, 2) ? tt_wrcfg(pool(s), 0, word)
                                 : tt_rmwcib(below(s, 4), below(s, 256), below(s, 256), word));
            add(s, STEP_CONFIG, word + (one_in(s, 3) ? 2u : bank) * MODEL_CONFIG_WORDS, any_word(s));
            push(s, one_in(s, 2) ? tt_rdcfg(gpr, word) : tt_rmwcib(below(s, 4), below(s, 256), below(s, 256), word));
            after_rdcfg(s);
        } else {
            push(s, tt_alu(TT_ADDDMAREG, 0, 0, one_in(s, 2) ? gpr : pool(s), pool(s), gpr));
            add(s, STEP_GPR, gpr, any_word(s));
            push(s, tt_alu(TT_SUBDMAREG, 0, 0, one_in(s, 2) ? gpr : pool(s), gpr, pool(s)));
        }
    }
    add(s, STEP_DRAIN, 0, 0);
}

static void item_pause(stream *s)
{
    add(s, STEP_PAUSE, 0, one_in(s, 4) ? between(s, 1, 400) : between(s, 1, 30));
}

/* ---- The whole stream ---------------------------------------------------------------------- */

static bool try_step(tensix_model *m, const step *p, bool behind_mop)
{
    switch (p->kind) {
    case STEP_TTINSN:
    case STEP_STORE:
        return behind_mop ? model_push_behind_mop(m, p->thread, p->value) : model_push(m, p->thread, p->value);
    case STEP_MOP_WORD: m->front[p->thread].mop_cfg[p->index] = p->value; return true;
    case STEP_DRAIN: model_drained(m, p->thread); return true;
    case STEP_SEMAPHORE: return model_semaphore_store(m, p->index, p->value);
    case STEP_GPR: m->gpr[p->thread][p->index] = p->value; return true;
    case STEP_CONFIG: {
        unsigned bank = p->index / MODEL_CONFIG_WORDS, word = p->index % MODEL_CONFIG_WORDS;
        for (unsigned b = 0; b < 2; b++) {
            if (bank == b || bank == 2) {
                m->config[b][word] = p->value;
            }
        }
        return true;
    }
    default: return true;
    }
}

/* Takes the item over if the model says nothing against it. */
static bool keep_item(stream *s, bool behind_mop)
{
    s->trial = s->model;
    s->trial.limit = full(s) && one_in(s, 50) ? 40000 : 400;
    bool ok = s->item_steps < ITEM_STEPS;
    for (unsigned i = 0; ok && i < s->item_steps; i++) {
        ok = try_step(&s->trial, &s->item[i], behind_mop);
    }
    /* A recording that is not over would swallow the next item. */
    ok = ok && s->trial.front[s->thread].record_left == 0;
    if (ok) {
        s->model = s->trial;
        if (s->count + s->item_steps > s->room) {
            s->room = 2 * (s->count + s->item_steps);
            s->steps = realloc(s->steps, s->room * sizeof *s->steps);
            if (!s->steps) {
                abort();
            }
        }
        memcpy(s->steps + s->count, s->item, s->item_steps * sizeof *s->item);
        s->count += s->item_steps;
    }
    s->item_steps = 0;
    return ok;
}

static void make_items(stream *s)
{
    typedef void maker(stream *);
    static const struct {
        maker *make;
        uint8_t weight;
        bool only_full, only_t; /* only_t: not when RISCV B pushes */
    } kinds[] = {
        {item_simple, 30, false, false}, {item_bank, 2, false, false},      {item_scratch, 2, false, false},
        {item_record, 4, false, false},  {item_playback, 4, false, false},  {item_mop_0, 4, false, true},
        {item_mop_1, 6, false, true},    {item_record_mop, 2, false, true}, {item_produce, 6, false, false},
        {item_consume, 6, false, false}, {item_mutex, 3, false, false},     {item_bits, 3, false, false},
        {item_core, 3, false, true},     {item_indirect, 6, true, false},   {item_atomic, 5, true, false},
        {item_register, 2, true, false}, {item_automatic, 4, true, true},   {item_pause, 4, false, true},
    };
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (unsigned kept = 0, tries = 0; kept < s->options.items && tries < 100 * s->options.items; tries++) {
        unsigned weights = 0, k = 0;
        for (unsigned i = 0; i < KINDS; i++) {
            weights += kinds[i].weight;
        }
        for (uint32_t left = below(s, weights); left >= kinds[k].weight; k++) {
            left -= kinds[k].weight;
        }
        s->thread = below(s, STREAM_THREADS);
        if ((kinds[k].only_full && !full(s)) || (kinds[k].only_t && by_riscvb(s, s->thread))) {
            continue;
        }
        kinds[k].make(s);
        kept += keep_item(s, by_riscvb(s, s->thread));
    }
}

/* Every thread starts with GPRs to work with; T0 also with the semaphores of all. */
static void make_start(stream *s)
{
    for (s->thread = 0; s->thread < STREAM_THREADS; s->thread++) {
        if (s->thread == 0) {
            for (unsigned i = 0; i < 8; i++) {
                push(s, tt_seminit(i < 3 ? 1 : i == SEM_ENDED ? 15 : between(s, 1, 15), 0, 1u << i));
            }
        }
        for (unsigned n = 8; n; n--) {
            set_gpr(s, pool(s), any_word(s));
        }
        if (full(s)) {
            set_gpr(s, GPR_ADDRESS, (STREAM_L1 + s->thread * STREAM_L1_THREAD_BYTES) / 16);
        }
        if (s->automatic) { /* all that it tracks, and first the bank, which it must be told (manual SETC16) */
            push(s, tt_setc16(0, 0));
            push(s, tt_setc16(THREAD_CONFIG_AUTO, one_in(s, 2) ? 0x1d : 0x1f));
        }
        /* RISCV B pushes only what comes after this. */
        if (!keep_item(s, false)) {
            fprintf(stderr, "tensix_stream: the start is refused: %s\n", s->trial.reason);
            abort();
        }
    }
}

/* ---- Programs ------------------------------------------------------------------------------ */

enum {
    PUSH = S0,
    MOP_CFG = S1,
    PC_BUF = S2, /* + 4 CoprocessorDoneCheck, + 8 MOPExpanderDoneCheck, + 0x20 semaphores */
    CONFIG = S3,
    GPRS = S4,
    FLAGS = S5,
};
/* Words at STREAM_FLAGS. */
enum { FLAG_DONE = 0, FLAG_STARTED = 16, FLAG_COPIED = 32 /* + 16 for each thread */, FLAG_B = 96 };
/* From STREAM_SEEN on. */
enum {
    SEEN_GPRS = 0,
    SEEN_SEMAPHORES = 0x300,
    SEEN_CONFIG = 0x400, /* two banks of CONFIG_SEEN */
    SEEN_REGISTERS = 0x600,
    SEEN_GPRS_B = 0x800,
    SEEN_CONFIG_ALL = 0xc00, /* both banks and ConfigDualWrite, as the cores see them */
    SEEN_THREAD_CONFIG = 0x1800,
};

static void store(rvasm *a, unsigned base, int32_t offset, uint32_t value)
{
    rva_li(a, T1, value);
    rva(a, rv_sw(T1, offset, base));
}
static void wait_for(rvasm *a, unsigned base, int32_t offset, uint32_t value)
{
    rva_li(a, T1, value);
    uint32_t top = rva_here(a);
    rva(a, rv_lw(T0, offset, base));
    rva(a, rv_bne(T0, T1, rva_to(a, top)));
}
/* Waits in the load, and for its result (manual ManualTTSync). */
static void done_check(rvasm *a, int32_t offset)
{
    rva(a, rv_sw(X0, offset, PC_BUF));
    rva(a, rv_lw(T0, offset, PC_BUF));
    rva(a, rv_andi(T0, T0, 0));
}
/* Reads back what was just stored, so that it has got there. */
static void settle(rvasm *a, unsigned base, int32_t offset)
{
    rva(a, rv_lw(T0, offset, base));
    rva(a, rv_andi(T0, T0, 0));
}
static void copy(rvasm *a, uint32_t from, uint32_t to, unsigned words)
{
    rva_li(a, A0, from);
    rva_li(a, A1, to);
    rva_li(a, A2, from + 4 * words);
    uint32_t top = rva_here(a);
    rva(a, rv_lw(A3, 0, A0));
    rva(a, rv_sw(A3, 0, A1));
    rva(a, rv_addi(A0, A0, 4));
    rva(a, rv_addi(A1, A1, 4));
    rva(a, rv_bne(A0, A2, rva_to(a, top)));
}
static rvasm *program(uint32_t base, bool fused)
{
    rvasm *a = rva_new(base);
    rva_li(a, T0, CFG0_DisLowCash | (fused ? 0 : CFG0_DisTriscCache));
    rva(a, rv_csrrs(X0, CSR_cfg0, T0));
    rva_li(a, PUSH, 0xffe40000);
    rva_li(a, MOP_CFG, 0xffb80000);
    rva_li(a, PC_BUF, 0xffe80000);
    rva_li(a, CONFIG, 0xffef0000);
    rva_li(a, GPRS, 0xffe00000);
    rva_li(a, FLAGS, STREAM_FLAGS);
    return a;
}

static void emit_step(rvasm *a, const step *p)
{
    switch (p->kind) {
    case STEP_TTINSN: rva(a, tt_ttinsn(p->value)); break;
    case STEP_STORE: store(a, PUSH, 0, p->value); break;
    case STEP_MOP_WORD: store(a, MOP_CFG, p->index * 4, p->value); break;
    case STEP_MOP_WAIT: done_check(a, 8); break;
    case STEP_DRAIN: done_check(a, 4); break;
    case STEP_SEMAPHORE:
        store(a, PC_BUF, 0x20 + p->index * 4, p->value);
        settle(a, PC_BUF, 0x20 + p->index * 4);
        break;
    case STEP_GPR:
        store(a, GPRS, p->index * 4, p->value);
        settle(a, GPRS, p->index * 4);
        break;
    case STEP_PAUSE: {
        rva_li(a, T1, p->value);
        uint32_t top = rva_here(a);
        rva(a, rv_addi(T1, T1, -1));
        rva(a, rv_bne(T1, X0, rva_to(a, top)));
        break;
    }
    default: /* STEP_CONFIG; past 2047 bytes there is no offset */
        rva_li(a, A0, 0xffef0000u + p->index * 4u);
        store(a, A0, 0, p->value);
        settle(a, A0, 0);
    }
}

/* The words of config_words and the two for all, in one bank, through the thread's GPRs. */
static unsigned seen_config(unsigned i)
{
    return i < STREAM_THREADS * 7 ? config_words[i / 7][i % 7] : i == STREAM_THREADS * 7 ? CONFIG_MUTEX : CONFIG_BITS;
}
static void copy_config(rvasm *a, unsigned bank)
{
    rva(a, tt_ttinsn(tt_setc16(0, bank)));
    for (unsigned i = 0; i < CONFIG_SEEN; i++) {
        rva(a, tt_ttinsn(tt_rdcfg(i, seen_config(i))));
    }
    done_check(a, 4);
    copy(a, 0xffe00000, STREAM_SEEN + SEEN_CONFIG + bank * CONFIG_SEEN * 4, CONFIG_SEEN);
}

static void write_t_core(stream *s, unsigned t, unsigned started)
{
    static const uint32_t base[] = {0x6000, 0xa000, 0xe000};
    rvasm *a = s->code[1 + t] = program(base[t], s->fused);
    unsigned i = 0;
    if (t != 0) {
        wait_for(a, FLAGS, FLAG_STARTED, 1);
    }
    for (; i < started; i++) {
        if (s->steps[i].thread == t) {
            emit_step(a, &s->steps[i]);
        }
    }
    done_check(a, 4);
    if (t == 0) {
        for (unsigned k = 0; full(s) && k < STREAM_THREADS * MODEL_REGISTERS; k++) {
            rva_li(a, A0, model_register_address(k / MODEL_REGISTERS, k % MODEL_REGISTERS));
            store(a, A0, 0, 0);
            settle(a, A0, 0);
        }
        store(a, FLAGS, FLAG_STARTED, 1);
    }
    if (by_riscvb(s, t)) {
        store(a, FLAGS, FLAG_COPIED + 16 * (int32_t)t, 1); /* RISCV B may push for this thread */
        wait_for(a, PC_BUF, 0x20 + SEM_ENDED * 4, s->model.sem[SEM_ENDED].value);
    } else {
        for (; i < s->count; i++) {
            if (s->steps[i].thread == t) {
                emit_step(a, &s->steps[i]);
            }
        }
    }
    done_check(a, 4);
    copy(a, 0xffe00000, STREAM_SEEN + SEEN_GPRS + t * 256, 64);
    store(a, FLAGS, FLAG_COPIED + 16 * (int32_t)t, 2);
    if (t == 0) {
        wait_for(a, FLAGS, FLAG_COPIED + 16, 2);
        wait_for(a, FLAGS, FLAG_COPIED + 32, 2);
        copy(a, 0xffe80020, STREAM_SEEN + SEEN_SEMAPHORES, 8);
        if (full(s)) {
            wait_for(a, FLAGS, FLAG_B, 1);
            copy(a, 0xffef0000, STREAM_SEEN + SEEN_CONFIG_ALL, 3 * MODEL_CONFIG_WORDS);
            copy(a, 0xffef0000 + 3 * MODEL_CONFIG_WORDS * 4, STREAM_SEEN + SEEN_THREAD_CONFIG,
                 STREAM_THREADS * MODEL_THREAD_CONFIG);
            for (unsigned k = 0; k < STREAM_THREADS * MODEL_REGISTERS; k++) {
                copy(a, model_register_address(k / MODEL_REGISTERS, k % MODEL_REGISTERS),
                     STREAM_SEEN + SEEN_REGISTERS + 4 * k, 1);
            }
        }
        copy_config(a, 0);
        copy_config(a, 1);
        store(a, FLAGS, FLAG_DONE, STREAM_MARK);
    }
    rva_end(a);
    if (a->count * 4 > 0x4000) {
        fprintf(stderr, "tensix_stream: a T core's program is too long\n");
        abort();
    }
}

static void write_b(stream *s, unsigned started)
{
    if (!s->options.riscvb && !full(s)) {
        return;
    }
    rvasm *a = s->code[0] = program(0, false);
    for (unsigned t = 0; t < STREAM_THREADS; t++) {
        if (by_riscvb(s, t)) {
            wait_for(a, FLAGS, FLAG_COPIED + 16 * (int32_t)t, 1);
            rva_li(a, A0 + t, 0xffe40000u + t * 0x10000);
        }
    }
    for (unsigned i = started; i < s->count; i++) {
        if (by_riscvb(s, s->steps[i].thread)) {
            store(a, A0 + s->steps[i].thread, 0, s->steps[i].value);
        }
    }
    for (unsigned t = 0; t < STREAM_THREADS; t++) {
        if (by_riscvb(s, t)) {
            store(a, A0 + t, 0, tt_sem(TT_SEMPOST, 1u << SEM_ENDED));
            s->model.sem[SEM_ENDED].value++;
        }
    }
    if (full(s)) {
        for (int32_t t = 0; t < STREAM_THREADS; t++) {
            wait_for(a, FLAGS, FLAG_COPIED + 16 * t, 2);
        }
        copy(a, 0xffe00000, STREAM_SEEN + SEEN_GPRS_B, 64 * STREAM_THREADS);
        store(a, FLAGS, FLAG_B, 1);
    }
    rva_end(a);
    if (a->count * 4 > 0x6000) {
        fprintf(stderr, "tensix_stream: RISCV B's program is too long\n");
        abort();
    }
}

/* ---- What must be seen --------------------------------------------------------------------- */

static uint32_t *section(stream *s, const char *name, uint32_t address, unsigned words, uint32_t mask)
{
    uint32_t *expected = s->expected + s->expected_count;
    s->expected_count += words;
    if (s->section_count == SECTIONS || s->expected_count > SEEN_WORDS) {
        abort();
    }
    s->sections[s->section_count++] =
        (stream_section){.name = name, .address = address, .words = words, .expected = expected, .mask = mask};
    return expected;
}

static void make_sections(stream *s)
{
    const tensix_model *m = &s->model;
    uint32_t *e = section(s, "GPR", STREAM_SEEN + SEEN_GPRS, 192, ~0u);
    memcpy(e, m->gpr, sizeof m->gpr);
    e = section(s, "semaphore", STREAM_SEEN + SEEN_SEMAPHORES, 8, ~0u);
    for (unsigned i = 0; i < 8; i++) {
        e[i] = m->sem[i].value;
    }
    e = section(s, "Config", STREAM_SEEN + SEEN_CONFIG, 2 * CONFIG_SEEN, ~0u);
    for (unsigned i = 0; i < 2 * CONFIG_SEEN; i++) {
        e[i] = m->config[i / CONFIG_SEEN][seen_config(i % CONFIG_SEEN)];
    }
    e = section(s, "L1", STREAM_L1, STREAM_L1_BYTES / 4, ~0u);
    memcpy(e, m->l1, STREAM_L1_BYTES);
    if (!full(s)) {
        return;
    }
    e = section(s, "GPR as RISCV B sees it", STREAM_SEEN + SEEN_GPRS_B, 192, ~0u);
    memcpy(e, m->gpr, sizeof m->gpr);
    e = section(s, "Config as a core sees it", STREAM_SEEN + SEEN_CONFIG_ALL, 3 * MODEL_CONFIG_WORDS, ~0u);
    memcpy(e, m->config, sizeof m->config);
    memcpy(e + 2 * MODEL_CONFIG_WORDS, m->config[0], sizeof m->config[0]);
    e = section(s, "ThreadConfig", STREAM_SEEN + SEEN_THREAD_CONFIG, STREAM_THREADS * MODEL_THREAD_CONFIG, 0xffff);
    for (unsigned i = 0; i < STREAM_THREADS * MODEL_THREAD_CONFIG; i++) {
        e[i] = m->thread_config[i / MODEL_THREAD_CONFIG][i % MODEL_THREAD_CONFIG];
    }
    e = section(s, "register", STREAM_SEEN + SEEN_REGISTERS, STREAM_THREADS * MODEL_REGISTERS, ~0u);
    memcpy(e, m->registers, sizeof m->registers);
}

stream *stream_new(const stream_options *options)
{
    stream *s = calloc(1, sizeof *s);
    if (!s) {
        abort();
    }
    s->options = *options;
    s->random.state = options->seed;
    s->model.reference = options->reference;
    s->fused = one_in(s, 2);
    s->automatic = full(s) && one_in(s, 2);
    unsigned turn = below(s, 3);
    for (unsigned t = 0; t < STREAM_THREADS; t++) {
        s->role[t] = (t + turn) % 3;
    }
    for (unsigned i = 0; i < STREAM_L1_BYTES; i++) {
        s->before[i] = (uint8_t)below(s, 256);
    }
    memcpy(s->model.l1, s->before, sizeof s->before);
    make_start(s);
    unsigned started = s->count;
    for (unsigned t = 0; t < STREAM_THREADS; t++) {
        model_drained(&s->model, t);
    }
    make_items(s);
    write_b(s, started);
    for (unsigned t = 0; t < STREAM_THREADS; t++) {
        write_t_core(s, t, started);
    }
    make_sections(s);
    return s;
}

void stream_free(stream *s)
{
    if (s) {
        for (unsigned i = 0; i < 4; i++) {
            free(s->code[i]);
        }
        free(s->steps);
        free(s);
    }
}

const rvasm *stream_code(const stream *s, unsigned core)
{
    return s->code[core];
}
const uint8_t *stream_before(const stream *s)
{
    return s->before;
}
unsigned stream_instructions(const stream *s)
{
    return s->model.instructions;
}
unsigned stream_count(const stream *s, unsigned opcode)
{
    return s->model.opcodes[opcode & 255];
}
unsigned stream_sections(const stream *s)
{
    return s->section_count;
}
const stream_section *stream_section_at(const stream *s, unsigned i)
{
    return &s->sections[i];
}

void stream_word_name(const stream *s, unsigned i, unsigned word, char *text, size_t size)
{
    const char *name = s->sections[i].name;
    switch (i) {
    case 0:
    case 4: snprintf(text, size, "T%u %s %u", word / 64, name, word % 64); break;
    case 2: snprintf(text, size, "%s[%u][%u]", name, word / CONFIG_SEEN, seen_config(word % CONFIG_SEEN)); break;
    case 3: snprintf(text, size, "%s %#x", name, STREAM_L1 + 4 * word); break;
    case 5: snprintf(text, size, "%s [%u][%u]", name, word / MODEL_CONFIG_WORDS, word % MODEL_CONFIG_WORDS); break;
    case 6: snprintf(text, size, "%s[%u][%u]", name, word / MODEL_THREAD_CONFIG, word % MODEL_THREAD_CONFIG); break;
    default: snprintf(text, size, "%s %u", name, word);
    }
}
