/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel with a bug: thread T0 sets a semaphore up, thread T1 posts it some time later, and nothing makes T1 wait for that.  If
 * the post comes first, it is lost.  semaphore_mended.c has T0 tell T1 through a mailbox.
 *
 *   kerr run 1,2:T0=semaphore_race_T0.elf 1,2:T1=semaphore_race_T1.elf --dump 1,2@0x20000+4=words */
#include "kerr_sdk.h"
#include "kerr_tensix.h"

enum { SEMAPHORE = 3, ROOM = 2, WAIT = 3, VALUE = KERR_SHARED_BASE };

/* A load may come before pushes that are still in the store queue; not before a store to the same place. */
static void thread_is_done(void)
{
    *KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK) = 0;
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
}

#if KERR_CORE == KERR_CORE_T0
int main(void)
{
    TT_SEMINIT(ROOM, 0, 1 << SEMAPHORE);
    thread_is_done();
#ifdef MENDED
    kerr_mailbox_write(KERR_CORE_T1, 0);
#endif
    (void)kerr_mailbox_read(KERR_CORE_T1);
    *KERR_WORD(VALUE) = *KERR_WORD(PC_BUF_SEMAPHORE + PC_BUF_SEMAPHORE_STRIDE * SEMAPHORE);
    kerr_publish(KERR_WORD(VALUE));
    kerr_finish(0);
}
#else
int main(void)
{
#ifdef MENDED
    (void)kerr_mailbox_read(KERR_CORE_T0);
#else
    for (unsigned i = 0; i < WAIT; i++)
        TT_NOP();
#endif
    TT_SEMPOST(1 << SEMAPHORE);
    thread_is_done();
    kerr_mailbox_write(KERR_CORE_T0, 0);
    kerr_finish(0);
}
#endif
