/* SPDX-License-Identifier: Apache-2.0 */
/* The op-* benchmarks: operations on whole tensors as tt-metal's programs do them, sdk/examples/op_*.c on 130 tiles (13 columns of ten,
 * as tt-metal has them), all five cores of each, from a cold start.  What must come out is computed here, bit for bit, in code that
 * shares nothing with any library.
 *
 *   add        C = A + B
 *   exp        e^x by the steps of sdk/examples/op_exp.h, each rounded as the Vector Unit rounds it
 *   softmax    of each row
 *   matmul     C = A x B, of which most data are zero
 *   layernorm  of each row, with gamma and beta
 *
 * Data are such that sums of many are exact, and the order of additions does not matter. */
#ifndef KERR_BENCH_OP_LOAD_H
#define KERR_BENCH_OP_LOAD_H

#include "../sdk/examples/op.h"
#include "../sdk/include/kerr_params.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op_kind { OP_ADD, OP_EXP, OP_SOFTMAX, OP_MATMUL, OP_LAYERNORM, OP_KINDS };
enum { OP_CORES = 130, OP_COLUMNS = 13, OP_ROWS = 32 /* of tiles */ };
enum { /* in every bank */
       OP_A = 0x100000,
       OP_B = 0x2000000,
       OP_C = 0x4000000,
};

typedef struct op_load {
    enum op_kind kind;
    uint32_t rows, columns; /* of the result, in tiles */
    uint32_t inner;         /* matmul: columns of A */
    uint32_t cores;
} op_load;

static const char *const op_names[OP_KINDS] = {"op_add", "op_exp", "op_softmax", "op_matmul", "op_layernorm"};

/* Core i of those that share the work, as an index of sim_tensix_x() and _y(). */
static inline unsigned op_core(unsigned i)
{
    return i / OP_COLUMNS * 14 + i % OP_COLUMNS;
}

static inline uint32_t op_tiles(const op_load *load)
{
    return load->rows * load->columns;
}

/* The whole chip at work, and a few tiles, some with one unit of work more than others. */
static inline op_load op_whole(enum op_kind kind)
{
    return (op_load){kind, OP_ROWS, 32, 32, OP_CORES};
}
static inline op_load op_few(enum op_kind kind)
{
    return (op_load){kind, 4, 8, 16, 3};
}

/* Of operand 0 or 1, in tiles. */
static inline uint32_t op_operand_tiles(const op_load *load, unsigned operand)
{
    switch (load->kind) {
    case OP_EXP:
    case OP_SOFTMAX: return operand == 0 ? op_tiles(load) : 0;
    case OP_MATMUL: return load->inner * (operand == 0 ? load->rows : load->columns);
    case OP_LAYERNORM: return operand == 0 ? op_tiles(load) : 2 * load->columns;
    default: return op_tiles(load);
    }
}

/* What is shared out: tiles, blocks of the product, or rows of tiles. */
static inline uint32_t op_units(const op_load *load)
{
    switch (load->kind) {
    case OP_ADD:
    case OP_EXP: return op_tiles(load);
    case OP_MATMUL: return op_tiles(load) / (OP_MATMUL_ROWS * OP_MATMUL_COLUMNS);
    default: return load->rows;
    }
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
                                         [OP_WIDTH] = load->columns,
                                         [OP_INNER] = load->inner}};
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

/* Where row r, column c of a matrix of so many tiles a row is. */
static inline uint32_t op_at(uint32_t columns, uint32_t r, uint32_t c)
{
    return (r / 32 * columns + c / 32) * OP_TILE + (r % 32 / 16 * 2 + c % 32 / 16) * 256 + r % 16 * 16 + c % 16;
}

static inline uint16_t op_bf16(float exact)
{
    return (uint16_t)(op_bits(exact) >> 16);
}
static inline float op_value(uint16_t bf16)
{
    return op_float((uint32_t)bf16 << 16);
}

/* A datum of operand 0 or 1, from 24 random bits:
 *   add        eighths, whose sums BF16 holds
 *   exp        from 2^-9 to 2^7, on both sides
 *   softmax    from -2 to 0.69: 1024 times e^x of that is a sum that Dst of 32 bits holds exactly
 *   matmul     most of them zero, so that sums stay below 256 in any order
 *   layernorm  gamma and beta; operand 0 has a function of its own */
static inline uint16_t op_datum(enum op_kind kind, uint32_t r)
{
    switch (kind) {
    case OP_ADD: return op_bf16((float)((int)(r % 255) - 127) / 8);
    case OP_EXP: return (uint16_t)((r & 1) << 15 | (118 + (r >> 1 & 15)) << 7 | (r >> 5 & 127));
    case OP_SOFTMAX: return op_bf16((float)(r % 2690) / 1000 - 2);
    case OP_MATMUL: return r & 3 ? 0 : op_bf16((r & 64 ? 1.0f : -1.0f) * (float)(1 + (r >> 4 & 1)));
    default: return (uint16_t)((r & 1) << 15 | (123 + (r >> 1 & 7)) << 7 | (r >> 5 & 127));
    }
}

static inline uint32_t op_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Integers around an integer that is the mean of their row. */
static inline void op_centred_input(const op_load *load, uint16_t *datum)
{
    uint32_t state = 12345;
    for (uint32_t r = 0; r < 32 * load->rows; r++) {
        const int mean = (int)(op_random(&state) % 7) - 3;
        for (uint32_t c = 0; c < 32 * load->columns; c += 2) {
            const int off = (int)(op_random(&state) % 31) - 15;
            datum[op_at(load->columns, r, c)] = op_bf16((float)(mean + off));
            datum[op_at(load->columns, r, c + 1)] = op_bf16((float)(mean - off));
        }
    }
}

/* Operand 0 or 1, tile after tile as it stands in memory. */
static inline void op_load_input(const op_load *load, unsigned operand, uint16_t *datum)
{
    uint32_t state = 0x9E3779B9u * (operand + 1);
    if (load->kind == OP_LAYERNORM && operand == 0) {
        op_centred_input(load, datum);
    } else if (load->kind == OP_LAYERNORM) { /* 32 equal rows */
        for (uint32_t c = 0; c < 64 * load->columns; c++) {
            const uint16_t value = op_datum(load->kind, op_random(&state));
            for (uint32_t r = 0; r < 32; r++)
                datum[op_at(2 * load->columns, r, c)] = value;
        }
    } else {
        for (uint32_t i = 0; i < op_operand_tiles(load, operand) * OP_TILE; i++)
            datum[i] = op_datum(load->kind, op_random(&state));
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

static inline uint32_t op_recip_model(uint32_t x)
{
    const uint32_t m = (x & 0x7FFFFF) | 126u << 23 | 0x80000000u;
    uint32_t y = op_mad(m, OP_RECIP_K1, OP_RECIP_K0);
    for (unsigned i = 0; i < OP_STEPS; i++)
        y = op_mad(y, op_mad(m, y, 0x40000000), 0);
    return (y & 0x807FFFFF) | ((y >> 23) - (x >> 23) + 126) << 23;
}

static inline uint32_t op_rsqrt_model(uint32_t x)
{
    x = op_mad(x, 0x3F800000, (uint32_t)OP_RSQRT_EPS << 16);
    uint32_t y = OP_RSQRT_MAGIC - (x >> 1);
    x = op_mad(x, (uint32_t)OP_RSQRT_HALF << 16, 0);
    for (unsigned i = 0; i < OP_STEPS; i++)
        y = op_mad(y, op_mad(op_mad(y, y, 0), x, (uint32_t)OP_RSQRT_3_2 << 16), 0);
    return y;
}

/* ---- The Matrix Unit ---- */

/* A product of two BF16, which Dst of 32 bits holds, as the packer leaves it. */
static inline uint16_t op_times(uint16_t x, uint16_t y)
{
    return op_to_bf16(op_bits(op_value(x) * op_value(y)));
}

/* Their sum (docs/matrix-arithmetic.md): the smaller one shifted right with ten bits behind the larger one's point, halves up. */
static inline uint16_t op_plus(uint16_t x, uint16_t y)
{
    if ((x & 0x7FFF) < (y & 0x7FFF)) {
        const uint16_t swapped = x;
        x = y;
        y = swapped;
    }
    const int exponent = x >> 7 & 255, shift = exponent - (y >> 7 & 255);
    const int large = (x & 127) << 3 | 1024, small = (y & 127) << 3 | 1024;
    const int aligned = shift == 0 ? small : shift > 30 ? 0 : (small + (1 << (shift - 1))) >> shift;
    const int sum = (x ^ y) & 0x8000 ? large - aligned : large + aligned;
    return op_to_bf16(op_bits(ldexpf((float)(x & 0x8000 ? -sum : sum), exponent - 137)));
}

/* ---- What must come out ---- */

static inline void op_softmax_row(const op_load *load, uint32_t r, const uint16_t *x, uint16_t *y)
{
    double sum = 0;
    for (uint32_t c = 0; c < 32 * load->columns; c++) {
        const uint32_t at = op_at(load->columns, r, c);
        y[at] = op_exp_model(x[at]);
        sum += (double)op_value(y[at]);
    }
    const uint16_t recip = op_to_bf16(op_recip_model(op_bits((float)sum)));
    for (uint32_t c = 0; c < 32 * load->columns; c++) {
        const uint32_t at = op_at(load->columns, r, c);
        y[at] = op_times(y[at], recip);
    }
}

static inline void op_layernorm_row(const op_load *load, uint32_t r, const uint16_t *x, const uint16_t *gamma_beta,
                                    uint16_t *y)
{
    const uint32_t width = 32 * load->columns;
    double sum = 0, squares = 0;
    for (uint32_t c = 0; c < width; c++)
        sum += (double)op_value(x[op_at(load->columns, r, c)]);
    const float mean = (float)(sum / width);
    for (uint32_t c = 0; c < width; c++) {
        const float centred = op_value(x[op_at(load->columns, r, c)]) - mean;
        squares += (double)(centred * centred);
    }
    const uint16_t rsqrt = op_to_bf16(op_rsqrt_model(op_bits((float)(squares / width))));
    for (uint32_t c = 0; c < width; c++) {
        const uint32_t at = op_at(load->columns, r, c);
        const uint16_t normal = op_times(op_bf16(op_value(x[at]) - mean), rsqrt);
        y[at] = op_plus(op_times(normal, gamma_beta[op_at(2 * load->columns, 0, c)]),
                        gamma_beta[op_at(2 * load->columns, 0, width + c)]);
    }
}

static inline void op_matmul_row(const op_load *load, uint32_t r, const uint16_t *a, const uint16_t *b, uint16_t *c)
{
    float sum[32 * 32] = {0};
    for (uint32_t k = 0; k < 32 * load->inner; k++) {
        const float factor = op_value(a[op_at(load->inner, r, k)]);
        for (uint32_t i = 0; i < 32 * load->columns && factor != 0; i++)
            sum[i] += factor * op_value(b[op_at(load->columns, k, i)]);
    }
    for (uint32_t i = 0; i < 32 * load->columns; i++)
        c[op_at(load->columns, r, i)] = op_bf16(sum[i]);
}

static inline void op_load_output(const op_load *load, const uint16_t *a, const uint16_t *b, uint16_t *c)
{
    if (load->kind == OP_ADD || load->kind == OP_EXP) {
        for (uint32_t i = 0; i < op_tiles(load) * OP_TILE; i++)
            c[i] = load->kind == OP_EXP ? op_exp_model(a[i]) : op_bf16(op_value(a[i]) + op_value(b[i]));
        return;
    }
    for (uint32_t r = 0; r < 32 * load->rows; r++)
        switch (load->kind) {
        case OP_SOFTMAX: op_softmax_row(load, r, a, c); break;
        case OP_MATMUL: op_matmul_row(load, r, a, b, c); break;
        default: op_layernorm_row(load, r, a, b, c);
        }
}

/* What goes in, what must come out, and room for what does. */
struct op_tensors {
    uint16_t *in[2], *want, *got;
};

static inline void op_tensors_free(struct op_tensors *t)
{
    free(t->in[0]);
    free(t->in[1]);
    free(t->want);
    free(t->got);
}

static inline bool op_tensors(const op_load *load, struct op_tensors *t)
{
    for (unsigned i = 0; i < 2; i++)
        t->in[i] = calloc(op_operand_tiles(load, i) + 1, OP_PAGE);
    t->want = calloc(op_tiles(load), OP_PAGE);
    t->got = calloc(op_tiles(load), OP_PAGE);
    if (t->in[0] == NULL || t->in[1] == NULL || t->want == NULL || t->got == NULL) {
        op_tensors_free(t);
        return false;
    }
    for (unsigned i = 0; i < 2; i++)
        op_load_input(load, i, t->in[i]);
    op_load_output(load, t->in[0], t->in[1], t->want);
    return true;
}

static inline bool op_is_right(const op_load *load, const struct op_tensors *t, char *error, size_t size)
{
    for (uint32_t i = 0; i < op_tiles(load) * OP_TILE; i++)
        if (t->got[i] != t->want[i]) {
            snprintf(error, size, "%s: tile %u of the result, datum %u is %04x, not %04x", op_names[load->kind],
                     i / OP_TILE, i % OP_TILE, t->got[i], t->want[i]);
            return false;
        }
    return true;
}

#endif
