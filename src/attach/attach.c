/* SPDX-License-Identifier: Apache-2.0 */
#include "attach.h"

#include "connection.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    STACK_BYTES = 512 << 10,
    SHORT_CYCLES = 4096, /* such runs are not cut */
    SLICE_FIRST = 16384, /* cycles */
    SLICE_NS = 4000000,  /* how long one should take: so late is an answer under load */
    SLICE_MOST_SHIFT = 30,
    LINGER_MS = 20,
    GRACE_MS = 200,
};

/* ---- Threads ------------------------------------------------------------------------------------------------------ */

/* No signal of the host's is handled on a thread of ours. */
bool attach_start_thread(pthread_t *thread, void *(*function)(void *), void *context)
{
    sigset_t all, before;
    pthread_attr_t how;
    (void)sigfillset(&all);
    if (pthread_attr_init(&how) != 0) {
        return false;
    }
    (void)pthread_attr_setstacksize(&how, STACK_BYTES);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(thread, &how, function, context) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&how);
    return started;
}

static connection *free_place(attach *a)
{
    for (unsigned i = 0; i < KERR_ATTACH_CONNECTIONS; i++) {
        connection *c = &a->connections[i];
        if (c->used && atomic_load(&c->over)) {
            (void)pthread_join(c->thread, NULL);
            (void)close(c->fd);
            c->used = false;
        }
        if (!c->used) {
            return c;
        }
    }
    return NULL;
}

static void turn_away(int fd, kerr_attach_result result, const char *text)
{
    connection_refuse(fd, 0, result, text);
    (void)close(fd);
}

static void welcome(attach *a, int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid()) {
        turn_away(fd, KERR_ATTACH_NOT_YOURS, "this simulation belongs to another user");
        return;
    }
    connection *c = free_place(a);
    for (unsigned waited = 0; c == NULL && waited < GRACE_MS && !atomic_load(&a->closing); waited++) {
        (void)poll(NULL, 0, 1); /* one that has just gone may not have noticed */
        c = free_place(a);
    }
    if (c == NULL) {
        turn_away(fd, KERR_ATTACH_BUSY, "too many connections at a time (8)");
        return;
    }
    c->of = a;
    c->fd = fd;
    c->pauses = false;
    atomic_store(&c->over, false);
    atomic_fetch_add(&a->connected, 1);
    c->used = attach_start_thread(&c->thread, connection_serve, c);
    if (!c->used) {
        atomic_fetch_sub(&a->connected, 1);
        turn_away(fd, KERR_ATTACH_NO_MEMORY, "no thread for this connection");
    }
}

/* Replies that are being made still get out; whoever does not take them is not waited for. */
static void end_connections(attach *a)
{
    for (unsigned i = 0; i < KERR_ATTACH_CONNECTIONS; i++) {
        if (a->connections[i].used) {
            (void)shutdown(a->connections[i].fd, SHUT_RD);
        }
    }
    for (unsigned waited = 0; atomic_load(&a->connected) != 0 && waited < GRACE_MS; waited++) {
        (void)poll(NULL, 0, 1);
    }
    for (unsigned i = 0; i < KERR_ATTACH_CONNECTIONS; i++) {
        connection *c = &a->connections[i];
        if (c->used) {
            (void)shutdown(c->fd, SHUT_RDWR);
            (void)pthread_join(c->thread, NULL);
            (void)close(c->fd);
        }
    }
}

static void *serve(void *context)
{
    attach *a = context;
    struct pollfd look[2] = {{.fd = a->listener, .events = POLLIN}, {.fd = a->wake, .events = POLLIN}};
    while (!atomic_load(&a->closing)) {
        if (poll(look, 2, -1) < 0 && errno != EINTR) {
            break;
        }
        if ((look[0].revents & POLLIN) != 0) {
            const int fd = accept4(a->listener, NULL, NULL, SOCK_CLOEXEC);
            if (fd >= 0) {
                welcome(a, fd);
            }
        }
    }
    end_connections(a);
    return NULL;
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

static void note_program(attach *a)
{
    FILE *file = fopen("/proc/self/cmdline", "rbe");
    const size_t size = file != NULL ? fread(a->program, 1, sizeof a->program - 1, file) : 0;
    for (size_t i = 0; i + 1 < size; i++) {
        a->program[i] = a->program[i] == '\0' || a->program[i] == '\n' ? ' ' : a->program[i];
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

attach *attach_open(const attach_setup *setup, char why[SOCKET_WHY])
{
    attach *a = calloc(1, sizeof *a);
    (void)snprintf(why, SOCKET_WHY, "no memory");
    if (a == NULL) {
        return NULL;
    }
    a->debug = setup->debug != NULL ? setup->debug : attach_gdb;
    a->debug_context = setup->debug_context;
    a->slice = SLICE_FIRST;
    a->chip = setup->chip;
    a->chips = setup->chip != NULL;
    door_open(&a->door);
    note_program(a);
    a->wake = eventfd(0, EFD_CLOEXEC);
    a->listener = a->wake >= 0 ? socket_listen(setup->path, a->path, why) : -1;
    if (a->listener >= 0 && setup->waits) {
        a->waits = true;
        door_hold(&a->door);
    }
    if (a->listener < 0 || !attach_start_thread(&a->server, serve, a)) {
        if (a->listener >= 0) {
            (void)snprintf(why, SOCKET_WHY, "no thread for it");
            (void)unlink(a->path);
            (void)close(a->listener);
        }
        if (a->wake >= 0) {
            (void)close(a->wake);
        }
        door_close(&a->door);
        free(a);
        return NULL;
    }
    return a;
}

void attach_close(attach *a)
{
    static const uint64_t one = 1;
    if (a == NULL || door_is_forked(&a->door)) {
        return;
    }
    (void)unlink(a->path);
    atomic_store(&a->closing, true);
    (void)!write(a->wake, &one, sizeof one);
    (void)pthread_join(a->server, NULL);
    (void)close(a->listener);
    (void)close(a->wake);
    door_close(&a->door);
    free(a);
}

const char *attach_path(const attach *a)
{
    return a->path;
}

void attach_linger(attach *a)
{
    atomic_store(&a->over, true);
    while (atomic_load(&a->connected) != 0) {
        (void)poll(NULL, 0, LINGER_MS);
    }
}

/* ---- The host ----------------------------------------------------------------------------------------------------- */

door *attach_door(attach *a)
{
    return &a->door;
}

void attach_set_chip(attach *a, kerr_chip *chip)
{
    if (chip == NULL && a->order.armed) {
        a->order.armed = false;
        a->order.result = GDB_GONE;
        door_tell(&a->door, &a->order.done);
    }
    a->chips += chip != NULL;
    a->chip = chip;
}

static uint64_t cycle_of(const kerr_chip *chip)
{
    uint64_t cycle = 0;
    (void)kerr_cycle(chip, &cycle);
    return cycle;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* run(a), run(b) equals run(a + b), so how it is cut may depend on the time that it takes. */
static kerr_status run_slice(attach *a, uint64_t most)
{
    const uint64_t before = now_ns(), cycles = most < a->slice ? most : a->slice;
    const kerr_status status = kerr_run(a->chip, cycles);
    const uint64_t ns = now_ns() - before;
    if (ns > 2 * SLICE_NS && a->slice > SHORT_CYCLES) {
        a->slice /= 2;
    } else if (ns < SLICE_NS / 2 && cycles == a->slice && a->slice < UINT64_C(1) << SLICE_MOST_SHIFT) {
        a->slice *= 2;
    }
    return status;
}

kerr_status attach_run(attach *a, uint64_t cycles)
{
    uint64_t now = cycle_of(a->chip);
    const uint64_t end = cycles < UINT64_MAX - now ? now + cycles : UINT64_MAX;
    kerr_status status = KERR_OK;
    if (cycles <= SHORT_CYCLES && !a->order.armed) {
        return kerr_run(a->chip, cycles);
    }
    while (now < end) {
        const uint64_t before = now;
        status =
            a->order.armed && order_is_exact(&a->order) ? order_run(&a->order, a->chip, end) : run_slice(a, end - now);
        if (a->order.armed) {
            order_note(&a->order, status);
        }
        now = cycle_of(a->chip);
        if (a->order.armed && a->order.met) {
            a->order.armed = false;
            door_stop_here(&a->door, &a->order.done);
        } else {
            door_pass(&a->door);
        }
        /* Behind a fault the chip goes on to its stop point. */
        if (status != KERR_OK && (status != KERR_FAULTED || now == before)) {
            break;
        }
    }
    return status;
}

bool attach_is_debugged(const attach *a)
{
    return a->debugged;
}

/* ---- Debuggers ------------------------------------------------------------------------------------------------------ */

kerr_chip *attach_chip(const attach *a)
{
    return a->chip;
}

run_order *attach_order_of(attach *a)
{
    return &a->order;
}

void attach_debugger_is_here(attach *a)
{
    if (a->waits) {
        a->waits = false;
        door_let_go(&a->door);
    }
}
