/* SPDX-License-Identifier: Apache-2.0 */
/* State as a hash.
 *
 * It looks at the state that is saved as the hardware would be found in it: a parked core is made real first, times that lie in the past count
 * as now, bytes that no mask covers do not count. */
#include "chip/snapshot.h"
#include "tensix/tensix.h"

#include "base/random.h"

#include <string.h>

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
        if (!snapshot_page_is_zero(data)) {
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

static bool add_event(void *context, const noc_entry *event)
{
    return fabric_event_only_looks(event->order) || add_entry(context, event);
}

static void put_router_events(hasher *h, const noc_fabric *fabric, const noc_store *packets)
{
    entry_sum s = {.packets = packets, .now = h->now};
    fabric_each_router_event(fabric, add_event, &s);
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
    tensix_make_real(&tile->lent, &copy, h->now);
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
        if (!snapshot_page_is_zero(base + (size_t)i * PAGE)) {
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
    /* Each by itself: their order, which is that of tile/fault_list.h, adds nothing. */
    uint64_t faults = 0;
    for (uint32_t i = 0; i < tile->fault_count && i < TILE_FAULTS; i++) {
        const kerr_fault *f = &tile->fault[i];
        hasher one = {0};
        put(&one, (uint64_t)f->kind << 32 | (uint64_t)f->stopping << 8 | (uint8_t)f->core);
        put(&one, (uint64_t)f->pc << 32 | f->instruction);
        put(&one, f->address);
        put(&one, f->cycle);
        if (f->asker != 0) {
            put(&one, (uint64_t)f->asker << 24 | (uint64_t)f->asker_noc << 16 | (uint64_t)f->asker_tile.x << 8 |
                          f->asker_tile.y);
        }
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
        if (tile->touched[page] && !snapshot_page_is_zero(tile->l1 + (size_t)page * PAGE)) {
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
        if (!snapshot_page_is_zero(p->arc.csm + (size_t)page * PAGE)) {
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
        put_tile(&h, chip_tile(chip, i));
    }
    put_passive(&h, chip->passive);
    put_fabric(&h, chip);
    for (uint32_t i = 0; i < KERR_DRAM_BANKS; i++) {
        put_bank(&h, &chip->bank[i]);
    }
    return h.value;
}
