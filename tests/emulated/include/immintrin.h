/* SPDX-License-Identifier: Apache-2.0 */
/* AVX-512 and AVX2 without a processor that has them, in place of the compiler's <immintrin.h>: SIMDe's portable forms under the names of
 * the intrinsics, and here what SIMDe 0.7.4 (Debian 12) has not or has otherwise.  Whoever includes this is compiled for any x86-64
 * and finds that the processor has everything.  tests/emulated/intrinsics_test.c compares each intrinsic with the processor's, where
 * that is there.
 *
 * Otherwise: SIMDe's multiply-adds round twice, its sign_epi16 and testz_si256 for AVX2 are wrong where they are not built of SSE's, and its
 * name of _mm512_madd_epi16 wants a mask. */
#ifndef KERR_TESTS_EMULATED_IMMINTRIN_H
#define KERR_TESTS_EMULATED_IMMINTRIN_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/fma.h>

#ifndef _MM_FROUND_NO_EXC
#define _MM_FROUND_NO_EXC SIMDE_MM_FROUND_NO_EXC
#endif
typedef uint16_t __mmask16;
typedef uint32_t __mmask32;

typedef uint8_t lanes_u8 __attribute__((vector_size(64)));
typedef int16_t lanes_i16 __attribute__((vector_size(64)));
typedef uint16_t lanes_u16 __attribute__((vector_size(64)));
typedef int32_t lanes_i32 __attribute__((vector_size(64)));
typedef uint32_t lanes_u32 __attribute__((vector_size(64)));
typedef int64_t lanes_i64 __attribute__((vector_size(64)));
typedef float lanes_f32 __attribute__((vector_size(64)));
typedef int16_t half_i16 __attribute__((vector_size(32)));
typedef int32_t half_i32 __attribute__((vector_size(32)));
typedef uint32_t half_u32 __attribute__((vector_size(32)));
typedef float half_f32 __attribute__((vector_size(32)));
#define EMULATED static inline __attribute__((unused))

/* ---- Floating point ---- */

/* The double that is nearest to zero of those around t + z, its last bit set if it is not the sum: rounding it to a float rounds the sum. */
EMULATED double emulated_odd_sum(double t, double z)
{
    double sum = t + z;
    const double back = sum - t, rest = (t - (sum - back)) + (z - back);
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (isfinite(sum) && rest != 0 && (bits & 1) == 0) {
        bits += (rest > 0) == (sum > 0) ? 1 : -1;
        memcpy(&sum, &bits, sizeof bits);
    }
    return sum;
}
/* x * y is exact as a double. */
EMULATED float emulated_fma(float x, float y, float z, bool down)
{
    const double product = (double)x * (double)y, sum = emulated_odd_sum(product, (double)z);
    float result = (float)sum;
    if (down && (double)result > sum)
        result = nextafterf(result, -INFINITY);
    if (down && sum == 0 && !(product == 0 && z == 0 && signbit(product) == signbit(z)))
        result = -0.0f;
    return result;
}

#define EACH_LANE(type, count, result) /* value of lane i */                                                           \
    for (unsigned i = 0; i < (count); i++)                                                                             \
        lane[i] = (type)(result);
#define FLOATS(name, parameters, result)                                                                               \
    EMULATED __m512 name parameters                                                                                    \
    {                                                                                                                  \
        lanes_f32 lane = {0};                                                                                          \
        EACH_LANE(float, 16, result)                                                                                   \
        return (__m512)lane;                                                                                           \
    }
#define OF(type, vector) (((type)(vector))[i])
#define F(vector) OF(lanes_f32, vector)

#undef _mm512_fmadd_ps
#undef _mm512_madd_epi16
FLOATS(_mm512_fmadd_ps, (__m512 x, __m512 y, __m512 z), emulated_fma(F(x), F(y), F(z), false))
FLOATS(_mm512_cvtepi32_ps, (__m512i x), OF(lanes_i32, x))
/* Down is the only direction that is asked for. */
FLOATS(emulated_fmadd_down, (__m512 x, __m512 y, __m512 z), emulated_fma(F(x), F(y), F(z), true))
FLOATS(emulated_add_down, (__m512 x, __m512 y), emulated_fma(F(x), 1, F(y), true))
#define IS_DOWN(how) _Static_assert((how) == (_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC), "another direction")
#define _mm512_fmadd_round_ps(x, y, z, how)                                                                            \
    __extension__({                                                                                                    \
        IS_DOWN(how);                                                                                                  \
        emulated_fmadd_down(x, y, z);                                                                                  \
    })
#define _mm512_add_round_ps(x, y, how)                                                                                 \
    __extension__({                                                                                                    \
        IS_DOWN(how);                                                                                                  \
        emulated_add_down(x, y);                                                                                       \
    })

#undef _mm256_fmadd_ps
#undef _mm256_fmsub_ps
EMULATED __m256 emulated_fma_256(__m256 x, __m256 y, __m256 z)
{
    half_f32 lane = {0};
    EACH_LANE(float, 8, emulated_fma(OF(half_f32, x), OF(half_f32, y), OF(half_f32, z), false))
    return (__m256)lane;
}
#define _mm256_fmadd_ps(x, y, z) emulated_fma_256(x, y, z)
#define _mm256_fmsub_ps(x, y, z) emulated_fma_256(x, y, (__m256)(-(half_f32)(z)))

/* ---- Integers ---- */

#undef _mm256_sign_epi16
#undef _mm256_testz_si256
EMULATED __m256i emulated_sign_16(__m256i x, __m256i y)
{
    half_i16 lane = {0};
    EACH_LANE(int16_t, 16, OF(half_i16, y) < 0 ? -OF(half_i16, x) : OF(half_i16, y) ? OF(half_i16, x) : 0)
    return (__m256i)lane;
}
EMULATED int emulated_none(__m256i x, __m256i y)
{
    uint32_t some = 0;
    for (unsigned i = 0; i < 8; i++)
        some |= OF(half_u32, x) & OF(half_u32, y);
    return some == 0;
}
#define _mm256_sign_epi16(x, y) emulated_sign_16(x, y)
#define _mm256_testz_si256(x, y) emulated_none(x, y)

#define INTEGERS(name, parameters, type, count, result)                                                                \
    EMULATED __m512i name parameters                                                                                   \
    {                                                                                                                  \
        type lane = {0};                                                                                               \
        EACH_LANE(__typeof__(lane[0]), count, result)                                                                  \
        return (__m512i)lane;                                                                                          \
    }
#define MASK(name, bits, parameters, is)                                                                               \
    EMULATED __mmask##bits name parameters                                                                             \
    {                                                                                                                  \
        uint32_t mask = 0;                                                                                             \
        for (unsigned i = 0; i < (bits); i++)                                                                          \
            mask |= (uint32_t)(is) << i;                                                                               \
        return (__mmask##bits)mask;                                                                                    \
    }
#define I16(vector) OF(lanes_i16, vector)
#define U16(vector) OF(lanes_u16, vector)
#define I32(vector) OF(lanes_i32, vector)
#define U32(vector) OF(lanes_u32, vector)
#define PICKED (k >> i & 1)

INTEGERS(_mm512_cvtepi16_epi32, (__m256i x), lanes_i32, 16, OF(half_i16, x))
INTEGERS(_mm512_cvtepu8_epi32, (__m128i x), lanes_i32, 16, ((const uint8_t *)&x)[i])
INTEGERS(_mm512_lzcnt_epi32, (__m512i x), lanes_i32, 16, U32(x) ? __builtin_clz(U32(x)) : 32)
INTEGERS(_mm512_srav_epi32, (__m512i x, __m512i n), lanes_i32, 16, I32(x) >> (U32(n) > 31 ? 31 : U32(n)))
INTEGERS(_mm512_maskz_srlv_epi16, (__mmask32 k, __m512i x, __m512i n), lanes_u16, 32,
         PICKED &&U16(n) < 16 ? U16(x) >> U16(n) : 0)
INTEGERS(_mm512_maskz_mullo_epi16, (__mmask32 k, __m512i x, __m512i y), lanes_u16, 32,
         PICKED ? (uint32_t)U16(x) * U16(y) : 0)
INTEGERS(_mm512_mask_sub_epi16, (__m512i s, __mmask32 k, __m512i x, __m512i y), lanes_u16, 32,
         PICKED ? U16(x) - U16(y) : U16(s))
INTEGERS(emulated_shuffle_words, (__m512i x, unsigned to), lanes_i32, 16,
         ((lanes_i32)x)[(i & ~3u) | (to >> 2 * (i & 3) & 3)])
INTEGERS(emulated_permute_longs, (__m512i x, unsigned to), lanes_i64, 8,
         ((lanes_i64)x)[(i & ~3u) | (to >> 2 * (i & 3) & 3)])
#define _mm512_shuffle_epi32(x, to) emulated_shuffle_words(x, to)
#define _mm512_permutex_epi64(x, to) emulated_permute_longs(x, to)
#define _mm512_madd_epi16(x, y) simde_mm512_madd_epi16(x, y)

EMULATED __m256i _mm512_cvtepi32_epi16(__m512i x)
{
    half_i16 lane = {0};
    EACH_LANE(int16_t, 16, I32(x))
    return (__m256i)lane;
}

MASK(_mm512_cmpgt_epi16_mask, 32, (__m512i x, __m512i y), I16(x) > I16(y))
MASK(_mm512_cmpgt_epu16_mask, 32, (__m512i x, __m512i y), U16(x) > U16(y))
MASK(_mm512_mask_cmpgt_epi16_mask, 32, (__mmask32 k, __m512i x, __m512i y), PICKED &&I16(x) > I16(y))

/* ---- The processor ---- */

/* No other instructions than those of any x86-64 may come out, and no registers of 512 bits are named. */
#define target(names)
#define __asm__(...) ((void)0)
static inline bool emulated_has(const char *name)
{
    return strncmp(name, "avx", 3) == 0 || strcmp(name, "fma") == 0;
}
#define __builtin_cpu_supports(name) emulated_has(name)

#endif
