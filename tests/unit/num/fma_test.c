/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/num/fma.c src/num/f32.c */
/* The Blackhole multiply-add against a second model, written one bit at a time from the manual's words
 * (Miscellaneous/FMA), and against the host's IEEE arithmetic where the two must agree. */
#include "num/fma.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
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

/* ---- The second model ---- */

typedef struct number {
    bool negative, nan, infinite;
    int exponent;   /* the field */
    uint64_t whole; /* significand with its leading one, 0 for zero and denormals */
} number;

static number unpack(uint32_t x)
{
    number n = {.negative = x >> 31, .exponent = (int)(x >> 23 & 255)};
    n.nan = n.exponent == 255 && (x & 0x7fffff);
    n.infinite = n.exponent == 255 && !n.nan;
    n.whole = n.exponent ? (x & 0x7fffff) + 0x800000 : 0;
    return n;
}

/* Halves a value that has a sticky bit at its low end. */
static uint64_t halve(uint64_t value)
{
    return value / 2 | (value & 1);
}

/* Shifts an addend; a value that vanishes vanishes with its sticky bit. */
static uint64_t align(uint64_t value, int places)
{
    uint64_t cut = places < 40 ? value >> places : 0;
    if (cut == 0) {
        return 0;
    }
    for (; places > 0; places--) {
        value = halve(value);
    }
    return value;
}

static uint32_t model(uint32_t x_bits, uint32_t y_bits, uint32_t z_bits)
{
    number x = unpack(x_bits), y = unpack(y_bits), z = unpack(z_bits);
    bool negative = x.negative != y.negative;
    uint32_t sign = negative ? 0x80000000 : 0;
    uint32_t z_sign = z.negative ? 0x80000000 : 0;
    bool product_infinite = x.infinite || y.infinite;
    if (x.nan || y.nan || z.nan || (product_infinite && (x.whole == 0 || y.whole == 0)) ||
        (product_infinite && z.infinite && negative != z.negative)) {
        return 0x7fc00000;
    }
    if (z.infinite) {
        return z_bits;
    }
    int exponent = x.exponent + y.exponent - 127;
    if (product_infinite || exponent >= 255) {
        return sign | 0x7f800000;
    }
    uint64_t product = x.whole * y.whole * 8;
    for (int i = 0; i < 23; i++) {
        product = halve(product);
    }
    uint64_t addend = z.whole * 8;
    if (product == 0 || exponent < 0) {
        return addend ? z_bits : sign & z_sign;
    }
    if (exponent < z.exponent) {
        product = align(product, z.exponent - exponent);
        exponent = z.exponent;
    } else {
        addend = align(addend, exponent - z.exponent);
    }
    int64_t sum = (negative ? -(int64_t)product : (int64_t)product) + (z.negative ? -(int64_t)addend : (int64_t)addend);
    if (sum == 0) {
        return sign & z_sign;
    }
    sign = sum < 0 ? 0x80000000 : 0;
    uint64_t magnitude = (uint64_t)(sum < 0 ? -sum : sum);
    while (magnitude >= 1u << 27) {
        magnitude = halve(magnitude);
        exponent++;
    }
    while (magnitude < 1u << 26) {
        magnitude *= 2;
        exponent--;
    }
    if (exponent >= 255) {
        return sign | 0x7f800000;
    }
    if (exponent <= 0) {
        magnitude = halve(magnitude);
        exponent = 0;
    }
    uint64_t kept = magnitude / 8 % 0x800000 + (uint64_t)exponent * 0x800000;
    uint64_t rest = magnitude % 8;
    if (rest > 4 || (rest == 4 && kept % 2 == 1)) {
        kept++;
    }
    return sign | (kept < 0x800000 ? 0 : (uint32_t)kept);
}

/* ---- Inputs ---- */

static const uint32_t edges[] = {0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000,
                                 0x01800000, 0x33800000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fffffff, 0x40000000,
                                 0x4b800000, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
#define EDGE_COUNT (sizeof edges / sizeof *edges)

static uint32_t signed_edge(unsigned i)
{
    return edges[i / 2] | (i & 1 ? 0x80000000 : 0);
}

static uint32_t pick(void)
{
    uint32_t sign = random_word() & 0x80000000;
    switch (random_word() % 6) {
    case 0: return signed_edge(random_word() % (2 * EDGE_COUNT));
    case 1: return sign | (random_word() % 8) << 23 | (random_word() & 0x7fffff);
    case 2: return sign | (60 + random_word() % 8) << 23 | (random_word() & 0x7fffff);
    case 3: return sign | (120 + random_word() % 16) << 23 | (0x7fffff ^ (random_word() & random_word() & 0xff));
    case 4:
        return sign | (120 + random_word() % 16) << 23 | (random_word() & 0x7fffff & 0xffffffff << random_word() % 24);
    default: return random_word();
    }
}

static void expect(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t flags = 0;
    uint32_t got = fma_f32(x, y, z, &flags);
    if (got != model(x, y, z)) {
        fail_msg("%08x * %08x + %08x: got %08x, model %08x", x, y, z, got, model(x, y, z));
    }
}

/* ---- Tests ---- */

static void edges_times_edges(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 2 * EDGE_COUNT; i++) {
        for (unsigned j = 0; j < 2 * EDGE_COUNT; j++) {
            for (unsigned k = 0; k < 2 * EDGE_COUNT; k++) {
                expect(signed_edge(i), signed_edge(j), signed_edge(k));
            }
        }
    }
}

static void edges_times_random(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 3000000; i++) {
        expect(pick(), pick(), pick());
    }
}

/* The addend nearly cancels the product: the cut product shows in the result. */
static void cancellation(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 1000000; i++) {
        uint32_t x = pick(), y = pick();
        uint32_t z = (model(x, y, 0x80000000) ^ 0x80000000) + random_word() % 9 - 4;
        expect(x, y, z);
    }
}

/* Hand-computed: (1 + 2^-23)^2 - 1 - 2^-22 is 2^-46; the product keeps 2^-26 at the lowest, as a sticky bit. */
static void product_is_cut_to_three_bits(void **unused)
{
    (void)unused;
    uint32_t flags = 0;
    assert_int_equal(fma_f32(0x3f800001, 0x3f800001, 0xbf800002, &flags), 0x32800000);
    assert_int_equal(flags, F32_INEXACT);
}

static void product_overflow_is_infinite_whatever_z_is(void **unused)
{
    (void)unused;
    uint32_t flags = 0;
    assert_int_equal(fma_f32(0x7f000000, 0x40800000, 0xff7fffff, &flags), 0x7f800000);
    assert_int_equal(flags, F32_OVERFLOW | F32_INEXACT);
    flags = 0;
    assert_int_equal(fma_f32(0x7f000000, 0x40800000, 0xff800000, &flags), 0xff800000);
    assert_int_equal(flags, 0);
}

static void product_underflow_leaves_z(void **unused)
{
    (void)unused;
    uint32_t flags = 0;
    assert_int_equal(fma_f32(0x20000000, 0x1f000000, 0x3f800000, &flags), 0x3f800000);
    assert_int_equal(flags, F32_UNDERFLOW | F32_INEXACT);
}

/* Deep below the normal range the hardware shifts by one place only, so that a sum of all ones, here just under 2^-127,
 * is rounded up to the smallest normal number. */
static void deep_underflow_shifts_one_place(void **unused)
{
    (void)unused;
    uint32_t flags = 0;
    double exact = (double)as_float(0x3f800062) * as_float(0x00bfff6d) - 0x1p-126;
    assert_true(exact > 0 && exact < 0x1p-127);
    assert_int_equal(fma_f32(0x3f800062, 0x00bfff6d, 0x80800000, &flags), 0x00800000);
    assert_int_equal(fma_f32(0x3f800062, 0x00bfff6d, 0x80800001, &flags), 0x00000000);
}

/* Sums are IEEE sums but for the denormals. */
static void add_is_ieee_with_flushed_denormals(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 3000000; i++) {
        uint32_t x = pick(), y = pick(), flags = 0;
        volatile float host = as_float(f32_flush(x)) + as_float(f32_flush(y));
        uint32_t want = f32_is_nan(as_bits(host)) ? F32_NAN : f32_flush(as_bits(host));
        uint32_t got = fma_f32_add(x, y, &flags);
        if (got != want) {
            fail_msg("%08x + %08x: got %08x, host %08x", x, y, got, want);
        }
    }
}

/* Products are IEEE products rounded at the denormal grid, then flushed. */
static void mul_is_ieee_with_flushed_denormals(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 3000000; i++) {
        uint32_t x = pick(), y = pick(), flags = 0;
        volatile float host = as_float(f32_flush(x)) * as_float(f32_flush(y));
        uint32_t want = f32_is_nan(as_bits(host)) ? F32_NAN : f32_flush(as_bits(host));
        uint32_t got = fma_f32_mul(x, y, &flags);
        if (got != want) {
            fail_msg("%08x * %08x: got %08x, host %08x", x, y, got, want);
        }
    }
}

/* With a product of at most 24 bits nothing is cut, and the sum is the fused one. */
static void short_products_are_fused(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 2000000; i++) {
        uint32_t x = (random_word() & 0x80000000) | (100 + random_word() % 50) << 23 | (random_word() & 0x7ff000);
        uint32_t y = (random_word() & 0x80000000) | (100 + random_word() % 50) << 23 | (random_word() & 0x7ff000);
        uint32_t z = (random_word() & 0x80000000) | (80 + random_word() % 90) << 23 | (random_word() & 0x7fffff);
        uint32_t flags = 0;
        uint32_t want = as_bits(fmaf(as_float(x), as_float(y), as_float(z)));
        uint32_t got = fma_f32(x, y, z, &flags);
        if (got != want) {
            fail_msg("%08x * %08x + %08x: got %08x, host %08x", x, y, z, got, want);
        }
    }
}

static void flags_follow_the_f_chapter(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t x, y, z, flags;
    } rows[] = {
        {0x3f800000, 0x3f800000, 0x3f800000, 0},                           /* exact */
        {0x3f800000, 0x3f800000, 0x33000000, F32_INEXACT},                 /* 1 + 2^-25 */
        {0x7f7fffff, 0x3f800000, 0x7f7fffff, F32_OVERFLOW | F32_INEXACT},  /* sum overflows */
        {0x00800000, 0x3f000000, 0x00000000, F32_UNDERFLOW | F32_INEXACT}, /* result flushed */
        {0x00000001, 0x3f800000, 0x00000000, 0},                           /* a denormal input is silently zero */
        {0x7f800000, 0x00000000, 0x3f800000, F32_INVALID},                 /* infinity times zero */
        {0x7f800000, 0x00000001, 0x7fc00000, F32_INVALID},                 /* also with a NaN to add */
        {0x7f800000, 0x3f800000, 0xff800000, F32_INVALID},                 /* infinity less infinity */
        {0x7fc00000, 0x3f800000, 0x3f800000, 0},                           /* quiet NaN */
        {0x3f800000, 0x7f800001, 0x3f800000, F32_INVALID},                 /* signaling NaN */
        {0x7f800000, 0x3f800000, 0x3f800000, 0},                           /* infinity is exact */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t flags = 0;
        fma_f32(rows[i].x, rows[i].y, rows[i].z, &flags);
        if (flags != rows[i].flags) {
            fail_msg("%08x * %08x + %08x: flags %02x, want %02x", rows[i].x, rows[i].y, rows[i].z, flags,
                     rows[i].flags);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_times_edges),
        cmocka_unit_test(edges_times_random),
        cmocka_unit_test(cancellation),
        cmocka_unit_test(product_is_cut_to_three_bits),
        cmocka_unit_test(product_overflow_is_infinite_whatever_z_is),
        cmocka_unit_test(product_underflow_leaves_z),
        cmocka_unit_test(deep_underflow_shifts_one_place),
        cmocka_unit_test(add_is_ieee_with_flushed_denormals),
        cmocka_unit_test(mul_is_ieee_with_flushed_denormals),
        cmocka_unit_test(short_products_are_fused),
        cmocka_unit_test(flags_follow_the_f_chapter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
