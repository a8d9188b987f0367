/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#include "base/host_floats.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SPINS = 2000 }; /* some microseconds, then sleep */

struct pool_sync {
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    _Atomic uint32_t round;    /* moves when there is work */
    _Atomic uint64_t gate;     /* the round in the upper half; GATE_CLOSED; how many helpers have come in */
    _Atomic uint32_t finished; /* of these */
    uint32_t wanted;           /* helpers 1 .. wanted take part in this round */
    _Atomic bool stop, caller_sleeps;
    worker_fn work;
    void *context;
    uint32_t sleepers;
};
#define GATE_CLOSED (UINT64_C(1) << 31)

typedef struct helper_start {
    struct pool_sync *sync;
    uint32_t number;
    uint32_t round;
} helper_start;

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* False: the round is over, or another has begun. */
static bool enter(struct pool_sync *sync, uint32_t round)
{
    uint64_t gate = atomic_load(&sync->gate);
    while (gate >> 32 == round && (gate & GATE_CLOSED) == 0) {
        if (atomic_compare_exchange_weak(&sync->gate, &gate, gate + 1)) {
            return true;
        }
    }
    return false;
}

static void *helper(void *argument)
{
    const helper_start start = *(helper_start *)argument;
    free(argument);
    host_floats_take(); /* a thread begins with those of who makes it */
    struct pool_sync *sync = start.sync;
    uint32_t seen = start.round;
    for (;;) {
        for (unsigned spin = 0; atomic_load_explicit(&sync->round, memory_order_acquire) == seen && spin < SPINS;
             spin++) {
            relax();
        }
        if (atomic_load_explicit(&sync->round, memory_order_acquire) == seen) {
            pthread_mutex_lock(&sync->mutex);
            sync->sleepers++;
            while (atomic_load(&sync->round) == seen) {
                pthread_cond_wait(&sync->wake, &sync->mutex);
            }
            sync->sleepers--;
            pthread_mutex_unlock(&sync->mutex);
        }
        seen = atomic_load_explicit(&sync->round, memory_order_acquire);
        if (atomic_load(&sync->stop)) {
            return NULL;
        }
        if (!enter(sync, seen)) {
            continue;
        }
        if (start.number <= sync->wanted) {
            sync->work(sync->context, start.number);
        }
        atomic_fetch_add(&sync->finished, 1);
        if (atomic_load(&sync->caller_sleeps)) {
            pthread_mutex_lock(&sync->mutex);
            pthread_cond_signal(&sync->done);
            pthread_mutex_unlock(&sync->mutex);
        }
    }
}

static void start_helpers(worker_pool *pool, uint32_t count)
{
    if (pool->owner != getpid()) {
        /* Forked: the parent's threads are not here.  Their sync may be in any state; leave it behind. */
        pool->started = 0;
        pool->sync = NULL;
        pool->owner = getpid();
    }
    if (pool->sync == NULL) {
        pool->sync = calloc(1, sizeof *pool->sync);
        if (pool->sync == NULL) {
            return;
        }
        pthread_mutex_init(&pool->sync->mutex, NULL);
        pthread_cond_init(&pool->sync->wake, NULL);
        pthread_cond_init(&pool->sync->done, NULL);
    }
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->started < count && pool->started < POOL_MAX) {
        helper_start *start = malloc(sizeof *start);
        if (start == NULL) {
            break;
        }
        *start = (helper_start){pool->sync, pool->started + 1, atomic_load(&pool->sync->round)};
        if (pthread_create(&pool->thread[pool->started], NULL, helper, start) != 0) {
            free(start);
            break;
        }
        pool->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

uint32_t pool_run(worker_pool *pool, uint32_t helpers, worker_fn work, void *context)
{
    if (helpers != 0 && (pool->owner != getpid() || pool->started < helpers)) {
        start_helpers(pool, helpers);
    }
    if (helpers > pool->started || (helpers != 0 && pool->owner != getpid())) {
        helpers = pool->owner == getpid() ? pool->started : 0;
    }
    if (helpers == 0) {
        work(context, 0);
        return 0;
    }
    struct pool_sync *sync = pool->sync;
    sync->work = work;
    sync->context = context;
    sync->wanted = helpers;
    atomic_store(&sync->finished, 0);
    atomic_store(&sync->gate, (uint64_t)(atomic_load(&sync->round) + 1) << 32);
    pthread_mutex_lock(&sync->mutex);
    atomic_fetch_add_explicit(&sync->round, 1, memory_order_release);
    if (sync->sleepers != 0) {
        pthread_cond_broadcast(&sync->wake);
    }
    pthread_mutex_unlock(&sync->mutex);
    work(context, 0);
    /* Who has not come by now is not waited for: a helper that the system has put aside holds nobody up. */
    const uint32_t inside = (uint32_t)(atomic_fetch_or(&sync->gate, GATE_CLOSED) & (GATE_CLOSED - 1));
    for (unsigned spin = 0; atomic_load(&sync->finished) != inside && spin < SPINS; spin++) {
        relax();
    }
    if (atomic_load(&sync->finished) != inside) {
        pthread_mutex_lock(&sync->mutex);
        atomic_store(&sync->caller_sleeps, true);
        while (atomic_load(&sync->finished) != inside) {
            pthread_cond_wait(&sync->done, &sync->mutex);
        }
        atomic_store(&sync->caller_sleeps, false);
        pthread_mutex_unlock(&sync->mutex);
    }
    return helpers;
}

void pool_stop(worker_pool *pool)
{
    if (pool->sync != NULL && pool->owner == getpid()) {
        pthread_mutex_lock(&pool->sync->mutex);
        atomic_store(&pool->sync->stop, true);
        atomic_fetch_add(&pool->sync->round, 1);
        pthread_cond_broadcast(&pool->sync->wake);
        pthread_mutex_unlock(&pool->sync->mutex);
        for (uint32_t i = 0; i < pool->started; i++) {
            pthread_join(pool->thread[i], NULL);
        }
        pthread_mutex_destroy(&pool->sync->mutex);
        pthread_cond_destroy(&pool->sync->wake);
        pthread_cond_destroy(&pool->sync->done);
        free(pool->sync);
    }
    memset(pool, 0, sizeof *pool);
}

/* cgroup v2: "max 100000" or "200000 100000". */
static uint32_t quota_cpus(uint32_t otherwise)
{
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (file == NULL) {
        return otherwise;
    }
    long quota = 0, period = 0;
    const int fields = fscanf(file, "%ld %ld", &quota, &period);
    fclose(file);
    if (fields != 2 || quota <= 0 || period <= 0) {
        return otherwise;
    }
    const long cpus = (quota + period - 1) / period;
    return cpus < (long)otherwise ? (uint32_t)cpus : otherwise;
}

uint32_t pool_cpus(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    uint32_t cpus = 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        cpus = (uint32_t)CPU_COUNT(&set);
    }
    cpus = quota_cpus(cpus);
    return cpus == 0 ? 1 : cpus;
}
