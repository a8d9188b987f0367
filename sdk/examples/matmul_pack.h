/* SPDX-License-Identifier: Apache-2.0 */
/* matmul.c: what T2 does with the packer (manual PACR): the tiles of a block, from a half of Dst to L1. */
#ifndef MATMUL_PACK_H
#define MATMUL_PACK_H

enum { GPR_TO = 16, GPR_SCRATCH = 17, GPR_HALF = 18 }; /* the last two: which half of Dst */
enum { CHANNEL_W = 3 };
#define PACK(addr_mod, last) TT_OP_PACR(0, 0, 0, addr_mod, 0, 0, 0, 0, 0, 0, 0, last)

static void configure(const struct job *job)
{
    const bool dst32 = job->flags & MATMUL_DST32, exponents = datapath_tile_bytes(job->out) % 1024 == 64;
    const uint32_t y_stride = ROW * datum_bytes(job->pack_in);
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
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG2_Dstacc, job->pack_in);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_Dstacc_override, 0);
    KERR_CFG_RMW(STACC_RELU_ApplyRelu, 0);
    kerr_cfg_write(THCON_SEC0_REG1_Row_start_section_size_ADDR32,
                   KERR_CFG(THCON_SEC0_REG1_Exp_section_size, exponents ? FACES : 0));
    kerr_cfg_write(THCON_SEC0_REG1_Out_data_format_ADDR32, KERR_CFG(THCON_SEC0_REG1_Disable_zero_compress, 1) |
                                                               KERR_CFG(THCON_SEC0_REG1_Out_data_format, job->out) |
                                                               KERR_CFG(THCON_SEC0_REG1_In_data_format, job->pack_in));
    kerr_cfg_write(PCK_DEST_RD_CTRL_Read_32b_data_ADDR32,
                   KERR_CFG(PCK_DEST_RD_CTRL_Read_32b_data, dst32) |
                       KERR_CFG(PCK_DEST_RD_CTRL_Read_int8, !dst32 && job->pack_in == DATAPATH_INT8));
    kerr_cfg_write(PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32,
                   KERR_CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1));
    kerr_cfg_write(PCK_EDGE_OFFSET_SEC0_mask_ADDR32, KERR_CFG(PCK_EDGE_OFFSET_SEC0_mask, 0xffff));
    kerr_cfg_write(TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32, 0);
    TT_SETADCXX(1, 0, 0, ROW - 1, 0);
    set_gpr(GPR_HALF, 0);
    set_gpr(GPR_HALF + 1, HALF_DST);
}

/* A tile: sixteen PACRs of four rows.  Channel 0 (Dst) counts rows and faces; the end of a tile sets both back. */
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
    const uint32_t word[TENSIX_MOP_CFG_COUNT] = {FACES, 4, NOP, NOP, NOP, PACK(0, 0), NOP, PACK(1, 1), PACK(2, 0)};
    set_mop(word);
}

static void pack_tile(uint32_t tile, uint32_t to)
{
    set_gpr(GPR_TO, 1u << 31 | (to / 16 - 1));
    TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
    TT_WRCFG(GPR_TO, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32);
    TT_RT_SETADC(1, 0, 0, 0, CHANNEL_W, tile);
    TT_DMANOP();
    TT_MOP(1, 0, 0);
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1);
}

int main(void)
{
    const struct job job = get_job();
    const uint32_t tiles = job.block_rows * job.block_columns, bytes = datapath_tile_bytes(job.out);
    uint32_t block = 0;
    configure(&job);
    set_pack_mop();
    TT_STALLWAIT(BLOCK_TDMA, BUSY_RISC_CFG);
    FOR_EACH_BLOCK(job, row, column)
    {
        const uint32_t half = block % 2, to = BUFFER_C + half * tiles * bytes;
        if (block >= 2)
            wait_for(&SHARED->written.count, block - 1);
        TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
        TT_RT_WRCFG(GPR_HALF + half, 0, DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32);
        TT_DMANOP();
        TT_DMANOP();
        TT_SEMWAIT(BLOCK_TDMA | BLOCK_SYNC, 1 << MATH_PACK, WHILE_ZERO);
        for (uint32_t tile = 0; tile < tiles; tile++)
            pack_tile(tile, to + tile * bytes);
        TT_STALLWAIT(BLOCK_SYNC, BUSY_PACK);
        TT_SEMGET(1 << MATH_PACK);
        thread_is_done();
        SHARED->packed.count = ++block;
    }
    kerr_finish((int32_t)block);
}

#endif /* MATMUL_PACK_H */
