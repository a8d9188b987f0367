/* SPDX-License-Identifier: Apache-2.0 */
/* The mvmul-*, elw-bf16, gapool and matmul-sdk benchmarks: sdk/examples/matmul.c, with each pair of tiles multiplied many times,
 * so that the Matrix Unit is what takes the time, or once, as a whole.  What must come out is a hash of C that was recorded
 * from the reference; equal bits are what tests/vectors/matmul.vec is about, this is to see that the work was done. */
#ifndef KERR_BENCH_MATRIX_LOAD_H
#define KERR_BENCH_MATRIX_LOAD_H

#include "../sdk/examples/matmul.h"
#include "../sdk/include/kerr_params.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    MATRIX_PARAMS = 0x18000, /* KERR_PARAMS_BASE of the sdk */
    MATRIX_SHARED = 0x20000, /* the kernel's counters, zero at the start */
    MATRIX_SHARED_BYTES = 0x2000,
    MATRIX_A = 0x100000,
    MATRIX_B = 0x2000000,
    MATRIX_C = 0x4000000,
    MATRIX_MAX_BYTES = 1 << 20, /* of a matrix */
};

typedef struct matrix_load {
    uint32_t operation, format, register_format, out, phases, flags;
    uint32_t side;  /* tiles a row and column of A, B and C */
    uint32_t block; /* tiles a row and column of a block */
    uint32_t
        columns; /* of the rectangle of Tensix tiles that share the work, as many as rows; 1: each does all of it */
    uint64_t hash[2][2]; /* of C: with one tile and with all, each after a line's steps and after its longer run */
} matrix_load;

static inline uint32_t matrix_load_tiles(const matrix_load *load)
{
    return load->side * load->side;
}

static inline uint32_t matrix_load_instructions(const matrix_load *load)
{
    const uint32_t pair = load->operation == MATMUL_MVMUL ? 16 : load->operation == MATMUL_ELEMENTWISE ? 8 : 4;
    return pair * load->phases * load->side * load->side * load->side;
}

/* `index` is the tile's place in its rectangle, x and y where it is; C's address differs where each tile has its own. */
static inline void matrix_load_params(const matrix_load *load, uint32_t repeat, uint32_t x, uint32_t y, uint32_t index,
                                      uint32_t c, uint32_t last_x, uint32_t last_y, kerr_params *params)
{
    const uint32_t grid = load->columns, pack_in = load->out;
    *params = (kerr_params){
        .tile_x = x,
        .tile_y = y,
        .tile_index = index,
        .tile_count = grid * grid,
        .argument = {[MATMUL_FLAGS] = (load->phases - 1) | load->flags,
                     [MATMUL_FORMATS] = matmul_formats(load->format, load->register_format, pack_in, load->out),
                     [MATMUL_SHAPE] = matmul_shape(load->side, load->side, load->side),
                     [MATMUL_BLOCK] = matmul_bytes(load->block, load->block, load->side > 1 ? 4 : 1, 0),
                     [MATMUL_GRID] = matmul_bytes(grid, grid, 0, 0),
                     [MATMUL_A] = MATRIX_A,
                     [MATMUL_B] = MATRIX_B,
                     [MATMUL_C] = c,
                     [MATMUL_ENDS] = matmul_bytes(1, last_x, 2, last_y),
                     [MATMUL_OPERATION] = load->operation,
                     [MATMUL_REPEAT] = repeat}};
}

/* Tiles as they stand in memory: numbers near one, no minus zero in block floats. */
static inline void matrix_load_input(const matrix_load *load, uint32_t seed, uint8_t *bytes)
{
    const uint32_t size = datapath_tile_bytes(load->format), datum = size / 1024;
    uint32_t state = 0x9E3779B9u * (seed + 1);
    for (uint32_t i = 0; i < matrix_load_tiles(load) * size; i++) {
        state = state * 1664525u + 1013904223u;
        uint8_t byte = (uint8_t)(state >> 24);
        const uint32_t in_tile = i % size;
        if (load->format == DATAPATH_BFP8)
            byte = in_tile < 64 ? 124 + byte % 4 : byte == 0x80 ? 0x81 : byte;
        else if (datum == 2 && in_tile % 2 == 1)
            byte = 0x3e | (byte & 0x81); /* BF16 from 0.125 to 0.5 */
        bytes[i] = byte;
    }
}

/* Continues `hash`, or begins with 0. */
static inline uint64_t matrix_load_hash(uint64_t hash, const uint8_t *bytes, uint32_t size)
{
    hash = hash ? hash : 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

#endif
