/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/atomics.c src/num/f16.c src/num/f32.c src/num/fma.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "noc/atomics.h"

static uint32_t line[4];
static uint32_t result;

static void set(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    line[0] = a, line[1] = b, line[2] = c, line[3] = d;
}

static void check(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    assert_int_equal(line[0], a);
    assert_int_equal(line[1], b);
    assert_int_equal(line[2], c);
    assert_int_equal(line[3], d);
}

static noc_atomic_result run(uint32_t at_len_be, uint32_t data, uint32_t address)
{
    return noc_atomic(at_len_be, data, address, (uint8_t *)line, &result);
}

static void increment_adds_to_the_word_at_ofs(void **state)
{
    (void)state;
    set(1, 2, 3, 4);
    assert_int_equal(run(1u << 12 | 31 << 2 | 2, 10, 0x108), NOC_ATOMIC_DONE);
    check(1, 2, 13, 4);
    assert_int_equal(result, 3);
}

static void increment_gives_the_word_at_the_address_whatever_ofs_is(void **state)
{
    (void)state;
    set(1, 2, 3, 4);
    run(1u << 12 | 31 << 2 | 2, 10, 0x104);
    check(1, 2, 13, 4);
    assert_int_equal(result, 2);
}

static void increment_wraps_within_its_width(void **state)
{
    (void)state;
    set(0xABCDEFFF, 0, 0, 0);
    run(1u << 12 | 7 << 2, 1, 0);
    check(0xABCDEF00, 0, 0, 0);
    set(0xFFFFFFFF, 0, 0, 0);
    run(1u << 12 | 31 << 2, 1, 0);
    check(0, 0, 0, 0);
    set(1, 0, 0, 0);
    run(1u << 12, 1, 0); /* one bit */
    check(0, 0, 0, 0);
}

static void compare_and_swap_swaps_only_if_equal(void **state)
{
    (void)state;
    set(0, 5, 0, 0);
    run(4u << 12 | 9 << 6 | 5 << 2 | 1, 0, 4);
    check(0, 9, 0, 0);
    assert_int_equal(result, 5);
    run(4u << 12 | 3 << 6 | 5 << 2 | 1, 0, 4);
    check(0, 9, 0, 0);
    assert_int_equal(result, 9);
    set(0, 0x10005, 0, 0); /* all 32 bits are compared */
    run(4u << 12 | 9 << 6 | 5 << 2 | 1, 0, 4);
    check(0, 0x10005, 0, 0);
}

/* Four bits each; what stands above and beside them does not count. */
static void compare_and_swap_has_fields_of_four_bits(void **state)
{
    (void)state;
    for (unsigned from = 0; from < 16; from++) {
        const unsigned to = 15 - from;
        set(0, 0, from, 0);
        run(4u << 12 | 3u << 10 | to << 6 | from << 2 | 2, 0xFFFFFFFF, 8);
        check(0, 0, to, 0);
        set(0, 0, from ^ 8, 0);
        run(4u << 12 | 3u << 10 | to << 6 | from << 2 | 2, 0, 8);
        check(0, 0, from ^ 8, 0);
        set(0, 0, from | 16, 0);
        run(4u << 12 | 3u << 10 | to << 6 | from << 2 | 2, 0, 8);
        check(0, 0, from | 16, 0);
    }
}

static void swap_with_mask_writes_chosen_halves(void **state)
{
    (void)state;
    set(0, 0, 0, 0);
    run(3u << 12 | 0x96 << 2, 0xBBBBAAAA, 8);
    check(0xBBBB0000, 0x0000AAAA, 0x0000AAAA, 0xBBBB0000);
    assert_int_equal(result, 0);
}

static void swap_with_index_has_three_encodings(void **state)
{
    (void)state;
    set(1, 2, 3, 4);
    run(6u << 12 | 1 << 2 | 3, 77, 12);
    check(1, 2, 3, 77);
    assert_int_equal(result, 4);
    run(7u << 12 | 1 << 2, 88, 4);
    check(1, 88, 3, 77);
    assert_int_equal(result, 2);
    run(10u << 12 | 3 << 8 | 2, 99, 8);
    check(1, 88, 99, 77);
    assert_int_equal(result, 3);
}

static void zaamo_has_all_eight_operations(void **state)
{
    (void)state;
    static const uint32_t expected[8] = {0x8000000D, 0x8000000D, 0x8000000D, 0, 0x80000001, 12, 12, 0x80000001};
    for (unsigned op = 0; op < 8; op++) {
        set(0, 0, 0, 0x80000001);
        run(10u << 12 | 1 << 11 | op << 8 | 3, 12, 12);
        check(0, 0, 0, expected[op]);
        assert_int_equal(result, 0x80000001);
    }
}

static void parallel_addition_of_words_wraps(void **state)
{
    (void)state;
    static const unsigned formats[] = {4, 12, 13};
    for (unsigned i = 0; i < 3; i++) {
        set(1, 0xFFFFFFFF, 0x80000000, 5);
        run(9u << 12 | formats[i], 0x80000001, 0);
        check(0x80000002, 0x80000000, 1, 0x80000006);
    }
}

static void parallel_addition_of_bytes_saturates_or_wraps(void **state)
{
    (void)state;
    set(0x01FE0280, 0, 0, 0xFFFFFFFF);
    run(9u << 12 | 7, 0x02020280, 0);
    check(0x03FF04FF, 0x02020280, 0x02020280, 0xFFFFFFFF);
    set(0x01FE0280, 0, 0, 0xFFFFFFFF);
    run(9u << 12 | 15, 0x02020280, 0);
    check(0x03000400, 0x02020280, 0x02020280, 0x0101017F);
}

static void parallel_addition_of_fp32_flushes_denormals(void **state)
{
    (void)state;
    for (unsigned format = 0; format <= 8; format += 8) {
        set(0x3F800000, 0x00000001, 0xBF800000, 0x7F800000);
        run(9u << 12 | format, 0x3F800000, 0);
        check(0x40000000, 0x3F800000, 0, 0x7F800000);
    }
}

static void parallel_addition_of_fp16_and_bf16_has_eight_lanes(void **state)
{
    (void)state;
    for (unsigned sat = 0; sat <= 8; sat += 8) {
        set(0x3C003C00, 0xBC000001, 0, 0); /* 1 1, -1 denormal */
        run(9u << 12 | 1 | sat, 0x3C004000, 0);
        check(0x40004200, 0x00004000, 0x3C004000, 0x3C004000);
        set(0x3F803F80, 0, 0, 0);
        run(9u << 12 | 2 | sat, 0x3F804000, 0);
        check(0x40004040, 0x3F804000, 0x3F804000, 0x3F804000);
    }
}

static void what_no_document_describes_changes_nothing(void **state)
{
    (void)state;
    static const uint32_t unknown[] = {0,
                                       2u << 12,
                                       5u << 12,
                                       6u << 12,
                                       8u << 12,
                                       9u << 12 | 3,
                                       9u << 12 | 5,
                                       9u << 12 | 6,
                                       9u << 12 | 11,
                                       9u << 12 | 14,
                                       10u << 12,
                                       10u << 12 | 1 << 8,
                                       11u << 12,
                                       15u << 12};
    for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        set(1, 2, 3, 4);
        assert_int_equal(run(unknown[i], 7, 4), NOC_ATOMIC_UNKNOWN);
        check(1, 2, 3, 4);
        assert_int_equal(result, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(increment_adds_to_the_word_at_ofs),
        cmocka_unit_test(increment_gives_the_word_at_the_address_whatever_ofs_is),
        cmocka_unit_test(increment_wraps_within_its_width),
        cmocka_unit_test(compare_and_swap_swaps_only_if_equal),
        cmocka_unit_test(compare_and_swap_has_fields_of_four_bits),
        cmocka_unit_test(swap_with_mask_writes_chosen_halves),
        cmocka_unit_test(swap_with_index_has_three_encodings),
        cmocka_unit_test(zaamo_has_all_eight_operations),
        cmocka_unit_test(parallel_addition_of_words_wraps),
        cmocka_unit_test(parallel_addition_of_bytes_saturates_or_wraps),
        cmocka_unit_test(parallel_addition_of_fp32_flushes_denormals),
        cmocka_unit_test(parallel_addition_of_fp16_and_bf16_has_eight_lanes),
        cmocka_unit_test(what_no_document_describes_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
