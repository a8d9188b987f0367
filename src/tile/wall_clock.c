/* SPDX-License-Identifier: Apache-2.0 */
/* Debug timestamper: a 64-bit counter of cycles, and a stream of events that software writes to L1 through it.
 *
 * Manual DebugTimestamper.  The counter is the engine's cycle.  Reading (or writing) its low half samples the high
 * half into WALL_CLOCK_H; the sample is shared by everybody in the tile.  Buffers count in units of 16 bytes.
 * TIMESTAMP_DUMP_CNTL bit 31 clears flags and pending words for as long as it is set: done before each access. */
#include "tile/blocks.h"

enum { APPEND_128 = 0, APPEND_64 = 1, APPEND_32 = 2, FLUSH_64 = 3, APPEND_96 = 4, FLUSH_96 = 7 };
enum { CNTL_RESET_STREAMS = 31 };

static void reset_streams_if_set(struct devices *dev)
{
    struct timestamper *t = &dev->timestamper;
    if (!(debug_reg_peek(dev, RISCV_DEBUG_REG_TIMESTAMP_DUMP_CNTL) >> CNTL_RESET_STREAMS))
        return;
    for (unsigned i = 0; i < 2; i++)
        t->buffer[i].full = t->buffer[i].overflow = false;
    t->accumulated_words = 0;
    t->event_bits = 0;
}

static uint32_t buffer_start(const struct devices *dev, unsigned i)
{
    return debug_reg_peek(dev, RISCV_DEBUG_REG_TIMESTAMP_DUMP_BUF0_START_ADDR + 8 * i);
}

static uint32_t buffer_end(const struct devices *dev, unsigned i)
{
    return debug_reg_peek(dev, RISCV_DEBUG_REG_TIMESTAMP_DUMP_BUF0_END_ADDR + 8 * i);
}

/* "FlushAccum": 16 bytes to the first valid buffer with space; none: every valid buffer has overflowed. */
static dev_result flush(struct tile *tile, unsigned client, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    struct timestamper *t = &dev->timestamper;
    uint32_t valid = debug_reg_peek(dev, RISCV_DEBUG_REG_TIMESTAMP_DUMP_CNTL);
    while (t->accumulated_words < 4)
        t->accumulated[t->accumulated_words++] = 0;
    t->accumulated_words = 0;
    t->event_bits = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t at = buffer_start(dev, i) + t->buffer[i].position;
        if (!(valid >> i & 1) || at > buffer_end(dev, i))
            continue;
        if (at >= devices_l1_bytes(tile_devices(tile)) / 16) {
            tile_fault(tile, KERR_FAULT_UNDEFINED, client, at << 4, cycle, "DebugTimestamper",
                       "timestamp buffer %u points past L1: 0x%x * 16", i, at);
            return DEV_FAULT;
        }
        tile_l1_write(tile, at << 4, t->accumulated, 16, cycle);
        t->buffer[i].position++;
        if (at + 1 > buffer_end(dev, i))
            t->buffer[i].full = true;
        return DEV_OK;
    }
    for (unsigned i = 0; i < 2; i++)
        t->buffer[i].overflow |= valid >> i & 1;
    return DEV_OK;
}

static dev_result append(struct tile *tile, unsigned client, const uint32_t *words, unsigned count, uint64_t cycle)
{
    struct timestamper *t = &tile_devices(tile)->timestamper;
    dev_result result = DEV_OK;
    for (unsigned i = 0; i < count; i++) {
        t->accumulated[t->accumulated_words++] = words[i];
        if (t->accumulated_words == 4)
            result = flush(tile, client, cycle);
    }
    return result;
}

/* "SetEventSize": events of different sizes do not mix within 16 bytes. */
static dev_result command(struct tile *tile, unsigned client, uint32_t value, uint64_t cycle)
{
    static const uint8_t bits_of[8] = {128, 64, 32, 64, 96, 0, 0, 96};
    struct timestamper *t = &tile_devices(tile)->timestamper;
    unsigned bits = bits_of[value & 7];
    if (bits == 0 || (t->event_bits != 0 && t->event_bits != bits)) {
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, RISCV_DEBUG_REG_TIMESTAMP_DUMP_CMD, cycle, "DebugTimestamper",
                   "timestamp command %u while the pending event has %u bits", value & 7, t->event_bits);
        return DEV_FAULT;
    }
    t->event_bits = (uint8_t)bits;
    uint32_t low = (uint32_t)cycle, high = (uint32_t)(cycle >> 32);
    switch (value & 7) {
    case APPEND_32: return append(tile, client, (uint32_t[]){(value & 0xFFFF) | (low & 0x001FFFE0) << 11}, 1, cycle);
    case APPEND_64: return append(tile, client, (uint32_t[]){value, low}, 2, cycle);
    case APPEND_96: return append(tile, client, (uint32_t[]){value, low, high}, 3, cycle);
    case APPEND_128: return append(tile, client, (uint32_t[]){value, low, high, 0}, 4, cycle);
    default: return flush(tile, client, cycle);
    }
}

static uint32_t status(const struct devices *dev)
{
    const struct timestamper *t = &dev->timestamper;
    uint32_t words = t->accumulated_words;
    uint32_t result = t->buffer[0].full | (uint32_t)t->buffer[1].full << 1 | (uint32_t)t->buffer[0].overflow << 4 |
                      (uint32_t)t->buffer[1].overflow << 5;
    if (t->event_bits == 64)
        result |= words / 2 << 8;
    else if (t->event_bits == 32)
        result |= words << 9;
    else if (t->event_bits == 96)
        result |= ((4 - words) & 3) << 11;
    return result | t->buffer[0].position << 14;
}

bool wall_clock_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client;
    const struct devices *dev = tile_devices_const(tile);
    switch (address) {
    case RISCV_DEBUG_REG_WALL_CLOCK_0: *value = (uint32_t)cycle; break;
    case RISCV_DEBUG_REG_WALL_CLOCK_1: *value = (uint32_t)(cycle >> 32); break;
    case RISCV_DEBUG_REG_WALL_CLOCK_1_AT: *value = dev->timestamper.high; break;
    case RISCV_DEBUG_REG_TIMESTAMP_DUMP_CMD: *value = 0; break;
    case RISCV_DEBUG_REG_TIMESTAMP_DUMP_STATUS: *value = status(dev); break;
    default: *value = debug_reg_peek(dev, address); break;
    }
    return true;
}

dev_result wall_clock_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    struct devices *dev = tile_devices(tile);
    reset_streams_if_set(dev);
    if (address == RISCV_DEBUG_REG_WALL_CLOCK_0)
        dev->timestamper.high = (uint32_t)(cycle >> 32);
    wall_clock_peek(tile, client, address, cycle, value);
    return DEV_OK;
}

/* What a load of the clock does is about to change. */
static void loads_change(struct tile *tile, uint64_t cycle)
{
    tile_device_changing(tile, RISCV_DEBUG_REG_WALL_CLOCK_0, RISCV_DEBUG_REG_WALL_CLOCK_1_AT + 3, cycle);
}

dev_result wall_clock_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    struct timestamper *t = &dev->timestamper;
    reset_streams_if_set(dev);
    switch (address) {
    case RISCV_DEBUG_REG_WALL_CLOCK_0: t->high = (uint32_t)(cycle >> 32); break;
    case RISCV_DEBUG_REG_TIMESTAMP_DUMP_CMD: return command(tile, client, value, cycle);
    case RISCV_DEBUG_REG_TIMESTAMP_DUMP_CNTL:
        loads_change(tile, cycle);
        *debug_reg(dev, address) = value;
        reset_streams_if_set(dev);
        break;
    case RISCV_DEBUG_REG_TIMESTAMP_DUMP_STATUS:
        for (unsigned i = 0; i < 2; i++) {
            if (value >> i & 1) {
                t->buffer[i].full = false;
                t->buffer[i].position = 0;
            }
            if (value >> (4 + i) & 1)
                t->buffer[i].overflow = false;
        }
        break;
    default: break;
    }
    return DEV_OK;
}

/* A load of the low half samples the high half and, while streams are held in reset, does that too: from then on it
 * would not be the same until somebody says so. */
rv_steady wall_clock_is_parkable(const struct devices *dev, uint32_t address)
{
    if (debug_reg_peek(dev, RISCV_DEBUG_REG_TIMESTAMP_DUMP_CNTL) >> CNTL_RESET_STREAMS)
        return STEADY_NOT;
    switch (address) {
    case RISCV_DEBUG_REG_WALL_CLOCK_0: return STEADY_CLOCK;
    case RISCV_DEBUG_REG_WALL_CLOCK_1: return STEADY_CLOCK_HIGH;
    case RISCV_DEBUG_REG_WALL_CLOCK_1_AT: return STEADY_SAMPLE;
    default: return STEADY_NOT;
    }
}

bool wall_clock_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    struct devices *dev = tile_devices(tile);
    if (address == RISCV_DEBUG_REG_WALL_CLOCK_1_AT) {
        loads_change(tile, cycle);
        dev->timestamper.high = value;
    } else if (address == RISCV_DEBUG_REG_TIMESTAMP_DUMP_CNTL) {
        loads_change(tile, cycle);
        *debug_reg(dev, address) = value;
    }
    return true;
}
