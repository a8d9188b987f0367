/* SPDX-License-Identifier: Apache-2.0 */
/* FP32 on bits for the baby cores (manual BabyRISCV/InstructionSet, "F Extension"; the rest is the RISC-V F
 * chapter).  Sums and products are in fma.c. */
#include "num/f32.h"

/* Orders all numbers as signed integers: -0 sorts just below +0. */
static int32_t sort_key(uint32_t x)
{
    return (int32_t)(x & F32_SIGN ? ~x ^ F32_SIGN : x);
}

static bool both_zero(uint32_t x, uint32_t y)
{
    return ((x | y) << 1) == 0;
}

bool f32_eq(uint32_t x, uint32_t y, uint32_t *flags)
{
    if (f32_is_nan(x) || f32_is_nan(y)) {
        if (f32_is_signaling(x) || f32_is_signaling(y)) {
            *flags |= F32_INVALID;
        }
        return false;
    }
    return x == y || both_zero(x, y);
}

bool f32_lt(uint32_t x, uint32_t y, uint32_t *flags)
{
    if (f32_is_nan(x) || f32_is_nan(y)) {
        *flags |= F32_INVALID;
        return false;
    }
    return sort_key(x) < sort_key(y) && !both_zero(x, y);
}

bool f32_le(uint32_t x, uint32_t y, uint32_t *flags)
{
    if (f32_is_nan(x) || f32_is_nan(y)) {
        *flags |= F32_INVALID;
        return false;
    }
    return sort_key(x) <= sort_key(y) || both_zero(x, y);
}

static uint32_t extremum(uint32_t x, uint32_t y, bool want_max, uint32_t *flags)
{
    if (f32_is_signaling(x) || f32_is_signaling(y)) {
        *flags |= F32_INVALID;
    }
    if (f32_is_nan(x)) {
        return f32_is_nan(y) ? F32_NAN : y;
    }
    if (f32_is_nan(y)) {
        return x;
    }
    return (sort_key(x) < sort_key(y)) == want_max ? y : x;
}

uint32_t f32_min(uint32_t x, uint32_t y, uint32_t *flags)
{
    return extremum(x, y, false, flags);
}

uint32_t f32_max(uint32_t x, uint32_t y, uint32_t *flags)
{
    return extremum(x, y, true, flags);
}

uint32_t f32_classify(uint32_t x)
{
    uint32_t magnitude = x & ~F32_SIGN;
    if (magnitude > F32_INFINITY) {
        return f32_is_signaling(x) ? 1u << 8 : 1u << 9;
    }
    /* From the outermost in: infinity 0 / 7, normal 1 / 6, denormal 2 / 5, zero 3 / 4. */
    unsigned rank = 3;
    if (magnitude == F32_INFINITY) {
        rank = 0;
    } else if (magnitude >= 0x00800000u) {
        rank = 1;
    } else if (magnitude != 0) {
        rank = 2;
    }
    return 1u << (x & F32_SIGN ? rank : 7 - rank);
}

uint32_t f32_to_int(uint32_t x, unsigned bits, bool is_signed, f32_rounding rounding, uint32_t *flags)
{
    uint32_t most = is_signed ? 0x7fffffffu >> (32 - bits) : 0xffffffffu >> (32 - bits);
    uint32_t least = is_signed ? ~most : 0;
    bool negative = (x & F32_SIGN) != 0;
    if (f32_is_nan(x)) {
        *flags |= F32_INVALID;
        return most;
    }

    int exponent = (int)(x >> 23 & 255) - 127; /* of the leading bit */
    uint32_t significand = (x & 0x007fffffu) | (f32_is_denormal_or_zero(x) ? 0 : 0x00800000u);
    uint64_t magnitude;
    bool inexact = false;
    if (exponent >= 32) {
        magnitude = UINT64_MAX;
    } else if (exponent >= 23) {
        magnitude = (uint64_t)significand << (exponent - 23);
    } else {
        unsigned shift = exponent < -2 ? 25 : (unsigned)(23 - exponent);
        uint32_t whole = significand >> shift;
        uint32_t rest = significand & ((1u << shift) - 1);
        uint32_t half = 1u << (shift - 1);
        inexact = rest != 0;
        bool up = rounding == F32_NEAREST_EVEN && (rest > half || (rest == half && (whole & 1)));
        magnitude = whole + up;
    }

    if (magnitude > (negative ? (uint64_t)(uint32_t)(0 - least) : most)) {
        *flags |= F32_INVALID;
        return negative ? least : most;
    }
    *flags |= inexact ? F32_INEXACT : 0;
    return negative ? 0 - (uint32_t)magnitude : (uint32_t)magnitude;
}

uint32_t f32_from_int(uint32_t x, bool is_signed, uint32_t *flags)
{
    if (x == 0) {
        return 0;
    }
    uint32_t sign = is_signed ? x & F32_SIGN : 0;
    uint32_t magnitude = sign ? 0 - x : x;
    unsigned zeros = (unsigned)__builtin_clz(magnitude);
    uint32_t normal = magnitude << zeros; /* leading bit at 31, so 8 bits go */
    uint32_t rest = normal & 0xff;
    uint32_t result = ((158u - zeros) << 23) + (normal >> 8 & 0x007fffffu);
    result += rest > 0x80 || (rest == 0x80 && (normal & 0x100));
    *flags |= rest ? F32_INEXACT : 0;
    return sign | result;
}
