/* SPDX-License-Identifier: Apache-2.0 */
/* 32 lanes on a processor with AVX-512: two parts, each a register of the host, and masks of lanes are masks there too.  lanes256.h has
 * the same names for AVX2; lanes_play.h, lanes_mad.h and lanes_dst.h are made of them, once for each. */
#ifndef KERR_TENSIX_VECTOR_LANES_OF_HOST
#define KERR_TENSIX_VECTOR_LANES_OF_HOST

#include "num/fma_avx512.h"
#include "num/sfpu.h"
#include "tensix/files.h"

#define HOST __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl")))
#define HOST_INLINE HOST __attribute__((always_inline)) static inline
#define HOST_CALL HOST __attribute__((noinline)) static

enum { PARTS = 2, PART_LANES = LANES / PARTS };
typedef __m512i part;
typedef __mmask16 part_mask;
struct lanes {
    part p[PARTS];
};

/* What a macro makes of the number of each part.  Not a loop: compilers that unroll one too late have lanes in memory, and copy them. */
#define PER_PART(m)                                                                                                    \
    {                                                                                                                  \
        m(0), m(1)                                                                                                     \
    }
/* What a function makes of each part, with more arguments that are the same for all. */
#define EACH(f, x) ((struct lanes){{f((x).p[0]), f((x).p[1])}})
#define UNARY(f, x, ...) ((struct lanes){{f((x).p[0], __VA_ARGS__), f((x).p[1], __VA_ARGS__)}})
#define BINARY(f, x, y) ((struct lanes){{f((x).p[0], (y).p[0]), f((x).p[1], (y).p[1])}})
#define BINARY_WITH(f, x, y, ...)                                                                                      \
    ((struct lanes){{f((x).p[0], (y).p[0], __VA_ARGS__), f((x).p[1], (y).p[1], __VA_ARGS__)}})
#define TERNARY_WITH(f, x, y, z, ...)                                                                                  \
    ((struct lanes){{f((x).p[0], (y).p[0], (z).p[0], __VA_ARGS__), f((x).p[1], (y).p[1], (z).p[1], __VA_ARGS__)}})
#define IN_ALL(x) ((struct lanes){{(x), (x)}})

/* ---- Parts ---- */

/* A constant in all lanes (fma_words says how), and a number that is none. */
#define part_constant fma_words
#define part_value(x) _mm512_set1_epi32((int)(x))
#define part_add _mm512_add_epi32
#define part_sub _mm512_sub_epi32
#define part_and _mm512_and_si512
#define part_or _mm512_or_si512
#define part_xor _mm512_xor_si512
#define part_left _mm512_slli_epi32 /* by a constant */
#define part_right _mm512_srli_epi32
#define part_arithmetic _mm512_srai_epi32
#define part_left_by _mm512_sllv_epi32 /* by what lanes say */
#define part_right_by _mm512_srlv_epi32
#define part_arithmetic_by _mm512_srav_epi32
#define part_left_16 _mm512_slli_epi16 /* halves */

HOST_INLINE part part_load(const void *at)
{
    return _mm512_loadu_si512(at);
}
HOST_INLINE void part_store(void *at, part x)
{
    _mm512_storeu_si512(at, x);
}
HOST_INLINE part part_and_or(part x, part y, part z)
{
    return _mm512_ternarylogic_epi32(x, y, z, FMA_X_AND_Y_OR_Z);
}
HOST_INLINE part part_and_xor(part x, part y, part z)
{
    enum { X_AND_Y_XOR_Z = 0x6A };
    return _mm512_ternarylogic_epi32(x, y, z, X_AND_Y_XOR_Z);
}
/* Bits: x ? y : z. */
HOST_INLINE part part_select(part x, part y, part z)
{
    enum { SELECT = 0xCA };
    return _mm512_ternarylogic_epi32(x, y, z, SELECT);
}

/* ---- Masks ---- */

#define PART_MASK_NONE 0
HOST_INLINE bool part_any(part_mask mask)
{
    return mask != 0;
}
HOST_INLINE part_mask part_mask_of(uint32_t lanes, unsigned i)
{
    return (part_mask)(lanes >> i * PART_LANES);
}
/* Numbers of 31 bits. */
HOST_INLINE part_mask part_below(part x, part y)
{
    return _mm512_cmplt_epu32_mask(x, y);
}
/* Of 32 bits, without a sign. */
HOST_INLINE part_mask part_not_above(part x, part y)
{
    return _mm512_cmple_epu32_mask(x, y);
}
/* None of the bits of y is set. */
HOST_INLINE part_mask part_without(part x, part y)
{
    return _mm512_testn_epi32_mask(x, y);
}
HOST_INLINE part part_where(part_mask mask, part yes, part no)
{
    return _mm512_mask_mov_epi32(no, mask, yes);
}
HOST_INLINE part part_and_where(part_mask mask, part x, part y)
{
    return _mm512_mask_and_epi32(x, mask, x, y);
}
/* In the lanes of a mask bits of x that are not in `keep` become those of y. */
HOST_INLINE part part_replace(part_mask mask, part x, part keep, part y)
{
    enum { Y_THEN_X_ELSE_Z = 0xE2 };
    return _mm512_mask_ternarylogic_epi32(x, mask, keep, y, Y_THEN_X_ELSE_Z);
}
/* value, with zero for halves in which x and y are the same. */
HOST_INLINE part part_unless_same_16(part x, part y, part value)
{
    return _mm512_maskz_mov_epi16(_mm512_cmpneq_epi16_mask(x, y), value);
}

/* ---- Arithmetic ---- */

#define part_fma fma_avx512
#define part_fma_host fma_avx512_host
#define part_fma_mul fma_avx512_mul
#define part_fma_add fma_avx512_add

/* The two low bytes, each in a half. */
HOST_INLINE part part_bytes_apart(part x)
{
#define APART(i) (int)(UINT32_C(0xFF01FF00) + (i)*UINT32_C(0x040004)) /* 0xFF: a zero */
    return _mm512_shuffle_epi8(x, _mm512_set4_epi32(APART(3), APART(2), APART(1), APART(0)));
#undef APART
}
/* sfpu_reciprocals[x >> 16 & 127], and other bits above.  The table is 64 words, of which bit 16 of x says which byte. */
HOST_INLINE part part_reciprocal(part x)
{
    const part table = part_load(sfpu_reciprocals), rest = part_load(sfpu_reciprocals + 64);
    const part at = part_and(part_right(x, 17), part_constant(63));
    const part word = _mm512_permutex2var_epi16(table, at, rest);
    return part_right_by(word, part_and(part_right(x, 13), part_constant(8)));
}

/* ---- All lanes ---- */

/* Bit 31 of each. */
HOST_INLINE uint32_t signs(struct lanes x)
{
    return (uint32_t)_mm512_movepi32_mask(x.p[0]) | (uint32_t)_mm512_movepi32_mask(x.p[1]) << PART_LANES;
}
HOST_INLINE uint32_t not_zero(struct lanes x)
{
    return (uint32_t)_mm512_test_epi32_mask(x.p[0], x.p[0]) | (uint32_t)_mm512_test_epi32_mask(x.p[1], x.p[1])
                                                                  << PART_LANES;
}
HOST_INLINE uint32_t less(struct lanes x, struct lanes y)
{
    return (uint32_t)_mm512_cmplt_epi32_mask(x.p[1], y.p[1]) << PART_LANES | _mm512_cmplt_epi32_mask(x.p[0], y.p[0]);
}

#endif
