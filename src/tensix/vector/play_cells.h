/* SPDX-License-Identifier: Apache-2.0 */
/* Where in Dst an SFPLOAD or SFPSTORE of a program goes (load_steps.c). */
#ifndef KERR_TENSIX_VECTOR_PLAY_CELLS_H
#define KERR_TENSIX_VECTOR_PLAY_CELLS_H

#include "tensix/regs/dst.h"
#include "tensix/regs/rwc.h"
#include "tensix/vector/play.h"

/* The counters move as an instruction's AddrMod says; that of most instructions says nothing. */
static inline void count_on(struct tensix_thread *t, unsigned AddrMod)
{
    const uint16_t *section = t->config + AddrMod;
    if ((section[ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32] | section[ADDR_MOD_DST_SEC0_DestIncr_ADDR32]) != 0)
        rwc_apply_partial_addr_mod(t, AddrMod);
}
static inline unsigned address_of(const struct play_run *run, const struct vector_operands *o)
{
    return ((unsigned)o->imm + run->base + run->s->t->rwc.dst) & (DST_ROWS - 1);
}

/* The cells, in DstBits, that an instruction is about; NULL: rows that are not valid, or special ones. */
static inline uint16_t *cells_of(const struct play_run *run, unsigned Addr, bool wide)
{
    struct tensix_files *files = run->files;
    const unsigned row = wide ? dst_row32(run->access, Addr & ~3u) : dst_row16(run->access, Addr & ~3u);
    const bool valid = (files->dst_row_undefined[row / 32] >> row % 32 & 15) == 0;
    return LIKELY(valid && !(run->access & DST_ACCESS_HIGH_HALVES)) ? files->DstBits[row] : NULL;
}

#endif
