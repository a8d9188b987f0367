/* SPDX-License-Identifier: Apache-2.0 */
/* The approximations of SFPARECIP within the bounds that its page gives, and its two examples. */
#include "num/sfpu.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static double value_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, 4);
    return (double)value;
}

/* Every entry at both ends of the numbers that it stands for. */
static void reciprocals_are_within_half_a_percent(void **state)
{
    (void)state;
    for (uint32_t high = 0x0080; high < 0x7E80; high++) {
        for (unsigned end = 0; end < 2; end++) {
            const uint32_t x = high << 16 | (end ? 0xFFFF : 0);
            const double product = value_of(x) * value_of(sfpu_approximate_reciprocal(x));
            if (!(product > 0.9944 && product < 1.0054))
                fail_msg("%08x gives %08x", x, sfpu_approximate_reciprocal(x));
        }
    }
    assert_int_equal(sfpu_approximate_reciprocal(F32_ONE), 0x3F7F0000); /* 0.99609375 */
}

static void exponentials_are_within_the_page_s_bounds(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 0x40000000; x += x < 0x3C000000 ? 0xFFFF : 0x7FFF) {
        const double ratio = value_of(sfpu_approximate_exponential(x)) / exp(value_of(x));
        if (!(ratio > 0.9922 && ratio < 1.016))
            fail_msg("%08x gives %08x", x, sfpu_approximate_exponential(x));
    }
    assert_int_equal(sfpu_approximate_exponential(F32_ONE), 0x402D0000); /* 2.703125 */
}

/* Bounds leave room for a wrong entry.  The sums (FNV-1a) are those of the page's two tables, taken from the page. */
static void tables_are_those_of_the_page(void **state)
{
    (void)state;
    uint32_t sum = 0x811C9DC5;
    for (uint32_t i = 0; i < 128; i++)
        sum = (sum ^ (sfpu_approximate_reciprocal(0x3F800000 | i << 16) >> 16 & 127)) * 0x01000193;
    assert_int_equal(sum, 0x5A467D34);
    sum = 0x811C9DC5;
    for (uint32_t i = 0; i < 896; i++) /* an entry of eight bits overlaps with the exponent, which has that bit set */
        sum = (sum ^ (sfpu_approximate_exponential(0x3C800000 + (i << 16)) >> 16 & 127)) * 0x01000193;
    assert_int_equal(sum, 0x07A30DCD);
}

/* XNOR of four taps into bit 31: all ones would stay, everything else goes round. */
static void the_generator_does_not_stand_still(void **state)
{
    (void)state;
    uint32_t x = 0;
    for (unsigned i = 0; i < 1000000; i++) {
        const uint32_t next = sfpu_prng_next(x);
        assert_int_equal(next & 0x7FFFFFFF, x >> 1);
        assert_int_equal(next >> 31, __builtin_popcount(x & 0x80200003) % 2 == 0);
        assert_true(next != 0);
        x = next;
    }
    assert_int_equal(sfpu_prng_next(UINT32_MAX), UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reciprocals_are_within_half_a_percent),
        cmocka_unit_test(exponentials_are_within_the_page_s_bounds),
        cmocka_unit_test(tables_are_those_of_the_page),
        cmocka_unit_test(the_generator_does_not_stand_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
