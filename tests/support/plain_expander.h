/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread's MOP Expander and Replay Expander make of an instruction stream, without time: the order of the words
 * that reach the Wait Gate.  Written from the manual's generators (MOPExpander, REPLAY) and LLK's assembly.yaml for what
 * Blackhole added, apart from src/tensix, to be compared with it. */
#ifndef KERR_TESTS_PLAIN_EXPANDER_H
#define KERR_TESTS_PLAIN_EXPANDER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct plain_expander {
    uint32_t mop_cfg[9];
    uint32_t mask_hi;
    uint32_t buffer[32];  /* the replay buffer; 0, an opcode that does not exist, where nothing was recorded */
    unsigned record_next; /* slot of the next instruction to record, while record_left */
    unsigned record_left;
    bool record_execute;
} plain_expander;

/* Takes one word that has left the expanders. */
typedef void plain_sink(void *context, uint32_t word);

/* One word pushed by the thread's T core. */
void plain_push(plain_expander *x, uint32_t word, plain_sink *sink, void *context);
/* One word pushed by RISCV B, behind the MOP Expander. */
void plain_push_behind_mop(plain_expander *x, uint32_t word, plain_sink *sink, void *context);

#endif
