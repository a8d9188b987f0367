/* SPDX-License-Identifier: Apache-2.0 */
/* State as a stream, and as a hash.
 *
 * Saved is what stands before the line "Derived" in struct tile, L1 and the DRAM banks, page by page, zero pages left
 * out.
 * The hash looks at the same state as the hardware would be found in: a parked core is made real first,
 * times that lie in the past count as now, bytes that no mask covers do not count. */
#include "chip/chip.h"

#include "base/bits.h"
#include "base/random.h"
#include "riscv/block.h"
#include "tensix/tensix.h"

#include <string.h>

enum { SNAPSHOT_VERSION = 4, PAGE = 4096 };
#define STATE_FIRST offsetof(struct tile, core)
#define STATE_BYTES (offsetof(struct tile, environment) - STATE_FIRST)

/* ---- Hash --------------------------------------------------------------------------------------------- */

typedef struct hasher {
    uint64_t value;
    uint64_t now;
} hasher;

static void put(hasher *h, uint64_t word)
{
    h->value = mix64(h->value ^ word) + UINT64_C(0x9E3779B97F4A7C15);
}

/* A cycle at which something will be: what is past is past. */
static void put_cycle(hasher *h, uint64_t cycle)
{
    put(h, cycle > h->now ? cycle - h->now : 0);
}
static void put_cycle_16(hasher *h, uint64_t cycle_16)
{
    put(h, cycle_16 > h->now * 16 ? cycle_16 - h->now * 16 : 0);
}

static void put_bytes(hasher *h, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint64_t a = h->value, word;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        memcpy(&word, bytes + i, 8);
        a = (a ^ word) * UINT64_C(0xD1342543DE82EF95);
        a ^= a >> 29;
    }
    for (; i < size; i++) {
        a = (a ^ bytes[i]) * UINT64_C(0xD1342543DE82EF95);
        a ^= a >> 29;
    }
    h->value = a;
}

static void put_stores(hasher *h, const store_queue *q)
{
    put(h, q->count);
    put(h, q->stuck);
    if (q->last_visible > h->now) {
        put_cycle(h, q->last_visible);
    }
    for (uint32_t i = 0; i < q->count; i++) {
        const store_entry *e = &q->entry[(q->head + i) % STORE_RING];
        put_cycle(h, e->last);
        put_cycle(h, e->emit);
        if (e->late != 0 && !e->device) {
            put(h, e->late);
        }
        put(h, (uint64_t)e->line << 32 | e->last_address);
        put(h, (uint64_t)e->mask << 8 | e->device);
        uint8_t data[16] = {0};
        for (unsigned b = 0; b < 16; b++) {
            if (e->device ? b < e->device : (e->mask >> b & 1) != 0) {
                data[b] = e->data[b];
            }
        }
        put_bytes(h, data, sizeof data);
    }
}

static void put_core(hasher *h, const rv_core *core)
{
    const bool lives = core->state == RV_RUNNING || core->state == RV_PARKED || core->state == RV_WAITING;
    put(h, core->state == RV_PARKED ? RV_RUNNING : core->state);
    put_bytes(h, core->local, core->local_size);
    if (core->state == RV_IN_RESET) {
        return;
    }
    put_bytes(h, core->x + 1, 31 * sizeof core->x[0]);
    put(h, core->pc);
    if (lives) {
        put_cycle(h, core->state == RV_WAITING ? 0 : core->t);
    }
    for (unsigned r = 0; r < READY_COUNT; r++) {
        if (r != 0) {
            put_cycle(h, core->ready[r]);
        }
    }
    for (unsigned i = 0; i < COST_L1_LOADS_IN_FLIGHT; i++) {
        put_cycle_16(h, core->load_slot_16[(core->load_count + i) % COST_L1_LOADS_IN_FLIGHT]);
    }
    const bool long_load = core->long_done > h->now;
    put(h, long_load ? core->long_left + 1 : 0);
    put_cycle(h, core->long_done);
    if (long_load) {
        put_bytes(h, core->long_writers, sizeof core->long_writers);
        put(h, core->long_last);
    }
    put(h, core->instret - core->instret_offset);
    put(h, core->mcycle_offset);
    put_cycle(h, core->local_ready);
    put(h, (uint64_t)core->sequential << 3 | (uint64_t)core->in_interrupt << 2 | (uint64_t)core->interrupt_line << 1 |
               core->single_step);
    put(h, (uint64_t)core->interrupt_vector << 32 | core->interrupt_return);
    put(h, core->blocked.active ? (uint64_t)core->blocked.address << 32 | (uint64_t)core->blocked.rd << 16 |
                                      (uint64_t)core->blocked.size << 8 | core->blocked.sign
                                : 0);
    put_stores(h, &core->stores);
    for (unsigned i = 0; i < L0_LINES; i++) {
        put(h, core->l0.tag[i]);
        if (core->l0.tag[i] != 0) {
            put_bytes(h, core->l0.data[i], L0_LINE_BYTES);
        }
    }
    put(h, core->l0.requests);
    put_bytes(h, core->ic_tag, sizeof core->ic_tag);
    put_bytes(h, core->ic_victim, sizeof core->ic_victim);
    for (unsigned set = 0; set < COST_ICACHE_SETS; set++) {
        for (unsigned way = 0; way < COST_ICACHE_WAYS; way++) {
            if (core->ic_tag[set][way] != 0) {
                put_bytes(h, core->ic_data[set][way], COST_ICACHE_LINE_BYTES);
            }
        }
    }
    if (core->shaken_stores | core->shaken_loads | core->shaken_device_stores | core->shaken_device_loads) {
        put(h, (uint64_t)core->shaken_stores << 32 | core->shaken_loads);
        put(h, (uint64_t)core->shaken_device_stores << 32 | core->shaken_device_loads);
        put(h, core->shake_load);
    }
    put(h, core->ic_pending_count);
    for (uint32_t i = 0; i < core->ic_pending_count; i++) {
        put(h, (uint64_t)core->ic_pending[i].first << 32 | core->ic_pending[i].last);
    }
    put_bytes(h, core->predictor, sizeof core->predictor);
    put_bytes(h, core->target_pc, sizeof core->target_pc);
    put_bytes(h, core->target, sizeof core->target);
    put_bytes(h, &core->cfg0, offsetof(rv_core, mhpmcounter) - offsetof(rv_core, cfg0));
    put_bytes(h, core->mhpmcounter, sizeof core->mhpmcounter);
    put_bytes(h, core->tt_status, sizeof core->tt_status);
    put(h, core->intp_restore_pc);
    put_bytes(h, &core->fp, sizeof core->fp);
    put_bytes(h, &core->vec, sizeof core->vec);
}

static bool is_zero(const uint8_t *page)
{
    uint64_t any = 0;
    for (size_t i = 0; i < PAGE; i += 64) {
        uint64_t word[8];
        memcpy(word, page + i, sizeof word);
        any |= word[0] | word[1] | word[2] | word[3] | word[4] | word[5] | word[6] | word[7];
    }
    return any == 0;
}

static void put_overlay(hasher *h, const overlay *ov)
{
    put(h, ov->used);
    if (ov->used == 0) {
        return;
    }
    put_bytes(h, ov, offsetof(overlay, stream));
    for (unsigned i = 0; i < OVERLAY_STREAMS; i++) {
        const overlay_stream *s = &ov->stream[i];
        put_cycle(h, s->due);
        put(h, (uint64_t)s->next_message << 32 | (uint32_t)s->to_receive << 8 | s->state);
        put(h, (uint64_t)s->message_count << 32 | s->read_count);
        for (unsigned m = 0; m < s->message_count; m++) {
            put(h, s->message[(s->message_head + m) % OVERLAY_MESSAGES]);
        }
        for (unsigned r = 0; r < s->read_count; r++) {
            put(h, s->read[(s->read_head + r) % OVERLAY_READS]);
        }
    }
}

static void put_bank(hasher *h, const struct dram_bank *bank)
{
    for (uint32_t page = dram_bank_next_page(bank, 0); page != DRAM_NO_PAGE;
         page = dram_bank_next_page(bank, page + 1)) {
        const uint8_t *data = bank->memory + (size_t)page * DRAM_PAGE;
        if (!is_zero(data)) {
            put(h, page);
            put_bytes(h, data, DRAM_PAGE);
        }
    }
    put(h, DRAM_NO_PAGE);
}

/* Where a packet lies does not count. */
static void put_packet(hasher *h, const noc_packet *packet)
{
    noc_packet head = *packet;
    head.holders = 0;
    head.next = 0;
    head.size_class = 0;
    put_bytes(h, &head, sizeof head);
    put_bytes(h, packet->data, noc_data_bytes(packet));
}

static void put_niu(hasher *h, const struct niu *niu, const noc_store *packets)
{
    struct niu copy = *niu;
    copy.response_first = copy.response_last = 0;
    put_bytes(h, &copy, sizeof copy);
    for (packet_ref ref = niu->response_first; ref != NO_PACKET; ref = noc_packet_at(packets, ref)->next) {
        put_packet(h, noc_packet_at(packets, ref));
    }
}

/* The order within a heap depends on how it came about: each entry counts by itself. */
typedef struct entry_sum {
    const noc_store *packets;
    uint64_t now, sum, count;
} entry_sum;

static bool add_entry(void *context, const noc_entry *entry)
{
    entry_sum *s = context;
    hasher one = {.now = s->now};
    put(&one, entry->cycle);
    put(&one, entry->order);
    put(&one, entry->value);
    if (entry->ref != NO_PACKET) {
        put_packet(&one, noc_packet_at(s->packets, entry->ref));
    }
    s->sum += mix64(one.value);
    s->count++;
    return true;
}

static void put_queue(hasher *h, const noc_queue *queue, const noc_store *packets)
{
    entry_sum s = {.packets = packets, .now = h->now};
    for (uint32_t i = 0; i < queue->count; i++) {
        add_entry(&s, noc_queue_at(queue, i));
    }
    put(h, s.count);
    put(h, s.sum);
}

/* What a port has to come in.  Acknowledgements that wait to be looked at are no different from others. */
static void put_port(hasher *h, const noc_port *port, const noc_store *packets)
{
    entry_sum s = {.packets = packets, .now = h->now};
    for (uint32_t i = 0; i < port->inbox.count; i++) {
        add_entry(&s, noc_queue_at(&port->inbox, i));
    }
    for (uint32_t i = 0; i < port->acks.count; i++) {
        add_entry(&s, noc_queue_at(&port->acks, i));
    }
    put(h, s.count);
    put(h, s.sum);
}

static void put_router_events(hasher *h, const noc_fabric *fabric, const noc_store *packets)
{
    entry_sum s = {.packets = packets, .now = h->now};
    fabric_each_router_event(fabric, add_entry, &s);
    put(h, s.count);
    put(h, s.sum);
}

static void put_list(hasher *h, const noc_list *list, const noc_store *packets)
{
    for (uint32_t next = list->first; next != 0;) {
        const noc_packet *packet = noc_packet_at(packets, next - 1);
        put_packet(h, packet);
        next = packet->next == NO_PACKET ? 0 : packet->next + 1;
    }
    put(h, 0);
}

static void put_router(hasher *h, const noc_router *router, const noc_store *packets)
{
    for (unsigned o = 0; o < NOC_OUTPUTS; o++) {
        const noc_output *out = &router->output[o];
        put_cycle(h, out->free);
        put_cycle(h, router->express_free[o]);
        uint64_t held = 0;
        for (unsigned c = 0; c < NOC_CHANNELS; c++) {
            held |= (uint64_t)(out->hold[c] > h->now) << c;
        }
        put(h, held << 32 | out->channel_turn);
        for (; held != 0; held &= held - 1) {
            put(h, out->hold[__builtin_ctzll(held)]);
        }
        put_bytes(h, out->input_turn, sizeof out->input_turn);
    }
    for (unsigned i = 0; i < NOC_INPUTS; i++) {
        for (unsigned c = 0; c < NOC_CHANNELS; c++) {
            put_list(h, &router->queue[i][c], packets);
        }
    }
    put_bytes(h, router->flits, sizeof router->flits);
    for (unsigned s = 0; s < NOC_SIDES; s++) {
        put_list(h, &router->side[s].waiting, packets);
        put_cycle(h, router->side[s].free);
        put(h, (uint64_t)router->side[s].fraction << 2 | (uint64_t)router->side[s].held << 1 | router->side[s].blocked);
    }
    put_cycle(h, router->acks_free);
    put(h, (uint64_t)router->accepted << 32 | router->express_accepted);
}

static void put_fabric(hasher *h, const kerr_chip *chip)
{
    static const noc_router idle;
    const noc_fabric *fabric = &chip->fabric;
    const noc_store *packets = &chip->stores[0];
    for (unsigned r = 0; r < NOC_ROUTERS; r++) {
        if (memcmp(&fabric->router[r], &idle, sizeof idle) != 0) {
            put(h, r);
            put_router(h, &fabric->router[r], packets);
        }
        if (r % NOC_NODES == NOC_NODES - 1) {
            put(h, fabric->slow[r / NOC_NODES]);
        }
    }
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        put_port(h, &fabric->port[p], packets);
    }
    put_queue(h, &fabric->pending, packets);
    put_queue(h, &fabric->at_niu, packets);
    put_router_events(h, fabric, packets);
    for (uint32_t i = 0; i < KERR_DRAM_BANKS; i++) {
        put_cycle_16(h, chip->bank_busy_16[i]);
    }
}

/* The coprocessor puts off what nobody looks at, and when it next looks by itself does not count. */
static void put_devices(hasher *h, const struct tile *tile)
{
    put_bytes(h, &tile->dev, offsetof(struct devices, tensix));
    struct tensix copy = tile->dev.tensix;
    tensix_make_real(tile, &copy, h->now);
    put_bytes(h, &copy, sizeof copy);
    const size_t rest = offsetof(struct devices, tensix) + sizeof copy;
    put_bytes(h, (const uint8_t *)&tile->dev + rest, offsetof(struct devices, niu) - rest);
}

/* SrcA, SrcB and Dst: most tiles never use them. */
static void put_files(hasher *h, const struct tensix_files *files)
{
    const uint8_t *base = (const uint8_t *)files;
    const size_t end = offsetof(struct tensix_files, dst_row_undefined);
    _Static_assert(offsetof(struct tensix_files, dst_row_undefined) % PAGE == 0, "whole pages");
    for (uint32_t i = 0; i < end / PAGE; i++) {
        if (!is_zero(base + (size_t)i * PAGE)) {
            put(h, i);
            put_bytes(h, base + (size_t)i * PAGE, PAGE);
        }
    }
    put_bytes(h, base + end, sizeof *files - end);
}

static void put_tile(hasher *h, const struct tile *tile)
{
    for (unsigned i = 0; i < tile->cores; i++) {
        rv_core copy;
        put_core(h, tile_core_view(tile, i, h->now, &copy));
    }
    for (unsigned i = 0; i < 4; i++) {
        put_cycle_16(h, tile->ports.store_free_16[i]);
    }
    for (unsigned i = 0; i < tile->cores; i++) {
        put_cycle(h, tile->ports.streaming_until[i]);
    }
    put_devices(h, tile);
    for (unsigned noc = 0; noc < NOC_COUNT; noc++) {
        put_niu(h, &tile->dev.niu[noc], tile->packets);
    }
    put_overlay(h, &tile->overlay);
    put(h, tile->fault_count);
    put(h, tile->stopped_at);
    put(h, (uint64_t)tile->deadlocked << 16 | (uint64_t)tile->strict << 9 | (uint64_t)tile->rendezvous << 8 |
               tile->breakpoints);
    /* A core that runs ahead records its fault before another's earlier one: the list has no order of its own. */
    uint64_t faults = 0;
    for (uint32_t i = 0; i < tile->fault_count && i < TILE_FAULTS; i++) {
        const kerr_fault *f = &tile->fault[i];
        hasher one = {0};
        put(&one, (uint64_t)f->kind << 32 | (uint64_t)f->stopping << 8 | (uint8_t)f->core);
        put(&one, (uint64_t)f->pc << 32 | f->instruction);
        put(&one, f->address);
        put(&one, f->cycle);
        put_bytes(&one, f->text, strlen(f->text));
        faults += one.value;
    }
    put(h, faults);
    if (tile->kind == KERR_TILE_TENSIX) {
        put_files(h, &tile->files);
    } else if (tile->kind == KERR_TILE_ETH) {
        put_bytes(h, &tile->own.eth, sizeof tile->own.eth);
    } else if (tile->kind == KERR_TILE_DRAM) {
        put_bytes(h, &tile->own.dram, sizeof tile->own.dram);
    }
    for (uint32_t page = 0; page < tile->l1_bytes / PAGE; page++) {
        if (tile->touched[page] && !is_zero(tile->l1 + (size_t)page * PAGE)) {
            put(h, page);
            put_bytes(h, tile->l1 + (size_t)page * PAGE, PAGE);
        }
    }
}

static void put_faults(hasher *h, const kerr_fault *list, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < CHIP_FAULTS; i++) {
        const kerr_fault *f = &list[i];
        put(h, (uint64_t)f->kind << 32 | (uint64_t)f->stopping << 16 | (uint64_t)f->tile.x << 8 | f->tile.y);
        put(h, f->address);
        put(h, f->cycle);
        put_bytes(h, f->text, strlen(f->text));
    }
}

static void put_passive(hasher *h, const passive *p)
{
    put_bytes(h, p, offsetof(passive, fault));
    put_faults(h, p->fault, p->fault_count);
    put_bytes(h, &p->arc, offsetof(arc_tile, csm));
    for (uint32_t page = 0; page < ARC_CSM_BYTES / PAGE; page++) {
        if (!is_zero(p->arc.csm + (size_t)page * PAGE)) {
            put(h, page);
            put_bytes(h, p->arc.csm + (size_t)page * PAGE, PAGE);
        }
    }
}

uint64_t chip_hash(const kerr_chip *chip)
{
    hasher h = {.value = UINT64_C(0x4B657272), .now = chip->now};
    put(&h, chip->now);
    put(&h, chip->environment.seed);
    if (chip->environment.shake.seed != 0) {
        put(&h, chip->environment.shake.seed);
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        put_tile(&h, &chip->tiles[i]);
    }
    put_passive(&h, chip->passive);
    put_fabric(&h, chip);
    for (uint32_t i = 0; i < KERR_DRAM_BANKS; i++) {
        put_bank(&h, &chip->bank[i]);
    }
    return h.value;
}

/* ---- Save and restore ------------------------------------------------------------------------------------ */

typedef struct snapshot_header {
    char magic[8];
    uint32_t version, tile_count;
    uint64_t state_bytes, l1_bytes, passive_bytes;
    uint64_t seed, shake, now, stop_cycle;
} snapshot_header;

static const char magic[8] = {'K', 'E', 'R', 'R', 's', 'n', 'a', 'p'};
enum { END_OF_REGION = UINT32_MAX & 0x7FFFFFFF };

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
        memset(page, 0, sizeof page);
        memcpy(page, data + (size_t)i * PAGE, part);
        if (!is_zero(page) && (!w->write(w->context, &i, sizeof i) || !w->write(w->context, page, PAGE))) {
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
        if (!is_zero(data) && (!w->write(w->context, &page, sizeof page) || !w->write(w->context, data, DRAM_PAGE))) {
            return false;
        }
    }
    const uint32_t end = END_OF_REGION;
    return w->write(w->context, &end, sizeof end);
}

/* Packets and events: where each is, then the packet.  A multicast is saved once for each receiver. */
enum {
    AT_PENDING = NOC_PORTS,
    AT_NIU_EVENTS,
    AT_ROUTER_EVENTS,
    AT_NIU,                              /* + 2 * tile + NoC: responses that wait */
    AT_ROUTER = AT_NIU + 2 * CHIP_TILES, /* + list of fabric_list */
    NOWHERE = AT_ROUTER + FABRIC_LISTS,  /* the end */
};

typedef struct packet_record {
    uint64_t cycle, order;
    uint32_t where, value;
    uint32_t has_packet, data_bytes;
    _Alignas(8) uint8_t packet[sizeof(noc_packet)];
} packet_record;

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
        done = save_list(w, packets, AT_NIU + i, chip->tiles[i / 2].dev.niu[i % 2].response_first);
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
    memcpy(header.magic, magic, sizeof magic);
    if (!write(context, &header, sizeof header)) {
        return KERR_IO;
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        const struct tile *tile = &chip->tiles[i];
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
    bool any = false;
    for (size_t i = 0; i < size && !any; i++) {
        any = data[i] != 0;
    }
    if (any) { /* a page that nobody has touched stays so */
        memset(data, 0, size);
    }
}

/* sweep: pages that are not in the stream may have something in them. */
static kerr_status restore_region(kerr_read_fn read, void *context, uint8_t *data, size_t size, bool sweep)
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
        for (; sweep && next < i && (size_t)next * PAGE < size; next++) {
            const size_t left = size - (size_t)next * PAGE;
            clear_page(data + (size_t)next * PAGE, left < PAGE ? left : PAGE);
        }
        if (end) {
            return KERR_OK;
        }
        next = i + 1;
        if (!read(context, page, PAGE)) {
            return KERR_IO;
        }
        const size_t part = size - (size_t)i * PAGE < PAGE ? size - (size_t)i * PAGE : PAGE;
        memcpy(data + (size_t)i * PAGE, page, part);
    }
}

/* A stream from elsewhere must not lead us out of our arrays. */
static bool is_sane(const struct tile *tile)
{
    for (unsigned i = 0; i < tile->cores; i++) {
        const rv_core *c = &tile->core[i];
        const unsigned kind = tile->kind == KERR_TILE_TENSIX ? i : KERR_CORE_B;
        if (c->kind != kind || c->index != i || c->state > RV_STOPPED || c->stores.head >= STORE_RING ||
            c->stores.count > STORE_RING ||
            c->local_size != (kind == KERR_CORE_B || kind == KERR_CORE_NC ? 8192 : 4096) ||
            c->blocked.rd >= READY_COUNT || c->blocked.size > 4 || c->merge_cycles == 0 || c->park.watches > 8 ||
            c->ic_pending_count > IC_PENDING ||
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
    return devices_are_sane(&tile->dev) && overlay_is_sane(&tile->overlay) && tensix_files_are_sane(&tile->files) &&
           tile->dev.kind == tile->kind && tile->dev.x == tile->at.x && tile->dev.y == tile->at.y;
}

static kerr_status restore_passive(kerr_chip *chip, kerr_read_fn read, void *context)
{
    passive *p = chip->passive;
    memset(p, 0, sizeof *p); /* pages that are not in the stream are zero */
    const kerr_status status = restore_region(read, context, (uint8_t *)p, sizeof *p, false);
    for (uint32_t f = 0; f < CHIP_FAULTS && f < p->fault_count; f++) {
        p->fault[f].manual = NULL;
        p->fault[f].text[sizeof p->fault[f].text - 1] = '\0';
    }
    return status == KERR_OK && !passive_is_sane(p) ? KERR_BAD_SNAPSHOT : status;
}

/* Of the DMA engine of a DRAM tile: what it names in L1 is there.  (Banks look at addresses themselves.) */
static bool dma_is_sane(const noc_packet *p)
{
    const uint64_t l1 = p->op == NOC_DMA_READ ? p->return_address : p->address, size = tile_l1_bytes(KERR_TILE_DRAM);
    return p->op <= NOC_DMA_DONE &&
           ((p->op != NOC_DMA_READ && p->op != NOC_DMA_DATA) || (l1 <= size && p->length <= size - l1));
}

/* A packet that nobody but a well-meaning NIU could have made. */
static bool packet_is_sane(const packet_record *record)
{
    const noc_packet *p = (const noc_packet *)(const void *)record->packet;
    return (p->op <= NOC_HOLD || dma_is_sane(p)) && p->noc < NOC_COUNT && p->length <= NOC_MAX_PAYLOAD &&
           p->source < NOC_NODES && p->destination < NOC_NODES && p->return_to < NOC_NODES &&
           p->rectangle.start_x < NOC_GRID_X && p->rectangle.end_x < NOC_GRID_X && p->rectangle.start_y < NOC_GRID_Y &&
           p->rectangle.end_y < NOC_GRID_Y && p->input < NOC_INPUTS &&
           (p->up_node < NOC_NODES || p->up_node == NO_NODE) && p->up_port < NOC_OUTPUTS &&
           p->up_channel < NOC_CHANNELS && record->data_bytes == noc_data_bytes(p);
}

static bool record_is_sane(const packet_record *record)
{
    const bool event = record->where == AT_NIU_EVENTS || record->where == AT_ROUTER_EVENTS;
    const bool ack = record->where < NOC_PORTS && record->value < NIU_TRANSACTION_IDS;
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
        struct niu *niu = &chip->tiles[(record->where - AT_NIU) / 2].dev.niu[(record->where - AT_NIU) % 2];
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
        struct niu *niu = &chip->tiles[i / 2].dev.niu[i % 2];
        niu->response_first = niu->response_last = NO_PACKET;
    }
    const kerr_status routers = restore_region(read, context, (uint8_t *)fabric->router, sizeof fabric->router, false);
    if (routers != KERR_OK) {
        return routers;
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

kerr_status chip_restore(kerr_chip *chip, kerr_read_fn read, void *context)
{
    snapshot_header header;
    if (!read(context, &header, sizeof header)) {
        return KERR_IO;
    }
    if (memcmp(header.magic, magic, sizeof magic) != 0 || header.version != SNAPSHOT_VERSION ||
        header.tile_count != CHIP_TILES || header.state_bytes != STATE_BYTES || header.l1_bytes != L1_BYTES ||
        header.passive_bytes != sizeof *chip->passive || header.now > NEVER / 4) {
        return KERR_BAD_SNAPSHOT;
    }
    if (chip->worker[0].blocks == NULL) {
        chip->worker[0].blocks = rv_block_store_create();
        if (chip->worker[0].blocks == NULL) {
            return KERR_NO_MEMORY;
        }
    }
    const uint64_t seed = chip->environment.seed, shake = chip->environment.shake.seed;
    const kerr_harvesting harvesting = chip->passive->harvesting;
    chip->environment.seed = header.seed;
    chip->environment.shake.seed = header.shake;
    chip_clear(chip);
    chip->now = header.now;
    chip->stop_cycle = header.stop_cycle;
    kerr_status status = KERR_OK;
    for (uint32_t i = 0; i < CHIP_TILES && status == KERR_OK; i++) {
        struct tile *tile = &chip->tiles[i];
        const bool sweep = tile->kind != KERR_TILE_TENSIX;
        status = restore_region(read, context, (uint8_t *)tile + STATE_FIRST, STATE_BYTES, sweep);
        if (status == KERR_OK) {
            status = restore_region(read, context, tile->l1, tile->l1_bytes, sweep);
        }
        if (status == KERR_OK && !is_sane(tile)) {
            status = KERR_BAD_SNAPSHOT;
        }
        if (status != KERR_OK) {
            break;
        }
        for (uint32_t f = 0; f < TILE_FAULTS && f < tile->fault_count; f++) {
            tile->fault[f].manual = NULL; /* a pointer of the process that saved it */
            tile->fault[f].text[sizeof tile->fault[f].text - 1] = '\0';
        }
        for (unsigned c = 0; c < tile->cores; c++) {
            tile->bus[c].blocks = chip->worker[0].blocks;
        }
        tile_refresh(tile, chip->now);
        tile_devices_changed(tile, chip->now); /* who waits looks again: whether it was about to is not saved */
    }
    for (uint32_t i = 0; i < KERR_DRAM_BANKS && status == KERR_OK; i++) {
        status = restore_bank(read, context, &chip->bank[i]);
    }
    if (status == KERR_OK) {
        status = restore_passive(chip, read, context);
    }
    if (status == KERR_OK) {
        status = restore_fabric(chip, read, context);
    }
    check_restored(chip->checks);
    if (status != KERR_OK) {
        chip->environment.seed = seed;
        chip->environment.shake.seed = shake;
        chip->passive->harvesting = harvesting;
        chip_clear(chip);
    }
    return status;
}
