/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the simple sub-unit that work lane by lane (manual SFPABS to SFPXOR, a function a page). */
#include "tensix/vector/lanes.h"

#include "num/sfpu.h"

SIMD_CLONES void vector_abs(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPABS_MOD1_FLOAT = 1 };
    const uint32_t *c = v->LReg[o->VC];
    if (o->mod & SFPABS_MOD1_FLOAT)
        RESULT(sfpu_abs_float(c[i]));
    else
        RESULT(sfpu_abs_int(c[i]));
}

SIMD_CLONES void vector_and(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    RESULT(b[i] & c[i]);
}

SIMD_CLONES void vector_or(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    RESULT(b[i] | c[i]);
}

SIMD_CLONES void vector_xor(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    RESULT(b[i] ^ c[i]);
}

SIMD_CLONES void vector_not(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const uint32_t *c = v->LReg[o->VC];
    RESULT(~c[i]);
}

SIMD_CLONES void vector_iadd(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum {
        SFPIADD_MOD1_ARG_IMM = 1,
        SFPIADD_MOD1_ARG_2SCOMP_LREG_DST = 2,
        SFPIADD_MOD1_CC_NONE = 4,
        SFPIADD_MOD1_CC_GTE0 = 8
    };
    if (!vector_writable(o->VD))
        return;
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    if (o->mod & SFPIADD_MOD1_ARG_IMM)
        RESULT(c[i] + (uint32_t)o->imm);
    else if (o->mod & SFPIADD_MOD1_ARG_2SCOMP_LREG_DST)
        RESULT(c[i] - b[i]);
    else
        RESULT(c[i] + b[i]);
    if (o->VD >= 8)
        return;
    const uint32_t flags = o->mod & SFPIADD_MOD1_CC_NONE ? v->LaneFlags : lanes_signs(v->LReg[o->VD]);
    flags_put(v, lanes, o->mod & SFPIADD_MOD1_CC_GTE0 ? ~flags : flags);
}

/* Modes 4 and 6 are without meaning: present silicon takes them as 0 and 2, and ignores the fourth bit (f9c605d8). */
SIMD_CLONES void vector_shft(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPSHFT_MOD1_ARG_IMM = 1, SFPSHFT_MOD1_ARITHMETIC = 2, SFPSHFT_MOD1_ARG_IMM_USE_VC = 4 };
    const bool immediate = o->mod & SFPSHFT_MOD1_ARG_IMM;
    const uint32_t *x = v->LReg[immediate && (o->mod & SFPSHFT_MOD1_ARG_IMM_USE_VC) ? o->VC : o->VB];
    const uint32_t by = (uint32_t)o->imm, *amount = v->LReg[o->VC];
    if (immediate && (o->mod & SFPSHFT_MOD1_ARITHMETIC))
        RESULT(sfpu_shift_arithmetic(x[i], by));
    else if (immediate)
        RESULT(sfpu_shift(x[i], by));
    else if (o->mod & SFPSHFT_MOD1_ARITHMETIC)
        RESULT(sfpu_shift_arithmetic(x[i], amount[i]));
    else
        RESULT(sfpu_shift(x[i], amount[i]));
}

SIMD_CLONES void vector_lz(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPLZ_MOD1_CC_NE0 = 2, SFPLZ_MOD1_NOSGN_MASK = 4, SFPLZ_MOD1_CC_COMP = 8 };
    if (!vector_writable(o->VD))
        return;
    const uint32_t *c = v->LReg[o->VC];
    const uint32_t mask = o->mod & SFPLZ_MOD1_NOSGN_MASK ? ~F32_SIGN : UINT32_MAX;
    uint32_t zero[LANES];
    RESULT(sfpu_leading_zeros(c[i] & mask));
    if (o->VD >= 8)
        return;
    LANEWISE(zero, v->LReg[o->VD][i] << 26); /* 32 has bit 5 */
    const uint32_t flags = o->mod & SFPLZ_MOD1_CC_NE0 ? ~lanes_signs(zero) : v->LaneFlags;
    flags_put(v, lanes, o->mod & SFPLZ_MOD1_CC_COMP ? ~flags : flags);
}

/* ---- Fields of FP32 ------------------------------------------------------------------------------------------- */

enum { ARG_IMM = 1 };

SIMD_CLONES void vector_setexp(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPSETEXP_MOD1_ARG_EXPONENT = 2 };
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    if (o->mod & ARG_IMM)
        RESULT(sfpu_with_exponent(c[i], (uint32_t)o->imm));
    else if (o->mod & SFPSETEXP_MOD1_ARG_EXPONENT)
        RESULT(sfpu_with_exponent(c[i], sfpu_exponent(b[i])));
    else
        RESULT(sfpu_with_exponent(c[i], b[i]));
}

SIMD_CLONES void vector_setman(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    if (o->mod & ARG_IMM)
        RESULT((c[i] & 0xFF800000u) | (uint32_t)o->imm << 11);
    else
        RESULT((c[i] & 0xFF800000u) | (b[i] & 0x7FFFFF));
}

SIMD_CLONES void vector_setsgn(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    if (o->mod & ARG_IMM)
        RESULT((c[i] & ~F32_SIGN) | (uint32_t)o->imm << 31);
    else
        RESULT((c[i] & ~F32_SIGN) | (b[i] & F32_SIGN));
}

SIMD_CLONES void vector_exexp(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPEXEXP_MOD1_NODEBIAS = 1, SFPEXEXP_MOD1_SET_CC_SGN_EXP = 2, SFPEXEXP_MOD1_SET_CC_COMP_EXP = 8 };
    if (!vector_writable(o->VD))
        return;
    const uint32_t *c = v->LReg[o->VC];
    const uint32_t bias = o->mod & SFPEXEXP_MOD1_NODEBIAS ? 0 : 127;
    RESULT(sfpu_exponent(c[i]) - bias);
    if (o->VD >= 8)
        return;
    const uint32_t flags = o->mod & SFPEXEXP_MOD1_SET_CC_SGN_EXP ? lanes_signs(v->LReg[o->VD]) : v->LaneFlags;
    flags_put(v, lanes, o->mod & SFPEXEXP_MOD1_SET_CC_COMP_EXP ? ~flags : flags);
}

SIMD_CLONES void vector_exman(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPEXMAN_MOD1_PAD9 = 1 };
    const uint32_t *c = v->LReg[o->VC];
    const uint32_t hidden = o->mod & SFPEXMAN_MOD1_PAD9 ? 0 : 0x800000;
    RESULT(hidden | (c[i] & 0x7FFFFF));
}

SIMD_CLONES void vector_divp2(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPDIVP2_MOD1_ADD = 1 };
    const uint32_t *c = v->LReg[o->VC];
    if (o->mod & SFPDIVP2_MOD1_ADD)
        RESULT(sfpu_add_exponent(c[i], (uint32_t)o->imm));
    else
        RESULT(sfpu_with_exponent(c[i], (uint32_t)o->imm));
}

/* ---- Comparisons ---------------------------------------------------------------------------------------------- */

/* Sign bit: VC is smaller than VB. */
static inline void smaller(uint32_t r[LANES], const uint32_t b[LANES], const uint32_t c[LANES])
{
    LANEWISE(r, sfpu_order(c[i]) < sfpu_order(b[i]) ? UINT32_MAX : 0);
}

/* SFPGT and SFPLE: VD, LaneFlags, the top of the stack; the last also in lanes that are not enabled. */
static inline void compared(struct vector_files *v, uint32_t lanes, const struct vector_operands *o,
                            const uint32_t r[LANES])
{
    enum { SET_CC = 1, MUTATE_STACK = 2, MUTATE_OR = 4, SET_VD = 8 };
    const uint32_t is = lanes_signs(r);
    const uint32_t enabled = lanes & vector_lanes_enabled(v);
    if (o->mod & SET_VD)
        lanes_put(v, enabled, o->VD, r);
    if (o->mod & SET_CC)
        flags_put(v, enabled, is);
    if (!(o->mod & MUTATE_STACK))
        return;
    for (unsigned i = 0; i < LANES; i++) {
        if (!(lanes >> i & 1) || v->flag_stack_size[i] == 0)
            continue;
        uint32_t *top = &v->FlagStack[v->flag_stack_size[i] - 1].LaneFlags;
        const uint32_t bit = UINT32_C(1) << i;
        *top = o->mod & MUTATE_OR ? *top | (is & bit) : *top & (is | ~bit);
    }
}

SIMD_CLONES void vector_gt(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    uint32_t r[LANES];
    smaller(r, v->LReg[o->VB], v->LReg[o->VC]);
    compared(v, lanes, o, r);
}

SIMD_CLONES void vector_le(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    uint32_t r[LANES];
    smaller(r, v->LReg[o->VB], v->LReg[o->VC]);
    LANEWISE(r, ~r[i]);
    compared(v, lanes, o, r);
}

/* ---- Conversions, approximations, moves ------------------------------------------------------------------------ */

/* SFPCAST_IntFloat, _IntAbs, _IntInt.  Present silicon ignores the two high bits of Mod1 (4042f540). */
SIMD_CLONES void vector_cast(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum {
        SFPCAST_MOD1_SM32_TO_FP32_RNE = 0,
        SFPCAST_MOD1_SM32_TO_FP32_RNS = 1,
        SFPCAST_MOD1_INT32_ABS = 2,
        SFPCAST_MOD1_MASK = 3
    };
    const uint32_t *c = v->LReg[o->VC];
    uint32_t random[LANES];
    switch (o->mod & SFPCAST_MOD1_MASK) {
    case SFPCAST_MOD1_SM32_TO_FP32_RNE: RESULT(sfpu_fp32_from_sm32_nearest(c[i])); break;
    case SFPCAST_MOD1_SM32_TO_FP32_RNS:
        vector_random(v, lanes, random);
        RESULT(sfpu_fp32_from_sm32_random(c[i], random[i]));
        break;
    case SFPCAST_MOD1_INT32_ABS: RESULT(sfpu_abs_int(c[i])); break;
    default: RESULT(sfpu_int_from_sign_magnitude(c[i]));
    }
}

void vector_arecip(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPARECIP_MOD1_RECIP = 0, SFPARECIP_MOD1_COND_RECIP = 1 };
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    uint32_t r[LANES];
    if (o->mod == SFPARECIP_MOD1_RECIP)
        LANEWISE(r, (c[i] & F32_SIGN) + sfpu_approximate_reciprocal(c[i] & ~F32_SIGN));
    else if (o->mod == SFPARECIP_MOD1_COND_RECIP)
        LANEWISE(r, b[i] & F32_SIGN ? sfpu_approximate_reciprocal(c[i] & ~F32_SIGN) : c[i]);
    else
        LANEWISE(r, (c[i] & F32_SIGN) + sfpu_approximate_exponential(c[i] & ~F32_SIGN));
    lanes_put(v, lanes, o->VD, r);
}

/* What VC means with SFPMOV_MOD1_FROM_SPECIAL: as VD of SFPCONFIG, nearly. */
static void special(struct vector_files *v, uint32_t lanes, unsigned VC, uint32_t r[LANES])
{
    enum { OF_MISC = 8, OF_PRNG = 9, OF_LANE_CONFIG = 15 };
    if (VC < 4)
        memcpy(r, v->LoadMacroConfig.InstructionTemplate[VC], LANES * sizeof *r);
    else if (VC < 8)
        memcpy(r, v->LoadMacroConfig.Sequence[VC - 4], LANES * sizeof *r);
    else if (VC == OF_MISC)
        memcpy(r, v->LoadMacroConfig.Misc, LANES * sizeof *r);
    else if (VC == OF_PRNG)
        vector_random(v, lanes, r);
    else if (VC == OF_LANE_CONFIG)
        memcpy(r, v->LaneConfig, LANES * sizeof *r);
    else
        memset(r, 0, LANES * sizeof *r);
}

/* `lanes` are those of the back door; which of them are enabled matters in all modes but one. */
SIMD_CLONES void vector_mov(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPMOV_MOD1_NEGATE = 1, SFPMOV_MOD1_ALL_LANES_ENABLED = 2, SFPMOV_MOD1_FROM_SPECIAL = 8 };
    const uint32_t *c = v->LReg[o->VC];
    uint32_t r[LANES];
    if (o->mod != SFPMOV_MOD1_ALL_LANES_ENABLED)
        lanes &= vector_lanes_enabled(v);
    if (o->mod & SFPMOV_MOD1_FROM_SPECIAL) {
        special(v, lanes, o->VC, r);
        RESULT(r[i]);
    } else if (o->mod & SFPMOV_MOD1_NEGATE) {
        RESULT(c[i] ^ F32_SIGN);
    } else {
        RESULT(c[i]);
    }
}
