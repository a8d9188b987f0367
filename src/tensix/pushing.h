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
        tensix_notify(tx, thread, turn);
    return turn != 0;
}

#endif
