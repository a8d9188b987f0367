/* SPDX-License-Identifier: Apache-2.0 */
/* What a NoC atomic does to 16 bytes of L1 (manual NoC/Atomics).  Pure functions. */
#ifndef KERR_NOC_ATOMICS_H
#define KERR_NOC_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

enum { NOC_ATOMIC_BYTES = 16 };

typedef enum noc_atomic_result {
    NOC_ATOMIC_DONE,
    NOC_ATOMIC_UNKNOWN, /* no document says what this NOC_AT_LEN_BE does; line is as it was */
} noc_atomic_result;

/* line: the aligned 16 bytes around the address.  *result is the word at `address` before. */
noc_atomic_result noc_atomic(uint32_t at_len_be, uint32_t at_data, uint32_t address, uint8_t *line, uint32_t *result);

/* Adds 16 bytes lane by lane; at_len_be as for a parallel addition. */
noc_atomic_result noc_accumulate(uint32_t at_len_be, uint8_t *line, const uint8_t *addend);

#endif
