/* SPDX-License-Identifier: Apache-2.0 */
/* What backend configuration says about a PACR, decoded once and kept as long as it stays the same.
 *
 * Manual WormholeB0 Packers/FormatConversion "Configuring the conversions", Packers/ReLU, Packers/Downsampling,
 * Packers/ExponentThresholding; assembly.yaml PACR for contexts and padding.
 * OPEN: contexts.  assembly.yaml: CfgContext chooses one of four, CtxtCtrl takes it from a counter that steps.  Which registers
 * each has is not written anywhere; the header has four groups, in the order of Wormhole's packers, and so it is here. */
#include "tensix/pack/pack.h"

#include "base/bits.h"

#include "cfg_fields.h"

#include <string.h>

enum { CONTEXT_AS_GIVEN, CONTEXT_COUNTED, CONTEXT_RESET, CONTEXT_COUNTED_NO_RESET };
enum { SECTION = THCON_SEC1_REG1_Row_start_section_size_ADDR32 - THCON_SEC0_REG1_Row_start_section_size_ADDR32 };
enum { PAD_NEVER, PAD_ALWAYS, PAD_UNLESS_CONCAT, PAD_IF_LAST };
enum { MINUS_INFINITY_E8 = (int)0xFF800000, MINUS_INFINITY_E5 = 0xFFFF /* manual FloatBitPatterns: all ones */ };

static const uint8_t first_word[PACK_CONTEXTS] = {
    THCON_SEC0_REG1_Row_start_section_size_ADDR32, THCON_SEC0_REG8_Row_start_section_size_ADDR32,
    THCON_SEC1_REG1_Row_start_section_size_ADDR32, THCON_SEC1_REG8_Row_start_section_size_ADDR32};

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

static void decode_conversion(struct pack_job *job, struct tensix_pack_plan *plan)
{
    const uint32_t *config = job->config;
    plan->IntermediateFormat = (uint8_t)(CFG_FIELD(config, ALU_FORMAT_SPEC_REG_Dstacc_override)
                                             ? CFG_FIELD(config, ALU_FORMAT_SPEC_REG_Dstacc_val)
                                             : CFG_FIELD(config, ALU_FORMAT_SPEC_REG2_Dstacc));
    plan->LateFromFormat = (uint8_t)CFG_FIELD(job->section, THCON_SEC0_REG1_In_data_format);
    plan->LateToFormat = (uint8_t)CFG_FIELD(job->section, THCON_SEC0_REG1_Out_data_format);
    plan->ShiftAmount = shift_amount(job);
    plan->Read_32b_data = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_32b_data);
    plan->Round_10b_mant = CFG_FIELD(config, PCK_DEST_RD_CTRL_Round_10b_mant);
    plan->Read_raw = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_int8);
    plan->Read_unsigned = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_unsigned);
    plan->Exponent4b = CFG_FIELD(job->both, THCON_SEC0_REG1_Pac_LF8_4b_exp);
    plan->stochastic_early = CFG_FIELD(config, ALU_ROUNDING_MODE_Gasket_srnd_en) && !plan->Read_raw;
    plan->stochastic_late = CFG_FIELD(config, ALU_ROUNDING_MODE_Packer_srnd_en);
}

static struct pack_conversion conversion_of(const struct tensix_pack_plan *plan)
{
    return (struct pack_conversion){.IntermediateFormat = plan->IntermediateFormat,
                                    .LateFromFormat = plan->LateFromFormat,
                                    .LateToFormat = plan->LateToFormat,
                                    .ShiftAmount = plan->ShiftAmount,
                                    .Read_32b_data = plan->Read_32b_data,
                                    .Round_10b_mant = plan->Round_10b_mant,
                                    .Read_raw = plan->Read_raw,
                                    .Read_unsigned = plan->Read_unsigned,
                                    .Exponent4b = plan->Exponent4b};
}

static uint32_t relu_threshold(const struct pack_job *job, enum pack_kind kind)
{
    const uint32_t threshold = CFG_FIELD(job->config, STACC_RELU_ReluThreshold);
    const bool is_high = kind == PACK_E8 || kind == PACK_INT32;
    if (!(threshold & 0x8000))
        return is_high ? threshold << 16 : threshold;
    /* Undefined.  A card compares exponents only, and without the sign (a branch of tt-metal, SORTING.md). */
    return is_high ? (threshold << 16 & 0x7F800000) | 0x7FFFFF : (threshold & 0x7C00) | 0x3FF;
}

static void decode_stages(struct pack_job *job, struct tensix_pack_plan *plan, enum pack_kind kind)
{
    const uint32_t *config = job->config, *section = job->section;
    plan->kind = (uint8_t)kind;
    plan->relu = CFG_FIELD(config, STACC_RELU_ApplyRelu) & 3;
    plan->relu_threshold = relu_threshold(job, kind);
    plan->masked = !CFG_FIELD(config, PCK_EDGE_MODE_mode) ? 0
                   : kind == PACK_E5                      ? MINUS_INFINITY_E5
                                                          : (uint32_t)MINUS_INFINITY_E8;
    const bool has_exponent = pack_kind_of(plan->LateFromFormat) <= PACK_E5 && plan->LateFromFormat != FORMAT_BFP2;
    plan->threshold = (uint8_t)(CFG_FIELD(section, THCON_SEC0_REG1_Exp_threshold_en) && has_exponent
                                    ? CFG_FIELD(section, THCON_SEC0_REG1_Exp_threshold)
                                    : 0);
    const uint16_t mask = (uint16_t)CFG_FIELD(section, THCON_SEC0_REG1_Downsample_mask);
    plan->downsample = mask ? mask : 0xFFFF;
    plan->accumulate = CFG_FIELD(section, THCON_SEC0_REG1_Pack_L1_Acc);
    plan->compress = !CFG_FIELD(section, THCON_SEC0_REG1_Disable_zero_compress);
}

/* ---- The plan ---- */

/* All that a plan is made from, but for INT_DESCALE_VALUES and Z: with INT_DESCALE a plan is not kept. */
static void words_of(const struct pack_job *job, uint32_t words[PACK_PLAN_WORDS])
{
    words[0] = UINT32_C(1) << 31 | CFG_FIELD(job->both, THCON_SEC0_REG1_Pac_LF8_4b_exp) << 8 |
               CFG_FIELD(job->both, THCON_SEC0_REG1_pack_start_intf_pos) << 4 | job->context << 2 | job->source;
    words[1] = job->config[ALU_FORMAT_SPEC_REG_Dstacc_val_ADDR32];
    words[2] = job->config[ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32];
    words[3] = job->config[STACC_RELU_ApplyRelu_ADDR32];
    words[4] = job->config[INT_DESCALE_Enable_ADDR32];
    words[5] = job->config[PCK_DEST_RD_CTRL_Read_32b_data_ADDR32];
    words[6] = job->config[PCK_EDGE_MODE_mode_ADDR32];
    words[7] = job->section[THCON_SEC0_REG1_Out_data_format_ADDR32];
    words[8] = job->section[THCON_SEC0_REG1_Downsample_mask_ADDR32];
    words[9] = job->config[PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32 + job->context];
}

static bool make_plan(struct pack_job *job, const uint32_t words[PACK_PLAN_WORDS])
{
    struct tensix_pack_plan *plan = &job->packer->plan;
    memset(plan->words, 0, sizeof plan->words);
    decode_conversion(job, plan);
    job->conversion = conversion_of(plan);
    job->kind = job->source == PACK_FROM_DST ? pack_word_kind(job->conversion) : pack_kind_of(plan->LateFromFormat);
    decode_stages(job, plan, job->kind);
    plan->way = PACK_WAY_NONE;
    plan->quick = false;
    if (!pack_is_usual(job))
        return pack_check(job);
    plan->way = (uint8_t)pack_way_of(job->conversion);
    if (!CFG_FIELD(job->config, INT_DESCALE_Enable)) {
        memcpy(plan->words, words, sizeof plan->words);
        plan->quick = pack_is_quick(job);
    }
    return true;
}

static bool follow_plan(struct pack_job *job)
{
    uint32_t words[PACK_PLAN_WORDS];
    words_of(job, words);
    job->plan = &job->packer->plan;
    if (UNLIKELY(memcmp(words, job->plan->words, sizeof words) != 0))
        return make_plan(job, words);
    job->conversion = conversion_of(job->plan);
    job->kind = (enum pack_kind)job->plan->kind;
    return true;
}

/* ---- Of the instruction ---- */

/* RowPadZero (assembly.yaml): bits 1:0 when, bit 2 each row or all that was packed. */
static void decode_padding(struct pack_job *job, const struct op_PACR *op)
{
    const unsigned when = op->RowPadZero & 3;
    const bool pad =
        when == PAD_ALWAYS || (when == PAD_UNLESS_CONCAT && !op->Concat) || (when == PAD_IF_LAST && job->last);
    job->row_pad = pad && !(op->RowPadZero & 4);
    job->row_pad_tail = pad && (op->RowPadZero & 4);
}

static bool decode_context(struct pack_job *job, const struct op_PACR *op)
{
    job->context = op->CtxtCtrl == CONTEXT_COUNTED ? job->packer->context : op->CfgContext;
    job->section = job->config + first_word[job->context] - (unsigned)THCON_SEC0_REG1_Row_start_section_size_ADDR32;
    job->both = job->config + (job->context & 2 ? SECTION : 0);
    job->thread_adc = job->s->thread;
    if (op->OvrdThreadId) /* three threads: 3 is taken for 0 (manual Packers/InputAddressGenerator) */
        job->thread_adc = op->AddrCntContext == 3 ? 0 : op->AddrCntContext;
    if (op->CtxtCtrl == CONTEXT_COUNTED_NO_RESET)
        return pack_unknown(job, "CtxtCtrl", op->CtxtCtrl);
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
    const struct tensix_thread *threads = job->s->tx->thread;
    if (!decode_context(job, op))
        return false;
    job->last = op->Last || pack_counts_to_last(job, op);
    job->flush = op->Flush;
    job->concat = op->Concat;
    job->source = source_of(job, op);
    decode_padding(job, op);
    job->statistics = CFG_FIELD(threads[0].config, ENABLE_ACC_STATS_Enable) ||
                      CFG_FIELD(threads[1].config, ENABLE_ACC_STATS_Enable) ||
                      CFG_FIELD(threads[2].config, ENABLE_ACC_STATS_Enable);
    return follow_plan(job);
}
