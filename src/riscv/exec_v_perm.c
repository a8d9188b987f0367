/* SPDX-License-Identifier: Apache-2.0 */
/* Permutations, mask instructions, moves and extensions of the V subset (chapters "Vector Mask Instructions" and "Vector
 * Permutation Instructions" of the V specification).  Operands are legal when these run. */
#include "riscv/vec_ops.h"

static uint32_t read_source(const vec_op *op, unsigned index)
{
    return vec_get(op->vec, op->vs2, index, op->sew);
}

static void write_result(const vec_op *op, unsigned index, uint32_t value)
{
    vec_set(op->vec, op->vd, index, op->sew, value);
}

/* An index of VLMAX or more reads as zero; elements past vl are still there to be read. */
static void gather(vec_op *op)
{
    unsigned index_bits = op->row.shape == VEC_GATHER16 ? 16 : op->sew;
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_active(op, i)) {
            uint32_t from = op->scalar_form ? op->scalar : vec_get(op->vec, op->vs1, i, index_bits);
            write_result(op, i, from < op->vlmax ? read_source(op, from) : 0);
        }
    }
}

static void slide_up(vec_op *op, uint32_t offset)
{
    for (unsigned i = offset < op->vl ? offset : op->vl; i < op->vl; i++) {
        if (vec_active(op, i)) {
            write_result(op, i, read_source(op, i - offset));
        }
    }
}

/* vd may be vs2: every element is read before it is written. */
static void slide_down(vec_op *op, uint32_t offset)
{
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_active(op, i)) {
            bool inside = offset < op->vlmax && i + offset < op->vlmax;
            write_result(op, i, inside ? read_source(op, i + offset) : 0);
        }
    }
}

static void slide1_up(vec_op *op)
{
    slide_up(op, 1);
    if (op->vl > 0 && vec_active(op, 0)) {
        write_result(op, 0, op->scalar);
    }
}

static void slide1_down(vec_op *op)
{
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_active(op, i)) {
            write_result(op, i, i + 1 < op->vl ? read_source(op, i + 1) : op->scalar);
        }
    }
}

static void compress(vec_op *op)
{
    unsigned to = 0;
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_get_bit(op->vec, op->vs1, i)) {
            write_result(op, to++, read_source(op, i));
        }
    }
}

static void move_whole(vec_op *op)
{
    for (unsigned r = 0; r <= op->vs1; r++) {
        for (unsigned w = 0; w < 4; w++) {
            op->vec->v[op->vd + r][w] = op->vec->v[op->vs2 + r][w];
        }
    }
}

/* Index of the first active set bit, or vl. */
static unsigned first_set(const vec_op *op)
{
    unsigned i = 0;
    while (i < op->vl && !(vec_active(op, i) && vec_get_bit(op->vec, op->vs2, i))) {
        i++;
    }
    return i;
}

static uint32_t count_population(const vec_op *op)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < op->vl; i++) {
        count += vec_active(op, i) && vec_get_bit(op->vec, op->vs2, i);
    }
    return count;
}

static void set_around_first(vec_op *op)
{
    unsigned first = first_set(op);
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_active(op, i)) {
            bool before = i < first && op->row.shape != VEC_SET_ONLY_FIRST;
            bool at = i == first && op->row.shape != VEC_SET_BEFORE_FIRST;
            vec_set_bit(op->vec, op->vd, i, before || at);
        }
    }
}

static void iota(vec_op *op)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_active(op, i)) {
            write_result(op, i, count);
            count += vec_get_bit(op->vec, op->vs2, i);
        }
    }
}

static void id(vec_op *op)
{
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_active(op, i)) {
            write_result(op, i, i);
        }
    }
}

/* vd may end with its source, so ascending order reads each element in time. */
static void extend(vec_op *op)
{
    unsigned bits = op->sew >> op->row.detail;
    for (unsigned i = 0; i < op->vl; i++) {
        if (vec_active(op, i)) {
            uint32_t value = vec_get(op->vec, op->vs2, i, bits);
            write_result(op, i, op->row.properties & VEC_SIGNED_A ? vec_sign_extend(value, bits) : value);
        }
    }
}

void vec_permute(vec_op *op, uint32_t *x_result)
{
    switch (op->row.shape) {
    case VEC_GATHER:
    case VEC_GATHER16: gather(op); break;
    case VEC_SLIDE_UP: slide_up(op, op->scalar); break;
    case VEC_SLIDE_DOWN: slide_down(op, op->scalar); break;
    case VEC_SLIDE1_UP: slide1_up(op); break;
    case VEC_SLIDE1_DOWN: slide1_down(op); break;
    case VEC_COMPRESS: compress(op); break;
    case VEC_MOVE_WHOLE: move_whole(op); break;
    case VEC_MOVE_TO_SCALAR: /* whatever vl is */
        if (op->row.properties & VEC_FLOAT) {
            op->fp->f[op->vd] = read_source(op, 0);
        } else {
            *x_result = vec_sign_extend(read_source(op, 0), op->sew);
        }
        break;
    case VEC_MOVE_FROM_SCALAR:
        if (op->vl > 0) {
            write_result(op, 0, op->scalar);
        }
        break;
    case VEC_COUNT_POPULATION: *x_result = count_population(op); break;
    case VEC_FIND_FIRST: {
        unsigned first = first_set(op);
        *x_result = first < op->vl ? first : 0xffffffffu;
        break;
    }
    case VEC_SET_BEFORE_FIRST:
    case VEC_SET_ONLY_FIRST:
    case VEC_SET_INCLUDING_FIRST: set_around_first(op); break;
    case VEC_IOTA: iota(op); break;
    case VEC_ID: id(op); break;
    case VEC_EXTEND: extend(op); break;
    default: break;
    }
}
