/* SPDX-License-Identifier: Apache-2.0 */
/* kerr_compute.h on T2: the packer (manual PACR). */
#ifndef KERR_PACK_H
#define KERR_PACK_H

enum { KERR_GPR_TO_ = 16, KERR_GPR_SCRATCH_ = 17, KERR_GPR_HALF_ = 18 }; /* the last two: which half of Dst */
enum { KERR_CHANNEL_W_ = 3 };
#define KERR_PACK_(addr_mod, last) TT_WORD(PACR, .AddrMod = addr_mod, .Last = last)

static uint32_t kerr_half_;

/* Sixteen PACRs of four rows.  Channel 0 (Dst) counts rows and faces; the end of a tile sets both back. */
static void kerr_set_pack_mop_(void)
{
    TT(SETC16, .CfgIndex = ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32,
       .NewValue = KERR_CFG(ADDR_MOD_PACK_SEC0_YsrcIncr, 4) | KERR_CFG(ADDR_MOD_PACK_SEC0_YdstIncr, 4));
    TT(SETC16, .CfgIndex = ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32,
       .NewValue = KERR_CFG(ADDR_MOD_PACK_SEC1_YsrcClear, 1) | KERR_CFG(ADDR_MOD_PACK_SEC1_YdstClear, 1) |
                   KERR_CFG(ADDR_MOD_PACK_SEC1_ZsrcClear, 1));
    TT(SETC16, .CfgIndex = ADDR_MOD_PACK_SEC2_YsrcIncr_ADDR32,
       .NewValue = KERR_CFG(ADDR_MOD_PACK_SEC2_YsrcClear, 1) | KERR_CFG(ADDR_MOD_PACK_SEC2_YdstIncr, 4) |
                   KERR_CFG(ADDR_MOD_PACK_SEC2_ZsrcIncr, 1));
    kerr_mop_set((struct kerr_mop){.outer = KERR_FACES,
                                   .inner = 4,
                                   .start = KERR_NOP_WORD,
                                   .end0 = KERR_NOP_WORD,
                                   .end1 = KERR_NOP_WORD,
                                   .loop0 = KERR_PACK_(0, 0),
                                   .loop1 = KERR_NOP_WORD,
                                   .last_outer = KERR_PACK_(1, 1),
                                   .last_inner = KERR_PACK_(2, 0)});
}

static void kerr_compute_begin(void)
{
    const uint32_t y_stride = 2 * KERR_ROW;
    TT(SETADCXY, .PK = 1, .Y1 = 1, .Y0 = 1, .X0 = 1);
    TT(SETADCZW, .PK = 1, .W1 = 1, .Z1 = 1, .W0 = 1, .Z0 = 1);
    kerr_cfg_write_by_gpr(KERR_GPR_SCRATCH_, PCK0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32,
                          KERR_CFG(PCK0_ADDR_CTRL_XY_REG_0_Ystride, y_stride));
    kerr_cfg_write_by_gpr(KERR_GPR_SCRATCH_, PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32,
                          KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 16 * y_stride) |
                              KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, KERR_TILE_ROWS * y_stride));
    kerr_cfg_write_by_gpr(KERR_GPR_SCRATCH_, PCK0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32,
                          KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 16 * y_stride));
    KERR_CFG_RMW(THCON_SEC0_REG1_Pac_LF8_4b_exp, 0);
    KERR_CFG_RMW(THCON_SEC0_REG1_Pack_L1_Acc, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG2_Dstacc, KERR_FORMAT_BF16);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_Dstacc_override, 0);
    KERR_CFG_RMW(STACC_RELU_ApplyRelu, 0);
    kerr_cfg_write(THCON_SEC0_REG1_Row_start_section_size_ADDR32, 0);
    kerr_cfg_write(THCON_SEC0_REG1_Out_data_format_ADDR32,
                   KERR_CFG(THCON_SEC0_REG1_Disable_zero_compress, 1) |
                       KERR_CFG(THCON_SEC0_REG1_Out_data_format, KERR_FORMAT_BF16) |
                       KERR_CFG(THCON_SEC0_REG1_In_data_format, KERR_FORMAT_BF16));
    kerr_cfg_write(PCK_DEST_RD_CTRL_Read_32b_data_ADDR32, KERR_CFG(PCK_DEST_RD_CTRL_Read_32b_data, KERR_DST32));
    kerr_cfg_write(PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32,
                   KERR_CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1));
    kerr_cfg_write(PCK_EDGE_OFFSET_SEC0_mask_ADDR32, KERR_CFG(PCK_EDGE_OFFSET_SEC0_mask, 0xffff));
    kerr_cfg_write(TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32, 0);
    TT(SETADCXX, .PK = 1, .X1Val = KERR_ROW - 1);
    kerr_gpr_set(KERR_GPR_HALF_, 0);
    kerr_gpr_set(KERR_GPR_HALF_ + 1, KERR_HALF_DST);
    kerr_stall(KERR_HOLD_CONFIG, KERR_UNTIL_SCALAR);
    TT(WRCFG, .InputReg = KERR_GPR_HALF_, .CfgIndex = DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32);
    TT(DMANOP);
    TT(DMANOP);
    kerr_set_pack_mop_();
    kerr_stall(KERR_HOLD_MOVERS, KERR_UNTIL_CORE);
}

static inline void kerr_cb_reserve_back(uint32_t id, uint32_t pages)
{
    kerr_cb_reserve_back_(id, pages);
}

static inline void kerr_cb_push_back(uint32_t id, uint32_t pages)
{
    kerr_cb_move_on_(id, pages);
    kerr_cb_store_(id, KERR_CB_RECEIVED, kerr_cbs[id].count, KERR_UNTIL_PACKER);
}

static inline void kerr_cb_wait_front(uint32_t id, uint32_t pages)
{
    (void)id, (void)pages;
}
static inline void kerr_cb_pop_front(uint32_t id, uint32_t pages)
{
    (void)id, (void)pages;
}

/* A half of Dst is full. */
static inline void kerr_dst_wait(void)
{
    kerr_semaphore_wait(KERR_MATH_PACK, KERR_HOLD_MOVERS);
}

/* Packs a tile of that half to the page of `id` that comes `index` behind the next. */
static inline void kerr_pack_tile_to(uint32_t dst, uint32_t id, uint32_t index)
{
    kerr_gpr_set(KERR_GPR_TO_, 1u << 31 | ((kerr_cb_at(id) + index * KERR_PAGE_BYTES) / 16 - 1));
    kerr_stall(KERR_HOLD_CONFIG, KERR_UNTIL_SCALAR);
    TT(WRCFG, .InputReg = KERR_GPR_TO_, .CfgIndex = THCON_SEC0_REG1_L1_Dest_addr_ADDR32);
    TT_RT(SETADC, .PK = 1, .XYZW = KERR_CHANNEL_W_, .NewValue = dst);
    TT(DMANOP);
    TT(MOP, .Template = 1);
    TT(SETADCZW, .PK = 1, .Z1 = 1, .Z0 = 1);
}

static inline void kerr_pack_tile(uint32_t dst, uint32_t id)
{
    kerr_pack_tile_to(dst, id, 0);
}

/* Clears it and hands it back. */
static inline void kerr_dst_release(void)
{
    kerr_stall(KERR_HOLD_MATRIX, KERR_UNTIL_PACKER);
    TT_RT(ZEROACC, .Mode = 2, .UseDst32b = KERR_DST32, .AddrMod = 3, .Imm10 = kerr_half_);
    kerr_stall(KERR_HOLD_SYNC, KERR_UNTIL_PACKER | KERR_UNTIL_MATRIX);
    kerr_semaphore_get(KERR_MATH_PACK);
    kerr_half_ ^= 1;
    kerr_stall(KERR_HOLD_CONFIG, KERR_UNTIL_PACKER);
    TT_RT(WRCFG, .InputReg = KERR_GPR_HALF_ + kerr_half_, .CfgIndex = DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32);
    TT(DMANOP);
    TT(DMANOP);
}

/* Whether tiles are added to what is in L1. */
static inline void kerr_pack_accumulate(bool on)
{
    kerr_stall(KERR_HOLD_CONFIG, KERR_UNTIL_PACKER);
    KERR_CFG_RMW(THCON_SEC0_REG1_Pack_L1_Acc, on);
}

#define kerr_binary_begin(operation, broadcast) ((void)(operation), (void)(broadcast))
#define kerr_binary_tiles(id0, id1, i0, i1, dst) ((void)(i0), (void)(i1), (void)(dst))
#define kerr_copy_begin() ((void)0)
#define kerr_copy_tile(id, index, dst) ((void)(index), (void)(dst))
#define kerr_matmul_begin(columns) ((void)(columns))
#define kerr_matmul_tiles(id0, id1, i0, i1, dst, columns) ((void)(i0), (void)(i1), (void)(dst), (void)(columns))
#define kerr_dst_acquire() ((void)0)
#define kerr_dst_commit() ((void)0)

#endif /* KERR_PACK_H */
