/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a host program's calls that KERR_RECORD=FILE makes the drop-in library write, and `kerr replay` plays.
 *
 * A kerr_record_header, then entries: a kerr_record_entry, then `size` bytes for those that carry data, no padding.  A call
 * comes first; what the card read from and wrote to host memory during it follows; a read ends with its RESULT.  A log that
 * breaks off (the program was killed) is good up to there; there may be zeroes behind its end. */
#ifndef KERR_RECORD_H
#define KERR_RECORD_H

#include <stdint.h>

enum { KERR_RECORD_VERSION = 1 };

typedef struct kerr_record_header {
    char magic[8]; /* "kerrlog\n" */
    uint32_t version;
    uint32_t reserved;
} kerr_record_header;

typedef enum kerr_record_kind {
    KERR_LOG_INIT = 1, /* data: KERR_ variables that count, as NAME=VALUE lines; address: bit 0, the host has memory */
    KERR_LOG_EXIT,
    KERR_LOG_CLOCK,        /* address: cycles */
    KERR_LOG_READ,         /* address, size; no data */
    KERR_LOG_WRITE,        /* address; data */
    KERR_LOG_TILE_READ,    /* x, y, address, size; no data */
    KERR_LOG_TILE_WRITE,   /* x, y, address; data */
    KERR_LOG_CONFIG_READ,  /* address: bus_device_function << 32 | offset */
    KERR_LOG_CONFIG_WRITE, /* the same; value: what is written */
    KERR_LOG_DMA_READ,     /* the card read host memory: address; data */
    KERR_LOG_DMA_WRITE,    /* the card wrote it: address, size; value: kerr_record_hash; no data */
    KERR_LOG_RESULT,       /* of a read: value: kerr_record_hash of what the host got; address: the chip's cycle */
    KERR_LOG_END,          /* the chip ends: value: kerr_hash; address: the cycle; size: tiles that hung then */
    KERR_LOG_HANG, /* the library took the card off the bus, by the host's clock: nothing behind can be played */
    KERR_LOG_KINDS
} kerr_record_kind;

typedef struct kerr_record_entry {
    uint8_t kind; /* kerr_record_kind */
    uint8_t x, y;
    uint8_t reserved;
    uint32_t size;
    uint64_t address;
    uint64_t value;
} kerr_record_entry;

static inline uint64_t kerr_record_hash(const void *data, uint32_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    uint64_t hash = UINT64_C(0xCBF29CE484222325) ^ size;
    for (uint32_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    return hash;
}

#endif
