/* SPDX-License-Identifier: Apache-2.0 */
/* The UNPACR that kernels execute all the time, in one go: whole rows of 16 that follow each other in the output, nothing but
 * the conversion on the way.  What configuration says about it is kept (struct tensix_unpack_plan) as long as the words that it comes
 * from stay the same; addresses are found anew each time.  If it is not one, nothing has changed, and regular.c does it.
 *
 * tests/unit/tensix/unpack_rows_test.c compares the two. */
#include "tensix_units.h" /* before the names of registers */

#include "tensix/unpack/unpack.h"

#include "tensix/unpack/write.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "tensix/regs/matrix_unit.h"

#include <string.h>

enum { SECTION = 48, X_BYTES = 8192 };
#define IS_PLAN (UINT32_C(1) << 31)

/* ---- The plan ---------------------------------------------------------------------------------------------------- */

/* The words that follow each other: REG0, REG2 and REG5 of the section. */
static const uint8_t fours[] = {THCON_SEC0_REG0_TileDescriptor_ADDR32, THCON_SEC0_REG2_Out_data_format_ADDR32,
                                THCON_SEC0_REG5_Dest_cntx0_address_ADDR32};
enum { FOURS = sizeof fours };
_Static_assert(THCON_SEC0_REG2_Unpack_fifo_size_ADDR32 == THCON_SEC0_REG2_Out_data_format_ADDR32 + 3, "REG2");
_Static_assert(THCON_SEC0_REG5_Tile_x_dim_cntx2_ADDR32 == THCON_SEC0_REG5_Dest_cntx0_address_ADDR32 + 3, "REG5");

/* All other words that config.c reads, but for base addresses, which a plan leaves out, and the starts of blobs. */
struct others {
    uint32_t word[UNPACK_PLAN_WORDS - 4 * FOURS];
};
static inline struct others others_of(const tensix_step *s, const uint32_t *config, unsigned which,
                                      struct unpack_context at)
{
    const uint32_t *section = config + SECTION * which;
    return (struct others){
        {IS_PLAN | (uint32_t)at.multi << 16 | (uint32_t)at.adc << 8 | at.context,
         section[THCON_SEC0_REG7_Offset_address_ADDR32 + (at.context & 3)],
         section[THCON_SEC0_REG1_Unp_LF8_4b_exp_ADDR32] & THCON_SEC0_REG1_Unp_LF8_4b_exp_MASK,
         config[THCON_SEC0_REG1_ovrd_default_throttle_mode_ADDR32] & THCON_SEC0_REG1_ovrd_default_throttle_mode_MASK,
         config[ALU_FORMAT_SPEC_REG0_SrcAUnsigned_ADDR32], config[UNP0_FORCED_SHARED_EXP_shared_exp_ADDR32],
         config[UNP1_FORCED_SHARED_EXP_shared_exp_ADDR32], s->t->config[SRCA_SET_SetOvrdWithAddr_ADDR32]}};
}

static bool is_planned(const struct tensix_unpack_plan *plan, const uint32_t *section, const struct others *others)
{
    uint32_t differ = 0;
    for (unsigned i = 0; i < FOURS; i++)
        differ |= memcmp(plan->words + 4 * i, section + fours[i], 4 * sizeof *section) != 0;
    return !differ && memcmp(plan->words + 4 * FOURS, others, sizeof *others) == 0;
}

/* Nothing that a fault would tell of, nothing that rows.c would do row by row. */
static bool is_quick(const struct unpack_config *c, const struct unpack_job *job)
{
    return job->IsUncompressed && job->UpsampleZeroes == 0 && job->ColShift == 0 && !job->Transpose && job->fifo == 0 &&
           c->XDim != 0 && c->YDim != 0 && c->conversion.OutDataFormat == c->OutDataFormat &&
           unpack_pair_has_meaning(c->conversion) && unpack_target_of(c->conversion) != UNPACK_TO_DST16 &&
           !(c->UnpackToDst && (c->SetOvrdWithAddr || c->Haloize_mode)) && !(c->Tileize_mode && job->datum_bits < 8) &&
           !(c->which == SRC_B && c->multi && c->context >= 2);
}

void unpack_plan(const tensix_step *s, const struct unpack_config *c, const struct unpack_job *job)
{
    struct tensix_unpack_plan *plan = &s->tx->unpacker[c->which].plan;
    const uint32_t *config = unpack_bank_of_config(s), *section = config + SECTION * c->which;
    const struct unpack_pace pace = unpack_pace_of(c, job);
    const struct unpack_sections at = unpack_find_sections(c);
    const struct unpack_context context = {.context = c->context, .adc = c->adc, .multi = c->multi};
    const struct others others = others_of(s, config, c->which, context);
    plan->words[4 * FOURS] = 0;
    if (!is_quick(c, job) || at.datums - c->InAddr > UINT32_MAX)
        return;
    *plan = (struct tensix_unpack_plan){
        .datums = (uint32_t)(at.datums - c->InAddr),
        .stride = (uint32_t)(job->RowStride / BITS),
        .XDim = c->XDim,
        .YDim = c->YDim,
        .ZDim = c->ZDim,
        .header = (uint16_t)(1 + CFG_FIELD(section, THCON_SEC0_REG0_TileDescriptor_DigestSize)),
        .Dest_cntx = (uint16_t)c->Dest_cntx,
        .InDataFormat = c->InDataFormat,
        .OutDataFormat = c->OutDataFormat,
        .Int8MeansUnsigned = c->conversion.Int8MeansUnsigned,
        .Exponent4b = c->conversion.Exponent4b,
        .shared_exp = c->shared_exp,
        .Force_shared_exp = c->Force_shared_exp,
        .UnpackToDst = c->UnpackToDst,
        .SetOvrdWithAddr = c->SetOvrdWithAddr,
        .Unpack_Src_Reg_Set_Upd = c->Unpack_Src_Reg_Set_Upd,
        .counted_output = !c->multi || c->which != SRC_A || c->UnpackToDst || c->add_dest_addr_cntr,
        .context_output = c->multi && c->which == SRC_A,
        .gaps = c->Tileize_mode,
        .pace_log2 = (uint8_t)pace.log2,
        .narrow = pace.narrow,
        .burst_rows = (uint8_t)(c->which == SRC_A && !c->UnpackToDst ? unpack_burst_rows(c, job) : 1),
    };
    for (unsigned i = 0; i < FOURS; i++)
        memcpy(plan->words + 4 * i, section + fours[i], 4 * sizeof *section);
    memcpy(plan->words + 4 * FOURS, &others, sizeof others);
}

bool unpack_plan_is_sane(const struct tensix_unpack_plan *plan)
{
    return plan->InDataFormat < 16 && plan->OutDataFormat < 16 && plan->pace_log2 < 32 &&
           (plan->words[4 * FOURS] == 0 || unpack_pair_has_meaning(unpack_conversion_of(plan)));
}

/* ---- One instruction ------------------------------------------------------------------------------------------------ */

/* What it moves. */
struct quick {
    const uint8_t *datums, *exponents;
    uint32_t rows;
    uint32_t place; /* in the output */
};

static inline bool find_input(const tensix_step *s, const struct unpack_look *look, struct quick *q)
{
    const struct tensix_unpack_plan *plan = look->plan;
    const struct tensix_adc_channel *xy = look->xy, *zw = look->zw;
    const uint32_t bits = look->bits, x = xy[0].x, end = xy[1].x + 1, y = xy[0].y & ADC_INPUT_MASK;
    const uint32_t plane = (zw[0].w & (uint32_t)ADC_INPUT_MASK) * plan->ZDim + (zw[0].z & ADC_INPUT_MASK);
    const uint64_t first = (uint64_t)(plane * plan->YDim + y) * plan->XDim + x, size = s->tile->l1_size;
    if (x >= end || end > look->most || ((end - x) | first) % ROW_DATUMS != 0)
        return false;
    const uint64_t from = look->datums + first * bits / BITS;
    const uint32_t row_bytes = bits * ROW_DATUMS / BITS;
    q->rows = (end - x) / ROW_DATUMS;
    uint64_t bytes = (uint64_t)q->rows * row_bytes;
    if (plan->gaps) {
        if (q->rows % look->width != 0)
            return false;
        bytes = (uint64_t)(q->rows / look->width - 1) * plan->stride + (uint64_t)look->width * row_bytes;
    }
    if (from > size || from + bytes > size)
        return false;
    q->datums = s->tile->l1 + from;
    q->exponents = &plan->shared_exp;
    if (look->exponents == UINT64_MAX)
        return true;
    const uint64_t exponents = look->exponents + first / EXPONENT_SHARES;
    q->exponents = s->tile->l1 + exponents;
    return exponents + q->rows <= size;
}

static inline bool find_output(const tensix_step *s, const struct unpack_look *look, struct quick *q)
{
    const struct tensix_unpack_plan *plan = look->plan;
    const struct tensix_adc_channel *out = &look->zw[1];
    const unsigned which = look->block.which;
    uint32_t address = look->out + out->y * look->out_y + out->z * look->out_z + out->w * look->out_w;
    if (address & ((1u << look->out_shift) - 1))
        return false;
    address = plan->counted_output ? address >> look->out_shift : 0;
    address += plan->context_output ? plan->Dest_cntx : 0;
    uint32_t row = address / SRC_COLUMNS;
    const uint32_t SrcRow = s->tx->src[which].unpacker_row[s->thread];
    if (address % SRC_COLUMNS != 0)
        return false;
    if (which == SRC_B) {
        q->place = (row + SrcRow) % SRC_ROWS;
        return q->rows <= SRC_ROWS - q->place;
    }
    row -= UNPACKER0_SKIPS;
    if (plan->UnpackToDst) {
        q->place = row % DST_ROWS;
        return q->rows <= DST_ROWS - q->place;
    }
    q->place = plan->SetOvrdWithAddr ? row % SRC_ROWS : row + SrcRow;
    if (address < UNPACKER0_SKIPS * SRC_COLUMNS || (q->rows > 1 && (row & (plan->burst_rows - 1u)) != 0) ||
        (!plan->SetOvrdWithAddr && (row >= SRCA_SET_ROWS || q->rows > SRCA_SET_ROWS - row)))
        return false;
    return q->place < SRC_ROWS && q->rows <= SRC_ROWS - q->place;
}

/* For checks. */
static void tell(const tensix_step *s, unsigned which, const struct tensix_unpack_plan *plan, const uint32_t *config,
                 const struct quick *q)
{
    const uint32_t bits = format_bits(plan->InDataFormat), width = bits <= 8 ? 1 : 2;
    const uint32_t step = plan->gaps ? width : q->rows, bytes = step * bits * (uint32_t)ROW_DATUMS / BITS;
    uint64_t at = (uint64_t)(q->datums - s->tile->l1);
    for (uint32_t i = 0; i < q->rows; i += step, at += plan->stride)
        hook_l1(s->tile, at, bytes, CHECK_READ);
    if (q->exponents != &plan->shared_exp)
        hook_l1(s->tile, (uint64_t)(q->exponents - s->tile->l1), q->rows, CHECK_READ);
    if (plan->UnpackToDst)
        hook_dst(s->tile,
                 (struct check_rows){.access = dst_access(s, config),
                                     .row = (uint16_t)q->place,
                                     .rows = (uint16_t)q->rows,
                                     .step = 1,
                                     .wide = true},
                 CHECK_WRITE);
    else
        hook_src(s->tile, which, s->tx->src[which].unpacker_bank, q->place, q->rows, CHECK_WRITE);
}

static struct unpack_block block_of(const tensix_step *s, unsigned which, const struct tensix_unpack_plan *plan,
                                    const uint32_t *config)
{
    const uint32_t bits = format_bits(plan->InDataFormat);
    const bool pairs = plan->gaps && bits > 8 && !plan->UnpackToDst;
    return (struct unpack_block){
        .conversion = unpack_conversion_of(plan),
        .which = (uint8_t)which,
        .exponent_step = format_is_bfp(plan->InDataFormat) && !plan->Force_shared_exp,
        .pair_gap = pairs ? (int32_t)(plan->stride - 2 * ROW_DATUMS * bits / BITS) : 0,
        .dest_access = plan->UnpackToDst ? dst_access(s, config) : 0,
    };
}

static inline void convert(const tensix_step *s, struct unpack_look *look, const struct quick *q)
{
    const struct tensix_unpack_plan *plan = look->plan;
    struct unpack_block *block = &look->block;
    struct tensix_files *files = s->tile->files;
    block->bank = s->tx->src[block->which].unpacker_bank;
    if (LIKELY(!(plan->gaps && (look->width == 1 || plan->UnpackToDst)))) {
        unpack_convert_block(block, files, q->place, q->rows, q->datums, q->exponents);
        return;
    }
    const uint8_t *datums = q->datums;
    for (uint32_t i = 0; i < q->rows; i += look->width, datums += plan->stride)
        unpack_convert_block(block, files, q->place + i, look->width, datums, q->exponents + i * block->exponent_step);
}

/* Where the tile is in L1. */
static void look_at_input(struct unpack_look *look, const tensix_step *s, const uint32_t *section,
                          struct unpack_context at)
{
    const struct tensix_unpack_plan *plan = look->plan;
    const uint64_t base = section[THCON_SEC0_REG3_Base_address_ADDR32 + at.context];
    const uint64_t offset = section[THCON_SEC0_REG7_Offset_address_ADDR32 + (at.context & 3)] & 0xFFFF;
    const uint64_t tile = (base + offset + plan->header) * UNPACK_TILE_HEADER;
    const uint32_t bits = format_bits(plan->InDataFormat);
    look->xy = s->tx->thread[at.adc].adc[look->block.which];
    look->zw = s->t->adc[look->block.which];
    look->datums = tile + plan->datums;
    look->exponents = format_is_bfp(plan->InDataFormat) && !plan->Force_shared_exp ? tile : UINT64_MAX;
    look->most = X_BYTES >> (bits == 32 ? 2 : bits == 16);
    look->bits = (uint8_t)bits;
    look->width = bits <= 8 ? 1 : 2;
}

/* How the output is addressed. */
static void look_at_output(struct unpack_look *look, const uint32_t *config)
{
    const unsigned which = look->block.which, bits = format_bits(look->plan->OutDataFormat);
    const uint32_t *strides = config + 2 * which;
    look->out_shift = (uint8_t)(bits == 32 ? 2 : bits == 16);
    look->out = which ? CFG_FIELD(config, UNP1_ADDR_BASE_REG_1_Base) : CFG_FIELD(config, UNP0_ADDR_BASE_REG_1_Base);
    look->out_y = CFG_FIELD(strides, UNP0_ADDR_CTRL_XY_REG_1_Ystride);
    look->out_z = CFG_FIELD(strides, UNP0_ADDR_CTRL_ZW_REG_1_Zstride);
    look->out_w = CFG_FIELD(strides, UNP0_ADDR_CTRL_ZW_REG_1_Wstride);
}

bool unpack_look(const tensix_step *s, const struct op_UNPACR *op, struct unpack_look *look)
{
    const unsigned which = op->WhichUnpacker;
    const struct tensix_unpack_plan *plan = &s->tx->unpacker[which].plan;
    const uint32_t *config = s->tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
    const uint32_t *section = config + SECTION * which;
    if ((op->RowSearch | op->AllDatumsAreZero | op->srcb_bcast) || *s->tile->soft_reset & RESET_OF_COLUMNS)
        return false;
    const struct unpack_context at = unpack_choose_context(s, op);
    if (at.adc >= TENSIX_THREADS)
        return false;
    const struct others others = others_of(s, config, which, at);
    if (!is_planned(plan, section, &others))
        return false;
    look->config = config;
    look->plan = plan;
    look->block = block_of(s, which, plan, config);
    look_at_input(look, s, section, at);
    look_at_output(look, config);
    look->done = (struct unpack_done){.at = at,
                                      .narrow = plan->narrow,
                                      .Unpack_Src_Reg_Set_Upd = plan->Unpack_Src_Reg_Set_Upd,
                                      .UnpackToDst = plan->UnpackToDst,
                                      .OutDataFormat = plan->OutDataFormat};
    return true;
}

bool unpack_move(const tensix_step *s, struct unpack_look *look)
{
    const struct tensix_unpack_plan *plan = look->plan;
    struct quick q;
    if (!find_input(s, look, &q) || !find_output(s, look, &q))
        return false;
    if (CHECKED(s->tile))
        tell(s, look->block.which, plan, look->config, &q);
    convert(s, look, &q);
    const uint32_t datums = q.rows * (uint32_t)ROW_DATUMS;
    look->done.cycles = unpack_data_cycles(plan->pace_log2, look->bits, datums, datums);
    return true;
}

bool unpack_quick(tensix_step *s, const struct op_UNPACR *op, struct unpack_done *done)
{
    struct unpack_look look;
    if (!unpack_look(s, op, &look) || !unpack_move(s, &look))
        return false;
    *done = look.done;
    return true;
}
