/* SPDX-License-Identifier: Apache-2.0 */
/* The packer as the rest of the tile sees it: resets, seeds, and the FIFO of sizes that TDMA-RISC reads. */
#ifndef KERR_TENSIX_PACK_PACKER_H
#define KERR_TENSIX_PACK_PACKER_H

#include "tensix/state.h"

/* Soft reset of the packer begins (manual SoftReset). */
void pack_soft_reset(struct tensix_packer *packer);
/* CLREXPHIST; soft reset of the connection to Dst. */
void pack_histogram_reset(struct tensix_packer *packer);
/* PRNG_SEED was written, or the connection to Dst comes out of reset (0).  How one word becomes the state of 16 generators is
 * documented nowhere: this is the one place that decides it. */
void pack_seed(struct tensix_packer *packer, uint32_t seed);
/* MetadataFIFO (manual WormholeB0 TDMA-RISC): the oldest tile. */
const struct tensix_packed_tile *pack_fifo_peek(const struct tensix_packer *packer); /* NULL: empty */
void pack_fifo_pop(struct tensix_packer *packer);                                    /* it is not empty */
/* Whether counts that came from outside stay within their arrays (restore). */
bool pack_is_sane(const struct tensix_packer *packer);

#endif
