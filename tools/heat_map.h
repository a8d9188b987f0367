/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of numbers as a picture with a title, numbers of rows and columns, and scales: white is zero, red positive, blue negative,
 * full colour at `range`. */
#ifndef KERR_TOOLS_HEAT_MAP_H
#define KERR_TOOLS_HEAT_MAP_H

#include <stdint.h>

#include "png.h"

typedef struct heat_map {
    const char *title;
    uint32_t rows, columns;
    uint32_t first_row; /* its number */
    uint32_t pixels;    /* a side of each number's square */
    uint32_t line;      /* a thin line before each so many rows and columns; 0: none */
    double range;       /* 0: the largest finite magnitude */
} heat_map;

/* Bit for bit would be too strict for what people see: a NaN is a NaN. */
bool heat_map_differ(double before, double after);
/* One table, or two of before and after on one scale and how they differ on another.  Numbers that are none are magenta,
 * infinities yellow and cyan; where nothing differs is grey.  The picture's description says where each table and scale is. */
bool heat_map_draw(const heat_map *map, double *const *tables, unsigned count, picture *made, tool_error *error);

#endif
