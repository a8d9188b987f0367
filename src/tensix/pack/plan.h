/* SPDX-License-Identifier: Apache-2.0 */
/* PACR in two: what it will do, which is found without changing anything, and the data of it.
 *
 * A pack_job is what PACRs that follow each other share: their thread, and what configuration says.  pack_PACR_plan makes of it,
 * of counters and of a word which rows of Dst are read, where a tile starts, how many cycles the packer takes, and the counters behind
 * it; so the next one can be planned before this one is done.  pack_PACR_do moves the data of plans that follow each other.
 * The plain step (pacr.c) is a plan and a do of one; a burst (tensix/stream_units.h) plans first and does all at once. */
#ifndef KERR_TENSIX_PACK_PLAN_H
#define KERR_TENSIX_PACK_PLAN_H

#include "num/pack_convert.h"
#include "tensix/files.h"
#include "tensix/step.h"
#include "tensix_isa.h"

enum { PACK_INTERFACES = 4, PACK_PLANS = 16 /* that are done at once */ };
enum pack_source { PACK_FROM_DST, PACK_FROM_L1, PACK_FROM_NOTHING };

/* What a PACR goes by besides configuration, and changes. */
struct pack_counters {
    struct tensix_adc_channel adc[2]; /* of job->thread_adc */
    uint8_t tile_position, tile_plane, plane_packs, tile_planes, context, context_planes;
    bool open;                               /* all streams have an address */
    uint8_t group, data_bits, exponent_bits; /* that wait for more */
    uint32_t datums;                         /* of the tile */
};

struct pack_job {
    tensix_step *s;
    struct tensix_packer *packer;
    const uint32_t *config;  /* the thread's bank */
    const uint32_t *section; /* such that CFG_FIELD(section, THCON_SEC0_REG1_...) is of the context */
    const uint32_t *both;    /* such that a field of THCON_SEC0_REG1_ is that of both contexts of the section */
    unsigned context, thread_adc;
    enum pack_source source;

    /* config.c */
    struct pack_conversion conversion;
    enum pack_kind kind; /* of the words between the conversions */
    const struct tensix_pack_modes *modes;
    bool statistics; /* ENABLE_ACC_STATS_Enable of any thread */

    const struct tensix_files *files;
    uint32_t access; /* of Dst (regs/dst.h) */

    bool overrun;             /* some lay behind the end of L1, and were not written: */
    uint32_t overrun_address; /* ... the first of them */
};

struct pack_plan {
    bool last, flush, concat, row_pad, row_pad_tail;
    bool opens;                          /* a stream gets its address */
    bool by_rows;                        /* the fast form may do it */
    bool whole_rows;                     /* nothing is masked */
    uint16_t row[PACK_INTERFACES];       /* of Dst */
    uint16_t edge_mask[PACK_INTERFACES]; /* columns of each row that are kept */
    uint32_t rows;                       /* how many; more than four without a source (ZeroWrite) */
    uint32_t column, count;              /* of each row */
    uint32_t l1_source;                  /* byte address */
    uint32_t place;                      /* opens: where the tile starts, in units of 16 bytes */
    uint32_t cycles;                     /* in which the packer takes no other */
    struct pack_counters behind;
};

/* The job of PACRs from s->word on, in s->cycle, and the counters as they are.  False: they are not for a burst. */
bool pack_begin_burst(struct pack_job *job, tensix_step *s, struct pack_counters *now);
/* The plan of the next one of a burst.  False: it is not for it. */
bool pack_plan_ahead(struct pack_job *job, uint32_t word, const struct pack_counters *before, struct pack_plan *plan);
/* Whether nobody heeds the lines of L1 that plans write, and all of these are there.  The tile is open then, as behind the first of
 * them. */
bool pack_is_unheeded(struct pack_job *job, const struct pack_plan plan[], unsigned n);

/* The plan, of decode_PACR of a word.  False: a fault was recorded; nothing has changed. */
bool pack_PACR_plan(struct pack_job *job, const struct op_PACR *op, const struct pack_counters *before,
                    struct pack_plan *plan);
/* The data of `n` plans, the last of which may end a tile, and only the first start one; plain: datum by datum.  s->cycle is that of the
 * last one. */
void pack_PACR_do(struct pack_job *job, const struct pack_plan plan[], unsigned n, bool plain);
/* Counters and time behind them: s has issue and latency of the last one. */
void pack_behind(struct pack_job *job, const struct pack_plan plan[], unsigned n);

#endif
