/* SPDX-License-Identifier: Apache-2.0 */
/* Random RV32 code that always ends: straight line, forward branches and jumps, loops two deep with known trip counts,
 * loads, stores and atomics in a buffer.  Everything qemu-riscv32 and the baby cores agree on: RV32I without fence.i,
 * ecall and ebreak; M; Zaamo; Zba; Zbb; pack and brev8. */
#ifndef KERR_TESTS_RANDOM_PROGRAM_H
#define KERR_TESTS_RANDOM_PROGRAM_H

#include "chip.h"

enum { RANDOM_BUFFER_BYTES = 512 };
/* Registers that random code reads but never writes. */
enum { RANDOM_BASE = S0, RANDOM_COUNTER0 = S1, RANDOM_COUNTER1 = S2 };

typedef struct random_program {
    test_random random;
    rvasm *a;
    unsigned depth; /* of loops */
} random_program;

uint32_t random_value(test_random *random);
/* Sets x1..x31: RANDOM_BASE to the buffer's address, the others to random values. */
void random_registers(random_program *g, uint32_t buffer);
/* So many instructions, loops and short groups. */
void random_body(random_program *g, uint32_t items);

#endif
