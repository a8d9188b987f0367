/* SPDX-License-Identifier: Apache-2.0 */
/* Sign-magnitude and two's complement.  Both zeros exist in sign-magnitude; which of them, and what becomes of the one number that
 * two's complement has more, is said by each function. */
#ifndef KERR_NUM_INTEGERS_H
#define KERR_NUM_INTEGERS_H

#include "num/formats.h"

/* Manual Dst, Load32: -0 becomes 0. */
static inline uint32_t twos32_from_sm32(struct int32_sm x)
{
    return x.bits >> 31 ? 0u - (x.bits & 0x7FFFFFFFu) : x.bits;
}
static inline uint16_t twos16_from_sm16(struct int16_sm x)
{
    return (uint16_t)(x.bits >> 15 ? 0u - (x.bits & 0x7FFFu) : x.bits);
}
/* Manual Dst, Store32: the smallest number becomes the smallest that there is, -(2^31 - 1). */
static inline struct int32_sm sm32_from_twos32_clamp(uint32_t x)
{
    const uint32_t negative = 0x80000000u | (0u - (x + (x == 0x80000000u)));
    return (struct int32_sm){x >> 31 ? negative : x};
}
static inline struct int16_sm sm16_from_twos16_clamp(uint16_t x)
{
    const uint32_t negative = 0x8000u | (0u - ((uint32_t)x + (x == 0x8000u)));
    return (struct int16_sm){(uint16_t)(x >> 15 ? negative : x)};
}
/* Manual SFPCAST "IntInt": one operation for both directions; -0 and the smallest number are the same bits. */
static inline uint32_t sm32_twos32_swap(uint32_t x)
{
    return x >> 31 ? 0x80000000u | (0u - (x & 0x7FFFFFFFu)) : x;
}

#endif
