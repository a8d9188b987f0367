/* SPDX-License-Identifier: Apache-2.0 */
/* What units do by themselves, after the cycle in which they took an instruction: requests of the Scalar Unit reach
 * memory, the mover copies.
 *
 * At equal cycles cores come before units, so what memory or a register shows from cycle c on is done in cycle c - 1: the
 * next functions give that cycle.  All of it is in struct tensix, and tensix_event_at keeps its `events_due`. */
#ifndef KERR_TENSIX_EVENTS_H
#define KERR_TENSIX_EVENTS_H

#include "tensix/state.h"
#include "tensix/tile.h"

/* There is something to do in `cycle` at the latest. */
void tensix_event_at(struct tensix *tx, uint64_t cycle);

/* scalar_memory.c */
uint64_t scalar_next(const struct tensix *tx);
void scalar_event(tensix_tile *tile, struct tensix *tx, uint64_t cycle);
/* Soft reset: an instruction that is still trying is given up. */
void scalar_soft_reset(struct tensix *tx, uint64_t cycle);
/* Of a restored state. */
bool scalar_is_sane(const struct tensix *tx);

/* mover.c */
enum { XMOV_L0_TO_L1 = 0, XMOV_L1_TO_L0 = 1, XMOV_L0_TO_L0 = 2, XMOV_L1_TO_L1 = 3 };
uint64_t mover_next(const struct tensix *tx);
void mover_event(tensix_tile *tile, struct tensix *tx, uint64_t cycle);
/* What the manual does not allow of a transfer (in bytes), NULL if nothing. */
const char *mover_refuses(uint32_t destination, uint32_t source, uint32_t bytes, unsigned mode);
static inline bool mover_is_busy(const struct tensix *tx, uint64_t cycle)
{
    return tx->mover.busy_until > cycle;
}
/* TDMA-RISC.  What the manual does not allow of a command, NULL if nothing. */
const char *mover_refuses_command(const struct tensix_mover_command *command);
/* A command in `cycle`, for which there must be room. */
void mover_enqueue(struct tensix *tx, struct tensix_mover_command command, uint64_t cycle);
/* Mover soft reset: what is under way is given up. */
void mover_soft_reset(const tensix_tile *tile, struct tensix *tx, uint64_t cycle);
bool mover_is_sane(const struct tensix *tx);

#endif
