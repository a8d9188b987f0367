/* SPDX-License-Identifier: Apache-2.0 */
#include "door.h"

#include <time.h>
#include <unistd.h>

enum {
    LOOK_AGAIN_NS = 1000000, /* a host that left without seeing that it was wanted */
    TURN_NS = 200000,        /* for a thread to wake up */
};

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void door_open(door *d)
{
    *d = (door){.owner = getpid()};
    (void)pthread_mutex_init(&d->lock, NULL);
    (void)pthread_mutex_init(&d->chip, NULL);
    (void)pthread_cond_init(&d->moved, NULL);
}

void door_close(door *d)
{
    (void)pthread_mutex_destroy(&d->lock);
    (void)pthread_mutex_destroy(&d->chip);
    (void)pthread_cond_destroy(&d->moved);
}

bool door_is_forked(const door *d)
{
    return d->owner != getpid();
}

/* ---- The host ------------------------------------------------------------------------------------------------ */

/* A forked child has no server; locks may stand as its parent's threads had them. */
static void begin_alone(door *d)
{
    const uint64_t held = d->held_ns;
    const pid_t owner = d->owner;
    door_open(d);
    d->owner = owner; /* still known as a child */
    d->held_ns = held;
    atomic_store(&d->who, DOOR_HOST);
}

static void wait_for_turn(door *d)
{
    d->host_waits = true;
    while (atomic_load(&d->who) != DOOR_FREE || (atomic_load(&d->wanted) != 0 && !d->host_turn)) {
        (void)pthread_cond_wait(&d->moved, &d->lock);
    }
    d->host_waits = d->host_turn = false;
    atomic_store(&d->who, DOOR_HOST);
}

void door_enter_slowly(door *d)
{
    if (door_is_forked(d)) {
        begin_alone(d);
        return;
    }
    const uint64_t before = clock_ns(CLOCK_MONOTONIC);
    (void)pthread_mutex_lock(&d->lock);
    wait_for_turn(d);
    (void)pthread_mutex_unlock(&d->lock);
    d->held_ns += clock_ns(CLOCK_MONOTONIC) - before;
}

void door_leave_slowly(door *d)
{
    if (door_is_forked(d)) {
        return;
    }
    (void)pthread_mutex_lock(&d->lock);
    (void)pthread_cond_broadcast(&d->moved);
    (void)pthread_mutex_unlock(&d->lock);
}

void door_stop_here(door *d, bool *flag)
{
    const uint64_t before = clock_ns(CLOCK_MONOTONIC);
    (void)pthread_mutex_lock(&d->lock);
    d->holds++;
    d->lasting++;
    *flag = true;
    atomic_store(&d->who, DOOR_SERVED);
    (void)pthread_cond_broadcast(&d->moved);
    wait_for_turn(d);
    (void)pthread_mutex_unlock(&d->lock);
    d->held_ns += clock_ns(CLOCK_MONOTONIC) - before;
}

/* ---- The server ---------------------------------------------------------------------------------------------- */

static void wait_at_most(door *d, uint64_t ns)
{
    const uint64_t until = clock_ns(CLOCK_REALTIME) + ns;
    const struct timespec when = {.tv_sec = (time_t)(until / 1000000000u), .tv_nsec = (long)(until % 1000000000u)};
    (void)pthread_cond_timedwait(&d->moved, &d->lock, &when);
}

static bool try_to_take(door *d)
{
    uint32_t free = DOOR_FREE;
    return !d->host_turn && atomic_compare_exchange_strong(&d->who, &free, DOOR_SERVED);
}

/* Under `lock`. */
static void add_hold(door *d)
{
    d->holds++;
    atomic_fetch_add(&d->wanted, 1);
    while (atomic_load(&d->who) != DOOR_SERVED && !try_to_take(d)) {
        wait_at_most(d, LOOK_AGAIN_NS);
    }
    atomic_fetch_sub(&d->wanted, 1);
}

static void remove_hold(door *d)
{
    if (--d->holds == 0) {
        d->host_turn = d->host_waits;
        atomic_store(&d->who, DOOR_FREE);
        (void)pthread_cond_broadcast(&d->moved);
    }
}

static void change(door *d, void (*how)(door *), uint32_t lasting)
{
    (void)pthread_mutex_lock(&d->lock);
    d->lasting += lasting;
    how(d);
    (void)pthread_mutex_unlock(&d->lock);
}

static void lock_chip(door *d)
{
    atomic_fetch_add(&d->queued, 1);
    (void)pthread_mutex_lock(&d->chip);
    atomic_fetch_sub(&d->queued, 1);
}

void door_take(door *d)
{
    lock_chip(d);
    change(d, add_hold, 0);
}

void door_give(door *d)
{
    change(d, remove_hold, 0);
    (void)pthread_mutex_unlock(&d->chip);
}

void door_hold(door *d)
{
    change(d, add_hold, 1);
}

void door_let_go(door *d)
{
    change(d, remove_hold, UINT32_MAX); /* one less */
}

void door_take_and_hold(door *d)
{
    lock_chip(d);
    door_hold(d);
}

void door_take_held(door *d)
{
    lock_chip(d);
}

void door_give_held(door *d)
{
    (void)pthread_mutex_unlock(&d->chip);
}

void door_pass_held(door *d)
{
    if (atomic_load(&d->queued) != 0) { /* a mutex alone goes to whoever is fastest, which is us */
        const struct timespec a_turn = {.tv_nsec = TURN_NS};
        (void)pthread_mutex_unlock(&d->chip);
        (void)nanosleep(&a_turn, NULL);
        lock_chip(d);
    }
}

bool door_is_held(door *d)
{
    (void)pthread_mutex_lock(&d->lock);
    const bool held = d->lasting != 0;
    (void)pthread_mutex_unlock(&d->lock);
    return held;
}

bool door_wait(door *d, const bool *flag, unsigned milliseconds)
{
    (void)pthread_mutex_lock(&d->lock);
    if (!*flag) {
        wait_at_most(d, (uint64_t)milliseconds * 1000000);
    }
    const bool is = *flag;
    (void)pthread_mutex_unlock(&d->lock);
    return is;
}

void door_tell(door *d, bool *flag)
{
    (void)pthread_mutex_lock(&d->lock);
    *flag = true;
    (void)pthread_cond_broadcast(&d->moved);
    (void)pthread_mutex_unlock(&d->lock);
}
