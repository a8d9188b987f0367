/* SPDX-License-Identifier: Apache-2.0 */
/* datapath.c: what T0 does with the unpackers (manual UNPACR_Regular). */
#ifndef DATAPATH_UNPACK_H
#define DATAPATH_UNPACK_H

#define UNPACK(unpacker, ch1_z, ch0_z, flip)                                                                           \
    TT_OP_UNPACR(unpacker, 0, ch1_z, 0, ch0_z, 0, 0, 0, 1, flip, 0, 0, 0, 0, 0, 1)
enum { SEC1 = THCON_SEC1_REG0_TileDescriptor_ADDR32 - THCON_SEC0_REG0_TileDescriptor_ADDR32 };
/* Output addresses to SrcA and Dst count from four rows before the first. */
enum { ROW_0 = 4 * ROW, GPR_SCRATCH = 16 };

/* Rows of a matrix with one byte a datum are gathered by 16, others by 32 (manual UNPACR_Regular, "Tileize"). */
static bool tilize_by_faces(uint32_t flags)
{
    return flags & DATAPATH_TILIZE && datapath_tile_bytes(argument(DATAPATH_IN)) == 1024;
}

static void configure_unpacker(uint32_t flags)
{
    const uint32_t in = argument(DATAPATH_IN), out = argument(DATAPATH_REGISTER) & 15;
    const bool to_srcb = (flags & DATAPATH_ROUTE) == DATAPATH_SRCB, to_dst = (flags & DATAPATH_ROUTE) == DATAPATH_DST;
    const bool tilize = flags & DATAPATH_TILIZE;
    const unsigned section = to_srcb ? SEC1 : 0;
    const bool by_faces = tilize_by_faces(flags);
    const uint32_t x_dim = by_faces ? ROW : tilize ? FACES * FACE_DATUMS : FACE_DATUMS;
    const uint32_t z_stride = FACE_DATUMS * datum_bytes(out), y_stride = ROW * datum_bytes(out);

    TT_SETADCXY(0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1);
    TT_SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    kerr_cfg_write(to_srcb ? UNP1_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32 : UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32,
                   KERR_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, z_stride));
    if (!to_srcb)
        kerr_cfg_write(UNP0_ADDR_CTRL_XY_REG_1_Ystride_ADDR32, KERR_CFG(UNP0_ADDR_CTRL_XY_REG_1_Ystride, y_stride));
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcAUnsigned, in == DATAPATH_UINT8);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcBUnsigned, in == DATAPATH_UINT8);
    KERR_CFG_RMW(THCON_SEC0_REG1_Unp_LF8_4b_exp, in == DATAPATH_FP8_E4M3);
    KERR_CFG_RMW(THCON_SEC1_REG1_Unp_LF8_4b_exp, in == DATAPATH_FP8_E4M3);
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_InDataFormat, in & 15) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_XDim, to_srcb || tilize ? x_dim : 0));
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section + 1,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_YDim, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_ZDim, tilize && !by_faces ? 1 : FACES));
    const uint32_t shift = tilize ? datapath_row_bytes(in, 32 * argument(DATAPATH_ROW_TILES)) / 16
                                  : 0; /* from row to row, three nibbles */
    kerr_cfg_write(THCON_SEC0_REG2_Out_data_format_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG2_Out_data_format, out) | KERR_CFG(THCON_SEC0_REG2_Throttle_mode, 2) |
                       KERR_CFG(THCON_SEC0_REG2_Haloize_mode, !!(flags & DATAPATH_TRANSPOSE)) |
                       KERR_CFG(THCON_SEC0_REG2_Tileize_mode, tilize) |
                       shift << THCON_SEC0_REG2_Shift_amount_cntx0_SHAMT);
    if (flags & DATAPATH_ELWADD) /* the format that goes with SrcB's zeros */
        kerr_cfg_write(THCON_SEC1_REG2_Out_data_format_ADDR32, KERR_CFG(THCON_SEC1_REG2_Out_data_format, out));
    kerr_cfg_write(THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32 + section,
                   0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx0_SHAMT |
                       0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx4_SHAMT |
                       (to_dst ? 3u << THCON_SEC0_REG2_Unpack_if_sel_cntx0_SHAMT : 0));
    kerr_cfg_write(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, ROW_0 | ROW_0 << 16);
    kerr_cfg_write(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, x_dim | x_dim << 16);
    kerr_cfg_write(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_ADDR32,
                   KERR_CFG(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1));
    KERR_CFG_THREAD(SRCA_SET_SetOvrdWithAddr, !to_dst);
    TT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0);
    if (tilize && !by_faces)
        TT_SETADCXX(0, 1, 1, FACES * FACE_DATUMS - 1, 0);
    else
        TT_SETADCXX(0, 1, 1, FACE_DATUMS - 1, 0);
    if (by_faces) { /* from the upper to the lower faces, less the two steps of Z that were made */
        set_gpr(GPR_SCRATCH, shift * 16 - 2);
        TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
        TT_WRCFG(GPR_SCRATCH, 0, SCRATCH_SEC0_val_ADDR32);
    }
}

enum { REPEATS = 32 }; /* tiles a MOP that is for nothing but repeating */

/* One tile: a face an UNPACR, or all of it at once when rows are gathered.  With `repeats` so often, and not handed over. */
static void set_unpack_mop(uint32_t flags, uint32_t repeats)
{
    const uint32_t zero_srcb = TT_OP_UNPACR_NOP(1, 0, 0, 1, 0, 0, 0, 0, 1); /* SrcB is handed over as zeros */
    const uint32_t again = TT_OP_SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    const uint32_t count = flags & DATAPATH_TILIZE ? 1 : FACES;
    uint32_t word, silent;
    switch (flags & DATAPATH_ROUTE) {
    case DATAPATH_SRCB: word = UNPACK(1, 0, 1, 1), silent = UNPACK(1, 0, 1, 0); break;
    case DATAPATH_DST: word = silent = UNPACK(0, 1, 1, 0); break;
    default: word = UNPACK(0, 0, 1, 1), silent = UNPACK(0, 0, 1, 0); break;
    }
    if (repeats)
        set_mop((struct mop){repeats, count, NOP, again, NOP, silent, NOP, silent, silent});
    else if (flags & DATAPATH_ELWADD)
        set_mop((struct mop){count, 1, word, NOP, NOP, zero_srcb, NOP, zero_srcb, zero_srcb});
    else
        set_mop((struct mop){1, count, NOP, NOP, NOP, word, NOP, word, word});
}

/* Unpacks a tile `times` times to the same place. */
static void repeat_unpack(uint32_t flags, uint32_t times)
{
    if (times >= REPEATS) {
        set_unpack_mop(flags, REPEATS);
        for (; times >= REPEATS; times -= REPEATS)
            TT_MOP(1, 0, 0);
    }
    if (times > 0) {
        set_unpack_mop(flags, times);
        TT_MOP(1, 0, 0);
    }
    set_unpack_mop(flags, 0);
}

/* The four faces of a tile of bytes, the address in the context going on between the upper and the lower two. */
static void unpack_four_faces(unsigned base)
{
    kerr_tt_push(UNPACK(0, 1, 1, 0));
    kerr_tt_push(UNPACK(0, 1, 1, 0));
    TT_RT_CFGSHIFTMASK(1, 3, 31, 0, 3, base);
    TT_NOP();
    kerr_tt_push(UNPACK(0, 1, 1, 0));
    kerr_tt_push(UNPACK(0, 1, 1, 1));
}

static uint32_t tile_address(uint32_t tile, uint32_t flags)
{
    const uint32_t from = argument(DATAPATH_FROM), row_tiles = argument(DATAPATH_ROW_TILES);
    if (!(flags & DATAPATH_TILIZE))
        return from + tile * argument(DATAPATH_FROM_STEP);
    const uint32_t row = datapath_row_bytes(argument(DATAPATH_IN), 32);
    return from + tile / row_tiles * row_tiles * 32 * row + tile % row_tiles * row;
}

int main(void)
{
    const uint32_t flags = argument(DATAPATH_FLAGS), tiles = argument(DATAPATH_TILES),
                   times = repeats(DATAPATH_REPEAT_UNPACK);
    const bool to_dst = (flags & DATAPATH_ROUTE) == DATAPATH_DST;
    const unsigned base = THCON_SEC0_REG3_Base_address_ADDR32 + ((flags & DATAPATH_ROUTE) == DATAPATH_SRCB ? SEC1 : 0);
    configure_unpacker(flags);
    set_unpack_mop(flags, 0);
    TT_SEMINIT(2, 0, 1 << UNPACK_SYNC);
    if (to_dst)
        TT_SEMINIT(2, 0, 1 << MATH_PACK);
    thread_is_done();
    for (uint32_t tile = 0, context = 0; tile < tiles; tile++, context ^= 1) {
        while (kerr_settle(KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC]) >= 2)
            ;
        kerr_cfg_write(base + context, tile_address(tile, flags) / 16 - 1);
        KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC] = 0; /* one more in use */
        if (to_dst) {
            TT_SEMWAIT(BLOCK_UNPACK, 1 << MATH_PACK, WHILE_MAX);
            kerr_cfg_rmw_(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, 0xffffu << 16 * context,
                          (ROW_0 + ROW * dst_row(tile)) << 16 * context);
        }
        TT_STALLWAIT(BLOCK_UNPACK, BUSY_RISC_CFG);
        TT_SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
        if (times > 1)
            repeat_unpack(flags, times - 1);
        if (tilize_by_faces(flags))
            unpack_four_faces(base + context);
        else
            TT_MOP(1, 0, 0);
        TT_STALLWAIT(BLOCK_SYNC, BUSY_UNPACK0 | BUSY_UNPACK1);
        TT_SEMGET(1 << UNPACK_SYNC);
        if (to_dst && (tile + 1) % section_tiles() == 0)
            TT_SEMPOST(1 << MATH_PACK);
        TT_RT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, context ? 0 : 0x0101);
    }
    finish(tiles);
}

#endif /* DATAPATH_UNPACK_H */
