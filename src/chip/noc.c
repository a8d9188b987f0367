/* SPDX-License-Identifier: Apache-2.0 */
/* What the fabric must know of the chip, and the ends of the NoC that are not tiles with cores: the memories of the DRAM
 * banks and the passive nodes.  All on the calling thread, between windows.
 *
 * A bank serves requests in order of arrival, one after the other, 1 KiB in COST_DRAM_KIB_16 sixteenths of a cycle; what it
 * reads is on its way COST_DRAM_READ cycles after it began. */
#include "chip/noc.h"

#include "base/bits.h"
#include "chip/passive.h"
#include "noc/niu.h"
#include "noc/tables.h"

#include <stdio.h>
#include <string.h>

static kerr_xy xy_of(noc_node node)
{
    return (kerr_xy){(uint8_t)(node % NOC_GRID_X), (uint8_t)(node / NOC_GRID_X)};
}

/* Faults belong to the sender if it has a list of its own; the core that asked and its pc are named. */
static void packet_fault_of(kerr_chip *chip, const noc_packet *packet, noc_node at, kerr_fault_kind kind,
                            uint64_t cycle, const char *manual, const char *what, const char *text)
{
    const kerr_xy from = xy_of(packet->source), to = xy_of(at);
    const int sender = chip->tile_of[packet->source];
    if (sender >= 0) {
        struct tile *tile = chip_tile(chip, sender);
        char who[NOC_ASKER_TEXT];
        tile_noc_serves(tile, packet);
        tile_fault(tile, kind, CLIENT_NOC, (uint32_t)packet->address, cycle, manual, "NoC %u, %u-%u to %u-%u%s%s: %s",
                   packet->noc, from.x, from.y, to.x, to.y, what, noc_asker_text(packet, who), text);
        tile_noc_serves(tile, NULL);
    } else {
        chip_fault(chip, kind, at, packet->address, cycle, manual, "NoC %u, %u-%u to %u-%u%s: %s", packet->noc, from.x,
                   from.y, to.x, to.y, what, text);
    }
}

static void packet_fault(kerr_chip *chip, const noc_packet *packet, noc_node at, kerr_fault_kind kind, uint64_t cycle,
                         const char *manual, const char *text)
{
    char what[64];
    snprintf(what, sizeof what, ", address 0x%llx, %u bytes", (unsigned long long)packet->address, packet->length);
    packet_fault_of(chip, packet, at, kind, cycle, manual, what, text);
}

/* ---- The fabric's view ---------------------------------------------------------------------------------- */

/* A DRAM tile shows its bank, except for its registers, its L1 and answers to its own requests. */
static uint32_t port_of(void *context, noc_node node, const noc_packet *packet, unsigned mode)
{
    kerr_chip *chip = context;
    const kerr_xy at = xy_of(node);
    if (packet->op != NOC_WRITE && packet->op != NOC_READ && packet->op != NOC_ATOMIC && !noc_is_dma(packet)) {
        return node;
    }
    if (noc_is_dma(packet)) {
        const bool to_bank = packet->op == NOC_DMA_READ || packet->op == NOC_DMA_WRITE;
        return to_bank ? NOC_NODES + (uint32_t)chip_bank_index(at) : node;
    }
    const struct tile *tile = chip_tile(chip, chip->tile_of[node]);
    uint64_t local;
    return tile_place_of(tile, packet->address, packet->length, !(mode & NOC_SHOWS_BANK), &local) == PLACE_BANK
               ? NOC_NODES + (uint32_t)chip_bank_index(at)
               : node;
}

static unsigned mode(void *context, unsigned noc, noc_node node)
{
    const kerr_chip *chip = context;
    const int tile = chip->tile_of[node];
    return tile >= 0 ? niu_mode(&chip_tile(chip, tile)->dev.niu[noc]) : 0;
}

static void fault(void *context, const noc_packet *packet, uint64_t cycle, bool lost, const char *text)
{
    packet_fault(context, packet, packet->destination, lost ? KERR_FAULT_INTERNAL : KERR_FAULT_UNDEFINED, cycle,
                 lost ? NULL : "NoC/RoutingPaths", text);
}

/* A DRAM tile's NIU counts what goes to its bank at its cycle, not when the bank comes to it at the end of a window: somebody in the tile
 * may poll the counters, or read them over the NoC.  While no core is out of reset nobody can see in between what they are, and the tile
 * is not visited for it (serve). */
static void count_at(kerr_chip *chip, noc_node node, const noc_packet *packet, uint32_t count, uint64_t cycle)
{
    noc_port *port = &chip->fabric.port[node];
    if (!noc_queue_put(&port->acks,
                       (noc_entry){.cycle = cycle, .order = noc_order(packet), .ref = NO_PACKET, .value = count})) {
        packet_fault(chip, packet, node, KERR_FAULT_INTERNAL, cycle, NULL, "no room for what the NIU counts");
        return;
    }
    if (chip_tile(chip, chip->tile_of[node])->live != 0) {
        *port->due = min64(*port->due, cycle);
    }
    chip->passive_due = min64(chip->passive_due, cycle);
}

static void bank_request(void *context, noc_node node, const noc_packet *packet, uint64_t cycle)
{
    count_at(context, node, packet, niu_bank_request(packet), cycle);
}

/* ---- Memories ------------------------------------------------------------------------------------------- */

static void write_enabled(kerr_chip *chip, uint32_t bank, const noc_packet *packet, uint64_t cycle)
{
    bool there = true;
    if (!(packet->flags & NOC_BYTE_ENABLE)) {
        there = dram_bank_write(&chip->bank[bank], packet->address, packet->data, packet->length);
    }
    for (uint32_t i = 0; (packet->flags & NOC_BYTE_ENABLE) && there && i < packet->length; i++) {
        if (packet->byte_enable >> i & 1) {
            there = dram_bank_write(&chip->bank[bank], (packet->address & ~UINT64_C(15)) + i, packet->data + i, 1);
        }
    }
    if (!there) {
        packet_fault(chip, packet, packet->destination, KERR_FAULT_UNDEFINED, cycle, "NoC/README",
                     "a write past the 4 GiB of the DRAM bank: lost");
    }
}

static void serve_bank(kerr_chip *chip, const noc_chip *view, uint32_t bank, const noc_packet *packet, uint64_t cycle)
{
    noc_store *store = &chip->stores[0];
    uint64_t *busy = &chip->bank_busy_16[bank];
    const uint64_t start_16 = max64(cycle * 16, *busy);
    *busy = start_16 + (uint64_t)packet->length * COST_DRAM_KIB_16 / 1024;
    if (packet->op == NOC_WRITE) {
        write_enabled(chip, bank, packet, cycle);
        return;
    }
    if (packet->op != NOC_READ) {
        packet_fault(chip, packet, packet->destination, KERR_FAULT_UNDEFINED, cycle, "NoC/Atomics",
                     "atomics act on the L1 of Tensix and Ethernet tiles only; nothing was done");
        if (!(packet->flags & NOC_RESPONSE_WANTED)) {
            return;
        }
    }
    /* Its first flit leaves when the last byte has been read. */
    uint64_t leaves = (*busy + 15) / 16 + COST_DRAM_READ;
    packet_ref ref;
    if (UNLIKELY(view->shake != NULL)) {
        leaves += shake_draw(view->shake, SHAKE_DRAM, packet->destination, packet->source | (unsigned)packet->noc << 8,
                             packet->sequence);
    }
    noc_packet *response = packet->op == NOC_READ
                               ? fabric_bank_response(&chip->fabric, store, packet, leaves, &ref)
                               : fabric_response(&chip->fabric, store, packet, packet->destination, leaves, &ref);
    if (response == NULL) {
        packet_fault(chip, packet, packet->destination, KERR_FAULT_INTERNAL, cycle, NULL, "no room for the response");
        return;
    }
    if (packet->op == NOC_READ && !dram_bank_read(&chip->bank[bank], packet->address, response->data, packet->length)) {
        memset(response->data, 0xFF, packet->length);
        packet_fault(chip, packet, packet->destination, KERR_FAULT_UNDEFINED, cycle, "NoC/README",
                     "a read past the 4 GiB of the DRAM bank gives all ones");
    }
    if (packet->op == NOC_READ) {
        _Static_assert(COST_DRAM_READ >= COST_NOC_IN + COST_NOC_OUT + COST_NOC_PICKUP_REQUEST,
                       "not in the window that is over");
        count_at(chip, packet->destination, response, niu_bank_response(response), leaves);
    }
    fabric_send(&chip->fabric, view, store, ref);
}

/* A request of a DRISC's DMA engine, which has checked it.  The answer goes back when the bank is done with it. */
static void serve_dma(kerr_chip *chip, const noc_chip *view, uint32_t bank, const noc_packet *packet, uint64_t cycle)
{
    noc_store *store = &chip->stores[0];
    const bool is_read = packet->op == NOC_DMA_READ;
    uint64_t *busy = &chip->bank_busy_16[bank];
    *busy = max64(cycle * 16, *busy) + (uint64_t)packet->length * COST_DRAM_KIB_16 / 1024;
    packet_ref ref;
    noc_packet *answer = noc_packet_new(store, is_read ? packet->length : 0, &ref);
    if (answer == NULL) {
        packet_fault(chip, packet, packet->destination, KERR_FAULT_INTERNAL, cycle, NULL, "no room for the answer");
        return;
    }
    answer->op = is_read ? NOC_DMA_DATA : NOC_DMA_DONE;
    answer->source = answer->destination = packet->source;
    answer->noc = packet->noc;
    answer->flags = NOC_BY_FABRIC;
    answer->sequence = packet->sequence;
    answer->immediate = packet->immediate;
    answer->address = packet->return_address;
    answer->cycle = (*busy + 15) / 16 + (is_read ? COST_DRAM_DMA_READ : COST_DRAM_DMA_WRITE);
    if (is_read) {
        answer->length = packet->length;
        dram_bank_read(&chip->bank[bank], packet->address, answer->data, packet->length);
    } else {
        dram_bank_write(&chip->bank[bank], packet->address, packet->data, packet->length);
    }
    fabric_send(&chip->fabric, view, store, ref);
}

/* ---- Passive nodes --------------------------------------------------------------------------------------- */

static void passive_packet_fault(kerr_chip *chip, const noc_packet *packet, uint64_t cycle, passive_result result,
                                 const passive_fault *why)
{
    if (result != PASSIVE_OK) {
        /* Which says where, and how much. */
        packet_fault_of(chip, packet, packet->destination, result == PASSIVE_NOTHING ? KERR_FAULT_UNDEFINED : why->kind,
                        cycle, why->manual, "", why->text);
    }
}

static void serve_passive(kerr_chip *chip, const noc_chip *view, const noc_packet *packet, uint64_t cycle)
{
    passive_fault why = {.kind = KERR_FAULT_UNDEFINED};
    noc_store *store = &chip->stores[0];
    if (packet->op == NOC_WRITE) {
        if (packet->flags & NOC_BYTE_ENABLE) {
            packet_fault(chip, packet, packet->destination, KERR_FAULT_UNKNOWN, cycle, "NoC/MemoryMap",
                         "byte-enabled writes are described for L1 only; nothing was done");
            return;
        }
        passive_packet_fault(chip, packet, cycle,
                             passive_write(chip, packet->destination, packet->noc, packet->address, packet->data,
                                           packet->length, cycle, &why),
                             &why);
        return;
    }
    if (packet->op != NOC_READ && packet->op != NOC_ATOMIC) {
        return; /* an answer to a request that this node has not made */
    }
    packet_ref ref;
    noc_packet *response =
        fabric_response(&chip->fabric, store, packet, packet->destination, cycle + COST_PASSIVE_READ, &ref);
    if (response == NULL) {
        packet_fault(chip, packet, packet->destination, KERR_FAULT_INTERNAL, cycle, NULL, "no room for the response");
        return;
    }
    if (packet->op == NOC_ATOMIC) {
        packet_fault(chip, packet, packet->destination, KERR_FAULT_UNDEFINED, cycle, "NoC/Atomics",
                     "atomics act on the L1 of Tensix and Ethernet tiles only; nothing was done");
        if (!(packet->flags & NOC_RESPONSE_WANTED)) {
            noc_packet_release(store, ref);
            return;
        }
    } else {
        passive_packet_fault(chip, packet, cycle,
                             passive_read(chip, packet->destination, packet->noc, packet->address, response->data,
                                          packet->length, cycle, &why),
                             &why);
    }
    fabric_send(&chip->fabric, view, store, ref);
}

/* ---- The end of a window ----------------------------------------------------------------------------------- */

static uint64_t first_due(const noc_port *port)
{
    return noc_queue_next(&port->inbox);
}

/* Banks and passive nodes, each in order of arrival; the nodes in order of their numbers. */
static void serve(kerr_chip *chip, const noc_chip *view, uint64_t end)
{
    chip->passive_due = NEVER;
    for (uint32_t i = 0; i < chip->fabric.served_count; i++) {
        const uint32_t p = chip->fabric.served[i];
        noc_port *port = &chip->fabric.port[p];
        if (port->has_bank && port->acks.count != 0) {
            if (noc_queue_next(&port->acks) < end) {
                tile_noc_catch_up(chip_tile(chip, chip->tile_of[p]), end - 1);
            }
            chip->passive_due = min64(chip->passive_due, noc_queue_next(&port->acks));
        }
        if (port->has_cores || port->inbox.count == 0) {
            continue;
        }
        while (first_due(port) < end) {
            const noc_entry entry = noc_queue_take(&port->inbox);
            if (entry.ref == NO_PACKET) {
                continue; /* the acknowledgement of a write that this node has not made */
            }
            const noc_packet *packet = noc_packet_at(&chip->stores[0], entry.ref);
            if (p >= NOC_NODES && noc_is_dma(packet)) {
                serve_dma(chip, view, p - NOC_NODES, packet, entry.cycle);
            } else if (p >= NOC_NODES) {
                serve_bank(chip, view, p - NOC_NODES, packet, entry.cycle);
            } else {
                serve_passive(chip, view, packet, entry.cycle);
            }
            noc_packet_release(&chip->stores[0], entry.ref);
        }
        chip->passive_due = min64(chip->passive_due, first_due(port));
    }
}

uint64_t chip_noc_next(const kerr_chip *chip)
{
    return min64(chip->passive_due, fabric_next(&chip->fabric));
}

void chip_noc_exchange(kerr_chip *chip, uint64_t end)
{
    const noc_chip view = {.chip = chip,
                           .port_of = port_of,
                           .bank_request = bank_request,
                           .mode = mode,
                           .fault = fault,
                           .shake = chip->environment.shake.seed != 0 ? &chip->environment.shake : NULL};
    if (chip->passive_due < end) {
        serve(chip, &view, end);
    }
    for (uint32_t i = 0; i < chip->active_count; i++) {
        fabric_collect(&chip->fabric, &view, &chip->stores[0], chip_tile(chip, chip->active[i])->port);
    }
    fabric_exchange(&chip->fabric, &view, &chip->stores[0], end);
    noc_stores_balance(chip->stores, chip->workers);
}
