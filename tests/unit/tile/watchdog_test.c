/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/overlay.c */
/* LINK: src/tile/devices.c src/tile/reg_names.c src/tile/mailbox.c src/tile/pcbuf.c src/tile/ttsync.c */
/* LINK: src/tile/pic.c src/tile/soft_reset.c src/tile/tdma_risc.c src/tile/debug_regs.c src/tile/wall_clock.c */
/* LINK: src/tile/perf_counters.c src/tile/watchdog.c src/tile/debug_interface.c src/tile/tag_search.c */
/* LINK: src/tile/tensix_fifo.c src/noc/niu.c src/noc/niu_regs.c src/noc/coords.c src/noc/atomics.c */
/* LINK: src/num/f16.c src/num/f32.c src/num/fma.c src/chip/grid.c */
/* LINK: src/tile/eth_regs.c src/tile/dram_regs.c */
#include "unit/tile/fake_tile.h"

static void it_starts_at_all_ones_and_stands_still(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd(tile, B, 0xFFB121E0), 0xFFFFFFFF);
    assert_int_equal(rd_at(tile, B, 0xFFB121E0, 5000), 0xFFFFFFFF);
    assert_true(devices_next_event(&tile->dev) == UINT64_MAX);
}

static void bit_0_of_control_makes_it_count_down(void **state)
{
    struct tile *tile = *state;
    wr_at(tile, B, 0xFFB121E0, 1000, 10);
    wr_at(tile, B, 0xFFB121E4, 1, 20);
    assert_int_equal(rd_at(tile, B, 0xFFB121E0, 120), 900);
    wr_at(tile, B, 0xFFB121E4, 0, 220);
    assert_int_equal(rd_at(tile, B, 0xFFB121E0, 9999), 800);
    wr_at(tile, B, 0xFFB121E4, 1, 10000);
    assert_int_equal(rd_at(tile, B, 0xFFB121E0, 10001), 799);
}

static void at_zero_it_raises_hardware_irq_3(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISC_PIC_NCRISC_HW_INT_EN, 8);
    wr(tile, NOC, RISC_PIC_HW_INT_PC + 12, 0x4444);
    wr_at(tile, B, 0xFFB121E0, 50, 100);
    wr_at(tile, B, 0xFFB121E4, 1, 100);
    assert_true(devices_next_event(&tile->dev) == 150);
    devices_event(tile, 149);
    assert_int_equal(rd_at(tile, B, 0xFFB121E8, 149), 0);
    assert_false(tile->core[NC].line);
    devices_event(tile, 150);
    assert_true(tile->core[NC].line);
    assert_int_equal(tile->core[NC].vector, 0x4444);
    assert_int_equal(rd_at(tile, B, 0xFFB121E8, 151), 1);
    assert_int_equal(rd_at(tile, B, 0xFFB121E0, 200), 0);
    assert_int_equal(rd_at(tile, B, RISC_PIC_HW_INT + 12, 200), 1);
    assert_true(devices_next_event(&tile->dev) == UINT64_MAX);
}

static void a_new_count_takes_the_irq_back(void **state)
{
    struct tile *tile = *state;
    wr_at(tile, B, 0xFFB121E0, 50, 100);
    wr_at(tile, B, 0xFFB121E4, 1, 100);
    devices_event(tile, 150);
    assert_int_equal(rd(tile, B, RISC_PIC_HW_INT + 12), 1);
    wr_at(tile, B, 0xFFB121E0, 50, 160);
    assert_int_equal(rd(tile, B, RISC_PIC_HW_INT + 12), 0);
    assert_int_equal(rd_at(tile, B, 0xFFB121E8, 160), 0);
    assert_true(devices_next_event(&tile->dev) == 210);
}

static void status_is_read_only(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFB121E8, 1);
    assert_int_equal(rd(tile, B, 0xFFB121E8), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(it_starts_at_all_ones_and_stands_still),
        CASE(bit_0_of_control_makes_it_count_down),
        CASE(at_zero_it_raises_hardware_irq_3),
        CASE(a_new_count_takes_the_irq_back),
        CASE(status_is_read_only),
    };
    return RUN(tests);
}
