/* SPDX-License-Identifier: Apache-2.0 */
/* What the simulation tells to checks of synchronisation alone, besides check/hooks.h.  A hook is one comparison while checks
 * are off. */
#ifndef KERR_CHECK_SYNC_HOOKS_H
#define KERR_CHECK_SYNC_HOOKS_H

#include "check/hooks.h"
#include "check/sync.h"

#define SYNC_CHECKED(tile) (CHECKED(tile) && check_of(tile)->sync != NULL)

void check_semaphore(struct tile_check *check, unsigned index, int change, unsigned value);
void check_core_semaphore(struct tile_check *check, unsigned core, unsigned index, int change, unsigned value,
                          uint64_t cycle);
/* An instruction posts (+1), takes (-1) or sets up (0) a semaphore that has this value. */
static inline void hook_semaphore(const void *tile, unsigned index, int change, unsigned value)
{
    if (CHECKED(tile))
        check_semaphore(check_of(tile), index, change, value);
}
/* RISCV Ti does, by a store. */
static inline void hook_core_semaphore(const void *tile, unsigned core, unsigned index, int change, unsigned value,
                                       uint64_t cycle)
{
    if (CHECKED(tile) && core < CHECK_CORES)
        check_core_semaphore(check_of(tile), core, index, change, value, cycle);
}
/* Who acts gives a bank of SrcA (0) or SrcB (1) to the other side; back: to the unpackers. */
void check_bank(struct tile_check *check, unsigned which, unsigned bank, bool back);
static inline void hook_bank(const void *tile, unsigned which, unsigned bank, bool back)
{
    if (CHECKED(tile))
        check_bank(check_of(tile), which, bank, back);
}
/* Who acts, and is no core, has read or is about to write a register. */
static inline void hook_register(const void *tile, uint32_t address, uint32_t value, unsigned how)
{
    if (SYNC_CHECKED(tile))
        sync_register(check_of(tile), address, value, how);
}
/* A Tensix thread waits for good. */
static inline void hook_stuck(const void *tile, unsigned thread)
{
    if (SYNC_CHECKED(tile))
        sync_stuck(check_of(tile), thread);
}
/* The packet that acts is done here: what it did may be known elsewhere from now on. */
static inline void hook_packet_done(const void *tile, uint64_t cycle)
{
    if (SYNC_CHECKED(tile))
        sync_packet_done(check_of(tile), cycle);
}

#endif
