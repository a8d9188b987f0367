/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/overlay.c */
/* LINK: src/tile/devices.c src/tile/reg_names.c src/tile/mailbox.c src/tile/pcbuf.c src/tile/ttsync.c */
/* LINK: src/tile/pic.c src/tile/soft_reset.c src/tile/tdma_risc.c src/tile/debug_regs.c src/tile/wall_clock.c */
/* LINK: src/tile/perf_counters.c src/tile/watchdog.c src/tile/debug_interface.c src/tile/tag_search.c */
/* LINK: src/tile/tensix_fifo.c src/noc/niu.c src/noc/niu_regs.c src/noc/coords.c src/noc/atomics.c */
/* LINK: src/num/f16.c src/num/f32.c src/num/fma.c src/chip/grid.c */
/* LINK: src/tile/eth_regs.c src/tile/dram_regs.c */
#include "unit/tile/fake_tile.h"

static void values_go_from_b_to_each_t_in_order(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFE80000, 1);
    wr(tile, B, 0xFFE80040, 2); /* for B the whole 64 KiB is the FIFO */
    wr(tile, B, 0xFFE90000, 3);
    wr(tile, B, 0xFFEA0000, 4);
    assert_int_equal(rd(tile, T0, 0xFFE80000), 1);
    assert_int_equal(rd(tile, T0, 0xFFE80000), 2);
    assert_int_equal(rd(tile, T1, 0xFFE80000), 3);
    assert_int_equal(rd(tile, T2, 0xFFE80000), 4);
}

static void sixteen_values_fit(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 16; i++)
        wr(tile, B, 0xFFE90000, i);
    assert_int_equal(try_wr(tile, B, 0xFFE90000, 16), DEV_WAIT);
    wr(tile, B, 0xFFE80000, 0);
    assert_int_equal(rd(tile, T1, 0xFFE80000), 0);
    wr(tile, B, 0xFFE90000, 16);
    for (unsigned i = 1; i <= 16; i++)
        assert_int_equal(rd(tile, T1, 0xFFE80000), i);
}

static void writes_of_t_are_discarded(void **state)
{
    struct tile *tile = *state;
    wr(tile, T0, 0xFFE80000, 5);
    assert_int_equal(try_rd(tile, T0, 0xFFE80000), DEV_WAIT);
}

static void read_of_b_waits_until_t_waits_for_more(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_rd(tile, B, 0xFFE80000), DEV_WAIT); /* empty, but nobody waits */
    wr(tile, B, 0xFFE80000, 1);
    assert_int_equal(rd(tile, T0, 0xFFE80000), 1);
    assert_int_equal(try_rd(tile, B, 0xFFE80000), DEV_WAIT);
    unsigned changed = tile->changed;
    assert_int_equal(try_rd(tile, T0, 0xFFE80000), DEV_WAIT);
    assert_true(tile->changed > changed); /* B must look again */
    assert_int_equal(rd(tile, B, 0xFFE80000), 0);
    assert_int_equal(try_rd(tile, B, 0xFFE90000), DEV_WAIT);
    wr(tile, B, 0xFFE80000, 2);
    assert_int_equal(try_rd(tile, B, 0xFFE80000), DEV_WAIT); /* not empty any more */
}

static void waiting_again_changes_nothing(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_rd(tile, T0, 0xFFE80000), DEV_WAIT);
    struct devices before = tile->dev;
    unsigned changed = tile->changed;
    assert_int_equal(try_rd(tile, T0, 0xFFE80000), DEV_WAIT);
    assert_memory_equal(&before, &tile->dev, sizeof before);
    assert_int_equal(tile->changed, changed);
}

static void read_of_b_waits_for_the_coprocessor(void **state)
{
    struct tile *tile = *state;
    wr(tile, T0, 0xFFE40000, 0x02000000); /* a NOP that nobody takes */
    assert_int_equal(try_rd(tile, T0, 0xFFE80000), DEV_WAIT);
    assert_int_equal(try_rd(tile, B, 0xFFE80000), DEV_WAIT);
}

static void override_gives_t_a_value_when_empty(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE, (1u | 0xABu << 2) << 10);
    wr(tile, B, 0xFFE90000, 1);
    assert_int_equal(rd(tile, T1, 0xFFE80000), 1);
    assert_int_equal(rd(tile, T1, 0xFFE80000), 0xAB);
    assert_int_equal(try_rd(tile, T0, 0xFFE80000), DEV_WAIT);
    assert_int_equal(try_rd(tile, B, 0xFFE90000), DEV_WAIT); /* OverrideBusy is not set */
}

static void override_busy_lets_b_read(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFEA0000, 1);
    unsigned changed = tile->changed;
    wr(tile, NOC, RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE, 3u << 20);
    assert_true(tile->changed > changed);
    assert_int_equal(rd(tile, B, 0xFFEA0000), 0);
    wr(tile, NOC, RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE, 2u << 20); /* busy without enable is nothing */
    assert_int_equal(try_rd(tile, B, 0xFFEA0000), DEV_WAIT);
}

static void leaving_reset_empties_the_fifo_of_its_reader(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFE80000, 1);
    wr(tile, B, 0xFFE90000, 2);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x47800 & ~0x1000u);
    assert_int_equal(try_rd(tile, T0, 0xFFE80000), DEV_WAIT);
    assert_int_equal(rd(tile, T1, 0xFFE80000), 2);
}

static void a_reader_in_reset_does_not_wait(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0);
    assert_int_equal(try_rd(tile, T0, 0xFFE80000), DEV_WAIT);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x1000);
    assert_int_equal(try_rd(tile, B, 0xFFE80000), DEV_WAIT);
}

static void only_b_reaches_the_second_and_third(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_rd(tile, T1, 0xFFE90000), DEV_NOTHING);
    assert_int_equal(try_wr(tile, NC, 0xFFE80000, 0), DEV_NOTHING);
    assert_int_equal(try_rd(tile, NOC, 0xFFE80000), DEV_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(values_go_from_b_to_each_t_in_order),
        CASE(sixteen_values_fit),
        CASE(writes_of_t_are_discarded),
        CASE(read_of_b_waits_until_t_waits_for_more),
        CASE(waiting_again_changes_nothing),
        CASE(read_of_b_waits_for_the_coprocessor),
        CASE(override_gives_t_a_value_when_empty),
        CASE(override_busy_lets_b_read),
        CASE(leaving_reset_empties_the_fifo_of_its_reader),
        CASE(a_reader_in_reset_does_not_wait),
        CASE(only_b_reaches_the_second_and_third),
    };
    return RUN(tests);
}
