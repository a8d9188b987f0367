/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of fma.c for 16 lanes of AVX-512.  As in fma_lanes.c, denormal inputs, infinities, NaNs, a product that overflows and
 * results near the denormals are left to fma.c: such lanes are in `odd`.
 *
 * Exponents are floats, for which the host has an instruction: that of zero is minus infinity, so that zero is shifted out of the sum
 * without being looked at.  The product is the host's rounded one and its rest, which a fused multiply-add gives exactly.  The sum, an
 * integer of at most 29 bits whose lowest is sticky, is rounded by the conversion to float: nearest even, like rule 5. */
#ifndef KERR_NUM_FMA_AVX512_H
#define KERR_NUM_FMA_AVX512_H

#if defined(__x86_64__)
#include "num/fma.h"

#include <immintrin.h>

#define FMA_AVX512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl"), always_inline)) static inline

static inline bool fma_has_avx512(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

/* Of the immediate of VFPCLASS. */
enum { FMA_IS_ZERO = 0x06, FMA_IS_DENORMAL = 0x20, FMA_IS_SPECIAL = 0x99 /* infinities and NaNs */ };
/* Of that of VPTERNLOG. */
enum { FMA_X_AND_Y_OR_Z = 0xEA, FMA_XOR_WHERE = 0x78 /* x ^ (y & z) */, FMA_XOR3 = 0x96 };

/* In all lanes.  A constant comes from memory: if the compiler knew that it is an integer, it would have it go through the port that
 * most of what is below needs. */
FMA_AVX512 __m512i fma_words(uint32_t word)
{
    const union {
        uint32_t word;
        float value;
    } both = {.word = word};
    __m512 all = _mm512_set1_ps(both.value);
    __asm__("" : "+v"(all));
    return (__m512i)all;
}

/* The product of two significands as rule 2 has it, from bit 26 or 27 on. */
FMA_AVX512 __m512i fma_avx512_product(__m512i x, __m512i y)
{
    enum { FRACTION = 0x7FFFFF, ONE = 127 << 23, TWO_TO_26 = (127 + 26) << 23, DOWN = _MM_FROUND_TO_NEG_INF };
    const __m512 a = (__m512)_mm512_ternarylogic_epi32(x, fma_words(FRACTION), fma_words(TWO_TO_26), FMA_X_AND_Y_OR_Z);
    const __m512 b = (__m512)_mm512_ternarylogic_epi32(y, fma_words(FRACTION), fma_words(ONE), FMA_X_AND_Y_OR_Z);
    const __m512 high = _mm512_mul_ps(a, b), rest = _mm512_fmsub_ps(a, b, high);
    const __m512i low = _mm512_cvt_roundps_epi32(rest, DOWN | _MM_FROUND_NO_EXC);
    const __mmask16 sticky = _mm512_cmp_ps_mask(_mm512_cvtepi32_ps(low), rest, _CMP_NEQ_UQ);
    const __m512i product = _mm512_add_epi32(_mm512_cvtps_epi32(high), low);
    return _mm512_mask_or_epi32(product, sticky, product, fma_words(1));
}

FMA_AVX512 __m512i fma_avx512(__m512i x, __m512i y, __m512i z, __mmask16 *odd)
{
    enum { FRACTION = 0x7FFFFF, HIDDEN = 0x800000 };
    const __m512 exponent_z = _mm512_getexp_ps((__m512)z);
    const __m512 exponent_p = _mm512_add_ps(_mm512_getexp_ps((__m512)x), _mm512_getexp_ps((__m512)y));
    const __m512 exponent = _mm512_max_ps(exponent_p, exponent_z), gap = _mm512_sub_ps(exponent_p, exponent_z);
    const __mmask16 product_is_large = _mm512_cmp_ps_mask(gap, _mm512_setzero_ps(), _CMP_GT_OQ);
    /* Infinite: nothing is kept.  Both are zero: NaN, and the same. */
    const __m512i distance = _mm512_cvttps_epi32(_mm512_abs_ps(gap));

    const __m512i product = fma_avx512_product(x, y);
    const __m512i addend =
        _mm512_ternarylogic_epi32(_mm512_slli_epi32(z, FMA_ROUND_BITS), fma_words(FRACTION << FMA_ROUND_BITS),
                                  fma_words(HIDDEN << FMA_ROUND_BITS), FMA_X_AND_Y_OR_Z);
    const __m512i large = _mm512_mask_mov_epi32(addend, product_is_large, product);
    const __m512i small = _mm512_mask_mov_epi32(product, product_is_large, addend);
    __m512i kept = _mm512_srlv_epi32(small, distance);
    const __mmask16 lost = _mm512_cmpneq_epi32_mask(_mm512_sllv_epi32(kept, distance), small);
    kept = _mm512_mask_or_epi32(kept, _mm512_mask_test_epi32_mask(lost, kept, kept), kept, fma_words(1)); /* rule 4 */

    const __m512i product_sign = _mm512_xor_si512(x, y);
    const __mmask16 differ = _mm512_movepi32_mask(_mm512_xor_si512(product_sign, z));
    const __m512i sum = _mm512_mask_sub_epi32(_mm512_add_epi32(large, kept), differ, large, kept);
    const __m512 rounded =
        _mm512_scalef_ps(_mm512_cvtepi32_ps(sum), _mm512_sub_ps(exponent, _mm512_set1_ps(23 + FMA_ROUND_BITS)));
    const __m512i large_sign = _mm512_mask_mov_epi32(z, product_is_large, product_sign);
    const __m512i result = _mm512_ternarylogic_epi32((__m512i)rounded, large_sign, fma_words(F32_SIGN), FMA_XOR_WHERE);

    enum { LEAST = -98 }; /* an exponent from which on no cancellation reaches the denormals */
    const __mmask16 small_exponent = _mm512_cmp_ps_mask(exponent, _mm512_set1_ps(LEAST), _CMP_LT_OQ);
    *odd |= _mm512_mask_cmp_ps_mask(small_exponent, exponent, _mm512_set1_ps(-__builtin_inff()), _CMP_NEQ_OQ) |
            _mm512_cmp_ps_mask(exponent, _mm512_set1_ps(128), _CMP_NLT_UQ) |
            _mm512_fpclass_ps_mask((__m512)x, FMA_IS_DENORMAL | FMA_IS_SPECIAL) |
            _mm512_fpclass_ps_mask((__m512)y, FMA_IS_DENORMAL | FMA_IS_SPECIAL) |
            _mm512_fpclass_ps_mask((__m512)z, FMA_IS_DENORMAL | FMA_IS_SPECIAL);
    /* A zero of what differs in sign is positive. */
    return (__m512i)_mm512_mask_add_ps((__m512)result, differ, (__m512)result, _mm512_setzero_ps());
}

/* The host's own fused multiply-add, where it is the same.  A product that FP32 has exactly makes the rest a sum, of which three bits
 * below a significand, the last one sticky, are enough.  Any other has the last of its bits sticky: as long as z has nothing there (it
 * is not smaller than a quarter) and that bit does not move up (the sum is not smaller than half of its larger part), rounding finds what
 * it needs.  Other lanes are in `unsure`, as are results near the denormals, zeros, infinities and NaNs.  Without `denormals`: neither x
 * nor z is one. */
FMA_AVX512 __m512i fma_avx512_host(__m512i x, __m512i y, __m512i z, bool denormals, __mmask16 *unsure)
{
    enum { LEAST = (127 - 98) << 23 }; /* as above */
    const __m512 p = _mm512_mul_ps((__m512)x, (__m512)y), r = _mm512_fmadd_ps((__m512)x, (__m512)y, (__m512)z);
    const __m512 rest = _mm512_fmsub_ps((__m512)x, (__m512)y, p);
    const __m512 size_p = _mm512_abs_ps(p), size_z = _mm512_abs_ps((__m512)z), size_r = _mm512_abs_ps(r);
    const __mmask16 inexact = _mm512_cmp_ps_mask(rest, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    const __m512 larger = _mm512_max_ps(size_p, size_z), quarter = _mm512_mul_ps(size_p, _mm512_set1_ps(0.25f));
    const __mmask16 cut = _mm512_mask_cmp_ps_mask(inexact, size_z, quarter, _CMP_LT_OQ);
    const __m512i size = _mm512_sub_epi32((__m512i)size_r, fma_words(LEAST));
    *unsure |= _mm512_mask_test_epi32_mask(cut, (__m512i)size_z, (__m512i)size_z) |
               _mm512_mask_cmp_ps_mask(inexact, _mm512_add_ps(size_r, size_r), larger, _CMP_NGE_UQ) |
               _mm512_cmpge_epu32_mask(size, fma_words(F32_INFINITY - LEAST)) |
               _mm512_fpclass_ps_mask((__m512)y, FMA_IS_DENORMAL);
    if (denormals)
        *unsure |=
            _mm512_fpclass_ps_mask((__m512)x, FMA_IS_DENORMAL) | _mm512_fpclass_ps_mask((__m512)z, FMA_IS_DENORMAL);
    return (__m512i)r;
}

/* x * y + z where z is a zero: the bits that rule 2 cuts off are sticky, so that this is the product that IEEE 754 has. */
FMA_AVX512 __m512i fma_avx512_mul(__m512i x, __m512i y, __m512i z, __mmask16 *odd)
{
    const __m512 r = _mm512_add_ps(_mm512_mul_ps((__m512)x, (__m512)y), (__m512)z);
    /* Not what is below or at the smallest normal number, but for a zero that a factor has brought. */
    const __m512 magnitude = _mm512_abs_ps(r);
    const __mmask16 tiny = _mm512_cmp_ps_mask(magnitude, (__m512)fma_words(0x00800000), _CMP_LE_OQ);
    const __m512i product_is_zero = _mm512_min_epu32(_mm512_slli_epi32(x, 1), _mm512_slli_epi32(y, 1));
    *odd |= _mm512_mask_test_epi32_mask(tiny, product_is_zero, product_is_zero) |
            _mm512_fpclass_ps_mask((__m512)x, FMA_IS_DENORMAL | FMA_IS_SPECIAL) |
            _mm512_fpclass_ps_mask((__m512)y, FMA_IS_DENORMAL | FMA_IS_SPECIAL) |
            _mm512_fpclass_ps_mask(r, FMA_IS_SPECIAL);
    return (__m512i)r;
}

/* x * 1 + z: three bits below a significand, the last one sticky, are enough for the sum that IEEE 754 has. */
FMA_AVX512 __m512i fma_avx512_add(__m512i x, __m512i z, __mmask16 *odd)
{
    const __m512 r = _mm512_add_ps((__m512)x, (__m512)z);
    *odd |= _mm512_fpclass_ps_mask((__m512)x, FMA_IS_DENORMAL | FMA_IS_SPECIAL) |
            _mm512_fpclass_ps_mask((__m512)z, FMA_IS_DENORMAL | FMA_IS_SPECIAL) |
            _mm512_fpclass_ps_mask(r, FMA_IS_DENORMAL | FMA_IS_SPECIAL);
    return (__m512i)r;
}

#endif
#endif
