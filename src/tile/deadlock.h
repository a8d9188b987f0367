/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERR_TILE_DEADLOCK_H
#define KERR_TILE_DEADLOCK_H

#include "tile/tile.h"

/* Looks at a Tensix tile between windows, at `now`, with all earlier work done: whoever waits for good is told as a fault of
 * kind DEADLOCK, once.  True: something in the coprocessor is under way that only time ends; look again later. */
bool tile_look_for_deadlock(struct tile *tile, uint64_t now);
/* Whether such a look would change anything; if not, *again is what it would return. */
bool tile_has_new_deadlock(const struct tile *tile, uint64_t now, bool *again);

/* Whether no look would find anybody in a deadlock for as long as the actors in `going`, threads from bit 0 on and RISCV T0 to T2 from bit
 * TENSIX_THREADS on, go on and the others stay as they are.  False: maybe. */
bool tile_nobody_is_stuck(const struct tile *tile, uint64_t now, uint32_t going);

/* Cheap, and true whenever a look may find one: somebody waits, whoever could release him. */
bool tile_somebody_waits(const struct tile *tile);

/* What each of the seven actors waits for at `now`, and who is in a deadlock; while something is under way that only time ends
 * nobody is. */
void tile_waiters(const struct tile *tile, uint64_t now, kerr_waiter waiters[KERR_WAITERS]);

/* Whether a core does nothing but go round a loop that can end only when something it loads changes. */
typedef enum core_loop {
    LOOP_NONE,    /* it does something else, or is not seen to come round */
    LOOP_EMPTY,   /* it looks at nothing: a program that is over */
    LOOP_POLLS,   /* at semaphores and mailboxes only */
    LOOP_OUTSIDE, /* at memory or registers that the host or the NoC change too */
} core_loop;
/* Of a core that runs; `polled` gets a bit for each semaphore, and from bit 8 on for each core whose mailbox is polled. */
core_loop deadlock_loop_of(const struct tile *tile, const rv_core *core, uint64_t now, uint32_t *polled);

#endif
