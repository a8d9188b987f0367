/* SPDX-License-Identifier: Apache-2.0 */
/* The NoC overlay of one tile: 64 streams in a Tensix tile, 32 in an Ethernet tile, 16 in a DRAM tile.
 *
 * Owned by struct tile, beside struct devices; written only by overlay.c.  Plain data without padding: zero is power-on
 * state (what has another reset value is kept as the difference to it), and memory that nobody wrote stays untouched.
 * Firmware uses streams as counters: those registers are close together, stream beside stream. */
#ifndef KERR_NOC_OVERLAY_H
#define KERR_NOC_OVERLAY_H

#include "noc/packet.h"
#include "overlay_regs.h"
#include "tile/devices.h"

enum {
    OVERLAY_STREAMS = 64,       /* the most of any tile */
    OVERLAY_MCAST_STREAMS = 4,  /* streams 0 to 3 */
    OVERLAY_MCAST_SPACES = 32,  /* receivers of a multicast */
    OVERLAY_HEADER_STREAMS = 2, /* streams 4 and 5 keep headers */
    OVERLAY_MESSAGES = 32,      /* the largest message metadata FIFO */
    OVERLAY_READS = 128,        /* the largest L1 read complete FIFO */
    OVERLAY_HEADERS = 16,       /* messages of a stream that keeps headers */
};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

/* A stream as far as it moves messages; all zero in one that never did. */
typedef struct overlay_stream {
    uint64_t due;                       /* cycle at which its configuration has come from L1; 0: it does not wait */
    uint32_t message[OVERLAY_MESSAGES]; /* message metadata FIFO: address in units of 16 bytes, length << 17 */
    uint32_t read[OVERLAY_READS];       /* L1 read complete FIFO: lengths in units of 16 bytes */
    uint32_t next_message;              /* where in the buffer the next message starts */
    uint16_t to_receive;                /* messages of this phase that have not come in yet */
    uint8_t message_head, message_count;
    uint8_t read_head, read_count;
    uint8_t state; /* STREAM_CURR_STATE */
    uint8_t reserved[5];
} overlay_stream;

typedef struct overlay {
    uint64_t used;      /* streams ever written to */
    uint64_t done;      /* STREAM_BLOB_AUTO_CFG_DONE */
    uint64_t due;       /* streams that wait for their configuration */
    uint32_t next_done; /* where STREAM_BLOB_NEXT_AUTO_CFG_DONE goes on */
    uint32_t reserved;
    uint32_t space[OVERLAY_STREAMS];                                   /* STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE */
    uint32_t reg[OVERLAY_SLOTS][OVERLAY_STREAMS];                      /* ^ reset value */
    uint32_t mcast_space[OVERLAY_MCAST_STREAMS][OVERLAY_MCAST_SPACES]; /* [0] is space */
    uint32_t new_header[OVERLAY_HEADER_STREAMS][4];
    uint32_t header[OVERLAY_HEADER_STREAMS][OVERLAY_HEADERS][4]; /* beside overlay_stream.message */
    overlay_stream stream[OVERLAY_STREAMS];
} overlay;

#pragma GCC diagnostic pop

/* Of a tile; src/tile/tile.c. */
overlay *tile_overlay(struct tile *tile);
const overlay *tile_overlay_const(const struct tile *tile);

/* True: reading has no side effect and gives the same until tile_devices_changed. */
bool overlay_is_steady(uint32_t address);
/* The hardware's name of a register, NULL if there is none. */
const char *overlay_register_name(uint32_t address);

/* A write that came with DeliverToReceiverOverlay has been done at `cycle`. */
void overlay_packet(struct tile *tile, const noc_packet *packet, uint64_t cycle);

/* For the coprocessor: STREAM_CURR_PHASE and STREAM_NUM_MSGS_RECEIVED of a stream. */
uint32_t overlay_curr_phase(const struct tile *tile, unsigned stream);
uint32_t overlay_num_msgs_received(const struct tile *tile, unsigned stream);

/* dev->overlay_due: the next cycle at which a stream goes on by itself, 0 if none. */
void overlay_event(struct tile *tile, uint64_t cycle);

/* Whether counts that came from outside stay within their arrays (restore). */
bool overlay_is_sane(const overlay *ov);

#endif
