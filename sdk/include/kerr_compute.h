/* SPDX-License-Identifier: Apache-2.0 */
/* Compute kernels, one source for T0, T1 and T2 as tt-metal's are: each function is what the core's thread has to do for it, and nothing on
 * the other two.  T0 unpacks (kerr_unpack.h), T1 computes (kerr_math.h), T2 packs (kerr_pack.h).  Tiles are 32 x 32 datums of BF16,
 * in L1 four faces of 16 x 16 one behind the other.
 *
 *   kerr_compute_begin();                         once
 *   kerr_binary_begin(KERR_ADD, KERR_NONE);       what comes next: kerr_copy_begin(), kerr_matmul_begin(columns)
 *   for each tile {
 *       kerr_cb_wait_front(A, 1), kerr_cb_wait_front(B, 1), kerr_cb_reserve_back(C, 1);
 *       kerr_dst_acquire();                       T1: a half of Dst is mine
 *       kerr_binary_tiles(A, B, 0, 0, 0);         the first tile of each buffer, into tile 0 of that half
 *       kerr_dst_commit();                        T1: it is the packer's
 *       kerr_dst_wait();                          T2: it is full
 *       kerr_pack_tile(0, C);
 *       kerr_dst_release();                       T2: it is T1's again, and zero
 *       kerr_cb_push_back(C, 1), kerr_cb_pop_front(A, 1), kerr_cb_pop_front(B, 1);
 *   }
 *   kerr_compute_end();
 *
 * Before it includes this a kernel may define KERR_DST32 as 1 (Dst holds 32 bits a datum: four tiles a half instead of eight) and
 * KERR_PHASES (fidelity phases of products of matrices, 1 to 4).
 *
 * Between threads, as the vendor's kernel library has it: data-valid bits of SrcA and SrcB; semaphore KERR_MATH_PACK counts the halves of
 * Dst that the packer has not emptied; KERR_UNPACK_SYNC the contexts of the unpackers that are in use.  The GPRs 16 to 19 and 28 of a
 * thread, its address modes, its MOP and T0's and T1's replay buffer are these functions'. */
#ifndef KERR_COMPUTE_H
#define KERR_COMPUTE_H

#include "kerr_cb.h"
#include "kerr_cfg.h"
#include "kerr_sdk.h"
#include "kerr_sync.h"

#ifndef KERR_DST32
#define KERR_DST32 0
#endif
#ifndef KERR_PHASES
#define KERR_PHASES 4
#endif

enum { KERR_MATH_PACK = 1, KERR_UNPACK_SYNC = 5 }; /* semaphores */
enum { KERR_FORMAT_BF16 = 5 };
enum {
    KERR_FACES = 4,
    KERR_FACE_DATUMS = 256,
    KERR_TILE_DATUMS = KERR_FACES * KERR_FACE_DATUMS,
    KERR_ROW = 16,
    KERR_TILE_ROWS = KERR_FACES * KERR_ROW, /* of Dst */
    KERR_HALF_DST = 512
};
_Static_assert(KERR_PAGE_BYTES == 2 * KERR_TILE_DATUMS, "these functions know tiles of BF16");

enum kerr_operation { KERR_ADD, KERR_SUB, KERR_MUL };
enum kerr_broadcast {
    KERR_NONE,
    KERR_COLUMN,      /* column 0 of SrcB, to all */
    KERR_ROW_OF_EIGHT /* the first of each eight rows of SrcB, to them */
};

/* The MOP of template 1: outer times (start, inner times (loop0, loop1), end0, end1); the last of inner and of outer has its own
 * instruction in place of the loop's last.  Template 0 reads the same words otherwise (docs/isa.md, MOP). */
struct kerr_mop {
    uint32_t outer, inner, start, end0, end1, loop0, loop1, last_outer, last_inner;
};

static void kerr_mop_set(struct kerr_mop m)
{
    const uint32_t *word = &m.outer;
    (void)kerr_settle(*KERR_WORD(TTSYNC_MOP_EXPANDER_DONE_CHECK)); /* the one before may still be expanding */
    for (unsigned i = 0; i < TENSIX_MOP_CFG_COUNT; i++)
        KERR_WORD(TENSIX_MOP_CFG)[i] = word[i];
}
#define KERR_NOP_WORD TT_WORD(NOP)

/* A GPR of this thread, through its two halves. */
static inline void kerr_gpr_set(unsigned gpr, uint32_t value)
{
    TT_RT(SETDMAREG, .NewValue = value & 0xffff, .ResultHalfReg = 2 * gpr);
    TT_RT(SETDMAREG, .NewValue = value >> 16, .ResultHalfReg = 2 * gpr + 1);
}

/* A word of configuration, in order with the thread's instructions. */
static inline void kerr_cfg_write_by_gpr(unsigned gpr, unsigned word, uint32_t value)
{
    kerr_gpr_set(gpr, value);
    kerr_stall(KERR_HOLD_CONFIG, KERR_UNTIL_SCALAR);
    TT_RT(WRCFG, .InputReg = gpr, .CfgIndex = word);
    TT(NOP);
    TT(NOP);
}

/* A stream's register gets `count` when the units in `until` are done with what they have. */
static inline void kerr_cb_store_(uint32_t id, uint32_t which, uint32_t count, uint32_t until)
{
    enum { GPR_COUNT = 28 };
    TT_RT(SETDMAREG, .NewValue = count & 0xffff, .ResultHalfReg = 2 * GPR_COUNT);
    TT_RT(STALLWAIT, .BlockMask = KERR_HOLD_SCALAR, .ConditionMask = until);
    TT_RT(STOREREG, .DataReg = GPR_COUNT, .AddrLo = (uint32_t)(uintptr_t)kerr_cb_register(id, which) >> 2 & 0x3ffff);
}

static void kerr_compute_end(void)
{
    kerr_thread_wait();
}

#if KERR_CORE == KERR_CORE_T0
#include "kerr_unpack.h"
#elif KERR_CORE == KERR_CORE_T1
#include "kerr_math.h"
#else
#include "kerr_pack.h"
#endif

#endif /* KERR_COMPUTE_H */
