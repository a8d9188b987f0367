/* SPDX-License-Identifier: Apache-2.0 */
/* What a debugger on the host sees of running cores; each fact from tt-exalens' own tests, which pass on cards. */
#include "../../support/unit.h"

enum { DATA = 0x10000, LONG = 3000 };
#define DR_VALUE 0xFFB12084u
#define DR_CONTROL 0xFFB12080u
#define SLOW 0x80000000u
enum { PAUSE = 1, CONTINUE = 4, WRITE_MEMORY = 0x40, COMMAND = 1, ARGUMENT0 = 2, ARGUMENT1 = 3 };
#define IC_INVALIDATE (0xFFEF0000u + 185 * 4)

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

static void write32(kerr_chip *chip, uint32_t address, uint32_t value)
{
    assert_ok(kerr_write(chip, at, address, &value, 4));
}
static uint32_t read32(kerr_chip *chip, uint32_t address)
{
    uint32_t value;
    assert_ok(kerr_read(chip, at, address, &value, 4));
    return value;
}
static void dr_write(kerr_chip *chip, unsigned index, uint32_t value)
{
    write32(chip, DR_VALUE, value);
    write32(chip, DR_CONTROL, 0x80010000 + index);
    write32(chip, DR_CONTROL, 0);
}
/* Code of RISCV B at address 0, as the host puts it there. */
static void put(kerr_chip *chip, const uint32_t *code, unsigned words)
{
    assert_ok(kerr_write(chip, at, 0, code, words * 4));
}
static void release(kerr_chip *chip)
{
    write32(chip, 0xFFB121B0, 0x47000);
    assert_ok(kerr_run(chip, LONG));
}

static void a_spinning_core_does_not_see_its_loop_rewritten(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t spin[] = {rv_addi(A1, X0, 1), rv_lui(A0, DATA >> 12), rv_jal(X0, 0), rv_jal(X0, 0)};
    const uint32_t store[] = {rv_addi(A1, X0, 2), rv_lui(A0, DATA >> 12), rv_sw(A1, 0, A0), rv_jal(X0, 0)};
    put(chip, spin, 4);
    release(chip);
    put(chip, store, 4);
    assert_ok(kerr_run(chip, LONG));
    assert_int_equal(read32(chip, DATA), 0);
    write32(chip, 0xFFB121B0, 0x47800); /* reset empties the cache */
    release(chip);
    assert_int_equal(read32(chip, DATA), 2);
}

static void invalidating_lets_a_halted_core_see_new_code(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t spin[] = {rv_jal(X0, 0), rv_jal(X0, 0), rv_jal(X0, 0), rv_jal(X0, 0)};
    const uint32_t store[] = {rv_addi(A1, X0, 2), rv_lui(A0, DATA >> 12), rv_sw(A1, 0, A0), rv_jal(X0, 0)};
    put(chip, spin, 4);
    release(chip);
    dr_write(chip, COMMAND, SLOW + PAUSE);
    put(chip, store, 4);
    dr_write(chip, ARGUMENT1, 1);
    dr_write(chip, ARGUMENT0, IC_INVALIDATE);
    dr_write(chip, COMMAND, SLOW + WRITE_MEMORY);
    dr_write(chip, COMMAND, SLOW + CONTINUE);
    assert_ok(kerr_run(chip, LONG));
    assert_int_equal(read32(chip, DATA), 2);
}

/* Without it they merge for ever: the merge timer starts again with each.  OPEN: whether it does on the chip. */
static void a_loop_of_stores_is_seen_in_slow_mode(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t count[] = {rv_lui(A0, DATA >> 12), rv_addi(A1, A1, 1), rv_sw(A1, 0, A0), rv_jal(X0, -8)};
    put(chip, count, 4);
    release(chip);
    dr_write(chip, COMMAND, SLOW);
    assert_ok(kerr_run(chip, LONG));
    uint32_t first = read32(chip, DATA);
    assert_int_not_equal(first, 0);
    assert_ok(kerr_run(chip, LONG));
    uint32_t second = read32(chip, DATA);
    assert_true(second > first);
    dr_write(chip, COMMAND, SLOW + PAUSE);
    assert_ok(kerr_run(chip, LONG));
    second = read32(chip, DATA);
    assert_ok(kerr_run(chip, LONG));
    assert_int_equal(read32(chip, DATA), second);
}

/* As DPRINT of a tile in Dst asks for its format: what T2's RMWCIB3 wrote long ago, by a store and, some reads of the clock
 * later, a load; the registers have never been used before, and no core has waited for another. */
static void a_core_reads_configuration_that_another_threads_instruction_wrote(void **state)
{
    enum { FORMAT_WORD = 1, BF16_IN_BYTE_3 = 5 << 1, CNTL = 0x58, RDDATA = 0x78, CLOCK = 0x1F0, T1_CODE = 0x8000 };
    kerr_chip *chip = *state;
    const uint32_t RMWCIB3 = 0xB6000000u | 0x1E << 16 | BF16_IN_BYTE_3 << 8 | FORMAT_WORD;
    rvasm *t2 = rva_new(T1_CODE / 2);
    rva(t2, RMWCIB3 << 2 | RMWCIB3 >> 30);
    rva_end(t2);
    rvasm *t1 = rva_new(T1_CODE);
    rva_li(t1, A5, 500);
    const uint32_t wait = rva_here(t1);
    rva(t1, rv_addi(A5, A5, -1));
    rva(t1, rv_bne(A5, X0, rva_to(t1, wait)));
    rva_li(t1, A0, 0xFFB12000);
    rva_li(t1, A1, FORMAT_WORD);
    rva_li(t1, A2, DATA);
    rva(t1, rv_sw(A1, CNTL, A0));
    rva(t1, rv_lw(T0, CLOCK, A0));
    rva(t1, rv_lw(T1, CLOCK, A0));
    rva(t1, rv_lw(A3, RDDATA, A0));
    rva(t1, rv_sw(A3, 0, A2));
    rva_end(t1);
    chip_start(chip, at, KERR_CORE_T2, t2);
    chip_start(chip, at, KERR_CORE_T1, t1);
    assert_ok(kerr_run(chip, 4 * LONG));
    assert_int_equal(read32(chip, DATA), (uint32_t)BF16_IN_BYTE_3 << 24);
    free(t1);
    free(t2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_spinning_core_does_not_see_its_loop_rewritten),
        TEST(invalidating_lets_a_halted_core_see_new_code),
        TEST(a_loop_of_stores_is_seen_in_slow_mode),
        TEST(a_core_reads_configuration_that_another_threads_instruction_wrote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
