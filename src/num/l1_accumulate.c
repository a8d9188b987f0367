/* SPDX-License-Identifier: Apache-2.0 */
/* The manual names the four adders and no bits of them; INT32 saturates.  What is here of the other three is what a reference shows
 * (docs/formats.md, "L1 accumulate"); tests/vectors/formats.vec pins it. */
#include "num/l1_accumulate.h"

#include "base/simd.h"
#include "num/f32.h"
#include "num/fma.h"

#include <string.h>

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

/* ---- Whole rows ----
 *
 * BF16 as the host's FP32, rounded a second time: with exponents up to 16 apart the sum is exact, with more the smaller operand is
 * far below half a unit of the result, so that nothing comes to lie on a tie.  What is too small is
 * zero whether the host flushes or not.  The largest exponent has rules of its own and goes one by one (num/conversions_test compares). */
enum { LANES = 16, CHUNK = 64 /* datums */ };

typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));
typedef float float_lanes __attribute__((vector_size(4 * LANES)));
typedef uint16_t half_lanes __attribute__((vector_size(2 * LANES)));
#define LANE_EXPONENT 0x7F800000u
#define LANE_SIGN 0x80000000u
#define FLUSHED(x) ((x) & ((lanes)(((x)&LANE_EXPONENT) != 0) | LANE_SIGN))
#define LANE_SUM(x, y) ((lanes)((float_lanes)FLUSHED(x) + (float_lanes)FLUSHED(y)))
#define LARGEST_EXPONENT(x) ((lanes)(((x)&LANE_EXPONENT) == LANE_EXPONENT))

static inline __attribute__((always_inline)) bool is_zero(const lanes *x)
{
    uint64_t words[LANES / 2], any = 0;
    memcpy(words, x, sizeof words);
    for (unsigned i = 0; i < LANES / 2; i++) {
        any |= words[i];
    }
    return any == 0;
}

/* False: some of them want their own rules.  count: a multiple of LANES. */
SIMD_CLONES static bool add_bf16_lanes(const uint8_t *memory, const uint8_t *datums, uint8_t *sums, unsigned count)
{
    lanes special = {0};
    for (unsigned i = 0; i < 2 * count; i += 2 * LANES) {
        half_lanes old, added;
        memcpy(&old, memory + i, sizeof old);
        memcpy(&added, datums + i, sizeof added);
        const lanes x = __builtin_convertvector(old, lanes) << 16, y = __builtin_convertvector(added, lanes) << 16;
        const lanes exact = LANE_SUM(x, y), sum = FLUSHED(exact);
        const half_lanes rounded = __builtin_convertvector((sum + 0x7FFF + (sum >> 16 & 1)) >> 16, half_lanes);
        memcpy(sums + i, &rounded, sizeof rounded);
        special |= LARGEST_EXPONENT(x) | LARGEST_EXPONENT(y);
    }
    return is_zero(&special);
}

SIMD_CLONES static bool add_f32_lanes(const uint8_t *memory, const uint8_t *datums, uint8_t *sums, unsigned count)
{
    lanes special = {0};
    for (unsigned i = 0; i < 4 * count; i += 4 * LANES) {
        lanes x, y;
        memcpy(&x, memory + i, sizeof x);
        memcpy(&y, datums + i, sizeof y);
        const lanes exact = LANE_SUM(x, y), sum = FLUSHED(exact);
        memcpy(sums + i, &sum, sizeof sum);
        special |= LARGEST_EXPONENT(x) | LARGEST_EXPONENT(y);
    }
    return is_zero(&special);
}

static void accumulate_each(unsigned format, const uint8_t *memory, uint8_t *datums, unsigned bytes)
{
    const unsigned size = format_bits(format) / 8;
    for (unsigned i = 0; i < bytes; i += size) {
        uint32_t old = 0, datum = 0;
        memcpy(&old, memory + i, size);
        memcpy(&datum, datums + i, size);
        datum = l1_accumulate(format, old, datum);
        memcpy(datums + i, &datum, size);
    }
}

void l1_accumulate_row(unsigned format, const uint8_t *memory, uint8_t *datums, unsigned bytes)
{
    uint8_t sums[4 * CHUNK];
    const unsigned size = format == FORMAT_BF16 ? 2 : 4;
    unsigned i = 0;
    while ((format == FORMAT_BF16 || format == FORMAT_FP32) && i + size * LANES <= bytes) {
        const unsigned left = (bytes - i) / size / LANES * LANES, count = left < CHUNK ? left : CHUNK;
        if (size == 2 ? add_bf16_lanes(memory + i, datums + i, sums, count)
                      : add_f32_lanes(memory + i, datums + i, sums, count)) {
            memcpy(datums + i, sums, (size_t)size * count);
        } else {
            accumulate_each(format, memory + i, datums + i, size * count);
        }
        i += size * count;
    }
    accumulate_each(format, memory + i, datums + i, bytes - i);
}
