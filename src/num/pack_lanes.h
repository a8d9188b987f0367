/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of the packer's conversions for as many lanes of 16 bits as a vector has.  pack_rows.c includes it for 8 and for 16, with
 *   PACK(name)    the name there
 *   PACK_VECTOR, PACK_SIGNED   the vector, of unsigned and of signed half words */

INLINE PACK_VECTOR PACK(choose)(PACK_VECTOR where, PACK_VECTOR yes, PACK_VECTOR no)
{
    return (where & yes) | (~where & no);
}
/* Early, from 16-bit Dst: what early_from_16 makes of 8 cells, as the high halves (BF16 and its like) or low halves of words. */
INLINE PACK_VECTOR PACK(bf16_cells)(PACK_VECTOR x)
{
    return (x & 0x8000) | (x & 0xFF) << 7 | (x >> 8 & 0x7F);
}
INLINE PACK_VECTOR PACK(fp16_cells)(PACK_VECTOR x)
{
    return (x & 0x8000) | (x & 0x1F) << 10 | (x >> 5 & 0x3FF);
}
/* x > y of lanes and a number below 0x8000: signed, which is one instruction where unsigned is three. */
INLINE PACK_VECTOR PACK(above)(PACK_VECTOR x, int16_t y)
{
    return (PACK_VECTOR)((PACK_SIGNED)x > y);
}
/* All ones where bit `bit` is set. */
INLINE PACK_VECTOR PACK(where_bit)(PACK_VECTOR x, unsigned bit)
{
    return (PACK_VECTOR)((PACK_SIGNED)(x << (15 - bit)) >> 15);
}
/* e8_flush_round_mantissa with 7 or 6 bits. */
INLINE PACK_VECTOR PACK(round_bf16)(PACK_VECTOR x, bool to_six_bits)
{
    const PACK_VECTOR sign = x & 0x8000;
    PACK_VECTOR magnitude = x & 0x7FFF;
    magnitude = PACK(choose)(PACK(above)(magnitude, 0x7F80), (PACK_VECTOR){0} + 0x7F80, magnitude);
    const PACK_VECTOR normal = PACK(above)(magnitude, 0x7F);
    magnitude = to_six_bits ? (magnitude + 1) & 0xFFFE : magnitude;
    return normal & (sign | magnitude);
}
/* e5_round_mantissa with 10 or 6 bits. */
INLINE PACK_VECTOR PACK(round_fp16)(PACK_VECTOR x, bool to_six_bits)
{
    const PACK_VECTOR sign = x & 0x8000;
    PACK_VECTOR magnitude = x & 0x7FFF;
    if (to_six_bits) {
        const PACK_VECTOR large = (PACK_VECTOR)(magnitude > 0x7FF7);
        magnitude = PACK(choose)(large, (PACK_VECTOR){0} + 0x7FF0, (magnitude + 8) & 0xFFF0);
    }
    return (PACK_VECTOR)(magnitude >= 0x400) & (sign | magnitude);
}

/* Of lanes below 0x8000. */
INLINE PACK_VECTOR PACK(larger)(PACK_VECTOR x, PACK_VECTOR y)
{
    return PACK(choose)((PACK_VECTOR)((PACK_SIGNED)x > (PACK_SIGNED)y), x, y);
}
/* 8 floats (sign, 8 bits of exponent, 7 of mantissa) to BFP8 with the exponent of the block, then to fewer bits; shifting by steps of 4, 2 and
 * 1, since vector units shift all lanes by the same count. */
INLINE PACK_VECTOR PACK(block_of)(PACK_VECTOR x, uint16_t exponent, unsigned cut)
{
    const PACK_VECTOR own = x >> 7 & 0xFF, down = exponent - own;
    PACK_VECTOR m = ((x & 0x7F) | 0x80) & (PACK_VECTOR)(own != 0);
    m ^= (m ^ m >> 4) & PACK(where_bit)(down, 2);
    m ^= (m ^ m >> 2) & PACK(where_bit)(down, 1);
    m ^= (m ^ m >> 1) & PACK(where_bit)(down, 0);
    m = ((m & ~PACK(above)(down, 7)) + 1) >> 1;
    m -= m >> 7; /* 128 is 127 */
    m >>= cut;
    return m | ((x >> 8 & 0x80) >> cut & (PACK_VECTOR)(m != 0)); /* no sign without a magnitude */
}

/* e8_round_mantissa of the word that the two halves are, to 7 or 6 bits; its high half. */
INLINE PACK_VECTOR PACK(round_halves)(PACK_VECTOR high, PACK_VECTOR low, bool to_six_bits)
{
    const PACK_VECTOR sign = high & 0x8000;
    PACK_VECTOR magnitude = high & 0x7FFF, up = to_six_bits ? (PACK_VECTOR){0} + 1 : low >> 15;
    const PACK_VECTOR is_nan =
        PACK(above)(magnitude, 0x7F80) | ((PACK_VECTOR)(magnitude == 0x7F80) & (PACK_VECTOR)(low != 0));
    magnitude = PACK(choose)(is_nan, (PACK_VECTOR){0} + 0x7F80, magnitude);
    magnitude += up & ~is_nan;
    magnitude = to_six_bits ? magnitude & 0xFFFE : magnitude;
    return PACK(above)(magnitude, 0x7F) & (sign | magnitude);
}

#undef PACK
#undef PACK_VECTOR
#undef PACK_SIGNED
