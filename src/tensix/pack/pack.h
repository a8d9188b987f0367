/* SPDX-License-Identifier: Apache-2.0 */
/* The packer: manual PACR (f82128bb) for what is Blackhole's, WormholeB0 Packers/ for the stages of its pipeline, one file a page.
 *
 * A PACR becomes a pack_job: configuration decoded once (config.c), then where to read (input.c) and where to write
 * (output.c).  pack_plain (plain.c) takes its datums one by one through all stages, as the pages do; pack_rows (rows.c) takes
 * whole rows where nothing is in the way of that.  Between the two format conversions a datum is a word as
 * num/pack_convert.h has it.
 *
 * Blackhole has one packer where Wormhole has four.  What the pages say of packer i is taken for configuration context i
 * (CfgContext), of which kernels use 0 only. */
#ifndef KERR_TENSIX_PACK_PACK_H
#define KERR_TENSIX_PACK_PACK_H

#include "num/formats.h"
#include "num/pack_convert.h"
#include "tensix/files.h"
#include "tensix/pack/packer.h"
#include "tensix/step.h"

#include "tensix_isa.h"

enum { PACK_CONTEXTS = 4, PACK_INTERFACES = 4, PACK_UNIT_BYTES = 16 };
enum { OUT_HAS_EXPONENTS = 2 }; /* of Out_data_format: the stream of exponents gets an address */
enum pack_source { PACK_FROM_DST, PACK_FROM_L1, PACK_FROM_NOTHING };

struct pack_job {
    tensix_step *s;
    struct tensix_packer *packer;
    const uint32_t *config;  /* the thread's bank */
    const uint32_t *section; /* such that CFG_FIELD(section, THCON_SEC0_REG1_...) is of the context */
    const uint32_t *both;    /* such that a field of THCON_SEC0_REG1_ is that of both contexts of the section */
    unsigned context, thread_adc;
    bool last, flush, concat;

    /* config.c */
    struct pack_conversion conversion;
    enum pack_kind kind; /* of the words between the conversions */
    const struct tensix_pack_plan *plan;
    bool statistics; /* ENABLE_ACC_STATS_Enable of any thread */
    bool row_pad, row_pad_tail;

    /* input.c */
    enum pack_source source;
    const struct tensix_files *files;
    uint32_t access;               /* of Dst (regs/dst.h) */
    unsigned row[PACK_INTERFACES]; /* of Dst */
    unsigned rows;                 /* how many; more than four without a source (ZeroWrite) */
    unsigned column, count;        /* of each row */
    uint32_t l1_source;            /* byte address */

    uint16_t edge_mask[PACK_INTERFACES]; /* edge_mask.c: columns of each row that are kept */
    bool whole_rows;                     /* ... all of them */
    uint32_t units;                      /* of 16 bytes that were written to L1 */
    uint32_t packed;                     /* datums, before compression */
    bool overrun;                        /* some lay behind the end of L1, and were not written: */
    uint32_t overrun_address;            /* ... the first of them */
};

/* pacr.c: whether it is the last of its tile without saying so; counts it. */
bool pack_counts_to_last(const struct pack_job *job, const struct op_PACR *op);
void pack_count_of_tile(struct pack_job *job);

/* config.c.  False: a fault was recorded, and nothing has changed. */
bool pack_decode(struct pack_job *job, const struct op_PACR *op);
/* check.c: whether there is nothing to look at more closely; the same with faults, false as above; the fault of one field. */
bool pack_is_usual(const struct pack_job *job);
bool pack_check(struct pack_job *job);
bool pack_unknown(struct pack_job *job, const char *field, unsigned value);
/* input.c: the same. */
bool pack_input(struct pack_job *job, const struct op_PACR *op);
/* A datum of an L1 source, as a word (manual Packers/FormatConversion). */
uint32_t pack_l1_datum(const struct pack_job *job, unsigned index);

/* Where tiles may start, in units of 16 bytes (output.c). */
struct pack_places {
    uint32_t Base, Ystride, Zstride, Wstride;
    uint32_t add;
    uint32_t last, size; /* of a FIFO: behind the last place it begins again */
};
enum { PACK_PLACE_MASK = 0x1FFFF };
struct pack_places pack_places_of(const struct pack_job *job);
/* The one that counters of channel 1 come to, of which PACK_PLACE_MASK counts. */
static inline uint32_t pack_place(const struct pack_places *places, uint32_t L1_Dest_addr,
                                  const struct tensix_adc_channel *adc)
{
    const uint32_t counted =
        places->Base + adc->y * places->Ystride + adc->z * places->Zstride + adc->w * places->Wstride;
    const uint32_t address = L1_Dest_addr + places->add + (counted >> 4);
    return address > places->last ? address - places->size : address;
}

/* output.c: sets the addresses of streams that need one; the end of a tile. */
void pack_output_open(struct pack_job *job);
void pack_output_close(struct pack_job *job);
/* Appends to a stream. */
void pack_put_bits(struct pack_job *job, struct tensix_pack_stream *stream, uint32_t value, unsigned bits);
void pack_put_bytes(struct pack_job *job, struct tensix_pack_stream *stream, uint8_t *bytes, unsigned count);
/* A word for the late conversion: into the data stream, by way of a group of 16 in the BFP formats. */
void pack_assemble(struct pack_job *job, uint32_t word);
void pack_finish_group(struct pack_job *job);

/* edge_mask.c: the masks of the rows that are read, and the tile position behind them. */
void pack_edge_masks(struct pack_job *job);
void pack_tile_position_advance(struct pack_job *job);
/* The rows that are left of the plane, if fewer than four; else 4. */
unsigned pack_rows_left(const struct pack_job *job);

/* relu.c, exponent.c */
uint32_t pack_relu(const struct pack_job *job, uint32_t word);
uint8_t pack_exponent(enum pack_kind kind, uint32_t word);
/* For datums of the first row, in these columns. */
enum { PACK_HISTOGRAM_COLUMNS = 8 };
void pack_histogram(struct pack_job *job, uint32_t word);
/* Whether a row that goes the plan's short way may do so to the largest exponent. */
bool pack_raises_max_exponent(const struct tensix_packer *packer, const uint16_t *cells);
/* ... whether one of several may, counted in rows from `cells` on. */
bool pack_rows_raise_max_exponent(const struct tensix_packer *packer, const uint16_t *cells, const uint16_t *rows,
                                  unsigned count);
uint32_t pack_threshold(const struct pack_job *job, uint32_t word);

/* compress.c: a datum; the end of a row; the end of a tile. */
void pack_compress(struct pack_job *job, uint32_t word);
void pack_compress_row_end(struct pack_job *job);
void pack_compress_tile_end(struct pack_job *job);

/* stochastic.c: a cell of Dst with the bits that rounding looks at replaced so that it rounds at random. */
uint32_t pack_dither(struct pack_job *job, unsigned column, uint32_t cell);
uint8_t pack_late_bfp_stochastic(struct pack_job *job, const uint32_t words[ROW_DATUMS], uint8_t datums[ROW_DATUMS]);

/* The stages on all datums of the job. */
void pack_plain(struct pack_job *job);
bool pack_rows_can(const struct pack_job *job);
void pack_rows(struct pack_job *job);

/* quick.c: whether a job with this plan can be one; does it, or false and nothing has changed. */
bool pack_is_quick(const struct pack_job *job);
bool pack_quick(tensix_step *s, const struct op_PACR *op);

/* pacr.c: soft reset keeps the packer from starting anything, s says so. */
bool pack_is_held(tensix_step *s);

/* All of PACR; plain: without pack_quick and pack_rows. */
step_result pack_execute(tensix_step *s, const struct op_PACR *op, bool plain);

#endif
