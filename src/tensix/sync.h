/* SPDX-License-Identifier: Apache-2.0 */
/* Sync Unit: what others than its instructions do to its state. */
#ifndef KERR_TENSIX_SYNC_H
#define KERR_TENSIX_SYNC_H

#include "tensix/state.h"

struct tile;

/* A semaphore's Value changes in `cycle`: waits at the gate see it from the next cycle on, cores that load it from `seen`
 * on.  That is the next cycle too when a unit changes it: at equal cycles cores come first. */
void sync_set_semaphore(struct tile *tile, struct tensix *tx, unsigned index, unsigned value, uint64_t cycle,
                        uint64_t seen);

#endif
