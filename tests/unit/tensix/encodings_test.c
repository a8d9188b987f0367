/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Opcodes, units and positions of configuration fields that tests/seeds.tbl names one by one: written down here by hand, from
 * the vendor's headers and the manual, not from the tables. */
#include "tensix_isa.h" /* first: tile_regs.h has a macro that is named like an instruction */

#include "unit/tensix/exec.h"

/* ---- Opcodes ------------------------------------------------------------------------------------------------ */

static void assert_opcode(uint32_t opcode, const char *name)
{
    assert_true(tensix_op_of[opcode] != TENSIX_ILLEGAL);
    assert_string_equal(tensix_ops[tensix_op_of[opcode]].name, name);
}

static void opcodes_of_the_front_end(void **state)
{
    (void)state;
    assert_opcode(0x01, "MOP");
    assert_opcode(0x02, "NOP");
    assert_opcode(0x03, "MOP_CFG");
    assert_opcode(0x04, "REPLAY");
    assert_opcode(0x05, "RESOURCEDECL");
}

static void opcodes_08_to_0c_move_data(void **state)
{
    (void)state;
    assert_opcode(0x08, "MOVD2A");
    assert_opcode(0x09, "MOVDBGA2D");
    assert_opcode(0x0A, "MOVD2B");
    assert_opcode(0x0B, "MOVB2A");
    assert_opcode(0x0C, "MOVDBGB2D");
    for (uint32_t opcode = 0x0D; opcode <= 0x0F; opcode++)
        assert_int_equal(tensix_op_of[opcode], TENSIX_ILLEGAL);
}

static void opcodes_of_the_matrix_unit(void **state)
{
    (void)state;
    assert_opcode(0x26, "MVMUL");
    assert_opcode(0x27, "ELWMUL");
    assert_opcode(0x28, "ELWADD");
    assert_opcode(0x29, "DOTPV");
    assert_opcode(0x30, "ELWSUB");
    assert_int_equal(tensix_op_of[0x2A], TENSIX_ILLEGAL);
    for (unsigned op = 0; op < TENSIX_OP_COUNT; op++)
        assert_string_not_equal(tensix_ops[op].name, "MATMUL");
}

static void opcodes_of_packer_and_unpackers(void **state)
{
    (void)state;
    assert_opcode(0x41, "PACR");
    assert_opcode(0x42, "UNPACR");
    assert_opcode(0x43, "UNPACR_NOP");
}

static void opcodes_of_the_scalar_unit(void **state)
{
    (void)state;
    assert_opcode(0x45, "SETDMAREG");
    assert_opcode(0x49, "LOADIND");
    assert_opcode(0x58, "ADDDMAREG");
    assert_opcode(0x64, "ATCAS");
    assert_opcode(0x66, "STOREIND");
}

/* And 0x80 to 0x8f are not all of them. */
static void opcodes_of_the_vector_unit_are_70_to_99(void **state)
{
    (void)state;
    unsigned first = 0xFF, last = 0;
    for (unsigned opcode = 0; opcode < 0x100; opcode++) {
        const unsigned op = tensix_op_of[opcode];
        if (op == TENSIX_ILLEGAL || tensix_ops[op].unit != UNIT_VECTOR)
            continue;
        first = opcode < first ? opcode : first;
        last = opcode;
    }
    assert_int_equal(first, 0x70);
    assert_int_equal(last, 0x99);
}

static void opcodes_of_the_sync_unit_are_a0_to_a7(void **state)
{
    (void)state;
    static const char *const names[] = {"ATGETM",  "ATRELM", "STALLWAIT", "SEMINIT",
                                        "SEMPOST", "SEMGET", "SEMWAIT",   "STREAMWAIT"};
    for (unsigned i = 0; i < 8; i++) {
        assert_opcode(0xA0 + i, names[i]);
        assert_int_equal(tensix_ops[tensix_op_of[0xA0 + i]].unit, UNIT_SYNC);
    }
}

static void opcodes_of_the_configuration_unit_are_b0_to_b8(void **state)
{
    (void)state;
    static const char *const names[] = {"WRCFG",   "RDCFG",   "SETC16",      "RMWCIB0",     "RMWCIB1",
                                        "RMWCIB2", "RMWCIB3", "STREAMWRCFG", "CFGSHIFTMASK"};
    for (unsigned i = 0; i < 9; i++) {
        assert_opcode(0xB0 + i, names[i]);
        assert_int_equal(tensix_ops[tensix_op_of[0xB0 + i]].unit, UNIT_CONFIG);
    }
}

/* ---- Units --------------------------------------------------------------------------------------------------- */

static void assert_unit(const char *unit, const char *const *names)
{
    for (; *names != NULL; names++) {
        unsigned op = 0;
        while (op < TENSIX_OP_COUNT && strcmp(tensix_ops[op].name, *names) != 0)
            op++;
        assert_true(op < TENSIX_OP_COUNT);
        assert_string_equal(tensix_unit_names[tensix_ops[op].unit], unit);
    }
}

static void nine_units_and_what_they_execute(void **state)
{
    (void)state;
    assert_int_equal(UNIT_COUNT, 1 + 9); /* and the front end */
    assert_unit("sync", (const char *const[]){"STALLWAIT", "SEMWAIT", "SEMINIT", "SEMPOST", "SEMGET", "ATGETM",
                                              "ATRELM", "STREAMWAIT", NULL});
    assert_unit("unpack", (const char *const[]){"UNPACR", "UNPACR_NOP", NULL});
    assert_unit("matrix", (const char *const[]){"MVMUL", "ELWADD", "ELWSUB", "ELWMUL", "SETRWC", "ZEROACC", NULL});
    assert_unit("pack", (const char *const[]){"PACR", NULL});
    assert_unit("vector", (const char *const[]){"SFPLOAD", "SFPMAD", "SFPENCC", "SFPCONFIG", NULL});
    assert_unit("scalar", (const char *const[]){"SETDMAREG", "ADDDMAREG", "LOADIND", "STOREIND", "ATCAS", NULL});
    assert_unit("config", (const char *const[]){"SETC16", "WRCFG", "RDCFG", "RMWCIB0", "CFGSHIFTMASK", NULL});
    assert_unit("mover", (const char *const[]){"XMOV", NULL});
    assert_unit("misc", (const char *const[]){"SETADC", "SETADCXX", "SETDVALID", "NOP", NULL});
}

/* Only the opcode says who executes a word. */
static void the_opcode_alone_chooses_the_unit(void **state)
{
    (void)state;
    char text[256], again[256];
    for (unsigned opcode = 0; opcode < 0x100; opcode++) {
        if (tensix_op_of[opcode] == TENSIX_ILLEGAL)
            continue;
        assert_true(tensix_disassemble(opcode << 24, text, sizeof text));
        for (unsigned bit = 0; bit < 24; bit++) {
            assert_true(tensix_disassemble(opcode << 24 | 1u << bit, again, sizeof again));
            assert_memory_equal(text, again, strcspn(text, " "));
        }
    }
}

static void a_mop_of_b_is_undefined(void **state)
{
    struct tile *tile = *state;
    exec_word(tile, 1, 0x01000000);
    assert_int_equal(tile->faults, 1);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    assert_non_null(strstr(tile->fault_text, "behind the MOP expander"));
}

/* ---- Positions ----------------------------------------------------------------------------------------------- */

#define FIELD(name, word, hi, lo)                                                                                      \
    do {                                                                                                               \
        assert_int_equal(name##_ADDR32, word);                                                                         \
        assert_int_equal(name##_SHAMT, lo);                                                                            \
        assert_int_equal(name##_MASK, (uint32_t)((UINT64_C(2) << (hi)) - (UINT64_C(1) << (lo))));                      \
    } while (0)

static void pack_config_is_at_68_and_three_more_places(void **state)
{
    (void)state;
    FIELD(THCON_SEC0_REG1_Row_start_section_size, 68, 15, 0);
    FIELD(THCON_SEC0_REG1_Exp_section_size, 68, 31, 16);
    FIELD(THCON_SEC0_REG1_L1_Dest_addr, 69, 31, 0);
    FIELD(THCON_SEC0_REG8_Row_start_section_size, 96, 15, 0);
    FIELD(THCON_SEC1_REG1_Row_start_section_size, 116, 15, 0);
    FIELD(THCON_SEC1_REG8_Row_start_section_size, 144, 15, 0);
    /* Where REG8 differs. */
    FIELD(THCON_SEC0_REG8_Add_tile_header_size, 98, 17, 17);
    FIELD(THCON_SEC0_REG8_pack_dis_y_pos_start_offset, 98, 18, 18);
    FIELD(THCON_SEC0_REG8_unpack_tile_offset, 98, 23, 19);
}

static void pack_config_word_2(void **state)
{
    (void)state;
    FIELD(THCON_SEC0_REG1_Disable_zero_compress, 70, 0, 0);
    FIELD(THCON_SEC0_REG1_Add_l1_dest_addr_offset, 70, 1, 1);
    FIELD(THCON_SEC0_REG1_Disable_pack_zero_flags, 70, 2, 2);
    FIELD(THCON_SEC0_REG1_ovrd_default_throttle_mode, 70, 3, 3);
    FIELD(THCON_SEC0_REG1_Out_data_format, 70, 7, 4);
    FIELD(THCON_SEC0_REG1_In_data_format, 70, 11, 8);
    FIELD(THCON_SEC0_REG1_Dis_shared_exp_assembler, 70, 12, 12);
    FIELD(THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel, 70, 13, 13);
    FIELD(THCON_SEC0_REG1_Enable_out_fifo, 70, 14, 14);
    FIELD(THCON_SEC0_REG1_Sub_l1_tile_header_size, 70, 15, 15);
    FIELD(THCON_SEC0_REG1_Source_interface_selection, 70, 16, 16);
    FIELD(THCON_SEC0_REG1_pack_start_intf_pos, 70, 20, 17);
    FIELD(THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, 70, 21, 21);
    FIELD(THCON_SEC0_REG1_Add_tile_header_size, 70, 22, 22);
    FIELD(THCON_SEC0_REG1_pack_dis_y_pos_start_offset, 70, 23, 23);
    FIELD(THCON_SEC0_REG1_L1_source_addr, 70, 31, 24);
}

static void pack_config_word_3(void **state)
{
    (void)state;
    FIELD(THCON_SEC0_REG1_Downsample_mask, 71, 15, 0);
    FIELD(THCON_SEC0_REG1_Downsample_rate, 71, 18, 16);
    FIELD(THCON_SEC0_REG1_Pack_L1_Acc, 71, 19, 19);
    FIELD(THCON_SEC0_REG1_Exp_threshold_en, 71, 20, 20);
    FIELD(THCON_SEC0_REG1_Unp_LF8_4b_exp, 71, 22, 22);
    FIELD(THCON_SEC0_REG1_Pac_LF8_4b_exp, 71, 23, 23);
    FIELD(THCON_SEC0_REG1_Exp_threshold, 71, 31, 24);
    FIELD(THCON_SEC1_REG1_Unp_LF8_4b_exp, 119, 22, 22);
}

static void packer_words_2_and_12_to_31(void **state)
{
    (void)state;
    FIELD(ALU_ACC_CTRL_Zero_Flag_disabled_src, 2, 0, 0);
    FIELD(ALU_ACC_CTRL_Zero_Flag_disabled_dst, 2, 1, 1);
    FIELD(STACC_RELU_ApplyRelu, 2, 5, 2);
    FIELD(STACC_RELU_ReluThreshold, 2, 21, 6);
    FIELD(PCK0_ADDR_CTRL_XY_REG_0_Xstride, 12, 15, 0);
    FIELD(PCK0_ADDR_CTRL_XY_REG_0_Ystride, 12, 31, 16);
    FIELD(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 13, 15, 0);
    FIELD(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 13, 31, 16);
    FIELD(PCK0_ADDR_CTRL_XY_REG_1_Xstride, 14, 15, 0);
    FIELD(PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 15, 15, 0);
    FIELD(PCK0_ADDR_BASE_REG_0_Base, 16, 17, 0);
    FIELD(PCK0_ADDR_BASE_REG_1_Base, 17, 17, 0);
    FIELD(PCK_DEST_RD_CTRL_Read_32b_data, 18, 0, 0);
    FIELD(PCK_DEST_RD_CTRL_Read_unsigned, 18, 1, 1);
    FIELD(PCK_DEST_RD_CTRL_Read_int8, 18, 2, 2);
    FIELD(PCK_DEST_RD_CTRL_Round_10b_mant, 18, 3, 3);
    FIELD(PCK_EDGE_TILE_FACE_SET_SELECT_select, 19, 7, 0);
    FIELD(TILE_ROW_SET_MAPPING_0_row_set_mapping_0, 20, 1, 0);
    FIELD(TILE_ROW_SET_MAPPING_3_row_set_mapping_15, 23, 31, 30);
    FIELD(PCK_EDGE_OFFSET_SEC0_mask, 24, 15, 0);
    FIELD(PCK_EDGE_OFFSET_SEC3_mask, 27, 15, 0);
    FIELD(PCK_EDGE_MODE_mode, 24, 16, 16);
    FIELD(PCK_EDGE_TILE_ROW_SET_SELECT_select, 24, 24, 17);
    FIELD(PACK_COUNTERS_SEC0_pack_per_xy_plane, 28, 7, 0);
    FIELD(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 28, 15, 8);
    FIELD(PACK_COUNTERS_SEC0_pack_xys_per_tile, 28, 22, 16);
    FIELD(PACK_COUNTERS_SEC0_pack_yz_transposed, 28, 23, 23);
    FIELD(PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt, 28, 31, 24);
    FIELD(PACK_COUNTERS_SEC3_pack_per_xy_plane, 31, 7, 0);
    FIELD(DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 180, 11, 0);
    FIELD(DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset, 180, 17, 12);
    FIELD(DEST_TARGET_REG_CFG_PACK_SEC3_Offset, 183, 11, 0);
}

static void unpack_descriptors_are_at_64_and_112(void **state)
{
    (void)state;
    FIELD(THCON_SEC0_REG0_TileDescriptor_InDataFormat, 64, 3, 0);
    FIELD(THCON_SEC1_REG0_TileDescriptor_InDataFormat, 112, 3, 0);
    FIELD(THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 64, 4, 4);
    FIELD(THCON_SEC0_REG0_TileDescriptor_NoBFPExpSection, 64, 5, 5);
    FIELD(THCON_SEC0_REG0_TileDescriptor_BlobsPerXYPlane, 64, 10, 8);
    FIELD(THCON_SEC0_REG0_TileDescriptor_XDim, 64, 31, 16);
    FIELD(THCON_SEC0_REG0_TileDescriptor_YDim, 65, 7, 0);
    FIELD(THCON_SEC0_REG0_TileDescriptor_ZDim, 65, 23, 16);
    FIELD(THCON_SEC0_REG0_TileDescriptor_WDim, 66, 7, 0);
    FIELD(THCON_SEC0_REG0_TileDescriptor_BlobsYStart_lo, 66, 31, 16);
    FIELD(THCON_SEC0_REG0_TileDescriptor_BlobsYStart_hi, 67, 15, 0);
    FIELD(THCON_SEC0_REG0_TileDescriptor_DigestSize, 67, 31, 24);
}

static void unpack_config_is_at_72_and_120(void **state)
{
    (void)state;
    FIELD(THCON_SEC0_REG2_Out_data_format, 72, 3, 0);
    FIELD(THCON_SEC1_REG2_Out_data_format, 120, 3, 0);
    FIELD(THCON_SEC0_REG2_Throttle_mode, 72, 5, 4);
    FIELD(THCON_SEC0_REG2_Context_count, 72, 7, 6);
    FIELD(THCON_SEC0_REG2_Haloize_mode, 72, 8, 8);
    FIELD(THCON_SEC0_REG2_Tileize_mode, 72, 9, 9);
    FIELD(THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd, 72, 10, 10);
    FIELD(THCON_SEC0_REG2_Unpack_If_Sel, 72, 11, 11);
    FIELD(THCON_SEC0_REG2_Upsample_rate, 72, 13, 12);
    FIELD(THCON_SEC0_REG2_Ovrd_data_format, 72, 14, 14);
    FIELD(THCON_SEC0_REG2_Upsample_and_interleave, 72, 15, 15);
    FIELD(THCON_SEC0_REG2_Shift_amount_cntx0, 72, 19, 16);
    FIELD(THCON_SEC0_REG2_Shift_amount_cntx3, 72, 31, 28);
    FIELD(THCON_SEC0_REG2_Disable_zero_compress_cntx0, 73, 0, 0);
    FIELD(THCON_SEC0_REG2_Unpack_if_sel_cntx0, 73, 4, 4);
    FIELD(THCON_SEC0_REG2_Force_shared_exp, 73, 8, 8);
    FIELD(THCON_SEC0_REG2_Context_count_non_log2, 73, 11, 9);
    FIELD(THCON_SEC0_REG2_Context_count_non_log2_en, 73, 12, 12);
    FIELD(THCON_SEC0_REG2_Disable_zero_compress_cntx4, 73, 16, 16);
    FIELD(THCON_SEC0_REG2_Unpack_if_sel_cntx7, 73, 23, 23);
    FIELD(THCON_SEC0_REG2_Metadata_x_end, 73, 31, 24);
    FIELD(THCON_SEC0_REG2_Unpack_limit_address, 74, 16, 0);
    FIELD(THCON_SEC0_REG2_Unpack_fifo_size, 75, 16, 0);
}

static void unpack_addresses_and_contexts(void **state)
{
    (void)state;
    FIELD(THCON_SEC0_REG3_Base_address, 76, 31, 0);
    FIELD(THCON_SEC0_REG3_Base_cntx3_address, 79, 31, 0);
    FIELD(THCON_SEC0_REG4_Base_cntx4_address, 80, 31, 0);
    FIELD(THCON_SEC0_REG4_Base_cntx7_address, 83, 31, 0);
    FIELD(THCON_SEC1_REG3_Base_address, 124, 31, 0);
    FIELD(THCON_SEC1_REG4_Base_cntx7_address, 131, 31, 0);
    FIELD(THCON_SEC0_REG5_Dest_cntx0_address, 84, 15, 0);
    FIELD(THCON_SEC0_REG5_Dest_cntx3_address, 85, 31, 16);
    FIELD(THCON_SEC0_REG5_Tile_x_dim_cntx0, 86, 15, 0);
    FIELD(THCON_SEC0_REG5_Tile_x_dim_cntx3, 87, 31, 16);
    FIELD(THCON_SEC0_REG7_Offset_address, 92, 15, 0);
    FIELD(THCON_SEC0_REG7_Offset_cntx1_address, 93, 15, 0);
    FIELD(THCON_SEC0_REG7_Unpack_data_format_cntx0, 92, 19, 16);
    FIELD(THCON_SEC0_REG7_Unpack_out_data_format_cntx0, 92, 23, 20);
    FIELD(THCON_SEC0_REG7_Unpack_data_format_cntx4, 92, 27, 24);
    FIELD(THCON_SEC0_REG7_Unpack_out_data_format_cntx4, 92, 31, 28);
    FIELD(THCON_SEC0_REG7_Unpack_out_data_format_cntx7, 95, 31, 28);
    FIELD(THCON_SEC1_REG7_Offset_address, 140, 15, 0);
}

static void unpack_strides(void **state)
{
    (void)state;
    FIELD(UNP0_ADDR_CTRL_XY_REG_0_Xstride, 44, 15, 0);
    FIELD(UNP0_ADDR_CTRL_ZW_REG_0_Wstride, 45, 31, 16);
    FIELD(UNP1_ADDR_CTRL_XY_REG_0_Xstride, 46, 15, 0);
    FIELD(UNP1_ADDR_CTRL_ZW_REG_0_Wstride, 47, 31, 16);
    FIELD(UNP0_ADDR_BASE_REG_0_Base, 48, 17, 0);
    FIELD(UNP0_ADDR_BASE_REG_1_Base, 49, 17, 0);
    FIELD(UNP0_FORCED_SHARED_EXP_shared_exp, 50, 7, 0);
    FIELD(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 50, 8, 8);
    FIELD(UNP0_ADDR_CTRL_XY_REG_1_Xstride, 56, 15, 0);
    FIELD(UNP1_ADDR_CTRL_ZW_REG_1_Wstride, 59, 31, 16);
    FIELD(UNP1_ADDR_BASE_REG_0_Base, 60, 17, 0);
    FIELD(UNP1_ADDR_BASE_REG_1_Base, 61, 17, 0);
    FIELD(UNP1_FORCED_SHARED_EXP_shared_exp, 62, 7, 0);
    FIELD(UNP1_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 62, 8, 8);
}

static void alu_words_0_to_2(void **state)
{
    (void)state;
    FIELD(ALU_FORMAT_SPEC_REG_SrcA_val, 0, 3, 0);
    FIELD(ALU_FORMAT_SPEC_REG_SrcA_override, 0, 4, 4);
    FIELD(ALU_FORMAT_SPEC_REG_SrcB_val, 0, 8, 5);
    FIELD(ALU_FORMAT_SPEC_REG_SrcB_override, 0, 9, 9);
    FIELD(ALU_FORMAT_SPEC_REG_Dstacc_val, 0, 13, 10);
    FIELD(ALU_FORMAT_SPEC_REG_Dstacc_override, 0, 14, 14);
    FIELD(ALU_ROUNDING_MODE_Fpu_srnd_en, 1, 0, 0);
    FIELD(ALU_ROUNDING_MODE_Gasket_srnd_en, 1, 1, 1);
    FIELD(ALU_ROUNDING_MODE_Packer_srnd_en, 1, 2, 2);
    FIELD(ALU_ROUNDING_MODE_GS_LF, 1, 13, 13);
    FIELD(ALU_ROUNDING_MODE_Bfp8_HF, 1, 14, 14);
    FIELD(ALU_FORMAT_SPEC_REG0_SrcAUnsigned, 1, 15, 15);
    FIELD(ALU_FORMAT_SPEC_REG0_SrcBUnsigned, 1, 16, 16);
    FIELD(ALU_FORMAT_SPEC_REG0_SrcA, 1, 20, 17);
    FIELD(ALU_FORMAT_SPEC_REG1_SrcB, 1, 24, 21);
    FIELD(ALU_FORMAT_SPEC_REG2_Dstacc, 1, 28, 25);
    FIELD(ALU_ACC_CTRL_Fp32_enabled, 1, 29, 29);
    FIELD(ALU_ACC_CTRL_SFPU_Fp32_enabled, 1, 30, 30);
    FIELD(ALU_ACC_CTRL_INT8_math_enabled, 1, 31, 31);
    FIELD(DISABLE_RISC_BP_Disable_main, 2, 22, 22);
    FIELD(DISABLE_RISC_BP_Disable_bmp_clear_ncrisc, 2, 31, 31);
}

/* 41 is a word of ThreadConfig; what Config has there has no name. */
static void unpack_misc_cfg_is_word_41_of_thread_config(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(UNPACK_MISC_CFG_CfgContextCntReset_0_ADDR32, 41);
    tile->dev.tensix.context_counter[0][1] = tile->dev.tensix.context_counter[1][1] = 3;
    tile->dev.tensix.context_counter[0][0] = 3;
    exec_on(tile, 1, "SETC16 CfgIndex=41, NewValue=0x104");
    assert_int_equal(thread_of(tile, 1)->config[41], 0x104);
    assert_int_equal(tile->dev.tensix.config[0][41] | tile->dev.tensix.config[1][41], 0);
    assert_int_equal(tile->dev.tensix.context_counter[0][1] | tile->dev.tensix.context_counter[1][1], 0);
    assert_int_equal(tile->dev.tensix.context_counter[0][0], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(opcodes_of_the_front_end),
        CASE(opcodes_08_to_0c_move_data),
        CASE(opcodes_of_the_matrix_unit),
        CASE(opcodes_of_packer_and_unpackers),
        CASE(opcodes_of_the_scalar_unit),
        CASE(opcodes_of_the_vector_unit_are_70_to_99),
        CASE(opcodes_of_the_sync_unit_are_a0_to_a7),
        CASE(opcodes_of_the_configuration_unit_are_b0_to_b8),
        CASE(nine_units_and_what_they_execute),
        CASE(the_opcode_alone_chooses_the_unit),
        CASE(a_mop_of_b_is_undefined),
        CASE(pack_config_is_at_68_and_three_more_places),
        CASE(pack_config_word_2),
        CASE(pack_config_word_3),
        CASE(packer_words_2_and_12_to_31),
        CASE(unpack_descriptors_are_at_64_and_112),
        CASE(unpack_config_is_at_72_and_120),
        CASE(unpack_addresses_and_contexts),
        CASE(unpack_strides),
        CASE(alu_words_0_to_2),
        CASE(unpack_misc_cfg_is_word_41_of_thread_config),
    };
    return RUN(tests);
}
