/* SPDX-License-Identifier: Apache-2.0 */
/* The V subset of RISCV T2 (manual BabyRISCV/InstructionSet, "V Standard Extension"): VLEN 128, ELEN 32,
 * undisturbed tail and mask, vstart always 0. */
#ifndef KERR_RISCV_VEC_H
#define KERR_RISCV_VEC_H

#include "riscv/fp.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rv_vec {
    uint32_t v[32][4]; /* little endian: element 0 in the low bits of word 0 */
    uint32_t vl, vtype, vlenb, vxsat, vxrm;
} rv_vec;

/* What an instruction needs from the core. */
typedef struct rv_vec_use {
    bool valid;
    bool reads_x1, reads_x2;
    bool writes_x;
    bool reads_f1, writes_f;
    bool is_memory; /* vector load or store */
    bool is_store;
    bool is_config; /* vsetvl and kin */
} rv_vec_use;

/* How a vector load or store reaches memory.  size is 1, 2, 4 or 16 (whole registers and unit-stride
 * accesses go in the largest aligned pieces).  Returns false if the access faulted: stop. */
typedef struct rv_vec_memory {
    void *context;
    bool (*load)(void *context, uint32_t address, unsigned size, void *data);
    bool (*store)(void *context, uint32_t address, unsigned size, const void *data);
} rv_vec_memory;

/* OP-V words, and LOAD-FP / STORE-FP words with a vector width. */
rv_vec_use rv_vec_inspect(uint32_t instruction);

/* Number of micro-ops (cycles in EX1) for the present vtype: LMUL, and one per element where split. */
unsigned rv_vec_micro_ops(const rv_vec *vec, uint32_t instruction);

typedef enum rv_vec_outcome { RV_VEC_OK, RV_VEC_UNDEFINED, RV_VEC_MEMORY_FAULT } rv_vec_outcome;
/* x_result is written where writes_x. RV_VEC_UNDEFINED leaves everything unchanged. */
rv_vec_outcome rv_vec_execute(rv_vec *vec, rv_fp *fp, uint32_t cfg0, uint32_t instruction, uint32_t x1, uint32_t x2,
                              const rv_vec_memory *memory, uint32_t *x_result);

#endif
