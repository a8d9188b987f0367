/* SPDX-License-Identifier: Apache-2.0 */
/* op_compute.h: T0, the unpackers (manual UNPACR_Regular).  A tile of BF16 at a time, a face an UNPACR, to SrcA, SrcB or both. */
#ifndef OP_UNPACK_H
#define OP_UNPACK_H

#define UNPACK_FACE(unpacker) TT_OP_UNPACR(unpacker, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)
enum { SEC1 = THCON_SEC1_REG0_TileDescriptor_ADDR32 - THCON_SEC0_REG0_TileDescriptor_ADDR32 };
enum { ROW_0 = 4 * ROW }; /* output addresses to SrcA count from four rows before the first */
enum { BASE_SRCA = THCON_SEC0_REG3_Base_address_ADDR32, BASE_SRCB = BASE_SRCA + SEC1 };

static uint32_t context;

static void configure_unpacker(unsigned section)
{
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_InDataFormat, BF16) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_XDim, section ? FACE_DATUMS : 0));
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section + 1,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_YDim, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_ZDim, FACES));
    kerr_cfg_write(THCON_SEC0_REG2_Out_data_format_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG2_Out_data_format, BF16) | KERR_CFG(THCON_SEC0_REG2_Throttle_mode, 2));
    kerr_cfg_write(THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32 + section,
                   0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx0_SHAMT |
                       0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx4_SHAMT);
}

static void compute_begin(void)
{
    TT_SETADCXY(0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1);
    TT_SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    kerr_cfg_write(UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, KERR_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 2 * FACE_DATUMS));
    kerr_cfg_write(UNP1_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, KERR_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 2 * FACE_DATUMS));
    configure_unpacker(0);
    configure_unpacker(SEC1);
    kerr_cfg_write(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, ROW_0 | ROW_0 << 16);
    kerr_cfg_write(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, FACE_DATUMS | FACE_DATUMS << 16);
    kerr_cfg_write(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_ADDR32,
                   KERR_CFG(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1));
    KERR_CFG_THREAD(SRCA_SET_SetOvrdWithAddr, 1);
    TT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0);
    TT_SETADCXX(0, 1, 1, FACE_DATUMS - 1, 0);
    TT_SEMINIT(2, 0, 1 << UNPACK_SYNC);
    thread_is_done();
}

static void compute_end(void)
{
    thread_is_done();
}

static inline void cb_wait_front(uint32_t id, uint32_t pages)
{
    cb_wait_front_(id, pages);
}

static inline void cb_pop_front(uint32_t id, uint32_t pages)
{
    cb_move_on(id, pages);
    store_count(id, CB_ACKED, cbs[id].count, BUSY_UNPACK0 | BUSY_UNPACK1);
}

static inline void cb_reserve_back(uint32_t id, uint32_t pages)
{
    (void)id, (void)pages;
}
static inline void cb_push_back(uint32_t id, uint32_t pages)
{
    (void)id, (void)pages;
}

static inline uint32_t tile_address(uint32_t id, uint32_t index)
{
    return (cbs[id].at + index * OP_PAGE) / 16 - 1;
}

/* The MOP with these addresses, in the context whose turn it is. */
static void unpack(uint32_t a, uint32_t b)
{
    TT_SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    while (kerr_settle(KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC]) >= 2)
        ;
    kerr_cfg_write(BASE_SRCA + context, a);
    kerr_cfg_write(BASE_SRCB + context, b);
    KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC] = 0; /* one more in use */
    TT_STALLWAIT(BLOCK_UNPACK, BUSY_RISC_CFG);
    TT_MOP(1, 0, 0);
    TT_SEMGET(1 << UNPACK_SYNC);
    if (context)
        TT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0);
    else
        TT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0x0101);
    context ^= 1;
}

static inline void binary_init(void)
{
    set_mop((struct mop){FACES, 1, UNPACK_FACE(0), NOP, NOP, UNPACK_FACE(1), NOP, UNPACK_FACE(1), UNPACK_FACE(1)});
}

static inline void add_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst)
{
    (void)dst;
    unpack(tile_address(id0, i0), tile_address(id1, i1));
}

/* SrcB is handed over with each face, as zeros. */
static inline void copy_init(void)
{
    const uint32_t zero = TT_OP_UNPACR_NOP(1, 0, 0, 1, 0, 0, 0, 0, 1);
    set_mop((struct mop){FACES, 1, UNPACK_FACE(0), NOP, NOP, zero, NOP, zero, zero});
}

static inline void copy_tile(uint32_t id, uint32_t index, uint32_t dst)
{
    (void)dst;
    unpack(tile_address(id, index), 0);
}

#define tile_regs_acquire() ((void)0)
#define tile_regs_commit() ((void)0)
#define tile_regs_wait() ((void)0)
#define tile_regs_release() ((void)0)
#define pack_tile(dst, id) ((void)(dst), (void)(id))

#endif /* OP_UNPACK_H */
