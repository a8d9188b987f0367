/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the V subset only: what exec_v.c (decode, legality) hands to exec_v_int.c, exec_v_fp.c, exec_v_perm.c and
 * exec_v_mem.c.  By the time one of them runs, every operand group is known to be legal. */
#ifndef KERR_RISCV_VEC_OPS_H
#define KERR_RISCV_VEC_OPS_H

#include "riscv/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define VEC_VLEN 128u
#define VEC_ELEN 32u

/* funct3 of OP-V: what stands in the place of vs1. */
typedef enum vec_form {
    VEC_OPIVV,
    VEC_OPFVV,
    VEC_OPMVV,
    VEC_OPIVI,
    VEC_OPIVX,
    VEC_OPFVF,
    VEC_OPMVX,
    VEC_OPCFG
} vec_form;

/* Operand widths, and with them the loop that runs the instruction. */
typedef enum vec_shape {
    VEC_NONE,
    VEC_SINGLE,       /* vd, vs2, vs1 of SEW */
    VEC_WIDEN,        /* vd of 2 SEW */
    VEC_WIDEN_W,      /* vd and vs2 of 2 SEW */
    VEC_NARROW,       /* vs2 of 2 SEW */
    VEC_COMPARE,      /* vd is a mask */
    VEC_CARRY_IN,     /* v0 is the carry, nothing is masked */
    VEC_CARRY_OUT,    /* vd is a mask, v0 the carry where vm = 0 */
    VEC_MERGE,        /* vmerge, or vmv.v where vm = 1 */
    VEC_REDUCE,       /* vd[0] = vs1[0] op each vs2 */
    VEC_REDUCE_WIDEN, /* vs1[0] and vd[0] of 2 SEW */
    VEC_MASK_LOGIC,   /* vd, vs2, vs1 are masks */
    VEC_GATHER,       /* vrgather */
    VEC_GATHER16,     /* vrgatherei16 */
    VEC_SLIDE_UP,
    VEC_SLIDE_DOWN,
    VEC_SLIDE1_UP,
    VEC_SLIDE1_DOWN,
    VEC_COMPRESS,
    VEC_MOVE_WHOLE, /* vmv1r.v, vmv2r.v, vmv4r.v, vmv8r.v */
    VEC_MOVE_TO_SCALAR,
    VEC_MOVE_FROM_SCALAR,
    VEC_COUNT_POPULATION,
    VEC_FIND_FIRST,
    VEC_SET_BEFORE_FIRST,
    VEC_SET_ONLY_FIRST,
    VEC_SET_INCLUDING_FIRST,
    VEC_IOTA,
    VEC_ID,
    VEC_EXTEND,            /* vzext, vsext */
    VEC_CONVERT,           /* vfcvt and vfclass: SEW to SEW */
    VEC_CONVERT_WIDEN,     /* vfwcvt.f.x: integers of SEW to FP32 */
    VEC_CONVERT_NARROW,    /* vfncvt.x.f: FP32 to integers of SEW */
    VEC_NEEDS_OTHER_FLOAT, /* an encoding for FP16 or FP64 elements only */
} vec_shape;

typedef struct vec_op vec_op;

/* One element.  a comes from vs2, b from vs1 or the scalar, d from vd; each is extended as the row says, and the
 * caller keeps the low bits of the result.  Carries are d. */
typedef uint32_t vec_element(vec_op *op, uint32_t a, uint32_t b, uint32_t d);

#define VEC_SIGNED_A 1u
#define VEC_SIGNED_B 2u
#define VEC_SIGNED 3u
#define VEC_UNSIGNED_IMMEDIATE 4u
#define VEC_FLOAT 8u /* elements are FP32: SEW must be 32 */

typedef struct vec_row {
    vec_shape shape;
    uint8_t forms;      /* bit 1 << vec_form */
    uint8_t properties; /* VEC_SIGNED_A ... */
    uint8_t detail;     /* VEC_EXTEND: log2 of the factor */
    vec_element *element;
} vec_row;

/* One instruction under execution. */
struct vec_op {
    rv_vec *vec;
    rv_fp *fp;
    vec_row row;
    vec_form form;
    uint32_t instruction;
    unsigned vd, vs1, vs2;
    bool masked;
    bool scalar_form; /* b is scalar, not vs1 */
    uint32_t scalar;  /* x1, f1 or the immediate */
    unsigned sew;     /* bits */
    int lmul_log2;    /* -2 .. 3 */
    unsigned vl, vlmax;
    unsigned work_bits; /* width of the widest operand: SEW or 2 SEW */
    uint32_t flags;     /* floating-point flags raised so far */
};

/* The row of an OP-V word (exec_v_table.c); shape is VEC_NONE where the word is no instruction. */
vec_row vec_decode(uint32_t instruction);

static inline unsigned vec_bits(uint32_t instruction, unsigned low, unsigned count)
{
    return instruction >> low & ((1u << count) - 1);
}

static inline uint32_t vec_low_bits(uint32_t value, unsigned bits)
{
    return value & (0xffffffffu >> (32 - bits));
}

static inline uint32_t vec_sign_extend(uint32_t value, unsigned bits)
{
    return (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}

/* Element `index`, `bits` wide (8, 16 or 32), of the group that starts at register `reg`. */
static inline uint32_t vec_get(const rv_vec *vec, unsigned reg, unsigned index, unsigned bits)
{
    unsigned at = reg * VEC_VLEN + index * bits;
    return vec_low_bits(vec->v[at / 128][at / 32 % 4] >> (at % 32), bits);
}

static inline void vec_set(rv_vec *vec, unsigned reg, unsigned index, unsigned bits, uint32_t value)
{
    unsigned at = reg * VEC_VLEN + index * bits;
    uint32_t *word = &vec->v[at / 128][at / 32 % 4];
    uint32_t mask = vec_low_bits(0xffffffffu, bits) << (at % 32);
    *word = (*word & ~mask) | (value << (at % 32) & mask);
}

static inline bool vec_get_bit(const rv_vec *vec, unsigned reg, unsigned index)
{
    return vec->v[reg][index / 32] >> (index % 32) & 1;
}

static inline void vec_set_bit(rv_vec *vec, unsigned reg, unsigned index, bool value)
{
    uint32_t *word = &vec->v[reg][index / 32];
    uint32_t mask = 1u << (index % 32);
    *word = value ? *word | mask : *word & ~mask;
}

static inline bool vec_active(const vec_op *op, unsigned index)
{
    return !op->masked || vec_get_bit(op->vec, 0, index);
}

/* Registers of a group, and the rules of "Vector Operands" in the V specification. */
static inline unsigned vec_group_size(int emul_log2)
{
    return emul_log2 > 0 ? 1u << emul_log2 : 1;
}

bool vec_group_is_legal(unsigned reg, int emul_log2);
bool vec_overlap_is_legal(unsigned vd, int vd_emul_log2, unsigned vd_eew, unsigned vs, int vs_emul_log2,
                          unsigned vs_eew);
bool vec_groups_meet(unsigned a, int a_emul_log2, unsigned b, int b_emul_log2);

/* Fills sew, lmul_log2, vl and vlmax; false if vtype or vl is none that vset{i}vl{i} would make. */
bool vec_read_vtype(const rv_vec *vec, vec_op *op);

/* Permutations and mask instructions (exec_v_perm.c); *x_result is written where the instruction writes x. */
void vec_permute(vec_op *op, uint32_t *x_result);

/* Vector loads and stores (exec_v_mem.c). */
bool vec_memory_is_valid(uint32_t instruction);
unsigned vec_memory_micro_ops(const rv_vec *vec, uint32_t instruction);
rv_vec_outcome vec_memory_execute(rv_vec *vec, uint32_t instruction, uint32_t x1, uint32_t x2,
                                  const rv_vec_memory *memory);

/* Elements of exec_v_int.c. */
vec_element vec_vadd, vec_vsub, vec_vrsub, vec_vminu, vec_vmin, vec_vmaxu, vec_vmax, vec_vand, vec_vor, vec_vxor;
vec_element vec_vadc, vec_vmadc, vec_vsbc, vec_vmsbc;
vec_element vec_vmseq, vec_vmsne, vec_vmsltu, vec_vmslt, vec_vmsleu, vec_vmsle, vec_vmsgtu, vec_vmsgt;
vec_element vec_vsaddu, vec_vsadd, vec_vssubu, vec_vssub, vec_vsmul;
vec_element vec_vsll, vec_vsrl, vec_vsra, vec_vssrl, vec_vssra, vec_vnclipu, vec_vnclip;
vec_element vec_vaaddu, vec_vaadd, vec_vasubu, vec_vasub;
vec_element vec_vmul, vec_vmulhu, vec_vmulhsu, vec_vmulh, vec_vmadd, vec_vnmsub, vec_vmacc, vec_vnmsac;
vec_element vec_vmandn, vec_vmand, vec_vmor, vec_vmxor, vec_vmorn, vec_vmnand, vec_vmnor, vec_vmxnor;

/* Elements of exec_v_fp.c. */
vec_element vec_vfadd, vec_vfsub, vec_vfrsub, vec_vfmul, vec_vfmin, vec_vfmax, vec_vfsgnj, vec_vfsgnjn, vec_vfsgnjx;
vec_element vec_vfmadd, vec_vfnmadd, vec_vfmsub, vec_vfnmsub, vec_vfmacc, vec_vfnmacc, vec_vfmsac, vec_vfnmsac;
vec_element vec_vmfeq, vec_vmfle, vec_vmflt, vec_vmfne, vec_vmfgt, vec_vmfge;
vec_element vec_vfcvt_xu_f, vec_vfcvt_x_f, vec_vfcvt_f_xu, vec_vfcvt_f_x, vec_vfcvt_rtz_xu_f, vec_vfcvt_rtz_x_f;
vec_element vec_vfclass;

#endif
