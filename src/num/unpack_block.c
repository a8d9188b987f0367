/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of 16 in loops that the compiler turns into vector instructions, in a copy for each kind of machine (base/simd.h). */
#include "num/unpack_block.h"

#include "base/simd.h"
#include "num/vec.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef uint32_t row_of_cells[ROW_DATUMS];
/* As they lie in L1: anywhere.  Hosts are little endian. */
typedef uint16_t loose16 __attribute__((aligned(1), may_alias));
typedef uint32_t loose32 __attribute__((aligned(1), may_alias));

/* `rows` rows of datums of `type`; `cell` is what becomes of x. */
#define EACH_CELL(type, cell)                                                                                          \
    for (unsigned row = 0; row < rows; row++, datums += ROW_DATUMS * sizeof(type)) {                                   \
        for (unsigned i = 0; i < ROW_DATUMS; i++) {                                                                    \
            const uint32_t x = ((const type *)datums)[i];                                                              \
            cells[row][i] = (cell);                                                                                    \
        }                                                                                                              \
        datums += row & 1 ? pair_gap : 0;                                                                              \
    }

/* Sign, mantissa of ten bits, exponent of eight. */
SIMD_CLONES static void bf16_cells(row_of_cells *restrict cells, unsigned rows, const uint8_t *restrict datums,
                                   int32_t pair_gap)
{
    EACH_CELL(loose16, (x & 0x8000) << 3 | (x & 0x7F) << 11 | (x >> 7 & 0xFF));
}

SIMD_CLONES static void fp16_cells(row_of_cells *restrict cells, unsigned rows, const uint8_t *restrict datums,
                                   int32_t pair_gap)
{
    EACH_CELL(loose16, (x & 0x8000) << 3 | (x & 0x3FF) << 8 | (x >> 10 & 0x1F));
}

SIMD_CLONES static void int16_cells(row_of_cells *restrict cells, unsigned rows, const uint8_t *restrict datums,
                                    int32_t pair_gap)
{
    EACH_CELL(loose16, (x & 0xFF00) << 3 | (x & 0xFF));
}

SIMD_CLONES static void tf32_cells(row_of_cells *restrict cells, unsigned rows, const uint8_t *restrict datums,
                                   int32_t pair_gap)
{
    EACH_CELL(loose32, (x >> 13 & 0x40000) | (x >> 5 & 0x3FF00) | (x >> 23 & 0xFF));
}

/* BFP8ToBF16, straight to the cell.  A magnitude as a float, which it is exactly, has its leading one found: 64 has exponent 133.
 * A sign alone is minus infinity.  In vectors of eight or sixteen, which the compiler does not come to by itself for bytes, nor does
 * it widen them well: `widen` does. */
enum { EXPONENT_OF_64 = 127 + 6 };

#define BFP8_CELLS(lanes, widen)                                                                                       \
    typedef uint32_t words __attribute__((vector_size(4 * (lanes))));                                                  \
    typedef int32_t integers __attribute__((vector_size(4 * (lanes))));                                                \
    typedef float floats __attribute__((vector_size(4 * (lanes))));                                                    \
    for (unsigned row = 0; row < rows; row++, datums += ROW_DATUMS) {                                                  \
        const uint32_t base = exponents[row * exponent_step] - (uint32_t)EXPONENT_OF_64;                               \
        for (unsigned i = 0; i < ROW_DATUMS; i += (lanes)) {                                                           \
            const integers x = (integers)widen(datums + i), magnitude = x & 0x7F;                                      \
            const words bits = (words) __builtin_convertvector(magnitude, floats);                                     \
            const words zero = (words)(magnitude == 0), empty = (words)(x > magnitude);                                \
            const words exponent = (zero & empty) | (~zero & ((bits >> 23) + base));                                   \
            const words cell = (words)(x & 0x80) << 11 | (bits >> 5 & 0x3FF00) | (exponent & 0xFF);                    \
            memcpy(cells[row] + i, &cell, sizeof cell);                                                                \
        }                                                                                                              \
    }

#define WIDEN_8(bytes)                                                                                                 \
    (words)                                                                                                            \
    {                                                                                                                  \
        (bytes)[0], (bytes)[1], (bytes)[2], (bytes)[3], (bytes)[4], (bytes)[5], (bytes)[6], (bytes)[7]                 \
    }
static void bfp8_cells_plain(row_of_cells *restrict cells, unsigned rows, const uint8_t *restrict datums,
                             const uint8_t *restrict exponents, unsigned exponent_step)
{
    BFP8_CELLS(8, WIDEN_8);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static inline __m256i widen_avx2(const uint8_t *bytes)
{
    int64_t x;
    memcpy(&x, bytes, sizeof x);
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(x));
}
__attribute__((target("avx512f"))) static inline __m512i widen_avx512(const uint8_t *bytes)
{
    __m128i x;
    memcpy(&x, bytes, sizeof x);
    return _mm512_cvtepu8_epi32(x);
}
__attribute__((target("avx2"))) static void bfp8_cells_avx2(row_of_cells *restrict cells, unsigned rows,
                                                            const uint8_t *restrict datums,
                                                            const uint8_t *restrict exponents, unsigned exponent_step)
{
    BFP8_CELLS(8, widen_avx2);
}
__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))) static void
bfp8_cells_avx512(row_of_cells *restrict cells, unsigned rows, const uint8_t *restrict datums,
                  const uint8_t *restrict exponents, unsigned exponent_step)
{
    BFP8_CELLS(16, widen_avx512);
}
#endif

static void bfp8_cells(row_of_cells *cells, unsigned rows, const uint8_t *datums, const uint8_t *exponents,
                       unsigned exponent_step)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq")) {
        bfp8_cells_avx512(cells, rows, datums, exponents, exponent_step);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        bfp8_cells_avx2(cells, rows, datums, exponents, exponent_step);
        return;
    }
#endif
    bfp8_cells_plain(cells, rows, datums, exponents, exponent_step);
}

SIMD_CLONES void unpack_block_dst32(uint16_t (*restrict high)[ROW_DATUMS], uint16_t (*restrict low)[ROW_DATUMS],
                                    unsigned rows, const uint8_t *restrict datums)
{
    for (unsigned row = 0; row < rows; row++, datums += ROW_DATUMS * sizeof(uint32_t))
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            const uint32_t x = ((const loose32 *)datums)[i];
            const uint16_t upper = (uint16_t)(x >> 16);
            high[row][i] = (uint16_t)((upper & 0x8000) | (upper & 0x7F) << 8 | (upper >> 7 & 0xFF));
            low[row][i] = (uint16_t)x;
        }
}

void unpack_block_src(struct unpack_conversion c, uint32_t (*cells)[ROW_DATUMS], unsigned rows, const uint8_t *datums,
                      const uint8_t *exponents, unsigned exponent_step, int32_t pair_gap)
{
    const unsigned in = c.InDataFormat;
    if (in == FORMAT_BF16) {
        bf16_cells(cells, rows, datums, pair_gap);
    } else if (in == FORMAT_FP16) {
        fp16_cells(cells, rows, datums, pair_gap);
    } else if (in == FORMAT_INT16) {
        int16_cells(cells, rows, datums, pair_gap);
    } else if ((in == FORMAT_FP32 || in == FORMAT_TF32) && c.OutDataFormat == FORMAT_TF32) {
        tf32_cells(cells, rows, datums, pair_gap);
    } else if (in == FORMAT_BFP8 && pair_gap == 0) {
        bfp8_cells(cells, rows, datums, exponents, exponent_step);
    } else {
        const int32_t row_bytes = (int32_t)format_bits(in) * ROW_DATUMS / 8;
        for (unsigned i = 0; i < rows; i++) {
            unpack_row_src(c, cells[i], datums, exponents[i * exponent_step]);
            datums += row_bytes + (i & 1 ? pair_gap : 0);
        }
    }
}
