/* SPDX-License-Identifier: Apache-2.0 */
/* Faults come in the same order, at the same cycles and stop the chip at the same cycle, whatever the threads, windows
 * and slices; a chip that goes on after faults ends in the same state, and of more faults than a tile keeps it keeps the same. */
#include "../support/rvasm.h"
#include "../support/saved.h"
#include "../support/tap.h"
#include "../support/workload.h"

enum { TILES = 30, CYCLES = 9000, KEPT = 256, FULL_TILES = 3, MAX_FAULTS = 4 * KEPT };

typedef struct outcome {
    uint32_t count;
    kerr_fault fault[MAX_FAULTS];
    uint64_t cycle, hash;
    kerr_status status;
} outcome;

typedef struct variant {
    uint32_t threads, window, slice;
    bool saved; /* and restored into another chip, between slices */
} variant;

/* ---- More than a tile keeps ------------------------------------------------------------------------------------- */

#define NOTHING_HERE 0xffb1f000u
#define NIU_TARGET_MID 0xffb20004u

static rvasm *program(unsigned core)
{
    rvasm *a = rva_new(0x10000 + core * 0x8000);
    rva_li(a, T0, CFG0_firmware);
    rva(a, rv_csrw(CSR_cfg0, T0));
    return a;
}
static void delay(rvasm *a, uint32_t times)
{
    rva_li(a, T6, times);
    const uint32_t loop = rva_here(a);
    rva(a, rv_addi(T6, T6, -1));
    rva(a, rv_bne(T6, X0, rva_to(a, loop)));
}
/* The same, 3 cycles a time, in a way that nobody foretells: it is not parked, and runs ahead. */
static void compute(rvasm *a, uint32_t times)
{
    rva_li(a, T4, 1103515245);
    rva_li(a, T5, 12345);
    rva_li(a, T6, times);
    while (rva_here(a) % 16 != 0) { /* what comes behind the loop is in its line, which is not fetched again */
        rva(a, rv_nop());
    }
    const uint32_t loop = rva_here(a);
    rva(a, rv_addi(T6, T6, -1));
    rva(a, rv_mul(T5, T5, T4));
    rva(a, rv_bne(T6, X0, rva_to(a, loop)));
}
static void go(kerr_chip *chip, kerr_xy at, unsigned core, rvasm *a)
{
    chip_start(chip, at, (kerr_core)core, a);
    free(a);
}
/* B stores to nothing, again and again.  The T cores compute alone and then do one wrong thing each: around the cycle in which the
 * list of the tile is full, and long behind it.  NC stores to an NIU now and then. */
static void start_full(kerr_chip *chip)
{
    for (unsigned tile = 0; tile < FULL_TILES; tile++) {
        const kerr_xy at = kerr_tensix_xy(tile);
        rvasm *a = program(KERR_CORE_B);
        rva_li(a, S2, NOTHING_HERE);
        const uint32_t loop = rva_here(a);
        rva(a, rv_sw(X0, 0, S2));
        delay(a, 4);
        rva(a, rv_j(rva_to(a, loop)));
        go(chip, at, KERR_CORE_B, a);
        for (unsigned t = 0; t < 3; t++) {
            a = program(KERR_CORE_T0 + t);
            compute(a, 1200 + 480 * t + 15 * tile);
            rva(a, 0xffffffff);
            go(chip, at, KERR_CORE_T0 + t, a);
        }
        a = program(KERR_CORE_NC);
        rva_li(a, S2, NIU_TARGET_MID);
        const uint32_t again = rva_here(a);
        delay(a, 300 + 50 * tile);
        rva(a, rv_sw(X0, 0, S2));
        rva(a, rv_j(rva_to(a, again)));
        go(chip, at, KERR_CORE_NC, a);
    }
}

/* ---- Playing ---------------------------------------------------------------------------------------------------- */

static kerr_chip *make(const variant *v, kerr_policy policy)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = v->threads;
    config.window_cycles = v->window;
    config.policy[KERR_FAULT_UNDEFINED] = policy;
    return chip_new(&config);
}

static kerr_chip *restored(kerr_chip *chip, const variant *v, kerr_policy policy)
{
    saved_bytes bytes = {0};
    kerr_chip *other = make(v, policy);
    MUST(chip, kerr_save(chip, saved_put, &bytes));
    MUST(other, kerr_restore(other, saved_get, &bytes));
    free(bytes.data);
    kerr_destroy(chip);
    return other;
}

static void run(const variant *v, kerr_policy policy, bool full, outcome *o)
{
    kerr_chip *chip = make(v, policy);
    if (full) {
        start_full(chip);
    } else {
        workload_start_faults(chip, TILES, 1234);
        workload_start(chip, TILES, WORK_RANDOM, 1);
    }
    memset(o, 0, sizeof *o);
    /* A call that comes to its end before the chip has stopped says KERR_FAULTED as well: go on while time passes. */
    for (uint64_t before = UINT64_MAX; chip_cycle(chip) != before && chip_cycle(chip) < CYCLES;) {
        uint64_t left = CYCLES - chip_cycle(chip);
        before = chip_cycle(chip);
        o->status = kerr_run(chip, v->slice && v->slice < left ? v->slice : left);
        if (v->saved) {
            chip = restored(chip, v, policy);
        }
    }
    o->cycle = chip_cycle(chip);
    o->hash = chip_hash(chip);
    MUST(chip, kerr_fault_count(chip, &o->count));
    for (uint32_t i = 0; i < o->count && i < MAX_FAULTS; i++) {
        MUST(chip, kerr_fault_get(chip, i, &o->fault[i]));
    }
    kerr_destroy(chip);
}

static bool same_fault(const kerr_fault *a, const kerr_fault *b)
{
    return a->kind == b->kind && a->tile.x == b->tile.x && a->tile.y == b->tile.y && a->core == b->core &&
           a->pc == b->pc && a->instruction == b->instruction && a->address == b->address && a->cycle == b->cycle &&
           a->stopping == b->stopping && strcmp(a->text, b->text) == 0;
}

static bool same(const outcome *a, const outcome *b)
{
    bool good = a->count == b->count && a->cycle == b->cycle && a->hash == b->hash && a->status == b->status;
    for (uint32_t i = 0; i < a->count && i < MAX_FAULTS && good; i++) {
        good = same_fault(&a->fault[i], &b->fault[i]);
    }
    if (!good) {
        printf("# %u faults, cycle %" PRIu64 ", hash %" PRIx64 ", status %d; want %u, %" PRIu64 ", %" PRIx64 ", %d\n",
               b->count, b->cycle, b->hash, (int)b->status, a->count, a->cycle, a->hash, (int)a->status);
    }
    return good;
}

/* Each tile has as many as it keeps, of B and of T0, whose only one comes before the list is full, and not of T2. */
static bool are_the_first(const outcome *o)
{
    uint32_t of_core[KERR_CORE_COUNT] = {0};
    for (uint32_t i = 0; i < o->count && i < MAX_FAULTS; i++) {
        if (o->fault[i].core >= 0) {
            of_core[o->fault[i].core]++;
        }
    }
    return o->count == FULL_TILES * KEPT && of_core[KERR_CORE_B] > FULL_TILES * (KEPT - 4) &&
           of_core[KERR_CORE_T0] == FULL_TILES && of_core[KERR_CORE_T2] == 0;
}

int main(void)
{
    static outcome want, got;
    static const variant plain = {1, 0, 0, false};
    tap t = {0};
    static const variant variants[] = {{2, 0, 0, false},  {8, 0, 0, false}, {1, 1, 0, false}, {1, 7, 0, false},
                                       {2, 43, 0, false}, {1, 0, 1, false}, {2, 0, 37, false}};
    static const variant full_variants[] = {{2, 0, 0, false},  {1, 1, 0, false},  {1, 7, 0, false},   {2, 43, 0, false},
                                            {1, 0, 17, false}, {2, 0, 997, true}, {1, 43, 1009, true}};
    for (int p = 0; p < 2; p++) {
        kerr_policy policy = p ? KERR_POLICY_GO_ON : KERR_POLICY_STOP;
        run(&plain, policy, false, &want);
        tap_ok(&t, want.count > 0 && (p || want.status == KERR_FAULTED), "%s: there are faults (%u)",
               p ? "go on" : "stop", want.count);
        bool ordered = true;
        for (uint32_t i = 1; i < want.count && i < MAX_FAULTS; i++) {
            ordered &= want.fault[i - 1].cycle <= want.fault[i].cycle;
        }
        tap_ok(&t, ordered, "%s: they are in order of cycle", p ? "go on" : "stop");
        for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
            run(&variants[i], policy, false, &got);
            tap_ok(&t, same(&want, &got), "%s: the same with %u threads, window %u, slices of %u", p ? "go on" : "stop",
                   variants[i].threads, variants[i].window, variants[i].slice);
        }
    }
    run(&plain, KERR_POLICY_GO_ON, true, &want);
    tap_ok(&t, are_the_first(&want), "more than are kept: the first ones are");
    for (size_t i = 0; i < sizeof full_variants / sizeof *full_variants; i++) {
        const variant *v = &full_variants[i];
        run(v, KERR_POLICY_GO_ON, true, &got);
        tap_ok(&t, same(&want, &got), "more than are kept: the same with %u threads, window %u, slices of %u%s",
               v->threads, v->window, v->slice, v->saved ? ", saved and restored" : "");
    }
    return tap_end(&t);
}
