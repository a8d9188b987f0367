/* SPDX-License-Identifier: Apache-2.0 */
/* The op-* benchmarks: operations on whole tensors as tt-metal's programs do them, sdk/examples/op_*.c on 130 tiles (13 columns of ten,
 * as tt-metal has them), all five cores of each, from a cold start.  What must come out is computed here, bit for bit, in code that
 * shares nothing with any library.
 *
 *   add   C = A + B: sums that BF16 holds
 *   exp   e^x by the steps of sdk/examples/op_exp.h, each rounded as the Vector Unit rounds it */
#ifndef KERR_BENCH_OP_LOAD_H
#define KERR_BENCH_OP_LOAD_H

#include "../sdk/examples/op.h"
#include "../sdk/include/kerr_params.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum op_kind { OP_ADD, OP_EXP, OP_KINDS };
enum { OP_CORES = 130, OP_COLUMNS = 13 };
enum { /* in every bank */
       OP_A = 0x100000,
       OP_B = 0x2000000,
       OP_C = 0x4000000,
};

typedef struct op_load {
    enum op_kind kind;
    uint32_t rows, columns; /* of the tensors, in tiles */
    uint32_t cores;
} op_load;

static const char *const op_names[OP_KINDS] = {"op_add", "op_exp"};

/* Core i of those that share the work, as an index of sim_tensix_x() and _y(). */
static inline unsigned op_core(unsigned i)
{
    return i / OP_COLUMNS * 14 + i % OP_COLUMNS;
}

static inline uint32_t op_tiles(const op_load *load)
{
    return load->rows * load->columns;
}

/* The whole chip at work, and a few tiles with less than a share and more than one. */
static inline op_load op_whole(enum op_kind kind)
{
    return (op_load){kind, 32, 32, OP_CORES};
}
static inline op_load op_few(enum op_kind kind)
{
    return (op_load){kind, 5, 4, 3};
}

/* Of operand 0 or 1. */
static inline uint32_t op_operand_tiles(const op_load *load, unsigned operand)
{
    (void)operand;
    return op_tiles(load);
}

/* What is shared out: tiles. */
static inline uint32_t op_units(const op_load *load)
{
    return op_tiles(load);
}

/* Of core i: as many as all others, or one more. */
static inline void op_load_params(const op_load *load, unsigned i, unsigned x, unsigned y, kerr_params *params)
{
    const uint32_t units = op_units(load), each = units / load->cores, more = units % load->cores;
    *params = (kerr_params){.tile_x = x,
                            .tile_y = y,
                            .tile_index = i,
                            .tile_count = load->cores,
                            .argument = {[OP_IN0] = OP_A,
                                         [OP_IN1] = OP_B,
                                         [OP_OUT] = OP_C,
                                         [OP_FIRST] = i * each + (i < more ? i : more),
                                         [OP_COUNT] = each + (i < more),
                                         [OP_WIDTH] = load->columns}};
}

static inline float op_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint32_t op_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Operand 0 or 1, tile after tile as it stands in memory. */
static inline void op_load_input(const op_load *load, unsigned operand, uint16_t *datum)
{
    uint32_t state = 0x9E3779B9u * (operand + 1);
    for (uint32_t i = 0; i < op_operand_tiles(load, operand) * OP_TILE; i++) {
        state = state * 1664525u + 1013904223u;
        const uint32_t r = state >> 8;
        if (load->kind == OP_EXP) /* from 2^-9 to 2^7 on both sides */
            datum[i] = (uint16_t)((r & 1) << 15 | (118 + (r >> 1 & 15)) << 7 | (r >> 5 & 127));
        else
            datum[i] = (uint16_t)(op_bits((float)((int)(r % 255) - 127) / 8) >> 16);
    }
}

/* ---- The Vector Unit ---- */

/* x * y + z (manual Miscellaneous/FMA): the product with three bits below FP32's significand, the last of them sticky; the smaller
 * one shifted right, sticky if some other bit of it is left; rounded once, to nearest even.  Of numbers that are finite and
 * results that are in the normal range, or zero. */
static inline uint32_t op_mad(uint32_t x, uint32_t y, uint32_t z)
{
    const int xe = x >> 23 & 255, ye = y >> 23 & 255, ze = z >> 23 & 255;
    const uint64_t exact = xe && ye ? (uint64_t)((x & 0x7FFFFF) | 0x800000) * ((y & 0x7FFFFF) | 0x800000) : 0;
    int64_t p = (int64_t)(exact >> 20 | ((exact & 0xFFFFF) != 0)), s = ze ? ((z & 0x7FFFFF) | 0x800000) << 3 : 0;
    const int pe = xe + ye - 127;
    if (p == 0 || pe < 0)
        return s ? z : z & (x ^ y) & 0x80000000u;
    const int e = pe > ze ? pe : ze;
    for (unsigned which = 0; which < 2; which++) {
        int64_t *v = which ? &s : &p;
        const int by = e - (which ? ze : pe) < 40 ? e - (which ? ze : pe) : 40;
        const int64_t kept = *v >> by;
        *v = kept ? kept | (kept << by != *v) : 0;
    }
    int64_t sum = ((x ^ y) >> 31 ? -p : p) + (z >> 31 ? -s : s);
    if (sum == 0)
        return z & (x ^ y) & 0x80000000u;
    const uint32_t sign = sum < 0 ? 0x80000000u : 0;
    uint64_t m = (uint64_t)(sum < 0 ? -sum : sum);
    int exponent = e;
    for (; m >> 27; exponent++)
        m = m >> 1 | (m & 1);
    for (; !(m >> 26); exponent--)
        m <<= 1;
    m = (m >> 3) + ((m & 7) + (m >> 3 & 1) > 4); /* may be the next power of two */
    return sign | (uint32_t)(((uint64_t)exponent << 23) + m - 0x800000);
}

/* What is nearest in BF16, halves away from zero. */
static inline uint16_t op_to_bf16(uint32_t x)
{
    return (uint16_t)((x >> 23 & 255) == 255 ? x >> 16 : (x + 0x8000) >> 16);
}

static inline uint16_t op_exp_model(uint16_t x)
{
    uint32_t z = op_mad((uint32_t)x << 16, OP_EXP_LOG2E, (uint32_t)OP_EXP_BIAS << 16);
    if (z >> 31)
        z = 0;
    if (z > (uint32_t)OP_EXP_MOST << 16)
        z = (uint32_t)OP_EXP_MOST << 16;
    const int shift = (int)(z >> 23) - 127;
    const uint32_t significand = (z & 0x7FFFFF) | 0x800000,
                   fixed = shift >= 0 ? significand << shift : significand >> (-shift & 31);
    const uint32_t f = op_bits((float)(fixed & 0x7FFFFF) / 8388608.0f);
    uint32_t p = op_mad(OP_EXP_C4, f, OP_EXP_C3);
    p = op_mad(p, f, OP_EXP_C2);
    p = op_mad(p, f, OP_EXP_C1);
    p = op_mad(p, f, 0x3F800000);
    const uint32_t exponent = fixed >> 23 & 255;
    return exponent == 0 ? 0 : exponent == 255 ? 0x7F80 : op_to_bf16((p & 0x807FFFFF) | exponent << 23);
}

/* ---- What must come out ---- */

static inline void op_load_output(const op_load *load, const uint16_t *a, const uint16_t *b, uint16_t *c)
{
    for (uint32_t i = 0; i < op_tiles(load) * OP_TILE; i++)
        if (load->kind == OP_ADD)
            c[i] = (uint16_t)(op_bits(op_float((uint32_t)a[i] << 16) + op_float((uint32_t)b[i] << 16)) >> 16);
        else
            c[i] = op_exp_model(a[i]);
}

#endif
