/* SPDX-License-Identifier: Apache-2.0 */
/* op_compute.h: T0, the unpackers (manual UNPACR_Regular).  Tiles of BF16 to SrcA and SrcB: a face an UNPACR, or whole for the Matrix
 * Unit's products. */
#ifndef OP_UNPACK_H
#define OP_UNPACK_H

#define UNPACK_FACE(unpacker) TT_OP_UNPACR(unpacker, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)
#define UNPACK_TILE(unpacker) TT_OP_UNPACR(unpacker, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)
enum { SEC1 = THCON_SEC1_REG0_TileDescriptor_ADDR32 - THCON_SEC0_REG0_TileDescriptor_ADDR32 };
enum { ROW_0 = 4 * ROW }; /* output addresses to SrcA count from four rows before the first */
enum { GPR_SCRATCH = 16 };
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
    write_from_gpr(GPR_SCRATCH, SCRATCH_SEC0_val_ADDR32, OP_PAGE / 16);
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

static inline void unpack_begin(uint32_t a, uint32_t b)
{
    TT_SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    while (kerr_settle(KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC]) >= 2)
        ;
    kerr_cfg_write(BASE_SRCA + context, a);
    kerr_cfg_write(BASE_SRCB + context, b);
    KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC] = 0; /* one more in use */
    TT_STALLWAIT(BLOCK_UNPACK, BUSY_RISC_CFG);
}

static inline void unpack_end(void)
{
    TT_SEMGET(1 << UNPACK_SYNC);
    if (context)
        TT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0);
    else
        TT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0x0101);
    context ^= 1;
}

/* The MOP with these addresses, in the context whose turn it is. */
static void unpack(uint32_t a, uint32_t b)
{
    unpack_begin(a, b);
    TT_MOP(1, 0, 0);
    unpack_end();
}

static inline void binary_init(enum operation operation, enum broadcast broadcast)
{
    (void)operation, (void)broadcast;
    TT_SETADCXX(0, 1, 1, FACE_DATUMS - 1, 0);
    set_mop((struct mop){FACES, 1, UNPACK_FACE(0), NOP, NOP, UNPACK_FACE(1), NOP, UNPACK_FACE(1), UNPACK_FACE(1)});
}

static inline void binary_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst)
{
    (void)dst;
    unpack(tile_address(id0, i0), tile_address(id1, i1));
}

/* SrcB is handed over with each face, as zeros. */
static inline void copy_init(void)
{
    const uint32_t zero = TT_OP_UNPACR_NOP(1, 0, 0, 1, 0, 0, 0, 0, 1);
    TT_SETADCXX(0, 1, 1, FACE_DATUMS - 1, 0);
    set_mop((struct mop){FACES, 1, UNPACK_FACE(0), NOP, NOP, zero, NOP, zero, zero});
}

static inline void copy_tile(uint32_t id, uint32_t index, uint32_t dst)
{
    (void)dst;
    unpack(tile_address(id, index), 0);
}

/* Whole tiles: one of A to SrcB, then those of B that it meets to SrcA, one behind the other in L1.  Template 0, so that a mask
 * chooses the context: the next tile of B, then on by a page (SCRATCH_SEC0). */
static inline void matmul_init(uint32_t columns)
{
    enum { REPLAY_LENGTH = 4 };
    (void)columns;
    TT_SETADCXX(0, 1, 1, OP_TILE - 1, 0);
    TT_REPLAY(0, 2 * REPLAY_LENGTH, 0, 1);
    kerr_tt_push(UNPACK_TILE(0));
    TT_CFGSHIFTMASK(1, 3, 31, 0, 3, BASE_SRCA);
    TT_NOP();
    TT_NOP();
    kerr_tt_push(UNPACK_TILE(0));
    TT_CFGSHIFTMASK(1, 3, 31, 0, 3, BASE_SRCA + 1);
    TT_NOP();
    TT_NOP();
    set_mop((struct mop){.end0 = TT_OP_REPLAY(0, REPLAY_LENGTH, 0, 0),
                         .loop1 = NOP,
                         .end1 = NOP,
                         .start = NOP,
                         .loop0 = NOP,
                         .last_outer = TT_OP_REPLAY(REPLAY_LENGTH, REPLAY_LENGTH, 0, 0),
                         .last_inner = NOP});
}

static inline void matmul_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst, uint32_t columns)
{
    const uint32_t second = context;
    (void)dst;
    unpack_begin(tile_address(id1, i1), tile_address(id0, i0));
    kerr_tt_push(UNPACK_TILE(1));
    TT_RT_MOP(0, columns - 1, second ? 0xffff : 0);
    unpack_end();
}

#define tile_regs_acquire() ((void)0)
#define tile_regs_commit() ((void)0)
#define tile_regs_wait() ((void)0)
#define tile_regs_release() ((void)0)
#define pack_tile(dst, id) ((void)(dst), (void)(id))
#define pack_tile_to(dst, id, index) ((void)(dst), (void)(id), (void)(index))
#define pack_accumulate(on) ((void)(on))

#endif /* OP_UNPACK_H */
