/* SPDX-License-Identifier: Apache-2.0 */
/* The fifth part of fast_body.h, with AVX2: what fast_elements_halves.h does with AVX-512, one row in a register of half words, columns 8
 * to 15 in the upper halves of words.  That file says why it is the same.  AVX2 shifts no half words by lanes and has no masks, so:
 *
 * - Exponents are bytes, the same in both bytes of a half word, and clamped to 0 and 255: an exponent that is not positive is that of
 *   nothing in section 7, and the highest ones go another way.
 * - x / 2^n, halves towards plus infinity, is the product of 2x and 2^(14-n), rounded at bit 15.  A shuffle finds both bytes of 2^(14-n)
 *   in one table; it gives zero for those places whose highest bit is set, and additions that clamp see to that.
 * - Dst goes away from zero: ~2x instead of -2x does that (fast_body.h).
 *
 * What may be too large for Dst, or too small, makes the whole block go another way. */

enum { BYTES_SIGN = 0x8000, BYTES_HIDDEN_TWICE = 0x800 };
/* The exponent of a result is at most three above that of a sum before its leading one is found, and at most ten below. */
enum { BYTES_LOWEST = 11, BYTES_HIGHEST = 251 };

INLINE __m256i bytes_is_zero(__m256i x)
{
    return _mm256_cmpeq_epi8(x, _mm256_setzero_si256());
}
/* 0x4000 >> d, for d in both bytes of a half word. */
INLINE __m256i bytes_power(__m256i d)
{
    const __m256i table = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0,
                                           -128, 64, 32, 16, 8, 4, 2, 1, 0);
    return _mm256_shuffle_epi8(table, _mm256_adds_epu8(d, _mm256_set1_epi16(0x7870)));
}

/* A row of cells: exponents; signs in bit 15, mantissas below, and five bits of something. */
struct bytes_cells {
    __m256i exponent, rest;
};
INLINE struct bytes_cells bytes_read(const uint32_t *row)
{
    const __m256i twice = _mm256_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14, 0, 0, 2, 2, 4, 4, 6, 6,
                                           8, 8, 10, 10, 12, 12, 14, 14);
    const __m256i x = _mm256_loadu_si256((const void *)row);
    const __m256i y = _mm256_loadu_si256((const void *)(row + MATRIX_COLUMNS / 2));
    return (struct bytes_cells){.exponent =
                                    _mm256_shuffle_epi8(_mm256_blend_epi16(x, _mm256_slli_epi32(y, 16), 0xAA), twice),
                                .rest = _mm256_blend_epi16(_mm256_srli_epi32(x, 3), _mm256_slli_epi32(y, 13), 0xAA)};
}

/* Terms of section 5, as 2 * mantissa, and their exponents. */
struct bytes_term {
    __m256i twice, exponent;
};

/* `phase` is a constant where this is called. */
INLINE struct bytes_term bytes_product(const struct fast_mode *f, unsigned phase, const struct bytes_cells *a,
                                       const struct bytes_cells *b)
{
    const __m256i less = _mm256_set1_epi8((char)(127 + (phase & 1 ? 5 : 0) + (phase & 2 ? 7 : 0)));
    __m256i exponent = _mm256_adds_epu8(a->exponent, _mm256_subs_epu8(b->exponent, less));
    exponent = _mm256_subs_epu8(exponent, _mm256_subs_epu8(less, b->exponent));
    exponent = _mm256_andnot_si256(bytes_is_zero(_mm256_min_epu8(a->exponent, b->exponent)), exponent);
    /* The five bits of SrcA and the seven of SrcB, each at the top of a half word. */
    const __m256i sign = _mm256_set1_epi16((short)BYTES_SIGN); /* where the hidden one is */
    const __m256i x =
        phase & 1
            ? _mm256_slli_epi16(_mm256_and_si256(a->rest, _mm256_set1_epi16((short)((f->a_mantissa & 0x3E) << 5))), 5)
            : _mm256_or_si256(_mm256_and_si256(a->rest, _mm256_set1_epi16(0x7800)), sign);
    const __m256i y =
        phase & 2
            ? _mm256_slli_epi16(_mm256_and_si256(b->rest, _mm256_set1_epi16((short)((f->b_mantissa & 0xF) << 5))), 7)
            : _mm256_or_si256(_mm256_and_si256(b->rest, _mm256_set1_epi16(0x7E00)), sign);
    const __m256i twice = _mm256_srli_epi16(_mm256_mulhi_epu16(x, y), 3);
    const __m256i signs = _mm256_or_si256(_mm256_xor_si256(a->rest, b->rest), _mm256_set1_epi16(1)); /* not zero */
    return (struct bytes_term){_mm256_andnot_si256(bytes_is_zero(exponent), _mm256_sign_epi16(twice, signs)), exponent};
}

/* One of two numbers of section 8, moved to the exponent of the larger one. */
INLINE __m256i bytes_addend(uint32_t mantissa, __m256i cell_exponent, __m256i rest, __m256i exponent)
{
    /* The sign comes to be where the hidden one is. */
    const __m256i bits = _mm256_and_si256(rest, _mm256_set1_epi16((short)(BYTES_SIGN | mantissa << 5)));
    __m256i twice = _mm256_or_si256(_mm256_srli_epi16(bits, 4), _mm256_set1_epi16(BYTES_HIDDEN_TWICE));
    twice = _mm256_andnot_si256(bytes_is_zero(cell_exponent), twice);
    const __m256i moved = _mm256_mulhrs_epi16(twice, bytes_power(_mm256_sub_epi8(exponent, cell_exponent)));
    return _mm256_sign_epi16(moved, _mm256_or_si256(rest, _mm256_set1_epi16(1)));
}
INLINE struct bytes_term bytes_sum(const struct fast_mode *f, uint32_t flip, const struct bytes_cells *a,
                                   const struct bytes_cells *b)
{
    const __m256i exponent = _mm256_max_epu8(a->exponent, b->exponent);
    const __m256i b_rest = _mm256_xor_si256(b->rest, _mm256_set1_epi16((short)flip));
    const __m256i sum = _mm256_add_epi16(bytes_addend(f->a_mantissa, a->exponent, a->rest, exponent),
                                         bytes_addend(f->b_mantissa, b->exponent, b_rest, exponent));
    return (struct bytes_term){_mm256_add_epi16(sum, sum), exponent};
}

/* Steps 1 to 4 of section 5, onto a row of Dst; *exponent: of the sum. */
INLINE __m256i bytes_onto(const struct bytes_term *term, const uint16_t *row, __m256i *exponent)
{
    enum { Z = -128 }; /* nothing */
    const __m256i low_twice = _mm256_setr_epi8(0, 0, 8, 8, 2, 2, 10, 10, 4, 4, 12, 12, 6, 6, 14, 14, 0, 0, 8, 8, 2, 2,
                                               10, 10, 4, 4, 12, 12, 6, 6, 14, 14);
    const __m256i high = _mm256_setr_epi8(Z, 1, Z, 9, Z, 3, Z, 11, Z, 5, Z, 13, Z, 7, Z, 15, Z, 1, Z, 9, Z, 3, Z, 11, Z,
                                          5, Z, 13, Z, 7, Z, 15);
    const __m256i dst = _mm256_permute4x64_epi64(_mm256_loadu_si256((const void *)row), 0xD8);
    const __m256i dst_exponent = _mm256_shuffle_epi8(dst, low_twice), rest = _mm256_shuffle_epi8(dst, high);
    __m256i twice = _mm256_or_si256(_mm256_srli_epi16(rest, 4), _mm256_set1_epi16(BYTES_HIDDEN_TWICE));
    twice = _mm256_andnot_si256(bytes_is_zero(dst_exponent), _mm256_xor_si256(twice, _mm256_srai_epi16(rest, 15)));
    *exponent = _mm256_max_epu8(term->exponent, dst_exponent);
    return _mm256_add_epi16(_mm256_mulhrs_epi16(term->twice, bytes_power(_mm256_sub_epi8(*exponent, term->exponent))),
                            _mm256_mulhrs_epi16(twice, bytes_power(_mm256_sub_epi8(*exponent, dst_exponent))));
}

/* What the exponents of a block were. */
struct bytes_range {
    __m256i lowest, highest;
};

/* Steps 5 and 6: a row of Dst. */
INLINE __m256i bytes_encoded(__m256i sum, __m256i exponent, struct bytes_range *range)
{
    enum { OF_SUM = 127 + 16 + 10 };
    const __m256i back = _mm256_setr_epi8(1, 0, 5, 4, 9, 8, 13, 12, 3, 2, 7, 6, 11, 10, 15, 14, 1, 0, 5, 4, 9, 8, 13,
                                          12, 3, 2, 7, 6, 11, 10, 15, 14);
    const __m256i upper = _mm256_set1_epi32((int)0xFFFF0000);
    const __m256i half = _mm256_set1_epi32((int)(0x8000 - ((uint32_t)OF_SUM << 23)));
    __m256i even = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_slli_epi32(sum, 16)));
    __m256i odd = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_and_si256(sum, upper)));
    even = _mm256_srli_epi32(_mm256_add_epi32(even, half), 16);
    odd = _mm256_add_epi32(odd, half);
    const __m256i none = _mm256_cmpeq_epi16(sum, _mm256_setzero_si256());
    range->highest = _mm256_max_epu8(range->highest, exponent);
    range->lowest = _mm256_min_epu8(range->lowest, _mm256_or_si256(exponent, none));
    /* Nine bits, of which eight are what has to be added to the exponent, and the mantissa; with the first part twice, that is in a
     * byte of its own. */
    const __m256i bits = _mm256_blend_epi16(even, odd, 0xAA);
    __m256i result = _mm256_add_epi16(bits, _mm256_and_si256(bits, _mm256_set1_epi16((short)0xFF80)));
    result = _mm256_add_epi16(result, _mm256_and_si256(exponent, _mm256_set1_epi16((short)0xFF00)));
    result = _mm256_or_si256(result, _mm256_and_si256(_mm256_srli_epi16(sum, 8), _mm256_set1_epi16(0x80)));
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(_mm256_andnot_si256(none, result), back), 0xD8);
}

/* False: something may be too large or too small.  `what` and `phase` are constants where this is called. */
INLINE bool bytes_elements(const struct fast_mode *f, const struct matrix_elementwise_form *form, enum FAST(what) what,
                           unsigned phase, const uint32_t *a, const uint32_t *b, uint16_t *dst)
{
    const uint32_t flip = form->op == MATRIX_SUBTRACT ? BYTES_SIGN : 0;
    uint32_t spread[MATRIX_ROWS][MATRIX_COLUMNS];
    size_t b_step = form->b_step;
    if (UNLIKELY(form->b_column_0)) {
        for (unsigned i = 0; i < MATRIX_ROWS; i++)
            for (unsigned at = 0; at < MATRIX_COLUMNS; at += LANES)
                FAST(store)(&spread[i][at], FAST(uall)(b[MATRIX_COLUMNS * i * b_step]));
        b = spread[0];
        b_step = 1;
    }
    struct bytes_range range = {_mm256_set1_epi8(-1), _mm256_setzero_si256()};
    __m256i results[MATRIX_ROWS];
    for (unsigned i = 0; i < MATRIX_ROWS; i++) {
        const struct bytes_cells x = bytes_read(a + MATRIX_COLUMNS * i),
                                 y = bytes_read(b + MATRIX_COLUMNS * i * b_step);
        const struct bytes_term term =
            what == FAST(PRODUCTS) ? bytes_product(f, phase, &x, &y) : bytes_sum(f, flip, &x, &y);
        __m256i exponent = term.exponent;
        const __m256i sum = what == FAST(SUMS_ALONE) ? _mm256_srai_epi16(term.twice, 1)
                                                     : bytes_onto(&term, dst + MATRIX_COLUMNS * i, &exponent);
        results[i] = bytes_encoded(sum, exponent, &range);
    }
    const __m256i out = _mm256_or_si256(_mm256_subs_epu8(range.highest, _mm256_set1_epi8((char)BYTES_HIGHEST)),
                                        _mm256_subs_epu8(_mm256_set1_epi8(BYTES_LOWEST), range.lowest));
    if (UNLIKELY(!_mm256_testz_si256(out, out)))
        return false;
    memcpy(dst, results, sizeof results);
    return true;
}

FAST_TARGET static void elementwise_bytes(const struct fast_mode *f, const struct matrix_elementwise_form *form,
                                          const uint32_t *a, const uint32_t *b, uint16_t *dst)
{
    bool done;
    if (UNLIKELY(f->dst32 || f->keep_zero_b || f->floats_offset || (f->lowest && form->op != MATRIX_MULTIPLY)))
        done = false;
    else if (form->op != MATRIX_MULTIPLY)
        done = form->add_dst ? bytes_elements(f, form, FAST(SUMS), 0, a, b, dst)
                             : bytes_elements(f, form, FAST(SUMS_ALONE), 0, a, b, dst);
    else if (!f->floats_low_b)
        done = f->floats_low_a ? bytes_elements(f, form, FAST(PRODUCTS), 1, a, b, dst)
                               : bytes_elements(f, form, FAST(PRODUCTS), 0, a, b, dst);
    else
        done = f->floats_low_a ? bytes_elements(f, form, FAST(PRODUCTS), 3, a, b, dst)
                               : bytes_elements(f, form, FAST(PRODUCTS), 2, a, b, dst);
    if (UNLIKELY(!done))
        FAST(elementwise)(f, form, a, b, dst);
}
