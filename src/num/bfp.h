/* SPDX-License-Identifier: Apache-2.0 */
/* Block floats to BF16 and FP16 (manual WormholeB0 FloatBitPatterns "Conversion routines").  A sign without magnitude is the largest
 * negative number that the exponent field can say, not zero. */
#ifndef KERR_NUM_BFP_H
#define KERR_NUM_BFP_H

#include "num/formats.h"

static inline struct bf16 bf16_from_bfp8(struct bfp8 x, uint8_t exponent)
{
    const uint32_t sign = (uint32_t)(x.bits & 0x80) << 8;
    const uint32_t magnitude = (uint32_t)x.bits << 1 & 0xFF;
    if (magnitude == 0) {
        return (struct bf16){sign ? 0xFF80 : 0};
    }
    const unsigned zeros = (unsigned)__builtin_clz(magnitude) - 24;
    const uint32_t mantissa = magnitude << zeros & 0x7E;
    return (struct bf16){(uint16_t)(sign | ((exponent - zeros) & 0xFF) << 7 | mantissa)};
}
static inline struct bf16 bf16_from_bfp4(struct bfp4 x, uint8_t exponent)
{
    return bf16_from_bfp8((struct bfp8){(uint8_t)(x.bits << 4)}, exponent);
}
static inline struct bf16 bf16_from_bfp2(struct bfp2 x, uint8_t exponent)
{
    return bf16_from_bfp8((struct bfp8){(uint8_t)(x.bits << 6)}, exponent);
}

/* The manual calls an exponent undefined that has a bit above the fifth after normalisation: bfp8a_exponent_fits.  The result
 * then has the low five bits of it. */
static inline bool bfp8a_exponent_fits(struct bfp8a x, uint8_t exponent)
{
    const uint32_t magnitude = (uint32_t)x.bits << 1 & 0xFF;
    return magnitude == 0 || !((exponent - ((unsigned)__builtin_clz(magnitude) - 24)) & 0xE0);
}
static inline struct fp16 fp16_from_bfp8a(struct bfp8a x, uint8_t exponent)
{
    const uint32_t sign = (uint32_t)(x.bits & 0x80) << 8;
    const uint32_t magnitude = (uint32_t)x.bits << 1 & 0xFF;
    if (magnitude == 0) {
        return (struct fp16){sign ? 0xFC00 : 0};
    }
    const unsigned zeros = (unsigned)__builtin_clz(magnitude) - 24;
    const uint32_t mantissa = (magnitude << zeros & 0x7E) << 3;
    return (struct fp16){(uint16_t)(sign | ((exponent - zeros) & 0x1F) << 10 | mantissa)};
}
static inline struct fp16 fp16_from_bfp4a(struct bfp4a x, uint8_t exponent)
{
    return fp16_from_bfp8a((struct bfp8a){(uint8_t)(x.bits << 4)}, exponent);
}
static inline struct fp16 fp16_from_bfp2a(struct bfp2a x, uint8_t exponent)
{
    return fp16_from_bfp8a((struct bfp8a){(uint8_t)(x.bits << 6)}, exponent);
}

#endif
