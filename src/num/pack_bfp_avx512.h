/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of Dst to BFP8 with AVX-512, two in a vector: what way_bfp of pack_rows.c does with eight bits for cells of 16 bits.  Included by
 * pack_rows.c alone, which tests/unit/num compares with the reference. */
#ifndef KERR_NUM_PACK_BFP_AVX512_H
#define KERR_NUM_PACK_BFP_AVX512_H

#include "num/formats.h"

#include <immintrin.h>

#define PACK_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

static inline bool pack_has_avx512(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}

/* The largest of each half, in all of its lanes. */
PACK_AVX512 static inline __m512i largest_of_rows(__m512i x)
{
    x = _mm512_max_epu16(x, _mm512_permutex_epi64(x, 0x4E));
    x = _mm512_max_epu16(x, _mm512_shuffle_epi32(x, 0x4E));
    x = _mm512_max_epu16(x, _mm512_shuffle_epi32(x, 0xB1));
    return _mm512_max_epu16(x, _mm512_rol_epi32(x, 16));
}

/* 32 cells; the exponents of both rows are in all lanes of *exponents. */
PACK_AVX512 static inline __m256i bfp8_of_rows(__m512i cells, bool to_six_bits, __m512i *exponents)
{
    const __m512i low = _mm512_set1_epi16(0x7F);
    /* bf16_cells, round_bf16: more than infinity becomes infinity, no exponent becomes zero. */
    __m512i x = _mm512_or_si512(_mm512_and_si512(_mm512_slli_epi16(cells, 7), _mm512_set1_epi16(0x7F80)),
                                _mm512_and_si512(_mm512_srli_epi16(cells, 8), low));
    x = _mm512_min_epu16(x, _mm512_set1_epi16(0x7F80));
    const __mmask32 normal = _mm512_cmpgt_epu16_mask(x, low);
    if (to_six_bits)
        x = _mm512_and_si512(_mm512_add_epi16(x, _mm512_set1_epi16(1)), _mm512_set1_epi16(-2));
    x = _mm512_maskz_mov_epi16(normal, x);
    /* block_of */
    const __m512i own = _mm512_srli_epi16(x, 7);
    *exponents = largest_of_rows(own);
    __m512i m = _mm512_maskz_mov_epi16(normal, _mm512_or_si512(_mm512_and_si512(x, low), _mm512_set1_epi16(0x80)));
    m = _mm512_srlv_epi16(m, _mm512_sub_epi16(*exponents, own));
    m = _mm512_avg_epu16(m, _mm512_setzero_si512());
    m = _mm512_sub_epi16(m, _mm512_srli_epi16(m, 7));
    const __m512i sign = _mm512_and_si512(_mm512_srli_epi16(cells, 8), _mm512_set1_epi16(0x80));
    return _mm512_cvtepi16_epi8(_mm512_or_si512(m, _mm512_maskz_mov_epi16(_mm512_test_epi16_mask(m, m), sign)));
}

/* 64 bytes of two rows of 16 cells each. */
PACK_AVX512 static inline __m512i two_rows(const uint16_t *first, const uint16_t *second)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const void *)first)),
                              _mm256_loadu_si256((const void *)second), 1);
}

PACK_AVX512 static void bfp8_rows_avx512(bool to_six_bits, unsigned rows, uint8_t *bytes, uint8_t *exponents,
                                         const uint16_t *const cells[])
{
    __m512i exponent;
    unsigned k = 0;
    for (; k + 2 <= rows; k += 2) {
        const __m256i datums = bfp8_of_rows(two_rows(cells[k], cells[k + 1]), to_six_bits, &exponent);
        _mm256_storeu_si256((void *)(bytes + ROW_DATUMS * k), datums);
        exponents[k] = (uint8_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(exponent));
        exponents[k + 1] = (uint8_t)_mm_cvtsi128_si32(_mm512_extracti32x4_epi32(exponent, 2));
    }
    if (k < rows) {
        const __m256i datums = bfp8_of_rows(two_rows(cells[k], cells[k]), to_six_bits, &exponent);
        _mm_storeu_si128((void *)(bytes + ROW_DATUMS * k), _mm256_castsi256_si128(datums));
        exponents[k] = (uint8_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(exponent));
    }
}

#endif
