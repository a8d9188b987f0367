/* SPDX-License-Identifier: Apache-2.0 */
/* Code made for programs of the Vector Unit (play.h) that come again and again, on a processor with AVX-512 or AVX2: LRegs stay in
 * registers of the host from the first instruction of a program to its last, and nothing is looked up.  AVX2 has registers for 8 lanes of
 * them: all playbacks of these are done, then those of the next 8, since what lanes do to each other has no code.  What has no code
 * is left to play_avx512.c or play_avx2.c, as is everything where the kernel gives no memory that can be executed. */
#ifndef KERR_TENSIX_VECTOR_CODE_H
#define KERR_TENSIX_VECTOR_CODE_H

#include "tensix/vector/play.h"

#include <stddef.h>

enum code_form { CODE_AVX2, CODE_AVX512 };
enum { CODE_LANES = 8 /* at once, with AVX2 */ };

/* What code works on. */
struct code_cells;
struct code_run {
    struct vector_files *v;
    struct flag_stack_entry *stack; /* what is pushed next */
    const struct code_cells *cells; /* of each SFPLOAD and SFPSTORE, */
    uint64_t cells_a_time;          /* bytes: from those of a playback to those of the next */
    uint32_t times;
    uint32_t lanes;                               /* that are enabled */
    void (*slow)(struct code_run *c, unsigned i); /* does the i-th instruction, for which the code is not */
    const struct play_run *run;
    unsigned slows; /* how often that was, of 8 lanes */
    /* AVX2: bytes of an LReg in front of the lanes that are under way; masks of these, those that were pushed and, for `slow`, those
     * that are enabled. */
    uint32_t before;
    uint32_t pushed[FLAG_STACK_DEPTH][CODE_LANES], enabled[CODE_LANES];
};
/* False: nothing was done, since a register has denormals that should have none. */
typedef bool code_function(struct code_run *c);

/* Where an SFPLOAD or SFPSTORE goes. */
struct code_parity;
struct code_cells {
    uint16_t *at;
    const struct code_parity *parity;
};
/* What even columns and odd ones differ in. */
struct code_parity {
    uint16_t index[LANES]; /* of VPERMI2W: from low halves and high halves to lanes */
    uint32_t up;           /* how far a cell is below the high half of a word */
    uint32_t down;         /* ... and above its low half */
    uint32_t keep;         /* the other column of a pair */
};

/* Makes code for a part of a program, in [at, end); returns where it ends, NULL: there is no room.  *function: where it begins. */
uint8_t *code_make_avx512(const struct play_program *p, const struct play_part *part, uint8_t *at, uint8_t *end,
                          uint8_t **function);
uint8_t *code_make_avx2(const struct play_program *p, const struct play_part *part, uint8_t *at, uint8_t *end,
                        uint8_t **function);

/* code_store.c.  What one worker has made, for all tiles that it runs. */
struct code_store;
struct code_store *code_store_create(void); /* NULL: there is no such memory, or no such processor */
struct code_store *code_store_create_for(enum code_form form);
enum code_form code_store_form(const struct code_store *store);
bool code_has(enum code_form form);
/* Whether there can be code for a part of a program. */
bool code_is_possible(const struct play_program *p, const struct play_part *part);
void code_store_destroy(struct code_store *store);
/* NULL: there is none. */
code_function *code_find(struct code_store *store, const struct play_program *p, struct play_part *part);

/* play_code.c.  Executes all of the run, if there is code for it and nothing is special; false: some are left, in *run. */
bool play_on_code(struct code_store *store, struct play_run *run, const struct play_program *p, struct play_part *part);

#endif
