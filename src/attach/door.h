/* SPDX-License-Identifier: Apache-2.0 */
/* Whose turn it is with a chip: the host's calls, or those who look at it from outside.
 *
 * The host goes in and out around each of its calls.  As long as nobody else wants in, that is a compare-and-swap and a store.  The
 * server's threads take the chip between two calls, or, in a long one, between two slices of it (door_pass).  The host then gets a
 * turn before the next of them does, however many there are.
 *
 * `who` goes from FREE to HOST and back by the host alone; all else happens under `lock`. */
#ifndef KERR_ATTACH_DOOR_H
#define KERR_ATTACH_DOOR_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { DOOR_FREE = 0, DOOR_HOST, DOOR_SERVED };

typedef struct door {
    _Atomic uint32_t who;    /* DOOR_* */
    _Atomic uint32_t wanted; /* how many of the server's wait for it */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    pthread_mutex_t chip;    /* which of the server's threads; taken before `lock` */
    _Atomic uint32_t queued; /* how many of them wait for that */
    uint32_t holds;          /* reasons for which the host waits; 0: who is not SERVED */
    uint32_t lasting;        /* of them those that last: door_hold */
    bool host_waits, host_turn;
    pid_t owner;      /* a forked child is alone, whatever its memory says */
    uint64_t held_ns; /* that the host has waited, in all; the host's */
} door;

void door_open(door *d);
void door_close(door *d);
bool door_is_forked(const door *d);

/* The host's side. */
void door_enter_slowly(door *d);
void door_leave_slowly(door *d);
static inline void door_enter(door *d)
{
    uint32_t free = DOOR_FREE;
    if (atomic_load_explicit(&d->wanted, memory_order_relaxed) != 0 ||
        !atomic_compare_exchange_strong_explicit(&d->who, &free, DOOR_HOST, memory_order_acquire,
                                                 memory_order_relaxed)) {
        door_enter_slowly(d);
    }
}
static inline void door_leave(door *d)
{
    atomic_store_explicit(&d->who, DOOR_FREE, memory_order_release);
    if (atomic_load_explicit(&d->wanted, memory_order_relaxed) != 0) {
        door_leave_slowly(d);
    }
}
/* Within a call: whoever waits has a turn. */
static inline void door_pass(door *d)
{
    if (atomic_load_explicit(&d->wanted, memory_order_relaxed) != 0) {
        door_leave(d);
        door_enter(d);
    }
}
/* Within a call: sets *flag, which somebody may door_wait for, and stops until the hold that this makes is gone. */
void door_stop_here(door *d, bool *flag);

/* The server's side.  Between take and give the thread has the chip for itself. */
void door_take(door *d);
void door_give(door *d);
/* The host waits on after door_give; as often let go as held. */
void door_hold(door *d);
void door_let_go(door *d);
/* take, then hold. */
void door_take_and_hold(door *d);
/* As take and give where the caller holds it anyway. */
void door_take_held(door *d);
void door_give_held(door *d);
/* Between those two, in something long: another of the server's threads that waits has a turn. */
void door_pass_held(door *d);
bool door_is_held(door *d); /* lastingly */
/* Waits until *flag, at most so long; what it is then. */
bool door_wait(door *d, const bool *flag, unsigned milliseconds);
void door_tell(door *d, bool *flag);

#endif
