/* SPDX-License-Identifier: Apache-2.0 */
/* Sync Unit: what others than its instructions do to its state. */
#ifndef KERR_TENSIX_SYNC_H
#define KERR_TENSIX_SYNC_H

#include "tensix/state.h"
#include "tensix/tile.h"

/* A semaphore's Value changes in `cycle`: instructions that wait for it see it from the next cycle on, cores from `seen`
 * on, which is the next cycle too if a unit makes the change, since they come before it. */
void sync_set_semaphore(tensix_tile *tile, struct tensix *tx, unsigned index, unsigned value, uint64_t cycle,
                        uint64_t seen);

#endif
