/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of 16 datums in the compilers' vector types (GNU C, as gcc and clang have them): 8 lanes of 16 bits or 4 of 32, the width that every
 * 64-bit host has.  A comparison gives lanes of all ones or all zeros. */
#ifndef KERR_NUM_VEC_H
#define KERR_NUM_VEC_H

#include <stdint.h>
#include <string.h>

typedef uint8_t vec8x8 __attribute__((vector_size(8)));
typedef uint16_t vec8x16 __attribute__((vector_size(16)));
typedef uint32_t vec4x32 __attribute__((vector_size(16)));
typedef uint16_t vec4x16 __attribute__((vector_size(8)));

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
VEC_INLINE vec4x32 vec_load32(const void *from)
{
    vec4x32 x;
    memcpy(&x, from, sizeof x);
    return x;
}
VEC_INLINE void vec_store32(void *to, vec4x32 x)
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
/* 8 lanes of 16 bits as the low halves of 8 words; _high: as the high ones. */
VEC_INLINE void vec_store_wide(uint32_t *to, vec8x16 x)
{
    vec4x16 half[2];
    memcpy(half, &x, sizeof x);
    vec_store32(to, __builtin_convertvector(half[0], vec4x32));
    vec_store32(to + 4, __builtin_convertvector(half[1], vec4x32));
}
VEC_INLINE void vec_store_wide_high(uint32_t *to, vec8x16 x)
{
    vec4x16 half[2];
    memcpy(half, &x, sizeof x);
    vec_store32(to, __builtin_convertvector(half[0], vec4x32) << 16);
    vec_store32(to + 4, __builtin_convertvector(half[1], vec4x32) << 16);
}
/* The low halves of 8 words; _high: the high ones. */
VEC_INLINE vec8x16 vec_load_narrow(const uint32_t *from)
{
    vec4x16 half[2] = {__builtin_convertvector(vec_load32(from), vec4x16),
                       __builtin_convertvector(vec_load32(from + 4), vec4x16)};
    vec8x16 x;
    memcpy(&x, half, sizeof x);
    return x;
}
VEC_INLINE vec8x16 vec_load_narrow_high(const uint32_t *from)
{
    vec4x16 half[2] = {__builtin_convertvector(vec_load32(from) >> 16, vec4x16),
                       __builtin_convertvector(vec_load32(from + 4) >> 16, vec4x16)};
    vec8x16 x;
    memcpy(&x, half, sizeof x);
    return x;
}
VEC_INLINE vec8x16 vec_select16(vec8x16 where, vec8x16 yes, vec8x16 no)
{
    return (where & yes) | (~where & no);
}

#endif
