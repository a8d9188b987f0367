/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
#include "unit/tile/fake_tile.h"

#include "tensix/later.h"

static uint32_t daisy(unsigned daisy_select, unsigned signal, unsigned word)
{
    return 1u << 29 | word << 25 | daisy_select << 16 | signal;
}

static void what_firmware_writes_is_stored(void **state)
{
    static const uint32_t addresses[] = {
        RISCV_DEBUG_REG_DEST_CG_CTRL,        RISCV_DEBUG_REG_CG_CTRL_EN,       RISCV_DEBUG_REG_CG_CTRL_HYST0,
        RISCV_DEBUG_REG_CG_CTRL_HYST1,       RISCV_DEBUG_REG_CG_CTRL_HYST2,    RISCV_DEBUG_REG_CG_KICK,
        RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, RISCV_DEBUG_REG_LFSR_HIT_MASK,    RISCV_DEBUG_REG_STOCH_RND_MASK0,
        RISCV_DEBUG_REG_STOCH_RND_MASK1,     RISCV_DEBUG_REG_FPU_STICKY_BITS,  RISCV_DEBUG_REG_ECC_CTRL,
        RISCV_DEBUG_REG_DBG_ARRAY_RD_EN,     RISCV_DEBUG_REG_DBG_ARRAY_RD_CMD, RISCV_DEBUG_REG_DBG_L1_READBACK_OFFSET,
    };
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++)
        wr(tile, B, addresses[i], 0x1000 + i);
    for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++)
        assert_int_equal(rd(tile, NOC, addresses[i]), 0x1000 + i);
    assert_int_equal(tile->faults, 0);
}

static void pc_of_each_core_is_on_the_daisychain(void **state)
{
    static const unsigned signal[KERR_CORE_COUNT] = {11, 13, 15, 17, 25};
    struct tile *tile = *state;
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++)
        tile->core[core].pc = 0xFFB00000 + 0x10 * core;
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, daisy(7, signal[core], 1));
        assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA), 0x3FB00000 + 0x10 * core);
        wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, daisy(7, signal[core] - 1, 0));
        assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA), 0x7FB00000 + 0x10 * core);
    }
}

static uint32_t signal_word(struct tile *tile, unsigned signal, unsigned word)
{
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, daisy(7, signal, word));
    return rd(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA);
}

static void mailboxes_and_threads_are_on_the_daisychain(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(signal_word(tile, 1, 3), 0xFu << 19); /* B, group C: no read of a mailbox waits */
    assert_int_equal(signal_word(tile, 20, 3), 0xFu << 10);
    assert_int_equal(signal_word(tile, 21, 0), 1u << 23); /* T1, group D: its PCBuf is empty */
    tile->dev.pcbuf[1].value[0] = 0x12345678;
    tile->dev.pcbuf[1].count = 1;
    assert_int_equal(signal_word(tile, 20, 3), 0xFu << 10 | (0x12345678u & 0x1FF) << 23);
    assert_int_equal(signal_word(tile, 21, 0), 0x12345678u >> 9);
    tile->dev.pcbuf[1].count = PCBUF_CAPACITY;
    assert_int_equal(signal_word(tile, 21, 0), 0x12345678u >> 9 | 1u << 24);
    assert_int_equal(signal_word(tile, 21, 3) & 3u << 29, 1u << 30); /* nothing before its MOP expander */
    tile->dev.tensix.thread[1].fifo[0].word = 0x02000000;
    tile->dev.tensix.thread[1].fifo[0].cycle = 100; /* in which it is looked at */
    tile->dev.tensix.thread[1].fifo_count = 1;
    assert_int_equal(signal_word(tile, 21, 3), 1u << 22 | 0x02000000u >> 10);
    tile->dev.tensix.thread[1].fifo[0].cycle = 50; /* it has left long ago, and nobody has looked */
    assert_int_equal(signal_word(tile, 21, 3) & 0xFu << 29, 1u << 30);
    assert_int_equal(signal_word(tile, 23, 0), 1u << 23); /* T2 has nothing to do with it */
    assert_int_equal(tile->faults, 0);
}

static void self_test_signal(void **state)
{
    static const uint32_t expect[] = {6, 0xA5A5A5A5, 0x5A5A5A5A, 0xA5A5A5A5};
    struct tile *tile = *state;
    for (unsigned word = 0; word < 4; word++) {
        wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, daisy(6, 255, word));
        assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA), expect[word]);
    }
}

static void an_unknown_signal_is_named_and_reads_zero(void **state)
{
    struct tile *tile = *state;
    uint32_t value = 1;
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, daisy(3, 7, 0));
    assert_int_equal(devices_read(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA, 4, 100, &value), DEV_FAULT);
    assert_int_equal(value, 0);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNIMPLEMENTED);
    assert_string_equal(tile->fault_text, "debug daisychain: DaisySel 3 SignalSel 7 is not modelled");
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, 3u << 16 | 7); /* not enabled */
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA), 0);
}

/* The vendor's debugger: prepare, address, mode 1, trigger, trigger off. */
static void one_sample_goes_to_l1(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, daisy(1, 255, 0));
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG2, 2 << 4 | 0xF);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG0, 0x1000 >> 4);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG2, 2 << 4 | 1);
    assert_int_equal(l1_word(tile, 0x1004), 0);
    for (unsigned i = 0; i < 2; i++) {
        wr(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG2, 1 << 12 | 2 << 4 | 1);
        wr(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG2, 2 << 4 | 1);
        assert_int_equal(l1_word(tile, 0x1004 + 16 * i), 0xA5A5A5A5); /* mode 1 moves on */
        assert_int_equal(l1_word(tile, 0x1014 + 16 * i), 0);
    }
}

static void sampling_takes_the_asked_number_at_the_asked_distance(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, daisy(7, 11, 0));
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG2, 0xF);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG0, 0x200);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG1, 0x203);
    wr_at(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG2, 1 << 12 | 9 << 4 | 4, 1000);
    wr_at(tile, NOC, RISCV_DEBUG_REG_DBG_L1_MEM_REG2, 9 << 4 | 4, 1001);
    for (unsigned i = 1; i < 3; i++) {
        assert_true(devices_next_event(&tile->dev) == 1000 + 10 * i);
        tile->core[B].pc = 0x40 * i;
        devices_event(tile, 1000 + 10 * i);
        assert_int_equal(l1_word(tile, 0x2004 + 16 * i), 0x40 * i);
    }
    assert_true(devices_next_event(&tile->dev) == UINT64_MAX);
}

static void configuration_words_are_read_through_a_pair_of_registers(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFEF0000 + 4 * 10, 0x111);
    wr(tile, B, 0xFFEF0380 + 4 * 10, 0x222);
    tile->dev.tensix.thread[2].config[67] = 0x333;
    wr(tile, NC, RISCV_DEBUG_REG_CFGREG_RD_CNTL, 10);
    assert_int_equal(rd(tile, NC, RISCV_DEBUG_REG_CFGREG_RDDATA), 0x111);
    wr(tile, NC, RISCV_DEBUG_REG_CFGREG_RD_CNTL, 224 + 10);
    assert_int_equal(rd(tile, NC, RISCV_DEBUG_REG_CFGREG_RDDATA), 0x222);
    wr(tile, NC, RISCV_DEBUG_REG_CFGREG_RD_CNTL, 0x800 + 448 + 10); /* eleven bits count */
    assert_int_equal(rd(tile, NC, RISCV_DEBUG_REG_CFGREG_RDDATA), 0x111);
    wr(tile, NC, RISCV_DEBUG_REG_CFGREG_RD_CNTL, 672 + 3 * 68 - 1);
    assert_int_equal(rd(tile, NC, RISCV_DEBUG_REG_CFGREG_RDDATA), 0x333);
    /* A Tensix instruction's write that was due and that nobody had looked at yet. */
    tensix_later_config(&tile->lent, &tile->dev.tensix, 0, 0, 10, UINT32_MAX, 0x444);
    wr(tile, NC, RISCV_DEBUG_REG_CFGREG_RD_CNTL, 10);
    assert_int_equal(rd(tile, NC, RISCV_DEBUG_REG_CFGREG_RDDATA), 0x444);
}

static uint32_t signals(struct tile *tile, unsigned daisy_select, unsigned signal, unsigned word)
{
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG, daisy(daisy_select, signal, word));
    return rd(tile, NOC, RISCV_DEBUG_REG_DBG_RD_DATA);
}

static void address_counters_are_on_the_daisychain(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 6; i++) {
        struct tensix_adc_channel *c = &tile->dev.tensix.thread[i < 4 ? 0 : 2].adc[i / 2][i % 2];
        *c = (struct tensix_adc_channel){0x20000 + i, 0x3A5A5, 0x1001, 0x1FFF, 0x1F12, 0x34, 0x56, 0x78};
        assert_int_equal(signals(tile, 6, i, 0), 0x20000 + i + (0xA5A5u << 18));
        assert_int_equal(signals(tile, 6, i, 1), 0x3A5A5 >> 14);
        assert_int_equal(signals(tile, 6, i, 2), 0x1FFF1001);
        assert_int_equal(signals(tile, 6, i, 3), 0x78563412); /* eight bits of Z */
    }
}

/* Masks of the vendor's list of signals for Blackhole. */
static void row_counters_are_on_the_daisychain(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        tile->dev.tensix.thread[i].rwc = (struct tensix_rwc){.dst = (uint16_t)(0x2A5 + i),
                                                             .dst_cr = (uint16_t)(0x15A + i),
                                                             .src_a = (uint8_t)(0x21 + i),
                                                             .src_a_cr = (uint8_t)(0x31 + i),
                                                             .src_b = (uint8_t)(0x25 + i),
                                                             .src_b_cr = (uint8_t)(0x35 + i)};
    const uint32_t a = signals(tile, 3, 2, 0), b = signals(tile, 3, 2, 1), c = signals(tile, 3, 2, 2),
                   d = signals(tile, 3, 2, 3), e = signals(tile, 3, 3, 0), f = signals(tile, 3, 3, 1);
    assert_int_equal(a & 0x3F, 0x21);
    assert_int_equal((a & 0xFC00) >> 10, 0x31);
    assert_int_equal((a & 0x3F000000) >> 24, 0x22);
    assert_int_equal(a >> 30 | (b & 0xF) << 2, 0x32);
    assert_int_equal((b & 0x3F00) >> 8, 0x23);
    assert_int_equal((b & 0xFC0000) >> 18, 0x33);
    assert_int_equal(b >> 28 | (c & 3) << 4, 0x25);
    assert_int_equal((c & 0xFC0) >> 6, 0x35);
    assert_int_equal((c & 0x3F00000) >> 20, 0x26);
    assert_int_equal(c >> 26, 0x36);
    assert_int_equal((d & 0x3F0) >> 4, 0x27);
    assert_int_equal((d & 0xFC000) >> 14, 0x37);
    assert_int_equal(d >> 24 | (e & 3) << 8, 0x2A5);
    assert_int_equal((e & 0xFFC) >> 2, 0x15A);
    assert_int_equal((e & 0x3FF000) >> 12, 0x2A6);
    assert_int_equal(e >> 22, 0x15B);
    assert_int_equal(f & 0x3FF, 0x2A7);
    assert_int_equal((f & 0xFFC00) >> 10, 0x15C);
}

static void fidelity_phases_are_on_the_daisychain(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        tile->dev.tensix.thread[i].rwc.fidelity_phase = (uint8_t)(i + 1);
    assert_int_equal(signals(tile, 3, 4, 1) >> 28, 1 | 2 << 2);
    assert_int_equal(signals(tile, 3, 4, 2) & 3, 3);
}

static void enabled_lanes_are_on_the_daisychain(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(signals(tile, 7, 28, 0), 0xFFFFFFFF);
    tile->files.vector.UseLaneFlagsForLaneEnable = 0xFFFFFFFF;
    tile->files.vector.LaneFlags = 1u << 9 | 1u << 31;
    assert_int_equal(signals(tile, 7, 28, 0), 1u << 5 | 1u << 31);
}

/* row | word << 12 | array << 16; the reference simulator answers the same (docs/errata-tensix.md). */
static void dst_is_read_row_by_row_two_columns_a_word(void **state)
{
    struct tile *tile = *state;
    for (unsigned row = 0; row < DST_ROWS; row++)
        for (unsigned column = 0; column < DST_COLUMNS; column++)
            tile->files.DstBits[row][column] = (uint16_t)(row << 4 | column);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_CMD, 2 << 16 | 3 << 12 | 1023);
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA), 0); /* not enabled */
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_EN, 1);
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA), 0x3FF73FF6);
    assert_int_equal(pk(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA), 0x3FF73FF6);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_CMD, 2 << 16);
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA), 0x00010000);
}

static void what_is_written_to_dst_is_seen_whether_its_row_is_valid_or_not(void **state)
{
    struct tile *tile = *state;
    tile->files.DstBits[5][0] = 0x1234;
    dst_set_row_valid(&tile->files, 5, false);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_EN, 1);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_CMD, 2 << 16 | 5);
    assert_int_equal(rd(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA), 0x1234);
}

static void of_other_register_files_nobody_knows(void **state)
{
    static const uint32_t commands[] = {0, 1 << 16, 3 << 16, 2 << 16 | 8 << 12, 2 << 16 | 1024, 2 << 16 | 1 << 19};
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_EN, 1);
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        wr(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_CMD, commands[i]);
        assert_int_equal(try_rd(tile, NOC, RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA), DEV_FAULT);
        assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
        assert_int_equal(tile->faults, i + 1);
    }
}

static void breakpoint_control_is_unknown_unless_zero(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_BREAKPOINT_CTRL, 0);
    assert_int_equal(try_wr(tile, NOC, RISCV_DEBUG_REG_BREAKPOINT_CTRL, 1), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
    assert_non_null(strstr(tile->fault_text, "RISCV_DEBUG_REG_BREAKPOINT_CTRL"));
}

static void gaps_answer_to_nobody(void **state)
{
    static const uint32_t gaps[] = {0x24, 0x40, 0x98, 0xC0, 0x128, 0x1B4, 0x1EC, 0x24C, 0xFFC};
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        assert_int_equal(try_rd(tile, NOC, 0xFFB12000 + gaps[i]), DEV_NOTHING);
        assert_int_equal(try_wr(tile, B, 0xFFB12000 + gaps[i], 0), DEV_NOTHING);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_firmware_writes_is_stored),
        CASE(pc_of_each_core_is_on_the_daisychain),
        CASE(mailboxes_and_threads_are_on_the_daisychain),
        CASE(self_test_signal),
        CASE(an_unknown_signal_is_named_and_reads_zero),
        CASE(one_sample_goes_to_l1),
        CASE(sampling_takes_the_asked_number_at_the_asked_distance),
        CASE(configuration_words_are_read_through_a_pair_of_registers),
        CASE(address_counters_are_on_the_daisychain),
        CASE(row_counters_are_on_the_daisychain),
        CASE(fidelity_phases_are_on_the_daisychain),
        CASE(enabled_lanes_are_on_the_daisychain),
        CASE(dst_is_read_row_by_row_two_columns_a_word),
        CASE(what_is_written_to_dst_is_seen_whether_its_row_is_valid_or_not),
        CASE(of_other_register_files_nobody_knows),
        CASE(breakpoint_control_is_unknown_unless_zero),
        CASE(gaps_answer_to_nobody),
    };
    return RUN(tests);
}
