/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a picture as a PNG file, with 8 bits each of red, green and blue.  Pixels are stored without compression, which every
 * reader takes and which needs no library; the pictures are small. */
#ifndef KERR_TOOLS_PNG_H
#define KERR_TOOLS_PNG_H

#include <stdint.h>

#include "tool_error.h"

typedef struct picture {
    uint32_t width, height;
    uint8_t *rgb; /* row by row from the top left */
} picture;

/* All of it one colour; the caller frees rgb. */
bool picture_make(picture *p, uint32_t width, uint32_t height, uint8_t grey, tool_error *error);
bool png_write(const char *path, const picture *p, tool_error *error);

#endif
