/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the Vector Unit on a processor with AVX-512: a register is two of the host's, and masks of lanes are masks there too.
 * Each case is what the function of the same instruction says (simple.c, flags.c, mad.c, load_store.c); whatever has none is a call
 * of that. */
#include "tensix/vector/play.h"

#if defined(__x86_64__)
#include "tensix/vector/row.h"
#include "tensix/vector/steps.h"

#include "num/fma_avx512.h"
#include "num/fma_lanes.h"
#include "num/sfpu.h"
#include "num/sfpu_cells.h"
#include "tensix/regs/rwc.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl")))
#define AVX512_INLINE AVX512 __attribute__((always_inline)) static inline
#define AVX512_CALL AVX512 __attribute__((noinline)) static

enum { HALF = LANES / 2, LOW_HALF = DST_LOW_HALF * DST_COLUMNS /* cells */ };
/* Of VPTERNLOG: x ? y : z, and y ? x : z. */
enum { SELECT = 0xCA, KEEP = 0xE2 };

/* 32 lanes. */
struct lanes512 {
    __m512i low, high;
};

AVX512_INLINE struct lanes512 get(const uint32_t lreg[LANES])
{
    return (struct lanes512){_mm512_loadu_si512(lreg), _mm512_loadu_si512(lreg + HALF)};
}
AVX512_INLINE void set(uint32_t lreg[LANES], struct lanes512 x)
{
    _mm512_storeu_si512(lreg, x.low);
    _mm512_storeu_si512(lreg + HALF, x.high);
}
AVX512_INLINE void put(uint32_t lreg[LANES], uint32_t lanes, struct lanes512 x)
{
    if (lanes == UINT32_MAX) {
        set(lreg, x);
        return;
    }
    _mm512_storeu_si512(lreg, _mm512_mask_mov_epi32(_mm512_loadu_si512(lreg), (__mmask16)lanes, x.low));
    _mm512_storeu_si512(lreg + HALF,
                        _mm512_mask_mov_epi32(_mm512_loadu_si512(lreg + HALF), (__mmask16)(lanes >> HALF), x.high));
}
/* Bit 31 of each. */
AVX512_INLINE uint32_t signs(struct lanes512 x)
{
    return (uint32_t)_mm512_movepi32_mask(x.low) | (uint32_t)_mm512_movepi32_mask(x.high) << HALF;
}
AVX512_INLINE uint32_t not_zero(struct lanes512 x)
{
    return (uint32_t)_mm512_test_epi32_mask(x.low, x.low) | (uint32_t)_mm512_test_epi32_mask(x.high, x.high) << HALF;
}

/* A result of both halves. */
#define BOTH(expression_low, expression_high) ((struct lanes512){(expression_low), (expression_high)})
#define UNARY(function, x, ...) BOTH(function((x).low, __VA_ARGS__), function((x).high, __VA_ARGS__))
#define BINARY(function, x, y) BOTH(function((x).low, (y).low), function((x).high, (y).high))

AVX512_INLINE struct lanes512 negated(struct lanes512 x, bool negate)
{
    return negate ? UNARY(_mm512_xor_si512, x, fma_words(F32_SIGN)) : x;
}

/* ---- MAD sub-unit ----------------------------------------------------------------------------------------------- */

enum { NEGATE_VA = 1, NEGATE_VC = 2, SGN_RETAIN = 4 };

/* Some lanes are not for AVX-512. */
static __attribute__((noinline)) void odd_mad(uint32_t r[LANES], const uint32_t x[LANES], const uint32_t y[LANES],
                                              const uint32_t z[LANES])
{
    fma_f32_lanes_plain(r, x, y, z);
}
AVX512_CALL void one_by_one(struct lanes512 *r, const struct lanes512 *x, const struct lanes512 *y,
                            const struct lanes512 *z)
{
    _Alignas(64) uint32_t space[4][LANES];
    set(space[0], *x);
    set(space[1], *y);
    set(space[2], *z);
    odd_mad(space[3], space[0], space[1], space[2]);
    *r = get(space[3]);
}

/* Some lanes are not for the host's multiply-add. */
AVX512_CALL void unsure(struct lanes512 *r, const struct lanes512 *x, const struct lanes512 *y,
                        const struct lanes512 *z)
{
    __mmask16 is_odd = 0;
    r->low = fma_avx512(x->low, y->low, z->low, &is_odd);
    r->high = fma_avx512(x->high, y->high, z->high, &is_odd);
    if (UNLIKELY(is_odd != 0))
        one_by_one(r, x, y, z);
}

AVX512_INLINE struct lanes512 multiply_add(struct lanes512 x, struct lanes512 y, struct lanes512 z, bool denormals)
{
    __mmask16 is_unsure = 0;
    struct lanes512 r;
    r.low = fma_avx512_host(x.low, y.low, z.low, denormals, &is_unsure);
    r.high = fma_avx512_host(x.high, y.high, z.high, denormals, &is_unsure);
    if (UNLIKELY(is_unsure != 0)) {
        const struct lanes512 x_space = x, y_space = y, z_space = z;
        struct lanes512 r_space;
        unsure(&r_space, &x_space, &y_space, &z_space);
        r = r_space;
    }
    return r;
}

AVX512_CALL void mad(struct vector_files *v, const struct vector_operands *o, uint32_t lanes)
{
    const struct lanes512 x = negated(get(v->LReg[o->VA]), o->mod & NEGATE_VA);
    const struct lanes512 z = negated(get(v->LReg[o->VC]), o->mod & NEGATE_VC);
    put(v->LReg[o->VD], lanes, multiply_add(x, get(v->LReg[o->VB]), z, true));
}

AVX512_CALL void product(struct vector_files *v, const struct vector_operands *o, uint32_t lanes)
{
    const struct lanes512 x = negated(get(v->LReg[o->VA]), o->mod & NEGATE_VA), y = get(v->LReg[o->VB]);
    const struct lanes512 z = negated(BOTH(_mm512_setzero_si512(), _mm512_setzero_si512()), o->mod & NEGATE_VC);
    __mmask16 is_odd = 0;
    struct lanes512 r;
    r.low = fma_avx512_mul(x.low, y.low, z.low, &is_odd);
    r.high = fma_avx512_mul(x.high, y.high, z.high, &is_odd);
    if (UNLIKELY(is_odd != 0)) {
        const struct lanes512 x_space = x, y_space = y, z_space = z;
        struct lanes512 r_space;
        one_by_one(&r_space, &x_space, &y_space, &z_space);
        r = r_space;
    }
    put(v->LReg[o->VD], lanes, r);
}

AVX512_CALL void sum(struct vector_files *v, const struct vector_operands *o, unsigned source, uint32_t lanes)
{
    const struct lanes512 x = negated(get(v->LReg[source]), o->mod & NEGATE_VA);
    const struct lanes512 z = negated(get(v->LReg[o->VC]), o->mod & NEGATE_VC);
    __mmask16 is_odd = 0;
    struct lanes512 r;
    r.low = fma_avx512_add(x.low, z.low, &is_odd);
    r.high = fma_avx512_add(x.high, z.high, &is_odd);
    if (UNLIKELY(is_odd != 0)) {
        const struct lanes512 x_space = x, y_space = get(v->LReg[LREG_ONE]), z_space = z;
        struct lanes512 r_space;
        one_by_one(&r_space, &x_space, &y_space, &z_space);
        r = r_space;
    }
    put(v->LReg[o->VD], lanes, r);
}

/* sfpu_lut8 of the two low bytes, the higher one in the high half: FP32 without its low halves.  The exponent's bits, which count
 * down, change all of those of 127 that they are. */
AVX512_INLINE __m512i lut8_both(__m512i x)
{
    enum { X_AND_Y_XOR_Z = 0x6A };
#define APART(i) (int)(UINT32_C(0xFF01FF00) + (i)*UINT32_C(0x040004)) /* 0xFF: a zero */
    const __m512i byte = _mm512_shuffle_epi8(x, _mm512_set4_epi32(APART(3), APART(2), APART(1), APART(0)));
#undef APART
    const __m512i field = _mm512_ternarylogic_epi32(_mm512_slli_epi16(byte, 3), fma_words(0x03F803F8),
                                                    fma_words(0x3F803F80), X_AND_Y_XOR_Z);
    const __m512i value =
        _mm512_ternarylogic_epi32(_mm512_slli_epi16(byte, 8), fma_words(0x80008000), field, FMA_X_AND_Y_OR_Z);
    return _mm512_maskz_mov_epi16(_mm512_cmpneq_epi16_mask(byte, fma_words(0x00FF00FF)), value);
}
AVX512_INLINE __m512i of_three(const struct vector_files *v, unsigned half, __m512i magnitude)
{
    const __m512i low = _mm512_loadu_si512(v->LReg[0] + half), middle = _mm512_loadu_si512(v->LReg[1] + half);
    const __m512i high = _mm512_loadu_si512(v->LReg[2] + half);
    const __m512i up = _mm512_mask_mov_epi32(high, _mm512_cmplt_epu32_mask(magnitude, fma_words(0x40000000)), middle);
    return _mm512_mask_mov_epi32(up, _mm512_cmplt_epu32_mask(magnitude, fma_words(F32_ONE)), low);
}

AVX512_CALL void lut(struct vector_files *v, const struct vector_operands *o, uint32_t lanes)
{
    enum { INPUT = 3 };
    const struct lanes512 input = get(v->LReg[INPUT]);
    const __m512i magnitude = fma_words(~F32_SIGN);
    const struct lanes512 y = UNARY(_mm512_and_si512, input, magnitude);
    const __m512i low = of_three(v, 0, y.low), high = of_three(v, HALF, y.high);
    const struct lanes512 both = BOTH(lut8_both(low), lut8_both(high));
    const struct lanes512 x = UNARY(_mm512_and_si512, both, fma_words(0xFFFF0000)),
                          z = UNARY(_mm512_slli_epi32, both, 16);
    struct lanes512 r = multiply_add(x, y, z, false);
    if (o->mod & SGN_RETAIN)
        r = BOTH(_mm512_ternarylogic_epi32(magnitude, r.low, input.low, SELECT),
                 _mm512_ternarylogic_epi32(magnitude, r.high, input.high, SELECT));
    put(v->LReg[o->VD], lanes, r);
}

/* sfpu_approximate_reciprocal with the sign of x.  The table is 64 words, of which bit 16 of x says which byte. */
AVX512_INLINE __m512i reciprocal(__m512i x)
{
    const __m512i table = _mm512_loadu_si512(sfpu_reciprocals), rest = _mm512_loadu_si512(sfpu_reciprocals + 64);
    const __m512i magnitude = _mm512_and_si512(x, fma_words(~F32_SIGN));
    const __m512i at = _mm512_and_si512(_mm512_srli_epi32(magnitude, 17), fma_words(63));
    const __m512i word = _mm512_permutex2var_epi16(table, at, rest);
    const __m512i byte = _mm512_srlv_epi32(word, _mm512_and_si512(_mm512_srli_epi32(magnitude, 13), fma_words(8)));
    const __m512i exponent = _mm512_sub_epi32(fma_words(253), _mm512_srli_epi32(magnitude, 23));
    __m512i r =
        _mm512_or_si512(_mm512_slli_epi32(exponent, 23), _mm512_slli_epi32(_mm512_and_si512(byte, fma_words(255)), 16));
    r = _mm512_mask_mov_epi32(r, _mm512_cmplt_epu32_mask(magnitude, fma_words(0x00800000)), fma_words(F32_INFINITY));
    r = _mm512_mask_mov_epi32(r, _mm512_cmpge_epu32_mask(magnitude, fma_words(0x7E800000)), fma_words(0));
    return _mm512_ternarylogic_epi32(x, fma_words(F32_SIGN), r, FMA_X_AND_Y_OR_Z);
}
AVX512_CALL void reciprocals(struct vector_files *v, const struct vector_operands *o, uint32_t lanes)
{
    const struct lanes512 x = get(v->LReg[o->VC]);
    put(v->LReg[o->VD], lanes, BOTH(reciprocal(x.low), reciprocal(x.high)));
}

/* What the last one of a program has written (mad.c, remember). */
AVX512_INLINE void remember(struct vector_files *v, uint32_t lanes, unsigned VD)
{
    struct vector_mad_write *write = &v->mad;
    write->lanes = lanes;
    write->written = lanes ? UINT32_C(1) << VD : 0;
    memset(write->index, (int)VD, sizeof write->index);
    const struct lanes512 old = get(v->LReg[VD]);
    _mm512_storeu_si512(write->old, old.low);
    _mm512_storeu_si512(write->old + HALF, old.high);
}

/* ---- Dst --------------------------------------------------------------------------------------------------------- */

/* bits_from_dst32 and dst32_from_bits: seven bits and eight change places. */
AVX512_INLINE __m512i from_dst(__m512i x)
{
    x = _mm512_ternarylogic_epi32(
        fma_words(0x7FFF0000),
        _mm512_ternarylogic_epi32(fma_words(0x7F800000), _mm512_slli_epi32(x, 7), _mm512_srli_epi32(x, 8), SELECT), x,
        SELECT);
    return x;
}
AVX512_INLINE __m512i to_dst(__m512i x)
{
    x = _mm512_ternarylogic_epi32(
        fma_words(0x7FFF0000),
        _mm512_ternarylogic_epi32(fma_words(0x7F000000), _mm512_slli_epi32(x, 8), _mm512_srli_epi32(x, 7), SELECT), x,
        SELECT);
    return x;
}

/* Cells of 16 bits of pairs of columns, the even ones or the odd ones: high halves of lanes, and with low ones. */
AVX512_INLINE __m512i cells_high(const uint16_t *pairs, bool odd_columns)
{
    const __m512i x = _mm512_loadu_si512(pairs);
    return odd_columns ? _mm512_and_si512(x, fma_words(0xFFFF0000)) : _mm512_slli_epi32(x, 16);
}
AVX512_INLINE __m512i cells_both(const uint16_t *pairs, bool odd_columns)
{
    const __m512i high = _mm512_loadu_si512(pairs), low = _mm512_loadu_si512(pairs + LOW_HALF),
                  mask = fma_words(0xFFFF);
    return odd_columns ? _mm512_ternarylogic_epi32(mask, _mm512_srli_epi32(low, 16), high, SELECT)
                       : _mm512_ternarylogic_epi32(mask, low, _mm512_slli_epi32(high, 16), SELECT);
}
/* The high half of each lane of x goes to a column of each pair; _low: the low half. */
AVX512_INLINE void put_high(uint16_t *pairs, bool odd_columns, __mmask16 lanes, __m512i x)
{
    const __m512i old = _mm512_loadu_si512(pairs), keep = fma_words(odd_columns ? 0xFFFF : 0xFFFF0000);
    const __m512i cells = odd_columns ? x : _mm512_srli_epi32(x, 16);
    _mm512_storeu_si512(pairs, _mm512_mask_ternarylogic_epi32(old, lanes, keep, cells, KEEP));
}
AVX512_INLINE void put_low(uint16_t *pairs, bool odd_columns, __mmask16 lanes, __m512i x)
{
    const __m512i old = _mm512_loadu_si512(pairs), keep = fma_words(odd_columns ? 0xFFFF : 0xFFFF0000);
    const __m512i cells = odd_columns ? _mm512_slli_epi32(x, 16) : x;
    _mm512_storeu_si512(pairs, _mm512_mask_ternarylogic_epi32(old, lanes, keep, cells, KEEP));
}

/* FP32 that is denormal becomes a zero (fp32_flush). */
AVX512_INLINE __m512i flushed(__m512i x)
{
    const __mmask16 small = _mm512_testn_epi32_mask(x, fma_words(F32_INFINITY));
    return _mm512_mask_and_epi32(x, small, x, fma_words(F32_SIGN));
}

/* The counters move as an instruction's AddrMod says; that of most instructions says nothing. */
static inline void count_on(struct tensix_thread *t, unsigned AddrMod)
{
    const uint16_t *section = t->config + AddrMod;
    if ((section[ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32] | section[ADDR_MOD_DST_SEC0_DestIncr_ADDR32]) != 0)
        rwc_apply_partial_addr_mod(t, AddrMod);
}
static inline unsigned address_of(const struct play_run *run, const struct vector_operands *o)
{
    return ((unsigned)o->imm + run->base + run->s->t->rwc.dst) & (DST_ROWS - 1);
}

/* Whatever there is no other way for. */
static __attribute__((noinline)) void move(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    const struct vector_operands *o = &step->o;
    const struct vector_operands plain = {.VD = o->VD, .mod = (uint8_t)vector_resolved(run->s, run->config, o->mod)};
    (step->kind == LOADS ? vector_load : vector_store)(run->files, lanes, &plain,
                                                       (struct vector_dst){run->access, address_of(run, o)});
    count_on(run->s->t, o->VA);
}

/* The cells, in DstBits, that an instruction is about; NULL: rows that are not valid, or special ones. */
static inline uint16_t *cells_of(const struct play_run *run, unsigned Addr, bool wide)
{
    struct tensix_files *files = run->files;
    const unsigned row = wide ? dst_row32(run->access, Addr & ~3u) : dst_row16(run->access, Addr & ~3u);
    const bool valid = (files->dst_row_undefined[row / 32] >> row % 32 & 15) == 0;
    return LIKELY(valid && !(run->access & DST_ACCESS_HIGH_HALVES)) ? files->DstBits[row] : NULL;
}

AVX512_INLINE void load(const struct play_run *run, const struct play_step *step, uint32_t lanes, bool wide)
{
    const struct vector_operands *o = &step->o;
    const unsigned Addr = address_of(run, o);
    const uint16_t *pairs = cells_of(run, Addr, wide);
    if (UNLIKELY(pairs == NULL)) {
        move(run, step, lanes);
        return;
    }
    struct lanes512 x;
    if (Addr & 2)
        x = wide ? BOTH(cells_both(pairs, true), cells_both(pairs + LANES, true))
                 : BOTH(cells_high(pairs, true), cells_high(pairs + LANES, true));
    else
        x = wide ? BOTH(cells_both(pairs, false), cells_both(pairs + LANES, false))
                 : BOTH(cells_high(pairs, false), cells_high(pairs + LANES, false));
    put(run->files->vector.LReg[o->VD], lanes, BOTH(from_dst(x.low), from_dst(x.high)));
    count_on(run->s->t, o->VA);
}
AVX512_CALL void load_32(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    load(run, step, lanes, true);
}
AVX512_CALL void load_bf16(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    load(run, step, lanes, false);
}

AVX512_INLINE void put_cells(uint16_t *pairs, bool odd_columns, uint32_t lanes, struct lanes512 x, bool wide)
{
    put_high(pairs, odd_columns, (__mmask16)lanes, x.low);
    put_high(pairs + LANES, odd_columns, (__mmask16)(lanes >> HALF), x.high);
    if (wide) {
        put_low(pairs + LOW_HALF, odd_columns, (__mmask16)lanes, x.low);
        put_low(pairs + LOW_HALF + LANES, odd_columns, (__mmask16)(lanes >> HALF), x.high);
    }
}
AVX512_INLINE void store(const struct play_run *run, const struct play_step *step, uint32_t lanes, bool wide,
                         bool floats)
{
    const struct vector_operands *o = &step->o;
    const unsigned Addr = address_of(run, o);
    uint16_t *pairs = cells_of(run, Addr, wide);
    if (UNLIKELY(pairs == NULL)) {
        move(run, step, lanes);
        return;
    }
    struct lanes512 x = get(run->files->vector.LReg[o->VD]);
    if (floats)
        x = BOTH(flushed(x.low), flushed(x.high));
    x = BOTH(to_dst(x.low), to_dst(x.high));
    if (Addr & 2)
        put_cells(pairs, true, lanes, x, wide);
    else
        put_cells(pairs, false, lanes, x, wide);
    count_on(run->s->t, o->VA);
}
AVX512_CALL void store_int32(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    store(run, step, lanes, true, false);
}
AVX512_CALL void store_fp32(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    store(run, step, lanes, true, true);
}
AVX512_CALL void store_bf16(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    store(run, step, lanes, false, true);
}

/* ---- Flags ------------------------------------------------------------------------------------------------------- */

/* Those of the unit, while a program runs. */
struct flags {
    uint32_t LaneFlags, UseLaneFlagsForLaneEnable;
    unsigned depth; /* of the stacks of all lanes */
};

AVX512_INLINE uint32_t setcc(const struct vector_files *v, const struct flags *f, uint32_t enabled,
                             const struct vector_operands *o)
{
    enum { IMM_BIT0 = 1, IS_ZERO = 2, INVERTED = 4, CLEAR = 8 };
    uint32_t is;
    if (UNLIKELY(o->mod & (CLEAR | IMM_BIT0))) {
        is = !(o->mod & CLEAR) && o->imm ? UINT32_MAX : 0;
    } else {
        const struct lanes512 x = get(v->LReg[o->VC]);
        is = (o->mod & IS_ZERO ? not_zero(x) : signs(x)) ^ (o->mod & INVERTED ? UINT32_MAX : 0);
    }
    return (f->LaneFlags & ~enabled) | (is & f->UseLaneFlagsForLaneEnable & enabled);
}

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

static inline void give_flags(struct vector_files *v, const struct flags *f, unsigned *depth)
{
    v->LaneFlags = f->LaneFlags;
    v->UseLaneFlagsForLaneEnable = f->UseLaneFlagsForLaneEnable;
    if (f->depth != *depth)
        memset(v->flag_stack_size, (int)f->depth, sizeof v->flag_stack_size);
    *depth = f->depth;
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) void call(const struct play_run *run, const struct play_step *step)
{
    struct vector_files *v = &run->files->vector;
    const uint32_t enabled = v->LaneFlags | ~v->UseLaneFlagsForLaneEnable;
    if (step->kind == LOADS || step->kind == STORES)
        vector_move_plainly(run->s, enabled, &step->o, step->kind == LOADS);
    else
        row_function(step->opcode)(v, step->kind == IN_ALL_LANES ? UINT32_MAX : enabled, &step->o);
}

/* Five bits of its magnitude count (sfpu_shift). */
AVX512_INLINE __m512i amount_of(int32_t imm)
{
    return fma_words((imm < 0 ? 0u - (uint32_t)imm : (uint32_t)imm) & 31);
}
/* SFPLOADI: FLOATB, SHORT or USHORT. */
static inline uint32_t value_of(const struct vector_operands *o)
{
    const uint32_t immediate = (uint32_t)o->imm & 0xFFFF;
    return o->mod == 0 ? immediate << 16 : o->mod == 4 ? (uint32_t)(int16_t)immediate : immediate;
}

#define REGISTER(name) get(v->LReg[step->o.name])
#define RESULT(...) put(v->LReg[step->o.VD], enabled, __VA_ARGS__)

AVX512 void play_on_avx512(const struct play_run *run)
{
    struct vector_files *v = &run->files->vector;
    const struct play_step *step = run->step, *const end = step + run->count, *const last_mad = step + run->last_mad;
    struct flags f = {v->LaneFlags, v->UseLaneFlagsForLaneEnable, run->depth};
    unsigned depth = run->depth;
    uint32_t enabled = f.LaneFlags | ~f.UseLaneFlagsForLaneEnable;
    for (; step != end; step++) {
        const __m512i imm = fma_words((uint32_t)step->o.imm);
        switch (step->code) {
        case PLAY_NOTHING: continue;
        case PLAY_ADD_IMM: RESULT(UNARY(_mm512_add_epi32, REGISTER(VC), imm)); continue;
        case PLAY_ADD: RESULT(BINARY(_mm512_add_epi32, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_SUB: RESULT(BINARY(_mm512_sub_epi32, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_SHIFT_LEFT:
            RESULT(UNARY(_mm512_sllv_epi32, get(v->LReg[step->source]), amount_of(step->o.imm)));
            continue;
        case PLAY_SHIFT_RIGHT:
            RESULT(UNARY(_mm512_srlv_epi32, get(v->LReg[step->source]), amount_of(step->o.imm)));
            continue;
        case PLAY_SHIFT_ARITHMETIC:
            RESULT(UNARY(_mm512_srav_epi32, get(v->LReg[step->source]), amount_of(step->o.imm)));
            continue;
        case PLAY_AND: RESULT(BINARY(_mm512_and_si512, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_OR: RESULT(BINARY(_mm512_or_si512, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_XOR: RESULT(BINARY(_mm512_xor_si512, REGISTER(VC), REGISTER(VB))); continue;
        case PLAY_NOT: RESULT(UNARY(_mm512_xor_si512, REGISTER(VC), fma_words(UINT32_MAX))); continue;
        case PLAY_COPY: RESULT(REGISTER(VC)); continue;
        case PLAY_COPY_ALL: set(v->LReg[step->o.VD], REGISTER(VC)); continue;
        case PLAY_NEGATE: RESULT(UNARY(_mm512_xor_si512, REGISTER(VC), fma_words(F32_SIGN))); continue;
        case PLAY_VALUE: {
            const __m512i value = fma_words(value_of(&step->o));
            RESULT(BOTH(value, value));
            continue;
        }
        case PLAY_ABS_FLOAT: {
            const struct lanes512 x = REGISTER(VC);
            const __m512i nan = fma_words(0xFF800000), rest = fma_words(~F32_SIGN);
            RESULT(BOTH(_mm512_mask_and_epi32(x.low, _mm512_cmple_epu32_mask(x.low, nan), x.low, rest),
                        _mm512_mask_and_epi32(x.high, _mm512_cmple_epu32_mask(x.high, nan), x.high, rest)));
            continue;
        }
        case PLAY_SETEXP_IMM: {
            const struct lanes512 x = REGISTER(VC);
            const __m512i exponent = fma_words(((uint32_t)step->o.imm & 255) << 23), keep = fma_words(0x807FFFFF);
            RESULT(BOTH(_mm512_ternarylogic_epi32(x.low, keep, exponent, FMA_X_AND_Y_OR_Z),
                        _mm512_ternarylogic_epi32(x.high, keep, exponent, FMA_X_AND_Y_OR_Z)));
            continue;
        }
        case PLAY_EXEXP: {
            const struct lanes512 x = REGISTER(VC);
            const __m512i bias = fma_words(step->o.mod & 1 ? 0 : 127), sign = fma_words(~F32_SIGN);
            RESULT(BOTH(_mm512_sub_epi32(_mm512_srli_epi32(_mm512_and_si512(x.low, sign), 23), bias),
                        _mm512_sub_epi32(_mm512_srli_epi32(_mm512_and_si512(x.high, sign), 23), bias)));
            continue;
        }
        case PLAY_ADD_FLAGS: {
            enum { ARG_IMM = 1, ARG_2SCOMP_LREG_DST = 2, CC_NONE = 4, CC_GTE0 = 8 };
            const struct lanes512 c = REGISTER(VC), b = REGISTER(VB);
            const struct lanes512 r = step->o.mod & ARG_IMM               ? UNARY(_mm512_add_epi32, c, imm)
                                      : step->o.mod & ARG_2SCOMP_LREG_DST ? BINARY(_mm512_sub_epi32, c, b)
                                                                          : BINARY(_mm512_add_epi32, c, b);
            const uint32_t is = step->o.mod & CC_NONE ? f.LaneFlags : signs(r);
            RESULT(r);
            f.LaneFlags = (f.LaneFlags & ~enabled) | ((step->o.mod & CC_GTE0 ? ~is : is) & enabled);
            break;
        }
        case PLAY_SETCC: f.LaneFlags = setcc(v, &f, enabled, &step->o); break;
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
            if (step == last_mad)
                remember(v, enabled, step->o.VD);
            if (step->code == PLAY_MAD)
                mad(v, &step->o, enabled);
            else if (step->code == PLAY_SUM)
                sum(v, &step->o, step->source, enabled);
            else if (step->code == PLAY_PRODUCT)
                product(v, &step->o, enabled);
            else
                lut(v, &step->o, enabled);
            continue;
        case PLAY_RECIPROCAL: reciprocals(v, &step->o, enabled); continue;
        case PLAY_LOAD_32: load_32(run, step, enabled); continue;
        case PLAY_LOAD_BF16: load_bf16(run, step, enabled); continue;
        case PLAY_STORE_INT32: store_int32(run, step, enabled); continue;
        case PLAY_STORE_FP32: store_fp32(run, step, enabled); continue;
        case PLAY_STORE_BF16: store_bf16(run, step, enabled); continue;
        case PLAY_MOVE: move(run, step, enabled); continue;
        default:
            give_flags(v, &f, &depth);
            call(run, step);
            f.LaneFlags = v->LaneFlags;
            f.UseLaneFlagsForLaneEnable = v->UseLaneFlagsForLaneEnable;
            break;
        }
        enabled = f.LaneFlags | ~f.UseLaneFlagsForLaneEnable;
    }
    give_flags(v, &f, &depth);
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
