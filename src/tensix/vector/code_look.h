/* SPDX-License-Identifier: Apache-2.0 */
/* What is found out about a program before there is code for it, on any processor (code_avx512.c, code_avx2.c). */
#ifndef KERR_TENSIX_VECTOR_CODE_LOOK_H
#define KERR_TENSIX_VECTOR_CODE_LOOK_H

#include "tensix/vector/play.h"
#include "tensix/vector/row.h"

#include "num/f32.h"

enum { LREGS_HELD = 8, LUT_INPUT = 3 /* LReg */ };
enum { NEGATE_VA = 1, NEGATE_VC = 2, SGN_RETAIN = 4 };
enum { LEAST_SURE = (127 - 98) << 23 }; /* fma_avx512_host; a denormal makes no difference to a sum that is not below */

/* Registers in which no lane is denormal: what the MAD sub-unit writes is none, and what is known not to be one is not looked at.
 * `all`: in all lanes; `on`: in those that are enabled, which become fewer until SFPENCC, SFPPOPC or SFPCOMPC; `entry`: because it was
 * so before the first instruction, for which `needed` has those that must be looked at then. */
struct normal {
    uint32_t all, on, entry, needed;
};

/* LaneFlags of all lanes behind it. */
static inline bool encc_sets(const struct vector_operands *o)
{
    enum { RI = 8, IMM_R = 2 };
    return !(o->mod & RI) || (o->imm & IMM_R);
}
static inline bool is_fused(const struct play_step *step)
{
    return step->code == PLAY_MAD || step->code == PLAY_LUT;
}

/* ---- Which registers have no denormals ---- */

static inline bool writes_normal(const struct play_step *step, uint32_t normal)
{
    switch ((enum play_code)step->code) {
    case PLAY_MAD:
    case PLAY_SUM:
    case PLAY_PRODUCT:
    case PLAY_LUT:
    case PLAY_RECIPROCAL: return true;
    case PLAY_SETEXP_IMM: return step->value != 0;
    case PLAY_VALUE: return (step->value & F32_INFINITY) != 0 || (step->value & ~F32_SIGN) == 0;
    case PLAY_COPY:
    case PLAY_COPY_ALL:
    case PLAY_NEGATE:
    case PLAY_ABS_FLOAT:
        return step->o.VC == LREG_ZERO || step->o.VC == LREG_ONE ||
               (step->o.VC < LREGS_HELD && (normal >> step->o.VC & 1));
    default: return false;
    }
}
static inline bool writes(const struct play_step *step)
{
    return step->kind != STORES && step->kind != COUNTS && step->kind != OF_STACK && step->kind != DOES_NOTHING;
}
/* What an instruction makes of it; all_on: behind it. */
static inline void follow_normal(struct normal *n, const struct play_step *step, bool all_on)
{
    const uint32_t VD = 1u << step->o.VD;
    switch ((enum play_code)step->code) {
    case PLAY_ENCC:
    case PLAY_POPC:
    case PLAY_COMPC: n->on = n->all; return;
    case PLAY_SETCC_VALUE:
    case PLAY_SETCC_SIGN:
    case PLAY_SETCC_SOME: return;
    default: break;
    }
    if (!writes(step))
        return;
    const bool everywhere = all_on || step->code == PLAY_COPY_ALL;
    const bool on = writes_normal(step, n->on), all = writes_normal(step, n->all);
    n->on = on ? n->on | VD : n->on & ~VD;
    if (everywhere || !on) {
        n->all = all ? n->all | VD : n->all & ~VD;
        n->entry &= ~VD;
    }
}

/* Which LRegs are held in registers; one that is written in some lanes is read, too. */
static inline void find_registers(const struct play_program *p, const struct play_part *part, uint32_t *used,
                                  uint32_t *written)
{
    for (unsigned i = part->from; i < (unsigned)part->from + part->count; i++) {
        const struct play_step *step = &p->step[i];
        const struct vector_operands *o = &step->o;
        *used |= 1u << o->VA | 1u << o->VB | 1u << o->VC | 1u << o->VD | 1u << step->source;
        *used |= step->code == PLAY_LUT ? (1u << (LUT_INPUT + 1)) - 1 : 0;
        *written |= writes(step) ? 1u << o->VD : 0;
    }
    *used &= (1u << LREGS_HELD) - 1;
    *written &= (1u << LREGS_HELD) - 1;
}

#endif
