/* SPDX-License-Identifier: Apache-2.0 */
/* The unpack-* and pack-* benchmarks: sdk/examples/datapath.c with one end of the way repeated, so that it is what takes the
 * time.  The input is chosen so that every conversion on the way is exact, and what must come out is known without a model of
 * the arithmetic: the same datums, elsewhere if the layout changes. */
#ifndef KERR_BENCH_DATA_LOAD_H
#define KERR_BENCH_DATA_LOAD_H

#include "../sdk/examples/datapath.h"
#include "../sdk/include/kerr_params.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    DATA_PARAMS = 0x18000, /* KERR_PARAMS_BASE of the sdk */
    DATA_FROM = 0x20000,
    DATA_TO = 0x40000,
    DATA_MAX_BYTES = 4 * 4096,
};

typedef struct data_load {
    uint32_t flags, format, register_format, tiles; /* format in L1 at both ends; tiles side by side */
} data_load;

static inline uint32_t data_load_bytes(const data_load *load)
{
    return load->tiles * datapath_tile_bytes(load->format);
}

/* What the kernel is told; `repeat` times one end, once the other. */
static inline void data_load_params(const data_load *load, uint32_t repeat, kerr_params *params)
{
    const uint32_t bytes = datapath_tile_bytes(load->format);
    *params = (kerr_params){.argument = {[DATAPATH_FLAGS] = load->flags,
                                         [DATAPATH_IN] = load->format,
                                         [DATAPATH_REGISTER] = load->register_format,
                                         [DATAPATH_PACK_IN] = load->format,
                                         [DATAPATH_OUT] = load->format,
                                         [DATAPATH_TILES] = load->tiles,
                                         [DATAPATH_FROM] = DATA_FROM,
                                         [DATAPATH_FROM_STEP] = bytes,
                                         [DATAPATH_TO] = DATA_TO,
                                         [DATAPATH_TO_STEP] = bytes,
                                         [DATAPATH_ROW_TILES] = load->tiles,
                                         [DATAPATH_REPEAT] = repeat}};
}

/* The tiles as they stand in L1, another pattern for each `seed`.  Block floats have a leading one in every row, so that the
 * packer finds the exponents that were there, and no minus zero, which is another number. */
static inline void data_load_input(const data_load *load, uint32_t seed, uint8_t *bytes)
{
    const uint32_t size = datapath_tile_bytes(load->format);
    uint32_t state = 0x9E3779B9u * (seed + 1);
    for (uint32_t i = 0; i < data_load_bytes(load); i++) {
        state = state * 1664525u + 1013904223u;
        uint8_t byte = (uint8_t)(state >> 24);
        const uint32_t in_tile = i % size;
        if (load->format == DATAPATH_BFP8)
            byte = in_tile < 64 ? 100 + byte % 50 : in_tile % 16 == 0 || byte == 0x80 ? byte | 0x40 : byte;
        else if (in_tile % (size / 1024) == size / 1024 - 1)
            byte = 0x30 | (byte & 0x8f); /* an exponent that is neither zero nor the highest */
        bytes[i] = byte;
    }
}

/* Where datum `index` of a row-major matrix of tiles side by side is when it is stored tile by tile. */
static inline uint32_t data_load_tiled(uint32_t index, uint32_t tiles)
{
    const uint32_t row = index / (32 * tiles), column = index % (32 * tiles);
    return column / 32 * 1024 + (row / 16 * 2 + column % 32 / 16) * 256 + row % 16 * 16 + column % 16;
}

static inline void data_load_output(const data_load *load, const uint8_t *input, uint8_t *output)
{
    const uint32_t size = datapath_tile_bytes(load->format) / 1024;
    if (!(load->flags & (DATAPATH_TILIZE | DATAPATH_UNTILIZE))) {
        memcpy(output, input, data_load_bytes(load));
        return;
    }
    for (uint32_t i = 0; i < 1024 * load->tiles; i++) {
        const uint32_t tiled = data_load_tiled(i, load->tiles);
        const bool tilize = load->flags & DATAPATH_TILIZE;
        memcpy(output + size * (tilize ? tiled : i), input + size * (tilize ? i : tiled), size);
    }
}

#endif
