/* SPDX-License-Identifier: Apache-2.0 */
/* The silicon zones of the Tensix coprocessor: streams of pushed instructions whose cycles were read off a card, run on
 * Kerr and compared.
 *
 *   tensix_silicon ZONES.csv [TABLE.md]     TAP on stdout; appends to the table if asked to; fails if a zone is out
 *
 * One, two or three T cores run the zones of a phase one after the other, with a barrier through words in L1 before each
 * point, and read the wall clock before and after.  The coprocessor's share of the time comes to the core through full
 * FIFOs only, so the first 33 instructions of a stream are the core's own pace.
 *
 * Slope zones (tensixbench phases A, B, F, T, riscvbench tt_*): a loop over `unroll` pieces, n = 32, 64, 96, 128 iterations.  The
 * figure is the least-squares slope over n.
 * Burst zones (q_loop_*, q_drained_*, s_*): n instructions, 16 or 4 an iteration; all but the q_loop_* begin with an empty
 * queue, and the *_sync ones end with one.  The figure is the slope, cycles per instruction.  Where the queue fills, its
 * knee is judged as well: the n at which the line through the points from n = 128 on meets that of the same loop with addi.
 * What a burst of q_loop_* finds in the queue depends on the time between two bursts, and the card's own runs lie 18 %
 * apart in it: there the doubling of n in which the knee lies must be the same.
 * Cascade zones (q_* else): 2^p instructions in a straight line that is cut short, run once for each p and so from a cold
 * cache.  The figure is the cycles of the longest.
 *
 * Points under 100 cycles on the card are left out.  The bound is 5 %; where another run on the same card read something
 * else (a line 'again'), the nearer of both counts. */
#include "../support/chip.h"

#include <math.h>

enum {
    MAX_POINTS = 8,
    MAX_ZONES = 400,
    MAX_NAMES = 64,
    MIN_CYCLES = 100,
    SATURATED = 128, /* bursts from this n on are back-pressured for most of their time */
    BOUND = 5,       /* percent */
    CODE = 0x10000,  /* + thread * CODE_STEP */
    CODE_STEP = 0x20000,
    BARRIER = 0x8000, /* a word per thread */
    DONE = 0x8100,    /* a word per thread */
    RESULTS = 0x4000, /* + thread * RESULTS_STEP + 32 * zone */
    RESULTS_STEP = 0x1000,
    SPIN = 4, /* how much longer the other cores of a solo zone are busy */
    SOLO = 1, /* the thread that pushes in a solo zone */
    WALL_CLOCK = (int)0xffb121f0,
    LOCAL = (int)0xffb00f00, /* four words of local RAM */
    PC_BUF_BASE = (int)0xffe80000,
    DONE_CHECK = 4 /* CoprocessorDoneCheck */
};

/* ---- The instructions ---------------------------------------------------------------------- */

/* The word .ttinsn puts into the program: the Tensix instruction, rotated left by two. */
#define TTINSN(opcode, fields)                                                                                         \
    ((((uint32_t)(opcode) << 24 | (uint32_t)(fields)) << 2) | ((uint32_t)(opcode) << 24 >> 30))

enum {
    GPR_A = 60,
    GPR_B = 61,
    GPR_C = 62,
    GPR_D = 63,
    STALL_ALL = 0x1ff,        /* block mask */
    TRISC_REQUESTS = 0x400,   /* condition C10 */
    CONFIG_UNIT_BUSY = 0x1000 /* condition C12 */
};
#define GPR_OP(opcode, result, b, a) TTINSN(opcode, 1u << 23 | (result) << 12 | (b) << 6 | (a)) /* b is a constant */
#define STALLWAIT(condition) TTINSN(0xa2, STALL_ALL << 15 | (condition))
#define NOP TTINSN(0x02, 0)
#define DMANOP TTINSN(0x60, 0)
#define SFPNOP TTINSN(0x8f, 0)
#define VA0_VB1_VC2_VD3 (1 << 12 | 2 << 8 | 3 << 4)
#define SETDMAREG TTINSN(0x45, 7 << 8 | 120) /* low half of GPR 60 */
#define ADDDMAREG GPR_OP(0x58, GPR_A, 1, GPR_A)
#define RDCFG TTINSN(0xb1, GPR_A << 16)
#define RMWCIB0 TTINSN(0xb3, 0)
#define SETDVALID TTINSN(0x57, 3)
/* UNPACR_NOP that clears a bank of SrcA or SrcB and hands it over; RMWCIB0 of THCON_SEC?_REG2_Out_data_format, its format. */
#define UNPACR_NOP(which) TTINSN(0x43, (which) << 23 | 1 << 8 | 1)
#define OUT_FORMAT(which, format) TTINSN(0xb3, 15 << 16 | (format) << 8 | (72 + 48 * (which)))

/* ---- The zones ----------------------------------------------------------------------------- */

typedef enum shape { SLOPE, CASCADE, BURST } shape;

typedef struct body {
    const char *name;
    shape shape;
    uint32_t word[2];   /* of a piece; the second may be absent */
    uint32_t others[2]; /* what the threads other than T1 do instead, if anything */
    uint32_t block;     /* BURST: instructions of an iteration */
    bool drains_before, drains_inside, solo;
    const char *twin;    /* the same loop of addi, for the knee */
    const char *not_yet; /* why the zone is not run */
} body;

enum { ADDI = 0 }; /* word[0]: see piece() */

static const body bodies[] = {
    {.name = "loop_overhead"},
    {.name = "NOP", .word = {NOP}},
    {.name = "DMANOP", .word = {DMANOP}},
    {.name = "SFPNOP", .word = {SFPNOP}},
    {.name = "SFPMOV", .word = {TTINSN(0x7c, 1 << 4)}},
    {.name = "SFPADD", .word = {TTINSN(0x85, VA0_VB1_VC2_VD3)}},
    {.name = "SFPMUL", .word = {TTINSN(0x86, VA0_VB1_VC2_VD3)}},
    {.name = "SFPMAD", .word = {TTINSN(0x84, VA0_VB1_VC2_VD3)}},
    {.name = "SFPABS", .word = {TTINSN(0x7d, 1 << 4)}},
    {.name = "SETDMAREG", .word = {SETDMAREG}},
    {.name = "ADDDMAREG", .word = {ADDDMAREG}},
    {.name = "MULDMAREG", .word = {GPR_OP(0x5a, GPR_B, 1, GPR_A)}},
    {.name = "SHIFTDMAREG", .word = {GPR_OP(0x5c, GPR_B, 1, GPR_A)}},
    {.name = "CMPDMAREG", .word = {GPR_OP(0x5d, GPR_C, 1, GPR_A)}},
    {.name = "RDCFG", .word = {RDCFG}},
    {.name = "SETRWC", .word = {TTINSN(0x37, 0)}},
    {.name = "INCRWC", .word = {TTINSN(0x38, 0)}},
    {.name = "MVMUL", .word = {TTINSN(0x26, 0)}},
    {.name = "ELWADD", .word = {TTINSN(0x28, 0)}},
    {.name = "ELWMUL", .word = {TTINSN(0x27, 0)}},
    {.name = "RDCFG_STALL", .word = {RDCFG, STALLWAIT(TRISC_REQUESTS)}},
    {.name = "SETDMA_STALL", .word = {SETDMAREG, STALLWAIT(TRISC_REQUESTS)}},
    {.name = "RDCFG_CFGSTALL", .word = {RDCFG, STALLWAIT(CONFIG_UNIT_BUSY)}},
    {.name = "RMWCIB_CFGSTALL", .word = {RMWCIB0, STALLWAIT(CONFIG_UNIT_BUSY)}},
    {.name = "SETDMA_CFGSTALL", .word = {SETDMAREG, STALLWAIT(CONFIG_UNIT_BUSY)}},
    {.name = "RMWCIB0", .word = {RMWCIB0}},
    {.name = "RDCFG_DEP", .word = {RDCFG, GPR_OP(0x58, GPR_D, 0, GPR_A)}},
    {.name = "RDCFG_INDEP", .word = {RDCFG, GPR_OP(0x58, GPR_D, 0, GPR_A - 1)}},
    {.name = "C12_XTHREAD", .word = {STALLWAIT(CONFIG_UNIT_BUSY), NOP}, .others = {RMWCIB0, NOP}},
    {.name = "C12_XTHREAD_NULL", .word = {NOP, NOP}, .others = {RMWCIB0, NOP}},

    {.name = "tt_nop", .word = {NOP}},
    {.name = "tt_sfpnop", .word = {SFPNOP}},
    {.name = "tt_setdmareg", .word = {SETDMAREG}},
    {.name = "tt_adddmareg", .word = {ADDDMAREG}},
    {.name = "tt_pad"},
    {.name = "tt_fuse2"},
    {.name = "tt_fuse4"},
    {.name = "tt_spread4"},

    {.name = "q_ctrl", .shape = CASCADE},
    {.name = "q_nop", .shape = CASCADE, .word = {NOP}},
    {.name = "q_setdmareg", .shape = CASCADE, .word = {SETDMAREG}},
    {.name = "q_adddmareg", .shape = CASCADE, .word = {ADDDMAREG}},
    {.name = "q_adddmareg_sync", .shape = CASCADE, .word = {ADDDMAREG}, .drains_inside = true},
    {.name = "q_loop_addi", .shape = BURST, .word = {ADDI}, .block = 16},
    {.name = "q_loop_adddmareg", .shape = BURST, .word = {ADDDMAREG}, .block = 16, .twin = "q_loop_addi"},
    {.name = "q_drained_addi", .shape = BURST, .word = {ADDI}, .block = 16, .drains_before = true},
    {.name = "q_drained_adddmareg",
     .shape = BURST,
     .word = {ADDDMAREG},
     .block = 16,
     .drains_before = true,
     .twin = "q_drained_addi"},
    {.name = "q_loop_adddmareg_sync", .shape = BURST, .word = {ADDDMAREG}, .block = 16, .drains_inside = true},

    {.name = "s_loop_addi", .shape = BURST, .word = {ADDI}, .block = 4, .drains_before = true},
    {.name = "s_co_plain",
     .shape = BURST,
     .word = {ADDDMAREG},
     .block = 4,
     .drains_before = true,
     .twin = "s_loop_addi"},
    {.name = "s_co_repeat",
     .shape = BURST,
     .word = {ADDDMAREG},
     .block = 4,
     .drains_before = true,
     .twin = "s_loop_addi"},
    {.name = "s_co_sync",
     .shape = BURST,
     .word = {ADDDMAREG},
     .block = 4,
     .drains_before = true,
     .drains_inside = true},
    {.name = "s_solo_plain",
     .shape = BURST,
     .word = {ADDDMAREG},
     .block = 4,
     .drains_before = true,
     .solo = true,
     .twin = "s_loop_addi"},
    {.name = "s_solo_sync",
     .shape = BURST,
     .word = {ADDDMAREG},
     .block = 4,
     .drains_before = true,
     .drains_inside = true,
     .solo = true},
};

static const body *body_of(const char *name)
{
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (strcmp(bodies[i].name, name) == 0) {
            return &bodies[i];
        }
    }
    fprintf(stderr, "no program for zone %s\n", name);
    exit(2);
}

typedef struct zone {
    char phase, name[32];
    bool is_tensixbench;
    unsigned active, thread, points;
    const body *body;
    uint32_t unroll, n[MAX_POINTS], card[MAX_POINTS], again[MAX_POINTS], ours[MAX_POINTS];
    bool has_again;
    double card_figure, again_figure, our_figure, error;
    double card_knee, our_knee, card_mean_knee, our_mean_knee, knee_error;
    bool judged, has_knee, same_bracket, good;
} zone;

typedef struct zone_list {
    size_t count;
    zone z[MAX_ZONES];
} zone_list;

/* ---- Programs ------------------------------------------------------------------------------ */

enum {
    R_ONE = A0,
    R_CLOCK = S4,
    R_SEQUENCE,
    R_PC_BUF,
    R_OUT,
    R_N, /* iterations */
    R_COUNTER,
    R_START,
    R_POINT, /* p: 0, 1, ... */
    R_POINTS,
    R_FIRST = GP, /* n of the first point */
    R_UNIT = A1,
    R_THREADS,
    R_LOCAL,
    R_ONE_TO_SIX /* A4 to A7, S2, S3 */
};

/* active: 1 is T1 alone, 2 is T0 and T1, 3 is all, as on the card. */
static bool takes_part(unsigned active, unsigned thread)
{
    return active == 1 ? thread == 1 : thread < active;
}

/* The part of a barrier that stands behind a zone's loop. */
typedef struct out_of_line {
    size_t from;
    uint32_t back;
} out_of_line;

/* Each core raises its own word, then waits for those of the others, in the order of the threads.  As a compiler makes
 * it of the card's program: how long this takes decides what is left in the queue when a zone that is not drained
 * begins, and how far apart the threads begin. */
static void barrier_loads(rvasm *a)
{
    rva(a, rv_lw(R_SEQUENCE, 0, R_LOCAL));
    rva(a, rv_lw(T1, 8, R_LOCAL));  /* where the words are */
    rva(a, rv_lw(T0, 4, R_LOCAL));  /* the thread */
    rva(a, rv_lw(T2, 12, R_LOCAL)); /* the mask of those who take part */
}

static out_of_line barrier(rvasm *a)
{
    rva(a, rv_addi(R_SEQUENCE, R_SEQUENCE, 1));
    rva(a, rv_sh2add(T0, T0, T1));
    rva(a, rv_sw(R_SEQUENCE, 0, R_LOCAL));
    rva(a, rv_sw(R_SEQUENCE, 0, T0));
    rva(a, rv_addi(T4, X0, 0));
    uint32_t next = rva_here(a);
    rva(a, rv_sll(T0, R_UNIT, T4));
    rva(a, rv_and(T0, T0, T2));
    out_of_line wait = {.from = rva_later(a, rv_bne(T0, X0, 0)), .back = rva_here(a)};
    rva(a, rv_addi(T4, T4, 1));
    rva(a, rv_addi(T1, T1, 4));
    rva(a, rv_bne(T4, R_THREADS, rva_to(a, next)));
    return wait;
}

static void barrier_waits(rvasm *a, out_of_line wait)
{
    rva_land(a, wait.from);
    uint32_t again = rva_here(a);
    rva(a, rv_lw(T0, 0, T1));
    rva(a, rv_bgeu(T0, R_SEQUENCE, rva_to(a, wait.back)));
    rva(a, rv_lw(T0, 0, T1));
    rva(a, rv_bltu(T0, R_SEQUENCE, rva_to(a, again)));
    rva(a, rv_j(rva_to(a, wait.back)));
}

static void set_up(rvasm *a, unsigned active, unsigned thread)
{
    rva_li(a, T0, CFG0_firmware);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, R_CLOCK, (uint32_t)WALL_CLOCK);
    rva_li(a, R_PC_BUF, (uint32_t)PC_BUF_BASE);
    rva_li(a, R_UNIT, 1);
    rva_li(a, R_THREADS, 3);
    rva_li(a, R_LOCAL, (uint32_t)LOCAL);
    for (uint32_t i = 0; i < 6; i++) {
        rva_li(a, R_ONE_TO_SIX + i, i + 1);
    }
    const uint32_t globals[] = {0, thread, BARRIER, active == 1 ? 2 : active == 2 ? 3 : 7};
    for (int32_t i = 0; i < 4; i++) {
        rva_li(a, T0, globals[i]);
        rva(a, rv_sw(T0, 4 * i, R_LOCAL));
    }
}

/* Until all instructions of this thread are done (manual ManualTTSync, the sequence it gives). */
static void drain(rvasm *a)
{
    rva(a, rv_sw(X0, DONE_CHECK, R_PC_BUF));
    rva(a, rv_lw(T0, DONE_CHECK, R_PC_BUF));
    rva(a, rv_and(X0, X0, T0));
}

static void addis(rvasm *a, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        rva(a, rv_addi(R_ONE, R_ONE, 1));
    }
}

/* One of the equal pieces of a loop. */
static void piece(rvasm *a, const body *b, unsigned thread)
{
    if (strcmp(b->name, "tt_pad") == 0) {
        addis(a, 16);
    } else if (strncmp(b->name, "tt_fuse", 7) == 0) {
        for (int i = 0; i < b->name[7] - '0'; i++) {
            rva(a, NOP);
        }
        addis(a, 16);
    } else if (strcmp(b->name, "tt_spread4") == 0) {
        for (int i = 0; i < 4; i++) {
            rva(a, NOP);
            addis(a, 1);
        }
        addis(a, 12);
    } else if (b->word[0] == ADDI) {
        addis(a, 1);
    } else {
        const uint32_t *word = thread != SOLO && b->others[0] ? b->others : b->word;
        rva(a, word[0]);
        if (word[1]) {
            rva(a, word[1]);
        }
    }
}

/* for (counter = 0; counter != n; counter++) pieces */
static void loop(rvasm *a, const body *b, unsigned thread, uint32_t pieces)
{
    rva(a, rv_addi(R_COUNTER, X0, 0));
    uint32_t from = rva_here(a);
    for (uint32_t i = 0; i < pieces; i++) {
        piece(a, b, thread);
    }
    rva(a, rv_addi(R_COUNTER, R_COUNTER, 1));
    rva(a, rv_bne(R_COUNTER, R_N, rva_to(a, from)));
}

/* 1 + 1 + 2 + 4 + ... pieces; p says after which of the terms it ends. */
static void cascade(rvasm *a, const body *b, unsigned thread)
{
    size_t out[MAX_POINTS];
    bool empty = strcmp(b->name, "q_ctrl") == 0;
    for (uint32_t p = 0; p < MAX_POINTS; p++) {
        for (uint32_t i = 0; !empty && i < (p < 2 ? 1u : 1u << (p - 1)); i++) {
            piece(a, b, thread);
        }
        if (p + 1 < MAX_POINTS) {
            out[p] = rva_later(a, rv_beq(R_POINT, p == 0 ? X0 : R_ONE_TO_SIX + p - 1, 0));
        }
    }
    for (uint32_t p = 0; p + 1 < MAX_POINTS; p++) {
        rva_land(a, out[p]);
    }
}

/* R_N = (first << p) / block, the division inside of the timed part as a compiler places it in the card's program. */
static void instructions(rvasm *a)
{
    rva(a, rv_sll(T1, R_FIRST, R_POINT));
}

static void iterations(rvasm *a, uint32_t block)
{
    rva(a, rv_srli(R_N, T1, block == 16 ? 4 : 2));
}

/* What the cores do that do not push in a solo zone, for SPIN times as many instructions. */
static void spin(rvasm *a, uint32_t block)
{
    iterations(a, block);
    rva(a, rv_addi(T1, X0, SPIN));
    rva(a, rv_mul(R_N, R_N, T1));
    uint32_t from = rva_here(a);
    addis(a, block);
    rva(a, rv_addi(R_N, R_N, -1));
    rva(a, rv_bne(R_N, X0, rva_to(a, from)));
}

/* SrcA and SrcB become the Matrix Unit's. */
static void hand_over(rvasm *a, char phase)
{
    const uint32_t format = phase == 'B' ? 5 : phase == 'T' ? 4 : 0;
    if (phase == 'A') {
        rva(a, SETDVALID);
        return;
    }
    for (uint32_t which = 0; which < 2; which++) {
        rva(a, OUT_FORMAT(which, format));
    }
    rva(a, NOP); /* the card's program has other instructions here */
    for (uint32_t which = 0; which < 2; which++) {
        rva(a, UNPACR_NOP(which));
    }
    drain(a);
}

/* All points of a zone on one thread.  The results go to RESULTS, a word a point. */
static void zone_program(rvasm *a, const zone *z, unsigned thread, uint32_t out)
{
    const body *b = z->body;
    if (strcmp(b->name, "MVMUL") == 0 && thread == SOLO) { /* once: SrcA and SrcB stay the Matrix Unit's */
        hand_over(a, z->phase);
    }
    rva_li(a, R_OUT, out);
    rva_li(a, R_FIRST, z->n[0]);
    rva_li(a, R_N, z->n[0]);
    rva_li(a, R_POINT, 0);
    rva_li(a, R_POINTS, z->points);
    if (b->drains_inside) {
        drain(a);
    }
    barrier_loads(a);
    uint32_t next_point = rva_here(a);
    const out_of_line wait = barrier(a);
    if (b->drains_before) {
        drain(a);
    }
    if (b->shape == BURST) {
        instructions(a);
    }
    if (b->solo && thread != SOLO) {
        spin(a, b->block);
    } else {
        rva(a, rv_lw(R_START, 0, R_CLOCK));
        switch (b->shape) {
        case SLOPE: loop(a, b, thread, strcmp(b->name, "loop_overhead") == 0 ? 0 : z->unroll); break;
        case BURST:
            iterations(a, b->block);
            loop(a, b, thread, b->block);
            break;
        case CASCADE: cascade(a, b, thread); break;
        }
        if (b->drains_inside) {
            drain(a);
        }
        rva(a, rv_lw(T0, 0, R_CLOCK));
        rva(a, rv_sub(T0, T0, R_START));
        rva(a, rv_sw(T0, 0, R_OUT));
    }
    barrier_loads(a);
    rva(a, rv_addi(R_OUT, R_OUT, 4));
    if (b->shape == SLOPE) {
        rva(a, rv_add(R_N, R_N, R_FIRST));
    }
    rva(a, rv_addi(R_POINT, R_POINT, 1));
    rva(a, rv_bne(R_POINT, R_POINTS, rva_to(a, next_point)));
    const size_t over = rva_later(a, rv_j(0));
    barrier_waits(a, wait);
    rva_land(a, over);
}

/* ---- Running ------------------------------------------------------------------------------- */

/* The zones of a launch in their order: one of the rows of each, whichever thread it is for. */
static unsigned launch(const zone_list *list, bool tensixbench, char phase, unsigned active, const zone **first)
{
    unsigned count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const zone *z = &list->z[i];
        bool known = z->is_tensixbench != tensixbench || z->phase != phase || z->active != active || z->body->not_yet;
        for (unsigned k = 0; !known && k < count; k++) {
            known = strcmp(first[k]->name, z->name) == 0;
        }
        if (!known && count < MAX_NAMES) {
            first[count++] = z;
        }
    }
    return count;
}

static void run(kerr_chip *chip, zone_list *list, bool tensixbench, char phase, unsigned active)
{
    const zone *first[MAX_NAMES];
    unsigned count = launch(list, tensixbench, phase, active, first);
    kerr_xy at = kerr_tensix_xy(0);
    MUST(chip, kerr_reset(chip));
    for (unsigned t = 0; t < 3; t++) {
        if (takes_part(active, t)) {
            rvasm *a = rva_new(CODE + t * CODE_STEP);
            set_up(a, active, t);
            for (unsigned i = 0; i < count; i++) {
                zone_program(a, first[i], t, RESULTS + t * RESULTS_STEP + i * 4 * MAX_POINTS);
            }
            drain(a);
            rva(a, rv_fence());
            rva_li(a, T0, 1);
            rva_li(a, T1, DONE + 4 * t);
            rva(a, rv_sw(T0, 0, T1));
            rva_end(a);
            chip_start(chip, at, (kerr_core)(KERR_CORE_T0 + t), a);
            free(a);
        }
    }
    for (unsigned t = 0; t < 3; t++) {
        if (takes_part(active, t)) {
            chip_run_until_word(chip, at, DONE + 4 * t, 1, 20000000);
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        zone *z = &list->z[i];
        for (unsigned k = 0; k < count; k++) {
            if (z->is_tensixbench == tensixbench && z->phase == phase && z->active == active &&
                strcmp(first[k]->name, z->name) == 0) {
                MUST(chip, kerr_peek(chip, at, RESULTS + z->thread * RESULTS_STEP + k * 4 * MAX_POINTS, z->ours,
                                     z->points * 4));
            }
        }
    }
}

/* ---- Judging ------------------------------------------------------------------------------- */

typedef struct line {
    double slope, at_zero;
    unsigned points;
} line;

/* Through the points of a zone from n = from_n on; which points count is the card's word. */
static line fit(const zone *z, const uint32_t *cycles, uint32_t from_n)
{
    double k = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (unsigned i = 0; i < z->points; i++) {
        if (z->card[i] >= MIN_CYCLES && z->n[i] >= from_n) {
            double x = z->n[i], y = cycles[i];
            k += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
    }
    line l = {.points = (unsigned)k};
    if (k >= 2) {
        l.slope = (k * sxy - sx * sy) / (k * sxx - sx * sx);
        l.at_zero = (sy - l.slope * sx) / k;
    }
    return l;
}

static double knee(line addi, line saturated)
{
    double steeper = saturated.slope - addi.slope;
    return steeper > 0.01 ? (addi.at_zero - saturated.at_zero) / steeper : INFINITY;
}

static double percent(double ours, double card)
{
    return card != 0 ? 100 * (ours / card - 1) : 0;
}

static const zone *twin_of(const zone_list *list, const zone *z)
{
    for (size_t i = 0; z->body->twin && i < list->count; i++) {
        const zone *t = &list->z[i];
        if (t->active == z->active && t->thread == z->thread && strcmp(t->name, z->body->twin) == 0) {
            return t;
        }
    }
    return NULL;
}

/* The doubling of n in which the cost of another instruction comes closer to that of the saturated queue than to that of
 * addi: its index, for a burst that may begin with something in the queue. */
static unsigned knee_bracket(const zone *z, const uint32_t *cycles, line addi, line saturated)
{
    unsigned i = 1;
    while (i + 1 < z->points &&
           (cycles[i] - cycles[i - 1]) / (double)(z->n[i] - z->n[i - 1]) < (addi.slope + saturated.slope) / 2) {
        i++;
    }
    return i;
}

static void find_knee(const zone_list *list, zone *z)
{
    const zone *twin = twin_of(list, z);
    if (!twin) {
        return;
    }
    line card[] = {fit(twin, twin->card, 0), fit(z, z->card, SATURATED)};
    line ours[] = {fit(twin, twin->ours, 0), fit(z, z->ours, SATURATED)};
    z->has_knee = true;
    z->card_knee = knee(card[0], card[1]);
    z->our_knee = knee(ours[0], ours[1]);
    z->same_bracket = knee_bracket(z, z->card, card[0], card[1]) == knee_bracket(z, z->ours, ours[0], ours[1]);
}

/* Which thread is ahead of the others when a burst begins, and keeps the lead, is decided by the barrier: the mean of the
 * threads is judged. */
static void judge_knee(const zone_list *list, zone *z)
{
    double card = 0, ours = 0, count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const zone *other = &list->z[i];
        if (other->active == z->active && strcmp(other->name, z->name) == 0) {
            card += other->card_knee;
            ours += other->our_knee;
            count += 1;
        }
    }
    z->card_mean_knee = card / count;
    z->our_mean_knee = ours / count;
    z->knee_error = percent(ours, card);
    z->good &= z->body->drains_before ? fabs(z->knee_error) <= BOUND : z->same_bracket;
}

static void judge(zone *z)
{
    const unsigned last = z->points - 1;
    const bool total = z->body->shape == CASCADE;
    line card = fit(z, z->card, 0);
    z->card_figure = total ? z->card[last] : card.slope;
    z->our_figure = total ? z->ours[last] : fit(z, z->ours, 0).slope;
    z->error = percent(z->our_figure, z->card_figure);
    z->judged = (total ? z->card[last] >= MIN_CYCLES : card.points >= 2) && !z->body->not_yet;
    z->good = !z->judged || fabs(z->error) <= BOUND;
    if (z->has_again) {
        z->again_figure = total ? z->again[last] : fit(z, z->again, 0).slope;
        z->good |= fabs(percent(z->our_figure, z->again_figure)) <= BOUND;
    }
}

static void print_points(const char *who, const zone *z, const uint32_t *cycles)
{
    printf("#   %s", who);
    for (unsigned i = 0; i < z->points; i++) {
        printf(" %u", cycles[i]);
    }
    printf("\n");
}

static unsigned print_tap(const zone_list *list)
{
    unsigned failed = 0;
    size_t number = 0;
    for (size_t i = 0; i < list->count; i++) {
        const zone *z = &list->z[i];
        if (z->body->not_yet) { /* shown in the table, no test yet */
            printf("# %s on T%u, active %u: not run, %s\n", z->name, z->thread, z->active, z->body->not_yet);
            continue;
        }
        failed += !z->good;
        printf("%s %zu - %s on T%u, active %u", z->good ? "ok" : "not ok", ++number, z->name, z->thread, z->active);
        printf("\n#   card %.2f, kerr %.2f, %+.2f %%%s", z->card_figure, z->our_figure, z->error,
               z->judged ? "" : " (not judged)");
        if (z->has_again) {
            printf("; card again %.2f", z->again_figure);
        }
        if (z->has_knee) {
            printf("; knee card %.1f, kerr %.1f", z->card_knee, z->our_knee);
            if (z->body->drains_before) {
                printf(", mean of the threads %.1f, %.1f, %+.2f %%", z->card_mean_knee, z->our_mean_knee,
                       z->knee_error);
            } else {
                printf(", in %s doubling", z->same_bracket ? "the same" : "another");
            }
        }
        printf("\n");
        if (!z->good || getenv("POINTS")) {
            print_points("n   ", z, z->n);
            print_points("card", z, z->card);
            print_points("kerr", z, z->ours);
        }
    }
    printf("1..%zu\n", number);
    return failed;
}

/* ---- The table ----------------------------------------------------------------------------- */

static void table_row(FILE *f, const zone *z)
{
    fprintf(f, "| %c | %s | %u | T%u | %.2f", z->phase, z->name, z->active, z->thread, z->card_figure);
    if (z->has_again) {
        fprintf(f, ", %.2f", z->again_figure);
    }
    if (z->body->not_yet) {
        fprintf(f, " | | | | not judged: %s |\n", z->body->not_yet);
        return;
    }
    fprintf(f, " | %.2f | %+.2f %% | ", z->our_figure, z->error);
    if (z->has_knee && z->body->drains_before) {
        fprintf(f, "%.1f / %.1f; mean %+.2f %%", z->card_knee, z->our_knee, z->knee_error);
    } else if (z->has_knee) {
        fprintf(f, "in %s doubling", z->same_bracket ? "the same" : "another");
    }
    fprintf(f, " | %s |\n", !z->judged ? "shown only" : z->good ? "within bound" : "**out of bound**");
}

static bool append_table(const zone_list *list, const char *path)
{
    FILE *f = fopen(path, "a");
    if (!f) {
        perror(path);
        return false;
    }
    unsigned judged = 0, good = 0;
    for (size_t i = 0; i < list->count; i++) {
        const zone *z = &list->z[i];
        judged += z->judged;
        good += z->judged && z->good;
    }
    fprintf(f,
            "\n## Tensix instructions (tensixbench phase A, riscvbench t, q, s)\n\n"
            "Made by `make silicon` from tests/timing/tensix_zones.csv.  Slope zones: cycles per iteration of 64 "
            "instructions or pairs (tt_pad, tt_fuse,\ntt_spread4: 16 groups).  q_ and s_ zones: cycles per instruction "
            "of a burst, but for q_nop, q_setdmareg,\nq_adddmareg(_sync): cycles of a burst of 128.  Where the queue "
            "fills, the knee is the burst at which back-pressure begins,\ncard / kerr.  "
            "A second figure of the card is that of another run on it.  How a zone is run and judged:\n"
            "tests/timing/tensix_silicon.c.\n\n"
            "%u zones judged, %u within %u %%.\n\n"
            "| phase | zone | active | thread | card | kerr | error | knee | verdict |\n"
            "|---|---|--:|---|--:|--:|--:|--:|---|\n",
            judged, good, BOUND);
    for (size_t i = 0; i < list->count; i++) {
        table_row(f, &list->z[i]);
    }
    return fclose(f) == 0;
}

/* ---- Reading the card's figures ------------------------------------------------------------ */

/* n1,cycles1,n2,cycles2,... up to the end of the line; false if it is something else. */
static bool read_points(const char *text, uint32_t *n, uint32_t *cycles, unsigned *points)
{
    *points = 0;
    while (*text && *text != '\n') {
        char *end;
        if (*points == MAX_POINTS) {
            return false;
        }
        n[*points] = (uint32_t)strtoul(text, &end, 10);
        if (end == text || *end != ',') {
            return false;
        }
        text = end + 1;
        cycles[(*points)++] = (uint32_t)strtoul(text, &end, 10);
        if (end == text || (*end != ',' && *end != '\n' && *end)) {
            return false;
        }
        text = *end == ',' ? end + 1 : end;
    }
    return *points >= 2;
}

static bool read_zone(const char *row, zone_list *list)
{
    zone z = {0};
    char bench[16];
    int at = 0;
    if (sscanf(row, "%15[^,],%c,%u,%31[^,],T%u,%u,%n", bench, &z.phase, &z.active, z.name, &z.thread, &z.unroll, &at) !=
            6 ||
        at == 0 || z.thread > 2) {
        return false;
    }
    if (strcmp(bench, "again") == 0) {
        zone *last = list->count ? &list->z[list->count - 1] : NULL;
        uint32_t n[MAX_POINTS];
        unsigned points;
        if (!last || strcmp(last->name, z.name) != 0 || !read_points(row + at, n, last->again, &points)) {
            return false;
        }
        last->has_again = true;
        return points == last->points;
    }
    z.is_tensixbench = strcmp(bench, "tensixbench") == 0;
    if ((!z.is_tensixbench && strcmp(bench, "riscvbench") != 0) || list->count == MAX_ZONES ||
        !read_points(row + at, z.n, z.card, &z.points)) {
        return false;
    }
    z.body = body_of(z.name);
    list->z[list->count++] = z;
    return true;
}

static bool read_zones(const char *path, zone_list *list)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        return false;
    }
    char row[512];
    bool good = true;
    for (unsigned number = 1; good && fgets(row, sizeof row, f); number++) {
        if (row[0] != '#' && strncmp(row, "bench,", 6) != 0 && !read_zone(row, list)) {
            fprintf(stderr, "%s:%u: not a zone\n", path, number);
            good = false;
        }
    }
    fclose(f);
    return good && list->count > 0;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: tensix_silicon ZONES.csv [TABLE.md]\n");
        return 2;
    }
    zone_list *list = calloc(1, sizeof *list);
    if (!list || !read_zones(argv[1], list)) {
        return 2;
    }
    kerr_chip *chip = chip_new_one_thread();
    for (unsigned active = 1; active <= 3; active++) {
        run(chip, list, true, 'A', active);
        for (const char *phase = "BFT"; active == 1 && *phase; phase++) {
            run(chip, list, true, *phase, active);
        }
        for (const char *phase = "tqs"; *phase; phase++) {
            run(chip, list, false, *phase, active);
        }
    }
    kerr_destroy(chip);
    for (size_t i = 0; i < list->count; i++) {
        judge(&list->z[i]);
        find_knee(list, &list->z[i]);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->z[i].has_knee) {
            judge_knee(list, &list->z[i]);
        }
    }
    unsigned failed = print_tap(list);
    bool written = argc < 3 || append_table(list, argv[2]);
    free(list);
    return failed != 0 || !written;
}
