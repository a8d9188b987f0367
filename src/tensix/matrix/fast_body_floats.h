/* SPDX-License-Identifier: Apache-2.0 */
/* The third part of fast_body.h, where there are fused multiply-adds: products of matrices whose exponents are far from the ends
 * of their range, in floating point.  With what fast_body.h has:
 *   FAST_FMA(x, y, z)  x * y + z, rounded once, to nearest
 *   FAST_SPREAD(x)     a number in all lanes
 *   FAST_TO_PLUS(sum, x, c, most)  sum + x / 2^places rounded as section 5 has it for terms; see below
 *   FAST_ADDS(x, y), FAST_SUBS(x, y), FAST_LEAST(x, y), FAST_MOST(x, y)  of unsigned bytes, the first two clamped
 *   FAST_SEXT(x)       words of signed half words
 *
 * Why it is the same, by the section numbers of docs/matrix-arithmetic.md:
 *
 * - Cells are taken as the numbers that they are, parts of phases (2) as those of their bits alone: the biases of 3 are the
 *   weights of these bits, and exponents are those of FP32.  FP16 has 112 added to its exponents.
 * - c = 1.5 * 2^(E + 13 - 127) is so large that what is added to it is rounded to multiples of 2^(E - 10 - 127), the unit of
 *   sums of exponent E (4).  A fused multiply-add of c and a product rounds that product alone, the next one its own, and so on;
 *   what is left is c and the sum.  It rounds halves to even: so SrcB's parts are made a little larger, by less than a product's
 *   last bit, and there are no halves: what was one goes away from zero.
 * - 5 with 16 bits of Dst: `most`, the largest of c for both terms and Dst, has 2^(E - 10 - 127) as its last bit as well, which is
 *   the 2^13 of step 3.  A term of M units after steps 2 and 3 is floor(M / 2^n + 1/2 + 2^-14): with n up to 13 there are no bits
 *   below 2^-13, with 14 and 15 it is the 2^-14 that rounding twice makes, from 16 on there is nothing left.
 * - Dst has 8 or 11 bits, rounding it twice makes no difference, and a bit below them sends halves away from zero.
 * - The sum is a number of FP32 with few bits, and no exponent of it is at an end: step 6 has no case but FP16's.
 *
 * Exponents are kept as bytes, as what they are below FLOATS_TOP, four rows of SrcB in a word: 255 for zero. */

typedef float FAST(floats) __attribute__((vector_size(4 * LANES)));

/* ---- Operands ---- */

struct FAST(range) {
    FAST(words) lowest, highest;
};

/* A row: exponents, and the numbers with the mantissa bits of `high`, and with those of `all` less these. */
INLINE FAST(uwords) FAST(read_floats)(FAST(uwords) cell, uint32_t exponent_bits, uint32_t offset, uint32_t high,
                                      uint32_t all, FAST(uwords) parts[2], struct FAST(range) * range)
{
    const FAST(uwords) field = cell & exponent_bits, here = (FAST(uwords))(field != 0);
    const FAST(uwords) exponent = field + offset;
    range->lowest = FAST_MIN(range->lowest, (FAST(words))((exponent & here) | (~here & INT16_MAX)));
    range->highest = FAST_MAX(range->highest, (FAST(words))(exponent & here));
    const FAST(uwords) ends = ((cell << 13 & 0x80000000) | exponent << 23) & here, bits = cell << 5 & here;
    parts[0] = ends | (bits & high);
    parts[1] = (FAST(uwords))((FAST(floats))(ends | (bits & all)) - (FAST(floats))parts[0]);
    return ((FLOATS_TOP - exponent) & here) | (0xFF & ~here);
}

INLINE void FAST(keep_range)(const struct FAST(range) * range, uint32_t *lowest, uint32_t *highest)
{
    int32_t low = INT16_MAX, high = 0;
    for (unsigned i = 0; i < LANES; i++) {
        low = range->lowest[i] < low ? range->lowest[i] : low;
        high = range->highest[i] > high ? range->highest[i] : high;
    }
    *lowest = (uint32_t)low;
    *highest = (uint32_t)high;
}

INLINE void FAST(read_floats_a)(const struct fast_mode *f, const uint32_t *a, struct matrix_cached_a *to)
{
    struct floats_a *floats = (struct floats_a *)to->factors;
    struct FAST(range) range = {FAST(all)(INT16_MAX), FAST(all)(0)};
    for (unsigned at = 0; at < 256; at += LANES) {
        FAST(uwords) parts[2];
        const FAST(uwords) below = FAST(read_floats)(FAST(load)(a + at), f->a_exponent, f->floats_offset, 0x780000,
                                                     f->a_mantissa << 13 & 0x7FC000, parts, &range);
        FAST(store)(floats->below + at, below * 0x01010101);
        memcpy(floats->part[0] + at, &parts[0], sizeof parts[0]);
        memcpy(floats->part[1] + at, &parts[1], sizeof parts[1]);
    }
    FAST(keep_range)(&range, &to->lowest, &to->highest);
}

INLINE void FAST(read_floats_b)(const struct fast_mode *f, const uint32_t *b, struct matrix_cached_b *to)
{
    struct floats_b *floats = (struct floats_b *)to->factors;
    struct FAST(range) range = {FAST(all)(INT16_MAX), FAST(all)(0)};
    for (unsigned group = 0; group < 2; group++)
        for (unsigned at = 0; at < 16; at += LANES) {
            FAST(uwords) below = {0};
            for (unsigned i = 0; i < 4; i++) {
                FAST(uwords) parts[2];
                below |= FAST(read_floats)(FAST(load)(b + 64 * group + 16 * i + at), f->b_exponent, f->floats_offset,
                                           0x7E0000, f->b_mantissa << 13, parts, &range)
                         << 8 * i;
                for (unsigned low = 0; low < 2; low++) {
                    parts[low] |= FLOATS_NUDGE_B & (FAST(uwords))(parts[low] != 0);
                    memcpy(floats->part[low][4 * group + i] + at, &parts[low], sizeof parts[low]);
                }
            }
            FAST(store)(floats->below[group] + at, below);
        }
    FAST(keep_range)(&range, &to->lowest, &to->highest);
}

/* Whether products of this mode are as this file wants them, and the parts that they need are there. */
INLINE bool FAST(floats_fit)(const struct fast_mode *f, const uint32_t *a, const uint32_t *b,
                             struct matrix_cached_a *cached_a, struct matrix_cached_b *cached_b)
{
    const bool read_a = cached_a->range_key != f->floats_a_key, read_b = cached_b->range_key != f->floats_b_key;
    if (UNLIKELY(read_a)) {
        FAST(read_floats_a)(f, a, cached_a);
        cached_a->key = cached_a->range_key = f->floats_a_key;
    }
    if (UNLIKELY(read_b)) {
        FAST(read_floats_b)(f, b, cached_b);
        cached_b->key = cached_b->range_key = f->floats_b_key;
    }
    if (UNLIKELY(cached_a->highest > FLOATS_TOP || cached_b->highest > FLOATS_TOP || cached_a->lowest < FLOATS_LOW ||
                 cached_b->lowest < FLOATS_LOW || cached_a->lowest + cached_b->lowest < f->floats_lowest))
        return false;
    /* They may have given way to those of fast_body.h, for another partner. */
    if (UNLIKELY(cached_a->key != f->floats_a_key)) {
        FAST(read_floats_a)(f, a, cached_a);
        cached_a->key = f->floats_a_key;
    }
    if (UNLIKELY(cached_b->key != f->floats_b_key)) {
        FAST(read_floats_b)(f, b, cached_b);
        cached_b->key = f->floats_b_key;
    }
    return true;
}

/* ---- Sums of eight ---- */

/* Both sums of four rows: c with their exponents, and c with the sum added. */
INLINE void FAST(float_sums)(const struct fast_mode *f, const struct floats_a *a, const struct floats_b *b,
                             unsigned group, unsigned chunk, FAST(uwords) c[2][4], FAST(floats) sum[2][4])
{
    UNROLL_8 for (unsigned half = 0; half < 2; half++)
    {
        FAST(uwords) below = FAST(uall)(UINT32_MAX);
        UNROLL_8 for (unsigned k = 8 * half; k < 8 * half + 8; k++) below =
            FAST_LEAST(below, FAST_ADDS(FAST(load)(a->below + 16 * k + chunk * LANES), FAST(uall)(b->below[group][k])));
        const FAST(uwords) exponent =
            FAST_MOST(FAST_SUBS(FAST(uall)(f->floats_top), below), FAST(uall)(f->floats_zero));
        const FAST(uwords) field[4] = {exponent << 23, exponent << 15, exponent << 7, exponent >> 1};
        UNROLL_8 for (unsigned i = 0; i < 4; i++) c[half][i] = (field[i] & FLOATS_EXPONENT) | FLOATS_MIDDLE;
    }
    UNROLL_8 for (unsigned i = 0; i < 8; i++) sum[i / 4][i % 4] = (FAST(floats))c[i / 4][i % 4];
    const float *part_a = a->part[f->floats_low_a] + chunk * LANES, *part_b = b->part[f->floats_low_b][4 * group];
    UNROLL_8 for (unsigned k = 0; k < 8; k++)
    {
        FAST(floats) x[2];
        memcpy(&x[0], part_a + 16 * k, sizeof x[0]);
        memcpy(&x[1], part_a + 16 * (k + 8), sizeof x[1]);
        UNROLL_8 for (unsigned i = 0; i < 8; i++) sum[i / 4][i % 4] =
            FAST_FMA(x[i / 4], FAST_SPREAD(part_b[16 * (i % 4) + 8 * (i / 4) + k]), sum[i / 4][i % 4]);
    }
}

/* ---- Onto Dst ---- */

/* A row of 16 bits, each with its sign in the upper half of a word: numbers with FLOATS_NUDGE_DST, or zero. */
INLINE FAST(uwords) FAST(float_from_words)(const struct fast_mode *f, bool five, FAST(uwords) x)
{
    const FAST(uwords) field = x & (five ? 0x1F : 0xFF);
    FAST(uwords) bits = FAST_PICK(FAST(uall)(FLOATS_EXPONENT), (five ? field + 112 : x) << 23, x << 8);
    bits = (bits & f->floats_dst_bits) | FLOATS_NUDGE_DST;
    return bits & (FAST(uwords))(field != 0);
}
INLINE FAST(uwords) FAST(float_from_dst)(const struct fast_mode *f, bool five, const uint16_t *from)
{
    FAST(ushort) halves;
    memcpy(&halves, from, sizeof halves);
    return FAST(float_from_words)(f, five, FAST_SEXT(halves));
}

/* Terms onto numbers of Dst of 16 bits; five: FP16.  What comes of it has its rounding bit added, and bits below it. */
INLINE FAST(uwords) FAST(float_added)(const struct fast_mode *f, bool five, unsigned terms, const FAST(uwords) c[],
                                      const FAST(floats) term[], FAST(uwords) dst, FAST(uwords) * highest)
{
    FAST(uwords) largest = FAST_MAX_UNSIGNED(((dst & FLOATS_EXPONENT) | FLOATS_MIDDLE) + FLOATS_UNIT, c[0]);
    if (terms == 2)
        largest = FAST_MAX_UNSIGNED(largest, c[1]);
    *highest = FAST_MAX_UNSIGNED(*highest, largest);
    const FAST(floats) most = (FAST(floats))largest;
    FAST(floats) all = most + (FAST(floats))dst;
    UNROLL_8 for (unsigned i = 0; i < terms; i++)
    {
        FAST(floats) x = term[i];
        if (five) /* nothing unless the exponent is positive */
            x = (FAST(floats))((FAST(uwords))x & (FAST(uwords))(c[i] > f->floats_zero_c));
        all = FAST_TO_PLUS(all, x, (FAST(floats))c[i], most);
    }
    return (FAST(uwords))(all - most) + f->floats_half;
}
/* That as Dst has it, in the low half of each word. */
INLINE FAST(uwords) FAST(float_to_words)(bool five, FAST(uwords) bits)
{
    const FAST(uwords) sign = bits >> 16 & 0x8000;
    if (!five)
        return FAST_PICK(FAST(uall)(0x7F00), bits >> 8, bits >> 23) | sign;
    const FAST(words) exponent = (FAST(words))(bits >> 23 & 0xFF) - 112;
    FAST(uwords) result = (bits >> 8 & 0x7FE0) | (FAST(uwords))exponent;
    result = FAST_PICK((FAST(uwords))(exponent > 31), FAST(uall)(0x7FFF), result) | sign;
    return result & (FAST(uwords))(exponent > 0);
}
/* Or as the next one finds it there.  What is left of zero is no more than half of the last bit of any c, and so of no consequence. */
INLINE FAST(uwords) FAST(float_again)(const struct fast_mode *f, bool five, FAST(uwords) bits)
{
    if (five) {
        const FAST(words) up = (FAST(words))(FAST(float_to_words)(five, bits) << 16);
        return FAST(float_from_words)(f, five, (FAST(uwords))(up >> 16));
    }
    return (bits & f->floats_dst_bits) | FLOATS_NUDGE_DST;
}
INLINE FAST(uwords) FAST(float_onto_dst)(const struct fast_mode *f, bool five, unsigned terms, const FAST(uwords) c[],
                                         const FAST(floats) term[], FAST(uwords) dst, FAST(uwords) * highest)
{
    return FAST(float_to_words)(five, FAST(float_added)(f, five, terms, c, term, dst, highest));
}

/* A product's operands, as this file has them. */
INLINE const struct floats_a *FAST(floats_of_a)(const struct matrix_operands *o, const struct matrix_plan_step *step)
{
    return (const struct floats_a *)o->cached_a[step->a_row / 16].factors;
}
INLINE const struct floats_b *FAST(floats_of_b)(const struct matrix_operands *o, const struct matrix_plan_step *step)
{
    return (const struct floats_b *)o->cached_b[step->b_row / 8].factors;
}

/* Products one after the other onto four rows, which stay in registers.  False: a number in Dst is too large for this. */
INLINE bool FAST(float_rows16)(const struct matrix_operands *o, bool five, const struct matrix_plan_step *steps,
                               unsigned count, unsigned group, uint16_t *dst)
{
    FAST(uwords) bits[4][FAST(CHUNKS)], highest = {0};
    for (unsigned chunk = 0; chunk < FAST(CHUNKS); chunk++) {
        FAST(uwords) old[4];
        UNROLL_8 for (unsigned i = 0; i < 4; i++) old[i] =
            FAST(float_from_dst)(o->modes, five, dst + MATRIX_COLUMNS * i + chunk * LANES);
        for (unsigned k = 0;;) {
            const struct fast_mode *f = fast_phase(o->modes, steps[k].phase);
            FAST(uwords) c[2][4], now[4];
            FAST(floats) sum[2][4];
            FAST(float_sums)(f, FAST(floats_of_a)(o, &steps[k]), FAST(floats_of_b)(o, &steps[k]), group, chunk, c, sum);
            UNROLL_8 for (unsigned i = 0; i < 4; i++)
            {
                const FAST(uwords) c_row[2] = {c[0][i], c[1][i]};
                const FAST(floats) term[2] = {sum[0][i] - (FAST(floats))c[0][i], sum[1][i] - (FAST(floats))c[1][i]};
                now[i] = FAST(float_added)(f, five, 2, c_row, term, old[i], &highest);
            }
            if (++k == count) {
                UNROLL_8 for (unsigned i = 0; i < 4; i++) bits[i][chunk] = now[i];
                break;
            }
            UNROLL_8 for (unsigned i = 0; i < 4; i++) old[i] = FAST(float_again)(f, five, now[i]);
        }
    }
    if (UNLIKELY(FAST_SOME((FAST(uwords))(highest >= FLOATS_EXPONENT))))
        return false;
    UNROLL_8 for (unsigned i = 0; i < 4; i++) for (unsigned chunk = 0; chunk < FAST(CHUNKS); chunk++)
    {
        const FAST(ushort) halves = FAST_NARROW(FAST(float_to_words)(five, bits[i][chunk]));
        memcpy(dst + MATRIX_COLUMNS * i + chunk * LANES, &halves, sizeof halves);
    }
    return true;
}

/* Sums as integers again, and section 5 as fast_body.h does it. */
INLINE void FAST(float_rows32)(const struct fast_mode *f, const struct floats_a *a, const struct floats_b *b,
                               unsigned group, uint16_t *dst)
{
    for (unsigned chunk = 0; chunk < FAST(CHUNKS); chunk++) {
        FAST(uwords) c[2][4];
        FAST(floats) sum[2][4];
        FAST(float_sums)(f, a, b, group, chunk, c, sum);
        UNROLL_8 for (unsigned i = 0; i < 4; i++)
        {
            FAST(words) exponents[2], sums[2];
            UNROLL_8 for (unsigned half = 0; half < 2; half++)
            {
                exponents[half] = (FAST(words))(c[half][i] >> 23) + (FAST_EXPONENT_BIAS - 13);
                sums[half] = (FAST(words))((FAST(uwords))sum[half][i] - c[half][i]) << 14;
            }
            uint16_t *to = dst + MATRIX_COLUMNS * i + chunk * LANES;
            FAST(store_dst)(f, to, FAST(onto_dst)(f, 2, sums, exponents, FAST(load_dst)(f, to)));
        }
    }
}

/* Whether all of them are for this file; then all that they read is in the caches. */
INLINE bool FAST(all_fit)(const struct matrix_operands *o, const struct matrix_plan_step *steps, unsigned count,
                          unsigned same)
{
    if (UNLIKELY(!o->cached_a || !o->cached_b || o->modes->keep_zero_b || !o->rounds))
        return false;
    for (unsigned k = 0; k < count; k++) {
        const struct matrix_plan_step *step = &steps[k];
        const uint32_t *a = o->a + MATRIX_COLUMNS * step->a_row, *b = o->b + MATRIX_COLUMNS * step->b_row;
        struct matrix_cached_a *cached_a = &o->cached_a[step->a_row / 16];
        struct matrix_cached_b *cached_b = &o->cached_b[step->b_row / 8];
        if (UNLIKELY(step->how & MATRIX_ONE_ROW_OF_B))
            return false;
        if (!(step->how & same & MATRIX_SAME_A))
            FAST(keep_a)(cached_a, a);
        if (!(step->how & same & MATRIX_SAME_B))
            FAST(keep_b)(cached_b, b);
        if (UNLIKELY(!FAST(floats_fit)(fast_phase(o->modes, step->phase), a, b, cached_a, cached_b)))
            return false;
    }
    return true;
}

/* Four rows, however it is done. */
INLINE void FAST(float_rows)(const struct matrix_operands *o, const struct matrix_plan_step *steps, unsigned count,
                             unsigned group, uint16_t *dst)
{
    if (o->modes->dst32) {
        for (unsigned k = 0; k < count; k++)
            FAST(float_rows32)
        (fast_phase(o->modes, steps[k].phase), FAST(floats_of_a)(o, &steps[k]), FAST(floats_of_b)(o, &steps[k]), group,
         dst);
    } else if (LIKELY(o->modes->floats_offset ? FAST(float_rows16)(o, true, steps, count, group, dst)
                                              : FAST(float_rows16)(o, false, steps, count, group, dst))) {
        return;
    } else {
        for (unsigned k = 0; k < count; k++)
            FAST(multiply_halves)
        (fast_phase(o->modes, steps[k].phase), o->a + MATRIX_COLUMNS * steps[k].a_row,
         o->b + MATRIX_COLUMNS * (steps[k].b_row + 4 * group), dst, NULL, NULL, MATRIX_FOUR_ROWS);
    }
}

FAST_TARGET static unsigned FAST(multiply)(const struct matrix_operands *o, const struct matrix_plan_step *steps,
                                           unsigned count, unsigned same, uint16_t *dst)
{
    if (UNLIKELY(!FAST(all_fit)(o, steps, count, same))) {
        if (count == 1)
            return multiply_one(FAST(multiply_halves), o, steps, same, dst);
        for (unsigned k = 0; k < count; k++)
            same &= FAST(multiply)(o, &steps[k], 1, same, dst);
        return same;
    }
    for (unsigned group = 0; group < (steps->how & MATRIX_FOUR_ROWS ? 1 : 2); group++)
        FAST(float_rows)(o, steps, count, group, dst + MATRIX_COLUMNS * 4 * group);
    return MATRIX_SAME_A | MATRIX_SAME_B;
}
