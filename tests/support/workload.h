/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that keep the cores of a tile busy for ever and write what they see, and when, into L1, so that a state hash
 * catches any difference in values or in time. */
#ifndef KERR_TESTS_WORKLOAD_H
#define KERR_TESTS_WORKLOAD_H

#include "random_program.h"

typedef enum workload {
    WORK_RANDOM,  /* five random programs, each over its own buffer */
    WORK_POLLING, /* T2 changes a word now and then; the others poll it: L0 off, L0 on with fence, L0 on, bytes */
    WORK_MAILBOX, /* values go round B, T0, T1, T2 through mailboxes */
    WORK_RACES,   /* unsynchronised loads and stores of all sizes to the same lines */
    WORK_ATOMICS, /* counters and a spin lock that all five contend for */
    WORK_SELF_MODIFYING, /* code rewritten by its own core and by another */
    WORK_CLOCK,          /* loops over the wall clock, mcycle and minstret */
    WORK_FLAGS,          /* words that T2 changes by vector stores and NC by amo; the others poll them */
    WORK_FULL_MAILBOX,   /* T0 writes more than a mailbox holds, then flags in L1 that others poll */
    WORK_DEVICE_WRITES,  /* device writes behind L1 stores in the queue; readers of both */
    WORK_WAITS, /* loops that count or wait for the clock, as firmware and kernels do, with and without a flag */
    WORK_KINDS
} workload;

const char *workload_name(workload work);
/* All five cores of the i-th Tensix tile. */
void workload_start(kerr_chip *chip, uint32_t tile, workload work, uint64_t seed);
/* Tiles 0 .. tiles - 1, kind after kind. */
void workload_start_mix(kerr_chip *chip, uint32_t tiles, uint64_t seed);
/* Cores that run for a random while and then do what is not allowed. */
void workload_start_faults(kerr_chip *chip, uint32_t tiles, uint64_t seed);
/* Every core of a tile polls a word in L1 that nobody changes, as booted firmware does. */
void workload_start_idle(kerr_chip *chip, uint32_t tile);

#endif
