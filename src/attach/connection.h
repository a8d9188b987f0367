/* SPDX-License-Identifier: Apache-2.0 */
/* The server's inside: its state, and one connection to it. */
#ifndef KERR_ATTACH_CONNECTION_H
#define KERR_ATTACH_CONNECTION_H

#include "attach.h"
#include "kerr_attach.h"

typedef struct connection {
    struct attach *of;
    pthread_t thread;
    int fd;
    bool used;   /* the server's thread alone */
    bool pauses; /* it holds the host; the connection's thread alone */
    _Atomic bool over;
} connection;

struct attach {
    door door;
    /* While the chip is had, by either side: */
    kerr_chip *chip;
    uint32_t chips;
    bool waits;    /* one of the door's holds is for a debugger to come */
    bool debugged; /* one is there */
    run_order order;
    uint64_t slice; /* cycles; the host's */
    /* Set once: */
    attach_debug_fn debug;
    void *debug_context;
    char path[SOCKET_PATH];
    char program[216];
    int listener, wake;
    pthread_t server;
    _Atomic bool closing;
    _Atomic uint32_t connected;
    _Atomic bool over;                               /* attach_linger */
    connection connections[KERR_ATTACH_CONNECTIONS]; /* the server's thread */
};

/* The thread of a connection; its context is it. */
void *connection_serve(void *context);
/* A reply that is a sentence. */
void connection_refuse(int fd, uint16_t verb, kerr_attach_result result, const char *text);
bool attach_start_thread(pthread_t *thread, void *(*function)(void *), void *context);

#endif
