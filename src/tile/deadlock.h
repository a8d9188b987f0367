/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERR_TILE_DEADLOCK_H
#define KERR_TILE_DEADLOCK_H

#include "tile/tile.h"

/* Looks at a Tensix tile between windows, at `now`, with all earlier work done: whoever waits for good is told as a fault of
 * kind DEADLOCK, once.  True: something in the coprocessor is under way that only time ends; look again later. */
bool tile_look_for_deadlock(struct tile *tile, uint64_t now);
/* Whether such a look would change anything; if not, *again is what it would return. */
bool tile_has_new_deadlock(const struct tile *tile, uint64_t now, bool *again);

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
/* The same, and more of it. */
typedef struct core_lap {
    core_loop kind;
    bool single;      /* of one instruction, a jump to itself */
    bool inside;      /* the core is in the loop already: what it has executed by now tells of it */
    uint32_t polled;  /* as above */
    uint32_t address; /* the one place outside local RAM that is read, 0: none or several */
    bool
        named; /* an instruction of the loop is in one of the places that were given, or, of a core that is not seen to come round, the
                 * one up to which it could be followed */
} core_lap;
core_lap deadlock_lap_of(const struct tile *tile, const rv_core *core, uint64_t now, const kerr_code *named,
                         size_t count);

/* Whether nothing of a tile but its cores will do anything by itself any more.  *waits: an instruction of the coprocessor stands at
 * its gate for good. */
bool tile_devices_rest(const struct tile *tile, uint64_t now, bool *waits);

/* Where a core stands, as kerr_core_end_query has it; what is told does not depend on parking, windows and calls.  *polls, which may be
 * NULL, gets the one place that a loop reads, or 0. */
kerr_stand tile_core_stand(const struct tile *tile, unsigned core, uint64_t now, const kerr_code *ends, size_t count,
                           uint32_t *polls);

#endif
