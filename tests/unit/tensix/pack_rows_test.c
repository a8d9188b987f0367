/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* The two forms of pack_PACR_do give the same: random PACRs on random state, one by one datum by datum, and beside that by rows, one
 * by one or several plans at once.  Counters, streams and time are those that the plan has.
 *
 *   pack_rows_test [INSTRUCTIONS [SEED]] */
#include "tensix_isa.h" /* before tile_regs.h, whose macros have names of its instructions */

#include "unit/tensix/exec.h"

#include "num/l1_accumulate.h"
#include "tensix/pack/pack.h"

enum { OUT = 0x20000, OUT_BYTES = 0x4000, PACK_THREAD = 2, PER_SETUP = 6, MOST = PACK_PLANS, DEFAULT_COUNT = 20000 };

static uint64_t random_state;
static unsigned long instructions = DEFAULT_COUNT;
static unsigned long by_rows, moved, bursts, in_bursts;

static uint32_t next(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

static uint32_t below(uint32_t limit)
{
    return (uint32_t)((uint64_t)next() * limit >> 32);
}

static bool one_in(uint32_t n)
{
    return below(n) == 0;
}

#define SET(config, NAME, value) ((config)[NAME##_ADDR32] |= (uint32_t)(value) << NAME##_SHAMT & NAME##_MASK)

/* Formats of one kind on both sides, mostly. */
static void set_formats(uint32_t *config)
{
    static const uint8_t e8[] = {FORMAT_FP32, FORMAT_TF32, FORMAT_BF16, FORMAT_BFP8};
    static const uint8_t e5[] = {FORMAT_FP16, FORMAT_BFP8a, FORMAT_FP8};
    static const uint8_t out[] = {FORMAT_FP32,  FORMAT_FP32,  FORMAT_BF16, FORMAT_BF16, FORMAT_FP16,
                                  FORMAT_FP8,   FORMAT_BFP8,  FORMAT_BFP4, FORMAT_BFP2, FORMAT_TF32,
                                  FORMAT_BFP8a, FORMAT_BFP4a, FORMAT_BFP2a};
    static const uint8_t integer[] = {FORMAT_INT32, FORMAT_INT16, FORMAT_INT8};
    const unsigned kind = below(5);
    unsigned middle = kind < 2 ? e8[below(4)] : kind < 4 ? e5[below(3)] : integer[below(3)];
    unsigned to = kind < 4 ? out[below(sizeof out)] : middle;
    if (one_in(20))
        to = below(FORMATS);
    SET(config, ALU_FORMAT_SPEC_REG2_Dstacc, middle);
    SET(config, THCON_SEC0_REG1_In_data_format, one_in(20) ? below(FORMATS) : middle);
    SET(config, THCON_SEC0_REG1_Out_data_format, to);
}

static void set_config(uint32_t *config)
{
    memset(config, 0, CFG_WORDS * sizeof *config);
    set_formats(config);
    config[PCK_DEST_RD_CTRL_Read_32b_data_ADDR32] = below(16);
    config[INT_DESCALE_Enable_ADDR32] = below(4);
    config[INT_DESCALE_VALUES_SEC0_Value_ADDR32] = next();
    SET(config, THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 + below(64));
    SET(config, THCON_SEC0_REG1_Exp_section_size, 16 + below(4)); /* so that exponents and data do not overlap */
    SET(config, THCON_SEC0_REG1_Disable_zero_compress, !one_in(10));
    SET(config, THCON_SEC0_REG1_Sub_l1_tile_header_size, below(2));
    SET(config, THCON_SEC0_REG1_Pack_L1_Acc, one_in(4));
    SET(config, THCON_SEC0_REG1_Pac_LF8_4b_exp, below(2));
    SET(config, THCON_SEC0_REG1_Exp_threshold_en, one_in(4));
    SET(config, THCON_SEC0_REG1_Exp_threshold, below(256));
    SET(config, THCON_SEC0_REG1_Downsample_mask, one_in(10) ? next() : 0);
    SET(config, THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel, one_in(8));
    SET(config, STACC_RELU_ApplyRelu, one_in(2) ? below(4) : 0);
    SET(config, STACC_RELU_ReluThreshold, below(0x8000));
    SET(config, ALU_ROUNDING_MODE_Gasket_srnd_en, one_in(20));
    SET(config, ALU_ROUNDING_MODE_Packer_srnd_en, one_in(20));
    SET(config, PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16 << below(3));
    SET(config, PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 256 << below(3));
    SET(config, PCK0_ADDR_CTRL_XY_REG_1_Ystride, 16 * below(4));
    SET(config, PCK_EDGE_OFFSET_SEC0_mask, one_in(4) ? next() : 0xFFFF);
    SET(config, PCK_EDGE_OFFSET_SEC1_mask, one_in(2) ? next() : 0xFFFF);
    SET(config, PCK_EDGE_OFFSET_SEC2_mask, 0xFFFF);
    SET(config, PCK_EDGE_MODE_mode, below(2));
    config[TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32] = one_in(2) ? next() : 0;
    SET(config, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, below(20));
    SET(config, PACK_COUNTERS_SEC0_pack_yz_transposed, one_in(4));
    SET(config, PACK_COUNTERS_SEC0_pack_per_xy_plane, one_in(4) ? below(6) : 0);
    SET(config, PACK_COUNTERS_SEC0_pack_xys_per_tile, below(3));
    SET(config, THCON_SEC0_REG1_Disable_pack_zero_flags, below(2));
    SET(config, THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, below(2));
    SET(config, THCON_SEC0_REG1_pack_dis_y_pos_start_offset, below(2));
    SET(config, THCON_SEC0_REG1_Dis_shared_exp_assembler, one_in(8));
    SET(config, THCON_SEC0_REG1_Add_tile_header_size, below(2));
    SET(config, DEST_ACCESS_CFG_remap_addrs, below(2));
    SET(config, DEST_ACCESS_CFG_swizzle_32b, below(2));
    SET(config, DEST_TARGET_REG_CFG_PACK_SEC0_Offset, below(1024));
    SET(config, ALU_ACC_CTRL_Zero_Flag_disabled_dst, one_in(4));
}

/* As kernels have it: nothing between the conversions. */
static void set_kernel_config(struct tensix *tx)
{
    static const uint8_t pairs[][3] = {
        {0, FORMAT_BF16, FORMAT_BF16},   {0, FORMAT_BF16, FORMAT_FP32}, {0, FORMAT_BF16, FORMAT_BFP8},
        {0, FORMAT_BF16, FORMAT_BFP4},   {0, FORMAT_BFP8, FORMAT_BFP8}, {0, FORMAT_FP16, FORMAT_FP16},
        {0, FORMAT_INT16, FORMAT_INT16}, {1, FORMAT_FP32, FORMAT_FP32}, {1, FORMAT_INT32, FORMAT_INT32},
        {1, FORMAT_BF16, FORMAT_BF16},   {1, FORMAT_BFP8, FORMAT_BFP8}, {1, FORMAT_FP32, FORMAT_BFP4}};
    uint32_t *config = tx->config[0];
    const uint8_t *pair = pairs[below(sizeof pairs / sizeof *pairs)];
    config[PCK_DEST_RD_CTRL_Read_32b_data_ADDR32] = pair[0];
    config[ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32] = (uint32_t)pair[1] << ALU_FORMAT_SPEC_REG2_Dstacc_SHAMT;
    config[THCON_SEC0_REG1_Out_data_format_ADDR32] = (uint32_t)pair[1] << THCON_SEC0_REG1_In_data_format_SHAMT |
                                                     (uint32_t)pair[2] << THCON_SEC0_REG1_Out_data_format_SHAMT;
    config[INT_DESCALE_Enable_ADDR32] = config[STACC_RELU_ApplyRelu_ADDR32] = 0;
    config[THCON_SEC0_REG1_Pack_L1_Acc_ADDR32] = 0;
    SET(config, THCON_SEC0_REG1_Pack_L1_Acc, l1_accumulate_exists(pair[2]) && one_in(3));
    config[PCK_EDGE_OFFSET_SEC0_mask_ADDR32] = 0xFFFF;
    config[TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32] = 0;
    config[PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_ADDR32] &= PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_MASK;
    config[THCON_SEC0_REG1_Out_data_format_ADDR32] |= THCON_SEC0_REG1_Disable_zero_compress_MASK;
    SET(config, PACK_COUNTERS_SEC0_pack_per_xy_plane, one_in(6) ? 1 + below(3) : 0);
    SET(config, PACK_COUNTERS_SEC0_pack_xys_per_tile, 1 + below(2));
    SET(config, THCON_SEC0_REG1_Disable_pack_zero_flags, below(2));
    SET(config, THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd, below(2));
    SET(config, THCON_SEC0_REG1_pack_dis_y_pos_start_offset, below(2));
    SET(config, THCON_SEC0_REG1_Dis_shared_exp_assembler, !format_is_bfp(pair[2]) && below(2));
    SET(config, THCON_SEC0_REG1_Add_tile_header_size, below(2));
    tx->thread[PACK_THREAD].adc[2][0].x = 0;
    tx->thread[PACK_THREAD].adc[2][1].x = ROW_DATUMS - 1;
    tx->thread[0].config[ENABLE_ACC_STATS_Enable_ADDR32] = 0;
    static const uint8_t bytes[4] = {4, 2, 1, 1};
    const unsigned size = bytes[CFG_FIELD(config, THCON_SEC0_REG1_In_data_format) & 3];
    config[PCK0_ADDR_CTRL_XY_REG_0_Ystride_ADDR32] = 16 * size << PCK0_ADDR_CTRL_XY_REG_0_Ystride_SHAMT;
    config[PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32] = 256 * size;
    tx->packer.max_exponent = (uint8_t)(one_in(8) ? 0x80 : 0xFF);
}

static void set_counters(struct tensix *tx)
{
    struct tensix_adc_channel *adc = tx->thread[PACK_THREAD].adc[2];
    for (unsigned channel = 0; channel < 2; channel++)
        adc[channel] = (struct tensix_adc_channel){
            .y = (uint16_t)below(64), .y_cr = (uint16_t)below(8), .z = (uint16_t)below(4), .w = (uint16_t)below(2)};
    adc[0].x = one_in(10) ? below(16) : 0;
    adc[1].x = one_in(10) ? below(16) : 15;
    adc[1].y &= 3;
    for (unsigned i = 0; i < 4; i++)
        tx->thread[PACK_THREAD].config[ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32 + i] = (uint16_t)next();
    tx->thread[0].config[ENABLE_ACC_STATS_Enable_ADDR32] = one_in(3);
    for (unsigned i = 0; i < ROW_DATUMS; i++)
        tx->packer.prng[i] = next();
}

static uint32_t datum(void)
{
    switch (below(8)) {
    case 0: return 0;
    case 1: return next() & 0x80FF8000; /* few mantissa bits */
    default: return next();
    }
}

static void set_dst(struct tensix_files *files)
{
    for (unsigned row = 0; row < 64; row++) {
        const unsigned at = below(DST_ROWS);
        for (unsigned column = 0; column < DST_COLUMNS; column++)
            files->DstBits[at][column] = (uint16_t)datum();
        if (one_in(16))
            files->dst_row_undefined[at / 32] ^= 1u << at % 32;
    }
    if (one_in(4))
        memset(files->dst_row_undefined, 0, sizeof files->dst_row_undefined);
}

static struct op_PACR random_pacr(bool kernel)
{
    if (kernel)
        return (struct op_PACR){.DstAccessMode = one_in(3),
                                .AddrMod = below(4),
                                .ReadIntfSel = one_in(2) ? 0 : below(16),
                                .Concat = one_in(4),
                                .Last = one_in(12)};
    return (struct op_PACR){.DstAccessMode = one_in(3),
                            .AddrMod = below(4),
                            .ReadIntfSel = one_in(2) ? 0 : below(16),
                            .ZeroWrite = one_in(12),
                            .RowPadZero = one_in(4) ? below(8) : 0,
                            .Concat = one_in(4),
                            .Flush = one_in(16),
                            .Last = one_in(4)};
}

static tensix_step step_of(struct tile *tile, uint32_t word)
{
    struct tensix *tx = &tile->dev.tensix;
    return (tensix_step){.tile = &tile->lent,
                         .tx = tx,
                         .t = &tx->thread[PACK_THREAD],
                         .thread = PACK_THREAD,
                         .cycle = 1000,
                         .word = word};
}

static void assert_same(const struct tile *a, const struct tile *b, unsigned long n)
{
    const struct tensix *x = &a->dev.tensix, *y = &b->dev.tensix;
    if (memcmp(&x->packer, &y->packer, sizeof x->packer) != 0 ||
        memcmp(x->thread[2].adc, y->thread[2].adc, sizeof x->thread[2].adc) != 0 ||
        memcmp(a->l1 + OUT, b->l1 + OUT, OUT_BYTES) != 0 || a->faults != b->faults)
        fail_msg("instruction %lu differs: in %u, intermediate %u, out %u; %s", n,
                 (unsigned)CFG_FIELD(x->config[0], THCON_SEC0_REG1_In_data_format),
                 (unsigned)CFG_FIELD(x->config[0], ALU_FORMAT_SPEC_REG2_Dstacc),
                 (unsigned)CFG_FIELD(x->config[0], THCON_SEC0_REG1_Out_data_format), a->fault_text);
}

/* Units of 16 bytes that streams have written which were open. */
static uint32_t units_between(const struct tensix_packer *before, const struct tensix_packer *after)
{
    return (after->data.address - before->data.address + after->exponents.address - before->exponents.address) /
           PACK_UNIT_BYTES;
}

/* What the plan says is there. */
static void assert_planned(const struct pack_job *job, const struct pack_plan *plan, const struct tensix_packer *before,
                           const tensix_step *step)
{
    struct pack_counters now;
    pack_counters_now(job, &now);
    assert_memory_equal(now.adc, plan->behind.adc, sizeof now.adc);
    assert_int_equal(step->issue, plan->cycles);
    if (job->modes->compress || !before->data.open || !before->exponents.open)
        return;
    assert_int_equal(now.open, plan->behind.open);
    assert_int_equal(now.group, plan->behind.group);
    assert_int_equal(now.data_bits, plan->behind.data_bits);
    assert_int_equal(now.exponent_bits, plan->behind.exponent_bits);
    assert_int_equal(now.datums, plan->behind.datums);
    uint32_t cycles = (units_between(before, job->packer) + COST_PACK_WRITES - 1) / COST_PACK_WRITES;
    cycles *= job->modes->accumulate ? COST_PACK_ADD : 1;
    cycles = cycles < plan->rows / PACK_INTERFACES ? plan->rows / PACK_INTERFACES : cycles;
    assert_int_equal(plan->cycles, cycles ? cycles : 1);
}

/* One PACR; gives the cycles that it takes. */
static uint32_t execute(struct tile *tile, const struct op_PACR *op, bool plain)
{
    const struct tensix_packer before = tile->dev.tensix.packer;
    tensix_step step = step_of(tile, 0), again = step;
    struct pack_job job;
    struct pack_counters now;
    struct pack_plan plan;
    const unsigned faults = tile->faults;
    bool planned = pack_begin(&job, &again, op);
    if (planned)
        pack_counters_now(&job, &now);
    planned = planned && pack_PACR_plan(&job, op, &now, &plan);
    by_rows += !plain && planned && plan.rows != 0 && plan.by_rows;
    tile->faults = faults; /* it is found again */
    pack_execute(&step, op, plain);
    if (planned)
        assert_planned(&job, &plan, &before, &step);
    return step.issue;
}

static void set_up(struct tile *plain, struct tile *rows, bool kernel)
{
    pack_soft_reset(&plain->dev.tensix.packer); /* no stream stays open at an address that overlaps the next */
    set_config(plain->dev.tensix.config[0]);
    set_counters(&plain->dev.tensix);
    if (kernel)
        set_kernel_config(&plain->dev.tensix);
    set_dst(&plain->files);
    rows->dev = plain->dev;
    rows->files = plain->files;
}

static void rows_are_as_plain(void **state)
{
    struct tile *plain = *state, *rows = NULL;
    assert_int_equal(fake_setup((void **)&rows), 0);
    plain->goes_on = rows->goes_on = true;
    bool kernel = false;
    for (unsigned long n = 0; n < instructions; n++) {
        if (n % PER_SETUP == 0) {
            kernel = one_in(3);
            set_up(plain, rows, kernel);
        }
        const struct op_PACR op = random_pacr(kernel);
        const uint32_t before = rows->dev.tensix.packer.datums;
        execute(plain, &op, true);
        execute(rows, &op, false);
        moved += rows->dev.tensix.packer.datums != before;
        assert_same(plain, rows, n);
    }
    print_message("%lu instructions, %lu moved datums, %lu by rows\n", instructions, moved, by_rows);
    assert_true(by_rows * 4 > instructions); /* the comparison is about something */
    assert_int_equal(fake_teardown((void **)&rows), 0);
}

static uint32_t random_word(bool kernel)
{
    const uint32_t strided = one_in(3), concat = one_in(4), last = one_in(12);
    return (uint32_t)OPCODE_PACR << 24 | strided << 17 | below(4) << 15 |
           (one_in(kernel ? 40 : 4) ? next() & 0xFFFFFF : 0) | (one_in(2) ? 0 : below(16)) << 8 | concat << 4 | last;
}

/* A burst by plans on one side, each by itself and datum by datum on the other. */
static void bursts_are_as_plain(void **state)
{
    struct tile *plain = *state, *rows = NULL;
    assert_int_equal(fake_setup((void **)&rows), 0);
    plain->goes_on = rows->goes_on = true;
    for (unsigned long n = 0; n < instructions / MOST; n++) {
        const bool kernel = !one_in(4);
        if (n % 2 == 0)
            set_up(plain, rows, kernel);
        const struct op_PACR first = random_pacr(kernel); /* after which configuration is kept */
        execute(plain, &first, true);
        execute(rows, &first, false);
        uint32_t word[MOST];
        for (unsigned i = 0; i < MOST; i++)
            word[i] = i == 0 || one_in(3) ? random_word(kernel) : word[i - 1];
        tensix_step step = step_of(rows, word[0]);
        struct pack_job job;
        struct pack_counters now;
        struct pack_plan plan[MOST];
        unsigned count = 0;
        const unsigned faults = rows->faults;
        if (pack_begin_burst(&job, &step, &now))
            while (count < MOST && (count == 0 || !plan[count - 1].last) &&
                   pack_plan_ahead(&job, word[count], count == 0 ? &now : &plan[count - 1].behind, &plan[count]))
                count++;
        assert_int_equal(rows->faults, faults); /* no fault ahead of time */
        if (count == 0 || !pack_is_unheeded(&job, plan, count))
            continue;
        pack_PACR_do(&job, plan, count, false);
        pack_behind(&job, plan, count);
        assert_int_equal(step.issue, plan[count - 1].cycles);
        for (unsigned i = 0; i < count; i++) {
            const struct op_PACR op = decode_PACR(word[i]);
            assert_int_equal(execute(plain, &op, true), plan[i].cycles);
        }
        bursts += count > 1;
        in_bursts += count;
        assert_same(plain, rows, n);
        assert_int_equal(plain->dev.tensix.data_cycles[1], rows->dev.tensix.data_cycles[1]);
    }
    print_message("%lu bursts of %lu instructions\n", bursts, in_bursts);
    assert_true(bursts * 100 > instructions && in_bursts > 3 * bursts);
    assert_int_equal(fake_teardown((void **)&rows), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_are_as_plain, fake_setup, fake_teardown),
        cmocka_unit_test_setup_teardown(bursts_are_as_plain, fake_setup, fake_teardown),
    };
    instructions = argc > 1 ? strtoul(argv[1], NULL, 0) : DEFAULT_COUNT;
    random_state = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
    return cmocka_run_group_tests_name("tensix/pack_rows", tests, NULL, NULL);
}
