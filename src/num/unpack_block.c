/* SPDX-License-Identifier: Apache-2.0 */
/* 16-bit numbers become the low and the high half of a cell in lanes of 16 bits, which are then put together. */
#include "num/unpack_block.h"

#include "num/vec.h"

typedef uint32_t vec4x32 __attribute__((vector_size(16)));

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
    } else {
        for (unsigned i = 0; i < rows; i++) {
            unpack_row_src(c, cells[i], datums + i * row_bytes, exponents[i * exponent_step]);
        }
    }
}
