/* SPDX-License-Identifier: Apache-2.0 */
/* Vector loads and stores of RISCV T2 to Dst (manual Dst "RISCV access to Dst"), and scalar ones of all T cores. */
#include "../../support/unit.h"

enum { PROGRAM = 0x1000, RESULT = 0x8000, LONG = 20000 };
#define DST UINT32_C(0xFFBD8000)

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

/* As the V extension has them; e32, m1. */
static uint32_t vsetivli_e32(unsigned count)
{
    return UINT32_C(3) << 30 | 0x10 << 20 | count << 15 | 7 << 12 | 0x57;
}
static uint32_t vle32(unsigned vd, unsigned address)
{
    return 1u << 25 | address << 15 | 6 << 12 | vd << 7 | 0x07;
}
static uint32_t vse32(unsigned vs, unsigned address)
{
    return 1u << 25 | address << 15 | 6 << 12 | vs << 7 | 0x27;
}
static uint32_t vlse32(unsigned vd, unsigned address, unsigned stride)
{
    return 1u << 25 | 2u << 26 | stride << 20 | address << 15 | 6 << 12 | vd << 7 | 0x07;
}

static void vectors_go_to_dst_and_back(void **state)
{
    kerr_chip *chip = *state;
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, S0, DST);
    rva_li(a, S1, RESULT);
    for (unsigned i = 0; i < 4; i++) {
        rva_li(a, T0, 0x3F800001 + 0x11110000 * i);
        rva(a, rv_sw(T0, (int)(4 * i), S0));
    }
    rva(a, vsetivli_e32(4));
    rva(a, vle32(1, S0));
    rva(a, vse32(1, S1));
    rva(a, rv_addi(S0, S0, 64)); /* the next row */
    rva(a, vse32(1, S0));
    rva(a, rv_lw(T1, 8, S0));
    rva(a, rv_sw(T1, 16, S1));
    rva(a, rv_addi(T2, X0, -64));
    rva(a, vlse32(2, S0, T2)); /* rows 1, 0, then what lies before the window */
    rva_end(a);
    chip_start(chip, at, KERR_CORE_T2, a);
    free(a);
    kerr_run(chip, LONG); /* ends in the fault */
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(chip_word(chip, at, RESULT + 4 * i), 0x3F800001 + 0x11110000 * i);
    assert_int_equal(chip_word(chip, at, RESULT + 16), 0x3F800001 + 0x22220000);
    uint32_t faults;
    kerr_fault fault;
    assert_ok(kerr_fault_count(chip, &faults));
    assert_int_equal(faults, 1);
    assert_ok(kerr_fault_get(chip, 0, &fault));
    assert_non_null(strstr(fault.text, "vector access outside L1, local RAM and Dst"));
}

static void every_t_core_reaches_dst_and_b_does_not(void **state)
{
    static const kerr_core cores[] = {KERR_CORE_T0, KERR_CORE_T1, KERR_CORE_T2, KERR_CORE_B};
    kerr_chip *chip = *state;
    for (unsigned i = 0; i < 4; i++) {
        rvasm *a = rva_new(PROGRAM + 0x400 * i);
        rva_li(a, S0, DST + 0x100 * i);
        rva_li(a, S1, RESULT);
        rva_li(a, T0, 0x40490FDB + i);
        rva(a, rv_sw(T0, 0, S0));
        rva(a, rv_lw(T1, 0, S0));
        rva(a, rv_sw(T1, (int)(4 * i), S1));
        rva_end(a);
        chip_start(chip, at, cores[i], a);
        free(a);
        const kerr_status status = kerr_run(chip, LONG);
        if (i < 3)
            assert_ok(status);
        assert_int_equal(chip_word(chip, at, RESULT + 4 * i), i < 3 ? 0x40490FDB + i : 0);
    }
    uint32_t faults;
    assert_ok(kerr_fault_count(chip, &faults));
    assert_int_not_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(vectors_go_to_dst_and_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_t_core_reaches_dst_and_b_does_not, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
