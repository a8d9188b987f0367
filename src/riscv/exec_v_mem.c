/* SPDX-License-Identifier: Apache-2.0 */
/* Vector loads and stores of the V subset (chapter "Vector Loads and Stores" of the V specification).  EEW 64 does not
 * exist on ELEN 32.  An unmasked unit-stride access goes to memory in the largest aligned pieces; everything else,
 * and a base that is not aligned to its element, goes element by element, so that the core judges each address. */
#include "riscv/vec_ops.h"

#define OPCODE_STORE_FP 0x27u

typedef enum addressing { UNIT_STRIDE, INDEXED_UNORDERED, STRIDED, INDEXED_ORDERED } addressing;

enum { LUMOP_REGULAR = 0x00, LUMOP_WHOLE = 0x08, LUMOP_MASK = 0x0b, LUMOP_FAULT_ONLY_FIRST = 0x10 };

typedef struct access {
    bool is_store, masked;
    addressing mode;
    unsigned lumop;
    unsigned fields; /* NFIELDS, or registers of a whole-register access */
    unsigned width;  /* bits, from the instruction: of the data, or of the index */
    unsigned vd, vs2;
} access;

static access decode(uint32_t instruction)
{
    unsigned width = vec_bits(instruction, 12, 3);
    return (access){
        .is_store = vec_bits(instruction, 0, 7) == OPCODE_STORE_FP,
        .masked = !vec_bits(instruction, 25, 1),
        .mode = (addressing)vec_bits(instruction, 26, 2),
        .lumop = vec_bits(instruction, 20, 5),
        .fields = vec_bits(instruction, 29, 3) + 1,
        .width = width == 0   ? 8
                 : width == 5 ? 16
                              : 32,
        .vd = vec_bits(instruction, 7, 5),
        .vs2 = vec_bits(instruction, 20, 5),
    };
}

bool vec_memory_is_valid(uint32_t instruction)
{
    unsigned width = vec_bits(instruction, 12, 3);
    bool mew = vec_bits(instruction, 28, 1);
    access a = decode(instruction);
    if (mew || (width != 0 && width != 5 && width != 6)) {
        return false;
    }
    if (a.mode != UNIT_STRIDE) {
        return true;
    }
    switch (a.lumop) {
    case LUMOP_REGULAR: return true;
    case LUMOP_WHOLE: return !a.masked && (a.fields & (a.fields - 1)) == 0 && (!a.is_store || a.width == 8);
    case LUMOP_MASK: return !a.masked && a.fields == 1 && a.width == 8;
    case LUMOP_FAULT_ONLY_FIRST: return !a.is_store;
    default: return false;
    }
}

static int log2_of(unsigned power)
{
    return 31 - __builtin_clz(power);
}

static int emul_log2(const vec_op *op, unsigned eew)
{
    return op->lmul_log2 + log2_of(eew) - log2_of(op->sew);
}

/* OPEN: no measurement of vector loads and stores is public.  Estimate: one per register for unit stride, one per
 * element and field else.  Would settle it: a vle32 / vlse32 / vluxei32 loop on a card. */
unsigned vec_memory_micro_ops(const rv_vec *vec, uint32_t instruction)
{
    access a = decode(instruction);
    vec_op op = {0};
    if (a.mode == UNIT_STRIDE && a.lumop == LUMOP_WHOLE) {
        return a.fields;
    }
    if (!vec_read_vtype(vec, &op) || (a.mode == UNIT_STRIDE && a.lumop == LUMOP_MASK)) {
        return 1;
    }
    if (a.mode == UNIT_STRIDE && a.fields == 1) {
        return vec_group_size(emul_log2(&op, a.width));
    }
    return op.vl > 0 ? op.vl * a.fields : 1;
}

/* Bytes to and from a group, byte 0 in the low bits of word 0. */
static void copy_out(const rv_vec *vec, unsigned reg, unsigned byte, unsigned size, uint8_t *data)
{
    for (unsigned i = 0; i < size; i++) {
        data[i] = (uint8_t)vec_get(vec, reg, byte + i, 8);
    }
}

static void copy_in(rv_vec *vec, unsigned reg, unsigned byte, unsigned size, const uint8_t *data)
{
    for (unsigned i = 0; i < size; i++) {
        vec_set(vec, reg, byte + i, 8, data[i]);
    }
}

static bool transfer(rv_vec *vec, bool is_store, unsigned reg, unsigned byte, unsigned size, uint32_t address,
                     const rv_vec_memory *memory)
{
    uint8_t data[16];
    if (is_store) {
        copy_out(vec, reg, byte, size, data);
        return memory->store(memory->context, address, size, data);
    }
    if (!memory->load(memory->context, address, size, data)) {
        return false;
    }
    copy_in(vec, reg, byte, size, data);
    return true;
}

/* `bytes` consecutive bytes, in pieces of 16, or of 4, 2, 1 where 16 does not fit; never less than the element. */
static rv_vec_outcome transfer_block(rv_vec *vec, bool is_store, unsigned reg, unsigned bytes, unsigned element,
                                     uint32_t address, const rv_vec_memory *memory)
{
    bool aligned = address % element == 0;
    for (unsigned done = 0; done < bytes;) {
        uint32_t at = address + done;
        unsigned left = bytes - done;
        unsigned size = element;
        if (aligned && at % 16 == 0 && left >= 16) {
            size = 16;
        } else if (aligned && at % 4 == 0 && left >= 4) {
            size = 4;
        } else if (aligned && at % 2 == 0 && left >= 2) {
            size = 2;
        }
        if (!transfer(vec, is_store, reg, done, size, at, memory)) {
            return RV_VEC_MEMORY_FAULT;
        }
        done += size;
    }
    return RV_VEC_OK;
}

static bool operands_are_legal(const vec_op *op, const access *a, unsigned data_eew)
{
    int emul = emul_log2(op, data_eew);
    unsigned registers = vec_group_size(emul);
    if (emul > 3 || registers * a->fields > 8 || !vec_group_is_legal(a->vd, emul) ||
        a->vd + registers * a->fields > 32) {
        return false;
    }
    if (a->masked && !a->is_store && a->vd == 0) {
        return false; /* v0 is being read as the mask */
    }
    if (a->mode == UNIT_STRIDE || a->mode == STRIDED) {
        return true;
    }
    int index_emul = emul_log2(op, a->width);
    if (!vec_group_is_legal(a->vs2, index_emul)) {
        return false;
    }
    if (a->is_store) {
        return true;
    }
    if (a->fields > 1) { /* an indexed segment load may not meet its index at all */
        unsigned index_end = a->vs2 + vec_group_size(index_emul);
        return a->vd >= index_end || a->vs2 >= a->vd + registers * a->fields;
    }
    return vec_overlap_is_legal(a->vd, emul, data_eew, a->vs2, index_emul, a->width);
}

rv_vec_outcome vec_memory_execute(rv_vec *vec, uint32_t instruction, uint32_t x1, uint32_t x2,
                                  const rv_vec_memory *memory)
{
    access a = decode(instruction);
    bool unit_stride = a.mode == UNIT_STRIDE;
    if (unit_stride && a.lumop == LUMOP_WHOLE) { /* needs neither vtype nor vl */
        if (a.vd % a.fields != 0) {
            return RV_VEC_UNDEFINED;
        }
        return transfer_block(vec, a.is_store, a.vd, 16 * a.fields, a.width / 8, x1, memory);
    }

    vec_op op = {.vec = vec, .masked = a.masked};
    if (!vec_read_vtype(vec, &op)) {
        return RV_VEC_UNDEFINED;
    }
    if (unit_stride && a.lumop == LUMOP_MASK) { /* one bit per element, whatever LMUL is */
        return transfer_block(vec, a.is_store, a.vd, (op.vl + 7) / 8, 1, x1, memory);
    }
    bool indexed = a.mode == INDEXED_UNORDERED || a.mode == INDEXED_ORDERED;
    unsigned data_eew = indexed ? op.sew : a.width;
    if (!operands_are_legal(&op, &a, data_eew)) {
        return RV_VEC_UNDEFINED;
    }

    /* Fault-only-first is a plain load: these cores take no exceptions that it could spare the program. */
    unsigned size = data_eew / 8;
    if (unit_stride && !a.masked && a.fields == 1) {
        return transfer_block(vec, a.is_store, a.vd, op.vl * size, size, x1, memory);
    }
    unsigned field_registers = vec_group_size(emul_log2(&op, data_eew));
    for (unsigned i = 0; i < op.vl; i++) {
        if (!vec_active(&op, i)) {
            continue;
        }
        uint32_t base = x1;
        if (unit_stride) {
            base += i * a.fields * size;
        } else if (a.mode == STRIDED) {
            base += i * x2;
        } else {
            base += vec_get(vec, a.vs2, i, a.width);
        }
        for (unsigned f = 0; f < a.fields; f++) {
            unsigned reg = a.vd + f * field_registers;
            if (!transfer(vec, a.is_store, reg, i * size, size, base + f * size, memory)) {
                return RV_VEC_MEMORY_FAULT;
            }
        }
    }
    return RV_VEC_OK;
}
