/* SPDX-License-Identifier: Apache-2.0 */
/* What the instructions of the Vector Unit share. */
#ifndef KERR_TENSIX_VECTOR_H
#define KERR_TENSIX_VECTOR_H

#include "tensix/files.h"
#include "tensix/step.h"

/* IsLaneEnabled (manual VectorUnit) of all lanes: bit i is lane i. */
uint32_t vector_lanes_enabled(const struct vector_files *vector);
/* An instruction with VD of 12 or more is itself written to InstructionTemplate[VD - 12] by lanes whose
 * LaneConfig.DISABLE_BACKDOOR_LOAD is false (manual SFPCONFIG).  Returns the lanes that execute it. */
uint32_t vector_backdoor_load(tensix_step *s, struct vector_files *vector, unsigned VD);

#endif
