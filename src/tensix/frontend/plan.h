/* SPDX-License-Identifier: Apache-2.0 */
/* What comes out of the expanders of a thread that is in a MOP, ahead of time: for rows (tensix/stream.h). */
#ifndef KERR_TENSIX_PLAN_H
#define KERR_TENSIX_PLAN_H

#include "tensix/frontend/frontend.h"

enum { PLAN_MOST = 64 }; /* as many bits as tell of playbacks */

struct expansion_plan {
    uint32_t word[PLAN_MOST];
    uint32_t replay[PLAN_MOST]; /* where a playback begins: the REPLAY */
    uint64_t begins, continues; /* bit k: the k-th is the first, or another one, of a playback */
    unsigned count;
    struct tensix_mop mop; /* behind all of it */
};

/* How many a REPLAY plays back; 0: it is none, or does something else. */
static inline unsigned plan_played_by(uint32_t word)
{
    const unsigned count = word >> 4 & 63;
    if (opcode_of(word) != OPCODE_REPLAY || (word & 1) || count > REPLAY_ENTRIES)
        return 0;
    return count % REPLAY_ENTRIES ? count % REPLAY_ENTRIES : REPLAY_ENTRIES;
}

/* plan.c: the first `most` at most, of an expansion that is active while the replay expander is empty; never the last one of the
 * expansion, and of playbacks only whole ones.  PLAN_PLAYBACKS: also loops of those, and all but the last one of the last of them;
 * PLAN_ALL: and the last one. */
enum plan_how { PLAN_USUAL, PLAN_PLAYBACKS, PLAN_ALL };
void plan_make(const struct tensix_thread *t, unsigned most, enum plan_how how, struct expansion_plan *plan);
/* The first one of it, mop: where the expander is; false: there would be none. */
bool plan_first(const struct tensix_thread *t, const struct tensix_mop *mop, uint32_t *word);
/* The MOP expander has given out what the first `count` come from. */
void plan_follow(struct tensix_thread *t, const struct expansion_plan *plan, unsigned count);

#endif
