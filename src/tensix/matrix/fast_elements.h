/* SPDX-License-Identifier: Apache-2.0 */
/* The second part of fast_body.h: integers (fast_elements_integers.h has their products), and what is done element by element. */

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

/* Magnitudes of Integer "32" in the order of Dst and back. */
INLINE FAST(uwords) FAST(integer_from_dst)(FAST(uwords) x)
{
    return FAST_PICK(FAST(uall)(0xFFFF), x, FAST_PICK(FAST(uall)(0x7F800000), x << 7, x >> 8));
}
INLINE FAST(uwords) FAST(integer_to_dst)(FAST(uwords) x)
{
    return FAST_PICK(FAST(uall)(0xFFFF), x, FAST_PICK(FAST(uall)(0x7F000000), x << 8, x >> 7));
}
/* x is towards or away from zero: what is left of the largest magnitude is what may be added.  |x| < 2^30. */
INLINE FAST(uwords) FAST(integer_onto_dst)(FAST(words) x, FAST(uwords) dst)
{
    const FAST(words) sign = (FAST(words))dst >> 31, away = (x ^ sign) - sign;
    const FAST(uwords) most = INT32_MAX - (FAST(uwords))away, old = FAST(integer_from_dst)(dst);
    const FAST(words) moved = (FAST(words))(FAST_MIN_UNSIGNED(old, most) + (FAST(uwords))away);
    const FAST(words) sum = (moved ^ sign) - sign; /* no minus zero */
    return FAST_PICK(FAST(uall)(0x80000000), (FAST(uwords))sum, FAST(integer_to_dst)((FAST(uwords))FAST_ABS(sum)));
}

/* The bits of a phase, shifted down, fit into a byte with a sign.  Those of SrcA are made positive by INTEGER_OFFSET on all of them:
 * INTEGER_OFFSET times the sum of a row of SrcB is too much then.  Four sums of two products of bytes are below 2^15. */
INLINE void FAST(integers_a)(const uint32_t *a, struct integers_a *to)
{
    for (unsigned group = 0; group < 4; group++)
        for (unsigned at = 0; at < 16; at += LANES)
            for (unsigned phase = 0; phase < INTEGER_PHASES; phase++) {
                FAST(uwords) bytes = {0};
                for (unsigned i = 0; i < 4; i++) {
                    const FAST(words) x =
                        FAST(integer)(FAST(load)(a + 64 * group + 16 * i + at), integer_bits_a[phase], false);
                    bytes |= (FAST(uwords))((x >> integer_shift_a[phase]) + INTEGER_OFFSET) << 8 * i;
                }
                FAST(store)(to->bytes[phase] + 16 * group + at, bytes);
            }
}
INLINE void FAST(integers_b)(const struct fast_mode *f, const uint32_t *b, unsigned b_step, unsigned rows,
                             struct integers_b *to)
{
    for (unsigned i = 0; i < rows; i++)
        for (unsigned phase = 0; phase < INTEGER_PHASES; phase++) {
            int32_t parts[MATRIX_COLUMNS], sum = 0;
            int8_t bytes[MATRIX_COLUMNS];
            for (unsigned at = 0; at < MATRIX_COLUMNS; at += LANES) {
                const FAST(uwords) cells = FAST(load)(b + 16 * i * b_step + at);
                const FAST(words) x = FAST(integer)(cells, integer_bits_b[phase], f->keep_zero_b);
                FAST(store)((uint32_t *)parts + at, (FAST(uwords))(x >> integer_shift_b[phase]));
            }
            for (unsigned k = 0; k < MATRIX_COLUMNS; k++) {
                bytes[k] = (int8_t)parts[k];
                sum += parts[k];
            }
            memcpy(to->bytes[phase] + 4 * i, bytes, sizeof bytes);
            to->less[phase][i] = -sum * INTEGER_OFFSET;
            for (unsigned a = 0; a < INTEGER_PHASES; a++)
                to->too_much[phase][a][i] = sum * INTEGER_OFFSET * (1 << (integer_shift_a[a] + integer_shift_b[phase]));
        }
}

/* What is made of the operands, in the caches or here. */
struct FAST(integer_operands) {
    struct integers_a own_a, *a;
    struct integers_b own_b, *b;
};
/* Returns MATRIX_SAME_*. */
INLINE unsigned FAST(prepare_integers)(const struct fast_mode *f, const uint32_t *a, const uint32_t *b,
                                       struct matrix_cached_a *cached_a, struct matrix_cached_b *cached_b, unsigned how,
                                       struct FAST(integer_operands) * to)
{
    const unsigned rows = how & MATRIX_FOUR_ROWS ? 4 : MATRIX_ROWS, b_step = !(how & MATRIX_ONE_ROW_OF_B);
    to->a = &to->own_a;
    to->b = &to->own_b;
    if (cached_a) {
        to->a = (struct integers_a *)cached_a->factors;
        if (!(how & MATRIX_SAME_A))
            FAST(keep_a)(cached_a, a);
    }
    if (UNLIKELY(!cached_a || cached_a->key != f->a_key)) {
        FAST(integers_a)(a, to->a);
        if (cached_a)
            cached_a->key = f->a_key;
    }
    const bool whole = cached_b && b_step && rows == MATRIX_ROWS;
    if (whole) {
        to->b = (struct integers_b *)cached_b->factors;
        if (!(how & MATRIX_SAME_B))
            FAST(keep_b)(cached_b, b);
    }
    if (UNLIKELY(!whole || cached_b->key != f->b_key)) {
        FAST(integers_b)(f, b, b_step, rows, to->b);
        if (whole)
            cached_b->key = f->b_key;
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
