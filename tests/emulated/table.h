/* SPDX-License-Identifier: Apache-2.0 */
/* The table of intrinsics.h, by whatever <immintrin.h> is included before: TABLE its name, TARGET what its functions are compiled for. */
#include "intrinsics.h"

#include <string.h>

/* What an expression is made of: vectors of integers, of floats, and a mask. */
#define OPERANDS                                                                                                       \
    const __m512i a = _mm512_loadu_si512(&in->vector[0]), b = _mm512_loadu_si512(&in->vector[1]),                      \
                  c = _mm512_loadu_si512(&in->vector[2]);                                                              \
    const __m512 x = (__m512)a, y = (__m512)b, z = (__m512)c;                                                          \
    const __m256i p = _mm512_castsi512_si256(a), q = _mm512_castsi512_si256(b), r = _mm512_castsi512_si256(c);         \
    const __m256 f = (__m256)p, g = (__m256)q, h = (__m256)r;                                                          \
    const __mmask32 k = in->mask;                                                                                      \
    const __mmask16 k16 = (__mmask16)in->mask;                                                                         \
    (void)a, (void)b, (void)c, (void)x, (void)y, (void)z, (void)k, (void)k16, (void)p, (void)q, (void)r, (void)f,      \
        (void)g, (void)h;

#define SOME(type, id, expression)                                                                                     \
    TARGET static void id(const struct intrinsic_in *in, uint32_t result[16])                                          \
    {                                                                                                                  \
        OPERANDS                                                                                                       \
        const type is = (expression);                                                                                  \
        memset(result, 0, 64);                                                                                         \
        memcpy(result, &is, sizeof is);                                                                                \
    }
#define INTEGER(id, expression) SOME(__m512i, id, expression)
#define FLOAT(id, expression) SOME(__m512, id, expression)
#define HALF(id, expression) SOME(__m256i, id, expression)
#define HALF_FLOAT(id, expression) SOME(__m256, id, expression)
#define PIECE(id, expression) SOME(__m128i, id, expression)
#define MASKED(id, expression) SOME(uint32_t, id, expression)
#include "intrinsics.inc"
#undef INTEGER
#undef FLOAT
#undef HALF
#undef HALF_FLOAT
#undef PIECE
#undef MASKED

const struct intrinsic TABLE(intrinsics)[] = {
#define INTEGER(id, expression) {#expression, id, 0},
#define FLOAT(id, expression) {#expression, id, 1},
#define HALF(id, expression) {#expression, id, 0},
#define HALF_FLOAT(id, expression) {#expression, id, 1},
#define PIECE(id, expression) {#expression, id, 0},
#define MASKED(id, expression) {#expression, id, 0},
#include "intrinsics.inc"
};
const unsigned TABLE(intrinsics_count) = sizeof TABLE(intrinsics) / sizeof *TABLE(intrinsics);
