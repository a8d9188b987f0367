/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/num/f32.c */
/* FP32 comparison, extrema, classes and integer conversion, against the host's arithmetic and by hand. */
#include "num/f32.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state = 88172645463325252u;

static uint32_t random_word(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t as_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t pick(void)
{
    static const uint32_t edges[] = {0,          1,          0x007fffff, 0x00800000, 0x3f800000, 0x3f000000,
                                     0x3fc00000, 0x40200000, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000,
                                     0x46fffe00, 0x47000000, 0x477fff00, 0x7f7fffff, 0x7f800000, 0x7f800001,
                                     0x7fc00000, 0x7fffffff, 0x4b7fffff};
    uint32_t sign = random_word() & 0x80000000;
    switch (random_word() % 4) {
    case 0: return sign | edges[random_word() % (sizeof edges / sizeof *edges)];
    case 1: return sign | (120 + random_word() % 42) << 23 | (random_word() & 0x7fffff);
    case 2: return sign | (120 + random_word() % 42) << 23 | (random_word() & 0x700000);
    default: return random_word();
    }
}

static void comparisons_match_the_host(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 500000; i++) {
        uint32_t x = pick(), y = random_word() % 4 ? pick() : x, flags = 0;
        assert_int_equal(f32_lt(x, y, &flags), as_float(x) < as_float(y));
        assert_int_equal(f32_le(x, y, &flags), as_float(x) <= as_float(y));
        assert_int_equal(f32_eq(x, y, &flags), as_float(x) == as_float(y));
    }
}

static void denormals_compare_as_numbers(void **unused)
{
    (void)unused;
    uint32_t flags = 0;
    assert_true(f32_lt(0, 1, &flags));
    assert_true(f32_lt(0x80000001, 0x80000000, &flags));
    assert_false(f32_eq(0, 1, &flags));
    assert_int_equal(f32_min(1, 0x3f800000, &flags), 1);
    assert_int_equal(f32_max(0x80000001, 0x80000000, &flags), 0x80000000);
    assert_int_equal(flags, 0);
}

static void comparison_flags(void **unused)
{
    (void)unused;
    uint32_t flags = 0;
    assert_false(f32_eq(F32_NAN, F32_ONE, &flags));
    assert_int_equal(flags, 0);
    assert_false(f32_eq(0x7f800001, F32_ONE, &flags));
    assert_int_equal(flags, F32_INVALID);
    flags = 0;
    assert_false(f32_lt(F32_NAN, F32_ONE, &flags));
    assert_int_equal(flags, F32_INVALID);
    flags = 0;
    assert_false(f32_le(F32_ONE, F32_NAN, &flags));
    assert_int_equal(flags, F32_INVALID);
}

static void extrema(void **unused)
{
    (void)unused;
    uint32_t flags = 0;
    assert_int_equal(f32_min(0, F32_SIGN, &flags), F32_SIGN);
    assert_int_equal(f32_min(F32_SIGN, 0, &flags), F32_SIGN);
    assert_int_equal(f32_max(0, F32_SIGN, &flags), 0);
    assert_int_equal(f32_max(F32_SIGN, 0, &flags), 0);
    assert_int_equal(f32_min(F32_NAN, F32_ONE, &flags), F32_ONE);
    assert_int_equal(f32_max(F32_ONE, 0xffffffff, &flags), F32_ONE);
    assert_int_equal(f32_max(F32_NAN, 0xffffffff, &flags), F32_NAN);
    assert_int_equal(flags, 0);
    assert_int_equal(f32_min(0xff800001, F32_ONE, &flags), F32_ONE);
    assert_int_equal(flags, F32_INVALID);
    for (unsigned i = 0; i < 500000; i++) {
        uint32_t x = pick(), y = pick();
        if (!f32_is_nan(x) && !f32_is_nan(y) && ((x | y) << 1)) {
            assert_int_equal(f32_min(x, y, &flags), as_float(x) <= as_float(y) ? x : y);
            assert_int_equal(f32_max(x, y, &flags), as_float(x) >= as_float(y) ? x : y);
        }
    }
}

static void classes(void **unused)
{
    (void)unused;
    static const uint32_t one_of_each[10] = {0xff800000, 0xc0000000, 0x80000001, 0x80000000, 0x00000000,
                                             0x007fffff, 0x00800000, 0x7f800000, 0xffbfffff, 0xffc00000};
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(f32_classify(one_of_each[i]), 1u << i);
    }
}

/* An integer conversion on doubles, which hold every FP32 value and every 32-bit integer. */
static uint32_t convert(uint32_t bits, unsigned width, bool is_signed, f32_rounding rounding, uint32_t *flags)
{
    double least = is_signed ? -ldexp(1, (int)width - 1) : 0;
    double most = is_signed ? ldexp(1, (int)width - 1) - 1 : ldexp(1, (int)width) - 1;
    double value = (double)as_float(bits);
    double whole = rounding == F32_NEAREST_EVEN ? nearbyint(value) : trunc(value);
    if (isnan(value) || whole > most || whole < least) {
        *flags |= F32_INVALID;
        whole = isnan(value) || whole > most ? most : least;
    } else if (whole != value) {
        *flags |= F32_INEXACT;
    }
    return (uint32_t)(int64_t)whole;
}

static void to_int(void **unused)
{
    (void)unused;
    static const unsigned widths[] = {8, 16, 32};
    for (unsigned i = 0; i < 1000000; i++) {
        uint32_t x = pick(), got_flags = 0, want_flags = 0;
        unsigned width = widths[random_word() % 3];
        bool is_signed = random_word() % 2;
        f32_rounding rounding = random_word() % 2 ? F32_NEAREST_EVEN : F32_TOWARDS_ZERO;
        uint32_t want = convert(x, width, is_signed, rounding, &want_flags);
        uint32_t got = f32_to_int(x, width, is_signed, rounding, &got_flags);
        if (got != want || got_flags != want_flags) {
            fail_msg("%08x to %u bits: got %08x flags %x, want %08x flags %x", x, width, got, got_flags, want,
                     want_flags);
        }
    }
}

static void from_int(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 1000000; i++) {
        uint32_t x = random_word() >> random_word() % 32, flags = 0;
        if (i < 64) {
            x = i < 32 ? 1u << i : 0u - (1u << (i - 32));
        }
        assert_int_equal(f32_from_int(x, false, &flags), as_bits((float)x));
        assert_int_equal(flags, (double)(float)x != (double)x ? F32_INEXACT : 0);
        assert_int_equal(f32_from_int(x, true, &flags), as_bits((float)(int32_t)x));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_match_the_host),
        cmocka_unit_test(denormals_compare_as_numbers),
        cmocka_unit_test(comparison_flags),
        cmocka_unit_test(extrema),
        cmocka_unit_test(classes),
        cmocka_unit_test(to_int),
        cmocka_unit_test(from_int),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
