/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* ZEROACC, SETRWC, INCRWC and what ADDR_MOD does to the counters. */
#include "unit/tensix/exec.h"

/* Exactly these rows of Dst are undefined: up to two ranges. */
static void assert_undefined(const struct tile *tile, unsigned first, unsigned count, unsigned first2, unsigned count2)
{
    for (unsigned row = 0; row < DST_ROWS; row++) {
        const bool undefined = (row - first) < count || (row - first2) < count2;
        if (dst_row_valid(&tile->files, row) == undefined)
            fail_msg("row %u is %s", row, undefined ? "valid" : "undefined");
    }
}

static void power_on_leaves_all_rows_valid_and_zero(void **state)
{
    struct tile *tile = *state;
    assert_undefined(tile, 0, 0, 0, 0);
    for (unsigned row = 0; row < DST_ROWS; row++)
        for (unsigned column = 0; column < DST_COLUMNS; column++)
            assert_int_equal(tile->files.DstBits[row][column], 0);
}

static void zeroacc_one_row_adds_imm10_offset_counter_and_base(void **state)
{
    struct tile *tile = *state;
    thread_of(tile, 0)->config[DEST_TARGET_REG_CFG_MATH_Offset_ADDR32] = 0x200;
    tile->dev.tensix.config[0][DEST_REGW_BASE_Base_ADDR32] = 0x80;
    thread_of(tile, 0)->rwc.dst = 0x10;
    exec(tile, "ZEROACC Imm10=3");
    assert_undefined(tile, 0x293, 1, 0, 0);
}

static void zeroacc_row_has_ten_bits(void **state)
{
    struct tile *tile = *state;
    thread_of(tile, 0)->rwc.dst = 0x3FF;
    exec(tile, "ZEROACC Imm10=5");
    assert_undefined(tile, 4, 1, 0, 0);
}

static void zeroacc_uses_the_bank_of_its_threads_state_id(void **state)
{
    struct tile *tile = *state;
    tile->dev.tensix.config[0][DEST_REGW_BASE_Base_ADDR32] = 0x40;
    tile->dev.tensix.config[1][DEST_REGW_BASE_Base_ADDR32] = 0x80;
    thread_of(tile, 1)->config[CFG_STATE_ID_StateID_ADDR32] = 1;
    exec_on(tile, 1, "ZEROACC");
    assert_undefined(tile, 0x80, 1, 0, 0);
}

static void zeroacc_row_of_32_bits_is_found_by_adj32(void **state)
{
    static const struct {
        uint32_t alu, feature_disable;
    } ways[] = {{ALU_ACC_CTRL_Fp32_enabled_MASK, 0}, {ALU_ACC_CTRL_INT8_math_enabled_MASK, 0}, {0, 1 << 11}};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 3; i++) {
        tile->dev.tensix.config[0][ALU_ACC_CTRL_Fp32_enabled_ADDR32] = ways[i].alu;
        wr(tile, NOC, RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, ways[i].feature_disable);
        exec(tile, "ZEROACC Imm10=0x0B"); /* 8 becomes 16 */
        assert_undefined(tile, 0x13, 1, 0, 0);
        exec(tile, "ZEROACC Mode=3, Revert=1");
    }
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, 1 << 10);
    exec(tile, "ZEROACC Imm10=0x0B");
    assert_undefined(tile, 0x0B, 1, 0, 0);
}

/* Worked by hand from the functions of the page: r = 0b01_0011_0110. */
static void adj16_and_adj32_permute_rows_as_dest_access_cfg_says(void **state)
{
    (void)state;
    const uint32_t swizzle = DEST_ACCESS_CFG_swizzle_32b_MASK, remap = DEST_ACCESS_CFG_remap_addrs_MASK;
    assert_int_equal(dst_row16(0, 0x136), 0x136);
    assert_int_equal(dst_row16(swizzle, 0x136), 0x136);
    assert_int_equal(dst_row16(remap, 0x136), 0x11E); /* bits 5:4 come to 4:3, bit 3 to 5 */
    assert_int_equal(dst_row16(remap, 0x008), 0x020);
    assert_int_equal(dst_row32(0, 0x136), 0x266);
    assert_int_equal(dst_row32(0, 0x336), 0x266);       /* bit 9 stays, bit 8 meets it */
    assert_int_equal(dst_row32(swizzle, 0x136), 0x262); /* bit 3 becomes bit 4 xor bit 2, bit 2 bit 3 */
    assert_int_equal(dst_row32(swizzle, 0x00C), 0x014);
    assert_int_equal(dst_row32(swizzle, 0x010), 0x030);
    assert_int_equal(dst_row32(remap | swizzle, 0x008), 0x040);
    bool seen[DST_ROWS] = {false};
    for (unsigned row = 0; row < DST_ROWS; row++) {
        assert_false(seen[dst_row16(remap, row)]);
        seen[dst_row16(remap, row)] = true;
    }
    for (uint32_t access = 0; access < 4; access++) { /* 512 rows, each with room for its low half eight further */
        unsigned count = 0;
        bool half[DST_ROWS] = {false};
        for (unsigned row = 0; row < DST_ROWS; row++) {
            count += !half[dst_row32(access, row)];
            half[dst_row32(access, row)] = true;
            assert_int_equal(dst_row32(access, row) & 8, 0);
        }
        assert_int_equal(count, 512);
    }
}

static void zeroacc_16_rows_takes_whole_faces(void **state)
{
    struct tile *tile = *state;
    exec(tile, "ZEROACC Mode=1, Imm10=5");
    assert_undefined(tile, 80, 16, 0, 0);
    exec(tile, "ZEROACC Mode=1, Imm10=63");
    assert_undefined(tile, 80, 16, 1008, 16);
}

static void zeroacc_16_rows_of_32_bits_are_two_groups_of_eight(void **state)
{
    struct tile *tile = *state;
    exec(tile, "ZEROACC Mode=1, UseDst32b=1, Imm10=31");
    assert_undefined(tile, 992, 8, 1008, 8);
}

static void zeroacc_16_rows_beyond_dst_only_steps_counters(void **state)
{
    struct tile *tile = *state;
    thread_of(tile, 0)->config[ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + 7] = 4;
    exec(tile, "ZEROACC Mode=1, Imm10=0xFF, AddrMod=7");
    exec(tile, "ZEROACC Mode=1, Imm10=64, AddrMod=7");
    exec(tile, "ZEROACC Mode=1, UseDst32b=1, Imm10=32, AddrMod=7");
    assert_undefined(tile, 0, 0, 0, 0);
    assert_int_equal(thread_of(tile, 0)->rwc.dst, 12);
}

static void zeroacc_16_rows_looks_at_eight_bits(void **state)
{
    struct tile *tile = *state;
    exec(tile, "ZEROACC Mode=1, Imm10=0x102");
    assert_undefined(tile, 32, 16, 0, 0);
}

static void zeroacc_half_and_all(void **state)
{
    struct tile *tile = *state;
    exec(tile, "ZEROACC Mode=2, Imm10=1");
    assert_undefined(tile, 512, 512, 0, 0);
    exec(tile, "ZEROACC Mode=3, Revert=1");
    exec(tile, "ZEROACC Mode=2, Imm10=0x3FE");
    assert_undefined(tile, 0, 512, 0, 0);
    exec(tile, "ZEROACC Mode=3");
    assert_undefined(tile, 0, 1024, 0, 0);
}

static void zeroacc_of_half_or_all_steps_no_counter(void **state)
{
    struct tile *tile = *state;
    thread_of(tile, 0)->config[ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + 1] = 4;
    exec(tile, "ZEROACC Mode=2, AddrMod=1");
    exec(tile, "ZEROACC Mode=3, AddrMod=1");
    assert_int_equal(thread_of(tile, 0)->rwc.dst, 0);
    exec(tile, "ZEROACC Mode=0, AddrMod=1");
    assert_int_equal(thread_of(tile, 0)->rwc.dst, 4);
}

static void zeroacc_revert_makes_rows_valid_with_what_they_had(void **state)
{
    struct tile *tile = *state;
    tile->files.DstBits[17][3] = 0x1234;
    exec(tile, "ZEROACC Mode=3");
    exec(tile, "ZEROACC Mode=1, Imm10=1, Revert=1");
    assert_undefined(tile, 0, 16, 32, 992);
    assert_int_equal(tile->files.DstBits[17][3], 0x1234);
}

static void zeroacc_with_a_mode_above_3_is_unknown(void **state)
{
    struct tile *tile = *state;
    assert_false(try_exec(tile, 0, "ZEROACC clear_mode_hi=1, Mode=2"));
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
    assert_undefined(tile, 0, 0, 0, 0);
}

static void zeroacc_flips_sources(void **state)
{
    struct tile *tile = *state;
    struct tensix_src *src = tile->dev.tensix.src;
    src[0].matrix_owns[0] = src[1].matrix_owns[0] = true;
    exec(tile, "ZEROACC Mode=3, FlipSrcA=1");
    assert_int_equal(src[0].matrix_bank, 1);
    assert_false(src[0].matrix_owns[0]);
    assert_int_equal(src[1].matrix_bank, 0);
    assert_true(src[1].matrix_owns[0]);
    exec(tile, "ZEROACC Mode=3, FlipSrcB=1");
    assert_int_equal(src[1].matrix_bank, 1);
}

/* Origin: the vendor's simulator (ttsim 1.10); made again by tests/oracle/zeroacc_rows.py.  Word, math offset, counter of Dst,
 * Fp32_enabled, and the rows that are undefined then. */
static const struct {
    uint32_t word;
    uint16_t offset, counter, fp32;
    uint16_t undefined[4];
} recorded[] = {
    {0x10000000, 0, 0, 0, {0, 1, 0, 0}},      {0x10000001, 0, 0, 0, {1, 1, 0, 0}},
    {0x100001FF, 0, 0, 0, {511, 1, 0, 0}},    {0x100003FF, 0, 0, 0, {1023, 1, 0, 0}},
    {0x10080000, 0, 0, 0, {0, 16, 0, 0}},     {0x10080001, 0, 0, 0, {16, 16, 0, 0}},
    {0x1008001F, 0, 0, 0, {496, 16, 0, 0}},   {0x10080020, 0, 0, 0, {512, 16, 0, 0}},
    {0x1008003F, 0, 0, 0, {1008, 16, 0, 0}},  {0x100C0000, 0, 0, 0, {0, 8, 16, 8}},
    {0x100C0001, 0, 0, 0, {32, 8, 48, 8}},    {0x100C001E, 0, 0, 0, {960, 8, 976, 8}},
    {0x100C001F, 0, 0, 0, {992, 8, 1008, 8}}, {0x10100000, 0, 0, 0, {0, 512, 0, 0}},
    {0x10100001, 0, 0, 0, {512, 512, 0, 0}},  {0x10140000, 0, 0, 0, {0, 512, 0, 0}},
    {0x10140001, 0, 0, 0, {512, 512, 0, 0}},  {0x10180000, 0, 0, 0, {0, 1024, 0, 0}},
    {0x101C0000, 0, 0, 0, {0, 1024, 0, 0}},   {0x10000003, 0x200, 0, 0, {515, 1, 0, 0}},
    {0x10000003, 0, 12, 0, {15, 1, 0, 0}},    {0x10000000, 0, 0, 1, {0, 1, 0, 0}},
    {0x1000000B, 0, 0, 1, {19, 1, 0, 0}},     {0x100001FF, 0, 0, 1, {1015, 1, 0, 0}},
    {0x10000208, 0, 0, 1, {528, 1, 0, 0}},    {0x100003FF, 0, 0, 1, {1015, 1, 0, 0}},
    {0x100C0003, 0, 0, 1, {96, 8, 112, 8}},   {0x10080003, 0, 0, 1, {48, 16, 0, 0}},
};

static void zeroacc_is_as_recorded(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
        exec(tile, "ZEROACC Mode=3, Revert=1");
        thread_of(tile, 0)->config[DEST_TARGET_REG_CFG_MATH_Offset_ADDR32] = recorded[i].offset;
        thread_of(tile, 0)->rwc.dst = recorded[i].counter;
        tile->dev.tensix.config[0][ALU_ACC_CTRL_Fp32_enabled_ADDR32] = (uint32_t)recorded[i].fp32
                                                                       << ALU_ACC_CTRL_Fp32_enabled_SHAMT;
        assert_true(exec_word(tile, 0, recorded[i].word));
        assert_undefined(tile, recorded[i].undefined[0], recorded[i].undefined[1], recorded[i].undefined[2],
                         recorded[i].undefined[3]);
    }
}

/* ---- Counters ------------------------------------------------------------------------------------------------ */

static void setrwc_sets_counter_and_cr(void **state)
{
    struct tile *tile = *state;
    struct tensix_rwc *rwc = &thread_of(tile, 0)->rwc;
    exec(tile, "SETRWC SrcA=1, SrcAVal=5, SrcB=1, SrcBVal=6, Dst=1, DstVal=7");
    assert_int_equal(rwc->src_a, 5);
    assert_int_equal(rwc->src_a_cr, 5);
    assert_int_equal(rwc->src_b, 6);
    assert_int_equal(rwc->src_b_cr, 6);
    assert_int_equal(rwc->dst, 7);
    assert_int_equal(rwc->dst_cr, 7);
    assert_int_equal(thread_of(tile, 1)->rwc.dst, 0);
    exec(tile, "SETRWC SrcAVal=1, SrcBVal=1, DstVal=1, DstCr=1, SrcACr=1, SrcBCr=1"); /* nobody is selected */
    assert_int_equal(rwc->src_a, 5);
    assert_int_equal(rwc->src_b, 6);
    assert_int_equal(rwc->dst, 7);
}

static void setrwc_with_cr_adds_to_cr(void **state)
{
    struct tile *tile = *state;
    struct tensix_rwc *rwc = &thread_of(tile, 2)->rwc;
    *rwc = (struct tensix_rwc){.dst = 100, .dst_cr = 1020, .src_a = 1, .src_a_cr = 60, .src_b = 2, .src_b_cr = 50};
    exec_on(tile, 2, "SETRWC SrcA=1, SrcACr=1, SrcAVal=5, SrcB=1, SrcBCr=1, SrcBVal=6, Dst=1, DstCr=1, DstVal=7");
    assert_int_equal(rwc->src_a, 1); /* six bits */
    assert_int_equal(rwc->src_a_cr, 1);
    assert_int_equal(rwc->src_b, 56);
    assert_int_equal(rwc->dst, 3); /* ten bits */
    assert_int_equal(rwc->dst_cr, 3);
}

static void setrwc_with_c_to_cr_adds_to_the_counter_even_if_dst_is_not_selected(void **state)
{
    struct tile *tile = *state;
    struct tensix_rwc *rwc = &thread_of(tile, 0)->rwc;
    *rwc = (struct tensix_rwc){.dst = 100, .dst_cr = 8};
    exec(tile, "SETRWC DstCtoCr=1, DstCr=1, DstVal=4");
    assert_int_equal(rwc->dst, 104);
    assert_int_equal(rwc->dst_cr, 104);
}

static void setrwc_clears_fidelity_and_sets_the_stack_pointer(void **state)
{
    struct tile *tile = *state;
    struct tensix_rwc *rwc = &thread_of(tile, 0)->rwc;
    rwc->fidelity_phase = 3;
    exec(tile, "SETRWC Dst=1");
    assert_int_equal(rwc->fidelity_phase, 3);
    exec(tile, "SETRWC Fidelity=1");
    assert_int_equal(rwc->fidelity_phase, 0);
    exec(tile, "SETRWC Sp=1, DstVal=2, SrcBVal=5, SrcAVal=6");
    assert_int_equal(rwc->sp, 0x256);
    assert_int_equal(rwc->dst, 0);
}

static void setrwc_flips_and_gives_the_bank_back_unless_told_not_to(void **state)
{
    struct tile *tile = *state;
    struct tensix_src *src = tile->dev.tensix.src;
    src[0].matrix_owns[0] = src[0].matrix_owns[1] = src[1].matrix_owns[0] = src[1].matrix_owns[1] = true;
    exec(tile, "SETRWC FlipSrcA=1");
    assert_false(src[0].matrix_owns[0]);
    assert_true(src[0].matrix_owns[1]);
    assert_int_equal(src[0].matrix_bank, 1);
    thread_of(tile, 0)->config[CLR_DVALID_SrcB_Disable_ADDR32] = CLR_DVALID_SrcB_Disable_MASK;
    exec(tile, "SETRWC FlipSrcA=1, FlipSrcB=1");
    assert_false(src[0].matrix_owns[1]);
    assert_int_equal(src[0].matrix_bank, 0);
    assert_true(src[1].matrix_owns[0]);
    assert_int_equal(src[1].matrix_bank, 1);
}

static void a_wait_for_a_free_bank_ends_when_setrwc_gives_it_back(void **state)
{
    struct tile *tile = *state;
    tile->dev.tensix.src[1].matrix_owns[0] = true;
    exec_on(tile, 1,
            "STALLWAIT ConditionMask=0x40, BlockMask=1"); /* C6: SrcB not yet free; blocks the unpackers and Misc */
    assert_false(try_exec(tile, 1, "SETADCXX U0=1, X0Val=3"));
    exec(tile, "SETRWC FlipSrcA=1");
    assert_int_equal(thread_of(tile, 1)->adc[0][0].x, 0);
    exec(tile, "SETRWC FlipSrcB=1");
    assert_int_equal(thread_of(tile, 1)->adc[0][0].x, 3);
}

static void incrwc_steps_the_counter_or_cr(void **state)
{
    struct tile *tile = *state;
    struct tensix_rwc *rwc = &thread_of(tile, 0)->rwc;
    *rwc = (struct tensix_rwc){.dst = 1020, .dst_cr = 8, .src_a = 60, .src_a_cr = 16, .src_b = 3, .src_b_cr = 40};
    exec(tile, "INCRWC SrcAInc=8, SrcBInc=1, DstInc=15");
    assert_int_equal(rwc->src_a, 4);
    assert_int_equal(rwc->src_a_cr, 16);
    assert_int_equal(rwc->src_b, 4);
    assert_int_equal(rwc->src_b_cr, 40);
    assert_int_equal(rwc->dst, 11);
    assert_int_equal(rwc->dst_cr, 8);
    exec(tile, "INCRWC SrcAInc=8, SrcACr=1, SrcBInc=1, SrcBCr=1, DstInc=15, DstCr=1");
    assert_int_equal(rwc->src_a, 24);
    assert_int_equal(rwc->src_a_cr, 24);
    assert_int_equal(rwc->src_b, 41);
    assert_int_equal(rwc->src_b_cr, 41);
    assert_int_equal(rwc->dst, 23);
    assert_int_equal(rwc->dst_cr, 23);
}

static void set_addr_mod(struct tile *tile, unsigned section, uint16_t ab, uint16_t dst)
{
    thread_of(tile, 0)->config[ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32 + section] = ab;
    thread_of(tile, 0)->config[ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + section] = dst;
}

static const struct tensix_rwc before = {
    .dst = 100, .dst_cr = 40, .src_a = 10, .src_a_cr = 20, .src_b = 30, .src_b_cr = 50, .fidelity_phase = 2};

static void addr_mod_steps_counters(void **state)
{
    struct tile *tile = *state;
    struct tensix_thread *t = thread_of(tile, 0);
    set_addr_mod(tile, 6, 63 | 2 << 8, 1023 | 3 << 13);
    t->rwc = before;
    rwc_apply_addr_mod(t, 6);
    assert_int_equal(t->rwc.src_a, 9);
    assert_int_equal(t->rwc.src_a_cr, 20);
    assert_int_equal(t->rwc.src_b, 32);
    assert_int_equal(t->rwc.dst, 99);
    assert_int_equal(t->rwc.dst_cr, 40);
    assert_int_equal(t->rwc.fidelity_phase, 1); /* two bits */
    t->rwc = before;
    rwc_apply_partial_addr_mod(t, 6);
    assert_int_equal(t->rwc.dst, 99);
    assert_int_equal(t->rwc.fidelity_phase, 2);
}

static void addr_mod_steps_from_cr(void **state)
{
    struct tile *tile = *state;
    struct tensix_thread *t = thread_of(tile, 0);
    set_addr_mod(tile, 2, 4 | 1 << 6 | 8 << 8 | 1 << 14, 16 | 1 << 10);
    t->rwc = before;
    rwc_apply_addr_mod(t, 2);
    assert_int_equal(t->rwc.src_a, 24);
    assert_int_equal(t->rwc.src_a_cr, 24);
    assert_int_equal(t->rwc.src_b, 58);
    assert_int_equal(t->rwc.src_b_cr, 58);
    assert_int_equal(t->rwc.dst, 56);
    assert_int_equal(t->rwc.dst_cr, 56);
    set_addr_mod(tile, 2, 0, 16 | 1 << 10 | 1 << 12); /* counter to CR comes first */
    t->rwc = before;
    rwc_apply_addr_mod(t, 2);
    assert_int_equal(t->rwc.dst, 116);
    assert_int_equal(t->rwc.dst_cr, 116);
}

static void addr_mod_clears_before_all_else(void **state)
{
    struct tile *tile = *state;
    struct tensix_thread *t = thread_of(tile, 0);
    set_addr_mod(tile, 0, 0xFFFF, 0xFFFF);
    t->rwc = before;
    rwc_apply_addr_mod(t, 0);
    assert_memory_equal(&t->rwc, &(struct tensix_rwc){0}, sizeof t->rwc);
}

static void addr_mod_takes_no_notice_of_bias(void **state)
{
    struct tile *tile = *state;
    struct tensix_thread *t = thread_of(tile, 0);
    set_addr_mod(tile, 1, 0, 4);
    set_addr_mod(tile, 5, 0, 8);
    t->config[ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR32 + 1] = 1;
    rwc_apply_addr_mod(t, 1);
    rwc_apply_addr_mod(t, 1);
    assert_int_equal(t->rwc.dst, 8);
}

/* ---- Soft reset ---------------------------------------------------------------------------------------------- */

static void soft_reset_of_the_matrix_unit_holds_instructions_back(void **state)
{
    struct tile *tile = *state;
    set_soft_reset(tile, 1 << 10);
    assert_false(try_exec(tile, 0, "ZEROACC Mode=3"));
    assert_false(try_exec(tile, 1, "SETRWC Dst=1, DstVal=3"));
    assert_false(try_exec(tile, 2, "INCRWC DstInc=3"));
    assert_undefined(tile, 0, 0, 0, 0);
    set_soft_reset(tile, 0);
    assert_undefined(tile, 0, 1024, 0, 0);
    assert_int_equal(thread_of(tile, 1)->rwc.dst, 3);
    assert_int_equal(thread_of(tile, 2)->rwc.dst, 3);
}

static void soft_reset_of_zeroacc_reverts_and_discards(void **state)
{
    struct tile *tile = *state;
    exec(tile, "ZEROACC Mode=3");
    set_soft_reset(tile, 1 << 17);
    assert_undefined(tile, 0, 0, 0, 0);
    exec(tile, "ZEROACC Mode=3");
    set_soft_reset(tile, 0);
    assert_undefined(tile, 0, 0, 0, 0);
    exec(tile, "ZEROACC Mode=3");
    assert_undefined(tile, 0, 1024, 0, 0);
}

static void soft_reset_of_allowed_client_gives_banks_back_and_holds_them(void **state)
{
    struct tile *tile = *state;
    struct tensix_src *src = tile->dev.tensix.src;
    for (unsigned which = 0; which < 2; which++) {
        src[0].matrix_bank = src[0].unpacker_bank = src[1].matrix_bank = src[1].unpacker_bank = 1;
        src[0].matrix_owns[1] = src[1].matrix_owns[1] = true;
        set_soft_reset(tile, 1u << (15 + which));
        assert_int_equal(src[which].matrix_bank | src[which].unpacker_bank, 0);
        assert_false(src[which].matrix_owns[1]);
        assert_int_equal(src[!which].matrix_bank & src[!which].unpacker_bank, 1);
        assert_true(src[!which].matrix_owns[1]);
        exec(tile, which ? "SETRWC FlipSrcB=1" : "SETRWC FlipSrcA=1");
        assert_int_equal(src[which].matrix_bank, 0);
        set_soft_reset(tile, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(power_on_leaves_all_rows_valid_and_zero),
        CASE(zeroacc_one_row_adds_imm10_offset_counter_and_base),
        CASE(zeroacc_row_has_ten_bits),
        CASE(zeroacc_uses_the_bank_of_its_threads_state_id),
        CASE(zeroacc_row_of_32_bits_is_found_by_adj32),
        CASE(adj16_and_adj32_permute_rows_as_dest_access_cfg_says),
        CASE(zeroacc_16_rows_takes_whole_faces),
        CASE(zeroacc_16_rows_of_32_bits_are_two_groups_of_eight),
        CASE(zeroacc_16_rows_beyond_dst_only_steps_counters),
        CASE(zeroacc_16_rows_looks_at_eight_bits),
        CASE(zeroacc_half_and_all),
        CASE(zeroacc_of_half_or_all_steps_no_counter),
        CASE(zeroacc_revert_makes_rows_valid_with_what_they_had),
        CASE(zeroacc_with_a_mode_above_3_is_unknown),
        CASE(zeroacc_flips_sources),
        CASE(zeroacc_is_as_recorded),
        CASE(setrwc_sets_counter_and_cr),
        CASE(setrwc_with_cr_adds_to_cr),
        CASE(setrwc_with_c_to_cr_adds_to_the_counter_even_if_dst_is_not_selected),
        CASE(setrwc_clears_fidelity_and_sets_the_stack_pointer),
        CASE(setrwc_flips_and_gives_the_bank_back_unless_told_not_to),
        CASE(a_wait_for_a_free_bank_ends_when_setrwc_gives_it_back),
        CASE(incrwc_steps_the_counter_or_cr),
        CASE(addr_mod_steps_counters),
        CASE(addr_mod_steps_from_cr),
        CASE(addr_mod_clears_before_all_else),
        CASE(addr_mod_takes_no_notice_of_bias),
        CASE(soft_reset_of_the_matrix_unit_holds_instructions_back),
        CASE(soft_reset_of_zeroacc_reverts_and_discards),
        CASE(soft_reset_of_allowed_client_gives_banks_back_and_holds_them),
    };
    return RUN(tests);
}
