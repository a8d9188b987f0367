/* SPDX-License-Identifier: Apache-2.0 */
/* NoC transactions, and what other tiles may know.
 *
 * Clocks do not travel between tiles.  Whoever sends something into this tile at cycle c is taken to know all that has left
 * this tile before c: requests, responses, acknowledgements and what their senders knew.  That orders more than was ordered, and
 * nothing less. */
#include "check/sync.h"

#include "check/hooks.h"
#include "noc/packet.h"
#include "tile/tile.h"

#include "tile_regs.h"

#include <stdio.h>

enum { CHANNELS = 8, COUNTERS = 0x200 };

void sync_leaves(struct check_sync *sync, unsigned actor, uint64_t cycle)
{
    order_close(&sync->order, actor);
    if (sync->gone[actor] == sync->order.actor[actor].version + 1)
        return;
    sync->gone[actor] = sync->order.actor[actor].version + 1;
    if (sync->left_count == SYNC_LEFT) {
        order_join(&sync->outside, &sync->left[sync->left_first].clock);
        sync->left_first = (sync->left_first + 1) % SYNC_LEFT;
        sync->left_count--;
    }
    sync->left[(sync->left_first + sync->left_count++) % SYNC_LEFT] =
        (struct sync_left){cycle, sync->order.actor[actor].live};
}

/* The actor stands for somebody who sent this at cycle `sent`. */
static void comes(struct check_sync *sync, unsigned actor, uint64_t sent)
{
    while (sync->left_count != 0 && sync->left[sync->left_first].cycle <= sent) {
        order_join(&sync->outside, &sync->left[sync->left_first].clock);
        sync->left_first = (sync->left_first + 1) % SYNC_LEFT;
        sync->left_count--;
    }
    order_acquire(&sync->order, actor, &sync->outside);
}

/* Somebody else looks into this tile, and may see what anybody here has done. */
static void all_leave(struct check_sync *sync, uint64_t cycle)
{
    for (unsigned a = 0; a < SYNC_UNPACKER0; a++)
        sync_leaves(sync, a, cycle);
}

/* ---- Packets --------------------------------------------------------------------------------------------------------------- */

static kerr_xy place_of(noc_node node)
{
    return (kerr_xy){(uint8_t)(node % NOC_GRID_X), (uint8_t)(node / NOC_GRID_X)};
}

void sync_packet_acts(struct tile_check *check, const noc_packet *packet, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    const noc_node here = check->tile->dev.niu[0].node;
    const unsigned noc = packet->noc & 1;
    const bool is_response = packet->op == NOC_READ_RESPONSE || packet->op == NOC_ATOMIC_RESPONSE;
    const bool own = packet->source == here;
    unsigned reads, writes;
    if (is_response) {
        reads = SYNC_ANSWER + noc;
        writes = SYNC_RESPONSE + noc;
    } else if (own) {
        reads = packet->op == NOC_WRITE ? SYNC_OUT + noc : SYNC_SELF + noc;
        writes = SYNC_SELF + noc;
    } else {
        reads = writes = SYNC_IN + noc * CHANNELS + packet->virtual_channel % CHANNELS;
        comes(sync, writes, packet->cycle);
        if (packet->op == NOC_READ)
            order_follow(&sync->order, SYNC_ANSWER + noc, writes);
    }
    if (is_response && own && packet->destination != here) {
        all_leave(sync, cycle);
    }
    const kerr_access who = {.actor = KERR_ACTOR_NOC,
                             .tile = place_of(is_response ? packet->destination : packet->source),
                             .core = packet->initiator_core < KERR_CORE_COUNT ? (int8_t)packet->initiator_core : -1,
                             .noc = (uint8_t)noc,
                             .pc = packet->initiator_pc};
    const uint8_t flags = packet->op == NOC_ATOMIC_RESPONSE                       ? SYNC_WHO_ANSWERS
                          : own && packet->op == NOC_WRITE && packet->length == 4 ? SYNC_WHO_SETS
                                                                                  : 0;
    sync->who = (struct sync_who){.reads = (uint8_t)reads,
                                  .writes = (uint8_t)writes,
                                  .issuer = (uint8_t)writes,
                                  .flags = flags,
                                  .site = sync_site(sync, &who),
                                  .cycle = cycle};
}

/* The acknowledgement of a write leaves with its last byte in memory; the response of a read with its last byte read. */
void sync_packet_done(struct tile_check *check, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    sync_leaves(sync, sync->who.writes, cycle);
    if (sync->who.reads != sync->who.writes)
        sync_leaves(sync, sync->who.reads, cycle);
}

void sync_noc_begins(struct tile_check *check, const struct check_request *request, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    const unsigned noc = request->noc & 1;
    if (request->core < 0)
        return;
    const unsigned core = SYNC_CORE + (unsigned)request->core;
    struct sync_core *c = &sync->core[request->core];
    c->looked = false;
    if (request->is_answered) {
        c->unconfirmed |= (uint8_t)(1u << noc);
        if (request->is_multicast)
            sync->multicast_ids[noc] |= (uint16_t)(1u << request->transaction_id % 16);
    }
    order_follow(&sync->order, SYNC_SELF + noc, core);
    if (request->op == NOC_WRITE)
        order_follow(&sync->order, SYNC_OUT + noc, core);
    else
        order_follow(&sync->order, SYNC_RESPONSE + noc, core);
    if (request->op == NOC_READ)
        order_follow(&sync->order, SYNC_ANSWER + noc, core);
    sync_leaves(sync, core, cycle);
}

void sync_acts(struct tile_check *check, unsigned actor, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    const kerr_access who = {.actor = (uint8_t)actor, .tile = check->tile->at, .core = -1};
    const uint8_t a = actor == KERR_ACTOR_HOST ? SYNC_HOST : SYNC_TDMA;
    sync->who = (struct sync_who){.reads = a, .writes = a, .issuer = a, .site = sync_site(sync, &who), .cycle = cycle};
    if (actor == KERR_ACTOR_HOST)
        all_leave(sync, cycle);
}

void sync_register(struct tile_check *check, uint32_t address, uint32_t value, unsigned how)
{
    sync_registers_touched(check, how & CHECK_WRITE ? check->sync->who.writes : check->sync->who.reads, address, value,
                           how);
}

/* ---- Counters -------------------------------------------------------------------------------------------------------------- */

enum {
    ATOMIC_RESP_RECEIVED = 0,
    WR_ACK_RECEIVED = 1,
    RD_RESP_RECEIVED = 2,
    RD_DATA_WORD_RECEIVED = 3,
    FIRST_WR_SENT = 8,
    LAST_WR_SENT = 11,
    FIRST_OUTSTANDING = 16,
    FIRST_OUTGOING = 32,
    FIRST_SLAVE = 48,
};

/* Manual NoC/Counters.  *_WR_REQ_SENT counts before the source has been read whole; kernels rely on it all the same, so it counts
 * as told (docs/checks.md). */
void sync_counter_read(struct check_sync *sync, unsigned core, unsigned noc, unsigned index, uint64_t cycle)
{
    struct order *o = &sync->order;
    const unsigned actor = SYNC_CORE + core;
    struct sync_core *c = &sync->core[core];
    if (!c->looked) {
        c->looked = true;
        c->looked_at = cycle;
        c->looked_noc = (uint8_t)noc;
        c->looked_index = (uint8_t)index;
    }
    if (index <= RD_DATA_WORD_RECEIVED || (index >= FIRST_OUTSTANDING && index < FIRST_OUTGOING))
        c->unconfirmed &= (uint8_t) ~(1u << noc);
    if (index >= FIRST_SLAVE) {
        for (unsigned i = 0; i < CHANNELS; i++)
            order_follow(o, actor, SYNC_IN + noc * CHANNELS + i);
        return;
    }
    const bool outstanding = index >= FIRST_OUTSTANDING && index < FIRST_OUTGOING;
    if (outstanding || index == ATOMIC_RESP_RECEIVED || index == WR_ACK_RECEIVED)
        order_follow(o, actor, SYNC_SELF + noc);
    if (outstanding || index == ATOMIC_RESP_RECEIVED || index == RD_RESP_RECEIVED || index == RD_DATA_WORD_RECEIVED)
        order_follow(o, actor, SYNC_RESPONSE + noc);
    if (outstanding || index >= FIRST_OUTGOING || index == WR_ACK_RECEIVED ||
        (index >= FIRST_WR_SENT && index <= LAST_WR_SENT))
        order_follow(o, actor, SYNC_OUT + noc);
}

bool sync_barrier_was_wrong(const struct check_sync *sync, const struct order_cell *a, const struct order_cell *b,
                            char *text, unsigned size)
{
    const unsigned first = order_cell_actor(a), second = order_cell_actor(b);
    const unsigned core = first < SYNC_THREAD ? first : second, other = first < SYNC_THREAD ? second : first;
    if (core >= SYNC_THREAD || other < SYNC_SELF || other >= SYNC_ANSWER)
        return false;
    const struct sync_core *c = &sync->core[core];
    if (!c->looked || c->looked_at > order_cell_cycle(first < SYNC_THREAD ? a : b))
        return false;
    const unsigned kind = (other - SYNC_SELF) / 2, noc = (other - SYNC_SELF) % 2;
    const char *name = devices_register_name(NOC0_REGS_START_ADDR + COUNTERS + 4u * c->looked_index);
    static const char *const what[] = {"write to the own tile", "read's data", "write's source"};
    snprintf(text, size, "%s of NoC %u, and the core has looked at %s of NoC %u, which says nothing of it", what[kind],
             noc, name != NULL ? name : "a counter", c->looked_noc);
    return true;
}

/* A multicast is counted once and acknowledged by each that has it (NoC/Counters), which leaves its counter off by as many. */
void sync_noc_ends(struct tile_check *check, unsigned core, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    for (unsigned noc = 0; noc < NOC_COUNT; noc++) {
        const uint32_t *counter = check->tile->dev.niu[noc].counter;
        unsigned pending = 0;
        for (unsigned i = FIRST_OUTSTANDING; i < FIRST_OUTGOING; i++)
            if (!(sync->multicast_ids[noc] >> (i - FIRST_OUTSTANDING) & 1))
                pending += counter[i] & 0xFF;
        if (pending == 0 || !(sync->core[core].unconfirmed >> noc & 1))
            continue;
        struct order_cell now = order_cell_of(&sync->order, SYNC_CORE + core, sync->who.site, cycle, 0, false);
        kerr_access access = sync_access_of(sync, &now, 0);
        access.noc = (uint8_t)noc;
        check_report(check, FINDING_NOC_PENDING, &access, NULL, NULL, "NoC/Counters",
                     "%s ends while %u transactions of NoC %u that it never waited for are under way",
                     kerr_core_name((kerr_core)core), pending, noc);
    }
}
