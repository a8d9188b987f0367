/* SPDX-License-Identifier: Apache-2.0 */
/* The Vector Unit in laps (laps.h): playbacks of one part of a thread's replay buffer, and SETRWC between them.
 *
 * When such instructions pass depends on their words (vector/play.h), so it is the lap's; what they compute is done for each lap
 * by what executes playbacks elsewhere too. */
#ifndef KERR_TENSIX_LAP_VECTOR_H
#define KERR_TENSIX_LAP_VECTOR_H

#include "tensix/step.h"

enum {
    LAP_VECTOR_WORDS = 2048, /* instructions of one lap, at most */
    LAP_VECTOR_PARTS = 16,
};

/* While a lap is made: the instructions of the Vector Unit that have passed, with INCRWC and SETRWC. */
struct lap_vector_steps {
    uint32_t count;
    uint32_t thread; /* of all of them */
    uint32_t word[LAP_VECTOR_WORDS];
};

/* `count` instructions from a place of the replay buffer on, so often; or SETRWC, if count is 0. */
struct lap_vector_part {
    uint8_t from, count;
    uint8_t reserved[2];
    uint32_t times;
    uint32_t word;
};

struct lap_vector {
    uint32_t parts; /* 0: there is nothing for it in the lap */
    uint8_t thread;
    int8_t depth;       /* of the stacks of flags, in the beginning and in the end */
    bool mad_moves;     /* mad_cycle is later by a lap after each lap */
    bool swap_moves;    /* so is only_nop */
    uint64_t mad_cycle; /* vector_mad_write in the beginning */
    uint64_t only_nop;  /* vector_files in the beginning */
    uint32_t mad_assumed;
    uint32_t reserved_align;
    struct lap_vector_part part[LAP_VECTOR_PARTS];
};

/* A lap begins. */
void lap_vector_begin(struct lap_vector *lap, struct lap_vector_steps *steps, const struct tile *tile);
/* One of a lap has passed.  False: it is not for laps. */
bool lap_vector_passed(struct lap_vector_steps *steps, const tensix_step *s);
/* It is over: whether the unit is where it was, and what has passed comes from one part of the replay buffer. */
bool lap_vector_end(struct lap_vector *lap, const struct lap_vector_steps *steps, struct tile *tile,
                    const struct tensix *tx, uint64_t begin, uint64_t cycles);
/* Whether the unit is as it was in the beginning of the lap. */
bool lap_vector_is_same(const struct lap_vector *lap, const struct tile *tile, const struct tensix *tx, uint64_t begin,
                        uint64_t now);
void lap_vector_repeat(const struct lap_vector *lap, struct tile *tile, struct tensix *tx, uint64_t now, uint32_t laps,
                       uint64_t cycles);

#endif
