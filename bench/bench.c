/* SPDX-License-Identifier: Apache-2.0 */
/* make bench: how fast a library with the libttsim ABI is, and another one beside it.
 *
 *   cc -std=c17 -O2 -D_GNU_SOURCE bench/bench.c -o bench-abi -ldl -lm
 *   ./bench-abi [options] LIBRARY
 *     --ref LIBRARY     measure this one too, turn by turn
 *     --ref-only        and only that one
 *     --reps N          turns for each line (3)
 *     --best            the best turn counts, not the median: on a machine that others use too
 *     --only NAME       only lines whose name starts with NAME; some lines are run only when asked for like this
 *     --steps N         so many steps of each library, not the line's own: for lines that compare with a model, not with a hash
 *     --kernels DIR     datapath_*.bin, matmul_*.bin, vector_*.bin, typecast_T1.bin and op_*.bin of the sdk's examples, for the
 *                       lines unpack-*, pack-*, sfp-*, op-* and of the Matrix Unit
 *     --commit TEXT --compiler TEXT   what to print and record
 *     --record FILE     append the results to a CSV
 *
 * Every measurement is a process of its own, forked here, that opens the library, loads its programs through TLB
 * windows, and clocks; both libraries take turns so that a slow moment of the machine hits both, and the median
 * counts.  Work is useful instructions: steps of the load done by working cores times instructions a step; what
 * polling cores execute does not count.  The memory each working core leaves behind is compared with a model in C,
 * and a wrong byte voids the line.  Exits 1 if any line is void. */
#include "../tests/abi/simlib.h"
#include "data_load.h"
#include "macro_load.h"
#include "matrix_load.h"
#include "noc_load.h"
#include "op_load.h"
#include "rv_load.h"
#include "tt_load.h"
#include "vector_load.h"

#include <getopt.h>
#include <math.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK_CYCLES = 10000, MAX_REPS = 25, GIVE_UP_CYCLES_A_STEP = 2000, MAX_FIGURES = 10 };

typedef struct measurement {
    bool valid;
    double value[MAX_FIGURES]; /* in the line's units */
    uint64_t cycles;           /* that have passed while tiles worked: wait_for_tiles */
    char error[120];
} measurement;

struct line {
    const char *name;
    const char *unit[MAX_FIGURES]; /* of up to so many figures */
    const char
        *figure[MAX_FIGURES]; /* what follows the line's name; NULL: nothing for the first, its unit for others */
    void (*run)(struct simlib *sim, const struct line *line, measurement *m);
    uint32_t steps;
    uint32_t times; /* as many steps are Kerr's, which would be done too soon to be measured; 0: as many as REF's */
    bool all_work, others_poll, firmware_csr;
    uint16_t bytes[NOC_MAX_TRANSFERS]; /* noc-*: of the transfers of one round */
    unsigned slots;           /* noc-mcast: tile i sends to slot i % slots; tiles that share one send the same */
    enum tt_kind tensix;      /* tt-* */
    data_load data;           /* unpack-*, pack-* */
    enum vector_kind vector;  /* sfp-* */
    matrix_load matrix;       /* mvmul-*, elw-*, gapool, matmul-sdk */
    enum op_kind op;          /* op-* */
    bool on_request;          /* runs only if --only names it */
    bool no_reference;        /* which refuses it */
    bool host_time;           /* Kerr's default of it, not none */
    const char *kerr_threads; /* NULL: 1 */
    bool more_is_better;
    double goal_ratio;             /* at least so many times the reference */
    double goal_most[MAX_FIGURES]; /* at most so much, whatever the reference does; 0: no goal */
};

static const char *kernels; /* directory, or NULL */

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool check_tile(struct simlib *sim, unsigned tile, uint32_t steps, measurement *m)
{
    struct rv_memory want, got;
    rv_load_start(&want, steps, tile);
    rv_load_model(&want);
    simlib_read(sim, sim_tensix_x(tile), sim_tensix_y(tile), RV_BUFFER, &got, sizeof got);
    for (unsigned i = 0; i < sizeof want; i++)
        if (((const uint8_t *)&got)[i] != ((const uint8_t *)&want)[i]) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: byte 0x%x is %02x, not %02x", sim_tensix_x(tile),
                     sim_tensix_y(tile), RV_BUFFER + i, ((const uint8_t *)&got)[i], ((const uint8_t *)&want)[i]);
            return false;
        }
    return true;
}

/* rv-one, rv-idle, rv-all: the first tile's B works, or every tile's; the other cores poll or stay in reset. */
static void run_load(struct simlib *sim, const struct line *line, measurement *m)
{
    simlib_start(sim);
    unsigned workers = line->all_work ? SIM_TENSIX : 1;
    unsigned tiles = line->all_work || line->others_poll ? SIM_TENSIX : 1;
    struct rv_program program;
    for (unsigned i = 0; i < tiles; i++) {
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        if (i < workers) {
            struct rv_memory memory;
            rv_load_start(&memory, line->steps, i);
            simlib_write(sim, x, y, RV_BUFFER, &memory, sizeof memory);
        }
        for (unsigned core = 0; core < 5; core++) {
            bool works = core == 0 && i < workers;
            if (works)
                rv_load_program(&program, line->firmware_csr);
            else
                rv_poll_program(&program, RV_POLL + 16 * core, line->firmware_csr);
            simlib_write(sim, x, y, sim_reset_pc[core], program.word, program.size_bytes);
        }
    }
    for (unsigned i = 0; i < tiles; i++)
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), SIM_SOFT_RESET,
                       line->others_poll ? 0 : SIM_RESET_ALL & ~sim_reset_bit[0]);

    double start = now_seconds();
    uint64_t cycles = 0;
    for (unsigned i = 0; i < workers;) {
        sim->clock(CHUNK_CYCLES);
        cycles += CHUNK_CYCLES;
        while (i < workers && simlib_read32(sim, sim_tensix_x(i), sim_tensix_y(i), RV_BLOCK + 4 * BLOCK_DONE) == 1)
            i++;
        if (cycles > (uint64_t)line->steps * GIVE_UP_CYCLES_A_STEP) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: not done after %llu cycles", sim_tensix_x(i),
                     sim_tensix_y(i), (unsigned long long)cycles);
            return;
        }
    }
    double seconds = now_seconds() - start;
    for (unsigned i = 0; i < workers; i++)
        if (!check_tile(sim, i, line->steps, m))
            return;
    m->value[0] = 1e-6 * RV_STEP_INSTRUCTIONS * line->steps * workers / seconds;
    m->valid = true;
}

/* tt-*: T0, T1 and T2 of one tile, or of all, push Tensix instructions; counted is what the units are handed. */
static void run_tensix(struct simlib *sim, const struct line *line, measurement *m)
{
    simlib_start(sim);
    const unsigned tiles = line->all_work ? SIM_TENSIX : 1;
    double instructions = 0;
    struct rv_program program;
    for (unsigned i = 0; i < tiles; i++)
        for (unsigned thread = 0; thread < 3; thread++) {
            tt_load_program(&program, line->tensix, thread, line->steps);
            simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), sim_reset_pc[1 + thread], program.word,
                         program.size_bytes);
            instructions += (double)line->steps * tt_load_instructions(line->tensix, thread);
        }
    for (unsigned i = 0; i < tiles; i++)
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), SIM_SOFT_RESET,
                       SIM_RESET_ALL & ~(sim_reset_bit[1] | sim_reset_bit[2] | sim_reset_bit[3]));
    const double start = now_seconds();
    uint64_t cycles = 0;
    for (unsigned i = 0; i < 3 * tiles;) {
        sim->clock(CHUNK_CYCLES);
        cycles += CHUNK_CYCLES;
        while (i < 3 * tiles &&
               simlib_read32(sim, sim_tensix_x(i / 3), sim_tensix_y(i / 3), TT_DONE + 16 * (i % 3)) == 1)
            i++;
        if (i < 3 * tiles && cycles > (uint64_t)line->steps * GIVE_UP_CYCLES_A_STEP + 1000000) {
            snprintf(m->error, sizeof m->error, "tile %u-%u thread %u: not done after %llu cycles", sim_tensix_x(i / 3),
                     sim_tensix_y(i / 3), i % 3, (unsigned long long)cycles);
            return;
        }
    }
    const double seconds = now_seconds() - start;
    for (unsigned i = 0; i < 3 * tiles; i++)
        for (unsigned g = 0; g < TT_GPRS; g++) {
            const uint32_t got = simlib_read32(sim, sim_tensix_x(i / 3), sim_tensix_y(i / 3),
                                               TT_RESULT + 64 * (i % 3) + 4 * g),
                           want = tt_load_gpr(line->tensix, i % 3, g, line->steps);
            if (got != want) {
                snprintf(m->error, sizeof m->error, "tile %u-%u thread %u: GPR %u is 0x%x, not 0x%x",
                         sim_tensix_x(i / 3), sim_tensix_y(i / 3), i % 3, g, got, want);
                return;
            }
        }
    m->value[0] = 1e-6 * instructions / seconds;
    m->valid = true;
}

/* A kernel of the three; what the build made of sdk/examples/NAME.c.  A line has one NAME. */
static bool load_kernel(struct simlib *sim, const char *name, unsigned tile, unsigned thread, measurement *m)
{
    static uint8_t code[3][16384];
    static size_t size[3];
    if (size[thread] == 0) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s_T%u.bin", kernels ? kernels : "", name, thread);
        FILE *f = kernels ? fopen(path, "rb") : NULL;
        if (f != NULL) {
            size[thread] = fread(code[thread], 1, sizeof code[thread], f);
            fclose(f);
        }
        if (size[thread] == 0) {
            snprintf(m->error, sizeof m->error, "no %s_T%u.bin: --kernels says where (make kernels)", name, thread);
            return false;
        }
    }
    simlib_write(sim, sim_tensix_x(tile), sim_tensix_y(tile), sim_reset_pc[1 + thread], code[thread],
                 (uint32_t)size[thread]);
    return true;
}

static bool check_data(struct simlib *sim, const struct line *line, unsigned tile, measurement *m)
{
    uint8_t input[DATA_MAX_BYTES], want[DATA_MAX_BYTES], got[DATA_MAX_BYTES];
    data_load_input(&line->data, tile, input);
    data_load_output(&line->data, input, want);
    simlib_read(sim, sim_tensix_x(tile), sim_tensix_y(tile), DATA_TO, got, data_load_bytes(&line->data));
    for (uint32_t i = 0; i < data_load_bytes(&line->data); i++)
        if (got[i] != want[i]) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: byte 0x%x is %02x, not %02x", sim_tensix_x(tile),
                     sim_tensix_y(tile), DATA_TO + i, got[i], want[i]);
            return false;
        }
    return true;
}

/* unpack-*, pack-*: tiles go L1 -> unpacker -> Dst -> packer -> L1, one end of it `steps` times; counted are its bytes of L1. */
/* Starts the kernels of all tiles and clocks until T2, which is the last to finish, has.  Seconds, below zero: it has not. */
static double run_kernels(struct simlib *sim, unsigned tiles, uint64_t most, measurement *m)
{
    for (unsigned i = 0; i < tiles; i++)
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), SIM_SOFT_RESET,
                       SIM_RESET_ALL & ~(sim_reset_bit[1] | sim_reset_bit[2] | sim_reset_bit[3]));
    const double start = now_seconds();
    uint64_t cycles = 0;
    for (unsigned i = 0; i < tiles;) {
        sim->clock(CHUNK_CYCLES);
        cycles += CHUNK_CYCLES;
        while (i < tiles && simlib_read32(sim, sim_tensix_x(i), sim_tensix_y(i),
                                          DATA_PARAMS + offsetof(kerr_params, run[3].state)) == KERR_RUN_DONE)
            i++;
        if (i < tiles && cycles > most) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: not done after %llu cycles", sim_tensix_x(i),
                     sim_tensix_y(i), (unsigned long long)cycles);
            return -1;
        }
    }
    return now_seconds() - start;
}

static void run_data(struct simlib *sim, const struct line *line, measurement *m)
{
    simlib_start(sim);
    const unsigned tiles = line->all_work ? SIM_TENSIX : 1;
    for (unsigned i = 0; i < tiles; i++) {
        kerr_params params;
        uint8_t input[DATA_MAX_BYTES];
        data_load_params(&line->data, line->steps, &params);
        data_load_input(&line->data, i, input);
        simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), DATA_PARAMS, &params, sizeof params);
        simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), DATA_FROM, input, data_load_bytes(&line->data));
        for (unsigned thread = 0; thread < 3; thread++)
            if (!load_kernel(sim, "datapath", i, thread, m))
                return;
    }
    const double seconds =
        run_kernels(sim, tiles, (uint64_t)line->steps * line->data.tiles * GIVE_UP_CYCLES_A_STEP + 1000000, m);
    if (seconds < 0)
        return;
    for (unsigned i = 0; i < tiles; i++)
        if (!check_data(sim, line, i, m))
            return;
    m->value[0] = 1e-6 * line->steps * data_load_bytes(&line->data) * tiles / seconds;
    m->valid = true;
}

static bool check_vector(struct simlib *sim, const struct line *line, unsigned tile, measurement *m)
{
    uint32_t want[VECTOR_TILE], got[VECTOR_TILE];
    vector_load_input(line->vector, tile, want);
    vector_load_output(line->vector, line->steps, want);
    simlib_read(sim, sim_tensix_x(tile), sim_tensix_y(tile), DATA_TO, got, sizeof got);
    for (unsigned i = 0; i < VECTOR_TILE; i++)
        if (!vector_load_agrees(line->vector, got[i], want[i])) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: datum %u is %08x, not %08x", sim_tensix_x(tile),
                     sim_tensix_y(tile), i, got[i], want[i]);
            return false;
        }
    return true;
}

/* sdk/examples/vector.c with a tile of 32-bit datums for each Tensix tile. */
static void run_vector(struct simlib *sim, const struct line *line, measurement *m)
{
    static const data_load through = {DATAPATH_DST | DATAPATH_DST32, DATAPATH_INT32, DATAPATH_INT32, 1};
    simlib_start(sim);
    const unsigned tiles = line->all_work ? SIM_TENSIX : 1;
    kerr_params params;
    struct vector_script script;
    data_load_params(&through, 1, &params);
    vector_load_script(line->vector, line->steps, &script);
    for (unsigned i = 0; i < tiles; i++) {
        uint32_t input[VECTOR_TILE];
        vector_load_input(line->vector, i, input);
        simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), DATA_PARAMS, &params, sizeof params);
        simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), DATA_FROM, input, sizeof input);
        simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), VECTOR_SCRIPT, &script, sizeof script);
        for (unsigned thread = 0; thread < 3; thread++)
            if (!load_kernel(sim, "vector", i, thread, m))
                return;
    }
    const double seconds = run_kernels(sim, tiles, (uint64_t)line->steps * 2 * GIVE_UP_CYCLES_A_STEP + 1000000, m);
    if (seconds < 0)
        return;
    for (unsigned i = 0; i < tiles; i++)
        if (!check_vector(sim, line, i, m))
            return;
    m->value[0] = 1e-6 * vector_load_instructions(line->vector, line->steps) * tiles / seconds;
    m->valid = true;
}

/* A core's part of a kernel of all five; a line has one. */
static bool load_five(struct simlib *sim, const char *kernel, unsigned x, unsigned y, unsigned core, measurement *m)
{
    static const char *const name[5] = {"B", "T0", "T1", "T2", "NC"};
    static uint8_t code[5][16384];
    static size_t size[5];
    if (size[core] == 0) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s_%s.bin", kernels ? kernels : "", kernel, name[core]);
        FILE *f = kernels ? fopen(path, "rb") : NULL;
        if (f != NULL) {
            size[core] = fread(code[core], 1, sizeof code[core], f);
            fclose(f);
        }
        if (size[core] == 0) {
            snprintf(m->error, sizeof m->error, "no %s_%s.bin: --kernels says where (make kernels)", kernel,
                     name[core]);
            return false;
        }
    }
    simlib_write(sim, x, y, sim_reset_pc[core], code[core], (uint32_t)size[core]);
    return true;
}

static void fill_matrix(struct simlib *sim, const matrix_load *load, uint32_t seed, uint32_t base)
{
    static uint8_t bytes[MATRIX_MAX_BYTES];
    const uint32_t size = datapath_tile_bytes(load->format);
    matrix_load_input(load, seed, bytes);
    for (uint32_t i = 0; i < matrix_load_tiles(load); i++) {
        const uint32_t bank = i % MATMUL_BANKS;
        simlib_write(sim, matmul_bank_x(bank), matmul_bank_y(bank), base + i / MATMUL_BANKS * size, bytes + i * size,
                     size);
    }
}

static bool check_matrix(struct simlib *sim, const matrix_load *load, uint32_t base, uint64_t want, measurement *m)
{
    const uint32_t size = datapath_tile_bytes(load->out);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < matrix_load_tiles(load); i++) {
        uint8_t tile[4096];
        const uint32_t bank = i % MATMUL_BANKS;
        simlib_read(sim, matmul_bank_x(bank), matmul_bank_y(bank), base + i / MATMUL_BANKS * size, tile, size);
        hash = matrix_load_hash(hash, tile, size);
    }
    if (hash == want)
        return true;
    snprintf(m->error, sizeof m->error, "C at 0x%x: hash is 0x%016llx, not 0x%016llx", base, (unsigned long long)hash,
             (unsigned long long)want);
    return false;
}

/* mvmul-*, elw-bf16, gapool: one tile, or each of all for itself, multiplies a pair of tiles `steps` times; counted are the
 * Matrix Unit's instructions.  matmul-sdk: a square of tiles shares a product; counted are floating-point operations. */
static void run_matrix(struct simlib *sim, const struct line *line, measurement *m)
{
    const matrix_load *load = &line->matrix;
    const unsigned side = load->columns, tiles = side > 1 ? side * side : line->all_work ? SIM_TENSIX : 1;
    simlib_start(sim);
    fill_matrix(sim, load, 1, MATRIX_A);
    fill_matrix(sim, load, 2, MATRIX_B);
    for (unsigned i = 0; i < tiles; i++) {
        const unsigned at = side > 1 ? i / side * 14 + i % side : i, x = sim_tensix_x(at), y = sim_tensix_y(at);
        kerr_params params;
        matrix_load_params(load, line->steps, x, y, side > 1 ? i : 0, MATRIX_C + (side > 1 ? 0 : i * 4096),
                           sim_tensix_x(side - 1), sim_tensix_y(14 * (side - 1)), &params);
        static const uint8_t zero[MATRIX_SHARED_BYTES];
        simlib_write(sim, x, y, MATRIX_PARAMS, &params, sizeof params);
        simlib_write(sim, x, y, MATRIX_SHARED, zero, sizeof zero);
        for (unsigned core = 0; core < 5; core++)
            if (!load_five(sim, "matmul", x, y, core, m))
                return;
    }
    const double start = now_seconds();
    for (unsigned i = 0; i < tiles; i++) {
        const unsigned at = side > 1 ? i / side * 14 + i % side : i;
        simlib_write32(sim, sim_tensix_x(at), sim_tensix_y(at), SIM_SOFT_RESET, 0);
    }
    uint64_t cycles = 0;
    for (unsigned i = 0; i < tiles;) {                         /* NC is the last to finish */
        const uint32_t chunk = side > 1 ? 1000 : CHUNK_CYCLES; /* matmul-sdk is over after some ten thousands */
        sim->clock(chunk);
        cycles += chunk;
        for (; i < tiles; i++) {
            const unsigned at = side > 1 ? i / side * 14 + i % side : i;
            if (simlib_read32(sim, sim_tensix_x(at), sim_tensix_y(at),
                              MATRIX_PARAMS + offsetof(kerr_params, run[4].state)) != KERR_RUN_DONE)
                break;
        }
        if (i < tiles && cycles > (uint64_t)line->steps * GIVE_UP_CYCLES_A_STEP + 10000000) {
            snprintf(m->error, sizeof m->error, "tile %u: not done after %llu cycles", i, (unsigned long long)cycles);
            return;
        }
    }
    const double seconds = now_seconds() - start;
    for (unsigned i = 0; i < (side > 1 ? 1 : tiles); i++)
        if (!check_matrix(sim, load, MATRIX_C + i * 4096, load->hash[line->all_work][line->times > 1], m))
            return;
    const double flops = 2.0 * 32768 * load->side * load->side * load->side;
    m->value[0] =
        side > 1 ? 1e-9 * flops / seconds : 1e-6 * line->steps * matrix_load_instructions(load) * tiles / seconds;
    m->valid = true;
}

/* sfp-macro-typecast: the conversion kernel of the sdk, FP32 to BF16 over and over; counted are rows of 32 datums. */
static void run_macro(struct simlib *sim, const struct line *line, measurement *m)
{
    uint8_t code[16384];
    char path[512];
    snprintf(path, sizeof path, "%s/typecast_T1.bin", kernels ? kernels : "");
    FILE *f = kernels ? fopen(path, "rb") : NULL;
    const size_t size = f ? fread(code, 1, sizeof code, f) : 0;
    if (f)
        fclose(f);
    if (size == 0) {
        snprintf(m->error, sizeof m->error, "no typecast_T1.bin: --kernels says where (make kernels)");
        return;
    }
    simlib_start(sim);
    const unsigned tiles = line->all_work ? SIM_TENSIX : 1;
    uint32_t words[TYPECAST_DATUMS], got[TYPECAST_DATUMS];
    for (unsigned i = 0; i < tiles; i++) {
        const kerr_params params = macro_load_params(line->steps);
        macro_load_input(words, i);
        simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), DATA_PARAMS, &params, sizeof params);
        simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), MACRO_FROM, words, sizeof words);
        simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), sim_reset_pc[2], code, (uint32_t)size);
    }
    for (unsigned i = 0; i < tiles; i++)
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[2]);
    const double start = now_seconds();
    uint64_t cycles = 0;
    for (unsigned i = 0; i < tiles;) {
        sim->clock(CHUNK_CYCLES);
        cycles += CHUNK_CYCLES;
        while (i < tiles && simlib_read32(sim, sim_tensix_x(i), sim_tensix_y(i),
                                          DATA_PARAMS + offsetof(kerr_params, run[2].state)) == KERR_RUN_DONE)
            i++;
        if (i < tiles && cycles > (uint64_t)line->steps * GIVE_UP_CYCLES_A_STEP + 1000000) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: not done after %llu cycles", sim_tensix_x(i),
                     sim_tensix_y(i), (unsigned long long)cycles);
            return;
        }
    }
    const double seconds = now_seconds() - start;
    for (unsigned i = 0; i < tiles; i++) {
        macro_load_input(words, i);
        simlib_read(sim, sim_tensix_x(i), sim_tensix_y(i), MACRO_TO, got, sizeof got);
        for (unsigned k = 0; k < TYPECAST_DATUMS; k++)
            if (got[k] != macro_load_output(words[k])) {
                snprintf(m->error, sizeof m->error, "tile %u-%u: 0x%08x gives 0x%08x, not 0x%08x", sim_tensix_x(i),
                         sim_tensix_y(i), words[k], got[k], macro_load_output(words[k]));
                return;
            }
    }
    m->value[0] = 1e-6 * line->steps * TYPECAST_ROWS * tiles / seconds;
    m->valid = true;
}

/* A tensor's pages, to or from DRAM. */
static void op_tensor(struct simlib *sim, uint32_t tiles, uint32_t base, uint16_t *datum, bool write)
{
    for (uint32_t i = 0; i < tiles; i++) {
        const uint32_t x = op_bank_x(i % OP_BANKS), y = op_bank_y(i % OP_BANKS), at = base + i / OP_BANKS * OP_PAGE;
        if (write)
            simlib_write(sim, x, y, at, datum + i * OP_TILE, OP_PAGE);
        else
            simlib_read(sim, x, y, at, datum + i * OP_TILE, OP_PAGE);
    }
}

/* op-*: a launch of sdk/examples/op_*.c on many tiles: kernels and parameters into L1, cores out of reset, until B of each has written
 * the last page.  Counted is the time of it.  A step is a row of tiles: with fewer rows fewer cores have as much to do each. */
static void run_op(struct simlib *sim, const struct line *line, measurement *m)
{
    enum { OP_CHUNK_CYCLES = 1000, OP_MOST_CYCLES = 20000000 };
    op_load load = op_whole(line->op);
    struct op_tensors t;
    load.cores = OP_CORES * line->steps / load.rows;
    load.rows = line->steps;
    if (!op_tensors(&load, &t))
        return;
    simlib_start(sim);
    op_tensor(sim, op_operand_tiles(&load, 0), OP_A, t.in[0], true);
    op_tensor(sim, op_operand_tiles(&load, 1), OP_B, t.in[1], true);
    const double start = now_seconds();
    for (unsigned i = 0; i < load.cores; i++) {
        const unsigned x = sim_tensix_x(op_core(i)), y = sim_tensix_y(op_core(i));
        kerr_params params;
        op_load_params(&load, i, x, y, &params);
        simlib_write(sim, x, y, DATA_PARAMS, &params, sizeof params);
        for (unsigned core = 0; core < 5; core++)
            if (!load_five(sim, op_names[load.kind], x, y, core, m))
                return;
    }
    for (unsigned i = 0; i < load.cores; i++)
        simlib_write32(sim, sim_tensix_x(op_core(i)), sim_tensix_y(op_core(i)), SIM_SOFT_RESET, 0);
    uint64_t cycles = 0;
    for (unsigned i = 0; i < load.cores;) {
        const unsigned x = sim_tensix_x(op_core(i)), y = sim_tensix_y(op_core(i));
        if (simlib_read32(sim, x, y, DATA_PARAMS + offsetof(kerr_params, run[0].state)) == KERR_RUN_DONE) {
            i++;
        } else if (cycles > OP_MOST_CYCLES) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: not done after %llu cycles", x, y,
                     (unsigned long long)cycles);
            return;
        } else {
            sim->clock(OP_CHUNK_CYCLES);
            cycles += OP_CHUNK_CYCLES;
        }
    }
    m->value[0] = 1e3 * (now_seconds() - start);
    op_tensor(sim, op_tiles(&load), OP_C, t.got, false);
    m->valid = op_is_right(&load, &t, m->error, sizeof m->error);
    op_tensors_free(&t);
}

static double resident_mb(void)
{
    unsigned long size = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL) {
        if (fscanf(f, "%lu %lu", &size, &resident) != 2)
            resident = 0;
        fclose(f);
    }
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1048576.0;
}

/* Creating a chip: time, resident memory, and whether a fork of the process that holds it succeeds. */
static void run_start(struct simlib *sim, const struct line *line, measurement *m)
{
    (void)line;
    double start = now_seconds();
    simlib_start(sim);
    sim->clock(1);
    m->value[0] = 1e3 * (now_seconds() - start);
    m->value[1] = resident_mb();
    pid_t child = fork();
    if (child == 0) {
        sim->clock(1000);
        _exit(0);
    }
    int status = 1;
    m->value[2] = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    m->valid = true;
}

/* idle-clock: all cores are in reset.  idle-booted: all 700 poll a word each that nobody writes, as firmware does that waits for work. */
static void run_idle_clock(struct simlib *sim, const struct line *line, measurement *m)
{
    simlib_start(sim);
    for (unsigned i = 0; i < (line->others_poll ? SIM_TENSIX : 0); i++) {
        struct rv_program program;
        for (unsigned core = 0; core < 5; core++) {
            rv_poll_program(&program, RV_POLL + 16 * core, true);
            simlib_write(sim, sim_tensix_x(i), sim_tensix_y(i), sim_reset_pc[core], program.word, program.size_bytes);
        }
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), SIM_SOFT_RESET, 0);
    }
    sim->clock(1);
    double start = now_seconds();
    for (uint32_t i = 0; i < line->steps; i++)
        sim->clock(1000);
    m->value[0] = 1e3 * (now_seconds() - start);
    m->valid = true;
}

/* ---- NoC ---- */

/* Waits until tiles first..first+count-1 have all stored 1 at `word`.  Cycles pass in large clock calls: an idle chip
 * must not be what is measured, and one that waits for its packets is not idle. */
static bool wait_for_tile(struct simlib *sim, unsigned i, uint32_t word, uint64_t give_up, measurement *m)
{
    while (simlib_read32(sim, sim_tensix_x(i), sim_tensix_y(i), word) != 1) {
        if (m->cycles > give_up) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: not done after %llu cycles", sim_tensix_x(i),
                     sim_tensix_y(i), (unsigned long long)m->cycles);
            return false;
        }
        sim->clock(1000);
        m->cycles += 1000;
    }
    return true;
}

static bool wait_for_tiles(struct simlib *sim, unsigned count, uint32_t word, uint64_t give_up, measurement *m)
{
    for (unsigned i = 0; i < count; i++)
        if (!wait_for_tile(sim, i, word, give_up, m))
            return false;
    return true;
}

static bool same_bytes(const uint8_t *got, const uint8_t *want, uint32_t size, const char *where, unsigned index,
                       measurement *m)
{
    for (uint32_t i = 0; i < size; i++)
        if (got[i] != want[i]) {
            snprintf(m->error, sizeof m->error, "%s %u: byte 0x%x is %02x, not %02x", where, index, i, got[i], want[i]);
            return false;
        }
    return true;
}

static void release_b(struct simlib *sim, unsigned tiles)
{
    for (unsigned i = 0; i < tiles; i++)
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
}

/* noc-write, noc-read: every tile's B streams to the next tile of its row, or from the one before (round the end), so that
 * the data goes one hop: NoC 0 runs one way.
 * noc-mcast: every tile's B sends to all the others, each sender into its own slot. */
static void run_noc(struct simlib *sim, const struct line *line, measurement *m)
{
    bool read = strncmp(line->name, "noc-read", 8) == 0, multicast = strncmp(line->name, "noc-mcast", 9) == 0;
    uint8_t pattern[65536], got[65536], want[65536];
    uint32_t total = 0;
    struct noc_pass pass = {.kind = read ? NOC_PASS_READ : NOC_PASS_WRITE,
                            .ctrl = read        ? NOC_CTRL_READ
                                    : multicast ? NOC_CTRL_MULTICAST
                                                : NOC_CTRL_WRITE,
                            .table = NOC_TABLE,
                            .responses = multicast ? SIM_TENSIX - 1 : 1};
    while (pass.transfers < NOC_MAX_TRANSFERS && line->bytes[pass.transfers] != 0)
        total += line->bytes[pass.transfers++];
    simlib_start(sim);
    struct rv_program program;
    noc_load_program(&program, &pass, 1, NOC_SLIDE, NOC_SLIDE_MASK);
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i), next = i - i % 14 + (i % 14 + (read ? 13 : 1)) % 14;
        struct noc_transfer table[NOC_MAX_TRANSFERS];
        for (uint32_t t = 0, at = 0; t < pass.transfers; at += line->bytes[t++]) {
            table[t].from = NOC_SOURCE + at;
            table[t].to = multicast ? NOC_SLOTS + i % line->slots * NOC_SLOT_BYTES + at : NOC_TARGET + at;
            table[t].xy =
                multicast ? noc_xy(1, 2) << 12 | noc_xy(16, 11) : noc_xy(sim_tensix_x(next), sim_tensix_y(next));
            table[t].bytes = line->bytes[t];
        }
        struct noc_block block = {.rounds = line->steps, .xy = noc_xy(x, y)};
        noc_fill(pattern, total + NOC_SLIDE_MASK + 1, multicast ? i % line->slots : i, 0);
        simlib_write(sim, x, y, NOC_SOURCE, pattern, total + NOC_SLIDE_MASK + 1);
        simlib_write(sim, x, y, NOC_TABLE, table, sizeof table);
        simlib_write(sim, x, y, NOC_BLOCK, &block, sizeof block);
        simlib_write(sim, x, y, 0, program.word, program.size_bytes);
    }
    release_b(sim, SIM_TENSIX);
    double start = now_seconds();
    if (!wait_for_tiles(sim, SIM_TENSIX, NOC_BLOCK + 4,
                        100000 + (uint64_t)line->steps * (multicast ? 400u * SIM_TENSIX : 50) * (total / 64 + 200), m))
        return;
    double seconds = now_seconds() - start;
    uint32_t slid = (line->steps - 1) * NOC_SLIDE & NOC_SLIDE_MASK;
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        unsigned before = i - i % 14 + (i % 14 + 13) % 14;
        for (unsigned slot = 0; slot < (multicast ? line->slots : 1); slot++) {
            uint32_t at = multicast ? NOC_SLOTS + slot * NOC_SLOT_BYTES : NOC_TARGET;
            noc_fill(want, total, multicast ? slot : before, slid);
            simlib_read(sim, sim_tensix_x(i), sim_tensix_y(i), at, got, total);
            bool own = multicast && slot == i && line->slots == SIM_TENSIX; /* a sender does not send to itself */
            if (!own && !same_bytes(got, want, total, "tile", i, m))
                return;
        }
    }
    m->value[0] = 1e9 * seconds / ((double)line->steps * pass.transfers * SIM_TENSIX); /* a transfer */
    m->valid = true;
}

/* dram-copy: 128 MiB of pages that lie across the eight channels, each page read by some tile's B and written to the
 * next channel.  128 tiles copy 1 MiB each, eight pages (one a channel) a step, which ends in barriers. */
enum { DRAM_BANKS = 8, DRAM_PAGE = 4096, DRAM_COPIERS = 128, DRAM_CHUNK = 1 << 19 };

/* Translated coordinates, as the vendor's host software uses: three ports to each bank, here the first. */
static unsigned dram_x(unsigned bank)
{
    return bank < DRAM_BANKS / 2 ? 17 : 18;
}
static unsigned dram_y(unsigned bank)
{
    return 12 + bank % (DRAM_BANKS / 2) * 3;
}

static void run_dram_copy(struct simlib *sim, const struct line *line, measurement *m)
{
    enum { COPY = 0x4000000 };
    const uint32_t tile_bytes = line->steps * DRAM_PAGE, bank_bytes = DRAM_COPIERS * tile_bytes;
    static uint8_t data[DRAM_CHUNK], want[DRAM_CHUNK];
    simlib_start(sim);
    for (unsigned bank = 0; bank < DRAM_BANKS; bank++)
        for (uint32_t at = 0; at < bank_bytes; at += DRAM_CHUNK) {
            noc_fill(data, DRAM_CHUNK, bank, at);
            simlib_write(sim, dram_x(bank), dram_y(bank), at, data, DRAM_CHUNK);
        }
    struct noc_pass pass[2] = {
        {.kind = NOC_PASS_READ, .ctrl = NOC_CTRL_READ, .table = NOC_TABLE, .transfers = DRAM_BANKS, .responses = 1},
        {.kind = NOC_PASS_WRITE,
         .ctrl = NOC_CTRL_WRITE,
         .table = NOC_TABLE_NEXT,
         .transfers = DRAM_BANKS,
         .responses = 1,
         .far_moves = true},
    };
    struct rv_program program;
    noc_load_program(&program, pass, 2, DRAM_PAGE, UINT32_MAX);
    for (unsigned i = 0; i < DRAM_COPIERS; i++) {
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        struct noc_transfer in[DRAM_BANKS], out[DRAM_BANKS];
        for (unsigned bank = 0; bank < DRAM_BANKS; bank++) {
            unsigned to = (bank + 1) % DRAM_BANKS;
            uint32_t at = i * tile_bytes, buffer = NOC_SOURCE + bank * DRAM_PAGE;
            in[bank] = (struct noc_transfer){at, buffer, noc_xy(dram_x(bank), dram_y(bank)), DRAM_PAGE};
            out[bank] = (struct noc_transfer){buffer, COPY + at, noc_xy(dram_x(to), dram_y(to)), DRAM_PAGE};
        }
        struct noc_block block = {.rounds = line->steps, .xy = noc_xy(x, y)};
        simlib_write(sim, x, y, NOC_TABLE, in, sizeof in);
        simlib_write(sim, x, y, NOC_TABLE_NEXT, out, sizeof out);
        simlib_write(sim, x, y, NOC_BLOCK, &block, sizeof block);
        simlib_write(sim, x, y, 0, program.word, program.size_bytes);
    }
    release_b(sim, DRAM_COPIERS);
    double start = now_seconds();
    if (!wait_for_tiles(sim, DRAM_COPIERS, NOC_BLOCK + 4, 100000000, m))
        return;
    double seconds = now_seconds() - start;
    for (unsigned bank = 0; bank < DRAM_BANKS; bank++)
        for (uint32_t at = 0; at < bank_bytes; at += DRAM_CHUNK) {
            unsigned to = (bank + 1) % DRAM_BANKS;
            noc_fill(want, DRAM_CHUNK, bank, at);
            simlib_read(sim, dram_x(to), dram_y(to), COPY + at, data, DRAM_CHUNK);
            if (!same_bytes(data, want, DRAM_CHUNK, "bank", to, m))
                return;
        }
    m->value[0] = 1e-6 * DRAM_BANKS * bank_bytes / seconds;
    m->valid = true;
}

/* dram-stream: 120 tiles read 255 MiB of pages that lie across the eight channels as readers of tt-metal do: eight pages, one a channel,
 * into one half of a buffer, a barrier, eight more into the other half. */
enum { STREAM_READERS = 120, STREAM_HALF = DRAM_BANKS * DRAM_PAGE };

static void fill_banks(struct simlib *sim, uint32_t bank_bytes)
{
    static uint8_t data[DRAM_CHUNK];
    for (unsigned bank = 0; bank < DRAM_BANKS; bank++)
        for (uint32_t at = 0; at < bank_bytes; at += DRAM_CHUNK) {
            noc_fill(data, DRAM_CHUNK, bank, at);
            simlib_write(sim, dram_x(bank), dram_y(bank), at, data, DRAM_CHUNK);
        }
}

static void run_dram_stream(struct simlib *sim, const struct line *line, measurement *m)
{
    const uint32_t tile_bytes = line->steps * 2 * DRAM_PAGE, bank_bytes = STREAM_READERS * tile_bytes; /* of a bank */
    static uint8_t got[STREAM_HALF], want[STREAM_HALF];
    struct noc_pass pass[2] = {
        {.kind = NOC_PASS_READ, .ctrl = NOC_CTRL_READ, .table = NOC_TABLE, .transfers = DRAM_BANKS, .responses = 1},
        {.kind = NOC_PASS_READ,
         .ctrl = NOC_CTRL_READ,
         .table = NOC_TABLE_NEXT,
         .transfers = DRAM_BANKS,
         .responses = 1},
    };
    struct rv_program program;
    simlib_start(sim);
    fill_banks(sim, bank_bytes);
    noc_load_program(&program, pass, 2, 2 * DRAM_PAGE, UINT32_MAX);
    for (unsigned i = 0; i < STREAM_READERS; i++) {
        const unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        const struct noc_block block = {.rounds = line->steps, .xy = noc_xy(x, y)};
        for (unsigned half = 0; half < 2; half++) {
            struct noc_transfer table[DRAM_BANKS];
            for (unsigned bank = 0; bank < DRAM_BANKS; bank++)
                table[bank] = (struct noc_transfer){i * tile_bytes + half * DRAM_PAGE,
                                                    NOC_SOURCE + half * STREAM_HALF + bank * DRAM_PAGE,
                                                    noc_xy(dram_x(bank), dram_y(bank)), DRAM_PAGE};
            simlib_write(sim, x, y, pass[half].table, table, sizeof table);
        }
        simlib_write(sim, x, y, NOC_BLOCK, &block, sizeof block);
        simlib_write(sim, x, y, 0, program.word, program.size_bytes);
    }
    release_b(sim, STREAM_READERS);
    const double start = now_seconds();
    if (!wait_for_tiles(sim, STREAM_READERS, NOC_BLOCK + 4, 100000000, m))
        return;
    const double seconds = now_seconds() - start;
    for (unsigned i = 0; i < STREAM_READERS; i++)
        for (unsigned half = 0; half < 2; half++) { /* the last of each */
            for (unsigned bank = 0; bank < DRAM_BANKS; bank++)
                noc_fill(want + bank * DRAM_PAGE, DRAM_PAGE, bank, (i + 1) * tile_bytes - (2 - half) * DRAM_PAGE);
            simlib_read(sim, sim_tensix_x(i), sim_tensix_y(i), NOC_SOURCE + half * STREAM_HALF, got, STREAM_HALF);
            if (!same_bytes(got, want, STREAM_HALF, "tile", i, m))
                return;
        }
    m->value[0] = 1e-6 * DRAM_BANKS * bank_bytes / seconds;
    m->value[1] = (double)DRAM_BANKS * bank_bytes / (double)m->cycles;
    m->valid = true;
}

/* mcast-weights: in0 and in1 of a matmul of ttnn on ten rows of 13 tiles, without compute.  The first tile of a row sends blocks along
 * it by NC over NoC 1, the first of a column by B over NoC 0. */
enum { GRID_ROWS = 10, GRID_COLUMNS = 13, GRID_ACROSS = 14 };

static void run_weights(struct simlib *sim, const struct line *line, measurement *m)
{
    enum {
        CODE = 0,
        CODE_NC = 0x2000,
        WORDS = 0x6000,
        WORDS_NC = 0x6100,
        BUFFER = 0x20000,
        BUFFER_NC = 0x40000,
        TILES = GRID_ROWS * GRID_ACROSS
    };
    static uint8_t got[2 * NOC_BLOCK_BYTES], want[2 * NOC_BLOCK_BYTES];
    const uint32_t span = line->steps * NOC_PAGE; /* of a bank: what one sender reads */
    simlib_start(sim);
    fill_banks(sim, (GRID_ROWS + GRID_COLUMNS) * span);
    for (unsigned i = 0; i < TILES; i++) {
        const unsigned row = i / GRID_ACROSS, column = i % GRID_ACROSS, x = sim_tensix_x(i), y = sim_tensix_y(i);
        for (unsigned noc = 0; noc < 2 && column < GRID_COLUMNS; noc++) {
            const unsigned sender = noc == 0 ? GRID_ROWS + column : row, place = noc == 0 ? row : column;
            const unsigned last = noc == 0 ? GRID_ROWS - 1 : GRID_COLUMNS - 1, step = noc == 0 ? GRID_ACROSS : 1,
                           first = i - place * step;
            const uint32_t near = noc_xy(sim_tensix_x(first + step), sim_tensix_y(first + step)),
                           far = noc_xy(sim_tensix_x(first + last * step), sim_tensix_y(first + last * step));
            const uint32_t words = noc == 0 ? WORDS : WORDS_NC;
            struct noc_stream s = {.noc = noc,
                                   .receivers = place == 0 ? last : 0,
                                   .blocks = line->steps,
                                   .self = noc_xy(x, y),
                                   .far = place != 0 ? noc_xy(sim_tensix_x(first), sim_tensix_y(first))
                                          : noc == 0 ? near << 12 | far
                                                     : far << 12 | near, /* NoC 1 runs the other way */
                                   .room = words,
                                   .number = words + 0x10,
                                   .copy = words + 0x20,
                                   .done = words + 0x30,
                                   .buffer = noc == 0 ? BUFFER : BUFFER_NC,
                                   .page = sender * span};
            for (unsigned k = 0; k < NOC_BLOCK_PAGES; k++)
                s.bank[k] = noc_xy(dram_x((sender + k) % DRAM_BANKS), dram_y((sender + k) % DRAM_BANKS));
            struct rv_program program;
            noc_stream_program(&program, &s);
            static const uint8_t none[0x40];
            simlib_write(sim, x, y, words, none, sizeof none);
            simlib_write(sim, x, y, noc == 0 ? CODE : CODE_NC, program.word, program.size_bytes);
        }
    }
    for (unsigned i = 0; i < TILES; i++) {
        const unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        if (i % GRID_ACROSS < GRID_COLUMNS) {
            simlib_write32(sim, x, y, 0xFFB12238, CODE_NC); /* RESET_PC of NC, and that it counts */
            simlib_write32(sim, x, y, 0xFFB1223C, 1);
            simlib_write32(sim, x, y, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0] & ~sim_reset_bit[4]);
        }
    }
    const double start = now_seconds();
    for (unsigned i = 0; i < TILES; i++)
        for (unsigned noc = 0; noc < 2 && i % GRID_ACROSS < GRID_COLUMNS; noc++)
            if (!wait_for_tile(sim, i, (noc == 0 ? WORDS : WORDS_NC) + 0x30, 100000 + 20000ull * line->steps, m))
                return;
    const double seconds = now_seconds() - start;
    for (unsigned i = 0; i < TILES; i++) {
        const unsigned row = i / GRID_ACROSS, column = i % GRID_ACROSS;
        for (unsigned noc = 0; noc < 2 && column < GRID_COLUMNS; noc++) {
            const unsigned sender = noc == 0 ? GRID_ROWS + column : row;
            for (uint32_t block = line->steps - 2; block < line->steps; block++)
                for (unsigned k = 0; k < NOC_BLOCK_PAGES; k++)
                    noc_fill(want + block % 2 * NOC_BLOCK_BYTES + k * NOC_PAGE, NOC_PAGE, (sender + k) % DRAM_BANKS,
                             sender * span + block * NOC_PAGE);
            simlib_read(sim, sim_tensix_x(i), sim_tensix_y(i), noc == 0 ? BUFFER : BUFFER_NC, got, sizeof got);
            if (!same_bytes(got, want, sizeof got, "tile", i, m))
                return;
        }
    }
    m->value[0] = 1e-6 * NOC_BLOCK_BYTES * line->steps *
                  (GRID_ROWS * (GRID_COLUMNS - 1) + GRID_COLUMNS * (GRID_ROWS - 1)) / seconds;
    m->valid = true;
}

/* ---- host ---- */

/* host-write, host-read: calls of several sizes through a 2 MiB window to L1 and a 4 GiB window to DRAM. */
static void run_host(struct simlib *sim, const struct line *line, measurement *m)
{
    enum { SIZES = 5, BASE = 0x20000, SPAN = 1 << 20 };
    static const uint32_t sizes[SIZES] = {4, 64, 1024, 32768, 1 << 20};
    static uint8_t data[SPAN], back[SPAN];
    bool read = strcmp(line->name, "host-read") == 0;
    simlib_start(sim);
    for (unsigned dram = 0; dram < 2; dram++) {
        unsigned window = dram ? SIM_WINDOWS_2M : 1, x = dram ? dram_x(1) : 3, y = dram ? dram_y(1) : 5;
        uint64_t base = simlib_point(sim, window, x, y, BASE);
        noc_fill(data, SPAN, 7 + dram, 0);
        if (read)
            sim->mem_wr(base, data, SPAN);
        for (unsigned s = 0; s < SIZES; s++) {
            uint32_t size = sizes[s], calls = size <= 64 ? 4000000 : (1600u << 20) / size;
            memset(back, 0, sizeof back);
            double start = now_seconds();
            for (uint32_t i = 0, at = 0; i < calls; i++, at = at + size < SPAN ? at + size : 0)
                if (read)
                    sim->mem_rd(base + at, back + at, size);
                else
                    sim->mem_wr(base + at, data + at, size);
            m->value[dram * SIZES + s] = 1e9 * (now_seconds() - start) / calls;
            uint32_t done = (uint64_t)calls * size < SPAN ? calls * size : SPAN;
            if (!read)
                sim->mem_rd(base, back, SPAN);
            if (!same_bytes(back, data, done, dram ? "DRAM, call size" : "L1, call size", size, m))
                return;
            if (!read) { /* other bytes for the next size */
                for (uint32_t i = 0; i < SPAN; i++)
                    data[i] ^= 0x5A;
            }
        }
    }
    m->valid = true;
}

enum { POLL_CYCLES = 1000000, POLL_X = 1, POLL_Y = 2 };

/* As a host does that waits for a kernel: a read, and one clock(1) after it. */
static bool poll_done(struct simlib *sim, uint32_t word, measurement *m)
{
    uint64_t at = simlib_point(sim, 1, POLL_X, POLL_Y, word);
    for (uint32_t reads = 0; reads < 4u * POLL_CYCLES; reads++) {
        uint32_t value = 0;
        sim->mem_rd(at, &value, 4);
        if (value == 1)
            return true;
        sim->clock(1);
    }
    snprintf(m->error, sizeof m->error, "not done after %u reads", 4u * POLL_CYCLES);
    return false;
}

/* host-poll: how long a host polls until a kernel that waits a million cycles is done: on the wall clock, or on a
 * semaphore that another core of the tile sets after a million cycles. */
static void run_host_poll(struct simlib *sim, const struct line *line, measurement *m)
{
    enum { DONE = 0x21000, SEMAPHORE = 0x21010 };
    struct rv_program program;
    (void)line;
    simlib_start(sim);
    for (unsigned semaphore = 0; semaphore < 2; semaphore++) {
        uint32_t zero[8] = {0};
        simlib_write32(sim, POLL_X, POLL_Y, SIM_SOFT_RESET, SIM_RESET_ALL);
        simlib_write(sim, POLL_X, POLL_Y, DONE, zero, sizeof zero);
        noc_wait_clock_program(&program, POLL_CYCLES, semaphore ? SEMAPHORE : DONE);
        simlib_write(sim, POLL_X, POLL_Y, sim_reset_pc[semaphore], program.word, program.size_bytes);
        if (semaphore) {
            noc_wait_semaphore_program(&program, SEMAPHORE, DONE);
            simlib_write(sim, POLL_X, POLL_Y, sim_reset_pc[0], program.word, program.size_bytes);
        }
        simlib_write32(sim, POLL_X, POLL_Y, SIM_SOFT_RESET,
                       SIM_RESET_ALL & ~(sim_reset_bit[0] | (semaphore ? sim_reset_bit[1] : 0)));
        double start = now_seconds();
        if (!poll_done(sim, DONE, m))
            return;
        m->value[semaphore] = 1e3 * (now_seconds() - start);
    }
    m->valid = true;
}

/* host-poll-work: the same polling while the kernel computes for a million cycles, against one clock(1000000).  Each
 * three times in turn, and the fastest counts: the first run also decodes and faults memory in. */
static void run_host_poll_work(struct simlib *sim, const struct line *line, measurement *m)
{
    struct rv_memory memory;
    struct rv_program program;
    uint32_t million = 0; /* steps in a million cycles */
    double best[2] = {INFINITY, INFINITY};
    simlib_start(sim);
    rv_load_program(&program, line->firmware_csr);
    for (unsigned turn = 0; turn < 6; turn++) {
        bool polled = turn % 2;
        simlib_write32(sim, POLL_X, POLL_Y, SIM_SOFT_RESET, SIM_RESET_ALL);
        rv_load_start(&memory, polled ? million : UINT32_MAX, 0);
        simlib_write(sim, POLL_X, POLL_Y, RV_BUFFER, &memory, sizeof memory);
        simlib_write(sim, POLL_X, POLL_Y, 0, program.word, program.size_bytes);
        simlib_write32(sim, POLL_X, POLL_Y, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
        double start = now_seconds();
        if (!polled)
            sim->clock(POLL_CYCLES);
        else if (!poll_done(sim, RV_BLOCK + 4 * BLOCK_DONE, m))
            return;
        double seconds = now_seconds() - start;
        if (seconds < best[polled])
            best[polled] = seconds;
        if (!polled)
            million = simlib_read32(sim, POLL_X, POLL_Y, RV_BLOCK + 4 * BLOCK_STEP);
        else if (!check_tile(sim, 0, million, m))
            return;
    }
    m->value[0] = best[1] / best[0];
    m->valid = true;
}

static const char unit_forks[] = "forks"; /* 1: yes */
static const struct line lines[] = {
    {.name = "rv-one",
     .unit = {"Minstr/s"},
     .run = run_load,
     .steps = 60000,
     .firmware_csr = true,
     .more_is_better = true,
     .goal_ratio = 15},
    {.name = "rv-one-l0", .unit = {"Minstr/s"}, .run = run_load, .steps = 60000, .more_is_better = true},
    {.name = "rv-idle",
     .unit = {"Minstr/s"},
     .run = run_load,
     .steps = 15000,
     .firmware_csr = true,
     .others_poll = true,
     .more_is_better = true,
     .goal_ratio = 300},
    {.name = "rv-all-1",
     .unit = {"Minstr/s"},
     .run = run_load,
     .steps = 10000,
     .firmware_csr = true,
     .all_work = true,
     .more_is_better = true},
    {.name = "rv-all",
     .unit = {"Minstr/s"},
     .run = run_load,
     .steps = 10000,
     .firmware_csr = true,
     .all_work = true,
     .kerr_threads = "2",
     .more_is_better = true,
     .goal_ratio = 3},
#define TENSIX_LINES(line_name, load, count, more, count_all, more_all)                                                \
    {.name = line_name,                                                                                                \
     .unit = {"Minstr/s"},                                                                                             \
     .run = run_tensix,                                                                                                \
     .tensix = load,                                                                                                   \
     .steps = count,                                                                                                   \
     .times = more,                                                                                                    \
     .more_is_better = true},                                                                                          \
    {                                                                                                                  \
        .name = line_name "-all", .unit = {"Minstr/s"}, .run = run_tensix, .tensix = load, .steps = count_all,         \
        .times = more_all, .all_work = true, .kerr_threads = "2", .more_is_better = true                               \
    }
    TENSIX_LINES("tt-nop", TT_NOP, 40000, 4, 4000, 3),
    TENSIX_LINES("tt-mop", TT_MOP, 160000, 3, 4000, 2),
    TENSIX_LINES("tt-sync", TT_SYNC, 80000, 4, 1600, 4),
    TENSIX_LINES("tt-cfg", TT_CFG, 80000, 2, 800, 2),
#define DATA_LINES(line_name, count, more, count_all, more_all, ...)                                                   \
    {.name = line_name,                                                                                                \
     .unit = {"MB/s"},                                                                                                 \
     .run = run_data,                                                                                                  \
     .data = {__VA_ARGS__},                                                                                            \
     .steps = count,                                                                                                   \
     .times = more,                                                                                                    \
     .more_is_better = true},                                                                                          \
    {                                                                                                                  \
        .name = line_name "-all", .unit = {"MB/s"}, .run = run_data, .data = {__VA_ARGS__}, .steps = count_all,        \
        .times = more_all, .all_work = true, .kerr_threads = "2", .more_is_better = true                               \
    }
    DATA_LINES("unpack-bf16", 80000, 12, 1600, 8, DATAPATH_SRCA | DATAPATH_REPEAT_UNPACK, DATAPATH_BF16, DATAPATH_BF16,
               1),
    DATA_LINES("unpack-bfp8", 80000, 12, 1600, 8, DATAPATH_SRCA | DATAPATH_REPEAT_UNPACK, DATAPATH_BFP8, DATAPATH_BFP8,
               1),
    DATA_LINES("unpack-fp32-dst", 80000, 12, 1600, 8, DATAPATH_DST | DATAPATH_DST32 | DATAPATH_REPEAT_UNPACK,
               DATAPATH_FP32, DATAPATH_FP32, 1),
    DATA_LINES("unpack-tilize", 20000, 12, 400, 8, DATAPATH_SRCA | DATAPATH_TILIZE | DATAPATH_REPEAT_UNPACK,
               DATAPATH_BF16, DATAPATH_BF16, 4),
    DATA_LINES("pack-bf16", 80000, 12, 1600, 8, DATAPATH_SRCA | DATAPATH_REPEAT_PACK, DATAPATH_BF16, DATAPATH_BF16, 1),
    DATA_LINES("pack-bfp8", 80000, 12, 1600, 8, DATAPATH_SRCA | DATAPATH_REPEAT_PACK, DATAPATH_BFP8, DATAPATH_BFP8, 1),
    DATA_LINES("pack-fp32", 80000, 12, 1600, 8, DATAPATH_DST | DATAPATH_DST32 | DATAPATH_REPEAT_PACK, DATAPATH_FP32,
               DATAPATH_FP32, 1),
    DATA_LINES("pack-untilize", 20000, 8, 400, 6, DATAPATH_SRCA | DATAPATH_UNTILIZE | DATAPATH_REPEAT_PACK,
               DATAPATH_BF16, DATAPATH_BF16, 4),
#define VECTOR_LINES(line_name, load, count, more, count_all, more_all)                                                \
    {.name = line_name,                                                                                                \
     .unit = {"Minstr/s"},                                                                                             \
     .run = run_vector,                                                                                                \
     .vector = load,                                                                                                   \
     .steps = count,                                                                                                   \
     .times = more,                                                                                                    \
     .more_is_better = true},                                                                                          \
    {                                                                                                                  \
        .name = line_name "-all", .unit = {"Minstr/s"}, .run = run_vector, .vector = load, .steps = count_all,         \
        .times = more_all, .all_work = true, .kerr_threads = "2", .more_is_better = true                               \
    }
    VECTOR_LINES("sfp-mad", VECTOR_MAD, 3000, 24, 160, 6),
    VECTOR_LINES("sfp-int", VECTOR_INT, 12000, 16, 400, 6),
    VECTOR_LINES("sfp-lut", VECTOR_LUT, 4000, 16, 240, 6),
    VECTOR_LINES("sfp-load-store", VECTOR_LOAD_STORE, 8000, 16, 600, 6),
    VECTOR_LINES("sfp-cc", VECTOR_CC, 20000, 12, 800, 6),
    VECTOR_LINES("sfp-exp", VECTOR_EXP, 8000, 16, 320, 6),
#define MATRIX_LINES(line_name, count, more, count_all, more_all, ...)                                                 \
    {.name = line_name,                                                                                                \
     .unit = {"Minstr/s"},                                                                                             \
     .run = run_matrix,                                                                                                \
     .matrix = {__VA_ARGS__, .side = 1, .block = 1, .columns = 1},                                                     \
     .steps = count,                                                                                                   \
     .times = more,                                                                                                    \
     .more_is_better = true},                                                                                          \
    {                                                                                                                  \
        .name = line_name "-all", .unit = {"Minstr/s"}, .run = run_matrix,                                             \
        .matrix = {__VA_ARGS__, .side = 1, .block = 1, .columns = 1}, .steps = count_all, .times = more_all,           \
        .all_work = true, .kerr_threads = "2", .more_is_better = true                                                  \
    }
#define MATRIX_BF16 .format = DATAPATH_BF16, .register_format = DATAPATH_BF16, .out = DATAPATH_BF16
    MATRIX_LINES("mvmul-bf16", 8000, 16, 192, 6, MATRIX_BF16, .phases = 4,
                 .hash = {{0xcbec24ba91533e92, 0xcbec24ba91533e92}, {0xee85048c5ba9f28b, 0xcbec24ba91533e92}}),
    MATRIX_LINES("mvmul-bf16-lofi", 32000, 16, 768, 6, MATRIX_BF16, .phases = 1,
                 .hash = {{0x0433b26ef4347297, 0x0433b26ef4347297}, {0x0433b26ef4347297, 0x0433b26ef4347297}}),
    MATRIX_LINES("mvmul-bfp8", 16000, 16, 384, 6, .format = DATAPATH_BFP8, .register_format = DATAPATH_BFP8,
                 .out = DATAPATH_BF16, .phases = 2,
                 .hash = {{0x9a1405dd806dc9e5, 0x9a1405dd806dc9e5}, {0x389cfdafe6ecb65b, 0x9a1405dd806dc9e5}}),
    MATRIX_LINES("mvmul-int8", 40000, 16, 1200, 6, .format = DATAPATH_INT8, .register_format = DATAPATH_INT8,
                 .out = DATAPATH_INT32, .phases = 4, .flags = MATMUL_DST32,
                 .hash = {{0x543ec07a4409cf09, 0x0fc5452be6bf79be}, {0x2b0c9a19117f34f6, 0x96ad05b109826e30}}),
    MATRIX_LINES("elw-bf16", 160000, 12, 4800, 6, MATRIX_BF16, .operation = MATMUL_ELEMENTWISE, .phases = 1,
                 .hash = {{0x21591fe70b95ffc7, 0x21591fe70b95ffc7}, {0x21591fe70b95ffc7, 0x21591fe70b95ffc7}}),
    MATRIX_LINES("gapool", 320000, 8, 9600, 6, MATRIX_BF16, .operation = MATMUL_GAPOOL, .phases = 1,
                 .hash = {{0x15c07587f8deeace, 0x15c07587f8deeace}, {0x15c07587f8deeace, 0x15c07587f8deeace}}),
    {.name = "matmul-sdk", /* 512 x 512 x 512 on 64 tiles, HiFi4 as the vendor's kernels have it unless told */
     .unit = {"GFLOP/s"},
     .run = run_matrix,
     .matrix = {MATRIX_BF16, .phases = 4, .flags = MATMUL_MULTICAST, .side = 16, .block = 2, .columns = 8,
                .hash = {{0x0f2d698b8b381848}}},
     .steps = 1,
     .kerr_threads = "2",
     .more_is_better = true,
     .goal_ratio = 20},
#define OP_LINE(line_name, operation)                                                                                  \
    {                                                                                                                  \
        .name = line_name, .unit = {"ms"}, .run = run_op, .op = operation, .steps = OP_ROWS, .kerr_threads = "2"       \
    }
    OP_LINE("op-add", OP_ADD), /* 1024 x 1024 on 130 tiles, from a cold start */
    OP_LINE("op-exp", OP_EXP),
    OP_LINE("op-softmax", OP_SOFTMAX),
    OP_LINE("op-matmul", OP_MATMUL),
    OP_LINE("op-layernorm", OP_LAYERNORM),
#define NOC_MIX 64, 128, 256, 512, 1024, 2048, 4096, 8192
    {.name = "sfp-macro-typecast",
     .unit = {"Mrows/s"},
     .run = run_macro,
     .steps = 50000,
     .no_reference = true,
     .more_is_better = true},
    {.name = "sfp-macro-typecast-all",
     .unit = {"Mrows/s"},
     .run = run_macro,
     .steps = 500,
     .all_work = true,
     .kerr_threads = "2",
     .no_reference = true,
     .more_is_better = true},
#define NOC_LINE(line_name, count, goal, only_asked, ...)                                                              \
    {                                                                                                                  \
        .name = line_name, .unit = {"ns"}, .run = run_noc, .steps = count, .bytes = {__VA_ARGS__},                     \
        .slots = SIM_TENSIX, .on_request = only_asked, .kerr_threads = "2", .goal_ratio = goal                         \
    }
    NOC_LINE("noc-write", 400, 4, false, NOC_MIX),
    NOC_LINE("noc-read", 400, 4, false, NOC_MIX),
    NOC_LINE("noc-mcast", 8, 4, false, 64, 128, 256, 512, 1024, 2048, 4096),
    {.name = "noc-mcast-hot", /* the same into a few slots that stay in the host's caches */
     .unit = {"ns"},
     .run = run_noc,
     .steps = 8,
     .bytes = {64, 128, 256, 512, 1024, 2048, 4096},
     .slots = 7,
     .on_request = true,
     .kerr_threads = "2"},
    NOC_LINE("noc-write-64", 1000, 0, true, 64, 64, 64, 64, 64, 64, 64, 64),
    NOC_LINE("noc-write-1024", 1000, 0, true, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024),
    NOC_LINE("noc-write-2048", 1000, 0, true, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048),
    NOC_LINE("noc-write-4096", 500, 0, true, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096),
    NOC_LINE("noc-write-8192", 500, 0, true, 8192, 8192, 8192, 8192),
    NOC_LINE("noc-write-16384", 500, 0, true, 16384, 16384),
    NOC_LINE("noc-read-64", 1000, 0, true, 64, 64, 64, 64, 64, 64, 64, 64),
    NOC_LINE("noc-read-1024", 1000, 0, true, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024),
    NOC_LINE("noc-read-2048", 1000, 0, true, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048),
    NOC_LINE("noc-read-4096", 500, 0, true, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096),
    NOC_LINE("noc-read-8192", 500, 0, true, 8192, 8192, 8192, 8192),
    NOC_LINE("noc-read-16384", 500, 0, true, 16384, 16384),
    NOC_LINE("noc-mcast-64", 16, 0, true, 64, 64, 64, 64, 64, 64, 64, 64),
    NOC_LINE("noc-mcast-1024", 8, 0, true, 1024, 1024, 1024, 1024, 1024, 1024, 1024),
    NOC_LINE("noc-mcast-2048", 8, 0, true, 2048, 2048, 2048, 2048),
    NOC_LINE("noc-mcast-4096", 8, 0, true, 4096, 4096),
    NOC_LINE("noc-mcast-8192", 8, 0, true, 8192),
    {.name = "dram-copy",
     .unit = {"MB/s"},
     .run = run_dram_copy,
     .steps = 32,
     .kerr_threads = "2",
     .more_is_better = true,
     .goal_ratio = 3},
    {.name = "dram-stream",
     .unit = {"MB/s", "B/cycle"},
     .run = run_dram_stream,
     .steps = 34,
     .kerr_threads = "2",
     .more_is_better = true},
    {.name = "mcast-weights",
     .unit = {"MB/s"},
     .run = run_weights,
     .steps = 64,
     .kerr_threads = "2",
     .more_is_better = true,
     .goal_ratio = 2},
#define HOST_FIGURES                                                                                                   \
    {                                                                                                                  \
        "l1-4", "l1-64", "l1-1K", "l1-32K", "l1-1M", "dram-4", "dram-64", "dram-1K", "dram-32K", "dram-1M"             \
    }
#define HOST_UNITS                                                                                                     \
    {                                                                                                                  \
        "ns", "ns", "ns", "ns", "ns", "ns", "ns", "ns", "ns", "ns"                                                     \
    }
    {.name = "host-write", .unit = HOST_UNITS, .figure = HOST_FIGURES, .run = run_host, .goal_ratio = 1},
    {.name = "host-read", .unit = HOST_UNITS, .figure = HOST_FIGURES, .run = run_host, .goal_ratio = 1},
    {.name = "host-poll",
     .unit = {"ms", "ms"},
     .figure = {"clock", "sem"},
     .run = run_host_poll,
     .host_time = true,
     .goal_ratio = 100},
    {.name = "host-poll-work",
     .unit = {"times"},
     .run = run_host_poll_work,
     .firmware_csr = true,
     .host_time = true,
     .goal_most = {1.2}},
    {.name = "start", .unit = {"ms", "MB", unit_forks}, .run = run_start, .goal_most = {10, 64}},
    {.name = "idle-clock", .unit = {"ms"}, .run = run_idle_clock, .steps = 1000, .goal_most = {1}},
    {.name = "idle-booted", .unit = {"ms"}, .run = run_idle_clock, .steps = 1000, .others_poll = true},
};
enum { LINES = sizeof lines / sizeof lines[0] };

/* One measurement in a process of its own: libraries of this ABI keep state, and may end the process. */
static measurement measure(const char *library, const struct line *line, bool longer, uint32_t steps)
{
    measurement m = {.error = "the library ended the process"};
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return m;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (!line->host_time)
            setenv("KERR_HOST_TIME", "0", 1);          /* clock(n) is exact and reads cost no cycles */
        const char *threads = getenv("BENCH_THREADS"); /* another number than the line has, to look closer */
        setenv("KERR_THREADS", threads ? threads : line->kerr_threads ? line->kerr_threads : "1", 1);
        struct simlib sim;
        measurement result = {.error = "the library could not be opened"};
        if (simlib_open(&sim, library)) {
            result.error[0] = '\0';
            struct line as_asked = *line;
            if (longer && line->times > 1)
                as_asked.steps *= line->times;
            else
                as_asked.times = 1;
            if (steps != 0)
                as_asked.steps = steps;
            line->run(&sim, &as_asked, &result);
        }
        _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
    }
    close(ends[1]);
    measurement result;
    if (child > 0 && read(ends[0], &result, sizeof result) == (ssize_t)sizeof result)
        m = result;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return m;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted values. */
static double median(const double *values, int count)
{
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Four digits, or nothing where there is nothing to say. */
static void number(char *text, size_t size, double value)
{
    if (isnan(value))
        *text = '\0';
    else
        snprintf(text, size, value >= 1000 ? "%.0f" : "%.4g", value);
}

static void cpu_name(char *name, size_t size)
{
    char text[256];
    snprintf(name, size, "unknown CPU");
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(text, sizeof text, f) != NULL) {
        char *colon = strchr(text, ':');
        if (strncmp(text, "model name", 10) == 0 && colon != NULL) {
            text[strcspn(text, "\n")] = '\0';
            snprintf(name, size, "%s", colon + 2);
            break;
        }
    }
    if (f != NULL)
        fclose(f);
}

static void usage(void)
{
    fprintf(stderr, "usage: bench [--ref LIBRARY] [--reps N] [--best] [--same-steps] [--steps N] [--only NAME] "
                    "[--kernels DIR] [--commit TEXT] "
                    "[--compiler TEXT] "
                    "[--record FILE] LIBRARY\n");
    exit(2);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"ref", required_argument, NULL, 'r'},      {"reps", required_argument, NULL, 'n'},
        {"only", required_argument, NULL, 'o'},     {"commit", required_argument, NULL, 'c'},
        {"compiler", required_argument, NULL, 'C'}, {"record", required_argument, NULL, 'R'},
        {"kernels", required_argument, NULL, 'k'},  {"best", no_argument, NULL, 'b'},
        {"ref-only", no_argument, NULL, 'x'},       {"same-steps", no_argument, NULL, 's'},
        {"steps", required_argument, NULL, 'S'},    {NULL, 0, NULL, 0},
    };
    const char *library[2] = {NULL, NULL}, *only = "", *commit = "unknown", *record = NULL;
    const char *compiler = __VERSION__;
    int reps = 3;
    uint32_t steps = 0;
    bool best = false, ref_only = false, same_steps = false;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'r': library[1] = optarg; break;
        case 'n': reps = atoi(optarg); break;
        case 'o': only = optarg; break;
        case 'c': commit = optarg; break;
        case 'C': compiler = optarg; break;
        case 'R': record = optarg; break;
        case 'k': kernels = optarg; break;
        case 'b': best = true; break;
        case 'x': ref_only = true; break;
        case 's': same_steps = true; break;
        case 'S': steps = (uint32_t)strtoul(optarg, NULL, 10); break;
        default: usage();
        }
    }
    if (optind + 1 != argc || reps < 1 || reps > MAX_REPS || (ref_only && library[1] == NULL))
        usage();
    library[0] = ref_only ? NULL : argv[optind];

    char cpu[128], date[32];
    cpu_name(cpu, sizeof cpu);
    time_t seconds = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&seconds, &utc));
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    printf("machine  %s, %ld cores\ncompiler %s\ncommit   %s\n\n", cpu, cpus, compiler, commit);
    printf("%-20s %12s %12s %10s\n", "name", "kerr", library[1] ? "ref" : "", library[1] ? "ratio" : "");

    FILE *csv = NULL;
    if (record != NULL && (csv = fopen(record, "a")) == NULL) {
        perror(record);
        return 2;
    }
    int status = 0;
    for (unsigned l = 0; l < LINES; l++) {
        if (strncmp(lines[l].name, only, strlen(only)) != 0 ||
            (lines[l].on_request && strcmp(lines[l].name, only) != 0))
            continue;
        double value[2][MAX_FIGURES][MAX_REPS];
        char error[2][120] = {"", ""};
        for (int rep = 0; rep < reps; rep++)
            for (int which = 0; which < 2; which++) {
                if (library[which] == NULL || error[which][0] != '\0' || (which == 1 && lines[l].no_reference))
                    continue;
                measurement m = measure(library[which], &lines[l], which == 0 || same_steps, steps);
                if (!m.valid)
                    memcpy(error[which], m.error, sizeof m.error);
                for (int part = 0; part < MAX_FIGURES; part++)
                    value[which][part][rep] = m.value[part];
            }
        for (int part = 0; part < MAX_FIGURES && lines[l].unit[part] != NULL; part++) {
            double result[2] = {NAN, NAN};
            for (int which = 0; which < 2; which++)
                if (library[which] != NULL && error[which][0] == '\0' && !(which == 1 && lines[l].no_reference)) {
                    double *sorted = value[which][part];
                    qsort(sorted, (size_t)reps, sizeof *sorted, by_value);
                    result[which] = !best ? median(sorted, reps) : sorted[lines[l].more_is_better ? reps - 1 : 0];
                }
            double ratio = lines[l].more_is_better ? result[0] / result[1] : result[1] / result[0];
            if (lines[l].unit[part] == unit_forks)
                ratio = NAN;
            char name[40], text[3][24];
            const char *suffix = lines[l].figure[part] ? lines[l].figure[part] : part ? lines[l].unit[part] : "";
            snprintf(name, sizeof name, "%s%s%s", lines[l].name, *suffix ? "-" : "", suffix);
            number(text[0], sizeof text[0], result[0]);
            number(text[1], sizeof text[1], result[1]);
            number(text[2], sizeof text[2], ratio);
            char goal[40] = "";
            if (lines[l].goal_ratio > 0 && library[0] != NULL && library[1] != NULL)
                snprintf(goal, sizeof goal, ", goal: ratio %g %s", lines[l].goal_ratio,
                         ratio >= lines[l].goal_ratio ? "met" : "MISSED");
            else if (lines[l].goal_most[part] > 0 && library[0] != NULL)
                snprintf(goal, sizeof goal, ", goal: %g %s", lines[l].goal_most[part],
                         result[0] <= lines[l].goal_most[part] ? "met" : "MISSED");
            printf("%-20s %12s %12s %10s  %s%s\n", name, text[0], text[1], text[2], lines[l].unit[part], goal);
            if (csv != NULL)
                fprintf(csv, "%s,%s,\"%s\",%ld,\"%s\",%s,%s,%s,%s,%s\n", date, commit, cpu, cpus, compiler, name,
                        lines[l].unit[part], text[0], text[1], text[2]);
        }
        for (int which = 0; which < 2; which++)
            if (error[which][0] != '\0') {
                printf("  %s: %s\n", which ? "ref" : "kerr", error[which]);
                status = 1;
            }
    }
    if (csv != NULL)
        fclose(csv);
    return status;
}
