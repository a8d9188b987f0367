/* SPDX-License-Identifier: Apache-2.0 */
/* e^x of a tile in Dst on the Vector Unit, for compute kernels: 34 instructions for 32 datums, in a loop of RISCV T1 as a compiler makes it
 * of a kernel in C++ (nothing is played back).  bench/op_load.h has the same steps in C.
 *
 * z = x / ln 2 + 127, between 0 and 255, as an integer with 23 bits behind the point: its upper bits are the exponent, the lower
 * ones the fraction f, and 2^f is a polynomial.  Exponent 0 gives 0, exponent 255 infinity. */
#ifndef OP_EXP_H
#define OP_EXP_H

#include "op_sfpu.h"

#if KERR_CORE == KERR_CORE_T1
enum { LOG2E = 12, C4 = 13 }; /* constant registers */

static void exp_tile_init(void)
{
    LOAD_CONSTANT(0, OP_EXP_LOG2E);
    TT_SFPCONFIG(0, LOG2E, 0);
    LOAD_CONSTANT(0, OP_EXP_C4);
    TT_SFPCONFIG(0, C4, 0);
}

static inline void exp_32_datums(void)
{
    TT_SFPLOAD(0, 0, KERR_STAY, 0);
    TT_SFPLOADI(1, FLOATB, OP_EXP_BIAS);
    TT_SFPMAD(0, LOG2E, 1, 0, 0);
    TT_SFPLOADI(1, FLOATB, 0);
    TT_SFPSWAP(0, 0, 1, 1); /* the larger into 0 */
    TT_SFPLOADI(1, FLOATB, OP_EXP_MOST);
    TT_SFPSWAP(0, 1, 0, 1); /* the smaller into 0 */
    TT_SFPEXEXP(0, 0, 2, 0);
    TT_SFPEXMAN(0, 0, 3, 0);
    TT_SFPSHFT(0, 2, 3, 0); /* z */
    TT_SFPEXMAN(0, 3, 4, 1);
    TT_SFPCAST(4, 4, 0);
    TT_SFPMULI(OP_EXP_STEP, 4, 0); /* f */
    LOAD_CONSTANT(5, OP_EXP_C3);
    TT_SFPMAD(C4, 4, 5, 5, 0);
    LOAD_CONSTANT(6, OP_EXP_C2);
    TT_SFPMAD(5, 4, 6, 5, 0);
    LOAD_CONSTANT(6, OP_EXP_C1);
    TT_SFPMAD(5, 4, 6, 5, 0);
    TT_SFPMAD(5, 4, ONE, 5, 0);
    TT_SFPSETEXP(0, 0, 5, 3, 2);
    TT_SFPEXEXP(0, 3, 2, 1);
    TT_SFPSETCC(0, 0, 2, 0, 6); /* is zero */
    TT_SFPLOADI(3, FLOATB, 0);
    ALL_LANES();
    TT_SFPIADD(-255, 2, 2, 9); /* is not below zero */
    TT_SFPLOADI(3, FLOATB, 0x7f80);
    ALL_LANES();
    TT_SFP_STOCH_RND(0, 0, 0, 3, 3, 0, 1); /* to KERR_FORMAT_BF16 */
    TT_SFPSTORE(3, 0, KERR_STAY, 0);
    TT_INCRWC(0, 0, 0, 2, 0, 0);
}

static void exp_tile(uint32_t dst)
{
    SFPU_TILE(dst, exp_32_datums());
}
#else
#define exp_tile_init() ((void)0)
#define exp_tile(dst) ((void)(dst))
#endif

#endif /* OP_EXP_H */
