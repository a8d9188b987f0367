/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Unit (FPU): rows between SrcA, SrcB and Dst.  Manual WormholeB0 MOVA2D, MOVB2D, MOVD2B (545c98a3), MOVD2A
 * (ff52140f), MOVB2A (1ae1f852), MOVDBGA2D (0f3f6b70), in Blackhole's encodings.  docs/errata-tensix.md has where cards and
 * production kernels say otherwise.
 *
 * What blocked columns (LaneConfig.BLOCK_DEST_MOV) of an undefined row of Dst hold after the rest of it was written is not
 * documented; here they are zero. */
#include "tensix_units.h"

#include "tensix/regs/matrix_unit.h"
#include "tensix/regs/rwc.h"

#define PAGE(name) "WormholeB0 TensixCoprocessor/" name

enum { FORMAT_CODE_TF32 = 4, ALL_CELL_BITS = (1 << SRC_CELL_BITS) - 1 };

/* The first of `rows` rows from `row` on, which are a power of two and aligned to their number. */
static unsigned aligned(unsigned row, unsigned rows, unsigned file_rows)
{
    return row & (file_rows - rows);
}

/* TruncateSrc: what a cell of this format can hold. */
static uint32_t cell_mask(unsigned format)
{
    switch (src_style_of(format)) {
    case SRC_STYLE_BF16: return ALL_CELL_BITS & ~0x700u; /* without the low three bits of the mantissa */
    case SRC_STYLE_FP16: return ALL_CELL_BITS & ~0xE0u;  /* without the high three bits of the exponent */
    default: return ALL_CELL_BITS;
    }
}

/* FlushDenormals and TruncateSrc. */
static void read_cells(uint32_t cells[SRC_COLUMNS], const uint32_t row[SRC_COLUMNS], bool flush, uint32_t mask)
{
    for (unsigned i = 0; i < SRC_COLUMNS; i++)
        cells[i] = (flush ? src_flushed(row[i]) : row[i]) & mask;
}

/* ---- Src to Dst ---------------------------------------------------------------------------------------------- */

typedef struct to_dst {
    const uint32_t *config;
    unsigned src_row, dst_row, rows;
    unsigned src_step; /* 0: one row for all */
    unsigned format;   /* SrcAFmt */
    uint32_t mask;     /* TruncateSrc */
    bool low;          /* UseDst32bLo */
    bool column0;      /* of Src in all columns of Dst */
} to_dst;

static void write16(struct tensix_files *files, uint32_t access, unsigned row, const uint16_t values[DST_COLUMNS],
                    uint32_t blocked)
{
    if (LIKELY(blocked == 0)) {
        dst_write16(files, access, row, values);
        return;
    }
    uint16_t *bits = dst_open16(files, access, row);
    for (unsigned i = 0; i < DST_COLUMNS; i++)
        if (!(blocked >> i & 1))
            bits[i] = values[i];
}

static void write32(struct tensix_files *files, uint32_t access, unsigned row, const uint32_t values[DST_COLUMNS],
                    uint32_t blocked)
{
    if (LIKELY(blocked == 0)) {
        dst_write32(files, access, row, values);
        return;
    }
    uint16_t *high = dst_open32(files, access, row), *low = high + DST_LOW_HALF * DST_COLUMNS;
    for (unsigned i = 0; i < DST_COLUMNS; i++) {
        if (!(blocked >> i & 1)) {
            high[i] = (uint16_t)(values[i] >> 16);
            low[i] = (uint16_t)values[i];
        }
    }
}

static void write32_low(struct tensix_files *files, uint32_t access, unsigned row, const uint16_t values[DST_COLUMNS],
                        uint32_t blocked)
{
    uint16_t *low = dst_open32(files, access, row) + DST_LOW_HALF * DST_COLUMNS;
    for (unsigned i = 0; i < DST_COLUMNS; i++)
        if (!(blocked >> i & 1))
            low[i] = values[i];
}

static void move_to_dst(const tensix_step *s, const to_dst *m, src_row *src)
{
    struct tensix_files *files = tile_tensix_files(s->tile);
    const uint32_t access = dst_access(s, m->config), blocked = matrix_blocked_columns(&files->vector);
    const bool flush = !CFG_FIELD(m->config, ALU_ACC_CTRL_Zero_Flag_disabled_src);
    const bool Use8bExponent =
        !CFG_FIELD(s->t->config, FP16A_FORCE_Enable) && src_style_of(m->format) != SRC_STYLE_FP16;
    for (unsigned i = 0; i < m->rows; i++) {
        uint32_t cells[SRC_COLUMNS], wide[DST_COLUMNS];
        uint16_t values[DST_COLUMNS];
        read_cells(cells, src[m->src_row + i * m->src_step], flush, m->mask);
        if (m->column0)
            for (unsigned c = 1; c < SRC_COLUMNS; c++)
                cells[c] = cells[0];
        if (Use8bExponent)
            for (unsigned c = 0; c < SRC_COLUMNS; c++)
                values[c] = dst16_from_src_bf16(cells[c]);
        else
            for (unsigned c = 0; c < SRC_COLUMNS; c++)
                values[c] = dst16_from_src_fp16(cells[c]);
        if (m->format == FORMAT_CODE_TF32) {
            for (unsigned c = 0; c < SRC_COLUMNS; c++)
                wide[c] = (uint32_t)values[c] << 16 | (cells[c] >> 8 & 7) << 13;
            write32(files, access, m->dst_row + i, wide, blocked);
        } else if (m->low) {
            write32_low(files, access, m->dst_row + i, values, blocked);
        } else {
            write16(files, access, m->dst_row + i, values, blocked);
        }
    }
}

/* Erratum TEN-4245: TF32 into the low half.  Kernels of the vendor say that nothing is written then
 * (llk_math_eltwise_unary_datacopy.h) and switch Fp32_enabled off around such moves. */
static step_result to_dst_undefined(tensix_step *s, const char *page, const char *name)
{
    return tensix_fault(s, KERR_FAULT_UNDEFINED, page,
                        "%s with UseDst32bLo and SrcAFmt TF32%s: erratum TEN-4245, the data is lost", name,
                        CFG_FIELD(step_config(s), ALU_ACC_CTRL_Fp32_enabled) ? " (as ALU_ACC_CTRL_Fp32_enabled has it)"
                                                                             : "")
               ? STEP_FAULTED
               : STEP_RETIRED;
}

/* On Blackhole SrcAFmt of these moves is TF32 while ALU_ACC_CTRL_Fp32_enabled is set. */
static unsigned widened(const uint32_t *config, unsigned format)
{
    return CFG_FIELD(config, ALU_ACC_CTRL_Fp32_enabled) ? FORMAT_CODE_TF32 : format;
}

/* MOVA2D and MOVDBGA2D.  A card moves an aligned block of four rows where one is asked for and AddrMod is odd. */
static step_result mova2d(tensix_step *s, const struct op_MOVA2D *op, const char *page, const char *name)
{
    const uint32_t *config = step_config(s);
    const unsigned rows = op->Move8Rows ? 8 : op->AddrMod & 1 ? 4 : 1;
    const unsigned SrcRow = op->SrcRow + s->t->rwc.src_a;
    const to_dst m = {
        .config = config,
        .src_row = aligned(SrcRow, rows, SRC_ROWS),
        .dst_row = aligned(matrix_dst_row(s, config, op->DstRow), rows, DST_ROWS),
        .rows = rows,
        .src_step = 1,
        .format = widened(config, src_format(s, config, SRC_A)),
        .mask = ALL_CELL_BITS,
        .low = op->UseDst32bLo,
    };
    matrix_used_srca_row(s->tx, SrcRow);
    if (UNLIKELY(m.low && m.format == FORMAT_CODE_TF32)) {
        if (to_dst_undefined(s, page, name) == STEP_FAULTED)
            return STEP_FAULTED;
    } else {
        move_to_dst(s, &m, src_matrix_rows(tile_tensix_files(s->tile), s->tx, SRC_A));
    }
    rwc_apply_addr_mod(s->t, op->AddrMod);
    return STEP_RETIRED;
}

step_result matrix_MOVA2D(tensix_step *s, const struct op_MOVA2D *op)
{
    if (matrix_held(s) || src_matrix_waits(s, SRC_A))
        return STEP_STALLED;
    return mova2d(s, op, PAGE("MOVA2D"), "MOVA2D");
}

/* MOVA2D that does not wait for its bank. */
step_result matrix_MOVDBGA2D(tensix_step *s, const struct op_MOVDBGA2D *op)
{
    if (matrix_held(s))
        return STEP_STALLED;
    const struct op_MOVA2D move = {.UseDst32bLo = op->UseDst32bLo,
                                   .SrcRow = op->SrcRow,
                                   .AddrMod = op->AddrMod,
                                   .Move8Rows = op->Move8Rows,
                                   .DstRow = op->DstRow};
    return mova2d(s, &move, PAGE("MOVDBGA2D"), "MOVDBGA2D");
}

/* SrcAFmt of MOVB2D and MOVD2B: "not a documentation typo" (manual).  With implied formats it is that of the SrcB bank; the
 * bit that says so is SrcA's, by which kernels switch it (llk_math_transpose_dest.h), where the manual has SrcB's. */
static unsigned srca_format_of_srcb(const tensix_step *s, const uint32_t *config)
{
    return src_format_is_implied(s->t, SRC_A) ? src_implied_format(s, SRC_B) : src_configured_format(config, SRC_A);
}

step_result matrix_MOVB2D(tensix_step *s, const struct op_MOVB2D *op)
{
    if (matrix_held(s) || src_matrix_waits(s, SRC_B))
        return STEP_STALLED;
    const uint32_t *config = step_config(s);
    const unsigned rows = op->Broadcast1RowTo8 ? 8 : op->Move4Rows ? 4 : 1;
    const unsigned SrcRow = op->SrcRow + s->t->rwc.src_b;
    const to_dst m = {
        .config = config,
        .src_row = aligned(SrcRow, op->Broadcast1RowTo8 ? 1 : rows, SRC_ROWS),
        .dst_row = aligned(matrix_dst_row(s, config, op->DstRow), rows, DST_ROWS),
        .rows = rows,
        .src_step = !op->Broadcast1RowTo8,
        .format = widened(config, srca_format_of_srcb(s, config)),
        .mask = cell_mask(src_format(s, config, SRC_B)),
        .low = op->UseDst32bLo,
        .column0 = op->BroadcastCol0,
    };
    matrix_used_srca_row(s->tx, s->t->rwc.src_a);
    if (UNLIKELY(m.low && m.format == FORMAT_CODE_TF32)) {
        if (to_dst_undefined(s, PAGE("MOVB2D"), "MOVB2D") == STEP_FAULTED)
            return STEP_FAULTED;
    } else {
        move_to_dst(s, &m, src_matrix_rows(tile_tensix_files(s->tile), s->tx, SRC_B));
    }
    rwc_apply_addr_mod(s->t, op->AddrMod);
    return STEP_RETIRED;
}

/* ---- Dst to Src ---------------------------------------------------------------------------------------------- */

static void write_cells(uint32_t row[SRC_COLUMNS], const uint32_t cells[SRC_COLUMNS], uint32_t blocked)
{
    if (LIKELY(blocked == 0)) {
        memcpy(row, cells, sizeof(src_row));
        return;
    }
    for (unsigned i = 0; i < SRC_COLUMNS; i++)
        if (!(blocked >> i & 1))
            row[i] = cells[i];
}

/* 32-bit data of Dst as cells. */
static void cells_from_32b(uint32_t cells[SRC_COLUMNS], const uint32_t values[DST_COLUMNS], enum src_style style,
                           bool low)
{
    const unsigned half = low ? 0 : 16;
    if (style == SRC_STYLE_BF16)
        for (unsigned i = 0; i < SRC_COLUMNS; i++)
            cells[i] = src_from_dst16_bf16(values[i] >> half & 0xFFFF);
    else if (style == SRC_STYLE_FP16)
        for (unsigned i = 0; i < SRC_COLUMNS; i++)
            cells[i] = src_from_dst16_fp16(values[i] >> half & 0xFFFF);
    else if (!low)
        for (unsigned i = 0; i < SRC_COLUMNS; i++)
            cells[i] = src_from_dst32_tf32(values[i]);
    else /* the bits that TF32 has no place for */
        for (unsigned i = 0; i < SRC_COLUMNS; i++)
            cells[i] = values[i] & 0x1FFF;
}

typedef struct to_src {
    unsigned which;  /* SRC_A, SRC_B */
    unsigned format; /* SrcAFmt */
    unsigned src_row, dst_row, rows;
    bool low; /* UseDst32bLo */
} to_src;

/* Dst16b is too narrow for TF32 and has no low half: undefined, and no document says what comes of it.  Going on, TF32 is
 * taken as BF16 and UseDst32bLo is ignored. */
static bool to_src_undefined(tensix_step *s, const to_src *m, enum src_style style)
{
    const char *page = m->which == SRC_A ? PAGE("MOVD2A") : PAGE("MOVD2B");
    return tensix_fault(s, KERR_FAULT_UNDEFINED, page, "%s with %s from a Dst of 16 bits (ALU_ACC_CTRL_Fp32_enabled 0)",
                        m->which == SRC_A ? "MOVD2A" : "MOVD2B",
                        style == SRC_STYLE_TF32 ? "SrcAFmt TF32" : "UseDst32bLo");
}

static step_result move_to_src(tensix_step *s, const uint32_t *config, const to_src *m)
{
    struct tensix_files *files = tile_tensix_files(s->tile);
    const uint32_t access = dst_access(s, config), blocked = matrix_blocked_columns(&files->vector);
    const bool forced = CFG_FIELD(s->t->config, FP16A_FORCE_Enable), wide = !forced && matrix_dst_is_32b(config);
    const enum src_style style = forced ? SRC_STYLE_FP16 : src_style_of(m->format);
    if (UNLIKELY(!wide && (m->low || style == SRC_STYLE_TF32)) && to_src_undefined(s, m, style))
        return STEP_FAULTED;
    src_row *src = src_matrix_rows(files, s->tx, m->which);
    for (unsigned r = 0; r < m->rows; r++) {
        uint32_t cells[SRC_COLUMNS];
        if (wide) {
            uint32_t values[DST_COLUMNS];
            dst_read32(files, access, m->dst_row + r, values);
            cells_from_32b(cells, values, style, m->low);
        } else {
            uint16_t values[DST_COLUMNS];
            dst_read16(files, access, m->dst_row + r, values);
            if (style == SRC_STYLE_FP16)
                for (unsigned i = 0; i < SRC_COLUMNS; i++)
                    cells[i] = src_from_dst16_fp16(values[i]);
            else
                for (unsigned i = 0; i < SRC_COLUMNS; i++)
                    cells[i] = src_from_dst16_bf16(values[i]);
        }
        write_cells(src[m->src_row + r], cells, blocked);
    }
    return STEP_RETIRED;
}

step_result matrix_MOVD2A(tensix_step *s, const struct op_MOVD2A *op)
{
    if (matrix_held(s))
        return STEP_STALLED;
    const uint32_t *config = step_config(s);
    const unsigned rows = op->Move4Rows ? 4 : 1, SrcRow = op->SrcRow + s->t->rwc.src_a;
    const to_src m = {.which = SRC_A,
                      .format = src_format(s, config, SRC_A),
                      .src_row = aligned(SrcRow, rows, SRC_ROWS),
                      .dst_row = aligned(matrix_dst_row(s, config, op->DstRow), rows, DST_ROWS),
                      .rows = rows,
                      .low = op->UseDst32bLo};
    matrix_used_srca_row(s->tx, SrcRow);
    if (move_to_src(s, config, &m) == STEP_FAULTED)
        return STEP_FAULTED;
    rwc_apply_addr_mod(s->t, op->AddrMod);
    matrix_accepts_only(s, MATRIX_ONLY_TO_SRCA, COST_MATRIX_ONLY_TO_SRCA);
    return STEP_RETIRED;
}

step_result matrix_MOVD2B(tensix_step *s, const struct op_MOVD2B *op)
{
    if (matrix_held(s))
        return STEP_STALLED;
    const uint32_t *config = step_config(s);
    const unsigned rows = op->Move4Rows ? 4 : 1, SrcRow = op->SrcRow + s->t->rwc.src_b;
    const to_src m = {.which = SRC_B,
                      .format = srca_format_of_srcb(s, config),
                      .src_row = aligned(SrcRow, rows, SRC_ROWS),
                      .dst_row = aligned(matrix_dst_row(s, config, op->DstRow), rows, DST_ROWS),
                      .rows = rows,
                      .low = op->UseDst32bLo};
    matrix_used_srca_row(s->tx, s->t->rwc.src_a);
    if (move_to_src(s, config, &m) == STEP_FAULTED)
        return STEP_FAULTED;
    rwc_apply_addr_mod(s->t, op->AddrMod);
    matrix_accepts_only(s, MATRIX_ONLY_MOVD2B, COST_MATRIX_ONLY_MOVD2B);
    return STEP_RETIRED;
}

/* ---- SrcB to SrcA -------------------------------------------------------------------------------------------- */

step_result matrix_MOVB2A(tensix_step *s, const struct op_MOVB2A *op)
{
    if (matrix_held(s) || src_matrix_waits(s, SRC_B))
        return STEP_STALLED;
    const uint32_t *config = step_config(s);
    struct tensix_files *files = tile_tensix_files(s->tile);
    const unsigned rows = op->Move4Rows ? 4 : 1, SrcARow = op->SrcARow + s->t->rwc.src_a;
    const unsigned to = aligned(SrcARow, rows, SRC_ROWS), from = aligned(op->SrcBRow + s->t->rwc.src_b, rows, SRC_ROWS);
    const uint32_t blocked = matrix_blocked_columns(&files->vector), mask = cell_mask(src_format(s, config, SRC_B));
    const bool flush = !CFG_FIELD(config, ALU_ACC_CTRL_Zero_Flag_disabled_src);
    src_row *a = src_matrix_rows(files, s->tx, SRC_A), *b = src_matrix_rows(files, s->tx, SRC_B);
    for (unsigned r = 0; r < rows; r++) {
        uint32_t cells[SRC_COLUMNS];
        read_cells(cells, b[from + r], flush, mask);
        write_cells(a[to + r], cells, blocked);
    }
    matrix_used_srca_row(s->tx, SrcARow);
    rwc_apply_addr_mod(s->t, op->AddrMod);
    matrix_accepts_only(s, MATRIX_ONLY_TO_SRCA, COST_MATRIX_ONLY_TO_SRCA);
    return STEP_RETIRED;
}
