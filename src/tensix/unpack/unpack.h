/* SPDX-License-Identifier: Apache-2.0 */
/* The unpackers: what one UNPACR moves, and how.
 *
 * Manual WormholeB0 UNPACR_Regular (tenstorrent/tt-isa-documentation d0ade26a), which holds for both chips, and its
 * neighbours.  An UNPACR is made in four steps, a file each: config.c reads the configuration of a context, address.c finds
 * where its datums begin, how many there are and where they go, rows.c moves them by rows of 16 or, where a feature needs
 * it, plain.c datum by datum as the page does, and regular.c updates counters, hands the bank over and says how long it took
 * (time.c).  quick.c does the first three at once for what kernels do most.
 *
 * Addresses in L1 are in bits for datums and zero counts (datums may have 2 or 4 bits) and in sixteenths of a byte for
 * exponents, of which one serves 16 datums.  Names in capitals are the page's. */
#ifndef KERR_TENSIX_UNPACK_UNPACK_H
#define KERR_TENSIX_UNPACK_UNPACK_H

#include "base/bits.h"
#include "tensix/files.h"
#include "tensix/regs/adc.h"
#include "tensix/step.h"

#include "num/unpack_convert.h"

#define UNPACR_PAGE "WormholeB0 TensixCoprocessor/UNPACR_Regular"

struct op_UNPACR;

enum { UNPACKERS = 2, UNPACK_CONTEXTS = 8, UNPACK_TILE_HEADER = 16, BITS = 8, EXPONENT_SHARES = 16 };
/* Bits of SOFT_RESET_0 that hold columns of SrcA, SrcB or Dst, so that nothing can be written to them. */
enum { RESET_MATRIX = 1u << 10, RESET_SRC_B = 1u << 16, RESET_SRC_A_COLUMNS = 19 /* a bit for each four */ };
enum { RESET_OF_COLUMNS = RESET_MATRIX | RESET_SRC_B | 15u << RESET_SRC_A_COLUMNS };
enum { ADC_INPUT_MASK = 0xFF }; /* the input side sees eight bits of Y, Z and W */

/* Which context, and the thread whose X and Y count: WhichContext, WhichADC, MultiContextMode. */
struct unpack_context {
    uint8_t context, adc;
    bool multi;
};

/* The configuration of one context of one unpacker, as one UNPACR sees it: of one bank of Config and one thread. */
struct unpack_config {
    uint8_t which;   /* WhichUnpacker */
    uint8_t context; /* WhichContext */
    uint8_t adc;     /* WhichADC: the thread whose X and Y count */
    bool multi;      /* MultiContextMode */

    /* The tile in L1. */
    uint8_t InDataFormat, OutDataFormat;
    uint8_t YDim, ZDim, WDim;
    bool IsUncompressed;
    uint16_t XDim;
    bool NoBFPExpSection;
    uint8_t BlobsPerXYPlane;
    uint32_t BlobsYStart; /* eight times four bits */
    uint64_t InAddr;      /* of the tile, behind its header, in bytes */
    uint64_t limit, fifo; /* WrapAddr, in bytes */
    bool Force_shared_exp;
    uint8_t shared_exp;

    /* How it is moved. */
    bool Tileize_mode, Haloize_mode, Upsample_and_interleave;
    uint8_t Upsample_rate, Throttle_mode;
    bool ovrd_default_throttle_mode;
    uint16_t Shift_amount; /* four times four bits */

    /* Where it goes. */
    bool UnpackToDst;
    bool add_dest_addr_cntr, SetOvrdWithAddr, Unpack_Src_Reg_Set_Upd;
    uint32_t Dest_cntx;   /* in datums */
    uint32_t dest_access; /* the word with DEST_ACCESS_CFG */
    struct unpack_conversion conversion;
};

/* One UNPACR, ready to be moved. */
struct unpack_job {
    struct unpack_conversion conversion;
    uint8_t which, bank;
    uint8_t SrcRow;
    uint8_t datum_bits;
    bool IsUncompressed, UnpackToDst, Transpose, AllDatumsAreZero, SetOvrdWithAddr;
    bool srcb_bcast;
    bool bfp, Force_shared_exp;
    uint8_t shared_exp;
    uint8_t UpsampleZeroes, ColShift;
    bool UpsampleInterleave;
    uint8_t row_starts; /* of compressed input: how many say where it begins and ends */
    uint16_t columns;   /* that can be written (soft reset) */
    uint32_t UnpackRowWidth;
    uint32_t dest_access;
    uint64_t InAddr_Datums, InAddr_Deltas; /* bits */
    uint64_t InAddr_Exponents;             /* sixteenths of a byte */
    uint64_t RowStride;                    /* bits */
    uint64_t limit, fifo;                  /* bytes */
    uint32_t InputNumDatums, DecompressDrop, DecompressNumDatums;
    uint32_t OutAddr; /* datums */
};

/* Where the sections of a tile begin. */
struct unpack_sections {
    uint64_t row_starts, exponents, datums; /* bytes */
};

/* Rows that follow each other: how they are converted, and to where. */
struct unpack_block {
    struct unpack_conversion conversion;
    uint8_t which, bank;
    bool exponent_step; /* each row has an exponent of its own */
    int32_t pair_gap;   /* bytes in L1 behind each second row, but not to Dst */
    uint32_t dest_access;
};

/* What is left to do behind the last datum. */
struct unpack_done {
    uint32_t cycles; /* in which it takes datums */
    struct unpack_context at;
    bool narrow, Unpack_Src_Reg_Set_Upd, UnpackToDst;
    uint8_t OutDataFormat;
    uint8_t address_cycles; /* more than those that every UNPACR takes */
};

/* What went wrong on the way. */
enum unpack_problem {
    UNPACK_DONE = 0,
    UNPACK_OUTSIDE_L1, /* address */
    UNPACK_ROW,        /* a row that the file does not have; its low bits were used */
};
struct unpack_outcome {
    enum unpack_problem problem;
    uint32_t value;          /* address in bytes, or row */
    uint32_t taken, written; /* datums that went in, came out */
};

/* config.c.  False: WhichADC is 3, which does not exist. */
bool unpack_read_config(const tensix_step *s, const struct op_UNPACR *op, struct unpack_config *c);
/* The bits of Config of this thread. */
const uint32_t *unpack_bank_of_config(const tensix_step *s);
struct unpack_context unpack_choose_context(const tensix_step *s, const struct op_UNPACR *op);

/* check.c: everything that the page calls undefined.  False: the thread must not go on. */
bool unpack_check(tensix_step *s, const struct unpack_config *c, const struct unpack_job *job);
bool unpack_check_formats(tensix_step *s, struct unpack_config *c);

struct unpack_sections unpack_find_sections(const struct unpack_config *c);
/* address.c.  False: it faulted and must not go on. */
bool unpack_find_input(tensix_step *s, const struct op_UNPACR *op, const struct unpack_config *c,
                       struct unpack_job *job);
bool unpack_find_output(tensix_step *s, const struct unpack_config *c, struct unpack_job *job);

/* regular.c: all of these.  False: it faulted and must not go on. */
bool unpack_prepare(tensix_step *s, const struct op_UNPACR *op, struct unpack_config *c, struct unpack_job *job);

/* Whether unpack_rows can do it. */
bool unpack_has_rows(const struct unpack_job *job);
/* rows.c and plain.c: from L1 (of `size` bytes) into the files.  Equal where unpack_has_rows. */
struct unpack_outcome unpack_rows(const struct unpack_job *job, const uint8_t *l1, uint32_t size,
                                  struct tensix_files *files);
struct unpack_outcome unpack_plain(const struct unpack_job *job, const uint8_t *l1, uint32_t size,
                                   struct tensix_files *files);

/* `rows` rows that follow each other in L1 and, from row `place` on, in the output: to SrcA, SrcB or Dst32b. */
void unpack_convert_block(const struct unpack_block *block, struct tensix_files *files, uint32_t place, uint32_t rows,
                          const uint8_t *datums, const uint8_t *exponents);

/* quick.c: keeps what configuration says, if UNPACRs under it may be quick.  Does one that is, or false and nothing has changed. */
void unpack_plan(const tensix_step *s, const struct unpack_config *c, const struct unpack_job *job);
bool unpack_quick(tensix_step *s, const struct op_UNPACR *op, struct unpack_done *done);
/* The two halves of it: what holds for all UNPACRs like this one until configuration changes, and the moving. */
struct unpack_look {
    const uint32_t *config;
    const struct tensix_unpack_plan *plan;
    const struct tensix_adc_channel *xy, *zw; /* counters, both channels */
    uint64_t datums, exponents;               /* in L1: of the tile's first; exponents: UINT64_MAX if there are none */
    uint32_t most;                            /* datums of an X */
    uint8_t bits, width;                      /* of a datum in L1; rows of 16 that stand together there */
    uint8_t out_shift;
    uint32_t out, out_y, out_z, out_w; /* address in the output: its base and what counters count for */
    struct unpack_block block;
    struct unpack_done done; /* of what was moved last */
};
bool unpack_look(const tensix_step *s, const struct op_UNPACR *op, struct unpack_look *look);
bool unpack_move(const tensix_step *s, struct unpack_look *look);
bool unpack_plan_is_sane(const struct tensix_unpack_plan *plan); /* restore */

/* UNPACK_MISC_CFG, as it now is, was written. */
void unpack_misc_cfg_written(tensix_step *s);

static inline struct unpack_conversion unpack_conversion_of(const struct tensix_unpack_plan *plan)
{
    return (struct unpack_conversion){.InDataFormat = plan->InDataFormat,
                                      .OutDataFormat = plan->OutDataFormat,
                                      .UnpackToDst = plan->UnpackToDst,
                                      .Int8MeansUnsigned = plan->Int8MeansUnsigned,
                                      .Exponent4b = plan->Exponent4b};
}

/* WrapAddr, in bytes times `scale`. */
static inline uint64_t unpack_wrap(const struct unpack_job *job, uint64_t address, unsigned scale)
{
    return address > job->limit * scale ? address - job->fifo * scale : address;
}

/* time.c: cycles in which it takes datums from L1; and when these begin, both unpackers using the same ports. */
struct unpack_pace {
    unsigned log2; /* of the bytes a cycle */
    bool narrow;   /* x1: does not disturb the other unpacker */
};
struct unpack_pace unpack_pace_of(const struct unpack_config *c, const struct unpack_job *job);
uint32_t unpack_burst_rows(const struct unpack_config *c, const struct unpack_job *job);
/* Of so many datums of `bits` bits each, and those that come of them.  With decompression and upsampling more comes out than goes in: not
 * more than a row of 16 a cycle. */
static inline uint32_t unpack_data_cycles(unsigned pace_log2, uint32_t bits, uint64_t taken, uint64_t written)
{
    const uint64_t bytes = (taken * bits + BITS - 1) / BITS;
    const uint64_t in = (bytes + (UINT64_C(1) << pace_log2) - 1) >> pace_log2;
    const uint64_t out = written > taken ? (written + ROW_DATUMS - 1) / ROW_DATUMS : 0;
    return (uint32_t)max64(1, max64(in, out));
}
/* The unpacker gets work for `cycles`, not before `from`: when it is done with it. */
uint64_t unpack_occupy(tensix_step *s, unsigned which, uint64_t from, uint32_t cycles, bool narrow);
/* When the last datum of what it was given last is in Src or Dst. */
uint64_t unpack_arrives(tensix_step *s, unsigned which);

/* All of UNPACR; without quick.c if not `quick`. */
step_result unpack_execute(tensix_step *s, const struct op_UNPACR *op, bool quick);

/* Whether the unpackers are held in soft reset, in which case the instruction waits. */
bool unpack_held(tensix_step *s);
/* nop.c: ZEROSRC tells which banks it takes, when it takes that of the Matrix Unit, or both: an UNPACR_NOP that clears in
 * the same cycle takes the same. */
void unpack_zerosrc(tensix_step *s, bool both);

/* --shake (tensix/shaken.h): whether this UNPACR moves data and could start now. */
bool unpack_may_be_late(tensix_step *s);

#endif
