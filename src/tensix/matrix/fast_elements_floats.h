/* SPDX-License-Identifier: Apache-2.0 */
/* The fourth part of fast_body.h: element by element as in fast_body_floats.h, onto 16 bits of Dst.
 *
 * - A product has few bits, so it is exact; its exponent is the sum of its factors', whatever the product's own is.
 * - A sum (section 8) is that of two numbers added to c one after the other: the larger one is a multiple of its unit, the other
 *   is rounded to one, halves away from zero because of a bit below it. */

/* A number of FP32 with a cell's sign, exponent and `mantissa` bits of it. */
INLINE FAST(uwords) FAST(float_cell)(const struct fast_mode *f, FAST(uwords) cell, uint32_t exponent, uint32_t mantissa)
{
    const FAST(uwords) field = f->floats_offset ? ((cell & exponent) + f->floats_offset) << 23 : cell << 23;
    const FAST(uwords) bits = FAST_PICK(FAST(uall)(FLOATS_EXPONENT), field, cell << 5);
    return FAST_PICK(FAST(uall)(mantissa | FLOATS_EXPONENT), bits, cell << 13 & 0x80000000);
}

/* The bits of a phase alone; what is left when `high` bits are taken from all. */
INLINE FAST(floats) FAST(float_part)(const struct fast_mode *f, FAST(uwords) cell, uint32_t exponent, uint32_t mantissa,
                                     uint32_t high, bool low)
{
    const FAST(uwords) all = FAST(float_cell)(f, cell, exponent, low ? mantissa : mantissa & high);
    if (!low)
        return (FAST(floats))all;
    return (FAST(floats))all - (FAST(floats))(all & (0xFF800000 | high));
}

/* A term and its c; one that is not `here` is nothing, and its c that of zero. */
struct FAST(term) {
    FAST(floats) x;
    FAST(uwords) c, here;
};

INLINE struct FAST(term)
    FAST(float_product)(const struct fast_mode *f, bool parts, FAST(uwords) a, FAST(uwords) b, FAST(uwords) * highest)
{
    const FAST(floats) x =
        FAST(float_part)(f, a, f->a_exponent, f->a_mantissa << 13 & 0x7FC000, 0x780000, parts && f->floats_low_a);
    const FAST(floats) y =
        FAST(float_part)(f, b, f->b_exponent, f->b_mantissa << 13, 0x7E0000, parts && f->floats_low_b);
    const FAST(words) x_field = (FAST(words))(a & f->a_exponent), y_field = (FAST(words))(b & f->b_exponent);
    if (!f->floats_offset) /* FP32 has no number with an exponent of 255 */
        *highest = FAST_MAX_UNSIGNED(*highest, (FAST(uwords))FAST_MAX(x_field, y_field) << 23);
    const FAST(uwords) here = (FAST(uwords))(FAST_MIN(x_field, y_field) != 0);
    const FAST(uwords) field = ((FAST(uwords))(x_field + y_field) + 2 * f->floats_offset) << 23;
    FAST(uwords) c = FAST_PICK(here, field + f->floats_product_c, FAST(uall)(f->floats_zero_c));
    if (f->floats_offset)
        c = FAST_MAX_UNSIGNED(c, FAST(uall)(f->floats_zero_c));
    return (struct FAST(term)){.x = (FAST(floats))((FAST(uwords))(x * y) & here), .c = c, .here = here};
}

INLINE struct FAST(term) FAST(float_sum)(const struct fast_mode *f, FAST(uwords) a, FAST(uwords) b)
{
    FAST(uwords) x = FAST(float_cell)(f, a, f->a_exponent, f->a_mantissa << 13) | FLOATS_NUDGE_DST;
    FAST(uwords) y = FAST(float_cell)(f, b, f->b_exponent, f->b_mantissa << 13) | FLOATS_NUDGE_DST;
    x &= (FAST(uwords))((a & f->a_exponent) != 0);
    y &= (FAST(uwords))((b & f->b_exponent) != 0);
    const FAST(words) larger = FAST_MAX((FAST(words))(x & FLOATS_EXPONENT), (FAST(words))(y & FLOATS_EXPONENT));
    FAST(uwords) c = ((FAST(uwords))larger | FLOATS_MIDDLE) + FLOATS_UNIT;
    if (f->floats_offset)
        c = FAST_MAX_UNSIGNED(c, FAST(uall)(f->floats_zero_c));
    const FAST(floats) base = (FAST(floats))c;
    return (struct FAST(term)){
        .x = base + (FAST(floats))x + (FAST(floats))y - base, .c = c, .here = (FAST(uwords))(larger != 0)};
}

/* How many rows were done: the next one has exponents that are not for this.  Constants where this is called: five: FP16;
 * parts: a phase that is not the first. */
INLINE unsigned FAST(float_elements)(const struct fast_mode *mode, const struct matrix_elementwise_form *form,
                                     enum FAST(what) what, bool five, bool parts, const uint32_t *a, const uint32_t *b,
                                     uint16_t *dst)
{
    struct fast_mode f = *mode;
    f.floats_offset = five ? 112 : 0;
    const uint32_t flip = form->op == MATRIX_SUBTRACT ? UINT32_C(1) << 18 : 0;
    for (unsigned i = 0; i < MATRIX_ROWS; i++) {
        const uint32_t *row = b + 16 * i * form->b_step;
        FAST(ushort) results[FAST(CHUNKS)];
        FAST(uwords) highest = {0}, lowest = {0}; /* a negative one is too low */
        for (unsigned at = 0; at < MATRIX_COLUMNS; at += LANES) {
            const FAST(uwords) x = FAST(load)(a + 16 * i + at);
            const FAST(uwords) y = (form->b_column_0 ? FAST(uall)(row[0]) : FAST(load)(row + at)) ^ flip;
            const FAST(uwords) old = what == FAST(SUMS_ALONE)
                                         ? FAST(uall)(0)
                                         : FAST(float_from_dst)(&f, five, dst + MATRIX_COLUMNS * i + at);
            const struct FAST(term) term =
                what == FAST(PRODUCTS) ? FAST(float_product)(&f, parts, x, y, &highest) : FAST(float_sum)(&f, x, y);
            if (!five)
                lowest |= (term.c - (f.floats_zero_c + (FLOATS_LOW << 23))) & term.here;
            results[at / LANES] = FAST_NARROW(FAST(float_onto_dst)(&f, five, 1, &term.c, &term.x, old, &highest));
        }
        if (UNLIKELY(FAST_SOME((FAST(uwords))(highest >= FLOATS_EXPONENT) | (lowest & 0x80000000))))
            return i;
        memcpy(dst + MATRIX_COLUMNS * i, results, sizeof results);
    }
    return MATRIX_ROWS;
}

FAST_TARGET static __attribute__((noinline)) void FAST(elementwise)(const struct fast_mode *f,
                                                                    const struct matrix_elementwise_form *form,
                                                                    const uint32_t *a, const uint32_t *b, uint16_t *dst)
{
    const bool products = form->op == MATRIX_MULTIPLY, five = f->floats_offset;
    unsigned done = 0;
    if (LIKELY(!f->dst32 && !f->keep_zero_b && (products || !f->lowest) && host_rounds_to_nearest())) {
        if (products && !f->lowest)
            done = five ? FAST(float_elements)(f, form, FAST(PRODUCTS), true, false, a, b, dst)
                        : FAST(float_elements)(f, form, FAST(PRODUCTS), false, false, a, b, dst);
        else if (products)
            done = five ? FAST(float_elements)(f, form, FAST(PRODUCTS), true, true, a, b, dst)
                        : FAST(float_elements)(f, form, FAST(PRODUCTS), false, true, a, b, dst);
        else if (form->add_dst)
            done = five ? FAST(float_elements)(f, form, FAST(SUMS), true, false, a, b, dst)
                        : FAST(float_elements)(f, form, FAST(SUMS), false, false, a, b, dst);
        else
            done = five ? FAST(float_elements)(f, form, FAST(SUMS_ALONE), true, false, a, b, dst)
                        : FAST(float_elements)(f, form, FAST(SUMS_ALONE), false, false, a, b, dst);
    }
    if (UNLIKELY(done != MATRIX_ROWS))
        FAST(elementwise_words)(f, form, done, a, b, dst);
}
