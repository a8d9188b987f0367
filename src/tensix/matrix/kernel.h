/* SPDX-License-Identifier: Apache-2.0 */
/* Whole blocks of Dst: 16 columns by up to 8 rows.  For each a plain form that walks datum by datum (plain.c, arith.h) and a
 * fast one (fast.c) that must give the same bits for everything.  Both read and write nothing but their arguments.
 *
 * dst[i] is a row of DstBits: data of 16 bits, or the high halves of data of 32 bits whose low halves stand eight rows below
 * (regs/dst.h). */
#ifndef KERR_TENSIX_MATRIX_KERNEL_H
#define KERR_TENSIX_MATRIX_KERNEL_H

#include "tensix/matrix/arith.h"

enum { MATRIX_ROWS = 8, MATRIX_COLUMNS = 16, MATRIX_LOW_HALF = 8 * MATRIX_COLUMNS };

/* SrcA and SrcB as the last products had to have them, by bank and block.  Derived from nothing but the cells that stand with
 * it, and looked at only where they are the same: it is no part of what the chip is, and need not be saved, cleared or told of
 * anything.  Zero is an empty one.  `key`: 1 + what of the mode it depends on. */
struct matrix_cached_a {
    uint32_t cells[16][16];
    uint32_t factors[3][16][16];
    uint32_t key, some;
    uint32_t range_key, lowest, highest; /* of exponents that are not zero */
    uint32_t reserved[11];
};
struct matrix_cached_b {
    uint32_t cells[8][16];
    uint32_t factors[18][16];
    uint32_t key, some;
    uint32_t range_key, lowest, highest;
    uint32_t reserved[11];
};
/* What the instructions of a row come to (row_plan.h), by what that depends on. */
enum { MATRIX_PLAN_SETS = 64, MATRIX_PLAN_WAYS = 2, MATRIX_PLAN_MOST = 64, MATRIX_PLAN_OPS = 6 };
struct matrix_plan_key {
    uint64_t now, cr;      /* row counters, 16 bits each: SrcA, SrcB, Dst, fidelity phase */
    uint64_t recent;       /* blocks of Dst that were written not long ago */
    uint32_t access, base; /* of Dst */
    struct matrix_mode mode;
    uint8_t phase; /* FIDELITY_BASE_Phase */
    uint8_t reserved[2];
    uint16_t address_mode[2][8]; /* ADDR_MOD_AB, ADDR_MOD_DST */
};
struct matrix_plan_step {
    uint16_t first; /* row of DstBits */
    uint8_t a_row, b_row;
    uint8_t phase;
    uint8_t how;   /* MATRIX_*; of a product, if all of them keep what they can */
    uint8_t form;  /* 1 + that of what is not a product (row_plan.h) */
    uint8_t chain; /* of the first of several onto the same rows of Dst, one after the other: how many */
};
struct matrix_plan {
    struct matrix_plan_key key;
    uint64_t now, cr; /* behind all of it */
    uint64_t written; /* the blocks of the last eight cycles */
    uint32_t asked;   /* words; 0: an empty plan */
    uint32_t count;   /* of steps: the word behind them is not for rows */
    uint32_t words[MATRIX_PLAN_MOST];
    uint16_t at[MATRIX_PLAN_MOST];                  /* when the k-th is taken */
    uint16_t waits, waited_until;                   /* for blocks of Dst */
    uint8_t a_row, flips;                           /* of the last one; bit 0: SrcA */
    uint8_t ran[MATRIX_PLAN_OPS][2];                /* enum tensix_op, and how many */
    struct matrix_plan_step step[MATRIX_PLAN_MOST]; /* those onto the same rows of Dst together, else in their order */
};
struct matrix_cache {
    _Alignas(64) struct matrix_cached_a a[2][4];
    struct matrix_cached_b b[2][8];
    struct matrix_plan plan[MATRIX_PLAN_SETS][MATRIX_PLAN_WAYS];
    uint8_t plan_used[MATRIX_PLAN_SETS]; /* the way that was used last */
    bool populated;
};
/* cache.c; NULL: no memory.  Before its first use: matrix_cache_populate. */
struct matrix_cache *matrix_cache_create(void);
void matrix_cache_destroy(struct matrix_cache *cache);
void matrix_cache_populate(struct matrix_cache *cache);

enum matrix_elementwise { MATRIX_ADD, MATRIX_SUBTRACT, MATRIX_MULTIPLY };

/* dst[i] += b[i * b_step] @ a, for `rows` rows, 4 or 8; a has 16, and b has 8 unless b_step is zero.  Rows of a and b have 16
 * cells each. */
void matrix_multiply_plain(const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, unsigned b_step,
                           unsigned rows, uint16_t *const dst[]);
/* The caches may be NULL. */
void matrix_multiply(const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, unsigned b_step, unsigned rows,
                     uint16_t *const dst[], struct matrix_cached_a *cached_a, struct matrix_cached_b *cached_b);

/* dst[i][j] = or += a[i][j] op b[i * b_step][j or 0], for 8 rows.  MATRIX_MULTIPLY always adds to Dst. */
struct matrix_elementwise_form {
    enum matrix_elementwise op;
    unsigned b_step;
    bool b_column_0;
    bool add_dst;
};
void matrix_elementwise_plain(const struct matrix_mode *m, const struct matrix_elementwise_form *form,
                              const uint32_t *a, const uint32_t *b, uint16_t *const dst[]);
void matrix_elementwise(const struct matrix_mode *m, const struct matrix_elementwise_form *form, const uint32_t *a,
                        const uint32_t *b, uint16_t *const dst[]);

/* The same for one instruction after the other, onto rows of DstBits that stand together: what does not change between them is
 * found once.  MATRIX_SAME_*: these cells are known to be those that the cache has; returned: which are now, if they were before. */
enum { MATRIX_SAME_A = 1, MATRIX_SAME_B = 2, MATRIX_FOUR_ROWS = 4, MATRIX_ONE_ROW_OF_B = 8 };
struct fast_mode; /* a mode as masks and shifts */
struct matrix_operands {
    const uint32_t *a, *b;            /* row 0 */
    struct matrix_cached_a *cached_a; /* by 16 rows, by 8; may be NULL */
    struct matrix_cached_b *cached_b;
    const struct fast_mode *modes; /* the first of four, by phase */
    bool rounds;                   /* the host's floating point, to nearest */
};
/* For `modes` and `rounds`; and the mode of a phase. */
const struct fast_mode *matrix_fast_modes(const struct matrix_mode *m);
bool matrix_host_rounds(void);
const struct fast_mode *matrix_fast_phase(const struct fast_mode *modes, unsigned phase);
/* `count` products, one after the other, onto the same rows. */
typedef unsigned matrix_multiply_function(const struct matrix_operands *o, const struct matrix_plan_step *steps,
                                          unsigned count, unsigned same, uint16_t *dst);
typedef void matrix_elementwise_function(const struct fast_mode *f, const struct matrix_elementwise_form *form,
                                         const uint32_t *a, const uint32_t *b, uint16_t *dst);
struct matrix_forms {
    matrix_multiply_function *multiply, *multiply_integers;
    matrix_elementwise_function *elementwise;
};
/* For one kind of processor, 0 (any) up to matrix_best(). */
const struct matrix_forms *matrix_forms(unsigned which);

/* The fast forms for one kind of processor, 0 (any) up to matrix_best(): what tests and benchmarks compare. */
unsigned matrix_best(void);
void matrix_multiply_by(unsigned which, const struct matrix_mode *m, const uint32_t *a, const uint32_t *b,
                        unsigned b_step, unsigned rows, uint16_t *const dst[], struct matrix_cached_a *cached_a,
                        struct matrix_cached_b *cached_b);
void matrix_elementwise_by(unsigned which, const struct matrix_mode *m, const struct matrix_elementwise_form *form,
                           const uint32_t *a, const uint32_t *b, uint16_t *const dst[]);

#endif
