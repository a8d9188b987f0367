/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms of kernel.h: fast_body.h and fast_elements.h for AVX-512, for AVX2 and for whatever else, chosen when called.
 *
 * Instructions of these two are used where the compiler's vector types have no word for something: the larger of two, leading
 * zeros, a product rounded at bit 15, a shift of half words by lanes. */
#include "tensix/matrix/fast_mode.h"

#include "base/bits.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Eight of something stay in registers (tests/emulated has none of them, and empties this). */
#if defined(UNROLL_8)
#elif defined(__clang__)
#define UNROLL_8 _Pragma("unroll")
#else
#define UNROLL_8 _Pragma("GCC unroll 8")
#endif

/* One product; and several, where nothing is gained from doing them together. */
typedef unsigned multiply_one_function(const struct fast_mode *f, const uint32_t *a, const uint32_t *b, uint16_t *dst,
                                       struct matrix_cached_a *cached_a, struct matrix_cached_b *cached_b,
                                       unsigned how);
static inline unsigned multiply_one(multiply_one_function *form, const struct matrix_operands *o,
                                    const struct matrix_plan_step *step, unsigned same, uint16_t *dst)
{
    return form(fast_phase(o->modes, step->phase), o->a + MATRIX_COLUMNS * step->a_row,
                o->b + MATRIX_COLUMNS * step->b_row, dst, o->cached_a ? &o->cached_a[step->a_row / 16] : NULL,
                o->cached_b ? &o->cached_b[step->b_row / 8] : NULL,
                step->how & (same | MATRIX_FOUR_ROWS | MATRIX_ONE_ROW_OF_B));
}
static inline unsigned multiply_each(multiply_one_function *form, const struct matrix_operands *o,
                                     const struct matrix_plan_step *steps, unsigned count, unsigned same, uint16_t *dst)
{
    for (unsigned k = 0; k < count; k++)
        same &= multiply_one(form, o, &steps[k], same, dst);
    return same;
}

/* ---- Any processor ---- */

#define LANES 4
#define FAST_PAIRS 1
#define FAST(name) name##_any
#define FAST_TARGET
#define FAST_SOME(x) some_any(x)
#define FAST_MAX(x, y) max_any(x, y)
#define FAST_MIN_UNSIGNED(x, y) min_unsigned_any(x, y)
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
#define FAST_MADD(x, y) madd_any((any_words)(x), y)
#define FAST_MADDUBS(x, y) maddubs_any((any_uhalves)(x), (any_halves)(y))
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
static inline any_uwords min_unsigned_any(any_uwords x, any_uwords y)
{
    const any_uwords where = (any_uwords)(x < y);
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
static inline any_halves maddubs_any(any_uhalves x, any_halves y)
{
    return (any_halves)(x & 0xFF) * ((y << 8) >> 8) + (any_halves)(x >> 8) * (y >> 8);
}
#include "fast_body.h"
#include "fast_elements.h"
#include "fast_elements_integers.h"
#include "fast_end.h"
static unsigned multiply_any(const struct matrix_operands *o, const struct matrix_plan_step *steps, unsigned count,
                             unsigned same, uint16_t *dst)
{
    return multiply_each(multiply_halves_any, o, steps, count, same, dst);
}
static void elementwise_any(const struct fast_mode *f, const struct matrix_elementwise_form *form, const uint32_t *a,
                            const uint32_t *b, uint16_t *dst)
{
    elementwise_words_any(f, form, 0, a, b, dst);
}

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
#define FAST_MADDUBS(x, y) ((halves_avx2)_mm256_maddubs_epi16((__m256i)(x), (__m256i)(y)))
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
#include "fast_elements_halves_avx2.h"
#include "fast_elements_integers.h"
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
#define FAST_MADDUBS(x, y) ((halves_avx512)_mm512_maddubs_epi16((__m512i)(x), (__m512i)(y)))
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
#include "fast_elements_halves.h"
#include "fast_elements_integers.h"
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

static const struct matrix_forms forms[] = {
    [ANY] = {multiply_any, multiply_integers_any, elementwise_any},
#if defined(__x86_64__)
    [AVX2] = {multiply_avx2, multiply_integers_avx2, elementwise_bytes},
    [AVX512] = {multiply_avx512, multiply_integers_avx512, elementwise_halves},
#endif
};

const struct matrix_forms *matrix_forms(unsigned which)
{
    return &forms[which];
}

const struct fast_mode *matrix_fast_modes(const struct matrix_mode *m)
{
    struct matrix_mode first = *m;
    first.phase = 0;
    return fast_mode_of(&first);
}
bool matrix_host_rounds(void)
{
#if defined(__x86_64__)
    return host_rounds_to_nearest();
#else
    return false;
#endif
}
const struct fast_mode *matrix_fast_phase(const struct fast_mode *modes, unsigned phase)
{
    return fast_phase(modes, phase);
}

/* ---- Rows wherever they are ---- */

struct together {
    uint16_t bits[2 * MATRIX_ROWS][MATRIX_COLUMNS];
};
static bool stand_together(unsigned rows, uint16_t *const dst[])
{
    bool together = true;
    for (unsigned i = 1; i < rows; i++)
        together &= dst[i] == dst[0] + MATRIX_COLUMNS * i;
    return together;
}
static void fetch(struct together *t, bool dst32, unsigned rows, uint16_t *const dst[])
{
    for (unsigned i = 0; i < rows; i++) {
        memcpy(t->bits[i], dst[i], sizeof t->bits[i]);
        if (dst32)
            memcpy(t->bits[i + MATRIX_ROWS], dst[i] + MATRIX_LOW_HALF, sizeof t->bits[i]);
    }
}
static void put_back(const struct together *t, bool dst32, unsigned rows, uint16_t *const dst[])
{
    for (unsigned i = 0; i < rows; i++) {
        memcpy(dst[i], t->bits[i], sizeof t->bits[i]);
        if (dst32)
            memcpy(dst[i] + MATRIX_LOW_HALF, t->bits[i + MATRIX_ROWS], sizeof t->bits[i]);
    }
}

void matrix_multiply_by(unsigned which, const struct matrix_mode *m, const uint32_t *a, const uint32_t *b,
                        unsigned b_step, unsigned rows, uint16_t *const dst[], struct matrix_cached_a *cached_a,
                        struct matrix_cached_b *cached_b)
{
    matrix_multiply_function *form = m->a == MATRIX_INT8 ? forms[which].multiply_integers : forms[which].multiply;
    const struct matrix_operands o = {.a = a,
                                      .b = b,
                                      .cached_a = cached_a,
                                      .cached_b = cached_b,
                                      .modes = matrix_fast_modes(m),
                                      .rounds = matrix_host_rounds()};
    const struct matrix_plan_step step = {
        .phase = m->phase,
        .how = (uint8_t)((rows == MATRIX_ROWS ? 0 : MATRIX_FOUR_ROWS) | (b_step ? 0 : MATRIX_ONE_ROW_OF_B))};
    if (LIKELY(stand_together(rows, dst))) {
        form(&o, &step, 1, 0, dst[0]);
        return;
    }
    struct together t;
    fetch(&t, m->dst32, rows, dst);
    form(&o, &step, 1, 0, t.bits[0]);
    put_back(&t, m->dst32, rows, dst);
}

void matrix_elementwise_by(unsigned which, const struct matrix_mode *m, const struct matrix_elementwise_form *form,
                           const uint32_t *a, const uint32_t *b, uint16_t *const dst[])
{
    if (LIKELY(stand_together(MATRIX_ROWS, dst))) {
        forms[which].elementwise(fast_mode_of(m), form, a, b, dst[0]);
        return;
    }
    struct together t;
    fetch(&t, m->dst32, MATRIX_ROWS, dst);
    forms[which].elementwise(fast_mode_of(m), form, a, b, t.bits[0]);
    put_back(&t, m->dst32, MATRIX_ROWS, dst);
}

unsigned matrix_best(void)
{
    return processor();
}

void matrix_multiply(const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, unsigned b_step, unsigned rows,
                     uint16_t *const dst[], struct matrix_cached_a *cached_a, struct matrix_cached_b *cached_b)
{
    matrix_multiply_by(processor(), m, a, b, b_step, rows, dst, cached_a, cached_b);
}

void matrix_elementwise(const struct matrix_mode *m, const struct matrix_elementwise_form *form, const uint32_t *a,
                        const uint32_t *b, uint16_t *const dst[])
{
    matrix_elementwise_by(processor(), m, form, a, b, dst);
}
