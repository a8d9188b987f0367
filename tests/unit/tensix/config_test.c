/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* The Configuration Unit where baby cores or other blocks come in; its instructions one by one are in tests/isa/tensix. */
#include "unit/tensix/exec.h"

#define CONFIG(bank, word) (TENSIX_CFG_BASE + 4 * ((bank)*CFG_WORDS + (word)))

static void push_at(struct tile *tile, unsigned thread, const char *text, uint64_t cycle)
{
    uint32_t lost;
    assert_int_equal(tensix_push_replay(&tile->dev.tensix, thread, word_of(text), 0x100, cycle, &lost), TENSIX_PUSH_OK);
}

static void run_to(struct tile *tile, uint64_t until)
{
    while (tensix_next(&tile->dev.tensix) < until)
        tensix_run(&tile->lent, &tile->dev.tensix, until);
}

/* The first cycle from `cycle` on in which the load is done; the units run along. */
static uint64_t load_done(struct tile *tile, uint32_t address, uint64_t cycle, uint32_t *value)
{
    for (; devices_read(tile, B, address, 4, cycle, value) == DEV_WAIT; cycle++) {
        assert_true(tensix_next(&tile->dev.tensix) <= cycle + 1); /* somebody will tell it */
        const unsigned told = tile->changed;
        run_to(tile, cycle + 1);
        tensix_run(&tile->lent, &tile->dev.tensix, cycle + 2); /* stops where it tells */
        assert_true(tile->changed > told);
    }
    return cycle;
}

static void a_load_waits_while_wrcfg_is_in_stage_0(void **state)
{
    struct tile *tile = *state;
    uint32_t value = 0;
    thread_of(tile, 0)->gpr[5] = 7;
    push_at(tile, 0, "WRCFG InputReg=5, CfgIndex=50", 1000);
    while (tile->dev.tensix.later_count == 0) /* until the WRCFG has entered */
        run_to(tile, ++exec_now);
    const uint64_t entered = tile->dev.tensix.config_unit.cycle;
    assert_int_equal(devices_read(tile, B, CONFIG(0, 50), 4, entered + 1, &value), DEV_WAIT);
    assert_int_equal(load_done(tile, CONFIG(0, 50), entered + 1, &value), entered + 2);
    assert_int_equal(value, 7);
}

static void one_request_of_cores_a_cycle(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    assert_int_equal(devices_write(tile, B, CONFIG(0, 50), 4, 1, 1000), DEV_OK);
    assert_int_equal(devices_read(tile, T1, CONFIG(0, 50), 4, 1000, &value), DEV_WAIT);
    assert_int_equal(devices_write(tile, T2, CONFIG(0, 50), 4, 2, 1000), DEV_WAIT);
    assert_int_equal(devices_read(tile, T1, CONFIG(0, 50), 4, 1001, &value), DEV_OK);
    assert_int_equal(value, 1);
}

/* They "are part of the Config IPC group even if they are read-requests for ThreadConfig". */
static void thread_config_is_read_through_the_pipeline_too(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    assert_int_equal(devices_read(tile, B, CONFIG(3, 0), 4, 1000, &value), DEV_OK);
    assert_int_equal(devices_read(tile, B, CONFIG(0, 0), 4, 1000, &value), DEV_WAIT);
}

static void a_debugger_does_not_wait(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    assert_int_equal(devices_write(tile, B, CONFIG(0, 50), 4, 1, 100), DEV_OK);
    assert_true(devices_peek(tile, B, CONFIG(0, 50), &value, 100));
    assert_int_equal(value, 1);
}

static void setc16_of_unpack_misc_cfg_clears_the_threads_context_counters(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    memset(tx->context_counter, 5, sizeof tx->context_counter);
    exec_on(tile, 1, "SETC16 CfgIndex=40, NewValue=0xffff");
    assert_int_equal(tx->context_counter[0][1], 5);
    exec_on(tile, 1, "SETC16 CfgIndex=41, NewValue=0");
    for (unsigned unpacker = 0; unpacker < 2; unpacker++) {
        assert_int_equal(tx->context_counter[unpacker][0], 5);
        assert_int_equal(tx->context_counter[unpacker][1], 0);
        assert_int_equal(tx->context_counter[unpacker][2], 5);
    }
}

static void a_write_of_185_empties_instruction_caches(void **state)
{
    struct tile *tile = *state;
    thread_of(tile, 0)->gpr[1] = 0x1F;
    exec(tile, "WRCFG InputReg=1, CfgIndex=185");
    assert_int_equal(tile->invalidated, 0x1F);
    tile->invalidated = 0;
    exec(tile, "RMWCIB0 Mask=0x1e, NewValue=0, Index4=185"); /* leaves bit 0 */
    assert_int_equal(tile->invalidated, 1u << B);
}

/* Word 219 bit 26, Tag_alloc, latches all of the search's configuration. */
static void instructions_reach_the_tag_search(void **state)
{
    struct tile *tile = *state;
    thread_of(tile, 0)->gpr[1] = 0x123;
    exec(tile, "WRCFG InputReg=1, CfgIndex=213");
    assert_int_equal(tile->dev.tag_search.end, 0);
    exec(tile, "RMWCIB3 Mask=4, NewValue=4, Index4=219");
    assert_int_equal(tile->dev.tag_search.end, 0x123);
    assert_true(tile->dev.tag_search.tag_alloc);
}

static void streamwrcfg_of_a_register_that_reading_changes_changes_it(void **state)
{
    struct tile *tile = *state;
    tile->overlay.done = UINT64_C(1) << 9; /* STREAM_BLOB_AUTO_CFG_DONE */
    char text[80];
    snprintf(text, sizeof text, "STREAMWRCFG RegIndex=%d, CfgIndex=50", STREAM_BLOB_NEXT_AUTO_CFG_DONE_REG_INDEX);
    exec(tile, text);
    assert_int_equal(tile->dev.tensix.config[0][50] % OVERLAY_STREAMS, 9);
    assert_true(tile->overlay.done == 0);
}

int main(void)
{
#define TEST(x) cmocka_unit_test_setup_teardown(x, fake_setup, fake_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_load_waits_while_wrcfg_is_in_stage_0),
        TEST(one_request_of_cores_a_cycle),
        TEST(thread_config_is_read_through_the_pipeline_too),
        TEST(a_debugger_does_not_wait),
        TEST(setc16_of_unpack_misc_cfg_clears_the_threads_context_counters),
        TEST(a_write_of_185_empties_instruction_caches),
        TEST(instructions_reach_the_tag_search),
        TEST(streamwrcfg_of_a_register_that_reading_changes_changes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
