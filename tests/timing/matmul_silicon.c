/* SPDX-License-Identifier: Apache-2.0 */
/* What a fidelity phase costs in a matrix multiplication: phase B of tensixbench against sdk/examples/matmul.c.
 *
 *   matmul_silicon ZONES.csv KERNELS [TABLE.md]     TAP on stdout; appends to the table if asked to; fails if a zone is out
 *
 * The card ran the vendor library's loop over one pair of tiles at a time.  Its cycles a pair are a composite of unpacking,
 * hand-over and multiplication in code that is not ours, so only the differences between fidelities are judged, as its authors
 * say: they are the MVMULs.  Ours is the kernel of the sdk (T0, T1 and T2 alone, on tiles that lie in L1 from the start) with each
 * pair multiplied eight times, since with one it is the unpackers that set the pace in LoFi.  The figure is the slope of T1's
 * cycles over multiplications; on the card from n = 128 on, because the first point is still in the instruction queue when the
 * clock is read.  The bound is 10 %. */
#include "../../sdk/examples/matmul.h"
#include "../../sdk/include/kerr_params.h"
#include "../support/chip.h"

#include <math.h>
#include <string.h>

enum {
    FIDELITIES = 3,
    POINTS = 4,
    REPEAT = 8, /* multiplications of a pair */
    STEP = 4,
    BOUND = 10, /* percent */
    PARAMS = 0x18000,
    SHARED = 0x20000, /* the kernel's counters: the first two say which tiles are in L1 */
    GIVE_UP = 1000000
};
static const uint32_t code_base[KERR_CORE_COUNT] = {0, 0x6000, 0xa000, 0xe000, 0x12000};

typedef struct zone {
    char name[16];
    uint32_t phases, n[POINTS];
    double card[POINTS], kerr[POINTS];
} zone;

static bool read_zones(const char *path, zone *zones)
{
    FILE *f = fopen(path, "r");
    unsigned count = 0;
    char line[256];
    while (f && fgets(line, sizeof line, f) && count < FIDELITIES) {
        zone *z = &zones[count];
        count += sscanf(line, "%15[^,],%" SCNu32 ",%" SCNu32 ",%lf,%" SCNu32 ",%lf,%" SCNu32 ",%lf,%" SCNu32 ",%lf",
                        z->name, &z->phases, &z->n[0], &z->card[0], &z->n[1], &z->card[1], &z->n[2], &z->card[2],
                        &z->n[3], &z->card[3]) == 2 + 2 * POINTS;
    }
    if (f)
        fclose(f);
    return count == FIDELITIES;
}

static void load(kerr_chip *chip, kerr_xy at, kerr_core core, const char *kernels)
{
    static uint8_t code[16384];
    char path[512];
    snprintf(path, sizeof path, "%s/matmul_%s.bin", kernels, kerr_core_name(core));
    FILE *f = fopen(path, "rb");
    const size_t size = f ? fread(code, 1, sizeof code, f) : 0;
    if (f)
        fclose(f);
    if (size == 0) {
        printf("Bail out! no kernel %s\n", path);
        exit(1);
    }
    MUST(chip, kerr_poke(chip, at, code_base[core], code, size));
}

/* Cycles that T1 takes for n pairs of tiles, REPEAT times each. */
static double run(const char *kernels, uint32_t phases, uint32_t n)
{
    const kerr_xy at = kerr_tensix_xy(0);
    kerr_chip *chip = chip_new_one_thread();
    kerr_params params = {
        .tile_x = at.x,
        .tile_y = at.y,
        .tile_count = 1,
        .argument = {[MATMUL_FLAGS] = phases - 1,
                     [MATMUL_FORMATS] = matmul_formats(DATAPATH_BF16, DATAPATH_BF16, DATAPATH_BF16, DATAPATH_BF16),
                     [MATMUL_SHAPE] = matmul_shape(1, 1, n),
                     [MATMUL_BLOCK] = matmul_bytes(1, 1, STEP, 0),
                     [MATMUL_GRID] = matmul_bytes(1, 1, 0, 0),
                     [MATMUL_REPEAT] = REPEAT}};
    MUST(chip, kerr_poke(chip, at, PARAMS, &params, sizeof params));
    chip_set_word(chip, at, SHARED, n);
    chip_set_word(chip, at, SHARED + 64, n);
    for (kerr_core core = KERR_CORE_T0; core <= KERR_CORE_T2; core++)
        load(chip, at, core, kernels);
    for (kerr_core core = KERR_CORE_T0; core <= KERR_CORE_T2; core++)
        MUST(chip, kerr_core_start(chip, at, core, code_base[core]));
    const uint32_t state = PARAMS + offsetof(kerr_params, run[KERR_CORE_T2].state);
    while (chip_word(chip, at, state) != KERR_RUN_DONE && chip_cycle(chip) < GIVE_UP)
        MUST(chip, kerr_run(chip, 1000));
    const uint32_t took = chip_word(chip, at, PARAMS + offsetof(kerr_params, run[KERR_CORE_T1].result));
    kerr_destroy(chip);
    return took;
}

/* Cycles a pair of tiles, without the first point. */
static double slope(const zone *z, const double *cycles, double pairs)
{
    return (cycles[POINTS - 1] - cycles[1]) / (z->n[POINTS - 1] - z->n[1]) / pairs;
}

int main(int argc, char **argv)
{
    static zone zones[FIDELITIES];
    if (argc < 3 || argc > 4 || !read_zones(argv[1], zones)) {
        fprintf(stderr, "usage: matmul_silicon ZONES.csv KERNELS [TABLE.md]\n");
        return 2;
    }
    for (unsigned i = 0; i < FIDELITIES; i++)
        for (unsigned p = 0; p < POINTS; p++)
            zones[i].kerr[p] = run(argv[2], zones[i].phases, zones[i].n[p]);
    FILE *table = argc > 3 ? fopen(argv[3], "a") : NULL;
    if (table)
        fprintf(table,
                "\n## Fidelity phases (tensixbench, phase B)\n\nMade from tests/timing/matmul_zones.csv; how a zone is "
                "run and judged: tests/timing/matmul_silicon.c.  More cycles a pair of\ntiles from one fidelity to the "
                "next; what a pair takes is the card's library there and the sdk's kernel here, each pair "
                "eight\ntimes, and not judged.\n\n"
                "| from | to | card | kerr | error | a pair: card | kerr |\n|---|---|--:|--:|--:|--:|--:|\n");
    int failed = 0;
    for (unsigned i = 1; i < FIDELITIES; i++) {
        const zone *from = &zones[i - 1], *to = &zones[i];
        const double card = slope(to, to->card, 1) - slope(from, from->card, 1);
        const double kerr = slope(to, to->kerr, REPEAT) - slope(from, from->kerr, REPEAT);
        const double error = 100 * (kerr / card - 1);
        const bool ok = fabs(error) <= BOUND;
        failed += !ok;
        printf("%s %u - %s to %s: %.2f cycles more a pair of tiles, card %.2f (%+.2f %%)\n", ok ? "ok" : "not ok", i,
               from->name, to->name, kerr, card, error);
        if (table)
            fprintf(table, "| %s | %s | %.2f | %.2f | %+.2f %% | %.2f | %.2f |\n", from->name, to->name, card, kerr,
                    error, slope(to, to->card, 1), slope(to, to->kerr, REPEAT));
    }
    printf("1..%d\n", FIDELITIES - 1);
    if (table && fclose(table) != 0)
        failed++;
    return failed || (argc > 3 && !table) ? 1 : 0;
}
