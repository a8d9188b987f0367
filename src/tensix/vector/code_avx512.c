/* SPDX-License-Identifier: Apache-2.0 */
/* Code for programs of the Vector Unit: each case does what play_avx512.c has under the same name, and a test compares both with the
 * plain path (tests/same/rows.c).
 *
 * Registers: LReg i is zmm16 + 2 * i, lanes 0 to 15, and the next one; zmm15 is zero; all others are for a moment.  k1 and k2 are the
 * enabled lanes, which are LaneFlags too, since a program that has flags has UseLaneFlagsForLaneEnable in all lanes.  What it pushes
 * is in R8 and so on, two for each, besides the flag stack.  RDI: struct code_run. */
#include "tensix/vector/code.h"

#if defined(__x86_64__)
#include "tensix/vector/code_look.h"
#include "tensix/vector/x86.h"

#include "num/fma_avx512.h"
#include "num/sfpu.h"
#include "tensix/regs/dst.h"

enum { ZERO = 15, FIRST_LREG = 16, HALVES = 2, HALF_BYTES = 64 };
enum { LOW_HALF_BYTES = DST_LOW_HALF * DST_COLUMNS * 2 };
enum { IF_C_THEN_A_ELSE_B = 0xE4 }; /* of VPTERNLOG */
enum { LEVELS = 4 /* that have registers */ };

/* An instruction of the MAD sub-unit that may need more than its code in line does. */
struct doubt {
    uint8_t *small, *inexact; /* jumps: the result is small or special; MAD and LUT: the product is not exact */
    uint8_t *write, *done;    /* where the result is written, and where it has been */
    unsigned step;            /* of the part */
    bool all_on;
};

struct maker {
    struct x86 x;
    const struct play_step *step; /* of the part */
    bool all_on;                  /* every lane is known to be enabled */
    int level;                    /* how many have been pushed */
    unsigned moves;               /* SFPLOADs and SFPSTOREs so far */
    uint32_t used, written;       /* of LRegs 0 to 7 */
    struct normal normal;
    unsigned doubts;
    struct doubt doubt[PLAY_WORDS];
};

#define V(field) offsetof(struct vector_files, field)
#define C(field) offsetof(struct code_run, field)

static unsigned half_of(unsigned lreg, unsigned half)
{
    return FIRST_LREG + 2 * lreg + half;
}
/* The mask of enabled lanes. */
static unsigned enabled(const struct maker *m, unsigned half)
{
    return m->all_on ? 0 : 1 + half;
}
static size_t place_of(unsigned lreg, unsigned half)
{
    return V(LReg) + lreg * sizeof(uint32_t[LANES]) + (size_t)half * HALF_BYTES;
}
/* A half of an LReg in a register: its own, or `space`. */
static unsigned operand(struct maker *m, unsigned lreg, unsigned half, unsigned space)
{
    if (lreg < LREGS_HELD)
        return half_of(lreg, half);
    x86_rrm(&m->x, VMOVDQU32, space, 0, RBX, place_of(lreg, half), 0);
    return space;
}
static unsigned operand_negated(struct maker *m, unsigned lreg, bool negate, unsigned half, unsigned space)
{
    const unsigned plain = operand(m, lreg, half, space);
    if (!negate)
        return plain;
    x86_rrc(&m->x, VPXORD, space, plain, F32_SIGN, 0);
    return space;
}

/* ---- Simple sub-unit ---- */

static void binary(struct maker *m, const struct play_step *step, uint32_t op)
{
    for (unsigned h = 0; h < HALVES; h++) {
        const unsigned c = operand(m, step->o.VC, h, 0), b = operand(m, step->o.VB, h, 1);
        x86_rrr(&m->x, op, half_of(step->o.VD, h), c, b, enabled(m, h));
    }
}
static void with_constant(struct maker *m, const struct play_step *step, uint32_t op, uint32_t value)
{
    for (unsigned h = 0; h < HALVES; h++)
        x86_rrc(&m->x, op, half_of(step->o.VD, h), operand(m, step->o.VC, h, 0), value, enabled(m, h));
}
static void shift(struct maker *m, const struct play_step *step, unsigned how)
{
    for (unsigned h = 0; h < HALVES; h++)
        x86_rrr_imm(&m->x, VPSHIFTD, how, half_of(step->o.VD, h), operand(m, step->source, h, 0), enabled(m, h),
                    step->value);
}
static void copy(struct maker *m, const struct play_step *step, bool all)
{
    for (unsigned h = 0; h < HALVES; h++)
        x86_rrr(&m->x, VMOVDQU32, half_of(step->o.VD, h), 0, operand(m, step->o.VC, h, 0), all ? 0 : enabled(m, h));
}
static void value(struct maker *m, const struct play_step *step)
{
    for (unsigned h = 0; h < HALVES; h++)
        x86_rrc(&m->x, VPBROADCASTD, half_of(step->o.VD, h), 0, step->value, enabled(m, h));
}
static void abs_float(struct maker *m, const struct play_step *step)
{
    for (unsigned h = 0; h < HALVES; h++) {
        const unsigned c = operand(m, step->o.VC, h, 0);
        x86_rrc_imm(&m->x, VPCMPUD, 3, c, 0xFF800000, 0, X86_LE);
        x86_rrr(&m->x, VMOVDQU32, 1, 0, c, 0);
        x86_rrc(&m->x, VPANDD, 1, c, ~F32_SIGN, 3);
        x86_rrr(&m->x, VMOVDQU32, half_of(step->o.VD, h), 0, 1, enabled(m, h));
    }
}
static void setexp(struct maker *m, const struct play_step *step)
{
    for (unsigned h = 0; h < HALVES; h++) {
        x86_rrc(&m->x, VPANDD, 1, operand(m, step->o.VC, h, 0), 0x807FFFFF, 0);
        x86_rrc(&m->x, VPORD, half_of(step->o.VD, h), 1, step->value, enabled(m, h));
    }
}
static void exexp(struct maker *m, const struct play_step *step)
{
    for (unsigned h = 0; h < HALVES; h++) {
        x86_rrc(&m->x, VPANDD, 1, operand(m, step->o.VC, h, 0), ~F32_SIGN, 0);
        x86_rrr_imm(&m->x, VPSHIFTD, X86_RIGHT, 1, 1, 0, 23);
        x86_rrc(&m->x, VPSUBD, half_of(step->o.VD, h), 1, step->value, enabled(m, h));
    }
}

/* ---- Flags: those of enabled lanes are set, all others are clear and stay so ---- */

static void flags_are(struct maker *m, bool set)
{
    x86_kkk(&m->x, set ? KXNORW : KXORW, 1, 1, 1);
    x86_kkk(&m->x, set ? KXNORW : KXORW, 2, 2, 2);
    m->all_on = set;
}
static void where_sign(struct maker *m, unsigned lreg, bool clear)
{
    for (unsigned h = 0; h < HALVES; h++)
        x86_rrr_imm(&m->x, VPCMPD, 1 + h, operand(m, lreg, h, 0), ZERO, enabled(m, h), clear ? X86_NLT : X86_LT);
    m->all_on = false;
}
static void where_some(struct maker *m, unsigned lreg, bool none)
{
    for (unsigned h = 0; h < HALVES; h++) {
        const unsigned c = operand(m, lreg, h, 0);
        x86_rrr(&m->x, none ? VPTESTNMD : VPTESTMD, 1 + h, c, c, enabled(m, h));
    }
    m->all_on = false;
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
static void pushc(struct maker *m)
{
    struct x86 *x = &m->x;
    const size_t at = (size_t)m->level * sizeof(struct flag_stack_entry);
    for (unsigned h = 0; h < HALVES; h++) {
        x86_kmovw_store(x, 1 + h, RSI, at + offsetof(struct flag_stack_entry, LaneFlags) + 2 * h);
        if (m->level < LEVELS)
            x86_kmovw_to(x, R8 + 2 * (unsigned)m->level + h, 1 + h);
    }
    x86_mov_value(x, RSI, at + offsetof(struct flag_stack_entry, UseLaneFlagsForLaneEnable), UINT32_MAX);
    m->level++;
}
/* A half of what was pushed last, in k. */
static void top(struct maker *m, unsigned half, unsigned k)
{
    const unsigned level = (unsigned)m->level - 1;
    if (level < LEVELS)
        x86_kmovw_from(&m->x, k, R8 + 2 * level + half);
    else
        x86_kmovw_load(&m->x, k, RSI, level * sizeof(struct flag_stack_entry) + 2 * half);
}
static void popc(struct maker *m)
{
    for (unsigned h = 0; h < HALVES; h++)
        top(m, h, 1 + h);
    m->level--;
    m->all_on = false;
}
static void compc(struct maker *m)
{
    for (unsigned h = 0; h < HALVES; h++) {
        top(m, h, 3 + h);
        x86_kkk(&m->x, KANDNW, 1 + h, 1 + h, 3 + h);
    }
    m->all_on = false;
}

/* ---- MAD sub-unit (lanes_mad.h, num/fma_avx512.h) ----
 *
 * Results are in zmm13 and zmm14 until they are known to be right.  Lanes for which the host's arithmetic may not be are found in masks, of
 * those that are enabled.  Results that are neither small nor special, of operands that are not denormal, are right, but for
 * products that are not exact, of which `inexact` says more.  All others are looked at again, in code that is out of the way
 * (`small_sum` and so on); where that is not sure either, all of the instruction is done slowly. */

enum { RESULT = 13, PRODUCT = 3 /* of multiply_add, in each half */ };

static bool is_normal(struct maker *m, unsigned lreg)
{
    if (lreg >= LREGS_HELD)
        return lreg == LREG_ZERO || lreg == LREG_ONE;
    m->normal.needed |= m->normal.on & m->normal.entry & 1u << lreg;
    return m->normal.on >> lreg & 1;
}
static void remember(struct maker *m, unsigned VD)
{
    for (unsigned h = 0; h < HALVES; h++) {
        x86_rrm(&m->x, VMOVDQU32_STORE, half_of(VD, h), 0, RBX, V(mad.old) + (size_t)h * HALF_BYTES, 0);
        x86_kmovw_store(&m->x, 1 + h, RBX, V(mad.lanes) + 2 * (size_t)h);
    }
}
static void class_of(struct maker *m, unsigned k, unsigned reg, unsigned half, unsigned classes)
{
    x86_rrr_imm(&m->x, VFPCLASSPS, k, 0, reg, enabled(m, half), classes);
}
/* k3 + h = lanes whose result is below `least`, infinite or a NaN. */
static void out_of_range(struct maker *m, unsigned h, uint32_t least)
{
    enum { SPACE = 6 };
    x86_rrr(&m->x, VPADDD, SPACE, RESULT + h, RESULT + h, 0); /* without the sign */
    x86_rrc(&m->x, VPSUBD, SPACE, SPACE, 2 * least, 0);
    x86_rrc_imm(&m->x, VPCMPUD, 3 + h, SPACE, 2 * (F32_INFINITY - least), enabled(m, h), X86_NLT);
}
/* k3 + h has denormals of an operand too. */
static void or_denormal(struct maker *m, unsigned h, unsigned lreg, unsigned reg)
{
    if (is_normal(m, lreg))
        return;
    class_of(m, 5, reg, h, FMA_IS_DENORMAL);
    x86_kkk(&m->x, KORW, 3 + h, 3 + h, 5);
}

/* a * b + c.  k6 + h: products that are not exact. */
static void fused(struct maker *m, unsigned h, unsigned a, unsigned b, unsigned c)
{
    enum { REST = 5 };
    struct x86 *x = &m->x;
    const unsigned p = PRODUCT + h, r = RESULT + h;
    x86_rrr(x, VMULPS, p, a, b, 0);
    x86_rrr(x, VMOVDQU32, r, 0, c, 0);
    x86_rrr(x, VFMADD231PS, r, a, b, 0);
    x86_rrr(x, VMOVDQU32, REST, 0, p, 0);
    x86_rrr(x, VFMSUB231PS, REST, a, b, 0);
    x86_rrr_imm(x, VCMPPS, 6 + h, REST, ZERO, enabled(m, h), X86_NEQ_UQ);
    out_of_range(m, h, LEAST_SURE);
}
static void multiply_add(struct maker *m, const struct play_step *step, unsigned h)
{
    const struct vector_operands *o = &step->o;
    const unsigned a = operand_negated(m, o->VA, o->mod & NEGATE_VA, h, 0), b = operand(m, o->VB, h, 1);
    fused(m, h, a, b, operand_negated(m, o->VC, o->mod & NEGATE_VC, h, 2));
    or_denormal(m, h, o->VA, a);
    if (o->VB != o->VA)
        or_denormal(m, h, o->VB, b);
}

enum { LUT_ADDEND = 9 /* in each half */ };

/* lut8_both of lanes_mad.h: of two bytes of `both`. */
static void lut8(struct maker *m, unsigned both, unsigned space, unsigned field)
{
    struct x86 *x = &m->x;
    x86_rrr_imm(x, VPSHIFTD, X86_LEFT, space, both, 0, 8);
    x86_rrc_imm(x, VPTERNLOGD, space, both, 0x00FF0000, 0, IF_C_THEN_A_ELSE_B);
    x86_rrc(x, VPANDD, space, space, 0x00FF00FF, 0); /* bytes, each in 16 bits */
    x86_rrr_imm(x, VPSHIFTD, X86_LEFT, field, space, 0, 3);
    x86_rrc(x, VPANDD, field, field, 0x03F803F8, 0);
    x86_rrc(x, VPXORD, field, field, 0x3F803F80, 0);
    x86_rrr_imm(x, VPSHIFTD, X86_LEFT, both, space, 0, 8);
    x86_rrc(x, VPANDD, both, both, 0x80008000, 0);
    x86_rrr(x, VPORD, both, both, field, 0);
    x86_rrc(x, VPBROADCASTD, field, 0, 0x00FF00FF, 0);
    x86_rrr_imm(x, VPCMPW, 5, space, field, 0, X86_EQ);
    x86_rrr(x, VMOVDQU16, both, 0, ZERO, 5);
}
static void lut(struct maker *m, const struct play_step *step, unsigned h)
{
    enum { X, Y, SPACE, FIELD = 6, TWO = 0x40000000 };
    struct x86 *x = &m->x;
    const unsigned input = half_of(LUT_INPUT, h), c = LUT_ADDEND + h;
    (void)step;
    x86_rrc(x, VPANDD, Y, input, ~F32_SIGN, 0);
    x86_rrr(x, VMOVDQU32, X, 0, half_of(2, h), 0);
    x86_rrc_imm(x, VPCMPUD, 5, Y, TWO, 0, X86_LT);
    x86_rrr(x, VMOVDQU32, X, 0, half_of(1, h), 5);
    x86_rrc_imm(x, VPCMPUD, 5, Y, F32_ONE, 0, X86_LT);
    x86_rrr(x, VMOVDQU32, X, 0, half_of(0, h), 5);
    lut8(m, X, SPACE, FIELD);
    x86_rrr_imm(x, VPSHIFTD, X86_LEFT, c, X, 0, 16);
    x86_rrc(x, VPANDD, X, X, 0xFFFF0000, 0);
    fused(m, h, X, Y, c);
    or_denormal(m, h, LUT_INPUT, Y);
}
static unsigned addend(struct maker *m, const struct play_step *step, unsigned h)
{
    const struct vector_operands *o = &step->o;
    return step->code == PLAY_LUT ? LUT_ADDEND + h : operand_negated(m, o->VC, o->mod & NEGATE_VC, h, 2);
}
/* What fma_avx512_host looks at where the product is not exact: k3 + h has lanes that it is not sure of. */
static void inexact(struct maker *m, const struct play_step *step, unsigned h)
{
    enum { QUARTER = (127 - 2) << 23, SIZE_P = 5, SIZE_Z, SIZE_R, LARGER };
    struct x86 *x = &m->x;
    const unsigned c = addend(m, step, h);
    x86_rrc(x, VPANDD, SIZE_P, PRODUCT + h, ~F32_SIGN, 0);
    x86_rrc(x, VPANDD, SIZE_Z, c, ~F32_SIGN, 0);
    x86_rrc(x, VPANDD, SIZE_R, RESULT + h, ~F32_SIGN, 0);
    x86_rrr(x, VMAXPS, LARGER, SIZE_P, SIZE_Z, 0);
    x86_rrc(x, VMULPS, SIZE_P, SIZE_P, QUARTER, 0);
    x86_rrr_imm(x, VCMPPS, 3 + h, SIZE_Z, SIZE_P, 6 + h, X86_LT_OQ);
    x86_rrr(x, VPTESTMD, 3 + h, SIZE_Z, SIZE_Z, 3 + h);
    x86_rrr(x, VADDPS, SIZE_R, SIZE_R, SIZE_R, 0);
    x86_rrr_imm(x, VCMPPS, 6 + h, SIZE_R, LARGER, 6 + h, X86_NGE_UQ);
    x86_kkk(x, KORW, 3 + h, 3 + h, 6 + h);
}

/* A result that is small is right where it is zero because product and addend, which is not small, are the same but for their
 * signs: k3 + h no longer has it. */
static void small_fused(struct maker *m, const struct play_step *step, unsigned h)
{
    enum { SIZE_Z = 7 };
    struct x86 *x = &m->x;
    const struct vector_operands *o = &step->o;
    x86_rrc(x, VPANDD, SIZE_Z, addend(m, step, h), ~F32_SIGN, 0);
    x86_rrc(x, VPTESTNMD, 5, RESULT + h, ~F32_SIGN, 0);
    x86_rrc_imm(x, VPCMPUD, 5, SIZE_Z, LEAST_SURE, 5, X86_NLT);
    x86_kkk(x, KANDNW, 3 + h, 5, 3 + h);
    if (step->code == PLAY_LUT) {
        or_denormal(m, h, LUT_INPUT, half_of(LUT_INPUT, h));
        return;
    }
    or_denormal(m, h, o->VA, operand(m, o->VA, h, 0));
    or_denormal(m, h, o->VB, operand(m, o->VB, h, 1));
}

static void sum(struct maker *m, const struct play_step *step, unsigned h)
{
    const struct vector_operands *o = &step->o;
    const unsigned a = operand_negated(m, step->source, o->mod & NEGATE_VA, h, 0);
    const unsigned c = operand_negated(m, o->VC, o->mod & NEGATE_VC, h, 1);
    x86_rrr(&m->x, VADDPS, RESULT + h, a, c, 0);
    out_of_range(m, h, LEAST_SURE);
}
/* fma_avx512_add.  Operands that are special make special results. */
static void small_sum(struct maker *m, const struct play_step *step, unsigned h)
{
    const struct vector_operands *o = &step->o;
    const unsigned a = operand(m, step->source, h, 0), c = operand(m, o->VC, h, 1);
    class_of(m, 3 + h, RESULT + h, h, FMA_IS_DENORMAL | FMA_IS_SPECIAL);
    or_denormal(m, h, step->source, a);
    or_denormal(m, h, o->VC, c);
}

static void product(struct maker *m, const struct play_step *step, unsigned h)
{
    const struct vector_operands *o = &step->o;
    const unsigned a = operand_negated(m, o->VA, o->mod & NEGATE_VA, h, 0), b = operand(m, o->VB, h, 1);
    x86_rrr(&m->x, VMULPS, RESULT + h, a, b, 0);
    out_of_range(m, h, 0x00800001);
    or_denormal(m, h, o->VA, a);
    if (o->VB != o->VA)
        or_denormal(m, h, o->VB, b);
}
/* fma_avx512_mul: a zero that a factor has brought may be right, and gets its sign here. */
static void small_product(struct maker *m, const struct play_step *step, unsigned h)
{
    enum { SIZE = 2 };
    struct x86 *x = &m->x;
    const struct vector_operands *o = &step->o;
    const unsigned a = operand(m, o->VA, h, 0), b = operand(m, o->VB, h, 1), r = RESULT + h;
    x86_rrc(x, VADDPS, r, r, o->mod & NEGATE_VC ? F32_SIGN : 0, 0);
    x86_rrc(x, VPANDD, SIZE, r, ~F32_SIGN, 0);
    x86_rrc_imm(x, VCMPPS, 3 + h, SIZE, 0x00800000, enabled(m, h), X86_LE_OQ);
    x86_rrc(x, VPTESTMD, 3 + h, a, ~F32_SIGN, 3 + h);
    x86_rrc(x, VPTESTMD, 3 + h, b, ~F32_SIGN, 3 + h);
    class_of(m, 5, r, h, FMA_IS_SPECIAL);
    x86_kkk(x, KORW, 3 + h, 3 + h, 5);
    or_denormal(m, h, o->VA, a);
    or_denormal(m, h, o->VB, b);
}

typedef void mad_half(struct maker *m, const struct play_step *step, unsigned half);
static void both_halves(struct maker *m, const struct play_step *step, mad_half *half)
{
    for (unsigned h = 0; h < HALVES; h++)
        half(m, step, h);
    x86_kortestw(&m->x, 3, 4);
}
static void write_result(struct maker *m, const struct play_step *step)
{
    for (unsigned h = 0; h < HALVES; h++) {
        if (step->code == PLAY_LUT && (step->o.mod & SGN_RETAIN))
            x86_rrc_imm(&m->x, VPTERNLOGD, RESULT + h, half_of(LUT_INPUT, h), ~F32_SIGN, 0, IF_C_THEN_A_ELSE_B);
        x86_rrr(&m->x, VMOVDQU32, half_of(step->o.VD, h), 0, RESULT + h, enabled(m, h));
    }
}
static void mad(struct maker *m, const struct play_step *step, unsigned i, bool last)
{
    struct doubt *doubt = &m->doubt[m->doubts++];
    *doubt = (struct doubt){.step = i, .all_on = m->all_on};
    if (last)
        remember(m, step->o.VD);
    both_halves(m, step,
                step->code == PLAY_MAD   ? multiply_add
                : step->code == PLAY_LUT ? lut
                : step->code == PLAY_SUM ? sum
                                         : product);
    doubt->small = x86_jump(&m->x, X86_JNZ);
    if (is_fused(step)) {
        x86_kortestw(&m->x, 6, 7);
        doubt->inexact = x86_jump(&m->x, X86_JNZ);
    }
    doubt->write = m->x.at;
    write_result(m, step);
    doubt->done = m->x.at;
}

/* `reciprocal` of lanes_mad.h. */
static void reciprocal(struct maker *m, const struct play_step *step)
{
    enum { MAGNITUDE = 1, AT, WORD, BYTE, LATE };
    struct x86 *x = &m->x;
    X86_BYTES(x, "\x48\xB8"); /* RAX = the table */
    const uint64_t table = (uint64_t)(uintptr_t)sfpu_reciprocals;
    x86_word(x, (uint32_t)table);
    x86_word(x, (uint32_t)(table >> 32));
    for (unsigned h = 0; h < HALVES; h++) {
        const unsigned c = operand(m, step->o.VC, h, 0);
        x86_rrc(x, VPANDD, MAGNITUDE, c, ~F32_SIGN, 0);
        x86_rrr_imm(x, VPSHIFTD, X86_RIGHT, AT, MAGNITUDE, 0, 17);
        x86_rrc(x, VPANDD, AT, AT, 63, 0);
        x86_rrm(x, VMOVDQU32, WORD, 0, RAX, 0, 0);
        x86_rrm(x, VPERMI2W, AT, WORD, RAX, HALF_BYTES, 0);
        x86_rrr_imm(x, VPSHIFTD, X86_RIGHT, BYTE, MAGNITUDE, 0, 13);
        x86_rrc(x, VPANDD, BYTE, BYTE, 8, 0);
        x86_rrr(x, VPSRLVD, AT, AT, BYTE, 0);
        x86_rrc(x, VPANDD, AT, AT, 255, 0);
        x86_rrr_imm(x, VPSHIFTD, X86_LEFT, AT, AT, 0, 16);
        x86_rrc(x, VPBROADCASTD, LATE, 0, 253, 0);
        x86_rrr_imm(x, VPSHIFTD, X86_RIGHT, WORD, MAGNITUDE, 0, 23);
        x86_rrr(x, VPSUBD, LATE, LATE, WORD, 0);
        x86_rrr_imm(x, VPSHIFTD, X86_LEFT, LATE, LATE, 0, 23);
        x86_rrr(x, VPORD, AT, AT, LATE, 0);
        x86_rrc_imm(x, VPCMPUD, 3, MAGNITUDE, 0x00800000, 0, X86_LT);
        x86_rrc(x, VPBROADCASTD, AT, 0, F32_INFINITY, 3);
        x86_rrc_imm(x, VPCMPUD, 3, MAGNITUDE, 0x7E800000, 0, X86_NLT);
        x86_rrr(x, VMOVDQU32, AT, 0, ZERO, 3);
        x86_rrc(x, VPANDD, WORD, c, F32_SIGN, 0);
        x86_rrr(x, VPORD, half_of(step->o.VD, h), AT, WORD, enabled(m, h));
    }
}

/* ---- SFPLOAD and SFPSTORE (lanes_dst.h): RAX has the cells, RDX what their columns make of it ---- */

static void find_cells(struct maker *m)
{
    const size_t at = m->moves++ * sizeof(struct code_cells);
    x86_mov_load(&m->x, RAX, RBP, at + offsetof(struct code_cells, at));
    x86_mov_load(&m->x, RDX, RBP, at + offsetof(struct code_cells, parity));
}
#define PARITY(field) offsetof(struct code_parity, field)

static void load(struct maker *m, const struct play_step *step, bool wide)
{
    enum { X, LOW, HIGH };
    struct x86 *x = &m->x;
    find_cells(m);
    for (unsigned h = 0; h < HALVES; h++) {
        const size_t at = (size_t)h * HALF_BYTES;
        if (wide) {
            x86_rrm(x, VMOVDQU32, X, 0, RDX, PARITY(index), 0);
            x86_rrm(x, VMOVDQU32, LOW, 0, RAX, at + LOW_HALF_BYTES, 0);
            x86_rrm(x, VPERMI2W, X, LOW, RAX, at, 0);
        } else {
            x86_rrm(x, VMOVDQU32, X, 0, RAX, at, 0);
            x86_rrw(x, VPSLLVD, X, X, RDX, PARITY(up), 0);
            x86_rrc(x, VPANDD, X, X, 0xFFFF0000, 0);
        }
        x86_rrr_imm(x, VPSHIFTD, X86_LEFT, HIGH, X, 0, 7);
        x86_rrr_imm(x, VPSHIFTD, X86_RIGHT, LOW, X, 0, 8);
        x86_rrc_imm(x, VPTERNLOGD, HIGH, LOW, 0x7F800000, 0, IF_C_THEN_A_ELSE_B);
        x86_rrc_imm(x, VPTERNLOGD, HIGH, X, 0x7FFF0000, 0, IF_C_THEN_A_ELSE_B);
        x86_rrr(x, VMOVDQU32, half_of(step->o.VD, h), 0, HIGH, enabled(m, h));
    }
}

/* Lanes go to one column of each pair. */
static void put_cells(struct maker *m, unsigned h, size_t at, unsigned lanes)
{
    enum { OLD = 4 };
    x86_rrm(&m->x, VMOVDQU32, OLD, 0, RAX, at, 0);
    x86_rrw_imm(&m->x, VPTERNLOGD, OLD, lanes, RDX, PARITY(keep), enabled(m, h), IF_C_THEN_A_ELSE_B);
    x86_rrm(&m->x, VMOVDQU32_STORE, OLD, 0, RAX, at, 0);
}
static void store(struct maker *m, const struct play_step *step, bool wide, bool floats)
{
    enum { SPACE, LOW, X, PUT };
    struct x86 *x = &m->x;
    find_cells(m);
    for (unsigned h = 0; h < HALVES; h++) {
        const size_t at = (size_t)h * HALF_BYTES;
        unsigned d = operand(m, step->o.VD, h, SPACE);
        if (floats) {
            x86_rrc(x, VPTESTNMD, 3, d, F32_INFINITY, 0);
            x86_rrr(x, VMOVDQU32, SPACE, 0, d, 0);
            x86_rrc(x, VPANDD, SPACE, d, F32_SIGN, 3);
            d = SPACE;
        }
        x86_rrr_imm(x, VPSHIFTD, X86_LEFT, X, d, 0, 8);
        x86_rrr_imm(x, VPSHIFTD, X86_RIGHT, LOW, d, 0, 7);
        x86_rrc_imm(x, VPTERNLOGD, X, LOW, 0x7F000000, 0, IF_C_THEN_A_ELSE_B);
        x86_rrc_imm(x, VPTERNLOGD, X, d, 0x7FFF0000, 0, IF_C_THEN_A_ELSE_B);
        x86_rrw(x, VPSRLVD, PUT, X, RDX, PARITY(up), 0);
        put_cells(m, h, at, PUT);
        if (wide) {
            x86_rrw(x, VPSLLVD, PUT, X, RDX, PARITY(down), 0);
            put_cells(m, h, at + LOW_HALF_BYTES, PUT);
        }
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
    for (uint32_t left = lregs; left != 0; left &= left - 1)
        for (unsigned h = 0; h < HALVES; h++) {
            const unsigned lreg = (unsigned)__builtin_ctz(left);
            x86_rrm(&m->x, op, half_of(lreg, h), 0, RBX, place_of(lreg, h), 0);
        }
}
static void take_state(struct maker *m)
{
    move_registers(m, m->used, VMOVDQU32);
    x86_rrr(&m->x, VPXORD, ZERO, ZERO, ZERO, 0);
    for (unsigned h = 0; h < HALVES; h++)
        x86_kmovw_load(&m->x, 1 + h, RDI, C(lanes) + 2 * (size_t)h);
}
static void give_state(struct maker *m)
{
    move_registers(m, m->written, VMOVDQU32_STORE);
    for (unsigned h = 0; h < HALVES; h++)
        x86_kmovw_store(&m->x, 1 + h, RDI, C(lanes) + 2 * (size_t)h);
    X86_BYTES(&m->x, "\xC5\xF8\x77"); /* VZEROUPPER */
}

static void leave(struct maker *m, unsigned result)
{
    X86_BYTES(&m->x, "\xB8"); /* EAX = result */
    x86_word(&m->x, result);
    X86_BYTES(&m->x, "\x48\x83\xC4\x08");                             /* RSP += 8 */
    X86_BYTES(&m->x, "\x41\x5F\x41\x5E\x41\x5D\x41\x5C\x5D\x5B\xC3"); /* POP R15 to R12, RBP, RBX; RET */
}
/* Leaves if there are denormals where they must not be. */
static void look_for_denormals(struct maker *m, uint32_t lregs)
{
    struct x86 *x = &m->x;
    if (lregs == 0)
        return;
    x86_kkk(x, KXORW, 3, 3, 3);
    for (uint32_t left = lregs; left != 0; left &= left - 1)
        for (unsigned h = 0; h < HALVES; h++) {
            x86_rrr_imm(x, VFPCLASSPS, 4, 0, half_of((unsigned)__builtin_ctz(left), h), 0, FMA_IS_DENORMAL);
            x86_kkk(x, KORW, 3, 3, 4);
        }
    x86_kortestw(x, 3, 3);
    uint8_t *none = x86_jump(x, X86_JZ);
    X86_BYTES(x, "\xC5\xF8\x77"); /* VZEROUPPER */
    leave(m, 0);
    x86_lands(x, none, x->at);
}

static void begin(struct maker *m, uint32_t normal)
{
    struct x86 *x = &m->x;
    X86_BYTES(x, "\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57"); /* PUSH RBX, RBP, R12 to R15 */
    X86_BYTES(x, "\x48\x83\xEC\x08");                         /* RSP -= 8 */
    x86_mov_load(x, RBX, RDI, C(v));
    x86_mov_load(x, RSI, RDI, C(stack));
    x86_mov_load(x, RBP, RDI, C(cells));
    x86_mov_load(x, RCX, RDI, C(times)); /* and more, which does not matter */
    take_state(m);
    look_for_denormals(m, normal);
}
static void end(struct maker *m, const uint8_t *loop)
{
    struct x86 *x = &m->x;
    X86_BYTES(x, "\x48\x03"); /* RBP += cells_a_time */
    x86_at(x, RBP, RDI, C(cells_a_time));
    X86_BYTES(x, "\xFF\xC9"); /* DEC ECX */
    uint8_t *again = x86_jump(x, X86_JNZ);
    x86_lands(x, again, loop);
    give_state(m);
    leave(m, 1);
}
/* Has an instruction done in C: EAX says which. */
static const uint8_t *slowly(struct maker *m)
{
    struct x86 *x = &m->x;
    const uint8_t *at = x->at;
    X86_BYTES(x, "\x51\x56\x57\x41\x50\x41\x51\x41\x52\x41\x53"); /* PUSH RCX, RSI, RDI, R8 to R11 */
    give_state(m);
    X86_BYTES(x, "\x89\xC6\xFF"); /* ESI = EAX; CALL slow */
    x86_at(x, 2, RDI, C(slow));
    X86_BYTES(x, "\x41\x5B\x41\x5A\x41\x59\x41\x58\x5F\x5E\x59"); /* POP R11 to R8, RDI, RSI, RCX */
    take_state(m);
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
    both_halves(m, step, is_fused(step) ? small_fused : step->code == PLAY_SUM ? small_sum : small_product);
    if (is_fused(step)) {
        uint8_t *no = x86_jump(x, X86_JNZ);
        x86_kortestw(x, 6, 7);
        x86_lands(x, x86_jump(x, X86_JZ), doubt->write);
        x86_lands(x, doubt->inexact, x->at);
        both_halves(m, step, inexact);
        x86_lands(x, x86_jump(x, X86_JZ), doubt->write);
        x86_lands(x, no, x->at);
    } else {
        x86_lands(x, x86_jump(x, X86_JZ), doubt->write);
    }
    X86_BYTES(x, "\xB8"); /* EAX = step */
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
/* Which registers have none whenever a playback begins, if they have none when the first one does: those that have none behind it. */
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

uint8_t *code_make_avx512(const struct play_program *p, const struct play_part *part, uint8_t *at, uint8_t *end_at,
                          uint8_t **function)
{
    struct maker m = {.x = {.at = at, .end = end_at}, .step = p->step + part->from};
    if ((size_t)(end_at - at) < X86_CONSTANTS * sizeof(uint32_t))
        return NULL;
    m.x.constants = (uint32_t *)(void *)at;
    *function = m.x.at += X86_CONSTANTS * sizeof(uint32_t);
    find_registers(p, part, &m.used, &m.written);
    const uint32_t normal = find_normal(&m, part);
    begin(&m, normal);
    const uint8_t *loop = m.x.at;
    playback(&m, part, normal);
    end(&m, loop);
    const uint8_t *slow = slowly(&m);
    for (unsigned i = 0; i < m.doubts; i++)
        settle(&m, &m.doubt[i], slow);
    return m.x.full ? NULL : m.x.at;
}
#else
uint8_t *code_make_avx512(const struct play_program *p, const struct play_part *part, uint8_t *at, uint8_t *end_at,
                          uint8_t **function)
{
    (void)p, (void)part, (void)at, (void)end_at, (void)function;
    return NULL;
}
#endif
