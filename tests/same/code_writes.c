/* SPDX-License-Identifier: Apache-2.0 */
/* Cores whose code no instruction cache can hold, while others write into it and empty caches.  The same state at every look whatever
 * the length of windows and the number of threads.  Even seeds have more that may have to wait in the very line that goes: full store queues, accesses in order, pushes, vectors.
 *
 *   code_writes [seeds [first]] */
#include "../support/tap.h"
#include "../support/ttasm.h"
#include "../support/workload.h"

enum { CODE = 0x8000, CODE_BYTES = 0x4000, STEPS = 1500, DATA = 0x2000, LOOKS = 16, SHORT_WINDOW = 43, TILES = 3 };
#define IC_INVALIDATE (UINT32_C(0xFFEF0000) + 185 * 4)

static uint32_t code_of(unsigned core)
{
    return CODE + core * CODE_BYTES;
}

static uint32_t soft_word(test_random *r)
{
    return rv_addi(A0, A0, (int32_t)test_below(r, 4096) - 2048);
}

static bool is_t(unsigned core)
{
    return core >= KERR_CORE_T0 && core <= KERR_CORE_T2;
}

/* What often cannot go through at once: up to eight words. */
static void hold_up(rvasm *a, test_random *r, unsigned core)
{
    const uint32_t kind = test_below(r, 6), count = 1 + test_below(r, 8);
    if (kind <= 1) { /* more lines than the queue has places */
        for (uint32_t i = 0; i < count; i++) {
            rva(a, rv_sw(A0, 16 * (int32_t)test_below(r, 16), S0));
        }
    } else if (kind == 2 && is_t(core)) { /* three cycles each */
        for (uint32_t i = 0; i < count; i++) {
            rva(a, tt_ttinsn(tt_alu(TT_ADDDMAREG, 1, 0, 2, 1, 2)));
        }
    } else if (kind == 3) { /* loads and stores in order, or no longer */
        rva_li(a, T1, test_below(r, 2));
        rva(a, rv_csrrw(X0, CSR_pmacfg0, T1));
    } else if (kind == 4 && core == KERR_CORE_T2) {
        rva(a, 0x010072d7);                       /* vsetvli t0, x0, e32, m1 */
        rva(a, 0x02006427u | (uint32_t)S0 << 15); /* vse32.v v8, (s0) */
    } else {                                      /* behind stores of its own */
        rva(a, rv_sw(A0, 4 * (int32_t)test_below(r, 64), S0));
        rva(a, rv_amoadd_w(T2, A0, S0));
    }
}

/* Something that others see, or that changes their code, at one of the places that may be written over. */
static void disturb(rvasm *a, test_random *r, unsigned core, const uint32_t *soft, uint32_t softs)
{
    switch (test_below(r, 16) + (core == KERR_CORE_NC)) { /* which has no way to configuration */
    case 0:
        rva_li(a, T0, IC_INVALIDATE);
        rva_li(a, T1, 1 + test_below(r, 31));
        rva(a, rv_sw(T1, 0, T0));
        break;
    case 1:
    case 2:
    case 3:
    case 4:
        rva_li(a, T0, soft[test_below(r, softs)]);
        rva_li(a, T1, soft_word(r));
        rva(a, rv_sw(T1, 0, T0));
        break;
    case 5: rva(a, rv_amoadd_w(T2, A0, S0)); break;
    case 6:
    case 7: rva(a, rv_sw(A0, 4 * (int32_t)test_below(r, 64), S0)); break;
    case 8: rva(a, rv_fence()); break;
    default:
        rva(a, rv_lw(T2, 4 * (int32_t)test_below(r, 64), S0));
        rva(a, rv_xor(A0, A0, T2));
        break;
    }
}

/* Straight-line code of up to 16 KB with forward branches, over and over.  soft: places of all cores that may be written over.  The same
 * calls with the same seed give the same code: the first pass finds these places. */
static rvasm *walker(unsigned core, uint64_t seed, bool more, uint32_t *soft, uint32_t *softs, bool finds)
{
    test_random r = {.state = seed * 8 + core}, plan = {.state = seed * 8 + core + 5};
    rvasm *a = rva_new(code_of(core));
    const uint32_t steps = 20 + test_below(&r, STEPS), quiet = 2 + test_below(&r, 40);
    rva_li(a, S0, DATA);
    const uint32_t again = rva_here(a);
    for (uint32_t i = 0; i < steps && a->count < CODE_BYTES / 4 - 64; i++) {
        if (test_below(&plan, quiet) != 0) {
            if (finds) {
                soft[(*softs)++] = rva_here(a);
            }
            rva(a, soft_word(&plan));
        } else if (finds) {
            for (unsigned n = 0; n < 8; n++) { /* room for what is not known yet */
                rva(a, rv_nop());
            }
        } else {
            const size_t begin = a->count;
            if (more && test_below(&r, 3) == 0) {
                hold_up(a, &r, core);
            } else {
                disturb(a, &r, core, soft, *softs);
            }
            while (a->count < begin + 8) {
                rva(a, rv_nop());
            }
        }
        if (i % 64 == 63) { /* over eight instructions, if A0 is even */
            rva(a, rv_andi(T3, A0, 1));
            const size_t skip = rva_later(a, rv_beq(T3, X0, 0));
            for (unsigned n = 0; n < 8; n++) {
                rva(a, rv_addi(A0, A0, 3));
            }
            rva_land(a, skip);
        }
    }
    rva(a, rv_j(rva_to(a, again)));
    return a;
}

static void start(kerr_chip *chip, uint32_t tile, uint64_t seed, bool more)
{
    static uint32_t soft[KERR_CORE_COUNT * (CODE_BYTES / 4)];
    uint32_t softs = 0;
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        free(walker(core, seed, more, soft, &softs, true));
    }
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        rvasm *a = walker(core, seed, more, soft, &softs, false);
        chip_start(chip, kerr_tensix_xy(tile), (kerr_core)core, a);
        free(a);
    }
}

static void run(uint64_t seed, uint32_t threads, uint32_t window, uint64_t hash[LOOKS])
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = threads;
    config.window_cycles = window;
    kerr_chip *chip = chip_new(&config);
    test_random r = {.state = seed};
    for (uint32_t i = 0; i < TILES; i++) {
        start(chip, i, seed * TILES + i, seed % 2 == 0);
    }
    for (unsigned look = 0; look < LOOKS; look++) {
        MUST(chip, kerr_run(chip, 200 + test_below(&r, 3000)));
        hash[look] = chip_hash(chip);
    }
    kerr_destroy(chip);
}

int main(int argc, char **argv)
{
    tap t = {0};
    const uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 6, first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    uint64_t want[LOOKS], got[LOOKS];
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        run(seed, 1, SHORT_WINDOW, want);
        for (uint32_t threads = 1; threads <= 2; threads++) {
            run(seed, threads, 0, got);
            tap_ok(&t, memcmp(want, got, sizeof want) == 0, "seed %" PRIu64 ", %" PRIu32 " threads: the same", seed,
                   threads);
        }
        const uint32_t window = 1 + (uint32_t)(seed % (SHORT_WINDOW - 1));
        run(seed, 1, window, got);
        tap_ok(&t, memcmp(want, got, sizeof want) == 0, "seed %" PRIu64 ", windows of %" PRIu32 ": the same", seed,
               window);
    }
    return tap_end(&t);
}
