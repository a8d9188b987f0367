/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the Vector Unit on a processor with AVX2 and fused multiply-adds. */
#include "tensix/vector/play.h"

#if defined(__x86_64__)
#include "tensix/vector/lanes256.h"

#include "tensix/vector/lanes_play.h"

HOST void play_on_avx2(const struct play_run *run)
{
    play_all(run);
}

/* fma.c where vectors are not for a lane. */
HOST_CALL part part_one_by_one(part x, part y, part z)
{
    uint32_t xs[PART_LANES], ys[PART_LANES], zs[PART_LANES], r[PART_LANES], flags = 0;
    part_store(xs, x);
    part_store(ys, y);
    part_store(zs, z);
    for (unsigned i = 0; i < PART_LANES; i++)
        r[i] = fma_f32(xs[i], ys[i], zs[i], &flags);
    return part_load(r);
}

HOST void play_slow_mad_avx2(struct vector_files *v, const struct play_step *step, const uint32_t enabled[8],
                             unsigned from)
{
    enum { INPUT = 3, TWO = 0x40000000 };
    const struct vector_operands *o = &step->o;
    const part negate_x = part_value(o->mod & NEGATE_VA ? F32_SIGN : 0),
               negate_z = part_value(o->mod & NEGATE_VC ? F32_SIGN : 0);
    part x = part_xor(part_load(v->LReg[o->VA] + from), negate_x), y = part_load(v->LReg[o->VB] + from);
    part z = part_xor(part_load(v->LReg[o->VC] + from), negate_z);
    const part input = part_load(v->LReg[INPUT] + from), magnitude = part_constant(~F32_SIGN);
    if (step->code == PLAY_SUM) {
        x = part_xor(part_load(v->LReg[step->source] + from), negate_x);
        y = part_constant(F32_ONE);
    } else if (step->code == PLAY_LUT) {
        y = part_and(input, magnitude);
        const part up = of_two(part_load(v->LReg[1] + from), part_load(v->LReg[2] + from), y, TWO);
        const part both = lut8_both(of_two(part_load(v->LReg[0] + from), up, y, F32_ONE));
        x = part_and(both, part_constant(0xFFFF0000));
        z = part_left(both, 16);
    }
    part_mask is_odd = PART_MASK_NONE;
    part r = part_fma(x, y, z, &is_odd);
    if (UNLIKELY(part_any(is_odd)))
        r = part_one_by_one(x, y, z);
    if (step->code == PLAY_LUT && (o->mod & SGN_RETAIN))
        r = with_sign(r, input, magnitude);
    uint32_t *VD = v->LReg[o->VD] + from;
    part_store(VD, part_where(part_load(enabled), r, part_load(VD)));
}

bool play_has_avx2(void)
{
    return fma_has_avx2();
}
#else
bool play_has_avx2(void)
{
    return false;
}
void play_on_avx2(const struct play_run *run)
{
    (void)run;
}
#endif
