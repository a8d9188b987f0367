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
#include "../support/matrix_random.h"
#include "../support/matrix_ref.h"
#include "../support/tap.h"
#include "tensix/matrix/kernel.h"

enum kind { MVMUL, ELWADD, ELWSUB, ELWMUL, KINDS };
static const char *const kind_name[KINDS] = {"MVMUL", "ELWADD", "ELWSUB", "ELWMUL"};
static const uint32_t kind_word[KINDS] = {0x26000000, 0x28200000, 0x30200000, 0x27000000}; /* with AddDst */

struct probe {
    const char *name;
    enum kind kind;
    uint8_t a_format, b_format, phase;
    bool dst32, keep;
    uint32_t a[16], b[16], dst, result;
};
enum { MOST = 8192 };
static struct probe probes[MOST];
static unsigned count;

/* ---- What is asked ---- */

static uint32_t cell(unsigned negative, unsigned exponent, unsigned mantissa)
{
    return (uint32_t)negative << 18 | mantissa << 8 | exponent;
}
/* FP32 in the order of Dst. */
static uint32_t fp32(unsigned negative, unsigned exponent, uint32_t mantissa)
{
    return dst_encode_fp32((uint32_t)negative << 31 | exponent << 23 | mantissa);
}
static uint32_t bf16(unsigned negative, unsigned exponent, unsigned mantissa)
{
    return fp32(negative, exponent, mantissa << 16);
}
static uint32_t fp16(unsigned negative, unsigned exponent, unsigned mantissa)
{
    return (uint32_t)dst_encode_fp16((uint16_t)(negative << 15 | exponent << 10 | mantissa)) << 16;
}

static struct probe now; /* what the next one is, but for its operands */

static void mode(const char *name, enum kind kind, unsigned format, bool dst32, unsigned phase)
{
    now = (struct probe){.name = name,
                         .kind = kind,
                         .a_format = (uint8_t)format,
                         .b_format = (uint8_t)format,
                         .dst32 = dst32,
                         .phase = (uint8_t)phase};
}
static void at(unsigned k, uint32_t a, uint32_t b)
{
    now.a[k] = a;
    now.b[k] = b;
}
static void ask(uint32_t dst)
{
    if (count == MOST)
        abort();
    now.dst = dst;
    probes[count++] = now;
    memset(now.a, 0, sizeof now.a);
    memset(now.b, 0, sizeof now.b);
}

static bool five(unsigned format)
{
    return format == FMT_FP16 || format == FMT_FP8;
}

/* Bits of each operand, one at a time, in each phase: sections 1 and 2. */
static void operand_bits(void)
{
    static const uint8_t formats[] = {FMT_BF16, FMT_TF32, FMT_FP16};
    for (unsigned f = 0; f < 3; f++)
        for (unsigned phase = 0; phase < 4; phase++)
            for (unsigned bit = 0; bit < 10; bit++) {
                const unsigned one = five(formats[f]) ? 15 : 127;
                mode("operand_bits", MVMUL, formats[f], true, phase);
                at(3, cell(0, one, 1u << bit), cell(0, one, 0x3FF));
                ask(0);
                at(3, cell(0, one, 0x3FF), cell(0, one, 1u << bit));
                ask(0);
            }
    mode("operand_formats", MVMUL, FMT_BF16, true, 3); /* whose low bits count, by whose format */
    for (unsigned i = 0; i < 4; i++) {
        now.a_format = i & 1 ? FMT_TF32 : FMT_BF16;
        now.b_format = i & 2 ? FMT_TF32 : FMT_BF16;
        at(0, cell(0, 127, 0x3FF), cell(1, 127, 0x3FF));
        ask(0);
    }
}

/* Exponents of zero, minus zero, the highest ones: section 1. */
static void operand_ends(void)
{
    static const uint8_t formats[] = {FMT_BF16, FMT_TF32, FMT_FP16};
    for (unsigned f = 0; f < 3; f++)
        for (unsigned wide = 0; wide < 2; wide++)
            for (unsigned i = 0; i < 6; i++) {
                const unsigned top = five(formats[f]) ? 31 : 255, one = five(formats[f]) ? 15 : 127;
                const uint32_t odd[] = {cell(0, 0, 0x3FF), cell(1, 0, 0),       cell(1, 0, 0x200),
                                        cell(0, top, 0),   cell(1, top, 0x200), cell(0, top, 0x3FF)};
                mode("operand_ends", MVMUL, formats[f], wide, 0);
                at(0, odd[i], cell(0, one - 3, 0));
                at(1, cell(0, one, 0x100), cell(0, one, 0));
                ask(0);
                at(0, cell(0, one - 3, 0), odd[i]);
                at(1, cell(0, one, 0x100), cell(0, one, 0));
                ask(0);
            }
}

/* One product next to a larger one, at all distances, halves included: section 4. */
static void align_in_eight(void)
{
    for (unsigned d = 0; d <= 40; d++)
        for (unsigned sign = 0; sign < 4; sign++)
            for (unsigned pattern = 0; pattern < 3; pattern++) {
                static const unsigned mantissa[] = {0, 0x200, 0x3FF};
                mode("align_in_eight", MVMUL, FMT_TF32, true, 0);
                at(0, cell(sign & 1, 127, 0), cell(0, 127, 0));
                at(5, cell(sign >> 1, 127 - d, mantissa[pattern]), cell(0, 127, pattern == 1 ? 0 : 0x3F0));
                ask(0);
            }
}

/* A product at each place that only counts next to a larger one of the other half: which eight are one sum, section 4. */
static void which_eight(void)
{
    for (unsigned large = 0; large < 16; large += 5)
        for (unsigned k = 0; k < 16; k++)
            if (k != large) {
                mode("which_eight", MVMUL, FMT_BF16, true, 0);
                at(large, cell(0, 127, 0), cell(0, 127, 0));
                at(k, cell(0, 115, 0), cell(0, 127, 0));
                ask(0);
            }
}

/* Many small ones that would count together and do not, each rounded alone: section 4. */
static void each_alone(void)
{
    for (unsigned d = 8; d < 14; d++)
        for (unsigned n = 1; n < 8; n++) {
            mode("each_alone", MVMUL, FMT_BF16, true, 0);
            at(0, cell(0, 127, 0), cell(0, 127, 0));
            for (unsigned k = 1; k <= n; k++)
                at(k, cell(k & 1, 127 - d, 0x180), cell(0, 127, 0));
            ask(0);
        }
}

/* Exponents of products around zero: section 4, and 7 for ELWMUL. */
static void small_products(void)
{
    for (unsigned kind = MVMUL; kind <= ELWMUL; kind += ELWMUL - MVMUL)
        for (unsigned wide = 0; wide < 2; wide++)
            for (unsigned e = 120; e < 140; e++) {
                mode("small_products", (enum kind)kind, FMT_TF32, wide, 0);
                at(0, cell(0, e - 100, 0x3FF), cell(0, 100, 0x3F0));
                ask(0);
                at(0, cell(0, e - 100, 0x3FF), cell(1, 100, 0x3F0));
                ask(bf16(0, 1, 0x41));
                if (kind == MVMUL) {
                    at(0, cell(0, e - 100, 0x3FF), cell(0, 100, 0x3F0));
                    at(1, cell(0, 30, 0), cell(0, 100, 0));
                    at(9, cell(0, e - 101, 0x3FF), cell(0, 100, 0x3F0));
                    ask(0);
                }
            }
}

/* A product without bits in this phase still has its exponent: sections 3 and 4. */
static void empty_products(void)
{
    for (unsigned phase = 1; phase < 4; phase++)
        for (unsigned e = 110; e < 150; e += 3) {
            mode("empty_products", MVMUL, FMT_TF32, true, phase);
            at(0, cell(0, e, 0), cell(0, 127, 0));
            ask(fp32(0, 120, 0x123457));
            at(0, cell(0, e, 0), cell(0, 127, 0));
            at(1, cell(0, 127, 0x3FF), cell(0, 127, 0x3FF));
            ask(fp32(1, 120, 0x123457));
        }
}

/* Of nothing at all: section 3. */
static void zero_exponent(void)
{
    for (unsigned kind = MVMUL; kind < KINDS; kind++)
        for (unsigned phase = 0; phase < (kind == ELWADD || kind == ELWSUB ? 1 : 4); phase++)
            for (unsigned e = 60; e < 102; e++) {
                mode("zero_exponent", (enum kind)kind, FMT_FP16, true, phase);
                ask(fp32(0, e, 0x7FFFFF));
            }
    mode("zero_exponent", MVMUL, FMT_FP16, false, 0);
    ask(fp16(0, 1, 0x155));
    mode("zero_exponent", MVMUL, FMT_BF16, true, 0);
    ask(fp32(0, 1, 0x155));
}

/* A sum and Dst at all distances: section 5. */
static void align_with_dst(void)
{
    for (int d = -40; d <= 40; d++)
        for (unsigned sign = 0; sign < 4; sign++) {
            static const uint32_t low[] = {0, 0x400000, 0x7FFFFF, 0x155555};
            mode("align_with_dst", MVMUL, FMT_TF32, true, 0);
            at(0, cell(sign & 1, 127, 0), cell(0, 127, 0));
            ask(fp32(sign >> 1, (unsigned)(127 + d), low[sign]));
            at(0, cell(sign & 1, 127, 0x240), cell(0, 127, 0x150));
            at(8, cell(sign & 1, 130, 0x1C0), cell(1, 119, 0x150));
            ask(fp32(sign >> 1, (unsigned)(127 + d), low[3 - sign]));
            mode("align_with_dst16", MVMUL, FMT_TF32, false, 0);
            at(0, cell(sign & 1, 127, 0x240), cell(0, 127, 0x150));
            at(8, cell(sign & 1, 125, 0x1C0), cell(0, 126, 0x150));
            ask(bf16(sign >> 1, (unsigned)(127 + d), low[sign] >> 16));
            if (d >= -15 && d <= 15) {
                mode("align_with_dst16", MVMUL, FMT_FP16, false, 0);
                at(0, cell(sign & 1, 15, 0x240), cell(0, 15, 0x150));
                at(8, cell(sign & 1, 12, 0x1C0), cell(0, 15, 0x150));
                ask(fp16(sign >> 1, (unsigned)(15 + d), low[sign] >> 13 & 0x3FF));
            }
        }
}

/* Which half a half goes to, in each of the three that meet: section 5. */
static void halves(void)
{
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned d = 1; d < 12; d++) {
            /* The sum of products is rounded against a Dst that is larger ... */
            mode("half_of_sum", MVMUL, FMT_TF32, true, 0);
            at(0, cell(sign, 127, 0x040), cell(0, 127, 0));
            ask(fp32(0, 127 + 13 + d, 0));
            mode("half_of_sum", MVMUL, FMT_TF32, true, 0);
            at(0, cell(sign, 127, 0x0C0), cell(0, 127, 0));
            ask(fp32(1, 127 + 13 + d, 0));
            /* ... and Dst against a sum that is larger. */
            mode("half_of_dst", MVMUL, FMT_TF32, true, 0);
            at(0, cell(0, 127 + d, 0), cell(0, 127, 0));
            ask(fp32(sign, 127, 1u << (d - 1)));
            mode("half_of_dst", MVMUL, FMT_TF32, true, 0);
            at(0, cell(1, 127 + d, 0), cell(0, 127, 0));
            ask(fp32(sign, 127, 3u << (d - 1)));
            /* The last ten of 24 bits do not meet in a Dst of 16. */
            mode("half_of_sum16", MVMUL, FMT_TF32, false, 0);
            at(0, cell(sign, 127, 0x040), cell(0, 127, 0));
            ask(bf16(0, 127 + d, 0));
            mode("half_of_sum16", MVMUL, FMT_TF32, false, 0);
            at(0, cell(sign, 127, 0x0C0), cell(0, 127, 0));
            at(8, cell(sign, 126, 0x0C0), cell(0, 127, 0));
            ask(bf16(1, 127 + d, 0));
        }
}

/* The result is rounded to what Dst holds: section 5. */
static void result_rounding(void)
{
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned i = 0; i < 64; i++) {
            mode("result_rounding", MVMUL, FMT_BF16, false, 0);
            at(0, cell(sign, 127, (i & 15) << 6), cell(0, 127, (i >> 4) << 4 | 0x100));
            ask(0);
            mode("result_rounding", MVMUL, FMT_FP16, false, 0);
            at(0, cell(sign, 15, (i & 15) << 6), cell(0, 15, (i >> 4) << 4 | 0x100));
            at(8, cell(sign, 9, 0x3C0), cell(0, 15, (i & 3) << 8));
            ask(0);
            mode("result_rounding", MVMUL, FMT_TF32, true, 0);
            at(0, cell(sign, 128, 0x3C0), cell(0, 128, 0x3F0));
            ask(fp32(sign, 127, 0x7FFFF0 + (i & 15)));
        }
}

/* Everything cancels, or nearly: section 5. */
static void cancellation(void)
{
    for (unsigned i = 0; i < 24; i++) {
        mode("cancellation", MVMUL, FMT_TF32, true, 0);
        at(0, cell(0, 127, 0), cell(1, 127, 0));
        ask(fp32(0, 127, i ? 1u << (i - 1) : 0));
        mode("cancellation", MVMUL, FMT_TF32, true, 0);
        at(0, cell(0, 127, 0), cell(0, 127, 0));
        at(8, cell(0, 127, 0), cell(1, 127, 0));
        ask(fp32(1, 127 - i, 0x7FFFFF));
        mode("cancellation", ELWSUB, FMT_TF32, i & 1, 0);
        at(0, cell(1, 127, 1u << (i % 10)), cell(1, 127, 0));
        ask(0);
    }
}

/* Too large and too small for Dst, and what Dst may hold of that kind: section 5. */
static void ends_of_dst(void)
{
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned e = 248; e < 256; e++)
            for (unsigned wide = 0; wide < 2; wide++) {
                mode("ends_of_dst", MVMUL, FMT_BF16, wide, 0);
                at(0, cell(sign, e, 0x3C0), cell(0, 128, 0x3F0));
                ask(0);
                mode("ends_of_dst", MVMUL, FMT_BF16, wide, 0);
                ask(bf16(sign, e, 0x7F) | (wide ? 0xFFFF : 0));
                mode("ends_of_dst", MVMUL, FMT_BF16, wide, 0);
                at(3, cell(!sign, 251, 0), cell(0, 127, 0));
                ask(bf16(sign, e, 0x40));
            }
    for (unsigned e = 0; e < 4; e++)
        for (unsigned wide = 0; wide < 2; wide++) {
            mode("ends_of_dst", MVMUL, FMT_BF16, wide, 0);
            ask(bf16(1, e, 0x15));
            mode("ends_of_dst", MVMUL, FMT_BF16, wide, 0);
            at(0, cell(1, 64 + e, 0), cell(0, 64, 0));
            ask(bf16(0, 1 + e, 0x15));
        }
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned e = 28; e < 32; e++) {
            mode("ends_of_dst", MVMUL, FMT_FP16, false, 0);
            at(0, cell(sign, e, 0x3C0), cell(0, 16, 0x3F0));
            ask(0);
            mode("ends_of_dst", MVMUL, FMT_FP16, false, 0);
            at(0, cell(sign, e - 3, 0), cell(0, 15, 0));
            ask(fp16(sign, e, 0x3FF));
            mode("ends_of_dst", MVMUL, FMT_FP16, false, 0);
            at(0, cell(!sign, e - 3, 0), cell(0, 15, 0));
            ask(fp16(sign, e - 28, 0x155));
        }
}

/* The sum of two operands, and what they are to Dst: section 8. */
static void sums(void)
{
    for (unsigned kind = ELWADD; kind <= ELWSUB; kind++)
        for (int d = -14; d <= 14; d++)
            for (unsigned pattern = 0; pattern < 4; pattern++) {
                static const unsigned mantissa[] = {0, 0x200, 0x3FF, 0x155};
                mode("sums", (enum kind)kind, FMT_TF32, pattern & 1, 0);
                at(0, cell(pattern >> 1, 127, mantissa[3 - pattern]), cell(0, (unsigned)(127 + d), mantissa[pattern]));
                ask(0);
                mode("sums", (enum kind)kind, FMT_FP16, pattern & 1, 0);
                at(0, cell(pattern >> 1, 15, mantissa[3 - pattern]), cell(0, (unsigned)(15 + d), mantissa[pattern]));
                ask(pattern & 1 ? fp32(1, 120, 0x123456) : fp16(1, 13, 0x321));
            }
    for (unsigned kind = ELWADD; kind <= ELWSUB; kind++)
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t odd[] = {cell(0, 0, 0), cell(0, 0, 0x3FF), cell(1, 0, 0x200), cell(0, 255, 0x3FF)};
            mode("sum_ends", (enum kind)kind, FMT_BF16, true, 0);
            at(0, odd[i & 3], odd[i >> 2]);
            ask(fp32(0, 3, 0));
        }
}

/* ALU_ACC_CTRL_Zero_Flag_disabled_src: sections 7 and 8. */
static void without_zero_flag(void)
{
    for (unsigned kind = ELWADD; kind < KINDS; kind++)
        for (unsigned i = 0; i < 6; i++) {
            const uint32_t b[] = {cell(0, 0, 0),     cell(0, 0, 0x200), cell(1, 0, 0x200),
                                  cell(0, 0, 0x008), cell(0, 0, 0x00F), cell(1, 0, 0x3FF)};
            mode("without_zero_flag", (enum kind)kind, FMT_BF16, true, 0);
            now.keep = true;
            at(0, cell(0, kind == ELWMUL ? 140 : 2, 0x100), b[i]);
            ask(fp32(0, 1, 0x000123));
            at(0, cell(0, 0, 0x100), b[i] | (kind == ELWSUB && i == 0 ? 1 << 18 : 0));
            ask(fp32(0, 1, 0x000123));
        }
}

static void all_probes(void)
{
    operand_bits();
    operand_ends();
    align_in_eight();
    which_eight();
    each_alone();
    small_products();
    empty_products();
    zero_exponent();
    align_with_dst();
    halves();
    result_rounding();
    cancellation();
    ends_of_dst();
    sums();
    without_zero_flag();
}

/* ---- REF ---- */

enum { AT_ONCE = 63 /* and one before, in phase 0 */ };

static bool same_mode(const struct probe *x, const struct probe *y)
{
    return x->a_format == y->a_format && x->b_format == y->b_format && x->dst32 == y->dst32 && x->keep == y->keep &&
           (x->kind == MVMUL) == (y->kind == MVMUL);
}

/* Probe i of a batch has a column of SrcA of its own, a row of SrcB and a block of Dst. */
static void put(struct mref_batch *b, unsigned i, const struct probe *p)
{
    const unsigned row = i % 8, column = i % 16;
    b->dst[8 * i + row][column] = p->dst;
    b->op[i] = (struct mref_op){.word = kind_word[p->kind] | (p->dst32 ? 8u : 16u) * i, .phase = p->phase};
    if (p->kind == MVMUL) {
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

static bool answered(struct mref *ref)
{
    static struct mref_batch b;
    static bool done[MOST];
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
    all_probes();
    if (!library || !mref_start(&ref, library) || !answered(&ref)) {
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
    return format == FMT_TF32 ? MATRIX_TF32 : five(format) ? MATRIX_FP16 : MATRIX_BF16;
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
    if (p->kind == MVMUL) {
        for (unsigned k = 0; k < 16; k++) {
            a[k][9] = p->a[k];
            b[5][k] = p->b[k];
        }
        (fast ? matrix_multiply : matrix_multiply_plain)(&m, &a[0][0], &b[0][0], 1, 8, block.row);
    } else {
        a[5][9] = p->a[0];
        b[5][9] = p->b[0];
        const struct matrix_elementwise_form form = {.op = p->kind == ELWADD   ? MATRIX_ADD
                                                           : p->kind == ELWSUB ? MATRIX_SUBTRACT
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
    while (p->kind < KINDS && strcmp(kind, kind_name[p->kind]) != 0)
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
    return p->kind < KINDS && sscanf(s, " | %x -> %x", &p->dst, &p->result) == 2;
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
