/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
#include "unit/tile/fake_tile.h"

#include "costs.h"

#define AT(stream, name) (0xFFB40000u + (stream)*0x1000u + name##_REG_INDEX * 4u)

enum {
    AUTO_CONFIG = 1,
    AUTO_ADVANCE = 2,
    SOURCE = 1 << 4,
    RECEIVER = 1 << 6,
    STATUS_IDLE = 1,
    STATUS_MOVING = 1 << 2 | 5 << 3,
};

static uint32_t get(struct tile *tile, unsigned stream, unsigned index)
{
    return rd(tile, B, 0xFFB40000u + stream * 0x1000u + index * 4u);
}
static void put(struct tile *tile, unsigned stream, unsigned index, uint32_t value)
{
    wr(tile, B, 0xFFB40000u + stream * 0x1000u + index * 4u, value);
}
#define GET(stream, name) get(tile, stream, name##_REG_INDEX)
#define PUT(stream, name, value) put(tile, stream, name##_REG_INDEX, value)

/* ---- As general-purpose registers (manual WormholeB0/NoC/Overlay/AsGeneralUse) ---- */

static void every_plain_register_keeps_its_width_and_nothing_else(void **state)
{
    static const struct {
        unsigned index, bits;
    } plain[] = {
        {STREAM_REMOTE_SRC_REG_INDEX, 24},
        {STREAM_MEM_BUF_SPACE_AVAILABLE_ACK_THRESHOLD_REG_INDEX, 4},
        {STREAM_REMOTE_DEST_REG_INDEX, 18},
        {STREAM_REMOTE_DEST_BUF_START_REG_INDEX, 17},
        {STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX, 17},
        {STREAM_REMOTE_DEST_WR_PTR_REG_INDEX, 17},
        {STREAM_REMOTE_DEST_MSG_INFO_WR_PTR_REG_INDEX, 17},
        {STREAM_REMOTE_DEST_TRAFFIC_REG_INDEX, 7},
        {STREAM_BUF_START_REG_INDEX, 17},
        {STREAM_BUF_SIZE_REG_INDEX, 17},
        {STREAM_RD_PTR_REG_INDEX, 18},
        {STREAM_WR_PTR_REG_INDEX, 18},
        {STREAM_MSG_INFO_PTR_REG_INDEX, 17},
        {STREAM_MSG_INFO_WR_PTR_REG_INDEX, 18},
        {STREAM_CURR_PHASE_BASE_REG_INDEX, 20},
        {STREAM_PHASE_AUTO_CFG_PTR_BASE_REG_INDEX, 17},
        {STREAM_MISC_CFG_REG_INDEX, 23},
    };
    struct tile *tile = *state;
    for (unsigned stream = 0; stream < 64; stream++) {
        for (unsigned i = 0; i < sizeof plain / sizeof *plain; i++) {
            assert_int_equal(get(tile, stream, plain[i].index), 0);
            put(tile, stream, plain[i].index, 0xFFFFFFFF);
            assert_int_equal(get(tile, stream, plain[i].index), (1u << plain[i].bits) - 1);
            put(tile, stream, plain[i].index, 0x12345678);
            assert_int_equal(get(tile, stream, plain[i].index), 0x12345678 & ((1u << plain[i].bits) - 1));
        }
    }
    assert_int_equal(GET(0, STREAM_REMOTE_SRC), 0x345678);
}

static void streams_do_not_touch_each_other(void **state)
{
    struct tile *tile = *state;
    for (unsigned stream = 0; stream < 64; stream++) {
        PUT(stream, STREAM_REMOTE_SRC, stream);
        PUT(stream, STREAM_REMOTE_DEST_BUF_START, 100 + stream);
        PUT(stream, STREAM_REMOTE_DEST_BUF_SIZE, 200 + stream);
    }
    for (unsigned stream = 0; stream < 64; stream++) {
        assert_int_equal(GET(stream, STREAM_REMOTE_SRC), stream);
        assert_int_equal(GET(stream, STREAM_REMOTE_DEST_BUF_START), 100 + stream);
        assert_int_equal(GET(stream, STREAM_REMOTE_DEST_BUF_SIZE), 200 + stream);
        assert_int_equal(GET(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE), 200 + stream);
    }
}

static void buf_size_sets_the_space_and_updates_add_to_it(void **state)
{
    struct tile *tile = *state;
    PUT(7, STREAM_REMOTE_DEST_BUF_SIZE, 1000);
    PUT(7, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE, 5); /* read only */
    assert_int_equal(GET(7, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE), 1000);
    PUT(7, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE, 24 << 6);
    assert_int_equal(GET(7, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE), 1024);
    assert_int_equal(GET(7, STREAM_REMOTE_DEST_BUF_SIZE), 1000);
    assert_int_equal(GET(7, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE), 0); /* write only */
}

static void the_space_wraps_at_17_bits(void **state)
{
    struct tile *tile = *state;
    PUT(9, STREAM_REMOTE_DEST_BUF_SIZE, 0x1FFFF);
    PUT(9, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE, 3 << 6);
    assert_int_equal(GET(9, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE), 2);
}

static void minus_one_counts_down_and_shows_in_the_upper_field(void **state)
{
    struct tile *tile = *state;
    PUT(9, STREAM_REMOTE_DEST_BUF_SIZE, 3);
    PUT(9, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE, (uint32_t)-1 << 6);
    uint32_t space = GET(9, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE);
    assert_int_equal(space & 0x1FFFF, 2); /* as the vendor's code reads it */
    assert_int_equal(space >> 17, 0x1FF);
    PUT(9, STREAM_REMOTE_DEST_MSG_INFO_BUF_SIZE, 7);
    assert_int_equal(GET(9, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE), 256 << 17 | 2);
}

static void multicast_streams_have_32_spaces(void **state)
{
    struct tile *tile = *state;
    PUT(3, STREAM_REMOTE_DEST_BUF_SIZE, 10);
    PUT(3, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE, 5 << 6 | 31);
    assert_int_equal(get(tile, 3, 297 + 30), 10);
    assert_int_equal(get(tile, 3, 297 + 31), 15);
    assert_int_equal(get(tile, 4, 297 + 31), 0);
    assert_int_equal(try_wr(tile, B, AT(4, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE), 5 << 6 | 1), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
    assert_non_null(strstr(tile->fault_text, "stream 4 has no receiver 1"));
}

static void debug_status_2_tells_of_space(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(get(tile, 20, 503), 1);
    PUT(20, STREAM_REMOTE_DEST_BUF_SIZE, 1);
    assert_int_equal(get(tile, 20, 503), 9);
    PUT(2, STREAM_REMOTE_DEST_BUF_SIZE, 0);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(get(tile, 2, 503), 1);
        PUT(2, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE, 1 << 6 | i);
    }
    assert_int_equal(get(tile, 2, 503), 9);
}

static void buffer_starts_reset_their_pointers(void **state)
{
    struct tile *tile = *state;
    PUT(12, STREAM_REMOTE_DEST_WR_PTR, 7);
    PUT(12, STREAM_REMOTE_DEST_BUF_START, 1);
    assert_int_equal(GET(12, STREAM_REMOTE_DEST_WR_PTR), 0);
    PUT(12, STREAM_WR_PTR, 7);
    PUT(12, STREAM_RD_PTR, 8);
    PUT(12, STREAM_BUF_START, 100);
    assert_int_equal(GET(12, STREAM_WR_PTR), 0);
    assert_int_equal(GET(12, STREAM_RD_PTR), 0);
    PUT(12, STREAM_RD_PTR, 8);
    assert_int_equal(GET(12, STREAM_NEXT_RECEIVED_MSG_ADDR), 108);
    assert_int_equal(GET(12, STREAM_NEXT_RECEIVED_MSG_SIZE), 0);
}

static void bases_are_added_on_writes_and_subtracted_on_reads(void **state)
{
    struct tile *tile = *state;
    PUT(1, STREAM_CURR_PHASE_BASE, 0xFFFFF);
    PUT(1, STREAM_CURR_PHASE, 5);
    PUT(1, STREAM_REMOTE_SRC_PHASE, 6);
    PUT(1, STREAM_PHASE_AUTO_CFG_PTR_BASE, 0x1FFF0);
    PUT(1, STREAM_PHASE_AUTO_CFG_PTR, 0x20);
    assert_int_equal(GET(1, STREAM_CURR_PHASE), 5);
    assert_int_equal(GET(1, STREAM_REMOTE_SRC_PHASE), 6);
    assert_int_equal(GET(1, STREAM_PHASE_AUTO_CFG_PTR), 0x20);
    PUT(1, STREAM_CURR_PHASE_BASE, 0);
    PUT(1, STREAM_PHASE_AUTO_CFG_PTR_BASE, 0);
    assert_int_equal(GET(1, STREAM_CURR_PHASE), 4);
    assert_int_equal(GET(1, STREAM_REMOTE_SRC_PHASE), 5);
    assert_int_equal(GET(1, STREAM_PHASE_AUTO_CFG_PTR), 0x10);
    assert_int_equal(overlay_curr_phase(tile, 1), 4);
}

static void the_header_counts_phases(void **state)
{
    struct tile *tile = *state;
    PUT(30, STREAM_PHASE_AUTO_CFG_HEADER, 0xAB123004);
    PUT(30, STREAM_PHASE_AUTO_CFG_HEADER, 0xCD456003);
    assert_int_equal(GET(30, STREAM_CURR_PHASE), 7);
    assert_int_equal(GET(30, STREAM_PHASE_AUTO_CFG_HEADER), 0xCD456456);
    assert_int_equal(GET(30, STREAM_PHASE_AUTO_CFG_PTR), 0); /* moves with PHASE_AUTO_CONFIG only */
}

static void can_push_compares_the_message_info_pointers(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(GET(8, STREAM_MSG_INFO_CAN_PUSH_NEW_MSG), 1);
    PUT(8, STREAM_MSG_INFO_PTR, 5);
    assert_int_equal(GET(8, STREAM_MSG_INFO_CAN_PUSH_NEW_MSG), 0);
    PUT(8, STREAM_MSG_INFO_WR_PTR, 5);
    assert_int_equal(GET(8, STREAM_MSG_INFO_CAN_PUSH_NEW_MSG), 1);
}

/* Which of the 64 streams keep a register, as a bit mask. */
static uint64_t streams_with(struct tile *tile, unsigned index)
{
    uint64_t with = 0;
    for (unsigned stream = 0; stream < 64; stream++) {
        uint32_t value;
        if (devices_write(tile, B, 0xFFB40000u + stream * 0x1000u + index * 4u, 4, 1, 100) != DEV_OK ||
            devices_read(tile, B, 0xFFB40000u + stream * 0x1000u + index * 4u, 4, 100, &value) != DEV_OK)
            continue;
        with |= (uint64_t)(value == 1) << stream;
    }
    return with;
}

static void some_streams_can_more_than_others(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 6; i++)
        assert_true(streams_with(tile, STREAM_SCRATCH_REG_INDEX + i) == 0xF0F);
    assert_true(streams_with(tile, STREAM_SCRATCH32_REG_INDEX) == 0xF3F);
    assert_true(streams_with(tile, STREAM_REMOTE_DEST_BUF_START_HI_REG_INDEX) == 0xF0F);
    assert_true(streams_with(tile, STREAM_MCAST_DEST_REG_INDEX) == 0xF);
    assert_true(streams_with(tile, STREAM_MCAST_DEST_NUM_REG_INDEX) == 0xF);
    assert_true(streams_with(tile, STREAM_GATHER_REG_INDEX) == 0x3F);
    assert_true(streams_with(tile, STREAM_LOCAL_SRC_MASK_REG_INDEX) == 0x3F);
    assert_true(streams_with(tile, STREAM_MSG_HEADER_FORMAT_REG_INDEX) == 1);
    PUT(5, STREAM_SCRATCH32, 0xFFFFFFFF);
    assert_int_equal(GET(5, STREAM_SCRATCH32), 0xFFFFFFFF);
    put(tile, 5, STREAM_LOCAL_SRC_MASK_REG_INDEX + 2, 0xFFFFFFFF);
    assert_int_equal(get(tile, 5, STREAM_LOCAL_SRC_MASK_REG_INDEX + 2), 0xFFFF);
}

static void ethernet_tiles_have_32_streams_and_dram_tiles_16(void **state)
{
    struct tile *tile = *state;
    devices_set_kind(&tile->dev, KERR_TILE_ETH);
    assert_true(streams_with(tile, STREAM_REMOTE_SRC_REG_INDEX) == 0xFFFFFFFF);
    assert_true(streams_with(tile, STREAM_MCAST_DEST_REG_INDEX) == 3);
    assert_true(streams_with(tile, STREAM_GATHER_REG_INDEX) == 3);
    assert_true(streams_with(tile, STREAM_SCRATCH_REG_INDEX) == 0xF0F);
    put(tile, 0, STREAM_LOCAL_SRC_MASK_REG_INDEX + 1, 0xFFFFFFFF);
    assert_int_equal(get(tile, 0, STREAM_LOCAL_SRC_MASK_REG_INDEX + 1), 0xFF);
    devices_set_kind(&tile->dev, KERR_TILE_DRAM);
    assert_true(streams_with(tile, STREAM_REMOTE_SRC_REG_INDEX) == 0xFFFF);
    assert_int_equal(try_rd(tile, B, AT(16, STREAM_REMOTE_SRC)), DEV_NOTHING);
}

static void what_has_no_register_has_no_answer(void **state)
{
    static const unsigned none[] = {42, 205, 209, 227, 287, 295, 296, 425, 498, 512, 1023};
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(try_rd(tile, B, 0xFFB40000 + none[i] * 4), DEV_NOTHING);
        assert_int_equal(try_wr(tile, NOC, 0xFFB40000 + none[i] * 4, 1), DEV_NOTHING);
    }
}

static void what_is_not_described_is_a_fault_with_its_name(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_wr(tile, B, AT(3, STREAM_GLOBAL_OFFSET_TABLE), 1), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
    assert_string_equal(tile->fault_text, "STREAM_GLOBAL_OFFSET_TABLE, stream 3 is not described: write of 0x1");
    assert_int_equal(try_rd(tile, B, AT(3, STREAM_DEBUG_STATUS)), DEV_FAULT);
    assert_int_equal(try_wr(tile, B, AT(3, STREAM_SRC_READY_UPDATE), 1), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNIMPLEMENTED);
}

static void everybody_reaches_it_and_names_are_known(void **state)
{
    struct tile *tile = *state;
    for (unsigned client = 0; client < CLIENT_COUNT; client++) {
        wr(tile, client, AT(63, STREAM_REMOTE_SRC), client + 1);
        assert_int_equal(rd(tile, CLIENT_COUNT - 1 - client, AT(63, STREAM_REMOTE_SRC)), client + 1);
    }
    assert_string_equal(devices_register_name(0xFFB7F010), "STREAM_REMOTE_SRC");
    assert_null(devices_register_name(0xFFB7F0A8));
}

static void changes_are_announced(void **state)
{
    struct tile *tile = *state;
    unsigned before = tile->changed;
    PUT(2, STREAM_REMOTE_SRC, 1);
    assert_int_equal(tile->changing_first, AT(2, STREAM_REMOTE_SRC));
    assert_int_equal(tile->changing_last, AT(2, STREAM_REMOTE_SRC) + 3);
    assert_int_equal(tile->changed, before + 1);
    assert_true(devices_is_steady(AT(2, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE)));
    assert_false(devices_is_steady(AT(0, STREAM_BLOB_NEXT_AUTO_CFG_DONE)));
}

static void a_debugger_looks_and_sets_without_effects(void **state)
{
    struct tile *tile = *state;
    PUT(6, STREAM_REMOTE_DEST_BUF_SIZE, 9);
    assert_true(devices_poke(tile, B, AT(6, STREAM_REMOTE_DEST_BUF_SIZE), 4, 100));
    assert_int_equal(pk(tile, B, AT(6, STREAM_REMOTE_DEST_BUF_SIZE)), 4);
    assert_int_equal(pk(tile, B, AT(6, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE)), 9);
    assert_true(devices_poke(tile, B, AT(6, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE), 77, 100));
    assert_int_equal(GET(6, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE), 77);
    assert_int_equal(pk(tile, B, AT(0, STREAM_PERF_CONFIG)), 0x1000);
    assert_true(devices_poke(tile, B, AT(0, STREAM_PERF_CONFIG), 0x2002, 100));
    assert_int_equal(GET(0, STREAM_PERF_CONFIG), 0x2002);
    assert_false(devices_poke(tile, B, AT(6, STREAM_WAIT_STATUS), 0, 100));
}

static void a_tile_whose_streams_were_only_read_stays_zero(void **state)
{
    static const overlay zero;
    struct tile *tile = *state;
    assert_int_equal(GET(0, STREAM_WAIT_STATUS), STATUS_IDLE);
    assert_int_equal(GET(5, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE), 0);
    assert_int_equal(GET(0, STREAM_BLOB_NEXT_AUTO_CFG_DONE), 0);
    assert_memory_equal(&tile->overlay, &zero, sizeof zero);
}

/* ---- Messages ---- */

enum { BUFFER = 0x1000, HEADERS = 0x2000 }; /* in units of 16 bytes */

/* A phase of `messages` messages from software, with a buffer of `size` units of 16 bytes. */
static void start(struct tile *tile, unsigned stream, uint32_t destination, uint32_t size, uint32_t messages)
{
    PUT(0, STREAM_MSG_HEADER_FORMAT, 32 | 16 << 7); /* the second word's lower half */
    PUT(stream, STREAM_MISC_CFG, SOURCE | destination);
    PUT(stream, STREAM_BUF_START, BUFFER);
    PUT(stream, STREAM_BUF_SIZE, size);
    PUT(stream, STREAM_MSG_INFO_PTR, HEADERS);
    PUT(stream, STREAM_MSG_INFO_WR_PTR, HEADERS);
    PUT(stream, STREAM_PHASE_AUTO_CFG_HEADER, messages << 12 | 1);
    PUT(stream, STREAM_PHASE_ADVANCE, 1);
}

/* A message of `length` units whose header is in the message header array. */
static void push(struct tile *tile, unsigned stream, uint32_t length)
{
    uint32_t header = GET(stream, STREAM_MSG_INFO_WR_PTR) * 16;
    set_l1_word(tile, header, 0xAAAAAAAA);
    set_l1_word(tile, header + 4, 0xBBBB0000 | length);
    set_l1_word(tile, header + 8, length);
    PUT(stream, STREAM_NUM_MSGS_RECEIVED_INC, length << 12 | 1);
}

static void software_pulls_what_software_pushed(void **state)
{
    struct tile *tile = *state;
    start(tile, 8, RECEIVER, 16, 3);
    assert_int_equal(GET(8, STREAM_WAIT_STATUS), STATUS_MOVING);
    assert_int_equal(GET(8, STREAM_CURR_PHASE), 1);
    assert_int_equal(GET(8, STREAM_BUF_SPACE_AVAILABLE), 16);
    push(tile, 8, 10);
    push(tile, 8, 6);
    assert_int_equal(GET(8, STREAM_BUF_SPACE_AVAILABLE), 0);
    assert_int_equal(GET(8, STREAM_NUM_MSGS_RECEIVED), 2);
    assert_int_equal(overlay_num_msgs_received(tile, 8), 2);
    assert_int_equal(GET(8, STREAM_NEXT_RECEIVED_MSG_ADDR), BUFFER);
    assert_int_equal(GET(8, STREAM_NEXT_RECEIVED_MSG_SIZE), 10);
    assert_int_equal(get(tile, 8, STREAM_RECEIVER_MSG_INFO_REG_INDEX + 2), BUFFER + 10);
    assert_int_equal(get(tile, 8, STREAM_RECEIVER_MSG_INFO_REG_INDEX + 3), 6);
    PUT(8, STREAM_MSG_INFO_CLEAR, 1);
    assert_int_equal(GET(8, STREAM_NUM_MSGS_RECEIVED), 1);
    assert_int_equal(GET(8, STREAM_BUF_SPACE_AVAILABLE), 0); /* the data is still needed */
    PUT(8, STREAM_MSG_DATA_CLEAR, 1);
    assert_int_equal(GET(8, STREAM_BUF_SPACE_AVAILABLE), 10);
    assert_int_equal(GET(8, STREAM_PHASE_AUTO_CFG_HEADER), 2 << 12 | 2);
    push(tile, 8, 4);
    assert_int_equal(GET(8, STREAM_PHASE_ALL_MSGS_PUSHED), 1);
    PUT(8, STREAM_MSG_INFO_CLEAR, 2);
    assert_int_equal(GET(8, STREAM_WAIT_STATUS), STATUS_IDLE);
    PUT(8, STREAM_MSG_DATA_CLEAR, 1); /* both at once */
    assert_int_equal(GET(8, STREAM_RD_PTR), 1 << 17 | 4);
    assert_int_equal(GET(8, STREAM_WR_PTR), 1 << 17 | 4);
    assert_int_equal(tile->faults, 0);
}

static void a_small_fifo_fills_again_from_l1(void **state)
{
    struct tile *tile = *state;
    start(tile, 20, RECEIVER, 64, 5); /* room for two */
    for (unsigned i = 1; i <= 5; i++)
        push(tile, 20, i);
    assert_int_equal(GET(20, STREAM_NUM_MSGS_RECEIVED), 2);
    assert_int_equal(GET(20, STREAM_MSG_INFO_FULL), 1);
    assert_int_equal(GET(20, STREAM_MSG_INFO_PTR), HEADERS + 2);
    for (unsigned i = 1; i <= 5; i++) {
        assert_int_equal(GET(20, STREAM_NEXT_RECEIVED_MSG_SIZE), i);
        assert_int_equal(GET(20, STREAM_NEXT_RECEIVED_MSG_ADDR), BUFFER + i * (i - 1) / 2);
        PUT(20, STREAM_MSG_INFO_CLEAR, 1);
        PUT(20, STREAM_MSG_DATA_CLEAR, 1);
    }
    assert_int_equal(GET(20, STREAM_WAIT_STATUS), STATUS_IDLE);
}

static void streams_4_and_5_keep_headers(void **state)
{
    struct tile *tile = *state;
    start(tile, 4, RECEIVER, 1000, 17);
    for (unsigned i = 0; i < 17; i++)
        push(tile, 4, 1 + i);
    assert_int_equal(GET(4, STREAM_NUM_MSGS_RECEIVED), 16);
    assert_int_equal(GET(4, STREAM_NUM_MSGS_RECEIVED_IN_BUF_AND_MEM), 17);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(get(tile, 4, STREAM_RECEIVER_MSG_INFO_REG_INDEX + i * 6 + 1), 1 + i);
        assert_int_equal(get(tile, 4, STREAM_RECEIVER_MSG_INFO_REG_INDEX + i * 6 + 2), 0xAAAAAAAA);
        assert_int_equal(get(tile, 4, STREAM_RECEIVER_MSG_INFO_REG_INDEX + i * 6 + 3), 0xBBBB0000 | (1 + i));
    }
    assert_int_equal(GET(4, STREAM_MSG_GROUP_COMPRESS), 0xF);
    assert_int_equal(GET(4, STREAM_MSG_GROUP_ZERO_MASK_AND), 1 & 2 & 3 & 4);
    PUT(4, STREAM_MSG_INFO_CLEAR, 4);
    assert_int_equal(GET(4, STREAM_NUM_MSGS_RECEIVED), 13);
    assert_int_equal(get(tile, 4, STREAM_RECEIVER_MSG_INFO_REG_INDEX + 12 * 6 + 1), 17);
}

static void messages_are_also_pushed_without_header_array(void **state)
{
    struct tile *tile = *state;
    start(tile, 5, RECEIVER, 0x1FFFF, 2);
    for (unsigned i = 0; i < 4; i++)
        put(tile, 5, STREAM_RECEIVER_ENDPOINT_SET_MSG_HEADER_REG_INDEX + i, 70 + i);
    PUT(5, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO, 0x12345 | 3u << 17);
    assert_int_equal(GET(5, STREAM_NEXT_RECEIVED_MSG_ADDR), 0x12345);
    assert_int_equal(GET(5, STREAM_NEXT_RECEIVED_MSG_SIZE), 3);
    assert_int_equal(get(tile, 5, STREAM_RECEIVER_MSG_INFO_REG_INDEX + 5), 73);
    assert_int_equal(GET(5, STREAM_MSG_INFO_PTR), HEADERS + 1);
    assert_int_equal(GET(5, STREAM_MSG_INFO_WR_PTR), HEADERS + 1);
    assert_int_equal(GET(5, STREAM_WR_PTR), 3);
}

static void multi_msg_clear_counts_to_zero(void **state)
{
    struct tile *tile = *state;
    start(tile, 20, RECEIVER, 64, 5);
    PUT(20, STREAM_MULTI_MSG_CLEAR, 4);
    for (unsigned i = 1; i <= 3; i++)
        push(tile, 20, 2);
    assert_int_equal(GET(20, STREAM_MULTI_MSG_CLEAR), 1);
    assert_int_equal(GET(20, STREAM_RD_PTR), 6);
    push(tile, 20, 2);
    push(tile, 20, 2);
    assert_int_equal(GET(20, STREAM_MULTI_MSG_CLEAR), 0);
    assert_int_equal(GET(20, STREAM_NUM_MSGS_RECEIVED), 1);
}

static void to_nowhere_frees_at_once(void **state)
{
    struct tile *tile = *state;
    start(tile, 30, 0, 8, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(GET(30, STREAM_WAIT_STATUS), STATUS_MOVING);
        assert_int_equal(GET(30, STREAM_BUF_SPACE_AVAILABLE), 8);
        push(tile, 30, 8);
    }
    assert_int_equal(GET(30, STREAM_WAIT_STATUS), STATUS_IDLE);
    assert_int_equal(GET(30, STREAM_BUF_SPACE_AVAILABLE), 8);
}

static void a_phase_waits_for_reads_of_the_last_one(void **state)
{
    struct tile *tile = *state;
    start(tile, 8, RECEIVER, 16, 1);
    push(tile, 8, 3);
    PUT(8, STREAM_MSG_INFO_CLEAR, 1);
    PUT(8, STREAM_PHASE_AUTO_CFG_HEADER, 1 << 12 | 1);
    PUT(8, STREAM_PHASE_ADVANCE, 1);
    assert_int_equal(GET(8, STREAM_WAIT_STATUS), 1 << 1 | 4 << 3);
    PUT(8, STREAM_MSG_DATA_CLEAR, 1);
    assert_int_equal(GET(8, STREAM_WAIT_STATUS), STATUS_MOVING);
    assert_int_equal(GET(8, STREAM_CURR_PHASE), 2);
}

static void misuse_of_messages_is_a_fault(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_wr(tile, B, AT(20, STREAM_NUM_MSGS_RECEIVED_INC), 1 << 12 | 1), DEV_FAULT);
    assert_string_equal(tile->fault_text,
                        "STREAM_NUM_MSGS_RECEIVED_INC, stream 20: a message is pushed while no phase goes on");
    assert_int_equal(try_wr(tile, B, AT(20, STREAM_MSG_DATA_CLEAR), 1), DEV_FAULT);
    start(tile, 20, RECEIVER, 8, 5);
    assert_int_equal(try_wr(tile, B, AT(20, STREAM_MSG_INFO_CLEAR), 1), DEV_FAULT);
    assert_int_equal(try_wr(tile, B, AT(20, STREAM_MSG_INFO_CLEAR), 3), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    assert_int_equal(try_wr(tile, B, AT(20, STREAM_NUM_MSGS_RECEIVED_INC), 9 << 12 | 1), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNPREDICTABLE);
    assert_int_equal(try_wr(tile, B, AT(20, STREAM_NUM_MSGS_RECEIVED_INC), 1 << 12 | 6), DEV_FAULT);
    PUT(20, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO, 1u << 17);
    PUT(20, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO, 1u << 17);
    assert_int_equal(try_wr(tile, B, AT(20, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO), 1u << 17), DEV_FAULT);
    assert_non_null(strstr(tile->fault_text, "STREAM_MSG_INFO_CAN_PUSH_NEW_MSG is zero"));
}

static void other_sources_and_destinations_do_not_start(void **state)
{
    static const struct {
        uint32_t cfg;
        kerr_fault_kind kind;
        const char *name;
    } lacking[] = {
        {1 << 5, KERR_FAULT_UNIMPLEMENTED, "REMOTE_SOURCE"},
        {SOURCE | 1 << 8, KERR_FAULT_UNIMPLEMENTED, "REMOTE_RECEIVER"},
        {1 << 3, KERR_FAULT_UNIMPLEMENTED, "LOCAL_SOURCES_CONNECTED"},
        {SOURCE | 1 << 7, KERR_FAULT_UNIMPLEMENTED, "LOCAL_RECEIVER"},
        {SOURCE | 1 << 9, KERR_FAULT_UNKNOWN, "TOKEN_MODE"},
        {SOURCE | 1 << 10, KERR_FAULT_UNKNOWN, "COPY_MODE"},
        {SOURCE | 1 << 15, KERR_FAULT_UNKNOWN, "MSG_INFO_BUF_FLOW_CTRL"},
        {SOURCE | 1 << 21, KERR_FAULT_UNKNOWN, "INFINITE_PHASE_EN"},
        {SOURCE | 1 << 22, KERR_FAULT_UNKNOWN, "OOO_PHASE_EXECUTION_EN"},
        {0, KERR_FAULT_UNDEFINED, "no source"},
    };
    struct tile *tile = *state;
    PUT(2, STREAM_PHASE_AUTO_CFG_HEADER, 1 << 12);
    for (unsigned i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        PUT(2, STREAM_MISC_CFG, lacking[i].cfg);
        assert_int_equal(try_wr(tile, B, AT(2, STREAM_PHASE_ADVANCE), 1), DEV_FAULT);
        assert_int_equal(tile->fault_kind, lacking[i].kind);
        assert_non_null(strstr(tile->fault_text, lacking[i].name));
        assert_int_equal(GET(2, STREAM_WAIT_STATUS), STATUS_IDLE);
    }
    noc_packet packet = {.address = 0x1000, .packet_tag = 1 << 6 | 13};
    overlay_packet(tile, &packet, 100);
    assert_non_null(strstr(tile->fault_text, "DeliverToReceiverOverlay for stream 13"));
}

static void reset_stops_a_stream(void **state)
{
    struct tile *tile = *state;
    start(tile, 20, RECEIVER, 64, 5);
    push(tile, 20, 1);
    PUT(20, STREAM_RESET, 1);
    assert_int_equal(GET(20, STREAM_WAIT_STATUS), STATUS_IDLE);
    assert_int_equal(GET(20, STREAM_NUM_MSGS_RECEIVED), 0);
}

/* ---- Configuration from L1 ---- */

static void blob(struct tile *tile, uint32_t *at, uint32_t word)
{
    set_l1_word(tile, *at, word);
    *at += 4;
}
#define ENTRY(name, value) ((uint32_t)name##_REG_INDEX << 24 | (value))

static void configuration_comes_from_l1_phase_after_phase(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0x8000;
    blob(tile, &at, 1u << 24 | 0 << 12 | 1); /* no messages */
    blob(tile, &at, ENTRY(STREAM_REMOTE_SRC, 0xABCDEF));
    blob(tile, &at, ENTRY(STREAM_MISC_CFG, 0));
    blob(tile, &at, 1u << 24 | 2 << 12 | 2);
    blob(tile, &at, ENTRY(STREAM_MISC_CFG, SOURCE));
    blob(tile, &at, 0u << 24 | 0 << 12 | 5);
    blob(tile, &at, ENTRY(STREAM_ONETIME_MISC_CFG, 0));
    PUT(11, STREAM_PHASE_AUTO_CFG_PTR, 0x8000);
    PUT(11, STREAM_PHASE_AUTO_CFG_HEADER, 2u << 24); /* two entries behind the header */
    PUT(11, STREAM_BUF_SIZE, 100);
    PUT(11, STREAM_ONETIME_MISC_CFG, AUTO_CONFIG | AUTO_ADVANCE);
    assert_int_equal(GET(11, STREAM_WAIT_STATUS), 1 << 3);
    assert_int_equal(devices_next_event(&tile->dev), 100 + COST_OVERLAY_LOAD);
    devices_event(tile, 100 + COST_OVERLAY_LOAD - 1);
    assert_int_equal(GET(11, STREAM_REMOTE_SRC), 0);
    devices_event(tile, 100 + COST_OVERLAY_LOAD);
    assert_int_equal(GET(11, STREAM_REMOTE_SRC), 0xABCDEF);
    assert_int_equal(GET(11, STREAM_CURR_PHASE), 1);
    assert_int_equal(GET(11, STREAM_PHASE_AUTO_CFG_PTR), 0x800C);
    assert_int_equal(GET(11, STREAM_WAIT_STATUS), 1 << 3);
    devices_event(tile, 100 + 2 * COST_OVERLAY_LOAD);
    assert_int_equal(GET(11, STREAM_WAIT_STATUS), STATUS_MOVING);
    assert_int_equal(GET(11, STREAM_CURR_PHASE), 3);
    assert_int_equal(GET(11, STREAM_PHASE_AUTO_CFG_PTR), 0x8014);
    assert_int_equal(devices_next_event(&tile->dev), UINT64_MAX);
    PUT(11, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO, 1u << 17);
    PUT(11, STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO, 1u << 17);
    assert_int_equal(GET(11, STREAM_WAIT_STATUS), 1 << 3);
    assert_int_equal(tile->faults, 0);
    devices_event(tile, devices_next_event(&tile->dev));
    assert_int_equal(GET(11, STREAM_CURR_PHASE), 8);
    assert_int_equal(GET(0, STREAM_BLOB_AUTO_CFG_DONE), 0);
}

static void without_auto_advance_software_starts_the_phase(void **state)
{
    struct tile *tile = *state;
    set_l1_word(tile, 0x100, 1 << 12 | 1);
    PUT(40, STREAM_MISC_CFG, SOURCE);
    PUT(40, STREAM_PHASE_AUTO_CFG_PTR_BASE, 0x80);
    PUT(40, STREAM_PHASE_AUTO_CFG_PTR, 0x80);
    PUT(40, STREAM_ONETIME_MISC_CFG, AUTO_CONFIG);
    devices_event(tile, 1000);
    assert_int_equal(GET(40, STREAM_WAIT_STATUS), 1 | 3 << 3);
    PUT(40, STREAM_PHASE_ADVANCE, 0);
    assert_int_equal(GET(40, STREAM_WAIT_STATUS), STATUS_MOVING);
}

static void done_streams_are_told_one_by_one_and_raise_irq_0(void **state)
{
    struct tile *tile = *state;
    static const unsigned done[] = {3, 40, 63};
    for (unsigned i = 0; i < 3; i++)
        PUT(done[i], STREAM_PHASE_ADVANCE, 1); /* a phase without messages */
    assert_int_equal(GET(0, STREAM_BLOB_AUTO_CFG_DONE), 1 << 3);
    assert_int_equal(get(tile, 0, STREAM_BLOB_AUTO_CFG_DONE_REG_INDEX + 1), 1 << 8 | 1u << 31);
    assert_int_equal(rd(tile, B, 0xFFB13098), 1);
    assert_int_equal(GET(0, STREAM_BLOB_NEXT_AUTO_CFG_DONE), 0x10003);
    assert_int_equal(pk(tile, B, AT(0, STREAM_BLOB_NEXT_AUTO_CFG_DONE)), 0x10028);
    assert_int_equal(GET(0, STREAM_BLOB_NEXT_AUTO_CFG_DONE), 0x10028);
    PUT(3, STREAM_PHASE_ADVANCE, 1);
    assert_int_equal(GET(0, STREAM_BLOB_NEXT_AUTO_CFG_DONE), 0x1003F); /* those behind come first */
    assert_int_equal(rd(tile, B, 0xFFB13098), 1);
    PUT(0, STREAM_BLOB_AUTO_CFG_DONE, 1 << 3);
    assert_int_equal(GET(0, STREAM_BLOB_NEXT_AUTO_CFG_DONE), 0);
    assert_int_equal(rd(tile, B, 0xFFB13098), 0);
}

static void a_bad_configuration_is_a_fault(void **state)
{
    struct tile *tile = *state;
    set_l1_word(tile, 0x104, 100u << 24);
    PUT(40, STREAM_PHASE_AUTO_CFG_PTR, 0x100);
    PUT(40, STREAM_PHASE_AUTO_CFG_HEADER, 1u << 24);
    PUT(40, STREAM_ONETIME_MISC_CFG, AUTO_CONFIG);
    devices_event(tile, 1000);
    assert_non_null(strstr(tile->fault_text, "a register that does not exist"));
    PUT(41, STREAM_PHASE_AUTO_CFG_PTR, 0x102);
    PUT(41, STREAM_ONETIME_MISC_CFG, AUTO_CONFIG);
    devices_event(tile, 1000);
    assert_non_null(strstr(tile->fault_text, "STREAM_PHASE_AUTO_CFG_PTR, stream 41: the configuration is not aligned"));
}

/* No write makes them that large, a saved chip may: they do not wrap around into L1. */
static void pointers_that_wrap_are_not_in_l1(void **state)
{
    struct tile *tile = *state;
    tile->overlay.reg[SLOT_STREAM_PHASE_AUTO_CFG_PTR][41] = 0xFFFFFFFC;
    PUT(41, STREAM_ONETIME_MISC_CFG, AUTO_CONFIG);
    devices_event(tile, 1000);
    assert_non_null(strstr(tile->fault_text, "the configuration is not aligned, or reaches beyond L1"));
    start(tile, 20, RECEIVER, 64, 5);
    tile->overlay.reg[SLOT_STREAM_MSG_INFO_PTR][20] = 0x0FFFFFFF;
    tile->overlay.reg[SLOT_STREAM_MSG_INFO_WR_PTR][20] = 0;
    assert_int_equal(try_wr(tile, B, AT(20, STREAM_MULTI_MSG_CLEAR), 0), DEV_FAULT); /* what is possible happens now */
    assert_non_null(strstr(tile->fault_text, "the message header array reaches beyond L1"));
}

static void restored_counts_are_checked(void **state)
{
    struct tile *tile = *state;
    assert_true(overlay_is_sane(&tile->overlay));
    tile->overlay.stream[5].message_count = 17;
    assert_false(overlay_is_sane(&tile->overlay));
    tile->overlay.stream[5].message_count = 16;
    assert_true(overlay_is_sane(&tile->overlay));
    tile->overlay.next_done = 64;
    assert_false(overlay_is_sane(&tile->overlay));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_plain_register_keeps_its_width_and_nothing_else),
        CASE(streams_do_not_touch_each_other),
        CASE(buf_size_sets_the_space_and_updates_add_to_it),
        CASE(the_space_wraps_at_17_bits),
        CASE(minus_one_counts_down_and_shows_in_the_upper_field),
        CASE(multicast_streams_have_32_spaces),
        CASE(debug_status_2_tells_of_space),
        CASE(buffer_starts_reset_their_pointers),
        CASE(bases_are_added_on_writes_and_subtracted_on_reads),
        CASE(the_header_counts_phases),
        CASE(can_push_compares_the_message_info_pointers),
        CASE(some_streams_can_more_than_others),
        CASE(ethernet_tiles_have_32_streams_and_dram_tiles_16),
        CASE(what_has_no_register_has_no_answer),
        CASE(what_is_not_described_is_a_fault_with_its_name),
        CASE(everybody_reaches_it_and_names_are_known),
        CASE(changes_are_announced),
        CASE(a_debugger_looks_and_sets_without_effects),
        CASE(a_tile_whose_streams_were_only_read_stays_zero),
        CASE(software_pulls_what_software_pushed),
        CASE(a_small_fifo_fills_again_from_l1),
        CASE(streams_4_and_5_keep_headers),
        CASE(messages_are_also_pushed_without_header_array),
        CASE(multi_msg_clear_counts_to_zero),
        CASE(to_nowhere_frees_at_once),
        CASE(a_phase_waits_for_reads_of_the_last_one),
        CASE(misuse_of_messages_is_a_fault),
        CASE(other_sources_and_destinations_do_not_start),
        CASE(reset_stops_a_stream),
        CASE(configuration_comes_from_l1_phase_after_phase),
        CASE(without_auto_advance_software_starts_the_phase),
        CASE(done_streams_are_told_one_by_one_and_raise_irq_0),
        CASE(a_bad_configuration_is_a_fault),
        CASE(pointers_that_wrap_are_not_in_l1),
        CASE(restored_counts_are_checked),
    };
    return RUN(tests);
}
