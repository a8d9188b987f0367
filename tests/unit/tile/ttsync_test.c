/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
#include "unit/tile/fake_tile.h"

static void push(struct tile *tile, unsigned core, uint32_t instruction)
{
    wr(tile, core, 0xFFE40000, instruction);
}

static void an_idle_coprocessor_answers_at_once(void **state)
{
    struct tile *tile = *state;
    for (unsigned core = T0; core <= T2; core++) {
        rd(tile, core, 0xFFE80004);
        rd(tile, core, 0xFFE80008);
    }
}

static void stores_are_discarded(void **state)
{
    struct tile *tile = *state;
    struct devices before = tile->dev;
    wr(tile, T0, 0xFFE80004, 1);
    wr(tile, T0, 0xFFE80008, 1);
    assert_memory_equal(&before, &tile->dev, sizeof before);
}

static void coprocessor_done_waits_for_the_own_thread_only(void **state)
{
    struct tile *tile = *state;
    push(tile, T1, 0x02000000);
    assert_int_equal(try_rd(tile, T1, 0xFFE80004), DEV_WAIT);
    rd(tile, T0, 0xFFE80004);
}

static void coprocessor_done_waits_for_what_b_pushed(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFE60000, 0x02000000);
    assert_int_equal(try_rd(tile, T2, 0xFFE80004), DEV_WAIT);
    rd(tile, T2, 0xFFE80008); /* behind the MOP expander */
}

/* What a REPLAY records ends in the expander, which works only when somebody looks: one look is as good as two. */
static void coprocessor_done_does_not_depend_on_who_has_looked(void **state)
{
    enum { PUSHED_AT = 100, NEVER_DONE = 200, LEN_SHIFT = 4, LOAD_MODE = 1 };
    struct tile *tile = *state;
    push(tile, T0, 0x04000000 | 3 << LEN_SHIFT | LOAD_MODE);
    for (unsigned i = 0; i < 3; i++) {
        push(tile, T0, 0x02000000);
    }
    const struct devices before = tile->dev;
    unsigned waited = 0, cycle = PUSHED_AT;
    dev_result once = DEV_WAIT, twice = DEV_WAIT;
    for (; once == DEV_WAIT && cycle < NEVER_DONE; cycle++) {
        uint32_t value;
        tile->dev = before;
        once = devices_read(tile, T0, 0xFFE80004, 4, cycle, &value);
        twice = devices_read(tile, T0, 0xFFE80004, 4, cycle, &value);
        assert_int_equal(once, twice);
        waited += once == DEV_WAIT;
    }
    assert_int_equal(once, DEV_OK);
    assert_true(waited > 0);
}

static void mop_expander_done_waits_for_mop_only(void **state)
{
    struct tile *tile = *state;
    push(tile, T0, 0x02000000); /* NOP */
    push(tile, T0, 0x03000000); /* MOP_CFG */
    rd(tile, T0, 0xFFE80008);
    push(tile, T0, 0x01000000); /* MOP */
    assert_int_equal(try_rd(tile, T0, 0xFFE80008), DEV_WAIT);
}

static void override_busy_ends_the_wait(void **state)
{
    struct tile *tile = *state;
    push(tile, T0, 0x01000000);
    wr(tile, NOC, RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE, 3);
    rd(tile, T0, 0xFFE80004);
    rd(tile, T0, 0xFFE80008);
}

static void nothing_is_between_done_checks_and_semaphores(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_rd(tile, T0, 0xFFE8000C), DEV_NOTHING);
    assert_int_equal(try_wr(tile, T0, 0xFFE8001C, 0), DEV_NOTHING);
}

/* ThreadConfig 56: TENSIX_TRISC_SYNC, written by SETC16 on the chip. */
static void automatic_waits_only_where_it_tracks(void **state)
{
    struct tile *tile = *state;
    push(tile, T0, 0x04000010); /* REPLAY counts as using everything */
    rd(tile, T0, 0xFFE00000);
    tile->dev.tensix.thread[0].config[56] = 1 << 2; /* TrackGPR alone does nothing */
    rd(tile, T0, 0xFFE00000);
    tile->dev.tensix.thread[0].config[56] = 1 << 4 | 1 << 2;
    assert_int_equal(try_rd(tile, T0, 0xFFE00000), DEV_WAIT);
    assert_int_equal(try_wr(tile, T0, 0xFFE00000, 1), DEV_WAIT);
    rd(tile, T0, 0xFFEF0000);
    rd(tile, T0, RISCV_TDMA_REG_STATUS);
    tile->dev.tensix.thread[0].config[56] = 1 << 4 | 1;
    assert_int_equal(try_wr(tile, T0, 0xFFEF0000, 1), DEV_WAIT);
    tile->dev.tensix.thread[0].config[56] = 1 << 4 | 1 << 3;
    assert_int_equal(try_rd(tile, T0, RISCV_TDMA_REG_STATUS), DEV_WAIT);
    rd(tile, B, RISCV_TDMA_REG_STATUS); /* B is never held up */
    rd(tile, T1, RISCV_TDMA_REG_STATUS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_idle_coprocessor_answers_at_once),
        CASE(stores_are_discarded),
        CASE(coprocessor_done_waits_for_the_own_thread_only),
        CASE(coprocessor_done_waits_for_what_b_pushed),
        CASE(coprocessor_done_does_not_depend_on_who_has_looked),
        CASE(mop_expander_done_waits_for_mop_only),
        CASE(override_busy_ends_the_wait),
        CASE(nothing_is_between_done_checks_and_semaphores),
        CASE(automatic_waits_only_where_it_tracks),
    };
    return RUN(tests);
}
