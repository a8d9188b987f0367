/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for whom in the Vector Unit, and who should but does not (manual SFPMAD, "Instruction scheduling"). */
#ifndef KERR_TENSIX_VECTOR_HAZARD_H
#define KERR_TENSIX_VECTOR_HAZARD_H

#include "tensix/vector/instructions.h"

#include <stdbool.h>

/* Of a decoded instruction: the registers that the stalling logic thinks it reads, and those that it thinks one of the MAD sub-unit writes;
 * whether it has the first ones wrong. */
void hazard_decode(struct vector_decoded *d);

/* The unit does not take the instruction in this cycle. */
static inline bool hazard_holds(const struct vector_files *v, const struct vector_decoded *d, uint64_t cycle)
{
    return v->only_nop == cycle || (v->mad.cycle == cycle && (v->mad.assumed & d->assumed_reads) != 0);
}

/* The registers that it reads too early all the same.  All others but those that the logic has wrong have been held if they read any,
 * unless the result is of a scheduled instruction: then nothing is assumed, and nobody held. */
static inline uint32_t hazard_early(const struct vector_files *v, const struct vector_decoded *d, uint64_t cycle)
{
    if (v->mad.cycle != cycle || (v->mad.assumed != 0 && !d->is_missed))
        return 0;
    return v->mad.written & d->reads;
}

/* The register that all lanes wrote, if it is one; LREGS: it is not. */
static inline unsigned hazard_register(const struct vector_mad_write *write)
{
    return write->written != 0 && (write->written & (write->written - 1)) == 0 ? (unsigned)__builtin_ctz(write->written)
                                                                               : (unsigned)LREGS;
}

/* An early reader executes between these two: what the MAD sub-unit wrote last, `late`, is as it was before, and is there again but
 * for what the reader has written itself: registers `writes` in `lanes`, or, one of the MAD sub-unit, what is in v->mad. */
void hazard_take_back(struct vector_files *v, struct vector_mad_write *late);
void hazard_give_back(struct vector_files *v, const struct vector_mad_write *late, uint32_t lanes, uint32_t writes);

#endif
