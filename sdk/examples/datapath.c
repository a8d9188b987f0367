/* SPDX-License-Identifier: Apache-2.0 */
/* Moves tiles L1 -> unpacker -> SrcA, SrcB or Dst -> packer -> L1: T0 drives the unpackers, T1 the Matrix Unit, T2 the packer.
 * datapath.h says what the host chooses.
 *
 * Data-valid bits of SrcA and SrcB keep T0 and T1 together; semaphore MATH_PACK counts the halves of Dst that hold a tile
 * which the packer has not taken yet, at most two; semaphore UNPACK_SYNC counts the unpacker's contexts that are in use,
 * so that T0 can prepare the next address while the last tile is still on its way.  Which fields matter is in the manual's
 * pages UNPACR_Regular, PACR, MOVA2D and MOVB2D. */
#include "datapath.h"

#include "kerr_cfg.h"
#include "kerr_sdk.h"

enum { MATH_PACK = 1, UNPACK_SYNC = 5 }; /* semaphores */
enum { WHILE_ZERO = 1, WHILE_MAX = 2 };
/* Block masks and conditions of STALLWAIT and SEMWAIT (manual STALLWAIT). */
enum { BLOCK_TDMA = 1, BLOCK_SYNC = 2, BLOCK_UNPACK = 8, BLOCK_THCON = 32, BLOCK_MATH = 64, BLOCK_CFG = 128 };
enum { BUSY_THCON = 1, BUSY_UNPACK0 = 2, BUSY_UNPACK1 = 4, BUSY_PACK = 8, BUSY_MATH = 16, BUSY_RISC_CFG = 1 << 10 };
enum { HALF_DST = 512, FACES = 4, FACE_DATUMS = 256, ROW = 16 };

static uint32_t argument(unsigned index)
{
    return KERR_PARAMS->argument[index];
}

static inline uint32_t repeats(uint32_t flag)
{
    return argument(DATAPATH_FLAGS) & flag && argument(DATAPATH_REPEAT) ? argument(DATAPATH_REPEAT) : 1;
}

/* Tiles that are in a half of Dst together: those whose rows the packer joins. */
static uint32_t section_tiles(void)
{
    return argument(DATAPATH_FLAGS) & DATAPATH_UNTILIZE ? argument(DATAPATH_ROW_TILES) : 1;
}

/* Where tile i of a run begins in Dst. */
static inline uint32_t dst_row(uint32_t tile)
{
    return tile / section_tiles() % 2 * HALF_DST + tile % section_tiles() * FACES * 16;
}

/* What the address generators take for the size of a datum: the low two bits of the format say it. */
static inline uint32_t datum_bytes(uint32_t format)
{
    return (format & 3) == 0 ? 4 : (format & 3) == 1 ? 2 : 1;
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

static _Noreturn void finish(uint32_t tiles)
{
    thread_is_done();
    kerr_finish((int32_t)tiles);
}

/* A GPR of this thread, through its two halves. */
static inline void set_gpr(unsigned gpr, uint32_t value)
{
    TT_RT_SETDMAREG(value & 0xffff, 0, 2 * gpr);
    TT_RT_SETDMAREG(value >> 16, 0, 2 * gpr + 1);
}
#define NOP TT_OP_NOP()

#if KERR_CORE == KERR_CORE_T0
#include "datapath_unpack.h"
#elif KERR_CORE == KERR_CORE_T1
#include "datapath_matrix.h"
#elif KERR_CORE == KERR_CORE_T2
#include "datapath_pack.h"
#endif
