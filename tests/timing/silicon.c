/* SPDX-License-Identifier: Apache-2.0 */
/* The silicon zones: small loops whose cycles were read off a card, run on Kerr and compared.
 *
 *   silicon ZONES.csv [TABLE.md]     TAP on stdout; writes the table if asked to; fails if a judged zone is out of bounds
 *
 * riscvbench zones.  A program per T core runs the zones of its phase one after the other; a zone is a loop over a body
 * of `unroll` equal pieces, timed by two reads of the wall clock for n = 32, 64, 96 and 128 iterations, with a barrier
 * through words in L1 before each.  The figure is the least-squares slope over n, cycles per iteration, computed in the
 * same way for the card and for us.  A point under 100 cycles on the card is left out of the slope (its resolution is
 * the harness); a zone with fewer than two points left, or a total under 100, is shown, not judged.
 * retirebench zones.  RISCV B runs loops between reads of mcycle and minstret; the loops have as many instructions as
 * the card retired, and the figure is the total of cycles.
 *
 * All cores run in the state tt-metal's firmware leaves: cfg0 = 0x60008, that is L0 data cache and .ttinsn fusion off. */
#include "../support/chip.h"

#include <math.h>

enum {
    POINTS = 4,
    MAX_ZONES = 256,
    MIN_CYCLES = 100,
    CODE = 0x10000, /* + core * CODE_STEP */
    CODE_STEP = 0x20000,
    BARRIER = 0x8000,        /* a word per T core */
    DONE = 0x8100,           /* a word per T core */
    RESULTS = 0x9000,        /* + core * 0x400 */
    SCRATCH = 0xc000,        /* + core * 0x800 */
    STACK = (int)0xffb00f00, /* local RAM */
    WALL_CLOCK = (int)0xffb121f0,
    CHAIN_NODES = 64,
    CHAIN_STRIDE = 16
};

typedef struct zone {
    bool is_total; /* retirebench */
    char phase, name[32];
    unsigned active;
    kerr_core core;
    uint32_t unroll, reps, retired;
    uint32_t n[POINTS], card[POINTS], ours[POINTS];
    uint32_t our_retired;
    double card_figure, our_figure, error;
    unsigned points_used;
    bool judged, good;
    double bound;
} zone;

typedef struct zone_list {
    size_t count;
    zone z[MAX_ZONES];
} zone_list;

/* ---- The bodies ---------------------------------------------------------------------------- */

/* Registers of all programs. */
enum {
    R_A = A0, /* four accumulators A0..A3 */
    R_THREE = A4,
    R_DIVIDEND = A5,
    R_TOGGLE = A6,
    R_SINK = A7,
    R_CHASE = S2,
    R_STACK = S3,
    R_SCRATCH = S4,
    R_CLOCK = S5,
    R_BARRIER = S6,
    R_SEQUENCE = S7,
    R_OUT = S8,
    R_N = S9,
    R_COUNTER = S10,
    R_START = S11,
    R_SMALL = SP
};

/* One of `unroll` pieces, the i-th.  A piece is what the zone's name says. */
static void piece(rvasm *a, const char *zone_name, uint32_t i)
{
    const struct {
        const char *name;
        uint32_t word[2];
    } bodies[] = {
        {"rv_addi_indep", {rv_addi(R_A + i % 4, R_A + i % 4, 1)}},
        {"rv_addi_dep", {rv_addi(R_A, R_A, 1)}},
        {"rv_mul_indep", {rv_mul(R_A + i % 4, R_A + i % 4, R_THREE)}},
        {"rv_mul_dep", {rv_mul(R_A, R_A, R_THREE)}},
        {"rv_div", {rv_divu(R_SINK, R_DIVIDEND, R_THREE)}},
        {"rv_load_chase", {rv_lw(R_CHASE, 0, R_CHASE)}},
        {"rv_load_indep", {rv_lw(R_A + i % 4, (int32_t)(i % 4 * 16), R_SCRATCH)}},
        {"rv_store_spread", {rv_sw(R_A, (int32_t)(i % 4 * 16), R_SCRATCH)}},
        {"rv_store_coalesce", {rv_sw(R_A, (int32_t)(i % 2 * 4), R_SCRATCH)}},
        {"rv_load_stack", {rv_lw(R_STACK, 0, R_STACK)}},
        {"rv_store_stack", {rv_sw(R_A, 0, R_STACK)}},
        {"c_ctrl_xor", {rv_xori(R_TOGGLE, R_TOGGLE, 1)}},
        {"c_nt", {rv_bne(R_A, R_A, 4)}},
        {"c_t", {rv_beq(R_A, R_A, 4)}},
        {"c_xor_nt", {rv_xori(R_TOGGLE, R_TOGGLE, 1), rv_bne(R_A, R_A, 4)}},
        {"c_xor_t", {rv_xori(R_TOGGLE, R_TOGGLE, 1), rv_beq(R_A, R_A, 4)}},
        {"c_xor_alt", {rv_xori(R_TOGGLE, R_TOGGLE, 1), rv_beq(R_TOGGLE, X0, 4)}},
        {"c_jal", {rv_j(4)}},
        {"f_*", {rv_addi(R_A, R_A, 1)}},
        {"g_*", {rv_addi(R_A, R_A, 1)}},
        {"alu_dep", {rv_addi(R_A, R_A, 1)}},
        {"alu_ind", {rv_addi(R_A + i % 4, R_A + i % 4, 1)}},
        {"mul_dep", {rv_mul(R_A, R_A, R_THREE)}},
        {"mul_ind", {rv_mul(R_A + i % 4, R_A + i % 4, R_THREE)}},
        {"div_small", {rv_divu(R_SINK, R_SMALL, R_THREE)}},
        {"div_large", {rv_divu(R_SINK, R_DIVIDEND, R_THREE)}},
        {"load_dep", {rv_lw(R_CHASE, 0, R_CHASE)}},
        {"load_ind", {rv_lw(R_A + i % 4, (int32_t)(i % 8 * 16), R_SCRATCH)}},
        {"store_spread", {rv_sw(R_A, (int32_t)(i % 4 * 16), R_SCRATCH)}},
        {"branch_nt", {rv_xori(R_TOGGLE, R_TOGGLE, 1), rv_bne(R_A, R_A, 4)}},
        {"branch_t", {rv_xori(R_TOGGLE, R_TOGGLE, 1), rv_beq(R_A, R_A, 4)}},
    };
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        const char *star = strchr(bodies[b].name, '*');
        if (star ? strncmp(zone_name, bodies[b].name, (size_t)(star - bodies[b].name)) == 0
                 : strcmp(zone_name, bodies[b].name) == 0) {
            rva(a, bodies[b].word[0]);
            if (bodies[b].word[1]) {
                rva(a, bodies[b].word[1]);
            }
            return;
        }
    }
    fprintf(stderr, "no program for zone %s\n", zone_name);
    exit(2);
}

/* The loop's end.  A conditional branch reaches 4 KiB; a compiler jumps back over a longer body. */
static void close_loop(rvasm *a, uint32_t loop)
{
    rva(a, rv_addi(R_COUNTER, R_COUNTER, 1));
    if (rva_to(a, loop) >= -4096) {
        rva(a, rv_bne(R_COUNTER, R_N, rva_to(a, loop)));
    } else {
        rva(a, rv_beq(R_COUNTER, R_N, 8));
        rva(a, rv_j(rva_to(a, loop)));
    }
}

static void set_up(rvasm *a, kerr_core core)
{
    rva_li(a, T0, CFG0_firmware);
    rva(a, rv_csrw(CSR_cfg0, T0));
    for (uint32_t i = 0; i < 4; i++) {
        rva_li(a, R_A + i, i + 1);
    }
    rva_li(a, R_THREE, 3);
    rva_li(a, R_DIVIDEND, 0x12345678);
    rva_li(a, R_SMALL, 0xfff);
    rva_li(a, R_TOGGLE, 0);
    uint32_t scratch = SCRATCH + (uint32_t)core * 0x800;
    rva_li(a, R_SCRATCH, scratch);
    rva_li(a, R_CHASE, scratch);
    rva_li(a, R_CLOCK, (uint32_t)WALL_CLOCK);
    rva_li(a, R_BARRIER, BARRIER);
    rva_li(a, R_SEQUENCE, 0);
    rva_li(a, R_OUT, RESULTS + (uint32_t)core * 0x400);
    /* Two words of the stack that point at each other. */
    rva_li(a, R_STACK, (uint32_t)STACK);
    rva(a, rv_addi(T0, R_STACK, 4));
    rva(a, rv_sw(T0, 0, R_STACK));
    rva(a, rv_sw(R_STACK, 4, R_STACK));
}

static void make_chain(kerr_chip *chip, kerr_xy at, kerr_core core)
{
    uint32_t scratch = SCRATCH + (uint32_t)core * 0x800;
    for (uint32_t i = 0; i < CHAIN_NODES; i++) {
        chip_set_word(chip, at, scratch + i * CHAIN_STRIDE, scratch + (i + 1) % CHAIN_NODES * CHAIN_STRIDE);
    }
}

static void finish(rvasm *a, kerr_core core)
{
    rva(a, rv_fence());
    rva_li(a, T0, 1);
    rva_li(a, T1, DONE + 4 * (uint32_t)core);
    rva(a, rv_sw(T0, 0, T1));
    rva_end(a);
}

/* ---- riscvbench ---------------------------------------------------------------------------- */

/* active: 1 is T1 alone, 2 is T0 and T1, 3 is all, as on the card. */
static bool takes_part(unsigned active, unsigned thread)
{
    return active == 1 ? thread == 1 : thread < active;
}

/* Each core raises its own word, then waits for those of the others. */
static void barrier(rvasm *a, unsigned active, unsigned thread)
{
    rva(a, rv_addi(R_SEQUENCE, R_SEQUENCE, 1));
    rva(a, rv_sw(R_SEQUENCE, (int32_t)thread * 4, R_BARRIER));
    for (unsigned t = 0; t < 3; t++) {
        if (takes_part(active, t)) {
            uint32_t again = rva_here(a);
            rva(a, rv_lw(T0, (int32_t)t * 4, R_BARRIER));
            rva(a, rv_bltu(T0, R_SEQUENCE, rva_to(a, again)));
        }
    }
}

static rvasm *slope_program(const zone_list *list, char phase, unsigned active, kerr_core core)
{
    unsigned thread = (unsigned)core - KERR_CORE_T0;
    rvasm *a = rva_new(CODE + (uint32_t)core * CODE_STEP);
    set_up(a, core);
    for (size_t i = 0; i < list->count; i++) {
        const zone *z = &list->z[i];
        if (z->is_total || z->phase != phase || z->active != active || z->core != core) {
            continue;
        }
        rva_li(a, R_N, z->n[0]);
        uint32_t next_point = rva_here(a);
        barrier(a, active, thread);
        rva(a, rv_lw(R_START, 0, R_CLOCK));
        rva(a, rv_addi(R_COUNTER, X0, 0));
        uint32_t loop = rva_here(a);
        if (strcmp(z->name, "loop_overhead") != 0) {
            for (uint32_t k = 0; k < z->unroll; k++) {
                piece(a, z->name, k);
            }
        }
        close_loop(a, loop);
        rva(a, rv_lw(T0, 0, R_CLOCK));
        rva(a, rv_sub(T0, T0, R_START));
        rva(a, rv_sw(T0, 0, R_OUT));
        rva(a, rv_addi(R_OUT, R_OUT, 4));
        rva(a, rv_addi(R_N, R_N, (int32_t)z->n[0]));
        rva_li(a, T0, z->n[0] * (POINTS + 1));
        rva(a, rv_beq(R_N, T0, 8));
        rva(a, rv_j(rva_to(a, next_point)));
    }
    finish(a, core);
    return a;
}

static void run_slopes(kerr_chip *chip, zone_list *list, char phase, unsigned active)
{
    kerr_xy at = kerr_tensix_xy(0);
    MUST(chip, kerr_reset(chip));
    for (unsigned t = 0; t < 3; t++) {
        if (takes_part(active, t)) {
            kerr_core core = (kerr_core)(KERR_CORE_T0 + t);
            rvasm *a = slope_program(list, phase, active, core);
            make_chain(chip, at, core);
            chip_start(chip, at, core, a);
            free(a);
        }
    }
    for (unsigned t = 0; t < 3; t++) {
        if (takes_part(active, t)) {
            chip_run_until_word(chip, at, DONE + 4 * (uint32_t)(KERR_CORE_T0 + t), 1, 100000000);
        }
    }
    uint32_t used[KERR_CORE_COUNT] = {0};
    for (size_t i = 0; i < list->count; i++) {
        zone *z = &list->z[i];
        if (!z->is_total && z->phase == phase && z->active == active) {
            uint32_t from = RESULTS + (uint32_t)z->core * 0x400 + used[z->core];
            MUST(chip, kerr_peek(chip, at, from, z->ours, sizeof z->ours));
            used[z->core] += sizeof z->ours;
        }
    }
}

/* ---- retirebench --------------------------------------------------------------------------- */

/* Instructions of a zone: reps * (body + loop end) + what stands before the loop, as the card counted them. */
static void total_zone(rvasm *a, const zone *z, uint32_t out)
{
    bool pairs = strncmp(z->name, "branch", 6) == 0;
    uint32_t pieces = strncmp(z->name, "div", 3) == 0 ? 16 : 64;
    uint32_t body = pieces * (pairs ? 2 : 1);
    uint32_t per_rep = z->reps ? (z->retired - 1) / z->reps : 0; /* instructions of an iteration */
    uint32_t padding = z->reps ? per_rep - body - 2 : 0;         /* beyond body, addi and bne */
    uint32_t before = z->retired - 1 - per_rep * z->reps;        /* one is the second read of minstret */
    rva(a, rv_csrr(T1, CSR_mcycle));
    rva(a, rv_csrr(T2, CSR_minstret));
    if (z->reps) {
        for (uint32_t i = 2; i < before; i++) {
            rva(a, rv_nop());
        }
        rva(a, rv_addi(R_COUNTER, X0, 0));
        rva(a, rv_addi(R_N, X0, (int32_t)z->reps));
        uint32_t loop = rva_here(a);
        for (uint32_t i = 0; i < pieces; i++) {
            piece(a, z->name, i);
        }
        for (uint32_t i = 0; i < padding; i++) {
            rva(a, rv_nop());
        }
        close_loop(a, loop);
    }
    rva(a, rv_csrr(T3, CSR_minstret));
    rva(a, rv_csrr(T4, CSR_mcycle));
    rva_li(a, T5, out);
    rva(a, rv_sw(T1, 0, T5));
    rva(a, rv_sw(T4, 4, T5));
    rva(a, rv_sw(T2, 8, T5));
    rva(a, rv_sw(T3, 12, T5));
}

static void run_totals(kerr_chip *chip, zone_list *list)
{
    kerr_xy at = kerr_tensix_xy(0);
    MUST(chip, kerr_reset(chip));
    rvasm *a = rva_new(CODE);
    set_up(a, KERR_CORE_B);
    uint32_t out = RESULTS;
    for (size_t i = 0; i < list->count; i++) {
        if (list->z[i].is_total) {
            total_zone(a, &list->z[i], out);
            out += 16;
        }
    }
    finish(a, KERR_CORE_B);
    make_chain(chip, at, KERR_CORE_B);
    chip_start(chip, at, KERR_CORE_B, a);
    chip_run_until_word(chip, at, DONE, 1, 100000000);
    free(a);
    out = RESULTS;
    for (size_t i = 0; i < list->count; i++) {
        if (list->z[i].is_total) {
            uint32_t word[4];
            MUST(chip, kerr_peek(chip, at, out, word, sizeof word));
            list->z[i].ours[0] = word[1] - word[0];
            list->z[i].our_retired = word[3] - word[2];
            out += 16;
        }
    }
}

/* ---- Judging ------------------------------------------------------------------------------- */

static double slope(const zone *z, const uint32_t *cycles, unsigned *used)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (unsigned i = 0; i < POINTS; i++) {
        if (z->card[i] >= MIN_CYCLES) {
            double x = z->n[i], y = cycles[i];
            n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
    }
    *used = (unsigned)n;
    return n < 2 ? 0 : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* What a run costs besides its iterations, for loops that wait for nothing: the three runs that find the loop's branch and
 * code known take exactly the card's cycles.  The card's program has one instruction more, which asks whether n is 0. */
static bool constant_is_right(const zone *z)
{
    static const char *const plain[] = {"rv_addi_indep",  "rv_addi_dep", "rv_mul_indep", "rv_store_coalesce",
                                        "rv_store_stack", "c_ctrl_xor",  "c_nt",         "f_64"};
    bool right = true;
    for (size_t i = 0; i < sizeof plain / sizeof *plain && z->active == 1; i++) {
        for (unsigned k = 1; k < POINTS && strcmp(z->name, plain[i]) == 0; k++) {
            right &= z->ours[k] + 1 == z->card[k];
        }
    }
    return right;
}

static void judge(zone *z)
{
    if (z->is_total) {
        z->card_figure = z->card[0];
        z->our_figure = z->ours[0];
        z->judged = z->card[0] >= MIN_CYCLES;
    } else {
        z->card_figure = slope(z, z->card, &z->points_used);
        z->our_figure = slope(z, z->ours, &z->points_used);
        z->judged = z->points_used >= 2;
    }
    z->error = z->card_figure != 0 ? 100 * (z->our_figure / z->card_figure - 1) : 0;
    z->bound = strstr(z->name, "div") ? 10 : 5;
    z->good = !z->judged || fabs(z->error) <= z->bound;
    if (z->is_total ? z->our_retired != z->retired : !constant_is_right(z)) {
        z->good = false;
    }
}

static void print_tap(const zone_list *list, unsigned *failed)
{
    printf("1..%zu\n", list->count);
    for (size_t i = 0; i < list->count; i++) {
        const zone *z = &list->z[i];
        *failed += !z->good;
        printf("%s %zu - %s on %s%s%u\n", z->good ? "ok" : "not ok", i + 1, z->name, kerr_core_name(z->core),
               z->is_total ? ", iterations " : ", active ", z->is_total ? z->reps : z->active);
        printf("#   card %.2f, kerr %.2f, %+.2f %%%s\n", z->card_figure, z->our_figure, z->error,
               z->judged ? "" : " (not judged)");
        if (!z->good && !z->is_total) {
            printf("#   points: card %u %u %u %u, kerr %u %u %u %u\n", z->card[0], z->card[1], z->card[2], z->card[3],
                   z->ours[0], z->ours[1], z->ours[2], z->ours[3]);
        } else if (!z->good) {
            printf("#   retired: card %u, kerr %u\n", z->retired, z->our_retired);
        }
    }
}

/* ---- The table ----------------------------------------------------------------------------- */

static const char *verdict_text(const zone *z)
{
    return !z->judged ? "shown only" : z->good ? "within bound" : "**out of bound**";
}

static bool write_table(const zone_list *list, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        return false;
    }
    unsigned judged = 0, good = 0;
    const zone *worst = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const zone *z = &list->z[i];
        judged += z->judged;
        good += z->judged && z->good;
        if (z->judged && (!worst || fabs(z->error) / z->bound > fabs(worst->error) / worst->bound)) {
            worst = z;
        }
    }
    fprintf(
        f, "# Timing of the baby cores against silicon\n\n"
           "Made by `make silicon` from tests/timing/silicon_zones.csv; do not edit.  The card's figures were measured "
           "and published by the\nmesham/tt-sim project under BSD-3-Clause (one run on one card).  How a zone is run "
           "and judged: tests/timing/silicon.c.\n\n");
    fprintf(f, "%u zones judged, %u within their bound (5 %%; divides 10 %%).", judged, good);
    if (worst) {
        fprintf(f, "  Farthest from the card: %s on %s, %+.2f %%.", worst->name, kerr_core_name(worst->core),
                worst->error);
    }
    fprintf(f, "\n\n## Loops on the T cores (riscvbench)\n\n"
               "Cycles per iteration: the least-squares slope over n = 32, 64, 96, 128 iterations, loop overhead "
               "included.  `active` is the number\nof T cores that run the zone at once.  Points under 100 cycles are "
               "left out of the slope.\n\n"
               "| phase | zone | active | core | instructions | card | kerr | error | verdict |\n"
               "|---|---|--:|---|--:|--:|--:|--:|---|\n");
    for (size_t i = 0; i < list->count; i++) {
        const zone *z = &list->z[i];
        if (!z->is_total) {
            uint32_t instructions = strcmp(z->name, "loop_overhead") == 0 ? 0
                                    : strncmp(z->name, "c_xor_", 6) == 0  ? 2 * z->unroll
                                                                          : z->unroll;
            fprintf(f, "| %c | %s | %u | %s | %u | %.2f | %.2f | %+.2f %% | %s |\n", z->phase, z->name, z->active,
                    kerr_core_name(z->core), instructions, z->card_figure, z->our_figure, z->error, verdict_text(z));
        }
    }
    fprintf(f,
            "\n## Zones on RISCV B (retirebench)\n\n"
            "Cycles between two reads of mcycle around a loop; the loop retires exactly as many instructions as on the "
            "card.\n\n"
            "| zone | iterations | retired | card | kerr | error | verdict |\n|---|--:|--:|--:|--:|--:|---|\n");
    for (size_t i = 0; i < list->count; i++) {
        const zone *z = &list->z[i];
        if (z->is_total) {
            fprintf(f, "| %s | %u | %u | %.0f | %.0f | %+.2f %% | %s |\n", z->name, z->reps, z->our_retired,
                    z->card_figure, z->our_figure, z->error, verdict_text(z));
        }
    }
    return fclose(f) == 0;
}

/* ---- Reading the card's figures ------------------------------------------------------------ */

static bool read_zones(const char *path, zone_list *list)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        return false;
    }
    char line[512];
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        zone z = {0};
        char core[8];
        bool good = true;
        if (strncmp(line, "riscvbench,", 11) == 0) {
            good = sscanf(line, "riscvbench,%c,%u,%31[^,],%7[^,],%u,%u,%u,%u,%u,%u,%u,%u,%u", &z.phase, &z.active,
                          z.name, core, &z.unroll, &z.n[0], &z.card[0], &z.n[1], &z.card[1], &z.n[2], &z.card[2],
                          &z.n[3], &z.card[3]) == 13;
        } else if (strncmp(line, "retirebench,", 12) == 0) {
            z.is_total = true;
            good =
                sscanf(line, "retirebench,%31[^,],%7[^,],%u,%u,%u", z.name, core, &z.reps, &z.card[0], &z.retired) == 5;
        } else {
            continue;
        }
        if (!good || !kerr_core_by_name(core, &z.core) || list->count == MAX_ZONES) {
            fprintf(stderr, "%s:%u: not a zone\n", path, number);
            fclose(f);
            return false;
        }
        list->z[list->count++] = z;
    }
    fclose(f);
    return list->count > 0;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: silicon ZONES.csv [TABLE.md]\n");
        return 2;
    }
    zone_list *list = calloc(1, sizeof *list);
    if (!list || !read_zones(argv[1], list)) {
        return 2;
    }
    kerr_chip *chip = chip_new_one_thread();
    for (const char *phase = "rcfg"; *phase; phase++) {
        for (unsigned active = 1; active <= 3; active++) {
            run_slopes(chip, list, *phase, active);
        }
    }
    run_totals(chip, list);
    kerr_destroy(chip);
    unsigned failed = 0;
    for (size_t i = 0; i < list->count; i++) {
        judge(&list->z[i]);
    }
    print_tap(list, &failed);
    bool written = argc < 3 || write_table(list, argv[2]);
    free(list);
    return failed != 0 || !written;
}
