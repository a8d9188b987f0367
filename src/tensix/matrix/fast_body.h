/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms of kernel.h in vectors of LANES words.  fast.c includes this once for each kind of processor, with
 *   LANES             4, 8 or 16
 *   FAST(name)        the name there
 *   FAST_TARGET       what goes before a function
 *   FAST_PAIRS        of rows that are worked on at once: by how many registers there are
 *   FAST_SOME(x)      whether any bit is set
 *   FAST_MAX(x, y)    the larger of signed words
 *   FAST_MIN_UNSIGNED(x, y) the smaller of unsigned words
 *   FAST_SAR(x, n)    x >> n of each signed word, its sign from 32 on; n is not negative
 *   FAST_SHR(x, n)    x >> n of each unsigned word, n the same for all
 *   FAST_ABS(x)
 *   FAST_MAX_HALF(x, y) the larger of unsigned half words
 *   FAST_TWICE(x)     the low byte of each word, in both of its halves
 *   FAST_CLZ(x)       leading zeros of each word (anything for zero; words are below 2^30)
 *   FAST_POWER(d)     0x4000 >> d of each half word, 0 from 15 on; d is not negative
 *   FAST_MULHRS(x, y) (x * y + 0x4000) >> 15 of each signed half word
 *   FAST_JOIN(h, l)   words of rows of high and low half words, FAST_SPLIT(h, l, x) back
 *   FAST_NARROW(x)    the low half of each word
 *   FAST_MADD(x, y)   the sum of the two products of signed half words in each word
 *   FAST_MADDUBS(x, y) the sum of the two products of bytes, of x without and of y with a sign, in each half word; below 2^15
 *   FAST_PICK(m, x, y) bits of x where m has ones, else of y
 *
 * Section numbers are those of docs/matrix-arithmetic.md.  What is not as in arith.h, and why it is the same:
 *
 * - Two rows of Dst are worked on at once, in the halves of each word: exponents and products have 16 bits.  Exponents of
 *   both factors are biased so that no half word is ever negative where a whole word is added.
 * - A zero factor has a very small exponent instead of the exponent of section 3; the largest exponent of eight starts with
 *   that one.  It is never larger than that of a product that is not zero.
 * - Section 4 rounds magnitudes, halves up.  (2P * 2^(14 - d) + 2^14) >> 15 is that for what is positive; for what is
 *   negative ~2P = -2P - 1 instead of -2P makes halves go down, and nothing else change: other remainders are at least one
 *   half of the unit 2P has left over.
 * - x / 2^n, halves towards plus infinity, is ((2x >> n) + 1) >> 1.
 * - Section 5 with 16 bits of Dst: sums are kept in units of 2^13.
 * - Data of Dst stay in the order that they have there, mantissa before exponent. */

typedef int32_t FAST(words) __attribute__((vector_size(4 * LANES)));
typedef uint32_t FAST(uwords) __attribute__((vector_size(4 * LANES)));
typedef int16_t FAST(halves) __attribute__((vector_size(4 * LANES)));
typedef uint16_t FAST(uhalves) __attribute__((vector_size(4 * LANES)));
typedef uint16_t FAST(ushort) __attribute__((vector_size(2 * LANES)));

enum { FAST(CHUNKS) = MATRIX_COLUMNS / LANES };
#define INLINE FAST_TARGET static inline __attribute__((always_inline))

INLINE FAST(uwords) FAST(load)(const uint32_t *from)
{
    FAST(uwords) x;
    memcpy(&x, from, sizeof x);
    return x;
}
INLINE void FAST(store)(uint32_t *to, FAST(uwords) x)
{
    memcpy(to, &x, sizeof x);
}
INLINE FAST(words) FAST(all)(int32_t x)
{
    return (FAST(words)){0} + x;
}
INLINE FAST(uwords) FAST(uall)(uint32_t x)
{
    return (FAST(uwords)){0} + x;
}
/* x where `where` is all ones, else y. */
INLINE FAST(words) FAST(select)(FAST(words) where, FAST(words) x, FAST(words) y)
{
    return (x & where) | (y & ~where);
}
/* A row of Dst: words as Dst32b has them, a datum of 16 bits in the high half. */
INLINE FAST(uwords) FAST(load_dst)(const struct fast_mode *f, const uint16_t *from)
{
    if (f->dst32)
        return FAST_JOIN(from, from + MATRIX_LOW_HALF);
    FAST(ushort) high;
    memcpy(&high, from, sizeof high);
    return __builtin_convertvector(high, FAST(uwords)) << 16;
}
INLINE void FAST(store_dst)(const struct fast_mode *f, uint16_t *to, FAST(uwords) x)
{
    if (f->dst32) {
        FAST_SPLIT(to, to + MATRIX_LOW_HALF, x);
    } else {
        const FAST(ushort) high = FAST_NARROW(x >> 16);
        memcpy(to, &high, sizeof high);
    }
}

/* x / 2^places, halves towards plus infinity, of 2x; with 16 bits of Dst then once more / 2^13. */
INLINE FAST(words) FAST(aligned)(const struct fast_mode *f, FAST(words) twice, FAST(words) places)
{
    return FAST_SAR(FAST_SAR(twice, places) + f->round, FAST(all)(f->round_places));
}

/* Section 5 from step 5 on: `exponent` is that of bit 23. */
INLINE FAST(uwords) FAST(encoded)(const struct fast_mode *f, FAST(words) exponent, FAST(words) sum)
{
    const FAST(words) absolute = FAST_ABS(sum), zeros = FAST_CLZ(absolute);
    /* The leading one to bit 30 and what is kept below it, rounded: the sum is below 2^30, no bit is lost. */
    FAST(uwords) bits = (FAST(uwords))absolute << (FAST(uwords))zeros >> 1;
    bits = (bits + f->half) & f->kept;
    exponent = exponent + f->exponent_of_length - zeros + (FAST(words))(bits >> 31);
    FAST(uwords) result = (bits << 1 & f->dst_high_out) | (bits >> 7 & f->dst_low) | (FAST(uwords))exponent << 16;
    result = (FAST(uwords))FAST(select)(exponent > f->largest, FAST(all)((int32_t)f->too_large), (FAST(words))result);
    result |= (FAST(uwords))sum & f->sign;
    result &= (FAST(uwords))(exponent > 0);
    return result & (FAST(uwords))(sum != 0);
}

/* Section 5, of one sum or of two.  Sums are of products, 2^10 is 1.0, here times 2^14; exponents are not negative but for
 * FAST_EXPONENT_BIAS, which all have on them. */
INLINE FAST(uwords) FAST(onto_dst)(const struct fast_mode *f, unsigned terms, const FAST(words) * sums,
                                   const FAST(words) * exponents, FAST(uwords) dst)
{
    const FAST(uwords) field = dst >> 16 & f->dst_exponent;
    const FAST(words) dst_exponent = (FAST(words))field + FAST_EXPONENT_BIAS;
    FAST(words) exponent = FAST_MAX(exponents[0], dst_exponent);
    if (terms == 2)
        exponent = FAST_MAX(exponent, exponents[1]);
    const FAST(words) old = (FAST(words))((dst & f->dst_low) | (dst >> 8 & f->dst_high) | f->hidden) & (field != 0);
    const FAST(words) magnitude = FAST(aligned)(f, old << 1, exponent - dst_exponent);
    const FAST(words) dst_sign = (FAST(words))dst >> 31;
    FAST(words) sum = (magnitude ^ dst_sign) - dst_sign;
    for (unsigned i = 0; i < terms; i++)
        sum += FAST(aligned)(f, sums[i], exponent - exponents[i]);
    return FAST(encoded)(f, exponent, sum);
}

/* ---- Products: sections 1 to 4 and 6 ---- */

/* A zero factor keeps its bits: with its exponent they count nowhere. */
INLINE bool FAST(read_a)(const struct fast_mode *f, const uint32_t *a, struct fast_factors_a *to)
{
    FAST(uwords) any = {0};
    for (unsigned at = 0; at < 256; at += LANES) {
        const FAST(uwords) cell = FAST(load)(a + at);
        const FAST(uwords) exponent = FAST_TWICE(cell) & f->a_exponent_twice;
        const FAST(uwords) part = (FAST_TWICE(FAST_SHR(cell, f->a_shift)) & f->a_part_twice) | f->a_hidden_twice;
        FAST(store)(to->exponent + at, (exponent + f->factor_bias_twice) & (FAST(uwords))(exponent != 0));
        FAST(store)(to->part + at, part);
        FAST(store)(to->sign + at, (FAST(uwords))((FAST(words))(cell << 13) >> 31));
        any |= part;
    }
    return f->a_hidden || FAST_SOME(any);
}

/* Two rows of SrcB, in the halves of each word. */
INLINE bool FAST(read_b)(const struct fast_mode *f, const uint32_t *even, const uint32_t *odd,
                         struct fast_factors_b *to)
{
    FAST(uwords) any = {0};
    for (unsigned at = 0; at < 16; at += LANES) {
        const FAST(uwords) x = FAST(load)(even + at), y = FAST(load)(odd + at);
        const FAST(uhalves) e = (FAST(uhalves))((x & f->b_exponent) | (y & f->b_exponent) << 16);
        const FAST(uhalves) rest = (FAST(uhalves))((x >> 8 & 0x7FF) | (y << 8 & 0x07FF0000)); /* sign, mantissa */
        const FAST(uhalves) here = f->keep_zero_b ? ~(FAST(uhalves)){0} : (FAST(uhalves))(e != 0);
        const FAST(uhalves) part = (rest >> f->b_half_shift & (uint16_t)f->b_part) << f->b_up | (uint16_t)f->b_hidden;
        any |= (FAST(uwords))part;
        FAST(store)(to->exponent + at, (FAST(uwords))((e + (uint16_t)(FAST_FACTOR_BIAS + f->bias)) & here));
        FAST(store)(to->part + at, (FAST(uwords))part);
        FAST(store)(to->sign + at, (FAST(uwords))((FAST(halves))(rest << 5) >> 15));
    }
    return f->b_hidden || FAST_SOME(any);
}

/* From here on `kept` has these cells; the keys of what was made of them are zero if they are others than before. */
INLINE void FAST(keep_cells)(uint32_t *kept, const uint32_t *cells, unsigned count, uint32_t *key, uint32_t *range_key)
{
    FAST(uwords) different = {0};
    UNROLL_8 for (unsigned at = 0; at < count; at += LANES) different |= FAST(load)(kept + at) ^ FAST(load)(cells + at);
    if (LIKELY(!FAST_SOME(different)))
        return;
    memcpy(kept, cells, count * sizeof *cells);
    *key = *range_key = 0;
}
INLINE void FAST(keep_a)(struct matrix_cached_a *cached, const uint32_t *a)
{
    FAST(keep_cells)(&cached->cells[0][0], a, 256, &cached->key, &cached->range_key);
}
INLINE void FAST(keep_b)(struct matrix_cached_b *cached, const uint32_t *b)
{
    FAST(keep_cells)(&cached->cells[0][0], b, 128, &cached->key, &cached->range_key);
}

/* The same through a cache. */
INLINE const struct fast_factors_a *FAST(factors_a)(const struct fast_mode *f, const uint32_t *a,
                                                    struct matrix_cached_a *cached, bool same,
                                                    struct fast_factors_a *own, bool *some)
{
    if (cached == NULL) {
        *some = FAST(read_a)(f, a, own);
        return own;
    }
    struct fast_factors_a *factors = (struct fast_factors_a *)cached->factors;
    if (!same)
        FAST(keep_a)(cached, a);
    if (UNLIKELY(cached->key != f->a_key)) {
        cached->some = FAST(read_a)(f, a, factors);
        cached->key = f->a_key;
    }
    *some = cached->some;
    return factors;
}
INLINE const struct fast_factors_b *FAST(factors_b)(const struct fast_mode *f, const uint32_t *b, unsigned b_step,
                                                    unsigned rows, struct matrix_cached_b *cached, bool same,
                                                    struct fast_factors_b *own, bool *some)
{
    if (cached == NULL || b_step == 0 || rows != MATRIX_ROWS) {
        *some = false;
        for (unsigned i = 0; i < rows / 2; i++)
            *some |= FAST(read_b)(f, b + 16 * (2 * i) * b_step, b + 16 * (2 * i + 1) * b_step, &own[i]);
        return own;
    }
    struct fast_factors_b *factors = (struct fast_factors_b *)cached->factors;
    if (!same)
        FAST(keep_b)(cached, b);
    if (UNLIKELY(cached->key != f->b_key)) {
        bool any = false;
        for (unsigned i = 0; i < MATRIX_ROWS / 2; i++)
            any |= FAST(read_b)(f, b + 32 * i, b + 32 * i + 16, &factors[i]);
        cached->some = any;
        cached->key = f->b_key;
    }
    *some = cached->some;
    return factors;
}

/* The largest exponents of eight, and their sums, of two rows in each of FAST_PAIRS: what is read of SrcA is read for all. */
INLINE void FAST(sum_of_eight)(const struct fast_mode *f, const struct fast_factors_a *a,
                               const struct fast_factors_b *b, unsigned chunk, unsigned first, bool some,
                               FAST(uwords) exponents[], FAST(uwords) sums[])
{
    FAST(uhalves) e[FAST_PAIRS][8], largest[FAST_PAIRS];
    FAST(halves) sum[FAST_PAIRS];
    for (unsigned i = 0; i < FAST_PAIRS; i++) {
        largest[i] = (FAST(uhalves))FAST(uall)((uint32_t)f->zero_exponent * 0x10001u);
        sum[i] = (FAST(halves)){0};
    }
    UNROLL_8 for (unsigned k = 0; k < 8; k++)
    {
        const FAST(uwords) a_exponent = FAST(load)(a->exponent + 16 * (first + k) + chunk * LANES);
        for (unsigned i = 0; i < FAST_PAIRS; i++) {
            e[i][k] = (FAST(uhalves))(a_exponent + b[i].exponent[first + k]);
            largest[i] = FAST_MAX_HALF(e[i][k], largest[i]);
        }
    }
    if (some) {
        UNROLL_8 for (unsigned k = 0; k < 8; k++)
        {
            const FAST(uhalves) a_part = (FAST(uhalves))FAST(load)(a->part + 16 * (first + k) + chunk * LANES);
            const FAST(uwords) a_sign = FAST(load)(a->sign + 16 * (first + k) + chunk * LANES);
            for (unsigned i = 0; i < FAST_PAIRS; i++) {
                const FAST(uhalves) part = (FAST(uhalves))FAST(uall)(b[i].part[first + k]);
                const FAST(halves) twice =
                    (FAST(halves))((FAST(uwords))(a_part * part) ^ a_sign ^ b[i].sign[first + k]);
                sum[i] += FAST_MULHRS(twice, FAST_POWER(largest[i] - e[i][k]));
            }
        }
    }
    for (unsigned i = 0; i < FAST_PAIRS; i++) {
        sum[i] &= (FAST(halves))(largest[i] > FAST_EXPONENT_BIAS); /* nothing unless the exponent is positive */
        exponents[i] = (FAST(uwords))largest[i];
        sums[i] = (FAST(uwords))sum[i];
    }
}

/* One of the two rows onto Dst. */
INLINE void FAST(finish)(const struct fast_mode *f, const FAST(uwords) pairs_e[2], const FAST(uwords) pairs_s[2],
                         unsigned half, uint16_t *dst)
{
    FAST(words) exponents[2], sums[2];
    for (unsigned i = 0; i < 2; i++) {
        exponents[i] = (FAST(words))(half ? pairs_e[i] >> 16 : pairs_e[i] & f->low_half);
        sums[i] = (FAST(words))(half ? pairs_s[i] & ~f->low_half : pairs_s[i] << 16) >> 2;
    }
    FAST(store_dst)(f, dst, FAST(onto_dst)(f, 2, sums, exponents, FAST(load_dst)(f, dst)));
}

FAST_TARGET static unsigned FAST(multiply_halves)(const struct fast_mode *f, const uint32_t *a, const uint32_t *b,
                                                  uint16_t *dst, struct matrix_cached_a *cached_a,
                                                  struct matrix_cached_b *cached_b, unsigned how)
{
    const unsigned rows = how & MATRIX_FOUR_ROWS ? 4 : MATRIX_ROWS, b_step = !(how & MATRIX_ONE_ROW_OF_B);
    struct fast_factors_a own_a;
    struct fast_factors_b own_b[MATRIX_ROWS / 2];
    bool some_a, some_b;
    const struct fast_factors_a *factors_a = FAST(factors_a)(f, a, cached_a, how & MATRIX_SAME_A, &own_a, &some_a);
    const struct fast_factors_b *factors_b =
        FAST(factors_b)(f, b, b_step, rows, cached_b, how & MATRIX_SAME_B, own_b, &some_b);
    for (unsigned chunk = 0; chunk < FAST(CHUNKS); chunk++)
        for (unsigned i = 0; i < rows / 2; i += FAST_PAIRS) {
            FAST(uwords) exponents[2][FAST_PAIRS], sums[2][FAST_PAIRS]; /* of each half of the products, of each pair */
            for (unsigned half = 0; half < 2; half++)
                FAST(sum_of_eight)
            (f, factors_a, &factors_b[i], chunk, 8 * half, some_a && some_b, exponents[half], sums[half]);
            for (unsigned pair = 0; pair < FAST_PAIRS; pair++) {
                const FAST(uwords) e[2] = {exponents[0][pair], exponents[1][pair]};
                const FAST(uwords) s[2] = {sums[0][pair], sums[1][pair]};
                uint16_t *to = dst + MATRIX_COLUMNS * 2 * (i + pair) + chunk * LANES;
                FAST(finish)(f, e, s, 0, to);
                FAST(finish)(f, e, s, 1, to + MATRIX_COLUMNS);
            }
        }
    return (cached_a ? MATRIX_SAME_A : 0) | (cached_b && b_step && rows == MATRIX_ROWS ? MATRIX_SAME_B : 0);
}
