/* SPDX-License-Identifier: Apache-2.0 */
#include "socket_place.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

_Static_assert(SOCKET_PATH == sizeof((struct sockaddr_un *)0)->sun_path, "a path of a socket");

enum { BACKLOG = 128, NAMES = 9, LISTED = 256, NAME_BYTES = 28 };
static const char ending[] = ".sock";

static bool fail(char why[SOCKET_WHY], const char *path, const char *text)
{
    (void)snprintf(why, SOCKET_WHY, "%.120s: %.100s", path, text);
    return false;
}

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    memcpy(at.sun_path, path, strnlen(path, sizeof at.sun_path - 1));
    return at;
}

/* ---- The directory ---------------------------------------------------------------------------------------------- */

/* Those of a user: a session may have a directory of its own, and a program that is started from elsewhere has none. */
static bool candidate(unsigned number, char path[SOCKET_PATH])
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (number == 0) {
        return runtime != NULL && *runtime == '/' && access(runtime, W_OK) == 0 &&
               snprintf(path, SOCKET_PATH, "%s/kerr", runtime) < SOCKET_PATH - NAME_BYTES;
    }
    return snprintf(path, SOCKET_PATH, "/tmp/kerr-%u", (unsigned)geteuid()) < SOCKET_PATH;
}

static bool is_safe(const char *path, char why[SOCKET_WHY])
{
    struct stat about;
    if (lstat(path, &about) != 0 || !S_ISDIR(about.st_mode)) {
        return fail(why, path, "is not a directory");
    }
    if (about.st_uid != geteuid() || (about.st_mode & 077) != 0) {
        return fail(why, path, "belongs to another user, or others can enter it (chmod 700)");
    }
    return true;
}

bool socket_directory(char path[SOCKET_PATH], char why[SOCKET_WHY])
{
    if (!candidate(0, path)) {
        (void)candidate(1, path);
    }
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        return fail(why, path, strerror(errno));
    }
    return is_safe(path, why);
}

/* ---- Listening -------------------------------------------------------------------------------------------------- */

/* Whether somebody listens there; *foreign: it is no socket, or not to be had. */
static bool is_alive(const char *path, bool *foreign)
{
    struct stat about;
    *foreign = lstat(path, &about) != 0 || !S_ISSOCK(about.st_mode);
    if (*foreign) {
        return false;
    }
    const struct sockaddr_un at = address_of(path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool connected = fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof at) == 0;
    const int error = errno;
    if (fd >= 0) {
        (void)close(fd);
    }
    *foreign = !connected && error != ECONNREFUSED && error != EAGAIN;
    return connected || (fd >= 0 && error == EAGAIN);
}

/* False: somebody else's.  What was left behind is removed. */
static bool make_room(const char *path, char why[SOCKET_WHY])
{
    bool foreign = false;
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        return true;
    }
    if (is_alive(path, &foreign)) {
        return fail(why, path, "another simulation listens there");
    }
    if (foreign) {
        return fail(why, path, "is there already, and is no socket that was left behind");
    }
    return unlink(path) == 0 || errno == ENOENT || fail(why, path, strerror(errno));
}

/* Under another name first: whoever finds the socket can connect to it, or it is one that was left behind. */
static int listen_at(const char *path, char why[SOCKET_WHY])
{
    char fresh[SOCKET_PATH + 4];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s~", path) >= SOCKET_PATH) {
        (void)fail(why, path, "too long for a socket (107 characters)");
        return -1;
    }
    const struct sockaddr_un at = address_of(fresh);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    (void)unlink(fresh);
    if (fd < 0 || fchmod(fd, 0600) != 0 || bind(fd, (const struct sockaddr *)&at, sizeof at) != 0 ||
        chmod(fresh, 0600) != 0 || listen(fd, BACKLOG) != 0 || rename(fresh, path) != 0) {
        (void)fail(why, path, strerror(errno));
        (void)unlink(fresh);
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    return fd;
}

/* "%p" once, by the process's id. */
static bool expand(const char *wanted, char path[SOCKET_PATH])
{
    const char *mark = strstr(wanted, "%p");
    const int length =
        mark == NULL ? snprintf(path, SOCKET_PATH, "%s", wanted)
                     : snprintf(path, SOCKET_PATH, "%.*s%ld%s", (int)(mark - wanted), wanted, (long)getpid(), mark + 2);
    return length < SOCKET_PATH;
}

static void ignore(void *context, const char *path)
{
    (void)context;
    (void)path;
}

int socket_listen(const char *wanted, char path[SOCKET_PATH], char why[SOCKET_WHY])
{
    char directory[SOCKET_PATH];
    if (wanted != NULL) {
        if (!expand(wanted, path)) {
            (void)fail(why, wanted, "too long for a socket (107 characters)");
            return -1;
        }
        return make_room(path, why) ? listen_at(path, why) : -1;
    }
    if (!socket_directory(directory, why) || !socket_list(NULL, ignore, NULL, why)) {
        return -1;
    }
    for (unsigned i = 1; i <= NAMES; i++) { /* a process may have the library twice */
        char number[8] = "";
        if (i > 1) {
            (void)snprintf(number, sizeof number, ".%u", i);
        }
        if ((size_t)snprintf(path, SOCKET_PATH, "%.80s/%ld%s%s", directory, (long)getpid(), number, ending) <
                SOCKET_PATH &&
            make_room(path, why)) {
            return listen_at(path, why);
        }
    }
    return -1;
}

int socket_connect(const char *path, char why[SOCKET_WHY])
{
    if (strlen(path) >= SOCKET_PATH) {
        (void)fail(why, path, "too long for a socket (107 characters)");
        return -1;
    }
    const struct sockaddr_un at = address_of(path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&at, sizeof at) != 0) {
        (void)fail(why, path,
                   errno == ECONNREFUSED || errno == ENOENT ? "no simulation listens there" : strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    return fd;
}

/* ---- Those that there are ----------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_wanted(const char *name, const char *prefix)
{
    const size_t length = strlen(name), tail = sizeof ending - 1;
    return length > tail && strcmp(name + length - tail, ending) == 0 &&
           (prefix == NULL || strncmp(name, prefix, strlen(prefix)) == 0);
}

static bool list_directory(const char *directory, const char *prefix, socket_fn fn, void *context, char why[SOCKET_WHY])
{
    char *names[LISTED];
    size_t count = 0;
    DIR *folder = opendir(directory);
    if (folder == NULL) {
        return fail(why, directory, strerror(errno));
    }
    for (struct dirent *entry; count < LISTED && (entry = readdir(folder)) != NULL;) {
        if (is_wanted(entry->d_name, prefix) && (names[count] = strdup(entry->d_name)) != NULL) {
            count++;
        }
    }
    (void)closedir(folder);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        char path[SOCKET_PATH];
        bool foreign = false;
        if ((size_t)snprintf(path, sizeof path, "%.80s/%s", directory, names[i]) < sizeof path) {
            if (is_alive(path, &foreign)) {
                fn(context, path);
            } else if (!foreign) {
                (void)unlink(path);
            }
        }
        free(names[i]);
    }
    return true;
}

bool socket_list(const char *prefix, socket_fn fn, void *context, char why[SOCKET_WHY])
{
    char directory[SOCKET_PATH];
    bool good = socket_directory(directory, why) && list_directory(directory, prefix, fn, context, why);
    char other[SOCKET_PATH], ignored[SOCKET_WHY];
    if (candidate(1, other) && strcmp(other, directory) != 0 && is_safe(other, ignored)) {
        good = list_directory(other, prefix, fn, context, ignored) || good;
    }
    return good;
}
