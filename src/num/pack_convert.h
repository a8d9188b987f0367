/* SPDX-License-Identifier: Apache-2.0 */
/* The two format conversions of the packer (manual WormholeB0 Packers/FormatConversion): early, just after Dst, and late, just before
 * L1.  Between them a datum is a word:
 *   8-bit exponent (FP32, TF32, BF16, E8M6): the bits of an FP32; what is narrower has zeros below
 *   5-bit exponent (FP16, E5M7, E5M6, FP8): the bits of an FP16, likewise
 *   INT32, INT16, INT8, UINT8: as many low bits as the format has. */
#ifndef KERR_NUM_PACK_CONVERT_H
#define KERR_NUM_PACK_CONVERT_H

#include "num/formats.h"

/* What such a word is. */
enum pack_kind { PACK_E8, PACK_E5, PACK_INT32, PACK_INT16, PACK_INT8 };

/* Plain data: all configuration that the conversions depend on, by the manual's names.  Decode it once an instruction. */
struct pack_conversion {
    uint8_t IntermediateFormat, LateFromFormat, LateToFormat; /* enum data_format */
    uint8_t ShiftAmount;                                      /* low five bits count */
    bool Read_32b_data, Round_10b_mant, Read_raw, Read_unsigned;
    bool Exponent4b; /* Pac_LF8_4b_exp: FP8 in L1 is e4m3 */
};

/* Whether the manual's tables have it.  What they call "No" goes on with what the functions below make of it (docs/formats.md). */
bool pack_early_exists(struct pack_conversion c);
bool pack_late_exists(struct pack_conversion c);
/* Of the word between the two: by IntermediateFormat, but 32-bit Dst data that is to become FP16 or FP8 stays with its 8-bit
 * exponent until the late conversion. */
enum pack_kind pack_kind_of(unsigned format);
enum pack_kind pack_word_kind(struct pack_conversion c);

/* The plain references.  cell: of Dst32b if Read_32b_data, else of Dst16b, in the order of bits that Dst has.  pack_late gives as many
 * low bits as LateToFormat has in L1; it is for all formats but BFP. */
uint32_t pack_early(struct pack_conversion c, uint32_t cell);
uint32_t pack_late(struct pack_conversion c, uint32_t word);
/* BFP: 16 words to 16 datums, each in the low bits of a byte, and their exponent. */
uint8_t pack_late_bfp(struct pack_conversion c, const uint32_t words[ROW_DATUMS], uint8_t datums[ROW_DATUMS]);

/* Rows of 16.  dst16: a row of DstBits; dst32: its high and its low half. */
void pack_row_early_dst16(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t cells[ROW_DATUMS]);
void pack_row_early_dst32(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t high[ROW_DATUMS],
                          const uint16_t low[ROW_DATUMS]);
/* To L1, as the bytes that are written there: 2 * format_bits(LateToFormat) of them, which are returned.  *exponent is
 * written for BFP formats only. */
unsigned pack_row_late(struct pack_conversion c, uint8_t bytes[4 * ROW_DATUMS], uint8_t *exponent,
                       const uint32_t words[ROW_DATUMS]);

/* Both conversions at once, where nothing happens between them, for the pairs that kernels use most.  NONE: there is no short way.
 * cells: a row of DstBits each, whose low halves, of 32-bit data, are `low` cells further; bits: format_bits(LateToFormat).  Gives how many
 * bytes that made. */
enum pack_way {
    PACK_WAY_NONE,
    PACK_WAY_BF16,
    PACK_WAY_BF16_TO_FP32,
    PACK_WAY_BF16_TO_BFP,
    PACK_WAY_E8M6_TO_BFP,
    PACK_WAY_FP16,
    PACK_WAY_16_AS_IS,
    PACK_WAY_32_AS_IS,
    PACK_WAY_32_TO_BF16,
    PACK_WAY_32_TO_BFP,
    PACK_WAY_32_CUT_TO_BFP
};
enum pack_way pack_way_of(struct pack_conversion c);
unsigned pack_way_rows(enum pack_way way, unsigned bits, unsigned rows, uint8_t *bytes, uint8_t *exponents,
                       const uint16_t *const cells[], unsigned low);

#endif
