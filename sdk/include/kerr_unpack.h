/* SPDX-License-Identifier: Apache-2.0 */
/* kerr_compute.h on T0: the unpackers (manual UNPACR_Regular).  Tiles of BF16 to SrcA and SrcB: a face an UNPACR, or whole for products of
 * matrices. */
#ifndef KERR_UNPACK_H
#define KERR_UNPACK_H

#define KERR_UNPACK_FACE_(unpacker)                                                                                    \
    TT_WORD(UNPACR, .WhichUnpacker = unpacker, .Ch0ZInc = 1, .MultiContextMode = 1, .FlipSrc = 1, .Last = 1)
#define KERR_UNPACK_TILE_(unpacker)                                                                                    \
    TT_WORD(UNPACR, .WhichUnpacker = unpacker, .MultiContextMode = 1, .FlipSrc = 1, .Last = 1)
enum { KERR_SEC1_ = THCON_SEC1_REG0_TileDescriptor_ADDR32 - THCON_SEC0_REG0_TileDescriptor_ADDR32 };
enum { KERR_ROW_0_ = 4 * KERR_ROW }; /* output addresses to SrcA count from four rows before the first */
enum { KERR_GPR_SCRATCH_ = 16 };
enum { KERR_BASE_SRCA_ = THCON_SEC0_REG3_Base_address_ADDR32, KERR_BASE_SRCB_ = KERR_BASE_SRCA_ + KERR_SEC1_ };

static uint32_t kerr_context_;

static void kerr_configure_unpacker_(unsigned section)
{
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_InDataFormat, KERR_FORMAT_BF16) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_XDim, section ? KERR_FACE_DATUMS : 0));
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section + 1,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_YDim, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_ZDim, KERR_FACES));
    kerr_cfg_write(THCON_SEC0_REG2_Out_data_format_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG2_Out_data_format, KERR_FORMAT_BF16) |
                       KERR_CFG(THCON_SEC0_REG2_Throttle_mode, 2));
    kerr_cfg_write(THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32 + section,
                   0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx0_SHAMT |
                       0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx4_SHAMT);
}

static void kerr_compute_begin(void)
{
    TT(SETADCXY, .U1 = 1, .U0 = 1, .Y1 = 1, .Y0 = 1, .X0 = 1);
    TT(SETADCZW, .U1 = 1, .U0 = 1, .W1 = 1, .Z1 = 1, .W0 = 1, .Z0 = 1);
    kerr_cfg_write(UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32,
                   KERR_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 2 * KERR_FACE_DATUMS));
    kerr_cfg_write(UNP1_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32,
                   KERR_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 2 * KERR_FACE_DATUMS));
    kerr_configure_unpacker_(0);
    kerr_configure_unpacker_(KERR_SEC1_);
    kerr_cfg_write(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, KERR_ROW_0_ | KERR_ROW_0_ << 16);
    kerr_cfg_write(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, KERR_FACE_DATUMS | KERR_FACE_DATUMS << 16);
    kerr_cfg_write(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_ADDR32,
                   KERR_CFG(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1));
    KERR_CFG_THREAD(SRCA_SET_SetOvrdWithAddr, 1);
    TT(SETC16, .CfgIndex = UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, .NewValue = 0);
    kerr_cfg_write_by_gpr(KERR_GPR_SCRATCH_, SCRATCH_SEC0_val_ADDR32, KERR_PAGE_BYTES / 16);
    kerr_semaphore_begin(KERR_UNPACK_SYNC, 2, 0);
    kerr_thread_wait();
}

static inline void kerr_cb_wait_front(uint32_t id, uint32_t pages)
{
    kerr_cb_wait_front_(id, pages);
}

static inline void kerr_cb_pop_front(uint32_t id, uint32_t pages)
{
    kerr_cb_move_on_(id, pages);
    kerr_cb_store_(id, KERR_CB_ACKED, kerr_cbs[id].count, KERR_UNTIL_UNPACKER0 | KERR_UNTIL_UNPACKER1);
}

static inline void kerr_cb_reserve_back(uint32_t id, uint32_t pages)
{
    (void)id, (void)pages;
}
static inline void kerr_cb_push_back(uint32_t id, uint32_t pages)
{
    (void)id, (void)pages;
}

static inline uint32_t kerr_tile_address_(uint32_t id, uint32_t index)
{
    return (kerr_cb_at(id) + index * KERR_PAGE_BYTES) / 16 - 1;
}

static inline void kerr_unpack_begin_(uint32_t a, uint32_t b)
{
    TT(SETADCZW, .U1 = 1, .U0 = 1, .W1 = 1, .Z1 = 1, .W0 = 1, .Z0 = 1);
    while (kerr_settle(KERR_WORD(PC_BUF_SEMAPHORE)[KERR_UNPACK_SYNC]) >= 2)
        ;
    kerr_cfg_write(KERR_BASE_SRCA_ + kerr_context_, a);
    kerr_cfg_write(KERR_BASE_SRCB_ + kerr_context_, b);
    KERR_WORD(PC_BUF_SEMAPHORE)[KERR_UNPACK_SYNC] = 0; /* one more in use */
    kerr_stall(KERR_HOLD_UNPACKERS, KERR_UNTIL_CORE);
}

static inline void kerr_unpack_end_(void)
{
    kerr_semaphore_get(KERR_UNPACK_SYNC);
    if (kerr_context_)
        TT(SETC16, .CfgIndex = UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, .NewValue = 0);
    else
        TT(SETC16, .CfgIndex = UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, .NewValue = 0x0101);
    kerr_context_ ^= 1;
}

/* The MOP with these addresses, in the context whose turn it is. */
static void kerr_unpack_(uint32_t a, uint32_t b)
{
    kerr_unpack_begin_(a, b);
    TT(MOP, .Template = 1);
    kerr_unpack_end_();
}

static inline void kerr_binary_begin(enum kerr_operation operation, enum kerr_broadcast broadcast)
{
    (void)operation, (void)broadcast;
    TT(SETADCXX, .U1 = 1, .U0 = 1, .X1Val = KERR_FACE_DATUMS - 1);
    kerr_mop_set((struct kerr_mop){.outer = KERR_FACES,
                                   .inner = 1,
                                   .start = KERR_UNPACK_FACE_(0),
                                   .end0 = KERR_NOP_WORD,
                                   .end1 = KERR_NOP_WORD,
                                   .loop0 = KERR_UNPACK_FACE_(1),
                                   .loop1 = KERR_NOP_WORD,
                                   .last_outer = KERR_UNPACK_FACE_(1),
                                   .last_inner = KERR_UNPACK_FACE_(1)});
}

static inline void kerr_binary_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst)
{
    (void)dst;
    kerr_unpack_(kerr_tile_address_(id0, i0), kerr_tile_address_(id1, i1));
}

/* SrcB is handed over with each face, as zeros. */
static inline void kerr_copy_begin(void)
{
    const uint32_t zero = TT_WORD(UNPACR_NOP, .Unpacker_Select = 1, .Set_Dvalid = 1, .Unpack_Pop = 1);
    TT(SETADCXX, .U1 = 1, .U0 = 1, .X1Val = KERR_FACE_DATUMS - 1);
    kerr_mop_set((struct kerr_mop){.outer = KERR_FACES,
                                   .inner = 1,
                                   .start = KERR_UNPACK_FACE_(0),
                                   .end0 = KERR_NOP_WORD,
                                   .end1 = KERR_NOP_WORD,
                                   .loop0 = zero,
                                   .loop1 = KERR_NOP_WORD,
                                   .last_outer = zero,
                                   .last_inner = zero});
}

static inline void kerr_copy_tile(uint32_t id, uint32_t index, uint32_t dst)
{
    (void)dst;
    kerr_unpack_(kerr_tile_address_(id, index), 0);
}

/* Whole tiles: one of A to SrcB, then those of B that it meets to SrcA, one behind the other in L1.  Template 0, so that a mask
 * chooses the context: the next tile of B, then on by a page (SCRATCH_SEC0). */
static inline void kerr_matmul_begin(uint32_t columns)
{
    enum { REPLAY_LENGTH = 4 };
    (void)columns;
    TT(SETADCXX, .U1 = 1, .U0 = 1, .X1Val = KERR_TILE_DATUMS - 1);
    TT(REPLAY, .Count = 2 * REPLAY_LENGTH, .Load = 1);
    kerr_tt_push(KERR_UNPACK_TILE_(0));
    TT(CFGSHIFTMASK, .MaskMode = 1, .AluMode = 3, .MaskWidth = 31, .ScratchIndex = 3, .CfgIndex = KERR_BASE_SRCA_);
    TT(NOP);
    TT(NOP);
    kerr_tt_push(KERR_UNPACK_TILE_(0));
    TT(CFGSHIFTMASK, .MaskMode = 1, .AluMode = 3, .MaskWidth = 31, .ScratchIndex = 3, .CfgIndex = KERR_BASE_SRCA_ + 1);
    TT(NOP);
    TT(NOP);
    kerr_mop_set((struct kerr_mop){.end0 = TT_WORD(REPLAY, .Count = REPLAY_LENGTH),
                                   .loop1 = KERR_NOP_WORD,
                                   .end1 = KERR_NOP_WORD,
                                   .start = KERR_NOP_WORD,
                                   .loop0 = KERR_NOP_WORD,
                                   .last_outer = TT_WORD(REPLAY, .Index = REPLAY_LENGTH, .Count = REPLAY_LENGTH),
                                   .last_inner = KERR_NOP_WORD});
}

static inline void kerr_matmul_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst,
                                     uint32_t columns)
{
    const uint32_t second = kerr_context_;
    (void)dst;
    kerr_unpack_begin_(kerr_tile_address_(id1, i1), kerr_tile_address_(id0, i0));
    kerr_tt_push(KERR_UNPACK_TILE_(1));
    TT_RT(MOP, .Count1 = columns - 1, .MaskLo = second ? 0xffff : 0);
    kerr_unpack_end_();
}

#define kerr_dst_acquire() ((void)0)
#define kerr_dst_commit() ((void)0)
#define kerr_dst_wait() ((void)0)
#define kerr_dst_release() ((void)0)
#define kerr_pack_tile(dst, id) ((void)(dst), (void)(id))
#define kerr_pack_tile_to(dst, id, index) ((void)(dst), (void)(id), (void)(index))
#define kerr_pack_accumulate(on) ((void)(on))

#endif /* KERR_UNPACK_H */
