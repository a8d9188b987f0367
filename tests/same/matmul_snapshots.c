/* SPDX-License-Identifier: Apache-2.0 */
/* The sdk's matmul, saved and restored at random cycles, equals the same run without a stop, by the hash of its state.
 *
 *   matmul_snapshots KERNELS [COUNT [SEED [whole]]]
 *
 * A straight run notes its hash in each of COUNT random cycles.  A second one goes from one of them to the next; there it is saved,
 * and another chip, with another number of threads, is restored from that and goes on: what one restore loses shows in the next
 * hash at the latest. */
#include "../../bench/matmul_chip.h"
#include "../support/chip.h"
#include "../support/saved.h"
#include "../support/tap.h"

#include <inttypes.h>

enum { TEST_COUNT = 12, SLICE = 1000, CYCLES_MAX = 20 * 1000 * 1000, CHIPS = 2 };

static uint64_t hash_of(const kerr_chip *chip)
{
    uint64_t hash = 0;
    matmul_must(kerr_hash(chip, &hash), "hash");
    return hash;
}

static void run_to(kerr_chip *chip, uint64_t cycle)
{
    uint64_t now = 0;
    matmul_must(kerr_cycle(chip, &now), "cycle");
    matmul_must(kerr_run(chip, cycle - now), "run");
}

/* How long the product takes. */
static uint64_t length(const char *kernels, const matrix_load *load, uint64_t *result)
{
    const uint32_t tiles = load->columns * load->columns;
    kerr_chip *chip = matmul_chip(kernels, load, 1);
    uint64_t cycle = 0;
    for (uint32_t done = 0; done < tiles && cycle < CYCLES_MAX; cycle += SLICE) {
        matmul_must(kerr_run(chip, SLICE), "run");
        while (done < tiles && matmul_is_done(chip, matmul_tile(load, done))) {
            done++;
        }
    }
    *result = matmul_result(chip, load);
    kerr_destroy(chip);
    return cycle;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    tap t = {0};
    if (argc < 2) {
        fprintf(stderr, "usage: matmul_snapshots KERNELS [COUNT [SEED [whole]]]\n");
        return 2;
    }
    const uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : TEST_COUNT;
    test_random random = {.state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1};
    const matrix_load *load = argc > 4 ? &matmul_whole : &matmul_small;
    uint64_t want = 0;
    const uint64_t end = length(argv[1], load, &want);
    uint64_t *cycle = calloc(count, sizeof *cycle), *hash = calloc(count, sizeof *hash);
    if (cycle == NULL || hash == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        cycle[i] = 1 + test_below(&random, (uint32_t)end - 1);
    }
    qsort(cycle, count, sizeof *cycle, by_size);

    kerr_chip *straight = matmul_chip(argv[1], load, 1);
    for (uint32_t i = 0; i < count; i++) {
        run_to(straight, cycle[i]);
        hash[i] = hash_of(straight);
    }
    run_to(straight, end);
    const uint64_t end_hash = hash_of(straight);
    tap_ok(&t, end < CYCLES_MAX && matmul_result(straight, load) == want,
           "the product is there after %" PRIu64 " cycles", end);
    kerr_destroy(straight);

    kerr_chip *chip[CHIPS] = {matmul_chip(argv[1], load, 1), matmul_chip(argv[1], load, 2)};
    saved_bytes saved = {0};
    uint32_t wrong_before = 0, wrong_after = 0;
    for (uint32_t i = 0; i < count; i++) {
        run_to(chip[i % CHIPS], cycle[i]);
        if (hash_of(chip[i % CHIPS]) != hash[i] && wrong_before++ == 0) {
            printf("# cycle %" PRIu64 ": not the state of the straight run\n", cycle[i]);
        }
        saved.size = saved.at = 0;
        matmul_must(kerr_save(chip[i % CHIPS], saved_put, &saved), "save");
        matmul_must(kerr_restore(chip[(i + 1) % CHIPS], saved_get, &saved), "restore");
        if (hash_of(chip[(i + 1) % CHIPS]) != hash[i] && wrong_after++ == 0) {
            printf("# cycle %" PRIu64 ": restored is not what was saved\n", cycle[i]);
        }
    }
    tap_ok(&t, wrong_after == 0, "%" PRIu32 " cycles: restored on another number of threads, the state is the same",
           count);
    tap_ok(&t, wrong_before == 0, "and runs on to what the straight run has in the next");
    run_to(chip[count % CHIPS], end);
    tap_ok(&t, hash_of(chip[count % CHIPS]) == end_hash && matmul_result(chip[count % CHIPS], load) == want,
           "in the end the same state and the same product");
    for (unsigned i = 0; i < CHIPS; i++) {
        kerr_destroy(chip[i]);
    }
    free(saved.data);
    free(cycle);
    free(hash);
    return tap_end(&t);
}
