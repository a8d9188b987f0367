/* SPDX-License-Identifier: Apache-2.0 */
/* Rows (stream.h): units that take several instructions at once.  Included by run.c alone. */
#ifndef KERR_TENSIX_STREAM_UNITS_H
#define KERR_TENSIX_STREAM_UNITS_H

#include "tensix/matrix/row.h"
#include "tensix/pack/plan.h"
#include "tensix/stream_source.h"
#include "tensix/vector/row.h"

/* Pushes, the k-th of a row first, up to the first that is not for the Vector Unit or does not come to the gate right behind the one
 * before: how many. */
static inline unsigned stream_in_time(const struct stream_passes *passes, unsigned k, unsigned count, uint64_t cycle)
{
    unsigned i = k;
    while (i < count && tensix_dispatch[passes->plan.word[i] >> 24].unit == UNIT_VECTOR &&
           passes->gate[i] <= cycle + (i - k))
        i++;
    return i - k;
}

/* What is next goes to the Vector Unit: with all that follows it there.  Returns how many it took. */
static inline unsigned stream_vector(tensix_step *s, stream_source source, unsigned k, unsigned count, uint64_t until,
                                     struct stream_passes *passes)
{
    const uint64_t begin = s->cycle;
    struct tensix_thread *t = s->t;
    struct vector_row row = {.words = passes->plan.word, .first = k, .mask = UINT32_MAX};
    row.count = count - k;
    row.until = until;
    if (source == STREAM_PLAY)
        row.words = t->replay, row.first = t->replay_index + k, row.mask = REPLAY_ENTRIES - 1;
    if (source == STREAM_FIFO && (row.count = stream_in_time(passes, k, count, begin)) < 2)
        return 0;
    const unsigned taken = vector_run_row(s, &row);
    if (taken != 0) {
        stream_note(passes, source, k, taken, begin, row.waited);
        served(s->tx, UNIT_VECTOR, s->thread);
        if (row.counted != 0)
            served(s->tx, UNIT_MATRIX, s->thread);
    }
    return taken;
}

/* What is due meanwhile comes first. */
static inline uint64_t stream_undisturbed(const struct tensix *tx, uint64_t until)
{
    until = min64(until, tx->later_count != 0 ? tx->later[0].cycle : NEVER);
    return min64(until, tx->vector_due != 0 ? tx->vector_due + 1 : NEVER);
}

/* The same for the packer: plans of what follows there, up to the end of a tile, and then all of it at once. */
static inline unsigned stream_pack(tensix_step *s, stream_source source, unsigned k, unsigned count, uint64_t until,
                                   struct stream_passes *passes)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    struct pack_job job;
    struct pack_counters now;
    struct pack_plan plan[PACK_PLANS];
    const unsigned most = (unsigned)min64(count - k, PACK_PLANS);
    uint64_t *at = passes->at + k, next = s->cycle, waits = 0, waited_until = 0;
    unsigned n = 0;
    until = stream_undisturbed(tx, until);
    if (most < 2 || until <= s->cycle || !pack_begin_burst(&job, s, &now))
        return 0;
    while (
        n < most && next < until && (n == 0 || !plan[n - 1].last) &&
        pack_plan_ahead(&job, stream_word(t, source, passes, k + n), n == 0 ? &now : &plan[n - 1].behind, &plan[n])) {
        at[n] = next;
        next += plan[n++].cycles;
    }
    if (n == 0 || !pack_is_unheeded(&job, plan, n))
        return 0;
    for (unsigned i = 1; i < n; i++)
        if (at[i] != at[i - 1] + 1) {
            waits += at[i] - at[i - 1] - 1;
            waited_until = at[i];
        }
    if (waits != 0)
        stream_waited(s, UNIT_PACK, waits, waited_until);
    s->cycle = at[n - 1];
    pack_PACR_do(&job, plan, n, false);
    pack_behind(&job, plan, n);
    tx->unit_free[UNIT_PACK] = s->cycle + s->issue;
    t->busy_until[UNIT_PACK] = max64(t->busy_until[UNIT_PACK], s->cycle + s->latency);
    tx->issued[s->thread][UNIT_PACK] += n;
    tx->ran[TENSIX_PACR] += n;
    served(tx, UNIT_PACK, s->thread);
    s->cycle++;
    return n;
}

/* The same for the Matrix Unit. */
static inline unsigned stream_matrix(tensix_step *s, stream_source source, unsigned k, unsigned count, uint64_t until,
                                     struct stream_passes *passes)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    struct matrix_row row = {.words = t->replay, .first = t->replay_index + k, .mask = REPLAY_ENTRIES - 1};
    if (source == STREAM_MOP)
        row.words = passes->plan.word, row.first = k, row.mask = UINT32_MAX;
    row.count = count - k;
    row.at = passes->at + k;
    row.until = stream_undisturbed(tx, until);
    if (row.until <= s->cycle)
        return 0;
    const unsigned taken = matrix_run_row(s, &row);
    if (taken == 0)
        return 0;
    if (row.waits != 0)
        stream_waited(s, UNIT_MATRIX, row.waits, row.waited_until);
    tx->unit_free[UNIT_MATRIX] = s->cycle + s->issue;
    t->busy_until[UNIT_MATRIX] = max64(t->busy_until[UNIT_MATRIX], s->cycle + s->latency);
    tx->issued[s->thread][UNIT_MATRIX] += taken;
    served(tx, UNIT_MATRIX, s->thread);
    s->cycle++;
    return taken;
}

#endif
