/* SPDX-License-Identifier: Apache-2.0 */
/* UNPACRs that follow each other out of an expander, for the engine (tensix/stream.h).  regular.c. */
#ifndef KERR_TENSIX_UNPACK_ROW_H
#define KERR_TENSIX_UNPACK_ROW_H

#include "tensix/unpack/unpack.h"

#include "tensix_isa.h"

/* What is known of the last one of each unpacker; it holds for the next one with the same word, until something else happens. */
struct unpack_row {
    bool known;
    uint32_t word;
    struct op_UNPACR op;
    struct unpack_look look;
};

/* When the unpacker takes the UNPACR of s, which has come to a gate that lets it pass in s->cycle; UINT64_MAX: something else must
 * happen first, or it is of another kind. */
uint64_t unpack_row_when(const tensix_step *s, struct unpack_row *row);
/* Does it in s->cycle, with the costs in s; false: it is not one of the usual ones, and nothing has changed. */
bool unpack_row_do(tensix_step *s, struct unpack_row *row);

#endif
