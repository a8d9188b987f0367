/* SPDX-License-Identifier: Apache-2.0 */
/* docs/debugging.md: the uninitialised read, mended: the table has all of its entries. */
#include "kerr_sdk.h"

enum { ENTRIES = 16 };
typedef struct entry {
    uint32_t number, square, reserved[2]; /* 16 bytes */
} entry;
#define TABLE ((volatile entry *)(uintptr_t)KERR_SHARED_BASE)
#define SUM KERR_WORD(KERR_SHARED_BASE + 0x1000)

#if KERR_CORE == KERR_CORE_T0
int main(void)
{
    for (uint32_t i = 1; i <= ENTRIES; i++) {
        TABLE[i - 1].number = i;
        TABLE[i - 1].square = i * i;
        kerr_publish(&TABLE[i - 1].square);
    }
    kerr_mailbox_write(KERR_CORE_B, ENTRIES);
    return 0;
}
#else
int main(void)
{
    const uint32_t entries = kerr_mailbox_read(KERR_CORE_T0);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < entries; i++)
        sum += TABLE[i].square;
    *SUM = sum;
    return 0;
}
#endif
