/* SPDX-License-Identifier: Apache-2.0 */
/* The manual names the four adders and no bits of them; INT32 saturates.  What is here of the other three is what a reference shows
 * (docs/formats.md, "L1 accumulate"); tests/vectors/formats.vec pins it. */
#include "num/l1_accumulate.h"

#include "num/f32.h"
#include "num/fma.h"

enum { LEADING = 40 }; /* far enough above the 8 or 11 bits of a result for one sticky bit to round exactly */

struct wide { /* significand * 2^(exponent - LEADING), its leading one at bit LEADING; zero has no significand */
    uint64_t significand;
    int32_t exponent;
    uint32_t sign;
};

bool l1_accumulate_exists(unsigned format)
{
    return format_in(format, FORMAT_SET(FORMAT_FP32) | FORMAT_SET(FORMAT_INT32) | FORMAT_SET(FORMAT_FP16) |
                                 FORMAT_SET(FORMAT_BF16));
}

/* Denormals are zero, the largest exponent is one like others. */
static struct wide widen(uint32_t x, unsigned mantissa_bits)
{
    const uint32_t magnitude = x & 0x7FFF, exponent = magnitude >> mantissa_bits;
    const uint64_t fraction = (magnitude & ((1u << mantissa_bits) - 1)) | 1u << mantissa_bits;
    return (struct wide){exponent ? fraction << (LEADING - mantissa_bits) : 0, (int32_t)exponent, x >> 15 & 1};
}

static uint64_t shift_right_sticky(uint64_t x, int32_t count)
{
    if (count > LEADING + 1) {
        return x != 0;
    }
    return x >> count | ((x & ((UINT64_C(1) << count) - 1)) != 0);
}

static struct wide sum_of(struct wide a, struct wide b)
{
    if (a.significand == 0 || b.significand == 0) {
        const bool both = a.significand == b.significand;
        return both ? (struct wide){0, 0, a.sign & b.sign} : a.significand ? a : b;
    }
    if (b.exponent > a.exponent || (b.exponent == a.exponent && b.significand > a.significand)) {
        const struct wide larger = b;
        b = a;
        a = larger;
    }
    const uint64_t aligned = shift_right_sticky(b.significand, a.exponent - b.exponent);
    a.significand = a.sign == b.sign ? a.significand + aligned : a.significand - aligned;
    if (a.significand == 0) {
        return (struct wide){0, 0, 0};
    }
    const int32_t up = __builtin_clzll(a.significand) - (63 - LEADING); /* -1 to LEADING */
    a.significand = up < 0 ? shift_right_sticky(a.significand, 1) : a.significand << up;
    a.exponent -= up;
    return a;
}

/* Exponent and mantissa, to nearest even; a carry goes into the exponent. */
static uint32_t round_magnitude(struct wide x, unsigned mantissa_bits)
{
    const unsigned cut = LEADING - mantissa_bits;
    const uint64_t rest = x.significand & ((UINT64_C(1) << cut) - 1), half = UINT64_C(1) << (cut - 1);
    const uint32_t fraction = (uint32_t)(x.significand >> cut) & ((1u << mantissa_bits) - 1);
    const uint32_t kept = ((uint32_t)x.exponent << mantissa_bits) + fraction;
    return kept + (rest > half || (rest == half && kept & 1));
}

/* Zero is what is below the smallest normal number before it is rounded.  A NaN in memory is larger than every number, but not than
 * infinity; a NaN that is added is a number with exponent 255. */
static uint32_t add_bf16(uint32_t memory, uint32_t datum)
{
    const uint32_t infinity = 0x7F80, of_memory = memory & 0x7FFF, of_datum = datum & 0x7FFF;
    if (of_memory == infinity && of_datum == infinity && memory != datum) {
        return 0x7FC0;
    }
    if (of_datum == infinity) {
        return datum;
    }
    if (of_memory >= infinity) {
        return (memory & 0x8000) | infinity;
    }
    const struct wide sum = sum_of(widen(memory, 7), widen(datum, 7));
    if (sum.significand == 0 || sum.exponent <= 0) {
        return sum.sign << 15;
    }
    return sum.sign << 15 | (sum.exponent >= 255 ? infinity : round_magnitude(sum, 7));
}

/* No infinity, no NaN: what is too large is the largest number.  Two results are as they are in hardware and not as anyone wants them:
 * below the range the largest number comes out (but zero in the last binade below it), and so it does when numbers of the
 * two highest binades cancel exactly. */
static uint32_t add_fp16(uint32_t memory, uint32_t datum)
{
    const struct wide sum = sum_of(widen(memory, 10), widen(datum, 10));
    if (sum.significand == 0) {
        return sum.sign << 15 | ((memory >> 10 & 31) >= 30 ? 0x7FFF : 0);
    }
    if (sum.exponent <= 0) {
        return sum.sign << 15 | (sum.exponent < 0 ? 0x7FFF : 0);
    }
    const uint32_t magnitude = round_magnitude(sum, 10);
    return sum.sign << 15 | (magnitude > 0x7FFF ? 0x7FFF : magnitude);
}

/* Saturates at the largest magnitude.  OPEN: the manual says no more, a reference refuses; we give +0 for zero.  Would settle it: a
 * card. */
static uint32_t add_int32(uint32_t x, uint32_t y)
{
    const int64_t a = x >> 31 ? -(int64_t)(x & 0x7FFFFFFFu) : x, b = y >> 31 ? -(int64_t)(y & 0x7FFFFFFFu) : y;
    const int64_t sum = a + b;
    const uint64_t magnitude = (uint64_t)(sum < 0 ? -sum : sum);
    return (sum < 0 ? 0x80000000u : 0) | (uint32_t)(magnitude > 0x7FFFFFFFu ? 0x7FFFFFFFu : magnitude);
}

uint32_t l1_accumulate(unsigned format, uint32_t memory, uint32_t datum)
{
    uint32_t flags = 0;
    switch (format) {
    case FORMAT_INT32: return add_int32(memory, datum);
    case FORMAT_FP16: return add_fp16(memory, datum);
    case FORMAT_BF16: return add_bf16(memory, datum);
    default: return fma_f32_add(memory, datum, &flags);
    }
}
