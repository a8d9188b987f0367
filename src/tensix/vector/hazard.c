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

enum { INDEX_REGISTER = 1 << 7, FIRST_FOUR = 0xF, ALL_BUT_INDEX = 0x7F, INDIRECT_VA = 4, INDIRECT_VD = 8 };

static uint32_t bit_of(uint32_t word, unsigned low)
{
    return UINT32_C(1) << (word >> low & 15) & EVERY_LREG;
}
static uint32_t of_VA(uint32_t word)
{
    return bit_of(word, 16);
}
static uint32_t of_VB(uint32_t word)
{
    return bit_of(word, 12);
}
static uint32_t of_VC(uint32_t word)
{
    return bit_of(word, 8);
}
static uint32_t of_VD(uint32_t word)
{
    return bit_of(word, 4);
}
static uint32_t of_VD_high(uint32_t word) /* SFPLOAD, SFPLOADI, SFPSTORE, SFPLUT */
{
    return bit_of(word, 20);
}

static uint32_t of_shft2(uint32_t word, bool assumed)
{
    enum { COPY4, CHAINED_COPY4, SHFLROR1_AND_COPY4, SHFLROR1, SHFLSHR1, SHFT_LREG, SHFT_IMM };
    switch (word & 15) {
    case COPY4: return FIRST_FOUR & ~1u;
    case CHAINED_COPY4: return FIRST_FOUR;
    /* OPEN: whether the copies of the first are made in its second cycle, and then from new values. */
    case SHFLROR1_AND_COPY4: return assumed ? 0 : of_VC(word) | (FIRST_FOUR & ~1u);
    case SHFLROR1:
    case SHFLSHR1: return assumed ? 0 : of_VC(word);
    case SHFT_LREG: return of_VC(word) | (assumed ? of_VD(word) : of_VB(word));
    case SHFT_IMM: return assumed ? of_VD(word) : of_VB(word); /* whose place are the immediate's low bits */
    default: return 0;
    }
}

/* What both have the same idea of. */
static uint32_t known_reads(uint32_t word, unsigned op)
{
    const unsigned mod = word & 15, mod0 = word >> 16 & 15;
    switch (op) {
    case TENSIX_SFPLOAD: return mod0 >= 14 ? of_VD_high(word) : 0;               /* LO16_ONLY, HI16_ONLY */
    case TENSIX_SFPLOADI: return mod0 == 8 || mod0 == 10 ? of_VD_high(word) : 0; /* UPPER, LOWER */
    case TENSIX_SFPSTORE: return of_VD_high(word);
    case TENSIX_SFPLUT: return FIRST_FOUR | (mod0 & INDIRECT_VD ? INDEX_REGISTER : 0);
    case TENSIX_SFPMULI:
    case TENSIX_SFPADDI: return of_VD(word) | (mod & INDIRECT_VD ? INDEX_REGISTER : 0);
    case TENSIX_SFPSETCC: return mod & 9 ? 0 : of_VC(word);
    case TENSIX_SFPMOV: return mod & 8 ? 0 : of_VC(word);
    case TENSIX_SFPSETEXP:
    case TENSIX_SFPSETMAN:
    case TENSIX_SFPSETSGN: return of_VC(word) | (mod & 1 ? 0 : of_VD(word));
    case TENSIX_SFPXOR:
    case TENSIX_SFPLE:
    case TENSIX_SFPGT: return of_VC(word) | of_VD(word);
    case TENSIX_SFPARECIP: return of_VC(word) | (mod == 1 ? of_VB(word) : 0);
    case TENSIX_SFPMAD:
    case TENSIX_SFPADD:
    case TENSIX_SFPMUL:
    case TENSIX_SFPMUL24:
        return mod & INDIRECT_VA ? EVERY_LREG
                                 : of_VA(word) | of_VB(word) | of_VC(word) | (mod & INDIRECT_VD ? INDEX_REGISTER : 0);
    case TENSIX_SFPTRANSP: return EVERY_LREG;
    case TENSIX_SFPDIVP2:
    case TENSIX_SFPEXEXP:
    case TENSIX_SFPEXMAN:
    case TENSIX_SFPABS:
    case TENSIX_SFPNOT:
    case TENSIX_SFPLZ:
    case TENSIX_SFPCAST: return of_VC(word);
    default: return 0; /* flags alone, SFPNOP */
    }
}

uint32_t hazard_assumed_reads(uint32_t word)
{
    const unsigned op = tensix_op_of[word >> 24];
    switch (op) {
    case TENSIX_SFPAND:
    case TENSIX_SFPOR: return of_VC(word) | of_VD(word); /* never VB */
    case TENSIX_SFPIADD:
    case TENSIX_SFPSHFT: return of_VC(word); /* never VD */
    case TENSIX_SFPSHFT2: return of_shft2(word, true);
    case TENSIX_SFP_STOCH_RND: return of_VB(word) | of_VC(word); /* VB in modes too that do not read it */
    case TENSIX_SFPLUTFP32: return word >> 16 & INDIRECT_VD ? EVERY_LREG : ALL_BUT_INDEX; /* Mod1Mirror */
    case TENSIX_SFPCONFIG:
    case TENSIX_SFPSWAP: return 0;
    default: return known_reads(word, op);
    }
}

uint32_t hazard_reads(uint32_t word)
{
    const unsigned op = tensix_op_of[word >> 24], mod = word & 15;
    switch (op) {
    case TENSIX_SFPAND:
    case TENSIX_SFPOR: return of_VC(word) | (mod & 1 ? of_VB(word) : of_VD(word));
    case TENSIX_SFPIADD: return of_VC(word) | (mod & 1 ? 0 : of_VD(word));
    case TENSIX_SFPSHFT: return (mod & 5) == 5 ? of_VC(word) : of_VD(word) | (mod & 1 ? 0 : of_VC(word));
    case TENSIX_SFPSHFT2: return of_shft2(word, false);
    case TENSIX_SFP_STOCH_RND: return of_VC(word) | ((mod & 14) == 4 ? of_VB(word) : 0);
    case TENSIX_SFPLUTFP32: return ALL_BUT_INDEX | (mod & INDIRECT_VD ? INDEX_REGISTER : 0);
    case TENSIX_SFPCONFIG: return (mod & 1) && (word >> 4 & 15) >= 4 ? 0 : 1; /* LReg[0] */
    case TENSIX_SFPSWAP:
        return mod == 0 ? 0 : of_VC(word) | of_VD(word); /* to compare; to exchange in the second cycle */
    default: return known_reads(word, op);
    }
}

uint32_t hazard_assumed_writes(uint32_t word)
{
    switch (tensix_op_of[word >> 24]) {
    case TENSIX_SFPLUT: return word >> 16 & INDIRECT_VD ? EVERY_LREG : of_VD_high(word);
    case TENSIX_SFPLUTFP32: return word >> 16 & INDIRECT_VD ? EVERY_LREG : of_VD(word); /* Mod1Mirror */
    default: return word & INDIRECT_VD ? EVERY_LREG : of_VD(word);
    }
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
