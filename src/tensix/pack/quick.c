/* SPDX-License-Identifier: Apache-2.0 */
/* The PACR that kernels execute all the time, in one go: whole rows of Dst, nothing between the two conversions.  It looks
 * whether it is one, and does what pacr.c would; if not, it has changed nothing that pacr.c would not do as well.
 *
 * tests/unit/tensix/pack_rows_test.c compares it with the plain form. */
#include "tensix/pack/counters.h"
#include "tensix/pack/pack.h"
#include "tensix/pack/row.h"

#include "base/bits.h"
#include "hooks/hooks.h"
#include "num/l1_accumulate.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/matrix_unit.h"

#include "cfg_fields.h"

#include <string.h>

enum { ADC_PACKER = ADC_SETS - 1, STRIDE = 8, STRIDE_REMAPPED = 16 };

/* What it reads and how much comes of it. */
struct quick {
    const uint16_t *cells[PACK_INTERFACES];
    unsigned rows, bytes;
};

/* No context, padding, override, ZeroWrite, CtxtCtrl or Flush. */
static bool is_plain_instruction(const struct op_PACR *op)
{
    return !(op->CfgContext | op->RowPadZero | op->ZeroWrite | op->OvrdThreadId | op->CtxtCtrl | op->Flush);
}

/* The words of pack/config.c, of context 0. */
static bool is_planned(const struct tensix_pack_plan *plan, const uint32_t *config)
{
    const uint32_t *words = plan->words;
    return plan->quick &&
           !((words[1] ^ config[ALU_FORMAT_SPEC_REG_Dstacc_val_ADDR32]) |
             (words[2] ^ config[ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32]) |
             (words[3] ^ config[STACC_RELU_ApplyRelu_ADDR32]) | (words[4] ^ config[INT_DESCALE_Enable_ADDR32]) |
             (words[5] ^ config[PCK_DEST_RD_CTRL_Read_32b_data_ADDR32]) |
             (words[6] ^ config[PCK_EDGE_MODE_mode_ADDR32]) |
             (words[7] ^ config[THCON_SEC0_REG1_Out_data_format_ADDR32]) |
             (words[8] ^ config[THCON_SEC0_REG1_Downsample_mask_ADDR32]) |
             (words[9] ^ config[PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32]) |
             config[TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32] |
             CFG_FIELD(config, PCK_EDGE_TILE_FACE_SET_SELECT_enable));
}

bool pack_is_quick(const struct pack_job *job)
{
    const struct tensix_pack_plan *plan = job->plan;
    return job->context == 0 && job->source == PACK_FROM_DST && plan->way != PACK_WAY_NONE && !plan->relu &&
           !plan->threshold && !plan->compress && !plan->stochastic_early &&
           (!plan->accumulate || l1_accumulate_exists(plan->LateToFormat)) && !plan->stochastic_late &&
           plan->downsample == 0xFFFF && CFG_FIELD(job->config, PCK_EDGE_OFFSET_SEC0_mask) == 0xFFFF &&
           (CFG_FIELD(job->config, PCK_EDGE_TILE_ROW_SET_SELECT_select) & 3) == 0 &&
           !CFG_FIELD(job->section, THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel) &&
           !CFG_FIELD(job->config, PACK_COUNTERS_SEC0_pack_yz_transposed) &&
           !CFG_FIELD(job->config, PACK_COUNTERS_SEC0_pack_per_xy_plane);
}

static bool streams_are_ready(const struct tensix_packer *p, const struct tensix_pack_plan *plan)
{
    return p->data.bits == 0 && p->group_count == 0 &&
           (!format_is_bfp(plan->LateToFormat) || p->exponents.bits <= 8 * (PACK_UNIT_BYTES - PACK_INTERFACES));
}

/* What says which rows of Dst are read. */
struct input {
    const struct tensix_files *files;
    uint32_t access; /* of Dst */
    uint32_t Base, Ystride, Zstride, Wstride, offset;
    unsigned shift; /* what the address generator takes for the size of a datum */
    bool exponents; /* come of it */
};

static struct input input_of(const tensix_step *s, const struct tensix_pack_plan *plan, const uint32_t *config)
{
    const unsigned format = plan->LateFromFormat & 3;
    return (struct input){.files = s->tile->files,
                          .access = dst_access(s, config),
                          .Base = CFG_FIELD(config, PCK0_ADDR_BASE_REG_0_Base),
                          .Ystride = CFG_FIELD(config, PCK0_ADDR_CTRL_XY_REG_0_Ystride),
                          .Zstride = CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_0_Zstride),
                          .Wstride = CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_0_Wstride),
                          .offset = CFG_FIELD(config, DEST_TARGET_REG_CFG_PACK_SEC0_Offset) << 4,
                          .shift = format == 0   ? 2
                                   : format == 1 ? 1
                                                 : 0,
                          .exponents = format_is_bfp(plan->LateToFormat)};
}

static inline unsigned start_row(const struct input *in, const struct tensix_adc_channel *adc)
{
    const uint32_t address = in->Base + adc->y * in->Ystride + adc->z * in->Zstride + adc->w * in->Wstride;
    const uint32_t datum = ((address >> in->shift) & ~((16u >> in->shift) - 1)) + in->offset;
    return datum & 0xF ? UINT32_MAX : datum >> 4 & (DST_ROWS - 1);
}

/* adc: channel 0. */
static inline bool find_rows(const struct input *in, const struct tensix_adc_channel *adc, const struct op_PACR *op,
                             const struct tensix_pack_plan *plan, struct quick *q)
{
    const struct tensix_files *files = in->files;
    const uint32_t access = in->access;
    const unsigned start = start_row(in, adc);
    const unsigned mask = op->ReadIntfSel ? op->ReadIntfSel : 0xF;
    const unsigned remapped = access & DEST_ACCESS_CFG_remap_addrs_MASK ? STRIDE_REMAPPED : STRIDE;
    const unsigned apart = op->DstAccessMode ? remapped : 1;
    if (start >= DST_ROWS || (apart == 1 && mask << (start & 3) > 0xF) || start + 3 * apart >= DST_ROWS + 3)
        return false;
    q->rows = 0;
    if (LIKELY(mask == 0xF && apart == 1)) { /* an aligned block of four, which stand together */
        const unsigned r = plan->Read_32b_data ? dst_row32(access, start) : dst_row16(access, start);
        if ((files->dst_row_undefined[r / 32] >> r % 32 & 0xF) != 0)
            return false;
        for (; q->rows < PACK_INTERFACES; q->rows++)
            q->cells[q->rows] = files->DstBits[r + q->rows];
    } else {
        for (unsigned i = 0; i < PACK_INTERFACES; i++) {
            if (!(mask >> i & 1))
                continue;
            const unsigned row = start + i * apart;
            const unsigned r = plan->Read_32b_data ? dst_row32(access, row) : dst_row16(access, row);
            if (row >= DST_ROWS || !dst_row_valid(files, r))
                return false;
            q->cells[q->rows++] = files->DstBits[r];
        }
    }
    q->bytes = 2 * format_bits(plan->LateToFormat) * q->rows;
    return q->bytes % PACK_UNIT_BYTES == 0;
}

/* Sixteen of them go to L1. */
static bool fills_exponents(const struct tensix_packer *p, const struct quick *q)
{
    return p->exponents.bits + 8 * q->rows == 8 * PACK_UNIT_BYTES && format_is_bfp(p->plan.LateToFormat);
}

/* For checks. */
static inline void tell_row(const tensix_step *s, const struct tensix_pack_plan *plan, const uint16_t *cells)
{
    if (CHECKED(s->tile)) {
        const unsigned row = (unsigned)((cells - s->tile->files->DstBits[0]) / DST_COLUMNS);
        hook_dst_bits(s->tile, row, 1, CHECK_READ);
        if (plan->Read_32b_data)
            hook_dst_bits(s->tile, row + DST_LOW_HALF, 1, CHECK_READ);
    }
}

static void write_rows(tensix_step *s, struct pack_job *job, const struct quick *q)
{
    struct tensix_packer *p = &s->tx->packer;
    uint8_t bytes[4 * ROW_DATUMS * PACK_INTERFACES], exponents[PACK_INTERFACES];
    pack_way_rows((enum pack_way)p->plan.way, format_bits(p->plan.LateToFormat), q->rows, bytes, exponents, q->cells,
                  DST_LOW_HALF * DST_COLUMNS);
    if (p->plan.accumulate) {
        hook_l1(s->tile, p->data.address, q->bytes, CHECK_READ);
        l1_accumulate_row(p->plan.LateToFormat, s->tile->l1 + p->data.address, bytes, q->bytes);
    }
    s->tx->yield |= s->tile->l1_write(s->tile->owner, p->data.address, bytes, q->bytes, s->cycle);
    p->data.address += q->bytes;
    p->datums += q->rows * ROW_DATUMS;
    if (!format_is_bfp(p->plan.LateToFormat))
        return;
    if (fills_exponents(p, q)) {
        pack_put_bytes(job, &p->exponents, exponents, q->rows);
    } else {
        memcpy(p->exponents.buffer + p->exponents.bits / 8, exponents, q->rows);
        p->exponents.bits = (uint8_t)(p->exponents.bits + 8 * q->rows);
    }
}

/* The job of pacr.c, as far as the start and the end of a tile look at it. */
static void job_of(struct pack_job *job, tensix_step *s, const uint32_t *config, bool last)
{
    struct tensix_packer *p = &s->tx->packer;
    job->s = s;
    job->packer = p;
    job->config = job->section = config;
    job->context = 0;
    job->thread_adc = s->thread;
    job->last = last;
    job->plan = &p->plan;
    job->conversion.LateToFormat = p->plan.LateToFormat;
    job->units = 0;
    job->overrun = false;
}

/* What is written stays within L1, that which a stream still holds as well. */
static bool fits(const tensix_step *s, const struct tensix_packer *p, unsigned bytes)
{
    const uint32_t size = s->tile->l1_size;
    return (uint64_t)p->data.address + bytes <= size &&
           (!format_is_bfp(p->plan.LateToFormat) || (uint64_t)p->exponents.address + PACK_UNIT_BYTES <= size);
}

static void step_position(uint8_t *position, uint8_t *plane, const uint32_t *config, unsigned rows)
{
    *position = (uint8_t)(*position + rows);
    if (*position == CFG_FIELD(config, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane)) {
        *position = 0;
        ++*plane;
    }
}

/* What a PACR by itself does not change. */
static bool is_quick_now(const tensix_step *s, const uint32_t *config)
{
    const struct tensix *tx = s->tx;
    const struct tensix_adc_channel *adc = s->t->adc[ADC_PACKER];
    return is_planned(&tx->packer.plan, config) && streams_are_ready(&tx->packer, &tx->packer.plan) && adc[0].x == 0 &&
           adc[1].x == ROW_DATUMS - 1 && s->cycle - tx->matrix.written >= COST_DST_BLOCK &&
           !(CFG_FIELD(tx->thread[0].config, ENABLE_ACC_STATS_Enable) |
             CFG_FIELD(tx->thread[1].config, ENABLE_ACC_STATS_Enable) |
             CFG_FIELD(tx->thread[2].config, ENABLE_ACC_STATS_Enable));
}

static bool starts_tile(const struct tensix_packer *p)
{
    return !p->data.open || (!p->exponents.open && (p->plan.LateToFormat & OUT_HAS_EXPONENTS));
}

bool pack_quick(tensix_step *s, const struct op_PACR *op)
{
    struct tensix *tx = s->tx;
    struct tensix_packer *p = &tx->packer;
    const uint32_t *config = tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
    struct tensix_adc_channel *adc = s->t->adc[ADC_PACKER];
    struct quick q;
    if (!is_plain_instruction(op) || !is_quick_now(s, config))
        return false;
    const struct input in = input_of(s, &p->plan, config);
    if (!find_rows(&in, &adc[0], op, &p->plan, &q) || pack_raises_max_exponent(p, q.cells[0]))
        return false;
    struct pack_job job; /* if a tile starts or ends, or 16 exponents are there */
    const bool starts = starts_tile(p);
    if (starts || op->Last || fills_exponents(p, &q))
        job_of(&job, s, config, op->Last);
    else
        job.units = 0;
    if (starts)
        pack_output_open(&job);
    if (!fits(s, p, q.bytes))
        return false;
    for (unsigned i = 0; i < q.rows; i++)
        tell_row(s, &p->plan, q.cells[i]);
    write_rows(s, &job, &q);
    if (op->Last)
        p->tile_position = p->tile_plane = 0;
    else
        step_position(&p->tile_position, &p->tile_plane, config, q.rows);
    if (op->Last)
        pack_output_close(&job);
    const uint16_t mod = s->t->config[ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32 + op->AddrMod];
    pack_advance_source(&adc[0], mod);
    pack_advance_destination(&adc[1], mod);
    s->issue = (q.bytes / PACK_UNIT_BYTES + job.units + COST_PACK_WRITES - 1) / COST_PACK_WRITES *
               (p->plan.accumulate ? COST_PACK_ADD : 1);
    s->latency = s->issue + COST_PACK_PIPELINE;
    s->tx->data_cycles[1] += s->issue;
    return true;
}

#include "tensix/pack/quick_rows.h"
