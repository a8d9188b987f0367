/* SPDX-License-Identifier: Apache-2.0 */
/* The L0 data cache: four lines of 16 bytes, not coherent (manual BabyRISCV/README "L0 Data Cache", MemoryOrdering).
 *
 * T0 loads words and then waits in a mailbox, which touches no cache; B changes them and sends; T0 looks again. */
#include "../../support/unit.h"

enum { PROGRAM = 0x1000, STEP = 0x1000, DATA = 0x8000, LONG = 30000, OLD = 11, NEW = 22 };
#define MAILBOX(i) (0xffec0000u + (i)*0x1000u)

static const kerr_xy at = {1, 2};
/* No flush by chance, so that a stale line stays. */
static const uint32_t steady = CFG0_reset | CFG0_DisLowCachePeriodicFlush;

static int set_up(void **state)
{
    *state = chip_new_one_thread();
    return 0;
}
static int tear_down(void **state)
{
    kerr_destroy(*state);
    return 0;
}

static rvasm *reader_begins(kerr_chip *chip, uint32_t cfg0)
{
    rvasm *a = rva_new(PROGRAM);
    for (uint32_t i = 0; i < 64; i++) {
        chip_set_word(chip, at, DATA + i * 4, OLD);
    }
    rva_li(a, T0, cfg0);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, S0, DATA);
    rva_li(a, S1, MAILBOX(0));
    return a;
}
/* Waits until B has written; tells B first that it may. */
static void hand_over(rvasm *a)
{
    rva(a, rv_sw(X0, 0, S1));
    rva(a, rv_lw(T0, 0, S1));
    rva(a, rv_add(T0, T0, X0));
}
static void run_both(kerr_chip *chip, rvasm *a)
{
    rva_end(a);
    chip_start(chip, at, KERR_CORE_T0, a);
    free(a);
    rvasm *b = rva_new(PROGRAM + STEP);
    rva_li(b, S1, MAILBOX(1));
    rva_li(b, S0, DATA);
    rva(b, rv_lw(T0, 0, S1));
    rva(b, rv_add(T0, T0, X0));
    rva(b, rv_addi(T1, X0, NEW));
    for (int32_t i = 0; i < 64; i++) {
        rva(b, rv_sw(T1, i * 4, S0));
    }
    rva(b, rv_fence());
    rva(b, rv_lw(T2, 63 * 4, S0));
    rva(b, rv_add(T2, T2, X0));
    rva(b, rv_sw(X0, 0, S1));
    rva_end(b);
    chip_start(chip, at, KERR_CORE_B, b);
    free(b);
    assert_ok(kerr_run(chip, LONG));
}
static void expect(kerr_chip *chip, unsigned reg, uint32_t value)
{
    assert_int_equal(chip_x(chip, at, KERR_CORE_T0, reg), value);
}

static void a_cached_word_stays_old_until_a_fence(void **state)
{
    rvasm *a = reader_begins(*state, steady);
    rva(a, rv_lw(A0, 0, S0));
    hand_over(a);
    rva(a, rv_lw(A1, 0, S0));
    rva(a, rv_lw(A2, 0, S0));
    rva(a, rv_fence());
    rva(a, rv_lw(A3, 0, S0));
    run_both(*state, a);
    expect(*state, A0, OLD);
    expect(*state, A1, OLD);
    expect(*state, A2, OLD);
    expect(*state, A3, NEW);
}
static void a_load_brings_the_whole_line(void **state)
{
    rvasm *a = reader_begins(*state, steady);
    rva(a, rv_lbu(A0, 5, S0));
    hand_over(a);
    rva(a, rv_lw(A1, 0, S0));
    rva(a, rv_lw(A2, 12, S0));
    rva(a, rv_lw(A3, 16, S0)); /* the next line was not there */
    run_both(*state, a);
    expect(*state, A1, OLD);
    expect(*state, A2, OLD);
    expect(*state, A3, NEW);
}
static void a_word_never_loaded_is_new(void **state)
{
    rvasm *a = reader_begins(*state, steady);
    hand_over(a);
    rva(a, rv_lw(A0, 0, S0));
    run_both(*state, a);
    expect(*state, A0, NEW);
}
static void four_lines_fit(void **state)
{
    rvasm *a = reader_begins(*state, steady);
    for (int32_t i = 0; i < 4; i++) {
        rva(a, rv_lw(A0, i * 16, S0));
    }
    hand_over(a);
    for (int32_t i = 0; i < 4; i++) {
        rva(a, rv_lw(A1 + (unsigned)i, i * 16, S0));
    }
    run_both(*state, a);
    for (unsigned i = 0; i < 4; i++) {
        expect(*state, A1 + i, OLD);
    }
}
static void eight_lines_do_not_fit(void **state)
{
    rvasm *a = reader_begins(*state, steady);
    for (int32_t i = 0; i < 9; i++) {
        rva(a, rv_lw(A0, i * 16, S0));
    }
    hand_over(a);
    rva(a, rv_lw(A1, 0, S0));
    run_both(*state, a);
    expect(*state, A1, NEW);
}
static void an_atomic_flushes_all_lines(void **state)
{
    rvasm *a = reader_begins(*state, steady);
    rva(a, rv_lw(A0, 0, S0));
    rva(a, rv_lw(A0, 16, S0));
    hand_over(a);
    rva(a, rv_addi(T1, S0, 0x200));
    rva(a, rv_amoadd_w(X0, X0, T1));
    rva(a, rv_lw(A1, 0, S0));
    rva(a, rv_lw(A2, 16, S0));
    run_both(*state, a);
    expect(*state, A1, NEW);
    expect(*state, A2, NEW);
}
static void an_own_store_drops_its_line_only(void **state)
{
    rvasm *a = reader_begins(*state, steady);
    rva(a, rv_lw(A0, 0, S0));
    rva(a, rv_lw(A0, 16, S0));
    hand_over(a);
    rva(a, rv_addi(T1, X0, 33));
    rva(a, rv_sw(T1, 4, S0));
    rva(a, rv_lw(A1, 4, S0)); /* its own store */
    rva(a, rv_lw(A2, 0, S0)); /* the rest of that line, fetched again */
    rva(a, rv_lw(A3, 16, S0));
    run_both(*state, a);
    expect(*state, A1, 33);
    expect(*state, A2, NEW);
    expect(*state, A3, OLD);
}
static void with_the_cache_off_the_word_is_new(void **state)
{
    rvasm *a = reader_begins(*state, steady | CFG0_DisLowCash);
    rva(a, rv_lw(A0, 0, S0));
    hand_over(a);
    rva(a, rv_lw(A1, 0, S0));
    run_both(*state, a);
    expect(*state, A0, OLD);
    expect(*state, A1, NEW);
}

/* T0 polls the word while B changes it after a while. */
static bool poller_ends(kerr_chip *chip, uint32_t cfg0, bool fence, uint64_t cycles)
{
    assert_ok(kerr_reset(chip));
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, T0, cfg0);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, S0, DATA);
    uint32_t poll = rva_here(a);
    if (fence) {
        rva(a, rv_fence());
    }
    rva(a, rv_lw(T0, 0, S0));
    rva(a, rv_beq(T0, X0, rva_to(a, poll)));
    rva(a, rv_addi(A0, X0, 1));
    rva_end(a);
    chip_start(chip, at, KERR_CORE_T0, a);
    free(a);
    assert_ok(kerr_run(chip, 500));
    chip_set_word(chip, at, DATA, NEW);
    assert_ok(kerr_run(chip, cycles));
    return chip_x(chip, at, KERR_CORE_T0, A0) == 1;
}
static void a_poll_loop_without_fence_never_ends_without_the_periodic_flush(void **state)
{
    assert_false(poller_ends(*state, steady, false, 1000000));
}
static void a_poll_loop_without_fence_ends_by_the_periodic_flush(void **state)
{
    assert_true(poller_ends(*state, CFG0_reset, false, 100000));
}
static void a_poll_loop_with_fence_ends_at_once(void **state)
{
    assert_true(poller_ends(*state, steady, true, 60));
}
static void a_poll_loop_with_the_cache_off_ends_at_once(void **state)
{
    assert_true(poller_ends(*state, CFG0_firmware, false, 60));
}

/* About 0.8 % of the requests through the cache flush it: 1000 waits of 1 / 0.008 = 125 requests on average. */
static void the_periodic_flush_comes_in_about_one_of_125_requests(void **state)
{
    kerr_chip *chip = *state;
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, T0, CFG0_reset);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, S0, DATA);
    uint32_t loop = rva_here(a);
    /* The first load after a flush takes long; count loads between two of them by mcycle. */
    rva(a, rv_csrr(T0, CSR_mcycle));
    rva(a, rv_lw(T1, 0, S0));
    rva(a, rv_add(T1, T1, X0));
    rva(a, rv_csrr(T2, CSR_mcycle));
    rva(a, rv_sub(T2, T2, T0));
    rva(a, rv_sltiu(T2, T2, 8));
    rva(a, rv_xori(T2, T2, 1));
    rva(a, rv_add(A1, A1, T2)); /* misses */
    rva(a, rv_addi(A0, A0, 1)); /* loads */
    rva(a, rv_j(rva_to(a, loop)));
    chip_start(chip, at, KERR_CORE_T0, a);
    free(a);
    assert_ok(kerr_run(chip, 2000000));
    double loads = chip_x(chip, at, KERR_CORE_T0, A0), misses = chip_x(chip, at, KERR_CORE_T0, A1);
    assert_true(loads > 50000);
    double rate = misses / loads;
    if (!(rate > 0.006 && rate < 0.010)) {
        fail_msg("%g misses in %g loads: %g", misses, loads, rate);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_cached_word_stays_old_until_a_fence),
        TEST(a_load_brings_the_whole_line),
        TEST(a_word_never_loaded_is_new),
        TEST(four_lines_fit),
        TEST(eight_lines_do_not_fit),
        TEST(an_atomic_flushes_all_lines),
        TEST(an_own_store_drops_its_line_only),
        TEST(with_the_cache_off_the_word_is_new),
        TEST(a_poll_loop_without_fence_never_ends_without_the_periodic_flush),
        TEST(a_poll_loop_without_fence_ends_by_the_periodic_flush),
        TEST(a_poll_loop_with_fence_ends_at_once),
        TEST(a_poll_loop_with_the_cache_off_ends_at_once),
        TEST(the_periodic_flush_comes_in_about_one_of_125_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
