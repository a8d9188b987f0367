/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of instructions of the Vector Unit, the fast path beside steps.c: they are decoded once, and what cannot change within a row
 * is looked at once. */
#ifndef KERR_TENSIX_VECTOR_ROW_H
#define KERR_TENSIX_VECTOR_ROW_H

#include "tensix/step.h"
#include "tensix/vector/vector.h"

enum row_kind {
    NOT_FOR_ROWS,
    DOES_NOTHING,
    IN_ALL_LANES,
    IN_ENABLED_LANES,
    OF_MAD,
    OF_STACK,
    LOADS,
    STORES,
    COUNTS /* INCRWC */
};

/* An instruction, decoded. */
struct vector_decoded {
    uint32_t word;
    uint8_t kind;    /* enum row_kind */
    uint8_t op;      /* enum tensix_op */
    uint8_t latency; /* cycles */
    uint8_t opcode;
    struct vector_operands o;
    uint32_t assumed_reads, reads, assumed_writes; /* hazard.h */
};

void row_decode(struct vector_decoded *d, uint32_t word);
/* Behind an SFPSWAP, which takes a second cycle, it is held for one; INCRWC is no business of the unit's. */
static inline bool row_waits_for_swap(const struct vector_decoded *d)
{
    return d->kind != NOT_FOR_ROWS && d->kind != DOES_NOTHING && d->kind != COUNTS;
}

/* What was decoded last, by place in the row; kept with the tile, but no part of what the chip is. */
enum { VECTOR_DECODED = 128 };
struct vector_cache {
    struct vector_decoded decoded[VECTOR_DECODED];
};

struct vector_row {
    const uint32_t *words; /* the next one is words[first & mask], and so on */
    unsigned first, mask;
    unsigned count;
    uint64_t until;  /* nothing is taken in this cycle or later */
    uint64_t waited; /* out: bit i: the i-th stood at the gate for a cycle, because the unit held it */
    /* Out: how many of those taken the Matrix Unit has taken (INCRWC); the cycle behind the last one that it has not. */
    unsigned counted;
    uint64_t free;
};
/* `count` of them did so, the last one in cycle `last` (counts.h). */
void row_count_waits(tensix_step *s, unsigned count, uint64_t last);

/* Takes instructions from s->cycle on, one in each cycle, for as long as nothing is special about them: the next one may fault, read
 * too early, belong to another unit.  Returns how many; s->cycle is behind the last then.  Nothing is traced, and the unit is free.
 */
unsigned vector_run_row(tensix_step *s, struct vector_row *row);

#endif
