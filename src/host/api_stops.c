/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h, stops: a debugger's breakpoints and watchpoints. */
#include "chip/chip.h"

static bool is_sane(const kerr_chip *chip, const kerr_stop *stop)
{
    const int tile = chip_tile_index(stop->at);
    return tile >= 0 && stop->core < chip_tile(chip, tile)->cores && stop->kind <= KERR_STOP_ACCESS &&
           (stop->kind < KERR_STOP_READ || stop->size != 0);
}

kerr_status kerr_set_stops(kerr_chip *chip, const kerr_stop *stops, size_t count)
{
    if (chip == NULL || (stops == NULL && count != 0) || count > KERR_STOPS_MAX) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    uint8_t room[CHIP_TILES] = {0};
    for (size_t i = 0; i < count; i++) {
        if (!is_sane(chip, &stops[i])) {
            return KERR_BAD_ARGUMENT;
        }
        if (room[chip_tile_index(stops[i].at)]++ == TILE_STOPS) {
            return KERR_NO_MEMORY;
        }
    }
    bool had[CHIP_TILES];
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        had[i] = chip_tile(chip, i)->stops.count != 0;
        if (had[i]) {
            chip_tile(chip, i)->stops.count = 0;
        }
    }
    for (size_t i = 0; i < count; i++) {
        struct tile_stops *of = &chip_tile(chip, chip_tile_index(stops[i].at))->stops;
        of->list[of->count].stop = stops[i];
        of->list[of->count++].index = (uint32_t)i;
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        if (had[i] || chip_tile(chip, i)->stops.count != 0) {
            tile_note_stops(chip_tile(chip, i), chip->now);
        }
    }
    chip->has_stops = count != 0;
    return KERR_OK;
}

kerr_status kerr_stops_hit(const kerr_chip *chip, kerr_stop_hit *first, kerr_stop_hit *last)
{
    if (chip == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    kerr_stop_hit a = {.cycle = NEVER, .index = UINT32_MAX}, b = {.index = UINT32_MAX};
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        const struct tile_stops *of = &chip_tile(chip, i)->stops;
        if (of->count == 0 || of->first.index == UINT32_MAX) {
            continue;
        }
        a = of->first.cycle < a.cycle ? of->first : a;
        b = b.index == UINT32_MAX || of->last.cycle > b.cycle ? of->last : b;
    }
    if (first != NULL) {
        *first = a;
    }
    if (last != NULL) {
        *last = b;
    }
    return KERR_OK;
}
