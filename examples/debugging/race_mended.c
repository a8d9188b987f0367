/* SPDX-License-Identifier: Apache-2.0 */
/* docs/debugging.md: a race, mended.  RISCV B and NC count together in one word of L1, each with an atomic
 * addition. */
#include "kerr_sdk.h"

enum { ROUNDS = 1000 };
#define TOTAL KERR_WORD(KERR_SHARED_BASE)
#define ARRIVED KERR_WORD(KERR_SHARED_BASE + 0x40)

int main(void)
{
    if (KERR_CORE == KERR_CORE_B) {
        *TOTAL = 0;
        kerr_publish(TOTAL);
        (void)kerr_atomic_add(ARRIVED, 1);
    }
    kerr_wait_equal(ARRIVED, 1, 1);
    for (int i = 0; i < ROUNDS; i++) {
        (void)kerr_atomic_add(TOTAL, 1);
    }
    return (int)kerr_atomic_add(TOTAL, 0);
}
