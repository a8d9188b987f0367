/* SPDX-License-Identifier: Apache-2.0 */
/* The order of bits in SrcA and SrcB (manual WormholeB0 SrcASrcB, "Data type bit layout"), and what MOVA2D, MOVB2D, MOVD2A, MOVD2B
 * and MOVB2A make of cells on their way between Src and Dst. */
#ifndef KERR_NUM_SRC_CELLS_H
#define KERR_NUM_SRC_CELLS_H

#include "num/dst_cells.h"
#include "num/formats.h"

static inline struct src_cell src_from_tf32(struct tf32 x)
{
    return (struct src_cell){(x.bits & 0x40000u) | (x.bits & 0x3FFu) << 8 | (x.bits >> 10 & 0xFFu)};
}
static inline struct tf32 tf32_from_src(struct src_cell x)
{
    return (struct tf32){(x.bits & 0x40000u) | (x.bits & 0xFFu) << 10 | (x.bits >> 8 & 0x3FFu)};
}
static inline struct src_cell src_from_bf16(struct bf16 x)
{
    return src_from_tf32((struct tf32){(uint32_t)x.bits << 3});
}
static inline struct src_cell src_from_fp16(struct fp16 x)
{
    return src_from_tf32((struct tf32){(uint32_t)(x.bits & 0x8000u) << 3 | (x.bits & 0x7FFFu)});
}
static inline struct src_cell src_from_int16(struct int16_sm x)
{
    return (struct src_cell){(uint32_t)(x.bits & 0xFF00u) << 3 | (x.bits & 0xFFu)};
}

/* Src to Dst.  FlushDenormals of the moves: a cell without exponent is zero, sign included. */
static inline struct src_cell src_flush(struct src_cell x)
{
    return (struct src_cell){x.bits & 0xFF ? x.bits : 0};
}
/* RemoveLowMantissa: BF16, or TF32 less its three low mantissa bits. */
static inline struct dst16_cell dst16_from_src_8b_exponent(struct src_cell x)
{
    return (struct dst16_cell){(uint16_t)((x.bits & 0x7F800u) >> 3 | (x.bits & 0xFFu))};
}
/* RemoveHighExponent: FP16 and Integer "8". */
static inline struct dst16_cell dst16_from_src_5b_exponent(struct src_cell x)
{
    return (struct dst16_cell){(uint16_t)((x.bits & 0x7FF00u) >> 3 | (x.bits & 0x1Fu))};
}
/* TF32: the bits that RemoveLowMantissa takes away become the highest of the low half. */
static inline struct dst32_cell dst32_from_src_tf32(struct src_cell x)
{
    return (struct dst32_cell){(uint32_t)dst16_from_src_8b_exponent(x).bits << 16 | (x.bits >> 8 & 7) << 13};
}

/* Dst to Src: ShuffleBF16, ShuffleFP16, ShuffleTF32. */
static inline struct src_cell src_from_dst16_8b_exponent(struct dst16_cell x)
{
    return (struct src_cell){(x.bits & 0xFF00u) << 3 | (x.bits & 0xFFu)};
}
static inline struct src_cell src_from_dst16_5b_exponent(struct dst16_cell x)
{
    return (struct src_cell){(x.bits & 0xFFE0u) << 3 | (x.bits & 0x1Fu)};
}
/* FP32 to TF32 by truncation.  The manual's ShuffleTF32 keeps sign and high mantissa with the mask 0x3FC000; those eight bits
 * of a word of 19 are 0x7F800 (docs/errata-tensix.md). */
static inline struct src_cell src_from_dst32_tf32(struct dst32_cell x)
{
    const uint32_t word = x.bits >> 13;
    return (struct src_cell){(word & 0x7F800u) | (word & 7) << 8 | (word >> 3 & 0xFFu)};
}
/* MOVD2A and MOVD2B with UseDst32bLo and TF32: the 13 bits that the conversion to TF32 cuts off, as they are. */
static inline struct src_cell src_from_dst32_low13(struct dst32_cell x)
{
    return (struct src_cell){x.bits & 0x1FFFu};
}

#endif
