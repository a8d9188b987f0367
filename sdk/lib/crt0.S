/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main and after it.  First in L1, where the core's reset pc points.
 *
 * The stack is at the top of local data RAM; .data is copied there from L1 and .bss cleared (the chip clears
 * local data RAM by itself unless RISCV_DEBUG_REG_DISABLE_RESET says no).  When main returns, its value,
 * the counters and KERR_RUN_DONE go to the parameter block (kerr_params.h) and the core stays in a loop: there is nothing to
 * return to, and RISCV NC has no debug hardware that an ebreak could stop.
 *
 * Two names are for simulators and debuggers: __kerr_end is that loop, in which a core is finished, and __kerr_core says
 * for which core this was linked. */
#include "kerr_map.h"

#define RUN_STATE (KERR_PARAMS_BASE + 64 + 16 * KERR_CORE)
#define RUN_STARTED 1
#define RUN_DONE 2

    .globl __kerr_core
    .set __kerr_core, KERR_CORE

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __kerr_stack_top

    la a0, __kerr_data_load
    la a1, __kerr_data_start
    la a2, __kerr_data_end
    bgeu a1, a2, 2f
1:  lw a3, 0(a0)
    addi a0, a0, 4
    addi a1, a1, 4
    sw a3, -4(a1)
    bltu a1, a2, 1b

2:  la a1, __kerr_bss_start
    la a2, __kerr_bss_end
    bgeu a1, a2, 4f
3:  addi a1, a1, 4
    sw zero, -4(a1)
    bltu a1, a2, 3b

4:  li s0, RUN_STATE
    li a0, RUN_STARTED
    sw a0, 0(s0)
    call main

    csrr a1, mcycle
    csrr a2, minstret
    sw a0, 4(s0)
    sw a1, 8(s0)
    sw a2, 12(s0)
    fence                   /* what main stored is on its way before the host hears of it */
    li a0, RUN_DONE
    sw a0, 0(s0)
    .globl __kerr_end
__kerr_end:
    j __kerr_end
    .size _start, . - _start
