/* SPDX-License-Identifier: Apache-2.0 */
/* How people write numbers, tiles, cores and memory ranges, on the command line and in job files alike. */
#ifndef KERR_TOOLS_PLACE_H
#define KERR_TOOLS_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "kerr.h"
#include "tool_error.h"

/* Tiles of one chip, one bit each. */
typedef struct tile_set {
    uint32_t row[KERR_GRID_Y];
} tile_set;

/* A set of cores: bit kerr_core. */
typedef uint32_t core_set;

bool tile_set_has(const tile_set *set, kerr_xy at);
void tile_set_add(tile_set *set, kerr_xy at);
unsigned tile_set_count(const tile_set *set);
/* The next tile of the set after *at, row by row; start with index 0.  False at the end. */
bool tile_set_next(const tile_set *set, unsigned *index, kerr_xy *at);

/* What a tile is called in messages: "Tensix", "DRAM", ... */
const char *tile_kind_name(kerr_tile_kind kind);

/* Decimal or 0x hexadecimal, '_' between digits allowed, at most max. */
bool parse_number(const char *text, uint64_t max, uint64_t *value, tool_error *error);
bool parse_number32(const char *text, uint32_t *value, tool_error *error);
/* The same, with an optional k, M or G (thousand, million, billion) behind a decimal number. */
bool parse_count(const char *text, uint64_t max, uint64_t *value, tool_error *error);
/* Seconds of real time, decimals allowed, more than 0. */
bool parse_seconds(const char *text, double *value, tool_error *error);

/* "x,y", "x1-x2,y1-y2" or "all".  A single tile must exist; from a rectangle and from "all" the Tensix tiles are
 * taken, and there must be one.  With tensix_only a single tile must be a Tensix tile as well. */
bool parse_tiles(const char *text, bool tensix_only, tile_set *set, tool_error *error);
/* "B", "T0,T1,T2", "all", the firmware's names too. */
bool parse_cores(const char *text, core_set *set, tool_error *error);
/* "TILE:CORE", "TILE" or "CORE"; what is left out becomes the first Tensix tile, core B. */
bool parse_place(const char *text, tile_set *tiles, core_set *cores, tool_error *error);
bool parse_core_state(const char *text, kerr_core_state *state);
const char *core_state_name(kerr_core_state state);

#endif
