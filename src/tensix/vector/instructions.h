/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to know of an instruction of the Vector Unit but what it does to lanes: instructions.def as functions. */
#ifndef KERR_TENSIX_VECTOR_INSTRUCTIONS_H
#define KERR_TENSIX_VECTOR_INSTRUCTIONS_H

#include "tensix_isa.h" /* before tile_regs.h, which makes a macro of one of its names */

#include "tensix/vector/vector.h"

#include <stdbool.h>

/* In which lanes it acts, and what is special about it. */
enum vector_kind {
    NOT_FOR_ROWS, /* no instruction of the unit, or one that is only ever executed by itself */
    DOES_NOTHING,
    IN_ALL_LANES, /* or it asks by itself which are enabled */
    IN_ENABLED_LANES,
    OF_MAD,       /* in those that are enabled, and the result comes later */
    MAY_TAKE_TWO, /* in those that are enabled; some modes take two cycles */
    OF_STACK,     /* in all lanes, if stacks allow it */
    CONFIGURES,
    LOADS,
    STORES,
    COUNTS /* INCRWC, which is of the Matrix Unit */
};

/* Sub-units besides those of SFPLOADMACRO (MACRO_SIMPLE and so on). */
enum { MACRO_LOAD = MACRO_UNITS, MACRO_NO_UNIT };

struct vector_instruction {
    vector_function *function;
    uint8_t unit; /* MACRO_*: plus one, 0: no instruction of the Vector Unit */
    uint8_t kind, form, immediate;
};
/* By enum tensix_op. */
const struct vector_instruction *vector_instruction(unsigned op);

/* The operands of a word of `op`.  VB is VD and VC is VD where a page has it so; SFPLOAD and SFPSTORE have Imm10 in imm and AddrMod
 * in VA. */
struct vector_operands vector_operands_of(unsigned op, uint32_t word);
/* Whether it has a VB or a VC of its own. */
bool vector_has_VB(unsigned op, uint32_t word);
bool vector_has_VC(unsigned op);
/* Whether its VD stands where that of most instructions does. */
bool vector_has_low_VD(unsigned op);

/* LRegs as bits: bit i is LReg[i]. */
enum { EVERY_LREG = 0xFF /* but for constants */ };
struct vector_lregs {
    uint32_t uses; /* what it computes with */
    uint32_t reads, writes;
};
struct vector_lregs vector_lregs(unsigned op, const struct vector_operands *o);

/* All that is needed to execute a word. */
struct vector_decoded {
    vector_function *function;
    uint32_t word;
    uint8_t op;      /* enum tensix_op */
    uint8_t kind;    /* enum vector_kind */
    uint8_t latency; /* cycles */
    bool for_rows;   /* nothing is special about it (row.c) */
    struct vector_operands o;
    bool out_of_reach;                     /* writes a register that only SFPCONFIG can write */
    uint8_t reads, writes;                 /* LRegs */
    uint8_t assumed_reads, assumed_writes; /* hazard.h */
    bool is_missed;
};
void vector_decode(struct vector_decoded *d, uint32_t word);

/* One instruction in its cycle, of those that sub-units execute together (macro.h). */
enum vector_op_kind { OP_CALL, OP_LOAD, OP_STORE, OP_SWAP, OP_EXCHANGE };
struct vector_op {
    vector_function *function; /* OP_CALL */
    struct vector_operands o;
    struct vector_dst at; /* OP_LOAD, OP_STORE */
    uint32_t lanes;
    uint32_t reads, writes; /* registers, as bits */
    uint8_t kind;           /* enum vector_op_kind */
    uint8_t unit;           /* MACRO_* */
    uint8_t thread;
    bool direct;
    uint8_t in;        /* enum vector_kind, of what was scheduled: in which lanes */
    uint32_t word, pc; /* of what a fault speaks of */
};

#endif
