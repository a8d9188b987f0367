/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/num/formats.c src/num/unpack_convert.c src/num/pack_convert.c src/num/l1_accumulate.c src/num/fma.c src/num/f32.c */
/* Conversions of unpackers and packer against arithmetic on the numbers that bits mean (host doubles), with every value of 16 bits and
 * edges of 32; what no reference takes, by hand from the page.  `all` as argument: every value of 32 bits, for tier long. */
#include "num/bfp.h"
#include "num/floats.h"
#include "num/l1_accumulate.h"
#include "num/pack_convert.h"
#include "num/pack_round.h"
#include "num/unpack_convert.h"

#include "unit/num/format_sets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What bits mean if every exponent but 0 is one like others and denormals are zero. */
static double value_of(uint32_t x, unsigned exponent_bits, unsigned mantissa_bits)
{
    const uint32_t exponent = x >> mantissa_bits & ((1u << exponent_bits) - 1);
    const uint32_t mantissa = x & ((1u << mantissa_bits) - 1);
    const double magnitude =
        ldexp(1 + ldexp(mantissa, -(int)mantissa_bits), (int)exponent - ((1 << (exponent_bits - 1)) - 1));
    const double value = exponent ? magnitude : 0;
    return x >> (exponent_bits + mantissa_bits) & 1 ? -value : value;
}
static double fp32_value(uint32_t x) /* finite */
{
    float value;
    memcpy(&value, &x, sizeof value);
    return value;
}
static double fp16_value(uint32_t x)
{
    return value_of(x, 5, 10);
}

static void block_floats_mean_magnitude_times_power_of_two(void **state)
{
    (void)state;
    for (uint32_t exponent = 0; exponent < 256; exponent++) {
        for (uint32_t x = 0; x < 256; x++) {
            const double magnitude = (x & 0x7F) / 64.0 * (x & 0x80 ? -1 : 1);
            const struct bf16 b = bf16_from_bfp8((struct bfp8){(uint8_t)x}, (uint8_t)exponent);
            if ((x & 0x7F) == 0) {
                assert_int_equal(b.bits, x ? 0xFF80 : 0);
                assert_int_equal(fp16_from_bfp8a((struct bfp8a){(uint8_t)x}, 7).bits, x ? 0xFC00 : 0);
            } else if (exponent > 6) { /* below, the exponent of a normalised number wraps */
                assert_true(value_of(b.bits, 8, 7) == ldexp(magnitude, (int)exponent - 127));
            }
            if (exponent > 6 && exponent < 32 && x & 0x7F) {
                assert_true(bfp8a_exponent_fits((struct bfp8a){(uint8_t)x}, (uint8_t)exponent));
                const struct fp16 h = fp16_from_bfp8a((struct bfp8a){(uint8_t)x}, (uint8_t)exponent);
                assert_true(fp16_value(h.bits) == ldexp(magnitude, (int)exponent - 15));
            }
        }
        /* BFP4 and BFP2 are BFP8 with zeros below. */
        for (uint32_t x = 0; x < 16; x++) {
            const uint8_t e = (uint8_t)exponent;
            assert_int_equal(bf16_from_bfp4((struct bfp4){(uint8_t)x}, e).bits,
                             bf16_from_bfp8((struct bfp8){(uint8_t)(x << 4)}, e).bits);
            assert_int_equal(fp16_from_bfp4a((struct bfp4a){(uint8_t)x}, e).bits,
                             fp16_from_bfp8a((struct bfp8a){(uint8_t)(x << 4)}, e).bits);
            assert_int_equal(bf16_from_bfp2((struct bfp2){x & 3}, e).bits,
                             bf16_from_bfp8((struct bfp8){(uint8_t)(x << 6)}, e).bits);
            assert_int_equal(fp16_from_bfp2a((struct bfp2a){x & 3}, e).bits,
                             fp16_from_bfp8a((struct bfp8a){(uint8_t)(x << 6)}, e).bits);
        }
    }
    assert_false(bfp8a_exponent_fits((struct bfp8a){0x40}, 32));
    assert_false(bfp8a_exponent_fits((struct bfp8a){0x20}, 0)); /* wraps below zero */
    assert_true(bfp8a_exponent_fits((struct bfp8a){0x80}, 255));
}

static void fp8_to_fp16(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 256; x++) {
        const uint32_t e5m2 = fp16_from_fp8_e5m2((struct fp8_e5m2){(uint8_t)x}).bits;
        const uint32_t e4m3 = fp16_from_fp8_e4m3((struct fp8_e4m3){(uint8_t)x}).bits;
        const bool ones = (x & 0x7F) == 0x7F; /* the largest stays the largest */
        assert_int_equal(e5m2, x << 8 | (ones ? 0xFF : 0));
        if (x & 0x78 && !ones) {
            assert_true(fp16_value(e4m3) == value_of(x, 4, 3));
        }
        if (!(x & 0x78)) {
            assert_int_equal(e4m3, x >> 7 << 15 | (x & 7) << 7); /* denormals keep an exponent of 0 */
        }
    }
    assert_int_equal(fp16_from_fp8_e4m3((struct fp8_e4m3){0x7F}).bits, 23 << 10 | 0x3FF);
}

/* ldexp and floor, but four billion times. */
static double power_of_two(int n)
{
    const uint64_t bits = (uint64_t)(n + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static double whole(double x)
{
    return (double)(uint64_t)x;
}

/* FP32 to FP16 of the unpackers and of the packer's late conversion. */
static void check_to_fp16(uint32_t x)
{
    const uint32_t y = fp16_from_fp32_saturate_trunc((struct fp32){x}).bits, exponent = x >> 23 & 255;
    uint32_t expected = x >> 31 << 15;
    if (exponent >= 144) {
        expected |= 0x7FFF;
    } else if (exponent >= 113) {
        const double per_bit = power_of_two(10 + 127 - (int)exponent);
        expected |= (exponent - 112) << 10 | ((uint32_t)whole(fp32_value(x & 0x7FFFFFFF) * per_bit) & 0x3FF);
    } else if (exponent == 112) {
        expected |= x >> 13 & 0x3FF; /* mishandled: the mantissa beside an exponent of 0 */
    }
    if (y != expected) {
        fail_msg("%08x gives %04x, not %04x", (unsigned)x, (unsigned)y, (unsigned)expected);
    }
}

/* Nearest with ties away, NaN to infinity, what comes out below the smallest normal number to +0. */
static void check_rounding(uint32_t x, unsigned mantissa_bits)
{
    const uint32_t y = e8_round_mantissa(x, mantissa_bits), magnitude = x & 0x7FFFFFFF;
    uint32_t expected;
    if (magnitude >= 0x7F800000) {
        expected = (x & 0x80000000u) | 0x7F800000;
    } else {
        const uint32_t exponent = magnitude >> 23 ? magnitude >> 23 : 1;
        const uint32_t significand = magnitude >> 23 ? (magnitude & 0x7FFFFF) | 0x800000 : magnitude;
        const double steps = whole(significand * power_of_two((int)mantissa_bits - 23) + 0.5);
        const double rounded = steps * power_of_two((int)exponent - 127 - (int)mantissa_bits);
        float narrow = (float)rounded; /* exact, or infinity */
        memcpy(&expected, &narrow, 4);
        expected = expected < 0x00800000 ? 0 : expected | (x & 0x80000000u);
    }
    if (y != expected) {
        fail_msg("%08x to %u bits gives %08x, not %08x", (unsigned)x, mantissa_bits, (unsigned)y, (unsigned)expected);
    }
}

static void check_all_of(uint32_t x)
{
    check_to_fp16(x);
    check_rounding(x, 10);
    check_rounding(x, 7);
    check_rounding(x, 6);
}

static void fp32_narrowed_by_arithmetic(void **state)
{
    (void)state;
    struct format_set *set = calloc(1, sizeof *set);
    assert_true(set_make(set, "edges32", FORMAT_FP32));
    for (uint32_t i = 0; i < set->count; i++) {
        check_all_of(set->datums[i]);
    }
    free(set);
}

static void fp16_rounded_by_arithmetic(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 65536; x++) {
        const double exact = fabs(fp16_value(x));
        const uint32_t flushed = e5_round_mantissa(x, 10), six = e5_round_mantissa(x, 6);
        assert_int_equal(flushed, (x & 0x7FFF) < 0x400 ? 0 : x);
        if (x & 0x7C00) {
            const double step = ldexp(1, (int)(x >> 10 & 31) - 15 - 6), nearest = floor(exact / step + 0.5) * step;
            const double largest = fp16_value(0x7FF0);
            assert_true(fabs(fp16_value(six)) == (nearest > largest ? largest : nearest));
            assert_int_equal(six & 15, 0);
            assert_int_equal(six >> 15, x >> 15);
        } else {
            assert_int_equal(six, (x & 0x7FFF) >= 0x3F8 ? (x & 0x8000) | 0x400 : 0);
        }
    }
}

static struct pack_conversion packing(unsigned intermediate, unsigned to, bool wide, bool raw)
{
    return (struct pack_conversion){.IntermediateFormat = (uint8_t)intermediate,
                                    .LateFromFormat = (uint8_t)intermediate,
                                    .LateToFormat = (uint8_t)to,
                                    .Read_32b_data = wide,
                                    .Read_raw = raw};
}

/* Read_raw, by hand from the page: identity, truncation, bitcast.  Input is given as the float, Dst has it in its own order. */
static void read_raw_keeps_or_cuts(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 65536; x++) {
        const uint32_t b = (x & 0x8000) | (x & 0x7F) << 8 | (x >> 7 & 0xFF),
                       h = (x & 0x8000) | (x & 0x3FF) << 5 | (x >> 10 & 31);
        assert_int_equal(pack_early(packing(FORMAT_BF16, FORMAT_BF16, false, true), b), x << 16);
        assert_int_equal(pack_early(packing(FORMAT_BFP8, FORMAT_BF16, false, true), b), x << 16);
        assert_int_equal(pack_early(packing(FORMAT_FP16, FORMAT_FP16, false, true), h), x);
        assert_int_equal(pack_early(packing(FORMAT_BFP8a, FORMAT_FP16, false, true), h), x & 0xFFF8);
        assert_int_equal(pack_early(packing(FORMAT_FP8, FORMAT_FP8, false, true), h), x & 0xFF00);
        assert_int_equal(pack_early(packing(FORMAT_INT8, FORMAT_INT8, false, true), h), x >> 15 << 7);
        const uint32_t word = b << 16 | 0x9234; /* FP32 x.9234 */
        assert_int_equal(pack_early(packing(FORMAT_FP32, FORMAT_FP32, true, true), word), x << 16 | 0x9234);
        assert_int_equal(pack_early(packing(FORMAT_TF32, FORMAT_FP32, true, true), word), x << 16 | 0x9234);
        assert_int_equal(pack_early(packing(FORMAT_BF16, FORMAT_BF16, true, true), word), x << 16);
        assert_int_equal(pack_early(packing(FORMAT_BFP8, FORMAT_BF16, true, true), word), x << 16);
        assert_int_equal(pack_early(packing(FORMAT_INT8, FORMAT_INT8, true, true), word), x >> 15 << 7 | 0x34);
        struct pack_conversion c = packing(FORMAT_INT8, FORMAT_INT8, true, true);
        c.Read_unsigned = true;
        assert_int_equal(pack_early(c, b << 16 | 0x92B4), 0xB4);
    }
}

/* ShiftAmount: the magnitude goes right, what falls out rounds (ties away), then saturation. */
static void descaling_integers(void **state)
{
    (void)state;
    static const uint32_t magnitudes[] = {0,   1,   2,   3,   5,   7,          8,          126,       127,
                                          128, 254, 255, 256, 511, 0x7FFFFFFF, 0x40000000, 0x3FFFFFFF};
    for (unsigned shift = 0; shift < 32; shift++) {
        for (unsigned i = 0; i < sizeof magnitudes / sizeof magnitudes[0]; i++) {
            const double rounded = floor(ldexp(magnitudes[i], -(int)shift) + 0.5);
            const uint32_t x = magnitudes[i], to127 = rounded > 127 ? 127 : (uint32_t)rounded;
            assert_int_equal(int8_from_int32_descale(x, shift), to127);
            assert_int_equal(int8_from_int32_descale(x | 0x80000000u, shift + 32), 0x80 | to127);
            assert_int_equal(uint8_from_int32_descale(x, shift), rounded > 255 ? 255 : (uint32_t)rounded);
            assert_int_equal(uint8_from_int32_descale(x | 0x80000000u, shift), 0);
        }
    }
}

/* Late conversions that no reference takes, from the tables of the page. */
static void late_by_the_tables(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 65536; x++) {
        struct pack_conversion c = packing(FORMAT_FP16, FORMAT_FP8, false, false);
        const uint32_t h = x & 0x7C00 ? x : 0;
        assert_int_equal(pack_late(c, x), h >> 8); /* e5m2: denormals flushed, mantissa truncated */
        c = packing(FORMAT_FP8, FORMAT_FP8, false, true);
        assert_int_equal(pack_late(c, x & 0xFF00), x >> 8); /* same width: denormals stay */
        c = packing(FORMAT_FP16, FORMAT_TF32, false, false);
        const uint32_t sign = x >> 15 << 31, wide = (x & 0x7FFF) << 13;
        assert_int_equal(pack_late(c, x), sign | (x & 0x7C00 ? wide + (112u << 23) : wide)); /* all bits preserved */
        c = packing(FORMAT_BF16, FORMAT_TF32, false, false);
        assert_int_equal(pack_late(c, x << 16), x << 16);
        c = packing(FORMAT_BF16, FORMAT_FP16, false, false);
        assert_int_equal(pack_late(c, x << 16), fp16_from_fp32_saturate_trunc((struct fp32){x << 16}).bits);
        c = packing(FORMAT_BF16, FORMAT_FP8, false, false);
        assert_int_equal(pack_late(c, x << 16), fp16_from_fp32_saturate_trunc((struct fp32){x << 16}).bits >> 8);
        c = packing(FORMAT_FP32, FORMAT_BF16, true, false);
        assert_int_equal(pack_late(c, x << 16 | 0xFFFF),
                         x & 0x7F80 ? x : x & 0x8000); /* narrows: truncated, denormals flushed, signs stay (cards) */
        c = packing(FORMAT_TF32, FORMAT_FP32, true, false);
        assert_int_equal(pack_late(c, x << 16), x << 16); /* widens: denormals stay */
    }
}

/* BFPa: E5M7, a shared exponent of five bits. */
static void block_floats_with_five_bits_of_exponent(void **state)
{
    (void)state;
    uint32_t words[ROW_DATUMS] = {0x3C00, 0x3BFF, 0xB800, 0x3408, 0x0400, 0x8000, 0x3FFF};
    uint8_t datums[ROW_DATUMS];
    /* 1, 1 less a bit, -0.5, 0.2510 (a tie of BFP8a at 2^0), 2^-14, -0, 2 less a bit */
    assert_int_equal(pack_late_bfp(packing(FORMAT_FP16, FORMAT_BFP8a, false, false), words, datums), 15);
    static const uint8_t eight[7] = {0x40, 0x40, 0xA0, 0x10, 0, 0, 0x7F}, four[7] = {4, 4, 0xA, 1, 0, 0, 7},
                         two[7] = {1, 1, 0, 0, 0, 0, 1};
    assert_memory_equal(datums, eight, 7);
    assert_int_equal(pack_late_bfp(packing(FORMAT_FP16, FORMAT_BFP4a, false, false), words, datums), 15);
    assert_memory_equal(datums, four, 7);
    assert_int_equal(pack_late_bfp(packing(FORMAT_FP16, FORMAT_BFP2a, false, false), words, datums), 15);
    assert_memory_equal(datums, two, 7);
    words[1] = 0x7C00; /* an exponent like others */
    assert_int_equal(pack_late_bfp(packing(FORMAT_FP16, FORMAT_BFP8a, false, false), words, datums), 31);
    assert_int_equal(datums[1], 0x40);
}

/* Denormals are zero, one rounding to nearest even; the odd results of FP16 are pinned as a reference shows them. */
static void accumulating_in_l1(void **state)
{
    (void)state;
    static const uint32_t cases[][4] = {
        {FORMAT_FP32, 0x3F800000, 0x33800000, 0x3F800000},
        {FORMAT_FP32, 0x3F800001, 0x33800000, 0x3F800002},
        {FORMAT_FP32, 0x7F800000, 0xFF800000, 0x7FC00000},
        {FORMAT_FP32, 0x00800001, 0x80800000, 0},
        {FORMAT_FP32, 0x007FFFFF, 0x007FFFFF, 0},
        {FORMAT_FP32, 0x7F7FFFFF, 0x7F7FFFFF, 0x7F800000},
        {FORMAT_FP32, 0x80000000, 0x80000000, 0x80000000},
        {FORMAT_BF16, 0x3F80, 0x3B80, 0x3F80},
        {FORMAT_BF16, 0x3F81, 0x3B80, 0x3F82},
        {FORMAT_BF16, 0x7F80, 0xFF80, 0x7FC0},
        {FORMAT_BF16, 0x7FC1, 0x3F80, 0x7F80},
        {FORMAT_BF16, 0x7FC1, 0xFF80, 0xFF80},
        {FORMAT_BF16, 0x7F7F, 0x7F7F, 0x7F80},
        {FORMAT_BF16, 0x0081, 0x8080, 0},
        {FORMAT_FP16, 0x3C00, 0x1000, 0x3C00},
        {FORMAT_FP16, 0x3C01, 0x1000, 0x3C02},
        {FORMAT_FP16, 0x7FFF, 0x7FFF, 0x7FFF},
        {FORMAT_FP16, 0x7800, 0xF800, 0x7FFF},
        {FORMAT_FP16, 0x7400, 0xF400, 0},
        {FORMAT_FP16, 0x0401, 0x8400, 0x7FFF},
        {FORMAT_FP16, 0x0600, 0x8400, 0},
        {FORMAT_INT32, 5, 0x80000007, 0x80000002},
        {FORMAT_INT32, 0x7FFFFFFF, 1, 0x7FFFFFFF},
        {FORMAT_INT32, 0xFFFFFFFF, 0x80000001, 0xFFFFFFFF},
        {FORMAT_INT32, 5, 0x80000005, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(l1_accumulate_exists(cases[i][0]));
        const uint32_t sum = l1_accumulate(cases[i][0], cases[i][1], cases[i][2]);
        if (sum != cases[i][3]) {
            fail_msg("%s: %x + %x is %x, not %x", format_name(cases[i][0]), cases[i][1], cases[i][2], sum, cases[i][3]);
        }
    }
    assert_false(l1_accumulate_exists(FORMAT_BFP8));
}

/* FP32: IEEE addition of the host, with denormals as zeros in and out and one NaN. */
static void check_fp32_sum(uint32_t x, uint32_t y)
{
    const uint32_t a = x & 0x7F800000 ? x : x & 0x80000000u, b = y & 0x7F800000 ? y : y & 0x80000000u;
    float left, right;
    uint32_t expected;
    memcpy(&left, &a, 4);
    memcpy(&right, &b, 4);
    const float sum = left + right;
    memcpy(&expected, &sum, 4);
    expected = (expected & 0x7FFFFFFF) > 0x7F800000 ? 0x7FC00000
               : expected & 0x7F800000              ? expected
                                                    : expected & 0x80000000u;
    if (l1_accumulate(FORMAT_FP32, x, y) != expected) {
        fail_msg("%08x + %08x", (unsigned)x, (unsigned)y);
    }
}

static void check_fp32_sums(uint32_t count)
{
    uint64_t random = 1;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t x = set_random(&random), r = set_random(&random);
        const uint32_t near = x ^ (r & 0x80FFFFFF) ^ (r >> 24 & 3) << 23;
        check_fp32_sum(x, i & 1 ? near : r);
    }
}

static void accumulating_fp32_is_addition(void **state)
{
    (void)state;
    check_fp32_sums(1000000);
}

/* Rows as one by one: random operands, such as lie near each other, and for BF16 one of every value. */
static void check_rows(unsigned format, uint32_t count, uint32_t (*second)(uint32_t, uint64_t *))
{
    enum { DATUMS = 40 }; /* two and a half rows of 16 */
    const unsigned size = format_bits(format) / 8;
    uint64_t random = format + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t memory[4 * DATUMS], datums[4 * DATUMS];
        uint32_t x[DATUMS], y[DATUMS];
        for (unsigned k = 0; k < DATUMS; k++) {
            x[k] = size == 2 ? (i * DATUMS + k) & 0xFFFF : set_random(&random);
            y[k] = second(x[k], &random);
            memcpy(memory + k * size, &x[k], size);
            memcpy(datums + k * size, &y[k], size);
        }
        l1_accumulate_row(format, memory, datums, DATUMS * size);
        for (unsigned k = 0; k < DATUMS; k++) {
            const uint32_t mask = size == 2 ? 0xFFFF : UINT32_MAX,
                           expected = l1_accumulate(format, x[k] & mask, y[k] & mask);
            uint32_t sum = 0;
            memcpy(&sum, datums + k * size, size);
            if (sum != expected) {
                fail_msg("%s: %x + %x is %x in a row, %x alone", format_name(format), x[k], y[k], sum, expected);
            }
        }
    }
}
static uint32_t any(uint32_t x, uint64_t *random)
{
    (void)x;
    return set_random(random);
}
static uint32_t near_bf16(uint32_t x, uint64_t *random)
{
    const uint32_t r = set_random(random);
    return x ^ (r & 0x807F) ^ (r >> 16 & 31) << 7;
}
static uint32_t near_f32(uint32_t x, uint64_t *random)
{
    const uint32_t r = set_random(random);
    return x ^ (r & 0x80FFFFFF) ^ (r >> 24 & 3) << 23;
}
/* No operand with rules of its own, so that nothing is left to the slow way. */
static uint32_t tame_bf16(uint32_t x, uint64_t *random)
{
    return near_bf16(x, random) & ~(x & 0x4000u ? 0x2000u : 0x4000u);
}

static void rows_accumulate_as_datums(void **state)
{
    (void)state;
    check_rows(FORMAT_BF16, 20000, any);
    check_rows(FORMAT_BF16, 100000, near_bf16);
    check_rows(FORMAT_BF16, 100000, tame_bf16);
    check_rows(FORMAT_FP32, 20000, any);
    check_rows(FORMAT_FP32, 50000, near_f32);
    check_rows(FORMAT_FP16, 2000, any);
    check_rows(FORMAT_INT32, 2000, any);
}

static void every_fp32_narrowed(void **state)
{
    (void)state;
    for (uint64_t x = 0; x <= UINT32_MAX; x++) {
        check_all_of((uint32_t)x);
    }
}

static void a_billion_fp32_sums(void **state)
{
    (void)state;
    check_fp32_sums(UINT32_C(1) << 30);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "all") == 0) { /* tier long */
        const struct CMUnitTest all[] = {cmocka_unit_test(every_fp32_narrowed), cmocka_unit_test(a_billion_fp32_sums)};
        return cmocka_run_group_tests(all, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_floats_mean_magnitude_times_power_of_two),
        cmocka_unit_test(fp8_to_fp16),
        cmocka_unit_test(fp32_narrowed_by_arithmetic),
        cmocka_unit_test(fp16_rounded_by_arithmetic),
        cmocka_unit_test(read_raw_keeps_or_cuts),
        cmocka_unit_test(descaling_integers),
        cmocka_unit_test(late_by_the_tables),
        cmocka_unit_test(block_floats_with_five_bits_of_exponent),
        cmocka_unit_test(accumulating_in_l1),
        cmocka_unit_test(accumulating_fp32_is_addition),
        cmocka_unit_test(rows_accumulate_as_datums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
