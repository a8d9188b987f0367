/* SPDX-License-Identifier: Apache-2.0 */
/* Compression: manual WormholeB0 Packers/Compression.
 *
 * Each datum that is kept has a count of four bits of how many zeroes were left out behind it.  The first and the last datum
 * of a row are always kept.  32 datums and then their 32 counts make a block; row starts, counted in datums that were kept,
 * are a stream of their own.  A datum counts as zero if all of its bits are; minus zero is kept.
 * OPEN: "the exact compression logic isn't specified".  Here zeroes are counted as far as a count goes, then one is kept.  The
 * reference refuses compression, so this is from documents alone. */
#include "tensix/pack/pack.h"

#include "cfg_fields.h"

#include <string.h>

enum { MOST_ZEROS = 15, BLOCK = 32, FLAG_ROWS = 32 };

static void finish_block(struct pack_job *job)
{
    struct tensix_compression *c = &job->packer->compression;
    for (unsigned i = 0; i < sizeof c->counts; i++)
        pack_put_bits(job, &job->packer->data, c->counts[i], 8);
    memset(c->counts, 0, sizeof c->counts);
    c->block = 0;
}

static void keep(struct pack_job *job, uint32_t word, unsigned zeros)
{
    struct tensix_compression *c = &job->packer->compression;
    pack_assemble(job, word);
    c->counts[c->block / 2] |= (uint8_t)(zeros << c->block % 2 * 4);
    c->block++;
    c->kept++;
    if (c->block == BLOCK)
        finish_block(job);
}

/* `previous` is kept, its count is not complete; `newest` is kept if it is the last of its row. */
void pack_compress(struct pack_job *job, uint32_t word)
{
    struct tensix_compression *c = &job->packer->compression;
    c->nonzero |= word != 0;
    if (c->datums == 0) {
        c->previous = word;
        c->zeros = 0;
        c->datums = 1;
        return;
    }
    if (c->datums == 2) {
        if (c->newest == 0 && c->zeros < MOST_ZEROS) {
            c->zeros++;
        } else {
            keep(job, c->previous, c->zeros);
            c->previous = c->newest;
            c->zeros = 0;
        }
    }
    c->newest = word;
    c->datums = 2;
}

/* AllZeroFlags: a bit for each row (manual WormholeB0 TDMA-RISC). */
void pack_compress_row_end(struct pack_job *job)
{
    struct tensix_packer *p = job->packer;
    struct tensix_compression *c = &p->compression;
    if (c->datums == 0)
        return;
    keep(job, c->previous, c->zeros);
    if (c->datums == 2)
        keep(job, c->newest, 0);
    pack_put_bits(job, &p->row_starts, c->kept, 16);
    if (c->rows == 0)
        p->all_zero_flags = 0;
    if (c->rows < FLAG_ROWS && !CFG_FIELD(job->section, THCON_SEC0_REG1_Disable_pack_zero_flags))
        p->all_zero_flags |= (uint32_t)!c->nonzero << c->rows;
    c->rows = (uint8_t)(c->rows + (c->rows < UINT8_MAX));
    c->datums = 0;
    c->nonzero = false;
}

void pack_compress_tile_end(struct pack_job *job)
{
    struct tensix_compression *c = &job->packer->compression;
    pack_compress_row_end(job);
    if (c->block) {
        const unsigned missing = BLOCK - c->block;
        for (unsigned i = 0; i < missing; i++)
            pack_assemble(job, 0);
        finish_block(job);
    }
    *c = (struct tensix_compression){0};
}
