/* SPDX-License-Identifier: Apache-2.0 */
/* The probes behind docs/matrix-arithmetic.md: one datum of Dst each, with operands that show one thing, put to the vendor's
 * simulator (REF) through its C ABI.
 *
 *   matrix_probes record FILE     makes FILE with the library that REF names
 *   matrix_probes vectors FILE    the plain and the fast forms of src/tensix/matrix give what FILE says
 *
 * A line of FILE:  probe instruction SrcA-format SrcB-format dst32 phase keep | k:a*b ... | dst -> result
 * with cells of 19 bits as in tensix/files.h, k the index that is summed over (0 element by element; k that are not named are
 * zero), and Dst as it stands there: a word of Dst32b, or the high half of one. */
#include "../support/matrix_probes.h"
#include "../support/matrix_random.h"
#include "../support/matrix_ref.h"
#include "../support/tap.h"
#include "tensix/matrix/kernel.h"

static const char *const kind_name[PROBE_KINDS] = {"MVMUL", "ELWADD", "ELWSUB", "ELWMUL"};
static const uint32_t kind_word[PROBE_KINDS] = {0x26000000, 0x28200000, 0x30200000, 0x27000000}; /* with AddDst */

/* ---- REF ---- */

enum { AT_ONCE = 63 /* and one before, in phase 0 */ };

static bool same_mode(const struct probe *x, const struct probe *y)
{
    return x->a_format == y->a_format && x->b_format == y->b_format && x->dst32 == y->dst32 && x->keep == y->keep &&
           (x->kind == PROBE_MVMUL) == (y->kind == PROBE_MVMUL);
}

/* Probe i of a batch has a column of SrcA of its own, a row of SrcB and a block of Dst. */
static void put(struct mref_batch *b, unsigned i, const struct probe *p)
{
    const unsigned row = i % 8, column = i % 16;
    b->dst[8 * i + row][column] = p->dst;
    b->op[i] = (struct mref_op){.word = kind_word[p->kind] | (p->dst32 ? 8u : 16u) * i, .phase = p->phase};
    if (p->kind == PROBE_MVMUL) {
        b->op[i].a_row = (uint8_t)(16 * (i / 16));
        for (unsigned k = 0; k < 16; k++) {
            b->a[16 * (i / 16) + k][column] = p->a[k];
            b->b[i][k] = p->b[k];
        }
    } else {
        b->op[i].a_row = (uint8_t)(8 * (i / 8));
        b->a[i][column] = p->a[0];
        b->b[i][column] = p->b[0];
    }
    b->op[i].b_row = (uint8_t)(8 * (i / 8));
}

static bool answered(struct mref *ref, struct probe_list *list)
{
    struct probe *probes = list->probe;
    const unsigned count = list->count;
    static struct mref_batch b;
    static bool done[MOST_PROBES];
    for (unsigned first = 0; first < count; first++) {
        if (done[first])
            continue;
        unsigned chosen[MREF_OPS], n = 1;
        memset(&b, 0, sizeof b);
        const struct probe *p = &probes[first];
        b.a_format = p->a_format;
        b.b_format = p->b_format;
        b.dst32 = p->dst32;
        b.keep_zero = p->keep;
        b.op[0].word = kind_word[p->kind];
        for (unsigned i = first; i < count && n < MREF_OPS; i++)
            if (!done[i] && same_mode(p, &probes[i])) {
                put(&b, n, &probes[i]);
                done[i] = true;
                chosen[n++] = i;
            }
        b.ops = n;
        if (!mref_run(ref, &b))
            return false;
        for (unsigned i = 1; i < n; i++)
            probes[chosen[i]].result = b.dst[8 * i + i % 8][i % 16] & (p->dst32 ? 0xFFFFFFFF : 0xFFFF0000);
    }
    return true;
}

/* ---- FILE ---- */

static void write_down(FILE *f, const struct probe *p)
{
    fprintf(f, "%s %s %u %u %u %u %u |", p->name, kind_name[p->kind], p->a_format, p->b_format, p->dst32, p->phase,
            p->keep);
    for (unsigned k = 0; k < 16; k++)
        if (p->a[k] || p->b[k])
            fprintf(f, " %u:%x*%x", k, p->a[k], p->b[k]);
    fprintf(f, " | %x -> %x\n", p->dst, p->result);
}

static int record(const char *path)
{
    const char *library = getenv("REF");
    static struct mref ref;
    static struct probe_list list;
    probes_make(&list);
    const struct probe *probes = list.probe;
    const unsigned count = list.count;
    if (!library || !mref_start(&ref, library) || !answered(&ref, &list)) {
        fprintf(stderr, "REF is not set, or does not answer\n");
        return 2;
    }
    FILE *f = fopen(path, "w");
    if (!f)
        return 2;
    fprintf(f, "# Origin: reference simulator ttsim, version 1.10 (libttsim.so, Blackhole).  Made by\n"
               "#   REF=libttsim.so matrix_probes record FILE\n"
               "# probe instruction SrcA-format SrcB-format dst32 phase keep | k:a*b ... | dst -> result\n");
    for (unsigned i = 0; i < count; i++) { /* those of one name together */
        bool first = true;
        for (unsigned k = 0; k < i && first; k++)
            first = strcmp(probes[k].name, probes[i].name) != 0;
        for (unsigned k = i; k < count && first; k++)
            if (strcmp(probes[k].name, probes[i].name) == 0)
                write_down(f, &probes[k]);
    }
    return fclose(f) != 0;
}

static unsigned style_of(unsigned format)
{
    return format == FMT_TF32 ? MATRIX_TF32 : format == FMT_FP16 || format == FMT_FP8 ? MATRIX_FP16 : MATRIX_BF16;
}

static void multiply(bool fast, const struct matrix_mode *m, const uint32_t *a, const uint32_t *b, unsigned b_step,
                     unsigned rows, uint16_t *const dst[])
{
    if (fast)
        matrix_multiply(m, a, b, b_step, rows, dst, NULL, NULL);
    else
        matrix_multiply_plain(m, a, b, b_step, rows, dst);
}

static uint32_t result_of(const struct probe *p, bool fast)
{
    const struct matrix_mode m = {.a = (uint8_t)style_of(p->a_format),
                                  .b = (uint8_t)style_of(p->b_format),
                                  .phase = p->phase,
                                  .dst32 = p->dst32,
                                  .keep_zero_b = p->keep};
    static uint32_t a[16][16], b[8][16], words[8][16];
    matrix_block block;
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    memset(words, 0, sizeof words);
    words[5][9] = p->dst;
    matrix_block_from(&block, &words[0][0]);
    if (p->kind == PROBE_MVMUL) {
        for (unsigned k = 0; k < 16; k++) {
            a[k][9] = p->a[k];
            b[5][k] = p->b[k];
        }
        multiply(fast, &m, &a[0][0], &b[0][0], 1, 8, block.row);
    } else {
        a[5][9] = p->a[0];
        b[5][9] = p->b[0];
        const struct matrix_elementwise_form form = {.op = p->kind == PROBE_ELWADD   ? MATRIX_ADD
                                                           : p->kind == PROBE_ELWSUB ? MATRIX_SUBTRACT
                                                                                     : MATRIX_MULTIPLY,
                                                     .b_step = 1,
                                                     .add_dst = true};
        (fast ? matrix_elementwise : matrix_elementwise_plain)(&m, &form, &a[0][0], &b[0][0], block.row);
    }
    matrix_block_to(&block, &words[0][0]);
    return words[5][9];
}

static bool read_line(const char *line, struct probe *p, char name[32])
{
    char kind[16];
    unsigned a_format, b_format, dst32, phase, keep;
    int used = 0;
    memset(p, 0, sizeof *p);
    if (sscanf(line, "%31s %15s %u %u %u %u %u |%n", name, kind, &a_format, &b_format, &dst32, &phase, &keep, &used) !=
        7)
        return false;
    while (p->kind < PROBE_KINDS && strcmp(kind, kind_name[p->kind]) != 0)
        p->kind++;
    p->a_format = (uint8_t)a_format;
    p->b_format = (uint8_t)b_format;
    p->dst32 = dst32;
    p->phase = (uint8_t)phase;
    p->keep = keep;
    const char *s = line + used;
    unsigned k, a, b;
    int more = 0;
    while (sscanf(s, " %u:%x*%x%n", &k, &a, &b, &more) == 3 && k < 16) {
        p->a[k] = a;
        p->b[k] = b;
        s += more;
    }
    return p->kind < PROBE_KINDS && sscanf(s, " | %x -> %x", &p->dst, &p->result) == 2;
}

static int vectors(const char *path)
{
    FILE *f = fopen(path, "r");
    tap t = {0};
    if (!f)
        return 2;
    char line[512], name[32] = "", last[32] = "";
    unsigned asked = 0, wrong = 0;
    bool more = true;
    while (more) {
        struct probe p;
        more = fgets(line, sizeof line, f) != NULL;
        if (more && line[0] == '#')
            continue;
        const bool good = more && read_line(line, &p, name);
        if (asked && (!good || strcmp(name, last) != 0)) {
            tap_ok(&t, wrong == 0, "%s: %u of %u as recorded", last, asked - wrong, asked);
            asked = wrong = 0;
        }
        if (more && !good)
            tap_ok(&t, false, "a line that is none: %s", line);
        if (!good)
            continue;
        strcpy(last, name);
        const uint32_t plain = result_of(&p, false), fast = result_of(&p, true);
        if (plain != p.result || fast != p.result) {
            if (wrong < 4)
                printf("# %x plain, %x fast: %s", plain, fast, line);
            wrong++;
        }
        asked++;
    }
    fclose(f);
    return tap_end(&t);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "record") == 0)
        return record(argv[2]);
    if (argc == 3 && strcmp(argv[1], "vectors") == 0)
        return vectors(argv[2]);
    fprintf(stderr, "matrix_probes record FILE | vectors FILE\n");
    return 2;
}
