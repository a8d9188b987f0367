/* SPDX-License-Identifier: Apache-2.0 */
/* The C half of bench/python_run.py: the integer program of rv-one for so many cycles in one kerr_run, on one thread.
 *
 *   run_bench --image FILE     writes what stands in L1 at the start, from address 0 on
 *   run_bench CYCLES           prints seconds and the hash of the chip, once for each line that it reads */
#include "kerr.h"

#include "rv_load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { IMAGE_BYTES = RV_BUFFER + sizeof(struct rv_memory) };

static void must(kerr_status status)
{
    if (status != KERR_OK) {
        fprintf(stderr, "run_bench: %s\n", kerr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

static const uint8_t *image(void)
{
    static uint8_t bytes[IMAGE_BYTES];
    struct rv_program program;
    struct rv_memory memory;
    rv_load_program(&program, true);
    rv_load_start(&memory, UINT32_MAX, 0);
    memcpy(bytes, program.word, program.size_bytes);
    memcpy(bytes + RV_BUFFER, &memory, sizeof memory);
    return bytes;
}

static double run(uint64_t cycles, uint64_t *hash)
{
    struct timespec before, after;
    kerr_config config;
    kerr_chip *chip;
    kerr_config_init(&config);
    config.threads = 1;
    must(kerr_create(&config, &chip));
    must(kerr_poke(chip, kerr_tensix_xy(0), 0, image(), IMAGE_BYTES));
    must(kerr_core_start(chip, kerr_tensix_xy(0), KERR_CORE_B, 0));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    must(kerr_run(chip, cycles));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    must(kerr_hash(chip, hash));
    kerr_destroy(chip);
    return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--image") == 0) {
        FILE *file = fopen(argv[2], "wb");
        if (file == NULL || fwrite(image(), IMAGE_BYTES, 1, file) != 1 || fclose(file) != 0) {
            perror(argv[2]);
            return EXIT_FAILURE;
        }
        return EXIT_SUCCESS;
    }
    if (argc != 2) {
        fprintf(stderr, "usage: run_bench CYCLES | --image FILE\n");
        return 2;
    }
    for (int c = getchar(); c != EOF; c = getchar()) {
        uint64_t hash = 0;
        const double seconds = run(strtoull(argv[1], NULL, 0), &hash);
        printf("%.6f %016" PRIx64 "\n", seconds, hash);
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
