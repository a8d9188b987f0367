/* SPDX-License-Identifier: Apache-2.0 */
/* Maxima down all columns of SrcA at once: maximum_of_column of maximum.h, row by row. */
#include "tensix/matrix/maximum_rows.h"

#include "base/simd.h"

#include <stddef.h>

enum { COLUMNS = 16, ROWS = 16 };

/* What of a cell of SrcA counts, and what its exponent is added to in each row. */
struct reading {
    int32_t exponent_mask, mantissa_mask;
    int32_t added[ROWS];
    bool infinite[ROWS]; /* SrcB is zero there: minus infinity */
};

static struct reading reading_of(const struct matrix_mode *m, enum maximum_dst_style style, const uint32_t *b)
{
    struct reading r = {.mantissa_mask = m->a == MATRIX_BF16 ? 0x3F8 : 0x3FF};
    r.exponent_mask = m->a == MATRIX_INT8 ? 0 : m->a == MATRIX_FP16 ? 0x1F : 0xFF;
    const int32_t rebias = m->a == MATRIX_FP16 && style == DST_TF32 ? 2 * (127 - 15) : 0;
    for (unsigned i = 0; i < ROWS; i++) {
        r.added[i] = ((int32_t)b[i] & r.exponent_mask) + rebias;
        r.infinite[i] = (b[i] & 0xFF) == 0;
    }
    return r;
}

/* Numbers of eight columns; a comparison gives -1 where it holds. */
enum { EIGHT = 8 };
typedef int32_t columns __attribute__((vector_size(EIGHT * 4), aligned(4), may_alias));

/* magnitude, negative (0 or -1): the maxima so far, struct maximum_datum. */
static inline __attribute__((always_inline)) void eight_columns(const struct reading *r, const uint32_t *a,
                                                                int32_t *magnitude, int32_t *negative)
{
    columns max = *(const columns *)magnitude, max_negative = *(const columns *)negative;
    for (unsigned k = 0; k < ROWS; k++) {
        const unsigned i = k < 8 ? k ^ 4 : k; /* as maximum_of_column: of 0 and -0 the last one stays */
        const columns cell = *(const columns *)(a + (size_t)COLUMNS * i), nonzero = (cell & 0xFF) != 0;
        columns x = ((cell & r->exponent_mask) + r->added[i]) << 10 | (cell >> 8 & r->mantissa_mask);
        columns x_negative = -(cell >> 18 & 1);
        x &= nonzero;
        x_negative &= nonzero;
        if (r->infinite[i]) {
            x = (columns){0} + 0x7FFFF;
            x_negative = (columns){0} - 1;
        }
        const columns comes = ((x ^ x_negative) - x_negative) >= ((max ^ max_negative) - max_negative);
        max = (x & comes) | (max & ~comes);
        max_negative = (x_negative & comes) | (max_negative & ~comes);
    }
    *(columns *)magnitude = max;
    *(columns *)negative = max_negative;
}

static SIMD_CLONES void rows(const struct reading *r, const uint32_t *a, int32_t magnitude[COLUMNS],
                             int32_t negative[COLUMNS])
{
    for (unsigned j = 0; j < COLUMNS; j += EIGHT)
        eight_columns(r, a + j, magnitude + j, negative + j);
}

void maximum_of_columns(const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, uint32_t dst[COLUMNS])
{
    const enum maximum_dst_style style = maximum_dst_style_of(m, false);
    const struct reading r = reading_of(m, style, b);
    int32_t magnitude[COLUMNS], negative[COLUMNS];
    for (unsigned j = 0; j < COLUMNS; j++) {
        const struct maximum_datum old = maximum_read_dst(dst[j], style);
        magnitude[j] = old.magnitude;
        negative[j] = old.negative ? -1 : 0;
    }
    rows(&r, a, magnitude, negative);
    for (unsigned j = 0; j < COLUMNS; j++)
        dst[j] =
            maximum_write_dst((struct maximum_datum){.magnitude = magnitude[j], .negative = negative[j] != 0}, style);
}
