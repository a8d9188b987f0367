/* SPDX-License-Identifier: Apache-2.0 */
/* GMPOOL without ArgMax, all columns at once. */
#ifndef KERR_TENSIX_MATRIX_MAXIMUM_ROWS_H
#define KERR_TENSIX_MATRIX_MAXIMUM_ROWS_H

#include "tensix/matrix/maximum.h"

/* dst: a row of Dst before and after, as maximum_of_column has its datums; a: 16 rows of 16 cells; b: the row that scales them. */
void maximum_of_columns(const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, uint32_t dst[16]);

#endif
