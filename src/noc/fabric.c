/* SPDX-License-Identifier: Apache-2.0 */
/* See fabric.h.
 *
 * Time of a packet of F flits that nobody is in the way of: it leaves its NIU at `cycle`, is in the router COST_NOC_IN
 * later, takes COST_NOC_HOP to each further router and COST_NOC_OUT to the receiving NIU; its last flit is F - 1 behind
 * the first (a little more: noc_sending), and noc_pickup later it takes effect.
 *
 * OPEN: the depth of the queues, the arbitration, and how the measured sums divide into their parts are fits to a card's
 * NoC and DRAM measurements (docs/timing.md).  Single flits (acknowledgements, requests) never wait for anybody, unless
 * they go to a DRAM bank or run after what their NIU has sent on the same virtual channel; multicasts wait for each other
 * and for express packets, not for packets in routers.
 *
 * OPEN: routers may flip the buddy bit of a response (NoC/README "Virtual channels"), which would give responses two
 * channels to go by.  They have one here: with two, the first of 120 readers of eight DRAM banks (dramratebench fanchan)
 * is done after 1.6 to 1.8 times as long as on the card.  Would settle it: two streams of reads whose responses meet. */
#include "noc/fabric.h"

#include "base/bits.h"
#include "costs.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define NEVER UINT64_MAX

/* ---- Queues ------------------------------------------------------------------------------------------ */

/* Without branches: which comes first is as good as random. */
static inline bool key_before(noc_key a, noc_key b)
{
    return (a.cycle < b.cycle) | ((a.cycle == b.cycle) & (a.order < b.order));
}

static inline noc_key key_of(const noc_entry *entry)
{
    return (noc_key){entry->cycle, entry->order};
}

static inline bool before(const noc_entry *a, const noc_entry *b)
{
    return key_before(key_of(a), key_of(b));
}

static const noc_key no_key = {NEVER, NEVER};

static void heap_up(noc_entry *heap, uint32_t hole, noc_entry entry)
{
    while (hole != 0) {
        const uint32_t parent = (hole - 1) / 2;
        if (!before(&entry, &heap[parent])) {
            break;
        }
        heap[hole] = heap[parent];
        hole = parent;
    }
    heap[hole] = entry;
}

static noc_entry heap_take(noc_queue *queue)
{
    noc_entry *heap = queue->heap;
    const noc_entry first = heap[0];
    const uint32_t count = --queue->heap_count;
    const noc_entry last = heap[count];
    uint32_t hole = 0;
    for (;;) {
        uint32_t child = 2 * hole + 1;
        if (child >= count) {
            break;
        }
        child += child + 1 < count && before(&heap[child + 1], &heap[child]);
        if (!before(&heap[child], &last)) {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = last;
    return first;
}

static inline void find_first(noc_queue *queue)
{
    uint32_t left = queue->filled;
    if (left == 0) {
        queue->first = 0;
        queue->next = NEVER;
        return;
    }
    uint32_t first = (uint32_t)__builtin_ctz(left);
    for (left &= left - 1; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        first = key_before(queue->head[i], queue->head[first]) ? i : first;
    }
    queue->first = (uint16_t)first;
    queue->next = queue->head[first].cycle;
}

static noc_entry *run_at(const noc_queue *queue, uint32_t run, uint32_t i)
{
    return &queue->run[run * NOC_RUN_ENTRIES + (queue->run_first[run] + i) % NOC_RUN_ENTRIES];
}

bool noc_queue_put(noc_queue *queue, noc_entry entry)
{
    const noc_key key = key_of(&entry);
    /* The first run that it continues or begins; else the heap. */
    uint32_t to = 0;
    while (to < NOC_RUNS && queue->run_count[to] != 0 &&
           (key_before(key, queue->last[to]) || queue->run_count[to] == NOC_RUN_ENTRIES)) {
        to++;
    }
    const bool begins = to == NOC_HEAP || queue->run_count[to] == 0;
    if (to == NOC_HEAP) {
        if (queue->heap_count == queue->heap_capacity) {
            return false;
        }
        heap_up(queue->heap, queue->heap_count++, entry);
    } else {
        queue->run_first[to] = begins ? 0 : queue->run_first[to];
        *run_at(queue, to, queue->run_count[to]++) = entry;
        queue->last[to] = key;
    }
    if (begins && key_before(key, queue->head[to])) {
        queue->head[to] = key;
        queue->filled |= (uint16_t)(1u << to);
        if (queue->next == NEVER || queue->first == to || key_before(key, queue->head[queue->first])) {
            queue->first = (uint16_t)to;
            queue->next = key.cycle;
        }
    }
    queue->count++;
    return true;
}

noc_entry noc_queue_take(noc_queue *queue)
{
    const uint32_t from = queue->first;
    noc_entry first;
    if (from == NOC_HEAP) {
        first = heap_take(queue);
        queue->head[from] = queue->heap_count != 0 ? key_of(&queue->heap[0]) : no_key;
        queue->filled &= (uint16_t) ~((queue->heap_count == 0) << from);
    } else {
        first = *run_at(queue, from, 0);
        queue->run_first[from] = (uint16_t)((queue->run_first[from] + 1u) % NOC_RUN_ENTRIES);
        queue->head[from] = --queue->run_count[from] != 0 ? key_of(run_at(queue, from, 0)) : no_key;
        queue->filled &= (uint16_t) ~((queue->run_count[from] == 0) << from);
    }
    find_first(queue);
    queue->count--;
    return first;
}

const noc_entry *noc_queue_at(const noc_queue *queue, uint32_t i)
{
    if (i < queue->heap_count) {
        return &queue->heap[i];
    }
    i -= queue->heap_count;
    uint32_t run = 0;
    while (i >= queue->run_count[run]) {
        i -= queue->run_count[run++];
    }
    return run_at(queue, run, i);
}

static void queue_clear(noc_queue *queue)
{
    for (uint32_t i = 0; i <= NOC_RUNS; i++) {
        queue->head[i] = no_key;
    }
    memset(queue->run_count, 0, sizeof queue->run_count);
    queue->count = queue->heap_count = queue->first = queue->filled = 0;
    queue->next = NEVER;
}

static uint64_t order_by_fabric(noc_node source, unsigned noc, noc_node destination, uint32_t sequence)
{
    return (uint64_t)source << 43 | (uint64_t)noc << 42 | UINT64_C(1) << 41 | (uint64_t)destination << 32 | sequence;
}

uint64_t noc_order(const noc_packet *packet)
{
    const bool by_fabric = packet->flags & NOC_BY_FABRIC;
    return (uint64_t)packet->source << 43 | (uint64_t)packet->noc << 42 | (uint64_t)by_fabric << 41 |
           (uint64_t)noc_is_dma(packet) << 40 | (by_fabric ? (uint64_t)packet->destination << 32 : 0) |
           packet->sequence;
}

uint32_t noc_flits(const noc_packet *packet)
{
    switch (packet->op) {
    case NOC_WRITE:
    case NOC_READ_RESPONSE: return packet->flags & NOC_INLINE ? 1 : 1 + noc_data_flits(packet->address, packet->length);
    default: return 1;
    }
}

uint32_t noc_pickup(const noc_packet *packet)
{
    switch (packet->op) {
    case NOC_READ:
    case NOC_ATOMIC: return COST_NOC_PICKUP_REQUEST;
    default: return COST_NOC_PICKUP_DATA;
    }
}

uint32_t noc_sending(uint32_t data_flits, uint8_t *fraction)
{
    const uint32_t owed = *fraction + data_flits;
    *fraction = (uint8_t)(owed % COST_NOC_SOURCE_FLITS);
    return 1 + data_flits + owed / COST_NOC_SOURCE_FLITS;
}

uint32_t noc_reserving(const noc_packet *packet)
{
    return packet->flags & NOC_PATH_RESERVE ? COST_NOC_PATH_RESERVE * noc_tree_depth(packet) : 0;
}

/* ---- The agenda of the routers ------------------------------------------------------------------------- */

static void agenda_clear(noc_agenda *agenda)
{
    memset(agenda->filled, 0, sizeof agenda->filled);
    memset(agenda->list, 0, sizeof agenda->list);
    agenda->from = 0;
    agenda->next = NEVER;
    agenda->unused = agenda->used = 0;
    queue_clear(&agenda->far);
}

static uint64_t agenda_first(const noc_agenda *agenda)
{
    return min64(agenda->next, noc_queue_next(&agenda->far));
}

/* The same event in noc_event.what and in noc_entry.order. */
static uint64_t order_of(uint32_t what)
{
    const uint32_t router = what >> 8 & 0xFFFF;
    return (uint64_t)(what >> 24) << 32 | (uint64_t)(router / NOC_NODES) << 24 | (uint64_t)(router % NOC_NODES) << 16 |
           (uint64_t)(what >> 4 & 15) << 8 | (what & 15);
}

/* The order has passed fabric_event_is_sane or comes from order_of. */
static uint32_t what_of(uint64_t order)
{
    return (uint32_t)(order >> 32) << 24 | noc_router_number(order >> 24 & 1, (noc_node)(order >> 16)) << 8 |
           (uint32_t)(order >> 8 & 15) << 4 | (uint32_t)(order & 15);
}

/* False: no room. */
static inline bool agenda_put(noc_agenda *agenda, uint64_t cycle, uint32_t what, packet_ref ref, uint32_t value)
{
    if (cycle - agenda->from >= NOC_AGENDA_CYCLES || (agenda->unused == 0 && agenda->used == agenda->capacity)) {
        return noc_queue_put(&agenda->far,
                             (noc_entry){.cycle = cycle, .order = order_of(what), .ref = ref, .value = value});
    }
    uint32_t number = agenda->unused;
    const uint32_t slot = (uint32_t)cycle % NOC_AGENDA_CYCLES, next = agenda->list[slot];
    if (number != 0) {
        agenda->unused = agenda->event[number - 1].next;
    } else {
        number = ++agenda->used;
    }
    agenda->event[number - 1] = (noc_event){next, what, ref, value};
    agenda->list[slot] = number;
    if (next == 0) {
        agenda->filled[slot / 64] |= UINT64_C(1) << slot % 64;
        agenda->next = min64(agenda->next, cycle);
    }
    return true;
}

/* The list of cycle agenda->next, which is empty now; agenda->next is the one after it. */
static uint32_t agenda_take(noc_agenda *agenda)
{
    enum { WORDS = NOC_AGENDA_CYCLES / 64 };
    const uint64_t cycle = agenda->next;
    const uint32_t slot = (uint32_t)cycle % NOC_AGENDA_CYCLES;
    const uint32_t first = agenda->list[slot];
    agenda->list[slot] = 0;
    agenda->filled[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    agenda->next = NEVER;
    for (uint32_t k = 0; k <= WORDS; k++) { /* the first word twice: from the slot on, and up to it */
        const uint32_t word = (slot / 64 + k) % WORDS;
        const uint64_t after = ~UINT64_C(0) << slot % 64;
        const uint64_t filled = agenda->filled[word] & (k == 0 ? after : k == WORDS ? ~after : ~UINT64_C(0));
        if (filled != 0) {
            const uint32_t found = word * 64 + (uint32_t)__builtin_ctzll(filled);
            agenda->next = cycle + (found - slot) % NOC_AGENDA_CYCLES;
            break;
        }
    }
    return first;
}

bool fabric_each_router_event(const noc_fabric *fabric, bool (*fn)(void *context, const noc_entry *event),
                              void *context)
{
    const noc_agenda *agenda = &fabric->in_router;
    for (uint32_t i = 0; i < agenda->far.count; i++) {
        if (!fn(context, noc_queue_at(&agenda->far, i))) {
            return false;
        }
    }
    for (uint32_t i = 0; i < NOC_AGENDA_CYCLES; i++) {
        const uint64_t cycle = agenda->from + i;
        for (uint32_t n = agenda->list[cycle % NOC_AGENDA_CYCLES]; n != 0; n = agenda->event[n - 1].next) {
            const noc_event *e = &agenda->event[n - 1];
            const noc_entry entry = {.cycle = cycle, .order = order_of(e->what), .ref = e->ref, .value = e->value};
            if (!fn(context, &entry)) {
                return false;
            }
        }
    }
    return true;
}

bool fabric_restore_router_event(noc_fabric *fabric, noc_entry event)
{
    return agenda_put(&fabric->in_router, event.cycle, what_of(event.order), event.ref, event.value);
}

/* ---- Places --------------------------------------------------------------------------------------------- */

enum { OUT_X = 0, OUT_Y, OUT_NIU, FROM_NIU = 2 };

static unsigned x_of(noc_node node)
{
    return node % NOC_GRID_X;
}
static unsigned y_of(noc_node node)
{
    return node / NOC_GRID_X;
}

/* One axis: NoC 0 counts up, NoC 1 down, in NoC 0 coordinates. */
static unsigned next_coordinate(unsigned noc, unsigned at, unsigned size)
{
    return noc == 0 ? (at + 1 == size ? 0 : at + 1) : (at == 0 ? size - 1 : at - 1);
}

static noc_node next_node(unsigned noc, noc_node node, unsigned output)
{
    return output == OUT_X ? noc_node_at(next_coordinate(noc, x_of(node), NOC_GRID_X), y_of(node))
                           : noc_node_at(x_of(node), next_coordinate(noc, y_of(node), NOC_GRID_Y));
}

/* NoC 0 goes along x first, NoC 1 along y (NoC/RoutingPaths). */
static unsigned way_out(const noc_fabric *fabric, const noc_place *at, noc_node to)
{
    const bool x = at->x != fabric->place[to].x, y = at->y != fabric->place[to].y;
    return at->noc == 0 ? (x ? OUT_X : y ? OUT_Y : OUT_NIU) : (y ? OUT_Y : x ? OUT_X : OUT_NIU);
}

static uint32_t hops(unsigned noc, noc_node from, noc_node to)
{
    const noc_node first = noc == 0 ? from : to, last = noc == 0 ? to : from;
    const unsigned x = x_of(first), y = y_of(first), to_x = x_of(last), to_y = y_of(last);
    return (to_x >= x ? to_x - x : to_x + NOC_GRID_X - x) + (to_y >= y ? to_y - y : to_y + NOC_GRID_Y - y);
}

/* Channels have a dateline bit: set where the torus closes, cleared on a turn (NoC/README "Virtual channels"). */
static unsigned channel_of(const noc_packet *packet)
{
    return (packet->virtual_channel & 7u) << 1;
}

static unsigned channel_out(const noc_place *at, unsigned input, unsigned channel, unsigned output)
{
    if (output == OUT_NIU) {
        return channel & ~1u;
    }
    return (channel & ~1u) | (input == output ? channel & 1 : 0) | at->closes[output];
}

/* The same for a bit of each channel. */
static uint32_t channels_out(const noc_place *at, unsigned input, uint32_t channels, unsigned output)
{
    const uint32_t even = (channels | channels >> 1) & 0x5555;
    if (output == OUT_NIU) {
        return even;
    }
    return at->closes[output] ? even << 1 : input == output ? channels : even;
}

static void find_places(noc_fabric *fabric)
{
    for (unsigned r = 0; r < NOC_ROUTERS; r++) {
        const unsigned noc = r / NOC_NODES;
        const noc_node node = (noc_node)(r % NOC_NODES);
        noc_place *at = &fabric->place[r];
        *at = (noc_place){.noc = (uint8_t)noc, .node = node, .x = (uint8_t)x_of(node), .y = (uint8_t)y_of(node)};
        for (unsigned output = 0; output < 2; output++) {
            const unsigned size = output == OUT_X ? NOC_GRID_X : NOC_GRID_Y;
            at->next[output] = (uint16_t)noc_router_number(noc, next_node(noc, node, output));
            at->previous[output] = (uint16_t)noc_router_number(noc, next_node(1 - noc, node, output));
            at->closes[output] = (output == OUT_X ? at->x : at->y) == (noc != 0 ? 0 : size - 1);
        }
    }
}

static bool is_response(const noc_packet *packet)
{
    return packet->op == NOC_READ_RESPONSE || packet->op == NOC_ATOMIC_RESPONSE;
}

/* ---- Life -------------------------------------------------------------------------------------------- */

static size_t queue_bytes(uint32_t heap_capacity)
{
    return ((size_t)heap_capacity + NOC_RUNS * NOC_RUN_ENTRIES) * sizeof(noc_entry);
}

static size_t mapping_bytes(void)
{
    return (size_t)NOC_PORTS * (2 * queue_bytes(NOC_INBOX_CAPACITY) + NOC_OUTBOX_CAPACITY * sizeof(noc_entry) +
                                NOC_CHANGES * sizeof(noc_change)) +
           3 * queue_bytes(NOC_PENDING_CAPACITY) + (size_t)NOC_EVENT_CAPACITY * sizeof(noc_event);
}

static void queue_create(noc_queue *queue, uint8_t **at, uint32_t heap_capacity)
{
    queue->run = (noc_entry *)(void *)*at;
    queue->heap = queue->run + NOC_RUNS * NOC_RUN_ENTRIES;
    queue->heap_capacity = heap_capacity;
    queue_clear(queue);
    *at += queue_bytes(heap_capacity);
}

bool fabric_create(noc_fabric *fabric)
{
    memset(fabric->port, 0, sizeof fabric->port);
    uint8_t *at =
        mmap(NULL, mapping_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        return false;
    }
    madvise(at, mapping_bytes(), MADV_NOHUGEPAGE);
    queue_create(&fabric->pending, &at, NOC_PENDING_CAPACITY);
    queue_create(&fabric->at_niu, &at, NOC_PENDING_CAPACITY);
    find_places(fabric);
    memset(&fabric->in_router, 0, sizeof fabric->in_router);
    fabric->in_router.next = NEVER;
    queue_create(&fabric->in_router.far, &at, NOC_PENDING_CAPACITY);
    fabric->in_router.event = (noc_event *)(void *)at;
    fabric->in_router.capacity = NOC_EVENT_CAPACITY;
    at += (size_t)NOC_EVENT_CAPACITY * sizeof(noc_event);
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        queue_create(&fabric->port[p].inbox, &at, NOC_INBOX_CAPACITY);
        queue_create(&fabric->port[p].acks, &at, NOC_INBOX_CAPACITY);
        fabric->port[p].outbox = (noc_entry *)(void *)at;
        at += (size_t)NOC_OUTBOX_CAPACITY * sizeof(noc_entry);
        fabric->port[p].change = (noc_change *)(void *)at;
        at += NOC_CHANGES * sizeof(noc_change);
    }
    return true;
}

void fabric_destroy(noc_fabric *fabric)
{
    if (fabric->pending.run != NULL) {
        munmap(fabric->pending.run, mapping_bytes());
    }
    fabric->pending.run = NULL;
}

void fabric_clear(noc_fabric *fabric)
{
    madvise(fabric->pending.run, mapping_bytes(), MADV_DONTNEED);
    memset(fabric->router, 0, sizeof fabric->router);
    memset(fabric->slow, 0, sizeof fabric->slow);
    memset(fabric->load, 0, sizeof fabric->load);
    queue_clear(&fabric->pending);
    queue_clear(&fabric->at_niu);
    agenda_clear(&fabric->in_router);
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        queue_clear(&fabric->port[p].inbox);
        queue_clear(&fabric->port[p].acks);
        fabric->port[p].outbox_count = fabric->port[p].change_count = 0;
    }
    fabric->changed_count = 0;
}

uint32_t fabric_lookahead(void)
{
    return COST_NOC_IN + COST_NOC_OUT + COST_NOC_PICKUP_REQUEST;
}
_Static_assert(COST_NOC_PICKUP_REQUEST <= COST_NOC_PICKUP_DATA, "requests are the first to take effect");
_Static_assert(COST_NOC_PICKUP_REQUEST <= COST_NOC_PICKUP_DATA + COST_NOC_ACK + COST_NOC_PICKUP_ACK,
               "a write to the own tile takes as long, and then its acknowledgement is on its way");

bool fabric_is_empty(const noc_fabric *fabric)
{
    if ((fabric->pending.count | fabric->at_niu.count | fabric->slow[0] | fabric->slow[1]) != 0 ||
        agenda_first(&fabric->in_router) != NEVER) {
        return false;
    }
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        if ((fabric->port[p].inbox.count | fabric->port[p].acks.count) != 0) {
            return false;
        }
    }
    return true;
}

uint64_t fabric_next(const noc_fabric *fabric)
{
    const uint64_t router = agenda_first(&fabric->in_router);
    const uint64_t niu = min64(noc_queue_next(&fabric->pending), noc_queue_next(&fabric->at_niu));
    return min64(niu, router == NEVER ? NEVER : router > COST_NOC_IN ? router - COST_NOC_IN : 0);
}

/* ---- Work in hand ------------------------------------------------------------------------------------------ */

/* What all functions below need. */
typedef struct work {
    noc_fabric *fabric;
    const noc_chip *chip;
    noc_store *store;
    uint64_t now;
    uint32_t to_try_count; /* of noc_fabric.to_try */
} work;

static noc_packet *packet_of(const work *w, packet_ref ref)
{
    return noc_packet_at(w->store, ref);
}

static void append(const work *w, noc_list *list, packet_ref ref)
{
    packet_of(w, ref)->next = NO_PACKET;
    if (list->first == 0) {
        list->first = ref + 1;
    } else {
        packet_of(w, list->last - 1)->next = ref;
    }
    list->last = ref + 1;
}

static packet_ref remove_first(const work *w, noc_list *list)
{
    const packet_ref ref = list->first - 1;
    const packet_ref next = packet_of(w, ref)->next;
    list->first = next == NO_PACKET ? 0 : next + 1;
    return ref;
}

static void lose(work *w, packet_ref ref, const char *text)
{
    w->chip->fault(w->chip->chip, packet_of(w, ref), w->now, true, text);
    noc_packet_release(w->store, ref);
}

/* Events at equal cycles come in this order, then by NoC, node and place. */
enum event_kind { NIU_CREDIT = 1, NIU_LEFT_ROUTERS, NIU_SIDE, PORT_FREE, DRAIN, RESERVE, ARRIVE, TRY };

static void post_niu(work *w, uint64_t cycle, enum event_kind kind, unsigned noc, noc_node node, unsigned place,
                     unsigned channel, uint32_t value)
{
    const noc_entry event = {.cycle = cycle,
                             .order = (uint64_t)kind << 32 | (uint64_t)noc << 24 | (uint64_t)node << 16 |
                                      (uint64_t)place << 8 | channel,
                             .ref = NO_PACKET,
                             .value = value};
    noc_queue_put(&w->fabric->at_niu, event);
}

static inline uint32_t event_of(enum event_kind kind, uint32_t router, unsigned place, unsigned channel)
{
    return (uint32_t)kind << 24 | router << 8 | place << 4 | channel;
}

/* Of event_of. */
static inline __attribute__((always_inline)) void post_router(work *w, uint64_t cycle, uint32_t event, packet_ref ref,
                                                              uint32_t value)
{
    if (!agenda_put(&w->fabric->in_router, cycle, event, ref, value) && ref != NO_PACKET) {
        lose(w, ref, "too many events in the NoC at once: this packet is lost");
    }
}

/* ---- Arrival at a node -------------------------------------------------------------------------------------- */

static noc_router *router_at(const work *w, unsigned noc, noc_node node)
{
    return &w->fabric->router[noc_router_number(noc, node)];
}

/* How an NIU was at a cycle of this window. */
static unsigned mode_at(const work *w, unsigned noc, noc_node node, uint64_t cycle)
{
    const noc_port *port = &w->fabric->port[node];
    for (uint32_t i = 0; i < port->change_count; i++) {
        if (port->change[i].noc == noc && port->change[i].cycle >= cycle) {
            return port->change[i].was;
        }
    }
    return w->chip->mode(w->chip->chip, noc, node);
}

/* For who looks at cycle `at` of the NIUs' clock: routers are COST_NOC_IN ahead of the tiles (in_router_now). */
static uint32_t port_of(const work *w, noc_node node, const noc_packet *packet, uint64_t at)
{
    return w->fabric->port[node].has_bank
               ? w->chip->port_of(w->chip->chip, node, packet, mode_at(w, packet->noc & 1, node, at))
               : node;
}

static uint64_t in_router_now(const work *w)
{
    return w->now - COST_NOC_IN;
}

static void put_inbox(work *w, uint32_t port, packet_ref ref, uint64_t effect)
{
    const noc_entry entry = {.cycle = effect, .order = noc_order(packet_of(w, ref)), .ref = ref};
    if (!noc_queue_put(&w->fabric->port[port].inbox, entry)) {
        lose(w, ref, "the receiver's queue of NoC packets is full: this one is lost");
        return;
    }
    *w->fabric->port[port].due = min64(*w->fabric->port[port].due, effect);
}

/* One flit on channels of their own: never in a queue. */
noc_entry noc_ack(const noc_packet *write, noc_node from, uint64_t effect)
{
    const unsigned noc = write->noc;
    const noc_node to = write->return_to;
    return (noc_entry){.cycle = effect + COST_NOC_ACK + COST_NOC_IN + (uint64_t)COST_NOC_HOP * hops(noc, from, to) +
                                COST_NOC_OUT + COST_NOC_PICKUP_ACK,
                       .order = order_by_fabric(from, noc, to, write->sequence),
                       .ref = NO_PACKET,
                       .value = write->transaction_id};
}

uint64_t noc_shaken(const struct shake *shake, const noc_packet *packet, noc_node node, uint64_t effect)
{
    const unsigned sub = packet->source | (unsigned)packet->noc << 8;
    switch (packet->op) {
    case NOC_WRITE:
    case NOC_READ:
    case NOC_ATOMIC: return shake_warp(shake, SHAKE_NOC, node, sub | (unsigned)packet->virtual_channel << 9, effect);
    case NOC_READ_RESPONSE:
    case NOC_ATOMIC_RESPONSE: return effect + shake_draw(shake, SHAKE_NOC_RESPONSE, node, sub, packet->sequence);
    default: return effect;
    }
}

uint64_t noc_shaken_ack(const struct shake *shake, const noc_packet *write, noc_node from, uint64_t cycle)
{
    return cycle +
           shake_draw(shake, SHAKE_NOC_ACK, write->return_to, from | (unsigned)write->noc << 8, write->sequence);
}

static const char no_room_for_ack[] = "no room for the acknowledgement of a NoC write";

/* False: no room. */
static bool put_ack(noc_fabric *fabric, noc_node to, noc_entry ack)
{
    noc_port *port = &fabric->port[to];
    if (!noc_queue_put(port->has_cores ? &port->acks : &port->inbox, ack)) {
        return false;
    }
    *port->due = min64(*port->due, ack.cycle);
    return true;
}

/* A write has arrived at a node: its acknowledgement is on its way.  Those of a multicast come to its sender at the same time,
 * since the way there and back is once round the torus from everywhere: it takes in one a cycle (noc-latency: a linked
 * multicast to 64 takes 64 cycles, to 110 112). */
static void acknowledge(work *w, const noc_packet *write, noc_node from, uint64_t effect)
{
    noc_entry ack = noc_ack(write, from, effect);
    if (write->flags & NOC_MULTICAST) {
        uint64_t *free = &router_at(w, write->noc, write->return_to)->acks_free;
        ack.cycle = max64(ack.cycle, *free);
        *free = ack.cycle + 1;
    }
    if (UNLIKELY(w->chip->shake != NULL)) {
        ack.cycle = noc_shaken_ack(w->chip->shake, write, from, ack.cycle);
    }
    if (!put_ack(w->fabric, write->return_to, ack)) {
        w->chip->fault(w->chip->chip, write, effect, true, no_room_for_ack);
    }
}

/* The last flit is at the node's NIU at `cycle`, and goes on to this port of it. */
static void arrive(work *w, packet_ref ref, noc_node node, uint32_t port, uint64_t cycle)
{
    noc_packet *packet = packet_of(w, ref);
    uint64_t effect = cycle + noc_pickup(packet);
    if (UNLIKELY(w->chip->shake != NULL)) {
        effect = noc_shaken(w->chip->shake, packet, node, effect);
    }
    const bool wants_ack = packet->op == NOC_WRITE && (packet->flags & NOC_RESPONSE_WANTED);
    if (port >= NOC_NODES) {
        w->chip->bank_request(w->chip->chip, node, packet, effect);
    }
    put_inbox(w, port, ref, effect);
    if (wants_ack) {
        acknowledge(w, packet, node, effect);
    }
}

static bool reads_bank(const noc_packet *packet, uint32_t port)
{
    return packet->op == NOC_READ && port >= NOC_NODES;
}

static bool wants_bank(const work *w, const noc_packet *packet, uint64_t at)
{
    return packet->op == NOC_READ && port_of(w, packet->destination, packet, at) >= NOC_NODES;
}

/* ---- Routers --------------------------------------------------------------------------------------------------- */

/* In this cycle: run_routers comes to it. */
static inline void look_now(work *w, uint32_t r, noc_router *router, unsigned output)
{
    if (router->to_try == 0) {
        w->fabric->to_try[w->to_try_count++] = (uint16_t)r;
    }
    router->to_try |= (uint8_t)(1u << output);
}

static inline bool is_wanted(const noc_output *out)
{
    return out->wanted != 0;
}

static inline void look_at(work *w, uint32_t r, noc_output *out, unsigned output, uint64_t cycle)
{
    if (out->next_try > w->now && out->next_try <= cycle) {
        return;
    }
    out->next_try = cycle;
    post_router(w, cycle, event_of(TRY, r, output, 0), NO_PACKET, 0);
}

/* Something has changed for this output, which is wanted: it is looked at in this cycle, or as soon as its link is free. */
static inline void look_soon(work *w, uint32_t r, noc_router *router, unsigned output)
{
    noc_output *out = &router->output[output];
    if (out->free <= w->now) {
        look_now(w, r, router, output);
    } else {
        look_at(w, r, out, output, out->free);
    }
}

/* A packet has become the first of a queue. */
static inline void becomes_first(work *w, uint32_t r, noc_router *router, unsigned input, unsigned channel,
                                 const noc_packet *packet)
{
    const unsigned output = way_out(w->fabric, &w->fabric->place[r], packet->destination);
    router->output[output].wants[input] |= (uint16_t)(1u << channel);
    look_soon(w, r, router, output);
}

static inline void enter_queue(work *w, uint32_t r, unsigned input, unsigned channel, packet_ref ref)
{
    noc_router *router = &w->fabric->router[r];
    noc_list *queue = &router->queue[input][channel];
    noc_packet *packet = packet_of(w, ref);
    packet->input = (uint8_t)input;
    packet->next = NO_PACKET;
    if (queue->first == 0) {
        queue->first = queue->last = ref + 1;
        becomes_first(w, r, router, input, channel, packet);
    } else {
        packet_of(w, queue->last - 1)->next = ref;
        queue->last = ref + 1;
    }
}

/* A packet that may leave: where it is, and on which channel it goes. */
typedef struct choice {
    unsigned input, from, channel;
    packet_ref ref;
    noc_packet *packet;
} choice;

/* It has the link along x or y: it is in the next router COST_NOC_HOP later. */
static inline void take_hop(work *w, const noc_place *at, unsigned output, noc_output *out, const choice *c)
{
    noc_packet *packet = c->packet;
    const uint32_t next = at->next[output];
    packet->up_node = at->node;
    packet->up_port = (uint8_t)output;
    packet->up_channel = (uint8_t)c->channel;
    if (packet->flits <= COST_NOC_BUFFER) {
        w->fabric->router[next].flits[output][c->channel] += packet->flits;
    } else {
        out->hold[c->channel] = NEVER; /* until it goes on from there */
    }
    post_router(w, w->now + COST_NOC_HOP, event_of(ARRIVE, next, output, c->channel), c->ref, 0);
}

static void take_way_out(work *w, noc_router *router, const noc_place *at, const choice *c)
{
    const noc_packet *packet = c->packet;
    post_niu(w, w->now + 1, NIU_LEFT_ROUTERS, at->noc, packet->source, 0, packet->virtual_channel & 7u,
             (uint32_t)(packet->tail - w->now));
    const uint32_t port = port_of(w, at->node, packet, in_router_now(w));
    router->accepted += reads_bank(packet, port);
    arrive(w, c->ref, at->node, port, packet->tail + COST_NOC_OUT);
}

/* What stands behind a packet that goes on at w->now: its last flit has come over that link at `tail`. */
static inline void go_on_behind(work *w, uint32_t r, const noc_place *at, const choice *c, uint64_t tail)
{
    const noc_packet *packet = c->packet;
    const uint32_t flits = packet->flits;
    if (flits <= COST_NOC_BUFFER) {
        if (c->input == FROM_NIU) {
            post_niu(w, w->now + flits, NIU_CREDIT, at->noc, at->node, c->from, 0, flits);
        } else {
            post_router(w, w->now + flits, event_of(DRAIN, r, c->input, c->from), NO_PACKET, flits);
        }
        return;
    }
    /* it stood on the link behind it as well */
    const uint64_t over = max64(max64(w->now + flits - COST_NOC_BUFFER, tail), w->now) + 1;
    if (c->input == FROM_NIU) {
        post_niu(w, over, NIU_SIDE, at->noc, at->node, is_response(packet), 1, 0);
    } else if (packet->up_node != NO_NODE) {
        const uint32_t up = noc_router_number(at->noc, packet->up_node);
        noc_output *behind = &w->fabric->router[up].output[packet->up_port];
        behind->hold[packet->up_channel] = over;
        if (is_wanted(behind)) {
            look_at(w, up, behind, packet->up_port, over);
        }
    }
}

/* The chosen packet, the first of its queue, leaves this router. */
static inline void grant(work *w, uint32_t r, noc_router *router, const noc_place *at, unsigned output, const choice *c)
{
    noc_output *out = &router->output[output];
    noc_packet *packet = c->packet;
    const uint32_t flits = packet->flits;
    const uint64_t behind = packet->tail;
    const packet_ref following = packet->next;
    router->queue[c->input][c->from].first = following == NO_PACKET ? 0 : following + 1;
    out->wants[c->input] &= (uint16_t) ~(1u << c->from);
    out->input_turn[c->channel] = (uint8_t)c->input;
    out->channel_turn = (uint8_t)c->channel;
    packet->tail = max64(w->now + flits - 1, behind + (c->input == FROM_NIU ? COST_NOC_IN : COST_NOC_HOP));
    out->free = w->now + flits;
    out->hold[c->channel] = packet->tail + 1;
    w->fabric->load[r][output] += flits;
    go_on_behind(w, r, at, c, behind);
    if (output == OUT_NIU) {
        take_way_out(w, router, at, c);
    } else {
        take_hop(w, at, output, out, c);
    }
    if (following != NO_PACKET) {
        becomes_first(w, r, router, c->input, c->from, packet_of(w, following));
    }
    if (is_wanted(out)) { /* else whoever comes to want it looks */
        look_at(w, r, out, output, out->free);
    }
}

/* Whether the first packet of a queue may go out there now. */
static inline bool may_leave(const work *w, const noc_router *router, const noc_place *at, unsigned output,
                             unsigned channel, const noc_packet *packet)
{
    if (output == OUT_NIU) {
        return router->accepted < COST_DRAM_PORT_QUEUE || !wants_bank(w, packet, in_router_now(w));
    }
    const uint32_t flits = packet->flits;
    return flits > COST_NOC_BUFFER ||
           w->fabric->router[at->next[output]].flits[output][channel] + flits <= COST_NOC_BUFFER;
}

/* The first packet of this queue goes out on `channel`, if it may. */
static inline bool choose(const work *w, const noc_router *router, const noc_place *at, unsigned output, choice *c)
{
    c->ref = router->queue[c->input][c->from].first - 1;
    c->packet = packet_of(w, c->ref);
    return may_leave(w, router, at, output, c->channel, c->packet);
}

/* If one packet alone wants this output: it may leave, or *again is when to look again. */
static inline bool choose_only(const work *w, const noc_router *router, const noc_place *at, unsigned output, choice *c,
                               uint64_t *again)
{
    const noc_output *out = &router->output[output];
    const unsigned bit = (unsigned)__builtin_ctzll(out->wanted);
    c->input = bit / NOC_CHANNELS;
    c->from = bit % NOC_CHANNELS;
    c->channel = channel_out(at, c->input, c->from, output);
    if (out->hold[c->channel] > w->now) {
        *again = out->hold[c->channel];
        return false;
    }
    return choose(w, router, at, output, c);
}

/* Channels take turns, and within a channel the ways in.  A channel whose next packet has no room is passed over. */
static bool choose_by_turns(const work *w, const noc_router *router, const noc_place *at, unsigned output, choice *c,
                            uint64_t *again)
{
    const noc_output *out = &router->output[output];
    /* Channels that something wants to go out on, from the one after the last on. */
    _Static_assert(NOC_CHANNELS == 16, "a 32-bit word has two turns of all channels");
    uint32_t out_on[NOC_INPUTS], wanted = 0;
    for (unsigned input = 0; input < NOC_INPUTS; input++) {
        out_on[input] = out->wants[input] != 0 ? channels_out(at, input, out->wants[input], output) : 0;
        wanted |= out_on[input];
    }
    wanted |= wanted << NOC_CHANNELS;
    wanted = wanted >> (out->channel_turn + 1u) & 0xFFFF;
    for (; wanted != 0; wanted &= wanted - 1) {
        const unsigned channel = (out->channel_turn + 1u + (unsigned)__builtin_ctz(wanted)) % NOC_CHANNELS;
        if (out->hold[channel] > w->now) {
            *again = min64(*again, out->hold[channel]);
            continue;
        }
        unsigned input = out->input_turn[channel];
        do {
            input = input + 1 == NOC_INPUTS ? 0 : input + 1;
        } while (!(out_on[input] >> channel & 1));
        /* Of the two queues with and without the dateline bit the one without comes first. */
        unsigned from = channel & ~1u;
        if (!(out->wants[input] >> from & 1) || channel_out(at, input, from, output) != channel) {
            from++;
        }
        *c = (choice){.input = input, .from = from, .channel = channel};
        if (choose(w, router, at, output, c)) {
            return true;
        }
    }
    return false;
}

/* The next packet for this output leaves, if one can. */
static inline void try_output(work *w, uint32_t r, noc_router *router, unsigned output)
{
    noc_output *out = &router->output[output];
    if (!is_wanted(out)) {
        return;
    }
    if (out->free > w->now) {
        look_at(w, r, out, output, out->free);
        return;
    }
    const noc_place *at = &w->fabric->place[r];
    choice chosen;
    uint64_t again = NEVER;
    const bool one = (out->wanted & (out->wanted - 1)) == 0;
    if (one ? choose_only(w, router, at, output, &chosen, &again)
            : choose_by_turns(w, router, at, output, &chosen, &again)) {
        grant(w, r, router, at, output, &chosen);
    } else if (again != NEVER) {
        look_at(w, r, out, output, again);
    }
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

/* ---- Out of the NIU ------------------------------------------------------------------------------------------------ */

/* The sender's NIU waits with its next packet from now on (until NEVER), or no more (0).  It learns of it when the packet
 * could have been with its neighbour. */
static void hold_sender(work *w, const noc_packet *packet, unsigned side, uint64_t until)
{
    packet_ref ref;
    noc_packet *hold = noc_packet_new(w->store, 0, &ref);
    if (hold == NULL) {
        return;
    }
    hold->op = NOC_HOLD;
    hold->cycle = w->now;
    hold->address = until;
    hold->immediate = side;
    hold->source = packet->source;
    hold->destination = packet->source;
    hold->noc = packet->noc;
    hold->flags = NOC_BY_FABRIC;
    hold->sequence = packet->sequence;
    put_inbox(w, packet->source, ref, w->now + fabric_lookahead());
}

/* Whether a single flit must not get ahead of what its NIU has sent on the same virtual channel: requests do not
 * (WormholeB0 NoC/Ordering), responses may. */
static bool runs_after(const work *w, const noc_packet *packet)
{
    const noc_router *router = router_at(w, packet->noc, packet->source);
    const unsigned channel = packet->virtual_channel & 7u;
    return (router->in_routers[channel] != 0 || router->passed[channel] > w->now) && !is_response(packet);
}

/* Nobody is in a router, and all links of the way are free when the packet comes to them: nothing can happen to it.  A
 * single flit finds its way in any case, unless it goes to a DRAM bank, where requests pile up, or runs after others. */
static bool go_express(work *w, packet_ref ref, uint32_t sending)
{
    noc_packet *packet = packet_of(w, ref);
    const unsigned noc = packet->noc;
    const uint32_t flits = packet->flits;
    const uint32_t port = port_of(w, packet->destination, packet, w->now);
    const bool bank = reads_bank(packet, port);
    if ((w->fabric->slow[noc] != 0 && (flits > 1 || bank)) || (flits == 1 && runs_after(w, packet))) {
        return false;
    }
    noc_router *last = router_at(w, noc, packet->destination);
    if (bank && last->express_accepted >= COST_DRAM_PORT_QUEUE) {
        return false;
    }
    uint64_t head = w->now + COST_NOC_IN;
    if (flits > 1) {
        for (int pass = 0; pass < 2; pass++) { /* look, then take */
            noc_node node = packet->source;
            head = w->now + COST_NOC_IN;
            for (;;) {
                const unsigned output =
                    way_out(w->fabric, &w->fabric->place[noc_router_number(noc, node)], packet->destination);
                noc_router *router = router_at(w, noc, node);
                if (pass == 0 && max64(router->express_free[output], router->output[output].free) > head) {
                    return false;
                }
                if (pass == 1) {
                    router->express_free[output] = head + flits;
                    w->fabric->load[noc_router_number(noc, node)][output] += flits;
                }
                if (output == OUT_NIU) {
                    break;
                }
                head += COST_NOC_HOP;
                node = w->fabric->place[w->fabric->place[noc_router_number(noc, node)].next[output]].node;
            }
        }
    } else {
        head += (uint64_t)COST_NOC_HOP * hops(noc, packet->source, packet->destination);
    }
    packet->flags |= NOC_EXPRESS;
    last->express_accepted += bank;
    arrive(w, ref, packet->destination, port, head + sending - 1 + COST_NOC_OUT);
    return true;
}

static void go_slow(work *w, packet_ref ref, unsigned side, uint32_t sending)
{
    noc_packet *packet = packet_of(w, ref);
    const unsigned noc = packet->noc, channel = channel_of(packet);
    const uint32_t flits = packet->flits;
    noc_router *router = router_at(w, noc, packet->source);
    if (w->fabric->slow[noc]++ == 0) {
        for (unsigned node = 0; node < NOC_NODES; node++) { /* from now on events look at the links */
            noc_router *r = router_at(w, noc, (noc_node)node);
            for (unsigned output = 0; output < NOC_OUTPUTS; output++) {
                r->output[output].free = max64(r->output[output].free, r->express_free[output]);
            }
        }
    }
    router->in_routers[packet->virtual_channel & 7u]++;
    packet->tail = w->now + sending - 1;
    packet->up_node = NO_NODE;
    if (flits <= COST_NOC_BUFFER) {
        router->flits[FROM_NIU][channel] += (uint16_t)flits;
    } else {
        router->side[side].blocked = true; /* until it is in the router */
    }
    post_router(w, w->now + COST_NOC_IN, event_of(ARRIVE, noc_router_number(noc, packet->source), FROM_NIU, channel),
                ref, 0);
}

static void multicast(work *w, packet_ref ref, uint32_t sending);

/* Data of a DRAM bank leaves: its place in the port is free for the next read. */
static void leave_port(work *w, noc_packet *packet)
{
    if (packet->flags & NOC_EXPRESS) {
        router_at(w, packet->noc, packet->source)->express_accepted--;
    } else {
        post_router(w, w->now + COST_NOC_IN, event_of(PORT_FREE, noc_router_number(packet->noc, packet->source), 0, 0),
                    NO_PACKET, 0);
    }
    packet->flags &= (uint16_t) ~(NOC_FROM_BANK | NOC_EXPRESS);
}

/* Starts what waits at one side of an NIU, if it can. */
static void go_on(work *w, unsigned noc, noc_node node, unsigned side)
{
    noc_router *router = router_at(w, noc, node);
    while (router->side[side].count != 0 && !router->side[side].blocked && router->side[side].free <= w->now) {
        const packet_ref ref = router->side[side].waiting.first - 1;
        noc_packet *packet = packet_of(w, ref);
        const uint32_t flits = packet->flits;
        const bool many = packet->flags & NOC_MULTICAST;
        const bool room = many || flits > COST_NOC_BUFFER ||
                          (flits == 1 && !wants_bank(w, packet, w->now) && !runs_after(w, packet)) ||
                          w->fabric->slow[noc] == 0 ||
                          router->flits[FROM_NIU][channel_of(packet)] + flits <= COST_NOC_BUFFER;
        if (!room) {
            return; /* NIU_CREDIT comes */
        }
        remove_first(w, &router->side[side].waiting);
        router->side[side].count--;
        if (packet->flags & NOC_FROM_BANK) {
            leave_port(w, packet);
        }
        const uint32_t sending = noc_sending(flits - 1, &router->side[side].fraction);
        router->side[side].free = w->now + (many ? noc_reserving(packet) : 0) + sending;
        if (router->side[side].held && router->side[side].count == 0) {
            router->side[side].held = false;
            hold_sender(w, packet, side, 0);
        }
        if (many) {
            multicast(w, ref, sending);
        } else if (!go_express(w, ref, sending)) {
            go_slow(w, ref, side, sending);
        }
    }
    if (router->side[side].count != 0 && !router->side[side].blocked && router->side[side].free > w->now) {
        post_niu(w, router->side[side].free, NIU_SIDE, noc, node, side, 0, 0);
    }
}

/* A packet's first flit is to leave its NIU. */
static void leave(work *w, packet_ref ref)
{
    noc_packet *packet = packet_of(w, ref);
    if (noc_is_dma(packet)) {
        put_inbox(w, port_of(w, packet->destination, packet, w->now), ref, w->now + fabric_lookahead());
        return;
    }
    const unsigned noc = packet->noc, side = is_response(packet);
    const noc_node node = packet->source;
    const bool from_niu = !(packet->flags & NOC_BY_FABRIC);
    noc_router *router = router_at(w, noc, node);
    packet->flits = (uint16_t)noc_flits(packet);
    append(w, &router->side[side].waiting, ref);
    if (router->side[side].count++ == 0) {
        go_on(w, noc, node, side);
    }
    if (from_niu && router->side[side].count != 0 && !router->side[side].held) {
        router->side[side].held = true;
        hold_sender(w, packet_of(w, ref), side, NEVER);
    }
}

/* ---- Multicast: way through the tree ----------------------------------------------------------------------------------- */

typedef struct tree {
    work *w;
    packet_ref ref;
    uint32_t flits, sending;
    uint32_t rows[NOC_GRID_Y];
    uint32_t reached;
    bool announce; /* links also to those who stand in routers */
} tree;

/* Takes a link for the packet whose first flit is there at *head. */
static void take_link(tree *t, unsigned noc, noc_node node, unsigned output, uint64_t *head)
{
    uint64_t *free = &router_at(t->w, noc, node)->express_free[output];
    *head = max64(*head, *free);
    *free = *head + t->flits;
    t->w->fabric->load[noc_router_number(noc, node)][output] += t->flits;
    if (t->announce) {
        post_router(t->w, t->w->now + COST_NOC_IN, event_of(RESERVE, noc_router_number(noc, node), output, 0),
                    NO_PACKET, (uint32_t)(*free - t->w->now));
    }
}

/* The packet has come to the router of this node with its first flit at `head`. */
static void offer(tree *t, noc_node node, uint64_t head)
{
    noc_packet *packet = packet_of(t->w, t->ref);
    if (!(t->rows[noc_raw_y(packet->noc, y_of(node))] >> noc_raw_x(packet->noc, x_of(node)) & 1) ||
        node == packet->source || !(mode_at(t->w, packet->noc, node, t->w->now) & NOC_TAKES_BROADCASTS)) {
        return; /* the sender's own copy never leaves its tile */
    }
    take_link(t, packet->noc, node, OUT_NIU, &head);
    __atomic_add_fetch(&packet->holders, 1, __ATOMIC_RELAXED);
    t->reached++;
    arrive(t->w, t->ref, node, port_of(t->w, node, packet, t->w->now), head + t->sending - 1 + COST_NOC_OUT);
}

static void travel(tree *t, unsigned noc, noc_node *node, unsigned output, unsigned to, uint64_t *head)
{
    while ((output == OUT_X ? x_of(*node) : y_of(*node)) != to) {
        take_link(t, noc, *node, output, head);
        *head += COST_NOC_HOP;
        *node = next_node(noc, *node, output);
    }
}

/* First along the major axis to the rectangle, then along the minor axis through it, and from each router there along
 * the major axis again (NoC/RoutingPaths). */
static void multicast(work *w, packet_ref ref, uint32_t sending)
{
    noc_packet *packet = packet_of(w, ref);
    const unsigned noc = packet->noc;
    const noc_rectangle *r = &packet->rectangle;
    tree t = {.w = w, .ref = ref, .flits = packet->flits, .sending = sending, .announce = w->fabric->slow[noc] != 0};
    fabric_receivers(packet, t.rows);
    const unsigned major = packet->flags & NOC_Y_MAJOR ? OUT_Y : OUT_X, minor = major == OUT_X ? OUT_Y : OUT_X;
    const unsigned start[2] = {noc_raw_x(noc, r->start_x), noc_raw_y(noc, r->start_y)};
    const unsigned end[2] = {noc_raw_x(noc, r->end_x), noc_raw_y(noc, r->end_y)};
    noc_node node = packet->source;
    uint64_t head = w->now + COST_NOC_IN + noc_reserving(packet);
    travel(&t, noc, &node, major, start[major], &head);
    travel(&t, noc, &node, minor, start[minor], &head);
    for (;;) { /* along the minor axis */
        noc_node branch = node;
        uint64_t branch_head = head;
        offer(&t, branch, branch_head);
        while ((major == OUT_X ? x_of(branch) : y_of(branch)) != end[major]) {
            take_link(&t, noc, branch, major, &branch_head);
            branch_head += COST_NOC_HOP;
            branch = next_node(noc, branch, major);
            offer(&t, branch, branch_head);
        }
        if ((minor == OUT_X ? x_of(node) : y_of(node)) == end[minor]) {
            break;
        }
        take_link(&t, noc, node, minor, &head);
        head += COST_NOC_HOP;
        node = next_node(noc, node, minor);
    }
    const bool own = (packet->flags & NOC_INCLUDE_SOURCE) && fabric_multicast_has(packet, packet->source) &&
                     (mode_at(w, noc, packet->source, w->now) & NOC_TAKES_BROADCASTS);
    if (t.reached == 0 && !own) {
        char text[96];
        snprintf(text, sizeof text, "multicast to the rectangle %u-%u to %u-%u, in which nobody receives it",
                 r->start_x, r->start_y, r->end_x, r->end_y);
        w->chip->fault(w->chip->chip, packet, packet->cycle, false, text);
    }
    noc_packet_release(w->store, ref);
}

/* ---- Events ------------------------------------------------------------------------------------------------------------ */

static void happen_at_niu(work *w, noc_entry event)
{
    const unsigned noc = event.order >> 24 & 1, place = event.order >> 8 & 255, channel = event.order & 255;
    const noc_node node = (noc_node)(event.order >> 16);
    noc_router *router = router_at(w, noc, node);
    switch ((enum event_kind)(event.order >> 32)) {
    case NIU_CREDIT:
        router->flits[FROM_NIU][place] -= (uint16_t)event.value;
        go_on(w, noc, node, 0);
        go_on(w, noc, node, 1);
        break;
    case NIU_LEFT_ROUTERS:
        w->fabric->slow[noc]--;
        router->in_routers[channel & 7]--;
        router->passed[channel & 7] = max64(router->passed[channel & 7], w->now + event.value);
        break;
    case NIU_SIDE:
        if (channel != 0) { /* the packet that stood in the way is in the router */
            router->side[place].blocked = false;
        }
        go_on(w, noc, node, place);
        break;
    default: break;
    }
}

/* An output that is wanted is looked at. */
static inline void look_if_wanted(work *w, uint32_t r, unsigned output)
{
    noc_router *router = &w->fabric->router[r];
    if (is_wanted(&router->output[output])) {
        look_soon(w, r, router, output);
    }
}

static inline __attribute__((always_inline)) void happen_in_router(work *w, uint32_t event, packet_ref ref,
                                                                   uint32_t value)
{
    const uint32_t r = event >> 8 & 0xFFFF;
    const unsigned place = event >> 4 & 15, channel = event & 15;
    noc_router *router = &w->fabric->router[r];
    switch ((enum event_kind)(event >> 24)) {
    case PORT_FREE:
        router->accepted--;
        look_if_wanted(w, r, OUT_NIU);
        break;
    case DRAIN:
        router->flits[place][channel] -= (uint16_t)value;
        look_if_wanted(w, w->fabric->place[r].previous[place], place);
        break;
    case RESERVE: router->output[place].free = max64(router->output[place].free, w->now - COST_NOC_IN + value); break;
    case ARRIVE: enter_queue(w, r, place, channel, ref); break;
    case TRY:
        if (router->output[place].next_try == w->now) {
            router->output[place].next_try = 0;
        }
        look_if_wanted(w, r, place);
        break;
    default: break;
    }
}

/* All of cycle w->now: events, then the outputs that are to be looked at.  The order of events does not count: each
 * changes something else, or the same in a way that commutes, and there is at most one packet a cycle for a queue.  Nor
 * does that of routers, since a router acts on others by events of later cycles only.  Within a router outputs come in
 * order of their numbers, again from the first after each grant. */
static void run_routers(work *w)
{
    enum { BEING_TRIED = 1 << NOC_OUTPUTS };
    noc_agenda *agenda = &w->fabric->in_router;
    if (agenda->next == w->now) {
        for (uint32_t number = agenda_take(agenda); number != 0;) {
            noc_event *event = &agenda->event[number - 1];
            const uint32_t what = event->what, value = event->value, next = event->next;
            const packet_ref ref = event->ref;
            event->next = agenda->unused;
            agenda->unused = number;
            number = next;
            happen_in_router(w, what, ref, value);
        }
    }
    while (noc_queue_next(&agenda->far) == w->now) {
        const noc_entry entry = noc_queue_take(&agenda->far);
        happen_in_router(w, what_of(entry.order), entry.ref, entry.value);
    }
    for (uint32_t i = 0; i < w->to_try_count; i++) {
        const uint32_t r = w->fabric->to_try[i];
        noc_router *router = &w->fabric->router[r];
        for (uint32_t left = router->to_try; left != 0; left = router->to_try & (BEING_TRIED - 1u)) {
            router->to_try = (uint8_t)((left & (left - 1)) | BEING_TRIED); /* not listed again */
            try_output(w, r, router, (unsigned)__builtin_ctz(left));
        }
        router->to_try = 0;
    }
    w->to_try_count = 0;
}

noc_packet *fabric_response(noc_fabric *fabric, noc_store *store, const noc_packet *request, noc_node from,
                            uint64_t leaves, packet_ref *ref)
{
    (void)fabric;
    enum { CHANNEL_RESPONSE = 6 };
    noc_packet *response = noc_packet_new(store, request->op == NOC_READ ? request->length : 0, ref);
    if (response == NULL) {
        return NULL;
    }
    response->op = request->op == NOC_READ ? NOC_READ_RESPONSE : NOC_ATOMIC_RESPONSE;
    response->cycle = leaves;
    response->address = request->return_address;
    response->return_address = request->address;
    response->length = request->op == NOC_READ ? request->length : 4;
    response->source = from;
    response->destination = request->return_to;
    response->return_to = request->source;
    response->noc = request->noc;
    response->virtual_channel = CHANNEL_RESPONSE;
    response->flags = NOC_BY_FABRIC;
    response->sequence = request->sequence;
    response->transaction_id = request->transaction_id;
    response->initiator_core = request->initiator_core;
    response->initiator_pc = request->initiator_pc;
    return response;
}

noc_packet *fabric_bank_response(noc_fabric *fabric, noc_store *store, const noc_packet *request, uint64_t leaves,
                                 packet_ref *ref)
{
    noc_packet *response = fabric_response(fabric, store, request, request->destination, leaves, ref);
    if (response != NULL) {
        response->flags |= (uint16_t)(NOC_FROM_BANK | (request->flags & NOC_EXPRESS));
    }
    return response;
}

static void send(noc_fabric *fabric, const noc_chip *chip, noc_store *store, noc_entry entry)
{
    if (!noc_queue_put(&fabric->pending, entry)) {
        const noc_packet *packet = noc_packet_at(store, entry.ref);
        chip->fault(chip->chip, packet, packet->cycle, true,
                    "too many NoC packets under way at once: this one is lost");
        noc_packet_release(store, entry.ref);
    }
}

void fabric_send(noc_fabric *fabric, const noc_chip *chip, noc_store *store, packet_ref ref)
{
    const noc_packet *packet = noc_packet_at(store, ref);
    send(fabric, chip, store,
         (noc_entry){.cycle = packet->cycle, .order = noc_order(packet), .ref = ref, .value = packet->destination});
}

/* What its way will touch, and another worker may have touched last, is on its way into the cache. */
static void fetch_ahead(const noc_fabric *fabric, const noc_store *store, const noc_entry *entry)
{
    const noc_packet *packet = noc_packet_at(store, entry->ref);
    const unsigned noc = noc_order_noc(entry->order);
    const noc_node source = (noc_node)(entry->order >> 43), destination = (noc_node)entry->value;
    const noc_router *from = &fabric->router[noc_router_number(noc, source)];
    const noc_router *to = &fabric->router[noc_router_number(noc, destination)];
    const noc_queue *there = &fabric->port[destination].inbox, *here = &fabric->port[source].acks;
    __builtin_prefetch(packet, 1);
    __builtin_prefetch(&packet->tail, 1);
    __builtin_prefetch(from->express_free, 1);
    __builtin_prefetch(from->side, 1);
    __builtin_prefetch(to->express_free, 1);
    __builtin_prefetch(there, 1);
    __builtin_prefetch(there->last, 1);
    __builtin_prefetch(here, 1);
    __builtin_prefetch(here->last, 1);
}

/* The acknowledgement of a write to the own tile that another one gets.  The write takes effect after the window in which it was
 * sent, so this is in time; as a packet that comes to its counter without a pick-up it would not be. */
static void send_ack(noc_fabric *fabric, const noc_chip *chip, noc_entry ack)
{
    const noc_node to = noc_order_destination(ack.order);
    if (!put_ack(fabric, to, ack)) {
        const noc_packet lost = {.op = NOC_WRITE_ACK, .destination = to, .transaction_id = (uint8_t)ack.value};
        chip->fault(chip->chip, &lost, ack.cycle, true, no_room_for_ack);
    }
}

void fabric_collect(noc_fabric *fabric, const noc_chip *chip, noc_store *store, noc_port *port)
{
    for (uint32_t i = 0; i < port->outbox_count; i++) {
        if (port->outbox[i].ref == NO_PACKET) {
            send_ack(fabric, chip, port->outbox[i]);
            continue;
        }
        fetch_ahead(fabric, store, &port->outbox[i]);
        send(fabric, chip, store, port->outbox[i]);
    }
    port->outbox_count = 0;
    if (UNLIKELY(port->change_count != 0) && port->has_bank) {
        fabric->changed[fabric->changed_count++] = (uint16_t)(port - fabric->port);
    }
}

/* A DRAM tile's way out of the router is looked at when its mode has changed: what waits for a place among the reads of its bank may
 * not have to.  Else the next look would let it go, and how many there are depends on the order of events. */
static void look_at_changed(work *w)
{
    noc_fabric *fabric = w->fabric;
    const bool any = (fabric->pending.count | fabric->at_niu.count | fabric->slow[0] | fabric->slow[1]) != 0;
    for (uint32_t i = 0; any && i < fabric->changed_count; i++) {
        const noc_port *port = &fabric->port[fabric->changed[i]];
        for (uint32_t n = 0; n < port->change_count; n++) {
            const noc_change *change = &port->change[n];
            const uint32_t router = noc_router_number(change->noc, (noc_node)fabric->changed[i]);
            post_router(w, change->cycle + COST_NOC_IN + 1, event_of(TRY, router, OUT_NIU, 0), NO_PACKET, 0);
        }
    }
    fabric->changed_count = 0;
}

/* In order of cycle; at equal cycles what happens at NIUs, then packets that leave, then routers. */
void fabric_exchange(noc_fabric *fabric, const noc_chip *chip, noc_store *store, uint64_t end)
{
    work w = {.fabric = fabric, .chip = chip, .store = store};
    if (UNLIKELY(fabric->changed_count != 0)) {
        look_at_changed(&w);
    }
    for (;;) {
        const uint64_t niu = noc_queue_next(&fabric->at_niu), leaving = noc_queue_next(&fabric->pending);
        const uint64_t router = agenda_first(&fabric->in_router);
        const uint64_t first = min64(niu, leaving);
        const bool at_niu = first < end && first <= router;
        if (!at_niu && router >= end + COST_NOC_IN) {
            return;
        }
        w.now = at_niu ? first : router;
        fabric->in_router.from = max64(fabric->in_router.from, w.now);
        if (!at_niu) {
            run_routers(&w);
        } else if (niu <= leaving) {
            happen_at_niu(&w, noc_queue_take(&fabric->at_niu));
        } else {
            leave(&w, noc_queue_take(&fabric->pending).ref);
        }
    }
}

/* ---- For snapshots -------------------------------------------------------------------------------------------------------- */

enum { LISTS_OF_A_ROUTER = NOC_INPUTS * NOC_CHANNELS + NOC_SIDES };

static noc_router *router_of_list(noc_fabric *fabric, uint32_t number)
{
    const uint32_t router = number / LISTS_OF_A_ROUTER;
    return &fabric->router[router];
}

static noc_list *list_of(noc_router *router, uint32_t number)
{
    const uint32_t n = number % LISTS_OF_A_ROUTER;
    return n < NOC_SIDES ? &router->side[n].waiting
                         : &router->queue[(n - NOC_SIDES) / NOC_CHANNELS][(n - NOC_SIDES) % NOC_CHANNELS];
}

const noc_list *fabric_list(const noc_fabric *fabric, uint32_t number)
{
    noc_fabric *mutable = (noc_fabric *)(uintptr_t)fabric; /* list_of hands out what it was given */
    return list_of(router_of_list(mutable, number), number);
}

void fabric_forget_packets(noc_fabric *fabric)
{
    for (unsigned r = 0; r < NOC_COUNT * NOC_NODES; r++) {
        noc_router *router = &fabric->router[r];
        memset(router->queue, 0, sizeof router->queue);
        router->to_try = 0;
        for (unsigned side = 0; side < NOC_SIDES; side++) {
            router->side[side].waiting = (noc_list){0, 0};
            router->side[side].count = 0;
            router->side[side].fraction %= COST_NOC_SOURCE_FLITS;
        }
        for (unsigned output = 0; output < NOC_OUTPUTS; output++) {
            memset(router->output[output].wants, 0, sizeof router->output[output].wants);
            router->output[output].channel_turn %= NOC_CHANNELS;
            for (unsigned c = 0; c < NOC_CHANNELS; c++) {
                router->output[output].input_turn[c] %= NOC_INPUTS;
            }
        }
    }
}

void fabric_restore_packet(noc_fabric *fabric, noc_store *store, uint32_t number, packet_ref ref)
{
    const work w = {.fabric = fabric, .store = store};
    noc_router *router = router_of_list(fabric, number);
    noc_packet *packet = noc_packet_at(store, ref);
    const uint32_t at = number / LISTS_OF_A_ROUTER;
    noc_list *list = list_of(router, number);
    const bool first = list->first == 0;
    append(&w, list, ref);
    packet->flits = (uint16_t)noc_flits(packet);
    if (number % LISTS_OF_A_ROUTER < NOC_SIDES) {
        router->side[number % LISTS_OF_A_ROUTER].count++;
    } else if (first) {
        const uint32_t n = number % LISTS_OF_A_ROUTER - NOC_SIDES;
        const unsigned output = way_out(fabric, &fabric->place[at], packet->destination);
        router->output[output].wants[n / NOC_CHANNELS] |= (uint16_t)(1u << n % NOC_CHANNELS);
    }
}

bool fabric_event_is_sane(uint64_t order, bool has_packet)
{
    const uint64_t kind = order >> 32, node = order >> 16 & 255, place = order >> 8 & 255, channel = order & 255;
    return kind >= NIU_CREDIT && kind <= TRY && (order >> 24 & 254) == 0 && node < NOC_NODES &&
           place < (kind == NIU_CREDIT ? NOC_CHANNELS : NOC_OUTPUTS) && (kind != NIU_SIDE || place < NOC_SIDES) &&
           (kind != DRAIN || place != OUT_NIU) && channel < NOC_CHANNELS && has_packet == (kind == ARRIVE);
}

bool fabric_event_only_looks(uint64_t order)
{
    return order >> 32 == TRY;
}
