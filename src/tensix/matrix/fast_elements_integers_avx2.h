/* SPDX-License-Identifier: Apache-2.0 */
/* Products of integers (fast_elements.h) with AVX2, one or several onto the same rows, which stay in registers as integers with a sign:
 * minus zero is zero for all that comes after.  Where no sum can reach the clamps of section 9 of docs/matrix-arithmetic.md, nobody looks
 * whether one does, and what is too much by INTEGER_OFFSET is taken away once for all products.
 *
 * A sum of 16 products has less than 22 bits, so MATRIX_PLAN_MOST of them have less than 28: with data of Dst below 2^30, whose highest
 * bit is that of the exponent's byte, nothing comes near 2^31.
 *
 * Words are made of rows of high and low halves by instructions that keep to 128 bits: columns 0 to 3 and 8 to 11 are in one register,
 * 4 to 7 and 12 to 15 in the other. */
enum { INTEGERS_BELOW_CLAMP = 0x0080, INTEGERS_REGISTERS = 2 };
_Static_assert(MATRIX_PLAN_MOST <= 64, "sums of 28 bits");

/* One product as it is done: bytes of its phase, what is too much, and the weight of its lowest bit, in both halves of a word. */
struct integers_step {
    const uint32_t *a, *b;
    const int32_t *too_much;
    int32_t unit;
};

INLINE struct integers_step integers_step(const struct fast_mode *f, const struct integers_a *a,
                                          const struct integers_b *b)
{
    const int32_t shift = integer_shift_a[f->floats_low_a] + integer_shift_b[f->floats_low_b];
    return (struct integers_step){.a = a->bytes[f->floats_low_a],
                                  .b = b->bytes[f->floats_low_b],
                                  .too_much = b->too_much[f->floats_low_b][f->floats_low_a],
                                  .unit = 0x10001 << shift};
}

/* Whether magnitudes of Dst are all below 2^30. */
INLINE bool integers_far_from_clamp(unsigned rows, const uint16_t *dst)
{
    __m256i any = _mm256_setzero_si256();
    UNROLL_8 for (unsigned i = 0; i < rows; i++) any =
        _mm256_or_si256(any, _mm256_loadu_si256((const void *)(dst + MATRIX_COLUMNS * i)));
    return _mm256_testz_si256(any, _mm256_set1_epi16(INTEGERS_BELOW_CLAMP));
}

/* Four words of each half of 16. */
INLINE __m256i integers_columns(const uint32_t *from)
{
    const __m256i x = _mm256_castsi128_si256(_mm_loadu_si128((const void *)from));
    return _mm256_inserti128_si256(x, _mm_loadu_si128((const void *)(from + MATRIX_COLUMNS / 2)), 1);
}

/* A row of Dst as integers with a sign, and back: sign, seven bits, the eight above them; and 16 bits eight rows below. */
INLINE void integers_from_dst(const uint16_t *dst, __m256i row[INTEGERS_REGISTERS])
{
    const __m256i high = _mm256_loadu_si256((const void *)dst), ones = _mm256_set1_epi16(1);
    const __m256i low = _mm256_loadu_si256((const void *)(dst + MATRIX_LOW_HALF));
    const __m256i upper = _mm256_or_si256(_mm256_and_si256(_mm256_slli_epi16(high, 7), _mm256_set1_epi16(0x7F80)),
                                          _mm256_and_si256(_mm256_srli_epi16(high, 8), _mm256_set1_epi16(0x7F)));
    /* What brings the sign must not be zero: that would be the result. */
    row[0] = _mm256_sign_epi32(_mm256_unpacklo_epi16(low, upper), _mm256_unpacklo_epi16(ones, high));
    row[1] = _mm256_sign_epi32(_mm256_unpackhi_epi16(low, upper), _mm256_unpackhi_epi16(ones, high));
}
INLINE void integers_to_dst(uint16_t *dst, const __m256i row[INTEGERS_REGISTERS])
{
    const __m256i zero = _mm256_setzero_si256(), x = _mm256_abs_epi32(row[0]), y = _mm256_abs_epi32(row[1]);
    const __m256i sign = _mm256_and_si256(_mm256_packs_epi32(row[0], row[1]), _mm256_set1_epi16(INT16_MIN));
    __m256i high = _mm256_packus_epi32(_mm256_srli_epi32(x, 16), _mm256_srli_epi32(y, 16));
    high = _mm256_or_si256(_mm256_srli_epi16(high, 7),
                           _mm256_and_si256(_mm256_slli_epi16(high, 8), _mm256_set1_epi16(0x7F00)));
    _mm256_storeu_si256((void *)dst, _mm256_or_si256(high, sign));
    _mm256_storeu_si256((void *)(dst + MATRIX_LOW_HALF),
                        _mm256_packus_epi32(_mm256_blend_epi16(x, zero, 0xAA), _mm256_blend_epi16(y, zero, 0xAA)));
}

/* The magnitude stays below 2^31. */
INLINE __m256i integers_clamped(__m256i old, __m256i x)
{
    const __m256i zero = _mm256_setzero_si256(), most = _mm256_set1_epi32(INT32_MAX);
    const __m256i least = _mm256_set1_epi32(-INT32_MAX);
    old = _mm256_min_epi32(old, _mm256_sub_epi32(most, _mm256_max_epi32(x, zero)));
    old = _mm256_max_epi32(old, _mm256_sub_epi32(least, _mm256_min_epi32(x, zero)));
    return _mm256_add_epi32(old, x);
}

/* All products onto one of a row's registers.  clamp, a constant: else it is known that none is near. */
INLINE void integers_add(const struct integers_step *steps, unsigned count, unsigned rows, bool clamp, unsigned which,
                         __m256i row[][INTEGERS_REGISTERS])
{
    __m256i sum[MATRIX_ROWS];
    UNROLL_8 for (unsigned i = 0; i < rows; i++) sum[i] = row[i][which];
    for (unsigned n = 0; n < count; n++) {
        const __m256i unit = _mm256_set1_epi32(steps[n].unit);
        __m256i column[4];
        UNROLL_8 for (unsigned k = 0; k < 4; k++) column[k] =
            integers_columns(steps[n].a + MATRIX_COLUMNS * k + 4 * which);
        UNROLL_8 for (unsigned i = 0; i < rows; i++)
        {
            __m256i halves = _mm256_maddubs_epi16(column[0], _mm256_set1_epi32((int)steps[n].b[4 * i]));
            UNROLL_8 for (unsigned k = 1; k < 4; k++) halves = /* below 2^15: fast_elements.h */
                _mm256_add_epi16(halves,
                                 _mm256_maddubs_epi16(column[k], _mm256_set1_epi32((int)steps[n].b[4 * i + k])));
            const __m256i x = _mm256_madd_epi16(halves, unit);
            sum[i] = clamp ? integers_clamped(sum[i], _mm256_sub_epi32(x, _mm256_set1_epi32(steps[n].too_much[i])))
                           : _mm256_add_epi32(sum[i], x);
        }
    }
    UNROLL_8 for (unsigned i = 0; i < rows; i++) row[i][which] = sum[i];
}

INLINE void integers_chain(const struct integers_step *steps, unsigned count, unsigned rows, bool clamp, uint16_t *dst)
{
    __m256i row[MATRIX_ROWS][INTEGERS_REGISTERS];
    UNROLL_8 for (unsigned i = 0; i < rows; i++) integers_from_dst(dst + MATRIX_COLUMNS * i, row[i]);
    for (unsigned which = 0; which < INTEGERS_REGISTERS; which++)
        integers_add(steps, count, rows, clamp, which, row);
    UNROLL_8 for (unsigned i = 0; i < rows; i++)
    {
        int32_t too_much = 0;
        for (unsigned n = 0; n < count && !clamp; n++)
            too_much += steps[n].too_much[i];
        UNROLL_8 for (unsigned which = 0; which < INTEGERS_REGISTERS; which++) row[i][which] =
            _mm256_sub_epi32(row[i][which], _mm256_set1_epi32(too_much));
        integers_to_dst(dst + MATRIX_COLUMNS * i, row[i]);
    }
}

FAST_TARGET static unsigned multiply_integers_rows(const struct matrix_operands *o,
                                                   const struct matrix_plan_step *steps, unsigned count, unsigned same,
                                                   uint16_t *dst)
{
    const unsigned rows = steps->how & MATRIX_FOUR_ROWS ? MATRIX_ROWS / 2 : MATRIX_ROWS;
    const bool cached = o->cached_a && o->cached_b && !(steps->how & (MATRIX_FOUR_ROWS | MATRIX_ONE_ROW_OF_B));
    if (UNLIKELY(count > 1 && (!cached || count > MATRIX_PLAN_MOST))) {
        for (unsigned k = 0; k < count; k++)
            same &= multiply_integers_rows(o, &steps[k], 1, same, dst);
        return same;
    }
    struct integers_step all[MATRIX_PLAN_MOST];
    struct FAST(integer_operands) operands; /* of one, or else what is in the caches */
    for (unsigned k = 0; k < count; k++) {
        const struct matrix_plan_step *step = &steps[k];
        const struct fast_mode *f = fast_phase(o->modes, step->phase);
        same &= FAST(prepare_integers)(f, o->a + MATRIX_COLUMNS * step->a_row, o->b + MATRIX_COLUMNS * step->b_row,
                                       o->cached_a ? &o->cached_a[step->a_row / 16] : NULL,
                                       o->cached_b ? &o->cached_b[step->b_row / 8] : NULL,
                                       step->how & (same | MATRIX_FOUR_ROWS | MATRIX_ONE_ROW_OF_B), &operands);
        all[k] = integers_step(f, operands.a, operands.b);
    }
    const bool clamp = !integers_far_from_clamp(rows, dst);
    if (LIKELY(rows == MATRIX_ROWS && !clamp))
        integers_chain(all, count, MATRIX_ROWS, false, dst);
    else if (rows == MATRIX_ROWS)
        integers_chain(all, count, MATRIX_ROWS, true, dst);
    else
        integers_chain(all, count, MATRIX_ROWS / 2, true, dst);
    return same;
}
