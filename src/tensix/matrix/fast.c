/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms of kernel.h: fast_body.h and fast_elements.h for AVX-512, for AVX2 and for whatever else, chosen when called.
 *
 * Instructions of these two are used where the compiler's vector types have no word for something: the larger of two, leading
 * zeros, a product rounded at bit 15, a shift of half words by lanes. */
#include "tensix/matrix/kernel.h"

#include "base/bits.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Eight of something stay in registers. */
#if defined(__clang__)
#define UNROLL_8 _Pragma("unroll")
#else
#define UNROLL_8 _Pragma("GCC unroll 8")
#endif

/* Added to the exponents of factors and, twice, of products: none is negative, and zero is far below. */
enum { FAST_FACTOR_BIAS = 1024, FAST_EXPONENT_BIAS = 2048 };

/* Keys of what is kept of both phases at once: fast_elements.h, fast_body_floats.h (with the style). */
enum { INTEGERS_KEY = 0x2000, FLOATS_KEY = 0x1000 };

/* A mode as masks and shifts. */
struct fast_mode {
    uint32_t a_exponent, b_exponent; /* bits of a cell */
    uint32_t a_mantissa, b_mantissa; /* of cell >> 8 */
    uint32_t a_shift, a_part, a_hidden;
    uint32_t a_exponent_twice, a_part_twice, a_hidden_twice, factor_bias_twice; /* in both halves */
    uint32_t b_half_shift, b_part, b_up, b_hidden;
    uint32_t a_shift_14, a_part_14, a_hidden_14, b_shift_14, b_part_14, b_hidden_14; /* of products of elements */
    uint32_t a_integer, b_integer;                                                   /* of cell >> 8 */
    uint32_t a_key, b_key;                                  /* of what is kept in a cache; not zero */
    int32_t bias, product_bias, bias_of_sum, zero_exponent; /* all but the first with FAST_EXPONENT_BIAS */
    uint32_t dst_exponent, dst_high, dst_low;               /* of a datum >> 16, >> 8 and as it is */
    uint32_t dst_high_out, hidden, sign, low_half;
    uint32_t half, kept; /* rounding below bit 30 */
    int32_t round, round_places;
    int32_t exponent_of_length, largest;
    uint32_t too_large;
    /* fast_body_floats.h: exponents as FP32 has them, bytes four times; of SrcA and SrcB, and of Dst */
    uint32_t floats_offset, floats_dst_offset, floats_top, floats_zero, floats_zero_c, floats_product_c, floats_lowest;
    uint32_t floats_dst_bits, floats_half, floats_low_a, floats_low_b, floats_a_key, floats_b_key;
    bool dst32, keep_zero_b, integers, lowest;
};

/* fast_mode of (style of SrcA, of SrcB, phase, dst32, keep_zero_b), all of them constants: BIAS is matrix_bias of arith.h. */
#define FIVE(a, dst32) ((a) == MATRIX_FP16 && !(dst32))
#define BIAS(a, phase, dst32)                                                                                          \
    (((a) != MATRIX_FP16 ? -127 : (dst32) ? 97 : -15) - ((phase)&1 ? 5 : 0) - ((phase)&2 ? 7 : 0))
/* What a phase takes from exponents, and the exponent of nothing, as FP32 has it. */
#define LESS(phase) (((phase)&1 ? 5u : 0u) + ((phase)&2 ? 7u : 0u))
#define FLOATS_ZERO(a, phase, dst32) ((a) != MATRIX_FP16 ? 0u : (dst32) ? 97u - LESS(phase) : 112u)
#define KEPT(a, dst32) ((dst32) ? 24 : FIVE(a, dst32) ? 11 : 8)
#define EXPONENT_BITS(style) ((style) == MATRIX_FP16 ? 0x1F : 0xFF)
#define MANTISSA_BITS(style) ((style) == MATRIX_BF16 ? 0x3F8 : 0x3FF)
/* Twice the five bits of SrcA; the seven of SrcB. */
#define PART_A(a, phase) ((phase)&1 ? 0x3E & MANTISSA_BITS(a) : 0x1E)
#define PART_B(b, phase) ((phase)&2 ? 0xF & MANTISSA_BITS(b) : 0x3F)
#define BOTH 0x10001u
/* clang-format off */
#define MODE(a_, b_, phase, dst32_, keep) {                                                                            \
    .a_exponent = EXPONENT_BITS(a_), .b_exponent = EXPONENT_BITS(b_),                                                  \
    .a_mantissa = MANTISSA_BITS(a_), .b_mantissa = MANTISSA_BITS(b_),                                                  \
    .a_shift = (phase) & 1 ? 8 : 13, .a_part = PART_A(a_, phase), .a_hidden = (phase) & 1 ? 0 : 0x20,                  \
    .a_exponent_twice = EXPONENT_BITS(a_) * BOTH, .a_part_twice = PART_A(a_, phase) * BOTH,                            \
    .a_hidden_twice = ((phase) & 1 ? 0 : 0x20) * BOTH, .factor_bias_twice = FAST_FACTOR_BIAS * BOTH,                   \
    .b_half_shift = (phase) & 2 ? 0 : 4, .b_part = PART_B(b_, phase),                 \
    .b_up = (phase) & 2 ? 3 : 0, .b_hidden = (phase) & 2 ? 0 : 0x40,                                                   \
    .a_shift_14 = (phase) & 1 ? 0 : 5, .a_part_14 = PART_A(a_, phase) << 8, .a_hidden_14 = (phase) & 1 ? 0 : 0x2000,   \
    .b_shift_14 = (phase) & 2 ? 0 : 7, .b_part_14 = PART_B(b_, phase) << ((phase) & 2 ? 8 : 5),                        \
    .b_hidden_14 = (phase) & 2 ? 0 : 0x800,                                                                            \
    .a_integer = (phase) & 1 ? 0x1F : 0xE0, .b_integer = (phase) & 2 ? 0x0F : 0x3F0,                                   \
    .a_key = (a_) == MATRIX_INT8 ? INTEGERS_KEY : 1 + ((a_) << 1 | ((phase) & 1)),                                                                          \
    .b_key = (a_) == MATRIX_INT8 ? INTEGERS_KEY + (keep) : 1 + ((b_) << 4 | (phase) << 2 | (dst32_) << 1 | (keep)),                                                  \
    .bias = BIAS(a_, phase, dst32_), .product_bias = BIAS(a_, phase, dst32_) + FAST_EXPONENT_BIAS,                     \
    .bias_of_sum = BIAS(a_, phase, dst32_) + ((a_) == MATRIX_FP16 ? 15 : 127) + FAST_EXPONENT_BIAS,                    \
    .zero_exponent = (BIAS(a_, phase, dst32_) > 0 ? BIAS(a_, phase, dst32_) : 0) + FAST_EXPONENT_BIAS,                 \
    .dst_exponent = FIVE(a_, dst32_) ? 0x1F : 0xFF, .dst_high = FIVE(a_, dst32_) ? 0x7FE000 : 0x7F0000,                \
    .dst_high_out = FIVE(a_, dst32_) ? 0x7FE00000 : 0x7F000000, .dst_low = (dst32_) ? 0xFFFF : 0,                      \
    .hidden = 0x800000, .sign = 0x80000000, .low_half = 0xFFFF,                                                        \
    .half = UINT32_C(1) << (30 - KEPT(a_, dst32_)), .kept = ~((UINT32_C(2) << (30 - KEPT(a_, dst32_))) - 1),           \
    .round = (dst32_) ? 1 : 1 + (1 << 13), .round_places = (dst32_) ? 1 : 14,                                          \
    .exponent_of_length = ((dst32_) ? 8 : 8 + 13) - FAST_EXPONENT_BIAS,                                                \
    .largest = FIVE(a_, dst32_) ? 31 : 254, .too_large = FIVE(a_, dst32_) ? 0x7FE00000 | 31u << 16 : 255u << 16,       \
    .floats_offset = (a_) == MATRIX_FP16 ? 112 : 0, .floats_dst_offset = FIVE(a_, dst32_) ? 112 : 0,                   \
    .floats_top = (254 - LESS(phase)) * 0x01010101u, .floats_zero = (13 + FLOATS_ZERO(a_, phase, dst32_)) * 0x01010101u, \
    .floats_zero_c = (13 + FLOATS_ZERO(a_, phase, dst32_)) << 23 | 0x400000, .floats_product_c = ((13u - 127u - LESS(phase)) << 23) + 0x400000, .floats_lowest = 127 + 24 + LESS(phase),  \
    .floats_dst_bits = FIVE(a_, dst32_) ? 0xFFFFE000 : 0xFFFF0000, .floats_half = FIVE(a_, dst32_) ? 0x1000 : 0x8000,  \
    .floats_low_a = (phase) & 1, .floats_low_b = (phase) >> 1, .floats_a_key = FLOATS_KEY + (a_),                          \
    .floats_b_key = FLOATS_KEY + (b_),                                                                                     \
    .dst32 = (dst32_), .keep_zero_b = (keep), .integers = (a_) == MATRIX_INT8, .lowest = (keep) || (phase)}
#define MODES_KEEP(a, b, phase, dst32) {MODE(a, b, phase, dst32, 0), MODE(a, b, phase, dst32, 1)}
#define MODES_DST(a, b, phase) {MODES_KEEP(a, b, phase, 0), MODES_KEEP(a, b, phase, 1)}
#define MODES_PHASE(a, b) {MODES_DST(a, b, 0), MODES_DST(a, b, 1), MODES_DST(a, b, 2), MODES_DST(a, b, 3)}
/* clang-format on */

enum { STYLES = MATRIX_INT8 + 1 };
static const struct fast_mode fast_modes[STYLES][STYLES][4][2][2] = {
    [MATRIX_BF16] =
        {[MATRIX_BF16] = MODES_PHASE(MATRIX_BF16, MATRIX_BF16), [MATRIX_TF32] = MODES_PHASE(MATRIX_BF16, MATRIX_TF32)},
    [MATRIX_TF32] =
        {[MATRIX_BF16] = MODES_PHASE(MATRIX_TF32, MATRIX_BF16), [MATRIX_TF32] = MODES_PHASE(MATRIX_TF32, MATRIX_TF32)},
    [MATRIX_FP16] = {[MATRIX_FP16] = MODES_PHASE(MATRIX_FP16, MATRIX_FP16)},
    [MATRIX_INT8] = {[MATRIX_INT8] = MODES_PHASE(MATRIX_INT8, MATRIX_INT8)},
};

static inline const struct fast_mode *fast_mode_of(const struct matrix_mode *m)
{
    return &fast_modes[m->a][m->b][m->phase][m->dst32][m->keep_zero_b];
}

/* 16 rows of SrcA: exponents, the parts of this phase, signs, each twice, in both halves of a word; parts are doubled. */
struct fast_factors_a {
    uint32_t exponent[256], part[256], sign[256];
};
_Static_assert(sizeof(struct fast_factors_a) == sizeof((struct matrix_cached_a *)0)->factors, "kept there");

/* Two rows of SrcB, the even one in the low half of each word: exponents with the bias, the parts of this phase, signs. */
struct fast_factors_b {
    uint32_t exponent[16], part[16], sign[16];
};
_Static_assert(4 * sizeof(struct fast_factors_b) <= sizeof((struct matrix_cached_b *)0)->factors, "kept there");

/* ---- Any processor ---- */

#define LANES 4
#define FAST_PAIRS 1
#define FAST(name) name##_any
#define FAST_TARGET
#define FAST_SOME(x) some_any(x)
#define FAST_MAX(x, y) max_any(x, y)
#define FAST_SAR(x, n) sar_any(x, n)
#define FAST_SHR(x, n) ((x) >> (n))
#define FAST_ABS(x) abs_any(x)
#define FAST_MAX_HALF(x, y) max_half_any(x, y)
#define FAST_TWICE(x) (((x)&0xFF) | ((x)&0xFF) << 16)
#define FAST_CLZ(x) clz_any(x)
#define FAST_POWER(d) power_any(d)
#define FAST_MULHRS(x, y) mulhrs_any(x, y)
#define FAST_JOIN(h, l) join_any(h, l)
#define FAST_SPLIT(h, l, x) split_any(h, l, x)
#define FAST_NARROW(x) __builtin_convertvector(x, any_short)
#define FAST_MADD(x, y) madd_any(x, y)
#define FAST_PICK(m, x, y) (((m) & (x)) | (~(m) & (y)))

typedef int32_t any_words __attribute__((vector_size(16)));
typedef int16_t any_halves __attribute__((vector_size(16)));
typedef uint16_t any_uhalves __attribute__((vector_size(16)));
typedef uint16_t any_short __attribute__((vector_size(8)));
typedef uint32_t any_uwords __attribute__((vector_size(16)));

static inline any_uwords join_any(const uint16_t *high, const uint16_t *low)
{
    any_short h, l;
    memcpy(&h, high, sizeof h);
    memcpy(&l, low, sizeof l);
    return __builtin_convertvector(h, any_uwords) << 16 | __builtin_convertvector(l, any_uwords);
}
static inline void split_any(uint16_t *high, uint16_t *low, any_uwords x)
{
    const any_short h = __builtin_convertvector(x >> 16, any_short), l = __builtin_convertvector(x, any_short);
    memcpy(high, &h, sizeof h);
    memcpy(low, &l, sizeof l);
}

static inline bool some_any(any_uwords x)
{
    return (x[0] | x[1] | x[2] | x[3]) != 0;
}
static inline any_words max_any(any_words x, any_words y)
{
    const any_words where = x > y;
    return (x & where) | (y & ~where);
}
static inline any_words sar_any(any_words x, any_words n)
{
    const any_words far = n > 31;
    return x >> ((n & ~far) | (far & 31));
}
static inline any_words abs_any(any_words x)
{
    const any_uwords sign = (any_uwords)(x >> 31);
    return (any_words)(((any_uwords)x ^ sign) - sign);
}
static inline any_uhalves max_half_any(any_uhalves x, any_uhalves y)
{
    const any_uhalves where = (any_uhalves)(x > y);
    return (x & where) | (y & ~where);
}
static inline any_words clz_any(any_words x)
{
    any_words zeros = {0};
    for (int width = 16; width > 0; width >>= 1) {
        const any_words none = x >> (32 - width) == 0;
        zeros += none & width;
        x = (x << width & none) | (x & ~none);
    }
    return zeros;
}
static inline any_uhalves power_any(any_uhalves d)
{
    const any_uhalves far = (any_uhalves)(d > 15);
    return ((any_uhalves){0} + 0x4000) >> ((d & ~far) | (far & 15));
}
static inline any_halves mulhrs_any(any_halves x, any_uhalves y)
{
    for (unsigned i = 0; i < 8; i++)
        x[i] = (int16_t)((x[i] * (int16_t)y[i] + 0x4000) >> 15);
    return x;
}
static inline any_words madd_any(any_words x, any_words y)
{
    return ((x << 16) >> 16) * ((y << 16) >> 16) + (x >> 16) * (y >> 16);
}
#include "fast_body.h"
#include "fast_elements.h"
#include "fast_end.h"
#define multiply_any multiply_halves_any
#define elementwise_any(f, form, a, b, dst) elementwise_words_any(f, form, 0, a, b, dst)

#if defined(__x86_64__)
/* Floating point rounds as fast_body_floats.h wants it, and nobody is told that a result was not exact. */
static inline bool host_rounds_to_nearest(void)
{
    enum { LOOK_AT = _MM_ROUND_MASK | _MM_FLUSH_ZERO_MASK | 0x40 /* denormals are zeros */ | _MM_MASK_MASK };
    return (_mm_getcsr() & LOOK_AT) == _MM_MASK_MASK;
}
/* Halves of the last bit of 1.5 * 2^x, and of bits below it; all a little more. */
static const float floats_quarter = 0x1.6p-26F, floats_twice_rounded = 0x1.cp-38F, floats_half_up = 0x1.556p-25F;

/* Of a shuffle of bytes: byte 0 of a word to its bytes 0 and 2, nothing to the others. */
enum { TWICE = (int)0x80008000 };

/* ---- AVX2 ---- */

#define LANES 8
#define FAST_PAIRS 1
#define FAST(name) name##_avx2
#define FAST_TARGET __attribute__((target("avx2,fma")))
#define FAST_SOME(x) (!_mm256_testz_si256((__m256i)(x), (__m256i)(x)))
#define FAST_MAX(x, y) ((words_avx2)_mm256_max_epi32((__m256i)(x), (__m256i)(y)))
#define FAST_SAR(x, n) ((words_avx2)_mm256_srav_epi32((__m256i)(x), (__m256i)(n)))
#define FAST_SHR(x, n) ((uwords_avx2)_mm256_srlv_epi32((__m256i)(x), _mm256_set1_epi32((int)(n))))
#define FAST_ABS(x) ((words_avx2)_mm256_abs_epi32((__m256i)(x)))
#define FAST_MAX_HALF(x, y) ((uhalves_avx2)_mm256_max_epu16((__m256i)(x), (__m256i)(y)))
#define FAST_TWICE(x)                                                                                                  \
    ((uwords_avx2)_mm256_shuffle_epi8((__m256i)(x),                                                                    \
                                      _mm256_setr_epi32(TWICE, TWICE + 0x40004, TWICE + 0x80008, TWICE + 0xC000C,      \
                                                        TWICE, TWICE + 0x40004, TWICE + 0x80008, TWICE + 0xC000C)))
#define FAST_CLZ(x) ((words_avx2)clz_avx2((__m256i)(x)))
#define FAST_POWER(d) ((uhalves_avx2)power_avx2((__m256i)(d)))
#define FAST_MULHRS(x, y) ((halves_avx2)_mm256_mulhrs_epi16((__m256i)(x), (__m256i)(y)))
#define FAST_JOIN(h, l) ((uwords_avx2)join_avx2(h, l))
#define FAST_SPLIT(h, l, x) split_avx2(h, l, (__m256i)(x))
#define FAST_NARROW(x) ((ushort_avx2)narrow_avx2((__m256i)(x)))
#define FAST_MADD(x, y) ((words_avx2)_mm256_madd_epi16((__m256i)(x), (__m256i)(y)))
#define FAST_MIN(x, y) ((words_avx2)_mm256_min_epi32((__m256i)(x), (__m256i)(y)))
#define FAST_MAX_UNSIGNED(x, y) ((uwords_avx2)_mm256_max_epu32((__m256i)(x), (__m256i)(y)))
#define FAST_MIN_UNSIGNED(x, y) ((uwords_avx2)_mm256_min_epu32((__m256i)(x), (__m256i)(y)))
#define FAST_ADDS(x, y) ((uwords_avx2)_mm256_adds_epu8((__m256i)(x), (__m256i)(y)))
#define FAST_SUBS(x, y) ((uwords_avx2)_mm256_subs_epu8((__m256i)(x), (__m256i)(y)))
#define FAST_LEAST(x, y) ((uwords_avx2)_mm256_min_epu8((__m256i)(x), (__m256i)(y)))
#define FAST_MOST(x, y) ((uwords_avx2)_mm256_max_epu8((__m256i)(x), (__m256i)(y)))
#define FAST_PICK(m, x, y) (((m) & (x)) | (~(m) & (y)))
#define FAST_SEXT(x) ((uwords_avx2)_mm256_cvtepi16_epi32((__m128i)(x)))
#define FAST_SPREAD(x) ((floats_avx2)_mm256_set1_ps(x))
#define FAST_FMA(x, y, z) ((floats_avx2)_mm256_fmadd_ps((__m256)(x), (__m256)(y), (__m256)(z)))
/* A quarter of the term's unit makes halves go up, the rest is the 2^-14 and a little. */
#define FAST_TO_PLUS(sum, x, c, most)                                                                                  \
    ((sum) + FAST_FMA(most, FAST_SPREAD(floats_twice_rounded), FAST_FMA(c, FAST_SPREAD(floats_quarter), x)))

/* By the exponent of a floating-point number; without the bits below a leading pair of ones none is rounded up. */
FAST_TARGET static inline __m256i clz_avx2(__m256i x)
{
    const __m256 number = _mm256_cvtepi32_ps(_mm256_andnot_si256(_mm256_srli_epi32(x, 1), x));
    return _mm256_sub_epi32(_mm256_set1_epi32(127 + 31), _mm256_srli_epi32(_mm256_castps_si256(number), 23));
}
FAST_TARGET static inline __m128i narrow_avx2(__m256i x)
{
    x = _mm256_blend_epi16(x, _mm256_setzero_si256(), 0xAA);
    return _mm256_castsi256_si128(_mm256_permute4x64_epi64(_mm256_packus_epi32(x, x), 0x08));
}
FAST_TARGET static inline __m256i join_avx2(const uint16_t *high, const uint16_t *low)
{
    const __m256i h = _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)high));
    return _mm256_or_si256(_mm256_slli_epi32(h, 16), _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)low)));
}
FAST_TARGET static inline void split_avx2(uint16_t *high, uint16_t *low, __m256i x)
{
    _mm_storeu_si128((void *)high, narrow_avx2(_mm256_srli_epi32(x, 16)));
    _mm_storeu_si128((void *)low, narrow_avx2(x));
}
/* A shuffle looks up a byte for each of d (the low half of 2^(14-d)) and d + 8 (its high half). */
FAST_TARGET static inline __m256i power_avx2(__m256i d)
{
    const __m256i table = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0,
                                           -128, 64, 32, 16, 8, 4, 2, 1, 0);
    d = _mm256_min_epu16(d, _mm256_set1_epi16(15));
    d = _mm256_add_epi16(_mm256_or_si256(d, _mm256_slli_epi16(d, 8)), _mm256_set1_epi16(0x0800));
    return _mm256_shuffle_epi8(table, _mm256_min_epu8(d, _mm256_set1_epi8(15)));
}
#include "fast_body.h"
#include "fast_body_floats.h"
#include "fast_elements.h"
#include "fast_elements_floats.h"
#include "fast_end.h"

/* ---- AVX-512 ---- */

#define LANES 16
#define FAST_PAIRS 2
#define FAST(name) name##_avx512
#define FAST_TARGET __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl")))
#define FAST_SOME(x) (_mm512_test_epi32_mask((__m512i)(x), (__m512i)(x)) != 0)
#define FAST_MAX(x, y) ((words_avx512)_mm512_max_epi32((__m512i)(x), (__m512i)(y)))
#define FAST_SAR(x, n) ((words_avx512)_mm512_srav_epi32((__m512i)(x), (__m512i)(n)))
#define FAST_SHR(x, n) ((uwords_avx512)_mm512_srlv_epi32((__m512i)(x), _mm512_set1_epi32((int)(n))))
#define FAST_ABS(x) ((words_avx512)_mm512_abs_epi32((__m512i)(x)))
#define FAST_MAX_HALF(x, y) ((uhalves_avx512)_mm512_max_epu16((__m512i)(x), (__m512i)(y)))
#define FAST_TWICE(x)                                                                                                  \
    ((uwords_avx512)_mm512_shuffle_epi8((__m512i)(x),                                                                  \
                                        _mm512_set4_epi32(TWICE + 0xC000C, TWICE + 0x80008, TWICE + 0x40004, TWICE)))
#define FAST_CLZ(x) ((words_avx512)_mm512_lzcnt_epi32((__m512i)(x)))
#define FAST_POWER(d) ((uhalves_avx512)_mm512_srlv_epi16(_mm512_set1_epi16(0x4000), (__m512i)(d)))
#define FAST_MULHRS(x, y) ((halves_avx512)_mm512_mulhrs_epi16((__m512i)(x), (__m512i)(y)))
#define FAST_JOIN(h, l) ((uwords_avx512)join_avx512(h, l))
#define FAST_SPLIT(h, l, x) split_avx512(h, l, (__m512i)(x))
#define FAST_NARROW(x) ((ushort_avx512)_mm512_cvtepi32_epi16((__m512i)(x)))
#define FAST_MADD(x, y) ((words_avx512)_mm512_madd_epi16((__m512i)(x), (__m512i)(y)))
#define FAST_MIN(x, y) ((words_avx512)_mm512_min_epi32((__m512i)(x), (__m512i)(y)))
#define FAST_MAX_UNSIGNED(x, y) ((uwords_avx512)_mm512_max_epu32((__m512i)(x), (__m512i)(y)))
#define FAST_MIN_UNSIGNED(x, y) ((uwords_avx512)_mm512_min_epu32((__m512i)(x), (__m512i)(y)))
#define FAST_ADDS(x, y) ((uwords_avx512)_mm512_adds_epu8((__m512i)(x), (__m512i)(y)))
#define FAST_SUBS(x, y) ((uwords_avx512)_mm512_subs_epu8((__m512i)(x), (__m512i)(y)))
#define FAST_LEAST(x, y) ((uwords_avx512)_mm512_min_epu8((__m512i)(x), (__m512i)(y)))
#define FAST_MOST(x, y) ((uwords_avx512)_mm512_max_epu8((__m512i)(x), (__m512i)(y)))
#define FAST_PICK(m, x, y) ((uwords_avx512)_mm512_ternarylogic_epi32((__m512i)(m), (__m512i)(x), (__m512i)(y), 0xCA))
#define FAST_SEXT(x) ((uwords_avx512)_mm512_cvtepi16_epi32((__m256i)(x)))
#define FAST_SPREAD(x) ((floats_avx512)_mm512_set1_ps(x))
#define FAST_FMA(x, y, z) ((floats_avx512)_mm512_fmadd_ps((__m512)(x), (__m512)(y), (__m512)(z)))
/* Both round down: floor(x + 1/2 + 2^-14 and a little). */
#define FAST_TO_PLUS(sum, x, c, most)                                                                                  \
    ((floats_avx512)_mm512_add_round_ps((__m512)(sum),                                                                 \
                                        _mm512_fmadd_round_ps((__m512)(most), _mm512_set1_ps(floats_half_up),          \
                                                              (__m512)(x), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC), \
                                        _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC))

/* Low halves in the lower 256 bits, high halves in the upper, and the order in which they make words. */
FAST_TARGET static inline __m512i join_avx512(const uint16_t *high, const uint16_t *low)
{
    const __m512i order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                                           21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i x = _mm512_castsi256_si512(_mm256_loadu_si256((const void *)low));
    return _mm512_permutexvar_epi16(order, _mm512_inserti64x4(x, _mm256_loadu_si256((const void *)high), 1));
}
FAST_TARGET static inline void split_avx512(uint16_t *high, uint16_t *low, __m512i x)
{
    const __m512i order = _mm512_set_epi16(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1, 30, 28, 26, 24,
                                           22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    x = _mm512_permutexvar_epi16(order, x);
    _mm256_storeu_si256((void *)low, _mm512_castsi512_si256(x));
    _mm256_storeu_si256((void *)high, _mm512_extracti64x4_epi64(x, 1));
}
#include "fast_body.h"
#include "fast_body_floats.h"
#include "fast_elements.h"
#include "fast_elements_floats.h"
#include "fast_end.h"
#endif

/* ---- Which ---- */

enum processor { ANY, AVX2, AVX512 };

static inline enum processor processor(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return AVX2;
#endif
    return ANY;
}

#if defined(__x86_64__)
#define CALL(name, ...)                                                                                                \
    (which == AVX512 ? name##_avx512(__VA_ARGS__) : which == AVX2 ? name##_avx2(__VA_ARGS__) : name##_any(__VA_ARGS__))
#else
#define CALL(name, ...) name##_any(__VA_ARGS__)
#endif

static inline void multiply_on(unsigned which, const struct matrix_mode *m, const uint32_t *a, const uint32_t *b,
                               unsigned b_step, unsigned rows, uint16_t *const dst[], struct matrix_cached_a *cached_a,
                               struct matrix_cached_b *cached_b)
{
    const struct fast_mode *f = fast_mode_of(m);
    if (f->integers)
        CALL(multiply_integers, f, a, b, b_step, rows, dst, cached_a, cached_b);
    else
        CALL(multiply, f, a, b, b_step, rows, dst, cached_a, cached_b);
}

static inline void elementwise_on(unsigned which, const struct matrix_mode *m,
                                  const struct matrix_elementwise_form *form, const uint32_t *a, const uint32_t *b,
                                  uint16_t *const dst[])
{
    const struct fast_mode *f = fast_mode_of(m);
    CALL(elementwise, f, form, a, b, dst);
}

void matrix_multiply_by(unsigned which, const struct matrix_mode *m, const uint32_t *a, const uint32_t *b,
                        unsigned b_step, unsigned rows, uint16_t *const dst[], struct matrix_cached_a *cached_a,
                        struct matrix_cached_b *cached_b)
{
    multiply_on(which, m, a, b, b_step, rows, dst, cached_a, cached_b);
}

void matrix_elementwise_by(unsigned which, const struct matrix_mode *m, const struct matrix_elementwise_form *form,
                           const uint32_t *a, const uint32_t *b, uint16_t *const dst[])
{
    elementwise_on(which, m, form, a, b, dst);
}

unsigned matrix_best(void)
{
    return processor();
}

void matrix_multiply(const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, unsigned b_step, unsigned rows,
                     uint16_t *const dst[], struct matrix_cached_a *cached_a, struct matrix_cached_b *cached_b)
{
    multiply_on(processor(), m, a, b, b_step, rows, dst, cached_a, cached_b);
}

void matrix_elementwise(const struct matrix_mode *m, const struct matrix_elementwise_form *form, const uint32_t *a,
                        const uint32_t *b, uint16_t *const dst[])
{
    elementwise_on(processor(), m, form, a, b, dst);
}
