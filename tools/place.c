/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, tiles, cores and policies as people write them.  Every refusal quotes what was written and says what
 * would have been accepted. */
#include "place.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

_Static_assert(KERR_GRID_X <= 32, "a row of tiles is one word");

bool tile_set_has(const tile_set *set, kerr_xy at)
{
    return at.x < KERR_GRID_X && at.y < KERR_GRID_Y && (set->row[at.y] >> at.x & 1) != 0;
}

void tile_set_add(tile_set *set, kerr_xy at)
{
    if (at.x < KERR_GRID_X && at.y < KERR_GRID_Y) {
        set->row[at.y] |= 1u << at.x;
    }
}

unsigned tile_set_count(const tile_set *set)
{
    unsigned count = 0;
    for (unsigned y = 0; y < KERR_GRID_Y; y++) {
        count += (unsigned)__builtin_popcount(set->row[y]);
    }
    return count;
}

bool tile_set_next(const tile_set *set, unsigned *index, kerr_xy *at)
{
    for (; *index < KERR_GRID_X * KERR_GRID_Y; ++*index) {
        const kerr_xy here = {(uint8_t)(*index % KERR_GRID_X), (uint8_t)(*index / KERR_GRID_X)};
        if (tile_set_has(set, here)) {
            *at = here;
            ++*index;
            return true;
        }
    }
    return false;
}

const char *tile_kind_name(kerr_tile_kind kind)
{
    switch (kind) {
    case KERR_TILE_NONE: return "router";
    case KERR_TILE_TENSIX: return "Tensix";
    case KERR_TILE_ETH: return "Ethernet";
    case KERR_TILE_DRAM: return "DRAM";
    case KERR_TILE_PCIE: return "PCIe";
    case KERR_TILE_ARC: return "ARC";
    case KERR_TILE_L2CPU: return "L2CPU";
    case KERR_TILE_SECURITY: return "security";
    }
    return "unknown";
}

/* The value of a digit in any base up to 16, or 16. */
static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return (unsigned)(c - 'a' + 10);
    }
    if (c >= 'A' && c <= 'F') {
        return (unsigned)(c - 'A' + 10);
    }
    return 16;
}

/* Reads digits up to the first character that is none; returns where it stopped, or NULL on overflow or when
 * there was no digit. */
static const char *read_digits(const char *text, unsigned *base, uint64_t *value)
{
    *base = 10;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        *base = 16;
        text += 2;
    }
    if (digit_value(*text) >= *base) {
        return NULL;
    }
    *value = 0;
    for (; digit_value(*text) < *base || (*text == '_' && digit_value(text[1]) < *base); text++) {
        if (*text == '_') {
            continue;
        }
        if (__builtin_mul_overflow(*value, *base, value) || __builtin_add_overflow(*value, digit_value(*text), value)) {
            return NULL;
        }
    }
    return text;
}

static bool refuse_number(const char *text, uint64_t max, tool_error *error)
{
    return tool_fail(error, "'%s' is not a number from 0 to %llu (decimal, or hexadecimal with 0x)", text,
                     (unsigned long long)max);
}

bool parse_number(const char *text, uint64_t max, uint64_t *value, tool_error *error)
{
    unsigned base;
    const char *end = read_digits(text, &base, value);
    if (end == NULL || *end != '\0' || *value > max) {
        return refuse_number(text, max, error);
    }
    return true;
}

bool parse_number32(const char *text, uint32_t *value, tool_error *error)
{
    uint64_t wide;
    if (!parse_number(text, UINT32_MAX, &wide, error)) {
        return false;
    }
    *value = (uint32_t)wide;
    return true;
}

bool parse_count(const char *text, uint64_t max, uint64_t *value, tool_error *error)
{
    unsigned base;
    const char *end = read_digits(text, &base, value);
    uint64_t factor = 1;
    if (end != NULL && *end != '\0' && end[1] == '\0' && base == 10) {
        factor = *end == 'k' ? 1000 : *end == 'M' ? 1000000 : *end == 'G' ? 1000000000 : 0;
        end++;
    }
    if (end == NULL || *end != '\0' || factor == 0 || __builtin_mul_overflow(*value, factor, value) || *value > max) {
        return tool_fail(error, "'%s' is not a count from 0 to %llu (decimal with k, M or G behind it, or hexadecimal)",
                         text, (unsigned long long)max);
    }
    return true;
}

bool parse_seconds(const char *text, double *value, tool_error *error)
{
    char *end = NULL;
    errno = 0;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !isfinite(*value) || *value <= 0 || *value > 1e9) {
        return tool_fail(error, "'%s' is not a number of seconds above 0", text);
    }
    return true;
}

/* "a" or "a-b" with 0 <= a <= b < limit; stops at the character behind it. */
static const char *read_range(const char *text, unsigned limit, unsigned *first, unsigned *last)
{
    unsigned base;
    uint64_t a, b;
    text = read_digits(text, &base, &a);
    if (text == NULL) {
        return NULL;
    }
    b = a;
    if (*text == '-') {
        text = read_digits(text + 1, &base, &b);
        if (text == NULL) {
            return NULL;
        }
    }
    if (a > b || b >= limit) {
        return NULL;
    }
    *first = (unsigned)a;
    *last = (unsigned)b;
    return text;
}

bool parse_tiles(const char *text, bool tensix_only, tile_set *set, tool_error *error)
{
    unsigned x1 = 0, x2 = KERR_GRID_X - 1, y1 = 0, y2 = KERR_GRID_Y - 1;
    if (strcasecmp(text, "all") != 0) {
        const char *end = read_range(text, KERR_GRID_X, &x1, &x2);
        if (end != NULL && *end == ',') {
            end = read_range(end + 1, KERR_GRID_Y, &y1, &y2);
        } else {
            end = NULL;
        }
        if (end == NULL || *end != '\0') {
            return tool_fail(error,
                             "'%s' names no tile: write x,y or x1-x2,y1-y2 with x below %d and y below %d, or all",
                             text, KERR_GRID_X, KERR_GRID_Y);
        }
    }
    const bool single = x1 == x2 && y1 == y2;
    tile_set found = {{0}};
    for (unsigned y = y1; y <= y2; y++) {
        for (unsigned x = x1; x <= x2; x++) {
            const kerr_xy at = {(uint8_t)x, (uint8_t)y};
            const kerr_tile_kind kind = kerr_tile_kind_at(at);
            if (single && (kind == KERR_TILE_NONE || (tensix_only && kind != KERR_TILE_TENSIX))) {
                return tool_fail(error, "there is no %s at %u,%u (%s)",
                                 tensix_only ? "Tensix tile" : "tile with memory", x, y, tile_kind_name(kind));
            }
            if (single || kind == KERR_TILE_TENSIX) {
                tile_set_add(&found, at);
            }
        }
    }
    if (tile_set_count(&found) == 0) {
        return tool_fail(error, "there is no Tensix tile in '%s'", text);
    }
    for (unsigned y = 0; y < KERR_GRID_Y; y++) {
        set->row[y] |= found.row[y];
    }
    return true;
}

bool parse_cores(const char *text, core_set *set, tool_error *error)
{
    if (strcasecmp(text, "all") == 0) {
        *set |= (1u << KERR_CORE_COUNT) - 1;
        return true;
    }
    const char *here = text;
    for (;;) {
        const size_t length = strcspn(here, ",");
        char name[16];
        kerr_core core;
        (void)snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, here);
        if (!kerr_core_by_name(name, &core)) {
            return tool_fail(
                error, "'%.*s' is no baby core: B, T0, T1, T2, NC (or BRISC, TRISC0, TRISC1, TRISC2, NCRISC), or all",
                length > 64 ? 64 : (int)length, here);
        }
        *set |= 1u << core;
        if (here[length] == '\0') {
            return true;
        }
        here += length + 1;
    }
}

bool parse_place(const char *text, tile_set *tiles, core_set *cores, tool_error *error)
{
    char tile_text[64];
    const char *colon = strchr(text, ':');
    const size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    if (length >= sizeof tile_text) {
        return tool_fail(error, "'%.64s...' is no TILE:CORE", text);
    }
    memcpy(tile_text, text, length);
    tile_text[length] = '\0';
    *tiles = (tile_set){{0}};
    *cores = 0;
    if (colon != NULL) {
        return parse_tiles(tile_text, true, tiles, error) && parse_cores(colon + 1, cores, error);
    }
    tool_error ignored;
    if (strcasecmp(text, "all") != 0 && parse_cores(text, cores, &ignored)) {
        tile_set_add(tiles, kerr_tensix_xy(0));
        return true;
    }
    *cores = 1u << KERR_CORE_B;
    return parse_tiles(tile_text, true, tiles, error);
}

static const char *const state_names[] = {
    [KERR_CORE_IN_RESET] = "reset",  [KERR_CORE_RUNNING] = "running", [KERR_CORE_PARKED] = "parked",
    [KERR_CORE_WAITING] = "waiting", [KERR_CORE_HALTED] = "halted",   [KERR_CORE_STOPPED] = "stopped",
};

bool parse_core_state(const char *text, kerr_core_state *state)
{
    for (unsigned i = 0; i < sizeof state_names / sizeof state_names[0]; i++) {
        if (strcasecmp(text, state_names[i]) == 0) {
            *state = (kerr_core_state)i;
            return true;
        }
    }
    return false;
}

const char *core_state_name(kerr_core_state state)
{
    const unsigned i = (unsigned)state;
    return i < sizeof state_names / sizeof state_names[0] ? state_names[i] : "in an unknown state";
}
