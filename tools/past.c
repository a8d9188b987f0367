/* SPDX-License-Identifier: Apache-2.0 */
#include "past.h"

#include <string.h>
#include <time.h>

enum {
    SLICE = 4096,            /* a fault, an interrupt and a stop are looked for so often */
    SLICE_MOST = 1 << 24,    /* of a chip that has nothing to do */
    NEAR_CYCLES = 2 * SLICE, /* who goes back goes back again: there is a snapshot so near */
    BACK_SLICE = 1 << 16,
    KEPT_AT_LEAST = 8,
};
static const double snapshot_seconds = 0.15, slice_seconds = 0.01, near_seconds = 0.03;
static const double save_share = 0.3; /* of the time at most goes into snapshots */

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Snapshots ------------------------------------------------------------------------------------------------- */

uint64_t past_now(const past *p)
{
    uint64_t cycle = 0;
    (void)kerr_cycle(p->chip, &cycle);
    return cycle;
}

uint64_t past_bytes(const past *p)
{
    uint64_t sum = p->pages.in_use * PAST_PAGE;
    for (size_t i = 0; i < p->count; i++) {
        sum += p->snapshot[i].room + p->snapshot[i].page_room * sizeof *p->snapshot[i].page;
    }
    return sum;
}

/* Of all but the first and the last, the one without which the gap is smallest for its distance. */
static void thin(past *p)
{
    const uint64_t now = past_now(p);
    size_t worst = 1;
    double least = 1e300;
    for (size_t i = 1; i + 1 < p->count; i++) {
        const uint64_t cycle = p->snapshot[i].cycle, gap = p->snapshot[i + 1].cycle - p->snapshot[i - 1].cycle;
        const uint64_t away = now > cycle ? now - cycle : cycle - now;
        const double weight = (double)gap / ((double)away + SLICE);
        if (weight < least) {
            least = weight;
            worst = i;
        }
    }
    past_pages_drop(&p->pages, &p->snapshot[worst]);
    memmove(&p->snapshot[worst], &p->snapshot[worst + 1], (p->count - worst - 1) * sizeof p->snapshot[0]);
    p->count--;
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

/* The chip as it is now, unless there is one of this cycle. */
static bool add(past *p)
{
    const uint64_t now = past_now(p);
    const size_t at = p->count == 0 ? 0 : before(p, now) + 1;
    if (at > 0 && p->snapshot[at - 1].cycle == now) {
        p->ran = 0;
        return true;
    }
    const double start = now_seconds();
    past_snapshot s;
    if (!past_pages_save(&p->pages, &s, at > 0 ? &p->snapshot[at - 1] : NULL, p->chip)) {
        return false;
    }
    memmove(&p->snapshot[at + 1], &p->snapshot[at], (p->count - at) * sizeof s);
    p->snapshot[at] = s;
    p->count++;
    while (p->count == PAST_MOST || (p->count > KEPT_AT_LEAST && past_bytes(p) > PAST_BYTES)) {
        thin(p);
    }
    p->ran = 0;
    p->save_costs = now_seconds() - start;
    return true;
}

static bool back_to(past *p, size_t i)
{
    p->ran = 0;
    return p->again != NULL ? p->again(p->again_context) : past_pages_restore(&p->pages, &p->snapshot[i], p->chip);
}

bool past_begin(past *p, kerr_chip *chip, uint64_t spacing)
{
    *p = (past){.chip = chip, .spacing = spacing, .slice = SLICE};
    return add(p);
}

void past_end(past *p)
{
    for (size_t i = 0; i < p->count; i++) {
        past_pages_drop(&p->pages, &p->snapshot[i]);
    }
    p->count = 0;
    past_pages_free(&p->pages);
}

bool past_forget(past *p)
{
    past_end(p);
    p->again = NULL; /* nobody knows how to come here again but by a snapshot */
    return add(p);
}

/* Enough has been run since the last snapshot for another one. */
static bool is_due(const past *p)
{
    if (p->again != NULL) {
        return false;
    }
    if (p->spacing != 0) {
        const uint64_t now = past_now(p);
        return now - p->snapshot[before(p, now)].cycle >= p->spacing;
    }
    const double wait = p->save_costs / save_share > snapshot_seconds ? p->save_costs / save_share : snapshot_seconds;
    return p->ran >= wait;
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

/* ---- Running --------------------------------------------------------------------------------------------------- */

static bool is_interrupted(const past *p)
{
    return p->interrupted != NULL && p->interrupted(p->context);
}

/* A slice that takes about slice_seconds: snapshots are due by the clock. */
static kerr_status run_slice(past *p, uint64_t most)
{
    uint64_t cycles = p->slice < most ? p->slice : most;
    if (p->spacing != 0) {
        const uint64_t now = past_now(p), due = p->snapshot[before(p, now)].cycle + p->spacing;
        cycles = due > now && due - now < cycles ? due - now : cycles;
    }
    const double start = now_seconds();
    const kerr_status status = kerr_run(p->chip, cycles);
    const double taken = now_seconds() - start;
    p->ran += taken;
    if (taken < slice_seconds / 2 && cycles == p->slice && p->slice < SLICE_MOST) {
        p->slice *= 2;
    } else if (taken > 2 * slice_seconds && p->slice > 64) {
        p->slice /= 2;
    }
    return status;
}

/* Up to a cycle that is not before the present one, with snapshots on the way. */
static past_result forward(past *p, uint64_t cycle)
{
    for (uint64_t now = past_now(p); now < cycle; now = past_now(p)) {
        const kerr_status status = run_slice(p, cycle - now);
        if (status != KERR_OK) {
            return status == KERR_FAULTED ? PAST_FAULTED : PAST_BROKEN;
        }
        if (is_due(p) && !add(p)) {
            return PAST_BROKEN;
        }
        if (is_interrupted(p)) {
            return PAST_INTERRUPTED;
        }
    }
    return PAST_DONE;
}

static bool is_far(const past *p, uint64_t cycle)
{
    return p->again == NULL && p->spacing == 0 && cycle - p->snapshot[before(p, cycle)].cycle >= 2 * NEAR_CYCLES;
}

/* Back to before the cycle; if that is far, to a new snapshot close to it. */
static past_result go_near(past *p, uint64_t cycle)
{
    const bool far = is_far(p, cycle);
    if (!back_to(p, before(p, cycle))) {
        return PAST_BROKEN;
    }
    const past_result how = far ? forward(p, cycle - NEAR_CYCLES) : PAST_DONE;
    return far && how == PAST_DONE && p->ran > near_seconds && !add(p) ? PAST_BROKEN : how;
}

past_result past_go(past *p, uint64_t cycle)
{
    if (cycle < p->snapshot[0].cycle) {
        cycle = p->snapshot[0].cycle;
    }
    if (cycle < past_now(p)) {
        const past_result how = go_near(p, cycle);
        if (how != PAST_DONE) {
            return how;
        }
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
        if (now != start && is_due(p) && !add(p)) {
            return PAST_BROKEN;
        }
        /* The first cycle alone, so that what is come by in it can be told from what comes later. */
        uint64_t slice = now == start ? 1 : SLICE - now % SLICE;
        slice = slice < most - (now - start) ? slice : most - (now - start);
        kerr_status status = kerr_set_stops(p->chip, stops, count);
        p->watched = false;
        const double before_it = now_seconds();
        if (status == KERR_OK) {
            status = kerr_run(p->chip, slice);
        }
        p->ran += now_seconds() - before_it;
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
    /* Most of what is looked for is close, and with stops a chip runs slowly. */
    if (end > p->snapshot[0].cycle && is_far(p, end - 1) && go_near(p, end - 1) == PAST_BROKEN) {
        return PAST_BROKEN;
    }
    for (size_t i = before(p, end == 0 ? 0 : end - 1) + 1; i-- > 0 && end > p->snapshot[0].cycle;) {
        if (!back_to(p, i) || kerr_set_stops(p->chip, stops, count) != KERR_OK) {
            return PAST_BROKEN;
        }
        p->watched = false;
        for (uint64_t now = past_now(p); now < end; now = past_now(p)) {
            const kerr_status status = kerr_run(p->chip, end - now < BACK_SLICE ? end - now : BACK_SLICE);
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
