/* SPDX-License-Identifier: Apache-2.0 */
/* RISCV T0, T1 or T2 takes numbers from B, follows each down to 1 (halve the even, triple the odd and add
 * one), writes the count of steps to a table in L1 and reports to B at the end. */
#include "collatz.h"

int main(void)
{
    uint32_t numbers = 0, total = 0, n, last = 0;
    while ((n = kerr_mailbox_read(KERR_CORE_B)) != COLLATZ_END) {
        uint32_t steps = 0;
        for (uint32_t v = n; v != 1; steps++)
            v = v & 1 ? 3 * v + 1 : v >> 1;
        COLLATZ_STEPS[n] = steps;
        last = n;
        numbers++;
        total += steps;
    }
    /* The mailbox is another region than L1: the table must be there before B hears that it is. */
    kerr_publish(&COLLATZ_STEPS[last]);
    kerr_mailbox_write(KERR_CORE_B, numbers);
    kerr_mailbox_write(KERR_CORE_B, total);
    return (int)numbers;
}
