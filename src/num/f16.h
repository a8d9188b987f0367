/* SPDX-License-Identifier: Apache-2.0 */
/* The two 16-bit formats of the baby cores' Zfh instructions: FP16 (IEEE binary16), or BF16 when cfg0.EnBFloat is
 * set (manual BabyRISCV/CSRs).  Work is done in FP32, into which both embed exactly. */
#ifndef KERR_NUM_F16_H
#define KERR_NUM_F16_H

#include "num/f32.h"

#include <stdint.h>

typedef enum f16_format { F16_HALF, F16_BFLOAT } f16_format;

/* Exact, denormals and NaN payloads included, so classes and comparisons carry over. */
uint32_t f16_to_f32(uint16_t x, f16_format format);

/* Denormal inputs as zero of the same sign. */
uint16_t f16_flush(uint16_t x, f16_format format);

uint16_t f16_nan(f16_format format);

/* One rounding; NaN becomes canonical, a denormal result is flushed to zero after rounding. */
uint16_t f16_from_f32(uint32_t x, f16_format format, f32_rounding rounding, uint32_t *flags);
uint16_t f16_from_int(uint32_t x, bool is_signed, f16_format format, f32_rounding rounding, uint32_t *flags);

/* x * y + z through the FP32 multiply-add, rounded once, to the 16-bit format. */
uint16_t f16_fma(uint16_t x, uint16_t y, uint16_t z, f16_format format, f32_rounding rounding, uint32_t *flags);

#endif
