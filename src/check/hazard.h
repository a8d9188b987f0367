/* SPDX-License-Identifier: Apache-2.0 */
/* What the hardware does not stall on: configuration that is used before its write is visible, and rows of Dst that SFPLOAD reads
 * before the Matrix Unit is through. */
#ifndef KERR_CHECK_HAZARD_H
#define KERR_CHECK_HAZARD_H

#include "check/hooks.h"

/* check->who writes a word that instructions find from `visible` on. */
void hazard_config_later(struct tile_check *check, unsigned bank, unsigned word, uint64_t visible);
/* An instruction was taken while some such word is under way. */
void hazard_uses(struct tile_check *check, const struct tensix_step *s);

/* check->who reads or writes rows of DstBits. */
void hazard_dst(struct tile_check *check, unsigned row, unsigned rows, unsigned how);

#endif
