/* SPDX-License-Identifier: Apache-2.0 */
/* FormatConversion of the unpackers: the reference that goes datum by datum, and rows of 16 that compilers turn into vector code. */
#include "num/unpack_convert.h"

#include "num/bfp.h"
#include "num/dst_cells.h"
#include "num/floats.h"
#include "num/src_cells.h"
#include "num/vec.h"

#include <string.h>

bool unpack_pair_exists(struct unpack_conversion c)
{
    const unsigned in = c.InDataFormat, out = c.OutDataFormat;
    if (!format_exists(in) || !format_exists(out)) {
        return false;
    }
    if (in == FORMAT_FP32) {
        return out == FORMAT_TF32 || out == FORMAT_BF16 || out == FORMAT_FP16 || (out == FORMAT_FP32 && c.UnpackToDst);
    }
    if (in != out) {
        return false;
    }
    return c.UnpackToDst || !format_in(in, FORMATS_32BIT);
}

bool unpack_pair_has_meaning(struct unpack_conversion c)
{
    if (unpack_pair_exists(c)) {
        return true;
    }
    const unsigned in = c.InDataFormat, out = c.OutDataFormat;
    if (!format_exists(in) || !format_exists(out)) {
        return false;
    }
    const uint32_t as_fp16 = FORMATS_BFP_5B_EXPONENT | FORMAT_SET(FORMAT_FP16) | FORMAT_SET(FORMAT_FP8);
    if (in == FORMAT_TF32) {
        return out == FORMAT_BF16 || out == FORMAT_FP16 || (out == FORMAT_TF32 && !c.UnpackToDst) ||
               (out == FORMAT_FP32 && c.UnpackToDst);
    }
    if (in == FORMAT_BF16) {
        return out == FORMAT_TF32 && !c.UnpackToDst;
    }
    if (format_in(in, FORMATS_BFP_8B_EXPONENT)) {
        return out == FORMAT_BF16 || out == FORMAT_BFP8 || (out == FORMAT_TF32 && !c.UnpackToDst);
    }
    return format_in(in, as_fp16) && out == FORMAT_FP16;
}

enum unpack_target unpack_target_of(struct unpack_conversion c)
{
    if (!c.UnpackToDst) {
        return UNPACK_TO_SRC;
    }
    return format_in(c.OutDataFormat, FORMATS_32BIT) ? UNPACK_TO_DST32 : UNPACK_TO_DST16;
}

/* INT8 becomes Integer "8", overlaid onto FP16: exponent 16, or 0 for magnitude 0. */
static inline struct fp16 integer8_from_int8(uint8_t x, bool is_unsigned)
{
    const uint32_t sign = is_unsigned ? 0 : x & 0x80u;
    const uint32_t magnitude = x - sign;
    return (struct fp16){(uint16_t)(sign << 8 | (magnitude ? INTEGER8_EXPONENT << 10 : 0) | magnitude)};
}

static inline struct fp16 fp16_from_fp8(uint8_t x, bool exponent_4b)
{
    return exponent_4b ? fp16_from_fp8_e4m3((struct fp8_e4m3){x}) : fp16_from_fp8_e5m2((struct fp8_e5m2){x});
}

/* What comes between L1 and the order of bits of the target: 16 bits for all that are not 32. */
static inline uint16_t to_16_bits(struct unpack_conversion c, uint32_t x, uint8_t exponent)
{
    switch (c.InDataFormat) {
    case FORMAT_FP32:
    case FORMAT_TF32:
        return c.OutDataFormat == FORMAT_BF16 ? bf16_from_fp32_flush_trunc((struct fp32){x}).bits
                                              : fp16_from_fp32_saturate_trunc((struct fp32){x}).bits;
    case FORMAT_FP8: return fp16_from_fp8((uint8_t)x, c.Exponent4b).bits;
    case FORMAT_BFP8: return bf16_from_bfp8((struct bfp8){(uint8_t)x}, exponent).bits;
    case FORMAT_BFP4: return bf16_from_bfp4((struct bfp4){(uint8_t)x}, exponent).bits;
    case FORMAT_BFP2: return bf16_from_bfp2((struct bfp2){(uint8_t)x}, exponent).bits;
    case FORMAT_BFP8a: return fp16_from_bfp8a((struct bfp8a){(uint8_t)x}, exponent).bits;
    case FORMAT_BFP4a: return fp16_from_bfp4a((struct bfp4a){(uint8_t)x}, exponent).bits;
    case FORMAT_BFP2a: return fp16_from_bfp2a((struct bfp2a){(uint8_t)x}, exponent).bits;
    case FORMAT_INT8: return integer8_from_int8((uint8_t)x, c.Int8MeansUnsigned).bits;
    default: return (uint16_t)x; /* BF16, FP16, INT16 */
    }
}

/* Which order of bits the 16 bits get. */
enum layout { LAYOUT_BF16, LAYOUT_FP16, LAYOUT_INT16 };

static inline enum layout layout_of(struct unpack_conversion c)
{
    if (c.OutDataFormat == FORMAT_INT16) {
        return LAYOUT_INT16;
    }
    return format_has_8b_exponent(c.OutDataFormat) ? LAYOUT_BF16 : LAYOUT_FP16;
}

static inline uint32_t src_of(enum layout layout, uint16_t x)
{
    switch (layout) {
    case LAYOUT_BF16: return src_from_bf16((struct bf16){x}).bits;
    case LAYOUT_FP16: return src_from_fp16((struct fp16){x}).bits;
    default: return src_from_int16((struct int16_sm){x}).bits;
    }
}

static inline uint16_t dst16_of(enum layout layout, uint16_t x)
{
    switch (layout) {
    case LAYOUT_BF16: return dst16_from_bf16((struct bf16){x}).bits;
    case LAYOUT_FP16: return dst16_from_fp16((struct fp16){x}).bits;
    default: return x;
    }
}

/* Narrower inputs become TF32 as they are. */
static inline bool is_tf32_in_src(struct unpack_conversion c)
{
    return c.OutDataFormat == FORMAT_TF32 && format_in(c.InDataFormat, FORMATS_32BIT);
}

uint32_t unpack_datum(struct unpack_conversion c, uint32_t DatumBits, uint8_t exponent)
{
    switch (unpack_target_of(c)) {
    case UNPACK_TO_DST32: return dst32_from_bits(DatumBits).bits; /* TF32 in Dst means FP32 */
    case UNPACK_TO_DST16: return dst16_of(layout_of(c), to_16_bits(c, DatumBits, exponent));
    default:
        if (is_tf32_in_src(c)) {
            return src_from_tf32(tf32_from_fp32_trunc((struct fp32){DatumBits})).bits;
        }
        return src_of(layout_of(c), to_16_bits(c, DatumBits, exponent));
    }
}

/* ---- rows ---- */

/* Datums of 8, 4 and 2 bits, one a byte of `bytes`; those of 4 and 2 bits stand in the high bits of it, which makes BFP8 of
 * BFP4 and of BFP2. */
static inline void take_bytes(uint8_t bytes[ROW_DATUMS], const uint8_t *datums, unsigned bits)
{
    if (bits == 8) {
        memcpy(bytes, datums, ROW_DATUMS);
        return;
    }
    uint64_t packed = 0; /* hosts are little endian */
    memcpy(&packed, datums, 2 * bits);
    for (unsigned half = 0; half < 2; half++) {
        uint64_t spread =
            packed >> half * 8 * bits; /* 8 datums in the low bits, then one a byte by moving the upper half away */
        if (bits == 4) {
            spread = (spread & 0xFFFF) | (spread & 0xFFFF0000u) << 16;
            spread = (spread & 0x000000FF000000FFu) | (spread & 0x0000FF000000FF00u) << 8;
            spread = (spread & 0x000F000F000F000Fu) | (spread & 0x00F000F000F000F0u) << 4;
            spread <<= 4;
        } else {
            spread = (spread & 0xFF) | (spread & 0xFF00) << 24;
            spread = (spread & 0x0000000F0000000Fu) | (spread & 0x000000F0000000F0u) << 12;
            spread = (spread & 0x0003000300030003u) | (spread & 0x000C000C000C000Cu) << 6;
            spread <<= 6;
        }
        memcpy(bytes + 8 * half, &spread, 8);
    }
}

/* 8 datums.  Counts leading zeros by halving, since that is what vector units can do. */
VEC_INLINE vec8x16 bfp_to_float(vec8x16 bytes, uint8_t exponent, unsigned exponent_bits)
{
    const unsigned man_shift = exponent_bits == 5 ? 3 : 0, exp_shift = exponent_bits == 5 ? 10 : 7;
    const vec8x16 sign = (bytes & 0x80) << 8;
    vec8x16 magnitude = bytes << 1 & 0xFF;
    const vec8x16 is_zero = (vec8x16)(magnitude == 0);
    const vec8x16 by4 = (vec8x16)(magnitude < 0x10);
    magnitude = vec_select16(by4, magnitude << 4, magnitude);
    const vec8x16 by2 = (vec8x16)(magnitude < 0x40);
    magnitude = vec_select16(by2, magnitude << 2, magnitude);
    const vec8x16 by1 = (vec8x16)(magnitude < 0x80);
    magnitude = vec_select16(by1, magnitude << 1, magnitude);
    const vec8x16 field = (exponent - (by4 & 4) - (by2 & 2) - (by1 & 1)) & (uint16_t)((1u << exponent_bits) - 1);
    const vec8x16 value = sign | field << exp_shift | (magnitude & 0x7E) << man_shift;
    /* A sign without magnitude has all ones for an exponent. */
    const vec8x16 empty = (vec8x16)(sign != 0) & (uint16_t)(exponent_bits == 5 ? 0xFC00 : 0xFF80);
    return vec_select16(is_zero, empty, value);
}

static void bfp_row(uint16_t row[ROW_DATUMS], const uint8_t bytes[ROW_DATUMS], uint8_t exponent, bool is_a)
{
    for (unsigned i = 0; i < ROW_DATUMS; i += 8) {
        const vec8x16 x = vec_load8(bytes + i);
        vec_store16(row + i, is_a ? bfp_to_float(x, exponent, 5) : bfp_to_float(x, exponent, 8));
    }
}

#define EACH(type, expression)                                                                                         \
    do {                                                                                                               \
        type values[ROW_DATUMS];                                                                                       \
        memcpy(values, datums, sizeof values);                                                                         \
        for (unsigned i = 0; i < ROW_DATUMS; i++) {                                                                    \
            const type x = values[i];                                                                                  \
            row[i] = expression;                                                                                       \
        }                                                                                                              \
    } while (0)

static void row_to_16_bits(struct unpack_conversion c, uint16_t row[ROW_DATUMS], const uint8_t *datums,
                           uint8_t exponent)
{
    uint8_t bytes[ROW_DATUMS];
    switch (c.InDataFormat) {
    case FORMAT_FP32:
    case FORMAT_TF32:
        if (c.OutDataFormat == FORMAT_BF16) {
            EACH(uint32_t, bf16_from_fp32_flush_trunc((struct fp32){x}).bits);
        } else {
            EACH(uint32_t, fp16_from_fp32_saturate_trunc((struct fp32){x}).bits);
        }
        break;
    case FORMAT_FP8:
        if (c.Exponent4b) {
            EACH(uint8_t, fp16_from_fp8_e4m3((struct fp8_e4m3){x}).bits);
        } else {
            EACH(uint8_t, fp16_from_fp8_e5m2((struct fp8_e5m2){x}).bits);
        }
        break;
    case FORMAT_INT8:
        if (c.Int8MeansUnsigned) {
            EACH(uint8_t, integer8_from_int8(x, true).bits);
        } else {
            EACH(uint8_t, integer8_from_int8(x, false).bits);
        }
        break;
    case FORMAT_BFP8:
    case FORMAT_BFP4:
    case FORMAT_BFP2:
        take_bytes(bytes, datums, format_bits(c.InDataFormat));
        bfp_row(row, bytes, exponent, false);
        break;
    case FORMAT_BFP8a:
    case FORMAT_BFP4a:
    case FORMAT_BFP2a:
        take_bytes(bytes, datums, format_bits(c.InDataFormat));
        bfp_row(row, bytes, exponent, true);
        break;
    default: memcpy(row, datums, ROW_DATUMS * sizeof row[0]);
    }
}

void unpack_row_src(struct unpack_conversion c, uint32_t cells[ROW_DATUMS], const uint8_t *datums, uint8_t exponent)
{
    if (is_tf32_in_src(c)) {
        uint32_t *row = cells;
        EACH(uint32_t, src_from_tf32(tf32_from_fp32_trunc((struct fp32){x})).bits);
        return;
    }
    uint16_t row[ROW_DATUMS];
    row_to_16_bits(c, row, datums, exponent);
    switch (layout_of(c)) {
    case LAYOUT_BF16:
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            cells[i] = src_of(LAYOUT_BF16, row[i]);
        }
        break;
    case LAYOUT_FP16:
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            cells[i] = src_of(LAYOUT_FP16, row[i]);
        }
        break;
    default:
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            cells[i] = src_of(LAYOUT_INT16, row[i]);
        }
    }
}

void unpack_row_dst16(struct unpack_conversion c, uint16_t cells[ROW_DATUMS], const uint8_t *datums, uint8_t exponent)
{
    uint16_t row[ROW_DATUMS];
    row_to_16_bits(c, row, datums, exponent);
    switch (layout_of(c)) {
    case LAYOUT_BF16:
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            cells[i] = dst16_of(LAYOUT_BF16, row[i]);
        }
        break;
    case LAYOUT_FP16:
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            cells[i] = dst16_of(LAYOUT_FP16, row[i]);
        }
        break;
    default: memcpy(cells, row, sizeof row);
    }
}

void unpack_row_dst32(uint16_t high[ROW_DATUMS], uint16_t low[ROW_DATUMS], const uint8_t *datums)
{

    uint32_t values[ROW_DATUMS];
    memcpy(values, datums, sizeof values);
    for (unsigned i = 0; i < ROW_DATUMS; i += 8) {
        const vec8x16 x = vec_load_narrow_high(values + i);
        vec_store16(high + i, (x & 0x8000) | (x & 0x7F) << 8 | (x >> 7 & 0xFF)); /* dst16_from_bf16 */
        vec_store16(low + i, vec_load_narrow(values + i));
    }
}
