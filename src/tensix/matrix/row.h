/* SPDX-License-Identifier: Apache-2.0 */
/* Products and what is done element by element, for instructions that follow each other: what cannot change between them is looked at
 * once. */
#ifndef KERR_TENSIX_MATRIX_ROW_H
#define KERR_TENSIX_MATRIX_ROW_H

#include "tensix/step.h"

struct matrix_row {
    const uint32_t *words; /* the next one is words[first & mask], and so on */
    unsigned first, mask;
    unsigned count;
    uint64_t until;        /* nothing is taken in this cycle or later, and nothing else happens before it */
    uint64_t *at;          /* out: the cycles in which they were taken */
    uint64_t waits;        /* out: cycles in which one of them stood at the gate, for a block of Dst */
    uint64_t waited_until; /* out: the end of the last wait */
};

/* Takes MVMUL, DOTPV, GAPOOL, ELWADD, ELWSUB and ELWMUL from s->cycle on, in which the unit is free, for as long as nothing is special
 * about them.  Returns how many; s->cycle is that of the last one then.  Nothing is traced or checked.  row.c. */
unsigned matrix_run_row(tensix_step *s, struct matrix_row *row);

#endif
