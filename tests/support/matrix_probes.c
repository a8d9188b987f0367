/* SPDX-License-Identifier: Apache-2.0 */
/* The probes; section numbers are those of docs/matrix-arithmetic.md. */
#include "matrix_probes.h"
#include "matrix_random.h"

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

static void mode(struct probe_list *l, const char *name, enum probe_kind kind, unsigned format, bool dst32,
                 unsigned phase)
{
    l->now = (struct probe){.name = name,
                            .kind = kind,
                            .a_format = (uint8_t)format,
                            .b_format = (uint8_t)format,
                            .dst32 = dst32,
                            .phase = (uint8_t)phase};
}
static void at(struct probe_list *l, unsigned k, uint32_t a, uint32_t b)
{
    l->now.a[k] = a;
    l->now.b[k] = b;
}
static void ask(struct probe_list *l, uint32_t dst)
{
    if (l->count == MOST_PROBES)
        abort();
    l->now.dst = dst;
    l->probe[l->count++] = l->now;
    memset(l->now.a, 0, sizeof l->now.a);
    memset(l->now.b, 0, sizeof l->now.b);
}

static bool five(unsigned format)
{
    return format == FMT_FP16 || format == FMT_FP8;
}

/* Bits of each operand, one at a time, in each phase: sections 1 and 2. */
static void operand_bits(struct probe_list *l)
{
    static const uint8_t formats[] = {FMT_BF16, FMT_TF32, FMT_FP16};
    for (unsigned f = 0; f < 3; f++)
        for (unsigned phase = 0; phase < 4; phase++)
            for (unsigned bit = 0; bit < 10; bit++) {
                const unsigned one = five(formats[f]) ? 15 : 127;
                mode(l, "operand_bits", PROBE_MVMUL, formats[f], true, phase);
                at(l, 3, cell(0, one, 1u << bit), cell(0, one, 0x3FF));
                ask(l, 0);
                at(l, 3, cell(0, one, 0x3FF), cell(0, one, 1u << bit));
                ask(l, 0);
            }
    mode(l, "operand_formats", PROBE_MVMUL, FMT_BF16, true, 3); /* whose low bits count, by whose format */
    for (unsigned i = 0; i < 4; i++) {
        l->now.a_format = i & 1 ? FMT_TF32 : FMT_BF16;
        l->now.b_format = i & 2 ? FMT_TF32 : FMT_BF16;
        at(l, 0, cell(0, 127, 0x3FF), cell(1, 127, 0x3FF));
        ask(l, 0);
    }
}

/* Exponents of zero, minus zero, the highest ones: section 1. */
static void operand_ends(struct probe_list *l)
{
    static const uint8_t formats[] = {FMT_BF16, FMT_TF32, FMT_FP16};
    for (unsigned f = 0; f < 3; f++)
        for (unsigned wide = 0; wide < 2; wide++)
            for (unsigned i = 0; i < 6; i++) {
                const unsigned top = five(formats[f]) ? 31 : 255, one = five(formats[f]) ? 15 : 127;
                const uint32_t odd[] = {cell(0, 0, 0x3FF), cell(1, 0, 0),       cell(1, 0, 0x200),
                                        cell(0, top, 0),   cell(1, top, 0x200), cell(0, top, 0x3FF)};
                mode(l, "operand_ends", PROBE_MVMUL, formats[f], wide, 0);
                at(l, 0, odd[i], cell(0, one - 3, 0));
                at(l, 1, cell(0, one, 0x100), cell(0, one, 0));
                ask(l, 0);
                at(l, 0, cell(0, one - 3, 0), odd[i]);
                at(l, 1, cell(0, one, 0x100), cell(0, one, 0));
                ask(l, 0);
            }
}

/* One product next to a larger one, at all distances, halves included: section 4. */
static void align_in_eight(struct probe_list *l)
{
    for (unsigned d = 0; d <= 40; d++)
        for (unsigned sign = 0; sign < 4; sign++)
            for (unsigned pattern = 0; pattern < 3; pattern++) {
                static const unsigned mantissa[] = {0, 0x200, 0x3FF};
                mode(l, "align_in_eight", PROBE_MVMUL, FMT_TF32, true, 0);
                at(l, 0, cell(sign & 1, 127, 0), cell(0, 127, 0));
                at(l, 5, cell(sign >> 1, 127 - d, mantissa[pattern]), cell(0, 127, pattern == 1 ? 0 : 0x3F0));
                ask(l, 0);
            }
}

/* A product at each place that only counts next to a larger one of the other half: which eight are one sum, section 4. */
static void which_eight(struct probe_list *l)
{
    for (unsigned large = 0; large < 16; large += 5)
        for (unsigned k = 0; k < 16; k++)
            if (k != large) {
                mode(l, "which_eight", PROBE_MVMUL, FMT_BF16, true, 0);
                at(l, large, cell(0, 127, 0), cell(0, 127, 0));
                at(l, k, cell(0, 115, 0), cell(0, 127, 0));
                ask(l, 0);
            }
}

/* Many small ones that would count together and do not, each rounded alone: section 4. */
static void each_alone(struct probe_list *l)
{
    for (unsigned d = 8; d < 14; d++)
        for (unsigned n = 1; n < 8; n++) {
            mode(l, "each_alone", PROBE_MVMUL, FMT_BF16, true, 0);
            at(l, 0, cell(0, 127, 0), cell(0, 127, 0));
            for (unsigned k = 1; k <= n; k++)
                at(l, k, cell(k & 1, 127 - d, 0x180), cell(0, 127, 0));
            ask(l, 0);
        }
}

/* Exponents of products around zero: section 4, and 7 for PROBE_ELWMUL. */
static void small_products(struct probe_list *l)
{
    for (unsigned kind = PROBE_MVMUL; kind <= PROBE_ELWMUL; kind += PROBE_ELWMUL - PROBE_MVMUL)
        for (unsigned wide = 0; wide < 2; wide++)
            for (unsigned e = 120; e < 140; e++) {
                mode(l, "small_products", (enum probe_kind)kind, FMT_TF32, wide, 0);
                at(l, 0, cell(0, e - 100, 0x3FF), cell(0, 100, 0x3F0));
                ask(l, 0);
                at(l, 0, cell(0, e - 100, 0x3FF), cell(1, 100, 0x3F0));
                ask(l, bf16(0, 1, 0x41));
                if (kind == PROBE_MVMUL) {
                    at(l, 0, cell(0, e - 100, 0x3FF), cell(0, 100, 0x3F0));
                    at(l, 1, cell(0, 30, 0), cell(0, 100, 0));
                    at(l, 9, cell(0, e - 101, 0x3FF), cell(0, 100, 0x3F0));
                    ask(l, 0);
                }
            }
}

/* A product without bits in this phase still has its exponent: sections 3 and 4. */
static void empty_products(struct probe_list *l)
{
    for (unsigned phase = 1; phase < 4; phase++)
        for (unsigned e = 110; e < 150; e += 3) {
            mode(l, "empty_products", PROBE_MVMUL, FMT_TF32, true, phase);
            at(l, 0, cell(0, e, 0), cell(0, 127, 0));
            ask(l, fp32(0, 120, 0x123457));
            at(l, 0, cell(0, e, 0), cell(0, 127, 0));
            at(l, 1, cell(0, 127, 0x3FF), cell(0, 127, 0x3FF));
            ask(l, fp32(1, 120, 0x123457));
        }
}

/* Of nothing at all: section 3. */
static void zero_exponent(struct probe_list *l)
{
    for (unsigned kind = PROBE_MVMUL; kind < PROBE_KINDS; kind++)
        for (unsigned phase = 0; phase < (kind == PROBE_ELWADD || kind == PROBE_ELWSUB ? 1 : 4); phase++)
            for (unsigned e = 60; e < 102; e++) {
                mode(l, "zero_exponent", (enum probe_kind)kind, FMT_FP16, true, phase);
                ask(l, fp32(0, e, 0x7FFFFF));
            }
    mode(l, "zero_exponent", PROBE_MVMUL, FMT_FP16, false, 0);
    ask(l, fp16(0, 1, 0x155));
    mode(l, "zero_exponent", PROBE_MVMUL, FMT_BF16, true, 0);
    ask(l, fp32(0, 1, 0x155));
}

/* A sum and Dst at all distances: section 5. */
static void align_with_dst(struct probe_list *l)
{
    for (int d = -40; d <= 40; d++)
        for (unsigned sign = 0; sign < 4; sign++) {
            static const uint32_t low[] = {0, 0x400000, 0x7FFFFF, 0x155555};
            mode(l, "align_with_dst", PROBE_MVMUL, FMT_TF32, true, 0);
            at(l, 0, cell(sign & 1, 127, 0), cell(0, 127, 0));
            ask(l, fp32(sign >> 1, (unsigned)(127 + d), low[sign]));
            at(l, 0, cell(sign & 1, 127, 0x240), cell(0, 127, 0x150));
            at(l, 8, cell(sign & 1, 130, 0x1C0), cell(1, 119, 0x150));
            ask(l, fp32(sign >> 1, (unsigned)(127 + d), low[3 - sign]));
            mode(l, "align_with_dst16", PROBE_MVMUL, FMT_TF32, false, 0);
            at(l, 0, cell(sign & 1, 127, 0x240), cell(0, 127, 0x150));
            at(l, 8, cell(sign & 1, 125, 0x1C0), cell(0, 126, 0x150));
            ask(l, bf16(sign >> 1, (unsigned)(127 + d), low[sign] >> 16));
            if (d >= -15 && d <= 15) {
                mode(l, "align_with_dst16", PROBE_MVMUL, FMT_FP16, false, 0);
                at(l, 0, cell(sign & 1, 15, 0x240), cell(0, 15, 0x150));
                at(l, 8, cell(sign & 1, 12, 0x1C0), cell(0, 15, 0x150));
                ask(l, fp16(sign >> 1, (unsigned)(15 + d), low[sign] >> 13 & 0x3FF));
            }
        }
}

/* Which half a half goes to, in each of the three that meet: section 5. */
static void halves(struct probe_list *l)
{
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned d = 1; d < 12; d++) {
            /* The sum of products is rounded against a Dst that is larger ... */
            mode(l, "half_of_sum", PROBE_MVMUL, FMT_TF32, true, 0);
            at(l, 0, cell(sign, 127, 0x040), cell(0, 127, 0));
            ask(l, fp32(0, 127 + 13 + d, 0));
            mode(l, "half_of_sum", PROBE_MVMUL, FMT_TF32, true, 0);
            at(l, 0, cell(sign, 127, 0x0C0), cell(0, 127, 0));
            ask(l, fp32(1, 127 + 13 + d, 0));
            /* ... and Dst against a sum that is larger. */
            mode(l, "half_of_dst", PROBE_MVMUL, FMT_TF32, true, 0);
            at(l, 0, cell(0, 127 + d, 0), cell(0, 127, 0));
            ask(l, fp32(sign, 127, 1u << (d - 1)));
            mode(l, "half_of_dst", PROBE_MVMUL, FMT_TF32, true, 0);
            at(l, 0, cell(1, 127 + d, 0), cell(0, 127, 0));
            ask(l, fp32(sign, 127, 3u << (d - 1)));
            /* The last ten of 24 bits do not meet in a Dst of 16. */
            mode(l, "half_of_sum16", PROBE_MVMUL, FMT_TF32, false, 0);
            at(l, 0, cell(sign, 127, 0x040), cell(0, 127, 0));
            ask(l, bf16(0, 127 + d, 0));
            mode(l, "half_of_sum16", PROBE_MVMUL, FMT_TF32, false, 0);
            at(l, 0, cell(sign, 127, 0x0C0), cell(0, 127, 0));
            at(l, 8, cell(sign, 126, 0x0C0), cell(0, 127, 0));
            ask(l, bf16(1, 127 + d, 0));
        }
}

/* The result is rounded to what Dst holds: section 5. */
static void result_rounding(struct probe_list *l)
{
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned i = 0; i < 64; i++) {
            mode(l, "result_rounding", PROBE_MVMUL, FMT_BF16, false, 0);
            at(l, 0, cell(sign, 127, (i & 15) << 6), cell(0, 127, (i >> 4) << 4 | 0x100));
            ask(l, 0);
            mode(l, "result_rounding", PROBE_MVMUL, FMT_FP16, false, 0);
            at(l, 0, cell(sign, 15, (i & 15) << 6), cell(0, 15, (i >> 4) << 4 | 0x100));
            at(l, 8, cell(sign, 9, 0x3C0), cell(0, 15, (i & 3) << 8));
            ask(l, 0);
            mode(l, "result_rounding", PROBE_MVMUL, FMT_TF32, true, 0);
            at(l, 0, cell(sign, 128, 0x3C0), cell(0, 128, 0x3F0));
            ask(l, fp32(sign, 127, 0x7FFFF0 + (i & 15)));
        }
}

/* Everything cancels, or nearly: section 5. */
static void cancellation(struct probe_list *l)
{
    for (unsigned i = 0; i < 24; i++) {
        mode(l, "cancellation", PROBE_MVMUL, FMT_TF32, true, 0);
        at(l, 0, cell(0, 127, 0), cell(1, 127, 0));
        ask(l, fp32(0, 127, i ? 1u << (i - 1) : 0));
        mode(l, "cancellation", PROBE_MVMUL, FMT_TF32, true, 0);
        at(l, 0, cell(0, 127, 0), cell(0, 127, 0));
        at(l, 8, cell(0, 127, 0), cell(1, 127, 0));
        ask(l, fp32(1, 127 - i, 0x7FFFFF));
        mode(l, "cancellation", PROBE_ELWSUB, FMT_TF32, i & 1, 0);
        at(l, 0, cell(1, 127, 1u << (i % 10)), cell(1, 127, 0));
        ask(l, 0);
    }
}

/* Too large and too small for Dst, and what Dst may hold of that kind: section 5. */
static void ends_of_dst(struct probe_list *l)
{
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned e = 248; e < 256; e++)
            for (unsigned wide = 0; wide < 2; wide++) {
                mode(l, "ends_of_dst", PROBE_MVMUL, FMT_BF16, wide, 0);
                at(l, 0, cell(sign, e, 0x3C0), cell(0, 128, 0x3F0));
                ask(l, 0);
                mode(l, "ends_of_dst", PROBE_MVMUL, FMT_BF16, wide, 0);
                ask(l, bf16(sign, e, 0x7F) | (wide ? 0xFFFF : 0));
                mode(l, "ends_of_dst", PROBE_MVMUL, FMT_BF16, wide, 0);
                at(l, 3, cell(!sign, 251, 0), cell(0, 127, 0));
                ask(l, bf16(sign, e, 0x40));
            }
    for (unsigned e = 0; e < 4; e++)
        for (unsigned wide = 0; wide < 2; wide++) {
            mode(l, "ends_of_dst", PROBE_MVMUL, FMT_BF16, wide, 0);
            ask(l, bf16(1, e, 0x15));
            mode(l, "ends_of_dst", PROBE_MVMUL, FMT_BF16, wide, 0);
            at(l, 0, cell(1, 64 + e, 0), cell(0, 64, 0));
            ask(l, bf16(0, 1 + e, 0x15));
        }
    for (unsigned sign = 0; sign < 2; sign++)
        for (unsigned e = 28; e < 32; e++) {
            mode(l, "ends_of_dst", PROBE_MVMUL, FMT_FP16, false, 0);
            at(l, 0, cell(sign, e, 0x3C0), cell(0, 16, 0x3F0));
            ask(l, 0);
            mode(l, "ends_of_dst", PROBE_MVMUL, FMT_FP16, false, 0);
            at(l, 0, cell(sign, e - 3, 0), cell(0, 15, 0));
            ask(l, fp16(sign, e, 0x3FF));
            mode(l, "ends_of_dst", PROBE_MVMUL, FMT_FP16, false, 0);
            at(l, 0, cell(!sign, e - 3, 0), cell(0, 15, 0));
            ask(l, fp16(sign, e - 28, 0x155));
        }
}

/* The sum of two operands, and what they are to Dst: section 8. */
static void sums(struct probe_list *l)
{
    for (unsigned kind = PROBE_ELWADD; kind <= PROBE_ELWSUB; kind++)
        for (int d = -14; d <= 14; d++)
            for (unsigned pattern = 0; pattern < 4; pattern++) {
                static const unsigned mantissa[] = {0, 0x200, 0x3FF, 0x155};
                mode(l, "sums", (enum probe_kind)kind, FMT_TF32, pattern & 1, 0);
                at(l, 0, cell(pattern >> 1, 127, mantissa[3 - pattern]),
                   cell(0, (unsigned)(127 + d), mantissa[pattern]));
                ask(l, 0);
                mode(l, "sums", (enum probe_kind)kind, FMT_FP16, pattern & 1, 0);
                at(l, 0, cell(pattern >> 1, 15, mantissa[3 - pattern]), cell(0, (unsigned)(15 + d), mantissa[pattern]));
                ask(l, pattern & 1 ? fp32(1, 120, 0x123456) : fp16(1, 13, 0x321));
            }
    for (unsigned kind = PROBE_ELWADD; kind <= PROBE_ELWSUB; kind++)
        for (unsigned i = 0; i < 16; i++) {
            const uint32_t odd[] = {cell(0, 0, 0), cell(0, 0, 0x3FF), cell(1, 0, 0x200), cell(0, 255, 0x3FF)};
            mode(l, "sum_ends", (enum probe_kind)kind, FMT_BF16, true, 0);
            at(l, 0, odd[i & 3], odd[i >> 2]);
            ask(l, fp32(0, 3, 0));
        }
}

/* ALU_ACC_CTRL_Zero_Flag_disabled_src: sections 7 and 8. */
static void without_zero_flag(struct probe_list *l)
{
    for (unsigned kind = PROBE_ELWADD; kind < PROBE_KINDS; kind++)
        for (unsigned i = 0; i < 6; i++) {
            const uint32_t b[] = {cell(0, 0, 0),     cell(0, 0, 0x200), cell(1, 0, 0x200),
                                  cell(0, 0, 0x008), cell(0, 0, 0x00F), cell(1, 0, 0x3FF)};
            mode(l, "without_zero_flag", (enum probe_kind)kind, FMT_BF16, true, 0);
            l->now.keep = true;
            at(l, 0, cell(0, kind == PROBE_ELWMUL ? 140 : 2, 0x100), b[i]);
            ask(l, fp32(0, 1, 0x000123));
            at(l, 0, cell(0, 0, 0x100), b[i] | (kind == PROBE_ELWSUB && i == 0 ? 1 << 18 : 0));
            ask(l, fp32(0, 1, 0x000123));
        }
}

void probes_make(struct probe_list *l)
{
    operand_bits(l);
    operand_ends(l);
    align_in_eight(l);
    which_eight(l);
    each_alone(l);
    small_products(l);
    empty_products(l);
    zero_exponent(l);
    align_with_dst(l);
    halves(l);
    result_rounding(l);
    cancellation(l);
    ends_of_dst(l);
    sums(l);
    without_zero_flag(l);
}
