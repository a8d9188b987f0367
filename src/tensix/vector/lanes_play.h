/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the Vector Unit in vectors of the host; behind lanes512.h or lanes256.h.  Each case is what the function of the same
 * instruction says (simple.c, flags.c, mad.c, load_store.c); whatever has none is a call of that. */
#ifndef KERR_TENSIX_VECTOR_LANES_PLAY_H
#define KERR_TENSIX_VECTOR_LANES_PLAY_H

#include "tensix/vector/lanes_dst.h"
#include "tensix/vector/lanes_mad.h"
#include "tensix/vector/play.h"
#include "tensix/vector/row.h"
#include "tensix/vector/steps.h"

/* The flags of the unit, while a program runs. */
struct flags {
    uint32_t LaneFlags, UseLaneFlagsForLaneEnable;
    unsigned depth; /* of the stacks of all lanes */
};

static inline void encc(struct flags *f, const struct vector_operands *o)
{
    enum { EC = 1, EI = 2, RI = 8, IMM_E = 1, IMM_R = 2 };
    if (o->mod & EI)
        f->UseLaneFlagsForLaneEnable = o->imm & IMM_E ? UINT32_MAX : 0;
    else if (o->mod & EC)
        f->UseLaneFlagsForLaneEnable = ~f->UseLaneFlagsForLaneEnable;
    f->LaneFlags = (o->mod & RI) && !(o->imm & IMM_R) ? 0 : UINT32_MAX;
}

static inline void compc(const struct vector_files *v, struct flags *f)
{
    const struct flag_stack_entry top =
        f->depth != 0 ? v->FlagStack[f->depth - 1] : (struct flag_stack_entry){UINT32_MAX, UINT32_MAX};
    f->LaneFlags = top.LaneFlags & ~f->LaneFlags & top.UseLaneFlagsForLaneEnable & f->UseLaneFlagsForLaneEnable;
}

/* In registers one by one: a compiler that sees two neighbours in memory may keep them in one register of vectors. */
static inline struct flags take_flags(const struct vector_files *v, unsigned depth)
{
    struct flags f = {v->LaneFlags, v->UseLaneFlagsForLaneEnable, depth};
    __asm__("" : "+r"(f.LaneFlags), "+r"(f.UseLaneFlagsForLaneEnable));
    return f;
}
static inline void give_flags(struct vector_files *v, struct flags f, unsigned *depth)
{
    __asm__("" : "+r"(f.LaneFlags), "+r"(f.UseLaneFlagsForLaneEnable));
    v->LaneFlags = f.LaneFlags;
    v->UseLaneFlagsForLaneEnable = f.UseLaneFlagsForLaneEnable;
    if (f.depth != *depth)
        memset(v->flag_stack_size, (int)f.depth, sizeof v->flag_stack_size);
    *depth = f.depth;
}

static __attribute__((noinline)) void call(const struct play_run *run, const struct play_step *step)
{
    struct vector_files *v = &run->files->vector;
    const uint32_t enabled = v->LaneFlags | ~v->UseLaneFlagsForLaneEnable;
    if (step->kind == LOADS || step->kind == STORES)
        vector_move_plainly(run->s, enabled, &step->o, step->kind == LOADS);
    else
        row_function(step->opcode)(v, step->kind == IN_ALL_LANES ? UINT32_MAX : enabled, &step->o);
}

/* One of the MAD sub-unit. */
HOST_INLINE void multiply(struct vector_files *v, struct play_step *step, uint32_t enabled)
{
    switch (step->code) {
    case PLAY_MAD: mad(v, step, enabled); break;
    case PLAY_SUM: sum(v, &step->o, step->source, enabled); break;
    case PLAY_PRODUCT: product(v, &step->o, enabled); break;
    default: lut(v, step, enabled); break;
    }
}

HOST_INLINE part abs_float(part x)
{
    return part_and_where(part_not_above(x, part_constant(0xFF800000)), x,
                          part_constant(~F32_SIGN)); /* a NaN is kept */
}
/* As numbers with a sign are ordered (sfpu_order). */
HOST_INLINE struct lanes ordered(struct lanes x)
{
    const struct lanes sign = UNARY(part_arithmetic, x, 31), all_but_sign = UNARY(part_right, sign, 1);
    return BINARY(part_xor, x, all_but_sign);
}
/* SFPSWAP where no lane has anything configured (exchange.c). */
HOST_INLINE void swap(struct vector_files *v, const struct play_step *step, uint32_t enabled)
{
    enum { SFPSWAP_MOD1_SWAP = 0 };
    const struct lanes c = get(v->LReg[step->o.VC]), d = get(v->LReg[step->o.VD]);
    uint32_t lanes = enabled;
    if (step->o.mod != SFPSWAP_MOD1_SWAP) {
        lanes &= less(ordered(c), ordered(d)) ^ ~step->value;
    }
    put(v->LReg[step->o.VD], lanes, c);
    if (step->o.VC < 8)
        put(v->LReg[step->o.VC], lanes, d);
}

#define REGISTER(name) get(v->LReg[step->o.name])
#define SOURCE get(v->LReg[step->source])
#define VALUE part_value(step->value)
#define RESULT(...) put(v->LReg[step->o.VD], enabled, __VA_ARGS__)
#define FLAGS(is) f.LaneFlags = (f.LaneFlags & ~enabled) | ((is)&f.UseLaneFlagsForLaneEnable & enabled)

/* last_mad: of these steps; NULL: not this time. */
HOST_INLINE struct flags play_once(const struct play_run *run, struct flags f, unsigned *depth,
                                   const struct play_step *last_mad)
{
    struct vector_files *v = &run->files->vector;
    const struct play_step *const end = run->step + run->count;
    uint32_t enabled = f.LaneFlags | ~f.UseLaneFlagsForLaneEnable;
    for (struct play_step *step = run->step; step != end; step++) {
        switch ((enum play_code)step->code) {
        case PLAY_NOTHING: continue;
        case PLAY_ADD_IMM: RESULT(UNARY(part_add, REGISTER(VC), VALUE)); continue;
        case PLAY_ADD: RESULT(BINARY(part_add, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_SUB: RESULT(BINARY(part_sub, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_SHIFT_LEFT: RESULT(UNARY(part_left_by, SOURCE, VALUE)); continue;
        case PLAY_SHIFT_RIGHT: RESULT(UNARY(part_right_by, SOURCE, VALUE)); continue;
        case PLAY_SHIFT_ARITHMETIC: RESULT(UNARY(part_arithmetic_by, SOURCE, VALUE)); continue;
        case PLAY_AND: RESULT(BINARY(part_and, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_OR: RESULT(BINARY(part_or, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_XOR: RESULT(BINARY(part_xor, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_NOT: RESULT(UNARY(part_xor, REGISTER(VC), part_constant(UINT32_MAX))); continue;
        case PLAY_COPY: RESULT(REGISTER(VC)); continue;
        case PLAY_COPY_ALL: set(v->LReg[step->o.VD], REGISTER(VC)); continue;
        case PLAY_NEGATE: RESULT(UNARY(part_xor, REGISTER(VC), part_constant(F32_SIGN))); continue;
        case PLAY_VALUE: RESULT(IN_ALL(VALUE)); continue;
        case PLAY_ABS_FLOAT: RESULT(EACH(abs_float, REGISTER(VC))); continue;
        case PLAY_SETEXP_IMM: RESULT(UNARY(part_and_or, REGISTER(VC), part_constant(0x807FFFFF), VALUE)); continue;
        case PLAY_EXEXP: {
            const struct lanes x = UNARY(part_and, REGISTER(VC), part_constant(~F32_SIGN));
            RESULT(UNARY(part_sub, UNARY(part_right, x, 23), VALUE));
            continue;
        }
        case PLAY_ADD_FLAGS: {
            enum { ARG_IMM = 1, ARG_2SCOMP_LREG_DST = 2, CC_NONE = 4, CC_GTE0 = 8 };
            const struct lanes c = REGISTER(VC), b = REGISTER(VB);
            const struct lanes r = step->o.mod & ARG_IMM               ? UNARY(part_add, c, VALUE)
                                   : step->o.mod & ARG_2SCOMP_LREG_DST ? BINARY(part_sub, c, b)
                                                                       : BINARY(part_add, c, b);
            const uint32_t is = step->o.mod & CC_NONE ? f.LaneFlags : signs(r);
            RESULT(r);
            f.LaneFlags = (f.LaneFlags & ~enabled) | ((step->o.mod & CC_GTE0 ? ~is : is) & enabled);
            break;
        }
        case PLAY_SETCC_VALUE: FLAGS(step->value); break;
        case PLAY_SETCC_SIGN: FLAGS(signs(REGISTER(VC)) ^ step->value); break;
        case PLAY_SETCC_SOME: FLAGS(not_zero(REGISTER(VC)) ^ step->value); break;
        case PLAY_ENCC: encc(&f, &step->o); break;
        case PLAY_COMPC: compc(v, &f); break;
        case PLAY_PUSHC:
            v->FlagStack[f.depth++] = (struct flag_stack_entry){f.LaneFlags, f.UseLaneFlagsForLaneEnable};
            continue;
        case PLAY_POPC:
            f.depth--;
            f.LaneFlags = v->FlagStack[f.depth].LaneFlags;
            f.UseLaneFlagsForLaneEnable = v->FlagStack[f.depth].UseLaneFlagsForLaneEnable;
            break;
        case PLAY_MAD:
        case PLAY_SUM:
        case PLAY_PRODUCT:
        case PLAY_LUT:
            if (UNLIKELY(step == last_mad))
                remember(v, enabled, step->o.VD);
            multiply(v, step, enabled);
            continue;
        case PLAY_SWAP: swap(v, step, enabled); continue;
        case PLAY_RECIPROCAL: reciprocals(v, &step->o, enabled); continue;
        case PLAY_LOAD_32: load_32(run, step, enabled); continue;
        case PLAY_LOAD_BF16: load_bf16(run, step, enabled); continue;
        case PLAY_STORE_INT32: store_int32(run, step, enabled); continue;
        case PLAY_STORE_FP32: store_fp32(run, step, enabled); continue;
        case PLAY_STORE_BF16: store_bf16(run, step, enabled); continue;
        case PLAY_MOVE: move(run, step, enabled); continue;
        case PLAY_INCRWC: play_incrwc(run, step); continue;
        case PLAY_CALL:
            give_flags(v, f, depth);
            call(run, step);
            f = take_flags(v, f.depth);
            break;
        }
        enabled = f.LaneFlags | ~f.UseLaneFlagsForLaneEnable;
    }
    return f;
}

HOST_INLINE void play_all(const struct play_run *run)
{
    struct vector_files *v = &run->files->vector;
    unsigned depth = run->depth;
    struct flags f = take_flags(v, depth);
    for (unsigned times = run->times; times != 0; times--)
        f = play_once(run, f, &depth, times == 1 ? run->step + run->last_mad : NULL);
    give_flags(v, f, &depth);
}

#endif
