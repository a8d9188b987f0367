/* SPDX-License-Identifier: Apache-2.0 */
/* Edge masking and the tile position: manual WormholeB0 Packers/EdgeMasking (11312888), PACR "Dst read interfaces".
 *
 * On Blackhole the position counts rows, by as many as there are enabled interfaces, in 8 bits, and goes back to zero only
 * when it comes out at pack_reads_per_xy_plane, or behind Last: ttnn's reduction over columns finds its first row by it, right
 * behind kernels that leave it elsewhere (a max pool of two rows), and such programs are right on cards.
 * OPEN: which two bits of PCK_EDGE_TILE_ROW_SET_SELECT_select (and of the face sets) a row uses.  Wormhole: those of the packer.
 * The reference uses the lowest two for all interfaces; here those of the context.  Would settle it: four different sets on a card. */
#include "tensix/pack/pack.h"

#include "base/bits.h"
#include "cfg_fields.h"

static unsigned two_bits(uint32_t word, unsigned index)
{
    return word >> 2 * (index & 15) & 3;
}

/* PACK_COUNTERS_SEC0 to SEC3 stand in a row, as do the mappings and masks. */
static const uint32_t *counters(const struct pack_job *job)
{
    return job->config + job->context;
}

static unsigned row_set(const struct pack_job *job, unsigned plane)
{
    const uint32_t *config = job->config;
    if (!CFG_FIELD(config, PCK_EDGE_TILE_FACE_SET_SELECT_enable))
        return two_bits(CFG_FIELD(config, PCK_EDGE_TILE_ROW_SET_SELECT_select), job->context);
    const unsigned z = CFG_FIELD(config + job->context, DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset) + plane;
    const unsigned face_set = two_bits(CFG_FIELD(config, PCK_EDGE_TILE_FACE_SET_SELECT_select), job->context);
    return two_bits(config[TILE_FACE_SET_MAPPING_0_face_set_mapping_0_ADDR32 + face_set], z);
}

/* One row further (TilePositionGenerator.Advance, for the 16 datums of a row).  Transposed, Z steps first. */
static void step(const struct pack_job *job, uint8_t *y, uint8_t *z, unsigned rows)
{
    const unsigned reads = CFG_FIELD(counters(job), PACK_COUNTERS_SEC0_pack_reads_per_xy_plane);
    const bool transposed = CFG_FIELD(counters(job), PACK_COUNTERS_SEC0_pack_yz_transposed);
    uint8_t *first = transposed ? z : y, *second = transposed ? y : z;
    *first = (uint8_t)(*first + rows);
    if (*first == reads) {
        *first = 0;
        (*second)++;
    }
}

void pack_edge_masks(struct pack_job *job)
{
    const struct tensix_packer *p = job->packer;
    const bool transposed = CFG_FIELD(counters(job), PACK_COUNTERS_SEC0_pack_yz_transposed);
    if (LIKELY(!CFG_FIELD(job->config, PCK_EDGE_TILE_FACE_SET_SELECT_enable) &&
               job->config[TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32 + row_set(job, 0)] == 0)) {
        const uint16_t mask = (uint16_t)CFG_FIELD(job->config, PCK_EDGE_OFFSET_SEC0_mask);
        for (unsigned k = 0; k < PACK_INTERFACES; k++) /* one for all rows */
            job->edge_mask[k] = mask;
        job->whole_rows = mask == 0xFFFF;
        return;
    }
    job->whole_rows = true;
    for (unsigned k = 0; k < job->rows; k++) {
        const unsigned y = p->tile_position + (transposed ? 0 : k), z = p->tile_plane + (transposed ? k : 0);
        const uint32_t mapping = job->config[TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32 + row_set(job, z)];
        job->edge_mask[k] = (uint16_t)CFG_FIELD(job->config + two_bits(mapping, y), PCK_EDGE_OFFSET_SEC0_mask);
        job->whole_rows &= job->edge_mask[k] == 0xFFFF;
    }
}

void pack_tile_position_advance(struct pack_job *job)
{
    step(job, &job->packer->tile_position, &job->packer->tile_plane, job->rows);
}

/* Auto_set_last_pacr_intf_sel (manual PACR): the last PACR of a plane reads the rows that are left of it. */
unsigned pack_rows_left(const struct pack_job *job)
{
    const unsigned reads = CFG_FIELD(counters(job), PACK_COUNTERS_SEC0_pack_reads_per_xy_plane);
    const bool transposed = CFG_FIELD(counters(job), PACK_COUNTERS_SEC0_pack_yz_transposed);
    const unsigned position = transposed ? job->packer->tile_plane : job->packer->tile_position;
    return position < reads && reads - position < PACK_INTERFACES ? reads - position : PACK_INTERFACES;
}
