/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for each other: what STALLWAIT and SEMWAIT hold and wait for, by name, and the eight semaphores of the coprocessor (manual
 * TensixCoprocessor/SyncUnit, STALLWAIT, SEMWAIT).
 *
 *   kerr_stall(KERR_HOLD_VECTOR, KERR_UNTIL_MATRIX);     the thread's Vector Unit instructions, while the Matrix Unit works for it
 *
 * T0, T1 and T2 push these to their threads, which wait; the core itself goes on.  kerr_semaphore_read() and its like are the core's
 * own. */
#ifndef KERR_SYNC_H
#define KERR_SYNC_H

#include "kerr_sdk.h"
#include "kerr_tensix.h"

/* What is held at the thread's wait gate: instructions of ... */
enum {
    KERR_HOLD_MOVERS = 1 << 0, /* Miscellaneous Unit, Mover, Scalar Unit, packer and unpackers */
    KERR_HOLD_SYNC = 1 << 1,
    KERR_HOLD_PACKER = 1 << 2,
    KERR_HOLD_UNPACKERS = 1 << 3,
    KERR_HOLD_MOVER = 1 << 4,
    KERR_HOLD_SCALAR = 1 << 5,
    KERR_HOLD_MATRIX = 1 << 6,
    KERR_HOLD_CONFIG = 1 << 7,
    KERR_HOLD_VECTOR = 1 << 8
};
/* ... until this has nothing of the thread any more. */
enum {
    KERR_UNTIL_SCALAR = 1 << 0, /* its requests to memory */
    KERR_UNTIL_UNPACKER0 = 1 << 1,
    KERR_UNTIL_UNPACKER1 = 1 << 2,
    KERR_UNTIL_PACKER = 1 << 3,
    KERR_UNTIL_MATRIX = 1 << 4,
    KERR_UNTIL_SRCA_IS_FREE = 1 << 5, /* the bank that unpacker 0 is at is no longer the Matrix Unit's */
    KERR_UNTIL_SRCB_IS_FREE = 1 << 6,
    KERR_UNTIL_SRCA_IS_VALID = 1 << 7, /* the bank that the Matrix Unit is at is no longer the unpacker's */
    KERR_UNTIL_SRCB_IS_VALID = 1 << 8,
    KERR_UNTIL_MOVER = 1 << 9, /* of anybody */
    KERR_UNTIL_CORE = 1 << 10, /* what the core has sent to GPRs, configuration and TDMA-RISC has arrived */
    KERR_UNTIL_VECTOR = 1 << 11,
    KERR_UNTIL_CONFIG = 1 << 12 /* of anybody */
};
enum { KERR_SEMAPHORES = 8, KERR_WHILE_ZERO = 1, KERR_WHILE_MAX = 2 };

#ifdef INSTRN_BUF_BASE
#define kerr_stall(hold, until) TT(STALLWAIT, .BlockMask = (hold), .ConditionMask = (until))

/* number: 0 to 7, a constant.  A value above `most` is possible, up to 15: kerr_semaphore_wait_room() is what looks at it. */
#define kerr_semaphore_begin(number, most, value)                                                                      \
    TT(SEMINIT, .SemaphoreMask = 1 << (number), .NewMax = (most), .NewValue = (value))
/* One more, and one less, when what is before it in the thread has passed its gate. */
#define kerr_semaphore_post(number) TT(SEMPOST, .SemaphoreMask = 1 << (number))
#define kerr_semaphore_get(number) TT(SEMGET, .SemaphoreMask = 1 << (number))
/* Holds these instructions while the semaphore is zero, or is at its most. */
#define kerr_semaphore_wait(number, hold)                                                                              \
    TT(SEMWAIT, .BlockMask = (hold), .SemaphoreMask = 1 << (number), .ConditionMask = KERR_WHILE_ZERO)
#define kerr_semaphore_wait_room(number, hold)                                                                         \
    TT(SEMWAIT, .BlockMask = (hold), .SemaphoreMask = 1 << (number), .ConditionMask = KERR_WHILE_MAX)
#endif

#ifdef TTSYNC_COPROCESSOR_DONE_CHECK
/* The core waits until its thread has done all that was pushed. */
static inline void kerr_thread_wait(void)
{
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
}
#endif

#ifdef PC_BUF_SEMAPHORE
static inline uint32_t kerr_semaphore_read(unsigned number)
{
    return kerr_settle(KERR_WORD(PC_BUF_SEMAPHORE)[number]);
}

static inline void kerr_semaphore_post_from_core(unsigned number)
{
    KERR_WORD(PC_BUF_SEMAPHORE)[number] = 0;
}

static inline void kerr_semaphore_get_from_core(unsigned number)
{
    KERR_WORD(PC_BUF_SEMAPHORE)[number] = 1;
}
#endif

#endif /* KERR_SYNC_H */
