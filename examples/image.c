/* SPDX-License-Identifier: Apache-2.0 */
/* PPM and PNG.  PNG as ISO/IEC 15948 says, its pixels in one zlib stream (RFC 1950) of stored blocks
 * (RFC 1951, 3.2.4), one block a row. */
#include "image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STORED_MAX = 65535 };

bool image_write_ppm(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    size_t size = (size_t)3 * width * height;
    bool ok =
        fprintf(file, "P6\n%" PRIu32 " %" PRIu32 "\n255\n", width, height) > 0 && fwrite(rgb, 1, size, file) == size;
    return fclose(file) == 0 && ok;
}

/* A chunk as it is written: the check sum runs over type and data. */
typedef struct chunk {
    FILE *file;
    uint32_t crc;
    bool ok;
} chunk;

static void put(chunk *c, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        c->crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            c->crc = c->crc & 1 ? c->crc >> 1 ^ 0xEDB88320u : c->crc >> 1;
    }
    c->ok = c->ok && fwrite(data, 1, size, c->file) == size;
}

static void put_be32(chunk *c, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    put(c, bytes, sizeof bytes);
}

static void chunk_begin(chunk *c, uint32_t size, const char type[4])
{
    put_be32(c, size);
    c->crc = UINT32_MAX;
    put(c, type, 4);
}

static void chunk_end(chunk *c)
{
    put_be32(c, ~c->crc);
}

bool image_write_png(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height)
{
    uint32_t row_bytes = 1 + 3 * width; /* each row opens with its filter: none */
    if (width == 0 || height == 0 || width > (STORED_MAX - 1) / 3)
        return false;
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    chunk c = {.file = file, .ok = true};
    put(&c, "\x89PNG\r\n\x1A\n", 8);

    chunk_begin(&c, 13, "IHDR");
    put_be32(&c, width);
    put_be32(&c, height);
    put(&c, "\x08\x02\x00\x00\x00", 5); /* 8 bits, RGB, the usual compression, filters, no interlace */
    chunk_end(&c);

    chunk_begin(&c, 2 + height * (5 + row_bytes) + 4, "IDAT");
    put(&c, "\x78\x01", 2);
    uint32_t low = 1, high = 0; /* Adler-32 of the rows */
    uint8_t *row = malloc(row_bytes);
    c.ok = c.ok && row;
    for (uint32_t y = 0; y < height && c.ok; y++) {
        const uint8_t head[5] = {y + 1 == height, (uint8_t)row_bytes, (uint8_t)(row_bytes >> 8), (uint8_t)~row_bytes,
                                 (uint8_t)(~row_bytes >> 8)};
        row[0] = 0;
        memcpy(row + 1, rgb + (size_t)3 * width * y, row_bytes - 1);
        for (uint32_t i = 0; i < row_bytes; i++) {
            low = (low + row[i]) % 65521;
            high = (high + low) % 65521;
        }
        put(&c, head, sizeof head);
        put(&c, row, row_bytes);
    }
    free(row);
    put_be32(&c, high << 16 | low);
    chunk_end(&c);

    chunk_begin(&c, 0, "IEND");
    chunk_end(&c);
    return fclose(file) == 0 && c.ok;
}
