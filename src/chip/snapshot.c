/* SPDX-License-Identifier: Apache-2.0 */
/* State as a stream: snapshot.h says what is in it. */
#include "chip/snapshot.h"

typedef struct writer {
    kerr_write_fn write;
    void *context;
} writer;

/* Pages that are not zero, each behind its number; then the end mark. */
static bool save_region(const writer *w, const uint8_t *data, size_t size, const uint8_t *touched)
{
    uint8_t page[PAGE];
    for (uint32_t i = 0; (size_t)i * PAGE < size; i++) {
        if (touched != NULL && !touched[i]) {
            continue;
        }
        const size_t part = size - (size_t)i * PAGE < PAGE ? size - (size_t)i * PAGE : PAGE;
        const uint8_t *from = data + (size_t)i * PAGE;
        if (part < PAGE) {
            memset(page + part, 0, sizeof page - part);
            from = memcpy(page, from, part);
        }
        if (!snapshot_page_is_zero(from) &&
            (!w->write(w->context, &i, sizeof i) || !w->write(w->context, from, PAGE))) {
            return false;
        }
    }
    const uint32_t end = END_OF_REGION;
    return w->write(w->context, &end, sizeof end);
}

static bool save_bank(const writer *w, const struct dram_bank *bank)
{
    for (uint32_t page = dram_bank_next_page(bank, 0); page != DRAM_NO_PAGE;
         page = dram_bank_next_page(bank, page + 1)) {
        const uint8_t *data = bank->memory + (size_t)page * DRAM_PAGE;
        if (!snapshot_page_is_zero(data) &&
            (!w->write(w->context, &page, sizeof page) || !w->write(w->context, data, DRAM_PAGE))) {
            return false;
        }
    }
    const uint32_t end = END_OF_REGION;
    return w->write(w->context, &end, sizeof end);
}

static bool save_entry(const writer *w, const noc_store *packets, uint32_t where, noc_entry entry)
{
    packet_record record = {.cycle = entry.cycle, .order = entry.order, .where = where, .value = entry.value};
    if (entry.ref == NO_PACKET) {
        return w->write(w->context, &record, sizeof record);
    }
    const noc_packet *packet = noc_packet_at(packets, entry.ref);
    record.has_packet = 1;
    record.data_bytes = noc_data_bytes(packet);
    memcpy(record.packet, packet, sizeof *packet);
    return w->write(w->context, &record, sizeof record) &&
           (record.data_bytes == 0 || w->write(w->context, packet->data, record.data_bytes));
}

static bool save_queue(const writer *w, const noc_store *packets, uint32_t where, const noc_queue *queue)
{
    for (uint32_t i = 0; i < queue->count; i++) {
        if (!save_entry(w, packets, where, *noc_queue_at(queue, i))) {
            return false;
        }
    }
    return true;
}

static bool save_list(const writer *w, const noc_store *packets, uint32_t where, packet_ref first)
{
    for (packet_ref ref = first; ref != NO_PACKET; ref = noc_packet_at(packets, ref)->next) {
        if (!save_entry(w, packets, where, (noc_entry){.ref = ref})) {
            return false;
        }
    }
    return true;
}

typedef struct event_writer {
    const writer *w;
    const noc_store *packets;
} event_writer;

static bool save_router_event(void *context, const noc_entry *event)
{
    const event_writer *to = context;
    return save_entry(to->w, to->packets, AT_ROUTER_EVENTS, *event);
}

static bool save_fabric(const writer *w, const kerr_chip *chip)
{
    const noc_fabric *fabric = &chip->fabric;
    const noc_store *packets = &chip->stores[0];
    bool done = save_region(w, (const uint8_t *)fabric->router, sizeof fabric->router, NULL) &&
                w->write(w->context, fabric->slow, sizeof fabric->slow) &&
                w->write(w->context, chip->bank_busy_16, sizeof chip->bank_busy_16) &&
                save_queue(w, packets, AT_PENDING, &fabric->pending) &&
                save_queue(w, packets, AT_NIU_EVENTS, &fabric->at_niu) &&
                fabric_each_router_event(fabric, save_router_event, &(event_writer){w, packets});
    for (uint32_t p = 0; done && p < NOC_PORTS; p++) {
        done = save_queue(w, packets, p, &fabric->port[p].inbox) && save_queue(w, packets, p, &fabric->port[p].acks);
    }
    for (uint32_t i = 0; done && i < 2 * CHIP_TILES; i++) {
        done = save_list(w, packets, AT_NIU + i, chip_tile(chip, i / 2)->dev.niu[i % 2].response_first);
    }
    for (uint32_t i = 0; done && i < FABRIC_LISTS; i++) {
        /* Zero is an empty list, and NO_PACKET is zero less one. */
        done = save_list(w, packets, AT_ROUTER + i, fabric_list(fabric, i)->first - 1);
    }
    const packet_record end = {.where = NOWHERE};
    return done && w->write(w->context, &end, sizeof end);
}

kerr_status chip_save(const kerr_chip *chip, bool banks, kerr_write_fn write, void *context)
{
    const writer w = {write, context};
    snapshot_header header = {
        .version = SNAPSHOT_VERSION,
        .tile_count = CHIP_TILES,
        .state_bytes = STATE_BYTES,
        .l1_bytes = L1_BYTES,
        .passive_bytes = sizeof *chip->passive,
        .seed = chip->environment.seed,
        .shake = chip->environment.shake.seed,
        .now = chip->now,
        .stop_cycle = chip->stop_cycle,
    };
    memcpy(header.magic, SNAPSHOT_MAGIC, sizeof header.magic);
    if (!write(context, &header, sizeof header)) {
        return KERR_IO;
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        struct tile *tile = chip_tile(chip, i);
        if (!save_region(&w, (const uint8_t *)tile + STATE_FIRST, STATE_BYTES, NULL) ||
            !save_region(&w, tile->l1, tile->l1_bytes, tile->touched)) {
            return KERR_IO;
        }
    }
    for (uint32_t i = 0; i < KERR_DRAM_BANKS; i++) {
        const uint32_t end = END_OF_REGION;
        if (banks ? !save_bank(&w, &chip->bank[i]) : !write(context, &end, sizeof end)) {
            return KERR_IO;
        }
    }
    return save_region(&w, (const uint8_t *)chip->passive, sizeof *chip->passive, NULL) && save_fabric(&w, chip)
               ? KERR_OK
               : KERR_IO;
}
