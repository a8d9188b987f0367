/* SPDX-License-Identifier: Apache-2.0 */
/* Routers and links of both NoCs (manual NoC/README, NoC/RoutingPaths), and the hand-over of packets between islands.
 *
 * Runs on the calling thread between windows.  A link serves packets in order of injection (cycle, source, NoC,
 * sequence), one flit a cycle, so that an arrival is final once the window of its injection is over.  The difference to
 * the true order of arrival at a link is a known approximation (docs/architecture.md).
 *
 * A port is where packets come in: one for each node of the grid, and one for each DRAM bank's memory, which three
 * nodes share. */
#ifndef KERR_NOC_FABRIC_H
#define KERR_NOC_FABRIC_H

#include "noc/packet.h"

enum {
    NOC_BANKS = 8,
    NOC_PORTS = NOC_NODES + NOC_BANKS,
    NOC_INBOX_CAPACITY = 1 << 15,
    NOC_OUTBOX_CAPACITY = 1 << 10,
    NOC_PENDING_CAPACITY = 1 << 18,
};

/* What an inbox holds: a packet and the cycle in which it takes effect. */
typedef struct noc_entry {
    uint64_t cycle;
    uint64_t order; /* at equal cycles: source, NoC, sequence */
    packet_ref ref;
    uint32_t reserved;
} noc_entry;

/* A heap: entry[0] is the first in time. */
typedef struct noc_queue {
    noc_entry *entry;
    uint32_t count, capacity;
} noc_queue;

typedef struct noc_port {
    noc_queue inbox;
    packet_ref *outbox;
    uint32_t outbox_count;
    uint32_t reserved;
} noc_port;

/* Links of a router, by NoC and node. */
enum noc_link { LINK_IN = 0, LINK_X, LINK_Y, LINK_OUT, NOC_LINKS };

typedef struct noc_fabric {
    uint64_t link_free[NOC_COUNT][NOC_NODES][NOC_LINKS]; /* first cycle in which it can take a flit */
    uint32_t sequence[NOC_COUNT][NOC_NODES];             /* of packets that no NIU numbers: NOC_BY_FABRIC */
    /* Not state of its own: mappings. */
    noc_port port[NOC_PORTS];
    noc_queue pending; /* packets that leave their sender in a later window: acknowledgements, responses of memories */
} noc_fabric;

/* What the fabric must know of the chip. */
typedef struct noc_chip {
    void *chip;
    /* Which port a packet for this node goes to. */
    uint32_t (*port_of)(void *chip, noc_node node, const noc_packet *packet);
    /* Whether this NIU takes broadcasts (ROUTER_CFG_1 and _3). */
    bool (*takes_broadcasts)(void *chip, unsigned noc, noc_node node);
    /* Something was put into this port's inbox for this cycle. */
    void (*arrives)(void *chip, uint32_t port, uint64_t cycle);
    void (*fault)(void *chip, const noc_packet *packet, uint64_t cycle, const char *text);
} noc_chip;

bool fabric_create(noc_fabric *fabric);
void fabric_destroy(noc_fabric *fabric);
void fabric_clear(noc_fabric *fabric);

/* From a packet's `cycle` to its effect at the nearest other node, at least: a window may be as long as this. */
uint32_t fabric_lookahead(void);

/* The window up to `end` is over: everything that leaves before it goes to the inboxes. */
void fabric_exchange(noc_fabric *fabric, const noc_chip *chip, noc_store *store, uint64_t end);

/* The response of a memory or passive node to a read or an atomic: all but the data.  NULL: no room. */
noc_packet *fabric_response(noc_fabric *fabric, noc_store *store, const noc_packet *request, noc_node from,
                            uint64_t leaves, packet_ref *ref);
/* Between windows: it leaves at its own cycle, which is not before the end of the window that is over. */
void fabric_send(noc_fabric *fabric, const noc_chip *chip, noc_store *store, packet_ref ref);

/* Whether nothing is on its way and nothing waits. */
bool fabric_is_empty(const noc_fabric *fabric);
/* The first cycle in which a packet in `pending` leaves, NEVER if none does. */
uint64_t fabric_next(const noc_fabric *fabric);

uint64_t noc_order(const noc_packet *packet);
uint32_t noc_flits(const noc_packet *packet);
/* Of noc_packet.data. */
static inline uint32_t noc_data_bytes(const noc_packet *packet)
{
    const bool has = packet->op == NOC_WRITE || packet->op == NOC_READ_RESPONSE || packet->op == NOC_DMA_WRITE ||
                     packet->op == NOC_DMA_DATA;
    return has ? packet->length : 0;
}
/* The acknowledgement of a write that has taken effect at node `from`; the sequence is the caller's. */
void noc_make_ack(noc_packet *ack, const noc_packet *write, noc_node from, uint64_t effect);
/* False: full. */
bool noc_queue_put(noc_queue *queue, noc_entry entry);
noc_entry noc_queue_take(noc_queue *queue);

/* Whether this node is in the rectangle. */
bool fabric_multicast_has(const noc_packet *packet, noc_node node);
/* The nodes that a multicast reaches, as a bit for each raw coordinate of its NoC: x in the low 17 bits of rows[y]. */
void fabric_receivers(const noc_packet *packet, uint32_t rows[NOC_GRID_Y]);

#endif
