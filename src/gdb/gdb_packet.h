/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of gdb's remote protocol over a socket: frames, checksums, escapes.  What is in them is gdb_session.h's. */
#ifndef KERR_GDB_PACKET_H
#define KERR_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GDB_PACKET_MAX = 16384 };

typedef enum gdb_input {
    GDB_NOTHING = 0, /* more bytes are needed */
    GDB_PACKET,      /* `packet` holds `size` bytes, and a 0 behind them */
    GDB_BAD_SUM,     /* a packet with a wrong checksum, which is to be sent again */
    GDB_TOO_LONG,    /* a packet that no client of ours sends: it is left out */
    GDB_INTERRUPT,   /* the byte 3 */
} gdb_input;

/* Takes bytes apart; zeroed is its start. */
typedef struct gdb_parser {
    int state;
    uint8_t sum, given;
    bool escaped, too_long;
    size_t size;
    char packet[GDB_PACKET_MAX + 1];
} gdb_parser;
gdb_input gdb_parse(gdb_parser *p, uint8_t byte);

/* A connection. */
typedef struct gdb_line {
    int fd;
    bool no_ack;
    uint8_t input[4096];
    size_t at, count;
    gdb_parser parser;
} gdb_line;
/* The next packet or interrupt; false: the other side has gone. */
bool gdb_receive(gdb_line *line, gdb_input *what);
/* Whether an interrupt waits; looks without waiting, and keeps what else has come. */
bool gdb_interrupt_waits(gdb_line *line);
/* Sends a packet; escapes what needs it. */
bool gdb_send(gdb_line *line, const char *data, size_t size);

/* Hexadecimal; the number of bytes, stops at the first that is none. */
size_t gdb_from_hex(const char *text, size_t length, uint8_t *bytes, size_t most);
int gdb_digit(char c); /* -1: none */

#endif
