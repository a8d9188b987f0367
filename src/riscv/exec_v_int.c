/* SPDX-License-Identifier: Apache-2.0 */
/* Integer, fixed-point and mask-logic elements of the V subset: one function per instruction, called by the loops
 * of exec_v.c with a from vs2, b from vs1 or the scalar, and d from vd (or the carry).  Operands arrive extended to
 * 32 bits; the caller cuts the result to the width of vd. */
#include "riscv/vec_ops.h"

#define UNUSED (void)

/* ---- Vector Integer Arithmetic ---- */

uint32_t vec_vadd(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a + b;
}

uint32_t vec_vsub(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a - b;
}

uint32_t vec_vrsub(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return b - a;
}

uint32_t vec_vminu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a < b ? a : b;
}

uint32_t vec_vmin(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return (int32_t)a < (int32_t)b ? a : b;
}

uint32_t vec_vmaxu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a > b ? a : b;
}

uint32_t vec_vmax(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return (int32_t)a > (int32_t)b ? a : b;
}

uint32_t vec_vand(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a & b;
}

uint32_t vec_vor(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a | b;
}

uint32_t vec_vxor(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a ^ b;
}

/* d is the carry or borrow; a and b are zero-extended. */
uint32_t vec_vadc(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op;
    return a + b + d;
}

uint32_t vec_vmadc(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    return (uint32_t)(((uint64_t)a + b + d) >> op->sew);
}

uint32_t vec_vsbc(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op;
    return a - b - d;
}

uint32_t vec_vmsbc(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op;
    return a < (uint64_t)b + d;
}

uint32_t vec_vmseq(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a == b;
}

uint32_t vec_vmsne(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a != b;
}

uint32_t vec_vmsltu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a < b;
}

uint32_t vec_vmslt(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return (int32_t)a < (int32_t)b;
}

uint32_t vec_vmsleu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a <= b;
}

uint32_t vec_vmsle(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return (int32_t)a <= (int32_t)b;
}

uint32_t vec_vmsgtu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a > b;
}

uint32_t vec_vmsgt(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return (int32_t)a > (int32_t)b;
}

/* Shift amounts use the low bits that the width of a needs. */
uint32_t vec_vsll(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return a << (b & (op->sew - 1));
}

uint32_t vec_vsrl(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return a >> (b & (op->work_bits - 1));
}

uint32_t vec_vsra(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)((int32_t)a >> (b & (op->work_bits - 1)));
}

/* The multiplications give all low bits, so one function serves vmul and vwmul. */
uint32_t vec_vmul(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a * b;
}

uint32_t vec_vmulhu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)((uint64_t)a * b >> op->sew);
}

uint32_t vec_vmulhsu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)(((int64_t)(int32_t)a * (int64_t)b) >> op->sew);
}

uint32_t vec_vmulh(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)(((int64_t)(int32_t)a * (int32_t)b) >> op->sew);
}

uint32_t vec_vmadd(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op;
    return b * d + a;
}

uint32_t vec_vnmsub(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op;
    return a - b * d;
}

uint32_t vec_vmacc(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op;
    return d + a * b;
}

uint32_t vec_vnmsac(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op;
    return d - a * b;
}

/* ---- Vector Fixed-Point Arithmetic ---- */

static uint32_t saturate_unsigned(vec_op *op, int64_t value, unsigned bits)
{
    int64_t most = (int64_t)(0xffffffffu >> (32 - bits));
    if (value < 0 || value > most) {
        op->vec->vxsat = 1;
        return value < 0 ? 0 : (uint32_t)most;
    }
    return (uint32_t)value;
}

static uint32_t saturate_signed(vec_op *op, int64_t value, unsigned bits)
{
    int64_t most = (int64_t)(0x7fffffffu >> (32 - bits));
    if (value < -most - 1 || value > most) {
        op->vec->vxsat = 1;
        return (uint32_t)(value < 0 ? -most - 1 : most);
    }
    return (uint32_t)value;
}

/* Arithmetic shift right with the rounding of vxrm: 0 nearest up, 1 nearest even, 2 down, 3 to odd. */
static int64_t round_shift(const vec_op *op, int64_t value, unsigned amount)
{
    if (amount == 0) {
        return value;
    }
    int64_t kept = value >> amount;
    uint64_t cut = (uint64_t)value & ((UINT64_C(1) << amount) - 1);
    uint64_t half = UINT64_C(1) << (amount - 1);
    switch (op->vec->vxrm & 3) {
    case 0: return kept + (cut >= half);
    case 1: return kept + (cut > half || (cut == half && (kept & 1)));
    case 2: return kept;
    default: return kept | (cut != 0);
    }
}

uint32_t vec_vsaddu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return saturate_unsigned(op, (int64_t)a + b, op->sew);
}

uint32_t vec_vsadd(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return saturate_signed(op, (int64_t)(int32_t)a + (int32_t)b, op->sew);
}

uint32_t vec_vssubu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return saturate_unsigned(op, (int64_t)a - b, op->sew);
}

uint32_t vec_vssub(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return saturate_signed(op, (int64_t)(int32_t)a - (int32_t)b, op->sew);
}

uint32_t vec_vaaddu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)round_shift(op, (int64_t)a + b, 1);
}

uint32_t vec_vaadd(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)round_shift(op, (int64_t)(int32_t)a + (int32_t)b, 1);
}

uint32_t vec_vasubu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)round_shift(op, (int64_t)a - b, 1);
}

uint32_t vec_vasub(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)round_shift(op, (int64_t)(int32_t)a - (int32_t)b, 1);
}

uint32_t vec_vsmul(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return saturate_signed(op, round_shift(op, (int64_t)(int32_t)a * (int32_t)b, op->sew - 1), op->sew);
}

uint32_t vec_vssrl(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)round_shift(op, a, b & (op->sew - 1));
}

uint32_t vec_vssra(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return (uint32_t)round_shift(op, (int32_t)a, b & (op->sew - 1));
}

uint32_t vec_vnclipu(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return saturate_unsigned(op, round_shift(op, a, b & (2 * op->sew - 1)), op->sew);
}

uint32_t vec_vnclip(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED d;
    return saturate_signed(op, round_shift(op, (int32_t)a, b & (2 * op->sew - 1)), op->sew);
}

/* ---- Vector Mask-Register Logical: a whole word of bits at a time ---- */

uint32_t vec_vmandn(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a & ~b;
}

uint32_t vec_vmand(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a & b;
}

uint32_t vec_vmor(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a | b;
}

uint32_t vec_vmxor(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a ^ b;
}

uint32_t vec_vmorn(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return a | ~b;
}

uint32_t vec_vmnand(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return ~(a & b);
}

uint32_t vec_vmnor(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return ~(a | b);
}

uint32_t vec_vmxnor(vec_op *op, uint32_t a, uint32_t b, uint32_t d)
{
    UNUSED op, UNUSED d;
    return ~(a ^ b);
}
