/* SPDX-License-Identifier: Apache-2.0 */
/* A program to be debugged (exalens_test.py): functions in functions, with data of every section. */
#include "kerr_sdk.h"

volatile uint32_t step = 3; /* .data: the debugger finds and changes it in local RAM */
static const uint32_t first[4] = {0, 0, 0x1234, 0};
static volatile uint32_t *const report = (volatile uint32_t *)0x20000; /* [0] an argument, [1] ticks */

/* The local variable gives it a stack frame: without one tt-exalens sees no caller. */
__attribute__((noinline)) void tick(volatile uint32_t *ticks)
{
    volatile uint32_t now = *ticks;
    *ticks = now + step;
}

__attribute__((noinline)) uint32_t innermost(uint32_t value)
{
    report[0] = value;
    while (step != 0)
        tick(&report[1]);
    return report[1];
}

__attribute__((noinline)) uint32_t middle(uint32_t index)
{
    return innermost(first[index & 3]) + 1;
}

int main(void)
{
    return (int)middle(step - 1) + 1;
}
