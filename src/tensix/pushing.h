/* SPDX-License-Identifier: Apache-2.0 */
/* RISCV Ti, which waits for room in the FIFO of its thread, goes on within a run of the coprocessor (tile/pusher.c).  Included by
 * run.c alone. */
#ifndef KERR_TENSIX_PUSHING_H
#define KERR_TENSIX_PUSHING_H

#include "tensix/tensix.h"

#include "tile/devices.h"

/* Whether nobody waits for the thread but its core for room. */
static inline bool pushing_only(const struct tensix *tx, unsigned waiting)
{
    return (waiting & ~(unsigned)(TENSIX_WAITS_PUSH | TENSIX_WAITS_GATE | TENSIX_WAITS_STANDS)) == 0 && !tx->traced;
}

/* turn: as tile_pusher_told has it.  False: the tile must look. */
static inline bool pushing_goes_on(struct tensix *tx, unsigned thread, uint64_t turn)
{
    if (turn != 0 && turn != NEVER)
        tensix_push_turn(tx, thread, turn);
    return turn != 0;
}

/* The first cycle in which such a core has a turn.  0 is for none: one less makes that the latest. */
static inline uint64_t pushing_next(const struct tensix *tx)
{
    uint64_t turn = NEVER;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        turn = min64(turn, tx->thread[i].push_turn - 1);
    return turn + (turn != NEVER);
}

#endif
