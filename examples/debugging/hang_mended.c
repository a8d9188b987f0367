/* SPDX-License-Identifier: Apache-2.0 */
/* docs/debugging.md: the hang, mended: T0 makes as many pieces as T1 takes. */
#include "kerr_sdk.h"
#include "kerr_tensix.h"

enum { PIECES = 8, COUNT_GPR = 16, BLOCK_SYNC = 1 << 1, WHILE_ZERO = 1 << 0 };
enum { READY = 1 << 1, FREE = 1 << 2 }; /* semaphores 1 and 2 */

static void produce(void)
{
    for (int i = 0; i < PIECES; i++) {
        TT_SEMWAIT(BLOCK_SYNC, FREE, WHILE_ZERO);
        TT_SEMGET(FREE);
        TT_ADDDMAREG_OpBisConst1(COUNT_GPR, 1, COUNT_GPR);
        TT_SEMPOST(READY);
    }
}

static void consume(void)
{
    for (int i = 0; i < PIECES; i++) {
        TT_SEMWAIT(BLOCK_SYNC, READY, WHILE_ZERO);
        TT_SEMGET(READY);
        TT_SEMPOST(FREE);
    }
}

int main(void)
{
    if (KERR_CORE == KERR_CORE_T0) {
        TT_SETDMAREG(0, 0, 2 * COUNT_GPR);
        TT_SETDMAREG(0, 0, 2 * COUNT_GPR + 1);
        TT_SEMINIT(1, 0, READY);
        TT_SEMINIT(2, 2, FREE);
        produce();
    } else if (KERR_CORE == KERR_CORE_T1) {
        consume();
    }
    /* The load is answered when the thread has done all of it. */
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
    return 0;
}
