/* SPDX-License-Identifier: Apache-2.0 */
/* The V subset of RISCV T2 (manual BabyRISCV/InstructionSet "V Standard Extension", CSRs): VLEN 128, ELEN 32, tail and
 * masked-off elements undisturbed, vstart always 0.  This file has vset{i}vl{i}, the legality of operand groups and
 * the element loops; the instructions are in exec_v_table.c, exec_v_int.c, exec_v_fp.c, exec_v_perm.c, exec_v_mem.c.
 * Not checked on purpose: one register read as two different widths.  The specification reserves it, but operands
 * are read independently of each other, so the outcome is not in doubt. */
#include "riscv/vec_ops.h"

#define OPCODE_LOAD_FP 0x07u
#define OPCODE_STORE_FP 0x27u
#define OPCODE_OP_V 0x57u

/* ---- vtype and register groups ---- */

static bool vtype_is_legal(uint32_t vtype)
{
    unsigned vsew = vtype >> 3 & 7;
    unsigned vlmul = vtype & 7;
    int lmul_log2 = vlmul < 4 ? (int)vlmul : (int)vlmul - 8;
    /* SEW <= ELEN * LMUL, so e8mf8 and e16mf4 do not exist. */
    return vtype <= 0xff && vsew <= 2 && vlmul != 4 && (int)vsew <= 2 + (lmul_log2 < 0 ? lmul_log2 : 0);
}

bool vec_read_vtype(const rv_vec *vec, vec_op *op)
{
    unsigned vlmul = vec->vtype & 7;
    op->sew = 8u << (vec->vtype >> 3 & 3);
    op->lmul_log2 = vlmul < 4 ? (int)vlmul : (int)vlmul - 8;
    op->vlmax = op->lmul_log2 >= 0 ? (VEC_VLEN / op->sew) << op->lmul_log2 : (VEC_VLEN / op->sew) >> -op->lmul_log2;
    op->vl = vec->vl;
    return vtype_is_legal(vec->vtype) && op->vl <= op->vlmax;
}

bool vec_group_is_legal(unsigned reg, int emul_log2)
{
    unsigned size = vec_group_size(emul_log2);
    return emul_log2 <= 3 && reg % size == 0 && reg + size <= 32;
}

bool vec_groups_meet(unsigned a, int a_emul_log2, unsigned b, int b_emul_log2)
{
    return a < b + vec_group_size(b_emul_log2) && b < a + vec_group_size(a_emul_log2);
}

/* vd may share registers with a source of its own width, with the low end of a wider source, or have a narrower
 * source (of whole registers) as its high end. */
bool vec_overlap_is_legal(unsigned vd, int vd_emul_log2, unsigned vd_eew, unsigned vs, int vs_emul_log2,
                          unsigned vs_eew)
{
    if (!vec_groups_meet(vd, vd_emul_log2, vs, vs_emul_log2) || vd_eew == vs_eew) {
        return true;
    }
    if (vd_eew < vs_eew) {
        return vd == vs;
    }
    return vs_emul_log2 >= 0 && vs + vec_group_size(vs_emul_log2) == vd + vec_group_size(vd_emul_log2);
}

/* ---- Decode ---- */

rv_vec_use rv_vec_inspect(uint32_t instruction)
{
    rv_vec_use use = {.valid = false};
    unsigned opcode = vec_bits(instruction, 0, 7);
    vec_form form = (vec_form)vec_bits(instruction, 12, 3);
    if (opcode == OPCODE_LOAD_FP || opcode == OPCODE_STORE_FP) {
        use.valid = vec_memory_is_valid(instruction);
        use.reads_x1 = true;
        use.reads_x2 = vec_bits(instruction, 26, 2) == 2; /* strided */
        use.is_memory = true;
        use.is_store = opcode == OPCODE_STORE_FP;
        return use;
    }
    if (opcode != OPCODE_OP_V) {
        return use;
    }
    if (form == VEC_OPCFG) {
        bool is_vsetvli = !(instruction >> 31);
        bool is_vsetivli = instruction >> 30 == 3;
        bool is_vsetvl = instruction >> 25 == 0x40;
        use.valid = is_vsetvli || is_vsetivli || is_vsetvl;
        use.reads_x1 = !is_vsetivli;
        use.reads_x2 = is_vsetvl;
        use.writes_x = true;
        use.is_config = true;
        return use;
    }
    vec_row row = vec_decode(instruction);
    use.valid = row.shape != VEC_NONE;
    use.reads_x1 = form == VEC_OPIVX || form == VEC_OPMVX;
    use.reads_f1 = form == VEC_OPFVF;
    use.writes_f = row.shape == VEC_MOVE_TO_SCALAR && form == VEC_OPFVV;
    use.writes_x = (row.shape == VEC_MOVE_TO_SCALAR && form == VEC_OPMVV) || row.shape == VEC_COUNT_POPULATION ||
                   row.shape == VEC_FIND_FIRST;
    return use;
}

/* Cycles per instruction of the public RVV benchmark of T2 (silicon; camel-cdr rvv-bench-results tt_t2), which do not
 * depend on vl: one per register of the widest group, and for the element-wise ones two per element, or one for
 * the signed minima and maxima. */
unsigned rv_vec_micro_ops(const rv_vec *vec, uint32_t instruction)
{
    vec_op op = {0};
    unsigned opcode = vec_bits(instruction, 0, 7);
    if (!vec_read_vtype(vec, &op)) {
        return 1;
    }
    if (opcode != OPCODE_OP_V) {
        return vec_memory_micro_ops(vec, instruction);
    }
    if (vec_bits(instruction, 12, 3) == VEC_OPCFG) {
        return 1;
    }
    vec_row row = vec_decode(instruction);
    unsigned registers = vec_group_size(op.lmul_log2);
    unsigned elements = registers * (VEC_VLEN / op.sew);
    switch (row.shape) {
    case VEC_WIDEN:
    case VEC_WIDEN_W:
    case VEC_NARROW:
    case VEC_CONVERT_WIDEN:
    case VEC_CONVERT_NARROW: return vec_group_size(op.lmul_log2 + 1);
    case VEC_GATHER:
    case VEC_GATHER16:
    case VEC_SLIDE_UP:
    case VEC_SLIDE_DOWN:
    case VEC_SLIDE1_UP:
    case VEC_SLIDE1_DOWN:
    case VEC_COMPRESS:
    case VEC_EXTEND:
    case VEC_REDUCE_WIDEN: return 2 * elements;
    case VEC_REDUCE: {
        bool is_extremum =
            row.element == vec_vmin || row.element == vec_vmax || row.element == vec_vfmin || row.element == vec_vfmax;
        return is_extremum ? elements : 2 * elements;
    }
    case VEC_MOVE_WHOLE: return vec_bits(instruction, 15, 3) + 1;
    case VEC_MOVE_TO_SCALAR:
    case VEC_MOVE_FROM_SCALAR: return 1;
    default: return registers;
    }
}

/* ---- vsetvli, vsetivli, vsetvl ---- */

static rv_vec_outcome set_vl(rv_vec *vec, uint32_t instruction, uint32_t x1, uint32_t x2, uint32_t *x_result)
{
    unsigned rd = vec_bits(instruction, 7, 5);
    unsigned rs1 = vec_bits(instruction, 15, 5);
    bool is_vsetivli = instruction >> 30 == 3;
    uint32_t vtype = x2;
    if (is_vsetivli) {
        vtype = vec_bits(instruction, 20, 10);
    } else if (!(instruction >> 31)) {
        vtype = vec_bits(instruction, 20, 11);
    }
    /* OPEN: there is no vill bit, and the manual does not say what an unsupported vtype does instead.  Would settle
     * it: vsetvli with e64 on a card. */
    if (!vtype_is_legal(vtype)) {
        return RV_VEC_UNDEFINED;
    }
    rv_vec next = {.vtype = vtype};
    vec_op op;
    vec_read_vtype(&next, &op);
    uint32_t wanted = x1;
    if (is_vsetivli) {
        wanted = rs1;
    } else if (rs1 == 0 && rd != 0) {
        wanted = op.vlmax;
    } else if (rs1 == 0) { /* keeps vl, and is reserved where VLMAX would change */
        vec_op before;
        if (!vec_read_vtype(vec, &before) || before.vlmax != op.vlmax) {
            return RV_VEC_UNDEFINED;
        }
        wanted = vec->vl;
    }
    vec->vtype = vtype;
    vec->vl = wanted < op.vlmax ? wanted : op.vlmax;
    *x_result = vec->vl;
    return RV_VEC_OK;
}

/* ---- Legality of an arithmetic instruction under the present vtype ---- */

typedef struct operand {
    bool used;
    int emul_log2;
    unsigned eew; /* 1 for a mask */
} operand;

static bool operands_are_legal(const vec_op *op)
{
    int lmul = op->lmul_log2;
    unsigned sew = op->sew;
    operand single = {true, lmul, sew};
    operand twice = {true, lmul + 1, 2 * sew};
    operand mask = {true, 0, 1};
    operand vd = single, vs2 = single, vs1 = single;
    bool no_overlap = false; /* vd may not meet a source at all */

    if ((op->row.properties & VEC_FLOAT) && sew != 32) {
        return false;
    }
    switch (op->row.shape) {
    case VEC_WIDEN: vd = twice; break;
    case VEC_WIDEN_W: vd = vs2 = twice; break;
    case VEC_NARROW: vs2 = twice; break;
    case VEC_COMPARE:
    case VEC_CARRY_OUT: vd = mask; break;
    case VEC_MERGE: /* vmv.v has no vs2 */ vs2.used = op->masked; break;
    case VEC_REDUCE: /* element 0 of vd and of vs1 may be anywhere */ return vec_group_is_legal(op->vs2, lmul);
    case VEC_REDUCE_WIDEN: return 2 * sew <= VEC_ELEN && vec_group_is_legal(op->vs2, lmul);
    case VEC_MASK_LOGIC:
    case VEC_MOVE_TO_SCALAR:
    case VEC_MOVE_FROM_SCALAR:
    case VEC_COUNT_POPULATION:
    case VEC_FIND_FIRST: return true;
    case VEC_MOVE_WHOLE: {
        unsigned count = op->vs1 + 1;
        return op->vd % count == 0 && op->vs2 % count == 0;
    }
    case VEC_GATHER: no_overlap = true; break;
    case VEC_GATHER16:
        vs1 = (operand){true, lmul + (sew == 8 ? 1 : sew == 32 ? -1 : 0), 16};
        no_overlap = true;
        break;
    case VEC_SLIDE_UP:
    case VEC_SLIDE1_UP: no_overlap = true; break;
    case VEC_COMPRESS:
        vs1 = mask;
        no_overlap = true;
        break;
    case VEC_SET_BEFORE_FIRST:
    case VEC_SET_ONLY_FIRST:
    case VEC_SET_INCLUDING_FIRST:
        vd = vs2 = mask;
        vs1.used = false;
        no_overlap = true;
        if (op->masked && op->vd == 0) {
            return false;
        }
        break;
    case VEC_IOTA:
        vs2 = mask;
        vs1.used = false;
        no_overlap = true;
        break;
    case VEC_ID: vs1.used = vs2.used = false; break;
    case VEC_EXTEND:
        vs1.used = false;
        vs2 = (operand){true, lmul - op->row.detail, sew >> op->row.detail};
        if (vs2.eew < 8) {
            return false;
        }
        break;
    case VEC_CONVERT: vs1.used = false; break;
    case VEC_CONVERT_WIDEN: /* integers of 16 bits to FP32 */
        vs1.used = false;
        vd = twice;
        if (sew != 16) {
            return false;
        }
        break;
    case VEC_CONVERT_NARROW: /* FP32 to integers of 16 bits */
        vs1.used = false;
        vs2 = twice;
        if (sew != 16) {
            return false;
        }
        break;
    case VEC_NEEDS_OTHER_FLOAT: return false;
    default: break;
    }
    vs1.used = vs1.used && !op->scalar_form;

    if (vd.eew > VEC_ELEN || (vs2.used && vs2.eew > VEC_ELEN)) {
        return false;
    }
    if (!vec_group_is_legal(op->vd, vd.emul_log2) || (vs2.used && !vec_group_is_legal(op->vs2, vs2.emul_log2)) ||
        (vs1.used && !vec_group_is_legal(op->vs1, vs1.emul_log2))) {
        return false;
    }
    if (op->masked && vd.eew != 1 && vec_groups_meet(op->vd, vd.emul_log2, 0, 0)) {
        return false; /* v0 is being read as the mask */
    }
    if (no_overlap) {
        return !(vs2.used && vec_groups_meet(op->vd, vd.emul_log2, op->vs2, vs2.emul_log2)) &&
               !(vs1.used && vec_groups_meet(op->vd, vd.emul_log2, op->vs1, vs1.emul_log2));
    }
    return (!vs2.used || vec_overlap_is_legal(op->vd, vd.emul_log2, vd.eew, op->vs2, vs2.emul_log2, vs2.eew)) &&
           (!vs1.used || vec_overlap_is_legal(op->vd, vd.emul_log2, vd.eew, op->vs1, vs1.emul_log2, vs1.eew));
}

/* ---- Element loops ---- */

static uint32_t extend(uint32_t value, unsigned bits, bool is_signed)
{
    return is_signed ? vec_sign_extend(value, bits) : vec_low_bits(value, bits);
}

static uint32_t source_b(const vec_op *op, unsigned index, bool is_signed)
{
    uint32_t value = op->scalar_form ? op->scalar : vec_get(op->vec, op->vs1, index, op->sew);
    return extend(value, op->sew, is_signed);
}

/* vd[i] = element(vs2[i], vs1[i], vd[i]) with the widths given.  Legal overlaps never write an element before it is
 * read: a narrower vd starts with its source, a wider one ends with it. */
static void run_elements(vec_op *op, unsigned d_bits, unsigned a_bits)
{
    bool a_signed = op->row.properties & VEC_SIGNED_A;
    bool b_signed = op->row.properties & VEC_SIGNED_B;
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_active(op, i)) {
            uint32_t a = extend(vec_get(op->vec, op->vs2, i, a_bits), a_bits, a_signed);
            uint32_t b = source_b(op, i, b_signed);
            uint32_t d = vec_get(op->vec, op->vd, i, d_bits);
            vec_set(op->vec, op->vd, i, d_bits, op->row.element(op, a, b, d));
        }
    }
}

/* A mask result may land on a source, so it is collected first. */
static void run_to_mask(vec_op *op, bool uses_carry)
{
    bool is_signed = (op->row.properties & VEC_SIGNED) == VEC_SIGNED;
    rv_vec *vec = op->vec;
    uint32_t result[4];
    for (unsigned w = 0; w < 4; w++) {
        result[w] = vec->v[op->vd][w];
    }
    for (unsigned i = 0; i < op->vl; i++) {
        if (uses_carry || vec_active(op, i)) {
            uint32_t a = extend(vec_get(vec, op->vs2, i, op->sew), op->sew, is_signed);
            uint32_t carry = uses_carry && op->masked ? vec_get_bit(vec, 0, i) : 0;
            uint32_t bit = op->row.element(op, a, source_b(op, i, is_signed), carry) & 1;
            result[i / 32] = (result[i / 32] & ~(1u << (i % 32))) | bit << (i % 32);
        }
    }
    for (unsigned w = 0; w < 4; w++) {
        vec->v[op->vd][w] = result[w];
    }
}

static void run_carry_in(vec_op *op)
{
    for (unsigned i = 0; i < op->vl; i++) {
        uint32_t a = vec_get(op->vec, op->vs2, i, op->sew);
        uint32_t carry = vec_get_bit(op->vec, 0, i);
        vec_set(op->vec, op->vd, i, op->sew, op->row.element(op, a, source_b(op, i, false), carry));
    }
}

static void run_merge(vec_op *op)
{
    for (unsigned i = 0; i < op->vl; i++) {
        uint32_t value = vec_active(op, i) ? source_b(op, i, false) : vec_get(op->vec, op->vs2, i, op->sew);
        vec_set(op->vec, op->vd, i, op->sew, value);
    }
}

static void run_reduction(vec_op *op, unsigned d_bits)
{
    bool a_signed = op->row.properties & VEC_SIGNED_A;
    if (op->vl == 0) {
        return;
    }
    uint32_t sum = extend(vec_get(op->vec, op->vs1, 0, d_bits), d_bits, a_signed);
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_active(op, i)) {
            uint32_t a = extend(vec_get(op->vec, op->vs2, i, op->sew), op->sew, a_signed);
            sum = extend(op->row.element(op, sum, a, 0), d_bits, a_signed);
        }
    }
    vec_set(op->vec, op->vd, 0, d_bits, sum);
}

static void run_mask_logic(vec_op *op)
{
    rv_vec *vec = op->vec;
    for (unsigned w = 0; w * 32 < op->vl; w++) {
        unsigned left = op->vl - w * 32;
        uint32_t body = vec_low_bits(0xffffffffu, left < 32 ? left : 32);
        uint32_t result = op->row.element(op, vec->v[op->vs2][w], vec->v[op->vs1][w], 0);
        vec->v[op->vd][w] = (vec->v[op->vd][w] & ~body) | (result & body);
    }
}

static rv_vec_outcome execute_op(vec_op *op, uint32_t *x_result)
{
    switch (op->row.shape) {
    case VEC_SINGLE:
    case VEC_CONVERT:
        op->work_bits = op->sew;
        run_elements(op, op->sew, op->sew);
        break;
    case VEC_WIDEN:
    case VEC_CONVERT_WIDEN:
        op->work_bits = 2 * op->sew;
        run_elements(op, 2 * op->sew, op->sew);
        break;
    case VEC_WIDEN_W:
        op->work_bits = 2 * op->sew;
        run_elements(op, 2 * op->sew, 2 * op->sew);
        break;
    case VEC_NARROW:
    case VEC_CONVERT_NARROW:
        op->work_bits = 2 * op->sew;
        run_elements(op, op->sew, 2 * op->sew);
        break;
    case VEC_COMPARE: run_to_mask(op, false); break;
    case VEC_CARRY_OUT: run_to_mask(op, true); break;
    case VEC_CARRY_IN: run_carry_in(op); break;
    case VEC_MERGE: run_merge(op); break;
    case VEC_REDUCE: run_reduction(op, op->sew); break;
    case VEC_REDUCE_WIDEN: run_reduction(op, 2 * op->sew); break;
    case VEC_MASK_LOGIC: run_mask_logic(op); break;
    default: vec_permute(op, x_result); break;
    }
    op->fp->fcsr |= op->flags;
    return RV_VEC_OK;
}

rv_vec_outcome rv_vec_execute(rv_vec *vec, rv_fp *fp, uint32_t cfg0, uint32_t instruction, uint32_t x1, uint32_t x2,
                              const rv_vec_memory *memory, uint32_t *x_result)
{
    (void)cfg0; /* EnBFloat is about Zfh; no vector instruction works on 16-bit floats here */
    unsigned opcode = vec_bits(instruction, 0, 7);
    if (opcode == OPCODE_LOAD_FP || opcode == OPCODE_STORE_FP) {
        return vec_memory_execute(vec, instruction, x1, x2, memory);
    }
    vec_form form = (vec_form)vec_bits(instruction, 12, 3);
    if (form == VEC_OPCFG) {
        return set_vl(vec, instruction, x1, x2, x_result);
    }
    vec_op op = {
        .vec = vec,
        .fp = fp,
        .row = vec_decode(instruction),
        .form = form,
        .instruction = instruction,
        .vd = vec_bits(instruction, 7, 5),
        .vs1 = vec_bits(instruction, 15, 5),
        .vs2 = vec_bits(instruction, 20, 5),
        .masked = !vec_bits(instruction, 25, 1),
        .scalar_form = form != VEC_OPIVV && form != VEC_OPMVV && form != VEC_OPFVV,
    };
    switch (form) {
    case VEC_OPIVI: op.scalar = op.row.properties & VEC_UNSIGNED_IMMEDIATE ? op.vs1 : vec_sign_extend(op.vs1, 5); break;
    case VEC_OPFVF: op.scalar = fp->f[op.vs1]; break;
    default: op.scalar = x1; break;
    }
    bool vtype_matters = op.row.shape != VEC_MOVE_WHOLE;
    if ((!vec_read_vtype(vec, &op) && vtype_matters) || !operands_are_legal(&op)) {
        return RV_VEC_UNDEFINED;
    }
    return execute_op(&op, x_result);
}
