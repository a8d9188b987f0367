/* SPDX-License-Identifier: Apache-2.0 */
/* docs/debugging.md: a race.  RISCV B and T0 count together in one word of L1, 1000 each; the sum is not 2000. */
#include "kerr_sdk.h"

enum { ROUNDS = 1000 };
#define TOTAL KERR_WORD(KERR_SHARED_BASE)

static void count(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t before = *TOTAL;
        *TOTAL = before + 1;
    }
    kerr_publish(TOTAL);
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
