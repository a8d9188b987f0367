/* SPDX-License-Identifier: Apache-2.0 */
/* Input address generator: manual WormholeB0 Packers/InputAddressGenerator (13547104), PACR "Dst read interfaces". */
#include "tensix/pack/pack.h"

#include "tensix/regs/dst.h"
#include "tensix/regs/matrix_unit.h"

#include "cfg_fields.h"

#define PAGE_INPUT "WormholeB0 TensixCoprocessor/Packers/InputAddressGenerator"
#define PAGE_PACR "BlackholeA0 TensixCoprocessor/PACR"

enum { ADC_PACKER = ADC_SETS - 1 };
/* Strided reads.  PACR: 16 rows apart, for use with remap_addrs; assembly.yaml: 8 apart.  Both are 8 rows of DstBits, for with
 * remap_addrs that is what 16 rows become (Adj16).
 * OPEN: without remap_addrs, which the reference refuses; 8 here.  Would settle it: a card. */
enum { STRIDE = 8, STRIDE_REMAPPED = 16 };

static const struct tensix_adc_channel *channels(const struct pack_job *job)
{
    return job->s->tx->thread[job->thread_adc].adc[ADC_PACKER];
}

static unsigned bytes_per_datum(const struct pack_job *job)
{
    const unsigned format = job->conversion.LateFromFormat & 3;
    return format == 0 ? 4 : format == 1 ? 2 : 1;
}

static uint32_t byte_address(const struct pack_job *job)
{
    const struct tensix_adc_channel *adc = &channels(job)[0];
    const uint32_t *config = job->config;
    return CFG_FIELD(config, PCK0_ADDR_BASE_REG_0_Base) +
           adc->x * (CFG_FIELD(config, PCK0_ADDR_CTRL_XY_REG_0_Xstride) & 0xF) +
           adc->y * CFG_FIELD(config, PCK0_ADDR_CTRL_XY_REG_0_Ystride) +
           adc->z * CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_0_Zstride) +
           adc->w * CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_0_Wstride);
}

/* ---- Which datums of a row ---- */

static bool x_range(struct pack_job *job, unsigned first)
{
    const uint32_t start = channels(job)[0].x, end = channels(job)[1].x;
    if (end < start || end - start >= ROW_DATUMS || first + (end - start) >= ROW_DATUMS) {
        tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_PACR,
                     "PACR with ADC X from %u to %u, columns from %u on: they have to be 1 to 16 datums within a row",
                     start, end, first);
        return false;
    }
    job->column = first;
    job->count = end - start + 1;
    return true;
}

static unsigned interfaces(const struct pack_job *job, const struct op_PACR *op)
{
    unsigned mask = op->ReadIntfSel ? op->ReadIntfSel : 0xF;
    if (CFG_FIELD(job->section, THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel) && pack_rows_left(job) < PACK_INTERFACES)
        mask = (1u << pack_rows_left(job)) - 1;
    return mask;
}

/* ---- Sources ---- */

static bool from_dst(struct pack_job *job, const struct op_PACR *op)
{
    const unsigned bytes = bytes_per_datum(job), x_mask = 16 / bytes - 1;
    uint32_t address = ((byte_address(job) / bytes) & ~x_mask) + (channels(job)[0].x & x_mask);
    address += CFG_FIELD(job->config + job->context, DEST_TARGET_REG_CFG_PACK_SEC0_Offset) << 4;
    const unsigned start = address >> 4 & (DST_ROWS - 1);
    const unsigned mask = interfaces(job, op);
    if (!x_range(job, address & 0xF))
        return false;
    job->access = dst_access(job->s, job->config);
    const bool remapped = (job->access & DEST_ACCESS_CFG_remap_addrs_MASK) != 0;
    const unsigned apart = !op->DstAccessMode ? 1 : remapped ? STRIDE_REMAPPED : STRIDE;
    /* The reference goes on with the rows that follow. */
    if (!op->DstAccessMode && mask << (start & 3) > 0xF &&
        tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_PACR,
                     "PACR with ReadIntfSel %u from Dst row %u: the rows are not within an aligned group of four",
                     op->ReadIntfSel, start))
        return false;
    for (unsigned i = 0; i < PACK_INTERFACES; i++) {
        if (!(mask >> i & 1))
            continue;
        const unsigned row = start + i * apart;
        if (row >= DST_ROWS && tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_PACR,
                                            "PACR with ReadIntfSel %u from Dst row %u, rows %u apart: Dst has %u rows",
                                            op->ReadIntfSel, start, apart, DST_ROWS))
            return false;
        job->row[job->rows++] = row & (DST_ROWS - 1);
    }
    job->files = job->s->tile->files;
    return true;
}

/* Packing from L1 to L1: one row's worth, without the stages that stand before the late conversion. */
static bool from_l1(struct pack_job *job)
{
    const unsigned bytes = bytes_per_datum(job);
    const uint32_t high = CFG_FIELD(job->section, THCON_SEC0_REG1_L1_source_addr) << 18;
    const uint32_t x = channels(job)[0].x & (16 / bytes - 1);
    if (!x_range(job, 0))
        return false;
    job->l1_source = (((high + (byte_address(job) & 0x3FFFF)) & ~0xFu) + bytes * x) & 0x1FFFFF;
    job->rows = 1;
    if (job->l1_source + bytes * job->count > job->s->tile->l1_size) {
        tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_INPUT,
                     "PACR from L1 address 0x%x (THCON_SEC0_REG1_L1_source_addr %u): it is past the end of L1",
                     job->l1_source, high >> 18);
        return false;
    }
    return true;
}

/* assembly.yaml, ReadIntfSel: with ZeroWrite, 0 makes X end + 1 zeroes in one go, a multiple of 16. */
static bool from_nothing(struct pack_job *job, const struct op_PACR *op)
{
    if (op->Flush)
        return true; /* no datums */
    if (op->ReadIntfSel) {
        job->rows = (unsigned)__builtin_popcount(op->ReadIntfSel);
        return x_range(job, 0);
    }
    const uint32_t start = channels(job)[0].x, end = channels(job)[1].x;
    if (start != 0 || (end + 1) % ROW_DATUMS != 0) {
        tensix_fault(
            job->s, KERR_FAULT_UNDEFINED, PAGE_PACR,
            "PACR with ZeroWrite, ReadIntfSel 0 and ADC X from %u to %u: X has to be from 0 to a multiple of 16, "
            "less one",
            start, end);
        return false;
    }
    job->rows = (end + 1) / ROW_DATUMS;
    job->count = ROW_DATUMS;
    return true;
}

bool pack_input(struct pack_job *job, const struct op_PACR *op)
{
    switch (job->source) {
    case PACK_FROM_DST: return from_dst(job, op);
    case PACK_FROM_L1: return from_l1(job);
    default: return from_nothing(job, op);
    }
}

/* The early conversion does not happen.  8-bit types that stand for a BFP type have an exponent of zero. */
uint32_t pack_l1_datum(const struct pack_job *job, unsigned index)
{
    const unsigned bytes = bytes_per_datum(job);
    const uint8_t *at = job->s->tile->l1 + job->l1_source + bytes * index;
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
