/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of the Matrix Unit against the vendor's simulator (REF): random blocks for every instruction, pair of
 * formats, width of Dst and fidelity phase that it takes, against the plain form of src/tensix/matrix (arith.h), which is
 * docs/matrix-arithmetic.md in C.
 *
 *   matrix reference MVMULS OTHERS [SEED]   so many of each, live, with the library that REF names
 *   matrix library LIBRARY MVMULS OTHERS [SEED]   the same with LIBRARY: ours, instructions and all
 *   matrix record FILE                      makes FILE with the library that REF names
 *   matrix vectors FILE                     what was recorded: plain and fast form
 *
 * A batch is 64 instructions on one filling of SrcA, SrcB and Dst; its seed makes all of it.  REF (ttsim 1.10) takes: SrcA
 * FP32, TF32, BF16, BFP8, BFP4 with SrcB of these or INT16 (element by element also BFP2 and INT32), FP16 with FP16, FP8
 * with FP8, INT8 with INT8; rows at multiples of 16 (SrcA of products) and 8; no broadcast for MVMUL; no fidelity phase for
 * ELWADD and ELWSUB; ALU_ACC_CTRL_Zero_Flag_disabled_src element by element only; GAPOOL and GMPOOL with bit 19 set, GMPOOL
 * on floating point with eight bits of exponent and with 1.0 in SrcB.  It refuses DOTPV and the 3x3 instructions. */
#include "../support/matrix_random.h"
#include "../support/matrix_ref.h"
#include "../support/tap.h"
#include "tensix/matrix/kernel.h"
#include "tensix/matrix/maximum.h"

#include <sys/wait.h>
#include <unistd.h>

enum kind { MVMUL, GAPOOL, ELWADD, ELWSUB, ELWMUL, GMPOOL, KINDS };
static const char *const kind_name[KINDS] = {"MVMUL", "GAPOOL", "ELWADD", "ELWSUB", "ELWMUL", "GMPOOL"};
static const uint8_t kind_opcode[KINDS] = {0x26, 0x34, 0x28, 0x30, 0x27, 0x33};

struct operation {
    uint8_t phase, a_row, b_row, block, half;
    struct matrix_elementwise_form form;
};
struct batch {
    enum kind kind;
    struct matrix_mode mode;
    struct mref_batch in;
    struct operation op[MREF_OPS];
};

static unsigned style_of(unsigned format)
{
    return format == FMT_TF32                                              ? MATRIX_TF32
           : format == FMT_FP16 || format == FMT_FP8 || format == FMT_INT8 ? MATRIX_FP16
                                                                           : MATRIX_BF16;
}

static void choose_formats(struct batch *b, test_random *r)
{
    static const uint8_t wide[] = {FMT_BF16, FMT_TF32, FMT_BF16,  FMT_TF32, FMT_FP32,
                                   FMT_BFP8, FMT_BFP4, FMT_INT16, FMT_BFP2, FMT_INT32};
    const bool products = b->kind == MVMUL || b->kind == GAPOOL || b->kind == GMPOOL;
    const unsigned family = b->kind == GMPOOL ? 0 : test_below(r, 8);
    if (family < 5) {
        do
            b->in.a_format = wide[test_below(r, products ? 7 : 9)];
        while (b->in.a_format == FMT_INT16);
        b->in.b_format = wide[test_below(r, b->kind == GMPOOL ? 7 : products ? 8 : 10)];
    } else {
        b->in.a_format = b->in.b_format = family == 5 ? FMT_FP16 : family == 6 ? FMT_FP8 : FMT_INT8;
    }
    const bool as_unpacked =
        b->in.a_format == b->in.b_format && (b->in.a_format == FMT_TF32 || b->in.a_format == FMT_FP16);
    b->in.implied = as_unpacked && test_below(r, 2);
    b->in.int8 = b->in.a_format == FMT_INT8;
    b->in.dst32 = test_below(r, 2) || b->in.int8;
    b->in.keep_zero = !products && test_below(r, 8) == 0;
    b->mode = (struct matrix_mode){.a = b->in.int8 ? MATRIX_INT8 : (uint8_t)style_of(b->in.a_format),
                                   .b = b->in.int8 ? MATRIX_INT8 : (uint8_t)style_of(b->in.b_format),
                                   .dst32 = b->in.dst32,
                                   .keep_zero_b = b->in.keep_zero};
}

static uint32_t word_of(const struct batch *b, const struct operation *o)
{
    const unsigned row = (b->in.dst32 ? 8u : 16u) * o->block + 4u * o->half;
    uint32_t word = (uint32_t)kind_opcode[b->kind] << 24 | row;
    if (b->kind == GAPOOL || b->kind == GMPOOL)
        word |= 1 << 19;
    else if (b->kind != MVMUL)
        word |= (o->form.add_dst && b->kind != ELWMUL ? 1u << 21 : 0) | (o->form.b_step ? 0 : 1u << 20) |
                (uint32_t)o->form.b_column_0 << 19;
    return word;
}

/* ELWADD and ELWSUB with ALU_ACC_CTRL_Zero_Flag_disabled_src: REF subtracts 1.0 * 2^-127 from zero without a sign where SrcA is
 * zero and what SrcB adds is minus zero (docs/errata-tensix.md). */
static uint32_t without_minus_zero(const struct batch *b, uint32_t cell)
{
    if (!b->in.keep_zero || (cell & 0xFF) || (cell >> 8 & 0x3F8) || b->kind == ELWMUL)
        return cell;
    return b->kind == ELWSUB ? UINT32_C(1) << 18 : 0;
}

static struct batch *batch_of(uint64_t seed, enum kind kind)
{
    struct batch *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    matrix_random random = {.r = {.state = seed * KINDS + kind + 1}};
    test_random *r = &random.r;
    b->kind = kind;
    choose_formats(b, r);
    matrix_random_kind(&random, &b->mode);
    for (unsigned i = 0; i < 1024; i++)
        b->in.a[i / 16][i % 16] = matrix_random_cell(&random, true);
    for (unsigned i = 0; i < 1024; i++)
        b->in.b[i / 16][i % 16] = kind == GMPOOL ? 127 : without_minus_zero(b, matrix_random_cell(&random, false));
    for (unsigned i = 0; i < MREF_ROWS * 16; i++)
        b->in.dst[i / 16][i % 16] = matrix_datum_to_dst(&b->mode, matrix_random_datum(&random, &b->mode)) |
                                    (b->in.dst32 ? 0 : (uint32_t)test_below(r, 0x10000));
    const bool products = kind == MVMUL || kind == GAPOOL || kind == GMPOOL;
    b->in.ops = MREF_OPS;
    for (unsigned i = 0; i < MREF_OPS; i++) {
        struct operation *o = &b->op[i];
        o->phase = (uint8_t)(i > 0 && kind != ELWADD && kind != ELWSUB ? test_below(r, 4) : 0);
        o->a_row = (uint8_t)(products ? 16 * test_below(r, 4) : 8 * test_below(r, 8));
        o->b_row = (uint8_t)(8 * test_below(r, 8));
        o->block = (uint8_t)i;
        o->half = (uint8_t)(kind == GAPOOL || kind == GMPOOL ? test_below(r, 2) : 0);
        o->form = (struct matrix_elementwise_form){.op = kind == ELWADD   ? MATRIX_ADD
                                                         : kind == ELWSUB ? MATRIX_SUBTRACT
                                                                          : MATRIX_MULTIPLY,
                                                   .b_step = test_below(r, 2),
                                                   .b_column_0 = test_below(r, 2),
                                                   .add_dst = test_below(r, 2)};
        b->in.op[i] = (struct mref_op){.word = word_of(b, o), .a_row = o->a_row, .b_row = o->b_row, .phase = o->phase};
    }
    return b;
}

static void maxima(const struct matrix_mode *mode, const uint32_t *a, const uint32_t *b, uint16_t *const dst[])
{
    for (unsigned j = 0; j < 16; j++) {
        const uint32_t old = (uint32_t)dst[0][j] << 16 | (mode->dst32 ? dst[0][j + MATRIX_LOW_HALF] : 0);
        const uint32_t now = maximum_of_column(mode, false, a + j, b, old);
        for (unsigned i = 0; i < 4; i++) {
            dst[i][j] = i ? 0 : (uint16_t)(now >> 16);
            if (mode->dst32)
                dst[i][j + MATRIX_LOW_HALF] = i ? 0 : (uint16_t)now;
        }
    }
}

static void multiply(bool fast, const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, unsigned b_step,
                     unsigned rows, uint16_t *const dst[])
{
    if (fast)
        matrix_multiply(m, a, b, b_step, rows, dst, NULL, NULL);
    else
        matrix_multiply_plain(m, a, b, b_step, rows, dst);
}

/* What one instruction makes of its block, in place, and what of it was written. */
static void expected(const struct batch *b, unsigned i, bool fast, uint32_t dst[8][16])
{
    const struct operation *o = &b->op[i];
    struct matrix_mode mode = b->mode;
    mode.phase = o->phase;
    matrix_block block;
    matrix_block_from(&block, dst[0]);
    const unsigned rows = b->kind == GAPOOL ? 4 : 8;
    uint16_t **to = block.row + 4 * o->half;
    const uint32_t *a = b->in.a[o->a_row], *s = b->in.b[o->b_row];
    if (b->kind == GMPOOL)
        maxima(&mode, a, s, to);
    else if (b->kind == MVMUL || b->kind == GAPOOL)
        multiply(fast, &mode, a, s, 1, rows, to);
    else
        (fast ? matrix_elementwise : matrix_elementwise_plain)(&mode, &o->form, a, s, to);
    matrix_block_to(&block, dst[0]);
}

static void tell(const struct batch *b, unsigned i, unsigned row, unsigned column, uint32_t got, uint32_t want)
{
    const struct operation *o = &b->op[i];
    printf("# %s A %u B %u dst%u phase %u keep %d step %u col0 %d add %d, a %u b %u: row %u column %u: %08x, not %08x "
           "(was %08x)\n",
           kind_name[b->kind], b->in.a_format, b->in.b_format, b->in.dst32 ? 32 : 16, o->phase, b->in.keep_zero,
           o->form.b_step, o->form.b_column_0, o->form.add_dst, o->a_row, o->b_row, row, column, got, want,
           b->in.dst[8 * i + row][column]);
    if (b->kind >= ELWADD)
        printf("#   a %05x b %05x\n", b->in.a[o->a_row + row][column],
               b->in.b[o->b_row + row * o->form.b_step][o->form.b_column_0 ? 0 : column]);
}

/* Instructions that differ. */
static unsigned compare(const struct batch *b, const struct mref_batch *result, bool fast)
{
    unsigned different = 0;
    for (unsigned i = 0; i < b->in.ops; i++) {
        uint32_t want[8][16];
        memcpy(want, b->in.dst[8 * i], sizeof want);
        expected(b, i, fast, want);
        bool same = true;
        for (unsigned k = 0; k < 128 && same; k++) {
            same = want[k / 16][k % 16] == result->dst[8 * i + k / 16][k % 16];
            if (!same && different < 3)
                tell(b, i, k / 16, k % 16, want[k / 16][k % 16], result->dst[8 * i + k / 16][k % 16]);
        }
        different += !same;
    }
    return different;
}

/* ---- Live ---- */

enum { PER_CHILD = 32 /* batches */ };

/* REF ends its process on what it refuses: that must be a child. */
static int child(const char *library, uint64_t seed, enum kind kind, unsigned batches)
{
    static struct mref ref;
    setenv("KERR_HOST_TIME", "0", 1);
    if (!mref_start(&ref, library))
        return 2;
    unsigned different = 0;
    for (unsigned i = 0; i < batches; i++) {
        struct batch *b = batch_of(seed + i, kind);
        struct mref_batch *result = malloc(sizeof *result);
        if (!result)
            abort();
        *result = b->in;
        if (!mref_run(&ref, result))
            return 3;
        different += compare(b, result, false);
        free(result);
        free(b);
    }
    fflush(stdout);
    return different != 0;
}

static int in_child(const char *library, uint64_t seed, enum kind kind, unsigned batches)
{
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0)
        _exit(child(library, seed, kind, batches));
    int status = -1;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int live(const char *library, unsigned mvmuls, unsigned others, uint64_t seed)
{
    tap t = {0};
    if (!library) {
        puts("1..0 # SKIP REF names no library");
        return 0;
    }
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const unsigned batches = ((kind == MVMUL ? mvmuls : others) + MREF_OPS - 1) / MREF_OPS;
        for (unsigned done = 0; done < batches; done += PER_CHILD) {
            const unsigned now = batches - done < PER_CHILD ? batches - done : PER_CHILD;
            const int status = in_child(library, seed + done, (enum kind)kind, now);
            tap_ok(&t, status == 0, "%u %s from seed %" PRIu64 " are as the library has them (%d)", now * MREF_OPS,
                   kind_name[kind], seed + done, status);
        }
    }
    return tap_end(&t);
}

/* ---- Recorded ---- */

enum { RECORDED = 40 /* batches of each instruction */ };
#define HASH_START UINT32_C(0x811c9dc5)

static uint32_t hash_more(uint32_t hash, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        hash = (hash ^ (word >> 8 * i & 0xff)) * UINT32_C(0x01000193);
    return hash;
}
/* Of a block. */
static uint32_t hash_of(const uint32_t *words)
{
    uint32_t hash = HASH_START;
    for (unsigned i = 0; i < 128; i++)
        hash = hash_more(hash, words[i]);
    return hash;
}
/* Tells a batch that is another one by now from one with another result. */
static uint32_t stimulus(const struct batch *b)
{
    uint32_t hash = HASH_START;
    for (unsigned i = 0; i < 1024; i++)
        hash = hash_more(hash_more(hash, b->in.a[i / 16][i % 16]), b->in.b[i / 16][i % 16]);
    for (unsigned i = 0; i < MREF_ROWS * 16; i++)
        hash = hash_more(hash, b->in.dst[i / 16][i % 16]);
    for (unsigned i = 0; i < MREF_OPS; i++)
        hash = hash_more(hash_more(hash, b->in.op[i].word),
                         b->op[i].phase * 65536u + b->op[i].a_row * 256u + b->op[i].b_row);
    return hash;
}

static int record(const char *path)
{
    const char *library = getenv("REF");
    static struct mref ref;
    FILE *f = fopen(path, "w");
    if (!library || !f || !mref_start(&ref, library)) {
        fprintf(stderr, "REF is not set, or %s cannot be written\n", path);
        return 2;
    }
    fprintf(f, "# Origin: reference simulator ttsim, version 1.10 (libttsim.so, Blackhole).  Made by\n"
               "#   REF=libttsim.so matrix record FILE\n"
               "# instruction seed stimulus, then the block of Dst behind each of 64 instructions (FNV-1a, 32 bits)\n");
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned seed = 0; seed < RECORDED; seed++) {
            struct batch *b = batch_of(seed, (enum kind)kind);
            fprintf(f, "%s %u %08x", kind_name[kind], seed, stimulus(b));
            if (!mref_run(&ref, &b->in))
                return 2;
            for (unsigned i = 0; i < MREF_OPS; i++)
                fprintf(f, " %x", hash_of(b->in.dst[8 * i]));
            fputc('\n', f);
            free(b);
        }
    return fclose(f) != 0;
}

/* A line: whether all of its instructions give what it says. */
static bool as_recorded(char *line, bool fast, unsigned *instructions)
{
    char *word = strtok(line, " \n"), *rest;
    unsigned kind = 0;
    while (word && kind < KINDS && strcmp(word, kind_name[kind]) != 0)
        kind++;
    word = strtok(NULL, " \n");
    if (kind == KINDS || !word)
        return false;
    struct batch *b = batch_of(strtoul(word, &rest, 10), (enum kind)kind);
    word = strtok(NULL, " \n");
    bool good = word && strtoul(word, NULL, 16) == stimulus(b);
    for (unsigned i = 0; good && i < MREF_OPS; i++) {
        expected(b, i, fast, &b->in.dst[8 * i]);
        word = strtok(NULL, " \n");
        good = word && strtoul(word, NULL, 16) == hash_of(b->in.dst[8 * i]);
        if (!good)
            printf("# %s, instruction %u of the batch\n", kind_name[kind], i);
        *instructions += good;
    }
    free(b);
    return good;
}

static int vectors(const char *path)
{
    tap t = {0};
    for (unsigned fast = 0; fast < 2; fast++) {
        FILE *f = fopen(path, "r");
        static char line[1024];
        unsigned instructions = 0, wrong = 0;
        if (!f)
            return 2;
        while (fgets(line, sizeof line, f))
            if (line[0] != '#')
                wrong += !as_recorded(line, fast, &instructions);
        fclose(f);
        tap_ok(&t, wrong == 0 && instructions != 0, "%u instructions, %s form: %u batches are not as recorded",
               instructions, fast ? "fast" : "plain", wrong);
    }
    return tap_end(&t);
}

int main(int count, char **argument)
{
    if (count >= 4 && strcmp(argument[1], "reference") == 0)
        return live(getenv("REF"), (unsigned)atoi(argument[2]), (unsigned)atoi(argument[3]),
                    count > 4 ? strtoull(argument[4], NULL, 0) : 0);
    if (count >= 5 && strcmp(argument[1], "library") == 0)
        return live(argument[2], (unsigned)atoi(argument[3]), (unsigned)atoi(argument[4]),
                    count > 5 ? strtoull(argument[5], NULL, 0) : 0);
    if (count == 3 && strcmp(argument[1], "record") == 0)
        return record(argument[2]);
    if (count == 3 && strcmp(argument[1], "vectors") == 0)
        return vectors(argument[2]);
    fprintf(
        stderr,
        "matrix reference MVMULS OTHERS [SEED] | library LIBRARY MVMULS OTHERS [SEED] | record FILE | vectors FILE\n");
    return 2;
}
