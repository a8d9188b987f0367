/* SPDX-License-Identifier: Apache-2.0 */
/* What the producer and the consumers of the mailbox example agree on. */
#ifndef COLLATZ_H
#define COLLATZ_H

#include "kerr_sdk.h"

enum {
    COLLATZ_NUMBERS = 300, /* 1 ... this are dealt out */
    COLLATZ_END = 0,       /* no more numbers */
    COLLATZ_TEXT = KERR_SHARED_BASE,
    COLLATZ_TEXT_BYTES = 512,
};

/* steps[n]: how many steps n takes to come down to 1. */
#define COLLATZ_STEPS KERR_WORD(KERR_SHARED_BASE + 0x1000)

#endif
