/* SPDX-License-Identifier: Apache-2.0 */
/* What snapshots cost: a chip whose 140 Tensix tiles are all at work, with L1 as full as a load fills it, saved to a file and restored
 * from it; and how long a step back takes at the end of a long run (tools/past.h, which kerr gdb uses).
 *
 *   snapshot_bench KERNELS [FOLDER]    the best of three counts, since other work on the machine only ever makes a run slower
 *
 * snapshot-save      seconds to a file; goal: at most 1
 * snapshot-size      bytes of the file for each byte of memory that was touched and is not zero
 * snapshot-restore   seconds from a file to a chip that can run
 * reverse-step       seconds for one step back 10 million cycles after the start, with default spacing; goal: at most 1 */
#include "../tools/chip_file.h"
#include "../tools/past.h"
#include "matmul_chip.h"
#include "rv_load.h"

#include <inttypes.h>
#include <math.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 3, SETTLE = 20000, PAGE = 4096, L1_BYTES = 1536 * 1024, FILL_FROM = 0x40000, STEPS_BACK = 20 };
static const uint64_t long_run = 10 * 1000 * 1000;
static const double goal_seconds = 1;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Of all threads: what a machine that has other things to do does not change. */
static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- Loads --------------------------------------------------------------------------------------------------- */

/* Integer work on core B of every tile, for ever, and L1 full of bytes that do not compress. */
static kerr_chip *full_chip(uint32_t filled)
{
    static uint8_t noise[L1_BYTES];
    struct rv_program program;
    struct rv_memory memory;
    kerr_chip *chip;
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof noise; i += 8) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t word = state ^ state >> 33;
        memcpy(noise + i, &word, sizeof word);
    }
    matmul_must(kerr_create(NULL, &chip), "create");
    rv_load_program(&program, true);
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        rv_load_start(&memory, UINT32_MAX, i);
        matmul_must(kerr_poke(chip, at, 0, program.word, program.size_bytes), "poke");
        matmul_must(kerr_poke(chip, at, RV_BUFFER, &memory, sizeof memory), "poke");
        if (filled != 0) {
            matmul_must(kerr_poke(chip, at, FILL_FROM, noise + i * 8, filled), "poke");
        }
        matmul_must(kerr_core_start(chip, at, KERR_CORE_B, 0), "start");
    }
    return chip;
}

/* ---- Measures ---------------------------------------------------------------------------------------------------- */

static uint64_t touched(const kerr_chip *chip)
{
    static const uint8_t zero[PAGE];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const uint8_t *bytes = NULL;
        uint64_t size = 0;
        matmul_must(kerr_memory_view(chip, kerr_tensix_xy(i), 0, &bytes, &size), "view");
        for (uint64_t page = 0; page < size; page += PAGE)
            sum += memcmp(bytes + page, zero, PAGE) != 0 ? PAGE : 0;
    }
    return sum;
}

static void fail(const tool_error *error)
{
    fprintf(stderr, "snapshot_bench: %s\n", error->text);
    exit(EXIT_FAILURE);
}

static bool measure_file(const char *name, kerr_chip *chip, const char *path)
{
    double save = 1e9, restore = 1e9, save_cpu = 1e9, restore_cpu = 1e9;
    uint64_t hash[2];
    struct stat file;
    tool_error error;
    matmul_must(kerr_hash(chip, &hash[0]), "hash");
    for (unsigned i = 0; i < ROUNDS; i++) {
        kerr_chip *again;
        const double start = seconds(), start_cpu = cpu_seconds();
        if (!chip_file_write_whole(path, chip, &error))
            fail(&error);
        const double middle = seconds(), middle_cpu = cpu_seconds();
        if (!chip_file_read(path, &again, &error))
            fail(&error);
        save = fmin(save, middle - start);
        save_cpu = fmin(save_cpu, middle_cpu - start_cpu);
        restore = fmin(restore, seconds() - middle);
        restore_cpu = fmin(restore_cpu, cpu_seconds() - middle_cpu);
        matmul_must(kerr_hash(again, &hash[1]), "hash");
        kerr_destroy(again);
        if (hash[0] != hash[1]) {
            fprintf(stderr, "snapshot_bench: restored is not what was saved\n");
            exit(EXIT_FAILURE);
        }
    }
    const double memory = (double)touched(chip);
    if (stat(path, &file) != 0)
        file.st_size = 0;
    unlink(path);
    printf("snapshot-save     %-8s %8.3f s        (at most %.0f), %.3f s of processors\n", name, save, goal_seconds,
           save_cpu);
    printf("snapshot-size     %-8s %8.1f MB       of %.1f MB of L1 touched\n", name, 1e-6 * (double)file.st_size,
           1e-6 * memory);
    printf("snapshot-restore  %-8s %8.3f s        %.3f s of processors\n", name, restore, restore_cpu);
    return save <= goal_seconds;
}

/* As a debugger that has come to a breakpoint and is asked for what was before. */
static bool measure_back(const char *name, kerr_chip *chip, uint64_t cycles)
{
    past p;
    if (!past_begin(&p, chip, 0) || past_go(&p, past_now(&p) + cycles) != PAST_DONE) {
        fprintf(stderr, "snapshot_bench: %s: the run breaks off\n", name);
        exit(EXIT_FAILURE);
    }
    double first = 0, worst = 0, cpu = 0;
    const kerr_stop step = {.at = kerr_tensix_xy(0), .core = KERR_CORE_B, .kind = KERR_STOP_STEP}; /* as gdb's bs */
    for (unsigned i = 0; i < STEPS_BACK; i++) {
        kerr_stop_hit hit;
        const uint64_t before = past_now(&p);
        const double start = seconds(), start_cpu = cpu_seconds();
        if (past_run_back(&p, &step, 1, &hit) != PAST_DONE || past_now(&p) >= before) {
            fprintf(stderr, "snapshot_bench: %s: no step back\n", name);
            exit(EXIT_FAILURE);
        }
        const double taken = seconds() - start;
        first = i == 0 ? taken : first;
        worst = fmax(worst, taken);
        cpu = fmax(cpu, cpu_seconds() - start_cpu);
    }
    printf(
        "reverse-step      %-8s %8.3f s        the worst of %d, the first %.3f (at most %.0f), %.3f s of processors; "
        "%zu snapshots, %.1f MB\n",
        name, worst, STEPS_BACK, first, goal_seconds, cpu, p.count, 1e-6 * (double)past_bytes(&p));
    past_end(&p);
    return worst <= goal_seconds;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: snapshot_bench KERNELS [FOLDER]\n");
        return 2;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/snapshot_bench.chip", argc > 2 ? argv[2] : argv[1]);
    bool good = true;
    kerr_chip *chip = matmul_chip(argv[1], &matmul_whole, 0);
    matmul_must(kerr_run(chip, SETTLE), "run");
    good &= measure_file("matmul", chip, path);
    kerr_destroy(chip);
    chip = full_chip(L1_BYTES - FILL_FROM - 8 * KERR_TENSIX_TILES);
    matmul_must(kerr_run(chip, SETTLE), "run");
    good &= measure_file("full", chip, path);
    good &= measure_back("full", chip, long_run);
    kerr_destroy(chip);
    return !good;
}
