/* SPDX-License-Identifier: Apache-2.0 */
/* RWCs: the row counters of the Matrix Unit and the Vector Unit, one set a thread (manual WormholeB0 RWCs). */
#ifndef KERR_TENSIX_REGS_RWC_H
#define KERR_TENSIX_REGS_RWC_H

#include "tensix/state.h"
#include "tensix_isa.h"

enum { RWC_DST_MASK = 0x3FF, RWC_SRC_MASK = 0x3F, RWC_SP_MASK = 0x3FF };

/* ApplyAddrMod and, without the fidelity phase, ApplyPartialAddrMod.  On Blackhole the three bits of the instruction are
 * the index: there is no ADDR_MOD_SET_Base, and ADDR_MOD_BIAS acts on nothing. */
void rwc_apply_addr_mod(struct tensix_thread *t, unsigned AddrMod);
void rwc_apply_partial_addr_mod(struct tensix_thread *t, unsigned AddrMod);

/* INCRWC. */
static inline void rwc_increment(struct tensix_rwc *rwc, const struct op_INCRWC *op)
{
    rwc->src_a = (uint8_t)(((op->SrcACr ? rwc->src_a_cr : rwc->src_a) + op->SrcAInc) & RWC_SRC_MASK);
    if (op->SrcACr)
        rwc->src_a_cr = rwc->src_a;
    rwc->src_b = (uint8_t)(((op->SrcBCr ? rwc->src_b_cr : rwc->src_b) + op->SrcBInc) & RWC_SRC_MASK);
    if (op->SrcBCr)
        rwc->src_b_cr = rwc->src_b;
    rwc->dst = (uint16_t)(((op->DstCr ? rwc->dst_cr : rwc->dst) + op->DstInc) & RWC_DST_MASK);
    if (op->DstCr)
        rwc->dst_cr = rwc->dst;
}

#endif
