/* SPDX-License-Identifier: Apache-2.0 */
#include "num/l1_accumulate.h"

#include "num/f16.h"
#include "num/f32.h"
#include "num/fma.h"

bool l1_accumulate_exists(unsigned format)
{
    return format_in(format, FORMAT_SET(FORMAT_FP32) | FORMAT_SET(FORMAT_INT32) | FORMAT_SET(FORMAT_FP16) |
                                 FORMAT_SET(FORMAT_BF16));
}

/* Saturates at the largest magnitude. */
static uint32_t add_int32(uint32_t x, uint32_t y)
{
    const int64_t a = x >> 31 ? -(int64_t)(x & 0x7FFFFFFFu) : x, b = y >> 31 ? -(int64_t)(y & 0x7FFFFFFFu) : y;
    const int64_t sum = a + b;
    const uint64_t magnitude = (uint64_t)(sum < 0 ? -sum : sum);
    return (sum < 0 ? 0x80000000u : 0) | (uint32_t)(magnitude > 0x7FFFFFFFu ? 0x7FFFFFFFu : magnitude);
}

uint32_t l1_accumulate(unsigned format, uint32_t memory, uint32_t datum)
{
    uint32_t flags = 0;
    switch (format) {
    case FORMAT_INT32: return add_int32(memory, datum);
    case FORMAT_FP16: return f16_fma((uint16_t)memory, 0x3C00, (uint16_t)datum, F16_HALF, F32_NEAREST_EVEN, &flags);
    case FORMAT_BF16: return f16_fma((uint16_t)memory, 0x3F80, (uint16_t)datum, F16_BFLOAT, F32_NEAREST_EVEN, &flags);
    default: return fma_f32_add(memory, datum, &flags);
    }
}
