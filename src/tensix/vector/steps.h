/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction of the Vector Unit goes through before it is executed (steps.c, load_steps.c). */
#ifndef KERR_TENSIX_VECTOR_STEPS_H
#define KERR_TENSIX_VECTOR_STEPS_H

#include "tensix_isa.h" /* before tile_regs.h, which makes a macro of one of its names */

#include "base/bits.h"
#include "tensix/regs/matrix_unit.h"
#include "tensix/vector/hazard.h"
#include "tensix/vector/macro.h"
#include "tensix/vector/row.h"
#include "tensix_units.h"

static inline const struct vector_decoded *decoded_of(const tensix_step *s)
{
    return vector_decoded_of(s->tile->vector_cache, s->word);
}

/* The unit does not take it now. */
static inline bool waits(tensix_step *s, const struct vector_files *v)
{
    return matrix_held(s) || hazard_holds(v, decoded_of(s), s->cycle);
}

/* An instruction with VD of 12 or more is itself written to InstructionTemplate[VD - 12] by lanes whose
 * LaneConfig.DISABLE_BACKDOOR_LOAD is false (manual SFPCONFIG).  Returns the lanes that execute it. */
uint32_t vector_behind_the_back_door(tensix_step *s, struct vector_files *v, unsigned VD);
/* The fault of reading a result of the MAD sub-unit in the cycle before it is there.  True: stop here. */
bool vector_too_early(tensix_step *s, const struct vector_files *v, uint32_t early);

/* Something is scheduled, and has this instruction's sub-unit in this cycle. */
static inline bool is_discarded(tensix_step *s, const struct vector_files *v)
{
    return UNLIKELY(v->macro.pending != 0) && macro_discards(s);
}

/* The step of most instructions: that of instructions.def in its lanes. */
step_result vector_run(tensix_step *s);

/* SFPLOAD or SFPSTORE, with nothing special about it: o has its fields, Imm10 in imm and AddrMod in VA. */
void vector_move_plainly(tensix_step *s, uint32_t enabled, const struct vector_operands *o, bool load);

#endif
