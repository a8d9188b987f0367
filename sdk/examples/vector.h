/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel vector.c executes on a tile, as its host says at VECTOR_SCRIPT: instruction words for the Vector Unit, and how
 * often.  Plain C, read by both sides.  Where the tile is and goes is said as datapath.h has it. */
#ifndef VECTOR_H
#define VECTOR_H

#include <stdint.h>

enum { VECTOR_SCRIPT = 0x120000, VECTOR_BODY = 32, VECTOR_ENDS = 96 };

struct vector_script {
    uint32_t turns; /* each `mops` MOPs of `times` times the body, and then `end`, which is one instruction */
    uint32_t mops, times;
    uint32_t end;
    uint32_t prologue_words, body_words, epilogue_words;
    uint32_t body[VECTOR_BODY]; /* played back from the replay buffer */
    uint32_t prologue[VECTOR_ENDS], epilogue[VECTOR_ENDS];
};

#endif /* VECTOR_H */
