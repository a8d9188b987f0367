/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_attach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gdb_bridge.h"
#include "socket_place.h"

/* A process has a name of its own in the directory, below ours: EXEC.PID.sock. */
static bool name_sockets(char pattern[SOCKET_PATH], char prefix[32], char why[SOCKET_WHY])
{
    char directory[SOCKET_PATH];
    (void)snprintf(prefix, 32, "%ld.", (long)getpid());
    return socket_directory(directory, why) &&
           snprintf(pattern, SOCKET_PATH, "%.80s/%s%%p.sock", directory, prefix) < SOCKET_PATH;
}

static bool open_port(exec_attach *made, const char *path, const char *prefix, uint16_t port, tool_error *error)
{
    made->port = port;
    const int at = gdb_listen(&made->port, error);
    if (at < 0 || (made->bridge = gdb_bridge_start(at, path, prefix, error)) == 0) {
        return false;
    }
    (void)setenv("KERR_ATTACH_WAIT", "1", 1);
    (void)fprintf(
        stderr,
        "kerr exec: the program waits for a debugger: gdb-multiarch KERNEL.elf -ex 'target extended-remote :%u'\n",
        made->port);
    return true;
}

bool exec_attach_open(exec_attach *made, const exec_attach_wish *wish, tool_error *error)
{
    const char *given = getenv("KERR_ATTACH");
    const char *path = wish->path != NULL ? wish->path : given != NULL && strchr(given, '/') != NULL ? given : NULL;
    char pattern[SOCKET_PATH], prefix[32] = "", why[SOCKET_WHY] = "";
    *made = (exec_attach){.bridge = 0};
    if (wish->off) {
        (void)unsetenv("KERR_ATTACH");
        return !wish->has_port || tool_fail(error, "--gdb needs the socket that --no-attach does without");
    }
    if (path == NULL && !name_sockets(pattern, prefix, why)) {
        if (!wish->quiet) {
            (void)fprintf(stderr, "kerr exec: nobody can attach: %s\n", why);
        }
        (void)unsetenv("KERR_ATTACH");
        return !wish->has_port || tool_fail(error, "--gdb: %s", why);
    }
    if (path != NULL && strstr(path, "%p") != NULL && wish->has_port) {
        return tool_fail(error, "--gdb does not go with %%p in the path of --attach: it must know the name");
    }
    (void)setenv("KERR_ATTACH", path != NULL ? path : pattern, 1);
    return !wish->has_port || open_port(made, path, prefix, wish->port, error);
}

void exec_attach_close(exec_attach *old)
{
    gdb_bridge_end(old->bridge);
    *old = (exec_attach){.bridge = 0};
}
