/* SPDX-License-Identifier: Apache-2.0 */
/* Products of integers (fast_elements.h) where AVX-512 has sums of four products of bytes, and shuffles of all bytes.
 *
 * Those bring the exponent's byte of a datum of Dst in front of sign and mantissa: it is a bit too far to the left then, and the sign
 * is where its last bit belongs. */
#define VNNI_TARGET __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vnni")))

/* Byte 4 * j + i of the result; low halves come first, then high halves. */
static const uint8_t vnni_join[64] = {0,  1,  33, 32, 2,  3,  35, 34, 4,  5,  37, 36, 6,  7,  39, 38,
                                      8,  9,  41, 40, 10, 11, 43, 42, 12, 13, 45, 44, 14, 15, 47, 46,
                                      16, 17, 49, 48, 18, 19, 51, 50, 20, 21, 53, 52, 22, 23, 55, 54,
                                      24, 25, 57, 56, 26, 27, 59, 58, 28, 29, 61, 60, 30, 31, 63, 62};
static const uint8_t vnni_split[64] = {0,  1,  4,  5,  8,  9,  12, 13, 16, 17, 20, 21, 24, 25, 28, 29,
                                       32, 33, 36, 37, 40, 41, 44, 45, 48, 49, 52, 53, 56, 57, 60, 61,
                                       3,  2,  7,  6,  11, 10, 15, 14, 19, 18, 23, 22, 27, 26, 31, 30,
                                       35, 34, 39, 38, 43, 42, 47, 46, 51, 50, 55, 54, 59, 58, 63, 62};

/* integer_onto_dst, with data of Dst as vnni_join leaves them. */
VNNI_TARGET static inline __attribute__((always_inline)) __m512i vnni_onto_dst(__m512i x, __m512i dst)
{
    const __m512i zero = _mm512_setzero_si512(), exponent = _mm512_set1_epi32((int)0xFF800000);
    const __m512i sign = _mm512_set1_epi32(0x800000);
    const __mmask16 negative = _mm512_test_epi32_mask(dst, sign);
    const __m512i old = _mm512_ternarylogic_epi32(exponent, _mm512_srli_epi32(dst, 1), dst, 0xCA);
    const __m512i away = _mm512_mask_sub_epi32(x, negative, zero, x);
    const __m512i most = _mm512_sub_epi32(_mm512_set1_epi32(INT32_MAX), away);
    const __m512i moved = _mm512_add_epi32(_mm512_min_epu32(old, most), away);
    const __m512i sum = _mm512_mask_sub_epi32(moved, negative, zero, moved), magnitude = _mm512_abs_epi32(moved);
    const __m512i result = _mm512_ternarylogic_epi32(exponent, _mm512_slli_epi32(magnitude, 1), magnitude, 0xCA);
    return _mm512_ternarylogic_epi32(sign, _mm512_srli_epi32(sum, 8), result, 0xCA);
}

VNNI_TARGET static inline __attribute__((always_inline)) void vnni_rows(const struct fast_mode *f, const uint32_t *a,
                                                                        const uint32_t *b, const int32_t *less,
                                                                        unsigned rows, uint16_t *dst)
{
    const __m512i shift = _mm512_set1_epi32(integer_shift_a[f->floats_low_a] + integer_shift_b[f->floats_low_b]);
    const __m512i join = _mm512_loadu_si512(vnni_join), split = _mm512_loadu_si512(vnni_split);
    __m512i column[4];
    UNROLL_8 for (unsigned k = 0; k < 4; k++) column[k] = _mm512_loadu_si512(a + MATRIX_COLUMNS * k);
    UNROLL_8 for (unsigned i = 0; i < rows; i++)
    {
        uint16_t *high = dst + MATRIX_COLUMNS * i, *low = high + MATRIX_LOW_HALF;
        __m512i sum = _mm512_set1_epi32(less[i]);
        UNROLL_8 for (unsigned k = 0; k < 4; k++) sum =
            _mm512_dpbusd_epi32(sum, column[k], _mm512_set1_epi32((int)b[4 * i + k]));
        const __m512i old = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const void *)low)),
                                               _mm256_loadu_si256((const void *)high), 1);
        __m512i result = vnni_onto_dst(_mm512_sllv_epi32(sum, shift), _mm512_permutexvar_epi8(join, old));
        result = _mm512_permutexvar_epi8(split, result);
        _mm256_storeu_si256((void *)low, _mm512_castsi512_si256(result));
        _mm256_storeu_si256((void *)high, _mm512_extracti64x4_epi64(result, 1));
    }
}

VNNI_TARGET static unsigned multiply_integer_vnni(const struct fast_mode *f, const uint32_t *a, const uint32_t *b,
                                                  uint16_t *dst, struct matrix_cached_a *cached_a,
                                                  struct matrix_cached_b *cached_b, unsigned how)
{
    struct integer_operands_avx512 operands;
    const unsigned kept = prepare_integers_avx512(f, a, b, cached_a, cached_b, how, &operands);
    const uint32_t *bytes_a = operands.a->bytes[f->floats_low_a], *bytes_b = operands.b->bytes[f->floats_low_b];
    const int32_t *less = operands.b->less[f->floats_low_b];
    if (LIKELY(!(how & MATRIX_FOUR_ROWS)))
        vnni_rows(f, bytes_a, bytes_b, less, MATRIX_ROWS, dst);
    else
        vnni_rows(f, bytes_a, bytes_b, less, MATRIX_ROWS / 2, dst);
    return kept;
}

/* ---- Several onto the same rows, which stay in registers as integers with a sign: minus zero is zero for all that comes after ---- */

VNNI_TARGET static inline __attribute__((always_inline)) __m512i vnni_from_dst(const uint16_t *high)
{
    const __m512i exponent = _mm512_set1_epi32((int)0xFF800000), sign = _mm512_set1_epi32(0x800000);
    const __m256i low = _mm256_loadu_si256((const void *)(high + MATRIX_LOW_HALF));
    const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(low), _mm256_loadu_si256((const void *)high), 1);
    const __m512i dst = _mm512_permutexvar_epi8(_mm512_loadu_si512(vnni_join), both);
    const __m512i old = _mm512_ternarylogic_epi32(exponent, _mm512_srli_epi32(dst, 1), dst, 0xCA);
    return _mm512_mask_sub_epi32(old, _mm512_test_epi32_mask(dst, sign), _mm512_setzero_si512(), old);
}
VNNI_TARGET static inline __attribute__((always_inline)) void vnni_to_dst(uint16_t *high, __m512i x)
{
    const __m512i exponent = _mm512_set1_epi32((int)0xFF800000), sign = _mm512_set1_epi32(0x800000);
    const __m512i magnitude = _mm512_abs_epi32(x);
    __m512i dst = _mm512_ternarylogic_epi32(exponent, _mm512_slli_epi32(magnitude, 1), magnitude, 0xCA);
    dst = _mm512_ternarylogic_epi32(sign, _mm512_srli_epi32(x, 8), dst, 0xCA);
    dst = _mm512_permutexvar_epi8(_mm512_loadu_si512(vnni_split), dst);
    _mm256_storeu_si256((void *)(high + MATRIX_LOW_HALF), _mm512_castsi512_si256(dst));
    _mm256_storeu_si256((void *)high, _mm512_extracti64x4_epi64(dst, 1));
}

/* The magnitude stays below 2^31. */
VNNI_TARGET static inline __attribute__((always_inline)) __m512i vnni_plus(__m512i old, __m512i x)
{
    const __mmask16 down = _mm512_movepi32_mask(x);
    const __m512i most = _mm512_sub_epi32(_mm512_set1_epi32(INT32_MAX), x);
    const __m512i least = _mm512_sub_epi32(_mm512_set1_epi32(-INT32_MAX), x);
    old = _mm512_mask_min_epi32(old, (__mmask16)~down, old, most);
    return _mm512_add_epi32(_mm512_mask_max_epi32(old, down, old, least), x);
}

/* One onto eight rows. */
VNNI_TARGET static inline __attribute__((always_inline)) void
vnni_add(const struct fast_mode *f, const struct integers_a *a, const struct integers_b *b, __m512i rows[MATRIX_ROWS])
{
    const __m512i shift = _mm512_set1_epi32(integer_shift_a[f->floats_low_a] + integer_shift_b[f->floats_low_b]);
    const uint32_t *bytes_a = a->bytes[f->floats_low_a], *bytes_b = b->bytes[f->floats_low_b];
    const int32_t *less = b->less[f->floats_low_b];
    __m512i column[4];
    UNROLL_8 for (unsigned k = 0; k < 4; k++) column[k] = _mm512_loadu_si512(bytes_a + MATRIX_COLUMNS * k);
    UNROLL_8 for (unsigned i = 0; i < MATRIX_ROWS; i++)
    {
        __m512i sum = _mm512_set1_epi32(less[i]);
        UNROLL_8 for (unsigned k = 0; k < 4; k++) sum =
            _mm512_dpbusd_epi32(sum, column[k], _mm512_set1_epi32((int)bytes_b[4 * i + k]));
        rows[i] = vnni_plus(rows[i], _mm512_sllv_epi32(sum, shift));
    }
}

VNNI_TARGET static inline __attribute__((always_inline)) void
vnni_chain(const struct matrix_operands *o, const struct matrix_plan_step *steps, unsigned count, uint16_t *dst)
{
    __m512i rows[MATRIX_ROWS];
    UNROLL_8 for (unsigned i = 0; i < MATRIX_ROWS; i++) rows[i] = vnni_from_dst(dst + MATRIX_COLUMNS * i);
    for (unsigned k = 0; k < count; k++)
        vnni_add(fast_phase(o->modes, steps[k].phase),
                 (const struct integers_a *)o->cached_a[steps[k].a_row / 16].factors,
                 (const struct integers_b *)o->cached_b[steps[k].b_row / 8].factors, rows);
    UNROLL_8 for (unsigned i = 0; i < MATRIX_ROWS; i++) vnni_to_dst(dst + MATRIX_COLUMNS * i, rows[i]);
}

VNNI_TARGET static unsigned multiply_integers_vnni(const struct matrix_operands *o,
                                                   const struct matrix_plan_step *steps, unsigned count, unsigned same,
                                                   uint16_t *dst)
{
    if (count == 1 || (steps->how & MATRIX_FOUR_ROWS))
        return multiply_each(multiply_integer_vnni, o, steps, count, same, dst);
    for (unsigned k = 0; k < count; k++) {
        struct integer_operands_avx512 operands;
        const struct matrix_plan_step *step = &steps[k];
        prepare_integers_avx512(o->modes, o->a + MATRIX_COLUMNS * step->a_row, o->b + MATRIX_COLUMNS * step->b_row,
                                &o->cached_a[step->a_row / 16], &o->cached_b[step->b_row / 8], step->how & same,
                                &operands);
    }
    vnni_chain(o, steps, count, dst);
    return same;
}
#undef VNNI_TARGET
