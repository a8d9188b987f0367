/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of fma.c for 8 lanes of AVX2, with the host's fused multiply-add.  As in fma_lanes.c, infinities, NaNs, a product that
 * overflows and results near the denormals are left to fma.c: such lanes are in `odd`.  Masks of lanes are vectors, all ones where it is
 * so.  Operands that are infinite or NaN make results that are, so that where results are looked at operands are not. */
#ifndef KERR_NUM_FMA_AVX2_H
#define KERR_NUM_FMA_AVX2_H

#if defined(__x86_64__)
#include "num/fma.h"

#include <immintrin.h>

#define FMA_AVX2 __attribute__((target("avx2,fma"), always_inline)) static inline

static inline bool fma_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

FMA_AVX2 __m256i fma_avx2_words(uint32_t word)
{
    return _mm256_set1_epi32((int)word);
}
FMA_AVX2 bool fma_avx2_any(__m256i mask)
{
    return !_mm256_testz_si256(mask, mask);
}
FMA_AVX2 __m256 fma_avx2_size(__m256i x)
{
    return (__m256)_mm256_and_si256(x, fma_avx2_words(~F32_SIGN));
}

/* Less than a limit: a denormal.  The place of a number among those without a sign, moved so that zero is the last one, and by 2^31,
 * since the host compares numbers with a sign. */
FMA_AVX2 __m256i fma_avx2_place(__m256i x)
{
    return _mm256_add_epi32(_mm256_add_epi32(x, x), fma_avx2_words(0x7FFFFFFF));
}
FMA_AVX2 __m256i fma_avx2_is_denormal(__m256i place)
{
    return _mm256_cmpgt_epi32(fma_avx2_words(0x80FFFFFF), place);
}
/* Below `least`, infinite or a NaN. */
FMA_AVX2 __m256i fma_avx2_out_of_range(__m256i size, uint32_t least)
{
    const __m256i above = _mm256_add_epi32(size, fma_avx2_words(F32_SIGN - least));
    return _mm256_cmpgt_epi32(above, fma_avx2_words((F32_INFINITY - least - 1) ^ F32_SIGN));
}

/* The product of two significands as rule 2 has it, from bit 26 or 27 on: the host's rounded one and its rest, which a fused multiply-add
 * gives exactly. */
FMA_AVX2 __m256i fma_avx2_product(__m256i x, __m256i y)
{
    enum { FRACTION = 0x7FFFFF, ONE = 127 << 23, TWO_TO_26 = (127 + 26) << 23 };
    const __m256i fraction = fma_avx2_words(FRACTION);
    const __m256 a = (__m256)_mm256_or_si256(_mm256_and_si256(x, fraction), fma_avx2_words(TWO_TO_26));
    const __m256 b = (__m256)_mm256_or_si256(_mm256_and_si256(y, fraction), fma_avx2_words(ONE));
    const __m256 high = _mm256_mul_ps(a, b), rest = _mm256_fmsub_ps(a, b, high);
    const __m256 low = _mm256_floor_ps(rest);
    const __m256i sticky = _mm256_srli_epi32((__m256i)_mm256_cmp_ps(low, rest, _CMP_NEQ_UQ), 31);
    return _mm256_or_si256(_mm256_add_epi32(_mm256_cvtps_epi32(high), _mm256_cvtps_epi32(low)), sticky);
}

/* x * y + z as fma_lanes.c has it, but for the product; the same is left to fma.c, in `odd`. */
FMA_AVX2 __m256i fma_avx2(__m256i x, __m256i y, __m256i z, __m256i *odd)
{
    enum { FRACTION = 0x7FFFFF, HIDDEN = 0x800000, BIAS = 127, TOP = 26, SURE = 64, OUT_OF_REACH = 1024 };
    const __m256i zero = _mm256_setzero_si256(), one = fma_avx2_words(1), bias = fma_avx2_words(BIAS);
    const __m256i exponents = fma_avx2_words(255), sign_bit = fma_avx2_words(F32_SIGN);
    const __m256i exponent_x = _mm256_and_si256(_mm256_srli_epi32(x, 23), exponents);
    const __m256i exponent_y = _mm256_and_si256(_mm256_srli_epi32(y, 23), exponents);
    const __m256i exponent_z = _mm256_and_si256(_mm256_srli_epi32(z, 23), exponents);
    const __m256i product_exponent = _mm256_sub_epi32(_mm256_add_epi32(exponent_x, exponent_y), bias);
    const __m256i no_product = _mm256_or_si256(_mm256_cmpeq_epi32(_mm256_min_epi32(exponent_x, exponent_y), zero),
                                               _mm256_srai_epi32(product_exponent, 31));
    const __m256i product = _mm256_andnot_si256(no_product, fma_avx2_product(x, y));
    const __m256i exponent_p =
        _mm256_sub_epi32(product_exponent, _mm256_and_si256(no_product, fma_avx2_words(OUT_OF_REACH)));
    const __m256i significand = _mm256_or_si256(_mm256_and_si256(z, fma_avx2_words(FRACTION)), fma_avx2_words(HIDDEN));
    const __m256i addend =
        _mm256_andnot_si256(_mm256_cmpeq_epi32(exponent_z, zero), _mm256_slli_epi32(significand, FMA_ROUND_BITS));

    const __m256i gap = _mm256_sub_epi32(exponent_p, exponent_z);
    const __m256i product_is_large = _mm256_cmpgt_epi32(gap, zero);
    const __m256i large = _mm256_blendv_epi8(addend, product, product_is_large);
    const __m256i small = _mm256_blendv_epi8(product, addend, product_is_large);
    const __m256i distance = _mm256_abs_epi32(gap); /* 32 and more: nothing is kept */
    const __m256i kept = _mm256_srlv_epi32(small, distance);
    const __m256i nothing_lost = _mm256_cmpeq_epi32(_mm256_sllv_epi32(kept, distance), small);
    const __m256i sticky = _mm256_andnot_si256(_mm256_or_si256(nothing_lost, _mm256_cmpeq_epi32(kept, zero)), one);
    const __m256i lesser = _mm256_or_si256(kept, sticky); /* rule 4 */

    const __m256i product_sign = _mm256_xor_si256(x, y);
    const __m256i differ = _mm256_srai_epi32(_mm256_xor_si256(product_sign, z), 31);
    const __m256i sum = _mm256_add_epi32(large, _mm256_sub_epi32(_mm256_xor_si256(lesser, differ), differ));
    const __m256i magnitude = _mm256_abs_epi32(sum);
    const __m256i exponent = _mm256_max_epi32(exponent_p, exponent_z);
    const __m256i scale = _mm256_slli_epi32(_mm256_sub_epi32(exponent, fma_avx2_words(BIAS + TOP)), 23);
    const __m256i rounded = _mm256_add_epi32((__m256i)_mm256_cvtepi32_ps(magnitude), scale);
    const __m256i finite = _mm256_min_epu32(rounded, fma_avx2_words(F32_INFINITY));
    const __m256i large_sign = _mm256_blendv_epi8(z, product_sign, product_is_large);
    const __m256i sign = _mm256_and_si256(_mm256_xor_si256(large_sign, sum), sign_bit);
    const __m256i zero_sign = _mm256_and_si256(_mm256_and_si256(product_sign, z), sign_bit);
    const __m256i is_zero = _mm256_cmpeq_epi32(sum, zero);

    const __m256i top = _mm256_max_epi32(_mm256_max_epi32(exponent_x, exponent_y), exponent_z);
    const __m256i special =
        _mm256_or_si256(_mm256_cmpeq_epi32(top, exponents), _mm256_cmpgt_epi32(product_exponent, fma_avx2_words(254)));
    const __m256i below = _mm256_and_si256(_mm256_cmpgt_epi32(fma_avx2_words(HIDDEN), rounded),
                                           _mm256_cmpgt_epi32(fma_avx2_words(SURE), exponent));
    *odd = _mm256_or_si256(*odd, _mm256_or_si256(special, _mm256_andnot_si256(is_zero, below)));
    return _mm256_blendv_epi8(_mm256_or_si256(finite, sign), zero_sign, is_zero);
}

/* The host's own fused multiply-add, where it is the same.  A product that FP32 has exactly makes the rest a sum, of which three bits
 * below a significand, the last one sticky, are enough.  Any other has the last of its bits sticky: as long as z has nothing there (it
 * is not smaller than a quarter) and that bit does not move up (the sum is not smaller than half of its larger part), rounding finds what
 * it needs.  Other lanes are in `unsure`, as are results near the denormals, zeros, infinities and NaNs.  A denormal z makes no difference to a sum that is not near the denormals: of a product that is
 * exact all else is rounded off, any other is in doubt because z is smaller than a quarter. */
FMA_AVX2 __m256i fma_avx2_host(__m256i x, __m256i y, __m256i z, __m256i *unsure)
{
    enum { LEAST = (127 - 98) << 23 };
    const __m256 p = _mm256_mul_ps((__m256)x, (__m256)y), r = _mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z);
    const __m256 rest = _mm256_fmsub_ps((__m256)x, (__m256)y, p), nothing = _mm256_setzero_ps();
    const __m256 size_p = fma_avx2_size((__m256i)p), size_z = fma_avx2_size(z), size_r = fma_avx2_size((__m256i)r);
    const __m256 inexact = _mm256_cmp_ps(rest, nothing, _CMP_NEQ_UQ);
    const __m256 larger = _mm256_max_ps(size_p, size_z), quarter = _mm256_mul_ps(size_p, _mm256_set1_ps(0.25f));
    const __m256 cut =
        _mm256_and_ps(_mm256_cmp_ps(size_z, quarter, _CMP_LT_OQ), _mm256_cmp_ps(size_z, nothing, _CMP_NEQ_UQ));
    const __m256 cancels = _mm256_cmp_ps(_mm256_add_ps(size_r, size_r), larger, _CMP_NGE_UQ);
    const __m256i doubtful = (__m256i)_mm256_and_ps(inexact, _mm256_or_ps(cut, cancels));
    const __m256i place = _mm256_min_epi32(fma_avx2_place(x), fma_avx2_place(y));
    *unsure = _mm256_or_si256(*unsure, _mm256_or_si256(_mm256_or_si256(doubtful, fma_avx2_is_denormal(place)),
                                                       fma_avx2_out_of_range((__m256i)size_r, LEAST)));
    return (__m256i)r;
}

/* x * y + z where z is a zero: the bits that rule 2 cuts off are sticky, so that this is the product that IEEE 754 has. */
FMA_AVX2 __m256i fma_avx2_mul(__m256i x, __m256i y, __m256i z, __m256i *odd)
{
    enum { LEAST = 0x00800001 };
    const __m256 r = _mm256_add_ps(_mm256_mul_ps((__m256)x, (__m256)y), (__m256)z);
    const __m256i size = (__m256i)fma_avx2_size((__m256i)r), place_x = fma_avx2_place(x), place_y = fma_avx2_place(y);
    /* Zero is right where a factor has brought it, and the other is not special. */
    const __m256i from_zero =
        _mm256_and_si256(_mm256_cmpeq_epi32(_mm256_max_epi32(place_x, place_y), fma_avx2_words(0x7FFFFFFF)),
                         _mm256_cmpeq_epi32(size, _mm256_setzero_si256()));
    const __m256i denormal = fma_avx2_is_denormal(_mm256_min_epi32(place_x, place_y));
    *odd = _mm256_or_si256(
        *odd, _mm256_or_si256(denormal, _mm256_andnot_si256(from_zero, fma_avx2_out_of_range(size, LEAST))));
    return (__m256i)r;
}

/* x * 1 + z: three bits below a significand, the last one sticky, are enough for the sum that IEEE 754 has. */
FMA_AVX2 __m256i fma_avx2_add(__m256i x, __m256i z, __m256i *odd)
{
    const __m256i r = (__m256i)_mm256_add_ps((__m256)x, (__m256)z);
    const __m256i place = _mm256_min_epi32(_mm256_min_epi32(fma_avx2_place(x), fma_avx2_place(z)), fma_avx2_place(r));
    const __m256i infinity = fma_avx2_words(F32_INFINITY);
    const __m256i special = _mm256_cmpeq_epi32(_mm256_and_si256(r, infinity), infinity);
    *odd = _mm256_or_si256(*odd, _mm256_or_si256(special, fma_avx2_is_denormal(place)));
    return r;
}

#endif
#endif
