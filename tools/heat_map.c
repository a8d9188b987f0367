/* SPDX-License-Identifier: Apache-2.0 */
#include "heat_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dot_text.h"

enum {
    PANELS = 3,
    STEPS = 120, /* of red, and of blue: with the others they fit a palette */
    MARGIN = 12,
    GAP = 8,
    BETWEEN = 24, /* panels */
    BAR = 16,     /* how wide a scale is */
    BAR_LEAST = 5 * DOT_LINE,
    TICKS = 4,
    WIDE = 800, /* panels of more stand one below the other */
    LABEL = 24,
};

enum dot {
    PAPER,
    INK,
    LINE,
    SAME,
    NOT_A_NUMBER,
    INFINITE,
    MINUS_INFINITE,
    ZERO,
    POSITIVE,
    NEGATIVE = POSITIVE + STEPS,
    DOTS = NEGATIVE + STEPS
};

typedef struct panel {
    const char *name; /* in the description */
    char caption[64];
    const double *numbers, *before; /* before: what is drawn is the difference */
    double range, high, low;
    bool has[ZERO]; /* which of the dots that are not on the scale */
    uint32_t x, y, width, height;
    uint32_t grid_x, grid_y, bar_x, bar_height;
} panel;

typedef struct sheet {
    const heat_map *map;
    unsigned count;
    panel panel[PANELS];
    uint32_t grid_width, grid_height, label_width, width, height;
    bool has[ZERO]; /* of all panels */
} sheet;

/* Of the legend. */
static const char *const dot_name[ZERO] = {
    [SAME] = "same", [NOT_A_NUMBER] = "NaN", [INFINITE] = "inf", [MINUS_INFINITE] = "-inf"};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

bool heat_map_differ(double before, double after)
{
    return before != after && !(isnan(before) && isnan(after));
}

static void set_palette(picture *p)
{
    static const colour fixed[POSITIVE] = {
        [PAPER] = {0xf4, 0xf4, 0xf4},       [INK] = {0x20, 0x20, 0x20},       [LINE] = {0x60, 0x60, 0x60},
        [SAME] = {0xd0, 0xd0, 0xd0},        [NOT_A_NUMBER] = {0xff, 0, 0xff}, [INFINITE] = {0xff, 0xe0, 0},
        [MINUS_INFINITE] = {0, 0xe0, 0xff}, [ZERO] = {0xff, 0xff, 0xff}};
    memcpy(p->palette, fixed, sizeof fixed);
    for (unsigned i = 0; i < STEPS; i++) {
        const uint8_t other = (uint8_t)(255 - 255 * (i + 1) / STEPS);
        p->palette[POSITIVE + i] = (colour){0xff, other, other};
        p->palette[NEGATIVE + i] = (colour){other, other, 0xff};
    }
    p->colours = DOTS;
}

/* What is not zero is never white. */
static uint8_t dot_of(double value, double range)
{
    if (isnan(value)) {
        return NOT_A_NUMBER;
    }
    if (isinf(value)) {
        return value > 0 ? INFINITE : MINUS_INFINITE;
    }
    if (value == 0) {
        return ZERO;
    }
    const double step = range > 0 ? ceil(fabs(value) / range * STEPS) : STEPS;
    return (uint8_t)((value > 0 ? POSITIVE : NEGATIVE) + (step < 1 ? 0 : step < STEPS ? (int)step - 1 : STEPS - 1));
}

static double value_of(const panel *p, uint32_t i)
{
    return p->before != NULL ? p->numbers[i] - p->before[i] : p->numbers[i];
}

static uint8_t dot_at(const panel *p, uint32_t i)
{
    return p->before != NULL && !heat_map_differ(p->before[i], p->numbers[i]) ? SAME : dot_of(value_of(p, i), p->range);
}

/* How far along a side number i begins. */
static uint32_t place_of(const heat_map *map, uint32_t i)
{
    return i * map->pixels + (map->line != 0 ? i / map->line : 0);
}

/* Takes into a panel's scale what it shows. */
static void take_in(panel *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const double value = value_of(p, i);
        const uint8_t dot = dot_at(p, i);
        if (dot < ZERO) {
            p->has[dot] = true;
        } else if (isfinite(value)) {
            p->high = value > p->high ? value : p->high;
            p->low = value < p->low ? value : p->low;
        }
    }
}

/* The scale goes to full colour on the sides that are used. */
static void set_scale(panel *p, double range)
{
    p->range = range > 0 ? range : p->high > -p->low ? p->high : -p->low;
    p->high = p->high > 0 || p->low == 0 ? p->range : 0;
    p->low = p->low < 0 ? -p->range : 0;
}

static void make_panels(sheet *s, double *const *tables, unsigned count)
{
    const uint32_t size = s->map->rows * s->map->columns;
    static const char *const name[PANELS] = {"before", "after", "difference"};
    double high = 0, low = 0;
    s->count = count == 2 ? PANELS : 1;
    for (unsigned i = 0; i < s->count; i++) {
        panel *p = &s->panel[i];
        p->name = count == 2 ? name[i] : "numbers";
        p->numbers = tables[i < count ? i : count - 1];
        p->before = i == 2 ? tables[0] : NULL;
        take_in(p, size);
        if (i < 2) {
            high = p->high > high ? p->high : high;
            low = p->low < low ? p->low : low;
        }
        if (count == 2) {
            (void)snprintf(p->caption, sizeof p->caption, "%s", name[i]);
        }
    }
    for (unsigned i = 0; i < s->count; i++) {
        if (i < 2) {
            s->panel[i].high = high;
            s->panel[i].low = low;
        }
        set_scale(&s->panel[i], i < 2 ? s->map->range : 0);
    }
    if (count == 2) {
        uint32_t different = 0;
        for (uint32_t i = 0; i < size; i++) {
            different += heat_map_differ(tables[0][i], tables[1][i]);
        }
        (void)snprintf(s->panel[2].caption, sizeof s->panel[2].caption, "after - before: %u of %u differ", different,
                       size);
    }
}

static void scale_text(const panel *p, unsigned tick, char text[LABEL])
{
    const double value = p->high + (p->low - p->high) * tick / TICKS;
    (void)snprintf(text, LABEL, "%.5g", value);
}

static uint32_t legend_width(unsigned dot)
{
    return DOT_HEIGHT + dot_text_width(dot_name[dot]) + BETWEEN;
}

static void lay_out(sheet *s)
{
    const heat_map *map = s->map;
    char text[LABEL];
    (void)snprintf(text, sizeof text, "%u", map->first_row + map->rows - 1);
    s->label_width = dot_text_width(text);
    s->grid_width = place_of(map, map->columns - 1) + map->pixels;
    s->grid_height = place_of(map, map->rows - 1) + map->pixels;
    uint32_t x = MARGIN, y = MARGIN + DOT_LINE + GAP;
    s->width = 2 * MARGIN + dot_text_width(map->title);
    for (unsigned i = 0; i < s->count; i++) {
        panel *p = &s->panel[i];
        uint32_t scale = 0;
        for (unsigned tick = 0; tick <= TICKS; tick++) {
            scale_text(p, tick, text);
            scale = larger(scale, dot_text_width(text));
        }
        p->x = x;
        p->y = y;
        p->grid_x = x + s->label_width + GAP;
        p->grid_y = y + (p->caption[0] != '\0' ? DOT_LINE : 0) + DOT_LINE;
        p->bar_x = p->grid_x + s->grid_width + BETWEEN / 2;
        p->bar_height = larger(s->grid_height, BAR_LEAST);
        p->width = larger(p->bar_x + BAR + GAP + scale - x, dot_text_width(p->caption));
        p->height = p->grid_y + p->bar_height + DOT_LINE / 2 - y;
        s->width = larger(s->width, x + p->width + MARGIN);
        s->height = larger(s->height, y + p->height + MARGIN);
        if (s->grid_width > WIDE) {
            y += p->height + BETWEEN;
        } else {
            x += p->width + BETWEEN;
        }
        for (unsigned dot = SAME; dot < ZERO; dot++) {
            s->has[dot] = s->has[dot] || p->has[dot];
        }
    }
    uint32_t legend = 0;
    for (unsigned dot = SAME; dot < ZERO; dot++) {
        legend += s->has[dot] ? legend_width(dot) : 0;
    }
    s->width = larger(s->width, MARGIN + legend);
    s->height += legend != 0 ? DOT_LINE + GAP : 0;
}

/* Every how many rows or columns a number fits that takes `room`. */
static uint32_t step_for(const heat_map *map, uint32_t room)
{
    uint32_t step = 1;
    while (step * map->pixels < room) {
        step *= 2;
    }
    return step;
}

static void draw_numbers(picture *to, const sheet *s, const panel *p)
{
    const heat_map *map = s->map;
    char text[LABEL];
    for (uint32_t row = 0, step = step_for(map, DOT_LINE); row < map->rows; row += step) {
        (void)snprintf(text, sizeof text, "%u", map->first_row + row);
        const uint32_t middle = p->grid_y + place_of(map, row) + map->pixels / 2;
        dot_text(to, p->grid_x - GAP / 2 - dot_text_width(text), middle - DOT_HEIGHT / 2, text, INK);
    }
    (void)snprintf(text, sizeof text, "%u", map->columns - 1);
    for (uint32_t column = 0, step = step_for(map, dot_text_width(text) + DOT_ADVANCE); column < map->columns;
         column += step) {
        (void)snprintf(text, sizeof text, "%u", column);
        if (place_of(map, column) + dot_text_width(text) > s->grid_width + BETWEEN) {
            break; /* the scale's numbers are there */
        }
        dot_text(to, p->grid_x + place_of(map, column), p->grid_y - DOT_HEIGHT - 4, text, INK);
    }
}

static void draw_scale(picture *to, const panel *p)
{
    picture_fill(to, p->bar_x - 1, p->grid_y - 1, BAR + 2, p->bar_height + 2, LINE);
    for (uint32_t y = 0; y < p->bar_height; y++) {
        const double value = p->high + (p->low - p->high) * y / (p->bar_height - 1);
        picture_fill(to, p->bar_x, p->grid_y + y, BAR, 1, dot_of(value, p->range));
    }
    for (unsigned tick = 0; tick <= TICKS; tick++) {
        char text[LABEL];
        const uint32_t y = p->grid_y + (p->bar_height - 1) * tick / TICKS;
        scale_text(p, tick, text);
        picture_fill(to, p->bar_x + BAR, y, 4, 1, INK);
        dot_text(to, p->bar_x + BAR + GAP, y - DOT_HEIGHT / 2, text, INK);
        if (p->range == 0) { /* all zeroes */
            break;
        }
    }
}

static void draw_panel(picture *to, const sheet *s, const panel *p)
{
    const heat_map *map = s->map;
    dot_text(to, p->x, p->y, p->caption, INK);
    draw_numbers(to, s, p);
    picture_fill(to, p->grid_x - 1, p->grid_y - 1, s->grid_width + 2, s->grid_height + 2, LINE);
    for (uint32_t i = 0; i < map->rows * map->columns; i++) {
        picture_fill(to, p->grid_x + place_of(map, i % map->columns), p->grid_y + place_of(map, i / map->columns),
                     map->pixels, map->pixels, dot_at(p, i));
    }
    draw_scale(to, p);
}

static void draw_legend(picture *to, const sheet *s)
{
    uint32_t x = MARGIN;
    const uint32_t y = s->height - MARGIN - DOT_HEIGHT;
    for (unsigned dot = SAME; dot < ZERO; dot++) {
        if (s->has[dot]) {
            picture_fill(to, x, y, DOT_HEIGHT, DOT_HEIGHT, (uint8_t)dot);
            dot_text(to, x + DOT_HEIGHT + GAP / 2, y, dot_name[dot], INK);
            x += legend_width(dot);
        }
    }
}

static void describe(picture *to, const sheet *s)
{
    size_t used = 0;
    (void)snprintf(to->title, sizeof to->title, "%s", s->map->title);
    for (unsigned i = 0; i < s->count && used < sizeof to->description; i++) {
        const panel *p = &s->panel[i];
        used +=
            (size_t)snprintf(to->description + used, sizeof to->description - used,
                             "%s%s at %u,%u, scale %.9g to %.9g at %u,%u, %u by %u", i > 0 ? "; " : "", p->name,
                             p->grid_x, p->grid_y, p->high, p->low, p->bar_x, p->grid_y, (unsigned)BAR, p->bar_height);
    }
}

bool heat_map_draw(const heat_map *map, double *const *tables, unsigned count, picture *made, tool_error *error)
{
    sheet s = {.map = map};
    make_panels(&s, tables, count);
    lay_out(&s);
    if (!picture_make(made, s.width, s.height, error)) {
        return false;
    }
    set_palette(made);
    describe(made, &s);
    dot_text(made, MARGIN, MARGIN, map->title, INK);
    for (unsigned i = 0; i < s.count; i++) {
        draw_panel(made, &s, &s.panel[i]);
    }
    draw_legend(made, &s);
    return true;
}
