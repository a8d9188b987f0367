/* SPDX-License-Identifier: Apache-2.0 */
/* 32 lanes on a processor with AVX-512: a register is two of the host's, and masks of lanes are masks there too.  Included by
 * play_avx512.c alone, as are mad512.h and dst512.h. */
#ifndef KERR_TENSIX_VECTOR_LANES512_H
#define KERR_TENSIX_VECTOR_LANES512_H

#include "num/fma_avx512.h"
#include "tensix/files.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl")))
#define AVX512_INLINE AVX512 __attribute__((always_inline)) static inline
#define AVX512_CALL AVX512 __attribute__((noinline)) static

enum { HALF = LANES / 2 };
/* Of VPTERNLOG: x ? y : z, and y ? x : z. */
enum { SELECT = 0xCA, KEEP = 0xE2 };

/* 32 lanes. */
struct lanes512 {
    __m512i low, high;
};

AVX512_INLINE struct lanes512 get(const uint32_t lreg[LANES])
{
    return (struct lanes512){_mm512_loadu_si512(lreg), _mm512_loadu_si512(lreg + HALF)};
}
AVX512_INLINE void set(uint32_t lreg[LANES], struct lanes512 x)
{
    _mm512_storeu_si512(lreg, x.low);
    _mm512_storeu_si512(lreg + HALF, x.high);
}
AVX512_INLINE void put(uint32_t lreg[LANES], uint32_t lanes, struct lanes512 x)
{
    if (lanes != UINT32_MAX) {
        x.low = _mm512_mask_mov_epi32(_mm512_loadu_si512(lreg), (__mmask16)lanes, x.low);
        x.high = _mm512_mask_mov_epi32(_mm512_loadu_si512(lreg + HALF), (__mmask16)(lanes >> HALF), x.high);
    }
    set(lreg, x);
}
/* Bit 31 of each. */
AVX512_INLINE uint32_t signs(struct lanes512 x)
{
    return (uint32_t)_mm512_movepi32_mask(x.low) | (uint32_t)_mm512_movepi32_mask(x.high) << HALF;
}
AVX512_INLINE uint32_t not_zero(struct lanes512 x)
{
    return (uint32_t)_mm512_test_epi32_mask(x.low, x.low) | (uint32_t)_mm512_test_epi32_mask(x.high, x.high) << HALF;
}

/* A result of both halves. */
#define BOTH(expression_low, expression_high) ((struct lanes512){(expression_low), (expression_high)})
#define UNARY(function, x, ...) BOTH(function((x).low, __VA_ARGS__), function((x).high, __VA_ARGS__))
#define BINARY(function, x, y) BOTH(function((x).low, (y).low), function((x).high, (y).high))

AVX512_INLINE struct lanes512 negated(struct lanes512 x, bool negate)
{
    return negate ? UNARY(_mm512_xor_si512, x, fma_words(F32_SIGN)) : x;
}

#endif
