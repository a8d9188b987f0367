/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* UNPACR_NOP frees what a stream has received and software has taken: manual WormholeB0 UNPACR_NOP_OverlayClear. */
#include "tensix_isa.h"

#include "unit/tensix/exec.h"

enum { RECEIVER = 1 << 6, SOURCE = 1 << 4, BUFFER = 0x400, HEADERS = 0x100, SIZE = 16 };

static uint32_t address(unsigned stream, unsigned index)
{
    return NOC_OVERLAY_START_ADDR + 0x1000u * stream + 4 * index;
}
#define GET(stream, name) rd(tile, B, address(stream, name##_REG_INDEX))
#define PUT(stream, name, value) wr(tile, B, address(stream, name##_REG_INDEX), value)

/* A phase with three messages of 8, 6 and 2 units in a buffer of 16, which are taken one by one. */
static void start(struct tile *tile, unsigned stream)
{
    static const uint8_t length[] = {8, 6, 2};
    PUT(0, STREAM_MSG_HEADER_FORMAT, 32 | 16 << 7); /* the second word's lower half */
    PUT(stream, STREAM_MISC_CFG, SOURCE | RECEIVER);
    PUT(stream, STREAM_BUF_START, BUFFER);
    PUT(stream, STREAM_BUF_SIZE, SIZE);
    PUT(stream, STREAM_MSG_INFO_PTR, HEADERS);
    PUT(stream, STREAM_MSG_INFO_WR_PTR, HEADERS);
    PUT(stream, STREAM_PHASE_AUTO_CFG_HEADER, 4 << 12 | 1);
    PUT(stream, STREAM_PHASE_ADVANCE, 1);
    for (unsigned i = 0; i < sizeof length; i++) {
        const uint32_t header = 16 * GET(stream, STREAM_MSG_INFO_WR_PTR);
        memcpy(tile->l1 + header + 4, &(uint32_t){length[i]}, 4);
        PUT(stream, STREAM_NUM_MSGS_RECEIVED_INC, (uint32_t)length[i] << 12 | 1);
        PUT(stream, STREAM_MSG_INFO_CLEAR, 1);
    }
    assert_int_equal(GET(stream, STREAM_BUF_SPACE_AVAILABLE), 0);
}

static void pop_frees_a_message_of_the_threads_stream(void **state)
{
    struct tile *tile = *state;
    start(tile, 8);
    start(tile, 9);
    thread_of(tile, 0)->config[NOC_OVERLAY_MSG_CLEAR_StreamId_0_ADDR32] = 8;
    thread_of(tile, 0)->config[NOC_OVERLAY_MSG_CLEAR_StreamId_1_ADDR32] = 9;
    exec(tile, "UNPACR_NOP Unpack_Pop=0");
    assert_int_equal(GET(8, STREAM_BUF_SPACE_AVAILABLE), 8);
    assert_int_equal(GET(9, STREAM_BUF_SPACE_AVAILABLE), 0);
    exec(tile, "UNPACR_NOP Unpack_Pop=0, Unpacker_Select=1");
    assert_int_equal(GET(8, STREAM_BUF_SPACE_AVAILABLE), 8);
    assert_int_equal(GET(9, STREAM_BUF_SPACE_AVAILABLE), 8);
}

/* One entry, whatever the count is: it has all that one STREAM_MSG_INFO_CLEAR took. */
static void a_count_names_the_stream(void **state)
{
    struct tile *tile = *state;
    start(tile, 8);
    start(tile, 9);
    thread_of(tile, 0)->config[NOC_OVERLAY_MSG_CLEAR_StreamId_0_ADDR32] = 8;
    exec(tile, "UNPACR_NOP Unpack_Pop=3, Stream_Id=9, Msg_Clr_Cnt=1");
    assert_int_equal(GET(9, STREAM_BUF_SPACE_AVAILABLE), 8);
    exec(tile, "UNPACR_NOP Unpack_Pop=3, Stream_Id=9, Msg_Clr_Cnt=4");
    assert_int_equal(GET(9, STREAM_BUF_SPACE_AVAILABLE), 14);
    assert_int_equal(GET(8, STREAM_BUF_SPACE_AVAILABLE), 0);
    exec(tile, "UNPACR_NOP Unpack_Pop=3, Stream_Id=9");
    assert_int_equal(GET(9, STREAM_BUF_SPACE_AVAILABLE), 14);
    assert_int_equal(GET(8, STREAM_BUF_SPACE_AVAILABLE), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(pop_frees_a_message_of_the_threads_stream),
        CASE(a_count_names_the_stream),
    };
    return RUN(tests);
}
