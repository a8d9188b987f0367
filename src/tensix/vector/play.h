/* SPDX-License-Identifier: Apache-2.0 */
/* Playbacks for the Vector Unit.  What a replay buffer holds is decoded once, and with it everything that does not depend on data is
 * known: in which cycle each instruction is taken, who is held for a cycle, what is counted.  Then only the arithmetic is left.
 * row.c has one instruction after the other; tests/same/rows.c compares with the plain path. */
#ifndef KERR_TENSIX_VECTOR_PLAY_H
#define KERR_TENSIX_VECTOR_PLAY_H

#include "tensix/regs/rwc.h"
#include "tensix/step.h"
#include "tensix/vector/vector.h"

enum { PLAY_WORDS = 32 };

/* An instruction of a program. */
struct play_step {
    uint8_t code;    /* enum play_code */
    uint8_t kind;    /* enum row_kind (row.h) */
    uint8_t opcode;  /* above the first one of the Vector Unit */
    uint8_t latency; /* cycles */
    uint8_t source;  /* a register that `code` reads in place of one that the instruction names */
    struct vector_operands o;
    uint32_t value; /* of the instruction's immediate and mode, as `code` needs it */
    uint32_t doubt; /* so often the host's own multiply-add is not tried, since it was not sure the last time */
};

/* What a processor with AVX-512 or AVX2 does without a call; PLAY_CALL is anything else. */
enum play_code {
    PLAY_CALL,
    PLAY_NOTHING,
    PLAY_ADD_IMM, /* SFPIADD without flags; with them PLAY_ADD_FLAGS */
    PLAY_ADD,
    PLAY_SUB,
    PLAY_ADD_FLAGS,
    PLAY_SHIFT_LEFT, /* of `source` */
    PLAY_SHIFT_RIGHT,
    PLAY_SHIFT_ARITHMETIC,
    PLAY_AND,
    PLAY_OR,
    PLAY_XOR,
    PLAY_NOT,
    PLAY_ABS_FLOAT,
    PLAY_COPY,
    PLAY_COPY_ALL,
    PLAY_NEGATE,
    PLAY_VALUE, /* SFPLOADI: a number */
    PLAY_SETEXP_IMM,
    PLAY_EXEXP, /* without flags */
    PLAY_SETCC_VALUE,
    PLAY_SETCC_SIGN, /* below zero, or not so: ^ value */
    PLAY_SETCC_SOME, /* not zero, or so: ^ value */
    PLAY_ENCC,
    PLAY_COMPC,
    PLAY_PUSHC,
    PLAY_POPC,
    PLAY_MAD,
    PLAY_SUM,     /* `source` + VC */
    PLAY_PRODUCT, /* VA * VB */
    PLAY_LUT,
    PLAY_RECIPROCAL,
    PLAY_SWAP,    /* value: the lanes in which VD gets the smaller */
    PLAY_LOAD_32, /* FP32 or integers: all bits */
    PLAY_LOAD_BF16,
    PLAY_STORE_INT32,
    PLAY_STORE_FP32,
    PLAY_STORE_BF16,
    PLAY_MOVE,   /* any other SFPLOAD or SFPSTORE */
    PLAY_INCRWC, /* which is of the Matrix Unit; `value` is the word */
};

enum { PLAY_INDIRECT_VD = 8 }; /* in `mod` of one of the MAD sub-unit */

struct code_run;
struct code_store;
/* Instructions of a program that follow each other, as many as are taken in a row. */
struct play_part {
    uint8_t from, count;
    uint8_t cycles;    /* in which they are taken, if the first one is in the first */
    uint8_t free;      /* ... all but INCRWC */
    uint8_t counts;    /* how many INCRWC there are */
    uint8_t counted;   /* ... in the first `cycles`, all of them */
    uint8_t busy;      /* cycles until all are done */
    uint8_t last_mad;  /* the last one of the MAD sub-unit, from `from` on; PLAY_WORDS: there is none */
    uint8_t last_swap; /* the same of SFPSWAP */
    int8_t deeper;     /* how much deeper they leave the stacks */
    /* If they come again right behind the last one: the first one is held, or it may find an old value. */
    bool again_is_held, again_is_early;
    uint32_t waited; /* bit i: the i-th of them is held for a cycle by the one before */
    uint8_t waits;   /* how many of these there are */
    /* Code (code.h): whether there may be some, and so often not yet; whether flags are in it; how many SFPLOADs and SFPSTOREs are; the
     * register that last_mad writes; a number that words and count make; and what code_find found last, where. */
    bool codes, flags;
    uint16_t wait;
    uint8_t moves, last_VD;
    uint32_t hash;
    uint32_t generation;
    const struct code_store *store;
    bool (*function)(struct code_run *c);
    uint8_t goes; /* how many SFPLOADs, SFPSTOREs and INCRWCs there are, and which */
    uint8_t goes_at[PLAY_WORDS];
    uint8_t kinds; /* of instructions, and how many of each */
    uint8_t op[PLAY_WORDS], of_op[PLAY_WORDS];
};

/* All of a thread's replay buffer.  Arrays are by place in it. */
enum { PLAY_PARTS = 32 };
struct play_program {
    uint32_t words[PLAY_WORDS];
    struct play_step step[PLAY_WORDS];
    uint32_t assumed_reads[PLAY_WORDS], reads[PLAY_WORDS], assumed_writes[PLAY_WORDS]; /* hazard.h */
    uint32_t waited;            /* bit i: the i-th is held for a cycle by the one before */
    uint32_t mad, swap;         /* bit i: the i-th is of the MAD sub-unit, is SFPSWAP */
    uint8_t op[PLAY_WORDS];     /* enum tensix_op */
    uint8_t taken[PLAY_WORDS];  /* in which cycle, if the first one is in the first */
    uint8_t length[PLAY_WORDS]; /* how many from here on can be taken without a look between them */
    /* Of these: how much deeper and, below zero, how much less deep the stacks get; whether they matter; whether any stores, any
     * stores or loads. */
    int8_t deepest[PLAY_WORDS], shallowest[PLAY_WORDS];
    bool stacks[PLAY_WORDS], stores[PLAY_WORDS], moves[PLAY_WORDS];
    bool made;
    struct play_part part[PLAY_PARTS]; /* that were needed last */
};

/* What a run of a program works on. */
struct play_run {
    tensix_step *s;
    struct tensix_files *files;
    struct play_step *step;
    unsigned count, times;
    unsigned last_mad; /* which of them leaves v->mad behind, the last time; count or more: none */
    const uint32_t *config;
    uint32_t access;
    unsigned base; /* of addresses in Dst: all but the instruction's own and the counter */
    unsigned depth;
};

struct vector_row;
/* Takes instructions of a row, as vector_run_row does, from *cycle on; the unit is free, and nothing is scheduled.  Returns how
 * many; *cycle is behind the last then, *busy when it leaves the unit. */
unsigned play_row(tensix_step *s, struct vector_files *v, struct vector_row *row, uint64_t until, uint64_t *cycle,
                  uint64_t *busy);
/* The same for whole playbacks of the row, up to row->times, one right behind the other; returns how many of these. */
unsigned play_times(tensix_step *s, struct vector_files *v, struct vector_row *row, uint64_t until, uint64_t *cycle,
                    uint64_t *busy);

/* play_make.c: decodes what a replay buffer holds; finds what becomes of `count` of it, from a place on. */
void play_make(struct play_program *p, const uint32_t words[PLAY_WORDS]);
void play_make_part(const struct play_program *p, unsigned from, unsigned count, struct play_part *part);
static inline void play_incrwc(const struct play_run *run, const struct play_step *step)
{
    const struct op_INCRWC op = decode_INCRWC(step->value);
    rwc_increment(&run->s->t->rwc, &op);
}

/* Executes steps that a program has one behind the other: on any processor, with AVX2 (play_avx2.c), and with AVX-512. */
void play_on_any(const struct play_run *run);
bool play_has_avx2(void);
void play_on_avx2(const struct play_run *run);
bool play_has_avx512(void);
void play_on_avx512(const struct play_run *run);
/* One of the MAD sub-unit for which the host's own arithmetic is not: on a processor with AVX-512, and in 8 lanes, from one on, with a
 * mask for each, on one with AVX2. */
void play_slow_mad(struct vector_files *v, struct play_step *step, uint32_t lanes);
void play_slow_mad_avx2(struct vector_files *v, const struct play_step *step, const uint32_t enabled[8], unsigned from);

#endif
