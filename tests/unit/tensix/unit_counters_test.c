/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* The performance counters of TDMA_UNPACK and TDMA_PACK: what they count of a short program, worked out by hand from costs.tbl. */
#include "tensix_isa.h" /* before tile_regs.h, whose macros have names of its instructions */

#include "unit/tensix/exec.h"

#include "costs.h"
#include "num/formats.h"
#include "tensix/counts.h"

/* Cycles from a push to its place at the gate. */
enum { GATE = COST_TENSIX_MOP_STAGE + COST_TENSIX_REPLAY_STAGE + COST_TENSIX_GATE_STAGE };
enum { TILE = 0x1000, OUT = 0x4000, SEC1 = 48, PACKER = ADC_SETS - 1 };
enum { DATUMS = 256, BYTES = 2 * DATUMS, READ = BYTES / COST_UNPACK_X4_WIDE };

enum { /* hw_counters.h */
       MATH_SRC_DATA_READY = 0,
       DATA_HAZARD_STALLS_MOVD2A = 1,
       MATH_FIDELITY_STALL = 2,
       MATH_INSTRN_STARTED = 3,
       MATH_INSTRN_AVAILABLE = 4,
       SRCB_WRITE_AVAILABLE = 5,
       SRCA_WRITE_AVAILABLE = 6,
       UNPACK0_BUSY_THREAD0 = 7,
       UNPACK1_BUSY_THREAD0 = 8,
       UNPACK0_BUSY_THREAD1 = 9,
       MATH_INSTRN_HF_4_CYCLE = 256,
       MATH_INSTRN_HF_1_CYCLE = 258,
       SRCB_WRITE_ACTUAL = 259,
       SRCB_WRITE_NOT_BLOCKED_PORT = 260,
       SRCA_WRITE_NOT_BLOCKED_OVR = 261,
       SRCA_WRITE_ACTUAL = 262,
       SRCA_WRITE_THREAD0 = 263,
       SRCB_WRITE_THREAD0 = 264,
       SRCA_WRITE_THREAD1 = 265,
       PACKER_DEST_READ_AVAILABLE = 11,
       PACKER_BUSY = 18,
       DEST_READ_GRANTED_0 = 267,
       MATH_NOT_STALLED_DEST_WR_PORT = 271,
       AVAILABLE_MATH = 272
};

static void push_at(struct tile *tile, unsigned thread, const char *text, uint64_t cycle)
{
    assert_int_equal(devices_push_tensix(tile, T0 + thread, thread, word_of(text), cycle), DEV_OK);
}

static void run_to(struct tile *tile, uint64_t cycle)
{
    while (tensix_next(&tile->dev.tensix) < cycle)
        tensix_run(&tile->lent, &tile->dev.tensix, cycle);
    assert_int_equal(tile->faults, 0);
}

static uint32_t unpack(struct tile *tile, unsigned selection, uint64_t cycle)
{
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_UNPACK1, selection << 8, cycle);
    return rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_TDMA_UNPACK, cycle);
}

static uint32_t pack(struct tile *tile, unsigned selection, uint64_t cycle)
{
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK1, selection << 8, cycle);
    return rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_TDMA_PACK, cycle);
}

/* 16 rows of BF16 go to SrcA, to SrcB and from Dst to L1. */
static struct tensix *start(struct tile *tile)
{
    struct tensix *tx = &tile->dev.tensix;
    uint32_t *config = tx->config[0];
    for (unsigned section = 0; section <= SEC1; section += SEC1) {
        config[section + THCON_SEC0_REG0_TileDescriptor_ADDR32] = FORMAT_BF16 | 1u << 4 | (uint32_t)DATUMS << 16;
        config[section + THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1] = 1 | 1u << 16;
        config[section + THCON_SEC0_REG2_Out_data_format_ADDR32] = FORMAT_BF16;
        config[section + THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32] = 0x000F000F;
        config[section + THCON_SEC0_REG3_Base_address_ADDR32] = TILE / 16 - 1;
    }
    config[THCON_SEC0_REG5_Dest_cntx0_address_ADDR32] = 64;
    config[THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32] = DATUMS;
    config[ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32] = FORMAT_BF16 << ALU_FORMAT_SPEC_REG2_Dstacc_SHAMT;
    config[THCON_SEC0_REG1_Out_data_format_ADDR32] = 1 | FORMAT_BF16 << 4 | FORMAT_BF16 << 8;
    config[PCK0_ADDR_CTRL_XY_REG_0_Ystride_ADDR32] = 32u << PCK0_ADDR_CTRL_XY_REG_0_Ystride_SHAMT;
    config[PCK_EDGE_OFFSET_SEC0_mask_ADDR32] = 0xFFFF;
    config[PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_ADDR32] = 1u << PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_SHAMT;
    config[THCON_SEC0_REG1_L1_Dest_addr_ADDR32] = OUT / 16 - 1;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        tx->thread[i].config[SRCA_SET_SetOvrdWithAddr_ADDR32] = SRCA_SET_SetOvrdWithAddr_MASK;
        tx->thread[i].adc[0][1].x = tx->thread[i].adc[1][1].x = DATUMS - 1;
        tx->thread[i].adc[PACKER][1].x = 15;
    }
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_UNPACK2, 1, 40);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK2, 1, 40);
    return tx;
}

static void an_unpacker_is_busy_from_the_gate_to_its_last_datum(void **state)
{
    enum { AT = 50 + GATE, BUSY = COST_UNPACK_ADDRESS + READ + COST_UNPACK_WAY };
    struct tile *tile = *state;
    start(tile);
    push_at(tile, 0, "UNPACR MultiContextMode=1, FlipSrc=1", 50);
    run_to(tile, AT + 3);
    assert_int_equal(unpack(tile, UNPACK0_BUSY_THREAD0, AT + 3), 3); /* it goes on */
    run_to(tile, 200);
    assert_int_equal(unpack(tile, UNPACK0_BUSY_THREAD0, 200), BUSY);
    assert_int_equal(unpack(tile, UNPACK1_BUSY_THREAD0, 200), 0);
    assert_int_equal(unpack(tile, UNPACK0_BUSY_THREAD1, 200), 0);
    assert_int_equal(unpack(tile, SRCA_WRITE_AVAILABLE, 200), READ);
    assert_int_equal(unpack(tile, SRCA_WRITE_NOT_BLOCKED_OVR, 200), READ);
    assert_int_equal(unpack(tile, SRCA_WRITE_ACTUAL, 200), READ);
    assert_int_equal(unpack(tile, SRCA_WRITE_THREAD0, 200), READ);
    assert_int_equal(unpack(tile, SRCB_WRITE_AVAILABLE, 200), 0);
    push_at(tile, 1, "UNPACR WhichUnpacker=1, MultiContextMode=1, FlipSrc=1", 200);
    push_at(tile, 1, "UNPACR MultiContextMode=1, FlipSrc=1", 240);
    run_to(tile, 300);
    assert_int_equal(unpack(tile, UNPACK0_BUSY_THREAD1, 300), BUSY);
    assert_int_equal(unpack(tile, SRCB_WRITE_AVAILABLE, 300), READ);
    assert_int_equal(unpack(tile, SRCB_WRITE_ACTUAL, 300), READ);
    assert_int_equal(unpack(tile, SRCB_WRITE_NOT_BLOCKED_PORT, 300), READ);
    assert_int_equal(unpack(tile, SRCB_WRITE_THREAD0, 300), 0);
    assert_int_equal(unpack(tile, SRCA_WRITE_THREAD1, 300), READ);
    assert_int_equal(unpack(tile, SRCA_WRITE_AVAILABLE, 300), 2 * READ);
}

static void what_goes_to_dst_is_no_write_of_srca(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = start(tile);
    tx->config[0][THCON_SEC0_REG2_Unpack_If_Sel_ADDR32] |= THCON_SEC0_REG2_Unpack_If_Sel_MASK;
    tx->thread[0].config[SRCA_SET_SetOvrdWithAddr_ADDR32] = 0;
    push_at(tile, 0, "UNPACR", 50);
    run_to(tile, 200);
    assert_true(unpack(tile, UNPACK0_BUSY_THREAD0, 200) > READ);
    assert_int_equal(unpack(tile, SRCA_WRITE_AVAILABLE, 200), 0);
}

static void a_product_waits_for_its_sources_and_for_its_block(void **state)
{
    enum { WAITS = 60, THERE = 50 + GATE + WAITS, NEXT = COST_DST_BLOCK - 1 };
    struct tile *tile = *state;
    start(tile);
    push_at(tile, 1, "MVMUL", 50);
    push_at(tile, 1, "MVMUL", 51);
    run_to(tile, 60 + GATE);
    assert_int_equal(unpack(tile, MATH_INSTRN_AVAILABLE, 60 + GATE), 10); /* it goes on */
    assert_int_equal(unpack(tile, MATH_SRC_DATA_READY, 60 + GATE), 0);
    push_at(tile, 0, "SETDVALID FlipSrcB=1, FlipSrcA=1", THERE - GATE - 1);
    run_to(tile, 200);
    assert_int_equal(unpack(tile, MATH_INSTRN_STARTED, 200), 2);
    assert_int_equal(unpack(tile, MATH_INSTRN_HF_1_CYCLE, 200), 2);
    assert_int_equal(unpack(tile, MATH_INSTRN_HF_4_CYCLE, 200), 0);
    assert_int_equal(unpack(tile, MATH_FIDELITY_STALL, 200), 0);
    assert_int_equal(unpack(tile, MATH_INSTRN_AVAILABLE, 200), 2 + WAITS + NEXT);
    assert_int_equal(unpack(tile, MATH_SRC_DATA_READY, 200), 2 + NEXT);
    assert_int_equal(unpack(tile, DATA_HAZARD_STALLS_MOVD2A, 200), 2 + WAITS + NEXT);
    assert_int_equal(pack(tile, AVAILABLE_MATH, 200), 2 + WAITS);
    assert_int_equal(pack(tile, MATH_NOT_STALLED_DEST_WR_PORT, 200), 2 + WAITS + NEXT);
}

static void what_a_wait_instruction_blocks_is_not_before_the_unit(void **state)
{
    struct tile *tile = *state;
    start(tile);
    push_at(tile, 1, "SEMWAIT BlockMask=511, SemaphoreMask=1, ConditionMask=1", 50);
    push_at(tile, 1, "ZEROACC", 51);
    push_at(tile, 0, "SEMPOST SemaphoreMask=1", 80);
    run_to(tile, 200);
    assert_int_equal(unpack(tile, MATH_INSTRN_STARTED, 200), 1);
    assert_int_equal(unpack(tile, MATH_INSTRN_AVAILABLE, 200), 1);
}

static void what_comes_behind_movd2b_waits_for_it(void **state)
{
    struct tile *tile = *state;
    start(tile);
    push_at(tile, 1, "MOVD2B", 50);
    push_at(tile, 1, "INCRWC", 51);
    push_at(tile, 1, "SFPNOP", 90);
    run_to(tile, 200);
    assert_int_equal(unpack(tile, MATH_INSTRN_AVAILABLE, 200), 3 + COST_MATRIX_ONLY_MOVD2B);
    assert_int_equal(unpack(tile, DATA_HAZARD_STALLS_MOVD2A, 200), 3);
    assert_int_equal(unpack(tile, MATH_SRC_DATA_READY, 200), 3 + COST_MATRIX_ONLY_MOVD2B);
    assert_int_equal(unpack(tile, MATH_INSTRN_HF_1_CYCLE, 200), 2); /* without the Vector Unit's */
    assert_int_equal(pack(tile, AVAILABLE_MATH, 200), 3 + COST_MATRIX_ONLY_MOVD2B);
}

static void the_packer_is_busy_and_reads_dst_or_does_not(void **state)
{
    struct tile *tile = *state;
    start(tile);
    push_at(tile, 2, "PACR", 50);
    push_at(tile, 2, "PACR", 51);
    run_to(tile, 100);
    assert_int_equal(pack(tile, PACKER_BUSY, 100), 2);
    assert_int_equal(pack(tile, PACKER_DEST_READ_AVAILABLE, 100), 2);
    push_at(tile, 2, "PACR ZeroWrite=1, Last=1", 100);
    run_to(tile, 200);
    assert_int_equal(pack(tile, PACKER_BUSY, 200), 3);
    assert_int_equal(pack(tile, PACKER_DEST_READ_AVAILABLE, 200), 2);
    assert_int_equal(pack(tile, DEST_READ_GRANTED_0, 200), 2);
}

static void only_the_window_is_counted(void **state)
{
    struct tile *tile = *state;
    start(tile);
    push_at(tile, 0, "UNPACR MultiContextMode=1, FlipSrc=1", 50);
    push_at(tile, 2, "PACR", 50);
    run_to(tile, 52 + GATE);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_UNPACK2, 0, 52 + GATE);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_UNPACK2, 1, 52 + GATE);
    run_to(tile, 56 + GATE);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_UNPACK2, 2, 56 + GATE);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK2, 2, 56 + GATE);
    push_at(tile, 2, "PACR", 60 + GATE);
    run_to(tile, 200);
    assert_int_equal(unpack(tile, UNPACK0_BUSY_THREAD0, 200), 4);
    assert_int_equal(pack(tile, PACKER_BUSY, 200), 1);
}

/* What a core has on its way is looked at in each cycle, and each in which there is something counts once. */
static bool requests;
static bool on_requests(const struct tile *owner, unsigned core)
{
    (void)owner, (void)core;
    return requests;
}
static void waits_for_requests_of_a_core(void **state)
{
    enum { C10 = 10, CYCLES = 7 };
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    tile->lent.core_requests = on_requests;
    requests = true; /* and another comes in between, which counts nothing */
    push_at(tile, 0, "STALLWAIT BlockMask=0x1ff, ConditionMask=0x401", 50);
    push_at(tile, 0, "DMANOP", 50);
    run_to(tile, 50 + GATE + 4);
    tensix_changing(&tile->lent, tx, TENSIX_WATCH_CORE, 50 + GATE + 4);
    run_to(tile, 50 + GATE + 1 + CYCLES);
    requests = false;
    run_to(tile, 100);
    assert_int_equal(tx->latched, 0);
    assert_int_equal(tensix_count_waited(&tile->lent, tx, 0, C10, 100), CYCLES);
    assert_int_equal(tensix_count_stalled(tx, 0, 100), CYCLES);
    assert_int_equal(tensix_count_waited(&tile->lent, tx, 0, 0, 100), 0);
}

/* T1 waits for the Scalar Unit, which T0 has, and then stops with a fault. */
static void what_stops_at_its_gate_is_stalled_no_more(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    push_at(tile, 0, "MULDMAREG ResultReg=1, RightReg=2, LeftReg=3", 50);
    assert_int_equal(devices_push_tensix(tile, T1, 1, word_of("DMANOP") | 1, 51), DEV_OK);
    while (tensix_next(tx) < 200)
        tensix_run(&tile->lent, tx, 200);
    assert_int_equal(tile->faults, 1);
    assert_true(tx->thread[1].stopped);
    const uint32_t stalled = tensix_count_stalled(tx, 1, 80);
    assert_int_equal(stalled, 2); /* of three, of which one has passed */
    assert_int_equal(tensix_count_stalled(tx, 1, 200), stalled);
    assert_int_equal(tensix_count_any_stalled(tx, 200), stalled);
    assert_int_equal(tensix_count_available(tx, 1, UNIT_SCALAR, 200), stalled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_unpacker_is_busy_from_the_gate_to_its_last_datum),
        CASE(what_goes_to_dst_is_no_write_of_srca),
        CASE(a_product_waits_for_its_sources_and_for_its_block),
        CASE(what_a_wait_instruction_blocks_is_not_before_the_unit),
        CASE(what_comes_behind_movd2b_waits_for_it),
        CASE(the_packer_is_busy_and_reads_dst_or_does_not),
        CASE(only_the_window_is_counted),
        CASE(waits_for_requests_of_a_core),
        CASE(what_stops_at_its_gate_is_stalled_no_more),
    };
    return RUN(tests);
}
