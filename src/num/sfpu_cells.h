/* SPDX-License-Identifier: Apache-2.0 */
/* What SFPLOAD and SFPSTORE make of a datum (manual SFPLOAD, SFPSTORE: "Data type conversions").  Modes 0 (SRCB, resolved to FP16,
 * BF16 or FP32 before) and those that keep half of an LReg are the instruction's own business. */
#ifndef KERR_NUM_SFPU_CELLS_H
#define KERR_NUM_SFPU_CELLS_H

#include "num/dst_cells.h"
#include "num/floats.h"
#include "num/formats.h"

enum sfpu_mod0_fmt {
    MOD0_FMT_SRCB = 0,
    MOD0_FMT_FP16 = 1,
    MOD0_FMT_BF16 = 2,
    MOD0_FMT_FP32 = 3,
    MOD0_FMT_INT32 = 4,
    MOD0_FMT_INT8 = 5,
    MOD0_FMT_UINT16 = 6,
    MOD0_FMT_HI16 = 7,
    MOD0_FMT_INT16 = 8,
    MOD0_FMT_LO16 = 9,
    MOD0_FMT_INT32_ALL = 10,
    MOD0_FMT_ZERO = 11,
    MOD0_FMT_INT32_SM = 12,
    MOD0_FMT_INT8_COMP = 13,
    MOD0_FMT_LO16_ONLY = 14,
    MOD0_FMT_HI16_ONLY = 15,
};

/* SFPLOAD. */
/* ENABLE_FP16A_INF: the largest magnitude means infinity. */
static inline uint32_t lreg_from_dst16_fp16(struct dst16_cell x, bool ENABLE_FP16A_INF)
{
    const struct fp16 value = fp16_from_dst16(x);
    if (ENABLE_FP16A_INF && (value.bits & 0x7FFF) == 0x7FFF) {
        return (uint32_t)(value.bits & 0x8000u) << 16 | 0x7F800000u;
    }
    return fp32_from_fp16_keep_zero_exponent(value).bits;
}
static inline uint32_t lreg_from_dst16_bf16(struct dst16_cell x)
{
    return fp32_from_bf16(bf16_from_dst16(x)).bits;
}
static inline uint32_t lreg_from_dst32(struct dst32_cell x)
{
    return bits_from_dst32(x);
}
static inline uint32_t lreg_from_dst16_int8(struct dst16_cell x)
{
    return (uint32_t)(x.bits & 0x8000u) << 16 | (x.bits >> 5 & 0xFFu);
}
static inline uint32_t lreg_from_dst16_int8_comp(struct dst16_cell x)
{
    return (uint32_t)(x.bits & 0x8000u) << 16 | (x.bits >> 5 & 0x3FFu);
}
static inline uint32_t lreg_from_dst16_int16(struct dst16_cell x)
{
    return (uint32_t)(x.bits & 0x8000u) << 16 | (x.bits & 0x7FFFu);
}

/* SFPSTORE. */
static inline struct dst16_cell dst16_from_lreg_fp16(uint32_t x)
{
    return dst16_from_fp16(fp16_from_fp32_flush_saturate_trunc((struct fp32){x}));
}
static inline struct dst16_cell dst16_from_lreg_bf16(uint32_t x)
{
    return dst16_from_bf16(bf16_from_fp32_flush_trunc((struct fp32){x}));
}
static inline struct dst32_cell dst32_from_lreg_fp32(uint32_t x)
{
    return dst32_from_fp32(fp32_flush((struct fp32){x}));
}
static inline struct dst32_cell dst32_from_lreg_int32(uint32_t x)
{
    return dst32_from_bits(x);
}
static inline struct dst16_cell dst16_from_lreg_int8(uint32_t x)
{
    return dst16_from_integer8(x >> 31, x);
}
static inline struct dst16_cell dst16_from_lreg_int16(uint32_t x)
{
    return (struct dst16_cell){(uint16_t)(x >> 31 << 15 | (x & 0x7FFFu))};
}
/* LO16: both halves, exchanged and without the exponent's order; HI16: the same without the exchange. */
static inline struct dst32_cell dst32_from_lreg_lo16(uint32_t x)
{
    return (struct dst32_cell){x << 16 | x >> 16};
}
static inline struct dst32_cell dst32_from_lreg_hi16(uint32_t x)
{
    return (struct dst32_cell){x};
}

#endif
