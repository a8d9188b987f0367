/* SPDX-License-Identifier: Apache-2.0 */
/* Code for programs of the Vector Unit: each case does what play_avx512.c has under the same name, and a test compares both with the
 * plain path (tests/same/rows.c).
 *
 * Registers: LReg i is zmm16 + 2 * i, lanes 0 to 15, and the next one; zmm15 is zero; all others are for a moment.  k1 and k2 are the
 * enabled lanes, which are LaneFlags too, since a program that has flags has UseLaneFlagsForLaneEnable in all lanes.  What it pushes
 * is in R8 and so on, two for each, besides the flag stack.  RDI: struct code_run. */
#include "tensix/vector/code.h"

#if defined(__x86_64__)
#include "tensix/vector/row.h"
#include "tensix/vector/x86.h"

#include "num/fma_avx512.h"
#include "num/sfpu.h"
#include "tensix/regs/dst.h"

enum { ZERO = 15, FIRST_LREG = 16, LREGS_HELD = 8, HALVES = 2, HALF_BYTES = 64 };
enum { LOW_HALF_BYTES = DST_LOW_HALF * DST_COLUMNS * 2 };
enum { IF_C_THEN_A_ELSE_B = 0xE4 }; /* of VPTERNLOG */
enum { NEGATE_VA = 1, NEGATE_VC = 2 };
enum { LEVELS = 4 /* that have registers */ };

struct maker {
    struct x86 x;
    bool all_on;       /* every lane is known to be enabled */
    int level;         /* how many have been pushed */
    unsigned moves;    /* SFPLOADs and SFPSTOREs so far */
    uint32_t used, written; /* of LRegs 0 to 7 */
    unsigned slows;
    struct {
        uint8_t *from, *back;
        unsigned step;
    } slow[PLAY_WORDS]; /* jumps to where an instruction is done slowly */
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

/* ---- MAD sub-unit (mad512.h, num/fma_avx512.h).  Lanes for which the host's arithmetic may not be right are found in masks, k7 in
 * the end; if there are any that are enabled, all of the instruction is done slowly. ---- */

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
/* k7 = all of `count` masks from k3 on, and with those of the first half. */
static void gather(struct maker *m, unsigned half, unsigned count)
{
    for (unsigned k = 1; k < count; k++)
        x86_kkk(&m->x, KORW, 3, 3, 3 + k);
    x86_kkk(&m->x, KORW, 7, 3, half == 0 ? 3 : 7);
}

/* What fma_avx512_host does; the result is in zmm13 or zmm14. */
static void multiply_add(struct maker *m, const struct play_step *step, unsigned h)
{
    enum { LEAST = (127 - 98) << 23, QUARTER = (127 - 2) << 23, P = 3, REST, SIZE_P, SIZE_Z, SIZE_R, LARGER };
    struct x86 *x = &m->x;
    const struct vector_operands *o = &step->o;
    const unsigned on = enabled(m, h), r = 13 + h;
    const unsigned a = operand_negated(m, o->VA, o->mod & NEGATE_VA, h, 0), b = operand(m, o->VB, h, 1);
    const unsigned c = operand_negated(m, o->VC, o->mod & NEGATE_VC, h, 2);
    x86_rrr(x, VMULPS, P, a, b, 0);
    x86_rrr(x, VMOVDQU32, r, 0, c, 0);
    x86_rrr(x, VFMADD231PS, r, a, b, 0);
    x86_rrr(x, VMOVDQU32, REST, 0, P, 0);
    x86_rrr(x, VFMSUB231PS, REST, a, b, 0);
    x86_rrc(x, VPANDD, SIZE_P, P, ~F32_SIGN, 0);
    x86_rrc(x, VPANDD, SIZE_Z, c, ~F32_SIGN, 0);
    x86_rrc(x, VPANDD, SIZE_R, r, ~F32_SIGN, 0);
    x86_rrr_imm(x, VCMPPS, 4, REST, ZERO, on, X86_NEQ_UQ); /* inexact */
    x86_rrr(x, VMAXPS, LARGER, SIZE_P, SIZE_Z, 0);
    x86_rrc(x, VMULPS, SIZE_P, SIZE_P, QUARTER, 0);
    x86_rrr_imm(x, VCMPPS, 3, SIZE_Z, SIZE_P, 4, X86_LT_OQ);
    x86_rrr(x, VPTESTMD, 3, SIZE_Z, SIZE_Z, 3); /* cut */
    x86_rrr(x, VADDPS, P, SIZE_R, SIZE_R, 0);
    x86_rrr_imm(x, VCMPPS, 4, P, LARGER, 4, X86_NGE_UQ);
    x86_rrc(x, VPSUBD, SIZE_R, SIZE_R, LEAST, 0);
    x86_rrc_imm(x, VPCMPUD, 5, SIZE_R, F32_INFINITY - LEAST, on, X86_NLT);
    gather(m, h, 3);
    class_of(m, 3, a, h, FMA_IS_DENORMAL);
    class_of(m, 4, b, h, FMA_IS_DENORMAL);
    class_of(m, 5, c, h, FMA_IS_DENORMAL);
    gather(m, 1, 3);
}
/* fma_avx512_add, fma_avx512_mul.  Specials among the operands make special results. */
static void sum(struct maker *m, const struct play_step *step, unsigned h)
{
    const struct vector_operands *o = &step->o;
    const unsigned a = operand_negated(m, step->source, o->mod & NEGATE_VA, h, 0), r = 13 + h;
    const unsigned c = operand_negated(m, o->VC, o->mod & NEGATE_VC, h, 1);
    x86_rrr(&m->x, VADDPS, r, a, c, 0);
    class_of(m, 3, a, h, FMA_IS_DENORMAL);
    class_of(m, 4, c, h, FMA_IS_DENORMAL);
    class_of(m, 5, r, h, FMA_IS_DENORMAL | FMA_IS_SPECIAL);
    gather(m, h, 3);
}
static void product(struct maker *m, const struct play_step *step, unsigned h)
{
    struct x86 *x = &m->x;
    const struct vector_operands *o = &step->o;
    const unsigned on = enabled(m, h), r = 13 + h;
    const unsigned a = operand_negated(m, o->VA, o->mod & NEGATE_VA, h, 0), b = operand(m, o->VB, h, 1);
    x86_rrr(x, VMULPS, r, a, b, 0);
    x86_rrc(x, VADDPS, r, r, o->mod & NEGATE_VC ? F32_SIGN : 0, 0);
    x86_rrc(x, VPANDD, 2, r, ~F32_SIGN, 0);
    x86_rrc_imm(x, VCMPPS, 3, 2, 0x00800000, on, X86_LE_OQ);
    x86_rrc(x, VPTESTMD, 3, a, ~F32_SIGN, 3);
    if (a != b)
        x86_rrc(x, VPTESTMD, 3, b, ~F32_SIGN, 3);
    class_of(m, 4, r, h, FMA_IS_SPECIAL);
    class_of(m, 5, a, h, FMA_IS_DENORMAL);
    if (a != b)
        class_of(m, 6, b, h, FMA_IS_DENORMAL);
    gather(m, h, a != b ? 4 : 3);
}
static void mad(struct maker *m, const struct play_step *step, unsigned i, bool last)
{
    void (*const half)(struct maker *, const struct play_step *, unsigned) =
        step->code == PLAY_MAD ? multiply_add : step->code == PLAY_SUM ? sum : product;
    if (last)
        remember(m, step->o.VD);
    for (unsigned h = 0; h < HALVES; h++)
        half(m, step, h);
    x86_kortestw(&m->x, 7, 7);
    m->slow[m->slows].from = x86_jump(&m->x, X86_JNZ);
    for (unsigned h = 0; h < HALVES; h++)
        x86_rrr(&m->x, VMOVDQU32, half_of(step->o.VD, h), 0, 13 + h, enabled(m, h));
    m->slow[m->slows].back = m->x.at;
    m->slow[m->slows++].step = i;
}

/* `reciprocal` of mad512.h. */
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

/* ---- SFPLOAD and SFPSTORE (dst512.h): RAX has the cells, RDX what their columns make of it ---- */

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

/* LaneFlags of all lanes behind it. */
static bool encc_sets(const struct vector_operands *o)
{
    enum { RI = 8, IMM_R = 2 };
    return !(o->mod & RI) || (o->imm & IMM_R);
}
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
    case PLAY_PRODUCT: mad(m, step, i, last_mad); break;
    case PLAY_RECIPROCAL: reciprocal(m, step); break;
    case PLAY_LOAD_32: load(m, step, true); break;
    case PLAY_LOAD_BF16: load(m, step, false); break;
    case PLAY_STORE_INT32: store(m, step, true, false); break;
    case PLAY_STORE_FP32: store(m, step, true, true); break;
    case PLAY_STORE_BF16: store(m, step, false, true); break;
    default: break; /* PLAY_NOTHING; PLAY_INCRWC is done before (play_code.c) */
    }
}

bool code_is_possible(const struct play_program *p, const struct play_part *part)
{
    enum { EC = 1, EI = 2, IMM_E = 1 };
    int level = 0;
    for (unsigned i = part->from; i < (unsigned)part->from + part->count; i++) {
        const struct play_step *step = &p->step[i];
        switch ((enum play_code)step->code) {
        case PLAY_CALL:
        case PLAY_MOVE:
        case PLAY_LUT: return false;
        case PLAY_ENCC: /* UseLaneFlagsForLaneEnable stays set */
            if (step->o.mod & EI ? !(step->o.imm & IMM_E) : step->o.mod & EC)
                return false;
            break;
        case PLAY_PUSHC: level++; break;
        case PLAY_POPC:
            if (level-- == 0)
                return false;
            break;
        case PLAY_COMPC:
            if (level == 0)
                return false;
            break;
        default: break;
        }
    }
    return true;
}

/* Which LRegs are held in registers; one that is written in some lanes is read, too. */
static void find_registers(struct maker *m, const struct play_program *p, const struct play_part *part)
{
    for (unsigned i = part->from; i < (unsigned)part->from + part->count; i++) {
        const struct play_step *step = &p->step[i];
        const struct vector_operands *o = &step->o;
        const bool writes = step->kind != STORES && step->kind != COUNTS && step->kind != OF_STACK;
        m->used |= 1u << o->VA | 1u << o->VB | 1u << o->VC | 1u << o->VD | 1u << step->source;
        m->written |= writes ? 1u << o->VD : 0;
    }
    m->used &= (1u << LREGS_HELD) - 1;
    m->written &= (1u << LREGS_HELD) - 1;
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

static void begin(struct maker *m)
{
    struct x86 *x = &m->x;
    X86_BYTES(x, "\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57"); /* PUSH RBX, RBP, R12 to R15 */
    X86_BYTES(x, "\x48\x83\xEC\x08");                         /* RSP -= 8 */
    x86_mov_load(x, RBX, RDI, C(v));
    x86_mov_load(x, RSI, RDI, C(stack));
    x86_mov_load(x, RBP, RDI, C(cells));
    x86_mov_load(x, RCX, RDI, C(times)); /* and more, which does not matter */
    take_state(m);
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
    X86_BYTES(x, "\x48\x83\xC4\x08");                             /* RSP += 8 */
    X86_BYTES(x, "\x41\x5F\x41\x5E\x41\x5D\x41\x5C\x5D\x5B\xC3"); /* POP R15 to R12, RBP, RBX; RET */
}
/* Instructions that are done slowly: EAX says which, to code that all of them call. */
static void slowly(struct maker *m)
{
    struct x86 *x = &m->x;
    if (m->slows == 0)
        return;
    const uint8_t *common = x->at;
    X86_BYTES(x, "\x51\x56\x57\x41\x50\x41\x51\x41\x52\x41\x53"); /* PUSH RCX, RSI, RDI, R8 to R11 */
    give_state(m);
    X86_BYTES(x, "\x89\xC6\xFF"); /* ESI = EAX; CALL slow */
    x86_at(x, 2, RDI, C(slow));
    X86_BYTES(x, "\x41\x5B\x41\x5A\x41\x59\x41\x58\x5F\x5E\x59"); /* POP R11 to R8, RDI, RSI, RCX */
    take_state(m);
    X86_BYTES(x, "\xC3");
    for (unsigned i = 0; i < m->slows; i++) {
        x86_lands(x, m->slow[i].from, x->at);
        X86_BYTES(x, "\xB8"); /* EAX = step */
        x86_word(x, m->slow[i].step);
        x86_lands(x, x86_jump(x, X86_CALL), common);
        x86_lands(x, x86_jump(x, X86_JMP), m->slow[i].back);
    }
}

uint8_t *code_make(const struct play_program *p, const struct play_part *part, uint8_t *at, uint8_t *end_at,
                   uint8_t **function)
{
    struct maker m = {.x = {.at = at, .end = end_at}};
    if ((size_t)(end_at - at) < X86_CONSTANTS * sizeof(uint32_t))
        return NULL;
    m.x.constants = (uint32_t *)(void *)at;
    *function = m.x.at += X86_CONSTANTS * sizeof(uint32_t);
    find_registers(&m, p, part);
    begin(&m);
    const uint8_t *loop = m.x.at;
    for (unsigned i = 0; i < part->count; i++)
        one(&m, &p->step[part->from + i], i, i == part->last_mad);
    end(&m, loop);
    slowly(&m);
    return m.x.full ? NULL : m.x.at;
}
#else
bool code_is_possible(const struct play_program *p, const struct play_part *part)
{
    (void)p, (void)part;
    return false;
}
uint8_t *code_make(const struct play_program *p, const struct play_part *part, uint8_t *at, uint8_t *end_at,
                   uint8_t **function)
{
    (void)p, (void)part, (void)at, (void)end_at, (void)function;
    return NULL;
}
#endif
