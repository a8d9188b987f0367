/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of 16 datums in the compilers' vector types (GNU C, as gcc and clang have them): 8 lanes of 16 bits, the width that every 64-bit host
 * has.  A comparison gives lanes of all ones or all zeros. */
#ifndef KERR_NUM_VEC_H
#define KERR_NUM_VEC_H

#include <stdint.h>
#include <string.h>

typedef uint8_t vec8x8 __attribute__((vector_size(8)));
typedef uint16_t vec8x16 __attribute__((vector_size(16)));
typedef int16_t vec8s16 __attribute__((vector_size(16)));

#define VEC_INLINE static inline __attribute__((always_inline))

VEC_INLINE vec8x16 vec_load16(const void *from)
{
    vec8x16 x;
    memcpy(&x, from, sizeof x);
    return x;
}
VEC_INLINE void vec_store16(void *to, vec8x16 x)
{
    memcpy(to, &x, sizeof x);
}
/* 8 bytes, each zero-extended. */
VEC_INLINE vec8x16 vec_load8(const void *from)
{
    vec8x8 x;
    memcpy(&x, from, sizeof x);
    return __builtin_convertvector(x, vec8x16);
}
/* The low bytes. */
VEC_INLINE void vec_store8(void *to, vec8x16 x)
{
    const vec8x8 low = __builtin_convertvector(x, vec8x8);
    memcpy(to, &low, sizeof low);
}
/* Lanes of two vectors by number, those of the second count from 8. */
#if defined(__clang__) || __GNUC__ >= 12
#define VEC_SHUFFLE(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define VEC_SHUFFLE(x, y, ...) __builtin_shuffle(x, y, (vec8x16){__VA_ARGS__})
#endif

/* 8 lanes of 16 bits as the low halves of 8 words; _high: as the high ones.  Hosts are little endian. */
VEC_INLINE void vec_store_wide(uint32_t *to, vec8x16 x)
{
    const vec8x16 zero = {0};
    vec_store16(to, VEC_SHUFFLE(x, zero, 0, 8, 1, 9, 2, 10, 3, 11));
    vec_store16(to + 4, VEC_SHUFFLE(x, zero, 4, 12, 5, 13, 6, 14, 7, 15));
}
VEC_INLINE void vec_store_wide_high(uint32_t *to, vec8x16 x)
{
    const vec8x16 zero = {0};
    vec_store16(to, VEC_SHUFFLE(zero, x, 0, 8, 1, 9, 2, 10, 3, 11));
    vec_store16(to + 4, VEC_SHUFFLE(zero, x, 4, 12, 5, 13, 6, 14, 7, 15));
}
/* The low halves of 8 words; _high: the high ones. */
VEC_INLINE vec8x16 vec_load_narrow(const uint32_t *from)
{
    return VEC_SHUFFLE(vec_load16(from), vec_load16(from + 4), 0, 2, 4, 6, 8, 10, 12, 14);
}
VEC_INLINE vec8x16 vec_load_narrow_high(const uint32_t *from)
{
    return VEC_SHUFFLE(vec_load16(from), vec_load16(from + 4), 1, 3, 5, 7, 9, 11, 13, 15);
}
VEC_INLINE vec8x16 vec_select16(vec8x16 where, vec8x16 yes, vec8x16 no)
{
    return (where & yes) | (~where & no);
}

#endif
