/* SPDX-License-Identifier: Apache-2.0 */
/* The sets of inputs of tests/oracle/formats_ref.py, generated again: both must make the same numbers in the same order. */
#ifndef KERR_TESTS_FORMAT_SETS_H
#define KERR_TESTS_FORMAT_SETS_H

#include "num/formats.h"

#include <stdint.h>
#include <string.h>

enum { TILE_DATUMS = 1024, TILE_ROWS = 64, CHUNK_TILES = 16, SET_MAX = 65536 * 8 };

struct format_set {
    uint32_t count;
    uint32_t datums[SET_MAX];
    uint8_t exponents[SET_MAX / ROW_DATUMS]; /* of BFP formats */
};

static inline uint32_t set_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Rows in which exponents differ by up to 12. */
static inline void set_spread(struct format_set *set, unsigned format)
{
    uint64_t state = 1;
    set->count = 16 * TILE_DATUMS;
    for (uint32_t i = 0; i < set->count; i += ROW_DATUMS) {
        const uint32_t base = set_random(&state) % (format == FORMAT_FP16 ? 32 : 256);
        for (uint32_t j = i; j < i + ROW_DATUMS; j++) {
            const uint32_t r = set_random(&state), down = r % 13;
            const uint32_t exponent = (r >> 4 & 15) && base > down ? base - down : 0;
            const uint64_t fraction = (uint64_t)r * 0x9E3779B1u >> 8 & 0x7FFFFF;
            const uint32_t x = r >> 31 << 31 | exponent << 23 | (uint32_t)fraction;
            const uint32_t half = (x >> 16 & 0x8000) | (x >> 23 & 31) << 10 | (x >> 13 & 0x3FF);
            set->datums[j] = format == FORMAT_BF16 ? x >> 16 : format == FORMAT_FP16 ? half : x;
        }
    }
}

/* All datums times all exponents. */
static inline void set_bfp(struct format_set *set, unsigned bits)
{
    const uint32_t count = 1u << bits, each = count < ROW_DATUMS ? ROW_DATUMS : count;
    set->count = 256 * each;
    for (uint32_t i = 0; i < set->count; i++) {
        set->datums[i] = i % count;
        set->exponents[i / ROW_DATUMS] = (uint8_t)(i / each);
    }
}

static inline void set_ints32(struct format_set *set)
{
    uint64_t state = 1;
    set->count = 16 * TILE_DATUMS;
    for (uint32_t i = 0; i < set->count; i++) {
        const uint32_t magnitude = set_random(&state) >> (i & 31);
        set->datums[i] = magnitude | (set_random(&state) & 1) << 31;
    }
}

/* Whether there is a set of that name. */
static inline bool set_make(struct format_set *set, const char *name, unsigned format)
{
    static const uint32_t lows[8] = {0x0000, 0x0001, 0x0FFF, 0x1000, 0x7FFF, 0x8000, 0xA55A, 0xFFFF};
    if (strcmp(name, "spread") == 0) {
        set_spread(set, format);
    } else if (strcmp(name, "bfp") == 0) {
        set_bfp(set, format_bits(format));
    } else if (strcmp(name, "ints32") == 0) {
        set_ints32(set);
    } else if (strcmp(name, "all8") == 0 || strcmp(name, "all16") == 0 || strcmp(name, "edges32") == 0) {
        set->count = name[3] == '8' ? TILE_DATUMS : name[0] == 'a' ? 65536 : SET_MAX;
        for (uint32_t i = 0; i < set->count; i++) {
            set->datums[i] = name[3] == '8' ? i & 255 : name[0] == 'a' ? i : i >> 3 << 16 | lows[i & 7];
        }
    } else {
        return false;
    }
    return true;
}

/* What is in L1 before an accumulation of the datums. */
static inline void set_memory(const struct format_set *set, uint32_t *memory, unsigned out_format)
{
    static const uint32_t special16[16] = {0,      0x8000, 0x7F80, 0xFF80, 0x7FC0, 0xFFC1, 0x7C00, 0x7FFF,
                                           0xFFFF, 0x0001, 0x0080, 0x0400, 0x3F80, 0x3C00, 0x7F7F, 0x7BFF};
    static const uint32_t special32[16] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFF800001,
                                           0x7F7FFFFF, 0x00800000, 0x007FFFFF, 0x80000001, 0x3F800000, 0xBF800000,
                                           0x33800000, 0x00FFFFFF, 0x80800000, 0x4B800000};
    const unsigned width = format_bits(out_format);
    const unsigned mantissa = width == 32 ? 23 : out_format == FORMAT_FP16 ? 10 : 7;
    const uint32_t mask = width == 32 ? UINT32_MAX : 0xFFFF;
    uint64_t state = 1;
    for (uint32_t i = 0; i < set->count; i++) {
        const uint32_t x = set->datums[i], r = set_random(&state);
        switch (r & 3) {
        case 0: memory[i] = set_random(&state) >> (32 - width); break;
        case 1: memory[i] = (x ^ 1u << (width - 1)) & mask; break;
        case 2: {
            const uint32_t moved = x + (((r >> 8) % 53 - 26) << mantissa);
            memory[i] = (moved ^ (set_random(&state) & ((1u << mantissa) - 1))) & mask;
            break;
        }
        default: memory[i] = (width == 32 ? special32 : special16)[(r >> 8) % 16]; break;
        }
    }
}

#endif
