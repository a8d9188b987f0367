/* SPDX-License-Identifier: Apache-2.0 */
/* The whole chip paints one picture: 14 by 10 Tensix tiles, each a block of it, the five cores of a tile
 * sharing the rows of the block.  The kernel is sdk/examples/mandelbrot.c.
 *
 *   picture KERNELS OUT [BLOCK]
 *
 * KERNELS is the directory with mandelbrot_B.bin ... mandelbrot_NC.bin (kerr-cc --bin), OUT.ppm and OUT.png
 * are written, BLOCK is the width and height of a tile's block in pixels (default 48). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "image.h"
#include "kerr.h"
#include "kerr_layout.h"
#include "kerr_params.h"
#include "mandelbrot.h"

enum {
    COLUMNS = 14,
    ROWS = 10,
    BLOCK_DEFAULT = 48,
    BLOCK_MAX = 128,
    ITERATIONS = 256,
    NEXT_ROW = KERR_SHARED_BASE,
    PIXELS = KERR_SHARED_BASE + 0x100,
    SLICE_CYCLES = 20000,
};
#define CYCLES_MAX UINT64_C(2000000000)
#define CYCLES_PER_MS 1.35e6 /* AI clock */

_Static_assert(COLUMNS *ROWS == KERR_TENSIX_TILES, "every tile has a block");
_Static_assert(0x100 + 3 * BLOCK_MAX * BLOCK_MAX <= KERR_SHARED_BASE_BYTES, "a block fits into L1");

static const uint32_t code_base[KERR_CORE_COUNT] = {KERR_CODE_BASE_B, KERR_CODE_BASE_T0, KERR_CODE_BASE_T1,
                                                    KERR_CODE_BASE_T2, KERR_CODE_BASE_NC};

static void check(kerr_status status, const char *what)
{
    if (status != KERR_OK) {
        fprintf(stderr, "picture: %s: %s\n", what, kerr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The image of one core's kernel. */
static uint8_t *read_kernel(const char *directory, kerr_core core, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/mandelbrot_%s.bin", directory, kerr_core_name(core));
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(KERR_CODE_BASE_B_BYTES);
    if (!file || !data) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    *size = fread(data, 1, KERR_CODE_BASE_B_BYTES, file);
    fclose(file);
    return data;
}

/* Everything a tile needs to know, then its five cores start. */
static void start_tile(kerr_chip *chip, uint32_t index, uint32_t block)
{
    int32_t step =
        (int32_t)(INT64_C(14) * MANDELBROT_ONE / (5 * COLUMNS * (int32_t)block)); /* 2.8 wide, from -2 to 0.8 */
    int32_t column = (int32_t)(index % COLUMNS), row = (int32_t)(index / COLUMNS);
    kerr_xy at = kerr_tensix_xy(index);

    kerr_params params = {.tile_x = at.x, .tile_y = at.y, .tile_index = index, .tile_count = KERR_TENSIX_TILES};
    params.argument[MANDELBROT_WIDTH] = block;
    params.argument[MANDELBROT_HEIGHT] = block;
    params.argument[MANDELBROT_LEFT] = (uint32_t)(-2 * MANDELBROT_ONE + column * (int32_t)block * step);
    params.argument[MANDELBROT_TOP] = (uint32_t)((row - ROWS / 2) * (int32_t)block * step);
    params.argument[MANDELBROT_STEP] = (uint32_t)step;
    params.argument[MANDELBROT_ITERATIONS] = ITERATIONS;
    params.argument[MANDELBROT_PIXELS] = PIXELS;
    params.argument[MANDELBROT_NEXT_ROW] = NEXT_ROW;
    check(kerr_poke(chip, at, KERR_PARAMS_BASE, &params, sizeof params), "parameters");
    for (kerr_core core = KERR_CORE_B; core < KERR_CORE_COUNT; core++)
        check(kerr_core_start(chip, at, core, code_base[core]), "start");
}

static bool tile_is_done(const kerr_chip *chip, uint32_t index)
{
    kerr_params params;
    check(kerr_peek(chip, kerr_tensix_xy(index), KERR_PARAMS_BASE, &params, sizeof params), "peek");
    for (uint32_t core = 0; core < KERR_CORE_COUNT; core++) {
        if (params.run[core].state != KERR_RUN_DONE)
            return false;
    }
    return true;
}

/* What the cores took from reset to the end of main. */
static uint64_t instructions(const kerr_chip *chip)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        kerr_params params;
        check(kerr_peek(chip, kerr_tensix_xy(i), KERR_PARAMS_BASE, &params, sizeof params), "peek");
        for (uint32_t core = 0; core < KERR_CORE_COUNT; core++)
            sum += params.run[core].instructions;
    }
    return sum;
}

static void fail_with_faults(const kerr_chip *chip)
{
    kerr_fault fault;
    for (uint32_t i = 0; kerr_fault_get(chip, i, &fault) == KERR_OK; i++) {
        char line[512];
        kerr_fault_format(&fault, line, sizeof line);
        fprintf(stderr, "picture: %s\n", line);
    }
    exit(EXIT_FAILURE);
}

/* Runs until all tiles are done and says how far it is: ten times a second on a terminal, else once in two. */
static void run(kerr_chip *chip)
{
    bool terminal = isatty(STDERR_FILENO);
    bool done[KERR_TENSIX_TILES] = {false};
    uint32_t left = KERR_TENSIX_TILES;
    uint64_t cycle = 0;
    double start = seconds_now(), shown = start;
    while (left > 0) {
        kerr_status status = kerr_run(chip, SLICE_CYCLES);
        if (status == KERR_FAULTED)
            fail_with_faults(chip);
        check(status, "run");
        check(kerr_cycle(chip, &cycle), "cycle");
        for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
            if (!done[i] && tile_is_done(chip, i)) {
                done[i] = true;
                left--;
            }
        }
        if (cycle > CYCLES_MAX) {
            fprintf(stderr, "picture: %" PRIu32 " tiles are not done after %" PRIu64 " cycles\n", left, cycle);
            exit(EXIT_FAILURE);
        }
        if (seconds_now() - shown > (terminal ? 0.1 : 2.0) || left == 0) {
            shown = seconds_now();
            fprintf(stderr, "picture: %3" PRIu32 " of %d tiles done, cycle %" PRIu64 " (%.2f ms on the chip)%s",
                    KERR_TENSIX_TILES - left, KERR_TENSIX_TILES, cycle, (double)cycle / CYCLES_PER_MS,
                    terminal && left ? "\r" : "\n");
        }
    }
    double took = seconds_now() - start;
    fprintf(stderr, "picture: %.0f million instructions on 700 cores in %.2f s: %.0f million a second\n",
            1e-6 * (double)instructions(chip), took, 1e-6 * (double)instructions(chip) / took);
}

int main(int argc, char **argv)
{
    uint32_t block = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : BLOCK_DEFAULT;
    if (argc < 3 || argc > 4 || block < 1 || block > BLOCK_MAX) {
        fprintf(stderr, "usage: picture KERNELS OUT [BLOCK]   (BLOCK 1 to %d pixels)\n", BLOCK_MAX);
        return 2;
    }

    kerr_chip *chip = NULL;
    check(kerr_create(NULL, &chip), "create");
    for (kerr_core core = KERR_CORE_B; core < KERR_CORE_COUNT; core++) {
        size_t size = 0;
        uint8_t *kernel = read_kernel(argv[1], core, &size);
        const kerr_segment segment = {
            .address = code_base[core], .memory_size = (uint32_t)size, .file_size = (uint32_t)size, .data = kernel};
        for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++)
            check(kerr_load(chip, kerr_tensix_xy(i), core, &segment, 1), "load");
        free(kernel);
    }
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++)
        start_tile(chip, i, block);
    run(chip);

    /* Each tile's block goes to its place. */
    uint32_t width = COLUMNS * block, height = ROWS * block;
    uint8_t *rgb = malloc((size_t)3 * width * height);
    if (!rgb) {
        perror("picture");
        return EXIT_FAILURE;
    }
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        for (uint32_t y = 0; y < block; y++) {
            size_t pixel = (size_t)(i / COLUMNS * block + y) * width + i % COLUMNS * block;
            check(kerr_peek(chip, kerr_tensix_xy(i), PIXELS + 3 * block * y, rgb + 3 * pixel, (size_t)3 * block),
                  "peek");
        }
    }
    kerr_destroy(chip);

    char path[4096];
    snprintf(path, sizeof path, "%s.ppm", argv[2]);
    bool ok = image_write_ppm(path, rgb, width, height);
    if (ok) {
        snprintf(path, sizeof path, "%s.png", argv[2]);
        ok = image_write_png(path, rgb, width, height);
    }
    free(rgb);
    if (!ok) {
        perror(path);
        return EXIT_FAILURE;
    }
    fprintf(stderr, "picture: %" PRIu32 " by %" PRIu32 " pixels in %s.ppm and %s.png\n", width, height, argv[2],
            argv[2]);
    return EXIT_SUCCESS;
}
