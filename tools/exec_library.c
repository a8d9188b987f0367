/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_library.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(EXEC_PATH >= PATH_MAX, "realpath writes that much");

bool exec_library_find(const char *given, char path[EXEC_PATH], tool_error *error)
{
    static const char *const places[] = {"sim/libttsim.so", "../lib/kerr/sim/libttsim.so"};
    if (given != NULL) {
        return realpath(given, path) != NULL || tool_fail(error, "%s: %s", given, strerror(errno));
    }
    char own[PATH_MAX], place[PATH_MAX + 64];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    char *slash = length > 0 ? memrchr(own, '/', (size_t)length) : NULL;
    if (slash == NULL) {
        return tool_fail(error, "cannot find out where this command is; give --library");
    }
    slash[1] = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        (void)snprintf(place, sizeof place, "%s%s", own, places[i]);
        if (realpath(place, path) != NULL) {
            return true;
        }
    }
    return tool_fail(error, "%s%s is not there; give --library", own, places[0]);
}
