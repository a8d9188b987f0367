/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms of kernel.h in vectors of LANES words.  fast.c includes this once for each kind of processor, with
 *   LANES             4, 8 or 16
 *   FAST(name)        the name there
 *   FAST_TARGET       what goes before a function
 *   FAST_MAX(x, y)    the larger of signed words
 *   FAST_SAR(x, n)    x >> n of each signed word, its sign from 32 on; n is not negative
 *   FAST_ABS(x)
 *   FAST_MAX_HALF(x, y) the larger of unsigned half words
 *   FAST_TWICE(x)     the low byte of each word, in both of its halves
 *   FAST_CLZ(x)       leading zeros of each word (anything for zero; words are below 2^30)
 *   FAST_POWER(d)     0x4000 >> d of each half word, 0 from 15 on; d is not negative
 *   FAST_MULHRS(x, y) (x * y + 0x4000) >> 15 of each signed half word
 *   FAST_JOIN(h, l)   words of rows of high and low half words, FAST_SPLIT(h, l, x) back
 *   FAST_NARROW(x)    the low half of each word
 *   FAST_MADD(x, y)   the sum of the two products of signed half words in each word
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
/* Whether any bit is set. */
INLINE bool FAST(some)(FAST(uwords) x)
{
    uint64_t words[LANES / 2], some = 0;
    memcpy(words, &x, sizeof x);
    for (unsigned i = 0; i < LANES / 2; i++)
        some |= words[i];
    return some != 0;
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

/* ---- Products: sections 1 to 4 and 6 ---- */

struct FAST(factors_a) {
    FAST(uwords) exponent[16], part[16], sign[16]; /* each twice, in both halves of a word; part: twice five bits */
};

/* A zero factor keeps its bits: with its exponent they count nowhere. */
INLINE bool FAST(read_a)(const struct fast_mode *f, const uint32_t *a, unsigned chunk, struct FAST(factors_a) * to)
{
    FAST(uwords) any = {0};
    for (unsigned k = 0; k < 16; k++) {
        const FAST(uwords) cell = FAST(load)(a + 16 * k + chunk * LANES);
        const FAST(uwords) exponent = FAST_TWICE(cell) & f->a_exponent_twice;
        to->exponent[k] = (exponent + f->factor_bias_twice) & (FAST(uwords))(exponent != 0);
        to->part[k] = (FAST_TWICE(cell >> FAST(uall)(f->a_shift)) & f->a_part_twice) | f->a_hidden_twice;
        to->sign[k] = (FAST(uwords))((FAST(words))(cell << 13) >> 31);
        any |= to->part[k];
    }
    return f->a_hidden || FAST(some)(any);
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
    return f->b_hidden || FAST(some)(any);
}

/* The largest exponents of eight, and their sum, of two rows. */
INLINE void FAST(sum_of_eight)(const struct fast_mode *f, const struct FAST(factors_a) * a,
                               const struct fast_factors_b *b, unsigned first, bool some, FAST(uwords) * exponents,
                               FAST(uwords) * sums)
{
    FAST(uhalves)
    e[8], largest = (FAST(uhalves))((FAST(uwords)){0} + (uint32_t)f->zero_exponent * 0x10001u);
    UNROLL_8 for (unsigned k = 0; k < 8; k++)
    {
        e[k] = (FAST(uhalves))(a->exponent[first + k] + b->exponent[first + k]);
        largest = FAST_MAX_HALF(e[k], largest);
    }
    FAST(halves) sum = {0};
    if (some) {
        UNROLL_8 for (unsigned k = 0; k < 8; k++)
        {
            const FAST(uhalves) part = (FAST(uhalves))((FAST(uwords)){0} + b->part[first + k]);
            const FAST(uwords) product = (FAST(uwords))((FAST(uhalves))a->part[first + k] * part);
            const FAST(halves) twice = (FAST(halves))(product ^ a->sign[first + k] ^ b->sign[first + k]);
            sum += FAST_MULHRS(twice, FAST_POWER(largest - e[k]));
        }
    }
    sum &= (FAST(halves))(largest > FAST_EXPONENT_BIAS); /* nothing unless the exponent is positive */
    *exponents = (FAST(uwords))largest;
    *sums = (FAST(uwords))sum;
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

FAST_TARGET static void FAST(multiply)(const struct fast_mode *f, const uint32_t *a, const uint32_t *b, unsigned b_step,
                                       unsigned rows, uint16_t *const dst[])
{
    struct fast_factors_b factors_b[MATRIX_ROWS / 2];
    bool some_b = false;
    for (unsigned i = 0; i < rows / 2; i++)
        some_b |= FAST(read_b)(f, b + 16 * (2 * i) * b_step, b + 16 * (2 * i + 1) * b_step, &factors_b[i]);
    for (unsigned chunk = 0; chunk < FAST(CHUNKS); chunk++) {
        struct FAST(factors_a) factors_a;
        const bool some = FAST(read_a)(f, a, chunk, &factors_a) && some_b;
        for (unsigned i = 0; i < rows / 2; i++) {
            FAST(uwords) exponents[2], sums[2];
            FAST(sum_of_eight)(f, &factors_a, &factors_b[i], 0, some, &exponents[0], &sums[0]);
            FAST(sum_of_eight)(f, &factors_a, &factors_b[i], 8, some, &exponents[1], &sums[1]);
            FAST(finish)(f, exponents, sums, 0, dst[2 * i] + chunk * LANES);
            FAST(finish)(f, exponents, sums, 1, dst[2 * i + 1] + chunk * LANES);
        }
    }
}

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

/* Integer "32" in the order of Dst and back. */
INLINE FAST(uwords) FAST(integer_from_dst)(FAST(uwords) x)
{
    return (x & 0x8000FFFF) | (x >> 8 & 0x007F0000) | (x << 7 & 0x7F800000);
}
INLINE FAST(uwords) FAST(integer_to_dst)(FAST(uwords) x)
{
    return (x & 0x8000FFFF) | (x >> 7 & 0x00FF0000) | (x << 8 & 0x7F000000);
}
INLINE FAST(uwords) FAST(integer_onto_dst)(FAST(words) x, FAST(uwords) dst)
{
    dst = FAST(integer_from_dst)(dst);
    const FAST(words) dst_sign = (FAST(words))dst >> 31;
    const FAST(words) old = ((FAST(words))(dst & 0x7FFFFFFF) ^ dst_sign) - dst_sign;
    FAST(words) sum = (FAST(words))((FAST(uwords))old + (FAST(uwords))x);
    const FAST(words) clamped = INT32_MAX ^ dst_sign; /* INT32_MIN for a negative one */
    sum = FAST(select)(((old ^ sum) & (x ^ sum)) >> 31, clamped, sum);
    const FAST(words) sign = sum >> 31;
    FAST(uwords) magnitude = (FAST(uwords))(sum ^ sign) - (FAST(uwords))sign;
    magnitude -= magnitude >> 31; /* 2^31 */
    return FAST(integer_to_dst)(((FAST(uwords))sign & 0x80000000) | magnitude);
}

FAST_TARGET static void FAST(multiply_integers)(const struct fast_mode *f, const uint32_t *a, const uint32_t *b,
                                                unsigned b_step, unsigned rows, uint16_t *const dst[])
{
    int16_t integers_b[MATRIX_ROWS][16];
    uint32_t pairs_b[MATRIX_ROWS][8];
    for (unsigned i = 0; i < rows; i++)
        for (unsigned at = 0; at < 16; at += LANES) {
            const FAST(words) x = FAST(integer)(FAST(load)(b + 16 * i * b_step + at), f->b_integer, f->keep_zero_b);
            const FAST(ushort) narrow = FAST_NARROW(x);
            memcpy(integers_b[i] + at, &narrow, sizeof narrow);
        }
    memcpy(pairs_b, integers_b, sizeof pairs_b);
    for (unsigned chunk = 0; chunk < FAST(CHUNKS); chunk++) {
        FAST(words) pairs_a[8];
        for (unsigned k = 0; k < 8; k++) {
            const FAST(words) even = FAST(integer)(FAST(load)(a + 32 * k + chunk * LANES), f->a_integer, false);
            const FAST(words) odd = FAST(integer)(FAST(load)(a + 32 * k + 16 + chunk * LANES), f->a_integer, false);
            pairs_a[k] = (even & 0xFFFF) | (FAST(words))((FAST(uwords))odd << 16);
        }
        for (unsigned i = 0; i < rows; i++) {
            FAST(words) sum = {0};
            UNROLL_8 for (unsigned k = 0; k < 8; k++) sum +=
                FAST_MADD(pairs_a[k], (FAST(words))((FAST(uwords)){0} + pairs_b[i][k]));
            uint16_t *to = dst[i] + chunk * LANES;
            FAST(store_dst)(f, to, FAST(integer_onto_dst)(sum, FAST(load_dst)(f, to)));
        }
    }
}

/* ---- Element by element: sections 7 and 8 ---- */

INLINE FAST(uwords) FAST(times)(const struct fast_mode *f, FAST(uwords) a, FAST(uwords) b, FAST(uwords) dst)
{
    const FAST(uwords) a_exponent = a & f->a_exponent, b_exponent = b & f->b_exponent;
    const FAST(uwords) a_part = (a >> FAST(uall)(f->a_shift) & f->a_part) | f->a_hidden; /* twice */
    const FAST(uwords) b_part = ((b >> FAST(uall)(f->b_shift) & f->b_part) << FAST(uall)(f->b_up)) | f->b_hidden;
    FAST(words) is = a_exponent != 0;
    if (!f->keep_zero_b)
        is &= b_exponent != 0;
    FAST(words) exponent = (FAST(words))(a_exponent + b_exponent) + f->product_bias;
    is &= exponent > FAST_EXPONENT_BIAS;
    exponent = FAST(select)(is, exponent, FAST(all)(f->zero_exponent));
    const FAST(words) sign = (FAST(words))((a ^ b) << 13) >> 31;
    const FAST(words) product = FAST_MADD((FAST(words))a_part, (FAST(words))b_part) << 13 & is;
    const FAST(words) sum = (product ^ sign) - sign;
    return FAST(onto_dst)(f, 1, &sum, &exponent, dst);
}

/* Sign aside, exponent and mantissa in an order in which they compare. */
INLINE FAST(words) FAST(ordered)(FAST(uwords) cell, uint32_t exponent, uint32_t mantissa)
{
    return (FAST(words))((cell & exponent) << 10 | (cell >> 8 & mantissa));
}

INLINE FAST(uwords) FAST(plus)(const struct fast_mode *f, FAST(uwords) a_cell, FAST(uwords) b_cell, FAST(uwords) dst)
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
    return FAST(onto_dst)(f, 1, &sum, &exponent, dst);
}

FAST_TARGET static void FAST(elementwise)(const struct fast_mode *f, const struct matrix_elementwise_form *form,
                                          const uint32_t *a, const uint32_t *b, uint16_t *const dst[])
{
    const uint32_t flip = form->op == MATRIX_SUBTRACT ? UINT32_C(1) << 18 : 0;
    for (unsigned i = 0; i < MATRIX_ROWS; i++) {
        const uint32_t *row = b + 16 * i * form->b_step;
        for (unsigned at = 0; at < MATRIX_COLUMNS; at += LANES) {
            const FAST(uwords) x = FAST(load)(a + 16 * i + at);
            const FAST(uwords) y = (form->b_column_0 ? (FAST(uwords)){0} + row[0] : FAST(load)(row + at)) ^ flip;
            const FAST(uwords) old = FAST(load_dst)(f, dst[i] + at);
            const FAST(uwords) base = form->add_dst ? old : (FAST(uwords)){0};
            FAST(uwords) result;
            if (form->op == MATRIX_MULTIPLY && f->integers)
                result = FAST(integer_onto_dst)(
                    FAST(integer)(x, f->a_integer, false) * FAST(integer)(y, f->b_integer, f->keep_zero_b), old);
            else if (f->integers)
                result = FAST(integer_onto_dst)(
                    FAST(integer)(x, 0x3FF, false) + FAST(integer)(y, 0x3FF, f->keep_zero_b), base);
            else if (form->op == MATRIX_MULTIPLY)
                result = FAST(times)(f, x, y, old);
            else
                result = FAST(plus)(f, x, y, base);
            FAST(store_dst)(f, dst[i] + at, result);
        }
    }
}

#undef INLINE
