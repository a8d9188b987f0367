/* SPDX-License-Identifier: Apache-2.0 */
/* What backend configuration says about a PACR, decoded once and kept as long as it stays the same.
 *
 * Manual WormholeB0 Packers/FormatConversion "Configuring the conversions", Packers/ReLU, Packers/Downsampling,
 * Packers/ExponentThresholding; assembly.yaml PACR for contexts and padding.
 * OPEN: contexts.  assembly.yaml: CfgContext chooses one of four, CtxtCtrl takes it from a counter that steps.  Which registers
 * each has is not written anywhere; the header has four groups, in the order of Wormhole's packers, and so it is here. */
#include "tensix/pack/pack.h"

#include "base/bits.h"
#include "tensix/regs/matrix_unit.h"

#include "cfg_fields.h"

#include <string.h>

enum { CONTEXT_AS_GIVEN, CONTEXT_COUNTED, CONTEXT_RESET, CONTEXT_COUNTED_NO_RESET };
enum { SECTION = THCON_SEC1_REG1_Row_start_section_size_ADDR32 - THCON_SEC0_REG1_Row_start_section_size_ADDR32 };
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

static void decode_conversion(struct pack_job *job, struct tensix_pack_modes *modes)
{
    const uint32_t *config = job->config;
    const bool raw = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_int8);
    modes->conversion =
        (struct pack_conversion){.IntermediateFormat = (uint8_t)(CFG_FIELD(config, ALU_FORMAT_SPEC_REG_Dstacc_override)
                                                                     ? CFG_FIELD(config, ALU_FORMAT_SPEC_REG_Dstacc_val)
                                                                     : CFG_FIELD(config, ALU_FORMAT_SPEC_REG2_Dstacc)),
                                 .LateFromFormat = (uint8_t)CFG_FIELD(job->section, THCON_SEC0_REG1_In_data_format),
                                 .LateToFormat = (uint8_t)CFG_FIELD(job->section, THCON_SEC0_REG1_Out_data_format),
                                 .ShiftAmount = shift_amount(job),
                                 .Read_32b_data = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_32b_data),
                                 .Round_10b_mant = CFG_FIELD(config, PCK_DEST_RD_CTRL_Round_10b_mant),
                                 .Read_raw = raw,
                                 .Read_unsigned = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_unsigned),
                                 .Exponent4b = CFG_FIELD(job->both, THCON_SEC0_REG1_Pac_LF8_4b_exp)};
    modes->stochastic_early = CFG_FIELD(config, ALU_ROUNDING_MODE_Gasket_srnd_en) && !raw;
    modes->stochastic_late = CFG_FIELD(config, ALU_ROUNDING_MODE_Packer_srnd_en);
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

static void decode_stages(struct pack_job *job, struct tensix_pack_modes *modes, enum pack_kind kind)
{
    const uint32_t *config = job->config, *section = job->section;
    modes->kind = (uint8_t)kind;
    modes->relu = CFG_FIELD(config, STACC_RELU_ApplyRelu) & 3;
    modes->relu_threshold = relu_threshold(job, kind);
    modes->masked = !CFG_FIELD(config, PCK_EDGE_MODE_mode) ? 0
                    : kind == PACK_E5                      ? MINUS_INFINITY_E5
                                                           : (uint32_t)MINUS_INFINITY_E8;
    const bool has_exponent =
        pack_kind_of(modes->conversion.LateFromFormat) <= PACK_E5 && modes->conversion.LateFromFormat != FORMAT_BFP2;
    modes->threshold = (uint8_t)(CFG_FIELD(section, THCON_SEC0_REG1_Exp_threshold_en) && has_exponent
                                     ? CFG_FIELD(section, THCON_SEC0_REG1_Exp_threshold)
                                     : 0);
    const uint16_t mask = (uint16_t)CFG_FIELD(section, THCON_SEC0_REG1_Downsample_mask);
    modes->downsample = mask ? mask : 0xFFFF;
    modes->accumulate = CFG_FIELD(section, THCON_SEC0_REG1_Pack_L1_Acc);
    modes->compress = !CFG_FIELD(section, THCON_SEC0_REG1_Disable_zero_compress);
    modes->whole =
        modes->downsample == 0xFFFF && !modes->compress && !modes->stochastic_early && !modes->stochastic_late;
}

/* ---- Kept ---- */

/* All that they are made from, but for INT_DESCALE_VALUES and Z: with INT_DESCALE they are not kept. */
static inline uint32_t first_of(const struct pack_job *job)
{
    return UINT32_C(1) << 31 | CFG_FIELD(job->both, THCON_SEC0_REG1_Pac_LF8_4b_exp) << 8 |
           CFG_FIELD(job->both, THCON_SEC0_REG1_pack_start_intf_pos) << 4 | job->context << 2 | job->source;
}

/* FOLD(which, word) for each word. */
#define EACH_WORD(FOLD)                                                                                                \
    FOLD(0, first_of(job))                                                                                             \
    FOLD(1, job->config[ALU_FORMAT_SPEC_REG_Dstacc_val_ADDR32])                                                        \
    FOLD(2, job->config[ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32])                                                           \
    FOLD(3, job->config[STACC_RELU_ApplyRelu_ADDR32])                                                                  \
    FOLD(4, job->config[INT_DESCALE_Enable_ADDR32])                                                                    \
    FOLD(5, job->config[PCK_DEST_RD_CTRL_Read_32b_data_ADDR32])                                                        \
    FOLD(6, job->config[PCK_EDGE_MODE_mode_ADDR32])                                                                    \
    FOLD(7, job->section[THCON_SEC0_REG1_Out_data_format_ADDR32])                                                      \
    FOLD(8, job->section[THCON_SEC0_REG1_Downsample_mask_ADDR32])                                                      \
    FOLD(9, job->config[PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32 + job->context])

static inline bool are_kept(const struct pack_job *job, const uint32_t words[PACK_MODES_WORDS])
{
#define FOLD(i, word) | (words[i] ^ (word))
    return (0 EACH_WORD(FOLD)) == 0;
#undef FOLD
}

static void keep_words(const struct pack_job *job, uint32_t words[PACK_MODES_WORDS])
{
#define FOLD(i, word) words[i] = (word);
    EACH_WORD(FOLD)
#undef FOLD
}

static bool make_modes(struct pack_job *job)
{
    struct tensix_pack_modes *modes = &job->packer->modes;
    memset(modes->words, 0, sizeof modes->words);
    decode_conversion(job, modes);
    job->conversion = modes->conversion;
    job->kind =
        job->source == PACK_FROM_DST ? pack_word_kind(job->conversion) : pack_kind_of(modes->conversion.LateFromFormat);
    decode_stages(job, modes, job->kind);
    modes->way = PACK_WAY_NONE;
    if (!pack_is_usual(job))
        return pack_check(job);
    if (job->source == PACK_FROM_DST && modes->relu == 0 && modes->threshold == 0)
        modes->way = (uint8_t)pack_way_of(job->conversion);
    if (!CFG_FIELD(job->config, INT_DESCALE_Enable))
        keep_words(job, modes->words);
    return true;
}

static bool follow_modes(struct pack_job *job)
{
    job->modes = &job->packer->modes;
    if (UNLIKELY(!are_kept(job, job->packer->modes.words)))
        return !job->s->ahead && make_modes(job);
    job->conversion = job->modes->conversion;
    job->kind = (enum pack_kind)job->modes->kind;
    return true;
}

/* ---- Of the instruction ---- */

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

bool pack_begin(struct pack_job *job, tensix_step *s, const struct op_PACR *op)
{
    const struct tensix_thread *threads = s->tx->thread;
    job->s = s;
    job->packer = &s->tx->packer;
    job->config = s->tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
    job->overrun = false;
    job->overrun_address = 0;
    if (!decode_context(job, op))
        return false;
    job->source = source_of(job, op);
    job->statistics = CFG_FIELD(threads[0].config, ENABLE_ACC_STATS_Enable) ||
                      CFG_FIELD(threads[1].config, ENABLE_ACC_STATS_Enable) ||
                      CFG_FIELD(threads[2].config, ENABLE_ACC_STATS_Enable);
    job->files = s->tile->files;
    job->access = dst_access(s, job->config);
    return follow_modes(job);
}
