/* SPDX-License-Identifier: Apache-2.0 */
/* A chip with its past: snapshots in memory, from which any cycle since the first can be reached again by running.
 *
 * A run is the same every time, so the past need not be recorded: going back is a restore and a run.  How long that run takes is what
 * somebody waits for, so snapshots are taken by the host's clock: whenever a fraction of a second has been run since the last, with
 * every way, forward or again.  When there are too many, those go that are close to others for how far they lie back: the near past stays
 * dense. */
#ifndef KERR_TOOLS_PAST_H
#define KERR_TOOLS_PAST_H

#include "past_pages.h"

#include "kerr.h"

#include <stddef.h>
#include <stdint.h>

enum { PAST_MOST = 64 };
#define PAST_BYTES (UINT64_C(1) << 30) /* of all of them; fewer snapshots if they need more */

typedef struct past {
    kerr_chip *chip;  /* the caller's */
    uint64_t spacing; /* cycles between snapshots; 0: by the clock */
    past_pages pages;
    past_snapshot snapshot[PAST_MOST];
    size_t count;
    double ran;        /* seconds of running since the chip stood at a snapshot */
    double save_costs; /* seconds, the last time */
    uint64_t slice;    /* cycles that take a few milliseconds */
    /* Kept by the caller's kerr_watch: the first and the last cycle of a slice in which a watched place was written. */
    uint64_t watched_first, watched_last;
    int watched_by[2]; /* who wrote then: the core, -1 somebody else */
    bool watched;
    /* Puts the chip back to where its past begins, for one whose checks (kerr_set_checks) a snapshot does not have: then there are no
     * others, and who goes back runs all of it again.  NULL: snapshots.  *_context goes with it. */
    bool (*again)(void *context);
    void *again_context;
    /* Called from time to time in a long run; true: somebody wants it to end.  May be NULL. */
    bool (*interrupted)(void *context);
    void *context;
} past;

/* The past begins now; spacing 0: the usual.  False: no memory.  `again` is set behind it. */
bool past_begin(past *p, kerr_chip *chip, uint64_t spacing);
void past_end(past *p);
/* The chip was changed by hand: what was before cannot be reached any more. */
bool past_forget(past *p);

uint64_t past_now(const past *p);
/* Memory that all snapshots take. */
uint64_t past_bytes(const past *p);
/* For the function of a kerr_watch. */
void past_note_watched(past *p, uint64_t cycle, int core);
/* `index` of a hit that was a watch; its `pc` is then who wrote, as above */
#define PAST_WATCH (UINT32_MAX - 1)
/* How a run ended. */
typedef enum past_result {
    PAST_DONE = 0, /* at the stop, or at the cycle */
    PAST_INTERRUPTED,
    PAST_FAULTED, /* the chip has stopped; it stands at its stop point */
    PAST_BEGIN,   /* nothing like it since the past begins; the chip stands there */
    PAST_LIMIT,   /* nothing like it in so many cycles */
    PAST_BROKEN,  /* out of memory, or the chip refuses */
} past_result;

/* Forward to the first stop after the present cycle, at most `most` cycles.  *hit says which; the chip stands in its cycle, before
 * the instruction; of a watch in the one behind, so that the new bytes are there. */
past_result past_run(past *p, const kerr_stop *stops, size_t count, uint64_t most, kerr_stop_hit *hit);
/* Back to the last stop before the present cycle. */
past_result past_run_back(past *p, const kerr_stop *stops, size_t count, kerr_stop_hit *hit);
/* To a cycle, forward or back. */
past_result past_go(past *p, uint64_t cycle);

#endif
