/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Rows of Dst, soft reset, and what was recorded; the rest of the Matrix Unit is in tests/isa/tensix. */
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

/* Where the manual has Adj32, cards have the row as it is (docs/errata-tensix.md). */
static void zeroacc_of_one_row_goes_by_places_whatever_dst_is(void **state)
{
    static const struct {
        uint32_t alu, feature_disable;
    } ways[] = {{ALU_ACC_CTRL_Fp32_enabled_MASK, 0}, {ALU_ACC_CTRL_INT8_math_enabled_MASK, 0}, {0, 1 << 11}, {0, 0}};
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        tile->dev.tensix.config[0][ALU_ACC_CTRL_Fp32_enabled_ADDR32] = ways[i].alu;
        wr(tile, NOC, RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, ways[i].feature_disable);
        exec(tile, "ZEROACC Imm10=0x0B");
        assert_undefined(tile, 0x0B, 1, 0, 0);
        exec(tile, "ZEROACC Mode=3, Revert=1");
    }
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

/* Origin: the vendor's simulator (ttsim 1.10); made again by tests/oracle/zeroacc_rows.py.  Word, math offset, counter of Dst,
 * Fp32_enabled, and the rows that are undefined then.  Left out: one row with Fp32_enabled, where cards do something else. */
static const struct {
    uint32_t word;
    uint16_t offset, counter, fp32;
    uint16_t undefined[4];
} recorded[] = {
    {0x10000000, 0, 0, 0, {0, 1, 0, 0}},         {0x10000001, 0, 0, 0, {1, 1, 0, 0}},
    {0x100001FF, 0, 0, 0, {511, 1, 0, 0}},       {0x100003FF, 0, 0, 0, {1023, 1, 0, 0}},
    {0x10080000, 0, 0, 0, {0, 16, 0, 0}},        {0x10080001, 0, 0, 0, {16, 16, 0, 0}},
    {0x1008001F, 0, 0, 0, {496, 16, 0, 0}},      {0x10080020, 0, 0, 0, {512, 16, 0, 0}},
    {0x1008003F, 0, 0, 0, {1008, 16, 0, 0}},     {0x100C0000, 0, 0, 0, {0, 8, 16, 8}},
    {0x100C0001, 0, 0, 0, {32, 8, 48, 8}},       {0x100C001E, 0, 0, 0, {960, 8, 976, 8}},
    {0x100C001F, 0, 0, 0, {992, 8, 1008, 8}},    {0x10100000, 0, 0, 0, {0, 512, 0, 0}},
    {0x10100001, 0, 0, 0, {512, 512, 0, 0}},     {0x10140000, 0, 0, 0, {0, 512, 0, 0}},
    {0x10140001, 0, 0, 0, {512, 512, 0, 0}},     {0x10180000, 0, 0, 0, {0, 1024, 0, 0}},
    {0x101C0000, 0, 0, 0, {0, 1024, 0, 0}},      {0x10000003, 0x200, 0, 0, {515, 1, 0, 0}},
    {0x10000003, 0, 12, 0, {15, 1, 0, 0}},       {0x10000000, 0, 0, 1, {0, 1, 0, 0}},

    {0x100C0003, 0, 0, 1, {96, 8, 112, 8}},      {0x10080003, 0, 0, 1, {48, 16, 0, 0}},
    {0x10080003, 0x200, 0, 0, {560, 16, 0, 0}},  {0x10080003, 0x100, 0, 0, {48, 16, 0, 0}},
    {0x100C0003, 0x200, 0, 0, {608, 8, 624, 8}}, {0x100C0003, 0x100, 0, 0, {608, 8, 624, 8}},
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

/* SFPLOAD, SFPSTORE and SFPLOADMACRO; all others apply the whole. */
static void partial_addr_mod_leaves_the_fidelity_phase(void **state)
{
    struct tensix_thread *t = thread_of(*state, 0);
    t->config[ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32 + 6] = 63 | 2 << 8;
    t->config[ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + 6] = 1023 | 3 << 13;
    t->rwc = (struct tensix_rwc){.dst = 100, .src_a = 10, .src_b = 30, .fidelity_phase = 2};
    rwc_apply_partial_addr_mod(t, 6);
    assert_int_equal(t->rwc.dst, 99);
    assert_int_equal(t->rwc.src_a, 9);
    assert_int_equal(t->rwc.src_b, 32);
    assert_int_equal(t->rwc.fidelity_phase, 2);
}

/* Rows of Dst by eights, at once or one by one. */
static void rows_become_valid_and_undefined(void **state)
{
    struct tile *tile = *state;
    struct tensix_files *files = &tile->files;
    for (unsigned first = 0; first < 256; first += 8)
        for (unsigned count = 8; count <= 256; count += 8)
            for (unsigned valid = 0; valid < 2; valid++) {
                memset(files->dst_row_undefined, valid ? 0xFF : 0, sizeof files->dst_row_undefined);
                dst_set_rows_valid(files, first, count, valid);
                for (unsigned row = 0; row < DST_ROWS; row++)
                    if (dst_row_valid(files, row) != ((row - first < count) == valid))
                        fail_msg("row %u of rows %u to %u", row, first, first + count - 1);
            }
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

static void soft_reset_of_unpackers_holds_instructions_back(void **state)
{
    static const uint8_t bits[] = {0, 1, 7};
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof bits; i++) {
        set_soft_reset(tile, 1u << bits[i]);
        assert_false(try_exec(tile, 0, "UNPACR_NOP Unpack_Pop=1"));
        set_soft_reset(tile, 0);
        assert_int_equal(thread_of(tile, 0)->gate_count, 0);
    }
    assert_int_equal(tile->faults, 0);
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
        CASE(zeroacc_of_one_row_goes_by_places_whatever_dst_is),
        CASE(adj16_and_adj32_permute_rows_as_dest_access_cfg_says),
        CASE(zeroacc_is_as_recorded),
        CASE(partial_addr_mod_leaves_the_fidelity_phase),
        CASE(rows_become_valid_and_undefined),
        CASE(soft_reset_of_the_matrix_unit_holds_instructions_back),
        CASE(soft_reset_of_unpackers_holds_instructions_back),
        CASE(soft_reset_of_zeroacc_reverts_and_discards),
        CASE(soft_reset_of_allowed_client_gives_banks_back_and_holds_them),
    };
    return RUN(tests);
}
