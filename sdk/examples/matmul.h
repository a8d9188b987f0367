/* SPDX-License-Identifier: Apache-2.0 */
/* What the matrix multiplication (matmul.c) does, as its host says in kerr_params.argument[]: C = A x B, all three in DRAM, by
 * a rectangle of Tensix tiles.  Plain C, read by both sides.
 *
 * A matrix is cut into tiles of 32 x 32 datums, stored as datapath.h says; tile i, counted row by row, is in bank
 * i % MATMUL_BANKS of DRAM at the matrix's base address plus i / MATMUL_BANKS tiles.  C is cut into blocks that fit into a half
 * of Dst, and the tiles of A and of B that are fetched at once take 64 KiB each at most; the blocks are dealt to the rectangle like its squares to a chess board, round and round. */
#ifndef MATMUL_H
#define MATMUL_H

#include "datapath.h" /* formats */

#include <stdint.h>

enum { MATMUL_BANKS = 8, MATMUL_SLOTS = 6 /* steps in L1 at a time */, MATMUL_MAX_SIDE = 16 };

enum {                         /* flags */
       MATMUL_PHASES = 3 << 0, /* fidelity phases less one: 0 is LoFi, 1 HiFi2, 2 HiFi3, 3 HiFi4 */
       MATMUL_DST32 = 1 << 2,  /* Dst holds 32 bits a datum */
       MATMUL_MULTICAST =
           1 << 3, /* one tile a row reads A for the others, one a column B; the rectangle divides the blocks */
};

enum { /* words of kerr_params.argument[]; tile_index counts the rectangle's tiles row by row */
       MATMUL_FLAGS,
       MATMUL_FORMATS, /* a byte each: in L1, in SrcA and SrcB, behind the packer's early conversion, in L1 again */
       MATMUL_SHAPE,   /* in tiles, ten bits each: rows of A, columns of B, columns of A */
       MATMUL_BLOCK, /* in tiles, a byte each: rows and columns of a block of C, and columns of A that are fetched at once */
       MATMUL_GRID, /* a byte each: columns and rows of the rectangle */
       MATMUL_A,    /* base addresses in every bank */
       MATMUL_B,
       MATMUL_C,
       MATMUL_ENDS,      /* NoC coordinates: of the rectangle's first and last column, and first and last row */
       MATMUL_OPERATION, /* what is done with each pair of tiles: */
       MATMUL_REPEAT,    /* how often, all of it added up; 0 is 1, others only in blocks of one tile */
};

enum { /* operations; all but the first are there to be measured and compared */
       MATMUL_MVMUL,
       MATMUL_ELEMENTWISE, /* eight rows ELWMUL, eight rows ELWADD, ... */
       MATMUL_GAPOOL,      /* on each face of B in turn */
};

static inline uint32_t matmul_formats(uint32_t in, uint32_t reg, uint32_t pack_in, uint32_t out)
{
    return in | reg << 8 | pack_in << 16 | out << 24;
}

static inline uint32_t matmul_shape(uint32_t rows, uint32_t columns, uint32_t inner)
{
    return rows | columns << 10 | inner << 20;
}

static inline uint32_t matmul_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a | b << 8 | c << 16 | d << 24;
}

/* A bank of DRAM in translated coordinates, the first of its three ports. */
static inline uint32_t matmul_bank_x(uint32_t bank)
{
    return bank < MATMUL_BANKS / 2 ? 17 : 18;
}

static inline uint32_t matmul_bank_y(uint32_t bank)
{
    return 12 + bank % (MATMUL_BANKS / 2) * 3;
}

/* Tensix tiles are at x from 1 to 7 and from 10 to 16. */
static inline uint32_t matmul_column_x(uint32_t first, uint32_t column)
{
    return first + column + (first < 8 && first + column >= 8 ? 2 : 0);
}

/* Which tile of a row reads A for it, and of a column B: each in another column and row, since all that comes from DRAM to one
 * column over NoC 0, or to one row over NoC 1, meets on the same links. */
static inline uint32_t matmul_row_sender(uint32_t row, uint32_t columns)
{
    return row % columns;
}

static inline uint32_t matmul_column_sender(uint32_t column, uint32_t rows)
{
    return (column + rows / 2) % rows;
}

#endif /* MATMUL_H */
