/* SPDX-License-Identifier: Apache-2.0 */
/* op_compute.h: T2, the packer (manual PACR). */
#ifndef OP_PACK_H
#define OP_PACK_H

enum { GPR_TO = 16, GPR_SCRATCH = 17, GPR_HALF = 18 }; /* the last two: which half of Dst */
enum { CHANNEL_W = 3 };
#define PACK(addr_mod, last) TT_OP_PACR(0, 0, 0, addr_mod, 0, 0, 0, 0, 0, 0, 0, last)

static uint32_t half;

/* Sixteen PACRs of four rows.  Channel 0 (Dst) counts rows and faces; the end of a tile sets both back. */
static void set_pack_mop(void)
{
    TT_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32,
              KERR_CFG(ADDR_MOD_PACK_SEC0_YsrcIncr, 4) | KERR_CFG(ADDR_MOD_PACK_SEC0_YdstIncr, 4));
    TT_SETC16(ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32, KERR_CFG(ADDR_MOD_PACK_SEC1_YsrcClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC1_YdstClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC1_ZsrcClear, 1));
    TT_SETC16(ADDR_MOD_PACK_SEC2_YsrcIncr_ADDR32, KERR_CFG(ADDR_MOD_PACK_SEC2_YsrcClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC2_YdstIncr, 4) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC2_ZsrcIncr, 1));
    set_mop((struct mop){FACES, 4, NOP, NOP, NOP, PACK(0, 0), NOP, PACK(1, 1), PACK(2, 0)});
}

static void compute_begin(void)
{
    const uint32_t y_stride = 2 * ROW;
    TT_SETADCXY(1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1);
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    write_from_gpr(GPR_SCRATCH, PCK0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32,
                   KERR_CFG(PCK0_ADDR_CTRL_XY_REG_0_Ystride, y_stride));
    write_from_gpr(GPR_SCRATCH, PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32,
                   KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 16 * y_stride) |
                       KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, TILE_ROWS * y_stride));
    write_from_gpr(GPR_SCRATCH, PCK0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32,
                   KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 16 * y_stride));
    KERR_CFG_RMW(THCON_SEC0_REG1_Pac_LF8_4b_exp, 0);
    KERR_CFG_RMW(THCON_SEC0_REG1_Pack_L1_Acc, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG2_Dstacc, BF16);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_Dstacc_override, 0);
    KERR_CFG_RMW(STACC_RELU_ApplyRelu, 0);
    kerr_cfg_write(THCON_SEC0_REG1_Row_start_section_size_ADDR32, 0);
    kerr_cfg_write(THCON_SEC0_REG1_Out_data_format_ADDR32, KERR_CFG(THCON_SEC0_REG1_Disable_zero_compress, 1) |
                                                               KERR_CFG(THCON_SEC0_REG1_Out_data_format, BF16) |
                                                               KERR_CFG(THCON_SEC0_REG1_In_data_format, BF16));
    kerr_cfg_write(PCK_DEST_RD_CTRL_Read_32b_data_ADDR32, KERR_CFG(PCK_DEST_RD_CTRL_Read_32b_data, OP_DST32));
    kerr_cfg_write(PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32,
                   KERR_CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1));
    kerr_cfg_write(PCK_EDGE_OFFSET_SEC0_mask_ADDR32, KERR_CFG(PCK_EDGE_OFFSET_SEC0_mask, 0xffff));
    kerr_cfg_write(TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32, 0);
    TT_SETADCXX(1, 0, 0, ROW - 1, 0);
    set_gpr(GPR_HALF, 0);
    set_gpr(GPR_HALF + 1, HALF_DST);
    TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
    TT_WRCFG(GPR_HALF, 0, DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32);
    TT_DMANOP();
    TT_DMANOP();
    set_pack_mop();
    TT_STALLWAIT(BLOCK_TDMA, BUSY_RISC_CFG);
}

static void compute_end(void)
{
    thread_is_done();
}

static inline void cb_reserve_back(uint32_t id, uint32_t pages)
{
    cb_reserve_back_(id, pages);
}

static inline void cb_push_back(uint32_t id, uint32_t pages)
{
    cb_move_on(id, pages);
    store_count(id, CB_RECEIVED, cbs[id].count, BUSY_PACK);
}

static inline void cb_wait_front(uint32_t id, uint32_t pages)
{
    (void)id, (void)pages;
}
static inline void cb_pop_front(uint32_t id, uint32_t pages)
{
    (void)id, (void)pages;
}

/* A half of Dst is full. */
static inline void tile_regs_wait(void)
{
    TT_SEMWAIT(BLOCK_TDMA, 1 << MATH_PACK, WHILE_ZERO);
}

/* Packs a tile of that half to the page of `id` that comes `index` behind the next. */
static inline void pack_tile_to(uint32_t dst, uint32_t id, uint32_t index)
{
    set_gpr(GPR_TO, 1u << 31 | ((cbs[id].at + index * OP_PAGE) / 16 - 1));
    TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
    TT_WRCFG(GPR_TO, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32);
    TT_RT_SETADC(1, 0, 0, 0, CHANNEL_W, dst);
    TT_DMANOP();
    TT_MOP(1, 0, 0);
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1);
}

static inline void pack_tile(uint32_t dst, uint32_t id)
{
    pack_tile_to(dst, id, 0);
}

/* Clears it and hands it back. */
static inline void tile_regs_release(void)
{
    TT_STALLWAIT(BLOCK_MATH, BUSY_PACK);
    TT_RT_ZEROACC(0, 0, 0, 2, OP_DST32, 0, 3, half);
    TT_STALLWAIT(BLOCK_SYNC, BUSY_PACK | BUSY_MATH);
    TT_SEMGET(1 << MATH_PACK);
    half ^= 1;
    TT_STALLWAIT(BLOCK_CFG, BUSY_PACK);
    TT_RT_WRCFG(GPR_HALF + half, 0, DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32);
    TT_DMANOP();
    TT_DMANOP();
}

/* Whether tiles are added to what is in L1. */
static inline void pack_accumulate(bool on)
{
    TT_STALLWAIT(BLOCK_CFG, BUSY_PACK);
    KERR_CFG_RMW(THCON_SEC0_REG1_Pack_L1_Acc, on);
}

#define binary_init(operation, broadcast) ((void)(operation), (void)(broadcast))
#define binary_tiles(id0, id1, i0, i1, dst) ((void)(i0), (void)(i1), (void)(dst))
#define copy_init() ((void)0)
#define copy_tile(id, index, dst) ((void)(index), (void)(dst))
#define matmul_init(columns) ((void)(columns))
#define matmul_tiles(id0, id1, i0, i1, dst, columns) ((void)(i0), (void)(i1), (void)(dst), (void)(columns))
#define tile_regs_acquire() ((void)0)
#define tile_regs_commit() ((void)0)

#endif /* OP_PACK_H */
