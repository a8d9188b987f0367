/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of op_load.h with all that kerr.h tells of them:
 *
 *   op_run KERNELS [NAME]   cycles, and instructions of the baby cores and of each unit of the coprocessors; NAME is op_add, ...
 *   op_run KERNELS --test   on a few tiles, with one thread and with two: right, and in the same cycle
 *
 * Status 1: a result is wrong. */
#include "op_chip.h"

#include <inttypes.h>

enum { CHUNK_CYCLES = 1000, MOST_CYCLES = 20000000 };

/* Returns the cycle in which it was found done, 0 if it was not or is wrong. */
static uint64_t run(const char *kernels, const op_load *load, uint32_t threads, bool tell)
{
    kerr_config config;
    kerr_chip *chip;
    struct op_tensors tensors;
    char error[120] = "not done";
    if (!op_tensors(load, &tensors))
        return 0;
    kerr_config_init(&config);
    config.threads = threads;
    op_must(kerr_create(&config, &chip), "create");
    op_begin(chip, kernels, load, &tensors);
    uint64_t cycles = 0;
    while (!op_is_done(chip, load) && cycles < MOST_CYCLES) {
        op_must(kerr_run(chip, CHUNK_CYCLES), "run");
        cycles += CHUNK_CYCLES;
    }
    op_peek_tensor(chip, op_tiles(load), OP_C, tensors.got);
    const bool right = op_is_done(chip, load) && op_is_right(load, &tensors, error, sizeof error);
    if (!right)
        fprintf(stderr, "%s, after %" PRIu64 " cycles: %s\n", op_names[load->kind], cycles, error);
    op_tensors_free(&tensors);
    if (tell) {
        uint64_t instructions = 0, taken[KERR_UNIT_COUNT] = {0}, all = 0;
        for (unsigned i = 0; i < load->cores; i++) {
            kerr_activity activity;
            op_must(kerr_activity_query(chip, kerr_tensix_xy(op_core(i)), &activity), "activity");
            instructions += activity.instructions;
            for (unsigned unit = 0; unit < KERR_UNIT_COUNT; unit++) {
                taken[unit] += activity.unit_taken[unit];
                all += activity.unit_taken[unit];
            }
        }
        printf("%-14s %8" PRIu64 " cycles, %10" PRIu64 " RISC-V instructions (without laps of parked polls), %10" PRIu64
               " Tensix instructions:",
               op_names[load->kind], cycles, instructions, all);
        for (unsigned unit = 0; unit < KERR_UNIT_COUNT; unit++)
            if (taken[unit])
                printf(" %s %" PRIu64, kerr_tensix_unit_name((kerr_tensix_unit)unit), taken[unit]);
        printf("\n");
    }
    kerr_destroy(chip);
    return right ? cycles : 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: op_run KERNELS [NAME | --test]\n");
        return 2;
    }
    const bool test = argc > 2 && strcmp(argv[2], "--test") == 0;
    int status = 0;
    for (unsigned kind = 0; kind < OP_KINDS; kind++) {
        const op_load load = test ? op_few((enum op_kind)kind) : op_whole((enum op_kind)kind);
        if (!test && argc > 2 && strcmp(argv[2], op_names[kind]) != 0)
            continue;
        const uint64_t cycles = run(argv[1], &load, 1, !test);
        if (cycles == 0 || (test && run(argv[1], &load, 2, false) != cycles)) {
            fprintf(stderr, "%s: wrong with one thread, or two need another number of cycles\n", op_names[kind]);
            status = 1;
        }
    }
    return status;
}
