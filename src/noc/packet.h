/* SPDX-License-Identifier: Apache-2.0 */
/* A NoC packet: what one NIU hands to the fabric and the fabric hands to another NIU (manual NoC/README, MemoryMap).
 *
 * Life of a packet: an NIU (tile/niu.c) takes one from its worker's store, fills it and sends it (tile_noc_send) at the
 * cycle in which its first flit leaves: `cycle`.  Packets to the own tile stay inside the tile.  All others wait for the
 * end of the window, when the fabric (noc/fabric.c) routes them in order of (cycle, source, noc, sequence), reserves
 * links, and puts them into the inbox of each receiver with the cycle in which they take effect there; that cycle is
 * never inside the window they were sent in.  The receiver's tile calls niu_deliver at exactly that cycle.
 *
 * Acknowledgements of writes are made by the fabric itself (the receiver has nothing to add); responses to reads and
 * atomics are packets that the receiving NIU sends.
 *
 * Packets and their data live in one mapping of the chip, in blocks of four sizes.  A block belongs to whoever holds
 * its packet_ref; a multicast is one block in several inboxes, counted by `holders`. */
#ifndef KERR_NOC_PACKET_H
#define KERR_NOC_PACKET_H

#include "kerr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NOC_COUNT = 2,
    NOC_GRID_X = 17,
    NOC_GRID_Y = 12,
    NOC_NODES = NOC_GRID_X * NOC_GRID_Y,
    NOC_FLIT_BYTES = 64,
    NOC_MAX_PAYLOAD = 16384,
};

typedef enum noc_op {
    NOC_WRITE = 0, /* payload goes to address */
    NOC_READ,      /* length bytes at address are wanted at return_address of node return_to */
    NOC_ATOMIC,    /* at_len_be and immediate say what; the old word goes to return_address of node return_to */
    NOC_WRITE_ACK,
    NOC_READ_RESPONSE,   /* payload goes to address */
    NOC_ATOMIC_RESPONSE, /* immediate goes to address */
    NOC_HOLD,            /* from the fabric to the sender of a packet: its port is busy until cycle `address` */
} noc_op;

/* op between a DRAM tile's DMA engine and its bank, over no link: no NIU sees these.  noc is the stream, immediate 1 = the
 * last of its transfer. */
enum noc_dma_op {
    NOC_DMA_READ = NOC_HOLD + 1, /* length bytes at address of the bank are wanted at return_address of L1 */
    NOC_DMA_WRITE,               /* payload goes to address of the bank */
    NOC_DMA_DATA,                /* back from a read: payload goes to address of L1 */
    NOC_DMA_DONE,                /* back from a write */
};

enum noc_flag {
    NOC_RESPONSE_WANTED = 1 << 0, /* NOC_CMD_RESP_MARKED; always set for reads */
    NOC_MULTICAST = 1 << 1,       /* NOC_CMD_BRCST_PACKET: the rectangle counts, not `destination` */
    NOC_LINKED = 1 << 2,
    NOC_STATIC_VC = 1 << 3,
    NOC_PATH_RESERVE = 1 << 4,
    NOC_INLINE = 1 << 5, /* payload is NOC_AT_DATA (already copied into data[]) */
    NOC_BYTE_ENABLE = 1 << 6,
    NOC_Y_MAJOR = 1 << 7,        /* NOC_CMD_BRCST_XY */
    NOC_INCLUDE_SOURCE = 1 << 8, /* NOC_CMD_BRCST_SRC_INCLUDE */
    NOC_L1_ACCUMULATE = 1 << 9,
    NOC_HEADER_STORE = 1 << 10, /* NOC_PACKET_TAG_HEADER_STORE; immediate is NOC_AT_DATA */
    NOC_TO_OVERLAY = 1 << 11,   /* DeliverToReceiverOverlay; see packet_tag */
    NOC_BY_FABRIC = 1 << 12,    /* numbered as the request that it answers, not by an NIU */
    NOC_EXPRESS = 1 << 13,      /* came through the fabric without events; with NOC_FROM_BANK: its request did */
    NOC_FROM_BANK = 1 << 14,    /* data of a DRAM bank that has not left: it has a place in the tile's port */
};

/* Raw coordinates of the packet's own NoC, both ends included; start > end wraps around. */
typedef struct noc_rectangle {
    uint8_t start_x, start_y, end_x, end_y;
    uint32_t exclude; /* NOC_BRCST_EXCLUDE */
} noc_rectangle;

/* What of an NIU's configuration packets look at before they are there. */
enum noc_mode {
    NOC_TAKES_BROADCASTS = 1, /* ROUTER_CFG_1 and _3 */
    NOC_SHOWS_BANK = 2,       /* a DRAM tile in NoC2AXI mode (NIU_CFG_0) */
};

/* A tile of the grid: y * NOC_GRID_X + x in NoC 0 coordinates, whichever NoC the packet travels on. */
typedef uint8_t noc_node;
enum { NO_NODE = 0xFF };

typedef struct noc_packet {
    uint64_t cycle;          /* first flit leaves the sender */
    uint64_t address;        /* in the destination's address space */
    uint64_t return_address; /* reads, atomics; of writes and responses: where the data comes from, for messages */
    uint64_t byte_enable;    /* NOC_BYTE_ENABLE: bit i for data[i], which goes to (address & ~15) + i */
    uint32_t sequence;       /* counts the packets of (source, noc) */
    uint32_t length;         /* bytes: of the payload, or wanted by a read */
    uint32_t immediate;      /* NOC_AT_DATA; an atomic's result */
    uint32_t at_len_be;      /* atomics: NOC_AT_LEN_BE; with NOC_L1_ACCUMULATE: NOC_L1_ACC_AT_INSTRN */
    noc_rectangle rectangle;
    int32_t holders;       /* who still holds a reference: several for a multicast */
    uint32_t initiator_pc; /* for faults: pc of the core that asked, 0 if none */
    uint32_t next;         /* packet_ref: in a list of whoever holds it */
    uint16_t flags;        /* noc_flag */
    uint16_t packet_tag;   /* NOC_PACKET_TAG: overlay stream and message bits */
    noc_node source;       /* sent this packet */
    noc_node destination;
    noc_node return_to;      /* gets the acknowledgement or response */
    uint8_t op;              /* noc_op */
    uint8_t noc;             /* 0 or 1 */
    uint8_t virtual_channel; /* class and buddy bits */
    uint8_t transaction_id;
    uint8_t size_class;     /* of the block it lives in */
    uint8_t initiator_core; /* kerr_core of the core that asked, 0xFF if none */
    uint8_t priority;
    /* While it stands in a router (fabric.c). */
    uint8_t input;                        /* from west, from north, from the NIU */
    uint8_t up_node, up_port, up_channel; /* the link that it still occupies behind itself; up_node NO_NODE: none */
    uint64_t tail;                        /* cycle in which its last flit goes over that link */
    uint16_t flits;                       /* noc_flits */
    uint8_t reserved[14];
    uint8_t data[]; /* length bytes for writes and read responses */
} noc_packet;
_Static_assert(sizeof(noc_packet) == 112 && offsetof(noc_packet, data) == 112, "data is aligned to 16 bytes");

/* One header flit; data flits carry whole 64-byte lines of the receiver's memory. */
static inline uint32_t noc_data_flits(uint64_t address, uint32_t length)
{
    return (uint32_t)(((address & (NOC_FLIT_BYTES - 1)) + length + NOC_FLIT_BYTES - 1) / NOC_FLIT_BYTES);
}

static inline bool noc_is_dma(const noc_packet *packet)
{
    return packet->op >= NOC_DMA_READ;
}

/* Whether a core may have asked for what this packet is about. */
static inline bool noc_has_asker(const noc_packet *packet)
{
    return packet->initiator_core < KERR_CORE_COUNT &&
           (packet->op <= NOC_ATOMIC || packet->op == NOC_READ_RESPONSE || packet->op == NOC_ATOMIC_RESPONSE);
}

/* Where that core is.  An answer may go to another tile than the one that asked. */
static inline noc_node noc_asker_node(const noc_packet *packet)
{
    return packet->op <= NOC_ATOMIC ? packet->source : packet->return_to;
}
/* " (B of 1-2, pc 0x1234)", or nothing: for messages. */
enum { NOC_ASKER_TEXT = 40 };
const char *noc_asker_text(const noc_packet *packet, char text[NOC_ASKER_TEXT]);

static inline noc_node noc_node_at(unsigned x, unsigned y)
{
    return (noc_node)(y * NOC_GRID_X + x);
}

/* NoC 1 counts from the opposite corner (manual NoC/Coordinates). */
static inline unsigned noc_raw_x(unsigned noc, unsigned x)
{
    return noc ? NOC_GRID_X - 1 - x : x;
}
static inline unsigned noc_raw_y(unsigned noc, unsigned y)
{
    return noc ? NOC_GRID_Y - 1 - y : y;
}

/* Routers from the sender of a multicast to the last of its receivers: to the rectangle's corner and through it. */
static inline unsigned noc_tree_depth(const noc_packet *packet)
{
    const noc_rectangle *r = &packet->rectangle;
    const unsigned x = noc_raw_x(packet->noc, packet->source % NOC_GRID_X),
                   y = noc_raw_y(packet->noc, packet->source / NOC_GRID_X);
    const unsigned to_x = r->start_x + NOC_GRID_X - x, to_y = r->start_y + NOC_GRID_Y - y;
    const unsigned on_x = r->end_x + NOC_GRID_X - 0u - r->start_x, on_y = r->end_y + NOC_GRID_Y - 0u - r->start_y;
    return to_x % NOC_GRID_X + on_x % NOC_GRID_X + to_y % NOC_GRID_Y + on_y % NOC_GRID_Y;
}

/* ---- The store of blocks -------------------------------------------------------------------------- */

enum { NOC_SIZE_CLASSES = 4 };
typedef uint32_t packet_ref; /* where its block is in the mapping, in units of NOC_REF_BYTES; NO_PACKET: none */
#define NO_PACKET UINT32_MAX

/* Blocks that nobody uses, as one worker knows them.  All workers' stores share the blocks themselves. */
typedef struct noc_store {
    uint8_t *blocks;                      /* shared */
    uint32_t *first_unused;               /* shared, atomic: blocks from here on were never used */
    packet_ref *unused[NOC_SIZE_CLASSES]; /* a stack, this worker's own */
    uint32_t unused_count[NOC_SIZE_CLASSES];
    packet_ref *let_go; /* one for each holder less of packets that have others, this worker's own */
    uint32_t let_go_count;
} noc_store;

/* A block with room for `bytes` of data; all fields zero but size_class.  NULL: none left (the sender raises INTERNAL). */
noc_packet *noc_packet_new(noc_store *store, uint32_t bytes, packet_ref *ref);
enum { NOC_REF_BYTES = 64 };
static inline noc_packet *noc_packet_at(const noc_store *store, packet_ref ref)
{
    return (noc_packet *)(void *)(store->blocks + (size_t)ref * NOC_REF_BYTES);
}
/* One holder is done with it. */
void noc_packet_release(noc_store *store, packet_ref ref);

/* The mapping that `count` stores share.  False: no memory. */
bool noc_stores_create(noc_store *stores, uint32_t count);
void noc_stores_destroy(noc_store *stores, uint32_t count);
/* All blocks are unused again. */
void noc_stores_clear(noc_store *stores, uint32_t count);
/* Between windows: packets that nobody holds any more are unused, and a worker that only sends gets back what one that
 * only receives has collected. */
void noc_stores_balance(noc_store *stores, uint32_t count);

#endif
