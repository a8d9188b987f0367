/* SPDX-License-Identifier: Apache-2.0 */
/* Maxima down a column of SrcA: manual WormholeB0 GMPOOL (545c98a3), "Functional model", one datum of Dst at a time. */
#ifndef KERR_TENSIX_MATRIX_MAXIMUM_H
#define KERR_TENSIX_MATRIX_MAXIMUM_H

#include "tensix/matrix/arith.h"

/* DstStyle of the page. */
enum maximum_dst_style { DST_BF16, DST_FP16, DST_TF32, DST_INT32 };

/* Datum of the page: exponent and mantissa in one number, which is how they compare. */
struct maximum_datum {
    int32_t magnitude; /* 9 bits of exponent, 10 of mantissa */
    bool negative;
};

static inline int32_t maximum_comparable(struct maximum_datum x)
{
    return x.negative ? -x.magnitude : x.magnitude;
}

static inline enum maximum_dst_style maximum_dst_style_of(const struct matrix_mode *m, bool ArgMax)
{
    if (m->a == MATRIX_INT8)
        return DST_INT32;
    if (m->a == MATRIX_TF32)
        return ArgMax ? DST_INT32 : m->dst32 ? DST_TF32 : DST_BF16;
    if (m->dst32 && !ArgMax)
        return DST_TF32;
    return m->a == MATRIX_FP16 ? DST_FP16 : DST_BF16;
}

static inline struct maximum_datum maximum_read_dst(uint32_t x, enum maximum_dst_style style)
{
    int32_t exponent, mantissa;
    switch (style) {
    case DST_INT32:
        exponent = (int32_t)((x >> 10 & 0x3F) | (x >> 24 & 7) << 6);
        mantissa = x & 0x3FF;
        break;
    case DST_FP16:
        exponent = (int32_t)(x >> 16 & 0x1F) + 15;
        mantissa = x >> 21 & 0x3FF;
        break;
    default:
        exponent = (int32_t)(x >> 16 & 0xFF) + 127;
        mantissa = (int32_t)((x >> 24 & 0x7F) << 3 | (style == DST_TF32 ? x >> 13 & 7 : 0));
    }
    return (struct maximum_datum){.magnitude = exponent << 10 | mantissa, .negative = x >> 31};
}

/* The exponent wraps if SrcB was not 1.0. */
static inline uint32_t maximum_write_dst(struct maximum_datum x, enum maximum_dst_style style)
{
    const uint32_t sign = (uint32_t)x.negative << 31, mantissa = x.magnitude & 0x3FF;
    const uint32_t exponent = (uint32_t)x.magnitude >> 10 & 0x1FF;
    switch (style) {
    case DST_INT32: return sign | (exponent & 7) << 10 | mantissa;
    case DST_FP16: return (exponent & 0x3F) == 0 ? 0 : sign | mantissa << 21 | ((exponent - 15) & 0x1F) << 16;
    default:
        if (exponent == 0)
            return 0;
        return sign | (mantissa & 0x3F8) << 21 | ((exponent - 127) & 0xFF) << 16 |
               (style == DST_TF32 ? (mantissa & 7) << 13 : 0);
    }
}

/* ReadAndScaleSrc.
 * OPEN: FP16 with Dst as TF32.  The page counts it as supported, but its model compares exponents of FP16, biased by 15, with
 * those of Dst, biased by 127, so that 2.0 would come out as 2^33.  Here they are rebiased as those of products are. */
static inline struct maximum_datum maximum_read_src(const struct matrix_mode *m, enum maximum_dst_style style,
                                                    uint32_t a, uint32_t b)
{
    if ((b & 0xFF) == 0)
        return (struct maximum_datum){.magnitude = 0x7FFFF, .negative = true}; /* minus infinity */
    if ((a & 0xFF) == 0)
        return (struct maximum_datum){0};
    int32_t exponent, mantissa = a >> 8 & 0x3FF;
    if (m->a == MATRIX_INT8)
        exponent = 0;
    else if (m->a == MATRIX_FP16)
        exponent = (int32_t)((a & 0x1F) + (b & 0x1F)) + (style == DST_TF32 ? 2 * (127 - 15) : 0);
    else
        exponent = (int32_t)((a & 0xFF) + (b & 0xFF));
    if (m->a == MATRIX_BF16)
        mantissa &= 0x3F8;
    return (struct maximum_datum){.magnitude = exponent << 10 | mantissa, .negative = a >> 18 & 1};
}

/* One column: the new datum of Dst, 16 bits of it in the high half.  a: the column, cells 16 apart, or NULL for zeros; b: the row
 * that scales it. */
static inline uint32_t maximum_of_column(const struct matrix_mode *m, bool ArgMax, const uint32_t *a, const uint32_t *b,
                                         uint32_t dst)
{
    static const uint8_t transformed[8] = {0, 3, 6, 1, 4, 7, 2, 5}; /* NONLINEAR_I_TRANSFORM */
    const enum maximum_dst_style style = maximum_dst_style_of(m, ArgMax);
    struct maximum_datum max = maximum_read_dst(dst, style);
    uint32_t max_index = dst & 0xFF;
    const uint32_t phase = (dst + 0x100) & 0xF00;
    for (unsigned k = 0; k < 16; k++) {
        const unsigned i = k < 8 ? k ^ 4 : k; /* which of equals comes last */
        const struct maximum_datum x = maximum_read_src(m, style, a ? a[16 * i] : 0, b[i]);
        if (maximum_comparable(x) >= maximum_comparable(max)) {
            max = x;
            if (i < 8)
                max_index = (phase >> 4) + transformed[i];
        }
    }
    const uint32_t value = ArgMax && style == DST_INT32 ? 0 : maximum_write_dst(max, style);
    return ArgMax ? value | phase | max_index : value;
}

#endif
