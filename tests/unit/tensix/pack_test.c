/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* The packer beyond single instructions (tests/isa/tensix/PACR.t): resets, TDMA-RISC's FIFO, seeds, compression and back. */
#include "tensix_isa.h" /* before tile_regs.h, whose macros have names of its instructions */

#include "unit/tensix/exec.h"

#include "base/shake.h"

#include "tensix/pack/pack.h"
#include "tensix/regs/dst.h"

enum { PACK = 2, OUT = 0x4000, PLAIN_OUT = 0x20000, SOFT_RESET_PACKER = 1 << 2, SOFT_RESET_DST = 1 << 17 };

static struct tensix_packer *packer_of(struct tile *tile)
{
    return &tile->dev.tensix.packer;
}

/* BF16 to BF16, rows of 16, to OUT. */
static void configure(struct tile *tile)
{
    uint32_t *config = tile->dev.tensix.config[0];
    config[ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32] = FORMAT_BF16 << ALU_FORMAT_SPEC_REG2_Dstacc_SHAMT;
    config[THCON_SEC0_REG1_Out_data_format_ADDR32] = 1 | FORMAT_BF16 << 4 | FORMAT_BF16 << 8;
    config[PCK0_ADDR_CTRL_XY_REG_0_Ystride_ADDR32] = 32u << PCK0_ADDR_CTRL_XY_REG_0_Ystride_SHAMT;
    config[PCK_EDGE_OFFSET_SEC0_mask_ADDR32] = 0xFFFF;
    config[PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_ADDR32] = 1u << PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_SHAMT;
    config[THCON_SEC0_REG1_L1_Dest_addr_ADDR32] = OUT / 16 - 1;
    tile->dev.tensix.thread[PACK].adc[2][1].x = 15;
}

static uint16_t l1_half(const struct tile *tile, uint32_t address)
{
    uint16_t value;
    memcpy(&value, tile->l1 + address, 2);
    return value;
}

/* ---- Soft reset (manual SoftReset) ---- */

static void soft_reset_holds_pacr_back_and_forgets_what_waits(void **state)
{
    struct tile *tile = *state;
    struct tensix_packer *p = packer_of(tile);
    configure(tile);
    tile->dev.tensix.thread[PACK].adc[2][1].x = 0;
    tile->files.DstBits[0][0] = dst_encode_bf16(0x3F80);
    exec_on(tile, PACK, "PACR ReadIntfSel=1, Last=1");
    exec_on(tile, PACK, "PACR ReadIntfSel=1");
    assert_int_equal(p->last_tile_size, 1);
    assert_int_equal(p->data.bits, 16);
    tile->dev.tdma.l1_dest_addr_offset[0] = 5;
    set_soft_reset(tile, SOFT_RESET_PACKER);
    assert_int_equal(p->last_tile_size, 0);
    assert_int_equal(p->acc_tile_size[PACK], 0);
    assert_int_equal(p->data.bits, 0);
    assert_false(p->data.open);
    memset(tile->l1 + OUT, 0, 16);
    assert_false(try_exec(tile, PACK, "PACR ReadIntfSel=1, Last=1"));
    assert_int_equal(l1_half(tile, OUT), 0);
    assert_int_equal(tile->dev.tdma.l1_dest_addr_offset[0], 5);
    set_soft_reset(tile, 0);
    assert_int_equal(l1_half(tile, OUT), 0x3F80); /* the one that waited */
    assert_int_equal(tile->dev.tdma.l1_dest_addr_offset[0], 0);
    set_soft_reset(tile, SOFT_RESET_PACKER);
    assert_false(try_exec(tile, PACK, "PACR_SETREG ModeSel=1, Value16=7"));
    set_soft_reset(tile, 0);
    assert_int_equal(p->register_value, 7);
}

static void soft_reset_of_the_connection_to_dst_clears_histogram_and_generators(void **state)
{
    struct tile *tile = *state;
    struct tensix_packer *p = packer_of(tile), seeded = {0};
    p->exponent_histogram[3] = p->max_exponent = 9;
    set_soft_reset(tile, SOFT_RESET_DST);
    assert_int_equal(p->exponent_histogram[3], 0);
    assert_int_equal(p->max_exponent, 0);
    p->prng[5] = 77;
    set_soft_reset(tile, 0);
    pack_seed(&seeded, 0);
    assert_memory_equal(p->prng, seeded.prng, sizeof p->prng);
}

/* ---- PRNG_SEED (manual BackendConfiguration: it seeds all generators) ---- */

static void a_write_of_prng_seed_seeds_each_column_on_its_own(void **state)
{
    struct tile *tile = *state;
    struct tensix_packer *p = packer_of(tile), seeded = {0};
    wr(tile, B, TENSIX_CFG_BASE + 4 * PRNG_SEED_Seed_Val_ADDR32, 0x12345678);
    pack_seed(&seeded, 0x12345678);
    assert_memory_equal(p->prng, seeded.prng, sizeof p->prng);
    for (unsigned i = 1; i < ROW_DATUMS; i++)
        assert_int_not_equal(p->prng[i], p->prng[0]);
}

/* A quarter of what is discarded goes up about a quarter of the time, and 0 discarded does when the random bits are 0. */
static void stochastic_rounding_rounds_up_as_often_as_it_should(void **state)
{
    struct tile *tile = *state;
    uint32_t *config = tile->dev.tensix.config[0];
    configure(tile);
    config[ALU_ROUNDING_MODE_Gasket_srnd_en_ADDR32] |= ALU_ROUNDING_MODE_Gasket_srnd_en_MASK;
    config[PCK_DEST_RD_CTRL_Read_32b_data_ADDR32] = PCK_DEST_RD_CTRL_Read_32b_data_MASK;
    uint32_t row[DST_COLUMNS];
    for (unsigned i = 0; i < DST_COLUMNS; i++)
        row[i] = dst_encode_fp32(0x3F804000);
    dst_write32(&tile->files, 0, 0, row);
    pack_seed(packer_of(tile), 1);
    unsigned up = 0, total = 0;
    for (unsigned n = 0; n < 500; n++) {
        exec_on(tile, PACK, "PACR ReadIntfSel=1, Last=1");
        for (unsigned i = 0; i < DST_COLUMNS; i++, total++) {
            const uint16_t value = l1_half(tile, OUT + 2 * i);
            assert_true(value == 0x3F80 || value == 0x3F81);
            up += value == 0x3F81;
        }
    }
    assert_in_range(up, total / 5, total * 3 / 10);
}

/* The same for FP16 in Dst, of which BFP8a has six bits of the mantissa. */
static void stochastic_rounding_of_16_bits(void **state)
{
    struct tile *tile = *state;
    uint32_t *config = tile->dev.tensix.config[0];
    configure(tile);
    config[ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32] = FORMAT_BFP8a << ALU_FORMAT_SPEC_REG2_Dstacc_SHAMT;
    config[ALU_ROUNDING_MODE_Gasket_srnd_en_ADDR32] |= ALU_ROUNDING_MODE_Gasket_srnd_en_MASK;
    config[THCON_SEC0_REG1_Exp_section_size_ADDR32] = 1u << THCON_SEC0_REG1_Exp_section_size_SHAMT;
    config[THCON_SEC0_REG1_Out_data_format_ADDR32] = 1 | FORMAT_BFP8a << 4 | FORMAT_BFP8a << 8;
    for (unsigned i = 0; i < DST_COLUMNS; i++)
        tile->files.DstBits[0][i] = dst_encode_fp16(0x3C04); /* 1.0 and a quarter of what BFP8a has last */
    pack_seed(packer_of(tile), 1);
    unsigned up = 0, total = 0;
    for (unsigned n = 0; n < 500; n++) {
        exec_on(tile, PACK, "PACR ReadIntfSel=1, Last=1");
        for (unsigned i = 0; i < DST_COLUMNS; i++, total++) {
            const uint8_t value = tile->l1[OUT + 16 + i];
            assert_true(value == 0x40 || value == 0x41);
            up += value == 0x41;
        }
    }
    assert_in_range(up, total / 5, total * 2 / 5);
}

static void stochastic_rounding_of_shared_exponents(void **state)
{
    struct tile *tile = *state;
    struct tensix_packer *p = packer_of(tile);
    configure(tile);
    uint32_t *config = tile->dev.tensix.config[0];
    config[ALU_ROUNDING_MODE_Packer_srnd_en_ADDR32] |= ALU_ROUNDING_MODE_Packer_srnd_en_MASK;
    config[THCON_SEC0_REG1_Out_data_format_ADDR32] = 1 | FORMAT_BFP8 << 4 | FORMAT_BF16 << 8;
    config[THCON_SEC0_REG1_Exp_section_size_ADDR32] = 1u << THCON_SEC0_REG1_Exp_section_size_SHAMT;
    for (unsigned i = 0; i < DST_COLUMNS; i++)
        tile->files.DstBits[0][i] = dst_encode_bf16(0x3F81); /* 0x81: 0x40 and a half */
    tile->files.DstBits[0][3] = dst_encode_bf16(0x3E80);     /* 2^-2: 0x80 in three bits more */
    p->prng[0] = 1;                                          /* half a unit is not less than 1 of 2: up */
    p->prng[1] = 0;
    p->prng[2] = 0xDEADBEEF;
    p->prng[3] = 4; /* 0 of 8 is less than 4: down */
    exec_on(tile, PACK, "PACR ReadIntfSel=1, Last=1");
    assert_int_equal(tile->l1[OUT], 0x7F);
    assert_int_equal(tile->l1[OUT + 16], 0x41);
    assert_int_equal(tile->l1[OUT + 17], 0x41);
    assert_int_equal(tile->l1[OUT + 18], 0x41);
    assert_int_equal(tile->l1[OUT + 19], 0x10);
}

/* ---- --shake: a PACR that is executed later (tensix/shaken.h) ---- */

static unsigned shake_packs(const struct tile *owner, unsigned site, unsigned sub, uint64_t number)
{
    (void)owner, (void)sub, (void)number;
    return site == SHAKE_PACK ? 20 : site == SHAKE_UNPACK ? 3 : 0;
}
static void what_counts_behind_a_late_pacr_waits_for_it(void **state)
{
    enum { PUSHED = 2000, GATE = PUSHED + 6 };
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    configure(tile);
    tile->lent.shake = shake_packs;
    tx->shake.on = true;
    for (unsigned i = 0; i < 2; i++)
        tile->files.DstBits[i][0] = dst_encode_bf16((uint16_t)(0x3F80 + i));
    assert_true(tensix_push(tx, PACK, word_of("PACR ReadIntfSel=1, Last=1"), 0, PUSHED));
    assert_true(tensix_push(tx, PACK, word_of("SETADCXY PK=1, Y0=1, Y0Val=1"), 0, PUSHED));
    while (tensix_next(tx) < GATE + 10)
        tensix_run(&tile->lent, tx, GATE + 10);
    assert_int_equal(tx->thread[PACK].in_flight, 0);
    assert_int_equal(tx->thread[PACK].adc[2][0].y, 0);
    assert_int_equal(l1_half(tile, OUT), 0);
    while (tensix_next(tx) < GATE + 50)
        tensix_run(&tile->lent, tx, GATE + 50);
    assert_int_equal(tx->thread[PACK].adc[2][0].y, 1);
    assert_int_equal(l1_half(tile, OUT), 0x3F80);
    assert_int_equal(tile->faults, 0);
}

/* ---- MetadataFIFO (manual WormholeB0 TDMA-RISC) ---- */

static void tdma_risc_peeks_at_sizes_and_pops_with_the_zero_flags(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    configure(tile);
    tile->dev.tensix.config[0][THCON_SEC0_REG1_Enable_out_fifo_ADDR32] |= THCON_SEC0_REG1_Enable_out_fifo_MASK;
    assert_int_equal(devices_read(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE, 4, exec_now, &value), DEV_WAIT);
    const unsigned changed = tile->changed;
    exec_on(tile, PACK, "PACR ReadIntfSel=1, Last=1");
    assert_true(tile->changed > changed); /* who waits is told */
    exec_on(tile, PACK, "PACR ReadIntfSel=3, Last=1");
    exec_on(tile, PACK, "PACR ReadIntfSel=7, Last=1");
    packer_of(tile)->fifo[1].all_zero_flags = 0x5;
    assert_int_equal(rd(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE), 2);
    assert_int_equal(rd(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE), 2);
    assert_int_equal(rd(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_ZEROMASK), 0);
    assert_int_equal(rd(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE), 4);
    assert_int_equal(rd(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_ZEROMASK), 5);
    wr(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_ZEROMASK, 0); /* a write pops too */
    assert_int_equal(rd(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS), 0x55);
    assert_int_equal(devices_read(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE, 4, exec_now, &value), DEV_WAIT);
    assert_int_equal(devices_read(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE + 0x100, 4, exec_now, &value),
                     DEV_WAIT);
}

/* ---- Thresholds of formats from which there is no late conversion: behind the fault (manual Packers/ExponentThresholding) ---- */

static void a_threshold_is_for_the_formats_of_the_page(void **state)
{
    static const struct {
        uint8_t format, faults;
        uint16_t value;
    } known[] = {{FORMAT_BF16, 0, 0}, {FORMAT_BFP8, 0, 0}, {FORMAT_BFP4, 1, 0}, {FORMAT_BFP2, 1, 0x3F80}};
    struct tile *tile = *state;
    configure(tile);
    uint32_t *config = tile->dev.tensix.config[0];
    config[THCON_SEC0_REG1_Exp_threshold_ADDR32] =
        THCON_SEC0_REG1_Exp_threshold_en_MASK | 0x80u << THCON_SEC0_REG1_Exp_threshold_SHAMT;
    tile->files.DstBits[0][0] = dst_encode_bf16(0x3F80);
    tile->files.DstBits[0][1] = dst_encode_bf16(0x4000);
    tile->goes_on = true;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        config[THCON_SEC0_REG1_Out_data_format_ADDR32] =
            1 | FORMAT_BF16 << 4 | (uint32_t)known[i].format << THCON_SEC0_REG1_In_data_format_SHAMT;
        tile->faults = 0;
        assert_true(try_exec(tile, PACK, "PACR ReadIntfSel=1, Last=1"));
        assert_int_equal(tile->faults, known[i].faults);
        assert_int_equal(l1_half(tile, OUT), known[i].value);
        assert_int_equal(l1_half(tile, OUT + 2), 0x4000);
    }
}

/* ---- Plans (config.c) ---- */

/* Context 1 has its words in REG8, but for these two fields: a plan that is kept does not hide that they change. */
/* -1.0 stands for the largest number below 2.0. */
static void a_negative_threshold_is_a_power_of_two(void **state)
{
    static const struct {
        uint16_t given, packed;
    } datums[] = {{0x3F80, 0}, {0x3FFF, 0}, {0x4000, 0x4000}, {0x40C0, 0x40C0}, {0xC000, 0}, {0x3E00, 0}};
    struct tile *tile = *state;
    uint32_t *config = tile->dev.tensix.config[0];
    configure(tile);
    config[STACC_RELU_ApplyRelu_ADDR32] |= 2u << STACC_RELU_ApplyRelu_SHAMT | 0xBF80u << STACC_RELU_ReluThreshold_SHAMT;
    tile->goes_on = true;
    for (unsigned i = 0; i < DST_COLUMNS; i++)
        tile->files.DstBits[0][i] = dst_encode_bf16(datums[i % 6].given);
    tile->files.dst_row_undefined[0] &= ~1u;
    exec_word(tile, PACK, word_of("PACR ReadIntfSel=1, Last=1"));
    assert_int_equal(tile->faults, 1);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(l1_half(tile, OUT + 2 * i), datums[i].packed);
}

static void a_plan_of_context_1_knows_the_fields_of_both(void **state)
{
    struct tile *tile = *state;
    uint32_t *config = tile->dev.tensix.config[0];
    configure(tile);
    config[PACK_COUNTERS_SEC1_pack_reads_per_xy_plane_ADDR32] =
        config[PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_ADDR32];
    config[THCON_SEC0_REG8_L1_Dest_addr_ADDR32] = OUT / 16 - 1;
    config[THCON_SEC0_REG8_Out_data_format_ADDR32] = 1 | FORMAT_FP8 << 4 | FORMAT_FP16 << 8;
    config[ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32] = FORMAT_FP16 << ALU_FORMAT_SPEC_REG2_Dstacc_SHAMT;
    tile->files.DstBits[0][0] = dst_encode_fp16(0x3C00);
    exec_on(tile, PACK, "PACR ReadIntfSel=1, CfgContext=1, Last=1");
    assert_int_equal(tile->l1[OUT], 0x3C); /* e5m2 */
    config[THCON_SEC0_REG1_Pac_LF8_4b_exp_ADDR32] |= THCON_SEC0_REG1_Pac_LF8_4b_exp_MASK;
    exec_on(tile, PACK, "PACR ReadIntfSel=1, CfgContext=1, Last=1");
    assert_int_equal(tile->l1[OUT], 0x38);
    config[THCON_SEC0_REG1_pack_start_intf_pos_ADDR32] |= 4u << THCON_SEC0_REG1_pack_start_intf_pos_SHAMT;
    assert_int_equal(tile->faults, 0);
    try_exec(tile, PACK, "PACR ReadIntfSel=1, CfgContext=1, Last=1");
    assert_int_equal(tile->faults, 1);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
}

/* ---- Compression and back: a reader of the format (manual WormholeB0 Packers/Compression) ---- */

static unsigned datum_at(const uint8_t *data, unsigned bits, unsigned index)
{
    const uint8_t *block = data + index / 32 * (32 * bits / 8 + 16);
    const unsigned bit = index % 32 * bits;
    uint32_t value = 0;
    memcpy(&value, block + bit / 8, (bits + 7) / 8);
    return value >> bit % 8 & (unsigned)((UINT64_C(1) << bits) - 1);
}

static unsigned zeros_at(const uint8_t *data, unsigned bits, unsigned index)
{
    const uint8_t *counts = data + index / 32 * (32 * bits / 8 + 16) + 32 * bits / 8;
    return counts[index % 32 / 2] >> index % 2 * 4 & 15;
}

static uint32_t lcg(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 32);
}

static void fill_sparse(struct tile *tile, uint64_t *seed, unsigned one_in)
{
    for (unsigned row = 0; row < 16; row++)
        for (unsigned column = 0; column < DST_COLUMNS; column++)
            tile->files.DstBits[row][column] =
                lcg(seed) % one_in ? 0 : dst_encode_bf16((uint16_t)(0x3F80 + (lcg(seed) & 0x7F)));
}

/* 16 rows, eight instructions of two; those with odd numbers go on with the row of the one before. */
static void pack_rows_of_two(struct tile *tile, unsigned format, bool compress, uint32_t address)
{
    uint32_t *config = tile->dev.tensix.config[0];
    config[THCON_SEC0_REG1_Out_data_format_ADDR32] = (compress ? 0 : 1) | format << 4 | FORMAT_BF16 << 8;
    config[THCON_SEC0_REG1_Row_start_section_size_ADDR32] = 2; /* and no exponents */
    config[THCON_SEC0_REG1_L1_Dest_addr_ADDR32] = address / 16 - 1;
    thread_of(tile, PACK)->adc[2][0].y = 0;
    thread_of(tile, PACK)->config[ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32] = 2;
    for (unsigned i = 0; i < 8; i++)
        exec_on(tile, PACK,
                i == 7  ? "PACR ReadIntfSel=3, Last=1"
                : i % 2 ? "PACR ReadIntfSel=3"
                        : "PACR ReadIntfSel=3, Concat=1");
}

static void what_compression_leaves_out_can_be_put_back(void **state)
{
    static const unsigned formats[] = {FORMAT_BF16, FORMAT_FP32};
    struct tile *tile = *state;
    uint64_t seed = 5;
    configure(tile);
    for (unsigned n = 0; n < 40; n++) {
        const unsigned format = formats[n % 2], bits = format_bits(format), one_in = 1 + n % 20;
        fill_sparse(tile, &seed, one_in);
        pack_rows_of_two(tile, format, false, PLAIN_OUT);
        pack_rows_of_two(tile, format, true, OUT);
        const uint8_t *data = tile->l1 + OUT + 32;
        unsigned datum = 0, kept = 0;
        assert_int_equal(l1_half(tile, OUT), 0);
        for (unsigned row = 0; row < 4; row++) {
            const unsigned end = l1_half(tile, OUT + 2 * (row + 1));
            assert_true(end > kept);
            for (; kept < end; kept++, datum++) {
                uint32_t plain = 0;
                for (unsigned zeros = zeros_at(data, bits, kept); zeros; zeros--, datum++)
                    assert_int_equal(l1_half(tile, PLAIN_OUT + datum * bits / 8 + bits / 8 - 2),
                                     0); /* exponents are there */
                memcpy(&plain, tile->l1 + PLAIN_OUT + datum * bits / 8, bits / 8);
                assert_int_equal(datum_at(data, bits, kept), plain);
            }
            assert_int_equal(datum, 64 * (row + 1)); /* no row leads into the next */
        }
        assert_int_equal(packer_of(tile)->all_zero_flags, 0); /* a card */
        assert_int_equal(packer_of(tile)->last_tile_size, 2 + (kept + 31) / 32 * (32 * bits / 128 + 1));
    }
}

/* A tile of 16 PACRs as a card has packed it (a branch of tt-metal, SORTING.md): bytes by PACKED_SIZE, 64 of which are for row
 * starts.  Survivors stand at random there; what is asserted holds for nearly all places that they can have. */
static unsigned bytes_of_tile(struct tile *tile, unsigned format, unsigned survivors, bool compress)
{
    uint32_t *config = tile->dev.tensix.config[0];
    uint64_t seed = 7;
    memset(tile->files.DstBits, 0, sizeof tile->files.DstBits);
    for (unsigned left = survivors; left;) {
        const unsigned at = survivors == 1024 ? left - 1 : lcg(&seed) % 1024;
        left -= tile->files.DstBits[at / 16][at % 16] == 0;
        tile->files.DstBits[at / 16][at % 16] = dst_encode_bf16(0x3F80);
    }
    config[THCON_SEC0_REG1_Out_data_format_ADDR32] = (compress ? 0 : 1) | format << 4 | FORMAT_BF16 << 8;
    config[THCON_SEC0_REG1_Row_start_section_size_ADDR32] = 4;
    thread_of(tile, PACK)->adc[2][0].y = 0;
    thread_of(tile, PACK)->config[ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32] = 4;
    for (unsigned i = 0; i < 16; i++)
        exec_on(tile, PACK, i == 15 ? "PACR Last=1" : "PACR");
    return rd(tile, B, RISCV_TDMA_REG_PACKED_SIZE + 0x40 * PACK) * 16;
}

static void compressed_tiles_are_as_large_as_on_a_card(void **state)
{
    struct tile *tile = *state;
    configure(tile);
    assert_int_equal(bytes_of_tile(tile, FORMAT_BF16, 1024, false), 2048);
    assert_int_equal(bytes_of_tile(tile, FORMAT_BF16, 0, true), 304);
    assert_int_equal(bytes_of_tile(tile, FORMAT_BF16, 32, true), 384);
    assert_int_equal(bytes_of_tile(tile, FORMAT_BF16, 63, true), 384);
    assert_int_equal(bytes_of_tile(tile, FORMAT_BF16, 127, true), 544);
    assert_int_equal(bytes_of_tile(tile, FORMAT_BF16, 1024, true), 2624);
    assert_int_equal(bytes_of_tile(tile, FORMAT_FP32, 32, true), 640);
    assert_int_equal(bytes_of_tile(tile, FORMAT_FP32, 1024, true), 4672);
}

/* BFP8: exponents are shared by 16 datums that were kept, whatever rows they are of. */
static void compressed_bfp_shares_exponents_among_what_is_kept(void **state)
{
    struct tile *tile = *state;
    configure(tile);
    uint32_t *config = tile->dev.tensix.config[0];
    config[THCON_SEC0_REG1_Out_data_format_ADDR32] = FORMAT_BFP8 << 4 | FORMAT_BF16 << 8;
    config[THCON_SEC0_REG1_Row_start_section_size_ADDR32] = 1 | 1u << THCON_SEC0_REG1_Exp_section_size_SHAMT;
    tile->files.DstBits[0][0] = dst_encode_bf16(0x3F80);
    tile->files.DstBits[1][0] = dst_encode_bf16(0x4000);
    exec_on(tile, PACK, "PACR ReadIntfSel=1");
    exec_on(tile, PACK, "PACR ReadIntfSel=2, Last=1");
    assert_int_equal(l1_half(tile, OUT + 2), 2);
    assert_int_equal(l1_half(tile, OUT + 4), 4);
    assert_int_equal(tile->l1[OUT + 16], 0x80); /* of 1.0, 0, 2.0, 0 */
    assert_int_equal(tile->l1[OUT + 32], 0x20);
    assert_int_equal(tile->l1[OUT + 33], 0);
    assert_int_equal(tile->l1[OUT + 34], 0x40);
    assert_int_equal(tile->l1[OUT + 64], 0xE0); /* counts behind 32 datums */
    assert_int_equal(tile->l1[OUT + 65], 0xE0);
}

/* ---- Snapshots ---- */

/* As a saved chip, or a policy that goes on for 4 GiB, may have it: the packer writes on where it stands, which is not round the
 * end of 32 bits into L1, nor before it. */
static void a_place_at_the_end_of_32_bits_is_not_in_l1(void **state)
{
    static const char *const ways[] = {"PACR ReadIntfSel=1", "PACR ReadIntfSel=1, Last=1", "PACR", "PACR Last=1"};
    struct tile *tile = *state;
    tile->goes_on = true;
    for (unsigned i = 0; i < 2 * sizeof ways / sizeof *ways; i++) {
        struct tensix_packer *p = packer_of(tile);
        configure(tile);
        if (i & 1)
            tile->dev.tensix.config[0][THCON_SEC0_REG1_Out_data_format_ADDR32] =
                1 | FORMAT_BFP8 << 4 | FORMAT_BF16 << 8;
        tile->dev.tensix.thread[PACK].adc[2][0] = (struct tensix_adc_channel){0};
        pack_soft_reset(p);
        p->data.open = p->exponents.open = true;
        p->data.address = p->exponents.address = 0xFFFFFFF0;
        memset(tile->l1, 0x11, 256);
        tile->faults = 0;
        try_exec(tile, PACK, ways[i / 2]);
        if (p->data.open) {
            assert_int_equal(p->data.address, 0xFFFFFFF0);
            try_exec(tile, PACK, "PACR Last=1");
        }
        assert_int_not_equal(tile->faults, 0);
        assert_non_null(strstr(tile->fault_text, "L1 ends at"));
        for (unsigned at = 0; at < 256; at++)
            assert_int_equal(tile->l1[at], 0x11);
    }
}

static void counts_outside_their_arrays_are_not_sane(void **state)
{
    (void)state;
    const struct tensix_packer good = {0};
    struct tensix_packer bad[7];
    for (unsigned i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].data.bits = 128;
    bad[1].exponents.bits = 200;
    bad[2].group_count = 16;
    bad[3].context = 4;
    bad[4].fifo_head = PACK_FIFO;
    bad[5].fifo_count = PACK_FIFO + 1;
    bad[6].compression.block = 32;
    assert_true(pack_is_sane(&good));
    for (unsigned i = 0; i < 7; i++)
        assert_false(pack_is_sane(&bad[i]));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(soft_reset_holds_pacr_back_and_forgets_what_waits),
        TEST(soft_reset_of_the_connection_to_dst_clears_histogram_and_generators),
        TEST(a_write_of_prng_seed_seeds_each_column_on_its_own),
        TEST(stochastic_rounding_rounds_up_as_often_as_it_should),
        TEST(what_counts_behind_a_late_pacr_waits_for_it),
        TEST(stochastic_rounding_of_16_bits),
        TEST(stochastic_rounding_of_shared_exponents),
        TEST(tdma_risc_peeks_at_sizes_and_pops_with_the_zero_flags),
        TEST(a_threshold_is_for_the_formats_of_the_page),
        TEST(a_negative_threshold_is_a_power_of_two),
        TEST(a_plan_of_context_1_knows_the_fields_of_both),
        TEST(what_compression_leaves_out_can_be_put_back),
        TEST(compressed_tiles_are_as_large_as_on_a_card),
        TEST(compressed_bfp_shares_exponents_among_what_is_kept),
        TEST(a_place_at_the_end_of_32_bits_is_not_in_l1),
        TEST(counts_outside_their_arrays_are_not_sane),
    };
    return cmocka_run_group_tests_name("tensix/pack", tests, NULL, NULL);
}
