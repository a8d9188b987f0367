/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for whom in the Vector Unit, and who should but does not (manual SFPMAD, "Instruction scheduling"). */
#ifndef KERR_TENSIX_VECTOR_HAZARD_H
#define KERR_TENSIX_VECTOR_HAZARD_H

#include "tensix/files.h"

#include <stdbool.h>

/* LReg as bits: bit i is LReg[i]. */
enum { EVERY_LREG = 0xFF };

/* The registers that an instruction of the Vector Unit reads in its first cycle, and those that the stalling logic thinks it
 * reads. */
uint32_t hazard_reads(uint32_t word);
uint32_t hazard_assumed_reads(uint32_t word);
/* Of an instruction of the MAD sub-unit: what the stalling logic thinks it writes. */
uint32_t hazard_assumed_writes(uint32_t word);

/* The unit does not take the instruction in this cycle. */
static inline bool hazard_holds(const struct vector_files *v, uint32_t word, uint64_t cycle)
{
    if (v->mad.cycle != cycle)
        return v->only_nop == cycle;
    return v->only_nop == cycle || (v->mad.assumed & hazard_assumed_reads(word)) != 0;
}

/* The registers that it reads too early all the same.  All others but these have been held if they read any, unless the result is of
 * a scheduled instruction: then nothing is assumed, and nobody held. */
static inline uint32_t hazard_early(const struct vector_files *v, uint32_t word, uint64_t cycle)
{
    enum { SFPIADD = 0x79, SFPSHFT, SFPAND = 0x7E, SFPOR, SFPCONFIG = 0x91, SFPSWAP, SFPSHFT2 = 0x94, SFPLUTFP32 };
    enum { FIRST = 0x70 };
#define MISSED(name) (UINT64_C(1) << ((name)-FIRST))
    const uint64_t missed = MISSED(SFPIADD) | MISSED(SFPSHFT) | MISSED(SFPAND) | MISSED(SFPOR) | MISSED(SFPCONFIG) |
                            MISSED(SFPSWAP) | MISSED(SFPSHFT2) | MISSED(SFPLUTFP32);
#undef MISSED
    if (v->mad.cycle != cycle || (v->mad.assumed != 0 && !(missed >> ((word >> 24) - FIRST) & 1)))
        return 0;
    return v->mad.written & hazard_reads(word);
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
