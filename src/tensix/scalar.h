/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the Scalar Unit (ThCon) share. */
#ifndef KERR_TENSIX_SCALAR_H
#define KERR_TENSIX_SCALAR_H

#include "hooks/hooks.h"
#include "tensix/later.h"
#include "tensix_units.h"

/* A GPR of the thread as the unit reads it: a cycle after the gate, with what is written until then. */
static inline uint32_t scalar_gpr(const tensix_step *s, unsigned index)
{
    uint32_t value = s->t->gpr[index];
    hook_gpr(s->tile, s->thread, index, 1, CHECK_READ);
    for (unsigned i = 0; i < s->tx->later_count && s->tx->later[i].cycle <= s->cycle + COST_SCALAR_OPERAND; i++) {
        const struct tensix_write *w = &s->tx->later[i];
        if (w->kind == LATER_GPR && w->place == s->thread * TENSIX_GPRS + index)
            value = (value & ~w->mask) | (w->value & w->mask);
    }
    return value;
}

static inline uint16_t scalar_half(const tensix_step *s, unsigned half)
{
    return (uint16_t)(scalar_gpr(s, half / 2) >> (half % 2 * 16));
}

/* A result of the instruction: there for the next one of the thread. */
static inline void scalar_set(tensix_step *s, unsigned index, uint32_t mask, uint32_t value)
{
    hook_gpr(s->tile, s->thread, index, 1, CHECK_WRITE);
    tensix_later_gpr(s->tile, s->tx, tensix_thread_free(s, true), s->thread, index, mask, value);
}

static inline void scalar_set_half(tensix_step *s, unsigned half, uint16_t value)
{
    const unsigned shift = half % 2 * 16;
    scalar_set(s, half / 2, 0xFFFFu << shift, (uint32_t)value << shift);
}

/* Manual SoftReset, bits 8 ("glue") and 9 (Scalar Unit): the instruction does not start while one is set.  True: it
 * waits. */
static inline bool scalar_in_reset(tensix_step *s)
{
    if (!(*s->tile->soft_reset & (1u << 8 | 1u << 9)))
        return false;
    s->again = UINT64_MAX;
    s->reason = TENSIX_STALL_RESET;
    return true;
}

/* STOREIND to SrcA or SrcB, without its increment (scalar_src.c). */
step_result scalar_store_src(tensix_step *s, const struct op_STOREIND *op);

#endif
