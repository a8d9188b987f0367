/* SPDX-License-Identifier: Apache-2.0 */
/* The packer's conversions in rows of 16: loops without branches that compilers turn into vector code.  The configuration is looked at
 * once a row: each way through the steps of pack_steps.h becomes a loop of its own, since its arguments are constants. */
#include "num/pack_steps.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

INLINE void early16(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t cells[ROW_DATUMS])
{
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        words[i] = early_from_16(c, cells[i]);
    }
}

void pack_row_early_dst16(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t cells[ROW_DATUMS])
{
#define AS(format, raw, ten_bits)                                                                                      \
    early16((struct pack_conversion){.IntermediateFormat = format, .Read_raw = raw, .Round_10b_mant = ten_bits},       \
            words, cells)
    switch (c.IntermediateFormat) {
    case FORMAT_FP32:
    case FORMAT_TF32:
    case FORMAT_BF16: c.Read_raw ? AS(FORMAT_BF16, true, false) : AS(FORMAT_BF16, false, false); break;
    case FORMAT_BFP8: c.Read_raw ? AS(FORMAT_BFP8, true, false) : AS(FORMAT_BFP8, false, false); break;
    case FORMAT_FP16:
    case FORMAT_BFP8a:
    case FORMAT_FP8:
        if (c.Round_10b_mant && !c.Read_raw) {
            AS(FORMAT_FP16, false, true);
        } else if (c.IntermediateFormat == FORMAT_FP16) {
            c.Read_raw ? AS(FORMAT_FP16, true, false) : AS(FORMAT_FP16, false, false);
        } else if (c.IntermediateFormat == FORMAT_BFP8a) {
            c.Read_raw ? AS(FORMAT_BFP8a, true, false) : AS(FORMAT_BFP8a, false, false);
        } else {
            AS(FORMAT_FP8, true, false);
        }
        break;
    case FORMAT_INT8: AS(FORMAT_INT8, true, false); break;
    default: AS(FORMAT_INT16, true, false); break;
    }
#undef AS
}

INLINE void early32(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t high[ROW_DATUMS],
                    const uint16_t low[ROW_DATUMS])
{
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        words[i] = early_from_32(c, (struct dst32_cell){(uint32_t)high[i] << 16 | low[i]});
    }
}

void pack_row_early_dst32(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t high[ROW_DATUMS],
                          const uint16_t low[ROW_DATUMS])
{
#define AS(format, raw, ten_bits)                                                                                      \
    early32((struct pack_conversion){.IntermediateFormat = format, .Read_raw = raw, .Round_10b_mant = ten_bits},       \
            words, high, low)
    const bool ten_bits = c.Round_10b_mant && !c.Read_raw;
    switch (c.IntermediateFormat) {
    case FORMAT_FP32: ten_bits ? AS(FORMAT_TF32, false, false) : AS(FORMAT_INT32, true, false); break;
    case FORMAT_TF32:
    case FORMAT_FP16:
    case FORMAT_BFP8a:
    case FORMAT_FP8: c.Read_raw ? AS(FORMAT_INT32, true, false) : AS(FORMAT_TF32, false, false); break;
    case FORMAT_BF16:
        if (ten_bits) {
            AS(FORMAT_TF32, false, false);
        } else {
            c.Read_raw ? AS(FORMAT_BF16, true, false) : AS(FORMAT_BF16, false, false);
        }
        break;
    case FORMAT_BFP8: c.Read_raw ? AS(FORMAT_BFP8, true, false) : AS(FORMAT_BFP8, false, false); break;
    case FORMAT_INT8: early32(c, words, high, low); break;
    case FORMAT_INT16: AS(FORMAT_INT16, true, false); break;
    default: AS(FORMAT_INT32, true, false); break;
    }
#undef AS
}

/* ---- late ---- */

#define EACH(array, expression)                                                                                        \
    for (unsigned i = 0; i < ROW_DATUMS; i++) {                                                                        \
        const uint32_t x = words[i];                                                                                   \
        (array)[i] = expression;                                                                                       \
    }

/* As late_to_e8 of the reference, but for the bits that it clears. */
static void row_to_e8(unsigned from, uint32_t out[ROW_DATUMS], const uint32_t words[ROW_DATUMS], unsigned to_bits)
{
    const bool narrows = pack_mantissa_bits(from) > to_bits;
    if (pack_kind_of(from) == PACK_E5 && narrows) {
        EACH(out, e8_flush(fp32_from_fp16_keep_zero_exponent((struct fp16){(uint16_t)x}).bits));
    } else if (pack_kind_of(from) == PACK_E5) {
        EACH(out, fp32_from_fp16_keep_zero_exponent((struct fp16){(uint16_t)x}).bits);
    } else if (narrows) {
        EACH(out, e8_flush(x));
    } else {
        memcpy(out, words, ROW_DATUMS * sizeof out[0]);
    }
}

static void row_to_e5(unsigned from, uint16_t out[ROW_DATUMS], const uint32_t words[ROW_DATUMS], unsigned to_bits)
{
    if (pack_kind_of(from) == PACK_E8) {
        EACH(out, fp16_from_fp32_saturate_trunc((struct fp32){x}).bits);
    } else if (pack_mantissa_bits(from) > to_bits) {
        EACH(out, (uint16_t)e5_flush(x));
    } else {
        EACH(out, (uint16_t)x);
    }
}

/* Sign, 8 bits of exponent, 7 of mantissa to BFP8 with the exponent of the block; shifting by steps of 4, 2 and 1, since
 * vector units shift all datums by the same count. */
static uint16_t block(uint16_t datums[ROW_DATUMS], const uint16_t floats[ROW_DATUMS])
{
    uint16_t exponent = 0;
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        const uint16_t own = floats[i] >> 7 & 0xFF;
        exponent = own > exponent ? own : exponent;
    }
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        const uint16_t own = floats[i] >> 7 & 0xFF;
        const uint16_t down = (uint16_t)(exponent - own);
        uint16_t x = own ? (uint16_t)((floats[i] & 0x7F) | 0x80) : 0;
        x = down & 4 ? (uint16_t)(x >> 4) : x;
        x = down & 2 ? (uint16_t)(x >> 2) : x;
        x = down & 1 ? (uint16_t)(x >> 1) : x;
        x = down > 7 ? 0 : x;
        x = (uint16_t)((x + 1) >> 1);
        x = x > 127 ? 127 : x;
        datums[i] = (uint16_t)(x | (floats[i] >> 8 & 0x80));
    }
    return exponent;
}

static uint8_t row_to_bfp(unsigned from, unsigned to, uint8_t *bytes, const uint32_t words[ROW_DATUMS])
{
    uint16_t floats[ROW_DATUMS], datums[ROW_DATUMS];
    uint8_t out[ROW_DATUMS];
    if (pack_kind_of(to) == PACK_E5) {
        row_to_e5(from, floats, words, 7);
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            floats[i] = (uint16_t)((floats[i] & 0x8000) | (floats[i] & 0x7FF8) >> 3);
        }
    } else {
        uint32_t wide[ROW_DATUMS];
        row_to_e8(from, wide, words, 7);
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            floats[i] = (uint16_t)(wide[i] >> 16);
        }
    }
    const uint8_t exponent = (uint8_t)block(datums, floats);
    const unsigned bits = format_bits(to), cut = 8 - bits, magnitude = 0x7Fu >> cut;
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        const unsigned x = datums[i] >> cut;
        out[i] = (uint8_t)(x & magnitude ? x : 0); /* no sign without a magnitude */
    }
    const unsigned shared = 8 / bits;
    for (unsigned i = 0; i < 2 * bits; i++) {
        unsigned byte = 0;
        for (unsigned j = 0; j < shared; j++) {
            byte |= (unsigned)out[i * shared + j] << j * bits;
        }
        bytes[i] = (uint8_t)byte;
    }
    return exponent;
}

static void row_to_fp8(struct pack_conversion c, uint8_t *bytes, const uint32_t words[ROW_DATUMS])
{
    uint16_t half[ROW_DATUMS];
    row_to_e5(pack_late_from(c), half, words, c.Exponent4b ? 10 : 2);
    if (c.Exponent4b) {
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            bytes[i] = fp8_e4m3_from_fp16((struct fp16){half[i]}).bits;
        }
    } else {
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            bytes[i] = (uint8_t)(half[i] >> 8);
        }
    }
}

unsigned pack_row_late(struct pack_conversion c, uint8_t bytes[4 * ROW_DATUMS], uint8_t *exponent,
                       const uint32_t words[ROW_DATUMS])
{
    const unsigned from = pack_late_from(c);
    uint32_t wide[ROW_DATUMS];
    uint16_t half[ROW_DATUMS];
    switch (c.LateToFormat) {
    case FORMAT_FP32: row_to_e8(from, wide, words, 23); break;
    case FORMAT_TF32:
        row_to_e8(from, wide, words, 10);
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            wide[i] &= 0xFFFFE000u;
        }
        break;
    case FORMAT_BF16:
        row_to_e8(from, wide, words, 7);
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            half[i] = (uint16_t)(wide[i] >> 16);
        }
        break;
    case FORMAT_FP16: row_to_e5(from, half, words, 10); break;
    case FORMAT_INT16: EACH(half, (uint16_t)x); break;
    case FORMAT_FP8: row_to_fp8(c, bytes, words); return ROW_DATUMS;
    case FORMAT_INT8: EACH(bytes, (uint8_t)x); return ROW_DATUMS;
    case FORMAT_INT32: memcpy(wide, words, sizeof wide); break;
    default: *exponent = row_to_bfp(from, c.LateToFormat, bytes, words); return 2 * format_bits(c.LateToFormat);
    }
    if (format_bits(c.LateToFormat) == 32) {
        memcpy(bytes, wide, sizeof wide); /* hosts are little endian */
        return sizeof wide;
    }
    memcpy(bytes, half, sizeof half);
    return sizeof half;
}
