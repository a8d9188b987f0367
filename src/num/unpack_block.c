/* SPDX-License-Identifier: Apache-2.0 */
/* 16-bit numbers become the low and the high half of a cell in lanes of 16 bits, which are then put together. */
#include "num/unpack_block.h"

#include "num/vec.h"

typedef uint32_t vec4x32 __attribute__((vector_size(16)));
typedef int16_t vec8x16s __attribute__((vector_size(16))); /* hosts compare signed numbers in one step */

enum { LANES = 8 };

VEC_INLINE void store_cells(uint32_t *cells, vec8x16 low, vec8x16 high)
{
    vec_store16(cells, VEC_SHUFFLE(low, high, 0, 8, 1, 9, 2, 10, 3, 11));
    vec_store16(cells + 4, VEC_SHUFFLE(low, high, 4, 12, 5, 13, 6, 14, 7, 15));
}

/* Sign, mantissa of ten bits, exponent of eight: bits 15:0 have the low five, or eight, bits of the mantissa. */
static void bf16_cells(uint32_t *cells, const uint8_t *datums, unsigned count)
{
    for (unsigned i = 0; i < count; i += LANES) {
        const vec8x16 x = vec_load16(datums + 2 * i);
        store_cells(cells + i, x << 11 | (x >> 7 & 0xFF), (x >> 13 & 4) | (x >> 5 & 3));
    }
}

static void fp16_cells(uint32_t *cells, const uint8_t *datums, unsigned count)
{
    for (unsigned i = 0; i < count; i += LANES) {
        const vec8x16 x = vec_load16(datums + 2 * i);
        store_cells(cells + i, x << 8 | (x >> 10 & 0x1F), (x >> 13 & 4) | (x >> 8 & 3));
    }
}

static void int16_cells(uint32_t *cells, const uint8_t *datums, unsigned count)
{
    for (unsigned i = 0; i < count; i += LANES) {
        const vec8x16 x = vec_load16(datums + 2 * i);
        store_cells(cells + i, (x & 0x1F00) << 3 | (x & 0xFF), x >> 13);
    }
}

static void tf32_cells(uint32_t *cells, const uint8_t *datums, unsigned count)
{
    for (unsigned i = 0; i < count; i += 4) {
        vec4x32 x;
        memcpy(&x, datums + 4 * i, sizeof x);
        const vec4x32 cell = (x >> 13 & 0x40000) | (x >> 5 & 0x3FF00) | (x >> 23 & 0xFF);
        memcpy(cells + i, &cell, sizeof cell);
    }
}

/* Where m is below `limit`: m times 2^by, the exponent less by as much. */
#define NORMALIZE(limit, by)                                                                                           \
    do {                                                                                                               \
        const vec8x16 where_ = (vec8x16)((vec8x16s)m < (limit));                                                       \
        m = vec_select16(where_, m << (by), m);                                                                        \
        e -= where_ & (by);                                                                                            \
    } while (0)

/* BFP8ToBF16 of 8 datums in the low bytes of x, straight to the cell. */
VEC_INLINE void bfp8_lanes(uint32_t *cells, vec8x16 x, uint16_t exponent)
{
    const vec8x16 sign = x >> 7, zero = (vec8x16)((x & 0x7F) == 0);
    vec8x16 m = (x & 0x7F) << 1, e = (vec8x16){0} + exponent;
    NORMALIZE(0x10, 4);
    NORMALIZE(0x40, 2);
    NORMALIZE(0x80, 1);
    const vec8x16 low = m << 11 | (e & 0xFF), empty = -sign & 0xFF; /* a sign alone is minus infinity */
    store_cells(cells, vec_select16(zero, empty, low), sign << 2 | (m >> 5 & 3));
}

static void bfp8_cells(uint32_t (*cells)[ROW_DATUMS], unsigned rows, const uint8_t *datums, const uint8_t *exponents,
                       unsigned exponent_step)
{
    for (unsigned i = 0; i < rows; i++) {
        const uint16_t exponent = exponents[i * exponent_step];
        bfp8_lanes(cells[i], vec_load8(datums + ROW_DATUMS * i), exponent);
        bfp8_lanes(cells[i] + LANES, vec_load8(datums + ROW_DATUMS * i + LANES), exponent);
    }
}

void unpack_block_src(struct unpack_conversion c, uint32_t (*cells)[ROW_DATUMS], unsigned rows, const uint8_t *datums,
                      const uint8_t *exponents, unsigned exponent_step)
{
    const unsigned in = c.InDataFormat, count = rows * ROW_DATUMS, row_bytes = format_bits(in) * ROW_DATUMS / 8;
    if (in == FORMAT_BF16) {
        bf16_cells(cells[0], datums, count);
    } else if (in == FORMAT_FP16) {
        fp16_cells(cells[0], datums, count);
    } else if (in == FORMAT_INT16) {
        int16_cells(cells[0], datums, count);
    } else if ((in == FORMAT_FP32 || in == FORMAT_TF32) && c.OutDataFormat == FORMAT_TF32) {
        tf32_cells(cells[0], datums, count);
    } else if (in == FORMAT_BFP8) {
        bfp8_cells(cells, rows, datums, exponents, exponent_step);
    } else {
        for (unsigned i = 0; i < rows; i++) {
            unpack_row_src(c, cells[i], datums + i * row_bytes, exponents[i * exponent_step]);
        }
    }
}
