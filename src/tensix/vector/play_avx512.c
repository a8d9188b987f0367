/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the Vector Unit on a processor with AVX-512.  Each case is what the function of the same instruction says (simple.c,
 * flags.c, mad.c, load_store.c); whatever has none is a call of that. */
#include "tensix/vector/play.h"

#if defined(__x86_64__)
#include "tensix/vector/dst512.h"
#include "tensix/vector/mad512.h"
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
AVX512_INLINE void multiply(struct vector_files *v, struct play_step *step, uint32_t enabled)
{
    switch (step->code) {
    case PLAY_MAD: mad(v, step, enabled); break;
    case PLAY_SUM: sum(v, &step->o, step->source, enabled); break;
    case PLAY_PRODUCT: product(v, &step->o, enabled); break;
    default: lut(v, step, enabled); break;
    }
}

/* As numbers with a sign are ordered (sfpu_order). */
AVX512_INLINE struct lanes512 ordered(struct lanes512 x)
{
    const struct lanes512 sign = UNARY(_mm512_srai_epi32, x, 31), all_but_sign = UNARY(_mm512_srli_epi32, sign, 1);
    return BINARY(_mm512_xor_si512, x, all_but_sign);
}
/* SFPSWAP where no lane has anything configured (exchange.c). */
AVX512_INLINE void swap(struct vector_files *v, const struct play_step *step, uint32_t enabled)
{
    enum { SFPSWAP_MOD1_SWAP = 0 };
    const struct lanes512 c = get(v->LReg[step->o.VC]), d = get(v->LReg[step->o.VD]);
    uint32_t lanes = enabled;
    if (step->o.mod != SFPSWAP_MOD1_SWAP) {
        const struct lanes512 x = ordered(c), y = ordered(d);
        const uint32_t smaller =
            (uint32_t)_mm512_cmplt_epi32_mask(x.high, y.high) << HALF | _mm512_cmplt_epi32_mask(x.low, y.low);
        lanes &= smaller ^ ~step->value;
    }
    put(v->LReg[step->o.VD], lanes, c);
    if (step->o.VC < 8)
        put(v->LReg[step->o.VC], lanes, d);
}

#define REGISTER(name) get(v->LReg[step->o.name])
#define SOURCE get(v->LReg[step->source])
#define VALUE _mm512_set1_epi32((int)step->value)
#define RESULT(...) put(v->LReg[step->o.VD], enabled, __VA_ARGS__)
#define FLAGS(is) f.LaneFlags = (f.LaneFlags & ~enabled) | ((is)&f.UseLaneFlagsForLaneEnable & enabled)

/* last_mad: of these steps; NULL: not this time. */
AVX512 static struct flags play_once(const struct play_run *run, struct flags f, unsigned *depth,
                                     const struct play_step *last_mad)
{
    struct vector_files *v = &run->files->vector;
    const struct play_step *const end = run->step + run->count;
    uint32_t enabled = f.LaneFlags | ~f.UseLaneFlagsForLaneEnable;
    for (struct play_step *step = run->step; step != end; step++) {
        switch ((enum play_code)step->code) {
        case PLAY_NOTHING: continue;
        case PLAY_ADD_IMM: RESULT(UNARY(_mm512_add_epi32, REGISTER(VC), VALUE)); continue;
        case PLAY_ADD: RESULT(BINARY(_mm512_add_epi32, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_SUB: RESULT(BINARY(_mm512_sub_epi32, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_SHIFT_LEFT: RESULT(UNARY(_mm512_sllv_epi32, SOURCE, VALUE)); continue;
        case PLAY_SHIFT_RIGHT: RESULT(UNARY(_mm512_srlv_epi32, SOURCE, VALUE)); continue;
        case PLAY_SHIFT_ARITHMETIC: RESULT(UNARY(_mm512_srav_epi32, SOURCE, VALUE)); continue;
        case PLAY_AND: RESULT(BINARY(_mm512_and_si512, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_OR: RESULT(BINARY(_mm512_or_si512, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_XOR: RESULT(BINARY(_mm512_xor_si512, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_NOT: RESULT(UNARY(_mm512_xor_si512, REGISTER(VC), fma_words(UINT32_MAX))); continue;
        case PLAY_COPY: RESULT(REGISTER(VC)); continue;
        case PLAY_COPY_ALL: set(v->LReg[step->o.VD], REGISTER(VC)); continue;
        case PLAY_NEGATE: RESULT(UNARY(_mm512_xor_si512, REGISTER(VC), fma_words(F32_SIGN))); continue;
        case PLAY_VALUE: RESULT(BOTH(VALUE, VALUE)); continue;
        case PLAY_ABS_FLOAT: {
            const struct lanes512 x = REGISTER(VC);
            const __m512i nan = fma_words(0xFF800000), rest = fma_words(~F32_SIGN);
            RESULT(BOTH(_mm512_mask_and_epi32(x.low, _mm512_cmple_epu32_mask(x.low, nan), x.low, rest),
                        _mm512_mask_and_epi32(x.high, _mm512_cmple_epu32_mask(x.high, nan), x.high, rest)));
            continue;
        }
        case PLAY_SETEXP_IMM: {
            const struct lanes512 x = REGISTER(VC);
            const __m512i keep = fma_words(0x807FFFFF);
            RESULT(BOTH(_mm512_ternarylogic_epi32(x.low, keep, VALUE, FMA_X_AND_Y_OR_Z),
                        _mm512_ternarylogic_epi32(x.high, keep, VALUE, FMA_X_AND_Y_OR_Z)));
            continue;
        }
        case PLAY_EXEXP: {
            const struct lanes512 x = UNARY(_mm512_and_si512, REGISTER(VC), fma_words(~F32_SIGN));
            RESULT(UNARY(_mm512_sub_epi32, UNARY(_mm512_srli_epi32, x, 23), VALUE));
            continue;
        }
        case PLAY_ADD_FLAGS: {
            enum { ARG_IMM = 1, ARG_2SCOMP_LREG_DST = 2, CC_NONE = 4, CC_GTE0 = 8 };
            const struct lanes512 c = REGISTER(VC), b = REGISTER(VB);
            const struct lanes512 r = step->o.mod & ARG_IMM               ? UNARY(_mm512_add_epi32, c, VALUE)
                                      : step->o.mod & ARG_2SCOMP_LREG_DST ? BINARY(_mm512_sub_epi32, c, b)
                                                                          : BINARY(_mm512_add_epi32, c, b);
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

AVX512 void play_on_avx512(const struct play_run *run)
{
    struct vector_files *v = &run->files->vector;
    unsigned depth = run->depth;
    struct flags f = take_flags(v, depth);
    for (unsigned times = run->times; times != 0; times--)
        f = play_once(run, f, &depth, times == 1 ? run->step + run->last_mad : NULL);
    give_flags(v, f, &depth);
}

AVX512 void play_slow_mad(struct vector_files *v, struct play_step *step, uint32_t lanes)
{
    const struct vector_operands *o = &step->o;
    if (step->code != PLAY_MAD) {
        multiply(v, step, lanes);
        return;
    }
    const struct lanes512 x = negated(get(v->LReg[o->VA]), o->mod & NEGATE_VA), y = get(v->LReg[o->VB]);
    const struct lanes512 z = negated(get(v->LReg[o->VC]), o->mod & NEGATE_VC);
    struct lanes512 r;
    unsure(&r, &x, &y, &z);
    put(v->LReg[o->VD], lanes, r);
}

bool play_has_avx512(void)
{
    return fma_has_avx512();
}
#else
bool play_has_avx512(void)
{
    return false;
}
void play_on_avx512(const struct play_run *run)
{
    (void)run;
}
#endif
