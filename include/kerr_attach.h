/* SPDX-License-Identifier: Apache-2.0 */
/* How another process of the same user talks to a running simulation: a Unix socket (SOCK_STREAM), to which it sends requests and
 * gets one reply for each, in order.  Both ends are on one machine, so numbers are as that machine has them.  docs/attach.md.
 *
 * A request that is not understood gets a reply that says why, and changes nothing.  None of them changes the chip or its time but
 * KERR_ATTACH_GDB: what a debugger writes is written. */
#ifndef KERR_ATTACH_H
#define KERR_ATTACH_H

#include "kerr.h"

enum {
    KERR_ATTACH_VERSION = 1,
    KERR_ATTACH_REQUEST_LEAST = 4,     /* `bytes` of a request: verb and version */
    KERR_ATTACH_REQUEST_MOST = 4096,   /* a longer one ends the connection, behind the reply that says so */
    KERR_ATTACH_READ_MOST = 1 << 20,   /* bytes of memory at once */
    KERR_ATTACH_REPLY_MOST = 64 << 20, /* `bytes` of a reply */
    KERR_ATTACH_CONNECTIONS = 8,       /* at a time */
};

typedef enum kerr_attach_verb {
    KERR_ATTACH_HELLO = 1, /* kerr_attach_hello */
    KERR_ATTACH_STATUS,    /* kerr_attach_status */
    KERR_ATTACH_GRID,      /* kerr_attach_grid, then its tiles */
    KERR_ATTACH_READ,   /* memory of tile x, y from `address` on, `size` bytes; core: as that core sees it, else 255 */
    KERR_ATTACH_CORE,   /* kerr_attach_core of tile x, y */
    KERR_ATTACH_TILE,   /* kerr_attach_threads of Tensix tile x, y */
    KERR_ATTACH_STATE,  /* the state of tile x, y as JSON; what: a mask of KERR_STATE_* */
    KERR_ATTACH_FAULTS, /* faults and findings from number `size` on, a line of text each */
    KERR_ATTACH_HASH,   /* kerr_hash, eight bytes */
    KERR_ATTACH_PAUSE,  /* the host's next call waits; until CONTINUE, or until this connection ends */
    KERR_ATTACH_CONTINUE,
    KERR_ATTACH_GDB, /* behind the reply the connection is that of a gdb, in its remote protocol */
    KERR_ATTACH_VERBS
} kerr_attach_verb;

/* What follows `bytes` may be cut: what is missing is zero. */
typedef struct kerr_attach_request {
    uint32_t bytes; /* that follow: KERR_ATTACH_REQUEST_LEAST or more */
    uint16_t verb;
    uint16_t version; /* KERR_ATTACH_VERSION */
    uint8_t x, y, core, what;
    uint32_t size;
    uint64_t address;
} kerr_attach_request;
_Static_assert(sizeof(kerr_attach_request) == 24, "as sent");

typedef enum kerr_attach_result {
    KERR_ATTACH_OK = 0,
    KERR_ATTACH_BAD_REQUEST, /* the connection's fault; these and all below have a sentence behind the head */
    KERR_ATTACH_NO_CHIP,     /* there is none now: the host has not made one yet, or it is over */
    KERR_ATTACH_REFUSED,     /* no such tile, core or address */
    KERR_ATTACH_BUSY,        /* too many connections, or a debugger is there already */
    KERR_ATTACH_NO_MEMORY,
    KERR_ATTACH_NOT_YOURS, /* another user's simulation */
} kerr_attach_result;

typedef struct kerr_attach_reply {
    uint32_t bytes; /* that follow this head */
    uint16_t verb;  /* of the request */
    uint16_t result;
} kerr_attach_reply;

typedef struct kerr_attach_hello {
    uint32_t version;
    int32_t pid;
    char build[24];
    char program[216]; /* what the host is */
} kerr_attach_hello;

typedef struct kerr_attach_status {
    uint64_t cycle;
    uint64_t ns;     /* CLOCK_MONOTONIC */
    uint32_t chips;  /* how many the host has made */
    uint32_t faults; /* on record; findings of checks too */
    uint8_t has_chip;
    uint8_t paused;   /* somebody holds it */
    uint8_t debugged; /* a gdb is there */
    uint8_t stopped;  /* by a fault */
    uint8_t in_call;  /* of the host, when the request came */
    uint8_t over;     /* the run is done, and stays to be looked at */
    uint8_t reserved[2];
} kerr_attach_status;

/* Counters of kerr_activity, and what is the case now. */
typedef struct kerr_attach_tile {
    uint8_t x, y;
    uint8_t kind; /* kerr_tile_kind */
    uint8_t cores;
    uint8_t core_state[KERR_CORE_COUNT]; /* kerr_core_state */
    uint8_t waits[3];                    /* kerr_tensix_reason of what stands at a wait gate; 255: nothing does */
    uint32_t faults;
    uint64_t instructions;
    uint64_t unit_busy[KERR_UNIT_COUNT], unit_taken[KERR_UNIT_COUNT];
    uint32_t stalled[3];
    uint32_t reserved;
} kerr_attach_tile;
typedef struct kerr_attach_grid {
    kerr_attach_status status;
    uint32_t tiles;      /* that are on: Tensix, Ethernet and DRAM tiles */
    uint32_t tile_bytes; /* of each */
} kerr_attach_grid;

typedef struct kerr_attach_core {
    kerr_core_info info;
    uint32_t x[32], f[32];
    uint32_t code[8]; /* words from pc on; zero where there are none */
} kerr_attach_core;

typedef struct kerr_attach_threads {
    kerr_thread_info thread[3];
    kerr_sync_info sync;
} kerr_attach_threads;

#endif
