/* SPDX-License-Identifier: Apache-2.0 */
/* The compute kernels of op_*.c: one source for T0, T1 and T2, as tt-metal's are.  Each function is what its thread has to do for it, and
 * nothing on the others: T0 unpacks, T1 computes, T2 packs.
 *
 * Between threads, as the kernel library has it: data-valid bits of SrcA and SrcB; semaphore MATH_PACK counts the halves of Dst that the
 * packer has not emptied; UNPACK_SYNC the contexts of the unpackers that are in use.  T2 clears the half that it hands back. */
#ifndef OP_COMPUTE_H
#define OP_COMPUTE_H

#include "op.h"

#include "kerr_cfg.h"
#include "kerr_sdk.h"

#include "op_cb.h"

enum { MATH_PACK = 1, UNPACK_SYNC = 5 }; /* semaphores */
enum { WHILE_ZERO = 1, WHILE_MAX = 2 };
/* Block masks and conditions of STALLWAIT and SEMWAIT (manual STALLWAIT). */
enum {
    BLOCK_TDMA = 1,
    BLOCK_SYNC = 2,
    BLOCK_UNPACK = 8,
    BLOCK_THCON = 32,
    BLOCK_MATH = 64,
    BLOCK_CFG = 128,
    BLOCK_SFPU = 256
};
enum {
    BUSY_THCON = 1,
    BUSY_UNPACK0 = 2,
    BUSY_UNPACK1 = 4,
    BUSY_PACK = 8,
    BUSY_MATH = 16,
    BUSY_RISC_CFG = 1 << 10,
    BUSY_SFPU = 1 << 11
};
enum { BF16 = 5 }; /* format */
enum operation { ADD, SUB, MUL };
enum broadcast { NONE, COLUMN /* 0 of SrcB, to all */, ROW_OF_EIGHT /* the first of each eight of SrcB, to them */ };
#ifndef OP_DST32
#define OP_DST32 0 /* 1: Dst holds 32 bits a datum, four tiles a half */
#endif
enum { HALF_DST = 512, FACES = 4, ROW = 16, FACE_DATUMS = 256, TILE_ROWS = FACES * ROW };
#define NOP TT_OP_NOP()

static inline uint32_t argument(unsigned index)
{
    return KERR_PARAMS->argument[index];
}

/* The MOP of template 1: outer times (start, inner times loop0 and loop1, end). */
struct mop {
    uint32_t outer, inner, start, end0, end1, loop0, loop1, last_outer, last_inner;
};

static void set_mop(struct mop m)
{
    const uint32_t *word = &m.outer;
    (void)kerr_settle(*KERR_WORD(TTSYNC_MOP_EXPANDER_DONE_CHECK)); /* the one before may still be expanding */
    for (unsigned i = 0; i < TENSIX_MOP_CFG_COUNT; i++)
        KERR_WORD(TENSIX_MOP_CFG)[i] = word[i];
}

static void thread_is_done(void)
{
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
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

/* A stream's register gets `count` when the unit in `busy` is done with what it has. */
static inline void store_count(uint32_t id, uint32_t which, uint32_t count, uint32_t busy)
{
    enum { GPR_COUNT = 28 };
    TT_RT_SETDMAREG(count & 0xffff, 0, 2 * GPR_COUNT);
    TT_RT_STALLWAIT(BLOCK_THCON, busy);
    TT_RT_STOREREG(GPR_COUNT, (uint32_t)(uintptr_t)cb_register(id, which) >> 2 & 0x3ffff);
}

#if KERR_CORE == KERR_CORE_T0
#include "op_unpack.h"
#elif KERR_CORE == KERR_CORE_T1
#include "op_math.h"
#else
#include "op_pack.h"
#endif

#endif /* OP_COMPUTE_H */
