/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* One NIU: what a request puts on the NoC, what a packet does on arrival, and every counter at its point in time.
 * The tile is at 3-4; the other end is usually 5-6. */
#include "unit/tile/fake_tile.h"

#include "costs.h"
#include "noc_regs.h"
#include "tile/niu.h"

#define NOC0 0xFFB20000u
#define NOC1 0xFFB30000u
enum { FAR_X = 5, FAR_Y = 6, HERE = 3 | 4 << 6, FAR = FAR_X | FAR_Y << 6, ISSUED = 100 };
enum { RD = 0, AT = 1, WR = 2, BE = 1 << 2, INLINE = 1 << 3, MARKED = 1 << 4, BROADCAST = 1 << 5, LINKED = 1 << 6 };
enum { STATIC = 1 << 7, RESERVE = 1 << 8, Y_MAJOR = 1 << 16, INCLUDE = 1 << 17 };
#define ACCUMULATE (1u << 31)
#define VC(n) ((uint32_t)(n) << 13)

static uint32_t counter(const struct tile *tile, uint32_t offset)
{
    return pk(tile, B, NOC0 + offset);
}

/* Fields of initiator 0 of NoC 0. */
static void fields(struct tile *tile, uint32_t ctrl, uint32_t targ, uint32_t targ_hi, uint32_t ret, uint32_t ret_hi,
                   uint32_t length)
{
    wr(tile, B, NOC0 + NOC_TARG_ADDR_LO, targ);
    wr(tile, B, NOC0 + NOC_TARG_ADDR_HI, targ_hi);
    wr(tile, B, NOC0 + NOC_RET_ADDR_LO, ret);
    wr(tile, B, NOC0 + NOC_RET_ADDR_HI, ret_hi);
    wr(tile, B, NOC0 + NOC_AT_LEN_BE, length);
    wr(tile, B, NOC0 + NOC_CTRL, ctrl);
}

static void go(struct tile *tile)
{
    wr_at(tile, B, NOC0 + NOC_CMD_CTRL, 1, ISSUED);
}

static void events(struct tile *tile, uint64_t until)
{
    while (devices_next_event(&tile->dev) <= until)
        devices_event(tile, devices_next_event(&tile->dev));
}

static void write_far(struct tile *tile, uint32_t ctrl, uint32_t from, uint32_t to, uint32_t length)
{
    fields(tile, WR | ctrl, from, HERE, to, FAR, length);
    go(tile);
}

static noc_packet *sent(struct tile *tile, unsigned i)
{
    assert_true(i < tile->sent);
    return tile_noc_packet(tile, tile->sent_ref[i]);
}

/* A packet as it might come from 5-6. */
static noc_packet *incoming(noc_op op, uint64_t address, uint32_t length)
{
    static _Alignas(16) uint8_t space[sizeof(noc_packet) + NOC_MAX_PAYLOAD];
    memset(space, 0, sizeof space);
    noc_packet *packet = (noc_packet *)(void *)space;
    packet->op = (uint8_t)op;
    packet->address = address;
    packet->return_address = 0x2000 | (address & 63);
    packet->length = length;
    packet->source = packet->return_to = noc_node_at(FAR_X, FAR_Y);
    packet->destination = noc_node_at(3, 4);
    packet->initiator_core = 0xFF;
    for (unsigned i = 0; i < length && op != NOC_READ && op != NOC_ATOMIC; i++)
        packet->data[i] = (uint8_t)(i + 1);
    return packet;
}

/* The NIU gets a copy. */
static void deliver(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    packet_ref ref;
    bool has_data = packet->op == NOC_WRITE || packet->op == NOC_READ_RESPONSE;
    noc_packet *copy = tile_noc_new(tile, has_data ? packet->length : 0, &ref);
    memcpy(copy, packet, sizeof *packet + (has_data ? packet->length : 0));
    niu_deliver(tile, ref, cycle);
}

static void faults(struct tile *tile, kerr_fault_kind kind, const char *text)
{
    assert_int_equal(tile->faults, 1);
    assert_int_equal(tile->fault_kind, kind);
    if (!strstr(tile->fault_text, text))
        fail_msg("'%s' is not in '%s'", text, tile->fault_text);
    assert_true(strlen(tile->fault_text) < sizeof((kerr_fault *)0)->text);
}

/* ---- Registers ---- */

static void every_register_of_the_table_answers(void **state)
{
    static const struct {
        const char *name;
        uint32_t address, count, stride;
    } rows[] = {
#define X(name, address, count, stride, access, reset, model) {name, address, count, stride},
        NOC_REGS(X)
#undef X
    };
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned j = 0; j < rows[i].count; j++) {
            uint32_t offset = rows[i].address + j * rows[i].stride;
            rd(tile, B, NOC0 + offset);
            rd(tile, NOC, NOC1 + offset);
            if ((offset & 0x7FF) != NOC_CMD_CTRL)
                wr(tile, NC, NOC0 + offset, 0);
            assert_string_equal(devices_register_name(NOC0 + offset), rows[i].name);
            assert_string_equal(devices_register_name(NOC1 + offset + 3), rows[i].name);
        }
    }
    assert_int_equal(tile->faults, 0);
}

static void what_stands_in_no_row_answers_to_nobody(void **state)
{
    static const uint32_t offsets[] = {0x38,  0x4C,  0x6C,  0x180,  0x2F8,  0x4AC,
                                       0x600, 0x850, 0x900, 0x1900, 0x2000, 0xFFFC};
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        assert_int_equal(try_rd(tile, B, NOC0 + offsets[i]), DEV_NOTHING);
        assert_int_equal(try_wr(tile, B, NOC1 + offsets[i], 1), DEV_NOTHING);
    }
}

static void identification_is_read_only_and_stands_four_times(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 4; i++) {
        wr(tile, B, NOC0 + NOC_NODE_ID + 0x800 * i, 0);
        assert_int_equal(rd(tile, B, NOC0 + NOC_NODE_ID + 0x800 * i), HERE | 17 << 12 | 12 << 19 | 1u << 28);
        assert_int_equal(rd(tile, B, NOC1 + NOC_NODE_ID + 0x800 * i), 13 | 7 << 6 | 17 << 12 | 12 << 19);
        assert_int_equal(rd(tile, B, NOC0 + NOC_ENDPOINT_ID + 0x800 * i) >> 8, 0x0100);
        assert_int_equal(rd(tile, B, NOC1 + NOC_ENDPOINT_ID + 0x800 * i) >> 8, 0x010100);
    }
    assert_int_equal(rd(tile, B, NOC0 + NOC_ID_LOGICAL), HERE);
    assert_int_equal(rd(tile, B, NOC1 + NOC_ID_LOGICAL), 13 | 7 << 6);
}

static void initiators_and_configuration_keep_their_own_values(void **state)
{
    struct tile *tile = *state;
    for (unsigned noc = 0; noc < 2; noc++) {
        for (unsigned i = 0; i < 4; i++) {
            for (uint32_t offset = 0; offset <= NOC_SEC_CTRL; offset += 4)
                wr(tile, B, NOC0 + 0x10000 * noc + 0x800 * i + offset, 1000 * noc + 100 * i + offset);
        }
        for (uint32_t offset = NIU_CFG_0; offset <= DDR_COORD_TRANSLATE_COL_SWAP; offset += 4)
            wr(tile, B, NOC0 + 0x10000 * noc + offset, 7777 * noc + offset);
    }
    for (unsigned noc = 0; noc < 2; noc++) {
        for (unsigned i = 0; i < 4; i++) {
            for (uint32_t offset = 0; offset <= NOC_SEC_CTRL; offset += 4)
                assert_int_equal(rd(tile, B, NOC0 + 0x10000 * noc + 0x800 * i + offset), 1000 * noc + 100 * i + offset);
        }
        for (uint32_t offset = NIU_CFG_0; offset <= DDR_COORD_TRANSLATE_COL_SWAP; offset += 4)
            assert_int_equal(rd(tile, B, NOC0 + 0x10000 * noc + offset), 7777 * noc + offset);
    }
}

static void the_upper_half_of_the_packet_tag_reads_as_zero(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_PACKET_TAG, 0xFFFFFFFF);
    assert_int_equal(rd(tile, B, NOC0 + NOC_PACKET_TAG), 0xFFFF);
}

static void counters_are_read_only_but_for_a_debugger(void **state)
{
    struct tile *tile = *state;
    for (uint32_t offset = 0x200; offset < 0x2F8; offset += 4) {
        wr(tile, B, NOC0 + offset, 5);
        assert_int_equal(rd(tile, B, NOC0 + offset), 0);
        assert_true(devices_poke(tile, B, NOC0 + offset, 0x105, 0));
        assert_int_equal(rd(tile, B, NOC0 + offset), offset >= 0x240 && offset < 0x2C0 ? 5 : 0x105);
    }
}

/* ---- Requests: what is sent ---- */

static void a_posted_write_carries_l1_to_the_other_end(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 100; i++)
        tile->l1[0x1010 + i] = (uint8_t)(i * 3);
    write_far(tile, 0, 0x1010, 0x3010, 100);
    assert_int_equal(rd(tile, B, NOC0 + NOC_CMD_CTRL), 1);
    assert_int_equal(devices_next_event(&tile->dev), ISSUED + COST_NOC_ISSUE);
    events(tile, ISSUED + COST_NOC_ISSUE);
    assert_int_equal(rd(tile, B, NOC0 + NOC_CMD_CTRL), 0);
    noc_packet *packet = sent(tile, 0);
    assert_int_equal(packet->op, NOC_WRITE);
    assert_int_equal(packet->cycle, ISSUED + COST_NOC_ISSUE);
    assert_int_equal(packet->flags, 0);
    assert_int_equal(packet->address, 0x3010);
    assert_int_equal(packet->return_address, 0x1010);
    assert_int_equal(packet->length, 100);
    assert_int_equal(packet->source, noc_node_at(3, 4));
    assert_int_equal(packet->destination, noc_node_at(FAR_X, FAR_Y));
    assert_int_equal(packet->noc, 0);
    assert_int_equal(packet->initiator_core, B);
    assert_memory_equal(packet->data, tile->l1 + 0x1010, 100);
}

static void counters_of_a_posted_write_at_the_sender(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_PACKET_TAG, 5 << 10);
    write_far(tile, 0, 0x1000, 0x3000, 65);
    assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID + 4 * 5), 1);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 4 * 5), 0);
    assert_int_equal(counter(tile, NIU_MST_CMD_ACCEPTED), 0);
    events(tile, ISSUED + COST_NOC_ISSUE);
    assert_int_equal(counter(tile, NIU_MST_CMD_ACCEPTED), 1);
    assert_int_equal(counter(tile, NIU_MST_POSTED_WR_REQ_STARTED), 1);
    assert_int_equal(counter(tile, NIU_MST_POSTED_WR_REQ_SENT), 1);
    assert_int_equal(counter(tile, NIU_MST_POSTED_WR_DATA_WORD_SENT), 2);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_WR_REQ_SENT), 0);
    assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID + 4 * 5), 1);
    events(tile, ISSUED + COST_NOC_ISSUE + 2);
    assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID + 4 * 5), 1);
    events(tile, ISSUED + COST_NOC_ISSUE + 3); /* header and two data flits */
    assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID + 4 * 5), 0);
    assert_int_equal(devices_next_event(&tile->dev), UINT64_MAX);
}

static void counters_of_an_acknowledged_write_at_the_sender(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_PACKET_TAG, 15 << 10);
    write_far(tile, MARKED, 0x1000, 0x3000, 64);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 4 * 15), 1);
    events(tile, 1000);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_WR_REQ_STARTED), 1);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_WR_REQ_SENT), 1);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_WR_DATA_WORD_SENT), 1);
    assert_int_equal(counter(tile, NIU_MST_WR_ACK_RECEIVED), 0);
    assert_int_equal(sent(tile, 0)->flags, NOC_RESPONSE_WANTED);
    assert_int_equal(sent(tile, 0)->return_to, noc_node_at(3, 4));
    assert_int_equal(sent(tile, 0)->transaction_id, 15);
    noc_packet *ack = incoming(NOC_WRITE_ACK, 0, 0);
    ack->transaction_id = 15;
    deliver(tile, ack, 1000);
    assert_int_equal(counter(tile, NIU_MST_WR_ACK_RECEIVED), 1);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 4 * 15), 0);
}

static void the_acknowledgement_goes_where_targ_addr_hi_says(void **state)
{
    struct tile *tile = *state;
    fields(tile, WR | MARKED, 0x1000, 7 | 8 << 6, 0x3000, FAR, 16);
    go(tile);
    events(tile, 1000);
    assert_int_equal(sent(tile, 0)->return_to, noc_node_at(7, 8));
}

static void a_write_from_a_register_carries_its_word(void **state)
{
    struct tile *tile = *state;
    write_far(tile, 0, NOC0 + NOC_NODE_ID, 0x3004, 4);
    events(tile, 1000);
    uint32_t value;
    memcpy(&value, sent(tile, 0)->data, 4);
    assert_int_equal(value, rd(tile, B, NOC0 + NOC_NODE_ID));
    assert_int_equal(tile->faults, 0);
}

static void a_byte_enabled_write_carries_64_bytes_and_the_mask(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 64; i++)
        tile->l1[0x1010 + i] = (uint8_t)(i + 1);
    wr(tile, B, NOC0 + NOC_AT_LEN_BE_1, 0x80000000);
    write_far(tile, BE, 0x1018, 0x3020, 0x00000005); /* addresses are rounded down to 16 */
    events(tile, 1000);
    noc_packet *packet = sent(tile, 0);
    assert_int_equal(packet->flags, NOC_BYTE_ENABLE);
    assert_int_equal(packet->byte_enable, 0x8000000000000005u);
    assert_int_equal(packet->length, 64);
    assert_memory_equal(packet->data, tile->l1 + 0x1010, 64);
    assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID), 0);
    assert_int_equal(counter(tile, NIU_MST_POSTED_WR_DATA_WORD_SENT), 2); /* 0x3020..0x305F lies in two lines */
}

static void an_inline_write_goes_to_targ_addr_and_is_one_flit(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_AT_DATA, 0xCAFE);
    fields(tile, WR | INLINE, 0xFFB13018, FAR, 0, 0, 0xF);
    go(tile);
    assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID), 0);
    events(tile, ISSUED + COST_NOC_ISSUE);
    noc_packet *packet = sent(tile, 0);
    assert_int_equal(packet->flags, NOC_INLINE);
    assert_int_equal(packet->address, 0xFFB13018);
    assert_int_equal(packet->destination, noc_node_at(FAR_X, FAR_Y));
    assert_int_equal(packet->length, 4);
    assert_int_equal(packet->immediate, 0xCAFE);
    assert_int_equal(packet->data[0] | packet->data[1] << 8, 0xCAFE);
    assert_int_equal(counter(tile, NIU_MST_CMD_ACCEPTED), 1);
    assert_int_equal(counter(tile, NIU_MST_POSTED_WR_REQ_STARTED), 1);
    assert_int_equal(counter(tile, NIU_MST_POSTED_WR_REQ_SENT), 1);
    assert_int_equal(counter(tile, NIU_MST_POSTED_WR_DATA_WORD_SENT), 0);
    assert_int_equal(devices_next_event(&tile->dev), UINT64_MAX);
}

static void counters_of_an_acknowledged_inline_write(void **state)
{
    struct tile *tile = *state;
    fields(tile, WR | INLINE | MARKED, 0xFFB13018, FAR, 0, 63 | 63 << 6, 0xF); /* NOC_RET_ADDR is not used at all */
    go(tile);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID), 1);
    events(tile, 1000);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_WR_REQ_STARTED), 1);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_WR_REQ_SENT), 1);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_WR_DATA_WORD_SENT), 0);
    assert_int_equal(sent(tile, 0)->return_to, noc_node_at(3, 4));
    assert_int_equal(tile->faults, 0);
}

static void a_read_asks_targ_addr_and_comes_back_to_ret_addr(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_TARG_ADDR_MID, 0x12);
    wr(tile, B, NOC0 + NOC_PACKET_TAG, 3 << 10);
    fields(tile, RD, 0x3000, FAR, 0x1000, HERE, 200);
    go(tile);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 12), 1); /* whether marked or not */
    assert_int_equal(counter(tile, NIU_MST_RD_REQ_STARTED), 0);
    events(tile, 1000);
    noc_packet *packet = sent(tile, 0);
    assert_int_equal(packet->op, NOC_READ);
    assert_int_equal(packet->flags, NOC_RESPONSE_WANTED);
    assert_int_equal(packet->address, 0x1200003000);
    assert_int_equal(packet->return_address, 0x1000);
    assert_int_equal(packet->length, 200);
    assert_int_equal(packet->destination, noc_node_at(FAR_X, FAR_Y));
    assert_int_equal(packet->return_to, noc_node_at(3, 4));
    assert_int_equal(counter(tile, NIU_MST_CMD_ACCEPTED), 1);
    assert_int_equal(counter(tile, NIU_MST_RD_REQ_STARTED), 1);
    assert_int_equal(counter(tile, NIU_MST_RD_REQ_SENT), 1);
}

static void an_atomic_carries_its_operands(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_AT_DATA, 17);
    wr(tile, B, NOC0 + NOC_PACKET_TAG, 2 << 10);
    fields(tile, AT | MARKED, 0x3004, FAR, 0x1008, HERE, 0x107D);
    go(tile);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 8), 1);
    events(tile, 1000);
    noc_packet *packet = sent(tile, 0);
    assert_int_equal(packet->op, NOC_ATOMIC);
    assert_int_equal(packet->at_len_be, 0x107D);
    assert_int_equal(packet->immediate, 17);
    assert_int_equal(packet->address, 0x3004);
    assert_int_equal(packet->return_address, 0x1008);
    assert_int_equal(counter(tile, NIU_MST_CMD_ACCEPTED), 1);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_ATOMIC_STARTED), 1);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_ATOMIC_SENT), 1);
    assert_int_equal(counter(tile, NIU_MST_POSTED_ATOMIC_SENT), 0);
}

static void counters_of_a_posted_atomic(void **state)
{
    struct tile *tile = *state;
    fields(tile, AT, 0x3004, FAR, 0, 63 | 63 << 6, 0x107D);
    go(tile);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID), 0);
    events(tile, 1000);
    assert_int_equal(counter(tile, NIU_MST_POSTED_ATOMIC_SENT), 1);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_ATOMIC_STARTED), 0);
    assert_int_equal(tile->faults, 0);
}

static void a_long_write_is_split(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 40000; i++)
        tile->l1[0x10000 + i] = (uint8_t)(i >> 7);
    wr(tile, B, NOC0 + NOC_PACKET_TAG, 1 << 10);
    write_far(tile, MARKED, 0x10000, 0x40000, 40000);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 4), 3); /* all at once */
    assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID + 4), 3);
    events(tile, ISSUED + COST_NOC_ISSUE);
    assert_int_equal(rd(tile, B, NOC0 + NOC_CMD_CTRL), 1);
    assert_int_equal(rd(tile, B, NOC0 + NOC_AT_LEN_BE), 40000 - 16384);
    assert_int_equal(rd(tile, B, NOC0 + NOC_TARG_ADDR_LO), 0x14000);
    assert_int_equal(rd(tile, B, NOC0 + NOC_RET_ADDR_LO), 0x44000);
    assert_int_equal(counter(tile, NIU_MST_CMD_ACCEPTED), 1);
    events(tile, ISSUED + COST_NOC_ISSUE + 263); /* 257 flits, and a cycle more for every 40 of data */
    assert_int_equal(tile->sent, 2);
    assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID + 4), 2);
    events(tile, 100000);
    assert_int_equal(tile->sent, 3);
    assert_int_equal(rd(tile, B, NOC0 + NOC_CMD_CTRL), 0);
    assert_int_equal(counter(tile, NIU_MST_CMD_ACCEPTED), 3);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_WR_REQ_SENT), 3);
    assert_int_equal(counter(tile, NIU_MST_NONPOSTED_WR_DATA_WORD_SENT), 625);
    assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID + 4), 0);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 4), 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(sent(tile, i)->address, 0x40000 + 16384 * i);
        assert_int_equal(sent(tile, i)->length, i < 2 ? 16384 : 40000 - 32768);
        assert_int_equal(sent(tile, i)->sequence, i);
        assert_int_equal(sent(tile, i)->cycle, ISSUED + COST_NOC_ISSUE + 263 * i);
        assert_memory_equal(sent(tile, i)->data, tile->l1 + 0x10000 + 16384 * i, sent(tile, i)->length);
    }
}

static void a_long_read_is_split(void **state)
{
    struct tile *tile = *state;
    fields(tile, RD, 0x40000, FAR, 0x10000, HERE, 16385);
    go(tile);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID), 2);
    events(tile, 1000);
    assert_int_equal(tile->sent, 2);
    assert_int_equal(sent(tile, 1)->length, 1);
    assert_int_equal(sent(tile, 1)->address, 0x44000);
    assert_int_equal(sent(tile, 1)->return_address, 0x14000);
    assert_int_equal(counter(tile, NIU_MST_RD_REQ_SENT), 2);
}

static void the_outstanding_counter_has_eight_bits(void **state)
{
    struct tile *tile = *state;
    devices_poke(tile, B, NOC0 + NIU_MST_REQS_OUTSTANDING_ID, 255, 0);
    fields(tile, RD, 0x40000, FAR, 0x10000, HERE, 16385);
    go(tile);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID), 1);
    noc_packet *response = incoming(NOC_READ_RESPONSE, 0x1000, 4);
    deliver(tile, response, 200);
    deliver(tile, response, 200);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID), 255);
}

static void initiators_go_in_the_order_of_their_starts(void **state)
{
    static const unsigned order[] = {2, 0, 3, 1};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t base = NOC0 + 0x800 * order[i];
        wr(tile, B, base + NOC_TARG_ADDR_LO, 0x1000);
        wr(tile, B, base + NOC_TARG_ADDR_HI, HERE);
        wr(tile, B, base + NOC_RET_ADDR_LO, 0x3000 + 0x100 * i);
        wr(tile, B, base + NOC_RET_ADDR_HI, FAR);
        wr(tile, B, base + NOC_AT_LEN_BE, 128);
        wr(tile, B, base + NOC_CTRL, WR);
        wr_at(tile, B, base + NOC_CMD_CTRL, 1, ISSUED + i);
    }
    events(tile, 1000);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(sent(tile, i)->address, 0x3000 + 0x100 * i);
        assert_int_equal(sent(tile, i)->cycle, ISSUED + COST_NOC_ISSUE + 3 * i); /* the port is busy for three cycles */
    }
}

static void the_two_nocs_do_not_wait_for_each_other(void **state)
{
    struct tile *tile = *state;
    for (unsigned noc = 0; noc < 2; noc++) {
        uint32_t base = NOC0 + 0x10000 * noc;
        wr(tile, B, base + NOC_TARG_ADDR_LO, 0x1000);
        wr(tile, B, base + NOC_RET_ADDR_LO, 0x3000);
        wr(tile, B, base + NOC_RET_ADDR_HI, FAR);
        wr(tile, B, base + NOC_AT_LEN_BE, 1024);
        wr(tile, B, base + NOC_CTRL, WR);
        wr_at(tile, B, base + NOC_CMD_CTRL, 1, ISSUED);
    }
    events(tile, 1000);
    assert_int_equal(sent(tile, 0)->cycle, sent(tile, 1)->cycle);
    assert_int_equal(sent(tile, 1)->noc, 1);
    assert_int_equal(sent(tile, 1)->destination, noc_node_at(16 - FAR_X, 11 - FAR_Y));
    assert_int_equal(rd(tile, B, NOC1 + NIU_MST_POSTED_WR_REQ_SENT), 1);
}

static void back_pressure_holds_the_injection(void **state)
{
    struct tile *tile = *state;
    write_far(tile, 0, 0x1000, 0x3000, 64);
    niu_hold(&tile->dev, 0, false, 500);
    events(tile, 499);
    assert_int_equal(tile->sent, 0);
    tile->l1[0x1000] = 9; /* data is read when it leaves */
    events(tile, 500);
    assert_int_equal(sent(tile, 0)->cycle, 500);
    assert_int_equal(sent(tile, 0)->data[0], 9);
}

static void flags_priority_and_channel_travel_with_the_packet(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_PACKET_TAG, 0x1C5);
    write_far(tile, LINKED | STATIC | VC(3) | 9u << 27, 0x1000, 0x3000, 64);
    events(tile, 1000);
    assert_int_equal(sent(tile, 0)->flags, NOC_LINKED | NOC_STATIC_VC | NOC_TO_OVERLAY);
    assert_int_equal(sent(tile, 0)->virtual_channel, 3);
    assert_int_equal(sent(tile, 0)->priority, 9);
    assert_int_equal(sent(tile, 0)->packet_tag, 0x1C5);
}

static void a_hold_from_the_fabric_comes_as_a_packet(void **state)
{
    struct tile *tile = *state;
    write_far(tile, 0, 0x1000, 0x3000, 64);
    deliver(tile, incoming(NOC_HOLD, 700, 0), 102);
    events(tile, 699);
    assert_int_equal(tile->sent, 0);
    events(tile, 700);
    assert_int_equal(tile->sent, 1);
}

/* ---- Multicast ---- */

static void a_multicast_carries_its_rectangle_and_exclusion(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_BRCST_EXCLUDE, 0x123456);
    fields(tile, WR | BROADCAST | RESERVE | Y_MAJOR | INCLUDE | MARKED, 0x1000, HERE, 0x3000,
           2 | 3 << 6 | 12 << 12 | 10 << 18, 64); /* wraps around */
    go(tile);
    events(tile, 1000);
    noc_packet *packet = sent(tile, 0);
    assert_int_equal(packet->flags,
                     NOC_MULTICAST | NOC_PATH_RESERVE | NOC_Y_MAJOR | NOC_INCLUDE_SOURCE | NOC_RESPONSE_WANTED);
    assert_int_equal(packet->rectangle.start_x, 12);
    assert_int_equal(packet->rectangle.start_y, 10);
    assert_int_equal(packet->rectangle.end_x, 2);
    assert_int_equal(packet->rectangle.end_y, 3);
    assert_int_equal(packet->rectangle.exclude, 0x123456);
    assert_int_equal(packet->virtual_channel, 4);
    assert_int_equal(packet->return_to, noc_node_at(3, 4));
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID), 1);
}

static void a_multicast_atomic_takes_the_rectangle_from_targ_addr(void **state)
{
    struct tile *tile = *state;
    fields(tile, AT | BROADCAST, 0x3000, 4 | 5 << 6 | 1 << 12 | 2 << 18, 0, 0, 0x107C);
    go(tile);
    events(tile, 1000);
    assert_int_equal(sent(tile, 0)->rectangle.end_y, 5);
    assert_int_equal(sent(tile, 0)->rectangle.start_x, 1);
    assert_int_equal(sent(tile, 0)->flags, NOC_MULTICAST);
}

static void outstanding_goes_down_for_every_acknowledgement_of_a_multicast(void **state)
{
    struct tile *tile = *state;
    fields(tile, WR | BROADCAST | MARKED, 0x1000, HERE, 0x3000, 4 | 5 << 6 | 1 << 12 | 2 << 18, 64);
    go(tile);
    events(tile, 1000);
    for (unsigned i = 0; i < 3; i++)
        deliver(tile, incoming(NOC_WRITE_ACK, 0, 0), 1000);
    assert_int_equal(counter(tile, NIU_MST_WR_ACK_RECEIVED), 3);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID), 254);
}

static void broadcast_opt_out_has_a_bit_for_column_and_row(void **state)
{
    struct tile *tile = *state;
    struct niu *niu = &tile->dev.niu[1]; /* raw 13-7 */
    assert_true(niu_takes_broadcasts(niu));
    wr(tile, B, NOC1 + ROUTER_CFG_1, ~(1u << 13));
    wr(tile, B, NOC1 + ROUTER_CFG_3, ~(1u << 7));
    assert_true(niu_takes_broadcasts(niu));
    wr(tile, B, NOC1 + ROUTER_CFG_1, 1u << 13);
    assert_false(niu_takes_broadcasts(niu));
    wr(tile, B, NOC1 + ROUTER_CFG_1, 0);
    wr(tile, B, NOC1 + ROUTER_CFG_3, 1u << 7);
    assert_false(niu_takes_broadcasts(niu));
}

/* What goes to the bank behind a DRAM tile counts as if it had come to the tile. */
static void requests_to_a_bank_count_like_others(void **state)
{
    (void)state;
    static const uint16_t flags[] = {0, NOC_RESPONSE_WANTED, NOC_INLINE, NOC_INLINE | NOC_RESPONSE_WANTED};
    static const uint32_t length[] = {1, 64, 65, NOC_MAX_PAYLOAD};
    struct niu want, got;
    memset(&want, 0, sizeof want);
    memset(&got, 0, sizeof got);
    for (unsigned i = 0; i < 3 * 4 * 4; i++) {
        const noc_packet request = {
            .op = (uint8_t)(NOC_WRITE + i / 16), .flags = flags[i / 4 % 4], .length = length[i % 4], .address = 0x1030};
        niu_count_arrival(&want, &request);
        niu_count_bank(&got, niu_bank_request(&request));
        assert_true(niu_bank_request(&request) >= NIU_TRANSACTION_IDS);
        assert_memory_equal(want.counter, got.counter, sizeof want.counter);
    }
    for (unsigned i = 0; i < 4; i++) {
        const noc_packet response = {.op = NOC_READ_RESPONSE, .length = length[i], .address = 0x1030};
        niu_count_read_response(&want, &response);
        niu_count_bank(&got, niu_bank_response(&response));
        assert_memory_equal(want.counter, got.counter, sizeof want.counter);
    }
}

/* ---- Coordinates ---- */

static void coordinates_are_translated_when_bit_14_says_so(void **state)
{
    struct tile *tile = *state;
    /* x 20 -> 5, y 24 -> 6; 5 and 6 stay because their row and column are masked. */
    wr(tile, B, NOC0 + NOC_X_ID_TRANSLATE_TABLE_3, FAR_X << 10);
    wr(tile, B, NOC0 + NOC_Y_ID_TRANSLATE_TABLE_4, FAR_Y);
    wr(tile, B, NOC0 + NOC_ID_TRANSLATE_ROW_MASK, 1 << 4);
    wr(tile, B, NOC0 + NOC_ID_TRANSLATE_COL_MASK, 1 << 3);
    wr(tile, B, NOC0 + NIU_CFG_0, 1 << 14);
    fields(tile, WR, 0x1000, HERE, 0x3000, 20 | 24 << 6, 16);
    go(tile);
    wr(tile, B, NOC0 + NIU_CFG_0, 0); /* the moment of NOC_CMD_CTRL counts */
    events(tile, 1000);
    assert_int_equal(sent(tile, 0)->destination, noc_node_at(FAR_X, FAR_Y));
    assert_int_equal(rd(tile, B, NOC0 + NOC_RET_ADDR_HI), 20 | 24 << 6); /* not written back */
    fields(tile, WR, 0x1000, HERE, 0x3000, 20 | 24 << 6, 16);
    assert_int_equal(try_wr(tile, B, NOC0 + NOC_CMD_CTRL, 1), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "not on the grid");
}

/* ---- Arrival ---- */

static void a_write_lands_in_l1(void **state)
{
    struct tile *tile = *state;
    noc_packet *packet = incoming(NOC_WRITE, 0x3030, 100);
    deliver(tile, packet, 1000);
    assert_memory_equal(tile->l1 + 0x3030, packet->data, 100);
    assert_int_equal(counter(tile, NIU_SLV_POSTED_WR_REQ_STARTED), 1);
    assert_int_equal(counter(tile, NIU_SLV_POSTED_WR_REQ_RECEIVED), 1);
    assert_int_equal(counter(tile, NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED), 3);
    assert_int_equal(counter(tile, NIU_SLV_WR_ACK_SENT), 0);
    assert_int_equal(counter(tile, NIU_SLV_REQ_ACCEPTED), 0);
    packet->flags = NOC_RESPONSE_WANTED;
    deliver(tile, packet, 1000);
    assert_int_equal(counter(tile, NIU_SLV_NONPOSTED_WR_REQ_STARTED), 1);
    assert_int_equal(counter(tile, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED), 1);
    assert_int_equal(counter(tile, NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED), 3);
    assert_int_equal(counter(tile, NIU_SLV_WR_ACK_SENT), 1);
    assert_int_equal(tile->sent, 0); /* acknowledgements are the fabric's */
    assert_int_equal(tile->faults, 0);
}

static void a_write_of_four_bytes_reaches_a_register(void **state)
{
    struct tile *tile = *state;
    deliver(tile, incoming(NOC_WRITE, RISC_PIC_SW_INT_PC, 4), 1000);
    assert_int_equal(rd(tile, B, RISC_PIC_SW_INT_PC), 0x04030201);
    noc_packet *packet = incoming(NOC_WRITE, RISC_PIC_SW_INT_PC + 4, 4);
    packet->flags = NOC_INLINE | NOC_RESPONSE_WANTED;
    deliver(tile, packet, 1000);
    assert_int_equal(rd(tile, B, RISC_PIC_SW_INT_PC + 4), 0x04030201);
    assert_int_equal(counter(tile, NIU_SLV_NONPOSTED_WR_REQ_STARTED), 1);
    assert_int_equal(counter(tile, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED), 1);
    assert_int_equal(counter(tile, NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED), 1);
    assert_int_equal(tile->faults, 0);
}

static void a_byte_enabled_write_touches_only_its_bytes(void **state)
{
    struct tile *tile = *state;
    memset(tile->l1 + 0x3000, 0xEE, 128);
    noc_packet *packet = incoming(NOC_WRITE, 0x3018, 64);
    packet->flags = NOC_BYTE_ENABLE;
    packet->byte_enable = 0xC000000000000F05u;
    deliver(tile, packet, 1000);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(tile->l1[0x3010 + i], packet->byte_enable >> i & 1 ? i + 1 : 0xEE);
    packet->byte_enable = UINT64_MAX;
    deliver(tile, packet, 1000);
    assert_memory_equal(tile->l1 + 0x3010, packet->data, 64);
    assert_int_equal(tile->l1[0x3050], 0xEE);
}

static void a_byte_enabled_write_to_a_register_is_one_word_whatever_the_mask(void **state)
{
    struct tile *tile = *state;
    noc_packet *packet = incoming(NOC_WRITE, RISC_PIC_SW_INT_PC + 4, 64); /* 0x...AC */
    packet->flags = NOC_BYTE_ENABLE;
    deliver(tile, packet, 1000);
    assert_int_equal(rd(tile, B, RISC_PIC_SW_INT_PC + 4), 0x100F0E0D); /* congruent modulo 16 */
    assert_int_equal(tile->faults, 0);
}

static void the_header_is_stored_a_second_time(void **state)
{
    struct tile *tile = *state;
    noc_packet *packet = incoming(NOC_WRITE, 0x3000, 64);
    packet->flags = NOC_HEADER_STORE;
    packet->immediate = 0x500;
    deliver(tile, packet, 1000);
    assert_memory_equal(tile->l1 + 0x3000, packet->data, 64);
    assert_memory_equal(tile->l1 + 0x5000, packet->data, 16);
    assert_int_equal(tile->l1[0x5010], 0);
}

static void only_posted_writes_store_their_header(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_PACKET_TAG, 1 << 9);
    write_far(tile, 0, 0x1000, 0x3000, 64);
    events(tile, 1000);
    write_far(tile, MARKED, 0x1000, 0x3000, 64);
    events(tile, 1000);
    assert_int_equal(sent(tile, 0)->flags, NOC_HEADER_STORE);
    assert_int_equal(sent(tile, 1)->flags, NOC_RESPONSE_WANTED);
}

static void a_read_is_answered_with_what_is_there_when_the_answer_leaves(void **state)
{
    struct tile *tile = *state;
    noc_packet *packet = incoming(NOC_READ, 0x3030, 100);
    packet->return_address = 0x2030;
    packet->transaction_id = 6;
    deliver(tile, packet, 1000);
    assert_int_equal(counter(tile, NIU_SLV_REQ_ACCEPTED), 1);
    assert_int_equal(counter(tile, NIU_SLV_RD_REQ_RECEIVED), 1);
    assert_int_equal(counter(tile, NIU_SLV_RD_RESP_SENT), 0);
    memset(tile->l1 + 0x3030, 0xAB, 100);
    events(tile, 1000 + COST_NOC_TURNAROUND - 1);
    assert_int_equal(tile->sent, 0);
    events(tile, 1000 + COST_NOC_TURNAROUND);
    noc_packet *response = sent(tile, 0);
    assert_int_equal(response->op, NOC_READ_RESPONSE);
    assert_int_equal(response->address, 0x2030);
    assert_int_equal(response->length, 100);
    assert_int_equal(response->source, noc_node_at(3, 4));
    assert_int_equal(response->destination, noc_node_at(FAR_X, FAR_Y));
    assert_int_equal(response->transaction_id, 6);
    assert_int_equal(response->virtual_channel, 6);
    assert_memory_equal(response->data, tile->l1 + 0x3030, 100);
    assert_int_equal(counter(tile, NIU_SLV_RD_RESP_SENT), 1);
    assert_int_equal(counter(tile, NIU_SLV_RD_DATA_WORD_SENT), 3);
    unsigned held = 0;
    for (unsigned i = 0; i < FAKE_PACKETS; i++)
        held += tile->packet[i] != NULL;
    assert_int_equal(held, 1);
}

static void reads_are_answered_in_order_while_requests_leave(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 20; i++)
        deliver(tile, incoming(NOC_READ, 0x3000 + 256 * i, 256), 90);
    write_far(tile, 0, 0x1000, 0x3000, 64);
    events(tile, 10000);
    assert_int_equal(tile->sent, 21);
    uint64_t free = 0;
    for (unsigned i = 0, reads = 0; i < 21; i++) {
        if (sent(tile, i)->op == NOC_WRITE) {
            assert_int_equal(sent(tile, i)->cycle, ISSUED + COST_NOC_ISSUE); /* responses are not in its way */
            continue;
        }
        assert_true(sent(tile, i)->cycle >= free);
        free = sent(tile, i)->cycle + 5;
        assert_int_equal(sent(tile, i)->return_address, 0x3000 + 256 * reads++);
    }
    assert_int_equal(devices_next_event(&tile->dev), UINT64_MAX);
}

static void a_register_is_read_with_its_side_effect_when_the_answer_leaves(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISC_PIC_SW_INT, 0x77);
    deliver(tile, incoming(NOC_READ, RISC_PIC_SW_INT, 4), 90);
    assert_int_equal(pk(tile, B, RISC_PIC_SW_INT), 0x77);
    events(tile, 1000);
    assert_int_equal(pk(tile, B, RISC_PIC_SW_INT), 0);
    assert_int_equal(sent(tile, 0)->data[0], 0x77);
    deliver(tile, incoming(NOC_READ, RISC_PIC_SW_INT_PC + 2, 1), 90); /* a part of a word may be read */
    assert_int_equal(tile->faults, 0);
}

static void a_read_response_lands_and_counts(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_PACKET_TAG, 7 << 10);
    fields(tile, RD, 0x3000, FAR, 0x1000, HERE, 100);
    go(tile);
    events(tile, 1000);
    noc_packet *response = incoming(NOC_READ_RESPONSE, 0x1000, 100);
    response->transaction_id = 7;
    deliver(tile, response, 1000);
    assert_memory_equal(tile->l1 + 0x1000, response->data, 100);
    assert_int_equal(counter(tile, NIU_MST_RD_RESP_RECEIVED), 1);
    assert_int_equal(counter(tile, NIU_MST_RD_DATA_WORD_RECEIVED), 2);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 28), 0);
}

static void an_atomic_acts_and_answers(void **state)
{
    struct tile *tile = *state;
    set_l1_word(tile, 0x3004, 100);
    noc_packet *packet = incoming(NOC_ATOMIC, 0x3004, 4);
    packet->at_len_be = 0x107D;
    packet->immediate = 11;
    packet->return_address = 0x2008;
    deliver(tile, packet, 1000);
    assert_int_equal(l1_word(tile, 0x3004), 111);
    assert_int_equal(counter(tile, NIU_SLV_REQ_ACCEPTED), 1);
    assert_int_equal(counter(tile, NIU_SLV_POSTED_ATOMIC_RECEIVED), 1);
    assert_int_equal(counter(tile, NIU_SLV_ATOMIC_RESP_SENT), 0);
    packet->flags = NOC_RESPONSE_WANTED;
    packet->transaction_id = 3;
    deliver(tile, packet, 1000);
    assert_int_equal(counter(tile, NIU_SLV_NONPOSTED_ATOMIC_RECEIVED), 1);
    assert_int_equal(counter(tile, NIU_SLV_ATOMIC_RESP_SENT), 1);
    events(tile, 2000);
    assert_int_equal(tile->sent, 1);
    assert_int_equal(sent(tile, 0)->op, NOC_ATOMIC_RESPONSE);
    assert_int_equal(sent(tile, 0)->immediate, 111);
    assert_int_equal(sent(tile, 0)->address, 0x2008);
    assert_int_equal(sent(tile, 0)->transaction_id, 3);
    assert_int_equal(l1_word(tile, 0x3004), 122);
}

static void an_atomic_response_lands_and_counts(void **state)
{
    struct tile *tile = *state;
    noc_packet *response = incoming(NOC_ATOMIC_RESPONSE, 0x1008, 4);
    response->immediate = 0xABCD;
    response->transaction_id = 1;
    deliver(tile, response, 1000);
    assert_int_equal(l1_word(tile, 0x1008), 0xABCD);
    assert_int_equal(counter(tile, NIU_MST_ATOMIC_RESP_RECEIVED), 1);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 4), 255);
}

/* ---- Clearing and interrupts ---- */

static void outstanding_counters_are_cleared_by_mask(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 16; i++)
        devices_poke(tile, B, NOC0 + NIU_MST_REQS_OUTSTANDING_ID + 4 * i, i + 1, 0);
    wr(tile, B, NOC0 + NOC_CLEAR_OUTSTANDING_REQ_CNT, 0x8001);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID + 4 * i), i == 0 || i == 15 ? 0 : i + 1);
    assert_int_equal(rd(tile, B, NOC0 + NOC_CLEAR_OUTSTANDING_REQ_CNT), 0);
}

static void finish(struct tile *tile, unsigned noc, unsigned id)
{
    devices_poke(tile, B, NOC0 + 0x10000 * noc + NIU_MST_REQS_OUTSTANDING_ID + 4 * id, 1, 0);
    noc_packet *ack = incoming(NOC_WRITE_ACK, 0, 0);
    ack->noc = (uint8_t)noc;
    ack->transaction_id = (uint8_t)id;
    deliver(tile, ack, 1000);
}

static void a_counter_gone_to_zero_raises_the_irq_of_its_noc(void **state)
{
    struct tile *tile = *state;
    for (unsigned noc = 0; noc < 2; noc++) {
        uint32_t base = NOC0 + 0x10000 * noc;
        wr(tile, B, base + NIU_TRANS_COUNT_RTZ_CFG, 1 << 5);
        finish(tile, noc, 4);
        assert_int_equal(rd(tile, B, base + NIU_TRANS_COUNT_RTZ_SOURCE), 1 << 4);
        assert_int_equal(rd(tile, B, RISC_PIC_HW_INT + 4 * (1 + noc)), 0);
        finish(tile, noc, 5);
        assert_int_equal(rd(tile, B, base + NIU_TRANS_COUNT_RTZ_SOURCE), 3 << 4);
        assert_int_equal(rd(tile, B, RISC_PIC_HW_INT + 4 * (1 + noc)), 1);
        wr(tile, B, base + NIU_TRANS_COUNT_RTZ_CLR, 1 << 5);
        assert_int_equal(rd(tile, B, base + NIU_TRANS_COUNT_RTZ_SOURCE), 1 << 4);
        assert_int_equal(rd(tile, B, RISC_PIC_HW_INT + 4 * (1 + noc)), 0);
        assert_int_equal(rd(tile, B, base + NIU_TRANS_COUNT_RTZ_CLR), 0);
    }
}

static void reading_rtz_num_clears_its_bit_unless_bit_28_is_set(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_CFG, 0xFFFF);
    finish(tile, 0, 9);
    finish(tile, 0, 12);
    assert_int_equal(pk(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_NUM), 9);
    assert_int_equal(rd(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_NUM), 9);
    assert_int_equal(rd(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_SOURCE), 1 << 12);
    wr(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_CFG, 1u << 28 | 0xFFFF);
    assert_int_equal(rd(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_NUM), 12);
    assert_int_equal(rd(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_SOURCE), 1 << 12);
    wr(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_CFG, 0xFFFF);
    assert_int_equal(rd(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_NUM), 12);
    assert_int_equal(rd(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_NUM), 0);
    assert_int_equal(rd(tile, B, RISC_PIC_HW_INT + 4), 0);
}

static void an_underflow_is_not_a_return_to_zero(void **state)
{
    struct tile *tile = *state;
    deliver(tile, incoming(NOC_WRITE_ACK, 0, 0), 1000);
    assert_int_equal(counter(tile, NIU_MST_REQS_OUTSTANDING_ID), 255);
    assert_int_equal(rd(tile, B, NOC0 + NIU_TRANS_COUNT_RTZ_SOURCE), 0);
}

/* ---- Faults ---- */

static dev_result start_at(struct tile *tile)
{
    return devices_write(tile, B, NOC0 + NOC_CMD_CTRL, 4, 1, ISSUED);
}

static void nothing_is_sent(struct tile *tile)
{
    assert_int_equal(rd(tile, B, NOC0 + NOC_CMD_CTRL), 0);
    events(tile, 10000);
    assert_int_equal(tile->sent, 0);
}

static void the_reserved_type_is_refused(void **state)
{
    struct tile *tile = *state;
    fields(tile, 3, 0x1000, HERE, 0x3000, FAR, 64);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "type 3");
    nothing_is_sent(tile);
}

static void a_read_cannot_be_a_multicast(void **state)
{
    struct tile *tile = *state;
    fields(tile, RD | BROADCAST, 0x1000, FAR, 0x3000, HERE, 64);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "broadcast");
    nothing_is_sent(tile);
}

static void a_place_off_the_grid_is_refused(void **state)
{
    struct tile *tile = *state;
    fields(tile, WR, 0x1000, HERE, 0x3000, 17 | 3 << 6, 64);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "not on the grid");
    nothing_is_sent(tile);
}

static void the_message_names_both_ends(void **state)
{
    struct tile *tile = *state;
    fields(tile, WR, 0x1004, HERE, 0x3000, FAR, 64);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "NoC 0 write, 64 bytes, 3-4 0x1004 -> 5-6 0x3000: ");
    assert_non_null(strstr(tile->fault_text, "modulo 16"));
    events(tile, 10000);
    assert_int_equal(tile->sent, 1); /* what is meant is clear */
}

static void lengths_of_zero_and_beyond_l1_are_refused(void **state)
{
    struct tile *tile = *state;
    fields(tile, WR, 0x1000, HERE, 0x3000, FAR, 0);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "length 0");
    tile->faults = 0;
    fields(tile, WR, DEVICES_L1_BYTES - 16, HERE, 0x3000, FAR, 32);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "past the end of L1");
    nothing_is_sent(tile);
}

static void a_split_needs_addresses_that_are_multiples_of_64(void **state)
{
    struct tile *tile = *state;
    fields(tile, WR, 0x1010, HERE, 0x3010, FAR, 20000);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "multiples of 64");
}

static void a_register_gives_no_more_than_its_word(void **state)
{
    struct tile *tile = *state;
    fields(tile, WR, NOC0 + NOC_NODE_ID, HERE, 0x3000, FAR, 8);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "at most the rest of one word");
    nothing_is_sent(tile);
}

/* That the addresses are no multiples of 64 is what the policy may go on from; the source is not. */
static void a_long_write_from_a_register_is_refused(void **state)
{
    static const uint32_t source[] = {NOC0 + NOC_NODE_ID, DEVICES_L1_BYTES - 16};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 2; i++) {
        tile->faults = 0;
        fields(tile, WR, source[i], HERE, 0x3000, FAR, 20000);
        assert_int_equal(start_at(tile), DEV_FAULT);
        faults(tile, KERR_FAULT_UNDEFINED,
               i == 0 ? "at most the rest of one word" : "the source runs past the end of L1");
        nothing_is_sent(tile);
    }
}

/* A register that is asked for more gives its word once, whatever length came with the question. */
static void a_long_read_of_a_register_gives_its_word(void **state)
{
    static const uint32_t lengths[] = {8, 64, NOC_MAX_PAYLOAD};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 3; i++) {
        noc_packet *packet = incoming(NOC_READ, NOC0 + NOC_NODE_ID, lengths[i]);
        packet->return_address = 0x2000 + NOC_NODE_ID;
        tile->faults = 0;
        deliver(tile, packet, 1000 * (i + 1));
        faults(tile, KERR_FAULT_UNDEFINED, "rest of one word");
        events(tile, 1000 * (i + 2) - 1);
        assert_int_equal(tile->sent, i + 1);
        assert_int_equal(sent(tile, i)->length, 4);
        uint32_t word;
        memcpy(&word, sent(tile, i)->data, 4);
        assert_int_equal(word, rd(tile, B, NOC0 + NOC_NODE_ID));
    }
}

/* As a saved chip may have it: nobody has looked at what waits there.  Behind the word there is nothing. */
static void an_answer_that_waits_has_nothing_behind_a_word(void **state)
{
    struct tile *tile = *state;
    packet_ref ref;
    noc_packet *waits = tile_noc_new(tile, 0, &ref);
    memcpy(waits, incoming(NOC_READ, NOC0 + NOC_NODE_ID + 2, NOC_MAX_PAYLOAD), sizeof *waits);
    niu_queue_packet(tile, 0, ref, 100);
    events(tile, 1000);
    assert_int_equal(sent(tile, 0)->length, NOC_MAX_PAYLOAD);
    uint32_t word;
    memcpy(&word, sent(tile, 0)->data, 4);
    assert_int_equal(word, rd(tile, B, NOC0 + NOC_NODE_ID) >> 16);
    for (unsigned i = 4; i < NOC_MAX_PAYLOAD; i++)
        assert_int_equal(sent(tile, 0)->data[i], 0);
}

static void accumulation_is_unpredictable_and_adds(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NOC_L1_ACC_AT_INSTRN, 9u << 12 | 4);
    fields(tile, WR | ACCUMULATE, 0x1000, HERE, 0x3000, FAR, 32);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNPREDICTABLE, "hardware bug");
    for (uint32_t i = 0; i < 8; i++) {
        set_l1_word(tile, 0x1000 + 4 * i, i);
        set_l1_word(tile, 0x3000 + 4 * i, 1000);
    }
    events(tile, 1000);
    assert_int_equal(sent(tile, 0)->flags, NOC_L1_ACCUMULATE);
    deliver(tile, sent(tile, 0), 1000);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(l1_word(tile, 0x3000 + 4 * i), 1000 + i);
}

static void an_inline_write_to_l1_is_unpredictable_and_writes_its_word(void **state)
{
    struct tile *tile = *state;
    noc_packet *packet = incoming(NOC_WRITE, 0x3008, 4);
    packet->flags = NOC_INLINE;
    packet->byte_enable = 0xF00;
    deliver(tile, packet, 1000);
    faults(tile, KERR_FAULT_UNPREDICTABLE, "NOC_CMD_WR_INLINE");
    assert_int_equal(l1_word(tile, 0x3008), 0x04030201);
    assert_int_equal(l1_word(tile, 0x3004), 0);
    assert_int_equal(l1_word(tile, 0x300C), 0);
}

static void a_static_channel_must_fit_the_kind_of_request(void **state)
{
    struct tile *tile = *state;
    fields(tile, WR | STATIC | VC(4), 0x1000, HERE, 0x3000, FAR, 64);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNPREDICTABLE, "class 0b00 or 0b01");
    events(tile, 1000);
    tile->faults = 0;
    fields(tile, WR | BROADCAST | STATIC | VC(1), 0x1000, HERE, 0x3000, FAR | 1 << 12 | 2 << 18, 64);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNPREDICTABLE, "class 0b10");
    assert_non_null(strstr(tile->fault_text, "1-2..5-6"));
}

static void a_linked_transaction_goes_to_one_place_on_one_channel(void **state)
{
    struct tile *tile = *state;
    write_far(tile, LINKED, 0x1000, 0x3000, 64);
    events(tile, 200);
    write_far(tile, LINKED, 0x1000, 0x3000, 64);
    events(tile, 300);
    assert_int_equal(tile->faults, 0);
    fields(tile, WR | LINKED, 0x1000, HERE, 0x3000, 6 | 6 << 6, 64);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNPREDICTABLE, "goes elsewhere");
    events(tile, 400);
    tile->faults = 0;
    fields(tile, WR | STATIC | VC(3), 0x1000, HERE, 0x3000, 6 | 6 << 6, 64);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNPREDICTABLE, "another channel");
    events(tile, 500);
    tile->faults = 0;
    write_far(tile, 0, 0x1000, 0x3000, 64); /* that one was the last of the transaction */
    assert_int_equal(tile->faults, 0);
}

static void a_busy_initiator_must_not_be_touched(void **state)
{
    struct tile *tile = *state;
    write_far(tile, 0, 0x1000, 0x3000, 64);
    assert_int_equal(try_wr(tile, B, NOC0 + NOC_AT_LEN_BE, 64), DEV_OK); /* it is that already */
    assert_int_equal(tile->faults, 0);
    assert_int_equal(try_wr(tile, B, NOC0 + NOC_AT_LEN_BE, 32), DEV_FAULT);
    faults(tile, KERR_FAULT_UNPREDICTABLE, "before NOC_CMD_CTRL went back to 0");
    tile->faults = 0;
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNPREDICTABLE, "has not left");
    events(tile, 1000);
    assert_int_equal(tile->sent, 1);
}

/* What is written before the virtual channel is assigned is what goes out, unless no packet can be made of it. */
static void what_became_impossible_while_it_waited_is_given_up(void **state)
{
    static const struct {
        uint32_t offset, value;
        const char *why;
    } change[] = {
        {NOC_TARG_ADDR_LO, NOC0 + NOC_NODE_ID, "rest of one word"},
        {NOC_TARG_ADDR_LO, DEVICES_L1_BYTES - 32, "past the end of L1"},
        {NOC_AT_LEN_BE, 0, "length 0"},
        {NOC_CTRL, 3, "type 3"},
        {NOC_CTRL, RD | BROADCAST, "broadcast"},
        {NOC_AT_LEN_BE_1, 1, "longer than any memory"},
    };
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof change / sizeof *change; i++) {
        wr(tile, B, NOC0 + NOC_AT_LEN_BE_1, 0);
        write_far(tile, 0, 0x1000, 0x3000, 64);
        assert_int_equal(try_wr(tile, B, NOC0 + change[i].offset, change[i].value), DEV_FAULT);
        tile->faults = 0;
        events(tile, 1000);
        faults(tile, KERR_FAULT_UNDEFINED, change[i].why);
        assert_non_null(strstr(tile->fault_text, "changed while it waited, not sent"));
        assert_int_equal(tile->sent, 0);
        assert_int_equal(rd(tile, B, NOC0 + NOC_CMD_CTRL), 0);
        assert_int_equal(counter(tile, NIU_MST_WRITE_REQS_OUTGOING_ID), i + 1);
        tile->faults = 0;
    }
    wr(tile, B, NOC0 + NOC_AT_LEN_BE_1, 0);
    write_far(tile, 0, 0x1000, 0x3000, 64); /* and the initiator is as good as new */
    events(tile, 2000);
    assert_int_equal(tile->sent, 1);
    assert_int_equal(tile->faults, 0);
}

static void no_other_initiator_starts_while_a_request_is_split(void **state)
{
    struct tile *tile = *state;
    write_far(tile, 0, 0x1000, 0x3000, 32768);
    events(tile, ISSUED + COST_NOC_ISSUE);
    wr(tile, B, NOC0 + 0x800 + NOC_CTRL, AT);
    wr(tile, B, NOC0 + 0x800 + NOC_TARG_ADDR_HI, FAR);
    assert_int_equal(devices_write(tile, B, NOC0 + 0x800 + NOC_CMD_CTRL, 4, 1, ISSUED),
                     DEV_OK); /* one packet is left */
    events(tile, 10000);
    write_far(tile, 0, 0x1000, 0x3000, 40000);
    events(tile, ISSUED + COST_NOC_ISSUE);
    assert_int_equal(devices_write(tile, B, NOC0 + 0x800 + NOC_CMD_CTRL, 4, 1, ISSUED), DEV_FAULT);
    faults(tile, KERR_FAULT_UNPREDICTABLE, "still being split");
}

static void the_request_fifo_is_not_described(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, NOC0 + NIU_CFG_0, 1 << 16);
    fields(tile, WR, 0x1000, HERE, 0x3000, FAR, 64);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNKNOWN, "request FIFO");
}

static void a_write_past_the_end_of_l1_is_dropped(void **state)
{
    struct tile *tile = *state;
    noc_packet *packet = incoming(NOC_WRITE, DEVICES_L1_BYTES - 32, 64);
    packet->return_address = 0x1000;
    packet->initiator_core = NC;
    packet->initiator_pc = 0x4567;
    deliver(tile, packet, 1000);
    faults(tile, KERR_FAULT_UNDEFINED, "NoC 0 write, 64 bytes, 5-6 0x1000 -> 3-4 0x17ffe0: past the end of L1");
    assert_non_null(strstr(tile->fault_text, "NC of 5-6, pc 0x4567"));
    assert_int_equal(tile->l1[DEVICES_L1_BYTES - 32], 0);
    tile->faults = 0;
    deliver(tile, incoming(NOC_WRITE, 0x100003000, 64), 1000); /* more than 32 bits */
    faults(tile, KERR_FAULT_UNDEFINED, "past the end of L1");
}

static void a_register_takes_four_bytes_only(void **state)
{
    struct tile *tile = *state;
    deliver(tile, incoming(NOC_WRITE, RISC_PIC_SW_INT_PC, 8), 1000);
    faults(tile, KERR_FAULT_UNDEFINED, "four bytes");
    tile->faults = 0;
    deliver(tile, incoming(NOC_WRITE, RISC_PIC_SW_INT_PC + 2, 4), 1000);
    faults(tile, KERR_FAULT_UNDEFINED, "multiple of 4");
    tile->faults = 0;
    deliver(tile, incoming(NOC_WRITE, 0xFFF00000, 4), 1000);
    faults(tile, KERR_FAULT_UNDEFINED, "no register there for the NoC");
    tile->faults = 0;
    deliver(tile, incoming(NOC_READ, RISC_PIC_SW_INT_PC, 8), 1000);
    faults(tile, KERR_FAULT_UNDEFINED, "rest of one word");
    events(tile, 2000);
    assert_int_equal(tile->sent, 1);
}

static void reads_are_checked_where_they_are_answered(void **state)
{
    struct tile *tile = *state;
    noc_packet *packet = incoming(NOC_READ, 0x3004, 64);
    packet->return_address = 0x1000;
    deliver(tile, packet, 1000);
    faults(tile, KERR_FAULT_UNDEFINED, "NoC 0 read, 64 bytes, 5-6 0x1000 <- 3-4 0x3004: the two addresses differ");
    tile->faults = 0;
    deliver(tile, incoming(NOC_READ, DEVICES_L1_BYTES, 64), 1000);
    faults(tile, KERR_FAULT_UNDEFINED, "past the end of L1");
    events(tile, 2000);
    assert_int_equal(sent(tile, 1)->data[63], 0xFF);
}

static void an_atomic_needs_l1_at_both_ends(void **state)
{
    struct tile *tile = *state;
    deliver(tile, incoming(NOC_ATOMIC, RISC_PIC_SW_INT, 4), 1000);
    faults(tile, KERR_FAULT_UNDEFINED, "atomics act on L1 only");
    tile->faults = 0;
    deliver(tile, incoming(NOC_ATOMIC_RESPONSE, RISC_PIC_SW_INT, 4), 1000);
    faults(tile, KERR_FAULT_UNDEFINED, "goes to L1 only");
    tile->faults = 0;
    deliver(tile, incoming(NOC_ATOMIC, 0x3000, 4), 1000);
    faults(tile, KERR_FAULT_UNKNOWN, "NOC_AT_LEN_BE");
    tile->faults = 0;
    fields(tile, AT, 0x3002, FAR, 0, HERE, 0x107C);
    assert_int_equal(start_at(tile), DEV_FAULT);
    faults(tile, KERR_FAULT_UNDEFINED, "multiples of 4");
}

/* ---- Polling ---- */

static void polling_cores_are_told_before_anything_changes(void **state)
{
    struct tile *tile = *state;
    write_far(tile, MARKED, 0x1000, 0x3000, 64);
    assert_true(tile->changing > 0);
    tile->changing = 0;
    events(tile, ISSUED + COST_NOC_ISSUE);
    assert_int_equal(tile->changing, 2); /* counters, NOC_CMD_CTRL */
    events(tile, 1000);
    assert_int_equal(tile->changing, 3); /* data has left */
    deliver(tile, incoming(NOC_WRITE_ACK, 0, 0), 1000);
    assert_true(tile->changing > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_register_of_the_table_answers),
        CASE(what_stands_in_no_row_answers_to_nobody),
        CASE(identification_is_read_only_and_stands_four_times),
        CASE(initiators_and_configuration_keep_their_own_values),
        CASE(the_upper_half_of_the_packet_tag_reads_as_zero),
        CASE(counters_are_read_only_but_for_a_debugger),
        CASE(a_posted_write_carries_l1_to_the_other_end),
        CASE(counters_of_a_posted_write_at_the_sender),
        CASE(counters_of_an_acknowledged_write_at_the_sender),
        CASE(the_acknowledgement_goes_where_targ_addr_hi_says),
        CASE(a_write_from_a_register_carries_its_word),
        CASE(a_byte_enabled_write_carries_64_bytes_and_the_mask),
        CASE(an_inline_write_goes_to_targ_addr_and_is_one_flit),
        CASE(counters_of_an_acknowledged_inline_write),
        CASE(a_read_asks_targ_addr_and_comes_back_to_ret_addr),
        CASE(an_atomic_carries_its_operands),
        CASE(counters_of_a_posted_atomic),
        CASE(a_long_write_is_split),
        CASE(a_long_read_is_split),
        CASE(the_outstanding_counter_has_eight_bits),
        CASE(initiators_go_in_the_order_of_their_starts),
        CASE(the_two_nocs_do_not_wait_for_each_other),
        CASE(back_pressure_holds_the_injection),
        CASE(a_hold_from_the_fabric_comes_as_a_packet),
        CASE(flags_priority_and_channel_travel_with_the_packet),
        CASE(a_multicast_carries_its_rectangle_and_exclusion),
        CASE(a_multicast_atomic_takes_the_rectangle_from_targ_addr),
        CASE(outstanding_goes_down_for_every_acknowledgement_of_a_multicast),
        CASE(broadcast_opt_out_has_a_bit_for_column_and_row),
        CASE(requests_to_a_bank_count_like_others),
        CASE(coordinates_are_translated_when_bit_14_says_so),
        CASE(a_write_lands_in_l1),
        CASE(a_write_of_four_bytes_reaches_a_register),
        CASE(a_byte_enabled_write_touches_only_its_bytes),
        CASE(a_byte_enabled_write_to_a_register_is_one_word_whatever_the_mask),
        CASE(the_header_is_stored_a_second_time),
        CASE(only_posted_writes_store_their_header),
        CASE(a_read_is_answered_with_what_is_there_when_the_answer_leaves),
        CASE(reads_are_answered_in_order_while_requests_leave),
        CASE(a_register_is_read_with_its_side_effect_when_the_answer_leaves),
        CASE(a_read_response_lands_and_counts),
        CASE(an_atomic_acts_and_answers),
        CASE(an_atomic_response_lands_and_counts),
        CASE(outstanding_counters_are_cleared_by_mask),
        CASE(a_counter_gone_to_zero_raises_the_irq_of_its_noc),
        CASE(reading_rtz_num_clears_its_bit_unless_bit_28_is_set),
        CASE(an_underflow_is_not_a_return_to_zero),
        CASE(the_reserved_type_is_refused),
        CASE(a_read_cannot_be_a_multicast),
        CASE(a_place_off_the_grid_is_refused),
        CASE(the_message_names_both_ends),
        CASE(lengths_of_zero_and_beyond_l1_are_refused),
        CASE(a_split_needs_addresses_that_are_multiples_of_64),
        CASE(a_register_gives_no_more_than_its_word),
        CASE(a_long_write_from_a_register_is_refused),
        CASE(a_long_read_of_a_register_gives_its_word),
        CASE(an_answer_that_waits_has_nothing_behind_a_word),
        CASE(accumulation_is_unpredictable_and_adds),
        CASE(an_inline_write_to_l1_is_unpredictable_and_writes_its_word),
        CASE(a_static_channel_must_fit_the_kind_of_request),
        CASE(a_linked_transaction_goes_to_one_place_on_one_channel),
        CASE(a_busy_initiator_must_not_be_touched),
        CASE(what_became_impossible_while_it_waited_is_given_up),
        CASE(no_other_initiator_starts_while_a_request_is_split),
        CASE(the_request_fifo_is_not_described),
        CASE(a_write_past_the_end_of_l1_is_dropped),
        CASE(a_register_takes_four_bytes_only),
        CASE(reads_are_checked_where_they_are_answered),
        CASE(an_atomic_needs_l1_at_both_ends),
        CASE(polling_cores_are_told_before_anything_changes),
    };
    return RUN(tests);
}
