/* SPDX-License-Identifier: Apache-2.0 */
/* A plain model of what the front end, sync, scalar and configuration instructions of three threads do to GPRs,
 * configuration, semaphores and L1: no time, one instruction after the other, written from the manual's functional
 * models apart from src/tensix.  It also says no to what has no single result on the hardware: an instruction that
 * would wait, a value used before the manual says it is there, undefined operands, memory outside what it has. */
#ifndef KERR_TESTS_TENSIX_MODEL_H
#define KERR_TESTS_TENSIX_MODEL_H

#include "plain_expander.h"
#include "tensix_stream.h"

enum {
    MODEL_CONFIG_WORDS = 224,
    MODEL_THREAD_CONFIG = 68,
    MODEL_GLOBAL_CONFIG = 180, /* from here on both banks are written */
    MODEL_SCRATCH = 209,       /* SCRATCH_SEC0_val */
    MODEL_REGISTERS = 2,       /* a thread: two plain registers of command buffer t of NIU 1 */
};

typedef struct tensix_model {
    bool reference;     /* say no to what the vendor's simulator refuses */
    unsigned limit;     /* instructions left before saying no */
    const char *reason; /* of the last no */

    uint32_t gpr[STREAM_THREADS][64];
    uint32_t config[2][MODEL_CONFIG_WORDS];
    uint16_t thread_config[STREAM_THREADS][MODEL_THREAD_CONFIG];
    struct {
        uint8_t value, max;
    } sem[8];
    uint8_t mutex[5]; /* thread + 1 */
    uint8_t l1[STREAM_L1_BYTES];
    uint32_t registers[STREAM_THREADS][MODEL_REGISTERS];
    plain_expander front[STREAM_THREADS];

    uint8_t not_before[STREAM_THREADS][64]; /* instructions to go before a GPR may be used; or MODEL_LOADING */
    uint8_t config_recent[STREAM_THREADS];  /* instructions to go before the bank may be changed */
    unsigned instructions, opcodes[256];
} tensix_model;

/* Each gives false for a no, and the model is then of no further use. */
bool model_push(tensix_model *m, unsigned thread, uint32_t word);            /* by the T core */
bool model_push_behind_mop(tensix_model *m, unsigned thread, uint32_t word); /* by RISCV B */
bool model_semaphore_store(tensix_model *m, unsigned semaphore, uint32_t value);
/* The T core has waited until the thread has nothing in flight. */
void model_drained(tensix_model *m, unsigned thread);

uint32_t model_register_address(unsigned thread, unsigned index);

#endif
