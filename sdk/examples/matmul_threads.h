/* SPDX-License-Identifier: Apache-2.0 */
/* matmul.c: what T0, T1 and T2 have in common. */
#ifndef MATMUL_THREADS_H
#define MATMUL_THREADS_H

enum { MATH_PACK = 1, UNPACK_SYNC = 5 }; /* semaphores */
enum { WHILE_ZERO = 1, WHILE_MAX = 2 };
/* Block masks and conditions of STALLWAIT and SEMWAIT (manual STALLWAIT). */
enum { BLOCK_TDMA = 1, BLOCK_SYNC = 2, BLOCK_UNPACK = 8, BLOCK_MATH = 64, BLOCK_CFG = 128 };
enum { BUSY_THCON = 1, BUSY_UNPACK0 = 2, BUSY_UNPACK1 = 4, BUSY_PACK = 8, BUSY_MATH = 16, BUSY_RISC_CFG = 1 << 10 };
#define NOP TT_OP_NOP()

/* What the address generators take for the size of a datum: the low two bits of the format say it. */
static inline uint32_t datum_bytes(uint32_t format)
{
    return (format & 3) == 0 ? 4 : (format & 3) == 1 ? 2 : 1;
}

static void set_mop(const uint32_t word[TENSIX_MOP_CFG_COUNT])
{
    for (unsigned i = 0; i < TENSIX_MOP_CFG_COUNT; i++)
        KERR_WORD(TENSIX_MOP_CFG)[i] = word[i];
}

/* A GPR of this thread, through its two halves. */
static inline void set_gpr(unsigned gpr, uint32_t value)
{
    TT_RT_SETDMAREG(value & 0xffff, 0, 2 * gpr);
    TT_RT_SETDMAREG(value >> 16, 0, 2 * gpr + 1);
}

static inline void write_from_gpr(unsigned gpr, unsigned word, uint32_t value)
{
    set_gpr(gpr, value);
    TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
    TT_RT_WRCFG(gpr, 0, word);
    TT_NOP();
    TT_NOP();
}

static void thread_is_done(void)
{
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
}

#if KERR_CORE == KERR_CORE_T0
#include "matmul_unpack.h"
#elif KERR_CORE == KERR_CORE_T1
#include "matmul_math.h"
#else
#include "matmul_pack.h"
#endif

#endif /* MATMUL_THREADS_H */
