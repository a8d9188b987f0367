/* SPDX-License-Identifier: Apache-2.0 */
/* The MAD sub-unit: SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI, SFPMUL24, SFPLUT, SFPLUTFP32 (a page each).
 *
 * A result is there in the second cycle after the one in which the unit took the instruction.  It is written at once all the
 * same; `mad` of struct vector_files keeps what it replaced for an instruction in the cycle between that reads it
 * unprotected (hazard.c). */
#include "tensix/vector/lanes.h"

#include "base/bits.h"
#include "num/fma_lanes.h"
#include "num/sfpu.h"

_Static_assert((int)FMA_LANES == (int)LANES, "one call for all of them");

enum { SFPMAD_MOD1_NEGATE_VA = 1, SFPMAD_MOD1_NEGATE_VC = 2, INDIRECT_VA = 4, INDIRECT_VD = 8 };
enum { INDEX_REGISTER = 7, INDEX_MASK = 15 };

/* LReg[7] says which register is written, lane by lane. */
static void finish_indirect(struct vector_files *v, uint32_t lanes, const uint32_t r[LANES])
{
    struct vector_mad_write *mad = &v->mad;
    mad->lanes = 0;
    mad->written = 0;
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned VD = v->LReg[INDEX_REGISTER][i] & INDEX_MASK;
        mad->index[i] = (uint8_t)VD;
        if (!(lanes >> i & 1) || VD >= 8)
            continue;
        mad->old[i] = v->LReg[VD][i];
        mad->lanes |= UINT32_C(1) << i;
        mad->written |= UINT32_C(1) << VD;
        v->LReg[VD][i] = r[i];
    }
}

/* VD is going to be written. */
static inline void remember(struct vector_files *v, uint32_t lanes, unsigned VD)
{
    struct vector_mad_write *mad = &v->mad;
    mad->lanes = lanes;
    mad->written = lanes ? UINT32_C(1) << VD : 0;
    memset(mad->index, (int)VD, sizeof mad->index);
    lanes_copy(mad->old, v->LReg[VD]);
}

static inline void finish(struct vector_files *v, uint32_t lanes, const struct vector_operands *o,
                          const uint32_t r[LANES])
{
    if ((o->mod & INDIRECT_VD) && o->VD != 16) {
        finish_indirect(v, lanes, r);
        return;
    }
    if (!vector_writable(o->VD)) {
        v->mad.lanes = v->mad.written = 0;
        return;
    }
    remember(v, lanes, o->VD);
    lanes_blend(v->LReg[o->VD], r, lanes);
}

/* VA, by LReg[7] if the mode says so. */
static inline const uint32_t *factor(const struct vector_files *v, const struct vector_operands *o,
                                     uint32_t space[LANES])
{
    if (LIKELY(!(o->mod & INDIRECT_VA)))
        return v->LReg[o->VA];
    LANEWISE(space, v->LReg[v->LReg[INDEX_REGISTER][i] & INDEX_MASK][i]);
    return space;
}

static inline const uint32_t *negated(const uint32_t x[LANES], bool negate, uint32_t space[LANES])
{
    if (!negate)
        return x;
    LANEWISE(space, x[i] ^ F32_SIGN);
    return space;
}

/* a * b + c, of which an operand may be a constant register: SFPMUL adds zero, SFPADD multiplies by one. */
static inline void multiply_add(const struct vector_operands *o, uint32_t r[LANES], const uint32_t a[LANES],
                                const uint32_t b[LANES], const uint32_t c[LANES])
{
    if (o->VC == LREG_ZERO)
        fma_f32_lanes_mul(r, a, b, c);
    else if (o->VB == LREG_ONE)
        fma_f32_lanes_add(r, a, c);
    else if (o->VA == LREG_ONE && !(o->mod & (INDIRECT_VA | SFPMAD_MOD1_NEGATE_VA)))
        fma_f32_lanes_add(r, b, c);
    else
        fma_f32_lanes(r, a, b, c);
}

/* SFPMAD (585749d1), SFPADD and SFPMUL, which are the same. */
SIMD_CLONES void vector_mad(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    uint32_t a_space[LANES], c_space[LANES], r[LANES];
    const uint32_t *a = negated(factor(v, o, a_space), o->mod & SFPMAD_MOD1_NEGATE_VA, a_space);
    const uint32_t *c = negated(v->LReg[o->VC], o->mod & SFPMAD_MOD1_NEGATE_VC, c_space);
    const uint32_t *b = v->LReg[o->VB];
    uint32_t *d = v->LReg[o->VD];
    if (LIKELY(lanes == UINT32_MAX && o->VD < 8 && !(o->mod & INDIRECT_VD))) {
        remember(v, lanes, o->VD);
        multiply_add(o, d, a == d ? v->mad.old : a, b == d ? v->mad.old : b, c == d ? v->mad.old : c);
        return;
    }
    multiply_add(o, r, a, b, c);
    finish(v, lanes, o, r);
}

/* SFPADDI and SFPMULI: an immediate in BF16 and VC, which is VD but for macros. */
static void with_immediate(struct vector_files *v, uint32_t lanes, const struct vector_operands *o, bool multiply)
{
    const uint32_t immediate = (uint32_t)o->imm << 16, sign = o->mod & SFPMAD_MOD1_NEGATE_VC ? F32_SIGN : 0;
    uint32_t a[LANES], c[LANES], r[LANES];
    LANEWISE(a, immediate);
    LANEWISE(c, v->LReg[o->VC][i] ^ sign);
    if (multiply)
        fma_f32_lanes_mul(r, a, c, v->LReg[LREG_ZERO]);
    else
        fma_f32_lanes_add(r, a, c);
    finish(v, lanes, o, r);
}

void vector_addi(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    with_immediate(v, lanes, o, false);
}

void vector_muli(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    with_immediate(v, lanes, o, true);
}

SIMD_CLONES void vector_mul24(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPMUL24_MOD1_UPPER = 1 };
    const uint32_t *b = v->LReg[o->VB], *c = v->LReg[o->VC];
    uint32_t space[LANES], r[LANES];
    const uint32_t *a = factor(v, o, space);
    if (o->mod & SFPMUL24_MOD1_UPPER)
        LANEWISE(r, sfpu_mul23_high(a[i], b[i]));
    else
        LANEWISE(r, sfpu_mul23_low(a[i], b[i]));
    if (o->VC != 9) /* the constant zero changes nothing */
        LANEWISE(r, sfpu_mul24_shift_add(r[i], c[i]));
    finish(v, lanes, o, r);
}

/* ---- Tables --------------------------------------------------------------------------------------------------- */

enum { HALF = 0x3F000000, ONE_AND_A_HALF = 0x3FC00000, TWO = 0x40000000, THREE = 0x40400000, FOUR = 0x40800000 };
enum { INPUT = 3, OFFSETS = 4, SGN_RETAIN = 4 };

static inline void finish_table(struct vector_files *v, uint32_t lanes, const struct vector_operands *o,
                                const uint32_t a[LANES], const uint32_t b[LANES], const uint32_t c[LANES])
{
    uint32_t r[LANES];
    fma_f32_lanes(r, a, b, c);
    if (o->mod & SGN_RETAIN)
        LANEWISE(r, (r[i] & ~F32_SIGN) | (v->LReg[INPUT][i] & F32_SIGN));
    finish(v, lanes, o, r);
}

/* Of three registers, by the magnitude of the input. */
static inline uint32_t of_three(const struct vector_files *v, unsigned first, unsigned i, uint32_t magnitude)
{
    const uint32_t low = v->LReg[first][i], middle = v->LReg[first + 1][i], high = v->LReg[first + 2][i];
    return magnitude < F32_ONE ? low : magnitude < TWO ? middle : high;
}

SIMD_CLONES void vector_lut(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    uint32_t a[LANES], b[LANES], c[LANES], entry[LANES];
    LANEWISE(b, v->LReg[INPUT][i] & ~F32_SIGN);
    LANEWISE(entry, of_three(v, 0, i, b[i]));
    LANEWISE(a, sfpu_lut8(entry[i] >> 8));
    LANEWISE(c, sfpu_lut8(entry[i]));
    finish_table(v, lanes, o, a, b, c);
}

/* Six entries of FP16: which half of the register. */
static inline uint32_t half_of(uint32_t magnitude, uint32_t cut)
{
    const uint32_t below_one = magnitude < HALF ? 0 : 16, below_two = magnitude < ONE_AND_A_HALF ? 0 : 16;
    const uint32_t above = magnitude < cut ? 0 : 16;
    return magnitude < F32_ONE ? below_one : magnitude < TWO ? below_two : above;
}

SIMD_CLONES void vector_lutfp32(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { FP16 = 2, FP16_3ENTRY_TABLE = 10, FP16_6ENTRY_TABLE2 = 3 };
    uint32_t a[LANES], b[LANES], c[LANES], half[LANES];
    LANEWISE(b, v->LReg[INPUT][i] & ~F32_SIGN);
    LANEWISE(a, of_three(v, 0, i, b[i]));
    LANEWISE(c, of_three(v, OFFSETS, i, b[i]));
    if ((o->mod & FP16_3ENTRY_TABLE) == FP16_3ENTRY_TABLE) {
        LANEWISE(c, sfpu_lut16(a[i]));
        LANEWISE(a, sfpu_lut16(a[i] >> 16));
    } else if (o->mod & FP16) {
        const uint32_t cut = (o->mod & FP16_6ENTRY_TABLE2) == FP16_6ENTRY_TABLE2 ? FOUR : THREE;
        LANEWISE(half, half_of(b[i], cut));
        LANEWISE(a, sfpu_lut16(a[i] >> half[i]));
        LANEWISE(c, sfpu_lut16(c[i] >> half[i]));
    }
    finish_table(v, lanes, o, a, b, c);
}
