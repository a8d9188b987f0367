/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of the Vector Unit as its pages have them: one lane after the other, no thought of speed.  Shares the FMA of
 * src/num/fma.c (which has a reference of its own) with the unit, and nothing else. */
#ifndef TESTS_SUPPORT_VECTOR_PLAIN_H
#define TESTS_SUPPORT_VECTOR_PLAIN_H

#include "tensix/files.h"

/* What SFPLOAD and SFPSTORE are told beside the word. */
struct plain_dst {
    unsigned Addr; /* 10 bits */
    unsigned Mod0; /* with MOD0_FMT_SRCB resolved */
};

/* Executes one instruction, any but SFPLOADMACRO.  False: a mode that the manual calls undefined. */
bool vector_plain(struct tensix_files *files, uint32_t word, struct plain_dst dst);

#endif
