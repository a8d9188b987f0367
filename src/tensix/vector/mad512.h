/* SPDX-License-Identifier: Apache-2.0 */
/* The MAD sub-unit and SFPARECIP with AVX-512 (mad.c, simple.c). */
#ifndef KERR_TENSIX_VECTOR_MAD512_H
#define KERR_TENSIX_VECTOR_MAD512_H

#include "tensix/vector/lanes512.h"
#include "tensix/vector/play.h"
#include "tensix/vector/vector.h"

#include "num/fma_lanes.h"
#include "num/sfpu.h"

enum { NEGATE_VA = 1, NEGATE_VC = 2, SGN_RETAIN = 4 };

/* Some lanes are not for AVX-512. */
static __attribute__((noinline)) void odd_mad(uint32_t r[LANES], const uint32_t x[LANES], const uint32_t y[LANES],
                                              const uint32_t z[LANES])
{
    fma_f32_lanes_plain(r, x, y, z);
}
AVX512_CALL void one_by_one(struct lanes512 *r, const struct lanes512 *x, const struct lanes512 *y,
                            const struct lanes512 *z)
{
    _Alignas(64) uint32_t space[4][LANES];
    set(space[0], *x);
    set(space[1], *y);
    set(space[2], *z);
    odd_mad(space[3], space[0], space[1], space[2]);
    *r = get(space[3]);
}

/* Some lanes are not for the host's multiply-add. */
AVX512_CALL void unsure(struct lanes512 *r, const struct lanes512 *x, const struct lanes512 *y,
                        const struct lanes512 *z)
{
    __mmask16 is_odd = 0;
    r->low = fma_avx512(x->low, y->low, z->low, &is_odd);
    r->high = fma_avx512(x->high, y->high, z->high, &is_odd);
    if (UNLIKELY(is_odd != 0))
        one_by_one(r, x, y, z);
}

/* *doubt: of the instruction; data that the host's is not for is likely to come again. */
AVX512_INLINE struct lanes512 multiply_add(struct lanes512 x, struct lanes512 y, struct lanes512 z, bool denormals,
                                           uint32_t *doubt)
{
    enum { DOUBT = 3 };
    struct lanes512 r;
    if (LIKELY(*doubt == 0)) {
        __mmask16 is_unsure = 0;
        r.low = fma_avx512_host(x.low, y.low, z.low, denormals, &is_unsure);
        r.high = fma_avx512_host(x.high, y.high, z.high, denormals, &is_unsure);
        if (LIKELY(is_unsure == 0))
            return r;
        *doubt = DOUBT + 1;
    }
    const struct lanes512 x_space = x, y_space = y, z_space = z;
    struct lanes512 r_space;
    --*doubt;
    unsure(&r_space, &x_space, &y_space, &z_space);
    return r_space;
}

AVX512_CALL void mad(struct vector_files *v, struct play_step *step, uint32_t lanes)
{
    const struct vector_operands *o = &step->o;
    const struct lanes512 x = negated(get(v->LReg[o->VA]), o->mod & NEGATE_VA);
    const struct lanes512 z = negated(get(v->LReg[o->VC]), o->mod & NEGATE_VC);
    put(v->LReg[o->VD], lanes, multiply_add(x, get(v->LReg[o->VB]), z, true, &step->doubt));
}

AVX512_CALL void product(struct vector_files *v, const struct vector_operands *o, uint32_t lanes)
{
    const struct lanes512 x = negated(get(v->LReg[o->VA]), o->mod & NEGATE_VA), y = get(v->LReg[o->VB]);
    const struct lanes512 z = negated(BOTH(_mm512_setzero_si512(), _mm512_setzero_si512()), o->mod & NEGATE_VC);
    __mmask16 is_odd = 0;
    struct lanes512 r;
    r.low = fma_avx512_mul(x.low, y.low, z.low, &is_odd);
    r.high = fma_avx512_mul(x.high, y.high, z.high, &is_odd);
    if (UNLIKELY(is_odd != 0)) {
        const struct lanes512 x_space = x, y_space = y, z_space = z;
        struct lanes512 r_space;
        one_by_one(&r_space, &x_space, &y_space, &z_space);
        r = r_space;
    }
    put(v->LReg[o->VD], lanes, r);
}

AVX512_CALL void sum(struct vector_files *v, const struct vector_operands *o, unsigned source, uint32_t lanes)
{
    const struct lanes512 x = negated(get(v->LReg[source]), o->mod & NEGATE_VA);
    const struct lanes512 z = negated(get(v->LReg[o->VC]), o->mod & NEGATE_VC);
    __mmask16 is_odd = 0;
    struct lanes512 r;
    r.low = fma_avx512_add(x.low, z.low, &is_odd);
    r.high = fma_avx512_add(x.high, z.high, &is_odd);
    if (UNLIKELY(is_odd != 0)) {
        const struct lanes512 x_space = x, y_space = get(v->LReg[LREG_ONE]), z_space = z;
        struct lanes512 r_space;
        one_by_one(&r_space, &x_space, &y_space, &z_space);
        r = r_space;
    }
    put(v->LReg[o->VD], lanes, r);
}

/* sfpu_lut8 of the two low bytes, the higher one in the high half: FP32 without its low halves.  The exponent's bits, which count
 * down, change all of those of 127 that they are. */
AVX512_INLINE __m512i lut8_both(__m512i x)
{
    enum { X_AND_Y_XOR_Z = 0x6A };
#define APART(i) (int)(UINT32_C(0xFF01FF00) + (i)*UINT32_C(0x040004)) /* 0xFF: a zero */
    const __m512i byte = _mm512_shuffle_epi8(x, _mm512_set4_epi32(APART(3), APART(2), APART(1), APART(0)));
#undef APART
    const __m512i field = _mm512_ternarylogic_epi32(_mm512_slli_epi16(byte, 3), fma_words(0x03F803F8),
                                                    fma_words(0x3F803F80), X_AND_Y_XOR_Z);
    const __m512i value =
        _mm512_ternarylogic_epi32(_mm512_slli_epi16(byte, 8), fma_words(0x80008000), field, FMA_X_AND_Y_OR_Z);
    return _mm512_maskz_mov_epi16(_mm512_cmpneq_epi16_mask(byte, fma_words(0x00FF00FF)), value);
}
AVX512_INLINE __m512i of_three(const struct vector_files *v, unsigned half, __m512i magnitude)
{
    const __m512i low = _mm512_loadu_si512(v->LReg[0] + half), middle = _mm512_loadu_si512(v->LReg[1] + half);
    const __m512i high = _mm512_loadu_si512(v->LReg[2] + half);
    const __m512i up = _mm512_mask_mov_epi32(high, _mm512_cmplt_epu32_mask(magnitude, fma_words(0x40000000)), middle);
    return _mm512_mask_mov_epi32(up, _mm512_cmplt_epu32_mask(magnitude, fma_words(F32_ONE)), low);
}

AVX512_CALL void lut(struct vector_files *v, struct play_step *step, uint32_t lanes)
{
    const struct vector_operands *o = &step->o;
    enum { INPUT = 3 };
    const struct lanes512 input = get(v->LReg[INPUT]);
    const __m512i magnitude = fma_words(~F32_SIGN);
    const struct lanes512 y = UNARY(_mm512_and_si512, input, magnitude);
    const __m512i low = of_three(v, 0, y.low), high = of_three(v, HALF, y.high);
    const struct lanes512 both = BOTH(lut8_both(low), lut8_both(high));
    const struct lanes512 x = UNARY(_mm512_and_si512, both, fma_words(0xFFFF0000)),
                          z = UNARY(_mm512_slli_epi32, both, 16);
    struct lanes512 r = multiply_add(x, y, z, false, &step->doubt);
    if (o->mod & SGN_RETAIN)
        r = BOTH(_mm512_ternarylogic_epi32(magnitude, r.low, input.low, SELECT),
                 _mm512_ternarylogic_epi32(magnitude, r.high, input.high, SELECT));
    put(v->LReg[o->VD], lanes, r);
}

/* sfpu_approximate_reciprocal with the sign of x.  The table is 64 words, of which bit 16 of x says which byte. */
AVX512_INLINE __m512i reciprocal(__m512i x)
{
    const __m512i table = _mm512_loadu_si512(sfpu_reciprocals), rest = _mm512_loadu_si512(sfpu_reciprocals + 64);
    const __m512i magnitude = _mm512_and_si512(x, fma_words(~F32_SIGN));
    const __m512i at = _mm512_and_si512(_mm512_srli_epi32(magnitude, 17), fma_words(63));
    const __m512i word = _mm512_permutex2var_epi16(table, at, rest);
    const __m512i byte = _mm512_srlv_epi32(word, _mm512_and_si512(_mm512_srli_epi32(magnitude, 13), fma_words(8)));
    const __m512i exponent = _mm512_sub_epi32(fma_words(253), _mm512_srli_epi32(magnitude, 23));
    __m512i r =
        _mm512_or_si512(_mm512_slli_epi32(exponent, 23), _mm512_slli_epi32(_mm512_and_si512(byte, fma_words(255)), 16));
    r = _mm512_mask_mov_epi32(r, _mm512_cmplt_epu32_mask(magnitude, fma_words(0x00800000)), fma_words(F32_INFINITY));
    r = _mm512_mask_mov_epi32(r, _mm512_cmpge_epu32_mask(magnitude, fma_words(0x7E800000)), fma_words(0));
    return _mm512_ternarylogic_epi32(x, fma_words(F32_SIGN), r, FMA_X_AND_Y_OR_Z);
}
AVX512_CALL void reciprocals(struct vector_files *v, const struct vector_operands *o, uint32_t lanes)
{
    const struct lanes512 x = get(v->LReg[o->VC]);
    put(v->LReg[o->VD], lanes, BOTH(reciprocal(x.low), reciprocal(x.high)));
}

/* What the last one of a program has written (mad.c, remember). */
AVX512_INLINE void remember(struct vector_files *v, uint32_t lanes, unsigned VD)
{
    struct vector_mad_write *write = &v->mad;
    write->lanes = lanes;
    write->written = lanes ? UINT32_C(1) << VD : 0;
    memset(write->index, (int)VD, sizeof write->index);
    const struct lanes512 old = get(v->LReg[VD]);
    _mm512_storeu_si512(write->old, old.low);
    _mm512_storeu_si512(write->old + HALF, old.high);
}

#endif
