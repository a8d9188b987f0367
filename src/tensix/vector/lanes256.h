/* SPDX-License-Identifier: Apache-2.0 */
/* 32 lanes on a processor with AVX2: four parts, and masks of lanes are vectors, all ones where it is so.  lanes512.h says what each of
 * these names is. */
#ifndef KERR_TENSIX_VECTOR_LANES_OF_HOST
#define KERR_TENSIX_VECTOR_LANES_OF_HOST

#include "num/fma_avx2.h"
#include "num/sfpu.h"
#include "tensix/files.h"

#define HOST __attribute__((target("avx2,fma")))
#define HOST_INLINE HOST __attribute__((always_inline)) static inline
#define HOST_CALL HOST __attribute__((noinline)) static

enum { PARTS = 4, PART_LANES = LANES / PARTS };
typedef __m256i part;
typedef __m256i part_mask;
struct lanes {
    part p[PARTS];
};

#define PER_PART(m)                                                                                                    \
    {                                                                                                                  \
        m(0), m(1), m(2), m(3)                                                                                         \
    }
#define EACH(f, x) ((struct lanes){{f((x).p[0]), f((x).p[1]), f((x).p[2]), f((x).p[3])}})
#define UNARY(f, x, ...)                                                                                               \
    ((struct lanes){                                                                                                   \
        {f((x).p[0], __VA_ARGS__), f((x).p[1], __VA_ARGS__), f((x).p[2], __VA_ARGS__), f((x).p[3], __VA_ARGS__)}})
#define BINARY(f, x, y)                                                                                                \
    ((struct lanes){{f((x).p[0], (y).p[0]), f((x).p[1], (y).p[1]), f((x).p[2], (y).p[2]), f((x).p[3], (y).p[3])}})
#define BINARY_WITH(f, x, y, ...)                                                                                      \
    ((struct lanes){{f((x).p[0], (y).p[0], __VA_ARGS__), f((x).p[1], (y).p[1], __VA_ARGS__),                           \
                     f((x).p[2], (y).p[2], __VA_ARGS__), f((x).p[3], (y).p[3], __VA_ARGS__)}})
#define TERNARY_WITH(f, x, y, z, ...)                                                                                  \
    ((struct lanes){{f((x).p[0], (y).p[0], (z).p[0], __VA_ARGS__), f((x).p[1], (y).p[1], (z).p[1], __VA_ARGS__),       \
                     f((x).p[2], (y).p[2], (z).p[2], __VA_ARGS__), f((x).p[3], (y).p[3], (z).p[3], __VA_ARGS__)}})
#define IN_ALL(x) ((struct lanes){{(x), (x), (x), (x)}})

/* ---- Parts ---- */

#define part_constant fma_avx2_words
#define part_value(x) _mm256_set1_epi32((int)(x))
#define part_add _mm256_add_epi32
#define part_sub _mm256_sub_epi32
#define part_and _mm256_and_si256
#define part_or _mm256_or_si256
#define part_xor _mm256_xor_si256
#define part_left _mm256_slli_epi32
#define part_right _mm256_srli_epi32
#define part_arithmetic _mm256_srai_epi32
#define part_left_by _mm256_sllv_epi32
#define part_right_by _mm256_srlv_epi32
#define part_arithmetic_by _mm256_srav_epi32
#define part_left_16 _mm256_slli_epi16

HOST_INLINE part part_load(const void *at)
{
    return _mm256_loadu_si256(at);
}
HOST_INLINE void part_store(void *at, part x)
{
    _mm256_storeu_si256(at, x);
}
HOST_INLINE part part_and_or(part x, part y, part z)
{
    return part_or(part_and(x, y), z);
}
HOST_INLINE part part_and_xor(part x, part y, part z)
{
    return part_xor(part_and(x, y), z);
}
HOST_INLINE part part_select(part x, part y, part z)
{
    return part_or(part_and(x, y), _mm256_andnot_si256(x, z));
}

/* ---- Masks ---- */

#define PART_MASK_NONE _mm256_setzero_si256()
#define part_any fma_avx2_any
HOST_INLINE part_mask part_mask_of(uint32_t lanes, unsigned i)
{
    const part bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(part_and(part_value(lanes >> i * PART_LANES), bits), bits);
}
HOST_INLINE part_mask part_below(part x, part y)
{
    return _mm256_cmpgt_epi32(y, x);
}
HOST_INLINE part_mask part_not_above(part x, part y)
{
    return _mm256_cmpeq_epi32(_mm256_min_epu32(x, y), x);
}
HOST_INLINE part_mask part_without(part x, part y)
{
    return _mm256_cmpeq_epi32(part_and(x, y), _mm256_setzero_si256());
}
HOST_INLINE part part_where(part_mask mask, part yes, part no)
{
    return _mm256_blendv_epi8(no, yes, mask);
}
HOST_INLINE part part_and_where(part_mask mask, part x, part y)
{
    return part_where(mask, part_and(x, y), x);
}
HOST_INLINE part part_replace(part_mask mask, part x, part keep, part y)
{
    return part_where(_mm256_andnot_si256(keep, mask), y, x); /* bytes are kept or not */
}
HOST_INLINE part part_unless_same_16(part x, part y, part value)
{
    return _mm256_andnot_si256(_mm256_cmpeq_epi16(x, y), value);
}

/* ---- Arithmetic ---- */

#define part_fma fma_avx2
#define part_fma_host fma_avx2_host
#define part_fma_mul fma_avx2_mul
#define part_fma_add fma_avx2_add

HOST_INLINE part part_bytes_apart(part x)
{
#define APART(i) (int)(UINT32_C(0xFF01FF00) + (i)*UINT32_C(0x040004)) /* 0xFF: a zero */
    return _mm256_shuffle_epi8(
        x, _mm256_setr_epi32(APART(0), APART(1), APART(2), APART(3), APART(0), APART(1), APART(2), APART(3)));
#undef APART
}
/* By whole words of the table. */
HOST_INLINE part part_reciprocal(part x)
{
    const part at = part_and(part_right(x, 18), part_constant(31));
    const part word = _mm256_i32gather_epi32((const int *)(const void *)sfpu_reciprocals, at, 4);
    return part_right_by(word, part_and(part_right(x, 13), part_constant(24)));
}

/* ---- All lanes ---- */

/* Of four parts bytes, each with the sign of a lane. */
HOST_INLINE uint32_t signs(struct lanes x)
{
    const __m256i first = _mm256_packs_epi32(x.p[0], x.p[1]), second = _mm256_packs_epi32(x.p[2], x.p[3]);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7); /* packed are halves of the host's registers */
    return (uint32_t)_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(_mm256_packs_epi16(first, second), order));
}
HOST_INLINE uint32_t not_zero(struct lanes x)
{
    return ~signs(UNARY(_mm256_cmpeq_epi32, x, _mm256_setzero_si256()));
}
HOST_INLINE uint32_t less(struct lanes x, struct lanes y)
{
    return signs(BINARY(_mm256_cmpgt_epi32, y, x));
}

#endif
