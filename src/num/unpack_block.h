/* SPDX-License-Identifier: Apache-2.0 */
/* Many rows at once on their way to SrcA, SrcB or Dst: what unpack_row_src and unpack_row_dst32 (num/unpack_convert.h) do to each. */
#ifndef KERR_NUM_UNPACK_BLOCK_H
#define KERR_NUM_UNPACK_BLOCK_H

#include "num/unpack_convert.h"

/* `rows` rows that lie in L1 one after the other, but for `pair_gap` bytes behind each second one; row i has the exponent
 * exponents[i * exponent_step]. */
void unpack_block_src(struct unpack_conversion c, uint32_t (*cells)[ROW_DATUMS], unsigned rows, const uint8_t *datums,
                      const uint8_t *exponents, unsigned exponent_step, int32_t pair_gap);

/* The same for rows of 32 bits that lie one after the other in L1, and in both halves of Dst. */
void unpack_block_dst32(uint16_t (*high)[ROW_DATUMS], uint16_t (*low)[ROW_DATUMS], unsigned rows,
                        const uint8_t *datums);

#endif
