/* SPDX-License-Identifier: Apache-2.0 */
/* FP32 elements of the V subset: the scalar arithmetic of num/, with its rounding, denormals and multiply-add
 * (manual BabyRISCV/InstructionSet, "V Standard Extension").  a from vs2, b from vs1 or f1, d from vd. */
#include "num/f32.h"
#include "num/fma.h"
#include "riscv/vec_ops.h"

#define UNUSED (void)

uint32_t vec_vfadd(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return fma_f32_add(a, b, &op->flags);
}

uint32_t vec_vfsub(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return fma_f32_add(a, b ^ F32_SIGN, &op->flags);
}

uint32_t vec_vfrsub(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return fma_f32_add(b, a ^ F32_SIGN, &op->flags);
}

uint32_t vec_vfmul(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return fma_f32_mul(a, b, &op->flags);
}

uint32_t vec_vfmin(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return f32_min(a, b, &op->flags);
}

uint32_t vec_vfmax(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return f32_max(a, b, &op->flags);
}

uint32_t vec_vfsgnj(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return f32_sgnj(a, b);
}

uint32_t vec_vfsgnjn(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return f32_sgnjn(a, b);
}

uint32_t vec_vfsgnjx(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return f32_sgnjx(a, b);
}

uint32_t vec_vfmadd(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    return fma_f32(b, d, a, &op->flags);
}

uint32_t vec_vfnmadd(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    return fma_f32(b ^ F32_SIGN, d, a ^ F32_SIGN, &op->flags);
}

uint32_t vec_vfmsub(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    return fma_f32(b, d, a ^ F32_SIGN, &op->flags);
}

uint32_t vec_vfnmsub(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    return fma_f32(b ^ F32_SIGN, d, a, &op->flags);
}

uint32_t vec_vfmacc(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    return fma_f32(b, a, d, &op->flags);
}

uint32_t vec_vfnmacc(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    return fma_f32(b ^ F32_SIGN, a, d ^ F32_SIGN, &op->flags);
}

uint32_t vec_vfmsac(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    return fma_f32(b, a, d ^ F32_SIGN, &op->flags);
}

uint32_t vec_vfnmsac(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    return fma_f32(b ^ F32_SIGN, a, d, &op->flags);
}

uint32_t vec_vmfeq(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return f32_eq(a, b, &op->flags);
}

uint32_t vec_vmfle(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return f32_le(a, b, &op->flags);
}

uint32_t vec_vmflt(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return f32_lt(a, b, &op->flags);
}

uint32_t vec_vmfne(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return !f32_eq(a, b, &op->flags);
}

uint32_t vec_vmfgt(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return f32_lt(b, a, &op->flags);
}

uint32_t vec_vmfge(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return f32_le(b, a, &op->flags);
}

/* The conversions to integers serve vfcvt and vfncvt: SEW is the integer's width. */
uint32_t vec_vfcvt_xu_f(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED b, UNUSED d;
    return f32_to_int(a, op->sew, false, F32_NEAREST_EVEN, &op->flags);
}

uint32_t vec_vfcvt_x_f(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED b, UNUSED d;
    return f32_to_int(a, op->sew, true, F32_NEAREST_EVEN, &op->flags);
}

uint32_t vec_vfcvt_rtz_xu_f(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED b, UNUSED d;
    return f32_to_int(a, op->sew, false, F32_TOWARDS_ZERO, &op->flags);
}

uint32_t vec_vfcvt_rtz_x_f(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED b, UNUSED d;
    return f32_to_int(a, op->sew, true, F32_TOWARDS_ZERO, &op->flags);
}

uint32_t vec_vfcvt_f_xu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED b, UNUSED d;
    return f32_from_int(a, false, &op->flags);
}

uint32_t vec_vfcvt_f_x(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED b, UNUSED d;
    return f32_from_int(a, true, &op->flags);
}

uint32_t vec_vfclass(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED b, UNUSED d;
    return f32_classify(a);
}
