/* SPDX-License-Identifier: Apache-2.0 */
#include "heat_map.h"

#include <math.h>

enum { BETWEEN = 12, GREY = 0x60 };

typedef struct colour {
    uint8_t red, green, blue;
} colour;

static colour colour_of(double value, double range)
{
    if (isnan(value)) {
        return (colour){0xff, 0x00, 0xff};
    }
    if (isinf(value)) {
        return value > 0 ? (colour){0xff, 0xe0, 0x00} : (colour){0x00, 0xe0, 0xff};
    }
    const double part = range > 0 ? fabs(value) / range : 0;
    const uint8_t other = (uint8_t)(255 - 255 * (part < 1 ? part : 1));
    return value > 0 ? (colour){0xff, other, other} : (colour){other, other, 0xff};
}

static double largest(const heat_map *map, double *const *tables, unsigned count)
{
    double most = 0;
    for (unsigned t = 0; t < count; t++) {
        for (uint32_t i = 0; i < map->rows * map->columns; i++) {
            const double size = fabs(tables[t][i]);
            if (isfinite(size) && size > most) {
                most = size;
            }
        }
    }
    return most;
}

static void fill(picture *to, uint32_t x, uint32_t y, uint32_t width, uint32_t height, colour c)
{
    for (uint32_t row = y; row < y + height; row++) {
        uint8_t *at = to->rgb + 3 * ((uint64_t)row * to->width + x);
        for (uint32_t i = 0; i < width; i++) {
            *at++ = c.red;
            *at++ = c.green;
            *at++ = c.blue;
        }
    }
}

/* How far along a side number i begins. */
static uint32_t place_of(const heat_map *map, uint32_t i)
{
    return i * map->pixels + (map->line != 0 ? i / map->line : 0);
}

bool heat_map_draw(const heat_map *map, double *const *tables, unsigned count, picture *made, tool_error *error)
{
    const double range = map->range > 0 ? map->range : largest(map, tables, count);
    const uint32_t width = place_of(map, map->columns - 1) + map->pixels,
                   height = place_of(map, map->rows - 1) + map->pixels;
    if (!picture_make(made, count * width + (count - 1) * BETWEEN, height, GREY, error)) {
        return false;
    }
    for (unsigned t = 0; t < count; t++) {
        for (uint32_t i = 0; i < map->rows * map->columns; i++) {
            fill(made, t * (width + BETWEEN) + place_of(map, i % map->columns), place_of(map, i / map->columns),
                 map->pixels, map->pixels, colour_of(tables[t][i], range));
        }
    }
    return true;
}
