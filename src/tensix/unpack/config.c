/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a context: the first part of the page's functional model. */
#include "tensix_units.h" /* before the names of registers */

#include "tensix/unpack/unpack.h"

#include "cfg_fields.h"
#include "tensix/regs/matrix_unit.h"

/* Fields of which there is one a context stand at regular places: THCON_SEC0_REG2_Disable_zero_compress_cntx0 to 3 and 4 to
 * 7 are four bits each, 16 apart, and so on.  SEC1 is 48 words further. */
enum { SECTION = 48, UNP_STRIDE_WORDS = 2 };

static bool context_bit(const uint32_t *section, unsigned first_bit, unsigned context)
{
    return section[THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32] >>
               (first_bit + (context & 3) + (context >> 2) * 16) &
           1;
}

static unsigned context_format(const uint32_t *section, unsigned first_bit, unsigned context)
{
    return section[THCON_SEC0_REG7_Unpack_data_format_cntx0_ADDR32 + (context & 3)] >>
               (first_bit + (context >> 2) * 8) &
           15;
}

static uint16_t context_half(const uint32_t *section, unsigned first_word, unsigned context)
{
    return (uint16_t)(section[first_word + (context >> 1 & 1)] >> (context & 1) * 16);
}

_Static_assert(THCON_SEC0_REG4_Base_cntx4_address_ADDR32 == THCON_SEC0_REG3_Base_address_ADDR32 + 4,
               "base addresses of the eight contexts follow each other");
_Static_assert(THCON_SEC1_REG0_TileDescriptor_ADDR32 == THCON_SEC0_REG0_TileDescriptor_ADDR32 + SECTION,
               "the second unpacker's section");

const uint32_t *unpack_bank_of_config(const tensix_step *s)
{
    return s->tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
}

struct unpack_context unpack_choose_context(const tensix_step *s, const struct op_UNPACR *op)
{
    if (!op->MultiContextMode)
        return (struct unpack_context){.context = 0, .adc = s->thread, .multi = false};
    const unsigned which = op->WhichUnpacker;
    const unsigned offset = which ? CFG_FIELD(s->t->config, UNPACK_MISC_CFG_CfgContextOffset_1)
                                  : CFG_FIELD(s->t->config, UNPACK_MISC_CFG_CfgContextOffset_0);
    const unsigned number = op->UseContextCounter ? s->tx->context_counter[which][s->thread] : op->ContextNumber;
    return (struct unpack_context){
        .context = (uint8_t)((number + offset) % UNPACK_CONTEXTS), .adc = (uint8_t)op->ContextADC, .multi = true};
}

static void read_descriptor(struct unpack_config *c, const uint32_t *config, const uint32_t *section)
{
    c->IsUncompressed = c->at.multi ? context_bit(section, 0, c->at.context)
                                    : CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_IsUncompressed);
    c->XDim = c->at.multi && c->which == 0
                  ? context_half(section, THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, c->at.context)
                  : (uint16_t)CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_XDim);
    c->YDim = (uint8_t)CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_YDim);
    c->ZDim = (uint8_t)CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_ZDim);
    c->WDim = (uint8_t)CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_WDim);
    c->ZDim = c->ZDim ? c->ZDim : 1;
    c->WDim = c->WDim ? c->WDim : 1;
    c->NoBFPExpSection = CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_NoBFPExpSection);
    c->BlobsPerXYPlane = (uint8_t)CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_BlobsPerXYPlane);
    if (!c->at.multi || c->which != 0)
        c->BlobsYStart = CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_BlobsYStart_lo) |
                         CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_BlobsYStart_hi) << 16;
    else
        c->BlobsYStart = c->at.context & 2 ? CFG_FIELD(config, UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start)
                                           : CFG_FIELD(config, UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start);
}

static void read_formats(struct unpack_config *c, const uint32_t *config, const uint32_t *section)
{
    if (c->at.multi && CFG_FIELD(section, THCON_SEC0_REG2_Ovrd_data_format)) {
        c->InDataFormat = (uint8_t)context_format(section, 16, c->at.context);
        c->OutDataFormat = (uint8_t)context_format(section, 20, c->at.context);
    } else {
        c->InDataFormat = (uint8_t)CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_InDataFormat);
        c->OutDataFormat = (uint8_t)CFG_FIELD(section, THCON_SEC0_REG2_Out_data_format);
    }
    c->Force_shared_exp = CFG_FIELD(section, THCON_SEC0_REG2_Force_shared_exp);
    c->shared_exp = (uint8_t)(c->which ? CFG_FIELD(config, UNP1_FORCED_SHARED_EXP_shared_exp)
                                       : CFG_FIELD(config, UNP0_FORCED_SHARED_EXP_shared_exp));
    c->conversion = (struct unpack_conversion){
        .InDataFormat = c->InDataFormat,
        .OutDataFormat = c->OutDataFormat,
        .UnpackToDst = c->UnpackToDst,
        .Int8MeansUnsigned = c->which ? CFG_FIELD(config, ALU_FORMAT_SPEC_REG0_SrcBUnsigned)
                                      : CFG_FIELD(config, ALU_FORMAT_SPEC_REG0_SrcAUnsigned),
        .Exponent4b = CFG_FIELD(section, THCON_SEC0_REG1_Unp_LF8_4b_exp),
    };
}

/* Context 0 has base and offset in every mode; what a context's offset has above 16 bits is formats. */
static void read_base(struct unpack_config *c, const uint32_t *section)
{
    const uint64_t base = section[THCON_SEC0_REG3_Base_address_ADDR32 + c->at.context];
    const uint64_t offset = section[THCON_SEC0_REG7_Offset_address_ADDR32 + (c->at.context & 3)] & 0xFFFF;
    c->InAddr =
        (base + offset + 1 + CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_DigestSize)) * UNPACK_TILE_HEADER;
    c->limit = (uint64_t)CFG_FIELD(section, THCON_SEC0_REG2_Unpack_limit_address) * 16;
    c->fifo = (uint64_t)CFG_FIELD(section, THCON_SEC0_REG2_Unpack_fifo_size) * 16;
}

/* Columns of the target that take what is written to them (manual SoftReset, "data soft reset"). */
static uint16_t writable_columns(const struct unpack_config *c, uint32_t reset)
{
    uint16_t columns = UINT16_MAX;
    if (LIKELY(!(reset & RESET_OF_COLUMNS)))
        return columns;
    if (c->which == SRC_B)
        return reset & RESET_SRC_B ? 0 : columns;
    if (c->UnpackToDst || (reset & RESET_MATRIX))
        return reset & RESET_MATRIX ? 0 : columns;
    for (unsigned i = 0; i < 4; i++)
        if (reset >> (RESET_SRC_A_COLUMNS + i) & 1)
            columns = (uint16_t)(columns & ~(15u << 4 * i));
    return columns;
}

static void read_modes(struct unpack_config *c, const uint32_t *config, const uint32_t *section)
{
    c->Tileize_mode = CFG_FIELD(section, THCON_SEC0_REG2_Tileize_mode);
    c->Haloize_mode = CFG_FIELD(section, THCON_SEC0_REG2_Haloize_mode);
    c->UpsampleZeroes = (uint8_t)((1u << CFG_FIELD(section, THCON_SEC0_REG2_Upsample_rate)) - 1);
    c->UpsampleInterleave = CFG_FIELD(section, THCON_SEC0_REG2_Upsample_and_interleave);
    c->Throttle_mode = (uint8_t)CFG_FIELD(section, THCON_SEC0_REG2_Throttle_mode);
    /* SEC0's for both: what the page reads. */
    c->ovrd_default_throttle_mode = CFG_FIELD(config, THCON_SEC0_REG1_ovrd_default_throttle_mode);
    c->Unpack_Src_Reg_Set_Upd = CFG_FIELD(section, THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd);
    c->UnpackToDst = c->which == 0 && (c->at.multi ? context_bit(section, 4, c->at.context)
                                                   : CFG_FIELD(section, THCON_SEC0_REG2_Unpack_If_Sel));
    c->Transpose = c->Haloize_mode && c->which == SRC_A && !c->UnpackToDst; /* unpacker 1 ignores it */
    /* OPEN: what UNP1_ADD_DEST_ADDR_CNTR does: the page has output addresses of contexts for unpacker 0 only. */
    c->add_dest_addr_cntr = CFG_FIELD(config, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr);
    c->Dest_cntx = context_half(section, THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, c->at.context);
}

/* Blackhole: what is wider than a byte comes in rows of 32 datums. */
static void read_rows(struct unpack_config *c, const uint32_t *section)
{
    const unsigned Shift_amount = section[THCON_SEC0_REG2_Out_data_format_ADDR32] >>
                                  THCON_SEC0_REG2_Shift_amount_cntx0_SHAMT; /* four times four bits */
    c->datum_bits = (uint8_t)format_bits(c->InDataFormat);
    c->bfp = format_is_bfp(c->InDataFormat);
    c->UnpackRowWidth = c->datum_bits <= 8 ? 16 : 32;
    c->RowStride = c->Tileize_mode ? (Shift_amount & 0xFFFu) * 16 * BITS : (uint32_t)c->datum_bits * c->UnpackRowWidth;
    c->ColShift = (uint8_t)(c->Tileize_mode || c->which == SRC_B ? 0 : Shift_amount >> (c->at.context & 3) * 4 & 15);
}

bool unpack_read_config(const tensix_step *s, const struct op_UNPACR *op, struct unpack_config *c)
{
    const uint32_t *config = unpack_bank_of_config(s);
    c->which = (uint8_t)op->WhichUnpacker;
    const uint32_t *section = config + SECTION * c->which;
    c->at = unpack_choose_context(s, op);
    if (c->at.adc >= TENSIX_THREADS)
        return false;
    c->AllDatumsAreZero = op->AllDatumsAreZero;
    c->srcb_bcast = op->srcb_bcast;
    c->RowSearch = op->RowSearch;
    c->SetOvrdWithAddr = CFG_FIELD(s->t->config, SRCA_SET_SetOvrdWithAddr);
    read_descriptor(c, config, section);
    read_modes(c, config, section);
    read_formats(c, config, section);
    read_base(c, section);
    read_rows(c, section);
    c->columns = writable_columns(c, *s->tile->soft_reset);
    c->dest_access = dst_access(s, config);
    return true;
}

bool unpack_begin(tensix_step *s, const struct op_UNPACR *op, struct unpack_config *c)
{
    if (!unpack_read_config(s, op, c)) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE, "unpacker %u: ContextADC is %u, and there are three threads",
                     c->which, c->at.adc);
        return false;
    }
    return unpack_check_formats(s, c);
}
