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

enum { BYTES_SIGN = 0x8000, BYTES_ROWS = 4 };
/* The exponent of a result is at most three above that of a sum before its leading one is found, and at most ten below.  With an
 * exponent of 15 or more in the sum, what has none is moved out of it, whatever its bits are: nobody need look for zeros. */
enum { BYTES_LOWEST = 16, BYTES_HIGHEST = 251 };

/* Numbers of all lanes, where instructions can take them from memory: written as constants the compiler makes each of them anew. */
typedef uint32_t bytes_words __attribute__((vector_size(32)));
struct bytes_constants {
    bytes_words table, places, twice, dst_twice, dst_high, back; /* of shuffles */
    bytes_words one, sign, part_a, part_b, hidden_twice, upper, half, sign_byte, high, first, lowest, highest;
    bytes_words less[4]; /* by phase */
};
#define BYTES_ALL(x)                                                                                                   \
    {                                                                                                                  \
        x, x, x, x, x, x, x, x                                                                                         \
    }
#define BYTES_BOTH(a, b, c, d)                                                                                         \
    {                                                                                                                  \
        a, b, c, d, a, b, c, d                                                                                         \
    }
#define BYTES_FOUR(x) BYTES_ALL((x)*0x01010101u)
static const struct bytes_constants bytes_constants = {
    .table = BYTES_BOTH(0, 0x80000000, 0x08102040, 0x00010204), /* bytes 7 to 14: 2^7 down to 1, 2^6 down to 1 */
    .places = BYTES_ALL(0x7870 * BOTH),
    .twice = BYTES_BOTH(0x02020000, 0x06060404, 0x0A0A0808, 0x0E0E0C0C),
    .dst_twice = BYTES_BOTH(0x08080000, 0x0A0A0202, 0x0C0C0404, 0x0E0E0606),
    .dst_high = BYTES_BOTH(0x09800180, 0x0B800380, 0x0D800580, 0x0F800780),
    .back = BYTES_BOTH(0x04050001, 0x0C0D0809, 0x06070203, 0x0E0F0A0B),
    .one = BYTES_ALL(BOTH),
    .sign = BYTES_ALL(BYTES_SIGN * BOTH),
    .part_a = BYTES_ALL(0x7800 * BOTH),
    .part_b = BYTES_ALL(0x7E00 * BOTH),
    .hidden_twice = BYTES_ALL(0x800 * BOTH),
    .upper = BYTES_ALL(0xFFFF0000),
    .half = BYTES_ALL(0x8000 - ((127u + 16 + 10) << 23)), /* and the exponent of a sum of 1.0 */
    .sign_byte = BYTES_ALL(0x80 * BOTH),
    .high = BYTES_ALL(0xFF00 * BOTH),
    .first = BYTES_ALL(0xFF80 * BOTH),
    .lowest = BYTES_FOUR(BYTES_LOWEST),
    .highest = BYTES_FOUR(BYTES_HIGHEST),
    .less = {BYTES_FOUR(127), BYTES_FOUR(127 + 5), BYTES_FOUR(127 + 7), BYTES_FOUR(127 + 12)}};
#define BYTES(name) ((__m256i)c->name)

INLINE __m256i bytes_is_zero(__m256i x)
{
    return _mm256_cmpeq_epi8(x, _mm256_setzero_si256());
}
/* 0x4000 >> d, for d in both bytes of a half word: the low byte is at place d, the high one at d + 8, and nothing from 16 on. */
INLINE __m256i bytes_power(const struct bytes_constants *c, __m256i d)
{
    return _mm256_shuffle_epi8(BYTES(table), _mm256_adds_epu8(d, BYTES(places)));
}

/* A row of cells: exponents; signs in bit 15, mantissas below, and five bits of something. */
struct bytes_cells {
    __m256i exponent, rest;
};
INLINE struct bytes_cells bytes_read(const struct bytes_constants *c, const uint32_t *row)
{
    const __m256i x = _mm256_loadu_si256((const void *)row);
    const __m256i y = _mm256_loadu_si256((const void *)(row + MATRIX_COLUMNS / 2));
    return (struct bytes_cells){
        .exponent = _mm256_shuffle_epi8(_mm256_blend_epi16(x, _mm256_slli_epi32(y, 16), 0xAA), BYTES(twice)),
        .rest = _mm256_blend_epi16(_mm256_srli_epi32(x, 3), _mm256_slli_epi32(y, 13), 0xAA)};
}

/* Terms of section 5, as 2 * mantissa, and their exponents. */
struct bytes_term {
    __m256i twice, exponent;
};

/* `phase` is a constant where this is called. */
INLINE struct bytes_term bytes_product(const struct fast_mode *f, const struct bytes_constants *c, unsigned phase,
                                       const struct bytes_cells *a, const struct bytes_cells *b)
{
    const __m256i less = BYTES(less[phase]);
    __m256i exponent = _mm256_adds_epu8(a->exponent, _mm256_subs_epu8(b->exponent, less));
    exponent = _mm256_subs_epu8(exponent, _mm256_subs_epu8(less, b->exponent));
    exponent = _mm256_andnot_si256(bytes_is_zero(_mm256_min_epu8(a->exponent, b->exponent)), exponent);
    /* The five bits of SrcA and the seven of SrcB, each at the top of a half word. */
    const __m256i hidden = BYTES(sign); /* where the sign was */
    const __m256i x =
        phase & 1
            ? _mm256_slli_epi16(_mm256_and_si256(a->rest, _mm256_set1_epi16((short)((f->a_mantissa & 0x3E) << 5))), 5)
            : _mm256_or_si256(_mm256_and_si256(a->rest, BYTES(part_a)), hidden);
    const __m256i y =
        phase & 2
            ? _mm256_slli_epi16(_mm256_and_si256(b->rest, _mm256_set1_epi16((short)((f->b_mantissa & 0xF) << 5))), 7)
            : _mm256_or_si256(_mm256_and_si256(b->rest, BYTES(part_b)), hidden);
    const __m256i twice = _mm256_srli_epi16(_mm256_mulhi_epu16(x, y), 3);
    const __m256i signs = _mm256_or_si256(_mm256_xor_si256(a->rest, b->rest), BYTES(one)); /* not zero */
    return (struct bytes_term){_mm256_sign_epi16(twice, signs), exponent};
}

/* One of two numbers of section 8, moved to the exponent of the larger one. */
INLINE __m256i bytes_addend(const struct bytes_constants *c, uint32_t mantissa, __m256i cell_exponent, __m256i rest,
                            __m256i exponent)
{
    /* The sign comes to be where the hidden one is. */
    const __m256i bits = _mm256_and_si256(rest, _mm256_set1_epi16((short)(BYTES_SIGN | mantissa << 5)));
    const __m256i twice = _mm256_or_si256(_mm256_srli_epi16(bits, 4), BYTES(hidden_twice));
    const __m256i moved = _mm256_mulhrs_epi16(twice, bytes_power(c, _mm256_sub_epi8(exponent, cell_exponent)));
    return _mm256_sign_epi16(moved, _mm256_or_si256(rest, BYTES(one)));
}
INLINE struct bytes_term bytes_sum(const struct fast_mode *f, const struct bytes_constants *c, uint32_t flip,
                                   const struct bytes_cells *a, const struct bytes_cells *b)
{
    const __m256i exponent = _mm256_max_epu8(a->exponent, b->exponent);
    const __m256i b_rest = _mm256_xor_si256(b->rest, _mm256_set1_epi16((short)flip));
    const __m256i sum = _mm256_add_epi16(bytes_addend(c, f->a_mantissa, a->exponent, a->rest, exponent),
                                         bytes_addend(c, f->b_mantissa, b->exponent, b_rest, exponent));
    return (struct bytes_term){_mm256_add_epi16(sum, sum), exponent};
}

/* Steps 1 to 4 of section 5, onto a row of Dst; *exponent: of the sum. */
INLINE __m256i bytes_onto(const struct bytes_constants *c, const struct bytes_term *term, const uint16_t *row,
                          __m256i *exponent)
{
    const __m256i dst = _mm256_permute4x64_epi64(_mm256_loadu_si256((const void *)row), 0xD8);
    const __m256i dst_exponent = _mm256_shuffle_epi8(dst, BYTES(dst_twice));
    const __m256i rest = _mm256_shuffle_epi8(dst, BYTES(dst_high));
    const __m256i magnitude = _mm256_or_si256(_mm256_srli_epi16(rest, 4), BYTES(hidden_twice));
    const __m256i twice = _mm256_xor_si256(magnitude, _mm256_srai_epi16(rest, 15));
    *exponent = _mm256_max_epu8(term->exponent, dst_exponent);
    return _mm256_add_epi16(
        _mm256_mulhrs_epi16(term->twice, bytes_power(c, _mm256_sub_epi8(*exponent, term->exponent))),
        _mm256_mulhrs_epi16(twice, bytes_power(c, _mm256_sub_epi8(*exponent, dst_exponent))));
}

/* What the exponents of a block were. */
struct bytes_range {
    __m256i lowest, highest;
};

/* Steps 5 and 6: a row of Dst. */
INLINE __m256i bytes_encoded(const struct bytes_constants *c, __m256i sum, __m256i exponent, struct bytes_range *range)
{
    __m256i even = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_slli_epi32(sum, 16)));
    __m256i odd = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_and_si256(sum, BYTES(upper))));
    even = _mm256_srli_epi32(_mm256_add_epi32(even, BYTES(half)), 16);
    odd = _mm256_add_epi32(odd, BYTES(half));
    const __m256i none = _mm256_cmpeq_epi16(_mm256_min_epu16(sum, exponent), _mm256_setzero_si256());
    range->highest = _mm256_max_epu8(range->highest, exponent);
    range->lowest = _mm256_min_epu8(range->lowest, _mm256_or_si256(exponent, none));
    /* Nine bits, of which eight are what has to be added to the exponent, and the mantissa; with the first part twice, that is in a
     * byte of its own. */
    const __m256i bits = _mm256_blend_epi16(even, odd, 0xAA);
    __m256i result = _mm256_add_epi16(bits, _mm256_and_si256(bits, BYTES(first)));
    result = _mm256_add_epi16(result, _mm256_and_si256(exponent, BYTES(high)));
    result = _mm256_or_si256(result, _mm256_and_si256(_mm256_srli_epi16(sum, 8), BYTES(sign_byte)));
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(_mm256_andnot_si256(none, result), BYTES(back)), 0xD8);
}

/* False: something may be too large or too small.  `what` and `phase` are constants where this is called. */
INLINE bool bytes_elements(const struct fast_mode *f, const struct matrix_elementwise_form *form, enum FAST(what) what,
                           unsigned phase, const uint32_t *a, const uint32_t *b, uint16_t *dst)
{
    const struct bytes_constants *c = &bytes_constants;
    __asm__("" : "+r"(c)); /* not known to be constants */
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
    /* Several rows at a time: in one of them each step waits for the one before it. */
    for (unsigned i = 0; i < MATRIX_ROWS; i += BYTES_ROWS) {
        struct bytes_term term[BYTES_ROWS];
        __m256i sum[BYTES_ROWS], exponent[BYTES_ROWS];
        UNROLL_8 for (unsigned k = 0; k < BYTES_ROWS; k++)
        {
            const struct bytes_cells x = bytes_read(c, a + MATRIX_COLUMNS * (i + k));
            const struct bytes_cells y = bytes_read(c, b + MATRIX_COLUMNS * (i + k) * b_step);
            term[k] = what == FAST(PRODUCTS) ? bytes_product(f, c, phase, &x, &y) : bytes_sum(f, c, flip, &x, &y);
            exponent[k] = term[k].exponent;
        }
        UNROLL_8 for (unsigned k = 0; k < BYTES_ROWS; k++) sum[k] =
            what == FAST(SUMS_ALONE) ? _mm256_srai_epi16(term[k].twice, 1)
                                     : bytes_onto(c, &term[k], dst + MATRIX_COLUMNS * (i + k), &exponent[k]);
        UNROLL_8 for (unsigned k = 0; k < BYTES_ROWS; k++) results[i + k] =
            bytes_encoded(c, sum[k], exponent[k], &range);
    }
    const __m256i out =
        _mm256_or_si256(_mm256_subs_epu8(range.highest, BYTES(highest)), _mm256_subs_epu8(BYTES(lowest), range.lowest));
    if (UNLIKELY(!_mm256_testz_si256(out, out)))
        return false;
    UNROLL_8 for (unsigned i = 0; i < MATRIX_ROWS; i++)
        _mm256_storeu_si256((void *)(dst + MATRIX_COLUMNS * i), results[i]);
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
#undef BYTES
#undef BYTES_FOUR
#undef BYTES_BOTH
#undef BYTES_ALL
