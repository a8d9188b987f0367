/* SPDX-License-Identifier: Apache-2.0 */
/* What the Matrix Unit computes for one datum of Dst: docs/matrix-arithmetic.md, section by section, one datum at a time.
 *
 * Plain on purpose: this is what the page says, and what the vector code (fast.c) is compared with.  The manual (WormholeB0
 * MVMUL, ELWMUL, ELWADD) gives the operands and calls its sums a rough guide; the page says how they are really formed.
 *
 * Cells of SrcA and SrcB are as in tensix/files.h.  A datum of Dst is in the order sign, exponent, mantissa: FP32 and Integer
 * "32" as dst_decode_fp32 (regs/dst.h) gives them, BF16 shifted to bit 16, FP16 as sign in bit 31, exponent from bit 23,
 * mantissa from bit 13. */
#ifndef KERR_TENSIX_MATRIX_ARITH_H
#define KERR_TENSIX_MATRIX_ARITH_H

#include <stdbool.h>
#include <stdint.h>

/* How operands are read.  MATRIX_BF16: the low three of ten mantissa bits are not there.  MATRIX_FP16: five bits of exponent. */
enum matrix_style { MATRIX_BF16, MATRIX_TF32, MATRIX_FP16, MATRIX_INT8 };

struct matrix_mode {
    uint8_t a, b;     /* enum matrix_style of SrcA, of SrcB: both eight bits of exponent, or both the same */
    uint8_t phase;    /* fidelity phase, 0 to 3 */
    bool dst32;       /* Dst32b */
    bool keep_zero_b; /* ALU_ACC_CTRL_Zero_Flag_disabled_src: an exponent of zero in SrcB does not mean zero */
};

/* A number on its way to Dst: mantissa * 2^(exponent - 23 - bias). */
struct matrix_term {
    int32_t exponent;
    int32_t mantissa;
};

/* ---- 1: operands ---- */

struct matrix_operand {
    int32_t exponent;
    uint32_t mantissa; /* ten bits and the hidden one above them */
    bool negative;
    bool zero; /* by its exponent */
};

static inline struct matrix_operand matrix_operand(unsigned style, uint32_t cell)
{
    const uint32_t exponent = cell & (style == MATRIX_FP16 ? 0x1F : 0xFF);
    const uint32_t mantissa = cell >> 8 & (style == MATRIX_BF16 ? 0x3F8 : 0x3FF);
    return (struct matrix_operand){
        .exponent = (int32_t)exponent, .mantissa = mantissa | 0x400, .negative = cell >> 18 & 1, .zero = exponent == 0};
}

/* ---- 2: fidelity phases ---- */

static inline uint32_t matrix_part_a(const struct matrix_mode *m, uint32_t mantissa) /* 5 bits */
{
    return m->phase & 1 ? mantissa >> 1 & 31 : mantissa >> 6;
}
static inline uint32_t matrix_part_b(const struct matrix_mode *m, uint32_t mantissa) /* 7 bits */
{
    return m->phase & 2 ? (mantissa & 15) << 3 : mantissa >> 4;
}
/* What the exponents of a product's factors are short of that of the product. */
static inline int32_t matrix_bias(const struct matrix_mode *m)
{
    const int32_t bias = m->a != MATRIX_FP16 ? -127 : m->dst32 ? 127 - 30 : -15;
    return bias - (m->phase & 1 ? 5 : 0) - (m->phase & 2 ? 7 : 0);
}
/* Of a product that is zero because a factor is. */
static inline int32_t matrix_zero_exponent(const struct matrix_mode *m)
{
    const int32_t bias = matrix_bias(m);
    return bias > 0 ? bias : 0;
}

/* ---- 3: products ---- */

struct matrix_product {
    int32_t exponent;
    uint32_t magnitude; /* 12 bits: 2^10 is 1.0 */
    bool negative;
};

static inline struct matrix_product matrix_product(const struct matrix_mode *m, uint32_t a_cell, uint32_t b_cell)
{
    const struct matrix_operand a = matrix_operand(m->a, a_cell), b = matrix_operand(m->b, b_cell);
    if (a.zero || (b.zero && !m->keep_zero_b))
        return (struct matrix_product){.exponent = matrix_zero_exponent(m)};
    return (struct matrix_product){.exponent = a.exponent + b.exponent + matrix_bias(m),
                                   .magnitude = matrix_part_a(m, a.mantissa) * matrix_part_b(m, b.mantissa),
                                   .negative = a.negative != b.negative};
}

/* ---- 4: sums of eight ---- */

/* magnitude / 2^places, halves up. */
static inline uint32_t matrix_halves_up(uint32_t magnitude, int32_t places)
{
    return places == 0 ? magnitude : places > 30 ? 0 : (magnitude + (UINT32_C(1) << (places - 1))) >> places;
}

static inline struct matrix_term matrix_sum_of_eight(const struct matrix_product product[8])
{
    int32_t exponent = product[0].exponent, sum = 0;
    for (unsigned i = 1; i < 8; i++)
        exponent = product[i].exponent > exponent ? product[i].exponent : exponent;
    if (exponent <= 0)
        return (struct matrix_term){0};
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t aligned = matrix_halves_up(product[i].magnitude, exponent - product[i].exponent);
        sum += product[i].negative ? -(int32_t)aligned : (int32_t)aligned;
    }
    return (struct matrix_term){.exponent = exponent, .mantissa = sum * (1 << 13)};
}

/* ---- 5: onto Dst ---- */

/* mantissa / 2^places, halves towards plus infinity. */
static inline int32_t matrix_halves_to_plus(int32_t mantissa, int32_t places)
{
    return places == 0 ? mantissa : places > 30 ? 0 : (mantissa + (1 << (places - 1))) >> places;
}

/* What a datum becomes: `magnitude` is not zero. */
static inline uint32_t matrix_encoded(const struct matrix_mode *m, bool negative, int32_t exponent, uint32_t magnitude)
{
    const bool five_bits = m->a == MATRIX_FP16 && !m->dst32;
    const int kept = m->dst32 ? 24 : five_bits ? 11 : 8;
    const int length = 32 - __builtin_clz(magnitude);
    exponent += length - 24;
    magnitude = length > kept ? matrix_halves_up(magnitude, length - kept) : magnitude << (kept - length);
    if (magnitude >> kept) { /* rounded up to the next power of two */
        exponent++;
        magnitude >>= 1;
    }
    const uint32_t sign = (uint32_t)negative << 31;
    if (exponent <= 0)
        return 0;
    if (five_bits && exponent > 31)
        return sign | 31u << 23 | 0x3FFu << 13;
    if (!five_bits && exponent > 254)
        return sign | 255u << 23;
    return sign | (uint32_t)exponent << 23 | (magnitude << (24 - kept) & 0x7FFFFF);
}

static inline uint32_t matrix_onto_dst(const struct matrix_mode *m, struct matrix_term x, struct matrix_term y,
                                       uint32_t dst)
{
    const int32_t dst_exponent = (int32_t)(dst >> 23 & 0xFF);
    uint32_t dst_magnitude = dst_exponent == 0 ? 0 : (dst & 0x7FFFFF) | 0x800000;
    int32_t exponent = x.exponent > y.exponent ? x.exponent : y.exponent;
    exponent = exponent > dst_exponent ? exponent : dst_exponent;
    if (exponent <= 0)
        return 0;
    x.mantissa = matrix_halves_to_plus(x.mantissa, exponent - x.exponent);
    y.mantissa = matrix_halves_to_plus(y.mantissa, exponent - y.exponent);
    dst_magnitude = matrix_halves_up(dst_magnitude, exponent - dst_exponent);
    if (!m->dst32) {
        x.mantissa = matrix_halves_to_plus(x.mantissa, 13) * (1 << 13);
        y.mantissa = matrix_halves_to_plus(y.mantissa, 13) * (1 << 13);
        dst_magnitude = matrix_halves_up(dst_magnitude, 13) << 13;
    }
    const int32_t sum = x.mantissa + y.mantissa + (dst >> 31 ? -(int32_t)dst_magnitude : (int32_t)dst_magnitude);
    if (sum == 0)
        return 0;
    return matrix_encoded(m, sum < 0, exponent, sum < 0 ? (uint32_t)-sum : (uint32_t)sum);
}

/* ---- 6: MVMUL, GAPOOL, DOTPV; 7: ELWMUL; 8: ELWADD, ELWSUB ---- */

/* a: a column of SrcA, b: a row of SrcB. */
static inline uint32_t matrix_dot(const struct matrix_mode *m, const uint32_t a[16], const uint32_t b[16], uint32_t dst)
{
    struct matrix_product product[16];
    for (unsigned k = 0; k < 16; k++)
        product[k] = matrix_product(m, a[k], b[k]);
    return matrix_onto_dst(m, matrix_sum_of_eight(product), matrix_sum_of_eight(product + 8), dst);
}

static inline uint32_t matrix_times(const struct matrix_mode *m, uint32_t a, uint32_t b, uint32_t dst)
{
    struct matrix_product product = matrix_product(m, a, b);
    if (product.exponent <= 0)
        product = (struct matrix_product){.exponent = matrix_zero_exponent(m)};
    const int32_t mantissa = (int32_t)(product.magnitude << 13);
    const struct matrix_term term = {.exponent = product.exponent, .mantissa = product.negative ? -mantissa : mantissa};
    return matrix_onto_dst(m, term, (struct matrix_term){0}, dst);
}

/* dst: zero for an instruction that does not add to Dst. */
static inline uint32_t matrix_plus(const struct matrix_mode *m, uint32_t a_cell, uint32_t b_cell, uint32_t dst)
{
    struct matrix_operand a = matrix_operand(m->a, a_cell), b = matrix_operand(m->b, b_cell);
    if (a.zero)
        a = (struct matrix_operand){0};
    /* Without the zero flag all bits of SrcB must be zero for a zero: minus zero is minus 2^-127. */
    if (b.zero && (!m->keep_zero_b || (!b.negative && b.mantissa == 0x400)))
        b = (struct matrix_operand){0};
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.mantissa < b.mantissa)) {
        const struct matrix_operand swapped = a;
        a = b;
        b = swapped;
    }
    const uint32_t aligned = matrix_halves_up(b.mantissa, a.exponent - b.exponent);
    const int32_t sum = (int32_t)(a.negative == b.negative ? a.mantissa + aligned : a.mantissa - aligned) * (1 << 13);
    /* The bias that a product has, without that of its second factor. */
    const int32_t bias = matrix_bias(m) + (m->a == MATRIX_FP16 ? 15 : 127);
    const int32_t exponent = a.exponent ? a.exponent + bias : matrix_zero_exponent(m);
    struct matrix_term term = {.exponent = exponent, .mantissa = a.negative ? -sum : sum};
    if (exponent < 0) /* by the fidelity phase */
        term = (struct matrix_term){0};
    return matrix_onto_dst(m, term, (struct matrix_term){0}, dst);
}

/* ---- 9: integers ---- */

/* Manual MatrixUnit, ReadSrcInt8. */
static inline int32_t matrix_int8(uint32_t cell, uint32_t bits, bool keep_zero)
{
    const int32_t magnitude = (cell & 0xFF) || keep_zero ? (int32_t)((cell & bits) >> 8 & 0x3FF) : 0;
    return cell >> 18 & 1 ? -magnitude : magnitude;
}
static inline uint32_t matrix_int8_bits_a(const struct matrix_mode *m)
{
    return m->phase & 1 ? 0x01FFF : 0x0E0FF;
}
static inline uint32_t matrix_int8_bits_b(const struct matrix_mode *m)
{
    return m->phase & 2 ? 0x00FFF : 0x3F0FF;
}
/* Manual MatrixUnit, SaturateAddInt32: dst and the result are sign and magnitude. */
static inline uint32_t matrix_int32_plus(int32_t x, uint32_t dst)
{
    const int64_t magnitude = dst & 0x7FFFFFFF;
    int64_t sum = x + (dst >> 31 ? -magnitude : magnitude);
    const bool negative = sum < 0;
    sum = negative ? -sum : sum;
    return (uint32_t)negative << 31 | (uint32_t)(sum > 0x7FFFFFFF ? 0x7FFFFFFF : sum);
}

#endif
