/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Unit instructions through any library with the libttsim C ABI: a bank of SrcA, a bank of SrcB and all of Dst are
 * unpacked from L1, instructions run on them, Dst is packed back.
 *
 * Everything is pushed by RISCV B through the gate of thread 0, in one order, so the same script means the same in a
 * library without time.  Dst goes both ways as Integer "32", which changes no bits; a row of Dst16b is looked at as the
 * high half of the row of Dst32b that it shares its cells with. */
#ifndef KERR_TESTS_MATRIX_REF_H
#define KERR_TESTS_MATRIX_REF_H

#include "../abi/simlib.h"

enum { MREF_BLOCKS = 64 /* of 8 rows */, MREF_ROWS = 8 * MREF_BLOCKS, MREF_OPS = 64 };

/* Codes of formats (manual Unpackers/FormatConversion). */
enum {
    FMT_FP32 = 0,
    FMT_FP16 = 1,
    FMT_BFP8A = 2,
    FMT_BFP4A = 3,
    FMT_TF32 = 4,
    FMT_BF16 = 5,
    FMT_BFP8 = 6,
    FMT_BFP4 = 7,
    FMT_INT32 = 8,
    FMT_INT16 = 9,
    FMT_FP8 = 10,
    FMT_BFP2A = 11,
    FMT_INT8 = 14,
    FMT_BFP2 = 15
};

struct mref_op {
    uint32_t word; /* AddrMod and Flip bits zero; its DstRow is the first of a block */
    uint8_t a_row, b_row;
    uint8_t phase;
};

struct mref_batch {
    uint32_t a[64][16], b[64][16]; /* cells of 19 bits */
    uint32_t dst[MREF_ROWS][16];   /* rows of Dst32b as in DstBits; replaced by the result */
    struct mref_op op[MREF_OPS];
    unsigned ops;
    uint8_t a_format, b_format; /* as ALU_FORMAT_SPEC_REG0_SrcA, ALU_FORMAT_SPEC_REG1_SrcB */
    bool dst32, int8, keep_zero;
    bool implied; /* a_format and b_format are TF32 or FP16, as unpacked, and configured are others */
};

struct mref {
    struct simlib sim;
    unsigned batches;
};

bool mref_start(struct mref *ref, const char *library);
/* False: the library did not come to the end (it may also end the process). */
bool mref_run(struct mref *ref, struct mref_batch *batch);

#endif
