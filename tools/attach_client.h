/* SPDX-License-Identifier: Apache-2.0 */
/* The other side of a simulation's socket (kerr_attach.h). */
#ifndef KERR_TOOLS_ATTACH_CLIENT_H
#define KERR_TOOLS_ATTACH_CLIENT_H

#include "kerr_attach.h"
#include "socket_place.h"
#include "tool_error.h"

typedef struct attach_client {
    int fd; /* -1: none */
    char path[SOCKET_PATH];
    kerr_attach_hello hello;
    kerr_attach_result result; /* of the last reply */
    uint8_t *payload;          /* of the last reply, with a 0 behind it */
    size_t size, room;
} attach_client;

/* which: a process's id, a path, or NULL for the only one that runs.  Says hello. */
bool attach_client_open(attach_client *made, const char *which, tool_error *error);
/* At this path, once there is somebody. */
bool attach_client_open_path(attach_client *made, const char *path, tool_error *error);
void attach_client_close(attach_client *client);
/* Sends a request and gets its reply.  False: the simulation is gone, or has refused; then client->result is not OK. */
bool attach_client_ask(attach_client *client, kerr_attach_request request, tool_error *error);
/* A payload must be so long at least; what there is more of is from a newer one. */
bool attach_client_got(const attach_client *client, size_t bytes, tool_error *error);

/* Prints a line for each simulation of the user's; how many. */
unsigned attach_print_list(void);

#endif
