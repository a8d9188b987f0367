/* SPDX-License-Identifier: Apache-2.0 */
/* What backend configuration says about a PACR, decoded once, and what is wrong with it.
 *
 * Manual WormholeB0 Packers/FormatConversion "Configuring the conversions", Packers/ReLU, Packers/Downsampling,
 * Packers/ExponentThresholding; assembly.yaml PACR for contexts and padding.
 * OPEN: contexts.  assembly.yaml: CfgContext chooses one of four, CtxtCtrl takes it from a counter that steps.  Which registers
 * each has is not written anywhere; the header has four groups, in the order of Wormhole's packers, and so it is here. */
#include "tensix/pack/pack.h"

#include "num/l1_accumulate.h"

#include "cfg_fields.h"

#define PAGE_PACR "BlackholeA0 TensixCoprocessor/PACR"
#define PAGE_FORMATS "WormholeB0 TensixCoprocessor/Packers/FormatConversion"

enum { CONTEXT_AS_GIVEN, CONTEXT_COUNTED, CONTEXT_RESET, CONTEXT_COUNTED_NO_RESET };
enum { PAD_NEVER, PAD_ALWAYS, PAD_UNLESS_CONCAT, PAD_IF_LAST };
enum { MINUS_INFINITY_E8 = (int)0xFF800000, MINUS_INFINITY_E5 = 0xFFFF /* manual FloatBitPatterns: all ones */ };

static const uint8_t first_word[PACK_CONTEXTS] = {
    THCON_SEC0_REG1_Row_start_section_size_ADDR32, THCON_SEC0_REG8_Row_start_section_size_ADDR32,
    THCON_SEC1_REG1_Row_start_section_size_ADDR32, THCON_SEC1_REG8_Row_start_section_size_ADDR32};

/* REG8 has no bit for e4m3. */
static bool is_reg8(unsigned context)
{
    return context & 1;
}

/* ---- What is wrong ---- */

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

/* Pairs that the page's tables do not have.  What they go on with is in docs/formats.md. */
static bool pairs_exist(struct pack_job *job)
{
    const struct pack_conversion *c = &job->conversion;
    if (job->source == PACK_FROM_DST && !pack_early_exists(*c) && !kernels_use(c) &&
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
    if (job->source == PACK_FROM_DST && pack_kind_of(c->IntermediateFormat) != pack_kind_of(c->LateFromFormat) &&
        tensix_fault(job->s, KERR_FAULT_UNDEFINED, PAGE_FORMATS,
                     "PACR: early conversion to %s (ALU_FORMAT_SPEC_REG2_Dstacc %u), late conversion from %s "
                     "(THCON_SEC0_REG1_In_data_format %u)",
                     format_name(c->IntermediateFormat), c->IntermediateFormat, format_name(c->LateFromFormat),
                     c->LateFromFormat))
        return false;
    return true;
}

static bool fields_are_known(struct pack_job *job)
{
    const uint32_t *section = job->section;
    const uint32_t *counters = job->config + job->context;
    if (CFG_FIELD(section, THCON_SEC0_REG1_Dis_shared_exp_assembler))
        return unknown(job, "THCON_SEC0_REG1_Dis_shared_exp_assembler", 1);
    if (!is_reg8(job->context) && CFG_FIELD(section, THCON_SEC0_REG1_pack_start_intf_pos))
        return unknown(job, "THCON_SEC0_REG1_pack_start_intf_pos",
                       CFG_FIELD(section, THCON_SEC0_REG1_pack_start_intf_pos));
    if (!is_reg8(job->context) && CFG_FIELD(section, THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd))
        return unknown(job, "THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd", 1);
    if (CFG_FIELD(section, THCON_SEC0_REG1_Downsample_rate))
        return unknown(job, "THCON_SEC0_REG1_Downsample_rate", CFG_FIELD(section, THCON_SEC0_REG1_Downsample_rate));
    if (CFG_FIELD(counters, PACK_COUNTERS_SEC0_pack_per_xy_plane))
        return unknown(job, "PACK_COUNTERS_SEC0_pack_per_xy_plane",
                       CFG_FIELD(counters, PACK_COUNTERS_SEC0_pack_per_xy_plane));
    return true;
}

static bool modes_go_together(struct pack_job *job)
{
    const unsigned to = job->conversion.LateToFormat;
    if (job->relu >= 2 && (CFG_FIELD(job->config, STACC_RELU_ReluThreshold) & 0x8000) &&
        undefined(job, "WormholeB0 TensixCoprocessor/Packers/ReLU", "STACC_RELU_ReluThreshold",
                  CFG_FIELD(job->config, STACC_RELU_ReluThreshold), "the threshold is negative"))
        return false;
    if (job->accumulate && !l1_accumulate_exists(to)) {
        undefined(job, "WormholeB0 TensixTile/L1", "THCON_SEC0_REG1_Pack_L1_Acc", 1,
                  "L1 adds FP32, INT32, FP16 and BF16 only");
        return false;
    }
    if (job->compress && (job->accumulate || format_bits(to) < 4)) {
        undefined(job, "WormholeB0 TensixCoprocessor/Packers/Compression", "THCON_SEC0_REG1_Disable_zero_compress", 0,
                  job->accumulate ? "compressed data cannot be added up in L1"
                                  : "BFP2 and BFP2a have no compressed form");
        return false;
    }
    if (CFG_FIELD(job->section, THCON_SEC0_REG1_Exp_threshold_en) && job->conversion.LateFromFormat == FORMAT_BFP2a &&
        undefined(job, "WormholeB0 TensixCoprocessor/Packers/ExponentThresholding", "THCON_SEC0_REG1_Exp_threshold_en",
                  1, "a bug of the hardware with BFP2a"))
        return false;
    return true;
}

/* ---- What it says ---- */

static uint8_t shift_amount(const struct pack_job *job)
{
    const uint32_t *config = job->config;
    if (!CFG_FIELD(config, INT_DESCALE_Enable))
        return 0;
    if (!CFG_FIELD(config, INT_DESCALE_Mode))
        return CFG_FIELD(config, INT_DESCALE_VALUES_SEC0_Value) & 31;
    /* OPEN: "for some value z"; that of channel 0 here. */
    const unsigned z = job->s->tx->thread[job->thread_adc].adc[ADC_SETS - 1][0].z;
    return config[INT_DESCALE_VALUES_SEC0_Value_ADDR32 + (z & 63) / 4] >> z % 4 * 8 & 31;
}

static void decode_conversion(struct pack_job *job)
{
    const uint32_t *config = job->config;
    job->conversion = (struct pack_conversion){
        .IntermediateFormat = (uint8_t)(CFG_FIELD(config, ALU_FORMAT_SPEC_REG_Dstacc_override)
                                            ? CFG_FIELD(config, ALU_FORMAT_SPEC_REG_Dstacc_val)
                                            : CFG_FIELD(config, ALU_FORMAT_SPEC_REG2_Dstacc)),
        .LateFromFormat = (uint8_t)CFG_FIELD(job->section, THCON_SEC0_REG1_In_data_format),
        .LateToFormat = (uint8_t)CFG_FIELD(job->section, THCON_SEC0_REG1_Out_data_format),
        .ShiftAmount = shift_amount(job),
        .Read_32b_data = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_32b_data),
        .Round_10b_mant = CFG_FIELD(config, PCK_DEST_RD_CTRL_Round_10b_mant),
        .Read_raw = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_int8),
        .Read_unsigned = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_unsigned),
        .Exponent4b = !is_reg8(job->context) && CFG_FIELD(job->section, THCON_SEC0_REG1_Pac_LF8_4b_exp)};
    job->stochastic_early = CFG_FIELD(config, ALU_ROUNDING_MODE_Gasket_srnd_en) && !job->conversion.Read_raw;
    job->stochastic_late = CFG_FIELD(config, ALU_ROUNDING_MODE_Packer_srnd_en);
}

static void decode_stages(struct pack_job *job)
{
    const uint32_t *config = job->config, *section = job->section;
    const struct tensix *tx = job->s->tx;
    const uint32_t threshold = CFG_FIELD(config, STACC_RELU_ReluThreshold);
    job->relu = CFG_FIELD(config, STACC_RELU_ApplyRelu) & 3;
    job->relu_threshold = job->kind == PACK_E8 || job->kind == PACK_INT32 ? threshold << 16 : threshold;
    /* Undefined.  A card compares exponents only, and without the sign (tt-metal, branch nkapre/sorting, SORTING.md). */
    if (threshold & 0x8000)
        job->relu_threshold =
            job->kind == PACK_E8 ? (job->relu_threshold & 0x7F800000) | 0x7FFFFF : (threshold & 0x7C00) | 0x3FF;
    job->masked = !CFG_FIELD(config, PCK_EDGE_MODE_mode) ? 0
                  : job->kind == PACK_E5                 ? MINUS_INFINITY_E5
                                                         : (uint32_t)MINUS_INFINITY_E8;
    job->statistics = CFG_FIELD(tx->thread[0].config, ENABLE_ACC_STATS_Enable) ||
                      CFG_FIELD(tx->thread[1].config, ENABLE_ACC_STATS_Enable) ||
                      CFG_FIELD(tx->thread[2].config, ENABLE_ACC_STATS_Enable);
    const bool has_exponent =
        pack_kind_of(job->conversion.LateFromFormat) <= PACK_E5 && job->conversion.LateFromFormat != FORMAT_BFP2;
    job->threshold = (uint8_t)(CFG_FIELD(section, THCON_SEC0_REG1_Exp_threshold_en) && has_exponent
                                   ? CFG_FIELD(section, THCON_SEC0_REG1_Exp_threshold)
                                   : 0);
    const uint16_t mask = (uint16_t)CFG_FIELD(section, THCON_SEC0_REG1_Downsample_mask);
    job->downsample = mask ? mask : 0xFFFF;
    job->accumulate = CFG_FIELD(section, THCON_SEC0_REG1_Pack_L1_Acc);
    job->compress = !CFG_FIELD(section, THCON_SEC0_REG1_Disable_zero_compress);
}

/* RowPadZero (assembly.yaml): bits 1:0 when, bit 2 each row or all that was packed. */
static void decode_padding(struct pack_job *job, const struct op_PACR *op)
{
    const unsigned when = op->RowPadZero & 3;
    const bool pad =
        when == PAD_ALWAYS || (when == PAD_UNLESS_CONCAT && !op->Concat) || (when == PAD_IF_LAST && op->Last);
    job->row_pad = pad && !(op->RowPadZero & 4);
    job->row_pad_tail = pad && (op->RowPadZero & 4);
}

static bool decode_context(struct pack_job *job, const struct op_PACR *op)
{
    job->context = op->CtxtCtrl == CONTEXT_COUNTED ? job->packer->context : op->CfgContext;
    job->section = job->config + first_word[job->context] - (unsigned)THCON_SEC0_REG1_Row_start_section_size_ADDR32;
    job->thread_adc = job->s->thread;
    if (op->OvrdThreadId) /* three threads: 3 is taken for 0 (manual Packers/InputAddressGenerator) */
        job->thread_adc = op->AddrCntContext == 3 ? 0 : op->AddrCntContext;
    if (op->CtxtCtrl == CONTEXT_COUNTED_NO_RESET)
        return unknown(job, "CtxtCtrl", op->CtxtCtrl);
    return true;
}

static enum pack_source source_of(const struct pack_job *job, const struct op_PACR *op)
{
    if (op->ZeroWrite || op->Flush)
        return PACK_FROM_NOTHING;
    return CFG_FIELD(job->section, THCON_SEC0_REG1_Source_interface_selection) ? PACK_FROM_L1 : PACK_FROM_DST;
}

bool pack_decode(struct pack_job *job, const struct op_PACR *op)
{
    if (!decode_context(job, op))
        return false;
    job->last = op->Last;
    job->flush = op->Flush;
    job->concat = op->Concat;
    job->source = source_of(job, op);
    decode_conversion(job);
    job->kind =
        job->source == PACK_FROM_DST ? pack_word_kind(job->conversion) : pack_kind_of(job->conversion.LateFromFormat);
    decode_stages(job);
    decode_padding(job, op);
    return formats_exist(job) && fields_are_known(job) && modes_go_together(job) && pairs_exist(job);
}
