/* SPDX-License-Identifier: Apache-2.0 */
/* src/check/order.c against happens-before as it is defined: a graph of events, and a way through it.
 * LINK: src/check/order.c */
#include "support/unit.h"

#include "check/order.h"

#include <string.h>

enum { ACTORS = 6, OBJECTS = 4, PLACES = 8, EVENTS = 400 };

/* What an event knows: for each other event, whether a way leads from it. */
struct model {
    bool before[EVENTS][EVENTS];
    int last[ACTORS];               /* event of each actor */
    bool released[OBJECTS][EVENTS]; /* what an object passes on */
    unsigned count;
};

static unsigned add(struct model *m, unsigned actor, unsigned acquires)
{
    const unsigned e = m->count++;
    if (m->last[actor] >= 0) {
        memcpy(m->before[e], m->before[m->last[actor]], sizeof m->before[e]);
        m->before[e][m->last[actor]] = true;
    }
    for (unsigned i = 0; acquires < OBJECTS && i < EVENTS; i++)
        m->before[e][i] |= m->released[acquires][i];
    m->last[actor] = (int)e;
    return e;
}

struct access {
    unsigned event, actor;
    uint32_t epoch;
};

/* Every access is compared with every other: the clocks say before exactly if there is a way. */
static void clocks_are_the_graph(void **state)
{
    (void)state;
    test_random r = {1};
    static struct order o;
    static struct model m;
    static struct access list[EVENTS];
    for (unsigned run = 0; run < 60; run++) {
        struct order_clock object[OBJECTS] = {{{0}}};
        unsigned accesses = 0;
        memset(&o, 0, sizeof o);
        memset(&m, 0, sizeof m);
        memset(m.last, 0xFF, sizeof m.last);
        while (m.count < EVENTS) {
            const unsigned actor = test_below(&r, ACTORS), k = test_below(&r, OBJECTS), what = test_below(&r, 8);
            if (what == 0) {
                const unsigned e = add(&m, actor, OBJECTS);
                for (unsigned i = 0; i < EVENTS; i++)
                    m.released[k][i] |= m.before[e][i];
                m.released[k][e] = true;
                order_release(&o, actor, &object[k]);
            } else if (what == 1) {
                add(&m, actor, k);
                order_acquire(&o, actor, &object[k]);
            } else if (what == 2 && accesses != 0) {
                /* As a flag in L1 is acquired: by the epoch of its last write, which passes on all of that epoch. */
                const struct access a = list[accesses - 1];
                const unsigned e = add(&m, actor, OBJECTS);
                for (unsigned i = 0; i < EVENTS; i++)
                    m.before[e][i] |= m.before[a.event][i];
                m.before[e][a.event] = true;
                order_acquire_epoch(&o, actor, a.actor, a.epoch);
            } else {
                const unsigned e = add(&m, actor, OBJECTS);
                const uint32_t epoch = order_access(&o, actor);
                for (unsigned i = 0; i < accesses; i++) {
                    const bool knows = list[i].actor == actor || order_knows(&o, actor, list[i].actor, list[i].epoch);
                    if (m.before[e][list[i].event] && !knows)
                        fail_msg("run %u: event %u is behind %u, and its clock does not know", run, e, list[i].event);
                    if (!m.before[e][list[i].event] && knows)
                        fail_msg("run %u: event %u is not behind %u, and its clock says so", run, e, list[i].event);
                }
                list[accesses++] = (struct access){e, actor, epoch};
            }
        }
    }
}

static struct order_cell cell(struct order *o, unsigned actor, unsigned mask, bool is_write)
{
    static uint64_t cycle;
    return order_cell_of(o, actor, actor + 1, ++cycle, mask, is_write);
}

static bool races(struct order *o, struct order_place *place, unsigned actor, unsigned mask, bool is_write)
{
    struct order_cell scratch;
    return order_visit(o, place, cell(o, actor, mask, is_write), &scratch) != NULL;
}

static void bytes_that_do_not_overlap_are_no_race(void **state)
{
    (void)state;
    static struct order o;
    struct order_place place = {0};
    memset(&o, 0, sizeof o);
    assert_false(races(&o, &place, 0, 0x000F, true));
    assert_false(races(&o, &place, 1, 0x00F0, true));
    assert_false(races(&o, &place, 2, 0x0F00, false));
    assert_false(races(&o, &place, 3, 0x0F00, false));
    assert_true(races(&o, &place, 1, 0x0001, false));
}

static void a_read_stays_behind_another_read(void **state)
{
    (void)state;
    static struct order o;
    struct order_place place = {0};
    struct order_clock flag = {{0}};
    memset(&o, 0, sizeof o);
    assert_false(races(&o, &place, 0, 0xFFFF, false));
    assert_false(races(&o, &place, 1, 0xFFFF, false));
    order_release(&o, 1, &flag);
    order_acquire(&o, 2, &flag);
    assert_true(races(&o, &place, 2, 0xFFFF, true));  /* behind actor 1, not behind actor 0 */
    assert_false(races(&o, &place, 2, 0xFFFF, true)); /* told once */
}

static void what_comes_behind_a_release_is_not_released(void **state)
{
    (void)state;
    static struct order o;
    struct order_place early = {0}, late = {0};
    struct order_clock flag = {{0}};
    memset(&o, 0, sizeof o);
    assert_false(races(&o, &early, 0, 1, true));
    order_release(&o, 0, &flag);
    assert_false(races(&o, &late, 0, 1, true));
    order_acquire(&o, 1, &flag);
    assert_false(races(&o, &early, 1, 1, true));
    assert_true(races(&o, &late, 1, 1, true));
}

/* Epochs that are too old for the ring give more order, never less. */
static void old_epochs_are_acquired_too(void **state)
{
    (void)state;
    static struct order o;
    struct order_place place = {0};
    struct order_clock flag = {{0}};
    memset(&o, 0, sizeof o);
    assert_false(races(&o, &place, 0, 1, true));
    const uint32_t epoch = order_now(&o, 0);
    for (unsigned i = 0; i < 3 * ORDER_HISTORY; i++) {
        order_access(&o, 0);
        order_release(&o, 0, &flag);
    }
    order_acquire_epoch(&o, 1, 0, epoch);
    assert_false(races(&o, &place, 1, 1, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_the_graph),
        cmocka_unit_test(bytes_that_do_not_overlap_are_no_race),
        cmocka_unit_test(a_read_stays_behind_another_read),
        cmocka_unit_test(what_comes_behind_a_release_is_not_released),
        cmocka_unit_test(old_epochs_are_acquired_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
