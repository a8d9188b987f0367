/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever wants to know what a host does with the card: statistics (stats.h), a log of calls (record.h), a trace (feed.h), a list of kernels (kernels.h), and a look at hosts that
 * wait in vain.  Owned by libttsim.c, which calls in here around its ABI calls while `on`. */
#ifndef KERR_DROPIN_WATCH_H
#define KERR_DROPIN_WATCH_H

#include "dropin/feed.h"
#include "dropin/kernels.h"
#include "dropin/record.h"
#include "dropin/series.h"
#include "dropin/stats.h"

typedef struct watch {
    bool on;                   /* anything below */
    uint64_t hang_ns, dead_ns; /* 0: never */
    uint64_t died_at_ns;       /* when the card died; 0: not known */
    uint64_t dead_calls;       /* since then */
    uint64_t rest_ns;          /* since when the host has only polled a chip that rests; 0: it does not */
    uint64_t rest_cycle;       /* the chip's cycle then */
    uint64_t lone_ns;          /* the same of one on which at most single cores run, for themselves */
    uint64_t lone_cycle;
    uint64_t lone_deeds; /* what its tiles had done by then */
    stats stats;         /* page NULL: none */
    record record;       /* own NULL: none */
    feed feed;           /* open false: none */
    kernels kernels;     /* the same */
    series series;       /* every 0: none */
} watch;

/* They keep what is open already. */
bool watch_open_page(watch *w, const char *path, const char **why);
bool watch_open_log(watch *w, const char *path);
bool watch_open_feed(watch *w, const char *path);
bool watch_open_kernels(watch *w, const char *path);
void watch_open_series(watch *w, const char *folder, uint64_t every, uint32_t keep);
/* The library is closed. */
void watch_close(watch *w);

void watch_chip_begins(watch *w, kerr_chip *chip, bool has_host_memory);
void watch_chip_ends(watch *w, const kerr_chip *chip);
/* Before and after a reset that the host has asked for. */
void watch_chip_resets(watch *w, const kerr_chip *chip, bool before);
void watch_chip_stops(watch *w, const kerr_chip *chip, kerr_post_reason reason, const char *text);

/* Around a call; chip may be NULL.  The entry's data goes into the log. */
void watch_enter(watch *w, const kerr_chip *chip, kerr_stats_call call, const kerr_record_entry *entry,
                 const void *data);
void watch_result(watch *w, const kerr_chip *chip, const void *data, uint32_t size);
void watch_leave(watch *w, const kerr_chip *chip);
/* After that: saves the chip if it is time.  False: it cannot, and text says why; told of once. */
bool watch_saves(watch *w, const kerr_chip *chip, char *text, size_t size);
/* init or exit, which began then, is over. */
void watch_life(watch *w, uint64_t begin_ns);
/* The card has been in host memory, from begin_ns on. */
void watch_dma(watch *w, kerr_record_kind kind, uint64_t begin_ns, uint64_t address, const void *data, size_t size);

/* A host that only polls a chip which has nothing to do, and never will, waits for nothing.  The same goes for one on which
 * a core or two go on for themselves: fast dispatch of tt-metal has one that keeps reading the clock.  wrote: the call has written to a tile.  */
bool watch_sees_hang(watch *w, const kerr_chip *chip, bool wrote, char *text, size_t size);
/* Somebody else had the chip for so long: the host is not to blame for that time.  inside: within a call. */
void watch_excuse(watch *w, uint64_t ns, bool inside);
/* Of a card that is dead: it has been for too long. */
bool watch_loses_patience(watch *w);

#endif
