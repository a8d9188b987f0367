/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms of kernel.h: fast_body.h for AVX-512, for AVX2 and for whatever else, chosen when called.
 *
 * Instructions of these two are used where the compiler's vector types have no word for something: the larger of two, leading
 * zeros, a product rounded at bit 15, a shift of half words by lanes. */
#include "tensix/matrix/kernel.h"

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

/* A mode as masks and shifts. */
struct fast_mode {
    uint32_t a_exponent, b_exponent; /* bits of a cell */
    uint32_t a_mantissa, b_mantissa; /* of cell >> 8 */
    uint32_t a_shift, a_part, a_hidden;
    uint32_t b_shift, b_part, b_up, b_hidden;
    uint32_t a_integer, b_integer; /* of cell >> 8 */
    int32_t bias, bias_of_sum, zero_exponent;
    uint32_t dst_exponent, dst_high, dst_low; /* of a datum >> 16, >> 8 and as it is */
    uint32_t half, kept;                      /* rounding below bit 30 */
    int32_t exponent_of_length, largest;
    uint32_t too_large;
    bool dst32, keep_zero_b, integers;
};

static struct fast_mode fast_mode_of(const struct matrix_mode *m)
{
    const bool fp16 = m->a == MATRIX_FP16, five_bits = fp16 && !m->dst32;
    const unsigned kept = m->dst32 ? 24 : five_bits ? 11 : 8;
    struct fast_mode f = {.a_exponent = fp16 ? 0x1F : 0xFF,
                          .b_exponent = m->b == MATRIX_FP16 ? 0x1F : 0xFF,
                          .a_mantissa = m->a == MATRIX_BF16 ? 0x3F8 : 0x3FF,
                          .b_mantissa = m->b == MATRIX_BF16 ? 0x3F8 : 0x3FF,
                          .a_integer = matrix_int8_bits_a(m) >> 8,
                          .b_integer = matrix_int8_bits_b(m) >> 8,
                          .bias = matrix_bias(m),
                          .bias_of_sum = matrix_bias(m) + (fp16 ? 15 : 127),
                          .zero_exponent = matrix_zero_exponent(m),
                          .dst_exponent = five_bits ? 0x1F : 0xFF,
                          .dst_high = five_bits ? 0x7FE000 : 0x7F0000,
                          .dst_low = m->dst32 ? 0xFFFF : 0,
                          .half = UINT32_C(1) << (30 - kept),
                          .kept = ~((UINT32_C(2) << (30 - kept)) - 1),
                          .exponent_of_length = m->dst32 ? 8 : 8 + 13,
                          .largest = five_bits ? 31 : 254,
                          .too_large = five_bits ? 0x7FE00000 | 31u << 16 : 255u << 16,
                          .dst32 = m->dst32,
                          .keep_zero_b = m->keep_zero_b,
                          .integers = m->a == MATRIX_INT8};
    /* Twice the five bits of SrcA, the seven of SrcB. */
    if (m->phase & 1) {
        f.a_shift = 8;
        f.a_part = 0x3E & f.a_mantissa;
    } else {
        f.a_shift = 13;
        f.a_part = 0x1E;
        f.a_hidden = 0x20;
    }
    if (m->phase & 2) {
        f.b_shift = 8;
        f.b_part = 0xF & f.b_mantissa;
        f.b_up = 3;
    } else {
        f.b_shift = 12;
        f.b_part = 0x3F;
        f.b_hidden = 0x40;
    }
    return f;
}

/* Two rows of SrcB, the even one in the low half of each word: exponents with the bias, the parts of this phase, signs. */
struct fast_factors_b {
    uint32_t exponent[16], part[16], sign[16];
};

/* Added to the exponents of factors and, twice, of products: none is negative, and zero is far below. */
enum { FAST_FACTOR_BIAS = 1024, FAST_EXPONENT_BIAS = 2048 };

/* ---- Any processor ---- */

#define LANES 4
#define FAST(name) name##_any
#define FAST_TARGET
#define FAST_MAX(x, y) max_any(x, y)
#define FAST_SAR(x, n) sar_any(x, n)
#define FAST_ABS(x) abs_any(x)
#define FAST_MAX_HALF(x, y) max_half_any(x, y)
#define FAST_CLZ(x) clz_any(x)
#define FAST_POWER(d) power_any(d)
#define FAST_MULHRS(x, y) mulhrs_any(x, y)
#define FAST_NARROW(x) __builtin_convertvector(x, any_short)
#define FAST_MADD(x, y) madd_any(x, y)

typedef int32_t any_words __attribute__((vector_size(16)));
typedef int16_t any_halves __attribute__((vector_size(16)));
typedef uint16_t any_uhalves __attribute__((vector_size(16)));
typedef uint16_t any_short __attribute__((vector_size(8)));

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
    return (x ^ x >> 31) - (x >> 31);
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
#undef LANES
#undef FAST
#undef FAST_TARGET
#undef FAST_MAX
#undef FAST_SAR
#undef FAST_ABS
#undef FAST_MAX_HALF
#undef FAST_CLZ
#undef FAST_POWER
#undef FAST_MULHRS
#undef FAST_NARROW
#undef FAST_MADD

#if defined(__x86_64__)
/* ---- AVX2 ---- */

#define LANES 8
#define FAST(name) name##_avx2
#define FAST_TARGET __attribute__((target("avx2")))
#define FAST_MAX(x, y) ((words_avx2)_mm256_max_epi32((__m256i)(x), (__m256i)(y)))
#define FAST_SAR(x, n) ((words_avx2)_mm256_srav_epi32((__m256i)(x), (__m256i)(n)))
#define FAST_ABS(x) ((words_avx2)_mm256_abs_epi32((__m256i)(x)))
#define FAST_MAX_HALF(x, y) ((uhalves_avx2)_mm256_max_epu16((__m256i)(x), (__m256i)(y)))
#define FAST_CLZ(x) ((words_avx2)clz_avx2((__m256i)(x)))
#define FAST_POWER(d) ((uhalves_avx2)power_avx2((__m256i)(d)))
#define FAST_MULHRS(x, y) ((halves_avx2)_mm256_mulhrs_epi16((__m256i)(x), (__m256i)(y)))
#define FAST_NARROW(x) ((ushort_avx2)narrow_avx2((__m256i)(x)))
#define FAST_MADD(x, y) ((words_avx2)_mm256_madd_epi16((__m256i)(x), (__m256i)(y)))

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
#undef LANES
#undef FAST
#undef FAST_TARGET
#undef FAST_MAX
#undef FAST_SAR
#undef FAST_ABS
#undef FAST_MAX_HALF
#undef FAST_CLZ
#undef FAST_POWER
#undef FAST_MULHRS
#undef FAST_NARROW
#undef FAST_MADD

/* ---- AVX-512 ---- */

#define LANES 16
#define FAST(name) name##_avx512
#define FAST_TARGET __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl")))
#define FAST_MAX(x, y) ((words_avx512)_mm512_max_epi32((__m512i)(x), (__m512i)(y)))
#define FAST_SAR(x, n) ((words_avx512)_mm512_srav_epi32((__m512i)(x), (__m512i)(n)))
#define FAST_ABS(x) ((words_avx512)_mm512_abs_epi32((__m512i)(x)))
#define FAST_MAX_HALF(x, y) ((uhalves_avx512)_mm512_max_epu16((__m512i)(x), (__m512i)(y)))
#define FAST_CLZ(x) ((words_avx512)_mm512_lzcnt_epi32((__m512i)(x)))
#define FAST_POWER(d) ((uhalves_avx512)_mm512_srlv_epi16(_mm512_set1_epi16(0x4000), (__m512i)(d)))
#define FAST_MULHRS(x, y) ((halves_avx512)_mm512_mulhrs_epi16((__m512i)(x), (__m512i)(y)))
#define FAST_NARROW(x) ((ushort_avx512)_mm512_cvtepi32_epi16((__m512i)(x)))
#define FAST_MADD(x, y) ((words_avx512)_mm512_madd_epi16((__m512i)(x), (__m512i)(y)))
#include "fast_body.h"
#endif

/* ---- Which ---- */

enum processor { ANY, AVX2, AVX512 };

static inline enum processor processor(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return AVX512;
    if (__builtin_cpu_supports("avx2"))
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

void matrix_multiply_by(unsigned which, const struct matrix_mode *m, const uint32_t *a, const uint32_t *b,
                        unsigned b_step, unsigned rows, uint16_t *const dst[])
{
    const struct fast_mode f = fast_mode_of(m);
    if (f.integers)
        CALL(multiply_integers, &f, a, b, b_step, rows, dst);
    else
        CALL(multiply, &f, a, b, b_step, rows, dst);
}

void matrix_elementwise_by(unsigned which, const struct matrix_mode *m, const struct matrix_elementwise_form *form,
                           const uint32_t *a, const uint32_t *b, uint16_t *const dst[])
{
    const struct fast_mode f = fast_mode_of(m);
    CALL(elementwise, &f, form, a, b, dst);
}

unsigned matrix_best(void)
{
    return processor();
}

void matrix_multiply(const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, unsigned b_step, unsigned rows,
                     uint16_t *const dst[])
{
    matrix_multiply_by(processor(), m, a, b, b_step, rows, dst);
}

void matrix_elementwise(const struct matrix_mode *m, const struct matrix_elementwise_form *form, const uint32_t *a,
                        const uint32_t *b, uint16_t *const dst[])
{
    matrix_elementwise_by(processor(), m, form, a, b, dst);
}
