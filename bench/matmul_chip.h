/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_load.h through kerr.h: the sdk's matmul on a chip, for benchmarks and tests that want a chip with everything at work. */
#ifndef KERR_BENCH_MATMUL_CHIP_H
#define KERR_BENCH_MATMUL_CHIP_H

#include "kerr.h"

#include "matrix_load.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const uint32_t matmul_code_base[KERR_CORE_COUNT] = {0x0, 0x6000, 0xA000, 0xE000,
                                                           0x12000}; /* as the sdk has them */

/* 512 x 512 x 512 on 64 tiles, as matmul-sdk. */
static const matrix_load matmul_whole = {.operation = MATMUL_MVMUL,
                                         .format = DATAPATH_BF16,
                                         .register_format = DATAPATH_BF16,
                                         .out = DATAPATH_BF16,
                                         .phases = 4,
                                         .flags = MATMUL_MULTICAST,
                                         .side = 16,
                                         .block = 2,
                                         .columns = 8};
/* On four. */
static const matrix_load matmul_small = {.operation = MATMUL_MVMUL,
                                         .format = DATAPATH_BF16,
                                         .register_format = DATAPATH_BF16,
                                         .out = DATAPATH_BF16,
                                         .phases = 2,
                                         .flags = MATMUL_MULTICAST,
                                         .side = 4,
                                         .block = 2,
                                         .columns = 2};

static inline void matmul_must(kerr_status status, const char *what)
{
    if (status != KERR_OK) {
        fprintf(stderr, "matmul: %s: %s\n", what, kerr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

/* NoC 0 coordinates of the bank that matmul.h names in translated ones. */
static inline kerr_xy matmul_bank(uint32_t bank)
{
    static const uint8_t row[MATMUL_BANKS / 2] = {0, 2, 9, 5};
    return (kerr_xy){bank < MATMUL_BANKS / 2 ? 0 : 9, row[bank % (MATMUL_BANKS / 2)]};
}

static inline void matmul_fill(kerr_chip *chip, const matrix_load *load, uint32_t seed, uint32_t base)
{
    static uint8_t bytes[MATRIX_MAX_BYTES];
    const uint32_t size = datapath_tile_bytes(load->format);
    matrix_load_input(load, seed, bytes);
    for (uint32_t i = 0; i < matrix_load_tiles(load); i++)
        matmul_must(
            kerr_poke(chip, matmul_bank(i % MATMUL_BANKS), base + i / MATMUL_BANKS * size, bytes + i * size, size),
            "poke");
}

static inline uint64_t matmul_result(const kerr_chip *chip, const matrix_load *load)
{
    const uint32_t size = datapath_tile_bytes(load->out);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < matrix_load_tiles(load); i++) {
        uint8_t tile[4096];
        matmul_must(kerr_peek(chip, matmul_bank(i % MATMUL_BANKS), MATRIX_C + i / MATMUL_BANKS * size, tile, size),
                    "peek");
        hash = matrix_load_hash(hash, tile, size);
    }
    return hash;
}

static inline kerr_xy matmul_tile(const matrix_load *load, uint32_t i)
{
    return kerr_tensix_xy(i / load->columns * 14 + i % load->columns);
}

static inline void matmul_load_tile(kerr_chip *chip, const char *kernels, const matrix_load *load, uint32_t i)
{
    static uint8_t code[16384], zero[MATRIX_SHARED_BYTES];
    const kerr_xy at = matmul_tile(load, i), last = matmul_tile(load, load->columns * load->columns - 1);
    kerr_params params;
    matrix_load_params(load, 1, at.x, at.y, i, MATRIX_C, last.x, last.y, &params);
    matmul_must(kerr_poke(chip, at, MATRIX_PARAMS, &params, sizeof params), "poke");
    matmul_must(kerr_poke(chip, at, MATRIX_SHARED, zero, sizeof zero), "poke");
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/matmul_%s.bin", kernels, kerr_core_name((kerr_core)core));
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            perror(path);
            exit(EXIT_FAILURE);
        }
        const uint32_t size = (uint32_t)fread(code, 1, sizeof code, file);
        fclose(file);
        const kerr_segment segment = {
            .address = matmul_code_base[core], .memory_size = size, .file_size = size, .data = code};
        matmul_must(kerr_load(chip, at, (kerr_core)core, &segment, 1), "load");
    }
}

static inline bool matmul_is_done(const kerr_chip *chip, kerr_xy at)
{
    uint32_t state = 0;
    matmul_must(
        kerr_peek(chip, at, MATRIX_PARAMS + offsetof(kerr_params, run[KERR_CORE_NC].state), &state, sizeof state),
        "peek");
    return state == KERR_RUN_DONE;
}

static inline void matmul_begin(kerr_chip *chip, const char *kernels, const matrix_load *load)
{
    const uint32_t tiles = load->columns * load->columns;
    matmul_fill(chip, load, 1, MATRIX_A);
    matmul_fill(chip, load, 2, MATRIX_B);
    for (uint32_t i = 0; i < tiles; i++)
        matmul_load_tile(chip, kernels, load, i);
    for (uint32_t i = 0; i < tiles; i++)
        for (unsigned core = 0; core < KERR_CORE_COUNT; core++)
            matmul_must(kerr_core_start(chip, matmul_tile(load, i), (kerr_core)core, matmul_code_base[core]), "start");
}

/* A chip in cycle 0 with A and B in DRAM and all kernels started, on so many threads. */
static inline kerr_chip *matmul_chip(const char *kernels, const matrix_load *load, uint32_t threads)
{
    kerr_config config;
    kerr_chip *chip;
    kerr_config_init(&config);
    config.threads = threads;
    matmul_must(kerr_create(&config, &chip), "create");
    matmul_begin(chip, kernels, load);
    return chip;
}

#endif
