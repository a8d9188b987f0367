/* SPDX-License-Identifier: Apache-2.0 */
/* RISCV B deals numbers to T0, T1 and T2 through their mailboxes and collects what they found.
 *
 * A number goes to the next consumer in turn.  When the four words that B's mailboxes hold together are all
 * waiting, the store in kerr_mailbox_write waits too: no flow control is needed in the program. */
#include "collatz.h"
#include "kerr_text.h"

int main(void)
{
    uint32_t start = kerr_wall_clock_low();
    unsigned to = KERR_CORE_T0;
    for (uint32_t n = 1; n <= COLLATZ_NUMBERS; n++) {
        kerr_mailbox_write(to, n);
        to = to == KERR_CORE_T2 ? KERR_CORE_T0 : to + 1;
    }
    for (to = KERR_CORE_T0; to <= KERR_CORE_T2; to++)
        kerr_mailbox_write(to, COLLATZ_END);

    kerr_text text = kerr_text_at(COLLATZ_TEXT, COLLATZ_TEXT_BYTES);
    for (unsigned from = KERR_CORE_T0; from <= KERR_CORE_T2; from++) {
        uint32_t numbers = kerr_mailbox_read(from), steps = kerr_mailbox_read(from);
        kerr_text_put(&text, "T");
        kerr_text_number(&text, from - KERR_CORE_T0);
        kerr_text_put(&text, " followed ");
        kerr_text_number(&text, numbers);
        kerr_text_put(&text, " numbers for ");
        kerr_text_number(&text, steps);
        kerr_text_put(&text, " steps\n");
    }

    /* The consumers published their tables before they reported, and nothing of them is in B's cache yet. */
    kerr_fence();
    uint32_t longest = 1;
    for (uint32_t n = 2; n <= COLLATZ_NUMBERS; n++) {
        if (COLLATZ_STEPS[n] > COLLATZ_STEPS[longest])
            longest = n;
    }
    kerr_text_put(&text, "B: the longest way down from a number up to ");
    kerr_text_number(&text, COLLATZ_NUMBERS);
    kerr_text_put(&text, " starts at ");
    kerr_text_number(&text, longest);
    kerr_text_put(&text, ": ");
    kerr_text_number(&text, COLLATZ_STEPS[longest]);
    kerr_text_put(&text, " steps (");
    kerr_text_number(&text, kerr_wall_clock_low() - start);
    kerr_text_put(&text, " cycles)\n");
    return (int)longest;
}
