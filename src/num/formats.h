/* SPDX-License-Identifier: Apache-2.0 */
/* Number formats of the Tensix coprocessor: their codes and one type for each.
 *
 * A code is the four bits that hardware has of a data format (manual WormholeB0 Unpackers/FormatConversion, Packers/FormatConversion:
 * "the encoding of type names"); software's wider enumeration (UInt8 = 30, UInt32 = 24, Fp8_e4m3 = 26) reaches hardware as its low
 * four bits.  What four bits do not say is said by other fields: FORMAT_INT8 is signed or unsigned, FORMAT_FP8 is e5m2 or e4m3.
 *
 * A value of one format is never a value of another by accident: each is a struct of its own.  The bits are in the order that L1 has
 * (sign, exponent, mantissa) unless the type is a cell of SrcA, SrcB or Dst.  Rows of 16 are arrays of plain words. */
#ifndef KERR_NUM_FORMATS_H
#define KERR_NUM_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

enum data_format {
    FORMAT_FP32 = 0,
    FORMAT_FP16 = 1,
    FORMAT_BFP8a = 2,
    FORMAT_BFP4a = 3,
    FORMAT_TF32 = 4,
    FORMAT_BF16 = 5,
    FORMAT_BFP8 = 6,
    FORMAT_BFP4 = 7,
    FORMAT_INT32 = 8,
    FORMAT_INT16 = 9,
    FORMAT_FP8 = 10, /* the headers' Lf8 */
    FORMAT_BFP2a = 11,
    FORMAT_RESERVED_12 = 12,
    FORMAT_RESERVED_13 = 13,
    FORMAT_INT8 = 14,
    FORMAT_BFP2 = 15,
    FORMATS = 16,
};

enum { ROW_DATUMS = 16 }; /* columns of SrcA, SrcB and Dst; datums that share an exponent in the BFP formats */

struct fp32 {
    uint32_t bits;
};
struct tf32 { /* 19 bits: sign, 8 of exponent, 10 of mantissa; L1 has them as the high bits of a word */
    uint32_t bits;
};
struct bf16 {
    uint16_t bits;
};
struct fp16 { /* exponent 31 is an exponent like any other: no infinity, no NaN (manual WormholeB0 FloatBitPatterns) */
    uint16_t bits;
};
struct fp8_e5m2 {
    uint8_t bits;
};
struct fp8_e4m3 {
    uint8_t bits;
};
struct bfp8 { /* sign and magnitude without a hidden one; the exponent stands elsewhere, one for 16 datums */
    uint8_t bits;
};
struct bfp4 {
    uint8_t bits; /* 4 */
};
struct bfp2 {
    uint8_t bits; /* 2 */
};
struct bfp8a { /* as bfp8, with an exponent of 5 bits */
    uint8_t bits;
};
struct bfp4a {
    uint8_t bits;
};
struct bfp2a {
    uint8_t bits;
};
struct int32_sm { /* sign and magnitude */
    uint32_t bits;
};
struct int16_sm { /* sign and magnitude, or 16 bits of which nobody says what they are */
    uint16_t bits;
};
struct int8_sm {
    uint8_t bits;
};

struct src_cell { /* 19 bits, manual WormholeB0 SrcASrcB "Data type bit layout" */
    uint32_t bits;
};
struct dst16_cell { /* manual Dst "Data type bit layout" */
    uint16_t bits;
};
struct dst32_cell {
    uint32_t bits;
};

/* One bit for each code. */
#define FORMAT_SET(format) (1u << (format))
enum {
    FORMATS_RESERVED = FORMAT_SET(FORMAT_RESERVED_12) | FORMAT_SET(FORMAT_RESERVED_13),
    FORMATS_BFP_8B_EXPONENT = FORMAT_SET(FORMAT_BFP8) | FORMAT_SET(FORMAT_BFP4) | FORMAT_SET(FORMAT_BFP2),
    FORMATS_BFP_5B_EXPONENT = FORMAT_SET(FORMAT_BFP8a) | FORMAT_SET(FORMAT_BFP4a) | FORMAT_SET(FORMAT_BFP2a),
    FORMATS_BFP = FORMATS_BFP_8B_EXPONENT | FORMATS_BFP_5B_EXPONENT,
    /* Those that the Matrix Unit and the Vector Unit handle as BF16 or TF32; all others are FP16 or overlaid onto it. */
    FORMATS_8B_EXPONENT = FORMATS_BFP_8B_EXPONENT | FORMAT_SET(FORMAT_FP32) | FORMAT_SET(FORMAT_TF32) |
                          FORMAT_SET(FORMAT_BF16) | FORMAT_SET(FORMAT_INT32) | FORMAT_SET(FORMAT_INT16),
    FORMATS_32BIT = FORMAT_SET(FORMAT_FP32) | FORMAT_SET(FORMAT_TF32) | FORMAT_SET(FORMAT_INT32),
};

static inline bool format_in(unsigned format, uint32_t set)
{
    return set >> (format & 15) & 1;
}
/* IsBFPFormat (manual UNPACR). */
static inline bool format_is_bfp(unsigned format)
{
    return format_in(format, FORMATS_BFP);
}
/* Use8bExponent of MOVA2D, MVMUL and their like. */
static inline bool format_has_8b_exponent(unsigned format)
{
    return format_in(format, FORMATS_8B_EXPONENT);
}
static inline bool format_exists(unsigned format)
{
    return format < FORMATS && !format_in(format, FORMATS_RESERVED);
}
/* What a datum takes up in L1, without its share of an exponent: 32, 16, 8, 4 or 2. */
static inline unsigned format_bits(unsigned format)
{
    if (format_in(format, FORMATS_32BIT)) {
        return 32;
    }
    switch (format & 15) {
    case FORMAT_FP16:
    case FORMAT_BF16:
    case FORMAT_INT16: return 16;
    case FORMAT_BFP4:
    case FORMAT_BFP4a: return 4;
    case FORMAT_BFP2:
    case FORMAT_BFP2a: return 2;
    default: return 8;
    }
}
/* As the manual spells it. */
const char *format_name(unsigned format);

#endif
