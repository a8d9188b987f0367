/* SPDX-License-Identifier: Apache-2.0 */
/* A block of a picture, by the five cores of a tile together.  Each takes the next row that nobody has,
 * until there is none: who gets a hard row simply takes fewer.  The host program is examples/picture.c. */
#include "mandelbrot.h"
#include "kerr_sdk.h"

int main(void)
{
    volatile kerr_params *p = KERR_PARAMS;
    uint32_t width = p->argument[MANDELBROT_WIDTH], height = p->argument[MANDELBROT_HEIGHT];
    uint32_t limit = p->argument[MANDELBROT_ITERATIONS];
    int32_t left = (int32_t)p->argument[MANDELBROT_LEFT], top = (int32_t)p->argument[MANDELBROT_TOP];
    int32_t step = (int32_t)p->argument[MANDELBROT_STEP];
    uint8_t *pixels = (uint8_t *)(uintptr_t)p->argument[MANDELBROT_PIXELS];
    volatile uint32_t *next_row = KERR_WORD(p->argument[MANDELBROT_NEXT_ROW]);

    int rows = 0;
    for (uint32_t row; (row = kerr_atomic_add(next_row, 1)) < height; rows++) {
        uint8_t *out = pixels + 3 * width * row;
        int32_t cx = left, cy = top + (int32_t)row * step;
        for (uint32_t column = 0; column < width; column++, cx += step, out += 3)
            mandelbrot_colour(mandelbrot_iterations(cx, cy, limit), limit, out);
    }
    return rows;
}
