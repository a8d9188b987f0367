/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of the packer's conversions, for its references (pack_convert.c) and its rows (pack_rows.c). */
#ifndef KERR_NUM_PACK_STEPS_H
#define KERR_NUM_PACK_STEPS_H

#include "num/dst_cells.h"
#include "num/floats.h"
#include "num/pack_convert.h"
#include "num/pack_round.h"

/* Early: one function for each column of the manual's table. */
static inline uint32_t early_from_32(struct pack_conversion c, struct dst32_cell cell)
{
    const uint32_t x = bits_from_dst32(cell);
    switch (c.IntermediateFormat) {
    case FORMAT_FP32: return c.Round_10b_mant && !c.Read_raw ? e8_round_mantissa(x, 10) : x;
    case FORMAT_TF32: return c.Read_raw ? x : e8_round_mantissa(x, 10);
    case FORMAT_BF16: return c.Read_raw ? x & 0xFFFF0000u : e8_round_mantissa(x, c.Round_10b_mant ? 10 : 7);
    case FORMAT_BFP8: return c.Read_raw ? x & 0xFFFF0000u : e8_round_mantissa(x, 6);
    case FORMAT_FP16:
    case FORMAT_BFP8a:
    case FORMAT_FP8: return c.Read_raw ? x : e8_round_mantissa(x, 10); /* the late conversion makes FP16 of it */
    case FORMAT_INT8:
        if (c.Read_raw) {
            return c.Read_unsigned ? x & 0xFF : (x >> 24 & 0x80) | (x & 0x7F);
        }
        return c.Read_unsigned ? uint8_from_int32_descale(x, c.ShiftAmount) : int8_from_int32_descale(x, c.ShiftAmount);
    case FORMAT_INT16: return cell.bits >> 16; /* as it stands in Dst */
    default: return x;                         /* INT32 */
    }
}

static inline uint32_t early_from_bf16(struct pack_conversion c, uint32_t x)
{
    if (c.Read_raw) {
        return x;
    }
    return e8_flush_round_mantissa(x, c.IntermediateFormat == FORMAT_BFP8 ? 6 : 7);
}

static inline uint32_t early_from_fp16(struct pack_conversion c, uint32_t x)
{
    switch (c.IntermediateFormat) {
    case FORMAT_BFP8a: return c.Read_raw ? x & 0xFFF8 : e5_round_mantissa(x, 6);
    case FORMAT_FP8: return x & 0xFF00;
    default: return c.Read_raw ? x : e5_round_mantissa(x, 10);
    }
}

static inline uint32_t early_from_16(struct pack_conversion c, uint16_t cell)
{
    const struct dst16_cell x = {cell};
    switch (pack_kind_of(c.IntermediateFormat)) {
    case PACK_E8: return early_from_bf16(c, fp32_from_bf16(bf16_from_dst16(x)).bits);
    case PACK_E5:
        if (c.Round_10b_mant &&
            !c.Read_raw) { /* Dst holds BF16; no flush, no rounding (a reference, for FP8 in e4m3) */
            return fp16_from_fp32_saturate_trunc(fp32_from_bf16(bf16_from_dst16(x))).bits;
        }
        return early_from_fp16(c, fp16_from_dst16(x).bits);
    case PACK_INT8: return x.bits >> 8 & 0x80; /* the sign only */
    default: return x.bits;
    }
}

/* Late.  What arrives, as a format that says its exponent and its mantissa: BFP8 and BFP8a are here types with an exponent of their own,
 * and what pack_word_kind is about is a TF32. */
static inline unsigned pack_late_from(struct pack_conversion c)
{
    if (pack_kind_of(c.LateFromFormat) == PACK_E5 && c.LateFromFormat == c.IntermediateFormat && c.Read_32b_data) {
        return FORMAT_TF32;
    }
    return c.LateFromFormat == FORMAT_BFP8 ? FORMAT_BF16 : c.LateFromFormat;
}

static inline unsigned pack_mantissa_bits(unsigned from)
{
    switch (from) {
    case FORMAT_FP32: return 23;
    case FORMAT_TF32:
    case FORMAT_FP16: return 10;
    case FORMAT_FP8: return 2;
    default: return 7; /* BF16, E5M7 */
    }
}

/* Denormals, where the mantissa narrows.  With eight bits of exponent the sign stays: two p150a packed -0 from FP32 to BF16 as -0, and
 * denormals to zeros of their sign (metalium-rs, step74).  OPEN: with five bits; +0 here.  Would settle it: a card with Read_raw. */
static inline uint32_t e8_flush(uint32_t x)
{
    return x & 0x7F800000u ? x : x & 0x80000000u;
}
static inline uint32_t e5_flush(uint32_t x)
{
    return x & 0x7C00u ? x : 0;
}

#endif
