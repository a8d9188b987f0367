/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/overlay.c */
/* LINK: src/tile/devices.c src/tile/reg_names.c src/tile/mailbox.c src/tile/pcbuf.c src/tile/ttsync.c */
/* LINK: src/tile/pic.c src/tile/soft_reset.c src/tile/tdma_risc.c src/tile/debug_regs.c src/tile/wall_clock.c */
/* LINK: src/tile/perf_counters.c src/tile/watchdog.c src/tile/debug_interface.c src/tile/tag_search.c */
/* LINK: src/tile/tensix_fifo.c src/noc/niu.c src/noc/niu_regs.c src/noc/coords.c src/noc/atomics.c */
/* LINK: src/num/f16.c src/num/f32.c src/num/fma.c src/chip/grid.c */
/* LINK: src/tile/eth_regs.c src/tile/dram_regs.c */
#include "unit/tile/fake_tile.h"

static void a_value_goes_from_writer_to_reader_in_order(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFEC2000, 11); /* B to T1 */
    wr(tile, B, 0xFFEC2FF8, 22); /* any address of the page */
    assert_int_equal(rd(tile, T1, 0xFFEC0000), 11);
    assert_int_equal(rd(tile, T1, 0xFFEC0FF0), 22);
}

static void every_pair_is_its_own_mailbox(void **state)
{
    struct tile *tile = *state;
    for (unsigned from = B; from <= T2; from++)
        for (unsigned to = B; to <= T2; to++)
            wr(tile, from, 0xFFEC0000 + 0x1000 * to, 100 * from + to);
    for (unsigned from = B; from <= T2; from++)
        for (unsigned to = B; to <= T2; to++)
            assert_int_equal(rd(tile, to, 0xFFEC0000 + 0x1000 * from), 100 * from + to);
}

static void a_read_of_an_empty_mailbox_waits_and_changes_nothing(void **state)
{
    struct tile *tile = *state;
    struct devices before = tile->dev;
    assert_int_equal(try_rd(tile, T0, 0xFFEC0000), DEV_WAIT);
    assert_memory_equal(&before, &tile->dev, sizeof before);
    assert_int_equal(tile->changed, 0);
}

static void bit_2_asks_without_taking(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd(tile, T0, 0xFFEC0004), 0);
    wr(tile, B, 0xFFEC1000, 7);
    assert_int_equal(rd(tile, T0, 0xFFEC0004), 1);
    assert_int_equal(rd(tile, T0, 0xFFEC0004), 1);
    assert_int_equal(rd(tile, T0, 0xFFEC0000), 7);
    assert_int_equal(rd(tile, T0, 0xFFEC0004), 0);
}

static void a_writer_has_four_places_for_all_its_mailboxes(void **state)
{
    struct tile *tile = *state;
    for (unsigned to = B; to <= T2; to++)
        wr(tile, T2, 0xFFEC0000 + 0x1000 * to, to);
    assert_int_equal(try_wr(tile, T2, 0xFFEC1000, 9), DEV_WAIT);
    wr(tile, T1, 0xFFEC1000, 5); /* another writer is not concerned */
    unsigned changed = tile->changed;
    assert_int_equal(rd(tile, B, 0xFFEC3000), 0);
    assert_true(tile->changed > changed); /* the waiting writer must look again */
    wr(tile, T2, 0xFFEC1000, 9);
}

static void four_values_fit_into_one_mailbox(void **state)
{
    struct tile *tile = *state;
    for (unsigned lap = 0; lap < 3; lap++) {
        for (unsigned i = 0; i < 4; i++)
            wr(tile, B, 0xFFEC0000, 10 * lap + i);
        assert_int_equal(try_wr(tile, B, 0xFFEC0000, 0), DEV_WAIT);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(rd(tile, B, 0xFFEC0000), 10 * lap + i);
    }
}

static void nc_and_the_noc_have_none(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_wr(tile, NC, 0xFFEC0000, 1), DEV_NOTHING);
    assert_int_equal(try_rd(tile, NC, 0xFFEC0004), DEV_NOTHING);
    assert_int_equal(try_rd(tile, NOC, 0xFFEC0004), DEV_NOTHING);
    assert_int_equal(try_rd(tile, B, 0xFFEC4000), DEV_NOTHING);
}

static void peek_does_not_take(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(pk(tile, T0, 0xFFEC0000), 0);
    wr(tile, B, 0xFFEC1000, 7);
    struct devices before = tile->dev;
    assert_int_equal(pk(tile, T0, 0xFFEC0000), 7);
    assert_int_equal(pk(tile, T0, 0xFFEC0004), 1);
    assert_memory_equal(&before, &tile->dev, sizeof before);
}

static void reset_of_the_writer_discards_what_it_wrote(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0);
    wr(tile, B, 0xFFEC1000, 7);
    wr(tile, T1, 0xFFEC1000, 8);
    wr(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x800);
    assert_int_equal(rd(tile, T0, 0xFFEC0004), 0);
    assert_int_equal(rd(tile, T0, 0xFFEC2000), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_value_goes_from_writer_to_reader_in_order),
        CASE(every_pair_is_its_own_mailbox),
        CASE(a_read_of_an_empty_mailbox_waits_and_changes_nothing),
        CASE(bit_2_asks_without_taking),
        CASE(a_writer_has_four_places_for_all_its_mailboxes),
        CASE(four_values_fit_into_one_mailbox),
        CASE(nc_and_the_noc_have_none),
        CASE(peek_does_not_take),
        CASE(reset_of_the_writer_discards_what_it_wrote),
    };
    return RUN(tests);
}
