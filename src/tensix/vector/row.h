/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of instructions of the Vector Unit, the fast path beside steps.c: they are decoded once, and what cannot change within a row
 * is looked at once. */
#ifndef KERR_TENSIX_VECTOR_ROW_H
#define KERR_TENSIX_VECTOR_ROW_H

#include "tensix/step.h"
#include "tensix/vector/instructions.h"

/* What was decoded last, by its bits: one for all tiles that a worker runs. */
enum { VECTOR_DECODED_LOG2 = 9, VECTOR_DECODED = 1 << VECTOR_DECODED_LOG2 };
enum { VECTOR_TEMPLATES_LOG2 = 6 };
struct vector_cache {
    struct vector_decoded decoded[VECTOR_DECODED];
    struct {
        uint32_t word, operands; /* 0: nothing is here */
        struct vector_op op;
    } template[1 << VECTOR_TEMPLATES_LOG2]; /* what SFPLOADMACRO schedules (macro_table.c) */
};
static inline const struct vector_decoded *vector_decoded_of(struct vector_cache *cache, uint32_t word)
{
    struct vector_decoded *d = &cache->decoded[word * UINT32_C(0x9E3779B1) >> (32 - VECTOR_DECODED_LOG2)];
    if (__builtin_expect(d->word != word, 0))
        vector_decode(d, word);
    return d;
}

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
/* Takes instructions from s->cycle on, one in each cycle, for as long as nothing is special about them: the next one may fault, read
 * too early, belong to another unit.  Returns how many; s->cycle is behind the last then.  Nothing is traced, and the unit is free.
 */
unsigned vector_run_row(tensix_step *s, struct vector_row *row);

#endif
