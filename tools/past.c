/* SPDX-License-Identifier: Apache-2.0 */
#include "past.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 4096 }; /* a fault, an interrupt and a stop are looked for so often */

/* ---- Snapshots ------------------------------------------------------------------------------------------- */

static bool append(void *context, const void *data, size_t size)
{
    past_snapshot *s = context;
    if (s->size + size > s->room) {
        const size_t room = (s->size + size) * 2;
        uint8_t *grown = realloc(s->data, room);
        if (grown == NULL) {
            return false;
        }
        s->data = grown;
        s->room = room;
    }
    memcpy(s->data + s->size, data, size);
    s->size += size;
    return true;
}

typedef struct reader {
    const past_snapshot *of;
    size_t at;
} reader;

static bool take(void *context, void *data, size_t size)
{
    reader *r = context;
    if (size > r->of->size - r->at) {
        return false;
    }
    memcpy(data, r->of->data + r->at, size);
    r->at += size;
    return true;
}

static void drop(past_snapshot *s)
{
    free(s->data);
    *s = (past_snapshot){0};
}

/* Every other one goes; the first, where the past begins, stays. */
static void thin(past *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (i % 2 == 0) {
            p->snapshot[kept++] = p->snapshot[i];
        } else {
            drop(&p->snapshot[i]);
        }
    }
    p->count = kept;
    p->spacing *= 2;
}

static bool add(past *p)
{
    if (p->count == PAST_MOST) {
        thin(p);
    }
    past_snapshot s = {.cycle = past_now(p)};
    if (kerr_save(p->chip, append, &s) != KERR_OK) {
        drop(&s);
        return false;
    }
    p->snapshot[p->count++] = s;
    return true;
}

/* The last one that is not behind the cycle. */
static size_t before(const past *p, uint64_t cycle)
{
    size_t i = p->count - 1;
    while (i > 0 && p->snapshot[i].cycle > cycle) {
        i--;
    }
    return i;
}

static bool back_to(past *p, size_t i)
{
    reader r = {.of = &p->snapshot[i]};
    return kerr_restore(p->chip, take, &r) == KERR_OK;
}

bool past_begin(past *p, kerr_chip *chip, uint64_t spacing)
{
    *p = (past){.chip = chip, .spacing = spacing != 0 ? spacing : past_spacing_default};
    return add(p);
}

void past_end(past *p)
{
    for (size_t i = 0; i < p->count; i++) {
        drop(&p->snapshot[i]);
    }
    p->count = 0;
}

bool past_forget(past *p)
{
    past_end(p);
    return add(p);
}

uint64_t past_now(const past *p)
{
    uint64_t cycle = 0;
    (void)kerr_cycle(p->chip, &cycle);
    return cycle;
}

void past_note_watched(past *p, uint64_t cycle, int core)
{
    if (!p->watched || cycle < p->watched_first) {
        p->watched_first = cycle;
        p->watched_by[0] = core;
    }
    if (!p->watched || cycle >= p->watched_last) {
        p->watched_last = cycle;
        p->watched_by[1] = core;
    }
    p->watched = true;
}

/* ---- Running --------------------------------------------------------------------------------------------- */

static bool is_interrupted(const past *p)
{
    return p->interrupted != NULL && p->interrupted(p->context);
}

/* Up to a cycle that is not before the present one, with snapshots on the way. */
static past_result forward(past *p, uint64_t cycle)
{
    for (uint64_t now = past_now(p); now < cycle; now = past_now(p)) {
        const uint64_t last = p->snapshot[p->count - 1].cycle;
        const uint64_t next = last + p->spacing > now ? last + p->spacing : now + p->spacing;
        const kerr_status status = kerr_run(p->chip, (next < cycle ? next : cycle) - now);
        if (status != KERR_OK) {
            return status == KERR_FAULTED ? PAST_FAULTED : PAST_BROKEN;
        }
        if (past_now(p) >= next && next > last && !add(p)) {
            return PAST_BROKEN;
        }
    }
    return PAST_DONE;
}

past_result past_go(past *p, uint64_t cycle)
{
    if (cycle < p->snapshot[0].cycle) {
        cycle = p->snapshot[0].cycle;
    }
    if (cycle < past_now(p) && !back_to(p, before(p, cycle))) {
        return PAST_BROKEN;
    }
    return forward(p, cycle);
}

/* The chip may not come further: its stop point is behind a fault. */
static past_result ended(past *p, kerr_status status)
{
    (void)kerr_set_stops(p->chip, NULL, 0);
    return status == KERR_FAULTED ? PAST_FAULTED : PAST_BROKEN;
}

past_result past_run(past *p, const kerr_stop *stops, size_t count, uint64_t most, kerr_stop_hit *hit)
{
    /* The instruction at which the chip stands is not come by again. */
    const uint64_t start = past_now(p);
    uint64_t now = start;
    *hit = (kerr_stop_hit){.index = UINT32_MAX};
    while (now - start < most) {
        const uint64_t last = p->snapshot[p->count - 1].cycle;
        if (now >= last + p->spacing && !add(p)) {
            return PAST_BROKEN;
        }
        /* The first cycle alone, so that what is come by in it can be told from what comes later. */
        uint64_t slice = now == start ? 1 : SLICE - now % SLICE;
        slice = slice < most - (now - start) ? slice : most - (now - start);
        kerr_status status = kerr_set_stops(p->chip, stops, count);
        p->watched = false;
        if (status == KERR_OK) {
            status = kerr_run(p->chip, slice);
        }
        kerr_stop_hit first;
        (void)kerr_stops_hit(p->chip, &first, NULL);
        if (p->watched && p->watched_first < first.cycle) {
            first =
                (kerr_stop_hit){.cycle = p->watched_first + 1, .index = PAST_WATCH, .pc = (uint32_t)p->watched_by[0]};
        }
        if (first.index != UINT32_MAX && first.cycle > start) {
            *hit = first;
            (void)kerr_set_stops(p->chip, NULL, 0);
            return past_go(p, first.cycle);
        }
        if (status != KERR_OK) {
            return ended(p, status);
        }
        now = past_now(p);
        if (is_interrupted(p)) {
            (void)kerr_set_stops(p->chip, NULL, 0);
            return PAST_INTERRUPTED;
        }
    }
    (void)kerr_set_stops(p->chip, NULL, 0);
    return PAST_LIMIT;
}

past_result past_run_back(past *p, const kerr_stop *stops, size_t count, kerr_stop_hit *hit)
{
    uint64_t end = past_now(p); /* looked for below */
    *hit = (kerr_stop_hit){.index = UINT32_MAX};
    for (size_t i = before(p, end == 0 ? 0 : end - 1) + 1; i-- > 0 && end > p->snapshot[0].cycle;) {
        if (!back_to(p, i) || kerr_set_stops(p->chip, stops, count) != KERR_OK) {
            return PAST_BROKEN;
        }
        p->watched = false;
        for (uint64_t now = past_now(p); now < end; now = past_now(p)) {
            const uint64_t slice = end - now < p->spacing ? end - now : p->spacing;
            const kerr_status status = kerr_run(p->chip, slice);
            if (status == KERR_FAULTED && past_now(p) == now) {
                break; /* it stood behind a fault */
            }
            if (status != KERR_OK && status != KERR_FAULTED) {
                return PAST_BROKEN;
            }
            if (is_interrupted(p)) {
                (void)kerr_set_stops(p->chip, NULL, 0);
                return past_go(p, end) == PAST_BROKEN ? PAST_BROKEN : PAST_INTERRUPTED;
            }
        }
        kerr_stop_hit last;
        (void)kerr_stops_hit(p->chip, NULL, &last);
        (void)kerr_set_stops(p->chip, NULL, 0);
        /* Going back one stands before the write, where gdb finds the old bytes. */
        if (p->watched && p->watched_last < end && (last.index == UINT32_MAX || p->watched_last >= last.cycle)) {
            last = (kerr_stop_hit){.cycle = p->watched_last, .index = PAST_WATCH, .pc = (uint32_t)p->watched_by[1]};
        }
        if (last.index != UINT32_MAX && last.cycle < end) {
            *hit = last;
            return past_go(p, last.cycle);
        }
        end = p->snapshot[i].cycle;
    }
    return past_go(p, p->snapshot[0].cycle) == PAST_BROKEN ? PAST_BROKEN : PAST_BEGIN;
}
