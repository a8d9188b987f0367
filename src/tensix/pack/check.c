/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with the configuration of a PACR: faults, each with its field, value and page. */
#include "tensix/pack/pack.h"

#include "num/l1_accumulate.h"

#include "cfg_fields.h"

#define PAGE_PACR "BlackholeA0 TensixCoprocessor/PACR"
#define PAGE_FORMATS "WormholeB0 TensixCoprocessor/Packers/FormatConversion"

static bool undefined(struct pack_job *job, const char *page, const char *field, unsigned value, const char *why)
{
    return tensix_fault(job->s, KERR_FAULT_UNDEFINED, page, "PACR with %s %u: %s", field, value, why);
}

static bool unknown(struct pack_job *job, const char *field, unsigned value)
{
    tensix_fault(job->s, KERR_FAULT_UNKNOWN, PAGE_PACR, "PACR with %s %u: no document says what it does", field, value);
    return false;
}

static bool formats_exist(struct pack_job *job)
{
    const struct pack_conversion *c = &job->conversion;
    const char *field = NULL;
    unsigned value = 0;
    if (!format_exists(c->IntermediateFormat))
        field = "ALU_FORMAT_SPEC_REG2_Dstacc", value = c->IntermediateFormat;
    if (!format_exists(c->LateFromFormat))
        field = "THCON_SEC0_REG1_In_data_format", value = c->LateFromFormat;
    if (!format_exists(c->LateToFormat))
        field = "THCON_SEC0_REG1_Out_data_format", value = c->LateToFormat;
    if (field)
        undefined(job, PAGE_FORMATS, field, value, "there is no such format");
    return field == NULL;
}

/* Two that the page calls "No", and the kernel library uses: FP16 by way of ten bits of mantissa, and 16 bits of 32. */
static bool kernels_use(const struct pack_conversion *c)
{
    return c->Read_32b_data &&
           ((c->IntermediateFormat == FORMAT_FP16 && c->Round_10b_mant) || c->IntermediateFormat == FORMAT_INT16);
}

static bool has_early(const struct pack_job *job)
{
    return job->source != PACK_FROM_DST || pack_early_exists(job->conversion) || kernels_use(&job->conversion);
}

/* The late conversion is from what the early one is to. */
static bool is_handed_on(const struct pack_job *job)
{
    return job->source != PACK_FROM_DST ||
           pack_kind_of(job->conversion.IntermediateFormat) == pack_kind_of(job->conversion.LateFromFormat);
}

/* Pairs that the page's tables do not have.  What they go on with is in docs/formats.md. */
static bool pairs_exist(struct pack_job *job)
{
    const struct pack_conversion *c = &job->conversion;
    if (!has_early(job) &&
        tensix_fault(
            job->s, KERR_FAULT_UNDEFINED, PAGE_FORMATS,
            "PACR: no early conversion from %u bits of Dst to %s (ALU_FORMAT_SPEC_REG2_Dstacc %u, Read_int8 %u, "
            "Round_10b_mant %u)",
            c->Read_32b_data ? 32 : 16, format_name(c->IntermediateFormat), c->IntermediateFormat, c->Read_raw,
            c->Round_10b_mant))
        return false;
    if (!pack_late_exists(*c) &&
        tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_FORMATS,
                     "PACR: no late conversion from %s to %s (THCON_SEC0_REG1_In_data_format %u, Out_data_format %u)",
                     format_name(c->LateFromFormat), format_name(c->LateToFormat), c->LateFromFormat, c->LateToFormat))
        return false;
    if (!is_handed_on(job) &&
        tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_FORMATS,
                     "PACR: early conversion to %s (ALU_FORMAT_SPEC_REG2_Dstacc %u), late conversion from %s "
                     "(THCON_SEC0_REG1_In_data_format %u)",
                     format_name(c->IntermediateFormat), c->IntermediateFormat, format_name(c->LateFromFormat),
                     c->LateFromFormat))
        return false;
    return true;
}

/* Known by what LLK's hal/cfg/thcon.h has of them, which is a line each: docs/errata-tensix.md. */
static unsigned Dis_shared_exp_assembler(const struct pack_job *job)
{
    return format_is_bfp(job->conversion.LateToFormat)
               ? CFG_FIELD(job->section, THCON_SEC0_REG1_Dis_shared_exp_assembler)
               : 0;
}

/* Two bits for each context of the section; the lower ones are taken for those of the first. */
static unsigned start_intf_pos(const struct pack_job *job)
{
    return CFG_FIELD(job->both, THCON_SEC0_REG1_pack_start_intf_pos) >> (job->context & 1 ? 2 : 0) & 3;
}

static bool fields_are_known(struct pack_job *job)
{
    const unsigned pack_start_intf_pos = start_intf_pos(job);
    const unsigned Downsample_rate = CFG_FIELD(job->section, THCON_SEC0_REG1_Downsample_rate);
    if (Dis_shared_exp_assembler(job))
        return unknown(job, "THCON_SEC0_REG1_Dis_shared_exp_assembler", 1);
    if (pack_start_intf_pos)
        return unknown(job, "THCON_SEC0_REG1_pack_start_intf_pos", pack_start_intf_pos);
    if (Downsample_rate)
        return unknown(job, "THCON_SEC0_REG1_Downsample_rate", Downsample_rate);
    return true;
}

static bool modes_go_together(struct pack_job *job)
{
    const unsigned to = job->conversion.LateToFormat;
    if (job->modes->relu >= 2 && (CFG_FIELD(job->config, STACC_RELU_ReluThreshold) & 0x8000) &&
        undefined(job, "WormholeB0 TensixCoprocessor/Packers/ReLU", "STACC_RELU_ReluThreshold",
                  CFG_FIELD(job->config, STACC_RELU_ReluThreshold), "the threshold is negative"))
        return false;
    if (job->modes->accumulate && !l1_accumulate_exists(to)) {
        undefined(job, "WormholeB0 TensixTile/L1", "THCON_SEC0_REG1_Pack_L1_Acc", 1,
                  "L1 adds FP32, INT32, FP16 and BF16 only");
        return false;
    }
    if (job->modes->compress && (job->modes->accumulate || format_bits(to) < 4)) {
        undefined(job, "WormholeB0 TensixCoprocessor/Packers/Compression", "THCON_SEC0_REG1_Disable_zero_compress", 0,
                  job->modes->accumulate ? "compressed data cannot be added up in L1"
                                         : "BFP2 and BFP2a have no compressed form");
        return false;
    }
    if (CFG_FIELD(job->section, THCON_SEC0_REG1_Exp_threshold_en) && job->conversion.LateFromFormat == FORMAT_BFP2a &&
        undefined(job, "WormholeB0 TensixCoprocessor/Packers/ExponentThresholding", "THCON_SEC0_REG1_Exp_threshold_en",
                  1, "a bug of the hardware with BFP2a"))
        return false;
    return true;
}

/* ---- All of it ---- */

static bool any_unknown(const struct pack_job *job)
{
    return Dis_shared_exp_assembler(job) || start_intf_pos(job) ||
           CFG_FIELD(job->section, THCON_SEC0_REG1_Downsample_rate);
}

static bool modes_are_plain(const struct pack_job *job)
{
    return job->modes->relu < 2 && !job->modes->compress &&
           (!job->modes->accumulate || l1_accumulate_exists(job->conversion.LateToFormat)) &&
           !CFG_FIELD(job->section, THCON_SEC0_REG1_Exp_threshold_en);
}

bool pack_is_usual(const struct pack_job *job)
{
    return format_exists(job->conversion.IntermediateFormat) && has_early(job) && pack_late_exists(job->conversion) &&
           is_handed_on(job) && !any_unknown(job) && modes_are_plain(job);
}

bool pack_check(struct pack_job *job)
{
    return formats_exist(job) && fields_are_known(job) && modes_go_together(job) && pairs_exist(job);
}

bool pack_unknown(struct pack_job *job, const char *field, unsigned value)
{
    return unknown(job, field, value);
}
