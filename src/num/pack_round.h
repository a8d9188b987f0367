/* SPDX-License-Identifier: Apache-2.0 */
/* Narrowing as the packer does it: to nearest with ties away from zero, on its words (num/pack_convert.h). */
#ifndef KERR_NUM_PACK_ROUND_H
#define KERR_NUM_PACK_ROUND_H

#include "num/formats.h"

/* x: an FP32; mantissa_bits: 10, 7 or 6.  NaN becomes infinity first; a result that is denormal or zero becomes +0 (manual
 * Packers/FormatConversion, "Rounding"; that it is the result which counts, so that the last half step below the smallest
 * normal number is rounded up to it, is from a reference). */
static inline uint32_t e8_round_mantissa(uint32_t x, unsigned mantissa_bits)
{
    const uint32_t sign = x & 0x80000000u;
    const uint32_t magnitude = (x & 0x7FFFFFFFu) > 0x7F800000u ? 0x7F800000u : x & 0x7FFFFFFFu;
    const unsigned cut = 23 - mantissa_bits;
    const uint32_t rounded = (magnitude + (UINT32_C(1) << (cut - 1))) >> cut << cut;
    return rounded < 0x00800000u ? 0 : sign | rounded;
}
/* The same from BF16 in Dst, where denormals are flushed before they are rounded. */
static inline uint32_t e8_flush_round_mantissa(uint32_t x, unsigned mantissa_bits)
{
    return x & 0x7F800000u ? e8_round_mantissa(x, mantissa_bits) : 0;
}

/* x: an FP16; mantissa_bits: 10 or 6.  There is no infinity: what would be rounded up past the largest becomes the largest.  A
 * result that is denormal or zero becomes +0. */
static inline uint32_t e5_round_mantissa(uint32_t x, unsigned mantissa_bits)
{
    const uint32_t sign = x & 0x8000u;
    const uint32_t magnitude = x & 0x7FFFu;
    const unsigned cut = 10 - mantissa_bits;
    const uint32_t rounded = cut == 0 ? magnitude : (magnitude + (1u << (cut - 1))) >> cut << cut;
    const uint32_t finite = rounded > 0x7FFFu ? 0x7FFFu >> cut << cut : rounded;
    return finite < 0x0400u ? 0 : sign | finite;
}

/* Late, with Pac_LF8_4b_exp.  Below 2^-6 zero of the same sign, from 2^9 on all ones, the mantissa truncated (the pages do not have it). */
static inline struct fp8_e4m3 fp8_e4m3_from_fp16(struct fp16 x)
{
    const uint32_t sign = x.bits >> 8 & 0x80u;
    const uint32_t magnitude = x.bits & 0x7FFFu;
    const uint32_t kept = (magnitude >> 7) - (8u << 3);
    const uint32_t large = magnitude >= 24u << 10 ? 0x7Fu : kept;
    return (struct fp8_e4m3){(uint8_t)(sign | (magnitude < 9u << 10 ? 0 : large))};
}

/* Shift the magnitude right, round with what was shifted out, saturate. */
static inline uint32_t descale(uint32_t magnitude, unsigned shift)
{
    return shift == 0 ? magnitude : (magnitude >> shift) + (magnitude >> (shift - 1) & 1);
}
static inline uint32_t int8_from_int32_descale(uint32_t x, unsigned ShiftAmount)
{
    const uint32_t magnitude = descale(x & 0x7FFFFFFFu, ShiftAmount & 31);
    return (x >> 24 & 0x80) | (magnitude > 127 ? 127 : magnitude);
}
static inline uint32_t uint8_from_int32_descale(uint32_t x, unsigned ShiftAmount)
{
    const uint32_t magnitude = descale(x & 0x7FFFFFFFu, ShiftAmount & 31);
    return x >> 31 ? 0 : magnitude > 255 ? 255 : magnitude;
}

/* x: sign, 8 bits of exponent, 7 of mantissa (BF16, or an E5M7 so aligned); exponent: that of the block.  To BFP8 by rounding, then to BFP4
 * (cut = 4) or BFP2 (cut = 6) by truncation.  A magnitude of 0 has no sign, for that would be a huge number. */
static inline uint8_t bfp_from_bf16(uint16_t x, uint32_t exponent, unsigned cut)
{
    const uint32_t own = x >> 7 & 0xFF;
    const uint32_t significand = own ? (x & 0x7Fu) | 0x80u : 0;
    const unsigned shift = exponent - own > 8 ? 9 : exponent - own + 1;
    const uint32_t rounded = (significand + (1u << (shift - 1))) >> shift;
    const uint32_t magnitude = (rounded > 127 ? 127 : rounded) >> cut;
    return (uint8_t)(magnitude ? ((uint32_t)x >> 15 << 7 >> cut) | magnitude : 0);
}

#endif
