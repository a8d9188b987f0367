/* SPDX-License-Identifier: Apache-2.0 */
/* Routers and links of both NoCs (manual NoC/README, NoC/RoutingPaths), and the hand-over of packets between islands.
 *
 * Runs on the calling thread between windows, as a simulation of its own by events: a packet's grant at each router.
 * A link carries a flit a cycle.  A router has for each way in and each virtual channel a queue of COST_NOC_BUFFER flits;
 * an output takes the virtual channels in turn, and within one the ways in, packet by packet; a packet that does not fit
 * into the next queue stands on the links behind it (wormhole switching) and holds up its NIU.  What a network without
 * such packets does is computed at once, without events ("express").
 *
 * Two clocks: what happens at NIUs is done up to the end of the window, and what happens in routers COST_NOC_IN cycles
 * further, since nothing that leaves an NIU later can be there before.  So the arrival of everything that takes effect
 * within the next fabric_lookahead cycles is known, and nothing depends on where windows end.
 *
 * A port is where packets come in: one for each node of the grid, and one for each DRAM bank's memory, which three
 * nodes share. */
#ifndef KERR_NOC_FABRIC_H
#define KERR_NOC_FABRIC_H

#include "base/shake.h"
#include "noc/packet.h"

enum {
    NOC_BANKS = 8,
    NOC_PORTS = NOC_NODES + NOC_BANKS,
    NOC_INBOX_CAPACITY = 1 << 15,
    NOC_OUTBOX_CAPACITY = 1 << 10,
    NOC_PENDING_CAPACITY = 1 << 18,
    NOC_EVENT_CAPACITY = 1 << 18,
    NOC_CHANNELS = 16, /* class, buddy and dateline bit */
    NOC_INPUTS = 3,    /* from west or east, from north or south, from the NIU */
    NOC_OUTPUTS = 3,   /* along x, along y, to the NIU */
    NOC_SIDES = 2,     /* an NIU sends requests and responses independently */
};

/* What an inbox holds: a packet and the cycle in which it takes effect; or the acknowledgement of a write, which needs no
 * packet.  In an outbox the cycle of a packet is that in which it leaves.  Also an event of the fabric. */
typedef struct noc_entry {
    uint64_t cycle;
    uint64_t order; /* noc_order; of events: kind, then place */
    packet_ref ref; /* NO_PACKET: an acknowledgement, or an event without one */
    uint32_t
        value; /* of an acknowledgement: transaction id, or niu_bank_request; of an outbox: destination; of some events: flits */
} noc_entry;

static inline unsigned noc_order_noc(uint64_t order)
{
    return order >> 42 & 1;
}
/* Of what the fabric numbers: answers and acknowledgements. */
static inline noc_node noc_order_destination(uint64_t order)
{
    return (noc_node)(order >> 32);
}

/* By cycle, then order.  Most entries come in order, or as a few rows that each are: such a row is a run, a ring of its
 * own; the others are in a heap. */
enum { NOC_RUNS = 4, NOC_RUN_ENTRIES = 512, NOC_HEAP = NOC_RUNS };
typedef struct noc_key {
    uint64_t cycle, order;
} noc_key;
typedef struct noc_queue {
    noc_key head[NOC_RUNS + 1]; /* the first of each run and of the heap; cycle NEVER: it is empty */
    noc_key last[NOC_RUNS];     /* the last of each run */
    noc_entry *heap;
    noc_entry *run; /* NOC_RUN_ENTRIES each */
    uint64_t next;  /* cycle of the first of all, NEVER if there is none */
    uint32_t count; /* in all */
    uint32_t heap_count, heap_capacity;
    uint16_t first;  /* which of head[] comes first */
    uint16_t filled; /* bit for each of head[] that is not empty */
    uint16_t run_first[NOC_RUNS], run_count[NOC_RUNS];
} noc_queue;

/* The first cycle, NEVER if it is empty. */
static inline uint64_t noc_queue_next(const noc_queue *queue)
{
    return queue->next;
}

/* Whether the first entry of `a` comes before that of `b`. */
static inline bool noc_queue_is_before(const noc_queue *a, const noc_queue *b)
{
    return a->next < b->next || (a->next == b->next && a->head[a->first].order < b->head[b->first].order);
}

/* An event in a router that is near in time, in a list of those of the same cycle. */
typedef struct noc_event {
    uint32_t next;  /* number + 1; 0: the last */
    uint32_t what;  /* kind << 24 | router << 8 | place << 4 | channel */
    packet_ref ref; /* NO_PACKET: none */
    uint32_t value;
} noc_event;

/* Events in routers by cycle: a list for each of the next NOC_AGENDA_CYCLES cycles, a heap for what is further away.
 * Within a cycle their order does not count (see run_routers). */
enum { NOC_AGENDA_CYCLES = 1024 };
typedef struct noc_agenda {
    uint64_t from; /* what is in the lists has a cycle of from .. from + NOC_AGENDA_CYCLES - 1 */
    uint64_t next; /* the first cycle of the lists, NEVER if they are empty */
    uint64_t filled[NOC_AGENDA_CYCLES / 64];
    uint32_t list[NOC_AGENDA_CYCLES]; /* of a cycle modulo NOC_AGENDA_CYCLES: noc_event.next */
    noc_event *event;
    uint32_t unused, used, capacity; /* the first of a list of unused events; those above used never were */
    noc_queue far;
} noc_agenda;

/* It was changed in this window: `was` counts for packets that look in `cycle` or before.  The fabric goes over the window when the
 * tiles are through with it and finds the NIU as it is at its end. */
typedef struct noc_change {
    uint64_t cycle;
    uint8_t noc, was; /* enum noc_mode */
    uint8_t reserved[6];
} noc_change;
/* One for each NoC and cycle: a window is no longer than fabric_lookahead from the first on (chip_create, tile/bus.c: reaches_out). */
enum { NOC_CHANGES = 128 };

typedef struct noc_port {
    noc_queue inbox;
    /* Acknowledgements of a tile's writes, and of a DRAM tile what requests to its bank count (niu_bank_request): the tile takes them
     * when somebody looks (tile_noc_catch_up). */
    noc_queue acks;
    noc_entry *outbox;
    noc_change *change; /* in order of time: of the latest window in which the tile ran */
    uint32_t outbox_count, change_count;
    bool has_bank;  /* the node of a DRAM tile: noc_chip.port_of decides */
    bool has_cores; /* the node of a tile; acknowledgements for others are in the inbox */
    uint64_t *due;  /* goes down to the cycle of what is put into the inbox */
} noc_port;

/* Packets in a row, linked by noc_packet.next; packet_ref + 1, so that zero is an empty list. */
typedef struct noc_list {
    uint32_t first, last;
} noc_list;

/* One way out of a router. */
typedef struct noc_output {
    uint64_t free;     /* first cycle in which the link can take a flit */
    uint64_t next_try; /* an event to look at it is under way for this cycle; 0: none */
    union {
        uint16_t
            wants[4];    /* of each way in a bit for each queue: its first packet wants to go here; the last is zero */
        uint64_t wanted; /* all of them */
    };
    uint8_t channel_turn; /* the one that was served last */
    uint8_t input_turn[NOC_CHANNELS];
    uint8_t reserved[7];
    uint64_t hold[NOC_CHANNELS]; /* from this cycle on a packet can have the channel; NEVER: one has it and stands */
} noc_output;
_Static_assert(sizeof(noc_output) == 176 && NOC_INPUTS < 4, "without padding");

typedef struct noc_router {
    noc_output output[NOC_OUTPUTS];
    noc_list queue[NOC_INPUTS][NOC_CHANNELS];
    uint16_t flits[NOC_INPUTS][NOC_CHANNELS]; /* taken of each queue */
    uint64_t express_free[NOC_OUTPUTS];       /* links, as packets that need no events know them */
    uint64_t acks_free; /* first cycle in which the NIU can take in another acknowledgement of a multicast */
    /* What the NIU has sent on each virtual channel and stands in routers; the cycle from which the last one out is no
     * longer in anybody's way.  Single flits keep their place behind both. */
    uint64_t passed[NOC_CHANNELS / 2];
    uint16_t in_routers[NOC_CHANNELS / 2];
    struct {
        noc_list waiting; /* to leave the NIU */
        uint64_t free;    /* first cycle in which the next can */
        uint16_t count;   /* of waiting */
        bool blocked;     /* the last one is not in the router yet */
        bool held;        /* the NIU has been told to wait */
        uint8_t fraction; /* fortieths of a cycle that its data owes: COST_NOC_SOURCE_FLITS */
        uint8_t reserved[3];
    } side[NOC_SIDES];
    uint16_t accepted;         /* DRAM: reads that its port has taken from the router and whose data has not left */
    uint16_t express_accepted; /* ... of those that came without events */
    uint8_t to_try;            /* bit for each output: is to be looked at in this cycle */
    uint8_t reserved[3];
} noc_router;

enum { NOC_ROUTERS = NOC_COUNT * NOC_NODES };
static inline uint32_t noc_router_number(unsigned noc, noc_node node)
{
    return noc * NOC_NODES + node;
}

/* Where a router is: derived. */
typedef struct noc_place {
    uint16_t next[2], previous[2]; /* routers along x and y */
    uint8_t noc, node, x, y;
    bool closes[2]; /* the link along x or y closes the torus */
    uint8_t reserved[2];
} noc_place;

typedef struct noc_fabric {
    noc_router router[NOC_ROUTERS];
    uint32_t slow[NOC_COUNT]; /* packets in routers */
    /* For whoever watches: flits over each link since power-on, but for single ones that need no events.  Not state. */
    uint64_t load[NOC_ROUTERS][NOC_OUTPUTS];
    /* Mappings. */
    noc_port port[NOC_PORTS];
    noc_queue pending;    /* packets that leave their sender in a later window */
    noc_queue at_niu;     /* events up to the end of the window ... */
    noc_agenda in_router; /* ... and COST_NOC_IN beyond it */
    noc_place place[NOC_ROUTERS];
    uint16_t served
        [NOC_PORTS]; /* ports of which the end of a window has something to do: all but those of Tensix and Ethernet tiles */
    uint32_t served_count;
    uint16_t changed[NOC_NODES]; /* while a window is gone over: ports of DRAM tiles with noc_port.change */
    uint32_t changed_count;
    uint16_t to_try[NOC_ROUTERS]; /* while the fabric works on a cycle: routers with noc_router.to_try */
} noc_fabric;

/* What the fabric must know of the chip. */
typedef struct noc_chip {
    void *chip;
    /* Which port a packet for this node goes to, whose NIU is in this mode; asked about those with has_bank, else it is that of
     * the node. */
    uint32_t (*port_of)(void *chip, noc_node node, const noc_packet *packet, unsigned mode);
    /* A request to the bank behind this DRAM tile takes effect: its NIU counts it. */
    void (*bank_request)(void *chip, noc_node node, const noc_packet *packet, uint64_t cycle);
    /* enum noc_mode of this NIU at the end of the window. */
    unsigned (*mode)(void *chip, unsigned noc, noc_node node);
    /* Nobody receives it (lost false), or it, or its answer, is lost because there is no room: a bound of ours. */
    void (*fault)(void *chip, const noc_packet *packet, uint64_t cycle, bool lost, const char *text);
    const struct shake *shake; /* NULL: nothing is shaken */
} noc_chip;

bool fabric_create(noc_fabric *fabric);
void fabric_destroy(noc_fabric *fabric);
void fabric_clear(noc_fabric *fabric);

/* A window may be as long as this: from a packet's `cycle` to its effect at another node it is more, and from the end of
 * what is known of the routers to an effect exactly this. */
uint32_t fabric_lookahead(void);

/* What is in the outbox of this port waits for its cycle. */
void fabric_collect(noc_fabric *fabric, const noc_chip *chip, noc_store *store, noc_port *port);
/* The window up to `end` is over: everything that leaves before it goes on its way. */
void fabric_exchange(noc_fabric *fabric, const noc_chip *chip, noc_store *store, uint64_t end);

/* The response of a memory or passive node to a read or an atomic: all but the data.  NULL: no room. */
noc_packet *fabric_response(noc_fabric *fabric, noc_store *store, const noc_packet *request, noc_node from,
                            uint64_t leaves, packet_ref *ref);
/* Between windows: it leaves at its own cycle. */
void fabric_send(noc_fabric *fabric, const noc_chip *chip, noc_store *store, packet_ref ref);
/* The same to a read of a DRAM bank: until it leaves, it has the place of its request in the tile's port. */
noc_packet *fabric_bank_response(noc_fabric *fabric, noc_store *store, const noc_packet *request, uint64_t leaves,
                                 packet_ref *ref);

/* Whether nothing is on its way and nothing waits. */
bool fabric_is_empty(const noc_fabric *fabric);
/* The first cycle in which something happens in the fabric itself, NEVER if nothing does. */
uint64_t fabric_next(const noc_fabric *fabric);

/* For snapshots: all lists of packets in routers and at NIUs, by number. */
enum { FABRIC_LISTS = NOC_COUNT * NOC_NODES * (NOC_INPUTS * NOC_CHANNELS + NOC_SIDES) };
const noc_list *fabric_list(const noc_fabric *fabric, uint32_t number);
/* The lists are empty, and what is counted of them zero; turns and channels that came from outside are in range. */
void fabric_forget_packets(noc_fabric *fabric);
/* One more at the end of a list. */
void fabric_restore_packet(noc_fabric *fabric, noc_store *store, uint32_t number, packet_ref ref);
/* Calls fn for each event in routers, in no order, until it says false; whether it never did. */
bool fabric_each_router_event(const noc_fabric *fabric, bool (*fn)(void *context, const noc_entry *event),
                              void *context);
/* False: no room. */
bool fabric_restore_router_event(noc_fabric *fabric, noc_entry event);
bool fabric_event_is_sane(uint64_t order, bool has_packet);
/* An event in routers that only has an output looked at: once too often changes nothing, and how often depends on the order of the
 * events of a cycle. */
bool fabric_event_only_looks(uint64_t order);

uint64_t noc_order(const noc_packet *packet);
uint32_t noc_flits(const noc_packet *packet);
/* Of noc_packet.data. */
static inline uint32_t noc_data_bytes(const noc_packet *packet)
{
    return packet->op == NOC_WRITE || packet->op == NOC_READ_RESPONSE || packet->op == NOC_DMA_WRITE ||
                   packet->op == NOC_DMA_DATA
               ? packet->length
               : 0;
}
/* From the arrival of the last flit at the NIU to the packet's effect. */
uint32_t noc_pickup(const noc_packet *packet);
/* How long an NIU is busy with sending a packet: a cycle a flit, and one more for every COST_NOC_SOURCE_FLITS of data;
 * *fraction keeps what does not come out even. */
uint32_t noc_sending(uint32_t data_flits, uint8_t *fraction);
/* Cycles that a multicast waits until the routers of its tree have a channel for it (NOC_CMD_PATH_RESERVE). */
uint32_t noc_reserving(const noc_packet *packet);
/* The acknowledgement of a write that takes effect at node `from`: as its sender's inbox has it, with the cycle in which
 * it counts. */
noc_entry noc_ack(const noc_packet *write, noc_node from, uint64_t effect);
/* --shake: when a packet that would take effect at a node at `effect` does, and when an acknowledgement counts.  Requests of
 * one sender, NoC and virtual channel keep their order (manual WormholeB0 NoC/Ordering), nothing else does. */
uint64_t noc_shaken(const struct shake *shake, const noc_packet *packet, noc_node node, uint64_t effect);
uint64_t noc_shaken_ack(const struct shake *shake, const noc_packet *write, noc_node from, uint64_t cycle);
/* False: full. */
bool noc_queue_put(noc_queue *queue, noc_entry entry);
noc_entry noc_queue_take(noc_queue *queue);
/* Each of `count` once, in no order. */
const noc_entry *noc_queue_at(const noc_queue *queue, uint32_t i);

/* Whether this node is in the rectangle. */
bool fabric_multicast_has(const noc_packet *packet, noc_node node);
/* The nodes that a multicast reaches, as a bit for each raw coordinate of its NoC: x in the low 17 bits of rows[y]. */
void fabric_receivers(const noc_packet *packet, uint32_t rows[NOC_GRID_Y]);

#endif
