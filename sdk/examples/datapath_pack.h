/* SPDX-License-Identifier: Apache-2.0 */
/* datapath.c: what T2 does with the packer (manual PACR). */
#ifndef DATAPATH_PACK_H
#define DATAPATH_PACK_H

enum { GPR_TO = 16, GPR_SCRATCH = 17, GPR_HALF = 18 }; /* the last two: which half of Dst */
#define PACK(mode, addr_mod, interfaces, concat, last)                                                                 \
    TT_OP_PACR(0, 0, mode, addr_mod, 0, 0, interfaces, 0, concat, 0, 0, last)

static void write_from_gpr(unsigned word, uint32_t value)
{
    set_gpr(GPR_SCRATCH, value);
    TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
    TT_RT_WRCFG(GPR_SCRATCH, 0, word);
    TT_NOP();
    TT_NOP();
}

/* Left and right halves of a tensor row follow each other in Dst. */
static bool interleaved(uint32_t flags)
{
    return flags & DATAPATH_TILIZE && datapath_tile_bytes(argument(DATAPATH_IN)) != 1024;
}

static void configure_packer(uint32_t flags)
{
    const uint32_t out = argument(DATAPATH_OUT), in = argument(DATAPATH_PACK_IN) & 15;
    const bool exponents = datapath_tile_bytes(out) % 1024 == 64 || datapath_tile_bytes(out) < 1024;
    const uint32_t y_stride = ROW * datum_bytes(in);
    const uint32_t z_stride = (flags & DATAPATH_UNTILIZE || interleaved(flags) ? 2 : 1) * 16 * y_stride;

    TT_SETADCXY(1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1);
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    write_from_gpr(PCK0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32, KERR_CFG(PCK0_ADDR_CTRL_XY_REG_0_Ystride, y_stride));
    write_from_gpr(PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32,
                   KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, z_stride) |
                       KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, FACES * 16 * y_stride));
    write_from_gpr(PCK0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 16 * y_stride));
    KERR_CFG_RMW(THCON_SEC0_REG1_Pac_LF8_4b_exp, out == DATAPATH_FP8_E4M3);
    KERR_CFG_RMW(THCON_SEC0_REG1_Pack_L1_Acc, !!(flags & DATAPATH_L1_ACCUMULATE));
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG2_Dstacc, in);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_Dstacc_override, 0);
    KERR_CFG_RMW(STACC_RELU_ApplyRelu, 0);
    kerr_cfg_write(THCON_SEC0_REG1_Row_start_section_size_ADDR32,
                   KERR_CFG(THCON_SEC0_REG1_Exp_section_size, exponents ? FACES : 0));
    kerr_cfg_write(THCON_SEC0_REG1_Out_data_format_ADDR32, KERR_CFG(THCON_SEC0_REG1_Disable_zero_compress, 1) |
                                                               KERR_CFG(THCON_SEC0_REG1_Out_data_format, out & 15) |
                                                               KERR_CFG(THCON_SEC0_REG1_In_data_format, in));
    kerr_cfg_write(PCK_DEST_RD_CTRL_Read_32b_data_ADDR32,
                   KERR_CFG(PCK_DEST_RD_CTRL_Read_32b_data, !!(flags & DATAPATH_DST32)) |
                       KERR_CFG(PCK_DEST_RD_CTRL_Read_int8, !(flags & DATAPATH_DST32) && in == DATAPATH_INT8) |
                       KERR_CFG(PCK_DEST_RD_CTRL_Read_unsigned, out == DATAPATH_UINT8) |
                       KERR_CFG(PCK_DEST_RD_CTRL_Round_10b_mant, !!(flags & DATAPATH_ROUND_10_BITS)));
    kerr_cfg_write(PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32,
                   KERR_CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1));
    kerr_cfg_write(PCK_EDGE_OFFSET_SEC0_mask_ADDR32, KERR_CFG(PCK_EDGE_OFFSET_SEC0_mask, 0xffff));
    kerr_cfg_write(TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32, 0);
    TT_SETADCXX(1, 0, 0, ROW - 1, 0);
    set_gpr(GPR_HALF, 0);
    set_gpr(GPR_HALF + 1, HALF_DST);
}

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
    set_mop(
        (struct mop){FACES, 16 / 4, NOP, NOP, NOP, PACK(0, 0, 0, 0, 0), NOP, PACK(0, 1, 0, 0, 1), PACK(0, 2, 0, 0, 0)});
}

/* After a tileized unpack, tensor row r is in Dst rows 2r (left half) and 2r + 1 (right half): the left face takes every other
 * row (read interfaces 0 and 2), then the right one, and the same again for the faces below. */
static void set_pack_tilize_mop(void)
{
    TT_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32,
              KERR_CFG(ADDR_MOD_PACK_SEC0_YsrcIncr, 4) | KERR_CFG(ADDR_MOD_PACK_SEC0_YdstIncr, 2));
    TT_SETC16(ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32,
              KERR_CFG(ADDR_MOD_PACK_SEC1_YsrcClear, 1) | KERR_CFG(ADDR_MOD_PACK_SEC1_YdstClear, 1));
    TT_SETC16(ADDR_MOD_PACK_SEC2_YsrcIncr_ADDR32, KERR_CFG(ADDR_MOD_PACK_SEC2_YsrcClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC2_YdstClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC2_ZsrcIncr, 1));
    TT_REPLAY(0, 15, 0, 1);
    for (unsigned i = 0; i < 7; i++)
        TT_PACR(0, 0, 0, 0, 0, 0, 5, 0, 1, 0, 0, 0);
    TT_PACR(0, 0, 0, 1, 0, 0, 5, 0, 1, 0, 0, 0);
    for (unsigned i = 0; i < 7; i++)
        TT_PACR(0, 0, 0, 0, 0, 0, 10, 0, 1, 0, 0, 0);
    set_mop((struct mop){2, 1, NOP, NOP, NOP, TT_OP_REPLAY(0, 15, 0, 0), PACK(0, 2, 10, 0, 0), PACK(0, 2, 10, 0, 1),
                         PACK(0, 2, 10, 0, 0)});
}

/* For each of 16 rows: that row of the two upper (or lower) faces of every tile of the section, W being the tile, then the
 * output address goes on by a row of the matrix. */
static void set_pack_untilize_mop(void)
{
    TT_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32, 0);
    TT_SETC16(ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32, KERR_CFG(ADDR_MOD_PACK_SEC1_YsrcIncr, 1));
    const uint32_t row_bytes = datapath_row_bytes(argument(DATAPATH_OUT), 32 * argument(DATAPATH_ROW_TILES));
    write_from_gpr(SCRATCH_SEC2_val_ADDR32, row_bytes / 16);
    TT_REPLAY(0, 2, 0, 1);
    TT_CFGSHIFTMASK(1, 3, 31, 0, 3, THCON_SEC0_REG1_L1_Dest_addr_ADDR32); /* add SCRATCH_SEC2 */
    TT_NOP();
    set_mop((struct mop){16, argument(DATAPATH_ROW_TILES), TT_OP_ADDRCRZW(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0),
                         TT_OP_REPLAY(0, 2, 0, 0), NOP, TT_OP_INCADCZW(1, 0, 0, 0, 0, 0, 1, 0), PACK(1, 0, 3, 0, 0),
                         PACK(1, 1, 3, 0, 1), PACK(1, 1, 3, 0, 1)});
}

static void set_output(uint32_t address)
{
    set_gpr(GPR_TO, 1u << 31 | (address / 16 - 1));
    TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
    TT_WRCFG(GPR_TO, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32);
    TT_DMANOP();
    TT_DMANOP();
}

static void untilize_section(uint32_t address)
{
    set_output(address);
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
    TT_SETADC(1, 0, 0, 0, 3, 15); /* W is counted up before each PACR */
    TT_SETADCXY(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1);
    for (unsigned i = 0; i < 2; i++) {
        TT_MOP(1, 0, 0);
        TT_INCADCZW(1, 0, 0, 0, 0, 0, 0, 1);
        TT_SETADCXY(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0);
    }
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1);
}

enum { REPEATS = 16 }; /* tiles a MOP that is for nothing but repeating; a simulator may expand all of it at once */

/* The PACRs of a tile, to be played back. */
static void record_tile(void)
{
    TT_REPLAY(0, FACES * 4, 0, 1);
    for (unsigned face = 0; face < FACES; face++) {
        for (unsigned i = 0; i < 3; i++)
            kerr_tt_push(PACK(0, 0, 0, 0, 0));
        kerr_tt_push(face + 1 < FACES ? PACK(0, 2, 0, 0, 0) : PACK(0, 1, 0, 0, 1));
    }
}

/* Packs what is in a half of Dst, `times` times to the same place. */
static void pack_section(uint32_t address, uint32_t flags, uint32_t times)
{
    if (flags & DATAPATH_UNTILIZE) {
        for (; times > 0; times--)
            untilize_section(address);
        return;
    }
    set_output(address); /* looked at when a tile begins */
    if (times > REPEATS && !(flags & DATAPATH_TILIZE)) {
        const uint32_t tile = TT_OP_REPLAY(0, FACES * 4, 0, 0);
        record_tile();
        set_mop((struct mop){1, REPEATS, NOP, NOP, NOP, tile, NOP, tile, tile});
        for (; times > REPEATS; times -= REPEATS)
            TT_MOP(1, 0, 0);
        set_pack_mop();
    }
    for (; times > 0; times--)
        TT_MOP(1, 0, 0);
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1);
}

int main(void)
{
    const uint32_t flags = argument(DATAPATH_FLAGS), tiles = argument(DATAPATH_TILES),
                   times = repeats(DATAPATH_REPEAT_PACK);
    configure_packer(flags);
    if (flags & DATAPATH_UNTILIZE)
        set_pack_untilize_mop();
    else if (interleaved(flags))
        set_pack_tilize_mop();
    else
        set_pack_mop();
    TT_STALLWAIT(BLOCK_TDMA, BUSY_RISC_CFG);
    for (uint32_t tile = 0, half = 0; tile < tiles; tile += section_tiles(), half ^= 1) {
        TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
        TT_RT_WRCFG(GPR_HALF + half, 0, DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32);
        TT_DMANOP();
        TT_DMANOP();
        TT_SEMWAIT(BLOCK_TDMA | BLOCK_SYNC, 1 << MATH_PACK, WHILE_ZERO);
        pack_section(argument(DATAPATH_TO) + tile * argument(DATAPATH_TO_STEP), flags, times);
        TT_STALLWAIT(BLOCK_SYNC, BUSY_PACK);
        TT_SEMGET(1 << MATH_PACK);
    }
    finish(tiles);
}

#endif /* DATAPATH_PACK_H */
