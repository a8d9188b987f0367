/* SPDX-License-Identifier: Apache-2.0 */
/* Life of a chip.  All memory is taken here, as private unreserved mappings: what is not touched costs nothing. */
#include "chip/chip.h"

#include "base/bits.h"
#include "riscv/block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { L1_STRIDE = L1_BYTES, FLAG_STRIDE = L1_BYTES >> LINE_SHIFT };

static size_t tiles_bytes(void)
{
    return sizeof(struct tile) * KERR_TENSIX_TILES;
}

static void *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    return memory;
}

static void place_tiles(kerr_chip *chip)
{
    chip->now = 0;
    chip->stop_cycle = NEVER;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        tile_create(&chip->tiles[i], &chip->environment, i, kerr_tensix_xy(i), chip->l1 + (size_t)i * L1_STRIDE,
                    chip->line_flags + (size_t)i * FLAG_STRIDE);
    }
}

void chip_clear(kerr_chip *chip)
{
    tile_watch watch[KERR_TENSIX_TILES][TILE_WATCHES];
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        memcpy(watch[i], chip->tiles[i].watch, sizeof watch[i]);
    }
    /* Fresh zero pages. */
    madvise(chip->l1, (size_t)KERR_TENSIX_TILES * L1_STRIDE, MADV_DONTNEED);
    madvise(chip->line_flags, (size_t)KERR_TENSIX_TILES * FLAG_STRIDE, MADV_DONTNEED);
    madvise(chip->tiles, tiles_bytes(), MADV_DONTNEED);
    for (uint32_t i = 0; i < MAX_THREADS; i++) {
        if (chip->blocks[i] != NULL) {
            rv_block_store_clear(chip->blocks[i]);
        }
    }
    place_tiles(chip);
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        memcpy(chip->tiles[i].watch, watch[i], sizeof watch[i]);
        for (unsigned w = 0; w < TILE_WATCHES; w++) {
            if (watch[i][w].id != 0) {
                tile_refresh(&chip->tiles[i], 0);
                chip->tiles[i].active_from = NEVER;
            }
        }
    }
}

static uint32_t threads_from(const kerr_config *config)
{
    uint32_t threads = config->threads;
    if (threads == 0) {
        const char *text = getenv("KERR_THREADS");
        char *end = NULL;
        const unsigned long given = text != NULL ? strtoul(text, &end, 10) : 0;
        if (text != NULL && end != text && *end == '\0' && given >= 1 && given <= MAX_THREADS) {
            threads = (uint32_t)given;
        } else {
            threads = pool_cpus();
            threads = threads > 8 ? 8 : threads;
        }
    }
    return threads;
}

void kerr_config_init(kerr_config *config)
{
    if (config != NULL) {
        memset(config, 0, sizeof *config);
        config->struct_size = sizeof *config;
    }
}

kerr_status kerr_create(const kerr_config *config, kerr_chip **out)
{
    kerr_config defaults;
    kerr_config_init(&defaults);
    if (out == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    *out = NULL;
    if (config == NULL) {
        config = &defaults;
    }
    if (config->struct_size != sizeof *config || config->threads > MAX_THREADS || config->max_block > BLOCK_MAX ||
        config->window_cycles > STOP_GRID) {
        return KERR_BAD_ARGUMENT;
    }
    for (unsigned i = 0; i < KERR_FAULT_KINDS; i++) {
        if ((unsigned)config->policy[i] > KERR_POLICY_IGNORE) {
            return KERR_BAD_ARGUMENT;
        }
    }
    kerr_chip *chip = calloc(1, sizeof *chip);
    if (chip == NULL) {
        return KERR_NO_MEMORY;
    }
    chip->tiles = map(tiles_bytes());
    chip->l1 = map((size_t)KERR_TENSIX_TILES * L1_STRIDE);
    chip->line_flags = map((size_t)KERR_TENSIX_TILES * FLAG_STRIDE);
    if (chip->tiles == NULL || chip->l1 == NULL || chip->line_flags == NULL) {
        kerr_destroy(chip);
        return KERR_NO_MEMORY;
    }
    chip->environment = (tile_environment){
        .seed = config->seed,
        .max_block = config->max_block == 0 ? BLOCK_MAX : config->max_block,
        .parking = !config->no_parking,
    };
    memcpy(chip->environment.policy, config->policy, sizeof config->policy);
    chip->window = config->window_cycles == 0 ? chip_default_window() : config->window_cycles;
    chip->threads = threads_from(config);
    chip->next_watch_id = 1;
    place_tiles(chip);
    *out = chip;
    return KERR_OK;
}

void kerr_destroy(kerr_chip *chip)
{
    if (chip == NULL) {
        return;
    }
    pool_stop(&chip->pool);
    for (uint32_t i = 0; i < MAX_THREADS; i++) {
        rv_block_store_destroy(chip->blocks[i]);
    }
    if (chip->tiles != NULL) {
        munmap(chip->tiles, tiles_bytes());
    }
    if (chip->l1 != NULL) {
        munmap(chip->l1, (size_t)KERR_TENSIX_TILES * L1_STRIDE);
    }
    if (chip->line_flags != NULL) {
        munmap(chip->line_flags, (size_t)KERR_TENSIX_TILES * FLAG_STRIDE);
    }
    free(chip);
}
