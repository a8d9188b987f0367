/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/regs/rwc.h"

#include "cfg_fields.h"

/* OPEN: ADDR_MOD_AB2, by its name a seventh bit of each SrcAIncr and SrcBIncr.  No document says what a counter of more than
 * six bits does; kernels leave it zero. */
static void step_src(uint8_t *counter, uint8_t *counter_cr, unsigned increment, bool cr, bool clear)
{
    if (clear) {
        *counter = *counter_cr = 0;
    } else if (cr) {
        *counter_cr = (*counter_cr + increment) & RWC_SRC_MASK;
        *counter = *counter_cr;
    } else {
        *counter = (*counter + increment) & RWC_SRC_MASK;
    }
}

void rwc_apply_partial_addr_mod(struct tensix_thread *t, unsigned AddrMod)
{
    struct tensix_rwc *rwc = &t->rwc;
    const uint16_t *section = t->config + AddrMod; /* of ADDR_MOD_AB and ADDR_MOD_DST, a word each */
    if ((section[ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32] | section[ADDR_MOD_DST_SEC0_DestIncr_ADDR32]) == 0)
        return; /* the usual one of the Vector Unit: nothing moves */
    step_src(&rwc->src_a, &rwc->src_a_cr, CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcAIncr),
             CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcACR), CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcAClear));
    step_src(&rwc->src_b, &rwc->src_b_cr, CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcBIncr),
             CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcBCR), CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcBClear));
    const unsigned increment = CFG_FIELD(section, ADDR_MOD_DST_SEC0_DestIncr);
    if (CFG_FIELD(section, ADDR_MOD_DST_SEC0_DestClear)) {
        rwc->dst = rwc->dst_cr = 0;
    } else if (CFG_FIELD(section, ADDR_MOD_DST_SEC0_DestCToCR)) {
        rwc->dst_cr = rwc->dst = (rwc->dst + increment) & RWC_DST_MASK;
    } else if (CFG_FIELD(section, ADDR_MOD_DST_SEC0_DestCR)) {
        rwc->dst = rwc->dst_cr = (rwc->dst_cr + increment) & RWC_DST_MASK;
    } else {
        rwc->dst = (rwc->dst + increment) & RWC_DST_MASK;
    }
}

void rwc_apply_addr_mod(struct tensix_thread *t, unsigned AddrMod)
{
    const uint16_t *section = t->config + AddrMod;
    rwc_apply_partial_addr_mod(t, AddrMod);
    if (CFG_FIELD(section, ADDR_MOD_DST_SEC0_FidelityClear))
        t->rwc.fidelity_phase = 0;
    else
        t->rwc.fidelity_phase = (t->rwc.fidelity_phase + CFG_FIELD(section, ADDR_MOD_DST_SEC0_FidelityIncr)) & 3;
}
