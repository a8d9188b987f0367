/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOAD and SFPSTORE (load_store.c, load_steps.c) in vectors of the host; behind lanes512.h or lanes256.h. */
#ifndef KERR_TENSIX_VECTOR_LANES_DST_H
#define KERR_TENSIX_VECTOR_LANES_DST_H

#include "tensix/vector/lanes_all.h"
#include "tensix/vector/play_cells.h"
#include "tensix/vector/row.h"
#include "tensix/vector/steps.h"

enum { LOW_HALF = DST_LOW_HALF * DST_COLUMNS /* cells */, PART_CELLS = 2 * PART_LANES };

/* bits_from_dst32 and dst32_from_bits: seven bits and eight change places. */
HOST_INLINE part from_dst(part x)
{
    const part moved = part_select(part_constant(0x7F800000), part_left(x, 7), part_right(x, 8));
    return part_select(part_constant(0x7FFF0000), moved, x);
}
HOST_INLINE part to_dst(part x)
{
    const part moved = part_select(part_constant(0x7F000000), part_left(x, 8), part_right(x, 7));
    return part_select(part_constant(0x7FFF0000), moved, x);
}

/* Cells of 16 bits of pairs of columns, the even ones or the odd ones: high halves of lanes, and with low ones. */
HOST_INLINE part cells_high(const uint16_t *pairs, bool odd_columns)
{
    const part x = part_load(pairs);
    return odd_columns ? part_and(x, part_constant(0xFFFF0000)) : part_left(x, 16);
}
HOST_INLINE part cells_both(const uint16_t *pairs, bool odd_columns)
{
    const part high = part_load(pairs), low = part_load(pairs + LOW_HALF), mask = part_constant(0xFFFF);
    return odd_columns ? part_select(mask, part_right(low, 16), high) : part_select(mask, low, part_left(high, 16));
}
/* The high half of each lane of x goes to a column of each pair; _low: the low half. */
HOST_INLINE void put_high(uint16_t *pairs, bool odd_columns, part_mask lanes, part x)
{
    const part keep = part_constant(odd_columns ? 0xFFFF : 0xFFFF0000), cells = odd_columns ? x : part_right(x, 16);
    part_store(pairs, part_replace(lanes, part_load(pairs), keep, cells));
}
HOST_INLINE void put_low(uint16_t *pairs, bool odd_columns, part_mask lanes, part x)
{
    const part keep = part_constant(odd_columns ? 0xFFFF : 0xFFFF0000), cells = odd_columns ? part_left(x, 16) : x;
    part_store(pairs, part_replace(lanes, part_load(pairs), keep, cells));
}

/* FP32 that is denormal becomes a zero (fp32_flush). */
HOST_INLINE part flushed(part x)
{
    return part_and_where(part_without(x, part_constant(F32_INFINITY)), x, part_constant(F32_SIGN));
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

HOST_INLINE struct lanes cells(const uint16_t *pairs, bool odd_columns, bool wide)
{
#define CELLS(i)                                                                                                       \
    (wide ? cells_both(pairs + (size_t)(i)*PART_CELLS, odd_columns)                                                    \
          : cells_high(pairs + (size_t)(i)*PART_CELLS, odd_columns))
    return (struct lanes){PER_PART(CELLS)};
#undef CELLS
}
HOST_INLINE void load(const struct play_run *run, const struct play_step *step, uint32_t lanes, bool wide)
{
    const struct vector_operands *o = &step->o;
    const unsigned Addr = address_of(run, o);
    const uint16_t *pairs = cells_of(run, Addr, wide);
    if (UNLIKELY(pairs == NULL)) {
        move(run, step, lanes);
        return;
    }
    uint32_t *VD = run->files->vector.LReg[o->VD];
    if (Addr & 2) {
        const struct lanes x = cells(pairs, true, wide);
        put(VD, lanes, EACH(from_dst, x));
    } else {
        const struct lanes x = cells(pairs, false, wide);
        put(VD, lanes, EACH(from_dst, x));
    }
    count_on(run->s->t, o->VA);
}
HOST_CALL void load_32(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    load(run, step, lanes, true);
}
HOST_CALL void load_bf16(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    load(run, step, lanes, false);
}

HOST_INLINE void put_cells(uint16_t *pairs, bool odd_columns, uint32_t lanes, struct lanes x, bool wide)
{
    for (unsigned i = 0; i < PARTS; i++)
        put_high(pairs + (size_t)i * PART_CELLS, odd_columns, part_mask_of(lanes, i), x.p[i]);
    for (unsigned i = 0; i < PARTS && wide; i++)
        put_low(pairs + LOW_HALF + (size_t)i * PART_CELLS, odd_columns, part_mask_of(lanes, i), x.p[i]);
}
HOST_INLINE void store(const struct play_run *run, const struct play_step *step, uint32_t lanes, bool wide, bool floats)
{
    const struct vector_operands *o = &step->o;
    const unsigned Addr = address_of(run, o);
    uint16_t *pairs = cells_of(run, Addr, wide);
    if (UNLIKELY(pairs == NULL)) {
        move(run, step, lanes);
        return;
    }
    struct lanes x = get(run->files->vector.LReg[o->VD]);
    if (floats)
        x = EACH(flushed, x);
    x = EACH(to_dst, x);
    if (Addr & 2)
        put_cells(pairs, true, lanes, x, wide);
    else
        put_cells(pairs, false, lanes, x, wide);
    count_on(run->s->t, o->VA);
}
HOST_CALL void store_int32(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    store(run, step, lanes, true, false);
}
HOST_CALL void store_fp32(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    store(run, step, lanes, true, true);
}
HOST_CALL void store_bf16(const struct play_run *run, const struct play_step *step, uint32_t lanes)
{
    store(run, step, lanes, false, true);
}

#endif
