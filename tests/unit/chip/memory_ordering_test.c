/* SPDX-License-Identifier: Apache-2.0 */
/* The examples of the manual's MemoryOrdering page, and what its queues let a program see. */
#include "../../support/unit.h"

enum { PROGRAM = 0x1000, STEP = 0x1000, WORD = 0x124, LONG = 20000 };
#define MAILBOX(i) (0xffec0000u + (i)*0x1000u)

static const kerr_xy at = {1, 2};

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
static rvasm *program_of(kerr_core core)
{
    return rva_new(PROGRAM + (uint32_t)core * STEP);
}
static void run(kerr_chip *chip, kerr_core core, rvasm *a)
{
    rva_end(a);
    chip_start(chip, at, core, a);
    free(a);
}

/* "Mailbox read from the future": lw from the B to B mailbox, a chain of `chain` between it and the sw that feeds it. */
static kerr_core_state mailbox_from_the_future(kerr_chip *chip, const uint32_t *chain, size_t count, unsigned address,
                                               uint32_t *t2)
{
    rvasm *a = program_of(KERR_CORE_B);
    rva_li(a, T0, MAILBOX(0));
    rva(a, rv_addi(T1, X0, 123));
    rva(a, rv_lw(T2, 0, T0));
    for (size_t i = 0; i < count; i++) {
        rva(a, chain[i]);
    }
    rva(a, rv_sw(T1, 0, address));
    assert_ok(
        kerr_set_policy(chip, KERR_FAULT_DEADLOCK, KERR_POLICY_GO_ON)); /* to look at the core that waits for itself */
    run(chip, KERR_CORE_B, a);
    assert_ok(kerr_run(chip, LONG));
    kerr_core_info info;
    assert_ok(kerr_core_query(chip, at, KERR_CORE_B, &info));
    uint32_t faults;
    assert_ok(kerr_fault_count(chip, &faults));
    if (info.state == KERR_CORE_WAITING) {
        assert_int_equal(info.wait_address, MAILBOX(0));
        assert_int_not_equal(faults, 0);
    }
    *t2 = chip_x(chip, at, KERR_CORE_B, T2);
    return info.state;
}

static void mailbox_load_before_its_store_gets_the_value(void **state)
{
    uint32_t t2;
    assert_int_not_equal(mailbox_from_the_future(*state, NULL, 0, T0, &t2), KERR_CORE_WAITING);
    assert_int_equal(t2, 123);
}
static void mailbox_load_with_a_forwarded_chain_gets_the_value(void **state)
{
    const uint32_t chain[] = {rv_mv(T3, T0),      rv_ori(T3, T3, 0),  rv_addi(T3, T3, 0),
                              rv_addi(T3, T3, 0), rv_addi(T3, T3, 0), rv_addi(T3, T3, 0)};
    uint32_t t2;
    assert_int_not_equal(mailbox_from_the_future(*state, chain, 6, T3, &t2), KERR_CORE_WAITING);
    assert_int_equal(t2, 123);
}
static void mailbox_load_with_a_nop_in_the_chain_hangs(void **state)
{
    for (size_t nop = 2; nop < 6; nop++) {
        uint32_t chain[] = {rv_mv(T3, T0),      rv_ori(T3, T3, 0),  rv_addi(T3, T3, 0),
                            rv_addi(T3, T3, 0), rv_addi(T3, T3, 0), rv_addi(T3, T3, 0)};
        uint32_t t2;
        chain[nop] = rv_nop();
        assert_ok(kerr_reset(*state));
        assert_int_equal(mailbox_from_the_future(*state, chain, 6, T3, &t2), KERR_CORE_WAITING);
        assert_int_not_equal(t2, 123);
    }
}
static void mailbox_load_with_nops_after_one_mv_gets_the_value(void **state)
{
    const uint32_t chain[] = {rv_mv(T3, T0), rv_nop(), rv_nop(), rv_nop(), rv_nop(), rv_nop()};
    uint32_t t2;
    assert_int_not_equal(mailbox_from_the_future(*state, chain, 6, T3, &t2), KERR_CORE_WAITING);
    assert_int_equal(t2, 123);
}
/* The retire-order queue has eight entries: the load and seven more. */
static void eight_instructions_behind_a_waiting_load_do_not_fit(void **state)
{
    uint32_t chain[8], t2;
    for (size_t i = 0; i < 8; i++) {
        chain[i] = rv_nop();
    }
    assert_int_not_equal(mailbox_from_the_future(*state, chain, 6, T0, &t2), KERR_CORE_WAITING);
    assert_int_equal(t2, 123);
    assert_ok(kerr_reset(*state));
    assert_int_equal(mailbox_from_the_future(*state, chain, 7, T0, &t2), KERR_CORE_WAITING);
}
static void fence_waits_for_the_load_and_so_hangs(void **state)
{
    const uint32_t chain[] = {rv_fence()};
    uint32_t t2;
    assert_int_equal(mailbox_from_the_future(*state, chain, 1, T0, &t2), KERR_CORE_WAITING);
}

/* "Cross-core signalling using mailboxes", the version that works, with the L0 cache on and a stale line in it. */
static void cross_core_signalling_with_read_back_and_fence(void **state)
{
    for (uint32_t delay = 0; delay < 60; delay++) {
        kerr_chip *chip = *state;
        assert_ok(kerr_reset(chip));
        rvasm *b = program_of(KERR_CORE_B);
        rva_li(b, T0, MAILBOX(1));
        rva(b, rv_addi(T1, X0, 123));
        for (uint32_t i = 0; i < delay; i++) {
            rva(b, rv_nop());
        }
        rva(b, rv_sw(T1, WORD, X0));
        rva(b, rv_lw(T4, WORD, X0));
        rva(b, rv_addi(X0, T4, 0));
        rva(b, rv_sw(X0, 0, T0));
        run(chip, KERR_CORE_B, b);
        rvasm *t = program_of(KERR_CORE_T0);
        rva_li(t, T2, MAILBOX(0));
        rva(t, rv_lw(T5, WORD, X0)); /* the old value, into the L0 cache */
        rva(t, rv_lw(X0, 0, T2));
        rva(t, rv_fence());
        rva(t, rv_lw(T3, WORD, X0));
        run(chip, KERR_CORE_T0, t);
        assert_ok(kerr_run(chip, 1000));
        assert_int_equal(chip_x(chip, at, KERR_CORE_T0, T3), 123);
    }
}

/* "Aliasing of underlying storage": Tensix GPRs are there several times; with a fence the later store is seen. */
static void aliased_gprs_agree_after_a_fence(void **state)
{
    kerr_chip *chip = *state;
    for (unsigned c = KERR_CORE_T0; c <= KERR_CORE_T2; c++) {
        rvasm *a = program_of((kerr_core)c);
        rva_li(a, T0, 0xffe00000);
        rva(a, rv_addi(T1, X0, 1));
        rva(a, rv_sw(X0, 0, T0));
        rva(a, rv_sw(T1, 256, T0));
        rva(a, rv_fence());
        rva(a, rv_lw(T2, 0, T0));
        run(chip, (kerr_core)c, a);
    }
    assert_ok(kerr_run(chip, 1000));
    for (unsigned c = KERR_CORE_T0; c <= KERR_CORE_T2; c++) {
        assert_int_equal(chip_x(chip, at, (kerr_core)c, T2), 1);
    }
}

/* Four values fit; more wait in the memory subsystem and then stall the writer; none is lost or out of order. */
static void a_full_mailbox_stalls_the_writer_and_loses_nothing(void **state)
{
    kerr_chip *chip = *state;
    enum { VALUES = 40, OUT = 0x8000 };
    rvasm *b = program_of(KERR_CORE_B);
    rva_li(b, T0, MAILBOX(1));
    for (int32_t i = 0; i < VALUES; i++) {
        rva(b, rv_addi(T1, X0, 1000 + i));
        rva(b, rv_sw(T1, 0, T0));
    }
    rva(b, rv_addi(T2, X0, 1));
    run(chip, KERR_CORE_B, b);
    assert_ok(kerr_run(chip, LONG));
    kerr_core_info info;
    assert_ok(kerr_core_query(chip, at, KERR_CORE_B, &info));
    assert_int_equal(info.state, KERR_CORE_WAITING);
    assert_int_equal(chip_x(chip, at, KERR_CORE_B, T2), 0);

    rvasm *t = program_of(KERR_CORE_T0);
    rva_li(t, T0, MAILBOX(0));
    rva_li(t, T1, OUT);
    rva_li(t, T3, OUT + VALUES * 4);
    uint32_t loop = rva_here(t);
    rva(t, rv_lw(T2, 0, T0));
    rva(t, rv_sw(T2, 0, T1));
    rva(t, rv_addi(T1, T1, 4));
    rva(t, rv_bne(T1, T3, rva_to(t, loop)));
    rva(t, rv_lw(T4, 4, T0)); /* empty again? */
    run(chip, KERR_CORE_T0, t);
    assert_ok(kerr_run(chip, LONG));
    for (uint32_t i = 0; i < VALUES; i++) {
        assert_int_equal(chip_word(chip, at, OUT + i * 4), 1000 + i);
    }
    assert_int_equal(chip_x(chip, at, KERR_CORE_B, T2), 1);
    assert_int_equal(chip_x(chip, at, KERR_CORE_T0, T4), 0);
}

/* Sixteen pairs, each its own FIFO; the same address is another mailbox on another core. */
static void every_pair_of_cores_has_its_mailbox(void **state)
{
    kerr_chip *chip = *state;
    for (unsigned from = 0; from < 4; from++) {
        rvasm *a = program_of((kerr_core)from);
        for (unsigned to = 0; to < 4; to++) {
            rva_li(a, T0, MAILBOX(to));
            rva(a, rv_addi(T1, X0, (int32_t)(from * 16 + to)));
            rva(a, rv_sw(T1, 0, T0));
        }
        for (unsigned of = 0; of < 4; of++) {
            rva_li(a, T0, MAILBOX(of));
            rva(a, rv_lw(A0 + of, 0, T0));
        }
        run(chip, (kerr_core)from, a);
    }
    assert_ok(kerr_run(chip, LONG));
    for (unsigned to = 0; to < 4; to++) {
        for (unsigned from = 0; from < 4; from++) {
            assert_int_equal(chip_x(chip, at, (kerr_core)to, A0 + from), from * 16 + to);
        }
    }
}

/* A store to L1 becomes visible by itself, after the merge timer at the latest, and sooner without merging. */
static uint64_t cycles_until_visible(kerr_chip *chip, uint32_t cfg0)
{
    assert_ok(kerr_reset(chip));
    rvasm *a = program_of(KERR_CORE_B);
    rva_li(a, T0, cfg0);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, T1, 0x8000);
    rva(a, rv_csrr(T2, CSR_mcycle));
    rva(a, rv_sw(T1, 0, T1));
    run(chip, KERR_CORE_B, a);
    for (uint64_t cycle = 1; cycle < 1000; cycle++) {
        assert_ok(kerr_run(chip, 1));
        if (chip_word(chip, at, 0x8000) == 0x8000) {
            return cycle - chip_x(chip, at, KERR_CORE_B, T2);
        }
    }
    return UINT64_MAX;
}
static void a_lone_store_waits_for_the_merge_timer_and_no_longer(void **state)
{
    uint64_t plain = cycles_until_visible(*state, 1 << 13), merging = cycles_until_visible(*state, CFG0_reset),
             off = cycles_until_visible(*state, CFG0_reset | CFG0_DisStMerge);
    assert_in_range(off, 1, 60);
    assert_in_range(merging, off, off + 20);
    assert_in_range(plain, off, off + 5);
    assert_true(merging > plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(mailbox_load_before_its_store_gets_the_value),
        TEST(mailbox_load_with_a_forwarded_chain_gets_the_value),
        TEST(mailbox_load_with_a_nop_in_the_chain_hangs),
        TEST(mailbox_load_with_nops_after_one_mv_gets_the_value),
        TEST(eight_instructions_behind_a_waiting_load_do_not_fit),
        TEST(fence_waits_for_the_load_and_so_hangs),
        TEST(cross_core_signalling_with_read_back_and_fence),
        TEST(aliased_gprs_agree_after_a_fence),
        TEST(a_full_mailbox_stalls_the_writer_and_loses_nothing),
        TEST(every_pair_of_cores_has_its_mailbox),
        TEST(a_lone_store_waits_for_the_merge_timer_and_no_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
