/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of all lengths: tiles compute for long, one sends now and then, one may end in a fault or a deadlock, maybe beside cores
 * that push in loops, and the host reads and changes things in between.  Some seeds have one tile only, with such a core: it
 * needs no windows.  The same faults, the same end and the same state at every look as with windows of one length, on one thread and
 * more, however calls are cut.
 *
 *   windows [seeds [first]] */
#include "../support/saved.h"
#include "../support/tap.h"
#include "../support/tensix_stream.h"
#include "../support/ttasm.h"
#include "../support/workload.h"
#include "noc_regs.h"

enum { CODE = 0x4000, PAGE = 0x8000, TARGET = 0x30000, LOOKS = 48, SHORT_WINDOW = 43, TILES = 8 };
#define NIU UINT32_C(0xFFB20000)
#define INSTRN_BUF UINT32_C(0xFFE40000)
#define MOP_CFG UINT32_C(0xFFB80000)

typedef struct variant {
    const char *name;
    uint32_t threads, window, slice;
    bool saved;
} variant;
static const variant plain = {"short windows", 1, SHORT_WINDOW, 0, false};
static const variant variants[] = {
    {"one thread", 1, 0, 0, false},
    {"two threads", 2, 0, 0, false},
    {"three threads, other calls", 3, 0, 1500, false},
    {"shorter windows, other calls", 1, 17, 900, false},
    {"two threads, saved and restored", 2, 0, 700, true},
};

typedef struct outcome {
    uint32_t looks, faults;
    uint64_t cycle[LOOKS], hash[LOOKS];
    kerr_fault last;
} outcome;

static void set_register(kerr_chip *chip, kerr_xy at, uint32_t offset, uint32_t value)
{
    MUST(chip, kerr_write(chip, at, NIU + offset, &value, sizeof value));
}

/* Counts in L1 and in pages all over it, looks at what the NIU has counted, and after every `count` steps sends 64 bytes. */
static void start_sender(kerr_chip *chip, kerr_xy at, kerr_xy to, uint32_t count)
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
    rva_li(a, T3, 0x7F000);
    const uint32_t again = rva_here(a);
    rva_li(a, T0, count);
    const uint32_t step = rva_here(a);
    rva(a, rv_amoadd_w(T1, T2, S0)); /* past the L0 data cache */
    rva(a, rv_slli(T1, T1, 7));
    rva(a, rv_and(T1, T1, T3));
    rva(a, rv_add(T1, T1, S0));
    rva(a, rv_sw(T0, 0x400, T1));
    rva(a, rv_lw(T4, NIU_SLV_POSTED_WR_REQ_STARTED, S1));
    rva(a, rv_sw(T4, 0x404, T1));
    rva(a, rv_addi(T0, T0, -1));
    rva(a, rv_bne(T0, X0, rva_to(a, step)));
    rva(a, rv_sw(T2, NOC_CMD_CTRL, S1));
    rva(a, rv_j(rva_to(a, again)));
    chip_start(chip, at, KERR_CORE_B, a);
    free(a);
}

/* T0 ends after `steps`: in a deadlock (its thread waits for a semaphore that nobody posts) or by a load from nothing. */
static void start_ender(kerr_chip *chip, kerr_xy at, uint32_t steps, bool deadlock)
{
    rvasm *a = rva_new(CODE);
    rva_li(a, T0, steps);
    const uint32_t step = rva_here(a);
    rva(a, rv_addi(T0, T0, -1));
    rva(a, rv_bne(T0, X0, rva_to(a, step)));
    rva_li(a, S0,
           UINT32_C(0xFFB14000)); /* RISCV B's local RAM: from the next line of the stop grid on nobody runs ahead */
    rva(a, rv_lw(T1, 0, S0));
    rva_li(a, S0, deadlock ? INSTRN_BUF : UINT32_C(0x30000000));
    rva_li(a, T1, tt_semwait(TT_BLOCK_ALL, 1, TT_SEM_WHILE_ZERO));
    rva(a, deadlock ? rv_sw(T1, 0, S0) : rv_lw(T1, 0, S0));
    rva_li(a, T1, tt_nop());
    rva(a, deadlock ? rv_sw(T1, 0, S0) : rv_nop());
    rva(a, rv_j(0));
    chip_start(chip, at, KERR_CORE_T0, a);
    free(a);
}

/* Of the Vector Unit: rows of Dst, integers, multiply-adds. */
static uint32_t vector_word(test_random *r)
{
    const uint32_t any = test_below(r, 1 << 24), registers = any & 0x330, move = (any & 0x30003E) | UINT32_C(7) << 13;
    switch (test_below(r, 6)) {
    case 0: return UINT32_C(0x70) << 24 | move | UINT32_C(4) << 16;         /* SFPLOAD */
    case 1: return UINT32_C(0x72) << 24 | move | UINT32_C(4) << 16;         /* SFPSTORE */
    case 2: return UINT32_C(0x79) << 24 | (any & 0xFFF000) | registers | 5; /* SFPIADD */
    case 3: return UINT32_C(0x71) << 24 | (any & 0x30FFFF);                 /* SFPLOADI */
    case 4: return UINT32_C(0x8D) << 24 | registers;                        /* SFPXOR */
    default: return UINT32_C(0x84) << 24 | (any & 0x033000) | registers;    /* SFPMAD */
    }
}

/* A MOP that plays `played` instructions of the Vector Unit a number of times. */
static void prepare_playbacks(rvasm *a, test_random *r)
{
    const unsigned played = 2 + test_below(r, 12);
    const uint32_t play = tt_replay(0, played, 0, 0), nop = tt_nop(), many = 1 + test_below(r, 6),
                   cfg[] = {1, many, nop, nop, nop, play, nop, play, play};
    rva(a, tt_ttinsn(UINT32_C(0x8A) << 24 | UINT32_C(3) << 12 | 10)); /* SFPENCC */
    rva(a, tt_ttinsn(tt_replay(0, played, 0, 1)));
    for (unsigned i = 0; i < played; i++) {
        rva(a, tt_ttinsn(vector_word(r)));
    }
    rva_li(a, S0, MOP_CFG);
    for (unsigned i = 0; i < sizeof cfg / sizeof *cfg; i++) {
        rva_li(a, T1, cfg[i]);
        rva(a, rv_sw(T1, (int32_t)(4 * i), S0));
    }
}

/* Pushes in a loop, for long, and may end in a wait that nobody ends. */
static void start_looper(kerr_chip *chip, kerr_xy at, kerr_core core, test_random *r)
{
    const unsigned pushes = 3 + test_below(r, 12);
    const bool computes = core == KERR_CORE_T1 && test_below(r, 2);
    rvasm *a = rva_new(CODE + 0x400 * (uint32_t)core);
    if (computes) {
        prepare_playbacks(a, r);
    }
    rva_li(a, T0, 300 + test_below(r, 4000));
    const uint32_t again = rva_here(a);
    for (unsigned i = 0; i < pushes; i++) {
        const uint32_t words[] = {tt_nop(), tt_setdmareg(2 + test_below(r, 20), test_below(r, 1 << 14)),
                                  tt_setc16(28 + (uint32_t)core - KERR_CORE_T0, test_below(r, 256)), tt_dmanop()};
        rva(a, tt_ttinsn(computes ? UINT32_C(1) << 24 | 1 << 23 : words[test_below(r, 4)]));
    }
    rva(a, rv_addi(T0, T0, -1));
    rva(a, rv_bne(T0, X0, rva_to(a, again)));
    if (test_below(r, 2)) {
        rva(a, tt_ttinsn(tt_mutex(TT_ATGETM, 7))); /* there is none */
    }
    rva(a, rv_j(0));
    chip_start(chip, at, core, a);
    free(a);
}

static void start_stream(kerr_chip *chip, kerr_xy at, uint64_t seed)
{
    stream *s = stream_new(&(stream_options){.seed = seed, .items = 600});
    MUST(chip, kerr_write(chip, at, STREAM_L1, stream_before(s), STREAM_L1_BYTES));
    for (unsigned core = 1; core <= STREAM_THREADS; core++) {
        const rvasm *code = stream_code(s, core);
        if (code != NULL) {
            chip_start(chip, at, (kerr_core)(KERR_CORE_T0 + core - 1), code);
        }
    }
    stream_free(s);
}

static kerr_chip *make(const variant *v, uint64_t seed)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = v->threads;
    config.window_cycles = v->window;
    for (unsigned kind = 0; kind < KERR_FAULT_KINDS; kind++) {
        config.policy[kind] = seed % 3 == 0 ? KERR_POLICY_STOP : KERR_POLICY_GO_ON;
    }
    return chip_new(&config);
}

static void start(kerr_chip *chip, uint64_t seed, test_random *r)
{
    const bool one_tile = seed % 5 == 4;
    if (test_below(r, 2) || one_tile) {
        start_looper(chip, kerr_tensix_xy(2), KERR_CORE_T1, r);
    }
    if (test_below(r, 2)) {
        start_looper(chip, kerr_tensix_xy(2), KERR_CORE_T2, r);
    }
    const uint32_t steps = 1 + test_below(r, 20000);
    if (test_below(r, 2) || !one_tile) {
        start_ender(chip, kerr_tensix_xy(2), steps, test_below(r, 2));
    }
    if (one_tile) {
        return;
    }
    start_looper(chip, kerr_tensix_xy(TILES), KERR_CORE_T0, r);
    for (uint32_t i = 0; i < 2; i++) {
        start_sender(chip, kerr_tensix_xy(i), kerr_tensix_xy(test_below(r, TILES)), 300 + test_below(r, 3000));
    }
    start_stream(chip, kerr_tensix_xy(3), seed);
    for (uint32_t i = 4; i < TILES; i++) {
        workload_start(chip, i, (workload)test_below(r, WORK_KINDS), seed + i);
    }
}

/* What a host may do to a tile between calls. */
static void meddle(kerr_chip *chip, test_random *r, kerr_policy *hazards)
{
    const kerr_xy at = kerr_tensix_xy(test_below(r, test_below(r, 2) ? 2 : TILES));
    const uint32_t address =
        PAGE + 0x800 + 4 * test_below(r, 0x200); /* in a page that the sender writes all the time */
    uint32_t word = (uint32_t)test_random64(r);
    kerr_core_info info;
    switch (test_below(r, 16)) {
    case 0: (void)kerr_write(chip, at, address, &word, 4); break;
    case 1: (void)kerr_poke(chip, at, address, &word, 4); break;
    case 2: (void)kerr_core_poke(chip, at, KERR_CORE_B, 0xFFB00000u + (address & 0xFFC), &word, 4); break;
    case 3: (void)kerr_reg_set(chip, at, KERR_CORE_B, 28, word & 0x7F000); break;
    case 4: (void)kerr_read(chip, at, NIU + NIU_SLV_POSTED_WR_REQ_STARTED, &word, 4); break;
    case 5: (void)kerr_write(chip, at, 0xFFB12000u + 0x1F0, &word, 4); break;
    case 6: (void)kerr_core_reset(chip, at, KERR_CORE_NC, word & 1); break;
    case 7:
        *hazards = word & 1 ? KERR_POLICY_GO_ON : KERR_POLICY_IGNORE;
        MUST(chip, kerr_set_policy(chip, KERR_FAULT_HAZARD, *hazards));
        break;
    case 8: (void)kerr_core_query(chip, at, KERR_CORE_T0, &info); break;
    case 9: (void)kerr_read(chip, at, address, &word, 4); break;
    default: break;
    }
}

static kerr_chip *restored(kerr_chip *chip, const variant *v, uint64_t seed)
{
    saved_bytes b = {0};
    kerr_chip *other = make(v, seed);
    MUST(chip, kerr_save(chip, saved_put, &b));
    MUST(other, kerr_restore(other, saved_get, &b));
    free(b.data);
    kerr_destroy(chip);
    return other;
}

static void run(uint64_t seed, const variant *v, outcome *o)
{
    static const uint32_t far[] = {37, 600, 1000, 1000, 1000, 1000, 4096, 9000};
    test_random r = {.state = seed}, cuts = {.state = ~seed};
    kerr_policy hazards = KERR_POLICY_IGNORE;
    kerr_chip *chip = make(v, seed);
    MUST(chip, kerr_set_policy(chip, KERR_FAULT_HAZARD, hazards));
    start(chip, seed, &r);
    memset(o, 0, sizeof *o);
    for (uint64_t at = 0, before = UINT64_MAX; o->looks < LOOKS && before != chip_cycle(chip); o->looks++) {
        before = chip_cycle(chip);
        at += far[test_below(&r, sizeof far / sizeof *far)];
        for (uint64_t last = UINT64_MAX; chip_cycle(chip) < at && chip_cycle(chip) != last;) {
            const uint64_t left = at - chip_cycle(chip), cut = v->slice ? 1 + test_below(&cuts, v->slice) : left;
            last = chip_cycle(chip);
            (void)kerr_run(chip, cut < left ? cut : left); /* KERR_FAULTED: it may still come to its stop */
        }
        if (v->saved && o->looks % 7 == 3 && seed % 3 != 0) {
            chip = restored(chip, v, seed);
            MUST(chip, kerr_set_policy(chip, KERR_FAULT_HAZARD, hazards));
        }
        o->cycle[o->looks] = chip_cycle(chip);
        o->hash[o->looks] = chip_hash(chip);
        meddle(chip, &r, &hazards);
    }
    MUST(chip, kerr_fault_count(chip, &o->faults));
    if (o->faults != 0) {
        MUST(chip, kerr_fault_get(chip, o->faults - 1, &o->last));
    }
    kerr_destroy(chip);
}

static bool same(const outcome *a, const outcome *b)
{
    for (uint32_t i = 0; i < a->looks && i < b->looks; i++) {
        if (a->cycle[i] != b->cycle[i] || a->hash[i] != b->hash[i]) {
            printf("# look %" PRIu32 ": cycle %" PRIu64 " for %" PRIu64 ", hash %" PRIx64 " for %" PRIx64 "\n", i,
                   b->cycle[i], a->cycle[i], b->hash[i], a->hash[i]);
            return false;
        }
    }
    return a->looks == b->looks && a->faults == b->faults && a->last.kind == b->last.kind &&
           a->last.cycle == b->last.cycle && strcmp(a->last.text, b->last.text) == 0;
}

int main(int argc, char **argv)
{
    tap t = {0};
    const uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 6, first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    static outcome want, got;
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        run(seed, &plain, &want);
        for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++) {
            run(seed, &variants[i], &got);
            tap_ok(&t, same(&want, &got), "seed %" PRIu64 ", %s: the same (%" PRIu32 " looks, %" PRIu32 " faults)",
                   seed, variants[i].name, want.looks, want.faults);
        }
    }
    return tap_end(&t);
}
