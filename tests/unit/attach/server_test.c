/* SPDX-License-Identifier: Apache-2.0 */
/* The server in one process with its clients: threads that ask while the chip runs, and the chip as if they had not.
 * LINK: @library src/attach/answer.c src/attach/attach.c src/attach/attach_gdb.c src/attach/connection.c src/attach/door.c
 * LINK: src/attach/order.c src/attach/socket_place.c src/gdb/gdb_monitor.c src/gdb/gdb_packet.c src/gdb/gdb_registers.c
 * LINK: src/gdb/gdb_files.c src/gdb/gdb_run.c src/gdb/gdb_serve.c src/gdb/gdb_session.c src/gdb/gdb_threads.c src/gdb/gdb_xml.c
 * TSAN: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "attach/attach.h"
#include "kerr_attach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 3, ASKED = 40, CALLS = 200, CALL_CYCLES = 5000 };

/* li a0, 0; addi a0, a0, 1; sw a0, 64(zero); j -8 */
static const uint32_t program[] = {0x00000513, 0x00150513, 0x04A02023, 0xFF9FF06F};

static kerr_chip *make_chip(void)
{
    kerr_chip *chip = NULL;
    const kerr_config *none = NULL;
    assert_int_equal(kerr_create(none, &chip), KERR_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        assert_int_equal(kerr_poke(chip, at, 0, program, sizeof program), KERR_OK);
        assert_int_equal(kerr_core_start(chip, at, KERR_CORE_B, 0), KERR_OK);
    }
    return chip;
}

static bool ask(int fd, kerr_attach_request request, kerr_attach_reply *head, uint8_t *payload, size_t room)
{
    request.bytes = sizeof request - sizeof request.bytes;
    request.version = KERR_ATTACH_VERSION;
    if (send(fd, &request, sizeof request, MSG_NOSIGNAL) != (ssize_t)sizeof request ||
        recv(fd, head, sizeof *head, MSG_WAITALL) != (ssize_t)sizeof *head || head->bytes > room) {
        return false;
    }
    return head->bytes == 0 || recv(fd, payload, head->bytes, MSG_WAITALL) == (ssize_t)head->bytes;
}

typedef struct client {
    const char *path;
    pthread_t thread;
    unsigned good;
} client;

static void *ask_things(void *context)
{
    static const uint16_t verbs[] = {KERR_ATTACH_STATUS, KERR_ATTACH_GRID, KERR_ATTACH_CORE,
                                     KERR_ATTACH_TILE,   KERR_ATTACH_READ, KERR_ATTACH_PAUSE};
    client *c = context;
    uint8_t *payload = malloc(1 << 20);
    char why[SOCKET_WHY];
    for (unsigned i = 0; i < ASKED && payload != NULL; i++) {
        const kerr_xy at = kerr_tensix_xy(i % 2);
        const int fd = socket_connect(c->path, why);
        kerr_attach_reply head;
        const kerr_attach_request request = {.verb = verbs[i % 6], .x = at.x, .y = at.y, .core = 0, .size = 64};
        c->good += fd >= 0 && ask(fd, request, &head, payload, 1 << 20) && head.result == KERR_ATTACH_OK;
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    free(payload);
    return NULL;
}

static uint64_t hash_of(const kerr_chip *chip)
{
    uint64_t hash = 0;
    assert_int_equal(kerr_hash(chip, &hash), KERR_OK);
    return hash;
}

static attach *open_server(kerr_chip *chip, const char *name)
{
    char path[64], why[SOCKET_WHY];
    (void)snprintf(path, sizeof path, "/tmp/kerr-%s-%ld.sock", name, (long)getpid());
    const attach_setup setup = {.chip = chip, .path = path};
    attach *server = attach_open(&setup, why);
    assert_non_null(server);
    return server;
}

static void same_as_alone(void **state)
{
    kerr_chip *looked_at = make_chip(), *alone = make_chip();
    attach *server = open_server(looked_at, "server-test");
    client clients[CLIENTS];
    (void)state;
    for (unsigned i = 0; i < CLIENTS; i++) {
        clients[i] = (client){.path = attach_path(server)};
        assert_int_equal(pthread_create(&clients[i].thread, NULL, ask_things, &clients[i]), 0);
    }
    for (unsigned i = 0; i < CALLS; i++) {
        door_enter(attach_door(server));
        assert_int_equal(attach_run(server, CALL_CYCLES), KERR_OK);
        door_leave(attach_door(server));
    }
    for (unsigned i = 0; i < CLIENTS; i++) {
        assert_int_equal(pthread_join(clients[i].thread, NULL), 0);
        assert_int_equal(clients[i].good, ASKED);
    }
    attach_close(server);
    assert_int_equal(kerr_run(alone, CALLS * (uint64_t)CALL_CYCLES), KERR_OK);
    assert_int_equal(hash_of(looked_at), hash_of(alone));
    kerr_destroy(looked_at);
    kerr_destroy(alone);
}

/* A chip goes, another one comes; the server stays. */
static void chips_come_and_go(void **state)
{
    kerr_chip *first = make_chip(), *second = make_chip();
    attach *server = open_server(first, "server-chips");
    char why[SOCKET_WHY];
    uint8_t payload[256];
    kerr_attach_reply head;
    kerr_attach_status status;
    (void)state;
    const int fd = socket_connect(attach_path(server), why);
    assert_true(fd >= 0);
    door_enter(attach_door(server));
    attach_set_chip(server, NULL);
    door_leave(attach_door(server));
    kerr_destroy(first);
    assert_true(ask(fd, (kerr_attach_request){.verb = KERR_ATTACH_HASH}, &head, payload, sizeof payload));
    assert_int_equal(head.result, KERR_ATTACH_NO_CHIP);
    door_enter(attach_door(server));
    attach_set_chip(server, second);
    door_leave(attach_door(server));
    assert_true(ask(fd, (kerr_attach_request){.verb = KERR_ATTACH_STATUS}, &head, payload, sizeof payload));
    memcpy(&status, payload, sizeof status);
    assert_true(status.has_chip == 1 && status.chips == 2);
    (void)close(fd);
    attach_close(server);
    kerr_destroy(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_alone), cmocka_unit_test(chips_come_and_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
