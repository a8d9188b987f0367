/* SPDX-License-Identifier: Apache-2.0 */
#include "answer.h"

#include "kerr_findings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING_WAITS = 255, WHOLE_TILE = 255, FAULT_LINES = 256 };

void reply_add(reply_bytes *to, const void *data, size_t size)
{
    if (to->size + size > to->room) {
        const size_t room = (to->size + size) * 2;
        uint8_t *grown = room <= KERR_ATTACH_REPLY_MOST ? realloc(to->data, room) : NULL;
        if (grown == NULL) {
            to->failed = true;
            return;
        }
        to->data = grown;
        to->room = room;
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

void reply_text(reply_bytes *to, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    reply_add(to, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

size_t request_parse(const uint8_t *data, size_t size, kerr_attach_request *request, kerr_attach_result *result)
{
    uint32_t bytes = 0;
    *request = (kerr_attach_request){.bytes = 0};
    *result = KERR_ATTACH_OK;
    if (size < sizeof bytes) {
        return 0;
    }
    memcpy(&bytes, data, sizeof bytes);
    if (bytes < KERR_ATTACH_REQUEST_LEAST || bytes > KERR_ATTACH_REQUEST_MOST) {
        *result = KERR_ATTACH_BAD_REQUEST;
        return size;
    }
    const size_t whole = sizeof bytes + bytes;
    if (size < whole) {
        return 0;
    }
    memcpy(request, data, whole < sizeof *request ? whole : sizeof *request);
    return whole;
}

/* ---- What there is to see -------------------------------------------------------------------------------------- */

void answer_status(const kerr_chip *chip, kerr_attach_status *status)
{
    kerr_fault fault;
    uint32_t faults = 0, findings = 0;
    (void)kerr_cycle(chip, &status->cycle);
    (void)kerr_fault_count(chip, &faults);
    (void)kerr_finding_count(chip, &findings);
    status->faults = findings > faults ? findings : faults;
    for (uint32_t i = 0; i < faults && status->stopped == 0; i++) {
        status->stopped = kerr_fault_get(chip, i, &fault) == KERR_OK && fault.stopping;
    }
}

/* Faults of each tile; those of the chip as a whole are in no tile's number. */
static void count_faults(const kerr_chip *chip, uint32_t of[KERR_GRID_Y][KERR_GRID_X])
{
    uint32_t count = 0;
    kerr_fault fault;
    memset(of, 0, sizeof(uint32_t) * KERR_GRID_X * KERR_GRID_Y);
    (void)kerr_fault_count(chip, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (kerr_fault_get(chip, i, &fault) == KERR_OK && fault.tile.y < KERR_GRID_Y && fault.tile.x < KERR_GRID_X) {
            of[fault.tile.y][fault.tile.x]++;
        }
    }
}

static void add_tile(const kerr_chip *chip, kerr_xy at, uint32_t faults, reply_bytes *payload)
{
    kerr_activity activity;
    kerr_core_info core;
    kerr_thread_info thread;
    (void)kerr_activity_query(chip, at, &activity);
    kerr_attach_tile tile = {.x = at.x,
                             .y = at.y,
                             .kind = (uint8_t)kerr_tile_kind_at(at),
                             .cores = (uint8_t)activity.cores,
                             .faults = faults,
                             .instructions = activity.instructions};
    for (uint32_t i = 0; i < activity.cores; i++) {
        if (kerr_core_query(chip, at, (kerr_core)i, &core) == KERR_OK) {
            tile.core_state[i] = (uint8_t)core.state;
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        const bool waits = kerr_thread_query(chip, at, i, &thread) == KERR_OK && thread.waits;
        tile.waits[i] = waits ? thread.reason : NOTHING_WAITS;
    }
    memcpy(tile.unit_busy, activity.unit_busy, sizeof tile.unit_busy);
    memcpy(tile.unit_taken, activity.unit_taken, sizeof tile.unit_taken);
    memcpy(tile.stalled, activity.stalled, sizeof tile.stalled);
    reply_add(payload, &tile, sizeof tile);
}

static void answer_grid(const kerr_chip *chip, const kerr_attach_status *status, reply_bytes *payload)
{
    uint32_t faults[KERR_GRID_Y][KERR_GRID_X];
    kerr_attach_grid head = {.status = *status, .tile_bytes = sizeof(kerr_attach_tile)};
    reply_add(payload, &head, sizeof head);
    count_faults(chip, faults);
    for (uint8_t y = 0; y < KERR_GRID_Y; y++) {
        for (uint8_t x = 0; x < KERR_GRID_X; x++) {
            kerr_activity activity;
            const kerr_xy at = {x, y};
            if (kerr_activity_query(chip, at, &activity) == KERR_OK && activity.cores != 0) {
                add_tile(chip, at, faults[y][x], payload);
                head.tiles++;
            }
        }
    }
    if (!payload->failed) {
        memcpy(payload->data, &head, sizeof head);
    }
}

static kerr_attach_result refuse(reply_bytes *payload, const kerr_attach_request *request, kerr_status status)
{
    payload->size = 0;
    reply_text(payload, "tile %u,%u: %s", request->x, request->y, kerr_status_text(status));
    return status == KERR_NO_MEMORY ? KERR_ATTACH_NO_MEMORY : KERR_ATTACH_REFUSED;
}

static kerr_attach_result answer_read(const kerr_chip *chip, const kerr_attach_request *request, reply_bytes *payload)
{
    const kerr_xy at = {request->x, request->y};
    if (request->size == 0 || request->size > KERR_ATTACH_READ_MOST) {
        reply_text(payload, "%" PRIu32 " bytes cannot be read at once: 1 to %d can", request->size,
                   (int)KERR_ATTACH_READ_MOST);
        return KERR_ATTACH_BAD_REQUEST;
    }
    void *bytes = malloc(request->size);
    if (bytes == NULL) {
        return refuse(payload, request, KERR_NO_MEMORY);
    }
    const kerr_status status =
        request->core == WHOLE_TILE     ? kerr_peek(chip, at, request->address, bytes, request->size)
        : request->address > UINT32_MAX ? KERR_BAD_ADDRESS
        : request->core >= KERR_CORE_COUNT
            ? KERR_BAD_ARGUMENT
            : kerr_core_peek(chip, at, (kerr_core)request->core, (uint32_t)request->address, bytes, request->size);
    if (status == KERR_OK) {
        reply_add(payload, bytes, request->size);
    }
    free(bytes);
    return status == KERR_OK ? KERR_ATTACH_OK : refuse(payload, request, status);
}

static kerr_attach_result answer_core(const kerr_chip *chip, const kerr_attach_request *request, reply_bytes *payload)
{
    const kerr_xy at = {request->x, request->y};
    const kerr_core core = (kerr_core)request->core;
    kerr_attach_core reply = {.x = {0}};
    const kerr_status status =
        request->core < KERR_CORE_COUNT ? kerr_core_query(chip, at, core, &reply.info) : KERR_BAD_ARGUMENT;
    if (status != KERR_OK) {
        return refuse(payload, request, status);
    }
    for (uint32_t i = 0; i < 32; i++) {
        (void)kerr_reg_get(chip, at, core, KERR_REG_X + i, &reply.x[i]);
        (void)kerr_reg_get(chip, at, core, KERR_REG_F + i, &reply.f[i]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        if (kerr_core_peek(chip, at, core, reply.info.pc + 4 * i, &reply.code[i], 4) != KERR_OK) {
            break;
        }
    }
    reply_add(payload, &reply, sizeof reply);
    return KERR_ATTACH_OK;
}

static kerr_attach_result answer_threads(const kerr_chip *chip, const kerr_attach_request *request,
                                         reply_bytes *payload)
{
    const kerr_xy at = {request->x, request->y};
    kerr_attach_threads reply;
    memset(&reply, 0, sizeof reply);
    kerr_status status = kerr_sync_query(chip, at, &reply.sync);
    for (uint32_t i = 0; i < 3 && status == KERR_OK; i++) {
        status = kerr_thread_query(chip, at, i, &reply.thread[i]);
    }
    if (status != KERR_OK) {
        return refuse(payload, request, status);
    }
    reply_add(payload, &reply, sizeof reply);
    return KERR_ATTACH_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

typedef struct json {
    reply_bytes *to;
    const char *group;
} json;

/* Names have no quotes or backslashes. */
static void add_item(void *context, const kerr_state_item *item)
{
    json *j = context;
    if (j->group == NULL || strcmp(j->group, item->group) != 0) {
        reply_text(j->to, "%s,\n \"%s\":{", j->group == NULL ? "" : "}", item->group);
        j->group = item->group;
    } else {
        reply_add(j->to, ",", 1);
    }
    reply_text(j->to, "\"%s\":%" PRIu64, item->name, item->value);
}

static kerr_attach_result answer_state(const kerr_chip *chip, const kerr_attach_request *request, reply_bytes *payload)
{
    json j = {.to = payload};
    reply_text(payload, "{\"tile\":[%u,%u]", request->x, request->y);
    const kerr_status status =
        kerr_state_visit(chip, (kerr_xy){request->x, request->y},
                         request->what != 0 ? request->what & KERR_STATE_ALL : KERR_STATE_PLAIN, add_item, &j);
    if (status != KERR_OK) {
        return refuse(payload, request, status);
    }
    reply_text(payload, "%s}\n", j.group == NULL ? "" : "}");
    return KERR_ATTACH_OK;
}

static void answer_faults(const kerr_chip *chip, const kerr_attach_request *request, reply_bytes *payload)
{
    uint32_t count = 0;
    kerr_finding finding;
    (void)kerr_finding_count(chip, &count);
    for (uint32_t i = request->size, lines = 0; i < count && lines < FAULT_LINES; i++, lines++) {
        char line[768];
        if (kerr_finding_get(chip, i, &finding) == KERR_OK) {
            (void)kerr_finding_format(&finding, line, sizeof line);
            reply_text(payload, "%s\n", line);
        }
    }
}

static void answer_hash(const kerr_chip *chip, reply_bytes *payload)
{
    uint64_t hash = 0;
    (void)kerr_hash(chip, &hash);
    reply_add(payload, &hash, sizeof hash);
}

static kerr_attach_result look(const kerr_chip *chip, const kerr_attach_request *request,
                               const kerr_attach_status *status, reply_bytes *payload)
{
    switch (request->verb) {
    case KERR_ATTACH_GRID: answer_grid(chip, status, payload); return KERR_ATTACH_OK;
    case KERR_ATTACH_READ: return answer_read(chip, request, payload);
    case KERR_ATTACH_CORE: return answer_core(chip, request, payload);
    case KERR_ATTACH_TILE: return answer_threads(chip, request, payload);
    case KERR_ATTACH_STATE: return answer_state(chip, request, payload);
    case KERR_ATTACH_FAULTS: answer_faults(chip, request, payload); return KERR_ATTACH_OK;
    case KERR_ATTACH_HASH: answer_hash(chip, payload); return KERR_ATTACH_OK;
    default: reply_text(payload, "verb %u is not one of 1 to %d", request->verb, KERR_ATTACH_VERBS - 1); break;
    }
    return KERR_ATTACH_BAD_REQUEST;
}

kerr_attach_result answer_request(const kerr_chip *chip, const kerr_attach_request *request,
                                  const kerr_attach_status *status, reply_bytes *payload)
{
    if (request->verb == KERR_ATTACH_STATUS) {
        reply_add(payload, status, sizeof *status);
        return KERR_ATTACH_OK;
    }
    if (chip == NULL && request->verb > KERR_ATTACH_STATUS && request->verb < KERR_ATTACH_VERBS) {
        reply_text(payload, "there is no chip now: the program has not made one yet, or is done with it");
        return KERR_ATTACH_NO_CHIP;
    }
    const kerr_attach_result result = look(chip, request, status, payload);
    if (!payload->failed) {
        return result;
    }
    payload->size = 0;
    payload->failed = false;
    reply_text(payload, "no memory for the reply");
    return KERR_ATTACH_NO_MEMORY;
}
