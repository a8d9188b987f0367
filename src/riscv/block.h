/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded straight-line code.
 *
 * A block is immutable and found by content: its pc and its words.  All tiles that run the same firmware
 * share it.  A block store belongs to one worker; blocks stay where they are until the store is emptied at a
 * barrier, so a core may hold references made by another worker. */
#ifndef KERR_RISCV_BLOCK_H
#define KERR_RISCV_BLOCK_H

#include "rv32_ops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK_MAX = 64 }; /* instructions */

/* Codes of the executor: one per instruction of isa/rv32.isa, then these. */
enum {
    CODE_CHECK = RV_OP_COUNT, /* wait until rs1 and rs2 are ready; costs no cycle itself */
    CODE_CHECK1,              /* the same with rs1 only */
    CODE_END,                 /* falls through into the next block */
    CODE_COUNT
};

/* Pairs that run_fast executes without a dispatch in between: one of the first kind, then one of the second. */
/* clang-format off */
#define PAIR_FIRSTS(X)                                                                                                 \
    X(LUI) X(ADDI) X(SLLI) X(SRLI) X(SRAI) X(ANDI) X(ORI) X(ADD) X(SUB) X(XOR) X(OR) X(AND)
#define PAIR_SECONDS(X, A)                                                                                             \
    X(A, LUI) X(A, ADDI) X(A, SLLI) X(A, SRLI) X(A, SRAI) X(A, ANDI) X(A, ORI) X(A, XORI) X(A, ADD) X(A, SUB)          \
    X(A, XOR) X(A, OR) X(A, AND) X(A, SLTU) X(A, MUL) X(A, LW) X(A, LBU) X(A, LHU) X(A, SW) X(A, SB) X(A, SH)          \
    X(A, BEQ) X(A, BNE) X(A, BLT) X(A, BGE) X(A, BLTU) X(A, BGEU) X(A, JAL) X(A, JALR)
/* clang-format on */
enum {
#define FIRST_NAME(A) FIRST_##A,
    PAIR_FIRSTS(FIRST_NAME) FIRST_COUNT,
#undef FIRST_NAME
};
enum {
#define SECOND_NAME(A, B) SECOND_##B,
    PAIR_SECONDS(SECOND_NAME, 0) SECOND_COUNT,
#undef SECOND_NAME
};
enum { CODE_PAIRS = CODE_COUNT, FAST_COUNT = CODE_PAIRS + FIRST_COUNT * SECOND_COUNT };

typedef struct rv_decoded {
    uint16_t fast; /* what run_fast does here: code, or a pair with the next one */
    uint8_t code;
    uint8_t index;      /* number of the instruction within the block */
    uint8_t rd;         /* 0 -> X_SINK */
    uint8_t rs1, rs2;   /* 0 where there is none */
    uint8_t extra;      /* csr: the immediate in the rs1 field */
    uint32_t immediate; /* branch, jal: target address; csr: number */
    uint32_t word;
} rv_decoded;
_Static_assert(BLOCK_MAX <= UINT8_MAX && CODE_COUNT <= UINT8_MAX, "fields are wide enough");
_Static_assert(sizeof(rv_decoded) == 16, "four to a cache line");

typedef struct rv_block {
    uint32_t pc;
    uint16_t count; /* instructions */
    uint8_t core_class;
    bool ended : 1;        /* by a jump or an instruction that stops */
    bool transient : 1;    /* valid until the next rv_block_get: the store is full */
    struct rv_block *next; /* in the store's bucket, which the key says */
    uint32_t key;
    uint16_t steps;   /* in ops; the words they were decoded from are behind them */
    rv_decoded ops[]; /* branches may stand in the middle; ends with a jump or CODE_END */
} rv_block;

typedef struct rv_block_store rv_block_store;

/* Address space only; pages are used as blocks are made.  NULL: no memory. */
rv_block_store *rv_block_store_create(void);
void rv_block_store_destroy(rv_block_store *store);
bool rv_block_store_is_filling_up(const rv_block_store *store);
void rv_block_store_clear(rv_block_store *store);

/* The block at pc for these words (L1 from pc on, at least one word).  kind is the kerr_core: what is an
 * instruction depends on it.  Never NULL. */
const rv_block *rv_block_get(rv_block_store *store, unsigned kind, uint32_t pc, const uint8_t *code,
                             uint32_t code_bytes, uint32_t max_count);

/* The same of one line of an instruction cache, its 16 bytes: those from pc on, at most max_count instructions. */
const rv_block *rv_block_in_line(rv_block_store *store, unsigned kind, uint32_t pc, const uint8_t *line,
                                 uint32_t max_count);

/* Decodes one instruction (also for tests). */
rv_decoded rv_decode(unsigned kind, uint32_t pc, uint32_t word);

#endif
