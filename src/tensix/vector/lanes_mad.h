/* SPDX-License-Identifier: Apache-2.0 */
/* The MAD sub-unit and SFPARECIP (mad.c, simple.c) in vectors of the host; behind lanes512.h or lanes256.h. */
#ifndef KERR_TENSIX_VECTOR_LANES_MAD_H
#define KERR_TENSIX_VECTOR_LANES_MAD_H

#include "tensix/vector/lanes_all.h"
#include "tensix/vector/play.h"
#include "tensix/vector/vector.h"

#include "num/fma_lanes.h"

enum { NEGATE_VA = 1, NEGATE_VC = 2, SGN_RETAIN = 4 };

/* Some lanes are not for vectors. */
static __attribute__((noinline)) void odd_mad(uint32_t r[LANES], const uint32_t x[LANES], const uint32_t y[LANES],
                                              const uint32_t z[LANES])
{
    fma_f32_lanes_plain(r, x, y, z);
}
HOST_CALL void one_by_one(struct lanes *r, const struct lanes *x, const struct lanes *y, const struct lanes *z)
{
    _Alignas(64) uint32_t space[4][LANES];
    set(space[0], *x);
    set(space[1], *y);
    set(space[2], *z);
    odd_mad(space[3], space[0], space[1], space[2]);
    *r = get(space[3]);
}

/* Some lanes are not for the host's multiply-add. */
HOST_CALL void unsure(struct lanes *r, const struct lanes *x, const struct lanes *y, const struct lanes *z)
{
    part_mask is_odd = PART_MASK_NONE;
    *r = TERNARY_WITH(part_fma, *x, *y, *z, &is_odd);
    if (UNLIKELY(part_any(is_odd)))
        one_by_one(r, x, y, z);
}

/* *doubt: of the instruction; data that the host's is not for is likely to come again. */
HOST_INLINE struct lanes multiply_add(struct lanes x, struct lanes y, struct lanes z, bool denormals, uint32_t *doubt)
{
    enum { DOUBT = 3 };
    if (LIKELY(*doubt == 0)) {
        part_mask is_unsure = PART_MASK_NONE;
        const struct lanes r = TERNARY_WITH(part_fma_host, x, y, z, denormals, &is_unsure);
        if (LIKELY(!part_any(is_unsure)))
            return r;
        *doubt = DOUBT + 1;
    }
    const struct lanes x_space = x, y_space = y, z_space = z;
    struct lanes r_space;
    --*doubt;
    unsure(&r_space, &x_space, &y_space, &z_space);
    return r_space;
}

HOST_CALL void mad(struct vector_files *v, struct play_step *step, uint32_t lanes)
{
    const struct vector_operands *o = &step->o;
    const struct lanes x = negated(get(v->LReg[o->VA]), o->mod & NEGATE_VA);
    const struct lanes z = negated(get(v->LReg[o->VC]), o->mod & NEGATE_VC);
    put(v->LReg[o->VD], lanes, multiply_add(x, get(v->LReg[o->VB]), z, true, &step->doubt));
}

HOST_CALL void product(struct vector_files *v, const struct vector_operands *o, uint32_t lanes)
{
    const struct lanes x = negated(get(v->LReg[o->VA]), o->mod & NEGATE_VA), y = get(v->LReg[o->VB]);
    const struct lanes z = negated(IN_ALL(part_value(0)), o->mod & NEGATE_VC);
    part_mask is_odd = PART_MASK_NONE;
    struct lanes r = TERNARY_WITH(part_fma_mul, x, y, z, &is_odd);
    if (UNLIKELY(part_any(is_odd))) {
        const struct lanes x_space = x, y_space = y, z_space = z;
        struct lanes r_space;
        one_by_one(&r_space, &x_space, &y_space, &z_space);
        r = r_space;
    }
    put(v->LReg[o->VD], lanes, r);
}

HOST_CALL void sum(struct vector_files *v, const struct vector_operands *o, unsigned source, uint32_t lanes)
{
    const struct lanes x = negated(get(v->LReg[source]), o->mod & NEGATE_VA);
    const struct lanes z = negated(get(v->LReg[o->VC]), o->mod & NEGATE_VC);
    part_mask is_odd = PART_MASK_NONE;
    struct lanes r = BINARY_WITH(part_fma_add, x, z, &is_odd);
    if (UNLIKELY(part_any(is_odd))) {
        const struct lanes x_space = x, y_space = get(v->LReg[LREG_ONE]), z_space = z;
        struct lanes r_space;
        one_by_one(&r_space, &x_space, &y_space, &z_space);
        r = r_space;
    }
    put(v->LReg[o->VD], lanes, r);
}

/* sfpu_lut8 of the two low bytes, the higher one in the high half: FP32 without its low halves.  The exponent's bits, which count
 * down, change all of those of 127 that they are. */
HOST_INLINE part lut8_both(part x)
{
    const part byte = part_bytes_apart(x);
    const part field = part_and_xor(part_left_16(byte, 3), part_constant(0x03F803F8), part_constant(0x3F803F80));
    const part value = part_and_or(part_left_16(byte, 8), part_constant(0x80008000), field);
    return part_unless_same_16(byte, part_constant(0x00FF00FF), value);
}
HOST_INLINE part of_two(part yes, part no, part magnitude, uint32_t limit)
{
    return part_where(part_below(magnitude, part_constant(limit)), yes, no);
}

HOST_INLINE part with_sign(part x, part sign, part magnitude)
{
    return part_select(magnitude, x, sign);
}

HOST_CALL void lut(struct vector_files *v, struct play_step *step, uint32_t lanes)
{
    const struct vector_operands *o = &step->o;
    enum { INPUT = 3, TWO = 0x40000000 };
    const struct lanes input = get(v->LReg[INPUT]);
    const part magnitude = part_constant(~F32_SIGN);
    const struct lanes y = UNARY(part_and, input, magnitude);
    const struct lanes up = TERNARY_WITH(of_two, get(v->LReg[1]), get(v->LReg[2]), y, TWO);
    const struct lanes of_three = TERNARY_WITH(of_two, get(v->LReg[0]), up, y, F32_ONE);
    const struct lanes both = EACH(lut8_both, of_three);
    const struct lanes x = UNARY(part_and, both, part_constant(0xFFFF0000)), z = UNARY(part_left, both, 16);
    struct lanes r = multiply_add(x, y, z, false, &step->doubt);
    if (o->mod & SGN_RETAIN)
        r = BINARY_WITH(with_sign, r, input, magnitude);
    put(v->LReg[o->VD], lanes, r);
}

/* sfpu_approximate_reciprocal with the sign of x. */
HOST_INLINE part reciprocal(part x)
{
    const part magnitude = part_and(x, part_constant(~F32_SIGN)), byte = part_reciprocal(magnitude);
    const part exponent = part_sub(part_constant(253), part_right(magnitude, 23));
    part r = part_or(part_left(exponent, 23), part_left(part_and(byte, part_constant(255)), 16));
    r = part_where(part_below(magnitude, part_constant(0x00800000)), part_constant(F32_INFINITY), r);
    r = part_where(part_below(magnitude, part_constant(0x7E800000)), r, part_constant(0));
    return part_and_or(x, part_constant(F32_SIGN), r);
}
HOST_CALL void reciprocals(struct vector_files *v, const struct vector_operands *o, uint32_t lanes)
{
    put(v->LReg[o->VD], lanes, EACH(reciprocal, get(v->LReg[o->VC])));
}

/* What the last one of a program has written (mad.c, remember). */
HOST_INLINE void remember(struct vector_files *v, uint32_t lanes, unsigned VD)
{
    struct vector_mad_write *write = &v->mad;
    write->lanes = lanes;
    write->written = lanes ? UINT32_C(1) << VD : 0;
    memset(write->index, (int)VD, sizeof write->index);
    set(write->old, get(v->LReg[VD]));
}

#endif
