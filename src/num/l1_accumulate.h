/* SPDX-License-Identifier: Apache-2.0 */
/* The adders of L1 that the packer uses for L1 += datum (manual WormholeB0 L1: FP32, INT32 in sign-magnitude with saturation, FP16, BF16). */
#ifndef KERR_NUM_L1_ACCUMULATE_H
#define KERR_NUM_L1_ACCUMULATE_H

#include "num/formats.h"

bool l1_accumulate_exists(unsigned format);
/* memory + datum, both as they stand in L1. */
uint32_t l1_accumulate(unsigned format, uint32_t memory, uint32_t datum);
/* The same for `bytes` bytes of datums, in place. */
void l1_accumulate_row(unsigned format, const uint8_t *memory, uint8_t *datums, unsigned bytes);

#endif
