/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_check(const char *option, const char *path, tool_error *error)
{
    struct stat there;
    if (path == NULL || strcmp(path, "-") == 0) {
        return true;
    }
    if (*path == '\0') {
        return tool_fail(error, "%s: names no file", option);
    }
    if (stat(path, &there) == 0) {
        const int why = S_ISDIR(there.st_mode) ? EISDIR : access(path, W_OK) == 0 ? 0 : errno;
        return why == 0 || tool_fail(error, "%s: %s: %s", option, path, strerror(why));
    }
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        return tool_fail(error, "%s: %s: %s", option, path, strerror(errno));
    }
    (void)close(file);
    (void)unlink(path);
    return true;
}

bool output_check_folder(const char *option, const char *path, tool_error *error)
{
    struct stat there;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return tool_fail(error, "%s: %s: %s", option, path, strerror(errno));
    }
    const int why = stat(path, &there) != 0          ? errno
                    : !S_ISDIR(there.st_mode)        ? ENOTDIR
                    : access(path, W_OK | X_OK) != 0 ? errno
                                                     : 0;
    return why == 0 || tool_fail(error, "%s: %s: %s", option, path, strerror(why));
}

bool input_check(const char *path, bool folder, tool_error *error)
{
    struct stat there;
    const int why = stat(path, &there) != 0                          ? errno
                    : folder && !S_ISDIR(there.st_mode)              ? ENOTDIR
                    : access(path, folder ? R_OK | X_OK : R_OK) != 0 ? errno
                                                                     : 0;
    return why == 0 || tool_fail(error, "%s: %s", path, strerror(why));
}
