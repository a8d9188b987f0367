/* SPDX-License-Identifier: Apache-2.0 */
/* FormatConversion of the unpackers (manual WormholeB0 UNPACR "Functional model", Unpackers/FormatConversion). */
#ifndef KERR_NUM_UNPACK_CONVERT_H
#define KERR_NUM_UNPACK_CONVERT_H

#include "num/formats.h"

/* Where the result goes, and with it the layout of its bits. */
enum unpack_target { UNPACK_TO_SRC, UNPACK_TO_DST16, UNPACK_TO_DST32 };

/* Plain data: what the result depends on besides the datum.  Decode it once an instruction. */
struct unpack_conversion {
    uint8_t InDataFormat, OutDataFormat; /* enum data_format */
    bool UnpackToDst;
    bool Int8MeansUnsigned; /* ALU_FORMAT_SPEC_REG0_SrcAUnsigned, SrcBUnsigned */
    bool Exponent4b;        /* THCON_SEC?_REG1_Unp_LF8_4b_exp: FP8 is e4m3 */
};

/* Whether the manual's tables have this pair. */
bool unpack_pair_exists(struct unpack_conversion c);
/* The same and pairs that the manual calls undefined while the kernel library programs them (cunpack_common.h,
 * is_unpacker_format_conversion_supported_*): an output that can hold what the input says, such as BF16 as TF32 or BFP4 as BF16.
 * For others unpack_datum must not be asked. */
bool unpack_pair_has_meaning(struct unpack_conversion c);
enum unpack_target unpack_target_of(struct unpack_conversion c);

/* The plain reference: one datum, as many low bits of DatumBits as the format has; exponent: of BFP formats, else anything.  The result is
 * a cell of the target: 19, 16 or 32 bits. */
uint32_t unpack_datum(struct unpack_conversion c, uint32_t DatumBits, uint8_t exponent);

/* 16 datums that lie in L1 one after the other from `datums`, which need not be aligned.  Sub-byte datums start with the low bits of a byte.
 * exponent: of all sixteen.  The three differ in what they write and belong to the three targets; dst32 comes as its two
 * halves, as DstBits has it (high: row r, low: row r + 8); FP32, TF32 and INT32 are
 * the same there. */
void unpack_row_src(struct unpack_conversion c, uint32_t cells[ROW_DATUMS], const uint8_t *datums, uint8_t exponent);
void unpack_row_dst16(struct unpack_conversion c, uint16_t cells[ROW_DATUMS], const uint8_t *datums, uint8_t exponent);
void unpack_row_dst32(uint16_t high[ROW_DATUMS], uint16_t low[ROW_DATUMS], const uint8_t *datums);

#endif
