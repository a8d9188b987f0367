/* SPDX-License-Identifier: Apache-2.0 */
/* FP32 on bits, for the baby cores: comparison, minimum and maximum, classification and integer conversion.
 * Sums and products are in fma.h.  Denormals are ordinary values here: the manual flushes them only in
 * sums and products (BabyRISCV/InstructionSet).  Flags are those of the RISC-V F extension. */
#ifndef KERR_NUM_F32_H
#define KERR_NUM_F32_H

#include <stdbool.h>
#include <stdint.h>

/* fcsr 4:0 */
#define F32_INEXACT 0x01u
#define F32_UNDERFLOW 0x02u
#define F32_OVERFLOW 0x04u
#define F32_DIVIDE_BY_ZERO 0x08u /* never raised: there is no divide */
#define F32_INVALID 0x10u

#define F32_SIGN 0x80000000u
#define F32_INFINITY 0x7f800000u
#define F32_NAN 0x7fc00000u /* canonical: positive, quiet, empty payload */
#define F32_ONE 0x3f800000u

typedef enum f32_rounding { F32_NEAREST_EVEN, F32_TOWARDS_ZERO } f32_rounding;

static inline bool f32_is_nan(uint32_t x)
{
    return (x & ~F32_SIGN) > F32_INFINITY;
}

static inline bool f32_is_signaling(uint32_t x)
{
    return f32_is_nan(x) && !(x & 0x00400000u);
}

static inline bool f32_is_denormal_or_zero(uint32_t x)
{
    return (x & F32_INFINITY) == 0;
}

/* Denormals to zero of the same sign. */
static inline uint32_t f32_flush(uint32_t x)
{
    return f32_is_denormal_or_zero(x) ? x & F32_SIGN : x;
}

/* Sign injection takes the magnitude of x, so no value is inspected and no flag is raised. */
static inline uint32_t f32_sgnj(uint32_t x, uint32_t y)
{
    return (x & ~F32_SIGN) | (y & F32_SIGN);
}

static inline uint32_t f32_sgnjn(uint32_t x, uint32_t y)
{
    return (x & ~F32_SIGN) | (~y & F32_SIGN);
}

static inline uint32_t f32_sgnjx(uint32_t x, uint32_t y)
{
    return x ^ (y & F32_SIGN);
}

/* eq is quiet (invalid for signaling NaN only), lt and le are signaling.  Flags are or-ed into *flags. */
bool f32_eq(uint32_t x, uint32_t y, uint32_t *flags);
bool f32_lt(uint32_t x, uint32_t y, uint32_t *flags);
bool f32_le(uint32_t x, uint32_t y, uint32_t *flags);

/* IEEE 754-2019 minimumNumber and maximumNumber: -0 is less than +0, a NaN loses against a number. */
uint32_t f32_min(uint32_t x, uint32_t y, uint32_t *flags);
uint32_t f32_max(uint32_t x, uint32_t y, uint32_t *flags);

/* The ten-bit mask of FCLASS. */
uint32_t f32_classify(uint32_t x);

/* To an integer of `bits` bits (8, 16 or 32), saturating; NaN gives the largest value.  The result is sign- or
 * zero-extended to 32 bits. */
uint32_t f32_to_int(uint32_t x, unsigned bits, bool is_signed, f32_rounding rounding, uint32_t *flags);
uint32_t f32_from_int(uint32_t x, bool is_signed, uint32_t *flags);

#endif
