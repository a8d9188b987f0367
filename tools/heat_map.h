/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of numbers as a picture: white is zero, red positive, blue negative, full colour at `range`. */
#ifndef KERR_TOOLS_HEAT_MAP_H
#define KERR_TOOLS_HEAT_MAP_H

#include <stdint.h>

#include "png.h"

typedef struct heat_map {
    uint32_t rows, columns;
    uint32_t pixels; /* a side of each number's square */
    uint32_t line;   /* a thin line before each so many rows and columns; 0: none */
    double range;    /* 0: the largest finite magnitude */
} heat_map;

/* Tables beside each other, on one scale.  Numbers that are none are magenta, infinities yellow and cyan. */
bool heat_map_draw(const heat_map *map, double *const *tables, unsigned count, picture *made, tool_error *error);

#endif
