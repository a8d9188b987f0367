/* SPDX-License-Identifier: Apache-2.0 */
/* PNG (ISO/IEC 15948) around a zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4). */
#include "png.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_MAX = 65535, CHUNK_EXTRA = 12, ADLER_BASE = 65521 };

bool picture_make(picture *p, uint32_t width, uint32_t height, uint8_t grey, tool_error *error)
{
    const size_t size = (size_t)3 * width * height;
    p->rgb = malloc(size);
    if (p->rgb == NULL) {
        return tool_fail(error, "out of memory for %u by %u pixels", width, height);
    }
    p->width = width;
    p->height = height;
    memset(p->rgb, grey, size);
    return true;
}

static void put32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static uint32_t crc32(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (UINT32_C(0xEDB88320) & (0u - (crc & 1)));
        }
    }
    return ~crc;
}

static uint32_t adler32(const uint8_t *bytes, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % ADLER_BASE;
        b = (b + a) % ADLER_BASE;
    }
    return b << 16 | a;
}

/* chunk has room for CHUNK_EXTRA bytes around the data, which begins at chunk + 8. */
static bool write_chunk(FILE *file, const char *type, uint8_t *chunk, size_t size)
{
    put32(chunk, (uint32_t)size);
    memcpy(chunk + 4, type, 4);
    put32(chunk + 8 + size, crc32(chunk + 4, size + 4));
    return fwrite(chunk, 1, size + CHUNK_EXTRA, file) == size + CHUNK_EXTRA;
}

/* The picture's lines, each behind a zero that says that it is not filtered. */
static void put_lines(uint8_t *to, const picture *p)
{
    const size_t line = (size_t)3 * p->width;
    for (uint32_t y = 0; y < p->height; y++) {
        to[y * (line + 1)] = 0;
        memcpy(to + y * (line + 1) + 1, p->rgb + y * line, line);
    }
}

/* A zlib stream of stored blocks; returns its size. */
static size_t put_stream(uint8_t *to, const uint8_t *data, size_t size)
{
    size_t at = 0;
    to[at++] = 0x78;
    to[at++] = 0x01;
    for (size_t done = 0; done < size;) {
        const size_t block = size - done < BLOCK_MAX ? size - done : BLOCK_MAX;
        to[at++] = done + block == size; /* the last one */
        to[at++] = (uint8_t)block;
        to[at++] = (uint8_t)(block >> 8);
        to[at++] = (uint8_t)~block;
        to[at++] = (uint8_t)(~block >> 8);
        memcpy(to + at, data + done, block);
        at += block;
        done += block;
    }
    put32(to + at, adler32(data, size));
    return at + 4;
}

static bool write_all(FILE *file, const picture *p, uint8_t *lines, uint8_t *chunk)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const size_t size = ((size_t)3 * p->width + 1) * p->height;
    uint8_t header[13 + CHUNK_EXTRA] = {0};
    put32(header + 8, p->width);
    put32(header + 12, p->height);
    header[16] = 8; /* bits */
    header[17] = 2; /* red, green, blue */
    put_lines(lines, p);
    return fwrite(signature, 1, sizeof signature, file) == sizeof signature && write_chunk(file, "IHDR", header, 13) &&
           write_chunk(file, "IDAT", chunk, put_stream(chunk + 8, lines, size)) && write_chunk(file, "IEND", chunk, 0);
}

bool png_write(const char *path, const picture *p, tool_error *error)
{
    const size_t size = ((size_t)3 * p->width + 1) * p->height;
    uint8_t *lines = malloc(size), *chunk = malloc(size + 5 * (size / BLOCK_MAX + 1) + 6 + CHUNK_EXTRA);
    FILE *file = lines == NULL || chunk == NULL ? NULL : fopen(path, "wb");
    bool ok = false;
    if (lines == NULL || chunk == NULL) {
        (void)tool_fail(error, "out of memory for %u by %u pixels", p->width, p->height);
    } else if (file == NULL) {
        (void)tool_fail(error, "%s: %s", path, strerror(errno));
    } else {
        ok = write_all(file, p, lines, chunk);
        if (fclose(file) != 0 || !ok) {
            ok = tool_fail(error, "%s: cannot be written to the end", path);
        }
    }
    free(lines);
    free(chunk);
    return ok;
}
