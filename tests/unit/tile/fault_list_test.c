/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/fault_list.h"

#include "../../support/unit.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 16, ALL = 40, TRIES = 200 };

/* Cycles and cores come more than once; of some nothing else differs. */
static void some_faults(kerr_fault fault[ALL])
{
    memset(fault, 0, ALL * sizeof *fault);
    for (int i = 0; i < ALL; i++) {
        fault[i].cycle = (uint64_t)(100 + i / 7);
        fault[i].core = (int8_t)(i % 3 - 1);
        fault[i].address = (uint32_t)(i % 5);
        snprintf(fault[i].text, sizeof fault[i].text, "the %dth", i / 2 * 2);
    }
}

static void shuffle(kerr_fault fault[ALL], test_random *random)
{
    for (unsigned i = ALL; i > 1; i--) {
        const unsigned other = test_below(random, i);
        const kerr_fault last = fault[i - 1];
        fault[i - 1] = fault[other];
        fault[other] = last;
    }
}

static void is_in_order(const kerr_fault *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        assert_true(fault_order(&list[i - 1], &list[i]) <= 0);
        assert_true(fault_order(&list[i], &list[i - 1]) >= 0);
    }
}

/* Whatever comes when: as many as there is room for, the first ones. */
static void what_is_kept_does_not_depend_on_the_order(void **state)
{
    (void)state;
    test_random random = {.state = 25};
    kerr_fault all[ALL], first[ROOM], list[ROOM];
    some_faults(all);
    for (unsigned n = 0; n < TRIES; n++) {
        uint32_t count = 0;
        for (unsigned i = 0; i < ALL; i++) {
            fault_list_put(list, &count, ROOM, &all[i]);
            assert_int_equal(count, i + 1);
            is_in_order(list, count < ROOM ? count : ROOM);
        }
        if (n == 0) {
            memcpy(first, list, sizeof first);
            for (unsigned i = 0; i < ALL; i++) { /* none that was left out comes before one that was kept */
                unsigned before = 0;
                for (unsigned k = 0; k < ALL; k++) {
                    before += fault_order(&all[k], &all[i]) < 0;
                }
                assert_true(before >= ROOM || fault_order(&all[i], &list[ROOM - 1]) <= 0);
            }
        }
        assert_memory_equal(list, first, sizeof list);
        shuffle(all, &random);
    }
}

static void a_restored_list_is_put_in_order(void **state)
{
    (void)state;
    test_random random = {.state = 26};
    kerr_fault all[ALL], want[ALL];
    uint32_t count = 0;
    some_faults(all);
    for (unsigned i = 0; i < ALL; i++) {
        fault_list_put(want, &count, ALL, &all[i]);
    }
    shuffle(all, &random);
    fault_list_sort(all, ALL + 3, ALL); /* more were counted than there is room for */
    assert_memory_equal(all, want, sizeof all);
    shuffle(all, &random);
    const kerr_fault behind = all[ROOM];
    fault_list_sort(all, ROOM, ALL);
    is_in_order(all, ROOM);
    assert_memory_equal(&all[ROOM], &behind, sizeof behind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_does_not_depend_on_the_order),
        cmocka_unit_test(a_restored_list_is_put_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
