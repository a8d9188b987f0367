/* SPDX-License-Identifier: Apache-2.0 */
/* The packer's conversions: one function for each cell of the manual's tables, chosen by the configuration. */
#include "num/pack_convert.h"

#include "num/dst_cells.h"
#include "num/floats.h"
#include "num/pack_round.h"

#include <string.h>

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

/* ---- early ---- */

static inline uint32_t early_from_32(struct pack_conversion c, struct dst32_cell cell)
{
    const uint32_t x = bits_from_dst32(cell);
    switch (c.IntermediateFormat) {
    case FORMAT_FP32: return c.Round_10b_mant && !c.Read_raw ? e8_round_mantissa(x, 10) : x;
    case FORMAT_TF32: return c.Read_raw ? x : e8_round_mantissa(x, 10);
    case FORMAT_BF16: return c.Read_raw ? x & 0xFFFF0000u : e8_round_mantissa(x, c.Round_10b_mant ? 10 : 7);
    case FORMAT_BFP8: return c.Read_raw ? x & 0xFFFF0000u : e8_round_mantissa(x, 6);
    case FORMAT_FP16:
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

uint32_t pack_early(struct pack_conversion c, uint32_t cell)
{
    return c.Read_32b_data ? early_from_32(c, (struct dst32_cell){cell}) : early_from_16(c, (uint16_t)cell);
}

/* ---- late ---- */

static inline unsigned mantissa_bits(unsigned format)
{
    switch (format & 15) {
    case FORMAT_FP32: return 23;
    case FORMAT_TF32:
    case FORMAT_FP16: return 10;
    case FORMAT_FP8: return 2;
    default: return 7; /* BF16, and BFP8 and BFP8a as the types with an exponent of their own */
    }
}

/* The kind of the word that arrives: LateFromFormat says it, except in the case of pack_word_kind. */
static inline enum pack_kind late_kind(struct pack_conversion c)
{
    const enum pack_kind kind = pack_kind_of(c.LateFromFormat);
    return kind == PACK_E5 && c.LateFromFormat == c.IntermediateFormat ? pack_word_kind(c) : kind;
}

/* Any float to FP32, BF16 (as an FP32), TF32 (likewise). */
static inline uint32_t late_to_e8(struct pack_conversion c, uint32_t x, unsigned to_bits)
{
    const bool narrows = mantissa_bits(c.LateFromFormat) > to_bits;
    if (late_kind(c) == PACK_E5) {
        x = fp32_from_fp16_keep_zero_exponent((struct fp16){(uint16_t)x}).bits;
    }
    if (narrows) {
        x = fp32_flush((struct fp32){x}).bits;
    }
    return x & ~((UINT32_C(1) << (23 - to_bits)) - 1);
}

/* Any float to FP16 with to_bits bits of mantissa: FP16, E5M7 or FP8, each as an FP16. */
static inline uint32_t late_to_e5(struct pack_conversion c, uint32_t x, unsigned to_bits)
{
    if (late_kind(c) == PACK_E8) {
        x = fp16_from_fp32_saturate_trunc((struct fp32){x}).bits;
    } else if (mantissa_bits(c.LateFromFormat) > to_bits) {
        x = x & 0x7C00 ? x : x & 0x8000;
    }
    return x & ~((1u << (10 - to_bits)) - 1);
}

uint32_t pack_late(struct pack_conversion c, uint32_t word)
{
    switch (c.LateToFormat) {
    case FORMAT_FP32: return late_to_e8(c, word, 23);
    case FORMAT_TF32: return late_to_e8(c, word, 10);
    case FORMAT_BF16: return late_to_e8(c, word, 7) >> 16;
    case FORMAT_FP16: return late_to_e5(c, word, 10);
    case FORMAT_FP8:
        return c.Exponent4b ? fp8_e4m3_from_fp16((struct fp16){(uint16_t)late_to_e5(c, word, 10)}).bits
                            : late_to_e5(c, word, 2) >> 8;
    case FORMAT_INT16: return word & 0xFFFF;
    case FORMAT_INT8: return word & 0xFF;
    default: return word; /* INT32 */
    }
}

uint8_t pack_late_bfp(struct pack_conversion c, const uint32_t words[ROW_DATUMS], uint8_t datums[ROW_DATUMS])
{
    const bool is_a = pack_kind_of(c.LateToFormat) == PACK_E5;
    uint32_t floats[ROW_DATUMS]; /* sign 15, exponent 14:7, mantissa 6:0 */
    uint32_t exponent = 0;
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        if (is_a) {
            const uint32_t x = late_to_e5(c, words[i], 7);
            floats[i] = (x & 0x8000) | (x & 0x7FFF) >> 3;
        } else {
            floats[i] = late_to_e8(c, words[i], 7) >> 16;
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

/* ---- rows ---- */

void pack_row_early_dst16(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t cells[ROW_DATUMS])
{
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        words[i] = early_from_16(c, cells[i]);
    }
}

void pack_row_early_dst32(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t high[ROW_DATUMS],
                          const uint16_t low[ROW_DATUMS])
{
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        words[i] = early_from_32(c, (struct dst32_cell){(uint32_t)high[i] << 16 | low[i]});
    }
}

unsigned pack_row_late(struct pack_conversion c, uint8_t bytes[4 * ROW_DATUMS], uint8_t *exponent,
                       const uint32_t words[ROW_DATUMS])
{
    const unsigned bits = format_bits(c.LateToFormat);
    if (format_is_bfp(c.LateToFormat)) {
        uint8_t datums[ROW_DATUMS];
        *exponent = pack_late_bfp(c, words, datums);
        memset(bytes, 0, 2 * bits);
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            bytes[i * bits / 8] |= (uint8_t)(datums[i] << i * bits % 8);
        }
        return 2 * bits;
    }
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        const uint32_t x = pack_late(c, words[i]);
        memcpy(bytes + i * bits / 8, &x, bits / 8); /* hosts are little endian */
    }
    return 2 * bits;
}
