/* SPDX-License-Identifier: Apache-2.0 */
/* Compression: manual WormholeB0 Packers/Compression for the layout, cards for the logic, which that page leaves open.
 *
 * Each datum that is kept has a count of four bits of how many zeroes were left out before it (a card; the page says behind
 * it).  The first and the last datum of a row are always kept, and so is a zero that a count has no room for.  32 datums and
 * then their 32 counts make a block; row starts, counted in datums that were kept, are a stream of their own.  A datum counts
 * as zero if all of its bits are; minus zero is kept.
 *
 * What cards showed (a branch of tt-metal, SORTING.md A1 and test_pack_zero_compress.py, one p150a): of a row of 64
 * datums with every 16th not zero five are kept, with counts 0, 15, 15, 15, 14; 1024 BF16 zeroes in 16 rows take 304 bytes,
 * 64 of them for row starts, 1024 others 2624; AllZeroFlags stays zero whatever is packed, so nothing is done for it here.
 * The reference refuses compression. */
#include "tensix/pack/pack.h"

#include <string.h>

enum { MOST_ZEROS = 15, BLOCK = 32 };
/* `datums` of struct tensix_compression. */
enum { ROW_EMPTY, ROW_HAS_FIRST, ROW_HAS_NEWEST };

static void finish_block(struct pack_job *job)
{
    struct tensix_compression *c = &job->packer->compression;
    for (unsigned i = 0; i < sizeof c->counts; i++)
        pack_put_bits(job, &job->packer->data, c->counts[i], 8);
    memset(c->counts, 0, sizeof c->counts);
    c->block = 0;
}

static void keep(struct pack_job *job, uint32_t word)
{
    struct tensix_compression *c = &job->packer->compression;
    pack_assemble(job, word);
    c->counts[c->block / 2] |= (uint8_t)(c->zeros << c->block % 2 * 4);
    c->zeros = 0;
    c->block++;
    c->kept++;
    if (c->block == BLOCK)
        finish_block(job);
}

/* The newest datum waits until it is known not to be the last of its row. */
void pack_compress(struct pack_job *job, uint32_t word)
{
    struct tensix_compression *c = &job->packer->compression;
    if (c->datums == ROW_EMPTY) {
        keep(job, word);
        c->datums = ROW_HAS_FIRST;
        return;
    }
    if (c->datums == ROW_HAS_NEWEST && c->newest == 0 && c->zeros < MOST_ZEROS)
        c->zeros++;
    else if (c->datums == ROW_HAS_NEWEST)
        keep(job, c->newest);
    c->newest = word;
    c->datums = ROW_HAS_NEWEST;
}

void pack_compress_row_end(struct pack_job *job)
{
    struct tensix_compression *c = &job->packer->compression;
    if (c->datums == ROW_EMPTY)
        return;
    if (c->datums == ROW_HAS_NEWEST)
        keep(job, c->newest);
    pack_put_bits(job, &job->packer->row_starts, c->kept, 16);
    c->datums = ROW_EMPTY;
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
