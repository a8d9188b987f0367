/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Unit (FPU): rows between SrcA, SrcB and Dst.  Manual WormholeB0 MOVA2D, MOVB2D, MOVD2B (545c98a3), MOVD2A
 * (ff52140f), MOVB2A (1ae1f852), MOVDBGA2D (0f3f6b70), in Blackhole's encodings.  docs/errata-tensix.md has where cards and
 * production kernels say otherwise.
 *
 * What blocked columns (LaneConfig.BLOCK_DEST_MOV) of an undefined row of Dst hold after the rest of it was written is not
 * documented; here they are zero. */
#include "tensix_units.h"

#include "hooks/hooks.h"
#include "tensix/matrix/unit.h"
#include "tensix/regs/rwc.h"

#define PAGE(name) "WormholeB0 TensixCoprocessor/" name

enum { ALL_CELL_BITS = (1 << SRC_CELL_BITS) - 1 };

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

/* Sixteen cells at once. */
typedef uint32_t cells_vector __attribute__((vector_size(SRC_COLUMNS * sizeof(uint32_t))));
typedef int32_t signed_vector __attribute__((vector_size(SRC_COLUMNS * sizeof(int32_t))));
typedef uint16_t halves_vector __attribute__((vector_size(DST_COLUMNS * sizeof(uint16_t))));

/* The low halves of cells whose high halves are zero, put together in pairs: compilers do this better than a conversion where
 * the machine has no instruction for it. */
typedef uint64_t pairs_vector __attribute__((vector_size(sizeof(cells_vector))));
static inline void narrow(halves_vector *half, const cells_vector *cells)
{
    const pairs_vector pairs = (pairs_vector)*cells | (pairs_vector)*cells >> 16;
    uint32_t word[DST_COLUMNS / 2];
    for (unsigned i = 0; i < DST_COLUMNS / 2; i++)
        word[i] = (uint32_t)pairs[i];
    memcpy(half, word, sizeof *half);
}
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the even one of a pair stands first");

/* FlushDenormals and TruncateSrc. */
static inline void read_cells(cells_vector *cells, const uint32_t row[SRC_COLUMNS], bool flush, uint32_t mask)
{
    memcpy(cells, row, sizeof *cells);
    if (flush) /* by arithmetic: compilers take comparisons of wide vectors apart */
        *cells &= (cells_vector)((signed_vector)(0 - (*cells & 0xFF)) >> 31);
    *cells &= mask;
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

/* `values` but for the columns that keep what they hold. */
static inline void put(uint16_t row[DST_COLUMNS], const halves_vector *values, uint32_t blocked)
{
    if (LIKELY(blocked == 0)) {
        memcpy(row, values, sizeof *values);
        return;
    }
    for (unsigned i = 0; i < DST_COLUMNS; i++)
        if (!(blocked >> i & 1))
            row[i] = (*values)[i];
}

static inline void write16(struct tensix_files *files, uint32_t access, unsigned row, const halves_vector *values,
                           uint32_t blocked)
{
    if (LIKELY(blocked == 0))
        dst_write16(files, access, row, (const uint16_t *)values);
    else
        put(dst_open16(files, access, row), values, blocked);
}

static void move_to_dst(tensix_step *s, const to_dst *m, src_row *src)
{
    struct tensix_files *files = s->tile->files;
    const uint32_t access = dst_access(s, m->config), blocked = matrix_blocked_columns(&files->vector);
    const bool flush = !CFG_FIELD(m->config, ALU_ACC_CTRL_Zero_Flag_disabled_src);
    const bool Use8bExponent =
        !CFG_FIELD(s->t->config, FP16A_FORCE_Enable) && src_style_of(m->format) != SRC_STYLE_FP16;
    hook_dst(s->tile,
             (struct check_rows){.access = access,
                                 .row = (uint16_t)m->dst_row,
                                 .rows = (uint16_t)m->rows,
                                 .step = 1,
                                 .wide = m->format == FORMAT_TF32 || m->low},
             CHECK_WRITE);
    for (unsigned i = 0; i < m->rows; i++) {
        cells_vector cells;
        read_cells(&cells, src[m->src_row + i * m->src_step], flush, m->mask);
        if (m->column0)
            cells = (cells_vector){0} + cells[0];
        const cells_vector wide =
            Use8bExponent ? (cells >> 3 & 0xFF00) | (cells & 0xFF) : (cells >> 3 & 0xFFE0) | (cells & 0x1F);
        halves_vector values;
        narrow(&values, &wide);
        if (m->format == FORMAT_TF32) {
            uint16_t *high = dst_open32(files, access, m->dst_row + i);
            put(high, &values, blocked);
            const cells_vector rest = (cells & 0x700) << 5;
            halves_vector low;
            narrow(&low, &rest);
            put(high + DST_LOW_HALF * DST_COLUMNS, &low, blocked);
        } else if (m->low) {
            put(dst_open32(files, access, m->dst_row + i) + DST_LOW_HALF * DST_COLUMNS, &values, blocked);
        } else {
            write16(files, access, m->dst_row + i, &values, blocked);
        }
    }
    const bool wide = m->format == FORMAT_TF32 || m->low;
    matrix_writes_block(s, (wide ? dst_row32(access, m->dst_row) : dst_row16(access, m->dst_row)) / 8);
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

/* On Blackhole SrcAFmt of these moves is TF32 while ALU_ACC_CTRL_Fp32_enabled is set, but for INT16: the kernel library moves
 * that into the low half of a 32-bit Dst with it set (llk_math_eltwise_unary_datacopy.h, for typecasts). */
static unsigned widened(const uint32_t *config, unsigned format)
{
    return CFG_FIELD(config, ALU_ACC_CTRL_Fp32_enabled) && format != FORMAT_INT16 ? FORMAT_TF32 : format;
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
    hook_src(s->tile, SRC_A, s->tx->src[SRC_A].matrix_bank, m.src_row, rows, CHECK_READ);
    if (UNLIKELY(m.low && m.format == FORMAT_TF32)) {
        if (to_dst_undefined(s, page, name) == STEP_FAULTED)
            return STEP_FAULTED;
    } else {
        move_to_dst(s, &m, src_matrix_rows(s->tile->files, s->tx, SRC_A));
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
    hook_src(s->tile, SRC_B, s->tx->src[SRC_B].matrix_bank, m.src_row, m.src_step ? rows : 1, CHECK_READ);
    if (UNLIKELY(m.low && m.format == FORMAT_TF32)) {
        if (to_dst_undefined(s, PAGE("MOVB2D"), "MOVB2D") == STEP_FAULTED)
            return STEP_FAULTED;
    } else {
        move_to_dst(s, &m, src_matrix_rows(s->tile->files, s->tx, SRC_B));
    }
    rwc_apply_addr_mod(s->t, op->AddrMod);
    return STEP_RETIRED;
}

/* ---- Dst to Src ---------------------------------------------------------------------------------------------- */

static inline void write_cells(uint32_t row[SRC_COLUMNS], const cells_vector *cells, uint32_t blocked)
{
    if (LIKELY(blocked == 0)) {
        memcpy(row, cells, sizeof *cells);
        return;
    }
    for (unsigned i = 0; i < SRC_COLUMNS; i++)
        if (!(blocked >> i & 1))
            row[i] = (*cells)[i];
}

static inline void read_halves(cells_vector *x, const uint16_t row[DST_COLUMNS])
{
    halves_vector half;
    memcpy(&half, row, sizeof half);
    *x = __builtin_convertvector(half, cells_vector);
}

/* 16-bit data of Dst as cells (ShuffleBF16, ShuffleFP16). */
static inline void shuffle(cells_vector *x, enum src_style style)
{
    *x = style == SRC_STYLE_FP16 ? (*x & 0xFFE0) << 3 | (*x & 0x1F) : (*x & 0xFF00) << 3 | (*x & 0xFF);
}

/* A row of Dst16b, or of Dst32b, of which TF32 has the high three bits of the low half too (ShuffleTF32); with UseDst32bLo
 * those that it has no place for. */
static inline void cells_from_dst(cells_vector *cells, const uint16_t *row, bool wide, enum src_style style, bool low)
{
    const uint16_t *below = row + DST_LOW_HALF * DST_COLUMNS;
    cells_vector rest;
    read_halves(cells, wide && low ? below : row);
    if (UNLIKELY(wide && low && style == SRC_STYLE_TF32)) {
        *cells &= 0x1FFF;
        return;
    }
    shuffle(cells, style);
    if (wide && style == SRC_STYLE_TF32) {
        read_halves(&rest, below);
        *cells |= (rest >> 13) << 8;
    }
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
    struct tensix_files *files = s->tile->files;
    const uint32_t access = dst_access(s, config), blocked = matrix_blocked_columns(&files->vector);
    const bool forced = CFG_FIELD(s->t->config, FP16A_FORCE_Enable), wide = !forced && matrix_dst_is_32b(config);
    const enum src_style style = forced ? SRC_STYLE_FP16 : src_style_of(m->format);
    if (matrix_waits_for_block(s, (wide ? dst_row32(access, m->dst_row) : dst_row16(access, m->dst_row)) / 8))
        return STEP_STALLED;
    if (UNLIKELY(!wide && (m->low || style == SRC_STYLE_TF32)) && to_src_undefined(s, m, style))
        return STEP_FAULTED;
    src_row *src = src_matrix_rows(files, s->tx, m->which);
    hook_dst(s->tile,
             (struct check_rows){
                 .access = access, .row = (uint16_t)m->dst_row, .rows = (uint16_t)m->rows, .step = 1, .wide = wide},
             CHECK_READ);
    hook_src(s->tile, m->which, s->tx->src[m->which].matrix_bank, m->src_row, m->rows, CHECK_WRITE);
    for (unsigned r = 0; r < m->rows; r++) {
        const unsigned row = wide ? dst_row32(access, m->dst_row + r) : dst_row16(access, m->dst_row + r);
        cells_vector cells = {0};
        if (LIKELY(dst_row_counts(files, access, row)))
            cells_from_dst(&cells, files->DstBits[row], wide, style, m->low);
        write_cells(src[m->src_row + r], &cells, blocked);
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
    const step_result result = move_to_src(s, config, &m);
    if (result != STEP_RETIRED)
        return result;
    matrix_used_srca_row(s->tx, SrcRow);
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
    const step_result result = move_to_src(s, config, &m);
    if (result != STEP_RETIRED)
        return result;
    matrix_used_srca_row(s->tx, s->t->rwc.src_a);
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
    struct tensix_files *files = s->tile->files;
    const unsigned rows = op->Move4Rows ? 4 : 1, SrcARow = op->SrcARow + s->t->rwc.src_a;
    const unsigned to = aligned(SrcARow, rows, SRC_ROWS), from = aligned(op->SrcBRow + s->t->rwc.src_b, rows, SRC_ROWS);
    const uint32_t blocked = matrix_blocked_columns(&files->vector), mask = cell_mask(src_format(s, config, SRC_B));
    const bool flush = !CFG_FIELD(config, ALU_ACC_CTRL_Zero_Flag_disabled_src);
    src_row *a = src_matrix_rows(files, s->tx, SRC_A), *b = src_matrix_rows(files, s->tx, SRC_B);
    hook_src(s->tile, SRC_B, s->tx->src[SRC_B].matrix_bank, from, rows, CHECK_READ);
    hook_src(s->tile, SRC_A, s->tx->src[SRC_A].matrix_bank, to, rows, CHECK_WRITE);
    for (unsigned r = 0; r < rows; r++) {
        cells_vector cells;
        read_cells(&cells, b[from + r], flush, mask);
        write_cells(a[to + r], &cells, blocked);
    }
    matrix_used_srca_row(s->tx, SrcARow);
    rwc_apply_addr_mod(s->t, op->AddrMod);
    matrix_accepts_only(s, MATRIX_ONLY_TO_SRCA, COST_MATRIX_ONLY_TO_SRCA);
    return STEP_RETIRED;
}
