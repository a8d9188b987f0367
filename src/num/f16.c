/* SPDX-License-Identifier: Apache-2.0 */
/* FP16 and BF16 of the baby cores (manual BabyRISCV/InstructionSet "Zfh", CSRs EnBFloat and EnBFloatRTNE).
 * OPEN: the manual gives no bit-exact model of the 16-bit arithmetic.  We take the FP32 multiply-add and round its
 * unrounded sum once, to the 16-bit format; towards zero, overflow gives the largest number.  Would settle it: a
 * sweep of fmadd.h, and of fadd.h in BF16 mode with EnBFloatRTNE clear, on a card. */
#include "num/f16.h"

#include "num/fma.h"

/* Significand bits below the leading one, and exponent bias. */
static unsigned fraction_bits(f16_format format)
{
    return format == F16_HALF ? 10 : 7;
}

static int bias(f16_format format)
{
    return format == F16_HALF ? 15 : 127;
}

static uint16_t infinity(f16_format format)
{
    return format == F16_HALF ? 0x7c00 : 0x7f80;
}

uint16_t f16_nan(f16_format format)
{
    return format == F16_HALF ? 0x7e00 : 0x7fc0;
}

uint16_t f16_flush(uint16_t x, f16_format format)
{
    return x & infinity(format) ? x : x & 0x8000;
}

uint32_t f16_to_f32(uint16_t x, f16_format format)
{
    if (format == F16_BFLOAT) {
        return (uint32_t)x << 16;
    }
    uint32_t sign = (uint32_t)(x & 0x8000) << 16;
    uint32_t magnitude = x & 0x7fff;
    if (magnitude >= 0x7c00) {
        return sign | F32_INFINITY | (magnitude & 0x3ff) << 13;
    }
    if (magnitude >= 0x0400) {
        return sign | ((magnitude << 13) + (112u << 23));
    }
    if (magnitude == 0) {
        return sign;
    }
    unsigned top = 31 - (unsigned)__builtin_clz(magnitude); /* value is magnitude * 2^-24 */
    return sign | ((top + 103) << 23) | (magnitude << (23 - top) & 0x007fffffu);
}

/* significand has its leading one at bit 31 and its lowest bit sticky; exponent is biased by 127. */
static uint16_t round_to(uint32_t sign, int exponent, uint32_t significand, bool inexact, f16_format format,
                         f32_rounding rounding, uint32_t *flags)
{
    int field = exponent - 127 + bias(format);
    unsigned cut = 31 - fraction_bits(format);
    if (field <= 0) { /* to the denormal grid, so that rounding can carry into the smallest normal */
        unsigned shift = field < -30 ? 31 : (unsigned)(1 - field);
        uint32_t kept = significand >> shift;
        significand = kept | ((kept << shift) != significand);
        field = 0;
    }
    uint32_t rest = significand & ((1u << cut) - 1);
    uint32_t half = 1u << (cut - 1);
    uint32_t fraction = significand >> cut & ((1u << fraction_bits(format)) - 1);
    uint32_t result = ((uint32_t)field << fraction_bits(format)) + fraction;
    if (rounding == F32_NEAREST_EVEN) {
        result += rest > half || (rest == half && (result & 1));
    }
    *flags |= rest || inexact ? F32_INEXACT : 0;
    if (result >= infinity(format)) {
        *flags |= F32_OVERFLOW | F32_INEXACT;
        result = (uint32_t)infinity(format) - (rounding == F32_TOWARDS_ZERO);
    } else if (result >> fraction_bits(format) == 0) {
        *flags |= F32_UNDERFLOW | F32_INEXACT;
        result = 0;
    }
    return (uint16_t)(sign >> 16 | result);
}

uint16_t f16_from_f32(uint32_t x, f16_format format, f32_rounding rounding, uint32_t *flags)
{
    if (f32_is_nan(x)) {
        *flags |= f32_is_signaling(x) ? F32_INVALID : 0;
        return f16_nan(format);
    }
    uint16_t sign = (uint16_t)((x & F32_SIGN) >> 16);
    if ((x & ~F32_SIGN) == F32_INFINITY) {
        return sign | infinity(format);
    }
    if (f32_is_denormal_or_zero(x)) {
        return sign;
    }
    uint32_t significand = (x & 0x007fffffu) << 8 | F32_SIGN;
    return round_to(x & F32_SIGN, (int)(x >> 23 & 255), significand, false, format, rounding, flags);
}

uint16_t f16_from_int(uint32_t x, bool is_signed, f16_format format, f32_rounding rounding, uint32_t *flags)
{
    if (x == 0) {
        return 0;
    }
    uint32_t sign = is_signed ? x & F32_SIGN : 0;
    uint32_t magnitude = sign ? 0 - x : x;
    int zeros = __builtin_clz(magnitude);
    return round_to(sign, 158 - zeros, magnitude << zeros, false, format, rounding, flags);
}

uint16_t f16_fma(uint16_t x, uint16_t y, uint16_t z, f16_format format, f32_rounding rounding, uint32_t *flags)
{
    fma_sum sum = fma_sum_f32(f16_to_f32(f16_flush(x, format), format), f16_to_f32(f16_flush(y, format), format),
                              f16_to_f32(f16_flush(z, format), format));
    if (!sum.is_final) {
        return round_to(sum.bits, sum.exponent, sum.significand << 5, sum.inexact, format, rounding, flags);
    }
    *flags |= sum.flags | (sum.inexact ? F32_UNDERFLOW | F32_INEXACT : 0);
    if (sum.is_overflow) { /* BF16 only: two FP16 factors stay far below 2^128 */
        *flags |= F32_OVERFLOW | F32_INEXACT;
        return (uint16_t)((sum.bits >> 16 & 0x8000) | ((uint32_t)infinity(format) - (rounding == F32_TOWARDS_ZERO)));
    }
    return f16_from_f32(sum.bits, format, rounding, flags); /* exact */
}
