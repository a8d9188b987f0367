/* SPDX-License-Identifier: Apache-2.0 */
/* Packets on their way out of a tile, and what came in that may wait. */
#include "tile/parts.h"

noc_packet *tile_noc_new(struct tile *tile, uint32_t bytes, packet_ref *ref)
{
    return noc_packet_new(tile->packets, bytes, ref);
}

noc_packet *tile_noc_packet(const struct tile *tile, packet_ref ref)
{
    return noc_packet_at(tile->packets, ref);
}

void tile_noc_release(struct tile *tile, packet_ref ref)
{
    noc_packet_release(tile->packets, ref);
}

void tile_noc_serves(struct tile *tile, const noc_packet *packet)
{
    tile->served = packet;
}

enum host_acts tile_host_acts(struct tile *tile, enum host_acts acts)
{
    const enum host_acts was = tile->host;
    tile->host = (uint8_t)acts;
    return was;
}

static void lost(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    const noc_packet *served = tile->served;
    tile->served = packet;
    tile_fault(tile, KERR_FAULT_INTERNAL, CLIENT_NOC, (uint32_t)packet->address, cycle, NULL,
               "too many NoC packets of this tile at once: one to 0x%llx is lost", (unsigned long long)packet->address);
    tile->served = served;
}

static bool put_outbox(struct tile *tile, noc_entry entry)
{
    noc_port *port = tile->port;
    if (port->outbox_count == NOC_OUTBOX_CAPACITY) {
        return false;
    }
    port->outbox[port->outbox_count++] = entry;
    return true;
}

/* A packet to the own tile does not leave the island: into the router and back. */
static void send_to_self(struct tile *tile, packet_ref ref, uint64_t cycle)
{
    noc_packet *packet = noc_packet_at(tile->packets, ref);
    const struct shake *shake = &tile->environment->shake;
    uint64_t effect = cycle + COST_NOC_IN + COST_NOC_OUT + noc_flits(packet) - 1 + noc_pickup(packet);
    if (UNLIKELY(shake->seed != 0)) {
        effect = noc_shaken(shake, packet, packet->source, effect);
    }
    const noc_entry entry = {.cycle = effect, .order = noc_order(packet), .ref = ref};
    if (!noc_queue_put(&tile->port->inbox, entry)) {
        lost(tile, packet, cycle);
        noc_packet_release(tile->packets, ref);
        return;
    }
    *tile->due = min64(*tile->due, effect);
    if (packet->op != NOC_WRITE || !(packet->flags & NOC_RESPONSE_WANTED)) {
        return;
    }
    noc_entry ack = noc_ack(packet, packet->source, effect);
    if (UNLIKELY(shake->seed != 0)) {
        ack.cycle = noc_shaken_ack(shake, packet, packet->source, ack.cycle);
    }
    /* The own one is later than the write itself: the tile is due before. */
    if (!(packet->return_to == packet->source ? noc_queue_put(&tile->port->acks, ack) : put_outbox(tile, ack))) {
        lost(tile, packet, cycle);
    }
}

void tile_noc_send(struct tile *tile, packet_ref ref, uint64_t cycle)
{
    noc_packet *packet = noc_packet_at(tile->packets, ref);
    packet->cycle = cycle;
    if (!(packet->flags & NOC_MULTICAST)) {
        if (packet->destination == packet->source && !noc_is_dma(packet)) {
            send_to_self(tile, ref, cycle);
            return;
        }
    } else if ((packet->flags & NOC_INCLUDE_SOURCE) && fabric_multicast_has(packet, packet->source) &&
               niu_takes_broadcasts(&tile->dev.niu[packet->noc])) {
        packet->holders = 2;
        send_to_self(tile, ref, cycle);
    }
    const noc_entry entry = {.cycle = cycle, .order = noc_order(packet), .ref = ref, .value = packet->destination};
    if (!put_outbox(tile, entry)) {
        lost(tile, packet, cycle);
        noc_packet_release(tile->packets, ref);
    }
}

/* Packets of others that have looked by then know nothing of it.  The first of a cycle says how it was before. */
void tile_noc_mode_changes(struct tile *tile, unsigned noc, unsigned was, uint64_t cycle)
{
    noc_port *port = tile->port;
    for (uint32_t i = port->change_count; i != 0 && port->change[i - 1].cycle == cycle; i--) {
        if (port->change[i - 1].noc == noc) {
            return;
        }
    }
    if (port->change_count == NOC_CHANGES) {
        tile_fault(tile, KERR_FAULT_INTERNAL, CLIENT_NOC, NIU_FIRST + noc * NIU_BYTES, cycle, NULL,
                   "NoC %u: its configuration changed too often in a window", noc);
        return;
    }
    port->change[port->change_count++] = (noc_change){.cycle = cycle, .noc = (uint8_t)noc, .was = (uint8_t)was};
}

void tile_noc_catch_up(struct tile *tile, uint64_t cycle)
{
    if (min64(noc_queue_next(&tile->port->acks), niu_next_event(&tile->dev)) > cycle) {
        return;
    }
    while (noc_queue_next(&tile->port->acks) <= cycle) {
        const noc_entry ack = noc_queue_take(&tile->port->acks);
        niu_acknowledged(tile, noc_order_noc(ack.order), ack.value, ack.cycle);
    }
    niu_catch_up(tile, cycle);
}
