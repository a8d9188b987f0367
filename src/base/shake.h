/* SPDX-License-Identifier: Apache-2.0 */
/* Shaken timing: delays that the hardware may have and a chip without --shake never has.
 *
 * A draw is a pure function of (seed, site, tile, sub, event number), so that the same seed gives the same run whoever asks
 * first.  Sites are rows of shake.def; who asks counts his own events, in state, or has a number that does not depend on the
 * order of work (the sequence number of a packet, a stretch of cycles).  Most seeds leave most sites of a tile alone most of the
 * time: what goes wrong needs one thing late, not all of them. */
#ifndef KERR_BASE_SHAKE_H
#define KERR_BASE_SHAKE_H

#include <stdbool.h>
#include <stdint.h>

enum shake_site {
#define SITE(ID, name, largest, what, sub, page, open) SHAKE_##ID,
#include "base/shake.def"
    SHAKE_SITES
};

/* Largest delay of a site, as a constant. */
enum {
#define SITE(ID, name, largest, what, sub, page, open) SHAKE_LARGEST_##ID = (largest),
#include "base/shake.def"
};

/* Draws that are let through, all others are 0: those of one site, tile and sub with numbers from first to last. */
typedef struct shake_range {
    uint64_t first, last;
    uint32_t largest; /* cycles; 0: as drawn */
    uint16_t sub;
    uint8_t site;
    uint8_t node; /* y * 17 + x */
} shake_range;

typedef void (*shake_tell_fn)(void *context, unsigned site, unsigned node, unsigned sub, uint64_t number,
                              unsigned delay);

struct shake {
    uint64_t seed;      /* 0: off */
    bool limited;       /* to `only` */
    uint32_t count;     /* of it */
    shake_range *only;  /* sorted by shake_order */
    shake_tell_fn tell; /* of every draw that is not 0; NULL: nobody listens */
    void *context;
};

/* As qsort wants it. */
int shake_order(const void *a, const void *b);

/* In cycles, 0 to the site's largest. */
unsigned shake_draw(const struct shake *shake, unsigned site, unsigned node, unsigned sub, uint64_t number);

/* A cycle that moves later, by a rule that keeps order: all that would come in one stretch of cycles comes no earlier than
 * its draw.  The site's largest delay plus 1 is the length of a stretch. */
uint64_t shake_warp(const struct shake *shake, unsigned site, unsigned node, unsigned sub, uint64_t cycle);

#endif
