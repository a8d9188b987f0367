/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for whom, as text: of a chip that has stopped, each core with its place in the source, each thread of the
 * coprocessor at its wait gate, semaphores, mutexes, banks of SrcA and SrcB, circular buffers, NoC requests without an answer, and the
 * wait-for graph (why.h).
 * Tiles that look the same are told of once. */
#ifndef KERR_TOOLS_WAITS_H
#define KERR_TOOLS_WAITS_H

#include <stdio.h>

#include "findings.h"
#include "kerr.h"
#include "place.h"

/* Of these tiles, or of all if NULL. */
void waits_print(FILE *to, const kerr_chip *chip, const tile_set *tiles, const place_source *places);
/* Only asks for places, so that they can be looked for (chip_code.h). */
void waits_collect(const kerr_chip *chip, const tile_set *tiles, const place_source *places);
/* Looks for source lines below these folders, for so many seconds at most. */
void waits_print_searching(FILE *to, const kerr_chip *chip, const char *const *folders, size_t count, double seconds);

#endif
