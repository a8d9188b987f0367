/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a chip as a table of numbers: a tile, a face or a tensor in L1, or rows of SrcA, SrcB and Dst. */
#ifndef KERR_TOOLS_VIEW_H
#define KERR_TOOLS_VIEW_H

#include <stdint.h>

#include "kerr.h"
#include "numbers.h"
#include "tool_error.h"

typedef enum view_place { VIEW_MEMORY, VIEW_SRCA, VIEW_SRCB, VIEW_DST, VIEW_DST32 } view_place;

typedef struct view {
    kerr_xy at;
    view_place place;
    uint32_t from; /* address, or row of the register file */
    const number_format *format;
    uint32_t rows, columns;
    bool tiled;       /* stored as tiles of 32 x 32, each as four faces; otherwise row by row */
    const char *text; /* as it was written, for messages and titles */
    const char *to;   /* picture; NULL: print the numbers */
} view;

/* Where a chip is not at hand: bytes of a file, as addresses from 0 of any tile. */
typedef struct view_bytes {
    const char *path;
    const uint8_t *bytes;
    size_t size;
} view_bytes;

/* "TILE@PLACE:FORMAT[:SHAPE][=FILE.png]".  Keeps pointers into text, which it cuts apart. */
bool view_parse(view *v, char *text, tool_error *error);
/* rows x columns numbers, from the chip or, if that is NULL, from the bytes. */
bool view_read(const view *v, const kerr_chip *chip, const view_bytes *bytes, double *numbers, tool_error *error);

#endif
