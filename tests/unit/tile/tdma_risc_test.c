/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/overlay.c */
/* LINK: src/tile/devices.c src/tile/reg_names.c src/tile/mailbox.c src/tile/pcbuf.c src/tile/ttsync.c */
/* LINK: src/tile/pic.c src/tile/soft_reset.c src/tile/tdma_risc.c src/tile/debug_regs.c src/tile/wall_clock.c */
/* LINK: src/tile/perf_counters.c src/tile/watchdog.c src/tile/debug_interface.c src/tile/tag_search.c */
/* LINK: src/tile/tensix_fifo.c src/noc/niu.c src/noc/niu_regs.c src/noc/coords.c src/noc/atomics.c */
/* LINK: src/num/f16.c src/num/f32.c src/num/fma.c src/chip/grid.c */
/* LINK: src/tile/eth_regs.c src/tile/dram_regs.c */
#include "unit/tile/fake_tile.h"

static void status_is_that_of_an_empty_queue(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd(tile, B, RISCV_TDMA_REG_STATUS), 0x428);
}

static void clock_gating_is_stored(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFB11024, 0x3F);
    wr(tile, B, 0xFFB11028, 0x7F);
    assert_int_equal(rd(tile, T0, 0xFFB11024), 0x3F);
    assert_int_equal(rd(tile, T0, 0xFFB11028), 0x7F);
}

static void parameters_read_as_zero(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 4; i++) {
        wr(tile, B, 0xFFB11000 + 4 * i, 5);
        assert_int_equal(rd(tile, B, 0xFFB11000 + 4 * i), 0);
    }
}

static void a_write_command_stores_32_or_64_bits(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_TDMA_REG_XMOV_SRC_ADDR, 0x1000);
    wr(tile, B, RISCV_TDMA_REG_XMOV_SIZE, 0x11);
    wr(tile, B, RISCV_TDMA_REG_XMOV_DIRECTION, 0x22);
    wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x666);
    assert_int_equal(l1_word(tile, 0x1000), 0x11);
    assert_int_equal(l1_word(tile, 0x1004), 0);
    wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x766);
    assert_int_equal(l1_word(tile, 0x1004), 0x22);
}

static void waits_and_nops_pass(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x80000089);
    wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x80000046);
    assert_int_equal(tile->faults, 0);
}

static void the_mover_is_not_there(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x40), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNIMPLEMENTED);
}

static void other_commands_are_undefined(void **state)
{
    struct tile *tile = *state;
    static const uint32_t commands[] = {0x00, 0x66, 0x80000666};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(try_wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, commands[i]), DEV_FAULT);
        assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    }
    wr(tile, B, RISCV_TDMA_REG_XMOV_SRC_ADDR, DEVICES_L1_BYTES);
    assert_int_equal(try_wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x666), DEV_FAULT);
}

static void each_core_has_its_own_base(void **state)
{
    struct tile *tile = *state;
    for (unsigned core = B; core <= T2; core++)
        wr(tile, core, RISCV_TDMA_REG_XMOV_L1_BASE_ADDR, 10 + core);
    for (unsigned core = B; core <= T2; core++)
        assert_int_equal(rd(tile, core, RISCV_TDMA_REG_XMOV_L1_BASE_ADDR), 10 + core);
}

static void idle_packers_report_nothing(void **state)
{
    struct tile *tile = *state;
    for (unsigned packer = 0; packer < 4; packer++) {
        for (unsigned thread = 0; thread < 3; thread++) {
            assert_int_equal(rd(tile, B, 0xFFB11018 + 0x100 * packer + 0x40 * thread), 0);
            assert_int_equal(rd(tile, B, 0xFFB1101C + 0x100 * packer + 0x40 * thread), 0);
        }
        assert_int_equal(try_rd(tile, B, 0xFFB11030 + 0x100 * packer), DEV_WAIT);
        assert_int_equal(try_rd(tile, B, 0xFFB11034 + 0x100 * packer), DEV_FAULT);
        assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    }
    assert_int_equal(rd(tile, B, RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS), 0x55);
}

static void initial_pack_acc_sets_the_named_packers(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_TDMA_REG_INITIAL_PACK_ACC, 0x51234);
    assert_int_equal(tile->dev.tdma.l1_dest_addr_offset[0], 0x1234);
    assert_int_equal(tile->dev.tdma.l1_dest_addr_offset[1], 0);
    assert_int_equal(tile->dev.tdma.l1_dest_addr_offset[2], 0x1234);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x47800 | 1 << 4);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x47800);
    assert_int_equal(tile->dev.tdma.l1_dest_addr_offset[0], 0x1234);
    assert_int_equal(tile->dev.tdma.l1_dest_addr_offset[2], 0);
}

static void nothing_is_in_the_gaps_nor_for_nc_and_noc(void **state)
{
    struct tile *tile = *state;
    static const uint32_t gaps[] = {0x20, 0x3C, 0xD8, 0x400, 0xFFC};
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(try_rd(tile, B, 0xFFB11000 + gaps[i]), DEV_NOTHING);
        assert_int_equal(try_wr(tile, B, 0xFFB11000 + gaps[i], 0), DEV_NOTHING);
    }
    assert_int_equal(try_rd(tile, NC, RISCV_TDMA_REG_STATUS), DEV_NOTHING);
    assert_int_equal(try_rd(tile, NOC, RISCV_TDMA_REG_STATUS), DEV_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(status_is_that_of_an_empty_queue),
        CASE(clock_gating_is_stored),
        CASE(parameters_read_as_zero),
        CASE(a_write_command_stores_32_or_64_bits),
        CASE(waits_and_nops_pass),
        CASE(the_mover_is_not_there),
        CASE(other_commands_are_undefined),
        CASE(each_core_has_its_own_base),
        CASE(idle_packers_report_nothing),
        CASE(initial_pack_acc_sets_the_named_packers),
        CASE(nothing_is_in_the_gaps_nor_for_nc_and_noc),
    };
    return RUN(tests);
}
