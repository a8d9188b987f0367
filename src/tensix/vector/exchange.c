/* SPDX-License-Identifier: Apache-2.0 */
/* Registers against each other: SFPSWAP and SFPTRANSP. */
#include "tensix/vector/lanes.h"

#include "num/sfpu.h"

enum { SFPSWAP_MOD1_SWAP = 0, SUBVECTOR_MODES = 9 };

/* VDGetsMin; above the modes that have a name VD gets the larger in all lanes (9: ba533c05; more: present silicon). */
static const uint32_t vd_gets_min[SUBVECTOR_MODES] = {0,          0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF,
                                                      0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000};

uint32_t vector_swap_min(unsigned mod)
{
    return mod < SUBVECTOR_MODES ? vd_gets_min[mod] : 0;
}

SIMD_CLONES uint32_t vector_swap_lanes(const struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    if (o->mod == SFPSWAP_MOD1_SWAP)
        return lanes;
    const uint32_t *c = v->LReg[o->VC], *d = v->LReg[o->VB]; /* but for macros VB is VD */
    uint32_t smaller[LANES];
    LANEWISE(smaller, sfpu_order(c[i]) < sfpu_order(d[i]) ? UINT32_MAX : 0);
    return lanes &
           (lanes_signs(smaller) ^ ~vector_swap_min(o->mod) ^ vector_lanes_with(v, LANE_CONFIG_EXCHANGE_SRCB_SRCC));
}

/* Both registers at once; `limit`: the first that is not written, but for LReg[16].  What comes into VD was in VC, what comes into
 * VC was in VB.  Where a macro makes VC and VD the same register VC has it: the kernel library's exp keeps what is above -88.5
 * so, with that constant as VB. */
static inline void exchange(struct vector_files *v, uint32_t lanes, unsigned VB, unsigned VC, unsigned VD,
                            unsigned limit)
{
    uint32_t nowhere[LANES] = {0};
    const uint32_t *b = v->LReg[VB], *c = v->LReg[VC];
    uint32_t *to_d = VD < limit || VD == 16 ? v->LReg[VD] : nowhere, *to_c = VC < limit ? v->LReg[VC] : nowhere;
    LANES_APART for (unsigned i = 0; i < LANES; i++)
    {
        const uint32_t of_b = b[i], of_c = c[i];
        to_d[i] = lanes >> i & 1 ? of_c : to_d[i];
        to_c[i] = lanes >> i & 1 ? of_b : to_c[i];
    }
}

/* lanes: those of vector_swap_lanes.  With ENABLE_DEST_INDEX the registers four above go along. */
SIMD_CLONES void vector_swap(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const uint32_t indexed = lanes & vector_lanes_with(v, LANE_CONFIG_ENABLE_DEST_INDEX);
    exchange(v, lanes & ~indexed, o->VB, o->VC, o->VD, 8);
    if (indexed == 0)
        return;
    exchange(v, indexed, o->VB, o->VC, o->VD, 4);
    exchange(v, indexed, 4 + o->VB % 4, 4 + o->VC % 4, 4 + o->VD % 4, 8);
}

void vector_swap_at_once(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    vector_swap(v, vector_swap_lanes(v, lanes, o), o);
}

/* Rows of four registers become columns: what stands in row j of register i goes to row i of register j. */
static inline void transpose4(struct vector_files *v, uint32_t lanes, unsigned base)
{
    uint32_t from[4][LANES], to[LANES];
    memcpy(from, v->LReg[base], sizeof from);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 4; j++)
            memcpy(to + j * LANE_COLUMNS, from[j] + i * LANE_COLUMNS, LANE_COLUMNS * sizeof *to);
        lanes_blend(v->LReg[base + i], to, lanes);
    }
}

SIMD_CLONES void vector_transp(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    (void)o;
    transpose4(v, lanes, 0);
    transpose4(v, lanes, 4);
}
