/* SPDX-License-Identifier: Apache-2.0 */
/* The packer's conversions, datum by datum: the references. */
#include "num/pack_convert.h"

#include "num/pack_steps.h"

enum pack_kind pack_kind_of(unsigned format)
{
    switch (format & 15) {
    case FORMAT_FP16:
    case FORMAT_FP8:
    case FORMAT_BFP8a:
    case FORMAT_BFP4a:
    case FORMAT_BFP2a: return PACK_E5;
    case FORMAT_INT32: return PACK_INT32;
    case FORMAT_INT16: return PACK_INT16;
    case FORMAT_INT8: return PACK_INT8;
    default: return PACK_E8;
    }
}

enum pack_kind pack_word_kind(struct pack_conversion c)
{
    const enum pack_kind kind = pack_kind_of(c.IntermediateFormat);
    return kind == PACK_E5 && c.Read_32b_data ? PACK_E8 : kind;
}

static bool is_late_only(unsigned format)
{
    return format_in(format, FORMAT_SET(FORMAT_BFP4) | FORMAT_SET(FORMAT_BFP2) | FORMAT_SET(FORMAT_BFP4a) |
                                 FORMAT_SET(FORMAT_BFP2a));
}

bool pack_early_exists(struct pack_conversion c)
{
    const unsigned format = c.IntermediateFormat;
    if (!format_exists(format) || is_late_only(format)) {
        return false;
    }
    if (c.Read_32b_data) {
        return format_in(format,
                         FORMATS_32BIT | FORMAT_SET(FORMAT_BF16) | FORMAT_SET(FORMAT_BFP8) | FORMAT_SET(FORMAT_INT8));
    }
    switch (format) {
    case FORMAT_INT32: return false;
    case FORMAT_FP32: return c.Round_10b_mant && !c.Read_raw;
    case FORMAT_TF32: return !c.Read_raw;
    case FORMAT_FP8: return c.Read_raw;
    case FORMAT_INT8: return c.Read_raw && !c.Read_unsigned;
    default: return true;
    }
}

bool pack_late_exists(struct pack_conversion c)
{
    const unsigned from = c.LateFromFormat, to = c.LateToFormat;
    if (!format_exists(from) || !format_exists(to) || is_late_only(from)) {
        return false;
    }
    if (pack_kind_of(from) > PACK_E5 || pack_kind_of(to) > PACK_E5) {
        return from == to;
    }
    return !(from == FORMAT_FP32 && to == FORMAT_TF32);
}

uint32_t pack_early(struct pack_conversion c, uint32_t cell)
{
    return c.Read_32b_data ? early_from_32(c, (struct dst32_cell){cell}) : early_from_16(c, (uint16_t)cell);
}

/* Any float to FP32, BF16 (as an FP32), TF32 (likewise). */
static uint32_t late_to_e8(unsigned from, uint32_t x, unsigned to_bits)
{
    if (pack_kind_of(from) == PACK_E5) {
        x = fp32_from_fp16_keep_zero_exponent((struct fp16){(uint16_t)x}).bits;
    }
    if (pack_mantissa_bits(from) > to_bits) {
        x = e8_flush(x);
    }
    return x & ~((UINT32_C(1) << (23 - to_bits)) - 1);
}

/* Any float to FP16 with to_bits bits of mantissa: FP16, E5M7 or FP8, each as an FP16. */
static uint32_t late_to_e5(unsigned from, uint32_t x, unsigned to_bits)
{
    if (pack_kind_of(from) == PACK_E8) {
        x = fp16_from_fp32_saturate_trunc((struct fp32){x}).bits;
    } else if (pack_mantissa_bits(from) > to_bits) {
        x = e5_flush(x);
    }
    return x & ~((1u << (10 - to_bits)) - 1);
}

uint32_t pack_late(struct pack_conversion c, uint32_t word)
{
    const unsigned from = pack_late_from(c);
    switch (c.LateToFormat) {
    case FORMAT_FP32: return late_to_e8(from, word, 23);
    case FORMAT_TF32: return late_to_e8(from, word, 10);
    case FORMAT_BF16: return late_to_e8(from, word, 7) >> 16;
    case FORMAT_FP16: return late_to_e5(from, word, 10);
    case FORMAT_FP8:
        return c.Exponent4b ? fp8_e4m3_from_fp16((struct fp16){(uint16_t)late_to_e5(from, word, 10)}).bits
                            : late_to_e5(from, word, 2) >> 8;
    case FORMAT_INT16: return word & 0xFFFF;
    case FORMAT_INT8: return word & 0xFF;
    default: return word; /* INT32 */
    }
}

uint8_t pack_late_bfp(struct pack_conversion c, const uint32_t words[ROW_DATUMS], uint8_t datums[ROW_DATUMS])
{
    const unsigned from = pack_late_from(c);
    const bool is_a = pack_kind_of(c.LateToFormat) == PACK_E5;
    uint32_t floats[ROW_DATUMS]; /* sign 15, exponent 14:7, mantissa 6:0 */
    uint32_t exponent = 0;
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        if (is_a) {
            const uint32_t x = late_to_e5(from, words[i], 7);
            floats[i] = (x & 0x8000) | (x & 0x7FFF) >> 3;
        } else {
            floats[i] = late_to_e8(from, words[i], 7) >> 16;
        }
        const uint32_t field = floats[i] >> 7 & 0xFF;
        exponent = field > exponent ? field : exponent;
    }
    const unsigned cut = 8 - format_bits(c.LateToFormat);
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        datums[i] = bfp_from_bf16((uint16_t)floats[i], exponent, cut);
    }
    return (uint8_t)exponent;
}
