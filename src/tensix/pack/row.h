/* SPDX-License-Identifier: Apache-2.0 */
/* PACRs of a tile that follow each other, or have an INCADCZW each before them: what cannot change between them is looked at once, and their rows go to L1 together. */
#ifndef KERR_TENSIX_PACK_ROW_H
#define KERR_TENSIX_PACK_ROW_H

#include "tensix/regs/adc.h"
#include "tensix/step.h"

enum { PACK_ROW_MOST = 16 };

struct pack_row {
    const uint32_t *words; /* the next one is words[first & mask], and so on */
    unsigned first, mask;
    unsigned count;
    uint64_t until;        /* nothing is taken in this cycle or later */
    uint64_t *at;          /* out: the cycles in which they were taken */
    uint64_t waits;        /* out: cycles in which one of them stood at the gate because of the one before */
    uint64_t waited_until; /* out: the end of the last wait */
    unsigned counts;       /* out: how many of those taken are INCADCZWs between them */
    uint64_t counted_at;   /* out: the cycle of the last one of these */
};

/* Takes instructions from s->cycle on, in which the packer is free, the first and the last of which are PACRs, up to the end of a tile and for as long as nothing is special about them, as
 * that somebody heeds the lines of L1.  Returns how many; s has the last one's cycle, issue and latency then.  Nothing is traced or checked.
 * quick.c. */
unsigned pack_run_row(tensix_step *s, struct pack_row *row);

#endif
