/* SPDX-License-Identifier: Apache-2.0 */
/* The order of bits in Dst (manual Dst, "Data type bit layout"): the exponent stands below the mantissa, in 32-bit data
 * below the seven high bits of it.  `bits` of a cell is what is in DstBits. */
#ifndef KERR_NUM_DST_CELLS_H
#define KERR_NUM_DST_CELLS_H

#include "num/formats.h"
#include "num/integers.h"

static inline struct dst16_cell dst16_from_bf16(struct bf16 x)
{
    return (struct dst16_cell){(uint16_t)((x.bits & 0x8000u) | (x.bits & 0x7Fu) << 8 | (x.bits >> 7 & 0xFFu))};
}
static inline struct bf16 bf16_from_dst16(struct dst16_cell x)
{
    return (struct bf16){(uint16_t)((x.bits & 0x8000u) | (x.bits & 0xFFu) << 7 | (x.bits >> 8 & 0x7Fu))};
}
static inline struct dst16_cell dst16_from_fp16(struct fp16 x)
{
    return (struct dst16_cell){(uint16_t)((x.bits & 0x8000u) | (x.bits & 0x3FFu) << 5 | (x.bits >> 10 & 0x1Fu))};
}
static inline struct fp16 fp16_from_dst16(struct dst16_cell x)
{
    return (struct fp16){(uint16_t)((x.bits & 0x8000u) | (x.bits & 0x1Fu) << 10 | (x.bits >> 5 & 0x3FFu))};
}
static inline struct dst16_cell dst16_from_int16(struct int16_sm x)
{
    return (struct dst16_cell){x.bits};
}
static inline struct int16_sm int16_from_dst16(struct dst16_cell x)
{
    return (struct int16_sm){x.bits};
}
/* FP32 and Integer "32": the same order for both. */
static inline struct dst32_cell dst32_from_bits(uint32_t x)
{
    return (struct dst32_cell){(x & 0x8000FFFFu) | (x & 0x7F800000u) >> 7 | (x & 0x007F0000u) << 8};
}
static inline uint32_t bits_from_dst32(struct dst32_cell x)
{
    return (x.bits & 0x8000FFFFu) | (x.bits & 0x00FF0000u) << 7 | (x.bits & 0x7F000000u) >> 8;
}
static inline struct dst32_cell dst32_from_fp32(struct fp32 x)
{
    return dst32_from_bits(x.bits);
}
static inline struct fp32 fp32_from_dst32(struct dst32_cell x)
{
    return (struct fp32){bits_from_dst32(x)};
}
static inline struct dst32_cell dst32_from_int32(struct int32_sm x)
{
    return dst32_from_bits(x.bits);
}
static inline struct int32_sm int32_from_dst32(struct dst32_cell x)
{
    return (struct int32_sm){bits_from_dst32(x)};
}

/* Integer "8": sign and 10 bits of magnitude, overlaid onto FP16 with an exponent of 16.  Two writers know a zero exponent for
 * magnitude 0 (unpackers, the T cores' window), SFPSTORE does not. */
enum { INTEGER8_EXPONENT = 16 };
static inline struct dst16_cell dst16_from_integer8(bool negative, unsigned magnitude)
{
    return (struct dst16_cell){(uint16_t)((unsigned)negative << 15 | (magnitude & 0x3FF) << 5 | INTEGER8_EXPONENT)};
}
static inline struct dst16_cell dst16_from_integer8_zero(bool negative, unsigned magnitude)
{
    const unsigned exponent = magnitude & 0x3FF ? INTEGER8_EXPONENT : 0;
    return (struct dst16_cell){(uint16_t)((unsigned)negative << 15 | (magnitude & 0x3FF) << 5 | exponent)};
}

/* The T cores' window onto Dst (manual Dst, "RISCV access to Dst"): RISC_DEST_ACCESS_CTRL_SEC. */
struct dst_window {
    uint8_t fmt; /* 0 to 5 */
    bool no_swizzle, unsigned_int;
};
/* Loads and stores of one element; its width is that of fmt: 32 bits for 0 and 1, 16 for 2 to 4, 8 for 5. */
static inline uint32_t dst_window_load32(struct dst_window w, struct dst32_cell x)
{
    const uint32_t value = w.no_swizzle ? x.bits : bits_from_dst32(x);
    return w.fmt == 1 && !w.no_swizzle ? twos32_from_sm32((struct int32_sm){value}) : value;
}
static inline struct dst32_cell dst_window_store32(struct dst_window w, uint32_t value)
{
    if (w.no_swizzle) {
        return (struct dst32_cell){value};
    }
    return dst32_from_bits(w.fmt == 1 ? sm32_from_twos32_clamp(value).bits : value);
}
static inline uint16_t dst_window_load16(struct dst_window w, struct dst16_cell x)
{
    if (w.no_swizzle) {
        return x.bits;
    }
    switch (w.fmt) {
    case 2: return fp16_from_dst16(x).bits;
    case 3: return bf16_from_dst16(x).bits;
    default: return w.unsigned_int ? x.bits : twos16_from_sm16(int16_from_dst16(x));
    }
}
static inline struct dst16_cell dst_window_store16(struct dst_window w, uint16_t value)
{
    if (w.no_swizzle) {
        return (struct dst16_cell){value};
    }
    switch (w.fmt) {
    case 2: return dst16_from_fp16((struct fp16){value});
    case 3: return dst16_from_bf16((struct bf16){value});
    default: return dst16_from_int16(w.unsigned_int ? (struct int16_sm){value} : sm16_from_twos16_clamp(value));
    }
}
static inline uint8_t dst_window_load8(struct dst_window w, struct dst16_cell x)
{
    if (w.no_swizzle || w.unsigned_int) {
        return (uint8_t)(x.bits >> 5);
    }
    const unsigned magnitude = x.bits >> 5 & 0x7F;
    return (uint8_t)(x.bits >> 15 ? 0u - magnitude : magnitude);
}
/* The manual calls what happens to negative numbers "meant to be" the conversion: the magnitude that it writes is that of
 * eight bits, so that -1 becomes 0x81. */
static inline struct dst16_cell dst_window_store8(struct dst_window w, uint8_t value)
{
    if (w.no_swizzle || w.unsigned_int || value < 0x80) {
        return dst16_from_integer8_zero(false, value);
    }
    return dst16_from_integer8(true, (0x180u - value - (value == 0x80)) & 0xFF);
}

#endif
