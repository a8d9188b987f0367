/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of Dst are read, and which datums of them.  Input address generator: manual WormholeB0 Packers/InputAddressGenerator (13547104), PACR "Dst read interfaces". */
#include "tensix/pack/pack.h"

#include "base/bits.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/matrix_unit.h"

#include "cfg_fields.h"

#define PAGE_INPUT "WormholeB0 TensixCoprocessor/Packers/InputAddressGenerator"
#define PAGE_PACR "BlackholeA0 TensixCoprocessor/PACR"

/* Strided reads.  PACR: 16 rows apart, for use with remap_addrs; assembly.yaml: 8 apart.  Both are 8 rows of DstBits, for with
 * remap_addrs that is what 16 rows become (Adj16).
 * OPEN: without remap_addrs, which the reference refuses; 8 here.  Would settle it: a card. */
enum { STRIDE = 8, STRIDE_REMAPPED = 16 };

/* Of the bytes of a datum, the logarithm. */
static unsigned datum_shift(const struct pack_job *job)
{
    const unsigned format = job->conversion.LateFromFormat & 3;
    return format == 0 ? 2 : format == 1;
}

static uint32_t byte_address(const struct pack_job *job, const struct tensix_adc_channel *adc)
{
    const uint32_t *config = job->config;
    return CFG_FIELD(config, PCK0_ADDR_BASE_REG_0_Base) +
           adc->x * (CFG_FIELD(config, PCK0_ADDR_CTRL_XY_REG_0_Xstride) & 0xF) +
           adc->y * CFG_FIELD(config, PCK0_ADDR_CTRL_XY_REG_0_Ystride) +
           adc->z * CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_0_Zstride) +
           adc->w * CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_0_Wstride);
}

/* ---- Edge masking, and the rows that are left of a plane ----
 *
 * Manual WormholeB0 Packers/EdgeMasking (11312888), PACR "Dst read interfaces".
 *
 * On Blackhole the position counts rows, by as many as there are enabled interfaces, in 8 bits, and goes back to zero only
 * when it comes out at pack_reads_per_xy_plane, or behind Last: ttnn's reduction over columns finds its first row by it, right
 * behind kernels that leave it elsewhere (a max pool of two rows), and such programs are right on cards.
 * OPEN: which two bits of PCK_EDGE_TILE_ROW_SET_SELECT_select (and of the face sets) a row uses.  Wormhole: those of the packer.
 * The reference uses the lowest two for all interfaces; here those of the context.  Would settle it: four different sets on a card. */

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

static inline void edge_masks(const struct pack_job *job, const struct pack_counters *before, struct pack_plan *plan)
{
    const bool transposed = CFG_FIELD(counters(job), PACK_COUNTERS_SEC0_pack_yz_transposed);
    if (LIKELY(!CFG_FIELD(job->config, PCK_EDGE_TILE_FACE_SET_SELECT_enable) &&
               job->config[TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32 + row_set(job, 0)] == 0)) {
        const uint16_t mask = (uint16_t)CFG_FIELD(job->config, PCK_EDGE_OFFSET_SEC0_mask);
        for (unsigned k = 0; k < PACK_INTERFACES; k++) /* one for all rows */
            plan->edge_mask[k] = mask;
        plan->whole_rows = mask == 0xFFFF;
        return;
    }
    plan->whole_rows = true;
    for (unsigned k = 0; k < plan->rows; k++) {
        const unsigned y = before->tile_position + (transposed ? 0 : k), z = before->tile_plane + (transposed ? k : 0);
        const uint32_t mapping = job->config[TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32 + row_set(job, z)];
        plan->edge_mask[k] = (uint16_t)CFG_FIELD(job->config + two_bits(mapping, y), PCK_EDGE_OFFSET_SEC0_mask);
        plan->whole_rows &= plan->edge_mask[k] == 0xFFFF;
    }
}

/* Auto_set_last_pacr_intf_sel (manual PACR): the last PACR of a plane reads the rows that are left of it. */
static unsigned rows_left(const struct pack_job *job, const struct pack_counters *before)
{
    const unsigned reads = CFG_FIELD(counters(job), PACK_COUNTERS_SEC0_pack_reads_per_xy_plane);
    const bool transposed = CFG_FIELD(counters(job), PACK_COUNTERS_SEC0_pack_yz_transposed);
    const unsigned position = transposed ? before->tile_plane : before->tile_position;
    return position < reads && reads - position < PACK_INTERFACES ? reads - position : PACK_INTERFACES;
}

/* ---- Which datums of a row ---- */

static inline bool x_range(struct pack_job *job, const struct pack_counters *before, unsigned first,
                           struct pack_plan *plan)
{
    const uint32_t start = before->adc[0].x, end = before->adc[1].x;
    if (end < start || end - start >= ROW_DATUMS || first + (end - start) >= ROW_DATUMS) {
        tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_PACR,
                     "PACR with ADC X from %u to %u, columns from %u on: they have to be 1 to 16 datums within a row",
                     start, end, first);
        return false;
    }
    plan->column = first;
    plan->count = end - start + 1;
    return true;
}

static unsigned interfaces(const struct pack_job *job, const struct op_PACR *op, const struct pack_counters *before)
{
    unsigned mask = op->ReadIntfSel ? op->ReadIntfSel : 0xF;
    if (CFG_FIELD(job->section, THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel)) {
        const unsigned left = rows_left(job, before);
        mask = left < PACK_INTERFACES ? (1u << left) - 1 : mask;
    }
    return mask;
}

/* ---- Sources ---- */

static bool from_dst(struct pack_job *job, const struct op_PACR *op, const struct pack_counters *before,
                     struct pack_plan *plan)
{
    const unsigned shift = datum_shift(job), x_mask = (16u >> shift) - 1;
    uint32_t address = ((byte_address(job, &before->adc[0]) >> shift) & ~x_mask) + (before->adc[0].x & x_mask);
    address += CFG_FIELD(job->config + job->context, DEST_TARGET_REG_CFG_PACK_SEC0_Offset) << 4;
    const unsigned start = address >> 4 & (DST_ROWS - 1);
    const unsigned mask = interfaces(job, op, before);
    if (!x_range(job, before, address & 0xF, plan))
        return false;
    const bool remapped = (job->access & DEST_ACCESS_CFG_remap_addrs_MASK) != 0;
    const unsigned apart = !op->DstAccessMode ? 1 : remapped ? STRIDE_REMAPPED : STRIDE;
    /* The reference goes on with the rows that follow. */
    if (!op->DstAccessMode && mask << (start & 3) > 0xF &&
        tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_PACR,
                     "PACR with ReadIntfSel %u from Dst row %u: the rows are not within an aligned group of four",
                     op->ReadIntfSel, start))
        return false;
    unsigned rows = 0;
    if (LIKELY(mask == 0xF && !op->DstAccessMode && (start & 3) == 0))
        for (; rows < PACK_INTERFACES; rows++)
            plan->row[rows] = (uint16_t)(start + rows);
    for (unsigned i = rows; i < PACK_INTERFACES; i++) {
        const unsigned row = start + i * apart;
        if (row >= DST_ROWS && (mask >> i & 1) &&
            tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_PACR,
                         "PACR with ReadIntfSel %u from Dst row %u, rows %u apart: Dst has %u rows", op->ReadIntfSel,
                         start, apart, DST_ROWS))
            return false;
        plan->row[rows] = row & (DST_ROWS - 1);
        rows += mask >> i & 1;
    }
    plan->rows = rows;
    edge_masks(job, before, plan);
    return true;
}

/* Packing from L1 to L1: one row's worth, without the stages that stand before the late conversion. */
static bool from_l1(struct pack_job *job, const struct pack_counters *before, struct pack_plan *plan)
{
    const unsigned bytes = 1u << datum_shift(job);
    const uint32_t high = CFG_FIELD(job->section, THCON_SEC0_REG1_L1_source_addr) << 18;
    const uint32_t x = before->adc[0].x & (16 / bytes - 1);
    if (!x_range(job, before, 0, plan))
        return false;
    plan->l1_source = (((high + (byte_address(job, &before->adc[0]) & 0x3FFFF)) & ~0xFu) + bytes * x) & 0x1FFFFF;
    plan->rows = 1;
    if (plan->l1_source + bytes * plan->count > job->s->tile->l1_size) {
        tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_INPUT,
                     "PACR from L1 address 0x%x (THCON_SEC0_REG1_L1_source_addr %u): it is past the end of L1",
                     plan->l1_source, high >> 18);
        return false;
    }
    return true;
}

/* assembly.yaml, ReadIntfSel: with ZeroWrite, 0 makes X end + 1 zeroes in one go, a multiple of 16. */
static bool from_nothing(struct pack_job *job, const struct op_PACR *op, const struct pack_counters *before,
                         struct pack_plan *plan)
{
    if (op->Flush)
        return true; /* no datums */
    if (op->ReadIntfSel) {
        plan->rows = (unsigned)__builtin_popcount(op->ReadIntfSel);
        return x_range(job, before, 0, plan);
    }
    const uint32_t start = before->adc[0].x, end = before->adc[1].x;
    if (start != 0 || (end + 1) % ROW_DATUMS != 0) {
        tensix_fault(
            job->s, KERR_FAULT_UNDEFINED, PAGE_PACR,
            "PACR with ZeroWrite, ReadIntfSel 0 and ADC X from %u to %u: X has to be from 0 to a multiple of 16, "
            "less one",
            start, end);
        return false;
    }
    plan->rows = (end + 1) / ROW_DATUMS;
    plan->count = ROW_DATUMS;
    return true;
}

bool pack_input(struct pack_job *job, const struct op_PACR *op, const struct pack_counters *before,
                struct pack_plan *plan)
{
    switch (job->source) {
    case PACK_FROM_DST: return from_dst(job, op, before, plan);
    case PACK_FROM_L1: return from_l1(job, before, plan);
    default: return from_nothing(job, op, before, plan);
    }
}

/* The early conversion does not happen.  8-bit types that stand for a BFP type have an exponent of zero. */
uint32_t pack_l1_datum(const struct pack_job *job, const struct pack_plan *plan, unsigned index)
{
    const unsigned bytes = 1u << datum_shift(job);
    const uint8_t *at = job->s->tile->l1 + plan->l1_source + bytes * index;
    uint32_t value = 0;
    memcpy(&value, at, bytes);
    switch (job->conversion.LateFromFormat) {
    case FORMAT_BF16: return value << 16;
    case FORMAT_BFP8: return (value & 0x80) << 24 | (value & 0x7F) << 16;
    case FORMAT_BFP8a: return (value & 0x80) << 8 | (value & 0x7F) << 3;
    case FORMAT_FP8: return value << 8;
    default: return value;
    }
}
