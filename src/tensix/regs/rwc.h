/* SPDX-License-Identifier: Apache-2.0 */
/* RWCs: the row counters of the Matrix Unit and the Vector Unit, one set a thread (manual WormholeB0 RWCs). */
#ifndef KERR_TENSIX_REGS_RWC_H
#define KERR_TENSIX_REGS_RWC_H

#include "tensix/state.h"

enum { RWC_DST_MASK = 0x3FF, RWC_SRC_MASK = 0x3F, RWC_SP_MASK = 0x3FF };

/* ApplyAddrMod and, without the fidelity phase, ApplyPartialAddrMod.  On Blackhole the three bits of the instruction are
 * the index: there is no ADDR_MOD_SET_Base, and ADDR_MOD_BIAS acts on nothing. */
void rwc_apply_addr_mod(struct tensix_thread *t, unsigned AddrMod);
void rwc_apply_partial_addr_mod(struct tensix_thread *t, unsigned AddrMod);

#endif
