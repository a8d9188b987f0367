/* SPDX-License-Identifier: Apache-2.0 */
/* The stalling logic of the Vector Unit: what it protects and what it misses.
 *
 * A result of the MAD sub-unit is there in the second cycle.  An instruction in the first that reads it is held for a cycle, if
 * the logic knows that it reads it.  What it does not know is the list of bugs on page SFPMAD; such an instruction finds the
 * old value.  Where no page speaks of a read, the logic is taken to know it. */
#include "tensix/vector/hazard.h"

#include "tensix/vector/lanes.h"

#include "base/bits.h"

#include "tensix_isa.h"

/* OPEN: whether the copies of SFPSHFT2's mode SHFLROR1_AND_COPY4 are made in its second cycle, and then from new values. */
static uint32_t of_shft2(const struct vector_operands *o, uint32_t reads)
{
    enum { CHAINED_COPY4 = 1, SHFLROR1_AND_COPY4, SHFLROR1, SHFLSHR1, SHFT_LREG, SHFT_IMM };
    const uint32_t VC = UINT32_C(1) << o->VC, VD = UINT32_C(1) << o->VD;
    switch (o->mod) {
    case SHFLROR1_AND_COPY4:
    case SHFLROR1:
    case SHFLSHR1: return 0;
    case SHFT_LREG: return VC | VD; /* never VB */
    case SHFT_IMM: return VD;
    default: return reads;
    }
}

/* SFPLUTFP32 is looked at where most others have Mod1. */
static bool mirror_is_indirect(uint32_t word)
{
    enum { INDIRECT_VD = 8 };
    return word >> 16 & INDIRECT_VD;
}

void hazard_decode(struct vector_decoded *d)
{
    enum { ALL_BUT_INDEX = 0x7F };
    const struct vector_operands *o = &d->o;
    const uint32_t VB = UINT32_C(1) << o->VB, VC = UINT32_C(1) << o->VC, VD = UINT32_C(1) << o->VD;
    uint32_t reads = d->reads, writes = d->kind == OF_MAD ? d->writes : 0;
    d->is_missed = true;
    switch (d->op) {
    case TENSIX_SFPAND:
    case TENSIX_SFPOR: reads = VC | VD; break; /* never VB */
    case TENSIX_SFPIADD:
    case TENSIX_SFPSHFT: reads = VC; break; /* never VD */
    case TENSIX_SFPSHFT2: reads = of_shft2(o, reads); break;
    case TENSIX_SFPLUTFP32:
        reads = mirror_is_indirect(d->word) ? EVERY_LREG : ALL_BUT_INDEX;
        writes = mirror_is_indirect(d->word) ? (uint32_t)EVERY_LREG : VD;
        break;
    case TENSIX_SFPCONFIG:
    case TENSIX_SFPSWAP: reads = 0; break;
    case TENSIX_SFP_STOCH_RND:
        reads = VB | VC;
        d->is_missed = false;
        break; /* VB in modes too that do not read it */
    default: d->is_missed = false;
    }
    d->assumed_reads = (uint8_t)(reads & EVERY_LREG);
    d->assumed_writes = (uint8_t)(writes & EVERY_LREG);
}

void hazard_take_back(struct vector_files *v, struct vector_mad_write *late)
{
    *late = v->mad;
    const unsigned one = hazard_register(late);
    if (LIKELY(one != LREGS && late->lanes == UINT32_MAX)) {
        lanes_copy(late->old, v->LReg[one]);
        lanes_copy(v->LReg[one], v->mad.old);
        v->mad.lanes = 0;
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        if (!(late->lanes >> i & 1))
            continue;
        uint32_t *now = &v->LReg[late->index[i]][i];
        late->old[i] = *now;
        *now = v->mad.old[i];
    }
    v->mad.lanes = 0;
}

void hazard_give_back(struct vector_files *v, const struct vector_mad_write *late, uint32_t lanes, uint32_t writes)
{
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned index = late->index[i];
        if (!(late->lanes >> i & 1) || ((lanes >> i & 1) && (writes >> index & 1)))
            continue;
        if ((v->mad.lanes >> i & 1) && v->mad.index[i] == index)
            v->mad.old[i] = late->old[i];
        else
            v->LReg[index][i] = late->old[i];
    }
}
