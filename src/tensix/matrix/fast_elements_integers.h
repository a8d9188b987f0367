/* SPDX-License-Identifier: Apache-2.0 */
/* Behind fast_elements.h: products of integers, section 9 of docs/matrix-arithmetic.md. */

INLINE void FAST(integer_rows)(const struct fast_mode *f, const uint32_t *a, const uint32_t *b, const int32_t *too_much,
                               unsigned rows, uint16_t *dst)
{
    const uint32_t shift = integer_shift_a[f->floats_low_a] + integer_shift_b[f->floats_low_b];
    const FAST(words) unit = FAST(all)(0x10001 << shift);
    for (unsigned at = 0; at < MATRIX_COLUMNS; at += LANES) {
        FAST(uwords) column[4];
        UNROLL_8 for (unsigned k = 0; k < 4; k++) column[k] = FAST(load)(a + 16 * k + at);
        UNROLL_8 for (unsigned i = 0; i < rows; i++)
        {
            uint16_t *to = dst + MATRIX_COLUMNS * i + at;
            FAST(halves) sums = {0};
            UNROLL_8 for (unsigned k = 0; k < 4; k++) sums += FAST_MADDUBS(column[k], FAST(uall)(b[4 * i + k]));
            const FAST(words) x = FAST_MADD(sums, unit) - too_much[i];
            FAST_SPLIT(to, to + MATRIX_LOW_HALF, FAST(integer_onto_dst)(x, FAST_JOIN(to, to + MATRIX_LOW_HALF)));
        }
    }
}

FAST_TARGET static unsigned FAST(multiply_integer)(const struct fast_mode *f, const uint32_t *a, const uint32_t *b,
                                                   uint16_t *dst, struct matrix_cached_a *cached_a,
                                                   struct matrix_cached_b *cached_b, unsigned how)
{
    struct FAST(integer_operands) operands;
    const unsigned kept = FAST(prepare_integers)(f, a, b, cached_a, cached_b, how, &operands);
    const uint32_t *bytes_a = operands.a->bytes[f->floats_low_a], *bytes_b = operands.b->bytes[f->floats_low_b];
    const int32_t *too_much = operands.b->too_much[f->floats_low_b][f->floats_low_a];
    if (LIKELY(!(how & MATRIX_FOUR_ROWS)))
        FAST(integer_rows)(f, bytes_a, bytes_b, too_much, MATRIX_ROWS, dst);
    else
        FAST(integer_rows)(f, bytes_a, bytes_b, too_much, MATRIX_ROWS / 2, dst);
    return kept;
}
static unsigned FAST(multiply_integers)(const struct matrix_operands *o, const struct matrix_plan_step *steps,
                                        unsigned count, unsigned same, uint16_t *dst)
{
    return multiply_each(FAST(multiply_integer), o, steps, count, same, dst);
}
