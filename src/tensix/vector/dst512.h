/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOAD and SFPSTORE with AVX-512 (load_store.c, load_steps.c). */
#ifndef KERR_TENSIX_VECTOR_DST512_H
#define KERR_TENSIX_VECTOR_DST512_H

#include "tensix/vector/lanes512.h"
#include "tensix/vector/play_cells.h"
#include "tensix/vector/row.h"
#include "tensix/vector/steps.h"

enum { LOW_HALF = DST_LOW_HALF * DST_COLUMNS /* cells */ };

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

/* Whatever there is no other way for. */
static __attribute__((noinline)) void move(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    const struct vector_operands *o = &step->o;
    const struct vector_operands plain = {.VD = o->VD, .mod = (uint8_t)vector_resolved(run->s, run->config, o->mod)};
    (step->kind == LOADS ? vector_load : vector_store)(run->files, lanes, &plain,
                                                       (struct vector_dst){run->access, address_of(run, o)});
    count_on(run->s->t, o->VA);
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

#endif
