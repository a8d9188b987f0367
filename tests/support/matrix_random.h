/* SPDX-License-Identifier: Apache-2.0 */
/* Operands for the Matrix Unit that make its sums hard: exponents close together so that everything is aligned by a few
 * places, or far apart, or at the ends of their range; few bits set so that halves are frequent; zeros, denormals and the
 * highest exponents, which are nothing special to it. */
#ifndef KERR_TESTS_MATRIX_RANDOM_H
#define KERR_TESTS_MATRIX_RANDOM_H

#include "tensix/matrix/arith.h"
#include "tensix/regs/dst.h"

#include "chip.h"

typedef struct matrix_random {
    test_random r;
    unsigned range; /* of exponents: 32 or 256 */
    unsigned a_exponent, b_exponent, dst_exponent, spread;
    unsigned zeros; /* one in so many, 0: none */
    bool sparse, integers;
} matrix_random;

/* A new kind of data for this mode. */
static inline void matrix_random_kind(matrix_random *m, const struct matrix_mode *mode)
{
    static const unsigned spreads[] = {1, 2, 4, 8, 13, 16, 26, 40};
    m->range = mode->a == MATRIX_FP16 ? 32 : 256;
    m->integers = mode->a == MATRIX_INT8;
    m->spread = spreads[test_below(&m->r, 8)];
    m->zeros = test_below(&m->r, 3) ? 2 + test_below(&m->r, 30) : 0;
    m->sparse = test_below(&m->r, 3) == 0;
    const unsigned middle = m->range == 32 ? 15 : 127;
    if (test_below(&m->r, 4) == 0) { /* anywhere */
        m->a_exponent = test_below(&m->r, m->range);
        m->b_exponent = test_below(&m->r, m->range);
    } else {
        m->a_exponent = middle - 8 + test_below(&m->r, 16);
        m->b_exponent = middle - 8 + test_below(&m->r, 16);
    }
    const int bias = m->range == 256 ? -127 : mode->dst32 ? 97 : -15;
    const int sum = (int)m->a_exponent + (int)m->b_exponent + bias + (int)test_below(&m->r, 24) - 12;
    m->dst_exponent = sum < 0 ? 0 : (unsigned)sum;
}

static inline unsigned matrix_random_exponent(matrix_random *m, unsigned centre, unsigned range)
{
    if (m->zeros && test_below(&m->r, m->zeros) == 0)
        return 0;
    if (test_below(&m->r, 200) == 0)
        return test_below(&m->r, range);
    const int e = (int)centre + (int)test_below(&m->r, m->spread) - (int)m->spread / 2;
    return e < 0 ? 0 : e >= (int)range ? range - 1 : (unsigned)e;
}

static inline uint32_t matrix_random_bits(matrix_random *m, unsigned count)
{
    const uint32_t all = (UINT32_C(1) << count) - 1;
    uint32_t x = (uint32_t)(test_random64(&m->r) >> 20);
    if (m->sparse && test_below(&m->r, 4))
        x &= (uint32_t)(test_random64(&m->r) >> 20) & (uint32_t)(test_random64(&m->r) >> 20);
    return x & all;
}

static inline uint32_t matrix_random_cell(matrix_random *m, bool is_a)
{
    const uint32_t sign = test_below(&m->r, 2) << 18;
    const uint32_t mantissa = matrix_random_bits(m, 10);
    if (m->integers) /* a magnitude of up to ten bits, and what says that it is not zero */
        return sign | (test_below(&m->r, 2) ? mantissa & 0xFF : mantissa) << 8 | (test_below(&m->r, 8) ? 16 : 0);
    return sign | mantissa << 8 | matrix_random_exponent(m, is_a ? m->a_exponent : m->b_exponent, m->range);
}

/* In the order of arith.h. */
static inline uint32_t matrix_random_datum(matrix_random *m, const struct matrix_mode *mode)
{
    const uint32_t sign = test_below(&m->r, 2) << 31;
    if (m->integers)
        return sign | (test_below(&m->r, 4) ? matrix_random_bits(m, 20) : 0x7FFFFFFF - matrix_random_bits(m, 18));
    if (mode->dst32)
        return sign | matrix_random_exponent(m, m->dst_exponent, 256) << 23 | matrix_random_bits(m, 23);
    if (mode->a == MATRIX_FP16)
        return sign | matrix_random_exponent(m, m->dst_exponent, 32) << 23 | matrix_random_bits(m, 10) << 13;
    return sign | matrix_random_exponent(m, m->dst_exponent, 256) << 23 | matrix_random_bits(m, 7) << 16;
}

/* As it stands in a row of Dst32b, or in the high half of one. */
static inline uint32_t matrix_datum_to_dst(const struct matrix_mode *mode, uint32_t x)
{
    if (mode->a == MATRIX_FP16 && !mode->dst32)
        return (uint32_t)dst_encode_fp16((uint16_t)((x >> 16 & 0x8000) | (x >> 13 & 0x7FFF))) << 16;
    return dst_encode_fp32(x);
}

/* Rows of Dst32b as words, and where DstBits has them: high halves in rows 0 to 7, low halves in rows 8 to 15. */
typedef struct matrix_block {
    uint16_t bits[16][16];
    uint16_t *row[8];
} matrix_block;
static inline void matrix_block_from(matrix_block *block, const uint32_t *words)
{
    for (unsigned i = 0; i < 8; i++)
        block->row[i] = block->bits[i];
    for (unsigned i = 0; i < 128; i++) {
        block->bits[i / 16][i % 16] = (uint16_t)(words[i] >> 16);
        block->bits[8 + i / 16][i % 16] = (uint16_t)words[i];
    }
}
static inline void matrix_block_to(const matrix_block *block, uint32_t *words)
{
    for (unsigned i = 0; i < 128; i++)
        words[i] = (uint32_t)block->bits[i / 16][i % 16] << 16 | block->bits[8 + i / 16][i % 16];
}

#endif
