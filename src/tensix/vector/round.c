/* SPDX-License-Identifier: Apache-2.0 */
/* The round sub-unit: SFPSTOCHRND (three pages) and SFPSHFT2. */
#include "tensix/vector/lanes.h"

#include "num/sfpu.h"

/* ---- SFPSTOCHRND ------------------------------------------------------------------------------------------------ */

/* What the bits that are cut off are compared with.  The generators go on whatever the mode; mode 3, which no page names, is
 * in the models what mode 1 is. */
static inline void thresholds(struct vector_files *v, uint32_t lanes, unsigned RoundingMode, uint32_t threshold[LANES])
{
    enum { SFPSTOCHRND_RND_NEAREST = 0, SFPSTOCHRND_RND_ZERO = 2 };
    vector_random(v, lanes, threshold);
    if (RoundingMode == SFPSTOCHRND_RND_NEAREST)
        LANEWISE(threshold, SFPU_ROUND_NEAREST);
    else if (RoundingMode == SFPSTOCHRND_RND_ZERO)
        LANEWISE(threshold, SFPU_ROUND_ZERO);
    else
        LANEWISE(threshold, threshold[i] & 0x7FFFFF);
}

SIMD_CLONES void vector_stochrnd(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum {
        FP32_TO_FP16A,
        FP32_TO_FP16B,
        FP32_TO_UINT8,
        FP32_TO_INT8,
        INT32_TO_UINT8,
        INT32_TO_INT8,
        FP32_TO_UINT16,
        FP32_TO_INT16
    };
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    uint32_t t[LANES], amount[LANES], r[LANES];
    thresholds(v, lanes, o->rounding, t);
    LANEWISE(amount, o->use_imm ? (uint32_t)o->imm & 31 : b[i] & 31);
    switch (o->mod) {
    case FP32_TO_FP16A: LANEWISE(r, sfpu_reduce_mantissa(c[i], 13, t[i])); break;
    case FP32_TO_FP16B: LANEWISE(r, sfpu_reduce_mantissa(c[i], 16, t[i])); break;
    case FP32_TO_UINT8: LANEWISE(r, sfpu_sm32_from_fp32(c[i], false, 255, t[i])); break;
    case FP32_TO_INT8: LANEWISE(r, sfpu_sm32_from_fp32(c[i], true, 127, t[i])); break;
    case INT32_TO_UINT8: LANEWISE(r, sfpu_descale(c[i], amount[i], false, 255, t[i])); break;
    case INT32_TO_INT8: LANEWISE(r, sfpu_descale(c[i], amount[i], true, 127, t[i])); break;
    case FP32_TO_UINT16: LANEWISE(r, sfpu_sm32_from_fp32(c[i], false, 65535, t[i])); break;
    default: LANEWISE(r, sfpu_sm32_from_fp32(c[i], true, 32767, t[i]));
    }
    lanes_put(v, lanes, o->VD, r);
}

/* ---- SFPSHFT2 --------------------------------------------------------------------------------------------------- */

enum {
    SFPSHFT2_MOD1_COPY4,
    SFPSHFT2_MOD1_SUBVEC_CHAINED_COPY4,
    SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4,
    SFPSHFT2_MOD1_SUBVEC_SHFLROR1,
    SFPSHFT2_MOD1_SUBVEC_SHFLSHR1,
    SFPSHFT2_MOD1_SHFT_LREG,
    SFPSHFT2_MOD1_SHFT_IMM
};

/* LReg 1 to 3 one further, `last` into LReg[3]. */
static inline void copy4(struct vector_files *v, uint32_t lanes, const uint32_t last[LANES])
{
    for (unsigned i = 0; i < 3; i++)
        lanes_blend(v->LReg[i], v->LReg[i + 1], lanes);
    lanes_blend(v->LReg[3], last, lanes);
}

/* Within each row of eight lanes one further; into the first of them the last one, or zero. */
static inline void along(const uint32_t c[LANES], bool rotate, uint32_t r[LANES])
{
    for (unsigned i = 0; i < LANES; i++)
        r[i] = i % LANE_COLUMNS ? c[i - 1] : rotate ? c[i + LANE_COLUMNS - 1] : 0;
}

SIMD_CLONES void vector_shft2(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    uint32_t r[LANES] = {0};
    switch (o->mod) {
    case SFPSHFT2_MOD1_COPY4: copy4(v, lanes, r); break;
    case SFPSHFT2_MOD1_SUBVEC_CHAINED_COPY4:
        memcpy(r, v->LReg[0] + LANE_COLUMNS, (LANES - LANE_COLUMNS) * sizeof *r);
        copy4(v, lanes, r);
        break;
    case SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4:
        along(c, true, r);
        copy4(v, lanes, r);
        break;
    case SFPSHFT2_MOD1_SUBVEC_SHFLROR1:
    case SFPSHFT2_MOD1_SUBVEC_SHFLSHR1:
        along(c, o->mod == SFPSHFT2_MOD1_SUBVEC_SHFLROR1, r);
        lanes_put(v, lanes, o->VD, r);
        break;
    case SFPSHFT2_MOD1_SHFT_LREG:
        LANEWISE(r, sfpu_shift(b[i], c[i]));
        lanes_put(v, lanes, o->VD, r);
        break;
    case SFPSHFT2_MOD1_SHFT_IMM:
        LANEWISE(r, sfpu_shift(b[i], (uint32_t)o->imm));
        lanes_put(v, lanes, o->VD, r);
        break;
    default: break; /* undefined */
    }
}
