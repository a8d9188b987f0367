/* SPDX-License-Identifier: Apache-2.0 */
/* Code for programs of the Vector Unit on a processor with AVX2 (code.h): what code_avx512.c does, in 8 lanes at a time.  All playbacks of
 * these are done before those of the next 8: lanes have nothing to do with each other, nor have the rows of Dst that they go to.
 *
 * Registers: LReg i is ymm i.  ymm8 has ones in the lanes that are enabled, which are LaneFlags too; all others are for a moment.  What is
 * pushed is kept as such masks in struct code_run, besides the flag stack.  RDI: struct code_run; R15: bytes of an LReg in front of
 * these lanes; RBX: struct vector_files, further by these; RSI, R13 and R14: the flag stack, struct code_run and struct
 * vector_files, further by the bytes of a mask in front of these lanes; RBP: cells; ECX: how many playbacks are left. */
#include "tensix/vector/code.h"

#if defined(__x86_64__)
#include "tensix/vector/code_look.h"
#include "tensix/vector/x86_vex.h"

#include "num/sfpu.h"
#include "tensix/regs/dst.h"

_Static_assert((int)CODE_LANES == (int)VEX_LANES, "a vector of the host");

enum { ENABLED_LANES = 8, T0, T1, T2, T3, T4, T5, T6 };
enum { INEXACT = T4, ODD = T5, OUT = T6, PRODUCT = T3 }; /* of the MAD sub-unit */
enum { R13 = 13, R14, R15 };
enum { PASS_BYTES = CODE_LANES * 4, LREG_BYTES = LANES * 4, LOW_HALF_BYTES = DST_LOW_HALF * DST_COLUMNS * 2 };

/* As in code_avx512.c. */
struct doubt {
    uint8_t *small, *inexact;
    uint8_t *write, *done;
    unsigned step;
    bool all_on;
};
struct maker {
    struct x86 x;
    const struct play_step *step;
    bool all_on;
    int level;
    unsigned moves;
    uint32_t used, written;
    struct normal normal;
    unsigned doubts;
    struct doubt doubt[PLAY_WORDS];
};

#define V(field) offsetof(struct vector_files, field)
#define C(field) offsetof(struct code_run, field)

static size_t place_of(unsigned lreg)
{
    return V(LReg) + lreg * sizeof(uint32_t[LANES]);
}
/* An LReg in a register: its own, or `space`. */
static unsigned operand(struct maker *m, unsigned lreg, unsigned space)
{
    if (lreg < LREGS_HELD)
        return lreg;
    vex_rrm(&m->x, VMOVDQU, space, 0, RBX, place_of(lreg));
    return space;
}
static unsigned operand_negated(struct maker *m, unsigned lreg, bool negate, unsigned space)
{
    const unsigned plain = operand(m, lreg, space);
    if (!negate)
        return plain;
    vex_rrc(&m->x, VPXORD, space, plain, F32_SIGN);
    return space;
}
/* Where a result is made, and how it is written from there. */
static unsigned result_of(const struct maker *m, const struct play_step *step)
{
    return m->all_on ? step->o.VD : (unsigned)OUT;
}
static void write_from(struct maker *m, const struct play_step *step, unsigned reg)
{
    const unsigned VD = step->o.VD;
    if (!m->all_on)
        vex_blend(&m->x, VD, VD, reg, ENABLED_LANES);
    else if (reg != VD)
        vex_rrr(&m->x, VMOVDQU, VD, 0, reg);
}

/* ---- Simple sub-unit ---- */

static void binary(struct maker *m, const struct play_step *step, uint32_t op)
{
    const unsigned c = operand(m, step->o.VC, T0), b = operand(m, step->o.VB, T1), r = result_of(m, step);
    vex_rrr(&m->x, op, r, c, b);
    write_from(m, step, r);
}
static void with_constant(struct maker *m, const struct play_step *step, uint32_t op, uint32_t value)
{
    const unsigned c = operand(m, step->o.VC, T0), r = result_of(m, step);
    vex_rrc(&m->x, op, r, c, value);
    write_from(m, step, r);
}
static void shift(struct maker *m, const struct play_step *step, unsigned how)
{
    const unsigned source = operand(m, step->source, T0), r = result_of(m, step);
    vex_shift(&m->x, how, r, source, step->value);
    write_from(m, step, r);
}
static void copy(struct maker *m, const struct play_step *step, bool all)
{
    const unsigned c = operand(m, step->o.VC, T0);
    if (all)
        vex_rrr(&m->x, VMOVDQU, step->o.VD, 0, c);
    else
        write_from(m, step, c);
}
static void value(struct maker *m, const struct play_step *step)
{
    const unsigned r = result_of(m, step);
    vex_rrc(&m->x, VMOVDQU, r, 0, step->value);
    write_from(m, step, r);
}
static void abs_float(struct maker *m, const struct play_step *step)
{
    struct x86 *x = &m->x;
    const unsigned c = operand(m, step->o.VC, T0);
    vex_rrc(x, VPMINUD, T1, c, 0xFF800000);
    vex_rrr(x, VPCMPEQD, T1, T1, c);
    vex_rrc(x, VPANDD, T2, c, ~F32_SIGN);
    vex_blend(x, T2, c, T2, T1);
    write_from(m, step, T2);
}
static void setexp(struct maker *m, const struct play_step *step)
{
    const unsigned r = result_of(m, step);
    vex_rrc(&m->x, VPANDD, T1, operand(m, step->o.VC, T0), 0x807FFFFF);
    vex_rrc(&m->x, VPORD, r, T1, step->value);
    write_from(m, step, r);
}
static void exexp(struct maker *m, const struct play_step *step)
{
    const unsigned r = result_of(m, step);
    vex_rrc(&m->x, VPANDD, T1, operand(m, step->o.VC, T0), ~F32_SIGN);
    vex_shift(&m->x, X86_RIGHT, T1, T1, 23);
    vex_rrc(&m->x, VPSUBD, r, T1, step->value);
    write_from(m, step, r);
}

/* ---- Flags: those of enabled lanes are set, all others are clear and stay so ---- */

static void flags_are(struct maker *m, bool set)
{
    vex_rrr(&m->x, set ? VPCMPEQD : VPXORD, ENABLED_LANES, ENABLED_LANES, ENABLED_LANES);
    m->all_on = set;
}
/* Of the enabled lanes those that are in a mask remain, or those that are not. */
static void only(struct maker *m, unsigned mask, bool others)
{
    vex_rrr(&m->x, others ? VPANDN : VPANDD, ENABLED_LANES, mask, ENABLED_LANES);
    m->all_on = false;
}
static void where_sign(struct maker *m, unsigned lreg, bool clear)
{
    vex_shift(&m->x, X86_ARITHMETIC, T1, operand(m, lreg, T0), 31);
    only(m, T1, clear);
}
static void where_some(struct maker *m, unsigned lreg, bool none)
{
    vex_rrc(&m->x, VPCMPEQD, T1, operand(m, lreg, T0), 0);
    only(m, T1, !none);
}
static void add_flags(struct maker *m, const struct play_step *step)
{
    enum { ARG_IMM = 1, ARG_2SCOMP_LREG_DST = 2, CC_NONE = 4, CC_GTE0 = 8 };
    if (step->o.mod & ARG_IMM)
        with_constant(m, step, VPADDD, step->value);
    else
        binary(m, step, step->o.mod & ARG_2SCOMP_LREG_DST ? VPSUBD : VPADDD);
    if (!(step->o.mod & CC_NONE))
        where_sign(m, step->o.VD, step->o.mod & CC_GTE0);
    else if (step->o.mod & CC_GTE0)
        flags_are(m, false);
}
static size_t pushed(const struct maker *m)
{
    return C(pushed) + (size_t)m->level * PASS_BYTES;
}
static void pushc(struct maker *m)
{
    struct x86 *x = &m->x;
    const size_t at = (size_t)m->level * sizeof(struct flag_stack_entry);
    vex_rrm(x, VMOVDQU_STORE, ENABLED_LANES, 0, RDI, pushed(m));
    vex_signs(x, ENABLED_LANES);
    vex_store_al(x, RSI, at + offsetof(struct flag_stack_entry, LaneFlags));
    vex_store_byte(x, RSI, at + offsetof(struct flag_stack_entry, UseLaneFlagsForLaneEnable), 255);
    m->level++;
}
static void popc(struct maker *m)
{
    m->level--;
    vex_rrm(&m->x, VMOVDQU, ENABLED_LANES, 0, RDI, pushed(m));
    m->all_on = false;
}
static void compc(struct maker *m)
{
    m->level--;
    vex_rrm(&m->x, VPANDN, ENABLED_LANES, ENABLED_LANES, RDI, pushed(m));
    m->level++;
    m->all_on = false;
}

/* ---- MAD sub-unit (lanes_mad.h, num/fma_avx2.h); code_avx512.c says what is looked at where ---- */

static bool is_normal(struct maker *m, unsigned lreg)
{
    if (lreg >= LREGS_HELD)
        return lreg == LREG_ZERO || lreg == LREG_ONE;
    m->normal.needed |= m->normal.on & m->normal.entry & 1u << lreg;
    return m->normal.on >> lreg & 1;
}
static void remember(struct maker *m, unsigned VD)
{
    vex_rrm(&m->x, VMOVDQU_STORE, VD, 0, RBX, V(mad.old));
    vex_signs(&m->x, ENABLED_LANES);
    vex_store_al(&m->x, R14, V(mad.lanes));
}
/* Not zero: some lane of a mask that is enabled. */
static void test(struct maker *m, unsigned mask)
{
    vex_rrr(&m->x, VPTEST, mask, 0, m->all_on ? mask : (unsigned)ENABLED_LANES);
}
/* ODD = lanes whose result is below `least`, infinite or a NaN. */
static void out_of_range(struct maker *m, uint32_t least)
{
    vex_rrr(&m->x, VPADDD, ODD, OUT, OUT); /* without the sign */
    vex_rrc(&m->x, VPADDD, ODD, ODD, F32_SIGN - 2 * least);
    vex_rrc(&m->x, VPCMPGTD, ODD, ODD, (2 * (F32_INFINITY - least) - 1) ^ F32_SIGN);
}
/* fma_avx2_place. */
static void place(struct maker *m, unsigned to, unsigned reg)
{
    vex_rrr(&m->x, VPADDD, to, reg, reg);
    vex_rrc(&m->x, VPADDD, to, to, 0x7FFFFFFF);
}
/* ODD has lanes too where the least of these is one of a denormal; space is for a moment. */
static void or_denormal_place(struct maker *m, unsigned least, unsigned space)
{
    vex_rrc(&m->x, VMOVDQU, space, 0, 0x80FFFFFF);
    vex_rrr(&m->x, VPCMPGTD, space, space, least);
    vex_rrr(&m->x, VPORD, ODD, ODD, space);
}
/* The same of two operands, in T0 and T1 or registers of their own. */
static void or_denormal(struct maker *m, unsigned lreg_a, unsigned a, unsigned lreg_b, unsigned b)
{
    const bool look_a = !is_normal(m, lreg_a), look_b = lreg_b != lreg_a && !is_normal(m, lreg_b);
    if (look_a)
        place(m, T0, a);
    if (look_b)
        place(m, T1, b);
    if (look_a && look_b)
        vex_rrr(&m->x, VPMINSD, T0, T0, T1);
    if (look_a || look_b)
        or_denormal_place(m, look_a ? T0 : T1, look_a ? T1 : T0);
}

/* a * b + c. */
static void fused(struct maker *m, unsigned a, unsigned b, unsigned c)
{
    struct x86 *x = &m->x;
    vex_rrr(x, VMULPS, PRODUCT, a, b);
    vex_rrr(x, VMOVDQU, OUT, 0, c);
    vex_rrr(x, VFMADD231PS, OUT, a, b);
    vex_rrr(x, VMOVDQU, INEXACT, 0, PRODUCT);
    vex_rrr(x, VFMSUB231PS, INEXACT, a, b);
    vex_rrc_imm(x, VCMPPS, INEXACT, INEXACT, 0, X86_NEQ_UQ);
    out_of_range(m, LEAST_SURE);
}
static void multiply_add(struct maker *m, const struct play_step *step)
{
    const struct vector_operands *o = &step->o;
    const unsigned a = operand_negated(m, o->VA, o->mod & NEGATE_VA, T0), b = operand(m, o->VB, T1);
    fused(m, a, b, operand_negated(m, o->VC, o->mod & NEGATE_VC, T2));
    or_denormal(m, o->VA, a, o->VB, b);
}
static void lut(struct maker *m, const struct play_step *step)
{
    enum { X = T0, Y = T1, TWO = 0x40000000 };
#define APART(i) (UINT32_C(0xFF01FF00) + (i)*UINT32_C(0x040004)) /* part_bytes_apart */
    static const uint32_t apart[VEX_LANES] = {APART(0), APART(1), APART(2), APART(3),
                                              APART(0), APART(1), APART(2), APART(3)};
#undef APART
    struct x86 *x = &m->x;
    (void)step;
    vex_rrc(x, VPANDD, Y, LUT_INPUT, ~F32_SIGN);
    vex_rrc(x, VMOVDQU, T4, 0, TWO);
    vex_rrr(x, VPCMPGTD, T4, T4, Y);
    vex_blend(x, X, 2, 1, T4);
    vex_rrc(x, VMOVDQU, T4, 0, F32_ONE);
    vex_rrr(x, VPCMPGTD, T4, T4, Y);
    vex_blend(x, X, X, 0, T4);
    /* lut8_both */
    vex_rrv(x, VPSHUFB, T3, X, apart);
    vex_rrr_imm(x, VPSHIFTW, X86_LEFT, T4, T3, 3);
    vex_rrc(x, VPANDD, T4, T4, 0x03F803F8);
    vex_rrc(x, VPXORD, T4, T4, 0x3F803F80);
    vex_rrr_imm(x, VPSHIFTW, X86_LEFT, T5, T3, 8);
    vex_rrc(x, VPANDD, T5, T5, 0x80008000);
    vex_rrr(x, VPORD, T5, T5, T4);
    vex_rrc(x, VPCMPEQW, T3, T3, 0x00FF00FF);
    vex_rrr(x, VPANDN, X, T3, T5);
    vex_shift(x, X86_LEFT, T2, X, 16);
    vex_rrc(x, VPANDD, X, X, 0xFFFF0000);
    fused(m, X, Y, T2);
    or_denormal(m, LUT_INPUT, LUT_INPUT, LUT_INPUT, LUT_INPUT);
}
static unsigned addend(struct maker *m, const struct play_step *step)
{
    const struct vector_operands *o = &step->o;
    return step->code == PLAY_LUT ? (unsigned)T2 : operand_negated(m, o->VC, o->mod & NEGATE_VC, T2);
}
/* What fma_avx2_host looks at where the product is not exact. */
static void inexact(struct maker *m, const struct play_step *step)
{
    enum { QUARTER = (127 - 2) << 23, SIZE_P = T3, SIZE_Z = T0, SIZE_R = T1, LARGER = T5 };
    struct x86 *x = &m->x;
    const unsigned c = addend(m, step);
    vex_rrc(x, VPANDD, SIZE_P, PRODUCT, ~F32_SIGN);
    vex_rrc(x, VPANDD, SIZE_Z, c, ~F32_SIGN);
    vex_rrc(x, VPANDD, SIZE_R, OUT, ~F32_SIGN);
    vex_rrr(x, VMAXPS, LARGER, SIZE_P, SIZE_Z);
    vex_rrr(x, VADDPS, SIZE_R, SIZE_R, SIZE_R);
    vex_rrr_imm(x, VCMPPS, LARGER, SIZE_R, LARGER, X86_NGE_UQ); /* cancels */
    vex_rrc(x, VMULPS, SIZE_P, SIZE_P, QUARTER);
    vex_rrr_imm(x, VCMPPS, SIZE_P, SIZE_Z, SIZE_P, X86_LT_OQ);
    vex_rrc_imm(x, VCMPPS, SIZE_Z, SIZE_Z, 0, X86_NEQ_UQ);
    vex_rrr(x, VPANDD, SIZE_P, SIZE_P, SIZE_Z); /* cut */
    vex_rrr(x, VPORD, ODD, LARGER, SIZE_P);
    vex_rrr(x, VPANDD, ODD, ODD, INEXACT);
    test(m, ODD);
}
/* A result that is small is right where it is zero because product and addend, which is not small, are the same but for their signs. */
static void small_fused(struct maker *m, const struct play_step *step)
{
    struct x86 *x = &m->x;
    const struct vector_operands *o = &step->o;
    vex_rrc(x, VPANDD, T0, addend(m, step), ~F32_SIGN);
    vex_rrc(x, VPCMPGTD, T0, T0, LEAST_SURE - 1);
    vex_rrc(x, VPANDD, T1, OUT, ~F32_SIGN);
    vex_rrc(x, VPCMPEQD, T1, T1, 0);
    vex_rrr(x, VPANDD, T0, T0, T1);
    vex_rrr(x, VPANDN, ODD, T0, ODD);
    if (step->code == PLAY_LUT)
        or_denormal(m, LUT_INPUT, LUT_INPUT, LUT_INPUT, LUT_INPUT);
    else
        or_denormal(m, o->VA, operand(m, o->VA, T0), o->VB, operand(m, o->VB, T1));
    test(m, ODD);
}

static void sum(struct maker *m, const struct play_step *step)
{
    const struct vector_operands *o = &step->o;
    const unsigned a = operand_negated(m, step->source, o->mod & NEGATE_VA, T0);
    vex_rrr(&m->x, VADDPS, OUT, a, operand_negated(m, o->VC, o->mod & NEGATE_VC, T1));
    out_of_range(m, LEAST_SURE);
}
static void special_is_odd(struct maker *m)
{
    vex_rrc(&m->x, VPANDD, ODD, OUT, F32_INFINITY);
    vex_rrc(&m->x, VPCMPEQD, ODD, ODD, F32_INFINITY);
}
/* fma_avx2_add. */
static void small_sum(struct maker *m, const struct play_step *step)
{
    special_is_odd(m);
    place(m, T2, OUT);
    or_denormal_place(m, T2, T3);
    or_denormal(m, step->source, operand(m, step->source, T0), step->o.VC, operand(m, step->o.VC, T1));
    test(m, ODD);
}

static void product(struct maker *m, const struct play_step *step)
{
    const struct vector_operands *o = &step->o;
    const unsigned a = operand_negated(m, o->VA, o->mod & NEGATE_VA, T0), b = operand(m, o->VB, T1);
    vex_rrr(&m->x, VMULPS, OUT, a, b);
    out_of_range(m, 0x00800001);
    or_denormal(m, o->VA, a, o->VB, b);
}
/* fma_avx2_mul: a zero that a factor has brought may be right, and gets its sign here. */
static void small_product(struct maker *m, const struct play_step *step)
{
    struct x86 *x = &m->x;
    const struct vector_operands *o = &step->o;
    const unsigned a = operand(m, o->VA, T0), b = operand(m, o->VB, T1);
    vex_rrc(x, VADDPS, OUT, OUT, o->mod & NEGATE_VC ? F32_SIGN : 0);
    vex_rrc(x, VPANDD, T2, OUT, ~F32_SIGN);
    vex_rrc(x, VMOVDQU, T3, 0, 0x00800001);
    vex_rrr(x, VPCMPGTD, T3, T3, T2); /* small */
    vex_rrc(x, VPANDD, T2, a, ~F32_SIGN);
    vex_rrc(x, VPCMPEQD, T2, T2, 0);
    vex_rrc(x, VPANDD, T4, b, ~F32_SIGN);
    vex_rrc(x, VPCMPEQD, T4, T4, 0);
    vex_rrr(x, VPORD, T2, T2, T4);
    vex_rrr(x, VPANDN, T3, T2, T3); /* ... and of no zero */
    special_is_odd(m);
    vex_rrr(x, VPORD, ODD, ODD, T3);
    or_denormal(m, o->VA, a, o->VB, b);
    test(m, ODD);
}

static void mad(struct maker *m, const struct play_step *step, unsigned i, bool last)
{
    struct doubt *doubt = &m->doubt[m->doubts++];
    *doubt = (struct doubt){.step = i, .all_on = m->all_on};
    if (last)
        remember(m, step->o.VD);
    switch ((enum play_code)step->code) {
    case PLAY_MAD: multiply_add(m, step); break;
    case PLAY_LUT: lut(m, step); break;
    case PLAY_SUM: sum(m, step); break;
    default: product(m, step); break;
    }
    test(m, ODD);
    doubt->small = x86_jump(&m->x, X86_JNZ);
    if (is_fused(step)) {
        test(m, INEXACT);
        doubt->inexact = x86_jump(&m->x, X86_JNZ);
    }
    doubt->write = m->x.at;
    if (step->code == PLAY_LUT && (step->o.mod & SGN_RETAIN)) {
        vex_rrc(&m->x, VPANDD, OUT, OUT, ~F32_SIGN);
        vex_rrc(&m->x, VPANDD, T0, LUT_INPUT, F32_SIGN);
        vex_rrr(&m->x, VPORD, OUT, OUT, T0);
    }
    write_from(m, step, OUT);
    doubt->done = m->x.at;
}

/* `reciprocal` of lanes_mad.h. */
static void reciprocal(struct maker *m, const struct play_step *step)
{
    enum { MAGNITUDE = T1, AT = T2, ONES = T3, WORD = T4, SPACE = T5 };
    struct x86 *x = &m->x;
    const uint64_t table = (uint64_t)(uintptr_t)sfpu_reciprocals;
    const unsigned c = operand(m, step->o.VC, T0);
    X86_BYTES(x, "\x48\xB8"); /* RAX = the table */
    x86_word(x, (uint32_t)table);
    x86_word(x, (uint32_t)(table >> 32));
    vex_rrc(x, VPANDD, MAGNITUDE, c, ~F32_SIGN);
    vex_shift(x, X86_RIGHT, AT, MAGNITUDE, 18);
    vex_rrc(x, VPANDD, AT, AT, 31);
    vex_rrr(x, VPCMPEQD, ONES, ONES, ONES);
    vex_gather(x, WORD, AT, ONES);
    vex_shift(x, X86_RIGHT, SPACE, MAGNITUDE, 13);
    vex_rrc(x, VPANDD, SPACE, SPACE, 24);
    vex_rrr(x, VPSRLVD, WORD, WORD, SPACE);
    vex_rrc(x, VPANDD, WORD, WORD, 255);
    vex_shift(x, X86_LEFT, WORD, WORD, 16);
    vex_rrc(x, VMOVDQU, SPACE, 0, 253);
    vex_shift(x, X86_RIGHT, AT, MAGNITUDE, 23);
    vex_rrr(x, VPSUBD, SPACE, SPACE, AT);
    vex_shift(x, X86_LEFT, SPACE, SPACE, 23);
    vex_rrr(x, VPORD, WORD, WORD, SPACE);
    vex_rrc(x, VMOVDQU, SPACE, 0, 0x00800000);
    vex_rrr(x, VPCMPGTD, SPACE, SPACE, MAGNITUDE);
    vex_rrc(x, VMOVDQU, AT, 0, F32_INFINITY);
    vex_blend(x, WORD, WORD, AT, SPACE);
    vex_rrc(x, VMOVDQU, SPACE, 0, 0x7E800000);
    vex_rrr(x, VPCMPGTD, SPACE, SPACE, MAGNITUDE);
    vex_rrr(x, VPANDD, WORD, WORD, SPACE);
    vex_rrc(x, VPANDD, SPACE, c, F32_SIGN);
    vex_rrr(x, VPORD, WORD, WORD, SPACE);
    write_from(m, step, WORD);
}

/* ---- SFPLOAD and SFPSTORE (lanes_dst.h): RAX has the cells of these lanes, RDX what their columns make of it ---- */

static void find_cells(struct maker *m)
{
    const size_t at = m->moves++ * sizeof(struct code_cells);
    x86_mov_load(&m->x, RAX, RBP, at + offsetof(struct code_cells, at));
    x86_mov_load(&m->x, RDX, RBP, at + offsetof(struct code_cells, parity));
    X86_BYTES(&m->x, "\x4C\x01\xF8"); /* RAX += R15 */
}
#define PARITY(field) offsetof(struct code_parity, field)

/* Bits of x that moved are in two places, the others stay. */
static void move_bits(struct maker *m, unsigned to, unsigned from, unsigned space, unsigned left, uint32_t bits_left,
                      unsigned right, uint32_t bits_right)
{
    struct x86 *x = &m->x;
    vex_shift(x, X86_RIGHT, space, from, right);
    vex_rrc(x, VPANDD, space, space, bits_right);
    vex_shift(x, X86_LEFT, to, from, left);
    vex_rrc(x, VPANDD, to, to, bits_left);
    vex_rrr(x, VPORD, to, to, space);
    vex_rrc(x, VPANDD, space, from, 0x8000FFFF);
    vex_rrr(x, VPORD, to, to, space);
}
static void load(struct maker *m, const struct play_step *step, bool wide)
{
    enum { X = T0, LOW, BY, MOVED };
    struct x86 *x = &m->x;
    find_cells(m);
    vex_rrm(x, VPBROADCASTD, BY, 0, RDX, PARITY(up));
    vex_rrm(x, VMOVDQU, X, 0, RAX, 0);
    vex_rrr(x, VPSLLVD, X, X, BY);
    if (wide) {
        vex_rrm(x, VPBROADCASTD, BY, 0, RDX, PARITY(down));
        vex_rrm(x, VMOVDQU, LOW, 0, RAX, LOW_HALF_BYTES);
        vex_rrr(x, VPSRLVD, LOW, LOW, BY);
        vex_rrr_imm(x, VPBLENDW, X, LOW, X, 0xAA); /* high halves */
    } else {
        vex_rrc(x, VPANDD, X, X, 0xFFFF0000);
    }
    move_bits(m, MOVED, X, LOW, 7, 0x7F800000, 8, 0x007F0000);
    write_from(m, step, MOVED);
}
/* Lanes go to one column of each pair. */
static void put_cells(struct maker *m, size_t at, unsigned lanes, unsigned columns)
{
    enum { OLD = T6 };
    vex_rrm(&m->x, VMOVDQU, OLD, 0, RAX, at);
    vex_blend(&m->x, OLD, OLD, lanes, columns);
    vex_rrm(&m->x, VMOVDQU_STORE, OLD, 0, RAX, at);
}
static void store(struct maker *m, const struct play_step *step, bool wide, bool floats)
{
    enum { SPACE = T0, X, BY, PUT, COLUMNS };
    struct x86 *x = &m->x;
    find_cells(m);
    unsigned d = operand(m, step->o.VD, SPACE);
    if (floats) {
        vex_rrc(x, VPANDD, X, d, F32_INFINITY);
        vex_rrc(x, VPCMPEQD, X, X, 0);
        vex_rrc(x, VPANDD, BY, d, F32_SIGN);
        vex_blend(x, SPACE, d, BY, X);
        d = SPACE;
    }
    move_bits(m, X, d, BY, 8, 0x7F000000, 7, 0x00FF0000);
    vex_rrm(x, VPBROADCASTD, COLUMNS, 0, RDX, PARITY(keep));
    vex_rrr(x, VPANDN, COLUMNS, COLUMNS, ENABLED_LANES);
    vex_rrm(x, VPBROADCASTD, BY, 0, RDX, PARITY(up));
    vex_rrr(x, VPSRLVD, PUT, X, BY);
    put_cells(m, 0, PUT, COLUMNS);
    if (wide) {
        vex_rrm(x, VPBROADCASTD, BY, 0, RDX, PARITY(down));
        vex_rrr(x, VPSLLVD, PUT, X, BY);
        put_cells(m, LOW_HALF_BYTES, PUT, COLUMNS);
    }
}

/* ---- A program ---- */

static void one(struct maker *m, const struct play_step *step, unsigned i, bool last_mad)
{
    switch ((enum play_code)step->code) {
    case PLAY_ADD_IMM: with_constant(m, step, VPADDD, step->value); break;
    case PLAY_ADD: binary(m, step, VPADDD); break;
    case PLAY_SUB: binary(m, step, VPSUBD); break;
    case PLAY_ADD_FLAGS: add_flags(m, step); break;
    case PLAY_SHIFT_LEFT: shift(m, step, X86_LEFT); break;
    case PLAY_SHIFT_RIGHT: shift(m, step, X86_RIGHT); break;
    case PLAY_SHIFT_ARITHMETIC: shift(m, step, X86_ARITHMETIC); break;
    case PLAY_AND: binary(m, step, VPANDD); break;
    case PLAY_OR: binary(m, step, VPORD); break;
    case PLAY_XOR: binary(m, step, VPXORD); break;
    case PLAY_NOT: with_constant(m, step, VPXORD, UINT32_MAX); break;
    case PLAY_NEGATE: with_constant(m, step, VPXORD, F32_SIGN); break;
    case PLAY_ABS_FLOAT: abs_float(m, step); break;
    case PLAY_COPY: copy(m, step, false); break;
    case PLAY_COPY_ALL: copy(m, step, true); break;
    case PLAY_VALUE: value(m, step); break;
    case PLAY_SETEXP_IMM: setexp(m, step); break;
    case PLAY_EXEXP: exexp(m, step); break;
    case PLAY_SETCC_VALUE:
        if (step->value == 0)
            flags_are(m, false);
        break;
    case PLAY_SETCC_SIGN: where_sign(m, step->o.VC, step->value != 0); break;
    case PLAY_SETCC_SOME: where_some(m, step->o.VC, step->value != 0); break;
    case PLAY_ENCC: flags_are(m, encc_sets(&step->o)); break;
    case PLAY_COMPC: compc(m); break;
    case PLAY_PUSHC: pushc(m); break;
    case PLAY_POPC: popc(m); break;
    case PLAY_MAD:
    case PLAY_SUM:
    case PLAY_PRODUCT:
    case PLAY_LUT: mad(m, step, i, last_mad); break;
    case PLAY_RECIPROCAL: reciprocal(m, step); break;
    case PLAY_LOAD_32: load(m, step, true); break;
    case PLAY_LOAD_BF16: load(m, step, false); break;
    case PLAY_STORE_INT32: store(m, step, true, false); break;
    case PLAY_STORE_FP32: store(m, step, true, true); break;
    case PLAY_STORE_BF16: store(m, step, false, true); break;
    default: break; /* PLAY_NOTHING; PLAY_INCRWC is done before (play_code.c) */
    }
}

static void move_registers(struct maker *m, uint32_t lregs, uint32_t op)
{
    for (uint32_t left = lregs; left != 0; left &= left - 1) {
        const unsigned lreg = (unsigned)__builtin_ctz(left);
        vex_rrm(&m->x, op, lreg, 0, RBX, place_of(lreg));
    }
}
static void give_state(struct maker *m)
{
    move_registers(m, m->written, VMOVDQU_STORE);
    vex_signs(&m->x, ENABLED_LANES);
    vex_store_al(&m->x, R13, C(lanes));
}

static void leave(struct maker *m, unsigned result)
{
    X86_BYTES(&m->x, "\xC5\xF8\x77\xB8"); /* VZEROUPPER; EAX = result */
    x86_word(&m->x, result);
    X86_BYTES(&m->x, "\x48\x83\xC4\x08");                             /* RSP += 8 */
    X86_BYTES(&m->x, "\x41\x5F\x41\x5E\x41\x5D\x41\x5C\x5D\x5B\xC3"); /* POP R15 to R12, RBP, RBX; RET */
}
/* Leaves if there are denormals where they must not be, in any lane. */
static void look_for_denormals(struct maker *m, uint32_t lregs)
{
    struct x86 *x = &m->x;
    if (lregs == 0)
        return;
    vex_rrr(x, VPXORD, ODD, ODD, ODD);
    for (uint32_t left = lregs; left != 0; left &= left - 1) {
        const size_t at = place_of((unsigned)__builtin_ctz(left));
        for (size_t before = 0; before < LREG_BYTES; before += PASS_BYTES) {
            vex_rrm(x, VMOVDQU, T0, 0, RBX, at + before);
            place(m, T0, T0);
            or_denormal_place(m, T0, T1);
        }
    }
    vex_rrr(x, VPTEST, ODD, 0, ODD);
    uint8_t *none = x86_jump(x, X86_JZ);
    leave(m, 0);
    x86_lands(x, none, x->at);
}

/* Returns where a playback begins; *pass: where the first one of 8 lanes does. */
static const uint8_t *begin(struct maker *m, uint32_t normal, const uint8_t **pass)
{
    static const uint32_t bits[VEX_LANES] = {1, 2, 4, 8, 16, 32, 64, 128};
    struct x86 *x = &m->x;
    X86_BYTES(x, "\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57"); /* PUSH RBX, RBP, R12 to R15 */
    X86_BYTES(x, "\x48\x83\xEC\x08");                         /* RSP -= 8 */
    x86_mov_load(x, RBX, RDI, C(v));
    x86_mov_load(x, RSI, RDI, C(stack));
    X86_BYTES(x, "\x49\x89\xFD\x49\x89\xDE\x45\x31\xFF"); /* R13 = RDI; R14 = RBX; R15 = 0 */
    look_for_denormals(m, normal);
    *pass = x->at;
    x86_mov_load(x, RBP, RDI, C(cells));
    x86_mov_load(x, RCX, RDI, C(times)); /* and more, which does not matter */
    X86_BYTES(x, "\x44\x89");            /* before = R15 */
    x86_at(x, R15 & 7, RDI, C(before));
    move_registers(m, m->used, VMOVDQU);
    vex_rrm(x, VPBROADCASTD, ENABLED_LANES, 0, R13, C(lanes));
    vex_rrv(x, VPANDD, ENABLED_LANES, ENABLED_LANES, bits);
    vex_rrv(x, VPCMPEQD, ENABLED_LANES, ENABLED_LANES, bits);
    return x->at;
}
static void end(struct maker *m, const uint8_t *loop, const uint8_t *pass)
{
    struct x86 *x = &m->x;
    X86_BYTES(x, "\x48\x03"); /* RBP += cells_a_time */
    x86_at(x, RBP, RDI, C(cells_a_time));
    X86_BYTES(x, "\xFF\xC9"); /* DEC ECX */
    x86_lands(x, x86_jump(x, X86_JNZ), loop);
    give_state(m);
    X86_BYTES(x, "\x48\x83\xC3\x20\x48\xFF\xC6");             /* RBX += 32; INC RSI */
    X86_BYTES(x, "\x49\xFF\xC5\x49\xFF\xC6\x41\x83\xC7\x20"); /* INC R13, R14; R15 += 32 */
    X86_BYTES(x, "\x41\x81\xFF\x80\x00\x00\x00");             /* CMP R15D, 128 */
    x86_lands(x, x86_jump(x, X86_JNZ), pass);
    leave(m, 1);
}
/* Has an instruction done in C: EDX says which.  It gets the mask as it is: a word of which one byte was just written would be late. */
static const uint8_t *slowly(struct maker *m)
{
    struct x86 *x = &m->x;
    const uint8_t *at = x->at;
    X86_BYTES(
        x, "\x51\x56\x57"); /* PUSH RCX, RSI, RDI: with the return address and what `begin` has pushed 16 bytes fit */
    vex_rrm(x, VMOVDQU_STORE, ENABLED_LANES, 0, RDI, C(enabled));
    move_registers(m, m->written, VMOVDQU_STORE);
    X86_BYTES(x, "\xC5\xF8\x77\x89\xD6\xFF"); /* VZEROUPPER; ESI = EDX; CALL slow */
    x86_at(x, 2, RDI, C(slow));
    X86_BYTES(x, "\x5F\x5E\x59"); /* POP RDI, RSI, RCX */
    move_registers(m, m->used, VMOVDQU);
    vex_rrm(x, VMOVDQU, ENABLED_LANES, 0, RDI, C(enabled));
    X86_BYTES(x, "\xC3");
    return at;
}
static void settle(struct maker *m, const struct doubt *doubt, const uint8_t *slow)
{
    struct x86 *x = &m->x;
    const struct play_step *step = &m->step[doubt->step];
    m->all_on = doubt->all_on;
    m->normal = (struct normal){0};
    x86_lands(x, doubt->small, x->at);
    if (is_fused(step)) {
        small_fused(m, step);
        uint8_t *no = x86_jump(x, X86_JNZ);
        test(m, INEXACT);
        x86_lands(x, x86_jump(x, X86_JZ), doubt->write);
        x86_lands(x, doubt->inexact, x->at);
        inexact(m, step);
        x86_lands(x, x86_jump(x, X86_JZ), doubt->write);
        x86_lands(x, no, x->at);
    } else {
        (step->code == PLAY_SUM ? small_sum : small_product)(m, step);
        x86_lands(x, x86_jump(x, X86_JZ), doubt->write);
    }
    X86_BYTES(x, "\xBA"); /* EDX = step */
    x86_word(x, doubt->step);
    x86_lands(x, x86_jump(x, X86_CALL), slow);
    x86_lands(x, x86_jump(x, X86_JMP), doubt->done);
}

/* One playback, and which registers have no denormals before it and behind it. */
static void playback(struct maker *m, const struct play_part *part, uint32_t normal)
{
    m->all_on = false;
    m->level = 0;
    m->moves = m->doubts = 0;
    m->normal = (struct normal){.all = normal, .on = normal, .entry = normal};
    for (unsigned i = 0; i < part->count; i++) {
        one(m, &m->step[i], i, i == part->last_mad);
        follow_normal(&m->normal, &m->step[i], m->all_on);
    }
}
/* As in code_avx512.c. */
static uint32_t find_normal(struct maker *m, const struct play_part *part)
{
    const struct x86 before = m->x;
    uint32_t normal = (1u << LREGS_HELD) - 1, needed = normal;
    do {
        normal &= needed;
        m->x = before;
        playback(m, part, normal);
        needed = m->normal.needed & m->normal.all;
    } while (needed != normal);
    m->x = before;
    return normal;
}

uint8_t *code_make_avx2(const struct play_program *p, const struct play_part *part, uint8_t *at, uint8_t *end_at,
                        uint8_t **function)
{
    struct maker m = {.x = {.at = at, .end = end_at}, .step = p->step + part->from};
    if ((size_t)(end_at - at) < VEX_VECTORS * sizeof *m.x.vectors)
        return NULL;
    m.x.vectors = (uint32_t(*)[VEX_LANES])(void *)at;
    *function = m.x.at += VEX_VECTORS * sizeof *m.x.vectors;
    find_registers(p, part, &m.used, &m.written);
    const uint32_t normal = find_normal(&m, part);
    const uint8_t *pass, *loop = begin(&m, normal, &pass);
    playback(&m, part, normal);
    end(&m, loop, pass);
    const uint8_t *slow = slowly(&m);
    for (unsigned i = 0; i < m.doubts; i++)
        settle(&m, &m.doubt[i], slow);
    return m.x.full ? NULL : m.x.at;
}
#else
uint8_t *code_make_avx2(const struct play_program *p, const struct play_part *part, uint8_t *at, uint8_t *end_at,
                        uint8_t **function)
{
    (void)p, (void)part, (void)at, (void)end_at, (void)function;
    return NULL;
}
#endif
