/* SPDX-License-Identifier: Apache-2.0 */
/* Bits and bytes.  Hosts are little endian, like the chip (checked in host/api.c). */
#ifndef KERR_BASE_BITS_H
#define KERR_BASE_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return (word >> low) & (uint32_t)((UINT64_C(1) << (high - low + 1)) - 1);
}

static inline int32_t sign_extend(uint32_t value, unsigned width)
{
    const unsigned shift = 32 - width;
    return (int32_t)(value << shift) >> shift;
}

static inline uint32_t load32(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

static inline uint16_t load16(const uint8_t *bytes)
{
    uint16_t value;
    memcpy(&value, bytes, 2);
    return value;
}

static inline void store32(uint8_t *bytes, uint32_t value)
{
    memcpy(bytes, &value, 4);
}

static inline uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}
static inline uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#endif
