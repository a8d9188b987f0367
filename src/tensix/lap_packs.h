/* SPDX-License-Identifier: Apache-2.0 */
/* Laps (laps.h) whose data is no list: address counters, CFGSHIFTMASK and PACR are among their instructions.  All data of the coprocessor
 * must be in the end what it was in the beginning, so that each lap does the same, and where it begins again all of it must be that.
 * What is packed is in no part of the coprocessor: rows of Dst, which nothing in such a lap changes, go to L1 in each lap anew. */
#ifndef KERR_TENSIX_LAP_PACKS_H
#define KERR_TENSIX_LAP_PACKS_H

#include "tensix/files.h"
#include "tensix/step.h"

enum { LAP_PACKS = 256, LAP_PACK_ROWS = 1024 };

/* Rows that follow each other in L1. */
struct lap_pack {
    uint32_t address;
    uint16_t first, rows; /* of `row` */
};

struct lap_packs {
    bool noted;        /* the PACR that has just been executed is here */
    bool data_must;    /* data must be in the end what it was: it has instructions that are in no list */
    bool data_same;    /* in the end, and it must be at the beginning */
    uint8_t way;       /* enum pack_way, of all of them */
    uint8_t row_bytes; /* in L1 */
    uint32_t access;   /* regs/dst.h */
    uint32_t rows, packs, heads;
    uint64_t cycles;                /* more of data_cycles[1] */
    uint16_t sizes[TENSIX_THREADS]; /* more of acc_tile_size */
    uint16_t row[LAP_PACK_ROWS];    /* of DstBits, in order */
    uint16_t head[LAP_PACK_ROWS];   /* those that are the first of their PACR */
    uint32_t used[DST_ROWS / 32];   /* bit i % 32 of word i / 32: row i */
    struct lap_pack pack[LAP_PACKS];
};

struct lap_steps;

void lap_packs_begin(struct lap_packs *packs);
/* While a lap is made: a PACR has brought such rows of Dst to L1, which nobody heeds. */
void lap_packs_note(struct lap_packs *packs, const tensix_step *s, uint32_t access, const uint16_t *const cells[],
                    unsigned rows, uint32_t address, unsigned bytes);
/* Whether an instruction that schedules do not know may be in a lap. */
bool lap_packs_take(struct lap_packs *packs, const tensix_step *s);

/* The lap is over: what has been counted. */
void lap_packs_count(struct lap_packs *packs, const struct tensix *from, const struct tensix *to);
/* Whether all data is what it was, each step leaves nothing else behind, and what has been packed is where it should be. */
bool lap_packs_end(struct lap_packs *packs, const struct lap_steps *steps, const struct tile *tile,
                   const struct tensix *from, const struct tensix *to);
/* Whether a lap with the same data can begin at `now`. */
bool lap_packs_are_same(const struct lap_packs *packs, struct tile *tile, const struct tensix *from,
                        const struct tensix *tx, uint64_t now);
void lap_packs_repeat(const struct lap_packs *packs, struct tile *tile, struct tensix *tx, uint32_t laps);

#endif
