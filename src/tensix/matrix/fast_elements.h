/* SPDX-License-Identifier: Apache-2.0 */
/* The second part of fast_body.h: integers, and what is done element by element. */

/* ---- Integers: section 9 ---- */

/* A signed number of `mask`, or zero by its exponent. */
INLINE FAST(words) FAST(integer)(FAST(uwords) cell, uint32_t mask, bool keep_zero)
{
    const FAST(words) sign = (FAST(words))(cell << 13) >> 31;
    FAST(words) magnitude = (FAST(words))(cell >> 8 & mask);
    if (!keep_zero)
        magnitude &= (cell & 0xFF) != 0;
    return (magnitude ^ sign) - sign;
}

/* Integer "32" in the order of Dst and back: the sign and the low half stay where they are. */
INLINE FAST(uwords) FAST(integer_from_dst)(FAST(uwords) x)
{
    return FAST_PICK(FAST(uall)(0x8000FFFF), x, FAST_PICK(FAST(uall)(0x7F800000), x << 7, x >> 8));
}
INLINE FAST(uwords) FAST(integer_to_dst)(FAST(uwords) x)
{
    return FAST_PICK(FAST(uall)(0x8000FFFF), x, FAST_PICK(FAST(uall)(0x7F000000), x << 8, x >> 7));
}
INLINE FAST(uwords) FAST(integer_onto_dst)(FAST(words) x, FAST(uwords) dst)
{
    dst = FAST(integer_from_dst)(dst);
    const FAST(words) dst_sign = (FAST(words))dst >> 31;
    const FAST(words) old = ((FAST(words))(dst & 0x7FFFFFFF) ^ dst_sign) - dst_sign;
    FAST(words) sum = (FAST(words))((FAST(uwords))old + (FAST(uwords))x);
    const FAST(words) clamped = INT32_MAX ^ dst_sign; /* INT32_MIN for a negative one */
    sum = FAST(select)(((old ^ sum) & (x ^ sum)) >> 31, clamped, sum);
    FAST(uwords) magnitude = (FAST(uwords))FAST_ABS(sum);
    magnitude -= magnitude >> 31; /* 2^31 */
    return FAST(integer_to_dst)(FAST_PICK(FAST(uall)(0x80000000), (FAST(uwords))sum, magnitude));
}

/* Rows 2k and 2k + 1 of SrcA, in the halves of each word, for each phase. */
INLINE void FAST(integers_a)(const uint32_t *a, uint32_t pairs[INTEGER_PHASES][8 * 16])
{
    for (unsigned k = 0; k < 8; k++)
        for (unsigned at = 0; at < 16; at += LANES)
            for (unsigned phase = 0; phase < INTEGER_PHASES; phase++) {
                const uint32_t bits = integer_bits_a[phase];
                const FAST(words) even = FAST(integer)(FAST(load)(a + 32 * k + at), bits, false);
                const FAST(words) odd = FAST(integer)(FAST(load)(a + 32 * k + 16 + at), bits, false);
                FAST(store)(pairs[phase] + 16 * k + at, ((FAST(uwords))even & 0xFFFF) | (FAST(uwords))odd << 16);
            }
}
/* Columns 2k and 2k + 1 of SrcB, the same. */
INLINE void FAST(integers_b)(const struct fast_mode *f, const uint32_t *b, unsigned b_step, unsigned rows,
                             uint32_t pairs[INTEGER_PHASES][MATRIX_ROWS * 8])
{
    for (unsigned i = 0; i < rows; i++)
        for (unsigned at = 0; at < 16; at += LANES)
            for (unsigned phase = 0; phase < INTEGER_PHASES; phase++) {
                const FAST(uwords) cells = FAST(load)(b + 16 * i * b_step + at);
                const FAST(ushort) narrow = FAST_NARROW(FAST(integer)(cells, integer_bits_b[phase], f->keep_zero_b));
                memcpy(pairs[phase] + 8 * i + at / 2, &narrow, sizeof narrow);
            }
}

FAST_TARGET static unsigned FAST(multiply_integers)(const struct fast_mode *f, const uint32_t *a, const uint32_t *b,
                                                    uint16_t *dst, struct matrix_cached_a *cached_a,
                                                    struct matrix_cached_b *cached_b, unsigned how)
{
    const unsigned rows = how & MATRIX_FOUR_ROWS ? 4 : MATRIX_ROWS, b_step = !(how & MATRIX_ONE_ROW_OF_B);
    uint32_t own_a[INTEGER_PHASES][8 * 16], own_b[INTEGER_PHASES][MATRIX_ROWS * 8];
    uint32_t(*both_a)[8 * 16] = own_a, (*both_b)[MATRIX_ROWS * 8] = own_b;
    if (cached_a) {
        both_a = (uint32_t(*)[8 * 16]) cached_a->factors;
        if (!(how & MATRIX_SAME_A))
            FAST(keep_a)(cached_a, a);
    }
    if (!cached_a || cached_a->key != f->a_key) {
        FAST(integers_a)(a, both_a);
        if (cached_a)
            cached_a->key = f->a_key;
    }
    const bool whole = cached_b && b_step && rows == MATRIX_ROWS;
    if (whole) {
        both_b = (uint32_t(*)[MATRIX_ROWS * 8]) cached_b->factors;
        if (!(how & MATRIX_SAME_B))
            FAST(keep_b)(cached_b, b);
    }
    if (!whole || cached_b->key != f->b_key) {
        FAST(integers_b)(f, b, b_step, rows, both_b);
        if (whole)
            cached_b->key = f->b_key;
    }
    const uint32_t *pairs_a = both_a[f->floats_low_a], *pairs_b = both_b[f->floats_low_b];
    for (unsigned at = 0; at < 16; at += LANES) {
        FAST(words) column[8];
        UNROLL_8 for (unsigned k = 0; k < 8; k++) column[k] = (FAST(words))FAST(load)(pairs_a + 16 * k + at);
        for (unsigned i = 0; i < rows; i++) {
            const uint32_t *row = pairs_b + (size_t)i * 8;
            FAST(words) sum = {0};
            UNROLL_8 for (unsigned k = 0; k < 8; k++) sum += FAST_MADD(column[k], (FAST(words))FAST(uall)(row[k]));
            FAST(store_dst)
            (f, dst + MATRIX_COLUMNS * i + at,
             FAST(integer_onto_dst)(sum, FAST(load_dst)(f, dst + MATRIX_COLUMNS * i + at)));
        }
    }
    return (cached_a ? MATRIX_SAME_A : 0) | (whole ? MATRIX_SAME_B : 0);
}

/* ---- Element by element: sections 7 and 8 ---- */

INLINE FAST(uwords) FAST(times)(const struct fast_mode *f, FAST(uwords) a, FAST(uwords) b, FAST(uwords) dst)
{
    const FAST(uwords) a_exponent = a & f->a_exponent, b_exponent = b & f->b_exponent;
    /* Five bits times 2^9, seven times 2^5: their product has its 2^14 on it. */
    const FAST(uwords) a_part = (FAST_SHR(a, f->a_shift_14) & f->a_part_14) | f->a_hidden_14;
    const FAST(uwords) b_part = (FAST_SHR(b, f->b_shift_14) & f->b_part_14) | f->b_hidden_14;
    FAST(words) is = a_exponent != 0;
    if (!f->keep_zero_b)
        is &= b_exponent != 0;
    FAST(words) exponent = (FAST(words))(a_exponent + b_exponent) + f->product_bias;
    is &= exponent > FAST_EXPONENT_BIAS;
    exponent = FAST(select)(is, exponent, FAST(all)(f->zero_exponent));
    const FAST(words) sign = (FAST(words))((a ^ b) << 13) >> 31;
    const FAST(words) product = FAST_MADD((FAST(words))a_part, (FAST(words))b_part) & is;
    const FAST(words) sum = (product ^ sign) - sign;
    return FAST(onto_dst)(f, 1, &sum, &exponent, dst);
}

/* Sign aside, exponent and mantissa in an order in which they compare. */
INLINE FAST(words) FAST(ordered)(FAST(uwords) cell, uint32_t exponent, uint32_t mantissa)
{
    return (FAST(words))((cell & exponent) << 10 | (cell >> 8 & mantissa));
}

/* add_dst is a constant where this is called; without it dst is zero. */
INLINE FAST(uwords)
    FAST(plus)(const struct fast_mode *f, FAST(uwords) a_cell, FAST(uwords) b_cell, bool add_dst, FAST(uwords) dst)
{
    FAST(words) a = FAST(ordered)(a_cell, f->a_exponent, f->a_mantissa);
    FAST(words) b = FAST(ordered)(b_cell, f->b_exponent, f->b_mantissa);
    FAST(words) a_sign = (FAST(words))(a_cell << 13) >> 31, b_sign = (FAST(words))(b_cell << 13) >> 31;
    const FAST(words) a_is = a > 0x3FF;
    const FAST(words) b_is = f->keep_zero_b ? ((b != 0) | b_sign) : b > 0x3FF;
    a = (a | 1 << 18) & a_is; /* bit 18: it is not zero */
    b = (b | 1 << 18) & b_is;
    a_sign &= a_is;
    b_sign &= b_is;
    const FAST(words) swap = a < b;
    const FAST(words) large = FAST(select)(swap, b, a), small = FAST(select)(swap, a, b);
    const FAST(words) sign = FAST(select)(swap, b_sign, a_sign);
    FAST(words) exponent = large >> 10 & 0xFF;
    const FAST(words) large_mantissa = (large & 0x3FF) | (large >> 8 & 0x400);
    const FAST(words) small_twice = (small & 0x3FF) << 1 | (small >> 7 & 0x800);
    const FAST(words) small_mantissa = (FAST_SAR(small_twice, exponent - (small >> 10 & 0xFF)) + 1) >> 1;
    const FAST(words) opposite = a_sign ^ b_sign;
    FAST(words) sum = (large_mantissa + ((small_mantissa ^ opposite) - opposite)) << 14;
    sum = (sum ^ sign) - sign;
    exponent = FAST(select)(exponent != 0, exponent + f->bias_of_sum, FAST(all)(f->zero_exponent));
    const FAST(words) below = exponent < FAST_EXPONENT_BIAS;
    sum &= ~below;
    exponent = FAST_MAX(exponent, FAST(all)(FAST_EXPONENT_BIAS));
    if (f->lowest) /* a sum that has the lowest exponent and is not zero: nothing, unless Dst has a higher one */
        sum &= (exponent > FAST_EXPONENT_BIAS) | (FAST(words))((dst >> 16 & f->dst_exponent) != 0);
    if (!add_dst) /* nothing to align with, and no bits below 2^13 */
        return FAST(encoded)(f, exponent, sum >> (f->dst32 ? 1 : 14));
    return FAST(onto_dst)(f, 1, &sum, &exponent, dst);
}

/* What is done to each element. */
enum FAST(what) { FAST(INTEGER_PRODUCTS), FAST(INTEGER_SUMS), FAST(PRODUCTS), FAST(SUMS), FAST(SUMS_ALONE) };

/* `what`, `dst32` and `plain` are constants where this is called: a loop of its own for each.  plain: nothing of what is rare,
 * neither keep_zero_b nor `lowest`. */
INLINE void FAST(elements)(const struct fast_mode *mode, const struct matrix_elementwise_form *form, unsigned first,
                           enum FAST(what) what, bool dst32, bool plain, const uint32_t *a, const uint32_t *b,
                           uint16_t *dst)
{
    struct fast_mode f = *mode; /* of which nobody else knows: it can stay in registers */
    f.dst32 = dst32;
    f.keep_zero_b = !plain && f.keep_zero_b;
    f.lowest = !plain && f.lowest;
    const uint32_t flip = form->op == MATRIX_SUBTRACT ? UINT32_C(1) << 18 : 0;
    const FAST(uwords) add_dst = FAST(uall)(form->add_dst ? UINT32_MAX : 0);
    for (unsigned i = first; i < MATRIX_ROWS; i++) {
        const uint32_t *row = b + 16 * i * form->b_step;
        for (unsigned at = 0; at < MATRIX_COLUMNS; at += LANES) {
            const FAST(uwords) x = FAST(load)(a + 16 * i + at);
            const FAST(uwords) y = (form->b_column_0 ? FAST(uall)(row[0]) : FAST(load)(row + at)) ^ flip;
            const FAST(uwords) old =
                what == FAST(SUMS_ALONE) ? FAST(uall)(0) : FAST(load_dst)(&f, dst + MATRIX_COLUMNS * i + at);
            FAST(uwords) result;
            if (what == FAST(INTEGER_PRODUCTS))
                result = FAST(integer_onto_dst)(
                    FAST(integer)(x, f.a_integer, false) * FAST(integer)(y, f.b_integer, f.keep_zero_b), old);
            else if (what == FAST(INTEGER_SUMS))
                result = FAST(integer_onto_dst)(FAST(integer)(x, 0x3FF, false) + FAST(integer)(y, 0x3FF, f.keep_zero_b),
                                                old & add_dst);
            else if (what == FAST(PRODUCTS))
                result = FAST(times)(&f, x, y, old);
            else
                result = FAST(plus)(&f, x, y, what == FAST(SUMS), old);
            FAST(store_dst)(&f, dst + MATRIX_COLUMNS * i + at, result);
        }
    }
}

#define ELEMENTS(what, plain)                                                                                          \
    (f->dst32 ? FAST(elements)(f, form, first, what, true, plain, a, b, dst)                                           \
              : FAST(elements)(f, form, first, what, false, plain, a, b, dst))

/* From row `first` on. */
FAST_TARGET static void FAST(elementwise_words)(const struct fast_mode *f, const struct matrix_elementwise_form *form,
                                                unsigned first, const uint32_t *a, const uint32_t *b, uint16_t *dst)
{
    const bool plain = !f->keep_zero_b && !f->lowest;
    if (f->integers && form->op == MATRIX_MULTIPLY)
        FAST(elements)(f, form, first, FAST(INTEGER_PRODUCTS), true, false, a, b, dst);
    else if (f->integers)
        FAST(elements)(f, form, first, FAST(INTEGER_SUMS), true, false, a, b, dst);
    else if (form->op == MATRIX_MULTIPLY && f->keep_zero_b)
        ELEMENTS(FAST(PRODUCTS), false);
    else if (form->op == MATRIX_MULTIPLY)
        ELEMENTS(FAST(PRODUCTS), true);
    else if (!plain && form->add_dst)
        ELEMENTS(FAST(SUMS), false);
    else if (!plain)
        ELEMENTS(FAST(SUMS_ALONE), false);
    else if (form->add_dst)
        ELEMENTS(FAST(SUMS), true);
    else
        ELEMENTS(FAST(SUMS_ALONE), true);
}
#undef ELEMENTS
