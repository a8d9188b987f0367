/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

enum { FACE = 16, TILE = 32, TILE_DATUMS = 1024, FACE_DATUMS = 256, SRC_ROWS = 64, SIZE_MAX_DATUMS = 1 << 22 };

/* ---- What is asked for ------------------------------------------------------------------------------------------ */

typedef struct place_row {
    const char *name;
    view_place place;
    uint32_t first, rows;
} place_row;

static const place_row places[] = {
    {"srcA0", VIEW_SRCA, 0, SRC_ROWS}, {"srcA1", VIEW_SRCA, SRC_ROWS, SRC_ROWS},
    {"srcB0", VIEW_SRCB, 0, SRC_ROWS}, {"srcB1", VIEW_SRCB, SRC_ROWS, SRC_ROWS},
    {"dst32", VIEW_DST32, 0, 512},     {"dst", VIEW_DST, 0, 1024},
};

/* "0x20000", "srcA0", "dst+64": the number of a register file is a row. */
static bool parse_place_name(view *v, char *text, tool_error *error)
{
    if (text[0] >= '0' && text[0] <= '9') {
        v->place = VIEW_MEMORY;
        return parse_number32(text, &v->from, error);
    }
    char *plus = strchr(text, '+');
    if (plus != NULL) {
        *plus++ = '\0';
    }
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint64_t row = 0;
        if (strcmp(places[i].name, text) != 0) {
            continue;
        }
        if (plus != NULL && !parse_number(plus, places[i].rows - 1, &row, error)) {
            return tool_fail_at(error, "first row of %s", text);
        }
        v->place = places[i].place;
        v->from = places[i].first + (uint32_t)row;
        return true;
    }
    return tool_fail(error, "'%s' is neither an address nor srcA0, srcA1, srcB0, srcB1, dst or dst32", text);
}

static bool parse_shape(view *v, char *text, tool_error *error)
{
    if (text == NULL || strcmp(text, "tile") == 0) {
        v->rows = v->columns = TILE;
        v->tiled = true;
        return true;
    }
    if (strcmp(text, "face") == 0) {
        v->rows = v->columns = FACE;
        return true;
    }
    char *slash = strchr(text, '/');
    if (slash != NULL) {
        *slash++ = '\0';
        if (strcmp(slash, "tiles") != 0) {
            return tool_fail(error, "a shape ends in /tiles or in nothing, not in /%s", slash);
        }
        v->tiled = true;
    }
    char *cross = strchr(text, 'x');
    if (cross == NULL) {
        return tool_fail(error, "'%s' is not a shape: tile, face, ROWSxCOLUMNS or ROWSxCOLUMNS/tiles", text);
    }
    *cross++ = '\0';
    if (!parse_number32(text, &v->rows, error) || !parse_number32(cross, &v->columns, error)) {
        return tool_fail_at(error, "shape");
    }
    if (v->rows == 0 || v->columns == 0 || (uint64_t)v->rows * v->columns > SIZE_MAX_DATUMS) {
        return tool_fail(error, "a shape of %" PRIu32 "x%" PRIu32 " is empty or too large to show", v->rows,
                         v->columns);
    }
    return true;
}

/* What goes together. */
static bool check(const view *v, tool_error *error)
{
    const bool block = v->format->kind == NUMBER_BLOCK, face = v->rows == FACE && v->columns == FACE;
    if (v->tiled && (v->rows % TILE != 0 || v->columns % TILE != 0)) {
        return tool_fail(error, "tiles are 32x32, and %" PRIu32 "x%" PRIu32 " is not made of them", v->rows,
                         v->columns);
    }
    if (block && !v->tiled && !face) {
        return tool_fail(error, "%s stands in tiles or in a face, with its exponents before it: say ROWSxCOLUMNS/tiles",
                         v->format->name);
    }
    if (v->place != VIEW_MEMORY && !v->tiled && v->columns != KERR_DATA_COLUMNS) {
        return tool_fail(error, "rows of a register file have 16 columns, not %" PRIu32, v->columns);
    }
    if (v->place != VIEW_MEMORY && block) {
        return tool_fail(error, "%s is a format of L1 only; in a register the numbers are bf16 or fp16",
                         v->format->name);
    }
    if (v->place == VIEW_DST32 && v->format->bits != 32) {
        return tool_fail(error, "dst32 holds 32 bits a number, %s has %u", v->format->name, v->format->bits);
    }
    if (v->place == VIEW_DST && v->format->bits != 16) {
        return tool_fail(error, "dst holds 16 bits a number, %s has %u (dst32 holds 32)", v->format->name,
                         v->format->bits);
    }
    if ((v->place == VIEW_SRCA || v->place == VIEW_SRCB) &&
        (v->format->bits == 32) != (strcmp(v->format->name, "tf32") == 0)) {
        return tool_fail(error, "SrcA and SrcB hold 19 bits a number: tf32, bf16, fp16, sm8 or 16-bit integers, not %s",
                         v->format->name);
    }
    return true;
}

bool view_parse(view *v, char *text, tool_error *error)
{
    tile_set tiles = {0};
    unsigned index = 0;
    char *whole = text, *equals = strchr(text, '='), *at = strchr(text, '@');
    *v = (view){.text = whole};
    if (equals != NULL) {
        *equals = '\0';
        v->to = equals + 1;
        const size_t length = strlen(v->to);
        if (length < 5 || strcmp(v->to + length - 4, ".png") != 0) {
            return tool_fail(error, "pictures go to a file whose name ends in .png, not to '%s'", v->to);
        }
    }
    if (at == NULL) {
        return tool_fail(error, "'%s' is not TILE@PLACE:FORMAT[:SHAPE][=FILE.png]", whole);
    }
    char *place = at + 1, *format = strchr(place, ':');
    if (format == NULL) {
        return tool_fail(error, "'%s' has no format behind the place (%s)", whole, number_format_names());
    }
    char *const tile = strdup(text); /* the text stays whole for messages */
    if (tile == NULL) {
        return tool_fail(error, "out of memory");
    }
    char *const cut_at = tile + (at - text), *const cut_format = tile + (format - text);
    char *const cut_shape = strchr(cut_format + 1, ':');
    *cut_at = *cut_format = '\0';
    if (cut_shape != NULL) {
        *cut_shape = '\0';
    }
    bool ok = parse_tiles(tile, true, &tiles, error) && parse_place_name(v, cut_at + 1, error);
    if (ok && tile_set_count(&tiles) != 1) {
        ok = tool_fail(error, "%s are %u tiles, and one at a time is shown", tile, tile_set_count(&tiles));
    }
    if (ok) {
        (void)tile_set_next(&tiles, &index, &v->at);
        v->format = number_format_by_name(cut_format + 1, error);
        ok = v->format != NULL && parse_shape(v, cut_shape == NULL ? NULL : cut_shape + 1, error) && check(v, error);
    }
    free(tile);
    return ok || tool_fail_at(error, "%s", whole);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* Where the number at row, column is in the order it is stored, and in which block: a tile, or all of it. */
static uint32_t stored(const view *v, uint32_t row, uint32_t column, uint32_t *block)
{
    if (!v->tiled) {
        *block = 0;
        return row * v->columns + column;
    }
    *block = row / TILE * (v->columns / TILE) + column / TILE;
    return (row % TILE / FACE * 2 + column % TILE / FACE) * FACE_DATUMS + row % FACE * FACE + column % FACE;
}

static uint32_t block_bytes(const view *v, uint32_t *exponents)
{
    const uint32_t datums = v->tiled ? TILE_DATUMS : v->rows * v->columns;
    *exponents = v->format->kind == NUMBER_BLOCK ? datums / FACE : 0;
    return *exponents + (datums * v->format->bits + 7) / 8;
}

static double number_in(const view *v, const uint8_t *block, uint32_t exponents, uint32_t index)
{
    const uint8_t *at = block + exponents + (uint64_t)index * v->format->bits / 8;
    uint32_t bits = at[0] >> index * v->format->bits % 8;
    for (unsigned i = 1; i < v->format->bits / 8u; i++) {
        bits |= (uint32_t)at[i] << 8 * i;
    }
    return number_value(v->format, bits, exponents ? block[index / FACE] : 0);
}

static bool read_bytes(const view *v, const kerr_chip *chip, const view_bytes *from, uint8_t *to, size_t size,
                       tool_error *error)
{
    if (chip == NULL) {
        if (v->from > from->size || size > from->size - v->from) {
            return tool_fail(error, "%s: %zu bytes from 0x%" PRIx32 " on are more than the file's %zu", from->path,
                             size, v->from, from->size);
        }
        memcpy(to, from->bytes + v->from, size);
        return true;
    }
    const kerr_status status = kerr_peek(chip, v->at, v->from, to, size);
    return status == KERR_OK || tool_fail(error, "%zu bytes at 0x%08" PRIx32 " of tile %u,%u: %s", size, v->from,
                                          v->at.x, v->at.y, kerr_status_text(status));
}

static bool read_memory(const view *v, const kerr_chip *chip, const view_bytes *from, double *numbers,
                        tool_error *error)
{
    uint32_t exponents;
    const uint32_t blocks = v->tiled ? v->rows / TILE * (v->columns / TILE) : 1, bytes = block_bytes(v, &exponents);
    uint8_t *data = malloc((size_t)blocks * bytes);
    if (data == NULL) {
        return tool_fail(error, "out of memory");
    }
    const bool ok = read_bytes(v, chip, from, data, (size_t)blocks * bytes, error);
    for (uint32_t i = 0; ok && i < v->rows * v->columns; i++) {
        uint32_t block;
        const uint32_t index = stored(v, i / v->columns, i % v->columns, &block);
        numbers[i] = number_in(v, data + (size_t)block * bytes, exponents, index);
    }
    free(data);
    return ok;
}

/* A cell of SrcA or SrcB (sign, eight bits of exponent, ten of mantissa) as bits of the format. */
static uint32_t cell_bits(const view *v, uint32_t cell)
{
    const uint32_t sign = cell >> 18, exponent = cell >> 10 & 0xFF, mantissa = cell & 0x3FF;
    if (strcmp(v->format->name, "tf32") == 0) {
        return sign << 31 | exponent << 23 | mantissa << 13;
    }
    if (strcmp(v->format->name, "fp16") == 0) {
        return sign << 15 | (exponent & 0x1F) << 10 | mantissa;
    }
    if (strcmp(v->format->name, "bf16") == 0) {
        return sign << 15 | exponent << 7 | mantissa >> 3;
    }
    if (v->format->bits == 8) { /* integers of eight bits: the magnitude is in the mantissa */
        return sign << 7 | (mantissa & 0x7F);
    }
    return sign << 15 | mantissa >> 3 << 8 | exponent;
}

static kerr_data_file file_of(const view *v)
{
    switch (v->place) {
    case VIEW_SRCA: return KERR_SRCA;
    case VIEW_SRCB: return KERR_SRCB;
    case VIEW_DST32: return v->format->kind == NUMBER_FLOAT ? KERR_DST_FP32 : KERR_DST_RAW32;
    default: break;
    }
    return strcmp(v->format->name, "bf16") == 0   ? KERR_DST_BF16
           : strcmp(v->format->name, "fp16") == 0 ? KERR_DST_FP16
                                                  : KERR_DST_RAW16;
}

static bool read_registers(const view *v, const kerr_chip *chip, double *numbers, tool_error *error)
{
    if (chip == NULL) {
        return tool_fail(error, "a file of bytes has no registers");
    }
    for (uint32_t row = 0; row < v->rows; row++) {
        for (uint32_t column = 0; column < v->columns; column += FACE) {
            uint32_t values[KERR_DATA_COLUMNS], block;
            const uint32_t index = stored(v, row, column, &block);
            const uint32_t at = v->from + block * (TILE_DATUMS / FACE) + index / FACE;
            const kerr_status status = kerr_data_row(chip, v->at, file_of(v), at, values);
            if (status != KERR_OK) {
                return tool_fail(error, "row %" PRIu32 ": %s", at, kerr_status_text(status));
            }
            for (unsigned i = 0; i < FACE; i++) {
                const bool src = v->place == VIEW_SRCA || v->place == VIEW_SRCB;
                numbers[row * v->columns + column + i] =
                    number_value(v->format, src ? cell_bits(v, values[i]) : values[i], 0);
            }
        }
    }
    return true;
}

bool view_read(const view *v, const kerr_chip *chip, const view_bytes *bytes, double *numbers, tool_error *error)
{
    const bool ok =
        v->place == VIEW_MEMORY ? read_memory(v, chip, bytes, numbers, error) : read_registers(v, chip, numbers, error);
    return ok || tool_fail_at(error, "%s", v->text);
}
