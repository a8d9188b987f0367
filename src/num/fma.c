/* SPDX-License-Identifier: Apache-2.0 */
/* The Blackhole multiply-add (manual Miscellaneous/FMA, the Blackhole model).  In words:
 * 1. Denormal inputs are zero.
 * 2. The 48-bit product is cut to 28 bits: FP32 precision, one carry bit, three round bits, the last one sticky.
 * 3. A product whose exponent field (before the carry) is 255 or more is infinite; below 0 it is zero.
 * 4. The smaller addend is shifted right; its sticky bit survives only if some other bit of it does.
 * 5. The sum is normalised and rounded to nearest even.  Below the normal range it is shifted by one more place,
 *    however far below it is, rounded, and flushed unless rounding carried it up to the smallest normal number.
 * The manual gives no exception flags; those are the RISC-V F chapter's (docs/baby-float.md). */
#include "num/fma.h"

/* Right shift that keeps "something was cut off" in bit 0. */
static uint32_t shift_sticky(uint32_t value, unsigned amount)
{
    uint32_t kept = value >> amount;
    return kept | ((kept << amount) != value);
}

/* Rule 4. */
static uint32_t align(uint32_t value, int amount, bool *inexact)
{
    uint32_t kept = amount < 32 ? value >> amount : 0;
    bool cut = kept == 0 ? value != 0 : (kept << amount) != value;
    *inexact |= cut;
    return kept ? kept | cut : 0;
}

static fma_sum final(uint32_t bits, uint32_t flags)
{
    return (fma_sum){.is_final = true, .bits = bits, .flags = flags};
}

fma_sum fma_sum_f32(uint32_t x, uint32_t y, uint32_t z)
{
    int x_exponent = (int)(x >> 23 & 255);
    int y_exponent = (int)(y >> 23 & 255);
    int z_exponent = (int)(z >> 23 & 255);
    uint32_t x_significand = x_exponent ? (x & 0x007fffffu) | 0x00800000u : 0;
    uint32_t y_significand = y_exponent ? (y & 0x007fffffu) | 0x00800000u : 0;
    uint32_t z_significand = z_exponent ? ((z & 0x007fffffu) | 0x00800000u) << FMA_ROUND_BITS : 0;
    uint32_t product_sign = (x ^ y) & F32_SIGN;
    uint32_t z_sign = z & F32_SIGN;

    uint64_t exact = (uint64_t)x_significand * y_significand;
    uint32_t product = (uint32_t)(exact >> 20) | ((exact & 0xfffff) != 0);
    int product_exponent = x_exponent + y_exponent - 127;

    if (x_exponent == 255 || y_exponent == 255 || z_exponent == 255 || product_exponent >= 255) {
        bool infinite_factor = x_exponent == 255 || y_exponent == 255;
        bool signaling = f32_is_signaling(x) || f32_is_signaling(y) || f32_is_signaling(z);
        bool zero_times_infinity = infinite_factor && !f32_is_nan(x) && !f32_is_nan(y) && exact == 0;
        if (f32_is_nan(x) || f32_is_nan(y) || f32_is_nan(z) || zero_times_infinity) {
            return final(F32_NAN, signaling || zero_times_infinity ? F32_INVALID : 0);
        }
        if (z_exponent == 255) {
            /* A product that merely overflows does not cancel an infinite z. */
            return infinite_factor && product_sign != z_sign ? final(F32_NAN, F32_INVALID) : final(z, 0);
        }
        fma_sum infinity = final(product_sign | F32_INFINITY, 0);
        infinity.is_overflow = !infinite_factor;
        return infinity;
    }

    if (product == 0 || product_exponent < 0) {
        fma_sum only_z = final(z_significand ? z : z_sign & product_sign, 0);
        only_z.inexact = product != 0;
        return only_z;
    }

    bool inexact = (exact & 0xfffff) != 0;
    int exponent = product_exponent > z_exponent ? product_exponent : z_exponent;
    product = align(product, exponent - product_exponent, &inexact);
    z_significand = align(z_significand, exponent - z_exponent, &inexact);
    uint32_t sign = product >= z_significand ? product_sign : z_sign;
    uint32_t sum;
    if (product_sign == z_sign) {
        sum = product + z_significand;
    } else {
        sum = product >= z_significand ? product - z_significand : z_significand - product;
    }
    if (sum == 0) {
        return final(z_sign & product_sign, 0);
    }

    int excess = 5 - __builtin_clz(sum); /* places that the leading bit is above bit 26 */
    uint32_t significand = excess > 0 ? shift_sticky(sum, (unsigned)excess) : sum << -excess;
    return (fma_sum){.inexact = inexact, .bits = sign, .exponent = exponent + excess, .significand = significand};
}

uint32_t fma_f32(uint32_t x, uint32_t y, uint32_t z, uint32_t *flags)
{
    fma_sum sum = fma_sum_f32(x, y, z);
    if (sum.is_final) {
        *flags |= sum.flags | (sum.inexact ? F32_UNDERFLOW | F32_INEXACT : 0) |
                  (sum.is_overflow ? F32_OVERFLOW | F32_INEXACT : 0);
        return sum.bits;
    }
    if (sum.exponent >= 255) {
        *flags |= F32_OVERFLOW | F32_INEXACT;
        return sum.bits | F32_INFINITY;
    }
    uint32_t field = 0;
    uint32_t significand = sum.significand;
    if (sum.exponent > 0) {
        field = (uint32_t)sum.exponent << 23;
    } else {
        significand = shift_sticky(significand, 1); /* rule 5: one place, however deep */
    }
    uint32_t rest = significand & 7;
    uint32_t result = field + (significand >> FMA_ROUND_BITS & 0x007fffffu);
    result += rest + (result & 1) > 4;
    *flags |= rest || sum.inexact ? F32_INEXACT : 0;
    if (result >= F32_INFINITY) {
        *flags |= F32_OVERFLOW;
    } else if (result < 0x00800000u) {
        *flags |= F32_UNDERFLOW | F32_INEXACT;
        result = 0;
    }
    return sum.bits | result;
}
