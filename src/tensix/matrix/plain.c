/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of kernel.h as manual MVMUL and ELWMUL walk them, with the arithmetic of docs/matrix-arithmetic.md. */
#include "tensix/matrix/kernel.h"

#include "tensix/regs/dst.h"

_Static_assert(MATRIX_LOW_HALF == DST_LOW_HALF * DST_COLUMNS, "kernel.h");

/* Dst and the order of arith.h. */
static uint32_t read_dst(const struct matrix_mode *m, const uint16_t *dst)
{
    if (m->dst32)
        return dst_decode_fp32((uint32_t)dst[0] << 16 | dst[MATRIX_LOW_HALF]);
    if (m->a != MATRIX_FP16)
        return (uint32_t)dst_decode_bf16(dst[0]) << 16;
    const uint32_t half = dst_decode_fp16(dst[0]);
    return (half & 0x8000) << 16 | (half & 0x7FFF) << 13;
}
static void write_dst(const struct matrix_mode *m, uint16_t *dst, uint32_t x)
{
    if (m->dst32) {
        x = dst_encode_fp32(x);
        dst[0] = (uint16_t)(x >> 16);
        dst[MATRIX_LOW_HALF] = (uint16_t)x;
    } else if (m->a != MATRIX_FP16) {
        dst[0] = dst_encode_bf16((uint16_t)(x >> 16));
    } else {
        dst[0] = dst_encode_fp16((uint16_t)((x >> 16 & 0x8000) | (x >> 13 & 0x7FFF)));
    }
}

static uint32_t integer_dot(const struct matrix_mode *m, const uint32_t a[16], const uint32_t b[16], uint32_t dst)
{
    int32_t sum = 0;
    for (unsigned k = 0; k < 16; k++)
        sum +=
            matrix_int8(a[k], matrix_int8_bits_a(m), false) * matrix_int8(b[k], matrix_int8_bits_b(m), m->keep_zero_b);
    return matrix_int32_plus(sum, dst);
}

void matrix_multiply_plain(const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, unsigned b_step,
                           unsigned rows, uint16_t *const dst[])
{
    for (unsigned j = 0; j < MATRIX_COLUMNS; j++) {
        uint32_t column[16];
        for (unsigned k = 0; k < 16; k++)
            column[k] = a[16 * k + j];
        for (unsigned i = 0; i < rows; i++) {
            const uint32_t *row = b + 16 * i * b_step;
            const uint32_t old = read_dst(m, dst[i] + j);
            write_dst(m, dst[i] + j, (m->a == MATRIX_INT8 ? integer_dot : matrix_dot)(m, column, row, old));
        }
    }
}

static uint32_t integer_element(const struct matrix_mode *m, const struct matrix_elementwise_form *form,
                                uint32_t a_cell, uint32_t b_cell, uint32_t dst)
{
    if (form->op == MATRIX_MULTIPLY)
        return matrix_int32_plus(matrix_int8(a_cell, matrix_int8_bits_a(m), false) *
                                     matrix_int8(b_cell, matrix_int8_bits_b(m), m->keep_zero_b),
                                 dst);
    const int32_t a = matrix_int8(a_cell, 0x3FFFF, false), b = matrix_int8(b_cell, 0x3FFFF, m->keep_zero_b);
    return matrix_int32_plus(form->op == MATRIX_ADD ? a + b : a - b, form->add_dst ? dst : 0);
}

static uint32_t element(const struct matrix_mode *m, const struct matrix_elementwise_form *form, uint32_t a, uint32_t b,
                        uint32_t dst)
{
    if (m->a == MATRIX_INT8)
        return integer_element(m, form, a, b, dst);
    if (form->op == MATRIX_MULTIPLY)
        return matrix_times(m, a, b, dst);
    const uint32_t sign = UINT32_C(1) << 18;
    return matrix_plus(m, a, form->op == MATRIX_ADD ? b : b ^ sign, form->add_dst ? dst : 0);
}

void matrix_elementwise_plain(const struct matrix_mode *m, const struct matrix_elementwise_form *form,
                              const uint32_t *a, const uint32_t *b, uint16_t *const dst[])
{
    for (unsigned i = 0; i < MATRIX_ROWS; i++)
        for (unsigned j = 0; j < MATRIX_COLUMNS; j++)
            write_dst(m, dst[i] + j,
                      element(m, form, a[16 * i + j], b[16 * i * form->b_step + (form->b_column_0 ? 0 : j)],
                              read_dst(m, dst[i] + j)));
}
