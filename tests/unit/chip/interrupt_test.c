/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts from raising to mret, on a chip (manual PIC, "Interrupt handlers"; InstructionSet, mret). */
#include "../../support/unit.h"

enum { PROGRAM = 0x1000, HANDLER = 0x2000, COUNT = 0x8000, VALUE = 0x8004, NUMBER = 0x8008, RETURN = 0x800c };
enum {
    B_SW_INT_EN = (int)0xffb13000,
    B_INT_NO = (int)0xffb13008,
    NC_SW_INT_EN = (int)0xffb1300c,
    NC_INT_NO = (int)0xffb13014
};
#define SW_INT(i) (0xffb13018u + (i)*4u)
#define SW_INT_PC(i) (0xffb130a8u + (i)*4u)

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
static void write_register(kerr_chip *chip, uint32_t address, uint32_t value)
{
    assert_ok(kerr_write(chip, at, address, &value, 4));
}

/* Counts, takes the value of interrupt i, notes its number and where it will return to, and returns. */
static void load_handler(kerr_chip *chip, kerr_core core, unsigned i, uint32_t tail)
{
    rvasm *a = rva_new(HANDLER);
    rva_li(a, T0, COUNT);
    rva(a, rv_lw(T1, 0, T0));
    rva(a, rv_addi(T1, T1, 1));
    rva(a, rv_sw(T1, 0, T0));
    rva_li(a, T2, SW_INT(i));
    rva(a, rv_lw(T1, 0, T2));
    rva(a, rv_sw(T1, 4, T0));
    rva_li(a, T2, (uint32_t)(core == KERR_CORE_B ? B_INT_NO : NC_INT_NO));
    rva(a, rv_lw(T1, 0, T2));
    rva(a, rv_sw(T1, 8, T0));
    rva(a, rv_csrr(T1, CSR_intp_restore_pc));
    rva(a, rv_sw(T1, 12, T0));
    if (tail) {
        rva(a, tail);
    }
    rva(a, rv_mret());
    assert_ok(kerr_poke(chip, at, a->base, a->word, a->count * 4));
    free(a);
    write_register(chip, SW_INT_PC(i), HANDLER);
    write_register(chip, (uint32_t)(core == KERR_CORE_B ? B_SW_INT_EN : NC_SW_INT_EN), 1u << i);
}
/* a0 counts up for ever; handlers leave it and the loop alone. */
static void start_counting(kerr_chip *chip, kerr_core core)
{
    const uint32_t words[] = {rv_addi(A0, A0, 1), rv_j(-4)};
    assert_ok(kerr_poke(chip, at, PROGRAM, words, sizeof words));
    assert_ok(kerr_core_start(chip, at, core, PROGRAM));
}

static void a_handler_runs_and_mret_goes_back(void **state)
{
    static const kerr_core cores[] = {KERR_CORE_B, KERR_CORE_NC};
    for (unsigned k = 0; k < 2; k++) {
        kerr_chip *chip = *state;
        assert_ok(kerr_reset(chip));
        load_handler(chip, cores[k], 5, 0);
        start_counting(chip, cores[k]);
        assert_ok(kerr_run(chip, 500));
        assert_int_equal(chip_word(chip, at, COUNT), 0);
        write_register(chip, SW_INT(5), 99);
        assert_ok(kerr_run(chip, 500));
        assert_int_equal(chip_word(chip, at, COUNT), 1);
        assert_int_equal(chip_word(chip, at, VALUE), 99);
        assert_int_equal(chip_word(chip, at, NUMBER), 5);
        assert_in_range(chip_word(chip, at, RETURN), PROGRAM, PROGRAM + 4);
        uint32_t counted = chip_x(chip, at, cores[k], A0);
        assert_ok(kerr_run(chip, 500));
        assert_true(chip_x(chip, at, cores[k], A0) > counted + 200);
        assert_int_equal(chip_word(chip, at, COUNT), 1);
    }
}
static void an_interrupt_that_is_not_enabled_waits(void **state)
{
    kerr_chip *chip = *state;
    load_handler(chip, KERR_CORE_B, 3, 0);
    write_register(chip, (uint32_t)B_SW_INT_EN, 0);
    start_counting(chip, KERR_CORE_B);
    write_register(chip, SW_INT(3), 1);
    assert_ok(kerr_run(chip, 500));
    assert_int_equal(chip_word(chip, at, COUNT), 0);
    write_register(chip, (uint32_t)B_SW_INT_EN, 1u << 3);
    assert_ok(kerr_run(chip, 500));
    assert_int_equal(chip_word(chip, at, COUNT), 1);
}
static void a_parked_core_is_interrupted(void **state)
{
    kerr_chip *chip = *state;
    load_handler(chip, KERR_CORE_B, 0, 0);
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, T3, CFG0_firmware);
    rva(a, rv_csrw(CSR_cfg0, T3));
    rva_li(a, S0, 0x9000);
    uint32_t poll = rva_here(a);
    rva(a, rv_lw(T3, 0, S0));
    rva(a, rv_beq(T3, X0, rva_to(a, poll)));
    rva_end(a);
    chip_start(chip, at, KERR_CORE_B, a);
    free(a);
    assert_ok(kerr_run(chip, 50000));
    write_register(chip, SW_INT(0), 7);
    assert_ok(kerr_run(chip, 500));
    assert_int_equal(chip_word(chip, at, COUNT), 1);
    assert_int_equal(chip_word(chip, at, VALUE), 7);
    assert_in_range(chip_word(chip, at, RETURN), poll, poll + 4);
}
/* One core raises, another is interrupted, many times; none is lost because each waits for the last to be taken. */
static void another_core_raises_interrupts(void **state)
{
    kerr_chip *chip = *state;
    load_handler(chip, KERR_CORE_NC, 9, 0);
    start_counting(chip, KERR_CORE_NC);
    rvasm *a = rva_new(0x3000);
    rva_li(a, S0, SW_INT(9));
    rva_li(a, S1, COUNT);
    rva_li(a, S2, 20);
    rva_li(a, T3, CFG0_firmware);
    rva(a, rv_csrw(CSR_cfg0, T3));
    uint32_t loop = rva_here(a);
    rva(a, rv_addi(S3, S3, 1));
    rva(a, rv_sw(S3, 0, S0));
    uint32_t wait = rva_here(a);
    rva(a, rv_lw(T0, 0, S1));
    rva(a, rv_bne(T0, S3, rva_to(a, wait)));
    rva(a, rv_bne(S3, S2, rva_to(a, loop)));
    rva_end(a);
    chip_start(chip, at, KERR_CORE_T1, a);
    free(a);
    assert_ok(kerr_run(chip, 20000));
    assert_int_equal(chip_word(chip, at, COUNT), 20);
    assert_int_equal(chip_word(chip, at, VALUE), 20);
}
/* The documented hardware bug. */
static void a_handler_cannot_write_csrs(void **state)
{
    kerr_chip *chip = *state;
    load_handler(chip, KERR_CORE_B, 1, rv_csrrwi(T1, CSR_cfg1, 21));
    start_counting(chip, KERR_CORE_B);
    write_register(chip, SW_INT(1), 1);
    assert_ok(kerr_run(chip, 1000));
    uint32_t value = 1;
    assert_int_equal(chip_word(chip, at, COUNT), 1);
    assert_ok(kerr_reg_get(chip, at, KERR_CORE_B, KERR_REG_CSR + CSR_cfg1, &value));
    assert_int_equal(value, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_handler_runs_and_mret_goes_back), TEST(an_interrupt_that_is_not_enabled_waits),
        TEST(a_parked_core_is_interrupted),      TEST(another_core_raises_interrupts),
        TEST(a_handler_cannot_write_csrs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
