/* SPDX-License-Identifier: Apache-2.0 */
#include "door.h"

#include <time.h>
#include <unistd.h>

enum { LOOK_AGAIN_NS = 1000000 }; /* a host that left without seeing that it was wanted */

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void door_open(door *g)
{
    *g = (door){.owner = getpid()};
    (void)pthread_mutex_init(&g->lock, NULL);
    (void)pthread_mutex_init(&g->chip, NULL);
    (void)pthread_cond_init(&g->moved, NULL);
}

void door_close(door *g)
{
    (void)pthread_mutex_destroy(&g->lock);
    (void)pthread_mutex_destroy(&g->chip);
    (void)pthread_cond_destroy(&g->moved);
}

bool door_is_forked(const door *g)
{
    return g->owner != getpid();
}

/* ---- The host ------------------------------------------------------------------------------------------------ */

/* A forked child has no server; locks may stand as its parent's threads had them. */
static void begin_alone(door *g)
{
    const uint64_t held = g->held_ns;
    const pid_t owner = g->owner;
    door_open(g);
    g->owner = owner; /* still known as a child */
    g->held_ns = held;
    atomic_store(&g->who, DOOR_HOST);
}

static void wait_for_turn(door *g)
{
    g->host_waits = true;
    while (atomic_load(&g->who) != DOOR_FREE || (atomic_load(&g->wanted) != 0 && !g->host_turn)) {
        (void)pthread_cond_wait(&g->moved, &g->lock);
    }
    g->host_waits = g->host_turn = false;
    atomic_store(&g->who, DOOR_HOST);
}

void door_enter_slowly(door *g)
{
    if (door_is_forked(g)) {
        begin_alone(g);
        return;
    }
    const uint64_t before = clock_ns(CLOCK_MONOTONIC);
    (void)pthread_mutex_lock(&g->lock);
    wait_for_turn(g);
    (void)pthread_mutex_unlock(&g->lock);
    g->held_ns += clock_ns(CLOCK_MONOTONIC) - before;
}

void door_leave_slowly(door *g)
{
    if (door_is_forked(g)) {
        return;
    }
    (void)pthread_mutex_lock(&g->lock);
    (void)pthread_cond_broadcast(&g->moved);
    (void)pthread_mutex_unlock(&g->lock);
}

void door_stop_here(door *g, bool *flag)
{
    const uint64_t before = clock_ns(CLOCK_MONOTONIC);
    (void)pthread_mutex_lock(&g->lock);
    g->holds++;
    g->lasting++;
    *flag = true;
    atomic_store(&g->who, DOOR_SERVED);
    (void)pthread_cond_broadcast(&g->moved);
    wait_for_turn(g);
    (void)pthread_mutex_unlock(&g->lock);
    g->held_ns += clock_ns(CLOCK_MONOTONIC) - before;
}

/* ---- The server ---------------------------------------------------------------------------------------------- */

static void wait_at_most(door *g, uint64_t ns)
{
    const uint64_t until = clock_ns(CLOCK_REALTIME) + ns;
    const struct timespec when = {.tv_sec = (time_t)(until / 1000000000u), .tv_nsec = (long)(until % 1000000000u)};
    (void)pthread_cond_timedwait(&g->moved, &g->lock, &when);
}

static bool try_to_take(door *g)
{
    uint32_t free = DOOR_FREE;
    return !g->host_turn && atomic_compare_exchange_strong(&g->who, &free, DOOR_SERVED);
}

/* Under `lock`. */
static void add_hold(door *g)
{
    g->holds++;
    atomic_fetch_add(&g->wanted, 1);
    while (atomic_load(&g->who) != DOOR_SERVED && !try_to_take(g)) {
        wait_at_most(g, LOOK_AGAIN_NS);
    }
    atomic_fetch_sub(&g->wanted, 1);
}

static void remove_hold(door *g)
{
    if (--g->holds == 0) {
        g->host_turn = g->host_waits;
        atomic_store(&g->who, DOOR_FREE);
        (void)pthread_cond_broadcast(&g->moved);
    }
}

static void change(door *g, void (*how)(door *), uint32_t lasting)
{
    (void)pthread_mutex_lock(&g->lock);
    g->lasting += lasting;
    how(g);
    (void)pthread_mutex_unlock(&g->lock);
}

void door_take(door *g)
{
    (void)pthread_mutex_lock(&g->chip);
    change(g, add_hold, 0);
}

void door_give(door *g)
{
    change(g, remove_hold, 0);
    (void)pthread_mutex_unlock(&g->chip);
}

void door_hold(door *g)
{
    change(g, add_hold, 1);
}

void door_let_go(door *g)
{
    change(g, remove_hold, UINT32_MAX); /* one less */
}

void door_take_and_hold(door *g)
{
    (void)pthread_mutex_lock(&g->chip);
    door_hold(g);
}

void door_take_held(door *g)
{
    (void)pthread_mutex_lock(&g->chip);
}

void door_give_held(door *g)
{
    (void)pthread_mutex_unlock(&g->chip);
}

bool door_is_held(door *g)
{
    (void)pthread_mutex_lock(&g->lock);
    const bool held = g->lasting != 0;
    (void)pthread_mutex_unlock(&g->lock);
    return held;
}

bool door_wait(door *g, const bool *flag, unsigned milliseconds)
{
    (void)pthread_mutex_lock(&g->lock);
    if (!*flag) {
        wait_at_most(g, (uint64_t)milliseconds * 1000000);
    }
    const bool is = *flag;
    (void)pthread_mutex_unlock(&g->lock);
    return is;
}

void door_tell(door *g, bool *flag)
{
    (void)pthread_mutex_lock(&g->lock);
    *flag = true;
    (void)pthread_cond_broadcast(&g->moved);
    (void)pthread_mutex_unlock(&g->lock);
}
