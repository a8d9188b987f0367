/* SPDX-License-Identifier: Apache-2.0 */
/* Life of a chip.  All memory is taken here, as private unreserved mappings: what is not touched costs nothing. */
#include "chip/chip.h"

#include "base/bits.h"
#include "base/fast.h"
#include "base/text_number.h"
#include "riscv/block.h"
#include "tensix/matrix/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The L1 of the i-th tile begins here in the mapping; that of CHIP_TILES is its end. */
static size_t l1_offset(uint32_t i)
{
    size_t bytes = 0;
    const struct {
        kerr_tile_kind kind;
        uint32_t count;
    } row[] = {
        {KERR_TILE_TENSIX, KERR_TENSIX_TILES}, {KERR_TILE_ETH, KERR_ETH_TILES}, {KERR_TILE_DRAM, KERR_DRAM_TILES}};
    for (unsigned r = 0; r < 3; r++) {
        const uint32_t part = i < row[r].count ? i : row[r].count;
        bytes += (size_t)part * tile_l1_bytes(row[r].kind);
        i -= part;
    }
    return bytes;
}

static size_t tiles_bytes(void)
{
    return sizeof(struct tile) * CHIP_TILES;
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
    chip->stopping = false;
    chip->passive_due = NEVER;
    memset(chip->due, 0xFF, sizeof chip->due);
    memset(chip->bank_busy_16, 0, sizeof chip->bank_busy_16);
    chip->fabric.served_count = 0;
    for (uint32_t p = 0; p < NOC_PORTS; p++) {
        const kerr_xy at = {(uint8_t)(p % NOC_GRID_X), (uint8_t)(p / NOC_GRID_X)};
        const int tile = p < NOC_NODES ? chip_tile_index(at) : -1;
        if (p < NOC_NODES) {
            chip->tile_of[p] = (int16_t)tile;
        }
        chip->fabric.port[p].has_bank = p < NOC_NODES && kerr_tile_kind_at(at) == KERR_TILE_DRAM;
        chip->fabric.port[p].has_cores = tile >= 0;
        chip->fabric.port[p].due = tile >= 0 ? &chip->due[tile] : &chip->passive_due;
        if (tile < 0 || chip->fabric.port[p].has_bank) {
            chip->fabric.served[chip->fabric.served_count++] = (uint16_t)p;
        }
    }
    memset(chip->made, 0, sizeof chip->made);
}

void chip_make_tile(const kerr_chip *of, uint32_t i)
{
    kerr_chip *chip =
        (kerr_chip *)(uintptr_t)of; /* the tile is there all the time, it has only not been written down */
    struct tile *tile = &chip->tile_space[i];
    const kerr_xy at = chip_tile_xy(i);
    chip->made[i] = true;
    tile_create(tile, &chip->environment, i, kerr_tile_kind_at(at), at, chip->l1 + l1_offset(i),
                chip->line_flags + (l1_offset(i) >> LINE_SHIFT),
                chip_bank_index(at) < 0 ? NULL : &chip->bank[chip_bank_index(at)],
                &chip->fabric.port[noc_node_at(at.x, at.y)], &chip->stores[0], &chip->due[i], &chip->stopping);
    for (unsigned noc = 0; noc < NOC_COUNT; noc++) { /* as system firmware leaves it */
        noc_tables(&chip->passive->harvesting, noc_node_at(at.x, at.y), noc, tile->dev.niu[noc].cfg);
    }
}

struct tile *chip_tiles(kerr_chip *chip)
{
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        (void)chip_tile(chip, i);
    }
    return chip->tile_space;
}

/* l1: that of Tensix tiles too. */
static void clear(kerr_chip *chip, bool l1)
{
    tile_watch watch[CHIP_TILES][TILE_WATCHES] = {0};
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        if (chip->made[i]) {
            memcpy(watch[i], chip_tile(chip, i)->watch, sizeof watch[i]);
        }
    }
    /* Fresh zero pages. */
    const size_t kept = l1 ? 0 : l1_offset(KERR_TENSIX_TILES);
    madvise(chip->l1 + kept, l1_offset(CHIP_TILES) - kept, MADV_DONTNEED);
    madvise(chip->line_flags, l1_offset(CHIP_TILES) >> LINE_SHIFT, MADV_DONTNEED);
    madvise(chip->tile_space, tiles_bytes(), MADV_DONTNEED);
    fabric_clear(&chip->fabric);
    noc_stores_clear(chip->stores, MAX_THREADS);
    for (uint32_t i = 0; i < KERR_DRAM_BANKS; i++) {
        dram_bank_clear(&chip->bank[i]);
    }
    for (uint32_t i = 0; i < MAX_THREADS; i++) {
        if (chip->worker[i].blocks != NULL) {
            rv_block_store_clear(chip->worker[i].blocks);
        }
    }
    const kerr_harvesting harvesting = chip->passive->harvesting;
    madvise(chip->passive, sizeof *chip->passive, MADV_DONTNEED);
    passive_create(chip->passive, &harvesting);
    place_tiles(chip);
    chip->has_stops = false;
    if (chip->checks != NULL) { /* they begin anew */
        check_destroy(chip->checks);
        chip->checks =
            check_create(chip_tiles(chip), KERR_TENSIX_TILES, chip->environment.checks, chip->finding_policy, true);
        chip->environment.checks = chip->checks != NULL ? chip->environment.checks : 0;
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        for (unsigned w = 0; w < TILE_WATCHES; w++) {
            if (watch[i][w].id != 0) {
                memcpy(chip_tile(chip, i)->watch, watch[i], sizeof watch[i]);
                tile_refresh(chip_tile(chip, i), 0);
                chip->due[i] = NEVER;
            }
        }
    }
}

void chip_clear(kerr_chip *chip)
{
    clear(chip, true);
}

void chip_clear_but_l1(kerr_chip *chip)
{
    clear(chip, false);
}

/* 0: KERR_THREADS is no number of threads. */
static uint32_t threads_from(const kerr_config *config)
{
    const char *text = getenv("KERR_THREADS");
    if (config->threads != 0) {
        return config->threads;
    }
    if (text != NULL && *text != '\0') {
        uint64_t given;
        return text_number(text, MAX_THREADS, &given) ? (uint32_t)given : 0;
    }
    const uint32_t cpus = pool_cpus();
    return cpus > 8 ? 8 : cpus;
}

/* What KERR_FAST switches off besides.  False: it makes no sense. */
static bool without_from(const kerr_config *config, uint32_t *without)
{
    const char *text = getenv("KERR_FAST"), *bad;
    size_t length;
    *without = 0;
    if (text != NULL && *text != '\0' && !fast_parse(text, without, &bad, &length)) {
        return false;
    }
    *without |= config->without;
    return (*without & ~(uint32_t)FAST_ALL) == 0;
}

void kerr_config_init(kerr_config *config)
{
    if (config != NULL) {
        memset(config, 0, sizeof *config);
        config->struct_size = sizeof *config;
        config->policy[KERR_FAULT_HAZARD] = KERR_POLICY_IGNORE; /* hardware goes on, with the old value */
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
    /* A caller from before it had `shake`. */
    if (config->struct_size >= offsetof(kerr_config, shake) && config->struct_size < sizeof *config) {
        memcpy(&defaults, config, offsetof(kerr_config, shake));
        defaults.struct_size = sizeof defaults;
        config = &defaults;
    }
    if (config->struct_size != sizeof *config || config->threads > MAX_THREADS || config->max_block > BLOCK_MAX ||
        config->window_cycles > chip_default_window() || !noc_harvesting_is_sane(&config->harvesting)) {
        return KERR_BAD_ARGUMENT;
    }
    const uint32_t threads = threads_from(config);
    uint32_t without;
    if (threads == 0 || !without_from(config, &without)) {
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
    chip->passive = map(sizeof *chip->passive);
    chip->tile_space = map(tiles_bytes());
    if (chip->tile_space !=
        NULL) { /* half of it is written as soon as cores run: 2 MB at once cost less than 500 faults */
        madvise(chip->tile_space, tiles_bytes(), MADV_HUGEPAGE);
    }
    chip->l1 = map(l1_offset(CHIP_TILES));
    chip->line_flags = map(l1_offset(CHIP_TILES) >> LINE_SHIFT);
    bool banks = true;
    for (uint32_t i = 0; i < KERR_DRAM_BANKS; i++) {
        banks = banks && dram_bank_create(&chip->bank[i]);
    }
    if (chip->passive == NULL || chip->tile_space == NULL || chip->l1 == NULL || chip->line_flags == NULL || !banks ||
        !fabric_create(&chip->fabric) || !noc_stores_create(chip->stores, MAX_THREADS)) {
        kerr_destroy(chip);
        return KERR_NO_MEMORY;
    }
    chip->environment = (tile_environment){
        .seed = config->seed,
        .max_block = without & FAST_BLOCKS    ? 1
                     : config->max_block == 0 ? BLOCK_MAX
                                              : config->max_block,
        .parking = !config->no_parking && !(without & FAST_PARK),
        .without = without,
        .shake = {.seed = config->shake},
    };
    memcpy(chip->environment.policy, config->policy, sizeof config->policy);
    for (unsigned i = 0; i < FINDING_KINDS; i++) {
        chip->finding_policy[i] = KERR_POLICY_GO_ON;
    }
    chip->window = config->window_cycles;
    chip->threads = threads;
    chip->next_watch_id = 1;
    chip->changes = 1;
    for (uint32_t i = 0; i < MAX_THREADS; i++) {
        chip->worker[i].packets = &chip->stores[i];
    }
    passive_create(chip->passive, &config->harvesting);
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
    check_destroy(chip->checks);
    for (uint32_t i = 0; i < MAX_THREADS; i++) {
        rv_block_store_destroy(chip->worker[i].blocks);
        matrix_cache_destroy(chip->worker[i].matrix);
    }
    if (chip->passive != NULL) {
        munmap(chip->passive, sizeof *chip->passive);
    }
    for (uint32_t i = 0; i < KERR_DRAM_BANKS; i++) {
        dram_bank_destroy(&chip->bank[i]);
    }
    if (chip->tile_space != NULL) {
        munmap(chip->tile_space, tiles_bytes());
    }
    free(chip->environment.shake.only);
    fabric_destroy(&chip->fabric);
    noc_stores_destroy(chip->stores, MAX_THREADS);
    if (chip->l1 != NULL) {
        munmap(chip->l1, l1_offset(CHIP_TILES));
    }
    if (chip->line_flags != NULL) {
        munmap(chip->line_flags, l1_offset(CHIP_TILES) >> LINE_SHIFT);
    }
    free(chip);
}
