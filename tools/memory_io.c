/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_io.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "listing.h"

enum { CHUNK = 65536, PRELOAD_FILE_MAX = 1 << 30 };

/* ---- In -------------------------------------------------------------------------------------------------- */

static bool poke(kerr_chip *chip, kerr_xy at, uint64_t address, const void *data, size_t size, tool_error *error)
{
    const kerr_status status = kerr_poke(chip, at, address, data, size);
    return status == KERR_OK || tool_fail(error, "preload of %zu bytes at 0x%" PRIx64 " of tile %u,%u: %s", size,
                                          address, at.x, at.y, kerr_status_text(status));
}

static bool fill(kerr_chip *chip, kerr_xy at, const job_preload *preload, tool_error *error)
{
    uint32_t words[CHUNK / 4];
    for (size_t i = 0; i < CHUNK / 4; i++) {
        words[i] = preload->fill;
    }
    for (uint64_t done = 0; done < preload->size; done += CHUNK) {
        const uint64_t left = preload->size - done;
        if (!poke(chip, at, preload->address + done, words, left < CHUNK ? (size_t)left : CHUNK, error)) {
            return false;
        }
    }
    return true;
}

static bool preload_one(const job_preload *preload, kerr_chip *chip, tool_error *error)
{
    char *data = NULL;
    size_t size = 0;
    if (preload->file != NULL) {
        if (!file_read(preload->file, PRELOAD_FILE_MAX, &data, &size, error)) {
            return false;
        }
        if (size == 0) {
            free(data);
            return tool_fail(error, "%s: is empty, so there is nothing to preload", preload->file);
        }
    }
    bool ok = true;
    unsigned index = 0;
    kerr_xy at;
    while (ok && tile_set_next(&preload->tiles, &index, &at)) {
        if (preload->file != NULL) {
            ok = poke(chip, at, preload->address, data, size, error);
        } else if (preload->words != NULL) {
            ok = poke(chip, at, preload->address, preload->words, preload->word_count * 4, error);
        } else {
            ok = fill(chip, at, preload, error);
        }
    }
    free(data);
    return ok;
}

bool memory_preload(const job *of, kerr_chip *chip, tool_error *error)
{
    for (size_t i = 0; i < of->preload_count; i++) {
        if (!preload_one(&of->preloads[i], chip, error)) {
            return false;
        }
    }
    return true;
}

/* ---- Out ------------------------------------------------------------------------------------------------- */

static kerr_status peek(const kerr_chip *chip, const job_dump *dump, kerr_xy at, uint64_t offset, void *data,
                        size_t size)
{
    return dump->has_core ? kerr_core_peek(chip, at, dump->core, (uint32_t)(dump->address + offset), data, size)
                          : kerr_peek(chip, at, dump->address + offset, data, size);
}

static bool refuse_range(const job_dump *dump, kerr_xy at, kerr_status status, tool_error *error)
{
    return tool_fail(error, "dump of 0x%" PRIx64 " bytes at 0x%" PRIx64 " of tile %u,%u%s%s: %s", dump->size,
                     dump->address, at.x, at.y, dump->has_core ? " core " : "",
                     dump->has_core ? kerr_core_name(dump->core) : "", kerr_status_text(status));
}

static bool check_dump(const job_dump *dump, const kerr_chip *chip, tool_error *error)
{
    const bool in_words = dump->format != DUMP_TO_FILE && dump->format != DUMP_TO_HEX;
    if (in_words && dump->size % 4 != 0) {
        return tool_fail(error, "a dump as words or instructions needs a size that is a multiple of 4, not %" PRIu64,
                         dump->size);
    }
    if (dump->has_core && dump->address + dump->size > UINT64_C(1) << 32) {
        kerr_xy at = {0, 0};
        unsigned index = 0;
        (void)tile_set_next(&dump->tiles, &index, &at);
        return refuse_range(dump, at, KERR_BAD_ADDRESS, error);
    }
    unsigned index = 0;
    kerr_xy at;
    while (tile_set_next(&dump->tiles, &index, &at)) {
        uint32_t word;
        const bool words = dump->size >= 4 && dump->size % 4 == 0 && dump->address % 4 == 0;
        const size_t unit = words ? 4 : 1; /* registers take whole words */
        kerr_status status = peek(chip, dump, at, 0, &word, unit);
        if (status == KERR_OK) {
            status = peek(chip, dump, at, dump->size - unit, &word, unit);
        }
        if (status != KERR_OK) {
            return refuse_range(dump, at, status, error);
        }
    }
    return true;
}

static FILE *open_dump(const job *of, size_t i, tool_error *error)
{
    const char *path = of->dumps[i].file;
    for (size_t k = 0; k < i; k++) {
        if (of->dumps[k].file != NULL && strcmp(of->dumps[k].file, path) == 0) {
            tool_error_set(error, "two dumps go to the same file %s", path);
            return NULL;
        }
    }
    FILE *file = fopen(path, "wbe");
    if (file == NULL) {
        tool_error_set(error, "%s: cannot write it: %s", path, strerror(errno));
    }
    return file;
}

bool memory_dumps_open(memory_dumps *made, const job *of, const kerr_chip *chip, tool_error *error)
{
    *made = (memory_dumps){.of = of};
    for (size_t i = 0; i < of->dump_count; i++) {
        if (!check_dump(&of->dumps[i], chip, error)) {
            return false;
        }
    }
    made->files = calloc(of->dump_count > 0 ? of->dump_count : 1, sizeof(FILE *));
    if (made->files == NULL) {
        return tool_fail(error, "out of memory");
    }
    for (size_t i = 0; i < of->dump_count; i++) {
        if (of->dumps[i].format != DUMP_TO_FILE) {
            continue;
        }
        made->files[i] = open_dump(of, i, error);
        if (made->files[i] == NULL) {
            tool_error ignored = {""};
            (void)memory_dumps_close(made, &ignored);
            return false;
        }
    }
    return true;
}

/* 16 bytes a line, as hex and as characters. */
static void print_hex(uint64_t address, const unsigned char *data, size_t size)
{
    for (size_t line = 0; line < size; line += 16) {
        const size_t count = size - line < 16 ? size - line : 16;
        (void)printf("%08" PRIx64 " ", address + line);
        for (size_t i = 0; i < 16; i++) {
            if (i < count) {
                (void)printf(" %02x", data[line + i]);
            } else {
                (void)printf("   ");
            }
        }
        (void)printf("  |");
        for (size_t i = 0; i < count; i++) {
            (void)putchar(isprint(data[line + i]) ? data[line + i] : '.');
        }
        (void)printf("|\n");
    }
}

/* Four words a line. */
static void print_words(uint64_t address, const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i += 4) {
        if (i % 16 == 0) {
            (void)printf("%08" PRIx64 ":", address + i);
        }
        (void)printf(" %02x%02x%02x%02x", data[i + 3], data[i + 2], data[i + 1], data[i]);
        if (i % 16 == 12 || i + 4 >= size) {
            (void)printf("\n");
        }
    }
}

static void print_instructions(uint64_t address, const unsigned char *data, size_t size, listing_kind kind)
{
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, data + i, sizeof word); /* little-endian hosts only (api.c) */
        (void)listing_line(stdout, address + i, word, kind);
    }
}

static bool dump_tile(const job_dump *dump, FILE *file, const kerr_chip *chip, kerr_xy at, tool_error *error)
{
    unsigned char data[CHUNK];
    if (file == NULL) {
        (void)printf("tile %u,%u%s%s\n", at.x, at.y, dump->has_core ? " core " : "",
                     dump->has_core ? kerr_core_name(dump->core) : "");
    }
    for (uint64_t done = 0; done < dump->size; done += CHUNK) {
        const size_t size = dump->size - done < CHUNK ? (size_t)(dump->size - done) : CHUNK;
        const kerr_status status = peek(chip, dump, at, done, data, size);
        if (status != KERR_OK) {
            return refuse_range(dump, at, status, error);
        }
        if (file != NULL) {
            if (fwrite(data, 1, size, file) != size) {
                return tool_fail(error, "%s: cannot write it: %s", dump->file, strerror(errno));
            }
        } else if (dump->format == DUMP_TO_WORDS) {
            print_words(dump->address + done, data, size);
        } else if (dump->format != DUMP_TO_HEX) {
            print_instructions(dump->address + done, data, size,
                               dump->format == DUMP_TO_TENSIX ? LISTING_TENSIX : LISTING_RISCV);
        } else {
            print_hex(dump->address + done, data, size);
        }
    }
    return true;
}

bool memory_dumps_write(memory_dumps *dumps, const kerr_chip *chip, tool_error *error)
{
    for (size_t i = 0; i < dumps->of->dump_count; i++) {
        unsigned index = 0;
        kerr_xy at;
        while (tile_set_next(&dumps->of->dumps[i].tiles, &index, &at)) {
            if (!dump_tile(&dumps->of->dumps[i], dumps->files[i], chip, at, error)) {
                return false;
            }
        }
    }
    return (fflush(stdout) == 0 && !ferror(stdout)) ||
           tool_fail(error, "standard output: cannot write: %s", strerror(errno));
}

bool memory_dumps_close(memory_dumps *dumps, tool_error *error)
{
    bool ok = true;
    for (size_t i = 0; dumps->files != NULL && i < dumps->of->dump_count; i++) {
        if (dumps->files[i] != NULL && fclose(dumps->files[i]) != 0) {
            ok = tool_fail(error, "%s: cannot write it: %s", dumps->of->dumps[i].file, strerror(errno));
        }
    }
    free(dumps->files);
    dumps->files = NULL;
    return ok;
}
