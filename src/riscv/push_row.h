/* SPDX-License-Identifier: Apache-2.0 */
/* A RISCV Ti whose code is nothing but .ttinsn, each of which goes into the FIFO of its thread in a cycle of its own: several of them at
 * once, the fast path beside rv_drain and rv_run. */
#ifndef KERR_RISCV_PUSH_ROW_H
#define KERR_RISCV_PUSH_ROW_H

#include "riscv/core.h"

/* How many cycles from `cycle` on, `most` at most, are all the same, if the FIFO takes one push in each: the oldest push in the queue
 * leaves it, and the next .ttinsn comes in behind; without a queue it goes straight through.  `ends`: an opcode of the coprocessor with which it ends.  0: it is not
 * so. */
unsigned rv_push_row_length(const rv_core *core, const rv_bus *bus, uint64_t cycle, unsigned most, unsigned ends);

/* What goes into the FIFO. */
typedef struct rv_pushed {
    uint32_t word, pc;
} rv_pushed;
/* So many of these cycles; pushed[i]: in the i-th. */
void rv_push_row(rv_core *core, uint64_t cycle, unsigned count, rv_pushed *pushed);

#endif
