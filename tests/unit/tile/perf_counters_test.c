/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/overlay.c */
/* LINK: src/tile/devices.c src/tile/reg_names.c src/tile/mailbox.c src/tile/pcbuf.c src/tile/ttsync.c */
/* LINK: src/tile/pic.c src/tile/soft_reset.c src/tile/tdma_risc.c src/tile/debug_regs.c src/tile/wall_clock.c */
/* LINK: src/tile/perf_counters.c src/tile/watchdog.c src/tile/debug_interface.c src/tile/tag_search.c */
/* LINK: src/tile/tensix_fifo.c src/noc/niu.c src/noc/niu_regs.c src/noc/coords.c src/noc/atomics.c */
/* LINK: src/num/f16.c src/num/f32.c src/num/fma.c src/chip/grid.c */
/* LINK: src/tile/eth_regs.c src/tile/dram_regs.c */
#include "unit/tile/fake_tile.h"

static void start_clears_and_counts_and_stop_freezes(void **state)
{
    struct tile *tile = *state;
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 1, 100);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 150), 50);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 0, 160);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 170), 70); /* a falling edge is nothing */
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 2, 200);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 500), 100);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 0, 600);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 1, 600);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 601), 1);
}

static void all_starts_fpu_and_instrn_thread_only(void **state)
{
    struct tile *tile = *state;
    wr_at(tile, T2, RISCV_DEBUG_REG_PERF_CNT_ALL, 1, 100);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_FPU, 110), 10);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_INSTRN_THREAD, 110), 10);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_TDMA_PACK, 110), 0);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_TDMA_UNPACK, 110), 0);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 110), 0);
}

static void mode_1_stops_after_the_period(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK0, 30);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK1, 1);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK2, 1, 100);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_TDMA_PACK, 120), 20);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_TDMA_PACK, 500), 30);
}

static void no_tensix_instruction_has_been_counted(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU1, 1 << 8 | 1 << 16);
    assert_int_equal(rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_FPU), 0);
    assert_int_equal(rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_INSTRN_THREAD), 0);
}

static void events_that_are_not_modelled_say_so(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_1, 6 << 8);
    assert_int_equal(try_rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_DBG_L1), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNIMPLEMENTED);
    assert_string_equal(tile->fault_text, "RISCV_DEBUG_REG_PERF_CNT_OUT_H_DBG_L1: event 6 is not counted yet");
}

static void settings_read_back(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU0, 0xFFFFFFFF);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_MUX_CTRL, 4 << 4);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_FPU, 5); /* read only */
    assert_int_equal(rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU0), 0xFFFFFFFF);
    assert_int_equal(rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_MUX_CTRL), 0x40);
    assert_int_equal(rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_FPU), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(start_clears_and_counts_and_stop_freezes),
        CASE(all_starts_fpu_and_instrn_thread_only),
        CASE(mode_1_stops_after_the_period),
        CASE(no_tensix_instruction_has_been_counted),
        CASE(events_that_are_not_modelled_say_so),
        CASE(settings_read_back),
    };
    return RUN(tests);
}
