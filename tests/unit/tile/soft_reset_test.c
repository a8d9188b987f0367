/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
#include "unit/tile/fake_tile.h"

enum { ALL = 0x47800 };

static void power_on_holds_every_core(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd(tile, NOC, 0xFFB121B0), ALL);
}

static void each_core_has_its_bit_and_its_first_pc(void **state)
{
    static const struct {
        unsigned core;
        uint32_t bit, pc;
    } expect[] = {
        {B, 0x800, 0}, {T0, 0x1000, 0x6000}, {T1, 0x2000, 0xA000}, {T2, 0x4000, 0xE000}, {NC, 0x40000, 0x12000}};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 5; i++) {
        wr(tile, NOC, 0xFFB121B0, ALL & ~expect[i].bit);
        for (unsigned core = 0; core < KERR_CORE_COUNT; core++)
            assert_int_equal(tile->core[core].in_reset, core != expect[i].core);
        assert_int_equal(tile->core[expect[i].core].reset_pc, expect[i].pc);
        wr(tile, NOC, 0xFFB121B0, ALL);
    }
}

static void overrides_move_the_first_pc(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFB12228, 0x100);
    wr(tile, B, 0xFFB1222C, 0x200);
    wr(tile, B, 0xFFB12230, 0x300);
    wr(tile, B, 0xFFB12238, 0x400);
    wr(tile, B, 0xFFB12234, 5); /* T0 and T2 */
    wr(tile, B, 0xFFB121B0, 0);
    assert_int_equal(tile->core[T0].reset_pc, 0x100);
    assert_int_equal(tile->core[T1].reset_pc, 0xA000);
    assert_int_equal(tile->core[T2].reset_pc, 0x300);
    assert_int_equal(tile->core[NC].reset_pc, 0x12000);
    wr(tile, B, 0xFFB1223C, 1);
    wr(tile, B, 0xFFB121B0, 0x40000);
    wr(tile, B, 0xFFB121B0, 0);
    assert_int_equal(tile->core[NC].reset_pc, 0x400);
}

static void only_cores_whose_bit_changes_hear_of_it(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, 0xFFB121B0, ALL);
    wr(tile, NOC, 0xFFB121B0, ALL | 0x80000000 | 0x3FF);
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++)
        assert_int_equal(tile->core[core].resets, 0);
    assert_int_equal(rd(tile, NOC, 0xFFB121B0), ALL | 0x80000000 | 0x3FF);
    wr(tile, NOC, 0xFFB121B0, 0x47000);
    assert_int_equal(tile->core[B].resets, 1);
    assert_int_equal(tile->core[T0].resets, 0);
}

static void leaving_reset_invalidates_the_instruction_cache(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, 0xFFB121B0, ALL & ~0x2800u);
    assert_int_equal(tile->invalidated, 1u << B | 1u << T1);
}

static void entering_reset_discards_the_first_fifo_of_the_thread(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, 0xFFB121B0, 0);
    wr(tile, B, 0xFFE40000, 0x02000000);
    wr(tile, B, 0xFFE40000, 0x02000000);
    wr(tile, T0, 0xFFE40000, 0x02000000);
    wr(tile, NOC, 0xFFB121B0, 0x1000);
    assert_int_equal(tile->dev.tensix.thread[0].fifo_count, 0);
    assert_int_equal(tile->dev.tensix.thread[0].replay_count, 2);
    assert_int_equal(tile->dev.tensix.thread[0].in_flight, 0);
}

static void disable_reset_speaks_for_each_core(void **state)
{
    static const unsigned shift[KERR_CORE_COUNT] = {6, 0, 2, 4, 8};
    struct tile *tile = *state;
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        wr(tile, NOC, 0xFFB12224, 1u << shift[core]);
        for (unsigned other = 0; other < KERR_CORE_COUNT; other++) {
            assert_int_equal(devices_clears_local_ram(&tile->dev, other), other != core);
            assert_true(devices_clears_debug_registers(&tile->dev, other));
        }
        wr(tile, NOC, 0xFFB12224, 2u << shift[core]);
        assert_true(devices_clears_local_ram(&tile->dev, core));
        assert_false(devices_clears_debug_registers(&tile->dev, core));
    }
}

static void bit_9_clears_and_holds_thcon_configuration(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFEF0000 + 4 * 63, 1);
    wr(tile, B, 0xFFEF0000 + 4 * 64, 2);
    wr(tile, B, 0xFFEF0380 + 4 * 179, 3);
    wr(tile, B, 0xFFEF0000 + 4 * 180, 4);
    wr(tile, NOC, 0xFFB121B0, ALL | 1 << 9);
    assert_int_equal(rd(tile, B, 0xFFEF0000 + 4 * 63), 1);
    assert_int_equal(rd(tile, B, 0xFFEF0000 + 4 * 64), 0);
    assert_int_equal(rd(tile, B, 0xFFEF0380 + 4 * 179), 0);
    assert_int_equal(rd(tile, B, 0xFFEF0000 + 4 * 180), 4);
    wr(tile, B, 0xFFEF0000 + 4 * 64, 5);
    assert_int_equal(rd(tile, B, 0xFFEF0000 + 4 * 64), 0);
    wr(tile, NOC, 0xFFB121B0, ALL);
    wr(tile, B, 0xFFEF0000 + 4 * 64, 5);
    assert_int_equal(rd(tile, B, 0xFFEF0000 + 4 * 64), 5);
}

static void bit_8_discards_writes_to_tdma_risc(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_TDMA_REG_CLK_GATE_EN, 1);
    wr(tile, NOC, 0xFFB121B0, ALL | 1 << 8);
    wr(tile, B, RISCV_TDMA_REG_CLK_GATE_EN, 2);
    assert_int_equal(rd(tile, B, RISCV_TDMA_REG_CLK_GATE_EN), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(power_on_holds_every_core),
        CASE(each_core_has_its_bit_and_its_first_pc),
        CASE(overrides_move_the_first_pc),
        CASE(only_cores_whose_bit_changes_hear_of_it),
        CASE(leaving_reset_invalidates_the_instruction_cache),
        CASE(entering_reset_discards_the_first_fifo_of_the_thread),
        CASE(disable_reset_speaks_for_each_core),
        CASE(bit_9_clears_and_holds_thcon_configuration),
        CASE(bit_8_discards_writes_to_tdma_risc),
    };
    return RUN(tests);
}
