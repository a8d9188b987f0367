/* SPDX-License-Identifier: Apache-2.0 */
/* The fabric alone, without tiles: random packets over both NoCs, to hot spots, to banks whose ports are full, and multicasts, come to
 * the same places in the same cycles whatever the windows are, and leave the same behind in routers, on links and at NIUs.
 *
 *   fabric [TRAFFICS [FIRST_SEED]] */
#include "noc/fabric.h"
#include "../support/chip.h"
#include "../support/tap.h"
#include "costs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PACKETS = 400, LOOKS = 8, SHOWN = 4, EVERY = 64 };

/* What is sent, drawn once for both. */
typedef struct request {
    uint64_t cycle;
    _Alignas(noc_packet) uint8_t packet[sizeof(noc_packet)]; /* without data */
} request;

typedef struct side {
    noc_fabric fabric;
    noc_store store;
    noc_chip chip;
    test_random windows;
    uint64_t now, due[NOC_PORTS], arrived, faults, busy[NOC_PORTS];
    uint32_t next;
} side;

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    *hash ^= *hash >> 29;
}

/* In no order: which of two places comes first depends on windows. */
static void note(side *s, uint64_t what, uint64_t cycle)
{
    uint64_t one = 0;
    mix(&one, what);
    mix(&one, cycle);
    s->arrived += one;
}

/* ---- A chip of nothing but NIUs -------------------------------------------------------------------------- */

static bool has_bank(noc_node node)
{
    return kerr_tile_kind_at((kerr_xy){(uint8_t)(node % NOC_GRID_X), (uint8_t)(node / NOC_GRID_X)}) == KERR_TILE_DRAM;
}

static uint32_t port_of(void *context, noc_node node, const noc_packet *packet, unsigned mode)
{
    (void)context, (void)mode;
    const bool asks = packet->op <= NOC_ATOMIC;
    return asks && !(packet->address >> 32) ? NOC_NODES + node % NOC_BANKS : node;
}

static void bank_request(void *context, noc_node node, const noc_packet *packet, uint64_t cycle)
{
    side *s = context;
    note(s, (uint64_t)node << 32 | packet->sequence, cycle);
}

static unsigned mode(void *context, unsigned noc, noc_node node)
{
    (void)context, (void)noc, (void)node;
    return NOC_TAKES_BROADCASTS | NOC_SHOWS_BANK;
}

static void fault(void *context, const noc_packet *packet, uint64_t cycle, bool lost, const char *text)
{
    (void)packet, (void)cycle, (void)lost, (void)text;
    ((side *)context)->faults++;
}

static side *side_new(void)
{
    side *s = calloc(1, sizeof *s);
    if (s == NULL || !fabric_create(&s->fabric) || !noc_stores_create(&s->store, 1)) {
        printf("Bail out! no memory\n");
        exit(1);
    }
    s->chip = (noc_chip){.chip = s, .port_of = port_of, .bank_request = bank_request, .mode = mode, .fault = fault};
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        s->fabric.port[p].has_bank = p < NOC_NODES && has_bank((noc_node)p);
        s->fabric.port[p].has_cores = p < NOC_NODES;
        s->fabric.port[p].due = &s->due[p];
    }
    return s;
}

static void side_clear(side *s, uint64_t seed)
{
    fabric_clear(&s->fabric);
    noc_stores_clear(&s->store, 1);
    s->now = s->arrived = s->faults = s->next = 0;
    s->windows = (test_random){.state = seed};
    memset(s->busy, 0, sizeof s->busy);
}

/* ---- What is sent ---------------------------------------------------------------------------------------- */

static void draw(request *list, uint32_t count, uint64_t seed)
{
    test_random r = {.state = seed};
    const uint32_t hot = test_below(&r, 4), spots = 1 + test_below(&r, 6), spread = 1 + test_below(&r, 60);
    const uint32_t most = test_below(&r, 3) == 0 ? 64 : test_below(&r, 2) == 0 ? 1024 : 16384;
    const uint32_t multicasts = test_below(&r, 3) == 0 ? 1 + test_below(&r, 10) : 0, reads = test_below(&r, 100);
    const uint32_t only = test_below(&r, 3), row = test_below(&r, NOC_GRID_Y), kinds = test_below(&r, 4);
    const bool banks = kinds == 2; /* which pile up what they cannot serve */
    noc_node spot[8];
    uint64_t cycle = 0;
    for (uint32_t i = 0; i < spots; i++) {
        spot[i] = banks ? noc_node_at(test_below(&r, 2) * 9, test_below(&r, NOC_GRID_Y))
                        : (noc_node)test_below(&r, NOC_NODES);
    }
    for (uint32_t i = 0; i < count; i++) {
        noc_packet *p = (noc_packet *)(void *)list[i].packet;
        memset(&list[i], 0, sizeof list[i]);
        cycle += test_below(&r, 4) ? test_below(&r, spread) : 0;
        list[i].cycle = p->cycle = cycle;
        do {
            p->source =
                (noc_node)(kinds == 1 ? noc_node_at(test_below(&r, NOC_GRID_X), row) : test_below(&r, NOC_NODES));
            p->destination = (noc_node)(banks || test_below(&r, 4) < hot ? spot[test_below(&r, spots)]
                                        : kinds == 1                     ? noc_node_at(test_below(&r, NOC_GRID_X), row)
                                                                         : test_below(&r, NOC_NODES));
        } while (p->destination == p->source);
        p->return_to = test_below(&r, 20) ? p->source : (noc_node)test_below(&r, NOC_NODES);
        p->noc = (uint8_t)(only < 2 ? only : test_below(&r, 2));
        p->op = (uint8_t)(banks || test_below(&r, 100) < reads ? NOC_READ
                          : test_below(&r, 12)                 ? NOC_WRITE
                                                               : NOC_ATOMIC);
        p->flags = test_below(&r, 4) ? NOC_RESPONSE_WANTED : 0;
        p->address = (uint64_t)test_below(&r, 1 << 20) | (uint64_t)(!banks && test_below(&r, 2)) << 32;
        p->return_address = test_below(&r, 1 << 20);
        p->length = p->op == NOC_ATOMIC ? 4 : 1 + test_below(&r, 4) * (most / 4) + test_below(&r, most / 4);
        p->length = p->length > NOC_MAX_PAYLOAD ? NOC_MAX_PAYLOAD : p->length;
        p->virtual_channel = (uint8_t)(test_below(&r, 3) ? 1 : test_below(&r, 4));
        p->sequence = i;
        if (p->op == NOC_WRITE && test_below(&r, 100) < multicasts) {
            p->flags |= NOC_MULTICAST | (test_below(&r, 2) ? NOC_Y_MAJOR : 0);
            p->virtual_channel = 4;
            p->rectangle = (noc_rectangle){(uint8_t)test_below(&r, NOC_GRID_X), (uint8_t)test_below(&r, NOC_GRID_Y),
                                           (uint8_t)test_below(&r, NOC_GRID_X), (uint8_t)test_below(&r, NOC_GRID_Y), 0};
        }
    }
}

static void send(side *s, const request *r)
{
    packet_ref ref;
    noc_packet *packet = noc_packet_new(&s->store, 0, &ref);
    const uint8_t size_class = packet->size_class;
    const int32_t holders = packet->holders;
    memcpy(packet, r->packet, sizeof *packet);
    packet->size_class = size_class;
    packet->holders = holders;
    fabric_send(&s->fabric, &s->chip, &s->store, ref);
}

/* ---- Both sides ------------------------------------------------------------------------------------------- */

/* What comes in before `end`, and the answers: of a bank one after the other. */
static void receive(side *s, uint64_t end)
{
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        noc_port *port = &s->fabric.port[p];
        while (noc_queue_next(&port->acks) < end) {
            const noc_entry e = noc_queue_take(&port->acks);
            note(s, e.order ^ (uint64_t)p << 52, e.cycle);
        }
        while (noc_queue_next(&port->inbox) < end) {
            const noc_entry e = noc_queue_take(&port->inbox);
            const noc_packet *packet = noc_packet_at(&s->store, e.ref);
            note(s, e.order ^ (uint64_t)p << 52 ^ (uint64_t)packet->op << 60, e.cycle);
            if (packet->op == NOC_READ || packet->op == NOC_ATOMIC) {
                packet_ref ref = NO_PACKET;
                s->busy[p] = (e.cycle > s->busy[p] ? e.cycle : s->busy[p]) + packet->length / 47;
                if (p >= NOC_NODES && packet->op == NOC_READ) {
                    fabric_bank_response(&s->fabric, &s->store, packet, s->busy[p] + COST_DRAM_READ, &ref);
                } else {
                    fabric_response(&s->fabric, &s->store, packet, packet->destination,
                                    p >= NOC_NODES ? s->busy[p] + COST_DRAM_READ : e.cycle + COST_PASSIVE_READ, &ref);
                }
                if (noc_packet_at(&s->store, ref)->destination != packet->destination) {
                    fabric_send(&s->fabric, &s->chip, &s->store, ref);
                } else {
                    noc_packet_release(&s->store, ref);
                }
            }
            noc_packet_release(&s->store, e.ref);
        }
    }
    noc_stores_balance(&s->store, 1);
}

static void go_to(side *s, const request *list, uint32_t count, uint64_t end, bool long_windows)
{
    while (s->now < end) {
        const uint64_t most = end - s->now < fabric_lookahead() ? end - s->now : fabric_lookahead();
        const uint64_t to = s->now + (long_windows ? most : 1 + test_below(&s->windows, (uint32_t)most));
        receive(s, to);
        for (; s->next < count && list[s->next].cycle < to; s->next++) {
            send(s, &list[s->next]);
        }
        fabric_exchange(&s->fabric, &s->chip, &s->store, to);
        s->now = to;
    }
}

static void put_list(const side *s, const noc_list *list, uint64_t *hash)
{
    for (uint32_t next = list->first; next != 0;) {
        const noc_packet *packet = noc_packet_at(&s->store, next - 1);
        mix(hash, packet->sequence ^ (uint64_t)packet->op << 32 ^ packet->tail << 40 ^ (uint64_t)packet->input << 36);
        next = packet->next == NO_PACKET ? 0 : packet->next + 1;
    }
    mix(hash, 0);
}

typedef struct event_sum {
    const side *s;
    uint64_t sum;
} event_sum;

static bool add_event(void *context, const noc_entry *event)
{
    event_sum *sum = context;
    uint64_t one = 0;
    if (fabric_event_only_looks(event->order)) {
        return true;
    }
    mix(&one, event->cycle);
    mix(&one, event->order);
    mix(&one, event->value);
    if (event->ref != NO_PACKET) {
        const noc_packet *p = noc_packet_at(&sum->s->store, event->ref);
        mix(&one, p->sequence ^ (uint64_t)p->op << 32);
        mix(&one, p->tail ^ (uint64_t)p->input << 56 ^ (uint64_t)p->up_node << 48);
        mix(&one, (uint64_t)p->up_port << 8 | (p->up_node != NO_NODE ? p->up_channel : 0));
    }
    sum->sum += one;
    return true;
}

/* All that says what happens next.  What lies behind `now` says nothing. */
static uint64_t state_of(const side *s)
{
    uint64_t hash = s->arrived;
    const uint64_t now = s->now;
    for (uint32_t r = 0; r < NOC_ROUTERS; r++) {
        const noc_router *router = &s->fabric.router[r];
        for (unsigned o = 0; o < NOC_OUTPUTS; o++) {
            const noc_output *out = &router->output[o];
            mix(&hash, out->free > now ? out->free : 0);
            mix(&hash, router->express_free[o] > now ? router->express_free[o] : 0);
            mix(&hash, out->wanted);
            mix(&hash, out->channel_turn);
            for (unsigned c = 0; c < NOC_CHANNELS; c++) {
                mix(&hash, out->hold[c] > now ? out->hold[c] : 0);
                mix(&hash, out->input_turn[c]);
            }
            mix(&hash, s->fabric.load[r][o]);
        }
        for (unsigned i = 0; i < NOC_INPUTS * NOC_CHANNELS; i++) {
            put_list(s, &router->queue[i / NOC_CHANNELS][i % NOC_CHANNELS], &hash);
            mix(&hash, router->flits[i / NOC_CHANNELS][i % NOC_CHANNELS]);
        }
        for (unsigned i = 0; i < NOC_SIDES; i++) {
            put_list(s, &router->side[i].waiting, &hash);
            mix(&hash, router->side[i].free > now ? router->side[i].free : 0);
            mix(&hash, router->side[i].blocked + 2u * router->side[i].held);
        }
        mix(&hash, router->accepted | (uint64_t)router->express_accepted << 32);
    }
    mix(&hash, s->fabric.slow[0] | (uint64_t)s->fabric.slow[1] << 32);
    event_sum sum = {.s = s};
    fabric_each_router_event(&s->fabric, add_event, &sum);
    mix(&hash, sum.sum);
    return hash;
}

int main(int argc, char **argv)
{
    tap t = {0};
    const uint64_t traffics = argc > 1 ? strtoull(argv[1], NULL, 0) : 300,
                   first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    static request list[PACKETS];
    side *plain = side_new(), *other = side_new();
    uint64_t full = 0, waits = 0, wrong = 0;
    for (uint64_t seed = first; seed < first + traffics && wrong < SHOWN; seed++) {
        test_random random = {.state = ~seed};
        draw(list, PACKETS, seed);
        side_clear(plain, seed);
        side_clear(other, seed);
        const uint64_t last = list[PACKETS - 1].cycle;
        uint64_t cycle = 0;
        bool same = true;
        for (unsigned look = 0; same && (look < LOOKS || !fabric_is_empty(&plain->fabric)); look++) {
            cycle += 1 + (look < LOOKS ? test_below(&random, (uint32_t)(2 * last / LOOKS + 2)) : 20000);
            go_to(plain, list, PACKETS, cycle, true);
            go_to(other, list, PACKETS, cycle, false);
            for (uint32_t r = 0; r < NOC_ROUTERS; r++) {
                full += other->fabric.router[r].accepted == COST_DRAM_PORT_QUEUE;
                waits += (other->fabric.router[r].output[0].wanted | other->fabric.router[r].output[1].wanted) != 0;
            }
            same = state_of(plain) == state_of(other) && plain->faults == other->faults;
        }
        if (!same) {
            wrong++;
            printf("# traffic %" PRIu64 ": not the same in cycle %" PRIu64 "\n", seed, cycle);
        }
        if ((seed - first) % EVERY == EVERY - 1 || seed + 1 == first + traffics) {
            tap_ok(&t, wrong == 0, "traffics up to %" PRIu64, seed);
        }
    }
    printf("# at %" PRIu64 " looks packets waited in a router, at %" PRIu64 " a bank's port was full\n", waits, full);
    tap_ok(&t, waits > traffics && full > traffics / 10, "packets wait for each other and for banks");
    fabric_destroy(&plain->fabric);
    fabric_destroy(&other->fabric);
    noc_stores_destroy(&plain->store, 1);
    noc_stores_destroy(&other->store, 1);
    free(plain);
    free(other);
    return tap_end(&t);
}
