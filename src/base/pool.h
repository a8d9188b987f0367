/* SPDX-License-Identifier: Apache-2.0 */
/* Workers that run one function side by side and meet again.  No thread exists before the first call that needs
 * one; a pool that finds itself in a forked child starts its threads anew there.  Workers block all signals. */
#ifndef KERR_BASE_POOL_H
#define KERR_BASE_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef void (*worker_fn)(void *context, uint32_t worker);

enum { POOL_MAX = 63 };

typedef struct worker_pool {
    uint32_t started; /* threads besides the caller */
    pid_t owner;      /* process that started them; 0: none */
    worker_fn work;
    void *context;
    pthread_t thread[POOL_MAX];
    struct pool_sync *sync; /* shared with the threads; a child leaves the parent's behind */
} worker_pool;

/* Calls work(context, 0) here and work(context, 1 .. helpers) on other threads; returns when all are done.  Numbers whose
 * thread comes only after work(context, 0) has returned, or for which the system gave none, are not called: whoever
 * is there does all the work.  Returns the number of threads that were asked. */
uint32_t pool_run(worker_pool *pool, uint32_t helpers, worker_fn work, void *context);
/* Ends the threads.  The pool may be used again. */
void pool_stop(worker_pool *pool);
/* What affinity and CPU quota allow, at least 1. */
uint32_t pool_cpus(void);

#endif
