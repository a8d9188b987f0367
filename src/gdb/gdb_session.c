/* SPDX-License-Identifier: Apache-2.0 */
/* gdb's packets, one function each. */
#include "gdb_session.h"

#include "gdb_packet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_MAX = GDB_PACKET_MAX / 2 - 16 };

static void answer(gdb_session *s, const char *text)
{
    gdb_add_bytes(&s->reply, text, strlen(text));
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- Threads ---------------------------------------------------------------------------------------------- */

/* "pPROCESS.THREAD", "THREAD"; 0 and -1 mean any and all: the one that was looked at last. */
static bool read_thread(const gdb_session *s, const char *text, gdb_thread *made)
{
    unsigned process = 0, thread = 0;
    *made = s->general;
    if (sscanf(text, "p%x.%x", &process, &thread) == 2) {
        if (process == 0) {
            return true;
        }
    } else if (sscanf(text, "p%x.-%x", &process, &thread) == 2) {
        thread = 0;
    } else {
        process = gdb_process(s->general.at);
        if (*text == '-' || sscanf(text, "%x", &thread) != 1) {
            return true;
        }
    }
    if (thread != 0) {
        return gdb_thread_of(process, thread, made);
    }
    /* Any core of the tile: the first that is alive. */
    gdb_thread at;
    for (bool begun = false; gdb_next_thread(s->chip, &at, &begun);) {
        if (gdb_process(at.at) == process) {
            *made = at;
            return true;
        }
    }
    return gdb_thread_of(process, 1, made);
}

static void on_thread(gdb_session *s, const char *packet) /* Hg, Hc */
{
    gdb_thread wanted;
    if (!read_thread(s, packet + 2, &wanted)) {
        answer(s, "E01");
        return;
    }
    /* Hc0, Hc-1: any, which is the one that stopped last. */
    if (packet[1] == 'c' && strpbrk(packet + 2, "123456789abcdef") != NULL && strchr(packet, '-') == NULL) {
        s->running = wanted;
    } else if (packet[1] != 'c') {
        s->general = wanted;
    }
    answer(s, "OK");
}

static void on_thread_list(gdb_session *s)
{
    gdb_thread at;
    char sign = 'm';
    for (bool begun = false; gdb_next_thread(s->chip, &at, &begun);) {
        if (s->detached[gdb_process(at.at)]) {
            continue;
        }
        gdb_add(&s->reply, "%cp%" PRIx32 ".%x", sign, gdb_process(at.at), (unsigned)at.core + 1);
        sign = ',';
    }
    if (sign == 'm') {
        answer(s, "l");
    }
}

static void on_extra_info(gdb_session *s, const char *text)
{
    gdb_thread of;
    char line[192];
    if (!read_thread(s, text, &of)) {
        answer(s, "E01");
        return;
    }
    gdb_describe(s, &of, line, sizeof line);
    gdb_add_hex(&s->reply, line, strlen(line));
}

/* ---- Registers and memory --------------------------------------------------------------------------------- */

static void on_registers(gdb_session *s)
{
    for (uint32_t i = 0; i <= GDB_PC; i++) {
        (void)gdb_register_get(s, i, &s->reply);
    }
}

/* Whoever writes makes another past. */
static void changed(gdb_session *s, bool done)
{
    answer(s, done && (s->time->changed == NULL || s->time->changed(s->time_context)) ? "OK" : "E01");
}

static void on_set_registers(gdb_session *s, const char *hex, size_t size)
{
    uint8_t bytes[4 * (GDB_PC + 1)];
    const size_t count = gdb_from_hex(hex, size, bytes, sizeof bytes) / 4;
    bool done = count > 0;
    for (uint32_t i = 1; i < count && done; i++) { /* x0 is zero */
        done = gdb_register_set(s, i, bytes + (size_t)4 * i, 4);
    }
    changed(s, done);
}

static void on_register(gdb_session *s, const char *text)
{
    uint32_t number = 0;
    if (sscanf(text, "%" SCNx32, &number) != 1 || !gdb_register_get(s, number, &s->reply)) {
        answer(s, "E01");
    }
}

static void on_set_register(gdb_session *s, const char *text, size_t size)
{
    uint32_t number = 0;
    uint8_t bytes[16];
    const char *equals = memchr(text, '=', size);
    if (sscanf(text, "%" SCNx32 "=", &number) != 1 || equals == NULL) {
        answer(s, "E01");
        return;
    }
    const size_t count = gdb_from_hex(equals + 1, size - (size_t)(equals + 1 - text), bytes, sizeof bytes);
    changed(s, number == 0 || gdb_register_set(s, number, bytes, count));
}

static void on_read(gdb_session *s, const char *text)
{
    uint32_t address = 0, size = 0;
    uint8_t bytes[MEMORY_MAX];
    if (sscanf(text, "%" SCNx32 ",%" SCNx32, &address, &size) != 2) {
        answer(s, "E01");
        return;
    }
    size = size < MEMORY_MAX ? size : MEMORY_MAX;
    /* As much as there is: gdb asks for a piece of the stack that may end behind memory. */
    while (size > 0 && kerr_core_peek(s->chip, s->general.at, s->general.core, address, bytes, size) != KERR_OK) {
        size /= 2;
    }
    if (size == 0) {
        answer(s, "E0e");
        return;
    }
    gdb_add_hex(&s->reply, bytes, size);
}

static void on_write(gdb_session *s, const char *text, size_t length, bool binary)
{
    uint32_t address = 0, size = 0;
    uint8_t bytes[GDB_PACKET_MAX];
    const char *colon = memchr(text, ':', length);
    if (sscanf(text, "%" SCNx32 ",%" SCNx32 ":", &address, &size) != 2 || colon == NULL) {
        answer(s, "E01");
        return;
    }
    size_t given = length - (size_t)(colon + 1 - text);
    if (binary) {
        given = given < sizeof bytes ? given : sizeof bytes;
        memcpy(bytes, colon + 1, given);
    } else {
        given = gdb_from_hex(colon + 1, given, bytes, sizeof bytes);
    }
    if (given < size) {
        answer(s, "E01");
        return;
    }
    if (size == 0) { /* asks whether X is known */
        answer(s, "OK");
        return;
    }
    changed(s, kerr_core_poke(s->chip, s->general.at, s->general.core, address, bytes, size) == KERR_OK);
}

/* ---- The rest --------------------------------------------------------------------------------------------- */

static void on_point(gdb_session *s, const char *packet)
{
    uint32_t address = 0, size = 0;
    if (packet[1] < '0' || packet[1] > '4' || sscanf(packet + 2, ",%" SCNx32 ",%" SCNx32, &address, &size) != 2) {
        return; /* not known */
    }
    if (*packet == 'Z') {
        answer(s, gdb_point_add(s, packet[1], address, size) ? "OK" : "E1c");
    } else {
        (void)gdb_point_remove(s, packet[1], address, size);
        answer(s, "OK");
    }
}

/* "...:OFFSET,LENGTH" of a document that is made when its beginning is asked for. */
static void on_transfer(gdb_session *s, const char *text)
{
    uint32_t offset = 0, length = 0;
    const char *range = strrchr(text, ':');
    if (range == NULL || sscanf(range, ":%" SCNx32 ",%" SCNx32, &offset, &length) != 2) {
        answer(s, "E00");
        return;
    }
    if (offset == 0 || s->xml.data == NULL) {
        s->xml.size = 0;
        if (begins(text, "features:read:target.xml")) {
            gdb_target_xml(&s->xml);
        } else if (begins(text, "memory-map:read")) {
            gdb_memory_xml(s, &s->xml);
        } else if (begins(text, "threads:read")) {
            gdb_threads_xml(s, &s->xml);
        } else if (begins(text, "exec-file:read:")) {
            uint32_t process = 0;
            gdb_exec_file(s, sscanf(text, "exec-file:read:%" SCNx32, &process) == 1 ? process : 0, &s->xml);
        } else if (begins(text, "libraries:read") || begins(text, "libraries-svr4:read")) {
            gdb_libraries_xml(s, begins(text, "libraries-svr4"), &s->xml);
        } else {
            answer(s, "E00");
            return;
        }
    }
    if (offset >= s->xml.size) {
        answer(s, "l");
        return;
    }
    const size_t left = s->xml.size - offset;
    size_t part = length < left ? length : left;
    part = part < GDB_PACKET_MAX / 2 ? part : GDB_PACKET_MAX / 2;
    answer(s, part < left ? "m" : "l");
    gdb_add_bytes(&s->reply, s->xml.data + offset, part);
}

static void on_command(gdb_session *s, const char *hex, size_t size)
{
    uint8_t line[512];
    const size_t length = gdb_from_hex(hex, size, line, sizeof line - 1);
    line[length] = '\0';
    gdb_text out = {0};
    gdb_monitor(s, (const char *)line, &out);
    gdb_add_hex(&s->reply, out.data != NULL ? out.data : "", out.size);
    if (out.size == 0) {
        answer(s, "OK");
    }
    free(out.data);
}

static void on_query(gdb_session *s, const char *packet, size_t size)
{
    if (begins(packet, "qSupported")) {
        gdb_add(&s->reply,
                "PacketSize=%x;multiprocess+;swbreak+;hwbreak+;vContSupported+;QStartNoAckMode+;%s"
                "qXfer:features:read+;qXfer:memory-map:read+;qXfer:threads:read+;qXfer:exec-file:read+;qXfer:libraries:"
                "read+;qXfer:libraries-svr4:read+",
                (unsigned)GDB_PACKET_MAX, s->time->back != NULL ? "ReverseStep+;ReverseContinue+;" : "");
    } else if (begins(packet, "qXfer:")) {
        on_transfer(s, packet + strlen("qXfer:"));
    } else if (begins(packet, "qRcmd,")) {
        on_command(s, packet + strlen("qRcmd,"), size - strlen("qRcmd,"));
    } else if (begins(packet, "qThreadExtraInfo,")) {
        on_extra_info(s, packet + strlen("qThreadExtraInfo,"));
    } else if (strcmp(packet, "qfThreadInfo") == 0) {
        on_thread_list(s);
    } else if (strcmp(packet, "qsThreadInfo") == 0) {
        answer(s, "l");
    } else if (strcmp(packet, "qC") == 0) {
        gdb_add(&s->reply, "QCp%" PRIx32 ".%x", gdb_process(s->general.at), (unsigned)s->general.core + 1);
    } else if (begins(packet, "qAttached")) {
        answer(s, "1");
    } else if (begins(packet, "qSymbol")) {
        answer(s, "OK");
    }
}

static void on_long(gdb_session *s, const char *packet)
{
    if (strcmp(packet, "vCont?") == 0) {
        answer(s, "vCont;c;C;s;S;r");
    } else if (begins(packet, "vCont")) {
        gdb_run(s, packet);
    } else if (begins(packet, "vFile:")) {
        gdb_file_packet(s, packet + strlen("vFile:"));
    } else if (begins(packet, "vKill")) {
        s->over = true;
        answer(s, "OK");
    } else if (begins(packet, "vAttach;")) {
        gdb_thread wanted;
        unsigned process = 0;
        if (sscanf(packet, "vAttach;%x", &process) == 1 && gdb_thread_of(process, 1, &wanted)) {
            s->general = s->running = wanted;
            s->detached[process] = false;
            answer(s, s->stop);
        } else {
            answer(s, "E01");
        }
    }
}

static void on_alive(gdb_session *s, const char *text)
{
    gdb_thread of;
    kerr_core_info info;
    answer(s, read_thread(s, text, &of) && kerr_core_query(s->chip, of.at, of.core, &info) == KERR_OK ? "OK" : "E01");
}

/* "D": gdb goes.  "D;PROCESS": it lets go of a tile, and goes with the last. */
static void on_detach(gdb_session *s, const char *packet)
{
    unsigned process = 0;
    bool left = false;
    answer(s, "OK");
    if (sscanf(packet, "D;%x", &process) == 1 && process < GDB_PROCESSES) {
        s->detached[process] = true;
        gdb_thread at;
        for (bool begun = false; gdb_next_thread(s->chip, &at, &begun);) {
            left = left || !s->detached[gdb_process(at.at)];
        }
    }
    s->over = !left;
}

void gdb_handle(gdb_session *s, const char *packet, size_t size)
{
    s->reply.size = 0;
    s->told.size = 0;
    switch (*packet) {
    case '?': answer(s, s->stop); break;
    case '!': answer(s, "OK"); break;
    case 'H': on_thread(s, size > 1 ? packet : "Hg0"); break;
    case 'T': on_alive(s, packet + 1); break;
    case 'g': on_registers(s); break;
    case 'G': on_set_registers(s, packet + 1, size - 1); break;
    case 'p': on_register(s, packet + 1); break;
    case 'P': on_set_register(s, packet + 1, size - 1); break;
    case 'm': on_read(s, packet + 1); break;
    case 'M': on_write(s, packet + 1, size - 1, false); break;
    case 'X': on_write(s, packet + 1, size - 1, true); break;
    case 'Z':
    case 'z': on_point(s, packet); break;
    case 'c':
    case 'C': gdb_run(s, "vCont;c"); break;
    case 's':
    case 'S': gdb_run(s, "vCont;s"); break;
    case 'b':
        if (strcmp(packet, "bs") == 0 || strcmp(packet, "bc") == 0) {
            gdb_run_back(s, packet[1] == 's');
        }
        break;
    case 'q': on_query(s, packet, size); break;
    case 'Q':
        if (strcmp(packet, "QStartNoAckMode") == 0) {
            s->no_ack_wanted = true;
            answer(s, "OK");
        }
        break;
    case 'v': on_long(s, packet); break;
    case 'D': on_detach(s, packet); break;
    case 'k': s->over = true; break;
    default: break;
    }
}

uint64_t gdb_now(const gdb_session *s)
{
    uint64_t cycle = 0;
    (void)kerr_cycle(s->chip, &cycle);
    return cycle;
}

void gdb_begin(gdb_session *s, kerr_chip *chip, const gdb_time *time, void *time_context)
{
    *s = (gdb_session){.chip = chip, .time = time, .time_context = time_context};
    gdb_thread first;
    bool begun = false;
    (void)gdb_next_thread(chip, &first, &begun);
    s->general = s->running = first;
    snprintf(s->stop, sizeof s->stop, "T05thread:p%" PRIx32 ".%x;", gdb_process(first.at), (unsigned)first.core + 1);
}

void gdb_end(gdb_session *s)
{
    for (unsigned i = 0; i < GDB_POINTS_MAX && !s->gone; i++) {
        if (s->point[i].watched) {
            (void)kerr_watch_remove(s->chip, s->point[i].watch);
        }
    }
    for (unsigned i = 0; i < GDB_FILES; i++) {
        free(s->file[i].data);
    }
    free(s->reply.data);
    free(s->told.data);
    free(s->xml.data);
}
