/* SPDX-License-Identifier: Apache-2.0 */
/* The drop-in's record in the statistics page (include/kerr_stats.h) that KERR_STATS names.  Owned by libttsim.c, which
 * calls in here around its ABI calls if there is a page, and never if there is none.  Looks at the chip between windows, and
 * changes nothing on it. */
#ifndef KERR_DROPIN_STATS_H
#define KERR_DROPIN_STATS_H

#include "dropin/places.h"
#include "kerr_stats.h"

typedef struct stats {
    kerr_stats_page *page;     /* NULL: there is none */
    kerr_stats_record *record; /* NULL: no place was free */
    int file;                  /* the page's, for post-mortems */
    uint32_t depth;            /* of calls: the host may call from its DMA callbacks */
    uint32_t *own;             /* a word that reads 0 in a forked child */
    uint64_t begin_ns;         /* of the call */
    uint64_t outside_ns;       /* in callbacks of the host during it */
    uint64_t now;              /* the chip's cycle up to which record->cycles counts */
    uint64_t sampled_at;       /* chip cycle of the last sample */
    uint64_t sampling_ns;      /* spent on samples */
    uint64_t flits;            /* of all links, at the last sample */
    uint32_t faults;           /* of this chip, that are in the record */
    uint32_t findings_before;  /* in the record, of chips before this one */
    uint32_t findings;         /* of this chip */
    uint64_t hang_cycle;       /* when the host was found to wait in vain; 0: it was not */
    struct stats_seen *seen;   /* what counters stood at, by tile */
    uint64_t link_base[2][KERR_STATS_NODES][KERR_STATS_LINKS]; /* of chips before this one */
} stats;

uint64_t stats_clock_ns(void);

/* Opens the page.  False: it cannot be used; *why says so. */
bool stats_open(stats *s, const char *path, const char **why);
void stats_close(stats *s);

/* A chip is new (or fresh after a reset), is about to go or to be reset. */
void stats_chip_begins(stats *s, const kerr_chip *chip);
void stats_chip_ends(stats *s, const kerr_chip *chip);
/* Before it ends, by the host's will: nobody can write any more, and what waits now waits for good. */
void stats_chip_closes(stats *s, const kerr_chip *chip);

/* Around a call. */
void stats_enter(stats *s, const kerr_chip *chip, kerr_stats_call call, uint64_t bytes);
void stats_leave(stats *s, const kerr_chip *chip);

/* A chip was made or destroyed, by a call that began then. */
void stats_life(stats *s, uint64_t begin_ns);
/* During a call the card was in host memory. */
void stats_dma(stats *s, bool read, uint64_t ns, uint64_t bytes);

/* Faults that are not in the record yet. */
void stats_faults(stats *s, const kerr_chip *chip);
/* Faults and findings of checks as they are now; `all`: also if there are no more than there were. */
void stats_findings(stats *s, const kerr_chip *chip, bool all);
/* Puts the chip behind the page, if nobody's is there. */
void stats_post_mortem(stats *s, const kerr_chip *chip, kerr_post_reason reason, const char *text);
/* A fault has stopped the chip, or the host waits for nothing: the chip is kept for a post-mortem. */
void stats_chip_stops(stats *s, const kerr_chip *chip, kerr_post_reason reason, const char *text);

#endif
