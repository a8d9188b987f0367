/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/num/f16.c src/num/fma.c src/num/f32.c */
/* FP16 and BF16: every value widened; narrowing and arithmetic against a search in the table of all values. */
#include "num/f16.h"

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

static uint16_t infinity_of(f16_format format)
{
    return format == F16_HALF ? 0x7c00 : 0x7f80;
}

/* The value of finite bits, from the definition of the format. */
static double value_of(uint16_t bits, f16_format format)
{
    int fraction_bits = format == F16_HALF ? 10 : 7;
    int bias = format == F16_HALF ? 15 : 127;
    int magnitude = bits & 0x7fff;
    int exponent = magnitude >> fraction_bits;
    int fraction = magnitude - (exponent << fraction_bits);
    double value = exponent ? ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits)
                            : ldexp(fraction, 1 - bias - fraction_bits);
    return bits & 0x8000 ? -value : value;
}

/* Rounds an exact value: the neighbour below is found by bisection over the ordered positive patterns. */
static uint16_t nearest(double exact, bool negative_zero, f16_format format, f32_rounding rounding)
{
    bool negative = exact < 0 || (exact == 0 && negative_zero);
    double magnitude = fabs(exact);
    unsigned low = 0, high = infinity_of(format);
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (value_of((uint16_t)middle, format) <= magnitude) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double below = value_of((uint16_t)low, format);
    double above = value_of((uint16_t)high, format); /* of the infinity: the next power of two */
    if (rounding == F32_NEAREST_EVEN) {
        double to_below = magnitude - below, to_above = above - magnitude;
        if (to_above < to_below || (to_above == to_below && low % 2 == 1)) {
            low = high;
        }
    }
    if (low < (format == F16_HALF ? 0x400u : 0x80u)) {
        low = 0; /* flushed after rounding */
    }
    return (uint16_t)(low | (negative ? 0x8000 : 0));
}

static void every_value_widens(void **unused)
{
    (void)unused;
    for (unsigned format = F16_HALF; format <= F16_BFLOAT; format++) {
        for (uint32_t x = 0; x < 0x10000; x++) {
            uint32_t wide = f16_to_f32((uint16_t)x, (f16_format)format);
            uint16_t infinity = infinity_of((f16_format)format);
            if ((x & 0x7fff) < infinity) {
                assert_int_equal(wide, as_bits((float)value_of((uint16_t)x, (f16_format)format)));
            } else if ((x & 0x7fff) == infinity) {
                assert_int_equal(wide & ~F32_SIGN, F32_INFINITY);
            } else {
                assert_true(f32_is_nan(wide));
                bool quiet = x & (format == F16_HALF ? 0x200 : 0x40);
                assert_int_equal(f32_is_signaling(wide), !quiet);
            }
            assert_int_equal(wide >> 31, x >> 15);
        }
    }
}

/* Every normal value and every point half way to its neighbour survives the round trip. */
static void narrowing(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 600000; i++) {
        f16_format format = random_word() % 2 ? F16_HALF : F16_BFLOAT;
        f32_rounding rounding = random_word() % 2 ? F32_NEAREST_EVEN : F32_TOWARDS_ZERO;
        uint32_t x = random_word();
        if (random_word() % 2) { /* near the range of FP16, near ties */
            x = (x & 0x80000000) | (108 + random_word() % 40) << 23 | (random_word() & 0x7fe000) |
                random_word() % 3 << 12 | random_word() % 2;
        }
        if (f32_is_nan(x) || (x & ~F32_SIGN) == F32_INFINITY || f32_is_denormal_or_zero(x)) {
            continue;
        }
        uint32_t flags = 0;
        uint16_t got = f16_from_f32(x, format, rounding, &flags);
        uint16_t want = nearest((double)as_float(x), false, format, rounding);
        if (got != want) {
            fail_msg("%08x format %d rounding %d: got %04x, want %04x", x, (int)format, (int)rounding, got, want);
        }
        bool exact = value_of(got, format) == (double)as_float(x) && (got & 0x7fff) < infinity_of(format);
        assert_int_equal(flags & F32_INEXACT, exact ? 0 : F32_INEXACT);
    }
}

static void specials_narrow(void **unused)
{
    (void)unused;
    uint32_t flags = 0;
    assert_int_equal(f16_from_f32(0xff800000, F16_HALF, F32_NEAREST_EVEN, &flags), 0xfc00);
    assert_int_equal(f16_from_f32(0x7f800000, F16_BFLOAT, F32_TOWARDS_ZERO, &flags), 0x7f80);
    assert_int_equal(f16_from_f32(0xffc12345, F16_HALF, F32_NEAREST_EVEN, &flags), 0x7e00);
    assert_int_equal(f16_from_f32(0x80000001, F16_HALF, F32_NEAREST_EVEN, &flags), 0x8000);
    assert_int_equal(flags, 0);
    assert_int_equal(f16_from_f32(0x7f800001, F16_BFLOAT, F32_NEAREST_EVEN, &flags), 0x7fc0);
    assert_int_equal(flags, F32_INVALID);
    flags = 0;
    assert_int_equal(f16_from_f32(0x47800000, F16_HALF, F32_NEAREST_EVEN, &flags), 0x7c00);
    assert_int_equal(flags, F32_OVERFLOW | F32_INEXACT);
    flags = 0;
    assert_int_equal(f16_from_f32(0x387fffff, F16_HALF, F32_NEAREST_EVEN, &flags), 0x0400); /* rounds up to normal */
    assert_int_equal(flags, F32_INEXACT);
    flags = 0;
    assert_int_equal(f16_from_f32(0x38000000, F16_HALF, F32_NEAREST_EVEN, &flags), 0); /* a denormal: flushed */
    assert_int_equal(flags, F32_UNDERFLOW | F32_INEXACT);
}

static void integers(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 300000; i++) {
        f16_format format = random_word() % 2 ? F16_HALF : F16_BFLOAT;
        f32_rounding rounding = random_word() % 2 ? F32_NEAREST_EVEN : F32_TOWARDS_ZERO;
        uint32_t x = random_word() >> random_word() % 32, flags = 0;
        assert_int_equal(f16_from_int(x, false, format, rounding, &flags), nearest(x, false, format, rounding));
        assert_int_equal(f16_from_int(x, true, format, rounding, &flags), nearest((int32_t)x, false, format, rounding));
    }
}

/* Sums and products of normal numbers are correctly rounded; doubles hold them exactly. */
static void sums_and_products(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 600000; i++) {
        f16_format format = random_word() % 2 ? F16_HALF : F16_BFLOAT;
        f32_rounding rounding = format == F16_BFLOAT && random_word() % 2 ? F32_TOWARDS_ZERO : F32_NEAREST_EVEN;
        uint16_t one = format == F16_HALF ? 0x3c00 : 0x3f80;
        uint16_t x = (uint16_t)random_word(), y = (uint16_t)random_word();
        if (format == F16_BFLOAT) { /* exponents within 20 of each other, so that sums stay exact */
            x = (uint16_t)((x & 0x807f) | (118 + random_word() % 20) << 7);
            y = (uint16_t)((y & 0x807f) | (118 + random_word() % 20) << 7);
        }
        x = f16_flush(x, format);
        y = f16_flush(y, format);
        if ((x & 0x7fff) >= infinity_of(format) || (y & 0x7fff) >= infinity_of(format)) {
            continue;
        }
        double a = value_of(x, format), b = value_of(y, format);
        uint32_t flags = 0;
        uint16_t got = f16_fma(x, one, y, format, rounding, &flags);
        uint16_t want = nearest(a + b, x & y & 0x8000, format, rounding);
        if (got != want) {
            fail_msg("%04x + %04x: got %04x, want %04x", x, y, got, want);
        }
        got = f16_fma(x, y, 0x8000, format, rounding, &flags);
        want = nearest(a * b, (x ^ y) & 0x8000, format, rounding);
        if (got != want) {
            fail_msg("%04x * %04x: got %04x, want %04x", x, y, got, want);
        }
    }
}

static void numbers_without_an_exponent_are_zero(void **unused)
{
    (void)unused;
    for (uint32_t x = 0; x < 0x10000; x++) {
        assert_int_equal(f16_flush((uint16_t)x, F16_HALF), (x & 0x7FFF) < 0x0400 ? x & 0x8000 : x);
        assert_int_equal(f16_flush((uint16_t)x, F16_BFLOAT), (x & 0x7FFF) < 0x0080 ? x & 0x8000 : x);
    }
}

static void towards_zero_overflows_to_the_largest_number(void **unused)
{
    (void)unused;
    uint32_t flags = 0;
    assert_int_equal(f16_fma(0x7f00, 0x4080, 0x8000, F16_BFLOAT, F32_TOWARDS_ZERO, &flags), 0x7f7f);
    assert_int_equal(flags, F32_OVERFLOW | F32_INEXACT);
    assert_int_equal(f16_fma(0xff00, 0x4080, 0x8000, F16_BFLOAT, F32_NEAREST_EVEN, &flags), 0xff80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_widens),
        cmocka_unit_test(narrowing),
        cmocka_unit_test(specials_narrow),
        cmocka_unit_test(integers),
        cmocka_unit_test(numbers_without_an_exponent_are_zero),
        cmocka_unit_test(sums_and_products),
        cmocka_unit_test(towards_zero_overflows_to_the_largest_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
