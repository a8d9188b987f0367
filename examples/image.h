/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a picture: 8 bits of red, green, blue a pixel, row by row. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>
#include <stdint.h>

/* False: the file could not be written (errno says why). */
bool image_write_ppm(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height);
/* Uncompressed ("stored") PNG: any viewer reads it and no library is needed. */
bool image_write_png(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height);

#endif
