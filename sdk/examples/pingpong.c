/* SPDX-License-Identifier: Apache-2.0 */
/* Tensix threads T0 and T1 hand a ball to each other with two semaphores, and count in a GPR how often they had it.
 *
 * RISCV T0 and T1 only push instructions; who has the ball is decided in the coprocessor.  `kerr run --trace` shows each
 * thread at its wait gate until the other posts. */
#include "kerr_sdk.h"
#include "kerr_tensix.h"

enum { ROUNDS = 20, COUNT_GPR = 16, BLOCK_SYNC = 1 << 1, WHILE_ZERO = 1 << 0 };
enum { BALL_AT_T0 = 1 << 1, BALL_AT_T1 = 1 << 2 }; /* semaphores 1 and 2 */
#if KERR_CORE == KERR_CORE_T0
enum { MINE = BALL_AT_T0, OTHERS = BALL_AT_T1 };
#else
enum { MINE = BALL_AT_T1, OTHERS = BALL_AT_T0 };
#endif

int main(void)
{
    TT_SETDMAREG(0, 0, 2 * COUNT_GPR);
    TT_SETDMAREG(0, 0, 2 * COUNT_GPR + 1);
#if KERR_CORE == KERR_CORE_T0
    TT_SEMINIT(1, 0, BALL_AT_T1);
    TT_SEMINIT(1, 1, BALL_AT_T0);
#endif
    for (int i = 0; i < ROUNDS; i++) {
        TT_SEMWAIT(BLOCK_SYNC, MINE, WHILE_ZERO);
        TT_SEMGET(MINE);
        TT_ADDDMAREG_OpBisConst1(COUNT_GPR, 1, COUNT_GPR);
        TT_SEMPOST(OTHERS);
    }
    /* The load is answered when the thread has done all of it. */
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
    const uint32_t count = *KERR_WORD(TENSIX_GPR + 4 * COUNT_GPR);
    KERR_WORD(KERR_SHARED_BASE)[KERR_CORE - KERR_CORE_T0] = count;
    return (int)count;
}
