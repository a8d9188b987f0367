/* SPDX-License-Identifier: Apache-2.0 */
/* NoC overlay: streams (manual WormholeB0/NoC/Overlay, nine pages; there are none for Blackhole).
 *
 * Registers come from isa/overlay.regs.  Exact: everything that AsGeneralUse describes, which is all that the vendor's
 * firmware and kernels use.  Also modelled, as the pages have it: phases, messages from software (ReceiveFromSoftware)
 * to software (TransmitToSoftware) or to nowhere, configuration from L1 (LoadConfigurationFromL1).  A phase with another
 * source or destination (other tiles, DRAM buffers, gather) or with a field that only the Blackhole header knows does
 * not start: a fault that says so.
 *
 * Messages take no time: what a write makes possible has happened when the write is done.  Only loading a configuration
 * does, so that phases without messages cannot go on for ever within a cycle.
 * OPEN: how long each step takes.  Would settle it: the wall clock around pushes and clears on a card. */
#include "tile/overlay.h"

#include "costs.h"
#include "tile/blocks.h"

#include <string.h>

/* Fields; the header's names and places. */
enum {
    PHASE_AUTO_CONFIG = 1 << 0, /* STREAM_ONETIME_MISC_CFG */
    PHASE_AUTO_ADVANCE = 1 << 1,

    LOCAL_SOURCES_CONNECTED = 1 << 3, /* STREAM_MISC_CFG */
    SOURCE_ENDPOINT = 1 << 4,
    REMOTE_SOURCE = 1 << 5,
    RECEIVER_ENDPOINT = 1 << 6,
    LOCAL_RECEIVER = 1 << 7,
    REMOTE_RECEIVER = 1 << 8,
    TOKEN_MODE = 1 << 9,
    COPY_MODE = 1 << 10,
    MSG_INFO_BUF_FLOW_CTRL = 1 << 15,
    NO_PREV_PHASE_OUTGOING_DATA_FLUSH = 1 << 18,
    INFINITE_PHASE_EN = 1 << 21,
    OOO_PHASE_EXECUTION_EN = 1 << 22,

    ADDRESS_BITS = 17,
    ADDRESS_MASK = (1 << ADDRESS_BITS) - 1, /* in units of 16 bytes */
    POINTER_WRAP = 1 << ADDRESS_BITS,       /* STREAM_RD_PTR, STREAM_WR_PTR */
    PHASE_MASK = (1 << 20) - 1,
    MESSAGES_BITS = 12,
    MESSAGES_MASK = (1 << MESSAGES_BITS) - 1,
    SPACE_MASK = ADDRESS_MASK,
    INFO_SPACE_MASK = (1 << 9) - 1, /* REMOTE_DEST_MSG_INFO_WORDS_FREE */
    MASK_BITS = 24,                 /* streams of one STREAM_LOCAL_SRC_MASK */
    DONE_VALID = 1 << 16,           /* BLOB_NEXT_AUTO_CFG_DONE_VALID */

    STREAM_BYTES = 0x1000,
};

/* STREAM_CURR_STATE; 2 is never seen. */
enum { STATE_IDLE = 0, STATE_LOADING = 1, STATE_LOADED = 3, STATE_FLUSHING = 4, STATE_MOVING = 5 };

enum access { ACCESS_rw, ACCESS_ro, ACCESS_wo, ACCESS_rc, ACCESS_w1c };
enum model { MODEL_stored, MODEL_overlay, MODEL_remote, MODEL_unknown };

typedef struct row {
    uint32_t reset;
    uint16_t index, count;
    int16_t slot;
    uint8_t bits, streams, access, model;
    char name[48];
} row;

static const row rows[] = {{0},
#define X(name, index, count, access, bits, reset, streams, model, slot)                                               \
    {reset, index, count, slot, bits, streams, ACCESS_##access, MODEL_##model, #name},
                           OVERLAY_REGS(X)
#undef X
};

static const uint8_t row_of_index[OVERLAY_INDICES] = {OVERLAY_ROW_OF_INDEX};

#define PAGE "WormholeB0/NoC/Overlay/"

/* One access: what each function below works on. */
typedef struct access_to {
    struct tile *tile;
    overlay *ov;
    overlay_stream *stream;
    uint64_t cycle;
    unsigned client, number; /* of the stream */
    bool failed;             /* a fault has been raised */
} access_to;

/* ---- Which streams there are, and what they can do ("Stream Capabilities") ------------------------------------ */

static unsigned streams_of(const struct devices *dev)
{
    switch (dev->kind) {
    case KERR_TILE_ETH: return 32;
    case KERR_TILE_DRAM: return 16;
    default: return 64;
    }
}

/* OPEN: DRAM tiles have no overlay on Wormhole; theirs is taken to be as in Tensix tiles.  Would settle it: writing and
 * reading STREAM_SCRATCH, STREAM_GATHER and STREAM_MCAST_DEST of its 16 streams on a card. */
static unsigned capabilities(const struct devices *dev, unsigned stream)
{
    unsigned all = OVERLAY_STREAMS_ALL | (stream == 0 ? OVERLAY_STREAMS_ZERO : 0u);
    if (dev->kind == KERR_TILE_ETH) {
        if (stream < 2)
            return all | OVERLAY_STREAMS_GATHER | OVERLAY_STREAMS_MCAST | OVERLAY_STREAMS_DRAM;
        return all | (stream < 4 || (stream >= 8 && stream < 12) ? OVERLAY_STREAMS_DRAM : 0u);
    }
    if (stream < 4)
        return all | OVERLAY_STREAMS_GATHER | OVERLAY_STREAMS_MCAST | OVERLAY_STREAMS_DRAM;
    if (stream < 6)
        return all | OVERLAY_STREAMS_GATHER | OVERLAY_STREAMS_ENDPOINT;
    return all | (stream >= 8 && stream < 12 ? OVERLAY_STREAMS_DRAM : 0u);
}

/* Streams 4 and 5: the Blackhole header has four groups of four messages where Wormhole's has two. */
static unsigned message_capacity(const struct devices *dev, unsigned stream)
{
    unsigned can = capabilities(dev, stream);
    if (can & OVERLAY_STREAMS_ENDPOINT)
        return OVERLAY_HEADERS;
    if (can & OVERLAY_STREAMS_DRAM)
        return dev->kind == KERR_TILE_ETH ? 32 : 8;
    return 2;
}

static unsigned read_capacity(const struct devices *dev, unsigned stream)
{
    unsigned can = capabilities(dev, stream);
    if (can & (OVERLAY_STREAMS_ENDPOINT | OVERLAY_STREAMS_DRAM))
        return dev->kind == KERR_TILE_ETH ? 128 : 8;
    return 2;
}

static unsigned group_size(const struct devices *dev, unsigned stream)
{
    return capabilities(dev, stream) & OVERLAY_STREAMS_ENDPOINT ? 4 : 2;
}

/* ---- Registers as they are kept ------------------------------------------------------------------------------- */

static uint32_t width_mask(unsigned bits)
{
    return bits == 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

static uint32_t kept(const overlay *ov, unsigned stream, unsigned slot)
{
    return ov->reg[slot][stream];
}

static void keep(overlay *ov, unsigned stream, unsigned slot, uint32_t value)
{
    ov->reg[slot][stream] = value;
}

#define REG(register) kept(to->ov, to->number, SLOT_STREAM_##register)
#define SET(register, value) keep(to->ov, to->number, SLOT_STREAM_##register, value)

static const row *row_at(uint32_t address)
{
    unsigned index = address % STREAM_BYTES / 4;
    return index < OVERLAY_INDICES && row_of_index[index] ? &rows[row_of_index[index]] : NULL;
}

static unsigned stream_at(uint32_t address)
{
    return (address - NOC_OVERLAY_START_ADDR) / STREAM_BYTES;
}

static uint32_t address_of(unsigned stream, unsigned index)
{
    return NOC_OVERLAY_START_ADDR + stream * STREAM_BYTES + index * 4;
}

/* Registers first to last of a stream are about to change. */
static void changing(const access_to *to, unsigned stream, unsigned first, unsigned last)
{
    tile_device_changing(to->tile, address_of(stream, first), address_of(stream, last) + 3, to->cycle);
}

static bool keeps_headers(const access_to *to)
{
    return capabilities(tile_devices_const(to->tile), to->number) & OVERLAY_STREAMS_ENDPOINT;
}

/* ---- Space at remote destinations ----------------------------------------------------------------------------- */

static bool is_mcast(const struct devices *dev, unsigned stream)
{
    return capabilities(dev, stream) & OVERLAY_STREAMS_MCAST;
}

static uint32_t *space_of(access_to *to, unsigned receiver)
{
    return receiver == 0 ? &to->ov->space[to->number] : &to->ov->mcast_space[to->number][receiver];
}

static unsigned spaces(const access_to *to)
{
    return is_mcast(tile_devices_const(to->tile), to->number) ? OVERLAY_MCAST_SPACES : 1;
}

/* STREAM_REMOTE_DEST_BUF_SIZE and STREAM_REMOTE_DEST_MSG_INFO_BUF_SIZE: each sets its own field.
 * OPEN: the header can also be read as either write setting both.  Would settle it: reading bits 17 to 25 of
 * STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE after each, on a card. */
static void set_spaces(access_to *to, uint32_t mask, uint32_t value)
{
    for (unsigned i = 0; i < spaces(to); i++) {
        uint32_t *space = space_of(to, i);
        *space = (*space & ~mask) | value;
    }
}

/* Both fields wrap.  OPEN: Wormhole's page knows the lower one only and does not say what an overflow does; the vendor's
 * fabric adds -1 to count down, so that one wraps. */
static void update_space(access_to *to, uint32_t value)
{
    unsigned receiver = value & 63;
    if (receiver >= spaces(to)) {
        tile_fault(to->tile, KERR_FAULT_UNKNOWN, to->client,
                   address_of(to->number, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX), to->cycle,
                   PAGE "AsGeneralUse",
                   "STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE: stream %u has no receiver %u (value 0x%x)",
                   to->number, receiver, value);
        to->failed = true;
        return;
    }
    uint32_t *space = space_of(to, receiver);
    uint32_t words = (*space + (value >> 6)) & SPACE_MASK;
    uint32_t info = ((*space >> ADDRESS_BITS) + (value >> 23)) & INFO_SPACE_MASK;
    *space = words | info << ADDRESS_BITS;
}

/* STREAM_DEBUG_STATUS + 2.  Bit 3: every space is non-zero; bit 0: the L1 read complete FIFO is not full.
 * OPEN: what the other bits are; they read as zero.  The page lets bit 3 be two cycles late; here it never is. */
static uint32_t debug_status_2(const struct devices *dev, const overlay *ov, unsigned stream)
{
    bool all = (ov->space[stream] & SPACE_MASK) != 0;
    if (is_mcast(dev, stream)) {
        for (unsigned i = 1; i < OVERLAY_MCAST_SPACES; i++)
            all = all && (ov->mcast_space[stream][i] & SPACE_MASK) != 0;
    }
    return (uint32_t)all << 3 | (ov->stream[stream].read_count < read_capacity(dev, stream));
}

/* ---- Messages ------------------------------------------------------------------------------------------------- */

static void fault(access_to *to, kerr_fault_kind kind, unsigned index, const char *page, const char *text)
{
    uint32_t address = address_of(to->number, index);
    tile_fault(to->tile, kind, to->client, address, to->cycle, page, "%s, stream %u: %s",
               overlay_register_name(address), to->number, text);
    to->failed = true;
}

/* A pointer into the receive buffer moves on; bit 17 changes when it wraps. */
static uint32_t advance(uint32_t pointer, uint32_t length, uint32_t size)
{
    uint32_t at = (pointer & ADDRESS_MASK) + length, wrap = pointer & POINTER_WRAP;
    if (size != 0 && at >= size) {
        at -= size;
        wrap ^= POINTER_WRAP;
    }
    return (at & ADDRESS_MASK) | wrap;
}

static uint32_t buf_space_available(const overlay *ov, unsigned stream)
{
    uint32_t rd = kept(ov, stream, SLOT_STREAM_RD_PTR), wr = kept(ov, stream, SLOT_STREAM_WR_PTR);
    uint32_t size = kept(ov, stream, SLOT_STREAM_BUF_SIZE);
    if (rd == wr)
        return size;
    rd &= ADDRESS_MASK;
    wr &= ADDRESS_MASK;
    return (rd >= wr ? rd - wr : rd + size - wr) & ADDRESS_MASK;
}

static uint32_t headers_in_l1(const overlay *ov, unsigned stream)
{
    return (kept(ov, stream, SLOT_STREAM_MSG_INFO_WR_PTR) - kept(ov, stream, SLOT_STREAM_MSG_INFO_PTR)) & ADDRESS_MASK;
}

static uint32_t remaining(const access_to *to)
{
    return REG(PHASE_AUTO_CFG_HEADER) >> MESSAGES_BITS & MESSAGES_MASK;
}

static void set_remaining(access_to *to, uint32_t messages)
{
    SET(PHASE_AUTO_CFG_HEADER, (REG(PHASE_AUTO_CFG_HEADER) & ~((uint32_t)MESSAGES_MASK << MESSAGES_BITS)) |
                                   (messages & MESSAGES_MASK) << MESSAGES_BITS);
}

/* There is room. */
static void push_message(access_to *to, uint32_t address, uint32_t length, const uint32_t header[4])
{
    overlay_stream *s = to->stream;
    unsigned at = (unsigned)(s->message_head + s->message_count) % OVERLAY_MESSAGES;
    s->message[at] = (address & ADDRESS_MASK) | length << ADDRESS_BITS;
    if (keeps_headers(to)) {
        for (unsigned i = 0; i < 4; i++)
            to->ov->header[to->number - 4][at % OVERLAY_HEADERS][i] = header[i];
    }
    s->message_count++;
}

/* The field of a header that has the length (STREAM_MSG_HEADER_FORMAT of stream 0). */
static uint32_t length_in(const overlay *ov, const uint32_t header[4])
{
    uint32_t format = kept(ov, 0, SLOT_STREAM_MSG_HEADER_FORMAT);
    unsigned offset = format & 0x78, bits = format >> 7 & 0x7F;
    uint64_t value = 0;
    for (unsigned i = 0; i < 15 && i < bits && offset + i < 128; i++)
        value |= (uint64_t)(header[(offset + i) / 32] >> (offset + i) % 32 & 1) << i;
    return (uint32_t)value;
}

/* The next header in L1 becomes an entry of the message metadata FIFO. */
static void load_header(access_to *to)
{
    const uint64_t at = (uint64_t)REG(MSG_INFO_PTR) * 16;
    uint32_t header[4];
    if (at + 16 > tile_l1_size(to->tile)) {
        fault(to, KERR_FAULT_UNPREDICTABLE, STREAM_MSG_INFO_PTR_REG_INDEX, PAGE "ReceiveFromSoftware",
              "the message header array reaches beyond L1");
        return;
    }
    memcpy(header, tile_l1(to->tile) + at, sizeof header);
    uint32_t length = length_in(to->ov, header);
    push_message(to, REG(BUF_START) + to->stream->next_message, length, header);
    to->stream->next_message = advance(to->stream->next_message, length, REG(BUF_SIZE)) & ADDRESS_MASK;
    SET(MSG_INFO_PTR, (REG(MSG_INFO_PTR) + 1) & ADDRESS_MASK);
}

/* Messages leave the metadata FIFO; what they occupy is one entry of the L1 read complete FIFO.  Both are as they must
 * be. */
static void clear_info(access_to *to, unsigned messages)
{
    overlay_stream *s = to->stream;
    uint32_t length = 0;
    for (unsigned i = 0; i < messages; i++) {
        length += s->message[s->message_head] >> ADDRESS_BITS;
        s->message_head = (uint8_t)((s->message_head + 1) % OVERLAY_MESSAGES);
        s->message_count--;
    }
    s->read[(unsigned)(s->read_head + s->read_count) % OVERLAY_READS] = length;
    s->read_count++;
    set_remaining(to, remaining(to) - messages);
}

static void clear_data(access_to *to)
{
    overlay_stream *s = to->stream;
    SET(RD_PTR, advance(REG(RD_PTR), s->read[s->read_head], REG(BUF_SIZE)));
    s->read_head = (uint8_t)((s->read_head + 1) % OVERLAY_READS);
    s->read_count--;
}

/* ---- Phases ("Stream state machine") --------------------------------------------------------------------------- */

/* Hardware IRQ 0 of the PIC is up while any bit is set (manual BlackholeA0 PIC, of Tensix tiles). */
static void set_done(access_to *to, uint64_t done)
{
    const struct devices *dev = tile_devices_const(to->tile);
    if (to->ov->done == done)
        return;
    changing(to, 0, STREAM_BLOB_AUTO_CFG_DONE_REG_INDEX, STREAM_BLOB_NEXT_AUTO_CFG_DONE_REG_INDEX);
    to->ov->done = done;
    if (dev->kind != KERR_TILE_ETH && dev->kind != KERR_TILE_DRAM)
        pic_set_hw_int(to->tile, 0, done != 0, to->cycle);
}

static void load_configuration(access_to *to)
{
    struct devices *dev = tile_devices(to->tile);
    to->stream->state = STATE_LOADING;
    to->stream->due = to->cycle + COST_OVERLAY_LOAD;
    to->ov->due |= UINT64_C(1) << to->number;
    if (dev->overlay_due == 0 || to->stream->due < dev->overlay_due)
        dev->overlay_due = to->stream->due;
}

static void end_of_phase(access_to *to)
{
    if (REG(ONETIME_MISC_CFG) & PHASE_AUTO_CONFIG) {
        load_configuration(to);
        return;
    }
    to->stream->state = STATE_IDLE;
    set_done(to, to->ov->done | UINT64_C(1) << to->number);
}

/* Whatever can happen now happens. */
static void settle(access_to *to)
{
    const struct devices *dev = tile_devices_const(to->tile);
    overlay_stream *s = to->stream;
    while (s->state == STATE_MOVING && !to->failed) {
        uint32_t cfg = REG(MISC_CFG);
        bool nowhere = !(cfg & RECEIVER_ENDPOINT);
        bool clears = s->message_count != 0 && remaining(to) != 0 && s->read_count < read_capacity(dev, to->number) &&
                      (nowhere || REG(MULTI_MSG_CLEAR) != 0);
        if (clears) {
            clear_info(to, 1);
            clear_data(to);
            if (!nowhere)
                SET(MULTI_MSG_CLEAR, REG(MULTI_MSG_CLEAR) - 1);
        } else if (headers_in_l1(to->ov, to->number) != 0 && s->message_count < message_capacity(dev, to->number)) {
            load_header(to);
            continue;
        }
        if (remaining(to) == 0)
            end_of_phase(to);
        else if (!clears)
            break;
    }
}

static void run_phase(access_to *to)
{
    if (remaining(to) == 0) {
        end_of_phase(to);
        return;
    }
    to->stream->state = STATE_MOVING;
    to->stream->to_receive = (uint16_t)remaining(to);
    settle(to);
}

/* False: a fault has been raised. */
static bool can_start(access_to *to)
{
    static const struct {
        uint32_t field;
        kerr_fault_kind kind;
        const char *page, *text;
    } lacking[] = {
        {REMOTE_SOURCE, KERR_FAULT_UNIMPLEMENTED, PAGE "TransferBetweenTiles",
         "REMOTE_SOURCE: receiving from a stream"},
        {REMOTE_RECEIVER, KERR_FAULT_UNIMPLEMENTED, PAGE "TransferBetweenTiles",
         "REMOTE_RECEIVER: transmitting to a stream or a DRAM buffer"},
        {LOCAL_SOURCES_CONNECTED, KERR_FAULT_UNIMPLEMENTED, PAGE "Gather", "LOCAL_SOURCES_CONNECTED: gather"},
        {LOCAL_RECEIVER, KERR_FAULT_UNIMPLEMENTED, PAGE "Gather", "LOCAL_RECEIVER: gather"},
        {TOKEN_MODE, KERR_FAULT_UNKNOWN, NULL, "TOKEN_MODE is not described"},
        {COPY_MODE, KERR_FAULT_UNKNOWN, NULL, "COPY_MODE is not described"},
        {MSG_INFO_BUF_FLOW_CTRL, KERR_FAULT_UNKNOWN, NULL, "MSG_INFO_BUF_FLOW_CTRL is not described"},
        {INFINITE_PHASE_EN, KERR_FAULT_UNKNOWN, NULL, "INFINITE_PHASE_EN is not described"},
        {OOO_PHASE_EXECUTION_EN, KERR_FAULT_UNKNOWN, NULL, "OOO_PHASE_EXECUTION_EN is not described"},
    };
    if (remaining(to) == 0)
        return true; /* nothing moves, whatever the fields say */
    for (unsigned i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        if (REG(MISC_CFG) & lacking[i].field) {
            fault(to, lacking[i].kind, STREAM_MISC_CFG_REG_INDEX, lacking[i].page, lacking[i].text);
            return false;
        }
    }
    if (!(REG(MISC_CFG) & SOURCE_ENDPOINT))
        fault(to, KERR_FAULT_UNDEFINED, STREAM_MISC_CFG_REG_INDEX, PAGE "README", "the phase has no source");
    return !to->failed;
}

static void start_phase(access_to *to)
{
    if (!can_start(to))
        return;
    if (to->stream->read_count != 0 && !(REG(MISC_CFG) & NO_PREV_PHASE_OUTGOING_DATA_FLUSH))
        to->stream->state = STATE_FLUSHING;
    else
        run_phase(to);
}

/* ---- Writes --------------------------------------------------------------------------------------------------- */

/* What a push needs of the stream. */
static bool can_push(access_to *to, unsigned index, uint32_t messages, uint32_t length)
{
    if (to->stream->state != STATE_MOVING)
        fault(to, KERR_FAULT_UNKNOWN, index, PAGE "ReceiveFromSoftware", "a message is pushed while no phase goes on");
    else if (messages > to->stream->to_receive)
        fault(to, KERR_FAULT_UNKNOWN, index, PAGE "ReceiveFromSoftware", "more messages than the phase has");
    else if (length > buf_space_available(to->ov, to->number))
        fault(to, KERR_FAULT_UNPREDICTABLE, index, PAGE "ReceiveFromSoftware", "no space in the receive buffer");
    return !to->failed;
}

static void new_message(access_to *to, uint32_t value)
{
    enum { INDEX = STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO_REG_INDEX };
    const struct devices *dev = tile_devices_const(to->tile);
    uint32_t length = value >> ADDRESS_BITS & 0x3FFF;
    if (!can_push(to, INDEX, 1, length))
        return;
    if (value >> 31)
        fault(to, KERR_FAULT_UNKNOWN, INDEX, NULL, "SOURCE_ENDPOINT_NEW_MSG_LAST_TILE is not described");
    else if (headers_in_l1(to->ov, to->number) != 0 || to->stream->message_count >= message_capacity(dev, to->number))
        fault(to, KERR_FAULT_UNPREDICTABLE, INDEX, PAGE "ReceiveFromSoftware",
              "STREAM_MSG_INFO_CAN_PUSH_NEW_MSG is zero");
    if (to->failed)
        return;
    static const uint32_t none[4];
    push_message(to, value, length, keeps_headers(to) ? to->ov->new_header[to->number - 4] : none);
    SET(MSG_INFO_PTR, (REG(MSG_INFO_PTR) + 1) & ADDRESS_MASK);
    SET(MSG_INFO_WR_PTR, (REG(MSG_INFO_WR_PTR) + 1) & ADDRESS_MASK);
    SET(WR_PTR, advance(REG(WR_PTR), length, REG(BUF_SIZE)));
    to->stream->next_message = REG(WR_PTR) & ADDRESS_MASK;
    to->stream->to_receive--;
    settle(to);
}

static void new_messages(access_to *to, uint32_t value)
{
    enum { INDEX = STREAM_NUM_MSGS_RECEIVED_INC_REG_INDEX };
    uint32_t messages = value & MESSAGES_MASK, length = value >> MESSAGES_BITS & ADDRESS_MASK;
    if (!can_push(to, INDEX, messages, length))
        return;
    if (value >> 29 & 1) {
        fault(to, KERR_FAULT_UNKNOWN, INDEX, NULL, "SOURCE_ENDPOINT_NEW_MSGS_LAST_TILE is not described");
        return;
    }
    SET(MSG_INFO_WR_PTR, (REG(MSG_INFO_WR_PTR) + messages) & ADDRESS_MASK);
    SET(WR_PTR, advance(REG(WR_PTR), length, REG(BUF_SIZE)));
    to->stream->to_receive = (uint16_t)(to->stream->to_receive - messages);
    settle(to);
}

static void msg_info_clear(access_to *to, uint32_t messages)
{
    enum { INDEX = STREAM_MSG_INFO_CLEAR_REG_INDEX };
    const struct devices *dev = tile_devices_const(to->tile);
    if (messages > 2 && messages != group_size(dev, to->number))
        fault(to, KERR_FAULT_UNDEFINED, INDEX, PAGE "TransmitToSoftware", "not a number of messages it can clear");
    else if (to->stream->state != STATE_MOVING || !(REG(MISC_CFG) & RECEIVER_ENDPOINT))
        fault(to, KERR_FAULT_UNKNOWN, INDEX, PAGE "TransmitToSoftware", "the stream does not transmit to software");
    else if (messages > to->stream->message_count)
        fault(to, KERR_FAULT_UNKNOWN, INDEX, PAGE "TransmitToSoftware", "fewer messages are there");
    else if (to->stream->read_count >= read_capacity(dev, to->number))
        fault(to, KERR_FAULT_UNPREDICTABLE, INDEX, PAGE "TransmitToSoftware", "the L1 read complete FIFO is full");
    if (to->failed)
        return;
    clear_info(to, messages);
    settle(to);
}

static void msg_data_clear(access_to *to)
{
    if (to->stream->read_count == 0) {
        fault(to, KERR_FAULT_UNKNOWN, STREAM_MSG_DATA_CLEAR_REG_INDEX, PAGE "TransmitToSoftware",
              "the L1 read complete FIFO is empty");
        return;
    }
    clear_data(to);
    if (to->stream->state == STATE_FLUSHING && to->stream->read_count == 0)
        run_phase(to);
    settle(to);
}

/* OPEN: whether it also clears registers of the stream.  The vendor's code uses it to stop a phase and to go on to the
 * next one, after which everything that matters is set again. */
static void reset_stream(access_to *to)
{
    overlay_stream *s = to->stream;
    to->ov->due &= ~(UINT64_C(1) << to->number);
    s->due = 0;
    s->message_head = s->message_count = s->read_head = s->read_count = 0;
    s->to_receive = 0;
    s->state = STATE_IDLE;
    SET(MULTI_MSG_CLEAR, 0);
    if (REG(ONETIME_MISC_CFG) & PHASE_AUTO_CONFIG)
        load_configuration(to);
}

/* LoadConfigurationFromL1, "STREAM_PHASE_AUTO_CFG_HEADER_REG_INDEX".
 * OPEN: the header has the phase number go up when all of a configuration has been read, the page at this write.  They
 * differ if the configuration also writes STREAM_CURR_PHASE. */
static void auto_cfg_header(access_to *to, uint32_t value)
{
    if (REG(ONETIME_MISC_CFG) & PHASE_AUTO_CONFIG)
        SET(PHASE_AUTO_CFG_PTR,
            (REG(PHASE_AUTO_CFG_PTR) + ((REG(PHASE_AUTO_CFG_HEADER) >> 24) + 1) * 4) & ADDRESS_MASK);
    SET(CURR_PHASE, (REG(CURR_PHASE) + (value & MESSAGES_MASK)) & PHASE_MASK);
    SET(PHASE_AUTO_CFG_HEADER, value & ~(uint32_t)MESSAGES_MASK);
}

/* The bits of STREAM_LOCAL_SRC_MASK + i that stand for streams of this tile. */
static uint32_t local_src_mask(const struct devices *dev, unsigned i)
{
    unsigned streams = streams_of(dev), first = i * MASK_BITS;
    if (streams <= first)
        return 0;
    return width_mask(streams - first < MASK_BITS ? streams - first : MASK_BITS);
}

/* A register with a meaning.  value has the register's width. */
static void write_modelled(access_to *to, unsigned index, uint32_t value)
{
    switch (index) {
    case STREAM_SOURCE_ENDPOINT_NEW_MSG_INFO_REG_INDEX: new_message(to, value); return;
    case STREAM_NUM_MSGS_RECEIVED_INC_REG_INDEX: new_messages(to, value); return;
    case STREAM_ONETIME_MISC_CFG_REG_INDEX:
        SET(ONETIME_MISC_CFG, value);
        if ((value & PHASE_AUTO_CONFIG) && to->stream->state == STATE_IDLE) {
            set_done(to, to->ov->done & ~(UINT64_C(1) << to->number));
            load_configuration(to);
        }
        return;
    case STREAM_REMOTE_SRC_PHASE_REG_INDEX: SET(REMOTE_SRC_PHASE, (value + REG(CURR_PHASE_BASE)) & PHASE_MASK); return;
    case STREAM_REMOTE_DEST_BUF_START_REG_INDEX:
        SET(REMOTE_DEST_BUF_START, value);
        SET(REMOTE_DEST_WR_PTR, 0);
        return;
    case STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX:
        SET(REMOTE_DEST_BUF_SIZE, value);
        set_spaces(to, SPACE_MASK, value);
        return;
    case STREAM_REMOTE_DEST_MSG_INFO_BUF_SIZE_REG_INDEX:
        SET(REMOTE_DEST_MSG_INFO_BUF_SIZE, value);
        set_spaces(to, (uint32_t)INFO_SPACE_MASK << ADDRESS_BITS, UINT32_C(2) << value << ADDRESS_BITS);
        return;
    case STREAM_BUF_START_REG_INDEX:
        SET(BUF_START, value);
        SET(WR_PTR, 0);
        SET(RD_PTR, 0);
        to->stream->next_message = 0;
        return;
    case STREAM_RD_PTR_REG_INDEX:
        SET(RD_PTR, value);
        to->stream->next_message = value & ADDRESS_MASK;
        return;
    case STREAM_CURR_PHASE_REG_INDEX: SET(CURR_PHASE, (value + REG(CURR_PHASE_BASE)) & PHASE_MASK); return;
    case STREAM_PHASE_AUTO_CFG_PTR_REG_INDEX:
        SET(PHASE_AUTO_CFG_PTR, (value + REG(PHASE_AUTO_CFG_PTR_BASE)) & ADDRESS_MASK);
        return;
    case STREAM_PHASE_AUTO_CFG_HEADER_REG_INDEX: auto_cfg_header(to, value); return;
    case STREAM_LOCAL_SRC_MASK_REG_INDEX:
    case STREAM_LOCAL_SRC_MASK_REG_INDEX + 1:
    case STREAM_LOCAL_SRC_MASK_REG_INDEX + 2: {
        unsigned i = index - STREAM_LOCAL_SRC_MASK_REG_INDEX;
        keep(to->ov, to->number, SLOT_STREAM_LOCAL_SRC_MASK + i,
             value & local_src_mask(tile_devices_const(to->tile), i));
        return;
    }
    case STREAM_MULTI_MSG_CLEAR_REG_INDEX:
        SET(MULTI_MSG_CLEAR, value);
        settle(to);
        return;
    case STREAM_MSG_INFO_CLEAR_REG_INDEX: msg_info_clear(to, value); return;
    case STREAM_MSG_DATA_CLEAR_REG_INDEX: msg_data_clear(to); return;
    case STREAM_PHASE_ADVANCE_REG_INDEX:
        if (to->stream->state == STATE_IDLE || to->stream->state == STATE_LOADED)
            start_phase(to);
        return;
    case STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX: update_space(to, value); return;
    case STREAM_RESET_REG_INDEX: reset_stream(to); return;
    case STREAM_BLOB_AUTO_CFG_DONE_REG_INDEX: set_done(to, to->ov->done & ~(uint64_t)value); return;
    case STREAM_BLOB_AUTO_CFG_DONE_REG_INDEX + 1: set_done(to, to->ov->done & ~((uint64_t)value << 32)); return;
    case STREAM_RECEIVER_ENDPOINT_SET_MSG_HEADER_REG_INDEX:
    case STREAM_RECEIVER_ENDPOINT_SET_MSG_HEADER_REG_INDEX + 1:
    case STREAM_RECEIVER_ENDPOINT_SET_MSG_HEADER_REG_INDEX + 2:
    case STREAM_RECEIVER_ENDPOINT_SET_MSG_HEADER_REG_INDEX + 3:
        to->ov->new_header[to->number - 4][index - STREAM_RECEIVER_ENDPOINT_SET_MSG_HEADER_REG_INDEX] = value;
        return;
    default: return; /* STREAM_DEBUG_ASSERTIONS has no bits to clear */
    }
}

/* Which registers of its stream a write may change. */
static void announce(const access_to *to, unsigned index)
{
    if (!tile_device_is_watched(to->tile, address_of(to->number, 0), address_of(to->number, OVERLAY_INDICES) - 1))
        return;
    switch (index) {
    case STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX:
    case STREAM_REMOTE_DEST_MSG_INFO_BUF_SIZE_REG_INDEX:
    case STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX: /* reads as zero */
        changing(to, to->number, index, index);
        changing(to, to->number, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX,
                 STREAM_RECEIVER_MSG_INFO_REG_INDEX - 1);
        changing(to, to->number, STREAM_DEBUG_STATUS_2_REG_INDEX, STREAM_DEBUG_STATUS_2_REG_INDEX);
        return;
    case STREAM_REMOTE_DEST_BUF_START_REG_INDEX:
        changing(to, to->number, index, index);
        changing(to, to->number, STREAM_REMOTE_DEST_WR_PTR_REG_INDEX, STREAM_REMOTE_DEST_WR_PTR_REG_INDEX);
        return;
    case STREAM_REMOTE_SRC_REG_INDEX:
    case STREAM_SCRATCH32_REG_INDEX: changing(to, to->number, index, index); return;
    default: changing(to, to->number, 0, OVERLAY_INDICES - 1); return;
    }
}

/* By a client, or by a configuration from L1. */
static dev_result write_register(access_to *to, const row *r, unsigned index, uint32_t value)
{
    uint32_t address = address_of(to->number, index);
    if (r->model == MODEL_remote) {
        tile_fault(to->tile, KERR_FAULT_UNIMPLEMENTED, to->client, address, to->cycle, PAGE "TransferBetweenTiles",
                   "%s, stream %u: transfers between tiles: write of 0x%x", r->name, to->number, value);
        return DEV_FAULT;
    }
    if (r->model == MODEL_unknown) {
        tile_fault(to->tile, KERR_FAULT_UNKNOWN, to->client, address, to->cycle, NULL,
                   "%s, stream %u is not described: write of 0x%x", r->name, to->number, value);
        return DEV_FAULT;
    }
    if (r->access == ACCESS_ro || r->access == ACCESS_rc ||
        !(r->streams & capabilities(tile_devices_const(to->tile), to->number)))
        return DEV_OK;
    announce(to, index);
    to->ov->used |= UINT64_C(1) << to->number;
    value &= width_mask(r->bits);
    if (r->model == MODEL_stored)
        keep(to->ov, to->number, (unsigned)r->slot + index - r->index, value ^ r->reset);
    else
        write_modelled(to, index, value);
    return to->failed ? DEV_FAULT : DEV_OK;
}

static access_to access_of(struct tile *tile, unsigned client, unsigned number, uint64_t cycle)
{
    overlay *ov = tile_overlay(tile);
    return (access_to){
        .tile = tile, .ov = ov, .stream = &ov->stream[number], .cycle = cycle, .client = client, .number = number};
}

dev_result overlay_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    const row *r = row_at(address);
    unsigned number = stream_at(address);
    if (r == NULL || number >= streams_of(tile_devices_const(tile)))
        return DEV_NOTHING;
    access_to to = access_of(tile, client, number, cycle);
    return write_register(&to, r, address % STREAM_BYTES / 4, value);
}

/* ---- Reads ---------------------------------------------------------------------------------------------------- */

uint32_t overlay_curr_phase(const struct tile *tile, unsigned stream)
{
    const overlay *ov = tile_overlay_const(tile);
    return (kept(ov, stream, SLOT_STREAM_CURR_PHASE) - kept(ov, stream, SLOT_STREAM_CURR_PHASE_BASE)) & PHASE_MASK;
}

uint32_t overlay_num_msgs_received(const struct tile *tile, unsigned stream)
{
    return tile_overlay_const(tile)->stream[stream].message_count;
}

static uint32_t wait_status(const overlay_stream *s)
{
    bool waits = s->state == STATE_IDLE || s->state == STATE_LOADED;
    return (uint32_t)waits | (uint32_t)(s->state == STATE_FLUSHING) << 1 | (uint32_t)(s->state == STATE_MOVING) << 2 |
           (uint32_t)s->state << 3;
}

/* Word j of message i: address, length, header.  Behind the last message the words are zero; the page leaves those of
 * the first free entry undefined. */
static uint32_t message_word(const struct devices *dev, const overlay *ov, unsigned stream, unsigned i, unsigned j)
{
    const overlay_stream *s = &ov->stream[stream];
    if (i >= s->message_count) {
        if (i == 0 && j == 0) /* AsGeneralUse, STREAM_RD_PTR */
            return (kept(ov, stream, SLOT_STREAM_BUF_START) + s->next_message) & ADDRESS_MASK;
        return 0;
    }
    unsigned at = (s->message_head + i) % OVERLAY_MESSAGES;
    switch (j) {
    case 0: return s->message[at] & ADDRESS_MASK;
    case 1: return s->message[at] >> ADDRESS_BITS;
    default:
        return capabilities(dev, stream) & OVERLAY_STREAMS_ENDPOINT
                   ? ov->header[stream - 4][at % OVERLAY_HEADERS][j - 2]
                   : 0;
    }
}

static uint32_t message_info(const struct devices *dev, const overlay *ov, unsigned stream, unsigned word)
{
    unsigned words = capabilities(dev, stream) & OVERLAY_STREAMS_ENDPOINT ? 6 : 2;
    return message_word(dev, ov, stream, word / words, word % words);
}

/* A register with a meaning. */
static uint32_t read_modelled(const struct tile *tile, unsigned stream, unsigned index)
{
    const struct devices *dev = tile_devices_const(tile);
    const overlay *ov = tile_overlay_const(tile);
    const overlay_stream *s = &ov->stream[stream];
    bool full = s->message_count >= message_capacity(dev, stream);
    uint32_t header = kept(ov, stream, SLOT_STREAM_PHASE_AUTO_CFG_HEADER), all;
    switch (index) {
    case STREAM_REMOTE_SRC_PHASE_REG_INDEX:
        return (kept(ov, stream, SLOT_STREAM_REMOTE_SRC_PHASE) - kept(ov, stream, SLOT_STREAM_CURR_PHASE_BASE)) &
               PHASE_MASK;
    case STREAM_CURR_PHASE_REG_INDEX: return overlay_curr_phase(tile, stream);
    case STREAM_PHASE_AUTO_CFG_PTR_REG_INDEX:
        return (kept(ov, stream, SLOT_STREAM_PHASE_AUTO_CFG_PTR) -
                kept(ov, stream, SLOT_STREAM_PHASE_AUTO_CFG_PTR_BASE)) &
               ADDRESS_MASK;
    case STREAM_PHASE_AUTO_CFG_HEADER_REG_INDEX: return header | (header >> MESSAGES_BITS & MESSAGES_MASK);
    case STREAM_WAIT_STATUS_REG_INDEX: return wait_status(s);
    case STREAM_NUM_MSGS_RECEIVED_IN_BUF_AND_MEM_REG_INDEX: return s->message_count + headers_in_l1(ov, stream);
    case STREAM_NUM_MSGS_RECEIVED_REG_INDEX: return s->message_count;
    case STREAM_BUF_SPACE_AVAILABLE_REG_INDEX: return buf_space_available(ov, stream);
    case STREAM_NEXT_RECEIVED_MSG_ADDR_REG_INDEX: return message_word(dev, ov, stream, 0, 0);
    case STREAM_NEXT_RECEIVED_MSG_SIZE_REG_INDEX: return message_word(dev, ov, stream, 0, 1);
    case STREAM_MSG_INFO_FULL_REG_INDEX:
    case STREAM_MSG_INFO_FULLY_LOADED_REG_INDEX: return full;
    case STREAM_MSG_INFO_CAN_PUSH_NEW_MSG_REG_INDEX: return !full && headers_in_l1(ov, stream) == 0;
    case STREAM_MSG_GROUP_ZERO_MASK_AND_REG_INDEX:
        all = UINT32_MAX;
        for (unsigned i = 0; i < 4; i++)
            all &= message_word(dev, ov, stream, i, 4);
        return all;
    case STREAM_MSG_GROUP_COMPRESS_REG_INDEX:
        all = 0;
        for (unsigned i = 0; i < 4; i++)
            all |= (message_word(dev, ov, stream, i, 3) >> 20 & 1) << i;
        return all;
    case STREAM_PHASE_ALL_MSGS_PUSHED_REG_INDEX: return s->state == STATE_MOVING && s->to_receive == 0;
    case STREAM_READY_FOR_MSG_PUSH_REG_INDEX: return s->state == STATE_MOVING;
    case STREAM_BLOB_AUTO_CFG_DONE_REG_INDEX: return (uint32_t)ov->done;
    case STREAM_BLOB_AUTO_CFG_DONE_REG_INDEX + 1: return (uint32_t)(ov->done >> 32);
    case STREAM_BLOB_NEXT_AUTO_CFG_DONE_REG_INDEX:
        for (unsigned i = 0; i < OVERLAY_STREAMS; i++) {
            unsigned at = (ov->next_done + i) % OVERLAY_STREAMS;
            if (ov->done >> at & 1)
                return at | DONE_VALID;
        }
        return 0;
    case STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX: return ov->space[stream];
    case STREAM_DEBUG_STATUS_2_REG_INDEX: return debug_status_2(dev, ov, stream);
    default: break;
    }
    if (index > STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX && index < STREAM_RECEIVER_MSG_INFO_REG_INDEX)
        return ov->mcast_space[stream][index - STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX];
    if (index >= STREAM_RECEIVER_MSG_INFO_REG_INDEX && index < STREAM_DEBUG_STATUS_SEL_REG_INDEX)
        return message_info(dev, ov, stream, index - STREAM_RECEIVER_MSG_INFO_REG_INDEX);
    const row *r = &rows[row_of_index[index]];
    return r->slot < 0 ? 0 : kept(ov, stream, (unsigned)r->slot + index - r->index) ^ r->reset;
}

/* The row must have an answer. */
static uint32_t value_of(const struct tile *tile, const row *r, unsigned stream, unsigned index)
{
    if (r->access == ACCESS_wo || !(r->streams & capabilities(tile_devices_const(tile), stream)))
        return 0;
    if (r->model == MODEL_stored)
        return kept(tile_overlay_const(tile), stream, (unsigned)r->slot + index - r->index) ^ r->reset;
    return read_modelled(tile, stream, index);
}

static bool has_answer(const struct tile *tile, const row *r, uint32_t address)
{
    return r != NULL && stream_at(address) < streams_of(tile_devices_const(tile)) && r->model != MODEL_unknown;
}

bool overlay_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client, (void)cycle;
    const row *r = row_at(address);
    if (!has_answer(tile, r, address))
        return false;
    *value = value_of(tile, r, stream_at(address), address % STREAM_BYTES / 4);
    return true;
}

dev_result overlay_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    const row *r = row_at(address);
    unsigned number = stream_at(address);
    if (r == NULL || number >= streams_of(tile_devices_const(tile)))
        return DEV_NOTHING;
    if (r->model == MODEL_unknown) {
        *value = 0;
        tile_fault(tile, KERR_FAULT_UNKNOWN, client, address, cycle, NULL, "%s, stream %u is not described: read",
                   r->name, number);
        return DEV_FAULT;
    }
    *value = value_of(tile, r, number, address % STREAM_BYTES / 4);
    if (r->access == ACCESS_rc && *value != 0) { /* in a fair manner: each turn starts behind the last stream given */
        access_to to = access_of(tile, client, number, cycle);
        unsigned given = *value % OVERLAY_STREAMS;
        to.ov->next_done = (given + 1) % OVERLAY_STREAMS;
        set_done(&to, to.ov->done & ~(UINT64_C(1) << given));
        tile_devices_changed(tile, cycle);
    }
    return DEV_OK;
}

/* A debugger's: the value as it is kept and nothing else; where no value is kept there is nothing to set. */
bool overlay_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    const row *r = row_at(address);
    if (!has_answer(tile, r, address))
        return false;
    access_to access = access_of(tile, client, stream_at(address), cycle), *to = &access;
    unsigned index = address % STREAM_BYTES / 4;
    if (!(r->streams & capabilities(tile_devices_const(tile), to->number)))
        return false;
    value &= width_mask(r->bits);
    announce(to, index);
    to->ov->used |= UINT64_C(1) << to->number;
    switch (index) {
    case STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX: to->ov->space[to->number] = value; return true;
    case STREAM_CURR_PHASE_REG_INDEX: value = (value + REG(CURR_PHASE_BASE)) & PHASE_MASK; break;
    case STREAM_REMOTE_SRC_PHASE_REG_INDEX: value = (value + REG(CURR_PHASE_BASE)) & PHASE_MASK; break;
    case STREAM_PHASE_AUTO_CFG_PTR_REG_INDEX: value = (value + REG(PHASE_AUTO_CFG_PTR_BASE)) & ADDRESS_MASK; break;
    case STREAM_PHASE_AUTO_CFG_HEADER_REG_INDEX: value &= ~(uint32_t)MESSAGES_MASK; break;
    default: break;
    }
    if (r->slot < 0)
        return false;
    keep(to->ov, to->number, (unsigned)r->slot + index - r->index, value ^ r->reset);
    return true;
}

bool overlay_is_steady(uint32_t address)
{
    const row *r = row_at(address);
    return r != NULL && r->model != MODEL_unknown && r->access != ACCESS_rc;
}

const char *overlay_register_name(uint32_t address)
{
    if (address < NOC_OVERLAY_START_ADDR || address > NOC_OVERLAY_START_ADDR_LAST)
        return NULL;
    const row *r = row_at(address);
    return r ? r->name : NULL;
}

/* ---- By itself ------------------------------------------------------------------------------------------------ */

/* The configuration has come from L1.  Its first word is a new STREAM_PHASE_AUTO_CFG_HEADER, each other one an index in
 * the upper 8 bits and a value in the lower 24. */
static void configure(access_to *to)
{
    uint32_t at = REG(PHASE_AUTO_CFG_PTR), words = (REG(PHASE_AUTO_CFG_HEADER) >> 24) + 1, word;
    if (at % 4 != 0 || at + UINT64_C(4) * words > tile_l1_size(to->tile)) {
        fault(to, KERR_FAULT_UNPREDICTABLE, STREAM_PHASE_AUTO_CFG_PTR_REG_INDEX, PAGE "LoadConfigurationFromL1",
              "the configuration is not aligned, or reaches beyond L1");
        return;
    }
    for (uint32_t i = 0; i < words && !to->failed; i++) {
        memcpy(&word, tile_l1(to->tile) + at + i * 4, 4);
        if (i == 0) {
            auto_cfg_header(to, word);
            continue;
        }
        const row *r = &rows[row_of_index[word >> 24]];
        if (r == rows) {
            fault(to, KERR_FAULT_UNKNOWN, STREAM_PHASE_AUTO_CFG_PTR_REG_INDEX, PAGE "LoadConfigurationFromL1",
                  "a configuration writes to a register that does not exist");
            return;
        }
        if (write_register(to, r, word >> 24, word & 0xFFFFFF) == DEV_FAULT)
            to->failed = true;
    }
    if (to->failed)
        return;
    to->stream->state = STATE_LOADED;
    if (REG(ONETIME_MISC_CFG) & PHASE_AUTO_ADVANCE)
        start_phase(to);
}

void overlay_event(struct tile *tile, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (dev->overlay_due == 0 || cycle < dev->overlay_due)
        return;
    const overlay *ov = tile_overlay_const(tile);
    uint64_t next = 0;
    for (unsigned i = 0; i < streams_of(dev); i++) {
        if (!(ov->due >> i & 1))
            continue;
        const overlay_stream *s = &ov->stream[i];
        if (s->due <= cycle) {
            access_to to = access_of(tile, CLIENT_NOC, i, cycle);
            changing(&to, i, 0, OVERLAY_INDICES - 1);
            to.ov->due &= ~(UINT64_C(1) << i);
            to.stream->due = 0;
            configure(&to);
        }
        if (s->due != 0 && (next == 0 || s->due < next))
            next = s->due;
    }
    dev->overlay_due = next;
    tile_devices_changed(tile, cycle);
}

void overlay_packet(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    unsigned stream = packet->packet_tag & 63;
    tile_fault(tile, KERR_FAULT_UNIMPLEMENTED, CLIENT_NOC, (uint32_t)packet->address, cycle,
               PAGE "TransferBetweenTiles",
               "a write to 0x%llx with DeliverToReceiverOverlay for stream %u: transfers between tiles",
               (unsigned long long)packet->address, stream);
}

bool overlay_is_sane(const overlay *ov)
{
    if (ov->next_done >= OVERLAY_STREAMS)
        return false;
    for (unsigned i = 0; i < OVERLAY_STREAMS; i++) {
        const overlay_stream *s = &ov->stream[i];
        bool keeps = i == 4 || i == 5;
        if (s->message_head >= OVERLAY_MESSAGES || s->message_count > (keeps ? OVERLAY_HEADERS : OVERLAY_MESSAGES) ||
            s->read_head >= OVERLAY_READS || s->read_count > OVERLAY_READS || s->state > STATE_MOVING)
            return false;
    }
    return true;
}
