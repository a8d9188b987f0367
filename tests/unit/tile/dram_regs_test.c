/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a DRAM tile: its core's, and the DMA engine as the vendor's DRISC kernels drive it (gddr_dma.h). */
#include "unit/tile/fake_tile.h"

#include "dram_regs.h"

enum { D = KERR_CORE_D, L1 = 0x1000, BANK = 0x2000 };
enum { READ_MASK = 0xFF10 };
#define WRITE_MASK 0xF00F0009u
#define START_READ 0x80000000u
#define START_WRITE 0x10000000u

static int setup(void **state)
{
    if (fake_setup(state) != 0)
        return -1;
    struct tile *tile = *state;
    devices_set_kind(&tile->dev, KERR_TILE_DRAM);
    devices_reset(&tile->dev);
    devices_reset_own(&tile->own, KERR_TILE_DRAM);
    return 0;
}

static noc_packet *sent(struct tile *tile, unsigned i)
{
    assert_true(i < tile->sent);
    return tile_noc_packet(tile, tile->sent_ref[i]);
}

/* What the bank answers to a request. */
static void answer(struct tile *tile, const noc_packet *request, uint8_t fill)
{
    static uint64_t space[(sizeof(noc_packet) + NOC_MAX_PAYLOAD) / 8];
    noc_packet *packet = (noc_packet *)(void *)space;
    *packet = (noc_packet){.op = request->op == NOC_DMA_READ ? NOC_DMA_DATA : NOC_DMA_DONE,
                           .noc = request->noc,
                           .immediate = request->immediate,
                           .address = request->return_address,
                           .length = request->op == NOC_DMA_READ ? request->length : 0};
    memset(packet->data, fill, packet->length);
    devices_dma_arrives(tile, packet, 2000);
}

static void read_to_l1(struct tile *tile, uint32_t stream, uint32_t from, uint32_t to, uint32_t bytes, uint64_t cycle)
{
    assert_int_equal(rd(tile, D, TX_CTRL_TX_READ_STATUS) & 1, 1);
    wr(tile, D, TX_REG_STREAM_READ_TRANSFER_SOURCE_LOW + stream * 0x100, from);
    wr(tile, D, TX_REG_STREAM_READ_TRANSFER_SOURCE_HIGH + stream * 0x100, 0);
    wr(tile, D, TX_REG_STREAM_READ_TRANSFER_DEST + stream * 0x100, to);
    wr_at(tile, D, TX_REG_STREAM_TRANSFER_ATTRIBUTES + stream * 0x100, 0x03000000 | START_READ | bytes / 16, cycle);
}

static void write_from_l1(struct tile *tile, uint32_t stream, uint32_t from, uint32_t to, uint32_t bytes,
                          uint64_t cycle)
{
    assert_int_equal(rd(tile, D, TX_CTRL_TX_WRITE_STATUS) & 1, 1);
    wr(tile, D, TX_REG_STREAM_WRITE_TRANSFER_START_ADDR + stream * 0x100, from);
    wr(tile, D, TX_REG_STREAM_WRITE_DEST_ADDR_LOW + stream * 0x100, to);
    wr(tile, D, TX_REG_STREAM_WRITE_DEST_ADDR_HIGH + stream * 0x100, 0);
    wr_at(tile, D, TX_REG_STREAM_TRANSFER_ATTRIBUTES + stream * 0x100, START_WRITE | bytes / 16, cycle);
}

static void the_core_starts_at_its_reset_pc(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0), 0x800);
    wr(tile, NOC, RISC_CTRL_REG_RESET_PC_0, 0x11D0);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0);
    assert_false(tile->core[D].in_reset);
    assert_int_equal(tile->core[D].reset_pc, 0x11D0);
}

static void registers_come_up_as_the_header_says(void **state)
{
    struct tile *tile = *state;
    for (uint32_t s = 0; s < 2; s++) {
        assert_int_equal(rd(tile, D, TX_REG_STREAM_STATUS + s * 0x100), 0);
        assert_int_equal(rd(tile, D, TX_REG_STREAM_TXQ_SETTINGS + s * 0x100), 1);
        assert_int_equal(rd(tile, D, TX_REG_STREAM_TRANSFER_ATTRIBUTES + s * 0x100), 0x03000000);
    }
    assert_int_equal(rd(tile, D, TX_CTRL_TX_READ_STATUS), 1);
    assert_int_equal(rd(tile, D, TX_CTRL_TX_WRITE_STATUS), 1);
    assert_int_equal(rd(tile, D, TX_CTRL_TX_TRANSFER_ATTRIBUTES), 0x00031001);
}

static void a_read_is_outstanding_until_its_bytes_are_there(void **state)
{
    struct tile *tile = *state;
    read_to_l1(tile, 1, BANK, L1, 1024, 1000);
    assert_int_equal(tile->sent, 1);
    const noc_packet *request = sent(tile, 0);
    assert_int_equal(request->op, NOC_DMA_READ);
    assert_int_equal(request->address, BANK);
    assert_int_equal(request->return_address, L1);
    assert_int_equal(request->length, 1024);
    assert_int_equal(request->noc, 1);
    assert_int_equal(request->source, noc_node_at(3, 4));
    assert_int_equal(request->cycle, 1000);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_STATUS + 0x100) & READ_MASK, 1 << 4 | 1 << 8);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_STATUS), 0);
    assert_int_equal(rd(tile, D, TX_CTRL_TX_READ_STATUS), 3 | 1 << 8);
    answer(tile, request, 0x77);
    assert_int_equal(tile->l1[L1 - 1], 0);
    assert_int_equal(tile->l1[L1], 0x77);
    assert_int_equal(tile->l1[L1 + 1023], 0x77);
    assert_int_equal(tile->l1[L1 + 1024], 0);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_STATUS + 0x100), 0);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_TOTAL_READS + 0x100), 1);
}

static void a_write_takes_its_bytes_when_it_starts(void **state)
{
    struct tile *tile = *state;
    memset(tile->l1 + L1, 0x5A, 64);
    write_from_l1(tile, 0, L1, BANK, 64, 1000);
    memset(tile->l1 + L1, 0, 64);
    const noc_packet *request = sent(tile, 0);
    assert_int_equal(request->op, NOC_DMA_WRITE);
    assert_int_equal(request->address, BANK);
    assert_int_equal(request->length, 64);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(request->data[i], 0x5A);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_STATUS) & WRITE_MASK, 1u | 1u << 3 | 1u << 16 | 1u << 28);
    assert_int_equal(rd(tile, D, TX_CTRL_TX_WRITE_STATUS), 3 | 1 << 10 | 1 << 12 | 1 << 24);
    answer(tile, request, 0);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_STATUS), 0);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_TOTAL_WRITES), 1);
}

static void a_long_transfer_goes_in_pieces_and_counts_once(void **state)
{
    struct tile *tile = *state;
    read_to_l1(tile, 0, BANK, L1, 40000 / 16 * 16, 1000);
    assert_int_equal(tile->sent, 3);
    for (unsigned i = 0; i < 3; i++) {
        const noc_packet *request = sent(tile, i);
        assert_int_equal(request->address, BANK + i * NOC_MAX_PAYLOAD);
        assert_int_equal(request->return_address, L1 + i * NOC_MAX_PAYLOAD);
        assert_int_equal(request->length, i < 2 ? NOC_MAX_PAYLOAD : 40000 - 2 * NOC_MAX_PAYLOAD);
        assert_int_equal(request->sequence, i);
        assert_int_equal(rd(tile, D, TX_CTRL_TX_READ_STATUS) >> 8, 1);
        answer(tile, request, (uint8_t)(i + 1));
    }
    assert_int_equal(tile->l1[L1 + 39999], 3);
    assert_int_equal(rd(tile, D, TX_CTRL_TX_READ_STATUS), 1);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_TOTAL_READS), 1);
}

static void nothing_to_move_is_done_at_once(void **state)
{
    struct tile *tile = *state;
    read_to_l1(tile, 0, BANK, L1, 0, 1000);
    assert_int_equal(tile->sent, 0);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_STATUS), 0);
    assert_int_equal(rd(tile, D, TX_REG_STREAM_TOTAL_READS), 1);
}

static void a_full_stream_is_not_ready_and_one_more_is_a_fault(void **state)
{
    struct tile *tile = *state;
    for (uint32_t i = 0; i < 15; i++)
        write_from_l1(tile, 0, L1, BANK, 16, 1000);
    assert_int_equal(rd(tile, D, TX_CTRL_TX_WRITE_STATUS) & 1, 0);
    assert_int_equal(try_wr(tile, D, TX_REG_STREAM_TRANSFER_ATTRIBUTES, START_WRITE | 1), DEV_FAULT);
    tile->own.dram.count[0][0] = 254; /* reads under way */
    read_to_l1(tile, 0, BANK, L1, 16, 1000);
    assert_int_equal(rd(tile, D, TX_CTRL_TX_READ_STATUS) & 1, 0);
    assert_int_equal(try_wr(tile, D, TX_REG_STREAM_TRANSFER_ATTRIBUTES, START_READ | 1), DEV_FAULT);
    assert_int_equal(tile->faults, 2);
}

static void what_is_not_modelled_says_so(void **state)
{
    struct tile *tile = *state;
    static const struct {
        uint32_t attributes;
        kerr_fault_kind kind;
    } bad[] = {{1u << 29 | 1, KERR_FAULT_UNIMPLEMENTED},
               {1u << 30 | 1, KERR_FAULT_UNIMPLEMENTED},
               {START_READ | 1u << 22 | 1, KERR_FAULT_UNIMPLEMENTED},
               {START_READ | 1u << 26 | 1, KERR_FAULT_UNIMPLEMENTED},
               {START_READ | START_WRITE | 1, KERR_FAULT_UNKNOWN},
               {START_READ | 0x3FFF, KERR_FAULT_UNDEFINED}}; /* longer than L1 */
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(try_wr(tile, D, TX_REG_STREAM_TRANSFER_ATTRIBUTES, bad[i].attributes), DEV_FAULT);
        assert_int_equal(tile->fault_kind, bad[i].kind);
    }
    wr(tile, D, TX_CTRL_TX_TRANSFER_ATTRIBUTES, 0x00031000);
    assert_int_equal(try_wr(tile, D, TX_REG_STREAM_TRANSFER_ATTRIBUTES, START_READ | 1), DEV_FAULT);
    assert_non_null(strstr(tile->fault_text, "dma_enable"));
    assert_int_equal(tile->sent, 0);
}

static void a_transfer_past_the_bank_is_a_fault(void **state)
{
    struct tile *tile = *state;
    wr(tile, D, TX_REG_STREAM_READ_TRANSFER_SOURCE_HIGH, 1);
    assert_int_equal(try_wr(tile, D, TX_REG_STREAM_TRANSFER_ATTRIBUTES, START_READ | 1), DEV_FAULT);
    assert_non_null(strstr(tile->fault_text, "0x100000000"));
}

static void the_memory_controller_is_idle_and_closed(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd(tile, NOC, 0xFC100000), 0);
    assert_int_equal(rd(tile, D, 0xFC400000), 0);
    assert_int_equal(try_wr(tile, D, 0xFC100000, 1), DEV_FAULT);
    assert_int_equal(try_rd(tile, D, 0xFFB13000), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
    assert_int_equal(try_rd(tile, D, 0xFFEC0000), DEV_NOTHING);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_core_starts_at_its_reset_pc),
        TEST(registers_come_up_as_the_header_says),
        TEST(a_read_is_outstanding_until_its_bytes_are_there),
        TEST(a_write_takes_its_bytes_when_it_starts),
        TEST(a_long_transfer_goes_in_pieces_and_counts_once),
        TEST(nothing_to_move_is_done_at_once),
        TEST(a_full_stream_is_not_ready_and_one_more_is_a_fault),
        TEST(what_is_not_modelled_says_so),
        TEST(a_transfer_past_the_bank_is_a_fault),
        TEST(the_memory_controller_is_idle_and_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
