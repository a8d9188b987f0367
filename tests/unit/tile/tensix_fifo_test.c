/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
#include "unit/tile/fake_tile.h"

#include "costs.h"
#include "tensix/tensix.h"

static uint64_t now;

static dev_result push(struct tile *tile, unsigned core, unsigned thread)
{
    return devices_push_tensix(tile, core, thread, 0x02000000, now++);
}

/* One instruction passes the gate of a thread. */
static void run_one(struct tile *tile, unsigned thread)
{
    struct tensix *tx = &tile->dev.tensix;
    const unsigned before = tx->thread[thread].in_flight;
    while (tx->thread[thread].in_flight == before)
        tensix_run(&tile->lent, tx, tensix_next(tx) + 1);
}

static void t_fills_its_fifo_to_29_one_by_one(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 29; i++)
        assert_int_equal(push(tile, T0, 0), DEV_OK);
    assert_int_equal(push(tile, T0, 0), DEV_WAIT);
    assert_int_equal(tile->dev.tensix.thread[0].in_flight, 29);
    assert_true(tile->dev.tensix.thread[0].waiting & TENSIX_WAITS_PUSH);
    assert_int_equal(try_wr(tile, T0, 0xFFE40000, 0x02000000), DEV_WAIT);
    assert_int_equal(push(tile, T1, 1), DEV_OK);
}

static void a_fused_group_of_four_reaches_32(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 28; i++)
        assert_int_equal(push(tile, T2, 2), DEV_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(devices_push_tensix(tile, T2, 2, 0x02000000, now), DEV_OK);
    assert_int_equal(devices_push_tensix(tile, T2, 2, 0, now), DEV_WAIT);
    now++;
    for (unsigned i = 0; i < 3; i++) { /* taken out one by one: waits until 28 are left */
        run_one(tile, 2);
        assert_int_equal(push(tile, T2, 2), DEV_WAIT);
    }
    run_one(tile, 2);
    assert_int_equal(push(tile, T2, 2), DEV_OK);
}

/* What is in the expanders could make room, a MOP_CFG, but not before something passes the gate: a core that waits for that
 * does not look in vain all the time, or a program that hangs would never be seen to. */
static void who_waits_behind_a_gate_that_stands_sleeps(void **state)
{
    enum { MOP_CFG = 0x03 << 24, NOP = 0x02 << 24 };
    const uint32_t semwait = 0xA6u << 24 | 0x1FF << 15 | 1 << 2 | 1; /* while semaphore 0 is zero */
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    now = 100;
    assert_int_equal(devices_push_tensix(tile, T1, 1, semwait, now), DEV_OK);
    for (unsigned i = 0; i < 100; i++)
        tensix_run(&tile->lent, tx, ++now);
    for (unsigned i = 0; i < 29; i++, now++)
        assert_int_equal(devices_push_tensix(tile, T1, 1, i == 20 ? MOP_CFG : NOP, now), DEV_OK);
    for (unsigned i = 0; i < 100; i++) {
        tensix_run(&tile->lent, tx, ++now);
        assert_int_equal(push(tile, T1, 1), DEV_WAIT);
    }
    assert_true(tensix_next(tx) == UINT64_MAX);
    wr_at(tile, T0, 0xFFE80020, 0, now); /* a SEMPOST */
    const uint64_t posted = now;
    while (tx->thread[1].waiting != 0 && now < posted + 40)
        tensix_run(&tile->lent, tx, ++now);
    assert_int_equal(push(tile, T1, 1), DEV_OK);
    assert_int_equal(tx->thread[1].in_flight, 29);
}

static void b_pushes_behind_the_mop_expander_of_any_thread(void **state)
{
    struct tile *tile = *state;
    wr_at(tile, B, 0xFFE40000, 1, 100);
    wr_at(tile, B, 0xFFE50000, 2, 100);
    wr_at(tile, B, 0xFFE6FFFC, 3, 100);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(tile->dev.tensix.thread[i].fifo_count, 0);
        assert_int_equal(tile->dev.tensix.thread[i].replay_count, 1);
        tensix_expand(&tile->dev.tensix, i, 110);
        assert_int_equal(tile->dev.tensix.thread[i].replay_count, 0); /* gone on to the wait gate */
        assert_int_equal(tile->dev.tensix.thread[i].gate_count, 1);
        assert_int_equal(tile->dev.tensix.thread[i].gate_fifo[0].word, i + 1);
    }
    wr_at(tile, B, 0xFFE40000, 6, 110); /* behind the one that stands at the gate; then the FIFO of eight fills */
    for (unsigned i = 0; i < 8; i++)
        wr_at(tile, B, 0xFFE40000, i + 7, 120 + i);
    assert_int_equal(tile->dev.tensix.thread[0].replay_count, 8);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(tile->dev.tensix.thread[0].replay_fifo[(tile->dev.tensix.thread[0].replay_head + i) % 8].word,
                         i + 7);
    assert_int_equal(devices_write(tile, B, 0xFFE40000, 4, 0, 140), DEV_WAIT);
}

static void b_in_the_cycle_of_t_makes_t_lose_its_instruction(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(devices_push_tensix(tile, T1, 1, 0x02000011, 100), DEV_OK);
    assert_int_equal(devices_push_tensix(tile, T1, 1, 0x02000012, 101), DEV_OK);
    wr_at(tile, B, 0xFFE50000, 0x02000013, 100 + COST_TENSIX_MOP_STAGE);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNPREDICTABLE);
    assert_non_null(strstr(tile->fault_text, "0x02000011"));
    tensix_expand(&tile->dev.tensix, 1, 120);
    assert_int_equal(tile->dev.tensix.thread[1].gate_fifo[0].word, 0x02000013);
    assert_int_equal(tile->dev.tensix.thread[1].gate_fifo[1].word, 0x02000012);
    assert_int_equal(tile->dev.tensix.thread[1].in_flight, 1);
}

static void others_cannot_push(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(push(tile, NC, 0), DEV_NOTHING);
    assert_int_equal(push(tile, NOC, 0), DEV_NOTHING);
    assert_int_equal(push(tile, T0, 1), DEV_NOTHING);
    assert_int_equal(try_wr(tile, T0, 0xFFE50000, 0), DEV_NOTHING);
    assert_int_equal(try_wr(tile, NC, 0xFFE40000, 0), DEV_NOTHING);
}

static void status_tells_full_and_empty(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(rd_at(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_STATUS, 10), 0x77);
    wr_at(tile, B, 0xFFE50000, 0, 100);
    wr_at(tile, B, 0xFFE50000, 0, 101);
    assert_int_equal(rd_at(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_STATUS, 110),
                     0x77); /* both before the wait gate */
    wr_at(tile, B, 0xFFE50000, 0, 110);
    assert_int_equal(rd_at(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_STATUS, 120), 0x57);
    for (unsigned i = 0; i < 7; i++)
        wr_at(tile, B, 0xFFE50000, 0, 120 + i);
    assert_int_equal(rd_at(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_STATUS, 130), 0x55);
}

static void the_debug_bus_pushes_on_a_rising_bit(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0, 1 << 1);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL1, 0xB2000000);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0, 1 << 5 | 1 << 1);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0, 1 << 5 | 1 << 1);
    assert_int_equal(tile->dev.tensix.thread[1].replay_count, 1);
    assert_int_equal(tile->dev.tensix.thread[1].replay_fifo[0].word, 0xB2000000);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0, 0);
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0, 1 << 4); /* without control nothing happens */
    assert_int_equal(tile->dev.tensix.thread[0].replay_count + tile->dev.tensix.thread[0].gate_count, 0);
}

static void a_push_while_the_debug_bus_has_the_fifo_is_unpredictable(void **state)
{
    struct tile *tile = *state;
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0, 1);
    assert_int_equal(push(tile, T0, 0), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNPREDICTABLE);
    assert_int_equal(tile->dev.tensix.thread[0].fifo_count, 0);
    assert_int_equal(push(tile, T1, 1), DEV_OK);
}

static void gprs_are_192_for_b_and_64_for_each_t(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 192; i++)
        wr(tile, B, 0xFFE00000 + 4 * i, i);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(rd(tile, T0, 0xFFE00000 + 4 * i), i);
        assert_int_equal(rd(tile, T1, 0xFFE00000 + 4 * i), 64 + i);
        assert_int_equal(rd(tile, T2, 0xFFE00000 + 4 * i), 128 + i);
    }
    assert_int_equal(try_rd(tile, B, 0xFFE00300), DEV_NOTHING);
    assert_int_equal(rd(tile, T1, 0xFFE00100), 64); /* T cores see theirs again every 256 bytes */
    assert_int_equal(rd(tile, T1, 0xFFE00FFC), 127);
    assert_int_equal(try_rd(tile, NC, 0xFFE00000), DEV_NOTHING);
}

static void gprs_take_bytes_and_halves(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    wr(tile, T0, 0xFFE00004, 0x11223344);
    assert_int_equal(devices_write(tile, T0, 0xFFE00006, 2, 0xFFFFAABB, 100), DEV_OK);
    assert_int_equal(devices_write(tile, T0, 0xFFE00005, 1, 0xCC, 100), DEV_OK);
    assert_int_equal(rd(tile, T0, 0xFFE00004), 0xAABBCC44);
    assert_int_equal(devices_read(tile, T0, 0xFFE00005, 1, 100, &value), DEV_OK);
    assert_int_equal(value, 0xCC);
}

static void configuration_has_two_banks_and_writes_to_both(void **state)
{
    struct tile *tile = *state;
    wr(tile, T0, 0xFFEF0000 + 4 * 20, 1);
    wr(tile, T0, 0xFFEF0380 + 4 * 20, 2);
    assert_int_equal(rd(tile, B, 0xFFEF0000 + 4 * 20), 1);
    assert_int_equal(rd(tile, B, 0xFFEF0380 + 4 * 20), 2);
    wr(tile, T0, 0xFFEF0700 + 4 * 20, 3);
    assert_int_equal(rd(tile, B, 0xFFEF0000 + 4 * 20), 3);
    assert_int_equal(rd(tile, B, 0xFFEF0380 + 4 * 20), 3);
    assert_int_equal(rd(tile, B, 0xFFEF0700 + 4 * 20), 3);
}

static void global_words_are_one_in_both_banks(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFEF0380 + 4 * 180, 7);
    assert_int_equal(rd(tile, B, 0xFFEF0000 + 4 * 180), 7);
    wr(tile, B, 0xFFEF0000 + 4 * 186, 0); /* PRNG seed */
    wr(tile, B, 0xFFEF0000 + 4 * 179, 7);
    assert_int_equal(rd(tile, B, 0xFFEF0380 + 4 * 179), 0);
}

static void state_reset_clears_its_bank(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFEF0700 + 4 * 0, 1);
    wr(tile, B, 0xFFEF0700 + 4 * 179, 2);
    wr(tile, B, 0xFFEF0700 + 4 * 180, 3);
    wr(tile, B, 0xFFEF0380 + 4 * 4, 0); /* anything */
    assert_int_equal(rd(tile, B, 0xFFEF0000), 1);
    assert_int_equal(rd(tile, B, 0xFFEF0380), 0);
    assert_int_equal(rd(tile, B, 0xFFEF0380 + 4 * 179), 0);
    assert_int_equal(rd(tile, B, 0xFFEF0380 + 4 * 180), 3);
}

static void word_185_invalidates_instruction_caches(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, 0xFFEF0000 + 4 * 185, 0x15);
    assert_int_equal(tile->invalidated, 1u << B | 1u << T1 | 1u << NC);
}

static void configuration_takes_whole_words_only(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    wr(tile, B, 0xFFEF0000, 0x11223344);
    assert_int_equal(devices_read(tile, B, 0xFFEF0002, 2, 101, &value), DEV_OK);
    assert_int_equal(value, 0x1122);
    assert_int_equal(devices_write(tile, B, 0xFFEF0002, 2, 0, 102), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    assert_int_equal(rd(tile, B, 0xFFEF0000), 0x11223344);
}

static void thread_configuration_is_readable_only(void **state)
{
    struct tile *tile = *state;
    tile->dev.tensix.thread[1].config[3] = 0xABCD;
    assert_int_equal(rd(tile, T0, 0xFFEF0A80 + 4 * (68 + 3)), 0xABCD);
    assert_int_equal(try_wr(tile, T0, 0xFFEF0A80, 1), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    assert_int_equal(try_rd(tile, T0, 0xFFEF0A80 + 4 * 204), DEV_NOTHING);
    assert_int_equal(try_rd(tile, NC, 0xFFEF0000), DEV_NOTHING);
}

static void mop_configuration_is_write_only_and_each_t_has_its_own(void **state)
{
    struct tile *tile = *state;
    for (unsigned core = T0; core <= T2; core++)
        for (unsigned i = 0; i < 9; i++)
            wr(tile, core, 0xFFB80000 + 4 * i, 10 * core + i);
    for (unsigned core = T0; core <= T2; core++)
        for (unsigned i = 0; i < 9; i++)
            assert_int_equal(pk(tile, core, 0xFFB80000 + 4 * i), 10 * core + i);
    assert_int_equal(try_rd(tile, T0, 0xFFB80000), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    assert_int_equal(try_wr(tile, T0, 0xFFB80024, 0), DEV_NOTHING);
    assert_int_equal(try_wr(tile, B, 0xFFB80000, 0), DEV_NOTHING);
}

static void semaphores_post_and_get(void **state)
{
    struct tile *tile = *state;
    wr(tile, T0, 0xFFE80020 + 4 * 7, 1); /* get from zero stays at zero */
    assert_int_equal(rd(tile, T1, 0xFFE80020 + 4 * 7), 0);
    for (unsigned i = 0; i < 20; i++)
        wr(tile, T0, 0xFFE80020 + 4 * 7, 0);
    assert_int_equal(rd(tile, T1, 0xFFE80020 + 4 * 7), 15); /* whatever Max is */
    wr(tile, T2, 0xFFE80020 + 4 * 7, 3);
    assert_int_equal(rd(tile, T1, 0xFFE80020 + 4 * 7), 14);
    assert_int_equal(rd(tile, T1, 0xFFE80020), 0);
    assert_int_equal(try_rd(tile, T0, 0xFFE80040), DEV_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(t_fills_its_fifo_to_29_one_by_one),
        CASE(a_fused_group_of_four_reaches_32),
        CASE(who_waits_behind_a_gate_that_stands_sleeps),
        CASE(b_pushes_behind_the_mop_expander_of_any_thread),
        CASE(b_in_the_cycle_of_t_makes_t_lose_its_instruction),
        CASE(others_cannot_push),
        CASE(status_tells_full_and_empty),
        CASE(the_debug_bus_pushes_on_a_rising_bit),
        CASE(a_push_while_the_debug_bus_has_the_fifo_is_unpredictable),
        CASE(gprs_are_192_for_b_and_64_for_each_t),
        CASE(gprs_take_bytes_and_halves),
        CASE(configuration_has_two_banks_and_writes_to_both),
        CASE(global_words_are_one_in_both_banks),
        CASE(state_reset_clears_its_bank),
        CASE(word_185_invalidates_instruction_caches),
        CASE(configuration_takes_whole_words_only),
        CASE(thread_configuration_is_readable_only),
        CASE(mop_configuration_is_write_only_and_each_t_has_its_own),
        CASE(semaphores_post_and_get),
    };
    return RUN(tests);
}
