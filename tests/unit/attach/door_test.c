/* SPDX-License-Identifier: Apache-2.0 */
/* Whose turn it is: one side at a time, nobody waits for ever, a hold lasts for as long as it is held.
 * LINK: src/attach/door.c
 * TSAN: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "attach/door.h"

#include <time.h>

enum { SERVERS = 3, TURNS = 300, CALLS = 20000 };

typedef struct table {
    door door;
    uint64_t chip; /* what is fought for: not atomic, so that the thread sanitizer sees a slip */
    _Atomic uint32_t left;
    _Atomic bool stop;
    _Atomic uint64_t calls;
} table;

static void nap(void)
{
    const struct timespec time = {.tv_nsec = 2000000};
    (void)nanosleep(&time, NULL);
}

/* Leaves only when told, and has its turn between all others. */
static void *host(void *context)
{
    table *t = context;
    while (!atomic_load(&t->stop)) {
        door_enter(&t->door);
        t->chip++;
        door_pass(&t->door);
        t->chip++;
        door_leave(&t->door);
        atomic_fetch_add(&t->calls, 1);
    }
    return NULL;
}

static void *server(void *context)
{
    table *t = context;
    for (unsigned i = 0; i < TURNS; i++) {
        door_take(&t->door);
        t->chip++;
        door_give(&t->door);
    }
    atomic_fetch_sub(&t->left, 1);
    return NULL;
}

static void one_at_a_time(void **state)
{
    table t = {.chip = 0};
    pthread_t threads[SERVERS + 1];
    (void)state;
    door_open(&t.door);
    atomic_store(&t.left, SERVERS);
    assert_int_equal(pthread_create(&threads[SERVERS], NULL, host, &t), 0);
    while (atomic_load(&t.calls) == 0) {
        nap();
    }
    for (unsigned i = 0; i < SERVERS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, server, &t), 0);
    }
    for (unsigned i = 0; i < SERVERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    atomic_store(&t.stop, true);
    assert_int_equal(pthread_join(threads[SERVERS], NULL), 0);
    assert_int_equal(t.chip, 2 * atomic_load(&t.calls) + SERVERS * TURNS);
    door_close(&t.door);
}

static bool host_waits(door *d)
{
    (void)pthread_mutex_lock(&d->lock);
    const bool waits = d->host_waits;
    (void)pthread_mutex_unlock(&d->lock);
    return waits;
}

static void holds_last(void **state)
{
    table t = {.chip = 0};
    pthread_t thread;
    (void)state;
    door_open(&t.door);
    door_hold(&t.door);
    assert_true(door_is_held(&t.door));
    assert_int_equal(pthread_create(&thread, NULL, host, &t), 0);
    while (!host_waits(&t.door)) {
        nap();
    }
    assert_int_equal(atomic_load(&t.calls), 0);
    door_take(&t.door); /* others may look meanwhile */
    assert_int_equal(t.chip, 0);
    door_give(&t.door);
    assert_int_equal(atomic_load(&t.calls), 0);
    door_let_go(&t.door);
    while (atomic_load(&t.calls) == 0) {
        nap();
    }
    assert_false(door_is_held(&t.door));
    door_hold(&t.door); /* in the middle of things */
    const uint64_t calls = atomic_load(&t.calls);
    nap();
    assert_true(atomic_load(&t.calls) - calls <= 1);
    door_let_go(&t.door);
    atomic_store(&t.stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(t.door.held_ns != 0);
    door_close(&t.door);
}

typedef struct stopper {
    table t;
    bool here;
} stopper;

static void *stops_in_the_middle(void *context)
{
    stopper *s = context;
    door_enter(&s->t.door);
    s->t.chip = 1;
    door_stop_here(&s->t.door, &s->here);
    s->t.chip = 2;
    door_leave(&s->t.door);
    return NULL;
}

static void stops_until_let_go(void **state)
{
    stopper s = {.here = false};
    pthread_t thread;
    (void)state;
    door_open(&s.t.door);
    assert_int_equal(pthread_create(&thread, NULL, stops_in_the_middle, &s), 0);
    while (!door_wait(&s.t.door, &s.here, 5)) {}
    door_take_held(&s.t.door);
    assert_int_equal(s.t.chip, 1);
    door_give_held(&s.t.door);
    door_let_go(&s.t.door);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(s.t.chip, 2);
    door_close(&s.t.door);
}

/* Nobody there: in and out is all it takes. */
static void alone(void **state)
{
    door d;
    (void)state;
    door_open(&d);
    for (unsigned i = 0; i < CALLS; i++) {
        door_enter(&d);
        door_pass(&d);
        door_leave(&d);
    }
    assert_int_equal(d.held_ns, 0);
    door_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(holds_last),
        cmocka_unit_test(stops_until_let_go),
        cmocka_unit_test(alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
