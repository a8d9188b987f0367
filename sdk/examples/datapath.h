/* SPDX-License-Identifier: Apache-2.0 */
/* What the data path kernel (datapath.c) does, as its host says in kerr_params.argument[]: tiles go from L1 through an
 * unpacker to SrcA, SrcB or Dst, on to Dst, and through the packer back to L1.  Plain C, read by both sides.
 *
 * A tile is 32 x 32 datums, in L1 four faces of 16 x 16 one after the other (manual calls a face an XY plane); of a block
 * float format 64 exponents come first.  With DATAPATH_TILIZE input is a row-major matrix of row_tiles tiles side by side,
 * with DATAPATH_UNTILIZE output is one. */
#ifndef DATAPATH_H
#define DATAPATH_H

#include <stdint.h>

/* Formats as the configuration has them in four bits; 16 is added where two share a code. */
enum {
    DATAPATH_FP32 = 0,
    DATAPATH_FP16 = 1,
    DATAPATH_BFP8a = 2,
    DATAPATH_BFP4a = 3,
    DATAPATH_TF32 = 4,
    DATAPATH_BF16 = 5,
    DATAPATH_BFP8 = 6,
    DATAPATH_BFP4 = 7,
    DATAPATH_INT32 = 8,
    DATAPATH_INT16 = 9,
    DATAPATH_FP8 = 10, /* e5m2 */
    DATAPATH_BFP2a = 11,
    DATAPATH_INT8 = 14,
    DATAPATH_BFP2 = 15,
    DATAPATH_FP8_E4M3 = 16 + DATAPATH_FP8,
    DATAPATH_UINT8 = 16 + DATAPATH_INT8,
};

enum { /* flags */
       DATAPATH_ROUTE = 3 << 0,
       DATAPATH_SRCA = 0 << 0,          /* unpacker 0, SrcA, MOVA2D */
       DATAPATH_SRCB = 1 << 0,          /* unpacker 1, SrcB, MOVB2D */
       DATAPATH_DST = 2 << 0,           /* unpacker 0 straight to Dst */
       DATAPATH_TILIZE = 1 << 2,        /* not of block floats; of bytes without REPEAT_UNPACK */
       DATAPATH_UNTILIZE = 1 << 3,      /* not to block floats */
       DATAPATH_DST32 = 1 << 4,         /* Dst holds 32 bits a datum */
       DATAPATH_TRANSPOSE = 1 << 5,     /* each face, on its way to SrcA */
       DATAPATH_L1_ACCUMULATE = 1 << 6, /* add to what is in L1 already */
       DATAPATH_ELWADD = 1 << 7, /* through SrcA, but Dst = SrcA + SrcB with SrcB zero, as the kernel library does it */
       DATAPATH_REPEAT_UNPACK = 1 << 8,  /* unpack each tile `repeat` times; only the last is used */
       DATAPATH_REPEAT_PACK = 1 << 9,    /* pack each tile `repeat` times, to the same place */
       DATAPATH_ROUND_10_BITS = 1 << 10, /* PCK_DEST_RD_CTRL_Round_10b_mant */
};

enum { /* words of kerr_params.argument[] */
       DATAPATH_FLAGS,
       DATAPATH_IN,       /* format in L1 */
       DATAPATH_REGISTER, /* format that the unpacker makes of it */
       DATAPATH_PACK_IN,  /* format that the packer makes of Dst first (early conversion) */
       DATAPATH_OUT,      /* format in L1 */
       DATAPATH_TILES,
       DATAPATH_FROM,      /* address, a multiple of 16 */
       DATAPATH_FROM_STEP, /* bytes from one tile to the next, a multiple of 16; tilize: unused */
       DATAPATH_TO,
       DATAPATH_TO_STEP,
       DATAPATH_ROW_TILES, /* tilize, untilize: tiles side by side, 1 to 8; `tiles` is a multiple of it */
       DATAPATH_REPEAT,    /* 0 is 1 */
};

/* Bytes of a tile of a format in L1. */
static inline uint32_t datapath_tile_bytes(uint32_t format)
{
    switch (format & 15) {
    case DATAPATH_FP32:
    case DATAPATH_TF32:
    case DATAPATH_INT32: return 4096;
    case DATAPATH_FP16:
    case DATAPATH_BF16:
    case DATAPATH_INT16: return 2048;
    case DATAPATH_BFP8:
    case DATAPATH_BFP8a: return 64 + 1024;
    case DATAPATH_BFP4:
    case DATAPATH_BFP4a: return 64 + 512;
    case DATAPATH_BFP2:
    case DATAPATH_BFP2a: return 64 + 256;
    default: return 1024;
    }
}

/* Bytes that a row of so many datums takes in L1 (not for block floats). */
static inline uint32_t datapath_row_bytes(uint32_t format, uint32_t datums)
{
    return datapath_tile_bytes(format) / 1024 * datums;
}

#endif /* DATAPATH_H */
