/* SPDX-License-Identifier: Apache-2.0 */
/* docs/debugging.md: the race, mended: what is read and written back is one atomic addition. */
#include "kerr_sdk.h"

enum { ROUNDS = 1000 };
#define TOTAL KERR_WORD(KERR_SHARED_BASE)

static void count(void)
{
    for (int i = 0; i < ROUNDS; i++)
        (void)kerr_atomic_add(TOTAL, 1);
}

int main(void)
{
#if KERR_CORE == KERR_CORE_B
    *TOTAL = 0;
    kerr_publish(TOTAL);
    kerr_mailbox_write(KERR_CORE_T0, 1); /* go */
#else
    (void)kerr_mailbox_read(KERR_CORE_B);
#endif
    count();
    return 0;
}
