/* SPDX-License-Identifier: Apache-2.0 */
/* op_compute.h: T1, the Matrix Unit and the Vector Unit (manual ELWADD, MOVA2D, RWCs). */
#ifndef OP_MATH_H
#define OP_MATH_H

/* Address modes: where the counters of SrcA, SrcB and Dst go. */
#define MODE(n, a, b, d)                                                                                               \
    do {                                                                                                               \
        TT_SETC16(ADDR_MOD_AB_SEC##n##_SrcAIncr_ADDR32, (a) | (b) << 8);                                               \
        TT_SETC16(ADDR_MOD_DST_SEC##n##_DestIncr_ADDR32, d);                                                           \
    } while (0)
#define HAND_BACK TT_OP_SETRWC(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1) /* both, rows from 0 */
#define DST_TO_ZERO() TT_SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0)
#define NEXT_8_ROWS() TT_SETRWC(0, 0, 0, 1, 0, 0, 8, 0, 0, 0, 0, 1, 0, 0) /* of Dst, from the last carriage return */

static uint32_t half;

static void compute_begin(void)
{
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcA_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcB_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcA, BF16);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG1_SrcB, BF16);
    KERR_CFG_RMW(ALU_ACC_CTRL_Fp32_enabled, 0);
    KERR_CFG_RMW(ALU_ACC_CTRL_SFPU_Fp32_enabled, 0);
    KERR_CFG_RMW(ALU_ACC_CTRL_INT8_math_enabled, 0);
    KERR_CFG_RMW(ALU_ACC_CTRL_Zero_Flag_disabled_src, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_remap_addrs, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_swizzle_32b, 0);
    TT_SETC16(CLR_DVALID_SrcA_Disable_ADDR32, 0);
    MODE(0, 8, 8, 8);
    MODE(3, 0, 0, 0);
    MODE(7, 0, 0, 0); /* of the Vector Unit */
    TT_SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    TT_SEMINIT(2, 0, 1 << MATH_PACK);
}

static void compute_end(void)
{
    thread_is_done();
}

#define cb_wait_front(id, pages) ((void)0)
#define cb_pop_front(id, pages) ((void)0)
#define cb_reserve_back(id, pages) ((void)0)
#define cb_push_back(id, pages) ((void)0)

/* A half of Dst is this thread's. */
static inline void tile_regs_acquire(void)
{
    TT_SEMWAIT(BLOCK_MATH | BLOCK_SFPU | BLOCK_SYNC, 1 << MATH_PACK, WHILE_MAX);
}

/* It is the packer's. */
static inline void tile_regs_commit(void)
{
    TT_STALLWAIT(BLOCK_SYNC, BUSY_MATH | BUSY_SFPU);
    TT_SEMPOST(1 << MATH_PACK);
    half ^= 1;
    TT_STALLWAIT(BLOCK_CFG, BUSY_MATH | BUSY_SFPU);
    TT_RT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, half * HALF_DST);
}

static inline void set_dst(uint32_t dst)
{
    TT_RT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, half * HALF_DST + dst * TILE_ROWS);
}

static inline void binary_init(void)
{
    const uint32_t add = TT_OP_ELWADD(0, 0, 0, 0, 0, 0, 0);
    set_mop((struct mop){FACES, ROW / 8, NOP, HAND_BACK, NOP, add, NOP, add, add});
}

static inline void add_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst)
{
    (void)id0, (void)id1, (void)i0, (void)i1;
    set_dst(dst);
    TT_MOP(1, 0, 0);
    DST_TO_ZERO();
}

static inline void copy_init(void)
{
    const uint32_t move = TT_OP_MOVA2D(0, 0, 0, 1, 0);
    set_mop((struct mop){FACES, ROW / 8, NOP, HAND_BACK, NOP, move, NOP, move, move});
}

static inline void copy_tile(uint32_t id, uint32_t index, uint32_t dst)
{
    (void)id, (void)index;
    set_dst(dst);
    TT_MOP(1, 0, 0);
    DST_TO_ZERO();
}

/* Around what the Vector Unit does with a tile, a face at a time. */
static inline void sfpu_begin(uint32_t dst)
{
    set_dst(dst);
    TT_STALLWAIT(BLOCK_SFPU, BUSY_MATH);
}
static inline void sfpu_next_face(void)
{
    NEXT_8_ROWS();
    NEXT_8_ROWS();
}
static inline void sfpu_end(void)
{
    DST_TO_ZERO();
    TT_STALLWAIT(BLOCK_CFG, BUSY_SFPU);
    set_dst(0);
}

#define tile_regs_wait() ((void)0)
#define tile_regs_release() ((void)0)
#define pack_tile(dst, id) ((void)(dst), (void)(id))

#endif /* OP_MATH_H */
