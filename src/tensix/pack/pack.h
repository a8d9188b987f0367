/* SPDX-License-Identifier: Apache-2.0 */
/* The packer: manual PACR (f82128bb) for what is Blackhole's, WormholeB0 Packers/ for the stages of its pipeline, one file a page.
 *
 * A PACR is a plan (plan.h): configuration decoded once (config.c), then where to read (input.c) and where to write (output.c).
 * pack_plain (plain.c) takes its datums one by one through all stages, as the pages do; pack_rows (rows.c) takes whole rows of one or
 * several where nothing is in the way of that.  Between the two format conversions a datum is a word as num/pack_convert.h has it.
 *
 * Blackhole has one packer where Wormhole has four.  What the pages say of packer i is taken for configuration context i
 * (CfgContext), of which kernels use 0 only. */
#ifndef KERR_TENSIX_PACK_PACK_H
#define KERR_TENSIX_PACK_PACK_H

#include "num/formats.h"
#include "tensix/pack/packer.h"
#include "tensix/pack/plan.h"

enum { PACK_CONTEXTS = 4, PACK_UNIT_BYTES = 16 };
enum { OUT_HAS_EXPONENTS = 2 }; /* of Out_data_format: the stream of exponents gets an address */

/* pacr.c: soft reset keeps the packer from starting anything, s says so. */
bool pack_is_held(tensix_step *s);
/* All of PACR. */
step_result pack_execute(tensix_step *s, const struct op_PACR *op, bool plain);

/* config.c: the job of a PACR.  False: a fault was recorded, or would have been (s->ahead), and nothing has changed. */
bool pack_begin(struct pack_job *job, tensix_step *s, const struct op_PACR *op);
/* check.c: whether there is nothing to look at more closely; the same with faults, false as above; the fault of one field. */
bool pack_is_usual(const struct pack_job *job);
bool pack_check(struct pack_job *job);
bool pack_unknown(struct pack_job *job, const char *field, unsigned value);
/* plan.c: as they are. */
void pack_counters_now(const struct pack_job *job, struct pack_counters *now);
/* input.c: what is read.  False as above. */
bool pack_input(struct pack_job *job, const struct op_PACR *op, const struct pack_counters *before,
                struct pack_plan *plan);
/* A datum of an L1 source, as a word (manual Packers/FormatConversion). */
uint32_t pack_l1_datum(const struct pack_job *job, const struct pack_plan *plan, unsigned index);

/* output.c: where a tile starts whose counters of channel 1 are these, in units of 16 bytes. */
uint32_t pack_place(const struct pack_job *job, const struct tensix_adc_channel *adc);
/* Sets the addresses of streams that need one; the end of a tile, or of what was packed of it. */
void pack_output_open(struct pack_job *job, uint32_t place);
void pack_output_close(struct pack_job *job, bool last);
/* Appends to a stream. */
void pack_put_bits(struct pack_job *job, struct tensix_pack_stream *stream, uint32_t value, unsigned bits);
void pack_put_bytes(struct pack_job *job, struct tensix_pack_stream *stream, uint8_t *bytes, unsigned count);
/* A word for the late conversion: into the data stream, by way of a group of 16 in the BFP formats. */
void pack_assemble(struct pack_job *job, uint32_t word);
void pack_finish_group(struct pack_job *job);

/* relu.c, exponent.c */
uint32_t pack_relu(const struct pack_job *job, uint32_t word);
uint8_t pack_exponent(enum pack_kind kind, uint32_t word);
/* For datums of the first row, in these columns. */
enum { PACK_HISTOGRAM_COLUMNS = 8 };
void pack_histogram(struct pack_job *job, uint32_t word);
/* Whether a row that goes the plan's short way may do so to the largest exponent. */
bool pack_raises_max_exponent(const struct tensix_packer *packer, const uint16_t *cells);
uint32_t pack_threshold(const struct pack_job *job, uint32_t word);

/* compress.c: a datum; the end of a row; the end of a tile. */
void pack_compress(struct pack_job *job, uint32_t word);
void pack_compress_row_end(struct pack_job *job);
void pack_compress_tile_end(struct pack_job *job);

/* stochastic.c: a cell of Dst with the bits that rounding looks at replaced so that it rounds at random. */
uint32_t pack_dither(struct pack_job *job, unsigned column, uint32_t cell);
uint8_t pack_late_bfp_stochastic(struct pack_job *job, const uint32_t words[ROW_DATUMS], uint8_t datums[ROW_DATUMS]);

/* The stages on all datums of a plan; of plans for rows. */
void pack_plain(struct pack_job *job, const struct pack_plan *plan);
void pack_rows(struct pack_job *job, const struct pack_plan plan[], unsigned n);

#endif
