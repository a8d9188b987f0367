/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Features of UNPACR one by one, worked by hand from the functional model of manual WormholeB0 UNPACR_Regular (d0ade26a): what a
 * reference simulator refuses, and what goes on behind a fault.  What kernels use is compared with one
 * (tests/oracle/unpack_layout.py). */
#include "tensix_isa.h"

#include "unit/tensix/exec.h"

#include "num/formats.h"
#include "tensix/regs/src.h"

enum { TILE = 0x1000, SEC1 = 48 };

static struct tensix *coprocessor(void **state)
{
    return &((struct tile *)*state)->dev.tensix;
}
static void set_field(struct tensix *tx, unsigned word, uint32_t mask, unsigned shift, uint32_t value)
{
    tx->config[0][word] = (tx->config[0][word] & ~mask) | (value << shift & mask);
}
#define SET(tx, NAME, value) set_field(tx, NAME##_ADDR32, NAME##_MASK, NAME##_SHAMT, value)

/* Datums of `format` from TILE on, 16 a row, to SrcA with context 0 (and to SrcB). */
static struct tensix *start(void **state, unsigned format, unsigned datums)
{
    struct tensix *tx = coprocessor(state);
    for (unsigned section = 0; section <= SEC1; section += SEC1) {
        uint32_t *config = tx->config[0] + section;
        config[THCON_SEC0_REG0_TileDescriptor_ADDR32] = format | 1u << 4 | 16u << 16;
        config[THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1] = 16 | 1u << 16;
        config[THCON_SEC0_REG2_Out_data_format_ADDR32] = format;
        config[THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32] = 0x000F000F;
        config[THCON_SEC0_REG3_Base_address_ADDR32] = TILE / 16 - 1;
    }
    SET(tx, THCON_SEC0_REG5_Dest_cntx0_address, 64);
    SET(tx, THCON_SEC0_REG5_Tile_x_dim_cntx0, 16);
    tx->thread[0].config[SRCA_SET_SetOvrdWithAddr_ADDR32] = SRCA_SET_SetOvrdWithAddr_MASK;
    tx->thread[0].adc[0][1].x = tx->thread[0].adc[1][1].x = datums - 1;
    return tx;
}

static void put16(void **state, uint32_t address, unsigned count, uint16_t first)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < count; i++) {
        const uint16_t value = (uint16_t)(first + i);
        memcpy(tile->l1 + address + 2 * i, &value, 2);
    }
}
/* BF16 as SrcA and SrcB have it: what put16 numbers stand for is seen in the mantissa. */
static uint32_t bf16(uint32_t x)
{
    return (x & 0x8000) << 3 | (x & 0x7F) << 11 | (x >> 7 & 0xFF);
}
static uint32_t a(void **state, unsigned row, unsigned column)
{
    return ((struct tile *)*state)->files.SrcA[0][row][column];
}
static uint32_t b(void **state, unsigned row, unsigned column)
{
    return ((struct tile *)*state)->files.SrcB[0][row][column];
}
static void go(void **state)
{
    exec(*state, "UNPACR MultiContextMode=1");
}

/* ---- Input ------------------------------------------------------------------------------------------------------- */

static void y_z_and_w_find_the_first_datum(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    tx->config[0][THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1] = 3 | 2u << 16; /* YDim 3, ZDim 2 */
    tx->thread[0].adc[0][0].y = 0x102;                                       /* eight bits: 2 */
    tx->thread[0].adc[0][0].z = 0x101;
    tx->thread[0].adc[0][0].w = 1;
    const unsigned row = (1 * 2 + 1) * 3 + 2;
    put16(state, TILE + row * 32, 16, 0x3F80);
    go(state);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(a(state, 0, i), bf16(0x3F80 + i));
}

static void a_dimension_of_zero_means_one_for_z_and_w(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    tx->config[0][THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1] = 2;
    tx->thread[0].adc[0][0].w = 3; /* ((3 * 1 + 0) * 2 + 0) rows */
    put16(state, TILE + 6 * 32, 16, 0x3F80);
    go(state);
    assert_int_equal(a(state, 0, 15), bf16(0x3F8F));
}

static void the_header_grows_with_digest_size(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, THCON_SEC0_REG0_TileDescriptor_DigestSize, 3);
    put16(state, TILE + 3 * 16, 16, 0x3F80);
    go(state);
    assert_int_equal(a(state, 0, 0), bf16(0x3F80));
}

static void contexts_have_bases_formats_and_sizes_of_their_own(void **state)
{
    struct tensix *tx = start(state, FORMAT_FP32, 16);
    tx->thread[0].config[UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32] = 4;
    SET(tx, THCON_SEC0_REG2_Ovrd_data_format, 1);
    /* Context 6 = 2 + 4: base of its own, offset, dimension and output address of context 2. */
    SET(tx, THCON_SEC0_REG4_Base_cntx6_address, TILE / 16 - 1);
    SET(tx, THCON_SEC0_REG7_Offset_cntx2_address, 0x20);
    SET(tx, THCON_SEC0_REG7_Unpack_data_format_cntx6, FORMAT_BF16);
    SET(tx, THCON_SEC0_REG7_Unpack_out_data_format_cntx6, FORMAT_BF16);
    SET(tx, THCON_SEC0_REG5_Tile_x_dim_cntx2, 32);
    SET(tx, THCON_SEC0_REG5_Dest_cntx2_address, 64 + 16 * 5);
    tx->thread[0].adc[0][0].y = 1;
    put16(state, TILE + 0x200 + 64, 16, 0x3F80);
    exec(*state, "UNPACR MultiContextMode=1, ContextNumber=2, FlipSrc=1");
    assert_int_equal(a(state, 5, 15), bf16(0x3F8F));
    assert_int_equal(tx->src[0].implied_format[0], FORMAT_BF16);
}

static void the_context_counter_is_used_and_counts_behind_the_offset(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, THCON_SEC0_REG2_Context_count, 2);
    tx->context_counter[0][0] = 1;
    tx->thread[0].config[UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32] = 1;
    SET(tx, THCON_SEC0_REG3_Base_cntx2_address, TILE / 16 - 1);
    SET(tx, THCON_SEC0_REG5_Tile_x_dim_cntx2, 16);
    SET(tx, THCON_SEC0_REG5_Dest_cntx2_address, 64);
    put16(state, TILE, 16, 0x3F80);
    exec(*state, "UNPACR MultiContextMode=1, UseContextCounter=1, ContextNumber=7");
    assert_int_equal(a(state, 0, 1), bf16(0x3F81));
    assert_int_equal(tx->context_counter[0][0], 3); /* 2 + 1 */
    tx->context_counter[0][0] = 2;                  /* context 3: the last of four */
    SET(tx, THCON_SEC0_REG5_Tile_x_dim_cntx3, 16);
    SET(tx, THCON_SEC0_REG5_Dest_cntx3_address, 64);
    exec(*state, "UNPACR MultiContextMode=1, UseContextCounter=1");
    assert_int_equal(tx->context_counter[0][0], 0);
}

/* Contexts 4 to 7: bits and formats of their own, a base of their own; half words, offset and shift are those of 0 to 3. */
static void each_of_eight_contexts_has_its_bits(void **state)
{
    struct tile *tile = *state;
    for (unsigned context = 0; context < 8; context++) {
        struct tensix *tx = start(state, FORMAT_FP32, 16);
        const unsigned low = context & 3;
        uint32_t *config = tx->config[0];
        memset(tile->files.SrcA, 0, sizeof tile->files.SrcA);
        SET(tx, THCON_SEC0_REG2_Ovrd_data_format, 1);
        for (unsigned other = 0; other < 8; other++) {
            const bool own = other == context;
            const unsigned shift = other / 4 * 8, formats = own ? FORMAT_BF16 : FORMAT_INT8;
            uint32_t *word = &config[THCON_SEC0_REG7_Unpack_data_format_cntx0_ADDR32 + other % 4];
            *word = (*word & ~(0xFFu << (16 + shift))) | (formats | formats << 4) << (16 + shift);
            /* Bits 0 to 3 and 16 to 19: not compressed; 4 to 7 and 20 to 23: to Dst. */
            const unsigned bit = other % 4 + other / 4 * 16;
            word = &config[THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32];
            *word = (*word & ~(0x11u << bit)) | (own ? 1u : 0x10u) << bit;
            config[THCON_SEC0_REG3_Base_address_ADDR32 + other] = (own ? TILE : 0x3000) / 16 - 1;
        }
        for (unsigned i = 0; i < 4; i++) {
            uint32_t *dest = &config[THCON_SEC0_REG5_Dest_cntx0_address_ADDR32 + i / 2];
            uint32_t *x = &config[THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32 + i / 2];
            *dest = (*dest & ~(0xFFFFu << i % 2 * 16)) | (i == low ? 80u : 64u) << i % 2 * 16;
            *x = (*x & ~(0xFFFFu << i % 2 * 16)) | (i == low ? 16u : 48u) << i % 2 * 16;
            config[THCON_SEC0_REG7_Offset_address_ADDR32 + i] |= i == low ? 0x10 : 0x20;
        }
        tx->thread[0].adc[0][0].y = 1;
        put16(state, TILE + 0x100 + 32, 16, 0x3F80);
        char text[60];
        snprintf(text, sizeof text, "UNPACR MultiContextMode=1, ContextNumber=%u", context);
        for (unsigned again = 0; again < 2; again++) {
            memset(tile->files.SrcA, 0, sizeof tile->files.SrcA);
            exec(tile, text);
            assert_int_equal(a(state, 1, 0), bf16(0x3F80));
            assert_int_equal(a(state, 1, 15), bf16(0x3F8F));
            assert_int_equal(a(state, 0, 0), 0);
        }
        memset(config, 0, sizeof tx->config[0]);
    }
}

static void the_counter_goes_round_by_the_unpackers_own_context_count(void **state)
{
    for (unsigned which = 0; which < 2; which++)
        for (unsigned log2 = 0; log2 <= 3; log2++) {
            struct tensix *tx = coprocessor(state);
            SET(tx, THCON_SEC0_REG2_Context_count, which == 0 ? log2 : 3 - log2);
            SET(tx, THCON_SEC1_REG2_Context_count, which == 1 ? log2 : 3 - log2);
            tx->context_counter[which][0] = 0;
            for (unsigned i = 1; i <= 9; i++) {
                exec(*state, which ? "UNPACR WhichUnpacker=1, CfgContextCntInc=1" : "UNPACR CfgContextCntInc=1");
                assert_int_equal(tx->context_counter[which][0], i % (1u << log2));
            }
        }
}

/* Eight contexts in turn, then the first again. */
static void a_counted_context_goes_up_to_seven(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 1);
    SET(tx, THCON_SEC0_REG2_Context_count, 3);
    for (unsigned i = 0; i < 8; i++) {
        tx->config[0][THCON_SEC0_REG3_Base_address_ADDR32 + i] = (TILE + 16 * i) / 16 - 1;
        put16(state, TILE + 16 * i, 1, (uint16_t)(0x3F80 + i));
    }
    for (unsigned i = 1; i < 4; i++)
        tx->config[0][THCON_SEC0_REG5_Dest_cntx0_address_ADDR32 + i / 2] |= 64u << i % 2 * 16;
    tx->config[0][THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32] = 0xF000F;
    for (unsigned i = 0; i < 9; i++) {
        exec(*state, "UNPACR MultiContextMode=1, UseContextCounter=1");
        assert_int_equal(a(state, 0, 0), bf16(0x3F80 + i % 8));
        assert_int_equal(tx->context_counter[0][0], (i + 1) % 8);
    }
}

static void without_contexts_the_descriptor_and_the_own_counters_count(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, THCON_SEC0_REG5_Tile_x_dim_cntx0, 99);
    SET(tx, UNP0_ADDR_BASE_REG_1_Base, 2 * 64); /* bytes */
    tx->thread[2] = tx->thread[0];
    tx->thread[2].adc[0][0].y = 1;
    put16(state, TILE + 32, 16, 0x3F80);
    exec_on(*state, 2, "UNPACR ContextNumber=5, ContextADC=3");
    assert_int_equal(a(state, 0, 2), bf16(0x3F82));
}

static void addresses_above_the_limit_go_back_by_the_fifo(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 64);
    /* Rows of 32 datums; the address behind the first is 0x1040, which is more than 0x1030. */
    SET(tx, THCON_SEC0_REG2_Unpack_limit_address, 0x103);
    SET(tx, THCON_SEC0_REG2_Unpack_fifo_size, 0x80);
    put16(state, TILE, 32, 0x3F80);
    put16(state, TILE + 0x40 - 0x800, 32, 0x4000);
    go(state);
    assert_int_equal(a(state, 1, 15), bf16(0x3F80 + 31));
    assert_int_equal(a(state, 2, 0), bf16(0x4000));
    assert_int_equal(a(state, 3, 15), bf16(0x4000 + 31));
}

static void an_address_at_the_limit_stays(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, THCON_SEC0_REG2_Unpack_limit_address, 0x100);
    SET(tx, THCON_SEC0_REG2_Unpack_fifo_size, 0x80);
    put16(state, TILE, 16, 0x3F80);
    go(state);
    assert_int_equal(a(state, 0, 0), bf16(0x3F80));
}

/* The pointer to exponents wraps where it begins, and then at each 16 bytes only; row by row, and datum by datum (ColShift). */
static void exponents_wrap_by_themselves(void **state)
{
    struct tile *tile = *state;
    for (unsigned shift = 0; shift < 2; shift++) {
        struct tensix *tx = start(state, FORMAT_BFP8, 32);
        tx->config[0][THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1] = 64 | 1u << 16; /* 64 rows: exponents to TILE + 63 */
        tx->config[0][THCON_SEC0_REG2_Shift_amount_cntx0_ADDR32] |= shift << 16;
        SET(tx, THCON_SEC0_REG2_Unpack_limit_address, TILE / 16 + 1);
        SET(tx, THCON_SEC0_REG2_Unpack_fifo_size, 0x80);
        for (unsigned i = 0; i < 64; i++) {
            tile->l1[TILE + i] = (uint8_t)(20 + i);
            tile->l1[TILE - 0x800 + i] = (uint8_t)(120 + i);
        }
        memset(tile->l1 + TILE - 0x800 + 64, 0x40, 0x400); /* datums, wrapped or not */
        memset(tile->l1 + TILE + 64, 0x40, 0x400);
        tx->thread[0].adc[0][0].y = 15; /* 15 and 16: 16 is not above the limit */
        go(state);
        assert_int_equal(a(state, 0, 0), 20 + 15);
        assert_int_equal(a(state, 1, 0), 20 + 16);
        tx->thread[0].adc[0][0].y = 16; /* 17 is, and nobody looks */
        go(state);
        assert_int_equal(a(state, 0, 0), 20 + 16);
        assert_int_equal(a(state, 1, 0), 20 + 17);
        tx->thread[0].adc[0][0].y = 17; /* where it begins */
        go(state);
        assert_int_equal(a(state, 0, 0), 120 + 17);
        assert_int_equal(a(state, 1, 0), 120 + 18);
        SET(tx, THCON_SEC0_REG2_Unpack_limit_address, TILE / 16 + 2);
        tx->thread[0].adc[0][0].y = 31;
        tx->thread[0].adc[0][1].x = 18 * 16 - 1; /* 31, 32 to 47, and 48, which is above it */
        go(state);
        for (unsigned row = 0; row < 18; row++)
            assert_int_equal(a(state, row, 0), 31 + row + (row < 17 ? 20u : 120u));
    }
}

/* BFP4: XDim 16, YDim 16: 16 exponents from TILE on, then nibbles, the low one first. */
static void bfp4_reads_nibbles_and_shared_exponents(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = start(state, FORMAT_BFP4, 16);
    tx->thread[0].adc[0][0].y = 1;
    tile->l1[TILE + 1] = 130;
    tile->l1[TILE + 16 + 8] = 0xC4; /* row 1 begins behind 8 bytes: 4 is +1.0 * 2^3, C is -1.0 * 2^3 */
    go(state);
    assert_int_equal(a(state, 0, 0), 130);
    assert_int_equal(a(state, 0, 1), 0x40000 | 130);
    assert_int_equal(a(state, 0, 2), 0);
}

static void a_forced_exponent_leaves_no_section_for_exponents(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = start(state, FORMAT_BFP8, 16);
    SET(tx, THCON_SEC0_REG2_Force_shared_exp, 1);
    SET(tx, UNP0_FORCED_SHARED_EXP_shared_exp, 133);
    tile->l1[TILE] = 0x40;
    tile->l1[TILE + 1] = 0x60; /* 1.5 */
    go(state);
    assert_int_equal(a(state, 0, 0), 133);
    assert_int_equal(a(state, 0, 1), 0x20000 | 133);
}

/* Unpacker 1 has an exponent, a meaning of INT8 and of FP8 of its own. */
static void unpacker_1_has_its_own_conversions(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = start(state, FORMAT_BFP8, 16);
    SET(tx, THCON_SEC1_REG2_Force_shared_exp, 1);
    SET(tx, UNP0_FORCED_SHARED_EXP_shared_exp, 133);
    SET(tx, UNP1_FORCED_SHARED_EXP_shared_exp, 140);
    memset(tile->l1 + TILE, 0x40, 64);
    tile->l1[TILE] = 0x60;
    go(state); /* exponents from L1 */
    assert_int_equal(a(state, 0, 0), 0x60);
    exec(tile, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(b(state, 0, 0), 0x20000 | 140);
    assert_int_equal(b(state, 0, 1), 140);
    exec(tile, "UNPACR WhichUnpacker=1");
    assert_int_equal(b(state, 0, 0), 0x20000 | 140);

    tx = start(state, FORMAT_INT8, 16);
    SET(tx, ALU_FORMAT_SPEC_REG0_SrcBUnsigned, 1);
    tile->l1[TILE] = 0x85;
    go(state);
    assert_int_equal(a(state, 0, 0), 0x40000 | 5 << 8 | 16);
    exec(tile, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(b(state, 0, 0), 0x85 << 8 | 16);
    SET(tx, ALU_FORMAT_SPEC_REG0_SrcBUnsigned, 0);
    SET(tx, ALU_FORMAT_SPEC_REG0_SrcAUnsigned, 1);
    exec(tile, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(b(state, 0, 0), 0x40000 | 5 << 8 | 16);

    tx = start(state, FORMAT_FP8, 16);
    SET(tx, THCON_SEC1_REG1_Unp_LF8_4b_exp, 1);
    tile->l1[TILE] = 0x39;
    go(state);
    assert_int_equal(a(state, 0, 0), 0x100 << 8 | 14); /* e5m2 */
    exec(tile, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(b(state, 0, 0), 0x80 << 8 | 15); /* e4m3 */
    SET(tx, THCON_SEC1_REG1_Unp_LF8_4b_exp, 0);
    SET(tx, THCON_SEC0_REG1_Unp_LF8_4b_exp, 1);
    exec(tile, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(b(state, 0, 0), 0x100 << 8 | 14);
}

/* E14: the flag only says that datums stand where exponents do. */
static void no_exponent_section_means_exponents_from_where_the_datums_are(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = start(state, FORMAT_BFP4, 16);
    SET(tx, THCON_SEC0_REG0_TileDescriptor_NoBFPExpSection, 1);
    tile->l1[TILE] = 0x84; /* two datums, 4 and 8, and the exponent 0x84 */
    go(state);
    assert_int_equal(a(state, 0, 0), 0x84);
    assert_int_equal(a(state, 0, 1), 0x400FF); /* a sign alone: -2^128 */
}

static void bfp8_keeps_its_section_whatever_the_flag_says(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = start(state, FORMAT_BFP8, 16);
    SET(tx, THCON_SEC0_REG0_TileDescriptor_NoBFPExpSection, 1);
    tile->l1[TILE] = 127;
    tile->l1[TILE + 16] = 0x40;
    go(state);
    assert_int_equal(a(state, 0, 0), 127);
}

/* Rows of 32 datums of two bytes, 16 of one, by RowStride. */
static void tilizing_takes_32_wide_datums_and_16_bytes_a_row(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = start(state, FORMAT_BF16, 64);
    SET(tx, THCON_SEC0_REG2_Tileize_mode, 1);
    tx->config[0][THCON_SEC0_REG2_Shift_amount_cntx0_ADDR32] |= 0x123u << 16; /* 0x1230 bytes */
    put16(state, TILE, 32, 0x3F80);
    put16(state, TILE + 0x1230, 32, 0x4000);
    go(state);
    assert_int_equal(a(state, 1, 15), bf16(0x3F80 + 31));
    assert_int_equal(a(state, 2, 0), bf16(0x4000));
    tx = start(state, FORMAT_FP8, 32);
    SET(tx, THCON_SEC0_REG2_Tileize_mode, 1);
    tx->config[0][THCON_SEC0_REG2_Shift_amount_cntx0_ADDR32] |= 2u << 16;
    tile->l1[TILE + 32] = 0x3C;
    go(state);
    assert_int_equal(a(state, 1, 0), 15); /* 1.0: exponent 15 of FP16 */
}

/* ---- Output ------------------------------------------------------------------------------------------------------ */

static void haloize_mode_transposes_blocks_of_16_rows(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 512);
    SET(tx, THCON_SEC0_REG2_Haloize_mode, 1);
    put16(state, TILE, 512, 0x3000);
    go(state);
    assert_int_equal(a(state, 3, 7), bf16(0x3000 + 7 * 16 + 3));
    assert_int_equal(a(state, 16 + 15, 2), bf16(0x3000 + 256 + 2 * 16 + 15));
}

static void unpacker_1_does_not_transpose(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 256);
    SET(tx, THCON_SEC1_REG2_Haloize_mode, 1);
    put16(state, TILE, 256, 0x3000);
    exec(*state, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(b(state, 3, 7), bf16(0x3000 + 3 * 16 + 7));
}

static void unpacker_0_skips_four_rows_of_output(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 96);
    SET(tx, THCON_SEC0_REG5_Dest_cntx0_address, 0);
    put16(state, TILE, 96, 0x3000);
    go(state);
    assert_int_equal(a(state, 0, 0), bf16(0x3000 + 64));
    assert_int_equal(a(state, 1, 15), bf16(0x3000 + 95));
    assert_int_equal(a(state, 2, 0), 0);
}

static void output_may_begin_in_the_middle_of_a_row(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, THCON_SEC0_REG5_Dest_cntx0_address, 64 + 5);
    put16(state, TILE, 16, 0x3000);
    go(state);
    assert_int_equal(a(state, 0, 4), 0);
    assert_int_equal(a(state, 0, 5), bf16(0x3000));
    assert_int_equal(a(state, 1, 4), bf16(0x300F));
    assert_int_equal(a(state, 1, 5), 0);
}

static void channel_1_counts_in_bytes_of_the_output_format(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1);
    SET(tx, UNP0_ADDR_BASE_REG_1_Base, 32);
    SET(tx, UNP0_ADDR_CTRL_XY_REG_1_Ystride, 32);
    SET(tx, UNP0_ADDR_CTRL_ZW_REG_1_Zstride, 64);
    SET(tx, UNP0_ADDR_CTRL_ZW_REG_1_Wstride, 512);
    tx->thread[0].adc[0][1].y = 3;
    tx->thread[0].adc[0][1].z = 2;
    tx->thread[0].adc[0][1].w = 1;
    put16(state, TILE, 16, 0x3000);
    go(state);
    assert_int_equal(a(state, 1 + 3 + 2 * 2 + 16, 0), bf16(0x3000));
}

/* Without add_dest_addr_cntr counters do not count beside the address of a context. */
static void the_address_of_a_context_stands_alone_or_is_added(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, UNP0_ADDR_CTRL_XY_REG_1_Ystride, 32);
    tx->thread[0].adc[0][1].y = 3;
    put16(state, TILE, 16, 0x3000);
    SET(tx, UNP1_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1); /* the other one's */
    go(state);
    assert_int_equal(a(state, 0, 0), bf16(0x3000));
    assert_int_equal(a(state, 3, 0), 0);
    SET(tx, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1);
    go(state);
    assert_int_equal(a(state, 3, 0), bf16(0x3000));
}

/* Its Dest_cntx and add_dest_addr_cntr stand in the header, but nothing is said of them (docs/errata-tensix.md). */
static void unpacker_1_has_no_output_address_of_a_context(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    tx->config[0][SEC1 + THCON_SEC0_REG5_Dest_cntx0_address_ADDR32] = 5 * 16;
    SET(tx, UNP1_ADDR_CTRL_XY_REG_1_Ystride, 32);
    tx->thread[0].adc[1][1].y = 1;
    put16(state, TILE, 16, 0x3000);
    for (unsigned add = 0; add < 2; add++) {
        memset(((struct tile *)*state)->files.SrcB, 0, sizeof((struct tile *)*state)->files.SrcB);
        SET(tx, UNP1_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, add);
        exec(*state, "UNPACR WhichUnpacker=1, MultiContextMode=1");
        assert_int_equal(b(state, 1, 0), bf16(0x3000));
        assert_int_equal(b(state, 5, 0), 0);
        assert_int_equal(b(state, 6, 0), 0);
    }
}

static void without_set_ovrd_rows_are_16_behind_srcrow(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    tx->thread[0].config[SRCA_SET_SetOvrdWithAddr_ADDR32] = 1; /* SRCA_SET_Base */
    SET(tx, THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd, 1);
    SET(tx, THCON_SEC0_REG5_Dest_cntx0_address, 64 + 16 * 2);
    tx->src[0].unpacker_row[0] = 16;
    put16(state, TILE, 16, 0x3000);
    go(state);
    assert_int_equal(a(state, 16 + 2, 0), bf16(0x3000));
    assert_int_equal(tx->src[0].unpacker_row[0], 48); /* + 16 + 16 */
    go(state);
    assert_int_equal(a(state, 48 + 2, 15), bf16(0x300F));
    assert_int_equal(tx->src[0].unpacker_row[0], 16); /* six bits */
}

static void srcb_rows_are_behind_srcrow_too(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    tx->src[1].unpacker_row[0] = 32;
    put16(state, TILE, 16, 0x3000);
    exec(*state, "UNPACR WhichUnpacker=1, MultiContextMode=1, FlipSrc=1");
    assert_int_equal(b(state, 32, 0), bf16(0x3000));
    assert_int_equal(tx->src[1].unpacker_row[0], 0);
}

static void srcb_has_a_base_of_its_own(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, THCON_SEC1_REG2_Unpack_Src_Reg_Set_Upd, 1);
    tx->thread[0].config[SRCA_SET_SetOvrdWithAddr_ADDR32] |= 2u << SRCA_SET_Base_SHAMT;
    tx->thread[0].config[SRCB_SET_Base_ADDR32] |= 1u << SRCB_SET_Base_SHAMT;
    put16(state, TILE, 16, 0x3000);
    exec(*state, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(tx->src[1].unpacker_row[0], 32); /* + 16 + 16 */
    assert_int_equal(tx->src[1].unpacker_row[1], 0);
    exec(*state, "UNPACR WhichUnpacker=1, MultiContextMode=1, FlipSrc=1");
    assert_int_equal(b(state, 32, 0), bf16(0x3000));
    assert_int_equal(tx->src[1].unpacker_row[0], 16);
    SET(tx, THCON_SEC1_REG2_Unpack_Src_Reg_Set_Upd, 0);
    exec(*state, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(tx->src[1].unpacker_row[0], 16);
    assert_int_equal(((struct tile *)*state)->files.SrcB[1][16][15], bf16(0x300F));
}

static void columns_are_shifted_out(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 32);
    tx->config[0][THCON_SEC0_REG2_Shift_amount_cntx0_ADDR32] |= 3u << 16;
    put16(state, TILE, 32, 0x3000);
    go(state);
    assert_int_equal(a(state, 0, 0), bf16(0x3003));
    assert_int_equal(a(state, 1, 12), bf16(0x301F));
    assert_int_equal(a(state, 0, 13), 0);
}

/* Four shifts for eight contexts; unpacker 1 has none. */
static void each_context_has_its_shift(void **state)
{
    struct tile *tile = *state;
    for (unsigned context = 0; context < 8; context++) {
        struct tensix *tx = start(state, FORMAT_BF16, 16);
        for (unsigned i = 0; i < 8; i++)
            tx->config[0][THCON_SEC0_REG3_Base_address_ADDR32 + i] = TILE / 16 - 1;
        for (unsigned i = 0; i < 4; i++) {
            tx->config[0][THCON_SEC0_REG5_Dest_cntx0_address_ADDR32 + i / 2] = 64u << 16 | 64;
            tx->config[0][THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32 + i / 2] = 16u << 16 | 16;
        }
        tx->config[0][THCON_SEC0_REG2_Shift_amount_cntx0_ADDR32] |= 0xF951u << 16;
        tx->config[0][THCON_SEC1_REG2_Shift_amount_cntx0_ADDR32] |= 0xF951u << 16;
        memset(tile->files.SrcA, 0, sizeof tile->files.SrcA);
        put16(state, TILE, 16, 0x3000);
        char text[60];
        snprintf(text, sizeof text, "UNPACR MultiContextMode=1, ContextNumber=%u", context);
        exec(tile, text);
        const unsigned shift = 0xF951u >> context % 4 * 4 & 15;
        assert_int_equal(a(state, 0, 0), bf16(0x3000 + shift));
        assert_int_equal(a(state, 0, 15 - shift), bf16(0x300F));
        assert_int_equal(a(state, 0, 16 - shift), 0);
    }
    exec(tile, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(b(state, 0, 1), bf16(0x3001));
}

/* The model, not the overview: 2^rate - 1 zeroes (E37). */
static void upsampling_puts_zeroes_behind_each_datum(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 8);
    SET(tx, THCON_SEC0_REG2_Upsample_rate, 2);
    memset(((struct tile *)*state)->files.SrcA, 1, sizeof((struct tile *)*state)->files.SrcA);
    put16(state, TILE, 8, 0x3000);
    go(state);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(a(state, i / 16, i % 16), i % 4 == 0 ? bf16(0x3000 + i / 4) : 0);
    assert_int_equal(a(state, 2, 0), 0x01010101);
}

static void upsampling_by_three_puts_seven(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 5);
    SET(tx, THCON_SEC0_REG2_Upsample_rate, 3);
    memset(((struct tile *)*state)->files.SrcA, 1, sizeof((struct tile *)*state)->files.SrcA);
    put16(state, TILE, 5, 0x3000);
    go(state);
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(a(state, i / 16, i % 16), i % 8 == 0 ? bf16(0x3000 + i / 8) : 0);
    assert_int_equal(a(state, 2, 8), 0x01010101);
}

static void interleaving_leaves_the_places_between(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 8);
    SET(tx, THCON_SEC0_REG2_Upsample_rate, 1);
    SET(tx, THCON_SEC0_REG2_Upsample_and_interleave, 1);
    memset(((struct tile *)*state)->files.SrcA, 1, sizeof((struct tile *)*state)->files.SrcA);
    put16(state, TILE, 8, 0x3000);
    go(state);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(a(state, 0, i), i % 2 == 0 ? bf16(0x3000 + i / 2) : 0x01010101);
}

static void all_datums_can_be_zero(void **state)
{
    start(state, FORMAT_BF16, 20);
    memset(((struct tile *)*state)->files.SrcA, 1, sizeof((struct tile *)*state)->files.SrcA);
    put16(state, TILE, 20, 0x3000);
    exec(*state, "UNPACR MultiContextMode=1, AllDatumsAreZero=1");
    assert_int_equal(a(state, 1, 3), 0);
    assert_int_equal(a(state, 1, 4), 0x01010101);
}

/* ---- Dst --------------------------------------------------------------------------------------------------------- */

static struct tensix *to_dst(void **state, unsigned format, unsigned datums)
{
    struct tensix *tx = start(state, format, datums);
    SET(tx, THCON_SEC0_REG2_Unpack_if_sel_cntx0, 1);
    tx->thread[0].config[SRCA_SET_SetOvrdWithAddr_ADDR32] = 0;
    return tx;
}

static void sixteen_bits_go_to_dst16b_in_its_order(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = to_dst(state, FORMAT_BF16, 32);
    SET(tx, DEST_ACCESS_CFG_remap_addrs, 1);
    SET(tx, THCON_SEC0_REG5_Dest_cntx0_address, 64 + 16 * 7);
    tile->files.dst_row_undefined[1] = UINT32_MAX; /* rows 32 to 63 */
    put16(state, TILE, 32, 0xBF81);
    go(state);
    assert_int_equal(tile->files.DstBits[7][0], 0x8000 | 1 << 8 | 127);
    assert_int_equal(tile->files.DstBits[0x20][15], 0x8000 | 0x20 << 8 | 127); /* row 8 is at 32 */
    assert_int_equal(tile->files.dst_row_undefined[1], UINT32_MAX - 1);
}

/* Without contexts one bit says so, with them that of the context. */
static void unpack_if_sel_counts_without_contexts(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    tx->thread[0].config[SRCA_SET_SetOvrdWithAddr_ADDR32] = 0;
    SET(tx, UNP0_ADDR_BASE_REG_1_Base, 2 * (64 + 16 * 3)); /* bytes */
    SET(tx, THCON_SEC0_REG2_Unpack_If_Sel, 1);
    put16(state, TILE, 16, 0x3F80);
    exec(tile, "UNPACR");
    assert_int_equal(tile->files.DstBits[3][15], 15 << 8 | 127);
    assert_int_equal(a(state, 3, 15), 0);
    go(state);
    assert_int_equal(a(state, 0, 15), bf16(0x3F8F)); /* Dest_cntx0 alone */
    SET(tx, THCON_SEC0_REG2_Unpack_If_Sel, 0);
    SET(tx, THCON_SEC0_REG2_Unpack_if_sel_cntx0, 1);
    memset(tile->files.SrcA, 0, sizeof tile->files.SrcA);
    exec(tile, "UNPACR");
    assert_int_equal(a(state, 3, 15), bf16(0x3F8F));
}

static void wide_datums_go_to_dst32b_as_two_halves(void **state)
{
    struct tile *tile = *state;
    to_dst(state, FORMAT_INT32, 16);
    const uint32_t value = 0x80C12345;
    memcpy(tile->l1 + TILE + 4, &value, 4);
    tile->files.dst_row_undefined[0] = 1;
    go(state);
    assert_int_equal(tile->files.DstBits[0][1], 0x8000 | 0x41 << 8 | 1);
    assert_int_equal(tile->files.DstBits[8][1], 0x2345);
    assert_int_equal(tile->files.dst_row_undefined[0], 0);
}

static void rows_of_dst_wrap_at_1024(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = to_dst(state, FORMAT_BF16, 32);
    SET(tx, THCON_SEC0_REG5_Dest_cntx0_address, 16 * 3);
    put16(state, TILE, 32, 0x3F80);
    go(state);
    assert_int_equal(tile->files.DstBits[1023][0], 127);
    assert_int_equal(tile->files.DstBits[0][0], 16 << 8 | 127);
}

static void to_dst_waits_for_srca(void **state)
{
    struct tensix *tx = to_dst(state, FORMAT_BF16, 16);
    tx->src[0].matrix_owns[0] = true;
    assert_false(try_exec(*state, 0, "UNPACR MultiContextMode=1"));
}

/* ---- Formats ------------------------------------------------------------------------------------------------------- */

struct conversion {
    uint8_t in, out, exponent, flags; /* flags: E4M3, UNSIGNED */
    uint32_t datum, cell;
};
enum { E4M3 = 1, UNSIGNED = 2 };

static uint32_t convert(void **state, const struct conversion *c, bool dst)
{
    struct tile *tile = *state;
    struct tensix *tx = dst ? to_dst(state, c->in, 1) : start(state, c->in, 1);
    SET(tx, THCON_SEC0_REG2_Out_data_format, c->out);
    SET(tx, THCON_SEC0_REG2_Force_shared_exp, 1);
    SET(tx, UNP0_FORCED_SHARED_EXP_shared_exp, c->exponent);
    SET(tx, THCON_SEC0_REG1_Unp_LF8_4b_exp, c->flags == E4M3);
    SET(tx, ALU_FORMAT_SPEC_REG0_SrcAUnsigned, c->flags == UNSIGNED);
    memcpy(tile->l1 + TILE, &c->datum, 4);
    go(state);
    if (!dst)
        return a(state, 0, 0);
    const bool wide = format_in(c->out, FORMATS_32BIT);
    return wide ? (uint32_t)tile->files.DstBits[0][0] << 16 | tile->files.DstBits[8][0] : tile->files.DstBits[0][0];
}

/* Sign, mantissa of ten bits, exponent of eight. */
static void each_format_becomes_a_cell_of_srca(void **state)
{
    static const struct conversion known[] = {
        {FORMAT_FP32, FORMAT_TF32, 0, 0, 0x3F80FFFF, 7 << 8 | 127}, /* truncated */
        {FORMAT_FP32, FORMAT_BF16, 0, 0, 0xBFC12345, 0x40000 | 0x41 << 11 | 127},
        {FORMAT_FP32, FORMAT_BF16, 0, 0, 0x80012345, 0x40000}, /* denormals become a zero */
        {FORMAT_FP32, FORMAT_FP16, 0, 0, 0x3F803FFF, 1 << 8 | 15},
        {FORMAT_FP32, FORMAT_FP16, 0, 0, 0xC7800000, 0x40000 | 31},    /* an exponent like any other */
        {FORMAT_FP32, FORMAT_FP16, 0, 0, 0x48000000, 0x3FF << 8 | 31}, /* too large */
        {FORMAT_FP32, FORMAT_FP16, 0, 0, 0x37800000, 0},               /* too small */
        {FORMAT_BF16, FORMAT_BF16, 0, 0, 0xBFC1, 0x40000 | 0x41 << 11 | 127},
        {FORMAT_FP16, FORMAT_FP16, 0, 0, 0xBC01, 0x40000 | 1 << 8 | 15},
        {FORMAT_FP8, FORMAT_FP8, 0, 0, 0x3D, 0x100 << 8 | 15},
        {FORMAT_FP8, FORMAT_FP8, 0, 0, 0x7F, 0x3FF << 8 | 31}, /* Blackhole: all ones go on */
        {FORMAT_FP8, FORMAT_FP8, 0, 0, 0xFC, 0x40000 | 31},
        {FORMAT_FP8, FORMAT_FP8, 0, E4M3, 0x39, 0x80 << 8 | 15},
        {FORMAT_FP8, FORMAT_FP8, 0, E4M3, 0x7F, 0x3FF << 8 | 23},
        {FORMAT_FP8, FORMAT_FP8, 0, E4M3, 0x01, 0x80 << 8},
        {FORMAT_BFP8, FORMAT_BFP8, 130, 0, 0xA0, 0x40000 | 129}, /* normalised */
        {FORMAT_BFP8, FORMAT_BFP8, 130, 0, 0x7F, 0x7E << 11 | 130},
        {FORMAT_BFP8, FORMAT_BFP8, 130, 0, 0x80, 0x40000 | 255}, /* a sign alone */
        {FORMAT_BFP8, FORMAT_BFP8, 0, 0, 0x20, 255},             /* the exponent wraps */
        {FORMAT_BFP4, FORMAT_BFP4, 128, 0, 0xC, 0x40000 | 128},
        {FORMAT_BFP4, FORMAT_BFP4, 128, 0, 0x1, 126},
        {FORMAT_BFP2, FORMAT_BFP2, 128, 0, 0x1, 128},
        {FORMAT_BFP2, FORMAT_BFP2, 128, 0, 0x2, 0x40000 | 255},
        {FORMAT_BFP8a, FORMAT_BFP8a, 20, 0, 0x60, 0x200 << 8 | 20},
        {FORMAT_BFP8a, FORMAT_BFP8a, 20, 0, 0x80, 0x40000 | 31},
        {FORMAT_BFP4a, FORMAT_BFP4a, 20, 0, 0x6, 0x200 << 8 | 20},
        {FORMAT_BFP2a, FORMAT_BFP2a, 20, 0, 0x1, 20},
        {FORMAT_INT8, FORMAT_INT8, 0, 0, 0x85, 0x40000 | 5 << 8 | 16},
        {FORMAT_INT8, FORMAT_INT8, 0, 0, 0x80, 0x40000},
        {FORMAT_INT8, FORMAT_INT8, 0, UNSIGNED, 0x85, 0x85 << 8 | 16},
        {FORMAT_INT16, FORMAT_INT16, 0, 0, 0x8123, 0x8100 << 3 | 0x23},
    };
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (convert(state, &known[i], false) != known[i].cell)
            fail_msg("%s to %s: 0x%x became 0x%x, not 0x%x", format_name(known[i].in), format_name(known[i].out),
                     known[i].datum, convert(state, &known[i], false), known[i].cell);
}

static void each_format_becomes_a_cell_of_dst(void **state)
{
    static const struct conversion known[] = {
        {FORMAT_FP32, FORMAT_FP32, 0, 0, 0xC1234567, 0xA3824567}, /* exponent 0x82, mantissa 0x23 */
        {FORMAT_FP32, FORMAT_TF32, 0, 0, 0xC1234567, 0xA3824567}, /* means FP32 */
        {FORMAT_TF32, FORMAT_TF32, 0, 0, 0xC1234567, 0xA3824567},
        {FORMAT_INT32, FORMAT_INT32, 0, 0, 0xC1234567, 0xA3824567},
        {FORMAT_FP32, FORMAT_BF16, 0, 0, 0xC1234567, 0xA382},
        {FORMAT_FP32, FORMAT_FP16, 0, 0, 0x3F803FFF, 1 << 5 | 15},
        {FORMAT_BF16, FORMAT_BF16, 0, 0, 0xC123, 0xA382},
        {FORMAT_FP16, FORMAT_FP16, 0, 0, 0xBC01, 0x8000 | 1 << 5 | 15},
        {FORMAT_FP8, FORMAT_FP8, 0, 0, 0x3D, 0x100 << 5 | 15},
        {FORMAT_BFP8, FORMAT_BFP8, 130, 0, 0x7F, 0x7E << 8 | 130},
        {FORMAT_BFP4a, FORMAT_BFP4a, 20, 0, 0x6, 0x200 << 5 | 20},
        {FORMAT_INT8, FORMAT_INT8, 0, 0, 0x85, 0x8000 | 5 << 5 | 16},
        {FORMAT_INT16, FORMAT_INT16, 0, 0, 0x8123, 0x8123},
    };
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (convert(state, &known[i], true) != known[i].cell)
            fail_msg("%s to %s: 0x%x became 0x%x, not 0x%x", format_name(known[i].in), format_name(known[i].out),
                     known[i].datum, convert(state, &known[i], true), known[i].cell);
}

/* ---- Compressed input -------------------------------------------------------------------------------------------- */

/* A stream of datums 0x3F80, 0x3F81 ... with the given counts of zeroes (32 datums, 32 counts, ...) and row starts; YDim 16. */
static void put_compressed(void **state, unsigned rows, const uint16_t *starts, unsigned datums, const uint8_t *zeroes)
{
    struct tile *tile = *state;
    const uint32_t stream = TILE + (uint32_t)((16 + 1) * 2 + 15) / 16 * 16; /* 17 row starts */
    memcpy(tile->l1 + TILE, starts, 2 * (rows + 1));
    for (unsigned i = 0; i < datums; i++) {
        const uint32_t group = stream + i / 32 * 80;
        const uint16_t value = (uint16_t)(0x3F80 + i);
        memcpy(tile->l1 + group + i % 32 * 2, &value, 2);
        tile->l1[group + 64 + i % 32 / 2] |= (uint8_t)(zeroes[i] << i % 2 * 4);
    }
}

static struct tensix *compressed(void **state, unsigned datums)
{
    struct tensix *tx = start(state, FORMAT_BF16, datums);
    SET(tx, THCON_SEC0_REG2_Disable_zero_compress_cntx0, 0);
    return tx;
}

static void a_compressed_row_ends_where_the_next_begins(void **state)
{
    struct tensix *tx = compressed(state, 16);
    const uint8_t zeroes[] = {15, 0, 2, 1, 0, 9, 0};
    put_compressed(state, 3, (const uint16_t[]){0, 1, 5, 7}, 7, zeroes);
    tx->thread[0].adc[0][0].y = 1; /* datums 1 to 4: 1, 0 0 2, 0 3, 4 */
    memset(((struct tile *)*state)->files.SrcA, 1, sizeof((struct tile *)*state)->files.SrcA);
    go(state);
    const uint32_t expected[] = {0x3F81, 0, 0, 0x3F82, 0, 0x3F83, 0x3F84};
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(a(state, 0, i), bf16(expected[i]));
    assert_int_equal(a(state, 0, 7), 0x01010101);
}

static void part_of_a_compressed_row_drops_what_is_before(void **state)
{
    struct tensix *tx = compressed(state, 16);
    const uint8_t zeroes[] = {3, 3, 3, 3};
    put_compressed(state, 1, (const uint16_t[]){0, 4}, 4, zeroes);
    tx->thread[0].adc[0][0].x = 2; /* 0 and 0x3F80, 0 0 0 0x3F81, 0 0: positions 2 to 9 */
    tx->thread[0].adc[0][1].x = 9;
    memset(((struct tile *)*state)->files.SrcA, 1, sizeof((struct tile *)*state)->files.SrcA);
    go(state);
    const uint32_t expected[] = {0, 0x3F80, 0, 0, 0, 0x3F81, 0, 0};
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(a(state, 0, i), bf16(expected[i]));
    assert_int_equal(a(state, 0, 8), 0x01010101);
}

static void a_compressed_stream_goes_on_behind_its_counts(void **state)
{
    struct tensix *tx = compressed(state, 16);
    uint8_t zeroes[40] = {0};
    zeroes[32] = 1;
    put_compressed(state, 2, (const uint16_t[]){0, 30, 36}, 40, zeroes);
    tx->thread[0].adc[0][0].y = 1; /* datums 30 to 35 */
    go(state);
    const uint32_t expected[] = {0x3F9E, 0x3F9F, 0, 0x3FA0, 0x3FA1, 0x3FA2, 0x3FA3};
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(a(state, 0, i), bf16(expected[i]));
    tx->thread[0].adc[0][0].y = 2; /* datums 36 and 37: of the second group */
    memcpy(((struct tile *)*state)->l1 + TILE + 6, &(const uint16_t){38}, 2);
    go(state);
    assert_int_equal(a(state, 0, 0), bf16(0x3FA4));
    assert_int_equal(a(state, 0, 1), bf16(0x3FA5));
    assert_int_equal(a(state, 0, 3), bf16(0x3FA0));
}

static void a_row_search_takes_rows_from_y_to_x(void **state)
{
    struct tensix *tx = compressed(state, 16);
    const uint8_t zeroes[8] = {0};
    put_compressed(state, 4, (const uint16_t[]){0, 2, 4, 6, 8}, 8, zeroes);
    tx->thread[0].adc[0][0].y = 1;
    tx->thread[0].adc[0][0].x = 2; /* to the end of row 2 */
    memset(((struct tile *)*state)->files.SrcA, 1, sizeof((struct tile *)*state)->files.SrcA);
    exec(*state, "UNPACR MultiContextMode=1, RowSearch=1");
    assert_int_equal(a(state, 0, 0), bf16(0x3F82));
    assert_int_equal(a(state, 0, 3), bf16(0x3F85));
    assert_int_equal(a(state, 0, 4), 0x01010101);
}

/* A plane has YDim row starts, or, where blobs are searched, BlobsPerXYPlane; their section has room for the latter. */
static void planes_of_row_starts_follow_each_other(void **state)
{
    struct tensix *tx = compressed(state, 16);
    static const uint16_t starts[8] = {0, 1, 2, 4, 7, 9, 10, 11};
    memcpy(((struct tile *)*state)->l1 + TILE, starts, sizeof starts);
    put16(state, TILE + 16, 16, 0x3F80);
    tx->config[0][THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1] = 2 | 2u << 16; /* YDim, ZDim */
    SET(tx, THCON_SEC0_REG0_TileDescriptor_BlobsPerXYPlane, 3);
    tx->thread[0].adc[0][0].z = 1;
    go(state); /* row 0 of plane 1: datums 2 and 3 */
    assert_int_equal(a(state, 0, 0), bf16(0x3F82));
    assert_int_equal(a(state, 0, 1), bf16(0x3F83));
    assert_int_equal(a(state, 0, 2), 0);
    exec(*state, "UNPACR MultiContextMode=1, RowSearch=1"); /* blob 0 of plane 1: datums 4 to 6, as X says */
    assert_int_equal(a(state, 0, 0), bf16(0x3F84));
    tx->thread[0].adc[0][0].w = 1;
    tx->thread[0].adc[0][0].z = 0;
    go(state); /* plane 2: datums 7 and 8 */
    assert_int_equal(a(state, 0, 0), bf16(0x3F87));
    assert_int_equal(a(state, 0, 1), bf16(0x3F88));
}

static void zero_datums_suppress_decompression(void **state)
{
    compressed(state, 16);
    const uint8_t zeroes[] = {7, 7};
    put_compressed(state, 1, (const uint16_t[]){0, 2}, 2, zeroes);
    memset(((struct tile *)*state)->files.SrcA, 1, sizeof((struct tile *)*state)->files.SrcA);
    exec(*state, "UNPACR MultiContextMode=1, AllDatumsAreZero=1");
    assert_int_equal(a(state, 0, 1), 0);
    assert_int_equal(a(state, 0, 2), 0x01010101);
}

/* ---- Row search without compression ------------------------------------------------------------------------------ */

static void blobs_begin_at_multiples_of_16_datums(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, THCON_SEC0_REG0_TileDescriptor_BlobsPerXYPlane, 3);
    SET(tx, THCON_SEC0_REG5_Tile_x_dim_cntx0, 0x47); /* the last blob ends at 0x40 */
    SET(tx, UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start, 0x310);
    tx->thread[0].adc[0][0].y = 1; /* from blob 1: datum 16 */
    tx->thread[0].adc[0][0].x = 1; /* to the end of blob 1: datum 48 */
    put16(state, TILE, 80, 0x3000);
    exec(*state, "UNPACR MultiContextMode=1, RowSearch=1");
    assert_int_equal(a(state, 0, 0), bf16(0x3010));
    assert_int_equal(a(state, 1, 15), bf16(0x302F));
    assert_int_equal(a(state, 2, 0), 0);
    tx->thread[0].adc[0][0].y = 2;
    tx->thread[0].adc[0][0].x = 2;
    exec(*state, "UNPACR MultiContextMode=1, RowSearch=1");
    assert_int_equal(a(state, 0, 15), bf16(0x303F));
    /* Contexts 2 and 3 have a word of their own. */
    SET(tx, UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start, 0x210);
    SET(tx, THCON_SEC0_REG3_Base_cntx2_address, TILE / 16 - 1);
    SET(tx, THCON_SEC0_REG5_Dest_cntx2_address, 64);
    tx->thread[0].adc[0][0].y = 1;
    tx->thread[0].adc[0][0].x = 1;
    memset(((struct tile *)*state)->files.SrcA, 0, sizeof((struct tile *)*state)->files.SrcA);
    exec(*state, "UNPACR MultiContextMode=1, ContextNumber=2, RowSearch=1");
    assert_int_equal(a(state, 0, 15), bf16(0x301F));
    assert_int_equal(a(state, 1, 0), 0);
}

static void a_row_search_without_blobs_ends_before_channel_1(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    tx->thread[0].adc[0][0].x = 5;
    tx->thread[0].adc[0][0].y = 1;
    put16(state, TILE + 32, 16, 0x3000);
    exec(*state, "UNPACR MultiContextMode=1, RowSearch=1");
    assert_int_equal(a(state, 0, 0), bf16(0x3000));
    assert_int_equal(a(state, 0, 14), bf16(0x300E));
    assert_int_equal(a(state, 0, 15), 0);
}

/* ---- Behind faults ----------------------------------------------------------------------------------------------- */

static void goes_on(void **state, const char *text, kerr_fault_kind kind)
{
    struct tile *tile = *state;
    tile->goes_on = true;
    tile->faults = 0;
    assert_true(try_exec(tile, 0, text));
    assert_int_equal(tile->faults, 1);
    assert_int_equal(tile->fault_kind, kind);
}

static void a_pair_without_a_conversion_goes_on_as_the_input_says(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    SET(tx, THCON_SEC0_REG2_Out_data_format, FORMAT_FP16);
    put16(state, TILE, 16, 0x3F80);
    goes_on(state, "UNPACR MultiContextMode=1, FlipSrc=1", KERR_FAULT_UNDEFINED);
    assert_int_equal(a(state, 0, 1), bf16(0x3F81));
    assert_int_equal(tx->src[0].implied_format[0], FORMAT_FP16);
}

static void tf32_in_l1_is_fp32(void **state)
{
    struct tile *tile = *state;
    start(state, FORMAT_TF32, 16);
    const uint32_t value = 0x3F80FFFF;
    memcpy(tile->l1 + TILE, &value, 4);
    go(state);
    assert_int_equal(a(state, 0, 0), 7 << 8 | 127);
}

/* Vendor code lists these pairs: no fault. */
static void pairs_of_one_kind_need_not_be_equal(void **state)
{
    static const uint8_t pairs[][2] = {{FORMAT_BF16, FORMAT_TF32}, {FORMAT_BFP8, FORMAT_BF16},
                                       {FORMAT_BFP4, FORMAT_BFP8}, {FORMAT_BFP2, FORMAT_TF32},
                                       {FORMAT_FP8, FORMAT_FP16},  {FORMAT_BFP8a, FORMAT_FP16}};
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct tensix *tx = start(state, pairs[i][0], 16);
        go(state);
        struct tensix_files before = tile->files;
        memset(tile->files.SrcA, 0, sizeof tile->files.SrcA);
        SET(tx, THCON_SEC0_REG2_Out_data_format, pairs[i][1]);
        go(state);
        assert_memory_equal(&before, &tile->files, sizeof before);
    }
}

static void a_row_past_srcb_goes_on_with_its_low_bits(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    tx->src[1].unpacker_row[0] = 48;
    SET(tx, UNP1_ADDR_BASE_REG_1_Base, 2 * 16 * 17);
    put16(state, TILE, 16, 0x3000);
    exec(*state, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(b(state, 1, 0), bf16(0x3000));
}

static void a_burst_that_may_lose_rows_goes_on_with_all(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 32);
    SET(tx, THCON_SEC0_REG5_Dest_cntx0_address, 64 + 16 * 15);
    put16(state, TILE, 32, 0x3000);
    goes_on(state, "UNPACR MultiContextMode=1", KERR_FAULT_UNPREDICTABLE);
    assert_int_equal(a(state, 15, 0), bf16(0x3000));
    assert_int_equal(a(state, 16, 15), bf16(0x301F));
}

/* How many rows a burst has: 128 bytes for datums of 8, 16 and 32 bits, 64 of 4, 16 of 2; as Throttle_mode says if
 * ovrd_default_throttle_mode is set. */
static void bursts_have_as_many_rows_as_come_at_once(void **state)
{
    static const struct {
        uint8_t format, override, mode, rows;
    } known[] = {{FORMAT_BFP8, 0, 2, 8}, {FORMAT_BF16, 0, 0, 4}, {FORMAT_BFP4, 0, 2, 8}, {FORMAT_BFP2, 1, 3, 4},
                 {FORMAT_BF16, 1, 0, 1}, {FORMAT_BF16, 1, 1, 1}, {FORMAT_BF16, 1, 3, 4}, {FORMAT_BFP8, 1, 1, 2}};
    struct tile *tile = *state;
    tile->goes_on = true;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        struct tensix *tx = start(state, known[i].format, 32);
        SET(tx, THCON_SEC0_REG1_ovrd_default_throttle_mode, known[i].override);
        SET(tx, THCON_SEC0_REG2_Throttle_mode, known[i].mode);
        for (unsigned row = 0; row < 16; row++) {
            SET(tx, THCON_SEC0_REG5_Dest_cntx0_address, 64 + 16 * row);
            tile->faults = 0;
            assert_true(try_exec(tile, 0, "UNPACR MultiContextMode=1"));
            assert_int_equal(tile->faults, row % known[i].rows != 0);
        }
        SET(tx, THCON_SEC0_REG1_ovrd_default_throttle_mode, 0);
    }
}

/* ---- Soft reset and time ------------------------------------------------------------------------------------------ */

static void soft_reset_holds_both_back(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 16);
    put16(state, TILE, 16, 0x3000);
    set_soft_reset(*state, 0x83);
    assert_false(try_exec(*state, 0, "UNPACR MultiContextMode=1"));
    assert_false(try_exec(*state, 1, "UNPACR_NOP Unpack_Pop=1, Set_Dvalid=1"));
    assert_int_equal(a(state, 0, 0), 0);
    set_soft_reset(*state, 0);
    assert_int_equal(tx->src[0].unpacker_bank, 1);
}

static void columns_in_soft_reset_are_zero_and_stay_so(void **state)
{
    struct tile *tile = *state;
    start(state, FORMAT_BF16, 16);
    memset(tile->files.SrcA, 1, sizeof tile->files.SrcA);
    put16(state, TILE, 16, 0x3000);
    set_soft_reset(tile, 1 << 20); /* columns 4 to 7 */
    assert_int_equal(tile->files.SrcA[1][63][4], 0);
    assert_int_equal(tile->files.SrcA[1][63][8], 0x01010101);
    go(state);
    assert_int_equal(a(state, 0, 3), bf16(0x3003));
    assert_int_equal(a(state, 0, 7), 0);
    assert_int_equal(a(state, 0, 8), bf16(0x3008));
}

static void the_running_sum_has_17_bits(void **state)
{
    struct tensix *tx = coprocessor(state);
    SET(tx, THCON_SEC0_REG10_Unpacker_Reg_Wr_Addr, 0x70 / 4);
    tx->unpacker[1].SetRegAcc = 0x1FFFE;
    exec(*state,
         "UNPACR_NOP Unpacker_Select=1, Unpack_Pop=3, SetReg=1, Accumulate=1, Stream_Id=0x12, Msg_Clr_Cnt_Lo=5");
    assert_int_equal(tx->unpacker[1].SetRegAcc, 3);
    assert_int_equal(rd(*state, B, 0xFFB12070), 3);
    exec(*state, "UNPACR_NOP Unpacker_Select=1, Unpack_Pop=3, SetReg=1, Accumulate=1, Stream_Id=0x12, Msg_Clr_Cnt=7");
    assert_int_equal(rd(*state, B, 0xFFB12070), 0x703);
}

/* Cycles for 1024 datums, behind the two for the address: bytes a cycle are 16, 32, 64, 128 by Throttle_mode where
 * ovrd_default_throttle_mode lets it; x4 is 128 for what is wider than a byte (Blackhole). */
enum { TO_THE_GATE = 2 };
static void throttle_mode_says_how_fast(void **state)
{
    static const struct {
        uint8_t format, override, mode, upsample;
        bool tilize, compressed, dst;
        uint16_t cycles;
    } known[] = {
        {.format = FORMAT_BF16, .override = 1, .mode = 0, .cycles = 128},
        {.format = FORMAT_BF16, .override = 1, .mode = 1, .cycles = 64},
        {.format = FORMAT_BF16, .override = 1, .mode = 2, .cycles = 16},
        {.format = FORMAT_BF16, .override = 1, .mode = 3, .cycles = 16},
        {.format = FORMAT_BF16, .override = 0, .mode = 0, .cycles = 16},
        {.format = FORMAT_INT8, .override = 1, .mode = 0, .cycles = 64},
        {.format = FORMAT_INT8, .override = 1, .mode = 1, .cycles = 32},
        {.format = FORMAT_INT8, .override = 1, .mode = 2, .cycles = 16},
        {.format = FORMAT_INT8, .override = 1, .mode = 3, .cycles = 8},
        {.format = FORMAT_INT8, .override = 0, .mode = 0, .cycles = 8},
        {.format = FORMAT_BFP4, .override = 1, .mode = 0, .cycles = 32},
        {.format = FORMAT_BFP4, .override = 1, .mode = 1, .cycles = 16},
        {.format = FORMAT_BFP4, .override = 1, .mode = 2, .cycles = 8},
        {.format = FORMAT_BFP4, .override = 0, .mode = 0, .cycles = 8},
        {.format = FORMAT_BFP4, .override = 0, .mode = 0, .dst = true, .cycles = 16},
        {.format = FORMAT_BFP4, .override = 1, .mode = 0, .dst = true, .cycles = 32},
        {.format = FORMAT_BFP2, .override = 1, .mode = 2, .cycles = 16}, /* always x1 */
        {.format = FORMAT_BF16, .override = 1, .mode = 0, .tilize = true, .cycles = 16},
        {.format = FORMAT_INT8, .override = 1, .mode = 0, .tilize = true, .cycles = 16},
        /* More comes out than goes in: 16 datums a cycle. */
        {.format = FORMAT_BF16, .override = 1, .mode = 0, .upsample = 1, .cycles = 128},
        {.format = FORMAT_BF16, .override = 1, .mode = 2, .upsample = 1, .cycles = 128},
        {.format = FORMAT_BF16, .override = 0, .mode = 0, .upsample = 2, .cycles = 256},
        {.format = FORMAT_BF16, .override = 0, .mode = 0, .upsample = 3, .cycles = 512},
    };
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        struct tensix *tx = known[i].dst ? to_dst(state, known[i].format, 1024) : start(state, known[i].format, 1024);
        SET(tx, THCON_SEC0_REG1_ovrd_default_throttle_mode, known[i].override);
        SET(tx, THCON_SEC0_REG2_Throttle_mode, known[i].mode);
        SET(tx, THCON_SEC0_REG2_Upsample_rate, known[i].upsample);
        SET(tx, THCON_SEC0_REG2_Tileize_mode, known[i].tilize);
        tx->config[0][THCON_SEC0_REG2_Shift_amount_cntx0_ADDR32] |= (known[i].tilize ? 4u : 0) << 16;
        for (unsigned again = 0; again < 2; again++) {
            const uint64_t begin = exec_now;
            go(state);
            const uint64_t cycles = tx->unpacker[0].data_until - begin - TO_THE_GATE - COST_UNPACK_ADDRESS;
            if (cycles != known[i].cycles)
                fail_msg("line %u: %u cycles, not %u", i, (unsigned)cycles, known[i].cycles);
            exec_now += 1000;
        }
        memset(tx->config[0], 0, sizeof tx->config[0]);
    }
}

/* The first of two tiles keeps the second waiting: 2 + 16 cycles, then 16; of the other unpacker too, unless it is at x1. */
static void two_unpackers_share_the_way_to_l1(void **state)
{
    struct tensix *tx = start(state, FORMAT_BF16, 1024);
    const uint64_t begin = exec_now;
    exec(*state, "UNPACR MultiContextMode=1");
    assert_int_equal(tx->unpacker[0].data_until - begin, tx->unpacker[0].wide_until - begin);
    const uint64_t first = tx->unpacker[0].data_until;
    exec_now -= 98; /* two cycles behind the first */
    exec(*state, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    assert_int_equal(tx->unpacker[1].data_until - first, 16);
    tx = start(state, FORMAT_BFP2, 1024); /* 256 bytes, 16 a cycle */
    exec(*state, "UNPACR WhichUnpacker=1, MultiContextMode=1");
    const uint64_t narrow = tx->unpacker[1].data_until;
    start(state, FORMAT_BF16, 1024);
    exec_now -= 98;
    exec(*state, "UNPACR MultiContextMode=1");
    assert_true(tx->unpacker[0].data_until <= narrow + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(y_z_and_w_find_the_first_datum),
        CASE(a_dimension_of_zero_means_one_for_z_and_w),
        CASE(the_header_grows_with_digest_size),
        CASE(contexts_have_bases_formats_and_sizes_of_their_own),
        CASE(each_of_eight_contexts_has_its_bits),
        CASE(the_counter_goes_round_by_the_unpackers_own_context_count),
        CASE(a_counted_context_goes_up_to_seven),
        CASE(the_context_counter_is_used_and_counts_behind_the_offset),
        CASE(without_contexts_the_descriptor_and_the_own_counters_count),
        CASE(addresses_above_the_limit_go_back_by_the_fifo),
        CASE(an_address_at_the_limit_stays),
        CASE(exponents_wrap_by_themselves),
        CASE(bfp4_reads_nibbles_and_shared_exponents),
        CASE(a_forced_exponent_leaves_no_section_for_exponents),
        CASE(unpacker_1_has_its_own_conversions),
        CASE(no_exponent_section_means_exponents_from_where_the_datums_are),
        CASE(bfp8_keeps_its_section_whatever_the_flag_says),
        CASE(tilizing_takes_32_wide_datums_and_16_bytes_a_row),
        CASE(haloize_mode_transposes_blocks_of_16_rows),
        CASE(unpacker_1_does_not_transpose),
        CASE(unpacker_0_skips_four_rows_of_output),
        CASE(output_may_begin_in_the_middle_of_a_row),
        CASE(channel_1_counts_in_bytes_of_the_output_format),
        CASE(the_address_of_a_context_stands_alone_or_is_added),
        CASE(unpacker_1_has_no_output_address_of_a_context),
        CASE(without_set_ovrd_rows_are_16_behind_srcrow),
        CASE(srcb_rows_are_behind_srcrow_too),
        CASE(srcb_has_a_base_of_its_own),
        CASE(columns_are_shifted_out),
        CASE(each_context_has_its_shift),
        CASE(upsampling_puts_zeroes_behind_each_datum),
        CASE(upsampling_by_three_puts_seven),
        CASE(interleaving_leaves_the_places_between),
        CASE(all_datums_can_be_zero),
        CASE(sixteen_bits_go_to_dst16b_in_its_order),
        CASE(unpack_if_sel_counts_without_contexts),
        CASE(wide_datums_go_to_dst32b_as_two_halves),
        CASE(rows_of_dst_wrap_at_1024),
        CASE(to_dst_waits_for_srca),
        CASE(each_format_becomes_a_cell_of_srca),
        CASE(each_format_becomes_a_cell_of_dst),
        CASE(a_compressed_row_ends_where_the_next_begins),
        CASE(part_of_a_compressed_row_drops_what_is_before),
        CASE(a_compressed_stream_goes_on_behind_its_counts),
        CASE(a_row_search_takes_rows_from_y_to_x),
        CASE(planes_of_row_starts_follow_each_other),
        CASE(zero_datums_suppress_decompression),
        CASE(blobs_begin_at_multiples_of_16_datums),
        CASE(a_row_search_without_blobs_ends_before_channel_1),
        CASE(a_pair_without_a_conversion_goes_on_as_the_input_says),
        CASE(tf32_in_l1_is_fp32),
        CASE(pairs_of_one_kind_need_not_be_equal),
        CASE(a_row_past_srcb_goes_on_with_its_low_bits),
        CASE(a_burst_that_may_lose_rows_goes_on_with_all),
        CASE(bursts_have_as_many_rows_as_come_at_once),
        CASE(soft_reset_holds_both_back),
        CASE(columns_in_soft_reset_are_zero_and_stay_so),
        CASE(the_running_sum_has_17_bits),
        CASE(throttle_mode_says_how_fast),
        CASE(two_unpackers_share_the_way_to_l1),
    };
    return RUN(tests);
}
