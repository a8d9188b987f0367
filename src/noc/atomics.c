/* SPDX-License-Identifier: Apache-2.0 */
/* NoC atomics: manual NoC/Atomics.  Bits 15:12 of NOC_AT_LEN_BE choose the operation.
 *
 * The header also names 0 (NOP), 2 (INCR_GET_PTR) and 5 (GET_TILE_MAP), which no document describes.
 * OPEN: how L1 rounds sums of floating point numbers; taken as the multiply-add of the baby cores does, with denormals
 * flushed.  Would settle it: parallel additions of ties on a card. */
#include "noc/atomics.h"

#include "num/f16.h"
#include "num/fma.h"

#include <string.h>

enum opcode {
    INCREMENT = 1,
    SWAP_MASK = 3,
    COMPARE_AND_SWAP = 4,
    SWAP_INDEX_6 = 6,
    SWAP_INDEX_7 = 7,
    PARALLEL_ADDITION = 9,
    ZAAMO = 10,
};

static uint32_t load_word(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void store_word(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static uint32_t field(uint32_t word, unsigned first, unsigned bits)
{
    return word >> first & ((1u << bits) - 1);
}

static uint32_t zaamo(unsigned op, uint32_t old, uint32_t data)
{
    bool less = (int32_t)old < (int32_t)data, below = old < data;
    switch (op) {
    case 0: return old + data;
    case 1: return old ^ data;
    case 2: return old | data;
    case 3: return old & data;
    case 4: return less ? old : data;
    case 5: return less ? data : old;
    case 6: return below ? old : data;
    default: return below ? data : old;
    }
}

static void add_words(uint8_t *line, const uint8_t *addend, bool is_float)
{
    for (unsigned i = 0; i < NOC_ATOMIC_BYTES; i += 4) {
        uint32_t a = load_word(line + i), b = load_word(addend + i), flags = 0;
        store_word(line + i, is_float ? fma_f32_add(a, b, &flags) : a + b);
    }
}

static void add_halves(uint8_t *line, const uint8_t *addend, f16_format format)
{
    uint16_t one = format == F16_HALF ? 0x3C00 : 0x3F80;
    for (unsigned i = 0; i < NOC_ATOMIC_BYTES; i += 2) {
        uint16_t a, b;
        uint32_t flags = 0;
        memcpy(&a, line + i, sizeof a);
        memcpy(&b, addend + i, sizeof b);
        a = f16_fma(a, one, b, format, F32_NEAREST_EVEN, &flags);
        memcpy(line + i, &a, sizeof a);
    }
}

static void add_bytes(uint8_t *line, const uint8_t *addend, bool saturate)
{
    for (unsigned i = 0; i < NOC_ATOMIC_BYTES; i++) {
        unsigned sum = (unsigned)line[i] + addend[i];
        line[i] = (uint8_t)(saturate && sum > UINT8_MAX ? UINT8_MAX : sum);
    }
}

noc_atomic_result noc_accumulate(uint32_t at_len_be, uint8_t *line, const uint8_t *addend)
{
    switch (field(at_len_be, 0, 4)) {
    case 0:
    case 8: add_words(line, addend, true); return NOC_ATOMIC_DONE;
    case 1:
    case 9: add_halves(line, addend, F16_HALF); return NOC_ATOMIC_DONE;
    case 2:
    case 10: add_halves(line, addend, F16_BFLOAT); return NOC_ATOMIC_DONE;
    case 4:
    case 12:
    case 13: add_words(line, addend, false); return NOC_ATOMIC_DONE;
    case 7: add_bytes(line, addend, true); return NOC_ATOMIC_DONE;
    case 15: add_bytes(line, addend, false); return NOC_ATOMIC_DONE;
    default: return NOC_ATOMIC_UNKNOWN; /* the header has INT32, INT32_UNS and INT8 with saturation among these */
    }
}

noc_atomic_result noc_atomic(uint32_t at_len_be, uint32_t at_data, uint32_t address, uint8_t *line, uint32_t *result)
{
    uint8_t *at = line + 4 * field(at_len_be, 0, 2);
    uint32_t old = load_word(at);
    *result = load_word(line + (address & 12));
    switch (field(at_len_be, 12, 4)) {
    case INCREMENT: {
        uint32_t mask = (2u << field(at_len_be, 2, 5)) - 1;
        store_word(at, ((old + at_data) & mask) | (old & ~mask));
        return NOC_ATOMIC_DONE;
    }
    case SWAP_MASK:
        for (unsigned i = 0; i < 8; i++) {
            if (field(at_len_be, 2, 8) >> i & 1) {
                uint16_t half = (uint16_t)(at_data >> (i & 1) * 16);
                memcpy(line + 2 * i, &half, sizeof half);
            }
        }
        return NOC_ATOMIC_DONE;
    case COMPARE_AND_SWAP:
        if (old == field(at_len_be, 2, 4))
            store_word(at, field(at_len_be, 6, 4));
        return NOC_ATOMIC_DONE;
    case SWAP_INDEX_6:
        if (!field(at_len_be, 2, 1))
            return NOC_ATOMIC_UNKNOWN;
        store_word(at, at_data);
        return NOC_ATOMIC_DONE;
    case SWAP_INDEX_7: store_word(line + 4 * field(at_len_be, 2, 2), at_data); return NOC_ATOMIC_DONE;
    case PARALLEL_ADDITION: {
        uint8_t addend[NOC_ATOMIC_BYTES];
        for (unsigned i = 0; i < NOC_ATOMIC_BYTES; i += 4)
            store_word(addend + i, at_data);
        return noc_accumulate(at_len_be, line, addend);
    }
    case ZAAMO:
        if (field(at_len_be, 11, 1))
            store_word(at, zaamo(field(at_len_be, 8, 3), old, at_data));
        else if (field(at_len_be, 8, 3) == 3)
            store_word(at, at_data);
        else
            return NOC_ATOMIC_UNKNOWN;
        return NOC_ATOMIC_DONE;
    default: return NOC_ATOMIC_UNKNOWN;
    }
}
