/* SPDX-License-Identifier: Apache-2.0 */
#include "attach_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 60 };

/* ---- Requests ------------------------------------------------------------------------------------------------- */

static bool lost(attach_client *client, tool_error *error, const char *why)
{
    (void)close(client->fd);
    client->fd = -1;
    return tool_fail(error, "%s: the simulation is gone (%s)", client->path, why);
}

static bool receive(attach_client *client, void *to, size_t size, tool_error *error)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = recv(client->fd, (uint8_t *)to + done, size - done, 0);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return lost(client, error, n == 0 ? "it has ended" : strerror(errno));
        }
        done += (size_t)n;
    }
    return true;
}

bool attach_client_ask(attach_client *client, kerr_attach_request request, tool_error *error)
{
    kerr_attach_reply head;
    request.bytes = sizeof request - sizeof request.bytes;
    request.version = KERR_ATTACH_VERSION;
    client->result = KERR_ATTACH_OK;
    client->size = 0;
    /* Whoever is turned away gets his reply before he has asked. */
    if (send(client->fd, &request, sizeof request, MSG_NOSIGNAL) != (ssize_t)sizeof request && errno != EPIPE) {
        return lost(client, error, strerror(errno));
    }
    if (!receive(client, &head, sizeof head, error)) {
        return false;
    }
    if (head.bytes > KERR_ATTACH_REPLY_MOST) {
        return lost(client, error, "its reply is too long");
    }
    if (head.bytes >= client->room) {
        uint8_t *grown = realloc(client->payload, (size_t)head.bytes + 1);
        if (grown == NULL) {
            return lost(client, error, "no memory for its reply");
        }
        client->payload = grown;
        client->room = (size_t)head.bytes + 1;
    }
    if (!receive(client, client->payload, head.bytes, error)) {
        return false;
    }
    client->size = head.bytes;
    client->payload[head.bytes] = '\0';
    client->result = (kerr_attach_result)head.result;
    return head.result == KERR_ATTACH_OK || tool_fail(error, "%s: %s", client->path, (const char *)client->payload);
}

bool attach_client_got(const attach_client *client, size_t bytes, tool_error *error)
{
    return client->size >= bytes || tool_fail(error, "%s: a reply of %zu bytes instead of %zu: it is of another build",
                                              client->path, client->size, bytes);
}

/* ---- Connections ------------------------------------------------------------------------------------------------ */

bool attach_client_open_path(attach_client *made, const char *path, tool_error *error)
{
    char why[SOCKET_WHY];
    *made = (attach_client){.fd = socket_connect(path, why)};
    if (made->fd < 0) {
        return tool_fail(error, "%s", why);
    }
    (void)snprintf(made->path, sizeof made->path, "%s", path);
    const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    (void)setsockopt(made->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (!attach_client_ask(made, (kerr_attach_request){.verb = KERR_ATTACH_HELLO}, error) ||
        !attach_client_got(made, sizeof made->hello, error)) {
        attach_client_close(made);
        return false;
    }
    memcpy(&made->hello, made->payload, sizeof made->hello);
    made->hello.program[sizeof made->hello.program - 1] = made->hello.build[sizeof made->hello.build - 1] = '\0';
    return true;
}

void attach_client_close(attach_client *client)
{
    if (client->fd >= 0) {
        (void)close(client->fd);
    }
    free(client->payload);
    *client = (attach_client){.fd = -1};
}

typedef struct search {
    long pid; /* 0: any */
    unsigned found;
    char path[SOCKET_PATH];
} search;

static void note(void *context, const char *path)
{
    search *s = context;
    const char *name = strrchr(path, '/');
    /* PID.sock, or EXEC.PID.sock of one that kerr exec started. */
    long first = 0, second = 0;
    const int numbers = name != NULL ? sscanf(name, "/%ld.%ld", &first, &second) : 0;
    if (s->pid != 0 && !(numbers >= 1 && first == s->pid) && !(numbers == 2 && second == s->pid)) {
        return;
    }
    s->found++;
    (void)snprintf(s->path, sizeof s->path, "%s", path);
}

bool attach_client_open(attach_client *made, const char *which, tool_error *error)
{
    char why[SOCKET_WHY];
    search s = {.pid = 0};
    *made = (attach_client){.fd = -1};
    if (which != NULL && strchr(which, '/') != NULL) {
        return attach_client_open_path(made, which, error);
    }
    if (which != NULL) {
        char *end;
        s.pid = strtol(which, &end, 10);
        if (*end != '\0' || s.pid <= 0) {
            return tool_fail(error, "'%s' is neither a process's id nor a path with a / in it", which);
        }
    }
    if (!socket_list(NULL, note, &s, why)) {
        return tool_fail(error, "%s", why);
    }
    if (s.found == 0 && s.pid != 0) {
        return tool_fail(error, "no simulation of yours has process id %ld; kerr attach --list shows those that run",
                         s.pid);
    }
    if (s.found == 0) {
        return tool_fail(error, "no simulation of yours runs: start one with kerr exec, or kerr run --attach");
    }
    if (s.found > 1) {
        return tool_fail(error, "%u simulations run: say which one, by process id (kerr attach --list)", s.found);
    }
    return attach_client_open_path(made, s.path, error);
}

/* ---- The list ---------------------------------------------------------------------------------------------------- */

static void print_one(void *context, const char *path)
{
    attach_client client;
    tool_error error;
    kerr_attach_status status = {.cycle = 0};
    if (!attach_client_open_path(&client, path, &error)) {
        return; /* it has just ended */
    }
    if (attach_client_ask(&client, (kerr_attach_request){.verb = KERR_ATTACH_STATUS}, &error) &&
        attach_client_got(&client, sizeof status, &error)) {
        memcpy(&status, client.payload, sizeof status);
        (void)printf("%ld  %s  cycle %llu%s%s%s  %s\n", (long)client.hello.pid, path, (unsigned long long)status.cycle,
                     status.has_chip ? "" : "  no chip", status.paused ? "  paused" : "",
                     status.faults != 0 ? "  with faults" : "", client.hello.program);
        ++*(unsigned *)context;
    }
    attach_client_close(&client);
}

unsigned attach_print_list(void)
{
    char why[SOCKET_WHY];
    unsigned count = 0;
    if (!socket_list(NULL, print_one, &count, why)) {
        (void)fprintf(stderr, "kerr: %s\n", why);
    }
    return count;
}
