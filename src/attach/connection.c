/* SPDX-License-Identifier: Apache-2.0 */
/* One connection: requests in, replies out.  A reply is made while the chip is had, and sent when it is not any more. */
#include "connection.h"

#include "answer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 10 }; /* with somebody who does not take his replies */

static bool send_all(int fd, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size > 0) {
        const ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool reply(int fd, uint16_t verb, kerr_attach_result result, const void *payload, size_t size)
{
    const kerr_attach_reply head = {.bytes = (uint32_t)size, .verb = verb, .result = (uint16_t)result};
    return send_all(fd, &head, sizeof head) && send_all(fd, payload, size);
}

void connection_refuse(int fd, uint16_t verb, kerr_attach_result result, const char *text)
{
    (void)reply(fd, verb, result, text, strlen(text));
}

static bool refuse(const connection *c, const kerr_attach_request *request, kerr_attach_result result, const char *text)
{
    return reply(c->fd, request->verb, result, text, strlen(text));
}

/* ---- Requests --------------------------------------------------------------------------------------------------- */

static bool on_hello(const connection *c)
{
    kerr_attach_hello hello = {.version = KERR_ATTACH_VERSION, .pid = (int32_t)getpid()};
    (void)snprintf(hello.build, sizeof hello.build, "%s", kerr_version());
    (void)snprintf(hello.program, sizeof hello.program, "%s", c->of->program);
    return reply(c->fd, KERR_ATTACH_HELLO, KERR_ATTACH_OK, &hello, sizeof hello);
}

/* With the chip. */
static kerr_attach_status status_of(const attach *a)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    kerr_attach_status status = {.ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
                                 .chips = a->chips,
                                 .has_chip = a->chip != NULL,
                                 .debugged = a->debugged};
    if (a->chip != NULL) {
        answer_status(a->chip, &status);
    }
    return status;
}

static bool on_look(const connection *c, const kerr_attach_request *request)
{
    attach *a = c->of;
    reply_bytes payload = {0};
    const bool paused = door_is_held(&a->door); /* by others: this request does not count */
    const bool in_call = atomic_load(&a->door.who) == DOOR_HOST;
    door_take(&a->door);
    kerr_attach_status status = status_of(a);
    status.paused = paused;
    status.in_call = in_call;
    status.over = atomic_load(&a->over);
    const kerr_attach_result result = answer_request(a->chip, request, &status, &payload);
    door_give(&a->door);
    const bool sent = reply(c->fd, request->verb, result, payload.data, payload.size);
    free(payload.data);
    return sent;
}

static bool on_pause(connection *c, bool pause)
{
    attach *a = c->of;
    if (pause && !c->pauses) {
        door_take(&a->door);
        door_hold(&a->door);
        door_give(&a->door);
        c->pauses = true;
    } else if (!pause) {
        door_take(&a->door);
        attach_debugger_is_here(a);
        if (c->pauses) {
            c->pauses = false;
            door_let_go(&a->door);
        }
        door_give(&a->door);
    }
    return reply(c->fd, pause ? KERR_ATTACH_PAUSE : KERR_ATTACH_CONTINUE, KERR_ATTACH_OK, NULL, 0);
}

/* The connection is gdb's from here to its end. */
static void on_gdb(const connection *c, const kerr_attach_request *request)
{
    attach *a = c->of;
    door_take_and_hold(&a->door); /* before it is told so: the chip does not go away behind its back */
    const bool busy = a->debugged, none = a->chip == NULL;
    if (busy || none) {
        door_give_held(&a->door);
        door_let_go(&a->door);
        (void)refuse(c, request, busy ? KERR_ATTACH_BUSY : KERR_ATTACH_NO_CHIP,
                     busy ? "a debugger is there already"
                          : "there is no chip now: the program has not made one yet, or is done with it");
        return;
    }
    a->debugged = true;
    attach_debugger_is_here(a);
    door_give_held(&a->door);
    if (reply(c->fd, request->verb, KERR_ATTACH_OK, NULL, 0)) {
        const struct timeval none_at_all = {0};
        (void)setsockopt(c->fd, SOL_SOCKET, SO_SNDTIMEO, &none_at_all, sizeof none_at_all);
        a->debug(a, c->fd, a->debug_context);
    } else {
        door_let_go(&a->door);
    }
    door_take(&a->door);
    a->debugged = false;
    door_give(&a->door);
}

/* False: the connection ends. */
static bool handle(connection *c, const kerr_attach_request *request)
{
    char text[160];
    if (request->version != KERR_ATTACH_VERSION) {
        (void)snprintf(text, sizeof text,
                       "version %u of the protocol is asked for, this is version %d: use the kerr of %s",
                       request->version, KERR_ATTACH_VERSION, kerr_version());
        return refuse(c, request, KERR_ATTACH_BAD_REQUEST, text);
    }
    switch (request->verb) {
    case KERR_ATTACH_HELLO: return on_hello(c);
    case KERR_ATTACH_PAUSE:
    case KERR_ATTACH_CONTINUE: return on_pause(c, request->verb == KERR_ATTACH_PAUSE);
    case KERR_ATTACH_GDB: on_gdb(c, request); return false;
    default: return on_look(c, request);
    }
}

static void receive(connection *c)
{
    uint8_t input[sizeof(uint32_t) + KERR_ATTACH_REQUEST_MOST];
    size_t count = 0;
    for (;;) {
        kerr_attach_request request;
        kerr_attach_result result;
        const size_t taken = request_parse(input, count, &request, &result);
        if (result != KERR_ATTACH_OK) {
            (void)refuse(c, &request, result, "not a request: its length is not 4 to 4096");
            return;
        }
        if (taken != 0) {
            count -= taken;
            memmove(input, input + taken, count);
            if (!handle(c, &request)) {
                return;
            }
            continue;
        }
        const ssize_t n = recv(c->fd, input + count, sizeof input - count, 0);
        if (n <= 0 && !(n < 0 && errno == EINTR)) {
            return;
        }
        count += n > 0 ? (size_t)n : 0;
    }
}

void *connection_serve(void *context)
{
    connection *c = context;
    const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    (void)setsockopt(c->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    receive(c);
    if (c->pauses) {
        door_let_go(&c->of->door);
    }
    (void)shutdown(c->fd, SHUT_RDWR);
    atomic_fetch_sub(&c->of->connected, 1);
    atomic_store(&c->over, true);
    return NULL;
}
