/* SPDX-License-Identifier: Apache-2.0 */
/* One pixel of the Mandelbrot set in 32-bit integers.  The kernel computes with it, and the test of the
 * picture compares with it on the host. */
#ifndef MANDELBROT_H
#define MANDELBROT_H

#include <stdint.h>

/* kerr_params.argument[] of the picture kernel. */
enum {
    MANDELBROT_WIDTH = 0, /* of this tile's block, in pixels */
    MANDELBROT_HEIGHT,
    MANDELBROT_LEFT, /* of its first pixel */
    MANDELBROT_TOP,
    MANDELBROT_STEP,       /* from one pixel to the next */
    MANDELBROT_ITERATIONS, /* at most */
    MANDELBROT_PIXELS,     /* address of the block in L1: red, green, blue, row by row */
    MANDELBROT_NEXT_ROW,   /* address of the counter the five cores take rows from */
};

/* Numbers have 27 bits after the point. */
#define MANDELBROT_ONE (INT32_C(1) << 27)

/* How often z = z * z + c can be done before z leaves the square -2 <= x, y < 2; at most limit.  In that square
 * one factor can be shifted by two bits and the other by three, so that the high half of their product has its
 * point in the same place again, and nothing overflows: |2xy + c| < 8 + 2. */
static inline uint32_t mandelbrot_iterations(int32_t cx, int32_t cy, uint32_t limit)
{
    const int32_t two = 2 * MANDELBROT_ONE;
    int32_t x = 0, y = 0;
    for (uint32_t n = 0; n < limit; n++) {
        int32_t xx = (int32_t)((int64_t)(x * 4) * (x * 8) >> 32);
        int32_t yy = (int32_t)((int64_t)(y * 4) * (y * 8) >> 32);
        int32_t xy = (int32_t)((int64_t)(x * 4) * (y * 8) >> 32);
        x = xx - yy + cx;
        y = 2 * xy + cy;
        if (x < -two || x >= two || y < -two || y >= two)
            return n;
    }
    return limit;
}

/* Red, green and blue for a count: black inside; else blue, then green, then red, each a hump over the
 * logarithm of the count.  limit is at most 256, so that t is below 256 and the products fit into 32 bits. */
static inline void mandelbrot_colour(uint32_t iterations, uint32_t limit, uint8_t rgb[3])
{
    uint32_t octave = 31 - (uint32_t)__builtin_clz(iterations + 1);
    uint32_t t = octave << 5 | ((iterations + 1) << 5 >> octave & 31);
    uint32_t u = iterations == limit ? 0 : 255 - t;
    rgb[0] = (uint8_t)(9 * u * t * t * t >> 24);
    rgb[1] = (uint8_t)(15 * u * u * t * t >> 24);
    rgb[2] = (uint8_t)(9 * u * u * u * t >> 24);
}

#endif
