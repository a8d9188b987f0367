/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* What the kernel library does with the unpackers from instruction to instruction, worked by hand (tt-metal tt_llk_blackhole:
 * llk_unpack_tilize.h, llk_unpack_untilize.h, cunpack_common.h).  Single instructions are in unpack_test.c. */
#include "tensix_isa.h"

#include "unit/tensix/exec.h"

#include "num/formats.h"

enum { SEC1 = 48, UNPACK_SYNC = 5, FACE = 256, MATRIX = 0x4000, TILES = 0x8000, OTHER = 0xC000 };

static void store_cfg(struct tile *tile, unsigned word, uint32_t value)
{
    exec_now += 100;
    wr_at(tile, T0, TENSIX_CFG_BASE + 4 * word, value, exec_now);
}

static void put16(struct tile *tile, uint32_t address, unsigned value)
{
    const uint16_t half = (uint16_t)value;
    memcpy(tile->l1 + address, &half, 2);
}

/* BF16 as a cell of Src. */
static uint32_t cell(unsigned x)
{
    return (x & 0x8000) << 3 | (x & 0x7F) << 11 | (x >> 7 & 0xFF);
}

/* configure_unpack_AB for BF16: faces of 16 x 16, both unpackers, contexts 0 and 1. */
static void configure(struct tile *tile)
{
    struct tensix *tx = &tile->dev.tensix;
    uint32_t *config = tx->config[0];
    for (unsigned section = 0; section <= SEC1; section += SEC1) {
        config[64 + section] = FORMAT_BF16 | 1u << 4 | FACE << 16;
        config[65 + section] = 1 | 4u << 16; /* YDim, ZDim */
        config[72 + section] = FORMAT_BF16 | 2u << 4;
        config[73 + section] = 0x000F000F;
    }
    config[50] = 1u << 8; /* UNP0_ADD_DEST_ADDR_CNTR */
    config[56] = 2 * FACE << 16;
    config[57] = config[59] = 2 * FACE; /* Z strides of channel 1 */
    config[84] = 64u << 16 | 64;
    config[86] = (unsigned)FACE << 16 | FACE;
    exec(tile, "SETC16 CfgIndex=5, NewValue=4"); /* SRCA_SET_SetOvrdWithAddr */
    exec(tile, "SETC16 CfgIndex=41, NewValue=0");
    exec(tile, "SETADCXY U0=1, U1=1, Y1=1, Y0=1, X0=1");
    exec(tile, "SETADCZW U0=1, U1=1, W1=1, Z1=1, W0=1, Z0=1");
}

/* wait_for_next_context(2), a base for each unpacker, semaphore_post, STALLWAIT. */
static void begin_context(struct tile *tile, unsigned context, uint32_t base_a, uint32_t base_b)
{
    exec_now += 100;
    assert_true(rd_at(tile, T0, PC_BUF_SEMAPHORE + 4 * UNPACK_SYNC, exec_now) < 2);
    store_cfg(tile, context ? THCON_SEC0_REG3_Base_cntx1_address_ADDR32 : THCON_SEC0_REG3_Base_address_ADDR32, base_a);
    store_cfg(tile, context ? THCON_SEC1_REG3_Base_cntx1_address_ADDR32 : THCON_SEC1_REG3_Base_address_ADDR32, base_b);
    exec_now += 100;
    wr_at(tile, T0, PC_BUF_SEMAPHORE + 4 * UNPACK_SYNC, 0, exec_now);
    assert_int_equal(tile->dev.tensix.semaphore[UNPACK_SYNC].value, 1);
    exec(tile, "STALLWAIT BlockMask=8, ConditionMask=1024");
}

/* t6_semaphore_get, switch_config_context. */
static void end_context(struct tile *tile, unsigned *context)
{
    exec(tile, "SEMGET SemaphoreMask=32");
    assert_int_equal(tile->dev.tensix.semaphore[UNPACK_SYNC].value, 0);
    *context ^= 1;
    exec(tile, *context ? "SETC16 CfgIndex=41, NewValue=257" : "SETC16 CfgIndex=41, NewValue=0");
}

/* The Matrix Unit has what was handed over, and gives it back. */
static void take_banks(struct tile *tile, unsigned bank)
{
    assert_int_equal(tile->dev.tensix.src[0].matrix_owns[bank], true);
    assert_int_equal(tile->dev.tensix.src[1].matrix_owns[bank], true);
    exec(tile, "SETRWC FlipSrcA=1, FlipSrcB=1");
}

/* _llk_unpack_tilizeA_B_: the second tile of a matrix of 32 rows and 64 columns, a row of SrcA an UNPACR, SrcB a face at once.
 * Faces: where the tile begins, 16 datums further, 16 rows further, both. */
static void tilizing_with_srcb_takes_a_row_an_unpacr(void **state)
{
    enum { COLUMNS = 64, ROW_UNITS = COLUMNS * 2 / 16, TILE = 1 };
    struct tile *tile = *state;
    configure(tile);
    for (unsigned i = 0; i < 32 * COLUMNS; i++)
        put16(tile, MATRIX + 2 * i, 0x3000 + i);
    for (unsigned i = 0; i < 4 * FACE; i++)
        put16(tile, TILES + 2 * i, 0x5000 + i);
    store_cfg(tile, SCRATCH_SEC0_val_ADDR32, ROW_UNITS);
    store_cfg(tile, UNP0_ADDR_CTRL_XY_REG_1_Ystride_ADDR32, 2 * 16 << UNP0_ADDR_CTRL_XY_REG_1_Ystride_SHAMT);
    exec(tile, "SETADCXX U0=1, X1Val=15");
    exec(tile, "SETADCXX U1=1, X1Val=255");
    unsigned context = 0;
    for (unsigned face = 0; face < 4; face++) {
        const unsigned first = (face >= 2 ? 16u * COLUMNS : 0u) + 32u * TILE + face % 2 * 16, bank = face % 2;
        begin_context(tile, context, (MATRIX + 2 * first) / 16 - 1, TILES / 16 - 1);
        exec(tile, "SETADCXY U0=1, Y1=1, Y0=1");
        exec(tile, "UNPACR WhichUnpacker=1, Ch0ZInc=1, MultiContextMode=1, FlipSrc=1, Last=1");
        for (unsigned row = 0; row < 15; row++) { /* a replayed half of the template: by the context */
            exec(tile, "UNPACR Ch1YInc=1, MultiContextMode=1, Last=1");
            exec(tile, context ? "CFGSHIFTMASK MaskMode=1, AluMode=3, MaskWidth=31, ScratchIndex=3, CfgIndex=77"
                               : "CFGSHIFTMASK MaskMode=1, AluMode=3, MaskWidth=31, ScratchIndex=3, CfgIndex=76");
            exec(tile, "NOP");
        }
        exec(tile, "UNPACR MultiContextMode=1, FlipSrc=1, Last=1");
        for (unsigned i = 0; i < FACE; i++) {
            assert_int_equal(tile->files.SrcA[bank][i / 16][i % 16], cell(0x3000 + first + i / 16 * COLUMNS + i % 16));
            assert_int_equal(tile->files.SrcB[bank][i / 16][i % 16], cell(0x5000 + face * FACE + i));
        }
        take_banks(tile, bank);
        end_context(tile, &context);
    }
}

/* _llk_unpack_untilize_pass_: the upper faces of three tiles side by side.  An UNPACR is half a row of a tile, of its left and
 * right face; WRCFG goes to the next tile, the carriage return of Z to its left face.  A bank is full after eight tiles. */
static void a_pass_of_untilizing_goes_through_tiles_row_by_row(void **state)
{
    enum { TILE_UNITS = 128, ACROSS = 3, TILE_SIZE = 14 };
    struct tile *tile = *state;
    configure(tile);
    for (unsigned i = 0; i < ACROSS * 4 * FACE; i++)
        put16(tile, TILES + 2 * i, 0x3000 + i);
    store_cfg(tile, UNP0_ADDR_CTRL_XY_REG_1_Ystride_ADDR32, 2 * 16 << UNP0_ADDR_CTRL_XY_REG_1_Ystride_SHAMT);
    store_cfg(tile, 65, 16 | 4u << 16); /* YDim 16 */
    store_cfg(tile, 86, 16u << 16 | 16);
    tile->dev.tensix.thread[0].gpr[TILE_SIZE] = TILE_UNITS;
    unsigned context = 1; /* the second: its base, its offset */
    exec(tile, "SETC16 CfgIndex=41, NewValue=257");
    exec(tile, "SETADCXX U0=1, X1Val=15");
    exec(tile, "SETADCXY U0=1, Y0=1");
    exec(tile, "SETADC U0=1, XYZW=2");
    store_cfg(tile, THCON_SEC0_REG3_Base_address_ADDR32, OTHER / 16 - 1);
    begin_context(tile, context, TILES / 16 - 1, OTHER / 16 - 1);
    unsigned count = 0, bank = 0, from = 0;
    for (unsigned row = 0; row < 16; row++) {
        for (unsigned across = 0; across < ACROSS; across++) {
            exec(tile, "DMANOP");
            exec(tile, "UNPACR Ch1YInc=1, Ch0ZInc=1, MultiContextMode=1, Last=1");
            exec(tile, "UNPACR Ch1YInc=1, Ch0ZInc=1, MultiContextMode=1, Last=1");
            exec(tile, "ADDDMAREG ResultReg=13, RightReg=13, LeftReg=14");
            exec(tile, "STALLWAIT BlockMask=128, ConditionMask=1");
            exec(tile, "ADDRCRZW U0=1, Z0=1");
            exec(tile, "WRCFG InputReg=13, CfgIndex=93");
            assert_int_equal(tile->dev.tensix.config[0][93], (across + 1) * TILE_UNITS);
            if (++count < 8)
                continue;
            exec(tile, "UNPACR_NOP Unpacker_Select=1, Set_Dvalid=1, Unpack_Pop=1");
            exec(tile, "SETDVALID FlipSrcA=1");
            for (unsigned i = 0; i < FACE; i++) { /* in the order of the rows of the matrix */
                const unsigned piece = from + i / 16, of_tile = piece / 2 % ACROSS, of_row = piece / 2 / ACROSS;
                assert_int_equal(tile->files.SrcA[bank][i / 16][i % 16],
                                 cell(0x3000 + of_tile * 4 * FACE + piece % 2 * FACE + of_row * 16 + i % 16));
                assert_int_equal(tile->files.SrcB[bank][i / 16][i % 16], 0);
            }
            take_banks(tile, bank);
            exec(tile, "SETADCXY U0=1, Y1=1");
            from += 16, count = 0, bank ^= 1;
        }
        exec(tile, "SETDMAREG NewValue=0, ResultHalfReg=26");
        exec(tile, "STALLWAIT BlockMask=128, ConditionMask=1");
        exec(tile, "WRCFG InputReg=0, CfgIndex=93");
        exec(tile, "INCADCXY U0=1, Y0Inc=1");
    }
    assert_int_equal(from, 2 * 16 * ACROSS);
    end_context(tile, &context);
    assert_int_equal(context, 0);
}

/* Two contexts in turn: the core writes the base of one while UNPACRs use the other; it waits while both are taken. */
static void contexts_take_turns(void **state)
{
    struct tile *tile = *state;
    configure(tile);
    exec(tile, "SETADCXX U0=1, U1=1, X1Val=255");
    for (unsigned n = 0; n < 4; n++)
        for (unsigned i = 0; i < FACE; i++) {
            put16(tile, MATRIX + 2 * FACE * n + 2 * i, 0x3000 + FACE * n + i);
            put16(tile, TILES + 2 * FACE * n + 2 * i, 0x5000 + FACE * n + i);
        }
    unsigned context = 0;
    for (unsigned n = 0; n < 4; n++) {
        begin_context(tile, context, (MATRIX + 2 * FACE * n) / 16 - 1, (TILES + 2 * FACE * n) / 16 - 1);
        /* The other one is somebody else's already. */
        store_cfg(tile, 76 + !context, OTHER / 16 - 1);
        store_cfg(tile, 124 + !context, OTHER / 16 - 1);
        exec(tile, "UNPACR MultiContextMode=1, FlipSrc=1, Last=1");
        exec(tile, "UNPACR WhichUnpacker=1, MultiContextMode=1, FlipSrc=1, Last=1");
        assert_int_equal(tile->files.SrcA[n % 2][15][15], cell(0x3000 + FACE * n + 255));
        assert_int_equal(tile->files.SrcB[n % 2][15][15], cell(0x5000 + FACE * n + 255));
        take_banks(tile, n % 2);
        end_context(tile, &context);
        assert_int_equal(context, !(n % 2));
    }
    /* 0x0104, as unpacker_iteration_cleanup has it: context 4 of unpacker 0, 1 of unpacker 1. */
    exec(tile, "SETC16 CfgIndex=41, NewValue=260");
    store_cfg(tile, THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32, 1u << 16);
    store_cfg(tile, THCON_SEC0_REG4_Base_cntx4_address_ADDR32, MATRIX / 16 - 1);
    store_cfg(tile, THCON_SEC1_REG3_Base_cntx1_address_ADDR32, TILES / 16 - 1);
    exec(tile, "UNPACR MultiContextMode=1, FlipSrc=1, Last=1");
    exec(tile, "UNPACR WhichUnpacker=1, MultiContextMode=1, FlipSrc=1, Last=1");
    assert_int_equal(tile->files.SrcA[0][15][15], cell(0x3000 + 255));
    assert_int_equal(tile->files.SrcB[0][15][15], cell(0x5000 + 255));
}

/* configure_unpack_AB writes its words with mutex 0 in hand: a second thread waits with its own. */
static void mutex_0_guards_words_of_configuration(void **state)
{
    struct tile *tile = *state;
    const uint32_t before = tile->dev.tensix.config[0][50];
    exec_on(tile, 0, "ATGETM Index=0");
    exec_on(tile, 0, "RMWCIB0 Mask=255, NewValue=17, Index4=50");
    assert_false(try_exec(tile, 1, "ATGETM Index=0"));
    assert_int_equal(tile->dev.tensix.mutex[0], 1);
    assert_int_equal(tile->dev.tensix.config[0][50], (before & ~0xFFu) | 17);
    exec_on(tile, 0, "ATRELM Index=0");
    exec_now += 100;
    while (tensix_next(&tile->dev.tensix) < exec_now)
        tensix_run(&tile->lent, &tile->dev.tensix, exec_now);
    assert_int_equal(tile->dev.tensix.mutex[0], 2);
    assert_int_equal(tile->dev.tensix.thread[1].gate_count, 0);
}

/* The words of a disassembled matmul that name them by numbers: configuration by word, MOP and SEMGET by field. */
static void words_of_a_disassembled_matmul(void **state)
{
    (void)state;
    assert_int_equal(UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 57);
    assert_int_equal(UNP0_ADDR_CTRL_ZW_REG_1_Zstride_SHAMT, 0);
    assert_int_equal(UNP1_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 59);
    assert_int_equal(UNP1_ADDR_CTRL_ZW_REG_1_Zstride_SHAMT, 0);
    assert_int_equal(THCON_SEC0_REG0_TileDescriptor_ADDR32, 64);
    assert_int_equal(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, 84);
    assert_int_equal(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, 86);
    assert_int_equal(word_of("MOP Template=1"), 0x01800000);          /* ttmop 1,0,0 */
    assert_int_equal(word_of("SEMGET SemaphoreMask=32"), 0xA5000080); /* ttsemget 32 */
    assert_int_equal(word_of("ATGETM Index=0"), 0xA0000000);
    assert_int_equal(word_of("ATRELM Index=0"), 0xA1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(tilizing_with_srcb_takes_a_row_an_unpacr),
        CASE(a_pass_of_untilizing_goes_through_tiles_row_by_row),
        CASE(contexts_take_turns),
        CASE(mutex_0_guards_words_of_configuration),
        CASE(words_of_a_disassembled_matmul),
    };
    return RUN(tests);
}
