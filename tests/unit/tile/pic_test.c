/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/overlay.c */
/* LINK: src/tile/devices.c src/tile/reg_names.c src/tile/mailbox.c src/tile/pcbuf.c src/tile/ttsync.c */
/* LINK: src/tile/pic.c src/tile/soft_reset.c src/tile/tdma_risc.c src/tile/debug_regs.c src/tile/wall_clock.c */
/* LINK: src/tile/perf_counters.c src/tile/watchdog.c src/tile/debug_interface.c src/tile/tag_search.c */
/* LINK: src/tile/tensix_fifo.c src/noc/niu.c src/noc/niu_regs.c src/noc/coords.c src/noc/atomics.c */
/* LINK: src/num/f16.c src/num/f32.c src/num/fma.c src/chip/grid.c */
/* LINK: src/tile/eth_regs.c src/tile/dram_regs.c */
#include "unit/tile/fake_tile.h"

static void a_software_irq_is_a_word_that_reading_takes(void **state)
{
    struct tile *tile = *state;
    wr(tile, T1, RISC_PIC_SW_INT + 4 * 31, 0x55);
    wr(tile, T1, RISC_PIC_SW_INT + 4 * 31, 0x66);
    assert_int_equal(pk(tile, NOC, RISC_PIC_SW_INT + 4 * 31), 0x66);
    assert_int_equal(rd(tile, NOC, RISC_PIC_SW_INT + 4 * 31), 0x66);
    assert_int_equal(rd(tile, NOC, RISC_PIC_SW_INT + 4 * 31), 0);
}

static void an_enabled_irq_raises_the_line_with_its_handler(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISC_PIC_SW_INT_PC + 4 * 3, 0x1230);
    wr(tile, B, RISC_PIC_SW_INT + 4 * 3, 1);
    assert_false(tile->core[B].line);
    wr(tile, B, RISC_PIC_BRISC_SW_INT_EN, 1 << 3);
    assert_true(tile->core[B].line);
    assert_int_equal(tile->core[B].vector, 0x1230);
    assert_int_equal(rd(tile, B, RISC_PIC_BRISC_INT_NO), 3);
    assert_false(tile->core[NC].line);
}

static void taking_or_clearing_the_irq_lowers_the_line(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISC_PIC_NCRISC_SW_INT_EN, 1);
    wr(tile, B, RISC_PIC_SW_INT, 9);
    assert_true(tile->core[NC].line);
    rd(tile, B, RISC_PIC_SW_INT);
    assert_false(tile->core[NC].line);
    wr(tile, B, RISC_PIC_SW_INT, 9);
    wr(tile, B, RISC_PIC_SW_INT, 0);
    assert_false(tile->core[NC].line);
}

static void handlers_do_not_nest_and_take_turns(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 3; i++)
        wr(tile, B, RISC_PIC_SW_INT_PC + 4 * i, 0x1000 * (i + 1));
    wr(tile, B, RISC_PIC_BRISC_SW_INT_EN, 7);
    for (unsigned i = 0; i < 3; i++)
        wr(tile, B, RISC_PIC_SW_INT + 4 * i, 1);
    for (unsigned turn = 0; turn < 6; turn++) { /* nobody clears them */
        assert_true(tile->core[B].line);
        assert_int_equal(tile->core[B].vector, 0x1000 * (turn % 3 + 1));
        devices_interrupt_entered(tile, B, 100);
        assert_false(tile->core[B].line);
        wr(tile, B, RISC_PIC_SW_INT + 4 * 2, 1);
        assert_false(tile->core[B].line);
        assert_int_equal(rd(tile, B, RISC_PIC_BRISC_INT_NO), turn % 3);
        devices_interrupt_returned(tile, B, 100);
    }
}

static void the_number_stands_still_while_the_handler_runs(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISC_PIC_BRISC_SW_INT_EN, 0xFFFFFFFF);
    wr(tile, B, RISC_PIC_SW_INT + 4 * 5, 1);
    devices_interrupt_entered(tile, B, 100);
    rd(tile, B, RISC_PIC_SW_INT + 4 * 5);
    wr(tile, B, RISC_PIC_SW_INT + 4 * 9, 1);
    assert_int_equal(rd(tile, B, RISC_PIC_BRISC_INT_NO), 5);
    devices_interrupt_returned(tile, B, 100);
    assert_int_equal(rd(tile, B, RISC_PIC_BRISC_INT_NO), 9);
}

static void one_irq_may_interrupt_both_cores(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISC_PIC_BRISC_SW_INT_EN, 1);
    wr(tile, B, RISC_PIC_NCRISC_SW_INT_EN, 1);
    wr(tile, B, RISC_PIC_SW_INT, 1);
    assert_true(tile->core[B].line && tile->core[NC].line);
    devices_interrupt_entered(tile, B, 100);
    assert_int_equal(rd(tile, B, RISC_PIC_SW_INT), 1);
    assert_false(tile->core[NC].line);
}

static void reset_ends_a_handler(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0);
    wr(tile, B, RISC_PIC_BRISC_SW_INT_EN, 1);
    wr(tile, B, RISC_PIC_SW_INT, 1);
    devices_interrupt_entered(tile, B, 100);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x800);
    assert_true(tile->core[B].line);
}

static void hardware_irqs_and_numbers_are_read_only(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISC_PIC_HW_INT, 1);
    wr(tile, B, RISC_PIC_BRISC_INT_NO, 1);
    assert_int_equal(rd(tile, B, RISC_PIC_HW_INT), 0);
    assert_int_equal(rd(tile, B, RISC_PIC_BRISC_INT_NO), 0);
}

static void every_plain_register_keeps_its_own_value(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISC_PIC_BRISC_HW_INT_EN, 1);
    wr(tile, B, RISC_PIC_NCRISC_HW_INT_EN, 2);
    for (unsigned i = 0; i < 32; i++)
        wr(tile, B, RISC_PIC_SW_INT_PC + 4 * i, 100 + i);
    for (unsigned i = 0; i < 4; i++)
        wr(tile, B, RISC_PIC_HW_INT_PC + 4 * i, 200 + i);
    assert_int_equal(rd(tile, B, RISC_PIC_BRISC_HW_INT_EN), 1);
    assert_int_equal(rd(tile, B, RISC_PIC_NCRISC_HW_INT_EN), 2);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(rd(tile, B, RISC_PIC_SW_INT_PC + 4 * i), 100 + i);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rd(tile, B, RISC_PIC_HW_INT_PC + 4 * i), 200 + i);
}

static void pc_snapshots_come_in_the_order_b_nc_t0_t1_t2(void **state)
{
    static const unsigned order[] = {B, NC, T0, T1, T2};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 5; i++)
        tile->core[order[i]].pc = 0x100 * i;
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(rd(tile, NOC, 0xFFB13138 + 4 * i), 0x100 * i);
    wr(tile, NOC, 0xFFB13138, 1);
    assert_int_equal(try_rd(tile, NOC, 0xFFB1314C), DEV_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_software_irq_is_a_word_that_reading_takes),
        CASE(an_enabled_irq_raises_the_line_with_its_handler),
        CASE(taking_or_clearing_the_irq_lowers_the_line),
        CASE(handlers_do_not_nest_and_take_turns),
        CASE(the_number_stands_still_while_the_handler_runs),
        CASE(one_irq_may_interrupt_both_cores),
        CASE(reset_ends_a_handler),
        CASE(hardware_irqs_and_numbers_are_read_only),
        CASE(every_plain_register_keeps_its_own_value),
        CASE(pc_snapshots_come_in_the_order_b_nc_t0_t1_t2),
    };
    return RUN(tests);
}
