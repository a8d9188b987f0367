/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of instructions.  What steps.c does for each of them is the rule; here it is done for those that need little of it: VD below
 * 8, so that there is neither a back door nor a register out of reach, and nothing scheduled by SFPLOADMACRO.
 * tests/same/rows.c compares both. */
#include "tensix/vector/row.h"

#include "tensix/counts.h"
#include "tensix/regs/rwc.h"
#include "tensix/vector/steps.h"

/* Behind an SFPSWAP, which takes a second cycle, it is held for one; INCRWC is no business of the unit's. */
static inline bool waits_for_swap(enum vector_kind kind)
{
    return kind != NOT_FOR_ROWS && kind != DOES_NOTHING && kind != COUNTS;
}

/* The stacks of all lanes allow it. */
static bool stack_allows(const struct vector_files *v, const struct vector_decoded *d)
{
    const int depth = vector_stack_depth(v);
    if (LIKELY(depth > 0 && depth < FLAG_STACK_DEPTH))
        return true;
    const bool push = d->op == TENSIX_SFPPUSHC;
    if (push && d->o.mod == 0)
        return vector_stack_full(v) == 0;
    return (!push && d->o.mod != 0) || vector_stack_empty(v) == 0;
}

/* `count` of them were held for a cycle, the last one in cycle `last` (counts.h). */
static void count_waits(tensix_step *s, unsigned count, uint64_t last)
{
    struct tensix *tx = s->tx;
    s->t->stall_since = last + 1;
    counts_add(tx, s->thread, UNIT_VECTOR, TENSIX_STALL_UNIT, count);
    if (tx->stalled_threads == 0) {
        tx->any_stalled += count;
        tx->any_since = last + 1;
    }
}

/* k of them were taken, and with others the last one in the cycle before this one. */
static void count_taken(tensix_step *s, unsigned k, unsigned op, uint64_t cycle, uint64_t free, uint64_t busy)
{
    s->op = (uint8_t)op;
    s->cycle = cycle;
    s->tx->issued[s->thread][UNIT_VECTOR] += k;
    s->tx->unit_free[UNIT_VECTOR] = free;
    s->t->busy_until[UNIT_VECTOR] = max64(s->t->busy_until[UNIT_VECTOR], busy);
}

/* The unit takes nothing now, or not what is next. */
static inline bool is_closed(tensix_step *s, const struct vector_files *v)
{
    return v->macro.pending != 0 || s->tx->vector_due != 0 || v->only_nop >= s->cycle || matrix_held(s);
}
/* Nothing of the row is taken in this cycle or later. */
static inline uint64_t row_until(const struct tensix *tx, const struct vector_row *row)
{
    return tx->later_count != 0 && tx->later[0].cycle < row->until ? tx->later[0].cycle : row->until;
}

/* INCRWC, which the Matrix Unit takes; so many were before it.  False: not in this cycle. */
static bool counts(tensix_step *s, const struct vector_decoded *d, uint64_t cycle, unsigned before)
{
    struct tensix *tx = s->tx;
    const struct op_INCRWC op = decode_INCRWC(d->word);
    if (before == 0 && tx->unit_free[UNIT_MATRIX] > cycle)
        return false;
    rwc_increment(&s->t->rwc, &op);
    tx->issued[s->thread][UNIT_MATRIX]++;
    tx->unit_free[UNIT_MATRIX] = cycle + 1;
    s->t->busy_until[UNIT_MATRIX] = max64(s->t->busy_until[UNIT_MATRIX], cycle + 1);
    return true;
}

unsigned vector_run_row(tensix_step *s, struct vector_row *row)
{
    struct tensix *const tx = s->tx;
    struct vector_files *const v = &s->tile->files->vector;
    struct vector_cache *const cache = s->tile->vector_cache;
    const uint64_t until = row_until(tx, row);
    uint64_t cycle = s->cycle, busy = 0;
    row->waited = 0;
    row->counted = 0;
    if (is_closed(s, v))
        return 0;
    const uint32_t unmasked = ~vector_lanes_masked(v);
    uint64_t late = v->mad.cycle;
    unsigned op = s->op, k = 0;
    row->free = tx->unit_free[UNIT_VECTOR];
    for (; k < row->count && cycle < until; k++, cycle++) {
        const struct vector_decoded *const next = vector_decoded_of(cache, row->words[(row->first + k) & row->mask]);
        const enum vector_kind kind = next->for_rows ? (enum vector_kind)next->kind : NOT_FOR_ROWS;
        if (UNLIKELY(v->only_nop == cycle) && waits_for_swap(kind)) {
            if (cycle + 1 >= until)
                break;
            row->waited |= UINT64_C(1) << k;
            count_waits(s, 1, cycle++);
        } else if (late == cycle && kind != NOT_FOR_ROWS) {
            if (v->mad.assumed & next->assumed_reads) {
                if (cycle + 1 >= until)
                    break;
                row->waited |= UINT64_C(1) << k;
                count_waits(s, 1, cycle++);
            } else if (UNLIKELY((v->mad.written & next->reads) != 0)) {
                break;
            }
        }
        const uint32_t enabled = (v->LaneFlags | ~v->UseLaneFlagsForLaneEnable) & unmasked;
        vector_function *const function = next->function;
        switch (kind) {
        case IN_ENABLED_LANES: function(v, enabled, &next->o); break;
        case IN_ALL_LANES: function(v, UINT32_MAX, &next->o); break;
        case OF_MAD:
            function(v, enabled, &next->o);
            v->mad.cycle = late = cycle + 1;
            v->mad.assumed = next->assumed_writes;
            break;
        case OF_STACK:
            if (UNLIKELY(!stack_allows(v, next)))
                goto end;
            function(v, UINT32_MAX, &next->o);
            break;
        case LOADS:
        case STORES: vector_move_plainly(s, enabled, &next->o, kind == LOADS); break;
        case DOES_NOTHING: break;
        case COUNTS:
            if (!counts(s, next, cycle, row->counted))
                goto end;
            row->counted++;
            op = next->op;
            tx->ran[op]++;
            continue;
        default: goto end;
        }
        op = next->op;
        if (UNLIKELY(op == TENSIX_SFPSWAP))
            v->only_nop = cycle + 1;
        row->free = cycle + 1;
        tx->ran[op]++;
        busy = max64(busy, cycle + next->latency);
    }
end:
    if (k != 0)
        count_taken(s, k - row->counted, op, cycle, row->free, busy);
    return k;
}
