/* SPDX-License-Identifier: Apache-2.0 */
/* The fifth part of fast_body.h, with AVX-512: element by element onto 16 bits of Dst, for exponents of eight bits.  Two rows at once,
 * the second one in the upper halves of words: all numbers on the way have at most 16 bits.
 *
 * Why it is the same, by the section numbers of docs/matrix-arithmetic.md:
 *
 * - In units of 2^13, with which section 5 goes on, terms are integers below 2^12 and Dst is one below 2^11.  Rounding such a term
 *   twice is rounding it once: the difference would need more bits than it has.
 * - x / 2^n, halves towards plus infinity, is ((2x >> n) + 1) >> 1; from 16 places on the shift leaves the sign, which becomes zero.
 *   Of what is not negative it is the average of 2x >> n and zero as the processor has it.
 * - A sum (8): the smaller number is moved to the exponent of the larger one, whichever that is, and both have their sign then.
 * - Step 6: the sum as a floating-point number has the bits in order; those from bit 16 on are kept, rounded away from zero.
 *
 * What is too large for Dst makes the whole block go another way. */

typedef __m512i halves_of_two;

/* Numbers of all lanes.  They come from memory, where loads spread them: written as constants the compiler takes the unit that
 * shuffles for each. */
struct halves_constants {
    uint32_t byte, one, part_a, part_b, hidden_a, hidden_b, sign_a, sign_b_up, dst_mantissa, dst_hidden, upper, half,
        of_sum;
    uint32_t sign, high, hidden_twice;
};
static const struct halves_constants halves_constants = {.byte = 0xFF * BOTH,
                                                         .one = BOTH,
                                                         .part_a = 0x1E * BOTH,
                                                         .hidden_a = 0x20 * BOTH,
                                                         .part_b = 0x3F * BOTH,
                                                         .hidden_b = 0x40 * BOTH,
                                                         .sign_a = 0x400 * BOTH,
                                                         .sign_b_up = 0x2000 * BOTH,
                                                         .dst_mantissa = 0x7F0 * BOTH,
                                                         .dst_hidden = 0x800 * BOTH,
                                                         .upper = 0xFFFF0000,
                                                         .half = 0x8000,
                                                         .of_sum = (127 + 16 + 10) * BOTH,
                                                         .sign = 0x8000 * BOTH,
                                                         .high = 0xFF00 * BOTH,
                                                         .hidden_twice = 0x800 * BOTH};

/* The even halves of words of x, the odd ones of y. */
INLINE halves_of_two two_rows(halves_of_two x, halves_of_two y)
{
    return _mm512_mask_blend_epi16(0xAAAAAAAA, x, y);
}
INLINE halves_of_two all_of(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}
/* (x & mask) | more */
INLINE halves_of_two and_or(halves_of_two x, halves_of_two mask, halves_of_two more)
{
    return _mm512_ternarylogic_epi32(x, mask, more, 0xEA);
}

/* Two rows of cells: exponents and something above them; signs in bit 10 + up, mantissas below. */
struct cells_of_two {
    halves_of_two exponent, rest;
};
INLINE struct cells_of_two read_two(const uint32_t *first, const uint32_t *second, unsigned up)
{
    const halves_of_two x = _mm512_loadu_si512(first), y = _mm512_loadu_si512(second);
    return (struct cells_of_two){.exponent = two_rows(x, _mm512_slli_epi32(y, 16)),
                                 .rest = two_rows(_mm512_srli_epi32(x, 8 - up), _mm512_slli_epi32(y, 8 + up))};
}

/* Terms of section 5, as 2 * mantissa, and their exponents; those that are not `here` are nothing, whatever the exponent. */
struct term_of_two {
    halves_of_two twice, exponent;
    __mmask32 here;
};

/* `phase` is a constant where this is called. */
INLINE struct term_of_two product_of_two(const struct fast_mode *f, const struct halves_constants *c, unsigned phase,
                                         const struct cells_of_two *a, const struct cells_of_two *b)
{
    enum { UP = 3 };
    const halves_of_two byte = all_of(c->byte), zero = _mm512_setzero_si512();
    const int less = 127 + (phase & 1 ? 5 : 0) + (phase & 2 ? 7 : 0);
    const halves_of_two exponent =
        _mm512_sub_epi16(_mm512_add_epi16(_mm512_and_si512(a->exponent, byte), _mm512_and_si512(b->exponent, byte)),
                         all_of((uint32_t)less * BOTH));
    const __mmask32 both = _mm512_mask_test_epi16_mask(_mm512_test_epi16_mask(a->exponent, byte), b->exponent, byte);
    const __mmask32 here = _mm512_mask_cmpgt_epi16_mask(both, exponent, zero);
    /* Twice the five bits of SrcA, the seven of SrcB, which has `up` 3 in phases 2 and 3. */
    const halves_of_two x = phase & 1 ? _mm512_and_si512(a->rest, all_of((f->a_mantissa & 0x3E) * BOTH))
                                      : and_or(_mm512_srli_epi16(a->rest, 5), all_of(c->part_a), all_of(c->hidden_a));
    const halves_of_two y = phase & 2 ? _mm512_and_si512(b->rest, all_of(((f->b_mantissa & 0xF) << UP) * BOTH))
                                      : and_or(_mm512_srli_epi16(b->rest, 4), all_of(c->part_b), all_of(c->hidden_b));
    const __mmask32 negative = _mm512_test_epi16_mask(a->rest, all_of(c->sign_a)) ^
                               _mm512_test_epi16_mask(b->rest, all_of(phase & 2 ? c->sign_b_up : c->sign_a));
    const halves_of_two twice = _mm512_maskz_mullo_epi16(here, x, y);
    return (struct term_of_two){_mm512_mask_sub_epi16(twice, negative, zero, twice), exponent, here};
}

/* flip: of the sign of SrcB. */
INLINE struct term_of_two sum_of_two(const struct fast_mode *f, const struct halves_constants *c, uint32_t flip,
                                     const struct cells_of_two *a, const struct cells_of_two *b)
{
    const halves_of_two byte = all_of(c->byte), zero = _mm512_setzero_si512(), hidden = all_of(c->hidden_twice);
    const halves_of_two sign = all_of(c->sign_a);
    const halves_of_two x_exponent = _mm512_and_si512(a->exponent, byte);
    const halves_of_two y_exponent = _mm512_and_si512(b->exponent, byte);
    const halves_of_two exponent = _mm512_max_epi16(x_exponent, y_exponent);
    const halves_of_two x_twice = and_or(_mm512_slli_epi16(a->rest, 1), all_of((f->a_mantissa << 1) * BOTH), hidden);
    const halves_of_two y_twice = and_or(_mm512_slli_epi16(b->rest, 1), all_of((f->b_mantissa << 1) * BOTH), hidden);
    halves_of_two x = _mm512_maskz_srlv_epi16(_mm512_test_epi16_mask(a->exponent, byte), x_twice,
                                              _mm512_sub_epi16(exponent, x_exponent));
    halves_of_two y = _mm512_maskz_srlv_epi16(_mm512_test_epi16_mask(b->exponent, byte), y_twice,
                                              _mm512_sub_epi16(exponent, y_exponent));
    x = _mm512_avg_epu16(x, zero);
    y = _mm512_avg_epu16(y, zero);
    const __mmask32 x_negative = _mm512_test_epi16_mask(a->rest, sign);
    const __mmask32 y_negative = _mm512_test_epi16_mask(_mm512_xor_si512(b->rest, all_of(flip)), sign);
    x = _mm512_mask_sub_epi16(x, x_negative, zero, x);
    const halves_of_two sum = _mm512_mask_sub_epi16(_mm512_add_epi16(x, y), y_negative, x, y);
    return (struct term_of_two){_mm512_add_epi16(sum, sum), exponent, UINT32_MAX};
}

/* Steps 1 to 4 of section 5, onto data of Dst; *exponent: of the sum. */
INLINE halves_of_two onto_two(const struct halves_constants *c, const struct term_of_two *term, halves_of_two dst,
                              halves_of_two *exponent)
{
    const halves_of_two byte = all_of(c->byte), zero = _mm512_setzero_si512();
    const halves_of_two dst_exponent = _mm512_and_si512(dst, byte);
    *exponent = _mm512_mask_max_epi16(dst_exponent, term->here, term->exponent, dst_exponent);
    halves_of_two x = _mm512_srav_epi16(term->twice, _mm512_sub_epi16(*exponent, term->exponent));
    x = _mm512_srai_epi16(_mm512_add_epi16(x, all_of(c->one)), 1);
    halves_of_two y = and_or(_mm512_srli_epi16(dst, 4), all_of(c->dst_mantissa), all_of(c->dst_hidden));
    y = _mm512_maskz_srlv_epi16(_mm512_test_epi16_mask(dst, byte), y, _mm512_sub_epi16(*exponent, dst_exponent));
    y = _mm512_avg_epu16(y, zero);
    return _mm512_mask_sub_epi16(_mm512_add_epi16(x, y), _mm512_movepi16_mask(dst), x, y);
}

/* Steps 5 and 6.  *largest: of exponents, for the caller to look at. */
INLINE halves_of_two encode_two(const struct halves_constants *c, halves_of_two sum, halves_of_two exponent,
                                halves_of_two *largest)
{
    const halves_of_two upper = all_of(c->upper), half = all_of(c->half);
    __m512i even = _mm512_castps_si512(_mm512_cvtepi32_ps(_mm512_slli_epi32(sum, 16)));
    __m512i odd = _mm512_castps_si512(_mm512_cvtepi32_ps(_mm512_and_si512(sum, upper)));
    even = _mm512_srli_epi32(_mm512_add_epi32(even, half), 16);
    odd = _mm512_add_epi32(odd, half);
    const halves_of_two bits = two_rows(even, odd); /* sign, eight bits of exponent, seven of mantissa */
    const halves_of_two field = _mm512_srli_epi16(_mm512_slli_epi16(bits, 1), 8);
    const halves_of_two result_exponent = _mm512_add_epi16(field, _mm512_sub_epi16(exponent, all_of(c->of_sum)));
    *largest = _mm512_max_epi16(*largest, result_exponent);
    const __mmask32 here =
        _mm512_mask_cmpgt_epi16_mask(_mm512_test_epi16_mask(sum, sum), result_exponent, _mm512_setzero_si512());
    halves_of_two result = _mm512_ternarylogic_epi32(all_of(c->sign), bits, _mm512_slli_epi16(bits, 8), 0xCA);
    result = _mm512_ternarylogic_epi32(all_of(c->high), result, result_exponent, 0xCA);
    return _mm512_maskz_mov_epi16(here, result);
}

/* False: something is too large.  `what` and `phase` are constants where this is called. */
INLINE bool elements_of_two(const struct fast_mode *f, const struct matrix_elementwise_form *form, enum FAST(what) what,
                            unsigned phase, const uint32_t *a, const uint32_t *b, uint16_t *dst)
{
    enum { LARGEST = 254, ROWS = 2 };
    const __m512i to_two = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                                            21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i from_two = _mm512_set_epi16(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1, 30, 28, 26, 24,
                                              22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const struct halves_constants *c = &halves_constants;
    __asm__("" : "+r"(c)); /* not known to be constants */
    const uint32_t flip = form->op == MATRIX_SUBTRACT ? c->sign_a : 0;
    uint32_t spread[MATRIX_ROWS][MATRIX_COLUMNS];
    size_t b_step = form->b_step;
    if (UNLIKELY(form->b_column_0)) {
        for (unsigned i = 0; i < MATRIX_ROWS; i++)
            _mm512_storeu_si512(spread[i], _mm512_set1_epi32((int)b[MATRIX_COLUMNS * i * b_step]));
        b = spread[0];
        b_step = 1;
    }
    halves_of_two results[MATRIX_ROWS / ROWS], largest = _mm512_setzero_si512();
    UNROLL_8 for (unsigned i = 0; i < MATRIX_ROWS / ROWS; i++)
    {
        const uint32_t *x = a + MATRIX_COLUMNS * ROWS * i, *y = b + MATRIX_COLUMNS * ROWS * i * b_step;
        const struct cells_of_two cells_a = read_two(x, x + MATRIX_COLUMNS, 0);
        const struct cells_of_two cells_b =
            read_two(y, y + MATRIX_COLUMNS * b_step, what == FAST(PRODUCTS) && phase & 2 ? 3 : 0);
        const struct term_of_two term = what == FAST(PRODUCTS) ? product_of_two(f, c, phase, &cells_a, &cells_b)
                                                               : sum_of_two(f, c, flip, &cells_a, &cells_b);
        halves_of_two sum, exponent;
        if (what == FAST(SUMS_ALONE)) {
            sum = _mm512_srai_epi16(term.twice, 1);
            exponent = term.exponent;
        } else {
            const __m512i old = _mm512_loadu_si512(dst + MATRIX_COLUMNS * ROWS * i);
            sum = onto_two(c, &term, _mm512_permutexvar_epi16(to_two, old), &exponent);
        }
        results[i] = _mm512_permutexvar_epi16(from_two, encode_two(c, sum, exponent, &largest));
    }
    if (UNLIKELY(_mm512_cmpgt_epi16_mask(largest, _mm512_set1_epi16(LARGEST)) != 0))
        return false;
    UNROLL_8 for (unsigned i = 0; i < MATRIX_ROWS / ROWS; i++)
        _mm512_storeu_si512(dst + MATRIX_COLUMNS * ROWS * i, results[i]);
    return true;
}

FAST_TARGET static void elementwise_halves(const struct fast_mode *f, const struct matrix_elementwise_form *form,
                                           const uint32_t *a, const uint32_t *b, uint16_t *dst)
{
    bool done;
    if (UNLIKELY(f->dst32 || f->keep_zero_b || f->floats_offset || (f->lowest && form->op != MATRIX_MULTIPLY)))
        done = false;
    else if (form->op != MATRIX_MULTIPLY)
        done = form->add_dst ? elements_of_two(f, form, FAST(SUMS), 0, a, b, dst)
                             : elements_of_two(f, form, FAST(SUMS_ALONE), 0, a, b, dst);
    else if (!f->floats_low_b)
        done = f->floats_low_a ? elements_of_two(f, form, FAST(PRODUCTS), 1, a, b, dst)
                               : elements_of_two(f, form, FAST(PRODUCTS), 0, a, b, dst);
    else
        done = f->floats_low_a ? elements_of_two(f, form, FAST(PRODUCTS), 3, a, b, dst)
                               : elements_of_two(f, form, FAST(PRODUCTS), 2, a, b, dst);
    if (UNLIKELY(!done))
        FAST(elementwise)(f, form, a, b, dst);
}
