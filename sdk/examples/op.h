/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on tensors as tt-metal's programs have them (op_*.c): what the host says in kerr_params.argument[], where things are,
 * and the constants that the model on the host needs too.  Plain C, read by both sides.
 *
 * A tensor is cut into tiles of 32 x 32 datums in BF16, in L1 four faces of 16 x 16 one after the other: a page of 2 KiB.  Pages are
 * interleaved: page i is in bank i % OP_BANKS of DRAM at the tensor's address plus i / OP_BANKS pages. */
#ifndef OP_H
#define OP_H

#include <stdint.h>

enum { OP_BANKS = 8, OP_TILE = 1024 /* datums */, OP_PAGE = 2 * OP_TILE };

enum {         /* words of kerr_params.argument[] */
       OP_IN0, /* addresses of tensors in every bank */
       OP_IN1,
       OP_OUT,
       OP_FIRST, /* this core's share: the first of its tiles or of its rows of tiles, and how many */
       OP_COUNT,
       OP_WIDTH, /* tiles a row of the result */
       OP_INNER, /* matmul: of A */
};

/* Tiles that are in half of Dst together where it holds 32 bits a datum, and rows and columns of a block of a product. */
enum { OP_BLOCK = 4, OP_MATMUL_ROWS = 2, OP_MATMUL_COLUMNS = 4, OP_MATMUL_STEP = 4 /* columns of A at a time */ };

/* ---- e^x as op_exp.h computes it: 2^(x / ln 2), the fraction by a polynomial */

enum {
    OP_EXP_LOG2E = 0x3FB8AA3B,
    OP_EXP_C4 = 0x3C5ED289, /* 0.0136 */
    OP_EXP_C3 = 0x3D53C361, /* 0.0517 */
    OP_EXP_C2 = 0x3E76C8B4, /* 0.2410 */
    OP_EXP_C1 = 0x3F316F00, /* 0.6931 */
    OP_EXP_BIAS = 0x42FE,   /* 127, 255 and 2^-23 in BF16 */
    OP_EXP_MOST = 0x437F,
    OP_EXP_STEP = 0x3400,
};

/* ---- 1 / x and 1 / sqrt(x) as op_sfpu.h computes them, by Newton's iteration */

enum {
    OP_RECIP_K0 = 0x4034B4B5, /* 48 / 17 and 32 / 17: a line that is close to 1 / x from 0.5 to 1 */
    OP_RECIP_K1 = 0x3FF0F0F1,
    OP_RSQRT_MAGIC = 0x5F3759DF,
    OP_RSQRT_EPS = 0x3727, /* about 10^-5, in BF16 as these: */
    OP_RSQRT_3_2 = 0x3FC0,
    OP_RSQRT_HALF = 0xBF00, /* -0.5 */
    OP_STEPS = 3,
};

/* A bank of DRAM in translated coordinates, the first of its three ports. */
static inline uint32_t op_bank_x(uint32_t bank)
{
    return bank < OP_BANKS / 2 ? 17 : 18;
}

static inline uint32_t op_bank_y(uint32_t bank)
{
    return 12 + bank % (OP_BANKS / 2) * 3;
}

#endif /* OP_H */
