/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb_packet.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BETWEEN, INSIDE, FIRST_DIGIT, SECOND_DIGIT };
enum { INTERRUPT = 3, ESCAPE = 0x7D, ESCAPE_FLIPS = 0x20 };

int gdb_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

size_t gdb_from_hex(const char *text, size_t length, uint8_t *bytes, size_t most)
{
    size_t n = 0;
    while (n < most && 2 * n + 1 < length && gdb_digit(text[2 * n]) >= 0 && gdb_digit(text[2 * n + 1]) >= 0) {
        bytes[n] = (uint8_t)(gdb_digit(text[2 * n]) << 4 | gdb_digit(text[2 * n + 1]));
        n++;
    }
    return n;
}

static void keep(gdb_parser *p, uint8_t byte)
{
    if (p->size == GDB_PACKET_MAX) {
        p->too_long = true;
        return;
    }
    p->packet[p->size++] = (char)byte;
}

static gdb_input inside(gdb_parser *p, uint8_t byte)
{
    if (byte == '#') {
        p->state = FIRST_DIGIT;
        return GDB_NOTHING;
    }
    p->sum = (uint8_t)(p->sum + byte);
    if (p->escaped) {
        keep(p, byte ^ ESCAPE_FLIPS);
        p->escaped = false;
    } else if (byte == ESCAPE) {
        p->escaped = true;
    } else {
        keep(p, byte);
    }
    return GDB_NOTHING;
}

gdb_input gdb_parse(gdb_parser *p, uint8_t byte)
{
    const int digit = gdb_digit((char)byte);
    switch (p->state) {
    case BETWEEN:
        if (byte == INTERRUPT) {
            return GDB_INTERRUPT;
        }
        if (byte == '$') { /* + and - are acknowledgements; over a socket nothing is lost, so they say nothing */
            p->state = INSIDE;
            p->sum = 0;
            p->size = 0;
            p->escaped = p->too_long = false;
        }
        return GDB_NOTHING;
    case INSIDE: return inside(p, byte);
    case FIRST_DIGIT:
        p->given = (uint8_t)((digit < 0 ? 0 : digit) << 4);
        p->state = SECOND_DIGIT;
        return GDB_NOTHING;
    default:
        p->state = BETWEEN;
        p->given = (uint8_t)(p->given | (digit < 0 ? 0 : digit));
        p->packet[p->size] = '\0';
        if (p->too_long) {
            return GDB_TOO_LONG;
        }
        return p->given == p->sum ? GDB_PACKET : GDB_BAD_SUM;
    }
}

static bool send_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t n = send(fd, data, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        data += n;
        size -= (size_t)n;
    }
    return true;
}

/* False: the other side has gone. */
static bool fill(gdb_line *line)
{
    for (;;) {
        const ssize_t n = recv(line->fd, line->input, sizeof line->input, 0);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        line->at = 0;
        line->count = n > 0 ? (size_t)n : 0;
        return n > 0;
    }
}

bool gdb_receive(gdb_line *line, gdb_input *what)
{
    for (;;) {
        if (line->at == line->count && !fill(line)) {
            return false;
        }
        *what = gdb_parse(&line->parser, line->input[line->at++]);
        if (*what == GDB_NOTHING) {
            continue;
        }
        const bool good = *what == GDB_PACKET || *what == GDB_TOO_LONG;
        if (!line->no_ack && *what != GDB_INTERRUPT && !send_all(line->fd, good ? "+" : "-", 1)) {
            return false;
        }
        if (*what != GDB_BAD_SUM) {
            return true;
        }
    }
}

bool gdb_interrupt_waits(gdb_line *line)
{
    if (line->at == line->count) {
        struct pollfd look = {.fd = line->fd, .events = POLLIN};
        if (poll(&look, 1, 0) <= 0) {
            return false;
        }
        if (!fill(line)) {
            return true; /* nobody is there any more to run for */
        }
    }
    while (line->at < line->count && (line->input[line->at] == '+' || line->input[line->at] == '-')) {
        line->at++;
    }
    if (line->at < line->count && line->input[line->at] == INTERRUPT) {
        line->at++;
        return true;
    }
    return false;
}

bool gdb_send(gdb_line *line, const char *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char out[2048];
    size_t n = 0;
    uint8_t sum = 0;
    out[n++] = '$';
    for (size_t i = 0; i < size; i++) {
        const char c = data[i];
        if (n + 8 > sizeof out) {
            if (!send_all(line->fd, out, n)) {
                return false;
            }
            n = 0;
        }
        if (c == '#' || c == '$' || c == ESCAPE || c == '*') {
            out[n++] = ESCAPE;
            sum = (uint8_t)(sum + ESCAPE);
            out[n] = (char)(c ^ ESCAPE_FLIPS);
        } else {
            out[n] = c;
        }
        sum = (uint8_t)(sum + (uint8_t)out[n++]);
    }
    out[n++] = '#';
    out[n++] = digits[sum >> 4];
    out[n++] = digits[sum & 15];
    return send_all(line->fd, out, n);
}
