/* SPDX-License-Identifier: Apache-2.0 */
/* All tiles at the NoC at once, as in the benchmarks noc-* and dram-copy: the same state for all windows, numbers of
 * threads and slices, parked or not.
 *     noc LOAD ROUNDS THREADS        runs one load and prints the hash: to measure, and to compare builds */
#include "../../bench/noc_load.h"
#include "../support/tap.h"
#include "kerr.h"

#include <inttypes.h>
#include <stdlib.h>

/* Not support/chip.h: its assembler and that of the benchmarks have the same names. */
static void must(kerr_status status, int line)
{
    if (status != KERR_OK) {
        printf("Bail out! line %d: %s\n", line, kerr_status_text(status));
        exit(1);
    }
}
#define MUST(call) must(call, __LINE__)

static kerr_chip *chip_new(const kerr_config *config)
{
    kerr_chip *chip;
    MUST(kerr_create(config, &chip));
    return chip;
}

static uint64_t chip_hash(const kerr_chip *chip)
{
    uint64_t hash;
    MUST(kerr_hash(chip, &hash));
    return hash;
}

enum load { WRITE, READ, MULTICAST, DRAM, LOADS };
static const char *const load_names[LOADS] = {"write", "read", "mcast", "dram"};
enum { SOFT_RESET_ALL_BUT_B = 0x47000, SIZES = 8, CYCLES = 6000 };
#define SOFT_RESET UINT32_C(0xFFB121B0)

static void fill_tables(enum load load, uint32_t tile, struct noc_transfer *in, struct noc_transfer *out)
{
    const uint32_t next = tile - tile % 14 + (tile % 14 + 1) % 14;
    const kerr_xy to = kerr_tensix_xy(next);
    uint32_t at = 0;
    for (uint32_t i = 0; i < SIZES; i++) {
        const uint32_t bytes = load == MULTICAST && i == SIZES - 1 ? 64 : UINT32_C(64) << i;
        const uint32_t page = tile * UINT32_C(0x20000), slot = NOC_SLOTS + tile * NOC_SLOT_BYTES + at;
        const kerr_xy from_bank = kerr_dram_xy(i * 3), to_bank = kerr_dram_xy((i + 1) % SIZES * 3);
        switch (load) {
        case MULTICAST: in[i] = (struct noc_transfer){NOC_SOURCE + at, slot, 0, bytes}; break;
        case DRAM:
            in[i] = (struct noc_transfer){page, NOC_SOURCE + i * 0x1000u, noc_xy(from_bank.x, from_bank.y), 0x1000};
            out[i] =
                (struct noc_transfer){NOC_SOURCE + i * 0x1000u, 0x4000000 + page, noc_xy(to_bank.x, to_bank.y), 0x1000};
            break;
        default: in[i] = (struct noc_transfer){NOC_SOURCE + at, NOC_TARGET + at, noc_xy(to.x, to.y), bytes}; break;
        }
        if (load == MULTICAST) {
            in[i].xy = noc_xy(1, 2) << 12 | noc_xy(16, 11);
        }
        at += bytes;
    }
}

static void start(kerr_chip *chip, enum load load, uint32_t rounds, uint32_t tiles)
{
    const struct noc_pass pass[2] = {
        {.kind = load == READ || load == DRAM ? NOC_PASS_READ : NOC_PASS_WRITE,
         .ctrl = load == MULTICAST ? NOC_CTRL_MULTICAST
                 : load == WRITE   ? NOC_CTRL_WRITE
                                   : NOC_CTRL_READ,
         .table = NOC_TABLE,
         .transfers = SIZES,
         .responses = load == MULTICAST ? KERR_TENSIX_TILES - 1 : 1},
        {.kind = NOC_PASS_WRITE,
         .ctrl = NOC_CTRL_WRITE,
         .table = NOC_TABLE_NEXT,
         .transfers = SIZES,
         .responses = 1,
         .far_moves = true},
    };
    struct rv_program program;
    static uint8_t pattern[65536];
    noc_load_program(&program, pass, load == DRAM ? 2 : 1, load == DRAM ? 0x1000 : NOC_SLIDE,
                     load == DRAM ? UINT32_MAX : NOC_SLIDE_MASK);
    for (uint32_t i = 0; i < tiles; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        struct noc_transfer table[2][SIZES];
        memset(table, 0, sizeof table);
        fill_tables(load, i, table[0], table[1]);
        const struct noc_block block = {.rounds = rounds, .xy = noc_xy(at.x, at.y)};
        noc_fill(pattern, sizeof pattern, i, 0);
        MUST(kerr_write(chip, at, NOC_SOURCE, pattern, sizeof pattern));
        MUST(kerr_write(chip, at, NOC_TABLE, table[0], sizeof table[0]));
        MUST(kerr_write(chip, at, NOC_TABLE_NEXT, table[1], sizeof table[1]));
        MUST(kerr_write(chip, at, NOC_BLOCK, &block, sizeof block));
        MUST(kerr_write(chip, at, 0, program.word, program.size_bytes));
    }
    for (uint32_t i = 0; i < tiles; i++) {
        const uint32_t reset = SOFT_RESET_ALL_BUT_B;
        MUST(kerr_write(chip, kerr_tensix_xy(i), SOFT_RESET, &reset, sizeof reset));
    }
}

static uint64_t hash_after(enum load load, uint32_t threads, uint32_t window, bool no_parking, uint64_t slice)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = threads;
    config.window_cycles = window;
    config.no_parking = no_parking;
    kerr_chip *chip = chip_new(&config);
    start(chip, load, 100, load == MULTICAST ? 14 : KERR_TENSIX_TILES);
    for (uint64_t done = 0; done < CYCLES; done += slice) {
        MUST(kerr_run(chip, slice < CYCLES - done ? slice : CYCLES - done));
    }
    const uint64_t hash = chip_hash(chip);
    kerr_destroy(chip);
    return hash;
}

/* A few tiles send to others that nothing has reached before.  made: those were looked at first, so they are there already. */
static uint64_t hash_of_few(enum load load, uint32_t threads, bool made)
{
    enum { FEW = 5, LONG_ENOUGH = 20000 };
    kerr_config config;
    kerr_config_init(&config);
    config.threads = threads;
    kerr_chip *chip = chip_new(&config);
    if (made) {
        (void)chip_hash(chip);
    }
    start(chip, load, 3, FEW);
    MUST(kerr_run(chip, LONG_ENOUGH));
    const uint64_t hash = chip_hash(chip);
    kerr_destroy(chip);
    return hash;
}

static int print_hash(const char *name, uint32_t rounds, uint32_t threads)
{
    enum load load = WRITE;
    while (load < LOADS && strcmp(name, load_names[load]) != 0) {
        load++;
    }
    if (load == LOADS) {
        return 2;
    }
    kerr_config config;
    kerr_config_init(&config);
    config.threads = threads;
    kerr_chip *chip = chip_new(&config);
    const uint32_t tiles = load == DRAM ? 128 : KERR_TENSIX_TILES;
    start(chip, load, rounds, tiles);
    for (uint32_t i = 0; i < tiles; i++) {
        uint32_t done = 0;
        while (done == 0) {
            MUST(kerr_read(chip, kerr_tensix_xy(i), NOC_BLOCK + 4, &done, sizeof done));
            if (done == 0) {
                MUST(kerr_run(chip, 10000));
            }
        }
    }
    uint64_t cycle;
    MUST(kerr_cycle(chip, &cycle));
    printf("%s %" PRIu32 ": cycle %" PRIu64 " hash %016" PRIx64 "\n", name, rounds, cycle, chip_hash(chip));
    kerr_destroy(chip);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4) {
        return print_hash(argv[1], (uint32_t)strtoul(argv[2], NULL, 0), (uint32_t)strtoul(argv[3], NULL, 0));
    }
    tap t = {0};
    for (enum load load = 0; load < LOADS; load++) {
        const char *name = load_names[load];
        const uint64_t want = hash_after(load, 1, 0, true, CYCLES);
        tap_ok(&t, hash_after(load, 1, 0, false, CYCLES) == want, "%s: parking = none", name);
        tap_ok(&t, hash_after(load, 2, 0, false, CYCLES) == want, "%s: two threads = one", name);
        tap_ok(&t, hash_after(load, 1, 1, true, CYCLES) == want, "%s: windows of 1 = default", name);
        tap_ok(&t, hash_after(load, 1, 7, false, CYCLES) == want, "%s: windows of 7 = default", name);
        tap_ok(&t, hash_after(load, 2, 0, false, 77) == want, "%s: slices of 77 = one call", name);
        const uint64_t few = hash_of_few(load, 1, true);
        tap_ok(&t, hash_of_few(load, 1, false) == few, "%s: tiles made when reached = made before", name);
        tap_ok(&t, hash_of_few(load, 2, false) == few, "%s: the same on two threads", name);
    }
    return tap_end(&t);
}
