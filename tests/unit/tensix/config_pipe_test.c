/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/tensix/config_pipe.c */
/* Who may enter the Configuration Unit's pipeline, by the manual's table of stages; and all of it against a second model,
 * which keeps a list of what is inside and walks it stage by stage. */
#include "tensix/config_pipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum kind { STREAMWRCFG, WRCFG, CFGSHIFTMASK, RMWCIB, RDCFG, REQUEST, KINDS };

static bool enter(struct tensix_config_unit *pipe, uint64_t cycle, enum kind kind)
{
    static const unsigned stages[KINDS] = {CONFIG_ENTER_STREAMWRCFG, CONFIG_ENTER_WRCFG, CONFIG_ENTER_CFGSHIFTMASK,
                                           CONFIG_ENTER_RMWCIB,      CONFIG_ENTER_RDCFG, CONFIG_ENTER_REQUEST};
    return config_pipe_enter(pipe, cycle, stages[kind]);
}

static void one_of_each_but_cfgshiftmask_starts_every_cycle(void **state)
{
    (void)state;
    for (enum kind kind = STREAMWRCFG; kind < KINDS; kind++) {
        struct tensix_config_unit pipe = {0};
        unsigned started = 0;
        for (uint64_t cycle = 10; cycle < 30; cycle++)
            started += enter(&pipe, cycle, kind);
        assert_int_equal(started, kind == CFGSHIFTMASK ? 10 : 20);
    }
}

static void three_enter_at_once_at_three_stages(void **state)
{
    (void)state;
    const enum kind orders[][3] = {{STREAMWRCFG, WRCFG, RMWCIB}, {RMWCIB, WRCFG, STREAMWRCFG}};
    for (unsigned i = 0; i < 2; i++) {
        struct tensix_config_unit pipe = {0};
        for (unsigned j = 0; j < 3; j++)
            assert_true(enter(&pipe, 10, orders[i][j]));
        assert_false(enter(&pipe, 10, RDCFG));
        assert_false(enter(&pipe, 10, WRCFG));
        assert_false(enter(&pipe, 10, STREAMWRCFG));
    }
}

static void wrcfg_every_cycle_starves_a_request(void **state)
{
    (void)state;
    struct tensix_config_unit pipe = {0};
    assert_true(enter(&pipe, 10, WRCFG));
    for (uint64_t cycle = 11; cycle < 40; cycle++) {
        assert_true(enter(&pipe, cycle, WRCFG));
        assert_false(enter(&pipe, cycle, REQUEST));
    }
    assert_false(enter(&pipe, 40, REQUEST)); /* the last one is in stage 0 */
    assert_true(enter(&pipe, 41, REQUEST));
}

/* In -4 (cycle 10) it keeps nobody out, in -3 to -1 everybody. */
static void streamwrcfg_lets_others_past_in_its_first_cycle_only(void **state)
{
    (void)state;
    for (uint64_t cycle = 10; cycle < 20; cycle++) {
        struct tensix_config_unit pipe = {0};
        assert_true(enter(&pipe, 10, STREAMWRCFG));
        assert_int_equal(enter(&pipe, cycle, WRCFG), cycle == 10 || cycle >= 14);
        pipe = (struct tensix_config_unit){0};
        assert_true(enter(&pipe, 10, STREAMWRCFG));
        assert_int_equal(enter(&pipe, cycle, RMWCIB), cycle == 10 || cycle >= 15);
    }
}

static void cfgshiftmask_holds_stage_0_for_two_cycles(void **state)
{
    (void)state;
    for (uint64_t cycle = 10; cycle < 14; cycle++) {
        struct tensix_config_unit pipe = {0};
        assert_true(enter(&pipe, 10, CFGSHIFTMASK));
        assert_int_equal(enter(&pipe, cycle, RDCFG), cycle >= 12);
        pipe = (struct tensix_config_unit){0};
        assert_true(enter(&pipe, 10, CFGSHIFTMASK));
        assert_int_equal(enter(&pipe, cycle, WRCFG), cycle >= 11);
        pipe = (struct tensix_config_unit){0};
        assert_true(enter(&pipe, 10, CFGSHIFTMASK));
        assert_int_equal(enter(&pipe, cycle, CFGSHIFTMASK), cycle >= 12);
    }
}

static void a_refusal_changes_nothing(void **state)
{
    (void)state;
    struct tensix_config_unit pipe = {0};
    assert_true(enter(&pipe, 10, WRCFG));
    struct tensix_config_unit before = pipe;
    assert_false(enter(&pipe, 11, RMWCIB));
    assert_memory_equal(&pipe, &before, sizeof pipe);
}

/* ---- The second model ---- */

struct inside {
    int stage, cycles_in_0;
    bool is_new, is_pair;
};

static unsigned next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void every_order_of_entries_as_a_list_would_have_it(void **state)
{
    (void)state;
    static const int first_stage[KINDS] = {-4, -1, 0, 0, 0, 0};
    uint32_t seed = 1;
    unsigned entered = 0, refused = 0;
    for (unsigned round = 0; round < 300; round++) {
        struct tensix_config_unit pipe = {0};
        struct inside list[64];
        unsigned count = 0;
        for (uint64_t cycle = 100; cycle < 160; cycle++) {
            /* Everything moves, and is out of the way behind stage 0. */
            unsigned kept = 0;
            for (unsigned i = 0; i < count; i++) {
                struct inside x = list[i];
                x.is_new = false;
                if (x.is_pair && x.stage == 0 && x.cycles_in_0++ == 0)
                    ; /* its second cycle there */
                else
                    x.stage++;
                if (x.stage <= 0)
                    list[kept++] = x;
            }
            count = kept;
            for (unsigned offers = next_random(&seed) % 5; offers; offers--) {
                enum kind kind = (enum kind)(next_random(&seed) % KINDS);
                int at = first_stage[kind];
                bool free = true;
                for (unsigned i = 0; i < count; i++) {
                    const struct inside *x = &list[i];
                    bool blocks_m1 = x->is_pair && x->stage == 0 && x->is_new;
                    free &= x->stage != at && !(blocks_m1 && at == -1);
                    free &= x->is_new || x->stage < -3 || x->stage > at;
                    if (kind == CFGSHIFTMASK)
                        free &= x->stage != -1;
                }
                bool got = enter(&pipe, cycle, kind);
                assert_int_equal(got, free);
                if (free)
                    list[count++] = (struct inside){at, 0, true, kind == CFGSHIFTMASK};
                entered += got;
                refused += !got;
            }
        }
    }
    assert_true(entered > 5000 && refused > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_each_but_cfgshiftmask_starts_every_cycle),
        cmocka_unit_test(three_enter_at_once_at_three_stages),
        cmocka_unit_test(wrcfg_every_cycle_starves_a_request),
        cmocka_unit_test(streamwrcfg_lets_others_past_in_its_first_cycle_only),
        cmocka_unit_test(cfgshiftmask_holds_stage_0_for_two_cycles),
        cmocka_unit_test(a_refusal_changes_nothing),
        cmocka_unit_test(every_order_of_entries_as_a_list_would_have_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
