/* SPDX-License-Identifier: Apache-2.0 */
/* The whole chip multiplies two matrices: BF16 in DRAM, 14 by 10 Tensix tiles, tiles of A multicast along rows and of B along
 * columns, HiFi4, back to DRAM.  The kernel is sdk/examples/matmul.c.
 *
 *   multiply KERNELS OUT [ROWS COLUMNS INNER [PHASES]]
 *
 * KERNELS is the directory with matmul_B.bin ... matmul_NC.bin (kerr-cc --bin); the sizes are in tiles of 32, ROWS a multiple of
 * 20, COLUMNS of 56, INNER of 4 (default 40 56 32); PHASES is 1 (LoFi) to 4 (HiFi4).  OUT.png shows how busy the Matrix Unit
 * of each tile was.  The result is compared with one in floating point, and where it was recorded bit for bit with what a
 * reference simulator made of the same matrices. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "image.h"
#include "kerr.h"
#include "kerr_layout.h"
#include "kerr_params.h"
#include "matmul.h"

enum {
    GRID_COLUMNS = 14,
    GRID_ROWS = 10,
    BLOCK_ROWS = 2,
    BLOCK_COLUMNS = 4,
    STEP = 4, /* tiles of A's columns that are fetched at once */
    SIDE = 32,
    TILE_BYTES = 2048,
    A_BASE = 0x1000000,
    B_BASE = 0x3000000,
    C_BASE = 0x5000000,
    FREED = KERR_SHARED_BASE + 128, /* steps that are done; struct shared of the kernel */
    SLICE_CYCLES = 2000,
};
#define CYCLES_MAX UINT64_C(100000000)
#define CLOCK_HZ 1.35e9
struct problem {
    uint32_t rows, columns, inner, phases; /* the first three in tiles */
    uint16_t *a, *b, *c;                   /* BF16, tile by tile */
};

/* FNV-1a of C, tile by tile as in DRAM, as recorded from ttsim 1.10 with the same kernels and matrices. */
static const struct {
    uint32_t rows, columns, inner, phases;
    uint64_t hash;
} recorded[] = {
    {40, 56, 32, 4, UINT64_C(0xcb6d8d7236aecbcb)},
    {20, 56, 4, 4, UINT64_C(0xffd0a97ae1e480a9)},
};

static const uint32_t code_base[KERR_CORE_COUNT] = {KERR_CODE_BASE_B, KERR_CODE_BASE_T0, KERR_CODE_BASE_T1,
                                                    KERR_CODE_BASE_T2, KERR_CODE_BASE_NC};

static void check(kerr_status status, const char *what)
{
    if (status != KERR_OK) {
        fprintf(stderr, "multiply: %s: %s\n", what, kerr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory) {
        perror("multiply");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Matrices */

/* Numbers from -0.5 to 0.5, none smaller than 0.125. */
static uint16_t *make_matrix(uint32_t tiles, uint32_t state)
{
    uint16_t *data = allocate((size_t)tiles * TILE_BYTES);
    for (uint32_t i = 0; i < tiles * 1024; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (uint16_t)(0x3e00u | (state >> 16 & 0x80ffu));
    }
    return data;
}

static float from_bf16(uint16_t bits)
{
    const uint32_t word = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &word, 4);
    return value;
}

/* Where row r, column c of a matrix is: tiles row by row, four faces of 16 x 16 in each. */
static size_t place(uint32_t columns, uint32_t r, uint32_t c)
{
    const uint32_t tile = r / SIDE * columns + c / SIDE, face = r % SIDE / 16 * 2 + c % SIDE / 16;
    return (size_t)tile * 1024 + face * 256 + r % 16 * 16 + c % 16;
}

static float *row_major(const uint16_t *tiled, uint32_t rows, uint32_t columns)
{
    float *out = allocate(sizeof(float) * SIDE * SIDE * rows * columns);
    for (uint32_t r = 0; r < SIDE * rows; r++)
        for (uint32_t c = 0; c < SIDE * columns; c++)
            out[(size_t)r * SIDE * columns + c] = from_bf16(tiled[place(columns, r, c)]);
    return out;
}

static float *multiply_on_host(const float *a, const float *b, const struct problem *p)
{
    const size_t rows = SIDE * p->rows, columns = SIDE * p->columns, inner = SIDE * p->inner;
    float *c = allocate(sizeof(float) * rows * columns);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < inner; k++) {
            const float factor = a[i * inner + k];
            for (size_t j = 0; j < columns; j++)
                c[i * columns + j] += factor * b[k * columns + j];
        }
    return c;
}

static uint64_t hash_of(const void *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- The chip */

/* NoC 0 coordinates of the bank that matmul.h names in translated ones. */
static kerr_xy bank_at(uint32_t bank)
{
    static const uint8_t row[MATMUL_BANKS / 2] = {0, 2, 9, 5};
    return (kerr_xy){bank < MATMUL_BANKS / 2 ? 0 : 9, row[bank % (MATMUL_BANKS / 2)]};
}

static void to_dram(kerr_chip *chip, uint32_t base, const uint16_t *data, uint32_t tiles)
{
    for (uint32_t i = 0; i < tiles; i++)
        check(kerr_poke(chip, bank_at(i % MATMUL_BANKS), base + i / MATMUL_BANKS * TILE_BYTES, data + (size_t)i * 1024,
                        TILE_BYTES),
              "matrix to DRAM");
}

static void load_kernels(kerr_chip *chip, const char *directory)
{
    static uint8_t code[KERR_CODE_BASE_B_BYTES];
    for (kerr_core core = KERR_CORE_B; core < KERR_CORE_COUNT; core++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/matmul_%s.bin", directory, kerr_core_name(core));
        FILE *file = fopen(path, "rb");
        if (!file) {
            perror(path);
            exit(EXIT_FAILURE);
        }
        const uint32_t size = (uint32_t)fread(code, 1, sizeof code, file);
        fclose(file);
        const kerr_segment segment = {.address = code_base[core], .memory_size = size, .file_size = size, .data = code};
        for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++)
            check(kerr_load(chip, kerr_tensix_xy(i), core, &segment, 1), "load");
    }
}

static void start_tile(kerr_chip *chip, uint32_t index, const struct problem *p)
{
    const kerr_xy at = kerr_tensix_xy(index), last = kerr_tensix_xy(KERR_TENSIX_TILES - 1), first = kerr_tensix_xy(0);
    kerr_params params = {.tile_x = at.x, .tile_y = at.y, .tile_index = index, .tile_count = KERR_TENSIX_TILES};
    params.argument[MATMUL_FLAGS] = (p->phases - 1) | MATMUL_MULTICAST;
    params.argument[MATMUL_FORMATS] = matmul_formats(DATAPATH_BF16, DATAPATH_BF16, DATAPATH_BF16, DATAPATH_BF16);
    params.argument[MATMUL_SHAPE] = matmul_shape(p->rows, p->columns, p->inner);
    params.argument[MATMUL_BLOCK] = matmul_bytes(BLOCK_ROWS, BLOCK_COLUMNS, STEP, 0);
    params.argument[MATMUL_GRID] = matmul_bytes(GRID_COLUMNS, GRID_ROWS, 0, 0);
    params.argument[MATMUL_A] = A_BASE;
    params.argument[MATMUL_B] = B_BASE;
    params.argument[MATMUL_C] = C_BASE;
    params.argument[MATMUL_ENDS] = matmul_bytes(first.x, last.x, first.y, last.y);
    check(kerr_poke(chip, at, KERR_PARAMS_BASE, &params, sizeof params), "parameters");
    for (kerr_core core = KERR_CORE_B; core < KERR_CORE_COUNT; core++)
        check(kerr_core_start(chip, at, core, code_base[core]), "start");
}

static void fail_with_faults(const kerr_chip *chip)
{
    kerr_fault fault;
    for (uint32_t i = 0; kerr_fault_get(chip, i, &fault) == KERR_OK; i++) {
        char line[512];
        kerr_fault_format(&fault, line, sizeof line);
        fprintf(stderr, "multiply: %s\n", line);
    }
    exit(EXIT_FAILURE);
}

static uint32_t peek32(const kerr_chip *chip, kerr_xy at, uint32_t address)
{
    uint32_t word = 0;
    check(kerr_peek(chip, at, address, &word, sizeof word), "peek");
    return word;
}

/* Runs until the last tile's NC has written its last block, which is when all is in DRAM; cycles. */
static uint64_t run(kerr_chip *chip, const struct problem *p)
{
    const bool terminal = isatty(STDERR_FILENO);
    const uint64_t steps = (uint64_t)p->rows * p->columns / (BLOCK_ROWS * BLOCK_COLUMNS) * (p->inner / STEP);
    const double start = seconds_now();
    double shown = start;
    uint64_t cycle = 0;
    for (uint32_t done = 0; done < KERR_TENSIX_TILES;) {
        const kerr_status status = kerr_run(chip, SLICE_CYCLES);
        if (status == KERR_FAULTED)
            fail_with_faults(chip);
        check(status, "run");
        check(kerr_cycle(chip, &cycle), "cycle");
        while (done < KERR_TENSIX_TILES &&
               peek32(chip, kerr_tensix_xy(done), KERR_PARAMS_BASE + offsetof(kerr_params, run[KERR_CORE_NC].state)) ==
                   KERR_RUN_DONE)
            done++;
        if (cycle > CYCLES_MAX) {
            fprintf(stderr, "multiply: tile %" PRIu32 " is not done after %" PRIu64 " cycles\n", done, cycle);
            exit(EXIT_FAILURE);
        }
        if (seconds_now() - shown > (terminal ? 0.1 : 2.0) || done == KERR_TENSIX_TILES) {
            uint64_t freed = 0;
            for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++)
                freed += peek32(chip, kerr_tensix_xy(i), FREED);
            shown = seconds_now();
            fprintf(stderr, "multiply: %5.1f %% of the tiles multiplied, cycle %" PRIu64 " (%.3f ms on the chip)%s",
                    100.0 * (double)freed / (double)steps, cycle, 1e3 * (double)cycle / CLOCK_HZ,
                    terminal && done < KERR_TENSIX_TILES ? "\r" : "\n");
        }
    }
    const double instructions = 16.0 * p->phases * p->rows * p->columns * p->inner;
    fprintf(stderr, "multiply: %.1f million MVMUL of 2048 multiply-adds in %.2f s: %.1f million a second\n",
            1e-6 * instructions, seconds_now() - start, 1e-6 * instructions / (seconds_now() - start));
    return cycle;
}

/* ---- What comes out */

/* In ten thousandths: cycles in which the Matrix Unit of a tile had an MVMUL, of those that its T1 took. */
static uint32_t utilisation(const kerr_chip *chip, uint32_t tile, const struct problem *p)
{
    const uint32_t took =
        peek32(chip, kerr_tensix_xy(tile), KERR_PARAMS_BASE + offsetof(kerr_params, run[KERR_CORE_T1].result));
    const double busy = 16.0 * p->phases * p->rows * p->columns * p->inner / KERR_TENSIX_TILES;
    return took ? (uint32_t)(1e4 * busy / took + 0.5) : 0;
}

/* As text, a cell a tile where it is on the chip, and as a picture from blue (idle) to red. */
static void show_utilisation(const kerr_chip *chip, const struct problem *p, const char *out)
{
    enum { CELL = 24, WIDTH = GRID_COLUMNS * CELL, HEIGHT = GRID_ROWS * CELL };
    static const char *const bar[9] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static uint8_t rgb[HEIGHT][WIDTH][3];
    uint64_t sum = 0;
    printf("Matrix Units, percent of their time with an MVMUL in them:\n");
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const uint32_t busy = utilisation(chip, i, p), level = busy * 8 / 10000 > 8 ? 8 : busy * 8 / 10000;
        sum += busy;
        printf("%s%s%2" PRIu32 "%s", i % GRID_COLUMNS == 0 ? "  " : " ", bar[level], busy / 100,
               i % GRID_COLUMNS == GRID_COLUMNS - 1 ? "\n" : "");
        for (uint32_t y = 0; y < CELL - 1; y++)
            for (uint32_t x = 0; x < CELL - 1; x++) {
                uint8_t *pixel = rgb[i / GRID_COLUMNS * CELL + y][i % GRID_COLUMNS * CELL + x];
                pixel[0] = (uint8_t)(busy * 255 / 10000);
                pixel[1] = (uint8_t)(busy < 5000 ? busy * 200 / 5000 : (10000 - busy) * 200 / 5000);
                pixel[2] = (uint8_t)(255 - busy * 255 / 10000);
            }
    }
    char path[4096];
    snprintf(path, sizeof path, "%s.png", out);
    if (!image_write_png(path, &rgb[0][0][0], WIDTH, HEIGHT)) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    printf("on average %.1f %%; as a picture: %s\n", (double)sum / KERR_TENSIX_TILES / 100, path);
}

/* The recorded hash of such a product, or 0. */
static uint64_t recorded_hash(const struct problem *p)
{
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++)
        if (recorded[i].rows == p->rows && recorded[i].columns == p->columns && recorded[i].inner == p->inner &&
            recorded[i].phases == p->phases)
            return recorded[i].hash;
    return 0;
}

/* True if C is what it should be. */
static bool compare(const struct problem *p)
{
    float *a = row_major(p->a, p->rows, p->inner), *b = row_major(p->b, p->inner, p->columns);
    float *got = row_major(p->c, p->rows, p->columns), *want = multiply_on_host(a, b, p);
    const size_t count = (size_t)SIDE * SIDE * p->rows * p->columns;
    double worst = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        const double error = fabs((double)got[i] - (double)want[i]);
        worst = error > worst ? error : worst;
        squares += (double)want[i] * (double)want[i];
    }
    free(a), free(b), free(got), free(want);
    /* Sums in a 16-bit Dst are rounded to 8 bits once for every 16 products; fewer phases leave out low bits. */
    static const double tolerance[4] = {0.5, 0.25, 0.25, 0.25};
    const double size = sqrt(squares / (double)count), allowed = tolerance[p->phases - 1] * size;
    printf("Against floats on the host: largest error %.3f, elements are about %.2f; at most %.3f expected: %s\n",
           worst, size, allowed, worst <= allowed ? "ok" : "WRONG");
    const uint64_t hash = hash_of(p->c, 2 * count), expected = recorded_hash(p);
    const bool same = expected == 0 || hash == expected;
    printf("Bits of C: %016" PRIx64 "%s\n", hash,
           expected == 0 ? " (no recorded answer for this size)"
           : same        ? ", as recorded: ok"
                         : ", not as recorded: WRONG");
    return worst <= allowed && same;
}

int main(int argc, char **argv)
{
    struct problem p = {.rows = 40, .columns = 56, .inner = 32, .phases = 4};
    if (argc >= 6) {
        p.rows = (uint32_t)strtoul(argv[3], NULL, 10);
        p.columns = (uint32_t)strtoul(argv[4], NULL, 10);
        p.inner = (uint32_t)strtoul(argv[5], NULL, 10);
        p.phases = argc > 6 ? (uint32_t)strtoul(argv[6], NULL, 10) : 4;
    }
    kerr_config config;
    kerr_config_init(&config);
    config.shake = argc > 7 ? strtoull(argv[7], NULL, 10) : 0;
    if ((argc != 3 && (argc < 6 || argc > 8)) || p.rows % 20 != 0 || p.columns % 56 != 0 || p.inner % STEP != 0 ||
        p.rows - 1 > 999 || p.columns - 1 > 999 || p.inner - 1 > 999 || p.phases - 1 > 3) {
        fprintf(
            stderr,
            "usage: multiply KERNELS OUT [ROWS COLUMNS INNER [PHASES [SHAKE]]]   (tiles: multiples of 20, 56, 4)\n");
        return 2;
    }
    p.a = make_matrix(p.rows * p.inner, 1);
    p.b = make_matrix(p.inner * p.columns, 2);
    p.c = allocate((size_t)p.rows * p.columns * TILE_BYTES);
    printf("C (%" PRIu32 " x %" PRIu32 ") = A (%" PRIu32 " x %" PRIu32 ") x B (%" PRIu32 " x %" PRIu32
           "), BF16, %" PRIu32 " fidelity phase%s, on %d tiles\n",
           SIDE * p.rows, SIDE * p.columns, SIDE * p.rows, SIDE * p.inner, SIDE * p.inner, SIDE * p.columns, p.phases,
           p.phases > 1 ? "s" : "", KERR_TENSIX_TILES);
    fflush(stdout);

    kerr_chip *chip = NULL;
    check(kerr_create(&config, &chip), "create");
    to_dram(chip, A_BASE, p.a, p.rows * p.inner);
    to_dram(chip, B_BASE, p.b, p.inner * p.columns);
    load_kernels(chip, argv[1]);
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++)
        start_tile(chip, i, &p);
    const uint64_t cycles = run(chip, &p);
    for (uint32_t i = 0; i < p.rows * p.columns; i++)
        check(kerr_peek(chip, bank_at(i % MATMUL_BANKS), C_BASE + i / MATMUL_BANKS * TILE_BYTES, p.c + (size_t)i * 1024,
                        TILE_BYTES),
              "matrix from DRAM");
    const double operations = 2.0 * SIDE * SIDE * SIDE * p.rows * p.columns * p.inner;
    printf("%" PRIu64 " cycles, %.1f TFLOP/s at 1.35 GHz (140 Matrix Units could do %.0f)\n", cycles,
           1e-12 * operations * CLOCK_HZ / (double)cycles, 1e-12 * 140 * 4096 * CLOCK_HZ / p.phases);
    show_utilisation(chip, &p, argv[2]);
    const bool ok = compare(&p);
    kerr_destroy(chip);
    free(p.a), free(p.b), free(p.c);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
