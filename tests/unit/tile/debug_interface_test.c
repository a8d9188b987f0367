/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
#include "unit/tile/fake_tile.h"

/* Accesses in the order in which the vendor's debugger makes them. */
enum { STATUS = 0, COMMAND = 1, ARGUMENT0 = 2, ARGUMENT1 = 3, RESULT = 4, MODES = 5, ADDRESS = 10 };
#define SLOW 0x80000000u

static void dr_write(struct tile *tile, unsigned core, unsigned index, uint32_t value)
{
    wr(tile, NOC, 0xFFB12084, value);
    wr(tile, NOC, 0xFFB12080, 0x80010000 + (core << 17) + index);
    wr(tile, NOC, 0xFFB12080, 0);
}

static uint32_t dr_read(struct tile *tile, unsigned core, unsigned index)
{
    wr(tile, NOC, 0xFFB12080, 0x80000000 + (core << 17) + index);
    wr(tile, NOC, 0xFFB12080, 0);
    assert_int_equal(rd(tile, NOC, 0xFFB12088) & 0x40000000, 0x40000000);
    return rd(tile, NOC, 0xFFB1208C);
}

static struct tile *running(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0);
    return tile;
}

static struct tile *halted(void **state, unsigned core)
{
    struct tile *tile = running(state);
    dr_write(tile, core, COMMAND, SLOW + 1);
    return tile;
}

static void status_0_echoes_control_0(void **state)
{
    struct tile *tile = running(state);
    wr(tile, NOC, 0xFFB12080, 0x80010000 + (2u << 17) + 10);
    assert_int_equal(rd(tile, NOC, 0xFFB12088), 0x80000000 | 1u << (13 + 2) | 10);
    wr(tile, NOC, 0xFFB12080, 0x80000000 + 10); /* no rising edge */
    assert_int_equal(rd(tile, NOC, 0xFFB12088) & 0x40000000, 0);
}

static void pause_and_continue(void **state)
{
    struct tile *tile = running(state);
    for (unsigned core = B; core <= T2; core++) {
        assert_int_equal(dr_read(tile, core, STATUS), 0);
        dr_write(tile, core, COMMAND, SLOW + 1);
        assert_int_equal(tile->core[core].halts, 1);
        assert_int_equal(dr_read(tile, core, STATUS), 1);
        dr_write(tile, core, COMMAND, SLOW + 1); /* pausing twice is nothing */
        assert_int_equal(tile->core[core].halts, 1);
        dr_write(tile, core, COMMAND, SLOW + 4);
        assert_int_equal(dr_read(tile, core, STATUS), 0);
    }
}

static void commands_for_a_paused_core_do_nothing_to_a_running_one(void **state)
{
    struct tile *tile = running(state);
    dr_write(tile, B, ARGUMENT0, 5);
    dr_write(tile, B, ARGUMENT1, 77);
    for (unsigned bit = 1; bit <= 8; bit++)
        dr_write(tile, B, COMMAND, SLOW + (1u << bit));
    assert_int_equal(tile->core[B].reg[5], 0);
    assert_int_equal(tile->core[B].steps + tile->core[B].continues, 0);
    assert_int_equal(tile->stored_value, 0);
    assert_int_equal(dr_read(tile, B, COMMAND), SLOW + 0x100); /* reads back all the same */
}

static void a_step_takes_two_commands(void **state)
{
    struct tile *tile = halted(state, T1);
    for (unsigned i = 0; i < 3; i++) {
        dr_write(tile, T1, COMMAND, SLOW + 2);
        assert_int_equal(tile->core[T1].steps, i);
        dr_write(tile, T1, COMMAND, SLOW + 2);
        assert_int_equal(tile->core[T1].steps, i + 1);
    }
}

static void registers_are_read_and_written(void **state)
{
    struct tile *tile = halted(state, T2);
    for (unsigned i = 1; i < 32; i++) {
        dr_write(tile, T2, ARGUMENT1, 0x1000 + i);
        dr_write(tile, T2, ARGUMENT0, i);
        dr_write(tile, T2, COMMAND, SLOW + 0x10);
    }
    for (unsigned i = 0; i < 32; i++) {
        dr_write(tile, T2, ARGUMENT0, i);
        dr_write(tile, T2, COMMAND, SLOW + 8);
        assert_int_equal(dr_read(tile, T2, RESULT), i ? 0x1000 + i : 0);
    }
    tile->core[T2].pc = 0x9990;
    dr_write(tile, T2, ARGUMENT0, 32);
    dr_write(tile, T2, COMMAND, SLOW + 8);
    assert_int_equal(dr_read(tile, T2, RESULT), 0x9990);
    dr_write(tile, T2, COMMAND, SLOW + 0x80);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(tile->core[T2].reg[i], 0);
}

static void x0_and_numbers_past_pc_are_not_written(void **state)
{
    struct tile *tile = halted(state, B);
    dr_write(tile, B, ARGUMENT1, 5);
    dr_write(tile, B, ARGUMENT0, 0);
    dr_write(tile, B, COMMAND, SLOW + 0x10);
    dr_write(tile, B, ARGUMENT0, 32);
    dr_write(tile, B, COMMAND, SLOW + 0x10);
    dr_write(tile, B, ARGUMENT0, 0xFFFFFFFF);
    dr_write(tile, B, COMMAND, SLOW + 0x18);
    assert_int_equal(tile->core[B].reg[0], 0);
    assert_int_equal(tile->core[B].pc, 0);
}

static void memory_is_read_and_written_as_the_core_would(void **state)
{
    struct tile *tile = halted(state, T0);
    set_l1_word(tile, 0x1234 & ~3u, 0xCAFE);
    dr_write(tile, T0, ARGUMENT0, 0x1234);
    dr_write(tile, T0, COMMAND, SLOW + 0x20);
    assert_int_equal(dr_read(tile, T0, RESULT), 0xCAFE);
    dr_write(tile, T0, ARGUMENT1, 0x55);
    dr_write(tile, T0, ARGUMENT0, 0xFFB00010);
    dr_write(tile, T0, COMMAND, SLOW + 0x40);
    assert_int_equal(tile->stored_address, 0xFFB00010);
    assert_int_equal(tile->stored_value, 0x55);
    assert_int_equal(tile->faults, 0);
}

static void memory_that_is_not_there_is_a_fault(void **state)
{
    struct tile *tile = halted(state, T0);
    tile->nothing_there = true;
    dr_write(tile, T0, ARGUMENT0, 0x40000000);
    dr_write(tile, T0, COMMAND, SLOW + 0x20);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
}

static void some_of_t2_local_ram_does_not_work(void **state)
{
    struct tile *tile = halted(state, T2);
    dr_write(tile, T2, ARGUMENT0, 0xFFB00014);
    dr_write(tile, T2, COMMAND, SLOW + 0x20);
    assert_int_equal(tile->faults, 0);
    dr_write(tile, T2, ARGUMENT0, 0xFFB00018);
    dr_write(tile, T2, COMMAND, SLOW + 0x40); /* stores do */
    assert_int_equal(tile->faults, 0);
    dr_write(tile, T2, COMMAND, SLOW + 0x20);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
}

static void flush_sets_pc_from_argument_1_and_stays_paused(void **state)
{
    struct tile *tile = halted(state, T1);
    devices_ebreak(tile, T1, 100);
    assert_int_equal(dr_read(tile, T1, STATUS), 0x9);
    dr_write(tile, T1, ARGUMENT1, 0x7770);
    dr_write(tile, T1, COMMAND, SLOW + 0x100);
    assert_int_equal(tile->core[T1].pc, 0x7770);
    assert_int_equal(dr_read(tile, T1, STATUS), 1);
    dr_write(tile, T1, COMMAND, 0x102); /* without slow mode: as after reset; bit 1 is no step */
    assert_int_equal(tile->core[T1].pc, 0xA000);
    assert_int_equal(tile->core[T1].steps, 0);
}

static void ebreak_is_a_reason_until_the_core_goes_on(void **state)
{
    struct tile *tile = running(state);
    tile->core[B].halted = true;
    devices_ebreak(tile, B, 100);
    devices_ebreak(tile, NC, 100); /* has no debug interface */
    assert_int_equal(dr_read(tile, B, STATUS), 0x9);
    dr_write(tile, B, COMMAND, SLOW + 4);
    dr_write(tile, B, COMMAND, SLOW + 1);
    assert_int_equal(dr_read(tile, B, STATUS), 1);
}

static void watchpoints_hit_by_kind_and_address(void **state)
{
    struct tile *tile = running(state);
    for (unsigned i = 0; i < 8; i++)
        dr_write(tile, B, ADDRESS + i, 0x1000 * (i + 1));
    assert_false(tile->core[B].breakpoints);
    dr_write(tile, B, MODES, 0xFCBA9877); /* off off access write read break off off, from bit 31 */
    assert_true(tile->core[B].breakpoints);
    assert_int_equal(dr_read(tile, B, MODES), 0xFCBA9877);
    assert_int_equal(dr_read(tile, B, ADDRESS + 7), 0x8000);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t at = 0x1000 * (i + 1);
        assert_int_equal(devices_breakpoint(tile, B, at, 100), i == 2);
        assert_int_equal(devices_watchpoint(tile, B, at, 4, false, 100), i == 3 || i == 5);
        assert_int_equal(devices_watchpoint(tile, B, at, 4, true, 100), i == 4 || i == 5);
    }
    assert_false(devices_breakpoint(tile, T0, 0x3000, 100)); /* each core has its own */
}

static void status_says_which_watchpoint_hit(void **state)
{
    struct tile *tile = running(state);
    dr_write(tile, T0, ADDRESS + 1, 0x100);
    dr_write(tile, T0, ADDRESS + 6, 0x200);
    dr_write(tile, T0, MODES, 8u << 4 | 11u << 24);
    assert_true(devices_breakpoint(tile, T0, 0x100, 100));
    tile->core[T0].halted = true;
    assert_int_equal(dr_read(tile, T0, STATUS), 1 | 2 | 1u << 9);
    dr_write(tile, T0, COMMAND, SLOW + 4);
    assert_true(devices_watchpoint(tile, T0, 0x1FE, 4, true, 100)); /* covers 0x200 */
    tile->core[T0].halted = true;
    assert_int_equal(dr_read(tile, T0, STATUS), 1 | 4 | 1u << 14);
}

static void switching_the_last_one_off_tells_the_engine(void **state)
{
    struct tile *tile = running(state);
    dr_write(tile, T0, MODES, 9);
    assert_true(tile->core[T0].breakpoints);
    dr_write(tile, T0, MODES, 0);
    assert_false(tile->core[T0].breakpoints);
}

static void reset_clears_the_registers_unless_disabled(void **state)
{
    struct tile *tile = running(state);
    dr_write(tile, T0, MODES, 8);
    dr_write(tile, T1, MODES, 8);
    wr(tile, NOC, RISCV_DEBUG_REG_DISABLE_RESET, 1 << 3); /* T1's debug registers stay */
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x3000);
    assert_int_equal(dr_read(tile, T0, MODES), 0);
    assert_false(tile->core[T0].breakpoints);
    assert_int_equal(dr_read(tile, T1, MODES), 8);
    dr_write(tile, T0, MODES, 9); /* discarded while in reset */
    dr_write(tile, T1, MODES, 9);
    assert_int_equal(dr_read(tile, T0, MODES), 0);
    assert_int_equal(dr_read(tile, T1, MODES), 9);
}

static void slow_mode_stays_until_written_otherwise_or_reset(void **state)
{
    struct tile *tile = running(state);
    dr_write(tile, T1, COMMAND, SLOW);
    assert_true(tile->core[T1].slow_mode);
    assert_false(tile->core[T0].slow_mode);
    dr_write(tile, T1, COMMAND, 0);
    assert_false(tile->core[T1].slow_mode);
    dr_write(tile, T1, COMMAND, SLOW + 1);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x3000);
    assert_false(tile->core[T1].slow_mode);
}

static void cores_that_a_tile_does_not_have_are_silent(void **state)
{
    struct tile *tile = *state;
    devices_set_kind(&tile->dev, KERR_TILE_ETH);
    devices_reset(&tile->dev);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0);
    for (unsigned core = 0; core < 4; core++) {
        dr_write(tile, core, ADDRESS, 0x100);
        dr_write(tile, core, COMMAND, SLOW + 1);
        assert_int_equal(tile->core[core].halts, core < 2);
        wr(tile, NOC, 0xFFB12080, 0x80000000 + (core << 17) + ADDRESS);
        wr(tile, NOC, 0xFFB12080, 0);
        assert_int_equal(rd(tile, NOC, 0xFFB12088) >> 30, core < 2);
        if (core < 2)
            assert_int_equal(rd(tile, NOC, 0xFFB1208C), 0x100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(status_0_echoes_control_0),
        CASE(pause_and_continue),
        CASE(commands_for_a_paused_core_do_nothing_to_a_running_one),
        CASE(a_step_takes_two_commands),
        CASE(registers_are_read_and_written),
        CASE(x0_and_numbers_past_pc_are_not_written),
        CASE(memory_is_read_and_written_as_the_core_would),
        CASE(memory_that_is_not_there_is_a_fault),
        CASE(some_of_t2_local_ram_does_not_work),
        CASE(flush_sets_pc_from_argument_1_and_stays_paused),
        CASE(ebreak_is_a_reason_until_the_core_goes_on),
        CASE(watchpoints_hit_by_kind_and_address),
        CASE(status_says_which_watchpoint_hit),
        CASE(switching_the_last_one_off_tells_the_engine),
        CASE(reset_clears_the_registers_unless_disabled),
        CASE(slow_mode_stays_until_written_otherwise_or_reset),
        CASE(cores_that_a_tile_does_not_have_are_silent),
    };
    return RUN(tests);
}
