/* SPDX-License-Identifier: Apache-2.0 */
/* .ttinsn (manual PushTensixInstruction): what arrives in the FIFO of the thread, and how many cycles it takes with
 * and without the instruction cache fusing up to four of them. */
#include "../../support/unit.h"

/* The library's own names collide with the helpers'. */
#define chip_hash library_hash
#define chip_run library_run
#include "chip/chip.h"

enum { PROGRAM = 0x1000, PUSHES = 16, FUSION_OFF = 1 << 18, L0_OFF = 1 << 3 };
static const kerr_xy at = {1, 2};

static uint32_t ttinsn(uint32_t instruction)
{
    return instruction << 2 | instruction >> 30;
}

/* Cycles between two reads of mcycle around PUSHES aligned pushes. */
/* SEMWAIT for a semaphore that stays at zero, which blocks everything; then semaphores that differ. */
static uint32_t word(uint32_t i)
{
    return i == 0 ? 0xA6000000u | 0x1FFu << 15 | 1u << 2 | 1u : 0xA4000000u | i << 2;
}

static uint32_t push_cycles(kerr_chip *chip, kerr_core core, uint32_t cfg0)
{
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, T0, cfg0);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, A0, 0);
    rva_align(a, 16);
    rva(a, rv_nop());
    rva(a, rv_nop());
    rva(a, rv_nop());
    rva(a, rv_csrr(T1, CSR_mcycle));
    for (uint32_t i = 0; i < PUSHES; i++) {
        rva(a, ttinsn(word(i)));
    }
    rva(a, rv_csrr(T2, CSR_mcycle));
    rva_end(a);
    chip_start(chip, at, core, a);
    free(a);
    assert_ok(kerr_run(chip, 1000));
    return chip_x(chip, at, core, T2) - chip_x(chip, at, core, T1);
}

static void words_arrive_in_order_and_rotated_back(void **state)
{
    (void)state;
    kerr_chip *chip = chip_new_one_thread();
    push_cycles(chip, KERR_CORE_T1, L0_OFF | FUSION_OFF);
    const struct tensix_thread *thread = &chip_tile(chip, chip_tile_index(at))->dev.tensix.thread[1];
    /* The first has passed the wait gate, the second stands there. */
    assert_int_equal(thread->in_flight, PUSHES - 1);
    assert_int_equal(thread->gate_fifo[thread->gate_head].word, word(1));
    assert_int_equal(thread->fifo_count, PUSHES - 2);
    for (uint32_t i = 0; i < PUSHES - 2; i++) {
        assert_int_equal(thread->fifo[(thread->fifo_head + i) % TENSIX_FIFO_CAPACITY].word, word(i + 2));
    }
    kerr_destroy(chip);
}

/* Four lines of four pushes, each line fetched for the first time: one cycle a line on top. */
static void four_adjacent_pushes_take_one_cycle_on_a_t_core(void **state)
{
    (void)state;
    kerr_chip *fused = chip_new_one_thread(), *plain = chip_new_one_thread();
    const uint32_t with = push_cycles(fused, KERR_CORE_T1, L0_OFF);
    const uint32_t without = push_cycles(plain, KERR_CORE_T1, L0_OFF | FUSION_OFF);
    assert_int_equal(without - with, PUSHES - PUSHES / 4);
    const struct tensix_thread *thread = &chip_tile(fused, chip_tile_index(at))->dev.tensix.thread[1];
    assert_int_equal(thread->in_flight, PUSHES - 1);
    kerr_destroy(fused);
    kerr_destroy(plain);
}

static void a_full_fifo_holds_the_core(void **state)
{
    (void)state;
    kerr_chip *chip = chip_new_one_thread();
    rvasm *a = rva_new(PROGRAM);
    for (uint32_t i = 0; i < 64; i++) {
        rva(a, ttinsn(word(i)));
    }
    rva_end(a);
    chip_start(chip, at, KERR_CORE_T0, a);
    free(a);
    assert_ok(kerr_run(chip, 5000));
    kerr_core_info info;
    assert_ok(kerr_core_query(chip, at, KERR_CORE_T0, &info));
    assert_int_equal(info.state, KERR_CORE_WAITING);
    assert_int_equal(info.wait_address, 0xFFE40000u);
    assert_true(chip_tile(chip, chip_tile_index(at))->dev.tensix.thread[0].in_flight > TENSIX_FIFO_ALMOST_FULL);
    kerr_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_arrive_in_order_and_rotated_back),
        cmocka_unit_test(four_adjacent_pushes_take_one_cycle_on_a_t_core),
        cmocka_unit_test(a_full_fifo_holds_the_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
