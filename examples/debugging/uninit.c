/* SPDX-License-Identifier: Apache-2.0 */
/* docs/debugging.md: an uninitialised read.  RISCV NC makes a table of squares in L1, B adds them up when NC has said that it is there;
 * the sum comes out too small. */
#include "kerr_sdk.h"

enum { ENTRIES = 16 };
typedef struct entry {
    uint32_t number, square, reserved[2]; /* 16 bytes */
} entry;
#define TABLE ((volatile entry *)(uintptr_t)KERR_SHARED_BASE)
#define READY KERR_WORD(KERR_SHARED_BASE + 0x1000)
#define SUM KERR_WORD(KERR_SHARED_BASE + 0x2000)

static void fill(void)
{
    for (uint32_t i = 1; i < ENTRIES; i++) {
        TABLE[i - 1].number = i;
        TABLE[i - 1].square = i * i;
    }
    kerr_publish(&TABLE[ENTRIES - 2].square);
    (void)kerr_atomic_swap(READY, 1);
}

static uint32_t add_up(void)
{
    uint32_t sum = 0;
    kerr_wait_equal(READY, 1, 1);
    for (uint32_t i = 0; i < ENTRIES; i++)
        sum += TABLE[i].square;
    return sum;
}

int main(void)
{
    if (KERR_CORE == KERR_CORE_B) {
        *SUM = add_up();
    } else {
        fill();
    }
    return 0;
}
