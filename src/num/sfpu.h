/* SPDX-License-Identifier: Apache-2.0 */
/* What the Vector Unit makes of the 32 bits in one lane (manual SFP*).  Written so that a loop over lanes can be
 * vectorised: no branches, no state. */
#ifndef KERR_NUM_SFPU_H
#define KERR_NUM_SFPU_H

#include "num/f32.h"

#include <stdbool.h>
#include <stdint.h>

/* Order of sign-magnitude integers, and of FP32 with -NaN < -infinity < ... < -0 < +0 < ... < +NaN: as signed integers
 * (SFPSWAP, SFPGT, SFPLE: SignMagIsSmaller). */
static inline int32_t sfpu_order(uint32_t x)
{
    return (int32_t)(x ^ (uint32_t)((int32_t)x >> 31) >> 1);
}

/* ---- Integers and fields ---- */

/* -2^31 stays. */
static inline uint32_t sfpu_abs_int(uint32_t x)
{
    return x & F32_SIGN ? 0u - x : x;
}
/* -NaN stays. */
static inline uint32_t sfpu_abs_float(uint32_t x)
{
    return x > 0xFF800000u ? x : x & ~F32_SIGN;
}
/* To the left by a positive amount, to the right by a negative one; five bits of its magnitude count. */
static inline uint32_t sfpu_shift(uint32_t x, uint32_t amount)
{
    const uint32_t left = x << (amount & 31), right = x >> ((0u - amount) & 31);
    return (int32_t)amount < 0 ? right : left;
}
static inline uint32_t sfpu_shift_arithmetic(uint32_t x, uint32_t amount)
{
    const uint32_t left = x << (amount & 31), right = (uint32_t)((int32_t)x >> ((0u - amount) & 31));
    return (int32_t)amount < 0 ? right : left;
}
static inline uint32_t sfpu_leading_zeros(uint32_t x)
{
    return x ? (uint32_t)__builtin_clz(x) : 32;
}
static inline uint32_t sfpu_exponent(uint32_t x)
{
    return x >> 23 & 255;
}
static inline uint32_t sfpu_with_exponent(uint32_t x, uint32_t exponent)
{
    return (x & 0x807FFFFFu) | (exponent & 255) << 23;
}
/* SFPDIVP2: infinity and NaN stay, the exponent wraps. */
static inline uint32_t sfpu_add_exponent(uint32_t x, uint32_t addend)
{
    const uint32_t sum = sfpu_with_exponent(x, sfpu_exponent(x) + addend);
    return sfpu_exponent(x) == 255 ? x : sum;
}
/* Two's complement to sign and magnitude and back, which is the same. */
static inline uint32_t sfpu_int_from_sign_magnitude(uint32_t x)
{
    return x & F32_SIGN ? F32_SIGN | (0u - x) : x;
}

/* ---- SFPCAST to FP32 ---- */

static inline uint32_t sfpu_fp32_from_sm32_truncated(uint32_t x, uint32_t *rest)
{
    const uint32_t magnitude = x & ~F32_SIGN;
    const uint32_t zeros = magnitude ? (uint32_t)__builtin_clz(magnitude) : 157;
    const uint32_t normal = magnitude << (zeros & 31);
    *rest = normal & 0x1FF;
    return (x & F32_SIGN) + ((157 - zeros) << 23) + (normal >> 8);
}
/* The host's conversion of 31 bits rounds to the nearest, too (base/host_floats.h). */
static inline uint32_t sfpu_fp32_from_sm32_nearest(uint32_t x)
{
    const union {
        float value;
        uint32_t bits;
    } magnitude = {.value = (float)(int32_t)(x & ~F32_SIGN)};
    return (x & F32_SIGN) | magnitude.bits;
}
static inline uint32_t sfpu_fp32_from_sm32_random(uint32_t x, uint32_t random)
{
    uint32_t rest;
    const uint32_t d = sfpu_fp32_from_sm32_truncated(x, &rest);
    return d + ((rest & 0xFE) > (random >> 9 & 0xFE));
}

/* ---- SFPSTOCHRND.  threshold: 23 bits, of which the bits that are cut off must not be below. ---- */

enum { SFPU_ROUND_NEAREST = 0x400000, SFPU_ROUND_ZERO = 0x7FFFFF };

/* Keeps 23 - cut bits of mantissa. */
static inline uint32_t sfpu_reduce_mantissa(uint32_t x, unsigned cut, uint32_t threshold)
{
    const uint32_t rest = x & ((1u << cut) - 1);
    const uint32_t rounded = x - rest + (rest >= threshold >> (23 - cut) ? 1u << cut : 0);
    const uint32_t special = x & 0xFF800000u;
    const uint32_t exponent = sfpu_exponent(x);
    return exponent == 0 ? 0 : exponent == 255 ? special : rounded;
}
/* FP32 to a sign-magnitude integer of at most `most`. */
static inline uint32_t sfpu_sm32_from_fp32(uint32_t x, bool keep_sign, uint32_t most, uint32_t threshold)
{
    const uint32_t sign = keep_sign ? x & F32_SIGN : 0;
    const int32_t exponent = (int32_t)sfpu_exponent(x) - 127;
    if (exponent < -1)
        return 0;
    if (exponent >= 16)
        return sign + most;
    uint64_t magnitude = 0x800000 | (x & 0x7FFFFF);
    magnitude = exponent >= 0 ? magnitude << exponent : magnitude >> -exponent;
    magnitude = (magnitude >> 23) + ((magnitude & 0x7FFFFF) >= threshold);
    if (magnitude > most)
        magnitude = most;
    return magnitude == 0 ? 0 : sign + (uint32_t)magnitude;
}
/* A sign-magnitude integer, shifted right. */
static inline uint32_t sfpu_descale(uint32_t x, unsigned amount, bool keep_sign, uint32_t most, uint32_t threshold)
{
    const uint64_t shifted = ((uint64_t)(x & ~F32_SIGN) << 23) >> amount;
    uint64_t magnitude = (shifted >> 23) + ((shifted & 0x7FFFFF) >= threshold);
    if (magnitude > most)
        magnitude = most;
    const uint32_t sign = keep_sign && magnitude != 0 ? x & F32_SIGN : 0;
    return sign + (uint32_t)magnitude;
}

/* AdvancePRNG (manual VectorUnit): the state after this one. */
static inline uint32_t sfpu_prng_next(uint32_t state)
{
    const uint32_t taps = state >> 31 ^ state >> 21 ^ state >> 1 ^ state;
    return ~taps << 31 | state >> 1;
}

/* ---- Tables of SFPLUT and SFPLUTFP32 ---- */

static inline uint32_t sfpu_lut8(uint32_t x)
{
    const uint32_t value = (x & 0x80) << 24 | (127 - (x >> 4 & 7)) << 23 | (x & 15) << 19;
    return (x & 0xFF) == 0xFF ? 0 : value;
}
static inline uint32_t sfpu_lut16(uint32_t x)
{
    const uint32_t exponent = x >> 10 & 31;
    return (x & 0x8000) << 16 | (exponent == 31 ? 0 : 112 + exponent) << 23 | (x & 0x3FF) << 13;
}

/* ---- SFPMUL24 ---- */

static inline uint32_t sfpu_mul23_low(uint32_t a, uint32_t b)
{
    return a * b & 0x7FFFFF;
}
static inline uint32_t sfpu_mul23_high(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)(a & 0x7FFFFF) * (b & 0x7FFFFF) >> 23);
}
/* What the adder behind the multiplier makes of an addend that is not zero (Mul24ShiftAdd). */
static inline uint32_t sfpu_mul24_shift_add(uint32_t product, uint32_t z)
{
    enum { PRODUCT_EXPONENT = 129 };
    const uint32_t exponent = sfpu_exponent(z);
    if (exponent == 0)
        return product;
    const uint32_t larger = exponent > PRODUCT_EXPONENT ? exponent : PRODUCT_EXPONENT;
    const unsigned shift = (larger - exponent) & 31;
    const uint32_t addend = (0x800000 | (z & 0x7FFFFF)) << 3;
    const uint32_t kept = addend >> shift;
    product >>= (larger - PRODUCT_EXPONENT) & 31;
    if (kept == 0)
        return product;
    const uint32_t carry = (kept << shift ^ addend) > 0xFFFF ? 0x10000 : 0;
    return (product + kept + carry) & 0x7FFFFF;
}

/* ---- SFPARECIP: of a magnitude ---- */

uint32_t sfpu_approximate_reciprocal(uint32_t x);
/* Its table: seven bits of mantissa, by those of x. */
enum { SFPU_RECIPROCALS = 128 };
extern const uint8_t sfpu_reciprocals[SFPU_RECIPROCALS];
uint32_t sfpu_approximate_exponential(uint32_t x);

#endif
