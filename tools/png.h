/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of few colours, as a PNG file (ISO/IEC 15948) with a palette. */
#ifndef KERR_TOOLS_PNG_H
#define KERR_TOOLS_PNG_H

#include <stdint.h>

#include "tool_error.h"

enum { PNG_COLOURS = 256, PNG_TEXT = 512 };

typedef struct colour {
    uint8_t red, green, blue;
} colour;

typedef struct picture {
    uint32_t width, height;
    uint8_t *dots; /* numbers of colours, row by row from the top left */
    unsigned colours;
    colour palette[PNG_COLOURS];
    char title[PNG_TEXT], description[PNG_TEXT]; /* texts of the file, if not empty */
} picture;

/* All of it colour 0; the caller frees dots. */
bool picture_make(picture *p, uint32_t width, uint32_t height, tool_error *error);
/* What is outside the picture is left out. */
void picture_fill(picture *p, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t dot);
bool png_write(const char *path, const picture *p, tool_error *error);

#endif
