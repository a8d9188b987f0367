/* SPDX-License-Identifier: Apache-2.0 */
/* Where sockets are: $XDG_RUNTIME_DIR/kerr or /tmp/kerr-UID, a directory that only the user can enter, and in it NAME.sock.  What a
 * process has left behind that was killed goes when the next one looks. */
#ifndef KERR_ATTACH_SOCKET_PLACE_H
#define KERR_ATTACH_SOCKET_PLACE_H

#include <stdbool.h>
#include <stddef.h>

enum { SOCKET_PATH = 108, SOCKET_WHY = 256 }; /* as sockaddr_un has it, with its 0 */

/* The directory; makes it if it is not there.  False: it cannot be had, or is not safe; why says so. */
bool socket_directory(char path[SOCKET_PATH], char why[SOCKET_WHY]);
/* Listens at a path, or at a fresh NAME.sock of the directory if `wanted` is NULL; "%p" in it stands for the process's id.  The
 * socket, or -1. */
int socket_listen(const char *wanted, char path[SOCKET_PATH], char why[SOCKET_WHY]);
/* A connection, or -1. */
int socket_connect(const char *path, char why[SOCKET_WHY]);
/* Calls `fn` with each socket of either directory that somebody listens at, in order of names, and removes the others.  `prefix`: of
 * the name; may be NULL. */
typedef void (*socket_fn)(void *context, const char *path);
bool socket_list(const char *prefix, socket_fn fn, void *context, char why[SOCKET_WHY]);

#endif
