/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool file_read(const char *path, size_t max, char **data, size_t *size, tool_error *error)
{
    *data = NULL;
    *size = 0;
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return tool_fail(error, "%s: cannot open it: %s", path, strerror(errno));
    }
    bool ok = true;
    struct stat status;
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        ok = tool_fail(error, "%s: is a folder, not a file", path);
    }
    /* Pipes have no size, so the buffer grows as bytes come in. */
    size_t room = 0;
    while (ok) {
        if (room - *size < 2) {
            room = room == 0 ? 65536 : room * 2;
            char *more = realloc(*data, room);
            if (more == NULL) {
                ok = tool_fail(error, "%s: out of memory", path);
                break;
            }
            *data = more;
        }
        const size_t got = fread(*data + *size, 1, room - *size - 1, file);
        *size += got;
        if (*size > max) {
            ok = tool_fail(error, "%s: is larger than %zu MiB, the most that is read", path, max >> 20);
        } else if (got == 0) {
            if (ferror(file)) {
                ok = tool_fail(error, "%s: cannot read it: %s", path, strerror(errno));
            }
            break;
        }
    }
    (void)fclose(file);
    if (!ok || *data == NULL) {
        free(*data);
        *data = NULL;
        *size = 0;
        return false;
    }
    (*data)[*size] = '\0';
    return true;
}

char *file_path_beside(const char *beside, const char *path)
{
    const char *slash = beside != NULL ? strrchr(beside, '/') : NULL;
    if (slash == NULL || path[0] == '/') {
        return strdup(path);
    }
    char *joined = NULL;
    if (asprintf(&joined, "%.*s/%s", (int)(slash - beside), beside, path) < 0) {
        return NULL;
    }
    return joined;
}
