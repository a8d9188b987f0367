/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a kerr run: the conditions of its job, and whether they hold. */
#ifndef KERR_TOOLS_RUN_UNTIL_H
#define KERR_TOOLS_RUN_UNTIL_H

#include "job.h"
#include "kerr.h"
#include "tool_error.h"

typedef struct run_until {
    kerr_until *list; /* flat: one tile, one core each */
    size_t count;
} run_until;

/* Conditions are looked at whenever the cycle is a multiple of this. */
uint32_t run_until_every(const job *of);
/* One condition for every tile and core they are asked of; the caller frees the list. */
bool run_until_make(run_until *u, const job *of, tool_error *error);
/* Asks for nothing but the address to be there, before the run. */
bool run_until_check(const run_until *u, const kerr_chip *chip, tool_error *error);
/* The first condition that does not hold now; count if all do. */
size_t run_until_first_open(const run_until *u, const kerr_chip *chip);

#endif
