/* SPDX-License-Identifier: Apache-2.0 */
/* SrcA and SrcB: whose each of their two banks is (manual WormholeB0 SrcASrcB).  What is in them is in tensix/files.h. */
#ifndef KERR_TENSIX_REGS_SRC_H
#define KERR_TENSIX_REGS_SRC_H

#include "tensix/step.h"

enum { SRC_A = 0, SRC_B = 1 };

/* The Matrix Unit is done with its bank: it goes back to the unpacker, unless CLR_DVALID_Src*_Disable is set, and the
 * Matrix Unit goes on with the other one. */
void src_matrix_flips(tensix_step *s, unsigned which);
/* The unpacker is done with its bank: it goes to the Matrix Unit, and the unpacker goes on with the other one. */
void src_unpacker_flips(tensix_step *s, unsigned which);
/* Soft reset of AllowedClient begins. */
void src_soft_reset(struct tile *tile, struct tensix *tx, unsigned which, uint64_t cycle);

#endif
