/* SPDX-License-Identifier: Apache-2.0 */
/* datapath.c: what T1 does with the Matrix Unit (manual MOVA2D, MOVB2D, ELWADD). */
#ifndef DATAPATH_MATRIX_H
#define DATAPATH_MATRIX_H

#define FLIP(a, b) TT_OP_SETRWC(b, a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1) /* hand back, rows from 0 */

static void configure_matrix(uint32_t flags)
{
    const uint32_t format = argument(DATAPATH_REGISTER) & 15;
    const bool integer = format == DATAPATH_INT8 || format == DATAPATH_INT32;
    const unsigned rows = (flags & DATAPATH_ROUTE) == DATAPATH_SRCB ? 4 : 8;
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcA_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcB_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcA, format);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG1_SrcB, format);
    KERR_CFG_RMW(ALU_ACC_CTRL_Fp32_enabled, !!(flags & DATAPATH_DST32));
    KERR_CFG_RMW(ALU_ACC_CTRL_SFPU_Fp32_enabled, !!(flags & DATAPATH_DST32));
    KERR_CFG_RMW(ALU_ACC_CTRL_INT8_math_enabled, integer);
    KERR_CFG_RMW(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1); /* zeros with any mantissa stay what they are */
    TT_RT_SETC16(ADDR_MOD_AB_SEC2_SrcAIncr_ADDR32,
                 KERR_CFG(ADDR_MOD_AB_SEC2_SrcAIncr, rows) | KERR_CFG(ADDR_MOD_AB_SEC2_SrcBIncr, rows));
    KERR_CFG_THREAD(ADDR_MOD_DST_SEC2_DestIncr, rows);
    TT_SETC16(ADDR_MOD_BIAS_SEC2_BiasIncr_ADDR32, 0);
    TT_SETC16(CLR_DVALID_SrcA_Disable_ADDR32, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_remap_addrs, !!(flags & DATAPATH_UNTILIZE)); /* strided packer reads need both */
    KERR_CFG_RMW(DEST_ACCESS_CFG_swizzle_32b, !!(flags & DATAPATH_UNTILIZE));
    TT_SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
}

static void set_move_mop(uint32_t flags)
{
    const bool tilize = flags & DATAPATH_TILIZE;
    const uint32_t outer = tilize ? 1 : FACES, rows = tilize ? FACES * 16 : 16;
    if ((flags & DATAPATH_ROUTE) == DATAPATH_SRCB) {
        const uint32_t word = TT_OP_MOVB2D(0, 0, 2, 1, 0, 0, 0);
        set_mop((struct mop){outer, rows / 4, NOP, FLIP(0, 1), NOP, word, NOP, word, word});
    } else if (flags & DATAPATH_ELWADD) {
        const uint32_t word = TT_OP_ELWADD(0, 0, 0, 0, 0, 2, 0);
        set_mop((struct mop){outer, rows / 8, NOP, FLIP(1, 1), NOP, word, NOP, word, word});
    } else {
        const uint32_t word = TT_OP_MOVA2D(0, 0, 2, 1, 0);
        set_mop((struct mop){outer, rows / 8, NOP, FLIP(1, 0), NOP, word, NOP, word, word});
    }
}

int main(void)
{
    const uint32_t flags = argument(DATAPATH_FLAGS), tiles = argument(DATAPATH_TILES);
    configure_matrix(flags);
    if ((flags & DATAPATH_ROUTE) == DATAPATH_DST) {
        finish(0);
    }
    TT_SEMINIT(2, 0, 1 << MATH_PACK);
    set_move_mop(flags);
    for (uint32_t tile = 0; tile < tiles; tile++) {
        TT_RT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, dst_row(tile));
        TT_SEMWAIT(BLOCK_MATH | BLOCK_SYNC, 1 << MATH_PACK, WHILE_MAX);
        TT_MOP(1, 0, 0);
        TT_SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0);
        TT_STALLWAIT(BLOCK_SYNC | BLOCK_CFG, BUSY_MATH);
        if ((tile + 1) % section_tiles() == 0)
            TT_SEMPOST(1 << MATH_PACK);
    }
    finish(tiles);
}

#endif /* DATAPATH_MATRIX_H */
