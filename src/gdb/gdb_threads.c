/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles as processes, cores as threads. */
#include "gdb_session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gdb_add_bytes(gdb_text *to, const void *data, size_t size)
{
    if (to->size + size + 1 > to->room) {
        const size_t room = (to->size + size + 1) * 2;
        char *grown = realloc(to->data, room);
        if (grown == NULL) {
            to->failed = true;
            return;
        }
        to->data = grown;
        to->room = room;
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
    to->data[to->size] = '\0';
}

void gdb_add(gdb_text *to, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gdb_add_bytes(to, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

void gdb_add_hex(gdb_text *to, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        gdb_add(to, "%02x", bytes[i]);
    }
}

uint32_t gdb_process(kerr_xy at)
{
    return 1u + at.x + (uint32_t)KERR_GRID_X * at.y;
}

bool gdb_thread_of(uint32_t process, uint32_t thread, gdb_thread *made)
{
    if (process == 0 || process > KERR_GRID_X * KERR_GRID_Y || thread == 0) {
        return false;
    }
    made->at = (kerr_xy){(uint8_t)((process - 1) % KERR_GRID_X), (uint8_t)((process - 1) / KERR_GRID_X)};
    made->core = (kerr_core)(thread - 1);
    return thread <= kerr_tile_cores(kerr_tile_kind_at(made->at));
}

static bool is_live(const kerr_chip *chip, const gdb_thread *of)
{
    kerr_core_info info;
    return kerr_core_query(chip, of->at, of->core, &info) == KERR_OK && info.state != KERR_CORE_IN_RESET;
}

bool gdb_next_thread(const kerr_chip *chip, gdb_thread *at, bool *begun)
{
    uint32_t process = *begun ? gdb_process(at->at) : 1, thread = *begun ? (uint32_t)at->core + 2 : 1;
    const bool first = !*begun;
    *begun = true;
    for (; process <= KERR_GRID_X * KERR_GRID_Y; process++, thread = 1) {
        for (gdb_thread next; gdb_thread_of(process, thread, &next); thread++) {
            if (is_live(chip, &next)) {
                *at = next;
                return true;
            }
        }
    }
    if (first) {
        *at = (gdb_thread){kerr_tensix_xy(0), KERR_CORE_B};
        return true;
    }
    /* Only if there was no live one at all is the first given, once. */
    return false;
}

bool gdb_is_idle(const kerr_chip *chip)
{
    kerr_end end;
    return kerr_end_query(chip, &end) == KERR_OK && end.verdict != KERR_VERDICT_GOES_ON;
}

void gdb_describe(gdb_session *s, const gdb_thread *of, char *text, size_t size)
{
    static const char *const states[] = {"in reset", "runs", "polls", "waits", "halted", "stopped by a fault"};
    kerr_core_info info = {0};
    kerr_core_end end = {.stand = KERR_STANDS_OFF};
    (void)kerr_core_query(s->chip, of->at, of->core, &info);
    (void)kerr_core_end_query(s->chip, of->at, of->core, &end);
    const bool ended = end.stand == KERR_STANDS_ENDED, idle = end.stand == KERR_STANDS_IDLE;
    const kerr_tile_kind kind = kerr_tile_kind_at(of->at);
    char place[96] = "";
    if (info.wait_address != 0) {
        char name[80];
        kerr_address_format(kind, of->core, info.wait_address, info.wait_is_store, name, sizeof name);
        snprintf(place, sizeof place, ": %s", name);
    }
    snprintf(text, size, "tile %u,%u %s %s%s", of->at.x, of->at.y, kerr_core_name_of(kind, of->core),
             ended                      ? "has ended"
             : idle                     ? "idles"
             : (unsigned)info.state < 6 ? states[info.state]
                                        : "?",
             place);
}

void gdb_threads_xml(gdb_session *s, gdb_text *to)
{
    gdb_add(to, "<?xml version=\"1.0\"?>\n<threads>\n");
    gdb_thread at;
    for (bool begun = false; gdb_next_thread(s->chip, &at, &begun);) {
        char text[192];
        if (s->detached[gdb_process(at.at)]) {
            continue;
        }
        gdb_describe(s, &at, text, sizeof text);
        gdb_add(to, "<thread id=\"p%" PRIx32 ".%x\" core=\"%u\" name=\"%u,%u %s\">%s</thread>\n", gdb_process(at.at),
                (unsigned)at.core + 1, (unsigned)at.core, at.at.x, at.at.y,
                kerr_core_name_of(kerr_tile_kind_at(at.at), at.core), text);
    }
    gdb_add(to, "</threads>\n");
}
