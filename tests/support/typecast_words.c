/* SPDX-License-Identifier: Apache-2.0 */
#include "typecast_words.h"

#include "../../sdk/examples/typecast.h"

#include <string.h>

_Static_assert((int)TYPECAST_WORDS_COUNT == (int)TYPECASTS, "all of them");

static const char *const names[TYPECASTS] = {"fp32 to bf16",   "fp32 to int32", "fp32 to uint32", "fp32 to uint16",
                                             "uint32 to fp32", "int32 to fp32", "uint32 to bf16", "int32 to bf16",
                                             "uint16 to fp32", "uint16 to bf16"};

struct typecast_words typecast_words_of(unsigned kind, bool plain)
{
    const struct typecast_row *r = plain ? &typecast_plain[kind] : &typecast_rows[kind];
    return (struct typecast_words){names[kind],   r->setup, r->block,  r->setup_words, r->block_words,
                                   r->block_rows, r->drain, r->cycles, r->halves_in,   r->halves_out};
}

/* ---- What must come out, from the rules of the conversions ------------------------------------------------------- */

static uint32_t bits_of(float f)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    return x;
}

/* Round to nearest even on the pattern; a result without exponent is a zero. */
static uint32_t bf16_even(uint32_t x)
{
    const uint32_t r = (x + 0x7FFF + (x >> 16 & 1)) & 0xFFFF0000u;
    return r & 0x7F800000 ? r : r & 0x80000000u;
}

static uint32_t bf16_away(uint32_t x)
{
    return (x + 0x8000) & 0xFFFF0000u;
}

/* Magnitude, truncated; the exponent is below 32. */
static uint32_t truncated(uint32_t x, int exponent)
{
    const uint64_t mantissa = (x & 0x7FFFFF) | 0x800000;
    return (uint32_t)(exponent >= 23 ? mantissa << (exponent - 23) : mantissa >> (23 - exponent));
}

static uint32_t int32_of(uint32_t x)
{
    const int exponent = (int)(x >> 23 & 255) - 127;
    if (exponent < 0)
        return 0;
    if (exponent >= 31)
        return 0x80000000u;
    return x >> 31 ? 0 - truncated(x, exponent) : truncated(x, exponent);
}

static uint32_t uint32_of(uint32_t x)
{
    const int exponent = (int)(x >> 23 & 255) - 127;
    if (x >> 31 || exponent < 0)
        return 0;
    return exponent >= 32 ? UINT32_MAX : truncated(x, exponent);
}

/* Ties away from zero: half of the last place more, then truncated. */
static uint32_t uint16_of(uint32_t x)
{
    const int exponent = (int)(x >> 23 & 255) - 127;
    if (x >> 31 || exponent < -1)
        return 0;
    if (exponent >= 16)
        return 65535;
    const uint64_t halves = ((uint64_t)((x & 0x7FFFFF) | 0x800000) << 16) >> (23 + 15 - exponent); /* in steps of 1/2 */
    const uint32_t r = (uint32_t)(halves + 1) / 2;
    return r > 65535 ? 65535 : r;
}

static uint32_t float_of_uint32(uint32_t x) /* two roundings */
{
    const float low = (float)(x & 0x7FFFFFFF);
    return bits_of(x >> 31 ? low + 2147483648.0f : low);
}

uint32_t typecast_expected(unsigned kind, uint32_t x)
{
    switch (kind) {
    case TYPECAST_FP32_BF16: return bf16_even(x);
    case TYPECAST_FP32_INT32: return int32_of(x);
    case TYPECAST_FP32_UINT32: return uint32_of(x);
    case TYPECAST_FP32_UINT16: return uint16_of(x);
    case TYPECAST_UINT32_FP32: return float_of_uint32(x);
    case TYPECAST_INT32_FP32: return bits_of((float)(int32_t)x);
    case TYPECAST_UINT32_BF16: return bf16_away(float_of_uint32(x));
    case TYPECAST_INT32_BF16: return bf16_away(bits_of((float)(int32_t)x));
    case TYPECAST_UINT16_FP32: return bits_of((float)x);
    default: return bf16_away(bits_of((float)x));
    }
}
