/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that pack a tile each time, as a MOP does that writes tiles to a row-major matrix: PACRs, counters of addresses and CFGSHIFTMASK of
 * the place in L1 between them, the same words over and over.  Which rows of Dst each PACR reads depends on words, counters and
 * configuration only, and the same loops come back with the same, so this is found once and kept (struct pack_loops).
 *
 * A cache that a worker lends to its tiles, no part of what the chip is (tensix/kept.h has it). */
#ifndef KERR_TENSIX_PACK_LOOP_H
#define KERR_TENSIX_PACK_LOOP_H

#include "tensix/files.h"
#include "tensix/step.h"

enum { PACK_LOOP_WORDS = 32, PACK_LOOP_TIMES = 16, PACK_LOOP_ROWS = 256, PACK_LOOPS = 8 };

/* All that a plan depends on but counters. */
struct pack_loop_key {
    uint32_t words[PACK_LOOP_WORDS];
    uint32_t count;
    uint16_t mod[4]; /* ADDR_MOD_PACK_SEC */
    uint32_t access, Base, Ystride, Zstride, Wstride, offset, shift, wide;
    uint32_t row_bytes; /* in L1 */
    uint32_t latency;   /* of CFGSHIFTMASK */
};

struct pack_loop_plan {
    struct pack_loop_key key;
    struct tensix_adc_channel begin[2]; /* counters before the first word */
    uint32_t times;                     /* that it has, none: not for this path */
    uint32_t rows, packs;               /* of Dst, PACRs: each time */
    uint32_t issue;                     /* cycles that the packer takes for all PACRs of one time */
    uint32_t cycles, waits; /* of one time, and those in which a PACR stands at the gate because of the one before */
    uint32_t waited;        /* the end of the last wait, from the first word on */
    uint16_t at[PACK_LOOP_WORDS];    /* cycles from the first word on */
    uint8_t issues[PACK_LOOP_WORDS]; /* cycles that the unit takes */
    uint8_t first, shift, tile;      /* PACR, CFGSHIFTMASK: which word; the end of the tile: behind which */
    struct tensix_adc_channel start[PACK_LOOP_TIMES];     /* channel 1 at the first PACR */
    struct tensix_adc_channel packed[PACK_LOOP_TIMES][2]; /* behind the tile */
    struct tensix_adc_channel end[PACK_LOOP_TIMES][2];    /* behind the last word */
    uint16_t row[PACK_LOOP_ROWS];                         /* of DstBits that are read, in order */
    uint16_t head[PACK_LOOP_ROWS];                        /* those that are the first of their PACR */
    uint32_t used[DST_ROWS / 32];                         /* bit i % 32 of word i / 32: row i */
};
enum { PACK_LOOP_NONE = 255 };

struct pack_loops {
    struct pack_loop_plan plan[PACK_LOOPS];
    uint32_t newest;
};

struct pack_loop {
    const uint32_t *words; /* of one time */
    unsigned count, times;
    unsigned rest;                     /* words that follow once more behind all times */
    uint64_t until;                    /* nothing is taken in this cycle or later */
    unsigned latency;                  /* of CFGSHIFTMASK */
    const struct pack_loop_plan *plan; /* out */
    unsigned from;                     /* out: the first time was this one of the plan */
    unsigned part;                     /* out: words that were taken once more, up to the end of a tile */
};

/* Whether the packer is set up for it. */
static inline bool pack_may_loop(const struct tensix_packer *p)
{
    enum { OUT_HAS_EXPONENTS_TOO = 2 }; /* pack.h */
    return p->plan.quick && !p->plan.accumulate && !(p->plan.LateToFormat & OUT_HAS_EXPONENTS_TOO);
}

/* Takes the words, from s->cycle on, up to `times` times, and once more up to the end of the tile, for as long as nothing is special about
 * them (row.h).  False: nothing has changed; otherwise `times` is how many times.  quick.c. */
bool pack_run_loop(tensix_step *s, struct pack_loop *loop);

#endif
