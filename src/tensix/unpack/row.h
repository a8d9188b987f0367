/* SPDX-License-Identifier: Apache-2.0 */
/* UNPACRs that follow each other out of an expander, for the engine (tensix/stream.h).  regular.c. */
#ifndef KERR_TENSIX_UNPACK_ROW_H
#define KERR_TENSIX_UNPACK_ROW_H

#include "tensix/step.h"

/* When the unpacker takes this UNPACR, which has come to a gate that lets it pass in s->cycle; UINT64_MAX: something else must happen first,
 * or it is of another kind. */
uint64_t unpack_row_when(const tensix_step *s, uint32_t word);
/* Does it in s->cycle, with the costs in s; false: it is not one of the usual ones, and nothing has changed. */
bool unpack_row_do(tensix_step *s, uint32_t word);

#endif
