/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/tile/devices.c src/tile/reg_names.c src/tile/mailbox.c src/tile/pcbuf.c src/tile/ttsync.c */
/* LINK: src/tile/pic.c src/tile/soft_reset.c src/tile/tdma_risc.c src/tile/debug_regs.c src/tile/wall_clock.c */
/* LINK: src/tile/perf_counters.c src/tile/watchdog.c src/tile/debug_interface.c src/tile/tag_search.c */
/* LINK: src/tile/tensix_fifo.c src/tile/noc_regs.c */
/* LINK: src/tile/eth_regs.c src/tile/dram_regs.c */
#include "unit/tile/fake_tile.h"

static void node_id_has_position_and_size(void **state)
{
    struct tile *tile = *state;
    uint32_t size = 17u << 12 | 12u << 19;
    assert_int_equal(rd(tile, NC, 0xFFB20044), 3 | 4 << 6 | size);
    assert_int_equal(rd(tile, NC, 0xFFB30044), 13 | 7 << 6 | size); /* NoC 1 counts from the other corner */
    wr(tile, NC, 0xFFB20044, 0);
    assert_int_equal(rd(tile, NC, 0xFFB20044), 3 | 4 << 6 | size);
}

static void power_on_keeps_the_position(void **state)
{
    struct tile *tile = *state;
    devices_reset(&tile->dev);
    assert_int_equal(rd(tile, NOC, 0xFFB20044) & 0xFFF, 3 | 4 << 6);
}

static void the_rest_comes_with_the_noc(void **state)
{
    static const uint32_t addresses[] = {0xFFB20000, 0xFFB20040, 0xFFB30100, 0xFFB40000, 0xFFB7FFFC};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(try_rd(tile, B, addresses[i]), DEV_FAULT);
        assert_int_equal(tile->fault_kind, KERR_FAULT_UNIMPLEMENTED);
        assert_int_equal(try_wr(tile, NC, addresses[i], 1), DEV_FAULT);
    }
    assert_non_null(strstr(tile->fault_text, "NoC overlay registers come with the NoC"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(node_id_has_position_and_size),
        CASE(power_on_keeps_the_position),
        CASE(the_rest_comes_with_the_noc),
    };
    return RUN(tests);
}
