/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb_bridge.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 16384, TRIES = 600, TRY_US = 100000 };

/* ---- The port ------------------------------------------------------------------------------------------------------ */

int gdb_listen(uint16_t *port, tool_error *error)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int one = 1;
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 1) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &size) != 0) {
        (void)tool_fail(error, "cannot listen on port %u of this machine: %s", *port, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    *port = ntohs(at.sin_port);
    return fd;
}

/* Whose the other end of a connection within this machine is, as the kernel lists it. */
static bool peer_user(int fd, unsigned *user)
{
    struct sockaddr_in ours, theirs;
    socklen_t size = sizeof ours;
    if (getsockname(fd, (struct sockaddr *)&ours, &size) != 0 ||
        (size = sizeof theirs, getpeername(fd, (struct sockaddr *)&theirs, &size) != 0)) {
        return false;
    }
    FILE *file = fopen("/proc/net/tcp", "re");
    char line[256];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        unsigned from = 0, from_port = 0, to = 0, to_port = 0, uid = 0;
        found =
            sscanf(line, " %*u: %x:%x %x:%x %*x %*x:%*x %*x:%*x %*x %u", &from, &from_port, &to, &to_port, &uid) == 5 &&
            from == theirs.sin_addr.s_addr && from_port == ntohs(theirs.sin_port) && to == ours.sin_addr.s_addr &&
            to_port == ntohs(ours.sin_port);
        *user = uid;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

int gdb_accept(int at)
{
    static const int one = 1;
    for (;;) {
        const int fd = accept4(at, NULL, NULL, SOCK_CLOEXEC);
        unsigned user = 0;
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) {
            continue;
        }
        if (fd < 0) {
            return -1;
        }
        if (peer_user(fd, &user) && user == geteuid()) {
            (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            return fd;
        }
        (void)fprintf(stderr, "kerr: a debugger of another user was turned away\n");
        (void)close(fd);
    }
}

/* ---- Both ways ----------------------------------------------------------------------------------------------------- */

bool gdb_bridge_begin(attach_client *client, tool_error *error)
{
    const struct timeval for_ever = {0};
    if (!attach_client_ask(client, (kerr_attach_request){.verb = KERR_ATTACH_GDB}, error)) {
        return false;
    }
    (void)setsockopt(client->fd, SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof for_ever);
    return true;
}

static bool pass(int from, int to)
{
    char bytes[CHUNK];
    const ssize_t n = read(from, bytes, sizeof bytes);
    for (ssize_t done = 0; done < n;) {
        const ssize_t sent = send(to, bytes + done, (size_t)(n - done), MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        done += sent;
    }
    return n > 0;
}

void gdb_bridge_carry(int gdb, int simulation)
{
    struct pollfd look[2] = {{.fd = gdb, .events = POLLIN}, {.fd = simulation, .events = POLLIN}};
    for (;;) {
        if (poll(look, 2, -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            return;
        }
        if ((look[0].revents != 0 && !pass(gdb, simulation)) || (look[1].revents != 0 && !pass(simulation, gdb))) {
            return;
        }
    }
}

/* ---- A process of its own --------------------------------------------------------------------------------------------- */

static void note_path(void *context, const char *path)
{
    char *found = context;
    if (*found == '\0') {
        (void)snprintf(found, SOCKET_PATH, "%s", path);
    }
}

static bool find(attach_client *client, const char *path, const char *prefix, tool_error *error)
{
    for (unsigned i = 0; i < TRIES; i++) {
        char found[SOCKET_PATH] = "", why[SOCKET_WHY];
        if (path != NULL) {
            (void)snprintf(found, sizeof found, "%s", path);
        } else {
            (void)socket_list(prefix, note_path, found, why);
        }
        if (found[0] != '\0' && attach_client_open_path(client, found, error)) {
            if (gdb_bridge_begin(client, error)) {
                return true;
            }
            const bool busy = client->result == KERR_ATTACH_BUSY;
            attach_client_close(client);
            if (busy) {
                return false;
            }
        }
        (void)usleep(TRY_US);
    }
    return tool_fail(error, "there is no simulation to debug: the program has not opened one in a minute");
}

static void serve(int at, const char *path, const char *prefix)
{
    for (int fd; (fd = gdb_accept(at)) >= 0; (void)close(fd)) {
        attach_client client;
        tool_error error;
        if (!find(&client, path, prefix, &error)) {
            (void)fprintf(stderr, "kerr: %s\n", error.text);
            continue;
        }
        gdb_bridge_carry(fd, client.fd);
        attach_client_close(&client);
    }
}

pid_t gdb_bridge_start(int at, const char *path, const char *prefix, tool_error *error)
{
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
        (void)setpgid(0, 0); /* Ctrl-C is for the others */
        if (getppid() == parent) {
            serve(at, path, prefix);
        }
        _exit(0);
    }
    (void)close(at);
    if (child < 0) {
        (void)tool_fail(error, "cannot wait for a debugger: %s", strerror(errno));
        return 0;
    }
    return child;
}

void gdb_bridge_end(pid_t bridge)
{
    if (bridge > 0) {
        (void)kill(bridge, SIGTERM);
        (void)waitpid(bridge, NULL, 0);
    }
}
