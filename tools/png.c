/* SPDX-License-Identifier: Apache-2.0 */
#include "png.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { CHUNK_EXTRA = 12, DOTS_MAX = 1 << 30, HEADER = 13, INDEXED = 3, UNFILTERED = 0, UP = 2 };

bool picture_make(picture *p, uint32_t width, uint32_t height, tool_error *error)
{
    const uint64_t size = (uint64_t)width * height;
    p->dots = size <= DOTS_MAX ? calloc(1, size) : NULL;
    if (p->dots == NULL) {
        return tool_fail(error, "no room for a picture of %u by %u: fewer --pixels, or another shape", width, height);
    }
    p->width = width;
    p->height = height;
    return true;
}

void picture_fill(picture *p, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t dot)
{
    if (x >= p->width || y >= p->height) {
        return;
    }
    width = width < p->width - x ? width : p->width - x;
    height = height < p->height - y ? height : p->height - y;
    for (uint32_t row = y; row < y + height; row++) {
        memset(p->dots + (size_t)row * p->width + x, dot, width);
    }
}

static void put32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

/* chunk has room for CHUNK_EXTRA bytes around the data, which begins at chunk + 8. */
static bool write_chunk(FILE *file, const char *type, uint8_t *chunk, size_t size)
{
    put32(chunk, (uint32_t)size);
    memcpy(chunk + 4, type, 4);
    put32(chunk + 8 + size, (uint32_t)crc32(crc32(0, NULL, 0), chunk + 4, (uInt)(size + 4)));
    return fwrite(chunk, 1, size + CHUNK_EXTRA, file) == size + CHUNK_EXTRA;
}

static bool write_text(FILE *file, const char *keyword, const char *text)
{
    uint8_t chunk[CHUNK_EXTRA + 32 + PNG_TEXT];
    const int size = snprintf((char *)chunk + 8, 32 + PNG_TEXT, "%s%c%s", keyword, '\0', text);
    return text[0] == '\0' || write_chunk(file, "tEXt", chunk, (size_t)size);
}

/* The picture's lines; one that repeats that above it is all zeroes, behind the filter that says so. */
static void put_lines(uint8_t *to, const picture *p)
{
    const size_t line = p->width;
    for (uint32_t y = 0; y < p->height; y++, to += line + 1) {
        const uint8_t *dots = p->dots + y * line;
        if (y > 0 && memcmp(dots, dots - line, line) == 0) {
            to[0] = UP;
            memset(to + 1, 0, line);
        } else {
            to[0] = UNFILTERED;
            memcpy(to + 1, dots, line);
        }
    }
}

static bool write_all(FILE *file, const picture *p, uint8_t *chunk, size_t packed)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[HEADER + CHUNK_EXTRA] = {0}, palette[3 * PNG_COLOURS + CHUNK_EXTRA], end[CHUNK_EXTRA];
    put32(header + 8, p->width);
    put32(header + 12, p->height);
    header[16] = 8; /* bits */
    header[17] = INDEXED;
    for (unsigned i = 0; i < p->colours; i++) {
        memcpy(palette + 8 + 3 * (size_t)i, &p->palette[i], 3);
    }
    return fwrite(signature, 1, sizeof signature, file) == sizeof signature &&
           write_chunk(file, "IHDR", header, HEADER) && write_text(file, "Title", p->title) &&
           write_text(file, "Description", p->description) &&
           write_chunk(file, "PLTE", palette, 3 * (size_t)p->colours) && write_chunk(file, "IDAT", chunk, packed) &&
           write_chunk(file, "IEND", end, 0);
}

bool png_write(const char *path, const picture *p, tool_error *error)
{
    const size_t size = ((size_t)p->width + 1) * p->height;
    uLongf packed = compressBound(size);
    uint8_t *lines = malloc(size), *chunk = malloc(packed + CHUNK_EXTRA);
    FILE *file = lines == NULL || chunk == NULL ? NULL : fopen(path, "wb");
    bool ok = false;
    if (lines == NULL || chunk == NULL) {
        (void)tool_fail(error, "out of memory for %u by %u dots", p->width, p->height);
    } else if (file == NULL) {
        (void)tool_fail(error, "%s: %s", path, strerror(errno));
    } else {
        put_lines(lines, p);
        ok = compress2(chunk + 8, &packed, lines, size, Z_DEFAULT_COMPRESSION) == Z_OK &&
             write_all(file, p, chunk, packed);
        if (fclose(file) != 0 || !ok) {
            ok = tool_fail(error, "%s: cannot be written to the end", path);
        }
    }
    free(lines);
    free(chunk);
    return ok;
}
