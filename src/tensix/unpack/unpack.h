/* SPDX-License-Identifier: Apache-2.0 */
/* The unpackers: UNPACR in two, what it will do, which is found without changing anything, and the data of it.
 *
 * Manual WormholeB0 UNPACR_Regular (tenstorrent/tt-isa-documentation d0ade26a), which holds for both chips, and its
 * neighbours.  config.c reads the configuration of a context, which holds for the next one with the same word until something else
 * happens; address.c makes the plan: where datums begin, how many there are and where they go (check.c: what the page calls undefined),
 * and how long it takes (time.c).  rows.c moves them by rows of 16 or, where a feature needs it, plain.c datum by datum as the page
 * does.  regular.c is the plain step: a plan, its data, and what is behind it: counters, time, whose bank it is.
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
#include "tensix_isa.h"

#define UNPACR_PAGE "WormholeB0 TensixCoprocessor/UNPACR_Regular"

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

/* What an UNPACR goes by, but for address counters and banks: its word, the configuration of one context of one unpacker, of one bank
 * of Config and one thread. */
struct unpack_config {
    uint8_t which; /* WhichUnpacker */
    struct unpack_context at;
    bool AllDatumsAreZero, srcb_bcast, RowSearch;

    /* The tile in L1. */
    uint8_t InDataFormat, OutDataFormat;
    uint8_t datum_bits;
    uint8_t YDim, ZDim, WDim;
    bool IsUncompressed;
    uint16_t XDim;
    bool NoBFPExpSection;
    uint8_t BlobsPerXYPlane;
    uint32_t BlobsYStart; /* eight times four bits */
    uint64_t InAddr;      /* of the tile, behind its header, in bytes */
    uint64_t limit, fifo; /* WrapAddr, in bytes */
    bool bfp, Force_shared_exp;
    uint8_t shared_exp;
    uint8_t UnpackRowWidth; /* datums */
    uint32_t RowStride;     /* bits */

    /* How it is moved. */
    bool Tileize_mode, Haloize_mode;
    bool Transpose;
    bool UpsampleInterleave;
    uint8_t UpsampleZeroes, ColShift;
    uint8_t Throttle_mode;
    bool ovrd_default_throttle_mode;

    /* Where it goes. */
    bool UnpackToDst;
    bool add_dest_addr_cntr, SetOvrdWithAddr, Unpack_Src_Reg_Set_Upd;
    uint16_t columns;     /* that can be written (soft reset) */
    uint32_t Dest_cntx;   /* in datums */
    uint32_t dest_access; /* regs/dst.h */
    struct unpack_conversion conversion;
};

/* One UNPACR, ready to be moved. */
struct unpack_plan {
    const struct unpack_config *c;
    uint8_t bank, SrcRow;
    uint8_t row_starts;                    /* of compressed input: how many say where it begins and ends */
    uint64_t InAddr_Datums, InAddr_Deltas; /* bits */
    uint64_t InAddr_Exponents;             /* sixteenths of a byte */
    uint32_t InputNumDatums, DecompressDrop, DecompressNumDatums;
    uint32_t OutAddr; /* datums */
    uint32_t cycles;  /* in which it takes datums; of compressed input only its data say */
    bool narrow;      /* struct unpack_pace */
    bool by_rows;     /* rows.c may do it: */
    uint32_t rows;    /* ... so many */
    uint32_t place;   /* ... the first in the output */
};

/* Where the sections of a tile begin. */
struct unpack_sections {
    uint64_t row_starts, exponents, datums; /* bytes */
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
struct unpack_context unpack_choose_context(const tensix_step *s, const struct op_UNPACR *op);
/* The bits of Config of this thread. */
const uint32_t *unpack_bank_of_config(const tensix_step *s);

/* check.c: everything that the page calls undefined.  False: the thread must not go on. */
bool unpack_check(tensix_step *s, const struct unpack_plan *plan);
bool unpack_check_formats(tensix_step *s, struct unpack_config *c);

/* The configuration, and the plan of an UNPACR under it.  False: it faulted, or would have (s->ahead), and must not go on. */
bool unpack_begin(tensix_step *s, const struct op_UNPACR *op, struct unpack_config *c);
bool unpack_UNPACR_plan(tensix_step *s, const struct unpack_config *c, struct unpack_plan *plan);
/* Its data, from L1 (of `size` bytes) into the files; plain: datum by datum.  plan->cycles is known then. */
struct unpack_outcome unpack_UNPACR_do(struct unpack_plan *plan, const uint8_t *l1, uint32_t size,
                                       struct tensix_files *files, bool plain);
/* Counters, time and banks behind it. */
void unpack_behind(tensix_step *s, const struct op_UNPACR *op, const struct unpack_plan *plan);

/* rows.c and plain.c.  Equal where plan->by_rows, which unpack_plan_rows finds out. */
void unpack_plan_rows(struct unpack_plan *plan, uint32_t l1_size);
void unpack_rows(const struct unpack_plan *plan, const uint8_t *l1, struct tensix_files *files);
struct unpack_outcome unpack_plain(const struct unpack_plan *plan, const uint8_t *l1, uint32_t size,
                                   struct tensix_files *files);

/* UNPACK_MISC_CFG, as it now is, was written. */
void unpack_misc_cfg_written(tensix_step *s);

/* WrapAddr, in bytes times `scale`. */
static inline uint64_t unpack_wrap(const struct unpack_config *c, uint64_t address, unsigned scale)
{
    return address > c->limit * scale ? address - c->fifo * scale : address;
}

/* time.c: in how many cycles so many datums are taken from L1, and those that come of them are written; both unpackers use the same
 * ports. */
void unpack_plan_time(struct unpack_plan *plan, uint64_t taken, uint64_t written);
uint32_t unpack_burst_rows(const struct unpack_config *c);
/* The unpacker gets work for `cycles`, not before `from`: when it is done with it. */
uint64_t unpack_occupy(tensix_step *s, unsigned which, uint64_t from, uint32_t cycles, bool narrow);
/* When the last datum of what it was given last is in Src or Dst. */
uint64_t unpack_arrives(tensix_step *s, unsigned which);

/* All of UNPACR. */
step_result unpack_execute(tensix_step *s, const struct op_UNPACR *op, bool plain);

/* UNPACRs that follow each other out of an expander (tensix/stream.h).  What is known of the last one of each unpacker holds for the next
 * one with the same word, until something else happens. */
struct unpack_row {
    bool known;
    uint32_t word;
    struct op_UNPACR op;
    struct unpack_config c;
};
/* When the unpacker takes the UNPACR of s, which has come to a gate that lets it pass in s->cycle; UINT64_MAX: something else must
 * happen first, or it is of another kind. */
uint64_t unpack_row_when(const tensix_step *s, struct unpack_row *row);
/* Does it in s->cycle, with the costs in s; false: it is not by rows, or would fault, and nothing has changed. */
bool unpack_row_do(tensix_step *s, struct unpack_row *row);

/* Whether the unpackers are held in soft reset, in which case the instruction waits. */
bool unpack_held(tensix_step *s);
/* nop.c: ZEROSRC tells which banks it takes, when it takes that of the Matrix Unit, or both: an UNPACR_NOP that clears in
 * the same cycle takes the same. */
void unpack_zerosrc(tensix_step *s, bool both);

/* --shake (tensix/shaken.h): whether this UNPACR moves data and could start now. */
bool unpack_may_be_late(tensix_step *s);

#endif
