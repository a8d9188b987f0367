/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and counters of a NIU, without the tile around it: manual NoC/MemoryMap, NoC/Counters. */
#include "noc/niu.h"
#include "noc/niu_fields.h"
#include "noc/tables.h"
#include "noc_regs.h"

#include <string.h>

_Static_assert(NOC_PACKET_TAG == 0x18, "niu_store");
_Static_assert(NOC_SEC_CTRL / 4 + 1 == NIU_INITIATOR_WORDS, "reg of struct niu_initiator");
_Static_assert(NIU_TRANS_COUNT_RTZ_CLR - NIU_CFG_0 == 4 * (NIU_CFG_WORDS - 1), "cfg of struct niu");
_Static_assert(NIU_SLV_POSTED_WR_REQ_STARTED - NIU_MST_ATOMIC_RESP_RECEIVED == 4 * (NIU_COUNTER_WORDS - 1), "counter");
_Static_assert(NOC_SEC_FENCE_MASTER_LEVEL - NOC_SEC_FENCE_RANGE == 4 * (NIU_FENCE_WORDS - 1), "fence");

enum { INITIATOR_SHIFT = 11, INITIATOR_MASK = 0x7FF };

void niu_reset(struct niu *niu, unsigned noc, unsigned x, unsigned y)
{
    memset(niu, 0, sizeof *niu);
    niu->noc = (uint8_t)noc;
    niu->node = noc_node_at(x, y);
    niu->node_id = noc_node_id(noc, x, y);
    niu->endpoint_id = noc_endpoint_id(noc, x, y);
    *niu_cfg(niu, NOC_ID_LOGICAL) = noc_raw_x(noc, x) | noc_raw_y(noc, y) << 6;
    niu->next_event = UINT64_MAX;
    niu->response_first = NO_PACKET;
    niu->response_last = NO_PACKET;
}

_Static_assert(NIU_CFG_RTZ == (NIU_TRANS_COUNT_RTZ_CFG - NIU_CFG_0) / 4, "its place among the words of cfg");
bool niu_irq(const struct niu *niu)
{
    return (niu->rtz_source & niu->cfg[NIU_CFG_RTZ]) != 0;
}

bool niu_takes_broadcasts(const struct niu *niu)
{
    uint32_t columns = niu->cfg[(ROUTER_CFG_1 - NIU_CFG_0) / 4], rows = niu->cfg[(ROUTER_CFG_3 - NIU_CFG_0) / 4];
    return !(columns >> (niu->node_id & 63) & 1) && !(rows >> (niu->node_id >> 6 & 63) & 1);
}

unsigned niu_mode(const struct niu *niu)
{
    const bool shows_bank = niu->cfg[NOC_CFG_NIU_CFG_0] & NIU_CFG_0_AXI_SLAVE_ENABLE;
    return (niu_takes_broadcasts(niu) ? NOC_TAKES_BROADCASTS : 0u) | (shows_bank ? NOC_SHOWS_BANK : 0u);
}

/* One of the bits that raise the IRQ.  OPEN: which one; we take the lowest. */
static unsigned rtz_num(const struct niu *niu)
{
    uint32_t raised = niu->rtz_source & niu->cfg[(NIU_TRANS_COUNT_RTZ_CFG - NIU_CFG_0) / 4];
    return raised ? (unsigned)__builtin_ctz(raised) : 0;
}

/* The word behind an offset of the first initiator's page that software may write and read back. */
static uint32_t *stored(struct niu *niu, uint32_t offset)
{
    if (offset >= NIU_CFG_0 && offset <= NIU_TRANS_COUNT_RTZ_CFG && offset != DEBUG_COUNTER_RESET)
        return niu_cfg(niu, offset);
    if (offset >= NOC_SEC_FENCE_RANGE && offset <= NOC_SEC_FENCE_MASTER_LEVEL)
        return &niu->fence[(offset - NOC_SEC_FENCE_RANGE) / 4];
    return NULL;
}

/* Reads as zero, and writes are discarded. */
static bool is_empty(uint32_t offset)
{
    switch (offset) {
    case NUM_MEM_PARITY_ERR:
    case NUM_HEADER_1B_ERR:
    case NUM_HEADER_2B_ERR:
    case ECC_CTRL:
    case NOC_CLEAR_OUTSTANDING_REQ_CNT:
    case DEBUG_COUNTER_RESET:
    case NIU_TRANS_COUNT_RTZ_CLR:
    case NOC_SEC_FENCE_FIFO_STATUS:
    case NOC_SEC_FENCE_FIFO_RDDATA: return true;
    default:
        return (offset >= NOC_ROUTER_DEBUG && offset < NIU_TRANS_COUNT_RTZ_NUM) ||
               (offset >= NIU_DEBUG && offset < NOC_SEC_FENCE_RANGE) ||
               (offset >= PORT1_FLIT_COUNTER && offset < PORT2_FLIT_COUNTER + 32 * 4);
    }
}

bool niu_reg_peek(const struct niu *niu, uint32_t offset, uint32_t *value)
{
    uint32_t low = offset & INITIATOR_MASK;
    if (offset >> INITIATOR_SHIFT >= NIU_INITIATORS)
        return false;
    const struct niu_initiator *initiator = &niu->initiator[offset >> INITIATOR_SHIFT];
    if (low <= NOC_SEC_CTRL) {
        *value = initiator->reg[low / 4];
        return true;
    }
    switch (low) {
    case NOC_CMD_CTRL: *value = initiator->busy; return true;
    case NOC_NODE_ID: *value = niu->node_id; return true;
    case NOC_ENDPOINT_ID: *value = niu->endpoint_id; return true;
    case CMD_BUF_AVAIL:
    case CMD_BUF_OVFL: *value = 0; return true;
    default: break;
    }
    if (offset != low)
        return false;
    if (offset >= NIU_MST_ATOMIC_RESP_RECEIVED && offset <= NIU_SLV_POSTED_WR_REQ_STARTED) {
        *value = niu->counter[(offset - NIU_MST_ATOMIC_RESP_RECEIVED) / 4];
        return true;
    }
    if (offset == NIU_TRANS_COUNT_RTZ_NUM || offset == NIU_TRANS_COUNT_RTZ_SOURCE) {
        *value = offset == NIU_TRANS_COUNT_RTZ_NUM ? rtz_num(niu) : niu->rtz_source;
        return true;
    }
    const uint32_t *word = stored((struct niu *)(uintptr_t)niu, offset); /* only read */
    *value = word ? *word : 0;
    return word || is_empty(offset);
}

niu_access niu_reg_read(struct niu *niu, uint32_t offset, uint32_t *value)
{
    if (!niu_reg_peek(niu, offset, value))
        return NIU_NOTHING;
    if (offset == NIU_TRANS_COUNT_RTZ_NUM && niu_irq(niu) &&
        !(*niu_cfg(niu, NIU_TRANS_COUNT_RTZ_CFG) & RTZ_CFG_RC_DISABLE))
        niu->rtz_source &= (uint16_t) ~(1u << *value);
    return NIU_OK;
}

/* What a register of a busy initiator holds already does no harm: tt-metal's stateful transfers of more than 16 KiB write
 * the length again before they look at NOC_CMD_CTRL, and their data is right on a card. */
static niu_access write_initiator(struct niu_initiator *initiator, uint32_t low, uint32_t value)
{
    const uint32_t was = initiator->reg[low / 4];
    initiator->reg[low / 4] = low == NOC_PACKET_TAG ? value & 0xFFFF : value;
    return initiator->busy && initiator->reg[low / 4] != was ? NIU_BUSY : NIU_OK;
}

/* OPEN: the manual does not say whether a counter that is cleared this way counts as gone from positive to zero; it
 * tells software to clear NIU_TRANS_COUNT_RTZ_SOURCE afterwards, so we say yes. */
static void clear_outstanding(struct niu *niu, uint32_t mask)
{
    for (unsigned i = 0; i < NIU_TRANSACTION_IDS; i++) {
        uint32_t *counter = niu_counter(niu, NIU_MST_REQS_OUTSTANDING_ID + 4 * i);
        if (mask >> i & 1 && *counter) {
            *counter = 0;
            niu->rtz_source |= (uint16_t)(1u << i);
        }
    }
}

niu_access niu_reg_write(struct niu *niu, uint32_t offset, uint32_t value)
{
    uint32_t low = offset & INITIATOR_MASK, ignored;
    if (offset >> INITIATOR_SHIFT < NIU_INITIATORS && low <= NOC_SEC_CTRL)
        return write_initiator(&niu->initiator[offset >> INITIATOR_SHIFT], low, value);
    if (offset >> INITIATOR_SHIFT < NIU_INITIATORS && low == NOC_CMD_CTRL)
        return value & 1 ? NIU_START : NIU_OK;
    uint32_t *word = stored(niu, offset);
    if (word)
        *word = value;
    else if (offset == NOC_CLEAR_OUTSTANDING_REQ_CNT)
        clear_outstanding(niu, value);
    else if (offset == NIU_TRANS_COUNT_RTZ_CLR)
        niu->rtz_source &= (uint16_t)~value;
    else if (!niu_reg_peek(niu, offset, &ignored))
        return NIU_NOTHING;
    return NIU_OK;
}

bool niu_reg_poke(struct niu *niu, uint32_t offset, uint32_t value)
{
    uint32_t low = offset & INITIATOR_MASK;
    uint32_t *word = stored(niu, offset);
    if (offset >> INITIATOR_SHIFT < NIU_INITIATORS && low <= NOC_SEC_CTRL)
        write_initiator(&niu->initiator[offset >> INITIATOR_SHIFT], low, value);
    else if (offset >= NIU_MST_ATOMIC_RESP_RECEIVED && offset <= NIU_SLV_POSTED_WR_REQ_STARTED)
        *niu_counter(niu, offset) = niu_is_narrow(offset) ? value & 0xFF : value;
    else if (offset == NIU_TRANS_COUNT_RTZ_SOURCE)
        niu->rtz_source = (uint16_t)value;
    else if (word)
        *word = value;
    else
        return false;
    return true;
}

/* ---- Counters ------------------------------------------------------------------------------------- */

static void response_arrived(struct niu *niu, uint32_t counter, unsigned id)
{
    uint32_t *outstanding = niu_counter(niu, NIU_MST_REQS_OUTSTANDING_ID + 4 * (id & 15));
    ++*niu_counter(niu, counter);
    *outstanding = (*outstanding - 1) & 0xFF;
    if (*outstanding == 0)
        niu->rtz_source |= (uint16_t)(1u << (id & 15));
}

void niu_count_ack(struct niu *niu, unsigned transaction_id)
{
    response_arrived(niu, NIU_MST_WR_ACK_RECEIVED, transaction_id);
}

/* A request arrives: a write of so many flits of data, a read or an atomic. */
static void count_request(struct niu *niu, noc_op op, bool marked, uint32_t flits)
{
    switch (op) {
    case NOC_WRITE:
        if (marked) {
            ++*niu_counter(niu, NIU_SLV_NONPOSTED_WR_REQ_STARTED);
            ++*niu_counter(niu, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED);
            *niu_counter(niu, NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED) += flits;
            ++*niu_counter(niu, NIU_SLV_WR_ACK_SENT);
        } else {
            ++*niu_counter(niu, NIU_SLV_POSTED_WR_REQ_STARTED);
            ++*niu_counter(niu, NIU_SLV_POSTED_WR_REQ_RECEIVED);
            *niu_counter(niu, NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED) += flits;
        }
        break;
    case NOC_READ:
        ++*niu_counter(niu, NIU_SLV_REQ_ACCEPTED);
        ++*niu_counter(niu, NIU_SLV_RD_REQ_RECEIVED);
        break;
    case NOC_ATOMIC:
        ++*niu_counter(niu, NIU_SLV_REQ_ACCEPTED);
        if (marked) {
            ++*niu_counter(niu, NIU_SLV_NONPOSTED_ATOMIC_RECEIVED);
            ++*niu_counter(niu, NIU_SLV_ATOMIC_RESP_SENT);
        } else {
            ++*niu_counter(niu, NIU_SLV_POSTED_ATOMIC_RECEIVED);
        }
        break;
    default: break;
    }
}

void niu_count_arrival(struct niu *niu, const noc_packet *packet)
{
    bool marked = packet->flags & NOC_RESPONSE_WANTED;
    switch ((noc_op)packet->op) {
    case NOC_WRITE: count_request(niu, NOC_WRITE, marked, niu_write_flits(packet)); break;
    case NOC_READ:
    case NOC_ATOMIC: count_request(niu, packet->op, marked, 0); break;
    case NOC_WRITE_ACK: niu_count_ack(niu, packet->transaction_id); break;
    case NOC_READ_RESPONSE:
        *niu_counter(niu, NIU_MST_RD_DATA_WORD_RECEIVED) += noc_data_flits(packet->address, packet->length);
        response_arrived(niu, NIU_MST_RD_RESP_RECEIVED, packet->transaction_id);
        break;
    case NOC_ATOMIC_RESPONSE: response_arrived(niu, NIU_MST_ATOMIC_RESP_RECEIVED, packet->transaction_id); break;
    case NOC_HOLD: break;
    }
}

static void count_read_response(struct niu *niu, uint32_t flits)
{
    ++*niu_counter(niu, NIU_SLV_RD_RESP_SENT);
    *niu_counter(niu, NIU_SLV_RD_DATA_WORD_SENT) += flits;
}

void niu_count_read_response(struct niu *niu, const noc_packet *response)
{
    count_read_response(niu, noc_data_flits(response->address, response->length));
}

/* In a word: op, whether it is marked, flits of data. */
enum { BANK_OP_SHIFT = 24, BANK_OP_MASK = 15, BANK_MARKED = 1 << 28, BANK_FLITS = 0xFFFFFF };

uint32_t niu_bank_request(const noc_packet *request)
{
    return NIU_BANK_COUNT | (uint32_t)request->op << BANK_OP_SHIFT |
           (request->flags & NOC_RESPONSE_WANTED ? BANK_MARKED : 0u) |
           (request->op == NOC_WRITE ? niu_write_flits(request) : 0u);
}

uint32_t niu_bank_response(const noc_packet *response)
{
    return NIU_BANK_COUNT | (uint32_t)NOC_READ_RESPONSE << BANK_OP_SHIFT |
           noc_data_flits(response->address, response->length);
}

void niu_count_bank(struct niu *niu, uint32_t word)
{
    const noc_op op = word >> BANK_OP_SHIFT & BANK_OP_MASK;
    if (op == NOC_READ_RESPONSE)
        count_read_response(niu, word & BANK_FLITS);
    else
        count_request(niu, op, word & BANK_MARKED, word & BANK_FLITS);
}

/* Responses travel in class 0b11 and are always unicast. */
void niu_make_response(struct niu *niu, const noc_packet *request, noc_packet *response)
{
    response->address = request->return_address;
    response->return_address = request->address;
    response->length = request->op == NOC_READ ? request->length : 4;
    response->at_len_be = request->at_len_be;
    response->initiator_pc = request->initiator_pc;
    response->initiator_core = request->initiator_core;
    response->flags = request->flags & NOC_L1_ACCUMULATE;
    response->source = niu->node;
    response->destination = request->return_to;
    response->return_to = request->source;
    response->op = request->op == NOC_READ ? NOC_READ_RESPONSE : NOC_ATOMIC_RESPONSE;
    response->noc = niu->noc;
    response->virtual_channel = CHANNEL_RESPONSE;
    response->transaction_id = request->transaction_id;
}
