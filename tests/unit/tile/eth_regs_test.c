/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of an Ethernet tile (manual EthernetTile/EthernetTxRx, BabyRISCV/README). */
#include "unit/tile/fake_tile.h"

#include "eth_regs.h"

enum { E0 = KERR_CORE_E0, E1 = KERR_CORE_E1 };

static int setup(void **state)
{
    if (fake_setup(state) != 0)
        return -1;
    struct tile *tile = *state;
    devices_set_kind(&tile->dev, KERR_TILE_ETH);
    devices_reset(&tile->dev);
    devices_reset_own(&tile->own, KERR_TILE_ETH);
    return 0;
}

static void soft_reset_has_the_bits_of_two_cores(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0), 0x1800);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x47800);
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0), 0x1800);
    wr(tile, NOC, RISC_CTRL_REG_RESET_PC, 0x3320);
    wr(tile, E0, RISC_CTRL_REG_RESET_PC + 8, 0x9320);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x1000);
    assert_false(tile->core[E0].in_reset);
    assert_int_equal(tile->core[E0].reset_pc, 0x3320);
    assert_true(tile->core[E1].in_reset);
    wr(tile, E0, RISCV_DEBUG_REG_SOFT_RESET_0, 0);
    assert_false(tile->core[E1].in_reset);
    assert_int_equal(tile->core[E1].reset_pc, 0x9320);
    assert_int_equal(rd(tile, E1, RISC_CTRL_REG_RESET_PC + 8), 0x9320);
}

static void there_is_no_coprocessor(void **state)
{
    struct tile *tile = *state;
    static const uint32_t nothing[] = {
        RISCV_TDMA_REG_STATUS, RISC_PIC_SW_INT, 0xFFE00000, 0xFFE40000, 0xFFE80000, 0xFFEC0000, 0xFFEF0000, 0xFFB13138};
    for (unsigned i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        assert_int_equal(try_rd(tile, E0, nothing[i]), DEV_NOTHING);
        assert_int_equal(try_wr(tile, E1, nothing[i], 0), DEV_NOTHING);
    }
}

static void the_link_is_down(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd(tile, E0, ETH_CTRL_PCS_STATUS), 0);
    wr(tile, E0, ETH_CTRL_PCS_STATUS, 1);
    assert_int_equal(rd(tile, NOC, ETH_CTRL_PCS_STATUS), 0);
}

static void a_command_is_taken_and_goes_nowhere(void **state)
{
    struct tile *tile = *state;
    for (uint32_t q = 0; q < 3; q++) {
        wr(tile, E0, ETH_TXQ_TRANSFER_START_ADDR + q * 0x1000, 512 * 1024 - 64);
        wr(tile, E0, ETH_TXQ_TRANSFER_SIZE_BYTES + q * 0x1000, 64);
        wr(tile, E0, ETH_TXQ_CMD + q * 0x1000, 1);
        wr(tile, E0, ETH_TXQ_CMD + q * 0x1000, 2);
        assert_int_equal(rd(tile, E0, ETH_TXQ_STATUS + q * 0x1000), 0);
        assert_int_equal(rd(tile, E0, ETH_TXQ_CMD + q * 0x1000), 0);
        assert_int_equal(rd(tile, E1, ETH_TXQ_TRANSFER_CNT + q * 0x1000), 2);
        assert_int_equal(rd(tile, E1, ETH_TXQ_PKT_START_CNT + q * 0x1000), 0);
    }
    wr(tile, E0, ETH_TXQ_CMD, 4);
    assert_int_equal(rd(tile, E1, ETH_TXQ_TRANSFER_CNT), 3);
    assert_int_equal(tile->faults, 0);
}

static void a_bad_command_is_a_fault(void **state)
{
    struct tile *tile = *state;
    wr(tile, E0, ETH_TXQ_TRANSFER_START_ADDR, 512 * 1024 - 32);
    wr(tile, E0, ETH_TXQ_TRANSFER_SIZE_BYTES, 64);
    assert_int_equal(try_wr(tile, E0, ETH_TXQ_CMD, 2), DEV_FAULT); /* past L1 */
    assert_int_equal(try_wr(tile, E0, ETH_TXQ_CMD, 3), DEV_FAULT); /* no command */
    wr(tile, E0, ETH_TXQ_TRANSFER_START_ADDR, 8);
    assert_int_equal(try_wr(tile, E0, ETH_TXQ_CMD, 2), DEV_FAULT);          /* not aligned */
    assert_int_equal(try_wr(tile, E0, ETH_TXQ_CMD + 0x2000, 4), DEV_FAULT); /* queue 2 sends no MMIO writes */
    assert_int_equal(tile->faults, 4);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    assert_int_equal(rd(tile, E0, ETH_TXQ_TRANSFER_CNT), 0);
}

static void rx_queues_keep_their_bits(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd(tile, E0, ETH_RXQ_HDR_CTRL + 0x2000), 14);
    wr(tile, E0, ETH_RXQ_CTRL + 0x1000, 0xFFFFFFFF);
    assert_int_equal(rd(tile, E0, ETH_RXQ_CTRL + 0x1000), 6);
    assert_int_equal(rd(tile, E0, ETH_RXQ_CTRL), 0);
    wr(tile, E0, ETH_RXQ_TILE_HEADER_FORMAT, 0xFFFFFFFF);
    assert_int_equal(rd(tile, E0, ETH_RXQ_TILE_HEADER_FORMAT), 0x3FFF);
    wr(tile, E0, ETH_RXQ_PACKET_DROP_CNT, 5);
    assert_int_equal(rd(tile, E0, ETH_RXQ_PACKET_DROP_CNT), 0);
}

static void tables_are_words(void **state)
{
    struct tile *tile = *state;
    wr(tile, E0, ETH_TXPKT_CFG_START, 1);
    wr(tile, E0, ETH_TXPKT_CFG_START_LAST - 3, 2);
    wr(tile, E0, ETH_RX_CLASSIFIER_START, 3);
    wr(tile, E0, ETH_RX_CLASSIFIER_START_LAST - 3, 4);
    assert_int_equal(rd(tile, NOC, ETH_TXPKT_CFG_START), 1);
    assert_int_equal(rd(tile, NOC, ETH_TXPKT_CFG_START_LAST - 3), 2);
    assert_int_equal(rd(tile, NOC, ETH_RX_CLASSIFIER_START), 3);
    assert_int_equal(rd(tile, NOC, ETH_RX_CLASSIFIER_START_LAST - 3), 4);
}

static void interrupts_can_only_be_switched_off(void **state)
{
    struct tile *tile = *state;
    for (uint32_t i = 0; i < 5; i++) {
        wr(tile, NOC, RISC_CTRL_REG_INTERRUPT_MODE + 4 * i, 0);
        assert_int_equal(try_wr(tile, NOC, RISC_CTRL_REG_INTERRUPT_MODE + 4 * i, 1), DEV_FAULT);
        wr(tile, NOC, RISC_CTRL_REG_INTERRUPT_VECTOR + 4 * i, 0x100 * i);
        assert_int_equal(rd(tile, NOC, RISC_CTRL_REG_INTERRUPT_VECTOR + 4 * i), 0x100 * i);
    }
    assert_int_equal(tile->faults, 5);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
}

static void what_nobody_describes_is_a_named_fault(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_rd(tile, E0, ETH_MAC_PCS_START), DEV_FAULT);
    assert_non_null(strstr(tile->fault_text, "MAC and PCS"));
    assert_int_equal(try_wr(tile, E0, ETH_CTRL_REGS_START, 1), DEV_FAULT);
    assert_non_null(strstr(tile->fault_text, "0xffb98000"));
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
}

/* The vendor's debugger: E0 is core 0, E1 is core 1 of the debug interface; pc on signals 19 and 21. */
static void two_cores_can_be_debugged(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0);
    for (uint32_t core = 0; core < 4; core++) {
        wr(tile, NOC, RISCV_DEBUG_REG_RISC_DBG_CNTL_1, 1); /* pause */
        wr(tile, NOC, RISCV_DEBUG_REG_RISC_DBG_CNTL_0, 0x80010001 | core << 17);
        wr(tile, NOC, RISCV_DEBUG_REG_RISC_DBG_CNTL_0, 0);
        assert_int_equal(tile->core[core].halts, core < 2);
    }
    tile->core[E0].pc = 0x1234;
    tile->core[E1].pc = 0x5678;
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, 1u << 29 | 1u << 25 | 7 << 16 | 19);
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA), 0x1234);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, 1u << 29 | 1u << 25 | 7 << 16 | 21);
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA), 0x5678);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, 1u << 29 | 1u << 25 | 7 << 16 | 11);
    assert_int_equal(try_rd(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA), DEV_FAULT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(soft_reset_has_the_bits_of_two_cores),
        TEST(there_is_no_coprocessor),
        TEST(the_link_is_down),
        TEST(a_command_is_taken_and_goes_nowhere),
        TEST(a_bad_command_is_a_fault),
        TEST(rx_queues_keep_their_bits),
        TEST(tables_are_words),
        TEST(interrupts_can_only_be_switched_off),
        TEST(what_nobody_describes_is_a_named_fault),
        TEST(two_cores_can_be_debugged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
