/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/overlay.c */
/* LINK: src/tile/devices.c src/tile/reg_names.c src/tile/mailbox.c src/tile/pcbuf.c src/tile/ttsync.c */
/* LINK: src/tile/pic.c src/tile/soft_reset.c src/tile/tdma_risc.c src/tile/debug_regs.c src/tile/wall_clock.c */
/* LINK: src/tile/perf_counters.c src/tile/watchdog.c src/tile/debug_interface.c src/tile/tag_search.c */
/* LINK: src/tile/tensix_fifo.c src/noc/niu.c src/noc/niu_regs.c src/noc/coords.c src/noc/atomics.c */
/* LINK: src/num/f16.c src/num/f32.c src/num/fma.c src/chip/grid.c */
/* LINK: src/tile/eth_regs.c src/tile/dram_regs.c */
#include "unit/tile/fake_tile.h"

static const uint64_t late = 0x500000003ull;

static void it_counts_cycles(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd_at(tile, NOC, 0xFFB121F0, late), 3);
    assert_int_equal(rd_at(tile, T1, 0xFFB121F4, late), 5);
}

static void reading_the_low_half_samples_the_high_half(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd_at(tile, B, 0xFFB121F8, late), 0);
    rd_at(tile, B, 0xFFB121F0, late);
    assert_int_equal(rd_at(tile, B, 0xFFB121F8, late + 0x100000000), 5);
    assert_int_equal(rd_at(tile, B, 0xFFB121F4, late + 0x100000000), 6);
    wr_at(tile, B, 0xFFB121F0, 0, late + 0x200000000); /* so does writing it */
    assert_int_equal(rd_at(tile, B, 0xFFB121F8, late), 7);
}

static void peek_samples_nothing(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    assert_true(devices_peek(tile, B, 0xFFB121F0, &value, late));
    assert_int_equal(value, 3);
    assert_int_equal(rd(tile, B, 0xFFB121F8), 0);
}

static void buffers(struct tile *tile)
{
    wr(tile, B, 0xFFB12208, 0x100); /* two blocks at 0x1000 */
    wr(tile, B, 0xFFB1220C, 0x101);
    wr(tile, B, 0xFFB12210, 0x200); /* one block at 0x2000 */
    wr(tile, B, 0xFFB12214, 0x200);
}

static void an_event_of_128_bits_goes_straight_to_l1(void **state)
{
    struct tile *tile = *state;
    buffers(tile);
    wr_at(tile, B, 0xFFB121FC, 0xABCD0, late);
    assert_int_equal(l1_word(tile, 0x1000), 0xABCD0);
    assert_int_equal(l1_word(tile, 0x1004), 3);
    assert_int_equal(l1_word(tile, 0x1008), 5);
    assert_int_equal(l1_word(tile, 0x100C), 0);
    assert_int_equal(rd(tile, B, 0xFFB12204), 1u << 14);
    assert_int_equal(rd(tile, B, 0xFFB121FC), 0);
}

static void small_events_wait_for_16_bytes(void **state)
{
    struct tile *tile = *state;
    buffers(tile);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(rd(tile, B, 0xFFB12204), i << 9);
        wr_at(tile, B, 0xFFB121FC, 0x10002 + (i << 8), 0x00123460);
    }
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(l1_word(tile, 0x1000 + 4 * i), 0x0002u + (i << 8) + (0x00123460u << 11));
    wr_at(tile, B, 0xFFB121FC, 0x11, 7);
    assert_int_equal(rd(tile, B, 0xFFB12204), 1u << 14 | 1u << 8);
    wr_at(tile, B, 0xFFB121FC, 3, 7); /* flush */
    assert_int_equal(l1_word(tile, 0x1010), 0x11);
    assert_int_equal(l1_word(tile, 0x1014), 7);
    assert_int_equal(l1_word(tile, 0x1018), 0);
}

static void events_of_96_bits_cross_blocks(void **state)
{
    struct tile *tile = *state;
    buffers(tile);
    wr_at(tile, B, 0xFFB121FC, 0xA4, late);
    assert_int_equal(rd(tile, B, 0xFFB12204), 1u << 11);
    wr_at(tile, B, 0xFFB121FC, 0xB4, late + 1);
    assert_int_equal(l1_word(tile, 0x100C), 0xB4);
    assert_int_equal(l1_word(tile, 0x1008), 5);
}

static void a_full_buffer_hands_over_and_then_overflows(void **state)
{
    struct tile *tile = *state;
    buffers(tile);
    wr(tile, B, 0xFFB121FC, 0x10);
    wr(tile, B, 0xFFB121FC, 0x20);
    assert_int_equal(rd(tile, B, 0xFFB12204) & 0x33, 0x01);
    wr(tile, B, 0xFFB121FC, 0x30);
    assert_int_equal(l1_word(tile, 0x2000), 0x30);
    assert_int_equal(rd(tile, B, 0xFFB12204) & 0x33, 0x03);
    wr(tile, B, 0xFFB121FC, 0x40);
    assert_int_equal(rd(tile, B, 0xFFB12204) & 0x33, 0x33);
    wr(tile, B, 0xFFB12204, 0x31); /* clear both overflows, restart buffer 0 */
    assert_int_equal(rd(tile, B, 0xFFB12204) & 0x33, 0x02);
    wr(tile, B, 0xFFB121FC, 0x50);
    assert_int_equal(l1_word(tile, 0x1000), 0x50);
}

static void an_invalid_buffer_is_skipped(void **state)
{
    struct tile *tile = *state;
    buffers(tile);
    assert_int_equal(rd(tile, B, 0xFFB12200), 3);
    wr(tile, B, 0xFFB12200, 2);
    wr(tile, B, 0xFFB121FC, 0x10);
    assert_int_equal(l1_word(tile, 0x2000), 0x10);
}

static void bit_31_of_control_clears_for_as_long_as_it_is_set(void **state)
{
    struct tile *tile = *state;
    buffers(tile);
    wr(tile, B, 0xFFB121FC, 0x11);
    wr(tile, B, 0xFFB12200, 0x80000003);
    wr(tile, B, 0xFFB121FC, 0x12); /* 32 bits after 64 would be a mix */
    assert_int_equal(rd(tile, B, 0xFFB12204) & 0x3FFF, 0);
    wr(tile, B, 0xFFB12200, 3);
    assert_int_equal(rd(tile, B, 0xFFB12204) & 0x3FFF, 0);
}

static void mixed_sizes_are_undefined(void **state)
{
    struct tile *tile = *state;
    buffers(tile);
    wr(tile, B, 0xFFB121FC, 0x11);
    assert_int_equal(try_wr(tile, B, 0xFFB121FC, 0x12), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    assert_int_equal(try_wr(tile, B, 0xFFB121FC, 0x15), DEV_FAULT);
}

static void a_buffer_past_l1_is_refused(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFB12208, 0x18000);
    wr(tile, B, 0xFFB1220C, 0x18001);
    assert_int_equal(try_wr(tile, B, 0xFFB121FC, 0x10), DEV_FAULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(it_counts_cycles),
        CASE(reading_the_low_half_samples_the_high_half),
        CASE(peek_samples_nothing),
        CASE(an_event_of_128_bits_goes_straight_to_l1),
        CASE(small_events_wait_for_16_bytes),
        CASE(events_of_96_bits_cross_blocks),
        CASE(a_full_buffer_hands_over_and_then_overflows),
        CASE(an_invalid_buffer_is_skipped),
        CASE(bit_31_of_control_clears_for_as_long_as_it_is_set),
        CASE(mixed_sizes_are_undefined),
        CASE(a_buffer_past_l1_is_refused),
    };
    return RUN(tests);
}
