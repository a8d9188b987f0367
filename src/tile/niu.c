/* SPDX-License-Identifier: Apache-2.0 */
/* The NIU of a node with cores: starting requests, injecting them, and what packets do on arrival.
 *
 * Manual NoC/MemoryMap (requests), NoC/Counters (what counts when), NoC/Atomics, NoC/Interrupts; WormholeB0
 * NoC/Alignment with the widths of the vendor's header for Blackhole.  Registers are in niu_regs.c.
 *
 * Left out on purpose: which bytes of a packet land before others (a delivery is one moment, all counters of it
 * included), retries of path reservations (the fabric's), and virtual channel numbers other than those software asks
 * for: a request without NOC_CMD_VC_STATIC carries class 0b00, or 0b10 for a broadcast, and the fabric may choose.
 *
 * Checks that need only the request are made by the store to NOC_CMD_CTRL and blame the core; those that need to know
 * what is at the other end are made on arrival. */
#include "tile/niu.h"

#include "costs.h"
#include "hooks/hooks.h"
#include "noc/atomics.h"
#include "noc/fabric.h"
#include "noc/niu_fields.h"
#include "noc/tables.h"
#include "tile/blocks.h"
#include "tile/overlay.h"

#include <stdio.h>
#include <string.h>

enum { NOT_A_CORE = 0xFF, L1_ALIGNMENT = 16, SPLIT_ALIGNMENT = 64, BYTE_ENABLE_BYTES = 64 };
#define MMIO_FIRST 0xFF000000u
#define NEVER UINT64_MAX

static const char page_requests[] = "NoC/MemoryMap";
static const char page_alignment[] = "WormholeB0 NoC/Alignment";
static const char page_atomics[] = "NoC/Atomics";

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Addresses at or above MMIO_FIRST in the 32-bit space of a Tensix or Ethernet tile; in a DRAM tile the upper half does
 * not count (manual NoC/MemoryMap, NIU_BASE). */
static bool is_mmio(const struct tile *tile, uint64_t address)
{
    return (uint32_t)address >= MMIO_FIRST &&
           (address <= UINT32_MAX || tile_devices_const(tile)->kind == KERR_TILE_DRAM);
}

/* Where in L1 a range lies; false: not wholly in L1.  The L1 of a DRAM tile stands at DRAM_L1_BASE for others; its own
 * firmware counts from 0. */
static bool in_l1(const struct tile *tile, uint64_t address, uint64_t length, uint32_t *at)
{
    uint64_t size = tile_l1_size(tile);
    if (address >= DRAM_L1_BASE && tile_devices_const(tile)->kind == KERR_TILE_DRAM)
        address -= DRAM_L1_BASE;
    *at = (uint32_t)address;
    return address <= size && length <= size - address;
}

static uint32_t base_of(const struct niu *niu)
{
    return niu->noc ? NOC1_REGS_START_ADDR : NOC0_REGS_START_ADDR;
}

/* Words from offset `first` to `last` are about to change: cores that poll them are woken. */
static void changing(struct tile *tile, const struct niu *niu, uint32_t first, uint32_t last, uint64_t cycle)
{
    tile_device_changing(tile, base_of(niu) + first, base_of(niu) + last, cycle);
}

/* One of them becomes `value`. */
static void becomes(struct tile *tile, const struct niu *niu, uint32_t offset, uint32_t value, uint64_t cycle)
{
    tile_register_changes(tile, base_of(niu) + offset, value, cycle);
}

static void add_to_counter(struct tile *tile, struct niu *niu, uint32_t offset, uint32_t more, uint32_t mask,
                           uint64_t cycle)
{
    uint32_t *counter = niu_counter(niu, offset), value = (*counter + more) & mask;
    becomes(tile, niu, offset, value, cycle);
    *counter = value;
}

static uint32_t initiator_offset(unsigned i)
{
    return i * (uint32_t)0x800;
}

/* Requests and responses leave independently of each other. */
enum { REQUESTS = 0, RESPONSES = 1 };

/* When the next packet is injected. */
static uint64_t next_injection(const struct niu *niu)
{
    uint64_t next = NEVER;
    if (niu->queue_count)
        next = later(niu->initiator[niu->queue[0]].ready, later(niu->port_free[REQUESTS], niu->hold[REQUESTS]));
    if (niu->response_first != NO_PACKET) {
        uint64_t response = later(niu->response_ready, later(niu->port_free[RESPONSES], niu->hold[RESPONSES]));
        next = response < next ? response : next;
    }
    return next;
}

/* The one place that knows when something happens by itself. */
static void schedule(struct niu *niu)
{
    uint64_t next = next_injection(niu);
    if (niu->outgoing && niu->port_free[REQUESTS] < next)
        next = niu->port_free[REQUESTS];
    niu->next_event = next;
}

/* ---- A request as its initiator has it ------------------------------------------------------------ */

static uint32_t word(const struct niu_initiator *initiator, uint32_t offset)
{
    return initiator->reg[offset / 4];
}

static uint64_t address_at(const struct niu_initiator *initiator, uint32_t offset)
{
    return word(initiator, offset) | (uint64_t)word(initiator, offset + 4) << 32;
}

static void set_address(struct niu_initiator *initiator, uint32_t offset, uint64_t value)
{
    initiator->reg[offset / 4] = (uint32_t)value;
    initiator->reg[offset / 4 + 1] = (uint32_t)(value >> 32);
}

static unsigned type_of(uint32_t ctrl)
{
    return ctrl & NOC_CMD_TYPE;
}

static bool is_inline(uint32_t ctrl)
{
    return type_of(ctrl) == NOC_CMD_WR && ctrl & NOC_CMD_WR_INLINE;
}

/* NOC_AT_LEN_BE is a length: the kind of request that is split when it is long. */
static bool has_length(uint32_t ctrl)
{
    return type_of(ctrl) == NOC_CMD_RD ||
           (type_of(ctrl) == NOC_CMD_WR && !(ctrl & (NOC_CMD_WR_BE | NOC_CMD_WR_INLINE)));
}

/* Where the request packet goes is in NOC_RET_ADDR for writes from memory, else in NOC_TARG_ADDR. */
static uint32_t destination_register(uint32_t ctrl)
{
    return type_of(ctrl) == NOC_CMD_WR && !is_inline(ctrl) ? NOC_RET_ADDR_LO : NOC_TARG_ADDR_LO;
}

static uint32_t packets_of(const struct niu_initiator *initiator, uint32_t ctrl)
{
    uint64_t length = address_at(initiator, NOC_AT_LEN_BE);
    if (!has_length(ctrl) || length <= NOC_MAX_PAYLOAD)
        return 1;
    return (uint32_t)((length + NOC_MAX_PAYLOAD - 1) / NOC_MAX_PAYLOAD);
}

static unsigned transaction_id(const struct niu_initiator *initiator)
{
    return word(initiator, NOC_PACKET_TAG) >> TAG_TRANSACTION_ID_SHIFT & 15;
}

/* ---- Messages ------------------------------------------------------------------------------------- */

static const char *const op_names[] = {
    [NOC_WRITE] = "write",        [NOC_READ] = "read",
    [NOC_ATOMIC] = "atomic",      [NOC_WRITE_ACK] = "write acknowledgement",
    [NOC_READ_RESPONSE] = "read", [NOC_ATOMIC_RESPONSE] = "atomic",
};

static unsigned x_of(noc_node node)
{
    return node % NOC_GRID_X;
}

static unsigned y_of(noc_node node)
{
    return node / NOC_GRID_X;
}

const char *noc_asker_text(const noc_packet *packet, char text[NOC_ASKER_TEXT])
{
    const noc_node node = noc_asker_node(packet);
    const kerr_xy at = {(uint8_t)x_of(node), (uint8_t)y_of(node)};
    text[0] = '\0';
    if (noc_has_asker(packet))
        snprintf(text, NOC_ASKER_TEXT, " (%s of %u-%u, pc 0x%x)",
                 kerr_core_name_of(kerr_tile_kind_at(at), (kerr_core)packet->initiator_core), at.x, at.y,
                 packet->initiator_pc);
    return text;
}

/* At the sender: "NoC 0 write of 64 bytes, 1-2 0x1000 -> 3-4 0x2004: ...".  Data flows along the arrow. */
static dev_result blame_request(struct tile *tile, const struct niu *niu, unsigned i, unsigned client, uint64_t cycle,
                                kerr_fault_kind kind, const char *page, const char *why)
{
    const struct niu_initiator *initiator = &niu->initiator[i];
    uint32_t ctrl = word(initiator, NOC_CTRL);
    unsigned type = type_of(ctrl);
    bool from_here = type == NOC_CMD_WR;
    uint64_t there = address_at(initiator, destination_register(ctrl));
    uint64_t here = address_at(initiator, from_here ? NOC_TARG_ADDR_LO : NOC_RET_ADDR_LO);
    noc_node near = from_here ? niu->node : initiator->return_to, far = initiator->destination;
    unsigned length = has_length(ctrl)                        ? word(initiator, NOC_AT_LEN_BE)
                      : type == NOC_CMD_AT || is_inline(ctrl) ? 4
                                                              : 64;
    char target[40];
    if (ctrl & NOC_CMD_BRCST_PACKET)
        snprintf(target, sizeof target, "%u-%u..%u-%u (raw)", initiator->start_x, initiator->start_y, initiator->end_x,
                 initiator->end_y);
    else
        snprintf(target, sizeof target, "%u-%u", x_of(far), y_of(far));
    tile_fault(tile, kind, client, base_of(niu) + initiator_offset(i) + NOC_CMD_CTRL, cycle, page,
               "NoC %u %s, %u bytes, %u-%u 0x%llx %s %s 0x%llx: %s", niu->noc,
               type == NOC_CMD_WR   ? "write"
               : type == NOC_CMD_AT ? "atomic"
               : type == NOC_CMD_RD ? "read"
                                    : "request",
               length, x_of(near), y_of(near), (unsigned long long)here, from_here ? "->" : "<-", target,
               (unsigned long long)there, why);
    return DEV_FAULT;
}

/* At the receiver, or (leaving) where the data of a write or a response is read. */
static void blame(struct tile *tile, const noc_packet *packet, bool leaving, uint64_t cycle, kerr_fault_kind kind,
                  const char *page, const char *why)
{
    noc_node far = packet->op == NOC_READ || packet->op == NOC_ATOMIC ? packet->return_to : packet->source;
    far = leaving ? packet->destination : far;
    uint64_t there = leaving ? packet->address : packet->return_address;
    uint64_t here = leaving ? packet->return_address : packet->address;
    const struct niu *niu = &tile_devices(tile)->niu[packet->noc];
    bool from_here = leaving || packet->op == NOC_READ;
    char who[NOC_ASKER_TEXT];
    tile_fault(tile, kind, CLIENT_NOC, (uint32_t)here, cycle, page,
               "NoC %u %s, %u bytes, %u-%u 0x%llx %s %u-%u 0x%llx: %s%s", packet->noc, op_names[packet->op],
               packet->length, x_of(far), y_of(far), (unsigned long long)there, from_here ? "<-" : "->",
               x_of(niu->node), y_of(niu->node), (unsigned long long)here, why, noc_asker_text(packet, who));
}

static void blame_packet(struct tile *tile, const noc_packet *packet, uint64_t cycle, kerr_fault_kind kind,
                         const char *page, const char *why)
{
    blame(tile, packet, false, cycle, kind, page, why);
}

/* ---- Starting a request: the store of 1 to NOC_CMD_CTRL ------------------------------------------- */

/* Raw coordinates of this NoC; false: not on the grid. */
static bool resolve(const struct niu *niu, uint32_t hi, noc_raw_xy *to)
{
    *to = noc_find(niu->cfg, hi & 63, hi >> 6 & 63);
    return to->x < NOC_GRID_X && to->y < NOC_GRID_Y;
}

static noc_node node_of(const struct niu *niu, noc_raw_xy at)
{
    return noc_node_at(noc_raw_x(niu->noc, at.x), noc_raw_y(niu->noc, at.y));
}

/* Fills in where the request goes and who gets the answer; false: one of them is off the grid. */
static bool find_ends(struct niu *niu, struct niu_initiator *initiator, uint32_t ctrl)
{
    uint32_t where = destination_register(ctrl) + 8;
    uint32_t hi = word(initiator, where);
    uint32_t back = word(initiator, where == NOC_RET_ADDR_HI ? NOC_TARG_ADDR_HI : NOC_RET_ADDR_HI);
    noc_raw_xy end, start, answer;
    bool answered = type_of(ctrl) == NOC_CMD_RD || ctrl & NOC_CMD_RESP_MARKED;
    initiator->destination = niu->node;
    initiator->return_to = niu->node;
    bool found = resolve(niu, hi, &end);
    if (ctrl & NOC_CMD_BRCST_PACKET) {
        found = resolve(niu, hi >> 12, &start) && found;
        initiator->start_x = start.x;
        initiator->start_y = start.y;
        initiator->end_x = end.x;
        initiator->end_y = end.y;
    } else if (found) {
        initiator->destination = node_of(niu, end);
    }
    if (answered && !is_inline(ctrl)) {
        bool there = resolve(niu, back, &answer);
        if (there)
            initiator->return_to = node_of(niu, answer);
        found = found && there;
    }
    return found;
}

static unsigned channel_of(uint32_t ctrl)
{
    if (ctrl & NOC_CMD_VC_STATIC)
        return ctrl >> NOC_CMD_STATIC_VC_SHIFT & 7;
    return ctrl & NOC_CMD_BRCST_PACKET ? CHANNEL_BROADCAST : CHANNEL_UNICAST;
}

static const char *wrong_channel(uint32_t ctrl)
{
    unsigned class = ctrl >> (NOC_CMD_STATIC_VC_SHIFT + 1) & 3;
    if (!(ctrl & NOC_CMD_VC_STATIC))
        return NULL;
    if (ctrl & NOC_CMD_BRCST_PACKET)
        return class == 2 ? NULL : "a static channel of a broadcast must be of class 0b10";
    return class < 2 ? NULL : "a static channel of a unicast must be of class 0b00 or 0b01";
}

/* Something that identifies the destination or rectangle of a request, for linked ones. */
static uint32_t where_to(const struct niu_initiator *initiator, uint32_t ctrl)
{
    if (!(ctrl & NOC_CMD_BRCST_PACKET))
        return initiator->destination;
    return 1u << 31 | (ctrl & NOC_CMD_BRCST_XY ? 1u << 30 : 0) | initiator->start_x |
           (uint32_t)initiator->start_y << 5 | (uint32_t)initiator->end_x << 10 | (uint32_t)initiator->end_y << 15;
}

/* What is wrong with a memory range in this tile as the source of a write, or NULL. */
static const char *wrong_source(const struct tile *tile, uint64_t address, uint64_t length)
{
    uint32_t at;
    if (is_mmio(tile, address))
        return length > 4 - address % 4 ? "a register as the source gives at most the rest of one word" : NULL;
    return in_l1(tile, address, length, &at) ? NULL : "the source runs past the end of L1";
}

typedef struct complaint {
    const char *why, *page;
    kerr_fault_kind kind;
    bool goes_on; /* what is meant is clear, and is done where the policy goes on */
} complaint;

static bool complain(complaint *found, const char *why, const char *page, kerr_fault_kind kind, bool goes_on)
{
    *found = (complaint){why, page, kind, goes_on};
    return true;
}

/* What a write reads here, as wrong_source takes it; false: nothing. */
static bool source_of(const struct tile *tile, const struct niu_initiator *initiator, uint32_t ctrl, uint64_t *first,
                      uint64_t *length)
{
    *first = address_at(initiator, NOC_TARG_ADDR_LO);
    *length = address_at(initiator, NOC_AT_LEN_BE);
    if (type_of(ctrl) != NOC_CMD_WR || ctrl & NOC_CMD_WR_INLINE)
        return false;
    if (ctrl & NOC_CMD_WR_BE && is_mmio(tile, *first)) {
        *length = 4;
    } else if (ctrl & NOC_CMD_WR_BE) {
        *first &= ~(uint64_t)15;
        *length = *length ? 64u - (unsigned)__builtin_clzll(*length) : 0;
    }
    return true;
}

/* What no packet can be made of. */
static bool impossible_request(const struct tile *tile, const struct niu_initiator *initiator, uint32_t ctrl,
                               complaint *found)
{
    unsigned type = type_of(ctrl);
    if (type == NOC_CMD_TYPE)
        return complain(found, "request type 3 is reserved", page_requests, KERR_FAULT_UNDEFINED, false);
    if (type == NOC_CMD_RD && ctrl & NOC_CMD_BRCST_PACKET)
        return complain(found, "a read cannot be a broadcast", page_requests, KERR_FAULT_UNDEFINED, false);
    if (has_length(ctrl)) {
        uint64_t length = address_at(initiator, NOC_AT_LEN_BE);
        if (length == 0)
            return complain(found, "length 0", page_requests, KERR_FAULT_UNDEFINED, false);
        if (length >> 32)
            return complain(found, "NOC_AT_LEN_BE_1 makes it longer than any memory", page_requests,
                            KERR_FAULT_UNDEFINED, false);
    }
    if (type == NOC_CMD_AT && (address_at(initiator, NOC_TARG_ADDR_LO) % 4 ||
                               (ctrl & NOC_CMD_RESP_MARKED && address_at(initiator, NOC_RET_ADDR_LO) % 4)))
        return complain(found, "addresses of an atomic are multiples of 4", page_alignment, KERR_FAULT_UNDEFINED,
                        false);
    uint64_t first, length;
    const char *why = source_of(tile, initiator, ctrl, &first, &length) ? wrong_source(tile, first, length) : NULL;
    return why && complain(found, why, page_requests, KERR_FAULT_UNDEFINED, false);
}

/* The first thing that is wrong with a request. */
static bool wrong_request(const struct tile *tile, const struct niu *niu, const struct niu_initiator *initiator,
                          uint32_t ctrl, complaint *found)
{
    if (impossible_request(tile, initiator, ctrl, found))
        return true;
    unsigned type = type_of(ctrl);
    uint64_t from = address_at(initiator, NOC_TARG_ADDR_LO), to = address_at(initiator, NOC_RET_ADDR_LO);
    if (has_length(ctrl) && address_at(initiator, NOC_AT_LEN_BE) > NOC_MAX_PAYLOAD && (from | to) % SPLIT_ALIGNMENT)
        return complain(found, "a request of more than 16384 bytes needs addresses that are multiples of 64",
                        "NoC/Counters", KERR_FAULT_UNDEFINED, true);
    if (type == NOC_CMD_WR && has_length(ctrl)) {
        /* Whatever there is at the other end, data from L1 keeps its place within 16 bytes, a register's within four. */
        unsigned modulo = is_mmio(tile, from) ? 4 : L1_ALIGNMENT;
        if (from % modulo != to % modulo)
            return complain(found,
                            modulo == 4 ? "the two addresses differ modulo 4" : "the two addresses differ modulo 16",
                            page_alignment, KERR_FAULT_UNDEFINED, true);
    }
    if (type != NOC_CMD_AT && ctrl & NOC_CMD_L1_ACC_AT_EN)
        return complain(found, "NOC_CMD_L1_ACC_AT_EN cannot be used safely: hardware bug", page_requests,
                        KERR_FAULT_UNPREDICTABLE, true);
    const char *why = wrong_channel(ctrl);
    if (why)
        return complain(found, why, page_requests, KERR_FAULT_UNPREDICTABLE, true);
    if (niu->linked && niu->linked_where != where_to(initiator, ctrl))
        return complain(found, "NOC_CMD_VC_LINKED: the transaction before goes elsewhere and is not over",
                        page_requests, KERR_FAULT_UNPREDICTABLE, true);
    if (niu->linked && niu->linked_channel != channel_of(ctrl))
        return complain(found, "NOC_CMD_VC_LINKED: the transaction before has another channel and is not over",
                        page_requests, KERR_FAULT_UNPREDICTABLE, true);
    if (niu->cfg[0] & CFG_REQUEST_FIFO)
        return complain(found, "NIU_CFG_0 has the request FIFO on: no document describes it", page_requests,
                        KERR_FAULT_UNKNOWN, true);
    return false;
}

/* The first initiator of the queue is in the middle of a request that hardware splits. */
static bool is_splitting(const struct niu *niu)
{
    if (!niu->queue_count)
        return false;
    const struct niu_initiator *initiator = &niu->initiator[niu->queue[0]];
    return packets_of(initiator, word(initiator, NOC_CTRL)) > 1;
}

/* For checks: what it will read or write here. */
static void tell_request(const struct tile *tile, const struct niu *niu, unsigned i, uint64_t cycle)
{
    const struct niu_initiator *initiator = &niu->initiator[i];
    const uint32_t ctrl = word(initiator, NOC_CTRL);
    const unsigned type = type_of(ctrl);
    const bool is_write = type == NOC_CMD_WR;
    uint64_t local = address_at(initiator, is_write ? NOC_TARG_ADDR_LO : NOC_RET_ADDR_LO);
    uint64_t length = type == NOC_CMD_AT ? 4 : address_at(initiator, NOC_AT_LEN_BE);
    uint32_t at;
    if (is_write && ctrl & NOC_CMD_WR_BE && !is_inline(ctrl)) {
        local &= ~(uint64_t)15;
        length = length ? 64u - (unsigned)__builtin_clzll(length) : 0;
    }
    const bool answered = type == NOC_CMD_RD || ctrl & NOC_CMD_RESP_MARKED;
    const bool here = !is_inline(ctrl) && (is_write || (answered && initiator->return_to == niu->node)) &&
                      !is_mmio(tile, local) && in_l1(tile, local, length, &at);
    const struct check_request request = {
        .noc = niu->noc,
        .initiator = (uint8_t)i,
        .op = is_write             ? NOC_WRITE
              : type == NOC_CMD_AT ? NOC_ATOMIC
                                   : NOC_READ,
        .transaction_id = (uint8_t)transaction_id(initiator),
        .is_inline = is_inline(ctrl),
        .is_multicast = (ctrl & NOC_CMD_BRCST_PACKET) != 0,
        .is_answered = answered,
        .core = initiator->core < KERR_CORE_COUNT ? (int8_t)initiator->core : -1,
        .pc = initiator->pc,
        .local = here ? at : 0,
        .length = here ? (uint32_t)length : 0,
        .remote = address_at(initiator, destination_register(ctrl)),
        .node = initiator->destination,
    };
    hook_noc_begins(tile, &request, cycle);
}

static dev_result start(struct tile *tile, struct niu *niu, unsigned i, unsigned client, uint64_t cycle)
{
    struct niu_initiator *initiator = &niu->initiator[i];
    uint32_t ctrl = word(initiator, NOC_CTRL);
    dev_result result = DEV_OK;
    if (initiator->busy)
        return blame_request(tile, niu, i, client, cycle, KERR_FAULT_UNPREDICTABLE, page_requests,
                             "NOC_CMD_CTRL was 1: the request before has not left");
    if (!find_ends(niu, initiator, ctrl))
        return blame_request(tile, niu, i, client, cycle, KERR_FAULT_UNDEFINED, page_requests,
                             "NOC_TARG_ADDR_HI or NOC_RET_ADDR_HI is not on the grid");
    complaint found;
    if (wrong_request(tile, niu, initiator, ctrl, &found)) {
        result = blame_request(tile, niu, i, client, cycle, found.kind, found.page, found.why);
        if (!found.goes_on)
            return result;
    }
    if (is_splitting(niu))
        result = blame_request(tile, niu, i, client, cycle, KERR_FAULT_UNPREDICTABLE, "NoC/Counters",
                               "a request of another initiator is still being split");

    uint32_t id = 4 * transaction_id(initiator), packets = packets_of(initiator, ctrl);
    bool is_write = type_of(ctrl) == NOC_CMD_WR;
    if (type_of(ctrl) == NOC_CMD_RD || ctrl & NOC_CMD_RESP_MARKED) {
        add_to_counter(tile, niu, NIU_MST_REQS_OUTSTANDING_ID + id, packets, 0xFF, cycle);
    }
    if (is_write && !is_inline(ctrl)) {
        add_to_counter(tile, niu, NIU_MST_WRITE_REQS_OUTGOING_ID + id, packets, 0xFF, cycle);
    }
    becomes(tile, niu, initiator_offset(i) + NOC_CMD_CTRL, 1, cycle);
    initiator->busy = true;
    initiator->core = client < KERR_CORE_COUNT ? (uint8_t)client : NOT_A_CORE;
    initiator->pc = client < KERR_CORE_COUNT ? tile_core_pc(tile, client, cycle) : 0;
    initiator->ready = cycle + COST_NOC_ISSUE;
    uint64_t from = address_at(initiator, NOC_TARG_ADDR_LO);
    if (is_write && !is_inline(ctrl) && is_mmio(tile, from))
        initiator->ready = tile_meeting(tile, (uint32_t)from, initiator->ready);
    initiator->continues = niu->linked;
    niu->linked = ctrl & NOC_CMD_VC_LINKED;
    niu->linked_where = where_to(initiator, ctrl);
    niu->linked_channel = (uint8_t)channel_of(ctrl);
    niu->queue[niu->queue_count++] = (uint8_t)i;
    if (CHECKED(tile))
        tell_request(tile, niu, i, cycle);
    schedule(niu);
    tile_has_event(tile, cycle);
    return result;
}

/* ---- Injection ------------------------------------------------------------------------------------ */

static noc_packet *new_packet(struct tile *tile, const struct niu *niu, uint32_t bytes, packet_ref *ref, uint64_t cycle)
{
    noc_packet *packet = tile_noc_new(tile, bytes, ref);
    if (!packet)
        tile_fault(tile, KERR_FAULT_INTERNAL, CLIENT_NOC, base_of(niu), cycle, NULL,
                   "NoC %u, tile %u-%u: no room for another packet", niu->noc, x_of(niu->node), y_of(niu->node));
    return packet;
}

/* Bits 8:4 of NOC_CTRL are the first five flags, 17:16 the two of a broadcast's way. */
_Static_assert(NOC_CMD_RESP_MARKED >> 4 == NOC_RESPONSE_WANTED && NOC_CMD_BRCST_PACKET >> 4 == NOC_MULTICAST &&
                   NOC_CMD_VC_LINKED >> 4 == NOC_LINKED && NOC_CMD_VC_STATIC >> 4 == NOC_STATIC_VC &&
                   NOC_CMD_PATH_RESERVE >> 4 == NOC_PATH_RESERVE && NOC_CMD_BRCST_XY >> 9 == NOC_Y_MAJOR &&
                   NOC_CMD_BRCST_SRC_INCLUDE >> 9 == NOC_INCLUDE_SOURCE,
               "flags_of shifts them into place");

static uint16_t flags_of(uint32_t ctrl, uint32_t tag)
{
    uint32_t flags = (ctrl >> 4 & 0x1F) | (ctrl >> 9 & (NOC_Y_MAJOR | NOC_INCLUDE_SOURCE));
    unsigned type = type_of(ctrl);
    if (type != NOC_CMD_AT && ctrl & NOC_CMD_L1_ACC_AT_EN)
        flags |= NOC_L1_ACCUMULATE;
    if (type == NOC_CMD_RD)
        return (uint16_t)(flags | NOC_RESPONSE_WANTED);
    if (type == NOC_CMD_AT)
        return (uint16_t)flags;
    if (tag & TAG_TO_OVERLAY)
        flags |= NOC_TO_OVERLAY;
    if (ctrl & NOC_CMD_WR_INLINE)
        return (uint16_t)(flags | NOC_INLINE);
    if (ctrl & NOC_CMD_WR_BE)
        flags |= NOC_BYTE_ENABLE;
    if (tag & TAG_HEADER_STORE && !(ctrl & NOC_CMD_RESP_MARKED)) /* only posted writes store their header */
        flags |= NOC_HEADER_STORE;
    return (uint16_t)flags;
}

/* What all requests have in common. */
static void fill_request(struct niu *niu, const struct niu_initiator *initiator, uint32_t ctrl, noc_packet *packet)
{
    uint32_t tag = word(initiator, NOC_PACKET_TAG);
    packet->address = address_at(initiator, destination_register(ctrl));
    packet->immediate = word(initiator, NOC_AT_DATA);
    packet->flags = flags_of(ctrl, tag);
    if (!(ctrl & NOC_CMD_BRCST_PACKET) || initiator->continues)
        packet->flags &= (uint16_t)~NOC_PATH_RESERVE; /* the first broadcast of a transaction reserves its path */
    packet->at_len_be =
        packet->flags & NOC_L1_ACCUMULATE ? word(initiator, NOC_L1_ACC_AT_INSTRN) : word(initiator, NOC_AT_LEN_BE);
    if (ctrl & NOC_CMD_BRCST_PACKET)
        packet->rectangle = (noc_rectangle){initiator->start_x, initiator->start_y, initiator->end_x, initiator->end_y,
                                            word(initiator, NOC_BRCST_EXCLUDE)};
    packet->initiator_pc = initiator->pc;
    packet->initiator_core = initiator->core;
    packet->packet_tag = (uint16_t)tag;
    packet->source = niu->node;
    packet->destination = initiator->destination;
    packet->return_to = initiator->return_to;
    packet->noc = niu->noc;
    packet->virtual_channel = (uint8_t)channel_of(ctrl);
    packet->transaction_id = (uint8_t)(tag >> TAG_TRANSACTION_ID_SHIFT & 15);
    packet->priority = ctrl >> NOC_CMD_ARB_PRIORITY_SHIFT & 15;
}

/* The word of a register of this tile, as the source of a write. */
static uint32_t read_register(struct tile *tile, const noc_packet *packet, uint64_t address, uint64_t cycle)
{
    uint32_t value = 0;
    if (tile_local_word(tile, (uint32_t)address & ~3u, &value))
        return value;
    switch (devices_read(tile, CLIENT_NOC, (uint32_t)address & ~3u, 4, cycle, &value)) {
    case DEV_OK:
    case DEV_FAULT: return value;
    case DEV_WAIT:
        blame(tile, packet, true, cycle, KERR_FAULT_UNKNOWN, page_requests, "the register has nothing to give yet");
        return value;
    case DEV_NOTHING: break;
    }
    blame(tile, packet, true, cycle, KERR_FAULT_UNDEFINED, page_requests, "no register there for the NoC");
    return UINT32_MAX;
}

/* What a register gives to a packet: the rest of its word from an address on.  Behind the word there is nothing, which is
 * zero here: no length that got this far (see docs/errata-noc.md) may reach what the host has there. */
static void put_word(noc_packet *packet, uint32_t word, uint64_t from)
{
    word >>= from % 4 * 8;
    memset(packet->data, 0, packet->length);
    memcpy(packet->data, &word, packet->length < sizeof word ? packet->length : sizeof word);
}

/* Data of a write leaves this tile's memory. */
static void copy_out(struct tile *tile, noc_packet *packet, uint64_t from, uint64_t cycle)
{
    uint32_t at;
    if (!is_mmio(tile, from)) {
        if (!in_l1(tile, from, packet->length, &at)) { /* impossible_request has looked */
            memset(packet->data, 0xFF, packet->length);
            return;
        }
        hook_packet_acts(tile, packet, cycle);
        hook_l1(tile, at, packet->length, CHECK_READ);
        memcpy(packet->data, tile_l1(tile) + at, packet->length);
        return;
    }
    tile_noc_serves(tile, packet);
    uint32_t value = read_register(tile, packet, from, cycle);
    tile_noc_serves(tile, NULL);
    if (packet->flags & NOC_BYTE_ENABLE) { /* the word is repeated */
        for (unsigned i = 0; i < packet->length; i++)
            packet->data[i] = (uint8_t)(value >> i % 4 * 8);
    } else {
        put_word(packet, value, from);
    }
}

/* Room and length of a byte-enabled write; at least 16 bytes, of which a register takes its word. */
static uint32_t byte_enable_length(const struct tile *tile, uint64_t mask, uint64_t from)
{
    uint32_t length = mask ? 64u - (unsigned)__builtin_clzll(mask) : 0;
    if (length < L1_ALIGNMENT)
        length = L1_ALIGNMENT;
    uint32_t at;
    if (!is_mmio(tile, from) && !in_l1(tile, from & ~(uint64_t)15, length, &at))
        length = at < tile_l1_size(tile) ? tile_l1_size(tile) - at : 0; /* no bit is set, at the very end */
    return length;
}

/* The first initiator is free again. */
static void leave_queue(struct tile *tile, struct niu *niu, uint64_t cycle)
{
    unsigned i = niu->queue[0];
    becomes(tile, niu, initiator_offset(i) + NOC_CMD_CTRL, 0, cycle);
    niu->initiator[i].busy = false;
    niu->queue_count--;
    memmove(niu->queue, niu->queue + 1, NIU_INITIATORS - 1);
}

/* Its registers were written after NOC_CMD_CTRL, and no packet can be made of what they hold now.  Nothing leaves; what was
 * counted when it started stays counted. */
static void give_up(struct tile *tile, struct niu *niu, const complaint *found, uint64_t cycle)
{
    const struct niu_initiator *initiator = &niu->initiator[niu->queue[0]];
    const noc_packet asker = {.op = NOC_WRITE,
                              .source = niu->node,
                              .noc = niu->noc,
                              .initiator_core = initiator->core,
                              .initiator_pc = initiator->pc};
    char why[120];
    tile_noc_serves(tile, &asker);
    snprintf(why, sizeof why, "changed while it waited, not sent: %s", found->why);
    blame_request(tile, niu, niu->queue[0], CLIENT_NOC, cycle, found->kind, found->page, why);
    tile_noc_serves(tile, NULL);
    leave_queue(tile, niu, cycle);
}

/* The virtual channel is assigned: what counts now, and the initiator is free or goes on with the rest. */
static void count_injection(struct tile *tile, struct niu *niu, unsigned i, const noc_packet *packet, uint64_t cycle)
{
    struct niu_initiator *initiator = &niu->initiator[i];
    bool marked = packet->flags & NOC_RESPONSE_WANTED;
    changing(tile, niu, NIU_MST_CMD_ACCEPTED, NIU_MST_NONPOSTED_ATOMIC_STARTED, cycle);
    ++*niu_counter(niu, NIU_MST_CMD_ACCEPTED);
    switch ((noc_op)packet->op) {
    case NOC_READ:
        ++*niu_counter(niu, NIU_MST_RD_REQ_STARTED);
        ++*niu_counter(niu, NIU_MST_RD_REQ_SENT);
        break;
    case NOC_ATOMIC:
        if (marked)
            ++*niu_counter(niu, NIU_MST_NONPOSTED_ATOMIC_STARTED);
        ++*niu_counter(niu, marked ? NIU_MST_NONPOSTED_ATOMIC_SENT : NIU_MST_POSTED_ATOMIC_SENT);
        break;
    default:
        ++*niu_counter(niu, marked ? NIU_MST_NONPOSTED_WR_REQ_STARTED : NIU_MST_POSTED_WR_REQ_STARTED);
        ++*niu_counter(niu, marked ? NIU_MST_NONPOSTED_WR_REQ_SENT : NIU_MST_POSTED_WR_REQ_SENT);
        if (!(packet->flags & NOC_INLINE)) {
            *niu_counter(niu, marked ? NIU_MST_NONPOSTED_WR_DATA_WORD_SENT : NIU_MST_POSTED_WR_DATA_WORD_SENT) +=
                niu_write_flits(packet);
            niu->outgoing = (uint8_t)(packet->transaction_id + 1);
        }
        break;
    }
    uint32_t ctrl = word(initiator, NOC_CTRL), at = initiator_offset(i);
    if (packets_of(initiator, ctrl) > 1) {
        changing(tile, niu, at + NOC_TARG_ADDR_LO, at + NOC_AT_LEN_BE_1, cycle);
        set_address(initiator, NOC_AT_LEN_BE, address_at(initiator, NOC_AT_LEN_BE) - NOC_MAX_PAYLOAD);
        set_address(initiator, NOC_TARG_ADDR_LO, address_at(initiator, NOC_TARG_ADDR_LO) + NOC_MAX_PAYLOAD);
        set_address(initiator, NOC_RET_ADDR_LO, address_at(initiator, NOC_RET_ADDR_LO) + NOC_MAX_PAYLOAD);
        initiator->ready = cycle;
    } else {
        leave_queue(tile, niu, cycle);
    }
}

static void send(struct tile *tile, struct niu *niu, noc_packet *packet, packet_ref ref, uint64_t cycle)
{
    packet->cycle = cycle;
    packet->sequence = niu->sequence++;
    tile_noc_send(tile, ref, cycle);
}

static void inject_request(struct tile *tile, struct niu *niu, uint64_t cycle)
{
    unsigned i = niu->queue[0];
    const struct niu_initiator *initiator = &niu->initiator[i];
    uint32_t ctrl = word(initiator, NOC_CTRL), data_flits = 0;
    complaint found;
    if (impossible_request(tile, initiator, ctrl, &found)) {
        give_up(tile, niu, &found, cycle);
        return;
    }
    uint64_t length = address_at(initiator, NOC_AT_LEN_BE), from = address_at(initiator, NOC_TARG_ADDR_LO);
    bool is_write = type_of(ctrl) == NOC_CMD_WR, byte_enable = is_write && ctrl & NOC_CMD_WR_BE && !is_inline(ctrl);
    uint64_t mask = length;
    if (has_length(ctrl))
        length = length > NOC_MAX_PAYLOAD ? NOC_MAX_PAYLOAD : length;
    else
        length = byte_enable ? byte_enable_length(tile, mask, from) : 4;
    packet_ref ref;
    noc_packet *packet = new_packet(tile, niu, is_write ? (uint32_t)length : 0, &ref, cycle);
    if (!packet) { /* try again; the fault stops the chip */
        niu->hold[REQUESTS] = cycle + 1;
        return;
    }
    fill_request(niu, initiator, ctrl, packet);
    packet->length = (uint32_t)length;
    switch (type_of(ctrl)) {
    case NOC_CMD_RD:
        packet->op = NOC_READ;
        packet->return_address = address_at(initiator, NOC_RET_ADDR_LO);
        break;
    case NOC_CMD_AT:
        packet->op = NOC_ATOMIC;
        packet->return_address = address_at(initiator, NOC_RET_ADDR_LO);
        break;
    default:
        packet->op = NOC_WRITE;
        if (is_inline(ctrl)) {
            packet->byte_enable = mask;
            memcpy(packet->data, &packet->immediate, 4);
            break;
        }
        packet->return_address = from;
        packet->byte_enable = byte_enable ? mask : 0;
        copy_out(tile, packet, byte_enable && !is_mmio(tile, from) ? from & ~(uint64_t)15 : from, cycle);
        data_flits = niu_write_flits(packet);
        break;
    }
    count_injection(tile, niu, i, packet, cycle);
    niu->port_free[REQUESTS] = cycle + noc_reserving(packet) + noc_sending(data_flits, &niu->fraction[REQUESTS]);
    send(tile, niu, packet, ref, cycle);
}

/* ---- Responses that wait for the port ------------------------------------------------------------- */

void niu_queue_packet(struct tile *tile, unsigned noc, packet_ref ref, uint64_t ready)
{
    struct niu *niu = &tile_devices(tile)->niu[noc];
    noc_packet *packet = tile_noc_packet(tile, ref);
    packet->next = NO_PACKET;
    packet->cycle = ready;
    if (niu->response_first == NO_PACKET) {
        niu->response_first = ref;
        niu->response_ready = ready;
    } else {
        tile_noc_packet(tile, niu->response_last)->next = ref;
    }
    niu->response_last = ref;
    schedule(niu);
}

/* Data of a read leaves this tile's memory; arrival has checked the range. */
static void answer_read(struct tile *tile, struct niu *niu, noc_packet *response, uint64_t cycle)
{
    uint64_t from = response->return_address;
    uint32_t at;
    changing(tile, niu, NIU_SLV_RD_RESP_SENT, NIU_SLV_RD_DATA_WORD_SENT, cycle);
    niu_count_read_response(niu, response);
    hook_packet_acts(tile, response, cycle);
    if (is_mmio(tile, from)) {
        tile_noc_serves(tile, response);
        put_word(response, read_register(tile, response, from, cycle), from);
        tile_noc_serves(tile, NULL);
    } else if (in_l1(tile, from, response->length, &at)) {
        hook_l1(tile, at, response->length, CHECK_READ);
        memcpy(response->data, tile_l1(tile) + at, response->length);
    } else { /* a fault said so on arrival */
        memset(response->data, 0xFF, response->length);
    }
    hook_packet_done(tile, cycle);
}

static void inject_response(struct tile *tile, struct niu *niu, uint64_t cycle)
{
    packet_ref ref = niu->response_first, held = ref;
    noc_packet *packet = tile_noc_packet(tile, ref);
    uint32_t data_flits = 0;
    if (packet->op == NOC_READ) { /* the request: the response itself is made now that its data is read */
        noc_packet *response = new_packet(tile, niu, packet->length, &ref, cycle);
        if (!response) {
            niu->hold[RESPONSES] = cycle + 1;
            return;
        }
        niu_make_response(niu, packet, response);
        answer_read(tile, niu, response, cycle);
    }
    packet = tile_noc_packet(tile, held);
    niu->response_first = packet->next;
    if (packet->next != NO_PACKET)
        niu->response_ready = tile_noc_packet(tile, packet->next)->cycle;
    else
        niu->response_last = NO_PACKET;
    if (held != ref)
        tile_noc_release(tile, held);
    packet = tile_noc_packet(tile, ref);
    packet->next = NO_PACKET;
    if (packet->op == NOC_READ_RESPONSE)
        data_flits = noc_data_flits(packet->address, packet->length);
    else if (packet->op == NOC_WRITE && !(packet->flags & NOC_INLINE))
        data_flits = niu_write_flits(packet);
    niu->port_free[RESPONSES] = cycle + noc_sending(data_flits, &niu->fraction[RESPONSES]);
    if (packet->op == NOC_READ_RESPONSE)
        niu->port_free[RESPONSES] = later(niu->port_free[RESPONSES], cycle + COST_NOC_READ_EVERY);
    send(tile, niu, packet, ref, cycle);
}

uint64_t niu_next_but_counts(const struct devices *dev)
{
    uint64_t next = NEVER;
    for (unsigned noc = 0; noc < NOC_COUNT; noc++) {
        const struct niu *niu = &dev->niu[noc];
        uint64_t own = niu->next_event;
        if (niu->outgoing && own == niu->port_free[REQUESTS])
            own = next_injection(niu);
        next = own < next ? own : next;
    }
    return next;
}

static void data_has_left(struct tile *tile, struct niu *niu, uint64_t cycle)
{
    uint32_t offset = NIU_MST_WRITE_REQS_OUTGOING_ID + 4 * (uint32_t)(niu->outgoing - 1);
    hook_noc_left(tile, niu->noc, niu->outgoing - 1u, cycle);
    add_to_counter(tile, niu, offset, UINT32_MAX, 0xFF, cycle);
    niu->outgoing = 0;
}

void niu_catch_up(struct tile *tile, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    for (unsigned noc = 0; noc < NOC_COUNT; noc++) {
        struct niu *niu = &dev->niu[noc];
        if (niu->outgoing && niu->port_free[REQUESTS] <= cycle) {
            data_has_left(tile, niu, niu->port_free[REQUESTS]);
            schedule(niu);
        }
    }
}

static void advance(struct tile *tile, struct niu *niu, uint64_t cycle)
{
    if (niu->outgoing && niu->port_free[REQUESTS] <= cycle)
        data_has_left(tile, niu, cycle);
    if (niu->response_first != NO_PACKET && niu->response_ready <= cycle && niu->port_free[RESPONSES] <= cycle &&
        niu->hold[RESPONSES] <= cycle)
        inject_response(tile, niu, cycle);
    if (niu->queue_count && niu->initiator[niu->queue[0]].ready <= cycle && niu->port_free[REQUESTS] <= cycle &&
        niu->hold[REQUESTS] <= cycle)
        inject_request(tile, niu, cycle);
    schedule(niu);
}

void niu_event(struct tile *tile, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    for (unsigned noc = 0; noc < NOC_COUNT; noc++) {
        while (dev->niu[noc].next_event <= cycle)
            advance(tile, &dev->niu[noc], cycle);
    }
}

void niu_hold(struct devices *dev, unsigned noc, bool responses, uint64_t until)
{
    dev->niu[noc].hold[responses] = until;
    schedule(&dev->niu[noc]);
}

/* ---- Arrival -------------------------------------------------------------------------------------- */

/* 16 bytes at a time, each an atomic addition (NOC_CMD_L1_ACC_AT_EN). */
static void accumulate(struct tile *tile, const noc_packet *packet, uint32_t to, uint64_t cycle)
{
    uint32_t first = to & ~15u, last = to + packet->length;
    bool known = true;
    for (uint32_t at = first; at < last; at += NOC_ATOMIC_BYTES) {
        uint8_t line[NOC_ATOMIC_BYTES], sum[NOC_ATOMIC_BYTES], addend[NOC_ATOMIC_BYTES] = {0};
        uint32_t begin = at < to ? to : at, end = at + NOC_ATOMIC_BYTES < last ? at + NOC_ATOMIC_BYTES : last;
        hook_l1(tile, at, sizeof line, CHECK_READ);
        memcpy(line, tile_l1(tile) + at, sizeof line);
        memcpy(sum, line, sizeof sum);
        memcpy(addend + (begin - at), packet->data + (begin - to), end - begin);
        known = noc_accumulate(packet->at_len_be, sum, addend) == NOC_ATOMIC_DONE && known;
        memcpy(line + (begin - at), sum + (begin - at), end - begin);
        tile_l1_write(tile, at, line, sizeof line, cycle);
    }
    if (!known)
        blame_packet(tile, packet, cycle, KERR_FAULT_UNKNOWN, page_atomics,
                     "no document describes this format of NOC_L1_ACC_AT_INSTRN");
}

/* Bytes of data[] whose bit is set, as few writes as there are runs of them. */
static void write_enabled(struct tile *tile, const noc_packet *packet, uint32_t to, uint64_t cycle)
{
    uint64_t mask = packet->byte_enable;
    while (mask) {
        unsigned first = (unsigned)__builtin_ctzll(mask);
        uint64_t rest = ~(mask >> first);
        unsigned run = rest ? (unsigned)__builtin_ctzll(rest) : 64;
        tile_l1_write(tile, to + first, packet->data + first, run, cycle);
        mask = first + run >= 64 ? 0 : mask & ~(uint64_t)0 << (first + run);
    }
}

/* What is meant: the word, repeated, to the bytes of an aligned 16 whose bit is set in any quarter of the mask. */
static void write_inline(struct tile *tile, const noc_packet *packet, uint32_t at, uint64_t cycle)
{
    uint32_t mask = (uint32_t)((packet->byte_enable | packet->byte_enable >> 16 | packet->byte_enable >> 32 |
                                packet->byte_enable >> 48) &
                               0xFFFF);
    uint32_t to = at & ~15u;
    blame_packet(tile, packet, cycle, KERR_FAULT_UNPREDICTABLE, page_requests,
                 "NOC_CMD_WR_INLINE to L1 is not safe: hardware bug");
    for (unsigned i = 0; i < 16; i++) {
        if (mask >> i & 1)
            tile_l1_write(tile, to + i, packet->data + i % 4, 1, cycle);
    }
}

/* One word to a register of this tile. */
static void write_register(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    unsigned skip = packet->flags & NOC_BYTE_ENABLE ? packet->address & 15 : 0;
    uint32_t value;
    if (packet->address % 4 || (packet->length != 4 && !(packet->flags & NOC_BYTE_ENABLE))) {
        blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_alignment,
                     "a register takes four bytes at a multiple of 4");
        return;
    }
    memcpy(&value, packet->data + skip, sizeof value);
    if (tile_set_local_word(tile, (uint32_t)packet->address, value, cycle))
        return;
    switch (devices_write(tile, CLIENT_NOC, (uint32_t)packet->address, 4, value, cycle)) {
    case DEV_OK:
    case DEV_FAULT: return;
    case DEV_WAIT:
        blame_packet(tile, packet, cycle, KERR_FAULT_UNKNOWN, page_requests, "the register takes nothing now");
        return;
    case DEV_NOTHING:
        blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_requests, "no register there for the NoC");
        return;
    }
}

static void blame_range(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    bool is_dram = tile_devices_const(tile)->kind == KERR_TILE_DRAM;
    blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_requests,
                 is_dram ? "past the end of the bank, not in L1, and no register"
                         : "past the end of L1, and no register");
}

/* The first 16 bytes a second time (NOC_PACKET_TAG_HEADER_STORE). */
static void store_header(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    uint32_t length = packet->length < 16 ? packet->length : 16, at;
    if (in_l1(tile, (uint64_t)packet->immediate << 4, 16, &at))
        tile_l1_write(tile, at, packet->data, length, cycle);
    else
        blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_requests,
                     "NOC_PACKET_TAG_HEADER_STORE: NOC_AT_DATA << 4 is past the end of L1");
}

/* The payload of a write or of the response to a read. */
static void take_data(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    uint64_t to = packet->address, length = packet->length;
    uint32_t at;
    if (is_mmio(tile, to)) {
        write_register(tile, packet, cycle);
        return;
    }
    if (packet->flags & NOC_BYTE_ENABLE) {
        to &= ~(uint64_t)15;
        length = packet->byte_enable ? 64u - (unsigned)__builtin_clzll(packet->byte_enable) : 0;
    }
    if (!in_l1(tile, to, length, &at))
        blame_range(tile, packet, cycle);
    else if (!(packet->flags & (NOC_INLINE | NOC_BYTE_ENABLE | NOC_L1_ACCUMULATE)))
        tile_l1_write(tile, at, packet->data, packet->length, cycle);
    else if (packet->flags & NOC_BYTE_ENABLE)
        write_enabled(tile, packet, at, cycle);
    else if (packet->flags & NOC_INLINE)
        write_inline(tile, packet, at, cycle);
    else
        accumulate(tile, packet, at, cycle);
}

static void take_write(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    take_data(tile, packet, cycle);
    if (packet->flags & NOC_HEADER_STORE)
        store_header(tile, packet, cycle);
    if (packet->flags & NOC_TO_OVERLAY)
        overlay_packet(tile, packet, cycle);
}

/* Alignment of reads is checked here, where it is known what kind of memory answers. */
static void check_read(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    uint64_t from = packet->address, to = packet->return_address;
    uint32_t at;
    if (is_mmio(tile, from)) {
        if (packet->length > 4 - from % 4)
            blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_alignment,
                         "a register gives at most the rest of one word");
        else if (from % 4 != to % 4)
            blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_alignment,
                         "the two addresses differ modulo 4");
    } else if (!in_l1(tile, from, packet->length, &at)) {
        blame_range(tile, packet, cycle);
    } else if (from % L1_ALIGNMENT != to % L1_ALIGNMENT) {
        blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_alignment, "the two addresses differ modulo 16");
    }
}

/* The request itself waits in the queue until its answer leaves. */
static void take_read(struct tile *tile, const struct niu *niu, packet_ref ref, uint64_t cycle)
{
    noc_packet *packet = tile_noc_packet(tile, ref);
    check_read(tile, packet, cycle);
    if (is_mmio(tile, packet->address) && packet->length > 4)
        packet->length = 4; /* a fault said so */
    niu_queue_packet(tile, niu->noc, ref, cycle + COST_NOC_TURNAROUND);
}

static void take_atomic(struct tile *tile, struct niu *niu, const noc_packet *packet, uint64_t cycle)
{
    uint32_t result = UINT32_MAX, at;
    if (is_mmio(tile, packet->address) || !in_l1(tile, packet->address, 4, &at)) {
        blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_atomics, "atomics act on L1 only");
    } else {
        uint8_t line[NOC_ATOMIC_BYTES];
        hook_l1(tile, at, 4, CHECK_ATOMIC);
        memcpy(line, tile_l1(tile) + (at & ~15u), sizeof line);
        if (noc_atomic(packet->at_len_be, packet->immediate, at, line, &result) == NOC_ATOMIC_DONE) {
            if (memcmp(line, tile_l1(tile) + (at & ~15u), sizeof line) != 0)
                tile_l1_write(tile, at & ~15u, line, sizeof line, cycle);
        } else {
            blame_packet(tile, packet, cycle, KERR_FAULT_UNKNOWN, page_atomics,
                         "no document describes this NOC_AT_LEN_BE");
        }
    }
    if (!(packet->flags & NOC_RESPONSE_WANTED))
        return;
    packet_ref ref;
    noc_packet *response = new_packet(tile, niu, 0, &ref, cycle);
    if (!response)
        return;
    niu_make_response(niu, packet, response);
    response->immediate = result;
    niu_queue_packet(tile, niu->noc, ref, cycle + COST_NOC_TURNAROUND);
}

static void take_atomic_response(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    uint32_t at;
    if (!is_mmio(tile, packet->address) && in_l1(tile, packet->address, 4, &at))
        tile_l1_write(tile, at, &packet->immediate, 4, cycle);
    else
        blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_atomics,
                     "the result of an atomic goes to L1 only");
}

/* Cores that poll a counter of this response are woken before it moves. */
static void announce_response(struct tile *tile, const struct niu *niu, uint32_t counter, unsigned transaction_id,
                              uint64_t cycle)
{
    uint32_t outstanding = NIU_MST_REQS_OUTSTANDING_ID + 4 * (uint32_t)(transaction_id & 15);
    uint32_t left = niu->counter[(outstanding - NIU_MST_ATOMIC_RESP_RECEIVED) / 4];
    uint32_t received = niu->counter[(counter - NIU_MST_ATOMIC_RESP_RECEIVED) / 4];
    becomes(tile, niu, counter, received + 1, cycle);
    becomes(tile, niu, outstanding, (left - 1) & 0xFF, cycle);
    if (left == 1)
        changing(tile, niu, NIU_TRANS_COUNT_RTZ_NUM, NIU_TRANS_COUNT_RTZ_SOURCE, cycle);
}

void niu_acknowledged(struct tile *tile, unsigned noc, uint32_t what, uint64_t cycle)
{
    struct niu *niu = &tile_devices(tile)->niu[noc];
    unsigned transaction_id = what;
    if (what & NIU_BANK_COUNT) {
        changing(tile, niu, NIU_SLV_ATOMIC_RESP_SENT, NIU_SLV_POSTED_WR_REQ_STARTED, cycle);
        niu_count_bank(niu, what);
        return;
    }
    hook_noc_answered(tile, noc, NOC_WRITE_ACK, transaction_id, 0, 0, cycle);
    announce_response(tile, niu, NIU_MST_WR_ACK_RECEIVED, transaction_id, cycle);
    niu_count_ack(niu, transaction_id);
    if (niu_irq(niu))
        pic_set_hw_int(tile, 1 + noc, true, cycle);
}

/* Cores that poll a counter of this packet are woken before it moves. */
static void announce_arrival(struct tile *tile, const struct niu *niu, const noc_packet *packet, uint64_t cycle)
{
    if (packet->op <= NOC_ATOMIC) {
        changing(tile, niu, NIU_SLV_ATOMIC_RESP_SENT, NIU_SLV_POSTED_WR_REQ_STARTED, cycle);
        return;
    }
    if (packet->op == NOC_READ_RESPONSE)
        changing(tile, niu, NIU_MST_RD_DATA_WORD_RECEIVED, NIU_MST_RD_DATA_WORD_RECEIVED, cycle);
    announce_response(tile, niu,
                      packet->op == NOC_READ_RESPONSE ? NIU_MST_RD_RESP_RECEIVED : NIU_MST_ATOMIC_RESP_RECEIVED,
                      packet->transaction_id, cycle);
}

/* A tile without a clock answers with its NIU's registers only. */
static bool is_off(const struct tile *tile, const struct niu *niu, const noc_packet *packet)
{
    uint32_t register_address = (uint32_t)packet->address;
    bool is_niu = is_mmio(tile, packet->address) && register_address >= NOC0_REGS_START_ADDR &&
                  register_address < NOC1_REGS_START_ADDR + (NOC1_REGS_START_ADDR - NOC0_REGS_START_ADDR);
    return packet->op <= NOC_ATOMIC && niu->cfg[NOC_CFG_NIU_CFG_0] & NIU_CFG_0_TILE_CLK_OFF && !is_niu;
}

static void deliver(struct tile *tile, packet_ref ref, uint64_t cycle)
{
    const noc_packet *packet = tile_noc_packet(tile, ref);
    struct niu *niu = &tile_devices(tile)->niu[packet->noc];
    if (is_off(tile, niu, packet)) {
        blame_packet(tile, packet, cycle, KERR_FAULT_UNDEFINED, page_requests,
                     "that tile is switched off: nothing done, no answer to a read or an atomic");
        tile_noc_release(tile, ref);
        return;
    }
    hook_packet_acts(tile, packet, cycle);
    switch ((noc_op)packet->op) {
    case NOC_WRITE: take_write(tile, packet, cycle); break;
    case NOC_READ: take_read(tile, niu, ref, cycle); break;
    case NOC_ATOMIC: take_atomic(tile, niu, packet, cycle); break;
    case NOC_WRITE_ACK:
        niu_acknowledged(tile, packet->noc, packet->transaction_id, cycle);
        tile_noc_release(tile, ref);
        return;
    case NOC_READ_RESPONSE: take_data(tile, packet, cycle); break;
    case NOC_ATOMIC_RESPONSE: take_atomic_response(tile, packet, cycle); break;
    case NOC_HOLD:
        niu_hold(tile_devices(tile), packet->noc, packet->immediate != 0, packet->address);
        tile_noc_release(tile, ref);
        return;
    }
    if (packet->op > NOC_ATOMIC)
        hook_noc_answered(tile, packet->noc, packet->op, packet->transaction_id, packet->address, packet->length,
                          cycle);
    hook_packet_done(tile, cycle);
    announce_arrival(tile, niu, packet, cycle);
    niu_count_arrival(niu, packet);
    if (packet->op > NOC_ATOMIC && niu_irq(niu))
        pic_set_hw_int(tile, 1 + niu->noc, true, cycle);
    if (packet->op != NOC_READ)
        tile_noc_release(tile, ref);
}

void niu_deliver(struct tile *tile, packet_ref ref, uint64_t cycle)
{
    tile_noc_serves(tile, tile_noc_packet(tile, ref));
    deliver(tile, ref, cycle);
    tile_noc_serves(tile, NULL);
}

/* ---- The block interface -------------------------------------------------------------------------- */

static struct niu *niu_of(struct tile *tile, uint32_t address)
{
    return &tile_devices(tile)->niu[address >= NOC1_REGS_START_ADDR];
}

bool niu_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client, (void)cycle;
    return niu_reg_peek(&tile_devices_const(tile)->niu[address >= NOC1_REGS_START_ADDR], address & 0xFFFF, value);
}

bool niu_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    struct niu *niu = niu_of(tile, address);
    changing(tile, niu, address & 0xFFFF, address & 0xFFFF, cycle);
    bool done = niu_reg_poke(niu, address & 0xFFFF, value);
    pic_set_hw_int(tile, 1 + niu->noc, niu_irq(niu), cycle);
    return done;
}

static void update_irq(struct tile *tile, const struct niu *niu, uint64_t cycle)
{
    pic_set_hw_int(tile, 1 + niu->noc, niu_irq(niu), cycle);
}

dev_result niu_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    struct niu *niu = niu_of(tile, address);
    uint32_t offset = address & 0xFFFF;
    if (client != CLIENT_NOC) /* which comes when all before it is done */
        tile_noc_catch_up(tile, cycle);
    if (offset != NIU_TRANS_COUNT_RTZ_NUM)
        return niu_reg_read(niu, offset, value) == NIU_OK ? DEV_OK : DEV_NOTHING;
    changing(tile, niu, NIU_TRANS_COUNT_RTZ_NUM, NIU_TRANS_COUNT_RTZ_SOURCE, cycle);
    niu_reg_read(niu, offset, value);
    update_irq(tile, niu, cycle);
    return DEV_OK;
}

dev_result niu_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct niu *niu = niu_of(tile, address);
    uint32_t offset = address & 0xFFFF;
    if (client != CLIENT_NOC)
        tile_noc_catch_up(tile, cycle);
    bool moves_irq = offset == NOC_CLEAR_OUTSTANDING_REQ_CNT || offset == NIU_TRANS_COUNT_RTZ_CLR ||
                     offset == NIU_TRANS_COUNT_RTZ_CFG;
    if (moves_irq) {
        changing(tile, niu, NIU_MST_REQS_OUTSTANDING_ID, NIU_MST_WRITE_REQS_OUTGOING_ID - 4, cycle);
        changing(tile, niu, NIU_TRANS_COUNT_RTZ_NUM, NIU_TRANS_COUNT_RTZ_SOURCE, cycle);
    }
    if (!devices_is_quiet(address))
        changing(tile, niu, offset, offset, cycle);
    bool moves_mode = offset == NIU_CFG_0 || offset == ROUTER_CFG_1 || offset == ROUTER_CFG_3;
    unsigned was = moves_mode ? niu_mode(niu) : 0;
    switch (niu_reg_write(niu, offset, value)) {
    case NIU_OK: break;
    case NIU_NOTHING: return DEV_NOTHING;
    case NIU_START: return start(tile, niu, offset / 0x800, client, cycle);
    case NIU_BUSY:
        return blame_request(tile, niu, offset / 0x800, client, cycle, KERR_FAULT_UNPREDICTABLE, page_requests,
                             "its registers were written before NOC_CMD_CTRL went back to 0");
    }
    if (moves_irq)
        update_irq(tile, niu, cycle);
    if (moves_mode && niu_mode(niu) != was)
        tile_noc_mode_changes(tile, niu->noc, was, cycle);
    return DEV_OK;
}

void devices_set_position(struct devices *dev, unsigned x, unsigned y)
{
    dev->x = (uint8_t)x;
    dev->y = (uint8_t)y;
    for (unsigned noc = 0; noc < NOC_COUNT; noc++) {
        niu_reset(&dev->niu[noc], noc, x, y);
        if (dev->kind == KERR_TILE_DRAM) /* NoC2AXI mode (the vendor's drisc_mode.h): see tile_place_of */
            dev->niu[noc].cfg[0] |= NIU_CFG_0_AXI_SLAVE_ENABLE;
    }
}
