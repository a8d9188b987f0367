/* SPDX-License-Identifier: Apache-2.0 */
/* A chip from a stream (snapshot.h), which may come from anywhere: nothing in it may lead us out of our arrays. */
#include "chip/snapshot.h"
#include "riscv/block.h"
#include "tensix/tensix.h"
#include "tile/fault_list.h"

#include <stdlib.h>

static kerr_status restore_bank(kerr_read_fn read, void *context, struct dram_bank *bank)
{
    uint8_t page[DRAM_PAGE];
    for (;;) {
        uint32_t i;
        if (!read(context, &i, sizeof i)) {
            return KERR_IO;
        }
        if (i == END_OF_REGION) {
            return KERR_OK;
        }
        if (i >= DRAM_PAGES) {
            return KERR_BAD_SNAPSHOT;
        }
        if (!read(context, page, sizeof page)) {
            return KERR_IO;
        }
        dram_bank_write(bank, (uint64_t)i * DRAM_PAGE, page, sizeof page);
    }
}

/* What a chip has after reset and the saved one had no more. */
static void clear_page(uint8_t *data, size_t size)
{
    if (size < PAGE || !snapshot_page_is_zero(data)) { /* a page that nobody has touched stays so */
        memset(data, 0, size);
    }
}

/* Pages that are not in the stream: sweep: any of them may have something in it; touched: those that it says. */
typedef struct leftovers {
    bool sweep;
    const uint8_t *touched; /* a byte for each page, or NULL */
} leftovers;

static void clear_leftover(const leftovers *l, uint32_t page, uint8_t *data, size_t size)
{
    const size_t at = (size_t)page * PAGE, part = size - at < PAGE ? size - at : PAGE;
    if (l->sweep || (l->touched != NULL && l->touched[page])) {
        clear_page(data + at, part);
    }
}

static kerr_status restore_region(kerr_read_fn read, void *context, uint8_t *data, size_t size, leftovers left)
{
    uint8_t page[PAGE];
    for (uint32_t next = 0;;) {
        uint32_t i;
        if (!read(context, &i, sizeof i)) {
            return KERR_IO;
        }
        const bool end = i == END_OF_REGION;
        if (!end && ((size_t)i * PAGE >= size || i < next)) {
            return KERR_BAD_SNAPSHOT;
        }
        for (; next < i && (size_t)next * PAGE < size; next++) {
            clear_leftover(&left, next, data, size);
        }
        if (end) {
            return KERR_OK;
        }
        next = i + 1;
        const size_t part = size - (size_t)i * PAGE < PAGE ? size - (size_t)i * PAGE : PAGE;
        if (!read(context, part == PAGE ? data + (size_t)i * PAGE : page, PAGE)) {
            return KERR_IO;
        }
        if (part != PAGE) {
            memcpy(data + (size_t)i * PAGE, page, part);
        }
    }
}

/* A stream from elsewhere must not lead us out of our arrays, nor through a billion cycles that a core has yet to do: none of a chip that
 * was saved is behind by more than a window. */
static bool is_sane(const struct tile *tile, uint64_t now)
{
    enum { MOST_BEHIND = 1 << 20 };
    for (unsigned i = 0; i < tile->cores; i++) {
        const rv_core *c = &tile->core[i];
        const unsigned kind = tile->kind == KERR_TILE_TENSIX ? i : KERR_CORE_B;
        if (c->kind != kind || c->index != i || c->state > RV_STOPPED || c->stores.head >= STORE_RING ||
            c->stores.count > STORE_RING ||
            c->local_size != (kind == KERR_CORE_B || kind == KERR_CORE_NC ? 8192 : 4096) ||
            c->blocked.rd >= READY_COUNT || c->blocked.size > 4 || c->merge_cycles == 0 || c->park.watches > 8 ||
            c->ic_pending_count > IC_PENDING || (c->state == RV_RUNNING && c->t + MOST_BEHIND < now) ||
            (c->state == RV_PARKED && (c->park.cycles == 0 || c->t != c->park.until))) {
            return false;
        }
        for (unsigned e = 0; e < STORE_RING; e++) {
            const store_entry *entry = &c->stores.entry[e];
            if (entry->device > 4 ||
                (!entry->device && (entry->line > tile->l1_bytes - 16 || (entry->line & 15) != 0))) {
                return false;
            }
        }
        for (unsigned set = 0; set < COST_ICACHE_SETS; set++) {
            for (unsigned way = 0; way < COST_ICACHE_WAYS; way++) {
                const uint32_t tag = c->ic_tag[set][way];
                if (tag > tile->l1_bytes / COST_ICACHE_LINE_BYTES ||
                    (tag != 0 && (tag - 1) % COST_ICACHE_SETS != set) || c->ic_victim[set] >= COST_ICACHE_WAYS) {
                    return false;
                }
            }
        }
        for (uint32_t e = 0; e < c->stores.count; e++) {
            const store_entry *entry = &c->stores.entry[(c->stores.head + e) % STORE_RING];
            if (!entry->device && entry->mask == 0) {
                return false;
            }
        }
        for (uint32_t p = 0; p < c->ic_pending_count; p++) {
            if (c->ic_pending[p].last >= tile->l1_bytes / COST_ICACHE_LINE_BYTES) {
                return false;
            }
        }
        for (uint32_t w = 0; w < c->park.watches; w++) {
            if ((c->park.watch[w].address < tile->l1_bytes && c->park.watch[w].address > tile->l1_bytes - 16) ||
                c->park.watch[w].size > 16) {
                return false;
            }
        }
    }
    return tile_bools_are_sane(tile) && devices_are_sane(&tile->dev) && overlay_is_sane(&tile->overlay) &&
           tensix_files_are_sane(&tile->files) && tile->dev.kind == tile->kind && tile->dev.x == tile->at.x &&
           tile->dev.y == tile->at.y;
}

static kerr_status restore_passive(kerr_chip *chip, kerr_read_fn read, void *context)
{
    passive *p = chip->passive;
    memset(p, 0, sizeof *p); /* pages that are not in the stream are zero */
    const kerr_status status = restore_region(read, context, (uint8_t *)p, sizeof *p, (leftovers){0});
    for (uint32_t f = 0; f < CHIP_FAULTS && f < p->fault_count; f++) {
        p->fault[f].manual = NULL;
        p->fault[f].text[sizeof p->fault[f].text - 1] = '\0';
    }
    fault_list_sort(p->fault, p->fault_count, CHIP_FAULTS);
    return status == KERR_OK && !(passive_bools_are_sane(p) && passive_is_sane(p)) ? KERR_BAD_SNAPSHOT : status;
}

/* Of the DMA engine of a DRAM tile: what it names in L1 is there.  (Banks look at addresses themselves.) */
static bool dma_is_sane(const noc_packet *p)
{
    const uint64_t l1 = p->op == NOC_DMA_READ ? p->return_address : p->address, size = tile_l1_bytes(KERR_TILE_DRAM);
    return p->op <= NOC_DMA_DONE &&
           chip_bank_index((kerr_xy){p->destination % NOC_GRID_X, p->destination / NOC_GRID_X}) >= 0 &&
           ((p->op != NOC_DMA_READ && p->op != NOC_DMA_DATA) || (l1 <= size && p->length <= size - l1));
}

/* What its receivers take for granted: who carries data carries what its flags say, and an answer has one receiver. */
static bool payload_is_sane(const noc_packet *p)
{
    const bool one = p->op == NOC_WRITE || p->op == NOC_ATOMIC || (p->flags & NOC_MULTICAST) == 0;
    const bool bytes = p->op != NOC_WRITE || (p->flags & NOC_BYTE_ENABLE) == 0 ||
                       (p->length <= 64 && (p->length == 64 || p->byte_enable >> p->length == 0));
    return one && bytes && (p->op != NOC_WRITE || (p->flags & NOC_INLINE) == 0 || p->length == 4);
}

/* A bank counts what comes in at the tile that it is for; that of a multicast is its sender. */
static bool may_be_for_a_tile(const noc_packet *p)
{
    return chip_tile_index((kerr_xy){p->destination % NOC_GRID_X, p->destination / NOC_GRID_X}) >= 0;
}

/* A packet that nobody but a well-meaning NIU could have made. */
static bool packet_is_sane(const packet_record *record)
{
    const noc_packet *p = (const noc_packet *)(const void *)record->packet;
    const bool at_bank = record->where >= NOC_NODES && record->where < NOC_PORTS;
    return (p->op <= NOC_HOLD || dma_is_sane(p)) && p->noc < NOC_COUNT && p->length <= NOC_MAX_PAYLOAD &&
           p->source < NOC_NODES && p->destination < NOC_NODES && p->return_to < NOC_NODES &&
           p->rectangle.start_x < NOC_GRID_X && p->rectangle.end_x < NOC_GRID_X && p->rectangle.start_y < NOC_GRID_Y &&
           p->rectangle.end_y < NOC_GRID_Y && p->input < NOC_INPUTS &&
           (p->up_node < NOC_NODES || p->up_node == NO_NODE) && p->up_port < NOC_OUTPUTS &&
           p->up_channel < NOC_CHANNELS && record->data_bytes == noc_data_bytes(p) && payload_is_sane(p) &&
           (may_be_for_a_tile(p) || !(at_bank || (p->flags & NOC_MULTICAST)));
}

static bool record_is_sane(const packet_record *record)
{
    const bool event = record->where == AT_NIU_EVENTS || record->where == AT_ROUTER_EVENTS;
    const bool ack =
        record->where < NOC_PORTS && (record->value < NIU_TRANSACTION_IDS || (record->value & NIU_BANK_COUNT) != 0);
    return record->where < NOWHERE &&
           (record->has_packet ? packet_is_sane(record) : (event || ack) && record->data_bytes == 0) &&
           (!event || fabric_event_is_sane(record->order, record->has_packet != 0));
}

static noc_queue *queue_for(kerr_chip *chip, const packet_record *record)
{
    noc_port *port;
    switch (record->where) {
    case AT_PENDING: return &chip->fabric.pending;
    case AT_NIU_EVENTS: return &chip->fabric.at_niu;
    default:
        port = &chip->fabric.port[record->where];
        return record->has_packet || !port->has_cores ? &port->inbox : &port->acks;
    }
}

static kerr_status restore_record(kerr_chip *chip, const packet_record *record, kerr_read_fn read, void *context)
{
    noc_store *packets = &chip->stores[0];
    packet_ref ref = NO_PACKET;
    if (record->has_packet) {
        noc_packet *packet = noc_packet_new(packets, record->data_bytes, &ref);
        if (packet == NULL) {
            return KERR_BAD_SNAPSHOT;
        }
        const uint8_t size_class = packet->size_class;
        memcpy(packet, record->packet, sizeof *packet);
        packet->size_class = size_class;
        packet->holders = 1;
        packet->next = NO_PACKET;
        if (record->data_bytes != 0 && !read(context, packet->data, record->data_bytes)) {
            return KERR_IO;
        }
    }
    if (record->where >= AT_ROUTER) {
        fabric_restore_packet(&chip->fabric, packets, record->where - AT_ROUTER, ref);
        return KERR_OK;
    }
    if (record->where >= AT_NIU) {
        struct niu *niu = &chip_tile(chip, (record->where - AT_NIU) / 2)->dev.niu[(record->where - AT_NIU) % 2];
        if (niu->response_first == NO_PACKET) {
            niu->response_first = ref;
        } else {
            noc_packet_at(packets, niu->response_last)->next = ref;
        }
        niu->response_last = ref;
        return KERR_OK;
    }
    const noc_entry entry = {.cycle = record->cycle, .order = record->order, .ref = ref, .value = record->value};
    chip->passive_due = min64(chip->passive_due, record->cycle); /* looked at anew when it comes to that */
    const bool done = record->where == AT_ROUTER_EVENTS ? fabric_restore_router_event(&chip->fabric, entry)
                                                        : noc_queue_put(queue_for(chip, record), entry);
    return done ? KERR_OK : KERR_BAD_SNAPSHOT;
}

static kerr_status restore_fabric(kerr_chip *chip, kerr_read_fn read, void *context)
{
    noc_fabric *fabric = &chip->fabric;
    for (uint32_t i = 0; i < 2 * CHIP_TILES; i++) {
        struct niu *niu = &chip_tile(chip, i / 2)->dev.niu[i % 2];
        niu->response_first = niu->response_last = NO_PACKET;
    }
    const kerr_status routers =
        restore_region(read, context, (uint8_t *)fabric->router, sizeof fabric->router, (leftovers){0});
    if (routers != KERR_OK) {
        return routers;
    }
    for (uint32_t i = 0; i < NOC_ROUTERS; i++) {
        if (!router_bools_are_sane(&fabric->router[i])) {
            return KERR_BAD_SNAPSHOT;
        }
    }
    if (!read(context, fabric->slow, sizeof fabric->slow) ||
        !read(context, chip->bank_busy_16, sizeof chip->bank_busy_16)) {
        return KERR_IO;
    }
    fabric_forget_packets(fabric);
    for (;;) {
        packet_record record;
        if (!read(context, &record, sizeof record)) {
            return KERR_IO;
        }
        if (record.where == NOWHERE) {
            return KERR_OK;
        }
        if (!record_is_sane(&record)) {
            return KERR_BAD_SNAPSHOT;
        }
        const kerr_status status = restore_record(chip, &record, read, context);
        if (status != KERR_OK) {
            return status;
        }
    }
}

/* Which pages of L1 have something in them, before a restore. */
typedef uint8_t touched_pages[L1_BYTES >> TOUCH_SHIFT];
_Static_assert(PAGE == 1 << TOUCH_SHIFT, "a page of a region of L1 is one that is marked");

static kerr_status restore_tile(kerr_chip *chip, struct tile *tile, const uint8_t *touched, kerr_read_fn read,
                                void *context)
{
    const leftovers state = {.sweep = tile->kind != KERR_TILE_TENSIX};
    const leftovers l1 = {.sweep = tile->kind != KERR_TILE_TENSIX, .touched = touched};
    kerr_status status = restore_region(read, context, (uint8_t *)tile + STATE_FIRST, STATE_BYTES, state);
    status = status == KERR_OK ? restore_region(read, context, tile->l1, tile->l1_bytes, l1) : status;
    if (status != KERR_OK || !is_sane(tile, chip->now)) {
        return status != KERR_OK ? status : KERR_BAD_SNAPSHOT;
    }
    for (uint32_t f = 0; f < TILE_FAULTS && f < tile->fault_count; f++) {
        tile->fault[f].manual = NULL; /* a pointer of the process that saved it */
        tile->fault[f].text[sizeof tile->fault[f].text - 1] = '\0';
    }
    fault_list_sort(tile->fault, tile->fault_count, TILE_FAULTS);
    for (uint32_t page = 0; page < sizeof tile->touched; page++) {
        tile->touched[page] = tile->touched[page] != 0; /* that a window had saved it is of no use here */
    }
    for (unsigned c = 0; c < tile->cores; c++) {
        tile->bus[c].blocks = chip->worker[0].blocks;
    }
    tile_refresh(tile, chip->now);
    tile_devices_changed(tile, chip->now); /* who waits looks again: whether it was about to is not saved */
    return KERR_OK;
}

static kerr_status restore_all(kerr_chip *chip, touched_pages *touched, kerr_read_fn read, void *context)
{
    kerr_status status = KERR_OK;
    for (uint32_t i = 0; i < CHIP_TILES && status == KERR_OK; i++) {
        status = restore_tile(chip, chip_tile(chip, i), i < KERR_TENSIX_TILES ? touched[i] : NULL, read, context);
    }
    for (uint32_t i = 0; i < KERR_DRAM_BANKS && status == KERR_OK; i++) {
        status = restore_bank(read, context, &chip->bank[i]);
    }
    status = status == KERR_OK ? restore_passive(chip, read, context) : status;
    return status == KERR_OK ? restore_fabric(chip, read, context) : status;
}

/* From behind the header on. */
static kerr_status restore_body(kerr_chip *chip, const snapshot_header *header, kerr_read_fn read, void *context)
{
    touched_pages *touched = malloc(KERR_TENSIX_TILES * sizeof *touched);
    if (touched == NULL) {
        return KERR_NO_MEMORY;
    }
    const uint64_t seed = chip->environment.seed, shake = chip->environment.shake.seed;
    const kerr_harvesting harvesting = chip->passive->harvesting;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        memcpy(touched[i], chip_tile(chip, i)->touched, sizeof touched[i]);
    }
    chip->environment.seed = header->seed;
    chip->environment.shake.seed = header->shake;
    chip_clear_but_l1(chip);
    chip->now = header->now;
    chip->stop_cycle = header->stop_cycle;
    const kerr_status status = restore_all(chip, touched, read, context);
    free(touched);
    check_restored(chip->checks);
    if (status != KERR_OK) {
        chip->environment.seed = seed;
        chip->environment.shake.seed = shake;
        chip->passive->harvesting = harvesting;
        chip_clear(chip);
    }
    return status;
}

static kerr_status read_header(const kerr_chip *chip, snapshot_header *header, kerr_read_fn read, void *context)
{
    if (!read(context, header, sizeof *header)) {
        return KERR_IO;
    }
    const bool fits = memcmp(header->magic, SNAPSHOT_MAGIC, sizeof header->magic) == 0 &&
                      header->version == SNAPSHOT_VERSION && header->tile_count == CHIP_TILES &&
                      header->state_bytes == STATE_BYTES && header->l1_bytes == L1_BYTES &&
                      header->passive_bytes == sizeof *chip->passive && header->now <= NEVER / 4;
    return fits ? KERR_OK : KERR_BAD_SNAPSHOT;
}

/* A chip in memory, to go back to. */
typedef struct copy_of_chip {
    uint8_t *data;
    size_t size, room, at;
} copy_of_chip;

static bool copy_put(void *context, const void *data, size_t size)
{
    copy_of_chip *c = context;
    if (size > c->room - c->size) {
        const size_t room = (c->size + size) * 2;
        uint8_t *grown = realloc(c->data, room);
        if (grown == NULL) {
            return false;
        }
        c->data = grown;
        c->room = room;
    }
    memcpy(c->data + c->size, data, size);
    c->size += size;
    return true;
}

static bool copy_get(void *context, void *data, size_t size)
{
    copy_of_chip *c = context;
    if (size > c->size - c->at) {
        return false;
    }
    memcpy(data, c->data + c->at, size);
    c->at += size;
    return true;
}

kerr_status chip_restore(kerr_chip *chip, bool keep, kerr_read_fn read, void *context)
{
    snapshot_header header, own;
    kerr_status status = read_header(chip, &header, read, context);
    if (status != KERR_OK && !keep) {
        chip_clear(chip);
    }
    if (status != KERR_OK) {
        return status;
    }
    if (chip->worker[0].blocks == NULL) {
        chip->worker[0].blocks = rv_block_store_create();
        if (chip->worker[0].blocks == NULL) {
            return KERR_NO_MEMORY;
        }
    }
    copy_of_chip copy = {0};
    if (keep && chip_save(chip, true, copy_put, &copy) != KERR_OK) {
        free(copy.data);
        return KERR_NO_MEMORY;
    }
    status = restore_body(chip, &header, read, context);
    if (keep && status != KERR_OK && read_header(chip, &own, copy_get, &copy) == KERR_OK) {
        (void)restore_body(chip, &own, copy_get, &copy); /* our own: it fits */
    }
    free(copy.data);
    return status;
}
