/* SPDX-License-Identifier: Apache-2.0 */
/* op_load.h through kerr.h: an operation on a chip, for what needs more than the libttsim ABI tells. */
#ifndef KERR_BENCH_OP_CHIP_H
#define KERR_BENCH_OP_CHIP_H

#include "kerr.h"

#include "op_load.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { OP_PARAMS = 0x18000 /* KERR_PARAMS_BASE of the sdk */ };

static inline void op_must(kerr_status status, const char *what)
{
    if (status != KERR_OK) {
        fprintf(stderr, "op: %s: %s\n", what, kerr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

/* NoC 0 coordinates of the bank that op.h names in translated ones. */
static inline kerr_xy op_bank(uint32_t bank)
{
    static const uint8_t row[OP_BANKS / 2] = {0, 2, 9, 5};
    return (kerr_xy){bank < OP_BANKS / 2 ? 0 : 9, row[bank % (OP_BANKS / 2)]};
}

/* A tensor's pages, to or from DRAM. */
static inline void op_poke_tensor(kerr_chip *chip, uint32_t tiles, uint32_t base, const uint16_t *datum)
{
    for (uint32_t i = 0; i < tiles; i++)
        op_must(kerr_poke(chip, op_bank(i % OP_BANKS), base + i / OP_BANKS * OP_PAGE, datum + i * OP_TILE, OP_PAGE),
                "poke");
}
static inline void op_peek_tensor(const kerr_chip *chip, uint32_t tiles, uint32_t base, uint16_t *datum)
{
    for (uint32_t i = 0; i < tiles; i++)
        op_must(kerr_peek(chip, op_bank(i % OP_BANKS), base + i / OP_BANKS * OP_PAGE, datum + i * OP_TILE, OP_PAGE),
                "peek");
}

static inline void op_load_core(kerr_chip *chip, const char *kernels, const op_load *load, unsigned i)
{
    static const uint32_t code_base[KERR_CORE_COUNT] = {0x0, 0x6000, 0xA000, 0xE000, 0x12000}; /* as the sdk has them */
    static uint8_t code[KERR_CORE_COUNT][16384];
    static uint32_t size[KERR_CORE_COUNT];
    static const char *of;
    const kerr_xy at = kerr_tensix_xy(op_core(i));
    kerr_params params;
    op_load_params(load, i, at.x, at.y, &params);
    op_must(kerr_poke(chip, at, OP_PARAMS, &params, sizeof params), "poke");
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s_%s.bin", kernels, op_names[load->kind], kerr_core_name((kerr_core)core));
        if (of != op_names[load->kind]) {
            FILE *file = fopen(path, "rb");
            if (file == NULL) {
                perror(path);
                exit(EXIT_FAILURE);
            }
            size[core] = (uint32_t)fread(code[core], 1, sizeof code[core], file);
            fclose(file);
        }
        const kerr_segment segment = {
            .address = code_base[core], .memory_size = size[core], .file_size = size[core], .data = code[core]};
        op_must(kerr_load(chip, at, (kerr_core)core, &segment, 1), "load");
    }
    of = op_names[load->kind];
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++)
        op_must(kerr_core_start(chip, at, (kerr_core)core, code_base[core]), "start");
}

/* Tensors in DRAM and all kernels started, in cycle 0. */
static inline void op_begin(kerr_chip *chip, const char *kernels, const op_load *load, const struct op_tensors *t)
{
    op_poke_tensor(chip, op_operand_tiles(load, 0), OP_A, t->in[0]);
    op_poke_tensor(chip, op_operand_tiles(load, 1), OP_B, t->in[1]);
    for (unsigned i = 0; i < load->cores; i++)
        op_load_core(chip, kernels, load, i);
}

static inline bool op_is_done(const kerr_chip *chip, const op_load *load)
{
    for (unsigned i = 0; i < load->cores; i++) {
        uint32_t state = 0;
        op_must(kerr_peek(chip, kerr_tensix_xy(op_core(i)), OP_PARAMS + offsetof(kerr_params, run[KERR_CORE_B].state),
                          &state, sizeof state),
                "peek");
        if (state != KERR_RUN_DONE)
            return false;
    }
    return true;
}

#endif
