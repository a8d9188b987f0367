/* SPDX-License-Identifier: Apache-2.0 */
/* The Blackhole multiply-add of the baby cores and of the Vector Unit (manual Miscellaneous/FMA).  It is fused only in
 * part: the product keeps three bits below an FP32 significand, the lowest of them sticky, and the sum is rounded
 * once. */
#ifndef KERR_NUM_FMA_H
#define KERR_NUM_FMA_H

#include "num/f32.h"

#include <stdbool.h>
#include <stdint.h>

#define FMA_ROUND_BITS 3 /* guard, round, sticky */

/* x * y + z before the one rounding step. */
typedef struct fma_sum {
    bool is_final;        /* nothing to round: bits is the result (NaN, infinity, zero or z itself) */
    bool is_overflow;     /* is_final, and bits is the infinity of a finite product that is too large */
    bool inexact;         /* something nonzero was cut off; it need not show in significand */
    uint32_t bits;        /* an FP32 value where is_final, else the sign alone */
    int exponent;         /* biased by 127; may be outside 1..254 */
    uint32_t significand; /* leading one at bit 26; bit 0 is sticky */
    uint32_t flags;       /* invalid operation */
} fma_sum;

fma_sum fma_sum_f32(uint32_t x, uint32_t y, uint32_t z);

/* x * y + z, to nearest even, denormals are zero in and out.  Flags of the RISC-V F extension are or-ed in. */
uint32_t fma_f32(uint32_t x, uint32_t y, uint32_t z, uint32_t *flags);

/* The two-operand forms go through the same hardware: x + y = x * 1 + y, x * y = x * y + (-0). */
static inline uint32_t fma_f32_add(uint32_t x, uint32_t y, uint32_t *flags)
{
    return fma_f32(x, F32_ONE, y, flags);
}

static inline uint32_t fma_f32_mul(uint32_t x, uint32_t y, uint32_t *flags)
{
    return fma_f32(x, y, F32_SIGN, flags);
}

#endif
