/* SPDX-License-Identifier: Apache-2.0 */
/* FP32, TF32, BF16, FP16 and FP8 of the Tensix coprocessor into each other.  The name says what is lost: _trunc cuts off mantissa
 * bits, _flush makes zero of the same sign of a denormal, _saturate takes the largest magnitude for what is too large.
 * The baby cores' own FP16 and BF16, with IEEE rounding, are in f16.h. */
#ifndef KERR_NUM_FLOATS_H
#define KERR_NUM_FLOATS_H

#include "num/formats.h"

/* 8-bit exponents: what is narrower is the high bits of what is wider. */
static inline struct fp32 fp32_from_bf16(struct bf16 x)
{
    return (struct fp32){(uint32_t)x.bits << 16};
}
static inline struct fp32 fp32_from_tf32(struct tf32 x)
{
    return (struct fp32){x.bits << 13};
}
static inline struct tf32 tf32_from_bf16(struct bf16 x)
{
    return (struct tf32){(uint32_t)x.bits << 3};
}
/* Unpackers; denormals stay (manual UNPACR, FormatConversion). */
static inline struct tf32 tf32_from_fp32_trunc(struct fp32 x)
{
    return (struct tf32){x.bits >> 13};
}
static inline struct bf16 bf16_from_fp32_trunc(struct fp32 x)
{
    return (struct bf16){(uint16_t)(x.bits >> 16)};
}
static inline struct fp32 fp32_flush(struct fp32 x)
{
    return (struct fp32){x.bits & 0x7F800000u ? x.bits : x.bits & 0x80000000u};
}
/* Unpackers and SFPSTORE. */
static inline struct bf16 bf16_from_fp32_flush_trunc(struct fp32 x)
{
    return bf16_from_fp32_trunc(fp32_flush(x));
}

/* SFPSTORE (ToFP16): what is below 2^-14 becomes zero of the same sign, what is 2^17 or more (infinity and NaN too) becomes the
 * largest FP16. */
static inline struct fp16 fp16_from_fp32_flush_saturate_trunc(struct fp32 x)
{
    const uint32_t sign = x.bits >> 16 & 0x8000u;
    const uint32_t magnitude = x.bits & 0x7FFFFFFFu;
    const uint32_t kept = (magnitude >> 13) - (112u << 10);
    const uint32_t large = magnitude >= 144u << 23 ? 0x7FFFu : kept;
    return (struct fp16){(uint16_t)(sign | (magnitude < 113u << 23 ? 0 : large))};
}

/* Unpackers and the packer's late conversion.  What is 2^17 or more, infinity and NaN become the largest FP16; what is below 2^-15 becomes
 * zero of the same sign.  From 2^-15 up to 2^-14 the mantissa stays beside an exponent of 0, which the manual calls mishandled
 * (Packers/FormatConversion); it has no bits of the unpackers' FP32ToFP16, a reference shows the same there. */
static inline struct fp16 fp16_from_fp32_saturate_trunc(struct fp32 x)
{
    const uint32_t sign = x.bits >> 16 & 0x8000u;
    const uint32_t magnitude = x.bits & 0x7FFFFFFFu;
    const uint32_t kept = (magnitude >> 13) - (112u << 10);
    const uint32_t large = magnitude >= 144u << 23 ? 0x7FFFu : kept;
    return (struct fp16){(uint16_t)(sign | (magnitude < 112u << 23 ? 0 : large))};
}

/* SFPLOAD (ReadFP16 without ENABLE_FP16A_INF): exponent 0 stays 0, so a denormal becomes some other denormal. */
static inline struct fp32 fp32_from_fp16_keep_zero_exponent(struct fp16 x)
{
    const uint32_t sign = (uint32_t)(x.bits & 0x8000u) << 16;
    const uint32_t magnitude = (uint32_t)(x.bits & 0x7FFFu) << 13;
    return (struct fp32){sign | (magnitude + (x.bits & 0x7C00u ? 112u << 23 : 0))};
}
/* SFPLOADI: every exponent is rebiased, 0 as well. */
static inline struct fp32 fp32_from_fp16_rebias(struct fp16 x)
{
    const uint32_t sign = (uint32_t)(x.bits & 0x8000u) << 16;
    return (struct fp32){sign | (((uint32_t)(x.bits & 0x7FFFu) << 13) + (112u << 23))};
}

/* Unpackers (manual UNPACR d0ade26a, FormatConversion).  Blackhole: all ones means the largest magnitude, and stays it. */
static inline struct fp16 fp16_from_fp8_e5m2(struct fp8_e5m2 x)
{
    return (struct fp16){(uint16_t)(x.bits << 8 | ((x.bits & 0x7F) == 0x7F ? 0xFF : 0))};
}
static inline struct fp16 fp16_from_fp8_e4m3(struct fp8_e4m3 x)
{
    const uint32_t sign = (uint32_t)(x.bits & 0x80) << 8;
    const uint32_t magnitude = (uint32_t)(x.bits & 0x7F) << 7;
    const uint32_t rebias = x.bits & 0x78 ? 8u << 10 : 0;
    return (struct fp16){(uint16_t)(sign | (magnitude + rebias) | ((x.bits & 0x7F) == 0x7F ? 0x7F : 0))};
}

#endif
