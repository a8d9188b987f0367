/* SPDX-License-Identifier: Apache-2.0 */
/* kerr attach: one look at a running simulation, for scripts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach_client.h"
#include "job.h"
#include "kerr_findings.h"
#include "options.h"
#include "place.h"
#include "verbs.h"

typedef struct wish {
    const char *to, *command, *what;
    bool list;
} wish;

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    wish *w = context;
    switch (id) {
    case OPTION_ATTACH_LIST: w->list = true; return true;
    case OPTION_ATTACH_TO: w->to = value; return true;
    default: break;
    }
    if (w->command == NULL) {
        w->command = value;
    } else if (w->what == NULL) {
        w->what = value;
    } else {
        return tool_fail(error, "'%s' is one argument too many", value);
    }
    return true;
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

/* "TILE", "TILE:CORE"; core 255 if none is named. */
static bool read_tile(const char *text, kerr_attach_request *request, tool_error *error)
{
    tile_set tiles = {{0}};
    core_set cores = 0;
    unsigned index = 0;
    kerr_xy at = {0, 0};
    if (text == NULL) {
        return tool_fail(error, "which tile? x,y as kerr top shows it");
    }
    request->core = 255;
    if (strchr(text, ':') != NULL ? !parse_place(text, &tiles, &cores, error)
                                  : !parse_tiles(text, false, &tiles, error)) {
        return false;
    }
    if (tile_set_count(&tiles) != 1 || !tile_set_next(&tiles, &index, &at)) {
        return tool_fail(error, "'%s' is not a single tile", text);
    }
    request->x = at.x;
    request->y = at.y;
    for (uint8_t core = 0; cores >> core != 0; core++) {
        request->core = (cores >> core & 1) != 0 ? core : request->core;
    }
    return true;
}

/* "TILE[:CORE]@ADDRESS+SIZE" */
static bool read_range(const char *text, kerr_attach_request *request, tool_error *error)
{
    char copy[128];
    uint64_t size = 0;
    if (text == NULL || strlen(text) >= sizeof copy) {
        return tool_fail(error, "read what? TILE[:CORE]@ADDRESS+SIZE");
    }
    (void)snprintf(copy, sizeof copy, "%s", text);
    char *at = strchr(copy, '@'), *plus = at != NULL ? strchr(at, '+') : NULL;
    if (plus == NULL) {
        return tool_fail(error, "'%s' is not TILE[:CORE]@ADDRESS+SIZE", text);
    }
    *at = *plus = '\0';
    if (!read_tile(copy, request, error) || !parse_number(at + 1, UINT64_MAX, &request->address, error) ||
        !parse_number(plus + 1, KERR_ATTACH_READ_MOST, &size, error)) {
        return false;
    }
    request->size = (uint32_t)size;
    return true;
}

/* ---- Commands ---------------------------------------------------------------------------------------------------- */

static void print_bytes(const attach_client *client, uint64_t address)
{
    for (size_t i = 0; i < client->size; i++) {
        if (i % 16 == 0) {
            (void)printf("%s0x%08" PRIx64 ":", i == 0 ? "" : "\n", address + i);
        }
        (void)printf(" %02x", client->payload[i]);
    }
    (void)printf("\n");
}

static bool print_status(const attach_client *client, tool_error *error)
{
    kerr_attach_status status;
    if (!attach_client_got(client, sizeof status, error)) {
        return false;
    }
    memcpy(&status, client->payload, sizeof status);
    (void)printf("pid %ld\nprogram %s\nkerr %s\ncycle %" PRIu64 "\nchips %" PRIu32 "\nfaults %" PRIu32
                 "\nstate %s\ndebugger %s\n",
                 (long)client->hello.pid, client->hello.program, client->hello.build, status.cycle, status.chips,
                 status.faults,
                 !status.has_chip ? "no chip"
                 : status.stopped ? "stopped by a fault"
                 : status.over    ? "over"
                 : status.paused  ? "paused"
                                  : "running",
                 status.debugged ? "yes" : "no");
    return true;
}

static bool print_core(const attach_client *client, const kerr_attach_request *request, tool_error *error)
{
    kerr_attach_core core;
    if (!attach_client_got(client, sizeof core, error)) {
        return false;
    }
    memcpy(&core, client->payload, sizeof core);
    (void)printf("tile %u,%u %s: %s\npc 0x%08" PRIx32 "\n", request->x, request->y,
                 kerr_core_name_of(kerr_tile_kind_at((kerr_xy){request->x, request->y}), (kerr_core)request->core),
                 core_state_name(core.info.state), core.info.pc);
    for (unsigned i = 0; i < 32; i++) {
        (void)printf("x%-2u 0x%08" PRIx32 "%s", i, core.x[i], i % 4 == 3 ? "\n" : "   ");
    }
    return true;
}

static bool print_hash(const attach_client *client, tool_error *error)
{
    uint64_t hash;
    if (!attach_client_got(client, sizeof hash, error)) {
        return false;
    }
    memcpy(&hash, client->payload, sizeof hash);
    (void)printf("%016" PRIx64 "\n", hash);
    return true;
}

/* As long as we are there. */
static bool stay_paused(const attach_client *client)
{
    (void)printf("paused; ends with Ctrl-C or the end of standard input\n");
    (void)fflush(stdout);
    char byte;
    (void)client;
    while (read(STDIN_FILENO, &byte, 1) > 0) {}
    return true;
}

/* What is to be asked, before anybody is. */
static bool read_command(const wish *w, kerr_attach_request *request, tool_error *error)
{
    static const struct {
        const char *name;
        kerr_attach_verb verb;
    } commands[] = {{"status", KERR_ATTACH_STATUS}, {"read", KERR_ATTACH_READ},        {"core", KERR_ATTACH_CORE},
                    {"state", KERR_ATTACH_STATE},   {"faults", KERR_ATTACH_FAULTS},    {"hash", KERR_ATTACH_HASH},
                    {"pause", KERR_ATTACH_PAUSE},   {"continue", KERR_ATTACH_CONTINUE}};
    const char *names[sizeof commands / sizeof *commands];
    *request = (kerr_attach_request){.verb = 0};
    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++) {
        names[i] = commands[i].name;
        if (strcmp(w->command, commands[i].name) == 0) {
            request->verb = (uint16_t)commands[i].verb;
        }
    }
    if (request->verb == 0) {
        char meant[64];
        return tool_fail(
            error, "'%s' is not status, read, core, state, faults, hash, pause or continue%s", w->command,
            meant_text(meant, sizeof meant, "", kerr_name_near(w->command, names, sizeof names / sizeof *names)));
    }
    if ((request->verb == KERR_ATTACH_READ && !read_range(w->what, request, error)) ||
        ((request->verb == KERR_ATTACH_CORE || request->verb == KERR_ATTACH_STATE) &&
         !read_tile(w->what, request, error))) {
        return false;
    }
    if (request->verb == KERR_ATTACH_CORE && request->core == 255) {
        request->core = 0;
    }
    return true;
}

static bool command(attach_client *client, kerr_attach_request request, tool_error *error)
{
    if (!attach_client_ask(client, request, error)) {
        return false;
    }
    switch (request.verb) {
    case KERR_ATTACH_STATUS: return print_status(client, error);
    case KERR_ATTACH_READ: print_bytes(client, request.address); return true;
    case KERR_ATTACH_CORE: return print_core(client, &request, error);
    case KERR_ATTACH_HASH: return print_hash(client, error);
    case KERR_ATTACH_PAUSE: return stay_paused(client);
    default: (void)fwrite(client->payload, 1, client->size, stdout); return true;
    }
}

int attach_main(int count, char *const *arguments)
{
    wish w = {.to = NULL};
    tool_error error;
    bool help = false;
    attach_client client = {.fd = -1};
    if (!options_parse(VERB_ATTACH, count, arguments, take_argument, &w, &help, &error)) {
        return verb_refuse(VERB_ATTACH, &error);
    }
    if (help) {
        options_help_verb(stdout, VERB_ATTACH);
        return EXIT_OK;
    }
    if (w.list || w.command == NULL) {
        if (attach_print_list() == 0) {
            (void)fprintf(stderr, "kerr attach: no simulation of yours runs\n");
        }
        return EXIT_OK;
    }
    kerr_attach_request request;
    const bool good = read_command(&w, &request, &error) && attach_client_open(&client, w.to, &error) &&
                      command(&client, request, &error);
    attach_client_close(&client);
    return good ? EXIT_OK : verb_refuse(VERB_ATTACH, &error);
}
