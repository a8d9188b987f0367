/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix_isa.h"

#include "check/config_uses.h"
#include "tensix/regs/src.h"
#include "tensix/unpack/unpack.h"

#include "cfg_fields.h"

enum { SECTION = THCON_SEC1_REG0_TileDescriptor_ADDR32 - THCON_SEC0_REG0_TileDescriptor_ADDR32, CONTEXT_COUNTED = 1 };

static bool within(unsigned word, unsigned first, unsigned last)
{
    return word >= first && word <= last;
}
static bool is_thcon(unsigned word)
{
    return within(word, THCON_CFGREG_BASE_ADDR32, THCON_CFGREG_BASE_ADDR32 + 2 * SECTION - 1);
}
static unsigned section_of(unsigned word)
{
    return (word - THCON_CFGREG_BASE_ADDR32) / SECTION;
}
static unsigned in_section_0(unsigned word)
{
    return is_thcon(word) ? word - section_of(word) * SECTION : word;
}

/* ---- Unpackers ------------------------------------------------------------------------------------------------------- */

static void read_unpacr(struct config_reader *r, const tensix_step *s)
{
    const struct op_UNPACR op = decode_UNPACR(s->word);
    const struct unpack_context at = unpack_choose_context(s, &op);
    r->reader = CFG_READER_UNPACK;
    r->which = (uint8_t)op.WhichUnpacker;
    r->context = at.context;
    if (at.multi)
        r->flags |= CONFIG_MULTI;
    if (at.multi && CFG_FIELD(s->tx->config[r->bank] + SECTION * r->which, THCON_SEC0_REG2_Ovrd_data_format))
        r->flags |= CONFIG_CONTEXT_FORMATS;
}

static uint32_t half_of(unsigned context)
{
    return context & 1 ? 0xFFFF0000u : 0xFFFFu;
}

/* In words that hold one field for each context, the bits of this one. */
static uint32_t bits_of_context(const struct config_reader *r, unsigned word)
{
    enum {
        BASE = THCON_SEC0_REG3_Base_address_ADDR32,
        DEST = THCON_SEC0_REG5_Dest_cntx0_address_ADDR32,
        X_DIM = THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32,
        OFFSET = THCON_SEC0_REG7_Offset_address_ADDR32,
        TWO_FORMATS = 0xFF0000,
        PER_CONTEXT = 0x11, /* Disable_zero_compress_cntx0, Unpack_if_sel_cntx0 */
        ALL_CONTEXTS = 0xFF00FF
    };
    const unsigned context = r->context, pair = context >> 1 & 1;
    if (within(word, BASE, BASE + 7))
        return word == BASE + context ? UINT32_MAX : 0;
    if (within(word, DEST, DEST + 1))
        return word == DEST + pair ? half_of(context) : 0;
    if (within(word, X_DIM, X_DIM + 1))
        return (r->flags & CONFIG_MULTI) && r->which == 0 && word == X_DIM + pair ? half_of(context) : 0;
    if (within(word, OFFSET, OFFSET + 3))
        return word != OFFSET + (context & 3)      ? 0
               : r->flags & CONFIG_CONTEXT_FORMATS ? 0xFFFF | (uint32_t)TWO_FORMATS << 8 * (context >> 2)
                                                   : 0xFFFF;
    if (word == THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32) {
        const uint32_t own =
            r->flags & CONFIG_MULTI ? (uint32_t)PER_CONTEXT << (context & 3) << 16 * (context >> 2) : 0;
        return own | ~(uint32_t)ALL_CONTEXTS;
    }
    return UINT32_MAX;
}

static uint32_t bits_of_unpacker(const struct config_reader *r, unsigned word)
{
    enum { STRIDES = 2 /* words, then those of unpacker 1 */ };
    if (is_thcon(word))
        return section_of(word) != r->which || in_section_0(word) == THCON_SEC0_REG10_Unpacker_Reg_Wr_Addr_ADDR32
                   ? 0 /* the other's, or UNPACR_NOP's */
                   : bits_of_context(r, in_section_0(word));
    if (word == ALU_FORMAT_SPEC_REG0_SrcAUnsigned_ADDR32)
        return r->which ? ALU_FORMAT_SPEC_REG0_SrcBUnsigned_MASK : ALU_FORMAT_SPEC_REG0_SrcAUnsigned_MASK;
    if (word == UNP0_NOP_REG_CLR_VAL_nop_reg_clr_val_ADDR32 || word == UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val_ADDR32)
        return 0;
    const unsigned strides_0 = UNP0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32,
                   strides_1 = UNP0_ADDR_CTRL_XY_REG_1_Xstride_ADDR32;
    for (unsigned first = strides_0; first <= strides_1; first += strides_1 - strides_0)
        if (within(word, first, first + 2 * STRIDES - 1))
            return (word - first) / STRIDES == r->which ? UINT32_MAX : 0;
    return (word >= UNP1_ADDR_BASE_REG_0_Base_ADDR32) == r->which ? UINT32_MAX : 0;
}

/* ---- Packer ----------------------------------------------------------------------------------------------------------- */

static void read_pacr(struct config_reader *r, const tensix_step *s)
{
    const struct op_PACR op = decode_PACR(s->word);
    r->reader = CFG_READER_PACK;
    r->context = (uint8_t)(op.CtxtCtrl == CONTEXT_COUNTED ? s->tx->packer.context : op.CfgContext);
    if (CFG_FIELD(s->tx->config[r->bank], INT_DESCALE_Enable))
        r->flags |= CONFIG_DESCALES;
}

/* One word for each context, from `first` on. */
static bool is_other_context(const struct config_reader *r, unsigned word, unsigned first)
{
    return within(word, first, first + 3) && word - first != r->context;
}

static uint32_t bits_of_packer(const struct config_reader *r, unsigned word)
{
    enum { REG1 = THCON_SEC0_REG1_Row_start_section_size_ADDR32, REG8 = THCON_SEC0_REG8_Row_start_section_size_ADDR32 };
    if (is_thcon(word)) {
        const unsigned at = in_section_0(word), first = r->context & 1 ? REG8 : REG1;
        const bool is_fifo = at >= THCON_SEC0_REG9_Pack_0_2_limit_address_ADDR32;
        if (section_of(word) == r->context / 2u && first == REG8 && within(at, REG1, REG1 + 3)) /* of both contexts */
            return at == THCON_SEC0_REG1_pack_start_intf_pos_ADDR32 ? THCON_SEC0_REG1_pack_start_intf_pos_MASK
                   : at == THCON_SEC0_REG1_Pac_LF8_4b_exp_ADDR32    ? THCON_SEC0_REG1_Pac_LF8_4b_exp_MASK
                                                                    : 0;
        return section_of(word) == r->context / 2u && at != THCON_SEC0_REG10_Packer_Reg_Wr_Addr_ADDR32 &&
                       (is_fifo || within(at, first, first + 3))
                   ? UINT32_MAX
                   : 0;
    }
    if (is_other_context(r, word, PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32) ||
        is_other_context(r, word, DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32))
        return 0;
    if (within(word, INT_DESCALE_VALUES_SEC0_Value_ADDR32, INT_DESCALE_VALUES_SEC15_Value_ADDR32))
        return r->flags & CONFIG_DESCALES ? UINT32_MAX : 0;
    return UINT32_MAX;
}

/* Manual WormholeB0 PACR: some fields are sampled when the instruction starts, others at a point that is not specified, and it does
 * not say which.  Packers/InputAddressGenerator and OutputAddressGenerator compute addresses when it starts, and so do the vendor's
 * kernels have it, which wait for the packer before they change anything else. */
uint32_t config_bits_late(const struct config_reader *r, unsigned word)
{
    enum {
        ADDRESSES = THCON_SEC0_REG1_Add_l1_dest_addr_offset_MASK | THCON_SEC0_REG1_Sub_l1_tile_header_size_MASK |
                    THCON_SEC0_REG1_Source_interface_selection_MASK,
    };
    if (r->reader != CFG_READER_PACK)
        return 0;
    const unsigned at = in_section_0(word);
    if (within(word, PCK0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32, PCK0_ADDR_BASE_REG_1_Base_ADDR32) ||
        within(word, DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32, DEST_TARGET_REG_CFG_PACK_SEC3_Offset_ADDR32) ||
        (is_thcon(word) &&
         (within(at, THCON_SEC0_REG1_Row_start_section_size_ADDR32, THCON_SEC0_REG1_L1_Dest_addr_ADDR32) ||
          within(at, THCON_SEC0_REG8_Row_start_section_size_ADDR32, THCON_SEC0_REG8_L1_Dest_addr_ADDR32))))
        return 0;
    const bool is_modes = at == THCON_SEC0_REG1_Out_data_format_ADDR32 || at == THCON_SEC0_REG8_Out_data_format_ADDR32;
    return config_bits_read(r, word) & ~(is_modes ? (uint32_t)ADDRESSES | THCON_SEC0_REG1_L1_source_addr_MASK : 0);
}

/* ---- Matrix Unit and Vector Unit ----------------------------------------------------------------------------------- */

static void read_matrix(struct config_reader *r, const tensix_step *s)
{
    switch (s->op) {
    case TENSIX_SETRWC:
    case TENSIX_INCRWC:
    case TENSIX_CLEARDVALID:
    case TENSIX_GATESRCRST:
    case TENSIX_CLREXPHIST:
    case TENSIX_ZEROSRC: return;
    default: break;
    }
    r->reader = CFG_READER_MATRIX;
    if (s->op == TENSIX_ZEROACC)
        return;
    r->flags |= CONFIG_SOURCES;
    r->flags |= src_format_is_implied(s->t, SRC_A) ? 0 : CONFIG_SRCA_FORMAT;
    r->flags |= src_format_is_implied(s->t, SRC_B) ? 0 : CONFIG_SRCB_FORMAT;
}

static void read_vector(struct config_reader *r, const tensix_step *s)
{
    enum { MOD0 = 16, MOD0_FMT_SRCB = 0 };
    if (s->op != TENSIX_SFPLOAD && s->op != TENSIX_SFPSTORE && s->op != TENSIX_SFPLOADMACRO)
        return;
    r->reader = CFG_READER_VECTOR;
    if ((s->word >> MOD0 & 15) == MOD0_FMT_SRCB && !CFG_FIELD(s->t->config, SFPU_DEST_FMT_Enable))
        r->flags |= CONFIG_SRCB_FORMAT;
}

/* Formats, and modes of arithmetic. */
static uint32_t bits_of_alu(const struct config_reader *r, unsigned word)
{
    const bool a = r->flags & CONFIG_SRCA_FORMAT, b = r->flags & CONFIG_SRCB_FORMAT;
    if (word == ALU_FORMAT_SPEC_REG_SrcA_val_ADDR32)
        return (a ? ALU_FORMAT_SPEC_REG_SrcA_val_MASK | ALU_FORMAT_SPEC_REG_SrcA_override_MASK : 0) |
               (b ? ALU_FORMAT_SPEC_REG_SrcB_val_MASK | ALU_FORMAT_SPEC_REG_SrcB_override_MASK : 0);
    if (word == ALU_FORMAT_SPEC_REG0_SrcA_ADDR32) {
        const uint32_t formats = ALU_FORMAT_SPEC_REG0_SrcA_MASK | ALU_FORMAT_SPEC_REG1_SrcB_MASK;
        const uint32_t modes = ALU_ROUNDING_MODE_Fpu_srnd_en_MASK | ALU_ACC_CTRL_INT8_math_enabled_MASK;
        return ~(formats | modes) | (a ? ALU_FORMAT_SPEC_REG0_SrcA_MASK : 0) |
               (b ? ALU_FORMAT_SPEC_REG1_SrcB_MASK : 0) | (r->flags & CONFIG_SOURCES ? modes : 0);
    }
    if (word == ALU_ACC_CTRL_Zero_Flag_disabled_src_ADDR32)
        return r->flags & CONFIG_SOURCES ? UINT32_MAX : 0;
    return UINT32_MAX;
}

/* ---- All ----------------------------------------------------------------------------------------------------------------- */

struct config_reader config_reader_of(const tensix_step *s)
{
    struct config_reader r = {.reader = CFG_READERS, .bank = (uint8_t)CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)};
    switch (s->unit) {
    case UNIT_UNPACK:
        if (s->op == TENSIX_UNPACR)
            read_unpacr(&r, s);
        break;
    case UNIT_PACK:
        if (s->op == TENSIX_PACR)
            read_pacr(&r, s);
        break;
    case UNIT_MATRIX: read_matrix(&r, s); break;
    case UNIT_VECTOR: read_vector(&r, s); break;
    case UNIT_MOVER: r.reader = CFG_READER_MOVER; break;
    default: break;
    }
    return r;
}

uint32_t config_bits_read(const struct config_reader *r, unsigned word)
{
    if (r->reader == CFG_READERS || word == PRNG_SEED_Seed_Val_ADDR32) /* whose write is what counts */
        return 0;
    const uint32_t bits = cfg_read_bits((enum cfg_reader)r->reader, word);
    if (bits == 0)
        return 0;
    switch (r->reader) {
    case CFG_READER_UNPACK: return bits & bits_of_unpacker(r, word);
    case CFG_READER_PACK: return bits & bits_of_packer(r, word);
    case CFG_READER_MOVER: return is_thcon(word) && section_of(word) == 0 ? bits : 0;
    default: return bits & bits_of_alu(r, word);
    }
}
