/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
#include "unit/tile/fake_tile.h"

#include "base/bits.h"
#include "costs.h"
#include "tensix/events.h"
#include "tensix/tensix.h"

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

/* Up to and with this cycle, as the engine would. */
static void run_to(struct tile *tile, uint64_t cycle)
{
    while (tensix_next(&tile->dev.tensix) <= cycle)
        tensix_run(&tile->lent, &tile->dev.tensix, cycle + 1);
}

static void wr_command(struct tile *tile, uint32_t source, uint32_t destination, uint32_t size, uint32_t direction,
                       uint32_t command, uint64_t cycle)
{
    const uint32_t parameter[4] = {source, destination, size, direction};
    for (unsigned i = 0; i < 4; i++)
        wr(tile, B, RISCV_TDMA_REG_XMOV_SRC_ADDR + 4 * i, parameter[i]);
    assert_int_equal(devices_write(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 4, command, cycle), DEV_OK);
}

static void a_write_command_stores_32_or_64_bits(void **state)
{
    struct tile *tile = *state;
    wr_command(tile, 0x1000, 0, 0x11, 0x22, 0x666, 100);
    run_to(tile, 110);
    assert_int_equal(l1_word(tile, 0x1000), 0x11);
    assert_int_equal(l1_word(tile, 0x1004), 0);
    wr_command(tile, 0x1000, 0, 0x11, 0x22, 0x766, 120);
    run_to(tile, 130);
    assert_int_equal(l1_word(tile, 0x1004), 0x22);
}

static void waits_and_nops_pass(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x80000089);
    wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x80000046);
    run_to(tile, 110);
    assert_int_equal(tile->faults, 0);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, 111), 0x428);
}

/* Manual WormholeB0 Mover: eight times 16 bytes in 11 cycles, and nothing else starts before that. */
static void a_move_takes_its_time_and_status_shows_it(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 256; i++)
        tile->l1[0x1000 + i] = (uint8_t)(i + 1);
    wr_command(tile, 0x100, 0x200, 16, XMOV_L1_TO_L1, 0x40, 100);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, 100), 3 << 8);
    run_to(tile, 101);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, 102), 0x428 | 1);
    const uint64_t end = tile->dev.tensix.mover.busy_until;
    assert_int_equal(end, 100 + COST_MOVER_COMMAND + COST_MOVER_START + 22);
    run_to(tile, 111);
    assert_memory_equal(tile->l1 + 0x2000, tile->l1 + 0x1000, 0x60);
    assert_int_equal(tile->l1[0x2000 + 0xF0], 0);
    run_to(tile, end - 1);
    assert_memory_equal(tile->l1 + 0x2000, tile->l1 + 0x1000, 0x100);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, end - 1), 0x429);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, end), 0x428);
}

static void a_second_move_and_a_wait_wait_for_the_first(void **state)
{
    struct tile *tile = *state;
    store32(tile->l1 + 0x1000, 7);
    wr_command(tile, 0x100, 0x200, 8, XMOV_L1_TO_L1, 0x40, 100);
    wr_command(tile, 0x200, 0x300, 1, XMOV_L1_TO_L1, 0x40, 100);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, 100), 2 << 8 | 1 << 4);
    run_to(tile, 101);
    const uint64_t first = tile->dev.tensix.mover.busy_until;
    wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x80000046);
    run_to(tile, first);
    const uint64_t second = tile->dev.tensix.mover.busy_until;
    assert_int_equal(second, first + COST_MOVER_START + 2);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, first + 1), 3 << 8 | 1 << 5 | 1);
    run_to(tile, second);
    assert_int_equal(l1_word(tile, 0x3000), 7);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, second + 1), 0x428);
}

static void a_full_queue_makes_the_core_wait(void **state)
{
    struct tile *tile = *state;
    wr_command(tile, 0x100, 0x200, 8, XMOV_L1_TO_L1, 0x40, 100);
    run_to(tile, 101);
    for (unsigned i = 0; i < 4; i++)
        wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x80000046);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, 102), 0x25);
    assert_int_equal(try_wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x80000089), DEV_WAIT);
    const unsigned told = tile->changed;
    run_to(tile, tile->dev.tensix.mover.busy_until);
    assert_true(tile->changed > told);
    assert_int_equal(try_wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x80000089), DEV_OK);
}

static void a_third_command_with_parameters_is_undefined(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 2; i++)
        wr_command(tile, 0x100, 0x200, 8, XMOV_L1_TO_L1, 0x40, 100);
    assert_int_equal(try_wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x40), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
}

/* Source: its base and 8 bits; destination 8 bits; count 6 bits; bit 30: to L1, else to configuration. */
static void a_compact_move_uses_the_base_of_its_core(void **state)
{
    struct tile *tile = *state;
    store32(tile->l1 + 0x3050, 0xABCD);
    wr(tile, T1, RISCV_TDMA_REG_XMOV_L1_BASE_ADDR, 0x300);
    wr(tile, B, RISCV_TDMA_REG_XMOV_L1_BASE_ADDR, 0x400);
    wr(tile, T1, RISCV_TDMA_REG_COMMAND_ADDR, 0xC0000040 | 1 << 24 | 0x12 << 16 | 5 << 8);
    run_to(tile, 120);
    assert_int_equal(l1_word(tile, 0x120), 0xABCD);
    wr_at(tile, T1, RISCV_TDMA_REG_COMMAND_ADDR, 0x80000040 | 1 << 24 | 0x10 << 16 | 5 << 8, 150);
    run_to(tile, 200);
    assert_int_equal(tile->dev.tensix.config[0][0x40], 0xABCD);
}

/* Bank 0, bank 1, and both at once; globals are in both banks. */
static void a_move_to_configuration_writes_its_words(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    for (unsigned i = 0; i < 8; i++)
        store32(tile->l1 + 0x1000 + 4 * i, 0x100 + i);
    wr_command(tile, 0x100, 224 / 4 + 16, 2, XMOV_L1_TO_L0, 0x40, 100);
    run_to(tile, 150);
    assert_int_equal(tx->config[1][64], 0x100);
    assert_int_equal(tx->config[1][71], 0x107);
    assert_int_equal(tx->config[0][64], 0);
    wr_command(tile, 0x100, 448 / 4 + 20, 1, XMOV_L1_TO_L0, 0x40, 200);
    run_to(tile, 250);
    assert_int_equal(tx->config[0][80], 0x100);
    assert_int_equal(tx->config[1][80], 0x100);
    wr_command(tile, 0, 224 / 4 + 16, 1, XMOV_L0_TO_L0, 0x40, 300);
    run_to(tile, 350);
    assert_int_equal(tx->config[1][64], 0);
    assert_int_equal(tx->config[1][68], 0x104);
}

static void a_move_to_l1_from_l0_clears_16_bytes_a_cycle(void **state)
{
    struct tile *tile = *state;
    memset(tile->l1 + 0x2000, 0x55, 0x200);
    wr_command(tile, 0, 0x200, 8, XMOV_L0_TO_L1, 0x40, 100);
    run_to(tile, 101);
    assert_int_equal(tile->dev.tensix.mover.busy_until, 101 + COST_MOVER_START + 8);
    run_to(tile, 130);
    assert_int_equal(l1_word(tile, 0x207C), 0);
    assert_int_equal(l1_word(tile, 0x2080), 0x55555555);
}

static void a_move_to_nowhere_takes_time_and_writes_nothing(void **state)
{
    struct tile *tile = *state;
    memset(tile->l1 + 0x1000, 0x55, 0x100);
    wr_command(tile, 0x100, 0x8000, 8, XMOV_L1_TO_L0, 0x40, 100);
    run_to(tile, 101);
    assert_int_equal(tile->dev.tensix.mover.busy_until, 101 + COST_MOVER_START + 11);
    run_to(tile, 130);
    assert_int_equal(l1_word(tile, 0x80000), 0);
    assert_int_equal(tile->faults, 0);
}

/* In units of 16 bytes. */
static void places_that_are_not_there_are_undefined(void **state)
{
    struct tile *tile = *state;
    static const uint32_t bad[][4] = {
        {DEVICES_L1_BYTES / 16, 0x200, 1, XMOV_L1_TO_L1},
        {0x100, DEVICES_L1_BYTES / 16, 1, XMOV_L1_TO_L1},
        {0x100, DEVICES_L1_BYTES / 16 - 1, 2, XMOV_L0_TO_L1},
        {DEVICES_L1_BYTES / 16 - 1, 0x200, 2, XMOV_L1_TO_L1},
        {0x100, 0x4000, 1, XMOV_L1_TO_L0},     /* instruction RAM of RISCV NC */
        {0x100, 3 * 56, 1, XMOV_L1_TO_L0},     /* ThreadConfig */
        {0x100, 3 * 56 - 1, 2, XMOV_L0_TO_L0}, /* into it */
        {0x100, 0xFFF, 2, XMOV_L1_TO_L0},      /* out of the window */
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        for (unsigned k = 0; k < 4; k++)
            wr(tile, B, RISCV_TDMA_REG_XMOV_SRC_ADDR + 4 * k, bad[i][k]);
        assert_int_equal(try_wr(tile, B, RISCV_TDMA_REG_COMMAND_ADDR, 0x40), DEV_FAULT);
        assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    }
    assert_int_equal(tile->faults, sizeof bad / sizeof *bad);
}

static void soft_reset_stops_the_mover_and_empties_the_queue(void **state)
{
    struct tile *tile = *state;
    store32(tile->l1 + 0x10F0, 7);
    wr_command(tile, 0x100, 0x200, 16, XMOV_L1_TO_L1, 0x40, 100);
    wr_command(tile, 0x100, 0x300, 16, XMOV_L1_TO_L1, 0x40, 100);
    run_to(tile, 105);
    devices_write(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 4, 0x47800 | 1 << 6 | 1 << 8, 106);
    assert_int_equal(rd_at(tile, B, RISCV_TDMA_REG_STATUS, 107), 0x428);
    run_to(tile, 200);
    assert_int_equal(l1_word(tile, 0x20F0), 0);
    assert_int_equal(l1_word(tile, 0x30F0), 0);
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
        CASE(a_move_takes_its_time_and_status_shows_it),
        CASE(a_second_move_and_a_wait_wait_for_the_first),
        CASE(a_full_queue_makes_the_core_wait),
        CASE(a_third_command_with_parameters_is_undefined),
        CASE(a_compact_move_uses_the_base_of_its_core),
        CASE(a_move_to_configuration_writes_its_words),
        CASE(a_move_to_l1_from_l0_clears_16_bytes_a_cycle),
        CASE(a_move_to_nowhere_takes_time_and_writes_nothing),
        CASE(places_that_are_not_there_are_undefined),
        CASE(soft_reset_stops_the_mover_and_empties_the_queue),
        CASE(other_commands_are_undefined),
        CASE(each_core_has_its_own_base),
        CASE(idle_packers_report_nothing),
        CASE(initial_pack_acc_sets_the_named_packers),
        CASE(nothing_is_in_the_gaps_nor_for_nc_and_noc),
    };
    return RUN(tests);
}
