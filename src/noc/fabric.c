/* SPDX-License-Identifier: Apache-2.0 */
/* See fabric.h.
 *
 * Time of a packet of F flits: it leaves its NIU at `cycle`, is in the router COST_NOC_IN later, takes COST_NOC_HOP to
 * each further router and COST_NOC_OUT to the receiving NIU; its last flit is F - 1 behind the first, and
 * COST_NOC_PICKUP later it is in memory.  A link is busy for F cycles, and for longer when the packet is held up further
 * on: routers buffer COST_NOC_BUFFER flits, the rest stands on the links behind (wormhole switching). */
#include "noc/fabric.h"

#include "base/bits.h"
#include "costs.h"

#include <string.h>
#include <sys/mman.h>

#define NEVER UINT64_MAX

/* ---- Queues ------------------------------------------------------------------------------------------ */

static bool before(const noc_entry *a, const noc_entry *b)
{
    return a->cycle < b->cycle || (a->cycle == b->cycle && a->order < b->order);
}

bool noc_queue_put(noc_queue *queue, noc_entry entry)
{
    if (queue->count == queue->capacity) {
        return false;
    }
    uint32_t i = queue->count++;
    while (i != 0) {
        const uint32_t parent = (i - 1) / 2;
        if (!before(&entry, &queue->entry[parent])) {
            break;
        }
        queue->entry[i] = queue->entry[parent];
        i = parent;
    }
    queue->entry[i] = entry;
    return true;
}

noc_entry noc_queue_take(noc_queue *queue)
{
    const noc_entry first = queue->entry[0];
    const noc_entry last = queue->entry[--queue->count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= queue->count) {
            break;
        }
        if (child + 1 < queue->count && before(&queue->entry[child + 1], &queue->entry[child])) {
            child++;
        }
        if (!before(&queue->entry[child], &last)) {
            break;
        }
        queue->entry[i] = queue->entry[child];
        i = child;
    }
    queue->entry[i] = last;
    return first;
}

uint64_t noc_order(const noc_packet *packet)
{
    const bool by_fabric = packet->flags & NOC_BY_FABRIC;
    return (uint64_t)packet->source << 40 | (uint64_t)packet->noc << 39 | (uint64_t)by_fabric << 38 |
           (uint64_t)noc_is_dma(packet) << 37 | packet->sequence;
}

/* ---- Life -------------------------------------------------------------------------------------------- */

static size_t mapping_bytes(void)
{
    return (size_t)NOC_PORTS * (NOC_INBOX_CAPACITY * sizeof(noc_entry) + NOC_OUTBOX_CAPACITY * sizeof(packet_ref)) +
           (size_t)NOC_PENDING_CAPACITY * sizeof(noc_entry);
}

bool fabric_create(noc_fabric *fabric)
{
    memset(fabric, 0, sizeof *fabric);
    uint8_t *at =
        mmap(NULL, mapping_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        return false;
    }
    madvise(at, mapping_bytes(), MADV_NOHUGEPAGE);
    fabric->pending = (noc_queue){(noc_entry *)(void *)at, 0, NOC_PENDING_CAPACITY};
    at += (size_t)NOC_PENDING_CAPACITY * sizeof(noc_entry);
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        fabric->port[p].inbox = (noc_queue){(noc_entry *)(void *)at, 0, NOC_INBOX_CAPACITY};
        at += (size_t)NOC_INBOX_CAPACITY * sizeof(noc_entry);
        fabric->port[p].outbox = (packet_ref *)(void *)at;
        at += (size_t)NOC_OUTBOX_CAPACITY * sizeof(packet_ref);
    }
    return true;
}

void fabric_destroy(noc_fabric *fabric)
{
    if (fabric->pending.entry != NULL) {
        munmap(fabric->pending.entry, mapping_bytes());
    }
    memset(fabric, 0, sizeof *fabric);
}

void fabric_clear(noc_fabric *fabric)
{
    madvise(fabric->pending.entry, mapping_bytes(), MADV_DONTNEED);
    memset(fabric->link_free, 0, sizeof fabric->link_free);
    memset(fabric->sequence, 0, sizeof fabric->sequence);
    fabric->pending.count = 0;
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        fabric->port[p].inbox.count = 0;
        fabric->port[p].outbox_count = 0;
    }
}

uint32_t fabric_lookahead(void)
{
    return COST_NOC_IN + COST_NOC_HOP + COST_NOC_OUT + COST_NOC_PICKUP;
}

bool fabric_is_empty(const noc_fabric *fabric)
{
    if (fabric->pending.count != 0) {
        return false;
    }
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        if (fabric->port[p].inbox.count != 0) {
            return false;
        }
    }
    return true;
}

uint64_t fabric_next(const noc_fabric *fabric)
{
    return fabric->pending.count != 0 ? fabric->pending.entry[0].cycle : NEVER;
}

/* ---- Routes ------------------------------------------------------------------------------------------- */

uint32_t noc_flits(const noc_packet *packet)
{
    switch (packet->op) {
    case NOC_WRITE:
    case NOC_READ_RESPONSE: return packet->flags & NOC_INLINE ? 1 : 1 + noc_data_flits(packet->address, packet->length);
    default: return 1;
    }
}

/* The way of one packet: links in order, with the cycle in which each takes the first flit.  The longest is a multicast's
 * trunk: in, almost around the torus in both axes to the rectangle, and on along one of them. */
enum { WAY_MAX = 2 * NOC_GRID_X + NOC_GRID_Y };
_Static_assert(NOC_GRID_X >= NOC_GRID_Y, "the longer axis is counted twice");
typedef struct way {
    uint64_t *link[WAY_MAX];
    uint64_t start[WAY_MAX];
    uint32_t count;
} way;

static void step(way *w, uint64_t *link, uint64_t *head, uint32_t latency)
{
    const uint64_t start = max64(*head, *link);
    w->link[w->count] = link;
    w->start[w->count++] = start;
    *head = start + latency;
}

/* A link is busy until the last flit is on it; if the packet is held up further on, until there is room there. */
static void occupy(const way *w, uint32_t flits)
{
    uint64_t released = 0;
    for (uint32_t i = w->count; i-- != 0;) {
        released = max64(w->start[i] + flits, released > COST_NOC_BUFFER ? released - COST_NOC_BUFFER : 0);
        *w->link[i] = max64(*w->link[i], released);
    }
}

/* One axis: NoC 0 counts up, NoC 1 down, in NoC 0 coordinates. */
static unsigned next_coordinate(unsigned noc, unsigned at, unsigned size)
{
    return noc == 0 ? (at + 1 == size ? 0 : at + 1) : (at == 0 ? size - 1 : at - 1);
}

static uint64_t travel_x(noc_fabric *fabric, unsigned noc, way *w, unsigned *x, unsigned y, unsigned to, uint64_t head)
{
    while (*x != to) {
        step(w, &fabric->link_free[noc][noc_node_at(*x, y)][LINK_X], &head, COST_NOC_HOP);
        *x = next_coordinate(noc, *x, NOC_GRID_X);
    }
    return head;
}

static uint64_t travel_y(noc_fabric *fabric, unsigned noc, way *w, unsigned x, unsigned *y, unsigned to, uint64_t head)
{
    while (*y != to) {
        step(w, &fabric->link_free[noc][noc_node_at(x, *y)][LINK_Y], &head, COST_NOC_HOP);
        *y = next_coordinate(noc, *y, NOC_GRID_Y);
    }
    return head;
}

/* The cycle in which the packet takes effect at its destination.  *left: when its sender's port is free again. */
static uint64_t route(noc_fabric *fabric, const noc_packet *packet, uint64_t *left)
{
    const unsigned noc = packet->noc;
    const uint32_t flits = noc_flits(packet);
    unsigned x = packet->source % NOC_GRID_X, y = packet->source / NOC_GRID_X;
    const unsigned to_x = packet->destination % NOC_GRID_X, to_y = packet->destination / NOC_GRID_X;
    way w = {.count = 0};
    uint64_t head = packet->cycle;
    step(&w, &fabric->link_free[noc][packet->source][LINK_IN], &head, COST_NOC_IN);
    if (noc == 0) {
        head = travel_x(fabric, noc, &w, &x, y, to_x, head);
        head = travel_y(fabric, noc, &w, x, &y, to_y, head);
    } else {
        head = travel_y(fabric, noc, &w, x, &y, to_y, head);
        head = travel_x(fabric, noc, &w, &x, y, to_x, head);
    }
    step(&w, &fabric->link_free[noc][packet->destination][LINK_OUT], &head, COST_NOC_OUT);
    occupy(&w, flits);
    *left = *w.link[0];
    return head + flits - 1 + COST_NOC_PICKUP;
}

/* ---- Multicast ----------------------------------------------------------------------------------------- */

static bool in_span(unsigned start, unsigned end, unsigned at)
{
    return start <= end ? start <= at && at <= end : at <= end || start <= at;
}

/* NOC_BRCST_EXCLUDE has the layout of the strided TLB windows' exclusion (HostToDeviceTLBs): x in bits 0..4, y in 5..8,
 * from it on (1) or up to it (0) in bits 9 and 10, enable in bit 22.
 * OPEN: no page describes the register; the vendor's header gives the bit positions. */
static bool is_excluded(const noc_rectangle *r, unsigned x, unsigned y)
{
    if (!(r->exclude >> 22 & 1)) {
        return false;
    }
    const unsigned at_x = r->exclude & 63, at_y = r->exclude >> 6 & 63;
    const bool x_from = r->exclude >> 20 & 1, y_from = r->exclude >> 21 & 1;
    return (x_from ? x >= at_x : x <= at_x) && (y_from ? y >= at_y : y <= at_y);
}

void fabric_receivers(const noc_packet *packet, uint32_t rows[NOC_GRID_Y])
{
    const noc_rectangle *r = &packet->rectangle;
    for (unsigned y = 0; y < NOC_GRID_Y; y++) {
        rows[y] = 0;
        for (unsigned x = 0; in_span(r->start_y, r->end_y, y) && x < NOC_GRID_X; x++) {
            if (in_span(r->start_x, r->end_x, x) && !is_excluded(r, x, y)) {
                rows[y] |= 1u << x;
            }
        }
    }
}

bool fabric_multicast_has(const noc_packet *packet, noc_node node)
{
    const noc_rectangle *r = &packet->rectangle;
    const unsigned x = noc_raw_x(packet->noc, node % NOC_GRID_X), y = noc_raw_y(packet->noc, node / NOC_GRID_X);
    return in_span(r->start_x, r->end_x, x) && in_span(r->start_y, r->end_y, y) && !is_excluded(r, x, y);
}

/* ---- Hand-over ------------------------------------------------------------------------------------------- */

static void leave_later(noc_fabric *fabric, const noc_chip *chip, noc_store *store, packet_ref ref)
{
    const noc_packet *packet = noc_packet_at(store, ref);
    const noc_entry entry = {.cycle = packet->cycle, .order = noc_order(packet), .ref = ref};
    if (!noc_queue_put(&fabric->pending, entry)) {
        chip->fault(chip->chip, packet, packet->cycle, "too many NoC packets under way at once: this one is lost");
        noc_packet_release(store, ref);
    }
}

void noc_make_ack(noc_packet *ack, const noc_packet *write, noc_node from, uint64_t effect)
{
    ack->op = NOC_WRITE_ACK;
    ack->cycle = effect + COST_NOC_ACK;
    ack->source = from;
    ack->destination = write->return_to;
    ack->noc = write->noc;
    ack->transaction_id = write->transaction_id;
    ack->initiator_core = write->initiator_core;
    ack->initiator_pc = write->initiator_pc;
}

/* A write has arrived at a node: its acknowledgement leaves from there. */
static void acknowledge(noc_fabric *fabric, const noc_chip *chip, noc_store *store, const noc_packet *write,
                        noc_node from, uint64_t effect)
{
    packet_ref ref;
    noc_packet *ack = noc_packet_new(store, 0, &ref);
    if (ack == NULL) {
        chip->fault(chip->chip, write, effect, "no room for the acknowledgement of a NoC write");
        return;
    }
    noc_make_ack(ack, write, from, effect);
    ack->flags = NOC_BY_FABRIC;
    ack->sequence = fabric->sequence[write->noc][from]++;
    leave_later(fabric, chip, store, ref);
}

static void arrive(noc_fabric *fabric, const noc_chip *chip, noc_store *store, packet_ref ref, noc_node node,
                   uint64_t effect)
{
    const noc_packet *packet = noc_packet_at(store, ref);
    const uint32_t port = chip->port_of(chip->chip, node, packet);
    const noc_entry entry = {.cycle = effect, .order = noc_order(packet), .ref = ref};
    if (!noc_queue_put(&fabric->port[port].inbox, entry)) {
        chip->fault(chip->chip, packet, effect, "the receiver's queue of NoC packets is full: this one is lost");
        noc_packet_release(store, ref);
        return;
    }
    chip->arrives(chip->chip, port, effect);
    if (packet->op == NOC_WRITE && (packet->flags & NOC_RESPONSE_WANTED)) {
        acknowledge(fabric, chip, store, packet, node, effect);
    }
}

/* Held up at the start: the sender's NIU must wait with its next packet, and learns of it when the packet could have been
 * with its neighbour. */
static void hold_sender(noc_fabric *fabric, const noc_chip *chip, noc_store *store, const noc_packet *packet,
                        uint64_t left)
{
    packet_ref ref;
    noc_packet *hold = noc_packet_new(store, 0, &ref);
    if (hold == NULL) {
        return;
    }
    hold->op = NOC_HOLD;
    hold->cycle = packet->cycle;
    hold->address = left;
    hold->source = packet->source;
    hold->destination = packet->source;
    hold->noc = packet->noc;
    hold->flags = NOC_BY_FABRIC;
    hold->sequence = fabric->sequence[packet->noc][packet->source]++;
    const noc_entry entry = {.cycle = packet->cycle + fabric_lookahead(), .order = noc_order(hold), .ref = ref};
    if (!noc_queue_put(&fabric->port[packet->source].inbox, entry)) {
        noc_packet_release(store, ref);
        return;
    }
    chip->arrives(chip->chip, packet->source, entry.cycle);
}

typedef struct tree {
    noc_fabric *fabric;
    const noc_chip *chip;
    noc_store *store;
    packet_ref ref;
    uint32_t flits;
    uint32_t rows[NOC_GRID_Y];
    uint32_t reached;
} tree;

/* The packet has come to the router of (x, y) with its first flit at `head`. */
static void offer(tree *t, unsigned x, unsigned y, uint64_t head)
{
    noc_packet *packet = noc_packet_at(t->store, t->ref);
    const noc_node node = noc_node_at(x, y);
    if (!(t->rows[noc_raw_y(packet->noc, y)] >> noc_raw_x(packet->noc, x) & 1) || node == packet->source ||
        !t->chip->takes_broadcasts(t->chip->chip, packet->noc, node)) {
        return; /* the sender's own copy never leaves its tile */
    }
    uint64_t *link = &t->fabric->link_free[packet->noc][node][LINK_OUT];
    const uint64_t start = max64(head, *link);
    *link = start + t->flits;
    __atomic_add_fetch(&packet->holders, 1, __ATOMIC_RELAXED);
    t->reached++;
    arrive(t->fabric, t->chip, t->store, t->ref, node, start + COST_NOC_OUT + t->flits - 1 + COST_NOC_PICKUP);
}

/* First along the major axis to the rectangle, then along the minor axis through it, and from each router there along
 * the major axis again (NoC/RoutingPaths).  Links of the tree are reserved one by one. */
static void multicast(tree *t)
{
    noc_packet *packet = noc_packet_at(t->store, t->ref);
    noc_fabric *fabric = t->fabric;
    const unsigned noc = packet->noc;
    const noc_rectangle *r = &packet->rectangle;
    const unsigned start_x = noc_raw_x(noc, r->start_x), start_y = noc_raw_y(noc, r->start_y);
    const unsigned end_x = noc_raw_x(noc, r->end_x), end_y = noc_raw_y(noc, r->end_y);
    const bool y_major = packet->flags & NOC_Y_MAJOR;
    unsigned x = packet->source % NOC_GRID_X, y = packet->source / NOC_GRID_X;
    way trunk = {.count = 0};
    uint64_t head = packet->cycle + (packet->flags & NOC_PATH_RESERVE ? COST_NOC_PATH_RESERVE : 0);
    step(&trunk, &fabric->link_free[noc][packet->source][LINK_IN], &head, COST_NOC_IN);
    if (y_major) {
        head = travel_y(fabric, noc, &trunk, x, &y, start_y, head);
        head = travel_x(fabric, noc, &trunk, &x, y, start_x, head);
    } else {
        head = travel_x(fabric, noc, &trunk, &x, y, start_x, head);
        head = travel_y(fabric, noc, &trunk, x, &y, start_y, head);
    }
    for (;;) { /* along the minor axis */
        unsigned branch_x = x, branch_y = y;
        uint64_t branch_head = head;
        way branch = {.count = 0};
        offer(t, branch_x, branch_y, branch_head);
        while (y_major ? branch_y != end_y : branch_x != end_x) {
            if (y_major) {
                branch_head = travel_y(fabric, noc, &branch, branch_x, &branch_y,
                                       next_coordinate(noc, branch_y, NOC_GRID_Y), branch_head);
            } else {
                branch_head = travel_x(fabric, noc, &branch, &branch_x, branch_y,
                                       next_coordinate(noc, branch_x, NOC_GRID_X), branch_head);
            }
            offer(t, branch_x, branch_y, branch_head);
        }
        occupy(&branch, t->flits);
        if (y_major ? x == end_x : y == end_y) {
            break;
        }
        if (y_major) {
            head = travel_x(fabric, noc, &trunk, &x, y, next_coordinate(noc, x, NOC_GRID_X), head);
        } else {
            head = travel_y(fabric, noc, &trunk, x, &y, next_coordinate(noc, y, NOC_GRID_Y), head);
        }
    }
    occupy(&trunk, t->flits);
    if (t->reached == 0 && !(packet->flags & NOC_INCLUDE_SOURCE)) {
        t->chip->fault(t->chip->chip, packet, packet->cycle, "multicast to a rectangle in which nobody receives it");
    }
    noc_packet_release(t->store, t->ref);
}

static void send(noc_fabric *fabric, const noc_chip *chip, noc_store *store, packet_ref ref)
{
    noc_packet *packet = noc_packet_at(store, ref);
    if (packet->flags & NOC_MULTICAST) {
        tree t = {.fabric = fabric, .chip = chip, .store = store, .ref = ref, .flits = noc_flits(packet)};
        fabric_receivers(packet, t.rows);
        multicast(&t);
        return;
    }
    if (noc_is_dma(packet)) {
        arrive(fabric, chip, store, ref, packet->destination, packet->cycle + fabric_lookahead());
        return;
    }
    uint64_t left;
    const uint64_t effect = route(fabric, packet, &left);
    if (left > packet->cycle + noc_flits(packet) && packet->op != NOC_WRITE_ACK) {
        hold_sender(fabric, chip, store, packet, left);
    }
    arrive(fabric, chip, store, ref, packet->destination, effect);
}

noc_packet *fabric_response(noc_fabric *fabric, noc_store *store, const noc_packet *request, noc_node from,
                            uint64_t leaves, packet_ref *ref)
{
    noc_packet *response = noc_packet_new(store, request->op == NOC_READ ? request->length : 0, ref);
    if (response == NULL) {
        return NULL;
    }
    response->op = request->op == NOC_READ ? NOC_READ_RESPONSE : NOC_ATOMIC_RESPONSE;
    response->cycle = leaves;
    response->address = request->return_address;
    response->length = request->op == NOC_READ ? request->length : 4;
    response->source = from;
    response->destination = request->return_to;
    response->noc = request->noc;
    response->flags = NOC_BY_FABRIC;
    response->sequence = fabric->sequence[request->noc][from]++;
    response->transaction_id = request->transaction_id;
    response->initiator_core = request->initiator_core;
    response->initiator_pc = request->initiator_pc;
    return response;
}

void fabric_send(noc_fabric *fabric, const noc_chip *chip, noc_store *store, packet_ref ref)
{
    leave_later(fabric, chip, store, ref);
}

void fabric_exchange(noc_fabric *fabric, const noc_chip *chip, noc_store *store, uint64_t end)
{
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        noc_port *port = &fabric->port[p];
        for (uint32_t i = 0; i < port->outbox_count; i++) {
            leave_later(fabric, chip, store, port->outbox[i]);
        }
        port->outbox_count = 0;
    }
    while (fabric->pending.count != 0 && fabric->pending.entry[0].cycle < end) {
        send(fabric, chip, store, noc_queue_take(&fabric->pending).ref);
    }
}
